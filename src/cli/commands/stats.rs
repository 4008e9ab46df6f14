//! `stats`: a table in figures.

use std::ops::ControlFlow;
use std::path::Path;

use clap::{Arg, ArgMatches, Command, value_parser};
use indicatif::HumanCount;
use serde_json::json;

use crate::cli::entry::from_folder;
use crate::cli::output;
use crate::cli::session::Session;
use crate::cli::{CliError, Registered};
use crate::game::Game as _;
use crate::notation::Notation as _;
use crate::query::{Query, QueryError};
use crate::solve::tiers::TierFigures;
use crate::summary::Summary;
use crate::table::{Tablebase, TierFolder};
use crate::value::Value;

/// A table, or the tables of a game's tiers, in figures.
pub(crate) struct Stats {
    game: String,
    parameters: Option<serde_json::Value>,
    numbering: &'static str,
    outcomes_only: bool,
    summary: Summary,
    bytes: u64,
    /// The tiers that are solved, and how many there are.
    tiers: Option<(Vec<TierFigures>, usize)>,
}

impl Stats {
    pub(crate) fn of_file(table: &Tablebase) -> Stats {
        let header = table.header();
        Stats {
            game: header.game.clone(),
            parameters: serde_json::from_str(&header.parameters).ok(),
            numbering: header.numbering.family(),
            outcomes_only: header.outcomes_only,
            summary: header.summary.clone(),
            bytes: table.file_length(),
            tiers: None,
        }
    }

    pub(crate) fn of_tiers(
        folder: &TierFolder,
        numbering: &'static str,
        tiers: &[TierFigures],
    ) -> Stats {
        Stats {
            game: folder.game_name().to_owned(),
            parameters: Some(folder.parameters().clone()),
            numbering,
            outcomes_only: folder.has_outcomes_only(),
            summary: Summary::sum(tiers.iter().map(|tier| &tier.summary)),
            bytes: tiers.iter().filter_map(|tier| tier.bytes).sum(),
            tiers: Some((tiers.to_vec(), folder.tier_count())),
        }
    }
}

/// Adds the options of `stats` to its table.
pub(super) fn arguments(command: Command) -> Command {
    command.arg(
        Arg::new("examples")
            .long("examples")
            .value_name("N")
            .allow_negative_numbers(true)
            .help("Show so many of the positions that are farthest from a win or a loss")
            .value_parser(value_parser!(u16).range(1..)),
    )
}

/// How many examples are asked for.
pub(crate) fn examples(arguments: &ArgMatches) -> usize {
    arguments.get_one("examples").map_or(0, |&count: &u16| count.into())
}

/// Prints the counts of a table, how many states each distance has, and so many of the states with
/// the greatest, which `query` finds.
pub(crate) fn run<Q: Query<Game: Registered>>(
    query: &Q,
    path: &Path,
    stats: &Stats,
    examples: usize,
    session: &mut Session,
) -> Result<(), CliError> {
    let Stats { summary, bytes, tiers, .. } = stats;
    let game = query.game();
    let longest = summary.longest();
    let farthest = |value: Value| match value {
        Value::Win(plies) | Value::Loss(plies) => Some(plies) == longest,
        Value::Draw(_) | Value::Endless => false,
    };
    let mut found = Vec::new();
    if examples > 0 {
        let take = &mut |_, state, value| {
            found.push((query.rules().judge(value, game.turn(&state)), state));
            if found.len() < examples { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        query.each(&farthest, take).map_err(|error| match error {
            QueryError::Table(error) => CliError::file(path)(error),
            QueryError::Folder(error) => from_folder(error),
            error => CliError::failed(format!("{}: {error}", path.display())),
        })?;
    }
    session.answer(
        || {
            let to_move = json!({
                "won": summary.won(),
                "lost": summary.lost(),
                "drawn": summary.draws(),
            });
            let mut object = json!({
                "game": stats.game,
                "parameters": stats.parameters,
                "numbering": stats.numbering,
                "states": summary.states(),
                "wins": output::wins(game, summary),
                "draws": summary.draws(),
                "endless": summary.endless(),
                "beyond_ply_limit": summary.beyond_limit(),
                "longest": summary.longest(),
                "to_move": to_move,
                "distances": summary.distances,
                "bytes": bytes,
            });
            if let (Some((tiers, _)), Some(object)) = (tiers, object.as_object_mut()) {
                object.insert("tiers".into(), output::tiers_json(game, tiers));
            }
            if let (true, Some(object)) = (stats.outcomes_only, object.as_object_mut()) {
                object.insert("outcomes_only".into(), true.into());
            }
            if let (true, Some(object)) = (examples > 0, object.as_object_mut()) {
                let found =
                    found.iter().map(|(verdict, state)| output::position(game, state, *verdict));
                object.insert("examples".into(), found.collect());
            }
            object
        },
        || {
            let count = |count| HumanCount(count).to_string();
            let mut text = format!(
                "{}, {} numbering{}: {} states, {} bytes\n",
                stats.game,
                stats.numbering,
                if stats.outcomes_only { ", outcomes alone" } else { "" },
                HumanCount(summary.states()),
                HumanCount(*bytes),
            );
            if let Some((tiers, of)) = tiers {
                text += &format!("{} of {of} tiers are solved\n", tiers.len());
                text += &output::tiers(tiers);
            }
            text += &output::figures(&output::counts(game, summary));
            text += "for the player to move\n";
            text += &output::figures(&[
                ("won".into(), count(summary.won())),
                ("lost".into(), count(summary.lost())),
                ("drawn".into(), count(summary.draws())),
            ]);
            if !summary.distances.is_empty() {
                text += "  plies             won            lost\n";
            }
            for at in &summary.distances {
                let (won, lost) = (count(at.won), count(at.lost));
                text += &format!("  {:>5} {won:>15} {lost:>15}\n", at.plies);
            }
            if !found.is_empty() {
                text += "farthest from the end\n";
            }
            for (verdict, state) in &found {
                let words = output::verdict(game, *verdict);
                text += &format!("  {}: {words}\n", game.write_state(state));
            }
            text
        },
    )
}
