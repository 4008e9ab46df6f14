//! Files that are being written, beside the place where they are going to be.
//!
//! Each is locked while it is written, so that those that a killed program left behind can be told
//! from others, and are removed by the next that writes the same file.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Permissions};
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

const SUFFIX: &str = ".tmp";

/// A new file beside the place that is named, to be renamed once it is complete.
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
        // Where the system knows no locks, the file is not taken for an abandoned one either.
        let locked = file.as_file().lock().is_ok();
        // Somebody may have taken it for one before it was locked.
        if !locked || file.path().exists() {
            return Ok(file);
        }
    }
}

/// Removes the files that were to become the one of this name and that nobody writes any more.
fn remove_abandoned(folder: &Path, name: &OsStr) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !is_unfinished(name, &entry.file_name()) {
            continue;
        }
        // What can't be opened, locked or removed stays, which harms nobody.
        if let Ok(file) = File::options().write(true).open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a file is one that was to become that of this name.
pub(crate) fn is_unfinished(name: &OsStr, file: &OsStr) -> bool {
    let (file, prefix) = (file.as_encoded_bytes(), prefix(name));
    file.starts_with(prefix.as_encoded_bytes()) && file.ends_with(SUFFIX.as_bytes())
}

fn prefix(name: &OsStr) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(name);
    prefix.push(".");
    prefix
}

/// What the system's mask leaves of "everybody may read and write": a table is no secret, which a
/// temporary file usually is.
fn usual_permissions() -> Option<Permissions> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    None
}
