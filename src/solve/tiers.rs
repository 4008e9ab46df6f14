//! Solving a game tier by tier.
//!
//! A tier needs the values of the tiers that its moves lead to, and nothing else. Its moves that
//! leave it are looked at once, when its states are counted; after that it is solved like any other
//! game.

use std::sync::Arc;

use super::checkpoint::{Checkpointing, Keeper};
use super::crew::Crew;
use super::known::KnownValues;
use super::plan::Needs;
use super::{Progress, Resources, Solution, SolveError, Solver, Summary};
use crate::game::{Outcome, Tier, Tiered};
use crate::numbering::{InTier, Joined, Known, Numbering};
use crate::query::{Query, QueryError, Visit};
use crate::value::{Rules, Value};

/// A solved tier in figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TierFigures {
    /// What the tier is called.
    pub name: String,
    /// Its states in figures.
    pub summary: Summary,
    /// How long its file is, in bytes, where there is one.
    pub bytes: Option<u64>,
    /// Whether it had been solved before.
    pub found: bool,
}

/// A game solved tier by tier, in memory. Ask it through [`Query`].
#[derive(Debug)]
pub struct TieredSolution<'g, G> {
    joined: Joined<'g, G>,
    values: Vec<Arc<KnownValues>>,
    rules: Rules,
    tiers: Vec<TierFigures>,
    summary: Summary,
}

impl<G> TieredSolution<'_, G> {
    /// The tiers in figures, in solving order.
    pub fn tiers(&self) -> &[TierFigures] {
        &self.tiers
    }

    /// All tiers together in figures.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }
}

impl<'g, G: Tiered> Solver<'g, '_, G> {
    /// Solves a game tier by tier, each in its own numbering, and keeps all in memory: what each
    /// costs is what [`dense`](Solver::dense) costs for the same number of states, and up to 4
    /// bytes for each state with moves that leave the tier; what stays is 1 or 2 bytes a state.
    ///
    /// [`tiered_into`](Solver::tiered_into) keeps the tiers in files instead.
    ///
    /// # Errors
    /// As [`dense`](Solver::dense), and when a move leads to a tier that its own does not announce.
    pub fn tiered(self) -> Result<TieredSolution<'g, G>, SolveError> {
        self.with_crew(|game, resources, keeper, crew| {
            let mut memory = InMemory::default();
            let tiers = TierRun::new(game, resources, keeper).run(None, &mut memory, crew)?;
            let summary = Summary::sum(tiers.iter().map(|tier| &tier.summary));
            let rules = Rules::of(game);
            Ok(TieredSolution {
                joined: Joined::new(game),
                values: memory.values,
                rules,
                tiers,
                summary,
            })
        })
    }
}

impl<G: Tiered> Query for TieredSolution<'_, G> {
    type Game = G;

    fn game(&self) -> &G {
        self.joined.game()
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn find(&self, state: &G::State) -> Result<(u64, Value), QueryError> {
        let found = || {
            let (tier, index) = self.joined.place(self.joined.number(state)?);
            Some((self.joined.number_at(tier, index)?, self.values.get(tier)?.value(index)?))
        };
        found().ok_or_else(|| QueryError::not_in_table(state))
    }

    fn each(
        &self,
        wanted: &dyn Fn(Value) -> bool,
        visit: &mut Visit<'_, G::State>,
    ) -> Result<(), QueryError> {
        for number in 0..self.joined.len() {
            let (tier, index) = self.joined.place(number);
            let value = self.values.get(tier).and_then(|values| values.value(index));
            if let Some(value) = value.filter(|&value| wanted(value))
                && let Some(state) = self.joined.state(number)
                && visit(number, state, value).is_break()
            {
                break;
            }
        }
        Ok(())
    }
}

/// Where tiers go when they are solved, and come from when they are needed.
pub(crate) trait TierKeeper<'g, G: Tiered> {
    /// What can go wrong with it.
    type Error: From<SolveError>;

    /// The figures of a tier that was solved before.
    fn find(&mut self, tier: usize) -> Result<Option<TierFigures>, Self::Error>;

    /// The values of a tier that was solved before.
    fn load(&mut self, tier: usize) -> Result<Arc<KnownValues>, Self::Error>;

    /// Keeps a tier that is solved now; returns its length in bytes if it is in a file.
    fn keep(
        &mut self,
        tier: usize,
        solution: &Solution<InTier<'g, G>>,
        crew: &mut Crew<'_>,
    ) -> Result<Option<u64>, Self::Error>;

    /// Takes the values of a tier that is solved now and may be needed later.
    fn hand_over(&mut self, tier: usize, values: &Arc<KnownValues>);
}

/// Keeps nothing but the values.
#[derive(Default)]
struct InMemory {
    values: Vec<Arc<KnownValues>>,
}

impl<'g, G: Tiered> TierKeeper<'g, G> for InMemory {
    type Error = SolveError;

    fn find(&mut self, _: usize) -> Result<Option<TierFigures>, SolveError> {
        Ok(None)
    }

    fn load(&mut self, tier: usize) -> Result<Arc<KnownValues>, SolveError> {
        // All tiers before the one at work are here, in order.
        Ok(Arc::clone(&self.values[tier]))
    }

    fn keep(
        &mut self,
        _: usize,
        _: &Solution<InTier<'g, G>>,
        _: &mut Crew<'_>,
    ) -> Result<Option<u64>, SolveError> {
        Ok(None)
    }

    fn hand_over(&mut self, _: usize, values: &Arc<KnownValues>) {
        self.values.push(Arc::clone(values));
    }
}

