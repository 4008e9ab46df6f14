//! Checks that a folder has the tables that it should have.

use std::path::{Path, PathBuf};

use hashbrown::HashMap;

use crate::error::TableError;
use crate::numbering::indexing::Indexing;
use crate::runtime::progress::OnProgress;
use crate::table::Stored;
use crate::table::checkpoint::store::count_states;
use crate::table::folder::manifest::{MANIFEST, STATES};
use crate::table::folder::{TierFolder, file_of};
use crate::table::open::TableFile;
use crate::table::storage::{DISK, Storage};

/// The source of the count of states of an unsolved tier, in errors.
pub(super) const STATES_HAVE: &str = "its file of states has";

impl<S: Storage> TierFolder<S> {
    /// Checks that each file in the folder is the table of its tier, and that no tier is missing
    /// that a solved tier leads to. Reads the headers of all tables. Tiers that are still to be
    /// solved may be missing; [`Table::tier_count`](crate::Table::tier_count) counts all tiers.
    pub(crate) fn check_tiers(&self) -> Result<(), TableError> {
        let (solved, exits): (Vec<usize>, _) = (self.solved().collect(), self.exits());
        for &tier in &solved {
            let missing = |next: &&usize| solved.binary_search(next).is_err();
            if let Some(&next) = exits[tier].iter().find(missing) {
                return Err(self.lacks(next));
            }
            self.table(tier)?;
        }
        Ok(())
    }

    /// Checks that all tiers are solved and that their files are undamaged. Returns the length of
    /// the files in bytes.
    pub(crate) fn verify_checksums(
        &self,
        progress: &mut OnProgress<'_>,
    ) -> Result<u64, TableError> {
        self.check_tiers()?;
        let mut bytes = 0;
        for tier in self.solved() {
            // Opened separately, so that its cache is dropped at once.
            let file = TableFile::open(self.files, &self.file(tier)).map_err(self.error(tier))?;
            file.verify_checksums(progress).map_err(self.error(tier))?;
            bytes += file.file_length();
        }
        match (0..self.tier_count()).find(|&tier| !self.has(tier)) {
            Some(unsolved) => Err(self.lacks(unsolved)),
            None => Ok(bytes),
        }
    }

    /// The error for a tier that has no table.
    pub(super) fn lacks(&self, tier: usize) -> TableError {
        let name = |tier: usize| self.manifest.tiers[tier].name.clone();
        let exits = self.exits();
        let needed_by = self.solved().find(|&solved| exits[solved].contains(&tier));
        self.error(tier)(match needed_by {
            Some(solved) => TableError::TierMissing { tier: name(tier), needed_by: name(solved) },
            None => TableError::TierUnsolved {
                tier: name(tier),
                solved: self.solved().count(),
                of: self.tier_count(),
            },
        })
    }

    /// Refuses another number of states of a tier than the manifest counts. `what` names the source
    /// of the number.
    pub(super) fn check_count(
        &self,
        tier: usize,
        what: &'static str,
        found: u64,
    ) -> Result<(), TableError> {
        let entry = &self.manifest.tiers[tier];
        match entry.states {
            Some(counted) if counted != found => {
                let tier = entry.name.clone();
                let error = TableError::OtherCount { tier, counted, what, found };
                Err(TableError::at(&self.path.join(MANIFEST))(error))
            }
            _ => Ok(()),
        }
    }

    /// Refuses to resume if the manifest counts other states for one of these tiers than its table,
    /// or than its file of discovered states.
    pub(super) fn check_counts<G: Stored, I: Indexing<G>>(
        &self,
        game: &G,
        tiers: &[usize],
    ) -> Result<(), TableError> {
        // Other problems of a file are found when it is needed.
        for &tier in tiers {
            if !self.has(tier) {
                let states = count_states(&self.states_file(tier), game, I::kind(tier));
                if let Ok(Some(found)) = states {
                    self.check_count(tier, STATES_HAVE, found)?;
                }
            } else if let Err(TableError::At { path, source }) = self.open_table(tier)
                && matches!(*source, TableError::OtherCount { .. })
            {
                return Err(TableError::At { path, source });
            }
        }
        Ok(())
    }

    /// The file with the discovered states of a tier, which exists until the tier is solved.
    pub(super) fn states_file(&self, tier: usize) -> PathBuf {
        states_file(&self.path, &self.manifest.tiers[tier].name)
    }

    /// The tiers that each tier leads to, as the manifest says.
    fn exits(&self) -> Vec<Vec<usize>> {
        let tiers = &self.manifest.tiers;
        let places: HashMap<&str, usize> = tiers.iter().map(|tier| &*tier.name).zip(0..).collect();
        let place = |name: &String| places.get(name.as_str()).copied();
        tiers.iter().map(|tier| tier.leads_to.iter().filter_map(place).collect()).collect()
    }
}

/// The name of the tier whose table belongs at this path in a folder of tiers; `None` for other
/// paths.
pub(crate) fn tier_at(path: &Path) -> Option<String> {
    let folder = match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        folder => folder?,
    };
    let folder = TierFolder::open(DISK, folder).ok()?;
    let name = path.file_name()?;
    let is_of = |tier: &&str| file_of(tier).as_str() == name;
    folder.manifest.tiers.iter().map(|tier| &*tier.name).find(is_of).map(str::to_owned)
}

/// The file with the states of a tier that is not solved yet.
pub(super) fn states_file(folder: &Path, tier: &str) -> PathBuf {
    folder.join(format!("{tier}{STATES}"))
}
