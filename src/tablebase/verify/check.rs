//! Every value against those of its successors.
//!
//! Where all values fit into the memory allowed, they are there at once. Otherwise states are taken
//! some at a time, and for those the values some at a time: what the moves of the states lead to is
//! looked up in one window of values after the other, and what was seen is kept for each state until
//! all have passed. So the moves are found as many times as there are windows, and the file is read
//! as many times as there are lots of states.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::error::TableError;
use super::super::open::Tablebase;
use super::super::storage::Storage;
use super::window::{Found, Window};
use crate::game::Game;
use crate::notation::Notation;
use crate::numbering::Numbering;
use crate::prospects::Prospects;
use crate::solve::crew::{Crew, Signals, Size};
use crate::solve::{Counts, OnProgress, Progress, SolveError};
use crate::value::{Rules, Value};

/// How many numbers are checked in one go.
pub(super) const STRETCH: u64 = 1 << 14;

/// What is in memory at the least, whatever is allowed: as many numbers of each kind.
const LEAST: u64 = STRETCH;

/// The check of a table.
pub(super) struct Check<'c, N: Numbering, S> {
    pub(super) numbering: &'c N,
    pub(super) judge: Judge<'c, N::Game, S>,
}

type StateOf<N> = <<N as Numbering>::Game as Game>::State;

