//! Discovers the states of a game tier by tier.
//!
//! Moves lead from a tier to itself and to earlier tiers, so the tiers are searched from the last
//! to the first. When a tier is searched, all states by which play enters it are known. The memory
//! holds the tier that is searched. It also holds the states found so far in the tiers to which
//! moves of this tier and of later ones lead.

use std::sync::{Arc, Mutex, PoisonError};

use crate::error::{BrokenLaw, SolveError};
use crate::explore::budget::Budget;
use crate::explore::course::Course;
use crate::explore::explorer::{DiscoveredStates, Explorer};
use crate::explore::moves::{Log, RecordedMoves};
use crate::explore::pays::recording_pays;
use crate::explore::plies::Stopped;
use crate::explore::saved::{SavedSearch, Saving};
use crate::explore::search::{HeldMoves, Search};
use crate::explore::states::StatesOf;
use crate::game::Game;
use crate::numbering::discovered::Encoding;
use crate::numbering::indexing::Tiering;
use crate::runtime::lock::lock;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::Progress;

/// Keeps the sorted states of a tier, and returns the memory that it still holds, in bytes.
type Keep<'k, K, E> =
    &'k mut dyn FnMut(usize, DiscoveredStates<K>, &mut WorkerPool<'_>) -> Result<u64, E>;

