//! The differences between two values, by the names of their fields.

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;

/// How many differences are written.
const MOST: usize = 6;

/// How many characters of a name or a value are written.
const LONGEST: usize = 60;

/// The fields in which a value differs from the one that was expected, on one line: "turn is Second
/// instead of First, board[3] is 0 instead of 2". Six are named, each in some 150 characters at
/// most.
///
/// The fields are the ones that the derived `Debug` writes. None where that writes both values alike, or has no
/// field in which they differ: numbers, and two variants of an enum.
pub(crate) fn differences(found: &dyn Debug, expected: &dyn Debug) -> Option<String> {
    let [found, expected] = [found, expected].map(|value| fields(&format!("{value:#?}")));
    let values = |fields: &[Field]| -> HashMap<String, String> {
        fields.iter().map(|field| (field.path.clone(), field.value.clone())).collect()
    };
    let [in_found, in_expected] = [&found, &expected].map(|fields| values(fields));
    let (mut differing, mut said) = (HashSet::new(), Vec::new());
    for Field { path, parent, .. } in expected.iter().chain(&found) {
        let pair = (in_found.get(path), in_expected.get(path));
        // The inside of a field that differs is not listed again.
        let is_inside = parent.as_ref().is_some_and(|parent| differing.contains(parent));
        let is_alike = pair.0 == pair.1 && !is_inside;
        if is_alike || !differing.insert(path) || is_inside {
            continue;
        }
        let path = shortened(path, LONGEST);
        let value = |value: &str| shortened(value, LONGEST);
        said.push(match pair {
            (Some(found), Some(expected)) => {
                format!("{path} is {} instead of {}", value(found), value(expected))
            }
            (Some(found), None) => format!("{path} is {} instead of nothing", value(found)),
            (None, _) => format!("{path} is missing"),
        });
    }
    if said.is_empty() || differing.iter().any(|path| path.is_empty()) {
        return None;
    }
    let more = said.len().saturating_sub(MOST);
    said.truncate(MOST);
    let more = if more > 0 { format!(", and {more} more fields differ") } else { String::new() };
    Some(said.join(", ") + &more)
}

/// A text, or its first `most` characters where it is longer.
fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// A field of a value, or an entry of a list. The whole value is one, too.
struct Field {
    /// Where it is in the value: `men[2].at`. Empty for the whole value.
    path: String,
    /// The path of the field that contains it; none for the whole value.
    parent: Option<String>,
    /// The value on one line. Of one with fields of its own it is the name.
    value: String,
}

/// A value with fields whose end has not been read yet.
struct Open {
    path: String,
    /// The bracket that it begins with.
    bracket: char,
    /// How many of its fields have been read.
    count: usize,
}

impl Open {
    /// The path of its next field, and the rest of the field's line.
    fn next<'l>(&mut self, line: &'l str) -> (String, &'l str) {
        self.count += 1;
        let dot = if self.path.is_empty() { "" } else { "." };
        match line.split_once(": ") {
            Some((name, rest)) if self.bracket == '{' => {
                (format!("{}{dot}{name}", self.path), rest)
            }
            _ if self.bracket == '(' => (format!("{}{dot}{}", self.path, self.count - 1), line),
            _ => (format!("{}[{}]", self.path, self.count - 1), line),
        }
    }
}

/// The fields of a value that `{:#?}` has written, one a line.
fn fields(text: &str) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    for line in text.lines().map(str::trim) {
        let line = line.strip_suffix(',').unwrap_or(line);
        if matches!(line, "}" | "]" | ")") {
            open.pop();
            continue;
        }
        let parent = open.last().map(|open| open.path.clone());
        let (path, rest) = open.last_mut().map_or((String::new(), line), |open| open.next(line));
        let bracket = rest.chars().next_back().filter(|last| matches!(last, '{' | '[' | '('));
        let value = match bracket {
            None => rest.to_owned(),
            Some(bracket) => {
                open.push(Open { path: path.clone(), bracket, count: 0 });
                let end = match bracket {
                    '{' => '}',
                    '[' => ']',
                    _ => ')',
                };
                format!("{rest}…{end}")
            }
        };
        fields.push(Field { path, parent, value });
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug)]
    #[expect(dead_code, reason = "read by `Debug` alone")]
    struct Position {
        board: Vec<[u8; 2]>,
        last: Option<(u8, char)>,
        turn: &'static str,
    }

    fn position() -> Position {
        Position { board: vec![[1, 2], [3, 4]], last: Some((7, ',')), turn: "first: {" }
    }

    #[test]
    fn fields_that_differ_are_named_with_both_values() {
        let expected = position();
        let mut found = expected.clone();
        assert_eq!(differences(&found, &expected), None);
        found.board[1][0] = 9;
        found.turn = "second";
        let text = "board[1][0] is 9 instead of 3, turn is \"second\" instead of \"first: {\"";
        assert_eq!(differences(&found, &expected).as_deref(), Some(text));
        let found = Position { last: Some((7, '[')), ..position() };
        let text = "last.0.1 is '[' instead of ','";
        assert_eq!(differences(&found, &expected).as_deref(), Some(text));
    }

    #[test]
    fn what_is_missing_or_too_much_is_said_once() {
        let expected = position();
        let found = Position { last: None, board: vec![[1, 2]], ..position() };
        let text = "board[1] is missing, last is None instead of Some(…)";
        assert_eq!(differences(&found, &expected).as_deref(), Some(text));
        let text = "last is Some(…) instead of None, board[1] is […] instead of nothing";
        assert_eq!(differences(&expected, &found).as_deref(), Some(text));
        assert_eq!(differences(&vec![1, 2], &vec![1, 3]).as_deref(), Some("[1] is 2 instead of 3"));
    }

    #[test]
    fn values_without_fields_have_no_names() {
        assert_eq!(differences(&1, &2), None);
        assert_eq!(differences(&Some(1), &None::<u8>), None);
    }

    #[test]
    fn a_thousand_differences_take_one_short_line() {
        let long = |letter: &str| vec![letter.repeat(10_000); 1_000];
        let text = differences(&long("a"), &long("ä")).expect("they differ");
        assert!(text.ends_with(", and 994 more fields differ"), "{text}");
        assert!(text.chars().count() < 1_000 && text.lines().count() == 1, "{text}");
    }

    /// `Debug` that is written by hand can be anything.
    #[test]
    fn unbalanced_brackets_do_no_harm() {
        struct Text(&'static str);
        impl Debug for Text {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.0)
            }
        }
        for (one, other) in [("}\n}\n]\n1", "}\n2"), ("{\n{\n(\n", ""), ("[\n: \n", "[\n\n: 1")] {
            let _ = (differences(&Text(one), &Text(other)), differences(&Text(other), &Text(one)));
        }
    }
}
