//! A store for solved tiers while others are solved.

use std::sync::Arc;

use crate::error::SolveError;
use crate::explore::RecordedMoves;
use crate::game::Game;
use crate::numbering::discovered::KeyForm;
use crate::numbering::indexing::{Indexing, Indices, Lookup};
use crate::numbering::{SolvedTier, TierValues};
use crate::runtime::pool::WorkerPool;
use crate::runtime::scratch::Scratch;
use crate::solve::cells::Cells;
use crate::solve::plan::A_MESSAGE;
use crate::solve::solved::SaveTier;
use crate::solve::solved::{SolvedPart, TierFigures};
use crate::solve::tiers::memory::{ExitsSize, Kept, StatesSize, TierSize, incoming};

/// Stores solved tiers, and loads the ones that other tiers need.
pub(crate) trait TierStore<G: Game, I: Indexing<G>> {
    /// Why a tier could not be stored or loaded.
    type Error: From<SolveError>;

    /// Where the values of solved tiers are.
    fn kept(&self) -> Kept;

    /// Whether several processes share the states of each tier, so that none holds a whole tier.
    fn shares_states(&self) -> bool {
        false
    }

    /// The size of a tier, solved or not. Its moves may have been recorded.
    fn size(&self, tier: usize, moves: Option<&RecordedMoves>) -> TierSize;

    /// The figures of a tier, if an earlier run solved it and the stored tier is unchanged.
    fn find(
        &mut self,
        tier: usize,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<TierFigures>, Self::Error>;

    /// The numbering of a tier before it is solved. Discovered states that are not in memory stand there
    /// in this form.
    fn indices(&mut self, tier: usize, form: &KeyForm) -> Result<Indices<G, I>, Self::Error>;

    /// Loads a solved tier: all of it, or only this process's part, if several processes share it. Its
    /// discovered states stand in this form, and its values may go into a scratch file if there is a folder
    /// for them.
    fn load(
        &mut self,
        tier: usize,
        shared: bool,
        form: &KeyForm,
        scratch: Option<&Arc<Scratch>>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<SolvedTier<G, I>, Self::Error>;

    /// Stores a tier that has just been solved. Returns the length of its file in bytes, if it has
    /// one. With several processes, the first one stores it, and the others help.
    fn save(
        &mut self,
        tier: usize,
        part: SolvedPart<'_, G>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<u64>, Self::Error>;

    /// Takes the values of a tier that has just been solved, since later tiers may need them.
    fn hand_over(&mut self, tier: usize, values: &Arc<Cells>);

    /// The memory that the store takes in any case, in bytes.
    fn bytes(&self) -> u64;
}

/// Solved tiers in memory: the numberings and the values.
pub(super) struct MemoryStore<'g, 'a, G: Game, I: Indexing<G>, E> {
    pub(super) game: &'g G,
    pub(super) indices: Vec<Indices<G, I>>,
    pub(super) values: Vec<Arc<Cells>>,
    pub(super) save: &'g mut SaveTier<'a, G, E>,
}

impl<G: Game, I: Indexing<G>, E: From<SolveError>> TierStore<G, I>
    for MemoryStore<'_, '_, G, I, E>
{
    type Error = E;

    fn kept(&self) -> Kept {
        Kept::InMemory
    }

    fn size(&self, tier: usize, moves: Option<&RecordedMoves>) -> TierSize {
        let indices = &self.indices[tier];
        TierSize {
            len: I::Lookup::len(indices, self.game, tier),
            states: StatesSize::any(I::Lookup::bytes(indices)),
            incoming: match moves {
                Some(moves) => {
                    ExitsSize { bytes: moves.with_exits() * A_MESSAGE, all_leave: false }
                }
                None => incoming::<G, I>(self.game, tier, indices),
            },
            is_solved: false,
        }
    }

    fn find(&mut self, _: usize, _: &mut WorkerPool<'_>) -> Result<Option<TierFigures>, E> {
        Ok(None)
    }

    fn indices(&mut self, tier: usize, _: &KeyForm) -> Result<Indices<G, I>, E> {
        Ok(self.indices[tier].clone())
    }

    fn load(
        &mut self,
        tier: usize,
        _: bool,
        _: &KeyForm,
        _: Option<&Arc<Scratch>>,
        _: &mut WorkerPool<'_>,
    ) -> Result<SolvedTier<G, I>, E> {
        // The values of all earlier tiers are present, in order.
        let values: Arc<dyn TierValues> = Arc::clone(&self.values[tier]) as _;
        Ok(SolvedTier { indices: self.indices[tier].clone(), values })
    }

    fn save(
        &mut self,
        _: usize,
        part: SolvedPart<'_, G>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<u64>, E> {
        (self.save)(part, pool)
    }

    fn hand_over(&mut self, _: usize, values: &Arc<Cells>) {
        self.values.push(Arc::clone(values));
    }

    fn bytes(&self) -> u64 {
        let indices: u64 = self.indices.iter().map(I::Lookup::bytes).sum();
        indices + self.values.iter().map(|values| values.bytes()).sum::<u64>()
    }
}
