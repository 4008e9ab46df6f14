//! The numbering of an ending: how the squares of its men make an index.
//!
//! Two men lead: the kings, if there are any. Their squares are folded by the symmetries of the ending, so
//! that the least image of both stands for all. The others follow like digits, and like men among them as
//! one digit, whatever their order. Where a symmetry leaves the leading men on their squares, the least
//! index counts, and the others are unused.

use retrograde::index::Divisor;

use super::board::{Board, Symmetry};

/// The most men of an ending.
pub(super) const MOST_MEN: usize = 5;

/// The squares of the men of an ending, in the order of their places.
pub(super) type Squares = [u8; MOST_MEN];

/// The most squares of a board.
const MOST_SQUARES: u64 = 100;

/// The square of a man that is not there.
pub(super) const NOWHERE: u8 = 127;

/// The leading men of an ending, by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lead {
    /// Two men that are not alike.
    Two(usize, usize),
    /// Two that are alike, and have these two places.
    Pair(usize),
    One(usize),
    Nobody,
}

/// Where an image of the leading men is listed.
#[derive(Clone, Copy, Default)]
struct Frame {
    class: u32,
    /// The symmetries that lead to the image that stands for all, a bit for each; none where the men
    /// can't stand so.
    symmetries: u8,
}

/// Like men that follow the leading ones.
struct Group {
    first: usize,
    men: usize,
    /// How far apart the indices of neighbouring placements are.
    stride: Divisor,
    /// All placements of two or three men, each ascending.
    placed: Vec<[u8; 3]>,
}

impl Group {
    /// The squares of the men by their digit.
    fn put(&self, digit: u64, squares: &mut Squares) {
        let there = &mut squares[self.first..self.first + self.men];
        match (self.men, self.placed.get(digit as usize)) {
            (1, _) => there[0] = digit as u8,
            (_, Some(placed)) => there.copy_from_slice(&placed[..self.men]),
            (_, None) => {
                // The greatest square of which there are not too many ways.
                let (mut left, mut square) = (digit, MOST_SQUARES);
                for (below, man) in there.iter_mut().enumerate().rev() {
                    while ways(square, below + 1) > left {
                        square -= 1;
                    }
                    left -= ways(square, below + 1);
                    *man = square as u8;
                }
            }
        }
    }
}

/// All sets of two or three of these squares, in the order of the highest, then of the next.
fn placements(squares: u8, men: usize) -> Vec<[u8; 3]> {
    let mut placed = Vec::new();
    if men == 2 {
        placed.extend((0..squares).flat_map(|high| (0..high).map(move |low| [low, high, NOWHERE])));
    }
    if men == 3 {
        let pairs = placements(squares, 2);
        placed.extend((0..squares).flat_map(|high| {
            let below = pairs.iter().take_while(move |[_, middle, _]| *middle < high);
            below.map(move |&[low, middle, _]| [low, middle, high])
        }));
    }
    placed
}

/// Indices in a row, which differ only in the square of one man.
pub(super) struct Row {
    pub(super) start: u64,
    /// The man is on the first square at the first index, and so on.
    pub(super) len: u64,
    /// The other men. Several may be on one square.
    pub(super) others: Squares,
    pub(super) side: usize,
    /// The place of the man.
    pub(super) man: usize,
}

pub(super) struct Numbering {
    squares: usize,
    lead: Lead,
    frames: Vec<Frame>,
    /// The squares of the leading men by their class.
    classes: Vec<[u8; 2]>,
    groups: Vec<Group>,
    /// The number of placements of all that follow.
    followers: Divisor,
    /// The number of classes.
    frames_of_turn: Divisor,
    turns: u64,
    /// The image of each square under each symmetry; the identity is the first.
    images: Vec<[u8; 128]>,
    /// The symmetries that leave a square where it is, without the identity.
    fixed_by: Vec<u8>,
}

