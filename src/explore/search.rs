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
use crate::explore::expand::{ShardRange, cut, expand_ranges, take_states};
use crate::explore::explorer::{BIG, Explorer};
use crate::explore::gathered::{Gathered, Owners, Sink};
use crate::explore::moves::{Log, LogWriter, Number, RecordedMoves, Writer};
use crate::explore::shards::{Extras, SHARDS, ShardsOf};
use crate::explore::statistics::{Ply, Statistics};
use crate::explore::together::{SENT, keys_of};
use crate::game::Game;
use crate::numbering::discovered::{Encoding, RawKeys};
use crate::numbering::indexing::Tiering;
use crate::runtime::Cancelled;
use crate::runtime::peers::{Arrived, SEVERAL};
use crate::runtime::pool::{CancellationToken, Size, lock};
use crate::runtime::progress::Progress;

/// The ply after which a discovery checks whether a part of the states grows without end.
const MANY_PLIES: u32 = 128;

/// How many states each thread expands in the first slice of a ply, if several processes search.
const FIRST_SLICE: usize = 1 << 12;

/// How many states each thread expands before the room for recorded moves is checked, if memory is
/// limited.
const LIMITED_SLICE: usize = 1 << 14;

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
    sink: Sink<'s, G, K, T>,
    budget: &'s Budget,
    /// Gathered states that are not inserted yet; one entry for each thread.
    gathered: Mutex<Vec<Gathered<'s, G, K, T>>>,
    /// The memory budget for recorded moves, if they are recorded.
    records: Option<Arc<Budget>>,
    /// The recorded moves of earlier searches, by tier, if this is the search of a tier.
    held: Option<&'s HeldMoves>,
    /// The number of expanded states.
    expanded: u64,
    /// The number of states that all processes expanded in earlier searches.
    before: u64,
    /// The number of states that other processes had found before this ply.
    elsewhere: u64,
    /// Whether this process on its own has found more states than all processes may. It then finds
    /// no more, and informs the others at the end of the ply.
    too_many: bool,
    /// Whether the search is of one tier, and so begins with more than the roots.
    is_of_tier: bool,
    /// Whether several processes search together.
    is_shared: bool,
    limits: &'s mut Explorer<'c, 'p, G>,
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
        sets: &'s [&'s ShardsOf<G, K>],
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
        // Several processes share only packed states. Each process discovers other states on its
        // own.
        let raw = K::RAW.filter(|_| SEVERAL && limits.pool.has_peers());
        let is_shared = raw.is_some();
        let (own, count) = (limits.pool.own(), limits.pool.processes());
        let owners = raw.map(|raw| Owners { own, count, to_word: raw.to_word });
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

    /// The search of a tier, after earlier searches in which all processes expanded `before`
    /// states.
    pub(super) fn of_tier(self, before: u64) -> Self {
        Search { expanded: before, before, is_of_tier: true, ..self }
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

    /// The recorded moves, if they are complete.
    pub(super) fn into_log(self) -> Option<Log> {
        self.records?;
        let gathered = self.gathered.into_inner().unwrap_or_else(PoisonError::into_inner);
        Log::new(gathered.into_iter().filter_map(|gathered| gathered.writer).collect())
    }

    /// Drops the recorded moves if some are missing, or if the states need their memory.
    fn drop_useless_moves(&mut self) {
        let gathered = lock(&self.gathered);
        let mut writers = gathered.iter().filter_map(|gathered| gathered.writer.as_ref());
        let are_useless = self.budget.is_crowded() || writers.any(Writer::has_given_up);
        drop(gathered);
        if are_useless {
            self.drop_moves();
        }
    }

    /// Drops the recorded moves, also of earlier searches, and stops recording.
    fn drop_moves(&mut self) {
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

    /// The number of states that all processes expanded, in this search and earlier ones.
    pub(super) fn expanded(&self) -> u64 {
        self.expanded
    }

    /// The access to keys as bytes, if several processes search together.
    fn raw(&self) -> Option<RawKeys<K::Key>> {
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
                let discovered = self.budget.states();
                self.limits.pool.report(Progress::Exploring { expanded: 0, discovered })?;
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

    /// Searches ply by ply until no process finds new states.
    pub(super) fn run(&mut self) -> Result<Statistics, SolveError> {
        let mut statistics = Statistics::default();
        let mut known = vec![0; SHARDS];
        let mut ply = None;
        loop {
            let found: Vec<usize> = (0..SHARDS).map(|shard| self.sink.sets[0].len(shard)).collect();
            let is_last = self.finish_ply([&known, &found], ply, &mut statistics)?;
            if is_last {
                let event = statistics.over_at_roots().filter(|_| !self.is_of_tier);
                event.map_or(Ok(()), |event| self.limits.pool.report(event))?;
                return Ok(statistics);
            }
            let plies = statistics.plies.len() as u32;
            if plies == MANY_PLIES + 1 && self.limits.finds_growth(self.sink.game) {
                self.limits.pool.report(Progress::Growing { ply: MANY_PLIES })?;
            }
            let places = known.iter().zip(&found).map(|(&start, &end)| start..end);
            ply = Some(self.expand(places.enumerate().collect(), plies)?);
            known = found;
        }
    }

    /// Adds up the figures of a ply, or of the roots if `ply` is `None`. `known` states have been
    /// expanded, in this ply and before, and `found` states exist now. Returns whether there are no
    /// new states.
    fn finish_ply(
        &mut self,
        [known, found]: [&[usize]; 2],
        ply: Option<Ply>,
        statistics: &mut Statistics,
    ) -> Result<bool, SolveError> {
        let sum = |counts: &[usize]| counts.iter().sum::<usize>() as u64;
        let Ply { states, terminal, moves, fewest, most } = ply.unwrap_or_default();
        let too_many = u64::from(self.too_many);
        // The states of all sets, and of earlier searches.
        let own = self.budget.states();
        let (known, found) = (sum(known), sum(found));
        let lacks_moves = u64::from(self.records.is_none());
        let figures =
            [known, found, own, too_many, lacks_moves, states, terminal, moves, fewest, most];
        let mut all = [0; 5];
        let mut of_all = Ply::default();
        let of_processes = match self.is_shared {
            true => self.limits.pool.gather_figures(&figures)?,
            false => vec![figures.to_vec()],
        };
        for figures in of_processes {
            all.iter_mut().zip(&figures).for_each(|(sum, more)| *sum += more);
            if let [states, terminal, moves, fewest, most] = figures[5..] {
                of_all = of_all.and(Ply { states, terminal, moves, fewest, most });
            }
        }
        let [known, found, discovered, too_many, lack_moves] = all;
        if lack_moves > 0 {
            self.drop_moves();
        }
        let expanded = self.before + known;
        let plies = statistics.plies.len() as u32;
        if let Some(limit) = self.limits.most_states
            && (too_many > 0 || discovered > limit)
        {
            // No process leaves before all know, so that all report the same error.
            let _ = self.limits.pool.sum(&mut []);
            let error = SolveError::TooManyToExplore { limit, ply: self.ply(plies), expanded };
            return Err(self.limits.with_growth(self.sink.game, error));
        }
        if u32::try_from(found).is_err() {
            // Each process has fewer states, but a reader of the table needs all of them.
            let _ = self.limits.pool.sum(&mut []);
            return Err(SolveError::TooManyStates);
        }
        self.elsewhere = discovered - own;
        self.expanded = expanded;
        if ply.is_some() {
            statistics.plies.push(of_all);
            self.limits.pool.report(of_all.report(plies))?;
        }
        Ok(found == known)
    }

    /// Expands the states of a ply, slice by slice, and takes in the states that other processes
    /// send.
    fn expand(&mut self, mut rest: Vec<ShardRange>, plies: u32) -> Result<Ply, SolveError> {
        let threads = self.limits.pool.threads();
        // One process expands a whole ply in one step, unless it also has to watch the memory.
        let mut slice = match (self.is_shared, self.limits.memory) {
            (true, _) => FIRST_SLICE * threads,
            (false, Some(_)) if self.records.is_some() => LIMITED_SLICE * threads,
            (false, _) => usize::MAX,
        };
        let mut sum = Ply::default();
        while !self.too_many {
            let now = take_states(&mut rest, slice);
            let states: usize = now.iter().map(|(_, places)| places.len()).sum();
            if states == 0 {
                break;
            }
            let part = self.look_at(now)?;
            sum = sum.and(self.take(part, plies)?.unwrap_or_default());
            self.drop_useless_moves();
            let sent = self.raw().map_or(0, |raw| self.send(&raw));
            if let Some(raw) = self.raw() {
                // States of one ply have about the same number of moves as the states before.
                slice = (states * SENT * threads / sent.max(1)).clamp(slice / 2, slice * 2);
                slice = slice.clamp(threads, SENT * threads);
                let arrived = self.limits.pool.end_slice()?;
                self.take_in(arrived, &raw, plies)?;
            }
        }
        if let Some(raw) = self.raw() {
            self.limits.pool.end_phase();
            while let Some(arrived) = self.limits.pool.next_arrived()? {
                self.take_in(arrived, &raw, plies)?;
            }
        }
        self.insert(plies)?;
        Ok(sum)
    }

    /// Sends the keys found for the other processes; returns their number.
    fn send(&mut self, raw: &RawKeys<K::Key>) -> usize {
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
    fn take_in(
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
        let event = |_| Progress::Exploring { expanded, discovered: elsewhere + budget.states() };
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
    fn insert(&mut self, plies: u32) -> Result<(), SolveError> {
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
    fn take<R>(&mut self, result: Result<R, Refused>, plies: u32) -> Result<Option<R>, SolveError> {
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
    fn look_at(&mut self, ply: Vec<ShardRange>) -> Result<Result<Ply, Refused>, SolveError> {
        let states: usize = ply.iter().map(|(_, places)| places.len()).sum();
        let size = if states < BIG { Size::Small } else { Size::Big };
        let parts = if size == Size::Small { 1 } else { 4 * self.limits.pool.threads() };
        let (budget, before, sink) = (self.budget, self.expanded, self.sink);
        let elsewhere = self.elsewhere;
        let discovered = || elsewhere + budget.states();
        let event =
            |done| Progress::Exploring { expanded: before + done, discovered: discovered() };
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
        let event = |_| Progress::Exploring { expanded, discovered: elsewhere + budget.states() };
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
    fn ply(&self, ply: u32) -> Option<u32> {
        (!self.is_of_tier).then_some(ply)
    }

    /// The error for states that were refused at this ply.
    fn refusal(&self, refused: Refused, ply: u32) -> SolveError {
        self.limits.refusal(self.sink.game, refused, self.budget, self.expanded, self.ply(ply))
    }
}
