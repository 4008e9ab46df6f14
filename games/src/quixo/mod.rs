//! Quixo: a board of cubes, from whose border a blank or own cube is taken and pushed back in.
//!
//! A move takes a cube from the border of the board, one that is blank or bears the mover's mark,
//! and pushes it back in at another end of its row or column; it bears the mover's mark from then
//! on, and the cubes between move up by one. A full line of one mark wins for its player; a move
//! that makes a line of each loses. Play may go round in circles: endless play is a draw.
//!
//! A board is seen by the player to move: [`Quixo`] gives one index to each arrangement of own,
//! other and blank cubes, whoever is to move. That includes arrangements that play never reaches.

mod folding;
mod pushes;

use retrograde::board::{self, Grid, Names};
use retrograde::index::DisjointSets;
use retrograde::scene::{Kit, Piece, Scene};
use retrograde::{
    Game, Indexed, Notation, NotationError, Numbered, Outcome, Player, Players, scheme,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::shared;
use folding::Folding;
use pushes::{Line, Pushes, Square, Way};

/// The sizes that a board may have.
const SIZES: std::ops::RangeInclusive<u32> = 2..=5;

/// The greatest size of a board whose turns and reflections share an index. Beyond it, the tables
/// for that would be too large.
const MOST_FOLDED: u32 = 4;

/// How far the centres of cubes are from each other on a picture, so that there are gaps between
/// them.
const CUBES_APART: f32 = 1.1;

/// Two of each kind, as on a board of five by five.
const MOST_LINES: usize = 12;

/// The parameters of a game of Quixo, which are its options on the command line, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::Args)]
pub struct QuixoParameters {
    /// The number of rows and of columns, from 2 to 5
    #[arg(long, value_name = "CUBES", default_value_t = 4)]
    pub size: u32,
    /// Give turns and reflections of a board indices of their own (always so with size 5)
    #[arg(long)]
    pub unfolded: bool,
}

/// An error in the parameters of a game of Quixo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum QuixoError {
    /// The board is too small or too large.
    #[error("a board of size {0}: expected a size from 2 to 5")]
    Size(u32),
}

/// The game of Quixo.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "QuixoParameters", into = "QuixoParameters")]
pub struct Quixo {
    parameters: QuixoParameters,
    /// The squares of every line; the places beyond those that the board has hold one that no set
    /// of squares contains.
    lines: [u32; MOST_LINES],
    pushes: Pushes,
    numbering: Numbering,
}

/// How boards are numbered, as the player to move sees them.
#[derive(Clone, Debug)]
enum Numbering {
    Folded(Box<Folding>),
    Unfolded(DisjointSets),
}

/// The cubes on the board, a bit a square, row by row from the top left, as the player to move sees
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Board {
    /// The squares with the mark of the player to move.
    own: u32,
    /// The squares with the other player's mark.
    other: u32,
    /// The player to move.
    turn: Player,
}

impl Board {
    /// The cubes with the mark of each player.
    fn marks(&self) -> [u32; 2] {
        let mut marks = [self.own; 2];
        marks[self.turn.opponent().index()] = self.other;
        marks
    }

    /// The board with these cubes of each player.
    fn of_marks(marks: [u32; 2], turn: Player) -> Board {
        Board { own: marks[turn.index()], other: marks[turn.opponent().index()], turn }
    }
}

impl Quixo {
    /// The game with these parameters.
    ///
    /// # Errors
    /// When the size is not from 2 to 5.
    pub fn new(parameters: QuixoParameters) -> Result<Quixo, QuixoError> {
        let size = parameters.size;
        if !SIZES.contains(&size) {
            return Err(QuixoError::Size(size));
        }
        let numbering = if size <= MOST_FOLDED && !parameters.unfolded {
            Numbering::Folded(Box::new(Folding::new(size)))
        } else {
            let boards = DisjointSets::new(size * size).map_err(|_| QuixoError::Size(size))?;
            Numbering::Unfolded(boards)
        };
        Ok(Quixo { parameters, lines: lines(size), pushes: Pushes::new(size), numbering })
    }

    fn size(&self) -> u32 {
        self.parameters.size
    }

    #[inline]
    fn has_line(&self, set: u32) -> bool {
        // Without an early end, so that several lines are compared at once.
        self.lines.iter().fold(false, |found, line| found | (set & line == *line))
    }

