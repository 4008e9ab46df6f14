//! Solves of several processes that are stopped at every level or ply, and resumed by another number of
//! processes each time. The values are the same as with one process that is never stopped.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::thread;
use std::time::Duration;

use twox_hash::XxHash3_64;

use crate::error::{CheckpointError, SolveError};
use crate::game::summary::Summary;
use crate::game::{Game, Outcome, Player};
use crate::numbering::scheme::{self, Scheme};
use crate::runtime::peers::tests::Threads;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::Progress;
use crate::solve::together_tests::Web;
use crate::solve::{SolvedPart, Solver, solve_and_save};
use crate::table::Checkpoints;

/// The values of a window, and the figures of the game.
type Solved = Result<(Vec<u16>, Summary), SolveError>;

const LONG: Duration = Duration::from_secs(1_000);

/// The point at which a run stops.
#[derive(Clone, Copy, PartialEq)]
enum Stop {
    Never,
    /// In the third level that it begins. One of the two levels before is saved, since the last
    /// level of a pass is not.
    InItsThirdLevel,
    /// After the third ply that it searches. The two before are saved.
    AfterItsThirdPly,
    /// Never, but all is saved.
    Late,
}

impl Stop {
    /// How often a run saves: one that stops nowhere saves nothing.
    fn interval(self) -> Duration {
        if self == Stop::Never { LONG } else { Duration::ZERO }
    }

