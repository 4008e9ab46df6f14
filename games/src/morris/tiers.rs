//! The tiers of a game: one for each count of men on the board and in hand.

use std::ops::RangeInclusive;
use std::sync::Arc;

use retrograde::VisitSuccessors;
use retrograde::error::IndexError;
use retrograde::{Game, Player, Tier, TierIndexed, Tiered};

use super::board::{Lines, Points, singles};
use super::folding::{Folding, Pairs};
use super::material::Material;
use super::{Morris, Position};

/// The tier of all positions in which play is over. They are lost for the player to move and
/// share one index.
const OVER: usize = 0;

/// The name of the tier [`OVER`].
const OVER_NAME: &str = "over";

/// The representative of all positions in which play is over.
const OVER_POSITION: Position =
    Position { own: 0b11, other: 0b11100, own_hand: 0, other_hand: 0, turn: Player::First };

/// No such tier.
const NONE: u16 = u16::MAX;

/// The tiers of a game, and the indices of the positions in them.
#[derive(Clone, Debug)]
pub(super) struct Tiers {
    folding: Arc<Folding>,
    /// In solving order; that of [`OVER`] is missing before them.
    open: Vec<OpenTier>,
    /// The place of a material's tier in the solving order, by [`Tiers::at`].
    places: Vec<u16>,
    /// The weight of a man in the mover's hand in `places`, where one in the other's has 1. It is 1, too,
    /// where players do nothing but place men in turns: then the sum of both hands says all.
    stride: u32,
    /// Whether a player with men in hand may move one of those on the board.
    sliding: bool,
}

/// A tier in which play is not over. Where men are moved, the player to move may have either side's
/// numbers of men. The positions in which they are not those of `material` come last.
#[derive(Clone, Debug)]
struct OpenTier {
    material: Material,
    /// The player to move in the representatives.
    turn: Player,
    positions: Positions,
    turned: Option<Positions>,
}

/// The positions with one material.
#[derive(Clone, Debug)]
struct Positions {
    pairs: Pairs,
    /// How many mills the player to move and the other can have; `None` where any count is
    /// possible.
    mills: Option<[RangeInclusive<u32>; 2]>,
}

impl Positions {
    fn new(
        folding: &Arc<Folding>,
        material: Material,
        men: u32,
        sliding: bool,
    ) -> Result<Positions, IndexError> {
        let pairs = Pairs::new(folding, material.own, material.other)?;
        let mills = material.mills(men, sliding);
        let any = mills.iter().all(|mills| *mills == (0..=u32::MAX));
        Ok(Positions { pairs, mills: (!any).then_some(mills) })
    }

    /// The men of the player to move and of the other, or `None` for an unused index.
    #[inline]
    fn unindex(&self, lines: &Lines, index: u64) -> Option<(Points, Points)> {
        let (own, other) = self.pairs.unindex(index)?;
        let fits = match &self.mills {
            None => true,
            Some([of_own, of_other]) => {
                of_own.contains(&lines.count_mills(own))
                    && of_other.contains(&lines.count_mills(other))
            }
        };
        fits.then_some((own, other))
    }
}

impl OpenTier {
    fn new(
        folding: &Arc<Folding>,
        material: Material,
        men: u32,
        sliding: bool,
    ) -> Result<OpenTier, IndexError> {
        let positions = |side| Positions::new(folding, side, men, sliding);
        Ok(OpenTier {
            material,
            turn: material.turn(sliding),
            positions: positions(material)?,
            turned: material.sides(sliding).nth(1).map(positions).transpose()?,
        })
    }

    fn len(&self) -> u64 {
        self.positions.pairs.len() + self.turned.as_ref().map_or(0, |turned| turned.pairs.len())
    }

    #[inline]
    fn index(&self, position: &Position) -> u64 {
        let (first, pairs) = self.part(position.own.count_ones(), position.own_hand.into());
        first + pairs.index(position.own, position.other)
    }

    /// The material of a position of this tier.
    #[inline]
    fn material_of(&self, position: &Position) -> Material {
        if self.turned.is_none() { self.material } else { Material::of(position) }
    }

    /// The indices of the positions in which the player to move has so many men on the board and in
    /// hand, and the first of these indices.
    #[inline]
    fn part(&self, own: u32, own_hand: u32) -> (u64, &Pairs) {
        match &self.turned {
            Some(turned) if (own, own_hand) != (self.material.own, self.material.own_hand) => {
                (self.positions.pairs.len(), &turned.pairs)
            }
            _ => (0, &self.positions.pairs),
        }
    }

