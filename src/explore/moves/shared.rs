//! The recorded moves of states that several processes share, once the states are sorted and
//! divided.
//!
//! A process has recorded the moves of the states that it found. Each record travels to the process
//! whose window contains the state. This process finds the state among its own, and keeps the
//! record unchanged. Successors are found by their keys, as if the rules had provided them.

use crate::explore::moves::keyed::KeyedRecord;
use crate::explore::moves::{Movers, Said};
use crate::game::Player;
use crate::game::value::Scale;
use crate::runtime::memory::{Array, prefetch};

/// The recorded moves of the states of this process's window, with successors by their keys.
pub(crate) struct KeyedMoves {
    pub(in crate::explore) packets: Vec<Vec<u8>>,
    /// The record of each state of the window: the packet in the upper half, and one more than the
    /// place in the packet in the lower half. Zero means no record.
    pub(in crate::explore) records: Array<u64>,
    /// The size of a key in bytes.
    pub(in crate::explore) width: usize,
    /// The tier of each set to which moves lead. The first one is the tier of the states.
    pub(in crate::explore) tiers: Vec<usize>,
    pub(in crate::explore) movers: Movers,
    /// The mean number of moves in a window, and the number of states of all windows with moves to
    /// other tiers.
    pub(in crate::explore) moves: u64,
    pub(in crate::explore) with_exits: u64,
}

impl KeyedMoves {
    /// The number of states in the window.
    pub(crate) fn len(&self) -> u64 {
        self.records.len() as u64
    }

    /// The number of moves, including repeated moves and moves to other tiers: the mean of all
    /// processes.
    pub(crate) fn moves(&self) -> u64 {
        self.moves
    }

    /// The number of states of all processes with moves to other tiers.
    pub(crate) fn with_exits(&self) -> u64 {
        self.with_exits
    }

    /// The memory of the moves, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let packets: u64 = self.packets.iter().map(|packet| packet.capacity() as u64).sum();
        packets + self.len() * size_of::<u64>() as u64 + self.len() / 8
    }

    /// The player to move in each state. The moves are dropped.
    pub(crate) fn into_movers(self) -> Movers {
        self.movers
    }

    /// The player to move in the state of an index of the window.
    #[inline]
    pub(crate) fn mover(&self, index: u64) -> Player {
        self.movers.mover(index)
    }

    /// The packet of the record of an index of the window, and the record's place in it.
    #[inline]
    fn find(&self, index: u64) -> Option<(&[u8], usize)> {
        let place = index.checked_sub(self.movers.first())? as usize;
        let record = *self.records.get(place)?;
        let at = (record as u32).checked_sub(1)?;
        Some((self.packets.get((record >> 32) as usize)?, at as usize))
    }

    /// Prefetches the record of the state of an index.
    #[inline]
    pub(crate) fn prefetch(&self, index: u64) {
        if let Some((packet, at)) = self.find(index) {
            prefetch(packet, at);
        }
    }

    /// Visits the moves from the state of an index of the window: the tier and the key of each
    /// successor, and whether the same player is to move there. The tier is `None` for the tier of
    /// the state itself.
    #[inline]
    pub(crate) fn each_move(
        &self,
        index: u64,
        mut visit: impl FnMut(Option<usize>, u128, bool),
    ) -> Said {
        let record = self.find(index).and_then(|(packet, at)| packet.get(at..));
        let record = record.and_then(|record| KeyedRecord::read(record, self.width));
        let Some((record, _)) = record else { return Said::Nothing };
        if let Some(value) = record.head.ended() {
            let value = Scale::PLAIN.unpack(value).ok().flatten();
            return value.map_or(Said::Nothing, Said::Ended);
        }
        if record.head.is_unclear() {
            return Said::Nothing;
        }
        let mut is_known = true;
        let read = record.each_move(|set, key, same_mover| match self.tiers.get(set) {
            Some(&tier) => visit((set > 0).then_some(tier), key, same_mover),
            None => is_known = false,
        });
        if read.is_some() && is_known { Said::Open } else { Said::Nothing }
    }
}
