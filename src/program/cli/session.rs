//! One run of the program: how it prints, and whether the user interrupted it.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use indicatif::{HumanCount, ProgressBar};
use serde_json::json;

use crate::program::cli::caller::Called;
use crate::program::cli::pace::Pace;
use crate::program::cli::plan_notes::{self, LONG};
use crate::program::cli::terminal::progress_line;
use crate::program::cli::{CliError, output};
use crate::runtime::progress::{Method, Plan, Progress, Resumed};

/// A run of this many states, or of a [long](LONG) time, notes that its table is not kept.
const MANY_STATES: u64 = 10_000_000;

/// How this run prints, and whether the user interrupted it.
pub(super) struct Session {
    /// The name of the program.
    program: &'static str,
    pub(super) json: bool,
    quiet: bool,
    /// The program that gets the answer and the notes, if it is not a person.
    called: Option<Arc<Called>>,
    bar: Option<ProgressBar>,
    pace: Option<Pace>,
    /// The number of the current tier, and the number of tiers.
    tier: Option<(u64, u64)>,
    /// The names of the tiers, in solving order.
    tier_names: Vec<String>,
    /// When set, the work ends at the next report of progress.
    pub(super) stop: Arc<AtomicBool>,
    /// What the option `--output` takes, if nothing is kept and the note on that is still to be
    /// printed.
    keeps_nothing: Option<&'static str>,
    begin: Instant,
    /// Whether the note is printed that there are scratch files.
    noted_scratch: bool,
    /// Whether the note is printed that memory may turn out to be too little.
    noted_widening: bool,
    /// The method of the last note.
    noted_method: Option<Method>,
    /// Whether the note is printed that a sample takes less time.
    noted_sample: bool,
    /// Whether the note is still to be printed that this is a debug build.
    is_slow_build: bool,
}

impl Session {
    pub(super) fn new(program: &'static str, json: bool, quiet: bool) -> Session {
        Session {
            program,
            json,
            quiet,
            called: None,
            bar: None,
            pace: None,
            tier: None,
            tier_names: Vec::new(),
            stop: Arc::default(),
            keeps_nothing: None,
            begin: Instant::now(),
            noted_method: None,
            noted_scratch: false,
            noted_widening: false,
            noted_sample: false,
            is_slow_build: cfg!(debug_assertions),
        }
    }

    /// A run for a program, which gets the answer and all that is said.
    pub(super) fn of_call(program: &'static str, called: &Arc<Called>) -> Session {
        Session { called: Some(Arc::clone(called)), ..Session::new(program, true, false) }
    }

    /// Whether a program gets the answer, and nothing is printed.
    pub(super) fn is_called(&self) -> bool {
        self.called.is_some()
    }

    /// Sets the names of the tiers that notes are about, in solving order.
    pub(super) fn name_tiers(&mut self, names: Vec<String>) {
        self.tier_names = names;
    }

