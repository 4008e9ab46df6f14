//! The numbering of one tier, with the values of the tiers that its moves lead to. A game without
//! tiers is one such part.

use std::fmt::{self, Debug};
use std::ops::Range;
use std::sync::Arc;

use crate::error::{BrokenLaw, SolveError};
use crate::game::value::Value;
use crate::game::{Game, Player, Repeats, Rows, VisitSuccessors, WriteState, write_debug};
use crate::numbering::discovered::{FindKeys, ForeignKey, Location};
use crate::numbering::indexing::{Indexing, Indices, KeyOf, Lookup, Tiering};
use crate::numbering::interface::{Numbering, Question};
use crate::numbering::kind::{NumberingKind, StateForm};
use crate::runtime::peers::SEVERAL;

/// The values of a solved tier, by index.
pub(crate) trait TierValues: Debug + Send + Sync {
    /// The value of an index; `None` if it is unused or beyond the end.
    fn value(&self, index: u64) -> Option<Value>;

    /// Lets the processor fetch the value of an index.
    fn prefetch(&self, index: u64) {
        let _ = index;
    }

    /// All values that states of the tier have, and maybe others; `None` if finding them takes a
    /// pass over all states.
    fn possible_values(&self) -> Option<Vec<Value>> {
        None
    }

    /// The memory that the values take, in bytes.
    fn bytes(&self) -> u64;

    /// Whether other processes have some of the values.
    fn are_shared(&self) -> bool {
        false
    }

    /// The process that has the value of an index, if it is another one.
    fn other_owner(&self, index: u64) -> Option<u32> {
        let _ = index;
        None
    }
}

/// A solved tier in memory: the search structure for its states, and their values.
pub(crate) struct SolvedTier<G: Game, I: Indexing<G>> {
    pub(crate) indices: Indices<G, I>,
    pub(crate) values: Arc<dyn TierValues>,
}

impl<G: Game, I: Indexing<G>> Clone for SolvedTier<G, I> {
    fn clone(&self) -> Self {
        SolvedTier { indices: self.indices.clone(), values: Arc::clone(&self.values) }
    }
}

impl<G: Game, I: Indexing<G>> SolvedTier<G, I> {
    /// The memory that the tier takes, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.values.bytes() + I::Lookup::bytes(&self.indices)
    }

    /// The question to another process for the value at a location in the tier number `tier`.
    fn question(&self, tier: usize, location: Location) -> Option<Question> {
        let (owner, word) = match location {
            Location::Here(index) => (self.values.other_owner(index)?, index.into()),
            Location::Elsewhere(ForeignKey { owner, key }) => (owner, key),
            Location::Nowhere => return None,
        };
        Some(Question { owner, tier: tier as u32, word })
    }
}

/// The numbering of one tier, or of a whole game without tiers.
pub struct Part<'g, G: Game, I: Indexing<G>> {
    pub(crate) game: &'g G,
    pub(crate) tier: usize,
    pub(crate) indices: Indices<G, I>,
    /// The solved tiers that moves lead to, by tier.
    exits: Vec<Option<SolvedTier<G, I>>>,
    write: WriteState<G>,
}

impl<'g, G: Game, I: Indexing<G>> Part<'g, G, I> {
    /// The numbering of `tier`; `exits` are the tiers that its moves lead to.
    pub(crate) fn new(
        game: &'g G,
        tier: usize,
        indices: Indices<G, I>,
        exits: Vec<Option<SolvedTier<G, I>>>,
    ) -> Self {
        Part { game, tier, indices, exits, write: write_debug }
    }

    /// Sets the function that writes states in errors.
    pub(crate) fn writing(self, write: WriteState<G>) -> Self {
        Part { write, ..self }
    }
}

impl<G: Game, I: Indexing<G>> Debug for Part<'_, G, I> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Part").field("tier", &self.tier).finish_non_exhaustive()
    }
}

impl<'g, G: Game, I: Indexing<G>> Numbering for Part<'g, G, I> {
    type Game = G;
    type Context = I::Context<'g>;
    const HAS_EXITS: bool = I::Tiering::HAS_TIERS;
    const PREDECESSORS: bool = I::Tiering::PREDECESSORS;
    const DISTINCT: bool = I::Tiering::DISTINCT;
    const PREDECESSOR_INDICES: bool = I::HAS_PREDECESSOR_INDICES;
    const IS_DISCOVERED: bool = !matches!(I::Lookup::FORM, StateForm::Formula);

