//! Reverse edges: the predecessors of every state, collected from the moves of a game that does not
//! compute them itself.

use crate::error::SolveError;
use crate::game::Game;
use crate::numbering::Numbering;
use crate::runtime::memory::{Array, prefetch};
use crate::runtime::pool::{CancellationToken, Size, WorkerPool, equal_cuts};
use crate::runtime::progress::Progress;
use crate::solve::exchange::{Outbox, exchange};
use crate::solve::graph::initialize::BIG;
use crate::solve::graph::positions::{Link, Links, successors};

/// How many indices share a start of 64 bits. Each index has another 32 bits, counted from there.
const GROUP: u64 = 1 << 12;

/// How many links are stored in one go, so that their cache misses overlap.
const BATCH: usize = 64;

/// For every index, the links to the states that have a move to it, in one array (compressed sparse
/// rows).
///
/// A link takes as many bytes as the greatest one needs, which is 4 up to 2^31 indices. The start of
/// each row takes 4 bytes an index and a little more.
pub(crate) struct ReverseEdges {
    /// Where the row of every [`GROUP`]-th index begins.
    group_starts: Vec<u64>,
    /// Where the row of each index begins, counted from the start of its group.
    starts: Array<u32>,
    sources: Sources,
}

/// How many bytes of memory [`ReverseEdges`] with so many indices and edges take.
pub(crate) fn bytes(len: u64, edges: u64) -> u64 {
    let sources = edges.saturating_mul(source_bytes(len) as u64);
    starts_bytes(len).saturating_add(sources)
}

/// How many bytes of them the starts of the rows take, which double as in-degrees.
pub(crate) fn starts_bytes(len: u64) -> u64 {
    len.saturating_add(1).saturating_mul(4).saturating_add(len / GROUP * 8)
}

/// An array for the in-degree of each index.
pub(crate) fn in_degrees(len: u64) -> Result<Array<u32>, SolveError> {
    Ok(Array::zeroed(len.saturating_add(1), "the reverse edges")?)
}

/// How many bytes a link takes among `len` indices.
fn source_bytes(len: u64) -> usize {
    let greatest = len.saturating_mul(2).saturating_sub(1);
    let bits = u64::BITS - greatest.leading_zeros();
    (bits.div_ceil(8) as usize).max(4)
}

impl ReverseEdges {
    /// Collects the reverse edges, given the in-degree of each index; `None` if the in-degrees of one
    /// group add up to 2^32 or more.
    ///
    /// The game has to give the same moves each time.
    pub(crate) fn of<N: Numbering + Sync>(
        numbering: &N,
        mut in_degrees: Array<u32>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<ReverseEdges>, SolveError> {
        let len = numbering.len();
        // Each in-degree becomes the end of its row. Rows are filled from the back, which moves the
        // end to the front.
        let mut group_starts = Vec::new();
        let mut edges = 0;
        for group in in_degrees.chunks_mut(GROUP as usize) {
            group_starts.push(edges);
            let mut inside = 0_u64;
            for in_degree in group {
                inside += u64::from(*in_degree);
                *in_degree = inside as u32;
            }
            if inside > u64::from(u32::MAX) {
                return Ok(None);
            }
            edges += inside;
        }
        let mut reversed =
            ReverseEdges { group_starts, starts: in_degrees, sources: Sources::new(len, edges)? };
        reversed.fill(numbering, edges, pool)?;
        Ok(Some(reversed))
    }

    fn fill<N: Numbering + Sync>(
        &mut self,
        numbering: &N,
        edges: u64,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError> {
        let of = numbering.len();
        let size = if of < BIG { Size::Small } else { Size::Big };
        let parts = if size == Size::Small { 1 } else { pool.threads() };
        let ends = equal_cuts(of, parts, GROUP);
        let width = self.sources.width;
        let mut starts = &mut self.starts[..of as usize];
        let mut sources = &mut self.sources.bytes[..];
        let mut owners = Vec::new();
        let (mut start, mut first_edge) = (0, 0);
        for &end in &ends {
            let end_edge = self.group_starts.get((end / GROUP) as usize).copied();
            let end_edge = if end == of { edges } else { end_edge.unwrap_or(edges) };
            let own = ((end_edge - first_edge) as usize) * width;
            owners.push(Reverser {
                next: start,
                end,
                start,
                first_edge,
                group_starts: &self.group_starts,
                starts: starts.split_off_mut(..(end - start) as usize).unwrap_or_default(),
                sources: sources.split_off_mut(..own).unwrap_or_default(),
                width,
            });
            (start, first_edge) = (end, end_edge);
        }
        exchange(
            pool,
            size,
            &mut owners,
            &ends,
            &|done| Progress::Reversing { done, of },
            &|owner, outbox, token| owner.generate(numbering, outbox, token),
            &|owner: &mut Reverser<'_>, edges| owner.receive(edges),
        )
    }

    /// The links to the states that have a move to the state of `index`.
    #[inline]
    pub(crate) fn predecessors(&self, index: u64) -> impl Iterator<Item = Link> {
        let start = |index: u64| {
            self.group_starts[(index / GROUP) as usize] + u64::from(self.starts[index as usize])
        };
        (start(index)..start(index + 1)).map(|at| Link::unpack(self.sources.get(at)))
    }
}

/// The rows that one thread fills, and the states whose moves it lists.
struct Reverser<'a> {
    /// The next index whose moves are to be listed.
    next: u64,
    start: u64,
    end: u64,
    group_starts: &'a [u64],
    first_edge: u64,
    starts: &'a mut [u32],
    sources: &'a mut [u8],
    width: usize,
}

impl Reverser<'_> {
    fn generate<N: Numbering>(
        &mut self,
        numbering: &N,
        outbox: &mut Outbox<(u64, u64)>,
        token: &dyn CancellationToken,
    ) -> Result<bool, SolveError> {
        let game = numbering.game();
        let mut links = Links::new();
        let mut own = Vec::with_capacity(2 * BATCH);
        while self.next < self.end && !outbox.is_full() {
            let stretch = self.next..self.end.min(self.next + GROUP);
            let mut result = Ok(());
            numbering.states_in(stretch.clone(), |source, state| {
                if result.is_err() || game.terminal(&state).is_some() {
                    return;
                }
                result = successors(numbering, &state, &mut links);
                for link in &links {
                    let back = (link.index, Link { index: source, ..*link }.packed());
                    if (self.start..self.end).contains(&link.index) {
                        own.push(back);
                    } else {
                        outbox.send(link.index, back);
                    }
                }
                if own.len() >= BATCH {
                    self.receive(&own);
                    own.clear();
                }
            });
            self.receive(&own);
            own.clear();
            result?;
            let done = stretch.end - self.next;
            self.next = stretch.end;
            if token.done(done).is_break() {
                break;
            }
        }
        Ok(self.next == self.end)
    }

