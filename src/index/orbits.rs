//! The leading part of a placement, up to the symmetries of the board.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

use crate::index::error::IndexError;
use crate::index::{Placement, Ranking, Symmetries};

/// The most items in the numbering of a leading part ([`Orbits`]): 2^26, for which the table takes
/// 256 MiB.
pub const MOST_LEADING: u64 = 1 << 26;

/// The entry of an item that belongs to no orbit.
const NONE: u32 = u32::MAX;

/// The items of a numbering up to the symmetries of the board.
///
/// All items that symmetries carry into one another are an orbit. The item with the least index
/// represents its orbit. The orbits have the indices from 0 to [`len`](Orbits::len), in the order
/// of their representatives.
///
/// ```
/// use retrograde::index::{Combinations, Orbits, Placement, Symmetries};
///
/// // Two stones on a board of 3 x 3: 36 ways, 8 of them really different.
/// let board = Symmetries::rectangle(3, 3)?;
/// let stones = Orbits::new(Combinations::new(9, 2)?, board)?;
/// assert_eq!(stones.len(), 8);
///
/// let corner_and_edge = 0b_000_000_011;
/// let orbit = stones.locate(corner_and_edge);
/// let carried = corner_and_edge.moved(stones.symmetries(), orbit.element);
/// assert_eq!(carried, stones.representative(orbit.index));
/// # Ok::<(), retrograde::error::IndexError>(())
/// ```
///
/// # Cost
/// A table takes 4 bytes for each item, so the numbering should cover only a part of the placement:
/// one player's stones, or the two kings. [`Folded`](super::Folded) adds the rest. Looking up an
/// item takes its rank and one load. Building the table takes about as long as finding the images
/// of all items.
///
/// With serde the orbits are written as the numbering and the symmetries. If not every item was
/// accepted, the representatives are written, too. The table is built anew when the orbits are
/// read. Orbits that were shared in an `Arc` are read once for each place in which they were
/// written.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    try_from = "Written<L>",
    bound(deserialize = "L: Ranking<Item: Placement> + Deserialize<'de>")
)]
pub struct Orbits<L: Ranking> {
    lead: L,
    symmetries: Arc<Symmetries>,
    /// For each item: in the lowest bits the element that carries it to the representative, then
    /// whether the orbit has a stabiliser, then the index of the orbit.
    entries: Vec<u32>,
    /// The number of bits of the element in an entry.
    element_bits: u32,
    representatives: Vec<L::Item>,
    /// For each orbit, the place of its representative's stabiliser in `stabilisers`.
    stabiliser_of: Vec<u16>,
    /// Groups of elements without the identity; the first is empty.
    stabilisers: Vec<Vec<u16>>,
}

/// The form in which [`Orbits`] are read.
#[derive(Deserialize)]
#[serde(rename = "Orbits", deny_unknown_fields)]
struct Written<L> {
    lead: L,
    symmetries: Symmetries,
    representatives: Option<Vec<u64>>,
}

/// The form in which [`Orbits`] are written.
#[derive(Serialize)]
#[serde(rename = "Orbits")]
struct Writing<'a, L> {
    lead: &'a L,
    symmetries: &'a Symmetries,
    representatives: Option<Vec<u64>>,
}

impl<L: Ranking + Serialize> Serialize for Orbits<L> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ranks = || self.representatives.iter().map(|&item| self.lead.rank(item)).collect();
        let representatives = self.entries.contains(&NONE).then(ranks);
        let (lead, symmetries) = (&self.lead, &*self.symmetries);
        Writing { lead, symmetries, representatives }.serialize(serializer)
    }
}

impl<L: Ranking<Item: Placement>> TryFrom<Written<L>> for Orbits<L> {
    type Error = IndexError;

