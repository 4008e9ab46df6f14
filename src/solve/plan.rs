//! The plan: which method solves a game, by what the game offers and the memory allowed.

use std::io;
use std::sync::Arc;

use crate::error::SolveError;
use crate::game::Game;
use crate::runtime::frontier::Frontier;
use crate::runtime::progress::{Method, Plan};
use crate::runtime::scratch::Scratch;
use crate::solve::cells::Cells;

/// How many bytes of memory it takes to save this number of values, if they take a byte each.
pub(crate) type Saving = fn(u64) -> u64;

/// The bytes that the value behind a state's exits takes until its level comes.
pub(crate) const A_MESSAGE: u64 = 4;

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
    /// Whether there is a folder for scratch files.
    pub(crate) scratch: bool,
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
    /// If all moves seem to leave the tier, the bytes that those values take once a move stays after all.
    /// Until then there are no frontiers, and `incoming` is 0.
    pub(crate) all_leave: Option<u64>,
    /// The bytes of scratch files into which the values of tiers that this tier leads to were loaded, and its own states
    /// and theirs.
    pub(crate) loaded_in_files: u64,
    /// The memory that saving takes once the values are solved.
    pub(crate) saving: Saving,
    pub(crate) scratch: Scratching,
}

/// Whether cells and frontiers may be in scratch files if memory is too small for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scratching {
    /// They have to be in memory.
    Never,
    /// They may, but nobody has named a folder.
    Offered,
    /// They may.
    Wanted,
}

impl Scratching {
    /// For a game that several processes solve or not. `wanted`: whether there is a folder.
    pub(crate) fn of(together: bool, wanted: bool) -> Scratching {
        match (cfg!(target_os = "linux") && !together, wanted) {
            (false, _) => Scratching::Never,
            (true, false) => Scratching::Offered,
            (true, true) => Scratching::Wanted,
        }
    }
}

/// The memory that a solve needs, and the memory that it may use.
#[derive(Clone, Copy)]
pub(crate) struct MemoryNeeds<'t> {
    len: u64,
    /// The bytes that every method needs: for the numbering, cells of one byte, two frontiers, the
    /// values behind exits, and the tiers held.
    base: u64,
    /// The bytes that every method needs once the values behind exits are used up.
    used_up: u64,
    /// The bytes that every method needs with everything in memory.
    in_memory: u64,
    /// The additional bytes of wide cells; 0 if the game rules out that cells are widened.
    widening: u64,
    /// Whether discovered states are coded in memory.
    coded: bool,
    /// Where cells and frontiers are in files.
    files: Option<FileNeeds>,
    /// Their folder, once the solve has begun.
    scratch: Option<&'t Arc<Scratch>>,
    room: MemoryBudget<'t>,
}

/// The needs of cells and frontiers that are in scratch files.
#[derive(Clone, Copy)]
struct FileNeeds {
    /// The bytes of the files that may be in memory while the game is solved, and while the values are saved.
    room: u64,
    room_to_save: u64,
    /// The length of the files, in bytes, with those of [updates](UPDATE_BYTES).
    bytes: u64,
}

impl FileNeeds {
    /// The least bytes of the files of a solve of `len` indices that have to be in memory: enough for
    /// the pages that are gathered for each range of cells, if there is room for one such range.
    fn least_room(len: u64) -> u64 {
        len.saturating_mul(1 << 14).isqrt().max(16 << 10)
    }
}

/// The first pass has one in so many of the values behind exits in memory: those of the parts that it is at.
const EXITS_IN_MEMORY: u64 = 16;

/// The most bytes of the updates that a level writes into files before it applies them, for each index.
pub(crate) const UPDATE_BYTES: u64 = 1;

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

