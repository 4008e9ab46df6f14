//! Groups of symmetries of a board.

use std::collections::HashSet;

use crate::index::IndexError;
use crate::index::bits::{MOST_CELLS, check_cells};

/// The most symmetries a board can have here; the cube of 4 x 4 x 4 cells has 192 that keep its lines.
pub const MOST_SYMMETRIES: usize = 1024;

/// How many cells are looked up at once: few enough that the tables of all elements stay in the
/// fastest cache.
const STEP: u32 = 6;
/// How many sets of so many cells there are.
const STEP_SETS: usize = 1 << STEP;

/// A group of symmetries of a board: permutations of its cells, with the identity, closed under
/// doing one after the other.
///
/// The elements are numbered from 0, the identity, in ascending order of their lists of images, so
/// that their numbers depend on the group alone and not on how it was described.
///
/// ```
/// use retrograde::index::Symmetries;
///
/// let board = Symmetries::rectangle(3, 3)?;
/// assert_eq!(board.order(), 8);
/// let top_row = 0b_000_000_111;
/// let images: Vec<u64> = (0..8).map(|element| board.apply(element, top_row)).collect();
/// let right_column = 0b_100_100_100;
/// assert!(images.contains(&right_column));
/// # Ok::<(), retrograde::index::IndexError>(())
/// ```
///
/// Applying an element to a set is a load for every six cells of the board, from tables of 512 bytes
/// for every six cells and element: those of a board of 24 cells with 16 symmetries take 32 KB.
#[derive(Clone, Debug)]
pub struct Symmetries {
    cells: u32,
    /// Where each element takes each cell, ascending.
    images: Vec<Vec<u8>>,
    inverses: Vec<u16>,
    /// How many tables each element has.
    steps: usize,
    /// For each element and each six cells: the image of each set of them.
    tables: Vec<[u64; STEP_SETS]>,
}

impl Symmetries {
    /// The group that these permutations of a board of `cells` cells generate: they, the identity,
    /// and whatever comes of doing one after the other. A generator says for each cell where it
    /// goes.
    ///
    /// ```
    /// use retrograde::index::Symmetries;
    ///
    /// let quarter_turn = vec![1, 2, 3, 0];
    /// assert_eq!(Symmetries::new(4, &[quarter_turn])?.order(), 4);
    /// assert_eq!(Symmetries::new(4, &[])?.order(), 1);
    /// # Ok::<(), retrograde::index::IndexError>(())
    /// ```
    ///
    /// # Errors
    /// When there are more than 64 cells, a generator is no permutation of them, or the group has
    /// more than [`MOST_SYMMETRIES`] elements.
    pub fn new(cells: u32, generators: &[Vec<u8>]) -> Result<Symmetries, IndexError> {
        check_cells(cells, MOST_CELLS)?;
        for (generator, images) in generators.iter().enumerate() {
            check_permutation(cells, generator, images)?;
        }
        let images = closure(cells, generators)?;
        let inverse = |element: &Vec<u8>| {
            let mut inverse = vec![0; element.len()];
            for (cell, &image) in (0..).zip(element) {
                inverse[usize::from(image)] = cell;
            }
            place(&images, &inverse) as u16
        };
        let inverses = images.iter().map(inverse).collect();
        let steps = cells.div_ceil(STEP) as usize;
        let parts = images.iter().flat_map(|element| element.chunks(STEP as usize));
        let tables = parts.map(table).collect();
        Ok(Symmetries { cells, images, inverses, steps, tables })
    }

    /// All turns and reflections of a rectangle, whose cells are numbered row by row: eight of a
    /// square, four of another rectangle, two of a single row or column.
    ///
    /// # Errors
    /// When there are more than 64 cells.
    pub fn rectangle(columns: u32, rows: u32) -> Result<Symmetries, IndexError> {
        let cells = rectangle_cells(columns, rows)?;
        let permutation = |image: &dyn Fn(u32, u32) -> u32| -> Vec<u8> {
            (0..cells).map(|cell| image(cell / columns, cell % columns) as u8).collect()
        };
        let mut generators = vec![
            permutation(&|row, column| row * columns + columns - 1 - column),
            permutation(&|row, column| (rows - 1 - row) * columns + column),
        ];
        if columns == rows {
            generators.push(permutation(&|row, column| column * columns + row));
        }
        Symmetries::new(cells, &generators)
    }

