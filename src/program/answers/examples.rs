//! Searches a table for positions of a kind.

use std::cell::Cell;
use std::cmp::Ordering;
use std::ops::Range;

use crate::game::value::{DecidedBy, Value, Verdict};
use crate::program::answers::IsLate;
use crate::program::answers::position::Position;

/// A search asks whether it is late once in this number of values.
const BETWEEN_LOOKS: u32 = 256;

/// With a seed, a search begins at this number of places for each position that is wanted.
const TRIES: u64 = 4;

/// The kind of positions that are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    LongestWin,
    LongestLoss,
    Win,
    Loss,
    Draw,
    Endless,
    OnlyMove,
    LostForBoth,
}

impl Kind {
    const ALL: [(Kind, &str); 8] = [
        (Kind::LongestWin, "longest-win"),
        (Kind::LongestLoss, "longest-loss"),
        (Kind::Win, "win"),
        (Kind::Loss, "loss"),
        (Kind::Draw, "draw"),
        (Kind::Endless, "endless"),
        (Kind::OnlyMove, "only-move"),
        (Kind::LostForBoth, "lost-for-both"),
    ];

    /// The names of all kinds, the usual one first.
    pub(crate) const NAMES: [&str; Kind::ALL.len()] = {
        let mut names = [""; Kind::ALL.len()];
        let mut at = 0;
        while at < names.len() {
            names[at] = Kind::ALL[at].1;
            at += 1;
        }
        names
    };

    /// The kind of this name.
    pub(crate) fn named(name: &str) -> Option<Kind> {
        Kind::ALL.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind)
    }

    /// Whether positions of this kind can be requested at one distance. The longest wins and losses
    /// have their own distance, and draws have none.
    pub(crate) fn has_plies(self) -> bool {
        matches!(self, Kind::Win | Kind::Loss | Kind::OnlyMove | Kind::LostForBoth)
    }

    pub(crate) fn name(self) -> &'static str {
        Kind::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }
}

/// A search for positions.
pub(crate) struct Search<'s> {
    pub(crate) kind: Kind,
    /// The requested distance; for the longest wins and losses, their distance.
    pub(crate) plies: Option<u32>,
    /// In a game with points, the requested worth for the player to move.
    pub(crate) points: Option<i16>,
    pub(crate) tier: Option<&'s str>,
    /// The number of positions that are enough.
    pub(crate) count: usize,
    /// The first index to check.
    pub(crate) from: u64,
    /// Takes positions from all over the table, other ones for each seed.
    pub(crate) seed: Option<u64>,
    /// Whether the time is over, or nobody waits for the answer any more.
    pub(crate) is_over: IsLate<'s>,
    /// The number of calls of [`is_late`](Search::is_late).
    pub(crate) ticks: Cell<u32>,
    pub(crate) late: Cell<bool>,
}

impl Search<'_> {
    /// The ranges to search in these pieces of the indices, in order, and the number of positions that
    /// are enough in each.
    ///
    /// With a seed, they begin at points that lie evenly in the indices, as multiples of the golden ratio
    /// do, and each is for one position.
    pub(crate) fn ranges(&self, pieces: &[Range<u64>]) -> Vec<(Range<u64>, usize)> {
        let length: u64 = pieces.iter().map(|piece| piece.end - piece.start).sum();
        let Some(seed) = self.seed else {
            let rest = |piece: &Range<u64>| piece.start.max(self.from)..piece.end;
            return pieces.iter().map(|piece| (rest(piece), self.count)).collect();
        };
        /// The fraction of the golden ratio, times 2^64.
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        let tries = TRIES * self.count as u64;
        let reach = (length / self.count as u64).max(1);
        let first = seed.wrapping_mul(GOLDEN).rotate_left(32).wrapping_mul(GOLDEN);
        let range = |at: u64| {
            let fraction = first.wrapping_add(at.wrapping_mul(GOLDEN));
            let mut before = ((u128::from(fraction) * u128::from(length)) >> 64) as u64;
            for piece in pieces {
                let length = piece.end - piece.start;
                if before < length {
                    let begin = piece.start + before;
                    return Some(begin..begin.saturating_add(reach).min(piece.end));
                }
                before -= length;
            }
            None
        };
        (0..tries).filter_map(range).map(|range| (range, 1)).collect()
    }

    /// Whether the search must end.
    pub(crate) fn is_late(&self) -> bool {
        let ticks = self.ticks.get().wrapping_add(1);
        self.ticks.set(ticks);
        if ticks.is_multiple_of(BETWEEN_LOOKS) && !self.late.get() {
            self.late.set((self.is_over)());
        }
        self.late.get()
    }

    /// Whether only a table with distances has the answer.
    pub(crate) fn needs_distances(&self) -> bool {
        self.plies.is_some() || matches!(self.kind, Kind::LongestWin | Kind::LongestLoss)
    }

    /// Whether a position of this value may be wanted.
    pub(crate) fn wants(&self, value: Value) -> bool {
        let at_distance = |plies| self.plies.is_none_or(|wanted| wanted == plies);
        if self.points.is_some_and(|points| points != value.points()) {
            return false;
        }
        if let Value::Points { points, plies } = value {
            return match self.kind {
                Kind::LongestWin | Kind::Win | Kind::OnlyMove => points > 0 && at_distance(plies),
                Kind::LongestLoss | Kind::Loss | Kind::LostForBoth => {
                    points < 0 && at_distance(plies)
                }
                Kind::Draw => points == 0,
                Kind::Endless => false,
            };
        }
        match (self.kind, value) {
            (Kind::LongestWin | Kind::Win | Kind::OnlyMove, Value::Win(plies))
            | (Kind::LongestLoss | Kind::Loss | Kind::LostForBoth, Value::Loss(plies)) => {
                at_distance(plies)
            }
            (Kind::Draw, Value::Draw(_)) => true,
            (Kind::Draw | Kind::Endless, Value::Endless) => true,
            _ => false,
        }
    }

    /// Whether a position with this outcome for its player to move is wanted, under the rules of
    /// the game.
    pub(crate) fn suits(&self, outcome: Ordering, verdict: Verdict) -> bool {
        match self.kind {
            Kind::LongestWin | Kind::Win | Kind::OnlyMove => {
                outcome.is_gt() && verdict.decided_by == DecidedBy::Play
            }
            Kind::LongestLoss | Kind::Loss | Kind::LostForBoth => {
                outcome.is_lt() && verdict.decided_by == DecidedBy::Play
            }
            Kind::Draw => outcome.is_eq(),
            Kind::Endless => verdict.decided_by == DecidedBy::Endless,
        }
    }
}

/// The result of a search.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) positions: Vec<Position>,
    /// The first unchecked index, if the search did not reach the end.
    pub(crate) stopped_at: Option<u64>,
    /// Whether the search ended before its time was over.
    pub(crate) is_complete: bool,
}
