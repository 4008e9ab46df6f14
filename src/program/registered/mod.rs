//! A game with a name, words about it and options, as the command line and a published page need it.

mod error;
mod input;
mod many;

pub use error::CliError;
pub use input::read_text;
#[cfg(not(target_family = "wasm"))]
pub(crate) use many::Source;
pub use many::{Answer, Many, Share};

use crate::game::notation::Notation;
use crate::numbering::scheme::Numbered;
use crate::table::Stored;

/// A game that the command line can offer.
pub trait Registered: Notation + Stored + Numbered + Send + 'static {
    /// The game in a few words.
    const ABOUT: &'static str;
    /// Options with which the game is solved in seconds, as they are typed; empty if none are
    /// needed.
    const EXAMPLE: &'static str;
    /// How a state is written, then `: `, then an example of a state of the game that
    /// [`EXAMPLE`](Registered::EXAMPLE) describes.
    /// [`Registry::check_examples`](crate::cli::Registry::check_examples) reads both.
    const STATES: &'static str;
    /// The game's options. `--output`, `--threads`, `--memory`, `--max-states`, `--json`,
    /// `--quiet`, `--sample`, `--seed`, `--numbering`, `--tier`, `--compression`, `--outcomes-only`,
    /// `--force`, `--checkpoint`, `--checkpoint-every`, `--processes`, `--hosts`, `--process`,
    /// `--token` and their short forms are reserved. The option `--start`, if there is one, names the
    /// position that play begins with: see [`has_own_start`](Registered::has_own_start).
    type Options: clap::Args;

    /// Whether tests of the game check its [laws](crate::laws). If not, its first solve names the
    /// command `laws`, which does.
    const LAWS_ARE_TESTED: bool = false;

    /// The game that the options describe.
    ///
    /// # Errors
    /// When the options are invalid ([`CliError::usage`]) or a file that they name can't be read
    /// ([`CliError::failed`]).
    fn from_options(options: Self::Options) -> Result<Self, CliError>;

    /// The games that the options name, if they name many of which `solve` is to print a line each.
    /// Nothing is stored then, and [`from_options`](Registered::from_options) is not asked. Default:
    /// they name one game.
    ///
    /// # Errors
    /// When the options are invalid or a file that they name can't be read.
    fn many(options: &Self::Options) -> Result<Option<Many>, CliError> {
        let _ = options;
        Ok(None)
    }

    /// Whether the options name a position that play begins with, in place of the usual one. Such a
    /// game is solved only in a numbering that discovers states: a formula has all states. Default:
    /// no.
    fn has_own_start(&self) -> bool {
        false
    }

    /// What a person should know before this game is solved, a line for each note.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}
