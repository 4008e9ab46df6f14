//! Many positions in one request, one on each line.

use std::cell::Cell;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::{RawQuery, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use futures_util::{StreamExt as _, stream};
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use crate::program::answers::facts::Answers;
use crate::program::answers::json;
use crate::program::answers::parameters::Parameters;
use crate::program::answers::problem::Problem;
use crate::program::answers::tables::NamedTable;
use crate::program::code::ErrorCode;
use crate::program::serve::app::{Answer, App, LONGEST_WAIT, Shared, turn};
use crate::program::serve::connections::{Answering, Connection};
use crate::program::serve::request::Name;

/// The type of an answer or a request with a JSON value on each line.
pub(super) const NDJSON: &str = "application/x-ndjson";

/// The longest body of a batch in bytes, and its most lines.
const LONGEST_BODY: usize = 16 << 20;
const MOST_LINES: usize = 100_000;

/// Bodies of at most this many bytes take no place among the long ones.
const SHORT_BODY: usize = 64 << 10;

/// A body must arrive within this time, plus time for the bytes that have arrived.
const FIRST_BYTES: Duration = Duration::from_secs(5);
const LEAST_BYTES_A_SECOND: usize = 128 << 10;

/// The number of positions that are answered before others have their turn.
const STEP: usize = 500;

/// The time limits for the positions of a step, and of a whole batch. The rest is not answered.
const LONGEST_STEP: Duration = Duration::from_secs(10);
const LONGEST_WORK: Duration = Duration::from_secs(30);

pub(super) async fn batch(
    State(app): Shared,
    Name(name): Name,
    RawQuery(query): RawQuery,
    Extension(connection): Extension<Arc<Connection>>,
    headers: HeaderMap,
    request: Request,
) -> Answer {
    Parameters::read(query.as_deref(), &[])?;
    app.table(&name)?;
    check_headers(&headers)?;
    connection.lacks_body(true);
    let read = read_body(&app, request.into_body()).await;
    connection.lacks_body(false);
    let (body, held) = read?;
    let text = String::from_utf8(body)
        .map_err(|error| Problem::bad_request(format!("the body is not UTF-8: {error}")))?;
    let count = text.lines().count();
    if count > MOST_LINES {
        return Err(too_long(format!("{count} lines; expected at most {MOST_LINES}")));
    }
    app.metrics.batched.fetch_add(count as u64, std::sync::atomic::Ordering::Relaxed);
    let mut batch = Batch { app, name, text: text.into(), at: 0, left: LONGEST_WORK, _held: held };
    let first = batch.step().await?;
    let (sender, receiver) = mpsc::channel(1);
    let answering = Answering::new(&connection);
    tokio::spawn(async move { batch.answer(first, sender).await });
    let steps = stream::unfold((receiver, answering), async |(mut receiver, answering)| {
        let step: Result<Bytes, String> = receiver.recv().await?;
        Some((step, (receiver, answering)))
    });
    Ok(([(header::CONTENT_TYPE, NDJSON)], Body::from_stream(steps)).into_response())
}

fn too_long(detail: String) -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
}

/// Refuses a request whose head announces an unacceptable body.
fn check_headers(headers: &HeaderMap) -> Result<(), Problem> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or("");
    let not_taken = |detail| Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
    let kind = text(header::CONTENT_TYPE);
    if !kind.split(';').next().unwrap_or("").trim().eq_ignore_ascii_case(NDJSON) {
        return not_taken(format!(
            "a body of type \"{kind}\": expected {NDJSON}, a JSON string a line"
        ));
    }
    let coding = text(header::CONTENT_ENCODING);
    if headers.contains_key(header::CONTENT_ENCODING) && !coding.eq_ignore_ascii_case("identity") {
        return not_taken(format!(
            "a body with the encoding \"{coding}\": expected one that is not compressed"
        ));
    }
    let length = text(header::CONTENT_LENGTH).parse::<u64>();
    if length.is_ok_and(|length| length > LONGEST_BODY as u64) {
        return Err(too_long("the body is too long: expected at most 16 MiB".into()));
    }
    Ok(())
}

