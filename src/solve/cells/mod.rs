//! The cells of the analysis: one packed number for each state, which is first a counter and then a
//! value.
//!
//! While a state is open, its cell counts the successors that are open too. Once the state is
//! settled, the cell holds its value.
//!
//! Cells are one byte wide as long as one byte is enough, and are then widened to two bytes. A byte
//! is 0 for an unused index, 1 to 63 for open states, and above 63 a code that the palette maps to
//! a value. Levels add codes to the palette in the order in which they need them. Most levels
//! settle only wins or only losses, so one byte is enough for some 190 levels. Two bytes hold
//! values as `Scale::pack` packs them, and numbers below [`WIN`] for open states.

pub(crate) mod cell;

use std::sync::{Arc, Mutex};

use hashbrown::HashMap;

use crate::error::SolveError;
use crate::game::value::{DRAW, ENDLESS, LOSS, Scale, UNUSED, Value, WIN};
use crate::numbering::TierValues;
use crate::runtime::memory::{Array, prefetch};
use crate::runtime::scratch::Scratch;
use crate::solve::cells::cell::{Cell, OverflowCounts};

/// The cells of all states.
#[derive(Debug)]
pub(crate) struct Cells {
    /// Room for two bytes a state. While cells are narrow, the second half is never touched and
    /// costs nothing.
    bytes: Array<u8>,
    len: usize,
    /// The index of the first cell: more than 0 if other processes own the cells before it.
    first: u64,
    width: Width,
    /// By index.
    pub(crate) overflow: OverflowCounts,
    /// How values are packed.
    scale: Scale,
}

#[derive(Debug)]
enum Width {
    /// One byte; the palette maps it to a packed value, or to [`ENDLESS`] for an open state. Only in
    /// games without points: with them, values are too many in most games.
    Narrow(Vec<u16>),
    /// Two bytes.
    Wide,
}