impl<N: Numbering + Sync, S: Storage + Sync> Check<'_, N, S>
where
    N::Game: Notation,
{
    /// Checks all values, which fit into memory, and counts them.
    pub(super) fn at_once(
        &self,
        threads: usize,
        progress: &mut OnProgress<'_>,
    ) -> Result<Counts, TableError> {
        let len = self.numbering.len();
        let window = self.judge.table.window(0..len, (0, len), progress)?;
        let mut progress = |event| progress(event);
        let mut crew = Crew::new(threads, &mut progress);
        let pieces = stretches(0..len);
        let lot = Lot { done: 0, of: len, states: len, piece: STRETCH };
        lot.check(&mut crew, pieces, |numbers, _| {
            self.stretch(numbers, &window, |_, state| {
                let mut prospects = Prospects::default();
                self.see(state, &window, &mut prospects)?;
                Ok(prospects)
            })
        })
    }

    /// The same with some of the values in memory at a time.
    pub(super) fn in_windows(
        &self,
        memory: u64,
        threads: usize,
        progress: &mut OnProgress<'_>,
    ) -> Result<Counts, TableError> {
        let len = self.numbering.len();
        let half = memory / 2;
        let window = (half / self.judge.table.values_bytes(1)).max(LEAST);
        // What was seen of a state, and then the values to compare it with.
        let lot = (half / (size_of::<Seen>() as u64 + self.judge.table.values_bytes(1))).max(LEAST);
        let windows = ranges(0..len, window);
        let mut counts = Counts::default();
        let mut progress = |event| progress(event);
        let (mut done, of) = (0, len.saturating_mul(windows.len() as u64 + 1));
        for states in ranges(0..len, lot) {
            let mut seen = Vec::new();
            let bytes = (states.end - states.start) * size_of::<Seen>() as u64;
            seen.try_reserve_exact((states.end - states.start) as usize)
                .map_err(|_| TableError::OutOfMemory { bytes })?;
            seen.resize((states.end - states.start) as usize, Seen::of(Prospects::default()));
            for window in &windows {
                let window = self.judge.table.window(window.clone(), (done, of), &mut progress)?;
                let mut crew = Crew::new(threads, &mut progress);
                let pieces = stretches(states.clone())
                    .into_iter()
                    .zip(seen.chunks_mut(STRETCH as usize))
                    .collect();
                let lot = Lot { done, of, states: states.end - states.start, piece: STRETCH };
                lot.check(&mut crew, pieces, |(numbers, seen): (Range<u64>, &mut [Seen]), _| {
                    self.see_all(numbers, &window, seen)
                })?;
                done += lot.states;
            }
            let window = self.judge.table.window(states.clone(), (done, of), &mut progress)?;
            let mut crew = Crew::new(threads, &mut progress);
            let lot = Lot { done, of, states: states.end - states.start, piece: STRETCH };
            counts.add(&lot.check(&mut crew, stretches(states.clone()), |numbers, _| {
                self.stretch(numbers, &window, |number, _| {
                    Ok(seen[(number - states.start) as usize].prospects())
                })
            })?);
            done += lot.states;
        }
        Ok(counts)
    }

    /// Looks up the successors of these numbers' states in a window, and adds what is there to what
    /// was seen of each.
    fn see_all(
        &self,
        numbers: Range<u64>,
        window: &Window,
        seen: &mut [Seen],
    ) -> Result<Counts, TableError> {
        let mut result = Ok(());
        self.numbering.states_in(numbers.clone(), |number, state| {
            if result.is_ok() && self.judge.end(&state).is_none() {
                let seen = &mut seen[(number - numbers.start) as usize];
                let mut prospects = seen.prospects();
                result = self.see(&state, window, &mut prospects);
                *seen = Seen::of(prospects);
            }
        });
        result.map(|()| Counts::default())
    }

    /// Checks the values of these numbers, which are in the window, and counts them; `prospects`
    /// tells what the successors of a state offer, which is not over.
    fn stretch(
        &self,
        numbers: Range<u64>,
        window: &Window,
        prospects: impl Fn(u64, &StateOf<N>) -> Result<Prospects, TableError>,
    ) -> Result<Counts, TableError> {
        let mut counts = Counts::default();
        let mut result = Ok(());
        let mut next = numbers.start;
        self.numbering.states_in(numbers.clone(), |number, state| {
            if result.is_ok() {
                result = self.holes(next..number, window).and_then(|()| {
                    let expected = match self.judge.end(&state) {
                        Some(value) => value,
                        None => self.judge.conclude(&state, prospects(number, &state)?)?,
                    };
                    self.judge.compare(&state, window.value(number), expected)?;
                    counts.add_state(expected, self.numbering.game().turn(&state));
                    Ok(())
                });
                next = number + 1;
            }
        });
        result?;
        self.holes(next..numbers.end, window)?;
        Ok(counts)
    }

    /// Numbers that stand for no state have no value either, unless it is one that nobody asks for.
    fn holes(&self, mut numbers: Range<u64>, window: &Window) -> Result<(), TableError> {
        if self.judge.table.has_filled_holes() {
            return Ok(());
        }
        numbers.try_for_each(|number| self.judge.hole(number, window.value(number)))
    }

    /// Adds to what the successors of a state offer those that are in the window.
    fn see(
        &self,
        state: &StateOf<N>,
        window: &Window,
        prospects: &mut Prospects,
    ) -> Result<(), TableError> {
        let (numbering, game) = (self.numbering, self.numbering.game());
        let mover = game.turn(state);
        let mut missing = None;
        game.moves(state, |next| {
            let value = match numbering.number(&next) {
                Some(number) => match window.find(number) {
                    Found::Value(value) => Some(value),
                    Found::Nothing => None,
                    Found::Elsewhere => return,
                },
                // Once is enough.
                None if !window.is_first() => return,
                None => numbering.outside(&next),
            };
            match value {
                Some(value) => prospects.add(value, game.turn(&next) == mover),
                None => missing = Some(next),
            }
        });
        missing.map_or(Ok(()), |next| Err(self.judge.missing(state, &next)))
    }
}

/// What decides about a table.
pub(super) struct Judge<'c, G, S> {
    pub(super) game: &'c G,
    pub(super) rules: Rules,
    pub(super) table: &'c Tablebase<S>,
}

