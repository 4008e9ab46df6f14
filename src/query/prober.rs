//! A prober of a table, which one can keep.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::error::{QueryError, TableError};
use crate::game::Game;
use crate::game::value::{Rules, Scale, Value, ValueKind, Verdict};
use crate::query::answers::{Assessed, Line, RankedMoves};
use crate::query::probe::ProbeTable;
use crate::query::states::States;
use crate::query::view::View;

/// A table and its game, made by [`Table::prober`](crate::Table::prober). It owns the game and shares
/// the files: it can be kept in a struct, cloned at the cost of a counter, and asked from several
/// threads.
///
/// ```
/// # use kit::games::Nim;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("nim.rtb");
/// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
/// use std::thread;
///
/// use retrograde::{Outcome, Prober, Table, Value};
///
/// #[derive(Clone)]
/// struct Server {
///     nim: Prober<Nim>,
/// }
///
/// let server = Server { nim: Table::open(&path)?.prober(Nim { counters: 21 })? };
/// let threads = [21, 20].map(|heap| {
///     let server = server.clone();
///     thread::spawn(move || server.nim.value(&heap).unwrap())
/// });
/// assert_eq!(threads.map(|thread| thread.join().unwrap()), [Value::Win(11), Value::Loss(10)]);
///
/// let prober = &server.nim;
/// assert_eq!((prober.game().counters, prober.rules().ply_limit), (21, None));
/// assert_eq!(prober.value(&21)?, Value::Win(11));
/// assert_eq!(prober.verdict(&21)?.outcome, Outcome::MoverWins);
/// assert_eq!(prober.moves(&21)?[0].state, 20);
/// assert_eq!(prober.line(&21)?.positions.len(), 12); // the heap of 21, and one after each ply
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Prober<G: Game> {
    game: Arc<G>,
    has_distances: bool,
    probe: Arc<dyn ProbeTable<G>>,
}

impl<G: Game> Clone for Prober<G> {
    fn clone(&self) -> Self {
        let Prober { game, has_distances, probe } = self;
        Prober { game: game.clone(), has_distances: *has_distances, probe: probe.clone() }
    }
}

impl<G: Game> fmt::Debug for Prober<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prober").field("has_distances", &self.has_distances).finish_non_exhaustive()
    }
}

impl<G: Game> Prober<G> {
    pub(super) fn new(game: Arc<G>, has_distances: bool, probe: Arc<dyn ProbeTable<G>>) -> Self {
        Prober { game, has_distances, probe }
    }

