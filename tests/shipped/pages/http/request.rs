//! Requests as `curl` writes them: as much of its options as the page needs.

use std::fs;
use std::path::Path;

use crate::client::{Answer, Server, encoded};
use crate::http::shortened::shortened;
use crate::printed;

/// Where the page's server listens. The test's has a port of its own.
const ADDRESS: &str = "http://127.0.0.1:8913";

/// What a `curl` command asks, and what it prints.
#[derive(Default)]
pub(super) struct Request {
    address: String,
    headers: Vec<(String, String)>,
    body: Option<String>,
    /// What is printed after the answer.
    after: String,
    /// The file that the answer's tag is written to.
    tag: Option<String>,
}

impl Request {
    /// Reads a command line; `None` for one without `curl`. What is piped into it comes from the shell.
    pub(super) fn read(command: &str, folder: &Path) -> Option<Request> {
        let (input, arguments) = match command.strip_prefix("curl ") {
            Some(arguments) => (None, arguments),
            None => {
                let (input, arguments) = command.split_once(" | curl ")?;
                (Some(input), arguments)
            }
        };
        let mut request = Request::default();
        let words = words(arguments);
        let mut words = words.iter().map(String::as_str);
        let mut query = Vec::new();
        while let Some(word) = words.next() {
            let mut value = || words.next().expect("an option has its value");
            match word {
                "-G" => {}
                "-H" => {
                    let (name, value) = value().split_once(": ").expect("a header");
                    request.headers.push((name.to_lowercase(), value.to_owned()));
                }
                "-w" => request.after = value().replace("\\n", "\n"),
                "--data-urlencode" => {
                    let (name, value) = value().split_once('=').expect("a name and its value");
                    query.push(format!("{name}={}", encoded(value)));
                }
                "--data-binary" => {
                    assert_eq!(value(), "@-", "a body comes from standard input");
                    request.body = Some(printed(input.expect("an input"), folder, 100));
                }
                "--etag-save" => request.tag = Some(value().to_owned()),
                "--etag-compare" => {
                    let tag =
                        fs::read_to_string(folder.join(value())).expect("a tag that was saved");
                    request.headers.push(("if-none-match".into(), tag.trim_end().to_owned()));
                }
                option if option.starts_with('-') => panic!("curl {option} is not known here"),
                address => {
                    let address = address.strip_prefix(ADDRESS).expect("an address of the server");
                    request.address = address.to_owned();
                }
            }
        }
        if !query.is_empty() {
            request.address += &format!("?{}", query.join("&"));
        }
        Some(request)
    }

    /// What the command prints, shortened.
    pub(super) fn send(&self, server: &Server, folder: &Path) -> String {
        let method = if self.body.is_some() { "POST" } else { "GET" };
        let headers: Vec<(&str, &str)> =
            self.headers.iter().map(|(name, value)| (&**name, &**value)).collect();
        let body = self.body.as_deref().unwrap_or_default();
        let answer = server.send(method, &self.address, &headers, body.as_bytes());
        let Answer { status, kind, etag, text } = &answer;
        if let Some(file) = &self.tag {
            fs::write(folder.join(file), format!("{etag}\n")).expect("a file for the tag");
        }
        let after = self.after.replace("%{http_code}", &status.to_string());
        format!("{}{after}", shortened(kind, text))
    }
}

/// The words of a command line, of which some are in single quotes.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut is_quoted) = (vec![String::new()], false);
    for letter in line.trim_end().chars() {
        match letter {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            letter => words.last_mut().expect("a word").push(letter),
        }
    }
    words
}
