//! The states that several processes discover together, and share.

use crate::error::SolveError;
use crate::explore::OwnKeys;
use crate::game::Game;
use crate::numbering::discovered::Encoding;
use crate::numbering::indexing::{Discover, Indexing, Indices, Lookup, Tiering};
use crate::runtime::pool::WorkerPool;
use crate::solve::{Resources, check_game};

/// What finds the states of the own window, once all processes have discovered them; `None` where a
/// formula computes the states, or each process has to discover all of them.
///
/// # Errors
/// As for one process, and when another one is lost.
pub(crate) fn find_shared<G: Game, I: Indexing<G>>(
    game: &G,
    resources: Resources,
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

/// Discovers the states of a game together with other processes.
struct DiscoverTogether<'d, 'c, G> {
    game: &'d G,
    resources: Resources,
    pool: &'d mut WorkerPool<'c>,
}

impl<G: Game> Discover<G> for DiscoverTogether<'_, '_, G> {
    type Output<K> = Result<Option<OwnKeys<K>>, SolveError>;

    fn run<E: Encoding<G>>(self) -> Self::Output<E::Key> {
        let DiscoverTogether { game, resources, pool } = self;
        let Some(raw) = E::RAW else { return Ok(None) };
        resources.explorer(pool).discover_together::<G, E>(game, &raw).map(Some)
    }
}
