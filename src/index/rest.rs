//! What lies on a board beside a leading part.

use crate::index::bits::{MOST_CELLS, all_cells, check_cells, compress, expand};
use crate::index::{IndexError, Placement, Ranking};

/// A numbering of what lies on a board beside a leading part: what there is and how it is numbered
/// may depend on where the leading part lies.
pub trait Rest<Lead> {
    /// What is numbered.
    type Item: Placement;

    /// How many items go with this leading part. Where a symmetry carries one leading part to
    /// another, it carries the items that go with it to those that go with the other.
    fn len(&self, lead: Lead) -> u64;

    /// The number of an item that goes with this leading part, below [`len`](Rest::len). For any
    /// other item this is any number, or a panic.
    fn rank(&self, lead: Lead, item: Self::Item) -> u64;

    /// The item of a number. For a number that is not below [`len`](Rest::len) this is any item, or
    /// a panic.
    fn unrank(&self, lead: Lead, rank: u64) -> Self::Item;
}

/// The rest lies on the cells that the leading part leaves free, which are always the same number:
/// a numbering of sets on that many cells.
///
/// It costs a [`compress`] or [`expand`] for each set.
#[derive(Clone, Debug)]
pub struct OnFreeCells<R> {
    all: u64,
    numbering: R,
}

impl<R: Ranking<Item: Placement>> OnFreeCells<R> {
    /// On a board of `cells` cells, a numbering of placements on as many as the leading part leaves
    /// free.
    ///
    /// # Errors
    /// When there are more than 64 cells.
    pub fn new(cells: u32, numbering: R) -> Result<OnFreeCells<R>, IndexError> {
        check_cells(cells, MOST_CELLS)?;
        Ok(OnFreeCells { all: all_cells(cells), numbering })
    }
}

impl<Lead: Placement, R: Ranking<Item: Placement>> Rest<Lead> for OnFreeCells<R> {
    type Item = R::Item;

    #[inline]
    fn len(&self, _: Lead) -> u64 {
        self.numbering.len()
    }

    #[inline]
    fn rank(&self, lead: Lead, item: R::Item) -> u64 {
        let free = self.all & !lead.occupied();
        self.numbering.rank(item.map(|set| compress(set, free)))
    }

    #[inline]
    fn unrank(&self, lead: Lead, rank: u64) -> R::Item {
        let free = self.all & !lead.occupied();
        self.numbering.unrank(rank).map(|set| expand(set, free))
    }
}

/// The rest is any set of the cells that the leading part leaves free: 2^free of them.
///
/// It costs a [`compress`] or [`expand`].
#[derive(Clone, Copy, Debug)]
pub struct FreeSubsets {
    all: u64,
}

impl FreeSubsets {
    /// On a board of `cells` cells.
    ///
    /// # Errors
    /// When there are more than 63 cells, of which there are 2^64 sets.
    pub fn new(cells: u32) -> Result<FreeSubsets, IndexError> {
        check_cells(cells, MOST_CELLS - 1)?;
        Ok(FreeSubsets { all: all_cells(cells) })
    }
}

impl<Lead: Placement> Rest<Lead> for FreeSubsets {
    type Item = u64;

    #[inline]
    fn len(&self, lead: Lead) -> u64 {
        1 << (self.all & !lead.occupied()).count_ones()
    }

    #[inline]
    fn rank(&self, lead: Lead, set: u64) -> u64 {
        compress(set, self.all & !lead.occupied())
    }

    #[inline]
    fn unrank(&self, lead: Lead, rank: u64) -> u64 {
        expand(rank, self.all & !lead.occupied())
    }
}

/// The rest is numbered without regard to the leading part, which it may overlap: then the index is
/// one that the game takes for a hole. Nothing has to be compressed; for pieces that are few on a
/// large board, so that they seldom meet.
#[derive(Clone, Debug)]
pub struct Anywhere<R>(
    /// The numbering of the rest.
    pub R,
);

impl<Lead, R: Ranking<Item: Placement>> Rest<Lead> for Anywhere<R> {
    type Item = R::Item;

    #[inline]
    fn len(&self, _: Lead) -> u64 {
        self.0.len()
    }

    #[inline]
    fn rank(&self, _: Lead, item: R::Item) -> u64 {
        self.0.rank(item)
    }

    #[inline]
    fn unrank(&self, _: Lead, rank: u64) -> R::Item {
        self.0.unrank(rank)
    }
}
