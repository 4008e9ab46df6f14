//! Discovering the states of a game by several processes, each of which has its share of them.
//!
//! A fixed hash of its key says which process a state belongs to. That one alone keeps it, and looks at
//! its moves. The successors of other processes travel to these as keys, slice by slice. A ply begins
//! where all have finished the one before, so that each state is found at the ply at which one process
//! finds it.
//!
//! In the end the states are shared out anew, by ranges of their keys. The ends of the ranges are those
//! of the windows, found by counting.

use crate::error::SolveError;
use crate::explore::gathered::{Gathered, Owners};
use crate::explore::{BIG, Explorer, Ply, Refused, SHARDS, Search, ShardRange, Shards, Statistics};
use crate::game::Game;
use crate::numbering::discovered::{Encoding, KeyWindow, RawKeys};
use crate::runtime::frontier::CHUNK;
use crate::runtime::peers::{Arrived, Windows};
use crate::runtime::pool::{Size, lock};
use crate::runtime::progress::Progress;

/// The keys of the own window, sorted, and where that is among all.
pub(crate) type OwnKeys<K> = (Vec<K>, KeyWindow<K>);

/// How many keys each thread sends in a slice, roughly.
const SENT: usize = 1 << 16;

/// How many states each thread looks at in the first slice of a ply.
const FIRST_SLICE: usize = 1 << 12;

impl<K> Owners<K> {
    /// The process that a key belongs to: by a hash that is the same in all processes.
    #[inline]
    pub(super) fn of(&self, key: &K) -> usize {
        let word = (self.to_word)(key);
        let folded = (word as u64) ^ ((word >> 64) as u64).rotate_left(29);
        // The finalizer of splitmix64, which mixes all bits.
        let mixed = (folded ^ folded >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        let hash = (mixed ^ mixed >> 31) >> 32;
        ((hash * self.count as u64) >> 32) as usize
    }
}

impl<G: Game> Explorer<'_, '_, G> {
    /// Discovers every state that play can reach from the roots of `game`, together with the other
    /// processes. Returns the keys of the own window, sorted, and where that is among all.
    ///
    /// # Errors
    /// As [`discover`](Explorer::discover), and when another process is lost. Where there are more states
    /// than allowed, all processes have the error that one process has.
    pub(crate) fn discover_together<K: Encoding<G>>(
        &mut self,
        game: &G,
        raw: &RawKeys<K::Key>,
    ) -> Result<OwnKeys<K::Key>, SolveError> {
        let roots = game.roots();
        if roots.is_empty() {
            return Err(SolveError::NoRoots);
        }
        let gathering = self.gathering();
        let budget = self.budget(gathering);
        let shards = Shards::new(&budget);
        let sets = [&shards];
        Search::<G, K, _>::new(game, &sets, |_| Some(0), &budget, gathering, self)
            .run_together(roots, raw)?;
        let keys = self.sorted::<K>(game, shards)?;
        self.share_out(keys, raw)
    }

    /// Shares the keys of all processes out: each gets those of its window. `keys` are the own ones,
    /// sorted.
    pub(super) fn share_out<T: Ord + Clone + Send>(
        &mut self,
        keys: Vec<T>,
        raw: &RawKeys<T>,
    ) -> Result<OwnKeys<T>, SolveError> {
        let mut len = [keys.len() as u64];
        self.pool.sum(&mut len)?;
        let [len] = len;
        let windows = self.pool.windows(len, CHUNK);
        let lasts = self.lasts(&keys, &windows, raw)?;
        let own = windows.own();
        let keys = self.exchange(keys, &lasts, &windows, raw)?;
        let window = windows.own_window();
        let is_range = keys.len() as u64 == window.end - window.start
            && keys.is_sorted_by(|one, next| one < next)
            && (own == 0 || keys.first().is_none_or(|first| lasts[own - 1] < *first))
            && (own == lasts.len() || keys.last().is_none_or(|last| *last <= lasts[own]));
        if !is_range {
            let problem = "the processes do not agree on which states there are".into();
            return Err(SolveError::Parted { problem });
        }
        Ok((keys, KeyWindow::new(own, window.start, len, lasts)))
    }

