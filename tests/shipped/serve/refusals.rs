//! The refusals and their status, and that nothing stops the server.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::client::Server;
use crate::program::Folder;

#[test]
fn wrong_addresses_and_parameters_are_named() {
    let server = Server::of_small_table();
    for (address, status, says) in [
        ("/nowhere", 404, "no such address"),
        ("/api/tables/park", 404, "no table is called \"park\"; the tables are table"),
        ("/api/tables/park/probe", 404, "park"),
        ("/api/tables/..%2F..%2Fetc%2Fpasswd/probe", 404, "passwd"),
        ("/api/tables/%ff/probe", 400, "UTF-8"),
        ("/api/tables/table/probe?state=1,2", 400, "expected where the mouse is"),
        ("/api/tables/table/probe?state=1,0,mouse", 400, "hole"),
        ("/api/tables/table/probe?states=1", 400, "unknown parameter \"states\": expected state"),
        ("/api/tables/table/probe?state=1&state=2", 400, "twice"),
        ("/api/tables/table/position?flip=perhaps", 400, "perhaps"),
        ("/api/tables/table/examples?kind=best", 400, "longest-win"),
        ("/api/tables/table/examples?count=0", 400, "1 to 100"),
        ("/api/tables/table/examples?count=101", 400, "1 to 100"),
        ("/api/tables/table/examples?from=-1", 400, "from"),
        ("/api/tables/table/examples?tier=KvK", 400, "no tiers"),
        ("/api/tables/table/examples?kind=longest-win&plies=9", 400, "longest-win is not asked"),
        ("/api/tables/table/examples?kind=draw&plies=9", 400, "plies"),
        ("/api/tables/table/probe?state=", 400, "is not a position"),
        ("/api/tables/table/stats?tier=KvK", 400, "takes none"),
    ] {
        server.get(address).assert_problem(status, &[says]);
    }
}

