//! Chomp with the whole command line. Players take turns to bite into a bar of chocolate: whoever
//! bites at a square takes it and all that is below and to the right of it. The square at the top
//! left is poisoned, and whoever has to take it loses.
//!
//! Nobody has numbered the states of this game, so they are discovered from the start.
//!
//! ```text
//! cargo run --example chomp -- solve chomp --rows 3 --columns 4 -o chomp.rtb
//! cargo run --example chomp -- line chomp.rtb
//! cargo run --example chomp -- laws chomp
//! ```

use retrograde::cli::{CliError, Registered, Registry};
use retrograde::{Game, Notation, NotationError, Outcome, Player, Stored};
use serde::{Deserialize, Serialize};

/// The game, its parameters and its options in one.
#[derive(Debug, Serialize, Deserialize, clap::Args)]
struct Chomp {
    /// The number of rows, 1 to 9
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=9))]
    rows: u8,
    /// The number of columns, 1 to 9
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=9))]
    columns: u8,
}

/// How many squares are left of each row, from the top, and who is to bite.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
struct Bar {
    left: Vec<u8>,
    turn: Player,
}

impl Game for Chomp {
    type State = Bar;

    fn turn(&self, bar: &Bar) -> Player {
        bar.turn
    }

    fn terminal(&self, bar: &Bar) -> Option<Outcome> {
        (bar.left[0] == 0).then_some(Outcome::Win(bar.turn))
    }

    fn moves(&self, bar: &Bar, mut visit: impl FnMut(Bar)) {
        for row in 0..bar.left.len() {
            for column in 0..bar.left[row] {
                let mut left = bar.left.clone();
                left[row..].iter_mut().for_each(|squares| *squares = column.min(*squares));
                visit(Bar { left, turn: bar.turn.opponent() });
            }
        }
    }

    fn roots(&self) -> Vec<Bar> {
        vec![Bar { left: vec![self.columns; self.rows.into()], turn: Player::First }]
    }
}

impl Notation for Chomp {
    fn write_state(&self, bar: &Bar) -> String {
        let rows: String = bar.left.iter().map(u8::to_string).collect();
        format!("{rows},{}", self.player(bar.turn))
    }

    fn parse_state(&self, text: &str) -> Result<Bar, NotationError> {
        let parse = || {
            let (rows, mover) = text.split_once(',')?;
            let left = rows.chars().map(|digit| Some(digit.to_digit(10)? as u8));
            let left: Vec<u8> = left.collect::<Option<_>>()?;
            let turn = Player::BOTH.into_iter().find(|&player| self.player(player) == mover)?;
            (left.len() == usize::from(self.rows)).then_some(Bar { left, turn })
        };
        let rows = self.rows;
        parse().ok_or_else(|| {
            let example = self.write_state(&self.roots()[0]);
            NotationError::new(format!("expected {rows} digits and who bites, as in {example}"))
        })
    }

    fn draw(&self, bar: &Bar) -> String {
        let row = |squares: &u8| "#".repeat((*squares).into());
        bar.left.iter().map(row).collect::<Vec<_>>().join("\n")
    }
}

impl Stored for Chomp {
    const NAME: &'static str = "chomp";
}

impl Registered for Chomp {
    const ABOUT: &'static str = "Chomp on a bar of chocolate";
    const EXAMPLE: &'static str = "--rows 3 --columns 4";
    const STATES: &'static str = "how many squares each row has left, who bites: 431,first";
    type Options = Chomp;

    fn from_options(game: Chomp) -> Result<Chomp, CliError> {
        Ok(game)
    }
}

fn main() -> std::process::ExitCode {
    Registry::new("chomp", env!("CARGO_PKG_VERSION")).explored::<Chomp>().main()
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde::laws::{Scope, check_explored};
    use retrograde::{Query, Solver};

    /// Gale's theorem: the first player wins on every bar but the one that is only poison, since a
    /// reply that beats the smallest bite would have beaten him as a first bite.
    #[test]
    fn the_first_player_wins_on_every_bar_of_more_than_one_square() {
        for (rows, columns) in (1..=4).flat_map(|rows| (1..=5).map(move |columns| (rows, columns)))
        {
            let game = Chomp { rows, columns };
            check_explored(&game, Scope::All).unwrap();
            let solution = Solver::new(&game).explored().unwrap();
            let verdict = solution.verdict(&game.roots()[0]).unwrap();
            let winner = if (rows, columns) == (1, 1) { Player::Second } else { Player::First };
            assert_eq!(verdict.outcome, Outcome::Win(winner), "{rows} x {columns}");
        }
    }
}
