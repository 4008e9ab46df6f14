//! A second implementation of the rules of awari, on twelve numbers.

use retrograde_games::awari::GrandSlam;

/// The seeds in the houses of the player to move, then in those of the other player.
pub(super) type Board = [u8; 12];

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) house: usize,
    /// The board after it, as the next player sees it.
    pub(super) next: Board,
    /// How many seeds are captured.
    pub(super) captured: u8,
}

/// The two players' seeds.
pub(super) fn sides(board: &Board) -> [u8; 2] {
    [board[..6].iter().sum(), board[6..].iter().sum()]
}

/// The move that sows a house, as if any move was legal, and whether it captures all of the other
/// player's seeds. `None` if the house is empty.
fn sow(board: &Board, house: usize) -> Option<(Move, bool)> {
    let mut after = *board;
    let mut hand = std::mem::take(&mut after[house]);
    if hand == 0 {
        return None;
    }
    let mut last = house;
    while hand > 0 {
        last = (last + 1) % 12;
        if last != house {
            after[last] += 1;
            hand -= 1;
        }
    }
    let mut kept = after;
    while last >= 6 && (kept[last] == 2 || kept[last] == 3) {
        kept[last] = 0;
        last -= 1;
    }
    let captured = after.iter().sum::<u8>() - kept.iter().sum::<u8>();
    let is_slam = captured > 0 && sides(&kept)[1] == 0;
    kept.rotate_left(6);
    Some((Move { house, next: kept, captured }, is_slam))
}

/// The legal moves.
pub(super) fn moves(board: &Board, grand_slam: GrandSlam) -> Vec<Move> {
    let reaches = |house: usize| usize::from(board[house]) >= 6 - house;
    let others_are_empty = sides(board)[1] == 0;
    let all: Vec<(Move, bool)> = (0..6)
        .filter(|&house| !others_are_empty || reaches(house))
        .filter_map(|house| sow(board, house))
        .collect();
    match grand_slam {
        GrandSlam::Captures => all.into_iter().map(|(made, _)| made).collect(),
        GrandSlam::CapturesNothing => {
            let without_capture = |made: Move| {
                let mut next = *board;
                next[made.house] = 0;
                let mut at = made.house;
                for _ in 0..board[made.house] {
                    at = (at + 1) % 12;
                    if at == made.house {
                        at = (at + 1) % 12;
                    }
                    next[at] += 1;
                }
                next.rotate_left(6);
                Move { next, captured: 0, ..made }
            };
            let made = |(made, is_slam)| if is_slam { without_capture(made) } else { made };
            all.into_iter().map(made).collect()
        }
        GrandSlam::Illegal => {
            let only_slams = all.iter().all(|&(_, is_slam)| is_slam);
            let is_legal = |&(_, is_slam): &(Move, bool)| only_slams || !is_slam;
            all.into_iter().filter(is_legal).map(|(made, _)| made).collect()
        }
    }
}

/// Every board with so many seeds, in the order of a counter.
pub(super) fn boards(seeds: u8) -> Vec<Board> {
    let mut boards = Vec::new();
    fill(&mut [0; 12], 0, seeds, &mut boards);
    boards
}

fn fill(board: &mut Board, house: usize, left: u8, boards: &mut Vec<Board>) {
    if house == 11 {
        board[11] = left;
        boards.push(*board);
        return;
    }
    for seeds in 0..=left {
        board[house] = seeds;
        fill(board, house + 1, left - seeds, boards);
    }
}