#[test]
fn wrong_methods_and_bodies_are_named() {
    let server = Server::of_small_table();
    server.send("DELETE", "/api/tables", &[], b"").assert_problem(405, &["method"]);
    let probe = "/api/tables/table/probe";
    server
        .send("POST", probe, &[], b"\"1,2,mouse\"")
        .assert_problem(415, &["application/x-ndjson"]);
    let kind = [("content-type", "application/x-ndjson")];
    server.send("POST", probe, &kind, b"\xff\xfe").assert_problem(400, &["UTF-8"]);
    let lines = "\"\"\n".repeat(100_001);
    server.send("POST", probe, &kind, lines.as_bytes()).assert_problem(413, &["100001", "100000"]);
    let long = vec![b' '; (16 << 20) + 1];
    server.send("POST", probe, &kind, &long).assert_problem(413, &["16 MiB"]);
    // Without any byte of the body.
    let head = |header: &str| {
        format!(
            "POST {probe} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\n\
             connection: close\r\n{header}\r\n\r\n"
        )
    };
    let begin = Instant::now();
    server
        .raw(head("content-length: 16777217").as_bytes())
        .assert_problem(413, &["at most 16 MiB"]);
    assert!(begin.elapsed() < Duration::from_secs(4), "{:?}", begin.elapsed());
    let packed = [kind[0], ("content-encoding", "gzip")];
    server.send("POST", probe, &packed, b"\x1f\x8b").assert_problem(415, &["gzip"]);
    let chunks = head("transfer-encoding: chunked");
    server
        .raw(format!("{chunks}5\r\n\"1,2,mouse\"\r\n").as_bytes())
        .assert_problem(400, &["chunks"]);
    server
        .raw(format!("{chunks}d\r\n\"1,2,mouse\"\r\nzz").as_bytes())
        .assert_problem(400, &["chunks"]);
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn what_is_no_request_is_refused() {
    let server = Server::of_small_table();
    // The HTTP library answers itself where there is no request to look at: a status, and no text.
    let is_bare = |bytes: &str, status: &[u16]| {
        let answer = server.raw(bytes.as_bytes());
        assert!(status.contains(&answer.status) && answer.text.is_empty(), "{answer:#?}");
    };
    for request in ["GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\na b: c\r\n\r\n"] {
        is_bare(request, &[400]);
    }
    let line = "GET /health HTTP/1.1\r\nhost: localhost\r\n";
    let many = "x: y\r\n".repeat(101);
    is_bare(&format!("{line}{many}\r\n"), &[431]);
    let long = format!("x: {}\r\n", "y".repeat(1 << 20));
    is_bare(&format!("{line}{long}\r\n"), &[431]);
    // To the byte.
    let head = |bytes: usize| {
        let rest = format!("{line}connection: close\r\nx: \r\n\r\n").len();
        format!("{line}connection: close\r\nx: {}\r\n\r\n", "y".repeat(bytes - rest))
    };
    assert_eq!(server.raw(head(64 << 10).as_bytes()).status, 200);
    for bytes in [(64 << 10) + 1, 70_000, 100_000, 130_000] {
        assert_eq!(server.raw(head(bytes).as_bytes()).status, 431);
    }
    is_bare(&format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(1 << 20)), &[414, 431]);
    // Also after an answer.
    let two = server.raw(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\nGET\r\n\r\n");
    assert!(two.text.contains("HTTP/1.1 400"), "{two:#?}");
}

#[test]
fn a_damaged_table_is_said_without_its_path() {
    let folder = Folder::new();
    folder.run(&["solve", "chess", "KQvK", "-o", "queen"]).answer();
    let path = folder.path("queen/KQvK.rtb");
    let mut bytes = std::fs::read(&path).unwrap();
    let values = bytes.len() - bytes.len() / 4;
    bytes[values..].iter_mut().for_each(|byte| *byte ^= 1);
    std::fs::write(&path, bytes).unwrap();
    let server = Server::of(folder, &["queen/"]);
    let state = crate::client::encoded("8/8/8/8/8/3k4/8/K6Q w - - 0 1");
    for _ in 0..2 {
        let answer = server.get(&format!("/api/tables/queen/probe?state={state}"));
        answer.assert_problem(500, &["damaged", "whoever runs the server"]);
        assert!(!answer.text.contains("rtb"), "{answer:#?}");
    }
    let answer = server.batch("queen", "\"8/8/8/8/8/3k4/8/K6Q w - - 0 1\"\n");
    assert!(answer.text.contains("damaged") && !answer.text.contains("rtb"), "{answer:#?}");
    let messages = server.messages();
    assert_eq!(messages.matches("KQvK.rtb").count(), 1, "{messages}");
}

#[test]
fn a_foreign_name_for_this_server_is_refused_unless_it_is_allowed() {
    let server = Server::of_small_table();
    let asked =
        |server: &Server, host: &str| server.send("GET", "/api/tables", &[("host", host)], b"");
    asked(&server, "evil.example:8913").assert_problem(421, &["evil.example"]);
    asked(&server, "127.0.0.1.evil.example").assert_problem(421, &["evil.example"]);
    for host in ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:8913"] {
        assert_eq!(asked(&server, host).status, 200, "{host}");
    }
    server
        .raw(b"GET /api/tables HTTP/1.1\r\nconnection: close\r\n\r\n")
        .assert_problem(400, &["Host"]);
    for wrong in ["a@localhost", "a:b@127.0.0.1:80", "local host", ""] {
        asked(&server, wrong).assert_problem(400, &["Host is no host"]);
    }
    server
        .raw(b"GET /api/tables HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\nconnection: close\r\n\r\n")
        .assert_problem(400, &["Host is there twice"]);
    let allowing = ["table.rtb", "--allow-host", "tables.example"];
    let server = Server::of(Folder::with_small_table(), &allowing);
    assert_eq!(asked(&server, "tables.example:80").status, 200);
    asked(&server, "other.example").assert_problem(421, &["other.example"]);
}

