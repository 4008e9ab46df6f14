//! Writing what several processes have solved: the first one writes, and reads the values and states of
//! the others' windows.

use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::codec;
use crate::error::{SolveError, TableError};
use crate::numbering::SolvedTier;
use crate::numbering::discovered::ListedStates;
use crate::numbering::indexing::{Indexing, IndexingVisitor, Indices, Lookup, Tiering};
use crate::runtime::frontier::CHUNK;
use crate::runtime::peers::Windows;
use crate::runtime::pool::WorkerPool;
use crate::solve::checkpoint::CheckpointStore;
use crate::solve::tiers::{Kept, TierRun, TierSize, TierStore};
use crate::solve::{Cells, OnProgress, Resources, SolvedPart, SolvedWindow, TierFigures};
use crate::summary::Summary;
use crate::table::folder::{FolderStore, find_tier, make_folder};
use crate::table::values::ReadValues;
use crate::table::{Compression, Destination, Stored, save_window};
use crate::value::HOLE;

/// How many values of a solved tier travel at once.
const AT_ONCE: u64 = 1 << 20;

/// The values of a window, and its states, where no formula computes them.
#[derive(Clone, Copy)]
pub(crate) struct OwnWindow<'w> {
    pub(crate) cells: &'w Cells,
    pub(crate) states: Option<&'w dyn ListedStates>,
}

/// The values and states of all windows, as the first process reads them.
#[derive(Clone, Copy)]
pub(crate) struct AllWindows<'w> {
    pub(crate) read: &'w ReadValues<'w>,
    /// The states, where no formula computes them.
    pub(crate) states: Option<&'w dyn ListedStates>,
    /// Whether all could be read.
    pub(crate) check: &'w dyn Fn() -> Result<(), TableError>,
}

/// What the first process does with all windows.
pub(crate) type WithAll<'w> =
    dyn FnMut(AllWindows<'_>, &mut OnProgress<'_>) -> Result<(), TableError> + 'w;

/// Brings the values and states of all windows to the first process.
pub(crate) trait Gather {
    /// Has the first process do something with all windows. Each of the others serves its own, and
    /// returns when the first one is done.
    fn gather(
        &mut self,
        windows: &Windows,
        own: OwnWindow<'_>,
        progress: &mut OnProgress<'_>,
        with_all: &mut WithAll<'_>,
    ) -> Result<(), TableError>;
}

/// Has the first process write a solved game to these destinations; returns the lengths of the files
/// there.
pub(crate) fn write_together<G: Stored>(
    game: &G,
    solved: &SolvedWindow<'_>,
    destinations: Vec<Destination>,
    gather: &mut dyn Gather,
    progress: &mut OnProgress<'_>,
) -> Result<Vec<u64>, TableError> {
    let mut written = Vec::new();
    let mut destinations = destinations.into_iter();
    let own = OwnWindow { cells: solved.cells, states: solved.states };
    gather.gather(solved.windows, own, progress, &mut |all, progress| {
        for destination in destinations.by_ref() {
            written.push(save_window(game, solved, all, destination, progress)?);
        }
        Ok(())
    })?;
    Ok(written)
}

/// Solves a game tier by tier together with other processes, of which the first writes the tiers into a
/// folder.
pub(crate) struct SolveTiers<'r, 'c, 't, 's, G> {
    pub(crate) game: &'r G,
    pub(crate) path: &'t Path,
    pub(crate) only: Option<&'t str>,
    pub(crate) compression: Compression,
    pub(crate) resources: Resources,
    /// Where checkpoints within a tier are saved.
    pub(crate) checkpoints: Option<&'s mut (dyn CheckpointStore + 's)>,
    pub(crate) gather: &'t mut dyn Gather,
    pub(crate) pool: &'t mut WorkerPool<'c>,
}

impl<G: Stored> IndexingVisitor<G> for SolveTiers<'_, '_, '_, '_, G> {
    type Output = Result<Vec<TierFigures>, TableError>;

    fn visit<I: Indexing<G>>(self) -> Self::Output {
        let SolveTiers { game, path, only, compression, resources, checkpoints, gather, pool } =
            self;
        let tiers = I::Tiering::tiers(game);
        if I::Lookup::bytes_of_states(1) > 0 {
            let problem = "the states of the tiers are discovered: choose a numbering by a formula, or \
                           one without tiers";
            return Err(SolveError::NotTogether { problem: problem.into() }.into());
        }
        let only = only.map(|name| find_tier(&tiers, name)).transpose()?;
        let folder = match pool.is_first() {
            true => Some(make_folder::<G, I>(game, path, only, resources, pool)?),
            false => None,
        };
        let files =
            folder.as_ref().map(|folder| FolderStore::<G, I>::of(folder, game, compression));
        let len = |tier: usize| I::Lookup::formula_len(game, tier).unwrap_or_default();
        let own: Vec<u8> = match &files {
            Some(files) => (0..tiers.len()).map(|it| u8::from(files.size(it).is_solved)).collect(),
            None => Vec::new(),
        };
        let are_solved = pool.of_first(own).map_err(SolveError::from)?;
        let size = |tier| {
            let is_solved = are_solved.get(tier) == Some(&1);
            TierSize { is_solved, ..TierSize::of::<G, I>(len(tier)) }
        };
        let sizes = (0..tiers.len()).map(size).collect();
        let indexing = PhantomData;
        let mut store = TogetherStore { game, files, sizes, gather, indexing };
        TierRun::<G, I>::new(game, resources, checkpoints).run(only, &mut store, pool)
    }
}

