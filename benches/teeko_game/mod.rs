//! Teeko (John Scarne, 1937 to 1968), written as by a newcomer: four men each on a board of 5 x 5,
//! first placed one by one, then moved by one cell in any of eight directions. Four in a row, or in
//! a square of 2 x 2, win: 44 shapes.
//!
//! A state consists of the men of the player to move and the men of the other, which folds the
//! exchange of colours. The eight symmetries of the board are folded by [`Folded`].

use std::sync::Arc;

use retrograde::error::IndexError;
use retrograde::index::{Combinations, Concatenated, Folded, OnFreeCells, Orbits, Symmetries};
use retrograde::{Game, Indexed, Outcome, Player, Players, Repeats};

/// A set of cells.
type Cells = u64;

/// The number of cells of a side of the board.
const SIDE: u32 = 5;
const CELLS: u32 = SIDE * SIDE;
const BOARD: Cells = (1 << CELLS) - 1;
/// The number of men of each player.
const MEN: u32 = 4;
/// The number of men on the board once all are placed.
const FULL: usize = 2 * MEN as usize;

/// The men of the player to move, and the men of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Men {
    pub(crate) mover: Cells,
    pub(crate) other: Cells,
}

/// Teeko. With `PREDECESSORS`, it provides the predecessors of a state.
pub(crate) struct Teeko<const PREDECESSORS: bool> {
    /// The sets of four cells that win, by their lowest cell. Up to five sets have the same lowest
    /// cell.
    shapes: [[Cells; 5]; CELLS as usize],
    neighbours: [Cells; CELLS as usize],
    /// For each number of men on the board: the men of the player who has just moved, and beside
    /// them the men of the player to move.
    states: Concatenated<Folded<Combinations, OnFreeCells<Combinations>>>,
}

impl<const PREDECESSORS: bool> Teeko<PREDECESSORS> {
    pub(crate) fn new() -> Result<Self, IndexError> {
        let board = Arc::new(Symmetries::rectangle(SIDE, SIDE)?);
        let orbits = |men| Orbits::new(Combinations::new(CELLS, men)?, Arc::clone(&board));
        let orbits =
            (0..=MEN).map(|men| Ok(Arc::new(orbits(men)?))).collect::<Result<Vec<_>, _>>()?;
        let placed = (0..=FULL as u32).map(|men| {
            let (mover, other) = (men / 2, men.div_ceil(2));
            let rest = OnFreeCells::new(CELLS, Combinations::new(CELLS - other, mover)?)?;
            Folded::new(Arc::clone(&orbits[other as usize]), rest)
        });
        let states = Concatenated::new(placed.collect::<Result<_, _>>()?)?;
        Ok(Teeko { shapes: shapes(), neighbours: neighbours(), states })
    }

    /// The number of men on the board.
    fn placed(&self, men: &Men) -> usize {
        (men.mover | men.other).count_ones() as usize
    }

    fn is_won(&self, men: Cells) -> bool {
        men != 0 && self.shapes[men.trailing_zeros() as usize].contains(&men)
    }
}

/// The cell in this column and row, if it is on the board.
fn cell(column: u32, row: u32) -> Option<Cells> {
    (column < SIDE && row < SIDE).then(|| 1 << (row * SIDE + column))
}

/// The sets of four cells that win, by their lowest cell.
fn shapes() -> [[Cells; 5]; CELLS as usize] {
    let row = [(0, 0), (1, 0), (2, 0), (3, 0)];
    let column = [(0, 0), (0, 1), (0, 2), (0, 3)];
    let falling = [(0, 0), (1, 1), (2, 2), (3, 3)];
    let rising = [(3, 0), (2, 1), (1, 2), (0, 3)];
    let square = [(0, 0), (1, 0), (0, 1), (1, 1)];
    let mut shapes = [[0; 5]; CELLS as usize];
    for (shape, offsets) in [row, column, falling, rising, square].into_iter().enumerate() {
        for (right, down) in (0..SIDE).flat_map(|right| (0..SIDE).map(move |down| (right, down))) {
            let mut cells = offsets.iter().map(|&(x, y)| cell(x + right, y + down));
            if let Some(cells) = cells.try_fold(0, |all, cell| Some(all | cell?)) {
                shapes[cells.trailing_zeros() as usize][shape] = cells;
            }
        }
    }
    shapes
}

