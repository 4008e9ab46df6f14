//! The states of a table, a block at a time.

use serde::de::DeserializeOwned;

use crate::error::TableError;
use crate::table::open::Tablebase;
use crate::table::read::{Layout, states_part};
use crate::table::storage::Storage;

/// Reads what is kept of a table's states, and remembers the last block.
#[derive(Debug)]
pub struct StateReader<Key> {
    /// The number of the first.
    first: u64,
    keys: Vec<Key>,
    /// The last of the block before, where states are read in place.
    before: Option<Key>,
}

impl<Key> Default for StateReader<Key> {
    fn default() -> Self {
        StateReader { first: 0, keys: Vec::new(), before: None }
    }
}

impl<Key: Ord + Clone + DeserializeOwned> StateReader<Key> {
    /// What is kept of the state of a number, which stands where a search for it ends: behind the one
    /// before it, and as the levels above say.
    pub(crate) fn key_in_place<S: Storage>(
        &mut self,
        table: &Tablebase<S>,
        number: u64,
        write: impl Fn(&Key) -> String,
    ) -> Result<&Key, TableError> {
        let block_states = table.reader.layout().arrangement.block_states;
        let block = number / block_states;
        if self.keys.is_empty() || self.first != block * block_states {
            // What stands before it is read, too, if it was not.
            if let Some(before) = block.checked_sub(1)
                && (self.keys.is_empty() || self.first != before * block_states)
            {
                self.load(table, before)?;
            }
            self.before = if block > 0 { self.keys.last().cloned() } else { None };
            self.load(table, block)?;
            // Where a search for its first and its last ends there, so does one for all between.
            for at in [0, self.keys.len() - 1] {
                if table.search(&self.keys[at])? != Some(self.first + at as u64) {
                    let problem =
                        format!("have another state for the first of a block near {block}");
                    return Err(TableError::malformed("the states", problem));
                }
            }
        }
        let at = (number - self.first) as usize;
        let before = if at == 0 { self.before.as_ref() } else { Some(&self.keys[at - 1]) };
        if let Some(before) = before {
            check_order(before, &self.keys[at], write)?;
        }
        Ok(&self.keys[at])
    }

    /// The number of the state of which that is kept.
    pub(crate) fn number<S: Storage>(
        &mut self,
        table: &Tablebase<S>,
        key: &Key,
    ) -> Result<Option<u64>, TableError> {
        if self.keys.first().is_none_or(|first| key < first)
            || self.keys.last().is_none_or(|last| key > last)
        {
            let Some(number) = table.search(key)? else { return Ok(None) };
            self.load(table, number / table.reader.layout().arrangement.block_states)?;
            return Ok(Some(number));
        }
        Ok(self.keys.binary_search(key).ok().map(|at| self.first + at as u64))
    }

    /// Reads a block.
    fn load<S: Storage>(&mut self, table: &Tablebase<S>, block: u64) -> Result<(), TableError> {
        let Layout { len, arrangement, .. } = table.reader.layout();
        let first = block * arrangement.block_states;
        let most = (len - first).min(arrangement.block_states) as usize;
        let record = table.reader.state_record(block, most)?;
        let part = states_part(block);
        let states = table.states_of(&record, &part, most)?;
        self.first = first;
        self.keys.clear();
        for at in 0..most {
            let key = states.state(at).map_err(|error| TableError::malformed(&part, error))?;
            self.keys.push(key);
        }
        Ok(())
    }
}

/// Makes sure that one state stands before the next.
pub(crate) fn check_order<Key: Ord>(
    one: &Key,
    next: &Key,
    write: impl Fn(&Key) -> String,
) -> Result<(), TableError> {
    if one < next {
        return Ok(());
    }
    let problem = format!("are not sorted: {} stands before {}", write(one), write(next));
    Err(TableError::malformed("the states", problem))
}
