//! What a table says of itself.

use serde::{Deserialize, Serialize};

use crate::numbering::NumberingKind;
use crate::summary::Summary;
use crate::value::Rules;

/// What a table says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The game's name: [`Stored::NAME`](super::Stored::NAME).
    pub game: String,
    /// The game itself with all its parameters, as JSON, so that a probe needs no other file.
    pub parameters: String,
    /// How the states are numbered.
    pub numbering: NumberingKind,
    /// How many numbers there are, holes included.
    pub len: u64,
    /// What turns values into verdicts.
    pub rules: Rules,
    /// Whether the table has outcomes alone, without distances.
    pub outcomes_only: bool,
    /// The table in figures.
    pub summary: Summary,
}

/// How the rest of the file is laid out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TableLayout {
    /// The values that there are, ascending, if a byte is enough to tell which; else none.
    pub(crate) list: Vec<u16>,
    /// Whether holes have values that stand for nothing.
    pub(crate) filled: bool,
    /// How many values stand in a block.
    pub(crate) block_values: u64,
    /// How many states stand in a block, where there are any.
    pub(crate) block_states: u64,
}

/// How many values stand in one block: enough to be compressed well, few enough that a probe which
/// has to read it takes a third of a millisecond.
pub(crate) const BLOCK_VALUES: u64 = 1 << 18;

/// How many states stand in one block.
pub(crate) const BLOCK_STATES: u64 = 1 << 14;

/// The record of the header.
#[derive(Serialize, Deserialize)]
pub(crate) struct HeaderRecord {
    pub(crate) header: Header,
    pub(crate) arrangement: TableLayout,
}

impl TableLayout {
    /// What is wrong with it, if anything is: files are not to be trusted.
    pub(crate) fn check(&self) -> Result<(), String> {
        // With one to a block, the levels above the states would never end.
        let sizes = 2..=1 << 24;
        for (what, size) in [("values", self.block_values), ("states", self.block_states)] {
            if !sizes.contains(&size) || !size.is_power_of_two() {
                return Err(format!("has blocks of {size} {what}"));
            }
        }
        if !self.list.is_sorted_by(|one, next| one < next) || self.list.len() > 256 {
            return Err(format!("has a list of {} values that do not ascend", self.list.len()));
        }
        Ok(())
    }
}
