//! How people write boards and moves.

use std::cmp::Ordering;

use retrograde::scene::{Kit, Piece, Scene};
use retrograde::{Game, Notation, NotationError, Player};

use super::{ConnectFour, Stones};
use crate::picture;

impl Notation for ConnectFour {
    fn player(&self, player: Player) -> &str {
        ["x", "o"][player.index()]
    }

    fn write_state(&self, stones: &Stones) -> String {
        self.draw(stones).replace('\n', "/")
    }

    fn parse_state(&self, text: &str) -> Result<Stones, NotationError> {
        let (columns, rows) = (self.grid.columns, self.grid.rows);
        let wrong = |problem: String| {
            let empty =
                self.roots().iter().map(|empty| self.write_state(empty)).collect::<String>();
            let message = format!(
                "\"{text}\" is not a board: {problem}; expected {rows} rows of {columns} squares x, \
                 o or ., the highest first, as in {empty}"
            );
            Err(NotationError::new(message))
        };
        let lines: Vec<&str> = text.trim().split('/').collect();
        if lines.len() != rows as usize {
            return wrong(format!("it has {} rows", lines.len()));
        }
        let mut stones = [0; 2];
        for (line, row) in lines.iter().zip((0..rows).rev()) {
            let length = line.chars().count();
            if length != columns as usize {
                return wrong(format!("row \"{line}\" has {length} squares"));
            }
            for (character, column) in line.chars().zip(0..) {
                let square = self.grid.square(column, row);
                match character {
                    'x' => stones[0] |= square,
                    'o' => stones[1] |= square,
                    '.' => {}
                    _ => return wrong(format!("row \"{line}\" has a {character:?}")),
                }
            }
        }
        self.stones(stones).or_else(wrong)
    }

    /// Whose stone it is, and the column that it drops into: `x c3`.
    fn write_move(&self, from: &Stones, to: &Stones) -> String {
        let column = (from.all ^ to.all).trailing_zeros() / self.grid.height();
        format!("{} c{column}", self.player(from.turn()))
    }

    fn draw(&self, stones: &Stones) -> String {
        let [x, o] = Player::BOTH.map(|player| stones.of(player));
        let character = |row: u32, column: u32| {
            let square = self.grid.square(column, row);
            if x & square != 0 {
                'x'
            } else if o & square != 0 {
                'o'
            } else {
                '.'
            }
        };
        let row = |row| (0..self.grid.columns).map(|column| character(row, column)).collect();
        (0..self.grid.rows).rev().map(row).collect::<Vec<String>>().join("\n")
    }

    /// The board as one looks at it from the front. The stone that drops is what a move touches.
    fn scene(&self, stones: &Stones) -> Option<Scene> {
        let (columns, rows) = (self.grid.columns, self.grid.rows);
        let from_bottom = |row: u32| rows - 1 - row;
        let mut scene =
            Scene::board(columns, rows, |column, row| format!("c{column}r{}", from_bottom(row)));
        scene.yellow_and_red();
        scene.stands_upright();
        let names = (0..columns).map(|column| format!("c{column}"));
        picture::label_columns(&mut scene, 1.0, rows - 1, names);
        for player in Player::BOTH {
            let own = stones.of(player);
            let squares = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
            for (row, column) in squares {
                if own & self.grid.square(column, from_bottom(row)) != 0 {
                    scene.put((row * columns + column) as usize, stone(player));
                }
            }
        }
        Some(scene)
    }

    fn kit(&self) -> Kit {
        Kit::new(Player::BOTH.map(stone))
    }

    fn set_up(&self, scene: &Scene, _: Player) -> Result<Stones, NotationError> {
        let (columns, rows) = (self.grid.columns, self.grid.rows);
        let mut stones = [0; 2];
        for (place, stone) in scene.pieces() {
            let (row, column) = (place as u32 / columns, place as u32 % columns);
            let player = stone.side().unwrap_or(Player::First);
            stones[player.index()] |= self.grid.square(column, rows - 1 - row);
        }
        self.stones(stones).map_err(NotationError::new)
    }
}

/// A stone on a picture.
fn stone(player: Player) -> Piece {
    Piece::disc("stone").of(player)
}

impl ConnectFour {
    /// The board with these stones of both players, if they can have dropped them in turns.
    fn stones(&self, stones: [u64; 2]) -> Result<Stones, String> {
        let all = stones[0] | stones[1];
        // Without gaps, the squares above stones are where the next would drop to.
        let hanging = all & !self.grid.bottom & !(all << 1);
        if hanging != 0 {
            let column = hanging.trailing_zeros() / self.grid.height();
            return Err(format!("a stone in column {column} has nothing under it"));
        }
        let [x, o] = stones.map(u64::count_ones);
        match x.cmp(&o) {
            Ordering::Less => Err(format!("{x} x and {o} o, and x begins")),
            Ordering::Greater if x > o + 1 => Err(format!("{x} x and {o} o, who take turns")),
            order => Ok(Stones { all, own: stones[usize::from(order == Ordering::Greater)] }),
        }
    }
}
