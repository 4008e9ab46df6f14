//! Exploration: what it finds, ply by ply, and where it ends.

#[path = "same_table/web.rs"]
#[allow(dead_code)]
mod web;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

use proptest::prelude::*;
use retrograde::laws::{self, Law, LawError, Scope};
use retrograde::{
    Game, Indexed, Notation, NotationError, Outcome, Packed, Player, Ply, Progress, Query,
    SolveError, Solver, Survey,
};
use web::{Plan, Web};

type Told = Web<true, true>;

fn plan(seed: u64, size: u32, moves: u64) -> Plan {
    let (endless, alternating) = (Outcome::Draw, true);
    Plan { seed, size, reach: None, endless, moves, alternating }
}

/// What a survey has to say, from the definitions.
fn expected(game: &Told) -> Survey {
    let mut seen: BTreeSet<u32> = game.roots().into_iter().collect();
    let mut ply: Vec<u32> = seen.iter().copied().collect();
    let mut survey = Survey::default();
    while !ply.is_empty() {
        let mut degrees = Vec::new();
        let mut next = Vec::new();
        for state in ply.iter().filter(|state| game.terminal(state).is_none()) {
            let successors = game.plan.successors(*state);
            degrees.push(successors.len() as u64);
            next.extend(successors.into_iter().filter(|&to| seen.insert(to)));
        }
        survey.plies.push(Ply {
            states: ply.len() as u64,
            terminal: (ply.len() - degrees.len()) as u64,
            moves: degrees.iter().sum(),
            fewest: degrees.iter().copied().min().unwrap_or(0),
            most: degrees.iter().copied().max().unwrap_or(0),
        });
        ply = next;
    }
    survey
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_way_to_explore_sees_the_same(
        seed: u64,
        size in prop_oneof![1_u32..50, 5_000..40_000_u32],
        moves in 1_u64..6,
        threads in 1_usize..5,
    ) {
        let game = Told::from(plan(seed, size, moves));
        let expected = expected(&game);
        let solver = || Solver::new(&game).threads(threads);
        prop_assert_eq!(&solver().survey_explored().unwrap(), &expected);
        prop_assert_eq!(&solver().survey_packed::<u64>().unwrap(), &expected);
        prop_assert_eq!(&solver().survey_packed::<u128>().unwrap(), &expected);
        prop_assert_eq!(&solver().survey_dense().unwrap(), &expected);
        let solution = solver().packed::<u64>().unwrap();
        prop_assert_eq!(solution.summary().states(), expected.total().states);
        prop_assert_eq!(solution.numbering().survey(), &expected);
    }
}

#[test]
fn a_limit_on_states_ends_an_exploration_that_finds_more_and_no_other() {
    for size in [1_000, 60_000] {
        let game = Told::from(plan(3, size, 5));
        let states = expected(&game).total().states;
        for threads in [1, 2] {
            let solver = || Solver::new(&game).threads(threads);
            assert!(solver().max_states(states).packed::<u64>().is_ok());
            assert!(solver().max_states(states).explored().is_ok());
            let refused = solver().max_states(states - 1).packed::<u64>().map(|_| ());
            let Err(SolveError::TooManyToExplore { limit, ply, expanded }) = refused else {
                panic!("{refused:?}");
            };
            assert_eq!(limit, states - 1);
            assert!(ply > 0 && expanded > 0 && expanded < states, "{ply} {expanded}");
        }
        let refused = Solver::new(&game).max_states(game.len() - 1).dense().map(|_| ());
        let (len, limit) = (game.len(), game.len() - 1);
        assert_eq!(refused, Err(SolveError::TooManyStatesAllowed { states: len, limit }));
        assert!(Solver::new(&game).max_states(len).dense().is_ok());
    }
}

