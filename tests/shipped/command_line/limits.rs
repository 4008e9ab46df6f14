//! `--threads`, `--memory` and `--max-states`: which results they change, which they don't, and
//! which values they refuse.

use crate::program::{Folder, Run, SMALL_GRAPH, retrograde};
use crate::stopped::killed::GRID;

/// Solves the small graph with these additional options.
fn solve(folder: &Folder, options: &[&str]) -> Run {
    let solve = ["solve", "cat-mouse", "--quiet", "--graph", SMALL_GRAPH, "--stuck", "draw"];
    folder.run(&[&solve[..], options].concat())
}

#[test]
fn the_table_is_the_same_for_any_number_of_threads() {
    let folder = Folder::with_small_table();
    let expected = folder.read("table.rtb");
    for threads in ["1", "2", "3", "8", "1024"] {
        solve(&folder, &["--threads", threads, "-o", "other.rtb"]).answer();
        assert!(folder.read("other.rtb") == expected, "{threads} threads");
    }
}

#[test]
fn what_does_not_fit_is_refused_with_the_figure_that_would_do() {
    let folder = Folder::new();
    let refused = solve(&folder, &["--memory", "100", "-o", "table.rtb"]);
    refused.assert_refused(
        1,
        &["solving 24 states takes ", "of memory at least", "but the limit is 100 bytes"],
    );
    assert!(folder.contents().is_empty(), "{:?}", folder.contents().keys());

    let needed = needed(&refused);
    let too_little = (needed - 1).to_string();
    solve(&folder, &["--memory", &too_little]).assert_refused(1, &["solving 24 states"]);
    for enough in [&needed.to_string(), &format!("{needed}B"), "1 MB", "0.5GiB", "9999TB"] {
        assert!(solve(&folder, &["--memory", enough]).answer().contains("24 states"), "{enough}");
    }
}

/// The bytes that a refused run needs, read from its message.
fn needed(refused: &Run) -> u64 {
    let (_, figure) = refused.stderr.split_once("takes ").expect("a figure");
    let (figure, _) = figure.split_once(" bytes").expect("a number of bytes");
    let digits = figure.rsplit('(').next().unwrap_or(figure).replace(',', "");
    digits.parse().expect("a number")
}

#[cfg(target_os = "linux")]
#[test]
fn what_does_not_fit_goes_into_scratch_files() {
    let folder = Folder::new();
    let solve = |options: &[&str]| {
        let solve = ["solve", "cat-mouse-grid", "--grid", GRID, "--cat-jump", "2"];
        folder.run(&[&solve[..], options].concat())
    };
    solve(&["-o", "memory.rtb"]).answer();
    let refused = solve(&["--memory", "50kB"]);
    refused.assert_refused(1, &["raise it, or name a folder with --scratch: ", "are enough then"]);
    let (_, least) = refused.stderr.split_once("--scratch: ").expect("a figure");
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let least: u64 = digits(&least[least.find('(').expect("bytes")..]).parse().expect("a number");
    for threads in ["1", "2", "3"] {
        let (memory, file) = (least.to_string(), format!("{threads}.rtb"));
        let options = ["--memory", &memory, "--scratch", ".", "--threads", threads, "-o", &file];
        let run = solve(&options);
        assert!(run.stderr.contains("the rest is in scratch files of"), "{run:?}");
        assert!(folder.read(&file) == folder.read("memory.rtb"), "{threads} threads");
    }
    let less = (least - 1).to_string();
    solve(&["--memory", &less, "--scratch", "."]).assert_refused(1, &["at least"]);
    // Tiers, with values behind exits.
    let solve = ["solve", "chess", "KRvK", "-o"];
    folder.run(&[&solve[..], &["memory"]].concat()).answer();
    let in_files = ["files", "--memory", "50kB", "--scratch", "."];
    folder.run(&[&solve[..], &in_files].concat()).answer();
    assert!(folder.read("memory/KRvK.rtb") == folder.read("files/KRvK.rtb"));
}

#[test]
fn a_tier_that_does_not_fit_is_named_before_any_is_solved() {
    let folder = Folder::new();
    let solve = |memory: &str| {
        folder.run(&["solve", "chess", "KRvK", "--memory", memory, "-o", "rook", "--quiet"])
    };
    let refused = solve("10kB");
    refused.assert_refused(
        1,
        &["tier KRvK: solving 59136 states", "the limit is 10 kB (10,000 bytes)"],
    );
    assert_eq!(std::fs::read_dir(folder.path("rook")).expect("a folder").count(), 0);
    let needed = needed(&refused);
    assert!(needed < 90_000, "{needed}");
    solve(&(needed - 1).to_string()).assert_refused(1, &["tier KRvK"]);
    solve(&needed.to_string()).answer();
}

