//! Games that break their promises about points, and the laws.

use kit::cases;
use kit::random_game::{ALL, BY_INDEX, Mirror, NONE, State};
use proptest::prelude::*;
use retrograde::error::{BrokenLaw, LawError};
use retrograde::laws::{Law, Laws, Scope};
use retrograde::scheme::{Dense, Hashed, Packed, Scheme, Tiers};
use retrograde::{Notation, Outcome, Player, SolveError, Solver, Value};

use super::compare::{most_points, solved};
use super::ends::{end, in_two_tiers, moves};
use super::game::{DISTINCT, FOLDED, Node, Plan, PointGame, Recipe, UNNAMED, recipe};

/// Checks all laws. No law may be broken except by turns that never change.
fn check_laws<S, const P: u8, const A: bool, const W: u8>(plan: &Plan, scope: Scope)
where
    S: Scheme<PointGame<P, A, W>>,
{
    let game = PointGame::<P, A, W>(plan.clone());
    match Laws::new(&game).scope(scope).notation().check_as::<S>() {
        Err(LawError::Broken(BrokenLaw { law: Law::Players, counterexample, .. })) => {
            assert!(counterexample.starts_with("the same player is to move"), "{counterexample}");
        }
        report => _ = report.unwrap(),
    }
}

/// A gain for the first move that stays in the tier, between states that `wanted` accepts; and the
/// names of the two states.
fn gaining_within(plan: &Plan, wanted: impl Fn(u16) -> bool) -> Option<(Plan, [u16; 2])> {
    let mut other = plan.clone();
    for (node, from) in other.nodes.iter_mut().zip(0_u16..) {
        if node.terminal.is_some() || !wanted(from) {
            continue;
        }
        let stays = |to: u16| plan.tier_of(to) == plan.tier_of(from);
        let Some(to) = node.moves.iter().map(|step| step.to).find(|&to| stays(to)) else {
            continue;
        };
        for step in node.moves.iter_mut().filter(|step| step.to == to) {
            step.gain = 2;
        }
        return Some((other, [from, to]));
    }
    None
}

/// Whether an error names both states of a move.
fn names(error: &str, states: [u16; 2]) -> bool {
    states.into_iter().all(|node| {
        let mut words = error.split(|c: char| !c.is_alphanumeric());
        words.any(|word| word == node.to_string())
    })
}

/// Asserts that a game whose move within a tier gains points is not solved, and breaks a law. A game
/// with predecessors promises that it has no such move: solving it looks at a few states only.
fn assert_refused<S, const P: u8, const A: bool, const W: u8>(plan: &Plan, states: [u16; 2])
where
    S: Scheme<PointGame<P, A, W>>,
{
    let game = PointGame::<P, A, W>(plan.clone());
    for threads in [1, 2] {
        let solver = Solver::new(&game).threads(threads).notation();
        let refused = solver.solve_as::<S>().map(|_| ());
        if P != NONE && refused.is_ok() {
            continue;
        }
        let error = refused.unwrap_err().to_string();
        assert!(names(&error, states) && error.contains('2'), "{states:?}: {error}");
    }
    let error = Laws::new(&game).notation().check_as::<S>().unwrap_err();
    if matches!(error, LawError::Broken(BrokenLaw { law: Law::Players, .. })) {
        return;
    }
    assert!(names(&error.to_string(), states), "{states:?}: {error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(200), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_laws_find_nothing_wrong(recipe in recipe(5)) {
        let plan = Plan::from(recipe);
        check_laws::<Tiers<Dense>, ALL, false, FOLDED>(&plan, Scope::All);
        check_laws::<Tiers<Dense>, BY_INDEX, false, FOLDED>(&plan, Scope::All);
        check_laws::<Tiers<Packed>, NONE, false, FOLDED>(&plan, Scope::All);
        let sample = Scope::Sample { states: 20, seed: 1 };
        check_laws::<Tiers<Packed>, ALL, false, FOLDED>(&plan, sample);
        if plan.recipe.mirror == Mirror::None {
            check_laws::<Tiers<Dense>, ALL, true, DISTINCT>(&plan, Scope::All);
        }
        let plan = Plan::from(Recipe { doubles: true, ..plan.recipe });
        check_laws::<Tiers<Dense>, NONE, false, UNNAMED>(&plan, Scope::All);
        if !plan.recipe.gains {
            check_laws::<Dense, ALL, false, FOLDED>(&plan, Scope::All);
            check_laws::<Hashed, ALL, false, FOLDED>(&plan, Scope::All);
        }
    }

    #[test]
    fn a_move_within_a_tier_that_gains_points_is_refused(recipe in recipe(4)) {
        let plan = Plan::from(recipe);
        if let Some((other, states)) = gaining_within(&plan, |_| true) {
            assert_refused::<Tiers<Dense>, ALL, false, FOLDED>(&other, states);
            assert_refused::<Tiers<Dense>, NONE, false, FOLDED>(&other, states);
            assert_refused::<Tiers<Dense>, BY_INDEX, false, FOLDED>(&other, states);
        }
        let reachable = plan.reachable();
        if let Some((other, states)) = gaining_within(&plan, |node| reachable.contains(&node)) {
            assert_refused::<Tiers<Packed>, NONE, false, FOLDED>(&other, states);
            assert_refused::<Tiers<Packed>, ALL, false, FOLDED>(&other, states);
        }
    }

    #[test]
    fn a_game_whose_moves_gain_points_is_refused_without_its_tiers(recipe in recipe(4)) {
        let plan = Plan::from(recipe);
        let game = PointGame::<NONE, false, FOLDED>(plan.clone());
        let gains = plan.nodes.iter().any(|node| {
            node.terminal.is_none() && node.moves.iter().any(|step| step.gain != 0)
        });
        prop_assert_eq!(Solver::new(&game).solve_as::<Dense>().is_err(), gains);
        let reachable = plan.reachable();
        let gains = plan.nodes.iter().zip(0..).any(|(node, place)| {
            reachable.contains(&place)
                && node.terminal.is_none()
                && node.moves.iter().any(|step| step.gain != 0)
        });
        prop_assert_eq!(Solver::new(&game).solve_as::<Packed>().is_err(), gains);
        prop_assert_eq!(Solver::new(&game).solve_as::<Hashed>().is_err(), gains);
    }

    #[test]
    fn more_points_than_promised_are_refused(recipe in recipe(4)) {
        let mut plan = Plan::from(recipe);
        let all = solved(&plan, true);
        let reachable = plan.reachable();
        let found: Vec<(State, Value)> =
            all.iter().copied().filter(|(state, _)| reachable.contains(&state.node)).collect();
        for (states, discovered) in [(&all, false), (&found, true)] {
            let most = most_points(states);
            for threads in [1, 2] {
                for promised in [most.checked_sub(1), Some(0)].into_iter().flatten() {
                    plan.recipe.most = Some(promised);
                    if promised >= most {
                        continue;
                    }
                    let game = PointGame::<ALL, false, FOLDED>(plan.clone());
                    let solver = Solver::new(&game).threads(threads).notation();
                    let solved = match discovered {
                        false => solver.solve_as::<Tiers<Dense>>(),
                        true => solver.solve_as::<Tiers<Packed>>(),
                    };
                    let error = solved.map(|_| ()).unwrap_err().to_string();
                    prop_assert!(error.contains("max_points"), "{error}");
                }
            }
        }
    }
}

