//! A small chess, written as by a newcomer: king and queen against king and rook on a square board,
//! in a mailbox.
//!
//! A position has 97 bytes. It is copied and changed for each move, and the move is left out if it
//! leaves the own king in check. There are no tables of attacks, and nothing is reused from one
//! position to the next.

use retrograde::{Game, Indexed, Outcome, PackedState, Player, Tier, TierIndexed, Tiered};
use serde::{Deserialize, Serialize};

/// The number of columns and rows of the mailbox: the board and walls. The board begins in the
/// second column and in the third row, so that a knight's jump off the board lands on a wall.
const WIDTH: usize = 8;
const HEIGHT: usize = 10;

/// The largest board that has walls all around it.
pub(crate) const LARGEST: u64 = 6;

/// The kinds of men in [`Position::counts`]. The rules know four of the six.
const KING: u8 = 0;
const QUEEN: u8 = 1;
const ROOK: u8 = 2;
const KNIGHT: u8 = 4;
const KINDS: usize = 6;

/// The contents of cells without a man.
const EMPTY: u8 = 0;
const WALL: u8 = u8::MAX;

const STRAIGHT: [isize; 4] = [1, -1, WIDTH as isize, -(WIDTH as isize)];
const AROUND: [isize; 8] = [1, -1, 8, -8, 7, -7, 9, -9];
const JUMPS: [isize; 8] = [6, -6, 10, -10, 15, -15, 17, -17];

/// The men, in the order of their cells in packed states and indices.
const MEN: [u8; 4] = [
    man(KING, Player::First),
    man(KING, Player::Second),
    man(QUEEN, Player::First),
    man(ROOK, Player::Second),
];

/// The number of men besides the kings.
const OTHERS: usize = MEN.len() - 2;

const fn man(kind: u8, player: Player) -> u8 {
    1 + 2 * kind + player.index() as u8
}

/// The board, with redundant data for speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct Position {
    /// The contents of each cell, row by row: a man, `EMPTY` or `WALL`.
    cells: [[u8; WIDTH]; HEIGHT],
    /// The cell of each man, in the order of [`MEN`]; 0 for a captured one.
    places: [u8; MEN.len()],
    /// The number of men of each kind of each player.
    counts: [[u8; KINDS]; 2],
    turn: Player,
}

impl Position {
    fn at(&self, cell: usize) -> u8 {
        self.cells[cell / WIDTH][cell % WIDTH]
    }

    /// Puts a man on an empty cell.
    fn put(&mut self, cell: usize, man: u8) {
        let (kind, player) = ((man - 1) / 2, usize::from((man - 1) % 2));
        self.cells[cell / WIDTH][cell % WIDTH] = man;
        self.counts[player][usize::from(kind)] += 1;
        self.note(man, cell);
    }

    /// Removes the man on a cell, if there is one.
    fn lift(&mut self, cell: usize) {
        let man = self.at(cell);
        if man != EMPTY {
            let (kind, player) = ((man - 1) / 2, usize::from((man - 1) % 2));
            self.counts[player][usize::from(kind)] -= 1;
            self.cells[cell / WIDTH][cell % WIDTH] = EMPTY;
            self.note(man, 0);
        }
    }

    /// Records the cell of a man.
    fn note(&mut self, man: u8, cell: usize) {
        if let Some(at) = MEN.iter().position(|&other| other == man) {
            self.places[at] = cell as u8;
        }
    }

    /// The position after a move of a man.
    fn after(&self, from: usize, to: usize) -> Position {
        let mut next = *self;
        next.lift(to);
        next.lift(from);
        next.put(to, self.at(from));
        next.turn = self.turn.opponent();
        next
    }

    fn is_in_check(&self, player: Player) -> bool {
        let (king, other) = (usize::from(self.places[player.index()]), player.opponent());
        let stands = |step: isize, kind| self.at(step_from(king, step)) == man(kind, other);
        AROUND.iter().any(|&step| stands(step, KING))
            || JUMPS.iter().any(|&step| stands(step, KNIGHT))
            || AROUND.iter().any(|&step| {
                let mut cell = step_from(king, step);
                while self.at(cell) == EMPTY {
                    cell = step_from(cell, step);
                }
                let is_rook = self.at(cell) == man(ROOK, other) && STRAIGHT.contains(&step);
                is_rook || self.at(cell) == man(QUEEN, other)
            })
    }

