//! The successors of a position. Steps are given by the index of the next position, computed
//! without making that position.
//!
//! As long as the kings stay, a step changes what one man adds to the index. Where the kings have
//! to be reflected, the men are reflected once, and for each step the square that the man goes to.
//!
//! The positions with the same kings and side to move are a run of indices. So the visitor says
//! once whether any step of the other men matters.

use retrograde::VisitSuccessors;

use super::board;
use super::ending::Ending;
use super::legality::Dangers;
use super::material::MOST_MEN;
use super::moves::Steps;
use super::numbering::Frame;
use super::position::{Move, Position, Reflection};

/// Where each reflection sends each square.
pub(super) static IMAGES: [[u8; 64]; 8] = {
    let mut images = [[0; 64]; 8];
    let mut at = 0;
    while at < 8 * 64 {
        let (reflection, square) = (at / 64, at % 64);
        images[reflection][square] = Reflection::number(reflection).image(square as u8);
        at += 1;
    }
    images
};

impl Ending {
    /// Visits the index of the position after each step, and the position after each other move,
    /// settled in the ending that it belongs to.
    #[inline(always)]
    pub(super) fn visit_successors(
        &self,
        position: Position,
        visitor: &mut impl VisitSuccessors<Position>,
        settled: impl Fn(Position) -> Position,
    ) {
        if self.has_en_passant {
            let turn = position.player().opponent();
            self.visit_steps(position, |_, next| visitor.stay(self.index(next), turn));
            self.visit_leaving(position, |_, next| visitor.leave(settled(next)));
            return;
        }
        let (squares, side) = (position.squares(), position.side());
        let dangers = Dangers::of(self, squares, side);
        let (mut steps, mut captures) = ([0; MOST_MEN], [0; MOST_MEN]);
        let attacked = self.find_steps(squares, side, &dangers, &mut steps, &mut captures);
        self.visit_indices(position, &steps, visitor);
        let may_leave = attacked != 0 || self.has_pawns && self.may_promote(squares, side);
        if may_leave && visitor.others_matter() {
            self.visit_exits_apart(position, &captures, &dangers, |_, next| {
                visitor.leave(settled(next));
            });
        }
    }

    /// Visits the exits, as [`visit_exits`](Ending::visit_exits) does. Out of line, since there is rarely one.
    #[inline(never)]
    fn visit_exits_apart(
        &self,
        position: Position,
        captures: &Steps,
        dangers: &Dangers,
        mut visit: impl FnMut(Move, Position),
    ) {
        self.visit_exits(position, captures, dangers, &mut visit);
    }

    /// Visits the index of the position after each of these steps.
    #[inline(always)]
    fn visit_indices(
        &self,
        position: Position,
        steps: &Steps,
        visitor: &mut impl VisitSuccessors<Position>,
    ) {
        let (squares, side, turn) =
            (position.squares(), position.side(), position.player().opponent());
        // Where both sides have the same men, the one that is to move next counts as the stronger.
        let exchanges = self.is_symmetric && side == 0;
        let (place, turned) = if exchanges { (1, 56) } else { (0, 0) };
        let (seen, next_side) = match exchanges {
            true => (squares.with_sides_exchanged(), 0),
            false => (squares, 1 - side),
        };
        let numbering = &self.numbering;
        let frame = numbering.frame(seen.kings(), next_side);
        let men = seen.reflected(Reflection::number(frame.reflection));
        let shares = numbering.shares_of(self.ordered(men));
        let may_skip = numbering.run_len().is_some();
        // The steps of a king need few reflections of the men; twins, beyond 8, count otherwise.
        let (mut known, mut shares_by) = (1_u32 << frame.reflection, [shares; 16]);
        for to in board::squares(steps[side]) {
            let kings = seen.with(side ^ place, to ^ turned).kings();
            let Frame { base, reflection, has_twins } = numbering.frame(kings, next_side);
            if may_skip && !visitor.run_matters(base, turn) {
                continue;
            }
            let by = reflection | usize::from(has_twins) << 3;
            if known >> by & 1 == 0 {
                known |= 1 << by;
                shares_by[by] = self.reflected_shares(seen, reflection, has_twins);
            }
            visitor.stay(base + shares_by[by], turn);
        }
        if may_skip && !visitor.run_matters(frame.base, turn) {
            return;
        }
        // To count ranks from the other side first is another reflection.
        let images = &IMAGES[frame.reflection ^ if exchanges { 2 } else { 0 }];
        for slot in self.sides[side].iter().skip(1) {
            let (to, slot) = (board::squares(steps[slot]), slot ^ place);
            let image = |to: u8| images[usize::from(to & 63)];
            if frame.has_twins || self.has_three_like {
                to.for_each(|to| {
                    let men = men.with(slot, image(to));
                    visitor.stay(frame.base + self.least_shares(men, frame.has_twins), turn);
                });
            } else if let Some(pair) = self.pair.filter(|pair| pair.contains(&slot)) {
                let other = men.of(pair[0] + pair[1] - slot);
                let both = |one: u8, other: u8| {
                    numbering.share_of(pair[0], one.min(other))
                        + numbering.share_of(pair[1], one.max(other))
                };
                let rest = frame.base + shares - both(men.of(slot), other);
                to.for_each(|to| visitor.stay(rest + both(image(to), other), turn));
            } else {
                let rest = frame.base + shares - numbering.share_of(slot, men.of(slot));
                to.for_each(|to| visitor.stay(rest + numbering.share_of(slot, image(to)), turn));
            }
        }
    }
}
