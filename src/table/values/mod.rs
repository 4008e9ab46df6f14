//! Blocks of packed values, and how they are made small.
//!
//! Few tables have more than 256 different values. The header of one lists them, and a byte a state
//! says which; that is half of what they take plainly, and neighbours are alike, so that it is
//! compressed. Where most of the states of a block are decided, it can be smaller to put the
//! outcomes apart from the distances. What is smallest is taken, block by block.

mod encoder;
mod stride;
#[cfg(test)]
mod tests;

use zstd::bulk::Decompressor;
use zstd::dict::DecoderDictionary;

pub(crate) use encoder::{Effort, Encoder};
pub(crate) use stride::Stride;

use crate::value::{ENDLESS, HOLE};

/// How hard the values of a table are compressed. Reading takes the same time at all levels, except
/// that blocks can be larger at higher ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// As suits what is written: outcomes alone at level 19; values of tiers and of explored games at
    /// 13, where most of the time goes into other things than one table's values; all else at 14. In
    /// those, and in tables of more than 2^24 values, what is far apart is looked for with less effort.
    #[default]
    Usual,
    /// Not at all: a byte or two each, where they can be read in place.
    Plain,
    /// By zstd, from 1 (fastest) to 22 (smallest): its levels, with parameters of our own where those
    /// make tables smaller in the same time.
    Zstd(u8),
}

impl Compression {
    /// The levels for all that is read whole, states and the header, of which the one that makes it
    /// smallest is taken. Structures that repeat can be several times as long at a higher level.
    pub(crate) fn of_records(self) -> Vec<u8> {
        match self {
            Compression::Usual => vec![6, 14],
            Compression::Plain => Vec::new(),
            Compression::Zstd(level) => vec![level],
        }
    }
}

/// How many different values a table can have for a byte to say which.
const MOST_LISTED: usize = 256;

/// The longest dictionary, in bytes.
pub(crate) const LONGEST_DICTIONARY: usize = 1 << 22;

/// What the bytes of a block are, as the lower half of its first byte says; the other half says in
/// which order its values stand.
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
    /// The outcomes alone, four to a byte.
    Outcomes = 7,
    /// Compressed outcomes.
    CompressedOutcomes = 8,
    /// Outcomes compressed with the table's dictionary.
    OutcomesByDictionary = 9,
}

const LAYOUTS: [Layout; 10] = [
    Layout::Pairs,
    Layout::Codes,
    Layout::CompressedPairs,
    Layout::CompressedCodes,
    Layout::CodesByDictionary,
    Layout::Apart,
    Layout::FarApart,
    Layout::Outcomes,
    Layout::CompressedOutcomes,
    Layout::OutcomesByDictionary,
];

/// What a value is in a block that is not compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Two bytes.
    Pairs,
    /// A byte, the place in the table's list.
    Codes,
    /// Two bits.
    Outcomes,
}

impl Form {
    /// The layouts of a block of this form: as it is, compressed, and compressed with a dictionary
    /// where that can be.
    fn layouts(self) -> (Layout, Layout, Option<Layout>) {
        match self {
            Form::Pairs => (Layout::Pairs, Layout::CompressedPairs, None),
            Form::Codes => {
                (Layout::Codes, Layout::CompressedCodes, Some(Layout::CodesByDictionary))
            }
            Form::Outcomes => {
                let by_dictionary = Some(Layout::OutcomesByDictionary);
                (Layout::Outcomes, Layout::CompressedOutcomes, by_dictionary)
            }
        }
    }
}

/// Which values a table has, at most 256 of them; none where there are more.
#[derive(Debug)]
pub(crate) struct List {
    form: Form,
    values: Vec<u16>,
    places: Vec<u8>,
}