impl MemoryBudget<'_> {
    /// The budget of a solve by levels.
    pub(crate) fn by_levels(self) -> Self {
        let incoming = self.all_leave.unwrap_or(self.incoming);
        MemoryBudget { incoming, all_leave: None, ..self }
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
        let in_any_case = cells.saturating_add(numbering).saturating_add(room.held);
        let frontiers = if room.all_leave.is_some() { 0 } else { 2 * Frontier::bytes(len) };
        let saving = (room.saving)(len).saturating_mul(a_cell);
        let with = |solving: u64| {
            let bytes = in_any_case.saturating_add(solving.max(saving));
            bytes.saturating_add(beside(bytes))
        };
        let (base, used_up) = (with(frontiers.saturating_add(room.incoming)), with(frontiers));
        let needs = MemoryNeeds {
            len,
            base,
            used_up,
            in_memory: base,
            widening,
            coded: false,
            files: None,
            scratch: None,
            room,
        };
        match (needs.check(base), room.allowed) {
            (Ok(()), _) => Ok(needs),
            (Err(_), Some(allowed)) if room.scratch == Scratching::Wanted => {
                needs.in_files(numbering, a_cell, allowed)
            }
            (Err(mut refused), _) => {
                let [solving, saving] = needs.beside_files(numbering, a_cell);
                if let SolveError::OverLimit { in_scratch, .. } = &mut refused
                    && room.scratch == Scratching::Offered
                {
                    let least = solving.max(saving).saturating_add(FileNeeds::least_room(len));
                    *in_scratch = Some(least);
                }
                Err(refused)
            }
        }
    }

    /// These needs with cells of `a_cell` bytes and frontiers in files.
    ///
    /// # Errors
    /// If that needs more memory than allowed, too.
    fn in_files(
        self,
        numbering: u64,
        a_cell: u64,
        allowed: u64,
    ) -> Result<MemoryNeeds<'t>, SolveError> {
        let MemoryNeeds { len, room: budget, .. } = self;
        let [solving, saving] = self.beside_files(numbering, a_cell);
        let least = FileNeeds::least_room(len);
        self.check(solving.max(saving).saturating_add(least))?;
        let bytes = Cells::most_bytes(len)
            .saturating_add(2 * Frontier::bytes_and_file(len).1)
            .saturating_add(budget.incoming)
            .saturating_add(len.saturating_mul(UPDATE_BYTES));
        // The pages of the program itself count, too.
        let program = BESIDE.min((allowed - solving - least) / 8);
        let (room, room_to_save) = (allowed - solving - program, allowed - saving);
        let files = FileNeeds { room, room_to_save, bytes };
        Ok(MemoryNeeds { base: allowed, used_up: allowed, files: Some(files), ..self })
    }

    /// The bytes that stay in memory where cells of `a_cell` bytes and frontiers are in files, while the game is
    /// solved, and while the values are saved.
    fn beside_files(&self, numbering: u64, a_cell: u64) -> [u64; 2] {
        let MemoryNeeds { len, room, .. } = *self;
        let incoming = room.incoming / EXITS_IN_MEMORY;
        let solving = incoming.saturating_add(2 * Frontier::bytes_and_file(len).0);
        let saving = (room.saving)(len).saturating_mul(a_cell);
        [solving, saving].map(|bytes| {
            let bytes = numbering.saturating_add(room.held).saturating_add(bytes);
            bytes.saturating_add(beside(bytes))
        })
    }

    /// A folder for the scratch files of this solve, if it needs any.
    ///
    /// # Errors
    /// If the disk has too little space for them.
    pub(crate) fn scratch_in(
        &self,
        scratch: Option<&Arc<Scratch>>,
    ) -> Result<Option<Arc<Scratch>>, SolveError> {
        let Some(scratch) = scratch else { return Ok(None) };
        let Some(FileNeeds { room, bytes, .. }) = self.files else {
            scratch.set_room(self.spare());
            return Ok(None);
        };
        if let Some(free) = scratch.free_space().filter(|&free| free < bytes) {
            return Err(SolveError::Scratch {
                folder: scratch.folder().display().to_string(),
                needed: bytes,
                free: Some(free),
                error: io::Error::from(io::ErrorKind::StorageFull).into(),
            });
        }
        scratch.set_room(room);
        Ok(Some(Arc::clone(scratch)))
    }

    /// These needs, with the folder for scratch files.
    pub(crate) fn with_scratch(self, scratch: Option<&'t Arc<Scratch>>) -> MemoryNeeds<'t> {
        MemoryNeeds { scratch, ..self }
    }

    /// The folder for scratch files and the bytes of them that may be in memory, if cells and frontiers are in
    /// such files.
    pub(crate) fn files(&self) -> Option<(&'t Arc<Scratch>, u64)> {
        Some((self.scratch?, self.files?.room))
    }

    /// Makes room for what saving takes, which pages of files had until now. To be called once all is solved.
    pub(crate) fn begin_to_save(&self) {
        if let (Some(scratch), Some(files)) = (self.scratch, self.files) {
            scratch.set_room(files.room_to_save);
            scratch.relieve();
        }
    }

    /// The folder for scratch files, if cells and frontiers are in such files.
    pub(crate) fn scratch(&self) -> Option<&'t Arc<Scratch>> {
        self.scratch
    }

    /// The bytes that every method needs.
    pub(crate) fn least(&self) -> u64 {
        self.base
    }

    /// The bytes that every method needs with everything in memory, at first and even once cells are widened.
    pub(crate) fn in_memory(&self) -> [u64; 2] {
        [self.in_memory, self.in_memory.saturating_add(self.widening)]
    }

    /// Whether there is a folder for what does not fit into memory.
    pub(crate) fn wants_files(&self) -> bool {
        self.room.scratch == Scratching::Wanted
    }

    /// Whether there is or could be such a folder.
    pub(crate) fn may_use_files(&self) -> bool {
        self.room.scratch != Scratching::Never
    }

    /// The memory that is enough beside scratch files, if `needed` bytes stay in memory.
    pub(crate) fn least_with_files(&self, needed: u64) -> u64 {
        needed.saturating_add(FileNeeds::least_room(self.len))
    }

    /// Refuses a need of this number of bytes, if it exceeds the limit.
    fn check(&self, needed: u64) -> Result<(), SolveError> {
        let MemoryBudget { tier, allowed, held, .. } = self.room;
        match allowed {
            Some(allowed) if needed > allowed => {
                let (tier, states) = (tier.map(str::to_owned), self.len);
                let (in_files, in_scratch) = (None, None);
                Err(SolveError::OverLimit {
                    tier,
                    states,
                    needed,
                    held,
                    in_files,
                    in_scratch,
                    allowed,
                })
            }
            _ => Ok(()),
        }
    }

    /// The bytes that every method needs with cells of two bytes, while `incoming` bytes of the values
    /// behind exits are left.
    fn wide(&self, incoming: u64) -> u64 {
        let more = if self.files.is_some() { 0 } else { self.len };
        self.base.min(self.used_up.saturating_add(incoming)).saturating_add(more)
    }

    /// Refuses cells of two bytes in the first pass, if there is no room for them.
    pub(crate) fn check_wide(&self) -> Result<(), SolveError> {
        self.check_wide_beside(self.room.incoming)
    }

    /// Refuses cells of two bytes from a checkpoint, if there is no room for them beside `incoming` bytes of
    /// the values behind exits.
    pub(crate) fn check_wide_beside(&self, incoming: u64) -> Result<(), SolveError> {
        self.check(self.wide(incoming))
    }

    /// Refuses to widen the cells before a level, if there is no room for wide cells beside `incoming`
    /// bytes of the values behind exits.
    pub(crate) fn check_widening(&self, level: u32, incoming: u64) -> Result<(), SolveError> {
        let MemoryBudget { tier, allowed, .. } = self.room;
        let needed = self.wide(incoming);
        match allowed {
            Some(allowed) if needed > allowed => {
                let (tier, states) = (tier.map(str::to_owned), self.len);
                Err(SolveError::WideningOverLimit { tier, states, level, needed, allowed })
            }
            _ => Ok(()),
        }
    }

    /// The bytes that every method needs once cells are widened, if they may have to be.
    fn widened(&self) -> u64 {
        // Cells in files have room for both widths.
        let more = if self.files.is_some() { 0 } else { self.widening };
        self.base.saturating_add(more)
    }

    /// Whether there is room even once cells are widened.
    pub(crate) fn may_widen(&self) -> bool {
        self.room.allowed.is_none_or(|allowed| self.widened() <= allowed)
    }

    /// The bytes that are left for optional data, even once cells are widened.
    pub(crate) fn spare(&self) -> u64 {
        self.room.allowed.map_or(u64::MAX, |allowed| allowed.saturating_sub(self.widened()))
    }

    /// The needs of a run that takes `more` additional bytes in any case.
    pub(crate) fn and(&self, more: u64) -> MemoryNeeds<'t> {
        let [base, used_up, in_memory] =
            [self.base, self.used_up, self.in_memory].map(|bytes| bytes.saturating_add(more));
        MemoryNeeds { base, used_up, in_memory, ..*self }
    }

    /// The needs of a game whose discovered states are coded in memory, or not.
    pub(crate) fn with_coded(self, coded: bool) -> MemoryNeeds<'t> {
        MemoryNeeds { coded, ..self }
    }

    /// The plan to solve by this method, which takes `more` bytes in addition to the base, and `on_disk`
    /// bytes of scratch files in addition to those of the cells.
    pub(crate) fn plan_in_files(&self, method: Method, more: u64, on_disk: u64) -> Plan {
        let plan = self.plan(method, more);
        Plan { scratch: plan.scratch.saturating_add(on_disk), ..plan }
    }

    /// The plan to solve by this method, which takes `more` bytes in addition to the base.
    pub(crate) fn plan(&self, method: Method, more: u64) -> Plan {
        let bytes = self.base.saturating_add(more);
        let widened = self.widened().saturating_add(more);
        let MemoryNeeds { coded, files, room, .. } = *self;
        Plan {
            method,
            bytes,
            widened,
            allowed: room.allowed,
            recorded: false,
            coded,
            scratch: files.map_or(0, |files| files.bytes).saturating_add(room.loaded_in_files),
            forecast: None,
        }
    }
}
