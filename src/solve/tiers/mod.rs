//! Solving a game tier by tier.
//!
//! A tier needs the values of the tiers that its moves lead to, and nothing else. The first pass
//! over a tier looks up its exits. After that the tier is solved like any other game, or is solved already if
//! all moves leave it.

mod memory;
mod moves;
mod shared;
mod store;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::error::SolveError;
use crate::explore::RecordedMoves;
use crate::game::value::Rules;
use crate::game::{Game, Outcome, Tier};
use crate::laws::check_order;
use crate::numbering::discovered::{KeyFiles, KeyForm};
use crate::numbering::indexing::{Indexing, Indices, Lookup, Tiering};
use crate::numbering::{AllTiers, Numbering, Part, SolvedTier, witnesses};
use crate::runtime::frontier::CHUNK;
use crate::runtime::peers::SEVERAL;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::Progress;
use crate::runtime::scratch::Scratch;
use crate::solve::cells::Cells;
use crate::solve::checkpoint::{CheckpointStore, Checkpointing};
use crate::solve::plan::{MemoryBudget, MemoryNeeds, Scratching, SolveLimits, width_of};
use crate::solve::resources::Resources;
use crate::solve::run;
use crate::solve::solution::Solution;
use crate::solve::solved::SaveTier;
use crate::solve::solved::{SolvedPart, TierFigures};
use crate::solve::states::{FoundStates, listing};
pub(crate) use memory::{Kept, Shares, TierSize, check as check_memory};
use memory::{Members, StatesSize, bytes_of_value};
use moves::TierMoves;
pub(crate) use shared::SharedValues;
use store::MemoryStore;
pub(crate) use store::TierStore;

/// Solves a game in memory, and saves each tier by `save`. `states` are the states of each tier.
pub(crate) fn in_memory<'g, 'k, G: Game, I: Indexing<G>, E: From<SolveError>>(
    game: &'g G,
    states: FoundStates<G, I>,
    resources: Resources<G>,
    checkpoints: Option<&'k mut (dyn CheckpointStore + 'k)>,
    save: &mut SaveTier<'_, G, E>,
    pool: &mut WorkerPool<'_>,
) -> Result<Solution<'g, G>, E> {
    let FoundStates { indices, moves } = states;
    let mut memory = MemoryStore::<G, I, E> { game, indices, values: Vec::new(), save };
    let run = TierRun::<G, I>::new(game, resources, checkpoints).with_moves(moves);
    let tiers = run.run(None, &mut memory, pool)?;
    let MemoryStore { indices, values, .. } = memory;
    Ok(Solution::new(AllTiers::<G, I>::new(game, indices), values, tiers))
}

/// A run through the tiers of a game. A game without tiers counts as one tier.
pub(crate) struct TierRun<'g, 'k, G: Game, I: Indexing<G>> {
    game: &'g G,
    tiers: Vec<Tier>,
    resources: Resources<G>,
    /// Where checkpoints within a tier are saved.
    checkpoints: Option<&'k mut (dyn CheckpointStore + 'k)>,
    /// The solved tiers that are in memory, by tier.
    solved: Vec<Option<SolvedTier<G, I>>>,
    /// Whether each of several processes holds only its part of the solved tiers.
    shares_exits: bool,
    /// How small the states of each solved tier in memory are: see [`KeyForm::smallness`].
    forms: Vec<u8>,
    /// The moves that were recorded while the states were discovered.
    moves: TierMoves,
}

/// How a tier and those that it leads to are loaded.
struct Loading {
    /// The form of the discovered states.
    form: KeyForm,
    /// The folder for the values, if they are in scratch files.
    scratch: Option<Arc<Scratch>>,
    /// The bytes of scratch files that both take.
    in_files: u64,
}

