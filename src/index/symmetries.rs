//! Groups of symmetries of a board, and the placements that they move.

use std::collections::HashSet;
use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use crate::index::bits::{MOST_CELLS, check_cells};
use crate::index::error::IndexError;

/// The most elements that a group of [`Symmetries`] can have: 1,024.
///
/// For comparison: the square has 8, and the cube of 4 x 4 x 4 cells has 192 that keep its lines.
pub const MOST_SYMMETRIES: usize = 1024;

/// The number of cells that are looked up at once: few enough for the tables of all elements to
/// stay in the fastest cache.
const STEP: u32 = 6;
/// The number of sets of [`STEP`] cells.
const STEP_SETS: usize = 1 << STEP;

/// A group of symmetries of a board: permutations of its cells, with the identity, closed under
/// composition.
///
/// The elements are numbered from 0, the identity, in ascending order of their lists of images.
/// Their numbers depend only on the group, not on its generators.
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
/// # Ok::<(), retrograde::error::IndexError>(())
/// ```
///
/// # Cost
/// Applying an element to a set takes a load for every six cells of the board. The tables take 512
/// bytes for every six cells and element: 32 KB for a board of 24 cells with 16 symmetries.
///
/// With serde a group is written as its generators.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Written")]
pub struct Symmetries {
    cells: u32,
    generators: Vec<Vec<u8>>,
    /// The image of each cell under each element; the elements are ascending.
    #[serde(skip_serializing)]
    images: Vec<Vec<u8>>,
    #[serde(skip_serializing)]
    inverses: Vec<u16>,
    /// The number of tables of each element.
    #[serde(skip_serializing)]
    steps: usize,
    /// For each element and each six cells: the image of each set of them.
    #[serde(skip_serializing)]
    tables: Vec<[u64; STEP_SETS]>,
}

/// The serialized form of [`Symmetries`].
#[derive(Deserialize)]
#[serde(rename = "Symmetries", deny_unknown_fields)]
struct Written {
    cells: u32,
    generators: Vec<Vec<u8>>,
}

impl TryFrom<Written> for Symmetries {
    type Error = IndexError;

    fn try_from(Written { cells, generators }: Written) -> Result<Symmetries, IndexError> {
        Symmetries::new(cells, &generators)
    }
}

impl Symmetries {
    /// The group that these permutations of a board of `cells` cells generate: the identity, the
    /// permutations, and all their compositions. A generator is a list of images: entry i is the
    /// cell to which it takes cell i.
    ///
    /// ```
    /// use retrograde::index::Symmetries;
    ///
    /// let quarter_turn = vec![1, 2, 3, 0];
    /// assert_eq!(Symmetries::new(4, &[quarter_turn])?.order(), 4);
    /// assert_eq!(Symmetries::new(4, &[])?.order(), 1);
    /// # Ok::<(), retrograde::error::IndexError>(())
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
        Ok(Symmetries { cells, generators: generators.to_vec(), images, inverses, steps, tables })
    }

    /// All turns and reflections of a rectangle whose cells are numbered row by row. A square has
    /// eight, another rectangle four, a single row or column two.
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

    /// The identity and the reflection that exchanges left and right, for a rectangle whose cells
    /// are numbered row by row. For boards on which up and down differ.
    ///
    /// # Errors
    /// When there are more than 64 cells.
    pub fn left_right(columns: u32, rows: u32) -> Result<Symmetries, IndexError> {
        let cells = rectangle_cells(columns, rows)?;
        let image = |cell| cell / columns * columns + columns - 1 - cell % columns;
        Symmetries::new(cells, &[(0..cells).map(|cell| image(cell) as u8).collect()])
    }

    /// The number of cells of the board.
    #[inline]
    #[must_use]
    pub fn cells(&self) -> u32 {
        self.cells
    }

    /// The number of elements of the group, from 1 to [`MOST_SYMMETRIES`].
    #[inline]
    #[must_use]
    pub fn order(&self) -> usize {
        self.images.len()
    }

    /// The image of each cell under an element of the group: entry i is the image of cell i.
    ///
    /// # Panics
    /// If the group has no such element.
    #[inline]
    #[must_use]
    pub fn images(&self, element: usize) -> &[u8] {
        &self.images[element]
    }

    /// The image of a set of cells under an element of the group. Cells beyond the board are
    /// ignored.
    ///
    /// # Panics
    /// If the group has no such element.
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

    /// The element of the group that does `first` and then `second`. Takes a search among all
    /// elements.
    ///
    /// # Panics
    /// If the group has no such elements.
    #[must_use]
    pub fn compose(&self, first: usize, second: usize) -> usize {
        place(&self.images, &product(&self.images[first], &self.images[second]))
    }

    /// The element of the group that undoes `element`.
    ///
    /// # Panics
    /// If the group has no such element.
    #[inline]
    #[must_use]
    pub fn inverse(&self, element: usize) -> usize {
        usize::from(self.inverses[element])
    }
}

