//! The effect of moves on the board: a table of every way to push a line, forth and back.

/// The index of a square, row by row from the top left.
pub(super) type Square = u32;

/// A row or a column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    first: Square,
    /// How far it is from one square to the next: 1 in a row.
    step: u32,
    size: u32,
    /// Whether it is on the border, so that a cube may be taken anywhere and not only at its ends.
    is_border: bool,
}

impl Line {
    /// The rows of a board of this size, and then its columns.
    pub(super) fn all(size: u32) -> impl Iterator<Item = Line> {
        let line = move |at: u32, apart: u32, step: u32| {
            let is_border = at == 0 || at == size - 1;
            Line { first: at * apart, step, size, is_border }
        };
        let rows = (0..size).map(move |row| line(row, size, 1));
        let columns = (0..size).map(move |column| line(column, 1, size));
        rows.chain(columns)
    }

    /// The square at this place in the line, from 0.
    pub(super) fn at(self, place: u32) -> Square {
        self.first + place * self.step
    }

    /// Every way to push it.
    fn ways(self) -> impl Iterator<Item = Way> {
        let last = self.size - 1;
        let taken = (0..=last).filter(move |&taken| self.is_border || taken == 0 || taken == last);
        taken.flat_map(move |taken| {
            let ends = [0, last].into_iter().filter(move |&pushed| pushed != taken);
            ends.map(move |pushed| Way { line: self, taken, pushed })
        })
    }
}

/// A way to push a line: where in it a cube is taken, and at which end it is pushed in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    line: Line,
    taken: u32,
    pushed: u32,
}

/// Every way to push any line of a board of this size.
pub(super) fn ways(size: u32) -> Vec<Way> {
    Line::all(size).flat_map(Line::ways).collect()
}

impl Way {
    /// Where the cube is taken, and where it is pushed in.
    pub(super) fn ends(self) -> [Square; 2] {
        [self.line.at(self.taken), self.line.at(self.pushed)]
    }

    /// The marks of the mover and of the other after the move, if it is allowed.
    pub(super) fn push(self, own: u32, other: u32) -> Option<(u32, u32)> {
        let [taken, pushed] = self.ends();
        let allowed = other >> taken & 1 == 0;
        allowed.then(|| {
            let [own, other] = [own, other].map(|set| self.moved_up(set, self.taken, self.pushed));
            (own | 1 << pushed, other)
        })
    }

    /// The marks of the mover and of the other before the move: the cube that was taken was blank
    /// or the mover's own.
    fn pull(self, own: u32, other: u32) -> Option<[(u32, u32); 2]> {
        let [taken, pushed] = self.ends();
        let possible = own >> pushed & 1 == 1;
        possible.then(|| {
            let [own, other] = [own, other].map(|set| self.moved_up(set, self.pushed, self.taken));
            [(own, other), (own | 1 << taken, other)]
        })
    }

    /// The set with the place `gap` of the line taken out, the cubes up to `end` moved into it, and
    /// nothing at `end`.
    fn moved_up(self, set: u32, gap: u32, end: u32) -> u32 {
        let mut moved = set;
        let mut place = gap;
        while place != end {
            let next = if end > gap { place + 1 } else { place - 1 };
            let [to, from] = [place, next].map(|place| self.line.at(place));
            moved = moved & !(1 << to) | (set >> from & 1) << to;
            place = next;
        }
        moved & !(1 << self.line.at(end))
    }
}

/// The change of the board by a move: the marks of the mover and of the other that come or go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    own: u32,
    other: u32,
}

/// The changes that are possible with each content of one line.
#[derive(Clone, Debug)]
struct Changes {
    /// Where the changes of each content begin, and behind the last where they end.
    starts: Vec<u16>,
    changes: Vec<Change>,
}