    /// The greatest key of each window but the last, by halving: all processes count their keys up to
    /// the middle of what is left.
    fn lasts<T: Ord>(
        &mut self,
        keys: &[T],
        windows: &Windows,
        raw: &RawKeys<T>,
    ) -> Result<Vec<T>, SolveError> {
        let greatest = keys.last().map_or(0, raw.to_word);
        let halves = [(greatest >> 64) as u64, greatest as u64];
        let all = self.pool.gather_figures(&halves)?;
        let word = |halves: &Vec<u64>| u128::from(halves[0]) << 64 | u128::from(halves[1]);
        let greatest = all.iter().map(word).max().unwrap_or(0);
        let (_, ends) = windows.ends().split_last().unwrap_or((&0, &[]));
        let mut ranges = vec![(0, greatest); ends.len()];
        while ranges.iter().any(|&(low, high)| low < high) {
            let middle = |&(low, high): &(u128, u128)| low + (high - low) / 2;
            let count = |range| {
                let middle = middle(range);
                keys.partition_point(|key| (raw.to_word)(key) <= middle) as u64
            };
            let mut counts: Vec<u64> = ranges.iter().map(count).collect();
            self.pool.sum(&mut counts)?;
            for ((range, count), &end) in ranges.iter_mut().zip(counts).zip(ends) {
                let middle = middle(range);
                if range.0 < range.1 {
                    *range = if count >= end { (range.0, middle) } else { (middle + 1, range.1) };
                }
            }
        }
        let lasts: Option<Vec<T>> =
            ranges.into_iter().map(|(last, _)| (raw.of_word)(last)).collect();
        lasts.ok_or_else(|| SolveError::Parted { problem: "a process has other keys".into() })
    }

    /// Sends the keys of each other window to its process, and returns those of the own window, sorted.
    /// What arrives takes the place of what is sent, so that no keys are in memory twice.
    fn exchange<T: Ord + Clone + Send>(
        &mut self,
        mut keys: Vec<T>,
        lasts: &[T],
        windows: &Windows,
        raw: &RawKeys<T>,
    ) -> Result<Vec<T>, SolveError> {
        let (own, window) = (windows.own(), windows.own_window());
        let mut ends: Vec<usize> =
            lasts.iter().map(|last| keys.partition_point(|key| key <= last)).collect();
        ends.push(keys.len());
        let start = own.checked_sub(1).map_or(0, |before| ends[before]);
        // The own window comes first, and behind it those of the next processes: each begins with
        // another one.
        keys.rotate_left(start);
        let mut rest: Vec<(usize, usize)> = Vec::new();
        for to in 0..ends.len() {
            let first = to.checked_sub(1).map_or(0, |before| ends[before]);
            rest.push((to, ends[to] - first));
        }
        rest.rotate_left(own);
        let kept = rest.remove(0).1;
        let room = (window.end - window.start) as usize;
        let mut found = Received { keys, kept, sent: kept, more: Vec::new(), room };
        for (to, mut count) in rest {
            while count > 0 {
                let now = count.min(SENT);
                let bytes = (raw.bytes)(&found.keys[found.sent..found.sent + now]).to_vec();
                self.pool.send(to, bytes, now as u64);
                (found.sent, count) = (found.sent + now, count - now);
                let arrived = self.pool.end_slice()?;
                self.add_arrived(arrived, raw, &mut found)?;
            }
        }
        self.pool.end_phase();
        while let Some(arrived) = self.pool.next_arrived()? {
            self.add_arrived(arrived, raw, &mut found)?;
        }
        let mut keys = found.into_keys()?;
        self.sort(&mut keys);
        Ok(keys)
    }

