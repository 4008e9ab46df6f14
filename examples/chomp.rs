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
//! cargo run --features serve --example chomp -- serve chomp.rtb
//! ```
//!
//! Its picture, which the page shows, is the ten lines of `scene`.

use retrograde::board::Grid;
use retrograde::cli::{CliError, Registered, Registry};
use retrograde::scene::{Kit, Piece, Scene};
use retrograde::{
    Game, Notation, NotationError, Numbered, Outcome, Player, Players, Stored, scheme,
};
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

impl Chomp {
    fn grid(&self) -> Grid {
        Grid::new(self.columns.into(), self.rows.into())
    }
}

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

    fn roots(&self) -> impl IntoIterator<Item = Bar> {
        [vec![self.columns; self.rows.into()]]
    }
}

impl Numbered for Chomp {
    type Numberings = scheme::Hashed;
}

impl Notation for Chomp {
    fn write_state(&self, bar: &Bar) -> String {
        bar.iter().map(u8::to_string).collect()
    }

    fn parse_state(&self, text: &str) -> Result<Bar, NotationError> {
        let bar: Option<Bar> = text.chars().map(|digit| Some(digit.to_digit(10)? as u8)).collect();
        bar.filter(|bar| bar.len() == usize::from(self.rows)).ok_or_else(|| {
            let full = vec![self.columns; self.rows.into()];
            NotationError::new(format!("\"{text}\": expected {} digits", self.rows))
                .with_example(self.write_state(&full))
        })
    }

    fn draw(&self, bar: &Bar) -> String {
        let row = |squares: &u8| "#".repeat((*squares).into());
        bar.iter().map(row).collect::<Vec<_>>().join("\n")
    }

    fn scene(&self, bar: &Bar) -> Option<Scene> {
        let grid = self.grid();
        let mut scene = grid.scene();
        for (row, &squares) in (0..).zip(bar) {
            for square in (grid.cell(0, row)..).take(squares.into()) {
                scene.put(square, if square == 0 { poison() } else { chocolate() });
            }
        }
        Some(scene)
    }

    /// The square of the bite is the first of those that it takes.
    fn move_places(&self, from: &Bar, to: &Bar) -> Vec<usize> {
        let row = from.iter().zip(to).position(|(before, after)| before != after);
        row.map(|row| self.grid().cell(to[row].into(), row as u32)).into_iter().collect()
    }

    fn kit(&self) -> Kit {
        Kit::singles([poison()]).and(Kit::new([chocolate()]))
    }

    /// Each row is left up to its first gap.
    fn set_up(&self, scene: &Scene, _: Player) -> Result<Bar, NotationError> {
        let grid = self.grid();
        let squares: Vec<usize> = scene.pieces().map(|(square, _)| square).collect();
        let is_left = |row, &column: &u32| squares.contains(&grid.cell(column, row));
        let left = |row| (0..grid.columns()).take_while(|column| is_left(row, column)).count();
        let bar: Bar = (0..grid.rows()).map(|row| left(row) as u8).collect();
        match bar.iter().map(|&left| usize::from(left)).sum::<usize>() == squares.len() {
            true => Ok(bar),
            false => Err(NotationError::new("a row has a gap: bites come from the right")),
        }
    }
}

fn poison() -> Piece {
    Piece::glyph("☠", "poison")
}

fn chocolate() -> Piece {
    Piece::glyph("🍫", "chocolate")
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
    use retrograde::Solver;
    use retrograde::laws::Laws;

    /// Gale's theorem: the player to move wins on every full bar but the one that is only poison,
    /// since a reply that beats the smallest bite would have beaten him as a first bite.
    #[test]
    fn the_player_to_move_wins_on_every_full_bar_of_more_than_one_square() {
        for (rows, columns) in (1..=4).flat_map(|rows| (1..=5).map(move |columns| (rows, columns)))
        {
            let game = Chomp { rows, columns };
            Laws::new(&game).notation().check().unwrap();
            let solution = Solver::new(&game).solve().unwrap();
            let verdict = solution.verdict(&game.start().unwrap()).unwrap();
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
    fn a_bar_is_set_up_from_its_picture() {
        let game = Chomp { rows: 3, columns: 4 };
        let set_up = |scene: &Scene| game.set_up(scene, Player::First);
        for bar in [vec![4, 4, 2], vec![1, 0, 0], vec![0, 0, 0]] {
            assert_eq!(set_up(&game.scene(&bar).unwrap()), Ok(bar));
        }
        let mut gap = game.scene(&vec![2, 0, 0]).unwrap();
        gap.put(3, chocolate());
        assert!(set_up(&gap).is_err_and(|error| error.to_string().contains("gap")));
    }

    #[test]
    fn the_examples_are_understood() {
        Registry::new("chomp", "0").register::<Chomp>().check_examples().unwrap();
    }
}
