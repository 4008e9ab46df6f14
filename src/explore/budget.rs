//! The limits of a search: states, memory for them, and memory for their recorded moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use crate::error::BrokenLaw;
use crate::numbering::discovered::KeyRoom;
use crate::runtime::progress::Progress;

/// Why states were not inserted.
pub(super) enum Refused {
    /// There are more states than allowed.
    States,
    /// The game ended the search while it prepared answers.
    Unprepared,
    /// The states take more memory than allowed: this number of bytes.
    Memory(u64),
    /// The system does not provide the memory: this number of bytes.
    OutOfMemory(u64),
    /// There are more states than can have an index.
    TooMany,
    /// A state does not fit into its encoding, or a move leads to a tier that its own does not announce.
    Broken(BrokenLaw),
}

/// The states and bytes that all shards with this budget have taken, and the limits of both.
pub(super) struct Budget {
    states: AtomicU64,
    most_states: u64,
    /// Threads note their changes one after the other, so that the sum may be negative for a moment.
    bytes: AtomicI64,
    most_bytes: u64,
    /// The bytes that recorded moves take, and their limit.
    recorded: AtomicU64,
    most_recorded: u64,
    /// The room of states that are put in order.
    room: KeyRoom,
    /// Whether states can be in scratch files.
    can_be_in_files: bool,
    /// How many states of this process there will be, if plies keep shrinking; 0 if that is not known.
    expected: AtomicU64,
}

impl Budget {
    /// A budget for this many states and bytes, and for bytes of recorded moves. `can_be_in_files`: whether
    /// states can be in the files of the room.
    pub(super) fn new(
        [most_states, most_bytes]: [Option<u64>; 2],
        most_recorded: u64,
        room: KeyRoom,
        can_be_in_files: bool,
    ) -> Arc<Budget> {
        Arc::new(Budget {
            states: AtomicU64::new(0),
            most_states: most_states.unwrap_or(u64::MAX),
            bytes: AtomicI64::new(0),
            most_bytes: most_bytes.unwrap_or(u64::MAX),
            recorded: AtomicU64::new(0),
            most_recorded,
            room,
            can_be_in_files,
            expected: AtomicU64::new(0),
        })
    }

    /// Takes memory for recorded moves, if there is enough besides the states.
    pub(super) fn may_record(&self, bytes: u64) -> bool {
        let recorded = self.recorded.fetch_add(bytes, Ordering::Relaxed) + bytes;
        recorded <= self.most_recorded && !self.is_crowded()
    }

    /// Whether the states need the memory of recorded moves. Recorded moves take at most a quarter.
    /// Until the next check, states may take another eighth.
    pub(super) fn is_crowded(&self) -> bool {
        self.taken() > self.most_bytes / 8 * 5
    }

    /// Whether states could be in scratch files, for which there is no folder.
    pub(super) fn may_go_to_files(&self) -> bool {
        self.can_be_in_files && self.room.files.is_none()
    }

    /// The room of states that are put in order.
    pub(super) fn room(&self) -> &KeyRoom {
        &self.room
    }

    /// The report of a search with `expanded` states in all, and `elsewhere` states of other
    /// processes.
    pub(super) fn exploring(&self, expanded: u64, elsewhere: u64) -> Progress {
        let memory = self.taken();
        let allowed = (self.most_bytes < u64::MAX).then_some(self.most_bytes);
        Progress::Exploring { expanded, discovered: elsewhere + self.states(), memory, allowed }
    }

    /// Notes the states of the last ply that is expanded and of the next one, and of all so far. This process
    /// has `own` of the `discovered` states, and is taken to have this share of those to come.
    pub(super) fn note_ply(&self, [last, next, all]: [u64; 3], [own, discovered]: [u64; 2]) {
        // If each ply has at most this share of the one before, the rest is a geometric series.
        let rest = u128::from(next) * u128::from(next);
        let rest = last.checked_sub(next).and_then(|fewer| rest.checked_div(fewer.into()));
        let expected = rest.map_or(0, |rest| u128::from(all).saturating_add(rest));
        let expected = expected.saturating_mul(own.into()).checked_div(discovered.into());
        let expected = expected.unwrap_or(0);
        self.expected.store(u64::try_from(expected).unwrap_or(0), Ordering::Relaxed);
    }

    /// The memory that all states may take, if those known take `needed` bytes. `None` if plies still
    /// grow.
    pub(super) fn expected(&self, needed: u64) -> Option<u64> {
        let (expected, states) = (self.expected.load(Ordering::Relaxed), self.states());
        let bytes = u128::from(needed) * u128::from(expected.max(states));
        let bytes = bytes.checked_div(states.into()).filter(|_| expected > 0)?;
        u64::try_from(bytes).ok()
    }

    /// The number of discovered states.
    pub(super) fn states(&self) -> u64 {
        self.states.load(Ordering::Relaxed)
    }

    /// Counts more states. Refuses more than are allowed.
    pub(super) fn add_states(&self, more: u64) -> Result<(), Refused> {
        let states = self.states.fetch_add(more, Ordering::Relaxed) + more;
        if states > self.most_states { Err(Refused::States) } else { Ok(()) }
    }

    /// The memory taken, in bytes.
    pub(super) fn taken(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed).max(0).cast_unsigned()
    }

    /// Takes memory, or refuses to.
    pub(super) fn take(&self, bytes: u64) -> Result<(), Refused> {
        let before = self.bytes.fetch_add(bytes.cast_signed(), Ordering::Relaxed);
        let taken = before.saturating_add_unsigned(bytes).max(0).cast_unsigned();
        if taken > self.most_bytes { Err(Refused::Memory(taken)) } else { Ok(()) }
    }

    /// Takes memory for states in order, or refuses to. They go into files once it is short.
    pub(super) fn take_in_order(&self, bytes: u64) -> Result<(), Refused> {
        if let Some(files) = &self.room.files {
            files.note(self.taken().saturating_add(bytes));
        }
        self.take(bytes)
    }

    /// Whether the memory is so tight that the memory the allocator keeps of growing lists matters.
    pub(super) fn is_tight(&self) -> bool {
        self.taken() > self.most_bytes / 8
    }

    pub(super) fn give_back(&self, bytes: u64) {
        self.bytes.fetch_sub(bytes.cast_signed(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_counts_on_its_share_of_the_states_to_come() {
        let budget = Budget::new([None; 2], 0, KeyRoom::default(), false);
        assert!(budget.add_states(600).is_ok());
        assert_eq!(budget.expected(6_000), None, "no ply is complete");
        // After 1,000 states and plies of 400 and 200, some 200 more are to come: 100, 50 and so on.
        budget.note_ply([400, 200, 1_000], [600, 1_000]);
        assert_eq!(budget.expected(6_000), Some(7_200));
        budget.note_ply([400, 200, 1_000], [1_000, 1_000]);
        assert_eq!(budget.expected(6_000), Some(12_000));
        budget.note_ply([200, 200, 1_000], [600, 1_000]);
        assert_eq!(budget.expected(6_000), None, "plies do not shrink");
    }
}
