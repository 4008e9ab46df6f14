//! The first pass of several processes that collect edges. Each goes over its own window, and sends
//! the moves into other windows to the processes that own them.

use crate::error::SolveError;
use crate::explore::RecordedMoves;
use crate::numbering::Numbering;
use crate::runtime::frontier::{CHUNK, end_of_chunks};
use crate::runtime::peers::Arrived;
use crate::runtime::pool::{Size, WorkerPool};
use crate::runtime::progress::Progress;
use crate::solve::graph::first_pass::{most_overflow, pass_over};
use crate::solve::graph::initial_state::InitialState;
use crate::solve::graph::reverse_edges::{
    Collected, Collector, EdgeSink, EdgeWriter, Targets, write_arrived,
};
use crate::solve::plan::MemoryNeeds;

/// How many states each thread goes through before it sends their moves to other processes.
const SLICE: u64 = 1 << 15;

/// Completes the initial state of this process's window, and collects the moves that lead into it.
/// They come from this window, and slice by slice from other processes.
pub(super) fn list<'m, N: Numbering + Sync>(
    numbering: &N,
    needs: &MemoryNeeds<'_>,
    mut initial: InitialState,
    collector: &Collector<'m>,
    recorded: Option<&RecordedMoves>,
    pool: &mut WorkerPool<'_>,
) -> Result<(InitialState, Collected<'m>), SolveError> {
    let all = numbering.len();
    let windows = pool.windows(all, CHUNK);
    let window = windows.own_window();
    let keys = numbering.find_keys();
    let sink = |_| EdgeSink::among(collector.writer(window.clone()), windows.clone(), keys);
    let mut sinks: Vec<EdgeSink<'_, 'm>> = (0..pool.threads()).map(sink).collect();
    let sources = (0..windows.ends().len()).map(|at| windows.window(at));
    let mut arriving: Vec<EdgeWriter<'_, 'm>> = sources.map(|it| collector.writer(it)).collect();
    let len = window.end - window.start;
    let targets = Targets { first: window.start, len, all, keys };
    let slice = SLICE.saturating_mul(pool.threads() as u64);
    let mut next = window.start;
    while next < window.end {
        let indices = next..end_of_chunks(next, slice, window.end);
        let passed =
            pass_over(numbering, &mut initial, &indices, Some(sinks), false, recorded, pool)?;
        next = indices.end;
        sinks = passed.map(|passed| passed.add_to(&mut initial)).unwrap_or_default();
        for sink in &mut sinks {
            for (to, packet) in sink.take_packets().into_iter().enumerate() {
                if packet.edges > 0 {
                    pool.send(to, packet.bytes, packet.edges);
                }
            }
        }
        let arrived = pool.end_slice()?;
        write_all_arrived(arrived, &mut arriving, next, targets, pool)?;
        let is_narrow = initial.cells.palette().is_some();
        if is_narrow && initial.cells.overflow.count() as u64 > most_overflow(len) {
            needs.check_wide()?;
            initial.cells.widen();
        }
    }
    pool.end_phase();
    while let Some(arrived) = pool.next_arrived()? {
        write_all_arrived(arrived, &mut arriving, next, targets, pool)?;
    }
    let writers = sinks.into_iter().map(EdgeSink::into_writer).chain(arriving).collect();
    Ok((initial, collector.collect(writers)))
}

/// Writes the moves that other processes sent, by a writer for each process. `passed` is the index
/// that the pass has reached.
fn write_all_arrived(
    arrived: Arrived,
    writers: &mut [EdgeWriter<'_, '_>],
    passed: u64,
    targets: Targets<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<(), SolveError> {
    let mut packets: Vec<Vec<Vec<u8>>> = vec![Vec::new(); writers.len()];
    arrived.into_iter().for_each(|(from, bytes)| packets[from].push(bytes));
    let tasks: Vec<_> = writers.iter_mut().zip(packets).enumerate().collect();
    let event = |_| Progress::Counting { done: passed, of: targets.all };
    let written = pool.run(Size::Big, tasks, event, |(from, (writer, packets)), _| {
        let mut edges = 0;
        for packet in packets {
            edges += write_arrived(&packet, writer, targets).ok_or_else(|| {
                SolveError::PeerError { problem: format!("process {from} sent moves to no states") }
            })?;
        }
        Ok::<_, SolveError>(edges)
    })?;
    pool.note_applied(written.iter().sum());
    Ok(())
}
