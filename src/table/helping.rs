//! Making a table by several processes, as the others do it: each makes the blocks of its own window, as
//! the first process asks it to.

use crate::codec;
use crate::error::TableError;
use crate::runtime::peers::Windows;
use crate::runtime::pool::WorkerPool;
use crate::table::blocks::{TakeBlock, Written, make_states, make_values};
use crate::table::helped::{Job, blocks_of, reading, values_of};
use crate::table::plan::{ValuePlan, find_values};
use crate::table::records::BLOCK_STATES;
use crate::table::together::OwnWindow;
use crate::table::values::Compression;

/// Does a job, and hands on its answers.
///
/// # Errors
/// When the job can't be read or done, when progress interrupts, and that of `take`.
pub(crate) fn help(
    job: &[u8],
    own: OwnWindow<'_>,
    windows: &Windows,
    pool: &mut WorkerPool<'_>,
    take: &mut TakeBlock<'_>,
) -> Result<(), TableError> {
    let malformed =
        |problem: &str| TableError::malformed("what the first process asks for", problem);
    let OwnWindow { cells, states } = own;
    let window = windows.own_window();
    let len = windows.ends().last().copied().unwrap_or_default();
    let written = Written::nothing_of(window.end - window.start);
    match codec::decode(job).map_err(|problem| malformed(&problem))? {
        Job::FindValues { outcomes_only } => {
            let read = &|first: u64, values: &mut [u16]| cells.read(first, values);
            let found = find_values(0..cells.len(), &reading(outcomes_only, read), pool)?;
            let values = (0..=u16::MAX).filter(|&value| found[usize::from(value)]);
            take(pool, values.flat_map(u16::to_ne_bytes).collect())
        }
        Job::Values { plan, outcomes_only, before } => {
            let plan: ValuePlan = plan;
            let before: Vec<u16> = values_of(&before).collect();
            if plan.len != len || plan.block_values == 0 {
                return Err(malformed("is about another table"));
            }
            let blocks = blocks_of(&window, len, plan.block_values);
            let first_value = blocks.start * plan.block_values;
            if first_value + before.len() as u64 != window.start {
                return Err(malformed("lacks values"));
            }
            let read = &|first: u64, values: &mut [u16]| {
                let missing = before.get((first - first_value) as usize..).unwrap_or_default();
                let (of_others, own) = values.split_at_mut(missing.len().min(values.len()));
                of_others.copy_from_slice(&missing[..of_others.len()]);
                cells.read(first.max(window.start) - window.start, own);
            };
            make_values(&plan, blocks, &reading(outcomes_only, read), &written, pool, take)
        }
        Job::States { compression, before } => {
            let states = states.ok_or_else(|| malformed("are states, which a formula computes"))?;
            let compression = compression.map_or(Compression::Plain, Compression::Zstd);
            let blocks = blocks_of(&window, len, BLOCK_STATES);
            let first_state = blocks.start * BLOCK_STATES;
            if first_state + before.len() as u64 != window.start {
                return Err(malformed("lacks states"));
            }
            let records = |first: u64, count: u64| {
                let missing = before.get((first - first_state) as usize..).unwrap_or_default();
                let missing = &missing[..missing.len().min(count as usize)];
                let own = first.max(window.start);
                let mut records = missing.to_vec();
                records.extend(states.records(own, 1, count - missing.len() as u64)?);
                Ok(records)
            };
            make_states((len, 1), blocks, compression, &records, &written, pool, take)
        }
    }
}
