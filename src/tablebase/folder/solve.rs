//! Solving into a folder.

use std::path::Path;
use std::sync::Arc;

use super::super::{Compression, Destination, Stored, TableError};
use super::{FolderError, TierFolder};
use crate::game::{Tier, Tiered};
use crate::numbering::InTier;
use crate::solve::crew::Crew;
use crate::solve::known::KnownValues;
use crate::solve::tiers::{TierKeeper, TierRun};
use crate::solve::{Solution, SolveError, Solver, TierFigures};

/// Keeps tiers in the files of a folder.
struct InFolder<'f, 'g, G> {
    folder: &'f TierFolder,
    game: &'g G,
    compression: Compression,
}

impl<'g, G: Stored + Tiered> TierKeeper<'g, G> for InFolder<'_, 'g, G> {
    type Error = FolderError;

    fn find(&mut self, tier: usize) -> Result<Option<TierFigures>, FolderError> {
        if !self.folder.file(tier).exists() {
            return Ok(None);
        }
        let table = self.folder.table_of(tier, self.game)?;
        Ok(Some(self.folder.figures(tier, table)))
    }

    fn load(&mut self, tier: usize) -> Result<Arc<KnownValues>, FolderError> {
        Ok(Arc::new(self.folder.load(tier, self.game)?))
    }

    fn keep(
        &mut self,
        tier: usize,
        solution: &Solution<InTier<'g, G>>,
        crew: &mut Crew<'_>,
    ) -> Result<Option<u64>, FolderError> {
        let failed = self.folder.error(tier);
        let destination = Destination::create(self.folder.file(tier)).map_err(&failed)?;
        let destination = destination.with(self.compression).with_threads(crew.threads());
        let bytes =
            solution.save_to(destination, crew.on_progress()).map_err(|error| match error {
                TableError::Interrupted => SolveError::Interrupted.into(),
                error => failed(error),
            })?;
        Ok(Some(bytes))
    }

    fn hand_over(&mut self, _: usize, _: &Arc<KnownValues>) {}
}

impl<'g, G: Stored + Tiered> Solver<'g, '_, G> {
    /// Solves a game tier by tier into a folder, which is made if it is not there. What is there of
    /// the same game already is used, so that a run that was interrupted goes on where it was. With
    /// `only`, the name of a tier, that tier is solved and those that it needs.
    ///
    /// In memory are the tier at work, as in [`tiered`](Solver::tiered), and the tiers that its moves
    /// lead to, at 1 or 2 bytes a state; where there is room, so are others that later ones need.
    ///
    /// # Errors
    /// As [`tiered`](Solver::tiered), and when the folder is that of something else, a table in it is
    /// damaged, or it can't be written to.
    pub fn tiered_into(
        self,
        folder: impl AsRef<Path>,
        only: Option<&str>,
    ) -> Result<Vec<TierFigures>, FolderError> {
        self.tiered_into_with(folder, only, Compression::default())
    }

    /// The same; new tables are compressed so.
    ///
    /// # Errors
    /// As [`tiered_into`](Solver::tiered_into).
    pub fn tiered_into_with(
        self,
        folder: impl AsRef<Path>,
        only: Option<&str>,
        compression: Compression,
    ) -> Result<Vec<TierFigures>, FolderError> {
        self.with_crew(|game, resources, keeper, crew| {
            let only = only.map(|name| find_tier(&game.tiers(), name)).transpose()?;
            let folder = TierFolder::make(folder.as_ref(), game)?;
            let mut tables = InFolder { folder: &folder, game, compression };
            TierRun::new(game, resources, keeper).run(only, &mut tables, crew)
        })
    }
}

/// The place of the tier of this name.
fn find_tier(tiers: &[Tier], name: &str) -> Result<usize, FolderError> {
    const SHOWN: usize = 20;
    tiers.iter().position(|tier| tier.name == name).ok_or_else(|| {
        let names: Vec<&str> = tiers.iter().take(SHOWN).map(|tier| tier.name.as_str()).collect();
        let more = tiers.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let known = format!("one of {}{more}", names.join(", "));
        FolderError::NoSuchTier { name: name.into(), known }
    })
}
