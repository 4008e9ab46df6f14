//! Samples of discovered states are drawn from the first states of a game, not from all.
//!
//! Discovering a large game as a whole is too costly for a sample. The check follows all moves of
//! the sampled states, so some moves lead to undiscovered states. Such a state has no index. It is
//! identified by a number beyond all indices, which is a hash of its key.

use std::collections::VecDeque;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher, Hash};
use std::ops::Range;

use hashbrown::HashSet;

use crate::error::{BrokenLaw, SolveError};
use crate::game::{Game, Player, Repeats, WriteState};
use crate::laws::view::NumberingView;
use crate::numbering::discovered::{Encoding, Location};
use crate::numbering::indexing::{Indexing, KeyOf, Lookup, Tiering};
use crate::numbering::{AllTiers, NumberingKind};
use crate::runtime::progress::{OnProgress, Progress};

/// A sample is drawn from at least `LEAST` states, and at least `FOR_EACH` states for each state of
/// the sample.
const LEAST: u64 = 1 << 20;
const FOR_EACH: u64 = 10;

/// The number of expanded states between two reports of progress.
const REPORT_EVERY: u64 = 1 << 12;

/// The number of first states from which a sample of this size is drawn, if a game has more.
pub(super) fn enough_for(sample: u64) -> u64 {
    sample.saturating_mul(FOR_EACH).max(LEAST)
}

/// The number of states with keys of this type that fit into this memory: in the table of known
/// states, in the list of states that wait to be expanded, and sorted.
pub(super) fn fit_into<K>(bytes: u64) -> u64 {
    bytes / (4 * size_of::<K>() as u64 + 16)
}

/// Discovers the first `enough` states, in the order of their distance from the roots. Returns
/// their keys by tier, sorted.
///
/// Returns `None` if the game has fewer states, or if some state has no key or no tier. The caller
/// then discovers all states, or finds the error.
pub(super) fn discover<G: Game, T: Tiering<G>, E: Encoding<G>>(
    game: &G,
    enough: u64,
    write: WriteState<G>,
    progress: &mut OnProgress<'_>,
) -> Result<Option<Vec<Vec<E::Key>>>, SolveError> {
    let tiers = T::tiers(game).len();
    let mut first = First::<E::Key> { known: HashSet::new(), waiting: VecDeque::new(), enough };
    // Returns whether the state has a key and a tier.
    let add = |first: &mut First<E::Key>, state: &G::State| {
        let key = E::encode(game, game.canonical(state));
        let key = key.filter(|_| T::tier(game, state) < tiers);
        key.map(|key| first.add(key)).is_some()
    };
    let mut is_right = true;
    for root in game.roots() {
        is_right &= add(&mut first, &root);
        if !is_right || first.is_enough() {
            break;
        }
    }
    let mut expanded = 0_u64;
    while is_right
        && !first.is_enough()
        && let Some(key) = first.waiting.pop_front()
    {
        let state = E::decode(game, &key);
        if game.terminal(&state).is_none() {
            game.moves(&state, |next| is_right &= add(&mut first, &next));
        }
        expanded += 1;
        if expanded.is_multiple_of(REPORT_EVERY) {
            let discovered = first.known.len() as u64;
            if progress(Progress::Exploring { expanded, discovered, memory: 0, allowed: None })
                .is_break()
            {
                return Err(SolveError::Interrupted);
            }
        }
    }
    if !is_right || !first.is_enough() {
        return Ok(None);
    }
    let mut keys = vec![Vec::new(); tiers];
    for key in first.known {
        // The representative is in the tier of the state; otherwise the laws of tiers report it.
        if let Some(keys) = keys.get_mut(T::tier(game, &E::decode(game, &key))) {
            keys.push(key);
        }
    }
    for keys in &mut keys {
        keys.sort_unstable();
        if let Some(pair) = keys.windows(2).find(|pair| pair[0] >= pair[1]) {
            let states = [0, 1].map(|at| write(game, &E::decode(game, &pair[at])));
            return Err(BrokenLaw::unordered(states).into());
        }
    }
    Ok(Some(keys))
}

/// The states that were found first.
struct First<K> {
    known: HashSet<K>,
    /// The states whose moves were not followed yet.
    waiting: VecDeque<K>,
    enough: u64,
}

impl<K: Clone + Hash + Eq> First<K> {
    fn add(&mut self, key: K) {
        if !self.is_enough() && self.known.insert(key.clone()) {
            self.waiting.push_back(key);
        }
    }

    fn is_enough(&self) -> bool {
        self.known.len() as u64 >= self.enough
    }
}

/// The hash of a key, the same in each run.
pub(super) fn hash<K: Hash>(key: &K) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(key)
}

