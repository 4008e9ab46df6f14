//! Legal positions, the end of play, and the moves that leave an ending: captures and promotions.

use super::Fairy;
use super::board::{Set, bit, squares};
use super::ending::{Ending, Over, Promotion};
use super::numbering::{NOWHERE, Squares};
use super::position;
use super::safety::Steps;
use super::tables::{AllTables, Bits, ask_tables};
use crate::chess::Position;
use retrograde::{Outcome, Player};

/// A move of the man in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) place: usize,
    pub(super) to: u8,
    pub(super) captures: bool,
    pub(super) promoted: Option<u8>,
}

/// The squares of all men.
#[inline(always)]
pub(super) fn occupied(men: &Squares) -> Set {
    men.iter().fold(0, |set, &square| set | bit(square) & (Set::MAX >> 1))
}

impl Fairy {
    #[inline(always)]
    pub(super) fn ending(&self, position: Position) -> &Ending {
        &self.endings[position.ending()]
    }

    /// The set of a side's men.
    #[inline(always)]
    fn set_of(ending: &Ending, men: &Squares, side: usize) -> Set {
        men[ending.places(side)].iter().fold(0, |set, &square| set | bit(square))
    }

    /// Whether a side's king can be captured.
    #[inline]
    pub(super) fn in_check(&self, ending: &Ending, men: &Squares, side: usize) -> bool {
        let Some(king) = ending.kings[side].map(|place| men[place]) else { return false };
        let setup = &self.setup;
        if ending.has_tables {
            return ask_tables!(&setup.tables, tables => tables.in_check(ending, men, side));
        }
        if setup.goal.atomic {
            // Whoever captured a king beside the own king would lose both.
            let other = ending.kings[1 - side].map_or(0, |place| bit(men[place]));
            if other & setup.around[usize::from(king)] != 0 {
                return false;
            }
        }
        let occupied = occupied(men);
        ending.places(1 - side).any(|place| {
            let kind = usize::from(ending.kinds[place]);
            // No atomic king captures.
            let captures = !setup.goal.atomic || ending.kings[1 - side] != Some(place);
            captures && setup.moves[kind][1 - side].attacks(men[place], king, occupied)
        })
    }

    /// Whether the king of a side stands where it has won.
    fn has_won(&self, ending: &Ending, men: &Squares, side: usize) -> bool {
        self.setup.winning != 0
            && ending.kings[side].is_some_and(|king| bit(men[king]) & self.setup.winning != 0)
    }

    /// Whether a side whose king has won may have to wait for the other's last move.
    pub(super) fn may_wait(&self, side: usize) -> bool {
        self.setup.goal.race && side == 0
    }

    /// Whether the side to move had won before the other's move.
    pub(super) fn is_late(&self, ending: &Ending, men: &Squares, side: usize) -> bool {
        self.has_won(ending, men, side) && !self.may_wait(side)
    }

    /// Whether the man in a place may be on its square.
    #[inline(always)]
    pub(super) fn may_stand(&self, ending: &Ending, men: &Squares, place: usize) -> bool {
        ending.kinds[place] != self.setup.pawn
            || bit(men[place]) & self.setup.no_pawns[ending.side_of(place)] == 0
    }

    /// Whether a position can be, men on squares of their own.
    pub(super) fn is_legal(&self, ending: &Ending, men: &Squares, side: usize) -> bool {
        ending.over[side] != Over::Never
            && (0..ending.men).all(|place| self.may_stand(ending, men, place))
            && !self.is_late(ending, men, side)
            && !self.in_check(ending, men, 1 - side)
            && !(self.setup.goal.race && self.in_check(ending, men, side))
    }

    /// The end of play in a legal position, except where there is no move.
    #[inline]
    pub(super) fn end(&self, position: Position) -> Option<Outcome> {
        let (ending, side) = (self.ending(position), position.side());
        let wins = |side: usize| Some(Outcome::Win(Fairy::player_of(position, side)));
        match ending.over[side] {
            Over::Win(side) => return wins(side),
            Over::Draw => return Some(Outcome::Draw),
            Over::No | Over::Never => {}
        }
        if self.setup.winning == 0 {
            return None;
        }
        let men = position::squares(position);
        let has_won = |side: usize| self.has_won(ending, &men, side);
        match (has_won(side), has_won(1 - side)) {
            (true, true) => Some(Outcome::Draw),
            (true, false) => wins(side),
            // Black still has a move.
            (false, true) if self.may_wait(1 - side) => None,
            (false, true) => wins(1 - side),
            (false, false) => None,
        }
    }

    /// The player of a side.
    pub(super) fn player_of(position: Position, side: usize) -> Player {
        Player::BOTH[side ^ usize::from(position.is_exchanged())]
    }

    /// A position as it is always written: like men in order, and the first side to move where both have
    /// the same.
    #[inline]
    pub(super) fn settled(
        &self,
        ending: &Ending,
        men: &Squares,
        side: usize,
        exchanged: bool,
    ) -> Position {
        if !ending.is_symmetric || side == 0 {
            return position::position(&ending.ordered(*men), ending.number, side, exchanged);
        }
        let turned = ending.ordered(self.turned(ending, men));
        position::position(&turned, ending.number, 0, !exchanged)
    }

    /// The men of an ending in which both sides have the same, seen by the other side.
    pub(super) fn turned(&self, ending: &Ending, men: &Squares) -> Squares {
        let mut turned = [NOWHERE; super::MOST_MEN];
        for place in 0..ending.men {
            turned[(place + ending.split) % ending.men] = self.setup.board.turned(men[place]);
        }
        turned
    }

