//! The cost of the ready-made numberings, in nanoseconds for each rank and unrank, at the sizes
//! that games use.
//!
//! ```text
//! cargo bench --bench index               # a million samples of each
//! cargo bench --bench index -- 10000      # ten thousand samples of each
//! ```
//!
//! Each numbering ranks random items and successive items. It unranks random indices, and indices
//! in ascending order, as passes over all states do. The items are adjacent in memory and
//! independent, so the processor works on several at once. One thread; the figures are medians of
//! batches of 10,000. Every item must come back unchanged.
//!
//! *Textbook* is the simple way. For sets, it adds up binomial coefficients, and subtracts them
//! cell by cell. For folding, it finds the least of all images, which is not yet an index.

mod common;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use retrograde::index::{
    Arrangements, Combinations, Concatenated, DisjointSets, Folded, MixedRadix, OnFreeCells,
    Orbits, Placement, Ranking, RemainderRanking, Symmetries, binomial,
};

/// The number of items that are measured together.
const BATCH: usize = 10_000;

fn main() {
    let [samples, ..] = common::sizes([1_000_000])[..] else { return };
    println!(
        "{:<44}{:>20}{:>9}{:>11}{:>9}{:>11}",
        "numbering", "len", "rank", "in order", "unrank", "in order"
    );
    let bench = Bench { samples };
    bench.sets();
    bench.others();
    bench.foldings();
}

/// The 24 points of a morris board, ring by ring, and its 16 symmetries.
fn morris() -> Arc<Symmetries> {
    let ring = |image: fn(u8) -> u8| (0..24).map(|at| at / 8 * 8 + image(at % 8)).collect();
    let exchanged = (0..24).map(|at| (2 - at / 8) * 8 + at % 8).collect();
    let generators = [ring(|at| (at + 2) % 8), ring(|at| (8 - at) % 8), exchanged];
    Arc::new(Symmetries::new(24, &generators).expect("a group"))
}

struct Bench {
    /// The number of items with which each numbering is measured.
    samples: u64,
}

impl Bench {
    fn sets(&self) {
        for (cells, chosen) in [(12, 4), (24, 3), (24, 9), (32, 12), (42, 10), (64, 2), (64, 5)] {
            let sets = Combinations::new(cells, chosen).expect("a board");
            self.ranking(&format!("Combinations, {chosen} of {cells}"), &sets);
            let unrank = |rank| textbook::set(cells, chosen, rank);
            self.row("  textbook", sets.len(), textbook::rank_of_set, |rank| Some(unrank(rank)));
        }
        let morris = Arrangements::new(24, [9, 9]).expect("a board");
        self.ranking("Arrangements, 9 and 9 on 24", &morris);
        let checkers = Arrangements::new(32, [4, 4]).expect("a board");
        self.ranking("Arrangements, 4 and 4 on 32", &checkers);
        let chess = Arrangements::new(64, [1, 1, 1, 2]).expect("a board");
        self.ranking("Arrangements, 1, 1, 1 and 2 on 64", &chess);
        for cells in [9, 16, 24] {
            let sets = DisjointSets::new(cells).expect("a board");
            self.ranking(&format!("DisjointSets, {cells} cells"), &sets);
        }
    }

    fn others(&self) {
        let digits = MixedRadix::new([100, 100, 2]).expect("digits");
        self.ranking("MixedRadix, 100 x 100 x 2", &digits);
        let boards: Result<Vec<_>, _> = (0..=16_u32)
            .map(|stones| Arrangements::new(16, [stones.div_ceil(2), stones / 2]))
            .collect();
        let boards = Concatenated::new(boards.expect("boards")).expect("few");
        self.ranking("Concatenated, up to 8 and 8 on 16", &boards);
    }

    fn foldings(&self) {
        let of = |cells, chosen| Combinations::new(cells, chosen).expect("a board");
        let board = morris();
        for men in [3, 6, 9] {
            let orbits = Orbits::new(of(24, men), board.clone()).expect("a table");
            let rest = OnFreeCells::new(24, of(24 - men, men)).expect("a board");
            let folded = Folded::new(orbits, rest).expect("few");
            self.folded(&format!("Folded, {men} and {men} on 24, 16 symmetries"), &folded);
        }
    }

