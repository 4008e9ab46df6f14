//! What the states of a frontier do to their predecessors.

use crate::solve::graph::positions::Positions;
use crate::solve::levels::cell::Cell;
use crate::solve::levels::step::Aim;

/// What the states of a frontier do to their predecessors.
pub(crate) trait Rule<C>: Copy + Sync {
    /// Whether all states of the frontier have the same effect. Then their cells need not be read,
    /// and predecessors may be updated as they are found: see [`Walker::walk`](super::walk::Walker::walk).
    const UNIFORM: bool;

    /// The effect of the state at `index`, which has this cell.
    fn effect(self, index: u64, cell: impl FnOnce() -> C) -> Effect;
}

/// The effect of a settled state on its predecessors.
#[derive(Clone, Copy)]
pub(crate) struct Effect {
    /// Whether any one such state settles a predecessor, rather than all its successors together:
    /// first for predecessors where the other player is to move, then where the same one is.
    pub(crate) any: [bool; 2],
    /// Where the state is counted in [`Walked`](crate::solve::levels::step::Walked).
    pub(crate) kind: usize,
}

/// The rule of the first pass where all states of the frontier are won, or all are lost. A constant,
/// since the loops are up to a tenth slower where it is a variable.
#[derive(Clone, Copy)]
pub(crate) struct Uniform<const WON: bool>;

impl<C: Cell, const WON: bool> Rule<C> for Uniform<WON> {
    const UNIFORM: bool = true;

    #[inline]
    fn effect(self, _: u64, _: impl FnOnce() -> C) -> Effect {
        decided(WON)
    }
}

/// The rule where each state has an effect of its own: won and lost states in the first pass, and
/// drawn states in the second where endless play costs one player the game.
pub(crate) struct Varied<'p, P, C> {
    pub(crate) aim: Aim,
    pub(crate) won: C,
    pub(crate) positions: &'p P,
}

impl<P, C: Copy> Clone for Varied<'_, P, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, C: Copy> Copy for Varied<'_, P, C> {}

impl<P: Positions, C: Cell> Rule<C> for Varied<'_, P, C> {
    const UNIFORM: bool = false;

    #[inline]
    fn effect(self, index: u64, cell: impl FnOnce() -> C) -> Effect {
        match self.aim {
            Aim::Decided => decided(cell() == self.won),
            // A drawn state alone settles predecessors in which that player is to move.
            Aim::Drawn { endless_loser } => {
                let is_his = |player| self.positions.mover(index) == player;
                let any = endless_loser.map_or([false; 2], |player| {
                    let his = is_his(player);
                    [!his, his]
                });
                Effect { any, kind: DRAWN }
            }
        }
    }
}

/// The effect in the first pass. A won state alone settles predecessors in which the same player is
/// to move, and a lost state those in which the other player is.
#[inline]
fn decided(won: bool) -> Effect {
    Effect { any: [!won, won], kind: usize::from(!won) }
}

/// Where drawn states are counted in [`Walked`](crate::solve::levels::step::Walked).
const DRAWN: usize = 2;
