//! The frontier of the analysis: the states settled in one level, as a bitmap.
//!
//! A frontier is walked in index order. States with neighbouring indices are neighbours in memory,
//! so this order uses the caches better than the order of a queue. A second, 64 times smaller
//! bitmap shows which words of the first are not zero. A level with few states therefore does not
//! read the whole map.

use std::ops::Range;
use std::sync::Arc;

use crate::runtime::memory::Array;
use crate::runtime::scratch::Scratch;
use crate::runtime::{NoRoom, OutOfMemory};

const WORD: u64 = 64;
/// The number of indices that one word of the small bitmap covers. Frontiers are cut at multiples
/// of it.
pub(crate) const CHUNK: u64 = WORD * WORD;

/// How many chunks are counted before those in a scratch file are let go.
const STRETCH: usize = 1 << 11;

/// The end of a range from `start` on: `indices` indices, rounded up to a multiple of [`CHUNK`],
/// but at most `len`.
pub(crate) fn end_of_chunks(start: u64, indices: u64, len: u64) -> u64 {
    len.min(indices.div_ceil(CHUNK).saturating_mul(CHUNK).saturating_add(start))
}

/// A set of indices below a fixed length.
pub(crate) struct Frontier {
    words: Array<u64>,
    /// Bit `w % 64` of word `w / 64` is set exactly if `words[w]` is not zero.
    occupied: Array<u64>,
}

/// A range of a frontier, in whole chunks. Its indices count from the beginning of the range.
pub(crate) struct Part<'f> {
    words: &'f mut [u64],
    occupied: &'f mut [u64],
}

impl Frontier {
    /// The memory of a set of indices below `len`, in bytes: 1 bit and a 64th an index.
    pub(crate) fn bytes(len: u64) -> u64 {
        len.div_ceil(CHUNK).saturating_mul((WORD + 1) * 8)
    }

    /// The memory of a set of indices below `len` whose bitmap is in a file, and the length of the
    /// file, in bytes.
    pub(crate) fn bytes_and_file(len: u64) -> (u64, u64) {
        let chunks = len.div_ceil(CHUNK);
        (chunks.saturating_mul(8), chunks.saturating_mul(WORD * 8))
    }

    /// The empty set of indices below `len`.
    pub(crate) fn empty(len: u64) -> Result<Frontier, OutOfMemory> {
        match Frontier::empty_in(len, None) {
            Ok(empty) => Ok(empty),
            Err(NoRoom::InMemory(error)) => Err(error),
            Err(NoRoom::OnDisk(_)) => unreachable!("it is in memory"),
        }
    }

    /// The empty set of indices below `len`, with its bitmap in a scratch file if there is a folder for
    /// them. The small bitmap is always in memory.
    pub(crate) fn empty_in(len: u64, scratch: Option<&Arc<Scratch>>) -> Result<Frontier, NoRoom> {
        let chunks = len.div_ceil(CHUNK);
        let what = "the frontier";
        let words = Array::zeroed_in(chunks.saturating_mul(WORD), what, scratch)?;
        Ok(Frontier { words, occupied: Array::zeroed(chunks, what)? })
    }

