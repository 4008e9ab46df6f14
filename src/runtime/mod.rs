//! The basis of every long run: a worker pool, progress, cancellation, memory. Knows no games and
//! no files.

pub(crate) mod codec;
pub(crate) mod cuts;
pub(crate) mod frontier;
pub(crate) mod lock;
pub(crate) mod memory;
pub(crate) mod peers;
mod phases;
pub(crate) mod plain_file;
pub(crate) mod pool;
pub(crate) mod progress;
pub(crate) mod saved_array;
pub(crate) mod scratch;
pub(crate) mod sort;
pub(crate) mod words;

use thiserror::Error;

/// The caller's progress function asked the run to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("interrupted")]
pub(crate) struct Cancelled;

/// There is no room for an array.
#[derive(Debug)]
pub(crate) enum NoRoom {
    /// In memory.
    InMemory(OutOfMemory),
    /// On the disk.
    OnDisk(scratch::ScratchError),
}

impl From<OutOfMemory> for NoRoom {
    fn from(error: OutOfMemory) -> NoRoom {
        NoRoom::InMemory(error)
    }
}

/// The system did not provide the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not enough memory: {bytes} bytes for {what}")]
pub(crate) struct OutOfMemory {
    /// The purpose of the memory.
    pub(crate) what: &'static str,
    /// The amount that was requested, in bytes.
    pub(crate) bytes: u64,
}
