//! Decompresses a frame by a decoder in Rust.

use std::io::{self, Read as _};

use ruzstd::decoding::StreamingDecoder;

/// The first bytes of each frame.
const MAGIC: [u8; 4] = 0xfd2f_b528_u32.to_le_bytes();

/// The longest block, in bytes.
const LONGEST_BLOCK: usize = 1 << 17;

/// The bytes of a frame, at most `most` of them. `dictionary` is plain content, without tables; it is
/// empty where the frame needs none.
pub(super) fn decompress(frame: &[u8], dictionary: &[u8], most: usize) -> io::Result<Vec<u8>> {
    let continued;
    let frame = match dictionary {
        [] => frame,
        _ => {
            continued = continue_from(dictionary, frame, most)?;
            &continued
        }
    };
    let mut decoder = StreamingDecoder::new(frame).map_err(io::Error::other)?;
    // The content of the dictionary comes first.
    io::copy(&mut decoder.by_ref().take(dictionary.len() as u64), &mut io::sink())?;
    let mut bytes = Vec::new();
    decoder.take(most as u64 + 1).read_to_end(&mut bytes)?;
    match bytes.len() <= most {
        true => Ok(bytes),
        false => Err(io::Error::other("it is longer than it should be")),
    }
}

/// A frame that begins with uncompressed blocks of these bytes and goes on with the blocks of `frame`: its
/// repeats reach back to them, as they reach into a dictionary.
fn continue_from(dictionary: &[u8], frame: &[u8], most: usize) -> io::Result<Vec<u8>> {
    let blocks =
        blocks_of(frame).ok_or_else(|| io::Error::other("it does not begin as it should"))?;
    // The window covers the dictionary and the longest frame.
    let reach = (dictionary.len() + most).next_power_of_two().ilog2().max(17) as u8;
    let mut continued = MAGIC.to_vec();
    // No checksum, no length; the reach is 2 to the power of 10 + the upper five bits.
    continued.extend([0, (reach - 10) << 3]);
    for block in dictionary.chunks(LONGEST_BLOCK) {
        // Not the last block, of the type "raw".
        let header = (block.len() as u32) << 3;
        continued.extend(&header.to_le_bytes()[..3]);
        continued.extend(block);
    }
    continued.extend(blocks);
    Ok(continued)
}

/// The blocks of a frame, behind its header: RFC 8878, section 3.1.1.
fn blocks_of(frame: &[u8]) -> Option<&[u8]> {
    let (&descriptor, rest) = frame.strip_prefix(&MAGIC)?.split_first()?;
    let is_single_segment = descriptor & 1 << 5 != 0;
    let window = usize::from(!is_single_segment);
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let length = [usize::from(is_single_segment), 2, 4, 8][usize::from(descriptor >> 6)];
    rest.get(window + dictionary + length..)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::table::zstd::bulk::Compressor;
    use crate::table::zstd::zstd_safe::CParameter;

    /// Bytes that have repeats, as blocks of a table do.
    fn bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
        let piece = (0_usize..40, 1_usize..2000);
        prop::collection::vec(piece, 0..most / 1000).prop_map(|pieces| {
            let run = |(first, length)| (0..length).map(move |at| (first + at * at / 7) as u8 % 23);
            pieces.into_iter().flat_map(run).collect()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn what_the_library_compresses_is_read(
            content in bytes(300_000),
            dictionary in bytes(400_000),
            level in 1_i32..20,
            says_length: bool,
            has_checksum: bool,
        ) {
            let mut compressor = Compressor::with_dictionary(level, &dictionary).unwrap();
            compressor.set_parameter(CParameter::ContentSizeFlag(says_length)).unwrap();
            compressor.set_parameter(CParameter::ChecksumFlag(has_checksum)).unwrap();
            let frame = compressor.compress(&content).unwrap();
            let read = |most| decompress(&frame, &dictionary, most);
            prop_assert_eq!(&read(content.len()).unwrap(), &content);
            prop_assert_eq!(&read(content.len() + 5_000_000).unwrap(), &content);
            if let Some(less) = content.len().checked_sub(1) {
                prop_assert!(read(less).is_err());
            }
        }

        #[test]
        fn a_damaged_frame_is_an_error_or_other_bytes(
            content in bytes(20_000),
            dictionary in bytes(5_000),
            at: prop::sample::Index,
            bit in 0_u8..8,
        ) {
            let mut frame = Compressor::with_dictionary(3, &dictionary).unwrap().compress(&content).unwrap();
            let at = at.index(frame.len());
            frame[at] ^= 1 << bit;
            if let Ok(read) = decompress(&frame, &dictionary, content.len()) {
                prop_assert!(read.len() <= content.len());
            }
            let cut = decompress(&frame[..at], &dictionary, content.len());
            prop_assert!(cut.is_err() || content.is_empty());
        }
    }
}
