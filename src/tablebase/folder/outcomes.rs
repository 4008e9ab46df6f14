//! Outcomes alone, from a folder that has distances.

use std::path::Path;

use super::super::write::Contents;
use super::super::{Compression, Destination, TableError};
use super::manifest::Manifest;
use super::{FolderError, TierFolder};
use crate::numbering::NumberingKind;
use crate::solve::{OnProgress, Progress};

impl TierFolder {
    /// Writes the outcomes of all tiers that are solved, without distances, to another folder, which
    /// is made if it is not there; tiers that are there already stay. Returns the length of all
    /// files there, in bytes. Holds the values of a tier in memory, and
    /// its states if they were discovered.
    ///
    /// # Errors
    /// When a table can't be read or written, a ply limit cuts something off, the other folder is of
    /// something else, or progress interrupts.
    pub fn write_outcomes(
        &self,
        folder: impl AsRef<Path>,
        compression: Compression,
        progress: &mut OnProgress<'_>,
    ) -> Result<u64, FolderError> {
        let manifest = Manifest { outcomes_only: true, ..self.manifest.clone() };
        let outcomes = TierFolder::make_like(folder.as_ref(), manifest, self.numbered(), Ok)?;
        let solved: Vec<usize> =
            (0..self.tables.len()).filter(|&tier| self.file(tier).exists()).collect();
        let mut bytes = 0;
        for (done, &tier) in solved.iter().enumerate() {
            let event = Progress::Tier { done: done as u64, of: solved.len() as u64 };
            if progress(event).is_break() {
                return Err(outcomes.error(tier)(TableError::Interrupted));
            }
            if !outcomes.file(tier).exists() {
                self.write_outcomes_of(tier, &outcomes, compression, progress)?;
            }
            bytes += outcomes.table(tier)?.file_length();
        }
        Ok(bytes)
    }

    fn write_outcomes_of(
        &self,
        tier: usize,
        outcomes: &TierFolder,
        compression: Compression,
        progress: &mut OnProgress<'_>,
    ) -> Result<(), FolderError> {
        let table = self.table(tier)?;
        let values = table.load_values(progress).map_err(self.error(tier))?;
        let value = |number| values.packed(number);
        let failed = outcomes.error(tier);
        let destination = Destination::create(outcomes.file(tier)).map_err(&failed)?;
        let destination = destination.with(compression).with_outcomes_only();
        let destination = match self.threads {
            Some(threads) => destination.with_threads(threads),
            None => destination,
        };
        let header = table.header().clone();
        let written = match header.numbering {
            NumberingKind::TierPacked8(_) => {
                let states: Vec<u64> = table.load_states(progress).map_err(self.error(tier))?;
                let contents = Contents { header, value: &value, states: Some(&states) };
                destination.write(contents, progress)
            }
            NumberingKind::TierPacked16(_) => {
                let states: Vec<u128> = table.load_states(progress).map_err(self.error(tier))?;
                let contents = Contents { header, value: &value, states: Some(&states) };
                destination.write(contents, progress)
            }
            _ => {
                destination.write(Contents::<()> { header, value: &value, states: None }, progress)
            }
        };
        written.map_err(&failed)?;
        Ok(())
    }
}