    /// Adds the keys that have arrived.
    fn add_arrived<T: Clone>(
        &mut self,
        arrived: Arrived,
        raw: &RawKeys<T>,
        found: &mut Received<T>,
    ) -> Result<(), SolveError> {
        for (from, bytes) in arrived {
            let keys = keys_of(from, &bytes, raw)?;
            if keys.len() > found.room.saturating_sub(found.kept + found.more.len()) {
                let problem = format!("process {from} sent more states than there are");
                return Err(SolveError::Parted { problem });
            }
            self.pool.note_applied(keys.len() as u64);
            keys.into_iter().for_each(|key| found.add(key));
        }
        Ok(())
    }
}

/// The keys of the own window as they arrive, and those that are not sent yet.
struct Received<T> {
    /// Keys of the own window, then some that are sent already, then those that are not.
    keys: Vec<T>,
    kept: usize,
    sent: usize,
    /// Keys of the own window that there was no place for yet.
    more: Vec<T>,
    /// How many keys the own window has.
    room: usize,
}

impl<T> Received<T> {
    fn add(&mut self, key: T) {
        if self.kept < self.sent {
            self.keys[self.kept] = key;
            self.kept += 1;
        } else {
            self.more.push(key);
        }
    }

    /// The keys of the own window, once all others are sent.
    fn into_keys(self) -> Result<Vec<T>, SolveError> {
        let Received { mut keys, kept, more, .. } = self;
        keys.truncate(kept);
        let bytes = (more.len() * size_of::<T>()) as u64;
        let what = "the discovered states";
        keys.try_reserve_exact(more.len()).map_err(|_| SolveError::OutOfMemory { what, bytes })?;
        keys.extend(more);
        Ok(keys)
    }
}

/// The keys in the bytes that a process sent.
fn keys_of<T: Clone>(from: usize, bytes: &[u8], raw: &RawKeys<T>) -> Result<Vec<T>, SolveError> {
    if !bytes.len().is_multiple_of(size_of::<T>().max(1)) {
        let problem = format!("process {from} sent what is no state");
        return Err(SolveError::Parted { problem });
    }
    let mut keys = raw.zeroed((bytes.len() / size_of::<T>().max(1)) as u64)?;
    // All processes of a run have the same order of bytes.
    (raw.bytes_mut)(&mut keys).copy_from_slice(bytes);
    Ok(keys)
}

impl<G, K, W> Search<'_, '_, '_, G, K, W>
where
    G: Game,
    K: Encoding<G>,
    W: Fn(&G::State) -> Option<usize> + Copy + Send + Sync,
{
    /// Searches from the roots as one of several processes, all of which have these roots. Returns how
    /// many states have had their moves looked at by all processes, in searches before this one too.
    pub(super) fn run_together(
        mut self,
        roots: Vec<G::State>,
        raw: &RawKeys<K::Key>,
    ) -> Result<u64, SolveError> {
        let (own, count) = (self.limits.pool.own(), self.limits.pool.processes());
        self.sink.owners = Some(Owners { own, count, to_word: raw.to_word });
        let before = self.expanded;
        let mut together = Together { search: self, raw, before, too_many: false };
        together.run(roots)?;
        Ok(together.search.expanded)
    }
}

/// A search as one of several processes makes it.
struct Together<'s, 'r, 'c, 'p, G: Game, K: Encoding<G>, W> {
    search: Search<'s, 'c, 'p, G, K, W>,
    raw: &'r RawKeys<K::Key>,
    /// How many states had their moves looked at in searches before this one, by all processes.
    before: u64,
    /// Whether this process alone has found more states than all may. It finds no more, and tells the
    /// others at the end of the ply.
    too_many: bool,
}

impl<G, K, W> Together<'_, '_, '_, '_, G, K, W>
where
    G: Game,
    K: Encoding<G>,
    W: Fn(&G::State) -> Option<usize> + Copy + Send + Sync,
{
    /// Searches ply by ply from the roots until no process finds new states.
    fn run(&mut self, roots: Vec<G::State>) -> Result<Statistics, SolveError> {
        let mut gathered = Gathered::new(self.search.sink);
        for root in roots {
            gathered.add(&root, &root);
        }
        // Each process has all roots.
        gathered.foreign.iter_mut().for_each(Vec::clear);
        let result = std::mem::replace(&mut gathered.result, Ok(()));
        lock(&self.search.gathered).push(gathered);
        self.take(result, 0)?;
        self.insert(0)?;
        let mut statistics = Statistics::default();
        let mut known = vec![0; SHARDS];
        let mut ply = None;
        loop {
            let found: Vec<usize> =
                (0..SHARDS).map(|shard| self.search.sink.sets[0].len(shard)).collect();
            let is_last = self.finish_ply([&known, &found], ply, &mut statistics)?;
            if is_last {
                return Ok(statistics);
            }
            let places = known.iter().zip(&found).map(|(&start, &end)| start..end);
            let plies = statistics.plies.len() as u32;
            ply = Some(self.expand(places.enumerate().collect(), plies)?);
            known = found;
        }
    }

    /// Adds up the figures of a ply, or of the roots where there is none. `known` states were looked at in
    /// this ply and before, and `found` are there now. Returns whether there are no new ones.
    fn finish_ply(
        &mut self,
        [known, found]: [&[usize]; 2],
        ply: Option<Ply>,
        statistics: &mut Statistics,
    ) -> Result<bool, SolveError> {
        let sum = |counts: &[usize]| counts.iter().sum::<usize>() as u64;
        let Ply { states, terminal, moves, fewest, most } = ply.unwrap_or_default();
        let too_many = u64::from(self.too_many);
        // The states of all sets, and of the searches before.
        let own = self.search.budget.states();
        let (known, found) = (sum(known), sum(found));
        let figures = [known, found, own, too_many, states, terminal, moves, fewest, most];
        let mut all = [0; 4];
        let mut of_all = Ply::default();
        for figures in self.search.limits.pool.gather_figures(&figures)? {
            all.iter_mut().zip(&figures).for_each(|(sum, more)| *sum += more);
            if let [states, terminal, moves, fewest, most] = figures[4..] {
                of_all = of_all.and(Ply { states, terminal, moves, fewest, most });
            }
        }
        let [known, found, discovered, too_many] = all;
        let expanded = self.before + known;
        let plies = statistics.plies.len() as u32;
        if let Some(limit) = self.search.limits.most_states
            && (too_many > 0 || discovered > limit)
        {
            // Nobody leaves before all know, so that all say the same.
            let _ = self.search.limits.pool.sum(&mut []);
            let ply = self.search.ply(plies);
            return Err(SolveError::TooManyToExplore { limit, ply, expanded });
        }
        if u32::try_from(found).is_err() {
            // Each process has fewer, but who reads the table has all.
            let _ = self.search.limits.pool.sum(&mut []);
            return Err(SolveError::TooManyStates);
        }
        self.search.elsewhere = discovered - own;
        self.search.expanded = expanded;
        if ply.is_some() {
            statistics.plies.push(of_all);
            self.search.limits.pool.report(of_all.report(plies))?;
        }
        Ok(found == known)
    }

    /// Looks at the moves of a ply's states, slice by slice, and takes in what the others find.
    fn expand(&mut self, mut rest: Vec<ShardRange>, plies: u32) -> Result<Ply, SolveError> {
        let threads = self.search.limits.pool.threads();
        let mut slice = FIRST_SLICE * threads;
        let mut sum = Ply::default();
        while !self.too_many {
            let now = take_states(&mut rest, slice);
            let states: usize = now.iter().map(|(_, places)| places.len()).sum();
            if states == 0 {
                break;
            }
            let part = self.search.look_at(now)?;
            sum = sum.and(self.take(part, plies)?.unwrap_or_default());
            let sent = self.send();
            // States of one ply have about as many moves as those before.
            slice = (states * SENT * threads / sent.max(1)).clamp(slice / 2, slice * 2);
            slice = slice.clamp(threads, SENT * threads);
            let arrived = self.search.limits.pool.end_slice()?;
            self.take_in(arrived, plies)?;
        }
        self.search.limits.pool.end_phase();
        while let Some(arrived) = self.search.limits.pool.next_arrived()? {
            self.take_in(arrived, plies)?;
        }
        self.insert(plies)?;
        Ok(sum)
    }

    /// Sends what the threads found for the other processes; returns how many keys there are.
    fn send(&mut self) -> usize {
        let mut sent = 0;
        for gathered in lock(&self.search.gathered).iter_mut() {
            for (to, keys) in gathered.foreign.iter_mut().enumerate() {
                for packet in keys.drain(..) {
                    let bytes = (self.raw.bytes)(&packet).to_vec();
                    self.search.limits.pool.send(to, bytes, packet.len() as u64);
                    sent += packet.len();
                }
            }
        }
        sent
    }

    /// Gathers the keys that have arrived.
    fn take_in(&mut self, arrived: Arrived, plies: u32) -> Result<(), SolveError> {
        let bytes: usize = arrived.iter().map(|(_, bytes)| bytes.len()).sum();
        let keys = bytes / size_of::<K::Key>().max(1);
        let size = if keys < BIG { Size::Small } else { Size::Big };
        let Together { search, raw, too_many, .. } = self;
        let (idle, sink, budget) = (&search.gathered, search.sink, search.budget);
        let (expanded, elsewhere, drops) = (search.expanded, search.elsewhere, *too_many);
        let event = |_| Progress::Exploring { expanded, discovered: elsewhere + budget.states() };
        let taken = search.limits.pool.run(size, arrived, event, |(from, bytes), _| {
            let keys = keys_of(from, &bytes, raw)?;
            let count = keys.len() as u64;
            if drops {
                return Ok((count, Ok(())));
            }
            let taken = lock(idle).pop();
            let mut gathered = taken.unwrap_or_else(|| Gathered::new(sink));
            keys.into_iter().for_each(|key| gathered.add_arrived(key));
            let result = std::mem::replace(&mut gathered.result, Ok(()));
            lock(idle).push(gathered);
            Ok::<_, SolveError>((count, result))
        })?;
        for (count, result) in taken {
            self.search.limits.pool.note_applied(count);
            self.take(result, plies)?;
        }
        Ok(())
    }

    /// Inserts all gathered states.
    fn insert(&mut self, plies: u32) -> Result<(), SolveError> {
        let gathered = lock(&self.search.gathered);
        let keys: usize = gathered.iter().flat_map(|it| &it.keys).map(Vec::len).sum();
        drop(gathered);
        let size = if keys < BIG { Size::Small } else { Size::Big };
        let inserted = self.search.insert_gathered(size)?;
        self.take(inserted, plies)?;
        Ok(())
    }

    /// Takes a result. That there are too many states is only noted, and is `None`.
    fn take<T>(&mut self, result: Result<T, Refused>, plies: u32) -> Result<Option<T>, SolveError> {
        match result {
            Ok(result) => Ok(Some(result)),
            Err(Refused::States) => {
                self.too_many = true;
                Ok(None)
            }
            Err(refused) => Err(self.search.refusal(refused, plies)),
        }
    }
}

/// Takes the first states of a ply, so many or all that are left.
fn take_states(rest: &mut Vec<ShardRange>, mut states: usize) -> Vec<ShardRange> {
    let mut taken = Vec::new();
    while states > 0
        && let Some((shard, places)) = rest.last_mut()
    {
        let start = places.end - places.len().min(states);
        states -= places.end - start;
        if start < places.end {
            taken.push((*shard, start..places.end));
        }
        places.end = start;
        if places.start == places.end {
            rest.pop();
        }
    }
    taken
}
