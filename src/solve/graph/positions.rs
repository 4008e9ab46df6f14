//! What the backward levels see of a game: numbers, and which of them follow which.

use smallvec::SmallVec;

use crate::error::SolveError;
use crate::game::{Game, Player};
use crate::numbering::Numbering;
use crate::solve::graph::reverse_edges::ReverseEdges;

/// A neighbour of a state along a move: its number, and whether the same player is to move in
/// both. Where colours are exchanged by a symmetry and turns do not alternate, one number can be a
/// neighbour in both ways, and then it counts as two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Link {
    pub(crate) number: u64,
    pub(crate) same_mover: bool,
}

impl Link {
    /// The link that [`packed`](Link::packed) made a number of.
    #[inline]
    pub(crate) fn unpack(packed: u64) -> Link {
        Link { number: packed >> 1, same_mover: packed & 1 == 1 }
    }

    /// The link as one number, less than twice the number of states.
    #[inline]
    pub(crate) fn packed(self) -> u64 {
        self.number << 1 | u64::from(self.same_mover)
    }
}

/// A buffer for the neighbours of one state; most states have no more than it holds in place.
pub(crate) type Links = SmallVec<[Link; 32]>;

/// A numbered game as the backward levels see it.
pub(crate) trait Positions: Sync {
    /// Whether [`predecessors`](Positions::predecessors) never repeats a link by itself.
    const DISTINCT: bool;

    /// What predecessors are found with. Loops that ask for many take it as an argument, so that
    /// the compiler can see that nothing they write changes it; it is a tenth of the parks' time.
    type Base;

    /// What predecessors are found with.
    fn base(&self) -> &Self::Base;

    /// How many numbers there are.
    fn len(&self) -> u64;

    /// Who is to move in the state at `number`.
    fn mover(&self, number: u64) -> Player;

    /// Visits every state that has a move to the state at `number`, and says who is to move there.
    fn predecessors(base: &Self::Base, number: u64, visit: impl FnMut(Link)) -> Player;
}

/// A game that tells its predecessors.
pub(crate) struct Told<'n, N>(pub(crate) &'n N);

/// A game whose moves the engine has turned round.
pub(crate) struct Reversed<'n, N> {
    pub(crate) numbering: &'n N,
    pub(crate) edges: ReverseEdges,
}

impl<N: Numbering + Sync> Positions for Told<'_, N> {
    const DISTINCT: bool = <N::Game as Game>::DISTINCT;
    type Base = N::Base;

    #[inline]
    fn base(&self) -> &N::Base {
        self.0.base()
    }

    #[inline]
    fn len(&self) -> u64 {
        self.0.len()
    }

    #[inline]
    fn mover(&self, number: u64) -> Player {
        self.0.mover(number)
    }

    #[inline(always)]
    fn predecessors(base: &N::Base, number: u64, mut visit: impl FnMut(Link)) -> Player {
        let Some(state) = N::state_of(base, number) else { return Player::First };
        let game = N::game_of(base);
        let mover = game.turn(&state);
        game.predecessors(&state, |before| {
            if let Some(number) = N::number_of(base, &before) {
                visit(Link { number, same_mover: game.turn(&before) == mover });
            }
        });
        mover
    }
}

impl<N: Numbering + Sync> Positions for Reversed<'_, N> {
    const DISTINCT: bool = true;
    type Base = Self;

    #[inline]
    fn base(&self) -> &Self {
        self
    }

    #[inline]
    fn len(&self) -> u64 {
        self.numbering.len()
    }

    #[inline]
    fn mover(&self, number: u64) -> Player {
        self.numbering.mover(number)
    }

    #[inline(always)]
    fn predecessors(base: &Self, number: u64, visit: impl FnMut(Link)) -> Player {
        base.edges.entering(number).for_each(visit);
        base.numbering.mover(number)
    }
}

/// Puts the distinct successors of a state that is not terminal into `links`.
///
/// # Errors
/// When a successor has no number, which only a faulty game brings about.
pub(crate) fn successors<N: Numbering>(
    numbering: &N,
    state: &<N::Game as Game>::State,
    links: &mut Links,
) -> Result<(), SolveError> {
    let game = numbering.game();
    let (mover, len) = (game.turn(state), numbering.len());
    let mut broken = None;
    links.clear();
    game.moves(state, |next| {
        let number = match numbering.number(&next) {
            Some(number) => number,
            None if N::HAS_EXITS => return,
            None => u64::MAX,
        };
        if number < len {
            links.push(Link { number, same_mover: game.turn(&next) == mover });
        } else {
            broken = Some((format!("{next:?}"), number));
        }
    });
    if let Some((state, index)) = broken {
        return Err(SolveError::IndexOutOfRange { state, index, len });
    }
    if !<N::Game as Game>::DISTINCT {
        keep_distinct(links);
    }
    Ok(())
}

/// Links beyond so many are sorted to find repetitions.
const MANY: usize = 64;

/// Removes repetitions. Most links are told apart from all before by a hash of eight bits, and only
/// the others are compared: with some twenty moves a state that takes a third of the time of
/// sorting.
#[inline]
pub(crate) fn keep_distinct(links: &mut Links) {
    if links.len() > MANY {
        links.sort_unstable();
        links.dedup();
        return;
    }
    let mut seen = [0_u64; 4];
    let mut kept = 0;
    for at in 0..links.len() {
        let link = links[at];
        // Fibonacci hashing: the highest bits of a product with 2^64 over the golden ratio.
        let hash = (link.packed().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize;
        let (word, bit) = (&mut seen[hash / 64], 1 << (hash % 64));
        if *word & bit == 0 || !links[..kept].contains(&link) {
            *word |= bit;
            links[kept] = link;
            kept += 1;
        }
    }
    links.truncate(kept);
}
