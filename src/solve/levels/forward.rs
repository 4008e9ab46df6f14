//! One level of the analysis by moves alone, for games without predecessors where there is no
//! memory for reverse edges.
//!
//! Every open state is asked at every level whether its successors settle it. That costs no memory
//! beyond the cells, and time in proportion to the number of levels.

use std::ops::ControlFlow;

use crate::error::SolveError;
use crate::game::{Game, Player};
use crate::numbering::Numbering;
use crate::runtime::frontier::{CHUNK, Frontier, Part};
use crate::runtime::pool::{CancellationToken, Size, WorkerPool, equal_cuts};
use crate::solve::graph::incoming::Pass;
use crate::solve::graph::initialize::{BIG, exits};
use crate::solve::levels::Step;
use crate::solve::levels::backward::{Effect, Outcome};
use crate::solve::levels::cells::{Cell, Cells, Codes, Slice};
use crate::value::{DRAW, ENDLESS, LOSS, Value};

/// What settles states in a pass.
#[derive(Clone, Copy)]
pub(crate) enum Aim {
    /// Wins and losses.
    Decided,
    /// Draws, which this player hurries to.
    Drawn { endless_loser: Option<Player> },
}

impl Aim {
    /// The pass with this aim.
    pub(crate) fn pass(self) -> Pass {
        match self {
            Aim::Decided => Pass::Decided,
            Aim::Drawn { .. } => Pass::Drawn,
        }
    }
}

/// Asks every open state, and settles those that are decided. The sets are empty before and after.
pub(crate) fn level<N: Numbering + Sync>(
    numbering: &N,
    step: Step<'_>,
    cells: &mut Cells,
    [settled, at_once]: [&mut Frontier; 2],
    pool: &mut WorkerPool<'_>,
) -> Result<Outcome, SolveError> {
    let Step { aim, level, codes, event, .. } = step;
    let len = numbering.len();
    let size = if len < BIG { Size::Small } else { Size::Big };
    let parts = if size == Size::Small { 1 } else { 4 * pool.threads() };
    let ends = equal_cuts(len, parts, CHUNK);
    let ask = |(start, end, mut settled, mut at_once): (u64, u64, Part<'_>, Part<'_>),
               token: &dyn CancellationToken| {
        let mut outcome = Outcome::default();
        let cells: &Cells = cells;
        for number in start..end {
            if number.is_multiple_of(CHUNK) && token.done(0) == ControlFlow::Break(()) {
                break;
            }
            if cells.get(number as usize) != ENDLESS {
                continue;
            }
            let Some((mover, Effect { settles, kind })) =
                answer(numbering, aim, level, cells, number)?
            else {
                continue;
            };
            settled.insert(number - start);
            if settles[0] {
                at_once.insert(number - start);
            }
            outcome.settled[usize::from(!settles[0])] += 1;
            outcome.walked[kind][mover.index()] += 1;
        }
        Ok::<_, SolveError>(outcome)
    };
    let pieces = cut(&ends, settled.whole(), at_once.whole());
    let mut outcome = Outcome::default();
    for part in pool.run(size, pieces, event, ask)? {
        outcome.add(&part);
    }

    match cells.slice() {
        Slice::Narrow(narrow) => write(narrow, codes, settled.whole(), at_once.whole()),
        Slice::Wide(wide) => write(wide, codes, settled.whole(), at_once.whole()),
    }
    Ok(outcome)
}

/// Cuts both maps at the same ends.
fn cut<'f>(
    ends: &[u64],
    mut settled: Part<'f>,
    mut at_once: Part<'f>,
) -> Vec<(u64, u64, Part<'f>, Part<'f>)> {
    let mut start = 0;
    let mut pieces = Vec::new();
    for &end in ends {
        let length = (end - start).next_multiple_of(CHUNK);
        let (own_settled, later_settled) = settled.split_at(length);
        let (own_at_once, later_at_once) = at_once.split_at(length);
        pieces.push((start, end, own_settled, own_at_once));
        (settled, at_once) = (later_settled, later_at_once);
        start = end;
    }
    pieces
}

/// Whether its successors settle an open state; who is to move in it, and how.
fn answer<N: Numbering>(
    numbering: &N,
    aim: Aim,
    level: u32,
    cells: &Cells,
    number: u64,
) -> Result<Option<(Player, Effect)>, SolveError> {
    let Some(state) = numbering.state(number) else { return Ok(None) };
    let game = numbering.game();
    let mover = game.turn(&state);
    let (mut found, mut escape, mut broken) = (false, false, None);
    game.moves(&state, |next| {
        let number = match numbering.number(&next) {
            Some(number) => number,
            None if N::HAS_EXITS => return,
            None => u64::MAX,
        };
        if number >= cells.len() {
            broken = Some((format!("{next:?}"), number));
            return;
        }
        let value = cells.get(number as usize);
        // Where play stops early, the value takes effect one level later than it is known.
        let too_late = Value::packed_plies(value) > level;
        match aim {
            Aim::Decided if value == ENDLESS || value >= DRAW || too_late => escape = true,
            Aim::Decided => found |= (value < LOSS) == (game.turn(&next) == mover),
            Aim::Drawn { .. } if value == ENDLESS || value >= DRAW && too_late => escape = true,
            // What is won or lost here is lost for the player to move, who avoids it.
            Aim::Drawn { .. } => found |= value >= DRAW,
        }
    });
    if let Some((state, index)) = broken {
        return Err(SolveError::IndexOutOfRange { state, index, len: numbering.len() });
    }
    if N::HAS_EXITS {
        let exits = exits(numbering, &state)?;
        // What takes longer is not known yet, as far as this level goes.
        let known = |plies: u32| plies <= level;
        let draws = exits.soonest_draw;
        match aim {
            Aim::Decided => {
                found |= exits.soonest_win.is_some_and(known);
                escape |= exits.endless
                    || draws.is_some()
                    || exits.soonest_win.is_some_and(|plies| !known(plies))
                    || exits.latest_loss.is_some_and(|plies| !known(plies));
            }
            Aim::Drawn { .. } => {
                found |= draws.is_some_and(known);
                escape |= exits.endless || exits.latest_draw.is_some_and(|plies| !known(plies));
            }
        }
    }
    let (at_once, at_last) = match aim {
        Aim::Decided => (found, !escape),
        Aim::Drawn { endless_loser } => (found && endless_loser == Some(mover), found && !escape),
    };
    let kind = match aim {
        Aim::Decided => usize::from(!at_once),
        Aim::Drawn { .. } => 2,
    };
    let news = Effect { settles: [at_once; 2], kind };
    Ok((at_once || at_last).then_some((mover, news)))
}

/// Writes what was found, and empties the maps.
fn write<C: Cell>(
    cells: &mut [C],
    codes: Codes<u16>,
    mut settled: Part<'_>,
    mut at_once: Part<'_>,
) {
    for chunk in 0..settled.chunks() {
        settled.drain_chunk(chunk, |number| {
            let code = if at_once.contains(number) { codes.at_once } else { codes.at_last };
            cells[number as usize] = C::of_code(code);
        });
        at_once.drain_chunk(chunk, |_| {});
    }
}