    pub(crate) fn view(&self) -> View<'_, G> {
        View::new(&self.game, self.has_distances, &*self.probe)
    }

    /// The game of the table.
    #[must_use]
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The rules that turn values into verdicts.
    #[must_use]
    pub fn rules(&self) -> Rules {
        Rules::of_game(&*self.game)
    }

    /// Whether the table has distances, and not outcomes only.
    #[must_use]
    pub fn has_distances(&self) -> bool {
        self.has_distances
    }

    /// The name of each tier of the game, and the range of its indices, in solving order. A game
    /// without tiers has one tier without a name.
    ///
    /// ```
    /// # use kit::games::TwoHeaps;
    /// # let folder = tempfile::tempdir()?;
    /// use retrograde::{Solver, Table};
    ///
    /// Solver::new(&TwoHeaps { heaps: [3, 3] }).solve_into(&folder)?;
    /// let prober = Table::open(&folder)?.prober(TwoHeaps { heaps: [3, 3] })?;
    /// assert_eq!(prober.tiers()[2], ("2-left".to_owned(), 3..6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tiers(&self) -> Vec<(String, Range<u64>)> {
        self.probe.tiers()
    }

    /// The value of a state, for the player to move, without regard to a ply limit.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
    /// use retrograde::{Table, Value};
    ///
    /// let prober = Table::open(&path)?.prober(Nim { counters: 21 })?;
    /// assert_eq!(prober.value(&20)?, Value::Loss(10));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the table does not have the state, has outcomes only, or can't be read.
    pub fn value(&self, state: &G::State) -> Result<Value, QueryError> {
        self.view().index_and_value(state).map(|(_, value)| value)
    }

    /// The values of many states, in the order of `states`. Each block of a table is read once,
    /// however small the cache.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
    /// use retrograde::{Table, Value};
    ///
    /// let prober = Table::open(&path)?.prober(Nim { counters: 21 })?;
    /// assert_eq!(prober.values(&[21, 20])?, [Value::Win(11), Value::Loss(10)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`value`](Self::value), for any of the states.
    pub fn values(&self, states: &[G::State]) -> Result<Vec<Value>, QueryError> {
        self.view().values(states)
    }

    /// Who wins from a state, and in how many plies if that is known.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
    /// use retrograde::{Outcome, Table};
    ///
    /// let prober = Table::open(&path)?.prober(Nim { counters: 21 })?;
    /// let verdict = prober.verdict(&20)?;
    /// assert_eq!(verdict.outcome, Outcome::MoverLoses);
    /// assert_eq!(verdict.to_string(), "the player to move loses in 10 plies");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the table does not have the state, or can't be read.
    pub fn verdict(&self, state: &G::State) -> Result<Verdict, QueryError> {
        self.view().verdict(state)
    }

    /// The states that the legal moves lead to, best first: the soonest win, else a draw, else the
    /// latest loss. Moves that are equally good as far as is known come in the game's own order.
    /// Two moves to the same state are one. Empty where play is over.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
    /// use retrograde::{Outcome, Table, Value};
    ///
    /// let prober = Table::open(&path)?.prober(Nim { counters: 21 })?;
    /// let moves = prober.moves(&21)?;
    /// assert_eq!((moves[0].state, moves[0].value), (20, Some(Value::Loss(10))));
    /// assert_eq!(moves[1].verdict.outcome, Outcome::MoverWins);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`verdict`](Self::verdict).
    pub fn moves(&self, state: &G::State) -> Result<Vec<Assessed<G::State>>, QueryError> {
        self.view().ranked_moves(state).map(|ranked| ranked.moves)
    }

    /// The [`moves`](Self::moves) of a state, and how many of them are equally good and better than
    /// all others.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
    /// use retrograde::Table;
    ///
    /// let prober = Table::open(&path)?.prober(Nim { counters: 21 })?;
    /// // Only one move from 21 wins; all three moves from 20 lose in 10 plies.
    /// assert_eq!(prober.ranked_moves(&21)?.best_count, 1);
    /// assert_eq!(prober.ranked_moves(&20)?.best_count, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`verdict`](Self::verdict).
    pub fn ranked_moves(&self, state: &G::State) -> Result<RankedMoves<G::State>, QueryError> {
        self.view().ranked_moves(state)
    }

    /// Best play from a state to the end. Where play is endless, the line stops when a position
    /// repeats.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
    /// use retrograde::Table;
    /// use retrograde::query::LineEnd;
    ///
    /// let prober = Table::open(&path)?.prober(Nim { counters: 21 })?;
    /// let line = prober.line(&6)?;
    /// let heaps: Vec<u64> = line.positions.iter().map(|step| step.state).collect();
    /// assert_eq!((heaps, line.end), (vec![6, 4, 3, 0], LineEnd::Over));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn line(&self, state: &G::State) -> Result<Line<G::State>, QueryError> {
        self.view().line_within(state, usize::MAX)
    }

    /// Best play from a state, at most this many plies of it.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
    /// use retrograde::Table;
    /// use retrograde::query::LineEnd;
    ///
    /// let prober = Table::open(&path)?.prober(Nim { counters: 21 })?;
    /// let line = prober.line_within(&21, 2)?;
    /// assert_eq!((line.positions.len(), line.end), (3, LineEnd::Cut));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn line_within(
        &self,
        state: &G::State,
        plies: usize,
    ) -> Result<Line<G::State>, QueryError> {
        self.view().line_within(state, plies)
    }

    /// The index and the value of a state.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
    /// use retrograde::{Table, Value};
    ///
    /// let prober = Table::open(&path)?.prober(Nim { counters: 21 })?;
    /// assert_eq!(prober.index_and_value(&21)?, (21, Value::Win(11)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn index_and_value(&self, state: &G::State) -> Result<(u64, Value), QueryError> {
        self.view().index_and_value(state)
    }

    /// The index of a state, and its value without the distance.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
    /// use retrograde::Table;
    /// use retrograde::query::ValueKind;
    ///
    /// let prober = Table::open(&path)?.prober(Nim { counters: 21 })?;
    /// assert_eq!(prober.index_and_kind(&21)?, (21, ValueKind::Win));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`verdict`](Self::verdict).
    pub fn index_and_kind(&self, state: &G::State) -> Result<(u64, ValueKind), QueryError> {
        self.view().index_and_kind(state)
    }

    /// The states whose values are wanted, in the order of their indices. Reads the values as the
    /// iterator goes on, some at a time.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
    /// use retrograde::error::QueryError;
    /// use retrograde::{Table, Value};
    ///
    /// let prober = Table::open(&path)?.prober(Nim { counters: 21 })?;
    /// // Where does a win take longest?
    /// let heaps = prober.states_with(|value| value == Value::Win(11)).map(|found| Ok(found?.state));
    /// assert_eq!(heaps.collect::<Result<Vec<u64>, QueryError>>()?, [21]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// An item is an error when the table has outcomes only, or can't be read; it is the last one.
    pub fn states_with<'a>(&'a self, wanted: impl Fn(Value) -> bool + 'a) -> States<'a, G> {
        self.states_with_in(0..u64::MAX, wanted)
    }

    /// The states of a range of indices whose values are wanted: see
    /// [`states_with`](Self::states_with). The range may go beyond the last index.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
    /// use retrograde::{Table, Value};
    ///
    /// let prober = Table::open(&path)?.prober(Nim { counters: 21 })?;
    /// let lost = |value| matches!(value, Value::Loss(_));
    /// let indices: Vec<u64> = prober.states_with_in(10..21, lost).map(|found| found.unwrap().index).collect();
    /// assert_eq!(indices, [12, 16, 20]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn states_with_in<'a>(
        &'a self,
        indices: Range<u64>,
        wanted: impl Fn(Value) -> bool + 'a,
    ) -> States<'a, G> {
        self.view().states_with(indices, wanted)
    }

    /// The values of a range of indices, `None` for unused ones. The range may go beyond the last index.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
    /// use retrograde::{Table, Value};
    ///
    /// let prober = Table::open(&path)?.prober(Nim { counters: 21 })?;
    /// assert_eq!(prober.values_in(20..30)?, [Some(Value::Loss(10)), Some(Value::Win(11))]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the table has outcomes only, or can't be read.
    pub fn values_in(&self, indices: Range<u64>) -> Result<Vec<Option<Value>>, QueryError> {
        self.view().check_distances("a distance")?;
        let (mut packed, scale) = (Vec::new(), Scale::of_game(&*self.game));
        self.probe.packed_values(indices, &mut packed)?;
        Ok(packed.into_iter().map(|packed| scale.unpack(packed).ok().flatten()).collect())
    }

    /// The state of an index; `None` for an unused one, and beyond the last.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
    /// use retrograde::Table;
    ///
    /// let prober = Table::open(&path)?.prober(Nim { counters: 21 })?;
    /// assert_eq!((prober.state(20)?, prober.state(22)?), (Some(20), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the table can't be read.
    pub fn state(&self, index: u64) -> Result<Option<G::State>, TableError> {
        self.probe.state(index)
    }

    /// The files of the table.
    #[cfg(feature = "serve")]
    pub(crate) fn files(&self) -> &dyn ProbeTable<G> {
        &*self.probe
    }
}

/// A game that is given away, or shared: the game itself, or an [`Arc`] of it.
///
/// ```
/// # use kit::games::Nim;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("nim.rtb");
/// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
/// use std::sync::Arc;
///
/// use retrograde::Table;
///
/// let game = Arc::new(Nim { counters: 21 });
/// let prober = Table::open(&path)?.prober(game.clone())?;
/// assert_eq!(prober.game().counters, game.counters);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a prober owns its game, or shares it",
    note = "pass the game itself, or an `Arc` of it"
)]
pub trait IntoShared<G>: sealed::Sealed<G> {
    /// The game, to be shared.
    fn into_shared(self) -> Arc<G>;
}

impl<G: Game> IntoShared<G> for G {
    fn into_shared(self) -> Arc<G> {
        Arc::new(self)
    }
}

impl<G: Game> IntoShared<G> for Arc<G> {
    fn into_shared(self) -> Arc<G> {
        self
    }
}

mod sealed {
    use std::sync::Arc;

    use crate::game::Game;

    pub trait Sealed<G> {}

    impl<G: Game> Sealed<G> for G {}

    impl<G: Game> Sealed<G> for Arc<G> {}
}
