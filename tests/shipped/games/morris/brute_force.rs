//! A second implementation of the rules of the morris family, close to their text. Its solver
//! checks every position again and again.

use std::collections::HashMap;

use super::boards::KnownBoard;

/// A position: `w`, `b` or `.` on each point, the men in both hands, and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Plain {
    /// The points that the board lacks stay empty.
    pub(crate) points: [u8; 24],
    pub(crate) hands: [u8; 2],
    pub(crate) turn: usize,
}

const EMPTY: u8 = b'.';
const MEN: [u8; 2] = *b"wb";

pub(crate) struct BruteForce {
    pub(crate) board: KnownBoard,
    pub(crate) men: u8,
    pub(crate) flying: bool,
    pub(crate) sliding: bool,
}

impl BruteForce {
    pub(crate) fn start(&self) -> Plain {
        Plain { points: [EMPTY; 24], hands: [self.men; 2], turn: 0 }
    }

    /// The number of a side's men, on the board and in hand.
    fn men(&self, plain: &Plain, side: usize) -> usize {
        let on_board = plain.points.iter().filter(|&&man| man == MEN[side]);
        on_board.count() + usize::from(plain.hands[side])
    }

    fn in_mill(&self, plain: &Plain, point: usize) -> bool {
        let man = plain.points[point];
        let mut mills = self.board.mills.iter().filter(|mill| mill.contains(&point));
        mills.any(|mill| mill.iter().all(|&other| plain.points[other] == man))
    }

    /// The side that has two men left.
    pub(crate) fn loser(&self, plain: &Plain) -> Option<usize> {
        (0..2).find(|&side| self.men(plain, side) == 2)
    }

    pub(crate) fn moves(&self, plain: &Plain) -> Vec<Plain> {
        let (side, enemy) = (plain.turn, 1 - plain.turn);
        let all = 0..self.board.slots;
        let mut reached = Vec::new();
        for to in all.clone().filter(|&to| plain.points[to] == EMPTY) {
            if plain.hands[side] > 0 {
                let mut next = *plain;
                next.hands[side] -= 1;
                reached.push((next, to));
                if !self.sliding {
                    continue;
                }
            }
            let flies = self.flying && self.men(plain, side) == 3;
            for from in all.clone().filter(|&from| plain.points[from] == MEN[side]) {
                if flies || self.board.adjacency[from].contains(&to) {
                    let mut next = *plain;
                    next.points[from] = EMPTY;
                    reached.push((next, to));
                }
            }
        }
        let mut moves = Vec::new();
        for (mut next, to) in reached {
            next.points[to] = MEN[side];
            next.turn = enemy;
            let enemies: Vec<usize> =
                all.clone().filter(|&point| next.points[point] == MEN[enemy]).collect();
            if enemies.is_empty() || !self.in_mill(&next, to) {
                moves.push(next);
                continue;
            }
            let loose: Vec<usize> =
                enemies.iter().copied().filter(|&point| !self.in_mill(&next, point)).collect();
            for taken in if loose.is_empty() { enemies } else { loose } {
                let mut next = next;
                next.points[taken] = EMPTY;
                moves.push(next);
            }
        }
        moves
    }

    /// The position in the game's notation.
    pub(crate) fn write(&self, plain: &Plain) -> String {
        let mut text = String::new();
        for (point, &man) in plain.points[..self.board.slots].iter().enumerate() {
            if self.board.rows().contains(&point) {
                text.push('/');
            }
            text.push(char::from(man));
        }
        let [white, black] = plain.hands;
        format!("{text},{white}-{black},{}", ["white", "black"][plain.turn])
    }

    /// Every reachable position, with its winner and the number of plies, or `None` if no player
    /// can force a win.
    pub(crate) fn solve(&self) -> Vec<(Plain, Option<(usize, u32)>)> {
        let start = self.start();
        let mut numbers = HashMap::from([(start, 0)]);
        let (mut all, mut successors) = (vec![start], Vec::new());
        while let Some(plain) = all.get(successors.len()).copied() {
            let next = if self.loser(&plain).is_some() { Vec::new() } else { self.moves(&plain) };
            let mut number = |next: Plain| {
                *numbers.entry(next).or_insert_with(|| {
                    all.push(next);
                    all.len() - 1
                })
            };
            successors.push(next.into_iter().map(&mut number).collect::<Vec<usize>>());
        }
        // A player with two men left, or without a move, has lost. It is always the player to move.
        let mut wins: Vec<Option<(usize, u32)>> = vec![None; all.len()];
        let mut open: Vec<usize> = (0..all.len()).collect();
        for plies in 0.. {
            let decide = |&at: &usize| {
                let (side, next) = (all[at].turn, &successors[at]);
                let won_by = |next: usize, side| wins[next].is_some_and(|(won, _)| won == side);
                if next.iter().any(|&next| won_by(next, side)) {
                    return Some((at, (side, plies)));
                }
                let all_lose = next.iter().all(|&next| won_by(next, 1 - side));
                all_lose.then_some((at, (1 - side, plies)))
            };
            let decided: Vec<_> = open.iter().filter_map(decide).collect();
            if decided.is_empty() {
                break;
            }
            decided.into_iter().for_each(|(at, win)| wins[at] = Some(win));
            open.retain(|&at| wins[at].is_none());
        }
        all.into_iter().zip(wins).collect()
    }
}
