//! Awari: published figures, a second implementation of its rules, and the laws.

mod notation;
mod plain;

use std::collections::{BTreeMap, HashSet};

use retrograde::laws::{Laws, Scope};
use retrograde::{Game, Outcome, Solver, TierIndexed, Tiered, Value};
use retrograde_games::awari::{Awari, AwariError, AwariParameters, GrandSlam, Houses};
use serde::Deserialize;

use crate::states;
use plain::Board;

const RULES: [GrandSlam; 3] = [GrandSlam::Illegal, GrandSlam::CapturesNothing, GrandSlam::Captures];

/// The most seeds for which all positions are compared.
const FEW: u8 = if cfg!(debug_assertions) { 7 } else { 9 };

fn awari(seeds: u32, grand_slam: GrandSlam) -> Awari {
    Awari::new(AwariParameters { seeds, grand_slam }).expect("few seeds")
}

fn houses(board: &Board) -> Houses {
    let half = |first: usize| std::array::from_fn(|house| board[first + house]);
    Houses::new([half(0), half(6)]).expect("few seeds")
}

fn board(houses: &Houses) -> Board {
    let counts = houses.counts();
    std::array::from_fn(|house| counts[house / 6][house % 6])
}

/// The positions after each move.
fn after(game: &Awari, houses: &Houses) -> Vec<Houses> {
    let mut after = Vec::new();
    game.moves(houses, |next| after.push(next));
    after
}

/// A line of `tests/data/awari.jsonl` or `awari-grand-slam.jsonl`: the positions with so many seeds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    seeds: u8,
    grand_slam: String,
    states: u64,
    terminal: u64,
    moves: u64,
    captures: u64,
    values: BTreeMap<i16, u64>,
}

impl Line {
    fn rule(&self) -> GrandSlam {
        match &*self.grand_slam {
            "illegal" => GrandSlam::Illegal,
            "captures nothing" => GrandSlam::CapturesNothing,
            "captures" => GrandSlam::Captures,
            other => panic!("a rule {other:?}"),
        }
    }
}

fn lines() -> Vec<Line> {
    let texts = [
        include_str!("../../../data/awari.jsonl"),
        include_str!("../../../data/awari-grand-slam.jsonl"),
    ];
    let lines = texts.iter().flat_map(|text| text.lines());
    let lines: Vec<Line> = lines.map(|line| serde_json::from_str(line).expect("a line")).collect();
    assert_eq!(lines.len(), 36);
    lines
}

/// Compares the values of all positions with up to so many seeds, and how many there are of each.
fn assert_has_published_values(seeds: u32, grand_slam: GrandSlam) {
    let game = awari(seeds, grand_slam);
    let solution = Solver::new(&game).solve().expect("a game to solve");
    let mut counts = vec![BTreeMap::new(); seeds as usize + 1];
    for (houses, value) in states::of(&solution) {
        let points = match value {
            Value::Points { points, .. } => points,
            Value::Endless => 0,
            other => panic!("{houses:?} has {other}"),
        };
        *counts[houses.seeds() as usize].entry(points).or_insert(0) += 1;
    }
    let of_rule = lines().into_iter().filter(|line| line.rule() == grand_slam);
    let mut compared = HashSet::new();
    for line in of_rule.filter(|line| u32::from(line.seeds) <= seeds) {
        let found = &counts[usize::from(line.seeds)];
        assert_eq!(found, &line.values, "{} seeds, {}", line.seeds, line.grand_slam);
        compared.insert(line.seeds);
    }
    assert_eq!(compared.len(), counts.len());
}

#[test]
fn few_seeds_have_the_published_values() {
    for rule in RULES {
        assert_has_published_values(FEW.into(), rule);
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "17 million positions take minutes unoptimized")]
fn fifteen_seeds_have_the_published_values() {
    assert_has_published_values(15, GrandSlam::Illegal);
}

#[test]
fn all_positions_with_few_seeds_have_the_published_figures_and_the_moves_of_plain_rules() {
    for line in lines().into_iter().filter(|line| line.seeds <= FEW) {
        let (game, rule) = (awari(FEW.into(), line.rule()), line.rule());
        let tier = usize::from(line.seeds);
        let (mut states, mut terminal, mut moves, mut captures) = (0, 0, 0, 0);
        for plain in plain::boards(line.seeds) {
            let state = houses(&plain);
            let expected = plain::moves(&plain, rule);
            states += 1;
            let over = game.terminal(&state);
            assert_eq!(over.is_some(), expected.is_empty(), "{state:?}");
            if let Some(outcome) = over {
                let [own, others] = plain::sides(&plain).map(i16::from);
                assert_eq!(outcome, Outcome::Points(own - others), "{state:?}");
                terminal += 1;
                continue;
            }
            let found = after(&game, &state);
            assert_eq!(found.len(), expected.len(), "{state:?}");
            for made in &expected {
                let next = houses(&made.next);
                assert!(found.contains(&next), "{state:?} {made:?}");
                assert_eq!(
                    game.gain(&state, &next),
                    i16::from(made.captured),
                    "{state:?} {made:?}"
                );
                captures += u64::from(made.captured > 0);
            }
            moves += expected.len() as u64;
        }
        let figures = (line.states, line.terminal, line.moves, line.captures);
        assert_eq!((states, terminal, moves, captures), figures, "{tier} seeds, {rule:?}");
        assert_eq!(game.tier_len(tier), line.states);
    }
}