impl<G: Game> Explorer<'_, '_, G> {
    /// Discovers every state that can be reached from the roots of `game`. Calls `keep` with the
    /// sorted states of each tier, from the last tier in the solving order to the first. `keep`
    /// returns the memory that it still holds, in bytes. If several processes discover packed
    /// states, each gets the states of its window. Returns the moves of each tier, if all were
    /// recorded. A search is saved after a ply, if that is due; one that goes on does
    /// not call `keep` for the tiers that were complete.
    ///
    /// # Errors
    /// If [`discover`](Explorer::discover) fails, a move leads to a tier that its own tier does not
    /// announce, or `keep` fails.
    pub(crate) fn discover_tiers<T: Tiering<G>, K: Encoding<G>, E: From<SolveError>>(
        &mut self,
        game: &G,
        mut saving: Option<Saving<'_, K::Key, K::Ordered>>,
        keep: Keep<'_, K::Key, E>,
    ) -> Result<Vec<Option<RecordedMoves>>, E> {
        let tiers = T::tiers(game);
        let gathering = self.gathering();
        let budget = self.budget::<K>(gathering);
        let held: HeldMoves = Mutex::new(tiers.iter().map(|_| None).collect());
        let is_shared = self.shares_states::<K>();
        let saved = saving.as_mut().and_then(|saving| saving.saved.take());
        let mut records =
            saved.is_none() && self.records && recording_pays::<G, T, K>(game, is_shared);
        let orders = self.orders(records, is_shared);
        let expanded = saved.as_ref().map_or(0, SavedSearch::expanded);
        let saved = saved.map(|saved| saved.go_on(&budget)).transpose();
        let (mut found, mut course) = match saved? {
            Some(Ok(resumed)) => resumed,
            None => {
                let roots = self.roots_of_tiers::<T, K>(game, gathering, orders, &budget)?;
                (roots, Course::new(tiers.len().saturating_sub(1), 0, 0))
            }
            Some(Err(refused)) => {
                return Err(self.refusal(game, refused, &budget, expanded, None).into());
            }
        };
        for (at, tier) in tiers.iter().enumerate().take(course.tier + 1).rev() {
            let members = [at].into_iter().chain(tier.leads_to.iter().copied());
            let mut places = vec![None; tiers.len()];
            let mut sets = Vec::new();
            for member in members {
                if places[member].is_none() {
                    places[member] = Some(sets.len());
                    sets.push((
                        member,
                        found[member].take().unwrap_or_else(|| {
                            StatesOf::<G, K>::new(self.orders(records, is_shared), &budget)
                        }),
                    ));
                }
            }
            let mut writers = Vec::new();
            let mut log = loop {
                let (stopped, written) = {
                    let states: Vec<&StatesOf<G, K>> =
                        sets.iter().map(|(_, states)| states).collect();
                    let search =
                        Search::<G, K, T>::new(game, &states, &places, &budget, gathering, self);
                    let search = search.of_tier().going_on(&course).holding(&held);
                    let search = search.recording(records, &budget);
                    let mut search = search.writing_on(std::mem::take(&mut writers));
                    let store = saving.as_ref().map(|saving| &*saving.store);
                    (search.run(&mut course, store)?, search.into_writers())
                };
                records = written.is_some();
                match stopped {
                    Stopped::AtEnd => break written.and_then(Log::new),
                    Stopped::ForOrder => {
                        let mut courses = Some(&mut course);
                        for (_, states) in &mut sets {
                            // Only the first set is searched.
                            states.put_in_order(courses.take(), self.pool)?;
                        }
                        for states in found.iter_mut().flatten() {
                            states.put_in_order(None, self.pool)?;
                        }
                    }
                    Stopped::AfterPly => {}
                }
                writers = written.unwrap_or_default();
                if let Some(saving) = &mut saving
                    && course.is_between_plies()
                {
                    let mut all: Vec<_> = found.iter_mut().map(Option::as_mut).collect();
                    sets.iter_mut().for_each(|(member, states)| all[*member] = Some(states));
                    saving.save(K::RAW.as_ref(), &course, all, self.pool)?.map_err(|refused| {
                        self.refusal(game, refused, &budget, course.expanded, None)
                    })?;
                }
            };
            let expanded = course.expanded;
            let moves = course.moves + course.statistics.total().moves;
            let members: Vec<usize> = sets.iter().map(|&(member, _)| member).collect();
            for (member, shards) in sets {
                if member == at {
                    let mut found = self.found::<K>(game, shards, log.take(), members.clone())?;
                    let moves = found.moves.take().filter(|moves| has_room(moves, &budget));
                    // Moves to a tier without recorded moves can't be followed.
                    records &= moves.is_some();
                    hold(&mut lock(&held), at, moves);
                    let kept = keep(at, found, self.pool)?;
                    if let Err(refused) = budget.take(kept) {
                        return Err(self.refusal(game, refused, &budget, expanded, None).into());
                    }
                } else {
                    found[member] = Some(shards);
                }
            }
            course = Course::new(at.saturating_sub(1), expanded, moves);
        }
        if course.moves == 0 {
            let event = Progress::OverAtRoots { states: course.expanded };
            self.pool.report(event).map_err(SolveError::from)?;
        }
        Ok(held.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// The roots, each in the set of its tier; tiers without roots have no set.
    fn roots_of_tiers<T: Tiering<G>, K: Encoding<G>>(
        &mut self,
        game: &G,
        gathering: u64,
        orders: bool,
        budget: &Arc<Budget>,
    ) -> Result<Vec<Option<StatesOf<G, K>>>, SolveError> {
        let tiers = T::tiers(game).len();
        let sets: Vec<StatesOf<G, K>> =
            (0..tiers).map(|_| StatesOf::<G, K>::new(orders, budget)).collect();
        let shards: Vec<&StatesOf<G, K>> = sets.iter().collect();
        let places: Vec<Option<usize>> = (0..tiers).map(Some).collect();
        let write = self.write;
        let search = Search::<G, K, T>::new(game, &shards, &places, budget, gathering, self);
        search.of_tier().begin(game.roots().into_iter().map(|root| {
            match T::tier(game, &root) {
                tier if tier < tiers => Ok(root),
                tier => Err(BrokenLaw::no_tier(write(game, &root), tier, tiers).into()),
            }
        }))?;
        Ok(sets.into_iter().map(|set| (!set.is_empty()).then_some(set)).collect())
    }
}

/// Whether there is room for the recorded moves of a tier. The memory of their index was not counted
/// while they were recorded.
fn has_room(moves: &RecordedMoves, budget: &Budget) -> bool {
    match moves {
        RecordedMoves::Indexed(moves) => budget.may_record(moves.index_bytes()),
        // All processes keep their moves, or none.
        RecordedMoves::Keyed(_) => true,
    }
}

/// Adds the moves of a tier to those of the tiers explored before, or drops all if there are none.
fn hold(held: &mut [Option<RecordedMoves>], tier: usize, moves: Option<RecordedMoves>) {
    match moves {
        Some(moves) => held[tier] = Some(moves),
        None => held.fill_with(|| None),
    }
}

/// Discovers the states of each tier, in solving order; a game without tiers counts as one tier.
/// `held` returns the memory that a number of states continues to take, in bytes.
///
/// # Errors
/// See [`discover_tiers`](Explorer::discover_tiers).
pub(crate) fn discover_parts<G: Game, T: Tiering<G>, K: Encoding<G>>(
    explorer: &mut Explorer<'_, '_, G>,
    game: &G,
    held: &dyn Fn(u64) -> u64,
) -> Result<Vec<DiscoveredStates<K::Key>>, SolveError> {
    if !T::HAS_TIERS {
        return Ok(vec![explorer.discover::<K>(game, None)?]);
    }
    let mut all = Vec::new();
    let moves = explorer.discover_tiers::<T, K, SolveError>(game, None, &mut |_, found, _| {
        let bytes = held(found.keys.len());
        all.push(found);
        Ok(bytes)
    })?;
    all.reverse();
    all.iter_mut().zip(moves).for_each(|(found, moves)| found.moves = moves);
    Ok(all)
}
