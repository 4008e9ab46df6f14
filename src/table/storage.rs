//! Storage of a table's bytes: a file, or memory.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Where the files of tables are found by their paths.
#[derive(Debug)]
pub(crate) struct FileSystem<S> {
    /// Opens a regular file for reading; `None` if the path is anything else.
    pub(crate) open: fn(&Path) -> io::Result<Option<S>>,
    /// Whether there is a file.
    pub(crate) has: fn(&Path) -> bool,
}

impl<S> Clone for FileSystem<S> {
    fn clone(&self) -> FileSystem<S> {
        *self
    }
}

impl<S> Copy for FileSystem<S> {}

/// The files of the system.
pub(crate) const DISK: FileSystem<File> = FileSystem { open: open_file, has: |path| path.exists() };

/// Opens a regular file for reading; `None` if the path is anything else. Opening a pipe would wait
/// for a process that writes to it.
pub(crate) fn open_file(path: &Path) -> io::Result<Option<File>> {
    match fs::metadata(path)?.is_file() {
        true => File::open(path).map(Some),
        false => Ok(None),
    }
}

/// Bytes that can be read at an offset: a file, or a table held in memory.
///
/// ```
/// # use kit::games::Nim;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("nim.rtb");
/// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
/// use std::fs::File;
/// use std::io;
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// use retrograde::Table;
/// use retrograde::table::Storage;
///
/// /// A file, and a count of the bytes that were read.
/// struct Counted<'c>(File, &'c AtomicU64);
///
/// impl Storage for Counted<'_> {
///     fn length(&self) -> io::Result<u64> {
///         self.0.length()
///     }
///
///     fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
///         self.1.fetch_add(buffer.len() as u64, Ordering::Relaxed);
///         self.0.read_at(offset, buffer)
///     }
/// }
///
/// let read = AtomicU64::new(0);
/// let table = Table::from_storage(Counted(File::open(&path)?, &read))?;
/// assert!(read.load(Ordering::Relaxed) < table.size_on_disk()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Storage: Send + Sync {
    /// The number of bytes.
    ///
    /// # Errors
    /// The error of the system.
    fn length(&self) -> io::Result<u64>;

    /// Fills `buffer` with the bytes that begin at `offset`.
    ///
    /// # Errors
    /// The error of the system; [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) if there are not
    /// enough bytes.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;

    /// All bytes, if they are in memory. Uncompressed values are then read in place.
    fn as_slice(&self) -> Option<&[u8]> {
        None
    }
}

impl Storage for File {
    fn length(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    #[cfg(unix)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
        while !buffer.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(self, buffer, offset)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => {
                    offset += read as u64;
                    buffer = &mut buffer[read..];
                }
            }
        }
        Ok(())
    }

    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, _: u64, _: &mut [u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// The bytes of a table in memory: owned, borrowed or mapped.
///
/// Each part is checked once and then trusted. If another program changes a mapped file after that,
/// answers can be wrong. If it truncates the file, this program ends (`SIGBUS` on Unix), as with
/// any mapping. [`Table::open`](crate::Table::open) survives both, with errors.
///
/// ```
/// # use kit::games::Nim;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("nim.rtb");
/// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
/// use retrograde::Table;
/// use retrograde::table::{InMemory, Storage};
///
/// let storage = InMemory(std::fs::read(&path)?);
/// assert_eq!(storage.length()?, std::fs::metadata(&path)?.len());
/// let table = Table::from_storage(storage)?;
/// assert_eq!(table.game_name(), "nim");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct InMemory<D>(pub D);

impl<D: AsRef<[u8]> + Send + Sync> Storage for InMemory<D> {
    fn length(&self) -> io::Result<u64> {
        Ok(self.0.as_ref().len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let bytes = usize::try_from(offset)
            .ok()
            .and_then(|start| self.0.as_ref().get(start..start.checked_add(buffer.len())?))
            .ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(bytes);
        Ok(())
    }

    #[inline]
    fn as_slice(&self) -> Option<&[u8]> {
        Some(self.0.as_ref())
    }
}
