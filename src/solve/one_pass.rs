//! A tier whose moves all leave it, as where a game only ever adds stones: each value follows from
//! solved tiers at once. One pass finds all values, without levels, frontiers and counts.
//!
//! A sample of the states says whether that seems so. The pass sees all moves. If any stays, the tier
//! is solved by levels as any other.
//!
//! The pass goes by the game's successor indices, as `verify` does. So it finds the values of some states
//! by `exits`, too, which the laws before a solve compare with the moves.

mod codes;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{BrokenLaw, Law, SolveError};
use crate::game::preference::{Preference, for_chooser};
use crate::game::summary::Counts;
use crate::game::value::{ENDLESS, Scale, Value};
use crate::game::{Game, Player, Turns, VisitSuccessors};
use crate::laws::check_end;
use crate::numbering::Numbering;
use crate::runtime::cuts::equal_cuts;
use crate::runtime::frontier::CHUNK;
use crate::runtime::pool::{CancellationToken, STRETCH, Size, WorkerPool};
use crate::runtime::progress::{Method, Progress};
use crate::runtime::scratch::Scratch;
use crate::solve::cells::cell::Cell;
use crate::solve::cells::{Cells, Slice};
use crate::solve::graph::exits::{best_exit, check_value};
use crate::solve::plan::MemoryNeeds;
use codes::Codes;

/// How many parts each thread gets: some states take longer than others.
const PARTS_A_THREAD: usize = 16;

/// From this number of exits on, their values are looked up. They are then on the way from memory, and
/// still in the caches.
const FULL: usize = 1 << 9;

/// The value of one state in so many is also found by its exits one by one.
const FOUND_TWICE: u64 = 1 << 7;

/// Why a pass ends early.
enum Stop {
    /// A move stays in the tier.
    Stays,
    /// The values are too many for cells of one byte.
    TooNarrow,
    Failed(SolveError),
}

impl<E: Into<SolveError>> From<E> for Stop {
    fn from(error: E) -> Stop {
        Stop::Failed(error.into())
    }
}

/// The values of all states, from the values of the tiers that their moves lead to. `None` if a move
/// stays in the tier.
pub(super) fn settle<N: Numbering + Sync>(
    numbering: &N,
    needs: &MemoryNeeds<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<Option<(Cells, Counts)>, SolveError> {
    pool.report(Progress::Planned(needs.plan(Method::OnePass, 0)))?;
    let (len, scale) = (numbering.len(), Scale::of_game(numbering.game()));
    if !N::Game::POINTS {
        let mut cells = Cells::unused(len, needs.scratch())?;
        let codes = Codes::new();
        let passed = match cells.slice() {
            Slice::Narrow(narrow) => pass(numbering, narrow, |packed| codes.code(packed), pool),
            Slice::Wide(_) => Err(Stop::TooNarrow),
        };
        match passed {
            Ok(counts) => {
                codes.add_to(&mut cells);
                return Ok(Some((cells, counts)));
            }
            Err(Stop::Stays) => return Ok(None),
            Err(Stop::Failed(error)) => return Err(error),
            Err(Stop::TooNarrow) => {}
        }
        needs.check_wide()?;
    }
    let mut cells = Cells::wide_unused(len, scale, needs.scratch())?;
    let passed = match cells.slice() {
        Slice::Wide(wide) => pass(numbering, wide, Some, pool),
        Slice::Narrow(_) => Err(Stop::TooNarrow),
    };
    match passed {
        Ok(counts) => Ok(Some((cells, counts))),
        Err(Stop::Stays | Stop::TooNarrow) => Ok(None),
        Err(Stop::Failed(error)) => Err(error),
    }
}

/// Makes the pass with cells of one width. `code` is the code of a packed value in such cells; `None`
/// if there are too many.
fn pass<N: Numbering + Sync, C: Cell>(
    numbering: &N,
    mut cells: &mut [C],
    code: impl Fn(u16) -> Option<u16> + Sync,
    pool: &mut WorkerPool<'_>,
) -> Result<Counts, Stop> {
    let of = numbering.len();
    let size = Size::of_pass(of);
    let parts = if size == Size::Small { 1 } else { PARTS_A_THREAD * pool.threads() };
    let mut tasks = Vec::new();
    let mut start = 0;
    for end in equal_cuts(of, parts, CHUNK) {
        let own = cells.split_off_mut(..(end - start) as usize).unwrap_or_default();
        tasks.push((start..end, own));
        start = end;
    }
    let event = |done| Progress::Counting { done, of };
    let is_stopped = AtomicBool::new(false);
    let files = pool.scratch().cloned();
    let work = |(indices, cells): (Range<u64>, &mut [C]), token: &dyn CancellationToken| {
        let (first, counts) = (indices.start, Counts::default());
        let batch =
            Batch { exits: Vec::new(), states: Vec::new(), stays: false, mover: Player::First };
        let mut filler =
            Filler { numbering, first, cells, code: &code, counts, batch, files: files.as_deref() };
        // Where the pass has failed elsewhere, nothing is left to do.
        match is_stopped.load(Ordering::Relaxed) {
            true => Ok(()),
            false => filler.fill(indices, token),
        }
        .inspect_err(|_| is_stopped.store(true, Ordering::Relaxed))
        .map(|()| filler.counts)
    };
    let mut counts = Counts::default();
    pool.run(size, tasks, event, work)?.iter().for_each(|part| counts.add(part));
    Ok(counts)
}

/// The states of a batch, and the exits of them all.
struct Batch {
    exits: Vec<Exit>,
    /// Each state's index, its mover, and the end of its exits among all.
    states: Vec<(u64, Player, usize)>,
    /// Whether any move stays in the tier.
    stays: bool,
    /// The player to move in the state whose moves are being listed.
    mover: Player,
}

/// A move out of the tier.
struct Exit {
    /// Where the value behind it is; [`NOWHERE`] if the game breaks its laws.
    index: u64,
    tier: u32,
    /// The points that it gains.
    gain: i16,
    /// Whether the same player is to move behind it.
    same_mover: bool,
}

/// No index.
const NOWHERE: u64 = u64::MAX;

/// Fills the cells of a range of indices.
struct Filler<'a, N, C, F> {
    numbering: &'a N,
    /// The index of the first cell.
    first: u64,
    cells: &'a mut [C],
    code: &'a F,
    counts: Counts,
    batch: Batch,
    /// Where the values behind exits may be, if not in memory.
    files: Option<&'a Scratch>,
}

