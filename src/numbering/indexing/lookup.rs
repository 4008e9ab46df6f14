//! How the states of a tier are found from their indices: by a formula, or among the discovered
//! states.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::SolveError;
use crate::game::{Game, Indexed, TierIndexed};
#[cfg(doc)]
use crate::numbering::discovered::NOWHERE;
use crate::numbering::discovered::{
    Encoding, FindKeys, FoundKeys, KeyWindow, ListedStates, Location, RawKeys, Sorted,
};
use crate::numbering::kind::StateForm;
use crate::runtime::peers::SEVERAL;

/// How the states of a tier are found from their indices, and back.
pub trait Lookup<G: Game>: 'static {
    /// The search structure for the states of one tier.
    type Indices: Clone + Debug + Send + Sync;

    /// The key by which a table file is searched: an index, or the stored form of a state.
    type Key: Clone + Ord + Debug + Send + Sync + Serialize + DeserializeOwned;

    /// The form of the states in files.
    const FORM: StateForm;

    /// Reads and writes keys as raw bytes, if they have a fixed width.
    const RAW: Option<RawKeys<Self::Key>>;

    /// The number of indices of a tier, unused ones included.
    fn len(indices: &Self::Indices, game: &G, tier: usize) -> u64;

    /// The number of indices of a tier, if a formula computes it.
    fn formula_len(game: &G, tier: usize) -> Option<u64>;

    /// The index of a state of the tier.
    fn index(indices: &Self::Indices, game: &G, tier: usize, state: &G::State) -> Option<u64>;

    /// Writes the index of each of some [keys](Lookup::key), or [`NOWHERE`]. If the states are in a
    /// search structure, they are found sooner than one by one.
    fn find_all(indices: &Self::Indices, keys: &[Self::Key], found: &mut [u64]);

    /// The state of an index of the tier.
    fn state(indices: &Self::Indices, game: &G, tier: usize, index: u64) -> Option<G::State>;

    /// Visits the states of a range of indices in ascending order.
    fn states_in(
        indices: &Self::Indices,
        game: &G,
        tier: usize,
        range: Range<u64>,
        visit: impl FnMut(u64, G::State),
    );

    /// Whether the states are coded in memory, so that finding one takes longer.
    fn is_coded(indices: &Self::Indices) -> bool {
        let _ = indices;
        false
    }

    /// The memory that `indices` take, in bytes.
    fn bytes(indices: &Self::Indices) -> u64;

    /// A state after packing and unpacking: equal to the state, unless the game packs wrongly.
    fn round_trip(game: &G, state: &G::State) -> G::State;

    /// The key of a state of the tier; `None` if no table can contain the state.
    fn key(game: &G, tier: usize, state: &G::State) -> Option<Self::Key>;

    /// The state with this key in the tier.
    fn state_of_key(game: &G, tier: usize, key: &Self::Key) -> Option<G::State>;

    /// The state of a key from a file. `None` for an unused index, for an index beyond the last,
    /// and for a key that no state has.
    fn state_of_any_key(game: &G, tier: usize, key: &Self::Key) -> Option<G::State> {
        let index = Self::index_of_key(key);
        let is_beyond = |len| index.is_some_and(|index| index >= len);
        if Self::formula_len(game, tier).is_some_and(is_beyond) || !Self::is_key(game, key) {
            return None;
        }
        Self::state_of_key(game, tier, key)
    }

    /// Whether a state of the tier has this key. Files are not trusted.
    fn is_key(game: &G, key: &Self::Key) -> bool {
        let _ = (game, key);
        true
    }

    /// The key of an index; `None` if it must be read from a table.
    fn key_of_index(index: u64) -> Option<Self::Key>;

    /// The index of a key; `None` if it must be searched in a table.
    fn index_of_key(key: &Self::Key) -> Option<u64>;

    /// The states that a file lists; `None` if a formula computes them.
    fn listed(indices: &Self::Indices) -> Option<&dyn ListedStates>;

    /// Makes the search structure for the states with these sorted keys. A formula needs no keys.
    ///
    /// # Errors
    /// When there are too many keys, or there is no memory for the lookup.
    fn of_keys(keys: FoundKeys<Self::Key>) -> Result<Self::Indices, SolveError>;

    /// Runs `discover`; `None` if a formula computes the states, which then need no discovery.
    fn discover<D: Discover<G>>(discover: D) -> Option<D::Output<Self::Key>>;

    /// The most memory that this many states take, in bytes.
    fn bytes_of_states(states: u64) -> u64;

    /// Whether several processes can share the states: see [`of_window`](Lookup::of_window).
    const CAN_BE_SHARED: bool = false;

    /// Makes the search structure for one window of the states that several processes share. Its
    /// functions then know only the states of this window, except [`locate`](Lookup::locate).
    ///
    /// # Errors
    /// As [`of_keys`](Lookup::of_keys), and when the states can't be shared.
    fn of_window(
        keys: FoundKeys<Self::Key>,
        window: KeyWindow<Self::Key>,
    ) -> Result<Self::Indices, SolveError> {
        drop((keys, window));
        let problem = "its states can't be shared out among processes".into();
        Err(SolveError::UnsupportedByCluster { problem })
    }

    /// The location of a state of the tier.
    #[inline]
    fn locate(indices: &Self::Indices, game: &G, tier: usize, state: &G::State) -> Location {
        Self::index(indices, game, tier, state).map_or(Location::Nowhere, Location::Here)
    }

    /// Finds states by keys that other processes send; `None` if no states are shared.
    fn find_keys(indices: &Self::Indices) -> Option<&dyn FindKeys> {
        let _ = indices;
        None
    }
}

