//! The parts of a state: its fields, places in tuples and elements of lists, each with a name.
//!
//! A state tells its parts by the text that derived `Debug` writes. Other texts have words as their
//! parts. Any text has parts; this module never fails.

use std::collections::BTreeMap;

/// The name of a state as a whole.
const WHOLE: &str = "state";

/// How deep parts are looked into.
const DEEPEST: usize = 32;

/// A part that is compared as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// A number.
    Number(i128),
    /// The number of elements of a list or set, whose elements are parts themselves.
    Length(usize),
    /// The number of entries of a table, and the sum of the numbers in it.
    Entries(usize, i128),
    /// Anything else.
    Text(String),
}

/// How a part changes with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    None,
    /// A number gains bits and loses none, as a set of places does to which one is added: it can't
    /// grow for ever.
    Gains,
    Grows,
    /// It shrinks, or becomes something else.
    Other,
}

impl Part {
    /// How this part changes if it becomes `after`.
    pub(super) fn change(&self, after: &Part) -> Change {
        let grows = match (self, after) {
            _ if self == after => return Change::None,
            (&Part::Number(before), &Part::Number(after)) if before < after => {
                let keeps_bits = before >= 0 && before & after == before;
                return if keeps_bits { Change::Gains } else { Change::Grows };
            }
            (Part::Length(before), Part::Length(after)) => before < after,
            (Part::Entries(before, sum), Part::Entries(after, new_sum)) => {
                before <= after && sum <= new_sum
            }
            (Part::Text(before), Part::Text(after)) => after.starts_with(before.as_str()),
            _ => false,
        };
        if grows { Change::Grows } else { Change::Other }
    }

    fn of_word(word: &str) -> Part {
        let number = match word.get(..2) {
            Some("0x") => i128::from_str_radix(&word[2..], 16),
            Some("0b") => i128::from_str_radix(&word[2..], 2),
            _ => word.parse(),
        };
        number.map_or_else(|_| Part::Text(word.to_owned()), Part::Number)
    }
}

/// The parts of a state by name.
pub(super) type Parts = BTreeMap<String, Part>;

/// Whether a part belongs to a larger one: `past[3]` and `past` to `past`.
pub(super) fn belongs(name: &str, larger: &str) -> bool {
    let rest = name.strip_prefix(larger);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '{', ' ', ':']))
}

/// The parts of a state with this text.
pub(super) fn parts_of(text: &str) -> Parts {
    let mut parser = Parser { text, at: 0 };
    let mut items = parser.items(None, 0);
    let node = match &items[..] {
        [Item { key: None, .. }] => items.swap_remove(0).node,
        _ => Node::Named(String::new(), items),
    };
    let mut parts = Parts::new();
    node.add_to(&mut parts, WHOLE);
    parts
}

/// A text in brackets, or without.
enum Node {
    Leaf(String),
    /// Elements in `[]`.
    List(Vec<Item>),
    /// Elements or entries in `{}`.
    Table(Vec<Item>),
    /// Fields in `{}` behind a name, or places in `()`.
    Named(String, Vec<Item>),
}

/// An element; with a key, a field or an entry.
struct Item {
    key: Option<String>,
    /// The text of the node.
    text: String,
    node: Node,
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl Parser<'_> {
    fn next(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip(&mut self, letter: char) {
        self.at += letter.len_utf8();
    }

    /// The items up to this bracket, or to the end of the text.
    fn items(&mut self, end: Option<char>, depth: usize) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::new();
        let mut key = None;
        while let Some(letter) = self.next() {
            match letter {
                _ if Some(letter) == end => {
                    self.skip(letter);
                    break;
                }
                ',' | ';' => self.skip(letter),
                letter if letter.is_whitespace() => self.skip(letter),
                // A bracket that nobody has opened.
                ')' | ']' | '}' => self.skip(letter),
                ':' => {
                    self.skip(letter);
                    key = items.pop().map(|item| item.text);
                }
                _ => {
                    let start = self.at;
                    let node = self.node(depth);
                    let text = self.text[start..self.at].trim().to_owned();
                    items.push(Item { key: key.take(), text, node });
                }
            }
        }
        items
    }

    fn node(&mut self, depth: usize) -> Node {
        if self.next() == Some('"') {
            return Node::Leaf(self.quoted());
        }
        let name = self.run();
        let inside = |parser: &mut Self, close| {
            parser.at += 1;
            parser.items(Some(close), depth + 1)
        };
        match self.next() {
            Some(letter) if depth >= DEEPEST => {
                // Deeper brackets are letters like others.
                self.skip(letter);
                Node::Leaf(name)
            }
            Some('(') => Node::Named(name, inside(self, ')')),
            Some('{') if !name.is_empty() => Node::Named(name, inside(self, '}')),
            Some('{') => Node::Table(inside(self, '}')),
            Some('[') if name.is_empty() => Node::List(inside(self, ']')),
            Some(letter) if name.is_empty() => {
                self.skip(letter);
                Node::Leaf(letter.to_string())
            }
            _ => Node::Leaf(name),
        }
    }

