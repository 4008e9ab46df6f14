//! Symmetries and foldings: indices are equal exactly for equivalent placements, and each class of
//! placements has one used index.

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use kit::few;
use proptest::prelude::*;
use retrograde::error::IndexError;
use retrograde::index::{
    Arrangements, Combinations, DisjointSets, Folded, MOST_LEADING, OnFreeCells, Orbits, Placement,
    Ranking, RemainderRanking, Symmetries, all_cells, compress, expand,
};

/// The symmetries of the 24 points of a morris board: turns, the reflection, and the exchange of
/// the outer and the inner ring. Points are numbered ring by ring, each clockwise from a corner.
fn morris() -> Symmetries {
    let ring = |image: fn(u8) -> u8| (0..24).map(|at| at / 8 * 8 + image(at % 8)).collect();
    let turned = ring(|at| (at + 2) % 8);
    let reflected = ring(|at| (8 - at) % 8);
    let exchanged = (0..24).map(|at| (2 - at / 8) * 8 + at % 8).collect();
    Symmetries::new(24, &[turned, reflected, exchanged]).unwrap()
}

/// The image of a set, computed cell by cell.
fn image(symmetries: &Symmetries, element: usize, set: u64) -> u64 {
    let images = symmetries.images(element).iter().enumerate();
    images.fold(0, |image, (cell, &to)| image | (set >> cell & 1) << to)
}

fn all_elements(symmetries: &Symmetries) -> std::ops::Range<usize> {
    0..symmetries.order()
}

#[test]
fn rectangles_have_their_turns_and_reflections() {
    for columns in 1..=8 {
        for rows in 1..=8 {
            let expected = match (columns, rows) {
                (1, 1) => 1,
                (1, _) | (_, 1) => 2,
                _ if columns == rows => 8,
                _ => 4,
            };
            let board = Symmetries::rectangle(columns, rows).unwrap();
            assert_eq!(board.order(), expected, "{columns} x {rows}");
            assert_eq!(board.cells(), columns * rows);
            // Neighbours stay neighbours. No other symmetry does that: the square has exactly
            // eight, and the rectangle four.
            let neighbours = |a: u8, b: u8| {
                let (columns, a, b) = (columns as i32, i32::from(a), i32::from(b));
                (a / columns - b / columns).abs() + (a % columns - b % columns).abs() == 1
            };
            for element in all_elements(&board) {
                let images = board.images(element);
                for a in 0..images.len() {
                    for b in 0..images.len() {
                        let moved = neighbours(images[a], images[b]);
                        assert_eq!(moved, neighbours(a as u8, b as u8));
                    }
                }
            }
            let mirror = Symmetries::left_right(columns, rows).unwrap();
            assert_eq!(mirror.order(), if columns == 1 { 1 } else { 2 });
            if columns > 1 {
                let last_column = (0..rows).fold(0, |set, row| set | 1 << (row * columns));
                assert_eq!(mirror.apply(1, last_column), last_column << (columns - 1));
            }
        }
    }
}

#[test]
fn groups_are_groups() {
    // The cube of 4 x 4 x 4 cells has 48 turns and reflections.
    let cube = |image: fn([u8; 3]) -> [u8; 3]| {
        let coordinates = |cell: u8| [cell % 4, cell / 4 % 4, cell / 16];
        (0..64).map(|cell| image(coordinates(cell))).map(|[x, y, z]| x + 4 * y + 16 * z).collect()
    };
    let cube = Symmetries::new(
        64,
        &[
            cube(|[x, y, z]| [y, z, x]),
            cube(|[x, y, z]| [3 - y, x, z]),
            cube(|[x, y, z]| [3 - x, y, z]),
        ],
    )
    .unwrap();
    assert_eq!(cube.order(), 48);
    assert_eq!(morris().order(), 16);
    for group in [cube, morris(), Symmetries::rectangle(5, 5).unwrap()] {
        let identity: Vec<u8> = (0..group.cells() as u8).collect();
        assert_eq!(group.images(0), identity);
        let distinct: HashSet<&[u8]> =
            all_elements(&group).map(|element| group.images(element)).collect();
        assert_eq!(distinct.len(), group.order());
        let set = 0x0123_4567_89ab_cdef & all_cells(group.cells());
        for first in all_elements(&group) {
            assert_eq!(group.compose(first, group.inverse(first)), 0);
            assert_eq!(group.compose(group.inverse(first), first), 0);
            for second in all_elements(&group) {
                let both = group.compose(first, second);
                assert_eq!(group.apply(both, set), group.apply(second, group.apply(first, set)));
            }
        }
    }
}