impl List {
    /// The list of these values, which ascend.
    pub(crate) fn new(values: Vec<u16>, outcomes_only: bool) -> List {
        if values.len() > MOST_LISTED {
            return List { form: Form::Pairs, values: Vec::new(), places: Vec::new() };
        }
        let form = if outcomes_only { Form::Outcomes } else { Form::Codes };
        let mut places = vec![0; 1 << 16];
        (0..=u8::MAX).zip(&values).for_each(|(place, &value)| places[usize::from(value)] = place);
        List { form, values, places }
    }

    pub(crate) fn values(&self) -> &[u16] {
        &self.values
    }

    /// Whether blocks have outcomes alone.
    pub(crate) fn has_outcomes_only(&self) -> bool {
        self.form == Form::Outcomes
    }

    /// Whether blocks can be compressed with a dictionary.
    pub(crate) fn takes_dictionary(&self) -> bool {
        self.form.layouts().2.is_some()
    }

    /// Writes these values as they are in a block that is not compressed, and that dictionaries are
    /// made of.
    pub(crate) fn put(&self, values: impl Iterator<Item = u16>, bytes: &mut Vec<u8>) {
        bytes.clear();
        match self.form {
            Form::Pairs => bytes.extend(values.flat_map(u16::to_le_bytes)),
            Form::Codes => bytes.extend(values.map(|value| self.places[usize::from(value)])),
            Form::Outcomes => put_outcomes(values, bytes),
        }
    }

    /// How many bytes those of so many values are.
    pub(crate) fn width(&self, values: u64) -> u64 {
        match self.form {
            Form::Pairs => 2 * values,
            Form::Codes => values,
            Form::Outcomes => values.div_ceil(4),
        }
    }
}

/// Which neighbour's value a hole is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Neighbour {
    Before,
    Behind,
}

/// Values without holes: each has the value of a neighbour, so that it costs nothing. Nobody asks
/// for it.
#[derive(Clone)]
pub(crate) struct FillHoles<I> {
    values: I,
    neighbour: Neighbour,
    /// The last value that is no hole; at the beginning, the first.
    before: u16,
    /// The next, once it was looked for.
    behind: Option<u16>,
}

pub(crate) fn fill_holes<I: Iterator<Item = u16> + Clone>(
    values: I,
    neighbour: Neighbour,
) -> FillHoles<I> {
    let before = values.clone().find(|&value| value != HOLE).unwrap_or(ENDLESS);
    FillHoles { values, neighbour, before, behind: None }
}

impl<I: Iterator<Item = u16> + Clone> Iterator for FillHoles<I> {
    type Item = u16;

