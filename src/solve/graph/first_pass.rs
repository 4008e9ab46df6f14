//! The first pass over all states: it settles the states where play is over, and counts the
//! successors of the others.

mod batches;
mod recall;

use std::ops::Range;
use std::sync::Arc;

use crate::error::{BrokenLaw, SolveError};
use crate::explore::{Movers, RecordedMoves};
use crate::game::preference::Preference;
use crate::game::summary::Counts;
use crate::game::value::{Scale, Value};
use crate::game::{Game, Player, Turns};
use crate::laws::check_end;
use crate::numbering::Numbering;
use crate::runtime::cuts::equal_cuts;
use crate::runtime::frontier::{CHUNK, Frontier, Part};
use crate::runtime::peers::SEVERAL;
use crate::runtime::pool::{CancellationToken, STRETCH, Size, WorkerPool};
use crate::runtime::progress::Progress;
use crate::runtime::scratch::Scratch;
use crate::solve::cells::Slice;
use crate::solve::cells::cell::Cell;
use crate::solve::graph::batch::Batch;
use crate::solve::graph::exits::{best_exit, check_value};
use crate::solve::graph::incoming::Incoming;
use crate::solve::graph::initial_state::InitialState;
use crate::solve::graph::links::{Neighbours, all_successors};
use crate::solve::graph::reverse_edges::EdgeSink;

/// How many parts each thread gets if the indices may be cut at will.
const PARTS_A_THREAD: usize = 16;

/// How many indices are gone through between two checks where the values of exits may be in scratch files:
/// each value that is looked up may map 64 KiB.
const STRETCH_IN_FILES: u64 = 1 << 8;

/// The indices that one thread initializes.
struct Initializer<'a, 'p, 'm, C> {
    next: u64,
    start: u64,
    end: u64,
    cells: &'a mut [C],
    frontier: Part<'a>,
    early: Part<'a>,
    /// A bit for who is to move in each state, from `start` on; empty if nobody asks.
    movers: &'a mut [u64],
    /// Takes the moves; `None` if they are not needed.
    edges: Option<EdgeSink<'p, 'm>>,
    counts: Counts,
    overflow: Vec<(u64, u64)>,
    incoming: Incoming,
    scale: Scale,
    /// Whether too many states have more successors than narrow cells can count.
    too_narrow: bool,
    /// Whether the pass may begin anew with wide cells.
    may_begin_anew: bool,
    /// Whether the values of the exits were looked up before.
    exits_are_known: bool,
    /// The moves, if they were recorded while the states were discovered.
    recorded: Option<&'a RecordedMoves>,
    /// How many indices are gone through between two checks, at most [`STRETCH`].
    stretch: u64,
}

/// The ends of the parts of a pass over these indices. `lists`: whether the pass lists the moves.
pub(super) fn ends_of_parts(indices: &Range<u64>, lists: bool, threads: usize) -> Vec<u64> {
    let len = indices.end - indices.start;
    let parts = match Size::of_pass(len) {
        Size::Small => 1,
        // Each part has pages of its own for the moves.
        Size::Big if lists => threads,
        // Some states take longer than others, and small parts cost nothing.
        Size::Big => threads * PARTS_A_THREAD,
    };
    equal_cuts(len, parts, CHUNK).into_iter().map(|end| indices.start + end).collect()
}

/// The results of a pass, except the cells and frontiers.
pub(super) struct Passed<'p, 'm> {
    counts: Counts,
    overflow: Vec<(u64, u64)>,
    incoming: Incoming,
    sinks: Vec<EdgeSink<'p, 'm>>,
}

impl<'p, 'm> Passed<'p, 'm> {
    /// Adds these results to the earlier ones of the pass; returns the sinks.
    pub(super) fn add_to(self, initial: &mut InitialState) -> Vec<EdgeSink<'p, 'm>> {
        initial.counts.add(&self.counts);
        initial.cells.overflow.extend(self.overflow);
        initial.incoming.append(self.incoming);
        self.sinks
    }
}

