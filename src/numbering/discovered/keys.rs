//! Growing lists of keys; a search uses hundreds of them.

use std::io;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytemuck::Pod;

use crate::error::SolveError;
use crate::runtime::memory::Array;
use crate::runtime::scratch::{Growth, Scratch};

/// A list of keys that grows only on request.
pub trait KeyList<K>: Default + Deref<Target = [K]> + Send {
    /// The number of keys that the list has room for.
    fn capacity(&self) -> usize;

    /// Makes room for `more` keys. If `is_tight`, saving memory matters more than speed.
    ///
    /// # Errors
    /// When the system does not provide the memory.
    fn grow(&mut self, more: usize, is_tight: bool) -> Result<(), ()>;

    /// Adds a key; there must be room for it.
    fn push(&mut self, key: K);

    /// Appends all keys to another list, which must have room for them.
    fn move_to(self, all: &mut Vec<K>);
}

impl<K: Send> KeyList<K> for Vec<K> {
    fn capacity(&self) -> usize {
        Vec::capacity(self)
    }

    fn grow(&mut self, more: usize, _: bool) -> Result<(), ()> {
        self.try_reserve_exact(more).map_err(|_| ())
    }

    #[inline]
    fn push(&mut self, key: K) {
        Vec::push(self, key);
    }

    fn move_to(self, all: &mut Vec<K>) {
        all.extend(self);
    }
}

/// Lists of fewer bytes than this use the allocator.
const MAPPED_FROM: usize = 1 << 14;

/// A list of keys that takes its memory directly from the system if memory is tight. The system
/// gets the memory back as soon as the list is dropped. Allocators keep what hundreds of
/// growing lists free, which is as much again as the keys take (measured with 6 million states: 129
/// MB instead of 56). Discovering states then takes 5 to 9 % longer.
#[derive(Debug)]
pub struct MappedKeys<K> {
    /// The keys while they are few, or memory is not tight.
    few: Vec<K>,
    many: Option<Array<K>>,
    len: usize,
    /// The disk space of a scratch file, while keys are added to it.
    growth: Option<Growth>,
}

impl<K> Default for MappedKeys<K> {
    fn default() -> Self {
        MappedKeys { few: Vec::new(), many: None, len: 0, growth: None }
    }
}

impl<K: Pod> Deref for MappedKeys<K> {
    type Target = [K];

    #[inline]
    fn deref(&self) -> &[K] {
        match &self.many {
            Some(many) => &many[..self.len],
            None => &self.few,
        }
    }
}

/// A mapped list has room for at least this many bytes: to grow costs more than pages that are never
/// written.
const ROOM: usize = 1 << 16;

impl<K: Pod + Send> MappedKeys<K> {
    /// Adds keys. Where there is no room for them, it makes room for as many again, as if memory were
    /// tight.
    ///
    /// # Errors
    /// When the system does not provide the memory.
    #[inline]
    pub(crate) fn extend(&mut self, keys: &[K]) -> Result<(), ()> {
        if self.len + keys.len() > self.capacity() {
            let more = keys.len().max(self.len);
            let is_small = (self.len + more) * size_of::<K>() < MAPPED_FROM;
            let room = if is_small { 0 } else { ROOM / size_of::<K>() };
            self.grow(more.max(room.saturating_sub(self.len)), true)?;
        }
        let len = self.len + keys.len();
        if let Some(growth) = &mut self.growth
            && !growth.reaches((len * size_of::<K>()) as u64)
        {
            return Err(());
        }
        match &mut self.many {
            Some(many) => many[self.len..len].copy_from_slice(keys),
            None => self.few.extend_from_slice(keys),
        }
        self.len = len;
        Ok(())
    }

    /// A list in a scratch file, to which at most `most` keys can be added.
    ///
    /// # Errors
    /// When the file can't be made.
    pub(crate) fn growing_in(scratch: &Arc<Scratch>, most: u64) -> Result<Self, ()> {
        let (many, growth) = Array::growing_in(most, scratch).map_err(|_| ())?;
        Ok(MappedKeys { many: Some(many), growth: Some(growth), ..Self::default() })
    }

