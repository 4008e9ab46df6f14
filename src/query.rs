//! Asking a solved game: the value of a state, its moves, the line of best play.

use std::collections::HashMap;
use std::ops::ControlFlow;

use thiserror::Error;

use crate::error::{FolderError, TableError};
use crate::game::{Game, Outcome};
use crate::numbering::Numbering;
use crate::solve::Solution;
use crate::value::{DecidedBy, Rules, Value, ValueKind, Verdict};

/// A solved game that can be asked about its states: a [`Solution`] in memory, or a
/// [`Prober`](crate::Prober) of a file.
pub trait Query {
    /// The game.
    type Game: Game;

    /// The game.
    fn game(&self) -> &Self::Game;

    /// The rules that turn values into verdicts.
    fn rules(&self) -> Rules;

    /// The number and the value of a state.
    ///
    /// # Errors
    /// When the table does not hold the state, has outcomes alone, or can't be read.
    fn find(&self, state: &StateOf<Self>) -> Result<(u64, Value), QueryError>;

    /// The number of a state, and its value without the distance.
    ///
    /// # Errors
    /// When the table does not hold the state, or can't be read.
    fn find_kind(&self, state: &StateOf<Self>) -> Result<(u64, ValueKind), QueryError> {
        self.find(state).map(|(number, value)| (number, value.kind()))
    }

    /// Whether it knows distances, and not outcomes alone.
    fn has_distances(&self) -> bool {
        true
    }

    /// Visits the states with a wanted value, in the order of their numbers, until `visit` says to
    /// stop: the number, the state, its value. Costs a look at every value of the table up to there.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// # use retrograde::{Game, Indexed, Outcome, Player};
    /// use retrograde::{Query, Solver, Value};
    /// # struct Nim;
    /// # impl Game for Nim {
    /// #     type State = u64;
    /// #     fn turn(&self, _: &u64) -> Player { Player::First }
    /// #     fn terminal(&self, &state: &u64) -> Option<Outcome> {
    /// #         (state == 0).then_some(Outcome::Win(Player::First))
    /// #     }
    /// #     fn moves(&self, &state: &u64, mut visit: impl FnMut(u64)) { visit(state - 1) }
    /// #     fn roots(&self) -> Vec<u64> { vec![9] }
    /// # }
    /// # impl Indexed for Nim {
    /// #     fn len(&self) -> u64 { 10 }
    /// #     fn index(&self, &state: &u64) -> u64 { state }
    /// #     fn unindex(&self, index: u64) -> Option<u64> { Some(index) }
    /// # }
    /// # let game = Nim;
    /// let solution = Solver::new(&game).dense()?;
    /// let mut longest_wins = Vec::new();
    /// let longest = solution.summary().longest();
    /// solution.each(
    ///     &|value| matches!(value, Value::Win(plies) if Some(plies) == longest),
    ///     &mut |_, state, _| {
    ///         longest_wins.push(state);
    ///         ControlFlow::Continue(())
    ///     },
    /// )?;
    /// # assert_eq!(longest_wins, [9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the table can't be read.
    fn each(
        &self,
        wanted: &dyn Fn(Value) -> bool,
        visit: &mut Visit<'_, StateOf<Self>>,
    ) -> Result<(), QueryError>;

    /// The value of a state, for the player to move, without regard to a ply limit.
    ///
    /// # Errors
    /// As [`find`](Query::find).
    fn value(&self, state: &StateOf<Self>) -> Result<Value, QueryError> {
        self.find(state).map(|(_, value)| value)
    }

    /// The values of many states, in the order of the states. A table in a file is read in the order in
    /// which it lies there, each block once however little is kept in memory.
    ///
    /// # Errors
    /// As [`find`](Query::find), for the first state in which that comes about as the table is read.
    fn values(&self, states: &[StateOf<Self>]) -> Result<Vec<Value>, QueryError> {
        states.iter().map(|state| self.value(state)).collect()
    }

