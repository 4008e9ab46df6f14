//! The search: breadth first, ply by ply, by one process or by several.
//!
//! With several processes, a fixed hash of the keys assigns each state to one process. Only this
//! process stores the state and expands it. Successors of other processes travel to them as keys,
//! slice by slice. A ply begins once all processes have finished the one before. Each state is
//! therefore found at the same ply as with one process.

use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::{BrokenLaw, SolveError};
use crate::explore::budget::{Budget, Refused};
use crate::explore::course::Course;
use crate::explore::expand::expand_ranges;
use crate::explore::explorer::{BIG, Explorer};
use crate::explore::gathered::{Gathered, Sink};
use crate::explore::moves::{LogWriter, Number, RecordedMoves, Writer};
use crate::explore::ranges::{ShardRange, cut};
use crate::explore::shards::{Extras, SHARDS};
use crate::explore::states::StatesOf;
use crate::explore::statistics::Ply;
use crate::explore::together::keys_of;
use crate::game::Game;
use crate::numbering::discovered::{Encoding, RawKeys};
use crate::numbering::indexing::Tiering;
use crate::runtime::Cancelled;
use crate::runtime::lock::lock;
use crate::runtime::peers::{Arrived, SEVERAL};
use crate::runtime::pool::{CancellationToken, Size};

/// The number of roots between two reports of progress.
const ROOTS: usize = 1 << 14;

/// The recorded moves of each tier that was searched, as long as they are useful.
pub(super) type HeldMoves = Mutex<Vec<Option<RecordedMoves>>>;

/// Keys of one shard that one thread has gathered.
struct Batch<K> {
    /// The number of the thread.
    by: usize,
    keys: Vec<K>,
    extras: Extras,
}

/// Slots of moves, and the numbers to write there.
type Fill = (Vec<u32>, Vec<Option<Number>>);

/// A breadth-first search. Each state found belongs to the set of its tier. Only the first set is
/// searched.
pub(super) struct Search<'s, 'c, 'p, G: Game, K: Encoding<G>, T> {
    pub(super) sink: Sink<'s, G, K, T>,
    pub(super) budget: &'s Budget,
    /// Gathered states that are not inserted yet; one entry for each thread.
    gathered: Mutex<Vec<Gathered<'s, G, K, T>>>,
    /// The memory budget for recorded moves, if they are recorded.
    pub(super) records: Option<Arc<Budget>>,
    /// The recorded moves of earlier searches, by tier, if this is the search of a tier.
    held: Option<&'s HeldMoves>,
    /// The number of expanded states.
    pub(super) expanded: u64,
    /// The number of states that all processes expanded in earlier searches.
    pub(super) before: u64,
    /// The number of states that other processes had found before this ply.
    pub(super) elsewhere: u64,
    /// Whether this process on its own has found more states than all processes may. It then finds
    /// no more, and informs the others at the end of the ply.
    pub(super) too_many: bool,
    /// Whether the search is of one tier, and so begins with more than the roots.
    pub(super) is_of_tier: bool,
    /// Whether several processes search together.
    pub(super) is_shared: bool,
    pub(super) limits: &'s mut Explorer<'c, 'p, G>,
}

