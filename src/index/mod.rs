//! Ready-made parts for a game's numbering ([`Indexed`](crate::Indexed), [`TierIndexed`](crate::TierIndexed)).
//!
//! Sets of cells are bit masks: cell 0 is the lowest bit of a `u64`, and a board has up to 64 cells.
//!
//! | to number | use |
//! | --- | --- |
//! | k like pieces on n cells | [`Combinations`] |
//! | several kinds of pieces, so many of each | [`Arrangements`] |
//! | cells that are each empty, the first player's or the second's | [`DisjointSets`] |
//! | sets of cells of any size | [`AllSubsets`] |
//! | sets of cells that a rule accepts | [`Subsets`] |
//! | orders of different items | [`Permutations`] |
//! | lists of numbers, each in a range of its own | [`MixedRadix`] |
//! | pairs; one kind of items or another | [`Pairs`], [`InTurn`] |
//!
//! All of them are a [`Ranking`]: `len`, `rank` and `unrank`.
//!
//! Symmetries of the board ([`Symmetries`]) are folded by [`Folded`]: the numbering of one part is
//! taken up to symmetry ([`Orbits`]), and the [`Rest`] follows it.

mod arrangements;
mod bits;
mod combinations;
mod composed;
mod disjoint_sets;
mod divisor;
mod error;
mod folded;
mod halves;
mod mixed_radix;
mod orbits;
mod permutations;
mod placement;
mod rest;
mod starts;
mod subsets;
mod symmetries;

pub use arrangements::Arrangements;
pub use bits::{all_cells, binomial, compress, expand};
pub use combinations::Combinations;
pub use composed::{InTurn, Pairs};
pub use disjoint_sets::DisjointSets;
pub use divisor::Divisor;
pub use error::IndexError;
pub use folded::Folded;
pub use mixed_radix::MixedRadix;
pub use orbits::{Orbit, Orbits};
pub use permutations::Permutations;
pub use placement::Placement;
pub use rest::{Anywhere, FreeSubsets, OnFreeCells, Rest};
pub use subsets::{AllSubsets, Subsets};
pub use symmetries::{MOST_SYMMETRIES, Symmetries};

use std::fmt::Debug;

/// A dense numbering of items: a one-to-one map between them and the numbers 0..`len`.
///
/// ```
/// use retrograde::index::{Combinations, Ranking};
///
/// fn is_numbered<R: Ranking>(numbering: &R) -> bool {
///     (0..numbering.len()).all(|rank| numbering.rank(numbering.unrank(rank)) == rank)
/// }
/// assert!(is_numbered(&Combinations::new(9, 4)?));
/// # Ok::<(), retrograde::index::IndexError>(())
/// ```
pub trait Ranking {
    /// What is numbered.
    type Item: Copy + Eq + Debug;

    /// How many items there are.
    fn len(&self) -> u64;

    /// Whether there is no item at all.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of an item, below [`len`](Ranking::len). For anything that is not among the items
    /// (a set of the wrong size, say) this is any number, or a panic.
    fn rank(&self, item: Self::Item) -> u64;

    /// The item of a number. For a number that is not below [`len`](Ranking::len) this is any item,
    /// or a panic.
    fn unrank(&self, rank: u64) -> Self::Item;
}
