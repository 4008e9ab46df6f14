//! Blocks of packed values, and how they are made small.
//!
//! A block has few different values, so that a byte each and a list of what the bytes stand for is
//! half of what they take plainly; and neighbours are alike, so that this is compressed. What is
//! smallest is taken, block by block.

use serde::{Deserialize, Serialize};
use zstd::bulk::{Compressor, Decompressor};

use super::codec;

/// How hard the values of a table are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Not at all: two bytes each.
    Plain,
    /// By zstd, at this level: 1 (fastest) to 22 (smallest). Reading takes the same time at all
    /// levels.
    Zstd(u8),
}

impl Default for Compression {
    fn default() -> Compression {
        Compression::Zstd(6)
    }
}

/// How many different values a block can have for a byte to say which.
const MOST_LISTED: usize = 256;

/// A block of values as it is written.
#[derive(Serialize, Deserialize)]
struct Record<'a> {
    /// The number of the first.
    first: u64,
    layout: Layout,
    #[serde(borrow, with = "serde_bytes")]
    values: &'a [u8],
}

/// What the bytes of a block are.
#[derive(Debug, Serialize, Deserialize)]
enum Layout {
    /// Two bytes each, little-endian.
    Plain,
    /// A byte each, the place in this list.
    Listed { list: Vec<u16> },
    /// The same as plain, compressed.
    PlainCompressed,
    /// The same as listed, compressed.
    ListedCompressed { list: Vec<u16> },
}

/// Makes blocks.
pub(super) struct Encoder {
    compressor: Option<Compressor<'static>>,
    plain: Vec<u8>,
    listed: Vec<u8>,
    /// The place of each value in the list, plus one.
    places: Vec<u16>,
}

impl Encoder {
    pub(super) fn new(compression: Compression) -> Result<Encoder, String> {
        let compressor = match compression {
            Compression::Plain => None,
            Compression::Zstd(level) => {
                let made = Compressor::new(level.into());
                Some(made.map_err(|error| format!("can't be compressed: {error}"))?)
            }
        };
        let places = vec![0; 1 << 16];
        Ok(Encoder { compressor, plain: Vec::new(), listed: Vec::new(), places })
    }

    /// The bytes of a block of these values.
    pub(super) fn encode(&mut self, first: u64, values: &[u16]) -> Result<Vec<u8>, String> {
        let Encoder { compressor, plain, listed, places } = self;
        plain.clear();
        plain.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        let uncompressed = Record { first, layout: Layout::Plain, values: plain };
        let Some(compressor) = compressor else { return codec::encode(&uncompressed) };
        let mut compress = |bytes: &[u8]| {
            compressor.compress(bytes).map_err(|error| format!("can't be compressed: {error}"))
        };

        let mut list = Vec::new();
        listed.clear();
        for &value in values {
            let place = &mut places[usize::from(value)];
            if *place == 0 {
                list.push(value);
                *place = list.len() as u16;
            }
            listed.push((*place - 1) as u8);
        }
        list.iter().for_each(|&value| places[usize::from(value)] = 0);

        let mut smallest = codec::encode(&uncompressed)?;
        let mut consider = |layout, values: &[u8]| -> Result<(), String> {
            let record = codec::encode(&Record { first, layout, values })?;
            if record.len() < smallest.len() {
                smallest = record;
            }
            Ok(())
        };
        if list.len() <= MOST_LISTED {
            consider(Layout::ListedCompressed { list: list.clone() }, &compress(listed)?)?;
            consider(Layout::Listed { list }, listed)?;
        } else {
            consider(Layout::PlainCompressed, &compress(plain)?)?;
        }
        Ok(smallest)
    }
}

/// The first number of a block, and its values, of which there have to be `len`.
pub(super) fn decode(bytes: &[u8], len: usize) -> Result<(u64, Vec<u16>), String> {
    let Record { first, layout, values } = codec::decode(bytes)?;
    let decompressed = |width: usize| -> Result<Vec<u8>, String> {
        // There is never more than a block's worth.
        let failed = |error| format!("can't be decompressed: {error}");
        let mut decompressor = Decompressor::new().map_err(failed)?;
        decompressor.decompress(values, width * len).map_err(failed)
    };
    let of_pairs = |bytes: &[u8]| {
        if !bytes.len().is_multiple_of(2) {
            return Err("has half a value".to_owned());
        }
        Ok(bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect())
    };
    let of_places =
        |list: &[u16], bytes: &[u8]| {
            let value = |&place: &u8| list.get(usize::from(place)).copied();
            bytes.iter().map(value).collect::<Option<Vec<u16>>>().ok_or_else(|| {
                format!("names a value that its list of {} does not have", list.len())
            })
        };
    let values: Vec<u16> = match &layout {
        Layout::Plain => of_pairs(values)?,
        Layout::Listed { list } => of_places(list, values)?,
        Layout::PlainCompressed => of_pairs(&decompressed(2)?)?,
        Layout::ListedCompressed { list } => of_places(list, &decompressed(1)?)?,
    };
    Ok((first, values))
}

#[cfg(test)]
mod tests {
    use twox_hash::XxHash3_64;

    use super::*;

    #[test]
    fn every_block_is_read_back_from_every_layout() {
        let mixed = |at: u64| XxHash3_64::oneshot(&at.to_le_bytes()) as u16;
        let blocks: [Vec<u16>; 7] = [
            Vec::new(),
            vec![7],
            vec![0x4003; 16_384],
            (0..16_384).map(|at| mixed(at / 50) % 200).collect(),
            (0..16_384).map(|at| mixed(at) % 256).collect(),
            (0..16_384).map(|at| mixed(at / 50)).collect(),
            (0..16_384).map(mixed).collect(),
        ];
        let mut layouts = Vec::new();
        for compression in [Compression::Plain, Compression::Zstd(1), Compression::Zstd(22)] {
            let mut encoder = Encoder::new(compression).unwrap();
            for (first, values) in (5..).zip(&blocks) {
                let bytes = encoder.encode(first, values).unwrap();
                assert_eq!(decode(&bytes, values.len()), Ok((first, values.clone())));
                assert!(bytes.len() <= 2 * values.len() + 20);
                let record: Record<'_> = codec::decode(&bytes).unwrap();
                layouts.push(format!("{:?}", record.layout).split(' ').next().unwrap().to_owned());
                if compression == Compression::Plain {
                    assert_eq!(layouts.pop().unwrap(), "Plain");
                }
            }
        }
        layouts.sort();
        layouts.dedup();
        assert_eq!(layouts, ["Listed", "ListedCompressed", "Plain", "PlainCompressed"]);
    }

    #[test]
    fn a_block_that_decompresses_to_more_than_there_is_room_for_is_refused() {
        let bytes = Encoder::new(Compression::Zstd(3)).unwrap().encode(0, &[9; 16_384]).unwrap();
        assert!(decode(&bytes, 16_383).is_err());
        let list = vec![1, 2];
        for values in [&[0, 1, 2][..], &[255]] {
            let record = Record { first: 0, layout: Layout::Listed { list: list.clone() }, values };
            let bytes = codec::encode(&record).unwrap();
            assert!(decode(&bytes, values.len()).unwrap_err().contains("list of 2"));
        }
    }
}
