//! Making the blocks of a table, in this process's threads.

use std::io;
use std::ops::Range;
use std::sync::Mutex;

use crate::error::TableError;
use crate::runtime::lock::lock;
use crate::runtime::pool::WorkerPool;
use crate::table::records::{BLOCK_STATES, BLOCK_VALUES};
use crate::table::states::encode as encode_states;
use crate::table::values::{Compression, ReadValues};
use crate::table::write::gathered::{Gathered, Written};
use crate::table::write::listed::{STATES, StateSource};
use crate::table::write::plan::ValuePlan;
use crate::table::write::source::Source;

/// The number of blocks of the usual size that each thread makes before they are written.
const BLOCKS_PER_THREAD: u64 = 8;

/// Makes these blocks of a plan's values, and passes them on in order.
pub(crate) fn make_values(
    plan: &ValuePlan,
    blocks: Range<u64>,
    source: &Source<'_>,
    written: &Written,
    pool: &mut WorkerPool<'_>,
    gathered: &mut Gathered<'_>,
) -> Result<(), TableError> {
    if blocks.is_empty() {
        return Ok(());
    }
    let prepared = plan.prepare()?;
    let read: &ReadValues<'_> = &|first, values| source.read(first, values);
    let encoders = Mutex::new(Vec::new());
    let threads = pool.threads().min(plan.most_threads());
    let per_thread = (BLOCKS_PER_THREAD * BLOCK_VALUES / plan.block_values).max(1);
    let encode = |block| {
        let failed = |error: io::Error| TableError::malformed("a block of values", error);
        let indices = plan.indices(block);
        let values = indices.end - indices.start;
        let free = lock(&encoders).pop();
        let mut encoder = match free {
            Some(encoder) => encoder,
            None => plan.encoder(prepared.as_ref()).map_err(failed)?,
        };
        let encoded = encoder.encode(indices, read).map_err(failed)?;
        lock(&encoders).push(encoder);
        Ok((encoded, values))
    };
    make(Batches { blocks, threads, per_thread }, written, pool, encode, gathered)
}

/// Makes these blocks of states, and passes them on in order.
pub(crate) fn make_states(
    states: &StateSource<'_>,
    blocks: Range<u64>,
    compression: Compression,
    written: &Written,
    pool: &mut WorkerPool<'_>,
    gathered: &mut Gathered<'_>,
) -> Result<(), TableError> {
    let encode = |block| {
        let first = block * BLOCK_STATES;
        let count = BLOCK_STATES.min(states.len() - first);
        let records = states.records(first, 1, count);
        let encoded = records.and_then(|records| encode_states(&records, compression));
        let encoded = encoded.map_err(|problem| TableError::malformed(STATES, problem))?;
        Ok((encoded, count))
    };
    let threads = pool.threads();
    let batches = Batches { blocks, threads, per_thread: BLOCKS_PER_THREAD };
    make(batches, written, pool, encode, gathered)
}

/// Blocks that are made in batches, so that few are in memory.
struct Batches {
    blocks: Range<u64>,
    /// The number of threads that make them.
    threads: usize,
    /// The number of blocks that each thread makes before they are passed on.
    per_thread: u64,
}

/// Makes blocks in parallel, and passes them on in order. `encode` makes one, and returns it with
/// the number of its values or states.
fn make(
    Batches { blocks, threads, per_thread }: Batches,
    written: &Written,
    pool: &mut WorkerPool<'_>,
    encode: impl Fn(u64) -> Result<(Vec<u8>, u64), TableError> + Sync,
    gathered: &mut Gathered<'_>,
) -> Result<(), TableError> {
    let at_once = threads as u64 * per_thread;
    for first in blocks.clone().step_by(at_once as usize) {
        let batch = (first..blocks.end.min(first + at_once)).collect();
        let encoded = pool.run_by(
            threads,
            batch,
            |more| written.and(more),
            |block, token| {
                let encoded = encode(block);
                // A cancellation takes effect before the next blocks are made.
                let _ = token.done(encoded.as_ref().map_or(0, |&(_, done)| done));
                encoded
            },
        )?;
        for (bytes, done) in encoded {
            gathered.take(&bytes, pool)?;
            written.add(done);
        }
        gathered.end_batch(written, pool)?;
    }
    Ok(())
}
