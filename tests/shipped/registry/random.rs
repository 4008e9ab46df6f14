//! The random game with the command line: whether it keeps the laws, and whether several processes
//! solve it like one process.

#[path = "../../../benches/random_command.rs"]
#[allow(dead_code, reason = "it is a program")]
mod random_command;

use std::path::Path;
use std::process::{Command, ExitCode, Output};

use random_command::{Options, Random, registry};
use retrograde::Game;
use retrograde::cli::Registered;
use retrograde::laws::Laws;

/// Asks for the program of the random game in place of the tests.
const AS_PROGRAM: &str = "RETROGRADE_TEST_AS_RANDOM";

/// The exit code of the program, if it is asked for.
pub(crate) fn program() -> Option<ExitCode> {
    std::env::var_os(AS_PROGRAM).map(|_| registry().main())
}

pub(crate) fn all() {
    the_game_keeps_the_laws();
    its_help_shows_examples_that_are_understood();
    numbers_of_states_that_make_no_game_are_refused();
    several_processes_write_the_table_of_one();
}

fn the_game_keeps_the_laws() {
    for states in [1002, 10_000] {
        let game = Random::from_options(Options { states }).expect("a game");
        Laws::new(&game).notation().check().expect("laws that are kept");
        assert!(game.roots().into_iter().all(|root| game.terminal(&root).is_none()));
    }
}

fn its_help_shows_examples_that_are_understood() {
    registry().check_examples().expect("examples that are understood");
}

fn numbers_of_states_that_make_no_game_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for (states, says) in [("1001", "even number"), ("10", "1000")] {
        let run = run(folder.path(), &["solve", "random", "--states", states]);
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.code() == Some(2) && said.contains(says), "{said}");
    }
}

fn several_processes_write_the_table_of_one() {
    let folder = tempfile::tempdir().expect("a folder");
    for numbering in ["dense", "packed", "hashed"] {
        let solve = |more: &[&str]| {
            let game = ["solve", "random", "--states", "200000", "--numbering", numbering];
            let run = run(folder.path(), &[&game, more].concat());
            let said = String::from_utf8_lossy(&run.stderr);
            assert!(run.status.success(), "{said}");
            // Only packed states are shared out.
            let told = said.contains("discovers all positions")
                && said.contains("--numbering packed shares them out");
            assert_eq!(told, numbering == "hashed" && more.len() > 2, "{said}");
        };
        solve(&["-o", "alone.rtb"]);
        for processes in ["2", "3"] {
            solve(&["-o", "together.rtb", "--processes", processes, "--threads", "1"]);
            let read = |name: &str| std::fs::read(folder.path().join(name)).expect("a table");
            assert!(
                read("together.rtb") == read("alone.rtb"),
                "{numbering}, {processes} processes"
            );
        }
    }
}

/// Runs the program of the random game in a folder.
fn run(folder: &Path, arguments: &[&str]) -> Output {
    let program = std::env::current_exe().expect("this program");
    let mut command = Command::new(program);
    command.current_dir(folder).env(AS_PROGRAM, "1").args(arguments);
    command.output().expect("the program runs")
}
