//! An open table, be it a file or a folder of tiers.

use std::fs::File;
use std::marker::PhantomData;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value as Json;

use crate::error::TableError;
use crate::game::summary::Summary;
use crate::game::value::Rules;
use crate::numbering::NumberingKind;
use crate::numbering::indexing::IndexingVisitor;
use crate::numbering::scheme::Numbered;
use crate::runtime::progress::{OnProgress, unheard};
use crate::solve::TierFigures;
use crate::table::Stored;
use crate::table::folder::TierFolder;
use crate::table::limits::CheckLimits;
use crate::table::open::TableFile;
use crate::table::parts::Files;
use crate::table::records::Header;
use crate::table::storage::{DISK, FileSystem, InMemory, Storage};
use crate::table::visitors::{CheckGame, FindTier, PartsVisitor, WithParts, visit_kind};

/// An open table: a file, or a folder with a file for each tier of a game.
///
/// Opening reads little, even from long files. The rest is read and checked when it is needed. A
/// table can be shared between threads. Its clones and [probers](Table::prober) share its files, its
/// cache and its settings.
///
/// ```
/// # use kit::games::Nim;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("nim.rtb");
/// use retrograde::{Solver, Table, Value};
///
/// Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
/// let table = Table::open(&path)?;
/// let game: Nim = table.game()?;
/// assert_eq!(table.prober(game)?.value(&21)?, Value::Win(11));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The header has the figures of a table:
///
/// ```
/// # use kit::games::Nim;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("nim.rtb");
/// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
/// # use retrograde::Table;
/// let table = Table::open(&path)?;
/// assert_eq!((table.game_name(), &table.parameters()["counters"]), ("nim", &21.into()));
/// assert_eq!((table.numbering()?.name(), table.tier_count()), ("dense", 1));
/// assert_eq!(table.header().map(|header| header.len), Some(22));
/// assert!(!table.has_outcomes_only());
/// assert_eq!(table.summary()?.states(), 22);
/// assert_eq!(table.size_on_disk()?, std::fs::metadata(&path)?.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Checks read the whole table, within limits:
///
/// ```
/// # use kit::games::Nim;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("nim.rtb");
/// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
/// # use retrograde::Table;
/// let table = Table::open(&path)?.threads(2).memory(1 << 30).cache(16 << 20);
/// table.check_tiers()?;
/// assert_eq!(table.verify_checksums()?, table.size_on_disk()?);
/// assert_eq!(table.verify(&Nim { counters: 21 })?, 22);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Table<S = File>(pub(crate) Files<S>);

impl<S> Clone for Table<S> {
    fn clone(&self) -> Table<S> {
        Table(match &self.0 {
            Files::One(file) => Files::One(file.clone()),
            Files::Tiers(folder) => Files::Tiers(folder.clone()),
        })
    }
}

impl Table {
    /// Opens the file or the folder at `path`.
    ///
    /// ```
    /// # use kit::games::TwoHeaps;
    /// # let folder = tempfile::tempdir()?;
    /// use retrograde::{Solver, Table};
    ///
    /// let folder = folder.path().join("two-heaps");
    /// Solver::new(&TwoHeaps { heaps: [3, 3] }).solve_into(&folder)?;
    /// assert_eq!(Table::open(&folder)?.game_name(), "two-heaps");
    /// assert!(Table::open(folder.join("missing.rtb")).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When `path` can't be read, is no table or is of a newer format. When it is truncated or
    /// damaged in the parts that opening reads: the frame and the header of a file, the manifest of
    /// a folder.
    pub fn open(path: impl AsRef<Path>) -> Result<Table, TableError> {
        let path = path.as_ref();
        Table::open_in(DISK, path, path.is_dir())
    }
}

impl<D: AsRef<[u8]> + Send + Sync> Table<InMemory<D>> {
    /// Opens a table whose file is these bytes: owned, borrowed, or a mapped file.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
    /// use retrograde::Table;
    ///
    /// let table = Table::from_bytes(std::fs::read(&path)?)?;
    /// assert_eq!(table.game_name(), "nim");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`open`](Table::open).
    pub fn from_bytes(bytes: D) -> Result<Table<InMemory<D>>, TableError> {
        Table::from_storage(InMemory(bytes))
    }
}

impl<S: Storage> Table<S> {
    /// Opens the file or the folder at a path of this file system.
    ///
    /// # Errors
    /// As [`open`](Table::open).
    pub(crate) fn open_in(
        files: FileSystem<S>,
        path: &Path,
        is_folder: bool,
    ) -> Result<Table<S>, TableError> {
        Ok(Table(match is_folder {
            true => Files::Tiers(Arc::new(TierFolder::open(files, path)?)),
            false => Files::One(Arc::new(TableFile::open(files, path)?)),
        }))
    }

    /// Opens a table whose file is in this storage.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
    /// use std::fs::File;
    ///
    /// use retrograde::Table;
    ///
    /// let table = Table::from_storage(File::open(&path)?)?;
    /// assert_eq!(table.game_name(), "nim");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`open`](Table::open).
    pub fn from_storage(storage: S) -> Result<Table<S>, TableError> {
        Ok(Table(Files::One(Arc::new(TableFile::from_storage(storage)?))))
    }

