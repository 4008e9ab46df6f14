//! Arrays in scratch files, where memory is too small for them.
//!
//! A scratch file has no name, so it is gone when the process ends, however that happens. It is mapped:
//! the system reads its pages when they are needed, and writes those that were changed. Pages that the
//! process has mapped count as its memory. Whoever is done with a stretch of an array lets it go. A
//! thread watches how many pages are left, and lets all go when they exceed the room. Their contents
//! stay in the file, and in the system's cache as long as nobody else needs that memory.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use memmap2::MmapMut;

/// How often the mapped pages are counted. In this time, a thread maps some megabytes at most.
const WATCH_EVERY: Duration = Duration::from_millis(2);

/// A folder for scratch files, and the memory that their mapped pages may take.
#[derive(Debug)]
pub(crate) struct Scratch {
    folder: PathBuf,
    room: u64,
    maps: Arc<Maps>,
    /// The thread that watches, and what ends it when it is dropped.
    watch: Option<(Sender<()>, JoinHandle<()>)>,
}

/// The addresses and lengths of the mapped files.
#[derive(Debug, Default)]
struct Maps(Mutex<Vec<(usize, usize)>>);

/// The reason why a scratch file can't be made.
#[derive(Debug)]
pub(crate) struct ScratchError {
    /// The folder of the file.
    pub(crate) folder: PathBuf,
    /// The length of the file, in bytes.
    pub(crate) bytes: u64,
    pub(crate) error: io::Error,
}

impl Scratch {
    /// A folder whose files may have `room` bytes in memory.
    pub(crate) fn in_folder(folder: &Path, room: u64) -> Arc<Scratch> {
        let maps = Arc::new(Maps::default());
        let (stop, stopped) = mpsc::channel();
        let watched = Arc::clone(&maps);
        let watch = move || {
            let before = resident().unwrap_or_default();
            while stopped.recv_timeout(WATCH_EVERY) == Err(RecvTimeoutError::Timeout) {
                if resident().is_some_and(|now| now.saturating_sub(before) > room) {
                    watched.release(0..usize::MAX);
                }
            }
        };
        let watch = thread::Builder::new().name("scratch".into()).spawn(watch);
        let watch = watch.ok().map(|thread| (stop, thread));
        Arc::new(Scratch { folder: folder.to_owned(), room, maps, watch })
    }

    /// How many bytes of the files may be in memory.
    pub(crate) fn room(&self) -> u64 {
        self.room
    }

    /// Lets the pages of a stretch of an array go from the memory of the process, if the array is in a
    /// file. The stretch keeps its contents.
    pub(crate) fn let_go<T>(&self, stretch: &[T]) {
        let start = stretch.as_ptr().addr();
        self.maps.release(start..start + size_of_val(stretch));
    }

    /// A new file of `bytes` zeros, mapped. The disk has room for all of it.
    pub(super) fn map(&self, bytes: u64) -> Result<MmapMut, ScratchError> {
        let failed = |error| ScratchError { folder: self.folder.clone(), bytes, error };
        let length = usize::try_from(bytes.max(1));
        let length = length.map_err(|_| failed(io::ErrorKind::FileTooLarge.into()))?;
        let map = map_new_file(&self.folder, length).map_err(failed)?;
        let mut maps = self.maps.0.lock().unwrap_or_else(PoisonError::into_inner);
        maps.push((map.as_ptr().addr(), length));
        Ok(map)
    }

    /// Forgets a file that [`map`](Scratch::map) returned. To be called before it is unmapped.
    pub(super) fn forget(&self, map: &MmapMut) {
        let mut maps = self.maps.0.lock().unwrap_or_else(PoisonError::into_inner);
        maps.retain(|&(address, _)| address != map.as_ptr().addr());
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.watch.take() {
            drop(stop);
            let _ = thread.join();
        }
    }
}

