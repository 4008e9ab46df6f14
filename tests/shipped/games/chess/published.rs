//! Endings, compared with the figures of `tests/data/chess` and with the greatest distances from
//! other sources.

use std::collections::{BTreeMap, BTreeSet};

use kit::Random;
use retrograde::{Notation, Solution, Solver, TierIndexed, Tiered, Value};
use retrograde_games::chess::{Chess, Position};
use serde::Deserialize;

use super::chess;
use super::counts::assert_counted;
use super::mailbox::Mailbox;

/// A file of `tests/data/chess`.
#[derive(Deserialize)]
struct Published {
    ending: String,
    white_to_move: OfSide,
    black_to_move: OfSide,
    /// A position, the winner (1 for the side to move, -1 for the other), and the number of plies.
    samples: Vec<(String, i8, Option<u32>)>,
}

/// The figures with one side to move.
#[derive(Deserialize)]
struct OfSide {
    full_board: Counts,
    unique_up_to_symmetry: Counts,
    max_dtm_ply: u32,
    longest_fen: String,
    hist_full_dtm_ply: BTreeMap<String, u64>,
    hist_unique_dtm_ply: BTreeMap<String, u64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
struct Counts {
    legal: u64,
    win: u64,
    draw: u64,
    loss: u64,
    /// The number of stalemates among the draws. They are not counted up to symmetry.
    stalemate: Option<u64>,
}

impl Counts {
    fn add(&mut self, value: Value, stalemate: bool, times: u64) {
        self.legal += times;
        *match value {
            Value::Win(_) => &mut self.win,
            Value::Loss(_) => &mut self.loss,
            _ => &mut self.draw,
        } += times;
        *self.stalemate.get_or_insert(0) += u64::from(stalemate) * times;
    }
}

/// The number of different reflections of a position, itself included.
fn reflections(game: &Chess, position: &Position, has_pawns: bool) -> u64 {
    let position = Mailbox::of_fen(&game.write_state(position));
    let kinds = if has_pawns { 2 } else { 8 };
    let images: BTreeSet<[char; 64]> =
        (0..kinds).map(|kind| position.reflected(kind).board).collect();
    images.len() as u64
}

fn assert_published(text: &str) {
    let known: Published = serde_json::from_str(text).expect("the data are JSON");
    let game = chess(&known.ending);
    let solution = Solver::new(&game).solve().expect("a game to solve");
    let tier = game.tiers().len() - 1;
    let has_pawns = known.ending.contains('P');
    let mut full = [Counts::default(), Counts::default()];
    let mut unique = full.clone();
    let mut histograms: [[BTreeMap<String, u64>; 2]; 2] = Default::default();
    game.tier_states(tier, 0..game.tier_len(tier), |_, position| {
        let value = solution.value(&position).expect("every position has a value");
        let side = retrograde::Game::turn(&game, &position).index();
        let times = reflections(&game, &position, has_pawns);
        let stalemate = value == Value::Draw(0);
        full[side].add(value, stalemate, times);
        unique[side].add(value, stalemate, 1);
        if let Value::Win(plies) | Value::Loss(plies) = value {
            *histograms[side][0].entry(plies.to_string()).or_default() += times;
            *histograms[side][1].entry(plies.to_string()).or_default() += 1;
        }
    });
    for (side, known) in [known.white_to_move, known.black_to_move].into_iter().enumerate() {
        unique[side].stalemate = None;
        assert_eq!(full[side], known.full_board);
        assert_eq!(unique[side], known.unique_up_to_symmetry);
        assert_eq!(histograms[side], [known.hist_full_dtm_ply, known.hist_unique_dtm_ply]);
        let longest = game.parse_state(&known.longest_fen).expect("a position");
        let verdict = solution.verdict(&longest).expect("a verdict");
        assert_eq!(verdict.plies, Some(known.max_dtm_ply), "{}", known.longest_fen);
    }
    assert!(!known.samples.is_empty());
    for (fen, sign, plies) in known.samples {
        let position = game.parse_state(&fen).expect("a position");
        let expected = match (sign, plies) {
            (1, Some(plies)) => Some(Value::Win(plies)),
            (-1, Some(plies)) => Some(Value::Loss(plies)),
            _ => None,
        };
        let value = solution.value(&position).expect("a value");
        let decided = matches!(value, Value::Win(_) | Value::Loss(_)).then_some(value);
        assert_eq!(decided, expected, "{fen}");
        assert_eq!(game.write_state(&position), fen);
    }
}

#[test]
fn queen_against_king_is_as_published() {
    assert_published(include_str!("../../../data/chess/KQvK.json"));
}

#[test]
fn rook_against_king_is_as_published() {
    if kit::PLAIN {
        return;
    }
    assert_published(include_str!("../../../data/chess/KRvK.json"));
}

#[test]
fn pawn_against_king_is_as_published() {
    if kit::PLAIN {
        return;
    }
    assert_published(include_str!("../../../data/chess/KPvK.json"));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of positions take long unoptimized")]
fn bishop_and_knight_against_king_are_as_published() {
    assert_published(include_str!("../../../data/chess/KBNvK.json"));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of positions take long unoptimized")]
fn queen_against_rook_is_as_published() {
    assert_published(include_str!("../../../data/chess/KQvKR.json"));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of positions take long unoptimized")]
fn the_longest_wins_take_as_many_moves_as_published() {
    // The number of moves of the winner, who is to move.
    for (material, moves) in [
        ("KQvK", 10),
        ("KRvK", 16),
        ("KPvK", 28),
        ("KBBvK", 19),
        ("KBNvK", 33),
        ("KQvKR", 35),
        ("KRvKB", 29),
        ("KRvKN", 40),
        ("KQvKB", 17),
        ("KQvKN", 21),
    ] {
        assert_longest_win(material, moves);
    }
}

#[test]
fn endings_of_three_men_start_from_a_longest_win() {
    for (material, moves) in kit::some(&[("KPvK", 28), ("KQvK", 10), ("KRvK", 16)], 0) {
        assert_longest_win(material, moves);
    }
}

/// Asserts that the longest win of an ending takes `moves` moves, that the start takes as many, and that there
/// are as many wins and losses as published.
fn assert_longest_win(material: &str, moves: u32) {
    let game = chess(material);
    let solution = Solver::new(&game).solve().expect("a game to solve");
    assert_counted(material, &game, &solution);
    let tier = game.tiers().len() - 1;
    let mut longest = 0;
    game.tier_states(tier, 0..game.tier_len(tier), |_, position| {
        if let Ok(Value::Win(plies)) = solution.value(&position) {
            longest = longest.max(plies);
        }
    });
    assert_eq!(longest, 2 * moves - 1, "{material}");
    let start = game.start().expect("a start position");
    assert_eq!(game.tier(&start), tier);
    let value = solution.value(&start).expect("a value");
    assert_eq!(value, Value::Win(longest), "{material}");
}

/// Compares the value of a position with the values of its successors, which the mailbox finds.
/// Distances decrease along the way. So a table is right if this holds for all of its positions.
fn assert_follows(game: &Chess, solution: &Solution<'_, Chess>, position: &Position) {
    let fen = game.write_state(position);
    let mailbox = Mailbox::of_fen(&fen);
    let (mut win, mut loss, mut holds) = (None::<u32>, None::<u32>, false);
    for next in mailbox.successors() {
        let next = game.parse_state(&next.fen()).expect("a legal position");
        match solution.value(&next).expect("a value") {
            Value::Loss(plies) => win = Some(win.map_or(plies, |win| win.min(plies))),
            Value::Win(plies) => loss = loss.max(Some(plies)),
            _ => holds = true,
        }
    }
    let expected = match (win, holds, loss) {
        (Some(plies), ..) => Some(Value::Win(plies + 1)),
        (None, true, _) => None,
        (None, false, Some(plies)) => Some(Value::Loss(plies + 1)),
        (None, false, None) if mailbox.is_in_check(mailbox.white_moves) => Some(Value::Loss(0)),
        (None, false, None) => None,
    };
    let value = solution.value(position).expect("a value");
    let decided = matches!(value, Value::Win(_) | Value::Loss(_)).then_some(value);
    assert_eq!(decided, expected, "{fen}");
}

#[test]
fn values_of_a_pawn_ending_follow_from_those_of_the_next_positions() {
    if kit::PLAIN {
        return;
    }
    let game = chess("KPvK");
    let solution = Solver::new(&game).solve().expect("a game to solve");
    for tier in 0..game.tiers().len() {
        let mut random = Random(1);
        game.tier_states(tier, 0..game.tier_len(tier), |_, position| {
            if random.below(20) == 0 {
                assert_follows(&game, &solution, &position);
            }
        });
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of positions take long unoptimized")]
fn values_with_captures_en_passant_follow_from_those_of_the_next_positions() {
    let game = chess("KPvKP");
    let solution = Solver::new(&game).solve().expect("a game to solve");
    let tier = game.tiers().len() - 1;
    let (mut random, mut rights) = (Random(2), 0);
    game.tier_states(tier, 0..game.tier_len(tier), |_, position| {
        let has_right = game.write_state(&position).split(' ').nth(3) != Some("-");
        rights += u64::from(has_right);
        if has_right || random.below(50) == 0 {
            assert_follows(&game, &solution, &position);
        }
    });
    assert!(rights > 10_000, "only {rights} captures en passant");
}

/// Solves an ending. Compares the values of some positions of every tier with the values of their
/// successors, which the mailbox finds, and their counts with those published. Returns the number of moves of
/// White's longest win.
fn solve_and_look_around(material: &str, looks: u64) -> u32 {
    let game = chess(material);
    let solution = Solver::new(&game).solve().expect("a game to solve");
    assert_counted(material, &game, &solution);
    let mut random = Random(material.bytes().map(u64::from).sum());
    let mut longest = 0;
    for (tier, named) in game.tiers().iter().enumerate() {
        let len = game.tier_len(tier);
        let last = named.name == material;
        game.tier_states(tier, 0..len, |_, position| {
            let looked_at = random.below(len) < looks;
            if looked_at {
                assert_follows(&game, &solution, &position);
            }
            if last {
                let white_moves = retrograde::Game::turn(&game, &position).index() == 0;
                match solution.value(&position).expect("a value") {
                    Value::Win(plies) if white_moves => longest = longest.max(plies.div_ceil(2)),
                    Value::Loss(plies) if !white_moves => longest = longest.max(plies / 2),
                    _ => {}
                }
            }
        });
    }
    longest
}

#[test]
#[cfg_attr(debug_assertions, ignore = "a hundred million positions take long unoptimized")]
fn every_ending_of_three_and_four_men_follows_from_the_next_positions() {
    let men = ['Q', 'R', 'B', 'N', 'P'];
    for (at, one) in men.iter().enumerate() {
        solve_and_look_around(&format!("K{one}vK"), 2_000);
        for other in &men[at..] {
            solve_and_look_around(&format!("K{one}{other}vK"), 2_000);
            solve_and_look_around(&format!("K{one}vK{other}"), 2_000);
        }
    }
}

/// The greatest distances to mate in moves, as E. Nalimov's tables give them.
#[test]
#[ignore = "a thousand million positions take ten minutes, optimized"]
fn endings_of_five_men_are_won_in_as_many_moves_as_published() {
    for (material, moves) in [
        ("KBBvKN", 78),
        ("KBNvKN", 107),
        ("KQRvKQ", 67),
        ("KQNvKQ", 41),
        ("KQBvKQ", 33),
        ("KQQvKQ", 30),
        ("KRBvKR", 65),
        ("KRNvKR", 37),
        ("KRRvKR", 31),
        ("KBBvKB", 22),
        ("KRBvKN", 40),
    ] {
        assert_eq!(solve_and_look_around(material, 20_000), moves, "{material}");
    }
    // Three like men, whose steps have twins of a kind of their own.
    for material in ["KQQQvK", "KNNNvK"] {
        solve_and_look_around(material, 20_000);
    }
}
