//! Calls of the program, in a folder of its own.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value as Json;
use tempfile::TempDir;

/// LeetCode's second example, which has a table of 460 bytes.
pub(crate) const SMALL_GRAPH: &str = "[[1,3],[0],[3],[0,2]]";

/// The result of one call.
#[derive(Debug)]
pub(crate) struct Run {
    /// `None` if a signal ended the program.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn of(output: Output) -> Run {
        let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
        Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// The output, after success.
    #[track_caller]
    pub(crate) fn answer(self) -> String {
        assert_eq!(self.code, Some(0), "{self:#?}");
        self.stdout
    }

    /// The single JSON object of the output, after success.
    #[track_caller]
    pub(crate) fn json(self) -> Json {
        let answer = self.answer();
        assert_eq!(answer.lines().count(), 1, "{answer}");
        serde_json::from_str(&answer).expect("the answer is JSON")
    }

    /// Checks that the call failed with this exit code, gave these reasons, and printed no answer.
    #[track_caller]
    pub(crate) fn assert_refused(&self, code: i32, says: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:#?}");
        assert_eq!(self.stdout, "", "{self:#?}");
        // Notes may come before the error.
        assert!(self.stderr.lines().any(|line| line.starts_with("error: ")), "{self:#?}");
        assert!(!self.stderr.contains("panicked"), "{self:#?}");
        for part in says {
            assert!(self.stderr.contains(part), "no {part:?} in {self:#?}");
        }
    }

    /// Checks that a call with `--json` failed with this exit code and reasons, and printed the error as
    /// JSON. Returns it.
    #[track_caller]
    pub(crate) fn assert_refused_in_json(&self, code: i32, says: &[&str]) -> Json {
        assert_eq!((self.code, &*self.stdout), (Some(code), ""), "{self:#?}");
        let last = self.stderr.lines().last().expect("an error");
        let mut object: Json = serde_json::from_str(last).expect("JSON");
        let error = object["error"].take();
        let message = error["message"].as_str().expect("a sentence");
        for part in says {
            assert!(message.contains(part), "no {part:?} in {self:#?}");
        }
        assert!(error["code"].is_string() && error["fields"].is_object(), "{self:#?}");
        error
    }
}

/// The program, ready to be called.
pub(crate) fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_retrograde"))
}

/// Calls the program with no files.
pub(crate) fn retrograde(arguments: &[&str]) -> Run {
    Folder::new().run(arguments)
}

/// The beginning of the module of a game, and its mark.
pub(crate) fn module(version: &str, game: &str) -> Vec<u8> {
    [b"\0asm\x01\0\0\0", format!("retrograde module for {version} of {game}\n").as_bytes()].concat()
}

/// A folder that the program is called in.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }

    /// A folder with `table.rtb`, the table of the small graph.
    pub(crate) fn with_small_table() -> Folder {
        let folder = Folder::new();
        let solve = ["solve", "cat-mouse", "--graph", SMALL_GRAPH, "--stuck", "draw"];
        folder.run(&[&solve[..], &["-o", "table.rtb"]].concat()).answer();
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("a file to write");
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("a file to read")
    }

    /// All entries of the folder: files with their content, and folders with `None`.
    pub(crate) fn contents(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        self.contents_of(".")
    }

    /// All entries of a folder in it, in the same form.
    pub(crate) fn contents_of(&self, name: &str) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let list = |folder: &Path| fs::read_dir(folder).expect("a folder to list");
        let paths = list(&self.path(name)).map(|entry| entry.expect("an entry").path());
        paths.map(|path| (path.clone(), fs::read(&path).ok())).collect()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program();
        command.args(arguments).current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        Run::of(self.command(arguments).output().expect("the program starts"))
    }

    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Run {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        // The input is short enough for a pipe that is not read. If not, an error does no harm.
        let _ = child.stdin.take().expect("a pipe").write_all(input);
        Run::of(child.wait_with_output().expect("the program ends"))
    }
}