    /// Who wins from a state, and in how many plies if that is known.
    ///
    /// # Errors
    /// As [`find_kind`](Query::find_kind).
    fn verdict(&self, state: &StateOf<Self>) -> Result<Verdict, QueryError> {
        Ok(assess(self, state, self.rules())?.2)
    }

    /// The states that the legal moves lead to, best first: the soonest win, else a draw, else the
    /// latest loss. Moves that are equally good, and those that are equally good as far as is known,
    /// stand in the game's own order; two moves to the same state are one. Empty where play is over.
    ///
    /// # Errors
    /// As [`find_kind`](Query::find_kind).
    fn moves(&self, state: &StateOf<Self>) -> Result<Vec<Assessed<StateOf<Self>>>, QueryError> {
        ranked_moves(self, state, self.rules())
    }

    /// Best play from a state to the end. Where play is endless, the line goes on until a position
    /// comes again.
    ///
    /// # Errors
    /// As [`find`](Query::find).
    fn line(&self, state: &StateOf<Self>) -> Result<Line<StateOf<Self>>, QueryError> {
        if !self.has_distances() {
            return Err(QueryError::OutcomesOnly { asked: "a line of best play" });
        }
        let mut rules = self.rules();
        let (mut number, value) = self.find(state)?;
        let verdict = rules.judge(value, self.game().turn(state));
        let value = Some(value);
        let mut steps = vec![Assessed { state: state.clone(), number, value, verdict }];
        let mut seen: HashMap<u64, usize> = HashMap::new();
        loop {
            seen.insert(number, steps.len() - 1);
            let moves = ranked_moves(self, &steps[steps.len() - 1].state, rules)?;
            let Some(best) = moves.first() else { return Ok(Line { steps, end: LineEnd::Over }) };
            if rules.ply_limit == Some(0) {
                return Ok(Line { steps, end: LineEnd::PlyLimit });
            }
            // Among endless moves, one that repeats a position shows soonest that they are.
            let repeats = |step: &&Assessed<_>| {
                best.value == Some(Value::Endless)
                    && step.value == best.value
                    && step.verdict == best.verdict
                    && seen.contains_key(&step.number)
            };
            let step = moves.iter().find(repeats).unwrap_or(best).clone();
            number = step.number;
            steps.push(step);
            if let Some(&first) = seen.get(&number) {
                return Ok(Line { steps, end: LineEnd::Repetition { first } });
            }
            rules = rules.after(1);
        }
    }
}

/// What [`Query::each`] does with a state.
pub type Visit<'v, State> = dyn FnMut(u64, State, Value) -> ControlFlow<()> + 'v;

/// The states of a query's game.
type StateOf<Q> = <<Q as Query>::Game as Game>::State;

/// A state with what it is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assessed<S> {
    /// The state.
    pub state: S,
    /// Its number in the table; states that a symmetry folds into one share theirs.
    pub number: u64,
    /// Its value, for the player to move in it; `None` where the table has outcomes alone.
    pub value: Option<Value>,
    /// Who wins from it, and in how many plies, counted from this state; with the plies that are
    /// left where there is a limit.
    pub verdict: Verdict,
}

/// Best play from a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<S> {
    /// The state asked about, and the state after each ply.
    pub steps: Vec<Assessed<S>>,
    /// Why the line stops.
    pub end: LineEnd,
}

/// Why a line of play stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// Play is over.
    Over,
    /// The last step is the same position as an earlier one, up to the symmetries that the table
    /// folds, and play can go on like this for ever.
    Repetition {
        /// Which step it repeats.
        first: usize,
    },
    /// No more plies are allowed.
    PlyLimit,
}

/// Why a question has no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The table has no such state.
    #[error(
        "position {state} is not in the table: it can't be reached from the game's start, or is \
         none of the game's"
    )]
    NotInTable {
        /// The state.
        state: String,
    },
    /// The table has outcomes alone, and what was asked takes distances.
    #[error("the table has outcomes alone: {asked} needs one with distances")]
    OutcomesOnly {
        /// What was asked.
        asked: &'static str,
    },
    /// The table could not be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A tier could not be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