/// The cells as a slice of their width.
pub(crate) enum Slice<'c> {
    Narrow(&'c mut [u8]),
    Wide(&'c mut [u16]),
}

/// How many entries a palette can have.
const MOST_IN_PALETTE: usize = 1 << u8::BITS;

impl Cells {
    /// The palette of narrow cells before any level.
    pub(crate) fn initial_palette() -> Vec<u16> {
        let open = 1..=u8::SATURATED;
        let mut palette = vec![UNUSED];
        palette.extend(open.map(|_| ENDLESS));
        // The three kinds of end, at distance 0 and then at distance 1, in the order of
        // `Cell::ended`.
        palette.extend([WIN, LOSS, DRAW, WIN + 1, LOSS + 1, DRAW + 1]);
        palette
    }

    /// Narrow cells of unused indices only, in memory or in a scratch file.
    pub(crate) fn unused(len: u64, scratch: Option<&Arc<Scratch>>) -> Result<Cells, SolveError> {
        let bytes = Array::zeroed_in(Cells::most_bytes(len), "the values", scratch)?;
        let (len, width) = (len as usize, Width::Narrow(Cells::initial_palette()));
        let (overflow, scale) = (OverflowCounts::default(), Scale::PLAIN);
        Ok(Cells { bytes, len, first: 0, width, overflow, scale })
    }

    /// The bytes that there is room for: two a state.
    pub(crate) fn most_bytes(len: u64) -> u64 {
        len.saturating_mul(2)
    }

    /// Wide cells of unused indices only, for values that are packed by this scale.
    pub(crate) fn wide_unused(
        len: u64,
        scale: Scale,
        scratch: Option<&Arc<Scratch>>,
    ) -> Result<Cells, SolveError> {
        Ok(Cells { width: Width::Wide, scale, ..Cells::unused(len, scratch)? })
    }

    /// The folder of the scratch file in which the cells are, if they are in one.
    pub(crate) fn scratch(&self) -> Option<&Arc<Scratch>> {
        self.bytes.scratch()
    }

    /// How values are packed.
    pub(crate) fn scale(&self) -> Scale {
        self.scale
    }

    /// Makes these the cells of the indices from `first` on.
    pub(crate) fn starting_at(self, first: u64) -> Cells {
        Cells { first, ..self }
    }

    /// Cells to restore from a checkpoint: with the palette that [`palette`](Cells::palette)
    /// returned, to be filled with the bytes of [`as_bytes`](Cells::as_bytes). `None` if no cells
    /// can have this palette.
    pub(crate) fn like(
        len: u64,
        palette: Option<&[u16]>,
        scale: Scale,
        scratch: Option<&Arc<Scratch>>,
    ) -> Result<Option<Cells>, SolveError> {
        let width = match palette {
            None => Width::Wide,
            Some(palette)
                if !scale.has_points()
                    && palette.starts_with(&Cells::initial_palette())
                    && palette.len() <= MOST_IN_PALETTE =>
            {
                Width::Narrow(palette.to_vec())
            }
            Some(_) => return Ok(None),
        };
        Ok(Some(Cells { width, scale, ..Cells::unused(len, scratch)? }))
    }

    /// The palette of narrow cells; `None` if cells are wide.
    pub(crate) fn palette(&self) -> Option<&[u16]> {
        match &self.width {
            Width::Narrow(palette) => Some(palette),
            Width::Wide => None,
        }
    }

    /// The cells byte by byte.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.bytes() as usize]
    }

    pub(crate) fn as_bytes_mut(&mut self) -> &mut [u8] {
        let length = self.bytes() as usize;
        &mut self.bytes[..length]
    }

    /// Whether the palette has an entry for every cell.
    pub(crate) fn are_in_palette(&self) -> bool {
        let last = |palette: &[u16]| palette.len().checked_sub(1).map(|last| last as u8);
        match &self.width {
            Width::Narrow(palette) => self.as_bytes().iter().max() <= last(palette).as_ref(),
            Width::Wide => true,
        }
    }

    pub(crate) fn len(&self) -> u64 {
        self.len as u64
    }

    /// The indices of the cells.
    pub(crate) fn indices(&self) -> std::ops::Range<u64> {
        self.first..self.first + self.len()
    }

    /// How much memory the cells take, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.len()
            * match self.width {
                Width::Narrow(_) => 1,
                Width::Wide => 2,
            }
    }

    pub(crate) fn slice(&mut self) -> Slice<'_> {
        self.parts().0
    }

    /// The cells and their overflow counts.
    pub(crate) fn parts(&mut self) -> (Slice<'_>, &OverflowCounts) {
        let slice = match self.width {
            Width::Narrow(_) => Slice::Narrow(&mut self.bytes[..self.len]),
            Width::Wide => Slice::Wide(bytemuck::cast_slice_mut(&mut self.bytes)),
        };
        (slice, &self.overflow)
    }

    /// The packed value at an index below the length: [`ENDLESS`] for an open state.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> u16 {
        match &self.width {
            Width::Narrow(palette) => palette[usize::from(self.bytes[..self.len][index])],
            Width::Wide => {
                let cell = u16::from_ne_bytes([self.bytes[2 * index], self.bytes[2 * index + 1]]);
                if cell.is_open() { ENDLESS } else { cell }
            }
        }
    }

    /// Whether the value of an index below the length is not known yet.
    #[inline]
    pub(crate) fn is_open(&self, index: u64) -> bool {
        self.get(index as usize) == ENDLESS
    }

    /// Lets the processor fetch the cell of an index.
    #[inline(always)]
    pub(crate) fn prefetch(&self, index: u64) {
        let shift = u32::from(matches!(self.width, Width::Wide));
        prefetch(&self.bytes, (index as usize) << shift);
    }

    /// Fills a slice with packed values from an index on, as [`get`](Cells::get) returns them. The
    /// slice must not be longer than the cells from this index on.
    pub(crate) fn read(&self, first: u64, packed: &mut [u16]) {
        let first = first as usize;
        match &self.width {
            Width::Narrow(palette) => {
                let mut all = [UNUSED; 1 << u8::BITS];
                all.iter_mut().zip(palette).for_each(|(value, &packed)| *value = packed);
                let cells = &self.bytes[first..first + packed.len()];
                self.fetch(cells);
                for (packed, &cell) in packed.iter_mut().zip(cells) {
                    *packed = all[usize::from(cell)];
                }
                self.let_go(cells);
            }
            Width::Wide => {
                let cells = &self.bytes[2 * first..2 * (first + packed.len())];
                self.fetch(cells);
                for (packed, cell) in packed.iter_mut().zip(cells.chunks_exact(2)) {
                    let cell = u16::from_ne_bytes([cell[0], cell[1]]);
                    *packed = if cell.is_open() { ENDLESS } else { cell };
                }
                self.let_go(cells);
            }
        }
    }

    /// Reads cells in a scratch file at once.
    fn fetch(&self, cells: &[u8]) {
        if let Some(scratch) = self.scratch() {
            scratch.fetch(cells);
        }
    }

    /// Lets cells in a scratch file go from memory, once they are read.
    fn let_go(&self, cells: &[u8]) {
        if let Some(scratch) = self.scratch() {
            scratch.let_go(cells);
        }
    }

    /// The code of a packed value, if it has one.
    pub(crate) fn code(&self, packed: u16) -> Option<u16> {
        match &self.width {
            Width::Narrow(palette) => {
                let values = usize::from(u8::SATURATED) + 1;
                let at = palette[values..].iter().position(|&value| value == packed)?;
                Some((values + at) as u16)
            }
            Width::Wide => Some(packed),
        }
    }

    /// The code of a packed value, which is added to the palette if necessary. `None` if the
    /// palette of narrow cells is full.
    pub(crate) fn add_code(&mut self, packed: u16) -> Option<u16> {
        if let Some(code) = self.code(packed) {
            return Some(code);
        }
        let Width::Narrow(palette) = &mut self.width else { return Some(packed) };
        let code = u8::try_from(palette.len()).ok()?;
        palette.push(packed);
        Some(code.into())
    }

    /// How many codes can be added to the palette; `None` if cells are wide and need no codes.
    pub(crate) fn free_codes(&self) -> Option<usize> {
        self.palette().map(|palette| MOST_IN_PALETTE - palette.len())
    }

    /// Removes the last code added, if it belongs to `packed`. No cell may have this code.
    pub(crate) fn remove_code(&mut self, packed: u16) {
        if let Width::Narrow(palette) = &mut self.width
            && palette.last() == Some(&packed)
        {
            palette.pop();
        }
    }

    /// Widens the cells in place.
    pub(crate) fn widen(&mut self) {
        let Width::Narrow(palette) = std::mem::replace(&mut self.width, Width::Wide) else {
            return;
        };
        // From the back, so that nothing is overwritten before it is read.
        for index in (0..self.len).rev() {
            let cell = self.bytes[index];
            let wide = if cell.is_open() { cell.into() } else { palette[usize::from(cell)] };
            self.bytes[2 * index..2 * index + 2].copy_from_slice(&wide.to_ne_bytes());
        }
        let narrow = std::mem::take(&mut self.overflow);
        let cells: &mut [u16] = bytemuck::cast_slice_mut(&mut self.bytes);
        let mut overflow = HashMap::new();
        for (&index, more) in narrow.entries().iter() {
            let place = (index - self.first) as usize;
            // A single successor may have settled the state, whatever its count.
            if !cells[place].is_open() {
                continue;
            }
            let degree = u64::from(u8::SATURATED) + more;
            let cell = u16::open(degree);
            cells[place] = cell;
            if degree > u64::from(cell) {
                overflow.insert(index, degree - u64::from(cell));
            }
        }
        self.overflow = OverflowCounts(Mutex::new(overflow));
    }
}

