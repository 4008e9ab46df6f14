//! Probes the files of a table, and makes probers of them.

use std::marker::PhantomData;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use crate::error::{QueryError, TableError};
use crate::game::Game;
use crate::game::value::Value;
use crate::numbering::StateForm;
use crate::numbering::TierStarts;
use crate::numbering::indexing::{Indexing, KeyOf, Lookup, Tiering};
use crate::numbering::scheme::Numbered;
use crate::query::probe::{Probe, ProbeTable, Visit, VisitValue};
use crate::query::prober::{IntoShared, Prober};
use crate::runtime::progress::unheard;
use crate::table::parts::TableParts;
use crate::table::{PartsVisitor, Storage, Stored, Table};

impl<S: Storage + 'static> Table<S> {
    /// Makes a prober, which answers questions about the positions of the table's game. It owns the
    /// game, and shares the files with the table: keep it in a struct, clone it, ask it from several
    /// threads.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
    /// use retrograde::{Outcome, Table};
    ///
    /// let table = Table::open(&path)?;
    /// let prober = table.prober(Nim { counters: 21 })?;
    /// assert_eq!(prober.verdict(&20)?.outcome, Outcome::MoverLoses);
    /// assert!(table.prober(Nim { counters: 30 }).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the table is of another game, of this game with other parameters, or of a numbering
    /// that the game does not list ([`Numbered::Numberings`]).
    pub fn prober<G: Stored + Numbered + Send + 'static>(
        &self,
        game: impl IntoShared<G>,
    ) -> Result<Prober<G>, TableError> {
        let game = game.into_shared();
        let has_distances = !self.has_outcomes_only();
        self.with_parts(game.clone(), MakeProber { game, has_distances })
    }
}

/// Makes a prober of a table's files.
struct MakeProber<G> {
    game: Arc<G>,
    has_distances: bool,
}

impl<G: Stored + Send + 'static> PartsVisitor<'static, G> for MakeProber<G> {
    type Output = Prober<G>;

    fn visit<I: Indexing<G>, P: TableParts + Send + 'static>(
        self,
        parts: P,
    ) -> Result<Prober<G>, TableError> {
        let MakeProber { game, has_distances } = self;
        let starts = TierStarts::new(parts.count(), &|tier| parts.len(tier));
        let probe =
            TableFiles { game: game.clone(), parts, starts, indexing: PhantomData::<fn() -> I> };
        Ok(Prober::new(game, has_distances, Arc::new(probe)))
    }
}

/// The files of a table, and the numbering of its game's states.
struct TableFiles<G, I, P> {
    game: Arc<G>,
    parts: P,
    starts: TierStarts,
    indexing: PhantomData<fn() -> I>,
}

impl<G: Game, I: Indexing<G>, P: TableParts> TableFiles<G, I, P> {
    /// The tier of a state, and the state's key in the file of that tier.
    #[inline]
    fn place(&self, state: &G::State) -> Result<(usize, KeyOf<G, I>), QueryError> {
        let tier = I::Tiering::tier(&*self.game, state);
        let key = (tier < self.parts.count()).then(|| I::Lookup::key(&*self.game, tier, state));
        match key.flatten() {
            Some(key) => Ok((tier, key)),
            None => Err(QueryError::not_in_table(state)),
        }
    }

    /// The index of the state with this key, within the tier.
    #[inline]
    fn index(&self, tier: usize, key: &KeyOf<G, I>, state: &G::State) -> Result<u64, QueryError> {
        let file = self.parts.file(tier)?;
        let found = file.index_of_key::<G, I>(&*self.game, tier, key);
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

impl<G: Game + Send, I: Indexing<G>, P: TableParts + Send> Probe<G> for TableFiles<G, I, P> {
    fn len(&self) -> u64 {
        self.parts.count().checked_sub(1).map_or(0, |last| self.starts.range(last).end)
    }

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
                let state = file.state_of_index::<G, I>(&*self.game, tier, within)?;
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
}

impl<G: Game + Send, I: Indexing<G>, P: TableParts + Send> ProbeTable<G> for TableFiles<G, I, P> {
    fn packed_values(&self, indices: Range<u64>, packed: &mut Vec<u16>) -> Result<(), TableError> {
        for (tier, _, within) in self.parts_of(indices) {
            let (file, first) = (self.parts.file(tier)?, packed.len());
            let at = |error| self.parts.at(tier, error);
            packed.extend(file.packed_values(within.clone(), &mut *unheard()).map_err(at)?);
            // A table that lists its states has no unused index.
            if file.has_filled_unused() && I::Lookup::FORM == StateForm::Formula {
                for (index, value) in within.zip(&mut packed[first..]) {
                    let state =
                        file.state_of_index::<G, I>(&*self.game, tier, index).map_err(at)?;
                    if state.is_none() {
                        *value = 0;
                    }
                }
            }
        }
        Ok(())
    }

    fn state(&self, index: u64) -> Result<Option<G::State>, TableError> {
        let tiers = 0..self.parts.count();
        let Some(tier) = tiers.into_iter().find(|&tier| self.starts.range(tier).contains(&index))
        else {
            return Ok(None);
        };
        let within = index - self.starts.range(tier).start;
        let file = self.parts.file(tier)?;
        let found = file.state_of_index::<G, I>(&*self.game, tier, within);
        found.map_err(|error| self.parts.at(tier, error))
    }

    fn tiers(&self) -> Vec<(String, Range<u64>)> {
        self.starts.named(I::Tiering::tiers(&*self.game), self.parts.count())
    }
}
