//! All tiers of a game, concatenated in solving order.

use std::ops::Range;

use crate::game::{Game, Player, Repeats, Tier, WriteState, write_debug};
use crate::numbering::indexing::{Indexing, Indices, Lookup, Tiering};

/// The numbering of all tiers of a game: the indices of each tier follow the indices of the tiers
/// before it. A game without tiers is one tier.
pub(crate) struct AllTiers<'g, G: Game, I: Indexing<G>> {
    pub(crate) game: &'g G,
    /// The search structure for the states of each tier.
    tiers: Vec<Indices<G, I>>,
    starts: TierStarts,
    write: WriteState<G>,
}

/// The first index of each tier, followed by the number of all indices.
#[derive(Debug)]
pub(crate) struct TierStarts(Vec<u64>);

impl TierStarts {
    /// The starts of this number of tiers, whose lengths `len_of` returns.
    pub(crate) fn new(count: usize, len_of: &dyn Fn(usize) -> u64) -> TierStarts {
        let mut starts = vec![0];
        let mut len = 0_u64;
        for tier in 0..count {
            len = len.saturating_add(len_of(tier));
            starts.push(len);
        }
        TierStarts(starts)
    }

    /// The name of each of the first `count` tiers, and the range of its indices.
    pub(crate) fn named(&self, tiers: Vec<Tier>, count: usize) -> Vec<(String, Range<u64>)> {
        let tiers = tiers.into_iter().take(count).enumerate();
        tiers.map(|(at, tier)| (tier.name, self.range(at))).collect()
    }

    /// The tier of an index below the total length, and the index within that tier.
    #[inline]
    pub(crate) fn place(&self, index: u64) -> (usize, u64) {
        let tier = self.0.partition_point(|&start| start <= index) - 1;
        (tier, index - self.0[tier])
    }

    /// The indices of a tier among the indices of all tiers; empty if there is no such tier.
    pub(crate) fn range(&self, tier: usize) -> Range<u64> {
        match (self.0.get(tier), self.0.get(tier + 1)) {
            (Some(&start), Some(&end)) => start..end,
            _ => 0..0,
        }
    }

    /// The index among all tiers of an index within one tier; `None` if the tier is shorter.
    #[inline]
    pub(crate) fn index_at(&self, tier: usize, within: u64) -> Option<u64> {
        let (start, end) = (*self.0.get(tier)?, *self.0.get(tier + 1)?);
        (within < end - start).then(|| start + within)
    }
}

impl<'g, G: Game, I: Indexing<G>> AllTiers<'g, G, I> {
    pub(crate) fn new(game: &'g G, tiers: Vec<Indices<G, I>>) -> Self {
        let len = |tier: usize| I::Lookup::len(&tiers[tier], game, tier);
        let starts = TierStarts::new(tiers.len(), &len);
        AllTiers { game, starts, tiers, write: write_debug }
    }

    /// Sets the function that writes states in errors.
    pub(crate) fn writing(self, write: WriteState<G>) -> Self {
        AllTiers { write, ..self }
    }

    /// The search structure for the states of each tier.
    pub(crate) fn tiers(&self) -> &[Indices<G, I>] {
        &self.tiers
    }

    /// The tier of an index below the total length, and the index within that tier.
    #[inline]
    pub(crate) fn place(&self, index: u64) -> (usize, u64) {
        self.starts.place(index)
    }

    /// The index among all tiers of an index within one tier. If a faulty formula gives an index
    /// beyond its tier, the result is beyond all tiers.
    fn index_at(&self, tier: usize, within: u64) -> u64 {
        self.starts.index_at(tier, within).unwrap_or(within.max(self.len()))
    }

    /// The number of indices, unused ones included.
    pub(crate) fn len(&self) -> u64 {
        self.starts.0[self.tiers.len()]
    }

    /// The index of a state; `None` if it has none.
    pub(crate) fn index(&self, state: &G::State) -> Option<u64> {
        let tier = I::Tiering::tier(self.game, state);
        let within = I::Lookup::index(self.tiers.get(tier)?, self.game, tier, state)?;
        Some(self.index_at(tier, within))
    }

    /// The state of an index below the total length; `None` for an unused index.
    pub(crate) fn state(&self, index: u64) -> Option<G::State> {
        let (tier, within) = self.place(index);
        I::Lookup::state(self.tiers.get(tier)?, self.game, tier, within)
    }

    /// Visits the states of a range of indices in ascending order, and leaves out unused indices.
    pub(crate) fn states_in(&self, indices: Range<u64>, visit: &mut dyn FnMut(u64, G::State)) {
        let mut next = indices.start;
        while next < indices.end.min(self.len()) {
            let (tier, within) = self.place(next);
            let start = self.starts.0[tier];
            let end = self.starts.0[tier + 1].min(indices.end);
            let range = within..end - start;
            I::Lookup::states_in(&self.tiers[tier], self.game, tier, range, |within, state| {
                visit(start + within, state);
            });
            next = end;
        }
    }

    /// Visits the index of each predecessor of a state, and the player to move there.
    pub(crate) fn predecessor_indices(
        &self,
        state: &G::State,
        visit: &mut dyn FnMut(u64, Player),
    ) -> Repeats {
        let tier = I::Tiering::tier(self.game, state);
        let Some(own) = self.tiers.get(tier) else { return Repeats::Never };
        I::predecessor_indices(self.game, tier, own, state, |within, turn| {
            visit(self.index_at(tier, within), turn);
        })
    }

    /// Writes a state in an error.
    pub(crate) fn write(&self, state: &G::State) -> String {
        (self.write)(self.game, state)
    }
}
