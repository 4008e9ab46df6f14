//! The moves of cops and of the robber, and the same backwards.

use std::collections::VecDeque;

use super::placings::Cops;
use super::{MOST_COPS, Passing};
use crate::graphs::Graph;

/// Where a cop gets in a move, and who stays.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    /// For each node, those that a cop gets to, and those that it comes from.
    from: Vec<Vec<u16>>,
    to: Vec<Vec<u16>>,
    /// For each node, whether the robber may stay there.
    robber_stays: Vec<bool>,
}

impl Moves {
    pub(super) fn new(graph: &Graph, passing: Passing) -> Moves {
        let nodes = 0..graph.nodes() as u16;
        let has_to_stay = |node: u16| graph.successors(node).is_empty();
        let cops_pass = matches!(passing, Passing::Both | Passing::Cops);
        let robber_passes = matches!(passing, Passing::Both | Passing::Robber);
        let with_stay = |node: u16, others: &[u16]| {
            let own = (cops_pass || has_to_stay(node)).then_some(node);
            own.into_iter().chain(others.iter().copied()).collect()
        };
        Moves {
            from: nodes.clone().map(|node| with_stay(node, graph.successors(node))).collect(),
            to: nodes.clone().map(|node| with_stay(node, graph.predecessors(node))).collect(),
            robber_stays: nodes.map(|node| robber_passes || has_to_stay(node)).collect(),
        }
    }

    /// The nodes that a cop gets to from this one.
    #[inline]
    pub(super) fn from(&self, node: u16) -> &[u16] {
        &self.from[usize::from(node)]
    }

    /// The nodes from which a cop gets to this one.
    #[inline]
    pub(super) fn to(&self, node: u16) -> &[u16] {
        &self.to[usize::from(node)]
    }

    #[inline]
    pub(super) fn robber_stays(&self, node: u16) -> bool {
        self.robber_stays[usize::from(node)]
    }
}

/// Visits the placings that these cops get to if each of them makes a step, or, if they are lazy,
/// one of them. A placing may be visited several times.
#[inline]
pub(super) fn of_cops<'s>(
    cops: &Cops,
    number: usize,
    lazy: bool,
    steps: impl Fn(u16) -> &'s [u16],
    mut visit: impl FnMut(Cops),
) {
    if number == 1 {
        let mut next = *cops;
        for &node in steps(cops[0]) {
            next[0] = node;
            visit(next);
        }
        return;
    }
    let mut visit = |mut next: Cops| {
        sort(&mut next[..number]);
        visit(next);
    };
    if lazy {
        for cop in 0..number {
            // Of several cops on a node, it does not matter which one moves.
            if cop > 0 && cops[cop] == cops[cop - 1] {
                continue;
            }
            for &node in steps(cops[cop]) {
                let mut next = *cops;
                next[cop] = node;
                visit(next);
            }
        }
        return;
    }
    let mut all: [&[u16]; MOST_COPS] = [&[]; MOST_COPS];
    for (steps_of, &node) in all.iter_mut().zip(&cops[..number]) {
        *steps_of = steps(node);
    }
    let mut at = [0; MOST_COPS];
    let mut next = *cops;
    'placings: loop {
        for cop in 0..number {
            // A node without a step to it has no predecessors.
            let Some(&node) = all[cop].get(at[cop]) else { return };
            next[cop] = node;
        }
        visit(next);
        for cop in 0..number {
            at[cop] += 1;
            if at[cop] < all[cop].len() {
                continue 'placings;
            }
            at[cop] = 0;
        }
        return;
    }
}

/// Sorts a few nodes.
#[inline]
fn sort(nodes: &mut [u16]) {
    for end in 1..nodes.len() {
        let mut at = end;
        while at > 0 && nodes[at - 1] > nodes[at] {
            nodes.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// Visits the nodes that the robber gets to from `node` in one move, or comes from if `next` leads
/// backwards. The robber runs up to `speed` edges, and not past a cop.
#[inline]
pub(super) fn of_robber<'s>(
    node: u16,
    speed: u32,
    stays: bool,
    cops: &[u16],
    next: impl Fn(u16) -> &'s [u16],
    mut visit: impl FnMut(u16),
) {
    if stays {
        visit(node);
    }
    if speed == 1 {
        next(node).iter().for_each(|&to| visit(to));
        return;
    }
    let mut seen = vec![node];
    let mut open = VecDeque::from([(node, 0)]);
    while let Some((from, edges)) = open.pop_front() {
        for &to in next(from) {
            if seen.contains(&to) {
                continue;
            }
            seen.push(to);
            visit(to);
            if edges + 1 < speed && !cops.contains(&to) {
                open.push_back((to, edges + 1));
            }
        }
    }
}
