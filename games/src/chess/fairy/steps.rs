//! Steps: moves that stay in an ending, forward and backward, and the indices that they lead to.

use std::ops::Range;

use retrograde::Player;

use super::Fairy;
use super::board::{Set, bit, squares};
use super::ending::{Ending, Over};
use super::numbering::{self, MOST_MEN, Row, Squares};
use super::play::{self, Move};
use super::position;
use super::safety::{Safe, Steps};
use super::tables::{AllTables, Bits, ask_tables};
use crate::chess::Position;

/// No steps.
const NONE: Steps<Set> = [0; MOST_MEN];

impl Fairy {
    /// The kings that a step must leave safe, if one must.
    fn safe(&self, king: usize) -> Safe {
        if self.setup.goal.race { Safe::Both } else { Safe::Of(king) }
    }

    /// The squares where each man of the side to move can step, without capture and promotion.
    pub(super) fn steps(&self, position: Position) -> Steps<Set> {
        if self.setup.goal.compelled && self.can_capture(position) {
            return NONE;
        }
        let (ending, side) = (self.ending(position), position.side());
        self.steps_of(ending, &position::squares(position), side, false)
    }

    /// The squares from where each man of the side that has moved can have stepped.
    fn steps_back(&self, position: Position) -> Steps<Set> {
        let (ending, moved) = (self.ending(position), 1 - position.side());
        if ending.over[moved] == Over::Never {
            return NONE;
        }
        let men = position::squares(position);
        let mut steps = self.steps_of(ending, &men, moved, true);
        if self.setup.winning != 0 && !self.may_wait(moved) {
            // Play was not over.
            if let Some(king) = ending.kings[moved] {
                let others = if bit(men[king]) & self.setup.winning == 0 { Set::MAX } else { 0 };
                for place in ending.places(moved) {
                    steps[place] &= if place == king { !self.setup.winning } else { others };
                }
            }
        }
        if ending.has_en_passant {
            self.retain_rights(position, &mut steps);
        }
        if self.setup.goal.compelled {
            for place in ending.places(moved) {
                for from in squares(steps[place]) {
                    let mut before = men;
                    before[place] = from;
                    let before = position::position(&before, ending.number, moved, false);
                    if self.can_capture(before) {
                        steps[place] &= !bit(from);
                    }
                }
            }
        }
        steps
    }

    /// The steps of a side's men, forward or backward, that leave kings safe.
    fn steps_of(&self, ending: &Ending, men: &Squares, moved: usize, back: bool) -> Steps<Set> {
        let setup = &self.setup;
        let safe = self.safe(if back { 1 - moved } else { moved });
        if ending.has_tables {
            return ask_tables!(&setup.tables, tables => {
                tables.steps(ending, men, moved, back, safe).map(Bits::wide)
            });
        }
        let (mut steps, occupied) = (NONE, play::occupied(men));
        for place in ending.places(moved) {
            let (kind, at) = (ending.kinds[place], men[place]);
            let moves = &setup.moves[usize::from(kind)][moved];
            let mut to = match back {
                true => moves.came_from(at, occupied),
                false => moves.reached(at, occupied).0,
            };
            if kind == setup.pawn {
                to &= !if back { setup.no_pawns[moved] } else { setup.promoting[moved] };
            }
            steps[place] = self.safe_among(ending, men, place, to, safe);
        }
        steps
    }

    /// The squares among some on which the man in a place leaves kings safe.
    fn safe_among(
        &self,
        ending: &Ending,
        men: &Squares,
        place: usize,
        mut among: Set,
        safe: Safe,
    ) -> Set {
        let mut there = *men;
        for &side in safe.sides() {
            for square in squares(among & self.doubtful(ending, men, place, side)) {
                there[place] = square;
                if self.in_check(ending, &there, side) {
                    among &= !bit(square);
                }
            }
        }
        among
    }

    /// The squares where the man in a place may leave the king of a side in check. On all others it is safe,
    /// since nobody could capture the king if the men stood right.
    fn doubtful(&self, ending: &Ending, men: &Squares, place: usize, side: usize) -> Set {
        let Some(king) = ending.kings[side] else { return 0 };
        let from = |other: usize| {
            let moves = &self.setup.moves[usize::from(ending.kinds[other])][1 - side];
            moves.takes_from(men[king])
        };
        let mut others = ending.places(1 - side).filter(|&other| other != place);
        let is_aimed_at = others.any(|other| from(other) & bit(men[other]) != 0);
        if place == king || is_aimed_at {
            Set::MAX
        } else if ending.side_of(place) == side {
            0
        } else {
            from(place)
        }
    }

