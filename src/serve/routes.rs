//! The addresses and their handlers.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{RawQuery, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::json;

use crate::serve::answers::{Answers, Facts};
use crate::serve::app::{Answer, App, Shared, turn};
use crate::serve::examples::{Kind, Search};
use crate::serve::guard::LONGEST_ANSWER;
use crate::serve::position::{Look, Wanted};
use crate::serve::problem::Problem;
use crate::serve::request::{Name, Parameters};
use crate::serve::setup::{Asked, read_pieces};
use crate::serve::{batch, guard, json, page};
use crate::summary::Summary;

/// The description of the interface for programs.
const OPENAPI: &str = include_str!("openapi.json");

/// The longest time of a search for examples, and the most and the usual number of its results.
const LONGEST_SEARCH: Duration = Duration::from_secs(2);
const MOST_EXAMPLES: u64 = 100;
const USUAL_EXAMPLES: u64 = 20;

/// The router of a server.
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

/// Marks an answer of a table with the table's identity. A client that already has the answer is
/// told that it is unchanged, since the same table gives the same answers. Searches for examples
/// are excluded, since their time is limited.
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

/// The router for a connection without a usual place.
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
    Ok(answer_json(json::table(&name, identity, answers.facts()).to_string()))
}

async fn stats(State(app): Shared, Name(name): Name, RawQuery(query): RawQuery) -> Answer {
    Parameters::read(query.as_deref(), &[])?;
    Ok(answer_json(json::stats(app.table(&name)?.facts()).to_string()))
}

async fn metrics(State(app): Shared) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (kind, app.metrics.text(app.tables.names().len())).into_response()
}

/// Looks up the position in the query, and writes the result.
async fn look(
    app: &Arc<App>,
    name: &str,
    parameters: &Parameters<'_>,
    wanted: Wanted,
    write: impl FnOnce(&Facts, &Look) -> Result<String, Problem> + Send + 'static,
) -> Result<String, Problem> {
    let state = parameters.get("state").map(str::to_owned);
    let ask = move |answers: &dyn Answers| {
        let deadline = Instant::now() + LONGEST_ANSWER;
        let look = answers.look(state.as_deref(), wanted, deadline)?;
        write(answers.facts(), &look)
    };
    app.ask(name, ask).await
}

async fn probe(State(app): Shared, Name(name): Name, RawQuery(query): RawQuery) -> Answer {
    let parameters = Parameters::read(query.as_deref(), &["state"])?;
    let write = |facts: &Facts, look: &Look| {
        Ok(json!(json::position(&facts.words, &look.position)).to_string())
    };
    look(&app, &name, &parameters, Wanted::default(), write).await.map(answer_json)
}

async fn moves(State(app): Shared, Name(name): Name, RawQuery(query): RawQuery) -> Answer {
    let parameters = Parameters::read(query.as_deref(), &["state"])?;
    let write = |facts: &Facts, look: &Look| Ok(json::moves(&facts.words, look).to_string());
    let wanted = Wanted { moves: true, ..Wanted::default() };
    look(&app, &name, &parameters, wanted, write).await.map(answer_json)
}

async fn line(State(app): Shared, Name(name): Name, RawQuery(query): RawQuery) -> Answer {
    let parameters = Parameters::read(query.as_deref(), &["state"])?;
    let write = |facts: &Facts, look: &Look| Ok(json::line(facts, look).to_string());
    let wanted = Wanted { line: true, ..Wanted::default() };
    look(&app, &name, &parameters, wanted, write).await.map(answer_json)
}

async fn position(State(app): Shared, Name(name): Name, RawQuery(query): RawQuery) -> Answer {
    let parameters = Parameters::read(query.as_deref(), &["state", "flip"])?;
    let flipped = parameters.switch("flip")?;
    let write = move |facts: &Facts, look: &Look| Ok(json::look(facts, look, flipped).to_string());
    let wanted = Wanted { moves: true, line: true, picture: true };
    look(&app, &name, &parameters, wanted, write).await.map(answer_json)
}

async fn picture(State(app): Shared, Name(name): Name, RawQuery(query): RawQuery) -> Answer {
    let parameters = Parameters::read(query.as_deref(), &["state", "flip"])?;
    let flipped = parameters.switch("flip")?;
    let write = move |facts: &Facts, look: &Look| {
        json::svg(facts, look, flipped)
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
        Ok(json::set_up(answers.facts(), &found, flipped).to_string())
    };
    app.ask(&name, ask).await.map(answer_json)
}

/// Marks a search as abandoned when it is dropped.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

async fn examples(State(app): Shared, Name(name): Name, RawQuery(query): RawQuery) -> Answer {
    let known = ["kind", "plies", "points", "count", "from", "seed", "tier"];
    let parameters = Parameters::read(query.as_deref(), &known)?;
    let points = parameters.points("points")?;
    let usual = match points {
        None => Kind::LongestWin,
        Some(1..) => Kind::Win,
        Some(0) => Kind::Draw,
        Some(_) => Kind::Loss,
    };
    let kind = parameters.get("kind").unwrap_or(usual.name());
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
    let seed = parameters.number("seed", 0, u64::MAX)?;
    if seed.is_some() && parameters.get("from").is_some() {
        return Err(Problem::bad_request("seed, from: ask for one of the two"));
    }
    let tier = parameters.get("tier").map(str::to_owned);
    app.table(&name)?;
    let permit = turn(&app.searches).await?;
    let cancelled = Arc::new(AtomicBool::new(false));
    let _guard = CancelOnDrop(Arc::clone(&cancelled));
    let ask = move |answers: &dyn Answers| {
        let _permit = permit;
        let facts = answers.facts();
        if points.is_some() && facts.rules.points.is_none() {
            return Err(Problem::bad_request("points: the game has no points"));
        }
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
            points,
            tier: tier.as_deref(),
            count: count as usize,
            from,
            seed,
            deadline: Instant::now() + LONGEST_SEARCH,
            cancelled: &cancelled,
            ticks: Cell::new(0),
            late: Cell::new(false),
        };
        let found = answers.search(&search)?;
        Ok(json::examples(&facts.words, &search, &found).to_string())
    };
    app.ask(&name, ask).await.map(answer_json)
}
