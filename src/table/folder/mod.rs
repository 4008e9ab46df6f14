//! A game in tiers: a folder with a table for each tier, and a manifest that lists the tiers.
//!
//! The manifest is written before the first tier is solved and never changes. A tier is solved when
//! its table exists; tables appear whole or not at all. An interrupted run resumes with the first
//! tier without a table.

mod further;
mod make;
mod manifest;
mod solve;
mod store;
#[cfg(all(test, feature = "cluster"))]
mod together_tests;
mod whole;

#[cfg(feature = "cli")]
pub(crate) use make::check_for_outcomes;
pub(crate) use solve::{save_tiers, solve_into};
pub(crate) use whole::tier_at;

use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::Value as Json;

use crate::error::TableError;
use crate::game::{Game, Tier, is_tier_name, one_line};
use crate::numbering::discovered::KeyForm;
use crate::numbering::indexing::{Indexing, Lookup, Tiering};
use crate::numbering::{NumberingKind, SolvedTier, StateForm};
use crate::runtime::progress::OnProgress;
use crate::runtime::scratch::Scratch;
use crate::solve::TierFigures;
use crate::table::Stored;
use crate::table::cache::Cache;
use crate::table::keys::load_indices;
use crate::table::limits::CheckLimits;
use crate::table::lock::Lock;
use crate::table::lookup::describe;
use crate::table::open::{CACHE_BYTES, TableFile};
use crate::table::records::Header;
use crate::table::storage::{FileSystem, Storage};
use manifest::{FORMAT, MANIFEST, Manifest};

/// The file that a run locks, so that no other run writes into the folder.
const LOCK: &str = "tiers.lock";

/// The longest manifest that is read, in bytes.
const LONGEST_MANIFEST: u64 = 1 << 26;

/// A folder with the tables of a game's tiers.
#[derive(Debug)]
pub(crate) struct TierFolder<S = File> {
    files: FileSystem<S>,
    path: PathBuf,
    manifest: Manifest,
    /// The tables that were opened.
    tables: Vec<OnceLock<TableFile<S>>>,
    /// The tables that are known to be of the manifest's game.
    checked: Vec<OnceLock<()>>,
    opening: Mutex<()>,
    /// The resources for checking. States and the tiers that moves lead to are read from files as they
    /// are needed, where they would take more than half of the memory.
    limits: Arc<CheckLimits>,
    /// The parts of all tiers' files that were read last.
    cache: Arc<Cache>,
    /// Held while a run writes into the folder.
    _lock: Option<Lock>,
}

impl<S: Storage> TierFolder<S> {
    /// Opens the folder at `path`. The table of a tier is opened when it is needed.
    ///
    /// # Errors
    /// When there is no readable and valid manifest.
    pub(crate) fn open(files: FileSystem<S>, path: &Path) -> Result<TierFolder<S>, TableError> {
        let manifest = path.join(MANIFEST);
        let failed = |action| io_failed(&manifest, action);
        let file = match (files.open)(&manifest) {
            Ok(Some(file)) => file,
            Ok(None) => return Err(TableError::at(&manifest)(TableError::NotAFile)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(TableError::at(path)(TableError::NotOfTiers));
            }
            Err(error) => return Err(failed("open the manifest")(error)),
        };
        let length = file.length().map_err(failed("find the length of the manifest"))?;
        let malformed = |problem: String| Err(malformed(&manifest, problem));
        if length > LONGEST_MANIFEST {
            return malformed(format!("{length} bytes, {LONGEST_MANIFEST} at most"));
        }
        let mut text = vec![0; length as usize];
        file.read_at(0, &mut text).map_err(failed("read the manifest"))?;
        let read: Manifest = match serde_json::from_slice(&text) {
            Ok(read) => read,
            Err(error) => return malformed(error.to_string()),
        };
        if read.format != FORMAT {
            return malformed(format!("its format is {}, {FORMAT} was expected", read.format));
        }
        if let Some(tier) = read.tiers.iter().find(|tier| !is_tier_name(&tier.name)) {
            return malformed(format!("a tier is called \"{}\"", tier.name));
        }
        if read.tiers.is_empty() {
            let what = "it lists no tiers, where those of the game were expected";
            return malformed(format!(
                "{what}; copy the folder again, or remove it and solve anew"
            ));
        }
        let are_counted = read.tiers.iter().any(|tier| tier.states.is_some());
        if let Some(tier) = read.tiers.iter().find(|tier| tier.states.is_some() != are_counted) {
            return malformed(format!(
                "tier {} has no count of its states, unlike others",
                tier.name
            ));
        }
        Ok(TierFolder::new(files, path, read))
    }

