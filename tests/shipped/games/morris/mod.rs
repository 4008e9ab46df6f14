//! The morris family, compared with a separate brute force and with published figures, and checked
//! against the laws.

mod boards;
mod brute_force;
mod notation;

use std::collections::BTreeSet;

use self::boards::{BOARDS, known};
use self::brute_force::BruteForce;
use crate::states;
use kit::{few, some};
use retrograde::laws::{Laws, Scope};
use retrograde::table::Destination;
use retrograde::{Game, Notation, Outcome, Player, Solver, TierIndexed, Tiered, Value, scheme};
use retrograde_games::morris::{Board, Morris, MorrisParameters};

pub(crate) fn morris(board: Board, men: u32, flying: bool) -> Morris {
    game(board, men, [flying, false])
}

/// The game in which `flying` and `sliding` are as given.
fn game(board: Board, men: u32, [flying, sliding]: [bool; 2]) -> Morris {
    Morris::new(MorrisParameters { board, men, flying, sliding }).expect("a game to play")
}

fn brute_force(board: Board, men: u8, [flying, sliding]: [bool; 2]) -> BruteForce {
    BruteForce { board: known(board), men, flying, sliding }
}

/// How many men are usual on a board. Twelve take five seconds to set up where nothing is optimized.
fn usual(board: Board) -> u32 {
    if cfg!(debug_assertions) && board == Board::Twelve { 4 } else { board.men() }
}

#[test]
fn tiers_and_what_is_searched_are_worth_what_brute_force_finds() {
    if kit::PLAIN {
        return;
    }
    assert_worth_what_brute_force_finds([false, false]);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "ten million moves take ten seconds unoptimized")]
fn with_flying_and_sliding_too() {
    for ways in [[true, false], [false, true], [true, true]] {
        assert_worth_what_brute_force_finds(ways);
    }
}

/// Checks three men each on the board of six, flying and sliding or not.
fn assert_worth_what_brute_force_finds(ways: [bool; 2]) {
    let brute_force = brute_force(Board::Six, 3, ways);
    let game = game(Board::Six, 3, ways);
    let tiers = Solver::new(&game).solve().unwrap();
    let searched = Solver::new(&game).solve_as::<scheme::Packed>().unwrap();
    let (mut in_tiers, mut in_search) = (BTreeSet::new(), BTreeSet::new());
    for (plain, win) in brute_force.solve() {
        let position = game.parse_state(&brute_force.write(&plain)).unwrap();
        let expected = match win {
            Some((winner, plies)) if winner == plain.turn => Value::Win(plies),
            Some((_, plies)) => Value::Loss(plies),
            None => Value::Endless,
        };
        let (index, value) = tiers.index_and_value(&position).unwrap();
        assert_eq!(value, expected, "{plain:?}");
        in_tiers.insert(index);
        let (index, value) = searched.index_and_value(&position).unwrap();
        assert_eq!(value, expected, "{plain:?}");
        in_search.insert(index);
    }
    assert_eq!(in_search.len() as u64, searched.summary().states());
    // With so few men, play can reach all positions of the tiers; but where men slide, some have no
    // move that leads to them.
    let [_, sliding] = ways;
    if !sliding {
        assert_eq!(in_tiers.len() as u64, tiers.summary().states());
    }
}

#[test]
fn tiers_are_worth_what_is_searched() {
    let games = [
        (Board::Six, 3, [true, false]),
        (Board::Six, 3, [false, true]),
        (Board::Six, 4, [false, false]),
        (Board::Six, 4, [true, true]),
        (Board::Seven, 3, [false, false]),
        (Board::Twelve, 3, [true, true]),
    ];
    // The others have a million moves, which take half a minute unoptimized.
    let few = if cfg!(debug_assertions) { 2 } else { games.len() };
    for (board, men, ways) in games.into_iter().take(few) {
        let game = game(board, men, ways);
        let tiers = Solver::new(&game).solve().unwrap();
        let searched = Solver::new(&game).solve_as::<scheme::Packed>().unwrap();
        for (state, value) in states::of(&searched) {
            assert_eq!(tiers.value(&state).unwrap(), value, "{}", game.write_state(&state));
        }
    }
}

/// Plays at random, and compares all moves on the way.
#[test]
fn every_board_has_the_moves_of_the_rules() {
    // A linear congruential generator (Knuth's MMIX). Its upper bits are random enough.
    let mut seed = 0_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let (mut captures, mut ends) = (0, 0);
    for board in BOARDS {
        let usual = usual(board);
        for (men, ways) in [
            (3, [true, false]),
            (4, [true, true]),
            (usual, [false, false]),
            (usual, [true, false]),
            (usual.min(7), [false, true]),
        ] {
            let (rules, game) = (brute_force(board, men as u8, ways), game(board, men, ways));
            for _ in 0..few(2, 20) {
                let mut at = rules.start();
                for _ in 0..150 {
                    let text = rules.write(&at);
                    let position = game.parse_state(&text).unwrap();
                    assert_eq!(game.turn(&position).index(), at.turn);
                    let loser = rules.loser(&at).map(|side| Outcome::Win(Player::BOTH[1 - side]));
                    assert_eq!(game.terminal(&position), loser, "{text}");
                    if loser.is_some() {
                        ends += 1;
                        break;
                    }
                    let mut moves = rules.moves(&at);
                    let known: BTreeSet<String> = moves.iter().map(|to| rules.write(to)).collect();
                    let mut found = BTreeSet::new();
                    game.moves(&position, |next| {
                        assert!(found.insert(game.write_state(&next)), "{text} has a move twice");
                    });
                    assert_eq!(found, known, "{text}");
                    if moves.is_empty() {
                        break;
                    }
                    let men = |plain: &brute_force::Plain| {
                        let on_board = plain.points.iter().filter(|&&man| man != b'.').count();
                        on_board + plain.hands.iter().map(|&hand| usize::from(hand)).sum::<usize>()
                    };
                    let before = men(&at);
                    at = moves.swap_remove(random(moves.len()));
                    captures += u32::from(men(&at) < before);
                }
            }
        }
    }
    assert!(captures > few(100, 500) && ends > few(4, 20), "{captures} captures, {ends} ends");
}

