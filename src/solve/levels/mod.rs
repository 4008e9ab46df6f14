//! The retrograde analysis, level by level.
//!
//! The analysis works on indices alone and knows no game. Level d settles exactly the states of
//! distance d + 1, in two passes (Thompson, "Retrograde analysis of certain endgames", ICCA Journal
//! 9(3), 1986; linear time by counting: Dowling and Gallier on Horn formulae, Journal of Logic
//! Programming 1(3), 1984).
//!
//! The first pass settles wins and losses. A state is won as soon as any successor is lost for the
//! opponent, and lost once all its successors are won for the opponent. The cell of an open state
//! counts the successors that are not won for the opponent yet. The levels are finished in order,
//! so that winners get their least distance and losers their greatest.
//!
//! Nobody can force a win from the states that the first pass leaves open. The second pass settles
//! those of them where play has to end in a draw. All others are endless. The rule depends on what
//! endless play is worth:
//!
//! - Endless play is a draw: both players may move as they like, as long as they keep the draw. A
//!   state is settled once all its successors that keep the draw are, so that the settled states
//!   are those where drawn play must end.
//! - Endless play wins for one player: the other one hurries to a draw. Any drawn successor settles
//!   a state in which he is to move; all are needed where his opponent is. What gets settled is the
//!   attractor of the drawn ends: the region in which he has at least a draw, and no more, since
//!   the first pass found no win for him there. In the rest, the player for whom endless play wins
//!   can stay for ever.
//!
//! A level can be computed in two ways. [`Backward`] walks the frontier, which is the set of states
//! settled in the last level, and updates their predecessors. [`Forward`] goes through the moves of
//! all open states; it is for games without predecessors where reverse edges do not fit into
//! memory.

mod analysis;
mod backward;
pub(crate) mod cells;
mod forward;

pub(crate) use analysis::Analysis;
pub(crate) use backward::{LevelCounts, UpdateSorter};

use crate::error::SolveError;
use crate::numbering::Numbering;
use crate::runtime::frontier::Frontier;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::Progress;
use crate::solve::graph::incoming::Segment;
use crate::solve::graph::positions::Positions;
use crate::solve::levels::backward::{Effect, Rule};
use crate::solve::levels::cells::{Cell, Cells, LevelCodes, OverflowCounts, Settling, Slice};
use crate::solve::levels::forward::Aim;

/// A way to compute levels.
pub(crate) trait Levels {
    /// Whether a level walks the frontier, the states of its own distance, and counts them.
    /// Otherwise the frontiers are empty before and after, and the level counts the states that it
    /// settles.
    fn walks(&self) -> bool;

    /// Settles the states of the next distance, or pauses between two slices.
    fn level(
        &mut self,
        step: Step<'_>,
        cells: &mut Cells,
        frontiers: [&mut Frontier; 2],
        pool: &mut WorkerPool<'_>,
    ) -> Result<LevelPart, SolveError>;
}

/// What was done of a level.
pub(crate) struct LevelPart {
    pub(crate) counts: LevelCounts,
    /// Where a level that paused goes on; `None` if it is finished.
    pub(crate) next: Option<u64>,
}

/// The task of one level.
#[derive(Clone, Copy)]
pub(crate) struct Step<'a> {
    pub(crate) aim: Aim,
    /// The code of wins of this distance.
    won: u16,
    /// `Some(true)` if all states of this distance are won, `Some(false)` if all are lost.
    uniform: Option<bool>,
    /// The codes of the states that this level settles.
    pub(crate) codes: LevelCodes<u16>,
    /// The level, which is the distance of the states that it walks.
    pub(crate) level: u32,
    /// How many states the frontier has.
    pub(crate) states: u64,
    /// The values of exits that take effect at this level.
    pub(crate) incoming: &'a [Segment],
    /// What to report when so many states are walked, or so many indices are examined.
    pub(crate) event: &'a dyn Fn(u64) -> Progress,
    /// Where a level that goes through all indices begins or goes on.
    pub(crate) start: u64,
    /// How many states each thread handles between two places where the level can pause.
    pub(crate) slice: u64,
    /// Whether to pause.
    pub(crate) pause: &'a dyn Fn(&WorkerPool<'_>) -> bool,
}

