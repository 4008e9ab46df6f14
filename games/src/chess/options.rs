//! How chess endings are set up on the command line.

use retrograde::cli::CliError;

use super::{Chess, ChessParameters};
use crate::{Start, Started};

/// The options of chess endings.
#[derive(Debug, clap::Args)]
pub struct ChessOptions {
    /// The men of both sides, kings included, like KQvKR: at most five
    #[arg(value_name = "MATERIAL", default_value = "KQvKR", conflicts_with = "named")]
    material: String,
    /// The men, as an option instead of an argument
    #[arg(long = "material", id = "named", value_name = "MATERIAL")]
    named: Option<String>,
    #[command(flatten)]
    start: Start,
}

impl ChessOptions {
    /// The game that they describe.
    pub(super) fn game(self) -> Result<Chess, CliError> {
        let material = self.named.unwrap_or(self.material);
        let (parameters, start) = (ChessParameters { material }, self.start.start);
        Chess::try_from(Started { parameters, start }).map_err(CliError::usage)
    }
}
