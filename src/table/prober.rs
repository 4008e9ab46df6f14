//! Probes a table for the values of states.

use std::fmt;
use std::ops::{ControlFlow, Range};

use crate::error::{QueryError, TableError};
use crate::game::value::{Rules, Value, ValueKind, Verdict};
use crate::game::{Game, Turns as _};
#[cfg(all(feature = "serve", not(target_family = "wasm")))]
use crate::numbering::StateForm;
use crate::numbering::TierStarts;
use crate::numbering::indexing::{Indexing, KeyOf, Lookup, Tiering};
use crate::query::{Query, Visit};
#[cfg(all(feature = "serve", not(target_family = "wasm")))]
use crate::runtime::progress::unheard;
use crate::table::parts::TableParts;

/// A table and its game, made by [`Table::prober`](crate::Table::prober). Probe it with
/// [`value`](Prober::value), [`moves`](Prober::moves) and [`line`](Prober::line). It can be shared
/// between threads.
///
/// ```
/// # use kit::games::Nim;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("nim.rtb");
/// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
/// use retrograde::{Outcome, Table, Value};
///
/// let game = Nim { counters: 21 };
/// let table = Table::open(&path)?;
/// let prober = table.prober(&game)?;
/// assert_eq!((prober.game().counters, prober.rules().ply_limit), (21, None));
/// assert_eq!(prober.value(&21)?, Value::Win(11));
/// assert_eq!(prober.verdict(&21)?.outcome, Outcome::MoverWins);
/// assert_eq!(prober.moves(&21)?[0].state, 20);
/// let line = prober.line(&21)?;
/// assert_eq!(line.positions.len(), 12); // the heap of 21, and one after each ply
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The states with a wanted value, here those where a win takes longest:
///
/// ```
/// # use kit::games::Nim;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("nim.rtb");
/// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
/// use std::ops::ControlFlow;
///
/// use retrograde::{Table, Value};
///
/// let game = Nim { counters: 21 };
/// let table = Table::open(&path)?;
/// let mut longest = Vec::new();
/// let longest_win = |value| value == Value::Win(11);
/// table.prober(&game)?.for_each_with_value(longest_win, |_, heap, _| {
///     longest.push(heap);
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(longest, [21]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Prober<'t, G> {
    game: &'t G,
    has_distances: bool,
    probing: Box<dyn Probe<G> + Send + Sync + 't>,
}

impl<G> fmt::Debug for Prober<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prober").finish_non_exhaustive()
    }
}

