//! The ways to index the states of a game, as pairs of two choices: whether the game is cut into
//! tiers ([`Tiering`]), and how the states of a tier are found ([`Lookup`]).
//!
//! A game without tiers is a game of one tier, so that solving and checking are written once.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::SolveError;
use crate::game::{Game, Indexed, Player, Repeats, Tier, TierIndexed, Tiered, Turns};
use crate::numbering::discovered::{Encoding, ListedStates, RawKeys, Sorted};
use crate::numbering::part::Part;
use crate::numbering::successors::{SuccessorIndices, VisitSuccessors};
use crate::numbering::{NumberingKind, StateForm};

/// Whether a game is cut into tiers, and the moves inside and out of a tier.
pub trait Tiering<G: Game>: 'static {
    /// Whether the game is cut into tiers, so that moves may lead to other ones.
    const HAS_TIERS: bool;

    /// Whether the game computes the predecessors within a tier.
    const PREDECESSORS: bool;

    /// Whether no two moves within a tier have the same index, and no two predecessors.
    const DISTINCT: bool;

    /// The tiers in solving order; one for a game without tiers.
    fn tiers(game: &G) -> Vec<Tier>;

    /// The tier of a state.
    fn tier(game: &G, state: &G::State) -> usize;

    /// Visits the state after each move that leaves the tier of a state.
    fn exits(game: &G, tier: usize, state: &G::State, visit: impl FnMut(G::State));

    /// How many distinct states of the tier the moves from a state lead to, if the game knows.
    fn internal_degree(game: &G, tier: usize, state: &G::State) -> Option<u64>;

    /// Visits the states of the tier that have a move to this one.
    fn predecessors(game: &G, tier: usize, state: &G::State, visit: impl FnMut(G::State));
}

/// A game that is solved as a whole.
#[derive(Debug)]
pub enum Untiered {}

impl<G: Game> Tiering<G> for Untiered {
    const HAS_TIERS: bool = false;
    const PREDECESSORS: bool = G::PREDECESSORS;
    const DISTINCT: bool = G::DISTINCT;

    fn tiers(_: &G) -> Vec<Tier> {
        vec![Tier { name: String::new(), leads_to: Vec::new() }]
    }

    #[inline(always)]
    fn tier(_: &G, _: &G::State) -> usize {
        0
    }

    #[inline(always)]
    fn exits(_: &G, _: usize, _: &G::State, _: impl FnMut(G::State)) {}

    #[inline(always)]
    fn internal_degree(game: &G, _: usize, state: &G::State) -> Option<u64> {
        game.degree(state)
    }

    #[inline(always)]
    fn predecessors(game: &G, _: usize, state: &G::State, visit: impl FnMut(G::State)) {
        game.predecessors(state, visit);
    }
}

/// A game that is solved tier by tier.
#[derive(Debug)]
pub enum ByTier {}

impl<G: Tiered> Tiering<G> for ByTier {
    const HAS_TIERS: bool = true;
    const PREDECESSORS: bool = G::PREDECESSORS_WITHIN;
    const DISTINCT: bool = G::DISTINCT_WITHIN;

    fn tiers(game: &G) -> Vec<Tier> {
        game.tiers()
    }

    #[inline(always)]
    fn tier(game: &G, state: &G::State) -> usize {
        game.tier(state)
    }

    #[inline(always)]
    fn exits(game: &G, tier: usize, state: &G::State, visit: impl FnMut(G::State)) {
        game.exits(tier, state, visit);
    }

    #[inline(always)]
    fn internal_degree(game: &G, tier: usize, state: &G::State) -> Option<u64> {
        game.internal_degree(tier, state)
    }

    #[inline(always)]
    fn predecessors(game: &G, tier: usize, state: &G::State, visit: impl FnMut(G::State)) {
        game.predecessors_within(tier, state, visit);
    }
}

/// How the states of a tier are found from their indices, and back.
pub trait Lookup<G: Game>: 'static {
    /// What the states of one tier are found with.
    type Indices: Clone + Debug + Send + Sync;

    /// What a table file is searched for: an index, or the stored form of a state.
    type Key: Clone + Ord + Debug + Send + Sync + Serialize + DeserializeOwned;

    /// How files have the states.
    const FORM: StateForm;

    /// How keys are read and written as raw bytes, where they have a fixed width.
    const RAW: Option<RawKeys<Self::Key>>;

    /// How many indices a tier has, unused ones included.
    fn len(indices: &Self::Indices, game: &G, tier: usize) -> u64;

    /// How many indices a tier has, if a formula gives that.
    fn formula_len(game: &G, tier: usize) -> Option<u64>;

    /// The index of a state of the tier.
    fn index(indices: &Self::Indices, game: &G, tier: usize, state: &G::State) -> Option<u64>;

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

    /// How much memory `indices` take, in bytes.
    fn bytes(indices: &Self::Indices) -> u64;

    /// A state after it was stored and read back: equal to the state, unless the game packs wrongly.
    fn round_trip(game: &G, state: &G::State) -> G::State;

    /// The key of a state of the tier; `None` if no table can have the state.
    fn key(game: &G, tier: usize, state: &G::State) -> Option<Self::Key>;

    /// The state of a key of the tier.
    fn state_of_key(game: &G, tier: usize, key: &Self::Key) -> Option<G::State>;

    /// The key of an index, if that takes no look into a table.
    fn key_of_index(index: u64) -> Option<Self::Key>;

    /// The index of a key, if that takes no search of a table.
    fn index_of_key(key: &Self::Key) -> Option<u64>;

    /// The states for a file to list, if no formula computes them.
    fn listed(indices: &Self::Indices) -> Option<&dyn ListedStates>;

    /// Makes what finds the states with these keys, which are sorted. A formula needs no keys.
    ///
    /// # Errors
    /// When there are too many keys, or there is no memory for the lookup.
    fn of_keys(keys: Vec<Self::Key>) -> Result<Self::Indices, SolveError>;

    /// Runs `discover`; `None` if a formula computes the states, which then need no discovery.
    fn discover<D: Discover<G>>(discover: D) -> Option<D::Output<Self::Key>>;

    /// How many bytes of memory so many states take, at most.
    fn bytes_of_states(states: u64) -> u64;
}

