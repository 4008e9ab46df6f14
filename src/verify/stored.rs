//! Stored values in memory, and what their codes mean to each player.
//!
//! A code is looked up in tables that were computed once, so that the hot loops compare numbers. Every code
//! in memory is one that its palette has: loading made sure of that.

use crate::game::Player;
use crate::table::loaded::Code;
use crate::value::Value;
use crate::verify::rank::{Preference, Rank};
use crate::verify::source::ValueSource;

/// What codes stand for, by code.
pub(crate) struct CodeTables {
    /// The value; `None` for a hole.
    values: Vec<Option<Value>>,
    /// For each player who has a move: the rank of a successor where the other player is to move, and where the
    /// same player is.
    pub(crate) ranks: [Vec<[Rank; 2]>; 2],
    /// For each player who is to move: the rank that the best successor needs to have.
    needed: [Vec<Rank>; 2],
}

impl CodeTables {
    /// What the codes with this palette stand for.
    pub(crate) fn new(palette: &[u16], preferences: [Preference; 2]) -> CodeTables {
        let value = |&packed: &u16| Value::unpack(packed).ok().flatten();
        let values: Vec<Option<Value>> = palette.iter().map(value).collect();
        let ranks = preferences.map(|preference| {
            let rank = |&value: &Option<Value>| match value {
                Some(value) => [false, true].map(|same| preference.rank(value, same)),
                None => [Rank::UNKNOWN; 2],
            };
            values.iter().map(rank).collect()
        });
        let needed = preferences.map(|preference| {
            let needed = |value: &Option<Value>| {
                value.map_or(Rank::IMPOSSIBLE, |value| preference.needed(value))
            };
            values.iter().map(needed).collect()
        });
        CodeTables { values, ranks, needed }
    }
}

/// The stored values of indices from a first one on.
#[derive(Clone, Copy)]
pub(crate) struct StoredValues<'v, C> {
    pub(crate) first: u64,
    pub(crate) codes: &'v [C],
    pub(crate) tables: &'v CodeTables,
}

impl<C: Code> StoredValues<'_, C> {
    /// The value of an index, and the rank that the best successor of its state needs to have.
    #[inline]
    pub(crate) fn value(self, index: u64, mover: Player) -> (Option<Value>, Rank) {
        match self.codes.code(index.wrapping_sub(self.first)) {
            Some(code) => (self.tables.values[code], self.tables.needed[mover.index()][code]),
            None => (None, Rank::IMPOSSIBLE),
        }
    }
}
