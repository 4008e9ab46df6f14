//! The keys of a bucket.

use std::sync::Arc;

use crate::error::SolveError;
use crate::numbering::discovered::{CodedKey, CodedKeys, Coder, Cursor, KeyFiles, MappedKeys};

/// The keys of a bucket in runs: those of earlier plies, those of the ply that is expanded, in one run,
/// and those found in it.
pub(crate) type BucketRuns<R> = [R; 3];

/// The runs of each bucket.
pub(crate) type AllRuns<'k, K> = Vec<BucketRuns<&'k [CodedKeys<K>]>>;

/// The keys between two bounds: those that are known, and those that are gathered.
#[derive(Debug)]
pub(super) struct Bucket<K> {
    /// The gathered keys. The first `sorted` of them ascend.
    pending: MappedKeys<K>,
    sorted: usize,
    /// The most keys that the list of gathered keys has had.
    most: usize,
    /// The keys of earlier plies, in runs of which each is much longer than the next.
    known: Vec<CodedKeys<K>>,
    /// The keys of the ply that is expanded.
    frontier: Arc<CodedKeys<K>>,
    /// The keys found in this ply, in such runs.
    next: Vec<CodedKeys<K>>,
}

impl<K> Default for Bucket<K> {
    fn default() -> Self {
        Bucket {
            pending: MappedKeys::default(),
            sorted: 0,
            most: 0,
            known: Vec::new(),
            frontier: Arc::default(),
            next: Vec::new(),
        }
    }
}

impl<K: CodedKey> Bucket<K> {
    /// A bucket of these keys.
    pub(super) fn of(known: CodedKeys<K>, frontier: CodedKeys<K>, next: CodedKeys<K>) -> Bucket<K> {
        let run = |keys: CodedKeys<K>| if keys.len() > 0 { vec![keys] } else { Vec::new() };
        Bucket::of_runs(run(known), frontier, run(next))
    }

    /// A bucket of these [`runs`](Bucket::runs).
    pub(super) fn of_runs(
        known: Vec<CodedKeys<K>>,
        frontier: CodedKeys<K>,
        next: Vec<CodedKeys<K>>,
    ) -> Bucket<K> {
        Bucket { known, frontier: Arc::new(frontier), next, ..Bucket::default() }
    }

    /// The keys of the ply that is expanded.
    pub(super) fn frontier(&self) -> &Arc<CodedKeys<K>> {
        &self.frontier
    }

    /// The keys of earlier plies, of the frontier, and those found since, as runs.
    pub(super) fn runs(&self) -> BucketRuns<&[CodedKeys<K>]> {
        [&self.known, std::slice::from_ref(&*self.frontier), &self.next]
    }

    /// The number of distinct keys, without those that are only gathered.
    pub(super) fn len(&self) -> u64 {
        self.runs().into_iter().flatten().map(CodedKeys::len).sum()
    }

    /// The number of keys of earlier plies.
    pub(super) fn known_len(&self) -> u64 {
        self.known.iter().map(CodedKeys::len).sum()
    }

    /// The length of the runs, in bytes.
    pub(super) fn run_bytes(&self) -> u64 {
        self.runs().into_iter().flatten().map(CodedKeys::bytes).sum()
    }

    /// Writes all keys, of which there are as many as `list` has places.
    pub(super) fn list(&self, list: &mut [K]) {
        let runs: Vec<&CodedKeys<K>> = self.runs().into_iter().flatten().collect();
        let mut at = 0;
        each_merged(&runs, K::from(0), None, |key| {
            list[at] = key;
            at += 1;
        });
        assert_eq!(at, list.len(), "a key is counted twice");
    }

    /// The memory of the bucket, in bytes. Pages of a list that were never written take none.
    pub(super) fn bytes(&self) -> u64 {
        let runs = self.runs().into_iter().flatten().map(CodedKeys::in_memory).sum::<u64>();
        runs + (self.most * size_of::<K>()) as u64
    }

    /// The bytes of the gathered keys themselves.
    pub(super) fn gathered_bytes(&self) -> u64 {
        size_of_val(&*self.pending) as u64
    }

    /// Gathers keys. Returns how many the bucket has now.
    pub(super) fn gather(&mut self, keys: &[K]) -> Result<usize, SolveError> {
        let bytes = 2 * ((self.pending.len() + keys.len()) * size_of::<K>()) as u64;
        let failed = |()| SolveError::OutOfMemory { what: "the discovered states", bytes };
        self.pending.extend(keys).map_err(failed)?;
        self.most = self.most.max(self.pending.len());
        Ok(self.pending.len())
    }

    /// Removes repeated keys among the gathered ones. Returns how many are left.
    pub(super) fn sort(&mut self) -> usize {
        if self.sorted < self.pending.len() {
            self.pending.sort_unstable();
            let mut before = None;
            keep(&mut self.pending, |key| before.replace(key) != Some(key));
            self.sorted = self.pending.len();
        }
        self.sorted
    }

    /// Adds the gathered keys that are new to those found in this ply. Their list is kept for further
    /// keys if it never had more than `kept`.
    pub(super) fn settle(
        &mut self,
        kept: usize,
        files: Option<&Arc<KeyFiles>>,
    ) -> Result<(), SolveError> {
        self.sort();
        let mut new = std::mem::take(&mut self.pending);
        self.sorted = 0;
        for run in self.runs().into_iter().flatten() {
            let Some(&first) = new.first() else { break };
            let mut known = Cursor::new(run, first);
            keep(&mut new, |key| {
                known.seek(key);
                known.peek() != Some(key)
            });
        }
        if !new.is_empty() {
            let run = CodedKeys::of(&new)?;
            absorb(&mut self.next, run, files)?;
        }
        if self.most <= kept {
            new.truncate(0);
            self.pending = new;
        } else {
            self.drop_list();
        }
        Ok(())
    }

