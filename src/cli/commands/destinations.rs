//! The places that `solve` writes to: what is refused before anything is solved.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches};

use crate::cli::CliError;
use crate::error::TableError;
use crate::table::Destination;

/// The name of the option `--force`.
const FORCE: &str = "force";

/// The option `--force`, which needs one of the options of this group.
pub(super) fn force_argument(tables: &'static str) -> Arg {
    Arg::new(FORCE)
        .long(FORCE)
        .display_order(801)
        .help("Replace a file even if it is not a table")
        .requires(tables)
        .action(ArgAction::SetTrue)
}

/// Refuses `--force` where a folder is written.
pub(super) fn refuse_force(options: &ArgMatches) -> Result<(), CliError> {
    match options.get_flag(FORCE) {
        true => Err(CliError::usage(
            "--force replaces files, and this numbering writes a folder: name a new folder, or remove \
             files of this one",
        )),
        false => Ok(()),
    }
}

/// Makes the destination of a table in one file.
pub(super) fn file(path: &Path, options: &ArgMatches) -> Result<Destination, CliError> {
    check(path)?;
    let destination = match options.get_flag(FORCE) {
        true => Destination::overwrite(path),
        false => Destination::create(path),
    };
    destination.map_err(|error| match error {
        TableError::NotReplaced => {
            CliError::failed(format!("{}: {error}, or add --force", path.display()))
        }
        error => CliError::table(path)(error),
    })
}

/// Refuses a path that stands for standard output, or where its text is written.
pub(super) fn check(path: &Path) -> Result<(), CliError> {
    if path == OsStr::new("-") {
        return Err(CliError::usage(
            "tables and checkpoints can't be written to standard output, which - stands for: name a \
             file or folder (./- for one of that name)",
        ));
    }
    if is_standard_stream(path) {
        let path = path.display();
        return Err(CliError::usage(format!(
            "{path}: standard output or standard error is written there, and can't have a table too: \
             name another file"
        )));
    }
    Ok(())
}

/// Whether two paths name one file or folder, which need not be there yet.
pub(super) fn are_same(one: &Path, other: &Path) -> bool {
    place(one) == place(other)
}

/// The path without links, as far as it exists.
fn place(path: &Path) -> PathBuf {
    let behind_folder = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
        Some(folder.join(path.file_name()?))
    };
    fs::canonicalize(path).ok().or_else(behind_folder).unwrap_or_else(|| path.to_owned())
}

/// Whether a path leads to the file, device or pipe that standard output or standard error is.
#[cfg(unix)]
fn is_standard_stream(path: &Path) -> bool {
    use std::io;
    use std::os::fd::{AsFd, BorrowedFd};
    use std::os::unix::fs::MetadataExt;

    let place = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let Ok(wanted) = fs::metadata(path).map(place) else { return false };
    let is_wanted = |stream: BorrowedFd<'_>| {
        let file = stream.try_clone_to_owned().map(fs::File::from);
        file.and_then(|file| file.metadata()).is_ok_and(|metadata| place(metadata) == wanted)
    };
    is_wanted(io::stdout().as_fd()) || is_wanted(io::stderr().as_fd())
}

#[cfg(not(unix))]
fn is_standard_stream(_: &Path) -> bool {
    false
}
