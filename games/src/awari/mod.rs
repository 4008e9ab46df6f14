//! Awari, also called oware: sow seeds round the board, and capture the other player's.
//!
//! Each player has six houses. A move takes all seeds of one of the player's houses and sows them one
//! by one into the following houses, through the player's own and on through the other player's. The
//! house that they come from is left out. If the last seed falls into a house of the other player's
//! and makes 2 or 3, these are captured. So are those of the houses before it, one after the other,
//! as long as these are houses of the other player's with 2 or 3.
//!
//! A capture of all the other player's seeds is a *grand slam*. Rules differ in what becomes of it:
//! see [`GrandSlam`]. A player without seeds must be fed: as long as the other player has none, a
//! move must sow a seed there. A move that sows seeds there and captures them all at once has fed
//! the other player, if grand slams are legal and capture; that takes 17 seeds in one house.
//!
//! A player without a legal move ends the game, and both take the seeds of their own houses. Whoever
//! has more seeds wins. Play may go round in circles, and then nobody takes the seeds that are left.
//!
//! Values count the seeds that the player to move takes more than the other from now on. The game
//! consists of all positions with up to a number of seeds, whether play from 48 seeds reaches them or
//! not. It has a tier for each number of seeds: what is captured leaves the board, so that a capture
//! leads to a tier with fewer.

mod board;
mod notation;
mod ranking;
mod tiers;

pub use board::Houses;

use retrograde::{Game, Numbered, Outcome, Players, scheme};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::shared;
use board::{HOUSES, MOST_SEEDS};

/// The parameters of a game of awari, which are its options on the command line, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::Args)]
pub struct AwariParameters {
    /// The greatest number of seeds on the board, up to 31: all positions with so many or fewer are
    /// solved
    #[arg(long, default_value_t = 9)]
    pub seeds: u32,
    /// What a capture of all the other player's seeds is
    #[arg(long, value_enum, value_name = "RULE", default_value = "illegal")]
    pub grand_slam: GrandSlam,
}

/// The effect of a grand slam, a move that would capture all the other player's seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum GrandSlam {
    /// Illegal, unless no other move is legal; then it captures.
    Illegal,
    /// Legal, and captures nothing.
    CapturesNothing,
    /// Legal, and captures like any other move.
    Captures,
}

/// An error in the parameters of a game of awari.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AwariError {
    /// Positions with so many seeds have no indices.
    #[error("{0} seeds: expected 0 to {MOST_SEEDS}")]
    Seeds(u32),
}

/// The game of awari.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(try_from = "AwariParameters", into = "AwariParameters")]
pub struct Awari {
    parameters: AwariParameters,
}

impl Awari {
    /// The game with these parameters.
    ///
    /// # Errors
    /// When there are more than 31 seeds.
    pub fn new(parameters: AwariParameters) -> Result<Awari, AwariError> {
        match parameters.seeds <= MOST_SEEDS {
            true => Ok(Awari { parameters }),
            false => Err(AwariError::Seeds(parameters.seeds)),
        }
    }

    /// The parameters.
    #[inline]
    #[must_use]
    pub fn parameters(&self) -> AwariParameters {
        self.parameters
    }

    /// The board with all seeds, shared out as evenly as possible. Seeds that are left over are in
    /// the last houses of both players, the player to move first.
    fn shared_out(&self) -> Houses {
        let all = self.parameters.seeds;
        let in_house = |place: usize| (all + 2 * HOUSES as u32 - 1 - place as u32) / 12;
        let seeds = [0, 1].map(|player| {
            std::array::from_fn(|house| in_house(2 * (HOUSES - 1 - house) + player) as u8)
        });
        Houses::new(seeds).unwrap_or(Houses::EMPTY)
    }
}

impl Game for Awari {
    type State = Houses;
    const PLAYERS: Players = Players::Unnamed;
    const DISTINCT: bool = true;
    const POINTS: bool = true;

    /// Only a player with seeds who can't feed the other, or a player without seeds, has no legal
    /// move.
    #[inline]
    fn terminal(&self, houses: &Houses) -> Option<Outcome> {
        if houses.own_are_empty() {
            Some(Outcome::Points(-(houses.seeds() as i16)))
        } else if houses.others_are_empty() && !houses.can_feed() {
            Some(Outcome::Points(houses.seeds() as i16))
        } else {
            None
        }
    }

    #[inline]
    fn moves(&self, houses: &Houses, mut visit: impl FnMut(Houses)) {
        houses.each_move(self.parameters.grand_slam, |next, _| visit(next));
    }

    /// The captured seeds.
    #[inline]
    fn gain(&self, houses: &Houses, next: &Houses) -> i16 {
        houses.seeds() as i16 - next.seeds() as i16
    }

    fn max_points(&self) -> u16 {
        self.parameters.seeds as u16
    }

    fn roots(&self) -> impl IntoIterator<Item = Houses> {
        [self.shared_out()]
    }
}

impl Numbered for Awari {
    type Numberings = scheme::Tiers<scheme::Dense>;
}

shared::shipped! {
    Awari, "awari": "Awari (oware) with few seeds: sow them, and capture the other player's",
    example: "--seeds 6",
    states: "the seeds in the mover's houses, A to F, and in the other's: 0,2,0,0,0,1/1,0,0,0,1,0",
    parameters: AwariParameters,
    made: Awari::new, AwariError,
    kept: |game| game.parameters,
    how_far: ["seeds"],
}