#[test]
fn pages_elsewhere_may_read_answers_only_if_they_are_named() {
    let header = |arguments: &[&str], origin: &str| {
        let server = Server::of(Folder::with_small_table(), arguments);
        let request = format!(
            "GET /health HTTP/1.1\r\nhost: {}\r\norigin: {origin}\r\nconnection: close\r\n\r\n",
            server.address
        );
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let answer = std::io::read_to_string(stream).unwrap().to_ascii_lowercase();
        let line =
            answer.lines().find_map(|line| line.strip_prefix("access-control-allow-origin: "));
        line.map(str::to_owned)
    };
    assert_eq!(header(&["table.rtb"], "https://a.example"), None);
    let named = ["table.rtb", "--cors", "https://a.example"];
    assert_eq!(header(&named, "https://a.example").as_deref(), Some("https://a.example"));
    assert_eq!(header(&named, "https://b.example"), None);
    assert_eq!(header(&["table.rtb", "--cors", "*"], "https://b.example").as_deref(), Some("*"));
}

#[test]
fn what_no_client_should_send_stops_nothing() {
    let server = Server::of_small_table();
    for request in [
        &b"\0\0\0\0\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /api/tables/table/probe HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999999999\r\n\r\n",
        b"GET /api/tables/table/probe?state=%00%ff%zz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
    ] {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.write_all(request).unwrap();
        drop(stream);
    }
    let long = format!("GET /{} HTTP/1.1\r\nhost: localhost\r\n\r\n", "a".repeat(1 << 20));
    let _ = TcpStream::connect(&server.address).unwrap().write_all(long.as_bytes());
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn what_can_not_be_served_is_refused_at_the_start() {
    let folder = Folder::with_small_table();
    std::fs::create_dir(folder.path("again")).unwrap();
    std::fs::copy(folder.path("table.rtb"), folder.path("again/table.rtb")).unwrap();
    folder.write("empty.rtb", "");
    let free = ["--listen", "127.0.0.1:0"];
    let serve = |arguments: &[&str]| folder.run(&[&["serve"], arguments, &free[..]].concat());
    serve(&["table.rtb", "again/table.rtb"]).assert_refused(2, &["two tables", "\"table\""]);
    serve(&["empty.rtb"]).assert_refused(1, &["empty.rtb"]);
    serve(&["nowhere.rtb"]).assert_refused(1, &["nowhere.rtb"]);
    let server = Server::of(Folder::with_small_table(), &["table.rtb"]);
    folder
        .run(&["serve", "table.rtb", "--listen", &server.address])
        .assert_refused(1, &["can't listen", &server.address, "--listen"]);
    folder.run(&["serve", "table.rtb", "--listen", "here"]).assert_refused(2, &["--listen"]);
    folder.run(&["serve"]).assert_refused(2, &["PATH"]);
    for origin in ["https://a b", "https://a@b.example", "https://a.example/", "a.example", "://a"]
    {
        serve(&["table.rtb", "--cors", origin]).assert_refused(2, &["--cors", "an origin"]);
    }
    // No address can contain these names.
    for (file, name) in [("..rtb", "\".\""), ("...rtb", "\"..\"")] {
        std::fs::copy(folder.path("table.rtb"), folder.path(file)).unwrap();
        serve(&[file]).assert_refused(2, &[name, "rename"]);
    }
}

#[cfg(unix)]
#[test]
fn the_server_stops_when_it_is_told_to() {
    let mut server = Server::of_small_table();
    // An idle connection does not delay the end.
    let idle = TcpStream::connect(&server.address).unwrap();
    assert_eq!(server.get("/health").status, 200);
    let begin = Instant::now();
    let mut kill = std::process::Command::new("kill");
    assert!(kill.arg("-INT").arg(server.child.id().to_string()).status().unwrap().success());
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
    assert!(begin.elapsed() < Duration::from_secs(20));
    drop(idle);
}
