//! `stats`: counts the states of a table by outcome and distance.

use clap::{ArgMatches, Command, value_parser};
use indicatif::HumanCount;
use serde_json::{Value as Json, json};

use crate::error::QueryError;
use crate::game::summary::Summary;
use crate::game::value::Value;
use crate::numbering::NumberingKind;
use crate::program::cli::arguments::option;
use crate::program::cli::commands::plots;
use crate::program::cli::open_table::OpenTable;
use crate::program::cli::session::Session;
use crate::program::cli::wording::{Position, Wording};
use crate::program::cli::{CliError, Registered, output};
use crate::query::view::View;
use crate::solve::TierFigures;
use crate::table::Table;

/// Adds the options of `stats` to its table.
pub(super) fn arguments(command: Command) -> Command {
    let command = command.arg(
        option("examples", "N")
            .help("Show this many of the positions with the longest distance")
            .allow_negative_numbers(true)
            .value_parser(value_parser!(u16).range(1..)),
    );
    plots::arguments(command)
}

/// The number of examples to show.
pub(crate) fn examples(arguments: &ArgMatches) -> usize {
    arguments.get_one("examples").map_or(0, |&count: &u16| count.into())
}

/// Prints the counts of a table, the number of states of each distance, and `examples` of the
/// states with the longest distance, which `solved` finds. `one_tier` is the name of the tier if the
/// table is of a single one.
pub(in crate::program::cli) fn run<G: Registered>(
    game: &G,
    solved: Option<View<'_, G>>,
    one_tier: Option<String>,
    table: &OpenTable<'_>,
    examples: usize,
    session: &mut Session,
) -> Result<(), CliError> {
    let path = table.path;
    let failed = CliError::table(path);
    let stats = Stats::of(table, Wording::new(game), one_tier)?;
    let longest = stats.summary.longest();
    let farthest = |value: Value| match value {
        Value::Draw(_) | Value::Endless | Value::Points { points: 0, .. } => false,
        value => value.plies() == longest,
    };
    let mut found = Vec::new();
    if let Some(solved) = solved {
        for state in solved.states_with(0..u64::MAX, farthest).take(examples) {
            let state = state.map_err(|error| match error {
                QueryError::Table(error) => failed(error),
                error => CliError::from(error)
                    .reworded(|message| format!("{}: {message}", path.display())),
            })?;
            found.push(Position::new(game, &state.state, state.verdict, false));
        }
    }
    Stats { found, ..stats }.show(table, examples > 0, session)
}

/// Prints what the files of a table say whose game is not known here.
pub(super) fn run_without_rules(
    table: &OpenTable<'_>,
    session: &mut Session,
) -> Result<(), CliError> {
    let numbering = table.table.header().map(|header| header.numbering);
    let one_tier = numbering.and_then(NumberingKind::tier).map(|tier| format!("number {tier}"));
    let stats = Stats::of(table, Wording::without_rules(), one_tier)?;
    session.note(&format!(
        "the rules of {} are not in this program, so the players have no names here",
        table.table.game_name()
    ));
    stats.show(table, false, session)
}

/// The figures of a table.
struct Stats {
    words: Wording,
    summary: Summary,
    tiers: Vec<TierFigures>,
    /// The name of the tier if the table is of a single one.
    one_tier: Option<String>,
    numbering: NumberingKind,
    bytes: u64,
    /// Examples of the longest distance.
    found: Vec<Position>,
}

impl Stats {
    /// The figures of a table, without examples.
    fn of(
        OpenTable { path, table }: &OpenTable<'_>,
        words: Wording,
        one_tier: Option<String>,
    ) -> Result<Stats, CliError> {
        let failed = CliError::table(path);
        let mut tiers = table.tiers().map_err(&failed)?;
        if let (Some(name), [tier]) = (&one_tier, &mut tiers[..]) {
            tier.name.clone_from(name);
        }
        let summary = Summary::sum(tiers.iter().map(|tier| &tier.summary));
        let bytes: u64 = tiers.iter().filter_map(|tier| tier.bytes).sum();
        let numbering = table.numbering().map_err(&failed)?;
        Ok(Stats { words, summary, tiers, one_tier, numbering, bytes, found: Vec::new() })
    }

    fn show(
        &self,
        OpenTable { table, .. }: &OpenTable<'_>,
        examples: bool,
        session: &mut Session,
    ) -> Result<(), CliError> {
        let quiet = session.is_quiet();
        session.answer(|| self.json(table, examples), || self.text(table, quiet))
    }

    fn json(&self, table: &Table, examples: bool) -> Json {
        let Stats { words, summary, tiers, one_tier, numbering, bytes, found } = self;
        let mut object = json!({
            "game": table.game_name(),
            "parameters": table.parameters(),
            "numbering": numbering.name(),
        });
        words.add_figures(&mut object, summary);
        object["bytes"] = json!(bytes);
        if numbering.tier().is_some() {
            object["tiers"] = words.tiers_json(tiers);
            if let Some(name) = one_tier {
                object["tier"] = name.as_str().into();
            }
        }
        if table.has_outcomes_only() {
            object["outcomes_only"] = true.into();
        }
        if examples {
            object["examples"] = found.iter().map(|one| one.json(words)).collect();
        }
        object
    }

    fn text(&self, table: &Table, quiet: bool) -> String {
        let Stats { words, summary, tiers, one_tier, numbering, bytes, found } = self;
        let count = |count| HumanCount(count).to_string();
        let mut text = format!(
            "{}, {} numbering{}: {}, {} bytes\n",
            table.game_name(),
            numbering.name(),
            if table.has_outcomes_only() { ", outcomes only" } else { "" },
            output::number_of(summary.states(), "state"),
            HumanCount(*bytes),
        );
        if quiet {
            return text;
        }
        if numbering.tier().is_some() {
            text += &match one_tier {
                Some(name) => format!("one tier of the game: {name}\n"),
                None => {
                    let (solved, of) = (tiers.len(), table.tier_count() as u64);
                    let are = if of == 1 { "is" } else { "are" };
                    format!("{solved} of {} {are} solved\n", output::number_of(of, "tier"))
                }
            };
            text += &output::tiers(tiers);
        }
        text += &output::figures(&words.counts(summary));
        let apart = words.tell_players_apart();
        if apart || !summary.distances.is_empty() || !summary.points.is_empty() {
            text += "for the player to move\n";
        }
        if apart {
            text += &output::figures(&[
                ("won".into(), count(summary.won())),
                ("lost".into(), count(summary.lost())),
                ("drawn".into(), count(summary.draws())),
            ]);
        }
        if !summary.points.is_empty() {
            text += "  points          states\n";
        }
        for at in &summary.points {
            text += &format!("  {:>6} {:>15}\n", format!("{:+}", at.points), count(at.states));
        }
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
        for Position { state, verdict, .. } in found {
            text += &format!("  {state}: {}\n", words.verdict(*verdict));
        }
        text
    }
}
