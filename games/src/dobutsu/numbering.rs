//! The numbering of all positions, by a formula.
//!
//! The digits of an index, from the highest to the lowest: the places of the lions, of the
//! elephants and giraffes, and of the chicks.
//!
//! - Mirror images share an index, and so does a position with its colours exchanged. Half of the
//!   places of the lions are therefore enough. Where both lions are in the middle column, the lesser
//!   of two mirror images counts.
//! - The mover's lion is never on the row that it wants to reach: there it would have won.
//! - The elephants and giraffes are on the ten squares that the lions leave, and the chicks on the
//!   squares that are left after that. So no index stands for two pieces on one square.

use std::ops::Range;

use retrograde::Player;
use retrograde::index::Divisor;

use super::board::{Hand, Piece, Position, SQUARES, Side, in_every_lane};
use super::couple::Couple;

/// The types of elephants and giraffes: the mover's and the other's. With chicks and hens there are
/// twice as many.
const PLAIN: u32 = 2;
const PROMOTED: u32 = 4;

/// How many squares the lions leave.
const LEFT_BY_LIONS: u32 = SQUARES - 2;

/// How many ways there are to place the two elephants, or the two giraffes, once the lions stand. A
/// way fits into a byte, and two ways into an index of [`Formula::starts`].
const WAYS: usize = Couple::ways(LEFT_BY_LIONS, PLAIN) as usize;
const STARTS: usize = 1 << 16;

/// How many sets of squares there are, and of the squares that the lions leave.
const SETS: usize = 1 << SQUARES;
const LEFT: usize = 1 << LEFT_BY_LIONS;

/// The index of each set of up to two of the ten squares that the lions leave: below 56.
static SETS_OF_TWO: [u8; LEFT] = {
    let mut indices = [0; LEFT];
    let (mut set, mut count) = (0, 0);
    while set < LEFT {
        if set.count_ones() <= 2 {
            indices[set] = count;
            count += 1;
        }
        set += 1;
    }
    indices
};

/// The index of each way to place two plain pieces with nothing in the mover's hand, by the index
/// of the set of the mover's squares, times 64, plus that of the other player's.
static COUPLES: [u8; 1 << 12] = {
    let mut indices = [0; 1 << 12];
    let mut index = 0;
    while index < WAYS {
        let Couple { on_board, in_hand, places } = Couple::of_index(index as u32, PLAIN);
        let mut sets = [0; 2];
        let mut at = 0;
        while at < on_board as usize {
            let (slot, kind) = places[at];
            sets[kind as usize] |= 1 << slot;
            at += 1;
        }
        if in_hand == 0 {
            let [own, other] = [SETS_OF_TWO[sets[0]], SETS_OF_TWO[sets[1]]];
            indices[(own as usize) << 6 | other as usize] = index as u8;
        }
        index += 1;
    }
    indices
};

/// The numbering of the positions with certain pieces.
#[derive(Clone, Debug)]
pub(super) struct Formula {
    /// For each set of the squares that the lions leave, how many squares outside of it come before
    /// each square: four bits each.
    slots: Box<[u64; LEFT]>,
    /// For each set of squares, those outside of it in order: four bits each.
    squares: Box<[u64; SETS]>,
    /// The number of indices for each pair of places of the lions.
    by_lions: Divisor,
    /// The first index of each placing of elephants and giraffes, by the indices of both couples; 0
    /// where both need the same square.
    starts: Box<[u32; STARTS]>,
    /// All placings of elephants and giraffes, by rising counts of pieces.
    heavies: Vec<Heavies>,
    groups: [Group; 6],
    /// The placings of the chicks.
    chicks: Vec<Chicks>,
}

/// All placings of elephants and giraffes that leave as many squares to the chicks. In
/// the last, which has none, only the starts matter.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// The first index, and the first placing.
    start: u64,
    first: usize,
    /// How many ways there are to place the chicks.
    ways: Divisor,
}

/// A placing of elephants and giraffes: of each player, on the squares that the lions leave, and in
/// the hands.
#[derive(Clone, Copy, Debug)]
struct Heavies {
    sides: [Side; 2],
    hands: [Hand; 2],
}

/// A placing of the chicks and hens. For each of the two, the slot, and the bit of the first square
/// in the side that it belongs to; pieces in hand have no bit.
#[derive(Clone, Copy, Debug)]
struct Chicks {
    slots: [u8; 2],
    bits: [[u16; 2]; 2],
    hands: [Hand; 2],
}

/// A position without its chicks, and the squares that those may stand on.
struct Block {
    rest: Position,
    squares: u64,
}

