//! Ready-made parts for a game's numbering ([`Indexed`](crate::Indexed),
//! [`TierIndexed`](crate::TierIndexed)).
//!
//! Sets of cells are bit masks: cell 0 is the lowest bit of a `u64`. A board has up to 64 cells.
//!
//! | what gets indices | part |
//! | --- | --- |
//! | k like pieces on n cells | [`Combinations`] |
//! | several kinds of pieces, a given number of each | [`Arrangements`] |
//! | cells that are each empty, the first player's or the second's | [`DisjointSets`] |
//! | lists of numbers, each below its own limit | [`MixedRadix`] |
//! | two independent parts of a state | [`Pairs`] |
//! | states of several kinds, one kind after another | [`Concatenated`] |
//! | placements up to the symmetries of the board | [`Folded`] |
//!
//! Any set of n cells needs no part: its bit mask is an index below 2^n.
//!
//! Each part has the methods `len`, `rank` and `unrank`. The trait [`Ranking`] offers them to
//! generic code; a concrete part is used without importing the trait.
//!
//! [`Folded`] folds the symmetries of the board ([`Symmetries`]): a leading part of the placement
//! is taken up to symmetry ([`Orbits`]), and the rest of the placement is a [`RemainderRanking`].
//!
//! # Unused indices
//! An index is *unused* if no item has it. Of these parts only [`Folded`] leaves indices unused,
//! and [`Pairs`] and [`Concatenated`] of numberings that do. Their `unrank` returns an `Option`: `None`
//! for an unused index. The others use every index below `len`, and their `unrank` returns the
//! item.
//!
//! # Writing and reading
//! Every part implements serde's `Serialize` and `Deserialize`. It is written as the few numbers of
//! which it is made, never with its tables. It is made anew when it is read, with the checks of its
//! constructor, so a damaged or forged file is an error.

/// Implements [`Ranking`] for a part by the part's own methods `rank` and `unrank`, and gives the part
/// methods `len` and `is_empty` of its own, too.
///
/// In brackets: the generic parameters. `len` with its documentation, `board` and `unrank` are
/// expressions of the part, and of the index, because the parts differ in them.
macro_rules! impl_ranking {
    (
        [$($generics:tt)*] $part:ty, $item:ty,
        $(#[$len_doc:meta])*
        len: |$len_of:ident| $len:expr,
        board: |$board_of:ident| $board:expr,
        unrank: |$unrank_of:ident, $index:ident| $unrank:expr $(,)?
    ) => {
        impl<$($generics)*> $part {
            $(#[$len_doc])*
            #[inline]
            #[must_use]
            pub fn len(&self) -> u64 {
                let $len_of = self;
                $len
            }

            /// Whether there is no index.
            #[inline]
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }
        }

        impl<$($generics)*> $crate::index::Ranking for $part {
            type Item = $item;

            #[inline]
            fn len(&self) -> u64 {
                <$part>::len(self)
            }

            #[inline]
            fn rank(&self, item: $item) -> u64 {
                <$part>::rank(self, item)
            }

            #[inline]
            fn unrank(&self, $index: u64) -> Option<$item> {
                let $unrank_of = self;
                $unrank
            }

            fn board(&self) -> Option<u32> {
                let $board_of = self;
                $board
            }
        }
    };
}

mod arrangements;
mod bits;
mod combinations;
mod composed;
mod disjoint_sets;
mod divisor;
pub(crate) mod error;
mod folded;
mod folded_lead;
mod halves;
mod orbits;
mod starts;
mod symmetries;

pub use arrangements::Arrangements;
pub use bits::{all_cells, binomial, compress, expand, singles};
pub use combinations::Combinations;
pub use composed::{Concatenated, MixedRadix, Pairs};
pub use disjoint_sets::DisjointSets;
pub use divisor::Divisor;
pub use folded::{Folded, OnFreeCells, RemainderRanking};
pub use folded_lead::FoldedLead;
pub use orbits::{MOST_LEADING, Orbit, Orbits};
pub use symmetries::{MOST_SYMMETRIES, Placement, Symmetries};

use std::fmt::Debug;

/// A numbering of items: each item has an index below `len` of its own.
///
/// An index below `len` that no item has is *unused*. [`Folded`] leaves some indices unused;
/// [`Combinations`], [`Arrangements`], [`DisjointSets`] and [`MixedRadix`] leave none.
///
/// The trait is for code that works with any numbering. Each part of this module has the methods
/// itself, too, so the trait need not be imported to use a part. The part's own `unrank` returns
/// the item without an `Option` if no index is unused.
///
/// ```
/// use retrograde::index::{Combinations, Ranking};
///
/// fn used_indices<R: Ranking>(numbering: &R) -> usize {
///     (0..numbering.len()).filter_map(|index| numbering.unrank(index)).count()
/// }
/// assert_eq!(used_indices(&Combinations::new(9, 4)?), 126);
/// # Ok::<(), retrograde::error::IndexError>(())
/// ```
pub trait Ranking {
    /// The type of the items: a set of cells, a list of digits, or any small value of a game.
    type Item: Copy + Eq + Debug;

    /// The number of indices, unused ones included. Every index is below it.
    fn len(&self) -> u64;

    /// Whether there is no index.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The index of an item, below [`len`](Ranking::len).
    ///
    /// For a value that is not an item (a set of the wrong size, for example), the result is any
    /// number, or the method panics.
    fn rank(&self, item: Self::Item) -> u64;

    /// The item of an index below [`len`](Ranking::len); `None` if the index is unused.
    ///
    /// For a number not below `len`, the result is anything, or the method panics.
    fn unrank(&self, index: u64) -> Option<Self::Item>;

    /// The number of cells of the items' board; `None` if it is not known.
    ///
    /// [`Orbits`] and [`Folded`] use it to refuse parts that are for boards of different sizes. The
    /// default is `None`, which skips the check.
    fn board(&self) -> Option<u32> {
        None
    }
}
