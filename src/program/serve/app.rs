//! The state that all requests share: the tables, the counters, and the queues.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;

use crate::program::answers::problem::Problem;
use crate::program::answers::tables::{NamedTable, Tables};
use crate::program::serve::metrics::Metrics;

/// The number of long bodies that are in memory at once. Further ones wait before the rest of their
/// body is read.
const MOST_BODIES: usize = 4;

/// The longest time that a batch or a search waits for others to end.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(20);

pub(super) type Answer = Result<Response, Problem>;
pub(super) type Shared = State<Arc<App>>;

/// The state that all requests share.
pub(crate) struct App {
    pub(crate) tables: Tables,
    pub(crate) metrics: Metrics,
    /// The host names that requests may be meant for, beside addresses and `localhost`.
    pub(crate) hosts: Vec<String>,
    /// The queues for reading from files for long: one batch and one search at a time, so that
    /// single probes are answered meanwhile.
    pub(super) batches: Arc<Semaphore>,
    pub(super) searches: Arc<Semaphore>,
    /// Prints a line for the operator of the server. `reported` is the last printed line.
    report: fn(&str),
    reported: Mutex<String>,
    /// The queue for long batches in memory.
    pub(super) bodies: Arc<Semaphore>,
}

impl App {
    pub(crate) fn new(tables: Tables, hosts: Vec<String>, report: fn(&str)) -> App {
        let queue = |most| Arc::new(Semaphore::new(most));
        let (metrics, reported) = (Metrics::default(), Mutex::default());
        let (batches, searches, bodies) = (queue(1), queue(1), queue(MOST_BODIES));
        App { tables, metrics, hosts, batches, searches, report, reported, bodies }
    }

    /// Reports a problem to the operator of the server, if it is theirs. The same problem is not
    /// reported twice in a row.
    pub(super) fn report(&self, problem: &Problem) {
        let Some(cause) = &problem.cause else { return };
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        if *reported != *cause {
            (self.report)(&format!("error: {cause}"));
            reported.clone_from(cause);
        }
    }

    pub(super) fn table(&self, name: &str) -> Result<&NamedTable, Problem> {
        self.tables.named(name)
    }

    /// Calls `ask` with a table, on a thread that may wait for the disk.
    pub(super) async fn ask<T: Send + 'static>(
        self: &Arc<Self>,
        name: &str,
        ask: impl FnOnce(&NamedTable) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.table(name)?;
        let (app, name) = (Arc::clone(self), name.to_owned());
        let asked = tokio::task::spawn_blocking(move || {
            ask(app.table(&name)?).inspect_err(|problem| app.report(problem))
        });
        // If nobody waits for the answer any more, the work does not begin.
        let _guard = AbortOnDrop(asked.abort_handle());
        asked.await.unwrap_or_else(|_| {
            let detail = "the table could not be read: the program has a mistake, please report it";
            Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail))
        })
    }
}

/// Aborts a task when it is dropped.
struct AbortOnDrop(AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Waits for its turn among batches or searches.
pub(super) async fn turn(queue: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Problem> {
    match tokio::time::timeout(LONGEST_WAIT, Arc::clone(queue).acquire_owned()).await {
        Ok(Ok(permit)) => Ok(permit),
        _ => Err(Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "too many long questions are asked at once: ask again later",
        )),
    }
}
