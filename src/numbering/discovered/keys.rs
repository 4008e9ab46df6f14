//! Growing lists of keys; a search uses hundreds of them.

use std::ops::{Deref, DerefMut};

use bytemuck::Pod;

use crate::runtime::memory::Array;

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
}

impl<K> Default for MappedKeys<K> {
    fn default() -> Self {
        MappedKeys { few: Vec::new(), many: None, len: 0 }
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
        match &mut self.many {
            Some(many) => many[self.len..len].copy_from_slice(keys),
            None => self.few.extend_from_slice(keys),
        }
        self.len = len;
        Ok(())
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
}
