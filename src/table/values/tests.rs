use crate::table::zstd::bulk::Compressor;
use crate::table::zstd::dict::{DecoderDictionary, EncoderDictionary};
use twox_hash::XxHash3_64;

use crate::game::value::{DRAW, LOSS, Scale, UNUSED, WIN};
use crate::table::values::*;

fn mixed(at: u64) -> u16 {
    XxHash3_64::oneshot(&at.to_le_bytes()) as u16
}

/// A possible value.
fn valid(mixed: u16, most: u16) -> u16 {
    match mixed % 3 {
        0 => ENDLESS,
        1 => WIN + mixed / 3 % most,
        _ => LOSS + mixed / 3 % most,
    }
}

fn palette_of(values: &[u16], outcomes_only: bool) -> Palette {
    let mut values = values.to_vec();
    values.sort_unstable();
    values.dedup();
    Palette::new(values, outcomes_only)
}

#[test]
fn every_block_is_read_back_from_every_encoding() {
    let outcomes = |at: u64| Scale::PLAIN.without_plies(valid(mixed(at), 60));
    let mut blocks: Vec<(Vec<u16>, bool)> = vec![
        (vec![ENDLESS], true),
        (vec![WIN, LOSS, ENDLESS, WIN, WIN], true),
        ((0..65_536).map(|at| outcomes(at / 50)).collect(), true),
        ((0..65_535).map(outcomes).collect(), true),
        // Values that repeat after a number of values that is not a multiple of four.
        ((0..65_533).map(|at| outcomes(at % 101)).collect(), true),
    ];
    let with_distances: Vec<Vec<u16>> = vec![
        vec![ENDLESS],
        vec![WIN + 3; 65_536],
        (0..65_536).map(|at| valid(mixed(at / 50), 60)).collect(),
        (0..65_536).map(|at| valid(mixed(at), 85)).collect(),
        (0..65_535).map(|at| valid(mixed(at / 50), 200)).collect(),
        (0..65_536).map(|at| valid(mixed(at / 50), 9_000)).collect(),
        (0..65_533).map(|at| valid(mixed(at), 16_384)).collect(),
        // The winner follows a pattern, the number of plies does not.
        (0..65_536).map(|at| if at % 2 == 0 { ENDLESS } else { WIN + mixed(at) % 180 }).collect(),
        (0..65_536).map(|at| if at % 2 == 0 { ENDLESS } else { WIN + mixed(at) % 300 }).collect(),
    ];
    blocks.extend(with_distances.into_iter().map(|values| (values, false)));
    let mut encodings = Vec::new();
    for effort in kit::few(vec![None, Some(1)], vec![None, Some(1), Some(14), Some(19)])
        .into_iter()
        .map(|level| level.map(Effort::at))
    {
        for (values, outcomes_only) in &blocks {
            let palette = palette_of(values, *outcomes_only);
            let mut sample = Vec::new();
            palette.append(values, &mut sample);
            let middle = sample.len() / 3;
            sample.rotate_left(middle);
            let dictionary = EncoderDictionary::copy(&sample, 3);
            let prepared = DecoderDictionary::copy(&sample);
            let usable = palette.takes_dictionary() && effort.is_some();
            let dictionaries = [None, usable.then_some(&dictionary)];
            let strides = [0, 1, 5, 13].map(Stride::of_log);
            for (dictionary, stride) in dictionaries
                .into_iter()
                .flat_map(|dictionary| strides.map(|stride| (dictionary, stride)))
            {
                let mut encoder = Encoder::plain(&palette, false, stride);
                if let Some(effort) = effort {
                    encoder = encoder.compressing(effort, dictionary).unwrap();
                }
                let read = |first: u64, into: &mut [u16]| {
                    into.copy_from_slice(&values[first as usize..][..into.len()]);
                };
                let bytes = encoder.encode(0..values.len() as u64, &read).unwrap();
                encodings.push(bytes[0] & 15);
                assert_eq!(bytes[0] >> 4, stride.log());
                if effort.is_none() {
                    assert_eq!(Decoder::is_in_place(&bytes), stride.is_one());
                }
                let width = if palette.values().is_empty() { 2 } else { 1 };
                assert!(bytes.len() <= 1 + width * values.len());
                let dictionary = dictionary.map(|_| &prepared);
                let decoder = Decoder { palette: palette.values(), dictionary };
                assert_read(&decoder, &bytes, values);
                // Outcomes are four to a byte, so one more may fit.
                if !outcomes_only {
                    assert!(decoder.decode(&bytes, values.len() + 1).is_err());
                    assert!(decoder.decode(&bytes, values.len() - 1).is_err());
                }
            }
        }
    }
    encodings.sort_unstable();
    encodings.dedup();
    assert_eq!(encodings, [0, 1, 2, 3, 4, 7, 8, 9]);
}