impl<'t, G: Game> Prober<'t, G> {
    /// The game of the table.
    #[must_use]
    pub fn game(&self) -> &'t G {
        self.game
    }

    /// The rules that turn values into verdicts.
    #[must_use]
    pub fn rules(&self) -> Rules {
        Rules::of_game(self.game)
    }

    /// Makes a prober of these files, which are of this game.
    pub(crate) fn new<I: Indexing<G>, P: TableParts + Send + 't>(
        game: &'t G,
        has_distances: bool,
        parts: P,
    ) -> Self {
        let starts = TierStarts::new(parts.count(), &|tier| parts.len(tier));
        let indexing = std::marker::PhantomData::<fn() -> I>;
        let probing = Box::new(TableProbe { game, parts, starts, indexing });
        Prober { game, has_distances, probing }
    }

    /// The name of each tier of the game, and the range of its indices, in solving order. A game
    /// without tiers has one tier without a name.
    ///
    /// ```
    /// # use kit::games::TwoHeaps;
    /// # let folder = tempfile::tempdir()?;
    /// use retrograde::{Solver, Table};
    ///
    /// let game = TwoHeaps { heaps: [3, 3] };
    /// Solver::new(&game).solve_into(&folder)?;
    /// let table = Table::open(&folder)?;
    /// assert_eq!(table.prober(&game)?.tiers()[2], ("2-left".to_owned(), 3..6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tiers(&self) -> Vec<(String, Range<u64>)> {
        self.probing.tiers()
    }

    /// The verdicts of many states, as [`verdict`](Query::verdict), in the order of `states`. Each
    /// block of the table is read once. The remaining states get `None` once `is_late` returns
    /// true.
    #[cfg_attr(
        not(feature = "cli"),
        expect(dead_code, reason = "only the command line and the server use it")
    )]
    pub(crate) fn verdicts_until(
        &self,
        states: &[G::State],
        is_late: &dyn Fn() -> bool,
    ) -> Vec<Option<Result<Verdict, QueryError>>> {
        let rules = self.rules();
        let mut verdicts: Vec<_> = states.iter().map(|_| None).collect();
        self.probing.look_up_all(states, is_late, &mut |at, value| {
            let mover = self.game.named_mover(&states[at]);
            verdicts[at] = Some(value.map(|value| match self.has_distances {
                true => rules.judge(value, mover),
                false => rules.judge_kind(value.kind(), mover),
            }));
            ControlFlow::Continue(())
        });
        verdicts
    }

    /// Visits the states of a range of indices that have a wanted value. The distance is 0 if the table
    /// stores outcomes only.
    #[cfg(feature = "serve")]
    pub(crate) fn visit_values_in(
        &self,
        indices: Range<u64>,
        wanted: &dyn Fn(Value) -> bool,
        visit: &mut Visit<'_, G::State>,
    ) -> Result<(), QueryError> {
        self.probing.visit_in(indices, wanted, visit)
    }

    /// Appends the packed values of a range of indices to `packed`. Unused indices have the value 0.
    #[cfg(all(feature = "serve", not(target_family = "wasm")))]
    pub(crate) fn packed_values(
        &self,
        indices: Range<u64>,
        packed: &mut Vec<u16>,
    ) -> Result<(), TableError> {
        self.probing.packed_values(indices, packed)
    }

    /// The state of an index of the table; `None` for an unused one.
    #[cfg(all(feature = "serve", not(target_family = "wasm")))]
    pub(crate) fn state(&self, index: u64) -> Result<Option<G::State>, TableError> {
        self.probing.state(index)
    }

    /// Refuses a query that needs distances if the table stores outcomes only.
    fn check_distances(&self, query: &'static str) -> Result<(), QueryError> {
        if self.has_distances { Ok(()) } else { Err(QueryError::OutcomesOnly { asked: query }) }
    }
}

crate::query::query_methods!(Prober);

impl<G: Game> Query for Prober<'_, G> {
    type Game = G;

    fn game(&self) -> &G {
        self.game
    }

    fn rules(&self) -> Rules {
        Rules::of_game(self.game)
    }

    fn index_and_value(&self, state: &G::State) -> Result<(u64, Value), QueryError> {
        self.check_distances("a distance")?;
        self.probing.look_up(state)
    }

    fn index_and_kind(&self, state: &G::State) -> Result<(u64, ValueKind), QueryError> {
        self.probing.look_up(state).map(|(index, value)| (index, value.kind()))
    }

    fn has_distances(&self) -> bool {
        self.has_distances
    }

    fn values(&self, states: &[G::State]) -> Result<Vec<Value>, QueryError> {
        self.check_distances("a distance")?;
        let (mut values, mut failed) = (vec![None; states.len()], None);
        self.probing.look_up_all(states, &|| false, &mut |at, value| match value {
            Ok(value) => {
                values[at] = Some(value);
                ControlFlow::Continue(())
            }
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        });
        match failed {
            None => Ok(values.into_iter().flatten().collect()),
            Some(error) => Err(error),
        }
    }

    fn for_each_with_value_in(
        &self,
        indices: Range<u64>,
        wanted: &dyn Fn(Value) -> bool,
        visit: &mut Visit<'_, G::State>,
    ) -> Result<(), QueryError> {
        self.check_distances("a search for values")?;
        self.probing.visit_in(indices, wanted, visit)
    }
}

