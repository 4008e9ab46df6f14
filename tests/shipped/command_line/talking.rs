//! The output besides the answers, and where it goes: notes, help, completions, broken pipes.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::program::{Folder, Run, SMALL_GRAPH, module, retrograde};
use crate::stopped::ctrl_c::{PATIENCE, end_of, send};

const GAMES: [&str; 16] = [
    "awari",
    "bobail",
    "cat-mouse",
    "cat-mouse-grid",
    "chess",
    "connect-four",
    "cops",
    "dobutsu",
    "dots-and-boxes",
    "gobblet",
    "hexapawn",
    "kalah",
    "mnk",
    "morris",
    "othello",
    "quixo",
];
const COMMANDS: &[&str] = &[
    "games",
    "rules",
    "solve",
    "explore",
    "probe",
    "moves",
    "line",
    "play",
    "draw",
    "stats",
    "verify",
    "laws",
    #[cfg(feature = "serve")]
    "serve",
    #[cfg(feature = "serve")]
    "publish",
    "completions",
];

/// A folder with the table of the small graph, and the module of its game.
fn with_table_and_module() -> Folder {
    let folder = Folder::with_small_table();
    folder.write("mice.wasm", module(env!("CARGO_PKG_VERSION"), "cat-mouse"));
    folder
}

/// Writes a site of the table.
#[cfg(feature = "serve")]
const PUBLISH: &[&str] = &["publish", "table.rtb", "-o", "site", "--module", "mice.wasm"];

/// Runs a command to its end. A server is stopped, as Ctrl-C does, once it listens.
fn run_to_end(folder: &Folder, arguments: &[&str], stdout: Stdio, stderr: Stdio) -> Run {
    let mut command = folder.command(arguments);
    command.stdout(stdout).stderr(stderr);
    if arguments[0] != "serve" {
        return Run::of(command.output().expect("the program starts"));
    }
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let address = free.local_addr().expect("its address");
    drop(free);
    command.args(["--listen", &address.to_string()]);
    let child = command.spawn().expect("the program starts");
    let begin = Instant::now();
    while TcpStream::connect(address).is_err() {
        assert!(begin.elapsed() < PATIENCE, "the server does not listen");
        sleep(Duration::from_millis(5));
    }
    send("-INT", &child);
    end_of(child)
}

#[test]
fn notes_go_to_standard_error_and_quiet_leaves_them_out() {
    // The cat can't move from node 1, but never reaches it.
    let solve = ["solve", "cat-mouse", "--graph", SMALL_GRAPH];
    let loud = retrograde(&solve);
    assert!(loud.stderr.starts_with("note: ") && loud.stderr.contains("node 1"), "{loud:#?}");
    assert!(!loud.stdout.contains("note"), "{loud:#?}");
    assert!(retrograde(&[&solve[..], &["--json"]].concat()).json().is_object());
    for quiet in ["--quiet", "-q"] {
        let run = retrograde(&[&solve[..], &[quiet]].concat());
        assert_eq!(run.stderr, "");
        assert!(run.answer().contains("20 states"));
    }
}

