//! What the analysis sees of a game: numbers, and which of them follow which.

use smallvec::SmallVec;

use super::SolveError;
use super::reverse::ReverseEdges;
use crate::game::{Game, Player};
use crate::numbering::Numbering;
use crate::value::Value;

/// A neighbour of a state along a move: its number, and whether the same player is to move in
/// both. Where colours are exchanged by a symmetry and turns do not alternate, one number can be a
/// neighbour in both ways, and then it counts as two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Link(u64);

impl Link {
    /// A number that does not fit becomes one that is beyond every numbering as well.
    #[inline]
    pub(super) fn new(number: u64, same_mover: bool) -> Link {
        Link(number.min(u64::MAX >> 1) << 1 | u64::from(same_mover))
    }

    #[inline]
    pub(super) fn number(self) -> u64 {
        self.0 >> 1
    }

    #[inline]
    pub(super) fn same_mover(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A buffer for the neighbours of one state; most states have no more than it holds in place.
pub(super) type Links = SmallVec<[Link; 32]>;

/// A numbered game as the analysis sees it.
pub(super) trait Positions {
    /// Whether [`predecessors`](Positions::predecessors) never repeats a link by itself.
    const DISTINCT: bool;

    /// How many numbers there are.
    fn len(&self) -> u64;

    /// What stands at `number` before anything is known.
    fn opening(&self, number: u64) -> Result<Opening, SolveError>;

    /// Who is to move in the state at `number`.
    fn mover(&self, number: u64) -> Player;

    /// Visits every state that has a move to the state at `number`.
    fn predecessors(&self, number: u64, visit: impl FnMut(Link));
}

/// What stands at a number before anything is known.
pub(super) enum Opening {
    /// No state.
    Hole,
    /// A state where play is over.
    Over(Value),
    /// A state with this many distinct successors, at least one.
    Open { degree: u64 },
}

/// A game that tells its predecessors.
pub(super) struct Told<'n, N>(pub(super) &'n N);

/// A game whose moves the engine has turned round.
pub(super) struct Reversed<'n, N> {
    pub(super) numbering: &'n N,
    pub(super) edges: ReverseEdges,
}

impl<N: Numbering> Positions for Told<'_, N> {
    const DISTINCT: bool = <N::Game as Game>::DISTINCT;

    #[inline]
    fn len(&self) -> u64 {
        self.0.len()
    }

    #[inline]
    fn opening(&self, number: u64) -> Result<Opening, SolveError> {
        opening(self.0, number)
    }

    #[inline]
    fn mover(&self, number: u64) -> Player {
        self.0.mover(number)
    }

    #[inline]
    fn predecessors(&self, number: u64, mut visit: impl FnMut(Link)) {
        let Some(state) = self.0.state(number) else { return };
        let game = self.0.game();
        let mover = game.turn(&state);
        game.predecessors(&state, |before| {
            if let Some(number) = self.0.number(&before) {
                visit(Link::new(number, game.turn(&before) == mover));
            }
        });
    }
}

impl<N: Numbering> Positions for Reversed<'_, N> {
    const DISTINCT: bool = true;

    #[inline]
    fn len(&self) -> u64 {
        self.numbering.len()
    }

    #[inline]
    fn opening(&self, number: u64) -> Result<Opening, SolveError> {
        opening(self.numbering, number)
    }

    #[inline]
    fn mover(&self, number: u64) -> Player {
        self.numbering.mover(number)
    }

    #[inline]
    fn predecessors(&self, number: u64, visit: impl FnMut(Link)) {
        self.edges.arriving_at(number).iter().copied().for_each(visit);
    }
}

#[inline]
fn opening<N: Numbering>(numbering: &N, number: u64) -> Result<Opening, SolveError> {
    let Some(state) = numbering.state(number) else { return Ok(Opening::Hole) };
    let game = numbering.game();
    let mover = game.turn(&state);
    if let Some(outcome) = game.terminal(&state) {
        return Ok(Opening::Over(Value::of_end(outcome, mover)));
    }
    let degree = if <N::Game as Game>::DISTINCT {
        let mut degree = 0;
        game.moves(&state, |_| degree += 1);
        degree
    } else {
        let mut links = Links::new();
        successors(numbering, &state, &mut links)?;
        links.len() as u64
    };
    if degree > 0 {
        return Ok(Opening::Open { degree });
    }
    match game.no_moves(&state) {
        Some(outcome) => Ok(Opening::Over(Value::of_end(outcome, mover))),
        None => Err(SolveError::NoMoves { state: format!("{state:?}") }),
    }
}

/// Puts the distinct successors of a state that is not terminal into `links`.
///
/// # Errors
/// When a successor has no number, which only a faulty game brings about.
pub(super) fn successors<N: Numbering>(
    numbering: &N,
    state: &<N::Game as Game>::State,
    links: &mut Links,
) -> Result<(), SolveError> {
    let game = numbering.game();
    let (mover, len) = (game.turn(state), numbering.len());
    let mut broken = None;
    links.clear();
    game.moves(state, |next| {
        let number = numbering.number(&next).unwrap_or(u64::MAX);
        if number < len {
            links.push(Link::new(number, game.turn(&next) == mover));
        } else {
            broken = Some((format!("{next:?}"), number));
        }
    });
    if let Some((state, index)) = broken {
        return Err(SolveError::IndexOutOfRange { state, index, len });
    }
    keep_distinct(links);
    Ok(())
}

/// Removes repetitions. Most states have few neighbours, where comparing each with each is
/// quickest.
#[inline]
pub(super) fn keep_distinct(links: &mut Links) {
    if links.len() > 16 {
        links.sort_unstable();
        links.dedup();
        return;
    }
    let mut kept = 0;
    for at in 0..links.len() {
        let link = links[at];
        if !links[..kept].contains(&link) {
            links[kept] = link;
            kept += 1;
        }
    }
    links.truncate(kept);
}
