//! One analysis from its first pass to its last level, by the method that the game and the memory
//! allow, and with checkpoints on the way.

use super::analysis::{Analysis, Backward, Forward, Levels, kept_cells};
use super::cells::Cells;
use super::checkpoint::{Arrays, Between, Checkpointing, Kept, Kind, Stage};
use super::crew::Crew;
use super::edges::{self, ReverseEdges};
use super::plan::{Method, Needs};
use super::positions::{Reversed, Told};
use super::setup::{self, Opened, set_up};
use super::summary::{Counts, Summary};
use super::{Progress, Resumed, SolveError};
use crate::game::{Game, Outcome};
use crate::numbering::Numbering;
use crate::value::Rules;

/// Settles every state.
pub(super) fn solve<N: Numbering + Sync>(
    numbering: &N,
    memory: Option<u64>,
    rules: Rules,
    checkpoints: &mut Checkpointing<'_>,
    crew: &mut Crew<'_>,
) -> Result<(Cells, Summary), SolveError> {
    let len = numbering.len();
    let needs = Needs::weigh(len, numbering.bytes(), numbering.game().longest(), memory)?;
    let kept = match checkpoints.find(Kind::Levels)? {
        None => None,
        Some(Kept { stage: Stage::Settled { len: kept, book, summary }, mut arrays }) => {
            check_len(len, kept, &*arrays)?;
            let states = summary.states();
            crew.report(Progress::Resumed(Resumed::Settled { states }))?;
            let cells = kept_cells(len, book.as_deref(), &mut *arrays)?;
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
    let (cells, counts) = settle(numbering, &needs, kept, checkpoints, crew)?;
    if let (Some(limit), Outcome::Win(_)) = (rules.ply_limit, rules.endless) {
        check_limit(limit, &counts)?;
    }
    let summary = Summary::of(&counts, rules);
    let stop = crew.stop_when_told();
    if stop || checkpoints.is_due(cells.bytes()) {
        keep_settled(&cells, &summary, checkpoints, crew)?;
    }
    if stop { Err(SolveError::Interrupted) } else { Ok((cells, summary)) }
}

/// Keeps all that is settled.
pub(super) fn keep_settled(
    cells: &Cells,
    summary: &Summary,
    checkpoints: &mut Checkpointing<'_>,
    crew: &mut Crew<'_>,
) -> Result<(), SolveError> {
    let (book, summary) = (cells.book().map(<[u16]>::to_vec), summary.clone());
    let stage = Stage::Settled { len: cells.len(), book, summary };
    checkpoints.keep(&stage, &[cells.as_bytes()], crew)
}

/// Where the levels begin.
enum Start {
    /// At the first, once every state was looked at.
    Afresh(Opened),
    /// Where they were left; the arrays are not read yet.
    Kept(Between, Box<dyn Arrays>),
}

/// Goes through the levels, from the first or from where they were left.
fn settle<N: Numbering + Sync>(
    numbering: &N,
    needs: &Needs,
    kept: Option<(Between, Box<dyn Arrays>)>,
    checkpoints: &mut Checkpointing<'_>,
    crew: &mut Crew<'_>,
) -> Result<(Cells, Counts), SolveError> {
    if <N::Game as Game>::PREDECESSORS {
        crew.report(Progress::Planned(needs.plan(Method::Predecessors)))?;
        let start = match kept {
            Some((between, arrays)) => Start::Kept(between, arrays),
            None => Start::Afresh(set_up(numbering, None, crew)?),
        };
        return levels(numbering, &Backward(Told(numbering)), start, checkpoints, crew);
    }
    let (start, edges) = match kept {
        Some((between, arrays)) if between.walks => {
            let (_, edges) = turned_round(numbering, needs, crew)?;
            if edges.is_none() {
                return Err(arrays.needs_edges().into());
            }
            (Start::Kept(between, arrays), edges)
        }
        Some((between, arrays)) => {
            crew.report(Progress::Planned(needs.plan(Method::Forward)))?;
            (Start::Kept(between, arrays), None)
        }
        None => {
            let (opened, edges) = turned_round(numbering, needs, crew)?;
            (Start::Afresh(opened), edges)
        }
    };
    match edges {
        Some(edges) => {
            let by_edges = Backward(Reversed { numbering, edges });
            levels(numbering, &by_edges, start, checkpoints, crew)
        }
        None => levels(numbering, &Forward(numbering), start, checkpoints, crew),
    }
}

/// The same, once it is known how.
fn levels<N: Numbering + Sync, L: Levels>(
    numbering: &N,
    levels: &L,
    start: Start,
    checkpoints: &mut Checkpointing<'_>,
    crew: &mut Crew<'_>,
) -> Result<(Cells, Counts), SolveError> {
    let analysis = match start {
        Start::Afresh(opened) => Analysis::begin::<L>(opened)?,
        Start::Kept(between, arrays) if between.walks != L::WALKS => {
            let problem = "was made when the game did not tell its predecessors";
            return Err(arrays.senseless(problem.into()).into());
        }
        Start::Kept(between, mut arrays) => {
            let analysis = Analysis::go_on(between, &mut *arrays)?;
            crew.report(analysis.resumed())?;
            analysis
        }
    };
    if checkpoints.is_on() {
        crew.put_off_stopping();
    }
    let hurried = setup::hurried(numbering.game());
    let settled = analysis.run(levels, hurried, checkpoints, crew);
    if settled.is_err() {
        crew.stop_when_told();
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
fn turned_round<N: Numbering + Sync>(
    numbering: &N,
    needs: &Needs,
    crew: &mut Crew<'_>,
) -> Result<(Opened, Option<ReverseEdges>), SolveError> {
    if needs.fit_arrivals() {
        let mut arrivals = edges::arrivals(numbering.len())?;
        let (opened, edges) = {
            let counted = &mut arrivals[..numbering.len() as usize];
            let opened = set_up(numbering, Some(&mut *counted), crew)?;
            (opened, counted.iter().map(|&arrivals| u64::from(arrivals)).sum())
        };
        if needs.fit_edges(edges) {
            crew.report(Progress::Planned(needs.plan(Method::ReverseEdges { edges })))?;
            if let Some(edges) = ReverseEdges::of(numbering, arrivals, crew)? {
                return Ok((opened, Some(edges)));
            }
        }
        crew.report(Progress::Planned(needs.plan(Method::Forward)))?;
        return Ok((opened, None));
    }
    crew.report(Progress::Planned(needs.plan(Method::Forward)))?;
    Ok((set_up(numbering, None, crew)?, None))
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