/// A visitor of values. Its arguments are a state's place in a list, and the state's value.
type VisitValue<'v> = dyn FnMut(usize, Result<Value, QueryError>) -> ControlFlow<()> + 'v;

/// Probes a table in any numbering and storage.
trait Probe<G: Game> {
    /// The index and the value of a state. The distance is 0 if the table stores none.
    fn look_up(&self, state: &G::State) -> Result<(u64, Value), QueryError>;

    /// Visits the values of states and reads each block once, until `visit` returns `Break` or
    /// `is_late` returns true. A value comes with the place of its state in `states`.
    fn look_up_all(
        &self,
        states: &[G::State],
        is_late: &dyn Fn() -> bool,
        visit: &mut VisitValue<'_>,
    );

    /// Visits the states of a range of indices that have a wanted value.
    fn visit_in(
        &self,
        indices: Range<u64>,
        wanted: &dyn Fn(Value) -> bool,
        visit: &mut Visit<'_, G::State>,
    ) -> Result<(), QueryError>;

    /// The name of each tier, and the range of its indices.
    fn tiers(&self) -> Vec<(String, Range<u64>)>;

    #[cfg(all(feature = "serve", not(target_family = "wasm")))]
    fn packed_values(&self, indices: Range<u64>, packed: &mut Vec<u16>) -> Result<(), TableError>;

    #[cfg(all(feature = "serve", not(target_family = "wasm")))]
    fn state(&self, index: u64) -> Result<Option<G::State>, TableError>;
}

/// The files of a table, and the numbering of its game's states.
struct TableProbe<'t, G, I, P> {
    game: &'t G,
    parts: P,
    starts: TierStarts,
    indexing: std::marker::PhantomData<fn() -> I>,
}

impl<G: Game, I: Indexing<G>, P: TableParts> TableProbe<'_, G, I, P> {
    /// The tier of a state, and the state's key in the file of that tier.
    #[inline]
    fn place(&self, state: &G::State) -> Result<(usize, KeyOf<G, I>), QueryError> {
        let tier = I::Tiering::tier(self.game, state);
        let key = (tier < self.parts.count()).then(|| I::Lookup::key(self.game, tier, state));
        match key.flatten() {
            Some(key) => Ok((tier, key)),
            None => Err(QueryError::not_in_table(state)),
        }
    }

    /// The index of the state with this key, within the tier.
    #[inline]
    fn index(&self, tier: usize, key: &KeyOf<G, I>, state: &G::State) -> Result<u64, QueryError> {
        let file = self.parts.file(tier)?;
        let found = file.index_of_key::<G, I>(self.game, tier, key);
        let found = found.map_err(|error| self.parts.at(tier, error))?;
        found.ok_or_else(|| QueryError::not_in_table(state))
    }

    /// The value of an index of a tier.
    #[inline]
    fn value(&self, tier: usize, index: u64, state: &G::State) -> Result<Value, QueryError> {
        let value = self.parts.file(tier)?.value(index, state);
        let value = value.map_err(|error| self.parts.at(tier, error))?;
        value.ok_or_else(|| QueryError::not_in_table(state))
    }

    /// The parts of a range of indices: the tier, its first index, and the indices within it.
    fn parts_of(&self, indices: Range<u64>) -> impl Iterator<Item = (usize, u64, Range<u64>)> {
        (0..self.parts.count()).filter_map(move |tier| {
            let Range { start, end } = self.starts.range(tier);
            let within = indices.start.max(start)..indices.end.min(end);
            let is_part = !within.is_empty();
            is_part.then(|| (tier, start, within.start - start..within.end - start))
        })
    }
}

