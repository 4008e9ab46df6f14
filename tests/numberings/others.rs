//! Digits, orders, chosen sets, and what is composed of other numberings.

use std::collections::BTreeSet;

use proptest::prelude::*;
use retrograde::index::{
    AllSubsets, Combinations, InTurn, IndexError, MixedRadix, Pairs, Permutations, Ranking, Subsets,
};

use crate::{assert_numbers_exactly, assert_one_to_one_on_samples};

#[test]
fn digits_are_those_of_the_number() {
    let numbering = MixedRadix::new([5, 1, 7, 3]).unwrap();
    assert_eq!(numbering.len(), 105);
    for rank in 0..105 {
        let digits = [rank / 21, 0, rank / 3 % 7, rank % 3];
        assert_eq!(numbering.unrank(rank), digits);
        assert_eq!(numbering.rank(digits), rank);
    }
    assert_one_to_one_on_samples(&MixedRadix::new([u64::MAX]).unwrap());
    assert_one_to_one_on_samples(&MixedRadix::new([1 << 31, 3, (1 << 31) - 1]).unwrap());
    assert_numbers_exactly(&MixedRadix::new([]).unwrap(), [[]]);
    assert!(MixedRadix::new([u64::MAX, u64::MAX, 0]).unwrap().is_empty());
    assert_eq!(MixedRadix::new([1 << 32, 1 << 32]).unwrap_err(), IndexError::TooLong);
}

/// The permutations in lexicographic order, by the textbook's way to the next.
fn in_lexicographic_order<const N: usize>() -> Vec<[u8; N]> {
    let mut order: [u8; N] = std::array::from_fn(|item| item as u8);
    let mut all = vec![order];
    while let Some(fall) = (1..N).rev().find(|&at| order[at - 1] < order[at]) {
        let next = (fall..N).rev().find(|&at| order[at] > order[fall - 1]).unwrap();
        order.swap(fall - 1, next);
        order[fall..].reverse();
        all.push(order);
    }
    all
}

fn assert_lexicographic<const N: usize>() {
    let numbering = Permutations::<N>::new();
    let all = in_lexicographic_order::<N>();
    assert_eq!(numbering.len(), all.len() as u64);
    for (rank, &order) in (0..).zip(&all) {
        assert_eq!(numbering.unrank(rank), order);
        assert_eq!(numbering.rank(order), rank);
    }
}

#[test]
fn permutations_are_in_lexicographic_order() {
    assert_lexicographic::<0>();
    assert_lexicographic::<1>();
    assert_lexicographic::<2>();
    assert_lexicographic::<3>();
    assert_lexicographic::<5>();
    assert_lexicographic::<8>();
}

/// The rank as it is defined: for each place, the lesser items that come later.
fn lehmer<const N: usize>(items: [u8; N]) -> u64 {
    (0..N).fold(0, |rank, at| {
        let lesser = items[at..].iter().filter(|&&item| item < items[at]).count();
        rank * (N - at) as u64 + lesser as u64
    })
}

fn assert_long_orders<const N: usize>() {
    let numbering = Permutations::<N>::new();
    assert_eq!(numbering.len(), (1..=N as u64).product::<u64>());
    assert_one_to_one_on_samples(&numbering);
    let step = numbering.len() / 997;
    let mut before = None;
    for rank in (0..numbering.len()).step_by(step as usize) {
        let items = numbering.unrank(rank);
        assert_eq!(lehmer(items), rank);
        assert_eq!(items.iter().collect::<BTreeSet<_>>().len(), N);
        assert!(Some(items) > before);
        before = Some(items);
    }
}

#[test]
fn long_orders_are_lexicographic_too() {
    assert_long_orders::<12>();
    assert_long_orders::<13>();
    assert_long_orders::<15>();
    assert_long_orders::<16>();
    assert_long_orders::<17>();
    assert_long_orders::<20>();
}

