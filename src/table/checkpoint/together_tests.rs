//! Solves of several processes that are stopped at every level, and resumed by another number of
//! processes each time. The values are the same as with one process that is never stopped.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::thread;
use std::time::Duration;

use twox_hash::XxHash3_64;

use crate::error::{CheckpointError, SolveError};
use crate::game::summary::Summary;
use crate::game::{Game, Indexed, Outcome, Player};
use crate::numbering::scheme;
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
            if let Progress::Settling { level, .. } = progress
                && last.replace(level) != Some(level)
            {
                begun += 1;
            }
            match self == Stop::InItsThirdLevel && begun == 3 {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        }
    }
}

/// The solution of one process.
fn alone<G: Game + Indexed + Sync>(game: &G, folder: &Path, stop: Stop) -> Solved {
    let mut checkpoints = Checkpoints::in_folder(folder).unwrap().interval(stop.interval());
    let solver = Solver::new(game).threads(1).saving_in(&mut checkpoints);
    let solution = solver.on_progress(stop.hears()).solve_as::<scheme::Dense>()?;
    let cells = solution.part(0).values;
    let mut values = vec![0; cells.len() as usize];
    cells.read(0, &mut values);
    Ok((values, solution.tiers()[0].summary.clone()))
}

/// The solutions of several processes. `folder` is the folder in which each saves its part. The
/// last process stops.
fn together<G: Game + Indexed + Sync>(
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
            solve_and_save::<G, scheme::Dense, _>(game, resources, checkpoints, &mut save, pool)?;
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
fn stop_again_and_again<const NATIVE: bool>(game: &Web<NATIVE>, counts: &[usize], seed: usize) {
    let folder = tempfile::tempdir().unwrap();
    let expected = alone(game, &folder.path().join("alone"), Stop::Never).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut runs = 0;
    for &count in counts.iter().cycle().skip(seed) {
        let solved = match count {
            0 => alone(game, folder.path(), Stop::InItsThirdLevel),
            _ => {
                let one_folder = |_| folder.path().to_owned();
                let solved = together(game, one_folder, count, Stop::InItsThirdLevel);
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
        stop_again_and_again(&game, &[0, 2, 3, 1, 0, 4, 2], 0);
        stop_again_and_again(&game, &[2, 9, 0, 3], seed);
    }
}

#[test]
fn any_number_of_processes_resumes_a_game_without_predecessors() {
    for (seed, endless) in kit::some(&ENDLESS, 1).into_iter().enumerate() {
        let game = Web::<false>::new(9_000, 4, endless, 10 + seed as u64);
        stop_again_and_again(&game, &[2, 3, 0, 1, 4], seed);
    }
}

#[test]
fn counts_too_large_for_a_cell_are_resumed() {
    let game = Web::<true>::new(9_000, 120, Outcome::Draw, 5);
    stop_again_and_again(&game, &[3, 2, 0, 4], 0);
}

#[test]
fn each_process_may_have_a_folder_of_its_own() {
    let game = Web::<true>::new(20_000, 4, Outcome::Draw, 3);
    let folders = tempfile::tempdir().unwrap();
    let folder = |own: usize| folders.path().join(own.to_string());
    let expected = alone(&game, &folder(9), Stop::Never).unwrap();
    for _ in 0..3 {
        let solved = together(&game, folder, 3, Stop::InItsThirdLevel);
        assert_eq!(joined(&solved), Err(SolveError::Interrupted));
        assert_eq!([names(&folder(0)).len(), names(&folder(1)).len()], [2, 1]);
    }
    assert!(joined(&together(&game, folder, 3, Stop::Never)).unwrap() == expected);
    assert!((0..3).all(|own| names(&folder(own)).is_empty()));
}

#[test]
fn parts_that_are_missing_damaged_or_of_another_time_are_named() {
    let game = Web::<true>::new(20_000, 4, Outcome::Draw, 3);
    let folder = tempfile::tempdir().unwrap();
    let one_folder = |_: usize| folder.path().to_owned();
    let part_of = |process: usize| {
        let begins = format!("levels-part-{process}-");
        let mut names = names(folder.path()).into_iter();
        folder.path().join(names.find(|name| name.starts_with(&begins)).unwrap())
    };
    together(&game, one_folder, 3, Stop::InItsThirdLevel);
    let earlier = fs::read(part_of(1)).unwrap();
    together(&game, one_folder, 3, Stop::InItsThirdLevel);
    let path = part_of(1);
    let name = path.file_name().unwrap().to_str().unwrap();
    let later = fs::read(&path).unwrap();
    let problem = |content: Option<&[u8]>| {
        match content {
            Some(content) => fs::write(&path, content).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        match alone(&game, folder.path(), Stop::Never) {
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
    fs::write(&path, &later).unwrap();
    assert!(alone(&game, folder.path(), Stop::Never).is_ok());
}

#[test]
fn forged_lists_of_parts_do_no_harm() {
    let game = Web::<true>::new(20_000, 4, Outcome::Draw, 3);
    let folder = tempfile::tempdir().unwrap();
    together(&game, |_| folder.path().to_owned(), 3, Stop::InItsThirdLevel);
    let list = folder.path().join("levels.checkpoint");
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
        refused += usize::from(alone(&game, folder.path(), Stop::Never).is_err());
    }
    assert!(refused > kit::few(50, 200), "{refused}");
    fs::write(&list, intact).unwrap();
    assert!(alone(&game, folder.path(), Stop::Never).is_ok());
}