/// Levels by predecessors: from the states of the frontier to those that have a move to them.
pub(crate) struct Backward<P> {
    positions: P,
    /// How updates are sorted, where that may be faster.
    sorter: Option<UpdateSorter>,
}

impl<P: Positions> Backward<P> {
    pub(crate) fn new(positions: P, sorter: Option<UpdateSorter>) -> Backward<P> {
        Backward { positions, sorter }
    }
}

/// Levels by moves alone: every open state is examined at every level.
pub(crate) struct Forward<'n, N>(pub(crate) &'n N);

impl<P: Positions> Levels for Backward<P> {
    fn walks(&self) -> bool {
        true
    }

    fn level(
        &mut self,
        step: Step<'_>,
        cells: &mut Cells,
        frontiers: [&mut Frontier; 2],
        pool: &mut WorkerPool<'_>,
    ) -> Result<LevelPart, SolveError> {
        let (slice, overflow) = cells.parts();
        match slice {
            Slice::Narrow(narrow) => self.walk(step, narrow, overflow, frontiers, pool),
            Slice::Wide(wide) => self.walk(step, wide, overflow, frontiers, pool),
        }
    }
}

impl<P: Positions> Backward<P> {
    /// Computes a level in cells of one width and by the rule of its aim.
    fn walk<C: Cell>(
        &mut self,
        step: Step<'_>,
        cells: &mut [C],
        overflow: &OverflowCounts,
        frontiers: [&mut Frontier; 2],
        pool: &mut WorkerPool<'_>,
    ) -> Result<LevelPart, SolveError> {
        let codes = LevelCodes { any: C::of_code(step.codes.any), all: C::of_code(step.codes.all) };
        let settling = Settling { codes, overflow };
        let Backward { positions, sorter } = self;
        let sorter = sorter.as_mut();
        match (step.aim, step.uniform) {
            (Aim::Decided, Some(true)) => {
                let rule = Uniform::<true>;
                backward::level(positions, rule, settling, cells, frontiers, sorter, step, pool)
            }
            (Aim::Decided, Some(false)) => {
                let rule = Uniform::<false>;
                backward::level(positions, rule, settling, cells, frontiers, sorter, step, pool)
            }
            _ => {
                let rule = Varied { aim: step.aim, won: C::of_code(step.won), positions };
                backward::level(positions, rule, settling, cells, frontiers, sorter, step, pool)
            }
        }
    }
}

impl<N: Numbering + Sync> Levels for Forward<'_, N> {
    fn walks(&self) -> bool {
        false
    }

    fn level(
        &mut self,
        step: Step<'_>,
        cells: &mut Cells,
        frontiers: [&mut Frontier; 2],
        pool: &mut WorkerPool<'_>,
    ) -> Result<LevelPart, SolveError> {
        forward::level(self.0, step, cells, frontiers, pool)
    }
}

/// The rule of the first pass where all states of the frontier are won, or all are lost. A constant,
/// since the loops are up to a tenth slower where it is a variable.
#[derive(Clone, Copy)]
struct Uniform<const WON: bool>;

impl<C: Cell, const WON: bool> Rule<C> for Uniform<WON> {
    const UNIFORM: bool = true;

    #[inline]
    fn effect(self, _: u64, _: impl FnOnce() -> C) -> Effect {
        decided(WON)
    }
}

/// The rule where each state has an effect of its own: won and lost states in the first pass, and
/// drawn states in the second where endless play costs one player the game.
struct Varied<'p, P, C> {
    aim: Aim,
    won: C,
    positions: &'p P,
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

/// Where drawn states are counted in [`Walked`](backward::Walked).
const DRAWN: usize = 2;