    fn grid(&self) -> Grid {
        Grid::new(self.size(), self.size()).with_letters("ox").with_names(Names::Numbers)
    }

    fn name(&self, square: Square) -> String {
        self.grid().name(square as usize)
    }

    /// The first way to push that leads from one board to the other.
    fn way_between(&self, from: &Board, to: &Board) -> Option<Way> {
        self.ways_between(from, to).next()
    }

    /// Notes for people on a large board.
    fn notes(&self) -> Vec<String> {
        let size = self.size();
        if size <= MOST_FOLDED {
            return Vec::new();
        }
        vec![format!("all 3^{} boards of size {size} are solved, reachable or not", size * size)]
    }

    /// All moves that make one board of another.
    fn ways_between(&self, from: &Board, to: &Board) -> impl Iterator<Item = Way> {
        let (before, after) = ((from.own, from.other), (to.other, to.own));
        let leads_there = move |way: &Way| way.push(before.0, before.1) == Some(after);
        pushes::ways(self.size()).into_iter().filter(leads_there)
    }
}

/// The squares of every row, column and diagonal.
fn lines(size: u32) -> [u32; MOST_LINES] {
    let diagonals = [size + 1, size - 1].map(|step| {
        let start = if step > size { 0 } else { size - 1 };
        (0..size).fold(0, |set, at| set | 1 << (start + at * step))
    });
    let straight = Line::all(size).map(|line| (0..size).fold(0, |set, at| set | 1 << line.at(at)));
    let mut lines = [u32::MAX; MOST_LINES];
    lines.iter_mut().zip(straight.chain(diagonals)).for_each(|(place, line)| *place = line);
    lines
}

impl Game for Quixo {
    type State = Board;
    const PREDECESSORS: bool = true;
    const PLAYERS: Players = Players::Folded;

    #[inline]
    fn turn(&self, board: &Board) -> Player {
        board.turn
    }

    #[inline]
    fn terminal(&self, board: &Board) -> Option<Outcome> {
        // Only a move of the other's can have made both, which has made the mover win.
        if self.has_line(board.own) {
            Some(Outcome::Win(board.turn))
        } else {
            self.has_line(board.other).then(|| Outcome::Win(board.turn.opponent()))
        }
    }

    #[inline]
    fn moves(&self, board: &Board, mut visit: impl FnMut(Board)) {
        let turn = board.turn.opponent();
        self.pushes.forth(board.own, board.other, |own, other| {
            visit(Board { own: other, other: own, turn });
        });
    }

    #[inline]
    fn predecessors(&self, board: &Board, mut visit: impl FnMut(Board)) {
        let turn = board.turn.opponent();
        self.pushes.back(board.other, board.own, |own, other| visit(Board { own, other, turn }));
    }

    fn roots(&self) -> impl IntoIterator<Item = Board> {
        [Board { own: 0, other: 0, turn: Player::First }]
    }

    fn canonical(&self, board: &Board) -> Board {
        let normal = Board { turn: Player::First, ..*board };
        match &self.numbering {
            Numbering::Folded(_) => self.unindex(self.index(board)).unwrap_or(normal),
            Numbering::Unfolded(_) => normal,
        }
    }
}

/// The index is that of the board as the player to move sees it.
impl Indexed for Quixo {
    #[inline]
    fn len(&self) -> u64 {
        match &self.numbering {
            Numbering::Folded(folding) => folding.len(),
            Numbering::Unfolded(boards) => boards.len(),
        }
    }

    #[inline]
    fn index(&self, board: &Board) -> u64 {
        match &self.numbering {
            Numbering::Folded(folding) => folding.index(board.own, board.other),
            Numbering::Unfolded(boards) => boards.rank([board.own.into(), board.other.into()]),
        }
    }

    #[inline]
    fn unindex(&self, index: u64) -> Option<Board> {
        let (own, other) = match &self.numbering {
            Numbering::Folded(folding) => folding.unindex(index)?,
            Numbering::Unfolded(boards) => {
                let [own, other] = boards.unrank(index);
                (own as u32, other as u32)
            }
        };
        Some(Board { own, other, turn: Player::First })
    }
}

