//! Dobutsu shogi written down from the rules, on a board of letters: slow, and without code of the
//! engine or of the game.

use std::collections::HashMap;

/// A position: the rows from the top with sente's pieces as capitals, the sorted pieces in hand,
/// and the turn.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Naive {
    rows: Vec<Vec<char>>,
    hands: Vec<char>,
    sente_moves: bool,
}

/// The way in which play is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// The player to move can take the lion.
    LionCanBeTaken,
    /// The other player's lion has reached its goal and can't be taken.
    GoalIsReached,
}

/// The outcome of a position for the player to move, and the number of plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Worth {
    Won(u32),
    Lost(u32),
    Drawn,
}

fn swapped(letter: char) -> char {
    if letter.is_ascii_uppercase() {
        letter.to_ascii_lowercase()
    } else {
        letter.to_ascii_uppercase()
    }
}

/// Steps as columns to the right and rows up.
fn steps(piece: char) -> &'static [(i32, i32)] {
    match piece {
        'C' => &[(0, 1)],
        'H' => &[(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (0, -1)],
        'E' => &[(-1, 1), (1, 1), (-1, -1), (1, -1)],
        'G' => &[(0, 1), (-1, 0), (1, 0), (0, -1)],
        'L' => &[(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1)],
        other => panic!("{other} is no piece"),
    }
}

impl Naive {
    /// Reads `gle/.c./.C./ELG,-,sente`.
    pub(crate) fn read(text: &str) -> Naive {
        let parts: Vec<&str> = text.split(',').collect();
        let rows = parts[0].split('/').map(|row| row.chars().collect()).collect();
        let mut hands: Vec<char> = parts[1].chars().filter(|&letter| letter != '-').collect();
        hands.sort_unstable();
        Naive { rows, hands, sente_moves: parts[2] == "sente" }
    }

    /// The text that [`read`](Naive::read) reads.
    pub(crate) fn text(&self) -> String {
        let rows: Vec<String> = self.rows.iter().map(|row| row.iter().collect()).collect();
        let hands: String = self.hands.iter().collect();
        let hands = if hands.is_empty() { "-".into() } else { hands };
        let turn = if self.sente_moves { "sente" } else { "gote" };
        format!("{},{hands},{turn}", rows.join("/"))
    }

    fn is_mine(&self, letter: char) -> bool {
        letter.is_ascii_alphabetic() && letter.is_ascii_uppercase() == self.sente_moves
    }

    /// Every step of the player to move: the rows, counted from the top, and columns of its two
    /// squares.
    fn all_steps(&self) -> Vec<[usize; 4]> {
        let mut found = Vec::new();
        for row in 0..4 {
            for column in 0..3 {
                let piece = self.rows[row][column];
                if !self.is_mine(piece) {
                    continue;
                }
                for &(right, up) in steps(piece.to_ascii_uppercase()) {
                    let down = if self.sente_moves { -up } else { up };
                    let (to_row, to_column) = (row as i32 + down, column as i32 + right);
                    let inside = (0..4).contains(&to_row) && (0..3).contains(&to_column);
                    if inside && !self.is_mine(self.rows[to_row as usize][to_column as usize]) {
                        found.push([row, column, to_row as usize, to_column as usize]);
                    }
                }
            }
        }
        found
    }

    pub(crate) fn over(&self) -> Option<Over> {
        let takes_lion =
            |&[_, _, row, column]: &[usize; 4]| self.rows[row][column].eq_ignore_ascii_case(&'L');
        if self.all_steps().iter().any(takes_lion) {
            return Some(Over::LionCanBeTaken);
        }
        let (their_goal, their_lion) = if self.sente_moves { (3, 'l') } else { (0, 'L') };
        self.rows[their_goal].contains(&their_lion).then_some(Over::GoalIsReached)
    }

