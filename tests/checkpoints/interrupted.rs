//! Runs that are interrupted again and again, within levels and elsewhere.

use std::cell::Cell;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use proptest::prelude::*;
use retrograde::scheme::{Dense, Hashed, Scheme, Tiers};
use retrograde::solve::{Progress, Resumed};
use retrograde::table::Checkpoints;
use retrograde::{
    Outcome, PackedState, Player, Solution, SolveError, Solver, Stored, TableError, TierIndexed,
    scheme,
};

use super::stairs::stairs;
use kit::random_game::{self, ALL, NONE, RandomGame, WITHIN};
use kit::web::{Plan, Web, plan};
use kit::{Graph, bytes, cases, least_memory, some};

/// When to stop a run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum When {
    /// In the third level that it begins. One of the two levels before is saved: the last level of
    /// a pass is not.
    InItsThirdLevel,
    /// At the report of this number. Some reports come before any level is begun.
    AtReport(u64),
}

/// Counts the reports of a run, and says when the run must stop.
struct Watch {
    when: When,
    reports: Cell<u64>,
    resumed: Cell<u32>,
    /// The level that was reported last, and the number of levels that were begun.
    level: Cell<Option<u32>>,
    levels: Cell<u32>,
}

impl Watch {
    fn new(when: When) -> Watch {
        let (reports, resumed) = (Cell::new(0), Cell::new(0));
        Watch { when, reports, resumed, level: Cell::new(None), levels: Cell::new(0) }
    }

    fn hear(&self, progress: Progress) -> ControlFlow<()> {
        self.reports.set(self.reports.get() + 1);
        match progress {
            Progress::Resumed(_) => self.resumed.set(self.resumed.get() + 1),
            Progress::Tier { .. } => self.level.set(None),
            Progress::Settling { level, .. } if self.level.replace(Some(level)) != Some(level) => {
                self.levels.set(self.levels.get() + 1);
            }
            _ => {}
        }
        let stop = match self.when {
            When::InItsThirdLevel => self.levels.get() == 3,
            When::AtReport(at) => self.reports.get() == at,
        };
        if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Solves a game with `solve` in runs that are interrupted, until one run is not. Returns the table
/// and the number of interrupted runs. The number of threads changes from run to run.
fn in_pieces<'g, G: Stored>(
    game: &'g G,
    folder: &Path,
    when: When,
    solve: impl Fn(Solver<'g, '_, G>) -> Result<Solution<'g, G>, SolveError>,
) -> (Vec<u8>, u64) {
    let kept = folder.join("kept");
    for run in 0.. {
        let mut checkpoints = Checkpoints::in_folder(&kept).unwrap().interval(Duration::ZERO);
        let begun = !checkpoints.is_empty();
        let when = match when {
            // Each run comes further than the one before, so that one of them ends.
            When::AtReport(at) => When::AtReport(at + 2 * run),
            When::InItsThirdLevel => when,
        };
        let watch = Watch::new(when);
        let solver = Solver::new(game).threads(1 + run as usize % 3);
        let solver = solver.checkpoints(&mut checkpoints).unwrap();
        match solve(solver.on_progress(|progress| watch.hear(progress))) {
            Ok(solution) => {
                assert_eq!(watch.resumed.get() > 0, begun);
                let table = bytes(&solution, folder);
                checkpoints.clear().unwrap();
                assert_eq!(fs::read_dir(&kept).unwrap().count(), 0);
                return (table, run);
            }
            Err(SolveError::Interrupted) if when == When::InItsThirdLevel => {
                assert!(!checkpoints.is_empty());
                assert_eq!(watch.resumed.get() > 0, begun, "run {run}");
            }
            Err(error) => assert_eq!(error, SolveError::Interrupted),
        }
    }
    unreachable!("there are more runs than integers")
}

/// Compares the tables of interrupted runs and of an uninterrupted one.
fn compare<'g, G: Stored>(
    game: &'g G,
    solve: impl Fn(Solver<'g, '_, G>) -> Result<Solution<'g, G>, SolveError>,
) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let expected = bytes(&solve(Solver::new(game)).unwrap(), folder.path());
    for when in some(&[When::AtReport(1), When::AtReport(4)], expected.len()) {
        let (table, _) = in_pieces(game, folder.path(), when, &solve);
        assert!(table == expected, "{when:?}");
    }
    let (table, runs) = in_pieces(game, folder.path(), When::InItsThirdLevel, &solve);
    assert!(table == expected);
    runs
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(10), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_scheme_resumes_after_every_level(mut plan in plan()) {
        // Each is solved a hundred times. With 33,000 indices threads are at work.
        plan.size = if kit::ALL_CASES { plan.size } else { plan.size.min(11_000) };
        for has_predecessors in some(&[true, false], plan.seed as usize) {
            if has_predecessors {
                let native = Web::<true, false>::from(plan);
                compare(&native, |solver| solver.solve_as::<Dense>());
                compare(&native, |solver| solver.solve_as::<Hashed>());
            } else {
                let reversed = Web::<false, true>::from(plan);
                compare(&reversed, |solver| solver.solve_as::<Dense>());
                compare(&reversed, |solver| solver.solve_as::<scheme::Packed>());
                let memory = least_memory(&reversed);
                compare(&reversed, |solver| solver.memory(memory).solve_as::<Dense>());
            }
        }
    }

    #[test]
    fn every_tier_resumes_after_every_level(plan in random_game::plan(), tiers in 1_usize..4) {
        let tiers = tiers.min(plan.nodes.len());
        let plan = plan.in_tiers(tiers);
        if plan.endless == Outcome::Draw {
            compare_tiers(&RandomGame::<ALL, false, true>(plan.clone()));
            compare_tiers(&RandomGame::<WITHIN, false, true>(plan.clone()));
            compare_tiers(&RandomGame::<NONE, false, true>(plan));
        }
    }
}

