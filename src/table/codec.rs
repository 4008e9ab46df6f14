//! Records as bytes: the one place that knows `bincode`.
//!
//! Version 2.0.1 with its `legacy` configuration: little-endian, every integer in its full width,
//! lengths as 64 bits. That layout is simple enough to be read without the library. Every reading
//! has a size limit close to the size of the record, so that a length inside it, which may be
//! anything, never becomes an allocation much larger than what has been read already.

use std::io::Read;

use bincode::config;
use serde::{Deserialize, Serialize};
use zstd::bulk::Compressor;
use zstd::stream::Decoder;

use crate::table::values::Compression;

/// The longest record that is read, in bytes.
pub(crate) const LONGEST_RECORD: usize = 1 << 29;

/// The bytes of a record.
pub(crate) fn encode(record: &impl Serialize) -> Result<Vec<u8>, String> {
    bincode::serde::encode_to_vec(record, config::legacy()).map_err(|error| error.to_string())
}

/// The first byte of packed bytes: whether the rest is compressed.
const STORED: u8 = 0;
const COMPRESSED: u8 = 1;

/// The bytes of a record that is read whole, compressed where that is asked for and makes them
/// fewer.
pub(crate) fn pack(record: &[u8], compression: Compression) -> Result<Vec<u8>, String> {
    let behind = |packing: u8, bytes: &[u8]| [&[packing], bytes].concat();
    let mut smallest = None;
    for level in compression.of_records() {
        let compressed = Compressor::new(level.into())
            .and_then(|mut compressor| compressor.compress(record))
            .map_err(|error| format!("can't be compressed: {error}"))?;
        let shortest = smallest.as_ref().map_or(record.len(), Vec::len);
        if compressed.len() < shortest && record.len() <= most_unpacked(compressed.len()) {
            smallest = Some(compressed);
        }
    }
    Ok(match smallest {
        Some(compressed) => behind(COMPRESSED, &compressed),
        None => behind(STORED, record),
    })
}

/// How long a record can be that is compressed to so many bytes: longer ones are not compressed, so
/// that few bytes never ask for much memory.
fn most_unpacked(compressed: usize) -> usize {
    compressed.saturating_mul(256).saturating_add(1 << 20).min(LONGEST_RECORD)
}

/// The record that was packed into these bytes.
pub(crate) fn unpack(bytes: &[u8]) -> Result<Vec<u8>, String> {
    match bytes.split_first() {
        Some((&STORED, record)) => Ok(record.to_vec()),
        Some((&COMPRESSED, compressed)) => {
            let mut record = Vec::new();
            let limit = most_unpacked(compressed.len()) as u64 + 1;
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

/// The record that these bytes are, to the last of them. It may borrow from them.
pub(crate) fn decode<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, String> {
    let (record, rest) = decode_prefix(bytes)?;
    if rest.is_empty() { Ok(record) } else { Err(format!("has {} bytes too many", rest.len())) }
}

/// The record that these bytes begin with, and the bytes behind it.
pub(crate) fn decode_prefix<'a, T: Deserialize<'a>>(
    bytes: &'a [u8],
) -> Result<(T, &'a [u8]), String> {
    // The limit has to be known to the compiler, hence the steps. A record may count for more
    // than its bytes while it is read, hence the room.
    match bytes.len() {
        0..0x1000 => decode_within::<T, 0x2000>(bytes),
        0x1000..0x10_0000 => decode_within::<T, 0x20_0000>(bytes),
        _ => decode_within::<T, { 2 * LONGEST_RECORD }>(bytes),
    }
}

fn decode_within<'a, T: Deserialize<'a>, const LIMIT: usize>(
    bytes: &'a [u8],
) -> Result<(T, &'a [u8]), String> {
    let config = config::legacy().with_limit::<LIMIT>();
    let (record, read) = bincode::serde::borrow_decode_from_slice(bytes, config)
        .map_err(|error| format!("can't be read: {error}"))?;
    Ok((record, &bytes[read..]))
}