/// The places of the lions.
#[derive(Clone, Copy)]
struct Lions {
    /// The squares of the mover's and of the other's.
    squares: [u32; 2],
    /// The squares below both lions, those between them and those above both, in every lane, as
    /// they are counted when the lions' squares are left out.
    below: u64,
    between: u64,
    above: u64,
}

/// The number of places of the lions that have an index.
const PLACES: usize = 54;

/// The places of the lions by index. The entries behind them are never used; they save a bounds
/// check.
static LIONS: [Lions; 64] = {
    let mut lions = [Lions::new(0, 1); 64];
    let mut count = 0;
    let mut place = 0;
    while place < 9 * SQUARES {
        let (own, other) = (place / SQUARES, place % SQUARES);
        if own != other && !matches!(fold(own, other), Fold::Mirror) {
            lions[count] = Lions::new(own, other);
            count += 1;
        }
        place += 1;
    }
    assert!(count == PLACES);
    lions
};

impl Lions {
    const fn new(own: u32, other: u32) -> Lions {
        let (low, high) = if own < other { (own, other) } else { (other, own) };
        let below = (1 << low) - 1;
        let between = ((1 << (high - 1)) - 1) & !below;
        let above = (LEFT as u64 - 1) & !below & !between;
        Lions {
            squares: [own, other],
            below: in_every_lane(below),
            between: in_every_lane(between),
            above: in_every_lane(above),
        }
    }

    /// The pieces but the lions, on the squares that those leave, counted from 0.
    #[inline(always)]
    const fn leave_out(&self, side: Side) -> Side {
        let Side(side) = side;
        Side(side & self.below | side >> 1 & self.between | side >> 2 & self.above)
    }

    /// Undoes [`leave_out`](Lions::leave_out), with the lions' squares empty.
    #[inline(always)]
    const fn make_room(&self, side: Side) -> Side {
        let Side(side) = side;
        Side(side & self.below | (side & self.between) << 1 | (side & self.above) << 2)
    }
}

/// Which of a position and its mirror image has the index.
#[derive(Clone, Copy)]
enum Fold {
    /// The position.
    Keep,
    /// The mirror image.
    Mirror,
    /// The lesser of both: the lions do not decide.
    Least,
}

/// Which of two mirror images has the index where the lions have these places: the one in which the
/// first lion that is not in the middle column is to the left.
#[inline]
const fn fold(own: u32, other: u32) -> Fold {
    match (own % 3, other % 3) {
        (0, _) | (1, 0) => Fold::Keep,
        (1, 1) => Fold::Least,
        _ => Fold::Mirror,
    }
}

/// For every pair of places, by the square of the mover's lion times 16 plus that of the other's:
/// which mirror image counts, and the index of that pair in [`LIONS`].
static PAIRS: [(Fold, u8); 256] = {
    let mut pairs = [(Fold::Keep, 0); 256];
    let mut index = 0;
    while index < PLACES {
        let [own, other] = LIONS[index].squares;
        pairs[(own * 16 + other) as usize] = (fold(own, other), index as u8);
        if let Fold::Keep = fold(own, other) {
            let [own, other] = [mirrored(own), mirrored(other)];
            pairs[(own * 16 + other) as usize] = (Fold::Mirror, index as u8);
        }
        index += 1;
    }
    pairs
};

/// The square on the other side of the middle column.
const fn mirrored(square: u32) -> u32 {
    square / 3 * 3 + 2 - square % 3
}

impl Position {
    /// Whether the mirror image represents this position, and the index of the lions' places in
    /// [`LIONS`].
    #[inline]
    fn folding(&self) -> (bool, u8) {
        let [own, other] = self.sides;
        let (fold, lions) = PAIRS[(own.lion() * 16 + other.lion()) as usize];
        let mirror = match fold {
            Fold::Keep => false,
            Fold::Mirror => true,
            Fold::Least => self.mirrored().sides < self.sides,
        };
        (mirror, lions)
    }

    /// The representative of this position: it or its mirror image, with the first player to move.
    #[inline]
    pub(super) fn canonical(&self) -> Position {
        let sides = if self.folding().0 { self.mirrored().sides } else { self.sides };
        Position { sides, turn: Player::First, ..*self }
    }
}

