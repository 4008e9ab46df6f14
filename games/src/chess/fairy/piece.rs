//! Pieces: how they move, in the notation of R. Betza.
//!
//! A piece is a list of atoms, each with modifiers before it. An atom is a leap to one of up to eight
//! squares; repeated, it makes a rider. `NN` or `N0` rides as far as the board goes, `W2` at most twice.
//!
//! Directions are those of the owner: `f` ahead, `b` back, `l` and `r` to the sides, `v` for `fb` and `s`
//! for `lr`. A leap that goes farther along one axis than along the other takes two of them: first the
//! short axis, then the long one. `ffN` and `fN` are the two leaps that go farthest ahead, `fsN` the two
//! others ahead, and `fhN` all four.

use std::fmt;

use thiserror::Error;

/// The atoms with the leap that they stand for, the long axis first.
const ATOMS: [(char, (i8, i8)); 9] = [
    ('W', (1, 0)),
    ('F', (1, 1)),
    ('D', (2, 0)),
    ('N', (2, 1)),
    ('A', (2, 2)),
    ('H', (3, 0)),
    ('C', (3, 1)),
    ('Z', (3, 2)),
    ('G', (3, 3)),
];

/// Letters that stand for several atoms, and whether these ride.
const COMPOUNDS: [(char, &str, bool); 4] =
    [('K', "WF", false), ('Q', "WF", true), ('R', "W", true), ('B', "F", true)];

/// The names of pieces, with the letters that stand for them unless an option says otherwise.
pub(super) const NAMED: [(&str, Option<char>, &str); 25] = [
    ("king", Some('K'), "K"),
    ("queen", Some('Q'), "Q"),
    ("rook", Some('R'), "R"),
    ("bishop", Some('B'), "B"),
    ("knight", Some('N'), "N"),
    ("amazon", Some('A'), "QN"),
    ("cannon", Some('C'), "mRcpR"),
    ("dabbaba", Some('D'), "D"),
    ("chancellor", Some('E'), "RN"),
    ("empress", None, "RN"),
    ("ferz", Some('F'), "F"),
    ("grasshopper", Some('G'), "gQ"),
    ("archbishop", Some('H'), "BN"),
    ("princess", None, "BN"),
    ("bison", Some('I'), "CZ"),
    ("buffalo", Some('J'), "CNZ"),
    ("camel", Some('L'), "C"),
    ("commoner", Some('M'), "K"),
    ("gold", Some('O'), "WfF"),
    ("silver", Some('S'), "FfW"),
    ("nightrider", Some('T'), "NN"),
    ("wazir", Some('W'), "W"),
    ("alfil", Some('Y'), "A"),
    ("zebra", Some('Z'), "Z"),
    ("man", None, "K"),
];

/// A way over other men.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Hop {
    /// None: a man in the way ends the ride.
    Never,
    /// Over the first man, to the square right behind it.
    Behind,
    /// Over the first man, and on as far as the board goes.
    Over,
}

/// Leaps in one direction, seen by the owner: to the right and ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Stroke {
    pub(super) step: (i8, i8),
    /// How many leaps there are at most; 0 for as many as the board allows.
    pub(super) most: u8,
    pub(super) hop: Hop,
    /// Whether it goes to empty squares.
    pub(super) moves: bool,
    /// Whether it captures.
    pub(super) takes: bool,
}

/// The moves of a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) letter: char,
    /// In Betza's notation.
    pub(super) betza: String,
    pub(super) strokes: Vec<Stroke>,
}

/// An error in the notation of a piece.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("\"{text}\" is not a piece: {found} at place {place}, expected {expected}")]
pub struct PieceError {
    text: String,
    /// The place of the character, counted from 1.
    place: usize,
    found: Found,
    expected: &'static str,
}

/// The character at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Found(Option<char>);

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(letter) => write!(f, "{letter:?}"),
            None => f.write_str("the end"),
        }
    }
}

const ATOM: &str =
    "an atom W F D N A H C Z G K Q R B, or a modifier m c g p f b l r v s h before it";

/// The modifiers before an atom.
#[derive(Default)]
struct Modifiers {
    moves: bool,
    takes: bool,
    hop: Option<Hop>,
    directions: Vec<char>,
}

impl Piece {
    /// The piece of a letter, by its name or in Betza's notation.
    pub(super) fn new(letter: char, text: &str) -> Result<Piece, PieceError> {
        let named = NAMED.iter().find(|(name, ..)| name.eq_ignore_ascii_case(text));
        let betza = named.map_or(text, |(_, _, betza)| betza).to_owned();
        let strokes = strokes(&betza)?;
        Ok(Piece { letter, betza, strokes })
    }

