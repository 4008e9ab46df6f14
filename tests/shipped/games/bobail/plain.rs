//! The rules once more, on lists of characters, and values found in rounds.

use std::collections::HashMap;

use retrograde::Value;

/// The squares as the player to move sees them, row by row from the top: `w` for the own men, whose
/// home row is the lowest, `b` for the other's, `o` for the bobail.
pub(super) type Squares = Vec<u8>;

/// The result of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Turn<S = Squares> {
    /// The bobail is on the own home row.
    Wins,
    /// The bobail is on the other's home row.
    Loses,
    /// Play goes on with these squares, which the other player sees.
    GoesOn(S),
}

/// A board of Bobail.
pub(super) struct Plain {
    pub(super) columns: usize,
    pub(super) rows: usize,
    pub(super) men: usize,
    pub(super) flexible: bool,
}

/// The squares with a piece more, in all ways, on those that are empty and allowed.
fn placed(squares: &[Squares], piece: u8, from: impl Fn(&Squares) -> usize) -> Vec<Squares> {
    let mut all = Vec::new();
    for squares in squares {
        for at in from(squares)..squares.len() {
            if squares[at] == b'.' {
                let mut more = squares.clone();
                more[at] = piece;
                all.push(more);
            }
        }
    }
    all
}

impl Plain {
    /// Every way to place the pieces with the bobail between the home rows.
    pub(super) fn boards(&self) -> Vec<Squares> {
        let mut boards = vec![vec![b'.'; self.columns * self.rows]];
        for side in [b'w', b'b'] {
            for _ in 0..self.men {
                boards = placed(&boards, side, |squares| {
                    squares.iter().rposition(|&piece| piece == side).map_or(0, |last| last + 1)
                });
            }
        }
        let boards = placed(&boards, b'o', |_| self.columns);
        let home = self.columns * (self.rows - 1);
        boards.into_iter().filter(|squares| squares[..home].contains(&b'o')).collect()
    }

    /// The squares with left and right exchanged.
    pub(super) fn mirrored(&self, squares: &[u8]) -> Squares {
        squares.chunks(self.columns).flat_map(|row| row.iter().rev().copied()).collect()
    }

    /// The squares as the other player sees them: the rows the other way round, and the colours, too.
    pub(super) fn seen_by_other(&self, squares: &[u8]) -> Squares {
        let other = |&piece: &u8| match piece {
            b'w' => b'b',
            b'b' => b'w',
            same => same,
        };
        squares.chunks(self.columns).rev().flat_map(|row| row.iter().map(other)).collect()
    }

    /// The square some steps away, if it is on the board.
    fn away(&self, at: usize, (right, down): (isize, isize)) -> Option<usize> {
        let column = (at % self.columns).checked_add_signed(right)?;
        let row = (at / self.columns).checked_add_signed(down)?;
        (column < self.columns && row < self.rows).then_some(row * self.columns + column)
    }

    /// The squares after each move of an own man.
    pub(super) fn men_moved(&self, squares: &Squares) -> Vec<Squares> {
        let mut moved = Vec::new();
        for from in (0..squares.len()).filter(|&at| squares[at] == b'w') {
            for direction in directions() {
                let free = |&at: &usize| squares[at] == b'.';
                let next = |&at: &usize| self.away(at, direction).filter(free);
                let mut path: Vec<usize> =
                    std::iter::successors(Some(from), next).skip(1).collect();
                if !self.flexible {
                    path.drain(..path.len().saturating_sub(1));
                }
                for to in path {
                    let mut after = squares.clone();
                    after.swap(from, to);
                    moved.push(after);
                }
            }
        }
        moved
    }

    /// All legal turns.
    pub(super) fn turns(&self, squares: &Squares) -> Vec<Turn> {
        let from = squares.iter().position(|&piece| piece == b'o').expect("a bobail");
        let mut turns = Vec::new();
        for direction in directions() {
            let Some(to) = self.away(from, direction).filter(|&to| squares[to] == b'.') else {
                continue;
            };
            let mut stepped = squares.clone();
            stepped.swap(from, to);
            if to / self.columns == self.rows - 1 {
                turns.push(Turn::Wins);
            } else if to / self.columns == 0 {
                turns.push(Turn::Loses);
            } else {
                let moved = self.men_moved(&stepped);
                turns.extend(moved.iter().map(|after| Turn::GoesOn(self.seen_by_other(after))));
            }
        }
        turns
    }

    /// The value for the player to move, if these are the values after the turns that go on. `None`
    /// if one that is needed is missing.
    pub(super) fn value<S>(
        turns: &[Turn<S>],
        after: impl Fn(&S) -> Option<Value>,
    ) -> Option<Value> {
        let (mut win, mut loss, mut open) = (None::<u32>, 0, None);
        for turn in turns {
            let value = match turn {
                Turn::Wins => Some(Value::Loss(0)),
                Turn::Loses => Some(Value::Win(0)),
                Turn::GoesOn(squares) => after(squares),
            };
            match value {
                Some(Value::Loss(plies)) => {
                    win = Some(win.map_or(plies + 1, |least| least.min(plies + 1)));
                }
                Some(Value::Win(plies)) => loss = loss.max(plies + 1),
                other => open = Some(other),
            }
        }
        match (win, open) {
            (Some(plies), _) => Some(Value::Win(plies)),
            (None, Some(endless)) => endless,
            (None, None) => Some(Value::Loss(loss)),
        }
    }

    /// The value of every board.
    pub(super) fn solve(&self) -> HashMap<Squares, Value> {
        let boards = self.boards();
        let number: HashMap<&Squares, usize> = boards.iter().zip(0..).collect();
        let numbered = |turn| match turn {
            Turn::Wins => Turn::Wins,
            Turn::Loses => Turn::Loses,
            Turn::GoesOn(squares) => Turn::GoesOn(number[&squares]),
        };
        let turns_from = |board| self.turns(board).into_iter().map(numbered).collect();
        let turns: Vec<Vec<Turn<usize>>> = boards.iter().map(turns_from).collect();
        let mut left: Vec<usize> = (0..boards.len()).collect();
        let mut values: Vec<Option<Value>> = vec![None; boards.len()];
        for round in 0.. {
            let mut fresh = Vec::new();
            left.retain(|&board| {
                let value = Plain::value(&turns[board], |&number| values[number]);
                let found = value.filter(|value| value.plies() == Some(round));
                fresh.extend(found.map(|value| (board, value)));
                found.is_none()
            });
            if fresh.is_empty() && round > 1 {
                break;
            }
            for (board, value) in fresh {
                values[board] = Some(value);
            }
        }
        let value = |value: Option<Value>| value.unwrap_or(Value::Endless);
        boards.iter().cloned().zip(values.into_iter().map(value)).collect()
    }
}

/// The eight directions, as changes of column and row.
fn directions() -> impl Iterator<Item = (isize, isize)> {
    let all = (-1..=1).flat_map(|right| (-1..=1).map(move |down| (right, down)));
    all.filter(|&direction| direction != (0, 0))
}
