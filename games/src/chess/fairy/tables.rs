//! Pieces that leap and slide, as tables: the squares that they reach on an empty board, and those that a
//! man in between hides.
//!
//! With five men at most it is quickest to begin with the empty board, and to take away what lies behind
//! each other man. Pieces that hop over others have no such tables: see [`moves`](super::moves).

use std::collections::BTreeMap;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use super::board::{Board, Set, bit, squares};
use super::moves::Path;

/// A set of squares of a board: one word, or two for boards of more than 64 squares.
pub(super) trait Bits:
    Copy
    + Default
    + PartialEq
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitAndAssign
    + BitOrAssign
{
    /// The set of one square; of none for the square of a man that is not there.
    fn bit(square: u8) -> Self;
    fn of(set: Set) -> Self;
    fn wide(self) -> Set;
}

impl Bits for u64 {
    #[inline(always)]
    fn bit(square: u8) -> u64 {
        if square < 64 { 1 << square } else { 0 }
    }

    fn of(set: Set) -> u64 {
        set as u64
    }

    #[inline(always)]
    fn wide(self) -> Set {
        self.into()
    }
}

impl Bits for u128 {
    #[inline(always)]
    fn bit(square: u8) -> u128 {
        bit(square) & (u128::MAX >> 1)
    }

    fn of(set: Set) -> u128 {
        set
    }

    #[inline(always)]
    fn wide(self) -> Set {
        self
    }
}

/// A set for each square. Longer than a board, so that no look-up can be beyond the end.
pub(super) struct BySquare<S>(Box<[S; 128]>);

impl<S: Bits> BySquare<S> {
    fn new() -> BySquare<S> {
        BySquare(Box::new([S::default(); 128]))
    }

    #[inline(always)]
    pub(super) fn of(&self, square: u8) -> S {
        self.0[usize::from(square & 127)]
    }

    fn add(&mut self, square: u8, other: u8) {
        self.0[usize::from(square & 127)] |= S::bit(other);
    }
}

/// The squares that a man of one side reaches on an empty board.
pub(super) struct Reach<S> {
    /// By a step, without capture and promotion.
    pub(super) steps: BySquare<S>,
    /// From where such a step can have come.
    pub(super) steps_back: BySquare<S>,
    pub(super) attacks: BySquare<S>,
    /// From where it attacks a square.
    pub(super) attacked_from: BySquare<S>,
    /// Whether others can be in the way.
    pub(super) rides: bool,
    /// The number of its lines.
    lines: usize,
}

/// The distance between rows of tables by two squares, so that a column is spread over all of the cache.
const ROW: usize = 136;

/// Lines between squares. The same ones serve all pieces that agree on them.
pub(super) struct Lines<S> {
    between: Vec<S>,
    hidden: Vec<S>,
}

impl<S: Bits> Lines<S> {
    #[inline(always)]
    fn at(one: u8, other: u8) -> usize {
        usize::from(one & 127) * ROW + usize::from(other)
    }

    /// The squares between two.
    #[inline(always)]
    pub(super) fn between(&self, one: u8, other: u8) -> S {
        self.between[Lines::<S>::at(one, other)]
    }

    /// The squares behind the second square, seen from the first.
    #[inline(always)]
    pub(super) fn hidden(&self, one: u8, other: u8) -> S {
        self.hidden[Lines::<S>::at(one, other)]
    }

    fn new(known: &Between) -> Lines<S> {
        let empty = || vec![S::default(); 128 * ROW];
        let mut lines = Lines { between: empty(), hidden: empty() };
        for (&(from, to), &between) in known {
            lines.between[Lines::<S>::at(from, to)] = S::of(between);
            for man in squares(between) {
                lines.hidden[Lines::<S>::at(from, man)] |= S::bit(to);
            }
        }
        lines
    }
}

/// The squares between two, in both directions.
type Between = BTreeMap<(u8, u8), Set>;

