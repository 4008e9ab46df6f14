//! The boards, read off drawings of them: points, neighbours, mills and symmetries.

use serde::{Deserialize, Serialize};

/// The boards there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Board {
    /// Two squares, one in the other: 16 points, 6 men.
    Six,
    /// Two squares with a cross in the middle: 17 points, 7 men. Each line of the cross has five
    /// points, and any three that follow each other are a mill.
    Seven,
    /// Three squares, one in the other: 24 points, 9 men.
    Nine,
    /// Three squares, one in the other, with lines between their corners, as in Morabaraba: 24 points,
    /// 12 men.
    Twelve,
}

const SIX: &str = "\
o---o---o
|   |   |
| o-o-o |
| |   | |
o-o   o-o
| |   | |
| o-o-o |
|   |   |
o---o---o";

const SEVEN: &str = "\
o---o---o
|   |   |
| o-o-o |
| | | | |
o-o-o-o-o
| | | | |
| o-o-o |
|   |   |
o---o---o";

const NINE: &str = "\
o-----o-----o
|     |     |
| o---o---o |
| |   |   | |
| | o-o-o | |
| | |   | | |
o-o-o   o-o-o
| | |   | | |
| | o-o-o | |
| |   |   | |
| o---o---o |
|     |     |
o-----o-----o";

const TWELVE: &str = r"o-----o-----o
|\    |    /|
| o---o---o |
| |\  |  /| |
| | o-o-o | |
| | |   | | |
o-o-o   o-o-o
| | |   | | |
| | o-o-o | |
| |/  |  \| |
| o---o---o |
|/    |    \|
o-----o-----o";

impl Board {
    /// How many men each side has in the game that the board is named after.
    #[must_use]
    pub fn men(self) -> u32 {
        match self {
            Board::Six => 6,
            Board::Seven => 7,
            Board::Nine => 9,
            Board::Twelve => 12,
        }
    }

    /// The name of the board.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Board::Six => "six",
            Board::Seven => "seven",
            Board::Nine => "nine",
            Board::Twelve => "twelve",
        }
    }

    /// The board's points and the lines between them.
    #[must_use]
    pub fn lines(self) -> Lines {
        Lines::read(self.drawing())
    }

    /// A drawing in which every point is an `o`. Lines run along `-`, `|`, `\` and `/`; a column or row
    /// of the board takes two of the drawing.
    pub(super) fn drawing(self) -> &'static str {
        match self {
            Board::Six => SIX,
            Board::Seven => SEVEN,
            Board::Nine => NINE,
            Board::Twelve => TWELVE,
        }
    }
}

/// A set of points, bit `p` for point `p`. Points are numbered in reading order.
pub(super) type Points = u32;

/// How many points a set has room for; more than any board has.
const ROOM: usize = Points::BITS as usize;

/// How many mills the boards have at most, but that of twelve.
const USUAL_MILLS: usize = 16;

/// How many mills that one has beyond those.
const MORE_MILLS: usize = 4;

/// The directions of lines, right and down, and how a drawing shows them.
const DIRECTIONS: [((i32, i32), u8); 4] =
    [((1, 0), b'-'), ((0, 1), b'|'), ((1, 1), b'\\'), ((-1, 1), b'/')];

/// Fills up the list of mills where a board has fewer: points that no board has, so that it is
/// never full nor short of one man.
const NO_MILL: Points = 0b11 << (Points::BITS - 2);

/// The lines between the points of a board.
#[derive(Clone, Debug)]
pub struct Lines {
    /// Column and row of each point, from 0, of the board and not of its drawing.
    places: Vec<(u32, u32)>,
    neighbours: [Points; ROOM],
    mills: [Points; USUAL_MILLS],
    /// The mills that `mills` has no room for. They are apart, so that boards without them spend no
    /// time on them.
    more_mills: Option<[Points; MORE_MILLS]>,
}

impl Lines {
    fn read(drawing: &str) -> Lines {
        let drawing: Vec<&[u8]> = drawing.lines().map(str::as_bytes).collect();
        let mut places = Vec::new();
        for (y, line) in drawing.iter().enumerate() {
            let columns = (0..line.len()).filter(|&x| line[x] == b'o');
            places.extend(columns.map(|x| (x as u32 / 2, y as u32 / 2)));
        }
        let at = |(x, y): (i32, i32)| drawing.get(y as usize)?.get(x as usize).copied();
        // The next point along a line from here.
        let next = |point: usize, ((right, down), line): ((i32, i32), u8)| {
            let (column, row) = places[point];
            let mut place = (2 * column as i32 + right, 2 * row as i32 + down);
            while at(place) == Some(line) {
                place = (place.0 + right, place.1 + down);
            }
            let found = (place.0 as u32 / 2, place.1 as u32 / 2);
            let found = places.iter().position(|&other| other == found);
            found.filter(|&found| found != point && at(place) == Some(b'o'))
        };
        let (mut neighbours, mut mills) = ([0; ROOM], Vec::new());
        for point in 0..places.len() {
            for direction in DIRECTIONS {
                let Some(second) = next(point, direction) else { continue };
                neighbours[point] |= 1 << second;
                neighbours[second] |= 1 << point;
                if let Some(third) = next(second, direction) {
                    mills.push(1 << point | 1 << second | 1 << third);
                }
            }
        }
        let has_more = mills.len() > USUAL_MILLS;
        assert!(mills.len() <= USUAL_MILLS + MORE_MILLS, "a board with {} mills", mills.len());
        mills.resize(USUAL_MILLS + MORE_MILLS, NO_MILL);
        let more_mills = has_more.then(|| std::array::from_fn(|at| mills[USUAL_MILLS + at]));
        let mills = std::array::from_fn(|at| mills[at]);
        Lines { places, neighbours, mills, more_mills }
    }

