//! Every value against those of its successors, where neither all states nor what moves lead to
//! fits into memory.
//!
//! States are read some at a time, and the successors of as many as fit are looked up together, in the
//! order in which they lie in the files, so that each block of those is read once for them.

use std::ops::Range;

use crate::error::TableError;
use crate::game::Game;
use crate::notation::Notation;
use crate::runtime::pool::{CancellationToken, WorkerPool};
use crate::runtime::progress::OnProgress;
use crate::summary::Counts;
use crate::table::open::Tablebase;
use crate::table::storage::Storage;
use crate::value::Value;
use crate::verify::judge::Judge;
use crate::verify::lot::{Lot, STRETCH, ranges};
use crate::verify::worth::Worth;

/// What a table has to say of its states, and others of theirs, read from the files each time.
pub(crate) trait Source<G: Game>: Sync {
    /// Where a state lies, compared with others.
    type Place: Ord;

    /// What was read last.
    type Reader: Default;

    /// The state of a number of the table, or `None` for a hole; sure to be one that may stand there.
    fn state(&self, reader: &mut Self::Reader, number: u64)
    -> Result<Option<G::State>, TableError>;

    /// Where a state lies to which a move leads, if it may be in one of the files.
    fn place(&self, state: &G::State) -> Option<Self::Place>;

    /// The value of a state that lies there.
    fn value(
        &self,
        reader: &mut Self::Reader,
        place: &Self::Place,
    ) -> Result<Option<Value>, TableError>;
}

/// How many successors a state is supposed to have, where room is made for them.
const SUCCESSORS: u64 = 8;

/// How many pieces are shared out at a time.
const PIECES: u64 = 1 << 10;

/// The check of a table.
pub(crate) struct Batches<'b, G, D, S> {
    pub(crate) judge: Judge<'b, G, S>,
    pub(crate) source: D,
}

/// A successor that is going to be looked up.
struct Successor<P, State> {
    place: P,
    /// Which of the states has a move there.
    from: u32,
    state: State,
}

impl<G: Game + Notation, D: Source<G>, S: Storage + Sync> Batches<'_, G, D, S> {
    /// Checks all values in about so much memory, and counts them.
    pub(crate) fn check(
        &self,
        memory: u64,
        threads: usize,
        progress: &mut OnProgress<'_>,
    ) -> Result<Counts, TableError> {
        let len = self.judge.table.header().len;
        let successor = size_of::<Successor<D::Place, G::State>>() as u64;
        let threads_share = |all: u64| all / threads.max(1) as u64;
        // Half is for the states, and for bringing successors into order.
        let batch = (threads_share(memory / 2) / successor).max(STRETCH);
        // The longer the pieces, the less often a block is read; but all threads have some.
        let piece = (batch / SUCCESSORS).min(threads_share(len / 4)).max(STRETCH);
        let mut progress = |event| progress(event);
        let mut pool = WorkerPool::new(threads, &mut progress);
        let (mut counts, mut start) = (Counts::default(), 0);
        // Some pieces at a time: a length in a file may be anything.
        while start < len {
            let end = len.min(start.saturating_add(piece.saturating_mul(PIECES)));
            let lot = Lot { done: start, of: len, states: end - start, piece };
            let checked = lot.check(&mut pool, ranges(start..end, piece), |numbers, token| {
                self.stretch(numbers, batch as usize, token)
            });
            counts.add(&checked?);
            start = end;
        }
        Ok(counts)
    }

    /// Checks the values of these numbers, and counts them.
    fn stretch(
        &self,
        numbers: Range<u64>,
        batch: usize,
        token: &dyn CancellationToken,
    ) -> Result<Counts, TableError> {
        let Batches { judge, source } = self;
        let (mut states, mut reader) = (Vec::new(), D::Reader::default());
        for number in numbers {
            if number.is_multiple_of(STRETCH) {
                resume(token)?;
            }
            match source.state(&mut reader, number)? {
                Some(state) => states.push((number, state, Worth::NOTHING)),
                None => judge.check_hole(number, judge.table.value(number, &number)?)?,
            }
        }
        let mut waiting = Vec::new();
        for at in 0..states.len() {
            let (_, state, _) = &states[at];
            if judge.end(state).is_some() {
                continue;
            }
            let mut missing = None;
            judge.game.moves(state, |next| match source.place(&next) {
                Some(place) => waiting.push(Successor { place, from: at as u32, state: next }),
                None => missing = Some(next),
            });
            if let Some(next) = missing {
                return Err(judge.missing(state, &next));
            }
            if waiting.len() >= batch {
                self.look_up(&mut waiting, &mut states, token)?;
            }
        }
        self.look_up(&mut waiting, &mut states, token)?;
        let mut counts = Counts::default();
        for (number, state, best) in &states {
            let stored = judge.table.value(*number, state)?;
            let value = judge.check(state, stored, judge.end(state), *best)?;
            counts.add_state(value, judge.game.turn(state));
        }
        Ok(counts)
    }

    /// Looks up the successors that wait for it, and adds what they offer.
    fn look_up(
        &self,
        waiting: &mut Vec<Successor<D::Place, G::State>>,
        states: &mut [(u64, G::State, Worth)],
        token: &dyn CancellationToken,
    ) -> Result<(), TableError> {
        waiting.sort_unstable_by(|one, other| one.place.cmp(&other.place));
        let mut reader = D::Reader::default();
        let mut last: Option<(D::Place, Value)> = None;
        for (count, Successor { place, from, state: next }) in (0_u64..).zip(waiting.drain(..)) {
            if count.is_multiple_of(STRETCH) {
                resume(token)?;
            }
            let (_, state, best) = &mut states[from as usize];
            let value = match last {
                Some((ref same, value)) if *same == place => value,
                _ => {
                    let value = self.source.value(&mut reader, &place)?;
                    let value = value.ok_or_else(|| self.judge.missing(state, &next))?;
                    last = Some((place, value));
                    value
                }
            };
            let chooser = self.judge.game.turn(state);
            let same_mover = self.judge.game.turn(&next) == chooser;
            *best = self.judge.scale(chooser).worth(value, same_mover).max(*best);
        }
        Ok(())
    }
}

/// Whether nobody has said to stop.
fn resume(token: &dyn CancellationToken) -> Result<(), TableError> {
    if token.done(0).is_break() { Err(TableError::Interrupted) } else { Ok(()) }
}

impl<S: Storage> Tablebase<S> {
    /// Whether so much of what is checked is too much to be in memory: half is left for values.
    pub(crate) fn is_too_much(&self, bytes: u64) -> bool {
        self.memory.is_some_and(|memory| bytes > memory / 2)
    }
}
