//! The same check where not all values fit into the memory allowed.
//!
//! States are taken a lot at a time, and pages of values are in memory. What the moves of the states lead to
//! is looked up in those, and the best of what was seen is kept for each state that has a successor
//! elsewhere. Then the pages that were missed take the place of others, and those states are gone through
//! again, until nothing was missed. Since by most numberings the successors of states that lie together lie
//! together, too, few pages are wanted for a lot, and most are there from the one before.

use std::cell::Cell as Note;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::TableError;
use crate::notation::Notation;
use crate::numbering::Numbering;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::OnProgress;
use crate::summary::Counts;
use crate::table::loaded::Goal;
use crate::table::storage::Storage;
use crate::verify::bounds::Bounds;
use crate::verify::cells::{Cell, Meaning, View};
use crate::verify::check::{Check, StateOf};
use crate::verify::choice::{Choice, Worths};
use crate::verify::lot::{Lot, STRETCH, ranges, stretches};
use crate::verify::pages::{Here, Pages};
use crate::verify::worth::Worth;

/// How many states are in a lot at the least, whatever memory is allowed.
const LEAST_STATES: u64 = STRETCH;

/// The part of the memory that is for the states of a lot.
const LOTS_PART: u64 = 4;

/// The part of the memory that bounds may take, if they don't take more. Pages have what is left.
const BOUNDS_PART: u64 = 16;

