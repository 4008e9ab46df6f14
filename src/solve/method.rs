//! The methods by which an analysis begins: by predecessors, by reverse edges, or by the moves of all
//! open states, until the edges between them fit.

use std::sync::Arc;

use crate::error::SolveError;
use crate::explore::{Movers, RecordedMoves};
use crate::game::{Game, Player, Players};
use crate::numbering::Numbering;
use crate::runtime::frontier::CHUNK;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::{Method, Plan, Progress};
use crate::runtime::scratch::Scratch;
use crate::solve::checkpoint::saved::SavedLevels;
use crate::solve::checkpoint::snapshot::LevelsSnapshot;
use crate::solve::forecast::{Beside, Sample, Way};
use crate::solve::graph::initial_state::InitialState;
use crate::solve::graph::initialize::initialize;
use crate::solve::graph::predecessors::{NativePredecessors, Reversed};
use crate::solve::graph::reverse_edges::{
    Collected, Collector, EdgeMemory, MOST_PASSES, ReverseEdges, collect_again,
};
use crate::solve::levels::{
    Analysis, Backward, Forward, Levels, UpdateSorter, by_edges, collect_open,
};
use crate::solve::plan::MemoryNeeds;

/// The snapshot from which the analysis resumes, and its arrays, which are not read yet.
pub(super) type Resume = (LevelsSnapshot, SavedLevels);

/// Where the analysis begins.
pub(super) enum Start {
    /// Before its first level.
    Initial(InitialState),
    /// At the level of a snapshot.
    Resume(Resume),
}

/// The input of every method.
pub(super) struct Prepared<'n, N> {
    pub(super) numbering: &'n N,
    pub(super) recorded: Option<RecordedMoves>,
    /// Estimates for a run that is not resumed.
    pub(super) sample: Option<Sample>,
    pub(super) sorter: Option<UpdateSorter>,
    pub(super) needs: MemoryNeeds<'n>,
}

/// Where the analysis begins, and how it computes its levels.
pub(super) type Begun<'n> = (Start, Box<dyn Levels + 'n>);

/// Whether all processes can do something. `can` is the answer of this process.
pub(super) fn all_can(can: bool, pool: &mut WorkerPool<'_>) -> Result<bool, SolveError> {
    let mut unable = [u64::from(!can)];
    pool.sum(&mut unable)?;
    Ok(unable == [0])
}

/// Whether this process alone lists the moves of all states by the rules.
pub(super) fn lists_moves<N: Numbering>(
    recorded: &Option<RecordedMoves>,
    pool: &WorkerPool<'_>,
) -> bool {
    !N::PREDECESSORS && recorded.is_none() && !pool.has_peers()
}

/// For how many of `len` states a solve notes who is to move.
fn len_of_movers<N: Numbering>(len: u64) -> u64 {
    if N::Game::PLAYERS == Players::Unnamed { 0 } else { len }
}

/// Whether the reverse edges of a game go into scratch files: if there is a folder for them, and too little
/// memory for all of them at once.
fn edge_files<N: Numbering>(
    numbering: &N,
    sample: Option<&Sample>,
    needs: &MemoryNeeds<'_>,
    pool: &WorkerPool<'_>,
) -> Option<Arc<Scratch>> {
    let scratch = pool.scratch().filter(|_| !N::PREDECESSORS && !pool.has_peers())?;
    if needs.scratch().is_none() {
        // A bit a state for who is to move stays in memory.
        let movers = Movers::bytes(len_of_movers::<N>(numbering.len()));
        let spare = needs.spare().saturating_sub(movers);
        if matches!(sample?.method(spare), Method::ReverseEdges { passes: 1, .. }) {
            return None;
        }
        scratch.set_room(spare);
    }
    Some(Arc::clone(scratch))
}

/// Makes the first pass of a game that tells predecessors, unless a later level is resumed.
pub(super) fn begin_by_predecessors<'n, N: Numbering + Sync>(
    prepared: Prepared<'n, N>,
    saved: Option<Resume>,
    pool: &mut WorkerPool<'_>,
) -> Result<Begun<'n>, SolveError> {
    let Prepared { numbering, sample, sorter, needs, .. } = prepared;
    let way = Way { method: Method::Predecessors, in_files: needs.scratch().is_some() };
    let plan = sample.map_or_else(
        || needs.plan(Method::Predecessors, 0),
        |sample| expected(&sample, way, &needs, Beside::default(), pool),
    );
    pool.report(Progress::Planned(plan))?;
    let start = match saved {
        Some(saved) => Start::Resume(saved),
        None => Start::Initial(initialize(numbering, &needs, None, None, pool)?.0),
    };
    Ok((start, Box::new(Backward::new(NativePredecessors(numbering), sorter))))
}

