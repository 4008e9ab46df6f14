//! Solving by several processes, on this machine or on several. Each process owns a window of the
//! indices: see [`peers`](crate::runtime::peers) for what they do together, and
//! [`exchange`](crate::solve) for how levels use it.
//!
//! | part | |
//! | --- | --- |
//! | `handshake` | connections between all processes, and who may take part |
//! | `carrier` | messages between them: a timely dataflow |
//! | `monitor` | signs of life, and why a process leaves |
//! | `values` | the values and states of all, as the process that writes them sees them |
//! | `serving` | what the others do for it |
//! | `hosts` | the file that lists the processes |

mod carrier;
mod handshake;
mod hosts;
mod monitor;
mod serving;
mod values;

use std::net::TcpListener;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use carrier::Carrier;
pub(crate) use handshake::{JOIN, Place, Run, Token, hash, listen};
pub(crate) use hosts::read_hosts;
use monitor::Monitor;
use values::{AllStates, AllValues, Peer};

use crate::error::{SolveError, TableError};
use crate::numbering::discovered::ListedStates;
use crate::numbering::scheme::Scheme;
use crate::runtime::peers::{Sent, Windows};
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::{OnProgress, Progress};
use crate::solve::checkpoint::CheckpointStore;
use crate::solve::{Resources, SolveWindow, SolvedWindow, Solver, TierFigures};
use crate::table::together::{AllWindows, Gather, OwnWindow, SolveTiers, WithAll, write_together};
use crate::table::{Compression, Destination, Stored};

/// How long a process that notices a loss waits for what the monitor finds out about it.
const NEWS: Duration = Duration::from_secs(3);

/// This process as one of several that solve a game together.
pub(crate) struct Cluster {
    carrier: Carrier,
    monitor: Arc<Monitor>,
    values: Vec<Option<Peer>>,
    own: usize,
}

/// What a process has done of a solve.
pub(crate) struct Done {
    /// The figures of the tiers; a game without tiers is one tier.
    pub(crate) tiers: Vec<TierFigures>,
    /// The length of each file of a game without tiers, in bytes; the first process alone writes any.
    pub(crate) written: Vec<u64>,
    /// What the processes sent each other.
    pub(crate) sent: Sent,
    /// When a game without tiers was solved, before it was written.
    pub(crate) solved: Option<Instant>,
}

impl Cluster {
    /// Connects with the other processes of the run, through a listener at the own address. `stop` says
    /// whether to give up.
    ///
    /// # Errors
    /// When a process does not come in time, has another token, or is about another run.
    pub(crate) fn join(
        listener: TcpListener,
        place: Place,
        run: &Run,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Cluster, String> {
        let connections = handshake::connect_all(listener, &place, run, stop)?;
        let Place { own, addresses, .. } = place;
        let monitor = Monitor::start(connections.control, addresses)?;
        let carrier = Carrier::over(connections.work, own, Arc::clone(&monitor))?;
        let values = values::prepare(connections.values)
            .map_err(|error| format!("lost another process: {error}"))?;
        Ok(Cluster { carrier, monitor, values, own })
    }

    /// Solves a game in a scheme without tiers together with the others, and has the first process write
    /// the table to these destinations.
    ///
    /// # Errors
    /// As solving and writing by one process; when another process is lost or gives up; and where several
    /// processes can't solve the game.
    pub(crate) fn solve<'p, G: Stored, S: Scheme<G>>(
        self,
        solver: Solver<'_, 'p, G>,
        destinations: Vec<Destination>,
        progress: impl FnMut(Progress) -> ControlFlow<()> + 'p,
    ) -> Result<Done, TableError> {
        self.run(solver, progress, |game, resources, checkpoints, gather, pool| {
            let finish = |game: &G, solved: SolvedWindow<'_, G>, pool: &mut WorkerPool<'_>| {
                let sent = pool.all_sent().map_err(SolveError::from)?;
                let now = Some(Instant::now());
                let (threads, progress) = (pool.threads(), pool.on_progress());
                let written =
                    write_together(game, &solved, destinations, gather, threads, progress)?;
                let (summary, bytes) = (solved.summary.clone(), written.first().copied());
                let tier = TierFigures { name: String::new(), summary, bytes, found: false };
                Ok::<_, TableError>(Done { tiers: vec![tier], written, sent, solved: now })
            };
            S::visit(game, SolveWindow { game, resources, checkpoints, pool, finish })
        })
    }

