//! One analysis from its first pass to its last level. The game and the memory decide the method.
//! Checkpoints are saved on the way.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::error::SolveError;
use crate::explore::{DiscoveredStates, Movers, RecordedMoves, Saving};
use crate::game::summary::{Counts, Summary};
use crate::game::value::{Rules, Scale};
use crate::game::{Game, Outcome, Player, Players};
use crate::laws;
use crate::numbering::Numbering;
use crate::numbering::discovered::{Encoding, OrderedKeys as _};
use crate::runtime::frontier::CHUNK;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::{Method, Plan, Progress, Resumed};
use crate::solve::cells::Cells;
use crate::solve::checkpoint::Checkpointing;
use crate::solve::checkpoint::saved::SavedLevels;
use crate::solve::checkpoint::snapshot::{LevelsSnapshot, Snapshot, with_coded};
use crate::solve::forecast::{self, Sample};
use crate::solve::graph::initial_state::InitialState;
use crate::solve::graph::initialize::initialize;
use crate::solve::graph::predecessors::{NativePredecessors, Reversed};
use crate::solve::graph::reverse_edges::{
    Collected, Collector, EdgeMemory, MOST_PASSES, ReverseEdges, collect_again,
};
use crate::solve::levels::{Analysis, Backward, Forward, Levels, UpdateSorter, by_edges};
use crate::solve::plan::{MemoryBudget, MemoryNeeds, width_of};
use crate::solve::resources::Resources;