/// Puts the moves of a state into a batch.
struct Listing<'a, N: Numbering> {
    numbering: &'a N,
    state: &'a <N::Game as Game>::State,
    batch: &'a mut Batch,
}

impl<N: Numbering> VisitSuccessors<<N::Game as Game>::State> for Listing<'_, N> {
    fn stay(&mut self, _: u64, _: Player) {
        self.batch.stays = true;
    }

    #[inline]
    fn leave(&mut self, next: <N::Game as Game>::State) {
        let (numbering, game) = (self.numbering, self.numbering.game());
        let gain = if N::Game::POINTS { game.gain(self.state, &next) } else { 0 };
        let same_mover = game.is_mover_of(self.batch.mover, &next);
        let (tier, index) = match numbering.place_outside(&next) {
            Some((tier, index)) => {
                numbering.prefetch_outside(tier, index);
                (tier as u32, index)
            }
            None => (0, NOWHERE),
        };
        self.batch.exits.push(Exit { index, tier, gain, same_mover });
    }

    #[inline]
    fn leave_to(&mut self, tier: usize, index: u64, turn: Player) {
        self.numbering.prefetch_outside(tier, index);
        let (tier, same_mover) = (tier as u32, turn == self.batch.mover);
        self.batch.exits.push(Exit { index, tier, gain: 0, same_mover });
    }
}

