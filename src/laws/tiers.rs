//! The laws for games in tiers, beside the laws for all games.

use std::collections::BTreeSet;

use crate::error::{BrokenLaw, Law};
use crate::game::{Game, Player, Rows, Tier, Turns, VisitSuccessors, WriteState, wrong_name};
use crate::laws::rows::{Told, difference};
use crate::numbering::indexing::{Indexing, Lookup, Tiering};
use crate::numbering::{AllTiers, Part};

/// Refuses tiers that lead to later ones, and two tiers of one name.
pub(crate) fn check_order(tiers: &[Tier]) -> Result<(), BrokenLaw> {
    for (at, Tier { name, leads_to }) in tiers.iter().enumerate() {
        if tiers[..at].iter().any(|other| other.name == *name) {
            return broken(format!(
                "two tiers are called {name}: give each tier of `Tiered::tiers` a name of its own"
            ));
        }
        if let Some(&later) = leads_to.iter().find(|&&next| next >= at) {
            let later = name_of(tiers, later);
            return broken(format!(
                "tier {name} leads to {later}, which does not come before it in the solving order: \
                 list it earlier in `Tiered::tiers`"
            ));
        }
    }
    Ok(())
}

/// The name of the tier of this number, or the number if there is none.
fn name_of(tiers: &[Tier], tier: usize) -> String {
    tiers.get(tier).map_or(format!("number {tier}"), |tier| tier.name.clone())
}

/// Refuses tiers that can't have their names.
pub(super) fn check_names(tiers: &[Tier]) -> Result<(), BrokenLaw> {
    wrong_name(tiers).map_or(Ok(()), broken)
}

fn broken(text: String) -> Result<(), BrokenLaw> {
    Err(BrokenLaw::new(Law::Tiers, [], text))
}

/// The check of a game's tiers.
pub(super) struct TierLaws<'a, 'g, G: Game, I: Indexing<G>> {
    pub(super) all: &'a AllTiers<'g, G, I>,
    pub(super) tiers: Vec<Tier>,
    pub(super) write: WriteState<G>,
}

impl<G: Game, I: Indexing<G>> TierLaws<'_, '_, G, I> {
    /// Checks the laws for tiers on a state.
    pub(super) fn check(&self, state: &G::State) -> Result<(), BrokenLaw> {
        self.check_moves(state)?;
        if I::HAS_SUCCESSOR_INDICES {
            self.check_successors(state)?;
        }
        let tier = I::Tiering::tier(self.all.game, state);
        self.check_rows(I::rows(self.all.game, tier), tier, state)
    }

    /// Checks what the game tells of the row of a state.
    fn check_rows<R: Rows>(
        &self,
        rows: Option<R>,
        tier: usize,
        state: &G::State,
    ) -> Result<(), BrokenLaw> {
        if !R::ANY || self.all.game.terminal(state).is_some() {
            return Ok(());
        }
        let game = self.all.game;
        let indices = &self.all.tiers()[tier];
        let index_of = |state: &G::State| I::Lookup::index(indices, game, tier, state);
        let (Some(rows), Some(index)) = (rows, index_of(state)) else { return Ok(()) };
        let (mut exits, mut successors) = (BTreeSet::new(), BTreeSet::new());
        game.moves(state, |next| {
            let to = I::Tiering::tier(game, &next);
            let index = I::Lookup::index(&self.all.tiers()[to], game, to, &next);
            match to == tier {
                true => successors.extend(index),
                false => exits.extend(index.map(|index| (to, index))),
            }
        });
        let is_used = |index: u64| {
            let len = I::Lookup::len(indices, game, tier);
            index < len && I::Lookup::state(indices, game, tier, index).is_some()
        };
        let mut predecessors = BTreeSet::new();
        I::Tiering::predecessors(game, tier, state, |before| {
            predecessors.extend(index_of(&before).filter(|&index| is_used(index)));
        });
        let turn = game.mover(state);
        let told = Told { index, turn, exits, successors, predecessors, is_used: &is_used };
        difference(&rows, &told).map_or(Ok(()), |difference| {
            let state = (self.write)(game, state);
            let text = format!(
                "`tier_rows` and the moves of {state} (index {index}) disagree: {difference}"
            );
            Err(BrokenLaw::new(Law::Successors, [state], text))
        })
    }

    /// Checks the moves of a state.
    fn check_moves(&self, state: &G::State) -> Result<(), BrokenLaw> {
        let game = self.all.game;
        let write = |state: &G::State| (self.write)(game, state);
        let tier_of = |state: &G::State| I::Tiering::tier(game, state);
        let tier = tier_of(state);
        let Some(Tier { name, leads_to }) = self.tiers.get(tier) else {
            return Err(BrokenLaw::no_tier(write(state), tier, self.tiers.len()));
        };
        let canonical = game.canonical(state);
        if tier_of(&canonical) != tier {
            let (state, canonical) = (write(state), write(&canonical));
            let text = format!(
                "{state} is in tier {name}, but its representative {canonical} is in another"
            );
            return Err(BrokenLaw::new(Law::Tiers, [state, canonical], text));
        }
        if game.terminal(state).is_some() {
            return Ok(());
        }
        let mut outside = Vec::new();
        game.moves(state, |next| {
            if tier_of(&next) != tier {
                outside.push(next);
            }
        });
        if let Some(next) = outside.iter().find(|next| !leads_to.contains(&tier_of(next))) {
            let to = name_of(&self.tiers, tier_of(next));
            return Err(BrokenLaw::unexpected_tier([state, next].map(write), name, &to));
        }
        Ok(())
    }

