//! The files that `solve` replaces, and those that it refuses to write before it solves anything.

use std::fs;

use crate::program::{Folder, SMALL_GRAPH};

const SOLVE: [&str; 4] = ["solve", "cat-mouse", "--graph", "graph.json"];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("graph.json", SMALL_GRAPH);
    folder
}

/// The words of a run that solves the small graph.
fn solve<'a>(options: &[&'a str]) -> Vec<&'a str> {
    [&SOLVE[..], options].concat()
}

#[test]
fn what_is_no_table_is_replaced_only_by_force() {
    let folder = folder();
    folder.write("letter.txt", "dear reader");
    let before = folder.contents();
    let beside = "--outcomes-only=letter.txt";
    for (options, name) in [
        (&["-o", "graph.json"][..], "graph.json"),
        (&["-o", "letter.txt"], "letter.txt"),
        (&["-o", "./letter.txt", "--outcomes-only"], "./letter.txt"),
        (&["-o", "new.rtb", beside], "letter.txt"),
        (&[beside], "letter.txt"),
    ] {
        let says =
            [&format!("{name}: the file there is not a retrograde tablebase")[..], "--force"];
        folder.run(&solve(options)).assert_refused(1, &says);
        assert!(folder.contents() == before, "{options:?}");
    }
    folder.run(&solve(&["-o", "letter.txt", "--force"])).answer();
    folder.run(&["verify", "letter.txt"]).answer();
    folder.run(&solve(&["-o", "letter.txt"])).answer();
    folder.run(&solve(&["--force"])).assert_refused(2, &["--force"]);
    folder
        .run(&["solve", "chess", "KQvK", "-o", "queen", "--force"])
        .assert_refused(2, &["--force", "folder"]);
    assert!(!folder.path("queen").exists());
}

#[test]
fn a_table_is_not_written_where_the_text_is() {
    let folder = folder();
    let before = folder.contents();
    for options in [
        &["-o", "-"][..],
        &["--outcomes-only=-"],
        &["-o", "new.rtb", "--outcomes-only=-"],
        &["-o", "new.rtb", "--checkpoint", "-"],
    ] {
        folder.run(&solve(options)).assert_refused(2, &["standard output", "./-"]);
        assert!(folder.contents() == before, "{options:?}");
    }
    let chess = ["solve", "chess", "KQvK", "-o", "-"];
    folder.run(&chess).assert_refused(2, &["standard output"]);
    assert!(folder.contents() == before);
    folder.run(&solve(&["-o", "./-"])).answer();
    folder.run(&["verify", "-"]).answer();
    let twice = folder.run(&solve(&["-o", "new.rtb", "--outcomes-only=./new.rtb"]));
    twice.assert_refused(2, &["can't both be in ./new.rtb"]);
}

#[cfg(unix)]
#[test]
fn what_standard_output_leads_to_is_not_replaced() {
    use std::process::Stdio;

    let folder = folder();
    for path in ["/dev/stdout", "text.txt", "/dev/stderr"] {
        let file = fs::File::create(folder.path("text.txt")).unwrap();
        let mut command = folder.command(&solve(&["-o", path]));
        match path {
            "/dev/stderr" => command.stderr(file).stdout(Stdio::null()),
            _ => command.stdout(file).stderr(Stdio::null()),
        };
        let status = command.status().unwrap();
        assert_eq!(status.code(), Some(2), "{path}");
        // The file contains only printed text.
        let text = String::from_utf8(folder.read("text.txt")).unwrap();
        assert_eq!(text.contains("error: /dev/stderr: "), path == "/dev/stderr", "{text}");
    }
    // A pipe.
    folder.run(&solve(&["-o", "/dev/stdout"])).assert_refused(2, &["/dev/stdout: standard output"]);
    assert_eq!(folder.contents().len(), 2);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    use std::os::unix::fs::symlink;

    let folder = folder();
    symlink("nowhere.rtb", folder.path("link.rtb")).unwrap();
    let refused = folder.run(&solve(&["-o", "link.rtb", "--force"]));
    refused.assert_refused(1, &["link.rtb: a symbolic link to a file that does not exist"]);
    assert!(!folder.path("nowhere.rtb").exists());
    folder.run(&solve(&["-o", "nowhere.rtb"])).answer();
    let table = folder.read("nowhere.rtb");
    folder.run(&solve(&["-o", "link.rtb", "--outcomes-only"])).answer();
    assert!(folder.read("nowhere.rtb") != table);
    assert!(fs::symlink_metadata(folder.path("link.rtb")).unwrap().is_symlink());
}

#[test]
fn a_folder_for_outcomes_is_looked_at_before_solving() {
    let folder = folder();
    folder.run(&["solve", "chess", "KQvK", "-o", "queen"]).answer();
    fs::create_dir(folder.path("letters")).unwrap();
    fs::write(folder.path("letters/letter.txt"), "dear reader").unwrap();
    for (outcomes, says) in [
        ("letters", "letters: not a folder of tiers"),
        ("graph.json", "graph.json: "),
        ("queen", "queen: the table of another game"),
    ] {
        let beside = format!("--outcomes-only={outcomes}");
        let solve = ["solve", "chess", "KRvK", "-o", "rook", &beside];
        folder.run(&solve).assert_refused(1, &[says]);
        assert!(!folder.path("rook").exists(), "{outcomes}");
    }
    let solve = ["solve", "chess", "KRvK", "-o", "new", "--outcomes-only=./new"];
    folder.run(&solve).assert_refused(2, &["can't both be in ./new"]);
}
