//! Runs of several processes that are killed or stopped, and resumed by the same command with
//! another number of processes. They write the file of one process that is never stopped.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::ended::{LONG, SOON, children, gone, signal};
use crate::hosts::{addresses, end, folder as hosts_folder, start as start_listed};
use crate::program::{Folder, Run};

/// The files to resume from that list parts or are whole, with their contents.
fn lists(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path()).filter(|path| {
        let name = path.file_name().expect("a name").to_string_lossy();
        name.ends_with(".checkpoint") && !name.contains("-part-")
    });
    // A file may be replaced meanwhile.
    paths.map(|path| (path.clone(), fs::read(path).unwrap_or_default())).collect()
}

/// A game that is solved into `out` with checkpoints at every level.
struct Solving {
    folder: Folder,
    game: &'static [&'static str],
}

impl Solving {
    fn of(game: &'static [&'static str]) -> Solving {
        Solving { folder: Folder::new(), game }
    }

    /// The arguments for this number of processes; 0 means a run without `--processes`.
    fn arguments(&self, processes: usize) -> Vec<String> {
        let saved = ["-o", "out", "--checkpoint", "saved", "--checkpoint-every", "0s"];
        let words = ["solve"].iter().chain(self.game).chain(&saved);
        let mut words: Vec<String> = words.map(|word| (*word).to_owned()).collect();
        words.extend(["--threads".to_owned(), "1".to_owned()]);
        if processes > 0 {
            words.extend(["--processes".to_owned(), processes.to_string()]);
        }
        words
    }

    /// Starts processes, and waits until they have saved something more. Returns the supervisor and
    /// the processes, or `None` if they ended before.
    fn start(&self, processes: usize) -> Option<(Child, Vec<u32>)> {
        let saved = self.folder.path("saved");
        let before = lists(&saved);
        let arguments = self.arguments(processes);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut command = self.folder.command(&arguments);
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a process");
        let begin = Instant::now();
        let mut members = Vec::new();
        while lists(&saved) == before || members.len() < processes {
            members = children(child.id());
            if child.try_wait().expect("a child").is_some() {
                return None;
            }
            assert!(begin.elapsed() < SOON, "no checkpoint appears");
            sleep(Duration::from_millis(2));
        }
        Some((child, members))
    }

    /// Waits for the end, which must come soon, with this error and the advice to resume.
    fn end(child: Child, members: &[u32], says: &[&str]) {
        let begin = Instant::now();
        let run = Run::of(child.wait_with_output().expect("an end"));
        run.assert_refused(1, &[says, &["progress is saved in saved"]].concat());
        run.assert_refused(1, &["run the same command again to resume"]);
        assert!(begin.elapsed() < SOON, "{:?}", begin.elapsed());
        gone(members);
    }

    /// Solves the rest. Returns the messages and the written files.
    fn finish(&self, processes: usize) -> (String, BTreeMap<PathBuf, Vec<u8>>) {
        let arguments = self.arguments(processes);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let run = self.folder.run(&arguments);
        let said = run.stderr.clone();
        run.answer();
        let left = fs::read_dir(self.folder.path("saved")).expect("a folder").count();
        assert_eq!(left, 0, "checkpoints are left over");
        (said, self.written())
    }

    fn written(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let out = self.folder.path("out");
        let paths = match fs::read_dir(&out) {
            Ok(entries) => entries.map(|entry| entry.expect("an entry").path()).collect(),
            Err(_) => vec![out],
        };
        let name = |path: &PathBuf| PathBuf::from(path.file_name().expect("a name"));
        paths.iter().map(|path| (name(path), fs::read(path).expect("a file"))).collect()
    }

    /// The files that one process writes if it is never stopped.
    fn expected(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let alone = Solving::of(self.game);
        let arguments = [&["solve"], self.game, &["-o", "out"]].concat();
        alone.folder.run(&arguments).answer();
        alone.written()
    }
}

