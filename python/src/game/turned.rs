//! Boards that follow the player to move. After each move the sides may be exchanged, and the board turned
//! round. How a game does it is found from its moves: a move changes few places.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use super::prepared::State;
use super::rules::Rules;

/// The letters of a board, row after row. Empty places have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Letters {
    columns: usize,
    places: Vec<Option<char>>,
}

impl Letters {
    pub(super) fn of(rows: &[String]) -> Letters {
        let columns = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
        let mut places = vec![None; rows.len() * columns];
        for (row, letters) in rows.iter().enumerate() {
            for (column, letter) in letters.chars().enumerate() {
                places[row * columns + column] = (!is_empty(letter)).then_some(letter);
            }
        }
        Letters { columns, places }
    }

    fn has_shape_of(&self, other: &Letters) -> bool {
        (self.columns, self.places.len()) == (other.columns, other.places.len())
    }
}

/// Whether a letter of a board stands for an empty place.
pub(super) fn is_empty(letter: char) -> bool {
    matches!(letter, '.' | ' ')
}

/// How a board is turned after each move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Turn {
    #[default]
    Not,
    /// By 180 degrees.
    Round,
    /// The first row is then the last one.
    Rows,
    /// The first column is then the last one.
    Columns,
}

impl Turn {
    const ALL: [Turn; 4] = [Turn::Not, Turn::Round, Turn::Rows, Turn::Columns];

    /// Where a place of the board before the move is found on the board after it.
    fn place(self, at: usize, board: &Letters) -> usize {
        let (columns, last) = (board.columns.max(1), board.places.len() - 1);
        match self {
            Turn::Not => at,
            Turn::Round => last - at,
            Turn::Columns => at / columns * columns + (columns - 1 - at % columns),
            Turn::Rows => last - at / columns * columns - (columns - 1 - at % columns),
        }
    }
}

/// How the board after a move is read by the player who made it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reading {
    turn: Turn,
    /// Which letter a letter stands for. Without any, each stands for itself.
    sides: BTreeMap<char, char>,
}

impl Reading {
    /// Whether boards are drawn alike for both players.
    pub(super) fn is_plain(&self) -> bool {
        *self == Reading::default()
    }

    /// The reading by which these moves change the fewest places, if it explains nearly all of them. Each is
    /// the boards before and after it.
    fn of_moves(moves: &[(Letters, Letters)]) -> Reading {
        let mut best = Reading::default();
        let mut fewest = best.changes(moves);
        for turn in Turn::ALL {
            let plain = Reading { turn, sides: BTreeMap::new() };
            let exchanged = Reading { turn, sides: exchanged(turn, moves) };
            for reading in [plain, exchanged] {
                let changes = reading.changes(moves);
                if changes < fewest && reading.explains(moves) {
                    (best, fewest) = (reading, changes);
                }
            }
        }
        best
    }

    /// Whether nine of ten boards show a move of one player, or none.
    fn explains(&self, moves: &[(Letters, Letters)]) -> bool {
        let is_explained = |(before, after): &&(Letters, Letters)| {
            !self.touched(before, after).is_empty()
                || self.read(before, after).is_some_and(|after| after == before.places)
        };
        moves.iter().filter(is_explained).count() * 10 >= moves.len() * 9
    }

    /// How many places all of these moves change.
    fn changes(&self, moves: &[(Letters, Letters)]) -> usize {
        let one = |(before, after): &(Letters, Letters)| match self.read(before, after) {
            Some(after) => {
                before.places.iter().zip(&after).filter(|(one, other)| one != other).count()
            }
            None => before.places.len(),
        };
        moves.iter().map(one).sum()
    }

    /// The letters after a move, on the places where they were before it. `None` if they can't be read.
    fn read(&self, before: &Letters, after: &Letters) -> Option<Vec<Option<char>>> {
        if !before.has_shape_of(after) {
            return None;
        }
        let letter = |at| match after.places[self.turn.place(at, after)] {
            Some(letter) if !self.sides.is_empty() => self.sides.get(&letter).copied().map(Some),
            same => Some(same),
        };
        (0..after.places.len()).map(letter).collect()
    }

    /// The side that a letter belongs to, where that is known.
    fn side(&self, letter: char) -> Option<bool> {
        match self.sides.get(&letter) {
            Some(&other) if other != letter => Some(letter < other),
            _ => match letter {
                'x' | 'X' | 'w' | 'W' => Some(true),
                'o' | 'O' | 'b' | 'B' => Some(false),
                _ => None,
            },
        }
    }