    /// The text up to a comma, a bracket, a quotation mark, or a colon before a blank.
    fn run(&mut self) -> String {
        let start = self.at;
        while let Some(letter) = self.next() {
            let rest = &self.text[self.at..];
            let is_key = letter == ':' && rest[1..].chars().next().is_none_or(char::is_whitespace);
            // A bracket as a character: '('.
            if letter == '\'' && rest.chars().nth(2) == Some('\'') {
                self.at += rest.chars().take(3).map(char::len_utf8).sum::<usize>();
            } else if is_key || ",;()[]{}\"".contains(letter) {
                break;
            } else {
                self.skip(letter);
            }
        }
        self.text[start..self.at].trim().to_owned()
    }

    fn quoted(&mut self) -> String {
        self.at += 1;
        let start = self.at;
        while let Some(letter) = self.next() {
            if letter == '"' {
                break;
            }
            self.skip(letter);
            if letter == '\\'
                && let Some(escaped) = self.next()
            {
                self.skip(escaped);
            }
        }
        let text = self.text[start..self.at].to_owned();
        self.at = (self.at + 1).min(self.text.len());
        text
    }
}

impl Node {
    fn add_to(self, parts: &mut Parts, path: &str) {
        let own = path.to_owned();
        match self {
            Node::Leaf(text) => {
                let words: Vec<&str> = text.split_whitespace().collect();
                if words.len() > 1 {
                    parts.insert(own, Part::Length(words.len()));
                    for (at, word) in words.iter().enumerate() {
                        parts.insert(format!("{path} word {}", at + 1), Part::of_word(word));
                    }
                } else {
                    parts.insert(own, Part::of_word(text.trim()));
                }
            }
            Node::List(items) => {
                parts.insert(own, Part::Length(items.len()));
                for (at, item) in items.into_iter().enumerate() {
                    item.node.add_to(parts, &format!("{path}[{at}]"));
                }
            }
            Node::Table(items) => {
                let number = |item: &Item| match Part::of_word(&item.text) {
                    Part::Number(number) if item.key.is_some() => Some(number),
                    _ => None,
                };
                let sum = items.iter().filter_map(number).fold(0, i128::saturating_add);
                parts.insert(own, Part::Entries(items.len(), sum));
                for item in items {
                    match item.key {
                        Some(key) => item.node.add_to(parts, &format!("{path}[{key}]")),
                        None => {
                            let element = format!("{path}{{{}}}", item.text);
                            parts.insert(element, Part::Length(1));
                        }
                    }
                }
            }
            // A wrapper, such as `Some(5)`, is its contents.
            Node::Named(name, mut items) if items.len() == 1 && items[0].key.is_none() => {
                parts.insert(format!("{path}::"), Part::Text(name));
                items.swap_remove(0).node.add_to(parts, path);
            }
            Node::Named(name, items) => {
                parts.insert(format!("{path}::"), Part::Text(name));
                for (at, item) in items.into_iter().enumerate() {
                    let name = match item.key {
                        Some(key) if path == WHOLE => key,
                        Some(key) => format!("{path}.{key}"),
                        None => format!("{path}.{at}"),
                    };
                    item.node.add_to(parts, &name);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        parts_of(text).into_keys().filter(|name| !name.ends_with("::")).collect()
    }

    #[test]
    fn parts_have_names() {
        assert_eq!(names("Position { at: 5, turn: First, plies: 12 }"), ["at", "plies", "turn"]);
        assert_eq!(names("(5, First, 3)"), ["state.0", "state.1", "state.2"]);
        assert_eq!(names("[5, 7]"), ["state", "state[0]", "state[1]"]);
        assert_eq!(
            names("At { board: Board { x: 5 }, past: [(1, 2)] }"),
            ["board.x", "past", "past[0].0", "past[0].1"]
        );
        assert_eq!(
            names("T { seen: {3: 1, 5: 2}, of: {7} }"),
            ["of", "of{7}", "seen", "seen[3]", "seen[5]"]
        );
        assert_eq!(names("\"xo. 12\""), ["state", "state word 1", "state word 2"]);
    }

    #[test]
    fn parts_have_values() {
        let parts = parts_of("P { a: Some(NonZero(5)), b: -3, c: ',', d: \"x \\\" y\", e: 0x1f }");
        assert_eq!(parts["a"], Part::Number(5));
        assert_eq!(parts["b"], Part::Number(-3));
        assert_eq!(parts["c"], Part::Text("','".into()));
        assert_eq!(parts["d"], Part::Length(3));
        assert_eq!(parts["e"], Part::Number(31));
        assert_eq!(parts_of("{1: 4, 9: 2}")["state"], Part::Entries(2, 6));
    }

    #[test]
    fn any_text_has_parts() {
        for text in ["", ":", "((", "])}", "a: b: c", "'", "ä(", "\"", "{:}", "'('"] {
            parts_of(text);
        }
        assert!(!parts_of(&"(".repeat(100_000)).is_empty());
    }

    #[test]
    fn a_part_gains_or_grows_or_neither() {
        use Part::*;
        assert_eq!(Number(5).change(&Number(7)), Change::Gains);
        assert_eq!(Number(7).change(&Number(8)), Change::Grows);
        assert_eq!(Number(8).change(&Number(7)), Change::Other);
        assert_eq!(Entries(2, 6).change(&Entries(2, 7)), Change::Grows);
        assert_eq!(Text("e4".into()).change(&Text("e4e5".into())), Change::Grows);
        assert_eq!(Text("5".into()).change(&Number(6)), Change::Other);
    }
}
