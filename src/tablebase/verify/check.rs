//! Every value against those of its successors, of which a game may pass over those that can't be
//! better than the best that was seen.
//!
//! Where all values fit into the memory allowed, they are there at once. Otherwise states are taken
//! some at a time, and for those the values some at a time: what the moves of the states lead to is
//! looked up in one window of values after the other, and the best of what was seen is kept for each
//! state until all have passed. So the moves are found as many times as there are windows, and the file
//! is read as many times as there are lots of states.

use std::ops::Range;

use super::super::error::TableError;
use super::super::loaded::LoadedValues;
use super::super::storage::Storage;
use super::judge::Judge;
use super::lot::{Lot, STRETCH, ranges, stretches};
use super::window::{Cell, Choice, View, Window};
use super::worth::Worth;
use crate::game::{Game, Player, VisitSuccessors};
use crate::notation::Notation;
use crate::numbering::Numbering;
use crate::solve::crew::Crew;
use crate::solve::{Counts, OnProgress};

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
        let window = self.load(0..len, (0, len), progress)?;
        let mut progress = |event| progress(event);
        let mut crew = Crew::new(threads, &mut progress);
        let lot = Lot { done: 0, of: len, states: len, piece: STRETCH };
        lot.check(&mut crew, stretches(0..len), |numbers, _| match &window.values {
            LoadedValues::Listed { places, .. } => self.whole(numbers, window.view(places)),
            LoadedValues::Packed(packed) => self.whole(numbers, window.view(packed)),
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
        let window = (half / self.judge.table.bytes_of(1)).max(LEAST);
        // What was seen of a state, and then the values to compare it with.
        let lot = (half / (size_of::<Worth>() as u64 + self.judge.table.bytes_of(1))).max(LEAST);
        let windows = ranges(0..len, window);
        let mut counts = Counts::default();
        let mut progress = |event| progress(event);
        let (mut done, of) = (0, len.saturating_mul(windows.len() as u64 + 1));
        for states in ranges(0..len, lot) {
            let mut seen = Vec::new();
            let bytes = (states.end - states.start) * size_of::<Worth>() as u64;
            seen.try_reserve_exact((states.end - states.start) as usize)
                .map_err(|_| TableError::OutOfMemory { bytes })?;
            seen.resize((states.end - states.start) as usize, Worth::NOTHING);
            for window in &windows {
                let window = self.load(window.clone(), (done, of), &mut progress)?;
                let mut crew = Crew::new(threads, &mut progress);
                let pieces = stretches(states.clone())
                    .into_iter()
                    .zip(seen.chunks_mut(STRETCH as usize))
                    .collect();
                let lot = Lot { done, of, states: states.end - states.start, piece: STRETCH };
                lot.check(&mut crew, pieces, |(numbers, seen): (Range<u64>, &mut [Worth]), _| {
                    match &window.values {
                        LoadedValues::Listed { places, .. } => {
                            self.look(numbers, window.view(places), seen)
                        }
                        LoadedValues::Packed(packed) => {
                            self.look(numbers, window.view(packed), seen)
                        }
                    }
                })?;
                done += lot.states;
            }
            let window = self.load(states.clone(), (done, of), &mut progress)?;
            let mut crew = Crew::new(threads, &mut progress);
            let lot = Lot { done, of, states: states.end - states.start, piece: STRETCH };
            let best = |number: u64, _: &StateOf<N>, _| seen[(number - states.start) as usize];
            counts.add(&lot.check(&mut crew, stretches(states.clone()), |numbers, _| {
                match &window.values {
                    LoadedValues::Listed { places, .. } => {
                        self.compare(numbers, window.view(places), best)
                    }
                    LoadedValues::Packed(packed) => {
                        self.compare(numbers, window.view(packed), best)
                    }
                }
            })?);
            done += lot.states;
        }
        Ok(counts)
    }

    /// The values of some numbers; `done` is how much was done before, of how much.
    fn load(
        &self,
        numbers: Range<u64>,
        done: (u64, u64),
        progress: &mut OnProgress<'_>,
    ) -> Result<Window, TableError> {
        let first = numbers.start;
        let values = self.judge.table.load(numbers, done, progress)?;
        Ok(Window::new(first, values, self.judge.scales, self.numbering))
    }

    /// Checks the values of these numbers where those of all are in view, and counts them.
    fn whole<C: Cell>(&self, numbers: Range<u64>, view: View<'_, C>) -> Result<Counts, TableError> {
        self.compare(numbers, view, |_, state, mover| {
            self.best(state, &view.for_chooser(mover), Worth::NOTHING)
        })
    }

    /// Looks up the successors of these numbers' states, and remembers the best of each that is in view.
    fn look<C: Cell>(
        &self,
        numbers: Range<u64>,
        view: View<'_, C>,
        seen: &mut [Worth],
    ) -> Result<Counts, TableError> {
        let mut failed = None;
        self.numbering.states_in(numbers.clone(), |number, state| {
            if failed.is_none() && self.judge.end(&state).is_none() {
                let seen = &mut seen[(number - numbers.start) as usize];
                let mover = self.numbering.game().turn(&state);
                let choice = &view.for_chooser(mover);
                *seen = self.best(&state, choice, *seen);
                if *seen == Worth::UNKNOWN {
                    failed = Some(self.unknown(&state, choice));
                }
            }
        });
        failed.map_or(Ok(Counts::default()), Err)
    }

    /// Checks the values of these numbers, which are in view, and counts them; `best` tells what the
    /// best successor of a state is worth that is not over.
    #[inline]
    fn compare<C: Cell>(
        &self,
        numbers: Range<u64>,
        view: View<'_, C>,
        best: impl Fn(u64, &StateOf<N>, Player) -> Worth,
    ) -> Result<Counts, TableError> {
        let (judge, game) = (&self.judge, self.numbering.game());
        let mut counts = Counts::default();
        let mut failed = None;
        let mut next = numbers.start;
        self.numbering.states_in(numbers.clone(), |number, state| {
            if failed.is_some() {
                return;
            }
            if next < number {
                failed = self.holes(next..number, view).err();
            }
            next = number + 1;
            let mover = game.turn(&state);
            let (stored, needed) = view.value(number, mover);
            let end = judge.end(&state);
            let best = if end.is_none() { best(number, &state, mover) } else { Worth::NOTHING };
            if best != needed && failed.is_none() {
                failed = match best {
                    Worth::UNKNOWN => Some(self.unknown(&state, &view.for_chooser(mover))),
                    best => judge.check(&state, stored, end, best).err(),
                };
            }
            if let Some(stored) = stored {
                counts.add_state(stored, mover);
            }
        });
        match failed {
            None => self.holes(next..numbers.end, view).map(|()| counts),
            Some(error) => Err(error),
        }
    }

    /// Checks numbers that stand for no state.
    fn holes<C: Cell>(&self, mut numbers: Range<u64>, view: View<'_, C>) -> Result<(), TableError> {
        if self.judge.table.has_filled_holes() {
            return Ok(());
        }
        numbers.try_for_each(|number| {
            self.judge.check_hole(number, view.value(number, Player::First).0)
        })
    }

    /// What the best of a state's successors is worth, of those that are in view and those that were
    /// before.
    #[inline]
    fn best<C: Cell>(&self, state: &StateOf<N>, choice: &Choice<'_, C>, so_far: Worth) -> Worth {
        let mut best = Best { check: self, choice, so_far };
        self.numbering.successors(state, &mut best);
        best.so_far
    }

    /// What a successor is worth that has no number here. Out of line, since that is rare in most
    /// games.
    #[inline(never)]
    fn elsewhere<C: Cell>(&self, next: &StateOf<N>, choice: &Choice<'_, C>) -> Worth {
        // Once is enough.
        if !choice.is_first() {
            return Worth::NOTHING;
        }
        let chooser = choice.chooser;
        let same_mover = self.numbering.game().turn(next) == chooser;
        let worth = |value| self.judge.scale(chooser).worth(value, same_mover);
        self.numbering.outside(next).map_or(Worth::UNKNOWN, worth)
    }

    /// That nothing is known of a successor of a state.
    #[cold]
    fn unknown<C: Cell>(&self, state: &StateOf<N>, choice: &Choice<'_, C>) -> TableError {
        let mut unknown = state.clone();
        self.numbering.game().moves(state, |next| {
            let worth = match self.numbering.number(&next) {
                Some(number) => choice.worth(number, false),
                None => self.elsewhere(&next, choice),
            };
            if worth == Worth::UNKNOWN {
                unknown = next;
            }
        });
        self.judge.missing(state, &unknown)
    }
}

/// What the best of a state's successors is worth, of those told so far. One that can't be better than
/// that need not be told.
struct Best<'b, 'c, N: Numbering, S, C> {
    check: &'b Check<'c, N, S>,
    choice: &'b Choice<'b, C>,
    so_far: Worth,
}

impl<N, S, C: Cell> VisitSuccessors<StateOf<N>> for Best<'_, '_, N, S, C>
where
    N: Numbering<Game: Notation> + Sync,
    S: Storage + Sync,
{
    #[inline]
    fn run_matters(&mut self, number: u64, turn: Player) -> bool {
        self.choice.may_exceed(self.so_far, number, turn == self.choice.chooser)
    }

    #[inline]
    fn others_matter(&mut self) -> bool {
        self.choice.is_first() && self.choice.others_may_exceed(self.so_far)
    }

    #[inline]
    fn stay(&mut self, number: u64, turn: Player) {
        let worth = self.choice.worth(number, turn == self.choice.chooser);
        self.so_far = self.so_far.max(worth);
    }

    #[inline]
    fn leave(&mut self, next: StateOf<N>) {
        self.so_far = self.so_far.max(self.check.elsewhere(&next, self.choice));
    }
}