/// A run through the tiers of a game.
pub(crate) struct TierRun<'g, 'k, G> {
    game: &'g G,
    tiers: Vec<Tier>,
    resources: Resources,
    /// What keeps checkpoints within a tier.
    checkpoints: Option<&'k mut (dyn Keeper + 'k)>,
    /// The values that are in memory, by tier.
    known: Vec<Option<Arc<KnownValues>>>,
}

impl<'g, 'k, G: Tiered> TierRun<'g, 'k, G> {
    pub(crate) fn new(
        game: &'g G,
        resources: Resources,
        checkpoints: Option<&'k mut (dyn Keeper + 'k)>,
    ) -> Self {
        let tiers = game.tiers();
        let known = vec![None; tiers.len()];
        TierRun { game, tiers, resources, checkpoints, known }
    }

    /// Solves every tier, or one and those that it needs.
    pub(crate) fn run<K: TierKeeper<'g, G>>(
        mut self,
        only: Option<usize>,
        keeper: &mut K,
        crew: &mut Crew<'_>,
    ) -> Result<Vec<TierFigures>, K::Error> {
        self.check_order()?;
        if let (Outcome::Win(_), Some(limit)) = (self.game.endless(), self.game.ply_limit()) {
            return Err(SolveError::LimitInTiers { limit }.into());
        }
        let wanted = self.wanted(only);
        let mut figures = Vec::new();
        for (done, &tier) in wanted.iter().enumerate() {
            crew.report(Progress::Tier { done: done as u64, of: wanted.len() as u64 })?;
            let found = keeper.find(tier)?;
            figures.push(match found {
                Some(found) => found,
                None => self.solve(tier, keeper, crew)?,
            });
            self.forget_but(&wanted[done + 1..]);
        }
        Ok(figures)
    }

    /// Refuses tiers that lead to later ones.
    fn check_order(&self) -> Result<(), SolveError> {
        for (at, tier) in self.tiers.iter().enumerate() {
            if let Some(&later) = tier.leads_to.iter().find(|&&next| next >= at) {
                let name = |tier: usize| {
                    self.tiers.get(tier).map_or(format!("number {tier}"), |tier| tier.name.clone())
                };
                return Err(SolveError::TierOrder { tier: name(at), later: name(later) });
            }
        }
        Ok(())
    }

    /// The tiers to solve, in solving order.
    fn wanted(&self, only: Option<usize>) -> Vec<usize> {
        let Some(only) = only else { return (0..self.tiers.len()).collect() };
        let mut wanted = vec![false; self.tiers.len()];
        wanted[only] = true;
        for tier in (0..=only).rev().filter(|&tier| wanted[tier]).collect::<Vec<_>>() {
            self.mark_needs(tier, &mut wanted);
        }
        (0..wanted.len()).filter(|&tier| wanted[tier]).collect()
    }

    fn mark_needs(&self, tier: usize, wanted: &mut [bool]) {
        for &next in &self.tiers[tier].leads_to {
            if !wanted[next] {
                wanted[next] = true;
                self.mark_needs(next, wanted);
            }
        }
    }

    fn solve<K: TierKeeper<'g, G>>(
        &mut self,
        tier: usize,
        keeper: &mut K,
        crew: &mut Crew<'_>,
    ) -> Result<TierFigures, K::Error> {
        let Tier { name, leads_to } = self.tiers[tier].clone();
        let len = self.game.tier_len(tier);
        self.resources.check_len(len)?;
        for &needed in &leads_to {
            if self.known[needed].is_none() {
                self.known[needed] = Some(keeper.load(needed)?);
            }
        }
        let bytes = |tiers: &[Option<Arc<KnownValues>>]| -> u64 {
            tiers.iter().flatten().map(|known| known.bytes()).sum()
        };
        let fits =
            |known| Needs::weigh(len, known, self.game.longest(), self.resources.memory).is_ok();
        // What only later tiers need can be loaded again.
        if !fits(bytes(&self.known)) {
            self.forget_but(&[tier]);
        }
        let mut known: Vec<Option<Arc<dyn Known>>> = vec![None; self.tiers.len()];
        for &needed in &leads_to {
            known[needed] = self.known[needed].clone().map(|known| known as Arc<dyn Known>);
        }
        let spare = bytes(&self.known);
        let numbering = InTier::new(self.game, tier, known);
        // What is held for later is not there to be used.
        let held = spare - numbering.bytes();
        let memory = self.resources.memory.map(|memory| memory.saturating_sub(held));
        let resources = Resources { memory, ..self.resources };
        let kind = numbering.kind();
        let checkpoints = self.checkpoints.as_mut().map(|keeper| &mut **keeper as &mut dyn Keeper);
        let mut checkpoints = Checkpointing::new(checkpoints, kind);
        let solution = Solution::of(numbering, resources, &mut checkpoints, crew)?;
        let bytes = match keeper.keep(tier, &solution, crew) {
            Ok(bytes) => bytes,
            Err(error) => {
                // What went wrong first is what there is to tell.
                let _ = solution.keep(&mut checkpoints, crew);
                return Err(error);
            }
        };
        checkpoints.forget().map_err(SolveError::from)?;
        let Solution { cells, summary, .. } = solution;
        let values = Arc::new(KnownValues::new(cells));
        keeper.hand_over(tier, &values);
        self.known[tier] = Some(values);
        Ok(TierFigures { name, summary, bytes, found: false })
    }

    /// Forgets the values that none of these tiers needs.
    fn forget_but(&mut self, needing: &[usize]) {
        let mut needed = vec![false; self.tiers.len()];
        for &tier in needing {
            self.tiers[tier].leads_to.iter().for_each(|&next| needed[next] = true);
        }
        for (known, _) in self.known.iter_mut().zip(needed).filter(|(_, needed)| !needed) {
            *known = None;
        }
    }
}
