//! A registry of games: whether the examples that its help shows are understood, and how it prints a
//! game without one.
//!
//! Called by itself with [`AS_PROGRAM`] set, this is the program of such a registry; that is why it has a
//! `main` of its own.

use std::process::{Command, ExitCode};

use clap::Args;
use retrograde::cli::{CliError, Registered, Registry, check_example};
use retrograde::{
    Game, Notation, NotationError, Outcome, Player, Players, Solvable, Stored, scheme,
};
use serde::{Deserialize, Serialize};

/// Says that the program is wanted, and not the tests.
const AS_PROGRAM: &str = "RETROGRADE_TEST_AS_PROGRAM";

fn main() -> ExitCode {
    if std::env::var_os(AS_PROGRAM).is_some() {
        let games = Registry::new("games", "1").register::<Flawed<SOUND>>();
        return games.register::<Flawed<WITHOUT>>().main();
    }
    the_examples_of_the_shipped_games_are_understood();
    examples_that_are_not_understood_are_found();
    a_game_without_an_example_prints_no_blank_at_the_end_of_a_line();
    ExitCode::SUCCESS
}

fn the_examples_of_the_shipped_games_are_understood() {
    retrograde_games::registry().check_examples().expect("examples that are understood");
}

/// A game of one state that is written `end`. By its number it has a flaw in what its help shows.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Flawed<const FLAW: usize> {
    limit: u32,
}

/// Its example is understood.
const SOUND: usize = 0;
/// It has none, which is no flaw.
const WITHOUT: usize = 1;

#[derive(Clone, Copy, Debug, Args)]
struct FlawedOptions {
    /// A number
    #[arg(long, default_value_t = 1)]
    limit: u32,
}

impl<const FLAW: usize> Game for Flawed<FLAW> {
    type State = ();
    const PLAYERS: Players = Players::Solitary;

    fn turn(&self, (): &()) -> Player {
        Player::First
    }

    fn terminal(&self, (): &()) -> Option<Outcome> {
        Some(Outcome::Draw)
    }

    fn moves(&self, (): &(), _: impl FnMut(())) {}

    fn roots(&self) -> Vec<()> {
        vec![()]
    }
}

impl<const FLAW: usize> Notation for Flawed<FLAW> {
    fn player(&self, _: Player) -> &str {
        "nobody"
    }

    fn write_state(&self, (): &()) -> String {
        "end".into()
    }

    fn parse_state(&self, text: &str) -> Result<(), NotationError> {
        match text {
            "end" => Ok(()),
            other => Err(NotationError::new(format!("\"{other}\" is not end"))),
        }
    }
}

impl<const FLAW: usize> Solvable for Flawed<FLAW> {
    type Numberings = scheme::Explored;
}

impl<const FLAW: usize> Stored for Flawed<FLAW> {
    const NAME: &'static str = if FLAW == WITHOUT { "without" } else { "flawed" };
}

impl<const FLAW: usize> Registered for Flawed<FLAW> {
    const ABOUT: &'static str = "a game for tests";
    const EXAMPLE: &'static str = [
        "--limit '2'",
        "",
        "--limit two",
        "--bound 2",
        "--limit 0",
        "--limit '2",
        "--limit 2",
        "--limit 2",
    ][FLAW];
    const STATES: &'static str = match FLAW {
        6 => "the one word: start",
        7 => "the one word",
        _ => "the one word: end",
    };
    type Options = FlawedOptions;

    fn from_options(options: FlawedOptions) -> Result<Self, CliError> {
        match options.limit {
            0 => Err(CliError::usage("a limit of 0")),
            limit => Ok(Flawed { limit }),
        }
    }
}

fn check<const FLAW: usize>() -> Result<(), String> {
    check_example::<Flawed<FLAW>>().map_err(|error| error.to_string())
}

fn examples_that_are_not_understood_are_found() {
    assert_eq!(check::<SOUND>(), Ok(()));
    assert_eq!(check::<WITHOUT>(), Ok(()));
    let flaws = [
        (check::<2>(), "invalid value 'two' for '--limit"),
        (check::<3>(), "unexpected argument '--bound'"),
        (check::<4>(), "a limit of 0"),
        (check::<5>(), "flawed: a quote in `EXAMPLE` is not closed"),
        (check::<6>(), "flawed: \"start\" is not end"),
        (check::<7>(), "flawed has no example of a state"),
    ];
    for (checked, problem) in flaws {
        let error = checked.expect_err(problem);
        assert!(error.contains(problem), "{error}");
    }
}

/// What the program of two games prints.
fn printed(arguments: &[&str]) -> String {
    let mut command = Command::new(std::env::current_exe().expect("a path"));
    let output = command.args(arguments).env(AS_PROGRAM, "1").output().expect("it starts");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

fn a_game_without_an_example_prints_no_blank_at_the_end_of_a_line() {
    let calls: [(&[&str], &str); 7] = [
        (&["games"], "games solve"),
        (&["solve", "without", "--help"], "games solve"),
        (&["explore", "without", "--help"], "games explore"),
        (&["laws", "without", "--help"], "games laws"),
        (&["solve", "--help"], ""),
        (&["solve", "without"], ""),
        (&["laws", "without"], ""),
    ];
    for (arguments, example) in calls {
        let text = printed(arguments);
        for line in text.lines() {
            assert_eq!(line, line.trim_end(), "{arguments:?} prints {text}");
        }
        let shown = example.is_empty() || text.contains(&format!("Example:   {example} without\n"));
        assert!(shown, "{arguments:?} prints {text}");
    }
    let text = printed(&["games"]);
    assert!(text.contains("Example:   games solve flawed --limit '2'\n"), "{text}");
}
