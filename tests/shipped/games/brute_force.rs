//! A solver without any tricks, for comparison.
#![allow(dead_code)]

use std::collections::HashMap;
use std::hash::Hash;

use retrograde::Value;

/// A game for the brute-force solver: positions of any type, and outcomes for the player to move.
pub(crate) trait Rules {
    /// A position with the side to move.
    type Board: Clone + Eq + Hash;

    /// The value for the player to move if play is over: [`Value::Win`], [`Value::Loss`] or
    /// [`Value::Draw`] in 0 plies.
    fn over(&self, board: &Self::Board) -> Option<Value>;

    /// The positions after each move, with the other player to move.
    fn after(&self, board: &Self::Board) -> Vec<Self::Board>;
}

/// The value of every position that `board` leads to, in a game that always ends.
pub(crate) fn solve_to_the_end<R: Rules>(rules: &R, board: R::Board) -> HashMap<R::Board, Value> {
    let mut values = HashMap::new();
    look_ahead(rules, board, &mut values);
    values
}

fn look_ahead<R: Rules>(
    rules: &R,
    board: R::Board,
    values: &mut HashMap<R::Board, Value>,
) -> Value {
    if let Some(&value) = values.get(&board) {
        return value;
    }
    let value = rules.over(&board).unwrap_or_else(|| {
        let after = rules.after(&board);
        assert!(!after.is_empty(), "play is over where there is no move");
        let after: Vec<Value> =
            after.into_iter().map(|next| look_ahead(rules, next, values)).collect();
        best(&after).expect("every position after this one is known")
    });
    values.insert(board, value);
    value
}

/// The values of these positions, whose moves must lead to each other. Positions that are never
/// decided are endless.
pub(crate) fn solve_in_rounds<R: Rules>(
    rules: &R,
    boards: &[R::Board],
) -> HashMap<R::Board, Value> {
    let mut values: HashMap<R::Board, Value> =
        boards.iter().filter_map(|board| Some((board.clone(), rules.over(board)?))).collect();
    for round in 1.. {
        let decided = |board: &&R::Board| {
            let after: Vec<Value> = rules
                .after(board)
                .iter()
                .map(|next| values.get(next).copied().unwrap_or(Value::Endless))
                .collect();
            let value = best(&after).filter(|&value| value != Value::Endless)?;
            // A draw may wait for moves that are found to lose later.
            let is_draw = matches!(value, Value::Draw(_));
            assert!(is_draw || value.plies() == Some(round), "found in the round of its distance");
            Some(((*board).clone(), value))
        };
        let fresh: Vec<(R::Board, Value)> = boards
            .iter()
            .filter(|board| !values.contains_key(board))
            .filter_map(|board| decided(&board))
            .collect();
        if fresh.is_empty() {
            break;
        }
        values.extend(fresh);
    }
    for board in boards {
        values.entry(board.clone()).or_insert(Value::Endless);
    }
    values
}

/// The best value that the player to move can reach if the moves lead to positions with these
/// values for the other player. `None` if there is no move. A draw counts the plies of the longest
/// play that preserves it.
fn best(after: &[Value]) -> Option<Value> {
    let losses = after.iter().filter_map(|&value| match value {
        Value::Loss(plies) => Some(Value::Win(plies + 1)),
        _ => None,
    });
    let win = losses.min_by_key(|value| value.plies());
    if win.is_some() {
        return win;
    }
    if after.contains(&Value::Endless) {
        return Some(Value::Endless);
    }
    let draws = after.iter().filter_map(|&value| match value {
        Value::Draw(plies) => Some(plies + 1),
        _ => None,
    });
    let wins = after.iter().filter_map(|&value| match value {
        Value::Win(plies) => Some(plies + 1),
        _ => None,
    });
    draws.max().map(Value::Draw).or_else(|| wins.max().map(Value::Loss))
}
