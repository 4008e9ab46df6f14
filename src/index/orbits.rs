//! The leading part of a placement, up to the symmetries of the board.

use std::collections::HashMap;
use std::sync::Arc;

use crate::index::{IndexError, Placement, Ranking, Symmetries};

/// What stands in the table for an item that is not numbered.
const NONE: u32 = u32::MAX;

/// The items of a numbering up to the symmetries of the board: of all items that symmetries carry
/// into one another (an orbit), the one with the least number is the representative, and the
/// representatives are numbered densely.
///
/// ```
/// use retrograde::index::{Combinations, Orbits, Placement, Ranking, Symmetries};
///
/// // Two stones on a board of 3 x 3: 36 ways, 8 of them really different.
/// let board = Symmetries::rectangle(3, 3)?;
/// let stones = Orbits::new(Combinations::new(9, 2)?, board)?;
/// assert_eq!(stones.len(), 8);
///
/// let corner_and_edge = 0b_000_000_011;
/// let orbit = stones.locate(corner_and_edge);
/// let carried = corner_and_edge.moved(stones.symmetries(), orbit.element);
/// assert_eq!(carried, stones.representative(orbit.number));
/// # Ok::<(), retrograde::index::IndexError>(())
/// ```
///
/// A table has 4 bytes for each item of the numbering that is folded, so that it should be the
/// numbering of a part only: one player's stones, the two kings. [`Folded`](super::Folded) numbers
/// the rest. Looking up an item takes its rank and one load. Building the table takes as long as
/// finding the images of all items, about.
#[derive(Clone, Debug)]
pub struct Orbits<L: Ranking> {
    lead: L,
    symmetries: Arc<Symmetries>,
    /// For each item the number of its orbit, whether that has a stabiliser, and the element that
    /// carries the item to the representative, in so many of the lowest bits.
    entries: Vec<u32>,
    element_bits: u32,
    representatives: Vec<L::Item>,
    /// For each orbit the place of its representative's stabiliser among all that there are.
    stabiliser_of: Vec<u16>,
    /// Groups of elements without the identity; the first has none.
    stabilisers: Vec<Vec<u16>>,
}

/// Where an item is among the orbits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orbit {
    /// The number of the orbit.
    pub number: usize,
    /// An element that carries the item to the orbit's representative.
    pub element: usize,
    /// Whether other elements than the identity leave the representative as it is, so that
    /// [`Orbits::stabiliser`] has something to tell.
    pub symmetric: bool,
}

impl<L: Ranking<Item: Placement>> Orbits<L> {
    /// The orbits of all items of `lead`.
    ///
    /// The symmetries can be shared with other parts, in an `Arc`.
    ///
    /// # Errors
    /// When there are too many items, or a symmetry carries an item to one that `lead` does not have.
    pub fn new(lead: L, symmetries: impl Into<Arc<Symmetries>>) -> Result<Self, IndexError> {
        Orbits::accepting(lead, symmetries, |_| true)
    }

    /// The orbits of those items of `lead` that are accepted: pairs of kings that are not
    /// neighbours, say. An item that is not accepted must never be looked up.
    ///
    /// # Errors
    /// When there are too many items, or a symmetry carries an accepted item to one that is not
    /// accepted or that `lead` does not have.
    pub fn accepting(
        lead: L,
        symmetries: impl Into<Arc<Symmetries>>,
        accept: impl Fn(L::Item) -> bool,
    ) -> Result<Self, IndexError> {
        let symmetries = symmetries.into();
        let len = lead.len();
        let element_bits = symmetries.order().next_power_of_two().ilog2();
        let too_many = IndexError::TooManyLeading { items: len, symmetries: symmetries.order() };
        let most_orbits = (NONE >> (element_bits + 1)) as usize;
        let items = usize::try_from(len).map_err(|_| too_many.clone())?;
        let mut entries = Vec::new();
        entries.try_reserve_exact(items).map_err(|_| too_many.clone())?;
        entries.resize(items, NONE);
        let mut orbits = Orbits {
            lead,
            symmetries,
            entries,
            element_bits,
            representatives: Vec::new(),
            stabiliser_of: Vec::new(),
            stabilisers: vec![Vec::new()],
        };
        let mut known = HashMap::from([(Vec::new(), 0)]);
        for rank in 0..len {
            if orbits.entries[rank as usize] != NONE {
                continue;
            }
            let item = orbits.lead.unrank(rank);
            if !accept(item) {
                continue;
            }
            if orbits.representatives.len() == most_orbits {
                return Err(too_many);
            }
            let stabiliser = orbits.add(rank, item, &accept)?;
            let next = orbits.stabilisers.len();
            let place = *known.entry(stabiliser).or_insert_with_key(|stabiliser| {
                orbits.stabilisers.push(stabiliser.clone());
                next
            });
            orbits.stabiliser_of.push(place as u16);
        }
        Ok(orbits)
    }

