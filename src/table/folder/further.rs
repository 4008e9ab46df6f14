//! Going on with the folder of a smaller game, whose tiers are those of the larger one.

use crate::error::{SolveError, TableError};
use crate::game::Tier;
use crate::game::value::Rules;
use crate::numbering::indexing::{Indexing, Tiering};
use crate::runtime::progress::OnProgress;
use crate::table::folder::manifest::differ_in;
use crate::table::folder::{TierFolder, is_listed};
use crate::table::open::TableFile;
use crate::table::rewrite::write_anew;
use crate::table::write::TableWriter;
use crate::table::{Compression, Stored, parameters};

/// A smaller game: its parameters as JSON, the game, and its tiers.
struct Smaller<G> {
    parameters: String,
    game: G,
    tiers: Vec<Tier>,
}

impl TierFolder {
    /// Makes the tables of a smaller game, of which the folder was, to tables of this one: the same bytes
    /// as if they were solved for it. A table for which that is not possible stays as it is.
    ///
    /// # Errors
    /// When a table can't be written, or the progress function interrupts.
    pub(crate) fn take_over<G: Stored, I: Indexing<G>>(
        &self,
        game: &G,
        compression: Compression,
        progress: &mut OnProgress<'_>,
    ) -> Result<(), TableError> {
        if G::HOW_FAR.is_empty() || is_listed::<G, I>() {
            return Ok(());
        }
        let mut smaller: Option<Smaller<G>> = None;
        for tier in self.solved() {
            // Whatever is wrong with a file is an error once the tier is needed.
            let Ok(file) = TableFile::open(self.files, &self.file(tier)) else { continue };
            let text = &file.header().parameters;
            if self.manifest.is_of(&file.header().game, text) {
                continue;
            }
            if smaller.as_ref().is_none_or(|smaller| smaller.parameters != *text) {
                let Some(found) = self.smaller::<G, I>(&file) else { continue };
                smaller = Some(found);
            }
            let Some(smaller) = &smaller else { continue };
            let Some(before) = self.place_in::<G, I>(tier, &file, smaller) else { continue };
            let mut header = file.header().clone();
            header.parameters = parameters(game)?;
            header.numbering = I::kind(tier);
            header.rules = Rules::of_game(game);
            let written = TableWriter::of_tier(&self.file(tier), compression).and_then(|to| {
                write_anew::<G, I, _>(&file, &smaller.game, before, header, to, progress)
            });
            written.map_err(|error| match error {
                TableError::Interrupted => SolveError::Interrupted.into(),
                error => self.error(tier)(error),
            })?;
        }
        Ok(())
    }

    /// The game of a file, if it only goes less far than the game of the folder.
    fn smaller<G: Stored, I: Indexing<G>>(&self, file: &TableFile) -> Option<Smaller<G>> {
        let game: G = file.game().ok()?;
        let own = serde_json::to_value(&game).ok()?;
        let is_smaller = differ_in(&own, &self.manifest.parameters, G::HOW_FAR);
        let (parameters, tiers) = (file.header().parameters.clone(), I::Tiering::tiers(&game));
        is_smaller.then_some(Smaller { parameters, game, tiers })
    }

    /// The place in the smaller game of a tier, if the file is its table, and intact as far as that is
    /// known without reading all of it.
    fn place_in<G: Stored, I: Indexing<G>>(
        &self,
        tier: usize,
        file: &TableFile,
        Smaller { game, tiers, .. }: &Smaller<G>,
    ) -> Option<usize> {
        let place = file.header().numbering.tier()? as usize;
        let (before, now) = (tiers.get(place)?, &self.manifest.tiers[tier]);
        let mut names: Vec<&str> =
            before.leads_to.iter().map(|&to| tiers.get(to).map_or("", |to| &*to.name)).collect();
        let mut known: Vec<&str> = now.leads_to.iter().map(String::as_str).collect();
        names.sort_unstable();
        known.sort_unstable();
        let is_same = before.name == now.name && names == known;
        let is_right = || file.check_game::<G, I>(game, place).is_ok();
        (is_same && is_right()).then_some(place)
    }
}
