//! Packs records that are read whole: compresses them if that makes them smaller.

use std::io::Read;

use crate::table::zstd::bulk::Compressor;
use crate::table::zstd::stream::Decoder;
use crate::table::zstd::zstd_safe::get_frame_content_size;

use crate::runtime::codec::LONGEST_RECORD;
use crate::table::values::Compression;

/// The first byte of a packed record, which says whether the rest is compressed.
const STORED: u8 = 0;
const COMPRESSED: u8 = 1;

/// Packs a record that is read whole: compresses it if `compression` asks for that and the record
/// becomes smaller.
pub(crate) fn pack(record: &[u8], compression: Compression) -> Result<Vec<u8>, String> {
    let behind = |packing: u8, bytes: &[u8]| [&[packing], bytes].concat();
    if let Some(level) = compression.of_records() {
        let compressed = Compressor::new(level.into())
            .and_then(|mut compressor| compressor.compress(record))
            .map_err(|error| format!("can't be compressed: {error}"))?;
        if compressed.len() < record.len() && record.len() <= most_unpacked(compressed.len()) {
            return Ok(behind(COMPRESSED, &compressed));
        }
    }
    Ok(behind(STORED, record))
}

/// The greatest length of a record that is compressed to this many bytes. Longer records are stored
/// uncompressed, so that a few bytes never demand much memory.
fn most_unpacked(compressed: usize) -> usize {
    compressed.saturating_mul(256).saturating_add(1 << 20).min(LONGEST_RECORD)
}

/// The number of bytes at the beginning of a packed record that determine its unpacked length.
pub(crate) const BEGINNING: u64 = 24;

/// The greatest length of a record that is packed into `length` bytes with this beginning.
pub(crate) fn unpacked_length(beginning: &[u8], length: usize) -> usize {
    match beginning.split_first() {
        Some((&COMPRESSED, frame)) => {
            let most = most_unpacked(length - 1);
            let said = get_frame_content_size(frame).ok().flatten();
            said.and_then(|said| said.try_into().ok()).map_or(most, |said: usize| said.min(most))
        }
        _ => length,
    }
}

/// Unpacks a record.
pub(crate) fn unpack(bytes: &[u8]) -> Result<Vec<u8>, String> {
    match bytes.split_first() {
        Some((&STORED, record)) => Ok(record.to_vec()),
        Some((&COMPRESSED, compressed)) => {
            let mut record = Vec::new();
            let limit = unpacked_length(bytes, bytes.len()) as u64 + 1;
            Decoder::with_buffer(compressed)
                .and_then(|decoder| decoder.take(limit).read_to_end(&mut record))
                .map_err(|error| format!("can't be decompressed: {error}"))?;
            if record.len() as u64 == limit {
                return Err("is too long".into());
            }
            Ok(record)
        }
        Some((&packing, _)) => Err(format!("has packing {packing}")),
        None => Err("is empty".into()),
    }
}