    #[inline]
    fn next(&mut self) -> Option<u16> {
        let FillHoles { values, neighbour, before, behind } = self;
        match values.next()? {
            HOLE => Some(match neighbour {
                Neighbour::Before => *before,
                Neighbour::Behind => *behind.get_or_insert_with(|| {
                    values.clone().find(|&value| value != HOLE).unwrap_or(*before)
                }),
            }),
            value => {
                (*before, *behind) = (value, None);
                Some(value)
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.values.size_hint()
    }
}

/// The highest two bits of a packed value say who wins, the others how far it is; there is no
/// distance where the two are 0.
const DISTANCE_BITS: u32 = 14;
const DISTANCE: u16 = (1 << DISTANCE_BITS) - 1;

/// The outcome alone of a value, as a value of distance 0; a hole stays one.
#[inline]
pub(crate) fn without_distance(value: u16) -> u16 {
    if value == HOLE { HOLE } else { of_outcome(outcome(value)) }
}

/// The highest two bits.
#[inline]
fn outcome(value: u16) -> u8 {
    (value >> DISTANCE_BITS) as u8
}

/// The value of distance 0 that has these highest two bits.
#[inline]
fn of_outcome(outcome: u8) -> u16 {
    if outcome == 0 { ENDLESS } else { u16::from(outcome) << DISTANCE_BITS }
}

/// The highest two bits of the value at a place, where they stand four to a byte.
#[inline]
fn outcome_at(outcomes: &[u8], at: usize) -> Option<u8> {
    Some(outcomes.get(at / 4)? >> (at % 4 * 2) & 3)
}

/// Appends the outcomes.
fn put_outcomes(mut values: impl Iterator<Item = u16>, bytes: &mut Vec<u8>) {
    while let Some(value) = values.next() {
        let next = [2, 4, 6].map(|shift| values.next().map_or(0, |value| outcome(value) << shift));
        bytes.push(next.into_iter().fold(outcome(value), |four, next| four | next));
    }
}

/// Writes the outcomes and behind them the distances.
fn put_apart(values: &[u16], apart: &mut Vec<u8>) -> Layout {
    apart.clear();
    put_outcomes(values.iter().copied(), apart);
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
        let outcome = outcome_at(outcomes, at).unwrap_or(0);
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
pub(crate) enum Values {
    /// The places in the table's list.
    Codes(Box<[u8]>),
    Packed(Box<[u16]>),
    /// So many outcomes, four to a byte.
    Outcomes(Box<[u8]>, usize),
}

impl Values {
    /// How many bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Values::Codes(bytes) | Values::Outcomes(bytes, _) => bytes.len(),
            Values::Packed(packed) => 2 * packed.len(),
        }
    }

    /// Puts the packed values into `packed`.
    pub(crate) fn copy_to(&self, packed: &mut Vec<u16>, list: &[u16]) {
        packed.clear();
        match self {
            // It was decoded only if the list has all.
            Values::Codes(codes) => packed.extend(
                codes.iter().map(|&code| list.get(usize::from(code)).copied().unwrap_or(HOLE)),
            ),
            Values::Packed(own) => packed.extend_from_slice(own),
            Values::Outcomes(outcomes, len) => {
                let outcomes = (0..*len).filter_map(|at| outcome_at(outcomes, at));
                packed.extend(outcomes.map(of_outcome));
            }
        }
    }

    /// The value at a place; `None` if that names a value that the list does not have.
    #[inline]
    pub(crate) fn get(&self, at: usize, list: &[u16]) -> Option<u16> {
        match self {
            Values::Codes(codes) => list.get(usize::from(codes[at])).copied(),
            Values::Packed(packed) => Some(packed[at]),
            Values::Outcomes(outcomes, _) => outcome_at(outcomes, at).map(of_outcome),
        }
    }
}

/// Reads blocks.
pub(crate) struct Decoder<'d> {
    pub(crate) list: &'d [u16],
    pub(crate) dictionary: Option<&'d DecoderDictionary<'static>>,
}