/// Discovers the states of a game, in any encoding.
pub trait Discover<G: Game> {
    /// The result, for keys of this type.
    type Output<K>;

    /// Discovers the states.
    fn run<E: Encoding<G>>(self) -> Self::Output<E::Key>;
}

macro_rules! formula {
    ($lookup:ident, $indexed:path, $len:expr, $index:expr, $state:expr, $states:expr) => {
        impl<G: $indexed> Lookup<G> for $lookup {
            type Indices = ();
            type Key = u64;
            const FORM: StateForm = StateForm::Formula;
            const RAW: Option<RawKeys<u64>> = None;

            #[inline]
            fn len((): &(), game: &G, tier: usize) -> u64 {
                $len(game, tier)
            }

            fn formula_len(game: &G, tier: usize) -> Option<u64> {
                Some($len(game, tier))
            }

            #[inline(always)]
            fn index((): &(), game: &G, tier: usize, state: &G::State) -> Option<u64> {
                Some($index(game, tier, state))
            }

            #[inline]
            fn find_all((): &(), keys: &[u64], found: &mut [u64]) {
                found.copy_from_slice(keys);
            }

            #[inline(always)]
            fn state((): &(), game: &G, tier: usize, index: u64) -> Option<G::State> {
                $state(game, tier, index)
            }

            #[inline(always)]
            fn states_in(
                (): &(),
                game: &G,
                tier: usize,
                range: Range<u64>,
                visit: impl FnMut(u64, G::State),
            ) {
                $states(game, tier, range, visit);
            }

            fn bytes((): &()) -> u64 {
                0
            }

            fn round_trip(_: &G, state: &G::State) -> G::State {
                state.clone()
            }

            #[inline]
            fn key(game: &G, tier: usize, state: &G::State) -> Option<u64> {
                Some($index(game, tier, state))
            }

            #[inline]
            fn state_of_key(game: &G, tier: usize, key: &u64) -> Option<G::State> {
                $state(game, tier, *key)
            }

            #[inline]
            fn key_of_index(index: u64) -> Option<u64> {
                Some(index)
            }

            #[inline]
            fn index_of_key(key: &u64) -> Option<u64> {
                Some(*key)
            }

            fn listed((): &()) -> Option<&dyn ListedStates> {
                None
            }

            fn of_keys(_: FoundKeys<u64>) -> Result<(), SolveError> {
                Ok(())
            }

            fn discover<D: Discover<G>>(_: D) -> Option<D::Output<u64>> {
                None
            }

            fn bytes_of_states(_: u64) -> u64 {
                0
            }
        }
    };
}

/// A formula for all states of a game: [`Indexed`].
#[derive(Debug)]
pub enum Formula {}

formula!(
    Formula,
    Indexed,
    |game: &G, _| game.len(),
    |game: &G, _, state| game.index(state),
    |game: &G, _, index| game.unindex(index),
    |game: &G, _, range, visit| game.states(range, visit)
);

