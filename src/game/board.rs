//! A kit for games on boards of rows and columns: the names of cells, the notation of positions,
//! and their pictures.
//!
//! Cells are numbered row by row from the top left, like the places of [`Scene::board`]. A text has
//! a letter for each cell with a piece and a `.` for an empty one. A `/` separates rows; the first
//! row is the highest.
//!
//! ```
//! use retrograde::board::Grid;
//!
//! const GRID: Grid = Grid::new(3, 3).with_letters("xo");
//!
//! // The crosses and the noughts, one bit for each cell.
//! let mut marks = [0_u64; 2];
//! GRID.read("x../.o./...", |cell, kind| marks[kind] |= 1 << cell)?;
//! assert_eq!(marks, [0b1, 0b10_000]);
//! assert_eq!(GRID.write(|cell, kind| marks[kind] >> cell & 1 == 1), "x../.o./...");
//! assert_eq!((GRID.name(0), GRID.cell_named("b2")?), ("a3".into(), 4));
//!
//! let wrong = GRID.read("x../.o", |_, _| ()).unwrap_err();
//! assert_eq!(wrong.to_string(), "it has 2 rows, not 3");
//!
//! // The picture has a place for each cell, and the names of columns and rows beside it.
//! let mut scene = GRID.scene();
//! scene.put_on(marks[0], &retrograde::scene::Piece::cross());
//! # Ok::<(), retrograde::NotationError>(())
//! ```
//!
//! [`read_position`] turns the error for a part of a text into an error for the whole text, and
//! [`split_turn`] reads who is to move.

use std::fmt;

use crate::game::Player;
use crate::game::notation::{Notation, NotationError};
use crate::game::scene::{Coordinate, Edge, Scene};

/// A board of rows and columns: the names of its cells, and the letters of its pieces.
///
/// It consists of a few numbers, so it can be made wherever it is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    columns: u32,
    rows: u32,
    letters: &'static str,
    names: Names,
    /// Whether its picture has light and dark cells.
    chequered: bool,
}

/// The names of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Names {
    /// The letter of the column and the number of the row from the bottom, as in chess: `a1` is at
    /// the bottom left. For up to 26 columns.
    FromBottom,
    /// The letter of the column and the number of the row from the top, as in shogi: `a1` is at the
    /// top left. For up to 26 columns.
    FromTop,
    /// The numbers of row and column from 0: `r0c2` is in the highest row and the third column.
    Numbers,
}

impl Grid {
    /// A board of this size, without letters. Its cells have [names](Names) from the bottom, or
    /// numbers if there are more than 26 columns.
    ///
    /// # Panics
    /// If there are no columns, or no rows.
    #[must_use]
    pub const fn new(columns: u32, rows: u32) -> Grid {
        assert!(columns > 0 && rows > 0, "a board without cells");
        let names = if columns <= 26 { Names::FromBottom } else { Names::Numbers };
        Grid { columns, rows, letters: "", names, chequered: false }
    }

    /// This board with letters, one for each kind of piece. Kinds are numbered from 0.
    #[must_use]
    pub const fn with_letters(self, letters: &'static str) -> Grid {
        Grid { letters, ..self }
    }

    /// This board with other names of cells. If there are more than 26 columns, cells still have
    /// numbers.
    #[must_use]
    pub const fn with_names(self, names: Names) -> Grid {
        let names = if self.columns <= 26 { names } else { Names::Numbers };
        Grid { names, ..self }
    }

    /// This board with alternating light and dark cells on its [picture](Grid::scene). The cell at the top
    /// left is light.
    #[must_use]
    pub const fn chequered(self) -> Grid {
        Grid { chequered: true, ..self }
    }

    /// The number of columns.
    #[must_use]
    pub const fn columns(&self) -> u32 {
        self.columns
    }

    /// The number of rows.
    #[must_use]
    pub const fn rows(&self) -> u32 {
        self.rows
    }

