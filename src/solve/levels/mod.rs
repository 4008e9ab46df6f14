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

mod backward;
pub(crate) mod cells;
mod forward;
mod resume;

pub(crate) use backward::LevelCounts;

use crate::error::SolveError;
use crate::game::Player;
use crate::numbering::Numbering;
use crate::runtime::frontier::{CHUNK, Frontier};
use crate::runtime::pool::{Size, WorkerPool, equal_cuts};
use crate::runtime::progress::Progress;
use crate::solve::checkpoint::{BegunLevel, Checkpointing};
use crate::solve::graph::incoming::{Incoming, Pass, Segment};
use crate::solve::graph::initial_state::InitialState;
use crate::solve::graph::initialize::BIG;
use crate::solve::graph::positions::Positions;
use crate::solve::levels::backward::{Effect, Rule};
use crate::solve::levels::cells::{Cell, Cells, LevelCodes, OverflowCounts, Settling, Slice};
use crate::solve::levels::forward::Aim;
use crate::solve::plan::Needs;
use crate::summary::Counts;
use crate::value::{DRAW, LOSS, MAX_PLIES, WIN};

/// A way to compute levels.
pub(crate) trait Levels {
    /// Whether a level walks the frontier, the states of its own distance, and counts them.
    /// Otherwise the frontiers are empty before and after, and the level counts the states that it
    /// settles.
    const WALKS: bool;

    /// Settles the states of the next distance, or pauses between two slices.
    fn level(
        &self,
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
pub(crate) struct Backward<P>(pub(crate) P);

/// Levels by moves alone: every open state is examined at every level.
pub(crate) struct Forward<'n, N>(pub(crate) &'n N);

impl<P: Positions> Levels for Backward<P> {
    const WALKS: bool = true;

    fn level(
        &self,
        step: Step<'_>,
        cells: &mut Cells,
        frontiers: [&mut Frontier; 2],
        pool: &mut WorkerPool<'_>,
    ) -> Result<LevelPart, SolveError> {
        let (slice, overflow) = cells.parts();
        match slice {
            Slice::Narrow(narrow) => walk(&self.0, step, narrow, overflow, frontiers, pool),
            Slice::Wide(wide) => walk(&self.0, step, wide, overflow, frontiers, pool),
        }
    }
}

/// Computes a level by predecessors, in cells of one width and by the rule of its aim.
fn walk<P: Positions, C: Cell>(
    positions: &P,
    step: Step<'_>,
    cells: &mut [C],
    overflow: &OverflowCounts,
    frontiers: [&mut Frontier; 2],
    pool: &mut WorkerPool<'_>,
) -> Result<LevelPart, SolveError> {
    let codes = LevelCodes { any: C::of_code(step.codes.any), all: C::of_code(step.codes.all) };
    let settling = Settling { codes, overflow };
    match (step.aim, step.uniform) {
        (Aim::Decided, Some(true)) => {
            let rule = Uniform::<true>;
            backward::level(positions, rule, settling, cells, frontiers, step, pool)
        }
        (Aim::Decided, Some(false)) => {
            let rule = Uniform::<false>;
            backward::level(positions, rule, settling, cells, frontiers, step, pool)
        }
        _ => {
            let rule = Varied { aim: step.aim, won: C::of_code(step.won), positions };
            backward::level(positions, rule, settling, cells, frontiers, step, pool)
        }
    }
}

impl<N: Numbering + Sync> Levels for Forward<'_, N> {
    const WALKS: bool = false;

