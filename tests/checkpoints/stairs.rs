//! A game in large tiers that tells its predecessors.

use retrograde::{Game, Outcome, Player, Stored, Tier, TierIndexed, Tiered};
use serde::{Deserialize, Serialize};

/// A staircase with so many steps on each of its floors. Moves lead to a step not far from here, or
/// to any step of the floors below.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Stairs {
    pub(crate) steps: u32,
}

const FLOORS: u32 = 3;

/// How far a move leads on the same floor.
const STRIDES: [u32; 3] = [1, 60, 777];

fn hash(step: u32, salt: u32) -> u32 {
    let mixed = u64::from(step ^ salt << 24).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 32) as u32
}

impl Stairs {
    /// The step of the same floor that is so far from another.
    fn beyond(&self, step: u32, stride: u32) -> u32 {
        step / self.steps * self.steps + (step % self.steps + stride) % self.steps
    }
}

impl Game for Stairs {
    type State = u32;
    const PREDECESSORS: bool = true;

    fn turn(&self, &step: &u32) -> Player {
        Player::BOTH[(hash(step, 1) % 2) as usize]
    }

    fn terminal(&self, &step: &u32) -> Option<Outcome> {
        match hash(step, 2) % 30 {
            0 => Some(Outcome::Win(Player::First)),
            1 => Some(Outcome::Win(Player::Second)),
            2 => Some(Outcome::Draw),
            _ => None,
        }
    }

    fn moves(&self, &step: &u32, mut visit: impl FnMut(u32)) {
        for (at, stride) in (3..).zip(STRIDES) {
            if at == 3 || hash(step, at).is_multiple_of(3) {
                visit(self.beyond(step, stride));
            }
        }
        let below = step / self.steps * self.steps;
        if below > 0 && hash(step, 9).is_multiple_of(4) {
            visit(hash(step, 10) % below);
        }
    }

    fn predecessors(&self, &step: &u32, mut visit: impl FnMut(u32)) {
        for (at, stride) in (3..).zip(STRIDES) {
            let before = self.beyond(step, self.steps - stride);
            if self.terminal(&before).is_none() && (at == 3 || hash(before, at).is_multiple_of(3)) {
                visit(before);
            }
        }
    }

    fn roots(&self) -> Vec<u32> {
        vec![FLOORS * self.steps - 1]
    }
}

impl Tiered for Stairs {
    fn tiers(&self) -> Vec<Tier> {
        let tier = |tier| Tier { name: format!("floor-{tier}"), leads_to: (0..tier).collect() };
        (0..FLOORS as usize).map(tier).collect()
    }

    fn tier(&self, &step: &u32) -> usize {
        (step / self.steps) as usize
    }
}

impl TierIndexed for Stairs {
    fn tier_len(&self, _: usize) -> u64 {
        self.steps.into()
    }

    fn tier_index(&self, _: usize, &step: &u32) -> u64 {
        (step % self.steps).into()
    }

    fn tier_unindex(&self, tier: usize, index: u64) -> Option<u32> {
        Some(tier as u32 * self.steps + index as u32)
    }
}

impl Stored for Stairs {
    const NAME: &'static str = "stairs";
}
