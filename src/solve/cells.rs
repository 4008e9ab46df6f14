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

    /// Tells a state that the value of one of its successors is known. If it is open, that settles
    /// it with `at_once`, where that is given, or else counts, and settles it with `at_last` if that
    /// was its last open successor. Says whether it is settled now and was not before; `None` if
    /// there is no such number.
    #[inline]
    pub(super) fn tell(&mut self, number: u64, at_once: Option<u16>, at_last: u16) -> Option<bool> {
        let cell = self.cells.get_mut(number as usize)?;
        if !is_open(*cell) {
            return Some(false);
        }
        if let Some(value) = at_once {
            *cell = value;
            return Some(true);
        }
        if *cell == MANY && self.beyond.contains_key(&number) {
            self.count_beyond(number);
            return Some(false);
        }
        *cell -= 1;
        if *cell > 0 {
            return Some(false);
        }
        *cell = at_last;
        Some(true)
    }

    #[cold]
    fn count_beyond(&mut self, number: u64) {
        if let Some(beyond) = self.beyond.get_mut(&number) {
            *beyond -= 1;
            if *beyond == 0 {
                self.beyond.remove(&number);
            }
        }
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
                assert_eq!(cells.tell(1, None, WIN + 7), Some(false));
            }
            assert_eq!(cells.tell(1, None, WIN + 7), Some(true), "degree {degree}");
            assert_eq!(cells.get(1), WIN + 7);
        }
    }

    #[test]
    fn only_open_cells_are_settled() {
        let mut cells = Cells::holes(3).unwrap();
        cells.settle(1, WIN);
        cells.open(2, 2);
        for closed in [0, 1] {
            let before = cells.get(closed);
            assert_eq!(cells.tell(closed, Some(WIN + 1), WIN + 2), Some(false));
            assert_eq!(cells.tell(closed, None, WIN + 2), Some(false));
            assert_eq!(cells.get(closed), before);
        }
        assert_eq!(cells.tell(2, Some(WIN + 1), WIN + 2), Some(true));
        assert_eq!(cells.get(2), WIN + 1);
        assert_eq!(cells.tell(3, None, WIN), None);
    }
}
