//! One level of the analysis for a game whose states move in rows of 64: from the rows of the frontier to the
//! rows that have a step to them, a word at a time.
//!
//! No cell counts successors. As soon as the opponent has won a successor of a state, the state is doubtful. It
//! is lost if none of its steps leads to a state that the opponent has not won. So a state is examined again at
//! each level at which the opponent wins another successor, and with it all doubtful states of its row.
//!
//! The cell of an open state is 1, and one more as long as the value of its exits has not been applied.
//!
//! All threads add to the sets of what was found, a word at a time. Cells and frontiers have one owner each.

use std::ops::Range;

use crate::error::SolveError;
use crate::game::Rows;
use crate::game::value::{ENDLESS, LOSS};
use crate::runtime::OutOfMemory;
use crate::runtime::cuts::equal_cuts;
use crate::runtime::frontier::{CHUNK, Frontier, Part};
use crate::runtime::pool::{CancellationToken, Size, WorkerPool};
use crate::runtime::words::Words;
use crate::solve::cells::cell::{Cell, LevelCodes};
use crate::solve::cells::{Cells, Slice};
use crate::solve::graph::incoming::{Segment, count, messages_within};
use crate::solve::levels::applied::PassKind;
use crate::solve::levels::step::{LevelCounts, Levels, Step};

/// The states of a row.
const ROW: u64 = 64;

/// How many parts each thread gets, since some rows take longer than others.
const PARTS_A_THREAD: usize = 16;

/// States that a level has found, with a bit for each row that has some.
struct Found {
    states: Words,
    rows: Words,
}

impl Found {
    fn none(len: u64) -> Result<Found, OutOfMemory> {
        let rows = len.div_ceil(ROW);
        Ok(Found { states: Words::empty(rows)?, rows: Words::empty(rows.div_ceil(ROW))? })
    }

    #[inline(always)]
    fn add(&self, row: u64, states: u64) {
        if self.states.add(row, states) == 0 {
            self.rows.add(row / ROW, 1 << (row % ROW));
        }
    }

    /// Takes out the states of a chunk of rows, row by row.
    #[inline(always)]
    fn take(&self, chunk: u64, mut visit: impl FnMut(u64, u64)) {
        let mut rows = self.rows.take(chunk);
        while rows != 0 {
            let row = chunk * ROW + u64::from(rows.trailing_zeros());
            rows &= rows - 1;
            visit(row, self.states.take(row));
        }
    }
}

/// Levels by rows.
pub(crate) struct ByRows<R> {
    rows: R,
    /// In the first pass the states that the player to move has not won, in the second those that are open.
    hopeful: Words,
    /// Whether they are of the second pass; `None` before the first level.
    is_second_pass: Option<bool>,
    /// States that have a step to a lost one, and states that have one to a won one.
    winning: Found,
    doubtful: Found,
}

/// Some indices, with their part of the frontier, of the next one, and their cells.
struct Own<'a, C> {
    range: Range<u64>,
    frontier: Part<'a>,
    next: Part<'a>,
    cells: &'a mut [C],
}

/// The task of the threads of a level.
struct Task<'a, C> {
    incoming: &'a [Segment],
    /// See [`Step::uniform`].
    uniform: Option<bool>,
    /// The cell of a state of the frontier that is won.
    won: C,
    is_second: bool,
}

impl<R: Rows> ByRows<R> {
    /// The memory beside the cells and frontiers, in bytes.
    pub(crate) fn bytes(len: u64) -> u64 {
        let sets = Words::bytes(len.div_ceil(ROW));
        sets.saturating_mul(3).saturating_add(sets / 32)
    }

    pub(crate) fn new(rows: R, len: u64) -> Result<ByRows<R>, OutOfMemory> {
        Ok(ByRows {
            rows,
            hopeful: Words::empty(len.div_ceil(ROW))?,
            is_second_pass: None,
            winning: Found::none(len)?,
            doubtful: Found::none(len)?,
        })
    }

