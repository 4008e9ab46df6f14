//! The files of the page.

use std::borrow::Cow;
use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use twox_hash::XxHash3_64;

use crate::program::serve::bundle::bundle;
use crate::program::serve::tags;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The sources: address, type and content. A browser gets all scripts as one.
const SOURCES: [(&str, &str, &str); 39] = [
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
    ("/mistakes.js", SCRIPT, include_str!("page/mistakes.js")),
    ("/notation.js", SCRIPT, include_str!("page/notation.js")),
    ("/opponent.js", SCRIPT, include_str!("page/opponent.js")),
    ("/person.js", SCRIPT, include_str!("page/person.js")),
    ("/picture.js", SCRIPT, include_str!("page/picture.js")),
    ("/reader.js", SCRIPT, include_str!("page/reader.js")),
    ("/repetition.js", SCRIPT, include_str!("page/repetition.js")),
    ("/replay.js", SCRIPT, include_str!("page/replay.js")),
    ("/review.js", SCRIPT, include_str!("page/review.js")),
    ("/run.js", SCRIPT, include_str!("page/run.js")),
    ("/score.js", SCRIPT, include_str!("page/score.js")),
    ("/session.js", SCRIPT, include_str!("page/session.js")),
    ("/setup.js", SCRIPT, include_str!("page/setup.js")),
    ("/share.js", SCRIPT, include_str!("page/share.js")),
    ("/state.js", SCRIPT, include_str!("page/state.js")),
    ("/style.css", CSS, include_str!("page/style.css")),
    ("/tasks.js", SCRIPT, include_str!("page/tasks.js")),
    ("/tiers.js", SCRIPT, include_str!("page/tiers.js")),
    ("/touch.js", SCRIPT, include_str!("page/touch.js")),
    ("/train.js", SCRIPT, include_str!("page/train.js")),
    ("/variations.js", SCRIPT, include_str!("page/variations.js")),
    ("/visit.js", SCRIPT, include_str!("page/visit.js")),
    ("/words.js", SCRIPT, include_str!("page/words.js")),
];

/// The module with which the page begins.
const FIRST: &str = "app.js";

/// A file as a browser gets it.
pub(crate) struct File {
    pub(crate) address: &'static str,
    pub(crate) text: Cow<'static, str>,
    kind: &'static str,
    identity: String,
}

impl File {
    fn new(address: &'static str, kind: &'static str, text: Cow<'static, str>) -> File {
        let identity = format!("{:016x}", XxHash3_64::oneshot(text.as_bytes()));
        File { address, text, kind, identity }
    }
}

/// The files of the page: few, since each costs a browser far away a part of a second.
pub(crate) static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
    let (scripts, others): (Vec<_>, Vec<_>) =
        SOURCES.into_iter().partition(|&(_, kind, _)| kind == SCRIPT);
    let modules: Vec<(&str, &str)> =
        scripts.iter().map(|&(address, _, text)| (address.trim_start_matches('/'), text)).collect();
    let mut files = vec![File::new("/app.js", SCRIPT, bundle(&modules, FIRST).into())];
    files.extend(
        others.into_iter().map(|(address, kind, text)| File::new(address, kind, text.into())),
    );
    files
});

/// The files that a site has besides, where no server answers: names and texts.
pub(crate) const SITE_FILES: [(&str, &str); 3] = [
    ("ready.js", include_str!("page/ready.js")),
    ("site.js", include_str!("page/site.js")),
    ("worker.js", include_str!("page/worker.js")),
];

/// The rights of the page: it may only talk to its own server.
pub(super) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A file of the page as an answer to a request with these headers.
pub(crate) fn answer(file: &'static File, request: &HeaderMap) -> Response {
    let File { kind, ref text, ref identity, .. } = *file;
    let mut response = (&**text).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    // Another version of the program has other files at the same addresses.
    match tags::weak(identity) {
        Some(tag) => {
            let is_known = tags::is_known(request, &tag);
            tags::tagged(response, tag, is_known)
        }
        None => response,
    }
}
