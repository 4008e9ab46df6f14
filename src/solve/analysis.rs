//! The retrograde analysis: degree counting, level by level.
//!
//! It works on numbers alone ([`Positions`]) and knows no game. Level d settles exactly the states
//! of distance d: a state one of whose successors is lost for the opponent is won, and a state all
//! of whose successors are won for the opponent is lost. Since the levels are finished in order,
//! the winner's distance is the least and the loser's the greatest. (Thompson, "Retrograde
//! analysis of certain endgames", ICCA Journal 9(3), 1986; linear time by counting: Dowling and
//! Gallier on Horn formulae, Journal of Logic Programming 1(3), 1984.)
//!
//! What the first pass leaves open can't be forced by anybody. The second pass does the same with
//! draws, so that play which has to end in a draw is told from play that never has to end:
//!
//! - Where endless play is a draw, both players wait: a state is settled once all its successors
//!   that keep the draw are, hence the settled ones are those where drawn play must end.
//! - Where endless play wins for one player, the other hurries: for him a state is a draw as soon
//!   as one successor is. The attractor so computed is his "at least a draw" region, since the
//!   first pass found nothing better for him there. In what remains the player for whom endless play
//!   wins can stay for ever, and does.

use super::cells::Cells;
use super::frontier::Frontier;
use super::positions::{Link, Links, Opening, Positions, keep_distinct};
use super::progress::sweep;
use super::{OnProgress, Progress, SolveError};
use crate::game::Outcome;
use crate::value::{DRAW, LOSS, MAX_PLIES, Value, WIN};

/// Settles every state and returns the packed values, one a number.
pub(super) fn analyse<P: Positions>(
    positions: &P,
    endless: Outcome,
    progress: &mut OnProgress<'_>,
) -> Result<Vec<u16>, SolveError> {
    let mut analysis = Analysis::set_up(positions, progress)?;

    let decided = |value: u16| value < DRAW;
    let wins_at_once = |_, value: u16, same_mover: bool| (value < LOSS) == same_mover;
    analysis.pass(decided, wins_at_once, WIN, LOSS, progress)?;

    if analysis.drawn_ends > 0 {
        let hurried = endless.winner().map(|winner| winner.opponent());
        let drawn = |value: u16| value >= DRAW;
        let draws_at_once = |target, _, same_mover: bool| {
            hurried.is_some_and(|player| (positions.mover(target) == player) == same_mover)
        };
        analysis.pass(drawn, draws_at_once, DRAW, DRAW, progress)?;
    }
    Ok(analysis.cells.into_values())
}

struct Analysis<'p, P> {
    positions: &'p P,
    cells: Cells,
    frontier: Frontier,
    /// The frontier of the level after.
    next: Frontier,
    /// How many states are settled, and how many there are.
    settled: u64,
    states: u64,
    drawn_ends: u64,
}

impl<'p, P: Positions> Analysis<'p, P> {
    /// Counts the successors of every state and settles the terminal ones.
    fn set_up(positions: &'p P, progress: &mut OnProgress<'_>) -> Result<Self, SolveError> {
        let of = positions.len();
        let mut cells = Cells::holes(of)?;
        let (mut settled, mut states, mut drawn_ends) = (0, 0, 0);
        let event = |done| Progress::Counting { done, of };
        sweep(of, progress, event, SolveError::Interrupted, |number| {
            match positions.opening(number)? {
                Opening::Hole => return Ok(()),
                Opening::Open { degree } => cells.open(number, degree),
                Opening::Over(value) => {
                    cells.settle(number, value.pack());
                    settled += 1;
                    drawn_ends += u64::from(value == Value::Draw(0));
                }
            }
            states += 1;
            Ok(())
        })?;
        let (frontier, next) = (Frontier::empty(of)?, Frontier::empty(of)?);
        Ok(Analysis { positions, cells, frontier, next, settled, states, drawn_ends })
    }

    /// One backward pass, from the settled states whose value `starts` accepts.
    ///
    /// A state that `settles_at_once` (given a settled successor, its packed value, and whether
    /// the same player is to move in both) gets `at_once` plus its distance; one whose last open
    /// successor was settled without that gets `at_last` plus its distance.
    fn pass(
        &mut self,
        starts: impl Fn(u16) -> bool,
        settles_at_once: impl Fn(u64, u16, bool) -> bool,
        at_once: u16,
        at_last: u16,
        progress: &mut OnProgress<'_>,
    ) -> Result<(), SolveError> {
        for number in 0..self.positions.len() {
            let value = self.cells.get(number);
            if value >= WIN && starts(value) {
                self.frontier.insert(number);
            }
        }
        let mut level = 0;
        while self.level(level, &settles_at_once, at_once, at_last, progress)? > 0 {
            if level == MAX_PLIES {
                return Err(SolveError::TooLong);
            }
            std::mem::swap(&mut self.frontier, &mut self.next);
            level += 1;
        }
        Ok(())
    }

    /// Walks the frontier, the states of distance `level`, and settles those of distance
    /// `level` + 1; returns how many.
    fn level(
        &mut self,
        level: u32,
        settles_at_once: &impl Fn(u64, u16, bool) -> bool,
        at_once: u16,
        at_last: u16,
        progress: &mut OnProgress<'_>,
    ) -> Result<u64, SolveError> {
        let Analysis { positions, cells, frontier, next, settled, states, .. } = self;
        let before = *settled;
        // At the last level that fits, what is settled would not: `pass` fails if there is any.
        let distance = (level + 1).min(MAX_PLIES) as u16;
        let (at_once, at_last) = (at_once + distance, at_last + distance);
        let mut broken = None;
        let mut links = Links::new();
        for chunk in 0..frontier.chunks() {
            if chunk.is_multiple_of(64) {
                let event = Progress::Settling { level, settled: *settled, of: *states };
                if progress(event).is_break() {
                    return Err(SolveError::Interrupted);
                }
            }
            frontier.drain_chunk(chunk, |target| {
                let value = cells.get(target);
                let mut apply = |link: Link| {
                    let source = link.number();
                    let at_once =
                        settles_at_once(target, value, link.same_mover()).then_some(at_once);
                    match cells.tell(source, at_once, at_last) {
                        Some(true) => {
                            next.insert(source);
                            *settled += 1;
                        }
                        Some(false) => {}
                        None => broken = Some((target, source)),
                    }
                };
                if P::DISTINCT {
                    positions.predecessors(target, apply);
                } else {
                    links.clear();
                    positions.predecessors(target, |link| links.push(link));
                    keep_distinct(&mut links);
                    links.iter().for_each(|&link| apply(link));
                }
            });
        }
        if let Some((target, index)) = broken {
            let state = format!("(a predecessor of number {target})");
            return Err(SolveError::IndexOutOfRange { state, index, len: positions.len() });
        }
        Ok(*settled - before)
    }
}
