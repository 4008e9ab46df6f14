//! Numberings that fold the symmetries of the board.

use std::sync::Arc;

use crate::index::starts::Starts;
use crate::index::{Divisor, IndexError, Orbits, Placement, Ranking, Rest};

/// A numbering of placements in two parts, a leading part and the rest, in which all placements that
/// symmetries of the board carry into one another share one index.
///
/// ```
/// use std::sync::Arc;
/// use retrograde::index::{Combinations, Folded, OnFreeCells, Orbits, Symmetries};
///
/// // Three white and two black stones on a board of 4 x 4. The white ones lead.
/// let board = Arc::new(Symmetries::rectangle(4, 4)?);
/// let white = Orbits::new(Combinations::new(16, 3)?, board.clone())?;
/// let black = OnFreeCells::new(16, Combinations::new(16 - 3, 2)?)?;
/// let stones = Folded::new(white, black)?;
/// // 43,680 placements in 5,514 classes, and some holes.
/// assert_eq!(stones.len(), 6_006);
///
/// let (white, black) = (0b_0000_0000_0001_0110, 0b_0000_0001_1000_0000);
/// let index = stones.index(white, black);
/// for element in 0..board.order() {
///     let image = |set| board.apply(element, set);
///     assert_eq!(stones.index(image(white), image(black)), index);
/// }
/// let canonical = stones.unindex(index).expect("no hole");
/// assert_eq!(stones.canonical(white, black), canonical);
/// # Ok::<(), retrograde::index::IndexError>(())
/// ```
///
/// # How it folds
/// The leading part is carried to the representative of its orbit by an element of the group that a
/// table tells ([`Orbits`]); the rest is carried along and then numbered. Where other elements
/// leave the representative as it is (its stabiliser), they may still move the rest: the least of
/// the numbers that they give it is the one that counts, and the other indices are holes. So equal
/// indices are exactly those of equivalent placements, and there are as many holes as symmetric
/// leading parts bring along: few where the leading part has pieces enough. Chess endings have been
/// folded like this, with the 462 pairs of kings as the leading part, since Thompson ("Retrograde
/// analysis of certain endgames", 1986).
///
/// # Exchange of colours
/// Where the two players' pieces move alike, let the leading part be the pieces *of the player to
/// move* and the rest those of the other. A position and the one with all colours exchanged and the
/// other player to move are then the same pair of parts, so that this symmetry is folded without
/// any further work, and whose turn it is need not be numbered:
///
/// ```
/// use retrograde::index::{AllSubsets, Folded, FreeSubsets, Orbits, Symmetries};
///
/// struct Board {
///     crosses: u64,
///     noughts: u64,
///     crosses_to_move: bool,
/// }
/// // Any marks on a board of 3 x 3.
/// let board = Symmetries::rectangle(3, 3)?;
/// let marks = Folded::new(Orbits::new(AllSubsets::new(9)?, board)?, FreeSubsets::new(9)?)?;
/// let index = |Board { crosses, noughts, crosses_to_move }| {
///     let (mover, other) = if crosses_to_move { (crosses, noughts) } else { (noughts, crosses) };
///     marks.index(mover, other)
/// };
/// let position = Board { crosses: 0b_011, noughts: 0b_001_000, crosses_to_move: true };
/// let exchanged = Board { crosses: 0b_001_000, noughts: 0b_011, crosses_to_move: false };
/// assert_eq!(index(position), index(exchanged));
/// # Ok::<(), retrograde::index::IndexError>(())
/// ```
///
/// # Cost
/// To index: rank the leading part, look it up (4 bytes in a table as long as the numbering of the
/// leading part), carry both parts, rank the rest; where the representative has a stabiliser,
/// carry and rank the rest once more for each of its elements. To unindex: a division by a known
/// number, or a short search where leading parts differ in how many rests go with them, and
/// unrank the rest.
#[derive(Clone, Debug)]
pub struct Folded<L: Ranking, R> {
    orbits: Arc<Orbits<L>>,
    rest: R,
    blocks: Blocks,
}

/// The indices of each representative.
#[derive(Clone, Debug)]
enum Blocks {
    /// As many for each.
    Equal { len: u64, each: Divisor },
    /// So many.
    Unequal(Starts),
}

