//! The moves of states, recorded while the states are discovered, so that the rules are asked once.
//!
//! A search asks each state for its end and its moves, and logs the answers: the value of each
//! state where play is over, and the successors of each other state. In one process, a [`MoveLog`]
//! stores successors by the places where the search found them. Once all states are found and
//! sorted, [`IndexedMoves`] maps the places to indices. Several processes that share the states
//! write a [`KeyedLog`] each, which stores successors by their keys. Once the states are divided,
//! each process holds the [`KeyedMoves`] of its window.

mod keyed;
mod log;
mod movers;
mod recorded;
mod shared;

use std::sync::Arc;

use crate::explore::budget::Budget;
use crate::game::Player;
use crate::game::value::Value;
use crate::runtime::peers::SEVERAL;
use keyed::KeyedWriter;
pub(super) use keyed::{KeyedLog, KeyedRecord};
pub(super) use log::{LogWriter, MoveLog, NO_SLOT, Number};
pub(crate) use movers::Movers;
pub(crate) use recorded::{IndexedMoves, Places, Said};
pub(crate) use shared::KeyedMoves;

/// The moves that a search recorded.
pub(super) enum Log {
    /// By the places where states were found.
    Numbered(MoveLog),
    /// By keys, since several processes share the states.
    Keyed(KeyedLog),
}

impl Log {
    /// The log of these writers; `None` if one has given up.
    pub(super) fn new(writers: Vec<Writer>) -> Option<Log> {
        let (mut numbered, mut keyed) = (Vec::new(), Vec::new());
        for writer in writers {
            match writer {
                Writer::Numbered(writer) => numbered.push(writer),
                Writer::Keyed(writer) => keyed.push(writer),
            }
        }
        if keyed.is_empty() {
            MoveLog::new(numbered).map(Log::Numbered)
        } else {
            KeyedLog::new(keyed).map(Log::Keyed)
        }
    }
}

/// Writes the records of one thread.
pub(super) enum Writer {
    /// For [`Log::Numbered`].
    Numbered(LogWriter),
    /// For [`Log::Keyed`].
    Keyed(KeyedWriter),
}

impl Writer {
    /// A writer that takes its memory from a budget. `key_width` is the size of a key in bytes, if
    /// several processes share the states.
    pub(super) fn new(budget: &Arc<Budget>, key_width: Option<usize>) -> Writer {
        match key_width {
            None => Writer::Numbered(LogWriter::new(budget)),
            Some(width) => Writer::Keyed(KeyedWriter::new(width, budget)),
        }
    }

    /// Whether a record is missing for lack of memory or of numbers.
    pub(super) fn has_given_up(&self) -> bool {
        match self {
            Writer::Numbered(writer) => writer.has_given_up(),
            Writer::Keyed(writer) => writer.has_given_up(),
        }
    }

    /// The writer, if the numbers of successors are filled in later.
    #[inline]
    pub(super) fn numbered(&mut self) -> Option<&mut LogWriter> {
        match self {
            Writer::Numbered(writer) => Some(writer),
            Writer::Keyed(_) => None,
        }
    }

    /// Begins the record of a state with this number, or with this key if several processes share
    /// the states.
    #[inline]
    pub(super) fn begin(&mut self, number: Option<Number>, key: impl FnOnce() -> u128) {
        match self {
            Writer::Numbered(writer) => writer.begin(number),
            Writer::Keyed(writer) if SEVERAL => writer.begin(key()),
            Writer::Keyed(_) => {}
        }
    }

    /// Adds a move to the state of a key in a set. Returns the slot for the number of that state,
    /// if it gets one.
    #[inline]
    pub(super) fn add(
        &mut self,
        set: usize,
        key: impl FnOnce() -> u128,
        same_mover: bool,
    ) -> Option<u32> {
        match self {
            Writer::Numbered(writer) => return Some(writer.add(set, same_mover)),
            Writer::Keyed(writer) if SEVERAL => writer.add(set, key(), same_mover),
            Writer::Keyed(_) => {}
        }
        None
    }

    /// Ends the record of a state with moves.
    #[inline]
    pub(super) fn open(&mut self, mover: Player) {
        match self {
            Writer::Numbered(writer) => writer.open(mover),
            Writer::Keyed(writer) => writer.open(mover),
        }
    }

    /// Ends the record of a state where play is over.
    pub(super) fn ended(&mut self, mover: Player, value: Value) {
        match self {
            Writer::Numbered(writer) => writer.ended(mover, value),
            Writer::Keyed(writer) => writer.ended(mover, value),
        }
    }

    /// Ends the record of a state for which the rules have to be asked again.
    pub(super) fn unclear(&mut self, mover: Player) {
        match self {
            Writer::Numbered(writer) => writer.unclear(mover),
            Writer::Keyed(writer) => writer.unclear(mover),
        }
    }
}

/// The recorded moves of a tier or a whole game: of all states, or of this process's window.
pub(crate) enum RecordedMoves {
    /// Successors have indices.
    Indexed(IndexedMoves),
    /// Successors have keys, since several processes share the states.
    Keyed(KeyedMoves),
}

impl RecordedMoves {
    /// The number of states.
    pub(crate) fn len(&self) -> u64 {
        match self {
            RecordedMoves::Indexed(moves) => moves.len(),
            RecordedMoves::Keyed(moves) => moves.len(),
        }
    }

    /// The number of moves, including repeated moves and moves to other tiers. If several processes
    /// share the states, each returns the mean of all processes.
    pub(crate) fn moves(&self) -> u64 {
        match self {
            RecordedMoves::Indexed(moves) => moves.moves(),
            RecordedMoves::Keyed(moves) => moves.moves(),
        }
    }

    /// The number of states with moves to other tiers, including the states of other processes.
    pub(crate) fn with_exits(&self) -> u64 {
        match self {
            RecordedMoves::Indexed(moves) => moves.with_exits(),
            RecordedMoves::Keyed(moves) => moves.with_exits(),
        }
    }

    /// The memory of the moves, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            RecordedMoves::Indexed(moves) => moves.bytes(),
            RecordedMoves::Keyed(moves) => moves.bytes(),
        }
    }

    /// Whether `bytes` have room for the moves and for the reverse edges made from them.
    pub(crate) fn fits(&self, bytes: u64) -> bool {
        let edges = self.len().saturating_add(self.moves()).saturating_mul(4);
        self.bytes().saturating_add(edges).saturating_add(edges / 8) <= bytes
    }

    /// The indices of the states by the numbers in moves from other tiers, if there are numbers.
    pub(crate) fn places(&self) -> Option<&Arc<Places>> {
        match self {
            RecordedMoves::Indexed(moves) => Some(moves.places()),
            RecordedMoves::Keyed(_) => None,
        }
    }

    /// Prepares following moves to other tiers: `places_of` returns the places of a tier. Returns
    /// whether all places are available.
    pub(crate) fn follow(&mut self, places_of: impl FnMut(usize) -> Option<Arc<Places>>) -> bool {
        match self {
            RecordedMoves::Indexed(moves) => moves.follow(places_of),
            RecordedMoves::Keyed(_) => true,
        }
    }

    /// The player to move in each state. The moves are dropped.
    pub(crate) fn into_movers(self) -> Movers {
        match self {
            RecordedMoves::Indexed(moves) => moves.into_movers(),
            RecordedMoves::Keyed(moves) => moves.into_movers(),
        }
    }
}
