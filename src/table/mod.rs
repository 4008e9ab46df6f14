//! Tablebases: solved games in files.
//!
//! A table is one file that describes itself. Around its parts stands a frame with a mark, a format
//! version, the length of the file and checksums; the parts are a header (the game and its
//! parameters, the numbering, the rules, the figures), blocks of values, in explored tables blocks
//! of sorted states, and directories of the blocks. `docs/FORMAT.md` has all of it.
//!
//! Everything that is read is checked first: lengths against the length of the file, bytes against
//! their checksum, records for sense. Opening reads the frame and the header; a probe reads one page
//! of the directory and one block, or one on each level where states are searched, and the last
//! blocks read are kept.

pub(crate) mod cache;
pub(crate) mod checkpoint;
pub(crate) mod codec;
pub(crate) mod directory;
pub(crate) mod folder;
pub(crate) mod frame;
pub(crate) mod loaded;
pub(crate) mod lock;
pub(crate) mod open;
pub(crate) mod plan;
pub(crate) mod prober;
pub(crate) mod read;
pub(crate) mod records;
pub(crate) mod states;
pub(crate) mod storage;
pub(crate) mod unfinished;
pub(crate) mod values;
pub(crate) mod write;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use checkpoint::Checkpoints;
#[cfg(feature = "cli")]
pub(crate) use folder::is_of_tier;
pub use folder::{TierFolder, TierProber, TierWay};
pub use open::Tablebase;
pub use prober::{ByFormula, BySearch, FindNumber, Prober};
pub use records::Header;
pub use storage::{InMemory, Storage};
pub use values::Compression;
use write::Contents;
pub use write::Destination;

use crate::error::TableError;
use crate::game::{Game, Indexed, TierIndexed, Tiered};
use crate::numbering::{ByIndex, Dense, Explored, InTier, Keeping, Numbering, Sorted, Word};
use crate::runtime::progress::OnProgress;
use crate::solve::Solution;

/// A game whose tables can be kept in files.
///
/// The game itself, as `serde` writes it, is the parameters that a file carries, so that a probe
/// needs no other file. A game that computes more than it is told (reverse edges, say) keeps that
/// out of what is written, with `#[serde(from = …, into = …)]`; one whose parameters can be wrong
/// checks them with `#[serde(try_from = …)]`, since files are not to be trusted. Parameters are
/// compared as JSON, in which a set is a list and so depends on the order of its elements.
///
/// The states of an explored game are written with `bincode`, so their types can't use what needs a
/// format that describes itself (untagged enums, skipped or flattened fields).
pub trait Stored: Game + Serialize + DeserializeOwned {
    /// The name of the game in files and on the command line: lower-case words and hyphens.
    const NAME: &'static str;
}

/// A numbering whose tables can be kept in files: [`Dense`] and [`Explored`], and those of tiers.
pub trait StoredNumbering: Numbering<Game: Stored> {
    /// A state as it is written.
    type State: Serialize + Sync;

    /// The states that the file has to carry, in the order of their numbers; `None` where a formula
    /// tells them.
    fn stored_states(&self) -> Option<&[Self::State]>;
}

impl<G: Stored + Indexed> StoredNumbering for Dense<'_, G> {
    type State = ();

    fn stored_states(&self) -> Option<&[()]> {
        None
    }
}

impl<G: Stored, K: Keeping<G, Key: Serialize>> StoredNumbering for Explored<'_, G, K> {
    type State = K::Key;

    fn stored_states(&self) -> Option<&[K::Key]> {
        Some(self.keys())
    }
}

impl<G: Stored + TierIndexed> StoredNumbering for InTier<'_, G, ByIndex> {
    type State = ();

    fn stored_states(&self) -> Option<&[()]> {
        None
    }
}

impl<G, K> StoredNumbering for InTier<'_, G, Arc<Sorted<G, K>>>
where
    G: Stored + Tiered,
    K: Keeping<G, Key = K> + Word,
{
    type State = K;

    fn stored_states(&self) -> Option<&[K]> {
        Some(self.numbers().keys())
    }
}

/// A game's parameters as they are stored.
fn parameters<G: Stored>(game: &G) -> Result<String, TableError> {
    serde_json::to_string(game)
        .map_err(|error| TableError::malformed("the game's parameters", error))
}

impl<N: StoredNumbering> Solution<N> {
    /// Writes the table to a file, which appears whole or not at all; returns its length in bytes.
    ///
    /// # Errors
    /// When the file can't be written. What was at `path` before is then still there.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<u64, TableError> {
        self.save_to(Destination::create(path)?, &mut |_| ControlFlow::Continue(()))
    }

    /// Like [`save`](Solution::save), to a destination made sure of before, reporting progress.
    ///
    /// # Errors
    /// When the file can't be written, or `progress` interrupts.
    pub fn save_to(
        &self,
        destination: Destination,
        progress: &mut OnProgress<'_>,
    ) -> Result<u64, TableError> {
        let numbering = self.numbering();
        let header = Header {
            game: N::Game::NAME.into(),
            parameters: parameters(numbering.game())?,
            numbering: numbering.kind(),
            len: numbering.len(),
            rules: self.rules(),
            outcomes_only: false,
            summary: self.summary().clone(),
        };
        let value = &self.packed_values();
        destination.write(Contents { header, value, states: numbering.stored_states() }, progress)
    }
}