/// Settles every state, or resumes from a checkpoint and settles the rest. Uses recorded moves if
/// there is room for them, and otherwise asks the rules again.
pub(crate) fn solve<N: Numbering + Sync>(
    numbering: &N,
    recorded: Option<RecordedMoves>,
    room: MemoryBudget<'_>,
    rules: Rules,
    checkpoints: &mut Checkpointing<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<(Cells, Summary), SolveError> {
    let window = pool.windows(numbering.len(), CHUNK).own_window();
    let len = window.end - window.start;
    let needs = MemoryNeeds::weigh(len, numbering.bytes(), width_of(numbering.game()), room)?;
    let mut start = None;
    if let Some(saved) = checkpoints.load_levels(window, pool)? {
        check_len(numbering.len(), &saved)?;
        start = Some(match resume(saved, rules.scale(), &needs, pool)? {
            ControlFlow::Continue(start) => start,
            ControlFlow::Break(solved) => return Ok(solved),
        });
    }
    let mut recorded = recorded.filter(|recorded| recorded.fits(needs.spare()));
    // Recorded moves decide between two methods. All processes have to take the same one.
    if N::PREDECESSORS && N::IS_DISCOVERED && !all_can(recorded.is_some(), pool)? {
        recorded = None;
    }
    let (cells, counts) = settle(numbering, recorded, &needs, start, checkpoints, pool)?;
    if let (Some(limit), Outcome::Win(_)) = (rules.ply_limit, rules.endless) {
        check_limit(limit, &counts)?;
    }
    let summary = Summary::from_counts(&counts, rules);
    if checkpoints.are_due(cells.bytes(), pool)? {
        save_solved(&cells, &summary, checkpoints, pool)?;
    }
    Ok((cells, summary))
}

/// Whether all processes can do something. `can` is the answer of this process.
fn all_can(can: bool, pool: &mut WorkerPool<'_>) -> Result<bool, SolveError> {
    let mut unable = [u64::from(!can)];
    pool.sum(&mut unable)?;
    Ok(unable == [0])
}

/// Resumes from a saved analysis: before a level, or with everything solved.
fn resume(
    mut saved: SavedLevels,
    scale: Scale,
    needs: &MemoryNeeds<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<ControlFlow<(Cells, Summary), Resume>, SolveError> {
    let nothing = Snapshot::Discovered { states: 0, words: None };
    Ok(match std::mem::replace(&mut saved.figures, nothing) {
        Snapshot::Settled { palette, summary, .. } => {
            check_width(palette.is_none(), needs)?;
            let states = summary.states();
            pool.report(Progress::Resumed(Resumed::Settled { states }))?;
            let cells = saved.cells(palette.as_deref(), scale)?;
            saved.finish()?;
            ControlFlow::Break((cells, summary))
        }
        Snapshot::Levels(levels) => {
            check_width(levels.palette.is_none(), needs)?;
            ControlFlow::Continue((*levels, saved))
        }
        Snapshot::Discovered { .. } | Snapshot::Searching(_) => {
            return Err(saved.malformed("has states in place of levels".into()));
        }
    })
}

/// Saves all values as a checkpoint.
pub(crate) fn save_solved(
    cells: &Cells,
    summary: &Summary,
    checkpoints: &mut Checkpointing<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<(), SolveError> {
    let (palette, summary) = (cells.palette().map(<[u16]>::to_vec), summary.clone());
    let snapshot = Snapshot::Settled { indices: cells.indices(), palette, summary };
    checkpoints.save(&snapshot, &[cells.as_bytes()], pool)
}

/// The snapshot from which the analysis resumes, and its arrays, which are not read yet.
type Resume = (LevelsSnapshot, SavedLevels);

/// Where the analysis begins.
enum Start {
    /// Before its first level.
    Initial(InitialState),
    /// At the level of a snapshot.
    Resume(Resume),
}

/// The input of every method.
struct Prepared<'n, N> {
    numbering: &'n N,
    recorded: Option<RecordedMoves>,
    /// Estimates for a run that is not resumed.
    sample: Option<Sample>,
    sorter: Option<UpdateSorter>,
    needs: MemoryNeeds<'n>,
}

/// Where the analysis begins, and how it computes its levels.
type Begun<'n> = (Start, Box<dyn Levels + 'n>);

/// Chooses the method, and computes the levels from the first or from the saved one.
fn settle<N: Numbering + Sync>(
    numbering: &N,
    recorded: Option<RecordedMoves>,
    needs: &MemoryNeeds<'_>,
    saved: Option<Resume>,
    checkpoints: &mut Checkpointing<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<(Cells, Counts), SolveError> {
    let sample = match &recorded {
        _ if pool.has_peers() => None,
        Some(recorded) => Sample::of_recorded(recorded),
        None => forecast::sample(numbering),
    };
    let time = time_of_laws::<N>(numbering.len(), sample.as_ref(), pool.threads());
    let window = pool.windows(numbering.len(), CHUNK).own_window();
    laws::check_sample(numbering, window, time)?;
    let sample = sample.filter(|_| saved.is_none());
    // Reverse edges need the memory more: sorting gets at most a 32nd of it.
    let has_edges = !N::PREDECESSORS || recorded.is_some();
    let spare = if has_edges { needs.spare() / 32 } else { needs.spare() };
    let sorter = UpdateSorter::within(numbering.len(), spare, pool);
    let needs = needs.and(sorter.as_ref().map_or(0, UpdateSorter::bytes));
    let prepared = Prepared { numbering, recorded, sample, sorter, needs };
    let mut memory = None;
    // With recorded moves, reverse edges cost less than predecessors. Predecessors have to be
    // looked up among the discovered states.
    let (start, mut levels) =
        if N::PREDECESSORS && (!N::IS_DISCOVERED || prepared.recorded.is_none()) {
            begin_by_predecessors(prepared, saved, pool)?
        } else {
            begin_by_moves(prepared, saved, &mut memory, pool)?
        };
    let scale = Scale::of_game(numbering.game());
    let analysis = begin_or_resume(start, levels.walks(), scale, checkpoints, pool)?;
    // The player who loses by endless play, and therefore hurries to a draw.
    let endless_loser = numbering.game().endless().winner().map(Player::opponent);
    analysis.run(&mut *levels, &needs, endless_loser, checkpoints, pool)
}

/// Makes the first pass of a game that tells predecessors, unless a later level is resumed.
fn begin_by_predecessors<'n, N: Numbering + Sync>(
    prepared: Prepared<'n, N>,
    saved: Option<Resume>,
    pool: &mut WorkerPool<'_>,
) -> Result<Begun<'n>, SolveError> {
    let Prepared { numbering, sample, sorter, needs, .. } = prepared;
    let plan = sample.map_or_else(
        || needs.plan(Method::Predecessors, 0),
        |sample| expected(&sample, Method::Predecessors, &needs, pool),
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
fn begin_by_moves<'n, N: Numbering + Sync>(
    prepared: Prepared<'n, N>,
    saved: Option<Resume>,
    memory: &'n mut Option<EdgeMemory>,
    pool: &mut WorkerPool<'_>,
) -> Result<Begun<'n>, SolveError> {
    let Prepared { numbering, recorded, sample, sorter, needs } = prepared;
    if let Some(sample) = sample {
        let plan = expected(&sample, sample.method(needs.spare()), &needs, pool);
        pool.report(Progress::Planned(with_recorded(plan, recorded.as_ref())))?;
    }
    let window = pool.windows(numbering.len(), CHUNK).own_window();
    let len = window.end - window.start;
    let of_movers = if N::Game::PLAYERS == Players::Unnamed { 0 } else { Movers::bytes(len) };
    let beside = recorded.as_ref().map_or(of_movers, RecordedMoves::bytes);
    let spare = needs.spare().saturating_sub(beside);
    *memory = EdgeMemory::reserve(len, numbering.len(), spare);
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
        None => Box::new(Forward(numbering)),
    };
    Ok((start, levels))
}