    fn new(files: FileSystem<S>, path: &Path, manifest: Manifest) -> TierFolder<S> {
        let tables = manifest.tiers.iter().map(|_| OnceLock::new()).collect();
        let checked = manifest.tiers.iter().map(|_| OnceLock::new()).collect();
        let (path, opening) = (path.into(), Mutex::new(()));
        let limits = Arc::new(CheckLimits::new());
        let cache = Arc::new(Cache::new(CACHE_BYTES));
        TierFolder { files, path, manifest, tables, checked, opening, limits, cache, _lock: None }
    }

    /// The resources for checking the folder.
    pub(crate) fn limits(&self) -> &CheckLimits {
        &self.limits
    }

    /// Sets how many bytes the cache of all tiers may take, roughly.
    pub(crate) fn set_cache_size(&self, bytes: usize) {
        self.cache.set_limit(bytes);
    }

    /// Clears the cache of all tiers.
    pub(crate) fn clear_cache(&self) {
        self.cache.clear();
    }

    /// The tiers that are solved, in solving order.
    pub(crate) fn solved(&self) -> impl Iterator<Item = usize> {
        (0..self.tables.len()).filter(|&tier| self.has(tier))
    }

    /// The names of the files: the manifest, and those of the solved tiers.
    #[cfg(feature = "serve")]
    pub(crate) fn file_names(&self) -> Vec<String> {
        let tiers = self.solved().map(|tier| file_of(&self.manifest.tiers[tier].name));
        [MANIFEST.to_owned()].into_iter().chain(tiers).collect()
    }

    /// The name of the game.
    pub(crate) fn game_name(&self) -> &str {
        &self.manifest.game
    }

    /// The game's parameters, as JSON.
    pub(crate) fn parameters(&self) -> &Json {
        &self.manifest.parameters
    }

    /// The game of the folder, made from the parameters in the manifest.
    ///
    /// # Errors
    /// When it is another game than `G`, or `G` refuses the parameters.
    pub(crate) fn game<G: Stored>(&self) -> Result<G, TableError> {
        if self.manifest.game != G::NAME {
            let (found, asked) = (self.manifest.describe(), G::NAME.into());
            return Err(TableError::at(&self.path)(TableError::OtherGame { found, asked }));
        }
        serde_json::from_value(self.manifest.parameters.clone())
            .map_err(|error| malformed(&self.path, format!("the game's parameters: {error}")))
    }

    /// Whether the tables store outcomes only, without distances.
    pub(crate) fn has_outcomes_only(&self) -> bool {
        self.manifest.outcomes_only
    }

    fn check_game(&self, expected: &Manifest) -> Result<(), TableError> {
        if self.manifest.is_of_same_game(expected) {
            return Ok(());
        }
        Err(self.is_of_other(expected))
    }

    /// The error for a folder that is not of this game.
    fn is_of_other(&self, expected: &Manifest) -> TableError {
        let (found, asked) = (self.manifest.describe(), expected.describe());
        if found == asked {
            let problem = "its tiers are not those of its game";
            return malformed(&self.path.join(MANIFEST), problem);
        }
        TableError::at(&self.path)(TableError::OtherGame { found, asked })
    }

