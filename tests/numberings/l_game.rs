//! The positions of the L-game: the game's own ranking for an L of four cells, and another for the
//! pieces beside it. NUMBERING.md shows the module `shown` as it is.

use std::collections::HashMap;

use shown::{Ls, positions};

mod shown {
    use retrograde::error::IndexError;
    use retrograde::index::{
        Combinations, Folded, Orbits, Ranking, RemainderRanking, Symmetries, compress, expand,
    };

    const BOARD: u64 = 0xFFFF;

    /// All places of an L on the board, ascending. An L is the set of its four cells.
    #[derive(Clone)]
    pub(super) struct Ls(pub(super) Vec<u64>);

    impl Ranking for Ls {
        type Item = u64;

        fn len(&self) -> u64 {
            self.0.len() as u64
        }

        fn rank(&self, l: u64) -> u64 {
            self.0.partition_point(|&other| other < l) as u64
        }

        fn unrank(&self, index: u64) -> Option<u64> {
            self.0.get(index as usize).copied()
        }
    }

    /// Beside an L: the other L, and two neutral pieces on the eight cells that both leave free.
    pub(super) struct Beside(Ls, Combinations);

    impl Beside {
        fn ls(&self, lead: u64) -> impl Iterator<Item = u64> {
            self.0.0.iter().copied().filter(move |l| l & lead == 0)
        }
    }

    impl RemainderRanking<u64> for Beside {
        type Item = (u64, u64);

        fn len(&self, lead: u64) -> u64 {
            self.ls(lead).count() as u64 * self.1.len()
        }

        fn rank(&self, lead: u64, (l, neutral): (u64, u64)) -> u64 {
            let before = self.ls(lead).take_while(|&other| other < l).count() as u64;
            before * self.1.len() + self.1.rank(compress(neutral, BOARD & !(lead | l)))
        }

        fn unrank(&self, lead: u64, index: u64) -> Option<(u64, u64)> {
            let l = self.ls(lead).nth((index / self.1.len()) as usize)?;
            Some((l, expand(self.1.unrank(index % self.1.len()), BOARD & !(lead | l))))
        }
    }

    /// The mover's L, and beside it the other player's and the neutral pieces, up to symmetry.
    pub(super) fn positions() -> Result<Folded<Ls, Beside>, IndexError> {
        let board = Symmetries::rectangle(4, 4)?;
        // One L at the six places where it lies upright, and then in all 8 turns.
        let upright = [0, 1, 2, 4, 5, 6].map(|cells| 0b_0011_0001_0001 << cells);
        let turned = |turn| upright.map(|l| board.apply(turn, l));
        let mut ls: Vec<u64> = (0..board.order()).flat_map(turned).collect();
        ls.sort_unstable();
        let beside = Beside(Ls(ls.clone()), Combinations::new(16 - 4 - 4, 2)?);
        Folded::new(Orbits::new(Ls(ls), board)?, beside)
    }
}

/// Two Ls and the neutral pieces.
type Position = (u64, (u64, u64));

/// All Ls, computed cell by cell: a row of three, and a fourth cell above or below one of its ends.
fn all_ls() -> Vec<u64> {
    let cell = |column: i32, row: i32| -> Option<u64> {
        ((0..4).contains(&column) && (0..4).contains(&row)).then(|| 1 << (4 * row + column))
    };
    let mut ls = Vec::new();
    for (column, row) in (0..4).flat_map(|column| (0..4).map(move |row| (column, row))) {
        for (end, beside) in [(0, -1), (0, 1), (2, -1), (2, 1)] {
            let cells = [(0, 0), (1, 0), (2, 0), (end, beside)];
            let lying = cells.map(|(right, down)| cell(column + right, row + down));
            let standing = cells.map(|(down, right)| cell(column + right, row + down));
            for cells in [lying, standing] {
                ls.extend(cells.into_iter().try_fold(0, |all, cell| Some(all | cell?)));
            }
        }
    }
    ls
}

/// All positions, found by trying all pairs of Ls and all pairs of cells.
fn all_positions() -> Vec<Position> {
    let pairs = || (0..16).flat_map(|one| (0..one).map(move |other| 1 << one | 1 << other));
    let mut positions = Vec::new();
    for own in all_ls() {
        for other in all_ls().into_iter().filter(|other| own & other == 0) {
            let free = pairs().filter(|pair| (own | other) & pair == 0);
            positions.extend(free.map(|neutral| (own, (other, neutral))));
        }
    }
    positions
}

/// The eight images of a position, computed from the columns and rows of its cells.
fn images((own, (other, neutral)): Position) -> Vec<Position> {
    let image = |set: u64, turn: u32| {
        let cells = (0..16).filter(|cell| set >> cell & 1 == 1);
        cells.fold(0, |image, cell| {
            let (column, row) = (cell % 4, cell / 4);
            let (column, row) = if turn & 1 == 0 { (column, row) } else { (row, column) };
            let column = if turn & 2 == 0 { column } else { 3 - column };
            let row = if turn & 4 == 0 { row } else { 3 - row };
            image | 1_u64 << (4 * row + column)
        })
    };
    (0..8).map(|turn| (image(own, turn), (image(other, turn), image(neutral, turn)))).collect()
}

#[test]
fn a_numbering_of_the_authors_own_gives_each_class_of_positions_an_index() {
    let (all, folded) = (all_positions(), positions().unwrap());
    assert_eq!((all_ls().len(), all.len(), folded.len()), (48, 18_368, 2_296));
    let mut ls = all_ls();
    ls.sort_unstable();
    let list = Ls(ls.clone());
    super::assert_numbers_exactly(&list, ls);
    let mut class_of = HashMap::new();
    for position in all {
        let class = images(position).into_iter().min();
        let index = folded.rank(position);
        assert_eq!(*class_of.entry(index).or_insert(class), class, "{position:?}");
        let canonical = folded.unrank(index).expect("a used index");
        assert_eq!(images(canonical).into_iter().min(), class, "{position:?}");
    }
    assert_eq!(class_of.len(), 2_296, "each index has a class of its own");
}

#[test]
fn the_page_of_numberings_shows_this_one_as_it_is() {
    let (page, code) = (include_str!("../../docs/NUMBERING.md"), include_str!("l_game.rs"));
    let (_, code) = code.split_once("mod shown {\n").unwrap();
    let (code, _) = code.split_once("\n}\n").unwrap();
    let lines = code.lines().map(|line| line.strip_prefix("    ").unwrap_or(line));
    let code = lines.collect::<Vec<_>>().join("\n").replace("pub(super) ", "");
    assert!(page.contains(&code), "docs/NUMBERING.md lacks this code:\n{code}");
}
