//! Random games with points, solved in every way of the engine and compared with brute force.

mod brute_force;
mod compare;
mod ends;
mod game;
#[path = "../table_file/layout.rs"]
#[allow(dead_code, reason = "only values are changed")]
mod layout;
mod long;
mod refused;
mod tables;

use brute_force::BruteForce;
use compare::{compare, compare_reachable, solved, with_least_memory};
use game::{DISTINCT, FOLDED, Plan, PointGame, Recipe, UNNAMED, recipe};
use kit::cases;
use kit::random_game::{ALL, BY_INDEX, Mirror, NONE, State, WITHIN};
use proptest::prelude::*;
use retrograde::query::{DecidedBy, ValueKind};
use retrograde::scheme::{Dense, Hashed, Packed, Scheme, Tiers};
use retrograde::{Outcome, Player, Solution, Solver, Value};

/// Whether the states of a game name the player to move.
fn are_named(players: u8) -> bool {
    players != UNNAMED
}

/// Compares the figures of a solution, which count the numbered states: one for each of these nodes,
/// on this side of the mirror.
fn compare_figures<const P: u8, const A: bool, const W: u8>(
    solution: &Solution<'_, PointGame<P, A, W>>,
    states: &[(State, Value)],
) {
    let numbered: Vec<&(State, Value)> =
        states.iter().filter(|(state, _)| !state.flipped).collect();
    let count = |wanted: &dyn Fn(Value) -> bool| {
        numbered.iter().filter(|(_, value)| wanted(*value)).count() as u64
    };
    let summary = solution.summary();
    assert_eq!(summary.states(), numbered.len() as u64);
    assert_eq!(summary.won(), count(&|value| value.points() > 0));
    assert_eq!(summary.lost(), count(&|value| value.points() < 0));
    assert_eq!(summary.draws(), count(&|value| value.points() == 0));
    assert_eq!(summary.endless(), count(&|value| value == Value::Endless));
    assert_eq!(summary.beyond_ply_limit(), 0);
    let decided = numbered.iter().filter(|(_, value)| value.points() != 0);
    assert_eq!(summary.longest(), decided.filter_map(|(_, value)| value.plies()).max());
    for (state, value) in states {
        let verdict = solution.verdict(state).unwrap();
        assert_eq!(verdict.points, Some(value.points().unsigned_abs()));
        let mover = are_named(W).then(|| solution.game().0.turn(state));
        let winner = match value.points() {
            0 => Outcome::Draw,
            points if points > 0 => mover.map_or(Outcome::MoverWins, Outcome::Win),
            _ => {
                let other = mover.map(Player::opponent);
                other.map_or(Outcome::MoverLoses, Outcome::Win)
            }
        };
        assert_eq!(verdict.outcome, winner, "{state:?}");
        let endless = *value == Value::Endless;
        assert_eq!(verdict.decided_by == DecidedBy::Endless, endless);
        let kind = if endless { ValueKind::Endless } else { ValueKind::Points(value.points()) };
        assert_eq!(solution.index_and_kind(state).unwrap().1, kind);
    }
}

/// Compares a numbering by a formula, with much memory and little, and with one thread and two.
fn compare_all<S, const P: u8, const A: bool, const W: u8>(plan: &Plan)
where
    S: Scheme<PointGame<P, A, W>>,
{
    let states = solved(plan, are_named(W));
    let game = PointGame::<P, A, W>(plan.clone());
    let solution = Solver::new(&game).threads(1).solve_as::<S>().unwrap();
    compare(&solution, &states);
    compare_figures(&solution, &states);
    let frugal =
        with_least_memory(|memory| Solver::new(&game).memory(memory).threads(2).solve_as::<S>());
    for (state, value) in &states {
        assert_eq!(frugal.value(state).unwrap(), *value, "{state:?}");
    }
    assert_eq!(frugal.summary(), solution.summary());
}

