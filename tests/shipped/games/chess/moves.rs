//! The moves and the backward moves of many positions, one by one.

use std::collections::{BTreeMap, BTreeSet};

use kit::Random;
use retrograde::{Game, Notation, TierIndexed, Tiered};
use retrograde_games::chess::{Chess, Position};

use super::chess;
use super::draw::placement;
use super::mailbox::Mailbox;

/// The endings that are tried.
pub(crate) const MATERIALS: &[&str] = if kit::PLAIN { SOME } else { ALL };

/// A few of them, with every kind of man, equal sides, and a pawn that is captured en passant.
const SOME: &[&str] = &["KQvKR", "KBNvK", "KRvKR", "KPvKP", "KBPvKN"];

/// Every kind of ending: like men, equal sides, and up to three pawns on one side or both.
const ALL: &[&str] = &[
    "KvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KQvKR", "KBNvK", "KBBvK", "KNNvK", "KQvKQ",
    "KRvKR", "KNvKN", "KQvKP", "KPvKP", "KPPvK", "KRBvKR", "KQRvKR", "KBBvKN", "KRRvKB", "KQQvKQ",
    "KNNvKN", "KQQQvK", "KRRRvK", "KBBBvK", "KNNNvK", "KRPvKR", "KBPvKN", "KPPvKR", "KRRvKP",
    "KPPPvK", "KPPvKP", "KRPvKP", "KQPvKP",
];

/// Random positions of a material, in both implementations.
pub(crate) fn positions(
    game: &Chess,
    material: &str,
    draws: u64,
    mut each: impl FnMut(&Mailbox, Option<Position>),
) {
    let mut random = Random(material.bytes().fold(0, |seed, byte| 31 * seed + u64::from(byte)));
    for _ in 0..draws {
        let drawn = placement(material, &mut random);
        each(&drawn, game.parse_state(&drawn.fen()).ok());
    }
}

/// The indices of some states, each with the number of its occurrences.
pub(crate) fn indices(game: &Chess, states: &[Position]) -> BTreeMap<(usize, u64), usize> {
    let mut indices = BTreeMap::new();
    for state in states {
        let tier = game.tier(state);
        *indices.entry((tier, game.tier_index(tier, state))).or_default() += 1;
    }
    indices
}

pub(crate) fn collected(list: impl FnOnce(&mut dyn FnMut(Position))) -> Vec<Position> {
    let mut states = Vec::new();
    list(&mut |state| states.push(state));
    states
}

pub(crate) const DRAWS: u64 = if cfg!(debug_assertions) { 200 } else { 20_000 };

#[test]
fn positions_are_legal_and_have_moves_as_a_look_at_the_board_says() {
    for &material in MATERIALS {
        let game = chess(material);
        let (mut legal, mut rights) = (0, 0);
        positions(&game, material, DRAWS, |drawn, state| {
            assert_eq!(state.is_some(), drawn.is_legal(), "{}", drawn.fen());
            let Some(state) = state else { return };
            assert_eq!(game.write_state(&state), drawn.fen());
            legal += 1;
            rights += u32::from(drawn.en_passant.is_some());
            let expected: BTreeSet<String> = drawn.successors().iter().map(Mailbox::fen).collect();
            let moves = collected(|visit| game.moves(&state, visit));
            let found: BTreeSet<String> = moves.iter().map(|next| game.write_state(next)).collect();
            assert_eq!(found, expected, "{}", drawn.fen());
            assert_eq!(moves.len(), found.len(), "{} has a move twice", drawn.fen());
            if moves.is_empty() {
                let outcome = game.no_moves(&state).unwrap();
                let mated = drawn.is_in_check(drawn.white_moves);
                let winner = mated.then(|| game.turn(&state).opponent());
                assert_eq!(outcome.winner(), winner, "{}", drawn.fen());
            }
        });
        assert!(legal * 10 > DRAWS, "{material}: only {legal} of {DRAWS} are legal");
        let has_rights = material.split('v').all(|side| side.contains('P'));
        assert_eq!(rights > 10, has_rights, "{material}: {rights} captures en passant");
    }
}

/// The tier of a position, and its successors inside and outside that tier.
pub(crate) fn split_moves(game: &Chess, state: &Position) -> (usize, Vec<Position>, Vec<Position>) {
    let tier = game.tier(state);
    let moves = collected(|visit| game.moves(state, visit));
    let (inside, exits) = moves.into_iter().partition(|next| game.tier(next) == tier);
    (tier, inside, exits)
}

