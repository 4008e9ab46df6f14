//! Locks that exclude other runs from a folder.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// A lock file. Dropping the lock removes the file.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
    path: PathBuf,
}

/// Why a lock could not be taken.
pub(crate) enum NoLock {
    /// Another run holds the lock.
    Taken,
    /// The file could not be created.
    Failed(io::Error),
}

impl Lock {
    /// Locks the file at `path`, and creates it if it is missing. On a system without locks, no run
    /// is excluded.
    pub(crate) fn take(path: PathBuf) -> Result<Lock, NoLock> {
        // Opening a pipe would wait for a process that reads it.
        if fs::metadata(&path).is_ok_and(|there| !there.is_file()) {
            return Err(NoLock::Failed(io::Error::other("it is not a regular file")));
        }
        let mut tries = 0;
        loop {
            let file = open(&path)?;
            if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
                return Err(NoLock::Taken);
            }
            tries += 1;
            // The previous owner of the lock may have removed the file since it was opened.
            if is_at(&file, &path) || tries == TRIES {
                return Ok(Lock { file, path });
            }
        }
    }
}

/// Opens the lock file, and creates it if it is not there.
#[cfg(not(windows))]
fn open(path: &Path) -> Result<File, NoLock> {
    let file = File::options().create(true).truncate(false).write(true).open(path);
    // A file of another user can be locked without write access.
    file.or_else(|error| File::open(path).map_err(|_| error)).map_err(NoLock::Failed)
}

/// Opens the lock file, and creates it if it is not there. Nobody else can open it until it is closed,
/// when the system removes it.
#[cfg(windows)]
fn open(path: &Path) -> Result<File, NoLock> {
    use std::os::windows::fs::OpenOptionsExt;

    const WRITE: u32 = 0x4000_0000;
    const DELETE: u32 = 0x0001_0000;
    const DELETE_ON_CLOSE: u32 = 0x0400_0000;
    const SHARING_VIOLATION: i32 = 32;

    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    options.access_mode(WRITE | DELETE).share_mode(0).custom_flags(DELETE_ON_CLOSE);
    let mut tries = 0;
    loop {
        tries += 1;
        match options.open(path) {
            Ok(file) => return Ok(file),
            Err(error) if error.raw_os_error() == Some(SHARING_VIOLATION) => {
                return Err(NoLock::Taken);
            }
            // A file that is just being removed can't be opened.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied && tries < TRIES => {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            Err(error) => return Err(NoLock::Failed(error)),
        }
    }
}

/// How often a missing lock file is created again. After that, the system is assumed to report
/// files wrongly.
const TRIES: u32 = 100;

impl Drop for Lock {
    fn drop(&mut self) {
        // The file is removed while it is still locked. A file that can't be removed excludes
        // nobody.
        // On Windows, the system removes it.
        if !cfg!(windows) && is_at(&self.file, &self.path) {
            let _ = fs::remove_file(&self.path);
        }
        let _ = self.file.unlock();
    }
}

/// Whether an open file is the one that is at `path`.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let place = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        match (file.metadata(), fs::metadata(path)) {
            (Ok(own), Ok(there)) => place(own) == place(there),
            _ => false,
        }
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn one_at_a_time_has_the_lock_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.lock");
        let (inside, taken) = (AtomicU32::new(0), AtomicU32::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..2_000 {
                        match Lock::take(path.clone()) {
                            Ok(_lock) => {
                                assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                                taken.fetch_add(1, Ordering::SeqCst);
                                inside.fetch_sub(1, Ordering::SeqCst);
                            }
                            Err(NoLock::Taken) => {}
                            Err(NoLock::Failed(error)) => panic!("{error}"),
                        }
                    }
                });
            }
        });
        assert!(taken.into_inner() > 0);
        assert!(!path.exists());
        let _lock = Lock::take(path.clone());
        assert!(matches!(Lock::take(path), Err(NoLock::Taken)));
    }
}
