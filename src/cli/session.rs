//! One run of the program: how it talks, and whether it was asked to stop.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressStyle};

use super::CliError;
use crate::solve::Progress;

/// How this run talks, and whether it was asked to stop.
pub(super) struct Session {
    pub(super) json: bool,
    quiet: bool,
    bar: Option<ProgressBar>,
    stop: Option<Arc<AtomicBool>>,
}

impl Session {
    pub(super) fn new(json: bool, quiet: bool) -> Session {
        Session { json, quiet, bar: None, stop: None }
    }

    /// From here on, Ctrl-C and a friendly kill end the work at the next report of progress; a
    /// second one ends the program at once.
    pub(super) fn begin_work(&mut self) {
        let stop = Arc::new(AtomicBool::new(false));
        self.stop = Some(Arc::clone(&stop));
        // Without a handler, Ctrl-C ends the program at once, which loses nothing but a temporary
        // file.
        let _ = ctrlc::set_handler(move || {
            if stop.swap(true, Ordering::Relaxed) {
                process::exit(1);
            }
        });
        if !self.quiet && io::stderr().is_terminal() {
            let bar = ProgressBar::new_spinner();
            let style = ProgressStyle::with_template("{spinner} {msg}  {elapsed}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.enable_steady_tick(Duration::from_millis(100));
            self.bar = Some(bar);
        }
    }

    /// Shows how far the work is, and says whether to go on.
    pub(super) fn report(&mut self, progress: Progress) -> ControlFlow<()> {
        if let Some(bar) = &self.bar {
            bar.set_message(describe(progress));
        }
        match &self.stop {
            Some(stop) if stop.load(Ordering::Relaxed) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }

    /// Removes the progress line.
    pub(super) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    /// Tells something beside the answer.
    pub(super) fn note(&self, note: &str) {
        if !self.quiet {
            tell(&format!("note: {note}"));
        }
    }

    /// Prints the answer: as JSON, or as text.
    pub(super) fn answer(
        &mut self,
        json: impl FnOnce() -> serde_json::Value,
        text: impl FnOnce() -> String,
    ) -> Result<(), CliError> {
        self.finish();
        let answer = if self.json { json().to_string() } else { text() };
        print(&answer)
    }
}

/// Prints a line beside the answer. `eprintln!` would panic where nobody reads it any more.
pub(super) fn tell(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Prints a text that need not end in a line end. A reader that has gone away is no error.
pub(super) fn print(text: &str) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    match write!(out, "{text}{end}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(CliError::failed(format!("can't write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

fn describe(progress: Progress) -> String {
    let part = |what: &str, done: u64, of: u64| {
        let percent = (done * 100).checked_div(of).unwrap_or(100);
        format!("{what}: {} of {} states, {percent} %", HumanCount(done), HumanCount(of))
    };
    match progress {
        Progress::Exploring { expanded, discovered } => {
            let (done, found) = (HumanCount(expanded), HumanCount(discovered));
            format!("exploring: {found} states found, {done} looked at")
        }
        Progress::Reversing { done, of } => part("turning moves round", done, of),
        Progress::Counting { done, of } => part("counting moves", done, of),
        Progress::Settling { level, settled, of } => {
            part(&format!("level {level}, settled"), settled, of)
        }
        Progress::Planned(plan) => format!("solving {}", plan.method),
        Progress::Writing { done, of } => part("writing", done, of),
        Progress::Checking { done, of } => part("checking the laws", done, of),
        Progress::Verifying { done, of } => part("verifying", done, of),
    }
}
