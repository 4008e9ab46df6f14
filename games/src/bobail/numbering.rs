//! The numbering of positions up to the reflection that exchanges left and right.
//!
//! The men of the player who is not to move lead: they stand still when a turn is undone, so that
//! all predecessors of a position share them. Beside them stand the bobail, on a free square of the
//! inner rows, and the men of the player to move, on the other free squares.

use retrograde::error::IndexError;
use retrograde::index::{
    Combinations, Divisor, Folded, Orbits, RemainderRanking, Symmetries, compress, expand,
};

use super::board::{Board, Pieces, singles};

/// The bobail and the men of the player to move, as sets of squares.
type Rest = (u64, u64);

/// The numbering of the bobail and of the men of the player to move, beside the other's men.
#[derive(Clone, Debug)]
struct Beside {
    all: u64,
    inner: u64,
    /// The home row of the player who is not to move, whose squares come first.
    top: u64,
    own: Combinations,
    /// The number of ways to place the men, by which an index is divided.
    ways: Divisor,
}

/// A numbering of the pieces on a board.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    folded: Folded<Combinations, Beside>,
    beside: Beside,
}

/// The men that lead in all predecessors of a position, folded once.
struct Prepared<'n> {
    beside: &'n Beside,
    /// The index of the first position with these men.
    start: u64,
    /// For each square, the bit that it has among the squares that these men leave.
    bits: [u32; 32],
    /// The number of squares that they leave in the highest row.
    free_at_top: u32,
}

impl Beside {
    fn free(&self, lead: u64) -> u64 {
        self.all & !lead
    }
}

impl RemainderRanking<u64> for Beside {
    type Item = Rest;

    #[inline]
    fn len(&self, lead: u64) -> u64 {
        u64::from((self.inner & !lead).count_ones()) * self.ways.get()
    }

    #[inline]
    fn rank(&self, lead: u64, (bobail, own): Rest) -> u64 {
        let free = self.free(lead);
        let square = (free & self.inner & (bobail - 1)).count_ones();
        u64::from(square) * self.ways.get() + self.own.rank(compress(own, free & !bobail))
    }

    #[inline]
    fn unrank(&self, lead: u64, index: u64) -> Option<Rest> {
        let free = self.free(lead);
        let (square, own) = self.ways.div_rem(index);
        let bobail = expand(1 << square, free & self.inner);
        Some((bobail, expand(self.own.unrank(own), free & !bobail)))
    }
}

impl Prepared<'_> {
    /// The set of squares among those that the leading men leave.
    #[inline]
    fn among_free(&self, set: u32) -> u32 {
        singles(set).fold(0, |among, square| among | self.bit(square))
    }

    #[inline]
    fn bit(&self, square: u32) -> u32 {
        self.bits[square.trailing_zeros() as usize % 32]
    }

    /// The index of the first position with the bobail on a square.
    #[inline]
    fn first(&self, bobail: u32) -> u64 {
        let square = self.bit(bobail).trailing_zeros() - self.free_at_top;
        self.start + u64::from(square) * self.beside.ways.get()
    }

    /// The place of a set of men among those beside the bobail. Both are among the free squares.
    #[inline]
    fn place(&self, bobail: u32, own: u32) -> u64 {
        let below = bobail - 1;
        self.beside.own.rank(u64::from(own & below | own >> 1 & !below))
    }
}

impl Numbering {
    /// The numbering for a board of this size, with this number of men on each side.
    pub(super) fn new(
        board: &Board,
        columns: u32,
        rows: u32,
        men: u32,
    ) -> Result<Numbering, IndexError> {
        let cells = columns * rows;
        let own = Combinations::new(cells - men - 1, men)?;
        let [inner, top] = [board.inner(), board.top()].map(u64::from);
        let all = retrograde::index::all_cells(cells);
        let ways = Divisor::new(own.len());
        let beside = Beside { all, inner, top, own, ways };
        let other = Combinations::new(cells, men)?;
        let orbits = Orbits::new(other, Symmetries::left_right(columns, rows)?)?;
        let folded = Folded::new(orbits, beside.clone())?;
        Ok(Numbering { folded, beside })
    }

    /// The number of indices, unused ones included.
    #[inline]
    pub(super) fn len(&self) -> u64 {
        self.folded.len()
    }

    /// The index of these pieces, which is that of their mirror image too.
    #[inline]
    pub(super) fn index(&self, pieces: &Pieces) -> u64 {
        self.folded.rank(parts(pieces))
    }

    /// The representative of the pieces with this index; `None` for an unused index.
    #[inline]
    pub(super) fn pieces(&self, index: u64) -> Option<Pieces> {
        self.folded.unrank(index).map(of_parts)
    }

    /// The pieces that [`pieces`](Numbering::pieces) returns for their index.
    #[inline]
    pub(super) fn canonical(&self, pieces: &Pieces) -> Pieces {
        of_parts(self.folded.canonical(parts(pieces)))
    }

    /// Visits the index of the pieces before each way to undo the last turn. The pieces are seen by
    /// the player who made it. Returns false, and visits nothing, if the other's men are symmetric:
    /// then indices could repeat.
    #[inline]
    pub(super) fn each_index_back(
        &self,
        board: &Board,
        pieces: &Pieces,
        mut visit: impl FnMut(u64),
    ) -> bool {
        let (lead, rest) = parts(pieces);
        let folded = self.folded.fold_lead(lead);
        if folded.is_symmetric() {
            return false;
        }
        let rest = folded.carry(rest);
        let pieces = of_parts((folded.lead(), rest));
        let mut prepared = Prepared::new(&self.beside, pieces.other);
        // The indices of one leading part follow one another.
        let here = prepared.among_free(pieces.own);
        prepared.start = folded.rank(rest)
            - prepared.first(pieces.bobail)
            - prepared.place(prepared.bit(pieces.bobail), here);
        board.each_way_back(&pieces, |before, man, origins| {
            let (bobail, first) = (prepared.bit(before), prepared.first(before));
            let stayed = here ^ prepared.bit(man);
            for origin in singles(origins) {
                visit(first + prepared.place(bobail, stayed | prepared.bit(origin)));
            }
        });
        true
    }
}

impl<'n> Prepared<'n> {
    /// Without the index of the first position, which is 0.
    #[inline]
    fn new(beside: &'n Beside, lead: u32) -> Prepared<'n> {
        let free = beside.free(lead.into());
        let mut bits = [0; 32];
        let mut next = 1;
        for (square, bit) in bits.iter_mut().enumerate() {
            *bit = next;
            next <<= free >> square & 1;
        }
        let free_at_top = (free & beside.top).count_ones();
        Prepared { beside, start: 0, bits, free_at_top }
    }
}

#[inline]
fn parts(&Pieces { bobail, own, other }: &Pieces) -> (u64, Rest) {
    (other.into(), (bobail.into(), own.into()))
}

#[inline]
fn of_parts((other, (bobail, own)): (u64, Rest)) -> Pieces {
    let [bobail, own, other] = [bobail, own, other].map(|set| set as u32);
    Pieces { bobail, own, other }
}
