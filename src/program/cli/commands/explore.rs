//! `explore`: counts the reachable states of a game without solving it.

use std::time::Instant;

use clap::ArgMatches;
use indicatif::HumanCount;
use serde_json::{Value as Json, json};

use crate::error::SolveError;
use crate::explore::{Ply, Statistics};
use crate::numbering::scheme::{Scheme, SchemeVisitor};
use crate::program::cli::commands::resources;
use crate::program::cli::numberings::in_scheme;
use crate::program::cli::session::Session;
use crate::program::cli::{CliError, Registered, output};
use crate::runtime::progress::Progress;
use crate::solve::Solver;

/// Counts the reachable states and prints how many there are at each ply.
pub(crate) fn run<G: Registered>(
    game: &G,
    numbering: Option<&str>,
    options: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    session.begin_work();
    let begin = Instant::now();
    let mut complete = Statistics::default();
    let solver = resources::solver(game, options).on_progress(|progress| {
        if let Progress::Hashed { states, terminal, moves, fewest, most, .. } = progress {
            complete.plies.push(Ply { states, terminal, moves, fewest, most });
        }
        session.report(progress)
    });
    let counted = match numbering {
        None => solver.survey(),
        Some(name) => in_scheme(name, SurveyAs(solver))?,
    };
    show(game.name(), counted, complete, begin.elapsed().as_secs_f64(), session)
}

/// Prints the figures, or those of the plies that were `complete` before an interruption. Compiled once
/// for all games.
fn show(
    name: &str,
    counted: Result<Statistics, SolveError>,
    complete: Statistics,
    seconds: f64,
    session: &mut Session,
) -> Result<(), CliError> {
    let (statistics, interrupted) = match counted {
        Ok(statistics) => (statistics, None),
        Err(SolveError::Interrupted) => {
            let plies = match complete.plies.len() {
                0 => return Err(CliError::interrupted("interrupted: nothing was counted")),
                1 => "ply 0".to_owned(),
                plies => format!("the plies 0 to {}", plies - 1),
            };
            let error =
                format!("interrupted: the figures are of {plies} only, and there may be more");
            (complete, Some(CliError::interrupted(error)))
        }
        Err(error) => return Err(error.into()),
    };
    let quiet = session.is_quiet();
    let is_whole = interrupted.is_none();
    session.answer(
        || object(name, &statistics, seconds, is_whole),
        || {
            let text = text(name, &statistics, seconds, is_whole);
            if quiet { text.lines().next().unwrap_or_default().to_owned() } else { text }
        },
    )?;
    interrupted.map_or(Ok(()), Err)
}

struct SurveyAs<'g, 'p, G: Registered>(Solver<'g, 'p, G>);

impl<G: Registered> SchemeVisitor<G> for SurveyAs<'_, '_, G> {
    type Output = Result<Statistics, SolveError>;

    fn visit<S: Scheme<G>>(self) -> Self::Output {
        self.0.survey_as::<S>()
    }
}

fn object(name: &str, statistics: &Statistics, seconds: f64, is_whole: bool) -> Json {
    let total = statistics.total();
    let widest = statistics.widest().map(|(ply, states)| json!({ "ply": ply, "states": states }));
    let mut object = add_figures(json!({ "game": name }), &total);
    object["longest_shortest_path"] = is_whole.then_some(statistics.plies.len() - 1).into();
    object["widest"] = widest.into();
    let figures = |ply| add_figures(json!({}), ply);
    object["plies"] = statistics.plies.iter().map(figures).collect();
    object["seconds"] = seconds.into();
    if !is_whole {
        object["interrupted"] = true.into();
    }
    object
}

/// Adds the figures of a ply to an object.
fn add_figures(mut object: Json, ply: &Ply) -> Json {
    object["states"] = ply.states.into();
    object["terminal"] = ply.terminal.into();
    object["moves"] = ply.moves.into();
    object["fewest_moves"] = ply.fewest.into();
    object["mean_moves"] = ply.mean_moves().into();
    object["most_moves"] = ply.most.into();
    object
}

fn text(name: &str, statistics: &Statistics, seconds: f64, is_whole: bool) -> String {
    let total = statistics.total();
    let count = |count| HumanCount(count).to_string();
    let states = output::number_of(total.states, "state");
    let farthest = statistics.plies.len() as u32 - 1;
    let mut text = format!("{name}: {states} explored in {seconds:.3} s");
    if !is_whole {
        text += &format!(", interrupted after ply {farthest}");
    }
    text.push('\n');
    let mut rows = vec![
        ("over".into(), count(total.terminal)),
        ("moves".into(), count(total.moves)),
        ("moves a state, fewest".into(), count(total.fewest)),
        ("moves a state, mean".into(), format!("{:.2}", total.mean_moves())),
        ("moves a state, most".into(), count(total.most)),
    ];
    if is_whole {
        rows.push(("farthest from the start".into(), output::plies(farthest)));
    }
    if let Some((ply, states)) = statistics.widest() {
        rows.push((format!("widest, at ply {ply}"), output::number_of(states, "state")));
    }
    text += &output::figures(&rows);
    text += "    ply          states            over  moves a state\n";
    for (at, ply) in statistics.plies.iter().enumerate() {
        let (states, over, mean) = (count(ply.states), count(ply.terminal), ply.mean_moves());
        text += &format!("  {at:>5} {states:>15} {over:>15} {mean:>14.2}\n");
    }
    text
}