impl Formula {
    /// The numbering of the positions with this many elephants and giraffes: none or two.
    pub(super) fn new(elephants: u32, giraffes: u32) -> Formula {
        let mut slots = Box::new([0; LEFT]);
        let mut squares = Box::new([0; SETS]);
        for set in 0..SETS {
            let outside = (0..u64::from(SQUARES)).filter(|square| set >> square & 1 == 0);
            for (slot, square) in (0..).zip(outside) {
                squares[set] |= square << (4 * slot);
                if set < LEFT && square < u64::from(LEFT_BY_LIONS) {
                    slots[set] |= slot << (4 * square);
                }
            }
        }
        let chicks = (0..Couple::ways(LEFT_BY_LIONS, PROMOTED)).map(Chicks::new).collect();
        let mut formula = Formula {
            slots,
            squares,
            by_lions: Divisor::new(1),
            starts: Box::new([0; STARTS]),
            heavies: Vec::new(),
            groups: [Group { start: 0, first: 0, ways: Divisor::new(1) }; 6],
            chicks,
        };
        formula.place_heavies(elephants, giraffes);
        formula
    }

    fn place_heavies(&mut self, elephants: u32, giraffes: u32) {
        let ways = |pieces| if pieces == 0 { 1 } else { WAYS };
        let mut start = 0;
        for (pieces, group) in self.groups.iter_mut().enumerate() {
            let ways_of_chicks =
                Couple::ways(LEFT_BY_LIONS.saturating_sub(pieces as u32), PROMOTED);
            let first = self.heavies.len();
            *group = Group { start, first, ways: Divisor::new(ways_of_chicks.into()) };
            for elephant in 0..ways(elephants) {
                for giraffe in 0..ways(giraffes) {
                    let couples =
                        [elephant, giraffe].map(|index| Couple::of_index(index as u32, PLAIN));
                    let heavies = Heavies::new(couples, [elephants, giraffes]);
                    let Some(heavies) = heavies.filter(|heavies| heavies.pieces() == pieces) else {
                        continue;
                    };
                    self.starts[elephant << 8 | giraffe] = start as u32;
                    self.heavies.push(heavies);
                    start += u64::from(ways_of_chicks);
                }
            }
        }
        self.by_lions = Divisor::new(start);
    }

    /// The number of indices, unused ones included.
    #[inline]
    pub(super) fn len(&self) -> u64 {
        self.by_lions.get() * PLACES as u64
    }

    /// The index of a position, which is that of its mirror image too.
    #[inline]
    pub(super) fn index(&self, position: &Position) -> u64 {
        let (mirror, lions_index) = position.folding();
        let [own, other] = if mirror { position.mirrored().sides } else { position.sides };
        let lions = &LIONS[usize::from(lions_index) % LIONS.len()];
        let (own, other) = (lions.leave_out(own), lions.leave_out(other));
        let hand = position.hands[0];

        let couple = |piece: Piece, in_hand: u32| {
            let set = |side: Side| usize::from(SETS_OF_TWO[side.squares(piece) as usize % LEFT]);
            usize::from(COUPLES[set(own) << 6 | set(other)]) + in_hand as usize
        };
        let elephants = couple(Piece::Elephant, hand.elephants());
        let giraffes = couple(Piece::Giraffe, hand.giraffes());
        let start = self.starts[(elephants << 8 | giraffes) % STARTS];

        let both = Side(own.0 | other.0);
        let taken = both.squares(Piece::Elephant) | both.squares(Piece::Giraffe);
        let slots = self.slots[taken as usize % LEFT];
        let chicks = chicks_index(own, other, slots, hand.chicks());
        u64::from(lions_index) * self.by_lions.get() + u64::from(start) + u64::from(chicks)
    }

    /// The position of an index; `None` where no move can have led to it.
    #[inline]
    pub(super) fn position(&self, index: u64) -> Option<Position> {
        let (lions, heavies, chicks, _) = self.digits(index);
        self.block(lions, heavies).with(&self.chicks[chicks as usize])
    }

    /// Visits the positions of a range of indices.
    #[inline]
    pub(super) fn positions(&self, indices: Range<u64>, mut visit: impl FnMut(u64, Position)) {
        let mut index = indices.start;
        while index < indices.end {
            let (lions, heavies, first, ways) = self.digits(index);
            let block = self.block(lions, heavies);
            let end = indices.end.min(index + ways - first);
            if block.rest.moved_last() != 0 {
                for (chicks, index) in self.chicks[first as usize..].iter().zip(index..end) {
                    if let Some(position) = block.with(chicks) {
                        visit(index, position);
                    }
                }
            }
            index = end;
        }
    }

    /// The digits of an index (lions, elephants and giraffes, chicks), and how many ways there are
    /// to place the chicks.
    #[inline]
    fn digits(&self, index: u64) -> (usize, usize, u64, u64) {
        let (lions, index) = self.by_lions.div_rem(index);
        let later = self.groups[1..5].iter().filter(|group| group.start <= index).count();
        let Group { start, first, ways } = self.groups[later];
        let (heavies, chicks) = ways.div_rem(index - start);
        (lions as usize, first + heavies as usize, chicks, ways.get())
    }