    /// The bytes of the bitmap: a bit for each index, up to whole chunks.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.words)
    }

    /// The set of indices below `len` whose bytes `fill` writes, in the form of
    /// [`as_bytes`](Frontier::as_bytes). `None` if the set contains indices from `len` on.
    pub(crate) fn filled<E: From<NoRoom>>(
        len: u64,
        scratch: Option<&Arc<Scratch>>,
        fill: impl FnOnce(&mut [u8]) -> Result<(), E>,
    ) -> Result<Option<Frontier>, E> {
        let mut frontier = Frontier::empty_in(len, scratch)?;
        let Frontier { words, occupied } = &mut frontier;
        fill(bytemuck::cast_slice_mut(words))?;
        for (words, occupied) in words.chunks(WORD as usize).zip(occupied.iter_mut()) {
            for (at, _) in words.iter().enumerate().filter(|&(_, &word)| word != 0) {
                *occupied |= 1 << at;
            }
        }
        let last = words.iter().rposition(|&word| word != 0);
        let end = last
            .map_or(0, |last| (last as u64 + 1) * WORD - u64::from(words[last].leading_zeros()));
        Ok((end <= len).then_some(frontier))
    }

    /// All chunks as one part.
    pub(crate) fn whole(&mut self) -> Part<'_> {
        Part { words: &mut self.words, occupied: &mut self.occupied }
    }

    /// The number of non-zero words of 64 indices, a measure of the amount of work.
    pub(crate) fn occupied_words(&self) -> u64 {
        count_ones(&self.occupied)
    }

    /// Whether the set is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.occupied.iter().all(|&word| word == 0)
    }

    /// The number of indices in the set.
    pub(crate) fn count(&self) -> u64 {
        let mut count = 0;
        let stretches = self.words.chunks(STRETCH * WORD as usize);
        for (words, occupied) in stretches.zip(self.occupied.chunks(STRETCH)) {
            let chunks = words.chunks(WORD as usize).zip(occupied);
            let chunks = chunks.filter(|&(_, &occupied)| occupied != 0);
            count += chunks.map(|(words, _)| count_ones(words)).sum::<u64>();
            if let Some(scratch) = self.words.scratch() {
                scratch.let_go(words);
            }
        }
        count
    }

    /// Cuts the indices into `parts` ranges of whole chunks with about the same work. Returns the
    /// ends of the ranges, ascending.
    pub(crate) fn even_cuts(&self, parts: usize) -> Vec<u64> {
        let total = self.occupied_words();
        let mut cuts = Vec::with_capacity(parts);
        let mut seen = 0;
        for (chunk, word) in self.occupied.iter().enumerate() {
            while cuts.len() + 1 < parts && seen * parts as u64 >= total * (cuts.len() as u64 + 1) {
                cuts.push(chunk as u64 * CHUNK);
            }
            seen += u64::from(word.count_ones());
        }
        cuts.resize(parts, self.occupied.len() as u64 * CHUNK);
        cuts
    }
}

impl<'f> Part<'f> {
    /// Cuts the part at `at`, a multiple of [`CHUNK`]. The second part is empty if `at` is beyond
    /// the end.
    pub(crate) fn split_at(self, at: u64) -> (Part<'f>, Part<'f>) {
        let chunks = ((at / CHUNK) as usize).min(self.occupied.len());
        let (words, later_words) = self.words.split_at_mut(chunks * WORD as usize);
        let (occupied, later) = self.occupied.split_at_mut(chunks);
        (Part { words, occupied }, Part { words: later_words, occupied: later })
    }

    /// Cuts the part into ranges with these ends, which are multiples of [`CHUNK`] except the last.
    pub(crate) fn cut(self, ends: &[u64]) -> Vec<(Range<u64>, Part<'f>)> {
        let (mut rest, mut start) = (self, 0);
        let mut parts = Vec::with_capacity(ends.len());
        for &end in ends {
            let (own, later) = rest.split_at(end.next_multiple_of(CHUNK) - start);
            parts.push((start..end, own));
            (rest, start) = (later, end);
        }
        parts
    }

    #[inline]
    pub(crate) fn insert(&mut self, index: u64) {
        self.words[(index / WORD) as usize] |= 1 << (index % WORD);
        self.occupied[(index / CHUNK) as usize] |= 1 << (index / WORD % WORD);
    }

    #[inline]
    pub(crate) fn contains(&self, index: u64) -> bool {
        self.words[(index / WORD) as usize] >> (index % WORD) & 1 == 1
    }

    /// The number of non-zero words from `chunk` on.
    pub(crate) fn occupied_words(&self, chunk: usize) -> u64 {
        count_ones(&self.occupied[chunk..])
    }

    /// The end of the shortest range of chunks that begins with `chunk` and contains `words`
    /// non-zero words, or the end of the part if it contains fewer.
    pub(crate) fn end_of_words(&self, chunk: usize, words: u64) -> usize {
        let mut seen = 0;
        let reached = self.occupied[chunk..].iter().position(|word| {
            seen += u64::from(word.count_ones());
            seen >= words
        });
        reached.map_or(self.chunks(), |at| chunk + at + 1)
    }

