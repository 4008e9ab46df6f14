//! Checkpoints in a folder: what a solve that was interrupted goes on from.
//!
//! A checkpoint is a file that appears whole or not at all, and takes the place of the one before.
//! There are up to two of a solve, `states.checkpoint` (the states of an explored game, where
//! discovering them took longer than checkpoints are apart) and `levels.checkpoint`; a tier's has
//! the place of the tier in its name. They are for the version of the program that wrote them.

mod file;

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::error::{CheckpointError, SolveError};
use crate::numbering::{NumberingKind, Word};
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::OnProgress;
use crate::solve::checkpoint::{Arrays as _, CheckpointStore, Checkpointing, Kept, Kind, Stage};
use crate::solve::{Solution, Solver};
use crate::table::lock::{Lock, NoLock};
use crate::table::{Stored, StoredNumbering, parameters};
use file::Reader;

/// How far checkpoints are apart, unless it is told: so that little is lost, and
/// [`SHARE`] decides where they are large.
const APART: Duration = Duration::from_secs(30);

/// What part of the time may go into writing checkpoints, unless it is told how far they are apart.
const SHARE: u32 = 25;

/// How many bytes of memory are supposed to be written in a second, until one checkpoint has shown it: less
/// than was ever measured. Of Dobutsu shogi, one thread writes 1,400 million bytes of cells a second, and
/// two write 740 million of states.
const PACE: f64 = 200e6;

/// The file by which runs keep each other out of a folder.
const LOCK: &str = "checkpoint.lock";

/// A folder where a solve keeps how far it has come, so that it can be stopped at any instant and
/// goes on from there: see [`Solver::checkpoints`].
///
/// ```
/// # fn solve<G: retrograde::Stored + retrograde::Indexed>(game: &G, folder: &std::path::Path)
/// # -> Result<(), Box<dyn std::error::Error>> {
/// use retrograde::{Checkpoints, Solver};
///
/// let mut checkpoints = Checkpoints::in_folder(folder.join("checkpoints"))?;
/// let solution = Solver::new(game).checkpoints(&mut checkpoints)?.dense()?;
/// solution.save(folder.join("table.rtb"))?;
/// checkpoints.clear()?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Checkpoints {
    folder: PathBuf,
    _lock: Lock,
    every: Option<Duration>,
    /// When the last was written, or the run began.
    last: Instant,
    /// How long it took to write, if there was one.
    took: Option<Duration>,
    /// The game that is being solved.
    of: Option<Of>,
}

/// The game that a checkpoint is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Of {
    game: String,
    /// As JSON.
    parameters: String,
}

/// What a file begins with.
#[derive(Debug, Serialize, Deserialize)]
struct Head<S> {
    of: Of,
    numbering: NumberingKind,
    stage: S,
}

impl Checkpoints {
    /// Those in a folder, which is made if it is not there. No other run can use it meanwhile.
    ///
    /// # Errors
    /// When the folder can't be made or written to, or another run uses it.
    pub fn in_folder(folder: impl AsRef<Path>) -> Result<Checkpoints, CheckpointError> {
        let folder = folder.as_ref();
        fs::create_dir_all(folder).map_err(failed(folder, "make the folder"))?;
        let path = folder.join(LOCK);
        let lock = Lock::take(path.clone()).map_err(|no_lock| match no_lock {
            NoLock::Taken => CheckpointError::InUse { path: shown(folder) },
            NoLock::Failed(error) => failed(&path, "make the file")(error),
        })?;
        let (last, took) = (Instant::now(), None);
        Ok(Checkpoints { folder: folder.into(), _lock: lock, every: None, last, took, of: None })
    }

    /// The same, written at the first level that ends after so much time: more often than they would
    /// be by themselves, or less. By themselves they are half a minute apart, or as much more as it
    /// takes for them to cost at most a twenty-fifth of the time.
    #[must_use]
    pub fn every(self, apart: Duration) -> Checkpoints {
        Checkpoints { every: Some(apart), ..self }
    }

