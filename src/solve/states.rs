//! The states of each tier, found before they are solved.

use std::marker::PhantomData;

use crate::error::SolveError;
use crate::explore::{DiscoveredStates, Listing, RecordedMoves, discover_parts};
use crate::game::Game;
use crate::laws::{check_game, check_order};
use crate::numbering::discovered::{Encoding, FoundKeys, KeyForm};
use crate::numbering::indexing::{Discover, Indexing, Indices, Lookup, Tiering};
use crate::runtime::memory;
use crate::runtime::pool::WorkerPool;
use crate::solve::checkpoint::{CheckpointStore, Checkpointing};
use crate::solve::resources::Resources;
use crate::solve::run;

/// The numbering of each tier, and the recorded moves, if there are any.
pub(crate) struct FoundStates<G: Game, I: Indexing<G>> {
    pub(crate) indices: Vec<Indices<G, I>>,
    pub(crate) moves: Vec<Option<RecordedMoves>>,
}

/// Finds the states of each tier: by a formula, or by discovery. If several processes share packed
/// states, each returns the states of its window.
pub(crate) fn find_states<'s, G: Game, I: Indexing<G>>(
    game: &G,
    resources: Resources<G>,
    store: &mut Option<&'s mut (dyn CheckpointStore + 's)>,
    pool: &mut WorkerPool<'_>,
) -> Result<FoundStates<G, I>, SolveError> {
    check_game(game)?;
    let tiers = I::Tiering::tiers(game);
    check_order(&tiers)?;
    let listing = listing::<G, I>(resources);
    let store = store.as_mut().map(|store| &mut **store as &mut dyn CheckpointStore);
    let mut checkpoints = Checkpointing::new(store, I::kind(0));
    let discovering = Discovering::<G, I> {
        game,
        resources,
        listing,
        checkpoints: &mut checkpoints,
        pool,
        indexing: PhantomData,
    };
    let Some(found) = I::Lookup::discover(discovering) else {
        let mut indices = Vec::with_capacity(tiers.len());
        for _ in 0..tiers.len() {
            indices.push(I::Lookup::of_keys(FoundKeys::default())?);
        }
        return Ok(FoundStates { indices, moves: Vec::new() });
    };
    // Loops in place of adapters: this is compiled for every numbering.
    let found = found?;
    let states = found.iter().map(|found| found.keys.len()).sum();
    let lists = listing.pays(states);
    let (mut indices, mut moves) = (Vec::with_capacity(found.len()), Vec::new());
    for DiscoveredStates { keys, window, moves: recorded } in found {
        indices.push(match window {
            Some(window) => I::Lookup::of_window(keys, window)?,
            None if lists => I::Lookup::of_keys(keys.in_form(&KeyForm::Listed, I::Lookup::RAW)?)?,
            None => I::Lookup::of_keys(keys)?,
        });
        moves.push(recorded);
    }
    Ok(FoundStates { indices, moves })
}

/// When keys stand in memory as they are, and not coded. Then one is found in two thirds of the
/// time (m,n,k 4,4,4: 4.1 s in place of 6.7 s for the whole solve). What they take is missing for the
/// reverse edges of a game that lists no predecessors.
pub(super) fn listing<G: Game, I: Indexing<G>>(resources: Resources<G>) -> Listing {
    let memory = resources.limits.memory.or_else(memory::available).unwrap_or(u64::MAX);
    let most = if I::Tiering::PREDECESSORS { memory / 3 * 2 } else { memory / 4 };
    Listing { bytes_of: I::Lookup::bytes_of_states, most }
}

/// Discovers the states of each tier.
struct Discovering<'d, 'c, 'k, G: Game, I> {
    game: &'d G,
    resources: Resources<G>,
    listing: Listing,
    checkpoints: &'d mut Checkpointing<'k>,
    pool: &'d mut WorkerPool<'c>,
    indexing: PhantomData<I>,
}

impl<G: Game, I: Indexing<G>> Discover<G> for Discovering<'_, '_, '_, G, I> {
    type Output<K> = Result<Vec<DiscoveredStates<K>>, SolveError>;

    fn run<E: Encoding<G>>(self) -> Self::Output<E::Key> {
        let Discovering { game, resources, listing, checkpoints, pool, .. } = self;
        if !I::Tiering::HAS_TIERS {
            return Ok(vec![run::discover::<G, E>(game, resources, listing, checkpoints, pool)?]);
        }
        let bytes_of = I::Lookup::bytes_of_states;
        discover_parts::<G, I::Tiering, E>(&mut resources.explorer(pool), game, &bytes_of)
    }
}
