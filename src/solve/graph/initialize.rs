//! The pass over all states that comes first: which are over, and how many successors the others
//! have.

use std::ops::Range;

use crate::error::SolveError;
use crate::game::{Game, Player};
use crate::numbering::Numbering;
use crate::runtime::frontier::{CHUNK, Frontier, Part};
use crate::runtime::pool::{CancellationToken, Size, WorkerPool, equal_cuts};
use crate::runtime::progress::Progress;
use crate::solve::exchange::{Outbox, exchange};
use crate::solve::graph::exit_summary::ExitSummary;
use crate::solve::graph::incoming::Incoming;
use crate::solve::graph::positions::{Links, successors};
use crate::solve::levels::cells::{Beyond, Cell, Cells, Slice};
use crate::summary::Counts;
use crate::value::Value;

/// Fewer numbers than this are gone through without waking any threads.
pub(crate) const BIG: u64 = 1 << 15;

/// How many numbers are gone through between two looks at whether to stop.
const STRETCH: u64 = 1 << 13;

/// Into how many parts the numbers are cut for each thread, where they may be cut at will.
const PARTS_A_THREAD: usize = 16;

/// All states as they are before anything is known but which are over.
pub(crate) struct InitialState {
    pub(crate) cells: Cells,
    /// The states where play is over with a win or a loss.
    pub(crate) frontier: Frontier,
    /// Those where it stops one ply early.
    pub(crate) early: Frontier,
    pub(crate) counts: Counts,
    pub(crate) drawn_ends: u64,
    /// What moves bring in that lead to states without a number.
    pub(crate) entering: Incoming,
}

/// What one thread owns in this pass.
struct Owner<'a, C> {
    next: u64,
    start: u64,
    end: u64,
    cells: &'a mut [C],
    frontier: Part<'a>,
    early: Part<'a>,
    /// How many moves arrive at each state, where that is asked for.
    in_degrees: &'a mut [u32],
    counts: Counts,
    drawn_ends: u64,
    beyond: Vec<(u64, u64)>,
    entering: Incoming,
    /// There are too many states that narrow cells can't count the successors of.
    too_narrow: bool,
}

/// Goes through all states. Where `in_degrees` is given, a number for each state, the moves that
/// arrive there are counted too.
pub(crate) fn initialize<N: Numbering + Sync>(
    numbering: &N,
    mut in_degrees: Option<&mut [u32]>,
    pool: &mut WorkerPool<'_>,
) -> Result<InitialState, SolveError> {
    let len = numbering.len();
    let (mut frontier, mut early) = (Frontier::empty(len)?, Frontier::empty(len)?);
    let mut cells = Cells::holes(len)?;
    loop {
        let slice = cells.slice();
        let in_degrees = in_degrees.as_deref_mut();
        let ends = [&mut frontier, &mut early];
        let passed = match slice {
            Slice::Narrow(narrow) => pass(numbering, narrow, ends, in_degrees, pool)?,
            Slice::Wide(wide) => pass(numbering, wide, ends, in_degrees, pool)?,
        };
        if let Some(Passed { counts, drawn_ends, beyond, entering }) = passed {
            cells.beyond = beyond;
            return Ok(InitialState { cells, frontier, early, counts, drawn_ends, entering });
        }
        cells = Cells::wide_holes(len)?;
    }
}

/// What came of a pass.
struct Passed {
    counts: Counts,
    drawn_ends: u64,
    beyond: Beyond,
    entering: Incoming,
}

