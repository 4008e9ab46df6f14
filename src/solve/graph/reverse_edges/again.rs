//! A later pass over the moves, for the edges that did not fit before.

use std::ops::Range;

use crate::error::SolveError;
use crate::game::Game;
use crate::numbering::Numbering;
use crate::runtime::cuts::equal_cuts;
use crate::runtime::pool::{CancellationToken, STRETCH, Size, WorkerPool};
use crate::runtime::progress::Progress;
use crate::solve::graph::batch::Batch;
use crate::solve::graph::links::Links;
use crate::solve::graph::reverse_edges::{Collected, Collector, EdgeWriter};

/// Collects the edges of the collector's pass.
pub(crate) fn collect_again<'m, N: Numbering + Sync>(
    numbering: &N,
    collector: &Collector<'m>,
    pool: &mut WorkerPool<'_>,
) -> Result<Collected<'m>, SolveError> {
    let len = numbering.len();
    let size = Size::of_pass(len);
    let parts = if size == Size::Small { 1 } else { pool.threads() };
    let mut start = 0;
    let tasks: Vec<_> = equal_cuts(len, parts, STRETCH)
        .into_iter()
        .map(|end| (collector.writer(start..end), std::mem::replace(&mut start, end)..end))
        .collect();
    let writers = pool.run(
        size,
        tasks,
        |done| Progress::Reversing { done, of: len },
        |(writer, sources), token| write(numbering, writer, sources, token),
    )?;
    Ok(collector.collect(writers))
}

/// Writes the edges from these states.
fn write<'p, 'm, N: Numbering>(
    numbering: &N,
    mut writer: EdgeWriter<'p, 'm>,
    sources: Range<u64>,
    token: &dyn CancellationToken,
) -> Result<EdgeWriter<'p, 'm>, SolveError> {
    let mut batch = Batch::new();
    let mut links = Links::new();
    let mut write = |batch: &mut Batch<N::Key, ()>| {
        batch.find(numbering);
        for at in 0..batch.len() {
            batch.distinct(numbering, at, &mut links)?;
            writer.write(batch.source(at).0, &links);
        }
        batch.clear();
        Ok::<_, SolveError>(())
    };
    let mut next = sources.start;
    while next < sources.end {
        let stretch = next..sources.end.min(next + STRETCH);
        let mut result = Ok(());
        numbering.states_in(stretch.clone(), |index, state| {
            if result.is_ok() && numbering.game().terminal(&state).is_none() {
                result = batch.add(numbering, index, &state, ());
                if result.is_ok() && batch.is_full() {
                    result = write(&mut batch);
                }
            }
        });
        result?;
        write(&mut batch)?;
        next = stretch.end;
        if token.done(stretch.end - stretch.start).is_break() {
            break;
        }
    }
    Ok(writer)
}
