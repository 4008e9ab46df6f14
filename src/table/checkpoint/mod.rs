//! Checkpoints in a folder, from which a solve that was interrupted is resumed.
//!
//! A checkpoint is a file that appears whole or not at all, and replaces the one before. A solve
//! has up to two: `levels.checkpoint`, and `states.checkpoint` where states are packed and
//! discovering them took long. The name of a tier's checkpoint has the place of the tier in it.
//! Of several processes each writes a part, and the first one lists the parts in `levels.checkpoint`.
//! Only the version of the program that wrote a checkpoint can read it.

mod file;
mod head;
mod parts;
pub(crate) mod store;
#[cfg(all(test, feature = "cluster"))]
mod together_tests;

use std::ffi::OsStr;
use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use crate::error::{CheckpointError, SolveError};
use crate::numbering::NumberingKind;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::Progress;
use crate::solve::checkpoint::Checkpointing;
use crate::solve::checkpoint::snapshot::SnapshotKind;
use crate::solve::{Solution, Solver};
use crate::table::Stored;
use crate::table::lock::{Lock, NoLock};
use file::{failed, remove, shown};
pub(crate) use head::SavedProgress;
use head::{GameId, is_part};

/// How long to wait between checkpoints by default: little work is lost. Where checkpoints are large,
/// [`SHARE`] makes it longer.
const APART: Duration = Duration::from_secs(30);

/// Checkpoints take at most one part in so many of the time by default.
const SHARE: u32 = 25;

/// How many bytes of memory a second are assumed to be written, until the first checkpoint was
/// timed. That is less than was ever measured: of Dobutsu shogi, one thread writes 1,400 million
/// bytes of cells a second, and two write 740 million of states.
const PACE: f64 = 200e6;

/// How the names of checkpoints begin.
const LEVELS: &str = "levels";
const STATES: &str = "states";

/// The file that a run locks, so that no other run uses the folder.
const LOCK: &str = "checkpoint.lock";

/// A folder where a solve saves its progress, so that it can be stopped at any time and resumed: see
/// [`Solver::checkpoints`].
///
/// ```
/// # fn solve<G: retrograde::Stored + retrograde::Solvable>(game: &G, folder: &std::path::Path)
/// # -> Result<(), Box<dyn std::error::Error>> {
/// use retrograde::Solver;
/// use retrograde::table::Checkpoints;
///
/// let mut checkpoints = Checkpoints::in_folder(folder.join("checkpoints"))?;
/// let solution = Solver::new(game).checkpoints(&mut checkpoints)?.solve()?;
/// solution.save(folder.join("table.rtb"))?;
/// checkpoints.clear()?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Checkpoints {
    folder: PathBuf,
    /// None for any but the first of several processes.
    _lock: Option<Lock>,
    interval: Option<Duration>,
    /// When the last was written, or the run began.
    last: Instant,
    /// How long it took to write, if there was one.
    took: Option<Duration>,
    /// The game that is being solved.
    game: Option<GameId>,
    /// What the solve resumes from, as far as it is known.
    progress: Option<SavedProgress>,
    /// Part of the names of the files that one of several processes writes: another one for each, so
    /// that none replaces what is needed until the others are written too.
    name: u64,
}

impl Checkpoints {
    /// Opens the checkpoints in a folder, which is made if it is not there. No other run can use the
    /// folder until the value is dropped.
    ///
    /// # Errors
    /// When the folder can't be made or written to, or another run uses it.
    pub fn in_folder(folder: impl AsRef<Path>) -> Result<Checkpoints, CheckpointError> {
        let folder = folder.as_ref();
        make(folder)?;
        let path = folder.join(LOCK);
        let lock = Lock::take(path.clone()).map_err(|no_lock| match no_lock {
            NoLock::Taken => CheckpointError::InUse { path: shown(folder) },
            NoLock::Failed(error) => failed(&path, "make the file")(error),
        })?;
        Ok(Checkpoints::locked(folder, Some(lock)))
    }