    /// A list of zeros in a scratch file.
    ///
    /// # Errors
    /// When the file can't be made.
    pub(crate) fn zeroed_in(scratch: &Arc<Scratch>, len: u64) -> Result<Self, ()> {
        let many = Array::zeroed_in(len, "the states", Some(scratch)).map_err(drop)?;
        Ok(MappedKeys { many: Some(many), len: len as usize, ..Self::default() })
    }

    /// Lets the keys go from memory, if they are in a scratch file.
    pub(crate) fn let_go(&self) {
        if let Some(scratch) = self.many.as_ref().and_then(Array::scratch) {
            scratch.let_go(self);
        }
    }

    /// The list, to which no more keys are added.
    pub(crate) fn finished(mut self) -> Self {
        if let Some(growth) = self.growth.take() {
            growth.finish((self.len * size_of::<K>()) as u64);
        }
        self
    }

    /// The keys in a scratch file.
    ///
    /// # Errors
    /// The keys as they are, if there is no room for the file.
    pub(crate) fn into_file(self, scratch: &Arc<Scratch>) -> Result<Self, Self> {
        let Ok(mut file) = Self::zeroed_in(scratch, self.len as u64) else { return Err(self) };
        if let Some(many) = &mut file.many {
            many.copy_from_slice(&self);
        }
        file.let_go();
        Ok(file)
    }

    /// Whether the keys are in a scratch file.
    fn is_in_file(&self) -> bool {
        self.many.as_ref().is_some_and(|many| many.scratch().is_some())
    }

    /// The memory of the keys, in bytes.
    pub(crate) fn in_memory(&self) -> u64 {
        if self.is_in_file() { 0 } else { size_of_val(&**self) as u64 }
    }

    /// Removes all keys behind the first `len`.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
        self.few.truncate(len);
    }
}

impl<K: Pod> DerefMut for MappedKeys<K> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [K] {
        match &mut self.many {
            Some(many) => &mut many[..self.len],
            None => &mut self.few,
        }
    }
}

impl<K: Pod + Send> KeyList<K> for MappedKeys<K> {
    fn capacity(&self) -> usize {
        self.many.as_ref().map_or(self.few.capacity(), |many| many.len())
    }

    fn grow(&mut self, more: usize, is_tight: bool) -> Result<(), ()> {
        let room = self.len.checked_add(more).ok_or(())?;
        let is_small = room.saturating_mul(size_of::<K>()) < MAPPED_FROM;
        if self.many.is_none() && (is_small || !is_tight) {
            return self.few.grow(more, is_tight);
        }
        let what = "the discovered states";
        if let Some(many) = &mut self.many {
            return many.grow(room as u64, what).map_err(|_| ());
        }
        let mut many = Array::zeroed(room as u64, what).map_err(|_| ())?;
        many[..self.len].copy_from_slice(self);
        self.many = Some(many);
        self.few = Vec::new();
        Ok(())
    }

    #[inline]
    fn push(&mut self, key: K) {
        match &mut self.many {
            Some(many) => many[self.len] = key,
            None => self.few.push(key),
        }
        self.len += 1;
    }

    fn move_to(self, all: &mut Vec<K>) {
        all.extend_from_slice(&self);
    }
}

/// Scratch files for keys, which are used once memory is short.
#[derive(Debug)]
pub struct KeyFiles {
    scratch: Arc<Scratch>,
    /// Runs of fewer bytes stay in memory.
    least: u64,
    /// All keys of a solve, in one run, stay in memory if they take no more bytes.
    most: u64,
    /// Whether memory was short in the search.
    are_used: AtomicBool,
    /// Whether the disk had no room for a file. Then no more are made.
    are_full: AtomicBool,
}

impl KeyFiles {
    /// Files for keys of which at most `most` bytes stay in memory for the solve, which needs about
    /// as much beside them, and at most twice as many in the search.
    pub(crate) fn new(scratch: &Arc<Scratch>, most: u64) -> KeyFiles {
        // A search has some thousand runs, and each takes two files.
        let least = (most >> 9).clamp(1 << 12, 1 << 16);
        let [are_used, are_full] = [const { AtomicBool::new(false) }; 2];
        KeyFiles { scratch: Arc::clone(scratch), least, most, are_used, are_full }
    }

