//! Dobutsu shogi. The rules and the values are compared with a naive program, and the values with
//! Tanaka's figures (`tests/data/dobutsu-shogi.tsv`).

mod naive;
mod notation;
mod published;

use std::collections::{HashMap, HashSet};

use self::naive::{Naive, Over, Worth};
use crate::states;
use kit::Query;
use retrograde::laws::{Laws, Scope};
use retrograde::{
    Game, Indexed, Notation, Outcome, PackedState, Player, Players, Solver, Value, scheme,
};
use retrograde_games::dobutsu::{Dobutsu, DobutsuParameters, Position};

fn whole() -> Dobutsu {
    Dobutsu::new(DobutsuParameters::default())
}

/// The game with only the lions and chicks.
fn small() -> Dobutsu {
    Dobutsu::new(DobutsuParameters { no_elephants: true, no_giraffes: true })
}

fn start(game: &Dobutsu) -> Position {
    kit::start(game)
}

/// The same position in the naive program.
fn naive(game: &Dobutsu, position: &Position) -> Naive {
    Naive::read(&game.write_state(position))
}

fn parse(game: &Dobutsu, text: &str) -> Position {
    game.parse_state(text).expect("a position")
}

/// The positions that are first reached at each ply, up to `last`.
fn plies(game: &Dobutsu, last: usize) -> Vec<Vec<Position>> {
    let mut seen = HashSet::from([game.index(&start(game))]);
    let mut plies = vec![vec![start(game)]];
    for _ in 0..last {
        let mut next_ply = Vec::new();
        for position in &plies[plies.len() - 1] {
            if game.terminal(position).is_none() {
                game.moves(position, |next| {
                    if seen.insert(game.index(&next)) {
                        next_ply.push(next);
                    }
                });
            }
        }
        plies.push(next_ply);
    }
    plies
}

#[test]
fn play_from_the_start_is_what_a_naive_program_plays() {
    let game = whole();
    let mut seen: HashSet<Naive> = HashSet::new();
    let mut here = HashSet::from([naive(&game, &start(&game)).folded()]);
    for ply in plies(&game, kit::few(5, 7)) {
        let found: HashSet<Naive> =
            ply.iter().map(|position| naive(&game, position).folded()).collect();
        assert_eq!(found.len(), ply.len(), "none twice");
        assert!(found == here);
        seen.extend(here.iter().cloned());
        let open = here.iter().filter(|position| position.over().is_none());
        let next: HashSet<Naive> =
            open.flat_map(Naive::moves).map(|position| position.folded()).collect();
        here = next.difference(&seen).cloned().collect();
    }
    assert!(seen.len() > kit::few(1_000, 30_000), "{}", seen.len());
}

#[test]
fn every_position_has_the_moves_and_the_end_that_a_naive_program_finds() {
    // Samples from all parts of the numbering.
    let game = whole();
    let (mut over, mut open) = ([0; 2], 0);
    let mut found = Vec::new();
    let step = game.len() / 4001;
    for at in 0..4000 {
        game.states(at * step..at * step + 3, |_, position| found.push(position));
    }
    for position in found {
        let known = naive(&game, &position);
        let text = game.write_state(&position);
        match (known.over(), game.terminal(&position)) {
            (Some(Over::LionCanBeTaken), Some(Outcome::Win(winner))) => {
                assert!(winner == game.turn(&position), "{text}");
                assert!(game.stops_early(&position), "{text}");
                over[0] += 1;
            }
            (Some(Over::GoalIsReached), Some(Outcome::Win(winner))) => {
                assert!(winner != game.turn(&position), "{text}");
                assert!(!game.stops_early(&position), "{text}");
                over[1] += 1;
            }
            (None, None) => {
                let mut moves = Vec::new();
                game.moves(&position, |next| moves.push(naive(&game, &next)));
                moves.sort();
                let mut expected = known.moves();
                expected.sort();
                assert!(moves == expected, "{text}");
                let distinct: HashSet<Naive> = expected.iter().map(Naive::folded).collect();
                assert_eq!(game.degree(&position), Some(distinct.len() as u64), "{text}");
                open += 1;
            }
            different => panic!("{text}: {different:?}"),
        }
    }
    assert!(over[0] > 1000 && over[1] > 50 && open > 1000, "{over:?}, {open}");
}

/// Compares a solution with the results of the naive program.
fn compare<Q: Query<Game = Dobutsu>>(solution: &Q, worths: &HashMap<Naive, Worth>) {
    for (position, worth) in worths {
        let text = position.text();
        let value = solution.value(&parse(solution.game(), &text)).expect("a value");
        let expected = match *worth {
            Worth::Won(plies) => Value::Win(plies),
            Worth::Lost(plies) => Value::Loss(plies),
            Worth::Drawn => Value::Endless,
        };
        assert_eq!(value, expected, "{text}");
    }
}

/// The game with packed states, which are found by hashing.
struct AsNumbers<'g>(&'g Dobutsu);

