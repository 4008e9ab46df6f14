//! Searches for positions in a table.

use std::collections::HashSet;
use std::ops::ControlFlow::{Break, Continue};

use crate::error::{QueryError, TableError};
use crate::game::Turns as _;
use crate::game::notation::Notation;
use crate::numbering::scheme::Numbered;
use crate::program::answers::examples::{Found, Kind, Search};
use crate::program::answers::game_table::GameTable;
use crate::program::answers::problem::Problem;
use crate::query::view::View;
use crate::table::Stored;

impl<G: Notation + Stored + Numbered> GameTable<G> {
    /// Whether the state fits a search in the conditions beside its value.
    fn matches(
        &self,
        solved: &View<'_, G>,
        search: &Search<'_>,
        state: &G::State,
    ) -> Result<bool, QueryError> {
        let game = self.game();
        match search.kind {
            Kind::OnlyMove => {
                let moves = solved.ranked_moves(state)?.moves;
                let winning = moves.iter().filter(|to| self.worth(state, to).is_gt());
                Ok(winning.count() == 1)
            }
            Kind::LostForBoth => {
                let Some(passed) = game.with_other_mover(state) else { return Ok(false) };
                match solved.verdict(&passed) {
                    Ok(verdict) => Ok(verdict.outcome.for_mover(game.named_mover(&passed)).is_lt()),
                    Err(error) if error.lacks_state() => Ok(false),
                    Err(error) => Err(error),
                }
            }
            _ => Ok(true),
        }
    }

    /// Searches for positions.
    pub(super) fn find(&self, search: &Search<'_>) -> Result<Found, Problem> {
        let game = self.game();
        let prober = &self.prober;
        let timed = View { is_late: search.is_over, ..prober.view() };
        let rules = prober.rules();
        let pieces = match search.tier {
            None => self.pieces.clone(),
            Some(wanted) => {
                self.facts.check_tier(wanted)?;
                let found = self.tiers.iter().find(|(name, _)| name == wanted);
                found.map(|(_, indices)| indices.clone()).into_iter().collect()
            }
        };
        let has_distances = self.facts.has_distances;
        if search.needs_distances() && !has_distances {
            let error = QueryError::OutcomesOnly { asked: "a search for distances" };
            return Err(Problem::of_query(error, ""));
        }
        let mut found = Found { is_complete: true, ..Found::default() };
        let mut failed = None;
        let wanted = |value| search.is_late() || search.wants(value);
        let mut seen = HashSet::new();
        for (indices, enough) in search.ranges(&pieces) {
            if found.positions.len() >= search.count || !found.is_complete || failed.is_some() {
                break;
            }
            let enough = (found.positions.len() + enough).min(search.count);
            let visited = prober.files().visit_in(indices, &wanted, &mut |index, state, value| {
                if search.is_late() {
                    (found.is_complete, found.stopped_at) = (false, Some(index));
                    return Break(());
                }
                if !search.wants(value) {
                    return Continue(());
                }
                match self.matches(&timed, search, &state) {
                    Ok(false) => return Continue(()),
                    Ok(true) => {}
                    Err(QueryError::Table(TableError::Interrupted)) => {
                        (found.is_complete, found.stopped_at) = (false, Some(index));
                        return Break(());
                    }
                    Err(error) => {
                        failed = Some(Problem::of_query(error, &game.write_state(&state)));
                        return Break(());
                    }
                }
                let mover = game.named_mover(&state);
                let verdict = match has_distances {
                    true => rules.judge(value, mover),
                    false => rules.judge_kind(value.kind(), mover),
                };
                // A ply limit may have decided otherwise.
                if search.suits(verdict.outcome.for_mover(mover), verdict) && seen.insert(index) {
                    found.positions.push(self.position(&state, verdict));
                }
                if found.positions.len() < enough {
                    return Continue(());
                }
                found.stopped_at = Some(index + 1);
                Break(())
            });
            visited.map_err(|error| Problem::of_query(error, ""))?;
        }
        if search.seed.is_some() {
            found.stopped_at = None;
        }
        failed.map_or(Ok(found), Err)
    }
}