    /// The number of chunks in the part.
    pub(crate) fn chunks(&self) -> usize {
        self.occupied.len()
    }

    /// The part again, borrowed from this one: both have the same indices, and this one is usable afterwards.
    pub(crate) fn reborrow(&mut self) -> Part<'_> {
        Part { words: self.words, occupied: self.occupied }
    }

    /// Adds indices: a bit for each of the 64 of a word.
    #[inline]
    pub(crate) fn insert_word(&mut self, word: usize, indices: u64) {
        self.words[word] |= indices;
        self.occupied[word / WORD as usize] |= 1 << (word as u64 % WORD);
    }

    /// Takes the words of one chunk out of the set, in ascending order: the place of each, and its indices.
    #[inline]
    pub(crate) fn drain_words(&mut self, chunk: usize, mut visit: impl FnMut(usize, u64)) {
        let mut occupied = std::mem::take(&mut self.occupied[chunk]);
        while occupied != 0 {
            let word = chunk * WORD as usize + occupied.trailing_zeros() as usize;
            occupied &= occupied - 1;
            visit(word, std::mem::take(&mut self.words[word]));
        }
    }

    /// Takes the indices of one chunk out of the set, in ascending order.
    #[inline]
    pub(crate) fn drain_chunk(&mut self, chunk: usize, mut visit: impl FnMut(u64)) {
        self.drain_words(chunk, |word, mut bits| {
            while bits != 0 {
                visit(word as u64 * WORD + u64::from(bits.trailing_zeros()));
                bits &= bits - 1;
            }
        });
    }
}

fn count_ones(words: &[u64]) -> u64 {
    words.iter().map(|word| u64::from(word.count_ones())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drained(part: &mut Part<'_>) -> Vec<u64> {
        let mut drained = Vec::new();
        for chunk in 0..part.chunks() {
            part.drain_chunk(chunk, |index| drained.push(index));
        }
        drained
    }

    #[test]
    fn numbers_come_out_once_and_in_order() {
        let indices = [0, 1, 63, 64, 4095, 4096, 8191, 3 * CHUNK + 4];
        let mut frontier = Frontier::empty(3 * CHUNK + 5).unwrap();
        for &index in indices.iter().rev().chain(&indices) {
            frontier.whole().insert(index);
        }
        assert!(indices.iter().all(|&index| frontier.whole().contains(index)));
        assert!(!frontier.whole().contains(2));
        assert_eq!(frontier.count(), indices.len() as u64);
        assert_eq!(drained(&mut frontier.whole()), indices);
        assert!(drained(&mut frontier.whole()).is_empty());
    }

    #[test]
    fn parts_have_all_the_numbers_between_them_and_about_the_same_work() {
        let mut frontier = Frontier::empty(100 * CHUNK).unwrap();
        for at in 0..1_000 {
            frontier.whole().insert(50 * CHUNK + 64 * at);
        }
        for parts in 1..9 {
            let cuts = frontier.even_cuts(parts);
            assert_eq!((cuts.len(), cuts[parts - 1]), (parts, 100 * CHUNK));
            assert!(cuts.is_sorted() && cuts.iter().all(|cut| cut.is_multiple_of(CHUNK)));
            let mut start = 0;
            for &cut in &cuts {
                let inside = (0..1_000).filter(|at| (start..cut).contains(&(50 * CHUNK + 64 * at)));
                let (least, most) = (1_000 / parts, 1_000 / parts);
                let inside = inside.count();
                assert!(inside + 64 >= least && inside <= most + 64, "{parts} parts: {inside}");
                start = cut;
            }
        }
        let (mut early, late) = frontier.whole().split_at(51 * CHUNK);
        let (mut middle, mut rest) = late.split_at(7 * CHUNK);
        let counts = [&mut early, &mut middle, &mut rest].map(|part| drained(part).len());
        assert_eq!(counts, [64, 448, 488]);
    }
}