    /// Sets how many bytes of decompressed blocks are cached, roughly. Default: 64 MiB. The tiers
    /// of a folder share the cache. The blocks of the last probe are always cached.
    #[must_use]
    pub fn cache(self, bytes: usize) -> Table<S> {
        match &self.0 {
            Files::One(file) => file.reader.set_cache_size(bytes),
            Files::Tiers(folder) => folder.set_cache_size(bytes),
        }
        self
    }

    /// Sets the number of threads for checking the whole table. Default: all cores. A probe runs on
    /// the thread that calls it.
    #[must_use]
    pub fn threads(self, threads: usize) -> Table<S> {
        self.limits().set_threads(threads);
        self
    }

    /// Limits the memory for checking all values of a file, or of each tier of a folder, in bytes.
    /// Default: no limit. Values take 1 or 2 bytes each, and listed states are in memory too. If
    /// they do not fit, they are read repeatedly; the less memory, the longer that takes. The cache
    /// of [`cache`](Table::cache) is not part of this limit.
    #[must_use]
    pub fn memory(self, bytes: u64) -> Table<S> {
        self.limits().set_memory(bytes);
        self
    }

    fn limits(&self) -> &CheckLimits {
        match &self.0 {
            Files::One(file) => &file.limits,
            Files::Tiers(folder) => folder.limits(),
        }
    }

    /// The name of the game: [`Stored::NAME`].
    #[must_use]
    pub fn game_name(&self) -> &str {
        match &self.0 {
            Files::One(file) => &file.header().game,
            Files::Tiers(folder) => folder.game_name(),
        }
    }

    /// The game's parameters, as JSON; null if the text in the file is not JSON.
    #[must_use]
    pub fn parameters(&self) -> Json {
        match &self.0 {
            Files::One(file) => serde_json::from_str(&file.header().parameters).unwrap_or_default(),
            Files::Tiers(folder) => folder.parameters().clone(),
        }
    }

    /// The game of the table, made from the table's parameters.
    ///
    /// ```
    /// # use kit::games::{Nim, TwoHeaps};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
    /// use retrograde::Table;
    ///
    /// let table = Table::open(&path)?;
    /// assert_eq!(table.game::<Nim>()?.counters, 21);
    /// assert!(table.game::<TwoHeaps>().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the table is of another game than `G`, when `G` refuses the parameters, or when the
    /// folder's tiers differ from the game's.
    pub fn game<G: Stored + Numbered>(&self) -> Result<G, TableError> {
        match &self.0 {
            Files::One(file) => file.game(),
            Files::Tiers(folder) => {
                let game: G = folder.game()?;
                self.visit(&game, CheckGame { folder, game: &game })?;
                Ok(game)
            }
        }
    }

    /// The header of the file; `None` for a folder, where the file of each tier has its own.
    #[must_use]
    pub fn header(&self) -> Option<&Header> {
        match &self.0 {
            Files::One(file) => Some(file.header()),
            Files::Tiers(_) => None,
        }
    }

    /// The rules that turn values into verdicts; `None` for a folder without a solved tier.
    pub(crate) fn rules(&self) -> Result<Option<Rules>, TableError> {
        match &self.0 {
            Files::One(file) => Ok(Some(file.header().rules)),
            Files::Tiers(folder) => {
                let first = folder.solved().next();
                first.map(|tier| Ok(folder.table(tier)?.header().rules)).transpose()
            }
        }
    }

    /// Whether the table has outcomes only, without distances.
    #[must_use]
    pub fn has_outcomes_only(&self) -> bool {
        match &self.0 {
            Files::One(file) => file.header().outcomes_only,
            Files::Tiers(folder) => folder.has_outcomes_only(),
        }
    }

    /// The numbering of the states; for a folder, the numbering of its first solved tier.
    ///
    /// # Errors
    /// When the file of a tier can't be opened.
    pub fn numbering(&self) -> Result<NumberingKind, TableError> {
        match &self.0 {
            Files::One(file) => Ok(file.header().numbering),
            Files::Tiers(folder) => folder.numbering(),
        }
    }

    /// The figures of the solved tiers, in solving order. A file counts as one tier without a name.
    ///
    /// ```
    /// # use kit::games::TwoHeaps;
    /// # let folder = tempfile::tempdir()?;
    /// # let folder = folder.path().join("two-heaps");
    /// use retrograde::{Solver, Table};
    ///
    /// Solver::new(&TwoHeaps { heaps: [3, 3] }).solve_into(&folder)?;
    /// let table = Table::open(&folder)?;
    /// let tiers = table.tiers()?;
    /// assert_eq!((tiers.len(), table.tier_count()), (7, 7));
    /// assert_eq!((&*tiers[2].name, tiers[2].summary.states()), ("2-left", 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the file of a tier can't be opened.
    pub fn tiers(&self) -> Result<Vec<TierFigures>, TableError> {
        match &self.0 {
            Files::One(file) => Ok(vec![file.figures("")]),
            Files::Tiers(folder) => folder.tiers(),
        }
    }