/// Makes the first pass, and reverses the moves if they fit in `memory`. A resumed run reverses
/// them once more.
pub(super) fn begin_by_moves<'n, N: Numbering + Sync>(
    prepared: Prepared<'n, N>,
    saved: Option<Resume>,
    memory: &'n mut Option<EdgeMemory>,
    pool: &mut WorkerPool<'_>,
) -> Result<Begun<'n>, SolveError> {
    let Prepared { numbering, recorded, sample, sorter, needs } = prepared;
    let files = edge_files(numbering, sample.as_ref(), &needs, pool);
    let window = pool.windows(numbering.len(), CHUNK).own_window();
    let len = window.end - window.start;
    let of_movers = Movers::bytes(len_of_movers::<N>(len));
    let beside = recorded.as_ref().map_or(of_movers, RecordedMoves::bytes);
    let mut method = None;
    if let Some(sample) = sample {
        let room = if files.is_some() { u64::MAX } else { needs.spare() };
        let expected_method = sample.method(room);
        let way = Way { method: expected_method, in_files: files.is_some() };
        let beside = Beside {
            asks_rules: lists_moves::<N>(&recorded, pool),
            has_edges_in_files: !N::PREDECESSORS && needs.may_use_files(),
            bytes: beside,
        };
        let mut plan = expected(&sample, way, &needs, beside, pool);
        if files.is_some() {
            let edges = sample.edge_bytes(expected_method, u64::MAX);
            plan.scratch = plan.scratch.saturating_add(edges);
        }
        pool.report(Progress::Planned(with_recorded(plan, recorded.as_ref())))?;
        method = Some(expected_method);
    }
    let spare = needs.spare().saturating_sub(beside);
    // Moves that will not fit are not listed.
    if let Some(scratch) = &files {
        *memory = Some(EdgeMemory::in_file(len, scratch)?);
    } else if method != Some(Method::Forward) || !lists_moves::<N>(&recorded, pool) {
        *memory = EdgeMemory::reserve(len, numbering.len(), spare);
    }
    // Without edges, predecessors remain as a method, if all processes use them.
    if N::PREDECESSORS && !all_can(memory.is_some(), pool)? {
        *memory = None;
    }
    let mut edges = None;
    let start = match saved {
        // A run that started without edges continues without them.
        Some((snapshot, saved)) if !snapshot.walks => {
            pool.report(Progress::Planned(needs.plan(Method::Forward, 0)))?;
            Start::Resume((snapshot, saved))
        }
        saved => {
            let (moves, collector) =
                (recorded.as_ref(), memory.as_mut().map(EdgeMemory::collector));
            let (initial, reversed) =
                initialize_and_reverse(numbering, moves, &needs, collector, pool)?;
            edges = reversed;
            match saved {
                Some((_, saved)) if edges.is_none() && !N::PREDECESSORS => {
                    return Err(saved.needs_edges());
                }
                Some(saved) => Start::Resume(saved),
                None => Start::Initial(initial),
            }
        }
    };
    if N::PREDECESSORS && !all_can(edges.is_some(), pool)? {
        edges = None;
    }
    let levels: Box<dyn Levels + 'n> = match edges {
        Some((edges, movers)) => {
            let movers = recorded.map_or(movers, RecordedMoves::into_movers);
            let first = window.start;
            by_edges(Reversed { len: numbering.len(), edges, first, movers }, sorter)
        }
        None if N::PREDECESSORS => Box::new(Backward::new(NativePredecessors(numbering), sorter)),
        None if pool.has_peers() => {
            return Err(SolveError::UnsupportedByCluster {
                problem: "the game tells no predecessors, and this process has too little memory \
                          for its share of the reverse edges: allow more, or take more processes"
                    .into(),
            });
        }
        None => Box::new(Forward { numbering, spare: needs.spare().saturating_sub(of_movers) }),
    };
    Ok((start, levels))
}

/// The plan before the first pass, with the expected time and edges of a way, and the other ways.
fn expected(
    sample: &Sample,
    way: Way,
    needs: &MemoryNeeds<'_>,
    beside: Beside,
    pool: &WorkerPool<'_>,
) -> Plan {
    let plan = needs.plan(way.method, sample.edge_bytes(way.method, needs.spare()));
    let forecast = Some(sample.forecast(way, needs, beside, pool.threads()));
    Plan { forecast, ..plan }
}

/// The plan, with the memory of recorded moves added, if there are any.
fn with_recorded(plan: Plan, recorded: Option<&RecordedMoves>) -> Plan {
    let more = recorded.map_or(0, RecordedMoves::bytes);
    let (bytes, widened) = (plan.bytes.saturating_add(more), plan.widened.saturating_add(more));
    Plan { recorded: recorded.is_some(), bytes, widened, ..plan }
}