impl<G: Game, I: Indexing<G>, P: TableParts> Probe<G> for TableProbe<'_, G, I, P> {
    fn look_up(&self, state: &G::State) -> Result<(u64, Value), QueryError> {
        let (tier, key) = self.place(state)?;
        let within = self.index(tier, &key, state)?;
        let value = self.value(tier, within, state)?;
        let index = self.starts.index_at(tier, within);
        Ok((index.ok_or_else(|| QueryError::not_in_table(state))?, value))
    }

    fn look_up_all(
        &self,
        states: &[G::State],
        is_late: &dyn Fn() -> bool,
        visit: &mut VisitValue<'_>,
    ) {
        // First in the order of the states in the files, then in the order of the values.
        let mut keys = Vec::with_capacity(states.len());
        for (at, state) in states.iter().enumerate() {
            match self.place(state) {
                Ok((tier, key)) => keys.push((tier, key, at)),
                Err(error) => {
                    if visit(at, Err(error)).is_break() {
                        return;
                    }
                }
            }
        }
        keys.sort_unstable();
        let mut indices = Vec::with_capacity(keys.len());
        for (tier, key, at) in keys {
            if is_late() {
                return;
            }
            match self.index(tier, &key, &states[at]) {
                Ok(index) => indices.push((tier, index, at)),
                Err(error) => {
                    if visit(at, Err(error)).is_break() {
                        return;
                    }
                }
            }
        }
        indices.sort_unstable();
        for (tier, index, at) in indices {
            if is_late() || visit(at, self.value(tier, index, &states[at])).is_break() {
                return;
            }
        }
    }

    fn visit_in(
        &self,
        indices: Range<u64>,
        wanted: &dyn Fn(Value) -> bool,
        visit: &mut Visit<'_, G::State>,
    ) -> Result<(), QueryError> {
        for (tier, start, within) in self.parts_of(indices) {
            let file = self.parts.file(tier)?;
            let mut stopped = false;
            let visited = file.each_value(within, wanted, &mut |within, value| {
                let state = file.state_of_index::<G, I>(self.game, tier, within)?;
                Ok::<_, TableError>(match state {
                    Some(state) => {
                        let flow = visit(start + within, state, value);
                        stopped = flow.is_break();
                        flow
                    }
                    None => ControlFlow::Continue(()),
                })
            });
            visited.map_err(|error| self.parts.at(tier, error))?;
            if stopped {
                break;
            }
        }
        Ok(())
    }

    #[cfg(all(feature = "serve", not(target_family = "wasm")))]
    fn packed_values(&self, indices: Range<u64>, packed: &mut Vec<u16>) -> Result<(), TableError> {
        for (tier, _, within) in self.parts_of(indices) {
            let (file, first) = (self.parts.file(tier)?, packed.len());
            let at = |error| self.parts.at(tier, error);
            packed.extend(file.packed_values(within.clone(), &mut *unheard()).map_err(at)?);
            // A table that lists its states has no unused index.
            if file.has_filled_holes() && I::Lookup::FORM == StateForm::Formula {
                for (index, value) in within.zip(&mut packed[first..]) {
                    let state = file.state_of_index::<G, I>(self.game, tier, index).map_err(at)?;
                    if state.is_none() {
                        *value = 0;
                    }
                }
            }
        }
        Ok(())
    }

    #[cfg(all(feature = "serve", not(target_family = "wasm")))]
    fn state(&self, index: u64) -> Result<Option<G::State>, TableError> {
        let tiers = 0..self.parts.count();
        let Some(tier) = tiers.into_iter().find(|&tier| self.starts.range(tier).contains(&index))
        else {
            return Ok(None);
        };
        let within = index - self.starts.range(tier).start;
        let file = self.parts.file(tier)?;
        let found = file.state_of_index::<G, I>(self.game, tier, within);
        found.map_err(|error| self.parts.at(tier, error))
    }

    fn tiers(&self) -> Vec<(String, Range<u64>)> {
        self.starts.named(I::Tiering::tiers(self.game), self.parts.count())
    }
}