    /// The numbering of the first solved tier, or of the first tier if none is solved.
    pub(crate) fn numbering(&self) -> Result<NumberingKind, TableError> {
        if let Some(tier) = self.solved().next() {
            return Ok(self.table(tier)?.header().numbering);
        }
        Ok(kind_of(self.manifest.has_states(), 0))
    }

    /// The file of a tier.
    pub(crate) fn file(&self, tier: usize) -> PathBuf {
        self.path.join(file_of(&self.manifest.tiers[tier].name))
    }

    /// Whether the tier is solved.
    fn has(&self, tier: usize) -> bool {
        (self.files.has)(&self.file(tier))
    }

    fn error(&self, tier: usize) -> impl Fn(TableError) -> TableError + use<S> {
        TableError::at(&self.file(tier))
    }

    /// The table of a tier, which is opened if needed.
    pub(crate) fn table(&self, tier: usize) -> Result<&TableFile<S>, TableError> {
        let slot = &self.tables[tier];
        if let Some(table) = slot.get() {
            return Ok(table);
        }
        // The lock guards no data, so a panic in another thread does no harm.
        let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        let mut table = self.open_table(tier)?;
        table.reader.share(&self.cache);
        table.limits = self.limits.clone();
        Ok(slot.get_or_init(|| table))
    }

    /// Opens the table of a tier, and compares its header with the manifest.
    fn open_table(&self, tier: usize) -> Result<TableFile<S>, TableError> {
        let table = TableFile::open(self.files, &self.file(tier)).map_err(|error| match error {
            TableError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                self.lacks(tier)
            }
            error => self.error(tier)(error),
        })?;
        let Header { game, parameters, .. } = table.header();
        if !self.manifest.is_of(game, parameters) {
            let asked = describe(&self.manifest.game, &self.manifest.parameters.to_string());
            let found = describe(game, parameters);
            return Err(self.error(tier)(TableError::OtherGame { found, asked }));
        }
        let found = table.header().numbering;
        let listed = self.manifest.has_states();
        if found.tier() != Some(tier as u32) || found.has_states() != listed {
            let (found, expected) = (found.to_string(), kind_of(listed, tier).to_string());
            return Err(self.error(tier)(TableError::OtherNumbering { found, expected }));
        }
        if table.header().outcomes_only != self.manifest.outcomes_only {
            let problem = "says otherwise than the manifest whether there are distances";
            return Err(self.error(tier)(TableError::malformed("the header", problem)));
        }
        self.check_count(tier, "its table has", table.header().len)?;
        Ok(table)
    }

    /// The table of a tier, checked to be of this game.
    pub(crate) fn table_of<G: Stored, I: Indexing<G>>(
        &self,
        tier: usize,
        game: &G,
    ) -> Result<&TableFile<S>, TableError> {
        let table = self.table(tier)?;
        if self.checked[tier].get().is_some() {
            return Ok(table);
        }
        table.check_game::<G, I>(game, tier).map_err(self.error(tier))?;
        let (found, len) = (table.header().len, self.len_of::<G, I>(tier, game));
        if found != len {
            let problem = format!("counts {found} indices, where the tier has {len}");
            return Err(self.error(tier)(TableError::malformed("the header", problem)));
        }
        self.checked[tier].get_or_init(|| ());
        Ok(table)
    }

    /// The number of indices of a tier, by the game's formula or by the manifest.
    pub(crate) fn len_of<G: Game, I: Indexing<G>>(&self, tier: usize, game: &G) -> u64 {
        let listed = || self.manifest.tiers[tier].states.unwrap_or(0);
        I::Lookup::formula_len(game, tier).unwrap_or_else(listed)
    }

    /// The number of indices of each tier, as the manifest or the header of its table says.
    ///
    /// # Errors
    /// When neither says it, since the tier is not solved, or when a table can't be opened.
    pub(crate) fn lengths(&self) -> Result<Vec<u64>, TableError> {
        let length = |tier: usize| match self.manifest.tiers[tier].states {
            Some(states) => Ok(states),
            None => Ok(self.table(tier)?.header().len),
        };
        (0..self.tier_count()).map(length).collect()
    }

    /// The figures of the solved tiers, in solving order.
    ///
    /// # Errors
    /// When the table of a tier can't be opened.
    pub(crate) fn tiers(&self) -> Result<Vec<TierFigures>, TableError> {
        let figures = self.solved().map(|tier| Ok(self.figures(tier, self.table(tier)?)));
        // All are opened even if one fails: who fetches parts of files then learns of all that lack.
        let figures: Vec<Result<_, TableError>> = figures.collect();
        figures.into_iter().collect()
    }

    fn figures(&self, tier: usize, table: &TableFile<S>) -> TierFigures {
        table.figures(&self.manifest.tiers[tier].name)
    }

    /// The number of tiers, solved or not.
    pub(crate) fn tier_count(&self) -> usize {
        self.tables.len()
    }

    /// Refuses a folder of another game.
    pub(crate) fn check_is_of<G: Stored, I: Indexing<G>>(
        &self,
        game: &G,
    ) -> Result<(), TableError> {
        let expected = Manifest::new(game, I::Tiering::tiers(game));
        self.check_game(&expected.map_err(|problem| malformed(&self.path, problem))?)
    }

    /// Opens or creates a folder for the outcomes of this folder.
    pub(crate) fn make_for_outcomes<G: Stored>(
        &self,
        path: &Path,
    ) -> Result<TierFolder, TableError> {
        let manifest = Manifest { outcomes_only: true, ..self.manifest.clone() };
        TierFolder::make_like(path, manifest, G::HOW_FAR, self.manifest.has_states(), &mut Ok)
    }

    /// Loads a solved tier into memory, and checks every block. Its values go into a scratch file if
    /// there is a folder for them.
    pub(crate) fn load<G: Stored, I: Indexing<G>>(
        &self,
        tier: usize,
        game: &G,
        form: &KeyForm,
        scratch: Option<&Arc<Scratch>>,
    ) -> Result<SolvedTier<G, I>, TableError> {
        let table = self.table_of::<G, I>(tier, game)?;
        let load = || {
            let progress: &mut OnProgress<'_> = &mut |_| ControlFlow::Continue(());
            let write = |state: &G::State| one_line(&game.state_text(state));
            let indices = load_indices::<G, I, _>(table, game, form, &write, progress)?;
            Ok(SolvedTier { indices, values: Arc::new(table.load_values_in(scratch, progress)?) })
        };
        load().map_err(self.error(tier))
    }
}

