//! Discovering the states of a game tier by tier.
//!
//! Moves lead from a tier to itself and to ones before it, so that the tiers are searched from the
//! last to the first: when the turn of one comes, all that leads into it from outside is known. In
//! memory are the tier that is searched, and what was found so far of those that its moves and those
//! of the tiers behind it lead to.

use crate::error::SolveError;
use crate::explore::{Explorer, Search, Shards};
use crate::game::Tiered;
use crate::numbering::Keeping;
use crate::runtime::pool::WorkerPool;

impl Explorer<'_, '_> {
    /// Discovers every state that play can reach from the roots of `game`, and gives `keep` those of
    /// each tier, sorted: from the last tier in the solving order to the first. `keep` returns how many
    /// bytes of memory it goes on holding.
    ///
    /// # Errors
    /// As [`discover`](Explorer::discover), when a move leads to a tier that its own does not
    /// announce, and what `keep` fails with.
    pub(crate) fn discover_tiers<G: Tiered, K: Keeping<G>, E: From<SolveError>>(
        &mut self,
        game: &G,
        mut keep: impl FnMut(usize, Vec<K::Key>, &mut WorkerPool<'_>) -> Result<u64, E>,
    ) -> Result<(), E> {
        K::check(game)?;
        let tiers = game.tiers();
        let gathering = self.gathering();
        let budget = self.budget(gathering);
        let mut found: Vec<Option<Shards<K::Key>>> = tiers.iter().map(|_| None).collect();
        let mut roots = game.roots();
        if roots.is_empty() {
            return Err(SolveError::NoRoots.into());
        }
        if let Some(root) = roots.iter().find(|root| game.tier(root) >= tiers.len()) {
            let (state, tier, tiers) = (format!("{root:?}"), game.tier(root), tiers.len());
            return Err(SolveError::NoSuchTier { state, tier, tiers }.into());
        }
        let mut expanded = 0;
        for (at, tier) in tiers.iter().enumerate().rev() {
            let members = [at].into_iter().chain(tier.leads_to.iter().copied());
            let mut places = vec![None; tiers.len()];
            let mut sets = Vec::new();
            for member in members {
                if places[member].is_none() {
                    places[member] = Some(sets.len());
                    sets.push((
                        member,
                        found[member].take().unwrap_or_else(|| Shards::new(&budget)),
                    ));
                }
            }
            {
                let shards: Vec<&Shards<K::Key>> = sets.iter().map(|(_, shards)| shards).collect();
                let which = |state: &G::State| places.get(game.tier(state)).copied().flatten();
                let mut search =
                    Search::<G, K, _>::new(game, &shards, which, &budget, gathering, self);
                search.expanded = expanded;
                let own = roots.extract_if(.., |root| game.tier(root) == at).collect();
                search.begin(own)?;
                search.run()?;
                expanded = search.expanded;
            }
            for (member, shards) in sets {
                if member == at {
                    let kept = keep(at, self.sorted(shards)?, self.pool)?;
                    if let Err(refused) = budget.take(kept) {
                        return Err(self.refusal(refused, &budget, expanded, 0).into());
                    }
                } else {
                    found[member] = Some(shards);
                }
            }
        }
        Ok(())
    }
}