impl<G: Game + Notation, S: Storage> Judge<'_, G, S> {
    /// The value of a state where play is over.
    pub(super) fn end(&self, state: &G::State) -> Option<Value> {
        Value::of_terminal(self.game, state)
    }

    /// What is stored for a number that stands for no state: nothing, unless holes are filled.
    pub(super) fn hole(&self, number: u64, stored: Option<Value>) -> Result<(), TableError> {
        match stored {
            Some(value) if !self.table.has_filled_holes() => Err(TableError::WrongValue {
                state: format!("number {number}, a hole,"),
                stored: format!("{value:?}"),
                expected: "no state at all".into(),
            }),
            _ => Ok(()),
        }
    }

    /// That a state has a move to one of which nothing is known.
    pub(super) fn missing(&self, state: &G::State, next: &G::State) -> TableError {
        let (from, to) = (self.game.write_state(state), self.game.write_state(next));
        let problem = format!("has no value for {to}, to which {from} has a move");
        TableError::malformed("the table", problem)
    }

    /// The value of a state that is not over, as it follows from what its successors offer.
    pub(super) fn conclude(
        &self,
        state: &G::State,
        prospects: Prospects,
    ) -> Result<Value, TableError> {
        let game = self.game;
        let mover = game.turn(state);
        prospects
            .value(mover, self.rules)
            .or_else(|| Some(Value::of_end(game.no_moves(state)?, mover)))
            .ok_or_else(|| {
                let problem =
                    format!("has a state without moves or outcome: {}", game.write_state(state));
                TableError::malformed("the table", problem)
            })
    }

    /// Compares the value stored for a state with the one that follows.
    pub(super) fn compare(
        &self,
        state: &G::State,
        stored: Option<Value>,
        expected: Value,
    ) -> Result<(), TableError> {
        let outcomes_only = self.table.header().outcomes_only;
        let is_right = match stored {
            Some(stored) if outcomes_only => stored.kind() == expected.kind(),
            stored => stored == Some(expected),
        };
        if is_right {
            return Ok(());
        }
        let write = |value: Value| match outcomes_only {
            true => format!("{:?}", value.kind()),
            false => format!("{value:?}"),
        };
        Err(TableError::WrongValue {
            state: self.game.write_state(state),
            stored: stored.map_or("a hole".into(), write),
            expected: write(expected),
        })
    }
}

/// States that are gone through together.
#[derive(Clone, Copy)]
pub(super) struct Lot {
    /// How much was done before, of how much.
    pub(super) done: u64,
    pub(super) of: u64,
    pub(super) states: u64,
    /// How many are in a piece, but for the last.
    pub(super) piece: u64,
}

impl Lot {
    /// Checks the pieces, in parallel; the first that fails is the same with any number of threads.
    pub(super) fn check<I: Send>(
        self,
        crew: &mut Crew<'_>,
        pieces: Vec<I>,
        check: impl Fn(I, &dyn Signals) -> Result<Counts, TableError> + Sync,
    ) -> Result<Counts, TableError> {
        let size = if pieces.len() > 1 { Size::Big } else { Size::Small };
        let (a_piece, failed) = (self.states.min(self.piece), AtomicBool::new(false));
        let event = |more: u64| Progress::Verifying {
            done: (self.done + more).min(self.done + self.states),
            of: self.of,
        };
        let work = |piece, signals: &dyn Signals| {
            // Those before the first that fails were begun before it.
            if failed.load(Ordering::Relaxed) || signals.done(a_piece).is_break() {
                return Ok::<_, SolveError>(Ok(Counts::default()));
            }
            let result = check(piece, signals);
            failed.fetch_or(result.is_err(), Ordering::Relaxed);
            Ok(result)
        };
        let results = crew.run(size, pieces, event, work).map_err(|_| TableError::Interrupted)?;
        let mut counts = Counts::default();
        for result in results {
            counts.add(&result?);
        }
        Ok(counts)
    }
}

/// What was seen so far of the successors of a state: what its value will depend on of [`Prospects`],
/// in four bytes. From the lowest bits: the two distances that matter, and which they are.
#[derive(Clone, Copy)]
struct Seen(u32);