#[test]
fn what_is_no_group_is_refused() {
    let error = |generators: &[Vec<u8>]| Symmetries::new(4, generators).unwrap_err();
    let good = vec![1, 0, 3, 2];
    assert_eq!(
        error(&[good.clone(), vec![0, 1, 2]]),
        IndexError::ImagesMissing { generator: 1, found: 3, cells: 4 }
    );
    assert_eq!(
        error(&[vec![0, 4, 1, 2]]),
        IndexError::ImageOffBoard { generator: 0, cell: 1, image: 4, cells: 4 }
    );
    assert_eq!(error(&[good, vec![0, 1, 2, 1]]), IndexError::ImageTwice { generator: 1, image: 1 });
    assert_eq!(
        Symmetries::rectangle(13, 5).unwrap_err(),
        IndexError::TooManyCells { cells: 65, most: 64 }
    );
    assert_eq!(
        Symmetries::left_right(u32::MAX, 2).unwrap_err(),
        IndexError::TooManyCells { cells: u32::MAX, most: 64 }
    );
    // All 5,040 permutations of seven cells.
    let (swap, turn) = (vec![1, 0, 2, 3, 4, 5, 6], vec![1, 2, 3, 4, 5, 6, 0]);
    assert_eq!(
        Symmetries::new(7, &[swap, turn]).unwrap_err(),
        IndexError::TooManySymmetries { most: 1024 }
    );
}

#[test]
fn a_leading_part_that_is_not_closed_is_refused() {
    let board = Symmetries::rectangle(3, 3).unwrap();
    let lead = || Combinations::new(9, 1).unwrap();
    let not_the_last_corner = |set: u64| set != 1 << 8;
    let error = Orbits::accepting(lead(), board.clone(), not_the_last_corner).unwrap_err();
    assert!(matches!(error, IndexError::NotClosed { rank: 0, .. }), "{error}");
    assert_eq!(Orbits::new(lead(), board).unwrap().len(), 3);
}

#[test]
fn parts_for_boards_of_different_sizes_are_refused() {
    let of = |cells, chosen| Combinations::new(cells, chosen).unwrap();
    let board = || Symmetries::rectangle(4, 4).unwrap();
    let refused = Orbits::new(of(9, 2), board()).map(|_| ()).unwrap_err();
    assert_eq!(refused, IndexError::OtherBoard { found: 9, expected: 16 });
    let refused = |cells, rest| {
        let orbits = Orbits::new(of(16, 2), board()).unwrap();
        Folded::new(orbits, OnFreeCells::new(cells, rest).unwrap()).map(|_| ()).unwrap_err()
    };
    assert_eq!(refused(16, of(13, 2)), IndexError::OtherBoard { found: 13, expected: 14 });
    assert_eq!(refused(25, of(23, 2)), IndexError::OtherBoard { found: 25, expected: 16 });
}

#[test]
fn leading_parts_that_are_too_many_for_a_table_are_refused() {
    let lead = Combinations::new(64, 8).unwrap();
    let (items, most) = (lead.len(), MOST_LEADING);
    let refused = Orbits::new(lead, Symmetries::rectangle(8, 8).unwrap()).map(|_| ()).unwrap_err();
    assert_eq!(refused, IndexError::TooManyLeading { items, symmetries: 8, most });
}

/// The number of classes of items: the mean number of items that an element leaves unchanged
/// (Burnside's lemma).
fn classes<I: Placement>(symmetries: &Symmetries, items: &[I]) -> usize {
    let by_cell = |item: I, element| item.map(|set| image(symmetries, element, set));
    let fixed: usize = all_elements(symmetries)
        .map(|element| items.iter().filter(|&&item| by_cell(item, element) == item).count())
        .sum();
    assert_eq!(fixed % symmetries.order(), 0);
    fixed / symmetries.order()
}

