//! Asking a table about the states of its game.

use std::hash::Hash;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;

use super::error::TableError;
use super::open::Tablebase;
use super::records::{BLOCK_STATES, StateBlock, StateSection};
use super::storage::Storage;
use super::{Stored, codec, parameters, values};
use crate::game::{Game, Indexed, Packed};
use crate::numbering::{Keeping, NumberingKind, Whole};
use crate::query::{Query, QueryError};
use crate::value::{Rules, Value};

/// A tablebase together with its game, ready to be asked through [`Query`]. `W` is the way it finds
/// the number of a state: [`ByFormula`] or [`BySearch`].
#[derive(Debug)]
pub struct Prober<'t, G, W, S = std::fs::File> {
    table: &'t Tablebase<S>,
    game: &'t G,
    way: PhantomData<W>,
}

/// How a prober finds the number of a state. [`ByFormula`] and [`BySearch`] are the two there are.
pub trait FindNumber<G: Game> {
    /// The number of a state, or `None` if the table does not have it.
    ///
    /// # Errors
    /// When the table can't be read.
    fn number<S: Storage>(
        table: &Tablebase<S>,
        game: &G,
        state: &G::State,
    ) -> Result<Option<u64>, TableError>;
}

/// The number of a state is the game's own index.
#[derive(Debug, Clone, Copy)]
pub enum ByFormula {}

/// The number of a state is its place among the sorted states in the file, which are kept as `K`
/// says.
#[derive(Debug, Clone, Copy)]
pub struct BySearch<K = Whole>(PhantomData<K>);

impl<G: Indexed> FindNumber<G> for ByFormula {
    fn number<S: Storage>(
        table: &Tablebase<S>,
        game: &G,
        state: &G::State,
    ) -> Result<Option<u64>, TableError> {
        let number = game.index(state);
        Ok((number < table.header().len).then_some(number))
    }
}

impl<G: Game, K: Keeping<G, Key: DeserializeOwned>> FindNumber<G> for BySearch<K> {
    fn number<S: Storage>(
        table: &Tablebase<S>,
        game: &G,
        state: &G::State,
    ) -> Result<Option<u64>, TableError> {
        table.search(&K::key(game, &game.canonical(state)))
    }
}

impl<S: Storage> Tablebase<S> {
    /// The table of a game with its own numbering, ready to be asked.
    ///
    /// # Errors
    /// When the table is of another game, of the same with other parameters, or has the explored
    /// numbering.
    pub fn dense<'t, G>(&'t self, game: &'t G) -> Result<Prober<'t, G, ByFormula, S>, TableError>
    where
        G: Stored + Indexed,
    {
        self.check_game(game, NumberingKind::Dense)?;
        if game.len() != self.header().len {
            let (table, game) = (self.header().len, game.len());
            let problem = format!("counts {table} numbers, where the game has {game}");
            return Err(TableError::malformed("the header", problem));
        }
        Ok(Prober { table: self, game, way: PhantomData })
    }

    /// The table of a game whose states were explored, ready to be asked.
    ///
    /// # Errors
    /// When the table is of another game, of the same with other parameters, or has the dense
    /// numbering.
    pub fn explored<'t, G>(&'t self, game: &'t G) -> Result<Prober<'t, G, BySearch, S>, TableError>
    where
        G: Stored,
        G::State: Hash + Ord + DeserializeOwned,
    {
        self.kept::<G, Whole>(game)
    }

