//! How a game of the morris family is set up on the command line.

use retrograde::cli::{CliError, Registered};

use super::{Board, Morris, MorrisParameters};

/// The options of the morris family.
#[derive(Debug, clap::Args)]
pub struct MorrisOptions {
    /// The board, by the men that are usual on it (any three points in a row on a line are a mill, also
    /// on the lines of five of the cross on seven)
    #[arg(long, value_enum, default_value = "six")]
    board: Board,
    /// How many men each side has, 3 to half the number of points; without it, as many as are usual
    /// on the board
    #[arg(long)]
    men: Option<u32>,
    /// Let a player with three men left move to any empty point
    #[arg(long)]
    flying: bool,
}

impl Registered for Morris {
    const ABOUT: &'static str = "Six, seven and nine men's morris";
    const EXAMPLE: &'static str = "--board six --men 4";
    const STATES: &'static str = "rows from the top, men in hand (white-black), who moves: \
                                  w../.b./..../.../...,3-3,white";
    const LAWS_ARE_TESTED: bool = true;
    type Options = MorrisOptions;

    fn from_options(options: MorrisOptions) -> Result<Morris, CliError> {
        let MorrisOptions { board, men, flying } = options;
        let men = men.unwrap_or_else(|| board.men());
        Morris::new(MorrisParameters { board, men, flying })
            .map_err(|error| CliError::usage(format!("--men: {error}")))
    }
}
