//! The law for games that tell of rows: they agree with the moves, state by state.

use std::collections::BTreeSet;

use crate::game::{Player, Rows};

/// The length of a row.
const ROW: u64 = 64;

/// A state as the rest of the game tells of it, by indices of its tier.
pub(super) struct Told<'t> {
    pub(super) index: u64,
    pub(super) turn: Player,
    /// The tier and index after each move that leaves the tier.
    pub(super) exits: BTreeSet<(usize, u64)>,
    pub(super) successors: BTreeSet<u64>,
    pub(super) predecessors: BTreeSet<u64>,
    /// Whether an index is used.
    pub(super) is_used: &'t dyn Fn(u64) -> bool,
}

/// Says what rows tell otherwise.
pub(super) fn difference<R: Rows>(rows: &R, told: &Told<'_>) -> Option<String> {
    let Told { index, turn, is_used, .. } = *told;
    let (number, state) = (index / ROW, 1 << (index % ROW));
    let indices = |row: u64, states: u64| {
        (0..ROW).filter(move |at| states >> at & 1 == 1).map(move |at| row * ROW + at)
    };
    let set = |row: u64, is_in: &dyn Fn(u64) -> bool| {
        indices(row, u64::MAX)
            .filter(|&index| is_in(index))
            .fold(0, |set, at| set | 1 << (at % ROW))
    };
    let Some(row) = rows.row(number) else {
        return Some("`row` says that all indices of its row are unused".into());
    };
    let used = set(number, is_used);
    if row.states != used {
        return Some(format!("`row` has the states {:#x}, and {used:#x} are used", row.states));
    }
    if row.turn != turn || rows.turn(number) != turn {
        return Some(format!("another player is to move in its row: expected {turn}"));
    }
    let mut exits = BTreeSet::new();
    rows.exits(number, state, |states, tier, index| {
        if states & state != 0 {
            exits.insert((tier, index));
        }
    });
    if let Some((tier, index)) = exits.symmetric_difference(&told.exits).next() {
        return Some(format!(
            "it leaves to index {index} of tier {tier} by rows or by its moves, and not by both"
        ));
    }
    let mut found = BTreeSet::new();
    rows.predecessors(number, state, |row, states| found.extend(indices(row, states)));
    found.retain(|&index| is_used(index));
    if let Some(other) = found.symmetric_difference(&told.predecessors).next() {
        return Some(format!(
            "index {other} is a predecessor of it by rows or by its moves, and not by both"
        ));
    }
    let is_target = |index: u64| told.successors.contains(&index);
    if rows.without_step_to(number, state, |row| set(row, &|at| is_used(at) && !is_target(at)))
        != state
    {
        return Some("it has a step by rows that is no move".into());
    }
    let missed = told.successors.iter().find(|&&next| {
        let target = |row: u64| if row == next / ROW { 1 << (next % ROW) } else { 0 };
        rows.without_step_to(number, state, target) != 0
    });
    missed.map(|next| format!("it has no step to index {next} by rows"))
}
