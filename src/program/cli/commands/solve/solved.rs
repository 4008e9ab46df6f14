//! What `solve` prints: the figures of a solved game, and the files that it wrote.

use std::path::PathBuf;

use console::style;
use indicatif::HumanCount;
use serde_json::json;

use crate::game::summary::Summary;
use crate::program::cli::bars::Characters;
use crate::program::cli::session::Session;
use crate::program::cli::wording::{Position, Wording};
use crate::program::cli::{CliError, output};
use crate::solve::TierFigures;

/// The result of a run.
pub(super) struct Solved<'o> {
    /// A game without tiers has one.
    pub(super) tiers: Vec<TierFigures>,
    pub(super) in_tiers: bool,
    /// The start position, if that is solved.
    pub(super) start: Option<Position>,
    pub(super) seconds: f64,
    /// The path of the table that was written, and its size in bytes.
    pub(super) table: Option<(&'o PathBuf, u64)>,
    /// The path of the outcomes that were written beside the table, and their size in bytes.
    pub(super) outcomes: Option<(&'o PathBuf, u64)>,
}

impl Solved<'_> {
    /// Prints the result of a run of the game of this name.
    pub(super) fn report(
        &self,
        name: &str,
        words: &Wording,
        session: &mut Session,
    ) -> Result<(), CliError> {
        let summary = Summary::sum(self.tiers.iter().map(|tier| &tier.summary));
        let (quiet, program) = (session.is_quiet(), session.program_on_terminal());
        session.answer(
            || self.json(name, words, &summary),
            || match quiet {
                true => self.line(name, words, &summary),
                false => self.text(name, words, &summary) + &self.next(program),
            },
        )
    }

    fn json(&self, name: &str, words: &Wording, summary: &Summary) -> serde_json::Value {
        let mut object = json!({
            "game": name,
            "states": summary.states(),
            "wins": words.wins(summary),
            "draws": summary.draws(),
            "endless": summary.endless(),
            "longest_plies": summary.longest(),
            "start": self.start.as_ref().map(|start| start.json(words)),
            "seconds": self.seconds,
            "bytes": self.table.map(|(_, bytes)| bytes),
        });
        if self.in_tiers {
            object["tiers"] = words.tiers_json(&self.tiers);
        }
        if let Some((_, bytes)) = self.outcomes {
            object["outcome_bytes"] = bytes.into();
        }
        object
    }

    /// The value of the start position in words, if it is solved.
    fn start(&self, words: &Wording) -> Option<String> {
        let Position { state, verdict, .. } = self.start.as_ref()?;
        Some(format!("from {state}: {}", words.verdict(*verdict)))
    }

    /// What was solved, in how many seconds.
    fn title(&self, name: &str, summary: &Summary) -> String {
        let states = output::number_of(summary.states(), "state");
        let tiers = match self.in_tiers {
            true => format!(" in {}", output::number_of(self.tiers.len() as u64, "tier")),
            false => String::new(),
        };
        format!("{name}: {states}{tiers} solved in {:.3} s", self.seconds)
    }

    /// The result in one line.
    fn line(&self, name: &str, words: &Wording, summary: &Summary) -> String {
        let start = self.start(words).map_or(String::new(), |start| format!("; {start}"));
        self.title(name, summary) + &start
    }

    fn text(&self, name: &str, words: &Wording, summary: &Summary) -> String {
        let mut text = self.title(name, summary) + "\n";
        if self.in_tiers {
            let found = self.tiers.iter().filter(|tier| tier.found).count();
            if found > 0 {
                let were = if found == 1 { "was" } else { "were" };
                text += &format!("{found} of the tiers {were} solved before\n");
            }
            text += &output::tiers(&self.tiers);
        }
        text += &figures(words, summary);
        if let Some(start) = self.start(words) {
            text += &format!("{}\n", style(start).bold());
        }
        // Some tiers of a folder, or all, may have been there before.
        let found = self.tiers.iter().filter(|tier| tier.found).count();
        if let Some((path, bytes)) = self.table {
            let (path, bytes) = (path.display(), HumanCount(bytes));
            text += &match found {
                0 => format!("wrote {path}: {bytes} bytes\n"),
                _ if found == self.tiers.len() => {
                    format!("nothing was left to write: {path} has {bytes} bytes\n")
                }
                _ => {
                    let written = self.tiers.len() - found;
                    format!("wrote {written} of the tiers: {path} has {bytes} bytes\n")
                }
            };
        }
        if let Some((path, bytes)) = self.outcomes {
            let (path, bytes) = (path.display(), HumanCount(bytes));
            text += &match self.in_tiers {
                // Outcomes of some tiers may have been there before.
                true => format!("the outcomes are in {path}: {bytes} bytes\n"),
                false => format!("wrote {path}: {bytes} bytes\n"),
            };
        }
        text
    }

    /// What a person on a terminal can do with the table that was written.
    fn next(&self, program: Option<&str>) -> String {
        match (program, self.table) {
            (Some(program), Some((path, _))) => {
                let path = path.display().to_string();
                let is_plain = |letter: char| letter.is_alphanumeric() || "-_./+".contains(letter);
                let quoted = if path.chars().all(is_plain) { path } else { format!("'{path}'") };
                let serve = match cfg!(feature = "serve") {
                    true => format!(", or see it with {program} serve {quoted}"),
                    false => String::new(),
                };
                format!("play it with {program} play {quoted}{serve}\n")
            }
            _ => String::new(),
        }
    }
}

/// The counts, each outcome with its share of all states, and how the distances are spread.
fn figures(words: &Wording, summary: &Summary) -> String {
    let characters = Characters::of_locale();
    let rows = words.counts(summary);
    let share = |count: u64| characters.share(count, summary.states());
    let mut beside: Vec<String> = words.outcomes(summary).map(share).into();
    beside.resize(rows.len() - 1, String::new());
    // Under the bars.
    beside.push(format!("{:7}{}", "", characters.curve(&summary.distances)));
    output::figures_beside(&rows, &beside)
}
