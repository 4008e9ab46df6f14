//! The order of the moves of a state.

use std::cmp::{Ordering, Reverse};

use crate::error::QueryError;
use crate::game::preference::{Preference, for_chooser};
use crate::game::value::{DecidedBy, Value, Verdict};
use crate::game::{Game, Outcome, Player, Turns as _};
use crate::query::answers::{Assessed, RankedMoves};
use crate::query::view::View;

impl<G: Game> View<'_, G> {
    /// The distinct successors of a state, best first, judged by the rules of before the move.
    pub(crate) fn ranked_moves(
        &self,
        state: &G::State,
    ) -> Result<RankedMoves<G::State>, QueryError> {
        let game = self.game;
        if game.terminal(state).is_some() {
            return Ok(RankedMoves { moves: Vec::new(), best_count: 0, only: false });
        }
        let mut successors = Vec::new();
        game.moves(state, |next| {
            if !successors.contains(&next) {
                successors.push(next);
            }
        });
        let after = View { rules: self.rules.after(1), ..*self };
        let (mover, named) = (game.mover(state), game.named_mover(state));
        // Loops in place of adapters: this is compiled for every game.
        let (mut moves, mut facts, mut failed) = (Vec::new(), Vec::new(), None);
        for next in successors {
            // All are looked up even if one fails: who fetches parts of a table then learns of all that
            // lack.
            match after.assess(&next) {
                Ok((index, value, verdict)) => {
                    let gain = if G::POINTS { game.gain(state, &next) } else { 0 };
                    let step = Assessed { state: next, index, value, verdict, gain };
                    facts.push(Facts::of(game, mover, &step));
                    moves.push(Some(step));
                }
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        if let Some(error) = failed {
            return Err(error);
        }
        let preference = Preference::new(mover, self.rules.endless);
        let (order, best_count, only) = order(&facts, named, &preference);
        let mut ranked = Vec::with_capacity(moves.len());
        for at in order {
            ranked.extend(moves[at].take());
        }
        Ok(RankedMoves { moves: ranked, best_count, only })
    }
}

/// The facts that decide on the rank of a move, without the type of the game.
struct Facts {
    value: Option<Value>,
    verdict: Verdict,
    gain: i16,
    has_points: bool,
    /// Whether the player who makes the move is to move after it, too.
    same_mover: bool,
    /// The player to move after it, if states name them.
    next: Option<Player>,
}

impl Facts {
    fn of<G: Game>(game: &G, mover: Player, step: &Assessed<G::State>) -> Facts {
        let Assessed { state, value, verdict, gain, .. } = step;
        Facts {
            value: *value,
            verdict: *verdict,
            gain: *gain,
            has_points: G::POINTS,
            same_mover: game.is_mover_of(mover, state),
            next: game.named_mover(state),
        }
    }

    /// The worth of the move to the player who makes it: see [`points_of_move`].
    fn points(&self) -> Option<Value> {
        if !self.has_points {
            return None;
        }
        let value = self.value.or(match self.verdict {
            Verdict { decided_by: DecidedBy::Endless, .. } => Some(Value::Endless),
            Verdict { outcome, points: Some(points), .. } => {
                let points = points as i16;
                let is_lost = outcome.for_mover(self.next) == Ordering::Less;
                Some(Value::Points { points: if is_lost { -points } else { points }, plies: 0 })
            }
            _ => None,
        });
        value.map(|value| for_chooser(value, self.same_mover).plus(self.gain))
    }
}

/// The order of the moves with these facts, best first, how many are equally good and best, and whether the
/// first is the only one that wins, or draws where none wins. `named` is the player who makes the move, if
/// states name players.
fn order(
    facts: &[Facts],
    named: Option<Player>,
    preference: &Preference,
) -> (Vec<usize>, usize, bool) {
    // Where states do not say who is to move, the verdict is for the player to move after the move.
    let outcome = |step: &Facts| match (step.points(), step.verdict.outcome.for_mover(named)) {
        (Some(worth), _) => worth.points().cmp(&0),
        (None, outcome) if named.is_some() => outcome,
        (None, outcome) => outcome.reverse(),
    };
    let rank = |step: &Facts| {
        if let Some(worth) = step.points() {
            return Reverse([worth; 2].map(|value| preference.rank(value)));
        }
        let plies = step.value.and_then(Value::plies).unwrap_or(0);
        let worth = match (step.verdict.decided_by, outcome(step)) {
            (DecidedBy::Endless | DecidedBy::PlyLimit, _) => Value::Endless,
            (DecidedBy::Play, Ordering::Greater) => Value::Win(plies),
            (DecidedBy::Play, Ordering::Less) => Value::Loss(plies),
            (DecidedBy::Play, Ordering::Equal) => Value::Draw(plies),
        };
        // Where a ply limit makes moves equal, the one that would be best without the limit.
        let unlimited = match step.value.map(|value| for_chooser(value, step.same_mover)) {
            Some(Value::Draw(_)) | None => Value::Endless,
            Some(value) => value,
        };
        Reverse([worth, unlimited].map(|value| preference.rank(value)))
    };
    let mut order: Vec<usize> = (0..facts.len()).collect();
    order.sort_by_cached_key(|&at| rank(&facts[at]));
    // All draws are equally good, however long they take.
    let worth = |at: usize| {
        let step = &facts[at];
        let points = step.points().map(|worth| match worth.points() {
            0 => (0, None),
            points => (points, step.value.and(worth.plies())),
        });
        // With points, these say all.
        let verdict = (step.verdict.outcome, step.verdict.plies);
        (points, if points.is_none() { Some(verdict) } else { None })
    };
    let best_count = order.iter().take_while(|&&at| worth(at) == worth(order[0])).count();
    let mut outcomes = order.iter().map(|&at| outcome(&facts[at]));
    let only = match (outcomes.next(), outcomes.next()) {
        (Some(first), Some(second)) => first != Ordering::Less && second != first,
        _ => false,
    };
    (order, best_count, only)
}

/// How many replies to a drawing move keep the draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Replies {
    /// How many keep it.
    pub(crate) hold: usize,
    /// How many there are.
    pub(crate) all: usize,
}

