//! Detects why a discovery may never end: a part of the state that grows while play repeats.
//!
//! State types of other libraries count plies, moves since a capture, or repetitions of a position.
//! Each round of play then creates new states. This module searches a line of play for two states
//! that are alike except for parts that only grow along it.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::game::{Game, WriteState};

/// How many plies of a line of play are checked.
const PLIES: usize = 400;

/// How many lines of play are tried.
const LINES: usize = 8;

/// How often a part has to grow along a line, without ever decreasing.
const GROWTHS: usize = 6;

/// Two states that are alike except for the growing parts.
pub(super) struct Growth {
    pub(super) parts: String,
    pub(super) earlier: String,
    pub(super) later: String,
}

/// Searches play from the roots for two states that differ only in parts that grow.
pub(super) fn find<G: Game>(game: &G, write: WriteState<G>) -> Option<Growth> {
    let mut random = SmallRng::seed_from_u64(0);
    let root = game.roots().into_iter().next()?;
    (0..LINES).find_map(|_| {
        let line = play(game, &root, &mut random);
        let parts: Vec<Vec<GrowthPart>> =
            line.iter().map(|at| parts_of(&format!("{at:#?}"))).collect();
        let (earlier, later, growing) = repeated(&parts)?;
        let names = growing.iter().map(|&part| format!("`{}`", parts[earlier][part].name));
        Some(Growth {
            parts: names.collect::<Vec<_>>().join(" and "),
            earlier: write(game, &line[earlier]),
            later: write(game, &line[later]),
        })
    })
}

/// A line of play that tends to repeat: of four plies, the last two lead back as far as possible.
fn play<G: Game>(game: &G, root: &G::State, random: &mut SmallRng) -> Vec<G::State> {
    let mut line = vec![root.clone()];
    while line.len() < PLIES {
        let Some(at) = line.last() else { break };
        let mut next = Vec::new();
        if game.terminal(at).is_none() {
            game.moves(at, |state| next.push(state));
        }
        if next.is_empty() {
            break;
        }
        let ply = line.len() - 1;
        let chosen = if ply % 4 < 2 {
            random.random_range(0..next.len())
        } else {
            let back_to = format!("{:#?}", line[ply - ply % 4]);
            let texts = next.iter().map(|state| format!("{state:#?}")).collect();
            most_alike(&back_to, texts)
        };
        line.push(next.swap_remove(chosen));
    }
    line
}

/// A named part of a state, as `Debug` writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct GrowthPart {
    name: String,
    text: String,
}

/// The place of the state that differs from a state in the fewest parts. States are texts of
/// `Debug`.
fn most_alike(from: &str, states: Vec<String>) -> usize {
    let from = parts_of(from);
    let far =
        |state: &str| parts_of(state).iter().zip(&from).filter(|(one, other)| one != other).count();
    (0..states.len()).min_by_key(|&at| far(&states[at])).unwrap_or(0)
}

/// The parts of a state that `Debug` has written: its named fields, or else the lines.
fn parts_of(state: &str) -> Vec<GrowthPart> {
    let mut parts: Vec<GrowthPart> = Vec::new();
    for line in state.lines() {
        let line = line.trim().trim_end_matches(',');
        let named = line.split_once(": ").filter(|(name, _)| {
            !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        });
        match (named, parts.last_mut()) {
            (Some((name, text)), _) => {
                parts.push(GrowthPart { name: name.into(), text: text.into() })
            }
            (None, Some(part)) if !part.name.starts_with("part ") => {
                part.text.push(' ');
                part.text.push_str(line);
            }
            (None, _) => {
                parts.push(GrowthPart { name: format!("part {}", parts.len()), text: line.into() });
            }
        }
    }
    parts
}

/// The places of two states that are alike except for parts that only grow along the line, and
/// these parts.
fn repeated(line: &[Vec<GrowthPart>]) -> Option<(usize, usize, Vec<usize>)> {
    let count = line.first()?.len();
    let has_names = |parts: &Vec<GrowthPart>| {
        parts.len() == count
            && parts.iter().zip(&line[0]).all(|(one, first)| one.name == first.name)
    };
    if !line.iter().all(has_names) {
        return None;
    }
    let growing: Vec<usize> = (0..count).filter(|&part| only_grows(line, part)).collect();
    let alike = |one: &[GrowthPart], other: &[GrowthPart]| {
        (0..count).all(|part| one[part] == other[part] || growing.contains(&part))
    };
    for (at, earlier) in line.iter().enumerate() {
        let later = line.iter().enumerate().skip(at + 1).find(|(_, later)| alike(earlier, later));
        if let Some((later, found)) = later {
            let differing: Vec<usize> =
                growing.iter().copied().filter(|&part| earlier[part] != found[part]).collect();
            if !differing.is_empty() {
                return Some((at, later, differing));
            }
        }
    }
    None
}

/// Whether a part never decreases along a line, and increases at least [`GROWTHS`] times.
fn only_grows(line: &[Vec<GrowthPart>], part: usize) -> bool {
    let mut growths = 0;
    for pair in line.windows(2) {
        let (before, after) = (&pair[0][part].text, &pair[1][part].text);
        match (number_in(before), number_in(after)) {
            _ if before == after => {}
            (Some(less), Some(more)) if less < more => growths += 1,
            // A list that grows.
            (None, None) if before.len() < after.len() => growths += 1,
            _ => return false,
        }
    }
    growths >= GROWTHS
}

/// The one number in a text, as in `12` and in `NonZero( 12 )`.
fn number_in(text: &str) -> Option<u128> {
    if text.contains(['[', '{']) {
        return None;
    }
    let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let number = numbers.next()?.parse().ok()?;
    numbers.next().is_none().then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Outcome, Player, write_debug};

    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Position {
        at: u8,
        turn: Player,
        past: Vec<u8>,
        plies: u32,
    }

    /// A token that walks on a ring of six places.
    struct Ring {
        counts: bool,
        remembers: bool,
    }

    impl Game for Ring {
        type State = Position;

        fn turn(&self, position: &Position) -> Player {
            position.turn
        }

        fn terminal(&self, _: &Position) -> Option<Outcome> {
            None
        }

        fn moves(&self, position: &Position, mut visit: impl FnMut(Position)) {
            for step in [1, 5] {
                let mut next = position.clone();
                next.at = (next.at + step) % 6;
                next.turn = next.turn.opponent();
                next.plies += u32::from(self.counts);
                if self.remembers {
                    next.past.push(position.at);
                }
                visit(next);
            }
        }

        fn roots(&self) -> impl IntoIterator<Item = Position> {
            [Position { at: 0, turn: Player::First, past: Vec::new(), plies: 0 }]
        }
    }

    #[test]
    fn what_counts_or_remembers_is_named() {
        let found = |counts, remembers| {
            find(&Ring { counts, remembers }, write_debug).map(|growth| growth.parts)
        };
        assert_eq!(found(true, false).as_deref(), Some("`plies`"));
        assert_eq!(found(false, true).as_deref(), Some("`past`"));
        assert_eq!(found(true, true).as_deref(), Some("`past` and `plies`"));
        assert_eq!(found(false, false), None);
    }
}