    /// Whether the answer is one line.
    pub(super) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// The name of the program.
    pub(super) fn program(&self) -> &'static str {
        self.program
    }

    /// The name of the program, if the answer is printed on a terminal.
    pub(super) fn program_on_terminal(&self) -> Option<&'static str> {
        io::stdout().is_terminal().then_some(self.program)
    }

    /// From here on, a large or long run prints a note that its table is not kept. `path` is what
    /// the option `--output` takes.
    pub(super) fn keeps_nothing(&mut self, path: &'static str) {
        self.keeps_nothing = Some(path);
    }

    /// Prints that the table is not kept, once it is known that the run is large or takes long.
    fn note_keeps_nothing(&mut self, progress: Progress) {
        let states = match progress {
            Progress::Exploring { discovered, .. } => discovered,
            Progress::Counting { of, .. }
            | Progress::Reversing { of, .. }
            | Progress::Settling { of, .. } => of,
            _ => 0,
        };
        let Some(path) = self.keeps_nothing else { return };
        if states >= MANY_STATES || self.begin.elapsed() >= LONG {
            self.keeps_nothing = None;
            self.note_beside(&format!("the table is not kept; add -o {path} to keep it"));
        }
    }

    /// From here on, Ctrl-C or SIGTERM ends the work at the next report of progress; a second one
    /// ends the program at once.
    pub(super) fn begin_work(&mut self) {
        // A program has its own way to interrupt the work.
        if self.called.is_some() {
            return;
        }
        let stop = Arc::clone(&self.stop);
        if !self.quiet && io::stderr().is_terminal() {
            self.bar = Some(progress_line());
        }
        let bar = self.bar.clone();
        let interrupted = AtomicBool::new(false);
        // Without a handler, Ctrl-C ends the program at once, and a temporary file stays.
        let _ = ctrlc::set_handler(move || {
            stop.store(true, Ordering::Relaxed);
            // If other processes take part, one of them may have set it before.
            if interrupted.swap(true, Ordering::Relaxed) {
                if let Some(bar) = &bar {
                    bar.finish_and_clear();
                }
                process::exit(1);
            }
        });
    }

    /// Whether the user has interrupted the run.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// From here on, Ctrl-C or SIGTERM ends the program at once, as after success.
    pub(super) fn end_at_ctrl_c(&self) {
        let _ = ctrlc::set_handler(|| {
            if io::stdout().is_terminal() {
                let _ = print_unended("\n");
            }
            process::exit(0);
        });
    }

    /// Shows the progress, and returns `Break` once the user has interrupted the run.
    pub(super) fn report(&mut self, progress: Progress) -> ControlFlow<()> {
        self.note_keeps_nothing(progress);
        self.note_sample(progress);
        self.note_slow_build();
        if let Progress::Tier { done, of } = progress {
            self.tier = Some((done + 1, of));
        } else if let Progress::Resumed(resumed) = progress {
            self.note_resumed(resumed);
        } else if let Progress::Damaged { tier } = progress {
            let name = self.tier_names.get(tier).map_or("of a tier", String::as_str);
            self.note_beside(&format!("the file {name}.rtb is damaged: the tier is solved again"));
        } else if let Progress::Growing { ply } = progress {
            self.warn(&format!(
                "at ply {ply}, play repeats except for a part of the state that grows, so this may \
                 never end: --max-states 100000 ends it, and names the part"
            ));
        } else if let Progress::OverAtRoots { states } = progress {
            let found = output::number_of(states, "state");
            let (roots, were) = match states {
                1 => ("the root".to_owned(), "was"),
                _ => (format!("all {states} roots"), "were"),
            };
            self.warn(&format!(
                "play is over in {roots}, so that only {found} {were} found: roots are positions \
                 where play starts"
            ));
        } else if let Progress::Planned(plan) = progress {
            self.note_plan(&plan);
        } else if let Progress::Hashed { ply, states, .. } = progress {
            if let Some(pace) = &mut self.pace {
                pace.note_ply(ply, states);
            }
        } else if self.bar.is_some() || self.called.is_some() {
            let now = Instant::now();
            let pace = self.pace.get_or_insert(Pace::new(progress, now));
            if !pace.is_of(progress) {
                *pace = Pace::new(progress, now);
            }
            if pace.is_due(now) {
                let tier =
                    self.tier.map_or(String::new(), |(at, of)| format!("tier {at} of {of}, "));
                let is_all = self.tier.is_none();
                let doing = tier + &pace.describe(progress, is_all, now);
                if let Some(called) = &self.called
                    && called.caller.progress(&doing).is_break()
                {
                    self.stop.store(true, Ordering::Relaxed);
                }
                if let Some(bar) = &self.bar {
                    bar.set_message(doing);
                }
            }
        }
        match self.is_stopped() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Prints how a game is going to be solved, unless that was said or goes without saying. Prints once if
    /// memory may turn out to be too little, and once if there are scratch files.
    fn note_plan(&mut self, plan: &Plan) {
        // What was estimated from a sample is not printed again when it is known exactly.
        let said = self.noted_method.replace(plan.method);
        let same = |said| match (said, plan.method) {
            (Method::ReverseEdges { passes: said, .. }, Method::ReverseEdges { passes, .. }) => {
                said == passes
            }
            (said, now) => said == now,
        };
        // There may be hundreds of tiers.
        if self.tier.is_none() && !said.is_some_and(same) {
            let note = plan_notes::method(plan);
            let ways = note.as_ref().and_then(|_| plan_notes::other_ways(plan));
            note.into_iter().chain(ways).for_each(|note| self.note_beside(&note));
        }
        if !self.noted_widening {
            let what = if self.tier.is_some() { "this tier" } else { "this" };
            let note = plan_notes::widening(plan, what);
            self.noted_widening = note.is_some();
            note.into_iter().for_each(|note| self.note_beside(&note));
        }
        if !self.noted_scratch {
            let note = plan_notes::scratch(plan);
            self.noted_scratch = note.is_some();
            note.into_iter().for_each(|note| self.note_beside(&note));
        }
    }

    /// Prints that a sample takes less time, once a check takes long and much of it is left.
    fn note_sample(&mut self, progress: Progress) {
        if let Progress::Checking { done, of } = progress
            && !self.noted_sample
            && self.begin.elapsed() >= LONG
            && (100_000..).contains(&of)
            && done < of / 2
        {
            self.noted_sample = true;
            self.note_beside(
                "with --sample 100000, that many random states are checked instead of all",
            );
        }
    }

    /// Prints that a release build is much faster, once a run of a debug build takes long.
    fn note_slow_build(&mut self) {
        if self.is_slow_build && self.begin.elapsed() >= LONG {
            self.is_slow_build = false;
            self.note_beside(
                "this is a debug build; built with --release it is several times as fast",
            );
        }
    }

    /// Prints where a run resumes.
    fn note_resumed(&self, resumed: Resumed) {
        let place = match resumed {
            Resumed::Searching { tier, plies, states } => {
                let tier = tier.and_then(|tier| self.tier_names.get(tier));
                let tier = tier.map_or(String::new(), |tier| format!(" of tier {tier}"));
                format!("ply {plies}{tier} is next, {} states are known", HumanCount(states))
            }
            Resumed::Discovered { states } => {
                format!("all {} states are discovered", HumanCount(states))
            }
            Resumed::Levels { level, settled, of } => {
                let (settled, of) = (HumanCount(settled), HumanCount(of));
                format!("level {level} is next, {settled} of {of} states are solved")
            }
            Resumed::Settled { states } => {
                format!("all {} states are solved", HumanCount(states))
            }
        };
        self.note_beside(&format!("resuming from a checkpoint: {place}"));
    }

    /// Prints a note without disturbing the progress line.
    fn note_beside(&self, note: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| self.note(note)),
            None => self.note(note),
        }
    }

    /// Prints a note that few should overlook. A program is warned.
    fn warn(&self, note: &str) {
        match &self.called {
            Some(called) => called.warning(note),
            None => self.note_beside(note),
        }
    }

    /// Removes the progress line.
    pub(super) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    /// Prints a note to standard error, unless the run is quiet.
    pub(super) fn note(&self, note: &str) {
        match &self.called {
            Some(called) => called.note(note),
            None if self.quiet => {}
            None => print_beside(&format!("note: {note}")),
        }
    }

    /// Prints the answer as JSON or as text.
    pub(super) fn answer(
        &mut self,
        json: impl FnOnce() -> serde_json::Value,
        text: impl FnOnce() -> String,
    ) -> Result<(), CliError> {
        self.finish();
        if let Some(called) = &self.called {
            called.answer(json());
            return Ok(());
        }
        let answer = if self.json { json().to_string() } else { text() };
        print(&answer).map(|_| ())
    }
}

