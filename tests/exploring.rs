//! Exploration: the states it finds, ply by ply, and where it ends.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

use kit::few;
use kit::graph::{Graph, Packing};
use kit::web::{Plan, Web};
use proptest::prelude::*;
use retrograde::error::QueryError;
use retrograde::error::{BrokenLaw, LawError};
use retrograde::laws::{Law, Laws};
use retrograde::scheme::{
    self, Dense, Hashed, Numbered, Numberings, Packed, Scheme, SchemeInfo, Tiers,
};
use retrograde::solve::{Ply, Progress, Statistics};
use retrograde::{Game, Indexed, Outcome, Player, SolveError, Solver};

/// States packed into 8 bytes.
type Narrow = Web<false, true>;

fn plan(seed: u64, size: u32, moves: u64) -> Plan {
    let (endless, alternating) = (Outcome::Draw, true);
    Plan { seed, size, reach: None, endless, moves, alternating }
}

/// The statistics of a game, computed from the definitions.
fn expected(game: &Narrow) -> Statistics {
    let mut seen: BTreeSet<u32> = game.roots().into_iter().collect();
    let mut ply: Vec<u32> = seen.iter().copied().collect();
    let mut statistics = Statistics::default();
    while !ply.is_empty() {
        let mut degrees = Vec::new();
        let mut next = Vec::new();
        for state in ply.iter().filter(|state| game.terminal(state).is_none()) {
            degrees.push(game.successors(*state).len() as u64);
            next.extend(game.successors(*state).iter().copied().filter(|&to| seen.insert(to)));
        }
        let mut figures = Ply::default();
        figures.states = ply.len() as u64;
        figures.terminal = (ply.len() - degrees.len()) as u64;
        figures.moves = degrees.iter().sum();
        figures.fewest = degrees.iter().copied().min().unwrap_or(0);
        figures.most = degrees.iter().copied().max().unwrap_or(0);
        statistics.plies.push(figures);
        ply = next;
    }
    statistics
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_way_to_explore_sees_the_same(
        seed: u64,
        size in prop_oneof![1_u32..50, 5_000..kit::few(8_000, 40_000_u32)],
        moves in 1_u64..6,
        threads in 1_usize..5,
    ) {
        let game = Narrow::from(plan(seed, size, moves));
        // States packed into 16 bytes.
        let packing = Packing { fits_u64: false, ..game.packing };
        let wide = Narrow { packing, ..game.clone() };
        let expected = expected(&game);
        let solver = || Solver::new(&game).threads(threads);
        prop_assert_eq!(&solver().survey_as::<Hashed>().unwrap(), &expected);
        prop_assert_eq!(&solver().survey_as::<Packed>().unwrap(), &expected);
        let statistics = Solver::new(&wide).threads(threads).survey_as::<Packed>().unwrap();
        prop_assert_eq!(&statistics, &expected);
        prop_assert_eq!(&solver().survey_as::<Dense>().unwrap(), &expected);
        // The usual numbering is the dense one.
        prop_assert_eq!(&solver().survey().unwrap(), &expected);
        let solution = solver().solve_as::<Packed>().unwrap();
        prop_assert_eq!(solution.summary().states(), expected.total().states);
    }
}

#[test]
fn a_limit_on_states_ends_an_exploration_that_finds_more_and_no_other() {
    for size in [1_000, 60_000] {
        let game = Narrow::from(plan(3, size, 5));
        let states = expected(&game).total().states;
        for threads in [1, 2] {
            let solver = || Solver::new(&game).threads(threads);
            assert!(solver().max_states(states).solve_as::<Packed>().is_ok());
            assert!(solver().max_states(states).solve_as::<Hashed>().is_ok());
            let refused = solver().max_states(states - 1).solve_as::<Packed>().map(|_| ());
            let Err(SolveError::TooManyToExplore { limit, ply, expanded }) = refused else {
                panic!("{refused:?}");
            };
            assert_eq!(limit, states - 1);
            assert!(ply > Some(0) && expanded > 0 && expanded < states, "{ply:?} {expanded}");
        }
        let refused = Solver::new(&game).max_states(game.len() - 1).solve_as::<Dense>().map(|_| ());
        let (len, limit) = (game.len(), game.len() - 1);
        assert_eq!(refused, Err(SolveError::TooManyStatesAllowed { states: len, limit }));
        assert!(Solver::new(&game).max_states(len).solve_as::<Dense>().is_ok());
    }
}

