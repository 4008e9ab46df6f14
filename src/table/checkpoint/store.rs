//! Saving and loading the checkpoints of a solve, and the discovered states of tiers in the same
//! form.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{CheckpointError, SolveError};
use crate::numbering::NumberingKind;
use crate::numbering::discovered::{FoundKeys, KeyFiles, RawKeys};
use crate::runtime::pool::WorkerPool;
use crate::runtime::saved_array::SavedArray;
use crate::solve::checkpoint::CheckpointStore;
use crate::solve::checkpoint::saved::SavedLevels;
use crate::solve::checkpoint::snapshot::{
    Arrays as _, SavedSnapshot, SavedStates, Snapshot, SnapshotKind, with_arrays,
};
use crate::table::Stored;
use crate::table::checkpoint::file::{self, remove};
use crate::table::checkpoint::head::{CheckpointBody, CheckpointHead, GameId, SavedProgress, read};
use crate::table::checkpoint::parts::Loaded;
use crate::table::checkpoint::{APART, Checkpoints, PACE, SHARE};

impl CheckpointStore for Checkpoints {
    fn is_due(&self, bytes: u64) -> bool {
        let apart = self.interval.unwrap_or_else(|| {
            let takes = self.took.unwrap_or_else(|| Duration::from_secs_f64(bytes as f64 / PACE));
            APART.max(takes * (SHARE - 1))
        });
        self.last.elapsed() >= apart
    }

    fn save(
        &mut self,
        numbering: NumberingKind,
        snapshot: &Snapshot,
        arrays: &[SavedArray<'_>],
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError> {
        let begin = Instant::now();
        let kind = snapshot.kind();
        if pool.has_peers() {
            self.save_part(numbering, snapshot, arrays, pool)?;
        } else {
            let path = self.path(numbering, kind);
            let head = CheckpointHead {
                game: self.game_id(),
                numbering,
                body: CheckpointBody::Whole(snapshot),
            };
            file::write(&path, &head, arrays, pool)?;
            self.remove_parts(numbering, kind, &[])?;
        }
        self.progress = Some(SavedProgress::from_snapshot(snapshot));
        self.last = Instant::now();
        self.took = Some(begin.elapsed());
        Ok(())
    }

    fn load_states(
        &mut self,
        numbering: NumberingKind,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<SavedStates>, SolveError> {
        let saved = self.load(numbering, SnapshotKind::States, None, pool)?;
        let used = saved.as_ref().filter(|saved| !saved.parts.is_empty());
        let progress = used.map(|saved| SavedProgress::from_snapshot(&saved.figures));
        self.progress = progress.or(self.progress);
        let states = |Loaded { path, figures, parts }| SavedStates { path, figures, parts };
        Ok(saved.map(states))
    }

    fn load_levels(
        &mut self,
        numbering: NumberingKind,
        window: Range<u64>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<SavedLevels>, SolveError> {
        let saved = self.load(numbering, SnapshotKind::Levels, Some(&window), pool)?;
        let progress = saved.as_ref().map(|saved| SavedProgress::from_snapshot(&saved.figures));
        self.progress = progress.or(self.progress);
        let levels =
            |Loaded { path, figures, parts }| SavedLevels::new(path, figures, window, parts);
        saved.map(levels).transpose()
    }

    fn remove(
        &mut self,
        numbering: NumberingKind,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError> {
        // Once all processes are at this point, none reads the checkpoint any more.
        pool.sum(&mut [])?;
        const KINDS: [SnapshotKind; 2] = [SnapshotKind::Levels, SnapshotKind::States];
        if pool.is_first() {
            KINDS.into_iter().try_for_each(|kind| remove(&self.path(numbering, kind)))?;
        }
        // The lists of parts are removed before the parts.
        pool.sum(&mut [])?;
        self.progress = None;
        Ok(KINDS.into_iter().try_for_each(|kind| self.remove_parts(numbering, kind, &[]))?)
    }
}

/// Opens the checkpoint at this path, if there is one. Checks that it is of this game, numbering
/// and kind, and not in parts.
fn read_whole(
    path: &Path,
    expected: &GameId,
    numbering: NumberingKind,
    kind: SnapshotKind,
) -> Result<Option<SavedSnapshot>, CheckpointError> {
    match read(path, expected, numbering)? {
        None => Ok(None),
        Some((CheckpointBody::Whole(snapshot), reader)) if snapshot.kind() == kind => {
            Ok(Some(SavedSnapshot { snapshot, arrays: Box::new(reader) }))
        }
        Some((_, reader)) => {
            Err(reader.malformed("is of something else than its name says".into()))
        }
    }
}

/// Saves the states of a tier in a file, in the form of a checkpoint.
pub(crate) fn write_states<G: Stored, K: Serialize + Sync>(
    path: &Path,
    game: &G,
    numbering: NumberingKind,
    keys: &FoundKeys<K>,
    raw: Option<RawKeys<K>>,
    pool: &mut WorkerPool<'_>,
) -> Result<(), SolveError> {
    let game = GameId::new(game)?;
    with_arrays(keys, raw, |snapshot, arrays| {
        let head = CheckpointHead { game, numbering, body: CheckpointBody::Whole(snapshot) };
        file::write(path, &head, arrays, pool).map(drop)
    })
}

/// Reads the states that [`write_states`] wrote; `None` if there is no file. Coded keys go into scratch
/// files if these are used.
pub(crate) fn read_states<G: Stored, K: Clone + Ord + DeserializeOwned>(
    path: &Path,
    game: &G,
    numbering: NumberingKind,
    raw: Option<RawKeys<K>>,
    files: Option<&Arc<KeyFiles>>,
) -> Result<Option<FoundKeys<K>>, SolveError> {
    let saved = read_whole(path, &GameId::new(game)?, numbering, SnapshotKind::States)?;
    saved.map(|saved| saved.keys(raw, files)).transpose()
}

/// The number of states in the file that [`write_states`] wrote, if there is one. Reads only its
/// beginning.
pub(crate) fn count_states<G: Stored>(
    path: &Path,
    game: &G,
    numbering: NumberingKind,
) -> Result<Option<u64>, SolveError> {
    let saved = read_whole(path, &GameId::new(game)?, numbering, SnapshotKind::States)?;
    Ok(saved.map(|saved| saved.snapshot.indices().end))
}
