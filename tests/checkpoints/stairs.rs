//! A game in large tiers that provides its predecessors.

use kit::Graph;
use kit::graph::Node;
use retrograde::{Outcome, Player};

const FLOORS: u32 = 3;

/// The distances of moves on the same floor.
const STRIDES: [u32; 3] = [1, 60, 777];

fn hash(step: u32, salt: u32) -> u32 {
    let mixed = u64::from(step ^ salt << 24).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 32) as u32
}

/// A staircase with `steps` steps on each of its floors. A move leads to a step nearby, or to any
/// step of the floors below.
pub(crate) fn stairs(steps: u32) -> Graph<true, false> {
    let nodes = (0..FLOORS * steps).map(|step| {
        let terminal = match hash(step, 2) % 30 {
            0 => Some(Outcome::Win(Player::First)),
            1 => Some(Outcome::Win(Player::Second)),
            2 => Some(Outcome::Draw),
            _ => None,
        };
        let floor = step / steps * steps;
        let mut moves = Vec::new();
        for (at, stride) in (3..).zip(STRIDES) {
            if at == 3 || hash(step, at).is_multiple_of(3) {
                moves.push(floor + (step % steps + stride) % steps);
            }
        }
        if floor > 0 && hash(step, 9).is_multiple_of(4) {
            moves.push(hash(step, 10) % floor);
        }
        (Node { terminal, ..Node::of(Player::BOTH[(hash(step, 1) % 2) as usize]) }, moves)
    });
    let roots = vec![FLOORS * steps - 1];
    Graph { roots, ..Graph::new("stairs", nodes).in_tiers(FLOORS as usize, "floor-") }
}
