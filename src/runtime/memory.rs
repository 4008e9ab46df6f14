//! Big arrays straight from the system, in memory or in scratch files, and prefetching.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use bytemuck::Pod;
use memmap2::MmapMut;

use crate::runtime::scratch::{Growth, Scratch};
use crate::runtime::{NoRoom, OutOfMemory};

/// Below this size in bytes, huge pages would only waste memory.
#[cfg(any(target_os = "linux", test))]
const HUGE_PAGES_FROM: u64 = 4 << 20;

/// An array of zeros straight from the system, on huge pages if the system offers them. Huge pages
/// save a tenth of the whole time (measured on the 100 x 100 park). Pages that were never written
/// cost no memory.
#[derive(Debug)]
pub(crate) struct Array<T> {
    map: MmapMut,
    len: usize,
    items: PhantomData<T>,
    /// Where the array is a file.
    scratch: Option<Arc<Scratch>>,
}

impl<T: Pod> Array<T> {
    /// An array of `len` zeros. `what` names its purpose in the error.
    ///
    /// # Errors
    /// If the system does not provide the memory.
    pub(crate) fn zeroed(len: u64, what: &'static str) -> Result<Array<T>, OutOfMemory> {
        let bytes = len.saturating_mul(size_of::<T>() as u64);
        let failed = || OutOfMemory { what, bytes };
        let length = usize::try_from(bytes).map_err(|_| failed())?;
        // The system does not map empty areas.
        let map = MmapMut::map_anon(length.max(1)).map_err(|_| failed())?;
        let array = Array { map, len: len as usize, items: PhantomData, scratch: None };
        #[cfg(target_os = "linux")]
        array.on_huge_pages();
        Ok(array)
    }

    /// Adds zeros in memory until there are `len` items. Pages are moved without a copy on Linux.
    ///
    /// # Errors
    /// If the system does not provide the memory. The array is as before.
    pub(crate) fn grow(&mut self, len: u64, what: &'static str) -> Result<(), OutOfMemory> {
        #[cfg(target_os = "linux")]
        if self.scratch.is_none() {
            let bytes = len.saturating_mul(size_of::<T>() as u64);
            let failed = || OutOfMemory { what, bytes };
            let length = usize::try_from(bytes).map_err(|_| failed())?;
            let options = memmap2::RemapOptions::new().may_move(true);
            // SAFETY: the map is not of a file, whose end could be exceeded, and nobody else has a
            // reference into it, since `self` is borrowed mutably.
            #[allow(unsafe_code)]
            unsafe { self.map.remap(length.max(self.map.len()), options) }.map_err(|_| failed())?;
            self.len = self.len.max(len as usize);
            self.on_huge_pages();
            return Ok(());
        }
        let mut longer = Array::zeroed(len.max(self.len as u64), what)?;
        longer[..self.len].copy_from_slice(self);
        *self = longer;
        Ok(())
    }

    /// Asks for huge pages, if the array is large. The system may decline.
    #[cfg(target_os = "linux")]
    fn on_huge_pages(&self) {
        if self.map.len() as u64 >= HUGE_PAGES_FROM {
            let _ = self.map.advise(memmap2::Advice::HugePage);
        }
    }

    /// An array of `len` zeros, in a scratch file if there is a folder for them.
    ///
    /// # Errors
    /// If the system does not provide the memory, or the disk has no room.
    pub(crate) fn zeroed_in(
        len: u64,
        what: &'static str,
        scratch: Option<&Arc<Scratch>>,
    ) -> Result<Array<T>, NoRoom> {
        let Some(scratch) = scratch else { return Ok(Array::zeroed(len, what)?) };
        let bytes = len.saturating_mul(size_of::<T>() as u64);
        let map = scratch.map(bytes).map_err(NoRoom::OnDisk)?;
        Ok(Array { map, len: len as usize, items: PhantomData, scratch: Some(scratch.clone()) })
    }

    /// An array of `len` zeros in a scratch file that grows. Nothing may be written before the file
    /// reaches it.
    ///
    /// # Errors
    /// If the file can't be made.
    pub(crate) fn growing_in(
        len: u64,
        scratch: &Arc<Scratch>,
    ) -> Result<(Array<T>, Growth), NoRoom> {
        let bytes = len.saturating_mul(size_of::<T>() as u64);
        let (map, growth) = scratch.map_growing(bytes).map_err(NoRoom::OnDisk)?;
        let scratch = Some(scratch.clone());
        Ok((Array { map, len: len as usize, items: PhantomData, scratch }, growth))
    }
}

impl<T> Array<T> {
    /// The folder of the scratch file in which the array is, if it is in one.
    pub(crate) fn scratch(&self) -> Option<&Arc<Scratch>> {
        self.scratch.as_ref()
    }
}

impl<T> Drop for Array<T> {
    fn drop(&mut self) {
        if let Some(scratch) = &self.scratch {
            scratch.forget(&self.map);
        }
    }
}

impl<T: Pod> Deref for Array<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(&self.map[..self.len * size_of::<T>()])
    }
}

impl<T: Pod> DerefMut for Array<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.map[..self.len * size_of::<T>()])
    }
}

/// The memory that the system has to spare, in bytes, if the system reports it.
pub(crate) fn available() -> Option<u64> {
    let lines = std::fs::read_to_string("/proc/meminfo").ok()?;
    let available = lines.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = available.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes.saturating_mul(1024))
}

/// Prefetches `items[at]` into the processor's caches. Does nothing if `at` is out of bounds, or on
/// processors other than x86-64.
#[inline(always)]
pub(crate) fn prefetch<T>(items: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing that the program sees, and an address that is not mapped
        // makes it do nothing; the wrapping operations may compute any address. SSE, where the
        // instruction comes from, is part of x86-64.
        #[allow(unsafe_code)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(items.as_ptr().wrapping_add(at).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, at);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_zeroed_and_have_their_length() {
        for len in [0, 1, 5, HUGE_PAGES_FROM / 2 + 1] {
            let mut array: Array<u32> = Array::zeroed(len, "a test").unwrap();
            assert_eq!(array.len() as u64, len);
            assert!(array.iter().all(|&item| item == 0));
            array.fill(7);
            assert!(array.iter().all(|&item| item == 7));
            for at in [0, array.len(), usize::MAX / 8] {
                prefetch(&array, at);
            }
        }
    }

    #[test]
    fn an_array_that_grows_keeps_its_items_and_adds_zeros() {
        let mut array: Array<u32> = Array::zeroed(0, "a test").unwrap();
        for len in [1, 3, 5000, HUGE_PAGES_FROM as usize, HUGE_PAGES_FROM as usize + 1, 7] {
            let before = array.len();
            array.grow(len as u64, "a test").unwrap();
            assert_eq!(array.len(), len.max(before));
            assert!(array[..before].iter().all(|&item| item == 7));
            assert!(array[before..].iter().all(|&item| item == 0));
            array.fill(7);
        }
        assert!(array.grow(u64::MAX / 4, "a test").is_err());
        assert!(array.len() > 5000 && array.iter().all(|&item| item == 7));
    }

    #[test]
    fn what_the_system_does_not_have_is_an_error() {
        let failed = Array::<u64>::zeroed(u64::MAX / 4, "a test").map(|_| ());
        assert_eq!(failed, Err(OutOfMemory { what: "a test", bytes: u64::MAX }));
    }
}
