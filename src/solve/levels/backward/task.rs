//! A level's only request to a game: to walk a part of the frontier.

use std::sync::atomic::AtomicBool;

use crate::error::SolveError;
use crate::numbering::discovered::FindKeys;
use crate::runtime::pool::CancellationToken;
use crate::solve::cells::cell::{Cell, Settling};
use crate::solve::exchange::Outbox;
use crate::solve::graph::predecessors::Predecessors;
use crate::solve::levels::backward::buckets::SortedUpdates;
use crate::solve::levels::backward::rule::Rule;
use crate::solve::levels::backward::walk::{LevelTask, Walk, Walker};

/// The task of a level, without the types of its game and its rule. Each call walks many states, so
/// that the call itself costs nothing.
pub(super) trait LevelWalk<C>: Sync {
    /// See [`Predecessors::len`].
    fn len(&self) -> u64;

    /// See [`Predecessors::find_keys`].
    fn find_keys(&self) -> Option<&dyn FindKeys>;

    /// How updates settle cells.
    fn settling(&self) -> Settling<'_, C>;

    /// See [`Walker::walk`].
    fn walk(
        &self,
        walker: &mut Walker<'_, C>,
        outbox: &mut Outbox<u64>,
        most: Option<u64>,
        waiting: &AtomicBool,
        token: &dyn CancellationToken,
    ) -> Result<bool, SolveError>;

    /// See [`SortedUpdates::walk`].
    fn walk_sorted(
        &self,
        found: &mut SortedUpdates<'_, C>,
        walk: &mut Walk<'_>,
        most: u64,
        token: &dyn CancellationToken,
    ) -> Result<(), SolveError>;
}

impl<P: Predecessors, R: Rule<C>, C: Cell> LevelWalk<C> for LevelTask<'_, P, R, C> {
    fn len(&self) -> u64 {
        self.graph.len()
    }

    fn find_keys(&self) -> Option<&dyn FindKeys> {
        self.graph.find_keys()
    }

    fn settling(&self) -> Settling<'_, C> {
        self.settling
    }

    fn walk(
        &self,
        walker: &mut Walker<'_, C>,
        outbox: &mut Outbox<u64>,
        most: Option<u64>,
        waiting: &AtomicBool,
        token: &dyn CancellationToken,
    ) -> Result<bool, SolveError> {
        walker.walk(*self, outbox, most, waiting, token)
    }

    fn walk_sorted(
        &self,
        found: &mut SortedUpdates<'_, C>,
        walk: &mut Walk<'_>,
        most: u64,
        token: &dyn CancellationToken,
    ) -> Result<(), SolveError> {
        found.walk(walk, self.graph, self.rule, most, token)
    }
}