/// For each cell, the up to eight cells around it.
fn neighbours() -> [Cells; CELLS as usize] {
    std::array::from_fn(|at| {
        let (column, row) = (at as u32 % SIDE, at as u32 / SIDE);
        let near = |from: u32| from.saturating_sub(1)..=from + 1;
        let around =
            near(row).flat_map(|row| near(column).filter_map(move |column| cell(column, row)));
        around.fold(0, |all, cell| all | cell) & !(1 << at)
    })
}

/// The cells of a set, one by one.
fn each(mut cells: Cells) -> impl Iterator<Item = Cells> {
    std::iter::from_fn(move || {
        let lowest = cells & cells.wrapping_neg();
        cells ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

impl<const PREDECESSORS: bool> Teeko<PREDECESSORS> {
    /// Visits the sets after moving one of these men to one of the free cells around it.
    fn shifts(&self, men: Cells, free: Cells, mut visit: impl FnMut(Cells)) {
        for from in each(men) {
            for to in each(self.neighbours[from.trailing_zeros() as usize] & free) {
                visit(men ^ from ^ to);
            }
        }
    }
}

impl<const PREDECESSORS: bool> Game for Teeko<PREDECESSORS> {
    type State = Men;
    const PREDECESSORS: bool = PREDECESSORS;
    const PLAYERS: Players = Players::Unnamed;

    fn terminal(&self, men: &Men) -> Option<Outcome> {
        self.is_won(men.other).then_some(Outcome::MoverLoses)
    }

    fn moves(&self, men: &Men, mut visit: impl FnMut(Men)) {
        let &Men { mover, other } = men;
        let free = BOARD & !(mover | other);
        if mover.count_ones() < MEN {
            each(free).for_each(|cell| visit(Men { mover: other, other: mover | cell }));
        } else {
            self.shifts(mover, free, |moved| visit(Men { mover: other, other: moved }));
        }
    }

    /// The men of the other player stay. If no symmetry keeps them, all moves lead to different
    /// indices.
    fn degree(&self, men: &Men) -> Option<u64> {
        let &Men { mover, other } = men;
        let orbits = self.states.numberings()[self.placed(men)].orbits();
        if !PREDECESSORS || orbits.locate(other).symmetric {
            return None;
        }
        let free = BOARD & !(mover | other);
        Some(if mover.count_ones() < MEN {
            u64::from(free.count_ones())
        } else {
            let around = |from: Cells| self.neighbours[from.trailing_zeros() as usize] & free;
            each(mover).map(|from| u64::from(around(from).count_ones())).sum()
        })
    }

    fn predecessors(&self, men: &Men, mut visit: impl FnMut(Men)) {
        let &Men { mover, other } = men;
        let mut before = |cells: Cells| visit(Men { mover: cells, other: mover });
        if self.placed(men) == FULL {
            self.shifts(other, BOARD & !(mover | other), &mut before);
        }
        each(other).for_each(|cell| before(other ^ cell));
    }

    fn roots(&self) -> impl IntoIterator<Item = Men> {
        [Men { mover: 0, other: 0 }]
    }
}

impl<const PREDECESSORS: bool> Indexed for Teeko<PREDECESSORS> {
    const PREDECESSOR_INDICES: bool = PREDECESSORS;

    fn len(&self) -> u64 {
        self.states.len()
    }

    fn index(&self, men: &Men) -> u64 {
        self.states.rank((self.placed(men), (men.other, men.mover)))
    }

    fn unindex(&self, index: u64) -> Option<Men> {
        let (_, (other, mover)) = self.states.unrank(index)?;
        // The player to move has not won: play would be over.
        (!self.is_won(mover)).then_some(Men { mover, other })
    }

    /// The mover's men did not move last. They are folded once.
    fn predecessor_indices(&self, men: &Men, mut visit: impl FnMut(u64, Player)) -> Repeats {
        let placed = self.placed(men);
        let Some(fewer) = placed.checked_sub(1) else { return Repeats::Never };
        let orbit = self.states.numberings()[fewer].orbits().locate(men.mover);
        // The last man was placed, or moved once all are on the board.
        let beside = self.states.fold_orbit(fewer, orbit);
        let other = beside.carry(men.other);
        each(other).for_each(|cell| visit(beside.rank(other ^ cell), Player::First));
        if placed == FULL {
            let free = BOARD & !(beside.lead() | other);
            let beside = self.states.fold_orbit(FULL, orbit);
            self.shifts(other, free, |before| visit(beside.rank(before), Player::First));
        }
        if orbit.symmetric { Repeats::Maybe } else { Repeats::Never }
    }
}