    /// Opens the checkpoints of a process that is not the first of those that solve a game together. The
    /// folder may be that of another one of them. The first one locks its folder.
    ///
    /// # Errors
    /// When the folder can't be made.
    #[cfg(feature = "cluster")]
    pub(crate) fn of_other_process(folder: &Path) -> Result<Checkpoints, CheckpointError> {
        make(folder)?;
        Ok(Checkpoints::locked(folder, None))
    }

    fn locked(folder: &Path, lock: Option<Lock>) -> Checkpoints {
        Checkpoints {
            folder: folder.into(),
            _lock: lock,
            interval: None,
            last: Instant::now(),
            took: None,
            game: None,
            progress: None,
            name: RandomState::new().build_hasher().finish(),
        }
    }

    /// Sets the shortest interval between checkpoints. The next one is written after the first level that ends
    /// later than that. Default: 30 s, or longer where checkpoints would take more than 4 % of the time.
    #[must_use]
    pub fn interval(self, shortest: Duration) -> Checkpoints {
        Checkpoints { interval: Some(shortest), ..self }
    }

    /// The folder that the checkpoints are in.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Saves the solution of a game without tiers. A run that ends before it has written its table
    /// then need not solve the game again.
    ///
    /// # Errors
    /// When the checkpoint can't be written.
    pub fn save<G: Stored>(&mut self, solution: &Solution<'_, G>) -> Result<(), SolveError> {
        self.save_reporting(solution, &mut |_| {})
    }

    /// As [`save`](Checkpoints::save), and calls `report` meanwhile, which can't interrupt.
    pub(crate) fn save_reporting<G: Stored>(
        &mut self,
        solution: &Solution<'_, G>,
        report: &mut dyn FnMut(Progress),
    ) -> Result<(), SolveError> {
        self.game = Some(GameId::of(solution.game())?);
        let mut progress = |event| {
            report(event);
            ControlFlow::Continue(())
        };
        let threads = available_parallelism().map_or(1, usize::from);
        let mut pool = WorkerPool::new(threads, &mut progress);
        let mut checkpointing = Checkpointing::new(Some(self), solution.numbering());
        solution.save_checkpoint(&mut checkpointing, &mut pool)
    }

    /// Whether there is no checkpoint to resume from.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files(file::EXTENSION).all(|path| is_part(&path))
    }

    /// How long ago the last checkpoint of this run was written, or the run began.
    #[cfg(feature = "cli")]
    pub(crate) fn unsaved(&self) -> Duration {
        self.last.elapsed()
    }

    /// How far the solve is that can be resumed, as far as this run knows.
    #[cfg(feature = "cli")]
    pub(crate) fn progress(&self) -> Option<SavedProgress> {
        self.progress
    }

    /// How far the solve is that can be resumed from a folder, if there is one.
    #[cfg(feature = "cluster")]
    pub(crate) fn progress_in(folder: &Path) -> Option<SavedProgress> {
        let files = files(folder, file::EXTENSION).filter(|path| !is_part(path));
        let saved = files.filter_map(|path| {
            let saved_at = fs::metadata(&path).and_then(|metadata| metadata.modified()).ok()?;
            Some((saved_at, head::progress_of(&path)?))
        });
        saved.max_by_key(|&(saved_at, _)| saved_at).map(|(_, progress)| progress)
    }

    /// Removes all checkpoints, once they are not needed any more. The folder stays.
    ///
    /// # Errors
    /// When a file can't be removed.
    pub fn clear(self) -> Result<(), CheckpointError> {
        // What a killed run left unfinished is there until another is written.
        let unfinished = self.files(file::UNFINISHED);
        let complete = self.files(file::EXTENSION).filter(|path| file::is_checkpoint(path));
        let mut complete: Vec<PathBuf> = complete.collect();
        // What lists parts goes before these.
        complete.sort_by_key(|path| is_part(path));
        complete.into_iter().chain(unfinished).try_for_each(|path| remove(&path))
    }

    /// Whether a file of this name belongs to a folder of checkpoints.
    pub(crate) fn is_file(name: &OsStr) -> bool {
        name == LOCK || has_ending(name, file::EXTENSION) || has_ending(name, file::UNFINISHED)
    }

    /// The files in the folder that have the names of checkpoints, with this ending.
    fn files(&self, ending: &'static str) -> impl Iterator<Item = PathBuf> + use<> {
        files(&self.folder, ending)
    }

    /// How the names of the checkpoints of a solve begin.
    fn beginning(numbering: NumberingKind, kind: SnapshotKind) -> String {
        let name = match kind {
            SnapshotKind::States => STATES,
            SnapshotKind::Levels => LEVELS,
        };
        numbering.tier().map_or(name.into(), |tier| format!("{name}-{tier}"))
    }

    fn path(&self, numbering: NumberingKind, kind: SnapshotKind) -> PathBuf {
        let name = Checkpoints::beginning(numbering, kind);
        self.folder.join(name).with_extension(file::EXTENSION)
    }

    fn game_id(&self) -> GameId {
        self.game.clone().unwrap_or(GameId { game: String::new(), parameters: String::new() })
    }
}

