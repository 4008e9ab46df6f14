//! Answers that are kept, so that rules are not asked about the same states again.

use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hashbrown::DefaultHashBuilder;
use hashbrown::hash_table::{Entry, HashTable};

use super::prepared::{Batch, State};

/// The most states whose answers are kept: the engine asks about a sample of the states again.
const KEPT: usize = 1 << 16;

/// About the most successors of a state that are kept with it.
const KEPT_SUCCESSORS: usize = 1 << 8;

/// The answers about many states.
pub(super) struct Kept<S>(Mutex<Batches<S>>);

struct Batches<S> {
    all: Vec<Arc<Batch<S>>>,
    /// For each state its batch, and its place there.
    places: HashTable<(u32, u32)>,
    hasher: DefaultHashBuilder,
}

impl<S> Default for Batches<S> {
    fn default() -> Self {
        Batches { all: Vec::new(), places: HashTable::new(), hasher: Default::default() }
    }
}

impl<S> Default for Kept<S> {
    fn default() -> Self {
        Kept(Mutex::default())
    }
}

fn lock<S>(Kept(batches): &Kept<S>) -> MutexGuard<'_, Batches<S>> {
    batches.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<S: State> Kept<S> {
    /// Keeps answers: of the first states, or `all`, if the engine asks again about all.
    pub(super) fn keep(&self, batch: &Arc<Batch<S>>, all: bool) {
        let (states, answers) = (batch.answered(), batch.answers());
        let mut kept = lock(self);
        let room = if all { usize::MAX } else { KEPT.saturating_sub(kept.places.len()) };
        if room == 0 || !all && answers.successors.len() > KEPT_SUCCESSORS * states.len() {
            return;
        }
        let Batches { all, places, hasher } = &mut *kept;
        let (number, before) = (all.len(), places.len());
        all.push(Arc::clone(batch));
        let state_at = |&(batch, at): &(u32, u32)| &all[batch as usize].answered()[at as usize];
        for (at, state) in states.iter().enumerate().take(room) {
            let is_same = |place: &(u32, u32)| state_at(place) == state;
            let hash_at = |place: &(u32, u32)| hasher.hash_one(state_at(place));
            if !answers.is_long(at)
                && let Entry::Vacant(free) = places.entry(hasher.hash_one(state), is_same, hash_at)
            {
                free.insert((number as u32, at as u32));
            }
        }
        if places.len() == before {
            all.pop();
        }
    }

    /// The answers that contain those about a state, and its place among them.
    pub(super) fn find(&self, state: &S) -> Option<(Arc<Batch<S>>, usize)> {
        let Batches { all, places, hasher } = &*lock(self);
        let is_same =
            |&(batch, at): &(u32, u32)| all[batch as usize].answered()[at as usize] == *state;
        let &(batch, at) = places.find(hasher.hash_one(state), is_same)?;
        Some((Arc::clone(&all[batch as usize]), at as usize))
    }
}

impl<S> Kept<S> {
    /// Frees all answers.
    pub(super) fn forget(&self) {
        *lock(self) = Batches::default();
    }
}
