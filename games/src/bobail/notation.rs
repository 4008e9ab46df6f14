//! How people write positions and turns, and what they look like.

use retrograde::board::{self, Grid};
use retrograde::scene::{Kit, Piece, Scene};
use retrograde::{Notation, NotationError, Player};

use super::board::Pieces;
use super::{Bobail, Position, Rules};
use crate::shared;

const NAMES: [&str; 2] = ["white", "black"];

/// The letters of white's men, of black's, and of the bobail.
const LETTERS: &str = "wbo";

/// The kind of piece that the last letter stands for.
const BOBAIL: usize = 2;

/// The mark of the first turn.
const FIRST: &str = "first";

/// The path of a ring, which is drawn on the bobail.
const RING: &str =
    "M50 22a28 28 0 1 1 0 56a28 28 0 1 1 0 -56zM50 34a16 16 0 1 0 0 32a16 16 0 1 0 0 -32z";

/// A man on a picture.
fn man(player: Player) -> Piece {
    Piece::disc("man").of(player)
}

/// The bobail on a picture.
fn bobail() -> Piece {
    Piece::disc("bobail").with_path(RING)
}

impl Bobail {
    fn grid(&self) -> Grid {
        Grid::new(self.parameters.columns, self.parameters.rows).with_letters(LETTERS)
    }

    /// A set of squares that a player sees, as the first player sees it, and the other way round.
    fn upright(&self, set: u32, player: Player) -> u32 {
        if player == Player::First { set } else { self.board.turned(set) }
    }

    /// White's men, black's, and the bobail, as white sees them.
    fn sets(&self, position: &Position) -> [u32; 3] {
        let Position { pieces: Pieces { bobail, own, other }, turn, .. } = *position;
        let [bobail, own, other] = [bobail, own, other].map(|set| self.upright(set, turn));
        match turn {
            Player::First => [own, other, bobail],
            Player::Second => [other, own, bobail],
        }
    }

    /// The position with these men and the bobail as white sees them, if there can be such a one.
    fn position(&self, sets: [u32; 3], turn: Player) -> Result<Position, String> {
        let [white, black, bobail] = sets.map(|set| self.upright(set, turn));
        let (own, other) = if turn == Player::First { (white, black) } else { (black, white) };
        for (name, men) in NAMES.into_iter().zip([white, black]) {
            let (found, expected) = (men.count_ones(), self.men());
            if found != expected {
                let found = shared::number_of(found, "man", "men");
                return Err(format!("{name} has {found}, not {expected}"));
            }
        }
        match bobail.count_ones() {
            0 => return Err("the bobail is nowhere: put it on the board".into()),
            1 => {}
            several => return Err(format!("there are {several} bobails, not 1")),
        }
        if bobail & self.board.inner() == 0 {
            return Err("the bobail is on a home row: play stops one ply before".into());
        }
        Ok(Position { pieces: Pieces { bobail, own, other }, first_turn: false, turn })
    }

    /// Reads a position without the player to move at its end.
    fn read(&self, text: &str, turn: Player) -> Result<Position, NotationError> {
        let (rows, mark) = match text.split_once(',') {
            Some((rows, mark)) => (rows, Some(mark.trim())),
            None => (text, None),
        };
        if let Some(mark) = mark.filter(|mark| *mark != FIRST) {
            let problem = format!("\"{mark}\" is no mark: expected {FIRST}, or nothing");
            return Err(NotationError::new(problem));
        }
        let mut sets = [0; 3];
        self.grid().read(rows, |square, kind| sets[kind] |= 1 << square)?;
        let position = self.position(sets, turn).map_err(NotationError::new)?;
        if mark.is_some() && !self.starts.contains(&position.pieces) {
            let problem = "the first turn is made with all pieces where they are at the start";
            return Err(NotationError::new(problem));
        }
        Ok(Position { first_turn: mark.is_some(), ..position })
    }

    /// The squares that a turn touches, as white sees them: from where and to where the bobail goes,
    /// if it moves, and then the man.
    fn squares_touched(&self, from: &Position, to: &Position) -> Vec<usize> {
        let before = from.pieces;
        let after = self.board.turned_pieces(&to.pieces);
        let man = [before.own & !after.own, after.own & !before.own];
        let parts =
            if from.first_turn { vec![man] } else { vec![[before.bobail, after.bobail], man] };
        let square = |set: u32| self.upright(set, from.turn).trailing_zeros() as usize;
        parts.into_iter().flatten().map(square).collect()
    }
}

