//! The ready-made numberings: one-to-one on everything small, on samples of everything large.

mod folding;
mod others;
mod sets;

use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;

use retrograde::index::Ranking;

/// Asserts that the ranks are exactly those of `items`, which are all there are, each once.
fn assert_numbers_exactly<R>(numbering: &R, items: impl IntoIterator<Item = R::Item>)
where
    R: Ranking<Item: Debug + Hash>,
{
    let items: HashSet<R::Item> = items.into_iter().collect();
    assert_eq!(numbering.len(), items.len() as u64);
    assert_eq!(numbering.is_empty(), items.is_empty());
    for rank in 0..numbering.len() {
        let item = numbering.unrank(rank);
        assert!(items.contains(&item), "{item:?} of {rank} should not be there");
        assert_eq!(numbering.rank(item), rank, "{item:?}");
    }
}

/// Asserts that ranks survive the way there and back: the first, the last, and many between.
fn assert_one_to_one_on_samples<R: Ranking<Item: Debug>>(numbering: &R) {
    let len = numbering.len();
    assert!(len > 0);
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let samples = std::iter::repeat_with(move || {
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (random ^ random >> 32) % len
    });
    let edges = (0..64).flat_map(|bit| [len >> bit, (len >> bit).wrapping_sub(1), 1 << bit, 0]);
    for rank in edges.chain(samples.take(2000)).filter(|&rank| rank < len) {
        let item = numbering.unrank(rank);
        assert_eq!(numbering.rank(item), rank, "{item:?}");
    }
}