fn assert_read(decoder: &Decoder<'_>, bytes: &[u8], values: &[u16]) {
    let decoded = decoder.decode(bytes, values.len()).unwrap();
    let mut copied = Vec::new();
    decoded.copy_to(0..values.len(), &mut copied, decoder.palette);
    assert_eq!(copied, values);
    for at in (0..values.len()).step_by(997) {
        assert_eq!(decoded.get(at, decoder.palette), Some(values[at]));
        let in_place = Decoder::is_in_place(bytes).then_some(values[at]);
        assert_eq!(decoder.in_place(bytes, at), in_place);
    }
}

#[test]
fn blocks_that_no_encoder_makes_are_refused() {
    let decoder = Decoder { palette: &[ENDLESS, WIN], dictionary: None };
    let compressed = |layout: u8, bytes: &[u8]| {
        let mut compressor = Compressor::new(3).unwrap();
        [&[layout], &compressor.compress(bytes).unwrap()[..]].concat()
    };
    for (block, len, problem) in [
        (vec![], 0, "empty"),
        (vec![10, 0], 1, "layout 10"),
        (vec![0xfa, 0], 1, "layout 10"),
        (vec![5, 0], 1, "layout 5"),
        (vec![0x16, 0], 1, "layout 6"),
        (vec![0xf1, 0, 0], 1, "has 2 values"),
        (vec![0xf1, 0, 2], 2, "palette of 2"),
        (vec![0x27, 0, 0], 4, "2 bytes of outcomes"),
        (vec![7, 0], 5, "1 bytes of outcomes"),
        (vec![7, 0, 0], 4, "2 bytes of outcomes"),
        (compressed(8, &[0; 4]), 17, "4 bytes of outcomes"),
        (compressed(8, &[0; 4]), 12, "decompressed"),
        (compressed(9, &[0; 4]), 16, "dictionary"),
        (vec![0, 1], 1, "half a value"),
        (vec![1, 2], 1, "palette of 2"),
        (vec![1, 0, 0], 1, "has 2 values"),
        (vec![3, 9, 9], 2, "decompressed"),
        (compressed(3, &[0; 65_536]), 65_535, "decompressed"),
        (compressed(4, &[0; 9]), 9, "dictionary"),
    ] {
        let error = decoder.decode(&block, len).unwrap_err();
        assert!(error.contains(problem), "{block:?}: {error}");
    }
}

#[test]
fn unused_indices_are_like_the_value_before() {
    let mut values = vec![ENDLESS; 1 << 16];
    let mut filled = values.clone();
    for (at, value, expected) in [
        (0, UNUSED, WIN), // the first value of all
        (1, UNUSED, WIN),
        (2, WIN, WIN),
        (3, UNUSED, WIN),
        ((1 << 14) - 1, LOSS, LOSS),
        (1 << 14, UNUSED, LOSS),
        ((1 << 14) + 1, DRAW, DRAW),
        ((1 << 16) - 1, UNUSED, ENDLESS),
    ] {
        (values[at], filled[at]) = (value, expected);
    }
    assert_eq!(read_back(&values), filled);
    // Any number of unused indices may precede the first value.
    values[..40_000].fill(UNUSED);
    values[40_000] = LOSS;
    let filled = read_back(&values);
    assert!(filled[..=40_000].iter().all(|&value| value == LOSS));
    assert_eq!(filled[40_001..65_535], values[40_001..65_535]);
    assert!(read_back(&[UNUSED; 40_000]).iter().all(|&value| value == ENDLESS));
    assert!(read_back(&[]).is_empty());
}

/// The values read back from a block of outcomes whose unused indices are filled.
fn read_back(values: &[u16]) -> Vec<u16> {
    let palette = palette_of(&[ENDLESS, WIN, LOSS, DRAW], true);
    let read = |first: u64, into: &mut [u16]| {
        into.copy_from_slice(&values[first as usize..][..into.len()]);
    };
    let mut encoder = Encoder::plain(&palette, true, Stride::default());
    let block = encoder.encode(0..values.len() as u64, &read).unwrap();
    let decoder = Decoder { palette: palette.values(), dictionary: None };
    let mut read = Vec::new();
    decoder.decode(&block, values.len()).unwrap().copy_to(
        0..values.len(),
        &mut read,
        palette.values(),
    );
    read
}