    #[inline]
    fn context(&self) -> &I::Context<'g> {
        I::context(self)
    }

    #[inline]
    fn game_of<'c>(context: &'c I::Context<'g>) -> &'c G {
        I::parts_of(context).0
    }

    #[inline]
    fn len(&self) -> u64 {
        I::Lookup::len(&self.indices, self.game, self.tier)
    }

    #[inline(always)]
    fn index_of(context: &I::Context<'g>, state: &G::State) -> Option<u64> {
        let (game, tier, indices) = I::parts_of(context);
        if I::Tiering::tier(game, state) == tier {
            I::Lookup::index(indices, game, tier, state)
        } else {
            None
        }
    }

    type Key = KeyOf<G, I>;

    #[inline(always)]
    fn key_of(context: &I::Context<'g>, state: &G::State) -> Option<KeyOf<G, I>> {
        let (game, tier, _) = I::parts_of(context);
        if I::Tiering::tier(game, state) == tier { I::Lookup::key(game, tier, state) } else { None }
    }

    fn find_all(&self, keys: &[KeyOf<G, I>], found: &mut [u64]) {
        I::Lookup::find_all(&self.indices, keys, found);
    }

    #[inline(always)]
    fn state_of(context: &I::Context<'g>, index: u64) -> Option<G::State> {
        let (game, tier, indices) = I::parts_of(context);
        I::Lookup::state(indices, game, tier, index)
    }

    #[inline(always)]
    fn predecessors_of(context: &I::Context<'g>, state: &G::State, visit: impl FnMut(G::State)) {
        let (game, tier, _) = I::parts_of(context);
        I::Tiering::predecessors(game, tier, state, visit);
    }

    #[inline(always)]
    fn predecessor_indices_of(
        context: &I::Context<'g>,
        state: &G::State,
        visit: impl FnMut(u64, Player),
    ) -> Repeats {
        let (game, tier, indices) = I::parts_of(context);
        I::predecessor_indices(game, tier, indices, state, visit)
    }

    #[inline]
    fn states_in(&self, indices: Range<u64>, visit: impl FnMut(u64, G::State)) {
        I::Lookup::states_in(&self.indices, self.game, self.tier, indices, visit);
    }

    fn kind(&self) -> NumberingKind {
        I::kind(self.tier)
    }

    fn write(&self, state: &G::State) -> String {
        (self.write)(self.game, state)
    }

    fn location_in_tiers(&self, state: &G::State) -> (usize, Location) {
        let tier = I::Tiering::tier(self.game, state);
        let location = match self.exits.get(tier) {
            _ if tier == self.tier => Self::location_of(self.context(), state),
            Some(Some(exit)) => I::Lookup::locate(&exit.indices, self.game, tier, state),
            _ => Location::Nowhere,
        };
        (tier, location)
    }

    fn round_trip(&self, state: &G::State) -> G::State {
        I::Lookup::round_trip(self.game, state)
    }

    fn is_of_other_tier(&self, state: &G::State) -> bool {
        I::Tiering::tier(self.game, state) != self.tier
    }

    const CAN_BE_SHARED: bool = I::Lookup::CAN_BE_SHARED;

    fn find_keys(&self) -> Option<&dyn FindKeys> {
        I::Lookup::find_keys(&self.indices)
    }

    #[inline]
    fn location_of(context: &I::Context<'g>, state: &G::State) -> Location {
        let (game, tier, indices) = I::parts_of(context);
        if I::Tiering::tier(game, state) == tier {
            I::Lookup::locate(indices, game, tier, state)
        } else {
            Location::Nowhere
        }
    }

    #[inline]
    fn outside(&self, state: &G::State) -> Option<Value> {
        let (tier, index) = self.place_outside(state)?;
        self.outside_at(tier, index)
    }

    #[inline]
    fn place_outside(&self, state: &G::State) -> Option<(usize, u64)> {
        let tier = I::Tiering::tier(self.game, state);
        let SolvedTier { indices, .. } = self.exits.get(tier)?.as_ref()?;
        Some((tier, I::Lookup::index(indices, self.game, tier, state)?))
    }

    #[inline]
    fn prefetch_outside(&self, tier: usize, index: u64) {
        if let Some(Some(exit)) = self.exits.get(tier) {
            exit.values.prefetch(index);
        }
    }

    #[inline]
    fn outside_at(&self, tier: usize, index: u64) -> Option<Value> {
        self.exits.get(tier)?.as_ref()?.values.value(index)
    }

    fn shares_exits(&self) -> bool {
        SEVERAL && self.exits.iter().flatten().any(|exit| exit.values.are_shared())
    }

    fn question(&self, state: &G::State) -> Option<Question> {
        let tier = I::Tiering::tier(self.game, state);
        let exit = self.exits.get(tier)?.as_ref()?;
        exit.question(tier, I::Lookup::locate(&exit.indices, self.game, tier, state))
    }

    fn question_of_key(&self, tier: usize, key: u128) -> Option<Question> {
        let exit = self.exits.get(tier)?.as_ref()?;
        exit.question(tier, I::Lookup::find_keys(&exit.indices)?.locate(key))
    }

    fn outside_of_key(&self, tier: usize, key: u128) -> Option<Value> {
        let SolvedTier { indices, values } = self.exits.get(tier)?.as_ref()?;
        values.value(I::Lookup::find_keys(indices)?.find(key)?)
    }

    fn answer(&self, tier: u32, word: u128) -> Option<Value> {
        let SolvedTier { indices, values } = self.exits.get(tier as usize)?.as_ref()?;
        let index = match I::Lookup::find_keys(indices) {
            Some(keys) => keys.find(word)?,
            None => u64::try_from(word).ok()?,
        };
        values.value(index)
    }

    fn outside_values(&self) -> Option<Vec<Value>> {
        let mut outside = Vec::new();
        for tier in self.exits.iter().flatten() {
            outside.append(&mut tier.values.possible_values()?);
        }
        Some(outside)
    }

    #[inline]
    fn exits(&self, state: &G::State, visit: impl FnMut(G::State)) {
        I::Tiering::exits(self.game, self.tier, state, visit);
    }

    #[cold]
    fn unknown_exit(&self, state: &G::State, next: &G::State) -> SolveError {
        let (game, tiers) = (self.game, I::Tiering::tiers(self.game));
        let name = |tier: usize| tiers.get(tier).map(|tier| tier.name.clone()).unwrap_or_default();
        let tier = I::Tiering::tier(game, next);
        let [state, written] = [state, next].map(|state| self.write(state));
        if tier >= tiers.len() {
            return BrokenLaw::no_tier(written, tier, tiers.len()).into();
        }
        if tier == self.tier {
            return BrokenLaw::exit_within([state, written], &name(tier)).into();
        }
        let Some(Some(SolvedTier { indices, .. })) = self.exits.get(tier) else {
            return BrokenLaw::unexpected_tier([state, written], &name(self.tier), &name(tier))
                .into();
        };
        let len = I::Lookup::len(indices, game, tier);
        match I::Lookup::index(indices, game, tier, next) {
            Some(index) if index >= len => BrokenLaw::index_beyond(written, index, len).into(),
            index => BrokenLaw::unused_exit([state, written], &name(tier), index).into(),
        }
    }

    fn rows(&self) -> Option<impl Rows> {
        I::rows(self.game, self.tier)
    }

    fn run_len(&self) -> u64 {
        I::run_len(self.game, self.tier)
    }

    #[inline]
    fn successors(&self, state: &G::State, visitor: &mut impl VisitSuccessors<G::State>) {
        I::successors(self, state, visitor);
    }

    #[inline]
    fn degree(&self, state: &G::State) -> Option<u64> {
        I::Tiering::tier_degree(self.game, self.tier, state)
    }

    fn is_coded(&self) -> bool {
        I::Lookup::is_coded(&self.indices)
    }

    fn bytes(&self) -> u64 {
        let exits: u64 = self.exits.iter().flatten().map(SolvedTier::bytes).sum();
        I::Lookup::bytes(&self.indices) + exits
    }
}