/// Asserts that a numbering folds `placements`, which must be all of its placements.
fn assert_folds<L, R>(folded: &Folded<L, R>, placements: &[(L::Item, R::Item)])
where
    L: Ranking<Item: Placement + Hash>,
    R: RemainderRanking<L::Item, Item: Debug + Hash>,
{
    let symmetries = folded.orbits().symmetries();
    let mut index_of = HashMap::new();
    for &(lead, rest) in placements {
        let index = folded.rank((lead, rest));
        assert!(index < folded.len());
        index_of.insert((lead, rest), index);
        let canonical = folded.unrank(index).expect("the index of an item is used");
        assert_eq!(folded.rank(canonical), index);
        assert_eq!(folded.canonical((lead, rest)), canonical);
        // The same index, with the leading part folded first.
        let beside = folded.fold_lead(lead);
        assert_eq!(beside.rank(beside.carry(rest)), index);
        assert_eq!(beside.lead(), beside.carry(lead));
        let fixes = |element| lead.moved(symmetries, element) == lead;
        assert_eq!(beside.is_symmetric(), (1..symmetries.order()).any(fixes));
    }
    // Equivalent placements have equal indices.
    for (&placement, &index) in &index_of {
        for element in all_elements(symmetries) {
            let moved = placement.map(|set| image(symmetries, element, set));
            assert_eq!(index_of.get(&moved), Some(&index), "{placement:?} and {moved:?}");
        }
    }
    // There are as many indices as classes, so that different classes have different ones.
    let used: HashSet<u64> = index_of.values().copied().collect();
    assert_eq!(used.len(), classes(symmetries, placements));
    // The other indices are unused.
    for index in 0..folded.len() {
        let placement = folded.unrank(index);
        assert_eq!(placement.is_some(), used.contains(&index), "{index}");
        if let Some(placement) = placement {
            assert_eq!(folded.rank(placement), index);
        }
    }
}

/// All pairs of an item of each ranking that have no cell in common.
fn disjoint<A, B>(a: &A, b: &B) -> Vec<(A::Item, B::Item)>
where
    A: Ranking<Item: Placement>,
    B: Ranking<Item: Placement>,
{
    let items = |first: A::Item| {
        let seconds = (0..b.len()).filter_map(|index| b.unrank(index));
        seconds
            .filter(move |second| first.occupied() & second.occupied() == 0)
            .map(move |second| (first, second))
    };
    (0..a.len()).filter_map(|index| a.unrank(index)).flat_map(items).collect()
}

#[test]
fn stones_of_two_colours_are_folded() {
    let of = |cells, chosen| Combinations::new(cells, chosen).unwrap();
    let boards = [
        Symmetries::rectangle(3, 3).unwrap(),
        Symmetries::rectangle(4, 3).unwrap(),
        Symmetries::rectangle(4, 4).unwrap(),
        Symmetries::left_right(4, 3).unwrap(),
        Symmetries::rectangle(7, 1).unwrap(),
        Symmetries::new(6, &[]).unwrap(),
    ];
    for board in boards.map(Arc::new) {
        let cells = board.cells();
        for [first, second] in [[0, 2], [1, 2], [2, 2], [3, 1], [4, 0]] {
            let orbits = Orbits::new(of(cells, first), board.clone()).unwrap();
            let rest = OnFreeCells::new(cells, of(cells - first, second)).unwrap();
            let folded = Folded::new(orbits, rest).unwrap();
            assert_folds(&folded, &disjoint(&of(cells, first), &of(cells, second)));
        }
    }
}

#[test]
fn orbits_are_counted_as_burnside_counts_them() {
    let board = Arc::new(morris());
    for men in 0..=5 {
        let lead = Combinations::new(24, men).unwrap();
        let items: Vec<u64> = (0..lead.len()).map(|rank| lead.unrank(rank)).collect();
        let orbits = Orbits::new(lead, board.clone()).unwrap();
        assert_eq!(orbits.len(), classes(&board, &items));
        assert_eq!(orbits.is_empty(), items.is_empty());
        assert!(orbits.representatives().is_sorted_by_key(|item| orbits.lead().rank(item)));
        for item in items {
            let orbit = orbits.locate(item);
            let representative = orbits.representative(orbit.index);
            assert_eq!(item.moved(&board, orbit.element), representative);
            let fixing: Vec<usize> = (1..board.order())
                .filter(|&element| representative.moved(&board, element) == representative)
                .collect();
            assert_eq!(orbits.stabiliser(orbit.index).collect::<Vec<_>>(), fixing);
            assert_eq!(orbit.symmetric, !fixing.is_empty());
        }
    }
}

