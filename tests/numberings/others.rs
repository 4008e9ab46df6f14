//! Lists of digits, and compositions of other numberings.

use std::sync::Arc;

use retrograde::error::IndexError;
use retrograde::index::{
    Combinations, Concatenated, Folded, MixedRadix, OnFreeCells, Orbits, Pairs, Symmetries,
};

use super::{assert_numbers_exactly, assert_one_to_one_on_samples};

#[test]
fn digits_are_those_of_the_index() {
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
    let series = Concatenated::new(list).unwrap();
    assert_eq!(series.numberings().len(), 7);
    assert_eq!(all.iter().map(|&item| series.rank(item)).max(), Some(series.len() - 1));
    assert_numbers_exactly(&series, all);
    assert!(Concatenated::<Combinations>::new(Vec::new()).unwrap().is_empty());
    assert_eq!(Concatenated::new(vec![of(64, 32); 11]).unwrap_err(), IndexError::TooLong);
}

/// Any two disjoint sets on a board of 3 x 3, by their sizes, up to symmetry.
#[test]
fn unused_indices_stay_unused_in_pairs_and_series() {
    let of = |cells, chosen| Combinations::new(cells, chosen).unwrap();
    let board = Arc::new(Symmetries::rectangle(3, 3).unwrap());
    let mut parts = Vec::new();
    for first in 0..=9 {
        let orbits = Arc::new(Orbits::new(of(9, first), board.clone()).unwrap());
        for second in 0..=9 - first {
            let rest = OnFreeCells::new(9, of(9 - first, second)).unwrap();
            parts.push(Folded::new(orbits.clone(), rest).unwrap());
        }
    }
    let series = Concatenated::new(parts).unwrap();
    let used = || (0..series.len()).filter_map(|index| series.unrank(index));
    // By Burnside's lemma.
    let classes = (3_usize.pow(9) + 4 * 3_usize.pow(6) + 3_usize.pow(5) + 2 * 3_usize.pow(3)) / 8;
    assert_eq!(used().count(), classes);
    assert!(series.len() > classes as u64);
    for index in 0..series.len() {
        if let Some((place, (lead, rest))) = series.unrank(index) {
            let beside = series.fold_lead(place, lead);
            assert_eq!(beside.rank(beside.carry(rest)), index);
            let orbit = series.numberings()[place].orbits().locate(lead);
            assert_eq!(series.fold_orbit(place, orbit).rank(beside.carry(rest)), index);
        }
    }

    let pairs = Pairs::new(series.clone(), MixedRadix::new([2]).unwrap()).unwrap();
    for index in 0..pairs.len() {
        let item = series.unrank(index / 2).map(|item| (item, [index % 2]));
        assert_eq!(pairs.unrank(index), item);
        if let Some(item) = item {
            assert_eq!(pairs.rank(item), index);
        }
    }
}
