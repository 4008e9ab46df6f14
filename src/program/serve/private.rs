//! A server whose addresses begin with a secret. Whoever knows it may show the page in a frame, as a notebook does.

use axum::Router;
use axum::extract::Request;
use axum::http::uri::{PathAndQuery, Uri};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;

use crate::program::answers::problem::Problem;
use crate::program::answers::questions::NO_ADDRESS;
use crate::program::serve::page::POLICY;

/// The pages that may have the page in a frame: those of this machine, and those of editors.
const FRAMES: &str = "http://localhost:* http://127.0.0.1:* https://localhost:* vscode-webview:";

/// Answers at addresses that begin with the secret, as the router does at the rest of them.
pub(super) fn behind(secret: &str, router: Router) -> Router {
    let begin = format!("/{secret}/");
    let frames = format!("frame-ancestors 'self' {FRAMES}");
    let policy = HeaderValue::try_from(POLICY.replace("frame-ancestors 'none'", &frames))
        .unwrap_or(HeaderValue::from_static(POLICY));
    let answers = TowerToHyperService::new(router);
    Router::new().fallback(move |mut request: Request| {
        let rest = rest(request.uri(), &begin);
        let (answers, policy) = (answers.clone(), policy.clone());
        async move {
            let Some(rest) = rest else { return Problem::not_found(NO_ADDRESS).into_response() };
            *request.uri_mut() = rest;
            let mut response: Response = match answers.call(request).await {
                Ok(response) => response,
                Err(never) => match never {},
            };
            let headers = response.headers_mut();
            if headers.contains_key(header::CONTENT_SECURITY_POLICY) {
                headers.insert(header::CONTENT_SECURITY_POLICY, policy);
            }
            response
        }
    })
}

/// The address behind this beginning.
fn rest(address: &Uri, begin: &str) -> Option<Uri> {
    let rest = address.path_and_query()?.as_str().strip_prefix(begin)?;
    let mut parts = address.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(format!("/{rest}")).ok()?);
    Uri::from_parts(parts).ok()
}
