//! What every long run needs: a worker pool, progress, cancellation, memory. Knows no game and no
//! file.

pub(crate) mod frontier;
pub(crate) mod memory;
pub(crate) mod peers;
mod phases;
pub(crate) mod pool;
pub(crate) mod progress;

use thiserror::Error;

/// The caller's progress function asked the run to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("interrupted")]
pub(crate) struct Cancelled;

/// The system did not give the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not enough memory: {bytes} bytes for {what}")]
pub(crate) struct OutOfMemory {
    /// What the memory was for.
    pub(crate) what: &'static str,
    /// How much was asked for, in bytes.
    pub(crate) bytes: u64,
}
