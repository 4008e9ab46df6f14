//! The addresses and their handlers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{RawQuery, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::json;

use crate::program::answers::parameters::Parameters;
use crate::program::answers::problem::Problem;
use crate::program::answers::question::Reply;
use crate::program::answers::questions::{NO_ADDRESS, QUESTIONS, Row};
use crate::program::answers::tables::NamedTable;
use crate::program::serve::app::{Answer, App, Shared, turn};
use crate::program::serve::description::{self, address};
use crate::program::serve::guard::LONGEST_ANSWER;
use crate::program::serve::request::Name;
use crate::program::serve::{batch, guard, page, tags};

/// The longest time of a search for examples.
const LONGEST_SEARCH: Duration = Duration::from_secs(2);

/// The router of a server.
pub(crate) fn router(app: &Arc<App>) -> Router {
    let (mut answers, mut searches) = (Router::new(), Router::new());
    for row in QUESTIONS {
        let address = address(row);
        if row.is_search {
            let methods = get(async |app: Shared, name: Name, query: RawQuery| {
                search(row, app, name, query).await
            });
            searches = searches.route(&address, methods);
            continue;
        }
        let mut methods =
            get(async |app: Shared, name: Name, query: RawQuery| ask(row, app, name, query).await);
        if row.takes_batch {
            methods = methods.post(batch::batch);
        }
        answers = answers.route(&address, methods);
    }
    let description = Bytes::from(description::openapi().to_string());
    let mut router = answers
        .route_layer(middleware::from_fn_with_state(Arc::clone(app), identify))
        .merge(searches)
        .route("/api/tables", get(tables))
        .route("/api/openapi.json", get(async move || answer_json(description.clone())))
        .route("/health", get(health))
        .route("/metrics", get(metrics));
    for file in &*page::FILES {
        let answer = async |headers: HeaderMap| page::answer(file, &headers);
        router = router.route(file.address, get(answer));
    }
    router
        .fallback(async || Problem::not_found(NO_ADDRESS))
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
    let is_post = request.method() == Method::POST;
    let tag = app.table(&name).ok().filter(|_| !is_post);
    let Some(tag) = tag.and_then(|table| tags::weak(&table.identity)) else {
        return Ok(next.run(request).await);
    };
    let is_known = tags::is_known(request.headers(), &tag);
    Ok(tags::tagged(next.run(request).await, tag, is_known))
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
    Ok(answer(Reply::json(&app.tables.list())))
}

fn answer(Reply { kind, body }: Reply) -> Response {
    ([(header::CONTENT_TYPE, kind)], body).into_response()
}

async fn metrics(State(app): Shared) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (kind, app.metrics.text(app.tables.names().len())).into_response()
}

/// Answers a question about a table.
async fn ask(
    row: &'static Row,
    State(app): Shared,
    Name(name): Name,
    RawQuery(query): RawQuery,
) -> Answer {
    let asked = row.read(query.as_deref())?;
    let ask = move |table: &NamedTable| {
        let deadline = Instant::now() + LONGEST_ANSWER;
        asked.answer(table, &|| Instant::now() >= deadline)
    };
    app.ask(&name, ask).await.map(answer)
}

/// Marks a search as abandoned when it is dropped.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Answers a question whose answer is searched for in a limited time.
async fn search(
    row: &'static Row,
    State(app): Shared,
    Name(name): Name,
    RawQuery(query): RawQuery,
) -> Answer {
    let asked = row.read(query.as_deref())?;
    app.table(&name)?;
    let permit = turn(&app.searches).await?;
    let cancelled = Arc::new(AtomicBool::new(false));
    let _guard = CancelOnDrop(Arc::clone(&cancelled));
    let ask = move |table: &NamedTable| {
        let _permit = permit;
        let deadline = Instant::now() + LONGEST_SEARCH;
        let is_over = || cancelled.load(Ordering::Relaxed) || Instant::now() >= deadline;
        asked.answer(table, &is_over)
    };
    app.ask(&name, ask).await.map(answer)
}