/// Reads a body. A long one takes a place among the bodies in memory once a part of it has arrived,
/// so that clients who send nothing take none.
async fn read_body(
    app: &App,
    body: Body,
) -> Result<(Vec<u8>, Option<OwnedSemaphorePermit>), Problem> {
    let mut parts = body.into_data_stream();
    let mut read = Vec::new();
    let mut held = None;
    let mut begin = Instant::now();
    loop {
        let limit = Duration::from_secs_f64(read.len() as f64 / LEAST_BYTES_A_SECOND as f64);
        let limit = (FIRST_BYTES + limit).saturating_sub(begin.elapsed());
        let Ok(part) = tokio::time::timeout(limit, parts.next()).await else {
            let detail = "the body did not come in time: send it at once, or in smaller batches";
            return Err(Problem::new(StatusCode::REQUEST_TIMEOUT, detail));
        };
        let Some(part) = part else { return Ok((read, held)) };
        let part = part.map_err(|_| {
            Problem::bad_request("the body breaks off, or is not in chunks as its head says")
        })?;
        if read.len() + part.len() > LONGEST_BODY {
            return Err(too_long("the body is too long: expected at most 16 MiB".into()));
        }
        if held.is_none() && read.len() + part.len() > SHORT_BODY {
            let waits = Instant::now();
            held = Some(turn(&app.bodies).await?);
            begin += waits.elapsed();
        }
        read.extend_from_slice(&part);
    }
}

/// A batch that is being answered.
struct Batch {
    app: Arc<App>,
    name: String,
    text: Arc<str>,
    /// The start of the first unanswered line.
    at: usize,
    /// The remaining time for its positions.
    left: Duration,
    /// Its place in memory, if it is long.
    _held: Option<OwnedSemaphorePermit>,
}

impl Batch {
    /// Sends one step at a time: the next one is made when the last one has been passed on. A
    /// client that does not read its answers is disconnected.
    async fn answer(mut self, first: Bytes, sender: mpsc::Sender<Result<Bytes, String>>) {
        let mut step = Ok(first);
        loop {
            let is_last = step.is_err() || self.at == self.text.len();
            let sent = tokio::time::timeout(LONGEST_WAIT, sender.send(step)).await;
            if is_last || !matches!(sent, Ok(Ok(()))) {
                return;
            }
            step = self.step().await.map_err(|problem| problem.detail);
        }
    }

    /// The answers to the next lines.
    async fn step(&mut self) -> Result<Bytes, Problem> {
        let permit = turn(&self.app.batches).await?;
        let (text, at) = (Arc::clone(&self.text), self.at);
        let limit = self.left.min(LONGEST_STEP);
        let app = Arc::clone(&self.app);
        let ask = move |table: &NamedTable| {
            let _permit = permit;
            let begin = Instant::now();
            let lines = text[at..].split_inclusive('\n').take(STEP);
            let end = at + lines.map(str::len).sum::<usize>();
            let lines: Vec<&str> = text[at..end].lines().collect();
            let answer = answer_lines(&app, &*table.answers, &lines, begin + limit);
            Ok((answer, end, begin.elapsed()))
        };
        let (answer, end, took) = self.app.ask(&self.name, ask).await?;
        self.at = end;
        self.left = self.left.saturating_sub(took);
        Ok(answer.into())
    }
}

