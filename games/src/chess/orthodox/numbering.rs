//! The numbering of an ending: how squares make an index. [`indices`](super::indices) computes the
//! indices of positions.
//!
//! The digits of an index, from the highest:
//!
//! - pawns and three like men,
//! - the pair of kings up to reflections of the board, 462 without pawns and 1,806 with,
//! - the side to move, where the sides differ,
//! - the other men, six bits for one and eleven for two like ones.
//!
//! So most moves change low digits only, which are found by shifts.
//!
//! Where both kings are on the diagonal from a1 to h8, two reflections bring them there. The lesser
//! of the two indices counts, and the other is unused.
//!
//! Positions with a capture en passant have indices of their own behind all others: see
//! [`en_passant`](super::en_passant).

use retrograde::index::Divisor;

use super::material::{Kind, MOST_MEN};
use super::position::{Reflection, Squares};

/// The pairs of squares of two kings that do not touch, up to reflection.
struct KingPairs {
    /// For every two squares ([`Squares::kings`]) the index of the pair; from [`REFLECTED`] on
    /// the number of the reflection that leads to it; and [`ON_DIAGONAL`].
    entries: [u16; 1 << 12],
    /// The squares of each pair, a byte each.
    pairs: [u16; 1806],
    count: usize,
}

/// From this bit on, the number of a reflection.
const REFLECTED: u32 = 11;
/// Set where the reflection in the diagonal leads to the same pair.
const ON_DIAGONAL: u16 = 1 << 14;

impl KingPairs {
    /// With pawns, only the wings can be exchanged: the first king stands on the files a to d.
    /// Without, it stands in the triangle a1-d1-d4, and if it is on the diagonal there, the second
    /// is not above it.
    const fn new(pawns: bool) -> KingPairs {
        let mut table = KingPairs { entries: [0; 1 << 12], pairs: [0; 1806], count: 0 };
        let mut kings = 0;
        while kings < 1 << 12 {
            let (first, second) = ((kings & 63) as u8, (kings >> 6) as u8);
            if KingPairs::is_canonical(first, second, pawns) {
                table.pairs[table.count] = first as u16 | (second as u16) << 8;
                let diagonal = !pawns && on_diagonal(first) && on_diagonal(second);
                let flag = if diagonal { ON_DIAGONAL } else { 0 };
                // Of two reflections that lead here, the one of the lower number stays.
                let mut reflection = if pawns { 2 } else { 8 };
                while reflection > 0 {
                    reflection -= 1;
                    let from = Reflection::number(KingPairs::reverse(reflection));
                    let kings = from.image(first) as usize | (from.image(second) as usize) << 6;
                    table.entries[kings] =
                        table.count as u16 | (reflection as u16) << REFLECTED | flag;
                }
                table.count += 1;
            }
            kings += 1;
        }
        table
    }

    /// The number of the reflection that undoes one: those that exchange files and ranks after
    /// counting one of them from the other side undo each other.
    const fn reverse(reflection: usize) -> usize {
        match reflection {
            5 => 6,
            6 => 5,
            own => own,
        }
    }

    const fn is_canonical(first: u8, second: u8, pawns: bool) -> bool {
        let (file, rank) = (first % 8, first / 8);
        let (other_file, other_rank) = (second % 8, second / 8);
        if file.abs_diff(other_file) <= 1 && rank.abs_diff(other_rank) <= 1 {
            return false;
        }
        file < 4 && (pawns || rank < file || rank == file && other_rank <= other_file)
    }
}

const fn on_diagonal(square: u8) -> bool {
    square / 8 == square % 8
}

static WITHOUT_PAWNS: KingPairs = KingPairs::new(false);
static WITH_PAWNS: KingPairs = KingPairs::new(true);

/// The addend of the index for each square of a man. Longer than the board, so that no look-up can be
/// beyond the end; a man that is not there adds nothing.
type Shares = [u64; 128];