#[test]
fn nothing_but_the_answer_is_printed_where_there_is_no_note() {
    let folder = Folder::with_small_table();
    for command in ["probe", "moves", "line", "stats", "verify"] {
        let run = folder.run(&[command, "table.rtb"]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{command}");
    }
}

#[test]
fn all_games_are_listed_with_their_options_and_examples() {
    let text = retrograde(&["games"]).answer();
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    // Lines are broken at blanks, and lines of commands with the shell's backslash.
    let text = unwrapped(&text.replace(" \\\n", "\n"));
    let list = retrograde(&["games", "--json"]).json();
    let list = list["games"].as_array().unwrap();
    assert_eq!(list.iter().map(|game| &game["game"]).collect::<Vec<_>>(), GAMES);
    for game in list {
        for key in ["game", "about", "example", "positions"] {
            let words = game[key].as_str().unwrap();
            assert!(text.contains(&unwrapped(words)), "no {words:?} in {text}");
        }
        for option in game["options"].as_array().unwrap() {
            // The option of a single command is in the help of that command.
            let is_listed = option["commands"].as_array().unwrap().len() > 1;
            assert!(!is_listed || text.contains(option["option"].as_str().unwrap()), "{option}");
            assert!(option["help"].is_string() && option["required"].is_boolean(), "{option}");
        }
    }
    let numberings: Vec<&Json> = list.iter().map(|game| &game["numbering"]).collect();
    assert_eq!(
        numberings,
        [
            "tiers",
            "dense",
            "dense",
            "dense",
            "tiers",
            "packed",
            "dense",
            "dense",
            "tiers",
            "packed",
            "packed",
            "packed-tiers",
            "packed",
            "tiers",
            "packed",
            "dense"
        ]
    );
}

/// A text on one line, with one blank between words.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_example_of_every_game_works_as_it_is_listed() {
    for game in retrograde(&["games", "--json"]).json()["games"].as_array().unwrap() {
        let example = game["example"].as_str().unwrap();
        // In the examples a shell would only split at spaces and remove single quotes.
        let words = example.split(' ').map(|word| word.trim_matches('\''));
        let name = game["game"].as_str().unwrap();
        // Seconds each in a build without optimization. Other tests solve smaller ones.
        if kit::PLAIN && ["chess", "dobutsu", "gobblet", "kalah"].contains(&name) {
            continue;
        }
        let solve: Vec<&str> = ["solve", name, "--quiet"].into_iter().chain(words).collect();
        assert!(retrograde(&solve).answer().contains(" solved in "), "{example}");
    }
}

#[test]
fn the_help_names_all_commands_and_games() {
    let help = retrograde(&["--help"]).answer();
    assert_eq!(retrograde(&["help"]).answer(), help);
    let (_, listed) = help.split_once("\nCommands:\n").expect("a list of commands");
    let listed = listed.lines().take_while(|line| !line.is_empty());
    let listed: Vec<&str> = listed.filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(listed, [COMMANDS, &["help"]].concat());
    for command in COMMANDS {
        assert!(retrograde(&[command, "--help"]).answer().contains("Usage: retrograde"));
    }
    for command in ["rules", "solve", "explore", "laws"] {
        let help = retrograde(&[command, "--help"]).answer();
        for game in retrograde(&["games", "--json"]).json()["games"].as_array().unwrap() {
            let (name, about) = (game["game"].as_str().unwrap(), game["about"].as_str().unwrap());
            assert!(help.contains(name) && help.contains(about), "{help}");
            let of_game = retrograde(&[command, name, "--help"]).answer();
            let example =
                format!("retrograde {command} {name} {}", game["example"].as_str().unwrap());
            assert!(of_game.starts_with(about) && of_game.contains(&example), "{of_game}");
        }
    }
    let version = retrograde(&["--version"]).answer();
    assert_eq!(version, format!("retrograde {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn without_a_command_or_a_game_the_help_is_an_error() {
    for arguments in [&[][..], &["solve"], &["laws"]] {
        let run = retrograde(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(run.stderr.contains("Usage: retrograde"), "{run:#?}");
    }
}

#[test]
fn the_completions_of_every_shell_know_the_games() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = retrograde(&["completions", shell]).answer();
        for word in GAMES.iter().chain(COMMANDS).chain(&["stuck", "output"]) {
            assert!(script.contains(word), "no {word:?} for {shell}");
        }
    }
}

/// Calls with different kinds of output, and their exit codes.
const CALLS: &[(&[&str], i32)] = &[
    (&["games"], 0),
    (&["games", "--json"], 0),
    (&["--help"], 0),
    (&["completions", "zsh"], 0),
    (&["solve", "cat-mouse", "--graph", SMALL_GRAPH], 0),
    (&["stats", "table.rtb"], 0),
    (&["line", "table.rtb", "--json"], 0),
    (&["probe", "missing.rtb"], 1),
    (&["solve", "cat-mouse", "--graph", "[]"], 2),
    (&["solve", "checkers"], 2),
    #[cfg(feature = "serve")]
    (PUBLISH, 0),
    #[cfg(feature = "serve")]
    (&["serve", "table.rtb"], 0),
    #[cfg(feature = "serve")]
    (&["serve", "table.rtb", "--json"], 0),
];

/// The writing end of a pipe that nobody reads.
fn closed_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    writer.into()
}

