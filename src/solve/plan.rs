//! The plan: which method solves a game, by what the game offers and the memory allowed.

use crate::error::SolveError;
use crate::game::Game;
use crate::runtime::frontier::Frontier;
use crate::runtime::progress::{Method, Plan};

/// How many bytes of memory it takes to save this number of values, if they take a byte each.
pub(crate) type Saving = fn(u64) -> u64;

/// Nothing is saved.
pub(crate) const NOT_SAVED: Saving = |_| 0;

/// How much a whole run may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolveLimits {
    /// The most memory, in bytes.
    pub(crate) memory: Option<u64>,
    /// The most states.
    pub(crate) states: Option<u64>,
    /// How much memory saving the values takes.
    pub(crate) saving: Saving,
}

impl SolveLimits {
    /// Refuses more states than are allowed.
    pub(crate) fn check_len(&self, states: u64) -> Result<(), SolveError> {
        match self.states {
            Some(limit) if states > limit => {
                Err(SolveError::TooManyStatesAllowed { states, limit })
            }
            _ => Ok(()),
        }
    }
}

/// The memory that a solve may use.
#[derive(Clone, Copy)]
pub(crate) struct MemoryBudget<'t> {
    /// The name of the tier that is solved, if there are tiers.
    pub(crate) tier: Option<&'t str>,
    /// How many bytes the run may take in all; `None` for no limit.
    pub(crate) allowed: Option<u64>,
    /// How many bytes of this memory hold tiers that this tier does not need.
    pub(crate) held: u64,
    /// How many bytes of this memory the values behind this tier's exits take.
    pub(crate) incoming: u64,
    /// The memory that saving takes once the values are solved.
    pub(crate) saving: Saving,
}

/// The memory that a solve needs, and the memory that it may use.
#[derive(Clone, Copy)]
pub(crate) struct MemoryNeeds<'t> {
    len: u64,
    /// The bytes that every method needs: for the numbering, cells of one byte, two frontiers, the
    /// values behind exits, and the tiers held.
    base: u64,
    /// The additional bytes of wide cells; 0 if the game rules out that cells are widened.
    widening: u64,
    /// Whether discovered states are coded in memory.
    coded: bool,
    room: MemoryBudget<'t>,
}

/// `BESIDE`: the bytes that the program itself and the writing of a table take at most in addition
/// to a solve. `ALLOWED_FOR_FROM`: the size of a solve, in bytes, from which on these are counted.
/// Smaller solves write smaller tables.
const BESIDE: u64 = 8 << 20;
const ALLOWED_FOR_FROM: u64 = 16 << 20;

/// The memory to count in addition to a solve of this size, in bytes.
fn beside(bytes: u64) -> u64 {
    bytes.saturating_sub(ALLOWED_FOR_FROM).min(BESIDE)
}

/// How many bytes a cell takes while a game is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellWidth {
    /// One.
    Narrow,
    /// One, and two from the level on that has too many values for one.
    MayWiden,
    /// Two from the beginning.
    Wide,
}

/// How many bytes a cell of a game takes.
pub(crate) fn width_of<G: Game>(game: &G) -> CellWidth {
    match game.max_plies() {
        _ if G::POINTS => CellWidth::Wide,
        // Cells of one byte have codes for more than 90 levels, whatever values the levels settle.
        Some(..=90) => CellWidth::Narrow,
        _ => CellWidth::MayWiden,
    }
}

impl<'t> MemoryNeeds<'t> {
    /// The needs of a game of `len` indices, in a numbering of `numbering` bytes, with cells of this
    /// width.
    ///
    /// # Errors
    /// If every method needs more than there is room for.
    pub(crate) fn weigh(
        len: u64,
        numbering: u64,
        width: CellWidth,
        room: MemoryBudget<'t>,
    ) -> Result<MemoryNeeds<'t>, SolveError> {
        let (a_cell, widening) = match width {
            CellWidth::Narrow => (1, 0),
            CellWidth::MayWiden => (1, len),
            CellWidth::Wide => (2, 0),
        };
        let cells = len.saturating_mul(a_cell);
        let base = cells
            .saturating_add(2 * Frontier::bytes(len))
            .saturating_add(numbering)
            .saturating_add(room.incoming)
            .saturating_add(room.held);
        let after = cells
            .saturating_add(numbering)
            .saturating_add(room.held)
            .saturating_add((room.saving)(len).saturating_mul(a_cell));
        let base = base.max(after);
        let base = base.saturating_add(beside(base));
        let needs = MemoryNeeds { len, base, widening, coded: false, room };
        needs.check(base)?;
        Ok(needs)
    }

    /// The bytes that every method needs.
    pub(crate) fn least(&self) -> u64 {
        self.base
    }

    /// Refuses a need of this number of bytes, if it exceeds the limit.
    fn check(&self, needed: u64) -> Result<(), SolveError> {
        let MemoryBudget { tier, allowed, held, .. } = self.room;
        match allowed {
            Some(allowed) if needed > allowed => {
                let (tier, states) = (tier.map(str::to_owned), self.len);
                Err(SolveError::OverLimit { tier, states, needed, held, in_files: None, allowed })
            }
            _ => Ok(()),
        }
    }

    /// The bytes that every method needs with cells of two bytes.
    fn wide(&self) -> u64 {
        self.base.saturating_add(self.len)
    }

    /// Refuses cells of two bytes at the start of a run, if there is no room for them.
    pub(crate) fn check_wide(&self) -> Result<(), SolveError> {
        self.check(self.wide())
    }

    /// Refuses to widen the cells before a level, if there is no room for wide cells.
    pub(crate) fn check_widening(&self, level: u32) -> Result<(), SolveError> {
        let MemoryBudget { tier, allowed, .. } = self.room;
        match allowed {
            Some(allowed) if self.wide() > allowed => {
                let (tier, states, needed) = (tier.map(str::to_owned), self.len, self.wide());
                Err(SolveError::WideningOverLimit { tier, states, level, needed, allowed })
            }
            _ => Ok(()),
        }
    }

    /// The bytes that are left for optional data, even once cells are widened.
    pub(crate) fn spare(&self) -> u64 {
        let bytes = self.base.saturating_add(self.widening);
        self.room.allowed.map_or(u64::MAX, |allowed| allowed.saturating_sub(bytes))
    }

    /// The needs of a run that takes `more` additional bytes in any case.
    pub(crate) fn and(&self, more: u64) -> MemoryNeeds<'t> {
        MemoryNeeds { base: self.base.saturating_add(more), ..*self }
    }

    /// The needs of a game whose discovered states are coded in memory, or not.
    pub(crate) fn with_coded(self, coded: bool) -> MemoryNeeds<'t> {
        MemoryNeeds { coded, ..self }
    }

    /// The plan to solve by this method, which takes `more` bytes in addition to the base.
    pub(crate) fn plan(&self, method: Method, more: u64) -> Plan {
        let bytes = self.base.saturating_add(more);
        let widened = bytes.saturating_add(self.widening);
        let MemoryNeeds { coded, room, .. } = *self;
        Plan {
            method,
            bytes,
            widened,
            allowed: room.allowed,
            recorded: false,
            coded,
            forecast: None,
        }
    }
}
