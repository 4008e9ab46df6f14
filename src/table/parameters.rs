//! A game's parameters in a file: a text of JSON, which is not trusted.
//!
//! What a text becomes in memory can be many times as long: an empty list takes two bytes in the text, and 24
//! as a vector. So the text is bounded, and what is in it, before the game reads it.

use crate::error::TableError;
use crate::table::Stored;

/// How long parameters may be, in bytes.
pub(crate) const LONGEST: usize = 1 << 27;

/// How many values parameters may have: numbers, texts, lists and so on.
const MOST_VALUES: usize = 1 << 25;

/// How many of these may be lists or objects.
const MOST_LISTS: usize = 1 << 20;

/// A game's parameters as files have them, in JSON.
pub(crate) fn parameters<G: Stored>(game: &G) -> Result<String, TableError> {
    let part = "the game's parameters";
    let text = serde_json::to_string(game).map_err(|error| TableError::malformed(part, error))?;
    if text.len() > LONGEST {
        return Err(TableError::ParametersTooLong { bytes: text.len(), most: LONGEST });
    }
    check(&text).map_err(|problem| TableError::malformed(part, problem))?;
    Ok(text)
}

/// Makes sure that a text of JSON does not become much longer in memory. Whether it is JSON, shows when it
/// is read.
pub(crate) fn check(text: &str) -> Result<(), String> {
    if text.len() > LONGEST {
        return Err(format!("have {} bytes, where {LONGEST} are the most", text.len()));
    }
    // In most texts there are too few of the letters, whatever they stand for.
    let values = text.bytes().filter(|byte| matches!(byte, b'[' | b'{' | b',')).count();
    let lists = text.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count();
    if values <= MOST_VALUES && lists <= MOST_LISTS {
        return Ok(());
    }
    let (values, lists) = count(text);
    for (what, count, most) in [("values", values, MOST_VALUES), ("lists", lists, MOST_LISTS)] {
        if count > most {
            return Err(format!("have {count} {what}, where {most} are the most"));
        }
    }
    Ok(())
}

/// How many values there are in a text of JSON, about, and how many lists and objects.
fn count(text: &str) -> (usize, usize) {
    let (mut values, mut lists) = (0, 0);
    let (mut in_string, mut escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_string,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => (lists, values) = (lists + 1, values + 1),
            b',' if !in_string => values += 1,
            _ => {}
        }
    }
    (values, lists)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_become_long_in_memory_are_refused() {
        let lists = |count: usize| format!("[{}[]]", "[],".repeat(count - 2));
        assert_eq!(check(&lists(MOST_LISTS)), Ok(()));
        assert!(check(&lists(MOST_LISTS + 1)).is_err());
        let numbers = |count: usize| format!("[{}1]", "1,".repeat(count - 1));
        assert_eq!(check(&numbers(MOST_VALUES)), Ok(()));
        assert!(check(&numbers(MOST_VALUES + 1)).is_err());
        // Brackets of a text are no lists.
        assert_eq!(check(&format!("[\"{}\"]", "\\\"[{,".repeat(MOST_LISTS))), Ok(()));
        assert!(check(&" ".repeat(LONGEST + 1)).is_err());
    }
}
