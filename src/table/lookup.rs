//! Finding the values of states in a table file.

use std::ops::{ControlFlow, Range};

use serde::de::DeserializeOwned;

use crate::error::TableError;
use crate::game::value::{NotAValue, Rules, Scale, Value};
use crate::game::{Game, one_line};
use crate::numbering::indexing::{Indexing, KeyOf, Lookup};
use crate::table::fingerprint;
use crate::table::open::TableFile;
use crate::table::read::{FileLayout, states_part};
use crate::table::records::BlockFormat;
use crate::table::states::StateBlock;
use crate::table::storage::Storage;
use crate::table::{Stored, parameters};

/// The number of values that are searched at once.
const AT_ONCE: u64 = 1 << 16;

/// A game and its parameters, as JSON, for a message.
pub(crate) fn describe(name: &str, parameters: &str) -> String {
    let mut short: String = parameters.chars().take(60).collect();
    if short.len() < parameters.len() {
        short.push('…');
    }
    format!("{name} {short}")
}

impl<S: Storage> TableFile<S> {
    /// The index of the state of the tier with this key; `None` if the table lacks the state.
    pub(crate) fn index_of_key<G: Game, I: Indexing<G>>(
        &self,
        game: &G,
        tier: usize,
        key: &KeyOf<G, I>,
    ) -> Result<Option<u64>, TableError> {
        let Some(index) = I::Lookup::index_of_key(key) else { return self.search(key) };
        let is_unused =
            || self.has_filled_unused() && I::Lookup::state_of_key(game, tier, key).is_none();
        Ok((index < self.header().len && !is_unused()).then_some(index))
    }

    /// The state of an index of the tier, or `None` for an unused index.
    pub(crate) fn state_of_index<G: Game, I: Indexing<G>>(
        &self,
        game: &G,
        tier: usize,
        index: u64,
    ) -> Result<Option<G::State>, TableError> {
        let key = match I::Lookup::key_of_index(index) {
            Some(key) => key,
            None => {
                let key = self.key(index)?;
                check_key::<G, I>(game, &key)?;
                key
            }
        };
        Ok(I::Lookup::state_of_key(game, tier, &key))
    }

    /// Refuses a table of another game.
    pub(crate) fn check_is_of<G: Stored>(&self, game: &G) -> Result<(), TableError> {
        let header = self.header();
        let own_parameters = parameters(game)?;
        // Two texts can mean the same: neither the layout of the JSON nor the order of a map's
        // entries matters. Comparing the meaning of long parameters takes long.
        let value = |game: &G| serde_json::to_value(game).ok();
        let mean_the_same = || self.game::<G>().is_ok_and(|own| value(&own) == value(game));
        let same = header.parameters == own_parameters || mean_the_same();
        if header.game != game.name() || !same {
            let found = describe(&header.game, &header.parameters);
            return Err(TableError::OtherGame {
                found,
                asked: describe(game.name(), &own_parameters),
            });
        }
        if header.rules != Rules::of_game(game) {
            return Err(TableError::malformed("the header", "has other rules than its game"));
        }
        Ok(())
    }

    /// Refuses a table of another game, in another numbering, or made before the numbering changed.
    pub(crate) fn check_game<G: Stored, I: Indexing<G>>(
        &self,
        game: &G,
        tier: usize,
    ) -> Result<(), TableError> {
        self.check_is_of(game)?;
        self.check_numbering::<G, I>(game, tier)
    }

    /// Refuses a table in another numbering, or made before the numbering changed.
    pub(crate) fn check_numbering<G: Stored, I: Indexing<G>>(
        &self,
        game: &G,
        tier: usize,
    ) -> Result<(), TableError> {
        let (found, expected) = (self.header().numbering, I::kind(tier));
        if found != expected {
            let (found, expected) = (found.to_string(), expected.to_string());
            return Err(TableError::OtherNumbering { found, expected });
        }
        fingerprint::check::<G, I>(game, tier, self.remembered())
    }

