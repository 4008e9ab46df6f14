//! Blocks of sorted states, for tables of explored games.
//!
//! The states are in blocks. The first states of these blocks are in blocks again, and so on, until
//! one block contains all. A search goes down these levels, and reads one block on each.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::runtime::codec::{self, push_varint, take_varint};
use crate::table::packing;
use crate::table::values::Compression;

/// A block of states in ascending order, each a separate record.
#[derive(Debug, Serialize, Deserialize)]
struct StoredBlock<'a> {
    layout: StateLayout,
    #[serde(borrow, with = "serde_bytes")]
    states: &'a [u8],
}

/// The boundaries of the states in a block's bytes.
#[derive(Debug, Serialize, Deserialize)]
enum StateLayout {
    /// All states are of the same width, in bytes.
    Even { width: u32 },
    /// The end of each state.
    Uneven { ends: Vec<u32> },
    /// The states are ascending numbers of that width, little-endian. Each is stored as its
    /// difference from the previous one (the first: from 0). A difference is written in groups of
    /// seven bits from the lowest, with the eighth bit set in all bytes but the last.
    Ascending { width: u32 },
}

/// The number of states on each level above the states themselves, from below.
pub(crate) fn levels(len: u64, block_states: u64) -> Vec<u64> {
    let mut levels = Vec::new();
    let mut above = len.div_ceil(block_states);
    while above > 1 {
        levels.push(above);
        above = above.div_ceil(block_states);
    }
    levels
}

/// The bytes of a block of states with these records.
pub(crate) fn encode(states: &[Vec<u8>], compression: Compression) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut ends = Vec::with_capacity(states.len());
    for state in states {
        bytes.extend(state);
        ends.push(u32::try_from(bytes.len()).map_err(|_| "has states that are too long")?);
    }
    let width = ends.first().copied().unwrap_or(0);
    let even = ends.iter().zip(1..).all(|(&end, count)| u64::from(width) * count == u64::from(end));
    let mut layout = if even { StateLayout::Even { width } } else { StateLayout::Uneven { ends } };
    if compression != Compression::Plain
        && even
        && let Some(steps) = steps(&bytes, width as usize)
    {
        (layout, bytes) = (StateLayout::Ascending { width }, steps);
    }
    packing::pack(&codec::encode(&StoredBlock { layout, states: &bytes })?, compression)
}

/// The differences between neighbouring numbers of `width` bytes; `None` if they do not ascend or
/// are too wide.
fn steps(bytes: &[u8], width: usize) -> Option<Vec<u8>> {
    if !(2..=16).contains(&width) {
        return None;
    }
    let mut steps = Vec::new();
    let mut last = 0;
    for number in bytes.chunks_exact(width) {
        let mut wide = [0; 16];
        wide[..width].copy_from_slice(number);
        let number = u128::from_le_bytes(wide);
        push_varint(number.checked_sub(last)?, &mut steps);
        last = number;
    }
    Some(steps)
}

/// The numbers of `width` bytes with these differences, at most `most` of them.
fn sums(steps: &[u8], width: usize, most: usize) -> Result<Vec<u8>, String> {
    if !(2..=16).contains(&width) {
        return Err(format!("has ascending states of {width} bytes"));
    }
    let (mut bytes, mut sum, mut rest) = (Vec::new(), 0_u128, steps);
    while !rest.is_empty() {
        let step = take_varint(&mut rest).ok_or("has a step that is no number")?;
        sum = sum.checked_add(step).ok_or("has a state that is too great")?;
        let number = sum.to_le_bytes();
        if number[width..].iter().any(|&byte| byte != 0) {
            return Err("has a state that is too great".into());
        }
        if bytes.len() == width * most {
            return Err("has too many states".into());
        }
        bytes.extend_from_slice(&number[..width]);
    }
    Ok(bytes)
}

/// The memory that decoding a block of at most `most` states takes, in bytes, roughly. `length` is
/// the length of the block, and `beginning` its first bytes.
pub(crate) fn bytes_of_decoding(beginning: &[u8], length: u64, most: usize) -> usize {
    let length = length as usize;
    // The record itself, and ascending numbers both as numbers and as a record.
    let record = packing::unpacked_length(beginning, length);
    length.saturating_add(record).saturating_add(most.min(record).saturating_mul(32))
}

/// Decompresses a block of at most `most` states to the record that [`StateBlock::read`] takes.
pub(crate) fn decode(block: &[u8], most: usize) -> Result<Vec<u8>, String> {
    let record = packing::unpack(block)?;
    let StoredBlock { layout, states } = codec::decode(&record)?;
    let StateLayout::Ascending { width } = layout else { return Ok(record) };
    let states = sums(states, width as usize, most)?;
    codec::encode(&StoredBlock { layout: StateLayout::Even { width }, states: &states })
}

