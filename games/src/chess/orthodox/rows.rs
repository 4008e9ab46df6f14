//! The moves of a row of positions at once: those of 64 indices that follow each other, in which one man, the
//! last, stands on each square in turn. So a set of positions is a set of squares.
//!
//! A step of another man leads from a whole row to another, but for the squares on which the last man is in
//! the way. The steps of the last man are found for all its squares together, by filling lines from square to
//! square (Kogge-Stone filling in the literature of chess programs).

use retrograde::{Player, Row, Rows};

use super::board::{self, ALONE, BETWEEN, BySquare, KING, KNIGHT, NOWHERE};
use super::ending::Ending;
use super::material::Kind;
use super::moves::{PROMOTED, is_before_promotion};
use super::position::{Move, NOBODY, Position, Reflection, Squares};
use super::successors::IMAGES;

/// The squares on the diagonal from a1 to h8 and below it.
const BELOW_DIAGONAL: u64 = {
    let (mut set, mut square) = (0, 0);
    while square < 64 {
        if square >> 3 <= square & 7 {
            set |= 1 << square;
        }
        square += 1;
    }
    set
};

/// The files a and h, from which steps would go around the board.
const FILES: [u64; 2] = [0x0101_0101_0101_0101, 0x8080_8080_8080_8080];

/// How the squares of the last man are written in the row of some positions.
#[derive(Clone, Copy)]
struct Seen {
    row: u64,
    /// The reflection by which the row sees them.
    reflection: usize,
    /// Whether it sees them in the diagonal, too.
    is_turned: bool,
    /// Whether each square and its image in the diagonal are one.
    is_folded: bool,
}

/// The set of the images of squares under a reflection.
#[inline(always)]
fn reflected(mut set: u64, number: usize) -> u64 {
    if number & 1 != 0 {
        set = mirrored(set);
    }
    if number & 2 != 0 {
        set = set.swap_bytes();
    }
    if number & 4 != 0 { board::transposed(set) } else { set }
}

/// The set with the files counted from the other side.
#[inline(always)]
fn mirrored(set: u64) -> u64 {
    set.swap_bytes().reverse_bits()
}

impl Seen {
    /// A set of squares, as the row sees it.
    #[inline(always)]
    fn as_row(self, set: u64) -> u64 {
        let set = reflected(set, self.reflection);
        match (self.is_folded, self.is_turned) {
            (true, _) => (set | board::transposed(set)) & BELOW_DIAGONAL,
            (_, true) => board::transposed(set),
            _ => set,
        }
    }

    /// A square, as the row sees it.
    #[inline(always)]
    fn square(self, square: u8) -> u8 {
        let square = IMAGES[self.reflection][usize::from(square & 63)];
        let is_turned = if self.is_folded { square >> 3 > square & 7 } else { self.is_turned };
        if is_turned { Reflection::DIAGONAL.image(square) } else { square }
    }

    /// All squares that the row sees as one of a set.
    #[inline(always)]
    fn as_squares(self, set: u64) -> u64 {
        let set = match (self.is_folded, self.is_turned) {
            (true, _) => set | board::transposed(set),
            (_, true) => board::transposed(set),
            _ => set,
        };
        // Exchanging files and ranks comes last, and has to be undone first.
        let flips = self.reflection & 3;
        match self.reflection & 4 != 0 {
            true => reflected(board::transposed(set), flips),
            false => reflected(set, flips),
        }
    }
}

/// Where a man of this kind gets from any of these squares by one step over free squares.
#[inline(always)]
fn spread(kind: Kind, from: u64, free: u64) -> u64 {
    match kind {
        Kind::Knight => {
            let mut reached = 0;
            for square in board::squares(from) {
                reached |= KNIGHT.of(square);
            }
            reached & free
        }
        Kind::Rook => along_lines(from, free),
        Kind::Bishop => along_diagonals(from, free),
        _ => along_lines(from, free) | along_diagonals(from, free),
    }
}

/// All free squares in one direction of these, up to the first that is not free: `shift` leads one square
/// on, and never to a square of `barred`.
#[inline(always)]
fn filled(from: u64, free: u64, barred: u64, shift: impl Fn(u64, u32) -> u64, step: u32) -> u64 {
    let mut open = free & !barred;
    let mut all = from;
    all |= open & shift(all, step);
    open &= shift(open, step);
    all |= open & shift(all, 2 * step);
    open &= shift(open, 2 * step);
    all |= open & shift(all, 4 * step);
    shift(all, step) & free & !barred
}

#[inline(always)]
fn both_ways(from: u64, free: u64, [up, down]: [u64; 2], step: u32) -> u64 {
    filled(from, free, up, |set, by| set << by, step)
        | filled(from, free, down, |set, by| set >> by, step)
}

