//! The morris family: place men, move them along lines, and take one of the other's for each row of
//! three.
//!
//! Each side has its men in hand at first, and White begins. A player with men in hand places one.
//! A player without moves one along a line to a neighbouring point. A player who completes a mill,
//! a line of three own men, takes one man of the other's: one that is in no mill, or any if all
//! are. A player with two men left, or without a move, has lost.
//!
//! In the game of Emanuel Lasker ("Brettspiele der Völker", 1931), with ten men on the board of nine,
//! a player with men in hand may also move one.
//!
//! Any three points that follow each other on a line are a mill. Lines have three points, but the
//! two lines of the cross on the board of seven have five: each has three mills, which overlap.
//!
//! The example of a game in tiers: men never come back, neither those taken nor those placed.

mod board;
mod folding;
mod material;
mod notation;
mod options;
mod tiers;

pub use board::{Board, Lines};

use std::ops::RangeInclusive;

use retrograde::error::IndexError;
use retrograde::{Game, Numbered, Outcome, PackedState, Player, Players, scheme};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Started, shared};
use board::{Points, singles};
use options::MorrisOptions;
use tiers::Tiers;

/// The fewest men a side can have in all: with fewer, play is over.
const FEWEST: u32 = 3;

/// How many bits a number of men in hand takes in a packed position.
const HAND_BITS: u32 = 4;

/// The parameters of a game of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MorrisParameters {
    /// The board.
    pub board: Board,
    /// How many men each side has in hand at first: from 3 to half the number of points.
    pub men: u32,
    /// Whether a player with three men left, board and hand together, moves to any empty point.
    pub flying: bool,
    /// Whether a player with men in hand may move one of those on the board instead of placing one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sliding: bool,
}

/// An error in the parameters of a game of the family.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MorrisError {
    /// A side has lost before it begins, or the board has no room for the men of both.
    #[error(
        "{men} men each on the board of {board} men's morris: expected {} to {}",
        range.start(),
        range.end()
    )]
    Men {
        /// How many men each side should have.
        men: u32,
        /// The name of the board.
        board: &'static str,
        /// How many it can have.
        range: RangeInclusive<u32>,
    },
    /// The board has too many positions to index.
    #[error(transparent)]
    Numbers(#[from] IndexError),
}

/// A game of the family.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Started<MorrisParameters>", into = "Started<MorrisParameters>")]
pub struct Morris {
    parameters: MorrisParameters,
    lines: Lines,
    tiers: Tiers,
    /// The position that play begins with, if it is not the usual one.
    root: Option<Position>,
}

/// The men on the board and in hand, as the player to move sees them. Points are counted in reading
/// order; a set of them has bit `p` for point `p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    /// Where the men of the player to move are.
    pub own: u32,
    /// Where the other player's men are.
    pub other: u32,
    /// How many men the player to move has in hand.
    pub own_hand: u8,
    /// How many men the other player has in hand.
    pub other_hand: u8,
    /// The player to move: white is [`Player::First`].
    pub turn: Player,
}

impl Position {
    /// The empty board with this many men in each hand.
    fn start(men: u8) -> Position {
        Position::of([0; 2], [men; 2], Player::First)
    }

    /// The position with these men of each player on the board and in hand.
    fn of(men: [Points; 2], hands: [u8; 2], turn: Player) -> Position {
        let (own, other) = (turn.index(), turn.opponent().index());
        let (own_hand, other_hand) = (hands[own], hands[other]);
        Position { own: men[own], other: men[other], own_hand, other_hand, turn }
    }

    /// The position after a move, with the men as they are then.
    #[inline]
    fn after(&self, own: Points, other: Points) -> Position {
        Position {
            own: other,
            other: own,
            own_hand: self.other_hand,
            // A man that moves leaves its point, and one that is placed leaves the hand.
            other_hand: self.own_hand - u8::from(self.own & !own == 0),
            turn: self.turn.opponent(),
        }
    }

