//! Checking a stored table: first its bytes, then every value against those of its successors.
//!
//! The second check is a proof of the whole table that needs no trust in the solver, but in the laws of
//! the game. A forced
//! value follows from successors that are strictly nearer to the end, so by induction over the
//! distance each one is right; and the states of endless play are closed under the moves of those
//! who would keep it endless, so that nobody can force anything else there.
//!
//! Of a table that has outcomes alone, the second check shows that they agree with each other, which
//! is less: without distances, a win that is put off for ever looks like one.

mod batches;
mod bounds;
mod by_pages;
mod cells;
mod check;
mod choice;
mod judge;
mod lot;
mod pages;
mod states;
mod worth;

use std::hash::Hash;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;

use crate::error::TableError;
use crate::game::{Game, Indexed, Packed};
use crate::notation::Notation;
use crate::numbering::{Dense, Explored, Keeping, Numbering, Sorted, Whole};
use crate::runtime::progress::{OnProgress, Progress};
use crate::summary::{Counts, Summary};
use crate::table::Stored;
use crate::table::open::Tablebase;
use crate::table::prober::{BySearch, FindNumber};
use crate::table::read::{Layout, states_part};
use crate::table::storage::Storage;
use crate::value::Value;
use batches::Batches;
pub(crate) use batches::Source;
use check::Check;
use judge::Judge;
pub(crate) use states::StateReader;
use states::check_order;

impl<S: Storage + Sync> Tablebase<S> {
    /// Checks the whole table of a game with its own numbering: every checksum, every value
    /// against those of its successors, and the header's figures. Holds all values in memory, or as
    /// many as [`with_memory`](Tablebase::with_memory) allows.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn verify_dense<G>(&self, game: &G, progress: &mut OnProgress<'_>) -> Result<(), TableError>
    where
        G: Stored + Indexed + Notation,
    {
        self.dense(game)?;
        self.verify(&Dense::new(game), progress)
    }

