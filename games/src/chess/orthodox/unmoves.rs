//! The steps backwards: from where men can have come.

use super::board::{ALONE, BETWEEN, SHADOW};
use super::ending::Ending;
use super::material::MOST_MEN;
use super::moves::Steps;
use super::position::{Position, Squares};

impl Ending {
    /// From where the men of the side that has moved can have stepped. It was to move there, so the
    /// king of the other was not in check; its own king may have been.
    #[inline(always)]
    fn steps_back(&self, squares: Squares, moved: usize) -> Steps {
        let king = squares.of(1 - moved);
        let occupied = squares.occupied();
        let shadows = squares.all().map(|man| SHADOW.of(king, man));
        // The men that attack the king as soon as nobody is between.
        let mut aiming = 0_u32;
        for slot in self.sides[moved].iter().skip(1) {
            let reached = self.reach[slot].attacks.of(squares.of(slot));
            aiming |= u32::from(reached & ALONE.of(king) != 0) << slot;
        }
        let mut steps = [0; MOST_MEN];
        for slot in self.sides[moved].iter() {
            let square = squares.of(slot);
            let reached = self.reach[slot].steps_back.of(square) & !squares.hidden_from(square);
            // From where it would give check itself.
            let mut hidden = 0;
            for (other, shadow) in shadows.iter().enumerate() {
                hidden |= if other == slot { 0 } else { *shadow };
            }
            let checking = self.reach[slot].attacked_from.of(king) & !hidden;
            let mut from = reached & !occupied & !checking;
            // It must have stood between if others would have given check.
            let mut others = aiming & !(1 << slot);
            while others != 0 {
                let other = others.trailing_zeros() as usize;
                others &= others - 1;
                let line = BETWEEN.of(squares.of(other % 8), king);
                if line & occupied & !ALONE.of(square) == 0 {
                    from &= line;
                }
            }
            steps[slot] = from;
        }
        steps
    }

    /// Visits the positions of the ending from which a step leads to this one. They are settled.
    #[inline(always)]
    pub(super) fn visit_steps_back(&self, position: Position, mut visit: impl FnMut(Position)) {
        let (squares, moved) = (position.squares(), 1 - position.side());
        let mut steps = self.steps_back(squares, moved);
        if self.has_en_passant {
            self.retain_rights(position, &mut steps);
        }
        self.drop_twins(squares, moved, &mut steps);
        if self.is_plain {
            // Written out, so that the compiler sees which men stay where they are, and works out
            // once what does not depend on the one that moves.
            visit_all(position, moved, steps[moved], &mut visit);
            visit_all(position, 2, steps[2], &mut visit);
            visit_all(position, 3, steps[3], &mut visit);
            visit_all(position, 4, steps[4], &mut visit);
            return;
        }
        for slot in self.sides[moved].iter() {
            visit_all(position, slot, steps[slot], &mut |before| {
                if self.has_en_passant {
                    self.visit_rights(before, |before| visit(self.settled(before)));
                }
                visit(self.settled(before));
            });
        }
    }
}

/// Visits the position before each step that a man can have made.
#[inline(always)]
fn visit_all(position: Position, slot: usize, mut from: u64, visit: &mut impl FnMut(Position)) {
    while from != 0 {
        let square = from.trailing_zeros() as u8;
        from &= from - 1;
        visit(Ending::stepped(position, slot, square));
    }
}