/// Compares a numbering of discovered states, with one thread and two, and with little memory.
fn compare_discovered<S, const P: u8, const A: bool, const W: u8>(plan: &Plan)
where
    S: Scheme<PointGame<P, A, W>>,
{
    let mut states = solved(plan, are_named(W));
    let game = PointGame::<P, A, W>(plan.clone());
    let solution = Solver::new(&game).threads(2).solve_as::<S>().unwrap();
    compare_reachable(&solution, &states);
    let reachable = plan.reachable();
    states.retain(|(state, _)| reachable.contains(&state.node));
    compare_figures(&solution, &states);
    let frugal =
        with_least_memory(|memory| Solver::new(&game).memory(memory).threads(1).solve_as::<S>());
    for (state, value) in &states {
        assert_eq!(frugal.value(state).unwrap(), *value, "{state:?}");
    }
}

/// The plan with a promise of no more points than an end or a move out of a tier is worth.
fn promised(recipe: Recipe, named: bool) -> Plan {
    let mut plan = Plan::from(recipe);
    plan.recipe.most = Some(BruteForce::new(&plan, named).most_met());
    plan
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(800), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn points_and_plies_are_those_of_brute_force(recipe in recipe(5)) {
        let plan = Plan::from(recipe.clone());
        compare_all::<Tiers<Dense>, ALL, false, FOLDED>(&plan);
        compare_all::<Tiers<Dense>, NONE, false, FOLDED>(&plan);
        let promised = promised(recipe, true);
        compare_all::<Tiers<Dense>, BY_INDEX, false, FOLDED>(&promised);
        if !kit::PLAIN && plan.recipe.mirror == Mirror::None {
            compare_all::<Tiers<Dense>, ALL, true, DISTINCT>(&promised);
        }
    }

    #[test]
    fn points_and_plies_of_discovered_states_are_those_of_brute_force(recipe in recipe(5)) {
        let plan = Plan::from(recipe.clone());
        compare_discovered::<Tiers<Packed>, ALL, false, FOLDED>(&plan);
        compare_discovered::<Tiers<Packed>, NONE, false, FOLDED>(&promised(recipe, true));
        if !kit::PLAIN && plan.recipe.mirror == Mirror::None {
            compare_discovered::<Tiers<Packed>, ALL, true, DISTINCT>(&plan);
        }
    }

    #[test]
    fn games_that_do_not_name_the_player_to_move_have_the_values_of_brute_force(recipe in recipe(5)) {
        // Turns alternate, whosever a node is.
        let recipe = Recipe { doubles: true, ..recipe };
        let plan = Plan::from(recipe.clone());
        compare_all::<Tiers<Dense>, WITHIN, false, UNNAMED>(&plan);
        compare_discovered::<Tiers<Packed>, WITHIN, false, UNNAMED>(&promised(recipe, false));
    }

    /// Ends alone are worth points.
    #[test]
    fn games_without_tiers_have_the_values_of_brute_force(recipe in recipe(1)) {
        let recipe = Recipe { gains: false, ..recipe };
        let plan = Plan::from(recipe.clone());
        compare_all::<Dense, ALL, false, FOLDED>(&plan);
        compare_all::<Dense, NONE, false, FOLDED>(&promised(recipe.clone(), true));
        compare_discovered::<Packed, NONE, false, FOLDED>(&plan);
        if !kit::PLAIN {
            compare_all::<Dense, BY_INDEX, false, FOLDED>(&plan);
            compare_discovered::<Hashed, ALL, false, FOLDED>(&plan);
            compare_discovered::<Hashed, NONE, false, FOLDED>(&promised(recipe, true));
            compare_discovered::<Packed, ALL, false, FOLDED>(&plan);
        }
    }

    /// A game in tiers without gains is the same game without its tiers.
    #[test]
    fn tiers_whose_moves_gain_nothing_may_be_left_out(recipe in recipe(4)) {
        let plan = Plan::from(Recipe { gains: false, ..recipe });
        let game = PointGame::<ALL, false, FOLDED>(plan.clone());
        let whole = Solver::new(&game).solve_as::<Dense>().unwrap();
        let tiers = Solver::new(&game).solve_as::<Tiers<Dense>>().unwrap();
        compare(&whole, &solved(&plan, true));
        prop_assert_eq!(whole.summary(), tiers.summary());
    }
}