#[inline(always)]
fn along_lines(from: u64, free: u64) -> u64 {
    both_ways(from, free, FILES, 1) | both_ways(from, free, [0; 2], 8)
}

#[inline(always)]
fn along_diagonals(from: u64, free: u64) -> u64 {
    let [a, h] = FILES;
    both_ways(from, free, [a, h], 9) | both_ways(from, free, [h, a], 7)
}

/// The rows of an ending.
pub(super) struct EndingRows<'e> {
    ending: &'e Ending,
    /// All endings of the game.
    endings: &'e [Ending],
    /// The man that stands on each square in turn.
    last: usize,
}

impl Ending {
    /// The rows of the ending, if a single piece has the lowest digit of indices.
    pub(super) fn rows<'e>(&'e self, endings: &'e [Ending]) -> Option<EndingRows<'e>> {
        let last = self.numbering.last.filter(|_| !self.is_symmetric && !self.has_en_passant);
        last.map(|last| EndingRows { ending: self, endings, last })
    }

    /// The row of the positions with these other men.
    #[inline(always)]
    fn seen(&self, others: Squares, side: usize) -> Seen {
        let frame = self.numbering.frame(others.kings(), side);
        let mut men = others;
        if frame.reflection != 0 {
            men = others.reflected(Reflection::number(frame.reflection));
        }
        let mut shares = self.numbering.shares_of(self.ordered(men));
        let (mut is_turned, mut is_folded) = (false, false);
        if frame.has_twins {
            let twin = self.numbering.shares_of(self.ordered(men.reflected(Reflection::DIAGONAL)));
            (is_turned, is_folded) = (twin < shares, twin == shares);
            shares = shares.min(twin);
        }
        let row = (frame.base + shares) >> 6;
        Seen { row, reflection: frame.reflection, is_turned, is_folded }
    }
}

impl EndingRows<'_> {
    /// The other men of a row and the side to move, if its indices are used.
    #[inline(always)]
    fn others(&self, row: u64) -> Option<(Squares, usize)> {
        let (squares, side) = self.ending.numbering.placement(row << 6)?;
        Some((squares.with(self.last, NOWHERE), side.into()))
    }

    /// The ending and the index after a move that leaves this one, if it is legal.
    #[inline(always)]
    fn after(&self, squares: Squares, side: usize, exit: Move) -> Option<(usize, u64)> {
        let position = Position::new(squares, self.ending.number, side as u8, false);
        let position = self.ending.leave(position, exit)?;
        let next = &self.endings[position.ending()];
        let is_legal = next.is_legal(position.squares(), position.side());
        is_legal.then(|| (position.ending(), next.index(next.settled(position))))
    }

    /// Visits where a move of another man than the last leads from these positions of a row.
    #[inline]
    fn visit_exit(
        &self,
        others: Squares,
        side: usize,
        states: u64,
        exit: Move,
        visit: &mut impl FnMut(u64, usize, u64),
    ) {
        let EndingRows { ending, endings, last } = *self;
        let Some(change) = ending.change(exit) else { return };
        let next = &endings[usize::from(change.ending)];
        let is_last = |&man: &usize| usize::from(change.from[man]) == last;
        let next_last = next.numbering.last.filter(is_last).filter(|_| !next.is_symmetric);
        let Some(next_last) = next_last else {
            for square in board::squares(states) {
                if let Some((ending, index)) = self.after(others.with(last, square), side, exit) {
                    visit(ALONE.of(square), ending, index);
                }
            }
            return;
        };
        // The last man is the last of the smaller ending, too: a row leads to a row.
        let men = change.squares(others.with(exit.slot, exit.to)).with(next_last, NOWHERE);
        let next_side = (1 - side) ^ usize::from(change.exchanges);
        let (states, turned) = match change.exchanges {
            true => (states.swap_bytes(), 56),
            false => (states, 0),
        };
        let seen = next.seen(men, next_side);
        for square in board::squares(states & next.legal_squares(men, next_side, next_last)) {
            let index = seen.row << 6 | u64::from(seen.square(square));
            visit(ALONE.of(square ^ turned), usize::from(change.ending), index);
        }
    }

    /// Where a man other than the last may step or have stepped from, as far as the other men are
    /// concerned.
    #[inline(always)]
    fn within_reach(&self, others: Squares, slot: usize, reached: &BySquare) -> u64 {
        let square = others.of(slot);
        let squares = reached.of(square) & !others.hidden_from(square) & !others.occupied();
        // Kings do not touch.
        if slot < 2 { squares & !KING.of(others.of(1 - slot)) } else { squares }
    }
}

