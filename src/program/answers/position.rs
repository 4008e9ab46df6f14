//! Positions, moves and lines of play for answers, without the type of the game.

use std::cmp::Ordering;

use crate::game::scene::Scene;
use crate::game::value::Verdict;
use crate::game::{Outcome, Player};
use crate::query::{LineEnd, Replies};

/// A position for an answer.
pub(crate) struct Position {
    pub(crate) state: String,
    /// The player to move; `None` if states do not name them.
    pub(crate) to_move: Option<Player>,
    pub(crate) verdict: Verdict,
    pub(crate) is_over: bool,
    /// A note on the verdict, about the text that the position was read from.
    pub(crate) note: Option<String>,
}

/// A move and the position that it leads to.
pub(crate) struct Move {
    pub(crate) played: String,
    pub(crate) to: Position,
    /// The outcome for the player who makes it.
    pub(crate) worth: Ordering,
    /// In a game with points, what the move gains, and what it is worth with all that follows, for
    /// the player who makes it.
    pub(crate) gained: Option<[i16; 2]>,
    pub(crate) is_best: bool,
    /// After a drawing move, the replies that keep the draw, where counting them costs little.
    pub(crate) replies: Option<Replies>,
    pub(crate) places: Vec<usize>,
    pub(crate) other_places: Vec<Vec<usize>>,
}

/// A move of a line, and equally good ones.
pub(crate) struct Step {
    pub(crate) step: Move,
    /// The other moves that are equally good, and the states after them.
    pub(crate) alternatives: Vec<[String; 2]>,
    /// Whether every other move gives away a win or a draw.
    pub(crate) only: bool,
    /// In a game with points, the score after the move.
    pub(crate) score: Option<i32>,
}

/// Best play.
pub(crate) struct Line {
    pub(crate) steps: Vec<Step>,
    pub(crate) end: LineEnd,
}

/// The requested parts of an answer about a position, beside its value.
#[derive(Clone, Copy, Default)]
pub(crate) struct Wanted {
    pub(crate) moves: bool,
    /// The replies that keep a draw, after each drawing move.
    pub(crate) replies: bool,
    /// The line, with this many plies at most.
    pub(crate) line: Option<usize>,
    pub(crate) picture: bool,
}

/// A position, and the requested parts.
pub(crate) struct Look {
    pub(crate) position: Position,
    pub(crate) moves: Vec<Move>,
    /// `None` if it was not requested, or if the table stores outcomes only.
    pub(crate) line: Option<Line>,
    pub(crate) scene: Option<Scene>,
    pub(crate) text: String,
    /// The tier of the position; `None` if it was not requested, or if there are no tiers.
    pub(crate) tier: Option<String>,
}

impl Look {
    /// A position with moves, and no other parts.
    pub(crate) fn of(position: Position, moves: Vec<Move>) -> Look {
        Look { position, moves, line: None, scene: None, text: String::new(), tier: None }
    }
}

/// The word for an outcome of the player to move.
pub(crate) fn worth(outcome: Ordering) -> &'static str {
    match outcome {
        Ordering::Less => "loss",
        Ordering::Equal => "draw",
        Ordering::Greater => "win",
    }
}

/// The outcome of a position for the player to move in it.
pub(crate) fn value(position: &Position) -> &'static str {
    let outcome: Outcome = position.verdict.outcome;
    worth(outcome.for_mover(position.to_move))
}