/// The numbering of an ending: what indices are made of.
pub(super) struct Numbering {
    kings: &'static KingPairs,
    /// How many pairs of kings there are.
    pairs: Divisor,
    pair_step: u64,
    /// The bit for the side to move: there is one, or none.
    side_bits: u32,
    /// How many bits the other men take whose digits are found by shifts.
    low_bits: u32,
    shares: [Shares; MOST_MEN - 2],
    /// For each man that is found by a shift: how far, and the bits that are left.
    digits: [(u32, u64); MOST_MEN - 2],
    /// The squares with no man anywhere.
    absent: Squares,
    /// Two like men, found by a shift and a table.
    twos: Vec<Group>,
    /// Pawns and three like men, from the lowest.
    high: Vec<Group>,
    /// The man of the lowest six bits, if a single one has them.
    pub(super) last: Option<usize>,
    /// How many indices there are without en passant.
    pub(super) quiet: u64,
    /// How many there are for positions with a capture en passant.
    en_passant: u64,
}

/// The share of an index that follows from the kings and the side to move.
pub(super) struct Frame {
    /// Their addend of the index.
    pub(super) base: u64,
    /// The number of the reflection that brings the kings where they are counted.
    pub(super) reflection: usize,
    /// Whether another one does, too, so that the lesser index counts.
    pub(super) has_twins: bool,
}

/// Like men, which share a digit of the index.
struct Group {
    /// How many ways there are to place them.
    radix: Divisor,
    /// How far to shift, where that is how they are found.
    shift: u32,
    /// The bytes of a position for each way to place them.
    placed: Vec<u64>,
}

/// How many bits two like men take.
const BITS_OF_TWO: u32 = 11;
/// The number of values of the digit of two like men, unused ones included.
pub(super) const NUMBERS_OF_TWO: u64 = 1 << BITS_OF_TWO;

impl Group {
    /// All ways to place `count` like men, the first of which has this place, each ascending; in
    /// the order of the highest, then of the next.
    fn new(slot: usize, count: usize, is_pawn: bool, shift: u32) -> Group {
        let (lowest, end) = if is_pawn { (8, 56) } else { (0, 64) };
        let mut sets: Vec<Vec<u64>> = vec![Vec::new()];
        for _ in 0..count {
            sets = (lowest..end)
                .flat_map(|next| {
                    let below =
                        sets.iter().filter(move |set| set.last().is_none_or(|&last| last < next));
                    below.map(move |set| [&set[..], &[next]].concat())
                })
                .collect();
        }
        let bytes = |set: &Vec<u64>| {
            set.iter()
                .enumerate()
                .fold(0, |bytes, (at, square)| bytes | square << (8 * (slot + at)))
        };
        let placed: Vec<u64> = sets.iter().map(bytes).collect();
        Group { radix: Divisor::new(placed.len() as u64), shift, placed }
    }
}

/// The addend of a man of a group to its digit: a binomial coefficient of its square and place.
fn share(place: usize, square: u64, is_pawn: bool) -> u64 {
    let square = if is_pawn { square.wrapping_sub(8) } else { square };
    match place {
        0 => square,
        1 => square * square.wrapping_sub(1) / 2,
        _ => square * square.wrapping_sub(1) / 2 * square.wrapping_sub(2) / 3,
    }
}

