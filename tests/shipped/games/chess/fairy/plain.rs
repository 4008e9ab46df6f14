//! Fairy chess by its plain rules, square by square: slow, short, and without code of the game's rules.

use retrograde::Value;
use retrograde_games::chess::{BareKing, Variant, Worth};

use crate::brute_force::Rules;

/// Leaps of a piece with the text for them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Atom {
    pub(super) text: &'static str,
    /// To the right and ahead, seen by the owner.
    pub(super) steps: &'static [(i32, i32)],
}

/// A part of a piece.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) atom: Atom,
    /// The most leaps; 0 for any number.
    pub(super) most: u32,
    pub(super) moves: bool,
    pub(super) takes: bool,
    /// Over a man: `g` right behind it, `p` and on.
    pub(super) hop: Option<char>,
}

/// A board with letters as in FEN, and a space for a free square. Index 0 is a1.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Board {
    pub(super) squares: Vec<char>,
    pub(super) white_moves: bool,
    /// The square that a pawn has just passed over, if it can be captured there.
    pub(super) passed: Option<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Plain {
    pub(super) files: i32,
    pub(super) ranks: i32,
    pub(super) pieces: Vec<(char, Vec<Part>)>,
    pub(super) variant: Variant,
    pub(super) stalemate: Worth,
    pub(super) bare: BareKing,
    /// How many ranks are for promotion, and to what.
    pub(super) promotion: (i32, Vec<char>),
    /// The rank of the double step, counted from 0.
    pub(super) double_step: Option<i32>,
    pub(super) hill: Option<Vec<usize>>,
}

fn is_white(letter: char) -> bool {
    letter.is_ascii_uppercase()
}

impl Plain {
    fn has_kings(&self) -> bool {
        self.variant != Variant::Giveaway
    }

    pub(super) fn fen(&self, board: &Board) -> String {
        let mut ranks = Vec::new();
        for rank in board.squares.chunks(self.files as usize).rev() {
            let (mut text, mut free) = (String::new(), 0);
            for &letter in rank {
                if letter == ' ' {
                    free += 1;
                    continue;
                }
                if free > 0 {
                    text += &free.to_string();
                }
                free = 0;
                text.push(letter);
            }
            ranks.push(if free > 0 { text + &free.to_string() } else { text });
        }
        let name = |square: usize| {
            let file = char::from(b'a' + (square as i32 % self.files) as u8);
            format!("{file}{}", square as i32 / self.files + 1)
        };
        let passed = board.passed.map_or_else(|| "-".into(), name);
        let turn = if board.white_moves { 'w' } else { 'b' };
        format!("{} {turn} - {passed} 0 1", ranks.join("/"))
    }

    fn step(&self, square: usize, (right, up): (i32, i32)) -> Option<usize> {
        let (file, rank) = (square as i32 % self.files + right, square as i32 / self.files + up);
        let is_there = (0..self.files).contains(&file) && (0..self.ranks).contains(&rank);
        is_there.then_some((rank * self.files + file) as usize)
    }

    /// The rank of a square as a side counts it, from 0.
    fn rank_of(&self, square: usize, white: bool) -> i32 {
        let rank = square as i32 / self.files;
        if white { rank } else { self.ranks - 1 - rank }
    }

    /// Where the man on a square gets, captures of own men included.
    fn reached(&self, squares: &[char], from: usize) -> Vec<usize> {
        let white = is_white(squares[from]);
        let letter = squares[from].to_ascii_uppercase();
        let (_, parts) = self.pieces.iter().find(|(other, _)| *other == letter).expect("a piece");
        let mut reached = Vec::new();
        for part in parts {
            for &(right, up) in part.atom.steps {
                let step = if white { (right, up) } else { (-right, -up) };
                let (mut at, mut leaps, mut hopped) = (from, 0, part.hop.is_none());
                while let Some(to) = self.step(at, step) {
                    at = to;
                    leaps += 1;
                    let is_free = squares[to] == ' ';
                    if !hopped {
                        hopped = !is_free;
                        continue;
                    }
                    if if is_free { part.moves } else { part.takes } {
                        reached.push(to);
                    }
                    if !is_free || leaps == part.most || part.hop == Some('g') {
                        break;
                    }
                }
            }
        }
        reached
    }

    fn king(&self, squares: &[char], white: bool) -> Option<usize> {
        squares.iter().position(|&letter| letter == if white { 'K' } else { 'k' })
    }

    fn are_beside(&self, one: usize, other: usize) -> bool {
        let steps = (-1..=1).flat_map(|right| (-1..=1).map(move |up| (right, up)));
        one != other && steps.into_iter().any(|step| self.step(one, step) == Some(other))
    }

