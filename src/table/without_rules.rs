//! The values of a table by index, from its files alone: without the rules of its game.

use std::ops::Range;

use crate::error::TableError;
use crate::game::value::{NotAValue, Rules, Scale, Value};
use crate::runtime::progress::unheard;
use crate::table::Table;
use crate::table::open::TableFile;
use crate::table::parts::Files;
use crate::table::storage::Storage;

impl<S: Storage> Table<S> {
    /// The number of indices, unused ones included. The tiers of a folder are numbered one behind the
    /// other, in solving order.
    ///
    /// # Errors
    /// When the file of a tier can't be opened, or is missing and the manifest does not count its states.
    pub fn index_count(&self) -> Result<u64, TableError> {
        Ok(self.ranges()?.last().map_or(0, |range| range.end))
    }

    /// The values of a range of indices, for the player to move in each state; `None` for an unused
    /// index. Needs no rules, and so does not know the states: a [prober](Table::prober) does. The
    /// distance is 0 if the table stores outcomes only.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
    /// use retrograde::{Table, Value};
    ///
    /// let table = Table::open(&path)?;
    /// assert_eq!(table.index_count()?, 22);
    /// let values = table.values(20..22)?;
    /// assert_eq!(values, [Some(Value::Loss(10)), Some(Value::Win(11))]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`index_count`](Table::index_count). When a file is damaged, when the range does not lie within
    /// the table, and when only the rules say which of its indices have states
    /// ([`NeedsRules`](TableError::NeedsRules)).
    pub fn values(&self, indices: Range<u64>) -> Result<Vec<Option<Value>>, TableError> {
        let scale = self.rules()?.map_or(Scale::PLAIN, Rules::scale);
        let value = |packed: u16| {
            let malformed = |NotAValue(packed)| {
                let problem = format!("stores {packed:#06x}, which is no value");
                TableError::malformed("the table", problem)
            };
            scale.unpack(packed).map_err(malformed)
        };
        self.packed_values(indices)?.into_iter().map(value).collect()
    }

    /// The values of a range of indices as the file stores them. Unused indices have the value 0.
    pub(crate) fn packed_values(&self, indices: Range<u64>) -> Result<Vec<u16>, TableError> {
        let ranges = self.ranges()?;
        let count = ranges.last().map_or(0, |range| range.end);
        if indices.start > indices.end || indices.end > count {
            return Err(TableError::NoSuchIndex { asked: indices, count });
        }
        let mut packed = Vec::new();
        for (tier, Range { start, end }) in ranges.into_iter().enumerate() {
            let within = indices.start.max(start)..indices.end.min(end);
            if within.is_empty() {
                continue;
            }
            let within = within.start - start..within.end - start;
            match &self.0 {
                Files::One(file) => packed.extend(values_of(file, within)?),
                Files::Tiers(folder) => {
                    let values = values_of(folder.table(tier)?, within);
                    packed.extend(values.map_err(TableError::at(&folder.file(tier)))?);
                }
            }
        }
        Ok(packed)
    }

    /// The indices of each tier; of a file, those of its only one.
    fn ranges(&self) -> Result<Vec<Range<u64>>, TableError> {
        let lengths = match &self.0 {
            Files::One(file) => vec![file.header().len],
            Files::Tiers(folder) => folder.lengths()?,
        };
        let mut end = 0_u64;
        let range = |length: u64| {
            let start = end;
            end = end.saturating_add(length);
            start..end
        };
        Ok(lengths.into_iter().map(range).collect())
    }
}

/// The values of a file, if the file says which of its indices have states.
fn values_of<S: Storage>(file: &TableFile<S>, indices: Range<u64>) -> Result<Vec<u16>, TableError> {
    let header = file.header();
    let has_all = header.numbering.has_states() || header.summary.states() == header.len;
    if file.has_filled_unused() && !has_all {
        return Err(TableError::NeedsRules);
    }
    file.packed_values(indices, &mut *unheard())
}
