//! The numbering of one tier, with what is known of the tiers that its moves lead to.

use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use crate::game::{TierIndexed, Tiered, VisitSuccessors};
use crate::numbering::{Keeping, Numbering, NumberingKind, Sorted, Word};
use crate::value::Value;

/// Values of a tier that is solved, by index.
pub(crate) trait TierValues: Debug + Send + Sync {
    /// The value of a state, `None` for a hole and beyond the end.
    fn value(&self, index: u64) -> Option<Value>;

    /// All values that there are, and maybe others, if that is known without looking at each.
    fn kinds(&self) -> Option<Vec<Value>> {
        None
    }

    /// How much memory the values take, in bytes.
    fn bytes(&self) -> u64;
}

/// How the states of one tier are numbered: [`ByIndex`], or sorted.
pub trait TierNumbers<G: Tiered>: Clone + Debug + Send + Sync {
    /// What the file of a tier calls it.
    fn kind(tier: u32) -> NumberingKind;

    /// How many numbers there are, holes included.
    fn len(&self, game: &G) -> u64;

    /// Whether there are none.
    fn is_empty(&self, game: &G) -> bool {
        self.len(game) == 0
    }

    /// The number of a state of this tier.
    fn number(&self, game: &G, state: &G::State) -> Option<u64>;

    /// The state of a number.
    fn state(&self, game: &G, number: u64) -> Option<G::State>;

    /// Visits the states of a range of numbers in ascending order, without the holes.
    fn states_in(&self, game: &G, numbers: Range<u64>, visit: impl FnMut(u64, G::State));

    /// How many numbers make a run, as in [`TierIndexed::run_len`].
    fn run_len(&self, game: &G) -> u64 {
        let _ = game;
        1
    }

    /// Tells the visitor what each move leads to from a state of `tier`, of which these are: the
    /// number of a state that has one here, and any other state.
    #[inline]
    fn successors(
        &self,
        game: &G,
        tier: usize,
        state: &G::State,
        visitor: &mut impl VisitSuccessors<G::State>,
    ) {
        game.moves(state, |next| {
            let is_here = game.tier(&next) == tier;
            match if is_here { self.number(game, &next) } else { None } {
                Some(number) => visitor.stay(number, game.turn(&next)),
                None => visitor.leave(next),
            }
        });
    }

    /// How much memory they take, in bytes.
    fn bytes(&self) -> u64;

    /// What is left of a state when it is kept and taken out again: the same, unless the game packs
    /// it wrongly.
    fn kept(&self, game: &G, state: &G::State) -> G::State {
        let _ = game;
        state.clone()
    }
}

/// The game's own numbering of a tier.
#[derive(Clone, Copy, Debug)]
pub struct ByIndex {
    pub(crate) tier: usize,
}

impl<G: TierIndexed> TierNumbers<G> for ByIndex {
    fn kind(tier: u32) -> NumberingKind {
        NumberingKind::Tier(tier)
    }

    fn len(&self, game: &G) -> u64 {
        game.tier_len(self.tier)
    }

    #[inline]
    fn number(&self, game: &G, state: &G::State) -> Option<u64> {
        Some(game.tier_index(self.tier, state))
    }

    #[inline]
    fn state(&self, game: &G, number: u64) -> Option<G::State> {
        game.tier_unindex(self.tier, number)
    }

    #[inline]
    fn states_in(&self, game: &G, numbers: Range<u64>, visit: impl FnMut(u64, G::State)) {
        game.tier_states(self.tier, numbers, visit);
    }

    fn run_len(&self, game: &G) -> u64 {
        game.run_len(self.tier)
    }

    #[inline]
    fn successors(
        &self,
        game: &G,
        tier: usize,
        state: &G::State,
        visitor: &mut impl VisitSuccessors<G::State>,
    ) {
        game.successors(tier, state, visitor);
    }

    fn bytes(&self) -> u64 {
        0
    }
}

impl<G: Tiered, K: Keeping<G, Key = K> + Word> TierNumbers<G> for Arc<Sorted<G, K>> {
    fn kind(tier: u32) -> NumberingKind {
        K::tier(tier)
    }

    fn len(&self, _: &G) -> u64 {
        Sorted::len(self)
    }

