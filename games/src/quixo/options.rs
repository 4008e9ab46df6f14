//! How Quixo is set up on the command line.

use retrograde::cli::{CliError, Registered};

use super::{MOST_FOLDED, Quixo, QuixoParameters};

impl Registered for Quixo {
    const ABOUT: &'static str = "Quixo: cubes pushed in from the border, a full line wins";
    const EXAMPLE: &'static str = "--size 3";
    const STATES: &'static str = "the rows from the top, and who is to move: .ox/.../x..,o";
    const LAWS_ARE_TESTED: bool = true;
    type Options = QuixoParameters;

    fn from_options(parameters: QuixoParameters) -> Result<Quixo, CliError> {
        Quixo::new(parameters).map_err(CliError::usage)
    }

    fn notes(&self) -> Vec<String> {
        let size = self.size();
        if size <= MOST_FOLDED {
            return Vec::new();
        }
        vec![format!("all 3^{} boards of size {size} are solved, reachable or not", size * size)]
    }
}
