//! The states that one thread has found and not inserted yet, and their destinations.

use std::marker::PhantomData;
use std::sync::Arc;

use crate::error::BrokenLaw;
use crate::explore::budget::{Budget, Refused};
use crate::explore::moves::{NO_SLOT, Writer};
use crate::explore::shards::{Extras, SHARDS};
use crate::explore::states::StatesOf;
use crate::game::{Game, Player, Turns, WriteState};
use crate::numbering::discovered::Encoding;
use crate::numbering::indexing::Tiering;
use crate::runtime::peers::SEVERAL;

/// How many states a packet for another process contains. If larger blocks come and go, the
/// allocator of the GNU C library keeps the memory that the shards free. The peak of memory is then
/// a quarter higher.
const PACKET: usize = 1 << 12;

/// Decides where a found state goes.
pub(super) struct Sink<'s, G: Game, K: Encoding<G>, T> {
    pub(super) game: &'s G,
    pub(super) write: WriteState<G>,
    pub(super) sets: &'s [&'s StatesOf<G, K>],
    /// The place in `sets` of the set of each tier, if it has one.
    pub(super) places: &'s [Option<usize>],
    pub(super) tiering: PhantomData<fn() -> T>,
    /// How many states a thread gathers for a shard before it inserts them.
    pub(super) room: usize,
    /// The processes that own states, if several search together.
    pub(super) owners: Option<Owners<K::Key>>,
}

/// Assigns keys to the processes that search together.
pub(crate) struct Owners<K> {
    pub(super) own: usize,
    pub(super) count: usize,
    pub(super) to_word: fn(&K) -> u128,
}

impl<K> Clone for Owners<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Owners<K> {}

impl<G: Game, K: Encoding<G>, T> Sink<'_, G, K, T> {
    /// The set that a state belongs to, if any.
    #[inline(always)]
    fn set_of(&self, state: &G::State) -> Option<usize>
    where
        T: Tiering<G>,
    {
        if !T::HAS_TIERS {
            return Some(0);
        }
        self.places.get(T::tier(self.game, state)).copied().flatten()
    }

    /// A key as a number, if several processes search together; otherwise zero.
    #[inline]
    pub(super) fn word_of(&self, key: &K::Key) -> u128 {
        self.owners.as_ref().map_or(0, |owners| (owners.to_word)(key))
    }
}

impl<G: Game, K: Encoding<G>, T> Clone for Sink<'_, G, K, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game, K: Encoding<G>, T> Copy for Sink<'_, G, K, T> {}

/// States that one thread has found and not inserted yet, by set and shard.
pub(super) struct Gathered<'s, G: Game, K: Encoding<G>, T> {
    pub(super) sink: Sink<'s, G, K, T>,
    pub(super) keys: Vec<Vec<K::Key>>,
    /// Extra data for the keys.
    pub(super) extras: Vec<Extras>,
    /// Records the moves, if they are recorded.
    pub(super) writer: Option<Writer>,
    /// Packets of other processes' states, by process.
    pub(super) foreign: Vec<Vec<Vec<K::Key>>>,
    /// The error if a state was refused.
    pub(super) result: Result<(), Refused>,
}

