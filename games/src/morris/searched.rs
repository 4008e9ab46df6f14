//! The morris family, discovered from the start.

use retrograde::{Game, Notation, NotationError, Outcome, Packed, Player};

use super::{Morris, Position};

/// The same game for a numbering of what can be reached from the start, which is not cut into tiers:
/// [`Morris`] tells the predecessors of a tier alone, and this tells none.
#[derive(Clone, Debug)]
pub struct Searched(pub Morris);

/// How many bits a number of men in hand takes.
const HAND_BITS: u32 = 4;

impl Game for Searched {
    type State = Position;

    #[inline]
    fn turn(&self, position: &Position) -> Player {
        self.0.turn(position)
    }

    #[inline]
    fn terminal(&self, position: &Position) -> Option<Outcome> {
        self.0.terminal(position)
    }

    #[inline]
    fn moves(&self, position: &Position, visit: impl FnMut(Position)) {
        self.0.moves(position, visit);
    }

    fn roots(&self) -> Vec<Position> {
        self.0.roots()
    }

    #[inline]
    fn no_moves(&self, position: &Position) -> Option<Outcome> {
        self.0.no_moves(position)
    }

    #[inline]
    fn canonical(&self, position: &Position) -> Position {
        self.0.canonical(position)
    }
}

impl Packed for Searched {
    fn bits(&self) -> u32 {
        self.0.bits()
    }

    #[inline]
    fn pack(&self, position: &Position) -> u128 {
        self.0.pack(position)
    }

    #[inline]
    fn unpack(&self, packed: u128) -> Position {
        self.0.unpack(packed)
    }
}

/// The men in hand, who moves, the other player's men, his own. This is for discovering positions;
/// to solve what is discovered take [`Searched`], since the predecessors here are those of a tier.
impl Packed for Morris {
    fn bits(&self) -> u32 {
        2 * self.lines.points() + 2 * HAND_BITS + 1
    }

    #[inline]
    fn pack(&self, position: &Position) -> u128 {
        let points = self.lines.points();
        let hands = u64::from(position.own_hand) << HAND_BITS | u64::from(position.other_hand);
        let men = u64::from(position.other) << points | u64::from(position.own);
        u128::from((hands << 1 | position.turn.index() as u64) << (2 * points) | men)
    }

    #[inline]
    fn unpack(&self, packed: u128) -> Position {
        let (packed, points) = (packed as u64, self.lines.points());
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
}

impl Notation for Searched {
    fn player(&self, player: Player) -> &str {
        self.0.player(player)
    }

    fn write_state(&self, position: &Position) -> String {
        self.0.write_state(position)
    }

    fn parse_state(&self, text: &str) -> Result<Position, NotationError> {
        self.0.parse_state(text)
    }

    fn write_move(&self, from: &Position, to: &Position) -> String {
        self.0.write_move(from, to)
    }

    fn draw(&self, position: &Position) -> String {
        self.0.draw(position)
    }
}
