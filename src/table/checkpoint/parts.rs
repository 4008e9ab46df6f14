//! Checkpoints of several processes: each writes its part, and then the first process lists the
//! parts. The list replaces the previous list, so that there is always one whole checkpoint.
//!
//! The files have the format of checkpoints. A part is a snapshot of a window, or of the states of a
//! search that its process owns; these have no indices yet. The list contains the figures that all
//! parts share, and for each part its indices, the name of its file and its checksums. One process can
//! resume from parts, as several can. Several can also resume from the file of one process, but not
//! from the search of states without a code.

use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::{CheckpointError, SolveError};
use crate::numbering::NumberingKind;
use crate::runtime::codec;
use crate::runtime::frontier::CHUNK;
use crate::runtime::pool::WorkerPool;
use crate::runtime::saved_array::SavedArray;
use crate::solve::checkpoint::snapshot::{Arrays as _, SavedSnapshot, Snapshot, SnapshotKind};
use crate::table::checkpoint::file::{self, Identity, remove, shown};
use crate::table::checkpoint::head::{
    CheckpointBody, CheckpointHead, PART, PartHead, SavedProgress, read,
};
use crate::table::checkpoint::{Checkpoints, files};
use crate::table::unfinished::final_name;

/// The checkpoint that the first process finds in its folder, as it is sent to the others.
#[derive(Serialize, Deserialize)]
struct Found {
    /// The file, as errors show it.
    path: String,
    /// The figures of the whole game.
    figures: Snapshot,
    /// The parts; `None` if there is only one file.
    parts: Option<Vec<PartHead>>,
    /// The identity of the only file.
    whole: Identity,
}

/// A checkpoint, or the parts of it that a window needs.
pub(super) struct Loaded {
    /// The path for errors: of the file that lists the parts, or of the only file.
    pub(super) path: String,
    /// The figures of the whole game.
    pub(super) figures: Snapshot,
    pub(super) parts: Vec<SavedSnapshot>,
}

