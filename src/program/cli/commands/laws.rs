//! `laws`: checks that a game's rules and numbering are consistent.

use clap::{ArgMatches, Args, Command, FromArgMatches as _, value_parser};
use indicatif::HumanCount;
use serde_json::json;

use crate::error::LawError;
use crate::laws::{Laws, Report, Scope};
use crate::numbering::scheme::{Scheme, SchemeVisitor};
use crate::program::cli::commands::resources;
use crate::program::cli::numberings::in_scheme;
use crate::program::cli::session::Session;
use crate::program::cli::{CliError, Registered, output};

// The options of `laws` for a sample, as its help shows them.
#[derive(Args)]
#[group(skip)]
struct Sampling {
    /// Check this many random states instead of all. Where states have to be explored, they are
    /// drawn from the first ones found: a million, or ten times the sample if that is more
    #[arg(long, value_name = "STATES", value_parser = value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Seed of the random numbers of --sample [default: 1]
    #[arg(long, value_name = "NUMBER", requires = "sample")]
    seed: Option<u64>,
}

/// Adds the options of `laws` to the options of a game.
pub(crate) fn arguments(command: Command) -> Command {
    let memory = resources::memory_argument(
        "Memory limit for the states of a game that has to be explored, as in 500MB or 4GiB \
         [default: the free memory]",
    );
    Sampling::augment_args(command).args([memory, resources::states_argument()])
}

/// Checks the laws on all states of a game or on a sample.
pub(in crate::program::cli) fn run<G: Registered>(
    game: &G,
    numbering: &str,
    options: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    let Sampling { sample, seed } = Sampling::from_arg_matches(options).map_err(CliError::usage)?;
    let seed = seed.unwrap_or(1);
    let scope = sample.map_or(Scope::All, |states| Scope::Sample { states, seed });
    session.begin_work();
    let mut laws = Laws::new(game).scope(scope).notation();
    if let Some(states) = resources::max_states(options) {
        laws = laws.max_states(states);
    }
    if let Some(bytes) = resources::memory(options) {
        laws = laws.memory(bytes);
    }
    let laws = laws.on_progress(|progress| session.report(progress));
    let report = in_scheme(numbering, CheckAs(laws))??;
    show(game.name(), &report, session)
}

/// Prints that a game keeps the laws. Compiled once for all games.
fn show(name: &str, report: &Report, session: &mut Session) -> Result<(), CliError> {
    let &Report { states, moves, predecessors, drawn_from } = report;
    session.answer(
        || {
            let mut object = json!({
                "lawful": true,
                "states": states,
                "moves": moves,
                "predecessors": predecessors,
            });
            if let Some(found) = drawn_from {
                object["drawn_from"] = found.into();
            }
            object
        },
        || {
            let from = drawn_from.map(|found| format!(" of the first {} found", HumanCount(found)));
            format!(
                "{name} keeps the laws: {}{}, {} and {} were checked\n",
                output::number_of(states, "state"),
                from.unwrap_or_default(),
                output::number_of(moves, "move"),
                output::number_of(predecessors, "predecessor"),
            )
        },
    )
}

struct CheckAs<'g, 'p, G: Registered>(Laws<'g, 'p, G>);

impl<G: Registered> SchemeVisitor<G> for CheckAs<'_, '_, G> {
    type Output = Result<Report, LawError>;

    fn visit<S: Scheme<G>>(self) -> Self::Output {
        self.0.check_as::<S>()
    }
}
