//! One analysis from its first pass to its last level. The game and the memory decide the method.
//! Checkpoints are saved on the way.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::error::SolveError;
use crate::explore::{DiscoveredStates, Listing, RecordedMoves, Saving};
use crate::game::summary::{Counts, Summary};
use crate::game::value::{Rules, Scale};
use crate::game::{Game, Outcome, Player, Rows};
use crate::laws;
use crate::numbering::Numbering;
use crate::numbering::discovered::Encoding;
use crate::runtime::frontier::CHUNK;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::{Method, Plan, Progress, Resumed};
use crate::runtime::saved_array::SavedArray;
use crate::solve::cells::Cells;
use crate::solve::checkpoint::Checkpointing;
use crate::solve::checkpoint::saved::SavedLevels;
use crate::solve::checkpoint::snapshot::{Snapshot, with_arrays};
use crate::solve::forecast::{self, Sample, Way};
use crate::solve::graph::predecessors::Reversed;
use crate::solve::graph::row_pass;
use crate::solve::levels::{Analysis, ByRows, Forward, Levels, UpdateSorter, by_edges};
use crate::solve::method::{
    Prepared, Resume, Start, all_can, begin_by_moves, begin_by_predecessors, lists_moves,
    reverse_open,
};
use crate::solve::one_pass;
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
    let weigh = |room| {
        MemoryNeeds::weigh(len, numbering.bytes(), width_of(numbering.game()), room)
            .map(|needs| needs.with_coded(numbering.is_coded()))
    };
    let saved = checkpoints.load_levels(window, pool)?;
    let mut room = match &saved {
        Some(SavedLevels { figures: Snapshot::Levels(_), .. }) => room.by_levels(),
        _ => room,
    };
    // The constants keep it from being compiled where it is never taken.
    if N::HAS_EXITS && !N::IS_DISCOVERED && room.all_leave.is_some() && saved.is_none() {
        let needs = weigh(room)?;
        let scratch = needs.scratch_in(pool.scratch())?;
        let needs = needs.with_scratch(scratch.as_ref());
        if let Some((cells, counts)) = settle_at_once(numbering, &needs, pool)? {
            needs.begin_to_save();
            let summary = Summary::from_counts(&counts, rules);
            save_if_due(&cells, &summary, checkpoints, pool)?;
            return Ok((cells, summary));
        }
        room = room.by_levels();
    }
    let needs = weigh(room)?;
    let scratch = needs.scratch_in(pool.scratch())?;
    let needs = needs.with_scratch(scratch.as_ref());
    let mut start = None;
    if let Some(saved) = saved {
        check_len(numbering.len(), &saved)?;
        start = Some(match resume(saved, rules.scale(), &needs, pool)? {
            ControlFlow::Continue(start) => start,
            ControlFlow::Break(solved) => {
                needs.begin_to_save();
                return Ok(solved);
            }
        });
    }
    let mut recorded = recorded.filter(|recorded| recorded.fits(needs.spare()));
    // Recorded moves decide between two methods. All processes have to take the same one.
    if N::PREDECESSORS && N::IS_DISCOVERED && !all_can(recorded.is_some(), pool)? {
        recorded = None;
    }
    let (cells, counts) = settle(numbering, recorded, &needs, start, checkpoints, pool)?;
    needs.begin_to_save();
    if let (Some(limit), Outcome::Win(_)) = (rules.ply_limit, rules.endless) {
        check_limit(limit, &counts)?;
    }
    let summary = Summary::from_counts(&counts, rules);
    save_if_due(&cells, &summary, checkpoints, pool)?;
    Ok((cells, summary))
}