    /// Solves a game in a scheme with tiers together with the others, and has the first process write the
    /// tiers into a folder. `only` is the name of a tier: that tier and those that it needs are solved.
    ///
    /// # Errors
    /// As [`solve`](Cluster::solve).
    pub(crate) fn solve_tiers<'p, G: Stored, S: Scheme<G>>(
        self,
        solver: Solver<'_, 'p, G>,
        path: &Path,
        only: Option<&str>,
        compression: Compression,
        progress: impl FnMut(Progress) -> ControlFlow<()> + 'p,
    ) -> Result<Done, TableError> {
        self.run(solver, progress, |game, resources, checkpoints, gather, pool| {
            let tiers =
                SolveTiers { game, path, only, compression, resources, checkpoints, gather, pool };
            let tiers = S::visit(game, tiers)?;
            let sent = pool.all_sent().map_err(SolveError::from)?;
            Ok(Done { tiers, written: Vec::new(), sent, solved: None })
        })
    }

    /// Does the work of a run, and says to the others how it ended.
    fn run<'p, 'g, G: Stored>(
        self,
        solver: Solver<'g, 'p, G>,
        mut progress: impl FnMut(Progress) -> ControlFlow<()> + 'p,
        work: impl FnOnce(
            &'g G,
            Resources<G>,
            Option<&'p mut (dyn CheckpointStore + 'p)>,
            &mut dyn Gather,
            &mut WorkerPool<'_>,
        ) -> Result<Done, TableError>,
    ) -> Result<Done, TableError> {
        let Cluster { mut carrier, monitor, values, own } = self;
        let watching = Arc::clone(&monitor);
        let solver = solver.on_progress(move |event| match watching.has_failed() {
            true => ControlFlow::Break(()),
            false => progress(event),
        });
        let mut gather = OverStreams { own, peers: values, monitor: Arc::clone(&monitor) };
        let done = solver.with_peers(&mut carrier, |game, resources, checkpoints, pool| {
            let done = work(game, resources, checkpoints, &mut gather, pool)?;
            // Nobody ends before all are done.
            pool.sum(&mut []).map_err(SolveError::from)?;
            Ok(done)
        });
        match done {
            Ok(done) => {
                monitor.done();
                carrier.close();
                Ok(done)
            }
            Err(error) => {
                let error = explain(error, &monitor);
                match error.is_interrupted() {
                    true => monitor.interrupt(),
                    false => monitor.leave(&error.to_string()),
                }
                Err(error)
            }
        }
    }
}

/// Brings the values and states to the first process over a connection of their own.
struct OverStreams {
    own: usize,
    /// With each other process, in the first one; with the first one, in the others.
    peers: Vec<Option<Peer>>,
    monitor: Arc<Monitor>,
}

impl Gather for OverStreams {
    fn gather(
        &mut self,
        windows: &Windows,
        own: OwnWindow<'_>,
        threads: usize,
        progress: &mut OnProgress<'_>,
        with_all: &mut WithAll<'_>,
    ) -> Result<(), TableError> {
        let OverStreams { peers, monitor, .. } = self;
        if self.own > 0 {
            let Some(first) = peers.first().and_then(Option::as_ref) else { return Ok(()) };
            return serving::serve(own, windows, first, threads, progress);
        }
        let values = AllValues::new(windows, own.cells, peers, monitor);
        let states = own.states.map(|own| AllStates::new(windows, own, peers, monitor));
        let states = states.as_ref().map(|states| states as &dyn ListedStates);
        let read = |first: u64, packed: &mut [u16]| values.read(first, packed);
        let check = || match monitor.failure() {
            Some(problem) => Err(SolveError::Parted { problem }.into()),
            None => Ok(()),
        };
        let all = AllWindows { read: &read, states, check: &check, others: &values };
        with_all(all, progress)?;
        values.done();
        Ok(())
    }
}

/// The error of a run that ended with this one. Where another process was lost, that one is the cause, and
/// where it was interrupted, so was the run.
fn explain(error: TableError, monitor: &Monitor) -> TableError {
    let is_lost = matches!(error, TableError::Solve(SolveError::Parted { .. }));
    let wait = if is_lost || monitor.has_failed() { NEWS } else { Duration::ZERO };
    match monitor.wait_for_failure(wait) {
        Some(problem) if is_lost || error.is_interrupted() => match monitor.is_interrupted() {
            true => SolveError::Interrupted.into(),
            false => SolveError::Parted { problem }.into(),
        },
        _ => error,
    }
}