    /// The men of one player: where they are, and how many are in hand.
    fn men_of(&self, player: Player) -> (Points, u8) {
        if player == self.turn { (self.own, self.own_hand) } else { (self.other, self.other_hand) }
    }
}

impl Morris {
    /// The game with these parameters.
    ///
    /// # Errors
    /// When there are fewer than three men or more than half as many as points.
    pub fn new(parameters: MorrisParameters) -> Result<Morris, MorrisError> {
        let MorrisParameters { board, men, sliding, .. } = parameters;
        let lines = board.lines();
        let range = FEWEST..=lines.points() / 2;
        if !range.contains(&men) {
            return Err(MorrisError::Men { men, board: board.name(), range });
        }
        let tiers = Tiers::new(&lines, men, sliding)?;
        Ok(Morris { parameters, lines, tiers, root: None })
    }

    /// The parameters.
    #[must_use]
    pub fn parameters(&self) -> MorrisParameters {
        self.parameters
    }

    #[inline]
    fn empty(&self, position: &Position) -> Points {
        self.lines.all() & !(position.own | position.other)
    }

    /// Whether a player with these men on the board and so many in hand moves to any empty point.
    #[inline]
    fn flies(&self, men: Points, hand: u8) -> bool {
        self.parameters.flying && men.count_ones() + u32::from(hand) == FEWEST
    }

    /// Whether men are still placed and none is moved. Both players run out of men one after the other,
    /// White first.
    #[inline]
    fn only_places(&self, position: &Position) -> bool {
        position.own_hand | position.other_hand != 0 && !self.parameters.sliding
    }

    /// Where the man on `point`, one of `men`, could move if all other points were empty.
    #[inline]
    fn reach(&self, point: Points, flies: bool) -> Points {
        if flies { Points::MAX } else { self.lines.beside(point) }
    }

    /// Where a man of the player to move completes a mill, and so takes a man, if it is not in that
    /// mill already.
    #[inline]
    fn completing(&self, position: &Position) -> Points {
        // Where there is nothing to take, a mill is nothing special.
        if position.other == 0 { 0 } else { self.lines.completing(position.own) }
    }

    /// The men of the other player of which one may be taken.
    #[inline]
    fn takeable(&self, other: Points) -> Points {
        let loose = other & !self.lines.in_mills(other);
        if loose == 0 { other } else { loose }
    }

    /// Visits what becomes of `own` by each placing that takes nothing.
    #[inline]
    fn quiet_placings(&self, position: &Position, mut visit: impl FnMut(Points)) {
        if position.own_hand > 0 {
            let targets = self.empty(position) & !self.completing(position);
            singles(targets).for_each(|to| visit(position.own | to));
        }
    }

    /// Visits what becomes of `own` by each moving that takes nothing.
    #[inline]
    fn quiet_slides(&self, position: &Position, mut visit: impl FnMut(Points)) {
        let &Position { own, own_hand, .. } = position;
        if self.only_places(position) {
            return;
        }
        let empty = self.empty(position);
        let completing = self.completing(position);
        let flies = self.flies(own, own_hand);
        for from in singles(own) {
            let targets = self.reach(from, flies) & empty;
            singles(targets & !completing).for_each(|to| visit(own ^ from ^ to));
            // A mill that the man leaves is not completed by it.
            for to in singles(targets & completing) {
                if !self.lines.completes(own ^ from, to) {
                    visit(own ^ from ^ to);
                }
            }
        }
    }

    /// Visits what becomes of `own` by each moving that takes a man.
    #[inline]
    fn taking_slides(&self, position: &Position, mut visit: impl FnMut(Points)) {
        let &Position { own, own_hand, .. } = position;
        if self.only_places(position) {
            return;
        }
        let targets = self.empty(position) & self.completing(position);
        let flies = self.flies(own, own_hand);
        for to in singles(targets) {
            for from in singles(self.reach(to, flies) & own) {
                if self.lines.completes(own ^ from, to) {
                    visit(own ^ from ^ to);
                }
            }
        }
    }

