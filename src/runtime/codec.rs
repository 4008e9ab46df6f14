//! Encodes records as bytes. No other module uses `bincode`.
//!
//! Version 2.0.1 with its `legacy` configuration: little-endian, every integer in its full width,
//! lengths as 64 bits. This layout is simple enough to be read without the library. Every decoding
//! has a size limit that depends on the size of the record: 2 MiB, or twice the longest record. So a
//! length inside a record, which may be anything, never becomes an unlimited allocation.

use bincode::config;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The longest record that is read, in bytes.
pub(crate) const LONGEST_RECORD: usize = 1 << 29;

/// The bytes of a record.
pub(crate) fn encode(record: &impl Serialize) -> Result<Vec<u8>, String> {
    bincode::serde::encode_to_vec(record, config::legacy()).map_err(|error| error.to_string())
}

/// Appends the bytes of some records, one after the other.
pub(crate) fn encode_onto(bytes: &mut Vec<u8>, records: &[impl Serialize]) -> Result<(), String> {
    for record in records {
        bincode::serde::encode_into_std_write(record, bytes, config::legacy())
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Decodes the records that take all of these bytes, at most so many.
pub(crate) fn decode_all<T: DeserializeOwned>(bytes: &[u8], most: u64) -> Result<Vec<T>, String> {
    let (mut records, mut rest) = (Vec::new(), bytes);
    while !rest.is_empty() {
        let (record, behind) = decode_prefix(rest)?;
        if behind.len() == rest.len() {
            return Err("has no bytes".into());
        }
        if records.len() as u64 == most {
            return Err("is one too many".into());
        }
        records.try_reserve(1).map_err(|_| "has no room in memory")?;
        records.push(record);
        rest = behind;
    }
    records.shrink_to_fit();
    Ok(records)
}

/// Decodes a record that takes all of these bytes. It may borrow from them.
pub(crate) fn decode<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, String> {
    let (record, rest) = decode_prefix(bytes)?;
    if rest.is_empty() { Ok(record) } else { Err(format!("has {} bytes too many", rest.len())) }
}

/// Decodes the record at the beginning of these bytes, and returns the bytes behind it, too.
pub(crate) fn decode_prefix<'a, T: Deserialize<'a>>(
    bytes: &'a [u8],
) -> Result<(T, &'a [u8]), String> {
    // The limit must be a constant, hence the steps; each is compiled for each type. Decoding may
    // count more bytes for a record than it has, hence the margin.
    match bytes.len() {
        0..0x10_0000 => decode_within::<T, 0x20_0000>(bytes),
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

/// Appends a number in groups of seven bits from the lowest, with the eighth bit set in all bytes
/// but the last.
#[inline]
pub(crate) fn push_varint(mut number: u128, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number that [`push_varint`] wrote from the beginning of some bytes. `None` if there is
/// none, or it is too great.
#[inline]
pub(crate) fn take_varint(bytes: &mut &[u8]) -> Option<u128> {
    let (mut number, mut shift) = (0_u128, 0);
    loop {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let part = u128::from(byte & 0x7f);
        let shifted = part.checked_shl(shift)?;
        if shifted >> shift != part {
            return None;
        }
        number |= shifted;
        shift += 7;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_were_written_and_others_are_refused() {
        let numbers = [0, 1, 127, 128, 300, u128::from(u64::MAX), u128::MAX];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&number| push_varint(number, &mut bytes));
        let mut rest = &bytes[..];
        assert!(numbers.iter().all(|&number| take_varint(&mut rest) == Some(number)));
        assert_eq!(take_varint(&mut rest), None);
        assert_eq!(take_varint(&mut &[0x80][..]), None);
        for greater in [&[0xff; 30][..], &[[0xff; 18].as_slice(), &[0x7f]].concat()] {
            assert_eq!(take_varint(&mut &greater[..]), None);
        }
    }
}
