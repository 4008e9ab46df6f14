//! A game in tiers: a folder with a table for each tier and a manifest that says which there are.
//!
//! The manifest is there before the first tier is solved and never changes. A tier is finished when
//! its table is there, which appears whole or not at all; so a run that was interrupted goes on with
//! the first tier that has none.

mod manifest;
mod outcomes;
mod prober;
mod solve;
mod verify;
mod way;

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::error::{FolderError, TableError};
use crate::game::{Packed, TierIndexed, Tiered};
use crate::numbering::{Keeping, NumberingKind, Starts, TierNumbers, Word};
use crate::solve::tiers::SolvedTier;
use crate::solve::tiers::TierFigures;
#[cfg(feature = "cli")]
use crate::table::Header;
use crate::table::lock::{Lock, NoLock};
use crate::table::open::{CACHE_BYTES, Tablebase};
use crate::table::unfinished;
use crate::table::unfinished::is_unfinished;
use crate::table::{BySearch, Checkpoints, Stored};
use manifest::{FORMAT, Manifest, is_name};
pub use prober::TierProber;
use serde_json::Value as Json;
pub use way::TierWay;

/// The name of the manifest.
const MANIFEST: &str = "manifest.json";

/// The file by which runs keep each other out of a folder.
const LOCK: &str = "tiers.lock";

/// The longest manifest that is read, in bytes.
const LONGEST_MANIFEST: u64 = 1 << 26;

/// A folder with the tables of a game's tiers.
#[derive(Debug)]
pub struct TierFolder {
    path: PathBuf,
    manifest: Manifest,
    /// The tables that were opened.
    tables: Vec<OnceLock<Tablebase>>,
    /// Those that were found to be of the manifest's game.
    checked: Vec<OnceLock<()>>,
    opening: Mutex<()>,
    /// For checking, if it was said.
    threads: Option<usize>,
    memory: Option<u64>,
    /// Held while a run writes into it.
    _lock: Option<Lock>,
}

