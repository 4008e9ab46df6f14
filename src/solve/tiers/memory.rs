//! The memory that tiers take, before the first of them is solved.

use std::collections::BTreeSet;

use crate::error::SolveError;
use crate::game::{Game, Tier};
use crate::numbering::StateForm;
use crate::numbering::discovered::{FoundKeys, bytes_of_coded, bytes_to_find_coded};
use crate::numbering::indexing::{Indexing, Indices, Lookup, Tiering};
use crate::solve::plan::{
    A_MESSAGE, CellWidth, MemoryBudget, MemoryNeeds, Scratching, SolveLimits,
};

/// The size of a tier before it is solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TierSize {
    /// The number of indices, unused ones included.
    pub(crate) len: u64,
    /// The memory of the discovered states, in bytes; 0 if a formula gives them. It is the same in every form
    /// if they are in memory already, or have no code.
    pub(crate) states: StatesSize,
    /// The values behind the tier's exits.
    pub(crate) incoming: ExitsSize,
    /// Whether an earlier run solved it.
    pub(crate) is_solved: bool,
}

/// The memory of discovered states, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StatesSize {
    /// As they are.
    pub(crate) listed: u64,
    /// Coded, about.
    pub(crate) coded: u64,
    /// With the keys in scratch files.
    pub(crate) beside_files: u64,
}

impl StatesSize {
    /// States that take this number of bytes in any form.
    pub(crate) fn any(bytes: u64) -> StatesSize {
        StatesSize { listed: bytes, coded: bytes, beside_files: bytes }
    }
}

/// The bytes that a tier and those that it leads to take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Members {
    /// The number of states.
    pub(crate) keys: u64,
    /// The memory of the values of the tiers that it leads to.
    pub(crate) values: u64,
    /// The memory of the states of all.
    pub(crate) states: StatesSize,
}

impl Members {
    /// The sums for a tier. A value takes `a_value` bytes.
    pub(crate) fn of(tier: usize, tiers: &[Tier], sizes: &[TierSize], a_value: u64) -> Members {
        let own = sizes[tier];
        let mut all = Members { keys: own.len, values: 0, states: own.states };
        let exits: BTreeSet<usize> = tiers[tier].leads_to.iter().copied().collect();
        for exit in exits {
            let TierSize { len, states, .. } = sizes[exit];
            let StatesSize { listed, coded, beside_files } = all.states;
            all = Members {
                keys: all.keys.saturating_add(len),
                values: all.values.saturating_add(len.saturating_mul(a_value)),
                states: StatesSize {
                    listed: listed.saturating_add(states.listed),
                    coded: coded.saturating_add(states.coded),
                    beside_files: beside_files.saturating_add(states.beside_files),
                },
            };
        }
        all
    }
}

/// The bytes of a value in memory where one process solves the game. Values with points are too many for a palette.
pub(crate) fn bytes_of_value(width: CellWidth) -> u64 {
    if width == CellWidth::Wide { 2 } else { 1 }
}

/// The memory of the values behind a tier's exits while it is solved, estimated by a sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExitsSize {
    /// The bytes until their levels come.
    pub(crate) bytes: u64,
    /// Whether all moves seem to leave the tier, so that each value is written at once, and these take
    /// nothing.
    pub(crate) all_leave: bool,
}

impl ExitsSize {
    /// The bytes that each of several processes needs.
    pub(crate) fn share(self, processes: usize) -> u64 {
        match self.all_leave {
            true => 0,
            false => self.bytes.div_ceil(processes as u64),
        }
    }
}

impl TierSize {
    /// The size of a tier of `len` indices that is not solved and whose states are not in memory.
    /// `may_code`: whether its states may be coded there.
    pub(crate) fn new<G: Game, I: Indexing<G>>(
        game: &G,
        tier: usize,
        len: u64,
        may_code: bool,
    ) -> TierSize {
        // States that a formula gives take no memory.
        let states = match (I::Lookup::bytes_of_states(1), I::Lookup::RAW) {
            (0, _) => StatesSize::default(),
            (_, Some(_)) if may_code => StatesSize {
                listed: I::Lookup::bytes_of_states(len),
                coded: bytes_of_coded(len),
                beside_files: bytes_to_find_coded(len),
            },
            // The lookup may take more.
            _ => StatesSize::any(
                len.saturating_mul(size_of::<<I::Lookup as Lookup<G>>::Key>() as u64),
            ),
        };
        // If states are not in memory, each may have exits.
        let any = ExitsSize { bytes: len.saturating_mul(A_MESSAGE), all_leave: false };
        let incoming = match I::Lookup::FORM {
            StateForm::Formula => match I::Lookup::of_keys(FoundKeys::default()) {
                Ok(indices) => incoming::<G, I>(game, tier, &indices),
                Err(_) => any,
            },
            _ => any,
        };
        TierSize { len, states, incoming, is_solved: false }
    }
}

/// How many runs of consecutive indices are sampled, and the length of each run.
const RUNS: u64 = 16;
const RUN: u64 = 16;

/// Tiers with more indices are not sampled, since they can't be solved in any case.
const MOST_INDICES: u64 = 1 << 40;

