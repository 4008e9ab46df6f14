//! The laws for games in tiers, beside the laws for all games.

use crate::error::{Law, LawError};
use crate::game::{Game, Player, Tier, Turns, VisitSuccessors, WriteState, wrong_name};
use crate::laws::checker::Broken;
use crate::numbering::indexing::{Indexing, Lookup, Tiering};
use crate::numbering::{AllTiers, Part};

/// Refuses tiers that lead to tiers not before them.
pub(super) fn check_order(tiers: &[Tier]) -> Result<(), LawError> {
    for (at, tier) in tiers.iter().enumerate() {
        let name = &tier.name;
        if let Some(next) = tier.leads_to.iter().find(|&&next| next >= at) {
            return broken(format!(
                "tier {name}, at {at} in the list of tiers, leads to the tier at {next}, which does not come before it"
            ));
        }
    }
    Ok(())
}

/// Refuses tiers that can't have their names.
pub(super) fn check_names(tiers: &[Tier]) -> Result<(), LawError> {
    wrong_name(tiers).map_or(Ok(()), broken)
}

fn broken(text: String) -> Result<(), LawError> {
    Err(Broken(Law::Tiers, text).into())
}

/// The check of a game's tiers.
pub(super) struct TierLaws<'a, 'g, G: Game, I: Indexing<G>> {
    pub(super) all: &'a AllTiers<'g, G, I>,
    pub(super) tiers: Vec<Tier>,
    pub(super) write: WriteState<G>,
}

impl<G: Game, I: Indexing<G>> TierLaws<'_, '_, G, I> {
    /// Checks the laws for tiers on a state.
    pub(super) fn check(&self, state: &G::State) -> Result<(), LawError> {
        self.check_moves(state)?;
        if I::HAS_SUCCESSOR_INDICES { self.check_successors(state) } else { Ok(()) }
    }

    /// Checks the moves of a state.
    fn check_moves(&self, state: &G::State) -> Result<(), LawError> {
        let game = self.all.game;
        let write = |state: &G::State| (self.write)(game, state);
        let tier_of = |state: &G::State| I::Tiering::tier(game, state);
        let tier = tier_of(state);
        let Some(Tier { name, leads_to }) = self.tiers.get(tier) else {
            let state = write(state);
            return broken(format!(
                "{state} is in tier {tier}, but the game has {} tiers",
                self.tiers.len()
            ));
        };
        let canonical = game.canonical(state);
        if tier_of(&canonical) != tier {
            let (state, canonical) = (write(state), write(&canonical));
            return broken(format!(
                "{state} is in tier {name}, but its representative {canonical} is in another"
            ));
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
            let to = tier_of(next);
            let to = self.tiers.get(to).map_or(format!("number {to}"), |to| to.name.clone());
            let (state, next) = (write(state), write(next));
            return broken(format!(
                "{state}, in tier {name}, has a move to {next}, in tier {to}, which is not in \
                 `leads_to` of {name}"
            ));
        }
        Ok(())
    }

    /// Checks the successor indices that the game computes for a state: with a visitor that needs
    /// all, none, or some runs of indices.
    fn check_successors(&self, state: &G::State) -> Result<(), LawError> {
        let game = self.all.game;
        let write = |state: &G::State| (self.write)(game, state);
        if game.terminal(state).is_some() {
            return Ok(());
        }
        let tier = I::Tiering::tier(game, state);
        let place = |next: &G::State| {
            let at = I::Tiering::tier(game, next);
            let index = I::Lookup::index(&self.all.tiers()[at], game, at, next).unwrap_or(u64::MAX);
            Place { stays: at == tier, tier: at, index, turn: game.next_mover(next) }
        };
        let part = Part::<G, I>::new(game, tier, self.all.tiers()[tier].clone(), Vec::new());
        let run = I::run_len(game, tier);
        if !run.is_power_of_two() {
            let text = format!("in tier {tier}, a run has {run} indices, which is no power of two");
            return Err(Broken(Law::Successors, text).into());
        }
        let mut expected = Vec::new();
        game.moves(state, |next| expected.push(place(&next)));
        // Whether even runs, odd runs and other tiers matter.
        for matter in [[true; 3], [false; 3], [true, false, false], [false, true, true]] {
            let mut recorder = Recorder::new(run, matter);
            I::successors(&part, state, &mut recorder);
            let in_tier = recorder.in_tier.iter().map(|&(index, turn)| Place {
                stays: true,
                tier,
                index,
                turn,
            });
            let others = recorder.others.iter().map(|next| Place { stays: false, ..place(next) });
            let places: Vec<Place> = in_tier.chain(others).collect();
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
            let Place { stays, tier: at, index, turn } = place;
            let text = format!(
                "for {}, `tier_successor_indices` {what}: one that {} tier {tier}, to index {index} of tier {at}, \
                 with {turn} to move",
                write(state),
                if *stays { "stays in" } else { "leaves" },
            );
            return Err(Broken(Law::Successors, text).into());
        }
        Ok(())
    }
}

/// The place of a successor.
#[derive(PartialEq)]
struct Place {
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
    /// The runs that the game may leave out, and the player to move in them.
    runs_passed: Vec<(u64, Player)>,
    others_passed: bool,
}

impl<State> Recorder<State> {
    fn new(run: u64, matter: [bool; 3]) -> Recorder<State> {
        let (in_tier, others, runs_passed) = (Vec::new(), Vec::new(), Vec::new());
        Recorder { run, matter, in_tier, others, runs_passed, others_passed: false }
    }

    /// Whether the game may leave out this successor.
    fn passes_over(&self, place: &Place) -> bool {
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
}