/// Whether no two men are on one square.
#[inline(always)]
pub(super) fn are_apart(squares: &Squares) -> bool {
    let (mut taken, mut twice) = (0_u128, 0);
    for &square in squares {
        let here = 1 << (square & 127) & (u128::MAX >> 1);
        twice |= taken & here;
        taken |= here;
    }
    twice == 0
}

/// The number of ways to choose some of `from` squares.
fn ways(from: u64, some: usize) -> u64 {
    (0..some as u64).fold(1, |ways, at| ways * from.saturating_sub(at) / (at + 1))
}

impl Numbering {
    /// The numbering of men with these numbers of their kinds and sides, like ones with the same next to
    /// each other. `kings` are their places, and `may_stand` says whether two kings may stand on two
    /// squares. With one turn, only one side is ever to move.
    pub(super) fn new(
        board: Board,
        symmetries: &[Symmetry],
        kinds: &[u8],
        kings: [Option<usize>; 2],
        may_stand: impl Fn(u8, u8) -> bool,
        turns: u64,
    ) -> Numbering {
        let len = board.len() as u8;
        let image = |symmetry: &Symmetry| {
            let mut images = [NOWHERE; 128];
            (0..len).for_each(|at| images[usize::from(at)] = board.image(at, *symmetry));
            images
        };
        let images: Vec<[u8; 128]> = symmetries.iter().map(image).collect();
        let mut groups: Vec<(usize, usize)> = Vec::new();
        for (place, kind) in kinds.iter().enumerate() {
            match groups.last_mut().filter(|(first, _)| kinds[*first] == *kind) {
                Some((_, men)) => *men += 1,
                None => groups.push((place, 1)),
            }
        }
        let single: Vec<usize> =
            groups.iter().filter(|(_, men)| *men == 1).map(|(first, _)| *first).collect();
        let pair = groups.iter().find(|(_, men)| *men == 2);
        let lead = match (kings, &single[..], pair) {
            ([Some(one), Some(other)], ..) => Lead::Two(one, other),
            (_, [one, other, ..], _) => Lead::Two(*one, *other),
            (.., Some(&(first, _))) => Lead::Pair(first),
            (_, [one], _) => Lead::One(*one),
            _ => Lead::Nobody,
        };
        let leads = |place: usize| match lead {
            Lead::Two(one, other) => place == one || place == other,
            Lead::Pair(first) => place == first,
            Lead::One(one) => place == one,
            Lead::Nobody => false,
        };
        groups.retain(|(first, _)| !leads(*first));
        let mut followers = 1;
        let mut following = Vec::new();
        for &(first, men) in groups.iter().rev() {
            let placed = placements(board.len() as u8, men);
            following.push(Group { first, men, stride: Divisor::new(followers), placed });
            followers *= ways(len.into(), men);
        }
        let (mut frames, mut classes) = (Vec::new(), Vec::<[u8; 2]>::new());
        let seconds = if matches!(lead, Lead::One(_) | Lead::Nobody) { 1 } else { len };
        let firsts = if lead == Lead::Nobody { 1 } else { len };
        for first in 0..firsts {
            for second in 0..seconds {
                let image = |images: &[u8; 128]| {
                    let second = if seconds == 1 { 0 } else { images[usize::from(second)] };
                    let first = if firsts == 1 { 0 } else { images[usize::from(first)] };
                    match lead {
                        Lead::Pair(_) => [first.min(second), first.max(second)],
                        _ => [first, second],
                    }
                };
                let least = images.iter().map(image).min().unwrap_or_default();
                let stands = match lead {
                    Lead::Two(..) if kings.iter().all(Option::is_some) => may_stand(first, second),
                    Lead::Two(..) | Lead::Pair(_) => first != second,
                    Lead::One(_) | Lead::Nobody => true,
                };
                if !stands {
                    frames.push(Frame::default());
                    continue;
                }
                if least == [first, second] {
                    classes.push(least);
                }
                let bits = images.iter().enumerate().filter(|(_, images)| image(images) == least);
                let symmetries = bits.fold(0, |bits, (at, _)| bits | 1 << at);
                // Least images come first, so they are listed already.
                let class = classes.binary_search(&least).unwrap_or_default() as u32;
                frames.push(Frame { class, symmetries });
            }
        }
        let fixed_by = |square: u8| {
            let fixing = images.iter().enumerate().skip(1);
            let fixing = fixing.filter(|(_, images)| images[usize::from(square)] == square);
            fixing.fold(0, |bits, (at, _)| bits | 1 << at)
        };
        Numbering {
            squares: len.into(),
            lead,
            frames,
            groups: following,
            followers: Divisor::new(followers),
            frames_of_turn: Divisor::new(classes.len().max(1) as u64),
            classes,
            turns,
            fixed_by: (0..len).map(fixed_by).collect(),
            images,
        }
    }