impl QueryError {
    pub(crate) fn not_in_table(state: &impl std::fmt::Debug) -> QueryError {
        QueryError::NotInTable { state: format!("{state:?}") }
    }
}

impl<N: Numbering> Query for Solution<N> {
    type Game = N::Game;

    fn game(&self) -> &N::Game {
        self.numbering().game()
    }

    fn rules(&self) -> Rules {
        Solution::rules(self)
    }

    fn find(&self, state: &StateOf<Self>) -> Result<(u64, Value), QueryError> {
        let found = self.numbering().number(state).and_then(|number| {
            let known = number < self.numbering().len();
            let value = known.then(|| Value::unpack(self.packed(number)).ok()?)??;
            Some((number, value))
        });
        found.ok_or_else(|| QueryError::not_in_table(state))
    }

    fn each(
        &self,
        wanted: &dyn Fn(Value) -> bool,
        visit: &mut Visit<'_, StateOf<Self>>,
    ) -> Result<(), QueryError> {
        for number in 0..self.numbering().len() {
            let value = Value::unpack(self.packed(number)).ok().flatten();
            if let Some(value) = value.filter(|&value| wanted(value))
                && let Some(state) = self.numbering().state(number)
                && visit(number, state, value).is_break()
            {
                break;
            }
        }
        Ok(())
    }
}

/// The number of a state, its value if distances are known, and what it is worth.
fn assess<Q: Query + ?Sized>(
    query: &Q,
    state: &StateOf<Q>,
    rules: Rules,
) -> Result<(u64, Option<Value>, Verdict), QueryError> {
    let mover = query.game().turn(state);
    Ok(if query.has_distances() {
        let (number, value) = query.find(state)?;
        (number, Some(value), rules.judge(value, mover))
    } else {
        let (number, kind) = query.find_kind(state)?;
        (number, None, rules.judge_kind(kind, mover))
    })
}

fn ranked_moves<Q: Query + ?Sized>(
    query: &Q,
    state: &StateOf<Q>,
    rules: Rules,
) -> Result<Vec<Assessed<StateOf<Q>>>, QueryError> {
    let game = query.game();
    if game.terminal(state).is_some() {
        return Ok(Vec::new());
    }
    let mut successors = Vec::new();
    game.moves(state, |next| {
        if !successors.contains(&next) {
            successors.push(next);
        }
    });
    let rules = rules.after(1);
    let mover = game.turn(state);
    let hurries = matches!(rules.endless, Outcome::Win(winner) if winner != mover);
    let mut moves = successors
        .into_iter()
        .map(|state| {
            let (number, value, verdict) = assess(query, &state, rules)?;
            Ok(Assessed { state, number, value, verdict })
        })
        .collect::<Result<Vec<_>, QueryError>>()?;
    moves.sort_by_key(|step| {
        // Plies until the end, if it comes in time.
        let plies = match step.verdict.decided_by {
            DecidedBy::Play => step.value.and_then(Value::plies).map_or(0, i64::from),
            DecidedBy::Endless | DecidedBy::PlyLimit => i64::MAX,
        };
        let outcome = match step.verdict.outcome {
            Outcome::Win(winner) if winner == mover => (0, plies),
            Outcome::Draw => (1, if hurries { plies } else { -plies }),
            Outcome::Win(_) => (2, -plies),
        };
        // Where a ply limit makes moves equal, the one that would be best without it.
        let unlimited = match (step.value, game.turn(&step.state) == mover) {
            (Some(Value::Win(plies)), true) | (Some(Value::Loss(plies)), false) => {
                (0, i64::from(plies))
            }
            (Some(Value::Win(plies)), false) | (Some(Value::Loss(plies)), true) => {
                (2, -i64::from(plies))
            }
            (Some(Value::Draw(_) | Value::Endless) | None, _) => (1, 0),
        };
        (outcome, unlimited)
    });
    Ok(moves)
}
