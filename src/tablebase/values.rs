//! Blocks of packed values, and how they are made small.
//!
//! Few tables have more than 256 different values. The header of one lists them, and a byte a state
//! says which; that is half of what they take plainly, and neighbours are alike, so that it is
//! compressed. Where most of the states of a block are decided, it can be smaller to put the
//! outcomes apart from the distances. What is smallest is taken, block by block.

use zstd::bulk::{Compressor, Decompressor};
use zstd::dict::{DecoderDictionary, EncoderDictionary};

use crate::value::{ENDLESS, HOLE};

/// How hard the values of a table are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Not at all: a byte or two each, where they can be read in place.
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

/// How many different values a table can have for a byte to say which.
const MOST_LISTED: usize = 256;

/// The longest dictionary, in bytes.
pub(super) const LONGEST_DICTIONARY: usize = 1 << 22;

/// What the bytes of a block are, as its first byte says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// Two bytes each, little-endian.
    Pairs = 0,
    /// A byte each, the place in the table's list.
    Codes = 1,
    /// Compressed pairs.
    CompressedPairs = 2,
    /// Compressed codes.
    CompressedCodes = 3,
    /// Codes compressed with the table's dictionary.
    CodesByDictionary = 4,
    /// Compressed: the outcomes, four to a byte, then a byte for every distance.
    Apart = 5,
    /// The same with two bytes for every distance.
    FarApart = 6,
}

const LAYOUTS: [Layout; 7] = [
    Layout::Pairs,
    Layout::Codes,
    Layout::CompressedPairs,
    Layout::CompressedCodes,
    Layout::CodesByDictionary,
    Layout::Apart,
    Layout::FarApart,
];

/// Which values a table has, at most 256 of them; none where there are more.
#[derive(Debug)]
pub(super) struct List {
    values: Vec<u16>,
    places: Vec<u8>,
}

impl List {
    /// The list of these values, which ascend.
    pub(super) fn new(values: Vec<u16>) -> List {
        let mut places = Vec::new();
        if values.len() <= MOST_LISTED {
            places = vec![0; 1 << 16];
            (0..).zip(&values).for_each(|(place, &value)| places[usize::from(value)] = place);
        }
        List { values: if places.is_empty() { Vec::new() } else { values }, places }
    }

    pub(super) fn values(&self) -> &[u16] {
        &self.values
    }

    /// The places of these values in the list.
    pub(super) fn codes(&self, values: &[u16]) -> Vec<u8> {
        values.iter().map(|&value| self.places[usize::from(value)]).collect()
    }
}

/// Gives every hole the value of a neighbour, so that it costs nothing. Nobody asks for it.
pub(super) fn fill_holes(values: &mut [u16]) {
    let mut last = values.iter().copied().find(|&value| value != HOLE).unwrap_or(ENDLESS);
    for value in values {
        match *value {
            HOLE => *value = last,
            other => last = other,
        }
    }
}

/// Makes blocks.
pub(super) struct Encoder<'e> {
    list: &'e List,
    compressor: Option<Compressor<'static>>,
    by_dictionary: Option<Compressor<'e>>,
    /// For finding out what is smaller.
    quick: Compressor<'static>,
    codes: Vec<u8>,
    apart: Vec<u8>,
}

