//! The squares where a man leaves a king safe, and the steps of men that leap and slide.
//!
//! A step forward must leave the own king safe. A step backward must leave the other king safe, since it
//! is not that side's turn before.

use super::ending::Ending;
use super::numbering::{MOST_MEN, NOWHERE, Squares};
use super::tables::{Bits, Reach, Tables};

/// The steps of some men, as sets of squares by the men's places.
pub(super) type Steps<S> = [S; MOST_MEN];

/// The kings that a step must leave safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Safe {
    /// That of this side.
    Of(usize),
    Both,
}

impl Safe {
    pub(super) fn sides(self) -> &'static [usize] {
        match self {
            Safe::Of(0) => &[0],
            Safe::Of(_) => &[1],
            Safe::Both => &[0, 1],
        }
    }
}

/// Men on a board.
struct Placed<'a, S> {
    tables: &'a Tables<S>,
    ending: &'a Ending,
    squares: &'a Squares,
    occupied: S,
}

impl<S: Bits> Placed<'_, S> {
    /// The tables of the man in a place, in an ending all of whose men have some.
    #[inline(always)]
    fn reach(&self, place: usize) -> Option<&Reach<S>> {
        self.tables.reach(self.ending.kinds[place], self.ending.side_of(place))
    }

    /// The squares that others hide, seen from a square.
    #[inline(always)]
    fn hidden(&self, reach: &Reach<S>, from: u8, others: &Squares) -> S {
        if !reach.rides {
            return S::default();
        }
        let lines = self.tables.lines(reach);
        others.iter().fold(S::default(), |hidden, &man| hidden | lines.hidden(from, man))
    }

    /// The other men's squares.
    #[inline(always)]
    fn without(&self, place: usize) -> Squares {
        let mut others = *self.squares;
        others[place] = NOWHERE;
        others
    }

    /// The squares where the man in a place leaves the king of a side safe, whether it stands somewhere
    /// now or nowhere.
    #[inline(always)]
    fn safe(&self, place: usize, side: usize) -> S {
        let (ending, all) = (self.ending, !S::default());
        let Some(king) = ending.kings[side] else { return all };
        let attackers = ending.places(1 - side);
        if place == king {
            let others = self.without(king);
            let attacked = attackers.fold(S::default(), |attacked, other| {
                let Some(reach) = self.reach(other) else { return attacked };
                let from = self.squares[other];
                match reach.attacks.of(from) {
                    reached if reached == S::default() => attacked,
                    reached => attacked | reached & !self.hidden(reach, from, &others),
                }
            });
            return !attacked;
        }
        let king = self.squares[king];
        let others = self.occupied & !S::bit(self.squares[place]);
        let mut safe = all;
        for other in attackers.clone().filter(|&other| other != place) {
            let Some(reach) = self.reach(other) else { continue };
            let from = self.squares[other];
            if reach.attacks.of(from) & S::bit(king) != S::default() {
                let line = self.tables.lines(reach).between(from, king);
                if line & others == S::default() {
                    safe &= line;
                }
            }
        }
        if attackers.contains(&place)
            && let Some(reach) = self.reach(place)
        {
            let hidden = self.hidden(reach, king, &self.without(place));
            safe &= !(reach.attacked_from.of(king) & !hidden);
        }
        safe
    }
}

impl<S: Bits> Tables<S> {
    #[inline(always)]
    fn placed<'a>(&'a self, ending: &'a Ending, squares: &'a Squares) -> Placed<'a, S> {
        let occupied = squares.iter().fold(S::default(), |set, &square| set | S::bit(square));
        Placed { tables: self, ending, squares, occupied }
    }

    /// The steps of a side's men, forward or backward.
    #[inline(never)]
    pub(super) fn steps(
        &self,
        ending: &Ending,
        squares: &Squares,
        moved: usize,
        back: bool,
        safe: Safe,
    ) -> Steps<S> {
        let placed = self.placed(ending, squares);
        let mut steps = [S::default(); MOST_MEN];
        for place in ending.places(moved) {
            let Some(reach) = placed.reach(place) else { continue };
            let from = squares[place];
            let table = if back { &reach.steps_back } else { &reach.steps };
            let mut to = table.of(from) & !placed.occupied;
            to &= !placed.hidden(reach, from, squares);
            for &side in safe.sides() {
                to &= placed.safe(place, side);
            }
            steps[place] = to;
        }
        steps
    }

    /// The men that each man of a side attacks.
    #[inline(never)]
    pub(super) fn captures(&self, ending: &Ending, squares: &Squares, side: usize) -> Steps<S> {
        let others = &squares[ending.places(1 - side)];
        let others = others.iter().fold(S::default(), |set, &square| set | S::bit(square));
        let placed = self.placed(ending, squares);
        let mut captures = [S::default(); MOST_MEN];
        for place in ending.places(side) {
            let Some(reach) = placed.reach(place) else { continue };
            let reached = reach.attacks.of(squares[place]) & others;
            if reached != S::default() {
                captures[place] = reached & !placed.hidden(reach, squares[place], squares);
            }
        }
        captures
    }

    /// The free squares where one more man leaves kings safe. It stands nowhere yet.
    #[inline(never)]
    pub(super) fn room(&self, ending: &Ending, squares: &Squares, man: usize, safe: Safe) -> S {
        let placed = self.placed(ending, squares);
        let free = safe.sides().iter().map(|&side| placed.safe(man, side));
        free.fold(!placed.occupied, |free, safe| free & safe)
    }

    /// Whether the king of a side can be captured.
    #[inline(never)]
    pub(super) fn in_check(&self, ending: &Ending, squares: &Squares, side: usize) -> bool {
        let Some(king) = ending.kings[side].map(|place| squares[place]) else { return false };
        let placed = self.placed(ending, squares);
        ending.places(1 - side).any(|place| {
            placed.reach(place).is_some_and(|reach| {
                reach.attacks.of(squares[place]) & S::bit(king) != S::default()
                    && self.lines(reach).between(squares[place], king) & placed.occupied
                        == S::default()
            })
        })
    }
}
