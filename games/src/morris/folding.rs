//! Numbers for pairs of sets of points, up to the symmetries of the board.

use std::sync::Arc;

use retrograde::index::{Combinations, Folded, IndexError, OnFreeCells, Orbits, Symmetries};

use super::board::{Lines, Points};

/// The symmetries of a board, and the orbits of sets of points.
#[derive(Clone, Debug)]
pub(super) struct Folding {
    symmetries: Arc<Symmetries>,
    /// Those of sets of so many points.
    orbits: Vec<Arc<Orbits<Combinations>>>,
}

impl Folding {
    /// For sets of up to so many points.
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

    /// What a symmetry makes of a set of points.
    #[inline]
    pub(super) fn image(&self, symmetry: usize, set: Points) -> Points {
        self.symmetries.apply(symmetry, set.into()) as Points
    }

    /// Whether a symmetry other than that which moves nothing keeps a set of so many points.
    #[inline]
    pub(super) fn is_kept(&self, size: u32, set: Points) -> bool {
        self.orbits[size as usize].locate(set.into()).symmetric
    }
}

/// The pairs of disjoint sets of points, so many in each, up to the symmetries of the board.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    folded: Folded<Combinations, OnFreeCells<Combinations>>,
    /// Whether the second set of a pair leads, which is so where it is the larger: fewer of the
    /// larger sets are kept by symmetries.
    turned: bool,
}

impl Pairs {
    /// The pairs of disjoint sets of `first` and `second` points, no more than the board has.
    pub(super) fn new(folding: &Folding, first: u32, second: u32) -> Result<Pairs, IndexError> {
        let turned = second > first;
        let (lead, rest) = if turned { (second, first) } else { (first, second) };
        let points = folding.symmetries.cells();
        let rest = OnFreeCells::new(points, Combinations::new(points - lead, rest)?)?;
        let folded = Folded::new(Arc::clone(&folding.orbits[lead as usize]), rest)?;
        Ok(Pairs { folded, turned })
    }

    /// How many numbers there are, holes included.
    #[inline]
    pub(super) fn len(&self) -> u64 {
        self.folded.len()
    }

    /// The number of a pair.
    #[inline]
    pub(super) fn index(&self, first: Points, second: Points) -> u64 {
        let (lead, rest) = if self.turned { (second, first) } else { (first, second) };
        self.folded.index(lead.into(), rest.into())
    }

    /// The pair that stands for a number, or `None` for a hole.
    #[inline]
    pub(super) fn unindex(&self, index: u64) -> Option<(Points, Points)> {
        let (lead, rest) = self.folded.unindex(index)?;
        let (lead, rest) = (lead as Points, rest as Points);
        Some(if self.turned { (rest, lead) } else { (lead, rest) })
    }
}
