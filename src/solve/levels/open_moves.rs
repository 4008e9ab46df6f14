//! The moves of open states that may still settle them: all that the rest of an analysis needs.
//!
//! Levels that go through all open states count nothing. Before levels by reverse edges take over,
//! the cell of each open state has to count its moves to states that have not been applied yet.

use std::ops::Range;

use crate::error::SolveError;
use crate::explore::Movers;
use crate::game::Turns;
use crate::numbering::Numbering;
use crate::runtime::cuts::equal_cuts;
use crate::runtime::frontier::CHUNK;
use crate::runtime::pool::{CancellationToken, STRETCH, Size, WorkerPool};
use crate::runtime::progress::Progress;
use crate::solve::cells::cell::{Cell, OverflowCounts};
use crate::solve::cells::{Cells, Slice};
use crate::solve::graph::batch::Batch;
use crate::solve::graph::first_pass::most_overflow;
use crate::solve::graph::links::Links;
use crate::solve::graph::reverse_edges::{Collected, Collector, EdgeWriter};
use crate::solve::levels::applied::{Applied, Opened};

/// How many indices a thread goes through before the counts are written into the cells.
const ROUND: u64 = 1 << 20;

/// The states of one thread.
struct Part<'p, 'm> {
    /// The indices that are left.
    left: Range<u64>,
    writer: EdgeWriter<'p, 'm>,
    /// A bit for who is to move in each state, from `first` on; empty if nobody asks.
    movers: &'p mut [u64],
    first: u64,
    /// The indices of the last round, and the count of each open state there, at most
    /// [`u8::SATURATED`].
    round: Range<u64>,
    counts: Vec<u8>,
    /// The states with greater counts.
    many: Vec<(u64, u64)>,
}

/// Collects the moves of the collector's pass, counts the moves of each open state in its cell, and
/// notes who is to move in each state. `None` if the cells are too narrow.
pub(crate) fn collect_open<'m, N: Numbering + Sync>(
    numbering: &N,
    cells: &mut Cells,
    applied: Applied,
    movers: &mut Movers,
    collector: &Collector<'m>,
    pool: &mut WorkerPool<'_>,
) -> Result<Option<Collected<'m>>, SolveError> {
    let len = numbering.len();
    let size = Size::of_pass(len);
    let parts = if size == Size::Small { 1 } else { pool.threads() };
    let (mut start, mut movers) = (0, movers.words());
    let mut parts: Vec<Part<'_, 'm>> = Vec::with_capacity(parts);
    for end in equal_cuts(len, parts.capacity(), CHUNK.max(STRETCH)) {
        let words = (end - start).div_ceil(64).min(movers.len() as u64) as usize;
        parts.push(Part {
            left: start..end,
            writer: collector.writer(start..end),
            movers: movers.split_off_mut(..words).unwrap_or_default(),
            first: start,
            round: start..start,
            counts: Vec::new(),
            many: Vec::new(),
        });
        start = end;
    }
    // Counts of before may be of moves that have been applied since.
    cells.overflow = OverflowCounts::default();
    let (mut done, mut counted) = (0, 0);
    while parts.iter().any(|part| !part.left.is_empty()) {
        let event = |more| Progress::Reversing { done: done + more, of: len };
        let all: &Cells = cells;
        parts = pool.run(size, parts, event, |mut part, token| {
            part.count(numbering, all, applied, token)?;
            Ok::<_, SolveError>(part)
        })?;
        for part in &mut parts {
            done += part.round.end - part.round.start;
            counted += part.many.len() as u64;
            if cells.palette().is_some() && counted > most_overflow(len) {
                return Ok(None);
            }
            match cells.slice() {
                Slice::Narrow(narrow) => part.write(narrow),
                Slice::Wide(wide) => part.write(wide),
            }
            cells.overflow.extend(part.many.drain(..));
        }
    }
    Ok(Some(collector.collect(parts.into_iter().map(|part| part.writer).collect())))
}

impl Part<'_, '_> {
    /// Goes through the states of a round.
    fn count<N: Numbering>(
        &mut self,
        numbering: &N,
        cells: &Cells,
        applied: Applied,
        token: &dyn CancellationToken,
    ) -> Result<(), SolveError> {
        let (mut batch, mut links) = (Batch::new(), Links::new());
        self.counts.clear();
        self.round = self.left.start..self.left.start;
        let end = self.left.end.min(self.left.start + ROUND);
        while self.left.start < end {
            let stretch = self.left.start..end.min(self.left.start + STRETCH);
            let mut result = Ok(());
            numbering.states_in(stretch.clone(), |index, state| {
                let mover = numbering.game().mover(&state);
                Movers::note(self.movers, index - self.first, mover);
                if result.is_err() || !cells.is_open(index) {
                    return;
                }
                result = Opened::of(numbering, &state)
                    .and_then(|opened| batch.add(numbering, index, &state, opened));
                if result.is_ok() && batch.is_full() {
                    result = self.take(numbering, cells, applied, &mut batch, &mut links);
                }
            });
            result?;
            self.take(numbering, cells, applied, &mut batch, &mut links)?;
            self.left.start = stretch.end;
            if token.done(stretch.end - stretch.start).is_break() {
                break;
            }
        }
        self.round.end = self.left.start;
        Ok(())
    }

    /// Counts and writes the moves of a batch that have not been applied, and empties it.
    fn take<N: Numbering>(
        &mut self,
        numbering: &N,
        cells: &Cells,
        applied: Applied,
        batch: &mut Batch<N::Key, Opened>,
        links: &mut Links,
    ) -> Result<(), SolveError> {
        batch.find(numbering);
        batch.found().iter().for_each(|&index| cells.prefetch(index));
        for at in 0..batch.len() {
            batch.distinct(numbering, at, links)?;
            links.retain(|link| applied.effect_of_link::<N::Game>(cells, *link).is_none());
            let (index, Opened { exit, .. }) = batch.source(at);
            self.writer.write(index, links);
            let waits = exit.is_some_and(|exit| applied.effect_of_exit::<N::Game>(exit).is_none());
            // A state without such a move was settled, unless a checkpoint is forged.
            let count = (links.len() as u64 + u64::from(waits)).max(1);
            self.counts.push(count.min(u8::HIGHEST_COUNT) as u8);
            if count > u8::HIGHEST_COUNT {
                self.many.push((index, count));
            }
        }
        batch.clear();
        Ok(())
    }

    /// Writes the counts of the round into the cells. Leaves in `many` only what the cells cannot
    /// count.
    fn write<C: Cell>(&mut self, cells: &mut [C]) {
        let round = self.round.start as usize..self.round.end as usize;
        let open = cells[round].iter_mut().filter(|cell| cell.is_open());
        for (cell, &count) in open.zip(&self.counts) {
            *cell = C::open(count.into());
        }
        self.many.retain_mut(|(index, count)| {
            cells[*index as usize] = C::open(*count);
            *count = count.saturating_sub(C::HIGHEST_COUNT);
            *count > 0
        });
    }
}
