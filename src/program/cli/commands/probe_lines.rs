//! `probe` with `-`: shows who wins from each position of standard input.

use std::cell::Cell;
use std::fmt::Write as _;
use std::path::Path;

use clap::ArgMatches;
use indicatif::HumanCount;
use serde_json::json;

use crate::game::value::Verdict;
use crate::program::asking::verdicts_until;
use crate::program::cli::commands::position::{BOARD, STATE};
use crate::program::cli::lines::{Batch, Lines};
use crate::program::cli::output::number_of;
use crate::program::cli::session::{self, Session};
use crate::program::cli::wording::{Position, Wording};
use crate::program::cli::{CliError, ErrorCode, Registered};
use crate::query::view::View;

/// The help of the position.
pub(super) const HELP: &str = "The position in the game's notation, or - to read positions from standard \
                               input, one a line [default: the start position]";

/// Stands for standard input where a position is expected.
const STANDARD_INPUT: &str = "-";

/// Whether the position is to be read from standard input.
pub(in crate::program::cli) fn is_wanted(arguments: &ArgMatches) -> bool {
    arguments.get_one::<String>(STATE).is_some_and(|state| state == STANDARD_INPUT)
}

/// Shows the positions of standard input, a line each, from the table at `path`.
pub(in crate::program::cli) fn show<G: Registered>(
    solved: View<'_, G>,
    path: &Path,
    arguments: &ArgMatches,
    session: &Session,
) -> Result<(), CliError> {
    let board = arguments.get_flag(BOARD);
    let words = &Wording::new(solved.game);
    let is_noted = Cell::new(false);
    let note = |text: &str, verdict: Verdict| {
        if !is_noted.get()
            && let Some(note) = solved.game.note(text, &verdict)
        {
            is_noted.set(true);
            session.note(&format!("\"{text}\": {note}"));
        }
    };
    run(words, &|texts| look_at_all(solved, path, texts, board, &note), session)
}

/// The positions that these texts describe, in their order.
fn look_at_all<G: Registered>(
    solved: View<'_, G>,
    path: &Path,
    texts: &[&str],
    board: bool,
    note: &dyn Fn(&str, Verdict),
) -> Vec<Result<Position, CliError>> {
    // Loops in place of adapters: this is compiled for every game.
    let (game, mut states, mut errors) = (solved.game, Vec::new(), Vec::new());
    for text in texts {
        match game.parse_state(text) {
            Ok(state) => {
                states.push(state);
                errors.push(None);
            }
            Err(error) => errors.push(Some(CliError::from(error))),
        }
    }
    let mut verdicts = verdicts_until(solved, &states, &|| false).into_iter();
    let (mut states, mut positions) = (states.iter(), Vec::with_capacity(texts.len()));
    for (text, error) in texts.iter().zip(errors) {
        if let Some(error) = error {
            positions.push(Err(error));
            continue;
        }
        match (states.next(), verdicts.next()) {
            (Some(state), Some(Some(Ok(verdict)))) => {
                note(text, verdict);
                positions.push(Ok(Position::new(game, state, verdict, board)));
            }
            (Some(state), Some(Some(Err(error)))) => {
                positions.push(Err(CliError::query(path, game.write_state(state))(error)));
            }
            _ => {}
        }
    }
    positions
}

/// The positions that these texts describe, in their order.
type LookAtAll<'a> = dyn Fn(&[&str]) -> Vec<Result<Position, CliError>> + 'a;

/// Answers all lines of standard input, and then fails if some had no answer.
fn run(words: &Wording, look_at_all: &LookAtAll<'_>, session: &Session) -> Result<(), CliError> {
    let mut lines = Lines::of_standard_input()?;
    let mut asked = Asked::default();
    while let Some(batch) = lines.next()? {
        let text = asked.answer(&batch, words, look_at_all, session);
        // Nobody reads the answers any more.
        if session::print_unended(&text)?.is_break() {
            return Ok(());
        }
        asked.say_errors(session);
    }
    asked.end()
}

/// What has been asked so far.
#[derive(Default)]
struct Asked {
    positions: u64,
    /// How many of them have no answer.
    unanswered: u64,
    /// The exit code of the worst error.
    exit_code: u8,
    /// The errors that are not yet printed, with the numbers of their lines.
    errors: Vec<(u64, CliError)>,
}

impl Asked {
    /// The answers to the lines of a batch. Blank lines are skipped.
    fn answer(
        &mut self,
        batch: &Batch,
        words: &Wording,
        look_at_all: &LookAtAll<'_>,
        session: &Session,
    ) -> String {
        let lines =
            batch.lines().filter(|(_, line)| !line.is_ok_and(|line| line.trim().is_empty()));
        let lines: Vec<_> = lines.collect();
        let texts: Vec<&str> = lines.iter().filter_map(|(_, line)| line.ok()).collect();
        let mut found = look_at_all(&texts).into_iter();
        let mut text = String::new();
        for (number, line) in lines {
            self.positions += 1;
            let answer = match line {
                Err(error) => Err(CliError::usage(format!("not UTF-8: {error}"))),
                Ok(_) => match found.next() {
                    Some(answer) => answer,
                    None => continue,
                },
            };
            match answer {
                Ok(position) if session.json => {
                    let _ = writeln!(text, "{}", position.json(words));
                }
                Ok(Position { state, picture, verdict, .. }) => {
                    let _ = writeln!(text, "{state}: {}", words.verdict(verdict));
                    text += &picture;
                }
                Err(error) => {
                    if session.json {
                        let answer = json!({
                            "state": line.ok(),
                            "error": error.to_string(),
                            "code": error.code(),
                        });
                        let _ = writeln!(text, "{answer}");
                    }
                    self.errors.push((number, error));
                }
            }
        }
        text
    }

    /// Prints the errors that are not yet printed.
    fn say_errors(&mut self, session: &Session) {
        for (number, error) in self.errors.drain(..) {
            self.unanswered += 1;
            self.exit_code = self.exit_code.max(error.exit_code());
            let error = error.reworded(|message| format!("line {number}: {message}"));
            session::print_error(&error.with("line", number), session.json);
        }
    }

    /// The error at the end, if some positions have no answer.
    fn end(self) -> Result<(), CliError> {
        let Asked { positions, unanswered, exit_code, .. } = self;
        let of = number_of(positions, "position");
        let says = format!("no answer to {} of {of}", HumanCount(unanswered));
        let failed = match (unanswered, exit_code) {
            (0, _) => return Ok(()),
            (_, 1) => CliError::failed(says),
            _ => CliError::usage(says),
        };
        let failed = failed.coded(ErrorCode::Unanswered).with("positions", positions);
        Err(failed.with("unanswered", unanswered))
    }
}