    /// Visits each of these steps, forward or backward, of the side that moves or has moved, and the position
    /// there.
    fn visit_positions(
        &self,
        position: Position,
        moved: usize,
        steps: &Steps<Set>,
        mut visit: impl FnMut(Move, Position),
    ) {
        let (ending, side) = (self.ending(position), position.side());
        let (men, exchanged) = (position::squares(position), position.is_exchanged());
        for place in ending.places(moved) {
            for to in squares(steps[place]) {
                let mut there = men;
                there[place] = to;
                let next = self.settled(ending, &there, 1 - side, exchanged);
                let step = Move { place, to, captures: false, promoted: None };
                if !ending.has_en_passant {
                    visit(step, next);
                } else if moved == side {
                    let passed = self.passed(ending, place, men[place], to);
                    let passed = passed.map(|target| match next.is_exchanged() == exchanged {
                        true => target,
                        false => self.setup.board.turned(target),
                    });
                    visit(step, passed.map_or(next, |target| self.with_right(next, target)));
                } else {
                    visit(step, next);
                    // Such a capture would be compelled.
                    if !self.setup.goal.compelled {
                        self.visit_rights(next, |before| visit(step, before));
                    }
                }
            }
        }
    }

    /// Visits the moves that stay in the ending.
    pub(super) fn visit_steps(&self, position: Position, visit: impl FnMut(Move, Position)) {
        self.visit_positions(position, position.side(), &self.steps(position), visit);
    }

    /// Visits the positions of the ending from which a step leads to this one, each once.
    pub(super) fn visit_steps_back(&self, position: Position, mut visit: impl FnMut(Position)) {
        let (ending, moved) = (self.ending(position), 1 - position.side());
        let steps = self.steps_back(position);
        if !self.may_have_twins(ending, &position::squares(position), moved, &steps) {
            return self.visit_positions(position, moved, &steps, |_, before| visit(before));
        }
        let mut all = Vec::new();
        self.visit_positions(position, moved, &steps, |_, before| {
            all.push((self.index(ending, before), before));
        });
        all.sort_unstable_by_key(|(index, _)| *index);
        all.dedup_by_key(|(index, _)| *index);
        all.into_iter().for_each(|(_, before)| visit(before));
    }

    /// Visits the index after each of these steps, forward or backward, of the side that moves or has
    /// moved.
    #[inline(always)]
    fn visit_indices_of(
        &self,
        ending: &Ending,
        position: Position,
        moved: usize,
        steps: &Steps<Set>,
        mut visit: impl FnMut(u64),
    ) {
        if ending.has_en_passant {
            return self.visit_positions(position, moved, steps, |_, next| {
                visit(self.index(ending, next));
            });
        }
        let (men, next) = (position::squares(position), 1 - position.side());
        // Where both sides have the same, the one to move is the first.
        let exchanges = ending.is_symmetric && next == 1;
        let seen = if exchanges { self.turned(ending, &men) } else { men };
        let (shift, next) = if exchanges { (ending.split, 0) } else { (0, next) };
        let last = self.setup.board.len() as u8 - 1;
        for place in ending.places(moved) {
            let to = squares(steps[place]).map(|to| if exchanges { last - to } else { to });
            let place = (place + shift) % ending.men;
            ending.numbering.visit_indices(&seen, next, place, to, &mut visit);
        }
    }

    /// The distinct indices after these steps.
    #[inline(never)]
    fn distinct_indices(
        &self,
        ending: &Ending,
        position: Position,
        moved: usize,
        steps: &Steps<Set>,
    ) -> Vec<u64> {
        let mut indices = Vec::with_capacity(64);
        self.visit_indices_of(ending, position, moved, steps, |index| indices.push(index));
        indices.sort_unstable();
        indices.dedup();
        indices
    }

    /// Visits the distinct indices of the positions after a step, or before one, and who is to move there.
    #[inline(always)]
    pub(super) fn visit_indices(
        &self,
        position: Position,
        back: bool,
        mut visit: impl FnMut(u64, Player),
    ) {
        let (ending, side) = (self.ending(position), position.side());
        let (moved, steps) = match back {
            true => (1 - side, self.steps_back(position)),
            false => (side, self.steps(position)),
        };
        let turn = position.player().opponent();
        if self.may_have_twins(ending, &position::squares(position), moved, &steps) {
            let indices = self.distinct_indices(ending, position, moved, &steps);
            return indices.into_iter().for_each(|index| visit(index, turn));
        }
        self.visit_indices_of(ending, position, moved, &steps, |index| visit(index, turn));
    }

    /// The number of distinct indices after a step.
    #[inline(never)]
    pub(super) fn degree(&self, position: Position) -> u64 {
        let (ending, side) = (self.ending(position), position.side());
        let steps = self.steps(position);
        if self.may_have_twins(ending, &position::squares(position), side, &steps) {
            return self.distinct_indices(ending, position, side, &steps).len() as u64;
        }
        steps.iter().map(|set| u64::from(set.count_ones())).sum()
    }