impl<'e> Encoder<'e> {
    pub(super) fn new(
        compression: Compression,
        list: &'e List,
        dictionary: Option<&'e EncoderDictionary<'static>>,
    ) -> std::io::Result<Encoder<'e>> {
        let compressor = match compression {
            Compression::Plain => None,
            Compression::Zstd(level) => Some(Compressor::new(level.into())?),
        };
        let by_dictionary = dictionary.map(Compressor::with_prepared_dictionary).transpose()?;
        let quick = Compressor::new(1)?;
        Ok(Encoder { list, compressor, by_dictionary, quick, codes: Vec::new(), apart: Vec::new() })
    }

    /// The bytes of a block of these values.
    pub(super) fn encode(&mut self, values: &[u16]) -> std::io::Result<Vec<u8>> {
        let Encoder { list, compressor, by_dictionary, quick, codes, apart } = self;
        let listed = !list.values.is_empty();
        codes.clear();
        let (stored, compressed) = if listed {
            codes.extend(values.iter().map(|&value| list.places[usize::from(value)]));
            (Layout::Codes, Layout::CompressedCodes)
        } else {
            codes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
            (Layout::Pairs, Layout::CompressedPairs)
        };
        let Some(compressor) = compressor else { return Ok(block(stored, codes)) };
        let smaller = if let Some(by_dictionary) = by_dictionary {
            block(Layout::CodesByDictionary, &by_dictionary.compress(codes)?)
        } else {
            // A part of the block shows well enough what is smaller.
            let part = values.len() * 3 / 8..values.len() * 5 / 8;
            put_apart(&values[part.clone()], apart);
            let width = codes.len() / values.len();
            let same_part = &codes[part.start * width..part.end * width];
            if quick.compress(apart)?.len() < quick.compress(same_part)?.len() {
                let layout = put_apart(values, apart);
                block(layout, &compressor.compress(apart)?)
            } else {
                block(compressed, &compressor.compress(codes)?)
            }
        };
        Ok(if smaller.len() < codes.len() { smaller } else { block(stored, codes) })
    }
}

fn block(layout: Layout, bytes: &[u8]) -> Vec<u8> {
    let mut block = Vec::with_capacity(1 + bytes.len());
    block.push(layout as u8);
    block.extend_from_slice(bytes);
    block
}

/// The highest two bits of a packed value say who wins, the others how far it is; there is no
/// distance where the two are 0.
const DISTANCE_BITS: u32 = 14;
const DISTANCE: u16 = (1 << DISTANCE_BITS) - 1;

/// Writes the outcomes and behind them the distances.
fn put_apart(values: &[u16], apart: &mut Vec<u8>) -> Layout {
    let outcome = |value: u16| (value >> DISTANCE_BITS) as u8;
    apart.clear();
    apart.extend(
        values.chunks(4).map(|four| {
            four.iter().rev().fold(0, |outcomes, &value| outcomes << 2 | outcome(value))
        }),
    );
    let distances =
        values.iter().filter(|&&value| outcome(value) != 0).map(|&value| value & DISTANCE);
    if values.iter().all(|&value| outcome(value) == 0 || value & DISTANCE < 256) {
        apart.extend(distances.map(|distance| distance as u8));
        Layout::Apart
    } else {
        apart.extend(distances.flat_map(u16::to_le_bytes));
        Layout::FarApart
    }
}

/// The reverse of [`put_apart`] for `len` values.
fn join(bytes: &[u8], len: usize, width: usize) -> Result<Vec<u16>, String> {
    let (outcomes, distances) =
        bytes.split_at_checked(len.div_ceil(4)).ok_or("has too few outcomes")?;
    let mut distances = distances.chunks_exact(width);
    let values = (0..len).map(|at| {
        let outcome = outcomes[at / 4] >> (at % 4 * 2) & 3;
        if outcome == 0 {
            return Ok(ENDLESS);
        }
        let distance = match distances.next() {
            Some(&[low]) => u16::from(low),
            Some(&[low, high]) => u16::from_le_bytes([low, high]),
            _ => return Err("has too few distances".to_owned()),
        };
        match distance {
            0..=DISTANCE => Ok(u16::from(outcome) << DISTANCE_BITS | distance),
            _ => Err(format!("has a distance of {distance}")),
        }
    });
    let values = values.collect::<Result<_, _>>()?;
    match (distances.next(), distances.remainder()) {
        (None, []) => Ok(values),
        _ => Err("has too many distances".to_owned()),
    }
}

/// The values of a block, decompressed.
#[derive(Debug)]
pub(super) enum Values {
    /// The places in the table's list.
    Codes(Box<[u8]>),
    Packed(Box<[u16]>),
}

impl Values {
    /// Puts the packed values into `packed`.
    pub(super) fn copy_to(&self, packed: &mut Vec<u16>, list: &[u16]) {
        packed.clear();
        match self {
            // It was decoded only if the list has all.
            Values::Codes(codes) => packed.extend(
                codes.iter().map(|&code| list.get(usize::from(code)).copied().unwrap_or(HOLE)),
            ),
            Values::Packed(own) => packed.extend_from_slice(own),
        }
    }

