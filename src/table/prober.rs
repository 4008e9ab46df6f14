//! Asking a table about the states of its game.

use std::hash::Hash;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use serde::de::DeserializeOwned;

use crate::error::TableError;
use crate::game::{Game, Indexed, Packed};
use crate::numbering::{Keeping, NumberingKind, Whole};
use crate::query::{Query, QueryError, Visit};
use crate::table::open::Tablebase;
use crate::table::read::{Layout, states_part};
use crate::table::states::StateBlock;
use crate::table::storage::Storage;
use crate::table::{Stored, parameters};
use crate::value::{NotAValue, Rules, Value, ValueKind};

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

    /// The order in which to look for the numbers of many states, if that makes a difference.
    fn order(game: &G, states: &[G::State]) -> Vec<usize> {
        let _ = game;
        (0..states.len()).collect()
    }

    /// The state of a number below the table's length, or `None` for a hole.
    ///
    /// # Errors
    /// When the table can't be read.
    fn state<S: Storage>(
        table: &Tablebase<S>,
        game: &G,
        number: u64,
    ) -> Result<Option<G::State>, TableError>;
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
        let known = number < table.header().len
            && !(table.has_filled_holes() && game.unindex(number).is_none());
        Ok(known.then_some(number))
    }

    fn state<S: Storage>(
        _: &Tablebase<S>,
        game: &G,
        number: u64,
    ) -> Result<Option<G::State>, TableError> {
        Ok(game.unindex(number))
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

    fn order(game: &G, states: &[G::State]) -> Vec<usize> {
        // As they are sorted in the file.
        let mut order: Vec<usize> = (0..states.len()).collect();
        order.sort_by_cached_key(|&at| K::key(game, &game.canonical(&states[at])));
        order
    }

    fn state<S: Storage>(
        table: &Tablebase<S>,
        game: &G,
        number: u64,
    ) -> Result<Option<G::State>, TableError> {
        Ok(Some(K::state(game, &table.key(number)?)))
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

    pub(crate) fn kept<'t, G, K>(
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

    pub(crate) fn check_game<G: Stored>(
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

    /// The number of a canonical state, by a search among the sorted states: from the level that
    /// one block holds down to the states themselves, the first state of each block being on the
    /// level above.
    pub(crate) fn search<State>(&self, wanted: &State) -> Result<Option<u64>, TableError>
    where
        State: Ord + DeserializeOwned,
    {
        let Layout { len, arrangement, levels, .. } = self.reader.layout();
        if *len == 0 {
            return Ok(None);
        }
        let block_states = arrangement.block_states;
        // The first block of each level.
        let mut first_block: u64 = levels.iter().map(|len| len.div_ceil(block_states)).sum();
        let mut number = 0;
        for (level, &len) in levels.iter().enumerate().rev() {
            first_block -= len.div_ceil(block_states);
            let block = number;
            let start = block * block_states;
            let most = len.saturating_sub(start).min(block_states) as usize;
            let record = self.reader.state_record(first_block + block, most)?;
            let part = states_part(first_block + block);
            let states = self.states_of(&record, &part, most)?;
            let state = |at| -> Result<State, TableError> {
                states.state(at).map_err(|error| TableError::malformed(&part, error))
            };
            let after = partition(states.len(), |at| Ok(state(at)? <= *wanted))?;
            let Some(at) = after.checked_sub(1) else { return Ok(None) };
            if level == 0 && state(at)? != *wanted {
                return Ok(None);
            }
            number = start + at as u64;
        }
        Ok(Some(number))
    }

    /// The state of a number below the table's length, as it is kept.
    pub(crate) fn key<State: DeserializeOwned>(&self, number: u64) -> Result<State, TableError> {
        let Layout { len, arrangement, .. } = self.reader.layout();
        let (block, at) = (number / arrangement.block_states, number % arrangement.block_states);
        let most = (len - block * arrangement.block_states).min(arrangement.block_states) as usize;
        let record = self.reader.state_record(block, most)?;
        let part = states_part(block);
        let states = self.states_of(&record, &part, most)?;
        states.state(at as usize).map_err(|error| TableError::malformed(part, error))
    }

    /// Visits the numbers that have a wanted value, in order, until `visit` says to stop.
    pub(crate) fn each_value<E: From<TableError>>(
        &self,
        wanted: &dyn Fn(Value) -> bool,
        mut visit: impl FnMut(u64, Value) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let Layout { arrangement, values, .. } = self.reader.layout();
        let mut packed = Vec::new();
        for block in 0..values.sections {
            self.reader.values(block)?.copy_to(&mut packed, &arrangement.list);
            for (number, &packed) in (block * arrangement.block_values..).zip(&packed) {
                let value = unpack(packed, &number)?;
                if let Some(value) = value.filter(|&value| wanted(value))
                    && visit(number, value)?.is_break()
                {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The block of states that this record is, which has to have so many.
    pub(crate) fn states_of<'r>(
        &self,
        record: &'r [u8],
        part: &str,
        expected: usize,
    ) -> Result<StateBlock<'r>, TableError> {
        let block = StateBlock::read(record).map_err(|error| TableError::malformed(part, error))?;
        if block.len() == expected {
            return Ok(block);
        }
        let found = block.len();
        let problem = format!("has {found} states, where {expected} were expected");
        Err(TableError::malformed(part, problem))
    }
}

impl<S: Storage> Tablebase<S> {
    /// Whether numbers that stand for no state have values too.
    pub(crate) fn has_filled_holes(&self) -> bool {
        self.reader.layout().arrangement.filled
    }

    /// Refuses what is asked of a table that has outcomes alone.
    pub(crate) fn check_distances(&self, asked: &'static str) -> Result<(), QueryError> {
        match self.header().outcomes_only {
            true => Err(QueryError::OutcomesOnly { asked }),
            false => Ok(()),
        }
    }

    /// The value of a number below the table's length, which is that of this state; its distance is
    /// 0 where the table has none.
    pub(crate) fn value(
        &self,
        number: u64,
        state: &impl std::fmt::Debug,
    ) -> Result<Option<Value>, TableError> {
        unpack(self.reader.packed_value(number)?, state)
    }
}

/// The value that is stored for something.
fn unpack(packed: u16, of: &impl std::fmt::Debug) -> Result<Option<Value>, TableError> {
    Value::unpack(packed).map_err(|NotAValue(packed)| {
        let problem = format!("stores {packed:#06x} for {of:?}, which is no value");
        TableError::malformed("the table", problem)
    })
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
        self.table.check_distances("a distance")?;
        self.look_up(state)
    }

    fn find_kind(&self, state: &G::State) -> Result<(u64, ValueKind), QueryError> {
        self.look_up(state).map(|(number, value)| (number, value.kind()))
    }

    fn has_distances(&self) -> bool {
        !self.table.header().outcomes_only
    }

    fn values(&self, states: &[G::State]) -> Result<Vec<Value>, QueryError> {
        self.table.check_distances("a distance")?;
        let mut numbers = Vec::with_capacity(states.len());
        for at in W::order(self.game, states) {
            let number = W::number(self.table, self.game, &states[at])?;
            numbers.push((number.ok_or_else(|| QueryError::not_in_table(&states[at]))?, at));
        }
        numbers.sort_unstable();
        let mut values = vec![Value::Endless; states.len()];
        for (number, at) in numbers {
            let value = self.table.value(number, &states[at])?;
            values[at] = value.ok_or_else(|| QueryError::not_in_table(&states[at]))?;
        }
        Ok(values)
    }

    fn each(
        &self,
        wanted: &dyn Fn(Value) -> bool,
        visit: &mut Visit<'_, G::State>,
    ) -> Result<(), QueryError> {
        self.table.check_distances("a search for values")?;
        self.table.each_value(wanted, |number, value| {
            Ok(match W::state(self.table, self.game, number)? {
                Some(state) => visit(number, state, value),
                None => ControlFlow::Continue(()),
            })
        })
    }
}

impl<G: Game, W: FindNumber<G>, S: Storage> Prober<'_, G, W, S> {
    /// The number and the value of a state; the distance is 0 where the table has none.
    fn look_up(&self, state: &G::State) -> Result<(u64, Value), QueryError> {
        let Some(number) = W::number(self.table, self.game, state)? else {
            return Err(QueryError::not_in_table(state));
        };
        match self.table.value(number, state)? {
            Some(value) => Ok((number, value)),
            None => Err(QueryError::not_in_table(state)),
        }
    }
}