    /// The number of men left besides the kings.
    fn others(&self) -> usize {
        usize::from(self.counts.iter().flatten().sum::<u8>()) - 2
    }
}

fn step_from(cell: usize, step: isize) -> usize {
    cell.wrapping_add_signed(step)
}

/// The game on a board of some size.
pub(crate) struct SmallChess {
    side: usize,
}

impl SmallChess {
    /// The game on a board of `side` rows and columns, 3 to [`LARGEST`].
    pub(crate) fn new(side: u64) -> Self {
        assert!((3..=LARGEST).contains(&side), "a board of 3 to {LARGEST} rows");
        SmallChess { side: side as usize }
    }

    /// The cells of the board.
    fn cells(&self) -> impl Iterator<Item = usize> + Clone {
        (0..self.side * self.side).map(|number| self.cell(number as u64))
    }

    /// The cell of the mailbox for the board's cell of this number.
    fn cell(&self, number: u64) -> usize {
        let number = number as usize;
        (2 + number / self.side) * WIDTH + 1 + number % self.side
    }

    fn number(&self, cell: usize) -> u64 {
        ((cell / WIDTH - 2) * self.side + cell % WIDTH - 1) as u64
    }

    fn numbers(&self) -> u64 {
        (self.side * self.side) as u64
    }

    fn empty(&self, turn: Player) -> Position {
        let cells = [[WALL; WIDTH]; HEIGHT];
        let mut position =
            Position { cells, places: [0; MEN.len()], counts: [[0; KINDS]; 2], turn };
        self.cells().for_each(|cell| position.cells[cell / WIDTH][cell % WIDTH] = EMPTY);
        position
    }

    /// The cell of each man, in the order of [`MEN`].
    fn places(&self, position: &Position) -> [Option<usize>; MEN.len()] {
        position.places.map(|cell| (cell > 0).then_some(usize::from(cell)))
    }

    /// The position with the men on these cells of the board, if it is legal.
    fn set_up(&self, numbers: [Option<u64>; MEN.len()], turn: Player) -> Option<Position> {
        let mut position = self.empty(turn);
        for (man, number) in MEN.into_iter().zip(numbers) {
            if let Some(cell) = number.map(|number| self.cell(number)) {
                if position.at(cell) != EMPTY {
                    return None;
                }
                position.put(cell, man);
            }
        }
        (!position.is_in_check(turn.opponent())).then_some(position)
    }

    /// The lists of `tier` men besides the kings.
    fn lists(tier: usize) -> impl Iterator<Item = usize> {
        (0..1 << OTHERS).filter(move |list: &usize| list.count_ones() as usize == tier)
    }
}

impl Game for SmallChess {
    type State = Position;

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    /// Bare kings draw. [`no_moves`](Game::no_moves) finds mates.
    fn terminal(&self, position: &Position) -> Option<Outcome> {
        (position.others() == 0).then_some(Outcome::Draw)
    }

    fn no_moves(&self, position: &Position) -> Option<Outcome> {
        let is_mate = position.is_in_check(position.turn);
        Some(if is_mate { Outcome::Win(position.turn.opponent()) } else { Outcome::Draw })
    }

    fn moves(&self, position: &Position, mut visit: impl FnMut(Position)) {
        let own = position.turn;
        let is_own = |man: u8| man != WALL && man != EMPTY && (man - 1) % 2 == own.index() as u8;
        for from in self.cells().filter(|&cell| is_own(position.at(cell))) {
            let (steps, slides): (&[isize], bool) = match (position.at(from) - 1) / 2 {
                KING => (&AROUND, false),
                KNIGHT => (&JUMPS, false),
                ROOK => (&STRAIGHT, true),
                _ => (&AROUND, true),
            };
            for &step in steps {
                let mut to = step_from(from, step);
                while position.at(to) != WALL && !is_own(position.at(to)) {
                    let next = position.after(from, to);
                    if !next.is_in_check(own) {
                        visit(next);
                    }
                    if !slides || position.at(to) != EMPTY {
                        break;
                    }
                    to = step_from(to, step);
                }
            }
        }
    }