    /// The places that a move touches: where pieces of the mover leave, where they arrive, and where others
    /// vanish. None if the boards do not show a move of one player.
    pub(super) fn touched(&self, before: &Letters, after: &Letters) -> Vec<usize> {
        let Some(after) = self.read(before, after) else { return Vec::new() };
        let (mut arrived, mut emptied) = (Vec::new(), Vec::new());
        for (place, (&old, &new)) in before.places.iter().zip(&after).enumerate() {
            match (old, new) {
                (old, new) if old == new => {}
                (_, Some(new)) => arrived.push((place, self.side(new))),
                (Some(old), None) => emptied.push((place, self.side(old))),
                (None, None) => {}
            }
        }
        let mut sides = arrived.iter().filter_map(|&(_, side)| side);
        let own = sides.next();
        if sides.any(|side| Some(side) != own) {
            return Vec::new();
        }
        let is_own = |side: Option<bool>| own.is_none() || side.is_none() || side == own;
        let (left, vanished): (Vec<_>, Vec<_>) =
            emptied.into_iter().partition(|&(_, side)| is_own(side));
        // Pieces that leave do not become more.
        if own.is_some() && !left.is_empty() && arrived.len() > left.len() {
            return Vec::new();
        }
        [left, arrived, vanished].into_iter().flatten().map(|(place, _)| place).collect()
    }
}

/// The exchange of letters that most places suggest which a move leaves as they are; none if it is no
/// exchange.
fn exchanged(turn: Turn, moves: &[(Letters, Letters)]) -> BTreeMap<char, char> {
    let mut counts: BTreeMap<char, BTreeMap<char, u64>> = BTreeMap::new();
    for (before, after) in moves.iter().filter(|(before, after)| before.has_shape_of(after)) {
        for (at, &old) in before.places.iter().enumerate() {
            let Some(new) = after.places[turn.place(at, after)] else { continue };
            let count = counts.entry(new).or_default();
            if let Some(old) = old {
                *count.entry(old).or_default() += 1;
            }
        }
    }
    let mut sides: BTreeMap<char, char> = BTreeMap::new();
    for (&new, olds) in &counts {
        if let Some((&old, _)) = olds.iter().max_by_key(|&(&old, count)| (count, old == new)) {
            sides.insert(new, old);
        }
    }
    // A letter that was not seen to stay has the meaning that the other side gives it.
    let pairs: Vec<_> = sides.iter().map(|(&new, &old)| (old, new)).collect();
    for (old, new) in pairs {
        sides.entry(old).or_insert(new);
    }
    for &new in counts.keys() {
        sides.entry(new).or_insert(new);
    }
    if sides.iter().all(|(new, old)| sides.get(old) == Some(new)) { sides } else { BTreeMap::new() }
}

/// How many lines of play are looked at, and how far.
const LINES: usize = 4;
const PLIES: usize = 16;

/// How many moves of each state are looked at.
const MOVES: usize = 12;

/// After this time, what was seen has to suffice.
const LONG: Duration = Duration::from_secs(1);

/// How the board of a game follows the player to move.
pub(super) fn reading<'r, S: State>(py: Python<'_>, rules: &'r Rules) -> PyResult<&'r Reading> {
    if let Some(reading) = rules.reading().get() {
        return Ok(reading);
    }
    // Another thread may need the interpreter while this one asks, so nobody waits for the answer.
    let found = Reading::of_moves(&some_moves::<S>(py, rules)?);
    Ok(rules.reading().get_or_init(|| found))
}

/// Some moves of the game, along lines of play that differ.
fn some_moves<S: State>(py: Python<'_>, rules: &Rules) -> PyResult<Vec<(Letters, Letters)>> {
    let (begin, roots) = (Instant::now(), S::roots(rules).len());
    let mut moves = Vec::new();
    let mut random = 1_u64;
    for line in 0..LINES {
        let Some(mut state) = S::roots(rules).nth(line * roots / LINES) else { break };
        for _ in 0..PLIES {
            if begin.elapsed() > LONG && !moves.is_empty() {
                return Ok(moves);
            }
            let successors = S::some_successors(py, rules, &state, MOVES)?;
            let Some(before) = letters(py, rules, &state)? else { return Ok(moves) };
            for next in &successors {
                let Some(after) = letters(py, rules, next)? else { return Ok(moves) };
                moves.push((before.clone(), after));
            }
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let Some(chosen) = (random >> 33).checked_rem(successors.len() as u64) else { break };
            state = successors[chosen as usize].clone();
        }
    }
    Ok(moves)
}

/// The board of a state, if the game draws one.
pub(super) fn letters<S: State>(
    py: Python<'_>,
    rules: &Rules,
    state: &S,
) -> PyResult<Option<Letters>> {
    Ok(rules.board(&state.data(py, rules)?)?.map(|rows| Letters::of(&rows)))
}
