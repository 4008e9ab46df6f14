//! Questions to a solution or a prober, for tests that ask both.

use retrograde::error::QueryError;
use retrograde::query::{Assessed, Line, RankedMoves, ValueKind};
use retrograde::{Game, Prober, Solution, Value, Verdict};

/// A solved game that can be asked: a solution in memory, or a prober of a table.
pub trait Query {
    /// The type of the game.
    type Game: Game;

    /// The game.
    fn game(&self) -> &Self::Game;

    /// Whether there are distances.
    fn has_distances(&self) -> bool;

    /// The value of a state.
    fn value(&self, state: &StateOf<Self>) -> Result<Value, QueryError>;

    /// The values of states.
    fn values(&self, states: &[StateOf<Self>]) -> Result<Vec<Value>, QueryError>;

    /// The verdict on a state.
    fn verdict(&self, state: &StateOf<Self>) -> Result<Verdict, QueryError>;

    /// The moves of a state.
    fn moves(&self, state: &StateOf<Self>) -> Result<Vec<Assessed<StateOf<Self>>>, QueryError>;

    /// The moves of a state, and how many are best.
    fn ranked_moves(&self, state: &StateOf<Self>)
    -> Result<RankedMoves<StateOf<Self>>, QueryError>;

    /// Best play from a state.
    fn line(&self, state: &StateOf<Self>) -> Result<Line<StateOf<Self>>, QueryError>;

    /// The index and the value of a state.
    fn index_and_value(&self, state: &StateOf<Self>) -> Result<(u64, Value), QueryError>;

    /// The index of a state, and its value without the distance.
    fn index_and_kind(&self, state: &StateOf<Self>) -> Result<(u64, ValueKind), QueryError>;

    /// All states, as far as they can be read.
    fn states(&self) -> Box<dyn Iterator<Item = Result<Assessed<StateOf<Self>>, QueryError>> + '_>;
}

/// The states of a solved game.
type StateOf<Q> = <<Q as Query>::Game as Game>::State;

macro_rules! query {
    ($type:ty, $has_distances:expr) => {
        impl<G: Game> Query for $type {
            type Game = G;

            fn game(&self) -> &G {
                <$type>::game(self)
            }

            fn has_distances(&self) -> bool {
                $has_distances(self)
            }

            fn value(&self, state: &G::State) -> Result<Value, QueryError> {
                <$type>::value(self, state)
            }

            fn values(&self, states: &[G::State]) -> Result<Vec<Value>, QueryError> {
                <$type>::values(self, states)
            }

            fn verdict(&self, state: &G::State) -> Result<Verdict, QueryError> {
                <$type>::verdict(self, state)
            }

            fn moves(&self, state: &G::State) -> Result<Vec<Assessed<G::State>>, QueryError> {
                <$type>::moves(self, state)
            }

            fn ranked_moves(&self, state: &G::State) -> Result<RankedMoves<G::State>, QueryError> {
                <$type>::ranked_moves(self, state)
            }

            fn line(&self, state: &G::State) -> Result<Line<G::State>, QueryError> {
                <$type>::line(self, state)
            }

            fn index_and_value(&self, state: &G::State) -> Result<(u64, Value), QueryError> {
                <$type>::index_and_value(self, state)
            }

            fn index_and_kind(&self, state: &G::State) -> Result<(u64, ValueKind), QueryError> {
                <$type>::index_and_kind(self, state)
            }

            fn states(
                &self,
            ) -> Box<dyn Iterator<Item = Result<Assessed<G::State>, QueryError>> + '_> {
                Box::new(<$type>::states_with(self, |_| true))
            }
        }
    };
}

query!(Solution<'_, G>, |_: &Self| true);
query!(Prober<G>, Prober::has_distances);
