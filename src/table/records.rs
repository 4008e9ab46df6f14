//! The records of a table's header.

use serde::{Deserialize, Serialize};

use crate::numbering::NumberingKind;
use crate::summary::Summary;
use crate::table::fingerprint::Remembered;
use crate::value::Rules;

/// The header of a table: the game, the numbering, the rules and the statistics.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Header {
    /// The game's name: [`Stored::NAME`](super::Stored::NAME).
    pub game: String,
    /// The game with all its parameters, as JSON, so that a probe needs no other file.
    pub parameters: String,
    /// How the states are numbered.
    pub numbering: NumberingKind,
    /// How many indices there are, holes included.
    pub len: u64,
    /// What turns values into verdicts.
    pub rules: Rules,
    /// Whether the table has outcomes alone, without distances.
    pub outcomes_only: bool,
    /// How many states are won, lost and drawn, and at which distances.
    pub summary: Summary,
}

/// What all blocks of a table have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BlockFormat {
    /// The values that there are, ascending, if a byte is enough to tell which; else none.
    pub(crate) palette: Vec<u16>,
    /// Whether holes have values that mean nothing.
    pub(crate) filled: bool,
    /// How many values are in a block; a power of two.
    pub(crate) block_values: u64,
    /// How many states are in a block, where the table has states; a power of two.
    pub(crate) block_states: u64,
}

/// How many values are usually in a block: enough to be compressed well, few enough that a probe which
/// has to read it takes a third of a millisecond.
pub(crate) const BLOCK_VALUES: u64 = 1 << 18;

/// How many states are in a block.
pub(crate) const BLOCK_STATES: u64 = 1 << 14;

/// All that the header of a file holds.
#[derive(Serialize, Deserialize)]
pub(crate) struct HeaderRecord {
    pub(crate) header: Header,
    pub(crate) remembered: Vec<Remembered>,
    pub(crate) format: BlockFormat,
}

impl BlockFormat {
    /// Makes sure that the figures can be right, since files are not to be trusted.
    ///
    /// # Errors
    /// What is wrong.
    pub(crate) fn check(&self) -> Result<(), String> {
        // With one state to a block, the levels above the states would never end.
        let sizes = 2..=1 << 24;
        for (what, size) in [("values", self.block_values), ("states", self.block_states)] {
            if !sizes.contains(&size) || !size.is_power_of_two() {
                return Err(format!("has blocks of {size} {what}"));
            }
        }
        if !self.palette.is_sorted_by(|one, next| one < next) || self.palette.len() > 256 {
            return Err(format!(
                "has a palette of {} values that do not ascend",
                self.palette.len()
            ));
        }
        Ok(())
    }
}