    /// Whether two steps of a side, forward or backward, can lead to images of each other.
    ///
    /// The symmetry then leaves the men of the other side where they are. It brings at most two men of the
    /// moving side elsewhere, since a step moves one man, and if two, each can step to its image.
    #[inline]
    fn may_have_twins(
        &self,
        ending: &Ending,
        men: &Squares,
        moved: usize,
        steps: &Steps<Set>,
    ) -> bool {
        let numbering = &ending.numbering;
        if numbering.symmetries() == 1 {
            return false;
        }
        let single = ending.places(1 - moved).filter(|&place| !ending.is_like_another(place));
        let fixing = single.fold(u8::MAX, |fixing, place| fixing & numbering.fixing(men[place]));
        fixing != 0 && self.are_near_images(ending, men, moved, steps, fixing)
    }

    /// Whether a step of each of the men that one of these symmetries brings elsewhere brings them there.
    #[inline(never)]
    fn are_near_images(
        &self,
        ending: &Ending,
        men: &Squares,
        moved: usize,
        steps: &Steps<Set>,
        symmetries: u8,
    ) -> bool {
        let own = || ending.places(moved);
        (1..ending.numbering.symmetries()).filter(|symmetry| symmetries >> symmetry & 1 != 0).any(
            |symmetry| {
                let image = |place: usize| ending.numbering.image(symmetry, men[place]);
                let is_elsewhere = |place: &usize| {
                    !own().any(|other| {
                        men[other] == image(*place) && ending.kinds[other] == ending.kinds[*place]
                    })
                };
                let goes_there = |place: usize| steps[place] & bit(image(place)) != 0;
                match own().filter(is_elsewhere).count() {
                    0 | 1 => true,
                    2 if ending.numbering.is_own_inverse(symmetry) => {
                        own().filter(is_elsewhere).all(goes_there)
                    }
                    count => count == 2,
                }
            },
        )
    }

    /// Visits the positions of a range of indices in ascending order, without unused indices.
    #[inline(always)]
    pub(super) fn positions(
        &self,
        ending: &Ending,
        indices: Range<u64>,
        mut visit: impl FnMut(u64, Position),
    ) {
        let mut next = indices.start;
        let end_of_rows = indices.end.min(ending.numbering.len());
        while next < end_of_rows {
            let Some(Row { start, len, others, side, man }) = ending.numbering.row(next) else {
                if let Some(position) = self.unindex(ending, next) {
                    visit(next, position);
                }
                next += 1;
                continue;
            };
            let end = end_of_rows.min(start + len);
            // The squares of the row that are in the range.
            let mut room = self.room(ending, &others, side, man);
            room &= (Set::MAX << (next - start)) & ((1 << (end - start)) - 1);
            for square in squares(room) {
                let mut men = others;
                men[man] = square;
                if ending.numbering.is_least(&men) {
                    let position = position::position(&men, ending.number, side, false);
                    visit(start + u64::from(square), position);
                }
            }
            next = end;
        }
        for index in next..indices.end {
            if let Some(position) = self.unindex(ending, index) {
                visit(index, position);
            }
        }
    }

    /// The squares where one more man makes a legal position.
    #[inline(never)]
    fn room(&self, ending: &Ending, others: &Squares, side: usize, man: usize) -> Set {
        let is_right = |place: usize| place == man || self.may_stand(ending, others, place);
        if ending.over[side] == Over::Never
            || !numbering::are_apart(others)
            || !(0..ending.men).all(is_right)
            || self.is_late(ending, others, side)
        {
            return 0;
        }
        let mut room = match ending.kinds[man] == self.setup.pawn {
            true => !self.setup.no_pawns[ending.side_of(man)],
            false => Set::MAX,
        };
        let safe = self.safe(1 - side);
        if ending.has_tables {
            return room
                & ask_tables!(&self.setup.tables, tables => {
                    tables.room(ending, others, man, safe).wide()
                });
        }
        room &= self.setup.board.all() & !play::occupied(others);
        self.safe_among(ending, others, man, room, safe)
    }

    /// The position of an index; `None` for an unused index.
    #[inline]
    pub(super) fn unindex(&self, ending: &Ending, index: u64) -> Option<Position> {
        if index >= ending.numbering.len() {
            return self.of_index_of_right(ending, index);
        }
        let (squares, side) = ending.numbering.unindex(index)?;
        let is_legal = self.is_legal(ending, &squares, side);
        is_legal.then(|| position::position(&squares, ending.number, side, false))
    }
}