    /// Checks the whole table of a game whose states were explored: every checksum, that the
    /// states are sorted and the roots among them, every value against those of its successors,
    /// and the header's figures. Holds all states and values in memory, or as many as
    /// [`with_memory`](Tablebase::with_memory) allows.
    ///
    /// The game is asked about the states in the file, which need not be any that it would make itself
    /// if the file was forged: rules that can't bear that should have it refused when states are
    /// read, with `#[serde(try_from = …)]`.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn verify_explored<G>(
        &self,
        game: &G,
        progress: &mut OnProgress<'_>,
    ) -> Result<(), TableError>
    where
        G: Stored + Notation,
        G::State: Hash + Ord + DeserializeOwned,
    {
        self.verify_kept::<G, Whole>(game, progress)
    }

    /// The same for a table whose states are packed: `K` is `u64` or `u128`.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn verify_packed<G, K>(
        &self,
        game: &G,
        progress: &mut OnProgress<'_>,
    ) -> Result<(), TableError>
    where
        G: Stored + Packed + Notation,
        K: Keeping<G, Key: DeserializeOwned>,
    {
        self.verify_kept::<G, K>(game, progress)
    }

    /// Checks that every part of the table is as it was written: every checksum, and that every
    /// block can be read. Takes little memory. Says nothing about whether the values are right.
    ///
    /// # Errors
    /// The first part that is damaged.
    pub fn check_bytes(&self, progress: &mut OnProgress<'_>) -> Result<(), TableError> {
        let Layout { len, arrangement, values, levels, .. } = self.reader.layout();
        let report =
            |done: u64, progress: &mut OnProgress<'_>| match progress(Progress::Verifying {
                done: done.min(*len),
                of: *len,
            })
            .is_break()
            {
                true => Err(TableError::Interrupted),
                false => Ok(()),
            };
        for block in 0..values.sections {
            self.reader.values(block)?;
            report((block + 1) * arrangement.block_values, progress)?;
        }
        let mut first_block = 0;
        for count in levels {
            let blocks = count.div_ceil(arrangement.block_states);
            for block in 0..blocks {
                let start = block * arrangement.block_states;
                let expected = (count - start).min(arrangement.block_states) as usize;
                let record = self.reader.state_record(first_block + block, expected)?;
                self.states_of(&record, &states_part(first_block + block), expected)?;
                report(*len, progress)?;
            }
            first_block += blocks;
        }
        Ok(())
    }

    fn verify_kept<G, K>(&self, game: &G, progress: &mut OnProgress<'_>) -> Result<(), TableError>
    where
        G: Stored + Notation,
        K: Keeping<G, Key: DeserializeOwned>,
    {
        self.kept::<G, K>(game)?;
        if self.is_too_much(self.states_bytes::<G, K>()) {
            let source = OfStates::<G, K, S> { table: self, game, keeping: PhantomData };
            source.check_roots(game.roots())?;
            return self.verify_in_batches(game, source, progress);
        }
        let numbering = Explored::<G, K>::of(
            game,
            self.load_sorted(game, |state| game.write_state(state), progress)?,
        );
        if let Some(root) = game.roots().iter().find(|root| numbering.number(root).is_none()) {
            return Err(lacks_root(game, root));
        }
        self.verify(&numbering, progress)
    }

    /// The states of a table that has them, sure to be sorted.
    pub(crate) fn load_sorted<G, K>(
        &self,
        game: &G,
        write: impl Fn(&G::State) -> String,
        progress: &mut OnProgress<'_>,
    ) -> Result<Sorted<G, K>, TableError>
    where
        G: Game,
        K: Keeping<G, Key: DeserializeOwned>,
    {
        let states: Vec<K::Key> = self.load_states(progress)?;
        for pair in states.windows(2) {
            check_order(&pair[0], &pair[1], |key| write(&K::state(game, key)))?;
        }
        let bytes = states.len() as u64 * 8;
        Sorted::of(states).map_err(|_| TableError::OutOfMemory { bytes })
    }

    /// Checks every value against those of its successors, and the header's figures.
    pub(crate) fn verify<N: Numbering + Sync>(
        &self,
        numbering: &N,
        progress: &mut OnProgress<'_>,
    ) -> Result<(), TableError>
    where
        N::Game: Notation,
    {
        let check = Check { numbering, judge: Judge::new(numbering.game(), self) };
        // Where states are in memory, too, what is left is for the values.
        let memory =
            self.memory.map_or(u64::MAX, |memory| memory.saturating_sub(numbering.bytes()));
        let counts = match self.bytes_of(numbering.len()) <= memory {
            true => check.at_once(self.threads, progress),
            false => check.by_pages(memory, self.threads, progress),
        };
        self.compare_summary(&counts?)
    }

    /// The same, with no more of the states and of what their moves lead to in memory than is allowed.
    pub(crate) fn verify_in_batches<G: Game + Notation>(
        &self,
        game: &G,
        source: impl Source<G>,
        progress: &mut OnProgress<'_>,
    ) -> Result<(), TableError> {
        let memory = self.memory.unwrap_or(u64::MAX);
        let batches = Batches { judge: Judge::new(game, self), source };
        self.compare_summary(&batches.check(memory, self.threads, progress)?)
    }

    fn compare_summary(&self, counts: &Counts) -> Result<(), TableError> {
        let summary = Summary::of(counts, self.header().rules);
        let stored = &self.header().summary;
        let same = match self.header().outcomes_only {
            true => summary.by_mover == stored.by_mover,
            false => summary == *stored,
        };
        if same { Ok(()) } else { Err(TableError::WrongSummary) }
    }

    /// How many bytes the states take in memory, with what finds them, at most.
    pub(crate) fn states_bytes<G: Game, K: Keeping<G>>(&self) -> u64 {
        let finder = if K::PLAIN.is_some() { 1 } else { 12 };
        self.reader.layout().len.saturating_mul(size_of::<K::Key>() as u64 + finder)
    }

    /// All states; those on the levels above are compared with them.
    pub(crate) fn load_states<State>(
        &self,
        progress: &mut OnProgress<'_>,
    ) -> Result<Vec<State>, TableError>
    where
        State: Eq + DeserializeOwned,
    {
        let Layout { len, arrangement, levels, .. } = self.reader.layout();
        let block_states = arrangement.block_states;
        let mut states: Vec<State> = Vec::new();
        let (mut first_block, mut apart) = (0, 1);
        for (level, &count) in levels.iter().enumerate() {
            let blocks = count.div_ceil(block_states);
            for block in 0..blocks {
                let start = block * block_states;
                let expected = (count - start).min(block_states) as usize;
                let part = states_part(first_block + block);
                let record = self.reader.state_record(first_block + block, expected)?;
                let read = self.states_of(&record, &part, expected)?;
                // There are as many as were read.
                states.try_reserve(if level == 0 { expected } else { 0 }).map_err(|_| {
                    TableError::OutOfMemory { bytes: *len * size_of::<State>() as u64 }
                })?;
                for at in 0..expected {
                    let state =
                        read.state(at).map_err(|error| TableError::malformed(&part, error))?;
                    if level == 0 {
                        states.push(state);
                    } else if states[(start + at as u64) as usize * apart as usize] != state {
                        let below = (start + at as u64) * apart / block_states;
                        let problem = format!("has another state for the first of block {below}");
                        return Err(TableError::malformed(part, problem));
                    }
                }
                if progress(Progress::Verifying { done: 0, of: *len }).is_break() {
                    return Err(TableError::Interrupted);
                }
            }
            first_block += blocks;
            apart *= block_states;
        }
        states.shrink_to_fit();
        Ok(states)
    }
}

pub(crate) fn lacks_root<G: Notation>(game: &G, root: &G::State) -> TableError {
    let problem = format!("lack {}, where play can start", game.write_state(root));
    TableError::malformed("the states", problem)
}

/// A table that has its states.
struct OfStates<'o, G, K, S> {
    table: &'o Tablebase<S>,
    game: &'o G,
    keeping: PhantomData<fn() -> K>,
}

impl<G, K, S> OfStates<'_, G, K, S>
where
    G: Game + Notation,
    K: Keeping<G, Key: DeserializeOwned>,
    S: Storage + Sync,
{
    fn check_roots(&self, roots: Vec<G::State>) -> Result<(), TableError> {
        for root in roots {
            if BySearch::<K>::number(self.table, self.game, &root)?.is_none() {
                return Err(lacks_root(self.game, &root));
            }
        }
        Ok(())
    }
}

impl<G, K, S> Source<G> for OfStates<'_, G, K, S>
where
    G: Game + Notation,
    K: Keeping<G, Key: DeserializeOwned>,
    S: Storage + Sync,
{
    type Place = K::Key;
    type Reader = StateReader<K::Key>;

    fn state(
        &self,
        reader: &mut StateReader<K::Key>,
        number: u64,
    ) -> Result<Option<G::State>, TableError> {
        let write = |key: &K::Key| self.game.write_state(&K::state(self.game, key));
        let key = reader.key_in_place(self.table, number, write)?;
        Ok(Some(K::state(self.game, key)))
    }

    fn place(&self, state: &G::State) -> Option<K::Key> {
        Some(K::key(self.game, &self.game.canonical(state)))
    }

    fn value(
        &self,
        reader: &mut StateReader<K::Key>,
        place: &K::Key,
    ) -> Result<Option<Value>, TableError> {
        match reader.number(self.table, place)? {
            Some(number) => self.table.value(number, place),
            None => Ok(None),
        }
    }
}