/// Makes the pass over some indices, which begin at a multiple of [`CHUNK`]. Writes the moves into
/// the sinks, one for each part, if there are any. `None` if the cells are too narrow, and the pass
/// may begin anew.
pub(super) fn pass_over<'p, 'm, N: Numbering + Sync>(
    numbering: &N,
    initial: &mut InitialState,
    indices: &Range<u64>,
    sinks: Option<Vec<EdgeSink<'p, 'm>>>,
    may_begin_anew: bool,
    recorded: Option<&RecordedMoves>,
    pool: &mut WorkerPool<'_>,
) -> Result<Option<Passed<'p, 'm>>, SolveError> {
    let indices = [initial.window.start, indices.start, indices.end];
    let frontiers = [&mut initial.frontier, &mut initial.early];
    let movers = initial.movers.words();
    let scratch = initial.cells.scratch().cloned();
    let task = Task { indices, frontiers, movers, sinks, may_begin_anew, recorded, scratch };
    match initial.cells.slice() {
        // Compiles nothing for cells that games with points never have.
        Slice::Narrow(_) if N::Game::POINTS => Ok(None),
        Slice::Narrow(narrow) => pass(numbering, narrow, task, pool),
        Slice::Wide(wide) => pass(numbering, wide, task, pool),
    }
}

/// The task of a pass.
struct Task<'a, 'p, 'm> {
    /// The index of the first cell, and the first and the last index of the pass (exclusive). The
    /// first two are multiples of [`CHUNK`].
    indices: [u64; 3],
    frontiers: [&'a mut Frontier; 2],
    movers: &'a mut [u64],
    sinks: Option<Vec<EdgeSink<'p, 'm>>>,
    may_begin_anew: bool,
    recorded: Option<&'a RecordedMoves>,
    /// Where the values of exits go, if not into memory.
    scratch: Option<Arc<Scratch>>,
}

/// Makes the pass over some indices with cells of one width; `None` if they are too narrow.
fn pass<'p, 'm, N: Numbering + Sync, C: Cell>(
    numbering: &N,
    cells: &mut [C],
    task: Task<'_, 'p, 'm>,
    pool: &mut WorkerPool<'_>,
) -> Result<Option<Passed<'p, 'm>>, SolveError> {
    let Task { indices: [first, begin, end], frontiers, movers, sinks, .. } = task;
    let Task { may_begin_anew, recorded, scratch, .. } = task;
    let [frontier, early] = frontiers;
    let (of, scale) = (numbering.len(), Scale::of_game(numbering.game()));
    let stretch = if N::HAS_EXITS && pool.scratch().is_some() { STRETCH_IN_FILES } else { STRETCH };
    let size = Size::of_pass(end - begin);
    let ends = ends_of_parts(&(begin..end), sinks.is_some(), pool.threads());
    let mut sinks = sinks.unwrap_or_default().into_iter();
    let mut start = begin;
    let mut cells = cells.get_mut((start - first) as usize..).unwrap_or_default();
    let (_, mut frontier) = frontier.whole().split_at(start - first);
    let (_, mut early) = early.whole().split_at(start - first);
    let mut movers = movers.get_mut(((start - first) / 64) as usize..).unwrap_or_default();
    let mut owners = Vec::new();
    for end in ends {
        let length = end.next_multiple_of(CHUNK) - start;
        let (own_frontier, later_frontier) = frontier.split_at(length);
        let (own_early, later_early) = early.split_at(length);
        let own_cells = cells.split_off_mut(..(end - start) as usize).unwrap_or_default();
        (frontier, early) = (later_frontier, later_early);
        let words = (length / 64).min(movers.len() as u64) as usize;
        let own_movers = movers.split_off_mut(..words).unwrap_or_default();
        owners.push(Initializer {
            next: start,
            start,
            end,
            cells: own_cells,
            frontier: own_frontier,
            early: own_early,
            movers: own_movers,
            edges: sinks.next(),
            counts: Counts::default(),
            overflow: Vec::new(),
            incoming: Incoming::default(),
            scale,
            too_narrow: false,
            may_begin_anew,
            exits_are_known: N::HAS_EXITS && numbering.shares_exits(),
            recorded,
            stretch,
        });
        start = end;
    }
    let event = |done| Progress::Counting { done: begin + done, of };
    let mut owners = pool.run(size, owners, event, |mut owner, token| {
        owner.generate(numbering, token)?;
        if let Some(scratch) = &scratch {
            owner.incoming.spill(scratch)?;
        }
        Ok::<_, SolveError>(owner)
    })?;
    if owners.iter().any(|owner| owner.too_narrow) {
        return Ok(None);
    }
    let mut counts = Counts::default();
    let (mut overflow, mut incoming) = (Vec::new(), Incoming::default());
    // If there are fewer parts than sinks, the other sinks wait for the next pass.
    let sinks = owners.iter_mut().filter_map(|owner| owner.edges.take()).chain(sinks).collect();
    for owner in owners {
        counts.add(&owner.counts);
        overflow.extend(owner.overflow);
        incoming.append(owner.incoming);
    }
    Ok(Some(Passed { counts, overflow, incoming, sinks }))
}