#[test]
fn a_reader_that_has_gone_away_is_no_error() {
    let folder = with_table_and_module();
    for (arguments, code) in CALLS {
        let run = run_to_end(&folder, arguments, closed_pipe(), Stdio::piped());
        assert_eq!(run.code, Some(*code), "{arguments:?}");
        assert!(!run.stderr.contains("panicked"), "{run:#?}");
        let run = run_to_end(&folder, arguments, Stdio::piped(), closed_pipe());
        assert_eq!(run.code, Some(*code), "{arguments:?}");
        assert_eq!(run.stdout.is_empty(), *code != 0, "{run:#?}");
    }
}

/// Programs make their own interfaces of the list: it has what the help shows of every option, as data.
#[test]
fn the_options_of_every_command_and_game_are_listed_as_data() {
    let list = retrograde(&["games", "--json"]).json();
    let commands = list["commands"].as_array().unwrap();
    let names: Vec<&Json> = commands.iter().map(|command| &command["command"]).collect();
    assert_eq!(names, COMMANDS);
    let option = |list: &Json, name: &str| {
        let options = list["options"].as_array().unwrap().clone();
        options
            .into_iter()
            .find(|option| option["name"] == name)
            .unwrap_or_else(|| panic!("no {name}"))
    };
    let solve = commands.iter().find(|command| command["command"] == "solve").unwrap();
    let threads = option(solve, "threads");
    assert_eq!((&threads["kind"], &threads["range"]), (&json!("integer"), &json!([1, 1024])));
    assert_eq!(option(solve, "max-states")["range"], json!([1, null]));
    let kinds =
        [("memory", "size"), ("checkpoint-every", "time"), ("force", "switch"), ("output", "path")];
    for (name, kind) in kinds {
        assert_eq!(option(solve, name)["kind"], kind, "{name}");
    }
    assert_eq!(option(solve, "outcomes-only")["value_optional"], true);
    let games = list["games"].as_array().unwrap();
    let awari = games.iter().find(|game| game["game"] == "awari").unwrap();
    let rule = option(awari, "grand-slam");
    let expected =
        json!(["choice", "RULE", "illegal", false, ["rules", "solve", "explore", "laws"]]);
    assert_eq!(
        json!([rule["kind"], rule["metavar"], rule["default"], rule["required"], rule["commands"]]),
        expected
    );
    assert!(rule["choices"].as_array().unwrap().contains(&json!("illegal")), "{rule}");
    assert_eq!(option(awari, "tier")["commands"], json!(["solve"]));
    // All of them are in the help, with their values and defaults.
    for game in games {
        let name = game["game"].as_str().unwrap();
        let help = unwrapped(&retrograde(&["solve", name, "-h"]).answer());
        let own = game["options"].as_array().unwrap().iter();
        for option in own.chain(solve["options"].as_array().unwrap()) {
            let named = option["name"].as_str().unwrap();
            let is_there = help.contains(&format!("--{named}")) || option["positional"] == true;
            assert!(is_there, "{name} has no {named}: {help}");
            for text in
                [&option["metavar"], &option["default"]].into_iter().filter_map(Json::as_str)
            {
                assert!(help.contains(text), "{named}: no {text} in {help}");
            }
        }
    }
}

