//! Like pieces, of which several may lie on one cell.

use kit::few;
use proptest::prelude::*;
use retrograde::error::IndexError;
use retrograde::index::{Combinations, Multisets, binomial};

use crate::{assert_numbers_exactly, assert_one_to_one_on_samples};

/// All ways to put pieces on the first `cells` of five cells.
fn ways(cells: usize, pieces: u8) -> Vec<[u8; 5]> {
    let mut ways = vec![[0; 5]];
    for _ in 0..pieces {
        let with_one_more = |way: [u8; 5]| {
            (0..cells).map(move |cell| {
                let mut more = way;
                more[cell] += 1;
                more
            })
        };
        ways = ways.into_iter().flat_map(with_one_more).collect();
        ways.sort_unstable();
        ways.dedup();
    }
    ways
}

#[test]
fn multisets_have_every_way_to_put_the_pieces() {
    for cells in 0..=5 {
        for pieces in 0..=6 {
            let numbering = Multisets::<5>::new(cells, pieces).unwrap();
            assert_eq!((numbering.cells(), numbering.pieces()), (cells, pieces));
            assert_numbers_exactly(&numbering, ways(cells as usize, pieces as u8));
        }
    }
    assert_numbers_exactly(&Multisets::<0>::new(0, 0).unwrap(), [[]]);
    assert!(Multisets::<0>::new(0, 1).unwrap().is_empty());
}

/// The documented order, in both of its descriptions.
#[test]
fn multisets_are_in_the_order_of_the_combinations_with_repetition() {
    for cells in 1..=5_u32 {
        for pieces in 0..=6_u32 {
            let numbering = Multisets::<5>::new(cells, pieces).unwrap();
            let mut ways = ways(cells as usize, pieces as u8);
            ways.sort_by_key(|way| way.iter().rev().copied().collect::<Vec<u8>>());
            let sets = Combinations::new(cells + pieces - 1, pieces).unwrap();
            for (index, way) in (0..).zip(ways) {
                assert_eq!(numbering.rank(way), index);
                let on_cells = (0..)
                    .zip(way)
                    .flat_map(|(cell, count)| std::iter::repeat_n(cell, usize::from(count)));
                let set = on_cells.enumerate().fold(0, |set, (at, cell)| set | 1 << (cell + at));
                assert_eq!(sets.rank(set), index, "{way:?}");
            }
        }
    }
}

#[test]
fn multisets_of_any_size_are_one_to_one_or_too_many() {
    for cells in (1..=20_u32).step_by(few(6, 1)) {
        for pieces in 0..=45_u32 {
            let numbering = Multisets::<20>::new(cells, pieces).unwrap();
            assert_eq!(numbering.len(), binomial(cells + pieces - 1, pieces));
            assert_one_to_one_on_samples(&numbering);
        }
    }
    for cells in (0..=40).step_by(few(10, 1)) {
        for pieces in 0..=255 {
            match Multisets::<40>::new(cells, pieces) {
                Ok(numbering) if numbering.is_empty() => assert!(cells == 0 && pieces > 0),
                Ok(numbering) => {
                    for index in [0, numbering.len() / 3, numbering.len() - 1] {
                        assert_eq!(numbering.rank(numbering.unrank(index)), index);
                    }
                }
                Err(error) => {
                    assert_eq!(error, IndexError::TooLong);
                    assert!(cells + pieces > 65, "{pieces} on {cells}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: few(32, 256), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_counts_have_their_index(counts: [u8; 6], shift in 0..6_u32) {
        let counts = counts.map(|count| (count >> shift) / 6);
        let pieces = counts.iter().map(|&count| u32::from(count)).sum();
        let numbering = Multisets::new(6, pieces).unwrap();
        prop_assert!(numbering.rank(counts) < numbering.len());
        prop_assert_eq!(numbering.unrank(numbering.rank(counts)), counts);
    }
}

#[test]
fn what_cannot_be_numbered_is_refused() {
    let error = |cells, pieces| Multisets::<40>::new(cells, pieces).unwrap_err();
    assert_eq!(error(41, 1), IndexError::TooManyCells { cells: 41, most: 40 });
    assert_eq!(error(2, 256), IndexError::TooManyPieces { pieces: 256, most: 255 });
    assert_eq!(error(40, 255), IndexError::TooLong);
    // The largest number of ways on five cells, and the last of them.
    let largest = Multisets::<5>::new(5, 255).unwrap();
    assert_eq!(largest.len(), 183_181_376);
    assert_eq!(largest.unrank(largest.len() - 1), [0, 0, 0, 0, 255]);
}