/// The least of the sets of squares that must be free. `None` where neither is a part of the other.
fn least(one: Set, other: Set) -> Option<Set> {
    match one & other {
        both if both == one || both == other => Some(both),
        _ => None,
    }
}

/// The squares that must be free for the moves on these paths, and those for the captures. `None` where there
/// is not one answer for each two squares.
fn between(paths: &[Path]) -> Option<Between> {
    let mut by_use = [Between::new(), Between::new()];
    for path in paths {
        for (known, is_used) in by_use.iter_mut().zip([path.moves, path.takes]) {
            if is_used {
                let known = known.entry((path.from, path.to)).or_insert(path.between);
                *known = least(*known, path.between)?;
            }
        }
    }
    let [moves, takes] = by_use;
    let mut all = Between::new();
    for ((from, to), between) in moves.into_iter().chain(takes) {
        for key in [(from, to), (to, from)] {
            if *all.entry(key).or_insert(between) != between {
                return None;
            }
        }
    }
    Some(all)
}

/// The tables of the pieces of a game.
pub(super) struct Tables<S> {
    /// By piece and side; `None` for a piece that hops, or one with two ways between two squares.
    reach: Vec<Option<[Reach<S>; 2]>>,
    lines: Vec<Lines<S>>,
}

impl<S: Bits> Tables<S> {
    /// The tables for the paths of each piece, white's and black's. Pieces without paths have none.
    fn new(pieces: &[Option<[Vec<Path>; 2]>]) -> Tables<S> {
        let mut known: Vec<Between> = Vec::new();
        let mut reach = |paths: &[Path]| {
            let own = between(paths)?;
            let agrees = |other: &Between| {
                own.iter().all(|(key, set)| other.get(key).is_none_or(|known| known == set))
            };
            let lines = known.iter().position(agrees).unwrap_or(known.len());
            let rides = own.values().any(|&between| between != 0);
            match known.get_mut(lines) {
                Some(known) => known.extend(own),
                None => known.push(own),
            }
            let new = BySquare::new;
            let (mut steps, mut steps_back) = (new(), new());
            let (mut attacks, mut attacked_from) = (new(), new());
            for &Path { from, to, moves, takes, .. } in paths {
                if moves {
                    steps.add(from, to);
                    steps_back.add(to, from);
                }
                if takes {
                    attacks.add(from, to);
                    attacked_from.add(to, from);
                }
            }
            Some(Reach { steps, steps_back, attacks, attacked_from, rides, lines })
        };
        let reach = pieces.iter().map(|sides| {
            let [white, black] = sides.as_ref()?;
            Some([reach(white)?, reach(black)?])
        });
        let reach = reach.collect();
        Tables { reach, lines: known.iter().map(Lines::new).collect() }
    }

    /// The tables of a piece that has some.
    #[inline(always)]
    pub(super) fn reach(&self, kind: u8, side: usize) -> Option<&Reach<S>> {
        self.reach[usize::from(kind)].as_ref().map(|sides| &sides[side])
    }

    #[inline(always)]
    pub(super) fn lines(&self, reach: &Reach<S>) -> &Lines<S> {
        &self.lines[reach.lines]
    }
}

/// The tables of a game, by the size of its board.
pub(super) enum AllTables {
    Small(Tables<u64>),
    Large(Tables<u128>),
}

/// Asks the tables, whichever they are.
macro_rules! ask_tables {
    ($all:expr, $tables:ident => $answer:expr) => {
        match $all {
            AllTables::Small($tables) => $answer,
            AllTables::Large($tables) => $answer,
        }
    };
}
pub(super) use ask_tables;

impl AllTables {
    pub(super) fn new(board: Board, pieces: &[Option<[Vec<Path>; 2]>]) -> AllTables {
        match board.len() {
            ..=64 => AllTables::Small(Tables::new(pieces)),
            _ => AllTables::Large(Tables::new(pieces)),
        }
    }

    /// Whether a piece has tables.
    pub(super) fn has(&self, kind: u8) -> bool {
        ask_tables!(self, tables => tables.reach(kind, 0).is_some())
    }
}
