//! Kalah: seeds are sown around the board, into the own store too, and captured from the other side.
//!
//! Each player, south and north, has a row of houses and a store at its end. A move takes all seeds
//! of an own house and sows them one by one, counterclockwise: into the own houses that follow, the
//! own store, the other's houses, and so on. It leaves out the other's store, and puts a seed into the
//! house that it began in if it comes round to it. What is in a store stays there.
//!
//! - If the last seed falls into the own store, the same player moves again.
//! - If it falls into an own house that was empty, and the house opposite has seeds, the mover puts
//!   that seed and those opposite into the own store. With [empty
//!   capture](KalahParameters::empty_capture), the last seed goes there also where the house opposite
//!   is empty.
//! - Play [ends](Ends) where the player to move has no seed, and the other player takes the rest. Or
//!   it ends as soon as either side is empty, and each player takes the seeds on the own side.
//!
//! Values count the seeds that the player to move gets more than the other from now on. So a state
//! has the houses and who is to move, and no stores. Positions that differ only in the names of the
//! players share an index.
//!
//! With four houses and three seeds in each, 851,460 states can be reached, those in which play is
//! over included, and the player who begins wins by 6. There would be 5,283,478 states if they had the
//! seeds in both stores and the player's name. G. Irving, J. Donkers and J. Uiterwijk, "Solving
//! Kalah" (ICGA Journal 23, 2000), play with empty capture, and until a side is empty or a store has
//! more than half of the seeds. There are 4,604,996 states by their rules, stores and player
//! included, and the player who begins wins by 8. So it is with `--empty-capture --ends side-empty`
//! too, where play goes on past half of the seeds.

mod notation;

use std::ops::RangeInclusive;

use retrograde::{Game, Numbered, Outcome, PackedState, Player, Players, Tier, Tiered, scheme};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Started, shared};

/// The most houses that a player can have.
const MOST_HOUSES: usize = 12;

/// How many houses a player may have.
const HOUSES: RangeInclusive<u32> = 1..=MOST_HOUSES as u32;

/// The most seeds and houses, both players' together: a packed state has a bit for each, and one for
/// who is to move.
const MOST_BITS: u32 = 127;

/// When play ends, and who takes the seeds that are left in the houses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Ends {
    /// When the player to move has no seed: the other takes the rest.
    #[default]
    NoMove,
    /// As soon as either side is empty after a move: each takes the seeds on the own side.
    SideEmpty,
}

/// The parameters of a game of kalah, which are its options on the command line, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct KalahParameters {
    /// The number of houses that each player has, 1 to 12
    #[arg(long, default_value_t = 4)]
    pub houses: u32,
    /// The number of seeds in each house at the start; there are 127 houses and seeds at most in all
    #[arg(long, default_value_t = 3)]
    pub seeds: u32,
    /// Let a last seed in an empty own house be captured even where the house opposite is empty: it
    /// goes to the own store
    #[arg(long)]
    pub empty_capture: bool,
    /// When play ends
    #[arg(long, value_enum, default_value = "no-move")]
    pub ends: Ends,
}

/// An error in the parameters of a game of kalah.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KalahError {
    /// A player has no house, or too many.
    #[error("{0} houses for each player: expected {first} to {last}", first = HOUSES.start(), last = HOUSES.end())]
    Houses(u32),
    /// The houses have no seeds, or too many.
    #[error("{seeds} seeds in each house: expected 1 to {most} (houses of each player: {houses})")]
    Seeds {
        /// The number of seeds in each house.
        seeds: u32,
        /// The number of houses of each player.
        houses: u32,
        /// The most seeds that there may be in each.
        most: u32,
    },
}

/// The game of kalah.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Started<KalahParameters>", into = "Started<KalahParameters>")]
pub struct Kalah {
    parameters: KalahParameters,
    /// How many houses each player has.
    houses: usize,
    /// How many seeds there are in all.
    seeds: u32,
    /// The position that play begins with, if it is not the usual one.
    root: Option<Position>,
}

/// The seeds in one player's houses, in the order of sowing: the last house is next to the store.
/// Houses that the game does not have are empty.
type Side = [u8; MOST_HOUSES];

/// The seeds in the houses, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    /// The houses of each player.
    sides: [Side; 2],
    /// The player to move.
    turn: Player,
}

/// The effect of a move.
struct Sown {
    to: Position,
    /// Whether the same player moves again.
    again: bool,
    /// How many seeds the mover captures, the last one that was sown included.
    captured: u32,
}

/// How many seeds there are in these houses.
#[inline]
fn sum(side: &Side) -> u32 {
    side.iter().map(|&seeds| u32::from(seeds)).sum()
}

impl Position {
    /// How many seeds there are in the houses.
    #[inline]
    fn seeds(&self) -> u32 {
        sum(&self.sides[0]) + sum(&self.sides[1])
    }

    /// How many seeds the player to move and the other have in their houses.
    #[inline]
    fn of_mover_and_other(&self) -> [u32; 2] {
        [self.turn, self.turn.opponent()].map(|player| sum(&self.sides[player.index()]))
    }
}

impl Kalah {
    /// The game with these parameters.
    ///
    /// # Errors
    /// When a player has no house or more than 12, houses have no seeds, or there are more than 127
    /// houses and seeds in all.
    pub fn new(parameters: KalahParameters) -> Result<Kalah, KalahError> {
        let KalahParameters { houses, seeds, .. } = parameters;
        if !HOUSES.contains(&houses) {
            return Err(KalahError::Houses(houses));
        }
        let most = MOST_BITS / (2 * houses) - 1;
        if !(1..=most).contains(&seeds) {
            return Err(KalahError::Seeds { seeds, houses, most });
        }
        let (seeds, houses) = (2 * houses * seeds, houses as usize);
        Ok(Kalah { parameters, houses, seeds, root: None })
    }