    /// Measures a folded numbering. Symmetries carry the samples away from the canonical placement.
    fn folded<L, R>(&self, name: &str, folded: &Folded<L, R>)
    where
        L: Ranking<Item = u64>,
        R: RemainderRanking<u64, Item = u64>,
    {
        let symmetries = folded.orbits().symmetries();
        let unrank = |index| {
            let placement = folded.unrank(index)?;
            Some(placement.moved(symmetries, index as usize % symmetries.order()))
        };
        self.row(name, folded.len(), |placement| folded.rank(placement), unrank);
        let least = |item: (u64, u64)| {
            let images = (0..symmetries.order()).map(|element| item.moved(symmetries, element));
            images.min().expect("the identity")
        };
        let items: Vec<(u64, u64)> = self.ranks(folded.len()).filter_map(unrank).collect();
        let cost = nanoseconds(items.iter().copied(), |item| {
            black_box(least(item));
        });
        println!("{:<44}{:>20}{:>9.1}", "  textbook: the least of all images", "", cost);
    }

    fn ranking<R: Ranking>(&self, name: &str, numbering: &R) {
        self.row(name, numbering.len(), |item| numbering.rank(item), |rank| numbering.unrank(rank));
    }

    fn row<I: Copy>(
        &self,
        name: &str,
        len: u64,
        rank: impl Fn(I) -> u64,
        unrank: impl Fn(u64) -> Option<I>,
    ) {
        let ranks: Vec<u64> = self.ranks(len).collect();
        let (used, items): (Vec<u64>, Vec<I>) =
            ranks.iter().filter_map(|&rank| Some((rank, unrank(rank)?))).unzip();
        for (&index, &item) in used.iter().zip(&items) {
            assert_eq!(rank(item), index, "{name}");
        }
        let ranking = nanoseconds(items.iter().copied(), |item| {
            black_box(rank(item));
        });
        let unranking = nanoseconds(ranks.iter().copied(), |rank| {
            black_box(unrank(rank));
        });
        // From the middle, so that the sample is mixed.
        let ascending: Vec<u64> = (0..self.samples).map(|at| (len / 2 + at) % len).collect();
        let unranking_in_order = nanoseconds(ascending.iter().copied(), |rank| {
            black_box(unrank(rank));
        });
        let items: Vec<I> = ascending.into_iter().filter_map(unrank).collect();
        let ranking_in_order = nanoseconds(items.iter().copied(), |item| {
            black_box(rank(item));
        });
        println!(
            "{name:<44}{len:>20}{ranking:>9.1}{ranking_in_order:>11.1}{unranking:>9.1}\
             {unranking_in_order:>11.1}"
        );
    }

    /// Random indices below `len`, the same in every run.
    fn ranks(&self, len: u64) -> impl Iterator<Item = u64> {
        let mut random = 0x2545_f491_4f6c_dd1d_u64;
        (0..self.samples).map(move |_| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random % len
        })
    }
}

/// Nanoseconds for each item: the median of batches. A batch is short enough to end before the
/// system gives the processor to another process.
fn nanoseconds<I: Copy>(items: impl Iterator<Item = I>, run: impl Fn(I)) -> f64 {
    let mut items = items.peekable();
    let mut costs = Vec::new();
    while items.peek().is_some() {
        let (mut count, begin) = (0, Instant::now());
        for item in items.by_ref().take(BATCH) {
            run(item);
            count += 1;
        }
        costs.push(begin.elapsed().as_secs_f64() * 1e9 / f64::from(count));
    }
    costs.sort_by(f64::total_cmp);
    costs.get(costs.len() / 2).copied().unwrap_or_default()
}

/// The simple way.
mod textbook {
    use super::binomial;

    /// The rank of a set in the combinatorial number system.
    pub(crate) fn rank_of_set(mut set: u64) -> u64 {
        let (mut rank, mut size) = (0, 1);
        while set != 0 {
            rank += binomial(set.trailing_zeros(), size);
            set &= set - 1;
            size += 1;
        }
        rank
    }

    pub(crate) fn set(cells: u32, mut chosen: u32, mut rank: u64) -> u64 {
        let mut set = 0;
        for cell in (0..cells).rev() {
            let without = binomial(cell, chosen);
            if chosen > 0 && rank >= without {
                rank -= without;
                set |= 1 << cell;
                chosen -= 1;
            }
        }
        set
    }
}
