//! The codes of values in cells of one byte, given out by several threads as values turn up. Which value has
//! which code depends on the threads, but no value does.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::game::value::{ENDLESS, UNUSED};
use crate::solve::cells::Cells;

/// The codes of values.
pub(super) struct Codes {
    /// The code of each packed value, 0 if it has none.
    of_packed: Box<[AtomicU8]>,
    /// The packed value of each code.
    palette: Mutex<Vec<u16>>,
}

impl Codes {
    /// The codes that all cells have.
    pub(super) fn new() -> Codes {
        let palette = Cells::initial_palette();
        let of_packed: Box<[AtomicU8]> = (0..=u16::MAX).map(|_| AtomicU8::new(0)).collect();
        for (code, &packed) in palette.iter().enumerate() {
            if ![UNUSED, ENDLESS].contains(&packed) {
                of_packed[usize::from(packed)].store(code as u8, Ordering::Relaxed);
            }
        }
        Codes { of_packed, palette: Mutex::new(palette) }
    }

    /// The code of a packed value; `None` if a byte has no more.
    #[inline]
    pub(super) fn code(&self, packed: u16) -> Option<u16> {
        match self.of_packed[usize::from(packed)].load(Ordering::Relaxed) {
            0 => self.add(packed),
            code => Some(code.into()),
        }
    }

    #[cold]
    fn add(&self, packed: u16) -> Option<u16> {
        let mut palette = self.palette.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been first.
        if let Some(code) = palette.iter().position(|&known| known == packed) {
            return Some(code as u16);
        }
        let code = u8::try_from(palette.len()).ok()?;
        palette.push(packed);
        self.of_packed[usize::from(packed)].store(code, Ordering::Relaxed);
        Some(code.into())
    }

    /// Gives cells these codes. Their own have to be those that all cells have.
    pub(super) fn add_to(self, cells: &mut Cells) {
        for packed in self.palette.into_inner().unwrap_or_else(PoisonError::into_inner) {
            if ![UNUSED, ENDLESS].contains(&packed) {
                cells.add_code(packed);
            }
        }
    }
}
