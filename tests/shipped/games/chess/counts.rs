//! How many positions of an ending are won, drawn and lost, compared with the statistics of the Syzygy tables.

use std::collections::BTreeMap;

use retrograde::{Notation, Solution, TierIndexed, Tiered, Value};
use retrograde_games::chess::Chess;

use super::mailbox::Mailbox;

/// By ending and side to move: won, drawn and lost.
type Statistics = BTreeMap<String, [[u64; 3]; 2]>;

/// Compares an ending, the last tier of the game, with the statistics. These count like men as if they were
/// told apart, and have no captures en passant. Where both sides have the same men, each position
/// is there once with white and once with black to move.
pub(super) fn assert_counted(material: &str, game: &Chess, solution: &Solution<'_, Chess>) {
    let known: Statistics =
        serde_json::from_str(include_str!("../../../data/chess/syzygy.json")).expect("JSON");
    let [white, black] = known[material];
    let (one, other) = material.split_once('v').expect("two sides");
    let expected = match one == other {
        true => white,
        false => [0, 1, 2].map(|outcome| white[outcome] + black[outcome]),
    };
    let orders: u64 = [one, other].into_iter().map(orders).product();
    let has_pawns = material.contains('P');
    let may_pass = one.contains('P') && other.contains('P');
    let tier = game.tiers().len() - 1;
    let mut counted = [0; 3];
    game.tier_states(tier, 0..game.tier_len(tier), |_, position| {
        let looks = may_pass || (orders > 1 && !has_pawns);
        let position_seen = looks.then(|| Mailbox::of_fen(&game.write_state(&position)));
        let times = match &position_seen {
            Some(seen) if seen.en_passant.is_some() => 0,
            Some(seen) if !has_pawns && swaps_like_men(seen) => orders / 2,
            _ => orders,
        };
        let outcome = match solution.value(&position).expect("a value") {
            Value::Win(_) => 0,
            Value::Loss(_) => 2,
            _ => 1,
        };
        counted[outcome] += times;
    });
    assert_eq!(counted, expected, "{material}: won, drawn, lost");
}

/// In how many orders the like men of a side can be named.
fn orders(side: &str) -> u64 {
    let of_kind = |kind| (1..=side.matches(kind).count() as u64).product::<u64>();
    ['Q', 'R', 'B', 'N', 'P'].into_iter().map(of_kind).product()
}

/// Whether a reflection leaves the board as it is, but for like men that change places. With men in two
/// orders, such a position counts once.
fn swaps_like_men(seen: &Mailbox) -> bool {
    // Only the reflections in the diagonals can leave a king where it is.
    [4, 7].into_iter().any(|kind| {
        let image = seen.reflected(kind).board;
        image == seen.board && {
            // The men that stay are on the diagonal of the reflection.
            let numbers: [char; 64] = std::array::from_fn(|square| char::from(square as u8 + 64));
            let numbered = Mailbox { board: numbers, ..seen.clone() }.reflected(kind).board;
            (0..64).any(|square| seen.board[square] != ' ' && numbered[square] != numbers[square])
        }
    })
}