    #[inline]
    fn number(&self, game: &G, state: &G::State) -> Option<u64> {
        Sorted::number(self, game, state)
    }

    #[inline]
    fn state(&self, game: &G, number: u64) -> Option<G::State> {
        Sorted::state(self, game, number)
    }

    #[inline]
    fn states_in(&self, game: &G, numbers: Range<u64>, visit: impl FnMut(u64, G::State)) {
        Sorted::states_in(self, game, numbers, visit);
    }

    fn bytes(&self) -> u64 {
        Sorted::bytes(self)
    }

    fn kept(&self, game: &G, state: &G::State) -> G::State {
        K::state(game, &K::key(game, state))
    }
}

/// A solved tier: the numbers of its states, and their values.
#[derive(Clone, Debug)]
pub(crate) struct KnownTier<S> {
    pub(crate) numbers: S,
    pub(crate) values: Arc<dyn TierValues>,
}

/// The states of one tier.
#[derive(Debug)]
pub(crate) struct InTier<'g, G, S = ByIndex> {
    game: &'g G,
    tier: usize,
    numbers: S,
    /// The tiers that are needed, by tier.
    known: Vec<Option<KnownTier<S>>>,
}

impl<'g, G: Tiered, S: TierNumbers<G>> InTier<'g, G, S> {
    /// The numbering of `tier`; `known` are the tiers that its moves lead to.
    pub(crate) fn new(
        game: &'g G,
        tier: usize,
        numbers: S,
        known: Vec<Option<KnownTier<S>>>,
    ) -> Self {
        InTier { game, tier, numbers, known }
    }

    /// How the states of the tier are numbered.
    pub(crate) fn numbers(&self) -> &S {
        &self.numbers
    }
}

impl<G: Tiered, S: TierNumbers<G>> Numbering for InTier<'_, G, S> {
    type Game = G;
    type Base = Self;
    const KIND: NumberingKind = NumberingKind::Tier(0);
    const HAS_EXITS: bool = true;

    #[inline]
    fn base(&self) -> &Self {
        self
    }

    #[inline]
    fn game_of(base: &Self) -> &G {
        base.game
    }

    fn len(&self) -> u64 {
        self.numbers.len(self.game)
    }

    #[inline]
    fn number_of(base: &Self, state: &G::State) -> Option<u64> {
        if base.game.tier(state) == base.tier {
            base.numbers.number(base.game, state)
        } else {
            None
        }
    }

    #[inline]
    fn state_of(base: &Self, number: u64) -> Option<G::State> {
        base.numbers.state(base.game, number)
    }

    #[inline]
    fn states_in(&self, numbers: Range<u64>, visit: impl FnMut(u64, G::State)) {
        self.numbers.states_in(self.game, numbers, visit);
    }

    #[inline]
    fn outside(&self, state: &G::State) -> Option<Value> {
        let KnownTier { numbers, values } = self.known.get(self.game.tier(state))?.as_ref()?;
        values.value(numbers.number(self.game, state)?)
    }

    fn bytes(&self) -> u64 {
        let known = self.known.iter().flatten();
        let known: u64 = known.map(|known| known.values.bytes() + known.numbers.bytes()).sum();
        self.numbers.bytes() + known
    }

    fn kind(&self) -> NumberingKind {
        S::kind(self.tier as u32)
    }

    #[inline]
    fn exits(&self, state: &G::State, visit: impl FnMut(G::State)) {
        self.game.exits(self.tier, state, visit);
    }

    fn run_len(&self) -> u64 {
        self.numbers.run_len(self.game)
    }

    fn outside_values(&self) -> Option<Vec<Value>> {
        let kinds = self.known.iter().flatten().map(|known| known.values.kinds());
        kinds.collect::<Option<Vec<_>>>().map(|kinds| kinds.concat())
    }

    #[inline]
    fn successors(&self, state: &G::State, visitor: &mut impl VisitSuccessors<G::State>) {
        self.numbers.successors(self.game, self.tier, state, visitor);
    }

    #[inline]
    fn degree(&self, state: &G::State) -> Option<u64> {
        self.game.internal_degree(self.tier, state)
    }
}
