//! Detects why a discovery may never end: a part of the state that grows while play repeats.
//!
//! State types of other libraries count plies, moves since a capture, or repetitions of a position.
//! Each round of play then creates new states. This module searches for a line of play along which
//! what is left of the states, without the parts that only grow, comes back again and again.

mod parts;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use self::parts::{Change, Parts, belongs, parts_of};
use crate::game::{Game, WriteState};

/// How long the search takes at most. A call of the rules that is slower than this is the last.
const TIME: Duration = Duration::from_millis(400);

/// How many lines of play are tried, each from another root if there are so many.
const LINES: usize = 4;

/// How many states of a line have their moves made.
const PLIES: usize = 1_000;

/// How often a line is judged: once in this number of plies. If no part only grows by then, none is
/// expected to.
const JUDGED: usize = 64;

/// How often a part has to grow along a line, and how many states of the line have to come back
/// without the parts that grow. Play on a board of 64 places that are filled one by one ends before.
const REPEATS: usize = 70;

/// How many different states have to come back. A player to move alone, or a phase, does not suffice.
const DIFFERENT: usize = 3;

/// How many successors of a state are looked at. Of more, some are chosen at random.
const WIDEST: usize = 256;

/// How many plies a line goes back from a state where play ends.
const BACK: usize = 8;

/// Two states that are alike except for the growing parts.
pub(super) struct Growth {
    pub(super) parts: String,
    pub(super) earlier: String,
    pub(super) later: String,
}

/// Searches play from the roots for states that come back again and again except for parts that only
/// grow. `parts` writes a state with all its parts, as derived `Debug` does.
pub(super) fn find<G: Game>(
    game: &G,
    write: WriteState<G>,
    parts: WriteState<G>,
) -> Option<Growth> {
    let mut search = Search {
        game,
        parts,
        evidence: HashMap::new(),
        random: SmallRng::seed_from_u64(0),
        until: Instant::now() + TIME,
    };
    let roots: Vec<G::State> = game.roots().into_iter().take(LINES).collect();
    (0..LINES).find_map(|line| {
        let (states, found) = search.line(roots.get(line % roots.len().max(1))?)?;
        let names = found.parts.iter().map(|name| format!("`{name}`"));
        Some(Growth {
            parts: names.collect::<Vec<_>>().join(" and "),
            earlier: write(game, &states[found.earlier]),
            later: write(game, &states[found.later]),
        })
    })
}

/// How a part has changed with all moves that were seen, also with moves that were not chosen.
#[derive(Clone, Copy, Default)]
struct Changes {
    grows: bool,
    /// It shrank once, or became something else.
    shrinks: bool,
}

struct Search<'g, G: Game> {
    game: &'g G,
    parts: WriteState<G>,
    evidence: HashMap<String, Changes>,
    random: SmallRng,
    until: Instant,
}

/// States of a line that are alike except for these parts.
struct Repetition {
    parts: Vec<String>,
    earlier: usize,
    later: usize,
}

/// A line of play: the states, and the parts of each.
type Line<S> = (Vec<S>, Vec<Parts>);

