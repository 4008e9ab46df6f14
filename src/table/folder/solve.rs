//! Solving into a folder.

use std::fs;
use std::marker::PhantomData;
use std::ops::ControlFlow;
#[cfg(feature = "cluster")]
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{SolveError, TableError};
use crate::game::Tier;
use crate::numbering::SolvedTier;
use crate::numbering::discovered::Encoding;
use crate::numbering::indexing::{Discover, Indexing, Indices, KeyOf, Lookup, Tiering};
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::Progress;
use crate::solve::checkpoint::CheckpointStore;
use crate::solve::tiers::{
    Kept, Shares, TierRun, TierSize, TierStore, check_memory, check_order, wanted,
};
use crate::solve::{Cells, OnProgress, Resources, Solution, SolvedPart, TierFigures};
use crate::summary::Summary;
use crate::table::checkpoint::store::{read_states, write_states};
use crate::table::folder::manifest::{Manifest, STATES};
use crate::table::folder::whole::STATES_HAVE;
use crate::table::folder::{TierFolder, is_listed, load_keys, malformed};
use crate::table::open::TableFile;
use crate::table::{Compression, Destination, Stored, save_part};

/// Stores tiers in the files of a folder.
pub(crate) struct FolderStore<'f, G, I> {
    folder: &'f TierFolder,
    game: &'f G,
    compression: Compression,
    /// The tier whose file was found damaged last, and what is wrong with it.
    damaged: Option<(usize, TableError)>,
    indexing: PhantomData<I>,
}

impl<'f, G: Stored, I: Indexing<G>> FolderStore<'f, G, I> {
    /// The files of a folder, where later ones are compressed like this.
    pub(crate) fn of(folder: &'f TierFolder, game: &'f G, compression: Compression) -> Self {
        FolderStore { folder, game, compression, damaged: None, indexing: PhantomData }
    }

    /// Where the file of a tier is going to be written.
    fn destination_of(&self, tier: usize) -> Result<Destination, TableError> {
        let destination = Destination::of_tier(&self.folder.file(tier));
        Ok(destination.map_err(self.folder.error(tier))?.with(self.compression))
    }

    /// Where the file of a tier is going to be written.
    #[cfg(feature = "cluster")]
    pub(crate) fn destination(&self, tier: usize) -> Result<Destination, TableError> {
        self.destination_of(tier)
    }

    /// The packed values of some indices of a solved tier.
    #[cfg(feature = "cluster")]
    pub(crate) fn values(
        &self,
        tier: usize,
        indices: Range<u64>,
        progress: &mut OnProgress<'_>,
    ) -> Result<Vec<u16>, TableError> {
        let table = self.folder.table_of::<G, I>(tier, self.game)?;
        table.packed_values(indices, progress).map_err(self.folder.error(tier))
    }

    /// Says of an error that it is of the file of a tier.
    #[cfg(feature = "cluster")]
    pub(crate) fn error(&self, tier: usize) -> impl Fn(TableError) -> TableError + use<G, I> {
        self.folder.error(tier)
    }

    /// Removes the file with the discovered states of a tier whose table is written, which has them
    /// too.
    pub(crate) fn remove_states(&self, tier: usize) -> Result<(), TableError> {
        let path = self.folder.states_file(tier);
        match fs::remove_file(&path) {
            Err(source) if path.exists() => {
                Err(TableError::at(&path)(TableError::io("remove the file")(source)))
            }
            _ => Ok(()),
        }
    }

    /// Reads the keys of the discovered states of a tier.
    fn keys(&mut self, tier: usize) -> Result<Vec<KeyOf<G, I>>, TableError> {
        let Some(raw) = I::Lookup::RAW else { return Ok(Vec::new()) };
        let path = self.folder.states_file(tier);
        if let Some(keys) = read_states(&path, self.game, I::kind(tier), raw)? {
            self.folder.check_count(tier, STATES_HAVE, keys.len() as u64)?;
            return Ok(keys);
        }
        match self.damaged.take() {
            Some((damaged, error)) if damaged == tier => self.keys_of_damaged(tier).map_err(|_| {
                self.folder.error(tier)(TableError::StatesLost { source: error.without_path() })
            }),
            _ if self.folder.file(tier).exists() => {
                Err(TableError::at(&self.folder.path)(TableError::InUse))
            }
            _ => Err(TableError::at(&path)(TableError::NoStates)),
        }
    }

