//! Dots and boxes: draw lines between dots, and complete boxes.
//!
//! The board is a rectangle of boxes, with a dot at each of their corners. A move draws a line
//! between two neighbouring dots. A player who completes a box, or two at once, gets them and moves
//! again. Play is over when all lines are drawn, and the player with more boxes wins.
//!
//! Values count the boxes that the player to move gets more than the other from now on. So a state
//! has the lines and who is to move, and nothing of who has which box. Who is to move makes no
//! difference to the index: there are as many indices as sets of lines. All of them are used, since
//! lines may be drawn in any order.

mod notation;

use retrograde::board::Grid;
use retrograde::error::IndexError;
use retrograde::index::{Combinations, all_cells, singles};
use retrograde::{Game, Numbered, Outcome, Player, Players, Tier, TierIndexed, Tiered, scheme};
use serde::{Deserialize, Serialize};

use crate::shared::{self, BoardError};

/// The most lines that a board can have: so many have 2^63 sets, and indices are `u64`.
const MOST_LINES: u64 = 63;

/// The parameters of a game of dots and boxes, which are its options on the command line, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct DotsAndBoxesParameters {
    /// The number of columns of boxes, from 1 on
    #[arg(short = 'm', long, default_value_t = 3)]
    pub columns: u32,
    /// The number of rows of boxes, from 1 on; the board has 63 lines at most
    #[arg(short = 'n', long, default_value_t = 2)]
    pub rows: u32,
}

/// The game of dots and boxes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "DotsAndBoxesParameters", into = "DotsAndBoxesParameters")]
pub struct DotsAndBoxes {
    parameters: DotsAndBoxesParameters,
    /// Every line.
    all: u64,
    /// For each line, the lines of each box on one side of it.
    boxes: Vec<[Option<u64>; 2]>,
    /// For each number of lines, the sets of so many.
    sets: Vec<Combinations>,
}

/// The lines that are drawn, and who is to move.
///
/// A line has a bit. They are counted row by row from the top: the horizontal lines above the first
/// row of boxes, the vertical lines of that row, the horizontal lines below it, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Drawn {
    lines: u64,
    turn: Player,
}

/// The lines of every box of a board, box by box.
fn boxes(columns: u32, rows: u32) -> impl Iterator<Item = u64> {
    let both = 2 * columns + 1;
    let lines = move |row: u32, column: u32| {
        let above = row * both + column;
        let left = above + columns;
        [above, left, left + 1, above + both].into_iter().fold(0, |set, line| set | 1 << line)
    };
    (0..rows).flat_map(move |row| (0..columns).map(move |column| lines(row, column)))
}

impl DotsAndBoxes {
    /// The game with these parameters.
    ///
    /// # Errors
    /// When the board has no boxes, or more than 63 lines.
    pub fn new(parameters: DotsAndBoxesParameters) -> Result<DotsAndBoxes, BoardError> {
        let DotsAndBoxesParameters { columns, rows } = parameters;
        let expected = "at least one of each, and at most 63 lines";
        let size = BoardError::Size { columns, rows, expected };
        let (wide, high) = (u64::from(columns), u64::from(rows));
        // A large number of one makes too many lines by itself.
        if !(1..=MOST_LINES).contains(&wide) || !(1..=MOST_LINES).contains(&high) {
            return Err(size);
        }
        let lines = wide * (high + 1) + high * (wide + 1);
        if lines > MOST_LINES {
            return Err(size);
        }
        let lines = lines as u32;
        let mut beside = vec![[None; 2]; lines as usize];
        for set in boxes(columns, rows) {
            for line in singles(set) {
                let sides: &mut [Option<u64>; 2] = &mut beside[line.trailing_zeros() as usize];
                let free = usize::from(sides[0].is_some());
                sides[free] = Some(set);
            }
        }
        let sets = |count| Combinations::new(lines, count);
        let sets: Result<Vec<Combinations>, IndexError> = (0..=lines).map(sets).collect();
        let sets = sets.map_err(|_| size)?;
        Ok(DotsAndBoxes { parameters, all: all_cells(lines), boxes: beside, sets })
    }

    /// The dots at the corners of the boxes.
    fn dots(&self) -> Grid {
        let DotsAndBoxesParameters { columns, rows } = self.parameters;
        Grid::new(columns + 1, rows + 1)
    }

