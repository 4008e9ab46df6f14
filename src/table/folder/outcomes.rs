//! Outcomes alone, from a folder that has distances.

use std::path::Path;

use crate::error::FolderError;
use crate::error::TableError;
use crate::game::{Packed, TierIndexed, Tiered};
use crate::numbering::{InTier, Keeping, Word};
use crate::runtime::memory::Array;
use crate::runtime::pool::{CancellationToken, Size, WorkerPool};
use crate::runtime::progress::{OnProgress, Progress};
use crate::table::folder::manifest::Manifest;
use crate::table::folder::{TierFolder, TierWay};
use crate::table::loaded::LoadedValues;
use crate::table::write::Contents;
use crate::table::{ByFormula, BySearch, Compression, Destination, Stored, StoredNumbering};
use crate::value::HOLE;

impl TierFolder {
    /// Writes the outcomes of all tiers that are solved, without distances, to another folder, which
    /// is made if it is not there; tiers that are there already stay. Returns the length of all
    /// files there, in bytes. Holds the values of a tier in memory, and a bit for each of its numbers.
    ///
    /// # Errors
    /// When a table can't be read or written, a ply limit cuts something off, one of the folders is
    /// of something else, another run writes into the other, or progress interrupts.
    pub fn write_outcomes<G: Stored + TierIndexed>(
        &self,
        game: &G,
        folder: impl AsRef<Path>,
        compression: Compression,
        progress: &mut OnProgress<'_>,
    ) -> Result<u64, FolderError> {
        self.write_outcomes_by::<G, ByFormula>(game, folder.as_ref(), compression, progress)
    }

    /// The same for tiers whose states were discovered and packed; holds the values and the states of
    /// a tier in memory.
    ///
    /// # Errors
    /// As [`write_outcomes`](TierFolder::write_outcomes).
    pub fn write_outcomes_packed<G, K>(
        &self,
        game: &G,
        folder: impl AsRef<Path>,
        compression: Compression,
        progress: &mut OnProgress<'_>,
    ) -> Result<u64, FolderError>
    where
        G: Stored + Tiered + Packed,
        K: Keeping<G, Key = K> + Word,
    {
        self.write_outcomes_by::<G, BySearch<K>>(game, folder.as_ref(), compression, progress)
    }

    fn write_outcomes_by<'g, G, W>(
        &self,
        game: &'g G,
        folder: &Path,
        compression: Compression,
        progress: &mut OnProgress<'_>,
    ) -> Result<u64, FolderError>
    where
        G: Stored + Tiered,
        W: TierWay<G>,
        InTier<'g, G, W::Numbers>: StoredNumbering<Game = G>,
    {
        self.check_is_of(game)?;
        let manifest = Manifest { outcomes_only: true, ..self.manifest.clone() };
        let outcomes = TierFolder::make_like(folder, manifest, self.numbered(), Ok)?;
        let solved: Vec<usize> =
            (0..self.tables.len()).filter(|&tier| self.file(tier).exists()).collect();
        let mut bytes = 0;
        for (done, &tier) in solved.iter().enumerate() {
            let event = Progress::Tier { done: done as u64, of: solved.len() as u64 };
            if progress(event).is_break() {
                return Err(outcomes.error(tier)(TableError::Interrupted));
            }
            if !outcomes.file(tier).exists() {
                let table = self.table_of::<G, W>(tier, game)?;
                let failed = self.error(tier);
                let values = table.load_values(progress).map_err(&failed)?;
                let numbers = W::numbers(table, game, tier).map_err(&failed)?;
                let numbering = InTier::new(game, tier, numbers, Vec::new());
                let failed = outcomes.error(tier);
                let destination = Destination::create(outcomes.file(tier)).map_err(&failed)?;
                let destination = destination.with(compression).with_outcomes_only();
                let destination = match self.threads {
                    Some(threads) => destination.with_threads(threads),
                    None => destination,
                };
                let states = States::of(&numbering, table.threads, progress).map_err(&failed)?;
                let header = table.header().clone();
                let value = |number| states.value(&values, number);
                let states = numbering.stored_states();
                destination
                    .write(Contents { header, value: &value, states }, progress)
                    .map_err(&failed)?;
            }
            bytes += outcomes.table(tier)?.file_length();
        }
        Ok(bytes)
    }
}

/// Which numbers of a tier stand for states. Its table may have filled the others as was best for
/// distances, which need not be what is best for outcomes.
enum States {
    All,
    /// A bit for each number.
    These(Array<u64>),
}

/// How many words of bits are filled in one go.
const WORDS: usize = 1 << 10;

impl States {
    fn of<N: StoredNumbering + Sync>(
        numbering: &N,
        threads: usize,
        progress: &mut OnProgress<'_>,
    ) -> Result<States, TableError> {
        let len = numbering.len();
        if numbering.stored_states().is_some() {
            return Ok(States::All);
        }
        let bits = u64::from(u64::BITS);
        let mut words: Array<u64> = Array::zeroed(len.div_ceil(bits), "the states of a tier")
            .map_err(|_| TableError::OutOfMemory { bytes: len.div_ceil(8) })?;
        let pieces: Vec<(usize, &mut [u64])> = words.chunks_mut(WORDS).enumerate().collect();
        let size = if pieces.len() > 1 { Size::Big } else { Size::Small };
        let mut progress = |event| progress(event);
        let mut pool = WorkerPool::new(threads, &mut progress);
        let event = |_| Progress::Writing { done: 0, of: len };
        let work = |(at, words): (usize, &mut [u64]), token: &dyn CancellationToken| {
            let first = (at * WORDS) as u64 * bits;
            let end = len.min(first + words.len() as u64 * bits);
            numbering.states_in(first..end, |number, _| {
                words[((number - first) / bits) as usize] |= 1 << (number % bits);
            });
            match token.done(0).is_break() {
                true => Err(TableError::Interrupted),
                false => Ok(()),
            }
        };
        pool.run(size, pieces, event, work)?;
        Ok(States::These(words))
    }

    /// The packed value of a number; a hole, if it stands for no state.
    fn value(&self, values: &LoadedValues, number: u64) -> u16 {
        let bits = u64::from(u64::BITS);
        match self {
            States::These(words) if words[(number / bits) as usize] >> (number % bits) & 1 == 0 => {
                HOLE
            }
            _ => values.packed(number),
        }
    }
}
