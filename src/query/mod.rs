//! Probing a solved game: the value of a state, its moves, the line of best play.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use crate::error::QueryError;
pub use crate::game::value::{DecidedBy, MAX_PLIES, MAX_POINTS, Rules, ValueKind};
use crate::game::value::{Value, Verdict};
use crate::game::{Game, Turns};

mod answers;
mod methods;
mod ranked;

pub use answers::{Assessed, Line, LineEnd, RankedMoves};
pub(crate) use methods::query_methods;
#[cfg(feature = "cli")]
pub(crate) use ranked::points_of_move;
pub(crate) use ranked::{assess, ranked_moves};

pub(crate) mod sealed {
    /// Types of this crate that can be probed.
    pub trait Sealed {}
}

/// A solved game that can be probed: a [`Solution`](crate::Solution) in memory, or a
/// [`Prober`](crate::Prober) of a [`Table`](crate::Table).
///
/// Both have these methods themselves, so only code that serves both needs this trait. Other types
/// can't implement it.
///
/// ```
/// # use kit::games::Nim;
/// use retrograde::error::QueryError;
/// use retrograde::{Game, Query, Solver, Table, Value};
///
/// /// Whether the player to move wins.
/// fn is_won<Q: Query>(solved: &Q, state: &<Q::Game as Game>::State) -> Result<bool, QueryError> {
///     Ok(matches!(solved.value(state)?, Value::Win(_)))
/// }
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("nim.rtb");
/// let game = Nim { counters: 21 };
/// let solution = Solver::new(&game).solve()?;
/// solution.save(&path)?;
/// let table = Table::open(&path)?;
/// assert!(is_won(&solution, &21)? && is_won(&table.prober(&game)?, &21)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Query: sealed::Sealed {
    /// The type of the game.
    type Game: Game;

    /// The game that was solved.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// use retrograde::Solver;
    ///
    /// let game = Nim { counters: 21 };
    /// let solution = Solver::new(&game).solve()?;
    /// assert_eq!(solution.game().counters, 21);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn game(&self) -> &Self::Game;

    /// The rules that turn values into verdicts.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// use retrograde::query::Rules;
    /// use retrograde::{Outcome, Solver};
    ///
    /// let game = Nim { counters: 21 };
    /// let solution = Solver::new(&game).solve()?;
    /// assert_eq!(solution.rules(), Rules::new(Outcome::Draw, None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn rules(&self) -> Rules;

    /// The index and the value of a state. The value is for the player to move, without regard to a
    /// ply limit.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// use retrograde::{Solver, Value};
    ///
    /// let game = Nim { counters: 21 };
    /// let solution = Solver::new(&game).solve()?;
    /// assert_eq!(solution.index_and_value(&21)?, (21, Value::Win(11)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the table does not have the state, has outcomes only, or can't be read.
    fn index_and_value(&self, state: &StateOf<Self>) -> Result<(u64, Value), QueryError>;

    /// The index of a state, and its value without the distance.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// use retrograde::Solver;
    /// use retrograde::query::ValueKind;
    ///
    /// let game = Nim { counters: 21 };
    /// let solution = Solver::new(&game).solve()?;
    /// assert_eq!(solution.index_and_kind(&21)?, (21, ValueKind::Win));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the table does not have the state, or can't be read.
    fn index_and_kind(&self, state: &StateOf<Self>) -> Result<(u64, ValueKind), QueryError> {
        self.index_and_value(state).map(|(index, value)| (index, value.kind()))
    }

    /// Whether distances are known, and not outcomes only.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// use retrograde::Solver;
    ///
    /// let game = Nim { counters: 21 };
    /// let solution = Solver::new(&game).solve()?;
    /// assert!(solution.has_distances());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn has_distances(&self) -> bool {
        true
    }

    /// Visits the states with a wanted value in the order of their indices, each with its index and
    /// value, until `visit` returns `Break`. Reads every value of the table up to there.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// use std::ops::ControlFlow;
    ///
    /// use retrograde::{Solver, Value};
    ///
    /// let game = Nim { counters: 21 };
    /// let solution = Solver::new(&game).solve()?;
    /// let longest = solution.summary().longest();
    /// let mut longest_wins = Vec::new();
    /// solution.for_each_with_value(
    ///     |value| matches!(value, Value::Win(plies) if Some(plies) == longest),
    ///     |_, heap, _| {
    ///         longest_wins.push(heap);
    ///         ControlFlow::Continue(())
    ///     },
    /// )?;
    /// assert_eq!(longest_wins, [21]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the table has outcomes only, or can't be read.
    fn for_each_with_value(
        &self,
        wanted: &dyn Fn(Value) -> bool,
        visit: &mut Visit<'_, StateOf<Self>>,
    ) -> Result<(), QueryError> {
        self.for_each_with_value_in(0..u64::MAX, wanted, visit)
    }

    /// Visits the states of a range of indices as [`for_each_with_value`](Query::for_each_with_value) does. Reads the values of the
    /// range only. The range may go beyond the last index.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// use std::ops::ControlFlow;
    ///
    /// use retrograde::{Solver, Value};
    ///
    /// let game = Nim { counters: 21 };
    /// let solution = Solver::new(&game).solve()?;
    /// let mut lost = Vec::new();
    /// let wanted = |value| matches!(value, Value::Loss(_));
    /// solution.for_each_with_value_in(10..21, wanted, |index, _, _| {
    ///     lost.push(index);
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(lost, [12, 16, 20]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`for_each_with_value`](Query::for_each_with_value).
    fn for_each_with_value_in(
        &self,
        indices: Range<u64>,
        wanted: &dyn Fn(Value) -> bool,
        visit: &mut Visit<'_, StateOf<Self>>,
    ) -> Result<(), QueryError>;

    /// The value of a state, for the player to move, without regard to a ply limit.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// use retrograde::{Solver, Value};
    ///
    /// let game = Nim { counters: 21 };
    /// let solution = Solver::new(&game).solve()?;
    /// assert_eq!(solution.value(&20)?, Value::Loss(10));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`index_and_value`](Query::index_and_value).
    fn value(&self, state: &StateOf<Self>) -> Result<Value, QueryError> {
        self.index_and_value(state).map(|(_, value)| value)
    }

    /// The values of many states, in the order of `states`. Each block of a table is read once,
    /// however small the cache.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// use retrograde::{Solver, Value};
    ///
    /// let game = Nim { counters: 21 };
    /// let solution = Solver::new(&game).solve()?;
    /// assert_eq!(solution.values(&[21, 20])?, [Value::Win(11), Value::Loss(10)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`index_and_value`](Query::index_and_value), for any of the states.
    fn values(&self, states: &[StateOf<Self>]) -> Result<Vec<Value>, QueryError> {
        states.iter().map(|state| self.value(state)).collect()
    }

    /// Who wins from a state, and in how many plies if that is known.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// use retrograde::{Outcome, Solver};
    ///
    /// let game = Nim { counters: 21 };
    /// let solution = Solver::new(&game).solve()?;
    /// let verdict = solution.verdict(&20)?;
    /// assert_eq!(verdict.outcome, Outcome::MoverLoses);
    /// assert_eq!(verdict.to_string(), "the player to move loses in 10 plies");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`index_and_kind`](Query::index_and_kind).
    fn verdict(&self, state: &StateOf<Self>) -> Result<Verdict, QueryError> {
        Ok(assess(self, state, self.rules())?.2)
    }

    /// The states that the legal moves lead to, best first: the soonest win, else a draw, else the
    /// latest loss. Moves that are equally good as far as is known come in the game's own order.
    /// Two moves to the same state are one. Empty where play is over.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// use retrograde::{Outcome, Solver, Value};
    ///
    /// let game = Nim { counters: 21 };
    /// let solution = Solver::new(&game).solve()?;
    /// let moves = solution.moves(&21)?;
    /// assert_eq!((moves[0].state, moves[0].value), (20, Some(Value::Loss(10))));
    /// assert_eq!(moves[1].verdict.outcome, Outcome::MoverWins);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`index_and_kind`](Query::index_and_kind).
    fn moves(&self, state: &StateOf<Self>) -> Result<Vec<Assessed<StateOf<Self>>>, QueryError> {
        self.ranked_moves(state).map(|ranked| ranked.moves)
    }

    /// The [`moves`](Query::moves) of a state, and how many of them are equally good and better than
    /// all others.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// use retrograde::Solver;
    ///
    /// let game = Nim { counters: 21 };
    /// let solution = Solver::new(&game).solve()?;
    /// // Only one move from 21 wins; all three moves from 20 lose in 10 plies.
    /// assert_eq!(solution.ranked_moves(&21)?.best_count, 1);
    /// assert_eq!(solution.ranked_moves(&20)?.best_count, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`index_and_kind`](Query::index_and_kind).
    fn ranked_moves(
        &self,
        state: &StateOf<Self>,
    ) -> Result<RankedMoves<StateOf<Self>>, QueryError> {
        ranked_moves(self, state, self.rules())
    }

    /// Best play from a state to the end. Where play is endless, the line stops when a position
    /// repeats.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// use retrograde::Solver;
    /// use retrograde::query::LineEnd;
    ///
    /// let game = Nim { counters: 21 };
    /// let solution = Solver::new(&game).solve()?;
    /// let line = solution.line(&6)?;
    /// let heaps: Vec<u64> = line.positions.iter().map(|step| step.state).collect();
    /// assert_eq!(heaps, [6, 4, 3, 0]);
    /// assert_eq!(line.end, LineEnd::Over);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`index_and_value`](Query::index_and_value).
    fn line(&self, state: &StateOf<Self>) -> Result<Line<StateOf<Self>>, QueryError> {
        self.line_within(state, usize::MAX)
    }

    /// Best play from a state, as [`line`](Query::line), but at most this many plies of it.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// use retrograde::Solver;
    /// use retrograde::query::LineEnd;
    ///
    /// let game = Nim { counters: 21 };
    /// let solution = Solver::new(&game).solve()?;
    /// let line = solution.line_within(&21, 2)?;
    /// assert_eq!((line.positions.len(), line.end), (3, LineEnd::Cut));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`index_and_value`](Query::index_and_value).
    fn line_within(
        &self,
        state: &StateOf<Self>,
        plies: usize,
    ) -> Result<Line<StateOf<Self>>, QueryError> {
        if !self.has_distances() {
            return Err(QueryError::OutcomesOnly { asked: "a line of best play" });
        }
        let mut rules = self.rules();
        let (mut index, value) = self.index_and_value(state)?;
        let verdict = rules.judge(value, self.game().named_mover(state));
        let value = Some(value);
        let mut positions = vec![Assessed { state: state.clone(), index, value, verdict, gain: 0 }];
        let mut alternatives = Vec::new();
        let mut seen: HashMap<u64, usize> = HashMap::new();
        loop {
            seen.insert(index, positions.len() - 1);
            let RankedMoves { mut moves, best_count: equals } =
                ranked_moves(self, &positions[positions.len() - 1].state, rules)?;
            let Some(best) = moves.first() else {
                return Ok(Line { positions, alternatives, end: LineEnd::Over });
            };
            if rules.ply_limit == Some(0) {
                return Ok(Line { positions, alternatives, end: LineEnd::PlyLimit });
            }
            if alternatives.len() == plies {
                return Ok(Line { positions, alternatives, end: LineEnd::Cut });
            }
            // Among endless moves, one that repeats a position comes first, so that the line is
            // short.
            let repeats = |step: &Assessed<_>| {
                best.value == Some(Value::Endless)
                    && step.value == best.value
                    && step.verdict == best.verdict
                    && step.gain == best.gain
                    && seen.contains_key(&step.index)
            };
            let chosen = moves.iter().position(repeats).unwrap_or(0);
            moves.truncate(equals.max(chosen + 1));
            let step = moves.remove(chosen);
            index = step.index;
            positions.push(step);
            alternatives.push(moves);
            if let Some(&first) = seen.get(&index) {
                return Ok(Line { positions, alternatives, end: LineEnd::Repetition { first } });
            }
            rules = rules.after(1);
        }
    }
}

/// A visitor of [`Query::for_each_with_value`]: takes the index of a state, the state, and its value.
///
/// ```
/// # use kit::games::Nim;
/// use std::ops::ControlFlow;
///
/// use retrograde::query::Visit;
/// use retrograde::{Query, Solver, Value};
///
/// /// Counts the draws in which play ends.
/// fn count_draws<Q: Query>(solved: &Q) -> u64 {
///     let mut count = 0;
///     let visit: &mut Visit<'_, _> = &mut |_, _, _| {
///         count += 1;
///         ControlFlow::Continue(())
///     };
///     let wanted = |value| matches!(value, Value::Draw(_));
///     solved.for_each_with_value(&wanted, visit).map_or(0, |()| count)
/// }
/// let game = Nim { counters: 21 };
/// assert_eq!(count_draws(&Solver::new(&game).solve()?), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Visit<'v, State> = dyn FnMut(u64, State, Value) -> ControlFlow<()> + 'v;

/// The states of a query's game.
type StateOf<Q> = <<Q as Query>::Game as Game>::State;