/// A player's mark on a picture.
fn drawn(player: Player) -> Piece {
    [Piece::nought(), Piece::cross()][player.index()].clone().of(player)
}

impl Notation for Quixo {
    fn player(&self, player: Player) -> &str {
        ["o", "x"][player.index()]
    }

    fn rules(&self) -> Option<String> {
        let size = self.parameters.size;
        let first = self.player(Player::First);
        Some(format!(
            "The board is a square of {size} x {size} cubes, all blank at first. In turns, beginning \
             with {first}, players take a cube from the border that is blank or has their own mark. \
             They turn it to their mark and push it back in at another end of its row or column. The \
             cubes between move up by one. A full row, column or long diagonal of one mark wins for \
             the player of that mark. A player whose move completes a line of both marks loses. \
             Endless play is a draw."
        ))
    }

    fn write_state(&self, board: &Board) -> String {
        let marks = board.marks();
        let rows = self.grid().write(|square, player| marks[player] >> square & 1 == 1);
        format!("{rows},{}", self.player(board.turn))
    }

    fn parse_state(&self, text: &str) -> Result<Board, NotationError> {
        let grid = self.grid();
        board::read_position(self, text, format_args!("{grid}, and who is to move"), |text| {
            let (rows, turn) = board::split_turn(self, text)?;
            let mut marks = [0; 2];
            grid.read(rows, |square, player| marks[player] |= 1 << square)?;
            Ok(Board::of_marks(marks, turn))
        })
    }

    /// Where the cube is taken, and where it is pushed in: `o r0c1-r0c3`. Several moves may make
    /// one board; this is the first of them.
    fn write_move(&self, from: &Board, to: &Board) -> String {
        self.way_between(from, to).map_or_else(
            || self.write_state(to),
            |way| {
                let [taken, pushed] = way.ends().map(|square| self.name(square));
                format!("{} {taken}-{pushed}", self.player(from.turn))
            },
        )
    }

    fn draw(&self, board: &Board) -> String {
        let text = self.write_state(board).replace('/', "\n");
        text.replace(',', "\n") + " to move"
    }

    /// The cubes, seen from above. A blank one is an empty place.
    fn scene(&self, board: &Board) -> Option<Scene> {
        let size = self.size();
        let mut scene = Scene::new();
        for square in 0..size * size {
            let [x, y] = [square % size, square / size].map(|at| CUBES_APART * at as f32);
            scene.cell(x, y, &self.name(square));
        }
        self.grid().label(&mut scene, CUBES_APART);
        for (player, marks) in Player::BOTH.into_iter().zip(board.marks()) {
            scene.put_on(marks.into(), &drawn(player));
            shared::strike_won(
                &mut scene,
                self.lines.iter().map(|&line| line.into()),
                marks.into(),
            );
        }
        Some(scene)
    }

    fn kit(&self) -> Kit {
        Kit::new(Player::BOTH.map(drawn))
    }

    fn set_up(&self, scene: &Scene, turn: Player) -> Result<Board, NotationError> {
        let marks = Player::BOTH.map(|player| scene.places_of(player) as u32);
        Ok(Board::of_marks(marks, turn))
    }

    /// Where the cube is taken, and where it is pushed in.
    fn move_places(&self, from: &Board, to: &Board) -> Vec<usize> {
        let way = self.way_between(from, to);
        way.into_iter().flat_map(Way::ends).map(|square| square as usize).collect()
    }

    fn other_move_places(&self, from: &Board, to: &Board) -> Vec<Vec<usize>> {
        let ends = |way: Way| way.ends().map(|square| square as usize).to_vec();
        self.ways_between(from, to).skip(1).map(ends).collect()
    }

    fn with_other_mover(&self, board: &Board) -> Option<Board> {
        let &Board { own, other, turn } = board;
        Some(Board { own: other, other: own, turn: turn.opponent() })
    }
}

impl Numbered for Quixo {
    type Numberings = scheme::Dense;
}

shared::shipped! {
    Quixo, "quixo": "Quixo: cubes pushed in from the border, a full line wins",
    example: "--size 3",
    states: "the rows from the top, and who is to move: .ox/.../x..,o",
    parameters: QuixoParameters,
    made: Quixo::new, QuixoError,
    kept: |game| game.parameters,
    notes: Quixo::notes,
}
