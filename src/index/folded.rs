//! Numberings that fold the symmetries of the board.

use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

use crate::index::bits::{Compressor, MOST_CELLS, all_cells, check_cells, compress, expand};
use crate::index::error::IndexError;
use crate::index::starts::Starts;
use crate::index::{Divisor, Orbits, Placement, Ranking};

/// A numbering of the placements beside a leading part, for [`Folded`].
///
/// The items and their indices may depend on the leading part. [`OnFreeCells`] serves for pieces on
/// the cells that the leading part leaves free. A game implements the trait itself if something
/// else goes with a leading part: any set of free cells, for example, or pieces that may overlap
/// it.
pub trait RemainderRanking<Lead> {
    /// The type of the items that have an index beside a leading part.
    type Item: Placement;

    /// The number of indices for this leading part. If a symmetry carries one leading part to
    /// another, it must carry the items of the one to the items of the other.
    fn len(&self, lead: Lead) -> u64;

    /// The index of an item that goes with this leading part, below [`len`](RemainderRanking::len).
    ///
    /// For any other item, the result is any number, or the method panics.
    fn rank(&self, lead: Lead, item: Self::Item) -> u64;

    /// Returns a function that does the same as [`rank`](RemainderRanking::rank) for this leading part. By
    /// default it calls `rank`; override it if something can be prepared once for all items.
    fn ranker(&self, lead: Lead) -> impl Fn(Self::Item) -> u64
    where
        Lead: Copy,
    {
        move |item| self.rank(lead, item)
    }

    /// The item of an index below [`len`](RemainderRanking::len); `None` if the index is unused.
    ///
    /// For a number not below `len`, the result is anything, or the method panics.
    fn unrank(&self, lead: Lead, index: u64) -> Option<Self::Item>;

    /// Checks that the rest can go with this leading part on a board of `cells` cells. By default
    /// any rest can. [`Folded::new`] calls the method for the representatives of all orbits.
    ///
    /// # Errors
    /// When the rest is for a board of another size, or with another number of free cells.
    fn check(&self, _cells: u32, _lead: Lead) -> Result<(), IndexError> {
        Ok(())
    }
}

/// The [`RemainderRanking`] of a placement on the cells that the leading part leaves free.
///
/// Every leading part must leave the same number of cells free. The indices come from a numbering
/// of placements on that many cells.
///
/// Ranking costs a [`compress`] for each set of cells, and unranking an [`expand`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(
    try_from = "WrittenOnFreeCells<R>",
    bound(deserialize = "R: Ranking<Item: Placement> + Deserialize<'de>")
)]
pub struct OnFreeCells<R> {
    cells: u32,
    #[serde(skip_serializing)]
    all: u64,
    numbering: R,
}

/// The serialized form of [`OnFreeCells`].
#[derive(Deserialize)]
#[serde(rename = "OnFreeCells", deny_unknown_fields)]
struct WrittenOnFreeCells<R> {
    cells: u32,
    numbering: R,
}

impl<R: Ranking<Item: Placement>> TryFrom<WrittenOnFreeCells<R>> for OnFreeCells<R> {
    type Error = IndexError;

    fn try_from(written: WrittenOnFreeCells<R>) -> Result<Self, IndexError> {
        OnFreeCells::new(written.cells, written.numbering)
    }
}

impl<R: Ranking<Item: Placement>> OnFreeCells<R> {
    /// The rest on a board of `cells` cells. `numbering` is for a board with as many cells as the
    /// leading part leaves free.
    ///
    /// # Errors
    /// When there are more than 64 cells.
    pub fn new(cells: u32, numbering: R) -> Result<OnFreeCells<R>, IndexError> {
        check_cells(cells, MOST_CELLS)?;
        Ok(OnFreeCells { cells, all: all_cells(cells), numbering })
    }
}

impl<Lead: Placement, R: Ranking<Item: Placement>> RemainderRanking<Lead> for OnFreeCells<R> {
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
    fn ranker(&self, lead: Lead) -> impl Fn(R::Item) -> u64 {
        let free = Compressor::new(self.all & !lead.occupied());
        move |item| self.numbering.rank(item.map(|set| free.compress(set)))
    }

    #[inline]
    fn unrank(&self, lead: Lead, index: u64) -> Option<R::Item> {
        let free = self.all & !lead.occupied();
        Some(self.numbering.unrank(index)?.map(|set| expand(set, free)))
    }

    fn check(&self, cells: u32, lead: Lead) -> Result<(), IndexError> {
        let free = (self.all & !lead.occupied()).count_ones();
        let on_free = self.numbering.board().unwrap_or(free);
        for (found, expected) in [(self.cells, cells), (on_free, free)] {
            if found != expected {
                return Err(IndexError::OtherBoard { found, expected });
            }
        }
        Ok(())
    }
}