    fn try_from(written: Written<L>) -> Result<Self, IndexError> {
        let Some(ranks) = written.representatives else {
            return Orbits::new(written.lead, written.symmetries);
        };
        let mut builder = Builder::new(written.lead, written.symmetries.into())?;
        let mut least = 0;
        for rank in ranks {
            let wrong = IndexError::NotRepresentative { rank };
            if rank < least || rank >= builder.orbits.lead.len() {
                return Err(wrong);
            }
            let item = builder.orbits.lead.unrank(rank).ok_or(wrong)?;
            builder.add(rank, item, |_| true)?;
            least = rank + 1;
        }
        Ok(builder.orbits)
    }
}

/// Orbits that are being built.
struct Builder<L: Ranking> {
    orbits: Orbits<L>,
    /// The place of each known stabiliser.
    stabilisers: HashMap<Vec<u16>, u16>,
}

impl<L: Ranking<Item: Placement>> Builder<L> {
    /// A builder without orbits.
    fn new(lead: L, symmetries: Arc<Symmetries>) -> Result<Builder<L>, IndexError> {
        if let Some(found) = lead.board().filter(|&cells| cells != symmetries.cells()) {
            return Err(IndexError::OtherBoard { found, expected: symmetries.cells() });
        }
        let items = lead.len();
        let element_bits = symmetries.order().next_power_of_two().ilog2();
        let orbits = Orbits {
            lead,
            symmetries,
            entries: Vec::new(),
            element_bits,
            representatives: Vec::new(),
            stabiliser_of: Vec::new(),
            stabilisers: vec![Vec::new()],
        };
        let mut builder = Builder { orbits, stabilisers: HashMap::from([(Vec::new(), 0)]) };
        let too_many = builder.too_many();
        if items > MOST_LEADING {
            return Err(too_many);
        }
        let entries = &mut builder.orbits.entries;
        entries.try_reserve_exact(items as usize).map_err(|_| too_many)?;
        entries.resize(items as usize, NONE);
        Ok(builder)
    }

    fn too_many(&self) -> IndexError {
        let (items, symmetries) = (self.orbits.lead.len(), self.orbits.symmetries.order());
        IndexError::TooManyLeading { items, symmetries, most: MOST_LEADING }
    }

    /// Adds the orbit of a representative. The item must be the least of its orbit.
    fn add(
        &mut self,
        rank: u64,
        item: L::Item,
        accept: impl Fn(L::Item) -> bool,
    ) -> Result<(), IndexError> {
        let Orbits { lead, symmetries, entries, representatives, element_bits, .. } =
            &mut self.orbits;
        let most_orbits = (NONE >> (*element_bits + 1)) as usize;
        if representatives.len() == most_orbits {
            return Err(self.too_many());
        }
        let order = symmetries.order();
        let images: Vec<(u64, L::Item)> = (0..order)
            .map(|element| item.moved(symmetries, element))
            .map(|image| (lead.rank(image), image))
            .collect();
        let stabiliser: Vec<u16> =
            (1..order).filter(|&element| images[element].0 == rank).map(|at| at as u16).collect();
        let index = representatives.len() as u32;
        let entry = index << 1 | u32::from(!stabiliser.is_empty());
        for (element, (image_rank, image)) in images.into_iter().enumerate() {
            let known = image_rank < lead.len() && lead.unrank(image_rank) == Some(image);
            if !known || !accept(image) {
                return Err(IndexError::NotClosed { rank, element });
            }
            if image_rank < rank {
                return Err(IndexError::NotRepresentative { rank });
            }
            let back = symmetries.inverse(element) as u32;
            let old = &mut entries[image_rank as usize];
            if *old == NONE {
                *old = entry << *element_bits | back;
            }
        }
        representatives.push(item);
        let stabilisers = &mut self.orbits.stabilisers;
        let place = *self.stabilisers.entry(stabiliser).or_insert_with_key(|stabiliser| {
            stabilisers.push(stabiliser.clone());
            (stabilisers.len() - 1) as u16
        });
        self.orbits.stabiliser_of.push(place);
        Ok(())
    }
}