#[test]
fn men_on_a_morris_board_are_folded() {
    let of = |cells, chosen| Combinations::new(cells, chosen).unwrap();
    let board = Arc::new(morris());
    for &[white, black] in few(&[[2, 1]][..], &[[3, 1], [1, 3], [2, 2]]) {
        let orbits = Orbits::new(of(24, white), board.clone()).unwrap();
        let rest = OnFreeCells::new(24, of(24 - white, black)).unwrap();
        let folded = Folded::new(orbits, rest).unwrap();
        assert_folds(&folded, &disjoint(&of(24, white), &of(24, black)));
    }
}

#[test]
fn any_two_disjoint_sets_are_folded() {
    for board in [Symmetries::rectangle(3, 3).unwrap(), Symmetries::left_right(2, 4).unwrap()] {
        let all = AllSubsets { cells: board.cells() };
        let rest = FreeSubsets { all: all_cells(board.cells()) };
        let folded = Folded::new(Orbits::new(all, board).unwrap(), rest).unwrap();
        assert_folds(&folded, &disjoint(&all, &all));
    }
}

/// Several kinds of pieces in the leading part, and several in the rest.
#[test]
fn several_kinds_are_folded() {
    if kit::PLAIN {
        return;
    }
    let board = Symmetries::rectangle(3, 3).unwrap();
    let lead = || Arrangements::new(9, [1, 1]).unwrap();
    let orbits = Orbits::new(lead(), board).unwrap();
    let rest = OnFreeCells::new(9, DisjointSets::new(7).unwrap()).unwrap();
    let placements = disjoint(&lead(), &DisjointSets::new(9).unwrap());
    assert_folds(&Folded::new(orbits, rest).unwrap(), &placements);
}