    /// Gives back memory of the list of gathered keys, if it ever had more than `most`.
    pub(super) fn shorten(&mut self, most: usize) -> Result<(), SolveError> {
        if self.most > most.max(self.pending.len()) {
            let (long, sorted) = (std::mem::take(&mut self.pending), self.sorted);
            self.drop_list();
            self.gather(&long)?;
            self.sorted = sorted;
        }
        Ok(())
    }

    /// Gives back the memory of the list of gathered keys, which are dropped.
    pub(super) fn drop_list(&mut self) {
        (self.pending, self.sorted, self.most) = (MappedKeys::default(), 0, 0);
    }

    /// Moves the runs into scratch files, as far as these are used for them.
    pub(super) fn move_runs(&mut self, files: Option<&Arc<KeyFiles>>) {
        let runs = self.known.iter_mut().chain(&mut self.next);
        for run in runs.chain(Arc::get_mut(&mut self.frontier)) {
            *run = std::mem::take(run).into_files(files);
        }
    }

    /// Ends the ply: the keys found in it become the frontier. See [`settle`](Bucket::settle).
    pub(super) fn end_ply(
        &mut self,
        kept: usize,
        files: Option<&Arc<KeyFiles>>,
    ) -> Result<(), SolveError> {
        // A long game has few states in each of many plies.
        if self.pending.is_empty() && self.next.is_empty() && self.frontier.len() == 0 {
            return Ok(());
        }
        self.settle(kept, files)?;
        let next = match std::mem::take(&mut self.next) {
            mut one if one.len() == 1 => one.pop().unwrap_or_default(),
            several => merge(&several, files)?,
        };
        let frontier = std::mem::replace(&mut self.frontier, Arc::new(next));
        if frontier.len() > 0 {
            let frontier = match Arc::try_unwrap(frontier) {
                Ok(frontier) => frontier,
                // Whoever reads it still needs it.
                Err(shared) => merge(std::slice::from_ref(&*shared), files)?,
            };
            absorb(&mut self.known, frontier, files)?;
        }
        Ok(())
    }
}

/// Keeps the keys that `is_kept` accepts.
fn keep<K: CodedKey>(keys: &mut MappedKeys<K>, mut is_kept: impl FnMut(K) -> bool) {
    let (mut kept, all) = (0, &mut keys[..]);
    for at in 0..all.len() {
        let key = all[at];
        all[kept] = key;
        kept += usize::from(is_kept(key));
    }
    keys.truncate(kept);
}

/// Adds a run to others, and merges those that are about as long. Each run is then at least twice
/// as long as the next, so that there are few.
fn absorb<K: CodedKey>(
    runs: &mut Vec<CodedKeys<K>>,
    run: CodedKeys<K>,
    files: Option<&Arc<KeyFiles>>,
) -> Result<(), SolveError> {
    runs.push(run);
    while let [.., long, short] = &runs[..]
        && long.len() < 2 * short.len()
    {
        let merged = merge(&runs[runs.len() - 2..], files)?;
        runs.truncate(runs.len() - 2);
        runs.push(merged);
    }
    Ok(())
}

/// The keys of some runs as one run, which is in scratch files if these are used for it.
pub(super) fn merge<K: CodedKey>(
    runs: &[CodedKeys<K>],
    files: Option<&Arc<KeyFiles>>,
) -> Result<CodedKeys<K>, SolveError> {
    let len = runs.iter().map(CodedKeys::len).sum();
    let bytes = runs.iter().map(CodedKeys::bytes).sum();
    let runs: Vec<&CodedKeys<K>> = runs.iter().collect();
    CodedKeys::coded_in(files, len, bytes, |coder| merge_into(coder, &runs, K::from(0), None))
}

/// Whether no key is in two of these runs.
pub(super) fn are_distinct<K: CodedKey>(runs: &BucketRuns<Vec<CodedKeys<K>>>) -> bool {
    let runs: Vec<&CodedKeys<K>> = runs.iter().flatten().collect();
    let (mut before, mut are_distinct) = (None, true);
    each_merged(&runs, K::from(0), None, |key| {
        are_distinct &= before.replace(key).is_none_or(|before| before < key);
    });
    are_distinct
}

/// Codes the keys of some runs from one bound to another.
pub(super) fn merge_into<K: CodedKey>(
    coder: &mut Coder<K>,
    runs: &[&CodedKeys<K>],
    from: K,
    to: Option<K>,
) {
    each_merged(runs, from, to, |key| coder.push(key));
}

/// Visits the keys of some runs from one bound to another in ascending order.
#[inline]
pub(super) fn each_merged<K: CodedKey>(
    runs: &[&CodedKeys<K>],
    from: K,
    to: Option<K>,
    mut visit: impl FnMut(K),
) {
    let mut cursors: Vec<Cursor<'_, K>> =
        runs.iter().map(|run| Cursor::between(run, from, to)).collect();
    cursors.retain(|cursor| cursor.peek().is_some());
    while let Some((least, key)) =
        cursors.iter().map(Cursor::peek).enumerate().min_by_key(|&(_, key)| key)
        && let Some(key) = key
    {
        // The keys of one run, up to the next key of another.
        let other = cursors.iter().enumerate().filter(|&(at, _)| at != least);
        let until = other.filter_map(|(_, cursor)| cursor.peek()).min();
        visit(key);
        cursors[least].advance();
        while let Some(key) = cursors[least].peek()
            && until.is_none_or(|until| key < until)
        {
            visit(key);
            cursors[least].advance();
        }
        cursors.retain(|cursor| cursor.peek().is_some());
    }
}
