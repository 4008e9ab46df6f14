//! The retrograde analysis, level by level.
//!
//! It works on numbers alone and knows no game. Level d settles exactly the states of distance
//! d + 1: a state one of whose successors is lost for the opponent is won, and a state all of whose
//! successors are won for the opponent is lost. Since the levels are finished in order, the
//! winner's distance is the least and the loser's the greatest. (Thompson, "Retrograde analysis of
//! certain endgames", ICCA Journal 9(3), 1986; linear time by counting: Dowling and Gallier on Horn
//! formulae, Journal of Logic Programming 1(3), 1984.)
//!
//! What the first pass leaves open can't be forced by anybody. The second pass does the same with
//! draws, so that play which has to end in a draw is told from play that never has to end:
//!
//! - Where endless play is a draw, both players wait: a state is settled once all its successors
//!   that keep the draw are, hence the settled ones are those where drawn play must end.
//! - Where endless play wins for one player, the other hurries: for him a state is a draw as soon
//!   as one successor is. The attractor so computed is his "at least a draw" region, since the
//!   first pass found nothing better for him there. In what remains the player for whom endless play
//!   wins can stay for ever, and does.

mod backward;
pub(crate) mod cells;
mod forward;
mod resume;

pub(crate) use resume::cells as kept_cells;

use crate::error::SolveError;
use crate::game::Player;
use crate::numbering::Numbering;
use crate::runtime::frontier::{CHUNK, Frontier};
use crate::runtime::pool::{Size, WorkerPool, equal_cuts};
use crate::runtime::progress::Progress;
use crate::solve::checkpoint::Checkpointing;
use crate::solve::graph::incoming::{Incoming, Pass, Segment};
use crate::solve::graph::initialize::{BIG, InitialState};
use crate::solve::graph::positions::Positions;
use crate::solve::levels::backward::{Effect, Outcome, Rule};
use crate::solve::levels::cells::{Beyond, Cell, Cells, Codes, Settling, Slice};
use crate::solve::levels::forward::Aim;
use crate::summary::Counts;
use crate::value::{DRAW, LOSS, MAX_PLIES, WIN};

/// How the levels are gone through.
pub(crate) trait Levels {
    /// Whether a level walks the states of its own distance, and counts them. Otherwise the
    /// frontiers are empty before and after, and it counts the states that it settles.
    const WALKS: bool;

    /// Settles the states that those of the last level settle.
    fn level(
        &self,
        step: Step<'_>,
        cells: &mut Cells,
        frontiers: [&mut Frontier; 2],
        pool: &mut WorkerPool<'_>,
    ) -> Result<Outcome, SolveError>;
}

/// What there is to know of a level.
#[derive(Clone, Copy)]
pub(crate) struct Step<'a> {
    pub(crate) aim: Aim,
    /// What the wins of this distance have.
    won: u16,
    /// Whether all states of this distance are won, or all lost.
    all: Option<bool>,
    /// What the states become that are settled.
    pub(crate) codes: Codes<u16>,
    /// The level: the distance of the states that it walks.
    pub(crate) level: u32,
    /// What comes in from outside at this level.
    pub(crate) entering: &'a [Segment],
    /// What to report when so many are settled.
    pub(crate) event: &'a dyn Fn(u64) -> Progress,
}

/// Levels by predecessors.
pub(crate) struct Backward<P>(pub(crate) P);

/// Levels by moves alone.
pub(crate) struct Forward<'n, N>(pub(crate) &'n N);

impl<P: Positions> Levels for Backward<P> {
    const WALKS: bool = true;

    fn level(
        &self,
        step: Step<'_>,
        cells: &mut Cells,
        frontiers: [&mut Frontier; 2],
        pool: &mut WorkerPool<'_>,
    ) -> Result<Outcome, SolveError> {
        let (slice, beyond) = cells.parts();
        match slice {
            Slice::Narrow(narrow) => walk(&self.0, step, narrow, beyond, frontiers, pool),
            Slice::Wide(wide) => walk(&self.0, step, wide, beyond, frontiers, pool),
        }
    }
}

