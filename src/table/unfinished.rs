//! Temporary files for tables that are being written, beside the place where they are going to be.
//!
//! Each is locked while it is written. Without a lock it was left behind by a killed program, and the next
//! program that writes the same table removes it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Permissions};
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

const SUFFIX: &str = ".tmp";

/// How many bytes of a file's name its temporary names have at most.
const LONGEST: usize = 100;

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
        // Where the system has no locks, nobody takes the file for an abandoned one either.
        let locked = file.as_file().lock().is_ok();
        // Another program may have removed the file before it was locked.
        if !locked || file.path().exists() {
            return Ok(file);
        }
    }
}

/// Removes the temporary files for this name that nobody writes any more.
fn remove_abandoned(folder: &Path, name: &OsStr) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !is_unfinished(name, &entry.file_name()) {
            continue;
        }
        // A file that can't be opened, locked or removed stays, which harms nobody.
        if let Ok(file) = File::options().write(true).open(entry.path())
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

/// How the temporary names for a file begin: with the file's name, of which a long one is cut, since
/// the temporary one has to be within the system's limit too. Files with the same beginning share
/// it, which does no harm: what another program writes is locked.
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

/// The permissions of a usual new file, before the system's mask: a table is no secret, as temporary
/// files are by default.
fn usual_permissions() -> Option<Permissions> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    None
}