    /// Reads the keys of the states from the damaged file of their tier, whose damage may be among
    /// the values.
    fn keys_of_damaged(&self, tier: usize) -> Result<Vec<KeyOf<G, I>>, TableError> {
        let file = TableFile::open(self.folder.file(tier))?;
        file.check_game::<G, I>(self.game, tier)?;
        let progress: &mut OnProgress<'_> = &mut |_| ControlFlow::Continue(());
        let write: &dyn Fn(&G::State) -> String = &|state| format!("{state:?}");
        let keys = load_keys::<G, I, _>(&file, self.game, write, progress)?;
        match keys.len() as u64 == self.folder.len_of::<G, I>(tier, self.game) {
            true => Ok(keys),
            false => Err(TableError::NoStates),
        }
    }
}

impl<G: Stored, I: Indexing<G>> TierStore<G, I> for FolderStore<'_, G, I> {
    type Error = TableError;

    fn kept(&self) -> Kept {
        Kept::InFiles
    }

    fn size(&self, tier: usize) -> TierSize {
        let is_solved = self.folder.file(tier).exists();
        let len = self.folder.len_of::<G, I>(tier, self.game);
        TierSize { is_solved, ..TierSize::of::<G, I>(self.game, tier, len) }
    }

    fn find(
        &mut self,
        tier: usize,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<TierFigures>, TableError> {
        match self.folder.check_tier(tier, pool.on_progress()) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(error) if error.is_damage() => {
                pool.report(Progress::Damaged { tier }).map_err(SolveError::from)?;
                self.damaged = Some((tier, error));
                return Ok(None);
            }
            Err(error) => return Err(error),
        }
        let table = self.folder.table_of::<G, I>(tier, self.game).map_err(not_the_tier)?;
        // A run that was killed after it wrote the table has left the states.
        self.remove_states(tier)?;
        Ok(Some(self.folder.figures(tier, table)))
    }

    fn indices(&mut self, tier: usize) -> Result<Indices<G, I>, TableError> {
        let keys = self.keys(tier)?;
        Ok(I::Lookup::of_keys(keys)?)
    }

    fn load(
        &mut self,
        tier: usize,
        _: bool,
        _: &mut WorkerPool<'_>,
    ) -> Result<SolvedTier<G, I>, TableError> {
        self.folder.load::<G, I>(tier, self.game)
    }

    fn save(
        &mut self,
        tier: usize,
        part: SolvedPart<'_, G>,
        summary: &Summary,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<u64>, TableError> {
        let failed = self.folder.error(tier);
        let destination = self.destination_of(tier)?.with_threads(pool.threads());
        let saved = save_part(self.game, part, summary, destination, pool.on_progress());
        let bytes = saved.map_err(|error| match error {
            TableError::Interrupted => SolveError::Interrupted.into(),
            error => failed(error),
        })?;
        self.remove_states(tier)?;
        Ok(Some(bytes))
    }

    fn hand_over(&mut self, _: usize, _: &Arc<Cells>) {}

    fn bytes(&self) -> u64 {
        0
    }
}

/// Says of the file of a tier that is a table, but not that of the tier, that it has to be removed.
fn not_the_tier(error: TableError) -> TableError {
    match error {
        // What is right is not known where the manifest counts other states.
        TableError::At { path, source }
            if !matches!(*source, TableError::Io { .. } | TableError::OtherCount { .. }) =>
        {
            TableError::At { path, source: Box::new(TableError::NotTheTier { source }) }
        }
        error => error,
    }
}

