//! Finds the move or command that a person types.

use std::cmp::Ordering;

use crate::program::cli::output::WIDTH;
use crate::program::cli::similar::{did_you_mean, most_similar};

/// The commands that a person can type beside moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Hint,
    Value,
    Moves,
    Line,
    Back,
    Switch,
    Help,
    Quit,
}

/// The commands by their names. The first name of each is the one that the help shows.
const COMMANDS: [(&str, Command); 14] = [
    ("hint", Command::Hint),
    ("value", Command::Value),
    ("moves", Command::Moves),
    ("line", Command::Line),
    ("back", Command::Back),
    ("undo", Command::Back),
    ("switch", Command::Switch),
    ("flip", Command::Switch),
    ("flip side", Command::Switch),
    ("help", Command::Help),
    ("?", Command::Help),
    ("quit", Command::Quit),
    ("exit", Command::Quit),
    ("q", Command::Quit),
];

/// The help.
pub(super) const HELP: &str = "\
a move, the beginning of it that no other move has, or its number
  hint    the best moves
  value   who wins from here, and in how many plies
  moves   all moves with their values, best first
  line    best play from here to the end
  back    take back your last move and the answer
  switch  change sides
  quit    end the game, as Ctrl-D does
";

/// What a typed line means.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Typed {
    Nothing,
    /// The move at this place.
    Move(usize),
    Command(Command),
    /// No move or command: this text says why.
    Unclear(String),
}

/// The legal moves as a person sees them.
pub(super) struct Choices {
    /// Each move in the game's notation, and without the name of the player who makes it. The
    /// places are those in the list that the choices were made of.
    moves: Vec<(String, String)>,
    /// The places of the moves in the order that they are shown in. It does not depend on their
    /// values.
    shown: Vec<usize>,
    /// Whether moves have numbers. They have none if their texts are numbers.
    numbered: bool,
}

impl Choices {
    /// The choices of the player of this name.
    pub(super) fn new<'m>(moves: impl Iterator<Item = &'m str>, player: &str) -> Choices {
        let short = |text: &str| {
            let rest = text.strip_prefix(player).and_then(|rest| rest.strip_prefix(' '));
            rest.unwrap_or(text).to_owned()
        };
        let moves: Vec<_> = moves.map(|text| (text.to_owned(), short(text))).collect();
        let mut shown: Vec<usize> = (0..moves.len()).collect();
        shown.sort_by(|&one, &other| natural(&moves[one].1, &moves[other].1));
        let numbered = !moves.iter().any(|(_, short)| short.parse::<u64>().is_ok());
        Choices { moves, shown, numbered }
    }

    /// A move without the name of the player who makes it.
    pub(super) fn short(&self, at: usize) -> &str {
        self.moves.get(at).map_or("", |(_, short)| short)
    }

    /// The number of a move, if moves have numbers.
    pub(super) fn number(&self, at: usize) -> String {
        let place = self.shown.iter().position(|&shown| shown == at);
        match place {
            Some(place) if self.numbered => (place + 1).to_string(),
            _ => String::new(),
        }
    }

    /// The moves with their numbers, in columns.
    pub(super) fn list(&self) -> String {
        let digits = self.moves.len().to_string().len();
        let entry = |&at: &usize| match self.numbered {
            true => format!("{:>digits$}  {}", self.number(at), self.short(at)),
            false => self.short(at).to_owned(),
        };
        let entries: Vec<String> = self.shown.iter().map(entry).collect();
        let widest = entries.iter().map(|entry| entry.chars().count()).max().unwrap_or(0) + 4;
        let row = |entries: &[String]| {
            let row: String = entries.iter().map(|entry| format!("{entry:widest$}")).collect();
            format!("  {}\n", row.trim_end())
        };
        // The last column needs no blanks behind it.
        entries.chunks(((WIDTH + 2) / widest).max(1)).map(row).collect()
    }

    /// What a line means. A whole move goes before a command, a command before a number, and a
    /// number before the beginning of a move.
    pub(super) fn read(&self, line: &str) -> Typed {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.is_empty() {
            return Typed::Nothing;
        }
        let lower = line.to_lowercase();
        let all = |is_meant: &dyn Fn(&str) -> bool| -> Vec<usize> {
            let is_meant = |&&at: &&usize| {
                let (text, short) = &self.moves[at];
                is_meant(text) || is_meant(short)
            };
            self.shown.iter().filter(is_meant).copied().collect()
        };
        let whole = all(&|text| text == line);
        let whole =
            if whole.is_empty() { all(&|text| text.to_lowercase() == lower) } else { whole };
        if !whole.is_empty() {
            return self.only(&line, &whole);
        }
        if let Some((_, command)) = COMMANDS.iter().find(|(name, _)| *name == lower) {
            return Typed::Command(*command);
        }
        let number = line.parse::<usize>().ok().filter(|_| self.numbered);
        let place = number.and_then(|number| number.checked_sub(1));
        if let Some(&at) = place.and_then(|place| self.shown.get(place)) {
            return Typed::Move(at);
        }
        let begun = all(&|text| text.to_lowercase().starts_with(&lower));
        match (begun.is_empty(), number) {
            (false, _) => self.only(&line, &begun),
            (true, None) => Typed::Unclear(self.no_such_move(&line)),
            (true, Some(number)) => {
                let last = self.shown.len();
                Typed::Unclear(format!("no move has the number {number}: expected 1 to {last}"))
            }
        }
    }

    /// The move that is meant, or the question which of several it is.
    fn only(&self, line: &str, meant: &[usize]) -> Typed {
        if let [at] = meant {
            return Typed::Move(*at);
        }
        let name = |&at: &usize| match self.numbered {
            true => format!("{} ({})", self.short(at), self.number(at)),
            false => self.short(at).to_owned(),
        };
        let mut names: Vec<String> = meant.iter().take(6).map(name).collect();
        if meant.len() > names.len() {
            names.push("…".into());
        }
        Typed::Unclear(format!("\"{line}\" can be {}", names.join(", ")))
    }

    fn no_such_move(&self, line: &str) -> String {
        let moves = self.moves.iter().flat_map(|(text, short)| [short.as_str(), text.as_str()]);
        let names = moves.chain(COMMANDS.iter().map(|(name, _)| *name));
        match most_similar(line, names) {
            None => format!("no such move: \"{line}\"; `help` lists what you can type"),
            meant => format!("no such move: \"{line}\"{}", did_you_mean(meant)),
        }
    }
}

