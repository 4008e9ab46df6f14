//! The addresses, and what answers them.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path, RawQuery, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;

use crate::serve::answers::{Answers, Look, Wanted};
use crate::serve::examples::{Kind, Search};
use crate::serve::guard::LONGEST_ANSWER;
use crate::serve::metrics::Metrics;
use crate::serve::problem::Problem;
use crate::serve::request::Parameters;
use crate::serve::setup::{Asked, read_pieces};
use crate::serve::tables::Tables;
use crate::serve::{batch, guard, json, page};
use crate::summary::Summary;

/// The description of the interface for programs.
const OPENAPI: &str = include_str!("openapi.json");

/// So many long bodies are in memory at once; others wait before the rest of theirs is read.
const MOST_BODIES: usize = 4;

/// How long a search for examples may take, and how many it finds at most.
const LONGEST_SEARCH: Duration = Duration::from_secs(2);
const MOST_EXAMPLES: u64 = 100;
const USUAL_EXAMPLES: u64 = 20;

/// So long a batch or a search waits for others to end.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(20);

/// What all requests share.
pub(crate) struct App {
    pub(crate) tables: Tables,
    pub(crate) metrics: Metrics,
    /// The names of hosts, beside addresses and `localhost`, that requests may be meant for.
    pub(crate) hosts: Vec<String>,
    /// Who may read from files for long: one batch and one search at a time, so that single probes are
    /// answered meanwhile.
    pub(super) batches: Arc<Semaphore>,
    searches: Arc<Semaphore>,
    /// Prints a line for whoever runs the server, and the last line that was printed.
    report: fn(&str),
    reported: Mutex<String>,
    /// Whose batch may be in memory, of those that are long.
    pub(super) bodies: Arc<Semaphore>,
}

impl App {
    pub(crate) fn new(tables: Tables, hosts: Vec<String>, report: fn(&str)) -> App {
        let queue = |most| Arc::new(Semaphore::new(most));
        let (metrics, reported) = (Metrics::default(), Mutex::default());
        let (batches, searches, bodies) = (queue(1), queue(1), queue(MOST_BODIES));
        App { tables, metrics, hosts, batches, searches, report, reported, bodies }
    }

    /// Tells whoever runs the server of a problem, if it is theirs. Not again until there was another one.
    pub(super) fn report(&self, problem: &Problem) {
        let Some(cause) = &problem.cause else { return };
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        if *reported != *cause {
            (self.report)(&format!("error: {cause}"));
            reported.clone_from(cause);
        }
    }

    pub(super) fn table(&self, name: &str) -> Result<&dyn Answers, Problem> {
        self.tables.get(name).ok_or_else(|| {
            let known = self.tables.names().join(", ");
            Problem::not_found(format!("no table is called \"{name}\"; the tables are {known}"))
        })
    }

    /// Has a table answer on a thread that may wait for the disk.
    pub(super) async fn ask<T: Send + 'static>(
        self: &Arc<Self>,
        name: &str,
        ask: impl FnOnce(&dyn Answers) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.table(name)?;
        let (app, name) = (Arc::clone(self), name.to_owned());
        let asked = tokio::task::spawn_blocking(move || {
            ask(app.table(&name)?).inspect_err(|problem| app.report(problem))
        });
        // What nobody waits for any more is not begun.
        let _guard = AbortOnDrop(asked.abort_handle());
        asked.await.unwrap_or_else(|_| {
            let detail = "the table could not be read: the program has a mistake, please report it";
            Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail))
        })
    }
}

/// Ends a task, when it is dropped.
struct AbortOnDrop(AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The addresses of a server.
pub(crate) fn router(app: &Arc<App>) -> Router {
    let mut router = Router::new()
        .route("/api/tables/{name}", get(table))
        .route("/api/tables/{name}/probe", get(probe).post(batch::batch))
        .route("/api/tables/{name}/moves", get(moves))
        .route("/api/tables/{name}/line", get(line))
        .route("/api/tables/{name}/position", get(position))
        .route("/api/tables/{name}/picture", get(picture))
        .route("/api/tables/{name}/setup", get(setup))
        .route("/api/tables/{name}/stats", get(stats))
        .route_layer(middleware::from_fn_with_state(Arc::clone(app), identify))
        .route("/api/tables/{name}/examples", get(examples))
        .route("/api/tables", get(tables))
        .route("/api/openapi.json", get(async || answer_json(OPENAPI)))
        .route("/health", get(health))
        .route("/metrics", get(metrics));
    for (address, kind, content) in page::FILES {
        router = router.route(address, get(async move || page::answer(kind, content)));
    }
    router
        .fallback(async || {
            Problem::not_found("there is no such address; /api/openapi.json lists them")
        })
        .method_not_allowed_fallback(async || {
            let detail = "this address does not take that method; /api/openapi.json lists them";
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, detail)
        })
        .layer(middleware::from_fn_with_state(Arc::clone(app), guard::guard))
        .with_state(Arc::clone(app))
}