/// The name of the file of a tier.
fn file_of(tier: &str) -> String {
    format!("{tier}.rtb")
}

/// The place of the tier with this name in the solving order.
pub(crate) fn find_tier(tiers: &[Tier], name: &str) -> Result<usize, TableError> {
    const SHOWN: usize = 20;
    tiers.iter().position(|tier| tier.name == name).ok_or_else(|| {
        let names: Vec<&str> = tiers.iter().take(SHOWN).map(|tier| tier.name.as_str()).collect();
        let more = tiers.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let known = format!("one of {}{more}", names.join(", "));
        TableError::NoSuchTier { name: name.into(), known }
    })
}

/// Whether the files of tiers in this numbering list their states.
fn is_listed<G: Game, I: Indexing<G>>() -> bool {
    I::Lookup::FORM != StateForm::Formula
}

/// The numbering of a tier whose file lists its states or not. The manifest does not contain the
/// width of packed states, so they count as packed in 8 bytes.
fn kind_of(listed: bool, tier: usize) -> NumberingKind {
    let form = if listed { StateForm::Packed8 } else { StateForm::Formula };
    NumberingKind::new(form, Some(tier))
}

/// Makes an error from a system error at a path.
fn io_failed(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> TableError + use<> {
    let at = TableError::at(path);
    move |source| at(TableError::Io { action, source })
}

/// The error for an invalid manifest.
fn malformed(path: &Path, problem: impl ToString) -> TableError {
    TableError::at(path)(TableError::malformed("the manifest:", problem))
}