/// Orders texts by their letters, and numbers in them by their size.
fn natural(one: &str, other: &str) -> Ordering {
    // Each part is all digits, or has none.
    let parts = |text: &str| -> Vec<String> {
        let parts = text.as_bytes().chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit());
        parts.map(|part| String::from_utf8_lossy(part).into_owned()).collect()
    };
    let (ones, others) = (parts(one), parts(other));
    let order = |(one, other): (&String, &String)| match (one.parse::<u64>(), other.parse()) {
        (Ok(one), Ok(other)) => one.cmp(&other),
        _ => one.cmp(other),
    };
    let mut orders = ones.iter().zip(&others).map(order);
    orders.find(|order| order.is_ne()).unwrap_or(ones.len().cmp(&others.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices(moves: &[&str]) -> Choices {
        Choices::new(moves.iter().copied(), "mouse")
    }

    #[test]
    fn a_move_is_typed_whole_or_in_part_or_by_its_number() {
        // Best first; shown are 7-8, 7-9, 7-10 and stays.
        let choices = choices(&["mouse 7-10", "mouse 7-8", "mouse 7-9", "mouse stays"]);
        for (typed, at) in [
            ("mouse 7-10", 0),
            ("7-10", 0),
            ("  MOUSE   7-8 ", 1),
            ("3", 0),
            ("1", 1),
            ("s", 3),
            ("mouse s", 3),
            ("7-1", 0),
        ] {
            assert_eq!(choices.read(typed), Typed::Move(at), "{typed}");
        }
        assert_eq!(choices.read(" "), Typed::Nothing);
        assert_eq!(choices.read("Flip  side"), Typed::Command(Command::Switch));
        for (typed, told) in [
            ("7", "can be 7-8 (1), 7-9 (2), 7-10 (3)"),
            ("0", "no move has the number 0: expected 1 to 4"),
            ("7-", "can be 7-8 (1), 7-9 (2), 7-10 (3)"),
            ("7-11", "did you mean `7-1"),
            ("hnt", "did you mean `hint`"),
            ("xyz", "`help`"),
        ] {
            let read = choices.read(typed);
            assert!(matches!(&read, Typed::Unclear(text) if text.contains(told)), "{read:?}");
        }
        assert_eq!(choices.list(), "  1  7-8      2  7-9      3  7-10     4  stays\n");
    }

    #[test]
    fn moves_that_are_numbers_have_no_numbers() {
        let choices = choices(&["18", "20", "line"]);
        assert_eq!(choices.read("18"), Typed::Move(0));
        assert_eq!(choices.read("line"), Typed::Move(2));
        assert_eq!(choices.read("2"), Typed::Move(1));
        assert!(matches!(choices.read("1"), Typed::Move(0)));
        assert!(matches!(choices.read("3"), Typed::Unclear(_)));
    }

    #[test]
    fn numbers_in_moves_are_ordered_by_their_size() {
        let mut moves = ["b10", "b9", "a", "b", "b9-2", "ä1"];
        moves.sort_by(|one, other| natural(one, other));
        assert_eq!(moves, ["a", "b", "b9", "b9-2", "b10", "ä1"]);
    }
}
