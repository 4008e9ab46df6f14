//! Checkpoints in a folder, from which an interrupted solve resumes.
//!
//! A checkpoint is a file that appears whole or not at all, and replaces the previous one. A solve
//! has up to two: `levels.checkpoint`, and `states.checkpoint` if discovering states takes
//! long. The name of a tier's checkpoint contains the place of the tier; a search of all
//! tiers counts as one more. If several processes solve, each writes a part, and the first lists the
//! parts in the file of that name. Only the version of the program that wrote a checkpoint can read it.

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
use crate::table::unfinished::final_name;
use file::{failed, remove, shown};
pub(crate) use head::SavedProgress;
use head::{GameId, is_part};

/// The default time between checkpoints, short enough that little work is lost. If checkpoints are
/// large, [`SHARE`] makes it longer.
const APART: Duration = Duration::from_secs(30);

/// By default, checkpoints take at most 1/25 of the time.
const SHARE: u32 = 25;

/// The bytes of memory that are assumed to be written per second, until the first checkpoint was
/// timed. All rates that were measured for cells and packed states are higher: of Dobutsu shogi, one thread writes 1,400 million bytes of
/// cells a second, and two write 740 million of states.
const PACE: f64 = 200e6;

/// The beginnings of the names of checkpoints.
const LEVELS: &str = "levels";
const STATES: &str = "states";

/// The file that a run locks, so that no other run uses the folder.
const LOCK: &str = "checkpoint.lock";

/// A folder where a solve saves its progress, so that it can be stopped at any time and resumed:
/// see [`Solver::checkpoints`].
///
/// ```
/// # use kit::games::Nim;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("nim.rtb");
/// # let folder = folder.path().join("checkpoints");
/// use std::time::Duration;
///
/// use retrograde::Solver;
/// use retrograde::table::Checkpoints;
///
/// let game = Nim { counters: 21 };
/// let mut checkpoints = Checkpoints::in_folder(&folder)?.interval(Duration::from_secs(60));
/// assert_eq!(checkpoints.folder(), folder);
/// let solution = Solver::new(&game).checkpoints(&mut checkpoints)?.solve()?;
/// checkpoints.save(&solution)?; // in case that writing the table is interrupted
/// assert!(!checkpoints.is_empty());
/// solution.save(&path)?;
/// checkpoints.clear()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Checkpoints {
    folder: PathBuf,
    /// The lock; `None` for all but the first of several processes.
    _lock: Option<Lock>,
    interval: Option<Duration>,
    /// When the last was written, or the run began.
    last: Instant,
    /// The time that the last checkpoint took, if there was one.
    took: Option<Duration>,
    /// The game that is being solved.
    game: Option<GameId>,
    /// The progress from which the solve can resume, if it is known.
    progress: Option<SavedProgress>,
    /// Part of the names of the files that this process writes as one of several. It changes with
    /// each checkpoint, so that no file is replaced that is needed until the other processes have
    /// written theirs.
    name: u64,
}

impl Checkpoints {
    /// Opens the checkpoints in a folder, and creates a missing folder. No other run can use the
    /// folder until the value is dropped.
    ///
    /// # Errors
    /// When the folder can't be created or written to, or another run uses it.
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

    /// Opens the checkpoints of a process other than the first of several that solve a game
    /// together. Processes can share a folder. The first process locks its folder.
    ///
    /// # Errors
    /// When the folder can't be created.
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

    /// Sets the least time between checkpoints. The next one is written after the first level that
    /// ends later than that. Default: 30 s, or longer if checkpoints would take more than 4 % of
    /// the time.
    #[must_use]
    pub fn interval(self, shortest: Duration) -> Checkpoints {
        Checkpoints { interval: Some(shortest), ..self }
    }