/// A numbering of placements up to the symmetries of the board: two placements have the same index
/// exactly if a symmetry carries one into the other.
///
/// A placement has two parts, a leading part and the rest. An item is the pair of them.
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
/// // 43,680 placements in 5,514 classes, and some unused indices.
/// assert_eq!(stones.len(), 6_006);
///
/// let (white, black) = (0b_0000_0000_0001_0110, 0b_0000_0001_1000_0000);
/// let index = stones.rank((white, black));
/// for element in 0..board.order() {
///     let image = |set| board.apply(element, set);
///     assert_eq!(stones.rank((image(white), image(black))), index);
/// }
/// assert_eq!(stones.unrank(index), Some(stones.canonical((white, black))));
/// # Ok::<(), retrograde::error::IndexError>(())
/// ```
///
/// # How the symmetries are folded
/// A table stores the element of the group that carries the leading part to the representative of
/// its orbit ([`Orbits`]). The rest is carried along, and then ranked.
///
/// Other elements may keep the representative; they are its stabiliser. They may still move the
/// rest. The least rank that they give the rest counts.
///
/// # Unused indices
/// The greater ranks that a stabiliser gives the rest are unused: no item has such an index, and
/// [`unrank`](Folded::unrank) returns `None`. Only symmetric leading parts cause unused indices, so
/// there are few if the leading part has enough pieces.
///
/// Chess endings have been folded in this way since Thompson ("Retrograde analysis of certain
/// endgames", 1986), with the 462 pairs of kings as the leading part.
///
/// # Exchange of colours
/// If the two players' pieces move alike, let the leading part be the pieces *of the player to
/// move*, and the rest the pieces of the other. A position, and the position with all colours
/// exchanged and the other player to move, are then the same pair of parts. So this symmetry is
/// folded without further work, and whose turn it is needs no index:
///
/// ```
/// use retrograde::index::{Combinations, Folded, OnFreeCells, Orbits, Symmetries};
///
/// struct Board {
///     crosses: u64,
///     noughts: u64,
///     crosses_to_move: bool,
/// }
/// // The mover has two marks on a board of 3 x 3, and the other player has one.
/// let board = Symmetries::rectangle(3, 3)?;
/// let mover = Orbits::new(Combinations::new(9, 2)?, board)?;
/// let marks = Folded::new(mover, OnFreeCells::new(9, Combinations::new(9 - 2, 1)?)?)?;
/// let index = |Board { crosses, noughts, crosses_to_move }| {
///     marks.rank(if crosses_to_move { (crosses, noughts) } else { (noughts, crosses) })
/// };
/// let position = Board { crosses: 0b_011, noughts: 0b_001_000, crosses_to_move: true };
/// let exchanged = Board { crosses: 0b_001_000, noughts: 0b_011, crosses_to_move: false };
/// assert_eq!(index(position), index(exchanged));
/// # Ok::<(), retrograde::error::IndexError>(())
/// ```
///
/// # Cost
/// To rank: rank the leading part, look it up (4 bytes in a table as long as the numbering of the
/// leading part), carry both parts, rank the rest. If the representative has a stabiliser, carry
/// and rank the rest once more for each of its elements.
///
/// To unrank: a division by a prepared divisor, or a short search if leading parts differ in the
/// number of their rests. Then unrank the rest, and rank it again for each element of the
/// stabiliser.
///
/// With serde it is written as its orbits and its rest.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    try_from = "Written<L, R>",
    bound(deserialize = "L: Ranking<Item: Placement> + Deserialize<'de>, \
                         R: RemainderRanking<L::Item> + Deserialize<'de>")
)]
pub struct Folded<L: Ranking, R> {
    orbits: Arc<Orbits<L>>,
    rest: R,
    blocks: Blocks,
}

/// The form in which [`Folded`] is read.
#[derive(Deserialize)]
#[serde(
    rename = "Folded",
    deny_unknown_fields,
    bound(deserialize = "L: Ranking<Item: Placement> + Deserialize<'de>, R: Deserialize<'de>")
)]
struct Written<L: Ranking, R> {
    orbits: Orbits<L>,
    rest: R,
}

/// The form in which [`Folded`] is written.
#[derive(Serialize)]
#[serde(rename = "Folded", bound(serialize = "L: Ranking + Serialize, R: Serialize"))]
struct Writing<'a, L: Ranking, R> {
    orbits: &'a Orbits<L>,
    rest: &'a R,
}

impl<L: Ranking + Serialize, R: Serialize> Serialize for Folded<L, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Writing { orbits: &self.orbits, rest: &self.rest }.serialize(serializer)
    }
}

impl<L, R> TryFrom<Written<L, R>> for Folded<L, R>
where
    L: Ranking<Item: Placement>,
    R: RemainderRanking<L::Item>,
{
    type Error = IndexError;

    fn try_from(Written { orbits, rest }: Written<L, R>) -> Result<Self, IndexError> {
        Folded::new(orbits, rest)
    }
}

/// The indices of each representative, which are consecutive.
#[derive(Clone, Debug)]
enum Blocks {
    /// All representatives have the same number of indices.
    Equal { len: u64, each: Divisor },
    /// The representatives have different numbers of indices.
    Unequal(Starts),
}