    /// The value at a place; `None` if that names a value that the list does not have.
    #[inline]
    pub(super) fn get(&self, at: usize, list: &[u16]) -> Option<u16> {
        match self {
            Values::Codes(codes) => list.get(usize::from(codes[at])).copied(),
            Values::Packed(packed) => Some(packed[at]),
        }
    }
}

/// Reads blocks.
pub(super) struct Decoder<'d> {
    pub(super) list: &'d [u16],
    pub(super) dictionary: Option<&'d DecoderDictionary<'static>>,
}

impl Decoder<'_> {
    /// The values of a block, of which there have to be `len`.
    pub(super) fn decode(&self, block: &[u8], len: usize) -> Result<Values, String> {
        let (layout, bytes) = split(block)?;
        // There is never more than a block's worth.
        let failed = |error| format!("can't be decompressed: {error}");
        let decompressed = |most: usize| -> Result<Vec<u8>, String> {
            Decompressor::new().map_err(failed)?.decompress(bytes, most).map_err(failed)
        };
        let values = match layout {
            Layout::Pairs => pairs(bytes)?,
            Layout::Codes => Values::Codes(bytes.into()),
            Layout::CompressedPairs => pairs(&decompressed(2 * len)?)?,
            Layout::CompressedCodes => Values::Codes(decompressed(len)?.into()),
            Layout::CodesByDictionary => {
                let dictionary = self.dictionary.ok_or("needs a dictionary that is not there")?;
                let decompressor = Decompressor::with_prepared_dictionary(dictionary);
                let codes = decompressor.map_err(failed)?.decompress(bytes, len);
                Values::Codes(codes.map_err(failed)?.into())
            }
            Layout::Apart => {
                let most = len.div_ceil(4) + len;
                Values::Packed(join(&decompressed(most)?, len, 1)?.into())
            }
            Layout::FarApart => {
                let most = len.div_ceil(4) + 2 * len;
                Values::Packed(join(&decompressed(most)?, len, 2)?.into())
            }
        };
        let found = match &values {
            Values::Codes(codes) => codes.len(),
            Values::Packed(packed) => packed.len(),
        };
        if found != len {
            return Err(format!("has {found} values, where {len} were expected"));
        }
        match &values {
            Values::Codes(codes) if !self.lists_all(codes) => {
                Err(format!("names a value that the list of {} does not have", self.list.len()))
            }
            _ => Ok(values),
        }
    }

    fn lists_all(&self, codes: &[u8]) -> bool {
        self.list.len() == MOST_LISTED
            || codes.iter().all(|&code| usize::from(code) < self.list.len())
    }

    /// Whether the values of a block can be read where they stand, once it is known that the block
    /// can be decoded.
    pub(super) fn is_in_place(block: &[u8]) -> bool {
        matches!(split(block), Ok((Layout::Pairs | Layout::Codes, _)))
    }

    /// The value at a place of a block that was decoded before, if it can be read there.
    #[inline]
    pub(super) fn in_place(&self, block: &[u8], at: usize) -> Option<u16> {
        match block.split_first()? {
            (&layout, codes) if layout == Layout::Codes as u8 => {
                self.list.get(usize::from(*codes.get(at)?)).copied()
            }
            (&layout, pairs) if layout == Layout::Pairs as u8 => {
                Some(u16::from_le_bytes([*pairs.get(2 * at)?, *pairs.get(2 * at + 1)?]))
            }
            _ => None,
        }
    }
}

fn split(block: &[u8]) -> Result<(Layout, &[u8]), String> {
    let (&layout, bytes) = block.split_first().ok_or("is empty")?;
    let layout = LAYOUTS.get(usize::from(layout)).ok_or(format!("has layout {layout}"))?;
    Ok((*layout, bytes))
}

fn pairs(bytes: &[u8]) -> Result<Values, String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err("has half a value".to_owned());
    }
    Ok(Values::Packed(pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect()))
}

#[cfg(test)]
mod tests;
