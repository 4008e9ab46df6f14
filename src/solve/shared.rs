//! The states that several processes discover together, and share.

#[cfg(feature = "cluster")]
use std::marker::PhantomData;

use crate::error::SolveError;
use crate::explore::OwnKeys;
use crate::game::Game;
use crate::laws::check_game;
use crate::numbering::discovered::Encoding;
use crate::numbering::indexing::{Discover, Indexing, Indices, Lookup, Tiering};
use crate::runtime::pool::WorkerPool;
use crate::solve::Resources;

/// What finds the states of the own window, once all processes have discovered them; `None` where a
/// formula computes the states, or each process has to discover all of them.
///
/// # Errors
/// As for one process, and when another one is lost.
pub(crate) fn find_shared<G: Game, I: Indexing<G>>(
    game: &G,
    resources: Resources<G>,
    pool: &mut WorkerPool<'_>,
) -> Result<Option<Indices<G, I>>, SolveError> {
    if !I::Lookup::CAN_BE_SHARED || I::Tiering::HAS_TIERS {
        return Ok(None);
    }
    check_game(game)?;
    let together = DiscoverTogether { game, resources, pool };
    match I::Lookup::discover(together).transpose()?.flatten() {
        Some((keys, window)) => I::Lookup::of_window(keys, window).map(Some),
        None => Ok(None),
    }
}

/// What finds the states of the own window of each tier, once all processes have discovered them; `None`
/// where a formula computes the states.
///
/// # Errors
/// As [`find_shared`], and for tiers whose states can't be shared out.
#[cfg(feature = "cluster")]
pub(crate) fn find_shared_tiers<G: Game, I: Indexing<G>>(
    game: &G,
    resources: Resources<G>,
    pool: &mut WorkerPool<'_>,
) -> Result<Option<Vec<Indices<G, I>>>, SolveError> {
    check_game(game)?;
    let together = DiscoverTiers::<G, I> { game, resources, pool, indexing: PhantomData };
    let Some(found) = I::Lookup::discover(together) else { return Ok(None) };
    let found = found?.into_iter();
    found
        .map(|(keys, window)| I::Lookup::of_window(keys, window))
        .collect::<Result<_, _>>()
        .map(Some)
}

/// Discovers the states of each tier together with other processes.
#[cfg(feature = "cluster")]
struct DiscoverTiers<'d, 'c, G: Game, I> {
    game: &'d G,
    resources: Resources<G>,
    pool: &'d mut WorkerPool<'c>,
    indexing: PhantomData<I>,
}

#[cfg(feature = "cluster")]
impl<G: Game, I: Indexing<G>> Discover<G> for DiscoverTiers<'_, '_, G, I> {
    type Output<K> = Result<Vec<OwnKeys<K>>, SolveError>;

    fn run<E: Encoding<G>>(self) -> Self::Output<E::Key> {
        let DiscoverTiers { game, resources, pool, .. } = self;
        if E::RAW.is_none() {
            let problem = "each process would discover all states of the tiers, which are not packed: \
                           choose another numbering (--numbering), such as packed-tiers";
            return Err(SolveError::NotTogether { problem: problem.into() });
        }
        let mut found = Vec::new();
        let mut explorer = resources.explorer(pool);
        explorer.discover_tiers::<I::Tiering, E, SolveError>(game, |_, keys, window, _| {
            let bytes = I::Lookup::bytes_of_states(keys.len() as u64);
            found.extend(window.map(|window| (keys, window)));
            Ok(bytes)
        })?;
        found.reverse();
        Ok(found)
    }
}

/// Discovers the states of a game together with other processes.
struct DiscoverTogether<'d, 'c, G: Game> {
    game: &'d G,
    resources: Resources<G>,
    pool: &'d mut WorkerPool<'c>,
}

impl<G: Game> Discover<G> for DiscoverTogether<'_, '_, G> {
    type Output<K> = Result<Option<OwnKeys<K>>, SolveError>;

    fn run<E: Encoding<G>>(self) -> Self::Output<E::Key> {
        let DiscoverTogether { game, resources, pool } = self;
        let Some(raw) = E::RAW else { return Ok(None) };
        resources.explorer(pool).discover_together::<E>(game, &raw).map(Some)
    }
}
