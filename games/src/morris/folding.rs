//! Indices for pairs of sets of points, up to the symmetries of the board.

use std::sync::Arc;

use retrograde::error::IndexError;
use retrograde::index::{Combinations, Folded, FoldedLead, OnFreeCells, Orbits, Symmetries};

use super::board::{Lines, Points};

/// The symmetries of a board, and the orbits of sets of points.
#[derive(Clone, Debug)]
pub(super) struct Folding {
    symmetries: Arc<Symmetries>,
    /// The orbits of the sets of each size.
    orbits: Vec<Arc<Orbits<Combinations>>>,
}

impl Folding {
    /// The folding of sets of up to `most` points.
    pub(super) fn new(lines: &Lines, most: u32) -> Result<Folding, IndexError> {
        let symmetries = Arc::new(Symmetries::new(lines.points(), &lines.symmetries())?);
        let orbits = (0..=most).map(|size| {
            let sets = Combinations::new(lines.points(), size)?;
            Ok(Arc::new(Orbits::new(sets, Arc::clone(&symmetries))?))
        });
        let orbits = orbits.collect::<Result<_, _>>()?;
        Ok(Folding { symmetries, orbits })
    }

    pub(super) fn symmetries(&self) -> usize {
        self.symmetries.order()
    }

    /// The image of a set of points under a symmetry.
    #[inline]
    pub(super) fn image(&self, symmetry: usize, set: Points) -> Points {
        self.symmetries.apply(symmetry, set.into()) as Points
    }

    /// Whether a symmetry other than the identity maps a set of `size` points to itself.
    #[inline]
    pub(super) fn is_symmetric(&self, size: u32, set: Points) -> bool {
        self.orbits[size as usize].locate(set.into()).symmetric
    }
}

/// The pairs of disjoint sets of points of two given sizes, up to the symmetries of the board.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    folded: Folded<Combinations, OnFreeCells<Combinations>>,
    /// Whether the second set of a pair leads, because it is the larger: fewer of the larger sets
    /// are symmetric.
    exchanged: bool,
}

impl Pairs {
    /// The pairs of disjoint sets of `first` and `second` points, no more than the board has.
    pub(super) fn new(folding: &Folding, first: u32, second: u32) -> Result<Pairs, IndexError> {
        let exchanged = second > first;
        let (lead, rest) = if exchanged { (second, first) } else { (first, second) };
        let points = folding.symmetries.cells();
        let rest = OnFreeCells::new(points, Combinations::new(points - lead, rest)?)?;
        let folded = Folded::new(Arc::clone(&folding.orbits[lead as usize]), rest)?;
        Ok(Pairs { folded, exchanged })
    }

    /// The number of indices, unused ones included.
    #[inline]
    pub(super) fn len(&self) -> u64 {
        self.folded.len()
    }

    /// The index of a pair.
    #[inline]
    pub(super) fn index(&self, first: Points, second: Points) -> u64 {
        let (lead, rest) = if self.exchanged { (second, first) } else { (first, second) };
        self.folded.rank((lead.into(), rest.into()))
    }

    /// Whether the second set of a pair leads.
    #[inline]
    pub(super) fn second_leads(&self) -> bool {
        self.exchanged
    }

    /// The set that leads, folded once for the indices of many pairs.
    #[inline]
    pub(super) fn beside(&self, lead: Points) -> FoldedLead<'_, Combinations, impl Fn(u64) -> u64> {
        self.folded.fold_lead(lead.into())
    }

    /// The representative of the pairs with this index, or `None` for an unused index.
    #[inline]
    pub(super) fn unindex(&self, index: u64) -> Option<(Points, Points)> {
        let (lead, rest) = self.folded.unrank(index)?;
        let (lead, rest) = (lead as Points, rest as Points);
        Some(if self.exchanged { (rest, lead) } else { (lead, rest) })
    }
}