impl Rows for EndingRows<'_> {
    fn row(&self, row: u64) -> Option<Row> {
        let (others, side) = self.others(row)?;
        let mut states = self.ending.legal_squares(others, side, self.last);
        if states == 0 {
            return None;
        }
        let Seen { is_turned, is_folded, .. } = self.ending.seen(others, side);
        if is_turned {
            return None;
        }
        if is_folded {
            states &= BELOW_DIAGONAL;
        }
        (states != 0).then_some(Row { states, turn: Player::BOTH[side] })
    }

    #[inline]
    fn turn(&self, row: u64) -> Player {
        Player::BOTH[self.ending.numbering.side_of(row << 6)]
    }

    #[inline]
    fn predecessors(&self, row: u64, states: u64, mut visit: impl FnMut(u64, u64)) {
        let EndingRows { ending, last, .. } = *self;
        let Some((others, side)) = self.others(row) else { return };
        let moved = 1 - side;
        for slot in ending.sides[moved].iter() {
            if slot == last {
                let seen = ending.seen(others, moved);
                let states = seen.as_squares(states);
                let before = spread(ending.kinds[slot], states, !others.occupied());
                visit(seen.row, seen.as_row(before));
                continue;
            }
            let square = others.of(slot);
            for from in
                board::squares(self.within_reach(others, slot, ending.reach[slot].steps_back))
            {
                let before = states & !(BETWEEN.of(from, square) | ALONE.of(from));
                if before != 0 {
                    let seen = ending.seen(others.with(slot, from), moved);
                    visit(seen.row, seen.as_row(before));
                }
            }
        }
    }

    #[inline]
    fn without_step_to(&self, row: u64, states: u64, mut targets: impl FnMut(u64) -> u64) -> u64 {
        let EndingRows { ending, last, .. } = *self;
        let Some((others, side)) = self.others(row) else { return states };
        let mut left = states;
        for slot in ending.sides[side].iter() {
            if slot == last {
                let seen = ending.seen(others, 1 - side);
                let reached = seen.as_squares(targets(seen.row));
                left &= !spread(ending.kinds[slot], reached, !others.occupied());
                continue;
            }
            let square = others.of(slot);
            for to in board::squares(self.within_reach(others, slot, ending.reach[slot].steps)) {
                if left == 0 {
                    return 0;
                }
                let seen = ending.seen(others.with(slot, to), 1 - side);
                let reached = seen.as_squares(targets(seen.row));
                left &= !reached | BETWEEN.of(square, to) | ALONE.of(to);
            }
        }
        left
    }

    #[inline]
    fn exits(&self, row: u64, states: u64, mut visit: impl FnMut(u64, usize, u64)) {
        let EndingRows { ending, last, .. } = *self;
        let Some((others, side)) = self.others(row) else { return };
        let targets = ending.targets(others, side);
        let is_last_theirs = ending.side_of(last) != side;
        for slot in ending.sides[side].iter() {
            let reach = &ending.reach[slot];
            if slot == last {
                for to in board::squares(targets) {
                    // From wherever it comes, it leads to one position.
                    let from = states & reach.attacked_from.of(to) & !others.hidden_from(to);
                    let captured = ending.man_on(others, to);
                    let exit = Move { slot, to, captured, promoted: None };
                    if from != 0
                        && let Some((ending, index)) = self.after(others, side, exit)
                    {
                        visit(from, ending, index);
                    }
                }
                continue;
            }
            let square = others.of(slot);
            let mut attacked = reach.attacks.of(square) & !others.hidden_from(square);
            if slot == side {
                // Kings do not touch.
                attacked &= !KING.of(others.of(1 - slot));
            }
            let promotes = ending.kinds[slot] == Kind::Pawn && is_before_promotion(square, side);
            let kinds: &[Option<Kind>] = if promotes { &PROMOTED } else { &[None] };
            for &promoted in kinds {
                for to in board::squares(attacked & targets) {
                    let captured = ending.man_on(others, to);
                    let exit = Move { slot, to, captured, promoted };
                    self.visit_exit(
                        others,
                        side,
                        states & !BETWEEN.of(square, to),
                        exit,
                        &mut visit,
                    );
                }
                if is_last_theirs {
                    for to in board::squares(attacked & states) {
                        let exit = Move { slot, to, captured: last, promoted };
                        self.visit_exit(others, side, ALONE.of(to), exit, &mut visit);
                    }
                }
                if promotes {
                    let to = if side == 0 { square + 8 } else { square - 8 };
                    let exit = Move { slot, to, captured: NOBODY, promoted };
                    let states = states & !ALONE.of(to);
                    if others.occupied() & ALONE.of(to) == 0 {
                        self.visit_exit(others, side, states, exit, &mut visit);
                    }
                }
            }
        }
    }
}
