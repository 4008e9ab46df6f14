//! How the states of a folder's tiers are numbered.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::error::TableError;
use crate::game::{TierIndexed, Tiered};
use crate::notation::Notation;
use crate::numbering::{ByIndex, Keeping, Sorted, TierNumbers, Word};
use crate::table::{ByFormula, BySearch, Stored, Tablebase};
use crate::verify::StateReader;

/// How the states of a folder's tiers are numbered: [`ByFormula`], or [`BySearch`] among those that
/// were discovered, packed into `u64` or `u128`.
pub trait TierWay<G: Stored + Tiered> {
    /// The numbers of a tier in memory.
    type Numbers: TierNumbers<G>;

    /// What brings states of one tier into the order of their numbers, or near it.
    type Order: Ord;

    /// What was read last of a table's states.
    type Reader: Default;

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

    /// The state of a number of this tier, or `None` for a hole; sure to stand where a search for it
    /// ends.
    ///
    /// # Errors
    /// When it does not, or the table can't be read.
    fn state_in_place(
        reader: &mut Self::Reader,
        table: &Tablebase,
        game: &G,
        tier: usize,
        number: u64,
    ) -> Result<Option<G::State>, TableError>
    where
        G: Notation;

    /// The number of the state of this tier that has this place in the order.
    ///
    /// # Errors
    /// When the table can't be read.
    fn number_in_order(
        reader: &mut Self::Reader,
        table: &Tablebase,
        game: &G,
        tier: usize,
        order: &Self::Order,
    ) -> Result<Option<u64>, TableError>;

    /// How many bytes the states of a table take in memory.
    fn bytes(table: &Tablebase) -> u64;
}

impl<G: Stored + TierIndexed> TierWay<G> for ByFormula {
    type Numbers = ByIndex;
    type Order = u64;
    type Reader = ();

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
        Self::number_in_order(&mut (), table, game, tier, &game.tier_index(tier, state))
    }

    fn state(
        _: &Tablebase,
        game: &G,
        tier: usize,
        number: u64,
    ) -> Result<Option<G::State>, TableError> {
        Ok(game.tier_unindex(tier, number))
    }

    fn state_in_place(
        (): &mut (),
        _: &Tablebase,
        game: &G,
        tier: usize,
        number: u64,
    ) -> Result<Option<G::State>, TableError> {
        Ok(game.tier_unindex(tier, number))
    }

    fn number_in_order(
        (): &mut (),
        table: &Tablebase,
        game: &G,
        tier: usize,
        &index: &u64,
    ) -> Result<Option<u64>, TableError> {
        let is_hole = || table.has_filled_holes() && game.tier_unindex(tier, index).is_none();
        Ok((index < table.header().len && !is_hole()).then_some(index))
    }

    fn bytes(_: &Tablebase) -> u64 {
        0
    }
}

impl<G: Stored + Tiered, K: Keeping<G, Key = K> + Word> TierWay<G> for BySearch<K> {
    type Numbers = Arc<Sorted<G, K>>;
    type Order = K;
    type Reader = StateReader<K>;

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

    fn state_in_place(
        reader: &mut StateReader<K>,
        table: &Tablebase,
        game: &G,
        _: usize,
        number: u64,
    ) -> Result<Option<G::State>, TableError>
    where
        G: Notation,
    {
        let write = |key: &K| game.write_state(&K::state(game, key));
        Ok(Some(K::state(game, reader.key_in_place(table, number, write)?)))
    }

    fn number_in_order(
        reader: &mut StateReader<K>,
        table: &Tablebase,
        _: &G,
        _: usize,
        key: &K,
    ) -> Result<Option<u64>, TableError> {
        reader.number(table, key)
    }

    fn bytes(table: &Tablebase) -> u64 {
        table.states_bytes::<G, K>()
    }
}
