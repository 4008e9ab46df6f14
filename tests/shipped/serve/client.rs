//! A running server, and a client of it.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::Value as Json;

use crate::program::{Folder, program};

/// A server in a folder with tables. It ends with the test.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: String,
    // Kept open, so that printing never fails.
    _output: BufReader<ChildStdout>,
    folder: Folder,
}

/// The response to a request.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) kind: String,
    pub(crate) etag: String,
    pub(crate) text: String,
}

impl Answer {
    /// The JSON of a successful answer.
    #[track_caller]
    pub(crate) fn json(&self) -> Json {
        assert_eq!((self.status, &*self.kind), (200, "application/json"), "{self:#?}");
        serde_json::from_str(&self.text).expect("an answer in JSON")
    }

    /// Checks that this is a problem document with this status and these texts.
    #[track_caller]
    pub(crate) fn assert_problem(&self, status: u16, says: &[&str]) {
        assert_eq!((self.status, &*self.kind), (status, "application/problem+json"), "{self:#?}");
        let problem: Json = serde_json::from_str(&self.text).expect("a problem in JSON");
        assert_eq!(problem["status"], status, "{self:#?}");
        assert_eq!(problem.as_object().map(|fields| fields.len()), Some(6), "{self:#?}");
        assert!(problem["code"].is_string() && problem["fields"].is_object(), "{self:#?}");
        let detail = problem["detail"].as_str().expect("a detail");
        for part in says {
            assert!(detail.contains(part), "no {part:?} in {detail}");
        }
    }
}

/// A text as an address contains it.
pub(crate) fn encoded(text: &str) -> String {
    let encode = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}

impl Server {
    /// Serves the tables at these paths of a folder.
    pub(crate) fn of(folder: Folder, arguments: &[&str]) -> Server {
        Server::started_by(program(), folder, arguments)
    }

    /// A server that may have at most `most` files open at once.
    #[cfg(unix)]
    pub(crate) fn with_files(folder: Folder, arguments: &[&str], most: usize) -> Server {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -n {most} && exec \"$0\" \"$@\"")]);
        shell.arg(program().get_program());
        Server::started_by(shell, folder, arguments)
    }

    /// Serves the tables at these paths of a folder, by another program with the same commands.
    pub(crate) fn started_by(mut program: Command, folder: Folder, arguments: &[&str]) -> Server {
        let mut child = program
            .args(["serve", "--listen", "127.0.0.1:0", "--json"])
            .args(arguments)
            .current_dir(folder.path(""))
            .stdout(Stdio::piped())
            .stderr(File::create(folder.path("messages")).expect("a file for its messages"))
            .spawn()
            .expect("the program runs");
        let mut output = BufReader::new(child.stdout.take().expect("its output"));
        let mut line = String::new();
        output.read_line(&mut line).expect("its first line");
        let answer: Json = serde_json::from_str(&line).expect("the address in JSON");
        let url = answer["url"].as_str().expect("an address");
        let address = url.trim_start_matches("http://").trim_end_matches('/').to_owned();
        Server { child, address, _output: output, folder }
    }

    /// A server of the small graph, called `table`.
    pub(crate) fn of_small_table() -> Server {
        Server::of(Folder::with_small_table(), &["table.rtb"])
    }

    /// The messages of the server, without its address.
    pub(crate) fn messages(&self) -> String {
        std::fs::read_to_string(self.folder.path("messages")).expect("its messages")
    }

    pub(crate) fn get(&self, address: &str) -> Answer {
        self.send("GET", address, &[], b"")
    }

    /// Asks about a state. `question` follows the name of the table in the address.
    pub(crate) fn ask(&self, table: &str, question: &str, state: &str) -> Json {
        self.get(&format!("/api/tables/{table}/{question}?state={}", encoded(state))).json()
    }

    /// The answers to a batch, one a line.
    pub(crate) fn batch(&self, table: &str, lines: &str) -> Answer {
        let kind = [("content-type", "application/x-ndjson")];
        self.send("POST", &format!("/api/tables/{table}/probe"), &kind, lines.as_bytes())
    }

    /// Sends a request with a body, these headers and the usual ones.
    pub(crate) fn send(
        &self,
        method: &str,
        address: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Answer {
        let mut head = format!("{method} {address} HTTP/1.1\r\nconnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "host") {
            head += &format!("host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += &format!("content-length: {}\r\n\r\n", body.len());
        self.raw(&[head.as_bytes(), body].concat())
    }

    /// Sends these bytes, and reads the answer.
    pub(crate) fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
        // The server may refuse before it has read everything.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        read_answer(&answer)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads a complete answer.
fn read_answer(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let head = std::str::from_utf8(&bytes[..end]).expect("a head in ASCII");
    let mut body = bytes[end + 4..].to_vec();
    let header = |name: &str| {
        let mut lines = head.lines().filter_map(|line| line.split_once(": "));
        let line = lines.find(|(known, _)| known.eq_ignore_ascii_case(name));
        line.map_or("", |(_, value)| value).to_owned()
    };
    if header("transfer-encoding") == "chunked" {
        body = unchunked(&body);
    }
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    let text = String::from_utf8(body).expect("a body in UTF-8");
    Answer { status, kind: header("content-type"), etag: header("etag"), text }
}

/// A body that was sent in chunks.
fn unchunked(mut chunks: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = chunks.windows(2).position(|two| two == b"\r\n") {
        let length = std::str::from_utf8(&chunks[..end]).expect("a length");
        let length = usize::from_str_radix(length, 16).expect("a length");
        body.extend_from_slice(&chunks[end + 2..end + 2 + length]);
        chunks = &chunks[end + 4 + length..];
    }
    body
}