    /// The name of a piece that moves so, if there is one.
    pub(super) fn name(&self) -> Option<&'static str> {
        let others = NAMED.iter().filter(|(name, ..)| *name != "king");
        let other =
            others.filter(|(.., betza)| *betza == self.betza).map(|(name, ..)| *name).next();
        self.usual_name().or(other)
    }

    /// The name that the letter usually has, if the piece moves so.
    pub(super) fn usual_name(&self) -> Option<&'static str> {
        let is_it = |(_, letter, betza): &&(_, Option<char>, &str)| {
            *letter == Some(self.letter) && *betza == self.betza
        };
        NAMED.iter().find(is_it).map(|(name, ..)| *name)
    }

    /// Whether the piece moves in the same way after a symmetry of the board, which takes each step to
    /// another.
    pub(super) fn keeps(&self, image: impl Fn((i8, i8)) -> (i8, i8)) -> bool {
        let images =
            self.strokes.iter().map(|stroke| Stroke { step: image(stroke.step), ..*stroke });
        let mut images: Vec<Stroke> = images.collect();
        images.sort_unstable();
        images == self.strokes
    }
}

/// The strokes of a piece, sorted and each once.
fn strokes(text: &str) -> Result<Vec<Stroke>, PieceError> {
    let letters: Vec<char> = text.chars().collect();
    let wrong = |at: usize, expected| PieceError {
        text: text.to_owned(),
        place: at + 1,
        found: Found(letters.get(at).copied()),
        expected,
    };
    let (mut strokes, mut at) = (Vec::new(), 0);
    while at < letters.len() || strokes.is_empty() {
        let mut modifiers = Modifiers::default();
        let first = at;
        loop {
            match letters.get(at) {
                Some('m') => modifiers.moves = true,
                Some('c') => modifiers.takes = true,
                Some('g' | 'p') if modifiers.hop.is_some() => {
                    return Err(wrong(at, "one of g and p at most"));
                }
                Some('g') => modifiers.hop = Some(Hop::Behind),
                Some('p') => modifiers.hop = Some(Hop::Over),
                Some(&direction @ ('f' | 'b' | 'l' | 'r' | 'v' | 's' | 'h')) => {
                    modifiers.directions.push(direction);
                }
                _ => break,
            }
            at += 1;
        }
        let Some(&letter) = letters.get(at) else { return Err(wrong(at, ATOM)) };
        let atom =
            ATOMS.iter().find(|(atom, _)| *atom == letter).map(|_| (letter.to_string(), false));
        let compound = COMPOUNDS.iter().find(|(compound, ..)| *compound == letter);
        let compound = compound.map(|&(_, atoms, rides)| (atoms.to_owned(), rides));
        let Some((atoms, rides)) = atom.or(compound) else { return Err(wrong(at, ATOM)) };
        at += 1;
        let mut most = u8::from(!rides);
        match letters.get(at) {
            Some(again) if *again == letter && atoms.starts_with(letter) => {
                (most, at) = (0, at + 1)
            }
            Some(digit) if digit.is_ascii_digit() => {
                let start = at;
                while letters.get(at).is_some_and(char::is_ascii_digit) {
                    at += 1;
                }
                let number: String = letters[start..at].iter().collect();
                most = number.parse().map_err(|_| wrong(start, "0 for any length, or 1 to 255"))?;
            }
            _ => {}
        }
        if modifiers.hop.is_some() && most != 0 {
            return Err(wrong(at - 1, "a rider of any length behind g or p, such as R or NN"));
        }
        if modifiers.moves && modifiers.takes {
            return Err(wrong(first, "one of m and c at most: an atom without them does both"));
        }
        for atom in atoms.chars() {
            let Some((_, leap)) = ATOMS.iter().find(|(other, _)| *other == atom) else { continue };
            let steps =
                steps(*leap, &modifiers.directions).map_err(|expected| wrong(first, expected))?;
            strokes.extend(steps.into_iter().map(|step| Stroke {
                step,
                most,
                hop: modifiers.hop.unwrap_or(Hop::Never),
                moves: !modifiers.takes,
                takes: !modifiers.moves,
            }));
        }
    }
    strokes.sort_unstable();
    strokes.dedup();
    Ok(strokes)
}

/// Whether a step goes in a direction at all.
fn goes((right, ahead): (i8, i8), direction: char) -> bool {
    match direction {
        'f' => ahead > 0,
        'b' => ahead < 0,
        'l' => right < 0,
        'r' => right > 0,
        'v' => ahead != 0,
        's' => right != 0,
        _ => false,
    }
}

fn is_vertical(direction: char) -> bool {
    matches!(direction, 'f' | 'b' | 'v')
}

