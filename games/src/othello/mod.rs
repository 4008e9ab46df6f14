//! Othello (reversi), on small boards.
//!
//! The board begins with two discs of each player in its middle, on opposite corners of a square. A
//! player puts a disc on an empty square, so that discs of the other stand in a row between the new
//! disc and another of the own: across, down or diagonally. All discs of the other in such rows become
//! own discs. A player who can't turn any disc passes. Play ends when neither player can turn a disc,
//! and is worth the difference in discs: empty squares count for nobody.
//!
//! Black begins. Its discs are written `x`, those of white `o`, as programs write them.
//!
//! The game comes in two numberings of packed states that are discovered from the start: all at once,
//! or in tiers by the number of discs, which are solved from the full board down. A pass stays in its
//! tier.

mod discs;
mod notation;

use retrograde::board::{Grid, Names};
use retrograde::index::{Symmetries, singles};
use retrograde::{Game, Numbered, Outcome, PackedState, Player, Tier, Tiered, scheme};
use serde::{Deserialize, Serialize};

use crate::Started;
use crate::shared::{self, BoardError};
use discs::Rows;

/// The greatest number of squares.
const MOST_SQUARES: u32 = 24;

/// The number of discs at the start, which are never taken away.
const FIRST_DISCS: u32 = 4;

/// The parameters of a game of Othello, which are its options on the command line, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::Args)]
pub struct OthelloParameters {
    /// The number of columns, an even number from 2 on
    #[arg(short = 'm', long, default_value_t = 4)]
    pub columns: u32,
    /// The number of rows, an even number from 2 on; the board has 24 squares at most
    #[arg(short = 'n', long, default_value_t = 4)]
    pub rows: u32,
    /// Count turns and reflections of a board as one
    #[arg(long)]
    pub fold: bool,
}

/// The game of Othello.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Started<OthelloParameters>", into = "Started<OthelloParameters>")]
pub struct Othello {
    parameters: OthelloParameters,
    rows: Rows,
    /// The discs of each player at the start.
    start: [u32; 2],
    /// The turns and reflections of the board, if they are folded.
    symmetries: Option<Symmetries>,
    /// The position that play begins with, if it is not the usual one.
    root: Option<Discs>,
}

/// The discs on the board, a bit a square, row by row from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Discs {
    /// The discs of each player.
    of: [u32; 2],
    /// The player to move.
    turn: Player,
}

impl Discs {
    /// The discs of the player to move.
    #[inline]
    fn own(self) -> u32 {
        self.of[self.turn.index()]
    }

    /// The discs of the other player.
    #[inline]
    fn other(self) -> u32 {
        self.of[self.turn.opponent().index()]
    }

    #[inline]
    fn occupied(self) -> u32 {
        self.of[0] | self.of[1]
    }

    /// How many discs there are.
    #[inline]
    fn count(self) -> u32 {
        self.occupied().count_ones()
    }

    /// This board with the other player to move.
    #[inline]
    fn passed(self) -> Discs {
        Discs { turn: self.turn.opponent(), ..self }
    }
}

impl Othello {
    /// The game with these parameters.
    ///
    /// # Errors
    /// When the number of columns or rows is 0 or odd, or the board has more than 24 squares.
    pub fn new(parameters: OthelloParameters) -> Result<Othello, BoardError> {
        let OthelloParameters { columns, rows, fold } = parameters;
        let squares = u64::from(columns) * u64::from(rows);
        let even = |count: u32| count > 0 && count.is_multiple_of(2);
        if !even(columns) || !even(rows) || squares > MOST_SQUARES.into() {
            let expected = "even numbers from 2 on, and at most 24 squares";
            return Err(BoardError::Size { columns, rows, expected });
        }
        // The highest and leftmost of the four squares in the middle.
        let corner = 1 << ((rows / 2 - 1) * columns + columns / 2 - 1);
        let start = [corner << 1 | corner << columns, corner | corner << (columns + 1)];
        let symmetries = if fold { Symmetries::rectangle(columns, rows).ok() } else { None };
        let rows = Rows::new(columns, rows);
        Ok(Othello { parameters, rows, start, symmetries, root: None })
    }

    fn grid(&self) -> Grid {
        let OthelloParameters { columns, rows, .. } = self.parameters;
        Grid::new(columns, rows).with_letters("xo").with_names(Names::FromTop)
    }

    /// The number of squares.
    fn squares(&self) -> u32 {
        self.parameters.columns * self.parameters.rows
    }

    /// The squares in the middle, which are never empty.
    fn middle(&self) -> u32 {
        self.start[0] | self.start[1]
    }

    /// The squares where the player to move may put a disc.
    #[inline]
    fn open(&self, discs: Discs) -> u32 {
        self.rows.open(discs.own(), discs.other())
    }

    /// The board after the player to move has put a disc on a square, which must be
    /// [open](Othello::open).
    #[inline]
    fn placed(&self, discs: Discs, square: u32) -> Discs {
        let turned = self.rows.turned(discs.own(), discs.other(), square);
        let mut of = discs.of.map(|set| set ^ turned);
        of[discs.turn.index()] |= square;
        Discs { of, turn: discs.turn.opponent() }
    }

