//! The board, the pieces on it, and the pieces in hand.
//!
//! Everything is seen by one of the players, whose home is row 0 and whose pieces go up. The board
//! has three columns and four rows; square `3 * row + column`.

use retrograde::Player;

/// How many squares the board has.
pub(super) const SQUARES: u32 = 12;

/// A bit for each square.
pub(super) const BOARD: u64 = (1 << SQUARES) - 1;

/// The squares of row 0, and of row 3.
pub(super) const BOTTOM: u64 = 0o0007;
pub(super) const TOP: u64 = 0o7000;

/// The kinds of pieces; a chick that is promoted is a hen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Chick,
    Hen,
    Elephant,
    Giraffe,
    Lion,
}

impl Piece {
    pub(super) const ALL: [Piece; 5] =
        [Piece::Chick, Piece::Hen, Piece::Elephant, Piece::Giraffe, Piece::Lion];

    /// How far the squares of this kind are shifted in a [`Side`].
    #[inline]
    pub(super) const fn shift(self) -> u32 {
        self as u32 * SQUARES
    }
}

/// The kinds of pieces that can be in hand, in the order in which a [`Hand`] counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Captive {
    Chick,
    Elephant,
    Giraffe,
}

impl Captive {
    pub(super) const ALL: [Captive; 3] = [Captive::Chick, Captive::Elephant, Captive::Giraffe];

    /// The piece that is dropped.
    #[inline]
    pub(super) const fn piece(self) -> Piece {
        match self {
            Captive::Chick => Piece::Chick,
            Captive::Elephant => Piece::Elephant,
            Captive::Giraffe => Piece::Giraffe,
        }
    }

    /// The pieces that it may have been before it was captured.
    #[inline]
    pub(super) const fn was(self) -> &'static [Piece] {
        match self {
            Captive::Chick => &[Piece::Chick, Piece::Hen],
            Captive::Elephant => &[Piece::Elephant],
            Captive::Giraffe => &[Piece::Giraffe],
        }
    }

    /// One of it in hand.
    #[inline]
    pub(super) const fn one(self) -> Hand {
        Hand(1 << (2 * self as u32))
    }
}

/// The pieces in a player's hand: two bits for each kind, which count from 0 to 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Hand(u8);

impl Hand {
    #[inline]
    pub(super) const fn of(chicks: u32, elephants: u32, giraffes: u32) -> Hand {
        Hand((chicks | elephants << 2 | giraffes << 4) as u8)
    }

    #[inline]
    pub(super) const fn count(self, captive: Captive) -> u32 {
        (self.0 >> (2 * captive as u32)) as u32 & 3
    }

    #[inline]
    pub(super) const fn chicks(self) -> u32 {
        self.count(Captive::Chick)
    }

    #[inline]
    pub(super) const fn elephants(self) -> u32 {
        self.count(Captive::Elephant)
    }

    #[inline]
    pub(super) const fn giraffes(self) -> u32 {
        self.count(Captive::Giraffe)
    }

    #[inline]
    pub(super) const fn plus(self, more: Hand) -> Hand {
        Hand(self.0 + more.0)
    }

    /// Without what is surely there.
    #[inline]
    pub(super) const fn minus(self, less: Hand) -> Hand {
        Hand(self.0.wrapping_sub(less.0))
    }
}

/// The pieces of one player on the board: for each kind a lane of twelve bits, one a square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Side(pub(super) u64);

/// Copies the bits of a lane to every lane.
pub(super) const fn in_every_lane(bits: u64) -> u64 {
    bits | bits << 12 | bits << 24 | bits << 36 | bits << 48
}

impl Side {
    /// The squares where pieces of a kind stand.
    #[inline]
    pub(super) const fn squares(self, piece: Piece) -> u64 {
        self.0 >> piece.shift() & BOARD
    }

    /// The squares where any piece stands.
    #[inline]
    pub(super) const fn occupied(self) -> u64 {
        (self.0 | self.0 >> 12 | self.0 >> 24 | self.0 >> 36 | self.0 >> 48) & BOARD
    }

    /// The lion's square.
    #[inline]
    pub(super) const fn lion(self) -> u32 {
        // The mask shows the compiler that the result is in range.
        (self.0 >> Piece::Lion.shift()).trailing_zeros() & 15
    }

    /// The kind of the piece that is captured on one of these bits. There is one bit or none.
    #[inline]
    pub(super) const fn captive_of(bit: u64) -> Hand {
        const CHICKS: u64 = BOARD << Piece::Chick.shift() | BOARD << Piece::Hen.shift();
        const ELEPHANTS: u64 = BOARD << Piece::Elephant.shift();
        const GIRAFFES: u64 = BOARD << Piece::Giraffe.shift();
        Hand::of(
            (bit & CHICKS != 0) as u32,
            (bit & ELEPHANTS != 0) as u32,
            (bit & GIRAFFES != 0) as u32,
        )
    }

    /// The pieces with left and right exchanged.
    #[inline]
    pub(super) const fn mirrored(self) -> Side {
        const LEFT: u64 = in_every_lane(0o1111);
        const MIDDLE: u64 = in_every_lane(0o2222);
        Side(self.0 & MIDDLE | (self.0 & LEFT) << 2 | self.0 >> 2 & LEFT)
    }

    /// The pieces as the other player sees them: with the board turned by 180 degrees.
    #[inline]
    pub(super) const fn turned(self) -> Side {
        const EVEN_ROWS: u64 = in_every_lane(0o0707);
        const LOWER_HALF: u64 = in_every_lane(0o0077);
        let rows = self.mirrored().0;
        let pairs = (rows & EVEN_ROWS) << 3 | rows >> 3 & EVEN_ROWS;
        Side((pairs & LOWER_HALF) << 6 | pairs >> 6 & LOWER_HALF)
    }
}

/// A position, seen by the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The pieces on the board: of the player to move, and of the other.
    pub(super) sides: [Side; 2],
    /// The pieces in the players' hands.
    pub(super) hands: [Hand; 2],
    /// The player to move.
    pub(super) turn: Player,
}

impl Position {
    /// The position as the other player sees it: the sides exchanged, and `turn` too.
    #[inline]
    pub(super) const fn turned(&self) -> Position {
        let Position { sides: [own, other], hands: [own_hand, other_hand], turn } = *self;
        Position {
            sides: [other.turned(), own.turned()],
            hands: [other_hand, own_hand],
            turn: turn.opponent(),
        }
    }

    /// The position with left and right exchanged.
    #[inline]
    pub(super) const fn mirrored(&self) -> Position {
        let [own, other] = self.sides;
        Position { sides: [own.mirrored(), other.mirrored()], ..*self }
    }

    /// The squares where any piece stands.
    #[inline]
    pub(super) const fn occupied(&self) -> u64 {
        Side(self.sides[0].0 | self.sides[1].0).occupied()
    }
}

/// The squares of a set, ascending.
#[inline]
pub(super) fn squares(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| set.trailing_zeros());
        set &= set.wrapping_sub(1);
        square
    })
}
