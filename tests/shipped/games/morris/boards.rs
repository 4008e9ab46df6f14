//! The boards, as other sources describe them.

use std::collections::{BTreeMap, BTreeSet};

use retrograde_games::morris::Board;
use serde::Deserialize;

pub(crate) const BOARDS: [Board; 4] = [Board::Six, Board::Seven, Board::Nine, Board::Twelve];

/// A board of `morris-boards.json`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KnownBoard {
    pub(crate) men: u32,
    pub(crate) slots: usize,
    pub(crate) adjacency: Vec<Vec<usize>>,
    pub(crate) mills: Vec<[usize; 3]>,
}

impl KnownBoard {
    /// The points where rows begin, except the first.
    pub(crate) fn rows(&self) -> &'static [usize] {
        match self.slots {
            16 => &[3, 6, 10, 13],
            17 => &[3, 6, 11, 14],
            _ => &[3, 6, 9, 15, 18, 21],
        }
    }
}

pub(crate) fn known(board: Board) -> KnownBoard {
    let boards: BTreeMap<String, KnownBoard> =
        serde_json::from_str(include_str!("../../../data/morris-boards.json")).unwrap();
    boards[board.name()].clone()
}

#[test]
fn the_boards_are_those_that_are_known() {
    for board in BOARDS {
        let (known, lines) = (known(board), board.lines());
        assert_eq!((board.men(), lines.points() as usize), (known.men, known.slots));
        let set = |points: &[usize]| points.iter().fold(0, |set, point| set | 1 << point);
        let neighbours: Vec<u32> = known.adjacency.iter().map(|points| set(points)).collect();
        let own: Vec<u32> = (0..lines.points()).map(|point| lines.neighbours(point)).collect();
        assert_eq!(own, neighbours, "{board:?}");
        let mills: BTreeSet<u32> = known.mills.iter().map(|points| set(points)).collect();
        assert_eq!(lines.mills().collect::<BTreeSet<_>>(), mills, "{board:?}");
        assert_eq!(lines.mills().count(), known.mills.len());
    }
}