#[test]
fn one_game_is_listed_by_its_name() {
    let one = retrograde(&["games", "mnk"]).answer();
    assert!(one.starts_with("mnk: ") && one.contains("--in-a-row"), "{one}");
    assert!(retrograde(&["games"]).answer().contains(&one));
    let listed = retrograde(&["games", "mnk", "--json"]).json();
    let games = listed["games"].as_array().expect("a list of games");
    assert_eq!((games.len(), &games[0]["game"]), (1, &"mnk".into()));
}

#[test]
fn the_mills_of_a_cross_are_said_where_the_board_is_chosen() {
    let help = retrograde(&["solve", "morris", "--help"]).answer();
    let words: Vec<&str> = help.split_whitespace().collect();
    let says =
        "any three points in a row on a line are a mill, also on the lines of five of the cross";
    assert!(words.join(" ").contains(says), "{help}");
}

#[test]
fn a_misspelt_game_is_answered_with_the_one_that_is_meant() {
    for command in ["solve", "explore", "laws", "games"] {
        let slips =
            [("ches", "chess"), ("cat-mose", "cat-mouse"), ("moris", "morris"), ("mkn", "mnk")];
        for (typed, meant) in slips {
            let says = format!("\"{typed}\"; did you mean `{meant}`?");
            retrograde(&[command, typed]).assert_refused(2, &[&says]);
        }
        let run = retrograde(&[command, "xyzzy"]);
        run.assert_refused(2, &["\"xyzzy\"; expected one of awari, bobail, cat-mouse, "]);
    }
}

#[cfg(not(feature = "cluster"))]
#[test]
fn a_build_without_several_processes_says_how_to_have_them() {
    for option in ["--processes", "--hosts"] {
        let run = retrograde(&["solve", "mnk", option, "2", "-o", "mnk.rtb"]);
        run.assert_refused(2, &[option, "--features cluster"]);
    }
}

#[test]
fn a_quiet_run_prints_one_line() {
    let folder = with_table_and_module();
    for arguments in [
        &["solve", "cat-mouse", "--graph", SMALL_GRAPH][..],
        &["solve", "chess", "KQvK"],
        &["explore", "mnk"],
        &["laws", "mnk"],
        &["probe", "table.rtb"],
        &["stats", "table.rtb"],
        &["verify", "table.rtb"],
        #[cfg(feature = "serve")]
        &["serve", "table.rtb"],
        #[cfg(feature = "serve")]
        PUBLISH,
    ] {
        let quiet = [arguments, &["-q"]].concat();
        let run = run_to_end(&folder, &quiet, Stdio::piped(), Stdio::piped());
        assert_eq!(run.stderr, "", "{arguments:?}");
        let answer = run.answer();
        assert_eq!(answer.lines().count(), 1, "{arguments:?} prints {answer}");
    }
    assert_eq!(folder.run(&["probe", "table.rtb", "-q"]).answer(), "mouse wins in 1 ply\n");
    let solved = folder.run(&["solve", "chess", "KQvK", "-q"]).answer();
    assert!(
        solved.ends_with(
            "; from 8/8/8/5k2/8/8/1Q6/K7 w - - 0 1: white wins in 19 plies (mate in 10)\n"
        )
    );
}

#[test]
#[cfg(target_os = "linux")]
fn what_cannot_be_printed_is_an_error() {
    let folder = with_table_and_module();
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["solve", "chess", "--help"],
        &["completions", "zsh"],
        &["games"],
        &["probe", "table.rtb"],
        #[cfg(feature = "serve")]
        PUBLISH,
        // Nobody would know the address, so the server ends.
        #[cfg(feature = "serve")]
        &["serve", "table.rtb", "--listen", "127.0.0.1:0"],
    ] {
        let full =
            std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let mut command = folder.command(arguments);
        command.stdout(full).stderr(Stdio::piped());
        end_of(command.spawn().expect("the program starts"))
            .assert_refused(1, &["can't write to standard output"]);
    }
}
