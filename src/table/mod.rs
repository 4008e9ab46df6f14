//! Tablebases: solved games in files.
//!
//! A [`Table`] is a file, or a folder with a file for each tier of a game. A file describes itself.
//! Its frame stores a mark, the format version, the length of the file and checksums. Its header
//! stores the game and its parameters, the numbering, the rules and the figures. Behind them are
//! blocks of values, blocks of sorted states if no formula computes them, and directories of the
//! blocks. `docs/FORMAT.md` describes the format.
//!
//! Everything that is read is checked first: lengths against the length of the file, bytes against
//! their checksum, records for sense. Opening a file reads its frame and header. A probe reads at
//! most two neighbouring pages of a directory and one block; a search among states reads as much on
//! every level. The last blocks that were read are cached.

mod agree;
pub(crate) mod cache;
pub(crate) mod checkpoint;
mod destination;
pub(crate) mod directory;
mod existing;
mod fingerprint;
pub(crate) mod folder;
pub(crate) mod frame;
mod handle;
pub(crate) mod keys;
pub(crate) mod limits;
pub(crate) mod listed;
pub(crate) mod loaded;
pub(crate) mod lock;
pub(crate) mod lookup;
pub(crate) mod open;
mod outcomes;
pub(crate) mod packing;
pub(crate) mod parameters;
pub(crate) mod parts;
pub(crate) mod read;
mod records;
mod rewrite;
pub(crate) mod save;
pub(crate) mod solved;
pub(crate) mod states;
pub(crate) mod storage;
pub(crate) mod unfinished;
pub(crate) mod values;
mod visitors;
mod without_rules;
pub(crate) mod write;
pub(crate) mod zstd;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use crate::numbering::NumberingKind;
pub use checkpoint::Checkpoints;
#[cfg(feature = "cli")]
pub(crate) use checkpoint::SavedProgress;
pub use destination::Destination;
pub use handle::Table;
pub(crate) use parameters::parameters;
pub use records::Header;
pub use storage::{InMemory, Storage};
pub use values::Compression;
pub(crate) use visitors::PartsVisitor;

use crate::game::Game;

/// A game whose tables can be stored in files.
///
/// A file stores the game's parameters, so that a probe needs no other file. The parameters are the
/// game itself, as `serde` writes it in JSON. With `#[serde(from = …, into = …)]` a game leaves out
/// what it computes from them, such as tables of moves. Files are not trusted: a game whose
/// parameters can be wrong checks them with `#[serde(try_from = …)]`. Two games are equal if their
/// JSON is. A set is a list in JSON, so its order matters.
///
/// The states of the hashed numbering are written with `bincode`. Their types can't use features
/// that need a self-describing format: untagged enums, skipped or flattened fields.
///
/// ```
/// # use retrograde::{Game, Notation};
/// use retrograde::Stored;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Nim {
///     counters: u64,
/// }
/// # impl Game for Nim { kit::rules_of_nim!(); }
/// # impl Notation for Nim { kit::notation_of_nim!(); }
///
/// impl Stored for Nim {
///     const NAME: &'static str = "nim";
///
///     fn state_text(&self, heap: &u64) -> String {
///         self.write_state(heap)
///     }
/// }
/// assert_eq!(Nim { counters: 21 }.state_text(&20), "20");
/// ```
pub trait Stored: Game + Serialize + DeserializeOwned {
    /// The name of the game in files and on the command line: lower-case words and hyphens.
    const NAME: &'static str;

    /// The name of this game. Default: [`NAME`](Stored::NAME). A type that stands for many games, such as
    /// classes of another language, gives each its own: a table is refused where the names differ.
    fn name(&self) -> &str {
        Self::NAME
    }

    /// The names of the parameters that only say how far to go, such as the most seeds on the board: which
    /// tiers there are, and nothing else. In games that differ only in these, a tier of the same name that
    /// leads to the same tiers has the same states, indices and values. A folder of a smaller game is then
    /// gone on with for a larger one that has all of its tiers, if a formula numbers them. Default: none.
    const HOW_FAR: &'static [&'static str] = &[];

    /// A text that identifies a state. A table remembers some states by their texts, and is refused
    /// once the game gives their indices to other states.
    ///
    /// The default is the `Debug` text, so a renamed field makes older tables unreadable. A game
    /// with a [`Notation`](crate::Notation) returns `self.write_state(state)` instead.
    fn state_text(&self, state: &Self::State) -> String {
        format!("{state:?}")
    }
}
