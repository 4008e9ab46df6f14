//! Solving a game tier by tier.
//!
//! A tier needs the values of the tiers that its moves lead to, and nothing else. Its moves that
//! leave it are looked at once, when its states are counted; after that it is solved like any other
//! game.

use std::sync::Arc;

use crate::error::SolveError;
use crate::game::{Outcome, Packed, Tier, TierIndexed, Tiered};
use crate::numbering::{
    AllTiers, ByIndex, InTier, Keeping, KnownTier, Numbering, Sorted, TierNumbers, TierValues, Word,
};
use crate::query::{Query, QueryError, Visit};
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::Progress;
use crate::solve::checkpoint::{CheckpointStore, Checkpointing};
use crate::solve::plan::Needs;
use crate::solve::{Resources, Solution, Solver};
use crate::summary::Summary;
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
pub struct TieredSolution<'g, G, S = ByIndex> {
    joined: AllTiers<'g, G, S>,
    values: Vec<Arc<dyn TierValues>>,
    rules: Rules,
    tiers: Vec<TierFigures>,
    summary: Summary,
}

impl<G, S> TieredSolution<'_, G, S> {
    /// The tiers in figures, in solving order.
    pub fn tiers(&self) -> &[TierFigures] {
        &self.tiers
    }

    /// All tiers together in figures.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }
}

impl<'g, G: TierIndexed> Solver<'g, '_, G> {
    /// Solves a game tier by tier, each in its own numbering, and keeps all in memory: what each
    /// costs is what [`dense`](Solver::dense) costs for the same number of states, and up to 4
    /// bytes for each state with moves that leave the tier; what stays is 1 or 2 bytes a state.
    ///
    /// [`tiered_into`](Solver::tiered_into) keeps the tiers in files instead.
    ///
    /// # Errors
    /// As [`dense`](Solver::dense), and when a move leads to a tier that its own does not announce.
    pub fn tiered(self) -> Result<TieredSolution<'g, G>, SolveError> {
        self.with_pool(|game, resources, store, pool| {
            let numbers = (0..game.tiers().len()).map(|tier| ByIndex { tier }).collect();
            in_memory(game, numbers, resources, store, pool)
        })
    }
}

impl<'g, G: Tiered + Packed> Solver<'g, '_, G> {
    /// Discovers the states that can be reached from the game's roots, tier by tier from the last in
    /// the solving order to the first, and solves them from the first to the last: what
    /// [`packed`](Solver::packed) is to a game of one tier. All states stay in memory.
    ///
    /// [`tiered_packed_into`](Solver::tiered_packed_into) keeps the tiers in files instead.
    ///
    /// # Errors
    /// As [`packed`](Solver::packed), and when a move leads to a tier that its own does not announce.
    pub fn tiered_packed<K: Keeping<G, Key = K> + Word>(
        self,
    ) -> Result<TieredSolution<'g, G, Arc<Sorted<G, K>>>, SolveError> {
        self.with_pool(|game, resources, store, pool| {
            check_order(&game.tiers())?;
            let mut numbers = Vec::new();
            resources.explorer(pool).discover_tiers::<G, K, SolveError>(game, |_, keys, _| {
                let states = Sorted::of(keys)?;
                let bytes = states.bytes();
                numbers.push(Arc::new(states));
                Ok(bytes)
            })?;
            numbers.reverse();
            in_memory(game, numbers, resources, store, pool)
        })
    }
}

/// Solves a game whose tiers are numbered so, and keeps all in memory.
fn in_memory<'g, 'k, G: Tiered, S: TierNumbers<G>>(
    game: &'g G,
    numbers: Vec<S>,
    resources: Resources,
    checkpoints: Option<&'k mut (dyn CheckpointStore + 'k)>,
    pool: &mut WorkerPool<'_>,
) -> Result<TieredSolution<'g, G, S>, SolveError> {
    let mut memory = InMemory { numbers, values: Vec::new() };
    let tiers = TierRun::new(game, resources, checkpoints).run(None, &mut memory, pool)?;
    let summary = Summary::sum(tiers.iter().map(|tier| &tier.summary));
    let InMemory { numbers, values } = memory;
    let (joined, rules) = (AllTiers::new(game, numbers), Rules::of(game));
    Ok(TieredSolution { joined, values, rules, tiers, summary })
}

