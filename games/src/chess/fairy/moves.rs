//! The squares that a man reaches, computed once for each piece and square.

use super::board::{Board, Set, bit};
use super::piece::{Hop, Piece, Stroke};

/// The squares in one direction from another, in order.
struct Ray {
    set: Set,
    /// Whether the numbers of the squares ascend.
    ascends: bool,
    way: Way,
    moves: bool,
    takes: bool,
}

/// How a man goes along a ray.
#[derive(Clone, Copy)]
enum Way {
    Slide,
    /// Over the first man, to the square behind it.
    Behind,
    /// Back from behind a man: over one on the first square, and on.
    BackFromBehind,
    /// Over the first man and on.
    Over,
}

impl Ray {
    /// The first square of a set that is not empty and lies on the ray.
    #[inline(always)]
    fn first(&self, set: Set) -> u8 {
        (if self.ascends { set.trailing_zeros() } else { 127 - set.leading_zeros() }) as u8
    }

    /// The squares of the ray up to one, that one included.
    #[inline(always)]
    fn up_to(&self, square: u8) -> Set {
        let below = bit(square) - 1;
        self.set & if self.ascends { below | bit(square) } else { !below }
    }

    /// The part of a set up to the first man on it, the man included.
    #[inline(always)]
    fn to_man(&self, set: Set, occupied: Set) -> Set {
        match set & occupied {
            0 => set,
            men => set & self.up_to(self.first(men)),
        }
    }

    /// The squares that a man reaches along the ray. The last may be occupied.
    #[inline(always)]
    fn reached(&self, occupied: Set) -> Set {
        let beyond = |man| self.set & !self.up_to(man);
        let men = self.set & occupied;
        match self.way {
            Way::Slide => self.to_man(self.set, occupied),
            _ if men == 0 => 0,
            Way::Behind => match beyond(self.first(men)) {
                0 => 0,
                beyond => bit(self.first(beyond)),
            },
            Way::BackFromBehind => {
                let next = self.first(self.set);
                if bit(next) & men == 0 { 0 } else { self.to_man(beyond(next), occupied) }
            }
            Way::Over => self.to_man(beyond(self.first(men)), occupied),
        }
    }
}

/// The squares that a man reaches from one square.
#[derive(Default)]
struct Reach {
    leaps: Set,
    taking_leaps: Set,
    rays: Vec<Ray>,
}

/// The moves of a piece of one side, from every square.
pub(super) struct Moves {
    ahead: Vec<Reach>,
    back: Vec<Reach>,
    /// From where a man could capture on a square if others stood right.
    takes_from: Vec<Set>,
}

/// The squares in one direction from another, in order, that one not included.
fn walk(board: Board, from: u8, step: (i8, i8)) -> impl Iterator<Item = u8> {
    let next = move |&at: &u8| board.offset(at, step);
    std::iter::successors(next(&from), next)
}

/// A stroke of white's man, or of black's, who sits on the other side of the board.
fn step_of(stroke: &Stroke, is_black: bool) -> (i8, i8) {
    let (right, up) = stroke.step;
    if is_black { (-right, -up) } else { (right, up) }
}

/// How many leaps a stroke takes at most from a square. From those in `twice`, a move without capture takes
/// one more.
fn most_from(stroke: &Stroke, square: u8, twice: Set) -> usize {
    match stroke.most {
        0 => usize::MAX,
        most if !stroke.takes && bit(square) & twice != 0 => usize::from(most) + 1,
        most => most.into(),
    }
}

/// A way from one square to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    pub(super) from: u8,
    pub(super) to: u8,
    /// The squares that must be free.
    pub(super) between: Set,
    pub(super) moves: bool,
    pub(super) takes: bool,
}

/// The ways of a piece on an empty board from all squares. `None` for a piece that hops.
pub(super) fn paths(piece: &Piece, board: Board, is_black: bool, twice: Set) -> Option<Vec<Path>> {
    let mut paths = Vec::new();
    for stroke in &piece.strokes {
        if stroke.hop != Hop::Never {
            return None;
        }
        let (moves, takes) = (stroke.moves, stroke.takes);
        for from in 0..board.len() as u8 {
            let mut between = 0;
            let squares = walk(board, from, step_of(stroke, is_black));
            for to in squares.take(most_from(stroke, from, twice)) {
                paths.push(Path { from, to, between, moves, takes });
                between |= bit(to);
            }
        }
    }
    Some(paths)
}

