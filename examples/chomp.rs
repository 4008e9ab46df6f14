//! Chomp with the whole command line. Players take turns to bite into a bar of chocolate: whoever
//! bites at a square takes it and all that is below and to the right of it. The square at the top
//! left is poisoned, and whoever has to take it loses.
//!
//! The game has no formula for indices, so its states are discovered from the start.
//!
//! ```text
//! cargo run --example chomp -- solve chomp --rows 3 --columns 4 -o chomp.rtb
//! cargo run --example chomp -- line chomp.rtb
//! cargo run --example chomp -- laws chomp
//! ```

use retrograde::cli::{CliError, Registered, Registry};
use retrograde::scene::{Piece, Scene};
use retrograde::{Game, Notation, NotationError, Outcome, Players, Solvable, Stored, scheme};
use serde::{Deserialize, Serialize};

/// The game, which is its own parameters and options.
#[derive(Debug, Serialize, Deserialize, clap::Args)]
struct Chomp {
    /// The number of rows, 1 to 9
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=9))]
    rows: u8,
    /// The number of columns, 1 to 9
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=9))]
    columns: u8,
}

/// How many squares are left of each row, from the top. States do not say who is to bite.
type Bar = Vec<u8>;

impl Game for Chomp {
    type State = Bar;
    const PLAYERS: Players = Players::Unnamed;

    fn terminal(&self, bar: &Bar) -> Option<Outcome> {
        (bar[0] == 0).then_some(Outcome::MoverWins)
    }

    fn moves(&self, bar: &Bar, mut visit: impl FnMut(Bar)) {
        for row in 0..bar.len() {
            for column in 0..bar[row] {
                let mut left = bar.clone();
                left[row..].iter_mut().for_each(|squares| *squares = column.min(*squares));
                visit(left);
            }
        }
    }

    fn roots(&self) -> Vec<Bar> {
        vec![vec![self.columns; self.rows.into()]]
    }
}

impl Solvable for Chomp {
    type Numberings = scheme::Explored;
}

impl Notation for Chomp {
    fn write_state(&self, bar: &Bar) -> String {
        bar.iter().map(u8::to_string).collect()
    }

    fn parse_state(&self, text: &str) -> Result<Bar, NotationError> {
        let bar: Option<Bar> = text.chars().map(|digit| Some(digit.to_digit(10)? as u8)).collect();
        bar.filter(|bar| bar.len() == usize::from(self.rows)).ok_or_else(|| {
            let (rows, example) = (self.rows, self.write_state(&self.roots()[0]));
            NotationError::new(format!("\"{text}\": expected {rows} digits, as in {example}"))
        })
    }

    fn draw(&self, bar: &Bar) -> String {
        let row = |squares: &u8| "#".repeat((*squares).into());
        bar.iter().map(row).collect::<Vec<_>>().join("\n")
    }

    fn scene(&self, bar: &Bar) -> Option<Scene> {
        let (rows, columns) = (self.rows.into(), self.columns.into());
        let mut scene = Scene::board(columns, rows, |column, row| format!("r{row}c{column}"));
        for (row, &squares) in bar.iter().enumerate() {
            for column in 0..usize::from(squares) {
                let (glyph, name) = match (row, column) {
                    (0, 0) => ("☠", "poison"),
                    _ => ("🍫", "chocolate"),
                };
                scene.put(row * usize::from(self.columns) + column, Piece::glyph(glyph, name));
            }
        }
        Some(scene)
    }

    /// The square of the bite is the first of those that it takes.
    fn move_places(&self, from: &Bar, to: &Bar) -> Vec<usize> {
        let row = from.iter().zip(to).position(|(before, after)| before != after);
        row.map(|row| row * usize::from(self.columns) + usize::from(to[row])).into_iter().collect()
    }
}

impl Stored for Chomp {
    const NAME: &'static str = "chomp";
}

impl Registered for Chomp {
    const ABOUT: &'static str = "Chomp on a bar of chocolate";
    const EXAMPLE: &'static str = "--rows 3 --columns 4";
    const STATES: &'static str = "how many squares each row has left, from the top: 431";
    type Options = Chomp;

    fn from_options(game: Chomp) -> Result<Chomp, CliError> {
        Ok(game)
    }
}

fn main() -> std::process::ExitCode {
    Registry::new("chomp", env!("CARGO_PKG_VERSION")).register::<Chomp>().main()
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde::laws::Laws;
    use retrograde::{Query, Solver};

    /// Gale's theorem: the player to move wins on every full bar but the one that is only poison,
    /// since a reply that beats the smallest bite would have beaten him as a first bite.
    #[test]
    fn the_player_to_move_wins_on_every_full_bar_of_more_than_one_square() {
        for (rows, columns) in (1..=4).flat_map(|rows| (1..=5).map(move |columns| (rows, columns)))
        {
            let game = Chomp { rows, columns };
            Laws::new(&game).with_notation().check().unwrap();
            let solution = Solver::new(&game).solve().unwrap();
            let verdict = solution.verdict(&game.roots()[0]).unwrap();
            let poison = (rows, columns) == (1, 1);
            let outcome = if poison { Outcome::MoverLoses } else { Outcome::MoverWins };
            assert_eq!(verdict.outcome, outcome, "{rows} x {columns}");
        }
    }

    #[test]
    fn a_bite_touches_its_square() {
        let game = Chomp { rows: 3, columns: 4 };
        let from = vec![4, 4, 2];
        let mut touched = Vec::new();
        game.moves(&from, |to| touched.push(game.move_places(&from, &to)));
        let there = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(|place| vec![place]);
        assert_eq!(touched, there);
        let drawn = game.scene(&from).map(|scene| scene.to_svg(&Default::default()));
        assert_eq!(drawn.map(|svg| svg.matches("🍫").count()), Some(9));
    }

    #[test]
    fn the_examples_are_understood() {
        Registry::new("chomp", "0").register::<Chomp>().check_examples().unwrap();
    }
}