/// The bit of a number for an undiscovered state. The tier is in the bits below it, and the hash in
/// the lowest bits.
const UNDISCOVERED: u64 = 1 << 63;
const TIER_SHIFT: u32 = 47;
const TIERS: u64 = 1 << (63 - TIER_SHIFT);

/// Makes a number of a key.
type HashKey<K> = fn(&K) -> u64;

/// The numbering of all states of a game, or of the first ones.
pub(super) struct AllStates<'a, 'g, G: Game, I: Indexing<G>> {
    pub(super) all: &'a AllTiers<'g, G, I>,
    /// The hash of a key, if not all states were discovered.
    pub(super) hash: Option<HashKey<KeyOf<G, I>>>,
}

impl<G: Game, I: Indexing<G>> AllStates<'_, '_, G, I> {
    fn tier(&self, state: &G::State) -> usize {
        I::Tiering::tier(self.all.game, state)
    }

    /// The number for an undiscovered state.
    fn undiscovered(&self, state: &G::State) -> Option<u64> {
        let (hash, tier) = (self.hash?, self.tier(state));
        let hash = hash(&I::Lookup::key(self.all.game, tier, state)?) & ((1 << TIER_SHIFT) - 1);
        Some(UNDISCOVERED | (tier as u64 % TIERS) << TIER_SHIFT | hash)
    }

    /// The tier of an index, as far as it is distinguished from others.
    fn tier_of(&self, index: u64) -> u64 {
        match self.is_undiscovered(index) {
            true => index >> TIER_SHIFT & (TIERS - 1),
            false if self.has_all() => self.all.place(index).0 as u64,
            false => self.all.place(index).0 as u64 % TIERS,
        }
    }
}

impl<G: Game, I: Indexing<G>> NumberingView<G> for AllStates<'_, '_, G, I> {
    fn has_predecessors(&self) -> bool {
        I::Tiering::PREDECESSORS
    }

    fn is_distinct(&self) -> bool {
        I::Tiering::DISTINCT
    }

    fn game(&self) -> &G {
        self.all.game
    }

    fn kind(&self) -> NumberingKind {
        I::kind(0)
    }

    fn len(&self) -> u64 {
        self.all.len()
    }

    fn index(&self, state: &G::State) -> Option<u64> {
        self.all.index(state).or_else(|| self.undiscovered(state))
    }

    fn write(&self, state: &G::State) -> String {
        self.all.write(state)
    }

    fn is_elsewhere(&self, _: &G::State) -> bool {
        false
    }

    fn is_shared(&self) -> bool {
        false
    }

    fn state(&self, index: u64) -> Option<G::State> {
        if self.is_undiscovered(index) { None } else { self.all.state(index) }
    }

    fn states_in(&self, indices: Range<u64>, visit: &mut dyn FnMut(u64, G::State)) {
        self.all.states_in(indices, visit);
    }

    fn predecessors(&self, state: &G::State, visit: &mut dyn FnMut(G::State)) {
        I::Tiering::predecessors(self.all.game, self.tier(state), state, visit);
    }

    fn has_predecessor_indices(&self) -> bool {
        I::HAS_PREDECESSOR_INDICES
    }

    fn predecessor_indices(&self, state: &G::State, visit: &mut dyn FnMut(u64, Player)) -> Repeats {
        self.all.predecessor_indices(state, visit)
    }

    fn degree(&self, state: &G::State) -> Option<u64> {
        I::Tiering::tier_degree(self.all.game, self.tier(state), state)
    }

    fn same_tier(&self, one: u64, other: u64) -> bool {
        self.tier_of(one) == self.tier_of(other)
    }

    fn location_in_tiers(&self, state: &G::State) -> Option<(usize, Location)> {
        let location = || self.index(state).map_or(Location::Nowhere, Location::Here);
        I::Tiering::HAS_TIERS.then(|| (self.tier(state), location()))
    }

    fn exits(&self, state: &G::State, visit: &mut dyn FnMut(G::State)) {
        I::Tiering::exits(self.all.game, self.tier(state), state, visit);
    }

    fn round_trip(&self, state: &G::State) -> G::State {
        I::Lookup::round_trip(self.all.game, state)
    }

    fn has_all(&self) -> bool {
        self.hash.is_none()
    }

    fn is_undiscovered(&self, index: u64) -> bool {
        !self.has_all() && index >= UNDISCOVERED
    }

    fn representative(&self, state: &G::State, index: u64) -> Option<G::State> {
        if !self.is_undiscovered(index) {
            return self.state(index);
        }
        let tier = self.tier(state);
        I::Lookup::state_of_key(self.all.game, tier, &I::Lookup::key(self.all.game, tier, state)?)
    }
}