/// Solved tiers in the files of the first process.
struct TogetherStore<'f, 't, G, I> {
    game: &'f G,
    /// Of the first process.
    files: Option<FolderStore<'f, G, I>>,
    sizes: Vec<TierSize>,
    gather: &'t mut dyn Gather,
    indexing: PhantomData<I>,
}

/// What an earlier run found out about a tier.
#[derive(Serialize, Deserialize)]
struct Found {
    name: String,
    summary: Summary,
    bytes: Option<u64>,
}

impl<G: Stored, I: Indexing<G>> TierStore<G, I> for TogetherStore<'_, '_, G, I> {
    type Error = TableError;
    const KEPT: Kept = Kept::InFiles;

    fn size(&self, tier: usize) -> TierSize {
        self.sizes[tier]
    }

    fn find(
        &mut self,
        tier: usize,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<TierFigures>, TableError> {
        let malformed = |problem| TableError::malformed("the figures of a tier", problem);
        let found = match &mut self.files {
            Some(files) => files.find(tier, pool)?,
            None => None,
        };
        let found =
            found.map(|TierFigures { name, summary, bytes, .. }| Found { name, summary, bytes });
        let own = codec::encode(&found).map_err(malformed)?;
        let of_first = pool.of_first(own).map_err(SolveError::from)?;
        let found: Option<Found> = codec::decode(&of_first).map_err(malformed)?;
        Ok(found.map(|Found { name, summary, bytes }| TierFigures {
            name,
            summary,
            bytes,
            found: true,
        }))
    }

    fn indices(&mut self, _: usize) -> Result<Indices<G, I>, TableError> {
        Ok(I::Lookup::of_keys(Vec::new())?)
    }

    fn load(
        &mut self,
        tier: usize,
        pool: &mut WorkerPool<'_>,
    ) -> Result<SolvedTier<G, I>, TableError> {
        let loaded = match &mut self.files {
            Some(files) => Some(files.load(tier, pool)?),
            None => None,
        };
        let len = self.sizes[tier].len;
        let mut cells = match loaded {
            Some(_) => None,
            None => Some(Cells::wide_holes(len)?),
        };
        for first in (0..len).step_by(AT_ONCE as usize) {
            let end = len.min(first + AT_ONCE);
            let own = loaded.iter().flat_map(|loaded| {
                let value = |index| loaded.values.value(index);
                (first..end).map(move |index| value(index).map_or(HOLE, |value| value.pack()))
            });
            let own = own.flat_map(u16::to_ne_bytes).collect();
            let values = pool.of_first(own).map_err(SolveError::from)?;
            if let Some(cells) = &mut cells {
                let place = &mut cells.as_bytes_mut()[2 * first as usize..2 * end as usize];
                if place.len() != values.len() {
                    return Err(TableError::malformed("a tier", "came with another length"));
                }
                place.copy_from_slice(&values);
            }
        }
        match (loaded, cells) {
            (Some(loaded), _) => Ok(loaded),
            (None, cells) => {
                let indices = self.indices(tier)?;
                let cells = cells.map_or_else(|| Cells::wide_holes(0), Ok)?;
                Ok(SolvedTier { indices, values: Arc::new(cells) })
            }
        }
    }

    fn save(
        &mut self,
        tier: usize,
        part: SolvedPart<'_>,
        summary: &Summary,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<u64>, TableError> {
        let windows = pool.windows(part.len, CHUNK);
        let SolvedPart { kind, len, values: cells, states } = part;
        let solved = SolvedWindow { kind, len, windows: &windows, cells, states, summary };
        let (game, files, threads) = (self.game, &self.files, pool.threads());
        let mut bytes = None;
        let mut write = |all: AllWindows<'_>, progress: &mut OnProgress<'_>| {
            let Some(files) = files else { return Ok(()) };
            let destination = files.destination(tier)?.with_threads(threads);
            let saved = save_window(game, &solved, all, destination, progress);
            bytes = Some(saved.map_err(files.error(tier))?);
            Ok(())
        };
        self.gather.gather(
            &windows,
            OwnWindow { cells, states },
            pool.on_progress(),
            &mut write,
        )?;
        Ok(bytes)
    }

    fn hand_over(&mut self, _: usize, _: &Arc<Cells>) {}

    fn bytes(&self) -> u64 {
        0
    }
}