/// Settles the states of a tier that all moves seem to leave. `None` if one stays.
fn settle_at_once<N: Numbering + Sync>(
    numbering: &N,
    needs: &MemoryNeeds<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<Option<(Cells, Counts)>, SolveError> {
    let len = numbering.len();
    let time = time_of_laws::<N>(len, forecast::sample(numbering).as_ref(), pool.threads());
    laws::check_sample(numbering, 0..len, time)?;
    one_pass::settle(numbering, needs, pool)
}

/// Saves all values as a checkpoint, if one is due.
fn save_if_due(
    cells: &Cells,
    summary: &Summary,
    checkpoints: &mut Checkpointing<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<(), SolveError> {
    match checkpoints.are_due(cells.bytes(), pool)? {
        true => save_solved(cells, summary, checkpoints, pool),
        false => Ok(()),
    }
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
            check_width(palette.is_none(), 0, needs)?;
            let states = summary.states();
            pool.report(Progress::Resumed(Resumed::Settled { states }))?;
            let cells = saved.cells(palette.as_deref(), scale, needs.scratch())?;
            saved.finish()?;
            ControlFlow::Break((cells, summary))
        }
        Snapshot::Levels(levels) => {
            check_width(levels.palette.is_none(), saved.incoming_bytes(), needs)?;
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
    checkpoints.save(&snapshot, &[SavedArray::Bytes(cells.as_bytes())], pool)
}

/// Settles the states by rows, if the game tells of them and there is room for their sets. Saves no checkpoint on
/// the way, since other levels could not go on with its cells: a tier that is interrupted begins anew.
fn settle_by_rows<N: Numbering + Sync, R: Rows>(
    numbering: &N,
    rows: Option<R>,
    needs: &MemoryNeeds<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<Option<(Cells, Counts)>, SolveError> {
    if !R::ANY || N::Game::POINTS {
        return Ok(None);
    }
    let Some(rows) = rows else { return Ok(None) };
    let len = numbering.len();
    let fits = ByRows::<R>::bytes(len) <= needs.spare() && needs.scratch().is_none();
    if !fits || pool.has_peers() || numbering.game().endless() != Outcome::Draw {
        return Ok(None);
    }
    let (plan, sets) = (needs.plan(Method::Predecessors, 0), ByRows::<R>::bytes(len));
    let (bytes, widened) = (plan.bytes.saturating_add(sets), plan.widened.saturating_add(sets));
    pool.report(Progress::Planned(Plan { bytes, widened, ..plan }))?;
    let Some((initial, states)) = row_pass::initialize(numbering, &rows, pool)? else {
        return Ok(None);
    };
    let mut levels = ByRows::new(rows, states, len)?;
    let mut analysis = Analysis::begin(true, initial)?;
    analysis.run(&mut levels, needs, None, &mut Checkpointing::none(numbering.kind()), pool)?;
    Ok(Some(analysis.finish()))
}

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
    if saved.is_none()
        && let Some(settled) = settle_by_rows(numbering, numbering.rows(), needs, pool)?
    {
        return Ok(settled);
    }
    let (sample, of_all) = (sample.filter(|_| saved.is_none()), sample);
    // Reverse edges need the memory more: sorting gets at most a 32nd of it.
    let has_edges = !N::PREDECESSORS || recorded.is_some();
    let spare = if has_edges { needs.spare() / 32 } else { needs.spare() };
    let sorter = sorter_of(numbering.len(), needs, spare, pool);
    let needs = needs.and(sorter.as_ref().map_or(0, UpdateSorter::bytes));
    let scale = Scale::of_game(numbering.game());
    // The player who loses by endless play, and therefore hurries to a draw.
    let endless_loser = numbering.game().endless().winner().map(Player::opponent);
    let (mut analysis, lacking) = match saved {
        // The moves of the states that are still open are enough.
        Some((snapshot, saved)) if snapshot.walks && lists_moves::<N>(&recorded, pool) => {
            let lacking = saved.needs_edges();
            let start = Start::Resume((snapshot, saved));
            (begin_or_resume(start, true, scale, &needs, checkpoints, pool)?, Some(lacking))
        }
        saved => {
            let prepared = Prepared { numbering, recorded, sample, sorter, needs };
            let mut memory = None;
            // With recorded moves, reverse edges cost less than predecessors. Predecessors have to
            // be looked up among the discovered states.
            let (start, mut levels) =
                if N::PREDECESSORS && (!N::IS_DISCOVERED || prepared.recorded.is_none()) {
                    begin_by_predecessors(prepared, saved, pool)?
                } else {
                    begin_by_moves(prepared, saved, &mut memory, pool)?
                };
            let walks = levels.walks();
            let mut analysis = begin_or_resume(start, walks, scale, &needs, checkpoints, pool)?;
            if analysis.run(&mut *levels, &needs, endless_loser, checkpoints, pool)? {
                return Ok(analysis.finish());
            }
            (analysis, None)
        }
    };
    let mut memory = None;
    let room = (&needs, of_all.as_ref());
    let mut levels: Box<dyn Levels + '_> =
        match reverse_open(numbering, &mut analysis, endless_loser, room, &mut memory, pool)? {
            Some((edges, movers)) => {
                if lacking.is_none() {
                    analysis.walk(pool)?;
                }
                let sorter = sorter_of(numbering.len(), &needs, spare, pool);
                by_edges(Reversed { len: numbering.len(), edges, first: 0, movers }, sorter)
            }
            None => match lacking {
                Some(error) => return Err(error),
                None => Box::new(Forward { numbering, spare: 0 }),
            },
        };
    analysis.run(&mut *levels, &needs, endless_loser, checkpoints, pool)?;
    Ok(analysis.finish())
}

/// A sorter of updates in files if the cells are there, or else within `spare` bytes of memory.
fn sorter_of(
    len: u64,
    needs: &MemoryNeeds<'_>,
    spare: u64,
    pool: &WorkerPool<'_>,
) -> Option<UpdateSorter> {
    match needs.files() {
        Some((scratch, room)) => Some(UpdateSorter::in_files(len, scratch, room, pool.threads())),
        None => UpdateSorter::within(len, spare, pool),
    }
}

/// How long the check of the game's laws before a solve may take. With a forecast: a hundredth of
/// the actual time, if the solve takes half of the expected time, as it often does. Without a
/// forecast, because there are few states or several processes: 50 ms. In a tier without a forecast
/// at most 10 ms, in proportion to its states, since there may be many tiers.
fn time_of_laws<N: Numbering>(len: u64, sample: Option<&Sample>, threads: usize) -> Duration {
    match sample {
        Some(sample) => {
            let expected = sample.time(Way::in_memory(Method::Predecessors), threads);
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
    needs: &MemoryNeeds<'_>,
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
            let analysis = Analysis::resume(snapshot, saved, scale, needs.scratch())?;
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

/// Refuses a checkpoint with wide cells, if there is no room for them beside `incoming` bytes of the values
/// behind exits.
fn check_width(is_wide: bool, incoming: u64, needs: &MemoryNeeds<'_>) -> Result<(), SolveError> {
    if is_wide { needs.check_wide_beside(incoming) } else { Ok(()) }
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
/// share packed states. They save a search, as one process does, but not the end of it.
pub(crate) fn discover<G: Game, E: Encoding<G>>(
    game: &G,
    resources: Resources<G>,
    listing: Listing,
    checkpoints: &mut Checkpointing<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<DiscoveredStates<E::Key>, SolveError> {
    if E::RAW.is_none() && pool.has_peers() {
        // Each process finds all states.
        return resources.explorer(pool).discover::<E>(game, None);
    }
    let files = resources.explorer(pool).make_key_files();
    let owners = resources.explorer(pool).owners::<E>();
    let saved = match checkpoints.load_states(pool)? {
        Some(saved) if saved.are_of_search() => {
            let is_own = owners.map(|owners| move |key: &E::Key| owners.has(key));
            let is_own = is_own.as_ref().map(|is_own| is_own as &dyn Fn(&E::Key) -> bool);
            let (raw, files) = (E::RAW, files.as_ref());
            let mut saved =
                saved.search::<E::Key, E::Ordered>(raw.as_ref(), 1, files, is_own, pool)?;
            let states = saved.report(pool)?;
            if owners.is_some() {
                // All processes refuse too many, or none.
                resources.limits.check_len(states)?;
            }
            Some(saved)
        }
        // Several processes search all states again, and leave the file to one.
        Some(_) if owners.is_some() => {
            return resources.explorer(pool).discover::<E>(game, None);
        }
        Some(saved) => {
            let keys = saved.keys(E::RAW, files.as_ref())?;
            let states = keys.len();
            resources.limits.check_len(states)?;
            pool.report(Progress::Resumed(Resumed::Discovered { states }))?;
            return Ok(DiscoveredStates { keys, window: None, moves: None });
        }
        None => None,
    };
    let saving = checkpoints.are_kept().then(|| Saving { store: checkpoints, saved });
    let mut explorer = resources.explorer(pool);
    // A checkpoint of packed states has coded keys, so a search that is saved lists them afterwards.
    explorer.listing = saving.is_none().then_some(listing);
    let found = explorer.discover::<E>(game, saving)?;
    let keys = &found.keys;
    let a_key = if E::RAW.is_some() { 2 } else { size_of::<E::Key>() as u64 };
    if owners.is_none() && checkpoints.is_due(keys.len() * a_key, pool) {
        with_arrays(keys, E::RAW, |snapshot, arrays| checkpoints.save(&snapshot, arrays, pool))?;
    }
    Ok(found)
}
