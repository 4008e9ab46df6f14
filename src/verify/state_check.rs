//! The check of one state: the value that its successors imply against the stored value.
//!
//! It assumes that the caller knows the rank of the best successor. The checks of whole tables find
//! this rank in different ways. All of them use this check for the verdict and the messages.

use crate::error::TableError;
use crate::game::value::Value;
use crate::game::{Game, Player, Turns};
use crate::table::open::TableFile;
use crate::table::storage::Storage;
use crate::verify::rank::{Preference, Rank};

/// Writes a state for a message.
pub(crate) type WriteState<'w, G> = dyn Fn(&<G as Game>::State) -> String + Sync + 'w;

/// Checks the values of single states of a table.
pub(crate) struct StateCheck<'c, G: Game, S> {
    pub(crate) game: &'c G,
    pub(crate) table: &'c TableFile<S>,
    write_state: &'c WriteState<'c, G>,
    /// By player.
    pub(crate) preferences: [Preference; 2],
}

impl<'c, G: Game, S: Storage> StateCheck<'c, G, S> {
    pub(crate) fn new(
        game: &'c G,
        table: &'c TableFile<S>,
        write_state: &'c WriteState<'c, G>,
    ) -> Self {
        let header = table.header();
        let preference = |player| Preference::new(player, header.rules, header.outcomes_only);
        StateCheck { game, table, write_state, preferences: Player::BOTH.map(preference) }
    }

    #[inline]
    pub(crate) fn preference(&self, player: Player) -> Preference {
        self.preferences[player.index()]
    }

    /// The value of a terminal state; `None` for others.
    #[inline]
    pub(crate) fn terminal(&self, state: &G::State) -> Option<Value> {
        Value::of_terminal(self.game, state)
    }

    /// Compares the value stored for a state with the right one: `terminal` if the state is
    /// terminal, otherwise the value that follows from the rank of its best successor. Returns the
    /// stored value.
    pub(crate) fn compare(
        &self,
        state: &G::State,
        stored: Option<Value>,
        terminal: Option<Value>,
        best: Rank,
    ) -> Result<Value, TableError> {
        let mover = self.game.mover(state);
        let without_moves =
            || self.game.no_moves(state).map(|outcome| Value::of_end::<G>(outcome, mover));
        let expected =
            terminal.or_else(|| self.preference(mover).value(best)).or_else(without_moves);
        let expected = expected.ok_or_else(|| {
            let state = (self.write_state)(state);
            let problem = format!("has a state without moves or outcome: {state}");
            TableError::malformed("the table", problem)
        })?;
        let outcomes_only = self.table.header().outcomes_only;
        let is_right = |stored: Value| match outcomes_only {
            true => stored.kind() == expected.kind(),
            false => stored == expected,
        };
        if let Some(stored) = stored.filter(|&stored| is_right(stored)) {
            return Ok(stored);
        }
        Err(TableError::WrongValue {
            state: (self.write_state)(state),
            stored: stored.map_or("unused".into(), |stored| written(stored, outcomes_only)),
            expected: written(expected, outcomes_only),
        })
    }

    /// The value by which a state is counted: the stored one. If distances don't count, its
    /// distance becomes 0 if play is over there, and 1 otherwise.
    #[inline]
    pub(crate) fn counted(&self, stored: Value, terminal: Option<Value>, best: Rank) -> Value {
        if !self.preferences[0].outcomes_only {
            return stored;
        }
        let plies = match terminal {
            Some(end) => end.plies().unwrap_or(0),
            // A state without moves has the distance 0, too.
            None => u32::from(best != Rank::NONE),
        };
        match stored {
            Value::Win(_) => Value::Win(plies),
            Value::Loss(_) => Value::Loss(plies),
            Value::Draw(_) => Value::Draw(plies),
            Value::Endless => Value::Endless,
            Value::Points { points, .. } => Value::Points { points, plies },
        }
    }

    /// The rank of the successor `next` of a state, for the player who moves there, with the points
    /// that the move gains.
    #[inline]
    pub(crate) fn rank_of_move(&self, state: &G::State, next: &G::State, value: Value) -> Rank {
        let chooser = self.game.mover(state);
        let same_mover = self.game.is_mover_of(chooser, next);
        let preference = self.preference(chooser);
        match G::POINTS {
            true => preference.rank_with_gain(value, same_mover, self.game.gain(state, next)),
            false => preference.rank(value, same_mover),
        }
    }

    /// Checks the stored value of an index without a state: there must be none, unless the table
    /// has filled its unused indices.
    pub(crate) fn check_unused(&self, index: u64, stored: Option<Value>) -> Result<(), TableError> {
        match stored {
            Some(value) if !self.table.has_filled_unused() => {
                let stored = written(value, self.table.header().outcomes_only);
                Err(TableError::ValueOfUnused { index, stored })
            }
            _ => Ok(()),
        }
    }

    /// The error for a state with a move to `next`, for which no table has a value.
    pub(crate) fn missing(&self, state: &G::State, next: &G::State) -> TableError {
        let [from, to] = [state, next].map(self.write_state);
        let problem = format!("has no value for {to}, to which {from} has a move");
        TableError::malformed("the table", problem)
    }
}

/// A value in words, for the player to move.
fn written(value: Value, outcomes_only: bool) -> String {
    if outcomes_only { value.kind().to_string() } else { value.to_string() }
}
