//! The line of best play.

use std::collections::HashMap;

use crate::error::QueryError;
use crate::game::Game;
use crate::game::value::Value;
use crate::query::answers::{Assessed, Line, LineEnd, RankedMoves};
use crate::query::view::View;

impl<G: Game> View<'_, G> {
    pub(crate) fn line_within(
        &self,
        state: &G::State,
        plies: usize,
    ) -> Result<Line<G::State>, QueryError> {
        self.check_distances("a line of best play")?;
        let mut view = *self;
        let (mut index, value, verdict) = view.assess(state)?;
        let mut positions = vec![Assessed { state: state.clone(), index, value, verdict, gain: 0 }];
        let (mut alternatives, mut only) = (Vec::new(), Vec::new());
        let mut seen: HashMap<u64, usize> = HashMap::new();
        loop {
            seen.insert(index, positions.len() - 1);
            let RankedMoves { mut moves, best_count: equals, only: is_only } =
                view.ranked_moves(&positions[positions.len() - 1].state)?;
            let Some(best) = moves.first() else {
                return Ok(Line { positions, alternatives, only, end: LineEnd::Over });
            };
            if view.rules.ply_limit == Some(0) {
                return Ok(Line { positions, alternatives, only, end: LineEnd::PlyLimit });
            }
            if alternatives.len() == plies {
                return Ok(Line { positions, alternatives, only, end: LineEnd::Cut });
            }
            // Among endless moves, one that repeats a position comes first, so that the line is
            // short.
            let repeats = |step: &Assessed<_>| {
                best.value == Some(Value::Endless)
                    && step.value == best.value
                    && step.verdict == best.verdict
                    && step.gain == best.gain
                    && seen.contains_key(&step.index)
            };
            let chosen = moves.iter().position(repeats).unwrap_or(0);
            moves.truncate(equals.max(chosen + 1));
            let step = moves.remove(chosen);
            index = step.index;
            positions.push(step);
            alternatives.push(moves);
            only.push(is_only);
            if let Some(&first) = seen.get(&index) {
                return Ok(Line {
                    positions,
                    alternatives,
                    only,
                    end: LineEnd::Repetition { first },
                });
            }
            view.rules = view.rules.after(1);
        }
    }
}
