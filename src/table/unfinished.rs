//! Files that appear whole or not at all. An incomplete file is a temporary file in the folder of
//! its destination.
//!
//! Each temporary file is locked while it is written. One without a lock was left behind by a
//! killed program; the next program that writes the same file removes it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::TableError;

const SUFFIX: &str = ".tmp";

/// The most bytes of a file's name that its temporary names contain.
const LONGEST: usize = 100;

/// A file that is being written. Dropped before it gets its name, it is removed.
#[derive(Debug)]
pub(crate) struct Unfinished {
    path: PathBuf,
    file: NamedTempFile,
    /// The permissions of the file that is going to be replaced, if there is one.
    permissions: Option<Permissions>,
}

impl Unfinished {
    /// Begins the file at `path`, which is going to replace the file with the metadata `existing`.
    /// If the path is a symbolic link, the target of the link is replaced.
    ///
    /// # Errors
    /// When `path` does not name a file, or no file can be created in its folder.
    pub(crate) fn create(
        path: &Path,
        existing: Option<&Metadata>,
    ) -> Result<Unfinished, TableError> {
        let path = match existing {
            Some(_) => fs::canonicalize(path).map_err(TableError::io("follow the path"))?,
            None => path.to_owned(),
        };
        // A path that ends in a separator names a folder; `file_name` ignores the separator.
        let written = path.as_os_str().as_encoded_bytes();
        let name = path
            .file_name()
            .filter(|name| written.ends_with(name.as_encoded_bytes()))
            .ok_or(TableError::NotAFile)?;
        let folder = folder_of(&path);
        fs::metadata(folder).map_err(TableError::io("find the destination's folder"))?;
        let file = create(folder, name)
            .map_err(TableError::io("create a file in the destination's folder"))?;
        Ok(Unfinished { file, permissions: existing.map(Metadata::permissions), path })
    }

    /// The path of the complete file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of the complete file.
    pub(crate) fn folder(&self) -> &Path {
        folder_of(&self.path)
    }

    /// Syncs the contents to disk, so that only the name is missing.
    pub(crate) fn sync(&self) -> io::Result<()> {
        if let Some(permissions) = &self.permissions {
            // A file is kept even if the system can't set permissions.
            let _ = self.file.as_file().set_permissions(permissions.clone());
        }
        self.file.as_file().sync_all()
    }

    /// Gives the file its name.
    pub(crate) fn name(self) -> io::Result<()> {
        let Unfinished { path, file, .. } = self;
        persist_on_disk(file, &path)
    }
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Unfinished {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Creates a temporary file in a folder, which is renamed to `name` once it is complete.
pub(crate) fn create(folder: &Path, name: &OsStr) -> io::Result<NamedTempFile> {
    remove_abandoned(folder, name);
    let prefix = prefix(name);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(SUFFIX);
    if let Some(permissions) = usual_permissions() {
        builder.permissions(permissions);
    }
    loop {
        let file = builder.tempfile_in(folder)?;
        // On a system without locks, no program takes the file for an abandoned one.
        let locked = file.as_file().lock().is_ok();
        // Another program may have removed the file before it was locked.
        if !locked || file.path().exists() {
            return Ok(file);
        }
    }
}

/// Renames a temporary file, whose contents are on disk, to `path`, in place of the file that is there.
pub(crate) fn persist_on_disk(file: NamedTempFile, path: &Path) -> io::Result<()> {
    persist(file, path)?;
    if cfg!(unix) {
        // The new name is on disk once its folder is synced. If a folder can't be synced, the
        // file still exists.
        let _ = File::open(folder_of(path)).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

/// Renames a temporary file to `path`, in place of the file that is there.
pub(crate) fn persist(file: NamedTempFile, path: &Path) -> io::Result<()> {
    #[cfg(not(windows))]
    file.persist(path).map_err(|error| error.error)?;
    // On Windows, `NamedTempFile::persist` fails where another program reads the file that is there.
    #[cfg(windows)]
    {
        let (_file, temporary) = file.keep().map_err(|error| error.error)?;
        fs::rename(&temporary, path).inspect_err(|_| drop(fs::remove_file(&temporary)))?;
    }
    Ok(())
}

/// Removes temporary files for this name that no program writes any more.
fn remove_abandoned(folder: &Path, name: &OsStr) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !is_unfinished(name, &entry.file_name()) {
            continue;
        }
        // A file that can't be opened, locked or removed stays, which is harmless. Opening a pipe
        // would wait for a process that reads it.
        if entry.file_type().is_ok_and(|kind| kind.is_file())
            && let Ok(file) = File::options().write(true).open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a file is a temporary file for this name.
pub(crate) fn is_unfinished(name: &OsStr, file: &OsStr) -> bool {
    let (file, prefix) = (file.as_encoded_bytes(), prefix(name));
    file.starts_with(prefix.as_encoded_bytes()) && file.ends_with(SUFFIX.as_bytes())
}

/// The name that a file is going to have which is written under this temporary name, or the name itself
/// if it is no temporary one. A long name is cut.
pub(crate) fn final_name(name: &OsStr) -> Option<&str> {
    let name = name.to_str()?;
    let temporary = name.strip_prefix('.').and_then(|name| name.strip_suffix(SUFFIX));
    Some(temporary.and_then(|name| name.rsplit_once('.')).map_or(name, |(name, _)| name))
}

/// The beginning of the temporary names for a file: the file's name. A long name is cut, since the
/// temporary name must be within the system's limit, too. Files with the same beginning share the
/// prefix. This is harmless, since files that another program writes are locked.
fn prefix(name: &OsStr) -> OsString {
    let mut prefix = OsString::from(".");
    match name.len() <= LONGEST {
        true => prefix.push(name),
        false => {
            let name = name.to_string_lossy();
            let end = (0..=LONGEST).rev().find(|&end| name.is_char_boundary(end));
            prefix.push(&name[..end.unwrap_or(0)]);
        }
    }
    prefix.push(".");
    prefix
}

/// The permissions of a usual new file, before the system's mask. Temporary files are private by
/// default; a table is not secret.
fn usual_permissions() -> Option<Permissions> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    None
}
