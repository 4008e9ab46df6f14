//! The board of a game that is played, with the type of the game and without it.

use std::mem;
use std::path::Path;

use crate::game::notation::Notation;
use crate::game::{Player, Turns as _};
use crate::program::cli::CliError;
use crate::program::cli::wording::Position;
use crate::query::RankedMoves;
use crate::query::view::View as Solved;

/// The board of a game of any type.
pub(in crate::program::cli::commands) trait Board {
    /// The position on the board, its verdict and its moves.
    fn look(&mut self) -> Result<View, CliError>;

    /// Makes the move at this place of [`View::moves`], as the last look showed them.
    fn make(&mut self, at: usize);

    /// Goes back to the position after this many plies.
    fn go_back(&mut self, plies: usize);
}

/// The position on the board. A ply limit includes the plies that were played.
pub(in crate::program::cli::commands) struct View {
    pub(super) position: Position,
    /// Who is to move, if positions say it.
    pub(super) mover: Option<Player>,
    /// The positions that legal moves lead to, best first. Empty if play is over.
    pub(super) moves: Vec<Position>,
    /// How many of the moves, from the first, are equally good.
    pub(super) best: usize,
    /// How many of the best moves have the same value as the first. A player who has to end the
    /// game chooses the soonest of draws of different lengths.
    pub(super) as_first: usize,
}

/// The board of a game.
pub(in crate::program::cli::commands) struct BoardOf<'q, G: Notation> {
    solved: Solved<'q, G>,
    path: &'q Path,
    /// The positions before, and the one on the board.
    before: Vec<G::State>,
    state: G::State,
    /// The positions that the moves of the last look lead to.
    next: Vec<G::State>,
}

impl<'q, G: Notation> BoardOf<'q, G> {
    pub(in crate::program::cli::commands) fn new(
        solved: Solved<'q, G>,
        path: &'q Path,
        state: G::State,
    ) -> BoardOf<'q, G> {
        BoardOf { solved, path, before: Vec::new(), state, next: Vec::new() }
    }
}

impl<G: Notation> Board for BoardOf<'_, G> {
    fn look(&mut self) -> Result<View, CliError> {
        let (game, state) = (self.solved.game, &self.state);
        let rules = self.solved.rules.after(self.before.len() as u32);
        let solved = Solved { rules, ..self.solved };
        let explain = CliError::query(self.path, game.write_state(state));
        let verdict = solved.verdict(state).map_err(&explain)?;
        let RankedMoves { moves, best_count: best, .. } = match rules.ply_limit {
            Some(0) => RankedMoves { moves: Vec::new(), best_count: 0, only: false },
            _ => solved.ranked_moves(state).map_err(&explain)?,
        };
        let value = moves.first().map(|best| best.value);
        let as_first = moves[..best].iter().take_while(|to| Some(to.value) == value).count();
        let view = View {
            position: Position::new(game, state, verdict, true),
            mover: game.named_mover(state),
            moves: Position::after_each(game, state, &moves),
            best,
            as_first,
        };
        self.next = moves.into_iter().map(|to| to.state).collect();
        Ok(view)
    }

    fn make(&mut self, at: usize) {
        let next = self.next.swap_remove(at);
        self.before.push(mem::replace(&mut self.state, next));
        self.next.clear();
    }

    fn go_back(&mut self, plies: usize) {
        self.before.truncate(plies + 1);
        if let Some(state) = self.before.pop() {
            self.state = state;
        }
    }
}
