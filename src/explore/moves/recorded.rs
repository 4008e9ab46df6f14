//! The recorded moves, once all states are found and sorted.

use std::sync::Arc;

use crate::error::SolveError;
use crate::explore::moves::Movers;
use crate::explore::moves::log::{MoveLog, Number, RecordHead, Stream, set_of};
use crate::game::Player;
use crate::game::value::{Scale, Value};
use crate::runtime::cuts::equal_cuts;
use crate::runtime::memory::{Array, prefetch};
use crate::runtime::pool::{Size, WorkerPool};
use crate::runtime::progress::Progress;

/// The purpose of the memory, for errors.
const WHAT: &str = "the recorded moves";

/// The indices of the states that a search found, by their numbers.
#[derive(Debug)]
pub(crate) struct Places {
    /// How many states the shards before each shard contain.
    starts: Vec<u32>,
    /// The index of each state, in the order of the search, shard by shard.
    indices: Array<u32>,
}

impl Places {
    /// The places of states in shards of these lengths. For each index, `found` yields the number
    /// of states found before that state, shard by shard.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub(in crate::explore) fn new(
        lens: &[usize],
        found: impl ExactSizeIterator<Item = u32>,
    ) -> Result<Places, SolveError> {
        let mut next = 0;
        let starts = lens.iter().map(|&len| {
            next += len as u32;
            next - len as u32
        });
        let starts = starts.collect();
        let mut indices = Array::zeroed(found.len() as u64, WHAT)?;
        for (index, found) in (0..).zip(found) {
            indices[found as usize] = index;
        }
        Ok(Places { starts, indices })
    }

    #[inline]
    fn place(&self, number: Number) -> usize {
        let (shard, place) = number.shard_and_place();
        self.starts[shard] as usize + place
    }

    #[inline]
    fn index(&self, number: Number) -> u32 {
        self.indices[self.place(number)]
    }

    #[inline]
    fn prefetch(&self, number: Number) {
        prefetch(&self.indices, self.place(number));
    }

    /// The memory of the places, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(&self.indices[..]) as u64
    }
}

/// The recorded moves of a tier or a whole game, by the indices of the states.
pub(crate) struct IndexedMoves {
    log: MoveLog,
    /// How many words the streams before each stream contain.
    bases: Vec<u32>,
    places: Arc<Places>,
    /// The place of the head of each state's record.
    heads: Array<u32>,
    /// The tier of each set to which moves lead. The first one is the tier of the states.
    tiers: Vec<usize>,
    /// The places of the states of each set, once other tiers are followed.
    sets: Vec<Arc<Places>>,
    movers: Movers,
}

/// The record of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// Play is over.
    Ended(Value),
    /// The state has the moves that were visited.
    Open,
    /// The rules have to be asked.
    Nothing,
}

impl IndexedMoves {
    /// Indexes the moves in a log; `None` for a log that is too long. `places` are the places of
    /// the states that the log describes, which are in the tier `tiers[0]`.
    ///
    /// # Errors
    /// If there is no memory for the index, or progress interrupts.
    pub(in crate::explore) fn new(
        log: MoveLog,
        places: Places,
        tiers: Vec<usize>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<IndexedMoves>, SolveError> {
        let mut words = 0_u32;
        let mut bases = Vec::with_capacity(log.streams.len());
        for stream in &log.streams {
            bases.push(words);
            match words.checked_add(stream.len()) {
                Some(sum) => words = sum,
                None => return Ok(None),
            }
        }
        let len = places.indices.len() as u64;
        let mut heads = Array::zeroed(len, WHAT)?;
        let mut movers = Movers::all_first(0..len)?;
        let size = Size::of_pass(len);
        let parts = if size == Size::Small { 1 } else { pool.threads() };
        let (mut start, mut tasks) = (0, Vec::new());
        let (mut later_heads, mut later_movers) = (&mut heads[..], movers.words());
        for end in equal_cuts(len, parts, 64) {
            let states = (end - start) as usize;
            let heads = later_heads.split_off_mut(..states).unwrap_or_default();
            let movers = later_movers.split_off_mut(..states.div_ceil(64)).unwrap_or_default();
            tasks.push(IndexTask { start, heads, movers });
            start = end;
        }
        let event = |_| Progress::searched(len);
        pool.run(size, tasks, event, |mut task, _| {
            for (stream, &base) in log.streams.iter().zip(&bases) {
                task.read(stream, base, &places);
            }
            Ok::<_, SolveError>(())
        })?;
        let places = Arc::new(places);
        let sets = vec![Arc::clone(&places)];
        Ok(Some(IndexedMoves { log, bases, places, heads, tiers, sets, movers }))
    }

    /// The number of states.
    pub(crate) fn len(&self) -> u64 {
        self.heads.len() as u64
    }

    /// The number of moves, including repeated moves and moves to other tiers.
    pub(crate) fn moves(&self) -> u64 {
        self.log.moves
    }

    /// The number of states with moves to other tiers.
    pub(crate) fn with_exits(&self) -> u64 {
        self.log.with_exits
    }

    /// The memory of the moves, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.log.bytes() + self.index_bytes()
    }

