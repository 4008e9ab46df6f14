//! Writing what several processes have solved: the first one writes, and has the others make the blocks
//! of their windows.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::codec;
use crate::error::{SolveError, TableError};
use crate::game::Game;
use crate::numbering::SolvedTier;
use crate::numbering::discovered::ListedStates;
use crate::numbering::indexing::{Indexing, IndexingVisitor, Indices, Lookup, Tiering};
use crate::runtime::frontier::CHUNK;
use crate::runtime::peers::Windows;
use crate::runtime::pool::WorkerPool;
use crate::solve::checkpoint::CheckpointStore;
use crate::solve::tiers::{Kept, SharedValues, TierRun, TierSize, TierStore};
use crate::solve::{
    Cells, OnProgress, Resources, SolvedPart, SolvedWindow, TierFigures, find_shared_tiers,
};
use crate::summary::Summary;
use crate::table::folder::{FolderStore, find_tier, make_folder, make_folder_with};
use crate::table::helped::Others;
use crate::table::values::ReadValues;
use crate::table::write::UnnamedTable;
use crate::table::{Compression, Destination, Stored, write_window};
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
    /// The other processes, which make the blocks of their windows.
    pub(crate) others: &'w dyn Others,
}

/// What the first process does with all windows.
pub(crate) type WithAll<'w> =
    dyn FnMut(AllWindows<'_>, &mut OnProgress<'_>) -> Result<(), TableError> + 'w;

/// Brings the values and states of all windows to the first process.
pub(crate) trait Gather {
    /// Has the first process do something with all windows. Each of the others serves its own by so many
    /// threads, and returns when the first one is done.
    fn gather(
        &mut self,
        windows: &Windows,
        own: OwnWindow<'_>,
        threads: usize,
        progress: &mut OnProgress<'_>,
        with_all: &mut WithAll<'_>,
    ) -> Result<(), TableError>;
}

/// Has the first process write a solved game to these destinations, while the others help it by so many
/// threads each; returns the lengths of the files there.
pub(crate) fn write_together<G: Stored>(
    game: &G,
    solved: &SolvedWindow<'_, G>,
    destinations: Vec<Destination>,
    gather: &mut dyn Gather,
    threads: usize,
    progress: &mut OnProgress<'_>,
) -> Result<Vec<u64>, TableError> {
    let mut written = Vec::new();
    let mut destinations = destinations.into_iter();
    let own = OwnWindow { cells: solved.cells, states: solved.states };
    gather.gather(solved.windows, own, threads, progress, &mut |all, progress| {
        for destination in destinations.by_ref() {
            written.push(write_window(game, solved, all, destination, progress)?);
        }
        Ok(())
    })?;
    written.into_iter().map(UnnamedTable::name).collect()
}

/// Solves a game tier by tier together with other processes, of which the first writes the tiers into a
/// folder.
pub(crate) struct SolveTiers<'r, 'c, 't, 's, G: Game> {
    pub(crate) game: &'r G,
    pub(crate) path: &'t Path,
    pub(crate) only: Option<&'t str>,
    pub(crate) compression: Compression,
    pub(crate) resources: Resources<G>,
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
        let only = only.map(|name| find_tier(&tiers, name)).transpose()?;
        // Discovered states are not saved: the processes discover them again.
        let shared = find_shared_tiers::<G, I>(game, resources, pool)?;
        let states: Option<Vec<u64>> = shared.as_ref().map(|tiers| {
            tiers.iter().enumerate().map(|(at, of)| I::Lookup::len(of, game, at)).collect()
        });
        let folder = match (pool.is_first(), &states) {
            (false, _) => None,
            (true, None) => Some(make_folder::<G, I>(game, path, only, resources, pool)?),
            (true, Some(states)) => Some(make_folder_with::<G, I>(game, path, states)?),
        };
        let files =
            folder.as_ref().map(|folder| FolderStore::<G, I>::of(folder, game, compression));
        let len = |tier: usize| match &states {
            Some(states) => states[tier],
            None => I::Lookup::formula_len(game, tier).unwrap_or_default(),
        };
        let own: Vec<u8> = match &files {
            Some(files) => (0..tiers.len()).map(|it| u8::from(files.size(it).is_solved)).collect(),
            None => Vec::new(),
        };
        let are_solved = pool.of_first(own).map_err(SolveError::from)?;
        let size = |tier| {
            let is_solved = are_solved.get(tier) == Some(&1);
            TierSize { is_solved, ..TierSize::of::<G, I>(game, tier, len(tier)) }
        };
        let sizes = (0..tiers.len()).map(size).collect();
        let mut store = TogetherStore { game, files, sizes, shared, gather };
        TierRun::<G, I>::new(game, resources, checkpoints).run(only, &mut store, pool)
    }
}

