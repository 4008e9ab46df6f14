//! A place in coded keys that moves forward.

use crate::numbering::discovered::coded::block::BLOCK;
use crate::numbering::discovered::coded::{CodedKey, CodedKeys};

/// Reads the keys at some places in ascending order, and can skip to a greater key.
pub(crate) struct Cursor<'k, K> {
    keys: &'k CodedKeys<K>,
    /// The keys of the current block, and the next one among them.
    block: [K; BLOCK],
    at: usize,
    len: usize,
    /// The block after the current one, and the place behind the last key to read.
    next: usize,
    end: u64,
}

impl<'k, K: CodedKey> Cursor<'k, K> {
    /// A cursor over the keys that are not less than `from`.
    pub(crate) fn new(keys: &'k CodedKeys<K>, from: K) -> Cursor<'k, K> {
        Cursor::between(keys, from, None)
    }

    /// A cursor over the keys that are not less than `from`, and less than `to` if there is one.
    pub(crate) fn between(keys: &'k CodedKeys<K>, from: K, to: Option<K>) -> Cursor<'k, K> {
        let end = to.map_or(keys.len(), |to| keys.lower_bound(to));
        let zero = K::from(0);
        let mut cursor = Cursor { keys, block: [zero; BLOCK], at: 0, len: 0, next: 0, end };
        cursor.seek(from);
        cursor
    }

    /// The next key, if there is one.
    #[inline]
    pub(crate) fn peek(&self) -> Option<K> {
        (self.at < self.len).then(|| self.block[self.at])
    }

    /// Moves behind the next key.
    #[inline]
    pub(crate) fn advance(&mut self) {
        self.at += 1;
        if self.at >= self.len {
            self.load(self.next);
        }
    }

    /// Moves to the first key that is not less, if the cursor is not behind it yet.
    #[inline]
    pub(crate) fn seek(&mut self, key: K) {
        if self.len > 0 && self.block[self.len - 1] >= key {
            while self.block[self.at] < key {
                self.at += 1;
            }
        } else {
            self.skip(key);
        }
    }

    /// Moves to the first key that is not less, in a later block.
    fn skip(&mut self, key: K) {
        let blocks = (self.end as usize).div_ceil(BLOCK);
        // Doubles the step until a block begins behind the key.
        let (mut low, mut step) = (self.next, 1);
        while low + step < blocks && self.keys.heads[low + step][0] <= key {
            low += step;
            step *= 2;
        }
        if low < blocks {
            low = self.keys.block_of(key, low..blocks.min(low + step));
        }
        self.load(low);
        while self.at < self.len && self.block[self.at] < key {
            self.advance();
        }
    }

    /// Decodes a block; there are no keys behind the last.
    fn load(&mut self, block: usize) {
        let start = (block * BLOCK) as u64;
        (self.at, self.len, self.next) = (0, 0, block + 1);
        if start < self.end {
            self.len = (self.end - start).min(BLOCK as u64) as usize;
            self.keys.block(block).decode(&mut self.block[..self.len]);
        }
    }
}