/// Solves a game in tiers into a folder, once by interrupted runs and once without interruption,
/// and compares the files.
fn compare_tiers<G: Stored + TierIndexed>(game: &G) -> u32 {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let solve = |solver: Solver<'_, '_, G>, name| solver.solve_into_as::<Tiers<Dense>>(at(name));
    solve(Solver::new(game), "expected").unwrap();
    let mut runs = 0;
    loop {
        let mut checkpoints = Checkpoints::in_folder(at("kept")).unwrap().interval(Duration::ZERO);
        let watch = Watch::new(When::InItsThirdLevel);
        let solver = Solver::new(game).checkpoints(&mut checkpoints).unwrap();
        let solver = solver.on_progress(|progress| watch.hear(progress));
        match solve(solver, "pieces") {
            Ok(_) => break,
            Err(TableError::Solve(SolveError::Interrupted)) => runs += 1,
            Err(error) => panic!("{error}"),
        }
        assert!(!checkpoints.is_empty());
    }
    for entry in fs::read_dir(at("expected")).unwrap() {
        let path = entry.unwrap().path();
        let pieces = at("pieces").join(path.file_name().unwrap());
        assert!(fs::read(&path).unwrap() == fs::read(pieces).unwrap(), "{path:?}");
    }
    assert!(Checkpoints::in_folder(at("kept")).unwrap().is_empty());
    runs
}

#[test]
fn tiers_with_exits_are_resumed_after_every_level() {
    assert!(compare_tiers(&stairs(10_000)) > 5);
}

#[test]
fn wide_cells_of_the_first_pass_are_resumed_after_every_level() {
    for endless in some(&[Outcome::Draw, Outcome::Win(Player::First)], 0) {
        let plan =
            Plan { seed: 7, size: 5_000, reach: None, endless, moves: 150, alternating: true };
        assert!(compare(&Web::<true, false>::from(plan), |solver| solver.solve_as::<Dense>()) > 0);
    }
}

#[test]
fn cells_that_were_widened_are_kept() {
    for end in some(&[Outcome::Win(Player::First), Outcome::Draw], 0) {
        let runs =
            compare(&Graph::<true, false>::walk(400, end), |solver| solver.solve_as::<Dense>());
        assert!(runs > 190, "{runs}");
    }
}