impl Game for AsNumbers<'_> {
    type State = u64;
    const PLAYERS: Players = Dobutsu::PLAYERS;

    fn turn(&self, &state: &u64) -> Player {
        self.0.turn(&self.0.unpack(state))
    }

    fn terminal(&self, &state: &u64) -> Option<Outcome> {
        self.0.terminal(&self.0.unpack(state))
    }

    fn stops_early(&self, &state: &u64) -> bool {
        self.0.stops_early(&self.0.unpack(state))
    }

    fn moves(&self, &state: &u64, mut visit: impl FnMut(u64)) {
        self.0.moves(&self.0.unpack(state), |next| visit(self.0.pack(&next)));
    }

    fn roots(&self) -> impl IntoIterator<Item = u64> {
        self.0.roots().into_iter().map(|root| self.0.pack(&root))
    }

    fn canonical(&self, &state: &u64) -> u64 {
        self.0.pack(&self.0.canonical(&self.0.unpack(state)))
    }
}

#[test]
fn lions_and_chicks_have_the_values_that_a_naive_program_finds() {
    let game = small();
    let worths = naive(&game, &start(&game)).worths();
    let dense = Solver::new(&game).solve_as::<scheme::Dense>().expect("solvable");
    compare(&dense, &worths);
    let packed = Solver::new(&game).solve_as::<scheme::Packed>().expect("solvable");
    compare(&packed, &worths);
    assert_eq!(packed.summary().states(), worths.len() as u64);
    if kit::PLAIN {
        return;
    }
    let numbers = AsNumbers(&game);
    let explored = Solver::new(&numbers).solve_as::<scheme::Hashed>().expect("solvable");
    assert_eq!(explored.summary(), packed.summary());
    let statistics = [
        Solver::new(&game).survey_as::<scheme::Dense>().expect("statistics"),
        Solver::new(&game).survey_as::<scheme::Packed>().expect("statistics"),
    ];
    assert_eq!(statistics[0], statistics[1]);
    assert_eq!(statistics[0].total().states, worths.len() as u64);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "six million states take too long unoptimized")]
fn without_elephants_or_giraffes_both_numberings_give_the_same_values() {
    for (no_elephants, no_giraffes) in [(true, false), (false, true)] {
        let game = Dobutsu::new(DobutsuParameters { no_elephants, no_giraffes });
        let dense = Solver::new(&game).solve_as::<scheme::Dense>().expect("solvable");
        let packed = Solver::new(&game).solve_as::<scheme::Packed>().expect("solvable");
        for (position, value) in states::of(&packed) {
            assert_eq!(dense.value(&position).expect("a value"), value, "{position:?}");
        }
    }
}

#[test]
fn the_laws_are_kept() {
    let scope = Scope::Sample { states: kit::few(1_000, 10_000), seed: 1 };
    let whole = Dobutsu::new(DobutsuParameters::default());
    Laws::new(&whole).scope(scope).notation().check().expect("a lawful game");
    if kit::PLAIN {
        return;
    }
    let game = small();
    let report = Laws::new(&game).notation().check().expect("a lawful game");
    let mut states = 0;
    game.states(0..game.len(), |_, _| states += 1);
    assert_eq!(report.states, states);
    let laws = Laws::new(&game).notation();
    laws.check_as::<scheme::Packed>().expect("a lawful game");
    for (no_elephants, no_giraffes) in [(true, false), (false, true)] {
        let game = Dobutsu::new(DobutsuParameters { no_elephants, no_giraffes });
        Laws::new(&game).scope(scope).notation().check().expect("a lawful game");
    }
}

#[test]
fn the_numbering_is_as_long_as_is_computed_by_hand() {
    // For each number of pieces of each kind on the board: the choices of squares and owners, of
    // promoted chicks, and of the owners of pieces in hand.
    let choose =
        |from: u64, count: u64| (0..count).fold(1, |product, at| product * (from - at) / (at + 1));
    let length = |elephants: u64, giraffes: u64| {
        let mut sum = 0;
        for chicks in 0..=2 {
            for elephant in 0..=elephants {
                for giraffe in 0..=giraffes {
                    let squares = choose(10, elephant)
                        * choose(10 - elephant, giraffe)
                        * choose(10 - elephant - giraffe, chicks);
                    let types = 2_u64.pow((elephant + giraffe + 2 * chicks) as u32);
                    let hands =
                        (elephants - elephant + 1) * (giraffes - giraffe + 1) * (3 - chicks);
                    sum += squares * types * hands;
                }
            }
        }
        // Nine squares for the mover's lion and eleven for the other. Mirror images are left out,
        // except if both lions are in the middle column.
        sum * ((9 * 11 - 9) / 2 + 9)
    };
    for (no_elephants, no_giraffes) in [(false, false), (true, false), (false, true), (true, true)]
    {
        let game = Dobutsu::new(DobutsuParameters { no_elephants, no_giraffes });
        let count = |without: bool| if without { 0 } else { 2 };
        assert_eq!(game.len(), length(count(no_elephants), count(no_giraffes)));
    }
    assert_eq!(whole().len(), 641_424_258);
}
