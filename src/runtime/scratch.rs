//! Arrays in scratch files, where memory is too small for them.
//!
//! A scratch file has no name, so it is gone when the process ends, however that happens. The file of an
//! array is mapped: the system reads its pages when they are needed, and writes those that were changed. Pages that the
//! process has mapped count as its memory. Whoever is done with a stretch of an array lets it go. After
//! each stretch of work, after some updates at random places, and in a thread of its own, it is counted how
//! many pages are left, and all go when they exceed the room. Their contents stay in the file, and in the
//! system's cache as long as nobody else needs that memory.

use std::fs::File;
use std::io;
use std::ops::Range;
#[cfg(target_os = "linux")]
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use memmap2::MmapMut;
#[cfg(target_os = "linux")]
use rustix::mm::Advice;

use crate::runtime::lock::lock;

/// How much place on the disk a file that [grows](Growth) takes at once, in bytes.
const PIECE: u64 = 64 << 20;

/// How often the mapped pages are counted, however long a stretch of work takes.
const WATCH_EVERY: Duration = Duration::from_millis(2);

/// A folder for scratch files, and the memory that their mapped pages may take.
#[derive(Debug)]
pub(crate) struct Scratch {
    folder: PathBuf,
    maps: Arc<Maps>,
    /// The thread that watches, and what ends it when it is dropped. There is none before the first
    /// file.
    watch: Mutex<Option<(Sender<()>, JoinHandle<()>)>>,
}

/// The mapped files, and the room for their pages.
#[derive(Debug)]
struct Maps {
    /// The addresses and lengths.
    files: Mutex<Vec<(usize, usize)>>,
    /// The bytes that their pages may take in memory.
    room: AtomicU64,
    /// The bytes of mapped files in memory before the first of these.
    before: AtomicU64,
    /// Where the system says what the process has in memory.
    counts: OnceLock<Option<File>>,
}

/// How a file takes its place on the disk: piece by piece, as far as it is filled.
#[derive(Debug)]
pub(crate) struct Growth {
    file: File,
    placed: u64,
    length: u64,
}

/// The reason why a scratch file can't be made or used.
#[derive(Debug)]
pub(crate) struct ScratchError {
    /// The folder of the file.
    pub(crate) folder: PathBuf,
    /// How long the file had to be, in bytes.
    pub(crate) bytes: u64,
    pub(crate) error: io::Error,
}

impl Scratch {
    /// A folder whose files may have `room` bytes in memory.
    pub(crate) fn in_folder(folder: &Path, room: u64) -> Arc<Scratch> {
        let [room, before] = [room, 0].map(AtomicU64::new);
        let (files, counts) = (Mutex::default(), OnceLock::new());
        let maps = Arc::new(Maps { files, room, before, counts });
        Arc::new(Scratch { folder: folder.to_owned(), maps, watch: Mutex::default() })
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// How many bytes of the files may be in memory.
    pub(crate) fn room(&self) -> u64 {
        self.maps.room.load(Ordering::Relaxed)
    }

    /// Changes how many bytes of the files may be in memory.
    pub(crate) fn set_room(&self, room: u64) {
        self.maps.room.store(room, Ordering::Relaxed);
    }

    /// Lets all pages go from the memory of the process if they take more than the room.
    pub(crate) fn relieve(&self) {
        self.maps.relieve();
    }

    /// Begins to watch, unless somebody does.
    fn watch(&self) {
        let mut watch = lock(&self.watch);
        if watch.is_some() {
            return;
        }
        self.maps.before.store(self.maps.resident().unwrap_or_default(), Ordering::Relaxed);
        let (stop, stopped) = mpsc::channel();
        let watched = Arc::clone(&self.maps);
        let work = move || {
            while stopped.recv_timeout(WATCH_EVERY) == Err(RecvTimeoutError::Timeout) {
                watched.relieve();
            }
        };
        let thread = thread::Builder::new().name("scratch".into()).spawn(work);
        *watch = thread.ok().map(|thread| (stop, thread));
    }

    /// Lets the pages of a stretch of an array go from the memory of the process, if the array is in a
    /// file. The stretch keeps its contents.
    pub(crate) fn let_go<T>(&self, stretch: &[T]) {
        let start = stretch.as_ptr().addr();
        self.maps.release(start..start + size_of_val(stretch));
    }

    /// Reads a stretch of an array at once, if the array is in a file: page by page it would take far
    /// longer where the system's cache has lost it.
    pub(crate) fn fetch<T>(&self, stretch: &[T]) {
        self.maps.fetch(stretch, false);
    }

    /// As [`fetch`](Scratch::fetch), where most pages are going to be changed: maps all of them at once.
    pub(crate) fn fetch_to_change<T>(&self, stretch: &mut [T]) {
        self.maps.fetch(stretch, true);
    }

    /// A new file of `bytes` zeros, mapped. The disk has room for all of it.
    pub(super) fn map(&self, bytes: u64) -> Result<MmapMut, ScratchError> {
        let (map, mut growth) = self.map_growing(bytes)?;
        growth.place(growth.length).map_err(|error| self.failed(bytes, error))?;
        Ok(map)
    }

    /// A new file of `bytes` zeros, mapped. No byte may be written before [`Growth::reaches`] it.
    pub(super) fn map_growing(&self, bytes: u64) -> Result<(MmapMut, Growth), ScratchError> {
        let length = usize::try_from(bytes.max(1));
        let length = length.map_err(|_| self.failed(bytes, io::ErrorKind::FileTooLarge.into()))?;
        self.watch();
        let made = map_new_file(&self.folder, length).map_err(|error| self.failed(bytes, error))?;
        lock(&self.maps.files).push((made.0.as_ptr().addr(), length));
        Ok(made)
    }

    fn failed(&self, bytes: u64, error: io::Error) -> ScratchError {
        ScratchError::new(&self.folder, bytes, error)
    }

    /// The free space of the disk in bytes, where the system says.
    pub(crate) fn free_space(&self) -> Option<u64> {
        free_space(&self.folder)
    }

    /// Forgets a file that [`map`](Scratch::map) returned. To be called before it is unmapped.
    pub(super) fn forget(&self, map: &MmapMut) {
        lock(&self.maps.files).retain(|&(address, _)| address != map.as_ptr().addr());
    }
}

impl ScratchError {
    pub(super) fn new(folder: &Path, bytes: u64, error: io::Error) -> ScratchError {
        ScratchError { folder: folder.into(), bytes, error }
    }

