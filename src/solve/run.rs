//! One analysis from its first pass to its last level, by the method that the game and the memory
//! allow, and with checkpoints on the way.

use crate::error::SolveError;
use crate::game::{Game, Outcome};
use crate::numbering::Numbering;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::Method;
use crate::runtime::progress::{Progress, Resumed};
use crate::solve::checkpoint::{Arrays, Between, Checkpointing, Kept, Kind, Stage};
use crate::solve::graph::initialize;
use crate::solve::graph::initialize::{InitialState, initialize};
use crate::solve::graph::positions::{Reversed, Told};
use crate::solve::graph::reverse_edges;
use crate::solve::graph::reverse_edges::ReverseEdges;
use crate::solve::levels::cells::Cells;
use crate::solve::levels::{Analysis, Backward, Forward, Levels, kept_cells};
use crate::solve::plan::Needs;
use crate::summary::{Counts, Summary};
use crate::value::Rules;

/// Settles every state.
pub(crate) fn solve<N: Numbering + Sync>(
    numbering: &N,
    memory: Option<u64>,
    rules: Rules,
    checkpoints: &mut Checkpointing<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<(Cells, Summary), SolveError> {
    let len = numbering.len();
    let needs = Needs::weigh(len, numbering.bytes(), numbering.game().longest(), memory)?;
    let kept = match checkpoints.find(Kind::Levels)? {
        None => None,
        Some(Kept { stage: Stage::Settled { len: kept, palette, summary }, mut arrays }) => {
            check_len(len, kept, &*arrays)?;
            let states = summary.states();
            pool.report(Progress::Resumed(Resumed::Settled { states }))?;
            let cells = kept_cells(len, palette.as_deref(), &mut *arrays)?;
            arrays.finish()?;
            return Ok((cells, summary));
        }
        Some(Kept { stage: Stage::Between(between), arrays }) => {
            check_len(len, between.len, &*arrays)?;
            Some((*between, arrays))
        }
        Some(Kept { stage: Stage::Discovered { .. }, arrays }) => {
            return Err(arrays.senseless("has states in place of levels".into()).into());
        }
    };
    let (cells, counts) = settle(numbering, &needs, kept, checkpoints, pool)?;
    if let (Some(limit), Outcome::Win(_)) = (rules.ply_limit, rules.endless) {
        check_limit(limit, &counts)?;
    }
    let summary = Summary::of(&counts, rules);
    let stop = pool.honour_cancellation();
    if stop || checkpoints.is_due(cells.bytes()) {
        keep_settled(&cells, &summary, checkpoints, pool)?;
    }
    if stop { Err(SolveError::Interrupted) } else { Ok((cells, summary)) }
}

/// Keeps all that is settled.
pub(crate) fn keep_settled(
    cells: &Cells,
    summary: &Summary,
    checkpoints: &mut Checkpointing<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<(), SolveError> {
    let (palette, summary) = (cells.palette().map(<[u16]>::to_vec), summary.clone());
    let stage = Stage::Settled { len: cells.len(), palette, summary };
    checkpoints.keep(&stage, &[cells.as_bytes()], pool)
}

/// Where the levels begin.
enum Start {
    /// At the first, once every state was looked at.
    Afresh(InitialState),
    /// Where they were left; the arrays are not read yet.
    Kept(Between, Box<dyn Arrays>),
}

/// Goes through the levels, from the first or from where they were left.
fn settle<N: Numbering + Sync>(
    numbering: &N,
    needs: &Needs,
    kept: Option<(Between, Box<dyn Arrays>)>,
    checkpoints: &mut Checkpointing<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<(Cells, Counts), SolveError> {
    if <N::Game as Game>::PREDECESSORS {
        pool.report(Progress::Planned(needs.plan(Method::Predecessors)))?;
        let start = match kept {
            Some((between, arrays)) => Start::Kept(between, arrays),
            None => Start::Afresh(initialize(numbering, None, pool)?),
        };
        return levels(numbering, &Backward(Told(numbering)), start, checkpoints, pool);
    }
    let (start, edges) = match kept {
        Some((between, arrays)) if between.walks => {
            let (_, edges) = reverse_moves(numbering, needs, pool)?;
            if edges.is_none() {
                return Err(arrays.needs_edges().into());
            }
            (Start::Kept(between, arrays), edges)
        }
        Some((between, arrays)) => {
            pool.report(Progress::Planned(needs.plan(Method::Forward)))?;
            (Start::Kept(between, arrays), None)
        }
        None => {
            let (opened, edges) = reverse_moves(numbering, needs, pool)?;
            (Start::Afresh(opened), edges)
        }
    };
    match edges {
        Some(edges) => {
            let by_edges = Backward(Reversed { numbering, edges });
            levels(numbering, &by_edges, start, checkpoints, pool)
        }
        None => levels(numbering, &Forward(numbering), start, checkpoints, pool),
    }
}

/// The same, once it is known how.
fn levels<N: Numbering + Sync, L: Levels>(
    numbering: &N,
    levels: &L,
    start: Start,
    checkpoints: &mut Checkpointing<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<(Cells, Counts), SolveError> {
    let analysis = match start {
        Start::Afresh(opened) => Analysis::begin::<L>(opened)?,
        Start::Kept(between, arrays) if between.walks != L::WALKS => {
            let problem = "was made when the game did not tell its predecessors";
            return Err(arrays.senseless(problem.into()).into());
        }
        Start::Kept(between, mut arrays) => {
            let analysis = Analysis::resume(between, &mut *arrays)?;
            pool.report(analysis.resumed())?;
            analysis
        }
    };
    if checkpoints.is_on() {
        pool.defer_cancellation();
    }
    let endless_loser = initialize::endless_loser(numbering.game());
    let settled = analysis.run(levels, endless_loser, checkpoints, pool);
    if settled.is_err() {
        pool.honour_cancellation();
    }
    settled
}

/// Refuses a checkpoint of another length.
fn check_len(len: u64, kept: u64, arrays: &dyn Arrays) -> Result<(), SolveError> {
    if len == kept {
        return Ok(());
    }
    Err(arrays.senseless(format!("has {kept} states where the game has {len}")).into())
}

/// The first pass, and the reverse edges where there is room for them.
fn reverse_moves<N: Numbering + Sync>(
    numbering: &N,
    needs: &Needs,
    pool: &mut WorkerPool<'_>,
) -> Result<(InitialState, Option<ReverseEdges>), SolveError> {
    if needs.fit_in_degrees() {
        let mut in_degrees = reverse_edges::in_degrees(numbering.len())?;
        let (opened, edges) = {
            let counted = &mut in_degrees[..numbering.len() as usize];
            let opened = initialize(numbering, Some(&mut *counted), pool)?;
            (opened, counted.iter().map(|&in_degrees| u64::from(in_degrees)).sum())
        };
        if needs.fit_edges(edges) {
            pool.report(Progress::Planned(needs.plan(Method::ReverseEdges { edges })))?;
            if let Some(edges) = ReverseEdges::of(numbering, in_degrees, pool)? {
                return Ok((opened, Some(edges)));
            }
        }
        pool.report(Progress::Planned(needs.plan(Method::Forward)))?;
        return Ok((opened, None));
    }
    pool.report(Progress::Planned(needs.plan(Method::Forward)))?;
    Ok((initialize(numbering, None, pool)?, None))
}

/// Where endless play wins for one player and there are drawn ends too, the distances of the
/// unlimited table do not tell what a ply limit cuts off: a win that comes too late may be a draw
/// in time, and a player who heads for a draw may be led into a win that takes longer. Then the
/// limit has to leave room for both, one behind the other.
fn check_limit(limit: u32, counts: &Counts) -> Result<(), SolveError> {
    let (win, draw) = counts.longest();
    match draw {
        Some(draw) if win > 0 && limit < win + draw => {
            Err(SolveError::LimitAmongDraws { limit, least: win + draw })
        }
        _ => Ok(()),
    }
}
