//! The commands of the pages, and their output.

use std::path::Path;
use std::process::Command;

use crate::client::Server;
use crate::files::write_files;
use crate::program::Folder;
use crate::{cargo_settings, check_or_bless, printed, read, run};

#[test]
fn the_commands_of_the_readme_print_what_it_shows() {
    check_page("README.md", 4);
}

/// The files that the guide shows whole make a crate outside this workspace, in which its commands
/// run. The last of them is the server.
#[test]
fn the_files_of_the_guide_make_a_program_whose_commands_print_what_it_shows() {
    let folder = check_page("docs/GUIDE.md", 12);
    assert!(read("docs/GUIDE.md").contains("cargo run -- serve chomp.rtb"));
    // Compiling the module takes a minute.
    if kit::ALL_CASES {
        check_site(&folder);
    }
    let mut cargo = Command::new("cargo");
    cargo.args(["run", "--quiet", "--"]).envs(cargo_settings());
    let server = Server::started_by(cargo, folder, &["chomp.rtb"]);
    assert_eq!(server.get("/").status, 200);
    assert_eq!(
        server.ask("chomp", "probe", "420")["verdict"],
        "the player to move wins in 6 plies"
    );
}

/// The files that the guide shows last make a module for browsers, which `publish` finds.
fn check_site(folder: &Folder) {
    let place = folder.path("");
    write_files(&read("docs/GUIDE.md"), &place);
    let publish = "cargo run --quiet -- publish chomp.rtb -o site";
    let run = |command: &str| run(command, &place, 100);
    if !has_target() {
        eprintln!("left out: a module for browsers, which takes `rustup target add {TARGET}`");
        return;
    }
    let build = format!("cargo build --target {TARGET} --profile web -p chomp-web");
    assert!(read("docs/GUIDE.md").contains(&build));
    let built = run(&build);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let published = run(publish);
    assert!(published.status.success(), "{}", String::from_utf8_lossy(&published.stderr));
    for file in ["index.html", "site.json", "modules/chomp.wasm", "tables/chomp.rtb"] {
        assert!(place.join("site").join(file).exists(), "{file}");
    }
}

/// For what modules are compiled.
const TARGET: &str = "wasm32-unknown-unknown";

/// Whether modules can be compiled here.
fn has_target() -> bool {
    let rustc =
        Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    let folder = rustc.map(|printed| String::from_utf8_lossy(&printed.stdout).trim().to_owned());
    folder.is_ok_and(|folder| Path::new(&folder).is_dir())
}

#[test]
fn the_commands_of_the_tour_print_what_it_shows() {
    check_page("docs/CLI.md", 15);
}

/// Runs the commands of a page, at least `least`, in order and in one folder, with the files that the
/// page shows whole before them.
fn check_page(path: &str, least: usize) -> Folder {
    let folder = Folder::new();
    let place = folder.path("");
    let write = |part: &str| write_files(part, &place);
    let run = |command: &str, shown: &str| as_printed(command, shown, &place);
    check_or_bless(path, &with_outputs(&read(path), least, write, run));
    folder
}

/// The page with what the commands of its `console` blocks print now: `run` gets each command and what
/// the page shows for it. There are at least `least`. Before each block, `prepare` gets the part of the
/// page that leads to it.
pub(crate) fn with_outputs(
    page: &str,
    least: usize,
    mut prepare: impl FnMut(&str),
    mut run: impl FnMut(&str, &str) -> String,
) -> String {
    let (mut text, mut commands) = (String::new(), 0);
    let mut rest = page;
    while let Some((before, after)) = rest.split_once("```console\n") {
        let (block, after) = after.split_once("```").expect("the block ends");
        prepare(before);
        text += before;
        text += "```console\n";
        for session in sessions(block) {
            let (command, shown) = session.split_once('\n').unwrap_or((&session, ""));
            text += &format!("$ {command}\n{}", run(command, shown));
            commands += 1;
        }
        text += "```";
        rest = after;
    }
    assert!(commands >= least, "the page has {commands} commands");
    text + rest
}

/// The commands of a block without their prompts, each with the shown output.
fn sessions(block: &str) -> Vec<String> {
    let mut sessions: Vec<String> = Vec::new();
    for line in block.lines() {
        match line.strip_prefix("$ ") {
            Some(command) => sessions.push(format!("{command}\n")),
            None => {
                *sessions.last_mut().expect("a block begins with a command") += &format!("{line}\n")
            }
        }
    }
    sessions
}

/// What a command prints; what is shown, if only the time differs.
pub(crate) fn as_printed(command: &str, shown: &str, folder: &Path) -> String {
    let printed = printed(command, folder, 100);
    let same = without_seconds(&printed) == without_seconds(shown);
    if same { shown.to_owned() } else { without_trailing_blanks(&printed) }
}

fn without_trailing_blanks(text: &str) -> String {
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// The text without the durations, which change every time.
fn without_seconds(text: &str) -> String {
    let line = |line: &str| {
        let cut = [" solved in ", " explored in "].iter().find_map(|cut| line.split_once(cut));
        cut.map_or(line, |(before, _)| before).to_owned()
    };
    text.lines().map(|text| line(text.trim_end()) + "\n").collect()
}
