//! The ranks of a state's successors, for the player who chooses among them.
//!
//! The values of successors come from a [`ValueSource`]: all values of a table in memory, or some
//! of them. Values from outside the table come from its numbering.

use std::ops::Range;

use crate::game::{Game, Player};
use crate::numbering::Numbering;
use crate::value::Value;
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
        let len = numbering.len();
        // What moves gain is added to the values outside, so that these say little.
        let outside = numbering.outside_values().filter(|_| !N::Game::POINTS);
        let exits = preferences.map(|preference| {
            let ranks = |&value: &Value| [false, true].map(|same| preference.rank(value, same));
            let ranks = outside.iter().flatten().flat_map(ranks);
            if outside.is_some() { ranks.max().unwrap_or(Rank::NONE) } else { Rank::UNKNOWN }
        });
        Ranks { len, tables, bounds: Bounds::new(numbering.run_len(), len, most_bytes), exits }
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