#[test]
fn what_other_tiers_take_in_memory_is_told() {
    let folder = Folder::new();
    let solve = |memory: &str, more: &[&str]| {
        let solve = ["solve", "connect-four", "-m", "4", "-n", "3", "--numbering", "tiers"];
        folder.run(&[&solve[..], &["--memory", memory], more].concat())
    };
    let refused = solve("1kB", &[]);
    let says = "of it for other tiers, which stay in memory";
    // A folder is no help where even one tier is too much.
    refused.assert_refused(1, &[says, "with --output FOLDER, which", "are enough"]);
    let needed = needed(&refused);
    let helps = "or use --output FOLDER, which keeps finished tiers in files";
    solve(&(needed - 1).to_string(), &[]).assert_refused(1, &[says, helps]);
    solve(&needed.to_string(), &[]).answer();
    solve(&(needed - 1).to_string(), &["--output", "tiers"]).answer();
    solve("1kB", &["--output", "none"]).assert_refused(1, &["tier "]);
}

#[test]
fn games_that_are_too_large_are_refused_before_anything_is_done() {
    let folder = Folder::new();
    let refuse = |arguments: &[&str], says: &[&str]| {
        let memory = ["--memory", "1GiB", "-o", "table.rtb"];
        folder.run(&[arguments, &memory].concat()).assert_refused(1, says);
    };
    refuse(
        &["solve", "quixo", "--size", "5"],
        &["solving 847288609443 states", "but the limit is"],
    );
    if cfg!(feature = "numberings") {
        let boards = ["solve", "mnk", "--numbering", "dense", "-m", "8", "-n", "8"];
        let says = ["solving more than 2^64 states takes more than 18.4 EB", "but the limit is"];
        refuse(&boards, &says);
        let few = [&boards[..], &["--max-states", "5"]].concat();
        refuse(&few, &["has more than 2^64 states, but the limit is 5"]);
    }
    assert!(folder.contents().is_empty());
}

#[test]
fn figures_that_make_no_sense_are_wrong_usage() {
    let folder = Folder::new();
    let rows = [
        ("--threads", ["0", "-1", "1025", "many", "", "1.5"]),
        ("--memory", ["-1", "much", "", "1 XB", "0", "0GB"]),
        ("--max-states", ["0", "-1", "many", "", "1.5", "99999999999999999999"]),
    ];
    for (option, values) in rows {
        for value in values {
            solve(&folder, &[option, value]).assert_refused(2, &[option]);
        }
        solve(&folder, &[option, "8", option, "8"]).assert_refused(2, &[option, "multiple"]);
    }
    for zero in ["0", "0 MB"] {
        let verify = folder.run(&["verify", "table.rtb", "--memory", zero]);
        verify.assert_refused(2, &["--memory", "0 bytes"]);
    }
    assert!(folder.contents().is_empty());
}

#[test]
fn amounts_are_refused_with_what_is_wrong_and_what_was_expected() {
    let folder = Folder::new();
    let size = "expected a size as in 512MiB, 4GB";
    for (text, problem) in [
        ("", "it is empty"),
        ("-5", "it is negative"),
        ("much", "it does not begin with a number"),
        ("1e3", "\"e3\" is not a unit of size"),
        ("1 XB", "\"XB\" is not a unit of size"),
    ] {
        solve(&folder, &["--memory", text]).assert_refused(2, &["--memory", problem, size]);
    }
    let time = "expected a time as in 90s, 10m or 1h30m";
    for (text, problem) in [
        ("", "it is empty"),
        ("-5s", "it is negative"),
        ("soon", "it does not begin with a number"),
        ("10", "it has no unit"),
        ("1e3", "it is not a time"),
    ] {
        let every = ["--checkpoint", "saved", "--checkpoint-every", text];
        solve(&folder, &every).assert_refused(2, &["--checkpoint-every", problem, time]);
    }
    assert!(folder.contents().is_empty());
}