impl<L, R> Folded<L, R>
where
    L: Ranking<Item: Placement>,
    R: RemainderRanking<L::Item>,
{
    /// The numbering of placements with `orbits` as the leading part and `rest` beside it.
    ///
    /// The orbits can be shared with other numberings, in an `Arc`: the same white men with any
    /// number of black ones.
    ///
    /// # Errors
    /// When there are more than 2^64 - 1 indices, or the rest is for a board with another number of
    /// free cells than the leading part leaves.
    pub fn new(orbits: impl Into<Arc<Orbits<L>>>, rest: R) -> Result<Self, IndexError> {
        let orbits = orbits.into();
        let cells = orbits.symmetries().cells();
        orbits.representatives().try_for_each(|lead| rest.check(cells, lead))?;
        let lens = || orbits.representatives().map(|lead| rest.len(lead));
        let first = lens().next().unwrap_or(0);
        let blocks = if lens().all(|len| len == first) {
            let len = first.checked_mul(orbits.len() as u64).ok_or(IndexError::TooLong)?;
            // If there is no index, nothing is divided.
            Blocks::Equal { len, each: Divisor::new(first.max(1)) }
        } else {
            Blocks::Unequal(Starts::new(lens())?)
        };
        Ok(Folded { orbits, rest, blocks })
    }

    /// The index of a placement, given as its leading part and the rest. All placements that
    /// symmetries carry into one another have the same index, others have different ones.
    ///
    /// For a value that is not a leading part, or a rest that does not go with it, the result is
    /// any number, or the method panics.
    #[inline]
    #[must_use]
    pub fn rank(&self, (lead, rest): (L::Item, R::Item)) -> u64 {
        let (orbit, rank) = self.fold(lead, rest);
        rank + self.start(orbit)
    }

    /// The first index of an orbit.
    #[inline]
    pub(super) fn start(&self, orbit: usize) -> u64 {
        match &self.blocks {
            Blocks::Equal { each, .. } => orbit as u64 * each.get(),
            Blocks::Unequal(starts) => starts.start(orbit),
        }
    }

    /// The numbering of the rest beside the leading part.
    #[inline]
    pub(super) fn rest(&self) -> &R {
        &self.rest
    }

    /// The canonical placement of an index below [`len`](Folded::len), as its leading part and the
    /// rest; `None` if the index is unused.
    ///
    /// For a number not below `len`, the result is anything, or the method panics.
    #[inline]
    #[must_use]
    pub fn unrank(&self, index: u64) -> Option<(L::Item, R::Item)> {
        let (orbit, rank) = match &self.blocks {
            Blocks::Equal { each, .. } => {
                let (orbit, rank) = each.div_rem(index);
                (orbit as usize, rank)
            }
            Blocks::Unequal(starts) => starts.find(index),
        };
        let lead = self.orbits.representative(orbit);
        let rest = self.rest.unrank(lead, rank)?;
        let is_least = |element| self.rank_moved(lead, rest, element) >= rank;
        self.orbits.stabiliser(orbit).all(is_least).then_some((lead, rest))
    }

    /// The canonical one of all placements to which symmetries carry this placement: the placement
    /// that [`unrank`](Folded::unrank) returns for its index.
    ///
    /// For a value that is not a leading part, or a rest that does not go with it, the result is
    /// any placement, or the method panics.
    #[inline]
    #[must_use]
    pub fn canonical(&self, (lead, rest): (L::Item, R::Item)) -> (L::Item, R::Item) {
        let (orbit, rank) = self.fold(lead, rest);
        let lead = self.orbits.representative(orbit);
        let rest = self.rest.unrank(lead, rank);
        (lead, rest.expect("the rank of an item is used"))
    }

    /// The orbits of the leading part.
    #[must_use]
    pub fn orbits(&self) -> &Orbits<L> {
        &self.orbits
    }

    /// The index of the leading part's orbit, and the least rank of the rest.
    #[inline]
    fn fold(&self, lead: L::Item, rest: R::Item) -> (usize, u64) {
        let orbit = self.orbits.locate(lead);
        let symmetries = self.orbits.symmetries();
        // Carried again rather than looked up, since the tables for it are in the cache.
        let lead = lead.moved(symmetries, orbit.element);
        let rest = rest.moved(symmetries, orbit.element);
        let mut rank = self.rest.rank(lead, rest);
        if orbit.symmetric {
            for element in self.orbits.stabiliser(orbit.index) {
                rank = rank.min(self.rank_moved(lead, rest, element));
            }
        }
        (orbit.index, rank)
    }

    /// The rank of the rest after an element that keeps the leading part.
    #[inline]
    fn rank_moved(&self, lead: L::Item, rest: R::Item, element: usize) -> u64 {
        self.rest.rank(lead, rest.moved(self.orbits.symmetries(), element))
    }
}

impl_ranking!(
    [L: Ranking<Item: Placement>, R: RemainderRanking<L::Item>] Folded<L, R>, (L::Item, R::Item),
    /// The number of indices, unused ones included.
    len: |part| match &part.blocks {
        Blocks::Equal { len, .. } => *len,
        Blocks::Unequal(starts) => starts.len(),
    },
    board: |part| Some(part.orbits.symmetries().cells()),
    unrank: |part, index| part.unrank(index),
);
