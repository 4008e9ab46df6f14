//! Tags of answers, by which a client asks whether its copy is still right (RFC 9110).

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// The tag of an identity. It is weak: the same answer may be sent compressed or not.
pub(super) fn weak(identity: &str) -> Option<HeaderValue> {
    HeaderValue::try_from(format!("W/\"{identity}\"")).ok()
}

/// Whether a request says that its client has an answer with this tag.
pub(super) fn is_known(request: &HeaderMap, tag: &HeaderValue) -> bool {
    let lists = request.get_all(header::IF_NONE_MATCH);
    lists.iter().any(|list| has(list.as_bytes(), tag.as_bytes()))
}

/// Gives an answer its tag, unless the server has failed. A successful answer that the client has
/// already is left out. A wrong question is refused whatever the client has.
pub(super) fn tagged(mut response: Response, tag: HeaderValue, is_known: bool) -> Response {
    if response.status().is_server_error() {
        return response;
    }
    if is_known && response.status().is_success() {
        response = StatusCode::NOT_MODIFIED.into_response();
    }
    let headers = response.headers_mut();
    headers.insert(header::ETAG, tag);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}

/// Whether a list of tags has this one or is `*`, which stands for all. Weak and strong tags of the same
/// text are alike. What follows a piece that is no tag is left unread.
fn has(list: &[u8], tag: &[u8]) -> bool {
    let text = |tag: &[u8]| tag.strip_prefix(b"W/").unwrap_or(tag).to_owned();
    let wanted = text(tag);
    let mut rest = list.trim_ascii();
    if rest == b"*" {
        return true;
    }
    loop {
        rest = rest.trim_ascii_start();
        if let Some(behind) = rest.strip_prefix(b",") {
            rest = behind;
            continue;
        }
        let opaque = rest.strip_prefix(b"W/").unwrap_or(rest);
        let Some(inner) = opaque.strip_prefix(b"\"") else { return false };
        let Some(end) = inner.iter().position(|&byte| byte == b'"') else { return false };
        let (one, behind) = opaque.split_at(end + 2);
        let behind = behind.trim_ascii_start();
        if !matches!(behind.first(), None | Some(b',')) {
            return false;
        }
        if one == wanted {
            return true;
        }
        rest = behind;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_compared_weakly_wherever_they_stand_in_a_list() {
        for list in [
            "\"a\"",
            "W/\"a\"",
            "*",
            " * ",
            "\"b\", \"a\"",
            "\"b,\" ,W/\"a\"",
            ", ,\"a\",",
            "\"\",\"a\"",
        ] {
            assert!(has(list.as_bytes(), b"W/\"a\"") && has(list.as_bytes(), b"\"a\""), "{list}");
        }
        for list in
            ["", "a", "w/\"a\"", "\"b\"", "\"a", "\"b,\"a\"", "\"b\" \"a\"", "*, \"b\"", "W/ \"a\""]
        {
            assert!(!has(list.as_bytes(), b"W/\"a\""), "{list}");
        }
    }
}