    fn level(
        &self,
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

/// How much of a level is done: states of the frontier, or indices where levels do not walk it.
fn done<L: Levels>(begun: &BegunLevel) -> u64 {
    if L::WALKS { begun.counts.walked.iter().flatten().sum() } else { begun.next }
}

/// The effect in the first pass. A won state alone settles predecessors in which the same player is
/// to move, and a lost state those in which the other player is.
#[inline]
fn decided(won: bool) -> Effect {
    Effect { any: [!won, won], kind: usize::from(!won) }
}

/// Where drawn states are counted in [`Walked`](backward::Walked).
const DRAWN: usize = 2;

/// The state of an analysis between two levels, or between two slices of a level.
pub(crate) struct Analysis {
    /// The pass and the level that come next or are begun.
    pass: Pass,
    level: u32,
    /// What is done of the level, if it is begun.
    begun: Option<BegunLevel>,
    cells: Cells,
    frontier: Frontier,
    /// The frontier of the level after that.
    next: Frontier,
    counts: Counts,
    incoming: Incoming,
    /// How many states there are where play is over and drawn.
    drawn_ends: u64,
    /// How many states there are where play stops one ply early: won, lost and drawn.
    stopped_early: [u64; 3],
    /// How many states are settled.
    settled: u64,
    /// How many states there are.
    of: u64,
    /// `Some(true)` if the last level settled only wins, `Some(false)` if only losses. The next
    /// level then most likely settles only the other.
    uniform: Option<bool>,
}

impl Analysis {
    /// The analysis before its first level.
    pub(crate) fn begin<L: Levels>(initial: InitialState) -> Result<Analysis, SolveError> {
        let InitialState { cells, frontier, early, mut counts, drawn_ends, incoming, .. } = initial;
        let of = counts.states.iter().sum();
        let settled = counts.settled();
        let stopped_early = counts.of_distance(1);
        let [frontier, next] = if L::WALKS {
            // States of distance 1 are counted when they are walked.
            counts.reset(1);
            [frontier, early]
        } else {
            [Frontier::empty(cells.len())?, Frontier::empty(cells.len())?]
        };
        Ok(Analysis {
            pass: Pass::Decided,
            level: 0,
            begun: None,
            cells,
            frontier,
            next,
            counts,
            incoming,
            drawn_ends,
            stopped_early,
            settled,
            of,
            uniform: None,
        })
    }

    /// Settles every state that can be settled, and returns the cells and how many states there are
    /// of each value. `endless_loser` is the player whom endless play costs the game, if there is
    /// one.
    pub(crate) fn run<L: Levels>(
        mut self,
        levels: &L,
        needs: &Needs<'_>,
        endless_loser: Option<Player>,
        checkpoints: &mut Checkpointing<'_>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(Cells, Counts), SolveError> {
        if self.pass == Pass::Decided {
            self.pass(levels, needs, Aim::Decided, [WIN, LOSS], checkpoints, pool)?;
            if self.drawn_ends == 0 && !self.incoming.has_any(Pass::Drawn) {
                return Ok((self.cells, self.counts));
            }
            if L::WALKS {
                self.start_draws(pool)?;
            }
            (self.pass, self.level) = (Pass::Drawn, 0);
        }
        let aim = Aim::Drawn { endless_loser };
        self.pass(levels, needs, aim, [DRAW, DRAW], checkpoints, pool)?;
        Ok((self.cells, self.counts))
    }

    /// Makes the drawn ends the frontier, and those where play stops one ply early the next one.
    fn start_draws(&mut self, pool: &mut WorkerPool<'_>) -> Result<(), SolveError> {
        let (cells, len) = (&self.cells, self.cells.len());
        let size = if len < BIG { Size::Small } else { Size::Big };
        let ends = equal_cuts(len, pool.threads(), CHUNK);
        let frontiers = self.frontier.whole().cut(&ends).into_iter();
        let tasks = frontiers.zip(self.next.whole().cut(&ends)).collect();
        let (settled, of) = (self.settled, self.of);
        let event = |_| Progress::Settling { level: 0, settled, of, level_done: 0, level_of: len };
        pool.run(size, tasks, event, |((range, mut frontier), (_, mut next)), _| {
            for (index, place) in range.zip(0..) {
                match cells.get(index as usize) {
                    DRAW => frontier.insert(place),
                    packed if packed == DRAW + 1 => next.insert(place),
                    _ => {}
                }
            }
            Ok::<_, SolveError>(())
        })?;
        Ok(())
    }

    /// How many states of distance 1 the initial state has settled already, by the codes `any` and
    /// `all` that level 0 would have given them.
    fn settled_early(&self, aim: Aim) -> [u64; 2] {
        let [won, lost, drawn] = self.stopped_early;
        match aim {
            Aim::Decided => [won, lost],
            Aim::Drawn { .. } => [drawn, 0],
        }
    }

    /// Computes level after level until nothing is left to settle. `kinds` are what packed values
    /// of distance 0 are: first for states that any one successor settles, then for states that
    /// take all successors.
    fn pass<L: Levels>(
        &mut self,
        levels: &L,
        needs: &Needs<'_>,
        aim: Aim,
        kinds: [u16; 2],
        checkpoints: &mut Checkpointing<'_>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError> {
        loop {
            let level = self.level;
            if self.lacks_codes(kinds)
                && let Err(refused) = needs.check_widening(level)
            {
                self.save::<L>(checkpoints, pool)?;
                return Err(refused);
            }
            let mut settled = self.level(levels, aim, kinds, checkpoints, pool)?.all_settled();
            self.settled += settled;
            if level == 0 {
                settled += self.settled_early(aim).iter().sum::<u64>();
            }
            if settled > 0 && level >= MAX_PLIES {
                return Err(SolveError::TooLong);
            }
            // A level that settles nothing is the last one, unless exits have greater distances.
            self.level = match self.incoming.next_after(aim.pass(), level + 1) {
                _ if settled > 0 => level + 1,
                Some(distance) => distance - 1,
                None => return Ok(()),
            };
            std::mem::swap(&mut self.frontier, &mut self.next);
            if checkpoints.is_wanted(self.cells.bytes(), pool) {
                self.save_or_stop::<L>(checkpoints, pool)?;
            }
        }
    }

    /// Saves the analysis, and stops if the run is told to.
    fn save_or_stop<L: Levels>(
        &self,
        checkpoints: &mut Checkpointing<'_>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError> {
        self.save::<L>(checkpoints, pool)?;
        if pool.is_cancelled() { Err(SolveError::Interrupted) } else { Ok(()) }
    }

    /// The packed values of the states that the next level settles; `kinds` are those of
    /// [`pass`](Analysis::pass).
    fn packed(&self, kinds: [u16; 2]) -> [u16; 2] {
        // States settled at the level of `MAX_PLIES` have distances that do not fit. `pass` fails
        // if there are any.
        let distance = (self.level + 1).min(MAX_PLIES) as u16;
        kinds.map(|kind| kind + distance)
    }

    /// Whether the cells have to be widened before the next level.
    fn lacks_codes(&self, kinds: [u16; 2]) -> bool {
        let [any, all] = self.packed(kinds);
        let lacks = |packed| self.cells.code(packed).is_none();
        let new = usize::from(lacks(any)) + usize::from(any != all && lacks(all));
        self.cells.free_codes().is_some_and(|free| new > free)
    }

    /// Computes one level, or what is left of it; `kinds` are those of [`pass`](Analysis::pass).
    fn level<L: Levels>(
        &mut self,
        levels: &L,
        aim: Aim,
        kinds: [u16; 2],
        checkpoints: &mut Checkpointing<'_>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<LevelCounts, SolveError> {
        let level = self.level;
        let packed = self.packed(kinds);
        let new = packed.map(|packed| self.cells.code(packed).is_none());
        let codes = self.codes(packed);
        // A value without a code is the value of no state.
        let won = self.cells.code(kinds[0] + level as u16).unwrap_or(0);
        let mut incoming = self.incoming.take(aim.pass(), level + 1);
        let mut begun = self.begun.take().unwrap_or_default();
        let left = if L::WALKS { self.frontier.count() } else { self.cells.len() - begun.next };
        let level_of = done::<L>(&begun) + left;
        loop {
            let (settled, of) = (self.settled + begun.counts.all_settled(), self.of);
            let before = done::<L>(&begun);
            let event = |done: u64| {
                let level_done = (before + done).min(level_of);
                Progress::Settling { level, settled, of, level_done, level_of }
            };
            let bytes = self.cells.bytes();
            let step = Step {
                aim,
                won,
                uniform: self.uniform,
                codes,
                level,
                incoming: &incoming,
                event: &event,
                start: begun.next,
                slice: checkpoints.slice(),
                pause: &|pool| checkpoints.is_wanted(bytes, pool),
            };
            let frontiers = [&mut self.frontier, &mut self.next];
            let part = levels.level(step, &mut self.cells, frontiers, pool)?;
            begun.counts.add(&part.counts);
            let Some(next) = part.next else { break };
            begun.next = next;
            // The values of exits are applied first of all.
            incoming.clear();
            self.begun = Some(begun);
            self.save_or_stop::<L>(checkpoints, pool)?;
            self.begun = None;
        }
        let level_counts = begun.counts;
        let mut of_next_distance = level_counts.settled;
        if level == 0 {
            let early = self.settled_early(aim);
            of_next_distance.iter_mut().zip(early).for_each(|(count, early)| *count += early);
        }
        self.uniform = match of_next_distance.map(|count| count > 0) {
            [true, false] => Some(true),
            [false, true] => Some(false),
            _ => None,
        };
        // Codes that no cell has are free for later levels.
        for at in [1, 0] {
            let used =
                (0..2).any(|kind| packed[kind] == packed[at] && level_counts.settled[kind] > 0);
            if new[at] && !used {
                self.cells.remove_code(packed[at]);
            }
        }
        // States of distance 0 were counted before.
        let distance = level + u32::from(!L::WALKS);
        if distance > 0 {
            self.counts.add_at(distance, &level_counts.walked);
        }
        Ok(level_counts)
    }

    /// The codes of two packed values. The cells are widened if there is no room for both.
    fn codes(&mut self, packed: [u16; 2]) -> LevelCodes<u16> {
        // Only the code that was added last can be removed again.
        let order = if self.uniform == Some(true) { [1, 0] } else { [0, 1] };
        if order.into_iter().any(|at| self.cells.add_code(packed[at]).is_none()) {
            self.cells.widen();
        }
        let code = |at: usize| self.cells.code(packed[at]).unwrap_or_default();
        LevelCodes { any: code(0), all: code(1) }
    }
}