    /// The reflection of a rectangle that exchanges left and right, whose cells are numbered row by
    /// row, and the identity: for boards where up and down differ.
    ///
    /// # Errors
    /// When there are more than 64 cells.
    pub fn left_right(columns: u32, rows: u32) -> Result<Symmetries, IndexError> {
        let cells = rectangle_cells(columns, rows)?;
        let image = |cell| cell / columns * columns + columns - 1 - cell % columns;
        Symmetries::new(cells, &[(0..cells).map(|cell| image(cell) as u8).collect()])
    }

    /// How many cells the board has.
    #[inline]
    #[must_use]
    pub fn cells(&self) -> u32 {
        self.cells
    }

    /// How many elements the group has, from 1 to [`MOST_SYMMETRIES`].
    #[inline]
    #[must_use]
    pub fn order(&self) -> usize {
        self.images.len()
    }

    /// Where an element takes each cell.
    ///
    /// # Panics
    /// If there is no such element.
    #[inline]
    #[must_use]
    pub fn images(&self, element: usize) -> &[u8] {
        &self.images[element]
    }

    /// The set of the cells where an element takes those of `set`. Cells beyond the board are
    /// ignored.
    ///
    /// # Panics
    /// If there is no such element.
    #[inline]
    #[must_use]
    pub fn apply(&self, element: usize, mut set: u64) -> u64 {
        let mut image = 0;
        for table in &self.tables[element * self.steps..][..self.steps] {
            image |= table[set as usize % STEP_SETS];
            set >>= STEP;
        }
        image
    }

    /// The element that does `first` and then `second`.
    ///
    /// # Panics
    /// If there are no such elements.
    #[must_use]
    pub fn compose(&self, first: usize, second: usize) -> usize {
        place(&self.images, &product(&self.images[first], &self.images[second]))
    }

    /// The element that undoes `element`.
    ///
    /// # Panics
    /// If there is no such element.
    #[inline]
    #[must_use]
    pub fn inverse(&self, element: usize) -> usize {
        usize::from(self.inverses[element])
    }
}

fn rectangle_cells(columns: u32, rows: u32) -> Result<u32, IndexError> {
    let cells = columns.saturating_mul(rows);
    check_cells(cells, MOST_CELLS)?;
    Ok(cells)
}

fn check_permutation(cells: u32, generator: usize, images: &[u8]) -> Result<(), IndexError> {
    if images.len() != cells as usize {
        let found = images.len();
        return Err(IndexError::ImagesMissing { generator, found, cells });
    }
    let mut seen = 0_u64;
    for (cell, &image) in images.iter().enumerate() {
        if u32::from(image) >= cells {
            return Err(IndexError::ImageOffBoard { generator, cell, image, cells });
        }
        if seen >> image & 1 == 1 {
            return Err(IndexError::ImageTwice { generator, image });
        }
        seen |= 1 << image;
    }
    Ok(())
}

/// All that comes of doing generators one after the other, ascending: the identity is the first.
fn closure(cells: u32, generators: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, IndexError> {
    let identity: Vec<u8> = (0..cells as u8).collect();
    let mut known = HashSet::from([identity.clone()]);
    let mut open = vec![identity];
    while let Some(element) = open.pop() {
        for generator in generators {
            let next = product(&element, generator);
            if known.insert(next.clone()) {
                open.push(next);
            }
        }
        if known.len() > MOST_SYMMETRIES {
            return Err(IndexError::TooManySymmetries { most: MOST_SYMMETRIES });
        }
    }
    let mut elements: Vec<Vec<u8>> = known.into_iter().collect();
    elements.sort_unstable();
    Ok(elements)
}

/// First one permutation, then the other.
fn product(first: &[u8], second: &[u8]) -> Vec<u8> {
    first.iter().map(|&cell| second[usize::from(cell)]).collect()
}

/// The number of a permutation that is in the group.
fn place(elements: &[Vec<u8>], permutation: &Vec<u8>) -> usize {
    elements.partition_point(|element| element < permutation)
}

/// The image of each set of up to six cells.
fn table(images: &[u8]) -> [u64; STEP_SETS] {
    std::array::from_fn(|set| {
        let images = images.iter().enumerate();
        images.fold(0, |image, (cell, &to)| image | ((set >> cell & 1) as u64) << to)
    })
}
