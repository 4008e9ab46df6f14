//! Which men are on the board: the material of an ending.

use std::cmp::Ordering;
use std::fmt;

use thiserror::Error;

/// The most men that an ending has, kings included.
pub const MOST_MEN: usize = 5;

/// The fewest men of which all endings are one game: two kings alone are none.
const FEWEST_OF_ALL: usize = 3;

/// A kind of piece, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A king.
    King,
    /// A queen.
    Queen,
    /// A rook.
    Rook,
    /// A bishop.
    Bishop,
    /// A knight.
    Knight,
    /// A pawn.
    Pawn,
}

impl Kind {
    /// All of them, in order.
    pub const ALL: [Kind; 6] =
        [Kind::King, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn];

    /// The pieces that a pawn can become, in order.
    pub(super) const PROMOTIONS: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];

    /// The letter of the piece: K, Q, R, B, N or P.
    #[must_use]
    pub fn letter(self) -> char {
        ['K', 'Q', 'R', 'B', 'N', 'P'][self as usize]
    }

    /// The kind of this letter, which is a capital.
    #[must_use]
    pub fn of_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }
}

/// The pieces of each side beside its king, the stronger side first and the strongest pieces first.
///
/// The stronger side is the one with more men; with equally many, the one with the better piece
/// where they first differ. That is how tablebases are usually named: KQvKR, KRRvKQ, KNvKP.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material {
    sides: [Vec<Kind>; 2],
}

/// The endings that a game begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endings {
    /// That with this material.
    Of(Material),
    /// All with at most this many men, kings included.
    UpTo(usize),
}

/// How a text begins that names all endings of some number of men, which follows.
const ALL: &str = "all-";

impl Endings {
    /// Whether a text is to name all endings of some number of men.
    pub(crate) fn is_all(text: &str) -> bool {
        text.trim().starts_with(ALL)
    }

    /// The endings that a text like KQvKR or all-5 names.
    ///
    /// # Errors
    /// When that is neither material nor such a number of men.
    pub fn parse(text: &str) -> Result<Endings, MaterialError> {
        let Some(men) = text.trim().strip_prefix(ALL) else {
            return Material::parse(text).map(Endings::Of);
        };
        match men.parse() {
            Ok(men @ FEWEST_OF_ALL..=MOST_MEN) => Ok(Endings::UpTo(men)),
            _ => Err(MaterialError::All(men.to_owned())),
        }
    }

    /// The materials from which captures and promotions make all others. Of a number of men, those are the
    /// ones with pawns alone.
    #[must_use]
    pub fn beginnings(&self) -> Vec<Material> {
        match self {
            Endings::Of(material) => vec![material.clone()],
            &Endings::UpTo(men) => (0..=(men - 2) / 2)
                .map(|fewer| [men - 2 - fewer, fewer].map(|pawns| vec![Kind::Pawn; pawns]))
                .map(|sides| Material::new(sides).0)
                .collect(),
        }
    }
}

impl From<&Material> for Endings {
    fn from(material: &Material) -> Endings {
        Endings::Of(material.clone())
    }
}

impl fmt::Display for Endings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Endings::Of(material) => material.fmt(f),
            Endings::UpTo(men) => write!(f, "{ALL}{men}"),
        }
    }
}

/// An error in a text that should name material.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MaterialError {
    /// There are not two sides.
    #[error(
        "\"{0}\" is not an ending: expected the men of two sides with a v between, as in KQvKR"
    )]
    Sides(String),
    /// A number of men is too small or too large to have all endings of.
    #[error("all endings of \"{0}\" men: expected {FEWEST_OF_ALL} to {MOST_MEN}, kings included")]
    All(String),
    /// A letter is not that of a piece.
    #[error(
        "\"{text}\" has a {letter:?}, which is no piece: expected K, Q, R, B, N or P, or another letter with \
         its --piece"
    )]
    Letter {
        /// The text.
        text: String,
        /// The letter.
        letter: char,
    },
    /// A side has no king, or several.
    #[error("\"{side}\" has {kings} kings: expected one on each side, as in KQvKR")]
    Kings {
        /// The side's men.
        side: String,
        /// How many of them are kings.
        kings: usize,
    },
    /// There are too many men.
    #[error("{text} has {men} men: expected at most {MOST_MEN}, kings included")]
    Men {
        /// The text.
        text: String,
        /// How many men it has.
        men: usize,
    },
}