/// The place of an item among the orbits of [`Orbits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Orbit {
    /// The index of the orbit.
    pub index: usize,
    /// An element of the group that carries the item to the orbit's representative.
    pub element: usize,
    /// Whether the representative has a stabiliser: elements other than the identity that keep it.
    /// [`Orbits::stabiliser`] lists them.
    pub symmetric: bool,
}

impl<L: Ranking<Item: Placement>> Orbits<L> {
    /// The orbits of all items of the numbering `lead`.
    ///
    /// The symmetries can be shared with other parts, in an `Arc`.
    ///
    /// # Errors
    /// When `lead` has more than [`MOST_LEADING`] items, has too many orbits for a table of 4 bytes
    /// an item, or is for a board of another size. When a symmetry carries an item to a value that
    /// is not an item of `lead`.
    pub fn new(lead: L, symmetries: impl Into<Arc<Symmetries>>) -> Result<Self, IndexError> {
        Orbits::accepting(lead, symmetries, |_| true)
    }

    /// The orbits of the accepted items of the numbering `lead`: for example, of the pairs of kings
    /// that are not neighbours.
    ///
    /// An item that is not accepted must never be looked up.
    ///
    /// # Errors
    /// When `lead` has more than [`MOST_LEADING`] items, has too many orbits for a table of 4 bytes
    /// an item, or is for a board of another size. When a symmetry carries an accepted item to a
    /// value that is not accepted, or not an item of `lead`.
    pub fn accepting(
        lead: L,
        symmetries: impl Into<Arc<Symmetries>>,
        accept: impl Fn(L::Item) -> bool,
    ) -> Result<Self, IndexError> {
        let mut builder = Builder::new(lead, symmetries.into())?;
        for rank in 0..builder.orbits.lead.len() {
            if builder.orbits.entries[rank as usize] != NONE {
                continue;
            }
            if let Some(item) = builder.orbits.lead.unrank(rank).filter(|&item| accept(item)) {
                builder.add(rank, item, &accept)?;
            }
        }
        Ok(builder.orbits)
    }

    /// The number of orbits.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.representatives.len()
    }

    /// Whether there is no orbit.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.representatives.is_empty()
    }

    /// The orbit of an item, and the symmetry that carries the item to its representative.
    ///
    /// For an item that was not accepted, the result is any orbit, or the method panics.
    #[inline]
    #[must_use]
    pub fn locate(&self, item: L::Item) -> Orbit {
        let entry = self.entries[self.lead.rank(item) as usize];
        debug_assert!(entry != NONE, "the item was not accepted");
        Orbit {
            index: (entry >> self.element_bits >> 1) as usize,
            element: (entry & !(u32::MAX << self.element_bits)) as usize,
            symmetric: entry >> self.element_bits & 1 == 1,
        }
    }

    /// The representative of the orbit with this index.
    ///
    /// # Panics
    /// If there is no such orbit.
    #[inline]
    #[must_use]
    pub fn representative(&self, index: usize) -> L::Item {
        self.representatives[index]
    }

    /// The representatives of all orbits, in the order of the orbits' indices.
    pub fn representatives(&self) -> impl ExactSizeIterator<Item = L::Item> {
        self.representatives.iter().copied()
    }

    /// The stabiliser of the representative of the orbit with this index: the elements of the
    /// group, other than the identity, that keep the representative.
    ///
    /// # Panics
    /// If there is no such orbit.
    #[inline]
    pub fn stabiliser(&self, index: usize) -> impl ExactSizeIterator<Item = usize> {
        let stabiliser = &self.stabilisers[usize::from(self.stabiliser_of[index])];
        stabiliser.iter().map(|&element| usize::from(element))
    }

    /// The numbering whose items are taken up to symmetry.
    #[must_use]
    pub fn lead(&self) -> &L {
        &self.lead
    }

    /// The symmetries of the board.
    #[inline]
    #[must_use]
    pub fn symmetries(&self) -> &Symmetries {
        &self.symmetries
    }
}
