//! The numbering of boards up to turns and reflections.
//!
//! A symmetry brings the mover's squares into their least form and moves the other's along. The
//! other's squares are then ranked among the subsets of the squares that the mover leaves. Where
//! several symmetries give the mover's squares that form, the one counts that gives the other's the
//! least form. The indices of all other forms are unused: one in twelve, with 16 squares.
//!
//! [`Folded`](retrograde::index::Folded) does this for any board and any symmetries. The tables
//! here are made for 16 squares and take a third of the time, which counts because every move needs
//! an index.

use retrograde::index::{all_cells, expand};

/// How many turns and reflections a square has, the one that moves nothing included.
const SYMMETRIES: u32 = 8;

/// How many ways there are to mark eight squares.
const EIGHT_SQUARES: usize = 3_usize.pow(8);

/// A numbering of boards of at most 16 squares up to turns and reflections.
#[derive(Clone, Debug)]
pub(super) struct Folding {
    /// All squares.
    all: u64,
    images: Images,
    /// For every set of squares of the mover.
    entries: Vec<Entry>,
    /// For the marks on eight squares, which are digits of base three.
    subsets: Box<[Subset; EIGHT_SQUARES]>,
    /// By how many squares the mover has.
    groups: Vec<Group>,
    len: u64,
}

/// The facts about one set of squares of the mover. The high bits are the index of the board on
/// which the other player has nothing; the low bits say which symmetries give the set its least
/// form.
#[derive(Clone, Copy, Debug, Default)]
struct Entry(u32);

impl Entry {
    fn new(first: u64, symmetries: u8) -> Entry {
        Entry((first as u32) << SYMMETRIES | u32::from(symmetries))
    }

    #[inline]
    fn first(self) -> u64 {
        u64::from(self.0 >> SYMMETRIES)
    }

    #[inline]
    fn symmetries(self) -> u8 {
        self.0 as u8
    }
}

/// The sets of the mover that have one size.
#[derive(Clone, Debug)]
struct Group {
    /// The index of the first board.
    start: u64,
    /// How many squares each set leaves.
    free: u32,
    /// The sets that are in their least form, ascending.
    least: Vec<u16>,
}

impl Folding {
    /// The numbering for a board of this size, from 1 to 4.
    pub(super) fn new(size: u32) -> Folding {
        let squares = size * size;
        let sets = 0..1_u32 << squares;
        let images = symmetries(size).map(|symmetry| {
            let image = |set| (0..squares).fold(0, |to, at| to | (set >> at & 1) << symmetry(at));
            sets.clone().map(image).collect::<Vec<u32>>()
        });
        let mut entries = vec![Entry::default(); sets.len()];
        let mut groups = Vec::new();
        let mut len = 0;
        for own in 0..=squares {
            let mut group = Group { start: len, free: squares - own, least: Vec::new() };
            for set in sets.clone().filter(|set| set.count_ones() == own) {
                let forms = images.each_ref().map(|image| image[set as usize]);
                if forms.iter().any(|&form| form < set) {
                    continue;
                }
                for form in forms {
                    let back = images.iter().map(|image| image[form as usize] == set);
                    let back = back.rev().fold(0, |back, does| back << 1 | u8::from(does));
                    entries[form as usize] = Entry::new(len, back);
                }
                group.least.push(set as u16);
                len += 1 << group.free;
            }
            groups.push(group);
        }
        let images = Images::new(&images);
        Folding { all: all_cells(squares), images, entries, subsets: Subset::all(), groups, len }
    }