    /// Whether the disk has no room, or a file can't be as long.
    pub(crate) fn is_of_room(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        matches!(self.error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
    }
}

impl Growth {
    /// Takes place on the disk for the bytes before `end`, and for some more. Returns whether there is
    /// room for them.
    pub(crate) fn reaches(&mut self, end: u64) -> bool {
        let more = self.length.min(end.max(self.placed.saturating_add(PIECE)));
        end <= self.placed || self.place(more).is_ok() || self.place(end).is_ok()
    }

    /// Gives back what the file has taken of the disk behind the first `used` bytes.
    pub(crate) fn finish(self, used: u64) {
        #[cfg(target_os = "linux")]
        if self.placed > used {
            use rustix::fs::{FallocateFlags, fallocate};
            // A failure only leaves more of the disk taken.
            let behind = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
            let _ = fallocate(&self.file, behind, used, self.placed - used);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = used;
    }

    /// Takes place on the disk for the bytes before `end`. A page without such a place would end the
    /// process when it is written.
    fn place(&mut self, end: u64) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{FallocateFlags, fallocate, fstatvfs};
            // Some systems fill the disk before they find out that there is too little room.
            let disk = fstatvfs(&self.file)?;
            if disk.f_bavail.saturating_mul(disk.f_frsize) < end - self.placed {
                return Err(io::ErrorKind::StorageFull.into());
            }
            fallocate(&self.file, FallocateFlags::empty(), self.placed, end - self.placed)?;
        }
        self.placed = end;
        Ok(())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some((stop, thread)) = lock(&self.watch).take() {
            drop(stop);
            let _ = thread.join();
        }
    }
}

impl Maps {
    /// Lets all pages go from the memory of the process if they take more than the room.
    fn relieve(&self) {
        if lock(&self.files).is_empty() {
            return;
        }
        let most = self.before.load(Ordering::Relaxed);
        let most = most.saturating_add(self.room.load(Ordering::Relaxed));
        if self.resident().is_some_and(|now| now > most) {
            self.release(0..usize::MAX);
        }
    }

    /// The bytes of mapped files in the memory of the process, where the system says.
    fn resident(&self) -> Option<u64> {
        #[cfg(target_os = "linux")]
        {
            // Kept open, since threads ask after every few updates.
            let counts = self.counts.get_or_init(|| File::open("/proc/self/statm").ok());
            let mut text = [0; 128];
            let read = counts.as_ref()?.read_at(&mut text, 0).ok()?;
            let text = str::from_utf8(&text[..read]).ok()?;
            let shared: u64 = text.split(' ').nth(2)?.parse().ok()?;
            Some(shared.saturating_mul(page() as u64))
        }
        #[cfg(not(target_os = "linux"))]
        None
    }

