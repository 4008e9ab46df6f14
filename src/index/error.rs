//! Why a numbering cannot be had.

use thiserror::Error;

/// Why a numbering or a group of symmetries cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The board is too large.
    #[error("{cells} cells: expected {most} at most")]
    TooManyCells {
        /// How many cells were asked for.
        cells: u32,
        /// How many there can be.
        most: u32,
    },
    /// The numbers would not fit into 64 bits.
    #[error("there are more than 2^64 - 1 numbers")]
    TooLong,
}