#[test]
fn the_laws_are_kept() {
    let small = morris(Board::Six, 3, false);
    if !kit::PLAIN {
        Laws::new(&small).notation().check().unwrap();
        Laws::new(&small).notation().check_as::<scheme::Packed>().unwrap();
    }
    let all = [[false, false], [true, false], [false, true], [true, true]];
    for (at, ways) in all.into_iter().enumerate() {
        let boards: Vec<(Board, u64)> = BOARDS.into_iter().zip([400, 200, 200, 200]).collect();
        for (board, states) in few(some(&boards, at), boards) {
            let states = if cfg!(debug_assertions) { states / few(64, 16) } else { states };
            let scope = Scope::Sample { states, seed: 0 };
            let [_, sliding] = ways;
            let few_men = if sliding { 4 } else { 3 };
            // Unless all is tried, men slide in small games.
            for men in some(&[few_men, usual(board)], at.min(2)) {
                let game = game(board, men, ways);
                Laws::new(&game).scope(scope).notation().check().unwrap();
            }
        }
    }
}

/// Points up to symmetry, in one tier of each board.
#[test]
fn symmetries_of_each_board_are_folded() {
    for (board, orbits) in BOARDS.into_iter().zip([2, 5, 4, 4]) {
        let game = morris(board, 3, false);
        let tiers = game.tiers();
        let tier = tiers.iter().position(|tier| tier.name == "0-1-3-2").unwrap();
        assert_eq!(game.tier_len(tier), orbits, "{board:?}");
    }
}

#[test]
fn three_men_each_that_fly_on_the_board_of_nine_have_the_published_figures() {
    if kit::PLAIN {
        return;
    }
    let game = morris(Board::Nine, 9, true);
    let folder = tempfile::tempdir().unwrap();
    let to = Destination::at(folder.path()).only_tier("3-3-0-0");
    let tiers = Solver::new(&game).solve_into(to).unwrap();
    assert_eq!(
        tiers.iter().map(|tier| tier.name.as_str()).collect::<Vec<_>>(),
        ["over", "3-3-0-0"]
    );
    let summary = &tiers[1].summary;
    let figures = [summary.states(), summary.won(), summary.lost(), summary.draws()];
    assert_eq!(figures, [169_626, 140_621, 28_736, 269]);
    assert_eq!(summary.longest(), Some(26));
}

/// The outcome and plies of the start, and the plies of the longest win.
fn start_and_longest(board: Board) -> (Outcome, Option<u32>, Option<u32>) {
    let game = morris(board, board.men(), false);
    let solution = Solver::new(&game).solve().unwrap();
    let verdict = solution.verdict(&kit::start(&game)).unwrap();
    (verdict.outcome, verdict.plies, solution.summary().longest())
}

#[test]
#[cfg_attr(debug_assertions, ignore = "two million states take half a minute unoptimized")]
fn six_mens_morris_is_a_draw() {
    let (outcome, plies, longest) = start_and_longest(Board::Six);
    assert_eq!((outcome, plies, longest), (Outcome::Draw, None, Some(119)));
}

#[test]
#[ignore = "twenty million states take half a minute even optimized"]
fn seven_mens_morris_is_won_by_the_first() {
    let (outcome, plies, _) = start_and_longest(Board::Seven);
    assert_eq!((outcome, plies), (Outcome::Win(Player::First), Some(25)));
}

#[test]
fn the_tiers_are_named_by_their_men() {
    let game = morris(Board::Six, 6, false);
    let tiers = game.tiers();
    let start = kit::start(&game);
    assert_eq!(tiers[game.tier(&start)].name, "0-0-6-6");
    let last = tiers.len() - 1;
    assert_eq!(game.tier(&start), last);
    let leads_to = |name: &str| -> Vec<&str> {
        let tier = tiers.iter().find(|tier| tier.name == name).unwrap();
        tier.leads_to.iter().map(|&next| tiers[next].name.as_str()).collect()
    };
    assert_eq!(leads_to("0-0-6-6"), ["0-1-6-5"]);
    assert_eq!(leads_to("2-2-4-4"), ["1-3-4-3", "2-3-4-3"]);
    assert_eq!(leads_to("6-5-0-0"), ["5-5-0-0", "6-4-0-0"]);
    assert_eq!(leads_to("3-3-0-0"), ["over"]);
    assert_eq!(game.tier_len(0), 1);
}
