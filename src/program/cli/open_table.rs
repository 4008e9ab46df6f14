//! A table that a command reads.

use std::path::Path;

use crate::error::TableError;
use crate::program::cli::{CliError, Registered, missing};
use crate::table::Table;

/// An open table and its path.
pub(super) struct OpenTable<'a> {
    pub(super) path: &'a Path,
    pub(super) table: Table,
}

impl OpenTable<'_> {
    /// Opens what is at the path.
    pub(super) fn open(path: &Path) -> Result<OpenTable<'_>, CliError> {
        let table = Table::open(path).map_err(|error| missing::explain(path, error))?;
        Ok(OpenTable { path, table })
    }

    /// Refuses the file of a single tier, which answers no probe.
    pub(super) fn check_is_whole(&self) -> Result<(), CliError> {
        match self.table.header() {
            Some(header) if header.numbering.tier().is_some() => {
                Err(CliError::table(self.path)(TableError::OneTier))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a folder with a table of another folder, or without a table that it needs. Returns a
    /// sentence that says how many tiers are solved, unless all are.
    pub(super) fn check_tiers(&self) -> Result<Option<String>, CliError> {
        let failed = CliError::table(self.path);
        self.table.check_tiers().map_err(&failed)?;
        let (solved, of) = (self.table.tiers().map_err(failed)?.len(), self.table.tier_count());
        let path = self.path.display();
        Ok((solved < of).then(|| {
            format!("{path}: {solved} of {of} tiers are solved; positions of others have no answer")
        }))
    }

    /// The game that the table is of.
    pub(super) fn game<G: Registered>(&self) -> Result<G, CliError> {
        self.table.game().map_err(CliError::table(self.path))
    }
}
