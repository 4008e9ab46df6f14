//! Three small games for the examples in the documentation. An example names one in a hidden line.
//! Macros have the parts of a game for examples that write another part of it.

#![allow(missing_docs, reason = "they are shown where they are used")]

use retrograde::{Game, Indexed, Notation, Numbered, Stored, TierIndexed, Tiered, scheme};
use serde::{Deserialize, Serialize};

/// Take one, two or three counters from a heap; whoever takes the last one wins.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Nim {
    pub counters: u64,
}

#[macro_export]
macro_rules! rules_of_nim {
    () => {
        $crate::rules_of_nim!(without an end);

        fn terminal(&self, &heap: &u64) -> Option<retrograde::Outcome> {
            (heap == 0).then_some(retrograde::Outcome::MoverLoses)
        }
    };
    (without an end) => {
        type State = u64;

        const PLAYERS: retrograde::Players = retrograde::Players::Unnamed;

        fn moves(&self, &heap: &u64, visit: impl FnMut(u64)) {
            (1..=heap.min(3)).map(|taken| heap - taken).for_each(visit);
        }

        fn roots(&self) -> impl IntoIterator<Item = u64> {
            [self.counters]
        }
    };
}

impl Game for Nim {
    rules_of_nim!();

    const PREDECESSORS: bool = true;
    const DISTINCT: bool = true;

    fn predecessors(&self, &heap: &u64, visit: impl FnMut(u64)) {
        (heap + 1..=self.counters.min(heap + 3)).for_each(visit);
    }
}

#[macro_export]
macro_rules! indices_of_nim {
    () => {
        fn len(&self) -> u64 {
            self.counters + 1
        }

        fn index(&self, &heap: &u64) -> u64 {
            heap
        }

        fn unindex(&self, index: u64) -> Option<u64> {
            Some(index)
        }
    };
}

impl Indexed for Nim {
    indices_of_nim!();
}

impl Numbered for Nim {
    type Numberings = scheme::Dense;
}

#[macro_export]
macro_rules! notation_of_nim {
    () => {
        fn write_state(&self, heap: &u64) -> String {
            heap.to_string()
        }

        fn parse_state(&self, text: &str) -> Result<u64, retrograde::NotationError> {
            let heap = text.parse().ok().filter(|heap| (0..=self.counters).contains(heap));
            heap.ok_or_else(|| {
                retrograde::NotationError::new(format!("expected 0 to {} counters", self.counters))
            })
        }
    };
}

impl Notation for Nim {
    notation_of_nim!();
}

impl Stored for Nim {
    const NAME: &'static str = "nim";
}

/// Take any number of counters from one of two heaps; whoever takes the last one wins. A tier has the
/// states with equally many counters.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TwoHeaps {
    pub heaps: [u64; 2],
}

#[macro_export]
macro_rules! rules_of_two_heaps {
    () => {
        type State = [u64; 2];

        const PLAYERS: retrograde::Players = retrograde::Players::Unnamed;

        fn terminal(&self, &heaps: &[u64; 2]) -> Option<retrograde::Outcome> {
            (heaps == [0, 0]).then_some(retrograde::Outcome::MoverLoses)
        }

        fn moves(&self, &[a, b]: &[u64; 2], mut visit: impl FnMut([u64; 2])) {
            (0..a).for_each(|left| visit([left, b]));
            (0..b).for_each(|left| visit([a, left]));
        }

        fn roots(&self) -> impl IntoIterator<Item = [u64; 2]> {
            [self.heaps]
        }
    };
}

impl Game for TwoHeaps {
    rules_of_two_heaps!();
}

#[macro_export]
macro_rules! tiers_of_two_heaps {
    () => {
        fn tiers(&self) -> Vec<retrograde::Tier> {
            let tier = |sum| retrograde::Tier {
                name: format!("{sum}-left"),
                leads_to: (0..sum).collect(),
            };
            (0..=self.tier(&self.heaps)).map(tier).collect()
        }

        fn tier(&self, &[a, b]: &[u64; 2]) -> usize {
            (a + b) as usize
        }
    };
}

impl Tiered for TwoHeaps {
    tiers_of_two_heaps!();
}

impl TierIndexed for TwoHeaps {
    fn tier_len(&self, tier: usize) -> u64 {
        tier as u64 + 1
    }

    fn tier_index(&self, _: usize, &[a, _]: &[u64; 2]) -> u64 {
        a
    }

    fn tier_unindex(&self, tier: usize, a: u64) -> Option<[u64; 2]> {
        Some([a, tier as u64 - a])
    }
}

impl Numbered for TwoHeaps {
    type Numberings = scheme::Tiers<scheme::Dense>;
}

impl Stored for TwoHeaps {
    const NAME: &'static str = "two-heaps";
}

/// The players push a marker to and fro on the places 0 to 4, one step a move. The first player wins at
/// place 0, the second at place 4. A state is the place, and the player to move.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugOfWar;

#[macro_export]
macro_rules! rules_of_tug_of_war {
    () => {
        type State = (u64, retrograde::Player);

        fn turn(&self, &(_, player): &Self::State) -> retrograde::Player {
            player
        }

        fn terminal(&self, &(place, _): &Self::State) -> Option<retrograde::Outcome> {
            match place {
                0 => Some(retrograde::Outcome::Win(retrograde::Player::First)),
                4 => Some(retrograde::Outcome::Win(retrograde::Player::Second)),
                _ => None,
            }
        }

        fn moves(&self, &(place, player): &Self::State, mut visit: impl FnMut(Self::State)) {
            visit((place - 1, player.opponent()));
            visit((place + 1, player.opponent()));
        }

        fn roots(&self) -> impl IntoIterator<Item = Self::State> {
            retrograde::Player::BOTH.map(|player| (2, player))
        }
    };
}

impl Game for TugOfWar {
    rules_of_tug_of_war!();
}

impl Numbered for TugOfWar {
    type Numberings = scheme::Hashed;
}

impl Stored for TugOfWar {
    const NAME: &'static str = "tug-of-war";
}
