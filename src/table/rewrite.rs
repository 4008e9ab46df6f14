//! Writes the values of a file to another file with another header.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::TableError;
use crate::game::one_line;
use crate::game::value::UNUSED;
use crate::numbering::discovered::KeyForm;
use crate::numbering::indexing::{Indexing, Lookup};
use crate::numbering::{Numbering, Part, StateForm};
use crate::runtime::memory::Array;
use crate::runtime::pool::{CancellationToken, Size, WorkerPool};
use crate::runtime::progress::{OnProgress, Progress};
use crate::table::Stored;
use crate::table::keys::load_indices;
use crate::table::loaded::LoadedValues;
use crate::table::open::TableFile;
use crate::table::records::Header;
use crate::table::storage::Storage;
use crate::table::write::{Body, Head, TableWriter};

/// Writes the values of a file, which is of this tier of this game, to another file with another header.
/// Values are packed as the header says. Returns the length of the file, in bytes.
pub(crate) fn write_anew<G: Stored, I: Indexing<G>, S: Storage>(
    file: &TableFile<S>,
    game: &G,
    tier: usize,
    header: Header,
    writer: TableWriter,
    progress: &mut OnProgress<'_>,
) -> Result<u64, TableError> {
    let writer = writer.threads(file.limits.threads()).outcomes_only(header.outcomes_only);
    let values = file.load_values(progress)?;
    let write = |state: &G::State| one_line(&game.state_text(state));
    let indices = load_indices::<G, I, S>(file, game, &KeyForm::default(), &write, progress)?;
    let numbering = Part::<G, I>::new(game, tier, indices, Vec::new());
    let used = match I::Lookup::FORM {
        StateForm::Formula => UsedIndices::of(&numbering, file.limits.threads(), progress)?,
        _ => UsedIndices::All,
    };
    let (before, scale) = (file.header().rules.scale(), header.rules.scale());
    let does_not_fit = AtomicBool::new(false);
    let pack = |packed: u16| match before.unpack(packed) {
        _ if before == scale => packed,
        Ok(Some(value)) if scale.fits(value) => scale.pack(value),
        Ok(None) => UNUSED,
        _ => {
            does_not_fit.store(true, Ordering::Relaxed);
            UNUSED
        }
    };
    let read = &|first: u64, packed: &mut [u16]| {
        (first..).zip(packed).for_each(|(index, value)| *value = pack(used.value(&values, index)));
    };
    let states = I::Lookup::listed(&numbering.indices);
    let body = Body { len: header.len, read, scale, states };
    let head = Head { header, remembered: file.remembered().to_vec() };
    let mut progress = |event| progress(event);
    let mut pool = WorkerPool::new(writer.thread_count(), &mut progress);
    let written = writer.write(head, &body, &mut pool)?;
    match does_not_fit.into_inner() {
        true => Err(TableError::malformed("the table", "has a value that the game can't store")),
        false => written.name(),
    }
}

/// The indices that have a state. A table with distances may store arbitrary values at unused
/// indices, chosen to compress well. Among outcomes they need not compress well.
enum UsedIndices {
    All,
    /// A bit for each index.
    These(Array<u64>),
}

/// The number of words of bits that each task fills.
const WORDS: usize = 1 << 10;

impl UsedIndices {
    fn of<N: Numbering + Sync>(
        numbering: &N,
        threads: usize,
        progress: &mut OnProgress<'_>,
    ) -> Result<UsedIndices, TableError> {
        let len = numbering.len();
        let bits = u64::from(u64::BITS);
        let mut words: Array<u64> = Array::zeroed(len.div_ceil(bits), "the states of a tier")?;
        let tasks: Vec<(usize, &mut [u64])> = words.chunks_mut(WORDS).enumerate().collect();
        let size = if tasks.len() > 1 { Size::Big } else { Size::Small };
        let mut progress = |event| progress(event);
        let mut pool = WorkerPool::new(threads, &mut progress);
        let event = |_| Progress::Writing { done: 0, of: len };
        let work = |(at, words): (usize, &mut [u64]), token: &dyn CancellationToken| {
            let first = (at * WORDS) as u64 * bits;
            let end = len.min(first + words.len() as u64 * bits);
            numbering.states_in(first..end, |index, _| {
                words[((index - first) / bits) as usize] |= 1 << (index % bits);
            });
            match token.done(0).is_break() {
                true => Err(TableError::Interrupted),
                false => Ok(()),
            }
        };
        pool.run(size, tasks, event, work)?;
        Ok(UsedIndices::These(words))
    }

    /// The packed value of an index, or [`UNUSED`] for an unused index.
    fn value(&self, values: &LoadedValues, index: u64) -> u16 {
        let bits = u64::from(u64::BITS);
        match self {
            UsedIndices::These(words)
                if words[(index / bits) as usize] >> (index % bits) & 1 == 0 =>
            {
                UNUSED
            }
            _ => values.packed(index).unwrap_or(UNUSED),
        }
    }
}
