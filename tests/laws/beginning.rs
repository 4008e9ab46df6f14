//! Samples of games that are too large to discover. They are drawn from the states found first.

use std::collections::HashSet;

use retrograde::error::LawError;
use retrograde::laws::{Law, Laws, Report, Scope};
use retrograde::scheme::{Hashed, Packed, Scheme, Tiers};
use retrograde::{Game, Outcome, PackedState, Player, SolveError, Tier, Tiered};

use super::broken;

/// The length of each game, in plies.
const DEPTH: u32 = 40;

/// Nodes from this number on are not positions.
const NONE: u64 = 1 << 50;

/// The fault of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    /// States of this ply have no predecessor.
    MissingPredecessor(u32),
    /// States of this ply have a predecessor that does not lead to them.
    ExtraPredecessor(u32),
    /// The twins of states of this ply have another outcome.
    Twin(u32),
    /// States of this ply have no move, and the game gives no outcome for that.
    NoMoves(u32),
    /// Packing loses the twins.
    Packing,
    /// From this ply, a tier leads to a tier that it does not announce.
    Tier(u32),
    /// One of the moves that leave the tier of a state of this ply is not visited.
    Exits(u32),
}

/// A game with two moves in each position and 2^41 states: the nodes of a binary tree, numbered
/// from the root. Each has a twin, which is equal by symmetry.
struct Tree(Fault);

#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
struct Node {
    number: u64,
    twin: bool,
}

fn ply(number: u64) -> u32 {
    number.ilog2()
}

impl Game for Tree {
    type State = Node;
    const PREDECESSORS: bool = true;

    fn turn(&self, node: &Node) -> Player {
        Player::BOTH[ply(node.number) as usize % 2]
    }

    fn terminal(&self, node: &Node) -> Option<Outcome> {
        let is_odd = node.twin && self.0 == Fault::Twin(ply(node.number));
        (ply(node.number) == DEPTH || is_odd).then_some(Outcome::Draw)
    }

    fn moves(&self, node: &Node, mut visit: impl FnMut(Node)) {
        assert!(node.number < NONE, "this is no position");
        if self.0 != Fault::NoMoves(ply(node.number)) {
            visit(Node { number: 2 * node.number, twin: node.twin });
            visit(Node { number: 2 * node.number + 1, twin: !node.twin });
        }
    }

    fn no_moves(&self, _: &Node) -> Option<Outcome> {
        None
    }

    fn roots(&self) -> impl IntoIterator<Item = Node> {
        vec![Node { number: 1, twin: false }]
    }

    fn canonical(&self, node: &Node) -> Node {
        Node { twin: false, ..*node }
    }

    fn predecessors(&self, node: &Node, mut visit: impl FnMut(Node)) {
        let (number, ply) = (node.number, ply(node.number));
        if number > 1 && self.0 != Fault::MissingPredecessor(ply) {
            visit(Node { number: number / 2, twin: false });
        }
        if number > 7 && self.0 == Fault::ExtraPredecessor(ply) {
            visit(Node { number: number / 4, twin: false });
        }
        // This node is unreachable.
        visit(Node { number: NONE | number, twin: false });
    }
}

impl PackedState for Tree {
    type Word = u64;

    fn pack(&self, node: &Node) -> u64 {
        node.number << 1 | u64::from(node.twin && self.0 != Fault::Packing)
    }

    fn unpack(&self, word: u64) -> Node {
        Node { number: word >> 1, twin: word & 1 == 1 }
    }
}

/// A tier for each ply, and one for nodes that are not positions.
impl Tiered for Tree {
    fn tiers(&self) -> Vec<Tier> {
        let tier = |at: usize| {
            let is_faulty = self.0 == Fault::Tier(DEPTH - at.saturating_sub(1) as u32);
            let leads_to = if at > 1 && !is_faulty { vec![at - 1] } else { vec![] };
            Tier { name: at.to_string(), leads_to }
        };
        (0..DEPTH as usize + 2).map(tier).collect()
    }

    fn tier(&self, node: &Node) -> usize {
        if node.number >= NONE { 0 } else { (DEPTH - ply(node.number)) as usize + 1 }
    }

    fn exits(&self, _: usize, node: &Node, mut visit: impl FnMut(Node)) {
        let mut moves = Vec::new();
        self.moves(node, |next| moves.push(next));
        let left_out = usize::from(self.0 == Fault::Exits(ply(node.number)));
        moves.into_iter().skip(left_out).for_each(&mut visit);
    }
}

const SAMPLE: Scope = Scope::Sample { states: 400, seed: 1 };

/// The number of states found first: all before ply 12, and some of ply 12.
const FIRST: u64 = 5_000;
const PLY: u32 = 12;

fn check<S: Scheme<Tree>>(fault: Fault) -> Result<Report, LawError> {
    Laws::new(&Tree(fault)).scope(SAMPLE).sample_from(FIRST).check_as::<S>()
}

#[test]
fn a_sample_of_a_game_that_is_too_large_is_drawn_from_the_states_found_first() {
    let drawn = |report: Result<Report, LawError>| {
        let Report { states, moves, drawn_from, .. } = report.unwrap();
        assert_eq!((states, moves, drawn_from), (400, 800, Some(FIRST)));
    };
    drawn(check::<Hashed>(Fault::None));
    drawn(check::<Packed>(Fault::None));
    drawn(check::<Tiers<Packed>>(Fault::None));
}