impl<G: Tiered, S: TierNumbers<G>> Query for TieredSolution<'_, G, S> {
    type Game = G;

    fn game(&self) -> &G {
        self.joined.game()
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn find(&self, state: &G::State) -> Result<(u64, Value), QueryError> {
        let found = || {
            let number = self.joined.number(state)?;
            let (tier, index) = self.joined.place(number);
            Some((number, self.values.get(tier)?.value(index)?))
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
pub(crate) trait TierKeeper<'g, G: Tiered, S: TierNumbers<G>> {
    /// What can go wrong with it.
    type Error: From<SolveError>;

    /// The figures of a tier that was solved before.
    fn find(&mut self, tier: usize) -> Result<Option<TierFigures>, Self::Error>;

    /// The numbers of the states of a tier that is to be solved.
    fn numbers(&mut self, tier: usize) -> Result<S, Self::Error>;

    /// A tier that was solved before.
    fn load(&mut self, tier: usize) -> Result<SolvedTier<S>, Self::Error>;

    /// Keeps a tier that is solved now; returns its length in bytes if it is in a file.
    fn keep(
        &mut self,
        tier: usize,
        solution: &Solution<InTier<'g, G, S>>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<u64>, Self::Error>;

    /// Takes the values of a tier that is solved now and may be needed later.
    fn hand_over(&mut self, tier: usize, values: &Arc<dyn TierValues>);

    /// How many bytes it holds in memory, whatever the run does.
    fn holds(&self) -> u64;
}

/// A solved tier in memory.
#[derive(Clone, Debug)]
pub(crate) struct SolvedTier<S> {
    pub(crate) numbers: S,
    pub(crate) values: Arc<dyn TierValues>,
}

impl<S: Clone> SolvedTier<S> {
    pub(crate) fn known(&self) -> KnownTier<S> {
        KnownTier { numbers: self.numbers.clone(), values: Arc::clone(&self.values) }
    }
}

/// Keeps nothing but the numbers and the values.
struct InMemory<S> {
    numbers: Vec<S>,
    values: Vec<Arc<dyn TierValues>>,
}

impl<'g, G: Tiered, S: TierNumbers<G>> TierKeeper<'g, G, S> for InMemory<S> {
    type Error = SolveError;

    fn find(&mut self, _: usize) -> Result<Option<TierFigures>, SolveError> {
        Ok(None)
    }

    fn numbers(&mut self, tier: usize) -> Result<S, SolveError> {
        Ok(self.numbers[tier].clone())
    }

    fn load(&mut self, tier: usize) -> Result<SolvedTier<S>, SolveError> {
        // All tiers before the one at work are here, in order.
        let (numbers, values) = (self.numbers[tier].clone(), Arc::clone(&self.values[tier]));
        Ok(SolvedTier { numbers, values })
    }

    fn keep(
        &mut self,
        _: usize,
        _: &Solution<InTier<'g, G, S>>,
        _: &mut WorkerPool<'_>,
    ) -> Result<Option<u64>, SolveError> {
        Ok(None)
    }

    fn hand_over(&mut self, _: usize, values: &Arc<dyn TierValues>) {
        self.values.push(Arc::clone(values));
    }

    fn holds(&self) -> u64 {
        let numbers: u64 = self.numbers.iter().map(TierNumbers::bytes).sum();
        numbers + self.values.iter().map(|values| values.bytes()).sum::<u64>()
    }
}

/// A run through the tiers of a game.
pub(crate) struct TierRun<'g, 'k, G, S> {
    game: &'g G,
    tiers: Vec<Tier>,
    resources: Resources,
    /// What keeps checkpoints within a tier.
    checkpoints: Option<&'k mut (dyn CheckpointStore + 'k)>,
    /// The solved tiers that are in memory, by tier.
    known: Vec<Option<SolvedTier<S>>>,
}

impl<'g, 'k, G: Tiered, S: TierNumbers<G>> TierRun<'g, 'k, G, S> {
    pub(crate) fn new(
        game: &'g G,
        resources: Resources,
        checkpoints: Option<&'k mut (dyn CheckpointStore + 'k)>,
    ) -> Self {
        let tiers = game.tiers();
        let known = vec![None; tiers.len()];
        TierRun { game, tiers, resources, checkpoints, known }
    }

    /// Solves every tier, or one and those that it needs.
    pub(crate) fn run<K: TierKeeper<'g, G, S>>(
        mut self,
        only: Option<usize>,
        store: &mut K,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Vec<TierFigures>, K::Error> {
        check_order(&self.tiers)?;
        if let (Outcome::Win(_), Some(limit)) = (self.game.endless(), self.game.ply_limit()) {
            return Err(SolveError::LimitInTiers { limit }.into());
        }
        let wanted = self.wanted(only);
        let mut figures = Vec::new();
        for (done, &tier) in wanted.iter().enumerate() {
            let event = Progress::Tier { done: done as u64, of: wanted.len() as u64 };
            pool.report(event).map_err(SolveError::from)?;
            let found = store.find(tier)?;
            figures.push(match found {
                Some(found) => found,
                None => self.solve(tier, store, pool)?,
            });
            self.forget_but(&wanted[done + 1..]);
        }
        Ok(figures)
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

    fn solve<K: TierKeeper<'g, G, S>>(
        &mut self,
        tier: usize,
        store: &mut K,
        pool: &mut WorkerPool<'_>,
    ) -> Result<TierFigures, K::Error> {
        let Tier { name, leads_to } = self.tiers[tier].clone();
        let numbers = store.numbers(tier)?;
        let len = numbers.len(self.game);
        self.resources.check_len(len)?;
        for &needed in &leads_to {
            if self.known[needed].is_none() {
                self.known[needed] = Some(store.load(needed)?);
            }
        }
        let bytes = |tiers: &[Option<SolvedTier<S>>]| -> u64 {
            let tiers = tiers.iter().flatten();
            tiers.map(|tier| tier.values.bytes() + tier.numbers.bytes()).sum()
        };
        let own = numbers.bytes();
        let fits = |known| {
            Needs::weigh(len, own + known, self.game.longest(), self.resources.memory).is_ok()
        };
        // What only later tiers need can be loaded again.
        if !fits(bytes(&self.known)) {
            self.forget_but(&[tier]);
        }
        let mut known: Vec<Option<KnownTier<S>>> = vec![None; self.tiers.len()];
        for &needed in &leads_to {
            known[needed] = self.known[needed].as_ref().map(SolvedTier::known);
        }
        let held = store.holds().max(own + bytes(&self.known));
        let numbering = InTier::new(self.game, tier, numbers.clone(), known);
        // What is held for later is not there to be used.
        let held = held - numbering.bytes();
        let memory = self.resources.memory.map(|memory| memory.saturating_sub(held));
        let resources = Resources { memory, ..self.resources };
        let kind = numbering.kind();
        let checkpoints =
            self.checkpoints.as_mut().map(|store| &mut **store as &mut dyn CheckpointStore);
        let mut checkpoints = Checkpointing::new(checkpoints, kind);
        let solution = Solution::of(numbering, resources, &mut checkpoints, pool)?;
        let bytes = match store.keep(tier, &solution, pool) {
            Ok(bytes) => bytes,
            Err(error) => {
                // What went wrong first is what there is to tell.
                let _ = solution.keep(&mut checkpoints, pool);
                return Err(error);
            }
        };
        checkpoints.forget().map_err(SolveError::from)?;
        let Solution { cells, summary, .. } = solution;
        let values: Arc<dyn TierValues> = Arc::new(cells);
        store.hand_over(tier, &values);
        self.known[tier] = Some(SolvedTier { numbers, values });
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

/// Refuses tiers that lead to later ones.
pub(crate) fn check_order(tiers: &[Tier]) -> Result<(), SolveError> {
    for (at, tier) in tiers.iter().enumerate() {
        if let Some(&later) = tier.leads_to.iter().find(|&&next| next >= at) {
            let name = |tier: usize| {
                tiers.get(tier).map_or(format!("number {tier}"), |tier| tier.name.clone())
            };
            return Err(SolveError::TierOrder { tier: name(at), later: name(later) });
        }
    }
    Ok(())
}
