//! Checking the tables of a folder.

use std::marker::PhantomData;
use std::sync::OnceLock;

use crate::error::FolderError;
use crate::error::TableError;
use crate::game::{Packed, TierIndexed, Tiered};
use crate::notation::Notation;
use crate::numbering::{InTier, Keeping, TierNumbers, Word};
use crate::runtime::progress::{OnProgress, Progress};
use crate::table::folder::{Numbered, TierFolder, TierWay};
use crate::table::{ByFormula, BySearch, Stored, Tablebase};
use crate::value::Value;
use crate::verify::{Source, lacks_root};

impl TierFolder {
    /// Checks the tables of all tiers: every checksum, every value against those of its successors,
    /// in whatever tier those are, and the headers' figures. Holds the values of a tier and of those
    /// that it leads to in memory, or as much as [`with_memory`](TierFolder::with_memory) allows. Returns
    /// how many states were checked.
    ///
    /// # Errors
    /// The first thing that is wrong; a tier without a table among them.
    pub fn verify<G: Stored + TierIndexed + Notation>(
        &self,
        game: &G,
        progress: &mut OnProgress<'_>,
    ) -> Result<u64, FolderError> {
        self.verify_by::<G, ByFormula>(game, progress)
    }

    /// The same for tiers whose states were discovered and packed; also that they are sorted, each
    /// in its tier, and the roots among them.
    ///
    /// # Errors
    /// As [`verify`](TierFolder::verify).
    pub fn verify_packed<G, K>(
        &self,
        game: &G,
        progress: &mut OnProgress<'_>,
    ) -> Result<u64, FolderError>
    where
        G: Stored + Tiered + Packed + Notation,
        K: Keeping<G, Key = K> + Word,
    {
        self.verify_by::<G, BySearch<K>>(game, progress)
    }

    pub(crate) fn verify_by<G: Stored + Tiered + Notation, W: TierWay<G>>(
        &self,
        game: &G,
        progress: &mut OnProgress<'_>,
    ) -> Result<u64, FolderError> {
        self.check_is_of(game)?;
        let tiers = game.tiers();
        let mut states = 0;
        for (at, tier) in tiers.iter().enumerate() {
            let event = Progress::Tier { done: at as u64, of: tiers.len() as u64 };
            if progress(event).is_break() {
                return Err(self.error(at)(TableError::Interrupted));
            }
            let table = self.table_of::<G, W>(at, game)?;
            let leads_to = || tier.leads_to.iter().copied().filter(|&next| next < at);
            let mut tables = vec![None; tiers.len()];
            tables[at] = Some(table);
            for next in leads_to() {
                tables[next] = Some(self.table_of::<G, W>(next, game)?);
            }
            let others = leads_to().filter_map(|next| tables[next]);
            // Lengths in files may be anything.
            let bytes = others.fold(W::bytes(table), |bytes, table| {
                bytes.saturating_add(W::bytes(table)).saturating_add(table.bytes_of_values())
            });
            if table.is_too_much(bytes) {
                let source = OfTier::<G, W> { game, tier: at, tables, way: PhantomData };
                let verified = source.check_roots();
                verified
                    .and_then(|()| table.verify_in_batches(game, source, progress))
                    .map_err(self.error(at))?;
                // The next tier needs others.
                self.tables
                    .iter()
                    .filter_map(OnceLock::get)
                    .for_each(|table| table.reader.forget());
            } else {
                let mut known = vec![None; tiers.len()];
                for next in leads_to() {
                    known[next] = Some(self.load::<G, W>(next, game)?.known());
                }
                let numbers = W::numbers(table, game, at).map_err(self.error(at))?;
                if self.numbered() == Numbered::ByStates {
                    self.check_states(at, &numbers, game)?;
                }
                let numbering = InTier::new(game, at, numbers, known);
                table.verify(&numbering, progress).map_err(self.error(at))?;
            }
            states += table.header().summary.states();
        }
        Ok(states)
    }

    /// Makes sure that the states of a tier are of it, and the roots that are of it among them.
    fn check_states<G: Stored + Tiered + Notation>(
        &self,
        tier: usize,
        numbers: &impl TierNumbers<G>,
        game: &G,
    ) -> Result<(), FolderError> {
        let roots = game.roots().into_iter().filter(|root| game.tier(root) == tier);
        if let Some(root) = roots.into_iter().find(|root| numbers.number(game, root).is_none()) {
            return Err(self.error(tier)(lacks_root(game, &root)));
        }
        let mut strange = None;
        numbers.states_in(game, 0..numbers.len(game), |_, state| {
            if strange.is_none() && game.tier(&state) != tier {
                strange = Some(state);
            }
        });
        strange.map_or(Ok(()), |state| Err(self.error(tier)(of_another_tier(game, &state))))
    }
}

fn of_another_tier<G: Notation>(game: &G, state: &G::State) -> TableError {
    let problem = format!("have {}, which is of another tier", game.write_state(state));
    TableError::malformed("the states", problem)
}

/// The table of a tier, and those that it leads to.
struct OfTier<'o, G, W> {
    game: &'o G,
    tier: usize,
    /// By tier.
    tables: Vec<Option<&'o Tablebase>>,
    way: PhantomData<fn() -> W>,
}

impl<G: Stored + Tiered + Notation, W: TierWay<G>> OfTier<'_, G, W> {
    fn check_roots(&self) -> Result<(), TableError> {
        for root in self.game.roots() {
            if self.game.tier(&root) == self.tier
                && let Some(table) = self.tables[self.tier]
                && W::number(table, self.game, self.tier, &root)?.is_none()
            {
                return Err(lacks_root(self.game, &root));
            }
        }
        Ok(())
    }
}

impl<G: Stored + Tiered + Notation, W: TierWay<G>> Source<G> for OfTier<'_, G, W> {
    type Place = (usize, W::Order);
    /// Of which tier, and what was read of it.
    type Reader = (usize, W::Reader);

    fn state(
        &self,
        (_, reader): &mut Self::Reader,
        number: u64,
    ) -> Result<Option<G::State>, TableError> {
        let OfTier { game, tier, tables, .. } = self;
        let Some(table) = tables[*tier] else { return Ok(None) };
        match W::state_in_place(reader, table, game, *tier, number)? {
            Some(state) if game.tier(&state) != *tier => Err(of_another_tier(*game, &state)),
            state => Ok(state),
        }
    }

    fn place(&self, state: &G::State) -> Option<(usize, W::Order)> {
        let tier = self.game.tier(state);
        let _ = self.tables.get(tier)?.as_ref()?;
        Some((tier, W::order(self.game, tier, state)))
    }

    fn value(
        &self,
        reader: &mut Self::Reader,
        (tier, order): &Self::Place,
    ) -> Result<Option<Value>, TableError> {
        let Some(table) = self.tables[*tier] else { return Ok(None) };
        if reader.0 != *tier {
            *reader = (*tier, W::Reader::default());
        }
        match W::number_in_order(&mut reader.1, table, self.game, *tier, order)? {
            Some(number) => table.value(number, &number),
            None => Ok(None),
        }
    }
}
