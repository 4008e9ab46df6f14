//! The moves of states, recorded while the states are discovered, so that the rules are asked once.
//!
//! A search asks each state for its end and its moves. What it hears goes into a log: of each state where play
//! is over its value, and of each other state its successors. In one process a [`MoveLog`] has these by the
//! places where the search found them. Once all states are found and sorted, [`IndexedMoves`] turns the places
//! into indices. Several processes that share the states have a [`KeyedLog`] each, which knows successors by
//! their keys. Once the states are shared out, each has the [`KeyedMoves`] of its own window.

mod keyed;
mod log;
mod recorded;
mod shared;

use std::sync::Arc;

use crate::explore::shards::Budget;
use crate::game::Player;
use crate::runtime::peers::SEVERAL;
use crate::value::Value;
pub(super) use keyed::KeyedLog;
use keyed::KeyedWriter;
pub(super) use log::{LogWriter, MoveLog, NO_SLOT, Number};
pub(crate) use recorded::{IndexedMoves, Movers, Places, Said};
pub(crate) use shared::KeyedMoves;

/// What a search recorded.
pub(super) enum Log {
    /// By the places where states were found.
    Numbered(MoveLog),
    /// By keys, since several processes share the states.
    Keyed(KeyedLog),
}

impl Log {
    /// The log of these writers; `None` if one has given up, or there are none.
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
    /// As [`Log::Numbered`] has them.
    Numbered(LogWriter),
    /// As [`Log::Keyed`] has them.
    Keyed(KeyedWriter),
}

impl Writer {
    /// A writer that takes its memory from a budget. `key_width` tells how many bytes a key takes, where several
    /// processes share the states.
    pub(super) fn new(budget: &Arc<Budget>, key_width: Option<usize>) -> Writer {
        match key_width {
            None => Writer::Numbered(LogWriter::new(budget)),
            Some(width) => Writer::Keyed(KeyedWriter::new(width, budget)),
        }
    }

    /// Whether something is lacking, for want of memory or of numbers.
    pub(super) fn has_given_up(&self) -> bool {
        match self {
            Writer::Numbered(writer) => writer.has_given_up(),
            Writer::Keyed(writer) => writer.has_given_up(),
        }
    }

    /// The writer, if it has the numbers of successors filled in later.
    #[inline]
    pub(super) fn numbered(&mut self) -> Option<&mut LogWriter> {
        match self {
            Writer::Numbered(writer) => Some(writer),
            Writer::Keyed(_) => None,
        }
    }

    /// Begins the record of a state, which has this number, and this key where several processes share
    /// the states.
    #[inline]
    pub(super) fn begin(&mut self, number: Option<Number>, key: impl FnOnce() -> u128) {
        match self {
            Writer::Numbered(writer) => writer.begin(number),
            Writer::Keyed(writer) if SEVERAL => writer.begin(key()),
            Writer::Keyed(_) => {}
        }
    }

    /// Adds a move to the state of a key in a set; returns the slot for the number of that state, if it is to
    /// have one.
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

/// What a search heard of the states of a tier, or of a whole game: of all, or of those of the own window.
pub(crate) enum RecordedMoves {
    /// Successors have indices.
    Indexed(IndexedMoves),
    /// Successors have keys, since several processes share the states.
    Keyed(KeyedMoves),
}

impl RecordedMoves {
    /// How many states there are.
    pub(crate) fn len(&self) -> u64 {
        match self {
            RecordedMoves::Indexed(moves) => moves.len(),
            RecordedMoves::Keyed(moves) => moves.len(),
        }
    }

    /// How many moves there are, repeated ones and those to other tiers included. Of several processes that
    /// share the states each has the same share.
    pub(crate) fn moves(&self) -> u64 {
        match self {
            RecordedMoves::Indexed(moves) => moves.moves(),
            RecordedMoves::Keyed(moves) => moves.moves(),
        }
    }

    /// How many states have moves to other tiers, those of other processes included.
    pub(crate) fn with_exits(&self) -> u64 {
        match self {
            RecordedMoves::Indexed(moves) => moves.with_exits(),
            RecordedMoves::Keyed(moves) => moves.with_exits(),
        }
    }

    /// How many bytes of memory all of it takes.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            RecordedMoves::Indexed(moves) => moves.bytes(),
            RecordedMoves::Keyed(moves) => moves.bytes(),
        }
    }

    /// Whether so many bytes have room for all of it and for the reverse edges that it becomes.
    pub(crate) fn fits(&self, bytes: u64) -> bool {
        let edges = self.len().saturating_add(self.moves()).saturating_mul(4);
        self.bytes().saturating_add(edges).saturating_add(edges / 8) <= bytes
    }

    /// The indices of the states by the numbers that moves from other tiers have, where they have numbers.
    pub(crate) fn places(&self) -> Option<&Arc<Places>> {
        match self {
            RecordedMoves::Indexed(moves) => Some(moves.places()),
            RecordedMoves::Keyed(_) => None,
        }
    }

    /// Has moves to other tiers followed: `places_of` gives the places of a tier. Returns whether all are
    /// there.
    pub(crate) fn follow(&mut self, places_of: impl FnMut(usize) -> Option<Arc<Places>>) -> bool {
        match self {
            RecordedMoves::Indexed(moves) => moves.follow(places_of),
            RecordedMoves::Keyed(_) => true,
        }
    }

    /// Who is to move in each state. The moves are dropped.
    pub(crate) fn into_movers(self) -> Movers {
        match self {
            RecordedMoves::Indexed(moves) => moves.into_movers(),
            RecordedMoves::Keyed(moves) => moves.into_movers(),
        }
    }
}