#[test]
fn a_check_of_the_laws_ends_at_its_limits() {
    let folder = Folder::new();
    let laws = |options: &[&str]| folder.run(&[&["laws", "mnk"][..], options].concat());
    laws(&["--max-states", "5478"]).answer();
    laws(&["--max-states", "5477"]).assert_refused(1, &["the limit of 5477 states", "at ply "]);
    laws(&["--memory", "2KB"]).assert_refused(1, &["at ply ", "states were found"]);
    let dense = ["laws", "cat-mouse", "--graph", SMALL_GRAPH, "--max-states", "23"];
    folder.run(&dense).assert_refused(1, &["has 24 states, but the limit is 23"]);
    // A sample is as large as it says.
    folder.run(&[&dense[..], &["--sample", "5"]].concat()).answer();
    // If memory is short, the sample is drawn from the states found first.
    let short = ["--sample", "5", "--memory", "20kB"];
    let found = laws(&[&short[..], &["--json"]].concat()).json()["drawn_from"].as_u64();
    let found = found.expect("a number of states");
    assert!((5..5_478).contains(&found), "{found}");
    let says = format!("mnk keeps the laws: 5 states of the first {found} found, ");
    assert!(laws(&short).answer().starts_with(&says), "{says}");
    assert!(laws(&["--sample", "5", "--json"]).json().get("drawn_from").is_none());
}

#[test]
fn an_exploration_ends_at_its_limits_and_says_how_far_it_came() {
    let folder = Folder::new();
    for command in ["solve", "explore"] {
        let run = |options: &[&str]| folder.run(&[&[command, "mnk"][..], options].concat());
        run(&["--max-states", "5478"]).answer();
        run(&["--max-states", "5477"]).assert_refused(1, &["the limit of 5477 states", "at ply "]);
        run(&["--memory", "2KB"])
            .assert_refused(1, &["the memory limit of 2 kB (2,000 bytes)", "states were found"]);
    }
    let dense = ["solve", "cat-mouse", "--graph", SMALL_GRAPH, "--max-states", "23"];
    folder.run(&dense).assert_refused(1, &["has 24 states, but the limit is 23"]);
    assert!(folder.contents().is_empty());
}

#[cfg(feature = "numberings")]
#[test]
fn an_exploration_by_tiers_names_no_ply() {
    let folder = Folder::new();
    let solve = ["solve", "mnk", "--numbering", "packed-tiers"];
    for limit in [["--memory", "20kB"], ["--max-states", "1000"]] {
        let run = folder.run(&[&solve[..], &limit].concat());
        run.assert_refused(1, &["after the moves of "]);
        assert!(!run.stderr.contains("at ply"), "{run:?}");
    }
}

#[test]
fn a_board_that_fills_up_is_no_state_that_grows_without_end() {
    // The board that people try first, and boards of other kinds of states.
    let games = [
        &["connect-four", "-m", "7", "-n", "6"][..],
        &["hexapawn", "-m", "7", "-n", "4"],
        &["chess", "KQvKR", "--numbering", "packed"],
        #[cfg(feature = "numberings")]
        &["connect-four", "-m", "7", "-n", "6", "--numbering", "packed-tiers"],
        &["mnk", "-m", "6", "-n", "6", "-k", "5"],
        &["othello", "-m", "6", "-n", "4"],
        &["kalah", "--houses", "6", "--seeds", "4"],
        &["morris", "--board", "nine", "--numbering", "packed"],
        &["dobutsu", "--numbering", "packed"],
    ];
    for game in &games[..kit::by_effort([2, 5, games.len()])] {
        for limit in [["--max-states", "20000"], ["--memory", "5MB"]] {
            let run = retrograde(&[&["solve"], *game, &limit, &["--quiet"]].concat());
            run.assert_refused(1, &["limit"]);
            assert!(!run.stderr.contains("growth"), "{run:?}");
        }
    }
}

#[test]
fn the_memory_that_a_refusal_names_is_enough_for_a_game_with_points() {
    if kit::PLAIN {
        return;
    }
    let folder = Folder::new();
    let game = ["solve", "dots-and-boxes", "-m", "3", "-n", "2", "--quiet", "--memory"];
    for more in [&[][..], &["-o", "boxes"]] {
        let solve = |memory: &str| folder.run(&[&game[..], &[memory], more].concat());
        let refused = solve("10kB");
        refused.assert_refused(1, &["the limit is 10 kB"]);
        let needed = needed(&refused);
        solve(&(needed - 1).to_string()).assert_refused(1, &["limit"]);
        solve(&needed.to_string()).answer();
    }
}
