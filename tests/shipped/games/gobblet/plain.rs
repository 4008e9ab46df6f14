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
    /// Whether only the first of two rows has to be covered that are uncovered at once.
    pub(super) covers_first: bool,
}

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

impl Board {
    pub(super) fn start() -> Board {
        Board { stacks: Default::default(), turn: 0 }
    }

    fn has_row(&self, player: usize) -> bool {
        self.first_row(player).is_some()
    }

    fn first_row(&self, player: usize) -> Option<[usize; 3]> {
        let is_own =
            |square: &usize| self.stacks[*square].last().is_some_and(|&(_, owner)| owner == player);
        LINES.into_iter().find(|line| line.iter().all(is_own))
    }

    /// The image of the board that is the least if the last square counts most, and on a square the largest
    /// piece.
    fn least_image(&self) -> Board {
        let mut images = vec![self.clone()];
        for turns in 0..4 {
            // A quarter turn, and for each a reflection.
            let before = images[2 * turns].clone();
            images.push(before.moved(|row, column| (column, row)));
            images.push(before.moved(|row, column| (2 - column, row)));
        }
        let order = |board: &Board| -> Vec<usize> {
            let owner = |stack: &Vec<Piece>, size| {
                stack.iter().find(|piece| piece.0 == size).map_or(0, |piece| 1 + piece.1)
            };
            let stacks = board.stacks.iter().rev();
            stacks.flat_map(|stack| [3, 2, 1].map(|size| owner(stack, size))).collect()
        };
        images.into_iter().min_by_key(order).unwrap()
    }

    /// The board with each square's stack taken from another square.
    fn moved(&self, from: impl Fn(usize, usize) -> (usize, usize)) -> Board {
        let stacks = std::array::from_fn(|square| {
            let (row, column) = from(square / 3, square % 3);
            self.stacks[3 * row + column].clone()
        });
        Board { stacks, turn: self.turn }
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

    /// Who has won. If only the first of two rows has to be covered, both players may have a row.
    pub(super) fn winner(&self, board: &Board) -> Option<usize> {
        match self.covers_first {
            true => (0..2).find(|&player| board.has_row(player)),
            false => self.is_over(board).then_some(1 - board.turn),
        }
    }

    pub(super) fn moves(&self, board: &Board) -> Vec<Board> {
        let image = board.least_image();
        // That rule tells images of a position apart, so that its author asks for the moves of one.
        let board = if self.covers_first { &image } else { board };
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
                let is_covered = match lifted.first_row(other) {
                    Some(row) if self.covers_first => row.contains(&to),
                    _ => !landed.has_row(other),
                };
                if is_covered {
                    land(&lifted, piece, to);
                }
            }
        }
        moves
    }

    /// The value that follows from those after each move.
    pub(super) fn value(&self, board: &Board, mut after: impl FnMut(&Board) -> Value) -> Value {
        if let Some(winner) = self.winner(board) {
            return if winner == board.turn { Value::Win(0) } else { Value::Loss(0) };
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
