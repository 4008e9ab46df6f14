//! The cells that a cat and a mouse jump on.

use std::fmt;

use retrograde::board::{Grid, Names};
use thiserror::Error;

/// The most free cells a grid can have.
pub const MOST_CELLS: usize = 65_535;

/// Marks a place without a cell: one more than the last cell can be.
const NO_CELL: u16 = MOST_CELLS as u16;

/// The free cells of a grid, counted row by row from the top.
#[derive(Clone)]
pub struct Cells {
    grid: Grid,
    /// The place on the grid of each free cell, ascending.
    places: Vec<usize>,
    /// The free cell next to each, upwards, downwards, to the left and to the right.
    next: Vec<[u16; 4]>,
}

impl fmt::Debug for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (columns, rows) = (self.grid.columns(), self.grid.rows());
        write!(f, "{} free cells of {columns} x {rows}", self.len())
    }
}

/// An error in a grid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GridError {
    /// There are no cells at all.
    #[error("the grid is empty: expected rows of #, ., C, M and F")]
    Empty,
    /// A row is longer or shorter than the first.
    #[error("row {row} of the grid has {found} cells, where row 0 has {expected}")]
    Uneven {
        /// Which row, from 0.
        row: usize,
        /// How long it is.
        found: usize,
        /// How long it should be.
        expected: usize,
    },
    /// A character is none of those for a cell.
    #[error("row {row}, column {column} of the grid is {found:?}: expected #, ., C, M or F")]
    UnknownCell {
        /// Which row, from 0.
        row: usize,
        /// Which column, from 0.
        column: usize,
        /// The character that is there.
        found: char,
    },
    /// One of cat, mouse and food is not on the grid.
    #[error("the grid has no {0}: expected exactly one")]
    Missing(char),
    /// One of cat, mouse and food is there twice.
    #[error("the grid has a second {what} in row {row}, column {column}: expected exactly one")]
    Twice {
        /// Which of them.
        what: char,
        /// Which row, from 0.
        row: usize,
        /// Which column, from 0.
        column: usize,
    },
    /// There are too many free cells.
    #[error("the grid has {0} free cells: expected at most {MOST_CELLS}")]
    TooLarge(usize),
    /// An animal could not move at all.
    #[error("the {0}'s jump has length 0: expected at least 1")]
    NoJump(&'static str),
}

impl Cells {
    /// The free cells of these rows, and where the pieces are, each of which has to be there
    /// once.
    pub(super) fn new<const N: usize>(
        rows: &[String],
        pieces: [char; N],
    ) -> Result<(Cells, [u16; N]), GridError> {
        if rows.iter().all(String::is_empty) {
            return Err(GridError::Empty);
        }
        let columns = rows[0].chars().count();
        let mut places = Vec::new();
        let mut found = [None; N];
        for (row, text) in rows.iter().enumerate() {
            let length = text.chars().count();
            if length != columns {
                return Err(GridError::Uneven { row, found: length, expected: columns });
            }
            for (column, character) in text.chars().enumerate() {
                if character == '#' {
                    continue;
                }
                if let Some(piece) = pieces.iter().position(|&piece| piece == character) {
                    if found[piece].replace(places.len()).is_some() {
                        return Err(GridError::Twice { what: character, row, column });
                    }
                } else if character != '.' {
                    return Err(GridError::UnknownCell { row, column, found: character });
                }
                places.push(row * columns + column);
            }
        }
        if places.len() > MOST_CELLS {
            return Err(GridError::TooLarge(places.len()));
        }
        let mut at = [0; N];
        for (piece, found) in found.into_iter().enumerate() {
            at[piece] = found.ok_or(GridError::Missing(pieces[piece]))? as u16;
        }
        let grid = Grid::new(columns as u32, rows.len() as u32).with_names(Names::Numbers);
        let mut cells = Cells { grid, places, next: Vec::new() };
        cells.next = (0..cells.len()).map(|cell| cells.neighbours(cell as u16)).collect();
        Ok((cells, at))
    }

    fn neighbours(&self, cell: u16) -> [u16; 4] {
        let (column, row) = self.grid.place(self.place(cell));
        [(0, -1), (0, 1), (-1, 0), (1, 0)].map(|(right, down)| {
            let (column, row) = (column.checked_add_signed(right), row.checked_add_signed(down));
            let next = column.zip(row);
            let next = next.filter(|&(column, _)| column < self.grid.columns());
            let next = next.and_then(|(column, row)| self.at(self.grid.cell(column, row)));
            next.unwrap_or(NO_CELL)
        })
    }

    /// How many free cells there are.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// The grid, walls included.
    pub(super) fn grid(&self) -> Grid {
        self.grid
    }

    /// The place of a free cell on the grid.
    pub(super) fn place(&self, cell: u16) -> usize {
        self.places[usize::from(cell)]
    }

    /// The free cell at a place on the grid, if there is one.
    pub(super) fn at(&self, place: usize) -> Option<u16> {
        self.places.binary_search(&place).ok().map(|cell| cell as u16)
    }

    /// Visits a cell and every cell that a jump of at most `length` reaches from it.
    #[inline]
    pub(super) fn within(&self, cell: u16, length: u32, mut visit: impl FnMut(u16)) {
        visit(cell);
        for direction in 0..4 {
            let mut at = cell;
            for _ in 0..length {
                at = self.next[usize::from(at)][direction];
                if at == NO_CELL {
                    break;
                }
                visit(at);
            }
        }
    }
}