#[test]
fn kills_of_processes_and_of_the_supervisor_and_ctrl_c() {
    let solving = Solving::of(&LONG);
    let expected = solving.expected();
    for (processes, killed) in [(3, 1), (2, 0), (4, 3)] {
        let (child, members) = solving.start(processes).expect("it is not done");
        signal("-KILL", members[killed]);
        Solving::end(child, &members, &[&format!("process {killed}"), "is next"]);
    }
    // A killed supervisor says nothing. The others end.
    let (mut child, members) = solving.start(3).expect("it is not done");
    signal("-KILL", child.id());
    child.wait().expect("an end");
    gone(&members);
    // Ctrl-C saves the progress of any number of processes.
    for processes in [2, 0, 3] {
        let (child, members) = solving.start(processes).expect("it is not done");
        signal("-INT", child.id());
        let begin = Instant::now();
        let run = Run::of(child.wait_with_output().expect("an end"));
        run.assert_refused(1, &["interrupted: progress is saved in saved", "same command again"]);
        assert!(begin.elapsed() < SOON && !run.stderr.contains("gave up"), "{run:?}");
        gone(&members);
    }
    assert!(!solving.folder.path("out").exists());
    let (said, written) = solving.finish(2);
    assert!(said.contains("resuming from a checkpoint: level "), "{said}");
    assert!(written == expected);
}

#[test]
fn one_process_resumes_what_several_have_saved() {
    let solving = Solving::of(&LONG);
    let (child, members) = solving.start(3).expect("it is not done");
    signal("-KILL", members[2]);
    Solving::end(child, &members, &["process 2", "is next"]);
    let (said, written) = solving.finish(0);
    assert!(said.contains("resuming from a checkpoint: level "), "{said}");
    assert!(written == solving.expected());
}

#[test]
fn a_process_that_hangs_is_named_and_the_others_say_how_to_resume() {
    let solving = Solving::of(&LONG);
    let (child, members) = solving.start(3).expect("it is not done");
    signal("-STOP", members[2]);
    Solving::end(child, &members, &["process 2", "no sign of life", "is next"]);
    let (said, written) = solving.finish(2);
    assert!(said.contains("resuming from a checkpoint: level "), "{said}");
    assert!(written == solving.expected());
}

/// Whether a part of the table is written.
fn is_writing(folder: &Folder) -> bool {
    let entries = fs::read_dir(folder.path(".")).into_iter().flatten().flatten();
    // Files may come and go meanwhile.
    let mut files = entries.filter_map(|entry| entry.metadata().ok()).filter(|it| it.is_file());
    files.any(|file| file.len() > 0)
}

/// Starts two processes, and kills one while the table is written. Returns whether the run failed
/// as it should, and not because it had ended before.
fn kill_while_writing(solving: &Solving, killed: usize) -> bool {
    let (child, members) = solving.start(2).expect("it is not done");
    let begin = Instant::now();
    while !is_writing(&solving.folder) {
        assert!(begin.elapsed() < 2 * SOON, "no file is written");
        sleep(Duration::from_millis(1));
    }
    signal("-KILL", members[killed]);
    let run = Run::of(child.wait_with_output().expect("an end"));
    gone(&members);
    if solving.folder.path("out").exists() {
        return false;
    }
    let ended = format!("process {killed}");
    run.assert_refused(1, &[&ended, "progress is saved in saved (all states are solved)"]);
    true
}

#[test]
fn a_process_is_killed_while_the_table_is_written() {
    let expected = Solving::of(&LONG).expected();
    // The process that writes, and one that helps.
    for killed in [0, 1] {
        let mut solving = Solving::of(&LONG);
        for attempt in 0.. {
            if kill_while_writing(&solving, killed) {
                break;
            }
            assert!(attempt < 10, "the table is written too soon");
            solving = Solving::of(&LONG);
        }
        assert!(!solving.folder.path("out").exists());
        let (said, written) = solving.finish(3);
        assert!(said.contains("resuming from a checkpoint: all "), "{said}");
        assert!(written == expected);
        // The file that the killed process had begun is gone too.
        let names: Vec<_> = solving.folder.contents().into_keys().collect();
        assert_eq!(names, [solving.folder.path("out"), solving.folder.path("saved")]);
    }
}

/// Kills runs with several numbers of processes, and solves the rest with three.
fn kill(game: &'static [&'static str]) {
    let solving = Solving::of(game);
    let mut resumed = 0;
    for processes in [2, 3, 0, 4, 2, 3] {
        let Some((mut child, members)) = solving.start(processes) else { break };
        resumed += 1;
        match members.last() {
            Some(&member) => signal("-KILL", member),
            None => child.kill().expect("a child to kill"),
        }
        child.wait_with_output().expect("an end");
        gone(&members);
    }
    assert!(resumed > 0, "{game:?} was never killed");
    let (_, written) = solving.finish(3);
    assert!(written == solving.expected(), "{game:?}");
}