/// A placement of pieces on the cells of a board, which the symmetries of the board can move.
///
/// A set of cells, an array of sets (one for each kind of piece) and a pair of two placements are
/// placements. A game's own type needs two short methods:
///
/// ```
/// use retrograde::index::Placement;
///
/// #[derive(Clone, Copy, Debug, PartialEq, Eq)]
/// struct Kings {
///     white: u8,
///     black: u8,
/// }
///
/// impl Placement for Kings {
///     fn occupied(self) -> u64 {
///         1 << self.white | 1 << self.black
///     }
///     fn map(self, mut image: impl FnMut(u64) -> u64) -> Kings {
///         let mut square = |square: u8| image(1 << square).trailing_zeros() as u8;
///         Kings { white: square(self.white), black: square(self.black) }
///     }
/// }
/// ```
pub trait Placement: Copy + Eq + Debug {
    /// The set of all occupied cells.
    fn occupied(self) -> u64;

    /// The placement in which each set of cells is replaced by its image. The closure is called
    /// with a set of cells and returns a set with the same number of cells.
    #[must_use]
    fn map(self, image: impl FnMut(u64) -> u64) -> Self;

    /// The image of the placement under an element of a group of symmetries.
    #[inline]
    #[must_use]
    fn moved(self, symmetries: &Symmetries, element: usize) -> Self {
        self.map(|set| symmetries.apply(element, set))
    }
}

impl Placement for u64 {
    #[inline]
    fn occupied(self) -> u64 {
        self
    }

    #[inline]
    fn map(self, mut image: impl FnMut(u64) -> u64) -> u64 {
        image(self)
    }
}

impl<const KINDS: usize> Placement for [u64; KINDS] {
    #[inline]
    fn occupied(self) -> u64 {
        self.into_iter().fold(0, |all, set| all | set)
    }

    #[inline]
    fn map(self, image: impl FnMut(u64) -> u64) -> [u64; KINDS] {
        // The array's own method.
        <[u64; KINDS]>::map(self, image)
    }
}

impl<A: Placement, B: Placement> Placement for (A, B) {
    #[inline]
    fn occupied(self) -> u64 {
        self.0.occupied() | self.1.occupied()
    }

    #[inline]
    fn map(self, mut image: impl FnMut(u64) -> u64) -> (A, B) {
        (self.0.map(&mut image), self.1.map(&mut image))
    }
}

/// The number of cells of a rectangle, if it is not too large for a board.
fn rectangle_cells(columns: u32, rows: u32) -> Result<u32, IndexError> {
    let cells = columns.saturating_mul(rows);
    check_cells(cells, MOST_CELLS)?;
    Ok(cells)
}

/// Checks that a generator takes different cells to different cells.
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

/// All elements of the group that the generators make, ascending. The identity comes first.
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

/// The permutation that does `first` and then `second`.
fn product(first: &[u8], second: &[u8]) -> Vec<u8> {
    first.iter().map(|&cell| second[usize::from(cell)]).collect()
}

/// The place of a permutation among the elements of its group.
fn place(elements: &[Vec<u8>], permutation: &Vec<u8>) -> usize {
    elements.partition_point(|element| element < permutation)
}

/// The images of all sets of up to six cells, from the images of the cells.
fn table(images: &[u8]) -> [u64; STEP_SETS] {
    std::array::from_fn(|set| {
        let images = images.iter().enumerate();
        images.fold(0, |image, (cell, &to)| image | ((set >> cell & 1) as u64) << to)
    })
}
