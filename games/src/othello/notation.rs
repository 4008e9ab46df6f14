//! How people write boards and moves.

use retrograde::board;
use retrograde::scene::{Kit, Piece, Scene};
use retrograde::{Notation, NotationError, Player};

use super::{Discs, Othello, OthelloParameters};
use crate::shared;

/// The names of the players. Their discs are written `x` and `o`.
const NAMES: [&str; 2] = ["black", "white"];

/// The name of a move that puts no disc, and of the place of a picture that makes it.
const PASS: &str = "pass";

impl Notation for Othello {
    fn player(&self, player: Player) -> &str {
        NAMES[player.index()]
    }

    fn rules(&self) -> Option<String> {
        let OthelloParameters { columns, rows, .. } = self.parameters;
        let size = shared::size(columns, rows);
        let first = self.player(Player::First);
        Some(format!(
            "The board has {size}, and two discs of each player in its middle. In turns, beginning \
             with {first}, players put a disc on an empty square. Between it and another disc of the \
             same player there must be a row of the other player's discs, across, down or diagonally. \
             All discs in such rows are turned over and change sides. A player who can't turn any \
             disc passes. Play is over when neither player can turn a disc. Whoever has more discs \
             wins, and as many for both are a draw."
        ))
    }

    fn write_state(&self, discs: &Discs) -> String {
        let rows = self.grid().write(|square, player| discs.of[player] >> square & 1 == 1);
        format!("{rows},{}", self.player(discs.turn))
    }

    fn parse_state(&self, text: &str) -> Result<Discs, NotationError> {
        let grid = self.grid();
        board::read_position(self, text, format_args!("{grid}, and who is to move"), |text| {
            let (rows, turn) = board::split_turn(self, text)?;
            let mut of = [0; 2];
            grid.read(rows, |square, player| of[player] |= 1 << square)?;
            self.discs(of, turn)
        })
    }

    /// The square that a disc is put on: `b1`. A pass is called `pass`.
    fn write_move(&self, from: &Discs, to: &Discs) -> String {
        match self.square_put(from, to) {
            Some(square) => self.grid().name(square),
            None => PASS.to_owned(),
        }
    }

    /// The rows from the top, `x` for black, with the names of columns and rows beside them.
    fn draw(&self, discs: &Discs) -> String {
        let grid = self.grid();
        let names: String =
            (0..grid.columns()).map(|column| format!(" {}", letter(column))).collect();
        let row = |row: u32| {
            let on = |column: u32| {
                let square = grid.cell(column, row);
                let owner = Player::BOTH
                    .into_iter()
                    .find(|player| discs.of[player.index()] >> square & 1 == 1);
                owner.map_or(" .", |player| [" x", " o"][player.index()]).to_owned()
            };
            format!("{:>2}{}", row + 1, (0..grid.columns()).map(on).collect::<String>())
        };
        let rows: Vec<String> = (0..grid.rows()).map(row).collect();
        let [black, white] = discs.of.map(u32::count_ones);
        let turn = self.player(discs.turn);
        format!("  {names}\n{}\n{turn} to move, {black} black and {white} white", rows.join("\n"))
    }

    /// The board, and beside it a button for a pass.
    fn scene(&self, discs: &Discs) -> Option<Scene> {
        let mut scene = self.grid().scene();
        for player in Player::BOTH {
            scene.put_on(discs.of[player.index()].into(), &disc(player));
        }
        let (columns, rows) = (self.parameters.columns, self.parameters.rows);
        scene.button(columns as f32 + 0.2, rows - 1, PASS);
        scene.set_black_and_white();
        Some(scene)
    }

    /// The square that a disc is put on; for a pass, its place beside the board.
    fn move_places(&self, from: &Discs, to: &Discs) -> Vec<usize> {
        vec![self.square_put(from, to).unwrap_or(self.squares() as usize)]
    }

    fn kit(&self) -> Kit {
        Kit::new(Player::BOTH.map(disc))
    }

    fn set_up(&self, scene: &Scene, turn: Player) -> Result<Discs, NotationError> {
        let of = Player::BOTH.map(|player| scene.places_of(player) as u32);
        if (of[0] | of[1]) & !self.rows.squares() != 0 {
            return Err(NotationError::new(format!("no disc can be on \"{PASS}\"")));
        }
        self.discs(of, turn)
    }

    fn with_other_mover(&self, discs: &Discs) -> Option<Discs> {
        Some(discs.passed())
    }
}

/// A disc on a picture.
fn disc(player: Player) -> Piece {
    Piece::disc("disc").of(player)
}

/// The name of a column.
fn letter(column: u32) -> char {
    char::from(b'a' + column as u8)
}

impl Othello {
    /// The square that a move puts a disc on; `None` for a pass.
    fn square_put(&self, from: &Discs, to: &Discs) -> Option<usize> {
        let square = to.occupied() & !from.occupied();
        (square != 0).then(|| square.trailing_zeros() as usize)
    }

    /// The board with these discs of both players, if none is missing in the middle.
    fn discs(&self, of: [u32; 2], turn: Player) -> Result<Discs, NotationError> {
        let discs = Discs { of, turn };
        let missing = self.middle() & !discs.occupied();
        if missing != 0 {
            let square = self.grid().name(missing.trailing_zeros() as usize);
            let problem = format!("{square} is empty: the four squares in the middle never are");
            return Err(NotationError::new(problem));
        }
        Ok(discs)
    }
}