    /// The folder of the checkpoints.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Saves the solution of a game without tiers. If the run then ends before its table is
    /// written, the game need not be solved again.
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
        self.game = Some(GameId::new(solution.game())?);
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
        complete(&self.folder).all(|path| is_part(&path))
    }

    /// The time since this run wrote its last checkpoint, or since it began.
    #[cfg(feature = "cli")]
    pub(crate) fn unsaved(&self) -> Duration {
        self.last.elapsed()
    }

    /// The progress from which the solve can resume, as far as this run knows.
    #[cfg(feature = "cli")]
    pub(crate) fn progress(&self) -> Option<SavedProgress> {
        self.progress
    }

    /// The progress from which the solve in a folder can resume, if there is a checkpoint.
    #[cfg(feature = "cluster")]
    pub(crate) fn progress_in(folder: &Path) -> Option<SavedProgress> {
        let files = complete(folder).filter(|path| !is_part(path));
        let saved = files.filter_map(|path| {
            let saved_at = fs::metadata(&path).and_then(|metadata| metadata.modified()).ok()?;
            Some((saved_at, head::progress_of(&path)?))
        });
        saved.max_by_key(|&(saved_at, _)| saved_at).map(|(_, progress)| progress)
    }

    /// Removes all checkpoints that are no longer needed. The folder stays.
    ///
    /// # Errors
    /// When a file can't be removed.
    pub fn clear(self) -> Result<(), CheckpointError> {
        // An unfinished file of a killed run stays until another one is written.
        let files = files(&self.folder);
        let files = files.filter(|path| is_unfinished(path) || file::is_checkpoint(path));
        let mut files: Vec<PathBuf> = files.collect();
        // The list of parts is removed before the parts.
        files.sort_by_key(|path| (is_unfinished(path), is_part(path)));
        files.into_iter().try_for_each(|path| remove(&path))
    }

    /// Whether a file of this name belongs to a folder of checkpoints.
    pub(crate) fn is_file(name: &OsStr) -> bool {
        name == LOCK || final_name(name).is_some_and(is_checkpoint_name)
    }

    /// The beginning of the names of a solve's checkpoints.
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
    /// Saves checkpoints during the solve, and resumes from the last one if there is one. A run
    /// that was stopped at any time is resumed by the same call, and its table is the same.
    ///
    /// Checkpoints are written between levels, at about a byte a state before compression. When
    /// [`on_progress`](Solver::on_progress) interrupts, the run stops at once, and loses the work
    /// since the last checkpoint: at most the time between two of them, and one level or the first
    /// pass. A search is saved between its plies, if it takes long. Reverse edges are not saved, but built
    /// again.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// use retrograde::table::Checkpoints;
    /// use retrograde::{Solver, Value};
    ///
    /// let game = Nim { counters: 21 };
    /// let mut checkpoints = Checkpoints::in_folder(&folder)?;
    /// let solution = Solver::new(&game).checkpoints(&mut checkpoints)?.solve()?;
    /// assert_eq!(solution.value(&21)?, Value::Win(11));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the game's parameters can't be stored.
    pub fn checkpoints(self, checkpoints: &'p mut Checkpoints) -> Result<Self, CheckpointError> {
        checkpoints.game = Some(GameId::new(self.game())?);
        checkpoints.last = Instant::now();
        Ok(self.saving_in(checkpoints))
    }
}

/// Creates the folder of checkpoints if it is missing.
fn make(folder: &Path) -> Result<(), CheckpointError> {
    fs::create_dir_all(folder).map_err(failed(folder, "make the folder"))
}

/// Whether a checkpoint is still being written, or was when its run was killed.
fn is_unfinished(path: &Path) -> bool {
    path.extension() != Some(file::EXTENSION.as_ref())
}

/// The checkpoints in a folder.
fn complete(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    files(folder).filter(|path| !is_unfinished(path))
}

/// The files in a folder with the names of checkpoints, unfinished ones included.
fn files(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let entries = entries.filter(move |entry| {
        let name = entry.file_name();
        let is_own = |name: &str| name.starts_with(LEVELS) || name.starts_with(STATES);
        final_name(&name).is_some_and(|name| is_checkpoint_name(name) && is_own(name))
    });
    entries.map(|entry| entry.path())
}

fn is_checkpoint_name(name: &str) -> bool {
    name.strip_suffix(file::EXTENSION).is_some_and(|name| name.ends_with('.'))
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
        // The first checkpoint of this size is estimated to take five seconds.
        assert!(!is_due(119, None, None, large));
        assert!(is_due(121, None, None, large));
        // The time that the last checkpoint took replaces the estimate.
        assert!(is_due(31, None, Some(1), large));
        assert!(!is_due(239, None, Some(10), small));
        assert!(is_due(241, None, Some(10), small));
        assert!(is_due(2, Some(1), Some(10), large));
        assert!(!is_due(239, Some(240), Some(1), small));
    }
}