    /// The table of a game whose states were explored and packed, ready to be asked: `K` is `u64` or
    /// `u128`, the same that it was solved with.
    ///
    /// # Errors
    /// As [`explored`](Tablebase::explored).
    pub fn packed<'t, G, K>(
        &'t self,
        game: &'t G,
    ) -> Result<Prober<'t, G, BySearch<K>, S>, TableError>
    where
        G: Stored + Packed,
        K: Keeping<G, Key: DeserializeOwned>,
    {
        self.kept::<G, K>(game)
    }

    pub(super) fn kept<'t, G, K>(
        &'t self,
        game: &'t G,
    ) -> Result<Prober<'t, G, BySearch<K>, S>, TableError>
    where
        G: Stored,
        K: Keeping<G, Key: DeserializeOwned>,
    {
        self.check_game(game, K::KIND)?;
        Ok(Prober { table: self, game, way: PhantomData })
    }

    pub(super) fn check_game<G: Stored>(
        &self,
        game: &G,
        asked: NumberingKind,
    ) -> Result<(), TableError> {
        let header = self.header();
        let asked_parameters = parameters(game)?;
        // Compared as values, since neither the layout of the JSON nor the order of a map's entries
        // matters.
        let value = |game: &G| serde_json::to_value(game).ok();
        let same = self.game::<G>().is_ok_and(|own| value(&own) == value(game));
        if header.game != G::NAME || !same {
            let describe = |name: &str, parameters: &str| {
                let mut short: String = parameters.chars().take(60).collect();
                if short.len() < parameters.len() {
                    short.push('…');
                }
                format!("{name} {short}")
            };
            let found = describe(&header.game, &header.parameters);
            return Err(TableError::OtherGame {
                found,
                asked: describe(G::NAME, &asked_parameters),
            });
        }
        if header.rules != Rules::of(game) {
            return Err(TableError::malformed("the header", "has other rules than its game"));
        }
        if header.numbering != asked {
            return Err(TableError::OtherNumbering { found: header.numbering, asked });
        }
        Ok(())
    }

    /// The packed value of a number below the table's length.
    pub(super) fn packed_value(&self, number: u64) -> Result<u16, TableError> {
        let block = (number / BLOCK_STATES) as usize;
        Ok(self.kept_values(block)?[(number % BLOCK_STATES) as usize])
    }

    /// The values of the block that these bytes are.
    pub(super) fn values_of(&self, block: usize, bytes: &[u8]) -> Result<Vec<u16>, TableError> {
        let part = values_part(block);
        let (first, values) = values::decode(bytes, self.block_len(block))
            .map_err(|error| TableError::malformed(&part, error))?;
        self.check_block(block, &part, first, values.len())?;
        Ok(values)
    }

    /// The block of states that these bytes are.
    pub(super) fn state_block<'b>(
        &self,
        block: usize,
        bytes: &'b [u8],
    ) -> Result<StateBlock<'b>, TableError> {
        let part = states_part(block);
        let record: StateBlock<'_> =
            codec::decode(bytes).map_err(|error| TableError::malformed(&part, error))?;
        self.check_block(block, &part, record.first, record.len())?;
        Ok(record)
    }

    fn check_block(
        &self,
        block: usize,
        part: &str,
        first: u64,
        len: usize,
    ) -> Result<(), TableError> {
        let expected = (block as u64 * BLOCK_STATES, self.block_len(block));
        if (first, len) == expected {
            return Ok(());
        }
        let (expected_first, expected_len) = expected;
        let problem = format!(
            "has {len} states from {first} on, where {expected_len} from {expected_first} on were \
             expected"
        );
        Err(TableError::malformed(part, problem))
    }

    /// The number of a canonical state, by a search among the sorted states: first for its block,
    /// whose first state the directory has, then within the block.
    fn search<State>(&self, wanted: &State) -> Result<Option<u64>, TableError>
    where
        State: Ord + DeserializeOwned,
    {
        let sections = self.state_sections();
        let after = partition(sections.len(), |at| {
            let first: State = codec::decode(&sections[at].first)
                .map_err(|error| TableError::malformed("the directory", error))?;
            Ok(first <= *wanted)
        })?;
        let Some(block) = after.checked_sub(1) else { return Ok(None) };
        let part = states_part(block);
        let StateSection { section, .. } = sections[block];
        let bytes = self.read_kept(section, &part)?;
        let record = self.state_block(block, &bytes)?;
        let state = |at| -> Result<State, TableError> {
            record.state(at).map_err(|error| TableError::malformed(&part, error))
        };
        let after = partition(record.len(), |at| Ok(state(at)? <= *wanted))?;
        match after.checked_sub(1) {
            Some(at) if state(at)? == *wanted => Ok(Some(record.first + at as u64)),
            _ => Ok(None),
        }
    }
}

pub(super) fn values_part(block: usize) -> String {
    format!("block {block} of the values")
}

pub(super) fn states_part(block: usize) -> String {
    format!("block {block} of the states")
}

/// How many of the places 0..`len` come before the first that `before` refuses, if those that it
/// accepts all do.
fn partition(
    len: usize,
    before: impl Fn(usize) -> Result<bool, TableError>,
) -> Result<usize, TableError> {
    let (mut low, mut high) = (0, len);
    while low < high {
        let middle = low + (high - low) / 2;
        if before(middle)? {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

impl<G: Game, W: FindNumber<G>, S: Storage> Query for Prober<'_, G, W, S> {
    type Game = G;

    fn game(&self) -> &G {
        self.game
    }

    fn rules(&self) -> Rules {
        self.table.header().rules
    }

    fn find(&self, state: &G::State) -> Result<(u64, Value), QueryError> {
        let Some(number) = W::number(self.table, self.game, state)? else {
            return Err(QueryError::not_in_table(state));
        };
        match Value::unpack(self.table.packed_value(number)?) {
            Ok(Some(value)) => Ok((number, value)),
            Ok(None) => Err(QueryError::not_in_table(state)),
            Err(not) => {
                let problem = format!("stores {:#06x} for {state:?}, which is no value", not.0);
                Err(TableError::malformed("the table", problem).into())
            }
        }
    }
}
