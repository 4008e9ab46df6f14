//! The neighbours of a state along its moves, each once.

use smallvec::SmallVec;

use crate::error::{BrokenLaw, SolveError};
use crate::game::{Game, Turns};
use crate::numbering::Numbering;
use crate::numbering::discovered::{ForeignKey, Location};

/// A neighbour of a state along a move: its index, and whether the same player is to move in both.
///
/// One index can be a neighbour in both ways, and then counts as two. This happens if a symmetry
/// exchanges the colours and turns do not alternate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Link {
    pub(crate) index: u64,
    pub(crate) same_mover: bool,
}

impl Link {
    /// The link with this [packed](Link::packed) form.
    #[inline]
    pub(crate) fn unpack(packed: u64) -> Link {
        Link { index: packed >> 1, same_mover: packed & 1 == 1 }
    }

    /// The link in one word, less than twice the number of indices.
    #[inline]
    pub(crate) fn packed(self) -> u64 {
        self.index << 1 | u64::from(self.same_mover)
    }
}

/// A buffer for the neighbours of one state; few states have more than it holds in place.
pub(crate) type Links = SmallVec<[Link; 32]>;

/// A neighbour of a state in another process; see [`Link`] for neighbours in this process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ForeignLink {
    pub(crate) key: ForeignKey,
    pub(crate) same_mover: bool,
}

/// The neighbours of one state, in this process and in others.
#[derive(Default)]
pub(crate) struct Neighbours {
    pub(crate) links: Links,
    pub(crate) foreign: Vec<ForeignLink>,
}

impl Neighbours {
    /// Removes all neighbours.
    pub(crate) fn clear(&mut self) {
        self.links.clear();
        self.foreign.clear();
    }

    /// The number of neighbours.
    pub(crate) fn len(&self) -> usize {
        self.links.len() + self.foreign.len()
    }

    /// Adds the neighbour at a location; returns false for [`Location::Nowhere`].
    pub(crate) fn add(&mut self, location: Location, same_mover: bool) -> bool {
        match location {
            Location::Here(index) => self.links.push(Link { index, same_mover }),
            Location::Elsewhere(key) => self.foreign.push(ForeignLink { key, same_mover }),
            Location::Nowhere => return false,
        }
        true
    }

    /// Removes repeated neighbours.
    pub(crate) fn keep_distinct(&mut self) {
        keep_distinct(&mut self.links);
        if self.foreign.len() > 1 {
            self.foreign.sort_unstable();
            self.foreign.dedup();
        }
    }
}

/// Puts the distinct successors of a state that is not terminal into `links`.
///
/// # Errors
/// If a successor has no index, which only a faulty game causes.
pub(crate) fn successors<N: Numbering>(
    numbering: &N,
    state: &<N::Game as Game>::State,
    links: &mut Links,
) -> Result<(), SolveError> {
    let game = numbering.game();
    let (mover, len) = (game.mover(state), numbering.len());
    let mut broken = None;
    links.clear();
    game.moves(state, |next| {
        let index = match numbering.index(&next) {
            Some(index) => index,
            None if N::HAS_EXITS => return,
            None => u64::MAX,
        };
        if index < len {
            links.push(Link { index, same_mover: game.is_mover_of(mover, &next) });
        } else {
            broken = Some((numbering.write(&next), index));
        }
    });
    if let Some((state, index)) = broken {
        return Err(BrokenLaw::index_beyond(state, index, len).into());
    }
    if !N::DISTINCT {
        keep_distinct(links);
    }
    Ok(())
}

/// Puts the distinct successors of a state that is not terminal into `found`, in whichever process
/// they are.
///
/// # Errors
/// See [`successors`].
pub(crate) fn all_successors<N: Numbering>(
    numbering: &N,
    state: &<N::Game as Game>::State,
    found: &mut Neighbours,
) -> Result<(), SolveError> {
    if !N::CAN_BE_SHARED || numbering.find_keys().is_none() {
        found.foreign.clear();
        return successors(numbering, state, &mut found.links);
    }
    let game = numbering.game();
    let mover = game.mover(state);
    let mut broken = None;
    found.clear();
    game.moves(state, |next| {
        let location = N::location_of(numbering.context(), &next);
        if !found.add(location, game.is_mover_of(mover, &next)) && !N::HAS_EXITS {
            broken = Some(numbering.write(&next));
        }
    });
    if let Some(state) = broken {
        let (index, len) = (u64::MAX, numbering.len());
        return Err(BrokenLaw::index_beyond(state, index, len).into());
    }
    if !N::DISTINCT {
        found.keep_distinct();
    }
    Ok(())
}

/// More links than this are sorted to find repetitions.
const MANY: usize = 64;

/// Removes repeated links. A hash of eight bits shows for most links that they are new; only the
/// others are compared. With some twenty moves a state, this takes a third of the time of sorting.
#[inline]
pub(crate) fn keep_distinct(links: &mut Links) {
    if links.len() > MANY {
        links.sort_unstable();
        links.dedup();
        return;
    }
    let mut seen = [0_u64; 4];
    let mut distinct = 0;
    for at in 0..links.len() {
        let link = links[at];
        // Fibonacci hashing: the highest bits of a product with 2^64 over the golden ratio.
        let hash = (link.packed().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize;
        let (word, bit) = (&mut seen[hash / 64], 1 << (hash % 64));
        if *word & bit == 0 || !links[..distinct].contains(&link) {
            *word |= bit;
            links[distinct] = link;
            distinct += 1;
        }
    }
    links.truncate(distinct);
}