    fn is_check(&self, squares: &[char], white: bool) -> bool {
        let Some(king) = self.king(squares, white).filter(|_| self.has_kings()) else {
            return false;
        };
        let atomic = self.variant == Variant::Atomic;
        if atomic && self.king(squares, !white).is_some_and(|other| self.are_beside(king, other)) {
            return false;
        }
        (0..squares.len()).any(|from| {
            let letter = squares[from];
            letter != ' '
                && is_white(letter) != white
                && !(atomic && letter.eq_ignore_ascii_case(&'K'))
                && self.reached(squares, from).contains(&king)
        })
    }

    fn men(squares: &[char], white: bool) -> usize {
        squares.iter().filter(|&&letter| letter != ' ' && is_white(letter) == white).count()
    }

    fn is_bare(&self, squares: &[char], white: bool) -> bool {
        self.has_kings() && Plain::men(squares, white) == 1 && self.king(squares, white).is_some()
    }

    /// Whether a king has won by its square.
    fn is_home(&self, squares: &[char], white: bool) -> bool {
        let is_middle = |at: i32, of: i32| 2 * at + 1 >= of - 1 && 2 * at < of + 1;
        self.king(squares, white).is_some_and(|king| {
            let (file, rank) = (king as i32 % self.files, king as i32 / self.files);
            match self.variant {
                Variant::KingOfTheHill => match &self.hill {
                    Some(hill) => hill.contains(&king),
                    None => is_middle(file, self.files) && is_middle(rank, self.ranks),
                },
                Variant::RacingKings => rank == self.ranks - 1,
                _ => false,
            }
        })
    }

    fn promotes(&self, square: usize, white: bool) -> bool {
        self.rank_of(square, white) >= self.ranks - self.promotion.0
    }

    /// The square some ranks ahead of another, as a side's pawns go.
    fn ahead(&self, square: usize, white: bool, ranks: i32) -> Option<usize> {
        self.step(square, (0, if white { ranks } else { -ranks }))
    }

    /// The squares over which a pawn can just have made a double step.
    pub(super) fn may_be_passed(&self, board: &Board) -> Vec<usize> {
        let (squares, white) = (&board.squares, !board.white_moves);
        let pawn = if white { 'P' } else { 'p' };
        let is_passed = |&over: &usize| {
            let (from, to) = (self.ahead(over, white, -1), self.ahead(over, white, 1));
            from.is_some_and(|from| {
                squares[from] == ' ' && Some(self.rank_of(from, white)) == self.double_step
            }) && to.is_some_and(|to| squares[to] == pawn)
                && squares[over] == ' '
        };
        (0..squares.len()).filter(is_passed).collect()
    }

    /// The same board, with the right to capture en passant if that is legal.
    pub(super) fn with_right(&self, board: Board, over: usize) -> Board {
        let with_right = Board { passed: Some(over), ..board.clone() };
        if self.captures_in_passing(&with_right).is_empty() { board } else { with_right }
    }

    fn captures_in_passing(&self, board: &Board) -> Vec<Board> {
        let Some(over) = board.passed else { return Vec::new() };
        let (squares, mover) = (&board.squares, board.white_moves);
        let pawn = if mover { 'P' } else { 'p' };
        let taken = self.ahead(over, !mover, 1).expect("a pawn ahead");
        let mut all = Vec::new();
        for side in [-1, 1] {
            let from = self.step(over, (side, if mover { -1 } else { 1 }));
            if let Some(from) = from.filter(|&from| squares[from] == pawn) {
                let mut after = squares.clone();
                (after[from], after[taken], after[over]) = (' ', ' ', pawn);
                all.extend(self.finished(after, over, true, mover));
            }
        }
        all
    }

    /// The boards that come of a side's move of a man to a square. Empty if that is not legal.
    fn finished(&self, mut after: Vec<char>, to: usize, takes: bool, mover: bool) -> Option<Board> {
        if self.variant == Variant::Atomic && takes {
            after[to] = ' ';
            for (near, man) in after.iter_mut().enumerate() {
                if self.are_beside(near, to) && !man.eq_ignore_ascii_case(&'P') {
                    *man = ' ';
                }
            }
            self.king(&after, mover)?;
        }
        let has_won = self.has_kings() && self.king(&after, !mover).is_none();
        let gives_check = || self.variant == Variant::RacingKings && self.is_check(&after, !mover);
        let is_legal = (has_won || !self.is_check(&after, mover)) && !gives_check();
        is_legal.then_some(Board { squares: after, white_moves: !mover, passed: None })
    }