#[test]
fn by_default_a_million_states_are_enough() {
    let report = Laws::new(&Tree(Fault::None)).scope(SAMPLE).check_as::<Packed>().unwrap();
    assert_eq!(report.drawn_from, Some(1 << 20));
    // The seed determines the sample, and so the counterexample.
    let of_seed = |seed| {
        let scope = Scope::Sample { states: 400, seed };
        let laws = Laws::new(&Tree(Fault::NoMoves(PLY))).scope(scope).sample_from(4_200);
        broken(laws.check_as::<Packed>()).1
    };
    assert_eq!(of_seed(1), of_seed(1));
    let found: HashSet<String> = (0..8).map(of_seed).collect();
    assert!(found.len() > 1, "{found:?}");
}

/// Faults are also found on states beyond the first ones, if they are neighbours of some of these.
#[test]
fn every_fault_at_the_end_of_what_was_discovered_is_found() {
    let find = |fault: Fault, law: Law, part: &str| {
        for result in [check::<Hashed>(fault), check::<Packed>(fault)] {
            let (found, counterexample) = broken(result);
            assert_eq!(found, law, "{fault:?}: {counterexample}");
            assert!(counterexample.contains(part), "{fault:?}: {counterexample}");
        }
    };
    for ply in [PLY, PLY + 1] {
        find(Fault::MissingPredecessor(ply), Law::Predecessors, "whose predecessors lack it");
        find(Fault::Twin(ply), Law::Symmetry, "outcomes differ");
    }
    find(Fault::ExtraPredecessor(PLY), Law::Predecessors, "has no move to it");
    find(Fault::NoMoves(PLY), Law::NoMoves, "has no legal move");
    let (law, _) = broken(check::<Packed>(Fault::Packing));
    assert_eq!(law, Law::Packing);
    for fault in [Fault::Tier(PLY), Fault::Exits(PLY)] {
        let (law, counterexample) = broken(check::<Tiers<Packed>>(fault));
        assert_eq!(law, Law::Tiers, "{fault:?}: {counterexample}");
    }
}

/// A token on a row of squares, which moves on by one or two squares.
struct Row(u32);

impl Game for Row {
    type State = u32;
    const PREDECESSORS: bool = true;

    fn turn(&self, at: &u32) -> Player {
        Player::BOTH[*at as usize / 2 % 2]
    }

    fn terminal(&self, &at: &u32) -> Option<Outcome> {
        (at >= self.0).then_some(Outcome::Draw)
    }

    fn moves(&self, &at: &u32, mut visit: impl FnMut(u32)) {
        visit(at + 1);
        visit(at + 2);
    }

    fn predecessors(&self, &at: &u32, visit: impl FnMut(u32)) {
        let before = (1..=2).filter_map(|by| at.checked_sub(by));
        before.filter(|&before| before < self.0).for_each(visit);
    }

    fn roots(&self) -> impl IntoIterator<Item = u32> {
        vec![0]
    }
}

/// Squares from 50 on take more bits than the game promises.
impl PackedState for Row {
    type Word = u128;

    fn pack(&self, &at: &u32) -> u128 {
        if at < 50 { u128::from(at) } else { u128::from(at) << 64 }
    }

    fn unpack(&self, word: u128) -> u32 {
        (word | word >> 64) as u32
    }

    fn fits_u64(&self) -> bool {
        true
    }
}

#[test]
fn a_state_that_takes_too_many_bits_is_named() {
    let laws = Laws::new(&Row(98)).scope(SAMPLE).sample_from(50);
    let (law, counterexample) = broken(laws.check_as::<Packed>());
    assert_eq!(law, Law::Packing);
    assert!(counterexample.contains("takes more than 64 bits"), "{counterexample}");
}

#[test]
fn a_game_with_no_more_states_than_that_is_discovered_as_ever() {
    let game = Row(98);
    let laws = |scope| Laws::new(&game).scope(scope);
    let sample = |from| laws(SAMPLE).sample_from(from).check_as::<Hashed>();
    let whole = laws(SAMPLE).check_as::<Hashed>().unwrap();
    assert_eq!(whole.drawn_from, None);
    assert_eq!(sample(101), Ok(whole));
    assert_eq!(sample(1_000), Ok(whole));
    assert_eq!(sample(50).unwrap().drawn_from, Some(50));
    assert_eq!(laws(Scope::All).sample_from(50).check_as::<Hashed>().unwrap().states, 100);
    // The limit on the states counts all of them.
    let limited = |from| laws(SAMPLE).sample_from(from).max_states(99).check_as::<Hashed>();
    assert_eq!(limited(99).unwrap().drawn_from, Some(99));
    let refused = limited(200).unwrap_err().to_string();
    assert!(refused.contains("the limit of 99 states was exceeded"), "{refused}");
    // If memory is short, the sample is drawn from fewer states.
    let short = laws(SAMPLE).memory(1_000).check_as::<Hashed>().unwrap();
    assert!(short.drawn_from.is_some_and(|found| (10..=60).contains(&found)), "{short:?}");
}

#[test]
fn the_discovery_for_a_sample_can_be_interrupted() {
    let laws = Laws::new(&Tree(Fault::None)).scope(SAMPLE);
    let stopped = laws.on_progress(|_| std::ops::ControlFlow::Break(())).check_as::<Packed>();
    assert_eq!(stopped, Err(LawError::Unchecked(SolveError::Interrupted)));
}
