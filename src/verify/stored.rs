//! Stored values in memory, and the meaning of their codes for each player.
//!
//! Codes are looked up in precomputed tables, so that the hot loops compare numbers. Loading has
//! checked that every code in memory is in its palette.

use crate::game::Player;
use crate::game::value::{Scale, Value};
use crate::table::loaded::Code;
use crate::verify::rank::{Preference, Rank};
use crate::verify::source::ValueSource;

/// The meaning of codes, by code.
pub(crate) struct CodeTables {
    /// The value; `None` for an unused index.
    values: Vec<Option<Value>>,
    /// For each player who has a move: the rank of a successor if the other player is to move
    /// there, and the rank if the same player is.
    pub(crate) ranks: [Vec<[Rank; 2]>; 2],
    /// For each player to move: the rank that the best successor must have.
    needed: [Vec<Rank>; 2],
}

impl CodeTables {
    /// The meaning of the codes with this palette.
    pub(crate) fn new(palette: &[u16], scale: Scale, preferences: [Preference; 2]) -> CodeTables {
        let value = |&packed: &u16| scale.unpack(packed).ok().flatten();
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
    /// The value of an index, and the rank that the best successor of its state must have.
    #[inline]
    pub(crate) fn value(self, index: u64, mover: Player) -> (Option<Value>, Rank) {
        match self.codes.code(index.wrapping_sub(self.first)) {
            Some(code) => (self.tables.values[code], self.tables.needed[mover.index()][code]),
            None => (None, Rank::IMPOSSIBLE),
        }
    }
}
