//! A game with many roots, which are produced one by one.

use std::ops::ControlFlow;

use kit::some;
use retrograde::laws::Laws;
use retrograde::scheme::{Dense, Hashed, Packed, Scheme, Tiers};
use retrograde::solve::Progress;
use retrograde::{Game, Indexed, Outcome, Players, SolveError, Solver, Tier, TierIndexed, Tiered};
use serde::{Deserialize, Serialize};

/// Two heaps. A player takes one or two from one of them, and a player who can't take loses. Play
/// starts with any two heaps of which the first is the larger.
struct Heaps {
    /// The largest size of a heap.
    most: u32,
    /// Whether the roots are endless in number.
    is_endless: bool,
}

/// The heaps, padded to the size of a position of some libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Position {
    heaps: [u32; 2],
    unchanged: [u64; 11],
}

impl Position {
    fn of(heaps: [u32; 2]) -> Position {
        Position { heaps, unchanged: [7; 11] }
    }
}

/// The number of different sums of heaps in a tier.
const SUMS: u32 = 100;

impl Game for Heaps {
    type State = Position;
    const PLAYERS: Players = Players::Unnamed;

    fn terminal(&self, position: &Position) -> Option<Outcome> {
        (position.heaps == [0, 0]).then_some(Outcome::MoverLoses)
    }

    fn moves(&self, position: &Position, mut visit: impl FnMut(Position)) {
        for (heap, taken) in [(0, 1), (0, 2), (1, 1), (1, 2)] {
            let mut heaps = position.heaps;
            if let Some(left) = heaps[heap].checked_sub(taken) {
                heaps[heap] = left;
                visit(Position::of(heaps));
            }
        }
    }

    fn roots(&self) -> impl IntoIterator<Item = Position> {
        let most = if self.is_endless { u32::MAX } else { self.most };
        (0..=most).flat_map(|first| (0..first).map(move |second| Position::of([first, second])))
    }
}

impl retrograde::PackedState for Heaps {
    type Word = u64;

    fn pack(&self, position: &Position) -> u64 {
        let [first, second] = position.heaps.map(u64::from);
        first << 32 | second
    }

    fn unpack(&self, packed: u64) -> Position {
        Position::of([(packed >> 32) as u32, packed as u32])
    }
}

impl Indexed for Heaps {
    fn len(&self) -> u64 {
        u64::from(self.most + 1).pow(2)
    }

    fn index(&self, position: &Position) -> u64 {
        let [first, second] = position.heaps.map(u64::from);
        first * u64::from(self.most + 1) + second
    }

    fn unindex(&self, index: u64) -> Option<Position> {
        let heaps = [index / u64::from(self.most + 1), index % u64::from(self.most + 1)];
        Some(Position::of(heaps.map(|heap| heap as u32)))
    }
}

impl Tiered for Heaps {
    fn tiers(&self) -> Vec<Tier> {
        let leads_to = |tier: u32| tier.checked_sub(1).into_iter().map(|tier| tier as usize);
        (0..=2 * self.most / SUMS)
            .map(|tier| Tier { name: format!("sum-{tier}"), leads_to: leads_to(tier).collect() })
            .collect()
    }

    fn tier(&self, position: &Position) -> usize {
        (position.heaps.iter().sum::<u32>() / SUMS) as usize
    }
}

/// A tier uses the indices of the whole game, so that most are unused.
impl TierIndexed for Heaps {
    fn tier_len(&self, _: usize) -> u64 {
        self.len()
    }

    fn tier_index(&self, _: usize, position: &Position) -> u64 {
        self.index(position)
    }

    fn tier_unindex(&self, tier: usize, index: u64) -> Option<Position> {
        self.unindex(index).filter(|position| self.tier(position) == tier)
    }
}

/// A game with more roots than are gathered before the first of them are inserted.
const MANY: Heaps = Heaps { most: 700, is_endless: false };

#[test]
fn every_scheme_that_discovers_finds_what_all_roots_lead_to() {
    every_state_is_found_in::<Packed>(1);
    if !kit::PLAIN {
        every_state_is_found_in::<Hashed>(0);
        every_state_is_found_in::<Tiers<Packed>>(0);
    }
}

fn every_state_is_found_in<S: Scheme<Heaps>>(trial: usize) {
    let most = MANY.most;
    for threads in some(&[1, 2], trial) {
        let solution = Solver::new(&MANY).threads(threads).solve_as::<S>().unwrap();
        // Play can reach all positions but those with a full second heap.
        assert_eq!(solution.summary().states(), u64::from(most + 1) * u64::from(most));
        for first in 0..=most {
            for second in 0..most {
                let outcome = solution.verdict(&Position::of([first, second])).unwrap().outcome;
                let is_lost = first % 3 == second % 3;
                let expected = if is_lost { Outcome::MoverLoses } else { Outcome::MoverWins };
                assert_eq!(outcome, expected, "{first} {second}");
            }
        }
        assert!(solution.value(&Position::of([0, most])).is_err());
    }
}

#[test]
fn every_survey_counts_what_all_roots_lead_to() {
    let few = Heaps { most: 300, is_endless: false };
    let surveys = [
        Solver::new(&few).survey_as::<Hashed>(),
        Solver::new(&few).survey_as::<Packed>(),
        Solver::new(&few).survey_as::<Dense>(),
    ];
    for survey in surveys {
        let statistics = survey.unwrap();
        assert_eq!(statistics.plies[0].states, 301 * 300 / 2);
        assert_eq!(statistics.total().states, 301 * 300);
    }
}

#[test]
fn many_roots_keep_the_laws() {
    let few = Heaps { most: 60, is_endless: false };
    Laws::new(&few).check_as::<Dense>().unwrap();
    Laws::new(&few).check_as::<Packed>().unwrap();
    Laws::new(&few).check_as::<Tiers<Dense>>().unwrap();
    Laws::new(&few).check_as::<Tiers<Packed>>().unwrap();
}

/// The roots never end: a search that stops must have taken them one by one.
#[test]
fn roots_without_end_are_refused_at_a_limit_and_can_be_interrupted() {
    fn is_refused<S: Scheme<Heaps>>() {
        let endless = Heaps { most: 10_000, is_endless: true };
        let refused = Solver::new(&endless).max_states(100_000).solve_as::<S>().map(|_| ());
        assert!(matches!(refused, Err(SolveError::TooManyToExplore { .. })), "{refused:?}");
        let refused = Solver::new(&endless).memory(1 << 24).solve_as::<S>().map(|_| ());
        assert!(matches!(refused, Err(SolveError::ExplorationOverLimit { .. })), "{refused:?}");
        let stop = |progress| match progress {
            Progress::Exploring { expanded: 0, discovered: 1.., .. } => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let stopped = Solver::new(&endless).on_progress(stop).solve_as::<S>().map(|_| ());
        assert_eq!(stopped, Err(SolveError::Interrupted));
    }
    is_refused::<Packed>();
    if !kit::PLAIN {
        is_refused::<Hashed>();
        is_refused::<Tiers<Packed>>();
    }
}