    /// Checks the successor indices that the game computes for a state: with a visitor that needs
    /// all, none, or some runs of indices.
    fn check_successors(&self, state: &G::State) -> Result<(), BrokenLaw> {
        let game = self.all.game;
        let write = |state: &G::State| (self.write)(game, state);
        if game.terminal(state).is_some() {
            return Ok(());
        }
        let tier = I::Tiering::tier(game, state);
        let place = |next: &G::State| {
            let at = I::Tiering::tier(game, next);
            let index = I::Lookup::index(&self.all.tiers()[at], game, at, next).unwrap_or(u64::MAX);
            Successor { stays: at == tier, tier: at, index, turn: game.next_mover(next) }
        };
        let part = Part::<G, I>::new(game, tier, self.all.tiers()[tier].clone(), Vec::new());
        let run = I::run_len(game, tier);
        if !run.is_power_of_two() {
            let text = format!("in tier {tier}, a run has {run} indices, which is no power of two");
            return Err(BrokenLaw::new(Law::Successors, [], text));
        }
        let mut expected = Vec::new();
        game.moves(state, |next| expected.push(place(&next)));
        // Whether even runs, odd runs and other tiers matter.
        for matter in [[true; 3], [false; 3], [true, false, false], [false, true, true]] {
            let mut recorder = Recorder::new(run, matter);
            I::successors(&part, state, &mut recorder);
            let in_tier = recorder.in_tier.iter().map(|&(index, turn)| Successor {
                stays: true,
                tier,
                index,
                turn,
            });
            let others =
                recorder.others.iter().map(|next| Successor { stays: false, ..place(next) });
            let by_index = recorder.by_index.iter().map(|&(at, index, turn)| Successor {
                stays: false,
                tier: at,
                index,
                turn,
            });
            let places: Vec<Successor> = in_tier.chain(others).chain(by_index).collect();
            let too_much = places.iter().find(|place| !expected.contains(place));
            let missing = || {
                let is_visited = |place| places.contains(place) || recorder.passes_over(place);
                expected.iter().find(|&place| !is_visited(place))
            };
            let (place, what) = match (too_much, missing()) {
                (Some(place), _) => (place, "visits more than the moves"),
                (None, Some(place)) => (place, "does not visit all moves"),
                (None, None) => continue,
            };
            let Successor { stays, tier: at, index, turn } = place;
            let state = write(state);
            let text = format!(
                "for {state}, `tier_successor_indices` {what}: one that {} tier {tier}, to index {index} of tier {at}, \
                 with {turn} to move",
                if *stays { "stays in" } else { "leaves" },
            );
            return Err(BrokenLaw::new(Law::Successors, [state], text));
        }
        Ok(())
    }
}

/// A successor, by its index.
#[derive(PartialEq)]
struct Successor {
    /// Whether the move stays in its tier.
    stays: bool,
    tier: usize,
    index: u64,
    turn: Player,
}

/// Records the successors that a game visits, and the successors that it may leave out.
struct Recorder<State> {
    run: u64,
    /// Whether even runs, odd runs and other tiers matter.
    matter: [bool; 3],
    in_tier: Vec<(u64, Player)>,
    others: Vec<State>,
    /// The tier, the index and the player to move of others that were visited by them.
    by_index: Vec<(usize, u64, Player)>,
    /// The runs that the game may leave out, and the player to move in them.
    runs_passed: Vec<(u64, Player)>,
    others_passed: bool,
}

impl<State> Recorder<State> {
    fn new(run: u64, matter: [bool; 3]) -> Recorder<State> {
        let (in_tier, others, by_index, runs_passed) = Default::default();
        Recorder { run, matter, in_tier, others, by_index, runs_passed, others_passed: false }
    }

    /// Whether the game may leave out this successor.
    fn passes_over(&self, place: &Successor) -> bool {
        match place.stays {
            true => self.runs_passed.contains(&(place.index / self.run, place.turn)),
            false => self.others_passed,
        }
    }
}

impl<State> VisitSuccessors<State> for Recorder<State> {
    fn run_matters(&mut self, index: u64, turn: Player) -> bool {
        let run = index / self.run;
        let matters = self.matter[usize::from(!run.is_multiple_of(2))];
        if !matters {
            self.runs_passed.push((run, turn));
        }
        matters
    }

    fn others_matter(&mut self) -> bool {
        self.others_passed |= !self.matter[2];
        self.matter[2]
    }

    fn stay(&mut self, index: u64, turn: Player) {
        self.in_tier.push((index, turn));
    }

    fn leave(&mut self, state: State) {
        self.others.push(state);
    }

    fn leave_to(&mut self, tier: usize, index: u64, turn: Player) {
        self.by_index.push((tier, index, turn));
    }
}