/// One attempt; `None` if the cells are too narrow for it.
fn pass<N: Numbering + Sync, C: Cell>(
    numbering: &N,
    mut cells: &mut [C],
    [frontier, early]: [&mut Frontier; 2],
    in_degrees: Option<&mut [u32]>,
    pool: &mut WorkerPool<'_>,
) -> Result<Option<Passed>, SolveError> {
    let of = numbering.len();
    let list = in_degrees.is_some();
    let mut in_degrees = in_degrees.unwrap_or_default();
    in_degrees.fill(0);
    let size = if of < BIG { Size::Small } else { Size::Big };
    let parts = match size {
        Size::Small => 1,
        Size::Big if list => pool.threads(),
        // Some states take longer than others; where nothing is posted, small parts cost nothing.
        Size::Big => pool.threads() * PARTS_A_THREAD,
    };
    let ends = equal_cuts(of, parts, CHUNK);
    let (mut frontier, mut early) = (frontier.whole(), early.whole());
    let mut owners = Vec::new();
    let mut start = 0;
    for &end in &ends {
        let length = end.next_multiple_of(CHUNK) - start;
        let (own_frontier, later_frontier) = frontier.split_at(length);
        let (own_early, later_early) = early.split_at(length);
        let own_cells = cells.split_off_mut(..(end - start) as usize).unwrap_or_default();
        let counted = if list { (end - start) as usize } else { 0 };
        let own_arrivals = in_degrees.split_off_mut(..counted).unwrap_or_default();
        (frontier, early) = (later_frontier, later_early);
        owners.push(Owner {
            next: start,
            start,
            end,
            cells: own_cells,
            frontier: own_frontier,
            early: own_early,
            in_degrees: own_arrivals,
            counts: Counts::default(),
            drawn_ends: 0,
            beyond: Vec::new(),
            entering: Incoming::default(),
            too_narrow: false,
        });
        start = end;
    }
    exchange(
        pool,
        size,
        &mut owners,
        &ends,
        |done| Progress::Counting { done, of },
        |owner, outbox, token| owner.generate(numbering, list, outbox, token),
        |owner, targets: &[u64]| {
            for target in targets {
                owner.in_degrees[(target - owner.start) as usize] += 1;
            }
        },
    )?;
    if owners.iter().any(|owner| owner.too_narrow) {
        return Ok(None);
    }
    let mut counts = Counts::default();
    let (mut drawn_ends, mut beyond, mut entering) = (0, Vec::new(), Incoming::default());
    for owner in owners {
        counts.add(&owner.counts);
        drawn_ends += owner.drawn_ends;
        beyond.extend(owner.beyond);
        entering.append(owner.entering);
    }
    Ok(Some(Passed { counts, drawn_ends, beyond: Beyond::new(beyond), entering }))
}

impl<C: Cell> Owner<'_, C> {
    fn generate<N: Numbering>(
        &mut self,
        numbering: &N,
        list: bool,
        outbox: &mut Outbox<u64>,
        token: &dyn CancellationToken,
    ) -> Result<bool, SolveError> {
        let mut links = Links::new();
        let mut closer = [0_u16; STRETCH as usize];
        while self.next < self.end && !outbox.is_full() && !self.too_narrow {
            let stretch = self.next..self.end.min(self.next + STRETCH);
            let mut result = Ok(());
            if list || N::HAS_EXITS || !<N::Game as Game>::PREDECESSORS {
                numbering.states_in(stretch.clone(), |number, state| {
                    self.counts.states[numbering.game().turn(&state).index()] += 1;
                    if result.is_ok() {
                        result = self.examine(numbering, number, &state, list, &mut links, outbox);
                    }
                });
            } else {
                let left = self.glance(numbering, stretch.clone(), &mut closer);
                for &place in &closer[..left] {
                    let number = stretch.start + u64::from(place);
                    if let Some(state) = numbering.state(number) {
                        self.examine(numbering, number, &state, list, &mut links, outbox)?;
                    }
                }
            }
            result?;
            // An entry costs some 16 bytes, so that this is a small part of all.
            let most_beyond = 64 + (self.end - self.start) / 128;
            self.too_narrow = C::CAN_WIDEN && self.beyond.len() as u64 > most_beyond;
            let done = stretch.end - self.next;
            self.next = stretch.end;
            if token.done(done).is_break() {
                break;
            }
        }
        Ok(self.next == self.end || self.too_narrow)
    }

    /// Counts the states of a stretch, opens those whose degree is known or quickly counted, and lists the others
    /// in `closer`; returns how many those are. As in the levels, nothing is called in this loop.
    fn glance<N: Numbering>(
        &mut self,
        numbering: &N,
        stretch: Range<u64>,
        closer: &mut [u16; STRETCH as usize],
    ) -> usize {
        let game = numbering.game();
        // Two counts in one number, so that it stays in a register: how many states there are, and
        // above that in how many the second player is to move.
        let (mut left, mut tally) = (0, 0_u64);
        let cells = &mut self.cells[(stretch.start - self.start) as usize..];
        numbering.states_in(stretch.clone(), |number, state| {
            tally += 1 | (game.turn(&state).index() as u64) << 32;
            let place = (number - stretch.start) as usize;
            let degree = match game.terminal(&state) {
                None => quick_degree(numbering, &state).unwrap_or(0),
                Some(_) => 0,
            };
            if degree > 0 && degree < C::HIGHEST_COUNT {
                cells[place] = C::open(degree);
            } else {
                closer[left] = place as u16;
                left += 1;
            }
        });
        let second = tally >> 32;
        self.counts.states[0] += (tally & u64::from(u32::MAX)) - second;
        self.counts.states[1] += second;
        left
    }

    /// Enters what the leaving moves of a state bring about; says whether there are any.
    fn enter<N: Numbering>(
        &mut self,
        numbering: &N,
        number: u64,
        state: &<N::Game as Game>::State,
    ) -> Result<bool, SolveError> {
        let game = numbering.game();
        let exits = exits(numbering, state)?;
        Ok(self.entering.enter(number, game.turn(state), &exits, endless_loser(game)))
    }

    /// Opens one state, which is counted already, or settles it where play is over.
    fn examine<N: Numbering>(
        &mut self,
        numbering: &N,
        number: u64,
        state: &<N::Game as Game>::State,
        list: bool,
        links: &mut Links,
        outbox: &mut Outbox<u64>,
    ) -> Result<(), SolveError> {
        let game = numbering.game();
        let mover = game.turn(state);
        let place = (number - self.start) as usize;
        let value = if let Some(value) = Value::of_terminal(game, state) {
            value
        } else {
            let leaves = N::HAS_EXITS && self.enter(numbering, number, state)?;
            let degree = degree(numbering, state, list, links)? + u64::from(leaves);
            if degree > 0 {
                self.cells[place] = C::open(degree);
                if degree > C::HIGHEST_COUNT {
                    self.beyond.push((number, degree - C::HIGHEST_COUNT));
                }
                if list {
                    for link in links.iter() {
                        let local = link.number.wrapping_sub(self.start);
                        match self.in_degrees.get_mut(local as usize) {
                            Some(in_degrees) => *in_degrees += 1,
                            None => outbox.post(link.number, link.number),
                        }
                    }
                }
                return Ok(());
            }
            let outcome = game.no_moves(state);
            let stuck = || SolveError::NoMoves { state: format!("{state:?}") };
            Value::of_end(outcome.ok_or_else(stuck)?, mover)
        };
        self.cells[place] = C::ended(value);
        self.counts.add_value(value, mover);
        match value {
            Value::Draw(_) => self.drawn_ends += 1,
            Value::Win(0) | Value::Loss(0) => self.frontier.insert(number - self.start),
            _ => self.early.insert(number - self.start),
        }
        Ok(())
    }
}

