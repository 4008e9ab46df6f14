//! Processes that are started one by one with a hosts file, and which of them may take part.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::program::{Folder, Run};

const TOKEN: &str = "a secret of some length";

/// Free addresses of this machine.
pub(crate) fn addresses(count: usize) -> Vec<String> {
    let listeners: Vec<_> =
        (0..count).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    listeners.iter().map(|it| it.local_addr().expect("an address").to_string()).collect()
}

/// A folder with a hosts file and a token.
pub(crate) fn folder(addresses: &[String]) -> Folder {
    let folder = Folder::new();
    folder.write("hosts", format!("# the processes\n{}\n", addresses.join("\n")));
    folder.write("token", TOKEN);
    folder
}

pub(crate) fn start(folder: &Folder, process: usize, more: &[&str]) -> Child {
    let process = process.to_string();
    let options = ["--hosts", "hosts", "--process", &process, "-o", "a.rtb"];
    let arguments = [&["solve"], more, &options].concat();
    let mut command = folder.command(&arguments);
    if !more.contains(&"--token") {
        command.args(["--token", "token"]);
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

pub(crate) fn end(child: Child) -> Run {
    Run::of(child.wait_with_output().expect("the program ends"))
}

const GAME: [&str; 3] = ["mnk", "--numbering", "dense"];

#[test]
fn processes_of_a_hosts_file_write_the_same_table() {
    let addresses = addresses(3);
    let folder = folder(&addresses);
    folder.run(&["solve", "mnk", "--numbering", "dense", "-o", "alone.rtb"]).answer();
    let mut processes = Vec::new();
    for process in [2, 0, 1] {
        processes.push((process, start(&folder, process, &GAME)));
        // Connections of other programs do no harm.
        sleep(Duration::from_millis(50));
        if let Ok(mut stream) = TcpStream::connect(&addresses[0]) {
            let _ = stream.write_all(b"GET / HTTP/1.1\r\n\r\n");
        }
    }
    for (process, child) in processes {
        let said = end(child).answer();
        assert_eq!(said.is_empty(), process > 0, "{said}");
    }
    assert_eq!(folder.read("a.rtb"), folder.read("alone.rtb"));
}

#[test]
fn other_games_numberings_and_tokens_are_refused_before_any_work() {
    let other_runs: [(&[&str], &str); 3] = [
        (&["mnk", "--numbering", "packed"], "numbers states as"),
        (&["mnk", "--numbering", "dense", "-k", "2"], "other parameters"),
        (&["quixo", "--size", "3"], "solves quixo"),
    ];
    for (other, says) in other_runs {
        let folder = folder(&addresses(2));
        let begin = Instant::now();
        let (first, second) = (start(&folder, 0, &GAME), start(&folder, 1, other));
        end(second).assert_refused(1, &["process 0", "belong"]);
        end(first).assert_refused(1, &["process 1", says]);
        assert!(begin.elapsed() < Duration::from_secs(20));
        assert_eq!(folder.contents().len(), 2, "no table is there");
    }
    let folder = folder(&addresses(2));
    folder.write("other", "another secret of some length");
    let mut first = start(&folder, 0, &GAME);
    let more = [&GAME[..], &["--token", "other"]].concat();
    end(start(&folder, 1, &more)).assert_refused(1, &["process 0", "another token"]);
    // A process with the right token may still come.
    assert!(first.try_wait().expect("a process").is_none());
    let second = start(&folder, 1, &GAME);
    end(second).answer();
    end(first).answer();
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_of_an_address_that_is_not_listed_is_told_so() {
    let addresses = addresses(2);
    let folder = folder(&addresses);
    // This hosts file lists process 1 with an address that it does not come from.
    let port = addresses[1].rsplit_once(':').expect("a port").1;
    folder.write("other", format!("{}\n127.0.0.2:{port}\n", addresses[0]));
    let arguments = ["solve", "mnk", "--numbering", "dense", "-o", "a.rtb", "--hosts", "other"];
    let mut command = folder.command(&[&arguments[..], &["--token", "token"]].concat());
    let mut first = command.args(["--process", "0"]).spawn().expect("the program starts");
    let says = ["process 0", "127.0.0.1 is not the address of process 1", "the same hosts file"];
    end(start(&folder, 1, &GAME)).assert_refused(1, &says);
    // The process that is listed may still come.
    assert!(first.try_wait().expect("a process").is_none());
    first.kill().expect("a process to kill");
    first.wait().expect("an end");
}

#[test]
fn bad_hosts_files_ports_and_tokens_are_refused_at_once() {
    let addresses = addresses(2);
    let folder = folder(&addresses);
    let taken = TcpListener::bind(&addresses[0]).expect("a port");
    end(start(&folder, 0, &GAME)).assert_refused(1, &["can't listen", &addresses[0]]);
    drop(taken);
    end(start(&folder, 2, &GAME)).assert_refused(2, &["--process 2", "2 processes"]);
    folder.write("short", "secret");
    let more = [&GAME[..], &["--token", "short"]].concat();
    end(start(&folder, 0, &more)).assert_refused(2, &["shorter than 16"]);
    for (hosts, says) in [
        ("", "lists no addresses"),
        ("# nobody", "lists no addresses"),
        ("127.0.0.1:4100\nlocalhost", "line 2"),
        ("127.0.0.1:4100\n127.0.0.1:4100", "twice"),
        ("127.0.0.1:0", "line 1"),
    ] {
        folder.write("hosts", hosts);
        end(start(&folder, 0, &GAME)).assert_refused(2, &[says]);
    }
    let arguments = ["solve", "mnk", "-o", "a.rtb", "--hosts", "none", "--process", "0"];
    folder.run(&[&arguments[..], &["--token", "token"]].concat()).assert_refused(2, &["none"]);
    folder.run(&arguments).assert_refused(2, &["--token"]);
}

#[test]
fn what_ends_one_process_is_said_by_all() {
    let folder = folder(&addresses(2));
    let first = start(&folder, 0, &GAME);
    let second = start(&folder, 1, &[&GAME[..], &["--memory", "1kB"]].concat());
    end(second).assert_refused(1, &["1 kB", "memory"]);
    end(first).assert_refused(1, &["process 1", "gave up", "memory"]);
    assert_eq!(folder.contents().len(), 2, "no table is there");
}