impl<G: Game> Search<'_, G> {
    fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }

    fn parts_of(&self, state: &G::State) -> Parts {
        parts_of(&(self.parts)(self.game, state))
    }

    /// Plays a line that tends to repeat: of four plies, the last two lead back as far as possible.
    /// Returns the states of the line if they come back again and again.
    fn line(&mut self, root: &G::State) -> Option<(Vec<G::State>, Repetition)> {
        let mut line = (vec![root.clone()], vec![self.parts_of(root)]);
        let (game, mut judged) = (self.game, 0);
        // A root where play is over has no line.
        if self.is_over() || game.terminal(root).is_some() {
            return None;
        }
        for ply in 1..=PLIES {
            if self.is_over() {
                return None;
            }
            if !self.step(&mut line) {
                let back = line.0.len().saturating_sub(BACK).max(1);
                line.0.truncate(back);
                line.1.truncate(back);
                judged = judged.min(back);
            }
            if ply % JUDGED == 0 && !self.evidence.values().any(Changes::only_grows) {
                // No other line is to be tried.
                self.until = Instant::now();
            }
            if line.0.len() >= REPEATS && line.0.len() >= judged + JUDGED / 4 {
                judged = line.0.len();
                if let Some(found) = self.judge(&line.1) {
                    return Some((line.0, found));
                }
            }
        }
        None
    }

    /// Goes on with a line by a ply. Returns false if there is no move after which play goes on.
    fn step(&mut self, (states, all_parts): &mut Line<G::State>) -> bool {
        let (Some(at), Some(before)) = (states.last(), all_parts.last()) else { return false };
        let mut next = Vec::new();
        let (mut count, random) = (0, &mut self.random);
        self.game.moves(at, |state| {
            count += 1;
            if next.len() < WIDEST {
                next.push(state);
            } else if let Some(kept) = next.get_mut(random.random_range(0..count)) {
                *kept = state;
            }
        });
        let mut parts: Vec<Parts> = next.iter().map(|state| self.parts_of(state)).collect();
        for after in &parts {
            self.note(before, after);
        }
        let ply = states.len() - 1;
        while !next.is_empty() && !self.is_over() {
            let chosen = if ply % 4 < 2 {
                self.random.random_range(0..next.len())
            } else {
                let back_to = &all_parts[ply - ply % 4];
                let far = |at: &usize| self.difference(back_to, &parts[*at]);
                (0..next.len()).min_by_key(far).unwrap_or(0)
            };
            let (chosen, chosen_parts) = (next.swap_remove(chosen), parts.swap_remove(chosen));
            if self.game.terminal(&chosen).is_none() {
                states.push(chosen);
                all_parts.push(chosen_parts);
                return true;
            }
        }
        false
    }

    /// Notes how the parts change with a move.
    fn note(&mut self, before: &Parts, after: &Parts) {
        for (name, part) in before {
            let change = after.get(name).map_or(Change::None, |after| part.change(after));
            let (grows, shrinks) = (change == Change::Grows, change == Change::Other);
            if grows || shrinks {
                let changes = self.evidence.entry(name.clone()).or_default();
                changes.grows |= grows;
                changes.shrinks |= shrinks;
            }
        }
    }

    /// The number of parts in which two states differ, without parts that only grow.
    fn difference(&self, one: &Parts, other: &Parts) -> usize {
        let grows = |name: &String| self.evidence.get(name).is_some_and(Changes::only_grows);
        one.iter().filter(|&(name, part)| other.get(name) != Some(part) && !grows(name)).count()
    }

    /// The parts that grow along a line, if its states come back again and again without them.
    fn judge(&self, line: &[Parts]) -> Option<Repetition> {
        let last = line.last()?;
        let growing: Vec<&String> = last
            .keys()
            .filter(|name| self.evidence.get(*name).is_some_and(Changes::only_grows))
            .filter(|name| growths(line, name) >= REPEATS / 2)
            .collect();
        // The place of each kind of state in the line, and how often it was met.
        let mut met: HashMap<u64, (usize, usize)> = HashMap::new();
        let (mut pair, mut repeats) = (None, 0);
        for (at, parts) in line.iter().enumerate() {
            let (first, times) = met.entry(hash_of_rest(parts, &growing)?).or_insert((at, 0));
            *times += 1;
            if *times > 1 {
                repeats += 1;
                pair.get_or_insert((*first, at));
            }
        }
        let different = met.values().filter(|(_, times)| *times > 1).count();
        let (earlier, later) = pair?;
        let is_repeated = repeats >= REPEATS && different >= DIFFERENT;
        let differs = |name: &&&String| line[earlier].get(**name) != line[later].get(**name);
        let parts: Vec<String> = growing.iter().filter(differs).map(|&name| name.clone()).collect();
        (is_repeated && !parts.is_empty()).then_some(Repetition { parts, earlier, later })
    }
}

impl Changes {
    fn only_grows(&self) -> bool {
        self.grows && !self.shrinks
    }
}

/// How often a part grows along a line.
fn growths(line: &[Parts], name: &str) -> usize {
    let grows = |pair: &&[Parts]| match (pair[0].get(name), pair[1].get(name)) {
        (Some(before), Some(after)) => before.change(after) != Change::None,
        _ => false,
    };
    line.windows(2).filter(grows).count()
}

/// A hash of what is left of a state without the parts that grow; `None` if nothing is left.
fn hash_of_rest(parts: &Parts, growing: &[&String]) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    let mut is_empty = true;
    for (name, part) in parts {
        if !growing.iter().any(|larger| belongs(name, larger)) {
            (name, part).hash(&mut hasher);
            is_empty &= name.ends_with("::");
        }
    }
    (!is_empty).then(|| hasher.finish())
}

#[cfg(test)]
mod tests;
