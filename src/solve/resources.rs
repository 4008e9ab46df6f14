//! The resources that a solve may use.

use crate::explore::Explorer;
use crate::game::{Game, WriteState};
use crate::runtime::pool::WorkerPool;
use crate::solve::plan::{Saving, SolveLimits};

/// The resources that a solve may use.
pub(crate) struct Resources<G: Game> {
    pub(super) threads: usize,
    pub(crate) limits: SolveLimits,
    /// Writes states in errors.
    pub(super) write: WriteState<G>,
    /// Writes states with all their parts.
    pub(super) parts: WriteState<G>,
}

impl<G: Game> Clone for Resources<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Resources<G> {}

impl<G: Game> Resources<G> {
    /// These resources, with the memory that saving takes.
    pub(crate) fn saving(self, saving: Saving) -> Resources<G> {
        Resources { limits: SolveLimits { saving, ..self.limits }, ..self }
    }

    pub(crate) fn explorer<'c, 'p>(&self, pool: &'c mut WorkerPool<'p>) -> Explorer<'c, 'p, G> {
        let Resources { limits: SolveLimits { memory, states, .. }, write, parts, .. } = *self;
        Explorer { pool, most_states: states, memory, records: true, listing: None, write, parts }
    }
}
