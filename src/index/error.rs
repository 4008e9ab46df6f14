//! Why a numbering cannot be made.

use thiserror::Error;

/// Why a numbering, or a group of symmetries, cannot be made of what was given.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The board has more cells than the numbering can handle.
    #[error("{cells} cells: expected {most} at most")]
    TooManyCells {
        /// How many cells the board would have.
        cells: u32,
        /// How many there can be.
        most: u32,
    },
    /// There are more pieces than the numbering can handle.
    #[error("{pieces} pieces: expected {most} at most")]
    TooManyPieces {
        /// How many pieces there would be.
        pieces: u32,
        /// How many there can be.
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
        /// How many numbers the list has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A generator of a group of symmetries has an image for too few or too many cells.
    #[error("generator {generator} of the symmetries has {found} images: expected {cells}")]
    ImagesMissing {
        /// Which generator, from 0.
        generator: usize,
        /// How many images the generator has.
        found: usize,
        /// How many cells the board has.
        cells: u32,
    },
    /// A generator of a group of symmetries takes a cell to a cell that is not on the board.
    #[error(
        "generator {generator} of the symmetries takes cell {cell} to cell {image}: expected one \
         below {cells}"
    )]
    ImageOffBoard {
        /// Which generator, from 0.
        generator: usize,
        /// Which cell.
        cell: usize,
        /// Where the generator takes the cell.
        image: u8,
        /// How many cells the board has.
        cells: u32,
    },
    /// A generator of a group of symmetries takes two cells to the same cell.
    #[error("generator {generator} of the symmetries takes two cells to cell {image}")]
    ImageTwice {
        /// Which generator, from 0.
        generator: usize,
        /// Where both cells go.
        image: u8,
    },
    /// The group of symmetries has too many elements.
    #[error("the symmetries make a group of more than {most} elements")]
    TooManySymmetries {
        /// How many there can be.
        most: usize,
    },
    /// The leading part has more items, or more orbits, than a table can hold.
    #[error(
        "{items} leading parts under {symmetries} symmetries: expected {most} leading parts at \
         most, and fewer where the symmetries are many; take fewer pieces as the leading part"
    )]
    TooManyLeading {
        /// How many items the leading part has.
        items: u64,
        /// How many elements the group has.
        symmetries: usize,
        /// How many items there can be.
        most: u64,
    },
    /// A symmetry takes an item of the leading part to something that is not among the items.
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
        /// The index that is listed.
        rank: u64,
    },
    /// Two parts that are to be put together are for boards of different sizes.
    #[error("a part for a board of {found} cells: expected one for {expected} cells")]
    OtherBoard {
        /// How many cells the part is for.
        found: u32,
        /// How many cells the board has, or has free.
        expected: u32,
    },
}