#[test]
fn a_limit_on_memory_ends_an_exploration_that_takes_more() {
    let game = Told::from(plan(3, 200_000, 5));
    let states = expected(&game).total().states;
    assert!(states > 100_000);
    for threads in [1, 2] {
        let solver = || Solver::new(&game).threads(threads);
        // With 40 bytes a state there is room for the numbering and the analysis too.
        assert!(solver().memory(40 * states).packed::<u64>().is_ok());
        for allowed in [1_000, 8 * states] {
            let refused = solver().memory(allowed).packed::<u64>().map(|_| ());
            match refused {
                Err(SolveError::ExplorationOverLimit {
                    states: found,
                    needed,
                    allowed: told,
                    ..
                }) => {
                    assert_eq!(told, allowed);
                    assert!(found < states && needed > allowed / 2, "{found} {needed}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn progress_tells_how_many_states_are_found_and_can_stop_it() {
    let game = Told::from(plan(5, 60_000, 5));
    let states = expected(&game).total().states;
    for threads in [1, 2] {
        let most = Cell::new((0, 0));
        let watch = |progress| {
            if let Progress::Exploring { expanded, discovered } = progress {
                let (before, found) = most.get();
                assert!(expanded >= before && discovered >= found && expanded <= discovered);
                most.set((expanded, discovered));
            }
            ControlFlow::Continue(())
        };
        Solver::new(&game).threads(threads).on_progress(watch).survey_packed::<u64>().unwrap();
        let (expanded, discovered) = most.get();
        assert!(expanded > states / 2 && discovered <= states);
        let stop = |_| ControlFlow::Break(());
        let stopped = Solver::new(&game).threads(threads).on_progress(stop).survey_packed::<u64>();
        assert_eq!(stopped, Err(SolveError::Interrupted));
    }
}

/// Counts down from a number; packed with so few bits that large numbers lose some.
struct Countdown {
    from: u32,
    bits: u32,
}

impl Game for Countdown {
    type State = u32;

    fn turn(&self, state: &u32) -> Player {
        Player::BOTH[(state % 2) as usize]
    }

    fn terminal(&self, state: &u32) -> Option<Outcome> {
        (*state == 0).then_some(Outcome::Draw)
    }

    fn moves(&self, state: &u32, mut visit: impl FnMut(u32)) {
        visit(state - 1);
    }

    fn roots(&self) -> Vec<u32> {
        vec![self.from]
    }
}

impl Packed for Countdown {
    fn bits(&self) -> u32 {
        self.bits
    }

    fn pack(&self, state: &u32) -> u128 {
        let packed = u128::from(*state) << 90 | u128::from(*state);
        packed & (u128::MAX >> (128 - self.bits))
    }

    fn unpack(&self, packed: u128) -> u32 {
        packed as u32
    }
}

impl Notation for Countdown {
    fn write_state(&self, state: &u32) -> String {
        state.to_string()
    }

    fn parse_state(&self, text: &str) -> Result<u32, NotationError> {
        text.parse().map_err(|_| NotationError::new("expected a number"))
    }
}

#[test]
fn states_that_do_not_fit_are_refused_and_those_that_do_are_found() {
    let wide = Countdown { from: 3_000, bits: 128 };
    let refused = Solver::new(&wide).packed::<u64>().map(|_| ());
    assert_eq!(refused, Err(SolveError::TooWide { bits: 128, room: 64 }));
    let solution = Solver::new(&wide).packed::<u128>().unwrap();
    assert_eq!(solution.summary().states(), 3_001);
    for state in [0, 1, 2_999, 3_000] {
        assert!(solution.value(&state).is_ok(), "{state}");
    }
    assert!(solution.value(&3_001).is_err() && solution.value(&u32::MAX).is_err());
}

#[test]
fn the_laws_find_a_packing_that_loses_something() {
    let fine = Countdown { from: 200, bits: 64 };
    assert_eq!(
        laws::check_packed::<_, u64>(&fine, Scope::All).map(|report| report.states),
        Ok(201)
    );
    let lossy = Countdown { from: 64, bits: 6 };
    // 64 is packed as 0, so start one above.
    let lossy = Countdown { from: 65, ..lossy };
    match laws::check_packed::<_, u64>(&lossy, Scope::All) {
        Err(LawError::Broken { law, counterexample }) => {
            assert_eq!(law, Law::Packing, "{counterexample}");
            assert!(counterexample.contains(" becomes "), "{counterexample}");
        }
        other => panic!("{other:?}"),
    }
}
