//! One ending: its men, and the endings that captures and promotions make of it.

use std::collections::BTreeMap;

use super::board::{self, BySquare, NOWHERE};
use super::material::{Kind, MOST_MEN, Material};
use super::numbering::Numbering;
use super::position::{Move, NOBODY, Position, Squares};

/// The squares that a man reaches on an empty board.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    /// Without a capture or a promotion.
    pub(super) steps: &'static BySquare,
    /// Where such a step can have come from.
    pub(super) steps_back: &'static BySquare,
    /// The squares that the man attacks.
    pub(super) attacks: &'static BySquare,
    /// From where it attacks a square.
    pub(super) attacked_from: &'static BySquare,
}

impl Reach {
    /// For a man that is not there.
    const NONE: Reach = Reach::of_piece(&board::NOTHING);

    const fn of_piece(reached: &'static BySquare) -> Reach {
        Reach { steps: reached, steps_back: reached, attacks: reached, attacked_from: reached }
    }

    /// For a man of a side, of which number 0 goes up the board.
    const fn of(kind: Kind, side: usize) -> Reach {
        match kind {
            Kind::King => Reach::of_piece(&board::KING),
            Kind::Queen => Reach::of_piece(&board::QUEEN),
            Kind::Rook => Reach::of_piece(&board::ROOK),
            Kind::Bishop => Reach::of_piece(&board::BISHOP),
            Kind::Knight => Reach::of_piece(&board::KNIGHT),
            Kind::Pawn => Reach {
                steps: &board::PAWN_STEPS[side],
                steps_back: &board::PAWN_STEPS_BACK[side],
                attacks: &board::PAWN_ATTACKS[side],
                attacked_from: &board::PAWN_ATTACKS[1 - side],
            },
        }
    }
}

/// The places of some men in a position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slots {
    slots: [u8; MOST_MEN],
    count: u8,
}

impl Slots {
    fn push(&mut self, slot: usize) {
        self.slots[usize::from(self.count)] = slot as u8;
        self.count += 1;
    }

    #[inline(always)]
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = usize> + Clone + '_ {
        self.slots[..usize::from(self.count)].iter().map(|&slot| usize::from(slot % 8))
    }
}

/// The change of a position by a move that leaves its ending.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    pub(super) ending: u8,
    /// Whether the weaker side is the stronger now.
    pub(super) exchanges: bool,
    /// Where each man was before; [`NOBODY`] for one that is not there.
    pub(super) from: [u8; MOST_MEN],
}

impl Change {
    /// The men in the ending that a move leads to, after it.
    #[inline(always)]
    pub(super) fn squares(&self, moved: Squares) -> Squares {
        let turned = if self.exchanges { 56 } else { 0 };
        let mut squares = Squares::NONE;
        for (place, &from) in self.from.iter().enumerate() {
            if usize::from(from) != NOBODY {
                squares = squares.with(place, moved.of(from.into()) ^ turned);
            }
        }
        squares
    }
}

/// An ending. The kings are in the first two places. Then come the men of the stronger side and the
/// men of the other, the strongest first.
pub(super) struct Ending {
    pub(super) material: Material,
    /// Which of the game's endings it is.
    pub(super) number: u8,
    pub(super) men: usize,
    pub(super) has_pawns: bool,
    pub(super) is_symmetric: bool,
    /// Whether both sides have pawns.
    pub(super) has_en_passant: bool,
    /// Whether two men of a side are alike.
    pub(super) has_like: bool,
    /// Whether anything has to be done about a position after the men have stepped: like men or
    /// sides to put in order, or captures en passant to look for.
    pub(super) is_plain: bool,
    pub(super) reach: [Reach; MOST_MEN],
    /// The kinds of the men, in the order of their places.
    pub(super) kinds: Vec<Kind>,
    /// The men of each side, the king first.
    pub(super) sides: [Slots; 2],
    /// The pawns of each side.
    pub(super) pawns: [Slots; 2],
    /// The places of two like men, if there are two and not three.
    pub(super) pair: Option<[usize; 2]>,
    pub(super) has_three_like: bool,
    /// The places that, each exchanged with the one before where needed, put like men in order.
    exchanges: Slots,
    pub(super) numbering: Numbering,
    /// By the man that is captured, or [`NOBODY`]; by the man that is promoted, or [`NOBODY`]; by
    /// the piece that it becomes.
    changes: [[[Option<Change>; Kind::PROMOTIONS.len()]; MOST_MEN + 1]; MOST_MEN + 1],
}

/// A man in some place of an ending.
#[derive(Clone, Copy)]
struct Man {
    side: usize,
    kind: Kind,
    slot: usize,
}

