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
use crate::runtime::OutOfMemory;
use crate::runtime::cuts::equal_cuts;
use crate::runtime::frontier::{CHUNK, Frontier, Part};
use crate::runtime::pool::{CancellationToken, Size, WorkerPool};
use crate::runtime::progress::Progress;
use crate::runtime::words::{Words, each};
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
    is_second_pass: bool,
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
}

impl<R: Rows> ByRows<R> {
    /// The memory beside the cells and frontiers, in bytes.
    pub(crate) fn bytes(len: u64) -> u64 {
        let sets = Words::bytes(len.div_ceil(ROW));
        sets.saturating_mul(3).saturating_add(sets / 32)
    }

    /// Before the first level, with all states but those that are won.
    pub(crate) fn new(rows: R, states: Words, len: u64) -> Result<ByRows<R>, OutOfMemory> {
        Ok(ByRows {
            rows,
            hopeful: states,
            is_second_pass: false,
            winning: Found::none(len)?,
            doubtful: Found::none(len)?,
        })
    }

    /// Finds the hopeful states of the second pass.
    fn begin_second_pass<C: Cell>(
        &mut self,
        cells: &[C],
        event: &dyn Fn(u64) -> Progress,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError> {
        let len = cells.len() as u64;
        let mut start = 0;
        let tasks =
            equal_cuts(len, pool.threads() * PARTS_A_THREAD, CHUNK).into_iter().map(|end| {
                let range = start..end;
                start = end;
                range
            });
        let (tasks, hopeful) = (tasks.collect(), &self.hopeful);
        pool.run(
            Size::of_pass(len),
            tasks,
            |_| event(0),
            |range: Range<u64>, _| {
                let own = &cells[range.start as usize..range.end as usize];
                for (row, cells) in (range.start / ROW..).zip(own.chunks(ROW as usize)) {
                    let open = cells
                        .iter()
                        .rev()
                        .fold(0, |set, cell| set << 1 | u64::from(cell.is_open()));
                    hopeful.set(row, open);
                }
                Ok::<_, SolveError>(())
            },
        )?;
        self.is_second_pass = true;
        Ok(())
    }

    fn level_of<C: Cell>(
        &mut self,
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
        if !self.is_second_pass && matches!(step.aim, PassKind::Drawn { .. }) {
            self.begin_second_pass(cells, step.event, pool)?;
        }
        let (incoming, uniform) = (step.incoming, step.uniform);
        let task = Task { incoming, uniform, won: C::of_code(step.won) };
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
            Ok::<_, SolveError>(self.lose(&mut own, codes.all))
        })? {
            counts.settled[1] += settled;
        }
        let own = owners(&ends, frontier.reborrow(), next.reborrow(), cells);
        for settled in pool.run(size, own, event, |mut own, _| {
            Ok::<_, SolveError>(self.win(&mut own, codes.any))
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
                if !self.is_second_pass {
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
                let kind = if self.is_second_pass { 2 } else { 0 };
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
    fn lose<C: Cell>(&self, own: &mut Own<'_, C>, code: C) -> u64 {
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
                if self.is_second_pass {
                    self.winning.add(row, lost);
                }
            });
        }
        settled
    }

    /// Settles the winning states. Returns how many.
    fn win<C: Cell>(&self, own: &mut Own<'_, C>, code: C) -> u64 {
        let start = own.range.start;
        let mut settled = 0;
        for chunk in start / CHUNK..own.range.end.div_ceil(CHUNK) {
            self.winning.take(chunk, |row, states| {
                let mut won = states;
                if !self.is_second_pass {
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
        match cells.slice() {
            Slice::Narrow(narrow) => self.level_of(step, narrow, frontiers, pool),
            Slice::Wide(wide) => self.level_of(step, wide, frontiers, pool),
        }
    }
}
