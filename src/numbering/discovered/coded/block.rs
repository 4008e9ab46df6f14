//! The code of a block of ascending keys.
//!
//! A block stores its first key as it is. Each other key is the distance to the first key, less
//! one. These distances ascend, and are coded in the smaller of two ways:
//!
//! - a bitmap, with a bit for each distance up to the last one;
//! - the code of Elias and Fano: the lowest bits of each distance side by side, and the rest of all
//!   distances as a bit vector in which the bit `rest + place` of each place is set.
//!
//! P. Elias, "Efficient storage and retrieval by content and address of static files", 1974. The
//! choice between codes for each block follows G. Ottaviano and R. Venturini, "Partitioned
//! Elias-Fano indexes", 2014.

use std::ops::{Add, BitOr, Shl, Shr, Sub};

use crate::game::packed_word::Word;

/// The most keys of a block. With 64 keys the heads take another bit a key, and with 256 a lookup
/// reads more.
pub(super) const BLOCK: usize = 128;

/// A coded key has at most so many bits more than the key, counting those that fill the last word of the
/// block.
pub(super) const MORE_BITS: usize = 3;

/// A key of 8 or 16 bytes.
pub trait CodedKey:
    Word
    + Add<Output = Self>
    + Sub<Output = Self>
    + Shr<u32, Output = Self>
    + Shl<u32, Output = Self>
    + BitOr<Output = Self>
    + From<u64>
{
}

impl CodedKey for u64 {}
impl CodedKey for u128 {}

/// The lowest 64 bits of a key.
#[inline]
fn low_word<K: CodedKey>(key: K) -> u64 {
    key.to_u128() as u64
}

/// The number of bits up to the highest one that is set.
#[inline]
fn length_of<K: CodedKey>(key: K) -> u32 {
    u128::BITS - key.to_u128().leading_zeros()
}

/// The number of low bits that stands for a bitmap.
const BITMAP: u8 = u8::MAX;

/// How a block is coded, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// The first word of the block.
    at: usize,
    /// The length of the bitmap, or of the bit vector, in bits.
    upper: usize,
    /// The number of low bits of each distance, or [`BITMAP`].
    low: u8,
}

impl Head {
    /// The head in one word.
    fn packed(self) -> u64 {
        (self.at as u64) << 24 | (self.upper as u64) << 8 | u64::from(self.low)
    }

    #[inline]
    fn unpack(word: u64) -> Head {
        Head { at: (word >> 24) as usize, upper: (word >> 8) as u16 as usize, low: word as u8 }
    }
}

/// The first word of the block with this packed head.
#[inline]
pub(super) fn first_word<K: CodedKey>([_, head]: [K; 2]) -> usize {
    Head::unpack(low_word(head)).at
}

/// Codes the keys of a block, which ascend, into `words`, which will begin at the word `start` of
/// all. Returns the first key and the packed head.
pub(super) fn encode<K: CodedKey>(keys: &[K], start: usize, words: &mut Vec<u64>) -> [K; 2] {
    let (first, rest) = (keys[0], &keys[1..]);
    let one = K::from(1);
    words.clear();
    let distance = |key: &K| *key - first - one;
    let Some(last) = rest.last().map(distance) else {
        return [first, K::from(Head { at: start, upper: 0, low: 0 }.packed())];
    };
    let count = rest.len();
    // With this many low bits, the bit vector has one to two bits for each key.
    let low = length_of(last).saturating_sub((count as u64).ilog2() + 1);
    let upper = low_word(last >> low) as usize + count;
    let coded = upper + count * low as usize;
    let (upper, low_bits) = match usize::try_from(last.to_u128()) {
        Ok(last) if last < coded => (last + 1, BITMAP),
        _ => (upper, low as u8),
    };
    let head = Head { at: start, upper, low: low_bits };
    let bits = if low_bits == BITMAP { upper } else { coded };
    words.resize(bits.div_ceil(64), 0);
    let mut at = upper;
    for (place, key) in rest.iter().enumerate() {
        let distance = distance(key);
        if low_bits == BITMAP {
            set(words, low_word(distance) as usize);
            continue;
        }
        set(words, low_word(distance >> low) as usize + place);
        for shift in (0..low).step_by(64) {
            let width = (low - shift).min(64);
            put(words, at, low_word(distance >> shift) & mask(width), width);
            at += width as usize;
        }
    }
    [first, K::from(head.packed())]
}

