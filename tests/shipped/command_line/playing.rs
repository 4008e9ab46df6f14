//! `play`: a game against perfect play, in which a pipe provides the typed lines.

#[cfg(unix)]
use std::io::Write;
#[cfg(unix)]
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use crate::program::Folder;

/// The README's graph.
const PARK: &str = "[[6],[4],[9],[5],[1,5],[3,4,6],[0,5,10],[8,9,10],[7],[2,7],[6,7]]";

fn with_park() -> Folder {
    let folder = Folder::new();
    folder.run(&["solve", "cat-mouse", "--graph", PARK, "-o", "park.rtb"]).answer();
    folder
}

/// The output of `play` for these typed lines.
#[track_caller]
fn played(folder: &Folder, arguments: &[&str], lines: &[&str]) -> String {
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let run = folder.run_with_input(&[&["play"], arguments].concat(), input.as_bytes());
    assert_eq!(run.stderr, "");
    run.answer()
}

#[test]
fn a_game_that_stops_early_says_so() {
    if kit::PLAIN {
        return;
    }
    let folder = Folder::new();
    folder.run(&["solve", "dobutsu", "--no-elephants", "-o", "dobutsu.rtb"]).answer();
    // Any move leaves the lion to be caught.
    let caught = [".../.../..l/L..,ccgg,sente", "--as", "gote"];
    let text = played(&folder, &[&["dobutsu.rtb"], &caught[..]].concat(), &[]);
    let over = "over: gote has won after 1 ply, 1 ply early: the end is certain \
                (best play: gote wins in 2 plies)";
    assert!(text.contains(over), "{text}");
}

/// The first move that the last hint names, or `None` if it names none.
fn hinted(text: &str) -> Option<String> {
    let hint = text.lines().rev().find_map(|line| line.split_once("> hint").map(|_| line))?;
    let (_, behind) = text.rsplit_once(hint)?;
    let names = behind.trim_start().strip_prefix("best: ")?;
    names.split([',', '(']).next().map(|name| name.trim().to_owned())
}

/// Plays a whole game by the hints. Returns the output.
fn played_by_hints(folder: &Folder, arguments: &[&str]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for _ in 0..200 {
        let typed: Vec<&str> = lines.iter().map(String::as_str).chain(["hint"]).collect();
        let text = played(folder, arguments, &typed);
        match hinted(&text) {
            Some(name) => lines.push(name),
            None => return text,
        }
    }
    panic!("the game does not end: {lines:?}");
}

#[test]
fn a_game_that_is_played_by_hints_ends_as_the_table_says() {
    let folder = with_park();
    folder.run(&["solve", "mnk", "-o", "board.rtb"]).answer();
    folder.run(&["solve", "hexapawn", "-o", "pawns.rtb"]).answer();
    folder.run(&["solve", "chess", "KQvK", "-o", "queen"]).answer();
    for (table, sides, draw_after) in [
        ("park.rtb", ["mouse", "cat", "both"], 0),
        ("board.rtb", ["x", "O", "both"], 9),
        ("pawns.rtb", ["white", "second", "both"], 0),
        ("queen", ["first", "black", "both"], 0),
    ] {
        let start = folder.run(&["probe", table, "--json"]).json();
        let end = match start["plies"].as_u64() {
            None => format!("over: a draw after {draw_after} plies"),
            Some(plies) => {
                let winner = start["outcome"].as_str().expect("a winner");
                format!("over: {winner} has won after {plies} plies")
            }
        };
        for side in sides {
            let text = played_by_hints(&folder, &[table, "--as", side]);
            assert!(text.contains(&end), "no {end} as {side} in {text}");
            assert!(!text.contains("a mistake"), "{text}");
        }
    }
}

#[test]
fn a_move_is_typed_as_it_is_written_or_by_its_beginning_or_its_number() {
    let folder = with_park();
    let position = "7,2,mouse";
    let expected = played(&folder, &["park.rtb", position], &["mouse 7-10"]);
    assert!(expected.contains("> mouse 7-10\nperfect play: cat 2-9\n"), "{expected}");
    for typed in ["7-10", "3", "7-1", "  MOUSE 7-10"] {
        let text = played(&folder, &["park.rtb", position], &[typed]);
        let typed = format!("> {typed}\n");
        assert_eq!(text.replace(&typed, "> mouse 7-10\n"), expected);
    }
}

#[test]
fn what_is_no_move_is_answered_with_the_moves_that_are_similar() {
    let folder = with_park();
    let position = "7,2,mouse";
    for (typed, says) in [
        ("mouse 7-1O", "no such move: \"mouse 7-1O\"; did you mean `mouse 7-10`?"),
        ("7", "\"7\" can be 7-8 (1), 7-9 (2), 7-10 (3)"),
        ("12", "no move has the number 12"),
        ("hnit", "did you mean `hint`?"),
        ("e2e4", "`help` lists what you can type"),
        ("help", "take back your last move"),
        ("back", "there is no move of yours to take back"),
        ("value", "mouse wins in 5 plies"),
        ("moves", "7-8   cat wins in 3 plies"),
        (
            "line",
            "best play: mouse 7-10, cat 2-9, mouse 10-6, cat 9-2, mouse 6-0, then mouse has won",
        ),
        ("hint", "best: 7-10 (then mouse wins in 4 plies)"),
    ] {
        let text = played(&folder, &["park.rtb", position], &[typed, "", "quit", "7-10"]);
        let text_on_one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let says_on_one_line = says.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text_on_one_line.contains(&says_on_one_line), "no {says:?} in {text}");
        // No move was made, and nothing is read after the end.
        assert!(!text.contains("perfect play: "), "{text}");
    }
}

