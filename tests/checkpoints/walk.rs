//! A game with many levels.

use retrograde::{Game, Indexed, Outcome, Player, Stored};
use serde::{Deserialize, Serialize};

/// A walk from `length` down to 0, a step a ply, with an outcome there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Walk {
    pub(crate) length: u32,
    pub(crate) end: Outcome,
}

impl Game for Walk {
    type State = u32;
    const PREDECESSORS: bool = true;

    fn turn(&self, at: &u32) -> Player {
        Player::BOTH[(at % 2) as usize]
    }

    fn terminal(&self, at: &u32) -> Option<Outcome> {
        (*at == 0).then_some(self.end)
    }

    fn moves(&self, at: &u32, mut visit: impl FnMut(u32)) {
        visit(at - 1);
    }

    fn predecessors(&self, at: &u32, mut visit: impl FnMut(u32)) {
        if *at < self.length {
            visit(at + 1);
        }
    }

    fn roots(&self) -> Vec<u32> {
        vec![self.length]
    }
}

impl Indexed for Walk {
    fn len(&self) -> u64 {
        u64::from(self.length) + 1
    }

    fn index(&self, at: &u32) -> u64 {
        (*at).into()
    }

    fn unindex(&self, index: u64) -> Option<u32> {
        Some(index as u32)
    }
}

impl Stored for Walk {
    const NAME: &'static str = "walk";
}