impl<'s, 'c, 'p, G, K, T> Search<'s, 'c, 'p, G, K, T>
where
    G: Game,
    K: Encoding<G>,
    T: Tiering<G>,
{
    /// A search whose threads gather at most `gathering` bytes of states. `places` are the places
    /// in `sets` of the sets of the tiers.
    pub(super) fn new(
        game: &'s G,
        sets: &'s [&'s StatesOf<G, K>],
        places: &'s [Option<usize>],
        budget: &'s Budget,
        gathering: u64,
        limits: &'s mut Explorer<'c, 'p, G>,
    ) -> Self {
        let shards = limits.pool.threads() * SHARDS * sets.len();
        let room = (gathering as usize / shards / size_of::<K::Key>().max(1)).max(1);
        // A list that grows by doubling has room for a power of two.
        let room = 1 << room.ilog2();
        let write = limits.write;
        // Each process discovers other states than packed ones on its own.
        let owners = limits.owners::<K>();
        let is_shared = owners.is_some();
        let tiering = PhantomData;
        let sink = Sink { game, write, sets, places, tiering, room, owners };
        Search {
            sink,
            budget,
            gathered: Mutex::default(),
            records: None,
            held: None,
            expanded: 0,
            before: 0,
            elsewhere: 0,
            too_many: false,
            is_of_tier: false,
            is_shared,
            limits,
        }
    }

    /// The search of a tier.
    pub(super) fn of_tier(self) -> Self {
        Search { is_of_tier: true, ..self }
    }

    /// The search of which a part is done.
    pub(super) fn going_on(self, course: &Course) -> Self {
        Search {
            before: course.before,
            expanded: course.expanded,
            elsewhere: course.elsewhere,
            ..self
        }
    }

    /// The search after others that recorded these moves. It drops them together with its own.
    pub(super) fn holding(self, held: &'s HeldMoves) -> Self {
        Search { held: Some(held), ..self }
    }

    /// The search, with its moves recorded in memory of this budget if `records` is true. If
    /// several processes share the states, all of them record moves, or none.
    pub(super) fn recording(self, records: bool, budget: &Arc<Budget>) -> Self {
        Search { records: records.then(|| Arc::clone(budget)), ..self }
    }

    /// The search that goes on recording with these writers.
    pub(super) fn writing_on(self, writers: Vec<Writer>) -> Self {
        let sink = self.sink;
        let gathered = writers
            .into_iter()
            .map(|writer| Gathered { writer: Some(writer), ..Gathered::new(sink, None) });
        lock(&self.gathered).extend(gathered);
        self
    }

    /// The writers of the moves, if they are still recorded.
    pub(super) fn into_writers(self) -> Option<Vec<Writer>> {
        self.records?;
        let gathered = self.gathered.into_inner().unwrap_or_else(PoisonError::into_inner);
        Some(gathered.into_iter().filter_map(|gathered| gathered.writer).collect())
    }

    /// Drops the recorded moves if some are missing, or if the states need their memory.
    pub(super) fn drop_useless_moves(&mut self) {
        let gathered = lock(&self.gathered);
        let mut writers = gathered.iter().filter_map(|gathered| gathered.writer.as_ref());
        let are_useless = self.budget.is_crowded() || writers.any(Writer::has_given_up);
        drop(gathered);
        if are_useless {
            self.drop_moves();
        }
    }

    /// Drops the recorded moves, also of earlier searches, and stops recording.
    pub(super) fn drop_moves(&mut self) {
        if self.records.is_none() {
            return;
        }
        if let Some(held) = self.held {
            lock(held).iter_mut().for_each(|moves| *moves = None);
        }
        for gathered in lock(&self.gathered).iter_mut() {
            gathered.writer = None;
            gathered.extras.iter_mut().for_each(|extras| extras.slots = Vec::new());
        }
        self.records = None;
    }

    /// The access to keys as bytes, if several processes search together.
    pub(super) fn raw(&self) -> Option<RawKeys<K::Key>> {
        K::RAW.filter(|_| SEVERAL && self.is_shared)
    }

    /// Inserts the roots as they come, each into its set. All processes have the same roots.
    ///
    /// # Errors
    /// If there are no roots, `roots` yields an error, a root is refused, or progress interrupts.
    pub(super) fn begin(
        &mut self,
        roots: impl Iterator<Item = Result<G::State, SolveError>>,
    ) -> Result<(), SolveError> {
        let mut gathered = Gathered::new(self.sink, self.records.as_ref());
        let mut seen = 0_usize;
        for root in roots {
            gathered.add_root(&root?);
            seen += 1;
            if gathered.result.is_err() {
                break;
            }
            if seen.is_multiple_of(ROOTS) {
                self.limits.pool.report(self.budget.exploring(0, 0))?;
            }
        }
        if seen == 0 {
            return Err(BrokenLaw::no_roots().into());
        }
        let result = std::mem::replace(&mut gathered.result, Ok(()));
        lock(&self.gathered).push(gathered);
        self.take(result, 0)?;
        self.insert(0)
    }

    /// Sends the keys found for the other processes; returns their number.
    pub(super) fn send(&mut self, raw: &RawKeys<K::Key>) -> usize {
        let mut sent = 0;
        for gathered in lock(&self.gathered).iter_mut() {
            for (to, keys) in gathered.foreign.iter_mut().enumerate() {
                for packet in keys.drain(..) {
                    let bytes = (raw.bytes)(&packet).to_vec();
                    self.limits.pool.send(to, bytes, packet.len() as u64);
                    sent += packet.len();
                }
            }
        }
        sent
    }

    /// Gathers the keys that have arrived.
    pub(super) fn take_in(
        &mut self,
        arrived: Arrived,
        raw: &RawKeys<K::Key>,
        plies: u32,
    ) -> Result<(), SolveError> {
        let bytes: usize = arrived.iter().map(|(_, bytes)| bytes.len()).sum();
        let keys = bytes / size_of::<K::Key>().max(1);
        let size = if keys < BIG { Size::Small } else { Size::Big };
        let (idle, sink, budget) = (&self.gathered, self.sink, self.budget);
        let records = self.records.as_ref();
        let (expanded, elsewhere, drops) = (self.expanded, self.elsewhere, self.too_many);
        let event = |_| budget.exploring(expanded, elsewhere);
        let taken = self.limits.pool.run(size, arrived, event, |(from, bytes), _| {
            let keys = keys_of(from, &bytes, raw)?;
            let count = keys.len() as u64;
            if drops {
                return Ok((count, Ok(())));
            }
            let taken = lock(idle).pop();
            let mut gathered = taken.unwrap_or_else(|| Gathered::new(sink, records));
            keys.into_iter().for_each(|key| gathered.add_arrived(key));
            let result = std::mem::replace(&mut gathered.result, Ok(()));
            lock(idle).push(gathered);
            Ok::<_, SolveError>((count, result))
        })?;
        for (count, result) in taken {
            self.limits.pool.note_applied(count);
            self.take(result, plies)?;
        }
        Ok(())
    }

    /// Inserts all gathered states.
    pub(super) fn insert(&mut self, plies: u32) -> Result<(), SolveError> {
        let gathered = lock(&self.gathered);
        let keys: usize = gathered.iter().flat_map(|it| &it.keys).map(Vec::len).sum();
        drop(gathered);
        let size = if keys < BIG { Size::Small } else { Size::Big };
        let inserted = self.insert_gathered(size)?;
        self.take(inserted, plies)?;
        Ok(())
    }

    /// Takes a result. With several processes, an excess of states is only noted, and returns
    /// `None`.
    pub(super) fn take<R>(
        &mut self,
        result: Result<R, Refused>,
        plies: u32,
    ) -> Result<Option<R>, SolveError> {
        match result {
            Ok(result) => Ok(Some(result)),
            Err(Refused::States) if self.is_shared => {
                self.too_many = true;
                Ok(None)
            }
            Err(refused) => Err(self.refusal(refused, plies)),
        }
    }

    /// Gathers the successors of some states of a ply, and counts the states.
    pub(super) fn look_at(
        &mut self,
        ply: Vec<ShardRange>,
    ) -> Result<Result<Ply, Refused>, SolveError> {
        let states: usize = ply.iter().map(|(_, places)| places.len()).sum();
        let size = if states < BIG { Size::Small } else { Size::Big };
        let parts = if size == Size::Small { 1 } else { 4 * self.limits.pool.threads() };
        let (budget, before, sink) = (self.budget, self.expanded, self.sink);
        let elsewhere = self.elsewhere;
        let event = |done| budget.exploring(before + done, elsewhere);
        let (idle, records) = (&self.gathered, self.records.as_ref());
        let work = |ranges: Vec<ShardRange>, token: &dyn CancellationToken| {
            let taken = lock(idle).pop();
            let mut gathered = taken.unwrap_or_else(|| Gathered::new(sink, records));
            let ply = expand_ranges(&mut gathered, ranges, token);
            lock(idle).push(gathered);
            Ok::<_, Cancelled>(ply)
        };
        let results = self.limits.pool.run(size, cut(ply, states.div_ceil(parts)), event, work)?;
        self.expanded += states as u64;
        Ok(results.into_iter().try_fold(Ply::default(), |sum, ply| Ok(sum.and(ply?))))
    }

    /// Inserts all gathered states, shard by shard.
    fn insert_gathered(&mut self, size: Size) -> Result<Result<(), Refused>, SolveError> {
        let mut gathered = lock(&self.gathered);
        let mut by_place = (0..SHARDS * self.sink.sets.len()).map(|place| {
            let taken = gathered.iter_mut().enumerate().map(|(by, it)| {
                let keys = std::mem::take(&mut it.keys[place]);
                Batch { by, keys, extras: std::mem::take(&mut it.extras[place]) }
            });
            (place, taken.filter(|batch| !batch.keys.is_empty()).collect::<Vec<_>>())
        });
        let tasks = match size {
            Size::Small => vec![by_place.collect::<Vec<_>>()],
            Size::Big => {
                const PARTS: usize = 16;
                let a_part = by_place.len() / PARTS;
                (0..PARTS).map(|_| by_place.by_ref().take(a_part).collect()).collect()
            }
        };
        drop(gathered);
        let (sets, budget, expanded) = (self.sink.sets, self.budget, self.expanded);
        let elsewhere = self.elsewhere;
        let event = |_| budget.exploring(expanded, elsewhere);
        let work = |task: Vec<(usize, Vec<Batch<K::Key>>)>, token: &dyn CancellationToken| {
            let (mut result, mut recorded) = (Ok(()), Vec::new());
            for (place, batches) in task {
                for Batch { by, mut keys, mut extras } in batches {
                    let shards = sets[place / SHARDS];
                    result =
                        result.and_then(|()| shards.insert(place % SHARDS, &mut keys, &mut extras));
                    if !extras.numbers.is_empty() {
                        recorded.push((by, extras.slots, extras.numbers));
                    }
                }
                if token.done(0).is_break() {
                    break;
                }
            }
            Ok::<_, Cancelled>((result, recorded))
        };
        let results = self.limits.pool.run(size, tasks, event, work)?;
        let (results, recorded): (Vec<_>, Vec<_>) = results.into_iter().unzip();
        let mut fills: Vec<Vec<Fill>> = Vec::new();
        for (by, slots, numbers) in recorded.into_iter().flatten() {
            fills.resize_with(fills.len().max(by + 1), Vec::new);
            fills[by].push((slots, numbers));
        }
        let mut gathered = lock(&self.gathered);
        let writers = gathered.iter_mut().map(|gathered| gathered.writer.as_mut()?.numbered());
        let tasks = writers.zip(fills).filter_map(|(writer, fills)| Some((writer?, fills)));
        let fill = |(writer, fills): (&mut LogWriter, Vec<Fill>), _: &dyn CancellationToken| {
            fills.iter().for_each(|(slots, numbers)| writer.fill(slots, numbers));
            Ok::<_, Cancelled>(())
        };
        self.limits.pool.run(size, tasks.collect(), event, fill)?;
        Ok(results.into_iter().collect())
    }

    /// The distance of a ply's states from the roots, if plies count it.
    pub(super) fn ply(&self, ply: u32) -> Option<u32> {
        (!self.is_of_tier).then_some(ply)
    }

    /// The error for states that were refused at this ply.
    fn refusal(&self, refused: Refused, ply: u32) -> SolveError {
        self.limits.refusal(self.sink.game, refused, self.budget, self.expanded, self.ply(ply))
    }
}
