//! Orthodox chess: 64 squares, the six kinds of men, mate.

mod board;
mod en_passant;
mod ending;
mod indices;
mod legality;
mod material;
mod moves;
mod notation;
mod numbering;
mod passing;
mod position;
mod rows;
mod san;
mod successors;
mod twins;
mod unmoves;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use retrograde::{
    Game, Outcome, PackedState, Player, Players, Rows, Tier, TierIndexed, Tiered, VisitSuccessors,
};

use ending::Ending;
pub use material::{Endings, Kind, MOST_MEN, Material, MaterialError};
pub(super) use notation::{EXAMPLE_IN_WORDS, PLAYERS, check_clocks, fifty_moves, glyph};
pub use position::Position;

/// Orthodox chess from some material on.
pub(super) struct Orthodox {
    /// The endings that play begins with.
    begins: Endings,
    /// In solving order; with those that play begins with, and all that captures and promotions make of them.
    endings: Vec<Ending>,
    /// Which endings each leads to.
    leads_to: Vec<Vec<usize>>,
}

impl Orthodox {
    /// The game that begins with these endings.
    pub(super) fn new(begins: Endings) -> Orthodox {
        let mut endings = BTreeMap::new();
        let mut found = begins.beginnings();
        while let Some(material) = found.pop() {
            endings.entry(material).or_insert_with_key(|material| {
                let ending = Ending::new(material.clone(), 0);
                found.extend(ending.successors());
                ending
            });
        }
        // Captures leave fewer men, promotions fewer pawns.
        let order: BTreeSet<(usize, usize, Material)> = endings
            .keys()
            .map(|material| (material.men(), material.pawns(), material.clone()))
            .collect();
        let numbers: BTreeMap<Material, u8> =
            order.iter().map(|(_, _, material)| material.clone()).zip(0..).collect();
        let mut endings: Vec<Ending> =
            order.iter().filter_map(|(_, _, material)| endings.remove(material)).collect();
        let mut leads_to = Vec::new();
        for (ending, number) in endings.iter_mut().zip(0..) {
            ending.number = number;
            leads_to.push(ending.link(&numbers));
        }
        Orthodox { begins, endings, leads_to }
    }

    /// The endings that play begins with.
    pub(super) fn begins(&self) -> &Endings {
        &self.begins
    }

    #[inline(always)]
    fn ending(&self, position: Position) -> &Ending {
        &self.endings[position.ending()]
    }

    /// The position after a move out of an ending, written as it is always written.
    #[inline]
    fn settled(&self, position: Position) -> Position {
        self.ending(position).settled(position)
    }
}

impl Game for Orthodox {
    type State = Position;
    const PLAYERS: Players = Players::Folded;

    #[inline(always)]
    fn turn(&self, position: &Position) -> Player {
        position.player()
    }

    /// Nothing is over as long as there is a move; a mate has none.
    #[inline(always)]
    fn terminal(&self, _: &Position) -> Option<Outcome> {
        None
    }

    fn moves(&self, position: &Position, mut visit: impl FnMut(Position)) {
        let ending = self.ending(*position);
        ending.visit_steps(*position, |_, next| visit(next));
        ending.visit_leaving(*position, |_, next| visit(self.settled(next)));
    }

    fn no_moves(&self, position: &Position) -> Option<Outcome> {
        Some(match self.ending(*position).is_check(*position) {
            true => Outcome::Win(position.player().opponent()),
            false => Outcome::Draw,
        })
    }

    /// The first legal position of each ending that play begins with, the stronger side white and to move.
    fn roots(&self) -> impl IntoIterator<Item = Position> {
        self.begins.beginnings().into_iter().filter_map(|material| {
            let tier = self.endings.iter().position(|ending| ending.material == material)?;
            let mut positions =
                (0..self.tier_len(tier)).filter_map(|at| self.tier_unindex(tier, at));
            positions.find(|position| position.side() == 0)
        })
    }

    fn canonical(&self, position: &Position) -> Position {
        let tier = position.ending();
        self.tier_unindex(tier, self.tier_index(tier, position)).unwrap_or(*position)
    }
}

impl Tiered for Orthodox {
    /// Captures and promotions have no backward moves.
    const TIER_PREDECESSORS: bool = true;

    /// Two captures may lead to one position of an ending by symmetry; two quiet moves do not.
    const TIER_DISTINCT: bool = true;

    fn tiers(&self) -> Vec<Tier> {
        let endings = self.endings.iter().zip(&self.leads_to);
        endings
            .map(|(ending, leads_to)| Tier {
                name: ending.material.to_string(),
                leads_to: leads_to.clone(),
            })
            .collect()
    }

    #[inline(always)]
    fn tier(&self, position: &Position) -> usize {
        position.ending()
    }

    #[inline(always)]
    fn exits(&self, tier: usize, position: &Position, mut visit: impl FnMut(Position)) {
        self.endings[tier].visit_leaving(*position, |_, next| visit(self.settled(next)));
    }

    #[inline(always)]
    fn tier_degree(&self, tier: usize, position: &Position) -> Option<u64> {
        Some(self.endings[tier].tier_degree(*position))
    }

    #[inline(always)]
    fn tier_predecessors(&self, tier: usize, position: &Position, visit: impl FnMut(Position)) {
        self.endings[tier].visit_steps_back(*position, visit);
    }
}

impl TierIndexed for Orthodox {
    fn tier_len(&self, tier: usize) -> u64 {
        self.endings[tier].numbering.len()
    }

    #[inline(always)]
    fn tier_index(&self, tier: usize, position: &Position) -> u64 {
        self.endings[tier].index(*position)
    }

    #[inline(always)]
    fn tier_unindex(&self, tier: usize, index: u64) -> Option<Position> {
        self.endings[tier].unindex(index)
    }

    #[inline(always)]
    fn tier_states(&self, tier: usize, indices: Range<u64>, visit: impl FnMut(u64, Position)) {
        self.endings[tier].positions(indices, visit);
    }

    fn tier_rows(&self, tier: usize) -> Option<impl Rows> {
        self.endings[tier].rows(&self.endings)
    }

    const TIER_SUCCESSOR_INDICES: bool = true;

    fn run_len(&self, tier: usize) -> u64 {
        self.endings[tier].numbering.run_len().unwrap_or(1)
    }

    #[inline(always)]
    fn tier_successor_indices(
        &self,
        tier: usize,
        position: &Position,
        visitor: &mut impl VisitSuccessors<Position>,
    ) {
        self.endings[tier].visit_successors(*position, visitor, |next| self.settled(next));
    }
}

impl PackedState for Orthodox {
    type Word = u64;

    #[inline]
    fn pack(&self, position: &Position) -> u64 {
        position.packed()
    }

    #[inline]
    fn unpack(&self, packed: u64) -> Position {
        Position::of_packed(packed)
    }

    fn is_packed(&self, word: u64) -> bool {
        let position = Position::of_packed(word);
        let ending = self.endings.get(position.ending());
        position.has_no_other_bits() && ending.is_some_and(|ending| ending.has(position))
    }
}