impl Changes {
    /// Tabulates `list`, which gives the boards that come of one with marks in this line only.
    fn tabulate<I>(line: Line, list: impl Fn(u32, u32) -> I) -> Changes
    where
        I: Iterator<Item = (u32, u32)>,
    {
        let mut table = Changes { starts: vec![0], changes: Vec::new() };
        let contents = 1_u32 << line.size;
        let spread = |content: u32| {
            (0..line.size).fold(0, |set, at| set | (content >> at & 1) << line.at(at))
        };
        for (other, own) in
            (0..contents).flat_map(|other| (0..contents).map(move |own| (other, own)))
        {
            if own & other == 0 {
                let [own, other] = [own, other].map(spread);
                let mut changes: Vec<Change> = list(own, other)
                    .map(|(to_own, to_other)| Change { own: own ^ to_own, other: other ^ to_other })
                    .collect();
                changes.sort_unstable();
                changes.dedup();
                table.changes.extend(changes);
            }
            table.starts.push(table.changes.len() as u16);
        }
        table
    }

    /// The changes that are possible with this content: the places with the mover's mark, and above
    /// them those with the other's.
    #[inline]
    fn of(&self, content: usize) -> &[Change] {
        &self.changes[usize::from(self.starts[content])..usize::from(self.starts[content + 1])]
    }
}

/// The marks on the lines of a board, read for all rows and for all columns at once.
#[derive(Clone, Debug)]
struct Reader {
    size: u32,
    /// For every byte of a set of squares and each value it can have: the squares that the rows
    /// hold, in twice as many bits a row as it has squares, and the same of the columns.
    bytes: Vec<[[u64; 2]; 256]>,
}

impl Reader {
    fn new(size: u32) -> Reader {
        let mut bytes = vec![[[0; 2]; 256]; (size * size).div_ceil(8) as usize];
        for square in 0..size * size {
            let (row, column) = (square / size, square % size);
            for (value, read) in bytes[square as usize / 8].iter_mut().enumerate() {
                let bit = (value as u64) >> (square % 8) & 1;
                read[0] |= bit << (row * 2 * size + column);
                read[1] |= bit << (column * 2 * size + row);
            }
        }
        Reader { size, bytes }
    }

    /// Visits what each line holds, first the rows: the places with the mover's mark, and above
    /// them those with the other's.
    #[inline]
    fn contents(&self, own: u32, other: u32) -> impl Iterator<Item = usize> {
        let mut read = [0; 2];
        let bytes = own.to_le_bytes().into_iter().zip(other.to_le_bytes());
        for (table, (own, other)) in self.bytes.iter().zip(bytes) {
            let (own, other) = (table[usize::from(own)], table[usize::from(other)]);
            for ((read, own), other) in read.iter_mut().zip(own).zip(other) {
                *read |= own | other << self.size;
            }
        }
        let (size, width) = (self.size, 2 * self.size);
        read.into_iter().flat_map(move |read| {
            (0..size).map(move |line| (read >> (line * width)) as usize & ((1 << width) - 1))
        })
    }
}

/// Every way to push any line, tabulated by what the line holds.
#[derive(Clone, Debug)]
pub(super) struct Pushes {
    reader: Reader,
    /// For every line, first the rows.
    forth: Vec<Changes>,
    back: Vec<Changes>,
}

impl Pushes {
    /// The ways on a board of this size.
    pub(super) fn new(size: u32) -> Pushes {
        let forth = Line::all(size).map(|line| {
            Changes::tabulate(line, |own, other| {
                line.ways().filter_map(move |way| way.push(own, other))
            })
        });
        let back = Line::all(size).map(|line| {
            Changes::tabulate(line, |own, other| {
                line.ways().filter_map(move |way| way.pull(own, other)).flatten()
            })
        });
        Pushes { reader: Reader::new(size), forth: forth.collect(), back: back.collect() }
    }

    /// Visits the marks of the mover and of the other after each move. A board that several moves
    /// make is visited once a line.
    #[inline]
    pub(super) fn forth(&self, own: u32, other: u32, visit: impl FnMut(u32, u32)) {
        self.change(&self.forth, own, other, visit);
    }

    /// Visits the marks of the mover and of the other before each move that leads here.
    #[inline]
    pub(super) fn back(&self, own: u32, other: u32, visit: impl FnMut(u32, u32)) {
        self.change(&self.back, own, other, visit);
    }

    #[inline]
    fn change(&self, lines: &[Changes], own: u32, other: u32, mut visit: impl FnMut(u32, u32)) {
        for (changes, content) in lines.iter().zip(self.reader.contents(own, other)) {
            for change in changes.of(content) {
                visit(own ^ change.own, other ^ change.other);
            }
        }
    }
}
