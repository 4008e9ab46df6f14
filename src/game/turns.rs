//! Questions of the engine to any game: who is to move, and how a state is written in errors.

use crate::game::{Game, Player, Players};

/// Writes a state in an error.
pub(crate) type WriteState<G> = fn(&G, &<G as Game>::State) -> String;

/// How many characters of a text without a notation are written.
const MOST: usize = 200;

/// A text of any length on one line, cut after 200 characters: for what `Debug` writes.
pub(crate) fn one_line(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let line = lines.join(" ");
    match line.char_indices().nth(MOST) {
        None => line,
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

/// Writes a state as `Debug` does, on one line of at most 200 characters.
pub(crate) fn write_debug<G: Game>(_: &G, state: &G::State) -> String {
    one_line(&format!("{state:?}"))
}

/// Writes a state with all its parts, as `Debug` does.
pub(crate) fn debug_parts<G: Game>(_: &G, state: &G::State) -> String {
    format!("{state:?}")
}

/// The player to move, for all games alike.
pub(crate) trait Turns: Game {
    /// The player to move in a state; the first player where states do not say it.
    #[inline(always)]
    fn mover(&self, state: &Self::State) -> Player {
        match Self::PLAYERS {
            Players::Unnamed => Player::First,
            _ => self.turn(state),
        }
    }

    /// The player to move in a state, if states say it.
    fn named_mover(&self, state: &Self::State) -> Option<Player> {
        match Self::PLAYERS {
            Players::Unnamed => None,
            _ => Some(self.turn(state)),
        }
    }

    /// Whether `mover`, who is to move in a state, is also to move in its successor or predecessor
    /// `neighbour`. False where states do not say who is to move, since turns alternate there.
    #[inline(always)]
    fn is_mover_of(&self, mover: Player, neighbour: &Self::State) -> bool {
        match Self::PLAYERS {
            Players::Unnamed => false,
            _ => self.turn(neighbour) == mover,
        }
    }

    /// The player to move in a successor of a state in which [`mover`](Turns::mover) is to move.
    #[inline(always)]
    fn next_mover(&self, next: &Self::State) -> Player {
        match Self::PLAYERS {
            Players::Unnamed => Player::Second,
            _ => self.turn(next),
        }
    }
}

impl<G: Game + ?Sized> Turns for G {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_becomes_one_line_of_200_characters() {
        assert_eq!(one_line("Token(5)"), "Token(5)");
        assert_eq!(one_line("Board {\n    at: 5,\n\n    turn: ä,\n}"), "Board { at: 5, turn: ä, }");
        assert_eq!(one_line(&"ä".repeat(200)), "ä".repeat(200));
        let cut = one_line(&"ä\n".repeat(1_000));
        assert_eq!((cut.chars().count(), cut.chars().last()), (201, Some('…')));
    }
}
