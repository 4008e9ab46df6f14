//! The moves of a game turned round, for games that do not tell their predecessors.

use crate::error::SolveError;
use crate::game::Game;
use crate::numbering::Numbering;
use crate::runtime::memory::{Array, prefetch};
use crate::runtime::pool::{CancellationToken, Size, WorkerPool, equal_cuts};
use crate::runtime::progress::Progress;
use crate::solve::exchange::{Outbox, exchange};
use crate::solve::graph::initialize::BIG;
use crate::solve::graph::positions::{Link, Links, successors};

/// So many numbers share a start of 64 bits, beside which 32 bits a number are enough.
const GROUP: u64 = 1 << 12;

/// How many links are looked up together, so that the memory works on all at once.
const TOGETHER: usize = 64;

/// For every number, the links to the states that have a move to it: one array of all of them
/// (compressed sparse rows), each in the least number of bytes that holds the greatest, which is 4
/// up to 2^31 states; and 4 bytes a number and a little to say where its part begins.
pub(crate) struct ReverseEdges {
    /// Where the part of every [`GROUP`]-th number begins.
    group_starts: Vec<u64>,
    /// Where each number's part begins, counted from the start of its group.
    starts: Array<u32>,
    sources: Sources,
}

/// How much memory [`ReverseEdges`] of so many states and edges cost, in bytes.
pub(crate) fn bytes(len: u64, edges: u64) -> u64 {
    let sources = edges.saturating_mul(source_bytes(len) as u64);
    starts_bytes(len).saturating_add(sources)
}

/// The part of that which is there from the beginning.
pub(crate) fn starts_bytes(len: u64) -> u64 {
    len.saturating_add(1).saturating_mul(4).saturating_add(len / GROUP * 8)
}

/// An array for counting how many moves arrive at each number.
pub(crate) fn in_degrees(len: u64) -> Result<Array<u32>, SolveError> {
    Ok(Array::zeroed(len.saturating_add(1), "the reverse edges")?)
}

/// How many bytes a link of one of `len` states takes.
fn source_bytes(len: u64) -> usize {
    let greatest = len.saturating_mul(2).saturating_sub(1);
    let bits = u64::BITS - greatest.leading_zeros();
    (bits.div_ceil(8) as usize).max(4)
}

impl ReverseEdges {
    /// Turns the moves round, given how many arrive at each state; `None` if more than 2^32 arrive
    /// at a few states next to each other.
    ///
    /// The game's moves must be the same each time they are asked for.
    pub(crate) fn of<N: Numbering + Sync>(
        numbering: &N,
        mut in_degrees: Array<u32>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<ReverseEdges>, SolveError> {
        let len = numbering.len();
        // Each arrival becomes where its part ends; filling it from the back moves it to the front.
        let mut group_starts = Vec::new();
        let mut edges = 0;
        for group in in_degrees.chunks_mut(GROUP as usize) {
            group_starts.push(edges);
            let mut inside = 0_u64;
            for in_degrees in group {
                inside += u64::from(*in_degrees);
                *in_degrees = inside as u32;
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
            owners.push(Owner {
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
            |done| Progress::Reversing { done, of },
            |owner, outbox, token| owner.generate(numbering, outbox, token),
            |owner, arrived| owner.receive(arrived),
        )
    }

    /// The links to the states that have a move to the one at `number`.
    #[inline]
    pub(crate) fn entering(&self, number: u64) -> impl Iterator<Item = Link> {
        let start = |number: u64| {
            self.group_starts[(number / GROUP) as usize] + u64::from(self.starts[number as usize])
        };
        (start(number)..start(number + 1)).map(|at| Link::unpack(self.sources.get(at)))
    }
}

/// What one thread owns while the edges are put in their places.
struct Owner<'a> {
    /// The next state whose moves are to be turned round.
    next: u64,
    start: u64,
    end: u64,
    group_starts: &'a [u64],
    first_edge: u64,
    starts: &'a mut [u32],
    sources: &'a mut [u8],
    width: usize,
}

impl Owner<'_> {
    fn generate<N: Numbering>(
        &mut self,
        numbering: &N,
        outbox: &mut Outbox<(u64, u64)>,
        token: &dyn CancellationToken,
    ) -> Result<bool, SolveError> {
        let game = numbering.game();
        let mut links = Links::new();
        let mut own = Vec::with_capacity(2 * TOGETHER);
        while self.next < self.end && !outbox.is_full() {
            let stretch = self.next..self.end.min(self.next + GROUP);
            let mut result = Ok(());
            numbering.states_in(stretch.clone(), |source, state| {
                if result.is_err() || game.terminal(&state).is_some() {
                    return;
                }
                result = successors(numbering, &state, &mut links);
                for link in &links {
                    let back = (link.number, Link { number: source, ..*link }.packed());
                    if (self.start..self.end).contains(&link.number) {
                        own.push(back);
                    } else {
                        outbox.post(link.number, back);
                    }
                }
                if own.len() >= TOGETHER {
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

    fn receive(&mut self, arrived: &[(u64, u64)]) {
        let mut places = [0; TOGETHER];
        for arrived in arrived.chunks(TOGETHER) {
            for (target, _) in arrived {
                prefetch(self.starts, target.wrapping_sub(self.start) as usize);
            }
            for (place, (target, _)) in places.iter_mut().zip(arrived) {
                let start = &mut self.starts[(target - self.start) as usize];
                *start -= 1;
                let group_start = self.group_starts[(target / GROUP) as usize];
                *place = (group_start + u64::from(*start) - self.first_edge) as usize * self.width;
                prefetch(self.sources, *place);
            }
            for (&place, (_, back)) in places.iter().zip(arrived) {
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
            let greatest = Link { number: len - 1, same_mover: true }.packed();
            sources.bytes[width..2 * width].copy_from_slice(&greatest.to_le_bytes()[..width]);
            assert_eq!([0, 1, 2].map(|at| sources.get(at)), [0, greatest, 0]);
        }
    }
}