impl Seen {
    /// More than the longest distance in a table.
    const NONE: u32 = (1 << Seen::BITS) - 1;
    const BITS: u32 = 15;

    /// The first distance is that of the soonest win.
    const WIN: u32 = 0;
    /// There is no win; those are the soonest and the latest draw.
    const DRAW: u32 = 1;
    /// There is no win, and endless play; the first is that of the soonest draw.
    const ENDLESS: u32 = 2;
    /// There are losses alone; the first is that of the latest.
    const LOSS: u32 = 3;

    fn of(prospects: Prospects) -> Seen {
        let Prospects { soonest_win, latest_loss, soonest_draw, latest_draw, endless } = prospects;
        let (kind, first, second) = match (soonest_win, endless, soonest_draw) {
            (Some(win), ..) => (Seen::WIN, Some(win), None),
            (None, true, draw) => (Seen::ENDLESS, draw, None),
            (None, false, Some(draw)) => (Seen::DRAW, Some(draw), latest_draw),
            (None, false, None) => (Seen::LOSS, latest_loss, None),
        };
        let [first, second] = [first, second].map(|plies| plies.unwrap_or(Seen::NONE));
        Seen(kind << (2 * Seen::BITS) | second << Seen::BITS | first)
    }

    fn prospects(self) -> Prospects {
        let plies = |plies: u32| Some(plies & Seen::NONE).filter(|&plies| plies != Seen::NONE);
        let (first, second) = (plies(self.0), plies(self.0 >> Seen::BITS));
        let mut prospects = Prospects::default();
        match self.0 >> (2 * Seen::BITS) {
            Seen::WIN => prospects.soonest_win = first,
            Seen::DRAW => (prospects.soonest_draw, prospects.latest_draw) = (first, second),
            Seen::ENDLESS => (prospects.endless, prospects.soonest_draw) = (true, first),
            _ => prospects.latest_loss = first,
        }
        prospects
    }
}

/// Numbers cut into ranges of this length, the last shorter.
pub(super) fn ranges(numbers: Range<u64>, length: u64) -> Vec<Range<u64>> {
    let Range { start, end } = numbers;
    (start..end)
        .step_by(usize::try_from(length).unwrap_or(usize::MAX))
        .map(|start| start..end.min(start.saturating_add(length)))
        .collect()
}

fn stretches(numbers: Range<u64>) -> Vec<Range<u64>> {
    ranges(numbers, STRETCH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Outcome, Player};
    use crate::value::MAX_PLIES;

    #[test]
    fn what_was_seen_in_parts_makes_the_same_value() {
        let plies = [0, 1, 7, MAX_PLIES - 1];
        let values: Vec<Value> = plies
            .into_iter()
            .flat_map(|plies| [Value::Win(plies), Value::Loss(plies), Value::Draw(plies)])
            .chain([Value::Endless])
            .collect();
        let outcomes = [Outcome::Draw, Outcome::Win(Player::First), Outcome::Win(Player::Second)];
        for endless in outcomes {
            let rules = Rules { endless, ply_limit: None };
            for (a, b, c) in values.iter().flat_map(|&a| {
                let values = &values;
                values.iter().flat_map(move |&b| values.iter().map(move |&c| (a, b, c)))
            }) {
                let (mut whole, mut seen) = (Prospects::default(), Seen::of(Prospects::default()));
                for value in [a, b, c] {
                    whole.add(value, false);
                    let mut part = seen.prospects();
                    part.add(value, false);
                    seen = Seen::of(part);
                }
                let value = whole.value(Player::First, rules);
                assert_eq!(
                    seen.prospects().value(Player::First, rules),
                    value,
                    "{a:?} {b:?} {c:?}"
                );
            }
        }
        let nothing = Seen::of(Prospects::default()).prospects();
        assert_eq!(nothing, Prospects::default());
    }
}