#[test]
fn discovered_states_are_kept_where_that_takes_time() {
    let (endless, reach) = (Outcome::Draw, None);
    // So many states are saved in several lists.
    let plan = Plan { seed: 7, size: 150_000, reach, endless, moves: 5, alternating: true };
    let game = Web::<true, true>::from(plan);
    let folder = tempfile::tempdir().unwrap();
    let explored = Cell::new(0);
    let run = |stop: bool, solve: fn(Solver<'_, '_, _>) -> Result<u64, SolveError>| {
        let mut checkpoints =
            Checkpoints::in_folder(folder.path()).unwrap().interval(Duration::ZERO);
        let watch = |progress| match progress {
            Progress::Exploring { .. } => {
                explored.set(explored.get() + 1);
                ControlFlow::Continue(())
            }
            Progress::Settling { .. } if stop => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let solver = Solver::new(&game).checkpoints(&mut checkpoints).unwrap().on_progress(watch);
        let solved = solve(solver).map(|states| (states, checkpoints.is_empty()));
        if solved.is_ok() {
            checkpoints.clear().unwrap();
        }
        solved
    };
    let expected = states_found::<_, scheme::Packed>(Solver::new(&game)).unwrap();
    for solve in [states_found::<_, scheme::Packed>, states_found::<_, Hashed>] {
        assert_eq!(run(true, solve), Err(SolveError::Interrupted));
        assert!(explored.replace(0) > 0);
        assert_eq!(run(false, solve), Ok((expected, false)));
        assert_eq!(explored.get(), 0, "it is not explored again");
    }
}

#[test]
fn a_search_goes_on_after_each_of_its_plies() {
    // Too little memory for recorded moves, so that the states are put in order at once.
    is_found_in_pieces::<scheme::Packed>(60 * 20_000);
    // Moves are recorded until the search is to be saved.
    is_found_in_pieces::<scheme::Packed>(1 << 30);
    is_found_in_pieces::<Hashed>(1 << 30);
}

/// Searches within some memory, ends each run after one ply more, and solves what the last one finds.
fn is_found_in_pieces<S: Scheme<Web<false, true>>>(memory: u64) {
    let (endless, reach) = (Outcome::Draw, Some(300));
    let plan = Plan { seed: 7, size: 20_000, reach, endless, moves: 5, alternating: true };
    let game = Web::<false, true>::from(plan);
    let folder = tempfile::tempdir().unwrap();
    let expected = bytes(&Solver::new(&game).solve_as::<S>().unwrap(), folder.path());
    let kept = folder.path().join("kept");
    // A run that is saved after each ply, and ends in peace: hash tables record moves to the end.
    let mut checkpoints = Checkpoints::in_folder(&kept).unwrap().interval(Duration::ZERO);
    let solver = Solver::new(&game).memory(memory).checkpoints(&mut checkpoints).unwrap();
    assert!(bytes(&solver.solve_as::<S>().unwrap(), folder.path()) == expected);
    checkpoints.clear().unwrap();
    let mut resumed = Vec::new();
    for stop in 1.. {
        let mut checkpoints = Checkpoints::in_folder(&kept).unwrap().interval(Duration::ZERO);
        let watch = |progress| match progress {
            Progress::Resumed(Resumed::Searching { tier: None, plies, states }) => {
                resumed.push((plies, states));
                ControlFlow::Continue(())
            }
            Progress::Hashed { ply, .. } if ply == stop => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let solver = Solver::new(&game).memory(memory).threads(2);
        let solver = solver.checkpoints(&mut checkpoints).unwrap().on_progress(watch);
        match solver.solve_as::<S>() {
            Err(SolveError::Interrupted) => {}
            solution => {
                assert!(bytes(&solution.unwrap(), folder.path()) == expected);
                break;
            }
        }
    }
    assert!(resumed.len() > 3 && resumed.is_sorted(), "{resumed:?}");
}

fn states_found<G: Stored, S: Scheme<G>>(solver: Solver<'_, '_, G>) -> Result<u64, SolveError> {
    Ok(solver.solve_as::<S>()?.summary().states())
}

#[test]
fn a_solution_is_kept_until_its_table_is_written() {
    let walk = Graph::<true, false>::walk(50, Outcome::Draw);
    let folder = tempfile::tempdir().unwrap();
    let expected = bytes(&Solver::new(&walk).solve_as::<Dense>().unwrap(), folder.path());
    let kept = folder.path().join("kept");
    let mut checkpoints = Checkpoints::in_folder(&kept).unwrap();
    let solution =
        Solver::new(&walk).checkpoints(&mut checkpoints).unwrap().solve_as::<Dense>().unwrap();
    assert!(checkpoints.is_empty(), "a run this short needs none");
    checkpoints.save(&solution).unwrap();
    let watch = Watch::new(When::InItsThirdLevel);
    let solver = Solver::new(&walk).checkpoints(&mut checkpoints).unwrap();
    let solution = solver.on_progress(|progress| watch.hear(progress)).solve_as::<Dense>().unwrap();
    assert_eq!(watch.resumed.get(), 1);
    assert!(bytes(&solution, folder.path()) == expected);
}

/// Discovers the states of a game, saves them, and stops in one of the first levels.
pub(crate) fn stopped_in_its_first_levels<G: PackedState + Stored>(
    game: &G,
    checkpoints: Checkpoints,
) {
    let mut checkpoints = checkpoints.interval(Duration::ZERO);
    let watch = Watch::new(When::InItsThirdLevel);
    let solver = Solver::new(game).checkpoints(&mut checkpoints).unwrap();
    let solved = solver
        .on_progress(|progress| watch.hear(progress))
        .solve_as::<scheme::Packed>()
        .map(|_| ());
    assert_eq!(solved, Err(SolveError::Interrupted));
}