    /// The positions after each move.
    pub(crate) fn moves(&self) -> Vec<Naive> {
        let mut after = Vec::new();
        let last_row = if self.sente_moves { 0 } else { 3 };
        for [row, column, to_row, to_column] in self.all_steps() {
            let mut next = self.clone();
            next.sente_moves = !self.sente_moves;
            let mut piece = std::mem::replace(&mut next.rows[row][column], '.');
            if to_row == last_row {
                piece = match piece {
                    'C' => 'H',
                    'c' => 'h',
                    other => other,
                };
            }
            match std::mem::replace(&mut next.rows[to_row][to_column], piece) {
                '.' => {}
                'h' => next.hands.push('C'),
                'H' => next.hands.push('c'),
                captured => next.hands.push(swapped(captured)),
            }
            next.hands.sort_unstable();
            after.push(next);
        }
        for (at, &piece) in self.hands.iter().enumerate() {
            if !self.is_mine(piece) || self.hands[..at].contains(&piece) {
                continue;
            }
            for row in 0..4 {
                for column in (0..3).filter(|&column| self.rows[row][column] == '.') {
                    let mut next = self.clone();
                    next.sente_moves = !self.sente_moves;
                    next.hands.remove(at);
                    next.rows[row][column] = piece;
                    after.push(next);
                }
            }
        }
        after
    }

    /// The representative of this position, its mirror image, and both with exchanged colours.
    pub(crate) fn folded(&self) -> Naive {
        let mut position = self.clone();
        if !position.sente_moves {
            position.sente_moves = true;
            position.rows.reverse();
            for row in &mut position.rows {
                row.reverse();
                row.iter_mut().for_each(|letter| *letter = swapped(*letter));
            }
            position.hands.iter_mut().for_each(|letter| *letter = swapped(*letter));
            position.hands.sort_unstable();
        }
        let mut mirrored = position.clone();
        mirrored.rows.iter_mut().for_each(|row| row.reverse());
        position.min(mirrored)
    }

    /// The outcomes of all positions that this one leads to, folded.
    pub(crate) fn worths(&self) -> HashMap<Naive, Worth> {
        let mut places = HashMap::from([(self.folded(), 0)]);
        let mut positions = vec![self.folded()];
        let mut successors = Vec::new();
        while successors.len() < positions.len() {
            let position = positions[successors.len()].clone();
            let moves = if position.over().is_some() { Vec::new() } else { position.moves() };
            let place_of = |next: Naive| {
                *places.entry(next.folded()).or_insert_with_key(|next| {
                    positions.push(next.clone());
                    positions.len() - 1
                })
            };
            successors.push(moves.into_iter().map(place_of).collect::<Vec<usize>>());
        }
        let mut worths: Vec<Option<Worth>> = positions
            .iter()
            .map(|position| match position.over()? {
                Over::LionCanBeTaken => Some(Worth::Won(1)),
                Over::GoalIsReached => Some(Worth::Lost(0)),
            })
            .collect();
        for plies in 1.. {
            // Positions with a lion that can be taken are known at the start, but count only from
            // ply 1 on.
            let before = worths.clone();
            let known = |at: usize| before[at].filter(|worth| worth.plies() < plies);
            let mut settled = 0;
            for at in (0..worths.len()).filter(|&at| before[at].is_none()) {
                let next = || successors[at].iter().map(|&next| known(next));
                if next().any(|worth| matches!(worth, Some(Worth::Lost(_)))) {
                    worths[at] = Some(Worth::Won(plies));
                } else if next().all(|worth| matches!(worth, Some(Worth::Won(_)))) {
                    worths[at] = Some(Worth::Lost(plies));
                }
                settled += usize::from(worths[at].is_some());
            }
            if settled == 0 && plies > 1 {
                break;
            }
        }
        let worths = worths.into_iter().map(|worth| worth.unwrap_or(Worth::Drawn));
        positions.into_iter().zip(worths).collect()
    }
}

impl Worth {
    fn plies(self) -> u32 {
        match self {
            Worth::Won(plies) | Worth::Lost(plies) => plies,
            Worth::Drawn => u32::MAX,
        }
    }
}