/// Makes the initial state, and collects the reverse edges if there is room for them.
fn initialize_and_reverse<'m, N: Numbering + Sync>(
    numbering: &N,
    recorded: Option<&RecordedMoves>,
    needs: &MemoryNeeds<'_>,
    collector: Option<Collector<'m>>,
    pool: &mut WorkerPool<'_>,
) -> Result<(InitialState, Option<(ReverseEdges<'m>, Movers)>), SolveError> {
    let forward = Progress::Planned(needs.plan(Method::Forward, 0));
    let Some(collector) = collector else {
        pool.report(forward)?;
        return Ok((initialize(numbering, needs, None, recorded, pool)?.0, None));
    };
    let (mut initial, collected) = initialize(numbering, needs, Some(&collector), recorded, pool)?;
    let movers = std::mem::replace(&mut initial.movers, Movers::all_first(0..0)?);
    let edges = match collected {
        Some(collected) => {
            let again = &mut |collector: &Collector<'m>, pool: &mut WorkerPool<'_>| {
                collect_again(numbering, collector, pool).map(Some)
            };
            let beside = (recorded, movers.size());
            reverse(beside, needs, collector, collected, again, pool)?
        }
        None => None,
    };
    if edges.is_none() {
        pool.report(forward)?;
    }
    Ok((initial, edges.map(|edges| (edges, movers))))
}

/// Reverses the moves of open states that have not been applied, if they fit in `memory`. The cells
/// count them then.
pub(super) fn reverse_open<'m, N: Numbering + Sync>(
    numbering: &N,
    analysis: &mut Analysis,
    endless_loser: Option<Player>,
    (needs, sample): (&MemoryNeeds<'_>, Option<&Sample>),
    memory: &'m mut Option<EdgeMemory>,
    pool: &mut WorkerPool<'_>,
) -> Result<Option<(ReverseEdges<'m>, Movers)>, SolveError> {
    let len = numbering.len();
    let mut movers = Movers::all_first_in(0..len_of_movers::<N>(len), needs.scratch())?;
    *memory = match edge_files(numbering, sample, needs, pool) {
        Some(scratch) => Some(EdgeMemory::in_file(len, &scratch)?),
        None => EdgeMemory::reserve(len, len, needs.spare().saturating_sub(movers.size())),
    };
    let Some(collector) = memory.as_mut().map(EdgeMemory::collector) else { return Ok(None) };
    let (cells, applied) = analysis.open_states(endless_loser);
    let Some(collected) = collect_open(numbering, cells, applied, &mut movers, &collector, pool)?
    else {
        return Ok(None);
    };
    let again = &mut |collector: &Collector<'m>, pool: &mut WorkerPool<'_>| {
        collect_open(numbering, cells, applied, &mut movers, collector, pool)
    };
    let size = Movers::bytes(len_of_movers::<N>(len));
    let edges = reverse((None, size), needs, collector, collected, again, pool)?;
    Ok(edges.map(|edges| (edges, movers)))
}

/// Collects the edges of a later pass; `None` if that turns out impossible.
type CollectAgain<'a, 'm> = &'a mut dyn FnMut(
    &Collector<'m>,
    &mut WorkerPool<'_>,
) -> Result<Option<Collected<'m>>, SolveError>;

/// Reverses the edges that were collected, and makes the further passes that this takes. `beside`:
/// the recorded moves, and the memory of who is to move. Returns `None` if there is no room for the
/// edges.
fn reverse<'m>(
    (recorded, movers): (Option<&RecordedMoves>, u64),
    needs: &MemoryNeeds<'_>,
    mut collector: Collector<'m>,
    mut collected: Collected<'m>,
    again: CollectAgain<'_, 'm>,
    pool: &mut WorkerPool<'_>,
) -> Result<Option<ReverseEdges<'m>>, SolveError> {
    let Some(rows) = collector.plan(&collected) else { return Ok(None) };
    if pool.has_peers() && rows.passes > 1 {
        return Ok(None);
    }
    let method = Method::ReverseEdges { edges: collected.edges(), passes: rows.passes };
    let plan = match rows.in_file {
        false => needs.plan(method, rows.bytes.saturating_add(movers)),
        true => needs.plan_in_files(method, needs.spare().min(rows.bytes), rows.bytes),
    };
    let plan = with_recorded(plan, recorded);
    pool.report(Progress::Planned(plan))?;
    let mut edges = collector.begin(rows)?;
    for _ in 0..MOST_PASSES {
        if !collector.turn(collected, &mut edges, pool)? {
            return Ok(None);
        }
        if !collector.next_pass() {
            return Ok(Some(edges));
        }
        match again(&collector, pool)? {
            Some(again) => collected = again,
            None => return Ok(None),
        }
    }
    Ok(None)
}