    /// The folder that they are in.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Keeps a solution, so that a run which ends before its table is written need not solve it
    /// again. `progress` hears of it, and can't interrupt it.
    ///
    /// # Errors
    /// When that fails.
    pub fn keep<N: StoredNumbering>(
        &mut self,
        solution: &Solution<N>,
        progress: &mut OnProgress<'_>,
    ) -> Result<(), SolveError> {
        let numbering = solution.numbering();
        self.of = Some(Of::game(numbering.game())?);
        let mut progress = |event| progress(event);
        let threads = available_parallelism().map_or(1, usize::from);
        let mut pool = WorkerPool::new(threads, &mut progress);
        match solution.keep(&mut Checkpointing::new(Some(self), numbering.kind()), &mut pool) {
            Err(SolveError::Interrupted) => Ok(()),
            kept => kept,
        }
    }

    /// Whether there is anything to go on from.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files(file::EXTENSION).next().is_none()
    }

    /// Removes all checkpoints, because they are not needed any more. The folder stays.
    ///
    /// # Errors
    /// When a file can't be removed.
    pub fn clear(self) -> Result<(), CheckpointError> {
        // What a killed run left unfinished is there until another is written.
        for path in self.files(file::EXTENSION).chain(self.files(file::UNFINISHED)) {
            fs::remove_file(&path).map_err(failed(&path, "remove the file"))?;
        }
        Ok(())
    }

    /// Whether a file of this name is one of those that are in such a folder.
    pub(crate) fn is_file(name: &OsStr) -> bool {
        name == LOCK || has_ending(name, file::EXTENSION) || has_ending(name, file::UNFINISHED)
    }

    /// The files that there are whose names end so.
    fn files(&self, ending: &'static str) -> impl Iterator<Item = PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let entries = entries.filter(move |entry| has_ending(&entry.file_name(), ending));
        entries.map(|entry| entry.path())
    }

    fn path(&self, numbering: NumberingKind, kind: Kind) -> PathBuf {
        let name = match kind {
            Kind::States => "states",
            Kind::Levels => "levels",
        };
        let tier = numbering.tier().map_or(String::new(), |tier| format!("-{tier}"));
        self.folder.join(format!("{name}{tier}")).with_extension(file::EXTENSION)
    }

    fn of(&self) -> Of {
        self.of.clone().unwrap_or(Of { game: String::new(), parameters: String::new() })
    }
}

impl Of {
    fn game<G: Stored>(game: &G) -> Result<Of, CheckpointError> {
        let parameters = parameters(game)
            .map_err(|error| CheckpointError::Unstorable { problem: error.to_string() })?;
        Ok(Of { game: G::NAME.into(), parameters })
    }

    /// Whether it is the same game; a set in the parameters may be in another order.
    fn is(&self, other: &Of) -> bool {
        let json = |of: &Of| serde_json::from_str::<serde_json::Value>(&of.parameters).ok();
        self == other || self.game == other.game && json(self) == json(other)
    }

    fn describe(&self, numbering: NumberingKind) -> String {
        let Of { game, parameters } = self;
        const SHOWN: usize = 200;
        let short: String = parameters.chars().take(SHOWN).collect();
        let more = if short.len() < parameters.len() { "…" } else { "" };
        format!("{game} {short}{more}, {numbering} numbering")
    }
}

impl<'p, G: Stored> Solver<'_, 'p, G> {
    /// Keeps checkpoints on the way, and goes on from one if there is one: a run that is stopped at
    /// any instant, and started again in the same way, ends with the same table as one that was
    /// not.
    ///
    /// Checkpoints are written between levels, and hold what is in memory then: about a byte a state
    /// before they are compressed. A run with checkpoints that is told to stop during the levels by
    /// [`on_progress`](Solver::on_progress) finishes the level and writes one first. The states of an
    /// explored game are kept if discovering them took long and they are packed; otherwise they are
    /// discovered again, and moves that are kept turned round are found again.
    ///
    /// # Errors
    /// When the game's parameters can't be stored.
    pub fn checkpoints(self, checkpoints: &'p mut Checkpoints) -> Result<Self, CheckpointError> {
        checkpoints.of = Some(Of::game(self.game())?);
        checkpoints.last = Instant::now();
        Ok(self.kept_by(checkpoints))
    }
}

impl CheckpointStore for Checkpoints {
    fn is_due(&self, bytes: u64) -> bool {
        let apart = self.every.unwrap_or_else(|| {
            let takes = self.took.unwrap_or_else(|| Duration::from_secs_f64(bytes as f64 / PACE));
            APART.max(takes * (SHARE - 1))
        });
        self.last.elapsed() >= apart
    }