impl<'s, G, K, T> Gathered<'s, G, K, T>
where
    G: Game,
    K: Encoding<G>,
    T: Tiering<G>,
{
    pub(super) fn new(sink: Sink<'s, G, K, T>, records: Option<&Arc<Budget>>) -> Self {
        let keys = (0..SHARDS * sink.sets.len()).map(|_| Vec::new()).collect();
        let extras = (0..SHARDS * sink.sets.len()).map(|_| Extras::default()).collect();
        let key_width = sink.owners.map(|_| size_of::<K::Key>());
        let writer = records.map(|budget| Writer::new(budget, key_width));
        let others = sink.owners.map_or(0, |owners| owners.count);
        let foreign = (0..others).map(|_| Vec::new()).collect();
        Gathered { sink, keys, extras, writer, foreign, result: Ok(()) }
    }

    /// Gathers a root.
    pub(super) fn add_root(&mut self, root: &G::State) {
        if let Some((set, key)) = self.place_of(root, root)
            && self.other_owner(&key).is_none()
        {
            // A root is gathered without a move.
            let slot = self.writer.as_mut().and_then(Writer::numbered).map(|_| NO_SLOT);
            self.add_key(set, key, slot);
        }
    }

    /// Gathers a successor of the state `from`, in which `mover` is to move. Not inlined, and by
    /// value: a small state is then passed in registers. If inlined into the loop over the moves,
    /// the state is copied in memory just after it was written there. The copy has to wait, and a
    /// game with short rules takes a tenth longer (m,n,k 4,4,3).
    #[inline(never)]
    pub(super) fn add(&mut self, state: G::State, from: &G::State, mover: Player) {
        let Some((set, key)) = self.place_of(&state, from) else { return };
        let sink = self.sink;
        let slot = self.writer.as_mut().and_then(|writer| {
            let same_mover = sink.game.is_mover_of(mover, &state);
            writer.add(set, || sink.word_of(&key), same_mover)
        });
        if SEVERAL && let Some(owner) = self.other_owner(&key) {
            return self.add_foreign(owner, key);
        }
        self.add_key(set, key, slot);
    }

    /// The set and the key of a state to which `from` has a move.
    #[inline]
    fn place_of(&mut self, state: &G::State, from: &G::State) -> Option<(usize, K::Key)> {
        let game = self.sink.game;
        let Some(set) = self.sink.set_of(state) else {
            self.refuse(state, from);
            return None;
        };
        let key = K::encode(game, game.canonical(state));
        if key.is_none() {
            self.refuse_wide(state);
        }
        Some((set, key?))
    }

    /// The process that owns the state of a key, if it is not this process.
    #[inline]
    fn other_owner(&self, key: &K::Key) -> Option<usize> {
        let owners = self.sink.owners?;
        Some(owners.of(key)).filter(|&owner| owner != owners.own)
    }

    /// Gathers a state of another process.
    #[inline]
    fn add_foreign(&mut self, owner: usize, key: K::Key) {
        let packets = &mut self.foreign[owner];
        match packets.last_mut() {
            Some(packet) if packet.len() < PACKET => packet.push(key),
            _ => {
                let mut packet = Vec::with_capacity(PACKET);
                packet.push(key);
                packets.push(packet);
            }
        }
    }

    /// Gathers a state that another process has found.
    #[inline]
    pub(super) fn add_arrived(&mut self, key: K::Key) {
        let Sink { game, sets, .. } = self.sink;
        if sets.len() == 1 {
            return self.add_key(0, key, None);
        }
        let state = K::decode(game, &key);
        match self.sink.set_of(&state) {
            Some(set) => self.add_key(set, key, None),
            None => self.refuse(&state, &state),
        }
    }

    /// Gathers a state of a set by its key. `slot` is the slot of the move to it, if moves are
    /// recorded.
    #[inline(always)]
    fn add_key(&mut self, set: usize, key: K::Key, slot: Option<u32>) {
        let Sink { sets, room, .. } = self.sink;
        let (shard, hash) = sets[set].place_of(&key);
        let place = set * SHARDS + shard;
        self.extras[place].push::<K::Key>(hash, slot);
        let keys = &mut self.keys[place];
        keys.push(key);
        if keys.len() >= room {
            self.insert(place);
        }
    }

    #[cold]
    fn refuse(&mut self, next: &G::State, state: &G::State) {
        let Sink { game, write, places, .. } = self.sink;
        let (tiers, searched) = (T::tiers(game), places.iter().position(|&set| set == Some(0)));
        let name = |tier: usize| {
            tiers.get(tier).map_or(format!("number {tier}"), |tier| tier.name.clone())
        };
        let tier = name(searched.unwrap_or(usize::MAX));
        let states = [state, next].map(|state| write(game, state));
        let broken = BrokenLaw::unexpected_tier(states, &tier, &name(T::tier(game, next)));
        self.result = Err(Refused::Broken(broken));
    }

    #[cold]
    fn refuse_wide(&mut self, state: &G::State) {
        let Sink { game, write, .. } = self.sink;
        self.result = Err(Refused::Broken(BrokenLaw::too_wide(write(game, state))));
    }

    /// Inserts the states gathered for a shard.
    #[cold]
    fn insert(&mut self, place: usize) {
        if self.result.is_ok() {
            let shards = self.sink.sets[place / SHARDS];
            let extras = &mut self.extras[place];
            self.result = shards.insert(place % SHARDS, &mut self.keys[place], extras);
            if let Some(writer) = self.writer.as_mut().and_then(Writer::numbered) {
                writer.fill(&extras.slots, &extras.numbers);
            }
        }
        self.keys[place].clear();
        self.extras[place].clear();
    }
}
