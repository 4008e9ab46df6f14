//! The files of the page.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The files: address, type and content.
pub(crate) const FILES: [(&str, &str, &str); 33] = [
    ("/", HTML, include_str!("page/index.html")),
    ("/about.js", SCRIPT, include_str!("page/about.js")),
    ("/address.js", SCRIPT, include_str!("page/address.js")),
    ("/api.js", SCRIPT, include_str!("page/api.js")),
    ("/app.js", SCRIPT, include_str!("page/app.js")),
    ("/banner.js", SCRIPT, include_str!("page/banner.js")),
    ("/board.js", SCRIPT, include_str!("page/board.js")),
    ("/chance.js", SCRIPT, include_str!("page/chance.js")),
    ("/chart.js", SCRIPT, include_str!("page/chart.js")),
    ("/dom.js", SCRIPT, include_str!("page/dom.js")),
    ("/examples.js", SCRIPT, include_str!("page/examples.js")),
    ("/front.js", SCRIPT, include_str!("page/front.js")),
    ("/histogram.js", SCRIPT, include_str!("page/histogram.js")),
    ("/keys.js", SCRIPT, include_str!("page/keys.js")),
    ("/line.js", SCRIPT, include_str!("page/line.js")),
    ("/lists.js", SCRIPT, include_str!("page/lists.js")),
    ("/notation.js", SCRIPT, include_str!("page/notation.js")),
    ("/opponent.js", SCRIPT, include_str!("page/opponent.js")),
    ("/person.js", SCRIPT, include_str!("page/person.js")),
    ("/picture.js", SCRIPT, include_str!("page/picture.js")),
    ("/repetition.js", SCRIPT, include_str!("page/repetition.js")),
    ("/replay.js", SCRIPT, include_str!("page/replay.js")),
    ("/review.js", SCRIPT, include_str!("page/review.js")),
    ("/run.js", SCRIPT, include_str!("page/run.js")),
    ("/score.js", SCRIPT, include_str!("page/score.js")),
    ("/setup.js", SCRIPT, include_str!("page/setup.js")),
    ("/share.js", SCRIPT, include_str!("page/share.js")),
    ("/state.js", SCRIPT, include_str!("page/state.js")),
    ("/style.css", CSS, include_str!("page/style.css")),
    ("/touch.js", SCRIPT, include_str!("page/touch.js")),
    ("/train.js", SCRIPT, include_str!("page/train.js")),
    ("/visit.js", SCRIPT, include_str!("page/visit.js")),
    ("/words.js", SCRIPT, include_str!("page/words.js")),
];

/// The files that a site has besides, where no server answers.
pub(crate) const SITE_FILES: [(&str, &str, &str); 2] = [
    ("/site.js", SCRIPT, include_str!("page/site.js")),
    ("/worker.js", SCRIPT, include_str!("page/worker.js")),
];

/// The rights of the page: it may only talk to its own server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A file of the page as an answer.
pub(crate) fn answer(kind: &'static str, content: &'static str) -> Response {
    let mut response = content.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    // Another version of the program has other files at the same addresses.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}