    pub(super) fn len(&self) -> u64 {
        self.classes.len() as u64 * self.followers.get() * self.turns
    }

    #[inline(always)]
    fn frame(&self, squares: &Squares) -> Frame {
        let at = |place: usize| usize::from(squares[place]);
        let key = match self.lead {
            Lead::Two(one, other) => at(one) * self.squares + at(other),
            Lead::Pair(first) => at(first) * self.squares + at(first + 1),
            Lead::One(one) => at(one),
            Lead::Nobody => 0,
        };
        self.frames[key]
    }

    /// The first index of men whose leading ones are of a class.
    #[inline(always)]
    fn base(&self, class: u32, side: usize) -> u64 {
        let turn = if self.turns == 1 { 0 } else { side as u64 };
        (turn * self.classes.len() as u64 + u64::from(class)) * self.followers.get()
    }

    /// The index of the men that follow after a symmetry.
    #[inline]
    fn followers_of(&self, squares: &Squares, symmetry: usize) -> u64 {
        let images = &self.images[symmetry];
        let image = |place: usize| u64::from(images[usize::from(squares[place] & 127)]);
        let digit = |group: &Group| match group.men {
            1 => image(group.first),
            2 => {
                let (one, other) = (image(group.first), image(group.first + 1));
                let (low, high) = (one.min(other), one.max(other));
                high * high.saturating_sub(1) / 2 + low
            }
            men => {
                let mut like = [0; MOST_MEN];
                for (at, square) in like[..men].iter_mut().enumerate() {
                    *square = image(group.first + at);
                }
                like[..men].sort_unstable();
                (1..).zip(&like[..men]).map(|(some, &square)| ways(square, some)).sum()
            }
        };
        self.groups.iter().map(|group| digit(group) * group.stride.get()).sum()
    }

    /// The least index of the men that follow after any of these symmetries.
    #[inline(always)]
    fn least(&self, symmetries: u8, mut followers_of: impl FnMut(usize) -> u64) -> u64 {
        let (mut left, mut least) = (symmetries, u64::MAX);
        while left != 0 {
            least = least.min(followers_of(left.trailing_zeros() as usize));
            left &= left - 1;
        }
        least
    }

    /// The index of a legal position.
    #[inline]
    pub(super) fn index(&self, squares: &Squares, side: usize) -> u64 {
        let Frame { class, symmetries } = self.frame(squares);
        let least = self.least(symmetries, |symmetry| self.followers_of(squares, symmetry));
        self.base(class, side) + least
    }

