//! Compares the figures of a header with the counted figures and with each other.
//!
//! The figures of a table with distances follow from its values. A table of outcomes has the
//! figures of the table with distances, but its values show less: who wins, and whether play is
//! over at once. So the distribution of the other wins and losses over the distances can't be
//! compared. Only their sums can, and that no distance is missing that a greater one needs.

use crate::error::TableError;
use crate::game::summary::{Counts, Summary};
use crate::game::value::{MAX_PLIES, Rules};
use crate::table::Header;

/// Compares the figures of a header with the counts of its table. `exits` are the figures of the
/// tiers that the table's moves lead to.
///
/// # Errors
/// When they can't be the figures of this table.
pub(crate) fn check_figures<'s>(
    header: &Header,
    counts: &Counts,
    exits: impl Iterator<Item = &'s Summary>,
) -> Result<(), TableError> {
    let counted = Summary::from_counts(counts, header.rules);
    let stored = &header.summary;
    let are_right = match header.outcomes_only {
        true => {
            stored.by_mover == counted.by_mover
                && stored.points == counted.points
                && have_the_sums(stored, &counted)
                // A move that gains points may lead to a draw, whose distance is no figure.
                && (header.rules.points.is_some() || are_without_gaps(stored, exits))
                && are_within_the_limit(stored, header.rules)
        }
        false => *stored == counted,
    };
    if are_right { Ok(()) } else { Err(TableError::WrongSummary) }
}

/// Whether the distances ascend, the figures of distance 0 are as counted, and the others have the
/// counted sums. All greater distances were counted as 1.
fn have_the_sums(stored: &Summary, counted: &Summary) -> bool {
    // Figures from a file may be anything.
    let sums = |summary: &Summary| {
        let mut sums = [[0_u128; 2]; 2];
        for at in &summary.distances {
            let sum = &mut sums[usize::from(at.plies > 0)];
            sum[0] += u128::from(at.won);
            sum[1] += u128::from(at.lost);
        }
        sums
    };
    let distances = &stored.distances;
    distances.is_sorted_by(|one, next| one.plies < next.plies)
        && distances.iter().all(|at| at.won > 0 || at.lost > 0)
        && stored.longest().is_none_or(|longest| longest <= MAX_PLIES)
        && sums(stored) == sums(counted)
}

/// Whether each distance from 2 on has a state of the previous distance, in this or another tier,
/// since a move leads there. A state of distance 1 may lead to states whose play is over.
fn are_without_gaps<'s>(stored: &Summary, exits: impl Iterator<Item = &'s Summary>) -> bool {
    let exits: Vec<&Summary> = exits.collect();
    let has = |summary: &Summary, plies: u32| {
        summary.distances.binary_search_by_key(&plies, |at| at.plies).is_ok()
    };
    stored
        .distances
        .iter()
        .map(|at| at.plies)
        .filter(|&plies| plies > 1)
        .all(|plies| has(stored, plies - 1) || exits.iter().any(|summary| has(summary, plies - 1)))
}

/// Whether the ply limit decides no state, not even after a move, as in any table of outcomes.
fn are_within_the_limit(stored: &Summary, rules: Rules) -> bool {
    rules.ply_limit.is_none_or(|limit| stored.longest().unwrap_or(0) < limit)
}
