//! Compression by zstd: the C library, or in a module for browsers a decoder in Rust. So modules take no C
//! compiler; they write no tables.

#[cfg(any(test, target_family = "wasm"))]
mod decompress;
#[cfg(target_family = "wasm")]
mod reading;

#[cfg(not(target_family = "wasm"))]
pub(crate) use ::zstd::{bulk, dict, stream, zstd_safe};
#[cfg(target_family = "wasm")]
pub(crate) use reading::{bulk, dict, stream, zstd_safe};
