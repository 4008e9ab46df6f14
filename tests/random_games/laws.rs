//! The laws of random games: no fault is found, in all states or in those found first.

use kit::cases;
use kit::random_game::{ALL, Mirror, NONE, RandomGame, State, WITHIN, plan};
use proptest::prelude::*;
use retrograde::error::{BrokenLaw, LawError};
use retrograde::laws::{Law, Laws, Report, Scope};
use retrograde::scheme::{Dense, Hashed, Packed, Scheme, Tiers};

/// Checks all laws. Returns `None` if turns never change in the checked states, which breaks a law.
fn check_laws<S, const P: u8, const D: bool, const F: bool>(
    game: &RandomGame<P, D, F>,
    scope: Scope,
) -> Option<Report>
where
    S: Scheme<RandomGame<P, D, F>>,
{
    passes(Laws::new(game).scope(scope).notation().check_as::<S>())
}

/// The report, or `None` if turns never change in the checked states. No other law may be broken.
fn passes(report: Result<Report, LawError>) -> Option<Report> {
    match report {
        Err(LawError::Broken(BrokenLaw { law: Law::Players, counterexample, .. })) => {
            assert!(counterexample.starts_with("the same player is to move"), "{counterexample}");
            None
        }
        report => Some(report.unwrap()),
    }
}

/// For each number up to `states`, checks all laws on a sample drawn from that number of states
/// found first.
fn check_beginnings<S, const P: u8, const D: bool, const F: bool>(
    game: &RandomGame<P, D, F>,
    states: u64,
) where
    S: Scheme<RandomGame<P, D, F>>,
{
    let scope = Scope::Sample { states: 20, seed: 1 };
    for first in 1..=states {
        let laws = Laws::new(game).scope(scope).notation().sample_from(first);
        if let Some(Report { drawn_from, .. }) = passes(laws.check_as::<S>()) {
            // States that are equal by symmetry count once.
            assert!(drawn_from.is_none_or(|found| found == first), "{first}: {drawn_from:?}");
        }
    }
}

/// Checks all laws on all states of the game, which are `states`. No law may be broken except by
/// turns that never change.
fn lawful<S, const P: u8, const D: bool, const F: bool>(
    game: &RandomGame<P, D, F>,
    states: &[State],
) -> Option<Report>
where
    S: Scheme<RandomGame<P, D, F>>,
{
    let report = check_laws::<S, P, D, F>(game, Scope::All);
    let plan = &game.0;
    let open = states.iter().filter(|state| plan.terminal(state).is_none());
    let changes: Vec<bool> = open
        .flat_map(|state| {
            plan.moves(state).into_iter().map(|to| plan.turn(&to) != plan.turn(state))
        })
        .collect();
    assert_eq!(report.is_none(), !changes.is_empty() && !changes.contains(&true));
    report
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(300), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_laws_find_nothing_wrong(plan in plan()) {
        let states = plan.nodes.len() as u64;
        let game = RandomGame::<ALL, false, true>(plan.clone());
        if let Some(report) = lawful::<Dense, _, _, _>(&game, &plan.states()) {
            prop_assert_eq!(report.states, states);
        }
        lawful::<Hashed, _, _, _>(&game, &plan.reachable());
        check_laws::<Hashed, _, _, _>(&game, Scope::Sample { states: 20, seed: 1 });
        check_beginnings::<Hashed, _, _, _>(&game, plan.reachable().len() as u64);
        let game = RandomGame::<NONE, false, true>(plan.clone());
        if let Some(report) = lawful::<Dense, _, _, _>(&game, &plan.states()) {
            prop_assert_eq!(report.predecessors, 0);
        }
        if !kit::PLAIN {
            lawful::<Hashed, _, _, _>(&game, &plan.reachable());
        }
        if !kit::PLAIN && plan.mirror == Mirror::None {
            let game = RandomGame::<ALL, true, false>(plan.clone());
            lawful::<Dense, _, _, _>(&game, &plan.states());
        }
    }

    #[test]
    fn the_laws_of_tiers_find_nothing_wrong(plan in plan(), tiers in 1..6_usize) {
        let tiers = tiers.min(plan.nodes.len());
        let plan = plan.in_tiers(tiers);
        let game = RandomGame::<ALL, false, true>(plan.clone());
        lawful::<Tiers<Dense>, _, _, _>(&game, &plan.states());
        lawful::<Tiers<Packed>, _, _, _>(&game, &plan.reachable());
        check_beginnings::<Tiers<Packed>, _, _, _>(&game, plan.reachable().len() as u64);
        let game = RandomGame::<WITHIN, false, true>(plan.clone());
        lawful::<Tiers<Dense>, _, _, _>(&game, &plan.states());
    }
}