impl<'g, 'k, G: Game, I: Indexing<G>> TierRun<'g, 'k, G, I> {
    pub(crate) fn new(
        game: &'g G,
        resources: Resources<G>,
        checkpoints: Option<&'k mut (dyn CheckpointStore + 'k)>,
    ) -> Self {
        let tiers = I::Tiering::tiers(game);
        let (solved, forms) = (vec![None; tiers.len()], vec![0; tiers.len()]);
        let moves = TierMoves::default();
        TierRun { game, tiers, resources, checkpoints, solved, shares_exits: false, forms, moves }
    }

    /// The run with the recorded moves of each tier, if there are any.
    pub(crate) fn with_moves(self, moves: Vec<Option<RecordedMoves>>) -> Self {
        TierRun { moves: TierMoves::new(moves), ..self }
    }

    /// Solves every tier, or only one tier and the ones that it needs.
    pub(crate) fn run<S: TierStore<G, I>>(
        mut self,
        only: Option<usize>,
        store: &mut S,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Vec<TierFigures>, S::Error> {
        check_order(&self.tiers).map_err(SolveError::from)?;
        if I::Tiering::HAS_TIERS
            && let (Outcome::Win(_), Some(limit)) = (self.game.endless(), self.game.ply_limit())
        {
            return Err(SolveError::LimitInTiers { limit }.into());
        }
        let wanted = wanted(&self.tiers, only);
        let mut sizes: Vec<TierSize> =
            (0..self.tiers.len()).map(|tier| store.size(tier, self.moves.of(tier))).collect();
        // Several processes may have to ask each other for the values behind exits, before a pass.
        if SEVERAL && pool.has_peers() {
            sizes.iter_mut().for_each(|size| size.incoming.all_leave = false);
        }
        self.shares_exits = self.is_to_share(&wanted, &sizes, store, pool)?;
        let mut figures = Vec::new();
        for (done, &tier) in wanted.iter().enumerate() {
            if I::Tiering::HAS_TIERS {
                let event = Progress::Tier { done: done as u64, of: wanted.len() as u64 };
                pool.report(event).map_err(SolveError::from)?;
            }
            let found = store.find(tier, pool)?;
            figures.push(match found {
                Some(found) => {
                    drop(self.moves.take(tier));
                    found
                }
                None => self.solve(tier, &sizes, store, pool)?,
            });
            self.drop_unneeded(&wanted[done + 1..]);
        }
        Ok(figures)
    }

    /// Refuses tiers that can't be solved with the memory allowed. Returns whether several
    /// processes share the tiers that moves lead to. They share them if a process has no room for
    /// whole tiers, or holds only a part of their states. If there is room, each process holds
    /// whole tiers, because asking only for the values behind exits makes the total time longer: by
    /// a factor of 1.1 (KQvKR), 1.7 (KRBvKR) or 2 (seven men's morris).
    fn is_to_share<S: TierStore<G, I>>(
        &self,
        wanted: &[usize],
        sizes: &[TierSize],
        store: &S,
        pool: &mut WorkerPool<'_>,
    ) -> Result<bool, SolveError> {
        let (width, limits) = (width_of(self.game), self.resources.limits);
        let scratch = self.scratching(pool);
        let check = |shares| {
            let kept = (store.kept(), scratch);
            check_memory(&self.tiers, wanted, sizes, width, kept, limits, shares)
        };
        if !SEVERAL || !pool.has_peers() {
            return check(Shares::ALONE).map(|()| false);
        }
        let own = pool.processes();
        let whole = check(Shares { own, exits: 1 });
        let is_crowded = store.shares_states() || whole.is_err();
        let mut crowded = [u64::from(is_crowded)];
        pool.sum(&mut crowded)?;
        if crowded == [0] {
            return Ok(false);
        }
        check(Shares { own, exits: own }).map(|()| true)
    }

    fn solve<S: TierStore<G, I>>(
        &mut self,
        tier: usize,
        sizes: &[TierSize],
        store: &mut S,
        pool: &mut WorkerPool<'_>,
    ) -> Result<TierFigures, S::Error> {
        let Tier { name, leads_to } = self.tiers[tier].clone();
        let len = sizes[tier].len;
        self.resources.limits.check_len(len)?;
        let tier_name = I::Tiering::HAS_TIERS.then_some(name.as_str());
        let SolveLimits { memory: allowed, saving, .. } = self.resources.limits;
        let exits = sizes[tier].incoming;
        let incoming = exits.share(pool.processes());
        let room = |held| MemoryBudget {
            tier: tier_name,
            allowed,
            held,
            incoming,
            all_leave: exits.all_leave.then_some(exits.bytes),
            loaded_in_files: 0,
            saving,
            scratch: Scratching::Never,
        };
        let (window, width) = (pool.windows(len, CHUNK).own_window(), width_of(self.game));
        let weigh = |numbering, held| {
            MemoryNeeds::weigh(window.end - window.start, numbering, width, room(held))
        };
        let fits = |bytes, scratch| {
            let room = MemoryBudget { scratch, ..room(0) };
            MemoryNeeds::weigh(window.end - window.start, bytes, width, room).is_ok()
        };
        let Loading { form, scratch, in_files } =
            self.loading(tier, sizes, store.kept(), &fits, pool);
        self.drop_larger(&form, scratch.is_some());
        let indices = store.indices(tier, &form)?;
        let own = I::Lookup::bytes(&indices);
        // Values that only later tiers need can be loaded again.
        let loaded = match scratch {
            Some(_) => 0,
            None => self.bytes_to_load(&leads_to, sizes, &form, pool),
        };
        let numbering = own + self.bytes_of_solved() + loaded;
        let has_room = weigh(numbering, 0).is_ok_and(|needs| needs.may_widen());
        let mut crowded = [u64::from(!has_room)];
        pool.sum(&mut crowded).map_err(SolveError::from)?;
        if crowded != [0] {
            self.drop_unneeded(&[tier]);
        }
        for &needed in &leads_to {
            if self.solved[needed].is_none() {
                let scratch = scratch.as_ref();
                let loaded = store.load(needed, self.shares_exits, &form, scratch, pool)?;
                self.solved[needed] = Some(loaded);
                self.forms[needed] = form.smallness();
            }
        }
        let held = store.bytes().max(own + self.bytes_of_solved());
        let numbering = Part::<G, I>::new(self.game, tier, indices.clone(), self.exits(&leads_to))
            .writing(self.resources.write);
        // Memory that is held for later tiers can't be used for this one.
        let mut held = held - numbering.bytes();
        let recorded = self.moves.take(tier);
        let beside = held + self.moves.bytes();
        let recorded = recorded.filter(|recorded| {
            weigh(numbering.bytes(), beside).is_ok_and(|needs| recorded.fits(needs.spare()))
        });
        match &recorded {
            Some(_) => held = beside,
            // Later tiers would have to ask the rules, too.
            None => self.moves = TierMoves::default(),
        }
        let kind = numbering.kind();
        let rules = Rules::of_game(self.game);
        let scratch = self.scratching(pool);
        let room = MemoryBudget { scratch, loaded_in_files: in_files, ..room(held) };
        let checkpoints =
            self.checkpoints.as_mut().map(|store| &mut **store as &mut dyn CheckpointStore);
        let mut checkpoints = Checkpointing::new(checkpoints, kind);
        let (cells, summary) =
            run::solve(&numbering, recorded, room, rules, &mut checkpoints, pool)?;
        let part = SolvedPart {
            kind,
            len,
            values: &cells,
            states: I::Lookup::listed(&numbering.indices),
            summary: &summary,
            witnesses: witnesses::<G, I>,
        };
        let bytes = match store.save(tier, part, pool) {
            Ok(bytes) => bytes,
            Err(error) => {
                // The first error is reported, even if this saving fails too. Other processes know
                // of no error, and would not save.
                if !pool.has_peers() {
                    let _ = run::save_solved(&cells, &summary, &mut checkpoints, pool);
                }
                return Err(error);
            }
        };
        // For a game without tiers, a single process removes the checkpoint later, once it has
        // answered.
        if I::Tiering::HAS_TIERS || pool.has_peers() {
            checkpoints.remove(pool)?;
        }
        let values = Arc::new(cells);
        store.hand_over(tier, &values);
        self.solved[tier] = self.for_later_tiers(indices, values, len, pool);
        self.forms[tier] = form.smallness();
        Ok(TierFigures { name, summary, bytes, found: false })
    }

    /// How a tier and those that it leads to are loaded. States are coded if they take too much memory as they
    /// are. What does not fit into memory even so is in scratch files: the values, and states that take more
    /// than a quarter of it.
    fn loading(
        &self,
        tier: usize,
        sizes: &[TierSize],
        kept: Kept,
        fits: &dyn Fn(u64, Scratching) -> bool,
        pool: &WorkerPool<'_>,
    ) -> Loading {
        let a_value = bytes_of_value(width_of(self.game));
        let Members { keys, values, states } = Members::of(tier, &self.tiers, sizes, a_value);
        let StatesSize { listed, coded, .. } = states;
        let is_coded = coded < listed
            && !(fits(listed.saturating_add(values), Scratching::Never)
                && listing::<G, I>(self.resources).pays(keys));
        let states = if is_coded { coded } else { listed };
        let wanted = self.scratching(pool);
        let has_files = kept == Kept::InFiles
            && wanted == Scratching::Wanted
            && !fits(states.saturating_add(values), Scratching::Never);
        let Some(scratch) = pool.scratch().filter(|_| has_files) else {
            let form = if is_coded { KeyForm::Coded(None) } else { KeyForm::Listed };
            return Loading { form, scratch: None, in_files: 0 };
        };
        let quarter = self.resources.limits.memory.unwrap_or(u64::MAX) / 4;
        scratch.set_room(quarter);
        let are_keys = is_coded && (coded > quarter || !fits(coded, wanted));
        let form = match is_coded {
            true => KeyForm::Coded(are_keys.then(|| Arc::new(KeyFiles::new(scratch, 0)))),
            false => KeyForm::Listed,
        };
        let in_files = values.saturating_add(if are_keys { coded } else { 0 });
        Loading { form, scratch: Some(scratch.clone()), in_files }
    }

    /// Drops the solved tiers that take more memory than if they are loaded again: as coded states, or into
    /// scratch files.
    fn drop_larger(&mut self, form: &KeyForm, values_in_files: bool) {
        for (solved, has) in self.solved.iter_mut().zip(&self.forms) {
            solved.take_if(|tier| {
                *has < form.smallness() || values_in_files && tier.values.bytes() > 0
            });
        }
    }

    /// Whether what does not fit into memory may be in scratch files.
    fn scratching(&self, pool: &WorkerPool<'_>) -> Scratching {
        let wanted = self.resources.limits.scratch;
        Scratching::of(pool.has_peers(), wanted)
    }

    /// The size of the solved tiers that are in memory, in bytes.
    fn bytes_of_solved(&self) -> u64 {
        self.solved.iter().flatten().map(SolvedTier::bytes).sum()
    }

    /// How much memory the tiers to which a tier leads take once they are loaded, in bytes, beside those that are in
    /// memory.
    fn bytes_to_load(
        &self,
        leads_to: &[usize],
        sizes: &[TierSize],
        form: &KeyForm,
        pool: &WorkerPool<'_>,
    ) -> u64 {
        let several = SEVERAL && pool.has_peers();
        let a_value = if several { 2 } else { bytes_of_value(width_of(self.game)) };
        let missing: BTreeSet<usize> =
            leads_to.iter().copied().filter(|&next| self.solved[next].is_none()).collect();
        let bytes = missing.into_iter().map(|next| {
            let TierSize { len, states, .. } = sizes[next];
            let states = match form {
                KeyForm::Listed => states.listed,
                KeyForm::Coded(None) => states.coded,
                KeyForm::Coded(Some(_)) => states.beside_files,
            };
            len.saturating_mul(a_value).saturating_add(states)
        });
        let bytes = bytes.fold(0, u64::saturating_add);
        if self.shares_exits { bytes.div_ceil(pool.processes() as u64) } else { bytes }
    }

    /// The solved tiers to which a tier leads, by tier.
    fn exits(&self, leads_to: &[usize]) -> Vec<Option<SolvedTier<G, I>>> {
        let mut exits = vec![None; self.tiers.len()];
        leads_to.iter().for_each(|&next| exits[next] = self.solved[next].clone());
        exits
    }

    /// A tier that has just been solved, as later tiers look it up. `None` if they load it.
    fn for_later_tiers(
        &self,
        indices: Indices<G, I>,
        values: Arc<Cells>,
        len: u64,
        pool: &WorkerPool<'_>,
    ) -> Option<SolvedTier<G, I>> {
        if !SEVERAL || !pool.has_peers() {
            // Looking values up anywhere in a file would take long.
            let is_at_hand = !I::Tiering::HAS_TIERS || values.scratch().is_none();
            return is_at_hand.then_some(SolvedTier { indices, values });
        }
        self.shares_exits.then(|| {
            let windows = pool.windows(len, CHUNK);
            SolvedTier { indices, values: Arc::new(SharedValues { windows, values }) }
        })
    }

    /// Drops the values of the tiers to which none of these leads.
    fn drop_unneeded(&mut self, needing: &[usize]) {
        let mut needed = vec![false; self.tiers.len()];
        for &tier in needing {
            self.tiers[tier].leads_to.iter().for_each(|&next| needed[next] = true);
        }
        for (solved, _) in self.solved.iter_mut().zip(needed).filter(|(_, needed)| !needed) {
            *solved = None;
        }
    }
}

/// The places of the tiers to solve, in solving order: all of them, or only one tier and the ones
/// that it needs.
pub(crate) fn wanted(tiers: &[Tier], only: Option<usize>) -> Vec<usize> {
    let Some(only) = only else { return (0..tiers.len()).collect() };
    let mut wanted = vec![false; tiers.len()];
    wanted[only] = true;
    // Each tier leads only to earlier ones.
    for tier in (0..=only).rev() {
        if wanted[tier] {
            tiers[tier].leads_to.iter().for_each(|&next| wanted[next] = true);
        }
    }
    (0..wanted.len()).filter(|&tier| wanted[tier]).collect()
}
