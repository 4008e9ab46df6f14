//! The analysis of a textbook: separate arrays, a queue, one thread.

use std::collections::VecDeque;

use retrograde::{Outcome, Value};

use crate::web::Plan;

/// The value of every state of a web.
pub fn values(plan: &Plan) -> Vec<Value> {
    let states = 0..plan.size;
    let successors: Vec<Vec<u32>> = states.clone().map(|state| plan.successors(state)).collect();
    let mut predecessors = vec![Vec::new(); plan.size as usize];
    for from in states.clone() {
        for &to in &successors[from as usize] {
            predecessors[to as usize].push(from);
        }
    }
    let mut values: Vec<Option<Value>> = states
        .clone()
        .map(|state| {
            let stuck = successors[state as usize].is_empty().then(|| plan.stuck(state));
            let outcome = plan.terminal(state).or(stuck)?;
            Some(match outcome.winner() {
                None => Value::Draw(0),
                Some(winner) if winner == plan.turn(state) => Value::Win(0),
                Some(_) => Value::Loss(0),
            })
        })
        .collect();
    let mut open: Vec<usize> = successors.iter().map(Vec::len).collect();

    // The wins and losses that a player can force.
    let decided = |value: &Option<Value>| matches!(value, Some(Value::Win(_) | Value::Loss(_)));
    let mut queue: VecDeque<u32> =
        states.clone().filter(|&state| decided(&values[state as usize])).collect();
    while let Some(target) = queue.pop_front() {
        for &source in &predecessors[target as usize] {
            if values[source as usize].is_some() {
                continue;
            }
            let same = plan.turn(source) == plan.turn(target);
            let (wins, plies) = match values[target as usize] {
                Some(Value::Win(plies)) => (same, plies),
                Some(Value::Loss(plies)) => (!same, plies),
                other => panic!("{other:?} in the queue"),
            };
            open[source as usize] -= usize::from(!wins);
            if wins {
                values[source as usize] = Some(Value::Win(plies + 1));
            } else if open[source as usize] == 0 {
                values[source as usize] = Some(Value::Loss(plies + 1));
            } else {
                continue;
            }
            queue.push_back(source);
        }
    }

    // The draws. They begin at the terminal draws.
    let mut queue: VecDeque<u32> =
        states.filter(|&state| values[state as usize] == Some(Value::Draw(0))).collect();
    while let Some(target) = queue.pop_front() {
        let Some(Value::Draw(plies)) = values[target as usize] else { panic!("no draw") };
        for &source in &predecessors[target as usize] {
            if values[source as usize].is_some() {
                continue;
            }
            let loses_endless = plan.endless == Outcome::Win(plan.turn(source).opponent());
            open[source as usize] -= usize::from(!loses_endless);
            if loses_endless || open[source as usize] == 0 {
                values[source as usize] = Some(Value::Draw(plies + 1));
                queue.push_back(source);
            }
        }
    }
    values.into_iter().map(|value| value.unwrap_or(Value::Endless)).collect()
}
