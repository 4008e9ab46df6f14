//! Reading the blocks of a table's values.

use std::ops::Range;

use crate::table::zstd::bulk::Decompressor;
use crate::table::zstd::dict::DecoderDictionary;

use crate::game::value::UNUSED;
use crate::table::values::{
    BLOCK_ENCODINGS, BlockEncoding, PALETTE_LIMIT, Stride, of_outcome, outcome_at,
};

/// The values of a decompressed block.
#[derive(Debug)]
pub(crate) enum Values {
    /// The places in the table's palette.
    Codes(Box<[u8]>),
    Packed(Box<[u16]>),
    /// Outcomes, four to a byte.
    Outcomes(Box<[u8]>),
}

impl Values {
    /// The memory that the values take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Values::Codes(bytes) | Values::Outcomes(bytes) => bytes.len(),
            Values::Packed(packed) => 2 * packed.len(),
        }
    }

    /// Replaces the contents of `packed` by the packed values at these places.
    pub(crate) fn copy_to(&self, places: Range<usize>, packed: &mut Vec<u16>, palette: &[u16]) {
        packed.clear();
        match self {
            // A block is decoded only if the palette contains all of its codes.
            Values::Codes(codes) => packed.extend(
                codes[places]
                    .iter()
                    .map(|&code| palette.get(usize::from(code)).copied().unwrap_or(UNUSED)),
            ),
            Values::Packed(own) => packed.extend_from_slice(&own[places]),
            Values::Outcomes(outcomes) => {
                let outcomes = places.filter_map(|at| outcome_at(outcomes, at));
                packed.extend(outcomes.map(of_outcome));
            }
        }
    }

    /// The value at a place; `None` if the palette lacks it.
    #[inline]
    pub(crate) fn get(&self, at: usize, palette: &[u16]) -> Option<u16> {
        match self {
            Values::Codes(codes) => palette.get(usize::from(codes[at])).copied(),
            Values::Packed(packed) => Some(packed[at]),
            Values::Outcomes(outcomes) => outcome_at(outcomes, at).map(of_outcome),
        }
    }
}

/// Reads blocks of values, with the palette and the dictionary of the table.
pub(crate) struct Decoder<'d> {
    pub(crate) palette: &'d [u16],
    pub(crate) dictionary: Option<&'d DecoderDictionary<'static>>,
}