impl Ending {
    /// The ending with this material, the `number`th of a game.
    pub(super) fn new(material: Material, number: u8) -> Ending {
        let [stronger, weaker] = material.sides();
        let kinds: Vec<Kind> = [&[Kind::King, Kind::King], stronger, weaker].concat();
        let side_of = |slot: usize| match slot {
            0 | 1 => slot,
            _ => usize::from(slot >= 2 + stronger.len()),
        };
        let men = material.men();
        let (mut sides, mut pawns) = ([Slots::default(); 2], [Slots::default(); 2]);
        let (mut reach, mut like_before) = ([Reach::NONE; MOST_MEN], [false; MOST_MEN]);
        for (slot, &kind) in kinds.iter().enumerate() {
            let side = side_of(slot);
            sides[side].push(slot);
            reach[slot] = Reach::of(kind, side);
            if kind == Kind::Pawn {
                pawns[side].push(slot);
            }
            like_before[slot] = slot > 2 && kinds[slot - 1] == kind && side_of(slot - 1) == side;
        }
        let mut exchanges = Slots::default();
        // Three like men at most: for those, each exchange and the first again.
        let has_three_like = like_before[3] && like_before[4];
        let slots = [(3, like_before[3]), (4, like_before[4]), (3, has_three_like)];
        slots
            .into_iter()
            .filter(|&(_, is_like)| is_like)
            .for_each(|(slot, _)| exchanges.push(slot));
        let like = (0..MOST_MEN).find(|&slot| like_before[slot]);
        let has_like = like_before.contains(&true);
        let is_symmetric = material.is_symmetric();
        let has_en_passant = pawns.iter().all(|pawns| pawns.count > 0);
        Ending {
            number,
            men,
            has_pawns: material.pawns() > 0,
            is_symmetric,
            has_en_passant,
            has_like,
            is_plain: !has_like && !is_symmetric && !has_en_passant,
            reach,
            sides,
            pawns,
            numbering: Numbering::new(&kinds, &like_before, is_symmetric, has_en_passant),
            pair: like.filter(|_| !has_three_like).map(|slot| [slot - 1, slot]),
            has_three_like,
            exchanges,
            kinds,
            material,
            changes: [[[None; Kind::PROMOTIONS.len()]; MOST_MEN + 1]; MOST_MEN + 1],
        }
    }

    /// Which side a man belongs to.
    pub(super) fn side_of(&self, slot: usize) -> usize {
        usize::from(self.sides[1].iter().any(|other| other == slot))
    }

    /// Whether two men are of the same kind and side.
    pub(super) fn are_like(&self, one: usize, other: usize) -> bool {
        self.kinds[one] == self.kinds[other] && self.side_of(one) == self.side_of(other)
    }

    /// The material that a capture or promotion leads to, and whether the sides change places in
    /// it; `None` where that can't be.
    fn after(
        &self,
        captured: usize,
        promoted: Option<(usize, Kind)>,
    ) -> Option<(Vec<Man>, Material, bool)> {
        let captures = captured != NOBODY;
        let is_possible = match promoted {
            None => captures && captured >= 2,
            Some((pawn, _)) => {
                let takes_piece = || {
                    captured >= 2
                        && self.kinds[captured] != Kind::Pawn
                        && self.side_of(captured) != self.side_of(pawn)
                };
                self.kinds[pawn] == Kind::Pawn && (!captures || takes_piece())
            }
        };
        if !is_possible {
            return None;
        }
        let mut men: Vec<Man> = (0..self.men)
            .filter(|&slot| slot != captured)
            .map(|slot| {
                let promoted = promoted.filter(|&(pawn, _)| pawn == slot);
                let kind = promoted.map_or(self.kinds[slot], |(_, kind)| kind);
                Man { side: self.side_of(slot), kind, slot }
            })
            .collect();
        let side = |side| {
            let men = men.iter().filter(|man| man.side == side && man.kind != Kind::King);
            men.map(|man| man.kind).collect()
        };
        let (material, exchanges) = Material::new([side(0), side(1)]);
        // The kings first, then the men of the stronger side.
        men.sort_by_key(|man| {
            let side = man.side ^ usize::from(exchanges);
            (man.kind != Kind::King, side, man.kind)
        });
        Some((men, material, exchanges))
    }

    /// All captures and promotions that lead out of the ending.
    fn exits(&self) -> impl Iterator<Item = (usize, Option<(usize, Kind)>)> {
        let men = self.men;
        let promotions = (2..men).flat_map(|pawn| Kind::PROMOTIONS.map(|kind| Some((pawn, kind))));
        let promotions: Vec<_> = std::iter::once(None).chain(promotions).collect();
        let captured = (2..men).chain([NOBODY]);
        captured.flat_map(move |captured| {
            promotions.clone().into_iter().map(move |promoted| (captured, promoted))
        })
    }

    /// The material of the endings that captures and promotions lead to.
    pub(super) fn successors(&self) -> Vec<Material> {
        let material = |(captured, promoted)| self.after(captured, promoted);
        self.exits().filter_map(material).map(|(_, material, _)| material).collect()
    }