    /// The number of cells.
    #[must_use]
    pub const fn cells(&self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// The cell at a column from the left and a row from the top.
    #[must_use]
    pub const fn cell(&self, column: u32, row: u32) -> usize {
        row as usize * self.columns as usize + column as usize
    }

    /// The column of a cell from the left, and its row from the top.
    #[must_use]
    pub const fn place(&self, cell: usize) -> (u32, u32) {
        let columns = self.columns as usize;
        ((cell % columns) as u32, (cell / columns) as u32)
    }

    fn column_name(&self, column: u32) -> String {
        match self.names {
            Names::Numbers => format!("c{column}"),
            _ => char::from(b'a' + column as u8).into(),
        }
    }

    fn row_name(&self, row: u32) -> String {
        match self.names {
            Names::FromBottom => (self.rows - row).to_string(),
            Names::FromTop => (row + 1).to_string(),
            Names::Numbers => format!("r{row}"),
        }
    }

    /// The name of a cell: see [`Names`].
    #[must_use]
    pub fn name(&self, cell: usize) -> String {
        let (column, row) = self.place(cell);
        match self.names {
            Names::Numbers => self.row_name(row) + &self.column_name(column),
            _ => self.column_name(column) + &self.row_name(row),
        }
    }

    /// The cell with this [name](Grid::name). The search goes through the names of columns and rows
    /// one by one.
    ///
    /// # Errors
    /// When no cell of the board has this name.
    pub fn cell_named(&self, text: &str) -> Result<usize, NotationError> {
        let find = || {
            let row_first = self.names == Names::Numbers;
            let (first, second) =
                text.split_at_checked(if row_first { text.find('c')? } else { 1 })?;
            let (column, row) = if row_first { (second, first) } else { (first, second) };
            let column = (0..self.columns).find(|&at| self.column_name(at) == column)?;
            let row = (0..self.rows).find(|&at| self.row_name(at) == row)?;
            Some(self.cell(column, row))
        };
        find().ok_or_else(|| {
            let [first, last] = [0, self.cells() - 1].map(|cell| self.name(cell));
            let message = format!("\"{text}\" is not a cell: the cells are {first} to {last}");
            NotationError::new(message)
        })
    }

    /// The rows as text, separated by `/`. `is_on` returns whether a piece of a kind is on a cell;
    /// the first kind for which it returns true is written.
    pub fn write(&self, is_on: impl Fn(usize, usize) -> bool) -> String {
        let letter = |cell| {
            let mut kinds = self.letters.chars().enumerate();
            kinds.find(|&(kind, _)| is_on(cell, kind)).map_or('.', |(_, letter)| letter)
        };
        let row = |row| (0..self.columns).map(|column| letter(self.cell(column, row))).collect();
        (0..self.rows).map(row).collect::<Vec<String>>().join("/")
    }

    /// Reads the text that [`write`](Grid::write) writes. Calls `put` with each cell that is not
    /// empty, and with the kind of the piece on it.
    ///
    /// # Errors
    /// When the number or the length of the rows is wrong, or a character is neither a `.` nor one
    /// of the letters. `put` may have been called before.
    pub fn read(&self, text: &str, put: impl FnMut(usize, usize)) -> Result<(), NotationError> {
        read_rows(text, &vec![self.columns as usize; self.rows as usize], self.letters, put)
    }

    /// A picture of the board with the [names](Grid::name) of its cells, and with the names of columns and rows
    /// beside it.
    #[must_use]
    pub fn scene(&self) -> Scene {
        let name = |column, row| self.name(self.cell(column, row));
        let mut scene = match self.chequered {
            false => Scene::board(self.columns, self.rows, name),
            true => Scene::chequered(self.columns, self.rows, name),
        };
        self.label(&mut scene, 1);
        scene
    }

    /// Writes the names of the rows on the left of a board that is drawn in another way, and the
    /// names of the columns below it. `apart` is the distance between the centres of neighbouring
    /// cells; the first centre is at `(0, 0)`.
    pub fn label(&self, scene: &mut Scene, apart: impl Coordinate) {
        let apart = apart.in_cells();
        for row in 0..self.rows {
            scene.label_at(Edge::Left, -0.75, apart * row as f32, &self.row_name(row));
        }
        let below = apart * (self.rows - 1) as f32 + 0.75;
        for column in 0..self.columns {
            scene.label_at(Edge::Below, apart * column as f32, below, &self.column_name(column));
        }
    }
}

/// The expected form of a text: `3 rows of 3 squares x, o or .`.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", counted(self.rows, "row"), counted(self.columns, "square"))?;
        let letters: Vec<String> = self.letters.chars().map(String::from).collect();
        if letters.is_empty() { Ok(()) } else { write!(f, " {} or .", letters.join(", ")) }
    }
}

