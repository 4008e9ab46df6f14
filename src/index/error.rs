//! Errors of making a numbering.

use thiserror::Error;

/// Why a numbering, or a group of symmetries, can't be made.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The board has more cells than the numbering can handle.
    #[error("{cells} cells: expected {most} at most")]
    TooManyCells {
        /// The number of cells of the board.
        cells: u32,
        /// The most cells that are possible.
        most: u32,
    },
    /// The numbering would have more indices than 64 bits can count.
    #[error("the numbering would have more than 2^64 - 1 indices")]
    TooLong,
    /// A divisor is 0.
    #[error("the divisor is 0: expected 1 at least")]
    ZeroDivisor,
    /// A list that was read is too short or too long: counts of pieces, or limits of digits.
    #[error("a list of {found} numbers: expected {expected}")]
    WrongLength {
        /// The number of entries in the list.
        found: usize,
        /// The expected number of entries.
        expected: usize,
    },
    /// A generator of a group of symmetries has an image for too few or too many cells.
    #[error("generator {generator} of the symmetries has {found} images: expected {cells}")]
    ImagesMissing {
        /// The generator, from 0.
        generator: usize,
        /// The number of images of the generator.
        found: usize,
        /// The number of cells of the board.
        cells: u32,
    },
    /// A generator of a group of symmetries takes a cell to a cell that is not on the board.
    #[error(
        "generator {generator} of the symmetries takes cell {cell} to cell {image}: expected one \
         below {cells}"
    )]
    ImageOffBoard {
        /// The generator, from 0.
        generator: usize,
        /// The cell.
        cell: usize,
        /// The image of the cell under the generator.
        image: u8,
        /// The number of cells of the board.
        cells: u32,
    },
    /// A generator of a group of symmetries takes two cells to the same cell.
    #[error("generator {generator} of the symmetries takes two cells to cell {image}")]
    ImageTwice {
        /// The generator, from 0.
        generator: usize,
        /// The image of both cells.
        image: u8,
    },
    /// The group of symmetries has too many elements.
    #[error("the symmetries make a group of more than {most} elements")]
    TooManySymmetries {
        /// The most elements that are possible.
        most: usize,
    },
    /// The leading part has more items, or more orbits, than a table can hold.
    #[error(
        "{items} leading parts under {symmetries} symmetries: expected {most} leading parts at \
         most, and fewer where the symmetries are many; take fewer pieces as the leading part"
    )]
    TooManyLeading {
        /// The number of items of the leading part.
        items: u64,
        /// The number of elements of the group.
        symmetries: usize,
        /// The most items that are possible.
        most: u64,
    },
    /// A symmetry takes an item of the leading part to a value that is not among the items.
    #[error("symmetry {element} takes item {rank} of the leading part to none of its items")]
    NotClosed {
        /// The index of the item.
        rank: u64,
        /// The element of the group.
        element: usize,
    },
    /// A list of representatives of orbits that was read is wrong.
    #[error(
        "item {rank} is listed as a representative: expected the least item of each orbit, in \
         ascending order"
    )]
    NotRepresentative {
        /// The listed index.
        rank: u64,
    },
    /// Two parts that are combined are for boards of different sizes.
    #[error("a part for a board of {found} cells: expected one for {expected} cells")]
    OtherBoard {
        /// The number of cells that the part is for.
        found: u32,
        /// The number of cells, or of free cells, of the board.
        expected: u32,
    },
}

/// The message, so that a `main` that returns the error prints it.
impl std::fmt::Debug for IndexError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}