/// A level by predecessors, in cells of one width.
fn walk<P: Positions, C: Cell>(
    positions: &P,
    step: Step<'_>,
    cells: &mut [C],
    beyond: &Beyond,
    frontiers: [&mut Frontier; 2],
    pool: &mut WorkerPool<'_>,
) -> Result<Outcome, SolveError> {
    let codes =
        Codes { at_once: C::of_code(step.codes.at_once), at_last: C::of_code(step.codes.at_last) };
    let settling = Settling { codes, beyond };
    let (entering, event) = (step.entering, step.event);
    match step.aim {
        Aim::Decided if step.all == Some(true) => {
            let rule = Uniform::<true>;
            backward::level(positions, rule, settling, cells, frontiers, entering, pool, event)
        }
        Aim::Decided if step.all == Some(false) => {
            let rule = Uniform::<false>;
            backward::level(positions, rule, settling, cells, frontiers, entering, pool, event)
        }
        Aim::Decided => {
            let rule = Decided { won: C::of_code(step.won) };
            backward::level(positions, rule, settling, cells, frontiers, entering, pool, event)
        }
        Aim::Drawn { endless_loser } => {
            let rule = Drawn { positions, endless_loser };
            backward::level(positions, rule, settling, cells, frontiers, entering, pool, event)
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
    ) -> Result<Outcome, SolveError> {
        forward::level(self.0, step, cells, frontiers, pool)
    }
}

/// The rule of the first pass. A win settles the predecessors where the same player is to move, a
/// loss those where the other is.
#[derive(Clone, Copy)]
struct Decided<C> {
    won: C,
}

impl<C: Cell> Rule<C> for Decided<C> {
    const UNIFORM: bool = false;

    #[inline]
    fn news(self, _: u64, cell: impl FnOnce() -> C) -> Effect {
        decided(cell() == self.won)
    }
}

#[derive(Clone, Copy)]
struct Uniform<const WON: bool>;

impl<C: Cell, const WON: bool> Rule<C> for Uniform<WON> {
    const UNIFORM: bool = true;

    #[inline]
    fn news(self, _: u64, _: impl FnOnce() -> C) -> Effect {
        decided(WON)
    }
}

#[inline]
fn decided(won: bool) -> Effect {
    Effect { settles: [!won, won], kind: usize::from(!won) }
}

/// The rule of the second pass. A draw settles the predecessors in which the player moves who
/// hurries to it.
struct Drawn<'p, P> {
    positions: &'p P,
    endless_loser: Option<Player>,
}

impl<P> Clone for Drawn<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Drawn<'_, P> {}

impl<P: Positions, C> Rule<C> for Drawn<'_, P> {
    const UNIFORM: bool = false;

    fn news(self, number: u64, _: impl FnOnce() -> C) -> Effect {
        let settles = match self.endless_loser {
            None => [false; 2],
            Some(player) => {
                let his = self.positions.mover(number) == player;
                [!his, his]
            }
        };
        Effect { settles, kind: 2 }
    }
}

/// An analysis under way, between two levels.
pub(crate) struct Analysis {
    /// The pass and the level that come next.
    pass: Pass,
    level: u32,
    cells: Cells,
    frontier: Frontier,
    /// The frontier of the level after.
    next: Frontier,
    counts: Counts,
    entering: Incoming,
    drawn_ends: u64,
    /// How many states there are where play stops one ply early: won, lost and drawn.
    stopped_early: [u64; 3],
    /// How many states are settled, and of how many.
    settled: u64,
    of: u64,
    /// Whether the last level settled only wins, or only losses. The next will most likely settle
    /// only the other.
    all: Option<bool>,
}

impl Analysis {
    /// That of states of which only is known which are over.
    pub(crate) fn begin<L: Levels>(opened: InitialState) -> Result<Analysis, SolveError> {
        let InitialState { cells, frontier, early, mut counts, drawn_ends, entering } = opened;
        let of = counts.states.iter().sum();
        let settled = counts.settled();
        let stopped_early = counts.of_distance(1);
        let [frontier, next] = if L::WALKS {
            // They are counted when they are walked, with the others of their distance.
            counts.forget(1);
            [frontier, early]
        } else {
            [Frontier::empty(cells.len())?, Frontier::empty(cells.len())?]
        };
        Ok(Analysis {
            pass: Pass::Decided,
            level: 0,
            cells,
            frontier,
            next,
            counts,
            entering,
            drawn_ends,
            stopped_early,
            settled,
            of,
            all: None,
        })
    }

    /// Settles every state that can be, and returns their cells and how many there are of each
    /// value. `hurried` is the player who hurries to a draw.
    pub(crate) fn run<L: Levels>(
        mut self,
        levels: &L,
        endless_loser: Option<Player>,
        checkpoints: &mut Checkpointing<'_>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(Cells, Counts), SolveError> {
        if self.pass == Pass::Decided {
            self.pass(levels, Aim::Decided, [WIN, LOSS], checkpoints, pool)?;
            if self.drawn_ends == 0 && !self.entering.has_any(Pass::Drawn) {
                return Ok((self.cells, self.counts));
            }
            if L::WALKS {
                self.start_draws(pool)?;
            }
            (self.pass, self.level) = (Pass::Drawn, 0);
        }
        self.pass(levels, Aim::Drawn { endless_loser }, [DRAW, DRAW], checkpoints, pool)?;
        Ok((self.cells, self.counts))
    }

