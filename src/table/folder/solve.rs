//! Solving into a folder.

use std::fs;
use std::marker::PhantomData;
use std::path::Path;

use crate::error::{SolveError, TableError};
use crate::explore::Saving;
use crate::game::Tier;
use crate::laws::check_order;
use crate::numbering::StateForm;
use crate::numbering::discovered::Encoding;
use crate::numbering::indexing::{Discover, Indexing, Lookup, Tiering};
use crate::runtime::peers::SEVERAL;
use crate::runtime::pool::WorkerPool;
use crate::solve::checkpoint::{CheckpointStore, Checkpointing};
use crate::solve::plan::{Scratching, width_of};
use crate::solve::tiers::{Kept, Shares, TierRun, TierSize, check_memory, wanted};
use crate::solve::{
    OnProgress, RecordedMoves, Resources, Solution, SolvedPart, TierFigures, find_states,
};
use crate::table::checkpoint::store::{count_states, write_states};
use crate::table::folder::manifest::Manifest;
use crate::table::folder::store::{FolderStore, not_the_tier};
use crate::table::folder::whole::states_file;
use crate::table::folder::{TierFolder, find_tier, is_listed, malformed};
use crate::table::open::TableFile;
use crate::table::solved::write_alone;
use crate::table::write::{TableWriter, UnnamedTable};
use crate::table::{Compression, Stored};

/// Solves a game tier by tier into a folder, and creates a missing folder: see
/// [`Solver::solve_into`](crate::Solver::solve_into). Only the first of several processes has the
/// folder.
pub(crate) fn solve_into<'k, G: Stored, I: Indexing<G>>(
    game: &G,
    path: &Path,
    only: Option<&str>,
    compression: Compression,
    resources: Resources<G>,
    mut checkpoints: Option<&'k mut (dyn CheckpointStore + 'k)>,
    pool: &mut WorkerPool<'_>,
) -> Result<Vec<TierFigures>, TableError> {
    let tiers = I::Tiering::tiers(game);
    let only = only.map(|name| find_tier(&tiers, name)).transpose()?;
    // Several processes share discovered states. The states are not saved: the processes discover
    // them again.
    let (shared, mut moves) = match I::Lookup::FORM {
        StateForm::Formula => (None, Vec::new()),
        _ if SEVERAL && pool.has_peers() => {
            let found = find_states::<G, I>(game, resources, &mut None, pool)?;
            (Some(found.indices), found.moves)
        }
        _ => (None, Vec::new()),
    };
    let folder = match (pool.is_first(), &shared) {
        (false, _) => None,
        (true, None) => {
            let store = checkpoints.as_mut().map(|store| &mut **store as &mut dyn CheckpointStore);
            // A search that finds the states of all tiers counts as one more tier, so that its checkpoint
            // is no other's.
            let store = Checkpointing::new(store, I::kind(tiers.len()));
            let folder = make_folder::<G, I>(game, path, only, resources, store, &mut moves, pool)?;
            folder.take_over::<G, I>(game, compression, pool.on_progress())?;
            Some(folder)
        }
        (true, Some(shared)) => {
            let shared = shared.iter().enumerate();
            let states: Vec<u64> = shared.map(|(at, of)| I::Lookup::len(of, game, at)).collect();
            Some(make_folder_with::<G, I>(game, path, &states)?)
        }
    };
    let mut store = FolderStore::<G, I>::new(game, folder.as_ref(), shared, compression, pool)?;
    TierRun::new(game, resources, checkpoints).with_moves(moves).run(only, &mut store, pool)
}

