//! The tiers of Connect Four: one for every number of stones.
//!
//! The index of a board comes from the heights of its columns, and then from which stones are the
//! mover's, column by column. Every index is used. Two players who take turns can make each of
//! these boards, though some only by playing on after the end.

use std::ops::Range;

use retrograde::error::IndexError;
use retrograde::index::{Combinations, Divisor, expand};
use retrograde::{Game, Tier, TierIndexed, Tiered};

use super::{Columns, ConnectFour, Stones};

/// The numbering of all boards.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    /// By the number of stones.
    tiers: Vec<Owners>,
    heights: Heights,
}

/// The stones of a tier: which of them are the mover's.
#[derive(Clone, Debug)]
struct Owners {
    sets: Combinations,
    count: Divisor,
}

/// Ranks the heights of the columns among all heights with the same count of stones, in
/// lexicographic order.
#[derive(Clone, Debug)]
struct Heights {
    grid: Columns,
    /// The number of ways in which a column is lower, by the column, the count of stones in it and
    /// to its right, and its height.
    lower: Vec<u64>,
    /// The number of ways for each count of stones.
    counts: Vec<u64>,
}

impl Heights {
    fn new(grid: &Columns) -> Heights {
        let places = grid.columns * (grid.len() + 1) * grid.height();
        let mut heights =
            Heights { grid: *grid, lower: vec![0; places as usize], counts: Vec::new() };
        // In how many ways the columns from here to the right contain each number of stones.
        let mut ways = vec![0; grid.len() as usize + 1];
        ways[0] = 1;
        for column in (0..grid.columns).rev() {
            let right = std::mem::replace(&mut ways, vec![0; grid.len() as usize + 1]);
            for stones in 0..=grid.len() {
                let mut lower = 0;
                for height in 0..grid.height() {
                    let place = heights.place(column, stones, height);
                    heights.lower[place] = lower;
                    lower += stones.checked_sub(height).map_or(0, |rest| right[rest as usize]);
                }
                ways[stones as usize] = lower;
            }
        }
        heights.counts = ways;
        heights
    }

    #[inline]
    fn place(&self, column: u32, stones: u32, height: u32) -> usize {
        ((column * (self.grid.len() + 1) + stones) * self.grid.height() + height) as usize
    }

    /// The rank of a board's heights among those with `stones` stones; and which of its stones are
    /// `own`, counted column by column.
    #[inline]
    fn rank(&self, mut stones: u32, all: u64, own: u64) -> (u64, u64) {
        let (mut rank, mut owned, mut counted) = (0, 0, 0);
        for column in 0..self.grid.columns {
            let height = self.grid.column(all, column).trailing_ones();
            rank += self.lower[self.place(column, stones, height)];
            owned |= self.grid.column(own, column) << counted;
            counted += height;
            stones -= height;
        }
        (rank, owned)
    }

    /// The stones on the board whose heights have this rank among those with `stones` stones.
    fn unrank(&self, mut stones: u32, mut rank: u64) -> u64 {
        let mut all = 0;
        for column in 0..self.grid.columns {
            let lower = |height| self.lower[self.place(column, stones, height)];
            // Several heights may have the same count before them; the highest of these is right.
            let heights = 0..=stones.min(self.grid.rows);
            let height = heights.rev().find(|&height| lower(height) <= rank).unwrap_or(0);
            rank -= lower(height);
            stones -= height;
            all |= ((1 << height) - 1) << (column * self.grid.height());
        }
        all
    }
}

impl Numbering {
    pub(super) fn new(grid: &Columns) -> Result<Numbering, IndexError> {
        let owners = |stones| {
            let sets = Combinations::new(stones, stones / 2)?;
            let count = Divisor::new(sets.len());
            Ok(Owners { sets, count })
        };
        let tiers = (0..=grid.len()).map(owners).collect::<Result<_, _>>()?;
        Ok(Numbering { tiers, heights: Heights::new(grid) })
    }
}

impl ConnectFour {
    /// How many stones there are on the boards of a tier, or the tier of this many stones.
    #[inline]
    fn other_way_round(&self, place: usize) -> usize {
        self.grid.len() as usize - place
    }
}

impl Tiered for ConnectFour {
    /// The more stones there are, the sooner they are solved.
    fn tiers(&self) -> Vec<Tier> {
        let tier = |stones: u32| {
            let leads_to = (self.other_way_round(stones as usize)).checked_sub(1);
            Tier {
                name: crate::shared::tier_name(stones, "stone", "stones"),
                leads_to: leads_to.into_iter().collect(),
            }
        };
        (0..=self.grid.len()).rev().map(tier).collect()
    }

    #[inline]
    fn tier(&self, stones: &Stones) -> usize {
        self.other_way_round(stones.all.count_ones() as usize)
    }

    /// Every move leaves the tier.
    #[inline]
    fn exits(&self, tier: usize, stones: &Stones, visit: impl FnMut(Stones)) {
        let _ = tier;
        self.moves(stones, visit);
    }

    #[inline]
    fn tier_degree(&self, tier: usize, stones: &Stones) -> Option<u64> {
        let _ = (tier, stones);
        Some(0)
    }
}

impl TierIndexed for ConnectFour {
    fn tier_len(&self, tier: usize) -> u64 {
        let stones = self.other_way_round(tier);
        self.numbering.heights.counts[stones] * self.numbering.tiers[stones].count.get()
    }

    #[inline]
    fn tier_index(&self, tier: usize, stones: &Stones) -> u64 {
        let count = self.other_way_round(tier);
        let owners = &self.numbering.tiers[count];
        let (heights, own) = self.numbering.heights.rank(count as u32, stones.all, stones.own);
        heights * owners.count.get() + owners.sets.rank(own)
    }

    #[inline]
    fn tier_unindex(&self, tier: usize, index: u64) -> Option<Stones> {
        let count = self.other_way_round(tier);
        let owners = &self.numbering.tiers[count];
        let (heights, own) = owners.count.div_rem(index);
        let all = self.numbering.heights.unrank(count as u32, heights);
        Some(Stones { all, own: expand(owners.sets.unrank(own), all) })
    }

    /// Boards of the same heights follow each other.
    #[inline]
    fn tier_states(&self, tier: usize, indices: Range<u64>, mut visit: impl FnMut(u64, Stones)) {
        let count = self.other_way_round(tier);
        let owners = &self.numbering.tiers[count];
        let mut start = indices.start;
        while start < indices.end {
            let (heights, first) = owners.count.div_rem(start);
            let all = self.numbering.heights.unrank(count as u32, heights);
            let sets = first..owners.count.get().min(first + (indices.end - start));
            for set in sets.clone() {
                let own = expand(owners.sets.unrank(set), all);
                visit(start + (set - first), Stones { all, own });
            }
            start += sets.end - sets.start;
        }
    }
}
