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
    /// A list of sets is too long.
    #[error("{sets} sets: expected 2^32 - 1 at most")]
    TooManySets {
        /// How many sets there are.
        sets: u64,
    },
    /// A permutation says of too few or too many cells where they go.
    #[error(
        "generator {generator} of the symmetries says of {found} cells where they go: expected \
         {cells}"
    )]
    ImagesMissing {
        /// Which generator, from 0.
        generator: usize,
        /// Of how many cells it says where they go.
        found: usize,
        /// How many cells the board has.
        cells: u32,
    },
    /// A permutation takes a cell to one that is not there.
    #[error(
        "generator {generator} of the symmetries takes cell {cell} to cell {image}: expected one \
         below {cells}"
    )]
    ImageOffBoard {
        /// Which generator, from 0.
        generator: usize,
        /// Which cell.
        cell: usize,
        /// Where it goes.
        image: u8,
        /// How many cells the board has.
        cells: u32,
    },
    /// A permutation takes two cells to the same.
    #[error("generator {generator} of the symmetries takes two cells to cell {image}")]
    ImageTwice {
        /// Which generator, from 0.
        generator: usize,
        /// Where both go.
        image: u8,
    },
    /// The group has too many elements.
    #[error("the symmetries make a group of more than {most} elements")]
    TooManySymmetries {
        /// How many there can be.
        most: usize,
    },
    /// The leading part has so many items that a table of them is too large.
    #[error("{items} leading parts under {symmetries} symmetries: too many for a table")]
    TooManyLeading {
        /// How many items the leading part has.
        items: u64,
        /// How many elements the group has.
        symmetries: usize,
    },
    /// A symmetry leads out of the items.
    #[error("symmetry {element} takes item {rank} of the leading part to none of its items")]
    NotClosed {
        /// The number of the item.
        rank: u64,
        /// The element of the group.
        element: usize,
    },
}
