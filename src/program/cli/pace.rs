//! The speed of the work, and the text of the progress line.

use std::mem::{self, Discriminant};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount, HumanDuration};

use crate::runtime::progress::Progress;

/// How often the progress line changes.
pub(super) const SHOW_EVERY: Duration = Duration::from_millis(100);

/// The speed of one part of the work.
pub(super) struct Pace {
    part: Discriminant<Progress>,
    began: Instant,
    shown: Option<Instant>,
    /// How much was done before the part began.
    before: u64,
    /// The last ply of a search, and the numbers of states in the ply before it and in it.
    ply: u32,
    of_plies: [u64; 2],
}

impl Pace {
    pub(super) fn new(progress: Progress, now: Instant) -> Pace {
        let (before, _) = done_and_all(progress);
        let part = mem::discriminant(&progress);
        Pace { part, began: now, shown: None, before, ply: 0, of_plies: [0; 2] }
    }

    /// Notes a ply of a search.
    pub(super) fn note_ply(&mut self, ply: u32, states: u64) {
        (self.ply, self.of_plies) = (ply, [self.of_plies[1], states]);
    }

    pub(super) fn is_of(&self, progress: Progress) -> bool {
        self.part == mem::discriminant(&progress)
    }

    /// Whether the progress line is due to change.
    pub(super) fn is_due(&mut self, now: Instant) -> bool {
        let due = self.shown.is_none_or(|shown| now - shown >= SHOW_EVERY);
        if due {
            self.shown = Some(now);
        }
        due
    }

    /// The progress in words. `is_all` says that there are no other tiers.
    pub(super) fn describe(&self, progress: Progress, is_all: bool, now: Instant) -> String {
        let (done, all) = done_and_all(progress);
        let percent = (done.saturating_mul(100)).checked_div(all).unwrap_or(100);
        let what = match progress {
            Progress::Planned(_)
            | Progress::Hashed { .. }
            | Progress::Growing { .. }
            | Progress::OverAtRoots { .. }
            | Progress::Tier { .. }
            | Progress::Damaged { .. }
            | Progress::Resumed(_) => "planning",
            Progress::Checkpointing { .. } => {
                let (done, all) = (HumanBytes(done), HumanBytes(all));
                return format!("writing a checkpoint: {done} of {all}");
            }
            Progress::Exploring { .. } => "exploring, expanded",
            Progress::Reversing { .. } => "reversing moves",
            Progress::Counting { .. } => "counting moves",
            Progress::Settling { level, settled, of, .. } => {
                // The share of all states says little: states of endless play are never solved.
                let (settled, of) = (HumanCount(settled), HumanCount(of));
                return format!(
                    "level {level}, {percent} % of it: {settled} of {of} states solved"
                );
            }
            Progress::Sampling { .. } => "choosing the compression",
            Progress::Writing { .. } => "compressing and writing",
            Progress::Syncing { bytes } => {
                return format!("waiting for the disk: {}", HumanBytes(bytes));
            }
            Progress::Checking { .. } => "checking the laws",
            Progress::Verifying { .. } => "verifying",
        };
        // A solve knows only the end of its step, a table in tiers only that of its tier, and an
        // exploration none.
        let has_end = !matches!(progress, Progress::Exploring { .. });
        let is_whole =
            is_all && matches!(progress, Progress::Checking { .. } | Progress::Verifying { .. });
        let mut text = what.to_owned();
        if has_end {
            text += &format!(", {percent} %{}", if is_whole { "" } else { " of this step" });
        }
        text += &format!(": {} of {} states", HumanCount(done), HumanCount(all));
        let seconds = (now - self.began).as_secs_f64();
        let rate =
            if seconds > 0.0 { (done - self.before.min(done)) as f64 / seconds } else { 0.0 };
        if rate >= 1.0 {
            text += &format!(", {} a second", HumanCount(rate as u64));
            if is_whole {
                let left = Duration::from_secs_f64((all - done.min(all)) as f64 / rate);
                text += &format!(", {} left", HumanDuration(left));
            }
        }
        let [before, last] = self.of_plies;
        if before > 0 {
            let growth = last as f64 / before as f64;
            let (ply, earlier) = (self.ply, self.ply.saturating_sub(1));
            text += &format!(", ply {ply} had {growth:.2} times the states of ply {earlier}");
        }
        if let Some(reach) = progress.reach()
            && let Progress::Exploring { memory, allowed: Some(allowed), .. } = progress
        {
            let (memory, allowed) = (HumanBytes(memory), HumanBytes(allowed));
            let reach = HumanCount(two_digits(reach));
            text += &format!(", {memory} of {allowed}, enough for some {reach} states");
        }
        text
    }
}

/// A number rounded down to its first two digits.
fn two_digits(number: u64) -> u64 {
    let rest = 10_u64.pow(number.max(1).ilog10().saturating_sub(1));
    number / rest * rest
}

/// How much of a part of the work is done, and how much there is.
fn done_and_all(progress: Progress) -> (u64, u64) {
    match progress {
        Progress::Exploring { expanded, discovered, .. } => (expanded, discovered),
        Progress::Settling { level_done, level_of, .. } => (level_done, level_of),
        Progress::Reversing { done, of }
        | Progress::Counting { done, of }
        | Progress::Sampling { done, of }
        | Progress::Writing { done, of }
        | Progress::Checkpointing { done, of }
        | Progress::Checking { done, of }
        | Progress::Verifying { done, of } => (done, of),
        _ => (0, 0),
    }
}