/// The answers to some lines of a batch.
fn answer_lines(app: &App, answers: &dyn Answers, lines: &[&str], deadline: Instant) -> String {
    let read: Vec<Option<String>> =
        lines.iter().map(|line| serde_json::from_str(line).ok()).collect();
    let states: Vec<String> = read.iter().flatten().cloned().collect();
    let late = Cell::new(false);
    let is_late = || {
        late.set(late.get() || Instant::now() >= deadline);
        late.get()
    };
    let mut found = answers.look_at_all(&states, &is_late).into_iter();
    let mut text = String::new();
    for (line, state) in lines.iter().zip(read) {
        let answer = match state {
            None => {
                let error = "the line is no JSON string: expected a position in quotes";
                json!({ "state": line, "error": error, "code": ErrorCode::WrongType })
            }
            Some(state) => match found.next().flatten() {
                Some(Ok(position)) => json!(json::position(&answers.facts().words, &position)),
                Some(Err(problem)) => {
                    app.report(&problem);
                    json!({ "state": state, "error": problem.detail, "code": problem.code })
                }
                None => {
                    let error = "not answered: the batch took too long; ask again, in smaller ones";
                    json!({ "state": state, "error": error, "code": ErrorCode::Interrupted })
                }
            },
        };
        let _ = writeln!(text, "{answer}");
    }
    text
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};
    use serde_json::Value as Json;

    use super::*;
    use crate::error::NotationError;
    use crate::game::notation::Notation;
    use crate::game::{Game, Outcome, Players};
    use crate::numbering::scheme::{Hashed, Numbered};
    use crate::program::answers::facts::About;
    use crate::program::answers::game_table::open;
    use crate::program::answers::position::Wanted;
    use crate::program::answers::tables::Tables;
    use crate::solve::Solver;
    use crate::table::{Stored, Table};

    /// Take one or two counters from a heap of 90; whoever takes the last one wins.
    #[derive(Clone, Debug, Serialize, Deserialize)]
    struct Heap;

    impl Game for Heap {
        type State = u32;
        const PLAYERS: Players = Players::Unnamed;

        fn terminal(&self, &heap: &u32) -> Option<Outcome> {
            (heap == 0).then_some(Outcome::MoverLoses)
        }

        fn moves(&self, &heap: &u32, visit: impl FnMut(u32)) {
            (1..=heap.min(2)).map(|taken| heap - taken).for_each(visit);
        }

        fn roots(&self) -> impl IntoIterator<Item = u32> {
            [90]
        }
    }

    impl Notation for Heap {
        fn write_state(&self, heap: &u32) -> String {
            heap.to_string()
        }

        fn parse_state(&self, text: &str) -> Result<u32, NotationError> {
            text.parse().map_err(|_| NotationError::new("no number"))
        }
    }

    impl Numbered for Heap {
        type Numberings = Hashed;
    }

    impl Stored for Heap {
        const NAME: &'static str = "heap";
    }

    fn heap() -> Box<dyn Answers> {
        let file = tempfile::NamedTempFile::new().unwrap();
        Solver::new(&Heap).solve().unwrap().save(file.path()).unwrap();
        let about = About { about: "".into(), notation: "".into() };
        open(Heap, Table::open(file.path()).unwrap(), about).unwrap()
    }

    #[test]
    fn positions_are_left_once_it_is_late() {
        let answers = heap();
        let lines: Vec<String> = (0..90).map(|heap| heap.to_string()).collect();
        // A position that is not in the table keeps no other from an answer.
        for states in [lines.clone(), [&lines[..], &["91".into()]].concat()] {
            for probes in [0, 10, 100, 150, 1_000] {
                let looks = Cell::new(0);
                let is_late = || {
                    looks.set(looks.get() + 1);
                    looks.get() > probes
                };
                let found = answers.look_at_all(&states, &is_late);
                assert_eq!(found.len(), states.len());
                let count = found.iter().flatten().count();
                assert!(count <= probes, "{count} of {probes}");
                assert_eq!(count == states.len(), probes == 1_000, "{count} of {probes}");
                for (state, position) in states.iter().zip(found) {
                    assert!(
                        position.is_none_or(|one| one.is_err() || one.unwrap().state == *state)
                    );
                }
            }
        }
    }

    #[test]
    fn a_question_is_left_once_it_is_late() {
        let answers = heap();
        let wanted = Wanted { moves: true, replies: true, line: Some(usize::MAX), picture: true };
        let late = answers.look(None, wanted, &|| true).err();
        assert_eq!(late.map(|problem| problem.status), Some(StatusCode::REQUEST_TIMEOUT.into()));
        let look = answers.look(None, wanted, &|| false).ok();
        assert_eq!(look.and_then(|look| look.line).map(|line| line.steps.len()), Some(60));
    }

    #[test]
    fn what_nobody_waits_for_any_more_is_not_begun() {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .max_blocking_threads(1)
            .enable_time()
            .build()
            .unwrap();
        let mut tables = Tables::default();
        tables.add("heap", heap()).unwrap();
        let app = Arc::new(App::new(tables, Vec::new(), |_| {}));
        runtime.block_on(async {
            let (end, ends) = std::sync::mpsc::channel::<()>();
            let (begin, begun) = std::sync::mpsc::channel();
            let long = app.ask("heap", move |_| Ok(ends.recv().is_err()));
            let short = |begin: std::sync::mpsc::Sender<&'static str>, name| {
                app.ask("heap", move |_| Ok(begin.send(name).is_ok()))
            };
            tokio::pin!(long);
            let soon = Duration::from_millis(50);
            assert!(tokio::time::timeout(soon, &mut long).await.is_err());
            assert!(tokio::time::timeout(soon, short(begin.clone(), "left")).await.is_err());
            drop(end);
            assert!(long.await.unwrap());
            assert!(short(begin, "waited for").await.unwrap());
            assert_eq!(begun.try_iter().collect::<Vec<_>>(), ["waited for"]);
        });
    }

    #[test]
    fn lines_that_came_too_late_say_so() {
        let app = App::new(Tables::default(), Vec::new(), |_| {});
        let answers = heap();
        let answer = |deadline| {
            let text = answer_lines(&app, &*answers, &["\"3\"", "nothing", "\"4\""], deadline);
            let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
            lines.collect::<Vec<Json>>()
        };
        let late = answer(Instant::now());
        let error = |at: usize| late[at]["error"].as_str().unwrap();
        assert!(error(0).contains("took too long") && error(2).contains("took too long"));
        assert!(error(1).contains("JSON string"), "{late:?}");
        let whole = answer(Instant::now() + LONGEST_WORK);
        assert_eq!((&whole[0]["plies"], &whole[2]["plies"]), (&json!(2), &json!(3)));
    }
}