    /// Finds the hopeful states of a pass again.
    fn begin_pass(
        &mut self,
        cells: &Cells,
        is_second: bool,
        event: &dyn Fn(u64) -> crate::runtime::progress::Progress,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError> {
        let len = cells.len();
        let size = Size::of_pass(len);
        let mut start = 0;
        let tasks =
            equal_cuts(len, pool.threads() * PARTS_A_THREAD, CHUNK).into_iter().map(|end| {
                let range = start..end;
                start = end;
                range
            });
        let hopeful = &self.hopeful;
        pool.run(
            size,
            tasks.collect(),
            |_| event(0),
            |range: Range<u64>, _| {
                for row in range.start / ROW..range.end.div_ceil(ROW) {
                    let indices = row * ROW..range.end.min((row + 1) * ROW);
                    let mut states = 0;
                    for (index, at) in indices.zip(0..) {
                        let packed = cells.get(index as usize);
                        let is_hopeful = packed == ENDLESS || !is_second && packed >= LOSS;
                        states |= u64::from(is_hopeful) << at;
                    }
                    hopeful.set(row, states);
                }
                Ok::<_, SolveError>(())
            },
        )?;
        self.is_second_pass = Some(is_second);
        Ok(())
    }

    fn level_of<C: Cell>(
        &self,
        step: Step<'_>,
        cells: &mut [C],
        [frontier, next]: [&mut Frontier; 2],
        pool: &mut WorkerPool<'_>,
    ) -> Result<LevelCounts, SolveError> {
        let len = cells.len() as u64;
        let much = frontier.occupied_words() + count(step.incoming);
        let size = if much < 1 << 9 { Size::Small } else { Size::Big };
        let ends = equal_cuts(len, pool.threads() * PARTS_A_THREAD, CHUNK);
        let codes = LevelCodes { any: C::of_code(step.codes.any), all: C::of_code(step.codes.all) };
        let is_second = matches!(step.aim, PassKind::Drawn { .. });
        let (incoming, uniform) = (step.incoming, step.uniform);
        let task = Task { incoming, uniform, won: C::of_code(step.won), is_second };
        let (mut frontier, mut next) = (frontier.whole(), next.whole());
        let mut counts = LevelCounts::default();
        // From the frontier to the states that have a step to it.
        let own = owners(&ends, frontier.reborrow(), next.reborrow(), cells);
        for walked in pool.run(size, own, step.event, |mut own, token| {
            Ok::<_, SolveError>(self.walk(&mut own, &task, token))
        })? {
            counts.add(&walked);
        }
        let walked = counts.all_walked();
        let event = |_| (step.event)(walked);
        let own = owners(&ends, frontier.reborrow(), next.reborrow(), cells);
        for settled in pool.run(size, own, event, |mut own, _| {
            Ok::<_, SolveError>(self.lose(&mut own, codes.all, is_second))
        })? {
            counts.settled[1] += settled;
        }
        let own = owners(&ends, frontier.reborrow(), next.reborrow(), cells);
        for settled in pool.run(size, own, event, |mut own, _| {
            Ok::<_, SolveError>(self.win(&mut own, codes.any, is_second))
        })? {
            counts.settled[0] += settled;
        }
        Ok(counts)
    }

    /// Applies the exits of this level, and walks the frontier.
    fn walk<C: Cell>(
        &self,
        own: &mut Own<'_, C>,
        task: &Task<'_, C>,
        token: &dyn CancellationToken,
    ) -> LevelCounts {
        let ByRows { rows, hopeful, winning, doubtful, .. } = self;
        let start = own.range.start;
        for (index, any) in messages_within(task.incoming, start, own.range.end) {
            let cell = &mut own.cells[(index - start) as usize];
            if !cell.is_open() {
                continue;
            }
            let (row, state) = (index / ROW, 1 << (index % ROW));
            if any {
                winning.add(row, state);
                continue;
            }
            if *cell != C::open(1) {
                *cell = cell.less_one();
            }
            doubtful.add(row, state);
        }
        let mut counts = LevelCounts::default();
        let first_row = start / ROW;
        for chunk in 0..own.frontier.chunks() {
            let mut walked = 0;
            own.frontier.drain_words(chunk, |word, states| {
                let row = first_row + word as u64;
                let turn = rows.turn(row);
                walked += u64::from(states.count_ones());
                let place = word * ROW as usize;
                let mut lost = 0;
                if !task.is_second {
                    lost = match task.uniform {
                        Some(true) => 0,
                        Some(false) => states,
                        None => {
                            let is_lost = |at: &u32| own.cells[place + *at as usize] != task.won;
                            let all = (0..ROW as u32).filter(|at| states >> at & 1 == 1);
                            all.filter(is_lost).fold(0, |set, at| set | 1 << at)
                        }
                    };
                }
                let others = states & !lost;
                let kind = if task.is_second { 2 } else { 0 };
                counts.walked[kind][turn.index()] += u64::from(others.count_ones());
                counts.walked[1][turn.index()] += u64::from(lost.count_ones());
                if lost != 0 {
                    rows.predecessors(row, lost, |row, states| {
                        let states = states & hopeful.of(row);
                        if states != 0 {
                            winning.add(row, states);
                        }
                    });
                }
                if others != 0 {
                    rows.predecessors(row, others, |row, states| {
                        let states = states & hopeful.of(row);
                        if states != 0 {
                            doubtful.add(row, states);
                        }
                    });
                }
            });
            if walked > 0 && token.done(walked).is_break() {
                break;
            }
        }
        counts
    }

    /// Settles the doubtful states all of whose successors are decided. Returns how many.
    fn lose<C: Cell>(&self, own: &mut Own<'_, C>, code: C, is_second: bool) -> u64 {
        let start = own.range.start;
        let mut settled = 0;
        for chunk in start / CHUNK..own.range.end.div_ceil(CHUNK) {
            self.doubtful.take(chunk, |row, states| {
                let place = (row * ROW - start) as usize;
                let cells = &mut own.cells[place..];
                let mut waiting = 0;
                each(states, |at| waiting |= u64::from(cells[at] == C::open(1)) << at);
                if waiting == 0 {
                    return;
                }
                let lost = self.rows.without_step_to(row, waiting, |row| self.hopeful.of(row));
                if lost == 0 {
                    return;
                }
                each(lost, |at| cells[at] = code);
                own.next.insert_word(place / ROW as usize, lost);
                settled += u64::from(lost.count_ones());
                if is_second {
                    self.winning.add(row, lost);
                }
            });
        }
        settled
    }

    /// Settles the winning states. Returns how many.
    fn win<C: Cell>(&self, own: &mut Own<'_, C>, code: C, is_second: bool) -> u64 {
        let start = own.range.start;
        let mut settled = 0;
        for chunk in start / CHUNK..own.range.end.div_ceil(CHUNK) {
            self.winning.take(chunk, |row, states| {
                let mut won = states;
                if !is_second {
                    let place = (row * ROW - start) as usize;
                    let cells = &mut own.cells[place..];
                    won = 0;
                    each(states, |at| won |= u64::from(cells[at].is_open()) << at);
                    each(won, |at| cells[at] = code);
                    own.next.insert_word(place / ROW as usize, won);
                    settled += u64::from(won.count_ones());
                }
                self.hopeful.set(row, self.hopeful.of(row) & !won);
            });
        }
        settled
    }
}

/// Visits the places of a set.
#[inline(always)]
fn each(mut set: u64, mut visit: impl FnMut(usize)) {
    while set != 0 {
        visit(set.trailing_zeros() as usize);
        set &= set - 1;
    }
}

/// Cuts indices with all that belongs to them.
fn owners<'a, C>(
    ends: &[u64],
    frontier: Part<'a>,
    next: Part<'a>,
    mut cells: &'a mut [C],
) -> Vec<Own<'a, C>> {
    let parts = frontier.cut(ends).into_iter().zip(next.cut(ends));
    let mut own = Vec::with_capacity(ends.len());
    for ((range, frontier), (_, next)) in parts {
        let count = (range.end - range.start) as usize;
        let of_range = cells.split_off_mut(..count).unwrap_or_default();
        own.push(Own { range, frontier, next, cells: of_range });
    }
    own
}

impl<R: Rows> Levels for ByRows<R> {
    fn walks(&self) -> bool {
        true
    }

    fn level(
        &mut self,
        step: Step<'_>,
        cells: &mut Cells,
        frontiers: [&mut Frontier; 2],
        pool: &mut WorkerPool<'_>,
    ) -> Result<LevelCounts, SolveError> {
        let is_second = matches!(step.aim, PassKind::Drawn { .. });
        if self.is_second_pass != Some(is_second) {
            self.begin_pass(cells, is_second, step.event, pool)?;
        }
        match cells.slice() {
            Slice::Narrow(narrow) => self.level_of(step, narrow, frontiers, pool),
            Slice::Wide(wide) => self.level_of(step, wide, frontiers, pool),
        }
    }
}