    /// How many points the board has.
    #[must_use]
    pub fn points(&self) -> u32 {
        self.places.len() as u32
    }

    /// The points that a line joins to `point`, bit `p` for point `p`.
    ///
    /// # Panics
    /// If there is no such point.
    #[must_use]
    pub fn neighbours(&self, point: u32) -> u32 {
        assert!(point < self.points(), "point {point} of {}", self.points());
        self.neighbours[point as usize]
    }

    /// The lines of three, each a set of points.
    pub fn mills(&self) -> impl Iterator<Item = u32> + '_ {
        let more = self.more_mills.iter().flatten();
        self.mills.iter().chain(more).copied().filter(|&mill| mill != NO_MILL)
    }

    /// All points.
    pub(super) fn all(&self) -> Points {
        Points::MAX >> (Points::BITS - self.points())
    }

    /// Column and row of each point, from 0.
    pub(super) fn places(&self) -> &[(u32, u32)] {
        &self.places
    }

    /// The points that a line joins to the only point of `point`.
    #[inline]
    pub(super) fn beside(&self, point: Points) -> Points {
        self.neighbours[point.trailing_zeros() as usize % ROOM]
    }

    /// The points, empty or not, where a man more would complete a mill of these men.
    #[inline]
    pub(super) fn completing(&self, men: Points) -> Points {
        let single = |set: Points| if set & set.wrapping_sub(1) == 0 { set } else { 0 };
        self.fold(0, |points, mill| points | single(mill & !men))
    }

    /// Whether a man on the only point of `point` completes a mill with these other men.
    #[inline]
    pub(super) fn completes(&self, men: Points, point: Points) -> bool {
        let men = men | point;
        let completes = |&mill: &Points| mill & point != 0 && mill & !men == 0;
        self.mills.iter().any(completes) || self.more_mills.iter().flatten().any(completes)
    }

    /// Which of these men are in mills.
    #[inline]
    pub(super) fn in_mills(&self, men: Points) -> Points {
        let full = |mill: Points| if mill & !men == 0 { mill } else { 0 };
        self.fold(0, |points, mill| points | full(mill))
    }

    /// How many mills these men have.
    #[inline]
    pub(super) fn count_mills(&self, men: Points) -> u32 {
        self.fold(0, |mills, mill| mills + u32::from(mill & !men == 0))
    }

    /// Folds over all mills, and over what fills up their lists.
    #[inline]
    fn fold<T>(&self, first: T, next: impl Fn(T, Points) -> T) -> T {
        let usual = self.mills.iter().fold(first, |value, &mill| next(value, mill));
        match &self.more_mills {
            Some(more) => more.iter().fold(usual, |value, &mill| next(value, mill)),
            None => usual,
        }
    }

    /// The symmetries of the board, which preserve neighbours and mills, each as the image of every
    /// point; the first is the identity.
    pub(super) fn symmetries(&self) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        self.complete(&mut Vec::new(), &mut found);
        found
    }

    /// Finds the symmetries that begin with these images of the first points.
    fn complete(&self, images: &mut Vec<u8>, found: &mut Vec<Vec<u8>>) {
        let point = images.len();
        if point == self.places.len() {
            if self.keeps_mills(images) {
                found.push(images.clone());
            }
            return;
        }
        for image in 0..self.points() as u8 {
            let joined = |a: usize, b: usize| self.neighbours[a] >> b & 1;
            let fits = |(before, &its_image): (usize, &u8)| {
                its_image != image
                    && joined(point, before) == joined(image.into(), its_image.into())
            };
            if images.iter().enumerate().all(fits) {
                images.push(image);
                self.complete(images, found);
                images.pop();
            }
        }
    }

    fn keeps_mills(&self, images: &[u8]) -> bool {
        self.mills().all(|mill| {
            let image = points(mill).fold(0, |set, point| set | 1 << images[point as usize]);
            self.mills().any(|mill| mill == image)
        })
    }
}

/// The points of a set, ascending.
#[inline]
pub(super) fn points(set: Points) -> impl Iterator<Item = u32> {
    singles(set).map(Points::trailing_zeros)
}

/// The points of a set, ascending, each as a set of its own.
#[inline]
pub(super) fn singles(mut set: Points) -> impl Iterator<Item = Points> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}
