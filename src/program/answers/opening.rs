//! The position that a table is opened with.

use std::ops::ControlFlow::Continue;
use std::ops::Range;

use crate::error::QueryError;
use crate::game::notation::Notation;
use crate::program::asking::start;
use crate::query::Prober;
use crate::solve::TierFigures;

/// So many values are looked at for a position to begin with, and so often as many more where none of
/// them has a position.
const LOOKED_AT: u64 = 4_096;
const MOST_LOOKS: u32 = 16;

/// The ranges of the indices that are solved, in order.
pub(super) fn pieces(tiers: &[(String, Range<u64>)], solved: &[TierFigures]) -> Vec<Range<u64>> {
    let mut pieces: Vec<Range<u64>> = Vec::new();
    for (name, indices) in tiers {
        if !solved.iter().any(|tier| tier.name == *name) {
            continue;
        }
        match pieces.last_mut() {
            Some(last) if last.end == indices.start => last.end = indices.end,
            _ => pieces.push(indices.clone()),
        }
    }
    pieces
}

/// The position to begin with: the start or, where its tier is not solved, one of those that are. Of the
/// last positions of the tiers that are solved, it is one that is farthest from its end.
pub(super) fn opening<G: Notation>(prober: &Prober<G>, pieces: &[Range<u64>]) -> Option<G::State> {
    let view = prober.view();
    let start = start(view);
    let is_solved = |state: &G::State| match view.verdict(state) {
        Err(QueryError::Table(error)) => error.unsolved_tier().is_none(),
        _ => true,
    };
    if start.as_ref().is_none_or(is_solved) {
        return start;
    }
    let last = pieces.last()?;
    let mut end = last.end;
    for _ in 0..MOST_LOOKS {
        let begin = last.start.max(end.saturating_sub(LOOKED_AT));
        let (mut farthest, mut found) = (None, None);
        let _ = prober.files().visit_in(begin..end, &|_| true, &mut |_, state, value| {
            if farthest < Some(value.plies()) {
                (farthest, found) = (Some(value.plies()), Some(state));
            }
            Continue(())
        });
        if found.is_some() || begin == last.start {
            return found;
        }
        end = begin;
    }
    None
}