/// Creates the folder of a game that is solved tier by tier, or opens the existing one. The
/// discovered states are then in files of the folder, and their moves in `moves` if they were
/// recorded.
fn make_folder<G: Stored, I: Indexing<G>>(
    game: &G,
    path: &Path,
    only: Option<usize>,
    resources: Resources<G>,
    mut checkpoints: Checkpointing<'_>,
    moves: &mut Vec<Option<RecordedMoves>>,
    pool: &mut WorkerPool<'_>,
) -> Result<TierFolder, TableError> {
    let tiers = I::Tiering::tiers(game);
    check_order(&tiers)?;
    let mut discover = |pool: &mut WorkerPool<'_>| {
        let (indexing, tiers, moves) = (PhantomData::<I>, &tiers[..], &mut *moves);
        let checkpoints = &mut checkpoints;
        I::Lookup::discover(DiscoverInto {
            game,
            path,
            tiers,
            resources,
            checkpoints,
            moves,
            pool,
            indexing,
        })
    };
    let (mut is_new, mut is_discovered) = (false, false);
    let folder = TierFolder::make::<G, I>(path, game, &mut |manifest: Manifest| {
        is_new = true;
        match discover(pool) {
            Some(states) => {
                is_discovered = true;
                Ok(manifest.with_states(states?))
            }
            // Tiers that a formula numbers are refused before anything is written.
            None => check_formula::<G, I>(game, &tiers, only, resources, pool.processes())
                .map(|()| manifest),
        }
    })?;
    // Several processes leave no files of states, and a damaged one may have been removed.
    let lacks_states = |tier| !folder.file(tier).exists() && !folder.states_file(tier).exists();
    if !is_new
        && (0..tiers.len()).any(lacks_states)
        && let Some(states) = discover(pool)
    {
        is_discovered = true;
        check_states(&folder, &states?)?;
    }
    if is_discovered {
        checkpoints.remove(pool)?;
    }
    if is_listed::<G, I>() {
        folder.check_counts::<G, I>(game, &wanted(&tiers, only))?;
    }
    // Each tier is read once, as a whole.
    folder.limits().set_threads(pool.threads());
    folder.set_cache_size(0);
    Ok(folder)
}

/// Creates the folder of a game with these numbers of discovered states in its tiers, or opens the
/// existing one. The states themselves are not written.
fn make_folder_with<G: Stored, I: Indexing<G>>(
    game: &G,
    path: &Path,
    states: &[u64],
) -> Result<TierFolder, TableError> {
    check_order(&I::Tiering::tiers(game))?;
    let folder = TierFolder::make::<G, I>(path, game, &mut |manifest: Manifest| {
        Ok(manifest.with_states(states.to_vec()))
    })?;
    check_states(&folder, states).map(|()| folder)
}

/// Refuses a folder whose manifest counts other numbers of states in its tiers.
fn check_states(folder: &TierFolder, states: &[u64]) -> Result<(), TableError> {
    let mut tiers = states.iter().enumerate();
    tiers.try_for_each(|(tier, &found)| folder.check_count(tier, "play reaches", found))
}

/// Refuses tiers that are numbered by a formula if one of them can't be solved with these
/// resources.
fn check_formula<G: Stored, I: Indexing<G>>(
    game: &G,
    tiers: &[Tier],
    only: Option<usize>,
    resources: Resources<G>,
    processes: usize,
) -> Result<(), TableError> {
    let len = |tier: usize| I::Lookup::formula_len(game, tier).unwrap_or_default();
    let sizes: Vec<TierSize> =
        (0..tiers.len()).map(|tier| TierSize::new::<G, I>(game, tier, len(tier), true)).collect();
    let wanted = wanted(tiers, only);
    // Several processes share the memory that one would need.
    let shares = Shares { own: processes, exits: processes };
    let scratch = Scratching::of(shares.own > 1, resources.limits.scratch);
    let (width, kept) = (width_of(game), (Kept::InFiles, scratch));
    check_memory(tiers, &wanted, &sizes, width, kept, resources.limits, shares)?;
    Ok(())
}