#[test]
fn a_limit_on_memory_ends_an_exploration_that_takes_more() {
    let game = Narrow::from(plan(3, few(50_000, 200_000), 5));
    let states = expected(&game).total().states;
    assert!(states > 25_000);
    for threads in [1, 2] {
        let solver = || Solver::new(&game).threads(threads);
        // 40 bytes a state are enough for the numbering and also for the analysis.
        assert!(solver().memory(40 * states).solve_as::<Packed>().is_ok());
        // The search by itself takes less.
        let searched = solver().memory(10 * states).solve_as::<Packed>().map(|_| ());
        assert!(!matches!(searched, Err(SolveError::ExplorationOverLimit { .. })), "{searched:?}");
        for allowed in [1_000, 3 * states] {
            let refused = solver().memory(allowed).solve_as::<Packed>().map(|_| ());
            match refused {
                Err(SolveError::ExplorationOverLimit {
                    states: found,
                    needed,
                    allowed: reported,
                    ..
                }) => {
                    assert_eq!(reported, allowed);
                    assert!(found < states && needed > allowed / 2, "{found} {needed}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn progress_tells_how_many_states_are_found_and_can_stop_it() {
    let game = Narrow::from(plan(5, 60_000, 5));
    let states = expected(&game).total().states;
    for threads in [1, 2] {
        let most = Cell::new((0, 0));
        let watch = |progress| {
            if let Progress::Exploring { expanded, discovered, .. } = progress {
                let (before, found) = most.get();
                assert!(expanded >= before && discovered >= found && expanded <= discovered);
                most.set((expanded, discovered));
            }
            ControlFlow::Continue(())
        };
        Solver::new(&game).threads(threads).on_progress(watch).survey_as::<Packed>().unwrap();
        let (expanded, discovered) = most.get();
        assert!(expanded > states / 2 && discovered <= states);
        let stop = |_| ControlFlow::Break(());
        let stopped = Solver::new(&game).threads(threads).on_progress(stop).survey_as::<Packed>();
        assert_eq!(stopped, Err(SolveError::Interrupted));
    }
}

/// Counts down from a number. Packed, numbers from 2,000 on take more than 64 bits.
fn countdown(from: u32, fits_u64: bool) -> Graph<false, true> {
    let pack = |state| u128::from(state) | if state < 2_000 { 0 } else { u128::from(state) << 90 };
    let packing = Packing { fits_u64, pack, ..Packing::default() };
    Graph { packing, ..Graph::walk(from, Outcome::Draw) }
}

#[test]
fn states_that_do_not_fit_are_refused_and_those_that_do_are_found() {
    // The game claims that its states fit into 64 bits, but they do not.
    let lying = countdown(3_000, true);
    let refused = Solver::new(&lying).solve_as::<Packed>().map(|_| ());
    let Err(SolveError::BrokenLaw(broken)) = refused else { panic!("{refused:?}") };
    assert_eq!((broken.law, &broken.states[..]), (Law::Packing, &["3000".to_owned()][..]));
    assert!(broken.counterexample.starts_with("3000 takes more than 64 bits"), "{broken}");
    let refused = Solver::new(&lying).survey_as::<Packed>();
    assert_eq!(refused, Err(SolveError::BrokenLaw(broken.clone())));
    let checked = Laws::new(&lying).check_as::<Packed>();
    assert_eq!(checked, Err(LawError::Broken(broken)));

    let wide = countdown(3_000, false);
    let solution = Solver::new(&wide).solve_as::<Packed>().unwrap();
    assert_eq!(solution.summary().states(), 3_001);
    for state in [0, 1, 1_999, 2_000, 2_999, 3_000] {
        assert!(solution.value(&state).is_ok(), "{state}");
    }
    assert!(solution.value(&3_001).is_err() && solution.value(&u32::MAX).is_err());

    // All reachable states fit. Probing others does no harm.
    let narrow = countdown(1_999, true);
    let solution = Solver::new(&narrow).solve_as::<Packed>().unwrap();
    assert_eq!(solution.summary().states(), 2_000);
    assert!(solution.value(&1_999).is_ok());
    for state in [2_000, 3_000, u32::MAX] {
        let error = solution.value(&state).unwrap_err();
        assert!(matches!(error, QueryError::NotInTable { .. }), "{error}");
    }
}

#[test]
fn the_laws_find_a_packing_that_loses_something() {
    let check = |game: &Graph<false, true>| Laws::new(game).notation().check_as::<Packed>();
    assert_eq!(check(&countdown(200, false)).map(|report| report.states), Ok(201));
    for fits_u64 in [true, false] {
        let mut game = countdown(65, fits_u64);
        // The packing keeps six bits.
        game.packing.pack = |state| u128::from(state % 64);
        match check(&game) {
            Err(LawError::Broken(BrokenLaw { law, counterexample, .. })) => {
                assert_eq!(law, Law::Packing, "{counterexample}");
                assert_eq!(counterexample, "65 is unpacked as 1; play can start there");
            }
            other => panic!("{other:?}"),
        }
    }
}

/// A token on 400 cells that walks up. Its packing forgets the player to move.
struct Corridor;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Cells {
    tokens: Vec<u8>,
    turn: Player,
}

impl Corridor {
    fn cells(at: usize, turn: Player) -> Cells {
        Cells { tokens: (0..400).map(|cell| u8::from(cell == at)).collect(), turn }
    }

    fn at(cells: &Cells) -> usize {
        cells.tokens.iter().position(|&tokens| tokens > 0).unwrap()
    }
}

impl Game for Corridor {
    type State = Cells;

    fn turn(&self, cells: &Cells) -> Player {
        cells.turn
    }

    fn terminal(&self, cells: &Cells) -> Option<Outcome> {
        (Self::at(cells) == 3).then_some(Outcome::Draw)
    }

    fn moves(&self, cells: &Cells, mut visit: impl FnMut(Cells)) {
        visit(Self::cells(Self::at(cells) + 1, cells.turn.opponent()));
    }

    fn roots(&self) -> impl IntoIterator<Item = Cells> {
        [Self::cells(0, Player::First)]
    }
}

impl retrograde::PackedState for Corridor {
    type Word = u64;

    fn pack(&self, cells: &Cells) -> u64 {
        Self::at(cells) as u64
    }

    fn unpack(&self, packed: u64) -> Cells {
        Self::cells(packed as usize, Player::First)
    }
}

#[test]
fn the_laws_name_the_fields_that_a_packing_loses() {
    match Laws::new(&Corridor).check_as::<Packed>() {
        Err(LawError::Broken(BrokenLaw { law: Law::Packing, counterexample, .. })) => {
            let end = "is unpacked as another state: turn is First instead of Second";
            assert!(counterexample.ends_with(end), "{counterexample}");
            assert!(counterexample.chars().count() < 300, "{counterexample}");
        }
        other => panic!("{other:?}"),
    }
}

/// A scheme tells of itself what its solutions show.
fn assert_described<S: Scheme<Graph<true, false>>>(game: &Graph<true, false>) {
    let solution = Solver::new(game).solve_as::<S>().unwrap();
    let (kind, info) = (solution.numbering(), S::INFO);
    assert_eq!(SchemeInfo::named(kind.name()), Some(info));
    assert_eq!((kind.has_states(), kind.tier().is_some()), (info.discovers, info.has_tiers));
}

#[test]
fn schemes_speak_for_themselves() {
    let game = Graph::<true, false>::walk(6, Outcome::Draw);
    assert_described::<Dense>(&game);
    assert_described::<Hashed>(&game);
    assert_described::<Packed>(&game);
    assert_described::<Tiers<Dense>>(&game);
    assert_described::<Tiers<Packed>>(&game);
    assert_described::<Tiers<Hashed>>(&game);
    let names = scheme::ALL.map(|scheme| scheme.name);
    type All = <Graph<true, false> as Numbered>::Numberings;
    let listed = <All as Numberings<Graph<true, false>>>::NAMES;
    assert_eq!([listed, &["hashed-tiers"]].concat(), names);
    assert_eq!(SchemeInfo::named("dense-tiers"), None);
}

#[test]
fn a_survey_takes_the_first_scheme_without_tiers() {
    fn untiered<N: Numberings<Graph<true, false>>>() -> &'static str {
        N::Untiered::INFO.name
    }
    assert_eq!(untiered::<(Tiers<Dense>, Packed, Hashed)>(), "packed");
    assert_eq!(untiered::<(Dense, Packed)>(), "dense");
    assert_eq!(untiered::<(Tiers<Dense>, Tiers<Packed>)>(), "tiers");
    assert_eq!(untiered::<Tiers<Packed>>(), "packed-tiers");
}
