//! How a game of the morris family is set up on the command line.

use retrograde::cli::CliError;

use super::{Board, Morris, MorrisParameters};
use crate::{Start, StartError, Started};

/// The options of the morris family.
#[derive(Debug, clap::Args)]
pub struct MorrisOptions {
    /// The board, by the men that are usual on it (any three points in a row on a line are a mill,
    /// also on the lines of five of the cross on seven)
    #[arg(long, value_enum, default_value = "six")]
    board: Board,
    /// How many men each side has, 3 to half the number of points [default: as many as are usual on
    /// the board]
    #[arg(long)]
    men: Option<u32>,
    /// Let a player with three men left move to any empty point
    #[arg(long)]
    flying: bool,
    /// Let a player with men in hand move one of those on the board instead of placing one, as in
    /// Lasker's game (`--board nine --men 10 --flying --sliding`)
    #[arg(long)]
    sliding: bool,
    #[command(flatten)]
    start: Start,
}

impl MorrisOptions {
    /// The game that they describe.
    pub(super) fn game(self) -> Result<Morris, CliError> {
        let MorrisOptions { board, men, flying, sliding, start: Start { start } } = self;
        let men = men.unwrap_or_else(|| board.men());
        let parameters = MorrisParameters { board, men, flying, sliding };
        Morris::try_from(Started { parameters, start }).map_err(|error| match error {
            StartError::Parameters(problem) => CliError::usage(format!("--men: {problem}")),
            error => CliError::usage(error),
        })
    }
}