    /// The index of the state with this key, by a search among the sorted states; `None` if the
    /// table lacks the state.
    ///
    /// Each level lists the first state of every block of the level below; the lowest level lists
    /// all states. The search goes down from the level that fits into one block.
    pub(crate) fn search<State>(&self, wanted: &State) -> Result<Option<u64>, TableError>
    where
        State: Ord + DeserializeOwned,
    {
        let FileLayout { len, format, levels, .. } = self.reader.layout();
        if *len == 0 {
            return Ok(None);
        }
        let block_states = format.block_states;
        // The first block of each level.
        let mut first_block: u64 = levels.iter().map(|len| len.div_ceil(block_states)).sum();
        let mut index = 0;
        for (level, &len) in levels.iter().enumerate().rev() {
            first_block -= len.div_ceil(block_states);
            let block = index;
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
            index = start + at as u64;
        }
        Ok(Some(index))
    }

    /// The key of the state of an index below the table's length.
    pub(crate) fn key<State: DeserializeOwned>(&self, index: u64) -> Result<State, TableError> {
        let FileLayout { len, format, .. } = self.reader.layout();
        let (block, at) = (index / format.block_states, index % format.block_states);
        let most = (len - block * format.block_states).min(format.block_states) as usize;
        let record = self.reader.state_record(block, most)?;
        let part = states_part(block);
        let states = self.states_of(&record, &part, most)?;
        states.state(at as usize).map_err(|error| TableError::malformed(part, error))
    }

    /// Visits the indices of a range that have a wanted value, in order, until `visit` returns
    /// `Break`.
    pub(crate) fn each_value<E: From<TableError>>(
        &self,
        indices: Range<u64>,
        wanted: &dyn Fn(Value) -> bool,
        visit: &mut dyn FnMut(u64, Value) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let BlockFormat { block_values, palette, .. } = &self.reader.layout().format;
        let scale = self.header().rules.scale();
        let mut packed = Vec::new();
        let mut next = indices.start;
        let end = indices.end.min(self.header().len);
        let mut block = None;
        while next < end {
            // A block can be long, so its values are unpacked in portions.
            let (number, at) = (next / block_values, next % block_values);
            let count = (block_values - at).min(end - next).min(AT_ONCE);
            let values = match block.take() {
                Some((of, values)) if of == number => values,
                _ => self.reader.values_in_turn(number)?,
            };
            values.copy_to(at as usize..(at + count) as usize, &mut packed, palette);
            block = Some((number, values));
            for (index, &packed) in (next..).zip(&packed) {
                let value = unpack(scale, packed, &index)?;
                if let Some(value) = value.filter(|&value| wanted(value))
                    && visit(index, value)?.is_break()
                {
                    return Ok(());
                }
            }
            next += count;
        }
        Ok(())
    }

    /// Decodes a block of states. Refuses a block with another number of states than expected.
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

    /// Whether unused indices have values, too.
    pub(crate) fn has_filled_unused(&self) -> bool {
        self.reader.layout().format.filled
    }

    /// The value of an index below the table's length; `None` for an unused index. The distance is
    /// 0 if the table stores outcomes only. Errors name `state`.
    pub(crate) fn value(
        &self,
        index: u64,
        state: &impl std::fmt::Debug,
    ) -> Result<Option<Value>, TableError> {
        unpack(self.header().rules.scale(), self.reader.packed_value(index)?, state)
    }
}

/// Refuses a file's key that is not the key of a state.
pub(crate) fn check_key<G: Game, I: Indexing<G>>(
    game: &G,
    key: &KeyOf<G, I>,
) -> Result<(), TableError> {
    if I::Lookup::is_key(game, key) {
        return Ok(());
    }
    let key = one_line(&format!("{key:?}"));
    let problem = format!("have {key}, which is no packed state of the game");
    Err(TableError::malformed("the states", problem))
}

/// The value with this packed form. Errors name `of`, its state or index.
fn unpack(
    scale: Scale,
    packed: u16,
    of: &impl std::fmt::Debug,
) -> Result<Option<Value>, TableError> {
    scale.unpack(packed).map_err(|NotAValue(packed)| {
        let of = one_line(&format!("{of:?}"));
        let problem = format!("stores {packed:#06x} for {of}, which is no value");
        TableError::malformed("the table", problem)
    })
}

/// The first of the places 0..`len` for which `before` returns false, or `len`. The places for
/// which it returns true come first.
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
