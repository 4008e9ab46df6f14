//! Solving into a folder.

use std::fs;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::FolderError;
use crate::error::SolveError;
use crate::error::TableError;
use crate::game::{Packed, Tier, TierIndexed, Tiered};
use crate::numbering::{ByIndex, InTier, Keeping, Sorted, TierValues, Word};
use crate::runtime::pool::WorkerPool;
use crate::solve::checkpoint::CheckpointStore;
use crate::solve::tiers::TierFigures;
use crate::solve::tiers::{SolvedTier, TierKeeper, TierRun, check_order};
use crate::solve::{Resources, Solution, Solver};
use crate::table::checkpoint::{read_states, write_states};
use crate::table::folder::manifest::STATES;
use crate::table::folder::{Numbered, TierFolder, TierWay};
use crate::table::{ByFormula, BySearch, Compression, Destination, Stored, StoredNumbering};

/// What the numbers of a tier that is to be solved come from.
trait Unsolved<G: Stored + Tiered>: TierWay<G> {
    fn unsolved(folder: &TierFolder, game: &G, tier: usize) -> Result<Self::Numbers, FolderError>;

    /// Called when the table of a tier is there.
    fn solved(folder: &TierFolder, tier: usize) -> Result<(), FolderError>;
}

impl<G: Stored + TierIndexed> Unsolved<G> for ByFormula {
    fn unsolved(_: &TierFolder, _: &G, tier: usize) -> Result<ByIndex, FolderError> {
        Ok(ByIndex { tier })
    }

    fn solved(_: &TierFolder, _: usize) -> Result<(), FolderError> {
        Ok(())
    }
}

impl<G: Stored + Tiered, K: Keeping<G, Key = K> + Word> Unsolved<G> for BySearch<K> {
    fn unsolved(
        folder: &TierFolder,
        game: &G,
        tier: usize,
    ) -> Result<Arc<Sorted<G, K>>, FolderError> {
        let path = folder.states_file(tier);
        match read_states::<G, K>(&path, game, tier as u32)? {
            Some(keys) => Ok(Arc::new(Sorted::of(keys)?)),
            None if folder.file(tier).exists() => {
                Err(FolderError::InUse { path: folder.path.clone() })
            }
            None => Err(FolderError::NoStates { path }),
        }
    }

    fn solved(folder: &TierFolder, tier: usize) -> Result<(), FolderError> {
        // The table has them now.
        let path = folder.states_file(tier);
        match fs::remove_file(&path) {
            Err(source) if path.exists() => {
                Err(FolderError::Io { path, action: "remove the file", source })
            }
            _ => Ok(()),
        }
    }
}

/// Keeps tiers in the files of a folder.
struct InFolder<'f, 'g, G, W> {
    folder: &'f TierFolder,
    game: &'g G,
    compression: Compression,
    way: PhantomData<W>,
}

impl<'g, G, W> TierKeeper<'g, G, W::Numbers> for InFolder<'_, 'g, G, W>
where
    G: Stored + Tiered,
    W: Unsolved<G>,
    InTier<'g, G, W::Numbers>: StoredNumbering<Game = G>,
{
    type Error = FolderError;

    fn find(&mut self, tier: usize) -> Result<Option<TierFigures>, FolderError> {
        if !self.folder.file(tier).exists() {
            return Ok(None);
        }
        let table = self.folder.table_of::<G, W>(tier, self.game)?;
        // A run that was stopped right after it was written.
        W::solved(self.folder, tier)?;
        Ok(Some(self.folder.figures(tier, table)))
    }

    fn numbers(&mut self, tier: usize) -> Result<W::Numbers, FolderError> {
        W::unsolved(self.folder, self.game, tier)
    }

    fn load(&mut self, tier: usize) -> Result<SolvedTier<W::Numbers>, FolderError> {
        self.folder.load::<G, W>(tier, self.game)
    }

    fn keep(
        &mut self,
        tier: usize,
        solution: &Solution<InTier<'g, G, W::Numbers>>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<u64>, FolderError> {
        let failed = self.folder.error(tier);
        let destination = Destination::create(self.folder.file(tier)).map_err(&failed)?;
        let destination = destination.with(self.compression).with_threads(pool.threads());
        let bytes =
            solution.save_to(destination, pool.on_progress()).map_err(|error| match error {
                TableError::Interrupted => SolveError::Interrupted.into(),
                error => failed(error),
            })?;
        W::solved(self.folder, tier)?;
        Ok(Some(bytes))
    }

    fn hand_over(&mut self, _: usize, _: &Arc<dyn TierValues>) {}

    fn holds(&self) -> u64 {
        0
    }
}

