//! The first pass over the states of a game that move in rows: it finds the states of each row, the best exit of
//! each, and the states that have no move.

use std::ops::Range;

use crate::error::{BrokenLaw, Law, SolveError};
use crate::game::preference::{Preference, for_chooser};
use crate::game::summary::Counts;
use crate::game::value::{Scale, Value};
use crate::game::{Game, Row, Rows};
use crate::laws::check_end;
use crate::numbering::Numbering;
use crate::runtime::cuts::equal_cuts;
use crate::runtime::frontier::{CHUNK, Part};
use crate::runtime::pool::{CancellationToken, Size, WorkerPool};
use crate::runtime::progress::Progress;
use crate::runtime::words::{Words, each};
use crate::solve::cells::Slice;
use crate::solve::cells::cell::Cell;
use crate::solve::graph::incoming::Incoming;
use crate::solve::graph::initial_state::InitialState;

const ROW: u64 = 64;

/// How many parts each thread gets.
const PARTS_A_THREAD: usize = 16;

/// The indices that one thread initializes, with their cells and frontier.
struct Own<'a> {
    range: Range<u64>,
    cells: &'a mut [u8],
    frontier: Part<'a>,
    counts: Counts,
    incoming: Incoming,
    /// The states that are won where play is over.
    won: Vec<u64>,
}

/// Makes the initial state for levels by rows, and finds the states of each row, but for those that are won at once.
/// `None` if play ends early somewhere, which such levels do not know.
pub(crate) fn initialize<N: Numbering + Sync, R: Rows>(
    numbering: &N,
    rows: &R,
    pool: &mut WorkerPool<'_>,
) -> Result<Option<(InitialState, Words)>, SolveError> {
    let len = numbering.len();
    let mut initial = InitialState::before(0..len, Scale::PLAIN, None)?;
    let states = Words::empty(len.div_ceil(ROW))?;
    let size = Size::of_pass(len);
    let ends = equal_cuts(len, pool.threads() * PARTS_A_THREAD, CHUNK);
    let starts = [0].into_iter().chain(ends.iter().copied());
    let ranges: Vec<_> = starts.zip(&ends).map(|(start, &end)| start..end).collect();
    let event = |_| Progress::Counting { done: 0, of: len };
    pool.run(size, ranges, event, |range, _| {
        for row in range.start / ROW..range.end.div_ceil(ROW) {
            let within = u64::MAX >> (ROW - ROW.min(len - row * ROW));
            states.set(row, rows.row(row).map_or(0, |row| row.states & within));
        }
        Ok::<_, SolveError>(())
    })?;
    let Slice::Narrow(mut cells) = initial.cells.slice() else { return Ok(None) };
    let mut owners = Vec::new();
    for (range, frontier) in initial.frontier.whole().cut(&ends) {
        let count = (range.end - range.start) as usize;
        let cells = cells.split_off_mut(..count).unwrap_or_default();
        let (counts, incoming, won) = Default::default();
        owners.push(Own { range, cells, frontier, counts, incoming, won });
    }
    let event = |done| Progress::Counting { done, of: len };
    let owners = pool.run(size, owners, event, |mut own, token| {
        let is_plain = own.pass(numbering, rows, &states, token)?;
        Ok::<_, SolveError>((is_plain, own.counts, own.incoming, own.won))
    })?;
    if owners.iter().any(|(is_plain, ..)| !is_plain) {
        return Ok(None);
    }
    for (_, counts, incoming, won) in owners {
        initial.counts.add(&counts);
        initial.incoming.append(incoming);
        for index in won {
            let row = index / ROW;
            states.set(row, states.of(row) & !(1 << (index % ROW)));
        }
    }
    Ok(Some((initial, states)))
}

impl Own<'_> {
    /// Opens the states of its rows, and settles those where play is over. False if play ends early somewhere.
    fn pass<N: Numbering, R: Rows>(
        &mut self,
        numbering: &N,
        rows: &R,
        states: &Words,
        token: &dyn CancellationToken,
    ) -> Result<bool, SolveError> {
        let first = self.range.start;
        for number in first / ROW..self.range.end.div_ceil(ROW) {
            if number.is_multiple_of(ROW) && token.done(CHUNK).is_break() {
                break;
            }
            let Some(row) = rows.row(number) else { continue };
            let row = Row { states: states.of(number), ..row };
            let preference = Preference::new(row.turn, numbering.game().endless());
            self.counts.states[row.turn.index()] += u64::from(row.states.count_ones());
            let stuck = rows.without_step_to(number, row.states, |row| states.of(row));
            let (mut best, mut unknown) = ([None; ROW as usize], None);
            rows.exits(number, row.states, |states, tier, index| {
                match numbering.outside_at(tier, index) {
                    Some(value) => {
                        let value = for_chooser(value, false);
                        each(states, |at| best[at] = Some(preference.better(best[at], value)));
                    }
                    None => unknown = Some((tier, index)),
                }
            });
            if let Some((tier, index)) = unknown {
                let text = format!(
                    "by `tier_rows`, a move from row {number} leads to index {index} of tier number {tier}, \
                     which has no value"
                );
                return Err(BrokenLaw::new(Law::Successors, [], text).into());
            }
            let mut left = row.states;
            while left != 0 {
                let at = left.trailing_zeros();
                left &= left - 1;
                let (index, is_stuck) = (number * ROW + u64::from(at), stuck >> at & 1 == 1);
                let leaves = self.incoming.add_exit(index, best[at as usize], preference);
                let place = (index - first) as usize;
                let degree = u64::from(!is_stuck) + u64::from(leaves);
                if degree > 0 {
                    self.cells[place] = u8::open(degree);
                    continue;
                }
                let Some(state) = numbering.state(index) else {
                    let text = format!("`tier_rows` has a state of index {index}, which is unused");
                    return Err(BrokenLaw::new(Law::Successors, [], text).into());
                };
                let game = numbering.game();
                let stuck = || BrokenLaw::no_moves(numbering.write(&state), index);
                let outcome = game.no_moves(&state).ok_or_else(stuck)?;
                check_end(game, outcome, || numbering.write(&state))?;
                let value = Value::of_end::<N::Game>(outcome, row.turn);
                self.cells[place] = u8::ended(Scale::PLAIN.pack(value));
                self.counts.add_value(value, row.turn);
                match value {
                    Value::Draw(0) => {}
                    Value::Loss(0) => self.frontier.insert(index - first),
                    Value::Win(0) => {
                        self.frontier.insert(index - first);
                        self.won.push(index);
                    }
                    _ => return Ok(false),
                }
            }
        }
        Ok(true)
    }
}