    /// Lets the whole pages of files among these addresses go from the memory of the process.
    #[allow(unsafe_code)]
    fn release(&self, addresses: Range<usize>) {
        // No map is removed while its pages are let go.
        let files = lock(&self.files);
        #[cfg(target_os = "linux")]
        for pages in pages_of(&files, addresses) {
            // SAFETY: the pages are those of a listed file, and the list is locked.
            unsafe { advise(pages, Advice::LinuxDontNeed) };
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (files, addresses);
    }

    /// Reads the whole pages of files in a stretch of an array. If they are all to be changed, maps them as well.
    #[allow(unsafe_code)]
    fn fetch<T>(&self, stretch: &[T], are_changed: bool) {
        #[cfg(target_os = "linux")]
        {
            let start = stretch.as_ptr().addr();
            let addresses = start..start + size_of_val(stretch);
            // The stretch is borrowed, so its map stays. Others may let pages go meanwhile.
            let pages: Vec<_> = pages_of(&lock(&self.files), addresses).collect();
            for pages in pages {
                // SAFETY: the pages are those of a listed file, of which a part is borrowed.
                unsafe {
                    advise(pages.clone(), Advice::WillNeed);
                    if are_changed {
                        advise(pages, Advice::LinuxPopulateWrite);
                    }
                }
            }
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (stretch, are_changed);
    }
}

/// The whole pages of some files among these addresses.
#[cfg(target_os = "linux")]
fn pages_of(
    files: &[(usize, usize)],
    addresses: Range<usize>,
) -> impl Iterator<Item = Range<usize>> {
    files.iter().filter_map(move |&(address, length)| {
        let start = addresses.start.max(address).next_multiple_of(page());
        let end = addresses.end.min(address + length);
        let length = end.saturating_sub(start) / page() * page();
        (length > 0).then(|| start..start + length)
    })
}

/// Tells the system what is done with pages of a mapped file. An advice that it does not know has no effect.
///
/// # Safety
/// The pages have to lie in a shared mapping of a file, which is not unmapped meanwhile.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
unsafe fn advise(pages: Range<usize>, advice: Advice) {
    let start = std::ptr::without_provenance_mut(pages.start);
    // SAFETY: pages of such a mapping that are let go keep their contents in the file, and come back from
    // there when they are used. To read or to map them changes no contents. So no memory that Rust knows
    // changes.
    let _ = unsafe { rustix::mm::madvise(start, pages.len(), advice) };
}

/// Makes and maps a file without a name, whose place on the disk is still to be taken.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn map_new_file(folder: &Path, length: usize) -> io::Result<(MmapMut, Growth)> {
    let file = new_file(folder)?;
    file.set_len(length as u64)?;
    // SAFETY: the file has no name, and its only handle does nothing but take place on the disk. So
    // nobody else changes it.
    let map = unsafe { MmapMut::map_mut(&file)? };
    // Else the system's cache keeps the file in large folios, and a touch of one byte maps a whole one, 820 KB
    // on the average. With this advice from the beginning, a read maps 64 KiB and a write 4.
    let _ = map.advise(memmap2::Advice::Random);
    Ok((map, Growth { file, placed: 0, length: length as u64 }))
}

/// A new file without a name.
pub(super) fn new_file(folder: &Path) -> io::Result<File> {
    match cfg!(target_os = "linux") {
        true => tempfile::tempfile_in(folder),
        false => unsupported(folder),
    }
}

#[cfg(not(target_os = "linux"))]
fn map_new_file(folder: &Path, _: usize) -> io::Result<(MmapMut, Growth)> {
    unsupported(folder)
}

/// What comes of scratch files elsewhere.
pub(super) fn unsupported<T>(_: &(impl ?Sized + std::fmt::Debug)) -> io::Result<T> {
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

/// The length of a page in bytes.
#[cfg(target_os = "linux")]
fn page() -> usize {
    rustix::param::page_size()
}

#[cfg(test)]
mod tests {
    #[cfg(target_os = "linux")]
    use std::os::unix::fs::MetadataExt as _;

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
        assert_eq!(lock(&scratch.maps.files).len(), 1);
        assert_eq!(other[..], [7]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "files have no names");
    }

    #[test]
    fn a_file_grows_as_far_as_the_disk_has_room() {
        let folder = tempfile::tempdir().unwrap();
        let scratch = Scratch::in_folder(folder.path(), 0);
        let length = 1 << 43;
        let (mut array, mut growth): (Array<u8>, _) = Array::growing_in(length, &scratch).unwrap();
        assert!(growth.reaches(5) && growth.placed == PIECE);
        assert!(growth.reaches(PIECE + 1) && growth.placed == 2 * PIECE);
        array[PIECE as usize] = 7;
        assert!(!growth.reaches(length), "no disk has that room");
        assert!(growth.reaches(PIECE) && growth.placed == 2 * PIECE);
        let (_, mut short): (Array<u8>, _) = Array::growing_in(100, &scratch).unwrap();
        assert!(short.reaches(100) && short.placed == 100);
        #[cfg(target_os = "linux")]
        {
            array[5] = 7;
            let file = growth.file.try_clone().unwrap();
            growth.finish(6);
            // A page of the file has something in it.
            assert!(array[5] == 7 && file.metadata().unwrap().blocks() * 512 < PIECE);
        }
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