/// The plan before the first pass, with the expected time and edges of a method.
fn expected(
    sample: &Sample,
    method: Method,
    needs: &MemoryNeeds<'_>,
    pool: &WorkerPool<'_>,
) -> Plan {
    let forecast = Some(sample.forecast(method, pool.threads()));
    Plan { forecast, ..needs.plan(method, sample.edge_bytes(method, needs.spare())) }
}

/// The plan, with the memory of recorded moves added, if there are any.
fn with_recorded(plan: Plan, recorded: Option<&RecordedMoves>) -> Plan {
    let more = recorded.map_or(0, RecordedMoves::bytes);
    let (bytes, widened) = (plan.bytes.saturating_add(more), plan.widened.saturating_add(more));
    Plan { recorded: recorded.is_some(), bytes, widened, ..plan }
}

/// How long the check of the game's laws before a solve may take. With a forecast: a hundredth of
/// the actual time, if the solve takes half of the expected time, as it often does. Without a
/// forecast, because there are few states or several processes: 50 ms. In a tier without a forecast
/// at most 10 ms, in proportion to its states, since there may be many tiers.
fn time_of_laws<N: Numbering>(len: u64, sample: Option<&Sample>, threads: usize) -> Duration {
    match sample {
        Some(sample) => {
            let expected = sample.forecast(Method::Predecessors, threads).time;
            let least = if N::HAS_EXITS { 1 } else { 5 };
            (expected / 200).max(Duration::from_millis(least))
        }
        None if N::HAS_EXITS => {
            Duration::from_micros(len.min(forecast::FEW) * 10_000 / forecast::FEW)
        }
        None => Duration::from_millis(50),
    }
}

/// The analysis before its first level, or before the level of a snapshot. `walks` is what the
/// method says by [`Levels::walks`]; `scale` says how values are packed.
fn begin_or_resume(
    start: Start,
    walks: bool,
    scale: Scale,
    checkpoints: &mut Checkpointing<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<Analysis, SolveError> {
    match start {
        Start::Initial(initial) => {
            let analysis = Analysis::begin(walks, initial)?;
            if checkpoints.are_due(analysis.bytes(), pool)? {
                analysis.save(checkpoints, pool)?;
            }
            Ok(analysis)
        }
        Start::Resume((snapshot, saved)) if snapshot.walks != walks => {
            let problem = "was made when the game had no predecessors of its own";
            Err(saved.malformed(problem.into()))
        }
        Start::Resume((snapshot, saved)) => {
            let analysis = Analysis::resume(snapshot, saved, scale)?;
            pool.report(analysis.resumed())?;
            Ok(analysis)
        }
    }
}

/// Refuses a checkpoint with another number of states.
fn check_len(len: u64, saved: &SavedLevels) -> Result<(), SolveError> {
    let found = saved.figures.indices();
    if found == (0..len) {
        return Ok(());
    }
    let found = found.end.saturating_sub(found.start);
    Err(saved.malformed(format!("has {found} states where the game has {len}")))
}

/// Refuses a checkpoint with wide cells, if there is no room for them.
fn check_width(is_wide: bool, needs: &MemoryNeeds<'_>) -> Result<(), SolveError> {
    if is_wide { needs.check_wide() } else { Ok(()) }
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
            let recorded = (recorded, &movers);
            reverse(numbering, recorded, needs, collector, collected, pool)?
        }
        None => None,
    };
    if edges.is_none() {
        pool.report(forward)?;
    }
    Ok((initial, edges.map(|edges| (edges, movers))))
}