/// Marks an answer of a table with the table's identity. Who has the answer already is told so: the same
/// table answers the same. Searches for examples are another matter, since their time is limited.
async fn identify(
    State(app): Shared,
    Name(name): Name,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let tag = app.tables.identity(&name).filter(|_| request.method() != Method::POST);
    let Some(tag) = tag.and_then(|tag| HeaderValue::try_from(format!("\"{tag}\"")).ok()) else {
        return Ok(next.run(request).await);
    };
    let known = request.headers().get_all(header::IF_NONE_MATCH);
    let mut response = match known.iter().any(|known| *known == tag) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => next.run(request).await,
    };
    if !response.status().is_server_error() {
        let headers = response.headers_mut();
        headers.insert(header::ETAG, tag);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    }
    Ok(response)
}

/// What a connection is answered for which there is no place.
pub(crate) fn spare_router(app: &Arc<App>) -> Router {
    Router::new()
        .route("/health", get(health))
        .fallback(async || {
            let detail = "all connections are being answered, and this one for /health alone: ask \
                          again later";
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail)
        })
        .layer(middleware::from_fn_with_state(Arc::clone(app), guard::guard))
}

async fn health() -> Response {
    answer_json(json!({ "status": "ok" }).to_string())
}

/// The name of a table in an address.
pub(super) struct Name(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Name, Problem> {
        let name = Path::<String>::from_request_parts(parts, state).await;
        let Path(name) =
            name.map_err(|error: PathRejection| Problem::bad_request(error.body_text()))?;
        Ok(Name(name))
    }
}

pub(super) type Answer = Result<Response, Problem>;
pub(super) type Shared = State<Arc<App>>;

fn answer_json(text: impl IntoResponse) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

async fn tables(State(app): Shared, RawQuery(query): RawQuery) -> Answer {
    Parameters::read(query.as_deref(), &[])?;
    let tables = app.tables.json();
    let version = env!("CARGO_PKG_VERSION");
    let answer = json!({ "program": "retrograde", "version": version, "tables": tables });
    Ok(answer_json(answer.to_string()))
}

async fn table(State(app): Shared, Name(name): Name, RawQuery(query): RawQuery) -> Answer {
    Parameters::read(query.as_deref(), &[])?;
    let (answers, identity) = (app.table(&name)?, app.tables.identity(&name).unwrap_or(""));
    Ok(answer_json(json::table(&name, identity, answers).to_string()))
}

async fn stats(State(app): Shared, Name(name): Name, RawQuery(query): RawQuery) -> Answer {
    Parameters::read(query.as_deref(), &[])?;
    Ok(answer_json(json::stats(app.table(&name)?).to_string()))
}

async fn metrics(State(app): Shared) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (kind, app.metrics.text(app.tables.names().len())).into_response()
}

/// Looks at the position that the query names, and writes what was found.
async fn look(
    app: &Arc<App>,
    name: &str,
    parameters: &Parameters<'_>,
    wanted: Wanted,
    write: impl FnOnce(&dyn Answers, &Look) -> Result<String, Problem> + Send + 'static,
) -> Result<String, Problem> {
    let state = parameters.get("state").map(str::to_owned);
    let ask = move |answers: &dyn Answers| {
        let deadline = Instant::now() + LONGEST_ANSWER;
        let look = answers.look(state.as_deref(), wanted, deadline)?;
        write(answers, &look)
    };
    app.ask(name, ask).await
}

async fn probe(State(app): Shared, Name(name): Name, RawQuery(query): RawQuery) -> Answer {
    let parameters = Parameters::read(query.as_deref(), &["state"])?;
    let write = |answers: &dyn Answers, look: &Look| {
        Ok(json!(json::position(answers.words(), &look.position)).to_string())
    };
    look(&app, &name, &parameters, Wanted::default(), write).await.map(answer_json)
}

async fn moves(State(app): Shared, Name(name): Name, RawQuery(query): RawQuery) -> Answer {
    let parameters = Parameters::read(query.as_deref(), &["state"])?;
    let write =
        |answers: &dyn Answers, look: &Look| Ok(json::moves(answers.words(), look).to_string());
    let wanted = Wanted { moves: true, ..Wanted::default() };
    look(&app, &name, &parameters, wanted, write).await.map(answer_json)
}

async fn line(State(app): Shared, Name(name): Name, RawQuery(query): RawQuery) -> Answer {
    let parameters = Parameters::read(query.as_deref(), &["state"])?;
    let write = |answers: &dyn Answers, look: &Look| {
        Ok(json::line(answers.words(), answers.facts(), look).to_string())
    };
    let wanted = Wanted { line: true, ..Wanted::default() };
    look(&app, &name, &parameters, wanted, write).await.map(answer_json)
}