#[test]
fn accepted_sets_are_numbered_in_ascending_order() {
    let rules: [fn(u64) -> bool; 5] = [
        |_| true,
        |_| false,
        |set| set & set << 1 == 0,
        |set| set.count_ones() % 3 == 1,
        |set| set == 0 || set >= 4000,
    ];
    for rule in rules {
        for cells in [0, 1, 5, 12] {
            let numbering = Subsets::accepting(cells, rule).unwrap();
            let accepted: Vec<u64> = (0..1 << cells).filter(|&set| rule(set)).collect();
            assert_numbers_exactly(&numbering, accepted.iter().copied());
            assert!((0..numbering.len()).map(|rank| numbering.unrank(rank)).is_sorted());
            for set in (0..5000).chain([u64::MAX, 1 << 63]) {
                let place = accepted.binary_search(&set).ok().map(|place| place as u64);
                assert_eq!(numbering.find(set), place);
            }
        }
    }
    assert_eq!(
        Subsets::accepting(33, |_| true).unwrap_err(),
        IndexError::TooManyCells { cells: 33, most: 32 }
    );
}

proptest! {
    #[test]
    fn listed_sets_are_found_and_no_others(
        sets in prop::collection::vec((any::<u64>(), 0..64_u32), 0..200), others: Vec<u64>
    ) {
        let sets: Vec<u64> = sets.into_iter().map(|(set, shift)| set >> shift).collect();
        let distinct: BTreeSet<u64> = sets.iter().copied().collect();
        let numbering = Subsets::listed(sets).unwrap();
        assert_numbers_exactly(&numbering, distinct.iter().copied());
        let around = |&set: &u64| [set.wrapping_sub(1), set, set.wrapping_add(1)];
        for set in others.into_iter().chain(distinct.iter().flat_map(around)).chain([0, u64::MAX]) {
            let place = distinct.iter().position(|&other| other == set).map(|at| at as u64);
            prop_assert_eq!(numbering.find(set), place);
        }
    }
}

#[test]
fn all_subsets_are_numbers() {
    for cells in [0, 1, 5] {
        assert_numbers_exactly(&AllSubsets::new(cells).unwrap(), 0..1 << cells);
    }
    assert_one_to_one_on_samples(&AllSubsets::new(63).unwrap());
    assert_eq!(AllSubsets::new(64).unwrap_err(), IndexError::TooManyCells { cells: 64, most: 63 });
}

#[test]
fn pairs_and_series_are_numbered() {
    let of = |cells, chosen| Combinations::new(cells, chosen).unwrap();
    let items = |numbering: &Combinations| -> Vec<u64> {
        (0..numbering.len()).map(|rank| numbering.unrank(rank)).collect()
    };
    let (a, b) = (of(6, 2), of(5, 3));
    let pairs = items(&a).into_iter().flat_map(|a| items(&b).into_iter().map(move |b| (a, b)));
    let pairs: Vec<_> = pairs.collect();
    assert_numbers_exactly(&Pairs::new(a, b.clone()).unwrap(), pairs);
    assert!(Pairs::new(of(3, 4), b).unwrap().is_empty());
    assert_eq!(Pairs::new(of(64, 30), of(64, 30)).unwrap_err(), IndexError::TooLong);

    let list = vec![of(3, 4), of(7, 2), of(5, 0), of(2, 3), of(6, 6), of(13, 5), of(1, 2)];
    let all: Vec<(usize, u64)> = list
        .iter()
        .enumerate()
        .flat_map(|(at, numbering)| items(numbering).into_iter().map(move |item| (at, item)))
        .collect();
    let series = InTurn::new(list).unwrap();
    assert_eq!(series.numberings().len(), 7);
    assert_eq!(all.iter().map(|&item| series.rank(item)).max(), Some(series.len() - 1));
    assert_numbers_exactly(&series, all);
    assert!(InTurn::<Combinations>::new(Vec::new()).unwrap().is_empty());
    assert_eq!(InTurn::new(vec![of(64, 32); 11]).unwrap_err(), IndexError::TooLong);
}