/// The states of a block, in place in its record. To read one state takes no time for the others.
#[derive(Debug)]
pub(crate) struct StateBlock<'r> {
    bounds: Bounds<'r>,
    states: &'r [u8],
}

/// The boundaries of the states in a block's bytes.
#[derive(Debug)]
enum Bounds<'r> {
    /// All states are of the same width, in bytes.
    Even(usize),
    /// The end of each state, little-endian.
    Uneven(&'r [[u8; 4]]),
}

impl StateBlock<'_> {
    /// Finds the parts of a record that [`decode`] returned.
    pub(crate) fn read(record: &[u8]) -> Result<StateBlock<'_>, String> {
        let parts = |record| {
            let (variant, rest) = take_number::<4>(record)?;
            let (bounds, rest) = match variant {
                0 => {
                    let (width, rest) = take_number::<4>(rest)?;
                    (Bounds::Even(width), rest)
                }
                1 => {
                    let (count, rest) = take_number::<8>(rest)?;
                    let (ends, rest) = rest.split_at_checked(count.checked_mul(4)?)?;
                    (Bounds::Uneven(ends.as_chunks().0), rest)
                }
                _ => return None,
            };
            let (length, states) = take_number::<8>(rest)?;
            (states.len() == length).then_some(StateBlock { bounds, states })
        };
        parts(record).ok_or_else(|| "can't be read: its lengths are wrong".to_owned())
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        match self.bounds {
            Bounds::Even(0) => 1,
            Bounds::Even(width) => self.states.len() / width,
            Bounds::Uneven(ends) => ends.len(),
        }
    }

    /// The state at a place in the block.
    pub(crate) fn state<S: DeserializeOwned>(&self, at: usize) -> Result<S, String> {
        let (start, end) = match self.bounds {
            Bounds::Even(width) => (at * width, (at + 1) * width),
            Bounds::Uneven(ends) => {
                let end = |at: usize| u32::from_le_bytes(ends[at]) as usize;
                (if at == 0 { 0 } else { end(at - 1) }, end(at))
            }
        };
        codec::decode(self.states.get(start..end).ok_or("has a state outside its bytes")?)
    }
}

/// Takes a little-endian number of this many bytes from the beginning of some bytes.
#[inline]
fn take_number<const BYTES: usize>(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<BYTES>()?;
    let mut wide = [0; 8];
    wide[..BYTES].copy_from_slice(number);
    Some((usize::try_from(u64::from_le_bytes(wide)).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVELS: [Compression; 2] = [Compression::Plain, Compression::Zstd(3)];

    fn assert_read_back<S>(states: &[S]) -> [usize; 2]
    where
        S: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
    {
        LEVELS.map(|compression| {
            let records: Vec<_> =
                states.iter().map(|state| codec::encode(state).unwrap()).collect();
            let block = encode(&records, compression).unwrap();
            let record = decode(&block, states.len()).unwrap();
            let read = StateBlock::read(&record).unwrap();
            assert_eq!(read.len(), states.len());
            for (at, state) in states.iter().enumerate() {
                assert_eq!(read.state::<S>(at).as_ref(), Ok(state));
            }
            block.len()
        })
    }

    #[test]
    fn states_of_all_kinds_are_read_back() {
        let [plain, small] = assert_read_back(&(0..10_000_u64).map(|n| n * n).collect::<Vec<_>>());
        assert!(plain > 80_000 && small < 25_000, "{plain} and {small} bytes");
        assert_read_back(&[u128::MAX - 1, u128::MAX]);
        assert_read_back(&[0_u128, u128::MAX]);
        assert_read_back(&[3_u64, 2, 1]);
        assert_read_back(&["one".to_owned(), "three".to_owned()]);
        assert_read_back(&[7_u8, 9]);
        assert_read_back(&[()]);
    }

    #[test]
    fn steps_that_make_no_states_are_refused() {
        let full = [0xff; 19];
        for (steps, width) in [(&[0x80][..], 8), (&full, 16), (&[0xff, 0xff, 0x7f], 2), (&[1], 17)]
        {
            assert!(sums(steps, width, 10).is_err(), "{steps:?}");
        }
        assert!(sums(&[1, 1, 1], 2, 2).is_err());
        assert_eq!(sums(&[1, 0x81, 2], 2, 2), Ok(vec![1, 0, 2, 1]));
    }

    #[test]
    fn levels_end_with_one_block() {
        for (len, expected) in
            [(0, vec![]), (1, vec![]), (16, vec![]), (17, vec![2]), (257, vec![17, 2])]
        {
            assert_eq!(levels(len, 16), expected, "{len}");
        }
    }
}
