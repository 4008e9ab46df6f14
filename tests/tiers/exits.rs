//! A game whose `exits` forgets a move in few states.

use retrograde::error::{BrokenLaw, Law};
use retrograde::scheme::{Dense, Tiers};
use retrograde::{Game, Outcome, Players, SolveError, Solver, Tier, TierIndexed, Tiered};

const STAIRS: u32 = 120;
const STEPS: u32 = 1000;

/// A token walks down stairs of many steps each, by one step, or by a whole stair. Each stair is a tier.
struct Stairs {
    /// The exit by a whole stair is forgotten on this step of each stair.
    forgotten: Option<u32>,
}

impl Game for Stairs {
    type State = u32;
    const PLAYERS: Players = Players::Unnamed;

    fn terminal(&self, &at: &u32) -> Option<Outcome> {
        (at < STEPS).then_some(if at % 3 == 0 { Outcome::MoverLoses } else { Outcome::MoverWins })
    }

    fn moves(&self, &at: &u32, visit: impl FnMut(u32)) {
        [at - 1, at - STEPS].into_iter().for_each(visit);
    }

    fn roots(&self) -> impl IntoIterator<Item = u32> {
        [STAIRS * STEPS - 1]
    }
}

impl Tiered for Stairs {
    fn tiers(&self) -> Vec<Tier> {
        let tier = |stair: usize| Tier {
            name: format!("stair-{stair}"),
            leads_to: stair.checked_sub(1).into_iter().collect(),
        };
        (0..STAIRS as usize).map(tier).collect()
    }

    fn tier(&self, &at: &u32) -> usize {
        (at / STEPS) as usize
    }

    fn exits(&self, _: usize, &at: &u32, mut visit: impl FnMut(u32)) {
        if at % STEPS == 0 {
            visit(at - 1);
        }
        if self.forgotten != Some(at % STEPS) {
            visit(at - STEPS);
        }
    }
}

impl TierIndexed for Stairs {
    fn tier_len(&self, _: usize) -> u64 {
        STEPS.into()
    }

    fn tier_index(&self, _: usize, &at: &u32) -> u64 {
        (at % STEPS).into()
    }

    fn tier_unindex(&self, tier: usize, index: u64) -> Option<u32> {
        Some(tier as u32 * STEPS + index as u32)
    }
}

/// A solve looks at a few states of each tier: here, one in a thousand is wrong.
#[test]
fn an_exit_that_few_states_forget_is_noticed_when_solving() {
    assert!(Solver::new(&Stairs { forgotten: None }).solve_as::<Tiers<Dense>>().is_ok());
    let solved = Solver::new(&Stairs { forgotten: Some(500) }).solve_as::<Tiers<Dense>>();
    let Err(SolveError::BrokenLaw(BrokenLaw { law, counterexample, .. })) = solved.map(|_| ())
    else {
        panic!("the forgotten exit was not noticed")
    };
    assert_eq!(law, Law::Tiers);
    assert!(counterexample.contains("which `exits` does not visit"), "{counterexample}");
}
