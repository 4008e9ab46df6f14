//! Reads the states that a table lists, with every check.
//!
//! The file is not trusted: states must be sorted, and a search for each must end at its place.

use serde::de::DeserializeOwned;

use crate::error::TableError;
use crate::runtime::progress::{OnProgress, Progress};
use crate::table::open::TableFile;
use crate::table::read::{FileLayout, states_part};
use crate::table::storage::Storage;

impl<S: Storage> TableFile<S> {
    /// Checks every part of the file for damage: reads every block, and compares its checksum.
    /// Takes little memory. Does not check whether the values are right.
    ///
    /// # Errors
    /// The first part that is damaged.
    pub(crate) fn verify_checksums(&self, progress: &mut OnProgress<'_>) -> Result<(), TableError> {
        let FileLayout { len, format, values, levels, .. } = self.reader.layout();
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
            report((block + 1) * format.block_values, progress)?;
        }
        let mut first_block = 0;
        for count in levels {
            let blocks = count.div_ceil(format.block_states);
            for block in 0..blocks {
                let start = block * format.block_states;
                let expected = (count - start).min(format.block_states) as usize;
                let record = self.reader.state_record(first_block + block, expected)?;
                self.states_of(&record, &states_part(first_block + block), expected)?;
                report(*len, progress)?;
            }
            first_block += blocks;
        }
        Ok(())
    }

    /// Visits all keys in the order of the file. Refuses a file whose search levels have other keys.
    pub(crate) fn visit_keys<Key: Clone + Eq + DeserializeOwned>(
        &self,
        visit: &mut dyn FnMut(Key) -> Result<(), TableError>,
        progress: &mut OnProgress<'_>,
    ) -> Result<(), TableError> {
        let FileLayout { len, format, levels, .. } = self.reader.layout();
        let block_states = format.block_states;
        // The first key of each block of level 0.
        let mut firsts: Vec<Key> = Vec::new();
        // On level n, the next state is `stride` of those further.
        let (mut first_block, mut stride) = (0, 1);
        for (level, &count) in levels.iter().enumerate() {
            let blocks = count.div_ceil(block_states);
            for block in 0..blocks {
                let start = block * block_states;
                let expected = (count - start).min(block_states) as usize;
                let part = states_part(first_block + block);
                let record = self.reader.state_record(first_block + block, expected)?;
                let read = self.states_of(&record, &part, expected)?;
                for at in 0..expected {
                    let key: Key =
                        read.state(at).map_err(|error| TableError::malformed(&part, error))?;
                    if level == 0 {
                        if at == 0 {
                            firsts.push(key.clone());
                        }
                        visit(key)?;
                    } else if firsts[(start + at as u64) as usize * stride as usize] != key {
                        let below = (start + at as u64) * stride;
                        let problem = format!("has another state for the first of block {below}");
                        return Err(TableError::malformed(part, problem));
                    }
                }
                if progress(Progress::Verifying { done: 0, of: *len }).is_break() {
                    return Err(TableError::Interrupted);
                }
            }
            first_block += blocks;
            if level > 0 {
                stride *= block_states;
            }
        }
        Ok(())
    }
}

/// Reads the keys of a table's states, and keeps the block that was read last. The key of a state
/// is the state itself, or its packed form.
#[derive(Debug)]
pub(crate) struct StateReader<Key> {
    /// The index of the first key in the block.
    first: u64,
    /// The keys of the block.
    keys: Vec<Key>,
    /// The last key of the previous block, for keys that are read in place.
    before: Option<Key>,
}

impl<Key> Default for StateReader<Key> {
    fn default() -> Self {
        StateReader { first: 0, keys: Vec::new(), before: None }
    }
}

impl<Key: Ord + Clone + DeserializeOwned> StateReader<Key> {
    /// The key of the state at an index. Fails unless the state is sorted behind the previous one,
    /// and a search for it ends there. `write` writes a key for messages.
    pub(crate) fn key_in_place<S: Storage>(
        &mut self,
        table: &TableFile<S>,
        index: u64,
        write: impl Fn(&Key) -> String,
    ) -> Result<&Key, TableError> {
        let block_states = table.reader.layout().format.block_states;
        let block = index / block_states;
        if self.keys.is_empty() || self.first != block * block_states {
            // The key before the block is read too, unless its block is the last one read.
            if let Some(before) = block.checked_sub(1)
                && (self.keys.is_empty() || self.first != before * block_states)
            {
                self.load(table, before)?;
            }
            self.before = if block > 0 { self.keys.last().cloned() } else { None };
            self.load(table, block)?;
            // If the searches for the first and the last key end at their places, so do all
            // searches for keys between them.
            for at in [0, self.keys.len() - 1] {
                if table.search(&self.keys[at])? != Some(self.first + at as u64) {
                    let problem =
                        format!("have another state for the first of a block near {block}");
                    return Err(TableError::malformed("the states", problem));
                }
            }
        }
        let at = (index - self.first) as usize;
        let before = if at == 0 { self.before.as_ref() } else { Some(&self.keys[at - 1]) };
        check_order(before, &self.keys[at], write)?;
        Ok(&self.keys[at])
    }

    /// The index of the state with this key; `None` if the table has no such state.
    pub(crate) fn index_of<S: Storage>(
        &mut self,
        table: &TableFile<S>,
        key: &Key,
    ) -> Result<Option<u64>, TableError> {
        if self.keys.first().is_none_or(|first| key < first)
            || self.keys.last().is_none_or(|last| key > last)
        {
            let Some(index) = table.search(key)? else { return Ok(None) };
            self.load(table, index / table.reader.layout().format.block_states)?;
            return Ok(Some(index));
        }
        Ok(self.keys.binary_search(key).ok().map(|at| self.first + at as u64))
    }

    /// Reads a block.
    fn load<S: Storage>(&mut self, table: &TableFile<S>, block: u64) -> Result<(), TableError> {
        let FileLayout { len, format, .. } = table.reader.layout();
        let first = block * format.block_states;
        let most = (len - first).min(format.block_states) as usize;
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

/// Fails unless a state is sorted behind the one before it, if there is one.
pub(crate) fn check_order<Key: Ord>(
    before: Option<&Key>,
    next: &Key,
    write: impl Fn(&Key) -> String,
) -> Result<(), TableError> {
    let Some(before) = before.filter(|before| *before >= next) else { return Ok(()) };
    let problem = format!("are not sorted: {} comes before {}", write(before), write(next));
    Err(TableError::malformed("the states", problem))
}
