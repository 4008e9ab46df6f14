//! The memory that tiers take, before the first of them is solved.

use std::collections::BTreeSet;

use crate::error::SolveError;
use crate::game::{Game, Tier};
use crate::numbering::indexing::{Indexing, Lookup};
use crate::solve::Resources;
use crate::solve::plan::{Needs, Room};

/// What is known of a tier before it is solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TierSize {
    /// How many indices it has, unused ones included.
    pub(crate) len: u64,
    /// How many bytes of memory the discovered states take at least; 0 where a formula gives them.
    pub(crate) states: u64,
    /// Whether an earlier run solved it.
    pub(crate) is_solved: bool,
}

impl TierSize {
    /// The size of a tier of so many indices that is not solved and whose states are not in memory.
    pub(crate) fn of<G: Game, I: Indexing<G>>(len: u64) -> TierSize {
        // Nothing is taken where a formula gives the states.
        let states = match I::Lookup::bytes_of_states(1) {
            0 => 0,
            _ => len.saturating_mul(size_of::<<I::Lookup as Lookup<G>>::Key>() as u64),
        };
        TierSize { len, states, is_solved: false }
    }

    /// How many bytes the solved tier takes in memory, at so many bytes a value.
    fn solved(&self, a_value: u64) -> u64 {
        self.len.saturating_mul(a_value).saturating_add(self.states)
    }
}

/// Where the values of solved tiers are while others are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// All are in memory, and so are the states of the tiers to come.
    InMemory,
    /// In files, and in memory for as long as a tier needs them.
    InFiles,
    /// Values are in files, as with [`InFiles`](Kept::InFiles); the states of all tiers are in memory.
    #[cfg(feature = "cluster")]
    ValuesInFiles,
}

/// How many processes have a part each of what a tier takes. One process loads values at a byte each, at
/// least. Several send each other two bytes a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shares {
    /// Of the tier that is solved.
    pub(crate) own: usize,
    /// Of the states that are discovered, and of the tiers that moves lead to.
    pub(crate) exits: usize,
}

impl Shares {
    /// One process has everything.
    pub(crate) const ALONE: Shares = Shares { own: 1, exits: 1 };
}

/// Refuses the tiers, if any can't be solved with the states or the memory allowed. The refusal is
/// of the tier that takes most memory. `wanted` are the places of the tiers to solve, in order.
///
/// # Errors
/// When one can't be solved.
pub(crate) fn check<G: Game>(
    tiers: &[Tier],
    wanted: &[usize],
    sizes: &[TierSize],
    longest: Option<u32>,
    kept: Kept,
    resources: Resources<G>,
    shares: Shares,
) -> Result<(), SolveError> {
    let all_states = sizes.iter().fold(0_u64, |sum, size| sum.saturating_add(size.states));
    let (mut worst, mut most): (_, u64) = (Ok(()), 0);
    for &tier in wanted.iter().filter(|&&tier| !sizes[tier].is_solved) {
        let TierSize { len, states, .. } = sizes[tier];
        resources.check_len(len)?;
        let a_value = if shares.own > 1 { 2 } else { 1 };
        let exits: BTreeSet<usize> = tiers[tier].leads_to.iter().copied().collect();
        #[cfg(feature = "cluster")]
        let own_states =
            exits.iter().fold(states, |sum, &exit| sum.saturating_add(sizes[exit].states));
        let needed = exits
            .into_iter()
            .fold(states, |sum, exit| sum.saturating_add(sizes[exit].solved(a_value)));
        let held = match kept {
            Kept::InFiles => 0,
            #[cfg(feature = "cluster")]
            Kept::ValuesInFiles => all_states.saturating_sub(own_states),
            Kept::InMemory => {
                let values = sizes[..tier].iter().map(|size| size.len);
                values.fold(all_states, u64::saturating_add).saturating_sub(needed)
            }
        };
        let part = |bytes: u64| bytes.div_ceil(shares.exits as u64);
        let room = Room {
            tier: Some(&*tiers[tier].name).filter(|name| !name.is_empty()),
            allowed: resources.memory,
            held: part(held),
        };
        let len = len.div_ceil(shares.own as u64);
        if let Err(refused) = Needs::weigh(len, part(needed), longest, room)
            && let SolveError::OverLimit { needed, .. } = refused
            && needed > most
        {
            (worst, most) = (Err(refused), needed);
        }
    }
    worst
}