/// A coded block: its head, and its words with at least one word behind them.
#[derive(Clone, Copy)]
pub(super) struct Block<'w, K> {
    first: K,
    head: Head,
    words: &'w [u64],
}

impl<'w, K: CodedKey> Block<'w, K> {
    /// The block with this first key and packed head among all words.
    #[inline]
    pub(super) fn new([first, head]: [K; 2], words: &'w [u64]) -> Block<'w, K> {
        let head = Head::unpack(low_word(head));
        Block { first, head, words: &words[head.at..] }
    }

    /// The last key of a block of `count` keys, if a head and its words are the code of ascending
    /// keys.
    pub(super) fn checked([first, head]: [K; 2], words: &[u64], count: usize) -> Option<K> {
        let head = Head::unpack(low_word(head));
        let Head { at, upper, low } = head;
        let (rest, most) = (count - 1, size_of::<K>() as u32 * 8);
        let width = if low == BITMAP { 0 } else { u32::from(low) };
        let bits = upper + rest * width as usize;
        // A word behind the block is read, too. A block without low bits would be a bitmap.
        at.checked_add(bits.div_ceil(64)).filter(|&last| last < words.len())?;
        if low != BITMAP && rest > 0 && !(1..most).contains(&width) {
            return None;
        }
        let block = Block { first, head, words: &words[at..] };
        let mut ones = (0..upper).filter(|&bit| block.words[bit / 64] >> (bit % 64) & 1 == 1);
        let mut last = first;
        for place in 0..rest {
            let bit = ones.next()?;
            let high = if low == BITMAP { bit } else { bit - place };
            if usize::BITS - high.leading_zeros() + width > most {
                return None;
            }
            let distance = block.distance(bit, place).to_u128().checked_add(1)?;
            let key = first.to_u128().checked_add(distance)?;
            let (key, is_key) = (K::of_u128(key), key >> (most - 1) <= 1);
            if key <= last || !is_key {
                return None;
            }
            last = key;
        }
        ones.next().is_none().then_some(last)
    }

    /// The low bits of the distance at a place.
    #[inline]
    fn low(&self, place: usize) -> K {
        let width = u32::from(self.head.low);
        let at = self.head.upper + place * width as usize;
        if width <= 64 {
            return K::from(get(self.words, at, width));
        }
        let high = K::from(get(self.words, at + 64, width - 64));
        high << 64 | K::from(get(self.words, at, 64))
    }

    /// The place of a key in the block of `count` keys.
    #[inline]
    pub(super) fn find(&self, key: K, count: usize) -> Option<usize> {
        if key <= self.first {
            return (key == self.first).then_some(0);
        }
        let distance = key - self.first - K::from(1);
        let Head { upper, low, .. } = self.head;
        if low == BITMAP {
            let at = usize::try_from(distance.to_u128()).ok().filter(|&at| at < upper)?;
            let (word, bit) = (at / 64, at % 64);
            if self.words[word] >> bit & 1 == 0 {
                return None;
            }
            let before: usize = self.words[..word].iter().map(|&it| Ranks::of(it).count()).sum();
            return Some(before + Ranks::of(self.words[word] & ((1 << bit) - 1)).count() + 1);
        }
        let rest = usize::try_from((distance >> u32::from(low)).to_u128()).ok();
        let rest = rest.filter(|&rest| rest < upper)?;
        let wanted = distance - (distance >> u32::from(low) << u32::from(low));
        // The set bits of this rest follow the zero number `rest - 1`.
        let mut at = if rest == 0 { 0 } else { self.zero(rest - 1)? + 1 };
        while at < upper && self.words[at / 64] >> (at % 64) & 1 == 1 {
            let place = at - rest;
            if place + 1 >= count {
                return None;
            }
            let low = self.low(place);
            if low >= wanted {
                return (low == wanted).then_some(place + 1);
            }
            at += 1;
        }
        None
    }

    /// The place of a zero in the bit vector.
    #[inline]
    fn zero(&self, mut rank: usize) -> Option<usize> {
        for at in (0..self.head.upper).step_by(64) {
            let zeros = Ranks::of(!self.words[at / 64]);
            if rank < zeros.count() {
                return Some(at + zeros.select(rank));
            }
            rank -= zeros.count();
        }
        None
    }

    /// The key at a place of the block.
    #[inline]
    pub(super) fn key(&self, place: usize) -> K {
        let Some(mut rank) = place.checked_sub(1) else { return self.first };
        let place = rank;
        for at in (0..self.head.upper).step_by(64) {
            // Low bits may follow in the last word.
            let ones = Ranks::of(self.words[at / 64]);
            if rank < ones.count() {
                return self.first + self.distance(at + ones.select(rank), place) + K::from(1);
            }
            rank -= ones.count();
        }
        self.first
    }

    /// The distance less one whose bit in the bitmap or bit vector is `bit`.
    #[inline]
    fn distance(&self, bit: usize, place: usize) -> K {
        if self.head.low == BITMAP {
            return K::from(bit as u64);
        }
        K::from((bit - place) as u64) << u32::from(self.head.low) | self.low(place)
    }

    /// Writes the keys of the block into `keys`, one for each place there.
    #[inline]
    pub(super) fn decode(&self, keys: &mut [K]) {
        let Some((first, keys)) = keys.split_first_mut() else { return };
        *first = self.first;
        let (mut at, mut word) = (0, self.words[0]);
        for (place, key) in keys.iter_mut().enumerate() {
            while word == 0 && at + 64 < self.head.upper {
                at += 64;
                word = self.words[at / 64];
            }
            let bit = at + word.trailing_zeros() as usize % 64;
            *key = self.first + self.distance(bit, place) + K::from(1);
            word &= word.wrapping_sub(1);
        }
    }
}

fn mask(width: u32) -> u64 {
    if width == 0 { 0 } else { u64::MAX >> (64 - width) }
}

#[inline]
fn set(words: &mut [u64], at: usize) {
    words[at / 64] |= 1 << (at % 64);
}

/// Writes `width` bits.
#[inline]
fn put(words: &mut [u64], at: usize, bits: u64, width: u32) {
    let (word, bit) = (at / 64, at % 64);
    words[word] |= bits << bit;
    if bit + width as usize > 64 {
        words[word + 1] |= bits >> (64 - bit);
    }
}

/// Reads `width` bits, at most 64.
#[inline]
fn get(words: &[u64], at: usize, width: u32) -> u64 {
    let (word, bit) = (at / 64, at % 64);
    let above = words[word + 1] << 1 << (63 - bit);
    (words[word] >> bit | above) & mask(width)
}

/// A word, and how many bits are set in its bytes.
///
/// S. Vigna, "Broadword implementation of rank/select queries", 2008.
#[derive(Clone, Copy)]
struct Ranks {
    word: u64,
    /// In each byte the number of bits that are set up to its end.
    sums: u64,
}

/// A one in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;

impl Ranks {
    #[inline]
    fn of(word: u64) -> Ranks {
        let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
        let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        let sums = ((nibbles + (nibbles >> 4)) & (0xF * ONES)).wrapping_mul(ONES);
        Ranks { word, sums }
    }

    /// The number of bits that are set.
    #[inline]
    fn count(self) -> usize {
        (self.sums >> 56) as usize
    }

    /// The place of the set bit number `rank`; there are more than `rank`.
    #[inline]
    fn select(self, rank: usize) -> usize {
        let high = 0x80 * ONES;
        // The high bit of each byte whose sum is at most the rank.
        let before = (((rank as u64 * ONES) | high) - self.sums) & high;
        let shift = ((before >> 7).wrapping_mul(ONES) >> 56) * 8;
        let mut left = rank as u64 - (self.sums << 8 >> shift & 0xFF);
        let mut byte = self.word >> shift;
        while left > 0 {
            byte &= byte - 1;
            left -= 1;
        }
        shift as usize + byte.trailing_zeros() as usize
    }
}