impl Decoder<'_> {
    /// The memory that decoding a block of `len` values takes beside the block itself, in bytes,
    /// roughly. `first` is the first byte of the block.
    pub(crate) fn bytes(first: u8, len: usize) -> usize {
        use BlockEncoding::{
            Codes, CodesByDictionary, CompressedCodes, CompressedOutcomes, Outcomes,
            OutcomesByDictionary,
        };
        // Both decompressed and in the order of the indices; packed values are numbers in between.
        match split(&[first]) {
            Ok((Outcomes | CompressedOutcomes | OutcomesByDictionary, ..)) => len.div_ceil(4) * 2,
            Ok((Codes | CompressedCodes | CodesByDictionary, ..)) => len * 2,
            _ => len * 6,
        }
    }

    /// The values of a block. Fails unless there are `len` values.
    pub(crate) fn decode(&self, block: &[u8], len: usize) -> Result<Values, String> {
        let (encoding, stride, bytes) = split(block)?;
        let failed = |error| format!("can't be decompressed: {error}");
        let decompressed = |most: usize| -> Result<Vec<u8>, String> {
            Decompressor::new().map_err(failed)?.decompress(bytes, most).map_err(failed)
        };
        let by_dictionary = |most: usize| -> Result<Vec<u8>, String> {
            let dictionary = self.dictionary.ok_or("needs a dictionary that is not there")?;
            let decompressor = Decompressor::with_prepared_dictionary(dictionary);
            decompressor.map_err(failed)?.decompress(bytes, most).map_err(failed)
        };
        match encoding {
            BlockEncoding::Pairs => packed(pairs(bytes)?, len, stride),
            BlockEncoding::CompressedPairs => packed(pairs(&decompressed(2 * len)?)?, len, stride),
            BlockEncoding::Codes => self.codes(bytes.to_vec(), len, stride),
            BlockEncoding::CompressedCodes => self.codes(decompressed(len)?, len, stride),
            BlockEncoding::CodesByDictionary => self.codes(by_dictionary(len)?, len, stride),
            BlockEncoding::Outcomes => outcomes(bytes.to_vec(), len, stride),
            BlockEncoding::CompressedOutcomes => {
                outcomes(decompressed(len.div_ceil(4))?, len, stride)
            }
            BlockEncoding::OutcomesByDictionary => {
                outcomes(by_dictionary(len.div_ceil(4))?, len, stride)
            }
        }
    }

    fn codes(&self, codes: Vec<u8>, len: usize, stride: Stride) -> Result<Values, String> {
        check_count(codes.len(), len)?;
        match self.has_all(&codes) {
            true => Ok(Values::Codes(stride.undo(codes))),
            false => Err(format!(
                "names a value that the palette of {} does not have",
                self.palette.len()
            )),
        }
    }

    fn has_all(&self, codes: &[u8]) -> bool {
        self.palette.len() == PALETTE_LIMIT
            || codes.iter().all(|&code| usize::from(code) < self.palette.len())
    }

    /// Whether the values of a block can be read in place. The block must have been decoded without
    /// an error.
    pub(crate) fn is_in_place(block: &[u8]) -> bool {
        match split(block) {
            Ok((
                BlockEncoding::Pairs | BlockEncoding::Codes | BlockEncoding::Outcomes,
                stride,
                _,
            )) => stride.is_one(),
            _ => false,
        }
    }

    /// The value at a place of a block that was decoded before, if it can be read in place.
    #[inline]
    pub(crate) fn in_place(&self, block: &[u8], at: usize) -> Option<u16> {
        match block.split_first()? {
            (&encoding, codes) if encoding == BlockEncoding::Codes as u8 => {
                self.palette.get(usize::from(*codes.get(at)?)).copied()
            }
            (&encoding, pairs) if encoding == BlockEncoding::Pairs as u8 => {
                Some(u16::from_le_bytes([*pairs.get(2 * at)?, *pairs.get(2 * at + 1)?]))
            }
            (&encoding, outcomes) if encoding == BlockEncoding::Outcomes as u8 => {
                outcome_at(outcomes, at).map(of_outcome)
            }
            _ => None,
        }
    }
}

/// Checks that a block has the expected number of values.
fn check_count(found: usize, len: usize) -> Result<(), String> {
    if found == len {
        return Ok(());
    }
    Err(format!("has {found} values, where {len} were expected"))
}

fn packed(values: Vec<u16>, len: usize, stride: Stride) -> Result<Values, String> {
    check_count(values.len(), len)?;
    Ok(Values::Packed(stride.undo(values)))
}

fn outcomes(bytes: Vec<u8>, len: usize, stride: Stride) -> Result<Values, String> {
    if bytes.len() != len.div_ceil(4) {
        let found = bytes.len();
        return Err(format!("has {found} bytes of outcomes for {len} values"));
    }
    if stride.is_one() {
        return Ok(Values::Outcomes(bytes.into()));
    }
    let mut restored = vec![0; bytes.len()];
    stride.visit(len, |at, from| {
        restored[at / 4] |= (bytes[from / 4] >> (from % 4 * 2) & 3) << (at % 4 * 2);
    });
    Ok(Values::Outcomes(restored.into()))
}

/// The encoding and the stride from the first byte of a block, and the other bytes.
fn split(block: &[u8]) -> Result<(BlockEncoding, Stride, &[u8]), String> {
    let (&first, bytes) = block.split_first().ok_or("is empty")?;
    let stride = Stride::of_log(first >> (u8::BITS - Stride::BITS));
    let encoding = first & (u8::MAX >> Stride::BITS);
    let mut encodings = BLOCK_ENCODINGS.into_iter();
    let encoding = encodings
        .find(|&known| known as u8 == encoding)
        .ok_or_else(|| format!("has layout {encoding}"))?;
    Ok((encoding, stride, bytes))
}

fn pairs(bytes: &[u8]) -> Result<Vec<u16>, String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err("has half a value".to_owned());
    }
    Ok(pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect())
}