/// Solved tiers in the files of the first process.
struct TogetherStore<'f, 't, G: Game, I: Indexing<G>> {
    game: &'f G,
    /// Of the first process.
    files: Option<FolderStore<'f, G, I>>,
    sizes: Vec<TierSize>,
    /// What finds the states of the own window of each tier, where they were discovered.
    shared: Option<Vec<Indices<G, I>>>,
    gather: &'t mut dyn Gather,
}

/// What an earlier run found out about a tier.
#[derive(Serialize, Deserialize)]
struct Found {
    name: String,
    summary: Summary,
    bytes: Option<u64>,
}

impl<G: Stored, I: Indexing<G>> TogetherStore<'_, '_, G, I> {
    /// Loads the values of the own window of a solved tier, which the first process reads and sends.
    fn load_window(
        &mut self,
        tier: usize,
        pool: &mut WorkerPool<'_>,
    ) -> Result<SolvedTier<G, I>, TableError> {
        let len = self.sizes[tier].len;
        let windows = pool.windows(len, CHUNK);
        let own = windows.own_window();
        let mut cells = Cells::wide_holes(own.end - own.start)?;
        let mut place = 0;
        for first in (0..len).step_by(AT_ONCE as usize) {
            let end = len.min(first + AT_ONCE);
            let mut packets = vec![Vec::new(); pool.processes()];
            if let Some(files) = &self.files {
                let values = files.values(tier, first..end, pool.on_progress())?;
                let mut rest = &values[..];
                for (to, packet) in packets.iter_mut().enumerate() {
                    let of_window = windows.window(to).end.clamp(first, end);
                    let (now, later) =
                        rest.split_at((of_window - (end - rest.len() as u64)) as usize);
                    packet.extend(now.iter().flat_map(|value| value.to_ne_bytes()));
                    rest = later;
                }
            }
            let packets = pool.exchange(packets).map_err(SolveError::from)?;
            let values = packets.into_iter().next().unwrap_or_default();
            let room = cells.as_bytes_mut().get_mut(place..place + values.len());
            let Some(room) = room else {
                return Err(TableError::malformed("a tier", "came with another length"));
            };
            room.copy_from_slice(&values);
            place += values.len();
        }
        if place as u64 != 2 * (own.end - own.start) {
            return Err(TableError::malformed("a tier", "came with another length"));
        }
        let values = Arc::new(SharedValues { windows, values: Arc::new(cells) });
        Ok(SolvedTier { indices: self.indices(tier)?, values })
    }
}

impl<G: Stored, I: Indexing<G>> TierStore<G, I> for TogetherStore<'_, '_, G, I> {
    type Error = TableError;

    fn kept(&self) -> Kept {
        if self.shared.is_some() { Kept::ValuesInFiles } else { Kept::InFiles }
    }

    fn shares_states(&self) -> bool {
        self.shared.is_some()
    }

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

    fn indices(&mut self, tier: usize) -> Result<Indices<G, I>, TableError> {
        match &self.shared {
            Some(shared) => Ok(shared[tier].clone()),
            None => Ok(I::Lookup::of_keys(Vec::new())?),
        }
    }

    fn load(
        &mut self,
        tier: usize,
        shared: bool,
        pool: &mut WorkerPool<'_>,
    ) -> Result<SolvedTier<G, I>, TableError> {
        if shared {
            return self.load_window(tier, pool);
        }
        let loaded = match &mut self.files {
            Some(files) => Some(files.load(tier, shared, pool)?),
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
        part: SolvedPart<'_, G>,
        summary: &Summary,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<u64>, TableError> {
        let windows = pool.windows(part.len, CHUNK);
        let SolvedPart { kind, len, values: cells, states, witnesses } = part;
        let windows = &windows;
        let solved = SolvedWindow { kind, len, windows, cells, states, summary, witnesses };
        let (game, files, threads) = (self.game, &self.files, pool.threads());
        let mut bytes = None;
        let mut write = |all: AllWindows<'_>, progress: &mut OnProgress<'_>| {
            let Some(files) = files else { return Ok(()) };
            let destination = files.destination(tier)?.with_threads(threads);
            let saved = write_window(game, &solved, all, destination, progress)
                .and_then(UnnamedTable::name);
            bytes = Some(saved.map_err(files.error(tier))?);
            files.remove_states(tier)
        };
        self.gather.gather(
            windows,
            OwnWindow { cells, states },
            threads,
            pool.on_progress(),
            &mut write,
        )?;
        Ok(bytes)
    }

    fn hand_over(&mut self, _: usize, _: &Arc<Cells>) {}

    fn bytes(&self) -> u64 {
        self.shared.iter().flatten().map(I::Lookup::bytes).sum()
    }
}