impl Material {
    /// The material of two sides, each in any order and without its king, and whether the second
    /// is the stronger, so that they have changed places.
    #[must_use]
    pub fn new(mut sides: [Vec<Kind>; 2]) -> (Material, bool) {
        sides.iter_mut().for_each(|side| side.sort_unstable());
        let exchanged = weaker(&sides[0], &sides[1]) == Ordering::Greater;
        if exchanged {
            sides.swap(0, 1);
        }
        (Material { sides }, exchanged)
    }

    /// The material that a text like KQvKR names. Small letters do as well, and so does leaving
    /// out the v.
    ///
    /// # Errors
    /// When that is no material, with what was expected.
    pub fn parse(text: &str) -> Result<Material, MaterialError> {
        let text = text.trim();
        let capitals = text.to_uppercase();
        let sides: Vec<&str> = match capitals.get(1..).and_then(|rest| rest.find('K')) {
            Some(second) if !capitals.contains('V') => {
                let (first, second) = capitals.split_at(second + 1);
                vec![first, second]
            }
            _ => capitals.split('V').collect(),
        };
        let [first, second] = sides[..] else {
            return Err(MaterialError::Sides(text.to_owned()));
        };
        let kinds = |side: &str| {
            let kind = |letter: char| {
                let wrong = || MaterialError::Letter { text: text.to_owned(), letter };
                Kind::of_letter(letter).ok_or_else(wrong)
            };
            let mut kinds = side.chars().map(kind).collect::<Result<Vec<Kind>, _>>()?;
            let men = kinds.len();
            kinds.retain(|&kind| kind != Kind::King);
            match men - kinds.len() {
                1 => Ok(kinds),
                kings => Err(MaterialError::Kings { side: side.to_owned(), kings }),
            }
        };
        let (material, _) = Material::new([kinds(first)?, kinds(second)?]);
        match material.men() {
            ..=MOST_MEN => Ok(material),
            men => Err(MaterialError::Men { text: text.to_owned(), men }),
        }
    }

    /// The pieces of each side beside its king, the stronger side first.
    #[must_use]
    pub fn sides(&self) -> [&[Kind]; 2] {
        [&self.sides[0], &self.sides[1]]
    }

    /// How many men there are, kings included.
    #[must_use]
    pub fn men(&self) -> usize {
        2 + self.sides[0].len() + self.sides[1].len()
    }

    /// How many pawns there are.
    #[must_use]
    pub fn pawns(&self) -> usize {
        self.sides.iter().flatten().filter(|&&kind| kind == Kind::Pawn).count()
    }

    /// Whether both sides have the same.
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        self.sides[0] == self.sides[1]
    }
}

/// `Greater` if the first side is weaker than the second.
fn weaker(first: &[Kind], second: &[Kind]) -> Ordering {
    second.len().cmp(&first.len()).then_with(|| first.cmp(second))
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |kinds: &[Kind]| kinds.iter().map(|kind| kind.letter()).collect::<String>();
        write!(f, "K{}vK{}", side(&self.sides[0]), side(&self.sides[1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn material_is_named_with_the_stronger_side_first() {
        for (text, name) in [
            ("KQvKR", "KQvKR"),
            ("krvkq", "KQvKR"),
            ("KRKQ", "KQvKR"),
            (" KNBvK ", "KBNvK"),
            ("KQvKRR", "KRRvKQ"),
            ("KPvKN", "KNvKP"),
            ("KvKP", "KPvK"),
            ("KK", "KvK"),
            ("KvK", "KvK"),
        ] {
            assert_eq!(Material::parse(text).map(|material| material.to_string()), Ok(name.into()));
        }
    }

    #[test]
    fn what_is_no_material_is_refused_with_what_was_expected() {
        for (text, part) in [
            ("", "\"\" is not an ending"),
            ("KQ", "is not an ending"),
            ("KvKvK", "is not an ending"),
            ("KQvKX", "has a 'X', which is no piece"),
            ("QvK", "\"Q\" has 0 kings"),
            ("KKvK", "\"KK\" has 2 kings"),
            ("KKK", "\"KK\" has 2 kings"),
            ("KQRvKRB", "KQRvKRB has 6 men: expected at most 5"),
            ("KÄvK", "has a 'Ä'"),
            ("all-2", "all endings of \"2\" men: expected 3 to 5, kings included"),
            ("all-6", "all endings of \"6\" men"),
            ("all-", "all endings of \"\" men"),
        ] {
            let message = Endings::parse(text).map_err(|error| error.to_string());
            assert!(message.clone().is_err_and(|message| message.contains(part)), "{message:?}");
        }
    }
}
