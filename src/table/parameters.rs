//! A game's parameters in a file: JSON text, which is not trusted.
//!
//! Parsed JSON can be many times longer than its text: an empty list takes two bytes of text, and
//! 24 bytes as a vector. So the length of the text and the number of its values are limited before
//! the game reads it.

use crate::error::TableError;
use crate::table::Stored;

/// The greatest length of parameters, in bytes.
pub(crate) const LONGEST: usize = 1 << 27;

/// The most values in parameters: numbers, texts, lists and so on.
const MOST_VALUES: usize = 1 << 25;

/// The most lists and objects among these values.
const MOST_LISTS: usize = 1 << 20;

/// A game's parameters as JSON, as files store them.
pub(crate) fn parameters<G: Stored>(game: &G) -> Result<String, TableError> {
    let part = "the game's parameters";
    let text = serde_json::to_string(game).map_err(|error| TableError::malformed(part, error))?;
    if text.len() > LONGEST {
        return Err(TableError::ParametersTooLong { bytes: text.len(), most: LONGEST });
    }
    check(&text).map_err(|problem| TableError::malformed(part, problem))?;
    Ok(text)
}

/// Checks that a JSON text does not become much longer in memory. Does not check whether it is
/// JSON.
pub(crate) fn check(text: &str) -> Result<(), String> {
    if text.len() > LONGEST {
        return Err(format!("have {} bytes, where {LONGEST} are the most", text.len()));
    }
    // Most texts have few of these characters, even if those within strings are counted.
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

/// Counts the values in a JSON text, roughly, and its lists and objects.
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
        // Brackets within strings are not lists.
        assert_eq!(check(&format!("[\"{}\"]", "\\\"[{,".repeat(MOST_LISTS))), Ok(()));
        assert!(check(&" ".repeat(LONGEST + 1)).is_err());
    }
}