    /// Receives the progress, and stops the run.
    fn hears(self) -> impl FnMut(Progress) -> ControlFlow<()> {
        let (mut last, mut begun) = (None, 0);
        move |progress| {
            begun += u32::from(match (self, progress) {
                (Stop::InItsThirdLevel, Progress::Settling { level, .. }) => {
                    last.replace(level) != Some(level)
                }
                (Stop::AfterItsThirdPly, Progress::Hashed { .. }) => true,
                _ => false,
            });
            if begun == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
}

/// The solution of one process.
fn alone<G: Game + Sync, S: Scheme<G>>(game: &G, folder: &Path, stop: Stop) -> Solved {
    let mut checkpoints = Checkpoints::in_folder(folder).unwrap().interval(stop.interval());
    let solver = Solver::new(game).threads(1).saving_in(&mut checkpoints);
    let solution = solver.on_progress(stop.hears()).solve_as::<S>()?;
    let cells = solution.part(0).values;
    let mut values = vec![0; cells.len() as usize];
    cells.read(0, &mut values);
    Ok((values, solution.tiers()[0].summary.clone()))
}

/// The solutions of several processes. `folder` is the folder in which each saves its part. The
/// last process stops.
fn together<G: Game + Sync, S: Scheme<G>>(
    game: &G,
    folder: impl Fn(usize) -> std::path::PathBuf + Sync,
    count: usize,
    stop: Stop,
) -> Vec<Solved> {
    let solve = |own: usize, mut peers: Threads| {
        let folder = folder(own);
        let checkpoints = match own {
            0 => Checkpoints::in_folder(&folder).unwrap(),
            _ => Checkpoints::of_other_process(&folder).unwrap(),
        };
        let mut checkpoints = checkpoints.interval(stop.interval());
        let solver = Solver::new(game).threads(1 + own % 2).saving_in(&mut checkpoints);
        let stop = if own + 1 == count { stop } else { Stop::Never };
        let solver = solver.on_progress(stop.hears());
        solver.with_peers(&mut peers, |game, resources, checkpoints, pool| {
            let mut solved = None;
            let mut save = |part: SolvedPart<'_, G>, _: &mut WorkerPool<'_>| {
                let mut values = vec![0; part.values.len() as usize];
                part.values.read(0, &mut values);
                solved = Some((values, part.summary.clone()));
                Ok::<_, SolveError>(None)
            };
            solve_and_save::<G, S, _>(game, resources, checkpoints, &mut save, pool)?;
            Ok(solved.unwrap())
        })
    };
    thread::scope(|scope| {
        let peers = Threads::new(count).into_iter().enumerate();
        let processes: Vec<_> =
            peers.map(|(own, peers)| scope.spawn(move || solve(own, peers))).collect();
        processes.into_iter().map(|process| process.join().unwrap()).collect()
    })
}

/// The values of all windows, one after another; all have the same figures. If the last process
/// stopped, no process has solved its window.
fn joined(parts: &[Solved]) -> Solved {
    if let Some(Err(SolveError::Interrupted)) = parts.last() {
        let others = &parts[..parts.len() - 1];
        let is_lost = |part: &Solved| matches!(part, Err(SolveError::PeerError { .. }));
        assert!(others.iter().all(is_lost), "{others:?}");
        return Err(SolveError::Interrupted);
    }
    let mut values = Vec::new();
    let mut figures = None;
    for part in parts {
        let (own, summary) = part.clone()?;
        values.extend(own);
        assert_eq!(figures.get_or_insert_with(|| summary.clone()), &summary);
    }
    Ok((values, figures.unwrap()))
}

/// The names of the files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// Stops every few levels, and resumes with the next of these numbers of processes. 0 stands for
/// one process without peers.
fn stop_again_and_again<const NATIVE: bool, S: Scheme<Web<NATIVE>>>(
    game: &Web<NATIVE>,
    counts: &[usize],
    seed: usize,
    stop: Stop,
) {
    let folder = tempfile::tempdir().unwrap();
    let expected = alone::<_, S>(game, &folder.path().join("alone"), Stop::Never).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut runs = 0;
    for &count in counts.iter().cycle().skip(seed) {
        let solved = match count {
            0 => alone::<_, S>(game, folder.path(), stop),
            _ => {
                let one_folder = |_| folder.path().to_owned();
                let solved = together::<_, S>(game, one_folder, count, stop);
                let files = names(folder.path());
                let parts = if solved[0].is_ok() { 0 } else { count + 1 };
                assert_eq!(files.len(), parts, "{files:?}");
                joined(&solved)
            }
        };
        match solved {
            Ok(solved) => {
                assert!(solved == expected, "{counts:?}, {seed}");
                break;
            }
            Err(error) => assert_eq!(error, SolveError::Interrupted),
        }
        runs += 1;
        assert!(runs < 500);
    }
    assert!(runs > 1, "{runs}");
}

const ENDLESS: [Outcome; 3] =
    [Outcome::Draw, Outcome::Win(Player::First), Outcome::Win(Player::Second)];

#[test]
fn any_number_of_processes_resumes() {
    for (seed, endless) in kit::some(&ENDLESS, 0).into_iter().enumerate() {
        let game = Web::<true>::new(20_000, 4, endless, seed as u64);
        stop_again_and_again::<true, scheme::Dense>(
            &game,
            &[0, 2, 3, 1, 0, 4, 2],
            0,
            Stop::InItsThirdLevel,
        );
        stop_again_and_again::<true, scheme::Dense>(
            &game,
            &[2, 9, 0, 3],
            seed,
            Stop::InItsThirdLevel,
        );
    }
}

#[test]
fn any_number_of_processes_resumes_a_game_without_predecessors() {
    for (seed, endless) in kit::some(&ENDLESS, 1).into_iter().enumerate() {
        let game = Web::<false>::new(9_000, 4, endless, 10 + seed as u64);
        stop_again_and_again::<false, scheme::Dense>(
            &game,
            &[2, 3, 0, 1, 4],
            seed,
            Stop::InItsThirdLevel,
        );
    }
}

#[test]
fn counts_too_large_for_a_cell_are_resumed() {
    let game = Web::<true>::new(9_000, 120, Outcome::Draw, 5);
    stop_again_and_again::<true, scheme::Dense>(&game, &[3, 2, 0, 4], 0, Stop::InItsThirdLevel);
}

#[test]
fn each_process_may_have_a_folder_of_its_own() {
    save_apart::<scheme::Dense>(Stop::InItsThirdLevel);
    save_apart::<scheme::Packed>(Stop::AfterItsThirdPly);
}

/// Stops several times, with a folder for each process.
fn save_apart<S: Scheme<Web<true>>>(stop: Stop) {
    let game = Web::<true>::new(20_000, 4, Outcome::Draw, 3);
    let folders = tempfile::tempdir().unwrap();
    let folder = |own: usize| folders.path().join(own.to_string());
    let expected = alone::<_, S>(&game, &folder(9), Stop::Never).unwrap();
    for _ in 0..3 {
        let solved = together::<_, S>(&game, folder, 3, stop);
        assert_eq!(joined(&solved), Err(SolveError::Interrupted));
        assert_eq!([names(&folder(0)).len(), names(&folder(1)).len()], [2, 1]);
    }
    let solved = together::<_, S>(&game, folder, 3, Stop::Never);
    assert!(joined(&solved).unwrap() == expected);
    assert!((0..3).all(|own| names(&folder(own)).is_empty()));
}

#[test]
fn any_number_of_processes_resumes_a_search() {
    let counts = [[0, 2, 3, 1, 0, 4, 2], [2, 9, 0, 3, 2, 2, 1]];
    for (seed, counts) in counts.into_iter().enumerate() {
        let game = Web::<true>::new(20_000, 4, ENDLESS[seed], 20 + seed as u64);
        stop_again_and_again::<true, scheme::Packed>(&game, &counts, 0, Stop::AfterItsThirdPly);
        // Moves are recorded, until the search is resumed.
        let game = Web::<false>::new(9_000, 4, ENDLESS[seed], 20 + seed as u64);
        stop_again_and_again::<false, scheme::Packed>(&game, &counts, 1, Stop::AfterItsThirdPly);
    }
}

#[test]
fn a_search_that_is_saved_and_not_stopped_asks_the_rules_once() {
    let new = || Web::<false>::new(60_000, 9, Outcome::Draw, 8);
    let folder = tempfile::tempdir().unwrap();
    let expected = alone::<_, scheme::Packed>(&new(), folder.path(), Stop::Never).unwrap();
    let game = new();
    // It saves after each ply, and is never stopped.
    let solved = together::<_, scheme::Packed>(&game, |_| folder.path().into(), 3, Stop::Late);
    assert!(joined(&solved).unwrap() == expected);
    let [[asked, _], [listed, twice]] = game.asked();
    assert!(asked >= listed && listed > 30_000 && twice < listed / 2, "{:?}", game.asked());
}

#[test]
fn states_that_one_process_has_discovered_are_left_to_one() {
    let game = Web::<true>::new(20_000, 4, Outcome::Draw, 9);
    let folder = tempfile::tempdir().unwrap();
    let one = folder.path();
    let expected = alone::<_, scheme::Packed>(&game, &one.join("alone"), Stop::Never).unwrap();
    let stopped = alone::<_, scheme::Packed>(&game, one, Stop::InItsThirdLevel);
    assert_eq!(stopped, Err(SolveError::Interrupted));
    let states = fs::read(one.join("states.checkpoint")).unwrap();
    let stopped = together::<_, scheme::Packed>(&game, |_| one.into(), 3, Stop::AfterItsThirdPly);
    assert_eq!(joined(&stopped), Err(SolveError::Interrupted));
    assert!(fs::read(one.join("states.checkpoint")).unwrap() == states);
    let solved = together::<_, scheme::Packed>(&game, |_| one.into(), 2, Stop::Never);
    assert!(joined(&solved).unwrap() == expected);
}

#[test]
fn parts_that_are_missing_damaged_or_of_another_time_are_named() {
    name_bad_parts::<scheme::Dense>("levels", Stop::InItsThirdLevel);
    name_bad_parts::<scheme::Packed>("states", Stop::AfterItsThirdPly);
}

/// Spoils the parts of a checkpoint with this name.
fn name_bad_parts<S: Scheme<Web<true>>>(kind: &str, stop: Stop) {
    let game = Web::<true>::new(20_000, 4, Outcome::Draw, 3);
    let folder = tempfile::tempdir().unwrap();
    let one_folder = |_: usize| folder.path().to_owned();
    let part_of = |process: usize| {
        let begins = format!("{kind}-part-{process}-");
        let mut names = names(folder.path()).into_iter();
        folder.path().join(names.find(|name| name.starts_with(&begins)).unwrap())
    };
    together::<_, S>(&game, one_folder, 3, stop);
    let earlier = fs::read(part_of(1)).unwrap();
    together::<_, S>(&game, one_folder, 3, stop);
    let path = part_of(1);
    let name = path.file_name().unwrap().to_str().unwrap();
    let later = fs::read(&path).unwrap();
    let problem = |content: Option<&[u8]>| {
        match content {
            Some(content) => fs::write(&path, content).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        match alone::<_, S>(&game, folder.path(), Stop::Never) {
            Err(SolveError::Checkpoint(error)) => {
                assert!(error.to_string().contains(name), "{error}");
                error
            }
            other => panic!("{other:?}"),
        }
    };
    let missing = problem(None);
    assert!(matches!(missing, CheckpointError::PartMissing { process: 1, .. }), "{missing}");
    let of_earlier = problem(Some(&earlier));
    assert!(of_earlier.to_string().contains("together with the others"), "{of_earlier}");
    let mut changed = later.clone();
    *changed.last_mut().unwrap() ^= 1;
    assert!(matches!(problem(Some(&changed)), CheckpointError::Damaged { .. }));
    let cut = &later[..later.len() - 1];
    assert!(matches!(problem(Some(cut)), CheckpointError::Damaged { .. }));
    problem(Some(&[&later[..], &[0]].concat()));
    // Its process names it, and the others end.
    let solved = together::<_, S>(&game, one_folder, 3, Stop::Never);
    let is_named =
        |solved: &Solved| solved.as_ref().is_err_and(|error| error.to_string().contains(name));
    assert!(solved.iter().all(Result::is_err) && solved.iter().any(is_named), "{solved:?}");
    fs::write(&path, &later).unwrap();
    assert!(alone::<_, S>(&game, folder.path(), Stop::Never).is_ok());
}

#[test]
fn forged_lists_of_parts_do_no_harm() {
    forge_lists::<scheme::Dense>("levels", Stop::InItsThirdLevel);
    forge_lists::<scheme::Packed>("states", Stop::AfterItsThirdPly);
}

/// Forges the list of parts of a checkpoint with this name.
fn forge_lists<S: Scheme<Web<true>>>(kind: &str, stop: Stop) {
    let game = Web::<true>::new(20_000, 4, Outcome::Draw, 3);
    let folder = tempfile::tempdir().unwrap();
    together::<_, S>(&game, |_| folder.path().to_owned(), 3, stop);
    let list = folder.path().join(kind).with_extension("checkpoint");
    let intact = fs::read(&list).unwrap();
    let (head, record) = intact.split_at(32);
    let (mut random, mut refused) = (1_u64, 0);
    for _ in 0..kit::few(100, 400) {
        random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        let mut forged = record.to_vec();
        let at = (random >> 33) as usize % forged.len();
        match random >> 30 & 3 {
            0 => forged[at] ^= 1 << (random >> 20 & 7),
            1 => forged[at] = (random >> 20) as u8,
            2 => forged[at..].iter_mut().take(8).for_each(|byte| *byte = 0xFF),
            _ => forged[at..].iter_mut().take(8).for_each(|byte| *byte = 0),
        }
        let checksum = XxHash3_64::oneshot(&forged);
        fs::write(&list, [&head[..24], &checksum.to_le_bytes(), &forged].concat()).unwrap();
        // The parts stay: a run that does not stop saves nothing.
        refused += usize::from(alone::<_, S>(&game, folder.path(), Stop::Never).is_err());
    }
    assert!(refused > kit::few(50, 200), "{refused}");
    fs::write(&list, intact).unwrap();
    assert!(alone::<_, S>(&game, folder.path(), Stop::Never).is_ok());
}