/// Something that discovers the states of a game, in any encoding.
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

            fn of_keys(_: Vec<u64>) -> Result<(), SolveError> {
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

    fn bytes(indices: &Self::Indices) -> u64 {
        indices.bytes()
    }

    fn round_trip(game: &G, state: &G::State) -> G::State {
        E::encode(game, state).map_or_else(|| state.clone(), |key| E::decode(game, &key))
    }

    #[inline]
    fn key(game: &G, _: usize, state: &G::State) -> Option<E::Key> {
        E::encode(game, &game.canonical(state))
    }

    #[inline]
    fn state_of_key(game: &G, _: usize, key: &E::Key) -> Option<G::State> {
        Some(E::decode(game, key))
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

    fn of_keys(keys: Vec<E::Key>) -> Result<Self::Indices, SolveError> {
        Ok(Arc::new(Sorted::of(keys)?))
    }

    fn discover<D: Discover<G>>(discover: D) -> Option<D::Output<E::Key>> {
        Some(discover.run::<E>())
    }

    fn bytes_of_states(states: u64) -> u64 {
        let lookup = if E::RAW.is_some() { 1 } else { 12 };
        states.saturating_mul(size_of::<E::Key>() as u64 + lookup)
    }
}

/// One concrete way to index the states of a game: a [`Tiering`] and a [`Lookup`].
pub trait Indexing<G: Game>: Sized + 'static {
    /// Whether the game is cut into tiers.
    type Tiering: Tiering<G>;

    /// How the states of a tier are found.
    type Lookup: Lookup<G>;

    /// Whether the game computes the indices of successors itself.
    const HAS_SUCCESSOR_INDICES: bool = false;

    /// What indices and states are computed from. Where a loop takes this as an argument, the
    /// compiler sees that nothing the loop writes changes it, and keeps its fields in registers.
    /// That saves a tenth of the time of a game whose formula is short.
    type Context<'g>
    where
        G: 'g;

    /// The context of a part.
    fn context<'p, 'g>(part: &'p Part<'g, G, Self>) -> &'p Self::Context<'g>;

    /// The game, the tier, and what finds its states.
    fn parts_of<'p, 'g>(context: &'p Self::Context<'g>) -> (&'p G, usize, &'p Indices<G, Self>)
    where
        G: 'g;

    /// The name of this numbering in the table of a tier.
    fn kind(tier: usize) -> NumberingKind {
        let tier = Self::Tiering::HAS_TIERS.then_some(tier);
        NumberingKind::of(Self::Lookup::FORM, tier)
    }

    /// The length of a run of indices: see [`SuccessorIndices::run_len`].
    fn run_len(game: &G, tier: usize) -> u64 {
        let _ = (game, tier);
        1
    }

    /// Whether the game computes the indices of predecessors itself.
    const HAS_PREDECESSOR_INDICES: bool = false;

    /// Visits the indices of the predecessors of a state in its tier, and who is to move there.
    #[inline(always)]
    fn predecessor_indices(
        game: &G,
        tier: usize,
        indices: &Indices<G, Self>,
        state: &G::State,
        mut visit: impl FnMut(u64, Player),
    ) -> Repeats {
        Self::Tiering::predecessors(game, tier, state, |before| {
            if Self::Tiering::tier(game, &before) == tier
                && let Some(index) = Self::Lookup::index(indices, game, tier, &before)
            {
                visit(index, game.next_mover(&before));
            }
        });
        Repeats::unless(Self::Tiering::DISTINCT)
    }

    /// Visits the successors of a state of the part, by index where they have one here.
    #[inline]
    fn successors(
        part: &Part<'_, G, Self>,
        state: &G::State,
        visitor: &mut impl VisitSuccessors<G::State>,
    ) {
        use crate::numbering::Numbering as _;
        let game = part.game();
        game.moves(state, |next| match part.index(&next) {
            Some(index) => visitor.stay(index, game.next_mover(&next)),
            None => visitor.leave(next),
        });
    }
}