/// Cells serve as the values of a solved tier.
impl TierValues for Cells {
    #[inline]
    fn value(&self, index: u64) -> Option<Value> {
        let packed = (index < self.len()).then(|| self.get(index as usize))?;
        self.scale.unpack(packed).ok().flatten()
    }

    #[inline]
    fn prefetch(&self, index: u64) {
        Cells::prefetch(self, index);
    }

    fn bytes(&self) -> u64 {
        Cells::bytes(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widening_keeps_every_value_and_every_count() {
        let mut cells = Cells::unused(300, None).unwrap();
        let mut codes = Vec::new();
        for plies in 0..200 {
            codes.extend(cells.add_code(WIN + plies).map(|code| (code, WIN + plies)));
        }
        assert_eq!(codes.len(), 256 - 64 - 4, "losses and draws that ends have");
        let Slice::Narrow(narrow) = cells.slice() else { panic!("wide") };
        for &(code, _) in &codes {
            narrow[usize::from(code)] = code as u8;
        }
        (narrow[1], narrow[2], narrow[3], narrow[4]) = (1, 62, 63, 63);
        (narrow[298], narrow[299]) = (2, 65);
        // The state of index 299 was settled before all its moves were counted.
        cells.overflow = OverflowCounts::new([(4, 20_000), (299, 5)]);
        let before: Vec<u16> = (0..300).map(|index| cells.get(index)).collect();
        let read_at_once = |cells: &Cells| {
            let mut values = vec![UNUSED; 200];
            cells.read(90, &mut values);
            values
        };
        let read = read_at_once(&cells);
        assert_eq!(read, before[90..290]);
        cells.widen();
        let after: Vec<u16> = (0..300).map(|index| cells.get(index)).collect();
        assert_eq!(before, after);
        assert_eq!(read, read_at_once(&cells));
        for &(code, packed) in &codes {
            assert_eq!(cells.get(usize::from(code)), packed);
        }
        assert_eq!((cells.get(299), cells.get(1), cells.get(0)), (LOSS, ENDLESS, UNUSED));
        let Slice::Wide(wide) = cells.slice() else { panic!("narrow") };
        assert_eq!(wide[..5], [0, 1, 62, 63, 16_383]);
        assert_eq!(cells.overflow.entries().get(&4), Some(&(63 + 20_000 - 16_383)));
    }
}