/// Solves a game tier by tier into a folder, which is made if it is not there: see
/// [`Solver::solve_into`](crate::Solver::solve_into).
pub(crate) fn solve_into<'k, G: Stored, I: Indexing<G>>(
    game: &G,
    path: &Path,
    only: Option<&str>,
    compression: Compression,
    resources: Resources<G>,
    checkpoints: Option<&'k mut (dyn CheckpointStore + 'k)>,
    pool: &mut WorkerPool<'_>,
) -> Result<Vec<TierFigures>, TableError> {
    let tiers = I::Tiering::tiers(game);
    let only = only.map(|name| find_tier(&tiers, name)).transpose()?;
    let folder = make_folder::<G, I>(game, path, only, resources, pool)?;
    let mut store = FolderStore::<G, I>::of(&folder, game, compression);
    TierRun::new(game, resources, checkpoints).run(only, &mut store, pool)
}

/// Makes the folder of a game that is solved tier by tier, or opens the one that is there. States that
/// are to be discovered are then in files there.
pub(crate) fn make_folder<G: Stored, I: Indexing<G>>(
    game: &G,
    path: &Path,
    only: Option<usize>,
    resources: Resources<G>,
    pool: &mut WorkerPool<'_>,
) -> Result<TierFolder, TableError> {
    let tiers = I::Tiering::tiers(game);
    check_order(&tiers)?;
    let discover = |pool: &mut WorkerPool<'_>| {
        let indexing = PhantomData::<I>;
        I::Lookup::discover(DiscoverInto { game, path, tiers: &tiers, resources, pool, indexing })
    };
    let mut is_new = false;
    let folder = TierFolder::make::<G, I>(path, game, |manifest| {
        is_new = true;
        match discover(pool) {
            Some(states) => Ok(manifest.with_states(states?)),
            // What a formula numbers is refused before anything is written.
            None => check_formula::<G, I>(game, &tiers, only, resources, pool.processes())
                .map(|()| manifest),
        }
    })?;
    // Several processes leave no states, and somebody may have removed a damaged file of them.
    let lacks_states = |tier| !folder.file(tier).exists() && !folder.states_file(tier).exists();
    if !is_new
        && (0..tiers.len()).any(lacks_states)
        && let Some(states) = discover(pool)
    {
        check_states(&folder, &states?)?;
    }
    if is_listed::<G, I>() {
        folder.check_counts::<G, I>(game, &wanted(&tiers, only))?;
    }
    // Each tier is read once, as a whole.
    Ok(folder.with_threads(pool.threads()).with_cache(0))
}

/// Makes the folder of a game whose tiers have so many discovered states each, or opens the one that is
/// there. The states themselves are not written.
#[cfg(feature = "cluster")]
pub(crate) fn make_folder_with<G: Stored, I: Indexing<G>>(
    game: &G,
    path: &Path,
    states: &[u64],
) -> Result<TierFolder, TableError> {
    check_order(&I::Tiering::tiers(game))?;
    let folder =
        TierFolder::make::<G, I>(path, game, |manifest| Ok(manifest.with_states(states.to_vec())))?;
    check_states(&folder, states).map(|()| folder)
}

/// Refuses a folder whose manifest counts other states than these, tier by tier.
fn check_states(folder: &TierFolder, states: &[u64]) -> Result<(), TableError> {
    let mut tiers = states.iter().enumerate();
    tiers.try_for_each(|(tier, &found)| folder.check_count(tier, "play reaches", found))
}

/// Refuses tiers that are numbered by a formula, if any can't be solved with what is allowed.
fn check_formula<G: Stored, I: Indexing<G>>(
    game: &G,
    tiers: &[Tier],
    only: Option<usize>,
    resources: Resources<G>,
    processes: usize,
) -> Result<(), TableError> {
    let len = |tier: usize| I::Lookup::formula_len(game, tier).unwrap_or_default();
    let sizes: Vec<TierSize> =
        (0..tiers.len()).map(|tier| TierSize::of::<G, I>(game, tier, len(tier))).collect();
    let wanted = wanted(tiers, only);
    // Several processes share what one has no room for.
    let shares = Shares { own: processes, exits: processes };
    check_memory(tiers, &wanted, &sizes, game.longest(), Kept::InFiles, resources, shares)?;
    Ok(())
}