impl TierFolder {
    /// Opens the folder at `path`. Tiers are opened when they are asked about.
    ///
    /// # Errors
    /// When there is no manifest that can be read and makes sense.
    pub fn open(path: impl AsRef<Path>) -> Result<TierFolder, FolderError> {
        let path = path.as_ref();
        let manifest = path.join(MANIFEST);
        let failed = |action| {
            let path = manifest.clone();
            move |source| FolderError::Io { path, action, source }
        };
        let length = match fs::metadata(&manifest) {
            Ok(metadata) => metadata.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(FolderError::NotOfTiers { path: path.into() });
            }
            Err(error) => return Err(failed("find the manifest")(error)),
        };
        let malformed = |problem: String| {
            let path = manifest.clone();
            Err(FolderError::Malformed { path, problem })
        };
        if length > LONGEST_MANIFEST {
            return malformed(format!("{length} bytes, {LONGEST_MANIFEST} at most"));
        }
        let text = fs::read(&manifest).map_err(failed("read the manifest"))?;
        let read: Manifest = match serde_json::from_slice(&text) {
            Ok(read) => read,
            Err(error) => return malformed(error.to_string()),
        };
        if read.format != FORMAT {
            return malformed(format!("its format is {}, {FORMAT} was expected", read.format));
        }
        if let Some(tier) = read.tiers.iter().find(|tier| !is_name(&tier.name)) {
            return malformed(format!("a tier is called \"{}\"", tier.name));
        }
        Ok(TierFolder::new(path, read))
    }

    /// Opens or makes the folder for a game, for nobody else to write to meanwhile. Where there is no manifest yet, `complete` adds what is
    /// to be in it.
    fn make<G: Stored + Tiered>(
        path: &Path,
        game: &G,
        way: Numbered,
        complete: impl FnOnce(Manifest) -> Result<Manifest, FolderError>,
    ) -> Result<TierFolder, FolderError> {
        let malformed = |problem| FolderError::Malformed { path: path.into(), problem };
        TierFolder::make_like(path, Manifest::of(game).map_err(malformed)?, way, complete)
    }

    /// Opens or makes the folder with this manifest, in the same way.
    fn make_like(
        path: &Path,
        manifest: Manifest,
        way: Numbered,
        complete: impl FnOnce(Manifest) -> Result<Manifest, FolderError>,
    ) -> Result<TierFolder, FolderError> {
        let failed = |action| {
            let path = path.to_owned();
            move |source| FolderError::Io { path, action, source }
        };
        fs::create_dir_all(path).map_err(failed("make the folder"))?;
        let lock = match Lock::take(path.join(LOCK)) {
            Ok(lock) => Some(lock),
            Err(NoLock::Taken) => return Err(FolderError::InUse { path: path.into() }),
            // Where nobody can write, all that can be done is to find all tiers solved.
            Err(NoLock::Failed(error)) if is_read_only(&error) => None,
            Err(NoLock::Failed(source)) => {
                return Err(FolderError::Io {
                    path: path.join(LOCK),
                    action: "make the file",
                    source,
                });
            }
        };
        if fs::exists(path.join(MANIFEST)).map_err(failed("look into the folder"))? {
            let folder = TierFolder::open(path)?;
            folder.check_game(&manifest)?;
            if folder.numbered() != way {
                let (found, asked) = (folder.numbered().describe(), way.describe());
                return Err(FolderError::OtherNumbering { path: path.into(), found, asked });
            }
            return match (folder.has_outcomes_only(), manifest.outcomes_only) {
                (true, false) => Err(FolderError::OutcomesOnly { path: path.into() }),
                (false, true) => Err(FolderError::Distances { path: path.into() }),
                _ => Ok(TierFolder { _lock: lock, ..folder }),
            };
        }
        let files = fs::read_dir(path).map_err(failed("look into the folder"))?;
        // What else is there was left by a run that was killed, or is there for this one.
        let is_foreign = |name: &OsStr| {
            let is_of_run = Checkpoints::is_file(name) || manifest.is_states(name);
            !is_of_run && name != LOCK && !is_unfinished(MANIFEST.as_ref(), name)
        };
        if files.flatten().any(|file| is_foreign(&file.file_name())) {
            return Err(FolderError::NotOfTiers { path: path.into() });
        }
        let manifest = complete(manifest)?;
        let write = || -> io::Result<()> {
            let mut file = unfinished::create(path, MANIFEST.as_ref())?;
            serde_json::to_writer_pretty(&mut file, &manifest)?;
            file.write_all(b"\n")?;
            file.as_file().sync_all()?;
            file.persist(path.join(MANIFEST)).map_err(|error| error.error)?;
            Ok(())
        };
        write().map_err(failed("write the manifest"))?;
        Ok(TierFolder { _lock: lock, ..TierFolder::new(path, manifest) })
    }

    fn new(path: &Path, manifest: Manifest) -> TierFolder {
        let tables = manifest.tiers.iter().map(|_| OnceLock::new()).collect();
        let checked = manifest.tiers.iter().map(|_| OnceLock::new()).collect();
        let (path, opening) = (path.into(), Mutex::new(()));
        let (threads, memory, _lock) = (None, None, None);
        TierFolder { path, manifest, tables, checked, opening, threads, memory, _lock }
    }

    /// The same, with so many threads for checking it; without it, as many as there are cores.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> TierFolder {
        TierFolder { threads: Some(threads), ..self }
    }

    /// The same, with so much memory for a tier while it is checked: see
    /// [`Tablebase::with_memory`]. Where those of the tiers that it leads to, and states, would take more
    /// than half of it, they are read from the files as they are needed.
    #[must_use]
    pub fn with_memory(self, bytes: u64) -> TierFolder {
        TierFolder { memory: Some(bytes), ..self }
    }

    /// The files of the tiers that are solved, in solving order.
    #[cfg(feature = "cli")]
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let files = (0..self.tables.len()).map(|tier| self.file(tier));
        files.filter(|file| file.exists()).collect()
    }

    /// The name of the game.
    pub fn game_name(&self) -> &str {
        &self.manifest.game
    }

    /// The game's parameters, as JSON.
    pub fn parameters(&self) -> &Json {
        &self.manifest.parameters
    }

    /// The game that the folder is of.
    ///
    /// # Errors
    /// When it is another game than `G`, or the parameters are not such as `G` takes, or the tiers
    /// not those that the game has.
    pub fn game<G: Stored + Tiered>(&self) -> Result<G, FolderError> {
        if self.manifest.game != G::NAME {
            let path = self.path.clone();
            let (found, asked) = (self.manifest.describe(), G::NAME.into());
            return Err(FolderError::OtherGame { path, found, asked });
        }
        let malformed = |problem| FolderError::Malformed { path: self.path.clone(), problem };
        let game: G = serde_json::from_value(self.manifest.parameters.clone())
            .map_err(|error| malformed(format!("the game's parameters: {error}")))?;
        self.check_game(&Manifest::of(&game).map_err(malformed)?)?;
        Ok(game)
    }

    /// Whether its tables have outcomes alone, without distances.
    pub fn has_outcomes_only(&self) -> bool {
        self.manifest.outcomes_only
    }

    fn check_game(&self, asked: &Manifest) -> Result<(), FolderError> {
        if self.manifest.is_of_same_game(asked) {
            return Ok(());
        }
        let (found, game) = (self.manifest.describe(), asked.describe());
        if found == game {
            let problem = "its tiers are not those of its game".into();
            return Err(FolderError::Malformed { path: self.path.join(MANIFEST), problem });
        }
        Err(FolderError::OtherGame { path: self.path.clone(), found, asked: game })
    }

    /// How its tiers are numbered.
    fn numbered(&self) -> Numbered {
        if self.manifest.has_states() { Numbered::ByStates } else { Numbered::ByGame }
    }

    /// Whether its tiers are numbered in this way, as far as any is solved.
    #[cfg(feature = "cli")]
    pub(crate) fn is_numbered_by<G: Stored + Tiered, W: TierWay<G>>(&self) -> bool {
        let kind = |tier| W::Numbers::kind(tier as u32);
        let solved = (0..self.tables.len()).find(|&tier| self.file(tier).exists());
        match solved.and_then(|tier| self.table(tier).ok().zip(Some(tier))) {
            Some((table, tier)) => table.header().numbering == kind(tier),
            None => kind(0).has_states() == (self.numbered() == Numbered::ByStates),
        }
    }

    /// The file of a tier.
    fn file(&self, tier: usize) -> PathBuf {
        self.path.join(format!("{}.rtb", self.manifest.tiers[tier].name))
    }

    fn error(&self, tier: usize) -> impl Fn(TableError) -> FolderError + use<> {
        let path = self.file(tier);
        move |source| FolderError::Table { path: path.clone(), source }
    }

    /// The table of a tier, opened if it was not.
    fn table(&self, tier: usize) -> Result<&Tablebase, FolderError> {
        let slot = &self.tables[tier];
        if let Some(table) = slot.get() {
            return Ok(table);
        }
        // A panic elsewhere can't have left anything half done.
        let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        // They share what one table alone would keep.
        let cache = CACHE_BYTES / self.tables.len();
        let table = Tablebase::open(self.file(tier)).map_err(self.error(tier))?;
        let mut table = table.with_cache(cache);
        if let Some(threads) = self.threads {
            table = table.with_threads(threads);
        }
        if let Some(memory) = self.memory {
            table = table.with_memory(memory);
        }
        let found = table.header().numbering;
        let is_explored = self.numbered() == Numbered::ByStates;
        if found.tier() != Some(tier as u32) || found.has_states() != is_explored {
            let asked = match is_explored {
                false => NumberingKind::Tier(tier as u32),
                true => NumberingKind::TierPacked8(tier as u32),
            };
            return Err(self.error(tier)(TableError::OtherNumbering { found, asked }));
        }
        if table.header().outcomes_only != self.manifest.outcomes_only {
            let problem = "says otherwise than the manifest whether there are distances";
            return Err(self.error(tier)(TableError::malformed("the header", problem)));
        }
        Ok(slot.get_or_init(|| table))
    }

    /// The same, sure to be of this game.
    fn table_of<G: Stored + Tiered, W: TierWay<G>>(
        &self,
        tier: usize,
        game: &G,
    ) -> Result<&Tablebase, FolderError> {
        let table = self.table(tier)?;
        if self.checked[tier].get().is_some() {
            return Ok(table);
        }
        let kind = W::Numbers::kind(tier as u32);
        table.check_game(game, kind).map_err(self.error(tier))?;
        let (found, len) = (table.header().len, self.len_of::<G, W>(tier, game));
        if found != len {
            let problem = format!("counts {found} numbers, where the tier has {len}");
            return Err(self.error(tier)(TableError::malformed("the header", problem)));
        }
        self.checked[tier].get_or_init(|| ());
        Ok(table)
    }

    fn len_of<G: Stored + Tiered, W: TierWay<G>>(&self, tier: usize, game: &G) -> u64 {
        W::len(game, tier, self.manifest.tiers[tier].states)
    }

    /// The tiers in figures, in solving order: those that are solved.
    ///
    /// # Errors
    /// When the table of one can't be opened.
    pub fn tiers(&self) -> Result<Vec<TierFigures>, FolderError> {
        let solved = (0..self.tables.len()).filter(|&tier| self.file(tier).exists());
        solved.map(|tier| Ok(self.figures(tier, self.table(tier)?))).collect()
    }

    fn figures(&self, tier: usize, table: &Tablebase) -> TierFigures {
        TierFigures {
            name: self.manifest.tiers[tier].name.clone(),
            summary: table.header().summary.clone(),
            bytes: Some(table.file_length()),
            found: true,
        }
    }

    /// How many tiers there are, solved or not.
    pub fn tier_count(&self) -> usize {
        self.tables.len()
    }

    /// The folder together with its game, ready to be asked.
    ///
    /// # Errors
    /// When it is of another game.
    pub fn prober<'t, G: Stored + TierIndexed>(
        &'t self,
        game: &'t G,
    ) -> Result<TierProber<'t, G>, FolderError> {
        self.prober_by(game)
    }

    /// The same, for tiers whose states were discovered and packed: `K` is `u64` or `u128`, the same
    /// that they were solved with.
    ///
    /// # Errors
    /// As [`prober`](TierFolder::prober).
    pub fn prober_packed<'t, G, K>(
        &'t self,
        game: &'t G,
    ) -> Result<TierProber<'t, G, BySearch<K>>, FolderError>
    where
        G: Stored + Tiered + Packed,
        K: Keeping<G, Key = K> + Word,
    {
        self.prober_by(game)
    }

    pub(crate) fn prober_by<'t, G: Stored + Tiered, W: TierWay<G>>(
        &'t self,
        game: &'t G,
    ) -> Result<TierProber<'t, G, W>, FolderError> {
        self.check_is_of(game)?;
        let lens = (0..self.tier_count()).map(|tier| self.len_of::<G, W>(tier, game));
        Ok(TierProber { folder: self, game, starts: Starts::of(lens), way: PhantomData })
    }

    fn check_is_of<G: Stored + Tiered>(&self, game: &G) -> Result<(), FolderError> {
        let malformed = |problem| FolderError::Malformed { path: self.path.clone(), problem };
        self.check_game(&Manifest::of(game).map_err(malformed)?)
    }

    /// A tier that is solved, every block checked.
    fn load<G: Stored + Tiered, W: TierWay<G>>(
        &self,
        tier: usize,
        game: &G,
    ) -> Result<SolvedTier<W::Numbers>, FolderError> {
        let table = self.table_of::<G, W>(tier, game)?;
        let numbers = W::numbers(table, game, tier).map_err(self.error(tier))?;
        let values = table.load_values(&mut |_| ControlFlow::Continue(()));
        Ok(SolvedTier { numbers, values: Arc::new(values.map_err(self.error(tier))?) })
    }
}

/// How the states of tiers are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Numbered {
    /// By a formula of the game.
    ByGame,
    /// By their place among those that were discovered.
    ByStates,
}

impl Numbered {
    fn describe(self) -> &'static str {
        match self {
            Numbered::ByGame => "numbered by the game",
            Numbered::ByStates => "explored",
        }
    }
}

/// Whether a file could not be made where none can.
fn is_read_only(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// What a table of one tier says of itself, for an error.
#[cfg(feature = "cli")]
pub(crate) fn is_of_tier(header: &Header) -> bool {
    header.numbering.tier().is_some()
}