    #[inline]
    fn unindex(&self, lines: &Lines, index: u64) -> Option<Position> {
        let first = self.positions.pairs.len();
        let Material { own_hand, other_hand, .. } = self.material;
        let ((own, other), [own_hand, other_hand]) = match &self.turned {
            Some(turned) if index >= first => {
                (turned.unindex(lines, index - first)?, [other_hand, own_hand])
            }
            _ => (self.positions.unindex(lines, index)?, [own_hand, other_hand]),
        };
        let [own_hand, other_hand] = [own_hand, other_hand].map(|hand| hand as u8);
        Some(Position { own, other, own_hand, other_hand, turn: self.turn })
    }
}

impl Tiers {
    /// The tiers that play comes to from this many men in each hand.
    pub(super) fn new(lines: &Lines, men: u32, sliding: bool) -> Result<Tiers, IndexError> {
        let folding = Arc::new(Folding::new(lines, men)?);
        let start = Material { own: 0, other: 0, own_hand: men, other_hand: men };
        let stride = if sliding { men + 1 } else { 1 };
        let mut tiers = Tiers { folding, open: Vec::new(), places: Vec::new(), stride, sliding };
        tiers.places = vec![NONE; tiers.at(start) + (1 << 8)];
        for (place, material) in (OVER as u16 + 1..).zip(start.reached(sliding)) {
            for side in material.sides(sliding) {
                let at = tiers.at(side);
                tiers.places[at] = place;
                for over in side.leads_to(sliding).filter(|next| next.is_over()) {
                    let at = tiers.at(over);
                    tiers.places[at] = OVER as u16;
                }
            }
            tiers.open.push(OpenTier::new(&tiers.folding, material, men, sliding)?);
        }
        Ok(tiers)
    }

    /// Where a material's place is looked up.
    #[inline]
    fn at(&self, material: Material) -> usize {
        let Material { own, other, own_hand, other_hand } = material;
        ((own_hand * self.stride + other_hand) << 8 | own << 4 | other) as usize
    }

    /// The place of a material's tier in the solving order, if play comes to such material.
    #[inline]
    pub(super) fn find(&self, material: Material) -> Option<usize> {
        let place = self.places.get(self.at(material)).copied();
        place.filter(|&place| place != NONE).map(usize::from)
    }

    /// The tier after a man is placed and so many are taken, the first index there of the positions in
    /// which that leaves the player to move, and their pairs. `None` if play is over.
    #[inline]
    fn after_placing(&self, material: Material, taken: u32) -> Option<(usize, u64, &Pairs)> {
        let next = material.after(1, taken);
        let place = self.find(next).filter(|&place| place != OVER)?;
        let (first, pairs) = self.open[place - 1].part(next.own, next.own_hand);
        Some((place, first, pairs))
    }

    /// The least of what symmetries of the board make of a position. Where the men in hand do not say
    /// who is to move, the players may be exchanged too, and White is to move.
    pub(super) fn canonical(&self, position: &Position) -> Position {
        let turn = match Material::of(position).fixes_turn(self.sliding) {
            true => position.turn,
            false => Player::First,
        };
        let image = |symmetry| {
            let [own, other] =
                [position.own, position.other].map(|men| self.folding.image(symmetry, men));
            Position { own, other, turn, ..*position }
        };
        let start = Position { turn, ..*position };
        (0..self.folding.symmetries()).map(image).fold(start, Position::min)
    }
}

impl Tiered for Morris {
    /// Placings and captures have no backward moves.
    const TIER_PREDECESSORS: bool = true;

    fn tiers(&self) -> Vec<Tier> {
        let over = Tier { name: OVER_NAME.to_owned(), leads_to: Vec::new() };
        let open = self.tiers.open.iter().map(|tier| {
            let sliding = self.tiers.sliding;
            let next = tier.material.sides(sliding).flat_map(|side| side.leads_to(sliding));
            let mut leads_to: Vec<usize> =
                next.filter_map(|material| self.tiers.find(material)).collect();
            leads_to.sort_unstable();
            leads_to.dedup();
            Tier { name: tier.material.name(), leads_to }
        });
        std::iter::once(over).chain(open).collect()
    }

    #[inline]
    fn tier(&self, position: &Position) -> usize {
        usize::from(self.tiers.places[self.tiers.at(Material::of(position))])
    }

    /// Captures and placings.
    #[inline]
    fn exits(&self, _: usize, position: &Position, mut visit: impl FnMut(Position)) {
        self.quiet_placings(position, |own| visit(position.after(own, position.other)));
        self.captures(position, visit);
    }

    /// Known where the other player's men are not symmetric. All quiet moves leave those men where
    /// they are, so then no two of them lead to the same index.
    #[inline]
    fn tier_degree(&self, _: usize, position: &Position) -> Option<u64> {
        if self.only_places(position) {
            return Some(0);
        }
        let other = position.other;
        if self.tiers.folding.is_symmetric(other.count_ones(), other) {
            return None;
        }
        let flies = self.flies(position.own, position.own_hand);
        let empty = self.empty(position);
        let ways = singles(position.own).map(|from| (self.reach(from, flies) & empty).count_ones());
        let mut moves = ways.sum::<u32>();
        self.taking_slides(position, |_| moves -= 1);
        Some(moves.into())
    }