#[test]
fn a_promise_of_too_many_points_is_refused() {
    let recipe = Recipe {
        seed: 7,
        nodes: 12,
        tiers: 2,
        mirror: Mirror::None,
        doubles: true,
        gains: true,
        degree: true,
        most: Some(512),
    };
    let game = PointGame::<ALL, false, FOLDED>(Plan::from(recipe.clone()));
    let error = Solver::new(&game).solve_as::<Tiers<Dense>>().map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("512") && error.contains("511"), "{error}");
    let game = PointGame::<ALL, false, FOLDED>(Plan::from(Recipe { most: Some(511), ..recipe }));
    let start = Solver::new(&game).solve_as::<Tiers<Dense>>().unwrap();
    let state = game.parse_state("11").unwrap();
    assert!(start.value(&state).is_ok());
}

#[test]
fn an_end_that_names_a_winner_is_refused_in_a_game_with_points() {
    let ongoing = |to| moves(Player::First, &[(to, 0)]);
    for outcome in [Outcome::Win(Player::First), Outcome::MoverWins, Outcome::MoverLoses] {
        // The end of play, or a state without moves; reached by play, or not.
        let over = Node { terminal: Some(outcome), ..moves(Player::Second, &[]) };
        let stuck = Node { stuck: outcome, ..moves(Player::Second, &[]) };
        for end in [over, stuck] {
            let plan = in_two_tiers(vec![end, ongoing(0), ongoing(1), ongoing(2)]);
            let game = PointGame::<NONE, false, FOLDED>(plan);
            for solved in [
                Solver::new(&game).solve_as::<Tiers<Dense>>().map(|_| ()),
                Solver::new(&game).solve_as::<Tiers<Packed>>().map(|_| ()),
            ] {
                let Err(SolveError::BrokenLaw(BrokenLaw {
                    law: Law::Points, counterexample, ..
                })) = solved
                else {
                    panic!("{solved:?}")
                };
                let named = format!("`Outcome::{outcome:?}`, but the game has points");
                assert!(counterexample.contains(&named), "{counterexample}");
            }
            let error = Laws::new(&game).check_as::<Tiers<Dense>>().unwrap_err();
            assert!(
                matches!(error, LawError::Broken(BrokenLaw { law: Law::Points, .. })),
                "{error}"
            );
        }
    }
}

#[test]
fn a_move_that_gains_more_points_than_promised_breaks_a_law() {
    for gain in [41, -41, i16::MAX, i16::MIN] {
        let mut plan = in_two_tiers(vec![
            end(Player::Second, 0),
            end(Player::First, 0),
            moves(Player::First, &[(0, 20), (1, gain)]),
            moves(Player::First, &[(2, 0)]),
        ]);
        plan.recipe.most = Some(20);
        let game = PointGame::<NONE, false, FOLDED>(plan);
        let error = Laws::new(&game).check_as::<Tiers<Dense>>().unwrap_err();
        let LawError::Broken(BrokenLaw { law: Law::Points, counterexample, .. }) = error else {
            panic!("{error}")
        };
        let words = format!(
            "gains {gain} points, but `Game::max_points` promises at most 20, whatever follows"
        );
        assert!(counterexample.contains(&words), "{counterexample}");
        assert!(Solver::new(&game).solve_as::<Tiers<Dense>>().is_err());
    }
}