    /// Enters the orbit of a representative, and finds its stabiliser.
    fn add(
        &mut self,
        rank: u64,
        item: L::Item,
        accept: impl Fn(L::Item) -> bool,
    ) -> Result<Vec<u16>, IndexError> {
        let order = self.symmetries.order();
        let images: Vec<(u64, L::Item)> = (0..order)
            .map(|element| item.moved(&self.symmetries, element))
            .map(|image| (self.lead.rank(image), image))
            .collect();
        let stabiliser: Vec<u16> =
            (1..order).filter(|&element| images[element].0 == rank).map(|at| at as u16).collect();
        let number = self.representatives.len() as u32;
        let entry = number << 1 | u32::from(!stabiliser.is_empty());
        for (element, (image_rank, image)) in images.into_iter().enumerate() {
            let known = image_rank < self.lead.len() && self.lead.unrank(image_rank) == image;
            if !known || !accept(image) {
                return Err(IndexError::NotClosed { rank, element });
            }
            let back = self.symmetries.inverse(element) as u32;
            let old = &mut self.entries[image_rank as usize];
            if *old == NONE {
                *old = entry << self.element_bits | back;
            }
        }
        self.representatives.push(item);
        Ok(stabiliser)
    }

    /// How many orbits there are.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.representatives.len()
    }

    /// Whether there is no orbit at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.representatives.is_empty()
    }

    /// The orbit of an item, and how to get from the item to its representative.
    #[inline]
    #[must_use]
    pub fn locate(&self, item: L::Item) -> Orbit {
        let entry = self.entries[self.lead.rank(item) as usize];
        debug_assert!(entry != NONE, "the item was not accepted");
        Orbit {
            number: (entry >> self.element_bits >> 1) as usize,
            element: (entry & !(u32::MAX << self.element_bits)) as usize,
            symmetric: entry >> self.element_bits & 1 == 1,
        }
    }

    /// The representative of an orbit.
    ///
    /// # Panics
    /// If there is no such orbit.
    #[inline]
    #[must_use]
    pub fn representative(&self, number: usize) -> L::Item {
        self.representatives[number]
    }

    /// All representatives, in the order of their numbers.
    pub fn representatives(&self) -> impl ExactSizeIterator<Item = L::Item> {
        self.representatives.iter().copied()
    }

    /// The elements of the group other than the identity that leave the representative of an orbit
    /// as it is.
    ///
    /// # Panics
    /// If there is no such orbit.
    #[inline]
    pub fn stabiliser(&self, number: usize) -> impl ExactSizeIterator<Item = usize> {
        let stabiliser = &self.stabilisers[usize::from(self.stabiliser_of[number])];
        stabiliser.iter().map(|&element| usize::from(element))
    }

    /// The numbering whose items are folded.
    #[must_use]
    pub fn lead(&self) -> &L {
        &self.lead
    }

    /// The group that folds them.
    #[inline]
    #[must_use]
    pub fn symmetries(&self) -> &Symmetries {
        &self.symmetries
    }
}
