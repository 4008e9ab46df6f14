//! The records of a table: header, directory, blocks.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::codec;
use super::frame::Section;
use crate::numbering::NumberingKind;
use crate::solve::Summary;
use crate::value::Rules;

/// How many states' values, or states, stand in one block.
pub(super) const BLOCK_STATES: u64 = 1 << 14;

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
    /// The table in figures.
    pub summary: Summary,
}

/// Where each block lies.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Directory {
    /// The blocks of values, in order, each of [`BLOCK_STATES`] but the last.
    pub(super) values: Vec<Section>,
    /// The blocks of states, likewise; empty in a dense table.
    pub(super) states: Vec<StateSection>,
}

/// Where a block of states lies, and the first of them, so that a search need not read the block.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StateSection {
    pub(super) section: Section,
    #[serde(with = "serde_bytes")]
    pub(super) first: Vec<u8>,
}

/// A block of states in ascending order, each a record of its own.
#[derive(Serialize, Deserialize)]
pub(super) struct StateBlock<'a> {
    /// The number of the first.
    pub(super) first: u64,
    layout: StateLayout,
    #[serde(borrow, with = "serde_bytes")]
    states: &'a [u8],
}

/// Where one state's bytes end and the next one's begin.
#[derive(Serialize, Deserialize)]
enum StateLayout {
    /// All states are of the same width, in bytes.
    Even { width: u32 },
    /// The end of each state.
    Uneven { ends: Vec<u32> },
}

impl StateBlock<'_> {
    /// The bytes of a block of these states.
    pub(super) fn encode<S: Serialize>(first: u64, states: &[S]) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let mut ends = Vec::with_capacity(states.len());
        for state in states {
            bytes.extend(codec::encode(state)?);
            ends.push(u32::try_from(bytes.len()).map_err(|_| "has states that are too long")?);
        }
        let width = ends.first().copied().unwrap_or(0);
        let even =
            ends.iter().zip(1..).all(|(&end, count)| u64::from(width) * count == u64::from(end));
        let layout = if even { StateLayout::Even { width } } else { StateLayout::Uneven { ends } };
        codec::encode(&StateBlock { first, layout, states: &bytes })
    }

    /// How many states there are.
    pub(super) fn len(&self) -> usize {
        match &self.layout {
            StateLayout::Even { width: 0 } => 1,
            StateLayout::Even { width } => self.states.len() / *width as usize,
            StateLayout::Uneven { ends } => ends.len(),
        }
    }

    /// The state at a place in the block.
    pub(super) fn state<S: DeserializeOwned>(&self, at: usize) -> Result<S, String> {
        let (start, end) = match &self.layout {
            StateLayout::Even { width } => (at * *width as usize, (at + 1) * *width as usize),
            StateLayout::Uneven { ends } => {
                let start = if at == 0 { 0 } else { ends[at - 1] as usize };
                (start, ends[at] as usize)
            }
        };
        codec::decode(self.states.get(start..end).ok_or("has a state outside its bytes")?)
    }
}
