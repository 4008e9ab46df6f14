//! Makes the initial state of the analysis, and collects the moves on the way.

use std::ops::Range;

use crate::error::SolveError;
use crate::explore::RecordedMoves;
use crate::game::value::Scale;
use crate::game::{Game, Players};
use crate::numbering::Numbering;
use crate::runtime::frontier::CHUNK;
use crate::runtime::peers::SEVERAL;
use crate::runtime::pool::WorkerPool;
use crate::solve::graph::first_pass::{ends_of_parts, pass_over};
use crate::solve::graph::initial_state::InitialState;
use crate::solve::graph::reverse_edges::{Collected, Collector, EdgeSink};
use crate::solve::graph::{exits_together, initialize_together};
use crate::solve::plan::MemoryNeeds;

/// Makes the initial state of the analysis for this process's window, by the recorded moves or by
/// the rules. With a collector, it also collects the moves, as far as there is room for them.
pub(crate) fn initialize<'m, N: Numbering + Sync>(
    numbering: &N,
    needs: &MemoryNeeds<'_>,
    collector: Option<&Collector<'m>>,
    recorded: Option<&RecordedMoves>,
    pool: &mut WorkerPool<'_>,
) -> Result<(InitialState, Option<Collected<'m>>), SolveError> {
    let window = pool.windows(numbering.len(), CHUNK).own_window();
    let exits = exits_together::look_up(numbering, window.clone(), recorded, pool)?;
    let mut initial =
        InitialState::before(window, Scale::of_game(numbering.game()), needs.scratch())?;
    if collector.is_some() && recorded.is_none() && N::Game::PLAYERS != Players::Unnamed {
        initial = initial.with_movers()?;
    }
    let (initial, collected) = match collector {
        Some(collector) if SEVERAL && pool.processes() > 1 => {
            let (initial, collected) =
                initialize_together::list(numbering, needs, initial, collector, recorded, pool)?;
            (initial, Some(collected))
        }
        _ => in_one_pass(numbering, needs, initial, collector, recorded, pool)?,
    };
    Ok((initial.with_exits(exits).join(needs, pool)?, collected))
}

/// Makes the whole pass at once. Repeats it with wide cells if narrow cells turn out too narrow.
fn in_one_pass<'m, N: Numbering + Sync>(
    numbering: &N,
    needs: &MemoryNeeds<'_>,
    mut initial: InitialState,
    collector: Option<&Collector<'m>>,
    recorded: Option<&RecordedMoves>,
    pool: &mut WorkerPool<'_>,
) -> Result<(InitialState, Option<Collected<'m>>), SolveError> {
    let indices = initial.window.clone();
    loop {
        let sinks = collector.map(|collector| sinks(collector, &indices, pool.threads()));
        if let Some(passed) =
            pass_over(numbering, &mut initial, &indices, sinks, true, recorded, pool)?
        {
            let sinks = passed.add_to(&mut initial);
            return Ok((initial, collector.map(|collector| collected(collector, sinks))));
        }
        needs.check_wide()?;
        initial = initial.before_wide()?;
    }
}

/// A sink for each part of a pass over these indices. Compiled once for all games.
fn sinks<'c, 'm>(
    collector: &'c Collector<'m>,
    indices: &Range<u64>,
    threads: usize,
) -> Vec<EdgeSink<'c, 'm>> {
    let ends = ends_of_parts(indices, true, threads);
    let starts = [indices.start].into_iter().chain(ends.iter().copied());
    let parts = starts.zip(&ends).map(|(start, &end)| start..end);
    parts.map(|part| EdgeSink::new(collector.writer(part))).collect()
}

/// The moves in these sinks.
fn collected<'m>(collector: &Collector<'m>, sinks: Vec<EdgeSink<'_, 'm>>) -> Collected<'m> {
    collector.collect(sinks.into_iter().map(EdgeSink::into_writer).collect())
}