/// What the states of one tier are found with: [`Lookup::Indices`].
pub(crate) type Indices<G, I> = <<I as Indexing<G>>::Lookup as Lookup<G>>::Indices;

/// What a table file is searched for: [`Lookup::Key`].
pub(crate) type KeyOf<G, I> = <<I as Indexing<G>>::Lookup as Lookup<G>>::Key;

/// Work that is done in one [`Indexing`] of a game, whichever that is.
pub trait IndexingVisitor<G: Game> {
    /// The result of the work.
    type Output;

    /// Does the work.
    fn visit<I: Indexing<G>>(self) -> Self::Output;
}

/// All states, by the game's formula.
#[derive(Debug)]
pub enum Whole {}

impl<G: Indexed> Indexing<G> for Whole {
    type Tiering = Untiered;
    type Lookup = Formula;
    type Context<'g>
        = G
    where
        G: 'g;

    #[inline]
    fn context<'p, 'g>(part: &'p Part<'g, G, Self>) -> &'p G {
        part.game
    }

    #[inline(always)]
    fn parts_of<'p, 'g>(game: &'p G) -> (&'p G, usize, &'p ())
    where
        G: 'g,
    {
        (game, 0, &())
    }

    const HAS_PREDECESSOR_INDICES: bool = G::PREDECESSOR_INDICES;

    #[inline(always)]
    fn predecessor_indices(
        game: &G,
        _: usize,
        (): &(),
        state: &G::State,
        visit: impl FnMut(u64, Player),
    ) -> Repeats {
        const {
            assert!(
                G::PREDECESSORS || !G::PREDECESSOR_INDICES,
                "`Indexed::PREDECESSOR_INDICES` is true: write `Game::predecessors`, too, and set \
                 `Game::PREDECESSORS`, so that the one can be checked by the other"
            );
        }
        game.predecessor_indices(state, visit)
    }
}

macro_rules! context_is_part {
    () => {
        type Context<'g>
            = Part<'g, G, Self>
        where
            G: 'g;

        #[inline]
        fn context<'p, 'g>(part: &'p Part<'g, G, Self>) -> &'p Part<'g, G, Self> {
            part
        }

        #[inline(always)]
        fn parts_of<'p, 'g>(part: &'p Part<'g, G, Self>) -> (&'p G, usize, &'p Indices<G, Self>)
        where
            G: 'g,
        {
            (part.game, part.tier, &part.indices)
        }
    };
}

macro_rules! tier_predecessor_indices {
    () => {
        const HAS_PREDECESSOR_INDICES: bool = G::TIER_PREDECESSOR_INDICES;

        #[inline(always)]
        fn predecessor_indices(
            game: &G,
            tier: usize,
            (): &(),
            state: &G::State,
            visit: impl FnMut(u64, Player),
        ) -> Repeats {
            const {
                assert!(
                    G::PREDECESSORS_WITHIN || !G::TIER_PREDECESSOR_INDICES,
                    "`TierIndexed::TIER_PREDECESSOR_INDICES` is true: write \
                     `Tiered::predecessors_within`, too, and set `Tiered::PREDECESSORS_WITHIN`, so \
                     that the one can be checked by the other"
                );
            }
            game.tier_predecessor_indices(tier, state, visit)
        }
    };
}

/// All states that play can reach.
#[derive(Debug)]
pub struct WholeDiscovered<E>(PhantomData<E>);

impl<G: Game, E: Encoding<G>> Indexing<G> for WholeDiscovered<E> {
    type Tiering = Untiered;
    type Lookup = Discovered<E>;
    context_is_part!();
}

/// The states of each tier, by the game's formula.
#[derive(Debug)]
pub enum Tierwise {}

impl<G: TierIndexed> Indexing<G> for Tierwise {
    type Tiering = ByTier;
    type Lookup = TierFormula;
    tier_predecessor_indices!();
    context_is_part!();
}

/// The states of each tier, by the game's formula, for a game that computes the indices of
/// successors.
#[derive(Debug)]
pub enum TierwiseSuccessors {}

impl<G: SuccessorIndices> Indexing<G> for TierwiseSuccessors {
    type Tiering = ByTier;
    type Lookup = TierFormula;
    tier_predecessor_indices!();
    const HAS_SUCCESSOR_INDICES: bool = true;
    context_is_part!();

    fn run_len(game: &G, tier: usize) -> u64 {
        game.run_len(tier)
    }

    #[inline]
    fn successors(
        part: &Part<'_, G, Self>,
        state: &G::State,
        visitor: &mut impl VisitSuccessors<G::State>,
    ) {
        part.game.successors(part.tier, state, visitor);
    }
}

/// The states of each tier that play can reach.
#[derive(Debug)]
pub struct TierwiseDiscovered<E>(PhantomData<E>);

impl<G: Tiered, E: Encoding<G>> Indexing<G> for TierwiseDiscovered<E> {
    type Tiering = ByTier;
    type Lookup = Discovered<E>;
    context_is_part!();
}