#[test]
fn captures_lead_to_the_tiers_that_are_listed() {
    for rule in RULES {
        let game = awari(FEW.into(), rule);
        for (seeds, tier) in game.tiers().iter().enumerate() {
            let mut found = HashSet::new();
            for plain in plain::boards(seeds as u8) {
                let left = plain::moves(&plain, rule).into_iter().map(|made| made.captured);
                found.extend(
                    left.filter(|&taken| taken > 0).map(|taken| seeds - usize::from(taken)),
                );
            }
            assert_eq!(tier.name, format!("{seeds}-seed{}", if seeds == 1 { "" } else { "s" }));
            let listed: HashSet<usize> = tier.leads_to.iter().copied().collect();
            assert_eq!(listed, found, "{seeds} seeds, {rule:?}");
        }
        let most = awari(31, rule).tiers();
        let expected = if rule == GrandSlam::CapturesNothing { 16..30 } else { 13..30 };
        assert!(most[31].leads_to.iter().copied().eq(expected));
    }
}

#[test]
fn every_move_without_a_capture_is_found_backwards() {
    for rule in RULES {
        let game = awari(FEW.into(), rule);
        for tier in 0..=usize::from(FEW) - 1 {
            let mut expected = vec![Vec::new(); game.tier_len(tier) as usize];
            for plain in plain::boards(tier as u8) {
                let state = houses(&plain);
                let quiet =
                    plain::moves(&plain, rule).into_iter().filter(|made| made.captured == 0);
                let mut degree = 0;
                for made in quiet {
                    let next = game.tier_index(tier, &houses(&made.next)) as usize;
                    expected[next].push(game.tier_index(tier, &state));
                    degree += 1;
                }
                if game.terminal(&state).is_none() {
                    assert_eq!(game.tier_degree(tier, &state), Some(degree));
                }
            }
            for (index, expected) in expected.iter_mut().enumerate() {
                let state = game.tier_unindex(tier, index as u64).expect("a position");
                let mut found = Vec::new();
                game.tier_predecessors(tier, &state, |before| {
                    found.push(game.tier_index(tier, &before));
                });
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, *expected, "{state:?} {rule:?}");
            }
        }
    }
}

/// A random board with so many seeds, most of them in one house.
fn random_board(random: &mut kit::Random, seeds: u8) -> Board {
    let mut board = [0; 12];
    let (heap, in_heap) = (random.place(12), random.below(u64::from(seeds) + 1) as u8);
    board[heap] = in_heap;
    let houses = 1 + random.below(12);
    for _ in in_heap..seeds {
        board[random.below(houses) as usize] += 1;
    }
    board.rotate_left(random.place(12));
    board
}

#[test]
fn many_seeds_go_round_the_board_forwards_and_backwards() {
    let mut random = kit::Random(48);
    let (mut rounds, mut slams) = (0, 0);
    for case in 0..6_000 {
        let rule = RULES[case % 3];
        let seeds = 10 + random.below(22) as u8;
        let (game, tier) = (awari(seeds.into(), rule), usize::from(seeds));
        let plain = random_board(&mut random, seeds);
        let state = houses(&plain);
        assert_eq!(board(&state), plain);
        assert_eq!((state.seeds(), game.tier(&state)), (seeds.into(), tier));
        let index = game.tier_index(tier, &state);
        assert!(index < game.tier_len(tier));
        assert_eq!(game.tier_unindex(tier, index), Some(state));
        let expected = plain::moves(&plain, rule);
        assert_eq!(game.terminal(&state).is_some(), expected.is_empty(), "{state:?}");
        if expected.is_empty() {
            continue;
        }
        let mut found: Vec<Board> = after(&game, &state).iter().map(board).collect();
        found.sort_unstable();
        let mut nexts: Vec<Board> = expected.iter().map(|made| made.next).collect();
        nexts.sort_unstable();
        assert_eq!(found, nexts, "{state:?} {rule:?}");
        let quiet = expected.iter().filter(|made| made.captured == 0);
        assert_eq!(game.tier_degree(tier, &state), Some(quiet.clone().count() as u64));
        for made in quiet {
            let mut is_found = 0;
            game.tier_predecessors(tier, &houses(&made.next), |before| {
                is_found += usize::from(before == state);
            });
            assert_eq!(is_found, 1, "{state:?} {made:?}");
            rounds += usize::from(plain[made.house] > 11);
        }
        game.tier_predecessors(tier, &state, |before| {
            let is_made = |made: &plain::Move| made.captured == 0 && made.next == plain;
            let moves = plain::moves(&board(&before), rule);
            assert_eq!(
                moves.iter().filter(|made| is_made(made)).count(),
                1,
                "{before:?} {state:?}"
            );
        });
        slams += expected.iter().filter(|made| plain::sides(&made.next)[0] == 0).count();
    }
    assert!(rounds > 500 && slams > 10, "{rounds} {slams}");
}

