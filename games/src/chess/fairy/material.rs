//! Which men are on the board.

use std::fmt::Write as _;

use super::piece::Piece;

/// The men of both sides, by the numbers of their pieces, the strongest first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Material {
    pub(super) sides: [Vec<u8>; 2],
}

impl Material {
    /// The material of two sides in any order. Where colours are folded, the side with more men is the
    /// first, or the one with the better man where they first differ. Also whether the sides have changed
    /// places.
    pub(super) fn new(mut sides: [Vec<u8>; 2], folds: bool) -> (Material, bool) {
        sides.iter_mut().for_each(|side| side.sort_unstable());
        let [first, second] = &sides;
        let exchanged = folds && (second.len(), first) > (first.len(), second);
        if exchanged {
            sides.swap(0, 1);
        }
        (Material { sides }, exchanged)
    }

    pub(super) fn men(&self) -> usize {
        self.sides[0].len() + self.sides[1].len()
    }

    /// The numbers of the pieces, and whether each is black's.
    pub(super) fn kinds(&self) -> impl Iterator<Item = (u8, usize)> + '_ {
        let side = |side: usize| self.sides[side].iter().map(move |&kind| (kind, side));
        side(0).chain(side(1))
    }

    /// As in KQvKR. A side without men is a 0.
    pub(super) fn name(&self, pieces: &[Piece]) -> String {
        let mut name = String::new();
        for (number, side) in self.sides.iter().enumerate() {
            name += if number == 1 { "v" } else { "" };
            name.extend(side.iter().map(|&kind| pieces[usize::from(kind)].letter));
            if side.is_empty() {
                let _ = write!(name, "0");
            }
        }
        name
    }
}

/// The letters of both sides of a text like KQvKR. The v may be left out before a second king.
pub(super) fn letters(text: &str) -> Result<[Vec<char>; 2], String> {
    let capitals = text.trim().to_uppercase();
    let second = capitals.char_indices().skip(1).find(|&(_, letter)| letter == 'K');
    let sides: Vec<&str> = match second {
        Some((second, _)) if !capitals.contains('V') => {
            let (first, second) = capitals.split_at(second);
            vec![first, second]
        }
        _ => capitals.split('V').collect(),
    };
    match sides[..] {
        [first, second] if !first.is_empty() && !second.is_empty() => {
            Ok([first, second].map(|side| side.chars().collect()))
        }
        _ => Err(format!(
            "\"{text}\" is not an ending: expected the men of two sides with a v between, as in KQvKR"
        )),
    }
}
