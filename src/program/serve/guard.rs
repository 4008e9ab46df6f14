//! The checks before every answer: the host, a time limit, counters.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::program::answers::problem::Problem;
use crate::program::answers::questions::QUESTIONS;
use crate::program::serve::app::App;
use crate::program::serve::description::{TABLE, TABLES};
use crate::program::serve::metrics::{BATCH, Metrics, OTHER};

/// The longest head of a request, in bytes.
pub(super) const LONGEST_HEAD: usize = 64 << 10;

/// The longest time until an answer begins; later ones are given up.
pub(super) const LONGEST_ANSWER: Duration = Duration::from_secs(30);

/// Passes a request on if it is meant for this server.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let begin = Instant::now();
    let _in_flight = InFlight::new(&app.metrics);
    let route = route(&request);
    let checked = check_head(&request).and_then(|()| check_host(&request, &app.hosts));
    let mut response = match checked {
        Err(problem) => problem.into_response(),
        Ok(()) => match tokio::time::timeout(LONGEST_ANSWER, next.run(request)).await {
            Ok(response) => response,
            Err(_) => {
                let limit = LONGEST_ANSWER.as_secs();
                let detail = format!("there was no answer within {limit} seconds");
                Problem::new(StatusCode::REQUEST_TIMEOUT, detail).into_response()
            }
        },
    };
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    app.metrics.answered(route, response.status().as_u16(), begin.elapsed());
    response
}

/// Counts a request while it is answered, even if nobody waits for the answer any more.
struct InFlight<'m>(&'m Metrics);

impl<'m> InFlight<'m> {
    fn new(metrics: &'m Metrics) -> Self {
        metrics.begin();
        InFlight(metrics)
    }
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// The name by which a request is counted.
fn route(request: &Request) -> &'static str {
    let path = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    if path == TABLES {
        return QUESTIONS[0].metric;
    }
    let name = match path.strip_prefix(TABLE) {
        Some("") => Some(""),
        rest => rest.and_then(|rest| rest.strip_prefix('/')),
    };
    match QUESTIONS.iter().find(|row| Some(row.name) == name) {
        Some(row) if row.takes_batch && request.method() == Method::POST => BATCH,
        Some(row) => row.metric,
        None => OTHER,
    }
}

/// Refuses a head that is too long. The HTTP library reads in pieces, and lets a head pass that ends in the
/// piece in which its own limit is exceeded.
fn check_head(request: &Request) -> Result<(), Problem> {
    // "METHOD ADDRESS HTTP/1.1", "NAME: VALUE" for each header, and an empty line.
    let line = request.method().as_str().len() + request.uri().to_string().len() + 12;
    let headers = request.headers().iter();
    let headers: usize = headers.map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    if line + headers + 2 <= LONGEST_HEAD {
        return Ok(());
    }
    let detail = "the head of the request is too long: expected at most 64 KiB";
    Err(Problem::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, detail))
}

/// Refuses a request that is meant for another host. A foreign page whose name was made to lead
/// here (DNS rebinding) sends this name; a numeric address can't be made to lead elsewhere.
fn check_host(request: &Request, allowed: &[String]) -> Result<(), Problem> {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let host = hosts.next();
    if hosts.next().is_some() {
        return Err(Problem::bad_request("the header Host is there twice"));
    }
    let authority = match (request.uri().authority(), host) {
        (Some(authority), _) => Some(authority.clone()),
        (None, Some(host)) => Authority::try_from(host.as_bytes()).ok(),
        (None, None) => return Err(Problem::bad_request("the header Host is missing")),
    };
    // A host has no user.
    let authority = authority
        .filter(|authority| !authority.as_str().contains('@'))
        .ok_or_else(|| Problem::bad_request("the header Host is no host: expected HOST:PORT"))?;
    let name = authority.host().trim_start_matches('[').trim_end_matches(']');
    let is_local = name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok();
    if is_local || allowed.iter().any(|host| host.eq_ignore_ascii_case(name)) {
        return Ok(());
    }
    let detail = format!(
        "this server is not known as \"{name}\": use its address, or start it with --allow-host {name}"
    );
    Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, detail))
}