impl Maps {
    /// Lets the whole pages of files among these addresses go from the memory of the process.
    #[allow(unsafe_code)]
    fn release(&self, addresses: Range<usize>) {
        // No map is removed while its pages are let go.
        let maps = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for &(address, length) in maps.iter() {
            let start = addresses.start.max(address).next_multiple_of(page());
            let end = addresses.end.min(address + length);
            let length = end.saturating_sub(start) / page() * page();
            if length == 0 {
                continue;
            }
            #[cfg(target_os = "linux")]
            // SAFETY: the range lies in a shared mapping of a file: it is listed from when it was made
            // until before it is unmapped, and the list is locked. Pages of such a mapping that are
            // let go keep their contents in the file, and come back from there when they are used. So
            // no memory that Rust knows changes.
            let _ = unsafe {
                let start = std::ptr::without_provenance_mut(start);
                rustix::mm::madvise(start, length, rustix::mm::Advice::LinuxDontNeed)
            };
        }
    }
}

/// Makes and maps a file without a name, with its place on the disk taken.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn map_new_file(folder: &Path, length: usize) -> io::Result<MmapMut> {
    use rustix::fs::{FallocateFlags, fallocate};

    let file = tempfile::tempfile_in(folder)?;
    // A page without a place on the disk would end the process when it is written.
    fallocate(&file, FallocateFlags::empty(), 0, length as u64)?;
    // SAFETY: the file has no name, and its only handle ends here. So nobody else changes it.
    unsafe { MmapMut::map_mut(&file) }
}

#[cfg(not(target_os = "linux"))]
fn map_new_file(_: &Path, _: usize) -> io::Result<MmapMut> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "scratch files need Linux"))
}

/// The free space of the disk of a folder in bytes, where the system says.
pub(crate) fn free_space(folder: &Path) -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        let disk = rustix::fs::statvfs(folder).ok()?;
        Some(disk.f_bavail.saturating_mul(disk.f_frsize))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = folder;
        None
    }
}

/// The bytes of mapped files in the memory of the process, where the system says.
fn resident() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let shared: u64 = pages.split(' ').nth(2)?.parse().ok()?;
    Some(shared.saturating_mul(page() as u64))
}

/// The length of a page in bytes.
fn page() -> usize {
    #[cfg(target_os = "linux")]
    {
        rustix::param::page_size()
    }
    #[cfg(not(target_os = "linux"))]
    {
        4096
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::memory::Array;

    #[test]
    fn arrays_in_files_keep_what_is_written_while_pages_are_let_go() {
        let folder = tempfile::tempdir().unwrap();
        let scratch = Scratch::in_folder(folder.path(), 0);
        let mut array: Array<u64> = Array::zeroed_in(100_000, "a test", Some(&scratch)).unwrap();
        let mut other: Array<u8> = Array::zeroed_in(1, "a test", Some(&scratch)).unwrap();
        for round in 1..4 {
            for (at, item) in array.iter_mut().enumerate() {
                assert_eq!(*item, at as u64 * (round - 1));
                *item = at as u64 * round;
            }
            scratch.let_go(&array[(round as usize * 1_000)..]);
            scratch.maps.release(0..usize::MAX);
            other[0] = 7;
        }
        drop(array);
        assert_eq!(scratch.maps.0.lock().unwrap().len(), 1);
        assert_eq!(other[..], [7]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "files have no names");
    }

    #[test]
    fn a_folder_that_is_not_there_and_a_disk_that_is_too_small_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let missing = Scratch::in_folder(&folder.path().join("none"), 0).map(5).unwrap_err();
        assert_eq!((missing.bytes, missing.error.kind()), (5, io::ErrorKind::NotFound));
        let huge = Scratch::in_folder(folder.path(), 0).map(1 << 60).unwrap_err();
        assert_eq!(huge.bytes, 1 << 60);
        assert!(free_space(folder.path()).is_some_and(|free| free < 1 << 60));
    }
}