    /// The part of this memory that the index of the moves takes.
    pub(in crate::explore) fn index_bytes(&self) -> u64 {
        self.places.bytes() + self.len() * 4 + self.len() / 8
    }

    /// The indices of the states by the numbers in moves from other tiers.
    pub(crate) fn places(&self) -> &Arc<Places> {
        &self.places
    }

    /// The player to move in each state. The moves are dropped.
    pub(crate) fn into_movers(self) -> Movers {
        self.movers
    }

    /// Prepares following moves to other tiers: `places_of` returns the places of a tier. Returns
    /// whether all places are available.
    pub(crate) fn follow(
        &mut self,
        mut places_of: impl FnMut(usize) -> Option<Arc<Places>>,
    ) -> bool {
        let places = self.tiers.iter().map(|&tier| places_of(tier));
        places.collect::<Option<_>>().is_some_and(|sets| {
            self.sets = sets;
            true
        })
    }

    /// The player to move in the state of an index.
    #[inline]
    pub(crate) fn mover(&self, index: u64) -> Player {
        self.movers.mover(index)
    }

    /// Prefetches the record of the state of an index.
    #[inline]
    pub(crate) fn prefetch(&self, index: u64) {
        if let Some(&head) = self.heads.get(index as usize) {
            let (stream, at) = self.stream_of(head);
            stream.prefetch(at);
        }
    }

    /// Prefetches the indices of the successors of a state, whose record was fetched before.
    #[inline]
    pub(crate) fn prefetch_moves(&self, index: u64) {
        if let Some(&head) = self.heads.get(index as usize) {
            let (stream, at) = self.stream_of(head);
            let words = stream.words_from(at);
            let count = RecordHead(words[0]).follow() as usize;
            for &word in words.iter().skip(1).take(count) {
                if set_of(word).is_some() {
                    break;
                }
                self.places.prefetch(Number(word & !1));
            }
        }
    }

    /// The stream of a record, and the place of its head there.
    #[inline]
    fn stream_of(&self, head: u32) -> (&Stream, u32) {
        let stream = self.bases.partition_point(|&base| base <= head) - 1;
        (&self.log.streams[stream], head - self.bases[stream])
    }

    /// Visits the moves from the state of an index: the tier and the index of each successor, and
    /// whether the same player is to move there. The tier is `None` for the tier of the state
    /// itself.
    #[inline]
    pub(crate) fn each_move(
        &self,
        index: u64,
        mut visit: impl FnMut(Option<usize>, u64, bool),
    ) -> Said {
        let (stream, at) = self.stream_of(self.heads[index as usize]);
        let head = RecordHead(stream.word(at));
        if let Some(value) = head.ended() {
            let value = Scale::PLAIN.unpack(value).ok().flatten();
            return value.map_or(Said::Nothing, Said::Ended);
        }
        if head.is_unclear() {
            return Said::Nothing;
        }
        let (mut tier, mut places) = (None, &*self.places);
        let (mut at, end) = (at + 1, at + 1 + head.follow());
        while at < end {
            let words = stream.words_from(at);
            let words = &words[..words.len().min((end - at) as usize)];
            for &word in words {
                let Some(set) = set_of(word) else {
                    visit(tier, places.index(Number(word & !1)).into(), word & 1 == 1);
                    continue;
                };
                let Some((&of, others)) = self.tiers.get(set).zip(self.sets.get(set)) else {
                    return Said::Nothing;
                };
                (tier, places) = ((set > 0).then_some(of), &**others);
            }
            at += words.len() as u32;
        }
        Said::Open
    }
}

/// Some indices, and the records to find for them.
struct IndexTask<'a> {
    start: u64,
    heads: &'a mut [u32],
    /// A bit an index.
    movers: &'a mut [u64],
}

impl IndexTask<'_> {
    /// Notes the places of these indices' records in a stream. The earlier streams contain `base`
    /// words.
    fn read(&mut self, stream: &Stream, base: u32, places: &Places) {
        let mut at = 0;
        while at < stream.len() {
            let index = places.index(Number(stream.word(at)));
            let head = RecordHead(stream.word(at + 1));
            let place = u64::from(index).wrapping_sub(self.start) as usize;
            if let Some(found) = self.heads.get_mut(place) {
                *found = base + at + 1;
                Movers::note(self.movers, place as u64, head.mover());
            }
            at += 2 + head.follow();
        }
    }
}