    /// Makes the drawn ends the frontier, and those where play stops early the next.
    fn start_draws(&mut self, pool: &mut WorkerPool<'_>) -> Result<(), SolveError> {
        let (cells, len) = (&self.cells, self.cells.len());
        let size = if len < BIG { Size::Small } else { Size::Big };
        let (mut frontier, mut next) = (self.frontier.whole(), self.next.whole());
        let mut parts = Vec::new();
        let mut start = 0;
        for end in equal_cuts(len, pool.threads(), CHUNK) {
            let length = end.next_multiple_of(CHUNK) - start;
            let (own_frontier, later_frontier) = frontier.split_at(length);
            let (own_next, later_next) = next.split_at(length);
            (frontier, next) = (later_frontier, later_next);
            parts.push((start..end, own_frontier, own_next));
            start = end;
        }
        let (settled, of) = (self.settled, self.of);
        let event = |_| Progress::Settling { level: 0, settled, of };
        pool.run(size, parts, event, |(numbers, mut frontier, mut next), _| {
            for (number, place) in numbers.zip(0..) {
                match cells.get(number as usize) {
                    DRAW => frontier.insert(place),
                    packed if packed == DRAW + 1 => next.insert(place),
                    _ => {}
                }
            }
            Ok::<_, SolveError>(())
        })?;
        Ok(())
    }

    /// What is settled one ply from the end before any level is gone through: at once, and at last.
    fn settled_early(&self, aim: Aim) -> [u64; 2] {
        let [won, lost, drawn] = self.stopped_early;
        match aim {
            Aim::Decided => [won, lost],
            Aim::Drawn { .. } => [drawn, 0],
        }
    }

    /// Level after level until one settles nothing. A state that one successor settles gets the
    /// first of `kinds` plus its distance; one that the last of its open successors settles gets the
    /// other plus its distance.
    fn pass<L: Levels>(
        &mut self,
        levels: &L,
        aim: Aim,
        kinds: [u16; 2],
        checkpoints: &mut Checkpointing<'_>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError> {
        loop {
            let level = self.level;
            let outcome = self.level(levels, aim, kinds, pool)?;
            let mut settled: u64 = outcome.settled.iter().sum();
            self.settled += settled;
            if level == 0 {
                settled += self.settled_early(aim).iter().sum::<u64>();
            }
            if settled > 0 && level >= MAX_PLIES {
                return Err(SolveError::TooLong);
            }
            // Where nothing goes on here, something may still come in from outside.
            self.level = match self.entering.next_after(aim.pass(), level + 1) {
                _ if settled > 0 => level + 1,
                Some(distance) => distance - 1,
                None => return Ok(()),
            };
            std::mem::swap(&mut self.frontier, &mut self.next);
            if checkpoints.is_due(self.cells.bytes()) || pool.is_cancelled() {
                self.keep::<L>(checkpoints, pool)?;
            }
            if pool.is_cancelled() {
                return Err(SolveError::Interrupted);
            }
        }
    }

    fn level<L: Levels>(
        &mut self,
        levels: &L,
        aim: Aim,
        [at_once, at_last]: [u16; 2],
        pool: &mut WorkerPool<'_>,
    ) -> Result<Outcome, SolveError> {
        let level = self.level;
        // At the last level that fits, what is settled would not: `pass` fails if there is any.
        let distance = (level + 1).min(MAX_PLIES) as u16;
        let packed = [at_once + distance, at_last + distance];
        let new = packed.map(|packed| self.cells.code(packed).is_none());
        let codes = self.codes(packed);
        // If there is no number for it, no state has it.
        let won = self.cells.code(at_once + level as u16).unwrap_or(0);
        let (settled, of) = (self.settled, self.of);
        let event = |done| Progress::Settling { level, settled: settled + done, of };
        let entering = self.entering.take(aim.pass(), level + 1);
        let step =
            Step { aim, won, all: self.all, codes, level, entering: &entering, event: &event };
        let frontiers = [&mut self.frontier, &mut self.next];
        let outcome = levels.level(step, &mut self.cells, frontiers, pool)?;
        let mut of_next_distance = outcome.settled;
        if level == 0 {
            let early = self.settled_early(aim);
            of_next_distance.iter_mut().zip(early).for_each(|(count, early)| *count += early);
        }
        self.all = match of_next_distance.map(|count| count > 0) {
            [true, false] => Some(true),
            [false, true] => Some(false),
            _ => None,
        };
        // Numbers that no cell has are there for later levels.
        for at in [1, 0] {
            let used = (0..2).any(|kind| packed[kind] == packed[at] && outcome.settled[kind] > 0);
            if new[at] && !used {
                self.cells.remove_code(packed[at]);
            }
        }
        // The ends were counted before.
        let distance = level + u32::from(!L::WALKS);
        if distance > 0 {
            self.counts.add_at(distance, &outcome.walked);
        }
        Ok(outcome)
    }

    /// The numbers of two packed values, for which the cells are widened if need be.
    fn codes(&mut self, packed: [u16; 2]) -> Codes<u16> {
        // The number that is taken back, if it can be, is the one given last.
        let order = if self.all == Some(true) { [1, 0] } else { [0, 1] };
        if order.into_iter().any(|at| self.cells.add_code(packed[at]).is_none()) {
            self.cells.widen();
        }
        let code = |at: usize| self.cells.code(packed[at]).unwrap_or_default();
        Codes { at_once: code(0), at_last: code(1) }
    }
}