    /// Uses the files from now on, if a search takes this many bytes of memory that it is short.
    pub(crate) fn note(&self, bytes: u64) {
        if bytes > 2 * self.most {
            self.are_used.store(true, Ordering::Relaxed);
        }
    }

    /// The folder of the files for this number of bytes, if they are used for so many.
    pub(super) fn for_bytes(&self, bytes: u64) -> Option<&Arc<Scratch>> {
        let is_short = bytes > self.most || self.are_used.load(Ordering::Relaxed);
        let is_wanted = is_short && bytes >= self.least && !self.are_full.load(Ordering::Relaxed);
        is_wanted.then_some(&self.scratch)
    }

    /// Whether this many bytes have to be put together in files, since memory has no room even for that.
    pub(super) fn are_many(&self, bytes: u64) -> bool {
        bytes > self.most
    }

    /// Makes keys of this number of bytes in files, if these are used for so many. `None` if not, or if the
    /// disk has no room.
    ///
    /// # Errors
    /// If the disk has no room, and memory has none, too.
    pub(super) fn make<T>(
        &self,
        bytes: u64,
        make: impl FnOnce(&Arc<Scratch>) -> Result<T, ()>,
    ) -> Result<Option<T>, SolveError> {
        if let Some(scratch) = self.for_bytes(bytes) {
            match make(scratch) {
                Ok(made) => return Ok(Some(made)),
                Err(()) => self.fail(),
            }
        }
        self.refuse(bytes).map_or(Ok(None), Err)
    }

    /// Notes that the disk has no room for a file.
    pub(super) fn fail(&self) {
        self.are_full.store(true, Ordering::Relaxed);
    }

    /// The error for this number of bytes, if the disk has no room for files, and memory has none for
    /// so much.
    pub(crate) fn refuse(&self, bytes: u64) -> Option<SolveError> {
        let is_refused = self.are_full.load(Ordering::Relaxed) && bytes > 2 * self.most;
        is_refused.then(|| SolveError::Scratch {
            folder: self.scratch.folder().display().to_string(),
            needed: bytes,
            free: self.scratch.free_space(),
            error: io::Error::from(io::ErrorKind::StorageFull).into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_its_keys_however_it_grows() {
        let mut keys = MappedKeys::<u64>::default();
        let expected: Vec<u64> = (0..100_000).map(|at| at * at).collect();
        for &key in &expected {
            if keys.len() == keys.capacity() {
                keys.grow((keys.capacity() / 4).max(32), true).unwrap();
            }
            keys.push(key);
        }
        assert!(keys[..] == expected);
        assert!(keys.grow(usize::MAX / 2, true).is_err() && keys.grow(usize::MAX, false).is_err());
        assert!(keys[..] == expected);
        let mut all = vec![7];
        keys.move_to(&mut all);
        assert!(all[0] == 7 && all[1..] == expected);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_list_in_a_scratch_file_has_its_keys_and_takes_no_memory() {
        let folder = tempfile::tempdir().unwrap();
        let scratch = Scratch::in_folder(folder.path(), 0);
        let expected: Vec<u64> = (0..100_000).map(|at| at * at).collect();
        let mut growing = MappedKeys::growing_in(&scratch, 100_000).unwrap();
        let mut moved = MappedKeys::default();
        for part in expected.chunks(77) {
            growing.extend(part).unwrap();
            moved.extend(part).unwrap();
        }
        assert!(growing[..] == expected && moved.in_memory() == 800_000);
        for keys in [growing.finished(), moved.into_file(&scratch).unwrap()] {
            assert!(keys[..] == expected && keys.in_memory() == 0);
        }
        let lost = Scratch::in_folder(&folder.path().join("none"), 0);
        let mut keys = MappedKeys::<u64>::default();
        keys.extend(&expected).unwrap();
        assert!(keys.into_file(&lost).unwrap_err()[..] == expected);
    }
}
