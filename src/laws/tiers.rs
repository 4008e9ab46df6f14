//! What a game in tiers has to keep beside the laws of all games.

use crate::game::{Player, Tier, TierIndexed, Tiered, VisitSuccessors};
use crate::laws::checker::Broken;
use crate::laws::{Law, LawError};
use crate::notation::Notation;

/// The check of a game's tiers.
pub(super) struct TierLaws<'g, G> {
    game: &'g G,
    tiers: Vec<Tier>,
}

impl<'g, G: Tiered + Notation> TierLaws<'g, G> {
    pub(super) fn new(game: &'g G) -> Self {
        TierLaws { game, tiers: game.tiers() }
    }

    fn broken(text: String) -> Result<(), LawError> {
        Err(Broken(Law::Tiers, text).into())
    }

    /// Checks that tiers lead to tiers before them, and have names of their own.
    pub(super) fn check_order(&self) -> Result<(), LawError> {
        for (at, tier) in self.tiers.iter().enumerate() {
            let name = &tier.name;
            if let Some(next) = tier.leads_to.iter().find(|&&next| next >= at) {
                return Self::broken(format!("tier {name}, number {at}, leads to number {next}"));
            }
            if self.tiers[..at].iter().any(|other| other.name == *name) {
                return Self::broken(format!("two tiers are called {name}"));
            }
        }
        Ok(())
    }

    /// Checks the moves of a state; `number` numbers all states.
    pub(super) fn check(
        &self,
        state: &G::State,
        number: impl Fn(&G::State) -> Option<u64>,
    ) -> Result<(), LawError> {
        let game = self.game;
        let tier = game.tier(state);
        let Some(Tier { name, leads_to }) = self.tiers.get(tier) else {
            let state = game.write_state(state);
            return Self::broken(format!("{state} is in tier {tier}, which there is not"));
        };
        let canonical = game.canonical(state);
        if game.tier(&canonical) != tier {
            let (state, canonical) = (game.write_state(state), game.write_state(&canonical));
            return Self::broken(format!(
                "{state} is in tier {name}, and {canonical}, which stands for it, in another"
            ));
        }
        if game.terminal(state).is_some() {
            return Ok(());
        }
        let mut outside = Vec::new();
        game.moves(state, |next| {
            if game.tier(&next) != tier {
                outside.push(next);
            }
        });
        if let Some(next) = outside.iter().find(|next| !leads_to.contains(&game.tier(next))) {
            let (state, to, next) =
                (game.write_state(state), game.tier(next), game.write_state(next));
            return Self::broken(format!(
                "{state}, in tier {name}, has a move to {next}, in tier number {to}, to which {name} \
                 does not say it leads"
            ));
        }
        let number = |next: &G::State| (number(next), game.turn(next));
        let mut left = Vec::new();
        game.exits(tier, state, |next| left.push(number(&next)));
        let mut outside: Vec<_> = outside.iter().map(number).collect();
        for numbers in [&mut left, &mut outside] {
            numbers.sort_unstable();
            numbers.dedup();
        }
        if left == outside {
            return Ok(());
        }
        let (state, left, outside) = (game.write_state(state), left.len(), outside.len());
        Self::broken(format!(
            "{state} has {outside} distinct successors outside its tier, and `exits` visits {left}, \
             or others"
        ))
    }
}

impl<G: TierIndexed + Notation> TierLaws<'_, G> {
    /// Checks what is told of a state's successors by their indices, whether all matter, or none, or some
    /// of those that are asked about together.
    pub(super) fn check_successors(&self, state: &G::State) -> Result<(), LawError> {
        let game = self.game;
        if game.terminal(state).is_some() {
            return Ok(());
        }
        let tier = game.tier(state);
        let place = |next: &G::State| {
            let at = game.tier(next);
            Place {
                stays: at == tier,
                tier: at,
                index: game.tier_index(at, next),
                turn: game.turn(next),
            }
        };
        let run = game.run_len(tier);
        if !run.is_power_of_two() {
            let text = format!("in tier number {tier}, a run has {run} indices, no power of two");
            return Err(Broken(Law::Successors, text).into());
        }
        let mut expected = Vec::new();
        game.moves(state, |next| expected.push(place(&next)));
        // Whether even runs, odd runs and other tiers matter.
        for matter in [[true; 3], [false; 3], [true, false, false], [false, true, true]] {
            let mut told = Told::new(run, matter);
            game.successors(tier, state, &mut told);
            let in_tier =
                told.in_tier.iter().map(|&(index, turn)| Place { stays: true, tier, index, turn });
            let others = told.others.iter().map(|next| Place { stays: false, ..place(next) });
            let places: Vec<Place> = in_tier.chain(others).collect();
            let too_much = places.iter().find(|place| !expected.contains(place));
            let missing = || {
                let is_told = |place| places.contains(place) || told.passes_over(place);
                expected.iter().find(|&place| !is_told(place))
            };
            let (place, what) = match (too_much, missing()) {
                (Some(place), _) => (place, "tells more than the moves"),
                (None, Some(place)) => (place, "does not tell all moves"),
                (None, None) => continue,
            };
            let Place { stays, tier: at, index, turn } = place;
            let text = format!(
                "of {}, `successors` {what}: one that {} tier number {tier}, to index {index} of number \
                 {at}, {turn:?} to move",
                game.write_state(state),
                if *stays { "stays in" } else { "leaves" },
            );
            return Err(Broken(Law::Successors, text).into());
        }
        Ok(())
    }
}

/// Where a move leads.
#[derive(PartialEq)]
struct Place {
    /// Whether to the tier that it comes from.
    stays: bool,
    tier: usize,
    index: u64,
    turn: Player,
}

/// What is told of the successors of a state.
struct Told<State> {
    run: u64,
    /// Whether even runs, odd runs and other tiers matter, if somebody asks.
    matter: [bool; 3],
    in_tier: Vec<(u64, Player)>,
    others: Vec<State>,
    /// The runs that don't matter, and who is to move in them.
    runs_passed: Vec<(u64, Player)>,
    others_passed: bool,
}

impl<State> Told<State> {
    fn new(run: u64, matter: [bool; 3]) -> Told<State> {
        let (in_tier, others, runs_passed) = (Vec::new(), Vec::new(), Vec::new());
        Told { run, matter, in_tier, others, runs_passed, others_passed: false }
    }

    /// Whether a successor did not have to be told.
    fn passes_over(&self, place: &Place) -> bool {
        match place.stays {
            true => self.runs_passed.contains(&(place.index / self.run, place.turn)),
            false => self.others_passed,
        }
    }
}

impl<State> VisitSuccessors<State> for Told<State> {
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