/// Writes a game that was solved tier by tier in memory to a folder: see
/// [`Solution::save`](crate::Solution::save).
pub(crate) fn save_tiers<G: Stored>(
    solution: &Solution<'_, G>,
    path: &Path,
    compression: Compression,
    progress: &mut OnProgress<'_>,
) -> Result<u64, TableError> {
    let game = solution.game();
    let manifest = Manifest::new(game, solution.tier_list());
    let manifest = manifest.map_err(|problem| malformed(path, problem))?;
    let parts: Vec<SolvedPart<'_, G>> =
        (0..solution.tiers().len()).map(|tier| solution.part(tier)).collect();
    let listed = parts.iter().any(|part| part.states.is_some());
    let manifest = match listed {
        true => manifest.with_states(parts.iter().map(|part| part.len).collect()),
        false => manifest,
    };
    let folder = TierFolder::make_like(path, manifest, G::HOW_FAR, listed, &mut Ok)?;
    let mut bytes = 0;
    for (tier, part) in parts.into_iter().enumerate() {
        let failed = folder.error(tier);
        let writer = TableWriter::of_tier(&folder.file(tier), compression).map_err(&failed)?;
        let written = write_alone(game, part, writer, progress);
        bytes += written.and_then(UnnamedTable::name).map_err(failed)?;
    }
    Ok(bytes)
}

/// Discovers the states of each tier, and writes a file for each.
struct DiscoverInto<'d, 'c, 'k, G: Stored, I> {
    game: &'d G,
    path: &'d Path,
    tiers: &'d [Tier],
    resources: Resources<G>,
    checkpoints: &'d mut Checkpointing<'k>,
    /// The recorded moves of each tier.
    moves: &'d mut Vec<Option<RecordedMoves>>,
    pool: &'d mut WorkerPool<'c>,
    indexing: PhantomData<I>,
}

impl<G: Stored, I: Indexing<G>> Discover<G> for DiscoverInto<'_, '_, '_, G, I> {
    /// The number of states of each tier.
    type Output<K> = Result<Vec<u64>, TableError>;

    fn run<E: Encoding<G>>(self) -> Result<Vec<u64>, TableError> {
        let DiscoverInto { game, path, tiers, resources, checkpoints, moves, pool, .. } = self;
        let mut states = vec![0; tiers.len()];
        let file = |tier: usize| states_file(path, &tiers[tier].name);
        let files = resources.explorer(pool).make_key_files();
        let saved = match checkpoints.load_states(pool)? {
            Some(saved) => {
                let (raw, tiers, files) = (E::RAW, tiers.len(), files.as_ref());
                Some(saved.search::<E::Key, E::Ordered>(raw.as_ref(), tiers, files, None, pool)?)
            }
            None => None,
        };
        // Without the states of the tiers that are complete, the search begins anew.
        let mut saved = saved.filter(|search| {
            let mut complete = 0_u64;
            for (tier, states) in states.iter_mut().enumerate().skip(search.tier + 1) {
                let found = count_states(&file(tier), game, I::kind(tier));
                let Ok(Some(found)) = found else { return false };
                *states = found;
                complete = complete.saturating_add(found);
            }
            complete == search.before[0]
        });
        if let Some(search) = &mut saved {
            search.report(pool)?;
        }
        let saving = checkpoints.are_kept().then(|| Saving { store: &mut *checkpoints, saved });
        let mut explorer = resources.explorer(pool);
        let discovered = explorer.discover_tiers::<I::Tiering, E, TableError>(
            game,
            saving,
            &mut |tier, found, pool| {
                states[tier] = found.keys.len();
                write_states(&file(tier), game, I::kind(tier), &found.keys, E::RAW, pool)?;
                Ok(0)
            },
        );
        match discovered {
            Ok(recorded) => *moves = recorded,
            Err(error) => {
                // Only a search that was saved goes on with the states of some tiers. A file that
                // can't be removed is harmless.
                if !checkpoints.has_saved() {
                    (0..tiers.len()).for_each(|tier| drop(fs::remove_file(file(tier))));
                }
                return Err(error);
            }
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
        let mut check = || TableFile::open(self.files, &path)?.verify_checksums(progress);
        match check().map_err(self.error(tier)) {
            Ok(()) => Ok(true),
            Err(error) if error.is_interrupted() => Err(SolveError::Interrupted.into()),
            Err(error) if error.is_damage() => Err(error),
            Err(error) => Err(not_the_tier(error)),
        }
    }
}
