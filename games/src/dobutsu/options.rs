//! How Dobutsu shogi is set up on the command line.

use retrograde::cli::{CliError, Registered};

use super::{Dobutsu, DobutsuParameters};

impl Registered for Dobutsu {
    const ABOUT: &'static str = "Dobutsu shogi: 3 x 4 squares, with drops";
    const EXAMPLE: &'static str = "--no-elephants";
    const STATES: &'static str = "the rows from the top (sente's pieces are capitals and go up), the hands, who moves: \
         gl./.c./.C./.LG,-,sente";
    const LAWS_ARE_TESTED: bool = true;
    type Options = DobutsuParameters;

    fn from_options(parameters: DobutsuParameters) -> Result<Dobutsu, CliError> {
        Ok(Dobutsu::new(parameters))
    }

    fn notes(&self) -> Vec<String> {
        if self.parameters != DobutsuParameters::default() {
            return Vec::new();
        }
        let note = "the whole game takes a minute or so and 0.6 GB of memory; without the elephants \
                    (--no-elephants) or the giraffes (--no-giraffes) it is a matter of a second";
        vec![note.into()]
    }
}