#[test]
fn exits_and_the_internal_degree_are_the_moves_cut_in_two() {
    for &material in MATERIALS {
        let game = chess(material);
        positions(&game, material, DRAWS, |drawn, state| {
            let Some(state) = state else { return };
            let (tier, inside, exits) = split_moves(&game, &state);
            let distinct = indices(&game, &inside).len() as u64;
            assert_eq!(game.tier_degree(tier, &state), Some(distinct), "{}", drawn.fen());
            let left = collected(|visit| game.exits(tier, &state, visit));
            assert_eq!(indices(&game, &left), indices(&game, &exits), "{}", drawn.fen());
            let leads_to = &game.tiers()[tier].leads_to;
            assert!(left.iter().all(|next| leads_to.contains(&game.tier(next))));
        });
    }
}

#[test]
fn steps_backwards_undo_steps() {
    for &material in MATERIALS {
        let game = chess(material);
        let tier = game.tiers().len() - 1;
        positions(&game, material, DRAWS / 4, |drawn, state| {
            let Some(state) = state else { return };
            let index = game.tier_index(tier, &state);
            let before = collected(|visit| game.tier_predecessors(tier, &state, visit));
            for (index, times) in indices(&game, &before) {
                assert_eq!(times, 1, "{} has predecessor {index:?} twice", drawn.fen());
            }
            for before in before {
                let text = game.write_state(&before);
                assert_eq!(game.parse_state(&text).ok(), Some(before), "{text}");
                let next = collected(|visit| game.moves(&before, visit));
                let leads_here = indices(&game, &next).contains_key(&(tier, index));
                assert!(leads_here, "{text} has no move to {}", drawn.fen());
            }
            for next in collected(|visit| game.moves(&state, visit)) {
                if game.tier(&next) == tier {
                    let next = game.canonical(&next);
                    let before = collected(|visit| game.tier_predecessors(tier, &next, visit));
                    let found = indices(&game, &before).contains_key(&(tier, index));
                    assert!(found, "{} is not found back from {next:?}", drawn.fen());
                }
            }
        });
    }
}

/// The number of stretches of indices that are checked in each tier.
const STRETCHES: u32 = if cfg!(debug_assertions) { 3 } else { 10 };

#[test]
fn every_index_is_that_of_its_position_or_a_hole() {
    for &material in MATERIALS {
        let game = chess(material);
        for (tier, name) in game.tiers().iter().enumerate() {
            let len = game.tier_len(tier);
            let mut random = Random(len);
            for _ in 0..STRETCHES {
                // Whole stretches, so that skipped indices are noticed.
                let start = random.below(len);
                let range = start..len.min(start + DRAWS);
                let single: Vec<_> = range
                    .clone()
                    .filter_map(|index| Some((index, game.tier_unindex(tier, index)?)))
                    .collect();
                let mut passed = Vec::new();
                game.tier_states(tier, range, |index, state| passed.push((index, state)));
                assert_eq!(passed, single, "{} in {material}", name.name);
                for (index, state) in single {
                    assert_eq!(game.tier_index(tier, &state), index);
                    let text = game.write_state(&state);
                    assert_eq!(game.parse_state(&text).ok(), Some(state), "{text}");
                }
            }
        }
    }
}

#[test]
fn reflections_and_exchanged_colours_share_an_index() {
    for &material in MATERIALS {
        let game = chess(material);
        let tier = game.tiers().len() - 1;
        let has_pawns = material.contains('P');
        positions(&game, material, DRAWS, |drawn, state| {
            let Some(state) = state else { return };
            let index = game.tier_index(tier, &state);
            for image in images(drawn, has_pawns) {
                let image = game.parse_state(&image.fen()).unwrap();
                assert_eq!(game.tier_index(tier, &image), index, "{}", drawn.fen());
            }
            let canonical = game.tier_unindex(tier, index).expect("a position has an index");
            assert_eq!(game.canonical(&state), canonical);
        });
    }
}

/// The reflections of a position, and each of them upside down with exchanged colours.
fn images(position: &Mailbox, has_pawns: bool) -> Vec<Mailbox> {
    let mut images = Vec::new();
    for reflection in 0..if has_pawns { 2 } else { 8 } {
        let reflected = position.reflected(reflection);
        let mut exchanged = reflected.clone();
        for square in 0..64 {
            let man = reflected.board[square];
            let other = if man.is_ascii_uppercase() {
                man.to_ascii_lowercase()
            } else {
                man.to_ascii_uppercase()
            };
            exchanged.board[square ^ 56] = other;
        }
        exchanged.white_moves = !reflected.white_moves;
        exchanged.en_passant = reflected.en_passant.map(|square| square ^ 56);
        images.extend([reflected, exchanged]);
    }
    images
}
