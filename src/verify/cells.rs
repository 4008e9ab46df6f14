//! Values in memory, and what they mean to those who can choose among them.

use std::ops::Range;

use crate::game::Player;
use crate::table::loaded::LoadedValues;
use crate::value::Value;
use crate::verify::choice::Held;
use crate::verify::worth::{Scale, Worth};

/// A value in memory, as a number of its own or a packed value.
pub(crate) trait Cell: Copy + Sync {
    /// Whether it is a byte, which can't stand for all values.
    const IS_BYTE: bool;

    /// Values that are loaded in such cells.
    fn of(values: &LoadedValues) -> &[Self];

    fn index(self) -> usize;
}

impl Cell for u8 {
    const IS_BYTE: bool = true;

    fn of(values: &LoadedValues) -> &[u8] {
        match values {
            LoadedValues::Listed { places, .. } => places,
            LoadedValues::Packed(_) => &[],
        }
    }

    #[inline]
    fn index(self) -> usize {
        self.into()
    }
}

impl Cell for u16 {
    const IS_BYTE: bool = false;

    fn of(values: &LoadedValues) -> &[u16] {
        match values {
            LoadedValues::Listed { .. } => &[],
            LoadedValues::Packed(packed) => packed,
        }
    }

    #[inline]
    fn index(self) -> usize {
        self.into()
    }
}

/// What cells stand for, by cell.
pub(crate) struct Meaning {
    /// The value; `None` for a hole.
    values: Vec<Option<Value>>,
    /// For each player who has a move: what a successor with such a cell is worth where the other player
    /// is to move, and where the same is.
    pub(crate) worth: [Vec<[Worth; 2]>; 2],
    /// For each player who is to move: what the best successor has to be worth.
    needed: [Vec<Worth>; 2],
}

impl Meaning {
    /// What the cells of these values stand for, and for each player.
    pub(crate) fn of(values: &LoadedValues, scales: [Scale; 2]) -> Meaning {
        let value = |packed| Value::unpack(packed).ok().flatten();
        let values: Vec<Option<Value>> = match values {
            LoadedValues::Listed { palette, .. } => {
                palette.iter().map(|&packed| value(packed)).collect()
            }
            LoadedValues::Packed(_) => (0..=u16::MAX).map(value).collect(),
        };
        let worth = scales.map(|scale| {
            let worth = |&value: &Option<Value>| match value {
                Some(value) => [false, true].map(|same| scale.worth(value, same)),
                None => [Worth::UNKNOWN; 2],
            };
            values.iter().map(worth).collect()
        });
        let needed = scales.map(|scale| {
            let needed =
                |value: &Option<Value>| value.map_or(Worth::NEVER, |value| scale.needed(value));
            values.iter().map(needed).collect()
        });
        Meaning { values, worth, needed }
    }
}

/// The values of numbers from a first one on.
#[derive(Clone, Copy)]
pub(crate) struct View<'v, C> {
    pub(crate) first: u64,
    pub(crate) cells: &'v [C],
    pub(crate) meaning: &'v Meaning,
}

impl<C: Cell> View<'_, C> {
    /// The value of a number, and what the best successor of its state has to be worth.
    #[inline]
    pub(crate) fn value(self, number: u64, mover: Player) -> (Option<Value>, Worth) {
        match cell(self.cells, number.wrapping_sub(self.first)) {
            Some(cell) => (self.meaning.values[cell], self.meaning.needed[mover.index()][cell]),
            None => (None, Worth::NEVER),
        }
    }
}

/// The cells of all values.
impl<C: Cell> Held for &[C] {
    #[inline]
    fn cell(&self, number: u64) -> Option<usize> {
        cell(self, number)
    }

    fn most(&self, numbers: Range<u64>, worth: impl Fn(usize) -> Worth) -> Option<Worth> {
        let [start, end] = [numbers.start, numbers.end].map(|at| self.len().min(at as usize));
        Some(best(&self[start..end], worth))
    }
}

/// What the best of these cells is worth.
pub(crate) fn best<C: Cell>(cells: &[C], worth: impl Fn(usize) -> Worth) -> Worth {
    let worths = cells.iter().map(|cell| worth(cell.index()));
    // What should be no hole is found at its own number.
    worths.filter(|&worth| worth != Worth::UNKNOWN).max().unwrap_or(Worth::NOTHING)
}

/// The cell at this place, if there is one.
#[inline]
fn cell<C: Cell>(cells: &[C], at: u64) -> Option<usize> {
    cells.get(usize::try_from(at).ok()?).map(|cell| cell.index())
}