    /// Finds the endings that captures and promotions lead to, and returns their numbers.
    pub(super) fn link(&mut self, numbers: &BTreeMap<Material, u8>) -> Vec<usize> {
        let mut leads_to = Vec::new();
        for (captured, promoted) in self.exits().collect::<Vec<_>>() {
            let Some((men, material, exchanges)) = self.after(captured, promoted) else { continue };
            let Some(&ending) = numbers.get(&material) else { continue };
            let mut from = [NOBODY as u8; MOST_MEN];
            from.iter_mut().zip(&men).for_each(|(from, man)| *from = man.slot as u8);
            let (pawn, kind) = match promoted {
                None => (NOBODY, 0),
                Some((pawn, kind)) => (pawn, kind as usize - 1),
            };
            self.changes[captured][pawn][kind] = Some(Change { ending, exchanges, from });
            leads_to.push(usize::from(ending));
        }
        leads_to.sort_unstable();
        leads_to.dedup();
        leads_to
    }

    /// Puts like men in order.
    #[inline(always)]
    pub(super) fn ordered(&self, squares: Squares) -> Squares {
        if self.has_like { self.sorted(squares) } else { squares }
    }

    fn sorted(&self, mut squares: Squares) -> Squares {
        for slot in self.exchanges.iter() {
            squares = squares.ordered(slot - 1, slot);
        }
        squares
    }

    /// The position written as it is always written: like men in order, and the stronger side to
    /// move where both have the same.
    #[inline(always)]
    pub(super) fn settled(&self, position: Position) -> Position {
        if self.is_plain { position } else { self.settled_closely(position) }
    }

    #[inline(never)]
    fn settled_closely(&self, position: Position) -> Position {
        let position = if self.is_symmetric && position.side() == 1 {
            position.with_sides_exchanged()
        } else {
            position
        };
        position.with_squares(self.ordered(position.squares()))
    }

    /// The change of positions by a capture or promotion; `None` where there is no such ending.
    #[inline(always)]
    pub(super) fn change(&self, change: Move) -> Option<&Change> {
        let Move { slot, captured, promoted, .. } = change;
        match promoted {
            None => self.changes[captured][NOBODY][0].as_ref(),
            Some(kind) => self.changes[captured][slot][kind as usize - 1].as_ref(),
        }
    }

    /// The position after a capture or promotion; still to be
    /// [`settled`](Ending::settled) in the ending that it belongs to. `None` where there is no such
    /// ending.
    pub(super) fn leave(&self, position: Position, change: Move) -> Option<Position> {
        let Move { slot, to, .. } = change;
        let change = self.change(change)?;
        let squares = change.squares(position.squares().with(slot, to));
        let side = (1 - position.side()) ^ usize::from(change.exchanges);
        let exchanged = position.is_exchanged() ^ change.exchanges;
        Some(Position::new(squares, change.ending, side as u8, exchanged))
    }

    /// The position of these men, which the ending's material consists of: each with its side and
    /// kind, in any order.
    pub(super) fn placed(&self, men: &[(usize, Kind, u8)]) -> Squares {
        let mut squares = Squares::NONE;
        for &(side, kind, square) in men {
            let free = |&slot: &usize| {
                self.kinds[slot] == kind
                    && self.side_of(slot) == side
                    && squares.of(slot) == NOWHERE
            };
            if let Some(slot) = (0..self.men).find(free) {
                squares = squares.with(slot, square);
            }
        }
        self.ordered(squares)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending(text: &str) -> Ending {
        Ending::new(Material::parse(text).unwrap(), 0)
    }

    #[test]
    fn captures_and_promotions_lead_to_these_endings() {
        for (text, expected) in [
            ("KvK", ""),
            ("KQvK", "KvK"),
            ("KQvKR", "KQvK KRvK"),
            ("KPvK", "KvK KQvK KRvK KBvK KNvK"),
            ("KRvKP", "KPvK KRvK KQvKR KRvKR KRvKB KRvKN KQvK KBvK KNvK"),
        ] {
            let mut names: Vec<String> =
                ending(text).successors().iter().map(Material::to_string).collect();
            let mut expected: Vec<String> =
                expected.split_whitespace().map(str::to_owned).collect();
            names.sort();
            names.dedup();
            expected.sort();
            assert_eq!(names, expected, "{text}");
        }
    }

    #[test]
    fn like_men_stand_in_ascending_order() {
        let three = ending("KRRRvK");
        let [king, other] = [(0, Kind::King, 3), (1, Kind::King, 60)];
        for squares in [[9, 20, 31], [9, 31, 20], [20, 9, 31], [31, 20, 9], [31, 9, 20]] {
            let rooks = squares.map(|square| (0, Kind::Rook, square));
            let placed = three.placed(&[rooks[0], king, rooks[1], other, rooks[2]]);
            assert_eq!(placed.all(), [3, 60, 9, 20, 31]);
        }
    }
}