    /// Visits the boards after each disc that the player to move may put. Returns whether there is
    /// one.
    #[inline]
    fn place(&self, discs: Discs, visit: impl FnMut(Discs)) -> bool {
        let open = self.open(discs);
        let squares = singles(open.into()).map(|square| square as u32);
        squares.map(|square| self.placed(discs, square)).for_each(visit);
        open != 0
    }

    /// Whether the player to move has to pass. False where neither player can turn a disc: play is
    /// over.
    #[inline]
    fn must_pass(&self, discs: Discs) -> bool {
        self.open(discs) == 0 && self.open(discs.passed()) != 0
    }

    /// The tier of the boards with this many discs, or the number of discs in this tier.
    #[inline]
    fn tier_of_discs(&self, place: u32) -> u32 {
        self.squares() - place
    }
}

/// The end of play is a state without a move: only states without a move are looked at twice.
impl Game for Othello {
    type State = Discs;
    const POINTS: bool = true;

    #[inline]
    fn turn(&self, discs: &Discs) -> Player {
        discs.turn
    }

    #[inline]
    fn terminal(&self, _: &Discs) -> Option<Outcome> {
        None
    }

    #[inline]
    fn moves(&self, discs: &Discs, mut visit: impl FnMut(Discs)) {
        if !self.place(*discs, &mut visit) && self.must_pass(*discs) {
            visit(discs.passed());
        }
    }

    /// The difference in discs.
    fn no_moves(&self, discs: &Discs) -> Option<Outcome> {
        let [own, other] = [discs.own(), discs.other()].map(u32::count_ones);
        Some(Outcome::Points(own as i16 - other as i16))
    }

    fn max_points(&self) -> u16 {
        self.squares() as u16
    }

    /// Every second ply at least puts a disc.
    fn max_plies(&self) -> Option<u32> {
        Some(2 * (self.squares() - FIRST_DISCS))
    }

    fn roots(&self) -> impl IntoIterator<Item = Discs> {
        [self.root.unwrap_or(Discs { of: self.start, turn: Player::First })]
    }

    #[inline]
    fn canonical(&self, discs: &Discs) -> Discs {
        let Some(symmetries) = &self.symmetries else { return *discs };
        let image = |element| discs.of.map(|set| symmetries.apply(element, set.into()) as u32);
        let of = (1..symmetries.order()).map(image).fold(discs.of, Ord::min);
        Discs { of, ..*discs }
    }
}

/// A tier for each number of discs: the more there are, the sooner they are solved.
impl Tiered for Othello {
    const TIER_PREDECESSORS: bool = true;
    const TIER_DISTINCT: bool = true;

    fn tiers(&self) -> Vec<Tier> {
        let tier = |discs: u32| {
            let more = self.tier_of_discs(discs).checked_sub(1);
            let leads_to = more.map(|more| more as usize).into_iter().collect();
            Tier { name: shared::tier_name(discs, "disc", "discs"), leads_to }
        };
        (FIRST_DISCS..=self.squares()).rev().map(tier).collect()
    }

    #[inline]
    fn tier(&self, discs: &Discs) -> usize {
        self.tier_of_discs(discs.count()) as usize
    }

    /// Only a pass stays in the tier.
    #[inline]
    fn tier_predecessors(&self, _: usize, discs: &Discs, mut visit: impl FnMut(Discs)) {
        if self.must_pass(discs.passed()) {
            visit(discs.passed());
        }
    }

    #[inline]
    fn exits(&self, _: usize, discs: &Discs, visit: impl FnMut(Discs)) {
        self.place(*discs, visit);
    }

    #[inline]
    fn tier_degree(&self, _: usize, discs: &Discs) -> Option<u64> {
        Some(self.must_pass(*discs).into())
    }
}

/// The discs of the first player, those of the second, and who is to move.
impl PackedState for Othello {
    type Word = u64;

    #[inline]
    fn pack(&self, discs: &Discs) -> u64 {
        let [first, second] = discs.of.map(u64::from);
        (first << self.squares() | second) << 1 | discs.turn.index() as u64
    }

    #[inline]
    fn unpack(&self, packed: u64) -> Discs {
        let both = packed >> 1;
        let of = [both >> self.squares(), both].map(|set| set as u32 & self.rows.squares());
        Discs { of, turn: Player::BOTH[(packed & 1) as usize] }
    }

    fn is_packed(&self, word: u64) -> bool {
        let discs = self.unpack(word);
        discs.of[0] & discs.of[1] == 0
            && self.middle() & !discs.occupied() == 0
            && self.pack(&discs) == word
    }
}

impl Numbered for Othello {
    #[cfg(not(feature = "numberings"))]
    type Numberings = scheme::Packed;
    #[cfg(feature = "numberings")]
    type Numberings = (scheme::Packed, scheme::Tiers<scheme::Packed>);
    const OPTIONAL: scheme::OptionalSchemes = crate::optional(&["packed-tiers"]);
}

shared::shipped! {
    Othello, "othello": "Othello on small boards, by the difference in discs",
    example: "-m 4 -n 4",
    states: "the rows from the top, x for black, and who is to move: ..../.ox./.xo./....,black",
    parameters: OthelloParameters,
    made: Othello::new, BoardError,
    kept: |game| game.parameters,
    starts: root,
}