/// A formula for the states of each tier: [`TierIndexed`].
#[derive(Debug)]
pub enum TierFormula {}

formula!(
    TierFormula,
    TierIndexed,
    |game: &G, tier| game.tier_len(tier),
    |game: &G, tier, state| game.tier_index(tier, state),
    |game: &G, tier, index| game.tier_unindex(tier, index),
    |game: &G, tier, range, visit| game.tier_states(tier, range, visit)
);

/// The discovered states of a tier, sorted.
#[derive(Debug)]
pub struct Discovered<E>(PhantomData<E>);

impl<G: Game, E: Encoding<G>> Lookup<G> for Discovered<E> {
    type Indices = Arc<Sorted<G, E>>;
    type Key = E::Key;
    const FORM: StateForm = E::FORM;
    const RAW: Option<RawKeys<E::Key>> = E::RAW;

    #[inline]
    fn len(indices: &Self::Indices, _: &G, _: usize) -> u64 {
        indices.len()
    }

    fn formula_len(_: &G, _: usize) -> Option<u64> {
        None
    }

    #[inline]
    fn index(indices: &Self::Indices, game: &G, _: usize, state: &G::State) -> Option<u64> {
        indices.index(game, state)
    }

    fn find_all(indices: &Self::Indices, keys: &[E::Key], found: &mut [u64]) {
        indices.find_all(keys, found);
    }

    #[inline]
    fn state(indices: &Self::Indices, game: &G, _: usize, index: u64) -> Option<G::State> {
        indices.state(game, index)
    }

    #[inline]
    fn states_in(
        indices: &Self::Indices,
        game: &G,
        _: usize,
        range: Range<u64>,
        visit: impl FnMut(u64, G::State),
    ) {
        indices.states_in(game, range, visit);
    }

    fn is_coded(indices: &Self::Indices) -> bool {
        indices.is_coded()
    }

    fn bytes(indices: &Self::Indices) -> u64 {
        indices.bytes()
    }

    fn round_trip(game: &G, state: &G::State) -> G::State {
        E::encode(game, state.clone()).map_or_else(|| state.clone(), |key| E::decode(game, &key))
    }

    #[inline]
    fn key(game: &G, _: usize, state: &G::State) -> Option<E::Key> {
        E::encode(game, game.canonical(state))
    }

    #[inline]
    fn state_of_key(game: &G, _: usize, key: &E::Key) -> Option<G::State> {
        Some(E::decode(game, key))
    }

    fn is_key(game: &G, key: &E::Key) -> bool {
        E::is_key(game, key)
    }

    #[inline]
    fn key_of_index(_: u64) -> Option<E::Key> {
        None
    }

    #[inline]
    fn index_of_key(_: &E::Key) -> Option<u64> {
        None
    }

    fn listed(indices: &Self::Indices) -> Option<&dyn ListedStates> {
        Some(&**indices)
    }

    fn of_keys(keys: FoundKeys<E::Key>) -> Result<Self::Indices, SolveError> {
        Ok(Arc::new(Sorted::of(keys)?))
    }

    fn discover<D: Discover<G>>(discover: D) -> Option<D::Output<E::Key>> {
        Some(discover.run::<E>())
    }

    fn bytes_of_states(states: u64) -> u64 {
        let lookup = if E::RAW.is_some() { 1 } else { 12 };
        states.saturating_mul(size_of::<E::Key>() as u64 + lookup)
    }

    const CAN_BE_SHARED: bool =
        SEVERAL && matches!(E::FORM, StateForm::Packed8 | StateForm::Packed16);

    fn of_window(
        keys: FoundKeys<E::Key>,
        window: KeyWindow<E::Key>,
    ) -> Result<Self::Indices, SolveError> {
        Ok(Arc::new(Sorted::of_window(keys, window)?))
    }

    #[inline]
    fn locate(indices: &Self::Indices, game: &G, _: usize, state: &G::State) -> Location {
        indices.locate(game, state)
    }

    fn find_keys(indices: &Self::Indices) -> Option<&dyn FindKeys> {
        indices.is_shared().then_some(&**indices as &dyn FindKeys)
    }
}