    #[inline]
    fn block(&self, lions: usize, heavies: usize) -> Block {
        let lions = &LIONS[lions % LIONS.len()];
        let Heavies { sides: [own, other], hands } = self.heavies[heavies];
        let side = |pieces: Side, lion: u32| {
            Side(lions.make_room(pieces).0 | 1 << (Piece::Lion.shift() + lion))
        };
        let [own_lion, other_lion] = lions.squares;
        let sides = [side(own, own_lion), side(other, other_lion)];
        let rest = Position { sides, hands, turn: Player::First };
        Block { squares: self.squares[rest.occupied() as usize], rest }
    }
}

/// The index of the placing of the chicks and hens, given the slot of each square that the lions
/// leave.
#[inline(always)]
fn chicks_index(own: Side, other: Side, slots: u64, in_hand: u32) -> u32 {
    const CHICKS_AND_HENS: u64 = (1 << (2 * SQUARES)) - 1;
    let both = (own.0 | other.0) & CHICKS_AND_HENS;
    let (hens, theirs) = (both >> SQUARES, other.0 | other.0 >> SQUARES);
    let squares = (both | hens) & (LEFT as u64 - 1);
    // Some square, if there is none.
    let (low, high) = (squares.trailing_zeros() & 15, (squares | 1).ilog2());
    let place = |square: u32| {
        let slot = slots >> (4 * square) & 15;
        (slot as u32, (hens >> square & 1 | (theirs >> square & 1) << 1) as u32)
    };
    let on_board = if squares == 0 { 0 } else { 1 + u32::from(low != high) };
    Couple { on_board, in_hand, places: [place(low), place(high)] }.index(PROMOTED)
}

impl Heavies {
    /// A placing, if both kinds find room.
    fn new(couples: [Couple; 2], pieces: [u32; 2]) -> Option<Heavies> {
        let mut heavies = Heavies { sides: [Side(0); 2], hands: [Hand::default(); 2] };
        let of_own = couples.map(|couple| couple.in_hand);
        let mut of_other = [0; 2];
        for (at, piece) in [Piece::Elephant, Piece::Giraffe].into_iter().enumerate() {
            let couple = couples[at];
            of_other[at] = pieces[at].checked_sub(couple.on_board + couple.in_hand)?;
            for &(slot, kind) in &couple.places[..couple.on_board as usize] {
                let taken = Side(heavies.sides[0].0 | heavies.sides[1].0).occupied();
                if taken >> slot & 1 == 1 {
                    return None;
                }
                heavies.sides[kind as usize].0 |= 1 << (piece.shift() + slot);
            }
        }
        heavies.hands =
            [of_own, of_other].map(|[elephants, giraffes]| Hand::of(0, elephants, giraffes));
        Some(heavies)
    }

    fn pieces(&self) -> usize {
        self.sides.iter().map(|side| side.0.count_ones() as usize).sum()
    }
}

impl Chicks {
    fn new(index: u32) -> Chicks {
        let Couple { on_board, in_hand, places } = Couple::of_index(index, PROMOTED);
        let mut bits = [[0; 2]; 2];
        for (at, &(_, kind)) in places[..on_board as usize].iter().enumerate() {
            let piece = if kind & 1 == 0 { Piece::Chick } else { Piece::Hen };
            bits[at][kind as usize >> 1] = 1 << piece.shift();
        }
        let of_other = 2 - on_board - in_hand;
        let hands = [in_hand, of_other].map(|chicks| Hand::of(chicks, 0, 0));
        Chicks { slots: places.map(|(slot, _)| slot as u8), bits, hands }
    }
}

impl Block {
    /// The position with these chicks, unless the mirror image has the index or no move can have
    /// led there.
    #[inline]
    fn with(&self, chicks: &Chicks) -> Option<Position> {
        let Position { sides: [mut own, mut other], hands: [hand, other_hand], turn } = self.rest;
        for (&slot, &[own_bit, other_bit]) in chicks.slots.iter().zip(&chicks.bits) {
            let square = self.squares >> (4 * slot) & 15;
            own.0 |= u64::from(own_bit) << square;
            other.0 |= u64::from(other_bit) << square;
        }
        let hands = [hand.plus(chicks.hands[0]), other_hand.plus(chicks.hands[1])];
        let position = Position { sides: [own, other], hands, turn };
        (!position.folding().0 && position.has_predecessor()).then_some(position)
    }
}
