//! Blocks of packed values, and their compression.
//!
//! Few tables have more than 256 different values. For the others, the header lists the values as
//! the palette, and one byte for each state selects a value. This halves the size of packed values.
//! Neighbours are alike, so the bytes compress well.

mod decoder;
mod encoder;
mod stride;
#[cfg(test)]
mod tests;

pub(crate) use decoder::{Decoder, Values};
pub(crate) use encoder::{Effort, Encoder, READ_AT_ONCE, ReadValues, read_some};
pub(crate) use stride::Stride;

use serde::{Deserialize, Serialize};

use crate::game::value::ENDLESS;

/// How hard the values of a table are compressed. Reading takes the same time at all levels, except
/// that blocks can be larger at higher ones.
///
/// ```
/// # use kit::games::Nim;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("nim.rtb");
/// use retrograde::Solver;
/// use retrograde::table::{Compression, Destination};
///
/// let game = Nim { counters: 2_000 };
/// let solution = Solver::new(&game).solve()?;
/// let bytes = |compression| {
///     solution.save(Destination::at(&path).compression(compression))
/// };
/// assert!(bytes(Compression::SMALL)? < bytes(Compression::Plain)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    /// Level 6. Writing a table takes at most a quarter of the time of solving its game, or a
    /// moment if solving took less than a moment.
    #[default]
    Usual,
    /// No compression: values of one or two bytes, which can be read in place.
    Plain,
    /// By zstd, from 1 (fastest) to 22 (smallest), with our own parameters if they make tables
    /// smaller in the same time.
    Zstd(u8),
}

/// The level of [`Compression::Usual`].
const USUAL: u8 = 6;

impl Compression {
    /// Level 1, which takes the least time.
    pub const FAST: Compression = Compression::Zstd(1);

    /// Level 19. Tables are up to a third smaller than usual; tables of outcomes up to a half.
    /// Writing can take several times as long as solving the game.
    pub const SMALL: Compression = Compression::Zstd(19);

    /// Whether anything is compressed.
    pub(crate) fn compresses(self) -> bool {
        self != Compression::Plain
    }

    /// The level for the header and for blocks of states; `None` without compression.
    pub(crate) fn of_records(self) -> Option<u8> {
        match self {
            Compression::Usual => Some(USUAL),
            Compression::Plain => None,
            Compression::Zstd(level) => Some(level),
        }
    }
}

/// The most values of a palette: as many as one byte can number.
const PALETTE_LIMIT: usize = 256;

/// The longest dictionary, in bytes.
pub(crate) const LONGEST_DICTIONARY: usize = 1 << 22;

/// The encoding of a block's bytes, stored in the lower half of the block's first byte. The upper
/// half is the logarithm of the stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockEncoding {
    /// Packed values of two bytes, little-endian.
    Pairs = 0,
    /// A byte each, the value's place in the palette.
    Codes = 1,
    /// Compressed pairs.
    CompressedPairs = 2,
    /// Compressed codes.
    CompressedCodes = 3,
    /// Codes compressed with the table's dictionary.
    CodesByDictionary = 4,
    /// The outcomes only, four to a byte.
    Outcomes = 7,
    /// Compressed outcomes.
    CompressedOutcomes = 8,
    /// Outcomes compressed with the table's dictionary.
    OutcomesByDictionary = 9,
}

const BLOCK_ENCODINGS: [BlockEncoding; 8] = [
    BlockEncoding::Pairs,
    BlockEncoding::Codes,
    BlockEncoding::CompressedPairs,
    BlockEncoding::CompressedCodes,
    BlockEncoding::CodesByDictionary,
    BlockEncoding::Outcomes,
    BlockEncoding::CompressedOutcomes,
    BlockEncoding::OutcomesByDictionary,
];

/// The form of a value in an uncompressed block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Form {
    /// Two bytes.
    Pairs,
    /// A byte, the value's place in the palette.
    Codes,
    /// Two bits.
    Outcomes,
}

/// The values of a table, at most 256. Empty if there are more.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "(Form, Vec<u16>)", into = "(Form, Vec<u16>)")]
pub(crate) struct Palette {
    form: Form,
    values: Vec<u16>,
    /// The code of each packed value.
    codes: Vec<u8>,
}

impl Palette {
    /// The palette of these values, which ascend. `as_outcomes`: whether two bits a value are enough,
    /// since they have neither distances nor points.
    pub(crate) fn new(values: Vec<u16>, as_outcomes: bool) -> Palette {
        if values.len() > PALETTE_LIMIT {
            return Palette { form: Form::Pairs, values: Vec::new(), codes: Vec::new() };
        }
        let form = if as_outcomes { Form::Outcomes } else { Form::Codes };
        let mut codes = vec![0; 1 << 16];
        (0..=u8::MAX).zip(&values).for_each(|(code, &value)| codes[usize::from(value)] = code);
        Palette { form, values, codes }
    }

    pub(crate) fn values(&self) -> &[u16] {
        &self.values
    }

    /// Whether blocks can be compressed with a dictionary.
    pub(crate) fn takes_dictionary(&self) -> bool {
        self.form != Form::Pairs
    }

    /// Appends the uncompressed bytes of these values.
    pub(crate) fn append(&self, values: &[u16], bytes: &mut Vec<u8>) {
        match self.form {
            Form::Pairs => bytes.extend(values.iter().flat_map(|value| value.to_le_bytes())),
            Form::Codes => {
                bytes.extend(values.iter().map(|&value| self.codes[usize::from(value)]));
            }
            Form::Outcomes => append_outcomes(values, bytes),
        }
    }

    /// The uncompressed length of this many values, in bytes.
    pub(crate) fn width(&self, values: u64) -> u64 {
        match self.form {
            Form::Pairs => 2 * values,
            Form::Codes => values,
            Form::Outcomes => values.div_ceil(4),
        }
    }
}

impl From<Palette> for (Form, Vec<u16>) {
    fn from(palette: Palette) -> (Form, Vec<u16>) {
        (palette.form, palette.values)
    }
}

impl From<(Form, Vec<u16>)> for Palette {
    fn from((form, values): (Form, Vec<u16>)) -> Palette {
        match form {
            Form::Pairs => Palette { form, values, codes: Vec::new() },
            Form::Codes | Form::Outcomes => Palette::new(values, form == Form::Outcomes),
        }
    }
}

/// The number of lower bits of a packed value that store the distance. The highest two bits store
/// who wins; if they are 0, there is no distance.
const DISTANCE_BITS: u32 = 14;

/// The highest two bits.
#[inline]
fn outcome(value: u16) -> u8 {
    (value >> DISTANCE_BITS) as u8
}

/// The value of distance 0 with these highest two bits.
#[inline]
fn of_outcome(outcome: u8) -> u16 {
    if outcome == 0 { ENDLESS } else { u16::from(outcome) << DISTANCE_BITS }
}

/// The highest two bits of the value at a place, from bytes with four outcomes each.
#[inline]
fn outcome_at(outcomes: &[u8], at: usize) -> Option<u8> {
    Some(outcomes.get(at / 4)? >> (at % 4 * 2) & 3)
}

/// Appends the outcomes, four to a byte.
fn append_outcomes(values: &[u16], bytes: &mut Vec<u8>) {
    bytes.extend(
        values
            .chunks(4)
            .map(|four| four.iter().rev().fold(0, |byte, &value| byte << 2 | outcome(value))),
    );
}