#[test]
fn a_mistake_is_named() {
    let folder = with_park();
    for (position, typed, says) in [
        ("7,2,mouse", "7-8", Some("a mistake: that turned a win into a loss; best was 7-10\n")),
        ("7,2,mouse", "7-10", None),
        ("10,9,mouse", "10-7", Some("a mistake: that ")),
    ] {
        let text = played(&folder, &["park.rtb", position], &[typed]);
        match says {
            Some(says) => assert!(text.contains(says), "no {says:?} in {text}"),
            None => assert!(!text.contains("a mistake"), "{text}"),
        }
    }
    folder.run(&["solve", "chess", "KRvK", "-o", "rook"]).answer();
    let answer = folder.run(&["moves", "rook", "--json"]).json();
    let moves = answer["moves"].as_array().expect("a list");
    let plies = |to: &Json| to["plies"].as_u64().expect("a distance");
    let slowest = moves.iter().rfind(|to| to["outcome"] == "white").expect("a win");
    let later = plies(slowest) - plies(&moves[0]);
    assert!(later > 1, "{answer}");
    let slow = format!("a mistake: that wins {later} plies later than ");
    let drawn = moves.iter().find(|to| to["outcome"] == "draw").expect("a draw");
    for (to, says) in [(slowest, &slow[..]), (drawn, "a mistake: that turned a win into a draw; ")]
    {
        let text = played(&folder, &["rook"], &[to["move"].as_str().expect("a move")]);
        assert!(text.contains(says), "no {says} in {text}");
    }
}

#[test]
fn taking_back_takes_back_the_answer_too() {
    let folder = with_park();
    let once = played(&folder, &["park.rtb"], &["1-4"]);
    let text = played(&folder, &["park.rtb"], &["1-4", "back", "1-4"]);
    let answer = "perfect play: cat 2-9\n";
    assert_eq!((once.matches(answer).count(), text.matches(answer).count()), (1, 2));
    assert!(text.contains("> back\nmouse on 1, cat on 2, hole 0; mouse to move\n"), "{text}");
    // The first move of the other side is not the person's.
    let text = played(&folder, &["park.rtb", "--as", "cat"], &["back"]);
    assert!(
        text.contains("perfect play: mouse 1-4\n") && text.contains("no move of yours"),
        "{text}"
    );
    // A move that ended the game can be taken back.
    let text = played(&folder, &["park.rtb", "6,9,mouse"], &["6-0", "6-5", "undo", "6-10"]);
    assert!(text.contains("over: mouse has won after 1 ply ("), "{text}");
    assert!(
        text.contains("no such move: \"6-5\"") && text.contains("perfect play: cat 9-"),
        "{text}"
    );
}

#[test]
fn sides_can_be_changed() {
    let folder = with_park();
    let text = played(&folder, &["park.rtb"], &["switch", "flip side"]);
    assert!(
        text.contains("you play cat against perfect play\nperfect play: mouse 1-4\n"),
        "{text}"
    );
    assert!(text.contains("you play mouse against perfect play\nperfect play: cat "), "{text}");
    let text = played(&folder, &["park.rtb", "--as", "both"], &["1-4", "2-9", "switch"]);
    assert!(text.contains("you play both sides already"), "{text}");
    assert!(!text.contains("perfect play:") && text.contains("\nmouse> 1-4\n"), "{text}");
}

#[test]
fn the_end_of_the_input_ends_the_game_without_an_error() {
    let folder = with_park();
    let text = played(&folder, &["park.rtb"], &[]);
    assert!(text.ends_with("\nmouse> \n"), "{text:?}");
    // The last line has no end, and some bytes are no text.
    let run = folder.run_with_input(&["play", "park.rtb"], b"1-4\nh\xFFnt\nvalue");
    let text = run.answer();
    assert!(text.contains("mouse wins in 5 plies") && !text.contains('\u{1b}'), "{text:?}");
}

#[test]
fn endless_play_is_named_where_a_position_repeats() {
    let folder = Folder::new();
    let ring = "[[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]";
    folder.run(&["solve", "cat-mouse", "--graph", ring, "-o", "ring.rtb"]).answer();
    let text = played_by_line(&folder, "ring.rtb");
    assert!(text.contains("repeats; endless play is a draw"), "{text}");
    let text = played(&folder, &["ring.rtb"], &["line"]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("then the position after ply 1 repeats; endless play is a draw"),
        "{text}"
    );
}