/// The degree of a state, if it can be had without a look at where the moves lead.
#[inline(always)]
fn quick_degree<N: Numbering>(numbering: &N, state: &<N::Game as Game>::State) -> Option<u64> {
    numbering.degree(state).or_else(|| {
        (<N::Game as Game>::DISTINCT && !N::HAS_EXITS).then(|| {
            let mut degree = 0;
            numbering.game().moves(state, |_| degree += 1);
            degree
        })
    })
}

/// What the moves of a state offer that lead to states without a number.
///
/// # Errors
/// When the value of one is not known.
pub(crate) fn exits<N: Numbering>(
    numbering: &N,
    state: &<N::Game as Game>::State,
) -> Result<ExitSummary, SolveError> {
    let game = numbering.game();
    let mover = game.turn(state);
    let (mut exit_summary, mut unknown) = (ExitSummary::default(), None);
    numbering.exits(state, |next| match numbering.outside(&next) {
        Some(value) => exit_summary.add(value, game.turn(&next) == mover),
        None => unknown = Some(format!("{next:?}")),
    });
    match unknown {
        None => Ok(exit_summary),
        Some(next) => Err(SolveError::UnexpectedTier { state: format!("{state:?}"), next }),
    }
}

/// Who hurries to a draw: the player whom endless play costs the game.
pub(crate) fn endless_loser<G: Game>(game: &G) -> Option<Player> {
    game.endless().winner().map(Player::opponent)
}

/// How many distinct successors a state has. They are in `links` where they have to be listed, be it
/// only because the game does not know how many there are, or has not promised where they lead.
fn degree<N: Numbering>(
    numbering: &N,
    state: &<N::Game as Game>::State,
    list: bool,
    links: &mut Links,
) -> Result<u64, SolveError> {
    if !list
        && <N::Game as Game>::PREDECESSORS
        && let Some(degree) = quick_degree(numbering, state)
    {
        return Ok(degree);
    }
    successors(numbering, state, links)?;
    Ok(links.len() as u64)
}
