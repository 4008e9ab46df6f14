//! The effect of the states of a frontier on their predecessors.

use crate::solve::cells::cell::Cell;
use crate::solve::graph::predecessors::Predecessors;
use crate::solve::levels::applied::PassKind;

/// How the states of a frontier affect their predecessors.
pub(crate) trait Rule<C>: Copy + Sync {
    /// Whether all states of the frontier have the same effect. Then their cells need not be read,
    /// and predecessors may be updated as they are found: see
    /// [`Walker::walk`](super::walk::Walker::walk).
    const UNIFORM: bool;

    /// The effect of the state at `index`; `cell` reads its cell.
    fn effect(self, index: u64, cell: impl FnOnce() -> C) -> Effect;
}

/// The effect of a settled state on its predecessors.
#[derive(Clone, Copy)]
pub(crate) struct Effect {
    /// `any[same_mover]`: true if this state settles the predecessor on its own; false if all
    /// successors of the predecessor have to be settled. `same_mover`: whether the same player is
    /// to move in both.
    pub(crate) any: [bool; 2],
    /// The index at which [`Walked`](crate::solve::levels::step::Walked) counts the state.
    pub(crate) kind: usize,
}

/// The rule of the first pass if all states of the frontier are won, or all are lost. `WON` is a
/// constant, since the loops are up to a tenth slower with a variable.
#[derive(Clone, Copy)]
pub(crate) struct Uniform<const WON: bool>;

impl<C: Cell, const WON: bool> Rule<C> for Uniform<WON> {
    const UNIFORM: bool = true;

    #[inline]
    fn effect(self, _: u64, _: impl FnOnce() -> C) -> Effect {
        decided(WON)
    }
}

/// The rule for states whose effects differ: won and lost states in the first pass, and the drawn
/// states of the second pass.
pub(crate) struct Varied<'p, P, C> {
    pub(crate) aim: PassKind,
    pub(crate) won: C,
    pub(crate) graph: &'p P,
}

impl<P, C: Copy> Clone for Varied<'_, P, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, C: Copy> Copy for Varied<'_, P, C> {}

impl<P: Predecessors, C: Cell> Rule<C> for Varied<'_, P, C> {
    const UNIFORM: bool = false;

    #[inline]
    fn effect(self, index: u64, cell: impl FnOnce() -> C) -> Effect {
        match self.aim {
            PassKind::Decided => decided(cell() == self.won),
            // A drawn state settles at once the predecessors of the player who does not lose by endless
            // play.
            PassKind::Drawn { endless_loser } => {
                let any = endless_loser.map_or([false; 2], |loser| {
                    let endless_loser_moves = self.graph.mover(index) == loser;
                    [!endless_loser_moves, endless_loser_moves]
                });
                Effect { any, kind: DRAWN }
            }
        }
    }
}

/// The effect in the first pass. A won state settles, on its own, predecessors in which the same
/// player is to move. A lost state settles the predecessors in which the other player is to move.
#[inline]
fn decided(won: bool) -> Effect {
    Effect { any: [!won, won], kind: usize::from(!won) }
}

/// The index at which [`Walked`](crate::solve::levels::step::Walked) counts drawn states.
const DRAWN: usize = 2;