impl<L, R> Folded<L, R>
where
    L: Ranking<Item: Placement>,
    R: Rest<L::Item>,
{
    /// The numbering of placements of which `orbits` are the leading part and `rest` is the rest.
    ///
    /// The orbits can be shared with other numberings, in an `Arc`: the same white men with any
    /// number of black ones.
    ///
    /// # Errors
    /// When there are more than 2^64 - 1 indices.
    pub fn new(orbits: impl Into<Arc<Orbits<L>>>, rest: R) -> Result<Self, IndexError> {
        let orbits = orbits.into();
        let lens = || orbits.representatives().map(|lead| rest.len(lead));
        let first = lens().next().unwrap_or(0);
        let blocks = if lens().all(|len| len == first) {
            let len = first.checked_mul(orbits.len() as u64).ok_or(IndexError::TooLong)?;
            // Nothing is divided where there is nothing.
            Blocks::Equal { len, each: Divisor::new(first.max(1)) }
        } else {
            Blocks::Unequal(Starts::new(lens())?)
        };
        Ok(Folded { orbits, rest, blocks })
    }

    /// How many indices there are, holes included.
    #[inline]
    #[must_use]
    pub fn len(&self) -> u64 {
        match &self.blocks {
            Blocks::Equal { len, .. } => *len,
            Blocks::Unequal(starts) => starts.len(),
        }
    }

    /// Whether there is no index at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The index of a placement: the same for all that symmetries carry into one another, different
    /// for others.
    #[inline]
    #[must_use]
    pub fn index(&self, lead: L::Item, rest: R::Item) -> u64 {
        let (number, rank) = self.fold(lead, rest);
        rank + match &self.blocks {
            Blocks::Equal { each, .. } => number as u64 * each.get(),
            Blocks::Unequal(starts) => starts.start(number),
        }
    }

    /// The canonical placement of an index below [`len`](Folded::len), or `None` for a hole.
    #[inline]
    #[must_use]
    pub fn unindex(&self, index: u64) -> Option<(L::Item, R::Item)> {
        let (number, rank) = match &self.blocks {
            Blocks::Equal { each, .. } => {
                let (number, rank) = each.div_rem(index);
                (number as usize, rank)
            }
            Blocks::Unequal(starts) => starts.find(index),
        };
        let lead = self.orbits.representative(number);
        let rest = self.rest.unrank(lead, rank);
        let is_least = |element| self.rank_moved(lead, rest, element) >= rank;
        self.orbits.stabiliser(number).all(is_least).then_some((lead, rest))
    }

    /// The canonical one of the placements that symmetries carry this one to: what
    /// [`unindex`](Folded::unindex) makes of its index.
    #[inline]
    #[must_use]
    pub fn canonical(&self, lead: L::Item, rest: R::Item) -> (L::Item, R::Item) {
        let (number, rank) = self.fold(lead, rest);
        let lead = self.orbits.representative(number);
        (lead, self.rest.unrank(lead, rank))
    }

    /// The leading parts.
    #[must_use]
    pub fn orbits(&self) -> &Orbits<L> {
        &self.orbits
    }

    /// The number of the representative, and the least number of the rest.
    #[inline]
    fn fold(&self, lead: L::Item, rest: R::Item) -> (usize, u64) {
        let orbit = self.orbits.locate(lead);
        let symmetries = self.orbits.symmetries();
        // Carried again rather than looked up: the tables for it are in the cache.
        let lead = lead.moved(symmetries, orbit.element);
        let rest = rest.moved(symmetries, orbit.element);
        let mut rank = self.rest.rank(lead, rest);
        if orbit.symmetric {
            for element in self.orbits.stabiliser(orbit.number) {
                rank = rank.min(self.rank_moved(lead, rest, element));
            }
        }
        (orbit.number, rank)
    }

    /// The number of the rest after an element that leaves the leading part as it is.
    #[inline]
    fn rank_moved(&self, lead: L::Item, rest: R::Item, element: usize) -> u64 {
        self.rest.rank(lead, rest.moved(self.orbits.symmetries(), element))
    }
}
