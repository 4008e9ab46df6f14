//! The order in which the values of a block stand.
//!
//! Many numberings are made of digits, and the lowest is not always the one whose change matters
//! least: in a chess ending with the kings as the highest digit, positions that differ in the place
//! of a king alone have mostly the same value, and are far apart. A block can have its values in
//! columns, as if their numbers had been written in rows of a power of two: then those neighbour.

use std::ops::Range;

/// How long the rows are: the place of a value in its block modulo this is its column. With 1, which
/// is the usual, values stand in the order of their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stride {
    log: u8,
}

/// How many columns are gone through together: as many bytes as are in a line of a cache.
const TOGETHER: usize = 64;

impl Stride {
    /// How many bits say which it is.
    pub(crate) const BITS: u32 = 4;

    /// That of this logarithm, of so many bits.
    pub(crate) fn of_log(log: u8) -> Stride {
        Stride { log: log & ((1 << Stride::BITS) - 1) }
    }

    pub(crate) fn log(self) -> u8 {
        self.log
    }

    /// All but 1.
    pub(crate) fn others() -> impl Iterator<Item = Stride> {
        (1..1 << Stride::BITS).map(|log| Stride { log })
    }

    pub(crate) fn get(self) -> u64 {
        1 << self.log
    }

    pub(crate) fn is_one(self) -> bool {
        self.log == 0
    }

    /// The numbers of a block in the order in which their values stand there.
    pub(crate) fn order(self, numbers: Range<u64>) -> InOrder {
        let left = numbers.end.saturating_sub(numbers.start);
        InOrder {
            stride: self.get(),
            column: numbers.start,
            next: numbers.start,
            end: numbers.end,
            left,
        }
    }

    /// Says for each of `len` places of a block where in that order its value stands.
    pub(crate) fn restore(self, len: usize, mut place: impl FnMut(usize, usize)) {
        let columns = 1 << self.log;
        let (rows, longer) = (len >> self.log, len & (columns - 1));
        for first in (0..columns.min(len)).step_by(TOGETHER) {
            for row in 0..rows + usize::from(first < longer) {
                // Of the last row there are the first columns alone.
                let end = if row < rows { columns } else { longer };
                for column in first..end.min(first + TOGETHER) {
                    let before = column * rows + column.min(longer);
                    place(row << self.log | column, before + row);
                }
            }
        }
    }

    /// Values in the order of their numbers again.
    pub(crate) fn restored<T: Copy + Default>(self, values: Vec<T>) -> Box<[T]> {
        if self.is_one() {
            return values.into();
        }
        let mut restored = vec![T::default(); values.len()];
        self.restore(values.len(), |at, from| restored[at] = values[from]);
        restored.into()
    }
}

/// Numbers column by column.
#[derive(Clone, Debug)]
pub(crate) struct InOrder {
    stride: u64,
    /// The first of the column.
    column: u64,
    next: u64,
    end: u64,
    left: u64,
}

impl Iterator for InOrder {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        let number = self.next;
        self.next += self.stride;
        if self.next >= self.end {
            self.column += 1;
            self.next = self.column;
        }
        Some(number)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_is_undone() {
        for len in [0, 1, 2, 3, 63, 64, 65, 1_000, 4_096, 5_003, 70_000] {
            for stride in Stride::others().chain([Stride::default()]) {
                let order: Vec<u64> = stride.order(7..7 + len).collect();
                assert_eq!(order.len() as u64, len);
                let columns = order.iter().map(|number| (number - 7) % stride.get());
                assert!(columns.is_sorted(), "{stride:?} {len}");
                let restored = stride.restored(order);
                assert!(restored.iter().copied().eq(7..7 + len), "{stride:?} {len}");
            }
        }
    }

    #[test]
    fn columns_are_those_of_rows_of_a_power_of_two() {
        let [two, four] = [Stride::of_log(1), Stride::of_log(2)];
        assert!(two.order(0..5).eq([0, 2, 4, 1, 3]));
        assert!(four.order(8..14).eq([8, 12, 9, 13, 10, 11]));
        assert!(Stride::default().order(3..6).eq([3, 4, 5]));
    }
}