impl<N: Numbering, C: Cell, F: Fn(u16) -> Option<u16>> Filler<'_, N, C, F> {
    /// Fills the cells of these indices.
    fn fill(&mut self, indices: Range<u64>, token: &dyn CancellationToken) -> Result<(), Stop> {
        let mut start = indices.start;
        while start < indices.end {
            let end = indices.end.min(start + STRETCH);
            let mut result = Ok(());
            self.numbering.states_in(start..end, |index, state| {
                if result.is_ok() {
                    result = self.add(index, &state);
                }
            });
            result?;
            self.look_up()?;
            if token.done(end - start).is_break() {
                break;
            }
            start = end;
        }
        Ok(())
    }

    /// Adds a state to the batch, or settles it if play is over there.
    #[inline]
    fn add(&mut self, index: u64, state: &<N::Game as Game>::State) -> Result<(), Stop> {
        let (numbering, game) = (self.numbering, self.numbering.game());
        let mover = game.mover(state);
        self.counts.states[mover.index()] += 1;
        let (outcome, value) = match game.terminal(state) {
            Some(outcome) => (outcome, Value::of_outcome(game, state, outcome)),
            None => {
                let before = self.batch.exits.len();
                self.batch.mover = mover;
                numbering
                    .successors(state, &mut Listing { numbering, state, batch: &mut self.batch });
                if self.batch.stays {
                    return Err(Stop::Stays);
                }
                if self.batch.exits.len() > before {
                    self.batch.states.push((index, mover, self.batch.exits.len()));
                    return if self.batch.exits.len() < FULL { Ok(()) } else { self.look_up() };
                }
                let stuck = || BrokenLaw::no_moves(numbering.write(state), index);
                let outcome = game.no_moves(state).ok_or_else(stuck)?;
                (outcome, Value::of_end::<N::Game>(outcome, mover))
            }
        };
        check_end(game, outcome, || numbering.write(state))?;
        if N::Game::POINTS {
            check_value(numbering, state, value)?;
        }
        self.end(index, mover, value)
    }

    /// Settles the states of the batch, each by the value of its best exit.
    fn look_up(&mut self) -> Result<(), Stop> {
        let (numbering, mut start) = (self.numbering, 0);
        let states = std::mem::take(&mut self.batch.states);
        for &(index, mover, end) in &states {
            let preference = Preference::new(mover, numbering.game().endless());
            let (mut best, mut is_known) = (None, true);
            for exit in &self.batch.exits[start..end] {
                match numbering.outside_at(exit.tier as usize, exit.index) {
                    Some(value) => {
                        let value = for_chooser(value, exit.same_mover);
                        let value = if N::Game::POINTS { value.plus(exit.gain) } else { value };
                        best = Some(preference.better(best, value));
                    }
                    None => is_known = false,
                }
            }
            start = end;
            let value = best.unwrap_or(Value::Endless);
            if !is_known || !self.fits(value) || index.is_multiple_of(FOUND_TWICE) {
                self.check(index, preference, best.filter(|_| is_known))?;
            }
            self.end(index, mover, value.a_ply_before())?;
        }
        // Each value may have mapped another page.
        if let Some(files) = self.files {
            files.relieve();
        }
        self.batch.exits.clear();
        self.batch.states = states;
        self.batch.states.clear();
        Ok(())
    }

    /// Whether a state can have a successor of this value.
    #[inline]
    fn fits(&self, value: Value) -> bool {
        let game = self.numbering.game();
        let has_too_many = N::Game::POINTS && value.points().unsigned_abs() > game.max_points();
        !has_too_many && value.plies().is_none_or(|plies| plies < self.scale().most_plies())
    }

    /// Refuses a best exit that is not the one of the exits one by one, and one that does not fit.
    #[inline(never)]
    fn check(
        &self,
        index: u64,
        preference: Preference,
        best: Option<Value>,
    ) -> Result<(), SolveError> {
        let numbering = self.numbering;
        let Some(state) = numbering.state(index) else { return Ok(()) };
        let exit = best_exit(numbering, &state, preference)?;
        if exit != best {
            let state = numbering.write(&state);
            let text = format!(
                "for {state}, the best of the successor indices and the best of `exits` differ: one of \
                 the two visits other successors than the moves"
            );
            return Err(BrokenLaw::new(Law::Successors, [state], text).into());
        }
        match best.is_none_or(|best| self.fits(best)) {
            true => Ok(()),
            false => Err(SolveError::TooLong),
        }
    }

    fn scale(&self) -> Scale {
        Scale::of_game(self.numbering.game())
    }

    /// Writes a value.
    #[inline]
    fn end(&mut self, index: u64, mover: Player, value: Value) -> Result<(), Stop> {
        let packed = self.scale().pack(value);
        self.cells[(index - self.first) as usize] = match packed {
            // As a state that no level has settled.
            ENDLESS => C::open(1),
            packed => C::of_code((self.code)(packed).ok_or(Stop::TooNarrow)?),
        };
        if packed != ENDLESS {
            self.counts.add_value(value, mover);
        }
        Ok(())
    }
}