    /// Visits the index for the man in a place on each of these squares, the others where they are.
    #[inline(always)]
    pub(super) fn visit_indices(
        &self,
        squares: &Squares,
        side: usize,
        place: usize,
        to: impl Iterator<Item = u8>,
        mut visit: impl FnMut(u64),
    ) {
        let mut men = *squares;
        let Some(group) =
            self.groups.iter().find(|group| place.wrapping_sub(group.first) < group.men)
        else {
            // A leading man: the others stay, whatever the symmetry.
            let (mut known, mut shares) = (0_u8, [0; 8]);
            to.for_each(|to| {
                men[place] = to;
                let Frame { class, symmetries } = self.frame(&men);
                let least = self.least(symmetries, |symmetry| {
                    if known >> symmetry & 1 == 0 {
                        known |= 1 << symmetry;
                        shares[symmetry & 7] = self.followers_of(squares, symmetry);
                    }
                    shares[symmetry & 7]
                });
                visit(self.base(class, side) + least);
            });
            return;
        };
        let Frame { class, symmetries } = self.frame(squares);
        let base = self.base(class, side);
        if group.men == 1 && symmetries.is_power_of_two() {
            let symmetry = symmetries.trailing_zeros() as usize;
            let images = &self.images[symmetry];
            let share =
                |square: u8| u64::from(images[usize::from(square & 127)]) * group.stride.get();
            let rest = base + self.followers_of(squares, symmetry) - share(squares[place]);
            to.for_each(|to| visit(rest + share(to)));
            return;
        }
        to.for_each(|to| {
            men[place] = to;
            let least = self.least(symmetries, |symmetry| self.followers_of(&men, symmetry));
            visit(base + least);
        });
    }

    /// The squares and the side to move of an index. Several men may be on one square.
    #[inline]
    fn placement(&self, index: u64) -> (Squares, usize) {
        let (frame, mut left) = self.followers.div_rem(index);
        let (turn, class) = self.frames_of_turn.div_rem(frame);
        let [first, second] = self.classes[class as usize];
        let mut squares = [NOWHERE; MOST_MEN];
        match self.lead {
            Lead::Two(one, other) => (squares[one], squares[other]) = (first, second),
            Lead::Pair(place) => (squares[place], squares[place + 1]) = (first, second),
            Lead::One(one) => squares[one] = first,
            Lead::Nobody => {}
        }
        for group in self.groups.iter().rev() {
            let digit;
            (digit, left) = group.stride.div_rem(left);
            group.put(digit, &mut squares);
        }
        (squares, turn as usize)
    }

    /// Whether no image of the men has a lesser index.
    #[inline(always)]
    pub(super) fn is_least(&self, squares: &Squares) -> bool {
        let Frame { symmetries, .. } = self.frame(squares);
        symmetries.is_power_of_two() || {
            let own = self.followers_of(squares, 0);
            self.least(symmetries, |symmetry| self.followers_of(squares, symmetry)) == own
        }
    }

    /// The squares and the side to move of an index; `None` where two men would share a square, or
    /// where another index is the least of its images.
    #[inline]
    pub(super) fn unindex(&self, index: u64) -> Option<(Squares, usize)> {
        let (squares, side) = self.placement(index);
        (are_apart(&squares) && self.is_least(&squares)).then_some((squares, side))
    }

    /// The row that an index is in. `None` where all men lead.
    #[inline]
    pub(super) fn row(&self, index: u64) -> Option<Row> {
        let group = self.groups.first()?;
        let (mut others, side) = self.placement(index);
        let man = group.first;
        let square = others[man];
        others[man] = NOWHERE;
        // The lowest of like men is below the next one.
        let len = if group.men == 1 { self.squares as u64 } else { others[man + 1].into() };
        Some(Row { start: index - u64::from(square), len, others, side, man })
    }

    /// The symmetries, without the identity, that leave a square where it is: a bit for each.
    #[inline(always)]
    pub(super) fn fixing(&self, square: u8) -> u8 {
        self.fixed_by[usize::from(square)]
    }

    /// The image of a square under a symmetry.
    pub(super) fn image(&self, symmetry: usize, square: u8) -> u8 {
        self.images[symmetry][usize::from(square & 127)]
    }

    /// Whether a symmetry, done twice, leaves all where it is.
    pub(super) fn is_own_inverse(&self, symmetry: usize) -> bool {
        (0..self.squares as u8).all(|at| self.image(symmetry, self.image(symmetry, at)) == at)
    }

    /// The number of symmetries.
    pub(super) fn symmetries(&self) -> usize {
        self.images.len()
    }
}
