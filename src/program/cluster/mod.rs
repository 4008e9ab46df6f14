//! Solves a game by several processes, on one machine or several. Each process owns a window of the
//! indices: see [`peers`](crate::runtime::peers) for their joint operations, and
//! [`exchange`](crate::solve) for their use in levels.
//!
//! | part | |
//! | --- | --- |
//! | `handshake` | connections between all processes, and who may take part |
//! | `carrier` | messages between them: a timely dataflow |
//! | `monitor` | signs of life, and why a process leaves |
//! | `hosts` | the file that lists the processes |

mod carrier;
mod handshake;
mod hosts;
mod monitor;

use std::net::TcpListener;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use carrier::Carrier;
pub(crate) use handshake::{JOIN, Membership, Run, Token, hash, listen};
pub(crate) use hosts::read_hosts;
use monitor::Monitor;

use crate::error::{SolveError, TableError};
use crate::numbering::scheme::Scheme;
use crate::runtime::peers::Sent;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::Progress;
use crate::solve::checkpoint::CheckpointStore;
use crate::solve::{Resources, Solver, TierFigures};
use crate::table::save::{SolveInto, solve_to_files};
use crate::table::write::TableWriter;
use crate::table::{Compression, Stored};

/// How long a process that notices a loss waits until the monitor knows the cause.
const NEWS: Duration = Duration::from_secs(3);

/// This process as one of several that solve a game together.
pub(crate) struct Cluster {
    carrier: Carrier,
    monitor: Arc<Monitor>,
}

/// The results of a process after a solve.
pub(crate) struct Done {
    /// The figures of the tiers; a game without tiers is one tier.
    pub(crate) tiers: Vec<TierFigures>,
    /// The length of each file of a game without tiers, in bytes. Only the first process writes
    /// files.
    pub(crate) written: Vec<u64>,
    /// The total that the processes sent to each other.
    pub(crate) sent: Sent,
    /// The time when a game without tiers was solved, before it was written.
    pub(crate) solved: Option<Instant>,
}

impl Cluster {
    /// Connects with the other processes of the run, through a listener at this process's address.
    /// `stop` returns whether to give up.
    ///
    /// # Errors
    /// If a process does not connect in time, has another token, or takes part in another run.
    pub(crate) fn join(
        listener: TcpListener,
        membership: Membership,
        run: &Run,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Cluster, String> {
        let connections = handshake::connect_all(listener, &membership, run, stop)?;
        let Membership { own, addresses, .. } = membership;
        let monitor = Monitor::start(connections.control, addresses)?;
        let carrier = Carrier::over(connections.work, own, Arc::clone(&monitor))?;
        Ok(Cluster { carrier, monitor })
    }

    /// Solves a game in a scheme without tiers together with the other processes. The first process
    /// writes the table by these writers.
    ///
    /// # Errors
    /// If solving or writing fails as with one process, another process is lost or gives up, or
    /// several processes can't solve the game.
    pub(crate) fn solve<'p, G: Stored, S: Scheme<G>>(
        self,
        solver: Solver<'_, 'p, G>,
        writers: Vec<TableWriter>,
        progress: impl FnMut(Progress) -> ControlFlow<()> + 'p,
    ) -> Result<Done, TableError> {
        self.run(solver, progress, |game, resources, checkpoints, pool| {
            let mut done = None;
            let mut solved = |pool: &mut WorkerPool<'_>| {
                done = Some((pool.all_sent()?, Instant::now()));
                Ok(())
            };
            let (figures, written) =
                solve_to_files::<G, S>(game, resources, checkpoints, writers, &mut solved, pool)?;
            let (sent, solved) = done.unzip();
            Ok(Done { tiers: vec![figures], written, sent: sent.unwrap_or_default(), solved })
        })
    }

    /// Solves a game in a scheme with tiers together with the other processes. The first process
    /// writes the tiers into a folder. `only` is the name of a tier: the run then solves this tier
    /// and the tiers that it needs.
    ///
    /// # Errors
    /// See [`solve`](Cluster::solve).
    pub(crate) fn solve_tiers<'p, G: Stored, S: Scheme<G>>(
        self,
        solver: Solver<'_, 'p, G>,
        path: &Path,
        only: Option<&str>,
        compression: Compression,
        progress: impl FnMut(Progress) -> ControlFlow<()> + 'p,
    ) -> Result<Done, TableError> {
        self.run(solver, progress, |game, resources, checkpoints, pool| {
            let into = SolveInto { game, path, only, compression, resources, checkpoints, pool };
            let tiers = S::visit(game, into)?;
            let sent = pool.all_sent().map_err(SolveError::from)?;
            Ok(Done { tiers, written: Vec::new(), sent, solved: None })
        })
    }

    /// Does the work of a run, and informs the other processes how it ended.
    fn run<'p, 'g, G: Stored>(
        self,
        solver: Solver<'g, 'p, G>,
        mut progress: impl FnMut(Progress) -> ControlFlow<()> + 'p,
        work: impl FnOnce(
            &'g G,
            Resources<G>,
            Option<&'p mut (dyn CheckpointStore + 'p)>,
            &mut WorkerPool<'_>,
        ) -> Result<Done, TableError>,
    ) -> Result<Done, TableError> {
        let Cluster { mut carrier, monitor } = self;
        let watching = Arc::clone(&monitor);
        let solver = solver.on_progress(move |event| match watching.has_failed() {
            true => ControlFlow::Break(()),
            false => progress(event),
        });
        let done = solver.with_peers(&mut carrier, |game, resources, checkpoints, pool| {
            let done = work(game, resources, checkpoints, pool)?;
            // No process ends before all are done.
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

/// The error of a run that ended with `error`. If another process was lost, that loss is the cause.
/// If the other process was interrupted, so was the run.
fn explain(error: TableError, monitor: &Monitor) -> TableError {
    let is_lost = matches!(error, TableError::Solve(SolveError::PeerError { .. }));
    let wait = if is_lost || monitor.has_failed() { NEWS } else { Duration::ZERO };
    match monitor.wait_for_failure(wait) {
        Some(problem) if is_lost || error.is_interrupted() => match monitor.is_interrupted() {
            true => SolveError::Interrupted.into(),
            false => SolveError::PeerError { problem }.into(),
        },
        _ => error,
    }
}