    fn keep(
        &mut self,
        numbering: NumberingKind,
        stage: &Stage,
        arrays: &[&[u8]],
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError> {
        let begin = Instant::now();
        let path = self.path(numbering, stage.kind());
        file::write(&path, &Head { of: self.of(), numbering, stage }, arrays, pool)?;
        self.last = Instant::now();
        self.took = Some(begin.elapsed());
        Ok(())
    }

    fn find(
        &mut self,
        numbering: NumberingKind,
        what: Kind,
    ) -> Result<Option<Kept>, CheckpointError> {
        let path = self.path(numbering, what);
        read(&path, &self.of(), numbering, what)
    }

    fn forget(&mut self, numbering: NumberingKind) -> Result<(), CheckpointError> {
        for kind in [Kind::Levels, Kind::States] {
            let path = self.path(numbering, kind);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(failed(&path, "remove the file")(error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// What the file at this path keeps, which is to be of this.
fn read(
    path: &Path,
    asked: &Of,
    numbering: NumberingKind,
    what: Kind,
) -> Result<Option<Kept>, CheckpointError> {
    let Some((head, reader)) = Reader::open::<Head<Stage>>(path)? else { return Ok(None) };
    if !head.of.is(asked) || head.numbering != numbering {
        let (found, asked) = (head.of.describe(head.numbering), asked.describe(numbering));
        return Err(CheckpointError::OfAnother { path: shown(path), found, asked });
    }
    if head.stage.kind() != what {
        return Err(reader.senseless("is of something else than its name says".into()));
    }
    Ok(Some(Kept { stage: head.stage, arrays: Box::new(reader) }))
}

/// Keeps the states of a tier in a file, in the form of a checkpoint.
pub(crate) fn write_states<G: Stored, K: Word>(
    path: &Path,
    game: &G,
    tier: u32,
    keys: &[K],
    pool: &mut WorkerPool<'_>,
) -> Result<(), SolveError> {
    let stage = Stage::Discovered { states: keys.len() as u64 };
    let head = Head { of: Of::game(game)?, numbering: K::tier(tier), stage };
    file::write(path, &head, &[(K::PLAIN.bytes)(keys)], pool)
}

/// The states that are kept in that file, if it is there.
pub(crate) fn read_states<G: Stored, K: Word>(
    path: &Path,
    game: &G,
    tier: u32,
) -> Result<Option<Vec<K>>, SolveError> {
    let kept = read(path, &Of::game(game)?, K::tier(tier), Kind::States)?;
    kept.map(|kept| kept.keys(K::PLAIN)).transpose()
}

fn has_ending(name: &OsStr, ending: &str) -> bool {
    let name = name.as_encoded_bytes().strip_suffix(ending.as_bytes());
    name.is_some_and(|name| name.ends_with(b"."))
}

/// A path in an error.
fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The error for what the system said.
fn failed(path: &Path, action: &'static str) -> impl Fn(io::Error) -> CheckpointError {
    let path = shown(path);
    move |error| CheckpointError::Io { path: path.clone(), action, problem: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_are_due_when_they_take_little_of_the_time_since_the_last() {
        let folder = tempfile::tempdir().unwrap();
        let mut checkpoints = Checkpoints::in_folder(folder.path()).unwrap();
        let mut is_due = |after: u64, every: Option<u64>, took: Option<u64>, bytes: u64| {
            checkpoints.last = Instant::now().checked_sub(Duration::from_secs(after)).unwrap();
            checkpoints.every = every.map(Duration::from_secs);
            checkpoints.took = took.map(Duration::from_secs);
            checkpoints.is_due(bytes)
        };
        let (small, large) = (1_000_000, 1_000_000_000);
        assert!(!is_due(29, None, None, small));
        assert!(is_due(31, None, None, small));
        // The first of so much is supposed to take five seconds.
        assert!(!is_due(119, None, None, large));
        assert!(is_due(121, None, None, large));
        // One that was written tells better.
        assert!(is_due(31, None, Some(1), large));
        assert!(!is_due(239, None, Some(10), small));
        assert!(is_due(241, None, Some(10), small));
        assert!(is_due(2, Some(1), Some(10), large));
        assert!(!is_due(239, Some(240), Some(1), small));
    }
}
