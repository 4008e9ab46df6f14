//! The numbering of an ending: how the squares of its men make an index.
//!
//! Two men lead: the kings, if there are any. Their squares are folded by the symmetries of the ending, so
//! that the least image of both stands for all. The others follow like digits, and like men among them as
//! one digit, whatever their order. Where a symmetry leaves the leading men on their squares, the least
//! index counts, and the others are unused.

use super::board::{Board, Symmetry};

/// The most men of an ending.
pub(super) const MOST_MEN: usize = 5;

/// The squares of the men of an ending, in the order of their places.
pub(super) type Squares = [u8; MOST_MEN];

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
    stride: u64,
    /// How many placements there are.
    len: u64,
}

pub(super) struct Numbering {
    squares: usize,
    lead: Lead,
    frames: Vec<Frame>,
    /// The squares of the leading men by their class.
    classes: Vec<[u8; 2]>,
    groups: Vec<Group>,
    /// The number of placements of all that follow.
    followers: u64,
    turns: u64,
    /// The image of each square under each symmetry; the identity is the first.
    images: Vec<Vec<u8>>,
    /// The symmetries that leave a square where it is, without the identity.
    fixed_by: Vec<u8>,
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
        let image = |symmetry: &Symmetry| (0..len).map(|at| board.image(at, *symmetry)).collect();
        let images: Vec<Vec<u8>> = symmetries.iter().map(image).collect();
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
            let len = ways(len.into(), men);
            following.push(Group { first, men, stride: followers, len });
            followers *= len;
        }
        let (mut frames, mut classes) = (Vec::new(), Vec::<[u8; 2]>::new());
        let seconds = if matches!(lead, Lead::One(_) | Lead::Nobody) { 1 } else { len };
        let firsts = if lead == Lead::Nobody { 1 } else { len };
        for first in 0..firsts {
            for second in 0..seconds {
                let image = |images: &Vec<u8>| {
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
            classes,
            groups: following,
            followers,
            turns,
            fixed_by: (0..len).map(fixed_by).collect(),
            images,
        }
    }

    pub(super) fn len(&self) -> u64 {
        self.classes.len() as u64 * self.followers * self.turns
    }

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

    /// The index of the men that follow after a symmetry.
    #[inline]
    fn followers_of(&self, squares: &Squares, symmetry: usize) -> u64 {
        let images = &self.images[symmetry];
        let image = |place: usize| u64::from(images[usize::from(squares[place])]);
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
        self.groups.iter().map(|group| digit(group) * group.stride).sum()
    }

    /// The index of a legal position.
    #[inline]
    pub(super) fn index(&self, squares: &Squares, side: usize) -> u64 {
        let Frame { class, symmetries } = self.frame(squares);
        let mut left = symmetries;
        let mut least = u64::MAX;
        while left != 0 {
            least = least.min(self.followers_of(squares, left.trailing_zeros() as usize));
            left &= left - 1;
        }
        let turn = if self.turns == 1 { 0 } else { side as u64 };
        (turn * self.classes.len() as u64 + u64::from(class)) * self.followers + least
    }

    /// The squares and the side to move of an index; `None` where two men would share a square, or
    /// where another index is the least of its images.
    #[inline]
    pub(super) fn unindex(&self, index: u64) -> Option<(Squares, usize)> {
        let (frame, followers) = (index / self.followers, index % self.followers);
        let (turn, class) = (frame / self.classes.len() as u64, frame % self.classes.len() as u64);
        let [first, second] = self.classes[class as usize];
        let mut squares = [NOWHERE; MOST_MEN];
        match self.lead {
            Lead::Two(one, other) => (squares[one], squares[other]) = (first, second),
            Lead::Pair(place) => (squares[place], squares[place + 1]) = (first, second),
            Lead::One(one) => squares[one] = first,
            Lead::Nobody => {}
        }
        let mut left = followers;
        for group in self.groups.iter().rev() {
            let mut digit;
            (digit, left) = (left / group.stride, left % group.stride);
            debug_assert!(digit < group.len);
            let mut below = self.squares as u64;
            for some in (1..=group.men).rev() {
                let square = match some {
                    1 => digit,
                    // The greatest square of which there are not too many ways.
                    _ => (0..below).rev().find(|&square| ways(square, some) <= digit)?,
                };
                digit -= ways(square, some);
                below = square;
                squares[group.first + some - 1] = square as u8;
            }
        }
        let mut taken = 0_u128;
        for &square in squares.iter().filter(|&&square| square != NOWHERE) {
            if taken >> square & 1 != 0 {
                return None;
            }
            taken |= 1 << square;
        }
        let symmetries = self.frame(&squares).symmetries;
        let is_least = symmetries & (symmetries - 1) == 0
            || (0..self.images.len())
                .filter(|at| symmetries >> at & 1 != 0)
                .all(|at| followers <= self.followers_of(&squares, at));
        is_least.then_some((squares, turn as usize))
    }

    /// The symmetries, without the identity, that leave a square where it is: a bit for each.
    #[inline(always)]
    pub(super) fn fixing(&self, square: u8) -> u8 {
        self.fixed_by[usize::from(square)]
    }

    /// The number of symmetries.
    pub(super) fn symmetries(&self) -> usize {
        self.images.len()
    }
}