    fn roots(&self) -> impl IntoIterator<Item = Position> {
        let last = self.numbers() - 1;
        self.set_up([Some(0), Some(last), Some(1), Some(last - 1)], Player::First)
    }
}

/// The cells of the mailbox, 8 bits each, and who is to move.
impl PackedState for SmallChess {
    type Word = u64;

    fn pack(&self, position: &Position) -> u64 {
        let places = self.places(position).into_iter();
        let packed = places.fold(0, |packed, cell| packed << 8 | cell.unwrap_or(0) as u64);
        packed << 1 | position.turn.index() as u64
    }

    fn unpack(&self, packed: u64) -> Position {
        let mut position = self.empty(Player::BOTH[(packed & 1) as usize]);
        for (at, man) in MEN.into_iter().rev().enumerate() {
            match (packed >> 1 >> (8 * at)) as usize & 0xFF {
                0 => {}
                cell => position.put(cell, man),
            }
        }
        position
    }
}

/// A number for the cell of each man, with one more number for each man that may be captured.
impl Indexed for SmallChess {
    fn len(&self) -> u64 {
        let numbers = self.numbers();
        numbers.pow(2) * (numbers + 1).pow(OTHERS as u32) * 2
    }

    fn index(&self, position: &Position) -> u64 {
        let numbers = self.numbers();
        let index = self.places(position).into_iter().enumerate().fold(0, |index, (at, cell)| {
            let radix = numbers + u64::from(at >= 2);
            index * radix + cell.map_or(numbers, |cell| self.number(cell))
        });
        index * 2 + position.turn.index() as u64
    }

    fn unindex(&self, index: u64) -> Option<Position> {
        let (numbers, mut rest) = (self.numbers(), index / 2);
        let mut places = [None; MEN.len()];
        for (at, place) in places.iter_mut().enumerate().rev() {
            let radix = numbers + u64::from(at >= 2);
            *place = Some(rest % radix).filter(|&number| number < numbers);
            rest /= radix;
        }
        self.set_up(places, Player::BOTH[(index % 2) as usize])
    }
}

/// A tier contains the positions with one number of men besides the kings.
impl Tiered for SmallChess {
    fn tiers(&self) -> Vec<Tier> {
        let leads_to = |tier: usize| tier.checked_sub(1).into_iter().collect();
        let tier = |tier| Tier { name: format!("{}-men", tier + 2), leads_to: leads_to(tier) };
        (0..=OTHERS).map(tier).collect()
    }

    fn tier(&self, position: &Position) -> usize {
        position.others()
    }
}

/// The present men, and a number for the cell of each.
impl TierIndexed for SmallChess {
    fn tier_len(&self, tier: usize) -> u64 {
        SmallChess::lists(tier).count() as u64 * self.numbers().pow(2 + tier as u32) * 2
    }

    fn tier_index(&self, tier: usize, position: &Position) -> u64 {
        let places = self.places(position);
        let list: usize = (0..OTHERS).map(|at| usize::from(places[2 + at].is_some()) << at).sum();
        let list = SmallChess::lists(tier).position(|of_tier| of_tier == list).unwrap_or(0) as u64;
        let index = places
            .into_iter()
            .flatten()
            .fold(list, |index, cell| index * self.numbers() + self.number(cell));
        index * 2 + position.turn.index() as u64
    }

    fn tier_unindex(&self, tier: usize, index: u64) -> Option<Position> {
        let (numbers, of_a_list) = (self.numbers(), self.numbers().pow(2 + tier as u32));
        let mut rest = index / 2;
        let list = SmallChess::lists(tier).nth((rest / of_a_list) as usize)?;
        let mut places = [None; MEN.len()];
        for (at, place) in places.iter_mut().enumerate().rev() {
            if at < 2 || list >> (at - 2) & 1 == 1 {
                *place = Some(rest % numbers);
                rest /= numbers;
            }
        }
        self.set_up(places, Player::BOTH[(index % 2) as usize])
    }
}
