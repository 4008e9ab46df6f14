//! Checking a stored table: first its bytes, then every value against those of its successors.
//!
//! The second check is a proof of the whole table that needs no trust in the solver. A forced
//! value follows from successors that are strictly nearer to the end, so by induction over the
//! distance each one is right; and the states of endless play are closed under the moves of those
//! who would keep it endless, so that nobody can force anything else there.

use std::hash::Hash;

use serde::de::DeserializeOwned;

use super::error::TableError;
use super::open::Tablebase;
use super::prober::{states_part, values_part};
use super::records::BLOCK_STATES;
use super::storage::Storage;
use super::{Stored, codec};
use crate::game::{Game, Indexed, Packed, Player};
use crate::notation::Notation;
use crate::numbering::{Dense, Explored, Keeping, Numbering, Whole};
use crate::prospects::Prospects;
use crate::solve::progress::sweep;
use crate::solve::{Counts, OnProgress, Progress, Summary};
use crate::value::{NotAValue, Rules, Value};

impl<S: Storage> Tablebase<S> {
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

    fn verify_kept<G, K>(&self, game: &G, progress: &mut OnProgress<'_>) -> Result<(), TableError>
    where
        G: Stored + Notation,
        K: Keeping<G, Key: DeserializeOwned>,
    {
        self.kept::<G, K>(game)?;
        let states: Vec<K::Key> = self.load_states()?;
        if let Some(at) = states.windows(2).position(|pair| pair[0] >= pair[1]) {
            let write = |at: usize| game.write_state(&K::state(game, &states[at]));
            let problem = format!("are not sorted: {} stands before {}", write(at), write(at + 1));
            return Err(TableError::malformed("the states", problem));
        }
        let bytes = states.len() as u64 * 8;
        let numbering = Explored::<G, K>::from_sorted(game, states)
            .map_err(|_| TableError::OutOfMemory { bytes })?;
        if let Some(root) = game.roots().iter().find(|root| numbering.number(root).is_none()) {
            let problem = format!("lack {}, where play can start", game.write_state(root));
            return Err(TableError::malformed("the states", problem));
        }
        self.verify(&numbering, progress)
    }

    pub(super) fn verify<N: Numbering>(
        &self,
        numbering: &N,
        progress: &mut OnProgress<'_>,
    ) -> Result<(), TableError>
    where
        N::Game: Notation,
    {
        let values = self.load_values()?;
        let rules = self.header().rules;
        let of = numbering.len();
        let mut counts = Counts::default();
        let event = |done| Progress::Verifying { done, of };
        sweep(of, progress, event, TableError::Interrupted, |number| {
            if let Some((value, mover)) = verify_number(numbering, &values, rules, number)? {
                counts.add_state(value, mover);
            }
            Ok(())
        })?;
        let summary = Summary::of(&counts, rules);
        if summary == self.header().summary { Ok(()) } else { Err(TableError::WrongSummary) }
    }

    fn load_values(&self) -> Result<Vec<u16>, TableError> {
        let mut values = self.reserved(2)?;
        for (block, &section) in self.value_sections().iter().enumerate() {
            let bytes = self.read(section, &values_part(block))?;
            values.extend_from_slice(&self.values_of(block, &bytes)?);
        }
        Ok(values)
    }

    fn load_states<State>(&self) -> Result<Vec<State>, TableError>
    where
        State: Eq + DeserializeOwned,
    {
        let mut states: Vec<State> = self.reserved(1)?;
        for (block, at) in self.state_sections().iter().enumerate() {
            let part = states_part(block);
            let bytes = self.read(at.section, &part)?;
            let record = self.state_block(block, &bytes)?;
            for at in 0..record.len() {
                let state = record.state(at);
                states.push(state.map_err(|error| TableError::malformed(&part, error))?);
            }
            // Searches go by the copy in the directory.
            let first: State = codec::decode(&at.first)
                .map_err(|error| TableError::malformed("the directory", error))?;
            if first != states[block * BLOCK_STATES as usize] {
                let problem = format!("has another state for the first of {part}");
                return Err(TableError::malformed("the directory", problem));
            }
        }
        Ok(states)
    }

    /// Room for one thing a state, but not for more than the file can hold at `width` bytes each.
    fn reserved<T>(&self, width: u64) -> Result<Vec<T>, TableError> {
        let count = self.header().len.min(self.file_length() / width);
        let bytes = count.saturating_mul(size_of::<T>() as u64);
        let mut room = Vec::new();
        room.try_reserve_exact(count as usize).map_err(|_| TableError::OutOfMemory { bytes })?;
        Ok(room)
    }
}

/// Compares the value stored for a number with the one that follows from its successors; returns
/// it and who is to move, where there is a state.
fn verify_number<N: Numbering>(
    numbering: &N,
    values: &[u16],
    rules: Rules,
    number: u64,
) -> Result<Option<(Value, Player)>, TableError>
where
    N::Game: Notation,
{
    let game = numbering.game();
    let at = number as usize;
    let stored = Value::unpack(values[at]).map_err(|NotAValue(packed)| {
        let problem = format!("stores {packed:#06x} at number {number}, which is no value");
        TableError::malformed("the table", problem)
    })?;
    let Some(state) = numbering.state(number) else {
        return match stored {
            None => Ok(None),
            Some(value) => Err(TableError::WrongValue {
                state: format!("number {number}, a hole,"),
                stored: format!("{value:?}"),
                expected: "no state at all".into(),
            }),
        };
    };
    let expected = expected_value(numbering, values, rules, &state)?;
    if stored == Some(expected) {
        return Ok(Some((expected, game.turn(&state))));
    }
    Err(TableError::WrongValue {
        state: game.write_state(&state),
        stored: stored.map_or("a hole".into(), |value| format!("{value:?}")),
        expected: format!("{expected:?}"),
    })
}

/// The value of a state as it follows from the rules and the values of its successors.
fn expected_value<N: Numbering>(
    numbering: &N,
    values: &[u16],
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
            Some(number) => {
                values.get(number as usize).and_then(|&packed| Value::unpack(packed).ok().flatten())
            }
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
