//! The ready-made numberings: one-to-one on all small boards and on samples of large ones. Also
//! refusals, and numberings that are written and read.

mod folding;
mod l_game;
mod others;
mod sets;
mod written;

use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;

use retrograde::index::Ranking;

/// Asserts that every index is used, and that the items are exactly `items`.
fn assert_numbers_exactly<R>(numbering: &R, items: impl IntoIterator<Item = R::Item>)
where
    R: Ranking<Item: Debug + Hash>,
{
    let items: HashSet<R::Item> = items.into_iter().collect();
    assert_eq!(numbering.len(), items.len() as u64);
    assert_eq!(numbering.is_empty(), items.is_empty());
    for index in 0..numbering.len() {
        let item = numbering.unrank(index).expect("a used index");
        assert!(items.contains(&item), "{item:?} of {index} should not be there");
        assert_eq!(numbering.rank(item), index, "{item:?}");
    }
}

/// Asserts that unranking and ranking return each of many indices: the first, the last, and samples
/// between them.
fn assert_one_to_one_on_samples<R: Ranking<Item: Debug>>(numbering: &R) {
    let len = numbering.len();
    assert!(len > 0);
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let samples = std::iter::repeat_with(move || {
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (random ^ random >> 32) % len
    });
    let edges = (0..64).flat_map(|bit| [len >> bit, (len >> bit).wrapping_sub(1), 1 << bit, 0]);
    for index in edges.chain(samples.take(2000)).filter(|&index| index < len) {
        let item = numbering.unrank(index).expect("a used index");
        assert_eq!(numbering.rank(item), index, "{item:?}");
    }
}
