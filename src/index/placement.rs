//! What lies on a board, as far as symmetries and numberings of the rest need to know.

use std::fmt::Debug;

use crate::index::Symmetries;

/// Something that lies on the cells of a board and can be carried along by its symmetries.
///
/// One set of cells, an array of sets (one for each kind of piece) and a pair of two placements are
/// ready. A game's own type is two short methods:
///
/// ```
/// use retrograde::index::Placement;
///
/// #[derive(Clone, Copy, Debug, PartialEq, Eq)]
/// struct Kings {
///     white: u8,
///     black: u8,
/// }
///
/// impl Placement for Kings {
///     fn occupied(self) -> u64 {
///         1 << self.white | 1 << self.black
///     }
///     fn map(self, mut image: impl FnMut(u64) -> u64) -> Kings {
///         let mut square = |square: u8| image(1 << square).trailing_zeros() as u8;
///         Kings { white: square(self.white), black: square(self.black) }
///     }
/// }
/// ```
pub trait Placement: Copy + Eq + Debug {
    /// All cells on which something lies.
    fn occupied(self) -> u64;

    /// The placement in which each set of cells is replaced by its image. The image of a set has
    /// as many cells as the set.
    #[must_use]
    fn map(self, image: impl FnMut(u64) -> u64) -> Self;

    /// Where an element of the group takes the placement.
    #[inline]
    #[must_use]
    fn moved(self, symmetries: &Symmetries, element: usize) -> Self {
        self.map(|set| symmetries.apply(element, set))
    }
}

impl Placement for u64 {
    #[inline]
    fn occupied(self) -> u64 {
        self
    }

    #[inline]
    fn map(self, mut image: impl FnMut(u64) -> u64) -> u64 {
        image(self)
    }
}

impl<const KINDS: usize> Placement for [u64; KINDS] {
    #[inline]
    fn occupied(self) -> u64 {
        self.into_iter().fold(0, |all, set| all | set)
    }

    #[inline]
    fn map(self, image: impl FnMut(u64) -> u64) -> [u64; KINDS] {
        // The method of arrays of the same name.
        <[u64; KINDS]>::map(self, image)
    }
}

impl<A: Placement, B: Placement> Placement for (A, B) {
    #[inline]
    fn occupied(self) -> u64 {
        self.0.occupied() | self.1.occupied()
    }

    #[inline]
    fn map(self, mut image: impl FnMut(u64) -> u64) -> (A, B) {
        (self.0.map(&mut image), self.1.map(&mut image))
    }
}
