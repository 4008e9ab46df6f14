//! Solving by several processes, on this machine or on several. Each process owns a window of the
//! indices: see [`peers`](crate::runtime::peers) for what they do together, and
//! [`exchange`](crate::solve) for how levels use it.
//!
//! | part | |
//! | --- | --- |
//! | `handshake` | connections between all processes, and who may take part |
//! | `carrier` | messages between them: a timely dataflow |
//! | `monitor` | signs of life, and why a process leaves |
//! | `values` | values on their way to the process that writes them |
//! | `hosts` | the file that lists the processes |

mod carrier;
mod handshake;
mod hosts;
mod monitor;
mod values;

use std::net::TcpStream;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use carrier::Carrier;
pub(crate) use handshake::{Place, Run, Token, listen};
pub(crate) use hosts::read_hosts;
use monitor::Monitor;
use values::AllValues;

use crate::error::{SolveError, TableError};
use crate::numbering::scheme::Scheme;
use crate::runtime::peers::Sent;
use crate::runtime::progress::{OnProgress, Progress};
use crate::solve::{SolvedWindow, Solver, TierFigures};
use crate::table::{Destination, Stored, save_window};

/// How long a process that notices a loss waits for what the monitor finds out about it.
const NEWS: Duration = Duration::from_secs(3);

/// This process as one of several that solve a game together.
pub(crate) struct Cluster {
    carrier: Carrier,
    monitor: Arc<Monitor>,
    values: Vec<Option<TcpStream>>,
    own: usize,
}

/// What a process has done of a solve.
pub(crate) struct Done {
    /// The figures of the game.
    pub(crate) tiers: Vec<TierFigures>,
    /// The length of each file that was written, in bytes; the first process alone writes any.
    pub(crate) written: Vec<u64>,
    /// What the processes sent each other.
    pub(crate) sent: Sent,
}

impl Cluster {
    /// Connects with the other processes of the run, through a listener at the own address. `stop` says
    /// whether to give up.
    ///
    /// # Errors
    /// When a process does not come in time, has another token, or is about another run.
    pub(crate) fn join(
        listener: std::net::TcpListener,
        place: Place,
        run: &Run,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Cluster, String> {
        let connections = handshake::connect_all(listener, &place, run, stop)?;
        let Place { own, addresses, .. } = place;
        let monitor = Monitor::start(connections.control, addresses)?;
        let carrier = Carrier::over(connections.work, own)?;
        Ok(Cluster { carrier, monitor, values: connections.values, own })
    }

    /// Solves a game in a scheme together with the others, and has the first process write the table to
    /// these destinations.
    ///
    /// # Errors
    /// As solving and writing by one process; when another process is lost or gives up; and where several
    /// processes can't solve the game.
    pub(crate) fn solve<'p, G: Stored, S: Scheme<G>>(
        self,
        solver: Solver<'_, 'p, G>,
        destinations: Vec<Destination>,
        mut progress: impl FnMut(Progress) -> ControlFlow<()> + 'p,
    ) -> Result<Done, TableError> {
        let Cluster { mut carrier, monitor, values, own } = self;
        let watching = Arc::clone(&monitor);
        let solver = solver.on_progress(move |event| match watching.has_failed() {
            true => ControlFlow::Break(()),
            false => progress(event),
        });
        let finish = |game: &G, solved: SolvedWindow<'_>, progress: &mut OnProgress<'_>| {
            let written = if own == 0 {
                write(game, &solved, destinations, values, &monitor, progress)?
            } else {
                let lost = |_| SolveError::Interrupted;
                let stream = values.into_iter().next().flatten();
                let mut stop = || {
                    let event = Progress::Writing { done: 0, of: solved.len };
                    progress(event).is_break()
                };
                if let Some(mut stream) = stream {
                    values::serve(solved.cells, &mut stream, &mut stop).map_err(lost)?;
                }
                Vec::new()
            };
            let summary = solved.summary.clone();
            let bytes = written.first().copied();
            let tiers = vec![TierFigures { name: String::new(), summary, bytes, found: false }];
            Ok((tiers, written, solved.sent))
        };
        match solver.solve_window::<S, _, _>(&mut carrier, finish) {
            Ok((tiers, written, sent)) => {
                monitor.done();
                carrier.close();
                Ok(Done { tiers, written, sent })
            }
            Err(error) => {
                let error = explain(error, &monitor);
                monitor.leave(&error.to_string());
                Err(error)
            }
        }
    }
}

/// Writes the values of all windows to the destinations.
fn write<G: Stored>(
    game: &G,
    solved: &SolvedWindow<'_>,
    destinations: Vec<Destination>,
    streams: Vec<Option<TcpStream>>,
    monitor: &Monitor,
    progress: &mut OnProgress<'_>,
) -> Result<Vec<u64>, TableError> {
    let values = AllValues::new(solved.windows, solved.cells, streams, monitor)
        .map_err(TableError::io("ask other processes for values"))?;
    let read = |first: u64, packed: &mut [u16]| values.read(first, packed);
    let check = || match monitor.failure() {
        Some(problem) => Err(SolveError::Parted { problem }.into()),
        None => Ok(()),
    };
    let mut written = Vec::new();
    for destination in destinations {
        written.push(save_window(game, solved, &read, &check, destination, progress)?);
    }
    values.done();
    Ok(written)
}

/// The error of a run that ended with this one. Where another process was lost, that one is the cause.
fn explain(error: TableError, monitor: &Monitor) -> TableError {
    let is_consequence =
        error.is_interrupted() || matches!(error, TableError::Solve(SolveError::Parted { .. }));
    let is_lost = matches!(error, TableError::Solve(SolveError::Parted { .. }));
    let wait = if is_lost || monitor.has_failed() { NEWS } else { Duration::ZERO };
    match monitor.wait_for_failure(wait) {
        Some(problem) if is_consequence => SolveError::Parted { problem }.into(),
        _ => error,
    }
}