    /// How many houses both players have.
    #[inline]
    fn both_houses(&self) -> usize {
        2 * self.houses
    }

    /// The own houses that the player to move can sow from.
    #[inline]
    fn sowable(&self, position: &Position) -> impl Iterator<Item = usize> + use<> {
        let own = position.sides[position.turn.index()];
        (0..self.houses).filter(move |&house| own[house] > 0)
    }

    /// Sows the seeds of an own house of the player to move, which is not empty.
    #[inline]
    fn sown(&self, position: &Position, house: usize) -> Sown {
        let (mover, other) = (position.turn, position.turn.opponent());
        let [mut own, mut theirs] = [mover, other].map(|player| position.sides[player.index()]);
        let seeds = std::mem::take(&mut own[house]);
        let store = self.houses;
        let mut last = house;
        for _ in 0..seeds {
            last = if last == self.both_houses() { 0 } else { last + 1 };
            if last < store {
                own[last] += 1;
            } else if last > store {
                theirs[last - store - 1] += 1;
            }
        }
        let mut captured = 0;
        // The last seed is the only one in a house that was empty.
        if last < store && own[last] == 1 {
            let opposite = &mut theirs[store - 1 - last];
            if *opposite > 0 || self.parameters.empty_capture {
                captured = u32::from(std::mem::take(opposite)) + 1;
                own[last] = 0;
            }
        }
        let again = last == store;
        let mut to = Position { sides: [own; 2], turn: if again { mover } else { other } };
        to.sides[other.index()] = theirs;
        Sown { to, again, captured }
    }
}

impl Game for Kalah {
    type State = Position;
    const PLAYERS: Players = Players::Folded;
    const POINTS: bool = true;

    #[inline]
    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    #[inline]
    fn terminal(&self, position: &Position) -> Option<Outcome> {
        let [own, other] = position.of_mover_and_other();
        let is_over = match self.parameters.ends {
            Ends::NoMove => own == 0,
            Ends::SideEmpty => own == 0 || other == 0,
        };
        is_over.then(|| Outcome::Points(own as i16 - other as i16))
    }

    #[inline]
    fn moves(&self, position: &Position, visit: impl FnMut(Position)) {
        self.sowable(position).map(|house| self.sown(position, house).to).for_each(visit);
    }

    /// A move puts seeds only into the mover's store.
    #[inline]
    fn gain(&self, position: &Position, next: &Position) -> i16 {
        position.seeds() as i16 - next.seeds() as i16
    }

    fn max_points(&self) -> u16 {
        self.seeds as u16
    }

    fn roots(&self) -> impl IntoIterator<Item = Position> {
        let mut side = [0; MOST_HOUSES];
        side[..self.houses].fill(self.parameters.seeds as u8);
        [self.root.unwrap_or(Position { sides: [side; 2], turn: Player::First })]
    }

    /// The position with the player to move as south.
    #[inline]
    fn canonical(&self, position: &Position) -> Position {
        match (position.turn, position.sides) {
            (Player::First, _) => *position,
            (Player::Second, [south, north]) => {
                Position { sides: [north, south], turn: Player::First }
            }
        }
    }
}

/// A tier for each number of seeds in the houses: seeds never come back from a store. A move that
/// puts none there stays in its tier.
impl Tiered for Kalah {
    fn tiers(&self) -> Vec<Tier> {
        let tier = |seeds: usize| {
            let name = shared::tier_name(seeds, "seed", "seeds");
            Tier { name, leads_to: (0..seeds).collect() }
        };
        (0..=self.seeds as usize).map(tier).collect()
    }

    #[inline]
    fn tier(&self, position: &Position) -> usize {
        position.seeds() as usize
    }
}

/// South's houses, then north's, then a bit for who is to move. A house is a 1, and a 0 for each of
/// its seeds.
impl PackedState for Kalah {
    type Word = u128;

    fn fits_u64(&self) -> bool {
        self.both_houses() as u32 + self.seeds < u64::BITS
    }

    #[inline]
    fn pack(&self, position: &Position) -> u128 {
        let houses = position.sides.iter().flat_map(|side| &side[..self.houses]);
        let packed = houses.fold(0, |word: u128, &seeds| (word << 1 | 1) << seeds);
        packed << 1 | position.turn.index() as u128
    }

    #[inline]
    fn unpack(&self, packed: u128) -> Position {
        let turn = Player::BOTH[(packed & 1) as usize];
        let mut rest = packed >> 1;
        let mut sides = [[0; MOST_HOUSES]; 2];
        for house in sides.iter_mut().rev().flat_map(|side| side[..self.houses].iter_mut().rev()) {
            // A word that no position packs into may end too early.
            let seeds = rest.trailing_zeros() % u128::BITS;
            *house = seeds as u8;
            rest = rest >> seeds >> 1;
        }
        Position { sides, turn }
    }

    fn is_packed(&self, word: u128) -> bool {
        let position = self.unpack(word);
        position.seeds() <= self.seeds && self.pack(&position) == word
    }
}

impl Numbered for Kalah {
    type Numberings = scheme::Tiers<scheme::Packed>;
}

shared::shipped! {
    Kalah, "kalah": "Kalah: sow seeds, capture and move again",
    example: "--houses 4 --seeds 3",
    states: "the seeds in south's houses A, B, ... and in north's a, b, ..., each in the order of \
             sowing, and who is to move: 3-3-3-3/0-3-0-4,south",
    parameters: KalahParameters,
    made: Kalah::new, KalahError,
    kept: |game| game.parameters,
    starts: root,
}
