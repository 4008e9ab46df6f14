//! The ranks of a state's successors, for the player who chooses among them.
//!
//! The values of successors come from a [`ValueSource`]: all values of a table in memory, or some
//! of them. Values from outside the table come from its numbering.

use std::ops::Range;

use crate::game::value::Value;
use crate::game::{Game, Player};
use crate::numbering::Numbering;
use crate::verify::bounds::Bounds;
use crate::verify::rank::{Preference, Rank};
use crate::verify::source::ValueSource;
use crate::verify::stored::CodeTables;

/// The ranks of values, for both players.
pub(crate) struct Ranks<'r> {
    /// The number of indices of the table.
    len: u64,
    tables: &'r CodeTables,
    pub(crate) bounds: Bounds,
    /// For each player who has a move: the best rank that an exit can have.
    exits: [Rank; 2],
}

impl<'r> Ranks<'r> {
    /// The ranks of the values of a table. The bounds of runs take at most `most_bytes`.
    pub(crate) fn new<N: Numbering>(
        tables: &'r CodeTables,
        preferences: [Preference; 2],
        numbering: &N,
        most_bytes: u64,
    ) -> Ranks<'r> {
        // With points, a move's gain is added to the exit's value, so the best outside value bounds nothing.
        let outside = if N::Game::POINTS { None } else { numbering.outside_values() };
        let exits = exit_ranks(preferences, outside.as_deref());
        let len = numbering.len();
        Ranks { len, tables, bounds: Bounds::new(numbering.run_len(), len, most_bytes), exits }
    }

    /// Whether runs have bounds.
    #[inline]
    pub(crate) fn has_bounds(&self) -> bool {
        !self.bounds.is_empty()
    }

    /// The ranks for the player who chooses, with values from `source`. Exits count only
    /// `with_exits`.
    #[inline]
    pub(crate) fn successors<V>(
        &self,
        chooser: Player,
        source: V,
        with_exits: bool,
    ) -> Successors<'_, V> {
        let player = chooser.index();
        let Ranks { len, tables, bounds, .. } = self;
        let exits = with_exits.then_some(self.exits[player]);
        Successors { chooser, len: *len, source, ranks: &tables.ranks[player], bounds, exits }
    }
}

/// For each player who has a move, by these preferences: the best rank of these values outside a table.
/// Compiled once for all games.
fn exit_ranks(preferences: [Preference; 2], outside: Option<&[Value]>) -> [Rank; 2] {
    preferences.map(|preference| {
        let Some(outside) = outside else { return Rank::UNKNOWN };
        let ranks = |&value: &Value| [false, true].map(|same| preference.rank(value, same));
        outside.iter().flat_map(ranks).max().unwrap_or(Rank::NONE)
    })
}

/// The ranks of successors for one player.
pub(crate) struct Successors<'s, V> {
    pub(crate) chooser: Player,
    len: u64,
    source: V,
    ranks: &'s [[Rank; 2]],
    bounds: &'s Bounds,
    exits: Option<Rank>,
}

impl<V: ValueSource> Successors<'_, V> {
    /// Whether exits count. Visiting them once is enough, even if the others are visited
    /// repeatedly.
    #[inline]
    pub(crate) fn has_exits(&self) -> bool {
        self.exits.is_some()
    }

    /// Tells the processor that the value of this index is going to be looked up.
    #[inline]
    pub(crate) fn prefetch(&self, index: u64) {
        self.source.prefetch(index);
    }

    /// The rank of the successor at this index: [`Rank::NONE`] if its value is not in memory, and
    /// [`Rank::UNKNOWN`] if the table has no such index.
    #[inline]
    pub(crate) fn rank(&self, index: u64, same_mover: bool) -> Rank {
        match self.source.code(index) {
            Some(code) => self.ranks[code][usize::from(same_mover)],
            None if index >= self.len => Rank::UNKNOWN,
            None => Rank::NONE,
        }
    }

    /// Whether a successor in the run of this index may have a better rank than this.
    #[inline]
    pub(crate) fn may_exceed(&self, best: Rank, index: u64, same_mover: bool) -> bool {
        let Some(bound) = self.bounds.of(index, self.chooser, same_mover) else {
            return self.bounds.is_empty() || index >= self.len;
        };
        // The first successor always matters: a visit may find that its value is not in memory.
        if best == Rank::NONE {
            return true;
        }
        if !bound.is_known() {
            match self.best_in(bound.run.clone(), same_mover) {
                Some(best) => bound.set(best),
                None => return true,
            }
        }
        !bound.is_at_most(best)
    }

    /// The best rank in a run, if its values are in memory.
    #[cold]
    fn best_in(&self, run: Range<u64>, same_mover: bool) -> Option<Rank> {
        let run = run.start..self.len.min(run.end);
        self.source.best(run, |code| self.ranks[code][usize::from(same_mover)])
    }

    /// Whether an exit may have a better rank than this.
    #[inline]
    pub(crate) fn exits_may_exceed(&self, best: Rank) -> bool {
        self.exits.is_some_and(|exits| best == Rank::NONE || exits > best)
    }
}