#[test]
fn a_move_that_feeds_may_capture_what_it_fed_only_if_grand_slams_are_legal() {
    // Each of the other player's houses gets two of 17 seeds, and the last falls into the last house.
    let forced: Board = [0, 0, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0];
    let empty: Board = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0];
    let full: Board = [2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 0];
    for (rule, next) in [
        (GrandSlam::Illegal, empty),
        (GrandSlam::CapturesNothing, full),
        (GrandSlam::Captures, empty),
    ] {
        assert_eq!(after(&awari(17, rule), &houses(&forced)), [houses(&next)], "{rule:?}");
    }
    let free: Board = [0, 0, 0, 0, 2, 17, 0, 0, 0, 0, 0, 0];
    for (rule, moves) in
        [(GrandSlam::Illegal, 1), (GrandSlam::CapturesNothing, 2), (GrandSlam::Captures, 2)]
    {
        assert_eq!(after(&awari(19, rule), &houses(&free)).len(), moves, "{rule:?}");
    }
}

#[test]
fn indices_go_through_all_positions_in_order() {
    let game = awari(31, GrandSlam::Illegal);
    for tier in 0..=usize::from(FEW) {
        let len = game.tier_len(tier);
        let (mut last, mut expected) = (None, 0);
        game.tier_states(tier, 0..len, |index, state| {
            assert_eq!(index, expected);
            assert_eq!((game.tier(&state), game.tier_index(tier, &state)), (tier, index));
            assert_eq!(game.tier_unindex(tier, index), Some(state));
            assert!(last < Some(state), "{state:?} is not the next");
            (last, expected) = (Some(state), index + 1);
        });
        assert_eq!(expected, len);
    }
    let mut random = kit::Random(31);
    assert_eq!((game.tier_len(23), game.tier_len(31)), (286_097_760, 4_280_561_376));
    for _ in 0..300 {
        let tier = random.place(32);
        let len = game.tier_len(tier);
        let start = random.below(len);
        let (end, mut next) = (len.min(start + 100), start);
        game.tier_states(tier, start..end, |index, state| {
            assert_eq!((index, game.tier_index(tier, &state)), (next, index));
            assert_eq!(game.tier_unindex(tier, index), Some(state));
            next += 1;
        });
        assert_eq!(next, end);
        game.tier_states(tier, start..start, |index, _| panic!("{index} of no indices"));
    }
}

#[test]
fn every_position_keeps_the_laws() {
    for rule in kit::some(&RULES, 0) {
        let states: u64 = [1, 12, 78, 364, 1_365, 4_368].iter().sum();
        let game = awari(5, rule);
        let report = Laws::new(&game).notation().check().expect("a lawful game");
        assert_eq!(report.states, states);
        let sample = Scope::Sample { states: 300, seed: 12 };
        let game = awari(20, rule);
        Laws::new(&game).scope(sample).notation().check().expect("a lawful game");
    }
}

#[test]
fn more_than_31_seeds_are_refused() {
    for seeds in [32, 48, u32::MAX] {
        let parameters = AwariParameters { seeds, grand_slam: GrandSlam::Captures };
        let refused = Awari::new(parameters).map(|_| ());
        assert_eq!(refused, Err(AwariError::Seeds(seeds)));
        let text = format!("{{\"seeds\":{seeds},\"grand_slam\":\"captures\"}}");
        let error = serde_json::from_str::<Awari>(&text).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(&format!("{seeds} seeds: expected 0 to 31")), "{error}");
    }
    assert_eq!(Houses::new([[6, 5, 5, 5, 5, 6]; 2]), None);
    assert!(serde_json::from_str::<Houses>("[[0,0,0,0,0,32],[0,0,0,0,0,0]]").is_err());
    let houses = Houses::new([[1, 2, 3, 4, 5, 0], [0, 0, 0, 0, 16, 0]]).expect("31 seeds");
    let text = serde_json::to_string(&houses).expect("text");
    assert_eq!(text, "[[1,2,3,4,5,0],[0,0,0,0,16,0]]");
    assert_eq!(serde_json::from_str::<Houses>(&text).expect("houses"), houses);
}