    /// How many boxes the last of these lines has completed.
    #[inline]
    fn completed(&self, lines: u64, last: u64) -> u32 {
        let beside = self.boxes.get(last.trailing_zeros() as usize);
        let beside = beside.into_iter().flatten().flatten();
        beside.map(|sides| u32::from(lines & sides == *sides)).sum()
    }

    /// The tier of the sets with this many lines, or how many lines the sets of a tier have.
    #[inline]
    fn other_way_round(&self, place: usize) -> usize {
        self.boxes.len() - place
    }
}

impl Game for DotsAndBoxes {
    type State = Drawn;
    const PLAYERS: Players = Players::Folded;
    const POINTS: bool = true;

    #[inline]
    fn turn(&self, drawn: &Drawn) -> Player {
        drawn.turn
    }

    #[inline]
    fn terminal(&self, drawn: &Drawn) -> Option<Outcome> {
        (drawn.lines == self.all).then_some(Outcome::Points(0))
    }

    #[inline]
    fn moves(&self, drawn: &Drawn, visit: impl FnMut(Drawn)) {
        let &Drawn { lines, turn } = drawn;
        singles(self.all & !lines)
            .map(|line| {
                let lines = lines | line;
                let again = self.completed(lines, line) > 0;
                Drawn { lines, turn: if again { turn } else { turn.opponent() } }
            })
            .for_each(visit);
    }

    #[inline]
    fn gain(&self, drawn: &Drawn, next: &Drawn) -> i16 {
        self.completed(next.lines, next.lines & !drawn.lines) as i16
    }

    fn max_points(&self) -> u16 {
        let DotsAndBoxesParameters { columns, rows } = self.parameters;
        (columns * rows) as u16
    }

    fn max_plies(&self) -> Option<u32> {
        Some(self.boxes.len() as u32)
    }

    fn roots(&self) -> impl IntoIterator<Item = Drawn> {
        [Drawn { lines: 0, turn: Player::First }]
    }

    #[inline]
    fn canonical(&self, drawn: &Drawn) -> Drawn {
        Drawn { turn: Player::First, ..*drawn }
    }
}

/// A tier for each number of lines: every move leads to the tier with one line more, which is solved
/// first.
impl Tiered for DotsAndBoxes {
    /// No move stays in a tier, so that no state has a predecessor in it.
    const TIER_PREDECESSORS: bool = true;
    const TIER_DISTINCT: bool = true;

    fn tiers(&self) -> Vec<Tier> {
        let tier = |lines: usize| {
            let name = shared::tier_name(lines, "line", "lines");
            let more = self.other_way_round(lines).checked_sub(1);
            Tier { name, leads_to: more.into_iter().collect() }
        };
        (0..=self.boxes.len()).rev().map(tier).collect()
    }

    #[inline]
    fn tier(&self, drawn: &Drawn) -> usize {
        self.other_way_round(drawn.lines.count_ones() as usize)
    }

    #[inline]
    fn tier_predecessors(&self, _: usize, _: &Drawn, _: impl FnMut(Drawn)) {}

    #[inline]
    fn exits(&self, _: usize, drawn: &Drawn, visit: impl FnMut(Drawn)) {
        self.moves(drawn, visit);
    }

    #[inline]
    fn tier_degree(&self, _: usize, _: &Drawn) -> Option<u64> {
        Some(0)
    }
}

impl TierIndexed for DotsAndBoxes {
    fn tier_len(&self, tier: usize) -> u64 {
        self.sets[self.other_way_round(tier)].len()
    }

    #[inline]
    fn tier_index(&self, tier: usize, drawn: &Drawn) -> u64 {
        self.sets[self.other_way_round(tier)].rank(drawn.lines)
    }

    #[inline]
    fn tier_unindex(&self, tier: usize, index: u64) -> Option<Drawn> {
        let lines = self.sets[self.other_way_round(tier)].unrank(index);
        Some(Drawn { lines, turn: Player::First })
    }
}

impl Numbered for DotsAndBoxes {
    type Numberings = scheme::Tiers<scheme::Dense>;
}

shared::shipped! {
    DotsAndBoxes, "dots-and-boxes": "Dots and boxes: draw lines, complete boxes and move again",
    example: "-m 3 -n 2",
    states: "the rows of lines from the top, horizontal and vertical ones by turns, x for one that is \
             drawn, and who is to move: x../x.../.../..../..x,second",
    parameters: DotsAndBoxesParameters,
    made: DotsAndBoxes::new, BoardError,
    kept: |game| game.parameters,
}
