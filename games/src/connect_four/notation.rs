//! How people write boards and moves.

use retrograde::board;
use retrograde::scene::{Kit, Piece, Scene};
use retrograde::{Notation, NotationError, Player};

use super::{ConnectFour, ConnectFourParameters, Stones};
use crate::shared;

impl ConnectFour {
    /// Both ends of a line among these stones, if there is one.
    fn won_line(&self, stones: u64) -> Option<[usize; 2]> {
        let begins = self.lines.begin_in(stones);
        let (begin, step) =
            begins.into_iter().zip(self.grid.steps()).find(|(begin, _)| *begin != 0)?;
        let first = begin.trailing_zeros();
        let square = |bit: u32| {
            let (column, row) = (bit / self.grid.height(), bit % self.grid.height());
            self.grid.board().cell(column, self.grid.rows - 1 - row)
        };
        Some([square(first), square(first + step * (self.parameters.in_a_row - 1))])
    }
}

impl Notation for ConnectFour {
    fn player(&self, player: Player) -> &str {
        ["yellow", "red"][player.index()]
    }

    fn rules(&self) -> Option<String> {
        let ConnectFourParameters { columns, rows, in_a_row, .. } = self.parameters;
        let size = shared::size(columns, rows);
        let first = self.player(Player::First);
        Some(format!(
            "The board stands upright and has {size}. In turns, beginning with {first}, players drop a \
             disc into a column that is not full. It falls onto the discs that are there. The first \
             player with {in_a_row} discs in a row wins: upwards, across or diagonally. If the board \
             is full without such a row, the game is a draw."
        ))
    }

    fn write_state(&self, stones: &Stones) -> String {
        let of = Player::BOTH.map(|player| stones.of(player));
        self.grid.board().write(|square, player| of[player] & self.grid.square(square) != 0)
    }

    fn parse_state(&self, text: &str) -> Result<Stones, NotationError> {
        let board = self.grid.board();
        let expected = format_args!("{board}, the highest first");
        board::read_position(self, text, expected, |text| {
            let mut stones = [0; 2];
            board.read(text, |square, player| stones[player] |= self.grid.square(square))?;
            self.stones(stones)
        })
    }

    /// Whose stone it is, and the column that it drops into: `yellow c3`.
    fn write_move(&self, from: &Stones, to: &Stones) -> String {
        let column = (from.all ^ to.all).trailing_zeros() / self.grid.height();
        format!("{} c{column}", self.player(from.turn()))
    }

    fn draw(&self, stones: &Stones) -> String {
        self.write_state(stones).replace('/', "\n")
    }

    /// The board as one looks at it from the front. The stone that drops is what a move touches.
    fn scene(&self, stones: &Stones) -> Option<Scene> {
        let (columns, rows) = (self.grid.columns, self.grid.rows);
        let name = |column, row| format!("c{column}r{}", rows - 1 - row);
        let mut scene = Scene::board(columns, rows, name);
        scene.set_yellow_and_red();
        scene.set_upright();
        for column in 0..columns {
            scene.label(column, (rows - 1) as f32 + 0.75, &format!("c{column}"));
        }
        for player in Player::BOTH {
            let own = stones.of(player);
            let squares = 0..self.grid.board().cells();
            for square in squares.filter(|&square| own & self.grid.square(square) != 0) {
                scene.put(square, stone(player));
            }
            if let Some([from, to]) = self.won_line(own) {
                scene.strike(from, to);
            }
        }
        Some(scene)
    }

    fn kit(&self) -> Kit {
        Kit::new(Player::BOTH.map(stone))
    }

    fn set_up(&self, scene: &Scene, _: Player) -> Result<Stones, NotationError> {
        let mut stones = [0; 2];
        for (place, stone) in scene.pieces() {
            let player = stone.side().unwrap_or(Player::First);
            stones[player.index()] |= self.grid.square(place);
        }
        self.stones(stones)
    }
}

/// A stone on a picture.
fn stone(player: Player) -> Piece {
    Piece::disc("stone").of(player)
}

impl ConnectFour {
    /// The board with these stones of both players, if they can have dropped them in turns.
    fn stones(&self, stones: [u64; 2]) -> Result<Stones, NotationError> {
        let all = stones[0] | stones[1];
        // Without gaps, the squares above stones are where the next would drop to.
        let hanging = all & !self.grid.bottom & !(all << 1);
        if hanging != 0 {
            let column = hanging.trailing_zeros() / self.grid.height();
            let problem = format!("a stone in column {column} has nothing under it");
            return Err(NotationError::new(problem));
        }
        shared::check_turns(stones)?;
        let has_begun = stones[0].count_ones() > stones[1].count_ones();
        Ok(Stones { all, own: stones[usize::from(has_begun)] })
    }
}
