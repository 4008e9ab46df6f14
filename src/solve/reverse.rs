//! The moves of a game turned round, for games that do not tell their predecessors.

use super::positions::{Link, Links, successors};
use super::progress::sweep;
use super::{OnProgress, Progress, SolveError, try_filled};
use crate::game::Game;
use crate::numbering::Numbering;

/// For every number, the numbers of the states that have a move to it: one array of all of them
/// and, for every number, where its part of that array begins. 8 bytes an edge and 8 a state.
pub(super) struct ReverseEdges {
    /// `sources[starts[n]..starts[n + 1]]` belongs to number `n`.
    starts: Vec<u64>,
    sources: Vec<Link>,
}

impl ReverseEdges {
    /// Looks at all moves twice: once to count what arrives where, once to put it there.
    pub(super) fn of<N: Numbering>(
        numbering: &N,
        progress: &mut OnProgress<'_>,
    ) -> Result<ReverseEdges, SolveError> {
        let len = numbering.len();
        let mut starts: Vec<u64> = try_filled(0, len.saturating_add(1), "the reverse edges")?;
        each_edge(numbering, 0, progress, |_, link| starts[link.number() as usize] += 1)?;
        let mut edges = 0;
        for start in &mut starts {
            edges += *start;
            *start = edges;
        }
        // Each start is now where its part ends; filling it from the back moves it to the front.
        let mut sources = try_filled(Link::new(0, false), edges, "the reverse edges")?;
        each_edge(numbering, len, progress, |source, link| {
            let start = &mut starts[link.number() as usize];
            *start -= 1;
            sources[*start as usize] = Link::new(source, link.same_mover());
        })?;
        Ok(ReverseEdges { starts, sources })
    }

    #[inline]
    pub(super) fn arriving_at(&self, number: u64) -> &[Link] {
        let [start, end] = [number, number + 1].map(|number| self.starts[number as usize]);
        &self.sources[start as usize..end as usize]
    }
}

/// Visits every distinct edge: the number of its source, and its link from there.
fn each_edge<N: Numbering>(
    numbering: &N,
    done_before: u64,
    progress: &mut OnProgress<'_>,
    mut visit: impl FnMut(u64, Link),
) -> Result<(), SolveError> {
    let game = numbering.game();
    let mut links = Links::new();
    let of = 2 * numbering.len();
    let event = |done| Progress::Reversing { done: done_before + done, of };
    sweep(numbering.len(), progress, event, SolveError::Interrupted, |source| {
        let Some(state) = numbering.state(source) else { return Ok(()) };
        if game.terminal(&state).is_none() {
            successors(numbering, &state, &mut links)?;
            links.iter().for_each(|&link| visit(source, link));
        }
        Ok(())
    })
}
