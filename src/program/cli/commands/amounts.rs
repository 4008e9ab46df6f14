//! Reads sizes and times as they are typed in options.

use std::time::Duration;

use bytesize::ByteSize;

/// What is expected of a size, and of a time.
const SIZES: &str = "expected a size as in 512MiB, 4GB or 1000000 (bytes)";
const TIMES: &str = "expected a time as in 90s, 10m or 1h30m";

/// Reads a size in bytes, such as 512MiB.
pub(super) fn parse_size(text: &str) -> Result<ByteSize, String> {
    let problem = match problem_of(text) {
        Some(problem) => problem,
        None => match text.parse() {
            Ok(size) => return Ok(size),
            Err(_) => format!("\"{}\" is not a unit of size", unit_of(text)),
        },
    };
    Err(format!("{problem}; {SIZES}"))
}

/// Reads a time, such as 1h30m.
pub(super) fn parse_time(text: &str) -> Result<Duration, String> {
    let problem = match problem_of(text) {
        Some(problem) => problem,
        None => match humantime::parse_duration(text) {
            Ok(time) => return Ok(time),
            Err(_) if unit_of(text).is_empty() => "it has no unit".into(),
            Err(_) => "it is not a time".into(),
        },
    };
    Err(format!("{problem}; {TIMES}"))
}

/// What is wrong with an amount, whatever its unit.
fn problem_of(text: &str) -> Option<String> {
    let text = text.trim();
    match text.chars().next() {
        None => Some("it is empty".into()),
        Some('-') => Some("it is negative".into()),
        Some('0'..='9') => None,
        Some(_) => Some("it does not begin with a number".into()),
    }
}

/// What follows the number that a text begins with.
fn unit_of(text: &str) -> &str {
    text.trim().trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.').trim()
}
