//! Chess square by square: slow, short, and without code of the game's rules.

/// A board with letters as in FEN, and a space for a free square. Index 0 is a1.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Mailbox {
    pub(crate) board: [char; 64],
    pub(crate) white_moves: bool,
    /// The square of a legal capture en passant.
    pub(crate) en_passant: Option<usize>,
}

const ORTHOGONAL: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const KNIGHT: [(i32, i32); 8] =
    [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

fn step(square: usize, (files, ranks): (i32, i32)) -> Option<usize> {
    let (file, rank) = (square as i32 % 8 + files, square as i32 / 8 + ranks);
    let is_on_board = (0..8).contains(&file) && (0..8).contains(&rank);
    is_on_board.then_some((rank * 8 + file) as usize)
}

impl Mailbox {
    pub(crate) fn of_fen(fen: &str) -> Mailbox {
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut board = [' '; 64];
        for (rank, text) in (0..8).rev().zip(fields[0].split('/')) {
            let mut file = 0;
            for letter in text.chars() {
                match letter.to_digit(10) {
                    Some(free) => file += free as usize,
                    None => {
                        board[8 * rank + file] = letter;
                        file += 1;
                    }
                }
            }
        }
        let en_passant = match *fields[3].as_bytes() {
            [file, rank] => Some(usize::from(rank - b'1') * 8 + usize::from(file - b'a')),
            _ => None,
        };
        Mailbox { board, white_moves: fields[1] == "w", en_passant }
    }

    pub(crate) fn fen(&self) -> String {
        let rank = |rank: usize| self.board[8 * rank..8 * rank + 8].iter().collect();
        let mut board = (0..8).rev().map(rank).collect::<Vec<String>>().join("/");
        for free in (1..=8).rev() {
            board = board.replace(&" ".repeat(free), &free.to_string());
        }
        let en_passant = self.en_passant.map_or("-".into(), |square| {
            format!("{}{}", char::from(b'a' + square as u8 % 8), square / 8 + 1)
        });
        let turn = if self.white_moves { 'w' } else { 'b' };
        format!("{board} {turn} - {en_passant} 0 1")
    }

    fn is_own(&self, square: usize, white: bool) -> bool {
        let letter = self.board[square];
        letter != ' ' && letter.is_ascii_uppercase() == white
    }

    /// The squares that the man on a square attacks, whether they are free or not.
    fn attacks(&self, from: usize) -> Vec<usize> {
        let man = self.board[from];
        let (lines, jumps): (Vec<_>, Vec<_>) = match man.to_ascii_uppercase() {
            'Q' => ([ORTHOGONAL, DIAGONAL].concat(), vec![]),
            'R' => (ORTHOGONAL.to_vec(), vec![]),
            'B' => (DIAGONAL.to_vec(), vec![]),
            'N' => (vec![], KNIGHT.to_vec()),
            'K' => (vec![], [ORTHOGONAL, DIAGONAL].concat()),
            'P' if man == 'P' => (vec![], vec![(1, 1), (-1, 1)]),
            'P' => (vec![], vec![(1, -1), (-1, -1)]),
            _ => (vec![], vec![]),
        };
        let mut attacked: Vec<usize> = jumps.into_iter().filter_map(|by| step(from, by)).collect();
        for line in lines {
            let mut at = from;
            while let Some(next) = step(at, line) {
                attacked.push(next);
                at = next;
                if self.board[next] != ' ' {
                    break;
                }
            }
        }
        attacked
    }

    pub(crate) fn is_attacked(&self, square: usize, by_white: bool) -> bool {
        (0..64).any(|from| self.is_own(from, by_white) && self.attacks(from).contains(&square))
    }

    pub(crate) fn is_in_check(&self, white: bool) -> bool {
        let king = if white { 'K' } else { 'k' };
        let at = self.board.iter().position(|&man| man == king);
        at.is_some_and(|at| self.is_attacked(at, !white))
    }

    /// The boards after the moves of the side to move. Its king may be in check.
    fn played(&self) -> Vec<Mailbox> {
        let white = self.white_moves;
        let mut after = Vec::new();
        let mut play = |from: usize, to: usize, becomes: char, gone: Option<usize>, right| {
            let mut next = Mailbox { white_moves: !white, en_passant: right, ..self.clone() };
            next.board[to] = becomes;
            next.board[from] = ' ';
            if let Some(gone) = gone {
                next.board[gone] = ' ';
            }
            after.push(next);
        };
        for from in (0..64).filter(|&from| self.is_own(from, white)) {
            let man = self.board[from];
            if !man.eq_ignore_ascii_case(&'P') {
                for to in self.attacks(from) {
                    if !self.is_own(to, white) {
                        play(from, to, man, None, None);
                    }
                }
                continue;
            }
            let (ahead, first, last) = if white { (1, 1, 7) } else { (-1, 6, 0) };
            let mut targets = Vec::new();
            if let Some(to) = step(from, (0, ahead)).filter(|&to| self.board[to] == ' ') {
                targets.push((to, None, None));
                if from / 8 == first
                    && let Some(further) = step(to, (0, ahead))
                    && self.board[further] == ' '
                {
                    targets.push((further, None, Some(to)));
                }
            }
            for to in self.attacks(from) {
                if self.is_own(to, !white) {
                    targets.push((to, None, None));
                } else if self.en_passant == Some(to) {
                    targets.push((to, step(to, (0, -ahead)), None));
                }
            }
            for (to, gone, right) in targets {
                if to / 8 == last {
                    for becomes in if white { ['Q', 'R', 'B', 'N'] } else { ['q', 'r', 'b', 'n'] } {
                        play(from, to, becomes, gone, right);
                    }
                } else {
                    play(from, to, man, gone, right);
                }
            }
        }
        after
    }

    /// The positions after all legal moves.
    pub(crate) fn successors(&self) -> Vec<Mailbox> {
        let mut after = self.played();
        after.retain(|next| !next.is_in_check(self.white_moves));
        for next in &mut after {
            next.keep_right_if_legal();
        }
        after
    }

    /// Keeps the right to capture en passant only if such a capture is legal.
    pub(crate) fn keep_right_if_legal(&mut self) {
        if let Some(target) = self.en_passant {
            let men = |position: &Mailbox| position.board.iter().filter(|&&man| man != ' ').count();
            let is_capture = |next: &Mailbox| {
                let captures = men(next) < men(self);
                let moved = self.board[target] == ' ' && next.board[target] != ' ';
                let is_pawn = next.board[target].eq_ignore_ascii_case(&'P');
                captures && moved && is_pawn && !next.is_in_check(self.white_moves)
            };
            if !self.played().iter().any(is_capture) {
                self.en_passant = None;
            }
        }
    }

    /// Whether this can be a position: the side that is not to move is not in check.
    pub(crate) fn is_legal(&self) -> bool {
        !self.is_in_check(!self.white_moves)
    }

    /// The reflected position. Bit 1 of `kind` reverses the files, bit 2 reverses the ranks, and
    /// bit 4 exchanges files and ranks.
    pub(crate) fn reflected(&self, kind: usize) -> Mailbox {
        let image = |square: usize| {
            let square = square ^ if kind & 1 != 0 { 7 } else { 0 };
            let square = square ^ if kind & 2 != 0 { 56 } else { 0 };
            if kind & 4 != 0 { square % 8 * 8 + square / 8 } else { square }
        };
        let mut reflected = self.clone();
        for square in 0..64 {
            reflected.board[image(square)] = self.board[square];
        }
        reflected.en_passant = self.en_passant.map(image);
        reflected
    }
}