/// Reverses the edges that the first pass collected, and makes the further passes that this takes.
/// Returns `None` if there is no room for the edges.
fn reverse<'m, N: Numbering + Sync>(
    numbering: &N,
    (recorded, movers): (Option<&RecordedMoves>, &Movers),
    needs: &MemoryNeeds<'_>,
    mut collector: Collector<'m>,
    mut collected: Collected<'m>,
    pool: &mut WorkerPool<'_>,
) -> Result<Option<ReverseEdges<'m>>, SolveError> {
    let Some(rows) = collector.plan(&collected) else { return Ok(None) };
    if pool.has_peers() && rows.passes > 1 {
        return Ok(None);
    }
    let method = Method::ReverseEdges { edges: collected.edges(), passes: rows.passes };
    let plan = needs.plan(method, rows.bytes.saturating_add(movers.size()));
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
        collected = collect_again(numbering, &collector, pool)?;
    }
    Ok(None)
}

/// Refuses a ply limit that may cut play off, in a game where endless play wins for one player.
///
/// If there are drawn ends too, the distances of the unlimited table do not show which lines the
/// limit cuts off. A win that comes too late may be a draw in time. A player who heads for a draw
/// may be led into a win that takes longer. The limit therefore has to leave room for the longest
/// win followed by the longest draw.
fn check_limit(limit: u32, counts: &Counts) -> Result<(), SolveError> {
    let (win, draw) = counts.longest();
    match draw {
        Some(draw) if win > 0 && limit < win + draw => {
            Err(SolveError::LimitAmongDraws { limit, least: win + draw })
        }
        _ => Ok(()),
    }
}

/// Discovers the states of a game without tiers, or loads them from a checkpoint. Several processes
/// share packed states and save no states.
pub(crate) fn discover<G: Game, E: Encoding<G>>(
    game: &G,
    resources: Resources<G>,
    checkpoints: &mut Checkpointing<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<DiscoveredStates<E::Key>, SolveError> {
    let Some(raw) = E::RAW.filter(|_| !pool.has_peers()) else {
        return resources.explorer(pool).discover::<E>(game, None);
    };
    let saved = match checkpoints.load_states()? {
        Some(saved) if matches!(saved.snapshot, Snapshot::Searching(_)) => {
            let saved = saved.search::<E::Key, E::Ordered>(&raw)?;
            let (plies, states) = (saved.statistics.plies.len() as u32, saved.keys.len());
            pool.report(Progress::Resumed(Resumed::Searching { plies, states }))?;
            Some(saved)
        }
        Some(saved) => {
            let keys = saved.keys(raw)?;
            let states = keys.len();
            resources.limits.check_len(states)?;
            pool.report(Progress::Resumed(Resumed::Discovered { states }))?;
            return Ok(DiscoveredStates { keys, window: None, moves: None });
        }
        None => None,
    };
    let saving = checkpoints.are_kept().then(|| Saving { store: checkpoints, saved });
    let found = resources.explorer(pool).discover::<E>(game, saving)?;
    let keys = &found.keys;
    if checkpoints.is_due(keys.len() * 2, pool) {
        with_coded(keys, raw, |snapshot, arrays| checkpoints.save(&snapshot, arrays, pool))?;
    }
    Ok(found)
}