impl Numbering {
    /// The numbering of an ending with these men.
    pub(super) fn new(
        kinds: &[Kind],
        like_before: &[bool; MOST_MEN],
        is_symmetric: bool,
        has_en_passant: bool,
    ) -> Numbering {
        let has_pawns = kinds.contains(&Kind::Pawn);
        let kings = if has_pawns { &WITH_PAWNS } else { &WITHOUT_PAWNS };
        let pairs = kings.count as u64;
        let side_bits = u32::from(!is_symmetric);
        let groups: Vec<(usize, usize, bool)> = (2..kinds.len())
            .filter(|&slot| !like_before[slot])
            .map(|slot| {
                let more = (slot + 1..kinds.len()).take_while(|&next| like_before[next]).count();
                (slot, 1 + more, kinds[slot] == Kind::Pawn)
            })
            .collect();
        let mut shares = [[0; 128]; MOST_MEN - 2];
        let mut enter = |(slot, count, is_pawn): (usize, usize, bool), step: u64| {
            for place in 0..count {
                for square in if is_pawn { 8..56 } else { 0..64 } {
                    shares[slot - 2 + place][square as usize] =
                        share(place, square, is_pawn) * step;
                }
            }
        };
        let mut digits = [(0, 0); MOST_MEN - 2];
        let (mut low_bits, mut last) = (0, None);
        for &group in groups.iter().rev().filter(|&&(_, count, is_pawn)| count == 1 && !is_pawn) {
            let (slot, ..) = group;
            last = last.or(Some(slot));
            digits[slot - 2] = (low_bits, 63);
            enter(group, 1 << low_bits);
            low_bits += 6;
        }
        let (mut twos, mut high) = (Vec::new(), Vec::new());
        for &group in groups.iter().filter(|&&(_, count, is_pawn)| count == 2 && !is_pawn) {
            let (slot, count, is_pawn) = group;
            twos.push(Group::new(slot, count, is_pawn, low_bits));
            enter(group, 1 << low_bits);
            low_bits += BITS_OF_TWO;
        }
        let pair_step = 1 << (low_bits + side_bits);
        let mut step = pairs * pair_step;
        for &group in groups.iter().filter(|&&(_, count, is_pawn)| count == 3 || is_pawn) {
            let (slot, count, is_pawn) = group;
            let group_of = Group::new(slot, count, is_pawn, 0);
            enter(group, step);
            step *= group_of.radix.get();
            high.push(group_of);
        }
        let absent = (0..kinds.len()).fold(Squares::NONE, |squares, slot| squares.with(slot, 0));
        let rest_bits = 6 * kinds.len().saturating_sub(4) as u32;
        let en_passant = if has_en_passant { (16 * pairs) << (side_bits + rest_bits) } else { 0 };
        Numbering {
            kings,
            pairs: Divisor::new(pairs),
            pair_step,
            side_bits,
            low_bits,
            shares,
            digits,
            absent,
            twos,
            high,
            last,
            quiet: step,
            en_passant,
        }
    }

    /// How many indices there are.
    pub(super) fn len(&self) -> u64 {
        self.quiet + self.en_passant
    }

    /// How many indices there are with the same kings and side to move, from that of
    /// [`frame`](Numbering::frame) on, if they lie together.
    #[inline(always)]
    pub(super) fn run_len(&self) -> Option<u64> {
        self.high.is_empty().then_some(1 << self.low_bits)
    }

    /// Whether the lowest digit is that of two like men.
    #[inline(always)]
    pub(super) fn begins_with_two(&self) -> bool {
        self.last.is_none() && !self.twos.is_empty()
    }

    /// The addend of the men beside the kings to the index; they are where they are counted.
    #[inline(always)]
    pub(super) fn shares_of(&self, squares: Squares) -> u64 {
        let share = |slot: usize| self.share_of(slot, squares.of(slot));
        share(2) + share(3) + share(4)
    }

    /// The addend of a man on a square to the index.
    #[inline(always)]
    pub(super) fn share_of(&self, slot: usize, square: u8) -> u64 {
        self.shares[slot - 2][usize::from(square & 127)]
    }

    /// The frame of an index, from the squares of the kings ([`Squares::kings`]) and the side to move.
    #[inline(always)]
    pub(super) fn frame(&self, kings: usize, side: usize) -> Frame {
        let entry = self.kings.entries[kings];
        let pair = u64::from(entry) % (1 << REFLECTED);
        let side = side as u64 & ((1 << self.side_bits) - 1);
        Frame {
            base: pair * self.pair_step + (side << self.low_bits),
            reflection: usize::from(entry >> REFLECTED & 7),
            has_twins: entry & ON_DIAGONAL != 0,
        }
    }

    /// The digits of a pair of kings and a side to move, combined.
    #[inline(always)]
    pub(super) fn pair_and_side(&self, pair: u64, side: usize) -> u64 {
        (pair << self.side_bits) + (side as u64 & ((1 << self.side_bits) - 1))
    }

    /// The squares of the kings of a pair, and the side to move.
    #[inline(always)]
    fn kings_at(&self, pair: u64, side: u64) -> (Squares, u8) {
        let kings = self.kings.pairs[pair as usize];
        (self.absent.with(0, kings as u8).with(1, (kings >> 8) as u8), side as u8)
    }

    /// The squares of the kings for what [`pair_and_side`](Numbering::pair_and_side) gave, and
    /// the side; `rest` is what is left above.
    pub(super) fn kings_and_rest(&self, digits: u64) -> (Squares, u8, u64) {
        let side = digits & ((1 << self.side_bits) - 1);
        let (rest, pair) = self.pairs.div_rem(digits >> self.side_bits);
        let (squares, side) = self.kings_at(pair, side);
        (squares, side, rest)
    }

