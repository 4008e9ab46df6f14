//! One packed number a state: how many successors are open while its value is, then the value.

use hashbrown::HashMap;

use super::{SolveError, try_filled};
use crate::value::{ENDLESS, HOLE, WIN};

/// An open cell with this number has at least as many open successors; how many more is kept
/// aside. The open numbers are 1..=`MANY`, the settled ones begin at [`WIN`], and a hole is 0.
const MANY: u16 = WIN - 1;

/// The cells of all states.
pub(super) struct Cells {
    cells: Vec<u16>,
    /// How many open successors beyond [`MANY`] a state has.
    beyond: HashMap<u64, u64>,
}

impl Cells {
    /// A hole at every number.
    pub(super) fn holes(len: u64) -> Result<Cells, SolveError> {
        Ok(Cells { cells: try_filled(HOLE, len, "the values")?, beyond: HashMap::new() })
    }

    /// Opens a state with `degree` distinct successors, at least one.
    #[inline]
    pub(super) fn open(&mut self, number: u64, degree: u64) {
        let cell = degree.min(u64::from(MANY));
        self.cells[number as usize] = cell as u16;
        if degree > cell {
            self.beyond.insert(number, degree - cell);
        }
    }

    #[inline]
    pub(super) fn settle(&mut self, number: u64, packed: u16) {
        self.cells[number as usize] = packed;
    }

    #[inline]
    pub(super) fn get(&self, number: u64) -> u16 {
        self.cells[number as usize]
    }

    /// Whether the state is open; `None` if there is no such number.
    #[inline]
    pub(super) fn is_open(&self, number: u64) -> Option<bool> {
        Some(is_open(*self.cells.get(number as usize)?))
    }

    /// Takes one from the open successors of an open state; says whether that was the last.
    #[inline]
    pub(super) fn count_down(&mut self, number: u64) -> bool {
        let cell = &mut self.cells[number as usize];
        if *cell == MANY && self.beyond.get(&number).is_some() {
            return self.count_down_beyond(number);
        }
        *cell -= 1;
        *cell == 0
    }

    #[cold]
    fn count_down_beyond(&mut self, number: u64) -> bool {
        if let Some(beyond) = self.beyond.get_mut(&number) {
            *beyond -= 1;
            if *beyond == 0 {
                self.beyond.remove(&number);
            }
        }
        false
    }

    /// The packed values, once nothing more can be settled: what is open is endless.
    pub(super) fn into_values(mut self) -> Vec<u16> {
        for cell in &mut self.cells {
            if is_open(*cell) {
                *cell = ENDLESS;
            }
        }
        self.cells
    }
}

#[inline]
fn is_open(cell: u16) -> bool {
    cell.wrapping_sub(1) < MANY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_with_more_successors_than_a_cell_can_count_is_counted_to_the_last() {
        for degree in [1, u64::from(MANY) - 1, u64::from(MANY), u64::from(MANY) + 1, 70_000] {
            let mut cells = Cells::holes(2).unwrap();
            cells.open(1, degree);
            for _ in 1..degree {
                assert_eq!(cells.is_open(1), Some(true));
                assert!(!cells.count_down(1));
            }
            assert!(cells.count_down(1), "degree {degree}");
        }
    }

    #[test]
    fn holes_and_settled_cells_are_not_open() {
        let mut cells = Cells::holes(2).unwrap();
        cells.settle(1, WIN);
        assert_eq!((cells.is_open(0), cells.is_open(1)), (Some(false), Some(false)));
        assert_eq!(cells.is_open(2), None);
    }
}