/// The played plies count towards the limit, but not those that were taken back.
#[test]
fn a_ply_limit_ends_the_game_for_the_cat() {
    let folder = Folder::new();
    let table = |limit: u32| {
        let (limit, output) = (format!("--ply-limit={limit}"), format!("limit-{limit}.rtb"));
        let grid = ["--grid", r#"["M.C...F"]"#, "--mouse-jump=4", &limit, "-o", &output];
        folder.run(&[&["solve", "cat-mouse-grid"], &grid[..]].concat()).answer();
        output
    };
    let ends = |table: &str, lines: &[&str]| -> Vec<String> {
        let text = played(&folder, &[table, "--as", "mouse"], lines);
        text.lines().filter(|line| line.starts_with("over: ")).map(str::to_owned).collect()
    };
    let (late, just) = (table(2), table(3));
    let lost = "over: the ply limit is reached, cat has won after";
    let after_two = format!("{lost} 2 plies (best play: cat wins by the ply limit)");
    assert_eq!(ends(&late, &["mouse r0c0-r0c4", "back", "mouse stays"]), [&*after_two; 2]);
    let won = "over: mouse has won after 3 plies (best play: mouse wins in 3 plies)";
    assert_eq!(ends(&just, &["mouse r0c0-r0c4", "mouse r0c4-r0c6"]), [won]);
    let after_three = format!("{lost} 3 plies (best play: mouse wins in 3 plies)");
    assert_eq!(ends(&just, &["mouse stays", "mouse stays"]), [after_three]);
}

/// Makes the moves of `line` for both sides, and returns the output.
fn played_by_line(folder: &Folder, table: &str) -> String {
    let line = folder.run(&["line", table, "--json"]).json();
    let moves = line["line"].as_array().expect("a list").iter();
    let moves: Vec<&str> = moves.map(|to| to["move"].as_str().expect("a move")).collect();
    played(folder, &[table, "--as", "both"], &moves)
}

#[test]
fn a_table_of_outcomes_alone_is_played_without_plies() {
    let folder = Folder::new();
    let solve = ["solve", "cat-mouse", "--graph", PARK, "-o", "park.rtb", "--outcomes-only"];
    folder.run(&solve).answer();
    let text = played(&folder, &["park.rtb", "7,2,mouse"], &["hint", "value", "line", "7-8"]);
    for part in [
        "The table has outcomes only: ",
        "best: 7-10 (then mouse wins)",
        "> value\nmouse wins\n",
        "needs distances",
        "that turned a win into a loss",
    ] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
}

#[test]
fn a_seed_chooses_among_equally_good_moves() {
    let folder = Folder::new();
    folder.run(&["solve", "mnk", "-o", "board.rtb"]).answer();
    let first = |seed: &str| {
        let text = played(&folder, &["board.rtb", "--as", "o", "--seed", seed], &[]);
        let (_, behind) = text.split_once("perfect play: ").expect("a move");
        behind.lines().next().unwrap().to_owned()
    };
    let moves: Vec<String> = (1..9).map(|seed| first(&seed.to_string())).collect();
    assert!(moves.iter().any(|name| *name != moves[0]), "{moves:?}");
    assert_eq!(first("1"), moves[0]);
}

#[test]
fn what_makes_no_sense_is_refused_before_the_game() {
    let folder = with_park();
    for (arguments, says) in [
        (&["--as", "mose"][..], &["--as", "did you mean `mouse`?", "cat, first, second, both"][..]),
        (&["1,2"], &["1,2,mouse"]),
        (&["--seed", "x"], &["--seed"]),
    ] {
        folder.run(&[&["play", "park.rtb"], arguments].concat()).assert_refused(2, says);
    }
    folder.run(&["play", "park.rtb", "--json"]).assert_refused_in_json(2, &["no JSON"]);
    folder.run(&["play", "prak.rtb"]).assert_refused(1, &["did you mean `park.rtb`?"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_game_without_an_error() {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};

    let folder = with_park();
    let mut command = folder.command(&["play", "park.rtb"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut greeting = String::new();
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    out.read_line(&mut greeting).expect("a greeting");
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("a kill command").success());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
#[cfg(unix)]
fn a_game_ends_where_nobody_reads_what_is_printed() {
    let folder = with_park();
    let (reader, writer) = std::io::pipe().expect("a pipe");
    let (shown, hidden) = std::io::pipe().expect("a pipe");
    let mut command = folder.command(&["play", "park.rtb"]);
    let mut child = command.stdin(reader).stdout(hidden).spawn().expect("the program starts");
    drop((command, shown));
    let end = Instant::now() + Duration::from_secs(20);
    // Like `yes`, but with a time limit: the typed lines never end.
    let mut typed = writer;
    while Instant::now() < end && typed.write_all(&b"hint\n".repeat(1_000)).is_ok() {}
    let ended = child.try_wait().expect("the program's state");
    if ended.is_none() {
        child.kill().expect("the program ends");
    }
    let code = child.wait().expect("the program ends").code();
    assert_eq!(code, Some(0), "{ended:?}");
}