    /// The reflection that brings the kings ([`Squares::kings`]) where they are counted, and the
    /// index of their pair.
    pub(super) fn pair_of_kings(&self, kings: usize) -> (Reflection, u64) {
        let entry = self.kings.entries[kings];
        let reflection = Reflection::number(usize::from(entry >> REFLECTED & 7));
        (reflection, u64::from(entry) % (1 << REFLECTED))
    }

    /// Whether the reflection in the diagonal leaves the kings ([`Squares::kings`]) on the same
    /// pair.
    #[inline(always)]
    pub(super) fn are_on_diagonal(&self, kings: usize) -> bool {
        self.kings.entries[kings] & ON_DIAGONAL != 0
    }

    /// How many pairs of kings there are.
    pub(super) fn pairs(&self) -> u64 {
        self.pairs.get()
    }

    /// The side to move at an index without en passant.
    #[inline(always)]
    pub(super) fn side_of(&self, index: u64) -> usize {
        (index >> self.low_bits & ((1 << self.side_bits) - 1)) as usize
    }

    /// The men and the side to move of an index without en passant; `None` where no placement has
    /// it. Several men may be on one square.
    #[inline(always)]
    pub(super) fn placement(&self, index: u64) -> Option<(Squares, u8)> {
        let above = index >> self.low_bits;
        let side = above & ((1 << self.side_bits) - 1);
        let mut pair = above >> self.side_bits;
        let mut high = 0;
        if !self.high.is_empty() {
            (high, pair) = self.pairs.div_rem(pair);
        }
        let (mut squares, side) = self.kings_at(pair, side);
        for (slot, &(shift, mask)) in (2..).zip(&self.digits) {
            squares = squares.adding((index >> shift & mask) << (8 * slot));
        }
        for group in &self.twos {
            let digit = index >> group.shift & (NUMBERS_OF_TWO - 1);
            squares = squares.adding(*group.placed.get(digit as usize)?);
        }
        for group in &self.high {
            let (rest, digit) = group.radix.div_rem(high);
            high = rest;
            squares = squares.adding(group.placed[digit as usize]);
        }
        Some((squares, side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_462_and_1806_pairs_of_kings() {
        assert_eq!((WITHOUT_PAWNS.count, WITH_PAWNS.count), (462, 1806));
    }

    #[test]
    fn every_two_kings_that_do_not_touch_are_reflected_to_their_pair() {
        for (pawns, table) in [(false, &WITHOUT_PAWNS), (true, &WITH_PAWNS)] {
            for first in 0..64_u8 {
                for second in 0..64_u8 {
                    let apart =
                        (first % 8).abs_diff(second % 8).max((first / 8).abs_diff(second / 8));
                    if apart < 2 {
                        continue;
                    }
                    let squares = Squares::NONE.with(0, first).with(1, second);
                    let entry = table.entries[squares.kings()];
                    let number = usize::from(entry >> REFLECTED & 7);
                    assert!(!pawns || number < 2);
                    let image = squares.reflected(Reflection::number(number));
                    let pair = table.pairs[usize::from(entry) % (1 << REFLECTED)];
                    assert_eq!([image.of(0), image.of(1)], pair.to_le_bytes());
                    let same = !pawns && {
                        let twin = image.reflected(Reflection::DIAGONAL);
                        twin == image
                    };
                    assert_eq!(entry & ON_DIAGONAL != 0, same);
                }
            }
        }
    }

    #[test]
    fn like_men_are_numbered_in_the_order_of_their_shares() {
        for (count, is_pawn, ways) in [
            (1, true, 48),
            (2, false, 2016),
            (2, true, 1128),
            (3, false, 41_664),
            (3, true, 17_296),
        ] {
            let group = Group::new(2, count, is_pawn, 0);
            assert_eq!(group.placed.len(), ways);
            for (number, &placed) in group.placed.iter().enumerate() {
                let squares = (0..count).map(|place| (place, placed >> (8 * (place + 2)) & 0xff));
                let shares: u64 =
                    squares.map(|(place, square)| share(place, square, is_pawn)).sum();
                assert_eq!(shares, number as u64);
            }
        }
    }
}
