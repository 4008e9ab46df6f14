//! The plan: which method solves a game, by what the game offers and the memory allowed.

use crate::error::SolveError;
use crate::runtime::frontier::Frontier;
use crate::runtime::progress::{Method, Plan};

/// How many bytes of memory it takes to save so many values.
pub(crate) type Saving = fn(u64) -> u64;

/// Nothing is saved.
pub(crate) const NOT_SAVED: Saving = |_| 0;

/// The memory that a solve may use.
#[derive(Clone, Copy)]
pub(crate) struct Room<'t> {
    /// The name of the tier that is to be solved, if it is one.
    pub(crate) tier: Option<&'t str>,
    /// How many bytes the run may take in all; `None` for no limit.
    pub(crate) allowed: Option<u64>,
    /// How many of them are taken by tiers that this one does not need.
    pub(crate) held: u64,
    /// How many of them the values behind this tier's exits take.
    pub(crate) incoming: u64,
    /// What saving so many values takes once they are solved.
    pub(crate) saving: Saving,
}

/// The memory that a solve needs, and what is allowed.
#[derive(Clone, Copy)]
pub(crate) struct Needs<'t> {
    len: u64,
    /// What every method needs: the numbering, cells of one byte, two frontiers, the values behind exits,
    /// and what is held.
    base: u64,
    /// How much more cells take once they are widened, if the game does not rule that out.
    widening: u64,
    room: Room<'t>,
}

/// What the program itself and the writing of a table take at most beside what a solve takes, in bytes; and
/// the size of a solve from which on that is allowed for. Smaller ones write smaller tables.
const BESIDE: u64 = 8 << 20;
const ALLOWED_FOR_FROM: u64 = 16 << 20;

/// What is allowed for beside a solve of so many bytes.
fn beside(bytes: u64) -> u64 {
    bytes.saturating_sub(ALLOWED_FOR_FROM).min(BESIDE)
}

impl<'t> Needs<'t> {
    /// The needs of a game of `len` indices in a numbering of so many bytes. `longest` is the longest
    /// distance that the game promises.
    ///
    /// # Errors
    /// When what every method needs is more than there is room for.
    pub(crate) fn weigh(
        len: u64,
        numbering: u64,
        longest: Option<u32>,
        room: Room<'t>,
    ) -> Result<Needs<'t>, SolveError> {
        // Cells of one byte have codes for more levels than this, whatever each level settles.
        let is_narrow = longest.is_some_and(|plies| plies <= 90);
        let widening = if is_narrow { 0 } else { len };
        let base = len
            .saturating_add(2 * Frontier::bytes(len))
            .saturating_add(numbering)
            .saturating_add(room.incoming)
            .saturating_add(room.held);
        let after = len
            .saturating_add(numbering)
            .saturating_add(room.held)
            .saturating_add((room.saving)(len));
        let base = base.max(after);
        let base = base.saturating_add(beside(base));
        let needs = Needs { len, base, widening, room };
        needs.check(base)?;
        Ok(needs)
    }

    /// What every method needs, in bytes.
    pub(crate) fn least(&self) -> u64 {
        self.base
    }

    /// Refuses a need of so many bytes, if that is more than there is room for.
    fn check(&self, needed: u64) -> Result<(), SolveError> {
        let Room { tier, allowed, held, .. } = self.room;
        match allowed {
            Some(allowed) if needed > allowed => {
                let (tier, states) = (tier.map(str::to_owned), self.len);
                Err(SolveError::OverLimit { tier, states, needed, held, in_files: None, allowed })
            }
            _ => Ok(()),
        }
    }

    /// What every method needs with cells of two bytes.
    fn wide(&self) -> u64 {
        self.base.saturating_add(self.len)
    }

    /// Refuses cells of two bytes from the beginning, if there is no room for them.
    pub(crate) fn check_wide(&self) -> Result<(), SolveError> {
        self.check(self.wide())
    }

    /// Refuses to widen the cells before a level, if there is no room for that.
    pub(crate) fn check_widening(&self, level: u32) -> Result<(), SolveError> {
        let Room { tier, allowed, .. } = self.room;
        match allowed {
            Some(allowed) if self.wide() > allowed => {
                let (tier, states, needed) = (tier.map(str::to_owned), self.len, self.wide());
                Err(SolveError::WideningOverLimit { tier, states, level, needed, allowed })
            }
            _ => Ok(()),
        }
    }

    /// How many bytes there are for what another method does without, even when cells are widened.
    pub(crate) fn spare(&self) -> u64 {
        let bytes = self.base.saturating_add(self.widening);
        self.room.allowed.map_or(u64::MAX, |allowed| allowed.saturating_sub(bytes))
    }

    /// The needs of a run that takes so many bytes more in any case.
    pub(crate) fn and(&self, more: u64) -> Needs<'t> {
        Needs { base: self.base.saturating_add(more), ..*self }
    }

    /// The plan to solve by this method, which takes so many bytes more than others.
    pub(crate) fn plan(&self, method: Method, more: u64) -> Plan {
        let bytes = self.base.saturating_add(more);
        let widened = bytes.saturating_add(self.widening);
        Plan { method, bytes, widened, allowed: self.room.allowed, recorded: false, forecast: None }
    }
}
