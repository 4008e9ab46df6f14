//! The first pass over discovered states, whose successors are looked up in batches.

use std::ops::Range;

use crate::error::SolveError;
use crate::explore::Movers;
use crate::game::{Game, Turns};
use crate::numbering::Numbering;
use crate::solve::cells::cell::Cell;
use crate::solve::graph::batch::Batch;
use crate::solve::graph::first_pass::{Initializer, check_gains};
use crate::solve::graph::links::Neighbours;

impl<C: Cell> Initializer<'_, '_, '_, C> {
    /// Settles the states of a stretch where play is over, and opens the others.
    pub(super) fn in_batches<N: Numbering>(
        &mut self,
        numbering: &N,
        stretch: Range<u64>,
        batch: &mut Batch<N::Key, u64>,
        links: &mut Neighbours,
    ) -> Result<(), SolveError> {
        let game = numbering.game();
        let mut result = Ok(());
        numbering.states_in(stretch, |index, state| {
            let mover = game.mover(&state);
            self.counts.states[mover.index()] += 1;
            Movers::note(self.movers, index - self.start, mover);
            if result.is_err() {
                return;
            }
            result = match game.terminal(&state) {
                Some(_) => self.slow_path(numbering, index, &state, links),
                None => self.add_to(batch, numbering, index, &state),
            };
            if result.is_ok() && batch.is_full() {
                result = self.open_batch(numbering, batch, links);
            }
        });
        result?;
        self.open_batch(numbering, batch, links)
    }

    /// Adds a state that is not terminal, with the number of its exits, which count as one.
    fn add_to<N: Numbering>(
        &mut self,
        batch: &mut Batch<N::Key, u64>,
        numbering: &N,
        index: u64,
        state: &<N::Game as Game>::State,
    ) -> Result<(), SolveError> {
        if N::Game::POINTS {
            check_gains(numbering, state)?;
        }
        let leaves = N::HAS_EXITS && self.add_exits(numbering, index, state)?;
        batch.add(numbering, index, state, leaves.into())
    }

    /// Opens the states of a batch, and empties it.
    fn open_batch<N: Numbering>(
        &mut self,
        numbering: &N,
        batch: &mut Batch<N::Key, u64>,
        links: &mut Neighbours,
    ) -> Result<(), SolveError> {
        batch.find(numbering);
        links.clear();
        for at in 0..batch.len() {
            batch.distinct(numbering, at, &mut links.links)?;
            let (index, exits) = batch.source(at);
            let degree = links.len() as u64 + exits;
            if degree > 0 {
                self.open(index, degree, links);
            } else if let Some(state) = numbering.state(index) {
                self.slow_path(numbering, index, &state, links)?;
            }
        }
        batch.clear();
        Ok(())
    }
}
