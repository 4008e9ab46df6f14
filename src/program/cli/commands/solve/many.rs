//! `solve` for many small games: a line of answer for each, and no table.

use std::fs::File;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use clap::ArgMatches;
use serde_json::{Value as Json, json};

use crate::program::cli::CliError;
use crate::program::cli::commands::resources;
use crate::program::cli::lines::{Batch, Lines};
use crate::program::cli::session::{self, Session};
use crate::program::registered::{Answer, Many, Share, Source};

/// How many games a thread takes at once.
const AT_ONCE: usize = 64;

/// The options that have no use for many games.
const OF_TABLES: [&str; 5] = ["output", "outcomes-only", "checkpoint", "processes", "scratch"];

/// Solves all games, and prints the answers in their order.
pub(in crate::program::cli) fn run(
    many: &Many,
    options: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    let is_there = |name: &&&str| {
        options.ids().any(|id| id.as_str() == **name)
            && options.value_source(name) == Some(clap::parser::ValueSource::CommandLine)
    };
    if let Some(name) = OF_TABLES.iter().find(is_there) {
        let problem = "no table is made where a line is printed for each game: leave it out";
        return Err(CliError::usage(format!("--{name}: {problem}")));
    }
    let threads = resources::threads(options)
        .unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    let (memory, states) = (resources::memory(options), resources::max_states(options));
    let all = Share { threads, memory, states };
    let mut called = session.is_called().then(Vec::new);
    match &many.source {
        Source::One => {
            let answer = (many.solve)("", all)?;
            show(vec![answer], &mut called, session)?;
        }
        Source::File { option, path } => {
            let mut lines = open(option, path)?;
            while let Some(batch) = lines.next()? {
                let (answers, failed) = solve_batch(many, &batch, all);
                let is_read = show(answers, &mut called, session)?;
                if let Some((number, error)) = failed {
                    let error =
                        error.reworded(|problem| format!("{option}: line {number}, {problem}"));
                    return Err(error.with("line", number));
                }
                if !is_read {
                    return Ok(());
                }
            }
        }
    }
    match called {
        Some(answers) => session.answer(|| json!({ "games": answers }), String::new),
        None => Ok(()),
    }
}

fn open(option: &str, path: &str) -> Result<Lines, CliError> {
    if path == "-" {
        return Lines::of_standard_input();
    }
    let failed =
        |error| CliError::failed(format!("{option}: can't open the file \"{path}\": {error}"));
    Lines::of_file(File::open(path).map_err(failed)?, format!("\"{path}\""))
}

/// Prints answers, or keeps them for the caller. Returns whether anybody reads on.
fn show(
    answers: Vec<Answer>,
    called: &mut Option<Vec<Json>>,
    session: &Session,
) -> Result<bool, CliError> {
    if let Some(called) = called {
        called.extend(answers.into_iter().map(|answer| answer.json));
        return Ok(true);
    }
    let line = |Answer { text, json }| match session.json {
        true => format!("{json}\n"),
        false => format!("{text}\n"),
    };
    let text: String = answers.into_iter().map(line).collect();
    Ok(session::print_unended(&text)?.is_continue())
}

/// The answers to the lines of a batch up to the first that fails, and that one's number and error.
fn solve_batch(many: &Many, batch: &Batch, all: Share) -> (Vec<Answer>, Option<(u64, CliError)>) {
    let lines = batch.lines().filter(|(_, line)| !line.is_ok_and(|line| line.trim().is_empty()));
    let lines: Vec<_> = lines.collect();
    let workers = all.threads.min(lines.len().div_ceil(AT_ONCE)).max(1);
    let share = Share {
        threads: (all.threads / workers).max(1),
        memory: all.memory.map(|bytes| bytes / workers as u64),
        ..all
    };
    let solve = |&(number, line): &(u64, Result<&str, _>)| match line {
        Ok(line) => (many.solve)(line.trim(), share).map_err(|error| (number, error)),
        Err(error) => Err((number, CliError::usage(format!("not UTF-8: {error}")))),
    };
    let next = AtomicUsize::new(0);
    let work = || {
        let mut solved = Vec::new();
        loop {
            let first = next.fetch_add(AT_ONCE, Ordering::Relaxed);
            let Some(part) = lines.get(first..lines.len().min(first + AT_ONCE)) else { break };
            if part.is_empty() {
                break;
            }
            solved.push((first, part.iter().map(solve).collect::<Vec<_>>()));
        }
        solved
    };
    let mut parts = thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(work)).collect();
        let mut parts = work();
        for other in others {
            match other.join() {
                Ok(solved) => parts.extend(solved),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        parts
    });
    parts.sort_unstable_by_key(|(first, _)| *first);
    let mut answers = Vec::with_capacity(lines.len());
    for answer in parts.into_iter().flat_map(|(_, part)| part) {
        match answer {
            Ok(answer) => answers.push(answer),
            Err(failed) => return (answers, Some(failed)),
        }
    }
    (answers, None)
}