    /// Stores edges: for each, the index that it leads to, and the packed link back.
    fn receive(&mut self, edges: &[(u64, u64)]) {
        let mut places = [0; BATCH];
        for batch in edges.chunks(BATCH) {
            for (target, _) in batch {
                prefetch(self.starts, target.wrapping_sub(self.start) as usize);
            }
            for (place, (target, _)) in places.iter_mut().zip(batch) {
                let start = &mut self.starts[(target - self.start) as usize];
                *start -= 1;
                let group_start = self.group_starts[(target / GROUP) as usize];
                *place = (group_start + u64::from(*start) - self.first_edge) as usize * self.width;
                prefetch(self.sources, *place);
            }
            for (&place, (_, back)) in places.iter().zip(batch) {
                self.sources[place..place + self.width]
                    .copy_from_slice(&back.to_le_bytes()[..self.width]);
            }
        }
    }
}

/// Links in as few bytes as they need.
struct Sources {
    /// With enough room at the end that eight bytes can be read anywhere.
    bytes: Array<u8>,
    width: usize,
    mask: u64,
}

impl Sources {
    fn new(len: u64, edges: u64) -> Result<Sources, SolveError> {
        let width = source_bytes(len);
        let bytes = edges.saturating_mul(width as u64).saturating_add(8);
        let mask = u64::MAX >> (64 - 8 * width);
        Ok(Sources { bytes: Array::zeroed(bytes, "the reverse edges")?, width, mask })
    }

    #[inline]
    fn get(&self, at: u64) -> u64 {
        let place = at as usize * self.width;
        let mut eight = [0; 8];
        eight.copy_from_slice(&self.bytes[place..place + 8]);
        u64::from_le_bytes(eight) & self.mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_take_as_many_bytes_as_they_need() {
        for (len, width) in [(1, 4), (1 << 31, 4), ((1 << 31) + 1, 5), (1 << 40, 6)] {
            assert_eq!(source_bytes(len), width, "{len}");
            let mut sources = Sources::new(len, 3).unwrap();
            assert_eq!((sources.width, sources.get(2)), (width, 0));
            let greatest = Link { index: len - 1, same_mover: true }.packed();
            sources.bytes[width..2 * width].copy_from_slice(&greatest.to_le_bytes()[..width]);
            assert_eq!([0, 1, 2].map(|at| sources.get(at)), [0, greatest, 0]);
        }
    }
}
