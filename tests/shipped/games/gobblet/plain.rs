//! A second implementation of the rules of Gobblet Gobblers, on stacks of pieces. Its solver looks at
//! every position again and again.

use std::collections::HashMap;

use retrograde::Value;

/// A piece: its size, 3 for a large one, and its owner, 0 for white.
type Piece = (u8, usize);

/// A position: the stack on each square, from the bottom up, and who is to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Board {
    pub(super) stacks: [Vec<Piece>; 9],
    pub(super) turn: usize,
}

/// The rules, with so many pieces of each size for a player, small ones first.
pub(super) struct Plain {
    pub(super) pieces: [usize; 3],
}

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

impl Board {
    pub(super) fn start() -> Board {
        Board { stacks: Default::default(), turn: 0 }
    }

    fn has_row(&self, player: usize) -> bool {
        let is_own =
            |square: &usize| self.stacks[*square].last().is_some_and(|&(_, owner)| owner == player);
        LINES.iter().any(|line| line.iter().all(is_own))
    }

    fn takes(&self, square: usize, size: u8) -> bool {
        self.stacks[square].last().is_none_or(|&(below, _)| below < size)
    }

    /// Reads a position in the game's notation.
    pub(super) fn read(text: &str) -> Board {
        let (rows, player) = text.rsplit_once(',').expect("who is to move");
        let mut stacks: Vec<Vec<Piece>> = Vec::new();
        for row in rows.split('/') {
            let mut goes_on = false;
            for letter in row.chars() {
                match letter {
                    '-' => goes_on = true,
                    '.' => stacks.push(Vec::new()),
                    _ => {
                        let size = 1 + "sml".find(letter.to_ascii_lowercase()).unwrap() as u8;
                        let piece = (size, usize::from(letter.is_lowercase()));
                        if !goes_on {
                            stacks.push(Vec::new());
                        }
                        // The text goes from the top down.
                        stacks.last_mut().unwrap().insert(0, piece);
                        goes_on = false;
                    }
                }
            }
        }
        let turn = ["white", "black"].iter().position(|name| *name == player).unwrap();
        Board { stacks: stacks.try_into().expect("nine squares"), turn }
    }

    /// The position in the game's notation.
    pub(super) fn write(&self) -> String {
        let letter =
            |&(size, owner): &Piece| ["SML", "sml"][owner][size as usize - 1..][..1].to_owned();
        let stack = |stack: &Vec<Piece>| match stack.len() {
            0 => ".".to_owned(),
            _ => stack.iter().rev().map(letter).collect::<Vec<_>>().join("-"),
        };
        let row = |row: &[Vec<Piece>]| row.iter().map(stack).collect::<String>();
        let rows: Vec<String> = self.stacks.chunks(3).map(row).collect();
        format!("{},{}", rows.join("/"), ["white", "black"][self.turn])
    }
}

impl Plain {
    /// Whether play is over, which the player to move has lost.
    pub(super) fn is_over(&self, board: &Board) -> bool {
        board.has_row(1 - board.turn)
    }

    pub(super) fn moves(&self, board: &Board) -> Vec<Board> {
        let (own, other) = (board.turn, 1 - board.turn);
        let mut moves = Vec::new();
        let mut land = |board: &Board, piece: Piece, to: usize| {
            let mut next = board.clone();
            next.stacks[to].push(piece);
            next.turn = other;
            moves.push(next);
        };
        for size in 1..=3 {
            let on_board = board.stacks.iter().flatten().filter(|piece| **piece == (size, own));
            if on_board.count() < self.pieces[size as usize - 1] {
                (0..9)
                    .filter(|&to| board.takes(to, size))
                    .for_each(|to| land(board, (size, own), to));
            }
        }
        for from in 0..9 {
            let Some(&piece) = board.stacks[from].last() else { continue };
            if piece.1 != own {
                continue;
            }
            let mut lifted = board.clone();
            lifted.stacks[from].pop();
            for to in (0..9).filter(|&to| to != from && lifted.takes(to, piece.0)) {
                let mut landed = lifted.clone();
                landed.stacks[to].push(piece);
                if !landed.has_row(other) {
                    land(&lifted, piece, to);
                }
            }
        }
        moves
    }

    /// The value that follows from those after each move.
    pub(super) fn value(&self, board: &Board, mut after: impl FnMut(&Board) -> Value) -> Value {
        if self.is_over(board) {
            return Value::Loss(0);
        }
        let after: Vec<Value> = self.moves(board).iter().map(&mut after).collect();
        let lost = after.iter().filter_map(|value| match value {
            Value::Loss(plies) => Some(plies + 1),
            _ => None,
        });
        let won = after.iter().map(|value| match value {
            Value::Win(plies) => Some(plies + 1),
            _ => None,
        });
        match (lost.min(), won.collect::<Option<Vec<u32>>>()) {
            (Some(plies), _) => Value::Win(plies),
            (None, Some(won)) => Value::Loss(won.into_iter().max().unwrap_or(0)),
            (None, None) => Value::Endless,
        }
    }

    /// Every position that play reaches, with its value.
    pub(super) fn solve(&self) -> Vec<(Board, Value)> {
        let mut numbers = HashMap::from([(Board::start(), 0)]);
        let (mut all, mut after) = (vec![Board::start()], Vec::new());
        while let Some(board) = all.get(after.len()).cloned() {
            let next = if self.is_over(&board) { Vec::new() } else { self.moves(&board) };
            let mut number = |next: Board| {
                *numbers.entry(next.clone()).or_insert_with(|| {
                    all.push(next);
                    all.len() - 1
                })
            };
            after.push(next.into_iter().map(&mut number).collect::<Vec<usize>>());
        }
        let mut values = vec![Value::Endless; all.len()];
        let mut open: Vec<usize> = (0..all.len()).collect();
        // In a round, the player to move has lost, or wins, in so many plies.
        for round in 0.. {
            let decide = |&at: &usize| {
                let lost = |&next: &usize| matches!(values[next], Value::Loss(_));
                let won = |&next: &usize| matches!(values[next], Value::Win(_));
                if after[at].iter().any(lost) {
                    return Some((at, Value::Win(round)));
                }
                after[at].iter().all(won).then_some((at, Value::Loss(round)))
            };
            let decided: Vec<_> = open.iter().filter_map(decide).collect();
            if decided.is_empty() {
                break;
            }
            decided.into_iter().for_each(|(at, value)| values[at] = value);
            open.retain(|&at| values[at] == Value::Endless);
        }
        all.into_iter().zip(values).collect()
    }
}