    /// Whether the mover's king is safe after a move, and the other's, too, in a race.
    #[inline]
    pub(super) fn is_safe(&self, ending: &Ending, men: &Squares, moved: usize) -> bool {
        let gives_check = || self.setup.goal.race && self.in_check(ending, men, 1 - moved);
        !self.in_check(ending, men, moved) && !gives_check()
    }

    /// Visits the captures and promotions.
    pub(super) fn visit_leaving(&self, position: Position, mut visit: impl FnMut(Move, Position)) {
        let mut captures = false;
        self.visit_captures(position, |played, next| {
            captures = true;
            visit(played, next);
        });
        if self.setup.promotions.is_empty() || captures && self.setup.goal.compelled {
            return;
        }
        let (ending, side) = (self.ending(position), position.side());
        let men = position::squares(position);
        let pawn = self.setup.pawn;
        for place in ending.places(side).filter(|&place| ending.kinds[place] == pawn) {
            let moves = &self.setup.moves[usize::from(pawn)][side];
            let to = moves.reached(men[place], occupied(&men)).0 & self.setup.promoting[side];
            for to in squares(to) {
                self.leave(position, place, to, 0, &mut visit);
            }
        }
    }

    /// The men that each man of a side can capture, whether or not its king is safe then.
    fn captures(&self, ending: &Ending, men: &Squares, side: usize) -> Steps<Set> {
        if ending.has_tables {
            return ask_tables!(&self.setup.tables, tables => {
                tables.captures(ending, men, side).map(Bits::wide)
            });
        }
        let (mut captures, occupied) = ([0; super::MOST_MEN], occupied(men));
        let others = Fairy::set_of(ending, men, 1 - side);
        // No atomic king captures.
        let own = ending.places(side);
        for place in
            own.filter(|&place| !self.setup.goal.atomic || ending.kings[side] != Some(place))
        {
            let moves = &self.setup.moves[usize::from(ending.kinds[place])][side];
            captures[place] = moves.reached(men[place], occupied).1 & others;
        }
        captures
    }

    fn visit_captures(&self, position: Position, mut visit: impl FnMut(Move, Position)) {
        let (ending, side) = (self.ending(position), position.side());
        let men = position::squares(position);
        let captures = self.captures(ending, &men, side);
        for place in ending.places(side) {
            for to in squares(captures[place]) {
                let captured = (0..ending.men).find(|&other| men[other] == to);
                let gone =
                    self.gone(ending, &men, place, to, captured.map_or(0, |other| 1 << other));
                self.leave(position, place, to, gone, &mut visit);
            }
        }
        if ending.has_en_passant && position::en_passant(position) != 0 {
            self.visit_captures_on(position, position::en_passant(position), &mut visit);
        }
    }

    /// Whether there is a legal capture.
    pub(super) fn can_capture(&self, position: Position) -> bool {
        let mut can = false;
        self.visit_captures(position, |_, _| can = true);
        can
    }

    /// The men that vanish when the man in a place captures another on a square: a bit for each place.
    pub(super) fn gone(
        &self,
        ending: &Ending,
        men: &Squares,
        place: usize,
        to: u8,
        captured: u8,
    ) -> u8 {
        if !self.setup.goal.atomic {
            return captured;
        }
        let around = self.setup.around[usize::from(to)];
        let caught = (0..ending.men).filter(|&other| {
            ending.kinds[other] != self.setup.pawn && bit(men[other]) & around != 0
        });
        caught.fold(captured | 1 << place, |set, other| set | 1 << other)
    }

    /// Visits what becomes of a position when the man in a place goes to a square and others are gone,
    /// where that is legal.
    pub(super) fn leave(
        &self,
        position: Position,
        place: usize,
        to: u8,
        gone: u8,
        visit: &mut impl FnMut(Move, Position),
    ) {
        let (ending, side) = (self.ending(position), position.side());
        let mut men = position::squares(position);
        men[place] = to;
        let is_promoted = ending.kinds[place] == self.setup.pawn
            && bit(to) & self.setup.promoting[side] != 0
            && gone >> place & 1 == 0;
        let mut leave = |promoted: Option<Promotion>| {
            let Some(change) = ending.change(gone, promoted) else { return };
            let next = &self.endings[usize::from(change.ending)];
            let mut after = change.squares(&men);
            if change.exchanges {
                let turned = after[..next.men].iter_mut();
                turned.for_each(|square| *square = self.setup.board.turned(*square));
            }
            let moved = side ^ usize::from(change.exchanges);
            let is_there = |side: usize| !self.setup.goal.royal || next.kings[side].is_some();
            // Whoever blows up the other king need not be safe.
            let is_legal = !is_there(1 - moved) || self.is_safe(next, &after, moved);
            if is_there(moved) && is_legal {
                let exchanged = position.is_exchanged() ^ change.exchanges;
                let promoted =
                    promoted.map(|(_, becomes)| self.setup.promotions[usize::from(becomes)]);
                let played = Move { place, to, captures: gone != 0, promoted };
                visit(played, self.settled(next, &after, 1 - moved, exchanged));
            }
        };
        if is_promoted {
            let all = 0..self.setup.promotions.len() as u8;
            all.for_each(|becomes| leave(Some((place, becomes))));
        } else {
            leave(None);
        }
    }
}