impl Decoder<'_> {
    /// The values of a block, of which there have to be `len`.
    pub(crate) fn decode(&self, block: &[u8], len: usize) -> Result<Values, String> {
        let (layout, stride, bytes) = split(block)?;
        // There is never more than a block's worth.
        let failed = |error| format!("can't be decompressed: {error}");
        let decompressed = |most: usize| -> Result<Vec<u8>, String> {
            Decompressor::new().map_err(failed)?.decompress(bytes, most).map_err(failed)
        };
        let by_dictionary = |most: usize| -> Result<Vec<u8>, String> {
            let dictionary = self.dictionary.ok_or("needs a dictionary that is not there")?;
            let decompressor = Decompressor::with_prepared_dictionary(dictionary);
            decompressor.map_err(failed)?.decompress(bytes, most).map_err(failed)
        };
        match layout {
            Layout::Pairs => packed(pairs(bytes)?, len, stride),
            Layout::CompressedPairs => packed(pairs(&decompressed(2 * len)?)?, len, stride),
            Layout::Apart => {
                let most = len.div_ceil(4) + len;
                packed(join(&decompressed(most)?, len, 1)?, len, stride)
            }
            Layout::FarApart => {
                let most = len.div_ceil(4) + 2 * len;
                packed(join(&decompressed(most)?, len, 2)?, len, stride)
            }
            Layout::Codes => self.codes(bytes.to_vec(), len, stride),
            Layout::CompressedCodes => self.codes(decompressed(len)?, len, stride),
            Layout::CodesByDictionary => self.codes(by_dictionary(len)?, len, stride),
            Layout::Outcomes => outcomes(bytes.to_vec(), len, stride),
            Layout::CompressedOutcomes => outcomes(decompressed(len.div_ceil(4))?, len, stride),
            Layout::OutcomesByDictionary => outcomes(by_dictionary(len.div_ceil(4))?, len, stride),
        }
    }

    fn codes(&self, codes: Vec<u8>, len: usize, stride: Stride) -> Result<Values, String> {
        check_count(codes.len(), len)?;
        match self.lists_all(&codes) {
            true => Ok(Values::Codes(stride.restored(codes))),
            false => {
                Err(format!("names a value that the list of {} does not have", self.list.len()))
            }
        }
    }

    fn lists_all(&self, codes: &[u8]) -> bool {
        self.list.len() == MOST_LISTED
            || codes.iter().all(|&code| usize::from(code) < self.list.len())
    }

    /// Whether the values of a block can be read where they stand, once it is known that the block
    /// can be decoded.
    pub(crate) fn is_in_place(block: &[u8]) -> bool {
        match split(block) {
            Ok((Layout::Pairs | Layout::Codes | Layout::Outcomes, stride, _)) => stride.is_one(),
            _ => false,
        }
    }

    /// The value at a place of a block that was decoded before, if it can be read there.
    #[inline]
    pub(crate) fn in_place(&self, block: &[u8], at: usize) -> Option<u16> {
        match block.split_first()? {
            (&layout, codes) if layout == Layout::Codes as u8 => {
                self.list.get(usize::from(*codes.get(at)?)).copied()
            }
            (&layout, pairs) if layout == Layout::Pairs as u8 => {
                Some(u16::from_le_bytes([*pairs.get(2 * at)?, *pairs.get(2 * at + 1)?]))
            }
            (&layout, outcomes) if layout == Layout::Outcomes as u8 => {
                outcome_at(outcomes, at).map(of_outcome)
            }
            _ => None,
        }
    }
}

/// That there are as many values as there have to be.
fn check_count(found: usize, len: usize) -> Result<(), String> {
    if found == len {
        return Ok(());
    }
    Err(format!("has {found} values, where {len} were expected"))
}

fn packed(values: Vec<u16>, len: usize, stride: Stride) -> Result<Values, String> {
    check_count(values.len(), len)?;
    Ok(Values::Packed(stride.restored(values)))
}

fn outcomes(bytes: Vec<u8>, len: usize, stride: Stride) -> Result<Values, String> {
    if bytes.len() != len.div_ceil(4) {
        let found = bytes.len();
        return Err(format!("has {found} bytes of outcomes for {len} values"));
    }
    if stride.is_one() {
        return Ok(Values::Outcomes(bytes.into(), len));
    }
    let mut restored = vec![0; bytes.len()];
    stride.restore(len, |at, from| {
        restored[at / 4] |= (bytes[from / 4] >> (from % 4 * 2) & 3) << (at % 4 * 2);
    });
    Ok(Values::Outcomes(restored.into(), len))
}

/// The first byte of a block.
fn first_byte(layout: Layout, stride: Stride) -> u8 {
    stride.log() << (u8::BITS - Stride::BITS) | layout as u8
}

fn split(block: &[u8]) -> Result<(Layout, Stride, &[u8]), String> {
    let (&first, bytes) = block.split_first().ok_or("is empty")?;
    let stride = Stride::of_log(first >> (u8::BITS - Stride::BITS));
    let layout = first & (u8::MAX >> Stride::BITS);
    let layout = LAYOUTS.get(usize::from(layout)).ok_or(format!("has layout {layout}"))?;
    Ok((*layout, stride, bytes))
}

fn pairs(bytes: &[u8]) -> Result<Vec<u16>, String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err("has half a value".to_owned());
    }
    Ok(pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect())
}
