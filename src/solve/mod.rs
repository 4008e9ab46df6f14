//! Solving: from the rules of a game to the value of every state.

mod analysis;
mod cells;
mod error;
mod frontier;
mod positions;
pub(crate) mod progress;
mod reverse;
mod summary;

use std::hash::Hash;
use std::ops::ControlFlow;

pub use error::SolveError;
pub use progress::{OnProgress, Progress};
pub use summary::{AtDistance, Summary, Tally};

use crate::game::{Game, Indexed, Outcome};
use crate::numbering::{Dense, Explored, Numbering};
use crate::value::{Rules, Value};
use positions::{Positions, Reversed, Told};
use reverse::ReverseEdges;

/// Solves a game: [`dense`](Solver::dense) in the game's own numbering,
/// [`explored`](Solver::explored) from its roots.
#[must_use = "a solver does nothing before `dense` or `explored` is called"]
pub struct Solver<'g, 'p, G> {
    game: &'g G,
    progress: Option<Box<OnProgress<'p>>>,
}

impl<'g, 'p, G: Game> Solver<'g, 'p, G> {
    /// A solver for `game`.
    pub fn new(game: &'g G) -> Self {
        Solver { game, progress: None }
    }

    /// Has `report` called as the run goes on, every few ten thousand states and at least once a
    /// level. When it returns `Break`, the run ends with [`SolveError::Interrupted`].
    pub fn on_progress(mut self, report: impl FnMut(Progress) -> ControlFlow<()> + 'p) -> Self {
        self.progress = Some(Box::new(report));
        self
    }

    /// Solves all states of the game's own numbering.
    ///
    /// Costs 2 bytes and 2 bits a state, and, for games without predecessors, 8 bytes a state and
    /// 8 bytes an edge on top.
    ///
    /// # Errors
    /// When the rules or the numbering are faulty in a way that is noticed on the way
    /// ([`laws::check`](crate::laws::check) notices more), when a distance is too long for the
    /// table, when memory runs out, and when the progress function interrupts.
    pub fn dense(self) -> Result<Solution<Dense<'g, G>>, SolveError>
    where
        G: Indexed,
    {
        let Solver { game, progress } = self;
        let mut progress = progress.unwrap_or_else(|| Box::new(|_| ControlFlow::Continue(())));
        Solution::of(Dense::new(game), &mut *progress)
    }

    /// Discovers the states that can be reached from the game's roots, and solves those.
    ///
    /// Costs, beside what [`dense`](Solver::dense) costs, every state once and about 6 to 12 bytes a
    /// state; twice that while the states are discovered. `Ord` has to agree with `Eq`.
    ///
    /// # Errors
    /// As [`dense`](Solver::dense), and when the game has no roots or more than 2^32 states.
    pub fn explored(self) -> Result<Solution<Explored<'g, G>>, SolveError>
    where
        G::State: Hash + Ord,
    {
        let Solver { game, progress } = self;
        let mut progress = progress.unwrap_or_else(|| Box::new(|_| ControlFlow::Continue(())));
        let numbering = Explored::discover(game, &mut *progress)?;
        Solution::of(numbering, &mut *progress)
    }
}

/// A solved game, in memory. Ask it through [`Query`](crate::Query), keep it with
/// [`save`](Solution::save).
#[derive(Debug)]
pub struct Solution<N> {
    numbering: N,
    values: Vec<u16>,
    rules: Rules,
    summary: Summary,
}

impl<N: Numbering> Solution<N> {
    fn of(numbering: N, progress: &mut OnProgress<'_>) -> Result<Self, SolveError> {
        let rules = Rules::of(numbering.game());
        let values = if <N::Game as Game>::PREDECESSORS {
            analyse(&Told(&numbering), rules, progress)?
        } else {
            let edges = ReverseEdges::of(&numbering, progress)?;
            analyse(&Reversed { numbering: &numbering, edges }, rules, progress)?
        };
        let summary = Summary::of(&numbering, &values, rules, progress)?;
        Ok(Solution { numbering, values, rules, summary })
    }

    /// The numbering that the states were solved in.
    pub fn numbering(&self) -> &N {
        &self.numbering
    }

    /// The solved game in figures.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The rules that turn values into verdicts.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The packed values, one a number.
    pub(crate) fn packed_values(&self) -> &[u16] {
        &self.values
    }
}

fn analyse<P: Positions>(
    positions: &P,
    rules: Rules,
    progress: &mut OnProgress<'_>,
) -> Result<Vec<u16>, SolveError> {
    let values = analysis::analyse(positions, rules.endless, progress)?;
    if let (Some(limit), Outcome::Win(_)) = (rules.ply_limit, rules.endless) {
        check_limit(limit, &values)?;
    }
    Ok(values)
}

/// Where endless play wins for one player and there are drawn ends too, the distances of the
/// unlimited table do not tell what a ply limit cuts off: a win that comes too late may be a draw
/// in time, and a player who heads for a draw may be led into a win that takes longer. Then the
/// limit has to leave room for both, one behind the other.
fn check_limit(limit: u32, values: &[u16]) -> Result<(), SolveError> {
    let (mut longest_win, mut longest_draw) = (0, None);
    for &packed in values {
        match Value::unpack(packed) {
            Ok(Some(Value::Win(plies) | Value::Loss(plies))) => {
                longest_win = longest_win.max(plies);
            }
            Ok(Some(Value::Draw(plies))) => longest_draw = longest_draw.max(Some(plies)),
            _ => {}
        }
    }
    match longest_draw {
        Some(draw) if longest_win > 0 && limit < longest_win + draw => {
            Err(SolveError::LimitAmongDraws { limit, least: longest_win + draw })
        }
        _ => Ok(()),
    }
}

/// A vector of `len` copies of `value`, or an error where the system does not have the memory.
fn try_filled<T: Clone>(value: T, len: u64, what: &'static str) -> Result<Vec<T>, SolveError> {
    let bytes = len.saturating_mul(size_of::<T>() as u64);
    let failed = SolveError::OutOfMemory { what, bytes };
    let Ok(len) = usize::try_from(len) else { return Err(failed) };
    let mut filled = Vec::new();
    filled.try_reserve_exact(len).map_err(|_| failed)?;
    filled.resize(len, value);
    Ok(filled)
}