impl<C: Cell> Initializer<'_, '_, '_, C> {
    fn generate<N: Numbering>(
        &mut self,
        numbering: &N,
        token: &dyn CancellationToken,
    ) -> Result<(), SolveError> {
        let mut links = Neighbours::default();
        let mut batch = Batch::new();
        let mut needs_slow_path = [0_u16; STRETCH as usize];
        while self.next < self.end && !self.too_narrow {
            let stretch = self.next..self.end.min(self.next + self.stretch);
            let mut result = Ok(());
            if N::IS_DISCOVERED
                && let Some(recorded) = self.recorded
            {
                match recorded {
                    RecordedMoves::Indexed(recorded) => {
                        for index in stretch.clone() {
                            self.recall(numbering, recorded, index, &mut links)?;
                        }
                    }
                    RecordedMoves::Keyed(recorded) if SEVERAL => {
                        for index in stretch.clone() {
                            self.recall_by_keys(numbering, recorded, index, &mut links)?;
                        }
                    }
                    RecordedMoves::Keyed(_) => {}
                }
            } else if N::IS_DISCOVERED && self.edges.is_some() && numbering.find_keys().is_none() {
                self.in_batches(numbering, stretch.clone(), &mut batch, &mut links)?;
            } else if N::HAS_EXITS || !N::PREDECESSORS || N::Game::POINTS {
                numbering.states_in(stretch.clone(), |index, state| {
                    let mover = numbering.game().mover(&state);
                    self.counts.states[mover.index()] += 1;
                    Movers::note(self.movers, index - self.start, mover);
                    if result.is_ok() {
                        result = self.slow_path(numbering, index, &state, &mut links);
                    }
                });
            } else {
                let left = self.fast_pass(numbering, stretch.clone(), &mut needs_slow_path);
                for &place in &needs_slow_path[..left] {
                    let index = stretch.start + u64::from(place);
                    if let Some(state) = numbering.state(index) {
                        self.slow_path(numbering, index, &state, &mut links)?;
                    }
                }
            }
            result?;
            // An overflow count takes 16 bytes, so this many are a small part of all memory.
            let most_overflow = most_overflow(self.end - self.start);
            self.too_narrow =
                C::CAN_WIDEN && self.may_begin_anew && self.overflow.len() as u64 > most_overflow;
            let done = stretch.end - self.next;
            self.next = stretch.end;
            if token.done(done).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Counts the states of a stretch, and opens the states whose degree is known or quickly
    /// counted. Puts the others into `needs_slow_path`, and returns their number. This hot loop calls
    /// nothing.
    fn fast_pass<N: Numbering>(
        &mut self,
        numbering: &N,
        stretch: Range<u64>,
        needs_slow_path: &mut [u16; STRETCH as usize],
    ) -> usize {
        let game = numbering.game();
        // Two counts in one word, which stays in a register. The low half counts all states, and
        // the high half the states in which the second player is to move.
        let (mut left, mut tally) = (0, 0_u64);
        let cells = &mut self.cells[(stretch.start - self.start) as usize..];
        numbering.states_in(stretch.clone(), |index, state| {
            tally += 1 | (game.mover(&state).index() as u64) << 32;
            let place = (index - stretch.start) as usize;
            let degree = match game.terminal(&state) {
                None => quick_degree(numbering, &state).unwrap_or(0),
                Some(_) => 0,
            };
            if degree > 0 && degree < C::HIGHEST_COUNT {
                cells[place] = C::open(degree);
            } else {
                needs_slow_path[left] = place as u16;
                left += 1;
            }
        });
        let second = tally >> 32;
        self.counts.states[0] += (tally & u64::from(u32::MAX)) - second;
        self.counts.states[1] += second;
        left
    }

    /// Adds the value of a state's best exit, unless it is known already. Returns whether the state
    /// has exits.
    fn add_exits<N: Numbering>(
        &mut self,
        numbering: &N,
        index: u64,
        state: &<N::Game as Game>::State,
    ) -> Result<bool, SolveError> {
        if self.exits_are_known {
            let mut has_exits = false;
            numbering.exits(state, |_| has_exits = true);
            return Ok(has_exits);
        }
        let game = numbering.game();
        let preference = Preference::new(game.mover(state), game.endless());
        let best = best_exit(numbering, state, preference)?;
        Ok(self.incoming.add_exit(index, best, preference))
    }

    /// Opens a state that is counted already, or settles it if play is over.
    fn slow_path<N: Numbering>(
        &mut self,
        numbering: &N,
        index: u64,
        state: &<N::Game as Game>::State,
        links: &mut Neighbours,
    ) -> Result<(), SolveError> {
        let game = numbering.game();
        let mover = game.mover(state);
        let value = if let Some(outcome) = game.terminal(state) {
            check_end(game, outcome, || numbering.write(state))?;
            Value::of_outcome(game, state, outcome)
        } else {
            if N::Game::POINTS {
                check_gains(numbering, state)?;
            }
            let leaves = N::HAS_EXITS && self.add_exits(numbering, index, state)?;
            let here = match &self.edges {
                // A game with predecessors needs its edges if its moves are recorded.
                Some(_) => {
                    all_successors(numbering, state, links)?;
                    links.len() as u64
                }
                // Levels that go through all moves need no count.
                None if !N::PREDECESSORS => {
                    u64::from(!leaves && has_moves(numbering.game(), state))
                }
                None => degree(numbering, state, links)?,
            };
            let degree = here + u64::from(leaves);
            if degree > 0 {
                self.open(index, degree, links);
                return Ok(());
            }
            let stuck = || BrokenLaw::no_moves(numbering.write(state), index);
            let outcome = game.no_moves(state).ok_or_else(stuck)?;
            check_end(game, outcome, || numbering.write(state))?;
            Value::of_end::<N::Game>(outcome, mover)
        };
        if N::Game::POINTS {
            check_value(numbering, state, value)?;
        }
        self.end(index, value, mover);
        Ok(())
    }

    /// Opens a state with `degree` successors, exits included.
    #[inline]
    fn open(&mut self, index: u64, degree: u64, links: &Neighbours) {
        self.cells[(index - self.start) as usize] = C::open(degree);
        if degree > C::HIGHEST_COUNT {
            self.overflow.push((index, degree - C::HIGHEST_COUNT));
        }
        if let Some(edges) = &mut self.edges {
            edges.write(index, links);
        }
    }

    /// Settles a state where play is over.
    #[inline]
    fn end(&mut self, index: u64, value: Value, mover: Player) {
        self.cells[(index - self.start) as usize] = C::ended(self.scale.pack(value));
        self.counts.add_value(value, mover);
        match value {
            Value::Draw(_) | Value::Points { .. } => {}
            Value::Win(0) | Value::Loss(0) => self.frontier.insert(index - self.start),
            _ => self.early.insert(index - self.start),
        }
    }
}

/// How many of `states` states may have more successors than narrow cells can count.
pub(crate) fn most_overflow(states: u64) -> u64 {
    64 + states / 128
}

/// Refuses a move that gains points within its tier.
fn check_gains<N: Numbering>(
    numbering: &N,
    state: &<N::Game as Game>::State,
) -> Result<(), SolveError> {
    let (game, mut broken) = (numbering.game(), None);
    game.moves(state, |next| {
        let gain = game.gain(state, &next);
        if gain != 0 && !numbering.is_of_other_tier(&next) {
            broken = Some((gain, next));
        }
    });
    let Some((gain, next)) = broken else { return Ok(()) };
    let [state, next] = [state, &next].map(|state| numbering.write(state));
    Err(BrokenLaw::gain_within([state, next], gain).into())
}

/// The degree of a state, if it is known without looking up the successors' indices.
#[inline(always)]
fn quick_degree<N: Numbering>(numbering: &N, state: &<N::Game as Game>::State) -> Option<u64> {
    numbering.degree(state).or_else(|| {
        (N::DISTINCT && !N::HAS_EXITS).then(|| {
            let mut degree = 0;
            numbering.game().moves(state, |_| degree += 1);
            degree
        })
    })
}

/// Whether there is any move from a state.
fn has_moves<G: Game>(game: &G, state: &G::State) -> bool {
    let mut has_moves = false;
    game.moves(state, |_| has_moves = true);
    has_moves
}

/// How many distinct successors with an index a state has, in this process or another. Fills
/// `links` with them if the game has no predecessors; otherwise it may.
pub(crate) fn degree<N: Numbering>(
    numbering: &N,
    state: &<N::Game as Game>::State,
    links: &mut Neighbours,
) -> Result<u64, SolveError> {
    if N::PREDECESSORS
        && let Some(degree) = quick_degree(numbering, state)
    {
        return Ok(degree);
    }
    all_successors(numbering, state, links)?;
    Ok(links.len() as u64)
}
