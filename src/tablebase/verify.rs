//! Checking a stored table: first its bytes, then every value against those of its successors.
//!
//! The second check is a proof of the whole table that needs no trust in the solver. A forced
//! value follows from successors that are strictly nearer to the end, so by induction over the
//! distance each one is right; and the states of endless play are closed under the moves of those
//! who would keep it endless, so that nobody can force anything else there.
//!
//! Of a table that has outcomes alone, the second check shows that they agree with each other, which
//! is less: without distances, a win that is put off for ever looks like one.

use std::hash::Hash;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::de::DeserializeOwned;
use thiserror::Error;

use super::Stored;
use super::error::TableError;
use super::open::Tablebase;
use super::read::{Layout, states_part};
use super::storage::Storage;
use crate::game::{Game, Indexed, Packed};
use crate::notation::Notation;
use crate::numbering::{Dense, Explored, Keeping, Known as _, Numbering, Sorted, Whole};
use crate::prospects::Prospects;
use crate::solve::crew::{Crew, Size, equal_cuts};
use crate::solve::known::KnownValues;
use crate::solve::{Counts, OnProgress, Progress, SolveError, Summary};
use crate::value::{NotAValue, Rules, Value};

/// How many numbers are checked in one go.
const STRETCH: u64 = 1 << 14;

impl<S: Storage + Sync> Tablebase<S> {
    /// Checks the whole table of a game with its own numbering: every checksum, every value
    /// against those of its successors, and the header's figures. Holds all values in memory.
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
    /// and the header's figures. Holds all values and states in memory.
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
        let numbering = Explored::<G, K>::of(
            game,
            self.load_sorted(game, |state| game.write_state(state), progress)?,
        );
        if let Some(root) = game.roots().iter().find(|root| numbering.number(root).is_none()) {
            let problem = format!("lack {}, where play can start", game.write_state(root));
            return Err(TableError::malformed("the states", problem));
        }
        self.verify(&numbering, progress)
    }

    /// The states of a table that has them, sure to be sorted.
    pub(super) fn load_sorted<G, K>(
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
        if let Some(at) = states.windows(2).position(|pair| pair[0] >= pair[1]) {
            let [one, next] = [at, at + 1].map(|at| write(&K::state(game, &states[at])));
            let problem = format!("are not sorted: {one} stands before {next}");
            return Err(TableError::malformed("the states", problem));
        }
        let bytes = states.len() as u64 * 8;
        Sorted::of(states).map_err(|_| TableError::OutOfMemory { bytes })
    }

    pub(super) fn verify<N: Numbering + Sync>(
        &self,
        numbering: &N,
        progress: &mut OnProgress<'_>,
    ) -> Result<(), TableError>
    where
        N::Game: Notation,
    {
        let len = numbering.len();
        let values = self.load_values(progress)?;
        let check = Check { numbering, values: &values, rules: self.header().rules, table: self };
        let mut progress = |event| progress(event);
        let mut crew = Crew::new(self.threads, &mut progress);
        let cuts = equal_cuts(len, (len / STRETCH + 1) as usize, STRETCH);
        let starts = [0].into_iter().chain(cuts.iter().copied());
        let pieces = starts.zip(cuts.iter().copied()).collect();
        let size = if len > STRETCH { Size::Big } else { Size::Small };
        let failed = AtomicBool::new(false);
        let event = |done| Progress::Verifying { done, of: len };
        let results = crew.run(size, pieces, event, |(start, end): (u64, u64), signals| {
            // Those before the first that fails were begun before it, so that the first thing that
            // is wrong does not depend on the threads.
            if failed.load(Ordering::Relaxed) || signals.done(end - start).is_break() {
                return Ok(Ok(Counts::default()));
            }
            let result = check.stretch(start..end);
            failed.fetch_or(result.is_err(), Ordering::Relaxed);
            Ok(result)
        });
        let mut counts = Counts::default();
        for result in results.map_err(|_| TableError::Interrupted)? {
            counts.add(&result?);
        }
        let summary = Summary::of(&counts, check.rules);
        let stored = &self.header().summary;
        let same = match self.header().outcomes_only {
            true => summary.by_mover == stored.by_mover,
            false => summary == *stored,
        };
        if same { Ok(()) } else { Err(TableError::WrongSummary) }
    }

    /// All values, every block checked.
    pub(super) fn load_values(
        &self,
        progress: &mut OnProgress<'_>,
    ) -> Result<KnownValues, TableError> {
        let Layout { len, arrangement, values, .. } = self.reader.layout();
        let mut packed = Vec::new();
        let filled = KnownValues::fill(*len, |add| {
            for block in 0..values.sections {
                let values = self.reader.values(block)?;
                values.copy_to(&mut packed, &arrangement.list);
                for (number, &packed) in (block * arrangement.block_values..).zip(&packed) {
                    Value::unpack(packed).map_err(|NotAValue(packed)| {
                        let problem =
                            format!("stores {packed:#06x} at number {number}, which is no value");
                        TableError::malformed("the table", problem)
                    })?;
                }
                add(&packed);
                let event = Progress::Verifying { done: 0, of: *len };
                if progress(event).is_break() {
                    return Err(TableError::Interrupted.into());
                }
            }
            Ok::<(), LoadError>(())
        });
        filled.map_err(|error| match error {
            LoadError::Table(error) => error,
            LoadError::Memory(_) => TableError::OutOfMemory { bytes: *len },
        })
    }

    /// All states; those on the levels above are compared with them.
    pub(super) fn load_states<State>(
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
        Ok(states)
    }
}

