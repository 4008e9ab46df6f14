//! Clients that keep connections without use.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::client::Server;
use crate::program::Folder;

/// More connections than the server keeps at once.
const MANY: usize = 1_030;

/// Allows enough open files for this process and the servers that it starts.
fn allow_many_files() {
    rlimit::increase_nofile_limit(4_096).unwrap();
}

/// A connection whose client has little room for answers.
fn narrow_connection(server: &Server) -> TcpStream {
    use socket2::{Domain, Socket, Type};
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    socket.connect(&server.address.parse::<std::net::SocketAddr>().unwrap().into()).unwrap();
    socket.into()
}

/// Checks that the server is healthy and says so within a second. One or two slow answers are
/// allowed, since the machine may be busy.
#[track_caller]
fn assert_health(server: &Server) {
    let tries = [(); 3].map(|()| {
        let begin = Instant::now();
        assert_eq!(server.get("/health").status, 200);
        begin.elapsed()
    });
    assert!(tries.iter().any(|took| *took < Duration::from_secs(1)), "{tries:?}");
}

/// Checks that the server ends within a few seconds after the signal.
#[track_caller]
fn assert_stops(mut server: Server) {
    let begin = Instant::now();
    let id = server.child.id().to_string();
    assert!(Command::new("kill").arg("-TERM").arg(id).status().unwrap().success());
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
    assert!(begin.elapsed() < Duration::from_secs(6), "{:?}", begin.elapsed());
}

#[test]
fn clients_that_send_nothing_give_way() {
    allow_many_files();
    let server = Server::of_small_table();
    let mut silent: Vec<TcpStream> = Vec::new();
    for _ in 0..MANY {
        silent.push(TcpStream::connect(&server.address).unwrap());
    }
    assert_health(&server);
    assert_eq!(server.get("/api/tables").status, 200);
    // The first one was closed for a later one, and the last one still works.
    assert_eq!(silent[0].read(&mut [0; 1]).unwrap_or(0), 0);
    let last = silent.last_mut().unwrap();
    last.write_all(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
    assert_eq!(last.read(&mut [0; 1]).unwrap(), 1);
    assert_stops(server);
}

#[test]
fn clients_that_do_not_read_give_way() {
    allow_many_files();
    let server = Server::of_small_table();
    let requests =
        "GET /api/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(900).into_bytes();
    let mut greedy: Vec<TcpStream> = Vec::new();
    for at in 0..MANY {
        let mut stream = narrow_connection(&server);
        stream.set_nonblocking(true).unwrap();
        // Bytes that the server does not take stay unsent.
        let _ = stream.write(&requests);
        greedy.push(stream);
        if at % 100 == 0 {
            assert_health(&server);
        }
    }
    assert_health(&server);
    assert_eq!(server.get("/api/tables").status, 200);
    assert_stops(server);
}

#[test]
fn too_few_files_for_all_connections_are_enough_for_new_ones() {
    let server = Server::with_files(Folder::with_small_table(), &["table.rtb"], 60);
    let silent: Vec<TcpStream> =
        (0..100).map(|_| TcpStream::connect(&server.address).unwrap()).collect();
    assert_health(&server);
    assert_eq!(server.get("/api/tables/table/probe?state=1,2,mouse").status, 200);
    drop(silent);
}

/// Connections that send the beginning of a batch of 16 MiB.
fn halves(server: &Server, count: usize, sent: usize) -> Vec<TcpStream> {
    let head = format!(
        "POST /api/tables/table/probe HTTP/1.1\r\nhost: localhost\r\n\
         content-type: application/x-ndjson\r\ncontent-length: {}\r\n\r\n{}",
        16 << 20,
        "\n".repeat(sent)
    );
    let half = |()| {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        stream
    };
    vec![(); count].into_iter().map(half).collect()
}

#[test]
fn batches_that_are_sent_by_halves_keep_no_other_from_being_answered() {
    if kit::PLAIN {
        return;
    }
    let server = Server::of_small_table();
    let line = "\"1,2,mouse\"\n";
    let answered = |lines: usize, limit: u64| {
        let begin = Instant::now();
        let answer = server.batch("table", &line.repeat(lines));
        assert_eq!((answer.status, answer.text.lines().count()), (200, lines), "{answer:#?}");
        assert!(begin.elapsed() < Duration::from_secs(limit), "{:?}", begin.elapsed());
    };
    // None of these takes one of the places for long batches.
    let short = halves(&server, 8, 5);
    answered(1, 4);
    answered(20_000, 4);
    // These take such places until they are cut off. A short batch does not wait for them.
    let long = halves(&server, 4, 80 << 10);
    answered(1_000, 4);
    answered(20_000, 15);
    for mut half in short.into_iter().chain(long) {
        let mut answer = String::new();
        half.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains("in time"), "{answer}");
    }
}