async fn position(State(app): Shared, Name(name): Name, RawQuery(query): RawQuery) -> Answer {
    let parameters = Parameters::read(query.as_deref(), &["state", "flip"])?;
    let flipped = parameters.switch("flip")?;
    let write = move |answers: &dyn Answers, look: &Look| {
        Ok(json::look(answers.words(), answers.facts(), look, flipped).to_string())
    };
    let wanted = Wanted { moves: true, line: true, picture: true };
    look(&app, &name, &parameters, wanted, write).await.map(answer_json)
}

async fn picture(State(app): Shared, Name(name): Name, RawQuery(query): RawQuery) -> Answer {
    let parameters = Parameters::read(query.as_deref(), &["state", "flip"])?;
    let flipped = parameters.switch("flip")?;
    let write = move |answers: &dyn Answers, look: &Look| {
        json::svg(answers.words(), answers.facts(), look, flipped)
            .ok_or_else(|| Problem::not_found("this game has no pictures"))
    };
    let wanted = Wanted { picture: true, ..Wanted::default() };
    let svg = look(&app, &name, &parameters, wanted, write).await?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

async fn setup(State(app): Shared, Name(name): Name, RawQuery(query): RawQuery) -> Answer {
    let parameters = Parameters::read(query.as_deref(), &["state", "pieces", "flip"])?;
    let flipped = parameters.switch("flip")?;
    let asked = match (parameters.get("state"), parameters.get("pieces")) {
        (state, None) => Asked::Of(state.map(str::to_owned)),
        (None, Some(pieces)) => Asked::Pieces(read_pieces(pieces)?),
        (Some(_), Some(_)) => {
            return Err(Problem::bad_request("state and pieces: expected one of the two"));
        }
    };
    let ask = move |answers: &dyn Answers| {
        let found = answers.set_up(&asked)?;
        Ok(json::set_up(answers.words(), answers.facts(), &found, flipped).to_string())
    };
    app.ask(&name, ask).await.map(answer_json)
}

/// Waits for its turn among batches or searches.
pub(super) async fn turn(queue: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Problem> {
    match tokio::time::timeout(LONGEST_WAIT, Arc::clone(queue).acquire_owned()).await {
        Ok(Ok(permit)) => Ok(permit),
        _ => Err(Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "too many long questions are asked at once: ask again later",
        )),
    }
}

/// Says that nobody waits for a search any more, when it is dropped.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

async fn examples(State(app): Shared, Name(name): Name, RawQuery(query): RawQuery) -> Answer {
    let known = ["kind", "plies", "count", "from", "tier"];
    let parameters = Parameters::read(query.as_deref(), &known)?;
    let kind = parameters.get("kind").unwrap_or(Kind::LongestWin.name());
    let kind = Kind::named(kind).map_err(Problem::bad_request)?;
    let plies = parameters.number("plies", 0, u64::from(crate::value::MAX_PLIES))?;
    if plies.is_some() && !kind.has_plies() {
        return Err(Problem::bad_request(format!(
            "plies: {} is not asked for by plies; leave them out, or ask for win, loss, only-move or \
             lost-for-both",
            kind.name()
        )));
    }
    let count = parameters.number("count", 1, MOST_EXAMPLES)?.unwrap_or(USUAL_EXAMPLES);
    let from = parameters.number("from", 0, u64::MAX)?.unwrap_or(0);
    let tier = parameters.get("tier").map(str::to_owned);
    app.table(&name)?;
    let permit = turn(&app.searches).await?;
    let cancelled = Arc::new(AtomicBool::new(false));
    let _guard = CancelOnDrop(Arc::clone(&cancelled));
    let ask = move |answers: &dyn Answers| {
        let _permit = permit;
        let facts = answers.facts();
        if kind == Kind::LostForBoth && !facts.can_pass {
            let detail = "this game has no positions with the other player to move";
            return Err(Problem::bad_request(detail));
        }
        let is_in = |name: &str| tier.as_deref().is_none_or(|tier| tier == name);
        let summaries = facts.tiers.iter().filter(|tier| is_in(&tier.name));
        let summary = Summary::sum(summaries.map(|tier| &tier.summary));
        let longest = |count: fn(&crate::summary::AtDistance) -> u64| {
            summary.distances.iter().filter(|at| count(at) > 0).map(|at| at.plies).max()
        };
        let plies = match kind {
            Kind::LongestWin => longest(|at| at.won),
            Kind::LongestLoss => longest(|at| at.lost),
            _ => plies.map(|plies| plies as u32),
        };
        let search = Search {
            kind,
            plies,
            tier: tier.as_deref(),
            count: count as usize,
            from,
            deadline: Instant::now() + LONGEST_SEARCH,
            cancelled: &cancelled,
            ticks: Cell::new(0),
            late: Cell::new(false),
        };
        let found = answers.search(&search)?;
        Ok(json::examples(answers.words(), &search, &found).to_string())
    };
    app.ask(&name, ask).await.map(answer_json)
}