    /// Whether play can come to a board.
    pub(super) fn can_be(&self, board: &Board) -> bool {
        let Board { squares, white_moves, .. } = board;
        let (mover, waiting) = (*white_moves, !*white_moves);
        let race = self.variant == Variant::RacingKings;
        let pawns_stand = squares.iter().enumerate().all(|(square, &letter)| {
            let white = is_white(letter);
            let stands = || self.rank_of(square, white) > 0 && !self.promotes(square, white);
            !letter.eq_ignore_ascii_case(&'P') || stands()
        });
        // The mover has won by the own last move, or the other has lost by it.
        let is_late = self.is_home(squares, mover) && !(race && mover)
            || self.has_kings() && self.king(squares, waiting).is_none()
            || !self.has_kings() && Plain::men(squares, waiting) == 0
            || matches!(self.bare, BareKing::Loses | BareKing::Wins)
                && self.is_bare(squares, waiting)
                && !self.is_bare(squares, mover);
        let may_be_in_check = |white| !race && white == mover;
        let is_safe = |&white: &bool| may_be_in_check(white) || !self.is_check(squares, white);
        pawns_stand && !is_late && [true, false].iter().all(is_safe)
    }
}

fn worth(worth: Worth) -> Value {
    match worth {
        Worth::Won => Value::Win(0),
        Worth::Drawn => Value::Draw(0),
        Worth::Lost => Value::Loss(0),
    }
}

impl Rules for Plain {
    type Board = Board;

    fn over(&self, board: &Board) -> Option<Value> {
        let Board { squares, white_moves, .. } = board;
        let (mover, waiting) = (*white_moves, !*white_moves);
        if !self.has_kings() && Plain::men(squares, mover) == 0 {
            return Some(Value::Win(0));
        }
        if self.has_kings() && self.king(squares, mover).is_none() {
            return Some(Value::Loss(0));
        }
        match (self.is_bare(squares, mover), self.is_bare(squares, waiting), self.bare) {
            (.., BareKing::PlaysOn) | (false, false, _) => {}
            (true, true, _) => return Some(Value::Draw(0)),
            (true, _, BareKing::Loses) => return Some(Value::Loss(0)),
            (true, _, BareKing::Wins) => return Some(Value::Win(0)),
            (true, _, BareKing::LosesUnlessBoth) => {}
            (_, true, _) => return Some(Value::Win(0)),
        }
        let race = self.variant == Variant::RacingKings;
        match (self.is_home(squares, mover), self.is_home(squares, waiting)) {
            (true, true) => return Some(Value::Draw(0)),
            (true, false) => return Some(Value::Win(0)),
            (false, true) if !race || mover => return Some(Value::Loss(0)),
            _ => {}
        }
        if !self.after(board).is_empty() {
            return None;
        }
        Some(match self.is_check(squares, mover) {
            true if matches!(self.variant, Variant::Losers | Variant::Selfmate) => Value::Win(0),
            true => Value::Loss(0),
            false => worth(self.stalemate),
        })
    }

    fn after(&self, board: &Board) -> Vec<Board> {
        let (squares, mover) = (&board.squares, board.white_moves);
        let atomic = self.variant == Variant::Atomic;
        let (mut captures, mut others) = (self.captures_in_passing(board), Vec::new());
        for from in 0..squares.len() {
            if squares[from] == ' ' || is_white(squares[from]) != mover {
                continue;
            }
            let is_pawn = squares[from].eq_ignore_ascii_case(&'P');
            let one = self.ahead(from, mover, 1).filter(|&one| squares[one] == ' ');
            let two = self.ahead(from, mover, 2).filter(|&two| squares[two] == ' ');
            let is_there = is_pawn && Some(self.rank_of(from, mover)) == self.double_step;
            let double = one.and(two).filter(|_| is_there);
            for to in self.reached(squares, from).into_iter().chain(double) {
                let takes = squares[to] != ' ';
                let is_king = squares[from].eq_ignore_ascii_case(&'K');
                if takes && (is_white(squares[to]) == mover || atomic && is_king) {
                    continue;
                }
                let promotes = is_pawn && self.promotes(to, mover);
                let letters = if promotes { &self.promotion.1[..] } else { &squares[from..=from] };
                let list = if takes { &mut captures } else { &mut others };
                for letter in letters {
                    let mut after = squares.clone();
                    after[from] = ' ';
                    after[to] = match mover {
                        true => letter.to_ascii_uppercase(),
                        false => letter.to_ascii_lowercase(),
                    };
                    let next = self.finished(after, to, takes, mover);
                    list.extend(next.map(|next| match one.filter(|_| double == Some(to)) {
                        Some(over) => self.with_right(next, over),
                        None => next,
                    }));
                }
            }
        }
        let compelled = matches!(self.variant, Variant::Giveaway | Variant::Losers);
        if !compelled || captures.is_empty() {
            captures.append(&mut others);
        }
        captures
    }
}