/// The most drawing moves of a state whose replies are counted. Counting asks for the value of each reply.
const MOST_COUNTED: usize = 30;

impl<G: Game> View<'_, G> {
    /// For each of the ranked moves of a state, the replies that keep a draw. `None` for a move that does not
    /// draw or ends play, in a game with points, and where there are many moves to count for.
    #[cfg_attr(
        not(feature = "cli"),
        expect(dead_code, reason = "only the command line and the answers use it")
    )]
    pub(crate) fn replies(
        &self,
        moves: &[Assessed<G::State>],
    ) -> Result<Vec<Option<Replies>>, QueryError> {
        let draws = |to: &Assessed<G::State>| to.verdict.outcome == Outcome::Draw;
        let mut counted = vec![None; moves.len()];
        if G::POINTS || moves.iter().filter(|to| draws(to)).count() > MOST_COUNTED {
            return Ok(counted);
        }
        let view = View { rules: self.rules.after(1), ..*self };
        for (to, counted) in moves.iter().zip(&mut counted).filter(|(to, _)| draws(to)) {
            let replies = view.ranked_moves(&to.state)?.moves;
            let hold = replies.iter().filter(|reply| draws(reply)).count();
            *counted = (!replies.is_empty()).then_some(Replies { hold, all: replies.len() });
        }
        Ok(counted)
    }
}

/// What the move to a successor is worth to the player who makes it, in a game with points: the points
/// that the move gains, and those that follow. `None` in a game without points.
#[cfg_attr(
    not(feature = "cli"),
    expect(dead_code, reason = "only the command line and the answers use it")
)]
pub(crate) fn points_of_move<G: Game>(
    game: &G,
    mover: Player,
    step: &Assessed<G::State>,
) -> Option<Value> {
    if G::POINTS { Facts::of(game, mover, step).points() } else { None }
}