/// Writes a game that was solved tier by tier in memory to a folder: see
/// [`Solution::save`](crate::Solution::save).
pub(crate) fn save_tiers<G: Stored>(
    solution: &Solution<'_, G>,
    path: &Path,
    progress: &mut OnProgress<'_>,
) -> Result<u64, TableError> {
    let (game, tiers) = (solution.game(), solution.tiers());
    let manifest = Manifest::of(game, solution.tier_list());
    let manifest = manifest.map_err(|problem| malformed(path, problem))?;
    let parts: Vec<SolvedPart<'_, G>> = (0..tiers.len()).map(|tier| solution.part(tier)).collect();
    let listed = parts.iter().any(|part| part.states.is_some());
    let manifest = match listed {
        true => manifest.with_states(parts.iter().map(|part| part.len).collect()),
        false => manifest,
    };
    let folder = TierFolder::make_like(path, manifest, listed, Ok)?;
    let mut bytes = 0;
    for (tier, part) in parts.into_iter().enumerate() {
        let failed = folder.error(tier);
        let destination = Destination::of_tier(&folder.file(tier)).map_err(&failed)?;
        let saved = save_part(game, part, &tiers[tier].summary, destination, progress);
        bytes += saved.map_err(failed)?;
    }
    Ok(bytes)
}

/// Discovers the states of each tier into a file of their own.
struct DiscoverInto<'d, 'c, G: Stored, I> {
    game: &'d G,
    path: &'d Path,
    tiers: &'d [Tier],
    resources: Resources<G>,
    pool: &'d mut WorkerPool<'c>,
    indexing: PhantomData<I>,
}

impl<G: Stored, I: Indexing<G>> Discover<G> for DiscoverInto<'_, '_, G, I> {
    /// How many states each tier has.
    type Output<K> = Result<Vec<u64>, TableError>;

    fn run<E: Encoding<G>>(self) -> Result<Vec<u64>, TableError> {
        let DiscoverInto { game, path, tiers, resources, pool, .. } = self;
        let mut states = vec![0; tiers.len()];
        let file = |tier: usize| states_file(path, &tiers[tier].name);
        let mut explorer = resources.explorer(pool);
        let discovered =
            explorer.discover_tiers::<I::Tiering, E, TableError>(game, |tier, keys, _, pool| {
                states[tier] = keys.len() as u64;
                if let Some(raw) = E::RAW {
                    write_states(&file(tier), game, I::kind(tier), &keys, raw, pool)?;
                }
                Ok(0)
            });
        if let Err(error) = discovered {
            // No run can resume with some of the states. A file that can't be removed does no harm.
            (0..tiers.len()).for_each(|tier| drop(fs::remove_file(file(tier))));
            return Err(error);
        }
        Ok(states)
    }
}

impl TierFolder {
    /// Checks all of a tier's file that checksums show; returns false if there is none.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub(crate) fn check_tier(
        &self,
        tier: usize,
        progress: &mut OnProgress<'_>,
    ) -> Result<bool, TableError> {
        let path = self.file(tier);
        if !path.exists() {
            return Ok(false);
        }
        // Opened separately, so that a damaged file does not stay open and its cache is dropped.
        let mut check = || TableFile::open(&path)?.check_bytes(progress);
        match check().map_err(self.error(tier)) {
            Ok(()) => Ok(true),
            Err(error) if error.is_interrupted() => Err(SolveError::Interrupted.into()),
            Err(error) if error.is_damage() => Err(error),
            Err(error) => Err(not_the_tier(error)),
        }
    }

    /// The file with the discovered states of a tier, which is there until the tier is solved.
    pub(super) fn states_file(&self, tier: usize) -> PathBuf {
        states_file(&self.path, &self.manifest.tiers[tier].name)
    }
}

fn states_file(folder: &Path, tier: &str) -> PathBuf {
    folder.join(format!("{tier}{STATES}"))
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