impl<'g, G: Stored + TierIndexed> Solver<'g, '_, G> {
    /// Solves a game tier by tier into a folder, which is made if it is not there. What is there of
    /// the same game already is used, so that a run that was interrupted goes on where it was. With
    /// `only`, the name of a tier, that tier is solved and those that it needs.
    ///
    /// In memory are the tier at work, as in [`tiered`](Solver::tiered), and the tiers that its moves
    /// lead to, at 1 or 2 bytes a state; where there is room, so are others that later ones need.
    ///
    /// # Errors
    /// As [`tiered`](Solver::tiered), and when the folder is that of something else, another run writes
    /// into it, a table in it is damaged, or it can't be written to.
    pub fn tiered_into(
        self,
        folder: impl AsRef<Path>,
        only: Option<&str>,
    ) -> Result<Vec<TierFigures>, FolderError> {
        self.tiered_into_with(folder, only, Compression::default())
    }

    /// The same; new tables are compressed so.
    ///
    /// # Errors
    /// As [`tiered_into`](Solver::tiered_into).
    pub fn tiered_into_with(
        self,
        folder: impl AsRef<Path>,
        only: Option<&str>,
        compression: Compression,
    ) -> Result<Vec<TierFigures>, FolderError> {
        self.with_pool(|game, resources, store, pool| {
            let only = only.map(|name| find_tier(&game.tiers(), name)).transpose()?;
            let folder = TierFolder::make(folder.as_ref(), game, Numbered::ByGame, Ok)?;
            let folder = folder.with_threads(pool.threads());
            let tables: InFolder<'_, '_, G, ByFormula> =
                InFolder { folder: &folder, game, compression, way: PhantomData };
            run(tables, only, resources, store, pool)
        })
    }
}

impl<'g, G: Stored + Tiered + Packed> Solver<'g, '_, G> {
    /// Discovers the states of a game, and solves it tier by tier into a folder: what
    /// [`tiered_into`](Solver::tiered_into) is to games that number their tiers. `K` is `u64` or
    /// `u128`.
    ///
    /// Tiers are discovered from the last in the solving order to the first, and their states kept in
    /// files until they are solved. In memory are first the tier that is searched and what is found
    /// meanwhile of others; then the tier at work, as in [`packed`](Solver::packed), and the tiers
    /// that its moves lead to, each with its states. A run that was interrupted goes on with the
    /// first tier that is not solved; one that had not discovered all begins anew, and leaves no files
    /// unless it was killed.
    ///
    /// # Errors
    /// As [`tiered_packed`](Solver::tiered_packed) and [`tiered_into`](Solver::tiered_into).
    pub fn tiered_packed_into<K: Keeping<G, Key = K> + Word>(
        self,
        folder: impl AsRef<Path>,
        only: Option<&str>,
        compression: Compression,
    ) -> Result<Vec<TierFigures>, FolderError> {
        self.with_pool(|game, resources, store, pool| {
            let tiers = game.tiers();
            let only = only.map(|name| find_tier(&tiers, name)).transpose()?;
            check_order(&tiers)?;
            let path = folder.as_ref();
            let folder = TierFolder::make(path, game, Numbered::ByStates, |manifest| {
                let mut states = vec![0; tiers.len()];
                let mut explorer = resources.explorer(pool);
                let file = |tier: usize| states_file(path, &tiers[tier].name);
                let discovered =
                    explorer.discover_tiers::<G, K, FolderError>(game, |tier, keys, pool| {
                        states[tier] = keys.len() as u64;
                        write_states(&file(tier), game, tier as u32, &keys, pool)?;
                        Ok(0)
                    });
                if let Err(error) = discovered {
                    // Nobody goes on with some of the states. One that can't be removed is in nobody's
                    // way either.
                    (0..tiers.len()).for_each(|tier| drop(fs::remove_file(file(tier))));
                    return Err(error);
                }
                Ok(manifest.with_states(states))
            })?;
            let folder = folder.with_threads(pool.threads());
            let tables: InFolder<'_, '_, G, BySearch<K>> =
                InFolder { folder: &folder, game, compression, way: PhantomData };
            run(tables, only, resources, store, pool)
        })
    }
}

/// Solves the tiers of a folder.
fn run<'g, 'k, G, W>(
    mut tables: InFolder<'_, 'g, G, W>,
    only: Option<usize>,
    resources: Resources,
    checkpoints: Option<&'k mut (dyn CheckpointStore + 'k)>,
    pool: &mut WorkerPool<'_>,
) -> Result<Vec<TierFigures>, FolderError>
where
    G: Stored + Tiered,
    W: Unsolved<G>,
    InTier<'g, G, W::Numbers>: StoredNumbering<Game = G>,
{
    TierRun::new(tables.game, resources, checkpoints).run(only, &mut tables, pool)
}

impl TierFolder {
    /// Where the states of a tier are until it is solved.
    fn states_file(&self, tier: usize) -> PathBuf {
        states_file(&self.path, &self.manifest.tiers[tier].name)
    }
}

fn states_file(folder: &Path, tier: &str) -> PathBuf {
    folder.join(format!("{tier}{STATES}"))
}

/// The place of the tier of this name.
fn find_tier(tiers: &[Tier], name: &str) -> Result<usize, FolderError> {
    const SHOWN: usize = 20;
    tiers.iter().position(|tier| tier.name == name).ok_or_else(|| {
        let names: Vec<&str> = tiers.iter().take(SHOWN).map(|tier| tier.name.as_str()).collect();
        let more = tiers.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let known = format!("one of {}{more}", names.join(", "));
        FolderError::NoSuchTier { name: name.into(), known }
    })
}
