//! The states whose value became known in one level, as a bitmap that is walked in index order.
//!
//! Neighbours in the index are neighbours in memory, so this order is kind to the caches where a
//! queue's is not. A second, 64 times smaller bitmap says which words of the first are not zero,
//! so that a level with few states does not have to read the whole map.

use super::{SolveError, try_filled};

const WORD: u64 = 64;
/// How many numbers one bit word of the small bitmap covers.
const CHUNK: u64 = WORD * WORD;

/// A set of numbers below a fixed length.
pub(super) struct Frontier {
    words: Vec<u64>,
    /// Bit `w % 64` of word `w / 64` is set exactly if `words[w]` is not zero.
    occupied: Vec<u64>,
}

impl Frontier {
    /// The empty set of numbers below `len`. Costs 1 bit and a 64th a number.
    pub(super) fn empty(len: u64) -> Result<Frontier, SolveError> {
        let what = "the frontier";
        let chunks = len.div_ceil(CHUNK);
        Ok(Frontier {
            words: try_filled(0, chunks * WORD, what)?,
            occupied: try_filled(0, chunks, what)?,
        })
    }

    #[inline]
    pub(super) fn insert(&mut self, number: u64) {
        self.words[(number / WORD) as usize] |= 1 << (number % WORD);
        self.occupied[(number / CHUNK) as usize] |= 1 << (number / WORD % WORD);
    }

    /// How many chunks the numbers are cut into.
    pub(super) fn chunks(&self) -> u64 {
        self.occupied.len() as u64
    }

    /// Takes the numbers of one chunk out of the set, in ascending order.
    #[inline]
    pub(super) fn drain_chunk(&mut self, chunk: u64, mut visit: impl FnMut(u64)) {
        let mut occupied = std::mem::take(&mut self.occupied[chunk as usize]);
        while occupied != 0 {
            let word = chunk * WORD + u64::from(occupied.trailing_zeros());
            occupied &= occupied - 1;
            let mut bits = std::mem::take(&mut self.words[word as usize]);
            while bits != 0 {
                visit(word * WORD + u64::from(bits.trailing_zeros()));
                bits &= bits - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_out_once_and_in_order() {
        let len = 3 * CHUNK + 5;
        let numbers = [0, 1, 63, 64, 4095, 4096, 8191, 3 * CHUNK + 4];
        let mut frontier = Frontier::empty(len).unwrap();
        for &number in numbers.iter().rev().chain(&numbers) {
            frontier.insert(number);
        }
        let mut drained = Vec::new();
        for chunk in 0..frontier.chunks() {
            frontier.drain_chunk(chunk, |number| drained.push(number));
        }
        assert_eq!(drained, numbers);
        for chunk in 0..frontier.chunks() {
            frontier.drain_chunk(chunk, |number| panic!("{number} came out twice"));
        }
    }
}
