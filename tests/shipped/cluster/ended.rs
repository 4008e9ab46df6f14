//! Processes that end before their time: all others end soon, say why, and leave no file.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::program::{Folder, Run};

/// A game that takes some seconds.
pub(crate) const LONG: [&str; 4] = ["dobutsu", "--no-elephants", "--numbering", "dense"];

/// A game that takes longer: the test ends it before it is solved.
const LONGER: [&str; 3] = ["dobutsu", "--numbering", "dense"];

/// A game whose positions take some seconds to discover.
const LONG_DISCOVERY: [&str; 7] = ["mnk", "-m", "4", "-n", "4", "-k", "4"];

/// The time that the other processes may take to end.
pub(crate) const SOON: Duration = Duration::from_secs(60);

/// The processes whose parent is this one, in the order of their start.
pub(crate) fn children(parent: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").expect("processes") {
        let name = entry.expect("an entry").file_name();
        let Some(process) = name.to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        let behind_name = stat.rsplit(") ").next().unwrap_or_default();
        let mut words = behind_name.split(' ');
        let (state, of) = (words.next(), words.next());
        if state != Some("Z") && of == Some(&parent.to_string()) {
            found.push(process);
        }
    }
    found.sort_unstable();
    found
}

fn exists(process: u32) -> bool {
    fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

pub(crate) fn signal(name: &str, process: u32) {
    let sent = Command::new("kill").args([name, &process.to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "{name} {process}");
}

/// Starts three processes, and waits until they are at work.
fn start(folder: &Folder, game: &[&str]) -> (Child, Vec<u32>) {
    let started = just_start(folder, game);
    // By now they have found each other, and are at work.
    sleep(Duration::from_millis(1_500));
    started
}

/// Starts three processes.
fn just_start(folder: &Folder, game: &[&str]) -> (Child, Vec<u32>) {
    let options = ["-o", "a.rtb", "--processes", "3", "--threads", "1"];
    let mut command = folder.command(&[&["solve"], game, &options].concat());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a process");
    let begin = Instant::now();
    let members = loop {
        let members = children(child.id());
        if members.len() == 3 {
            break members;
        }
        assert!(begin.elapsed() < SOON, "{members:?}");
        sleep(Duration::from_millis(10));
    };
    (child, members)
}

/// Waits for the end, which must come soon, with an error and without leaving files.
fn end(folder: &Folder, child: Child, members: &[u32], says: &[&str]) {
    let begin = Instant::now();
    let run = Run::of(child.wait_with_output().expect("an end"));
    run.assert_refused(1, says);
    assert!(begin.elapsed() < SOON, "{:?}", begin.elapsed());
    gone(members);
    let names = folder.contents();
    assert!(!names.contains_key(&folder.path("a.rtb")), "{:?}", names.keys());
}

pub(crate) fn gone(members: &[u32]) {
    let begin = Instant::now();
    while members.iter().any(|&member| exists(member)) {
        assert!(begin.elapsed() < SOON, "{members:?}");
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn one_process_is_killed() {
    for killed in [0, 1, 2] {
        let folder = Folder::new();
        let (child, members) = start(&folder, &LONGER);
        signal("-KILL", members[killed]);
        end(&folder, child, &members, &[&format!("process {killed}")]);
    }
}

#[test]
fn the_supervisor_is_killed() {
    let folder = Folder::new();
    let (mut child, members) = start(&folder, &LONGER);
    signal("-KILL", child.id());
    child.wait().expect("an end");
    gone(&members);
    assert!(!folder.path("a.rtb").exists());
}

#[test]
fn ctrl_c_reaches_all() {
    for name in ["-INT", "-TERM"] {
        let folder = Folder::new();
        let (child, members) = start(&folder, &LONGER);
        signal(name, child.id());
        end(&folder, child, &members, &["interrupted"]);
        assert!(folder.contents().is_empty(), "{:?}", folder.contents().keys());
    }
}

#[test]
fn processes_that_discover_positions_together_end_together() {
    let folder = Folder::new();
    let (child, members) = start(&folder, &LONG_DISCOVERY);
    signal("-INT", child.id());
    end(&folder, child, &members, &["interrupted"]);
    let (child, members) = start(&folder, &LONG_DISCOVERY);
    signal("-KILL", members[1]);
    end(&folder, child, &members, &["process 1"]);
    assert!(folder.contents().is_empty(), "{:?}", folder.contents().keys());
}

#[test]
fn a_process_that_hangs_is_named() {
    // One that hangs at its start, or while progress is saved, is the same to the others.
    if !kit::ALL_CASES {
        return;
    }
    let folder = Folder::new();
    let (child, members) = start(&folder, &LONGER);
    signal("-STOP", members[2]);
    end(&folder, child, &members, &["process 2", "no sign of life"]);
}

#[test]
fn a_process_that_hangs_at_its_start_is_named() {
    // All at once: each takes most of a minute.
    let runs = [0, 1].map(|stopped| {
        let folder = Folder::new();
        let (child, members) = just_start(&folder, &LONGER);
        signal("-STOP", members[stopped]);
        (folder, child, members, format!("process {stopped} "))
    });
    for (folder, child, members, says) in runs {
        end(&folder, child, &members, &[&says]);
    }
}

/// The time for which a process has kept a core busy, in hundredths of a second.
fn busy(process: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).expect("a process");
    let behind_name = stat.rsplit(") ").next().expect("what is behind the name");
    let times = behind_name.split(' ').skip(11).take(2);
    times.map(|time| time.parse::<u64>().expect("a time")).sum()
}

#[test]
fn processes_that_wait_for_another_leave_the_cores_alone() {
    let folder = Folder::new();
    let (child, members) = start(&folder, &LONG_DISCOVERY);
    signal("-STOP", members[2]);
    // By now the others have done all they can without it.
    sleep(Duration::from_secs(3));
    let before = members[..2].iter().map(|&member| busy(member)).sum::<u64>();
    sleep(Duration::from_secs(4));
    let after = members[..2].iter().map(|&member| busy(member)).sum::<u64>();
    assert!(after - before < 100, "{} of 400 hundredths of a second", after - before);
    signal("-KILL", members[2]);
    end(&folder, child, &members, &["process 2"]);
}