    /// Visits, given what becomes of `own` by a placing or moving that takes a man, the position after
    /// each choice of that man.
    #[inline]
    fn taking(&self, position: &Position, mut visit: impl FnMut(Position)) -> impl FnMut(Points) {
        // Found out when the first mill is completed, which is seldom.
        let mut takeable = None;
        move |own| {
            let takeable = *takeable.get_or_insert_with(|| self.takeable(position.other));
            singles(takeable).for_each(|taken| visit(position.after(own, position.other ^ taken)));
        }
    }

    /// Visits the position after each placing or moving that takes a man.
    #[inline]
    fn captures(&self, position: &Position, visit: impl FnMut(Position)) {
        let mut take = self.taking(position, visit);
        if position.own_hand > 0 {
            let targets = self.empty(position) & self.completing(position);
            singles(targets).for_each(|to| take(position.own | to));
        }
        self.taking_slides(position, take);
    }
}

impl Game for Morris {
    type State = Position;
    const PLAYERS: Players = Players::Folded;

    #[inline]
    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    /// Play is over when the player to move has two men left: the other player has just taken the
    /// third.
    #[inline]
    fn terminal(&self, position: &Position) -> Option<Outcome> {
        let men = position.own.count_ones() + u32::from(position.own_hand);
        (men < FEWEST).then(|| Outcome::Win(position.turn.opponent()))
    }

    #[inline]
    fn moves(&self, position: &Position, mut visit: impl FnMut(Position)) {
        self.quiet_placings(position, |own| visit(position.after(own, position.other)));
        self.quiet_slides(position, |own| visit(position.after(own, position.other)));
        self.captures(position, visit);
    }

    fn roots(&self) -> impl IntoIterator<Item = Position> {
        [self.root.unwrap_or_else(|| Position::start(self.parameters.men as u8))]
    }

    #[inline]
    fn no_moves(&self, position: &Position) -> Option<Outcome> {
        Some(Outcome::Win(position.turn.opponent()))
    }

    /// The representative of the images of a position under symmetries of the board. White is to move
    /// in it, unless the men in hand say who is to move.
    fn canonical(&self, position: &Position) -> Position {
        self.tiers.canonical(position)
    }
}

/// The men in hand, who moves, the other player's men, the mover's men.
impl PackedState for Morris {
    type Word = u64;

    #[inline]
    fn pack(&self, position: &Position) -> u64 {
        let points = self.lines.points();
        let hands = u64::from(position.own_hand) << HAND_BITS | u64::from(position.other_hand);
        let men = u64::from(position.other) << points | u64::from(position.own);
        (hands << 1 | position.turn.index() as u64) << (2 * points) | men
    }

    #[inline]
    fn unpack(&self, packed: u64) -> Position {
        let points = self.lines.points();
        let rest = packed >> (2 * points);
        let hand = |bits: u64| (bits & ((1 << HAND_BITS) - 1)) as u8;
        Position {
            own: packed as u32 & self.lines.all(),
            other: (packed >> points) as u32 & self.lines.all(),
            own_hand: hand(rest >> (1 + HAND_BITS)),
            other_hand: hand(rest >> 1),
            turn: Player::BOTH[(rest & 1) as usize],
        }
    }

    fn is_packed(&self, word: u64) -> bool {
        let position = self.unpack(word);
        position.own & position.other == 0
            && self.check(&position).is_ok()
            && self.pack(&position) == word
    }
}

impl Numbered for Morris {
    type Numberings = (scheme::Tiers<scheme::Dense>, scheme::Packed);
}

shared::shipped! {
    Morris, "morris": "Six, seven, nine and twelve men's morris",
    example: "--board six --men 4",
    states: "rows from the top, men in hand (white-black), who moves: \
             w../.b./..../.../...,3-3,white",
    parameters: MorrisParameters,
    made: Morris::new, MorrisError,
    kept: |game| game.parameters,
    options: MorrisOptions, MorrisOptions::game,
    starts: root,
}
