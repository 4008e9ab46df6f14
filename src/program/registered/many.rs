//! Games that a command solves one after the other, with a line of answer for each.

use std::fmt;

use serde_json::Value as Json;

use crate::program::registered::CliError;

/// Many small games, of which `solve` prints a line each. Nothing is stored.
#[cfg_attr(target_family = "wasm", allow(dead_code, reason = "only the command line solves them"))]
pub struct Many {
    pub(crate) source: Source,
    pub(crate) solve: Box<SolveLine>,
}

/// Solves the game of a line.
type SolveLine = dyn Fn(&str, Share) -> Result<Answer, CliError> + Send + Sync;

/// The source of the lines.
#[cfg_attr(target_family = "wasm", allow(dead_code, reason = "only the command line reads them"))]
pub(crate) enum Source {
    /// A single game, which is known.
    One,
    /// A file, or standard input where it is `-`, that this option names.
    File { option: &'static str, path: String },
}

/// The limits for one of many games, so that all stay within those of the options.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// The number of threads.
    pub threads: usize,
    /// The bytes of memory, if there is a limit.
    pub memory: Option<u64>,
    /// The number of states, if there is a limit.
    pub states: Option<u64>,
}

/// The answer about one of many games.
#[derive(Clone, Debug)]
pub struct Answer {
    /// A line for people.
    pub text: String,
    /// The answer for programs.
    pub json: Json,
}

impl Many {
    /// A single game, whose answer `solve` gives.
    pub fn one(solve: impl Fn(Share) -> Result<Answer, CliError> + Send + Sync + 'static) -> Many {
        Many { source: Source::One, solve: Box::new(move |_, share| solve(share)) }
    }

    /// A game for each line of the file at `path`, or of standard input where it is `-`. Blank lines
    /// are left out. `option` names the file in errors, and `solve` solves the game of a line. It runs
    /// on several threads.
    pub fn lines(
        option: &'static str,
        path: String,
        solve: impl Fn(&str, Share) -> Result<Answer, CliError> + Send + Sync + 'static,
    ) -> Many {
        Many { source: Source::File { option, path }, solve: Box::new(solve) }
    }
}

impl fmt::Debug for Many {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.source {
            Source::One => "Many::one",
            Source::File { .. } => "Many::lines",
        })
    }
}
