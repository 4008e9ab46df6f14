//! How Connect Four is set up on the command line.

use retrograde::cli::{CliError, Registered};

use super::{ConnectFour, ConnectFourParameters};

impl Registered for ConnectFour {
    const ABOUT: &'static str = "Connect Four on any board";
    const EXAMPLE: &'static str = "-m 4 -n 4 -k 4";
    const STATES: &'static str = "the rows from the top, x to begin: ..../..../o.../xx..";
    const LAWS_ARE_TESTED: bool = true;
    type Options = ConnectFourParameters;

    fn from_options(parameters: ConnectFourParameters) -> Result<ConnectFour, CliError> {
        ConnectFour::new(parameters).map_err(CliError::usage)
    }
}