    /// Visits the states of the same tier that have a move to this one: those from which the other
    /// player has moved a man without completing a mill.
    #[inline]
    fn tier_predecessors(&self, _: usize, position: &Position, mut visit: impl FnMut(Position)) {
        let &Position { own, other, own_hand, other_hand, turn } = position;
        // A player who slid has left the other a man on the board.
        if self.only_places(position) || own == 0 || self.terminal(position).is_some() {
            return;
        }
        let empty = self.empty(position);
        let flies = self.flies(other, other_hand);
        let has_taken = own.count_ones() + u32::from(own_hand) < self.parameters.men;
        // With the man that has moved in a mill, a man would have been taken.
        for to in singles(other & !self.lines.in_mills(other)) {
            let mut sources = self.reach(to, flies) & empty;
            if !has_taken {
                // Nor has a man moved out of a mill.
                sources &= !self.lines.completing(other ^ to);
            }
            for from in singles(sources) {
                visit(Position {
                    own: other ^ to ^ from,
                    other: own,
                    own_hand: other_hand,
                    other_hand: own_hand,
                    turn: turn.opponent(),
                });
            }
        }
    }
}

impl Morris {
    /// Visits what each placing leads to. All of them leave the tier, and lead to one tier or, with a
    /// man taken, to another. There the set that leads is folded once for all placings that leave it as it is.
    fn placings(
        &self,
        tier: usize,
        position: &Position,
        visitor: &mut impl VisitSuccessors<Position>,
    ) {
        let &Position { own, other, turn, .. } = position;
        let material = self.tiers.open[tier - 1].material_of(position);
        let turn = turn.opponent();
        let targets = self.empty(position);
        let completing = targets & self.completing(position);
        let quiet = targets & !completing;
        if let Some((next, first, pairs)) = self.tiers.after_placing(material, 0) {
            let mut visit = |index| visitor.leave_to(next, first + index, turn);
            if pairs.second_leads() {
                singles(quiet).for_each(|to| visit(pairs.index(other, own | to)));
            } else if quiet != 0 {
                let beside = pairs.beside(other);
                let [own, quiet] = [own, quiet].map(|set| beside.carry(u64::from(set)));
                singles(quiet as Points).for_each(|to| visit(beside.rank(own | u64::from(to))));
            }
        }
        if completing == 0 {
            return;
        }
        let Some((next, first, pairs)) = self.tiers.after_placing(material, 1) else {
            return visitor.leave_to(OVER, 0, turn);
        };
        let mut visit = |index| visitor.leave_to(next, first + index, turn);
        let takeable = self.takeable(other);
        if pairs.second_leads() {
            for to in singles(completing) {
                let beside = pairs.beside(own | to);
                let [rest, takeable] = [other, takeable].map(|set| beside.carry(u64::from(set)));
                singles(takeable as Points)
                    .for_each(|taken| visit(beside.rank(rest ^ u64::from(taken))));
            }
        } else {
            for taken in singles(takeable) {
                let beside = pairs.beside(other ^ taken);
                let [rest, completing] = [own, completing].map(|set| beside.carry(u64::from(set)));
                singles(completing as Points)
                    .for_each(|to| visit(beside.rank(rest | u64::from(to))));
            }
        }
    }
}

impl TierIndexed for Morris {
    fn tier_len(&self, tier: usize) -> u64 {
        if tier == OVER { 1 } else { self.tiers.open[tier - 1].len() }
    }

    #[inline]
    fn tier_index(&self, tier: usize, position: &Position) -> u64 {
        if tier == OVER { 0 } else { self.tiers.open[tier - 1].index(position) }
    }

    #[inline]
    fn tier_unindex(&self, tier: usize, index: u64) -> Option<Position> {
        if tier == OVER {
            Some(OVER_POSITION)
        } else {
            self.tiers.open[tier - 1].unindex(&self.lines, index)
        }
    }

    const TIER_SUCCESSOR_INDICES: bool = true;

    /// The kind of a move says whether it stays in its tier; such moves keep the counts of men.
    #[inline]
    fn tier_successor_indices(
        &self,
        tier: usize,
        position: &Position,
        visitor: &mut impl VisitSuccessors<Position>,
    ) {
        if position.own_hand > 0 {
            self.placings(tier, position, visitor);
        }
        if self.only_places(position) {
            return;
        }
        let (other, turn) = (position.other, position.turn.opponent());
        let (first, pairs) =
            self.tiers.open[tier - 1].part(other.count_ones(), position.other_hand.into());
        self.quiet_slides(position, |own| visitor.stay(first + pairs.index(other, own), turn));
        self.taking_slides(position, self.taking(position, |next| visitor.leave(next)));
    }
}