impl Moves {
    /// The moves of white's man, or of black's. From the squares of `twice`, a move without capture takes
    /// one leap more.
    pub(super) fn new(piece: &Piece, board: Board, is_black: bool, twice: Set) -> Moves {
        let all = || 0..board.len() as u8;
        let (mut ahead, mut back): (Vec<Reach>, Vec<Reach>) =
            all().map(|_| (Reach::default(), Reach::default())).unzip();
        let mut takes_from = vec![0; board.len()];
        for stroke in &piece.strokes {
            let step = step_of(stroke, is_black);
            for from in all() {
                let set: Set = walk(board, from, step)
                    .take(most_from(stroke, from, twice))
                    .fold(0, |set, square| set | bit(square));
                let set_back: Set = (1..)
                    .zip(walk(board, from, (-step.0, -step.1)))
                    .filter(|&(leaps, square)| leaps <= most_from(stroke, square, twice))
                    .fold(0, |set, (_, square)| set | bit(square));
                let ascends = |(right, up): (i8, i8)| up > 0 || up == 0 && right > 0;
                let (way, way_back) = match stroke.hop {
                    Hop::Never => (Way::Slide, Way::Slide),
                    Hop::Behind => (Way::Behind, Way::BackFromBehind),
                    Hop::Over => (Way::Over, Way::Over),
                };
                let (moves, takes) = (stroke.moves, stroke.takes);
                if takes {
                    takes_from[usize::from(from)] |= set_back;
                }
                let is_leap = |set: Set| stroke.most == 1 && set.count_ones() == 1;
                let (ahead, back) = (&mut ahead[usize::from(from)], &mut back[usize::from(from)]);
                if is_leap(set) {
                    ahead.leaps |= if moves { set } else { 0 };
                    ahead.taking_leaps |= if takes { set } else { 0 };
                } else if set != 0 {
                    ahead.rays.push(Ray { set, ascends: ascends(step), way, moves, takes });
                }
                if is_leap(set_back) {
                    back.leaps |= if moves { set_back } else { 0 };
                } else if moves && set_back != 0 {
                    let ascends = !ascends(step);
                    back.rays.push(Ray { set: set_back, ascends, way: way_back, moves, takes });
                }
            }
        }
        Moves { ahead, back, takes_from }
    }

    /// The empty squares that a man gets to, and the occupied ones that it can capture on.
    #[inline]
    pub(super) fn reached(&self, from: u8, occupied: Set) -> (Set, Set) {
        let reach = &self.ahead[usize::from(from)];
        let (mut moves, mut takes) = (reach.leaps, reach.taking_leaps);
        for ray in &reach.rays {
            let reached = ray.reached(occupied);
            moves |= if ray.moves { reached } else { 0 };
            takes |= if ray.takes { reached } else { 0 };
        }
        (moves & !occupied, takes & occupied)
    }

    /// From where a man can have come to a square without a capture.
    #[inline]
    pub(super) fn came_from(&self, to: u8, occupied: Set) -> Set {
        let reach = &self.back[usize::from(to)];
        let rays = reach.rays.iter().map(|ray| ray.reached(occupied));
        rays.fold(reach.leaps, |set, reached| set | reached) & !occupied
    }

    /// From where a man could capture on a square if others stood right.
    #[inline]
    pub(super) fn takes_from(&self, to: u8) -> Set {
        self.takes_from[usize::from(to)]
    }

    /// Whether a man attacks an occupied square.
    #[inline]
    pub(super) fn attacks(&self, from: u8, to: u8, occupied: Set) -> bool {
        if self.takes_from(to) & bit(from) == 0 {
            return false;
        }
        let (reach, to) = (&self.ahead[usize::from(from)], bit(to));
        let hits = |ray: &Ray| ray.takes && ray.set & to != 0 && ray.reached(occupied) & to != 0;
        reach.taking_leaps & to != 0 || reach.rays.iter().any(hits)
    }

    /// Whether a man attacks a square by a leap, which nobody can block.
    pub(super) fn leaps_to(&self, from: u8, to: u8) -> bool {
        self.ahead[usize::from(from)].taking_leaps & bit(to) != 0
    }
}