impl Notation for Bobail {
    fn player(&self, player: Player) -> &str {
        NAMES[player.index()]
    }

    fn rules(&self) -> Option<String> {
        let size = shared::size(self.parameters.columns, self.parameters.rows);
        let men = self.men();
        let distance = match self.parameters.rules {
            Rules::Official => "as far as it can go",
            Rules::Flexible => "any number of squares, but at least one",
        };
        Some(format!(
            "The board has {size}. Each player has {men} men on the home row, and white's is the lowest. \
             The bobail in the middle is nobody's. White begins, and moves only a man in the first turn. \
             In every other turn, a player first moves the bobail one step to a free square next to it, \
             in any direction. Then the player moves an own man in a straight line over free squares, in \
             any of eight directions, {distance}. When the bobail comes to a home row, play is over at \
             once, and the player whose row it is wins. Play stops one ply before: that turn is not \
             listed. A turn is not legal if no own man can move after the bobail did. A player without a \
             legal turn loses. Endless play is a draw."
        ))
    }

    fn write_state(&self, position: &Position) -> String {
        let sets = self.sets(position);
        let rows = self.grid().write(|square, kind| sets[kind] >> square & 1 == 1);
        let mark = if position.first_turn { "first," } else { "" };
        format!("{rows},{mark}{}", self.player(position.turn))
    }

    fn parse_state(&self, text: &str) -> Result<Position, NotationError> {
        let expected = format!("{}, {FIRST} in the first turn, and who is to move", self.grid());
        board::read_position(self, text, expected, |text| {
            let (text, turn) = board::split_turn(self, text)?;
            self.read(text, turn)
        })
    }

    /// From where to where the bobail goes, and then the man: `white b3-c4 a1-a3`. In the first turn
    /// only the man.
    fn write_move(&self, from: &Position, to: &Position) -> String {
        let grid = self.grid();
        let squares = self.squares_touched(from, to);
        let parts = squares.chunks(2).map(|part| {
            let names: Vec<String> = part.iter().map(|&square| grid.name(square)).collect();
            names.join("-")
        });
        format!("{} {}", self.player(from.turn), parts.collect::<Vec<String>>().join(" "))
    }

    fn draw(&self, position: &Position) -> String {
        let sets = self.sets(position);
        let rows = self.grid().write(|square, kind| sets[kind] >> square & 1 == 1);
        let rule = if position.first_turn { ", only a man in the first turn" } else { "" };
        format!("{}\n{} to move{rule}", rows.replace('/', "\n"), self.player(position.turn))
    }

    fn scene(&self, position: &Position) -> Option<Scene> {
        let mut scene = self.grid().scene();
        let sets = self.sets(position);
        for player in Player::BOTH {
            scene.put_on(sets[player.index()].into(), &man(player));
        }
        scene.put_on(sets[BOBAIL].into(), &bobail());
        Some(scene)
    }

    fn kit(&self) -> Kit {
        Kit::singles([bobail()]).and(Kit::new(Player::BOTH.map(man)))
    }

    /// The first turn, if all pieces are where they are at the start.
    fn set_up(&self, scene: &Scene, turn: Player) -> Result<Position, NotationError> {
        let mut sets = [0; 3];
        for (square, piece) in scene.pieces() {
            sets[piece.side().map_or(BOBAIL, Player::index)] |= 1 << square;
        }
        let position = self.position(sets, turn).map_err(NotationError::new)?;
        let first_turn = self.starts.contains(&position.pieces);
        Ok(Position { first_turn, ..position })
    }

    fn move_places(&self, from: &Position, to: &Position) -> Vec<usize> {
        self.squares_touched(from, to)
    }

    fn with_other_mover(&self, position: &Position) -> Option<Position> {
        let pieces = self.board.turned_pieces(&position.pieces);
        let exists = !position.first_turn || self.starts.contains(&pieces);
        exists.then_some(Position { pieces, turn: position.turn.opponent(), ..*position })
    }
}