/// The steps of a leap in these directions; in all where there are none.
fn steps((long, short): (i8, i8), directions: &[char]) -> Result<Vec<(i8, i8)>, &'static str> {
    let mut all = Vec::new();
    for (right, ahead) in [(long, short), (short, long)] {
        for (right, ahead) in [(right, ahead), (-right, ahead), (right, -ahead), (-right, -ahead)] {
            if !all.contains(&(right, ahead)) {
                all.push((right, ahead));
            }
        }
    }
    if directions.is_empty() {
        return Ok(all);
    }
    let is_oblique = short != 0 && short != long;
    let mut chosen = Vec::new();
    let mut left = directions;
    while let [first, rest @ ..] = left {
        let second = rest.first().copied();
        // Two directions go together where the leap has two axes.
        let goes_with = |second: &char| match (is_oblique, *second) {
            (true, 'h') => true,
            (true, second) => second == *first || is_vertical(second) != is_vertical(*first),
            (false, second) => {
                short != 0 && second != 'h' && is_vertical(second) != is_vertical(*first)
            }
        };
        let pair = second.filter(goes_with);
        if *first == 'h' || second == Some('h') && !is_oblique {
            return Err("h only behind f, b, l or r, before N, C or Z");
        }
        let along_long = |&(right, ahead): &(i8, i8), direction: char| {
            is_vertical(direction) == (ahead.abs() > right.abs())
        };
        let is_chosen = |step: &(i8, i8)| match pair {
            Some('h') => goes(*step, *first),
            Some(second) if is_oblique => {
                goes(*step, *first) && goes(*step, second) && along_long(step, second)
            }
            Some(second) => goes(*step, *first) && goes(*step, second),
            None if is_oblique => goes(*step, *first) && along_long(step, *first),
            None => goes(*step, *first),
        };
        chosen.extend(all.iter().filter(|step| is_chosen(step)));
        left = if pair.is_some() { &rest[1..] } else { rest };
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(text: &str) -> Vec<(i8, i8)> {
        let mut steps: Vec<_> = strokes(text).unwrap().iter().map(|stroke| stroke.step).collect();
        steps.sort_unstable();
        steps
    }

    #[test]
    fn directions_choose_among_the_steps_of_an_atom() {
        for (text, expected) in [
            ("W", vec![(-1, 0), (0, -1), (0, 1), (1, 0)]),
            ("fsW", vec![(-1, 0), (0, 1), (1, 0)]),
            ("fF", vec![(-1, 1), (1, 1)]),
            ("flF", vec![(-1, 1)]),
            ("flbrF", vec![(-1, 1), (1, -1)]),
            ("fN", vec![(-1, 2), (1, 2)]),
            ("ffN", vec![(-1, 2), (1, 2)]),
            ("fsN", vec![(-2, 1), (2, 1)]),
            ("fhN", vec![(-2, 1), (-1, 2), (1, 2), (2, 1)]),
            ("rfN", vec![(1, 2)]),
            ("vZ", vec![(-2, -3), (-2, 3), (2, -3), (2, 3)]),
            ("fK", vec![(-1, 1), (0, 1), (1, 1)]),
            ("FfW", vec![(-1, -1), (-1, 1), (0, 1), (1, -1), (1, 1)]),
        ] {
            assert_eq!(targets(text), expected, "{text}");
        }
        assert_eq!(targets("CNZ").len(), 24);
    }

    #[test]
    fn repeated_atoms_ride_and_modifiers_say_how() {
        let most = |text| strokes(text).unwrap()[0].most;
        assert_eq!(
            [most("WW"), most("W0"), most("R"), most("R2"), most("W"), most("K12")],
            [0, 0, 0, 2, 1, 12]
        );
        assert_eq!(strokes("Q"), strokes("RB"));
        assert_eq!(
            strokes("mRcpR")
                .unwrap()
                .iter()
                .filter(|stroke| stroke.hop == Hop::Over && !stroke.moves)
                .count(),
            4
        );
        assert!(
            strokes("gQ")
                .unwrap()
                .iter()
                .all(|stroke| stroke.hop == Hop::Behind && stroke.moves && stroke.takes)
        );
        let gold = Piece::new('O', "gold").unwrap();
        assert_eq!((gold.betza.as_str(), gold.name()), ("WfF", Some("gold")));
        assert!(gold.keeps(|(x, y)| (-x, y)) && !gold.keeps(|(x, y)| (x, -y)));
    }

    #[test]
    fn what_is_not_understood_is_refused_with_its_place() {
        for (text, says) in [
            ("", "the end at place 1, expected an atom"),
            ("QX", "'X' at place 2, expected an atom"),
            ("Nf", "the end at place 3, expected an atom"),
            ("nN", "'n' at place 1"),
            ("gpR", "'p' at place 2, expected one of g and p at most"),
            ("NgW", "'W' at place 3, expected a rider of any length"),
            ("gR2", "'2' at place 3, expected a rider of any length"),
            ("QmcW", "'m' at place 2, expected one of m and c at most"),
            ("fhW", "'f' at place 1, expected h only behind"),
            ("W999", "'9' at place 2, expected 0 for any length, or 1 to 255"),
            ("KK*", "'*' at place 3"),
            ("Ä", "'Ä' at place 1"),
        ] {
            let error = strokes(text).expect_err(text).to_string();
            assert!(error.starts_with(&format!("\"{text}\" is not a piece: {says}")), "{error}");
        }
    }
}
