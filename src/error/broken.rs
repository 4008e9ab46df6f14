//! A broken law, and the texts of those that several rooms find.

use std::fmt;

use crate::error::Law;

/// A broken law, and the first counterexample that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BrokenLaw {
    /// The law that is broken.
    pub law: Law,
    /// The states that break it, as the counterexample writes them. Empty if they are unknown, or the
    /// game breaks it with any state.
    pub states: Vec<String>,
    /// A sentence on how they break it and, where that is not obvious, what to do.
    pub counterexample: String,
}

impl fmt::Display for BrokenLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "broken law: {}: {}", self.law, self.counterexample)
    }
}

impl BrokenLaw {
    /// A law that these states break.
    pub(crate) fn new(
        law: Law,
        states: impl Into<Vec<String>>,
        counterexample: impl Into<String>,
    ) -> BrokenLaw {
        BrokenLaw { law, states: states.into(), counterexample: counterexample.into() }
    }

    /// A game without roots.
    pub(crate) fn no_roots() -> BrokenLaw {
        let text = "`Game::roots` returns none: let it return the states where play can start";
        BrokenLaw::new(Law::Roots, [], text)
    }

    /// A state that is not terminal, has no move, and for which the game names no outcome. In a game in
    /// tiers, the index is that in its tier.
    pub(crate) fn no_moves(state: String, index: u64) -> BrokenLaw {
        let text = format!(
            "{state} (index {index}) is not terminal and has no legal move: let `Game::no_moves` give \
             its outcome"
        );
        BrokenLaw::new(Law::NoMoves, [state], text)
    }

    /// A state whose index is beyond the end of the numbering.
    pub(crate) fn index_beyond(state: String, index: u64, len: u64) -> BrokenLaw {
        let text = format!(
            "the game gives {state} the index {index}, but has only {len} indices: its `index` or its \
             `len` is wrong"
        );
        BrokenLaw::new(Law::Index, [state], text)
    }

    /// Two different states that have no order.
    pub(crate) fn unordered(states: [String; 2]) -> BrokenLaw {
        let [one, other] = &states;
        let text = format!(
            "the states {one} and {other} are different, but `Ord` puts them in no order: let `Ord` \
             agree with `Eq`"
        );
        BrokenLaw::new(Law::Index, states, text)
    }

    /// A state that does not pack into 64 bits, though the game says that all do.
    pub(crate) fn too_wide(state: String) -> BrokenLaw {
        let text = format!(
            "{state} takes more than 64 bits, but `PackedState::fits_u64` promises that no state does: \
             return false there, or pack into fewer bits"
        );
        BrokenLaw::new(Law::Packing, [state], text)
    }

    /// A state in a tier that does not exist.
    pub(crate) fn no_tier(state: String, tier: usize, tiers: usize) -> BrokenLaw {
        let text = format!(
            "{state} is in tier number {tier}, but there are {tiers} tiers, the first of them number 0: \
             mend `Tiered::tier` or `Tiered::tiers`"
        );
        BrokenLaw::new(Law::Tiers, [state], text)
    }

    /// A move from a state of the tier `tier` to one of the tier `to`, which the tier does not announce.
    pub(crate) fn unexpected_tier(states: [String; 2], tier: &str, to: &str) -> BrokenLaw {
        let [state, next] = &states;
        let text = format!(
            "{state}, in tier {tier}, has a move to {next}, in tier {to}, which is not in `leads_to` of \
             {tier}: add it there"
        );
        BrokenLaw::new(Law::Tiers, states, text)
    }

    /// A state and an exit that is in its own tier.
    pub(crate) fn exit_within(states: [String; 2], tier: &str) -> BrokenLaw {
        let [state, next] = &states;
        let text = format!(
            "`exits` of {state} visits {next}, which is in the same tier, {tier}: expected only \
             successors in other tiers"
        );
        BrokenLaw::new(Law::Tiers, states, text)
    }

    /// A move to an unused index of the tier `tier`, or to a state of it that was not discovered.
    pub(crate) fn unused_exit(states: [String; 2], tier: &str, index: Option<u64>) -> BrokenLaw {
        let [state, next] = &states;
        let unused = match index {
            Some(index) => format!("whose index {index} in tier {tier} is unused"),
            None => format!("which is not among the discovered states of tier {tier}"),
        };
        let text = format!(
            "{state} has a move to {next}, {unused}: the game's moves or its numbering are wrong"
        );
        BrokenLaw::new(Law::Index, states, text)
    }

    /// A move that gains points and stays in its tier, so that play could repeat it.
    pub(crate) fn gain_within(states: [String; 2], gain: i16) -> BrokenLaw {
        let [state, next] = &states;
        let text = format!(
            "the move from {state} to {next} gains {gain} points and stays in its tier: divide the game \
             into tiers (`Tiered`) by what such moves change for good, or count the points in the states \
             and tell them with the end"
        );
        BrokenLaw::new(Law::Points, states, text)
    }

    /// A state whose end or best exit is worth more points to the player to move than the game promises.
    pub(crate) fn too_many_points(state: String, points: i16, most: u16) -> BrokenLaw {
        let text = format!(
            "{state} is worth {points} points, but `Game::max_points` promises at most {most}: raise \
             it"
        );
        BrokenLaw::new(Law::Points, [state], text)
    }
}