/// All pairs of cells of a board, which may be the same cell.
struct Pairs {
    cells: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Pair(u8, u8);

impl Placement for Pair {
    fn occupied(self) -> u64 {
        1 << self.0 | 1 << self.1
    }
    fn map(self, mut image: impl FnMut(u64) -> u64) -> Pair {
        let mut cell = |cell: u8| image(1 << cell).trailing_zeros() as u8;
        Pair(cell(self.0), cell(self.1))
    }
}

impl Ranking for Pairs {
    type Item = Pair;
    fn len(&self) -> u64 {
        u64::from(self.cells).pow(2)
    }
    fn rank(&self, Pair(a, b): Pair) -> u64 {
        u64::from(a) * u64::from(self.cells) + u64::from(b)
    }
    fn unrank(&self, index: u64) -> Option<Pair> {
        let cells = u64::from(self.cells);
        Some(Pair((index / cells) as u8, (index % cells) as u8))
    }
}

/// All sets of cells of a board.
#[derive(Clone, Copy)]
struct AllSubsets {
    cells: u32,
}

impl Ranking for AllSubsets {
    type Item = u64;
    fn len(&self) -> u64 {
        1 << self.cells
    }
    fn rank(&self, set: u64) -> u64 {
        set
    }
    fn unrank(&self, index: u64) -> Option<u64> {
        Some(index)
    }
    fn board(&self) -> Option<u32> {
        Some(self.cells)
    }
}

/// Any set of cells that the leading part leaves free. The number of sets depends on the leading
/// part.
struct FreeSubsets {
    all: u64,
}

impl RemainderRanking<u64> for FreeSubsets {
    type Item = u64;
    fn len(&self, lead: u64) -> u64 {
        1 << (self.all & !lead).count_ones()
    }
    fn rank(&self, lead: u64, set: u64) -> u64 {
        compress(set, self.all & !lead)
    }
    fn unrank(&self, lead: u64, index: u64) -> Option<u64> {
        Some(expand(index, self.all & !lead))
    }
}

/// A rest that may overlap the leading part.
struct Anywhere(Combinations);

impl RemainderRanking<Pair> for Anywhere {
    type Item = u64;
    fn len(&self, _: Pair) -> u64 {
        self.0.len()
    }
    fn rank(&self, _: Pair, set: u64) -> u64 {
        self.0.rank(set)
    }
    fn unrank(&self, _: Pair, index: u64) -> Option<u64> {
        Some(self.0.unrank(index))
    }
}

/// Whether two kings may be on these cells of a board with `columns` columns: they must not be
/// neighbours.
fn apart(columns: u8) -> impl Fn(Pair) -> bool {
    move |Pair(a, b)| {
        (a / columns).abs_diff(b / columns).max((a % columns).abs_diff(b % columns)) > 1
    }
}

/// The well-known number of endgame tables.
#[test]
fn two_kings_have_462_places() {
    let board = Symmetries::rectangle(8, 8).unwrap();
    let kings = Orbits::accepting(Pairs { cells: 64 }, board, apart(8)).unwrap();
    assert_eq!(kings.len(), 462);
    // If there are pawns, only left and right can be exchanged.
    let board = Symmetries::left_right(8, 8).unwrap();
    let kings = Orbits::accepting(Pairs { cells: 64 }, board, apart(8)).unwrap();
    assert_eq!(kings.len(), 1806);
}

#[test]
fn pairs_that_are_accepted_lead() {
    let board = Arc::new(Symmetries::rectangle(4, 4).unwrap());
    let kings = || Orbits::accepting(Pairs { cells: 16 }, board.clone(), apart(4)).unwrap();
    let accepted = |pieces: &Combinations| -> Vec<(Pair, u64)> {
        let pairs = disjoint(&Pairs { cells: 16 }, pieces);
        pairs.into_iter().filter(|&(pair, _)| apart(4)(pair)).collect()
    };
    let two = Combinations::new(16, 2).unwrap();
    let rest = OnFreeCells::new(16, Combinations::new(14, 2).unwrap()).unwrap();
    assert_folds(&Folded::new(kings(), rest).unwrap(), &accepted(&two));

    let anywhere = Folded::new(kings(), Anywhere(two.clone())).unwrap();
    let all: Vec<(Pair, u64)> = (0..256)
        .filter_map(|index| Pairs { cells: 16 }.unrank(index))
        .filter(|&pair| apart(4)(pair))
        .flat_map(|pair| (0..two.len()).map(|rank| two.unrank(rank)).map(move |set| (pair, set)))
        .collect();
    assert_folds(&anywhere, &all);
}

#[test]
fn without_placements_there_is_no_index() {
    let board = || Symmetries::rectangle(3, 3).unwrap();
    let lead = |chosen| Orbits::new(Combinations::new(9, chosen).unwrap(), board()).unwrap();
    let rest =
        |cells, chosen| OnFreeCells::new(9, Combinations::new(cells, chosen).unwrap()).unwrap();
    assert!(Folded::new(lead(10), rest(0, 0)).unwrap().is_empty());
    assert!(Folded::new(lead(8), rest(1, 2)).unwrap().is_empty());
    assert_eq!(Folded::new(lead(9), rest(0, 0)).unwrap().len(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: few(32, 256), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sets_are_moved_cell_by_cell(set: u64, columns in 1..=8_u32, rows in 1..=8_u32, at: usize) {
        let board = Symmetries::rectangle(columns, rows).unwrap();
        let element = at % board.order();
        let set = set & all_cells(columns * rows);
        prop_assert_eq!(board.apply(element, set), image(&board, element, set));
    }
}

/// Samples of six and six men of Nine Men's Morris.
#[test]
fn large_foldings_are_one_to_one_up_to_symmetry() {
    let board = Arc::new(morris());
    let orbits = Orbits::new(Combinations::new(24, 6).unwrap(), board.clone()).unwrap();
    let rest = OnFreeCells::new(24, Combinations::new(18, 6).unwrap()).unwrap();
    let folded = Folded::new(orbits, rest).unwrap();
    let mut seen = 0;
    for index in (0..folded.len()).step_by(100_003) {
        let Some((white, black)) = folded.unrank(index) else { continue };
        assert_eq!((white.count_ones(), black.count_ones(), white & black), (6, 6, 0));
        for element in all_elements(&board) {
            let moved = |set| image(&board, element, set);
            assert_eq!(folded.rank((moved(white), moved(black))), index);
        }
        seen += 1;
    }
    assert!(seen > 1000, "{seen} of {}", folded.len());
}