impl<'p, G: Stored> Solver<'_, 'p, G> {
    /// Saves checkpoints while it solves, and resumes from the last one if there is one. A run that
    /// was stopped at any time is resumed by the same call, and its table is the same.
    ///
    /// Checkpoints are written between levels, at about a byte a state before they are compressed. When
    /// [`on_progress`](Solver::on_progress) interrupts, the run stops at once, and loses what was done
    /// since the last checkpoint: at most the time between two of them, and one level or the first pass.
    /// Discovered states are saved too, if they are packed and took long to discover; otherwise they are
    /// discovered again. Reverse edges are not saved, but found again.
    ///
    /// # Errors
    /// When the game's parameters can't be stored.
    pub fn checkpoints(self, checkpoints: &'p mut Checkpoints) -> Result<Self, CheckpointError> {
        checkpoints.game = Some(GameId::of(self.game())?);
        checkpoints.last = Instant::now();
        Ok(self.saving_in(checkpoints))
    }
}

/// Makes the folder of checkpoints, if it is not there.
fn make(folder: &Path) -> Result<(), CheckpointError> {
    fs::create_dir_all(folder).map_err(failed(folder, "make the folder"))
}

/// The files in a folder that have the names of checkpoints, with this ending.
fn files(folder: &Path, ending: &'static str) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let entries = entries.filter(move |entry| {
        let name = entry.file_name();
        let begins = |beginning: &str| name.as_encoded_bytes().starts_with(beginning.as_bytes());
        has_ending(&name, ending) && (begins(LEVELS) || begins(STATES))
    });
    entries.map(|entry| entry.path())
}

fn has_ending(name: &OsStr, ending: &str) -> bool {
    let name = name.as_encoded_bytes().strip_suffix(ending.as_bytes());
    name.is_some_and(|name| name.ends_with(b"."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::checkpoint::CheckpointStore;

    #[test]
    fn checkpoints_are_due_when_they_take_little_of_the_time_since_the_last() {
        let folder = tempfile::tempdir().unwrap();
        let mut checkpoints = Checkpoints::in_folder(folder.path()).unwrap();
        let mut is_due = |after: u64, interval: Option<u64>, took: Option<u64>, bytes: u64| {
            checkpoints.last = Instant::now().checked_sub(Duration::from_secs(after)).unwrap();
            checkpoints.interval = interval.map(Duration::from_secs);
            checkpoints.took = took.map(Duration::from_secs);
            checkpoints.is_due(bytes)
        };
        let (small, large) = (1_000_000, 1_000_000_000);
        assert!(!is_due(29, None, None, small));
        assert!(is_due(31, None, None, small));
        // The first of so much is supposed to take five seconds.
        assert!(!is_due(119, None, None, large));
        assert!(is_due(121, None, None, large));
        // The time of a checkpoint that was written replaces the estimate.
        assert!(is_due(31, None, Some(1), large));
        assert!(!is_due(239, None, Some(10), small));
        assert!(is_due(241, None, Some(10), small));
        assert!(is_due(2, Some(1), Some(10), large));
        assert!(!is_due(239, Some(240), Some(1), small));
    }
}