#[derive(Debug, Error)]
enum LoadError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Memory(#[from] SolveError),
}

/// The check of every value against those of its successors.
struct Check<'c, N, S> {
    numbering: &'c N,
    values: &'c KnownValues,
    rules: Rules,
    table: &'c Tablebase<S>,
}

impl<N: Numbering, S: Storage> Check<'_, N, S>
where
    N::Game: Notation,
{
    /// Checks the values of these numbers, and counts them.
    fn stretch(&self, numbers: Range<u64>) -> Result<Counts, TableError> {
        let mut counts = Counts::default();
        let mut result = Ok(());
        let mut next = numbers.start;
        self.numbering.states_in(numbers.clone(), |number, state| {
            if result.is_ok() {
                result = self.holes(next..number).and_then(|()| {
                    let value = self.state(number, &state)?;
                    counts.add_state(value, self.numbering.game().turn(&state));
                    Ok(())
                });
                next = number + 1;
            }
        });
        result?;
        self.holes(next..numbers.end)?;
        Ok(counts)
    }

    /// Numbers that stand for no state have no value either, unless it is one that nobody asks for.
    fn holes(&self, mut numbers: Range<u64>) -> Result<(), TableError> {
        if self.table.has_filled_holes() {
            return Ok(());
        }
        match numbers.find_map(|number| Some((number, self.values.value(number)?))) {
            None => Ok(()),
            Some((number, value)) => Err(TableError::WrongValue {
                state: format!("number {number}, a hole,"),
                stored: format!("{value:?}"),
                expected: "no state at all".into(),
            }),
        }
    }

    /// Compares the value stored for a state with the one that follows from its successors.
    fn state(&self, number: u64, state: &<N::Game as Game>::State) -> Result<Value, TableError> {
        let stored = self.values.value(number);
        let expected = expected_value(self.numbering, self.values, self.rules, state)?;
        let outcomes_only = self.table.header().outcomes_only;
        let is_right = match stored {
            Some(stored) if outcomes_only => stored.kind() == expected.kind(),
            stored => stored == Some(expected),
        };
        if is_right {
            return Ok(expected);
        }
        let write = |value: Value| match outcomes_only {
            true => format!("{:?}", value.kind()),
            false => format!("{value:?}"),
        };
        Err(TableError::WrongValue {
            state: self.numbering.game().write_state(state),
            stored: stored.map_or("a hole".into(), write),
            expected: write(expected),
        })
    }
}

/// The value of a state as it follows from the rules and the values of its successors.
fn expected_value<N: Numbering>(
    numbering: &N,
    values: &KnownValues,
    rules: Rules,
    state: &<N::Game as Game>::State,
) -> Result<Value, TableError>
where
    N::Game: Notation,
{
    let game = numbering.game();
    let mover = game.turn(state);
    if let Some(value) = Value::of_terminal(game, state) {
        return Ok(value);
    }
    let mut best = Prospects::default();
    let mut outside = None;
    game.moves(state, |next| {
        let value = match numbering.number(&next) {
            Some(number) => values.value(number),
            None => numbering.outside(&next),
        };
        match value {
            Some(value) => best.add(value, game.turn(&next) == mover),
            None => outside = Some(next),
        }
    });
    if let Some(next) = outside {
        let (from, to) = (game.write_state(state), game.write_state(&next));
        let problem = format!("has no value for {to}, to which {from} has a move");
        return Err(TableError::malformed("the table", problem));
    }
    best.value(mover, rules)
        .or_else(|| Some(Value::of_end(game.no_moves(state)?, mover)))
        .ok_or_else(|| {
            let problem =
                format!("has a state without moves or outcome: {}", game.write_state(state));
            TableError::malformed("the table", problem)
        })
}