impl Checkpoints {
    /// Saves the part of every process; then the first process lists the parts.
    pub(super) fn save_part(
        &mut self,
        numbering: NumberingKind,
        snapshot: &Snapshot,
        arrays: &[SavedArray<'_>],
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError> {
        self.name = self.name.wrapping_add(1);
        let (process, name, kind) = (pool.own() as u32, self.name, snapshot.kind());
        let path = self.folder.join(part_name(numbering, kind, process, name));
        let head = CheckpointHead {
            game: self.game_id(),
            numbering,
            body: CheckpointBody::Whole(snapshot),
        };
        let identity = file::write(&path, &head, arrays, pool)?;
        let part = PartHead { process, name, indices: snapshot.indices(), identity };
        let own = codec::encode(&part).map_err(unstorable)?;
        let mut parts = Vec::new();
        for (at, part) in pool.gather(own)?.into_iter().enumerate() {
            parts.push(codec::decode::<PartHead>(&part).map_err(|problem| {
                SolveError::PeerError {
                    problem: format!("process {at} sent no part of a checkpoint: it {problem}"),
                }
            })?);
        }
        if pool.is_first() {
            let len = parts.last().map_or(0, |part| part.indices.end);
            let figures = snapshot.figures(0..len);
            let body = CheckpointBody::Parts { figures, parts: parts.clone() };
            let head = CheckpointHead { game: self.game_id(), numbering, body };
            file::write(&self.path(numbering, kind), &head, &[], pool)?;
            // From now on a run resumes from these parts, even if another process fails.
            self.progress = Some(SavedProgress::from_snapshot(snapshot));
        }
        // Unlisted parts are removed only after the new list is on disk.
        pool.sum(&mut [])?;
        self.remove_parts(numbering, kind, &parts)?;
        Ok(())
    }

    /// Removes the parts of a solve that are not in `keep`.
    pub(super) fn remove_parts(
        &self,
        numbering: NumberingKind,
        kind: SnapshotKind,
        keep: &[PartHead],
    ) -> Result<(), CheckpointError> {
        let beginning = Checkpoints::beginning(numbering, kind) + PART;
        let kept: Vec<String> =
            keep.iter().map(|part| part_name(numbering, kind, part.process, part.name)).collect();
        for path in files(&self.folder) {
            let name = path.file_name().unwrap_or_default();
            let is_of_solve = final_name(name).is_some_and(|name| name.starts_with(&beginning));
            if is_of_solve && !kept.iter().any(|kept| name == kept.as_str()) {
                remove(&path)?;
            }
        }
        Ok(())
    }

    /// Loads a checkpoint of this kind: what a window needs of it, or all. The first process checks its
    /// folder for all processes.
    pub(super) fn load(
        &mut self,
        numbering: NumberingKind,
        kind: SnapshotKind,
        window: Option<&Range<u64>>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<Loaded>, SolveError> {
        let own = if pool.is_first() { self.find(numbering, kind)? } else { None };
        let found = if pool.has_peers() {
            let own = codec::encode(&own).map_err(unstorable)?;
            codec::decode::<Option<Found>>(&pool.of_first(own)?).map_err(|problem| {
                let problem = format!("the first process sent no list of parts: it {problem}");
                SolveError::PeerError { problem }
            })?
        } else {
            own
        };
        let Some(Found { path, figures, parts, whole }) = found else { return Ok(None) };
        let mut saved = Vec::new();
        match parts {
            None if window.is_some_and(Range::is_empty) => {}
            // Several processes search all states again.
            None if pool.has_peers() && matches!(figures, Snapshot::Discovered { .. }) => {}
            None => {
                let file = self.path(numbering, kind);
                saved.push(self.open(&file, numbering, whole, 0, &path)?);
            }
            Some(parts) => {
                let count = parts.len();
                for part in parts {
                    let PartHead { process, name, indices, identity } = part;
                    let is_needed = match window {
                        Some(window) => {
                            indices.start.max(window.start) < indices.end.min(window.end)
                        }
                        // As many processes own the same states again.
                        None => count != pool.processes() || process as usize == pool.own(),
                    };
                    if !is_needed {
                        continue;
                    }
                    let file = self.folder.join(part_name(numbering, kind, process, name));
                    let opened = self.open(&file, numbering, identity, process, &path)?;
                    if opened.snapshot.indices() != indices {
                        let problem = "has other positions than are listed";
                        return Err(opened.arrays.malformed(problem.into()).into());
                    }
                    saved.push(opened);
                }
            }
        }
        Ok(Some(Loaded { path, figures, parts: saved }))
    }

    /// The checkpoint in the folder from which a run can resume.
    fn find(
        &self,
        numbering: NumberingKind,
        kind: SnapshotKind,
    ) -> Result<Option<Found>, CheckpointError> {
        let path = self.path(numbering, kind);
        let Some((body, reader)) = read(&path, &self.game_id(), numbering)? else {
            return Ok(None);
        };
        let whole = reader.identity();
        let path = shown(&path);
        let (figures, parts) = match body {
            CheckpointBody::Whole(snapshot) => (snapshot.figures(snapshot.indices()), None),
            CheckpointBody::Parts { figures, parts } => {
                let mut end = 0;
                for part in &parts {
                    let is_cut = end % CHUNK == 0 || part.indices.is_empty();
                    if part.indices.start != end || part.indices.end < end || !is_cut {
                        return Err(reader.malformed("its parts do not fit together".into()));
                    }
                    end = part.indices.end;
                }
                if figures.indices() != (0..end) {
                    return Err(reader.malformed("it lacks a part".into()));
                }
                (figures, Some(parts))
            }
        };
        if figures.kind() != kind || figures.indices().start != 0 {
            return Err(reader.malformed("is of something else than its name says".into()));
        }
        Ok(Some(Found { path, figures, parts, whole }))
    }

    /// Opens a file with this identity. `process` wrote it, and `list` is the file that lists it.
    fn open(
        &self,
        path: &Path,
        numbering: NumberingKind,
        identity: Identity,
        process: u32,
        list: &str,
    ) -> Result<SavedSnapshot, CheckpointError> {
        let Some((body, mut reader)) = read(path, &self.game_id(), numbering)? else {
            let (path, list) = (shown(path), list.into());
            return Err(CheckpointError::PartMissing { path, process, list });
        };
        reader.expect(identity)?;
        match body {
            CheckpointBody::Whole(snapshot) => {
                Ok(SavedSnapshot { snapshot, arrays: Box::new(reader) })
            }
            CheckpointBody::Parts { .. } => {
                Err(reader.malformed("is a list in place of a part".into()))
            }
        }
    }
}

/// The name of the part of a process.
fn part_name(numbering: NumberingKind, kind: SnapshotKind, process: u32, name: u64) -> String {
    let beginning = Checkpoints::beginning(numbering, kind);
    format!("{beginning}{PART}{process}-{name:016x}.{}", file::EXTENSION)
}

fn unstorable(problem: String) -> CheckpointError {
    CheckpointError::Unstorable { problem }
}