fn counted(count: u32, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Reads rows of any `lengths` as [`Grid::read`] does: calls `put` with the number of each cell
/// that is not empty, and with the number of its letter among `letters`.
///
/// # Errors
/// When the number or the length of the rows is wrong, or a character is neither a `.` nor one of
/// the letters.
pub fn read_rows(
    text: &str,
    lengths: &[usize],
    letters: &str,
    mut put: impl FnMut(usize, usize),
) -> Result<(), NotationError> {
    let rows: Vec<&str> = text.split('/').map(str::trim).collect();
    if rows.len() != lengths.len() {
        let found = counted(rows.len() as u32, "row");
        return Err(NotationError::new(format!("it has {found}, not {}", lengths.len())));
    }
    let mut cells = 0..;
    for (row, &expected) in rows.into_iter().zip(lengths) {
        let length = row.chars().count();
        if length != expected {
            let found = counted(length as u32, "character");
            return Err(NotationError::new(format!("row \"{row}\" has {found}, not {expected}")));
        }
        for (letter, cell) in row.chars().zip(&mut cells) {
            match letters.chars().position(|known| known == letter) {
                Some(kind) => put(cell, kind),
                None if letter == '.' => {}
                None => {
                    let problem = format!("row \"{row}\" has a {letter:?}, not one of .{letters}");
                    return Err(NotationError::new(problem));
                }
            }
        }
    }
    Ok(())
}

/// Reads a position of a game with `read`, from the text without the surrounding space. If `read`
/// fails, the error is about the whole text: `"…" is not a position: …; expected …, as in …`. The
/// example is the [start](Notation::start).
///
/// # Errors
/// When `read` fails.
pub fn read_position<G: Notation, S>(
    game: &G,
    text: &str,
    expected: impl fmt::Display,
    read: impl FnOnce(&str) -> Result<S, NotationError>,
) -> Result<S, NotationError> {
    read(text.trim()).map_err(|problem| {
        let message = format!("\"{text}\" is not a position: {problem}; expected {expected}");
        let error = NotationError::new(message);
        match game.start() {
            Some(start) => error.with_example(game.write_state(&start)),
            None => error,
        }
    })
}

/// The part of a text before its last comma, and the [player](Notation::player) who is named after
/// it.
///
/// # Errors
/// When there is no comma, or no player of this name.
pub fn split_turn<'t, G: Notation>(
    game: &G,
    text: &'t str,
) -> Result<(&'t str, Player), NotationError> {
    let Some((rest, turn)) = text.rsplit_once(',') else {
        return Err(NotationError::new("it does not say who is to move"));
    };
    let (rest, turn) = (rest.trim(), turn.trim());
    let is_named = |player: &Player| game.player(*player) == turn;
    let player = Player::BOTH.into_iter().find(is_named).ok_or_else(|| {
        let [first, second] = Player::BOTH.map(|player| game.player(player));
        NotationError::new(format!("\"{turn}\" is not to move: expected {first} or {second}"))
    })?;
    Ok((rest, player))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_found_by_its_name_and_no_other_text_is_one() {
        for names in [Names::FromBottom, Names::FromTop, Names::Numbers] {
            for (columns, rows) in [(3, 4), (1, 12), (26, 1), (27, 2)] {
                let grid = Grid::new(columns, rows).with_names(names);
                for cell in 0..grid.cells() {
                    assert_eq!(grid.cell_named(&grid.name(cell)), Ok(cell), "{grid:?}");
                }
                for text in ["", "a", "a0", "a13", "A1", "é1", "a+1", "a01", "r0", "r0c00", "r0c27"]
                {
                    assert!(grid.cell_named(text).is_err(), "{text} on {grid:?}");
                }
            }
        }
        let names = |names| [0, 11].map(|cell| Grid::new(3, 4).with_names(names).name(cell));
        assert_eq!(names(Names::FromBottom), ["a4", "c1"]);
        assert_eq!(names(Names::FromTop), ["a1", "c4"]);
        assert_eq!(names(Names::Numbers), ["r0c0", "r3c2"]);
        let wrong = Grid::new(8, 8).cell_named("i4").unwrap_err();
        assert_eq!(wrong.to_string(), "\"i4\" is not a cell: the cells are a8 to h1");
    }

    #[test]
    fn rows_are_read_back_and_others_refused() {
        let grid = Grid::new(2, 3).with_letters("wb");
        assert_eq!(grid.to_string(), "3 rows of 2 squares w, b or .");
        let read = |text: &str| {
            let mut cells = [0; 2];
            grid.read(text, |cell, kind| cells[kind] |= 1 << cell).map(|()| cells)
        };
        for text in ["../../..", "wb/b./.w", "ww/ww/bb"] {
            let cells = read(text).unwrap();
            assert_eq!(grid.write(|cell, kind| cells[kind] >> cell & 1 == 1), text);
        }
        for (text, problem) in [
            ("", "it has 1 row, not 3"),
            ("ww/bb/../..", "it has 4 rows, not 3"),
            ("ww/b/..", "row \"b\" has 1 character, not 2"),
            ("ww/bb/x.", "row \"x.\" has a 'x', not one of .wb"),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), problem);
        }
    }
}