/// The memory of the values behind the exits of a tier's states, estimated by a sample of the states.
pub(crate) fn incoming<G: Game, I: Indexing<G>>(
    game: &G,
    tier: usize,
    indices: &Indices<G, I>,
) -> ExitsSize {
    let len = I::Lookup::len(indices, game, tier);
    // Moves of discovered states may be recorded, and are then applied level by level.
    let mut all_leave = I::Tiering::HAS_TIERS && I::Lookup::FORM == StateForm::Formula;
    if !I::Tiering::HAS_TIERS || len == 0 {
        return ExitsSize { bytes: 0, all_leave: false };
    }
    let mut moves = 0;
    let (mut looked_at, mut with_exits) = (0_u64, 0_u64);
    let runs = if len > MOST_INDICES { 0 } else { RUNS };
    for run in 0..runs {
        let last = len.saturating_sub(RUN);
        let start = (u128::from(last) * u128::from(run) / u128::from(RUNS - 1)) as u64;
        let end = len.min(start + RUN);
        looked_at += end - start;
        I::Lookup::states_in(indices, game, tier, start..end, |_, state| {
            let mut has_exits = false;
            if game.terminal(&state).is_none() {
                I::Tiering::exits(game, tier, &state, |_| has_exits = true);
                if all_leave {
                    game.moves(&state, |next| {
                        moves += 1;
                        all_leave &= I::Tiering::tier(game, &next) != tier;
                    });
                }
            }
            with_exits += u64::from(has_exits);
        });
    }
    let share = if looked_at == 0 { 1.0 } else { with_exits as f64 / looked_at as f64 };
    ExitsSize { bytes: (len as f64 * share) as u64 * A_MESSAGE, all_leave: all_leave && moves > 0 }
}

/// Where the values of solved tiers are while other tiers are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// All are in memory, and so are the states of the tiers that follow.
    InMemory,
    /// In files, and in memory as long as a tier needs them.
    InFiles,
    /// Values are in files, as with [`InFiles`](Kept::InFiles). The states of all tiers are in
    /// memory.
    ValuesInFiles,
}

/// How many processes share the memory of a tier, each with a part. A single process loads values
/// of at least a byte each, or two where there are points. Several processes send each other two bytes a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shares {
    /// The processes that share the tier that is solved.
    pub(crate) own: usize,
    /// The processes that share the discovered states, and the tiers that moves lead to.
    pub(crate) exits: usize,
}

impl Shares {
    /// One process owns everything.
    pub(crate) const ALONE: Shares = Shares { own: 1, exits: 1 };
}

/// Refuses the tiers, if any can't be solved with the states or the memory allowed. The error is
/// about the tier that needs most memory. `wanted` are the places of the tiers to solve, in order.
///
/// # Errors
/// If a tier can't be solved.
pub(crate) fn check(
    tiers: &[Tier],
    wanted: &[usize],
    sizes: &[TierSize],
    width: CellWidth,
    (kept, scratch): (Kept, Scratching),
    limits: SolveLimits,
    shares: Shares,
) -> Result<(), SolveError> {
    let all_states = sizes.iter().fold(0_u64, |sum, size| sum.saturating_add(size.states.coded));
    let a_cell = bytes_of_value(width);
    let (mut worst, mut most, mut alone): (_, u64, u64) = (Ok(()), 0, 0);
    for &tier in wanted.iter().filter(|&&tier| !sizes[tier].is_solved) {
        let TierSize { len, incoming, .. } = sizes[tier];
        limits.check_len(len)?;
        let a_value = if shares.own > 1 { 2 } else { a_cell };
        let Members { values, states, .. } = Members::of(tier, tiers, sizes, a_value);
        let needed = values.saturating_add(states.coded);
        let held = match kept {
            Kept::InFiles => 0,
            Kept::ValuesInFiles => all_states.saturating_sub(states.coded),
            Kept::InMemory => {
                let values = sizes[..tier].iter().map(|size| size.len.saturating_mul(a_cell));
                values.fold(all_states, u64::saturating_add).saturating_sub(needed)
            }
        };
        let part = |bytes: u64| bytes.div_ceil(shares.exits as u64);
        let room = MemoryBudget {
            tier: Some(&*tiers[tier].name).filter(|name| !name.is_empty()),
            allowed: limits.memory,
            held: part(held),
            incoming: incoming.share(shares.own),
            all_leave: incoming.all_leave.then_some(incoming.bytes),
            loaded_in_files: 0,
            saving: limits.saving,
            scratch,
        };
        let len = len.div_ceil(shares.own as u64);
        let weigh = |numbering, room| MemoryNeeds::weigh(len, part(numbering), width, room);
        if let Ok(needs) = weigh(needed, MemoryBudget { allowed: None, ..room }) {
            alone = alone.max(needs.least().saturating_sub(room.held));
        }
        // Where files may be used, they have the values of other tiers and coded states, too.
        let weighed = match weigh(needed, MemoryBudget { scratch: Scratching::Never, ..room }) {
            Err(refused) if scratch != Scratching::Never => {
                let kept_here = if kept == Kept::InFiles { states.beside_files } else { needed };
                with_files(refused, weigh(kept_here, room), scratch)
            }
            weighed => weighed,
        };
        if let Err(refused) = weighed
            && let SolveError::OverLimit { needed, .. } = refused
            && needed > most
        {
            (worst, most) = (Err(refused), needed);
        }
    }
    if let Err(SolveError::OverLimit { held: 1.., in_files, .. }) = &mut worst {
        *in_files = Some(alone);
    }
    worst
}

/// The needs of a tier that is refused in memory, with scratch files. If nobody has named a folder, the
/// refusal says what would be enough with one.
fn with_files<'t>(
    mut refused: SolveError,
    needs: Result<MemoryNeeds<'t>, SolveError>,
    scratch: Scratching,
) -> Result<MemoryNeeds<'t>, SolveError> {
    if scratch == Scratching::Wanted {
        return needs;
    }
    if let SolveError::OverLimit { in_scratch, .. } = &mut refused {
        *in_scratch = match needs {
            Ok(needs) => Some(needs.least()),
            Err(SolveError::OverLimit { in_scratch, .. }) => in_scratch,
            Err(_) => None,
        };
    }
    Err(refused)
}