    /// The name of a tier whose file was opened without its folder; `None` for any other table. The
    /// header of such a file can be read, but the file answers no probe without the other tiers.
    ///
    /// ```
    /// # use kit::games::TwoHeaps;
    /// # let folder = tempfile::tempdir()?;
    /// # let folder = folder.path().join("two-heaps");
    /// use retrograde::{Solver, Table};
    ///
    /// let game = TwoHeaps { heaps: [3, 3] };
    /// Solver::new(&game).solve_into(&folder)?;
    /// let file = Table::open(folder.join("2-left.rtb"))?;
    /// assert_eq!(file.tier_name(&game)?.as_deref(), Some("2-left"));
    /// assert!(file.prober(game).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the file is of another game or of a numbering that the game does not list. When its
    /// number of indices differs from the tier's.
    pub fn tier_name<G: Stored + Numbered>(&self, game: &G) -> Result<Option<String>, TableError> {
        match &self.0 {
            Files::One(file) if file.header().numbering.tier().is_some() => {
                file.check_is_of(game)?;
                visit_kind(file.header().numbering, FindTier { file, game }).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// How many tiers there are, solved or not: 1 for a file.
    #[must_use]
    pub fn tier_count(&self) -> usize {
        match &self.0 {
            Files::One(_) => 1,
            Files::Tiers(folder) => folder.tier_count(),
        }
    }

    /// The figures of all solved tiers together.
    ///
    /// # Errors
    /// When the file of a tier can't be opened.
    pub fn summary(&self) -> Result<Summary, TableError> {
        Ok(Summary::sum(self.tiers()?.iter().map(|tier| &tier.summary)))
    }

    /// The names of the files of a folder; `None` for a file.
    #[cfg(feature = "serve")]
    pub(crate) fn file_names(&self) -> Option<Vec<String>> {
        match &self.0 {
            Files::One(_) => None,
            Files::Tiers(folder) => Some(folder.file_names()),
        }
    }

    /// The total length of all files in bytes.
    ///
    /// # Errors
    /// When the file of a tier can't be opened.
    pub fn size_on_disk(&self) -> Result<u64, TableError> {
        Ok(self.tiers()?.iter().filter_map(|tier| tier.bytes).sum())
    }

    /// Checks that each file in a folder is the table of its tier, and that no tier is missing that
    /// a solved tier leads to. Reads the headers of the files. Tiers that are still to be solved
    /// may be missing.
    ///
    /// # Errors
    /// The first tier that is missing, or whose file is of another game or tier.
    pub fn check_tiers(&self) -> Result<(), TableError> {
        match &self.0 {
            Files::One(_) => Ok(()),
            Files::Tiers(folder) => folder.check_tiers(),
        }
    }

    /// Checks every part of the table for damage: reads all files, and compares every checksum.
    /// Takes little memory. Returns the number of bytes that were checked.
    /// [`verify`](Table::verify) checks whether the values are right.
    ///
    /// # Errors
    /// The first part that is damaged, and a tier that is missing.
    pub fn verify_checksums(&self) -> Result<u64, TableError> {
        self.check_files(&mut *unheard())
    }

    /// As [`verify_checksums`](Table::verify_checksums). `progress` is called meanwhile, and can interrupt.
    pub(crate) fn check_files(&self, progress: &mut OnProgress<'_>) -> Result<u64, TableError> {
        match &self.0 {
            Files::One(file) => file.verify_checksums(progress).map(|()| file.file_length()),
            Files::Tiers(folder) => folder.verify_checksums(progress),
        }
    }

    /// The only file of a table without tiers.
    pub(crate) fn file(&self) -> Result<&Arc<TableFile<S>>, TableError> {
        self.0.file()
    }

    /// The folder of a table in tiers.
    pub(crate) fn folder(&self) -> Result<&Arc<TierFolder<S>>, TableError> {
        self.0.folder()
    }

    /// Checks that the table is of the game, and runs the visitor on the files in their numbering.
    pub(crate) fn with_parts<'t, G: Stored + Numbered, H, V: PartsVisitor<'t, G>>(
        &self,
        game: H,
        visitor: V,
    ) -> Result<V::Output, TableError>
    where
        H: Deref<Target = G> + Clone + Send + Sync + 't,
        S: 't,
    {
        let with_parts =
            WithParts { files: &self.0, game: game.clone(), visitor, lifetime: PhantomData };
        self.visit(&*game, with_parts)
    }

    /// Runs the visitor in the table's numbering. Fails if the game does not list this numbering.
    pub(crate) fn visit<G, T, V>(&self, game: &G, visitor: V) -> Result<T, TableError>
    where
        G: Stored + Numbered,
        V: IndexingVisitor<G, Output = Result<T, TableError>>,
    {
        let kind = self.numbering()?;
        if let Files::One(file) = &self.0 {
            file.check_is_of(game)?;
            if kind.tier().is_some() {
                return Err(TableError::OneTier);
            }
        }
        visit_kind(kind, visitor)
    }
}
