//! The pages of the documentation are true: their commands print what the pages show, and generated
//! text is up to date.
//!
//! With `RETROGRADE_BLESS=1` these tests write the pages anew instead of failing:
//!
//! ```text
//! RETROGRADE_BLESS=1 cargo test -p retrograde-games --features cluster --test pages
//! ```

#[path = "../serve/client.rs"]
#[allow(dead_code, reason = "the tests of the server use the rest")]
mod client;
#[path = "../command_line/program.rs"]
#[allow(dead_code, reason = "the other tests of the program use the rest")]
mod program;

mod command_line;
mod console;
mod files;
mod http;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Asks for new pages.
const BLESS: &str = "RETROGRADE_BLESS";

/// The path of a file of the repository.
fn in_repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn read(path: &str) -> String {
    fs::read_to_string(in_repository(path)).unwrap_or_default()
}

/// Checks that a file has this text, or writes it if `BLESS` is set.
fn check_or_bless(path: &str, text: &str) {
    if std::env::var_os(BLESS).is_some() {
        fs::write(in_repository(path), text).expect("the repository can be written");
        return;
    }
    let found = read(path);
    let differs = found.lines().zip(text.lines()).position(|(found, expected)| found != expected);
    let line = differs.unwrap_or(found.lines().count().min(text.lines().count()));
    assert!(
        found == text,
        "{path}, line {}: found {:?}, expected {:?}; {BLESS}=1 writes the page anew",
        line + 1,
        found.lines().nth(line),
        text.lines().nth(line),
    );
}

/// The settings with which `cargo` builds a crate of a page: from what was downloaded for this
/// workspace, beside what was built for it, and without messages of its own.
fn cargo_settings() -> [(&'static str, PathBuf); 3] {
    let program = Path::new(env!("CARGO_BIN_EXE_retrograde"));
    let target = program.ancestors().nth(2).expect("the folder of all profiles");
    [
        ("CARGO_TARGET_DIR", target.to_owned()),
        ("CARGO_NET_OFFLINE", "true".into()),
        ("CARGO_TERM_QUIET", "true".into()),
    ]
}

/// Runs a command line in the shell, in which `retrograde` is the program. The terminal has
/// `columns` columns.
fn run(command: &str, folder: &Path, columns: usize) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_retrograde"));
    let mut path = program.parent().expect("a folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    Command::new("sh")
        .args(["-c", command])
        .env("PATH", path)
        .envs(cargo_settings())
        .env("COLUMNS", columns.to_string())
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .current_dir(folder)
        .output()
        .expect("a shell")
}

/// The output of a command line, with its errors if it fails.
fn printed(command: &str, folder: &Path, columns: usize) -> String {
    let Output { status, mut stdout, stderr } = run(command, folder, columns);
    if !status.success() {
        stdout.extend(stderr);
    }
    String::from_utf8(stdout).expect("text")
}