/// Prints a line to standard error. `eprintln!` would panic where standard error is closed.
pub(super) fn print_beside(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", harmless(line));
}

/// Prints an error: for a program as the field `error` of a JSON object on one line.
pub(super) fn print_error(error: &CliError, as_json: bool) {
    if !as_json {
        return print_beside(&format!("error: {error}"));
    }
    let object = json!({ "error": error.json() }).to_string();
    let mut line = String::with_capacity(object.len());
    for letter in object.chars() {
        match is_control(letter) {
            true => line += &format!("\\u{:04x}", u32::from(letter)),
            false => line.push(letter),
        }
    }
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Whether a character could make a terminal do anything. Some change the direction of the text that follows.
fn is_control(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// How many characters of a line are printed, from its beginning and from its end.
const SHOWN: [usize; 2] = [2_000, 1_000];

/// A line that may echo typed text or the contents of a file: without control characters, which
/// could make a terminal do anything, and cut in the middle if it is very long.
pub(super) fn harmless(line: &str) -> String {
    let escaped = |text: &str| {
        text.chars().fold(String::new(), |mut text, letter| {
            match is_control(letter) {
                true => text.extend(letter.escape_default()),
                false => text.push(letter),
            }
            text
        })
    };
    let places: Vec<usize> = line.char_indices().map(|(at, _)| at).collect();
    let [first, last] = SHOWN;
    match places.len().checked_sub(first + last) {
        None | Some(0) => escaped(line),
        Some(left) => format!(
            "{} [{} characters left out] {}",
            escaped(&line[..places[first]]),
            HumanCount(left as u64),
            escaped(&line[places[first + left]..])
        ),
    }
}

/// Prints a text to standard output and ends the line. A closed pipe is no error: see
/// [`print_unended`].
pub(super) fn print(text: &str) -> Result<ControlFlow<()>, CliError> {
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    print_unended(&format!("{text}{end}"))
}

/// Prints a text to standard output as it is. A closed pipe is no error: `Break` says that nobody
/// reads any more.
pub(super) fn print_unended(text: &str) -> Result<ControlFlow<()>, CliError> {
    let mut out = io::stdout().lock();
    match write!(out, "{text}").and_then(|()| out.flush()) {
        Ok(()) => Ok(ControlFlow::Continue(())),
        Err(error) if is_lost(&error) => Err(cannot_print(&error)),
        Err(_) => Ok(ControlFlow::Break(())),
    }
}

/// Whether output is lost by this error of standard output. A closed pipe is no error.
pub(super) fn is_lost(error: &io::Error) -> bool {
    error.kind() != io::ErrorKind::BrokenPipe
}

/// The error when standard output can't be written.
pub(super) fn cannot_print(error: &io::Error) -> CliError {
    CliError::failed(format!("can't write to standard output: {error}"))
}
