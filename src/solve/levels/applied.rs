//! The effect of a successor on an open state, read from the successor's value.
//!
//! Levels by reverse edges apply each settled state to its predecessors once, at its own level. The
//! value, the pass and the level say whether that has happened.

use crate::error::SolveError;
use crate::game::preference::{Preference, for_chooser};
use crate::game::value::{DRAW, ENDLESS, LOSS, Value, packed_plies};
use crate::game::{Game, Player, Turns};
use crate::numbering::{Numbering, TierValues};
use crate::solve::cells::Cells;
use crate::solve::graph::exits::best_exit;
use crate::solve::graph::links::Link;

/// The values that a pass settles.
#[derive(Clone, Copy)]
pub(crate) enum PassKind {
    /// Wins and losses.
    Decided,
    /// Draws. `endless_loser` is the player who loses by endless play, if there is one.
    Drawn { endless_loser: Option<Player> },
}

/// How the successors of a state settle it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settles {
    /// One of them is enough. In the pass of the draws, the others may be needed, too.
    Any,
    /// All of them together.
    All,
}

/// The values that have been applied before a level.
#[derive(Clone, Copy)]
pub(crate) struct Applied {
    pub(crate) aim: PassKind,
    /// The points of the pass.
    pub(crate) points: u16,
    /// Values of this pass with fewer plies are applied.
    pub(crate) plies: u32,
}

impl Applied {
    /// The values that have been applied after the level, too.
    pub(crate) fn and_this_level(self) -> Applied {
        Applied { plies: self.plies + 1, ..self }
    }

    /// The effect of a successor on its predecessor; `None` if it has not been applied.
    #[inline(always)]
    pub(crate) fn effect_of_link<G: Game>(self, cells: &Cells, link: Link) -> Option<Settles> {
        if G::POINTS {
            let value = cells.value(link.index);
            return self.by_points(value.map(|value| for_chooser(value, link.same_mover)));
        }
        let value = cells.get(link.index as usize);
        // If play stops early, a value is known one level before it takes effect.
        let is_late = packed_plies(value) >= self.plies;
        // Packed values and flags: with the order of `Preference`, this takes 1.5 times the time.
        let is_any = match self.aim {
            PassKind::Decided if value == ENDLESS || value >= DRAW || is_late => return None,
            PassKind::Decided => (value < LOSS) == link.same_mover,
            PassKind::Drawn { .. } if value == ENDLESS || value >= DRAW && is_late => return None,
            // A won or lost successor is lost for the mover, who avoids it.
            PassKind::Drawn { .. } => value >= DRAW,
        };
        Some(if is_any { Settles::Any } else { Settles::All })
    }

    /// The effect of the value of a state's best exit for its mover.
    #[inline]
    pub(crate) fn effect_of_exit<G: Game>(self, best: Value) -> Option<Settles> {
        if G::POINTS {
            return self.by_points(Some(best));
        }
        let in_time = best.plies().is_some_and(|plies| plies < self.plies);
        match (self.aim, best) {
            (PassKind::Decided, Value::Win(_)) | (PassKind::Drawn { .. }, Value::Draw(_))
                if in_time =>
            {
                Some(Settles::Any)
            }
            (PassKind::Decided, Value::Loss(_)) if in_time => Some(Settles::All),
            // The first pass has applied these values already.
            (PassKind::Drawn { .. }, Value::Win(_) | Value::Loss(_)) => Some(Settles::All),
            _ => None,
        }
    }

    /// The effect of a successor of this value for the chooser, in a game with points.
    fn by_points(self, value: Option<Value>) -> Option<Settles> {
        let Some(Value::Points { points, plies }) = value else { return None };
        let by = points.unsigned_abs();
        match () {
            // Values of more points were settled in earlier passes, and those of wins settled the
            // state.
            () if by > self.points => (points < 0).then_some(Settles::All),
            () if by < self.points || plies >= self.plies => None,
            () if points >= 0 => Some(Settles::Any),
            () => Some(Settles::All),
        }
    }
}

/// An open state without its successors.
#[derive(Clone, Copy)]
pub(crate) struct Opened {
    pub(crate) mover: Player,
    /// The value of the best exit for the mover.
    pub(crate) exit: Option<Value>,
}

impl Opened {
    /// The mover of a state and the value of its best exit.
    ///
    /// # Errors
    /// If the value of an exit is not known.
    #[inline]
    pub(crate) fn of<N: Numbering>(
        numbering: &N,
        state: &<N::Game as Game>::State,
    ) -> Result<Opened, SolveError> {
        let game = numbering.game();
        let mover = game.mover(state);
        if !N::HAS_EXITS {
            return Ok(Opened { mover, exit: None });
        }
        let preference = Preference::new(mover, game.endless());
        Ok(Opened { mover, exit: best_exit(numbering, state, preference)? })
    }
}