#[test]
fn games_of_discovered_states_without_predecessors_resume() {
    kill(&["hexapawn", "-m", "4", "-n", "5"]);
}

#[test]
fn games_in_tiers_resume_within_a_tier() {
    kill(&["chess", "KRvK"]);
    kill(&["connect-four", "-m", "4", "-n", "3", "-k", "3", "--numbering", "tiers"]);
    kill(&["connect-four", "-m", "4", "-n", "3", "-k", "3", "--numbering", "packed-tiers"]);
}

#[test]
fn what_is_saved_of_another_game_or_is_damaged_is_refused_and_stays() {
    let solving = Solving::of(&LONG);
    let (child, members) = solving.start(2).expect("it is not done");
    signal("-KILL", members[1]);
    Solving::end(child, &members, &["process 1"]);
    let folder = &solving.folder;
    let saved = ["-o", "out", "--checkpoint", "saved", "--processes", "2"];
    let other = [&["solve", "dobutsu", "--numbering", "dense"], &saved[..]].concat();
    folder.run(&other).assert_refused(1, &["levels.checkpoint", "this is a checkpoint of"]);
    let parts = fs::read_dir(folder.path("saved")).expect("a folder");
    let parts = parts.map(|entry| entry.expect("an entry").path());
    let is_second = |path: &PathBuf| path.to_string_lossy().contains("-part-1-");
    let part = parts.into_iter().find(is_second).expect("a part");
    let name = part.file_name().expect("a name").to_str().expect("UTF-8").to_owned();
    let intact = fs::read(&part).expect("a file");
    let again = [&["solve"], &LONG[..], &saved].concat();
    let mut damaged = intact.clone();
    damaged[intact.len() / 2] ^= 1;
    fs::write(&part, &damaged).expect("a file to write");
    folder.run(&again).assert_refused(1, &[&name, "damaged", "delete the file to start again"]);
    fs::remove_file(&part).expect("a file to remove");
    folder.run(&again).assert_refused(1, &[&name, "missing: process 1", "levels.checkpoint"]);
    fs::write(&part, &intact).expect("a file to write");
    assert!(solving.finish(3).1 == solving.expected());
}

#[test]
fn each_host_may_have_a_folder_of_its_own() {
    let folder = hosts_folder(&addresses(2));
    let alone = [&["solve"], &LONG[..], &["-o", "alone.rtb"]].concat();
    folder.run(&alone).answer();
    let start = |process: usize| {
        let name = format!("saved{process}");
        let more = ["--checkpoint", &name, "--checkpoint-every", "0s", "--threads", "1"];
        start_listed(&folder, process, &[&LONG[..], &more].concat())
    };
    let (first, mut second) = (start(0), start(1));
    let begin = Instant::now();
    while lists(&folder.path("saved0")).is_empty() {
        assert!(begin.elapsed() < SOON, "no checkpoint appears");
        sleep(Duration::from_millis(2));
    }
    second.kill().expect("a child to kill");
    second.wait().expect("an end");
    end(first).assert_refused(1, &["process 1", "progress is saved in saved0", "again to resume"]);
    // A process that lacks parts names the process whose parts are missing.
    let alone = [&["solve"], &LONG[..], &["-o", "a.rtb", "--checkpoint", "saved0"]].concat();
    folder.run(&alone).assert_refused(1, &["saved0/levels-part-1-", "missing: process 1"]);
    let (first, second) = (start(0), start(1));
    end(second).answer();
    end(first).answer();
    assert!(folder.read("a.rtb") == folder.read("alone.rtb"));
    for name in ["saved0", "saved1"] {
        assert_eq!(fs::read_dir(folder.path(name)).expect("a folder").count(), 0, "{name}");
    }
}

#[test]
fn all_processes_save_checkpoints_or_none() {
    let folder = hosts_folder(&addresses(2));
    let first = start_listed(&folder, 0, &[&LONG[..], &["--checkpoint", "saved"]].concat());
    let second = start_listed(&folder, 1, &LONG);
    end(second).assert_refused(1, &["process 0", "has --checkpoint"]);
    end(first).assert_refused(1, &["process 1", "has no --checkpoint"]);
}