    /// The number of indices, unused ones included.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The index of a board, below [`len`](Folding::len).
    #[inline]
    pub(super) fn index(&self, own: u32, other: u32) -> u64 {
        let entry = self.entries[own as usize];
        let mut symmetries = entry.symmetries();
        let symmetry = symmetries.trailing_zeros();
        let own = self.images.of(symmetry, own);
        let mut least = self.images.of(symmetry, other);
        symmetries &= symmetries.wrapping_sub(1);
        // Few sets have more than one.
        while symmetries != 0 {
            least = least.min(self.images.of(symmetries.trailing_zeros(), other));
            symmetries &= symmetries - 1;
        }
        // The mover's digits are 1, the other's 2.
        let digits = own + 2 * least;
        let low = self.subsets[(digits & 0xFFFF) as usize];
        let high = self.subsets[(digits >> 16) as usize];
        entry.first() + (low.index() | high.index() << low.free())
    }

    /// The representative of all boards with this index; `None` for an unused index.
    #[inline]
    pub(super) fn unindex(&self, index: u64) -> Option<(u32, u32)> {
        let group = self.groups.partition_point(|group| group.start <= index).checked_sub(1)?;
        let group = &self.groups[group];
        let place = index - group.start;
        let own = u32::from(*group.least.get((place >> group.free) as usize)?);
        let subset = place & all_cells(group.free);
        let other = expand(subset, self.all & !u64::from(own)) as u32;
        let is_alone = self.entries[own as usize].symmetries() == 1;
        (is_alone || self.index(own, other) == index).then_some((own, other))
    }
}

/// Where the turns and reflections of a board bring a square.
fn symmetries(size: u32) -> [impl Fn(u32) -> u32; SYMMETRIES as usize] {
    std::array::from_fn(|symmetry| {
        move |square| {
            let (mut row, mut column) = (square / size, square % size);
            if symmetry & 4 != 0 {
                (row, column) = (column, row);
            }
            if symmetry & 2 != 0 {
                column = size - 1 - column;
            }
            if symmetry & 1 != 0 {
                row = size - 1 - row;
            }
            row * size + column
        }
    })
}

/// The images of sets of squares under turns and reflections, in digits of base three: 1 for a
/// square in the image. The lower half contains the digits of the first eight squares, the upper
/// half the digits of the next eight.
#[derive(Clone, Debug)]
struct Images {
    /// For every symmetry, the images of the sets of the first eight squares and of the next.
    of_eight: [[[u32; 256]; 2]; SYMMETRIES as usize],
}

impl Images {
    /// The images under symmetries that are given by the image of every set.
    fn new(images: &[Vec<u32>; SYMMETRIES as usize]) -> Images {
        let half = |set: u32| (0..8).rev().fold(0, |digits, at| 3 * digits + (set >> at & 1));
        let digits = |set: u32| half(set >> 8) << 16 | half(set);
        let of_eight = images.each_ref().map(|images| {
            let image = |set: usize| images.get(set).copied().map_or(0, digits);
            [std::array::from_fn(image), std::array::from_fn(|set| image(set << 8))]
        });
        Images { of_eight }
    }

    #[inline]
    fn of(&self, symmetry: u32, set: u32) -> u32 {
        let [low, high] = &self.of_eight[(symmetry % SYMMETRIES) as usize];
        let [first, second, ..] = set.to_le_bytes();
        low[usize::from(first)] + high[usize::from(second)]
    }
}

/// The other's marks on eight squares: their index among the subsets of the squares that are not
/// the mover's, and in the high bits how many those squares are.
#[derive(Clone, Copy, Debug)]
struct Subset(u16);

impl Subset {
    /// All of them, by the marks on the eight squares in digits of base three.
    fn all() -> Box<[Subset; EIGHT_SQUARES]> {
        Box::new(std::array::from_fn(|mut digits| {
            let (mut index, mut free) = (0, 0);
            for _ in 0..8 {
                if digits % 3 != 1 {
                    index |= u16::from(digits % 3 == 2) << free;
                    free += 1;
                }
                digits /= 3;
            }
            Subset(free << 8 | index)
        }))
    }

    #[inline]
    fn index(self) -> u64 {
        u64::from(self.0 as u8)
    }

    #[inline]
    fn free(self) -> u32 {
        u32::from(self.0 >> 8)
    }
}
