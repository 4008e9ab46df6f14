//! Encodes records as bytes. No other module knows `bincode`.
//!
//! Version 2.0.1 with its `legacy` configuration: little-endian, every integer in its full width,
//! lengths as 64 bits. That layout is simple enough to be read without the library. Every decoding
//! has a size limit close to the size of the record. So a length inside a record, which may be
//! anything, never becomes an allocation much larger than the record.

use bincode::config;
use serde::{Deserialize, Serialize};

/// The longest record that is read, in bytes.
pub(crate) const LONGEST_RECORD: usize = 1 << 29;

/// The bytes of a record.
pub(crate) fn encode(record: &impl Serialize) -> Result<Vec<u8>, String> {
    bincode::serde::encode_to_vec(record, config::legacy()).map_err(|error| error.to_string())
}

/// Decodes a record that takes all of these bytes. It may borrow from them.
pub(crate) fn decode<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, String> {
    let (record, rest) = decode_prefix(bytes)?;
    if rest.is_empty() { Ok(record) } else { Err(format!("has {} bytes too many", rest.len())) }
}

/// Decodes the record that these bytes begin with, and returns the bytes behind it too.
pub(crate) fn decode_prefix<'a, T: Deserialize<'a>>(
    bytes: &'a [u8],
) -> Result<(T, &'a [u8]), String> {
    // The limit has to be a constant, hence the steps. A record may count for more than its bytes while
    // it is decoded, hence the room.
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
