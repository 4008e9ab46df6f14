//! Values of solved tiers, held for the tiers that lead to them.

use super::SolveError;
use super::cells::{Cells, Slice};
use crate::numbering::Known;
use crate::value::{ENDLESS, HOLE, Value};

/// The values of a solved tier: a byte each, or two.
#[derive(Debug)]
pub(crate) struct KnownValues(Cells);

impl KnownValues {
    pub(super) fn new(cells: Cells) -> KnownValues {
        KnownValues(cells)
    }

    /// The values of `len` states; `fill` gives the packed values, some at a time and in order, to
    /// the function that it is given.
    ///
    /// # Errors
    /// When the memory does not suffice, and what `fill` fails with.
    pub(crate) fn fill<E: From<SolveError>>(
        len: u64,
        fill: impl FnOnce(&mut dyn FnMut(&[u16])) -> Result<(), E>,
    ) -> Result<KnownValues, E> {
        let mut cells = Cells::holes(len)?;
        let mut codes = vec![None; 1 << 16];
        // What is open is endless, and a hole is what is there already.
        (codes[usize::from(HOLE)], codes[usize::from(ENDLESS)]) = (Some(HOLE), Some(ENDLESS));
        let mut next = 0;
        fill(&mut |values| {
            for &packed in values {
                if codes[usize::from(packed)].is_none() {
                    let code = cells.add_code(packed);
                    if code.is_none() {
                        cells.widen();
                        codes = (0..=u16::MAX).map(Some).collect();
                    }
                    codes[usize::from(packed)] = Some(code.unwrap_or(packed));
                }
            }
            let end = (next + values.len()).min(cells.len() as usize);
            let coded = values.iter().map(|&packed| codes[usize::from(packed)].unwrap_or(HOLE));
            match cells.slice() {
                Slice::Narrow(narrow) => {
                    narrow[next..end]
                        .iter_mut()
                        .zip(coded)
                        .for_each(|(cell, code)| *cell = code as u8);
                }
                Slice::Wide(wide) => {
                    wide[next..end].iter_mut().zip(coded).for_each(|(cell, code)| *cell = code);
                }
            }
            next = end;
        })?;
        Ok(KnownValues(cells))
    }

    /// The packed value of an index below the length.
    pub(crate) fn packed(&self, index: u64) -> u16 {
        self.0.get(index as usize)
    }

    /// How much memory they take, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}

impl Known for KnownValues {
    #[inline]
    fn value(&self, index: u64) -> Option<Value> {
        let packed = (index < self.0.len()).then(|| self.0.get(index as usize))?;
        Value::unpack(packed).ok().flatten()
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}
