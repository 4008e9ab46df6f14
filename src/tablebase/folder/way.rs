//! How the states of a folder's tiers are numbered.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::super::{ByFormula, BySearch, Stored, TableError, Tablebase};
use crate::game::{TierIndexed, Tiered};
use crate::notation::Notation;
use crate::numbering::{ByIndex, Keeping, Sorted, TierNumbers, Word};

/// How the states of a folder's tiers are numbered: [`ByFormula`], or [`BySearch`] among those that
/// were discovered, packed into `u64` or `u128`.
pub trait TierWay<G: Stored + Tiered> {
    /// The numbers of a tier in memory.
    type Numbers: TierNumbers<G>;

    /// What brings states of one tier into the order of their numbers, or near it.
    type Order: Ord;

    /// The numbers of a tier that is solved, from its table if need be.
    ///
    /// # Errors
    /// When the table can't be read.
    fn numbers(table: &Tablebase, game: &G, tier: usize) -> Result<Self::Numbers, TableError>;

    /// How long a tier is of which the manifest says that there are so many states.
    fn len(game: &G, tier: usize, states: Option<u64>) -> u64;

    /// Where a state of this tier is among others of it.
    fn order(game: &G, tier: usize, state: &G::State) -> Self::Order;

    /// The number of a state of this tier, or `None` if the table does not have it.
    ///
    /// # Errors
    /// When the table can't be read.
    fn number(
        table: &Tablebase,
        game: &G,
        tier: usize,
        state: &G::State,
    ) -> Result<Option<u64>, TableError>;

    /// The state of a number of this tier, or `None` for a hole.
    ///
    /// # Errors
    /// When the table can't be read.
    fn state(
        table: &Tablebase,
        game: &G,
        tier: usize,
        number: u64,
    ) -> Result<Option<G::State>, TableError>;

    /// Makes sure that the state of a number stands where a search for it ends.
    ///
    /// # Errors
    /// When it does not, or the table can't be read.
    fn check_place(table: &Tablebase, game: &G, number: u64) -> Result<(), TableError>
    where
        G: Notation;

    /// How many bytes the states of a table take in memory.
    fn bytes(table: &Tablebase) -> u64;
}

impl<G: Stored + TierIndexed> TierWay<G> for ByFormula {
    type Numbers = ByIndex;
    type Order = u64;

    fn numbers(_: &Tablebase, _: &G, tier: usize) -> Result<ByIndex, TableError> {
        Ok(ByIndex { tier })
    }

    fn len(game: &G, tier: usize, _: Option<u64>) -> u64 {
        game.tier_len(tier)
    }

    fn order(game: &G, tier: usize, state: &G::State) -> u64 {
        game.tier_index(tier, state)
    }

    fn number(
        table: &Tablebase,
        game: &G,
        tier: usize,
        state: &G::State,
    ) -> Result<Option<u64>, TableError> {
        let index = game.tier_index(tier, state);
        let is_hole = || table.has_filled_holes() && game.tier_unindex(tier, index).is_none();
        Ok((index < table.header().len && !is_hole()).then_some(index))
    }

    fn state(
        _: &Tablebase,
        game: &G,
        tier: usize,
        number: u64,
    ) -> Result<Option<G::State>, TableError> {
        Ok(game.tier_unindex(tier, number))
    }

    fn check_place(_: &Tablebase, _: &G, _: u64) -> Result<(), TableError> {
        Ok(())
    }

    fn bytes(_: &Tablebase) -> u64 {
        0
    }
}

impl<G: Stored + Tiered, K: Keeping<G, Key = K> + Word> TierWay<G> for BySearch<K> {
    type Numbers = Arc<Sorted<G, K>>;
    type Order = K;

    fn numbers(table: &Tablebase, game: &G, _: usize) -> Result<Self::Numbers, TableError> {
        let write = |state: &G::State| format!("{state:?}");
        let sorted = table.load_sorted(game, write, &mut |_| ControlFlow::Continue(()))?;
        Ok(Arc::new(sorted))
    }

    fn len(_: &G, _: usize, states: Option<u64>) -> u64 {
        states.unwrap_or(0)
    }

    fn order(game: &G, _: usize, state: &G::State) -> K {
        K::key(game, &game.canonical(state))
    }

    fn number(
        table: &Tablebase,
        game: &G,
        _: usize,
        state: &G::State,
    ) -> Result<Option<u64>, TableError> {
        table.search(&K::key(game, &game.canonical(state)))
    }

    fn state(
        table: &Tablebase,
        game: &G,
        _: usize,
        number: u64,
    ) -> Result<Option<G::State>, TableError> {
        Ok(Some(K::state(game, &table.key(number)?)))
    }
    fn check_place(table: &Tablebase, game: &G, number: u64) -> Result<(), TableError>
    where
        G: Notation,
    {
        table.check_place::<G, K>(game, number)
    }

    fn bytes(table: &Tablebase) -> u64 {
        table.states_bytes::<K>()
    }
}
