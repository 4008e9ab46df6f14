//! What decides about the value of one state.

use crate::error::TableError;
use crate::game::{Game, Player};
use crate::notation::Notation;
use crate::table::open::Tablebase;
use crate::table::storage::Storage;
use crate::value::Value;
use crate::verify::worth::{Scale, Worth};

/// What decides about the values of a table.
pub(crate) struct Judge<'c, G, S> {
    pub(crate) game: &'c G,
    pub(crate) table: &'c Tablebase<S>,
    /// How values compare for each player.
    pub(crate) scales: [Scale; 2],
}

impl<'c, G: Game + Notation, S: Storage> Judge<'c, G, S> {
    pub(crate) fn new(game: &'c G, table: &'c Tablebase<S>) -> Self {
        let header = table.header();
        let scale = |player| Scale::new(player, header.rules, header.outcomes_only);
        Judge { game, table, scales: Player::BOTH.map(scale) }
    }

    #[inline]
    pub(crate) fn scale(&self, player: Player) -> Scale {
        self.scales[player.index()]
    }

    /// The value of a state where play is over.
    #[inline]
    pub(crate) fn end(&self, state: &G::State) -> Option<Value> {
        Value::of_terminal(self.game, state)
    }

    /// Checks the value stored for a state, of which it is known whether play is over and else what
    /// the best successor is worth.
    pub(crate) fn check(
        &self,
        state: &G::State,
        stored: Option<Value>,
        end: Option<Value>,
        best: Worth,
    ) -> Result<Value, TableError> {
        let game = self.game;
        let mover = game.turn(state);
        let stuck = || game.no_moves(state).map(|outcome| Value::of_end(outcome, mover));
        let expected = end.or_else(|| self.scale(mover).value(best)).or_else(stuck);
        let expected = expected.ok_or_else(|| {
            let problem =
                format!("has a state without moves or outcome: {}", game.write_state(state));
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
        let write = |value: Value| match outcomes_only {
            true => format!("{:?}", value.kind()),
            false => format!("{value:?}"),
        };
        Err(TableError::WrongValue {
            state: game.write_state(state),
            stored: stored.map_or("a hole".into(), write),
            expected: write(expected),
        })
    }

    /// Checks what is stored for a number that stands for no state: nothing, unless holes are filled.
    pub(crate) fn check_hole(&self, number: u64, stored: Option<Value>) -> Result<(), TableError> {
        match stored {
            Some(value) if !self.table.has_filled_holes() => Err(TableError::WrongValue {
                state: format!("number {number}, a hole,"),
                stored: format!("{value:?}"),
                expected: "no state at all".into(),
            }),
            _ => Ok(()),
        }
    }

    /// That a state has a move to one of which nothing is known.
    pub(crate) fn missing(&self, state: &G::State, next: &G::State) -> TableError {
        let (from, to) = (self.game.write_state(state), self.game.write_state(next));
        let problem = format!("has no value for {to}, to which {from} has a move");
        TableError::malformed("the table", problem)
    }
}
