//! The random game of the `random` bench with the whole command line, so that several processes can
//! solve it. Its moves lead anywhere, and no cache helps: it is the worst case for a network.
//!
//! ```text
//! cargo run --release --example random --features cluster -- solve random --states 100000000 \
//!     --processes 2 --threads 1 -o random.rtb
//! ```

mod random_game;

use std::process::ExitCode;

use random_game::{RandomGame, State};
use retrograde::cli::{CliError, Registered, Registry};
use retrograde::{Notation, NotationError, Numbered, Player, scheme};

/// The game with predecessors.
pub(crate) type Random = RandomGame<true>;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The number of states, an even one
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1000..=1 << 33))]
    pub(crate) states: u64,
}

impl Numbered for Random {
    type Numberings = (scheme::Dense, scheme::Packed, scheme::Hashed);
}

impl Notation for Random {
    fn write_state(&self, state: &State) -> String {
        format!("{},{}", state.place(), self.player(state.turn()))
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let wrong = || {
            let places = self.places();
            NotationError::new(format!(
                "\"{text}\": expected a place below {places} and who moves, as in 1,first"
            ))
        };
        let (place, turn) = text.split_once(',').ok_or_else(wrong)?;
        let turn = Player::BOTH.into_iter().find(|&player| self.player(player) == turn);
        let place = place.parse().ok().filter(|&place: &u32| u64::from(place) < self.places());
        place.zip(turn).map(|(place, turn)| State::at(place, turn)).ok_or_else(wrong)
    }
}

impl Registered for Random {
    const ABOUT: &'static str = "A random game: eight moves that lead anywhere";
    const EXAMPLE: &'static str = "--states 10000";
    const STATES: &'static str = "the place, and who moves: 1,first";
    type Options = Options;

    fn from_options(Options { states }: Options) -> Result<Random, CliError> {
        if !states.is_multiple_of(2) {
            let next = states + 1;
            return Err(CliError::usage(format!(
                "--states {states}: it has to be an even number, such as {next}"
            )));
        }
        let game = Random::new(states / 2);
        match game.has_distinct_moves() {
            true => Ok(game),
            false => Err(CliError::usage(format!(
                "--states {states}: two moves lead to the same place; take another number"
            ))),
        }
    }
}

fn main() -> ExitCode {
    registry().main()
}

pub(crate) fn registry() -> Registry {
    Registry::new("random", env!("CARGO_PKG_VERSION")).register::<Random>()
}
