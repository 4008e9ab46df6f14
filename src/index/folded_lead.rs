//! Many placements that share their leading part.

use std::fmt;

use crate::index::{Concatenated, Folded, Orbit, Orbits, Placement, Ranking, RemainderRanking};

/// A leading part that is folded once, and the indices of any rests beside it. [`Folded::fold_lead`]
/// returns it.
///
/// It makes the indices of a state's predecessors cheap. The player to move in a state did not move
/// last, so all predecessors share this player's pieces. Let these pieces be the leading part.
///
/// ```
/// use retrograde::index::{Combinations, Folded, OnFreeCells, Orbits, Symmetries};
///
/// // Three white and two black stones on a board of 4 x 4. The white ones lead.
/// let board = Symmetries::rectangle(4, 4)?;
/// let white = Orbits::new(Combinations::new(16, 3)?, board)?;
/// let black = OnFreeCells::new(16, Combinations::new(16 - 3, 2)?)?;
/// let stones = Folded::new(white, black)?;
///
/// let (white, black) = (0b_0000_0000_0001_0110, 0b_0000_0001_1000_0000);
/// let beside = stones.fold_lead(white);
/// // Every way to put one black stone elsewhere. The black stones are carried along once.
/// let turned = beside.carry(black);
/// for from in (0..16).map(|cell| 1 << cell).filter(|cell| turned & cell != 0) {
///     for to in (0..16).map(|cell| 1 << cell) {
///         if (turned | beside.lead()) & to == 0 {
///             assert!(beside.rank(turned ^ from ^ to) < stones.len());
///         }
///     }
/// }
/// assert_eq!(beside.rank(turned), stones.rank((white, black)));
/// # Ok::<(), retrograde::error::IndexError>(())
/// ```
///
/// # Cost
/// Folding the leading part costs as much as in [`Folded::rank`]. Then each index costs only the
/// rank of the rest, unless the leading part [is symmetric](FoldedLead::is_symmetric).
pub struct FoldedLead<'f, L: Ranking, F> {
    orbits: &'f Orbits<L>,
    orbit: usize,
    /// The element that carries the leading part to the representative.
    element: usize,
    symmetric: bool,
    lead: L::Item,
    /// The first index of the orbit.
    start: u64,
    /// The rank of a rest.
    ranker: F,
}

impl<L, R> Folded<L, R>
where
    L: Ranking<Item: Placement>,
    R: RemainderRanking<L::Item>,
{
    /// Folds a leading part, for the indices of many placements with this leading part.
    ///
    /// For a value that is not a leading part, the method returns anything or panics.
    #[inline]
    #[must_use]
    pub fn fold_lead(&self, lead: L::Item) -> FoldedLead<'_, L, impl Fn(R::Item) -> u64> {
        self.fold_orbit(self.orbits().locate(lead))
    }

    /// The result of [`beside`](Folded::fold_lead) for a leading part that is located already.
    ///
    /// For an orbit that these orbits, or equal ones, did not locate, the method returns anything
    /// or panics.
    #[inline]
    #[must_use]
    pub fn fold_orbit(&self, orbit: Orbit) -> FoldedLead<'_, L, impl Fn(R::Item) -> u64> {
        let lead = self.orbits().representative(orbit.index);
        FoldedLead {
            orbits: self.orbits(),
            orbit: orbit.index,
            element: orbit.element,
            symmetric: orbit.symmetric,
            lead,
            start: self.start(orbit.index),
            ranker: self.rest().ranker(lead),
        }
    }
}

impl<L, R> Concatenated<Folded<L, R>>
where
    L: Ranking<Item: Placement>,
    R: RemainderRanking<L::Item>,
{
    /// Folds a leading part of the numbering at this place in the list, for the indices of many
    /// placements with this leading part.
    ///
    /// For a value that is not a leading part of that numbering, the method returns anything or
    /// panics.
    ///
    /// # Panics
    /// If the list has no such place.
    #[inline]
    #[must_use]
    pub fn fold_lead(
        &self,
        place: usize,
        lead: L::Item,
    ) -> FoldedLead<'_, L, impl Fn(R::Item) -> u64> {
        self.fold_orbit(place, self.numberings()[place].orbits().locate(lead))
    }

    /// The result of [`beside`](Concatenated::beside) for a leading part that is located already.
    /// Numberings with the same leading parts can share the location.
    ///
    /// For an orbit that these orbits, or equal ones, did not locate, the method returns anything
    /// or panics.
    ///
    /// # Panics
    /// If the list has no such place.
    #[inline]
    #[must_use]
    pub fn fold_orbit(
        &self,
        place: usize,
        orbit: Orbit,
    ) -> FoldedLead<'_, L, impl Fn(R::Item) -> u64> {
        let mut beside = self.numberings()[place].fold_orbit(orbit);
        beside.start += self.start(place);
        beside
    }
}

impl<L: Ranking<Item: Placement>, F> FoldedLead<'_, L, F> {
    /// The leading part, carried to the representative of its orbit.
    #[inline]
    #[must_use]
    pub fn lead(&self) -> L::Item {
        self.lead
    }

    /// Carries a placement along with the leading part.
    #[inline]
    #[must_use]
    pub fn carry<P: Placement>(&self, placement: P) -> P {
        placement.moved(self.orbits.symmetries(), self.element)
    }

    /// Whether some symmetry other than the identity keeps the leading part. If not, different
    /// rests beside it have different indices.
    #[inline]
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        self.symmetric
    }

    /// The index of the placement of the leading part and a rest that [was carried](FoldedLead::carry)
    /// along, or was made of a carried one.
    ///
    /// For a rest that does not go with [`lead`](FoldedLead::lead), the result is any number, or the
    /// method panics.
    #[inline]
    #[must_use]
    pub fn rank<I: Placement>(&self, rest: I) -> u64
    where
        F: Fn(I) -> u64,
    {
        let mut rank = (self.ranker)(rest);
        if self.symmetric {
            for element in self.orbits.stabiliser(self.orbit) {
                rank = rank.min((self.ranker)(rest.moved(self.orbits.symmetries(), element)));
            }
        }
        self.start + rank
    }
}

impl<L: Ranking, F> fmt::Debug for FoldedLead<'_, L, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FoldedLead").field("lead", &self.lead).finish_non_exhaustive()
    }
}
