//! The beginning of a checkpoint's file.

use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::CheckpointError;
use crate::numbering::NumberingKind;
use crate::solve::checkpoint::snapshot::Snapshot;
use crate::table::checkpoint::file::{CheckpointReader, Identity, shown};
use crate::table::{Stored, parameters};

/// The text in the names of parts that separates the name of the checkpoint from the rest.
pub(super) const PART: &str = "-part-";

/// The contents of a file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum CheckpointBody<S> {
    /// A snapshot, and its arrays behind it.
    Whole(S),
    /// A list of parts, each in a file of its own.
    Parts {
        /// The figures that all parts share.
        figures: S,
        parts: Vec<PartHead>,
    },
}

/// The part of one process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PartHead {
    /// The process that wrote it.
    pub(super) process: u32,
    /// The number in its name behind the number of the process.
    pub(super) name: u64,
    pub(super) indices: Range<u64>,
    pub(super) identity: Identity,
}

/// The progress of a saved solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SavedProgress {
    /// In the search, before this ply.
    Ply(u32),
    /// All states are discovered.
    Discovered,
    /// Before this level.
    Level(u32),
    /// All states are solved.
    Solved,
}

impl SavedProgress {
    pub(super) fn from_snapshot(snapshot: &Snapshot) -> SavedProgress {
        match snapshot {
            Snapshot::Searching(search) => SavedProgress::Ply(search.statistics.plies.len() as u32),
            Snapshot::Discovered { .. } => SavedProgress::Discovered,
            Snapshot::Levels(levels) => SavedProgress::Level(levels.level),
            Snapshot::Settled { .. } => SavedProgress::Solved,
        }
    }
}

/// The game of a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct GameId {
    pub(super) game: String,
    /// As JSON.
    pub(super) parameters: String,
}

/// The record of a file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct CheckpointHead<S> {
    pub(super) game: GameId,
    pub(super) numbering: NumberingKind,
    pub(super) body: CheckpointBody<S>,
}

impl GameId {
    pub(super) fn new<G: Stored>(game: &G) -> Result<GameId, CheckpointError> {
        let parameters = parameters(game)
            .map_err(|error| CheckpointError::Unstorable { problem: error.to_string() })?;
        Ok(GameId { game: game.name().into(), parameters })
    }

    /// Whether both are of the same game. Members of JSON objects may be in another order.
    pub(super) fn is(&self, other: &GameId) -> bool {
        let json = |id: &GameId| serde_json::from_str::<serde_json::Value>(&id.parameters).ok();
        self == other || self.game == other.game && json(self) == json(other)
    }

    fn describe(&self, numbering: NumberingKind) -> String {
        let GameId { game, parameters } = self;
        const SHOWN: usize = 200;
        let short: String = parameters.chars().take(SHOWN).collect();
        let more = if short.len() < parameters.len() { "…" } else { "" };
        format!("{game} {short}{more}, {numbering} numbering")
    }
}

/// Opens the checkpoint at this path, if there is one, and checks that it is of this game and
/// numbering.
pub(super) fn read(
    path: &Path,
    expected: &GameId,
    numbering: NumberingKind,
) -> Result<Option<(CheckpointBody<Snapshot>, CheckpointReader)>, CheckpointError> {
    let Some((head, reader)) = CheckpointReader::open::<CheckpointHead<Snapshot>>(path)? else {
        return Ok(None);
    };
    if !head.game.is(expected) || head.numbering != numbering {
        let (found, asked) = (head.game.describe(head.numbering), expected.describe(numbering));
        return Err(CheckpointError::OfAnother { path: shown(path), found, asked });
    }
    Ok(Some((head.body, reader)))
}

/// The progress of the solve that a file saves, if the file is a checkpoint.
#[cfg(feature = "cluster")]
pub(super) fn progress_of(path: &Path) -> Option<SavedProgress> {
    let (head, _) = CheckpointReader::open::<CheckpointHead<Snapshot>>(path).ok()??;
    let (CheckpointBody::Whole(figures) | CheckpointBody::Parts { figures, .. }) = head.body;
    Some(SavedProgress::from_snapshot(&figures))
}

/// Whether a file has the name of a part.
pub(super) fn is_part(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().contains(PART))
}
