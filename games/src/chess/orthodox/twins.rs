//! Twins: two steps from one position that lead to reflections of each other.
//!
//! A step leaves the other side's king where it is, so only one reflection can make twins: that in
//! the long diagonal on which that king stands. If it maps the position s to g(s), and two steps
//! lead to twins, then g(s) and s differ in no more men than two steps can move. That leaves:
//!
//! - Nobody has moved by the reflection: every step has a twin, but for those along the diagonal.
//! - One man, X, is elsewhere: two steps of X to squares that mirror each other are twins; and so
//!   are steps of two men like X that mirror each other, to where X is mirrored.
//! - Two men are elsewhere: if each can step to where it is mirrored, those two steps are twins.
//!
//! This holds for backward steps, too. With pawns there are no twins: only the wings are exchanged
//! then, and no king stays where it is.

use super::board::{self, ALONE};
use super::ending::Ending;
use super::moves::Steps;
use super::position::{Reflection, Squares};

/// The squares of the long diagonals: from a1 to h8, and from a8 to h1.
const DIAGONALS: [u64; 2] = [0x8040_2010_0804_0201, 0x0102_0408_1020_4080];

impl Ending {
    /// Of every two steps of a side that are twins, forward or backward, leaves out one.
    #[inline(always)]
    pub(super) fn drop_twins(&self, squares: Squares, side: usize, steps: &mut Steps) {
        let king = ALONE.of(squares.of(1 - side));
        if king & (DIAGONALS[0] | DIAGONALS[1]) != 0 && !self.has_pawns {
            self.drop_twins_across(squares, side, steps, king & DIAGONALS[0] != 0);
        }
    }

    #[inline(never)]
    fn drop_twins_across(&self, squares: Squares, side: usize, steps: &mut Steps, main: bool) {
        let reflection = if main { Reflection::DIAGONAL } else { Reflection::ANTIDIAGONAL };
        let images = squares.reflected(reflection);
        // The men that the reflection moves to where nobody like them was.
        let (mut moved, mut count) = ([0; 2], 0);
        for slot in (0..self.men).filter(|&slot| slot != 1 - side) {
            let image = images.of(slot);
            let stays = image == squares.of(slot)
                || self.has_like && self.like_man_on(squares, slot, image).is_some();
            if !stays {
                if count == 2 {
                    return;
                }
                moved[count] = slot;
                count += 1;
            }
        }
        let is_own = |slot: usize| self.sides[side].iter().any(|own| own == slot);
        match moved[..count] {
            [] => {
                for slot in self.sides[side].iter() {
                    match self.like_man_on(squares, slot, images.of(slot)) {
                        Some(partner) if partner < slot => steps[slot] = 0,
                        Some(_) => {}
                        None => steps[slot] = without_images(steps[slot], main),
                    }
                }
            }
            [one] if is_own(one) => {
                steps[one] = without_images(steps[one], main);
                if self.has_like {
                    self.drop_like_twins(squares, images, one, steps);
                }
            }
            [one, other] if is_own(one) && is_own(other) => {
                let there = [one, other].map(|slot| steps[slot] & ALONE.of(images.of(slot)));
                if there[0] != 0 {
                    steps[other] &= !there[1];
                }
            }
            _ => {}
        }
    }

    /// The other man of the same kind and side on a square.
    fn like_man_on(&self, squares: Squares, slot: usize, square: u8) -> Option<usize> {
        (2..self.men).find(|&other| {
            other != slot && squares.of(other) == square && self.are_like(slot, other)
        })
    }

    /// Of two men like `one` that mirror each other, keeps one from stepping to where `one` is
    /// mirrored.
    fn drop_like_twins(&self, squares: Squares, images: Squares, one: usize, steps: &mut Steps) {
        for slot in (2..self.men).filter(|&slot| slot != one && self.are_like(slot, one)) {
            let partner = self.like_man_on(squares, slot, images.of(slot));
            if let Some(partner) = partner.filter(|&partner| partner < slot) {
                // Only if both can get there.
                steps[slot] &= !(steps[partner] & ALONE.of(images.of(one)));
            }
        }
    }
}

/// The set without those squares above the diagonal whose mirror images it has too.
fn without_images(set: u64, main: bool) -> u64 {
    let mirrored = board::transposed(if main { set } else { set.reverse_bits() });
    let above = if main { ABOVE[0] } else { ABOVE[1] };
    set & !(mirrored & above)
}

/// The squares above each long diagonal.
const ABOVE: [u64; 2] = [0x7f3f_1f0f_0703_0100, 0xfefc_f8f0_e0c0_8000];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_diagonal_has_twenty_eight_squares_above() {
        for (main, reflection) in [(true, Reflection::DIAGONAL), (false, Reflection::ANTIDIAGONAL)]
        {
            let [diagonal, above] = [DIAGONALS, ABOVE].map(|sets| sets[usize::from(!main)]);
            for square in 0..64 {
                let image = reflection.image(square);
                assert_eq!(diagonal & ALONE.of(square) != 0, image == square);
                let both = (ALONE.of(square) | ALONE.of(image)) & above;
                assert_eq!(both.count_ones(), u32::from(image != square), "{square}");
                let set = ALONE.of(square) | ALONE.of(image);
                assert_eq!(without_images(set, main).count_ones(), 1);
                assert_eq!(without_images(ALONE.of(square), main), ALONE.of(square));
            }
        }
    }
}
