//! The numbering of positions up to the symmetries of the board, whoever is to move.
//!
//! The large pieces lead, and the medium and the small ones go with them. Pieces of different sizes do
//! not hinder each other, since larger ones lie on smaller ones. All are numbered in the order of
//! positions, so that the least index is that of the least image.

use retrograde::Player;
use retrograde::error::IndexError;
use retrograde::index::{
    DisjointSets, Divisor, Folded, Orbits, Ranking, RemainderRanking, Symmetries,
};

use super::{Position, SETS, SIZES, SQUARES};

/// The squares of white's and of black's pieces of a size.
type Pair = [u64; 2];

/// The ways to put up to a number of pieces of a size for each player.
#[derive(Clone, Debug)]
struct Placements {
    /// In ascending order.
    pairs: Vec<Pair>,
    boards: DisjointSets,
    /// The place in the list for each index among all pairs of disjoint sets.
    places: Vec<u16>,
}

/// The medium and small pieces, which may stand anywhere.
#[derive(Clone, Debug)]
struct Smaller {
    medium: Placements,
    small: Placements,
    /// The number of ways to place the small pieces.
    ways: Divisor,
}

/// The numbering of the pieces on the board and of the player to move.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    pieces: Folded<Placements, Smaller>,
}

impl Placements {
    /// The ways for up to `most` pieces of each player.
    fn new(most: u32) -> Result<Placements, IndexError> {
        let boards = DisjointSets::new(SQUARES)?;
        let sets = || (0..SETS as u64).filter(move |set| set.count_ones() <= most);
        let pairs = sets().flat_map(|white| {
            sets().filter(move |black| white & black == 0).map(move |black| [white, black])
        });
        let pairs: Vec<Pair> = pairs.collect();
        let mut places = vec![0; boards.len() as usize];
        for (place, &pair) in (0..).zip(&pairs) {
            places[boards.rank(pair) as usize] = place;
        }
        Ok(Placements { pairs, boards, places })
    }
}

impl Ranking for Placements {
    type Item = Pair;

    #[inline]
    fn len(&self) -> u64 {
        self.pairs.len() as u64
    }

    #[inline]
    fn rank(&self, pair: Pair) -> u64 {
        self.places[self.boards.rank(pair) as usize].into()
    }

    #[inline]
    fn unrank(&self, index: u64) -> Option<Pair> {
        self.pairs.get(index as usize).copied()
    }

    fn board(&self) -> Option<u32> {
        Some(SQUARES)
    }
}

impl RemainderRanking<Pair> for Smaller {
    type Item = (Pair, Pair);

    #[inline]
    fn len(&self, _: Pair) -> u64 {
        self.medium.len() * self.ways.get()
    }

    #[inline]
    fn rank(&self, _: Pair, (medium, small): (Pair, Pair)) -> u64 {
        self.medium.rank(medium) * self.ways.get() + self.small.rank(small)
    }

    #[inline]
    fn unrank(&self, _: Pair, index: u64) -> Option<(Pair, Pair)> {
        let (medium, small) = self.ways.div_rem(index);
        Some((self.medium.unrank(medium)?, self.small.unrank(small)?))
    }
}

impl Numbering {
    /// The numbering for so many pieces of each size that a player has, the largest first.
    pub(super) fn new(pieces: [u32; SIZES]) -> Result<Numbering, IndexError> {
        let board = Symmetries::rectangle(3, 3)?;
        let [large, medium, small] = pieces.map(Placements::new);
        let (medium, small) = (medium?, small?);
        let ways = Divisor::new(small.len());
        let smaller = Smaller { medium, small, ways };
        Ok(Numbering { pieces: Folded::new(Orbits::new(large?, board)?, smaller)? })
    }

    /// The number of indices, unused ones included.
    #[inline]
    pub(super) fn len(&self) -> u64 {
        2 * self.pieces.len()
    }

    /// The index of a position, which is that of its images too.
    #[inline]
    pub(super) fn index(&self, position: &Position) -> u64 {
        with_turn(self.pieces.rank(parts(position)), position.turn)
    }

    /// The least image of the positions with this index, if it has one.
    #[inline]
    pub(super) fn position(&self, index: u64) -> Option<Position> {
        let parts = self.pieces.unrank(index / 2)?;
        Some(of_parts(parts, Player::BOTH[(index % 2) as usize]))
    }

    /// An image of a position, and a function for the index of any position. It is quick where the large
    /// pieces are those of the image.
    #[inline]
    pub(super) fn beside(&self, position: &Position) -> (Position, impl Fn(&Position) -> u64) {
        let (large, smaller) = parts(position);
        let folded = self.pieces.fold_lead(large);
        let image = of_parts((folded.lead(), folded.carry(smaller)), position.turn);
        let index = move |other: &Position| match other.pieces[0] == image.pieces[0] {
            true => with_turn(folded.rank(parts(other).1), other.turn),
            false => self.index(other),
        };
        (image, index)
    }
}

/// The index of pieces and a player to move.
#[inline]
fn with_turn(pieces: u64, turn: Player) -> u64 {
    2 * pieces + turn.index() as u64
}

/// The pieces that lead, and the others.
#[inline]
fn parts(position: &Position) -> (Pair, (Pair, Pair)) {
    let [large, medium, small] = position.pieces.map(|pair| pair.map(u64::from));
    (large, (medium, small))
}

#[inline]
fn of_parts((large, (medium, small)): (Pair, (Pair, Pair)), turn: Player) -> Position {
    Position { pieces: [large, medium, small].map(|pair| pair.map(|set| set as u16)), turn }
}
