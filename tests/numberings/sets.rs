//! Sets of cells: combinations, arrangements, disjoint sets.

use kit::few;
use proptest::prelude::*;
use retrograde::error::IndexError;
use retrograde::index::{Arrangements, Combinations, DisjointSets, all_cells, binomial};

use super::{assert_numbers_exactly, assert_one_to_one_on_samples};

fn subsets_of_size(cells: u32, chosen: u32) -> impl Iterator<Item = u64> {
    (0..1_u64 << cells).filter(move |set| set.count_ones() == chosen)
}

#[test]
fn combinations_have_every_set_of_the_size() {
    for cells in 0..=15 {
        for chosen in 0..=cells + 1 {
            let numbering = Combinations::new(cells, chosen).unwrap();
            assert_eq!((numbering.cells(), numbering.chosen()), (cells, chosen));
            assert_numbers_exactly(&numbering, subsets_of_size(cells, chosen));
        }
    }
}

/// Every way to cut a large board, with so few pieces that all sets can be listed.
#[test]
fn combinations_of_few_pieces_have_every_set_of_the_size() {
    for cells in [16, 20, 31, 32, 33, 34, 47, 48, 49, 63, 64] {
        let one = || (0..cells).map(|cell| 1_u64 << cell);
        let all = all_cells(cells);
        let two = || one().flat_map(move |a| one().map(move |b| a | b));
        let sets: [Vec<u64>; 5] = [
            vec![0],
            one().collect(),
            two().filter(|set| set.count_ones() == 2).collect(),
            one().map(|cell| all & !cell).collect(),
            vec![all],
        ];
        for (chosen, sets) in [0, 1, 2, cells - 1, cells].into_iter().zip(sets) {
            assert_numbers_exactly(&Combinations::new(cells, chosen).unwrap(), sets);
        }
    }
}

#[test]
fn combinations_of_any_size_are_one_to_one() {
    for cells in 0..=64 {
        for chosen in 0..=cells {
            let numbering = Combinations::new(cells, chosen).unwrap();
            assert_eq!(numbering.len(), binomial(cells, chosen));
            assert_one_to_one_on_samples(&numbering);
        }
    }
}

#[test]
fn arrangements_have_every_way_to_put_the_pieces() {
    for cells in 0..=7 {
        for counts in (0..64).map(|code| [code & 3, code >> 2 & 3, code >> 4]) {
            let [a, b, c] = counts;
            let ways = subsets_of_size(cells, a).flat_map(|first| {
                subsets_of_size(cells, b).flat_map(move |second| {
                    subsets_of_size(cells, c).map(move |third| [first, second, third])
                })
            });
            let disjoint = ways.filter(|[a, b, c]| a & b | b & c | c & a == 0);
            assert_numbers_exactly(&Arrangements::new(cells, counts).unwrap(), disjoint);
        }
    }
    assert_numbers_exactly(&Arrangements::new(5, []).unwrap(), [[]]);
}

#[test]
fn arrangements_on_large_boards_are_one_to_one() {
    assert_one_to_one_on_samples(&Arrangements::new(24, [9, 9]).unwrap());
    assert_one_to_one_on_samples(&Arrangements::new(32, [3, 3, 3, 3]).unwrap());
    assert_one_to_one_on_samples(&Arrangements::new(42, [10, 10]).unwrap());
    assert_one_to_one_on_samples(&Arrangements::new(64, [1, 1, 2, 1, 0, 3]).unwrap());
    assert_one_to_one_on_samples(&Arrangements::new(64, [64]).unwrap());
}

#[test]
fn disjoint_sets_have_every_pair() {
    for cells in 0..=9 {
        let sets = || 0..1_u64 << cells;
        let pairs = sets().flat_map(|first| sets().map(move |second| [first, second]));
        let disjoint = pairs.filter(|[first, second]| first & second == 0);
        assert_numbers_exactly(&DisjointSets::new(cells).unwrap(), disjoint);
    }
}

/// The documented order: an index is the number that the ternary digits make.
#[test]
fn disjoint_sets_are_ternary_numbers() {
    let board = DisjointSets::new(40).unwrap();
    assert_eq!(board.len(), 3_u64.pow(40));
    for cell in 0..40 {
        assert_eq!(board.rank([1 << cell, 0]), 3_u64.pow(cell));
        assert_eq!(board.rank([0, 1 << cell]), 2 * 3_u64.pow(cell));
    }
    for cells in 0..=40 {
        assert_one_to_one_on_samples(&DisjointSets::new(cells).unwrap());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: few(32, 256), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_set_has_its_index(set: u64, cells in 0..=64_u32) {
        let set = set & all_cells(cells);
        let numbering = Combinations::new(cells, set.count_ones()).unwrap();
        let rank = numbering.rank(set);
        prop_assert!(rank < numbering.len());
        prop_assert_eq!(numbering.unrank(rank), set);
    }

    #[test]
    fn any_two_disjoint_sets_have_their_index(a: u64, b: u64, cells in 0..=40_u32) {
        let (a, b) = (a & !b & all_cells(cells), b & all_cells(cells));
        let pairs = DisjointSets::new(cells).unwrap();
        prop_assert!(pairs.rank([a, b]) < pairs.len());
        prop_assert_eq!(pairs.unrank(pairs.rank([a, b])), [a, b]);
        let of_these_sizes = Arrangements::new(cells, [a, b].map(u64::count_ones)).unwrap();
        prop_assert!(of_these_sizes.rank([a, b]) < of_these_sizes.len());
        prop_assert_eq!(of_these_sizes.unrank(of_these_sizes.rank([a, b])), [a, b]);
    }
}

#[test]
fn what_cannot_be_numbered_is_refused() {
    let too_many = IndexError::TooManyCells { cells: 65, most: 64 };
    assert_eq!(Combinations::new(65, 3).unwrap_err(), too_many);
    assert_eq!(Arrangements::new(65, [3]).unwrap_err(), too_many);
    assert_eq!(
        DisjointSets::new(41).unwrap_err(),
        IndexError::TooManyCells { cells: 41, most: 40 }
    );
    assert_eq!(Arrangements::new(64, [20, 20]).unwrap_err(), IndexError::TooLong);
    assert!(Arrangements::new(4, [3, 2]).unwrap().is_empty());
}