impl<N: Numbering + Sync, S: Storage + Sync> Check<'_, N, S>
where
    N::Game: Notation,
{
    /// Checks all values with some of them in memory at a time, and counts them.
    pub(crate) fn by_pages(
        &self,
        memory: u64,
        threads: usize,
        progress: &mut OnProgress<'_>,
    ) -> Result<Counts, TableError> {
        if self.judge.table.bytes_of(1) == 1
            && let Some(counts) = self.lots::<u8>(memory, threads, progress)?
        {
            return Ok(counts);
        }
        // Or a table that lists too little, which can be right all the same.
        let counts = self.lots::<u16>(memory, threads, progress)?;
        counts.ok_or_else(|| TableError::malformed("the table", "has a value that is none"))
    }

    /// Checks one lot of states after the other; `None` if there is no such cell for a value.
    fn lots<C: Cell>(
        &self,
        memory: u64,
        threads: usize,
        progress: &mut OnProgress<'_>,
    ) -> Result<Option<Counts>, TableError> {
        let (table, scales, len) = (self.judge.table, self.judge.scales, self.numbering.len());
        let bounds = Bounds::bytes(self.numbering.run_len(), len);
        let for_bounds = if bounds > memory / BOUNDS_PART { 0 } else { bounds };
        let for_lot = memory / LOTS_PART;
        let pages = Pages::new::<C, _>(table, memory - for_lot - for_bounds)?;
        let a_state = (size_of::<Worth>() + size_of::<C>()) as u64;
        let most = (for_lot / a_state).max(LEAST_STATES).min(len);
        let mut own = table.room(most, C::IS_BYTE)?;
        let mut seen = Vec::new();
        seen.try_reserve_exact(most as usize)
            .map_err(|_| TableError::OutOfMemory { bytes: most * size_of::<Worth>() as u64 })?;
        let mut room = Room { pages, seen };
        let meaning = &Meaning::of(&own, scales);
        let worths = &Worths::new(meaning, scales, self.numbering, for_bounds);
        let mut counts = Counts::default();
        for states in ranges(0..len, most) {
            let goal = Goal { numbers: states.clone(), first_cell: 0 };
            if !table.load_into(&mut own, vec![goal], (states.start, len), progress)? {
                return Ok(None);
            }
            let view = View { first: states.start, cells: C::of(&own), meaning };
            match self.lot(states, view, worths, &mut room, threads, progress)? {
                Some(found) => counts.add(&found),
                None => return Ok(None),
            }
        }
        Ok(Some(counts))
    }

    /// Checks these states, whose values are in view, and counts them; `None` if there is no such cell for a
    /// value of their successors.
    fn lot<C: Cell>(
        &self,
        states: Range<u64>,
        view: View<'_, C>,
        worths: &Worths<'_>,
        Room { pages, seen }: &mut Room,
        threads: usize,
        progress: &mut OnProgress<'_>,
    ) -> Result<Option<Counts>, TableError> {
        let Range { start: first, mut end } = states;
        let of = self.numbering.len();
        let mut lot = Lot { done: first, of, states: end - first, piece: STRETCH };
        let (mut counts, mut is_first, mut found) = (Counts::default(), true, None);
        seen.clear();
        seen.resize((end - first) as usize, Worth::NEVER);
        pages.begin();
        loop {
            let pass = Pass { is_first, lot, view, worths, pages, wrong: end.into() };
            let result = self.pass(&pass, first..end, seen, threads, progress);
            let wrong = pass.wrong.into_inner();
            // Later times there is nothing to report.
            lot = Lot { done: states.end, states: 0, ..lot };
            is_first = false;
            match result {
                Ok(more) => counts.add(&more),
                Err(error) if wrong == end || matches!(error, TableError::Interrupted) => {
                    return Err(error);
                }
                // Of the states before it, some may not be checked yet, which want fewer pages.
                Err(error) => {
                    (end, found) = (wrong, Some(error));
                    seen.truncate((end - first) as usize);
                    pages.want_none();
                    continue;
                }
            }
            if seen.iter().all(|&seen| seen == Worth::NEVER) {
                return found.map_or(Ok(Some(counts)), Err);
            }
            if !pages.load(self.judge.table, (lot.done, of), progress)? {
                return Ok(None);
            }
        }
    }

    /// Goes once through those states of a lot that are not checked yet, and counts those that are now.
    fn pass<C: Cell>(
        &self,
        pass: &Pass<'_, C>,
        states: Range<u64>,
        seen: &mut [Worth],
        threads: usize,
        progress: &mut OnProgress<'_>,
    ) -> Result<Counts, TableError> {
        let is_left = |(_, seen): &(_, &mut [Worth])| {
            pass.is_first || seen.iter().any(|&seen| seen != Worth::NEVER)
        };
        let pieces = stretches(states).into_iter().zip(seen.chunks_mut(STRETCH as usize));
        let pieces = pieces.filter(is_left).collect();
        let mut progress = |event| progress(event);
        let mut pool = WorkerPool::new(threads, &mut progress);
        pass.lot.check(&mut pool, pieces, |(numbers, seen), _| self.stretch(pass, numbers, seen))
    }

    /// Checks these states as far as the values of their successors are in memory, or were in a pass before,
    /// and remembers what was seen of the others.
    fn stretch<C: Cell>(
        &self,
        pass: &Pass<'_, C>,
        numbers: Range<u64>,
        seen: &mut [Worth],
    ) -> Result<Counts, TableError> {
        let (is_first, missed) = (pass.is_first, &Note::new(false));
        let seen = Note::from_mut(seen).as_slice_of_cells();
        let seen = |number: u64| &seen[(number - numbers.start) as usize];
        let is_left = |number| is_first || seen(number).get() != Worth::NEVER;
        let here = pass.pages.here::<C>(missed);
        let choice = |mover| pass.worths.choice(mover, here, is_first);
        let best = |number, state: &StateOf<N>, choice: &Choice<'_, Here<'_, C>>| {
            let so_far = if is_first { Worth::NOTHING } else { seen(number).get() };
            let best = self.best(state, choice, so_far);
            // That nothing is known of a successor is said while it is in memory, or never.
            let is_known = !missed.replace(false) || best == Worth::UNKNOWN;
            seen(number).set(if is_known { Worth::NEVER } else { best });
            is_known.then_some(best)
        };
        self.compare(numbers.clone(), pass.view, choice, is_left, best).map_err(|wrong| {
            pass.wrong.fetch_min(wrong.number, Ordering::Relaxed);
            wrong.error
        })
    }
}

/// Room that is filled for one lot after the other.
struct Room {
    pages: Pages,
    /// For each state of a lot, what the best of its successors is worth, of those that were seen; once it is
    /// checked, [`Worth::NEVER`].
    seen: Vec<Worth>,
}

/// One time that the states of a lot are gone through.
struct Pass<'p, C> {
    /// Whether it is the first.
    is_first: bool,
    /// How much there is to report.
    lot: Lot,
    /// The values of the states.
    view: View<'p, C>,
    worths: &'p Worths<'p>,
    /// Those of successors.
    pages: &'p Pages,
    /// The first number where something is wrong, or the end of the states.
    wrong: AtomicU64,
}
