//! Counters of requests and answers.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::program::answers::questions::QUESTIONS;

/// The name by which batches are counted, and that of all that is no question about a table.
pub(super) const BATCH: &str = "batch";
pub(super) const OTHER: &str = "other";

/// The classes of statuses by which answers are counted.
const CLASSES: [&str; 3] = ["2xx", "4xx", "5xx"];

/// The upper limit of each step of the histogram, in seconds: as a number and as text.
const STEPS: [(f64, &str); 6] =
    [(0.001, "0.001"), (0.005, "0.005"), (0.02, "0.02"), (0.1, "0.1"), (0.5, "0.5"), (2.0, "2")];

/// Counters since the server started.
#[derive(Debug)]
pub(crate) struct Metrics {
    /// The names by which requests are counted, with the number of each class of answers.
    requests: Vec<(&'static str, [AtomicU64; CLASSES.len()])>,
    /// The number of answers that took at most as long as each step.
    within: [AtomicU64; STEPS.len()],
    nanoseconds: AtomicU64,
    in_flight: AtomicU64,
    /// The number of positions in batches.
    pub(crate) batched: AtomicU64,
}

impl Default for Metrics {
    fn default() -> Metrics {
        let names = QUESTIONS.iter().flat_map(|row| {
            [Some(row.metric), row.takes_batch.then_some(BATCH)].into_iter().flatten()
        });
        let mut requests: Vec<(&'static str, _)> = Vec::new();
        for name in names.chain([OTHER]) {
            // Two questions may be counted together.
            if requests.iter().all(|(known, _)| *known != name) {
                requests.push((name, Default::default()));
            }
        }
        Metrics {
            requests,
            within: Default::default(),
            nanoseconds: AtomicU64::default(),
            in_flight: AtomicU64::default(),
            batched: AtomicU64::default(),
        }
    }
}

impl Metrics {
    /// Counts a request that has begun.
    pub(crate) fn begin(&self) {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a request that has ended, answered or not.
    pub(crate) fn end(&self) {
        self.in_flight.fetch_sub(1, Ordering::Relaxed);
    }

    /// Counts an answer.
    pub(crate) fn answered(&self, route: &str, status: u16, took: Duration) {
        let class = match status {
            500.. => 2,
            400.. => 1,
            _ => 0,
        };
        if let Some((_, counts)) = self.requests.iter().find(|(known, _)| *known == route) {
            counts[class].fetch_add(1, Ordering::Relaxed);
        }
        let seconds = took.as_secs_f64();
        for (count, (step, _)) in self.within.iter().zip(STEPS) {
            if seconds <= step {
                count.fetch_add(1, Ordering::Relaxed);
            }
        }
        self.nanoseconds.fetch_add(took.as_nanos() as u64, Ordering::Relaxed);
    }

    /// The counters in the text format of Prometheus.
    pub(crate) fn text(&self, tables: usize) -> String {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let mut text = String::new();
        let mut family = |name: &str, kind: &str, help: &str, lines: Vec<(String, String)>| {
            let _ =
                write!(text, "# HELP retrograde_{name} {help}\n# TYPE retrograde_{name} {kind}\n");
            for (labels, value) in lines {
                let _ = writeln!(text, "retrograde_{name}{labels} {value}");
            }
        };
        let mut requests = Vec::new();
        let mut all = 0;
        for (route, counts) in &self.requests {
            for (class, count) in CLASSES.iter().zip(counts) {
                let count = read(count);
                all += count;
                let labels = format!("{{route=\"{route}\",status=\"{class}\"}}");
                requests.push((labels, count.to_string()));
            }
        }
        family("requests_total", "counter", "Requests that were answered.", requests);
        let mut steps: Vec<(String, String)> = STEPS
            .iter()
            .zip(&self.within)
            .map(|((_, step), count)| {
                (format!("_bucket{{le=\"{step}\"}}"), read(count).to_string())
            })
            .collect();
        steps.push(("_bucket{le=\"+Inf\"}".into(), all.to_string()));
        let seconds = read(&self.nanoseconds) as f64 / 1e9;
        steps.push(("_sum".into(), format!("{seconds}")));
        steps.push(("_count".into(), all.to_string()));
        family("request_seconds", "histogram", "Time until the answer began.", steps);
        let one = |value: u64| vec![(String::new(), value.to_string())];
        let in_flight = read(&self.in_flight);
        family("requests_in_flight", "gauge", "Requests that are being answered.", one(in_flight));
        let batched = read(&self.batched);
        family(
            "batch_positions_total",
            "counter",
            "Positions that batches asked for.",
            one(batched),
        );
        family("tables", "gauge", "Tables that are served.", one(tables as u64));
        text
    }
}
