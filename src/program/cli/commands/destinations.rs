//! The places that commands write to. What can't be written there is refused before anything is
//! solved, and before a file of somebody else is replaced.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches};

use crate::error::TableError;
use crate::program::cli::arguments::switch;
use crate::program::cli::{CliError, output};
use crate::table::Destination;
use crate::table::unfinished::Unfinished;
use crate::table::write::TableWriter;

/// What is being done when a text can't be written.
const WRITE: &str = "write the file";

/// The name of the option `--force`.
const FORCE: &str = "force";

/// The option `--force`, which needs one of the options of this group.
pub(super) fn force_argument(tables: &'static str) -> Arg {
    switch(FORCE, "Replace a file even if it is not a table").display_order(801).requires(tables)
}

/// The option `--force` of a command that writes a text, which needs the option of this name.
pub(super) fn force_text_argument(output: &'static str, help: &'static str) -> Arg {
    switch(FORCE, help).requires(output)
}

/// Refuses `--force` where a folder is written.
pub(super) fn refuse_force(options: &ArgMatches) -> Result<(), CliError> {
    match options.get_flag(FORCE) {
        true => Err(CliError::usage(
            "--force replaces files, but this numbering writes a folder: name a new folder, or \
             delete files in this one",
        )),
        false => Ok(()),
    }
}

/// Begins a table in one file.
pub(super) fn file(path: &Path, options: &ArgMatches) -> Result<TableWriter, CliError> {
    check(path)?;
    let destination = Destination::at(path);
    let destination = if options.get_flag(FORCE) { destination.overwrite() } else { destination };
    destination.begin().map_err(|error| match error {
        TableError::NotReplaced | TableError::TierNotReplaced { .. } => {
            CliError::failed(format!("{}: {error}, or add --force", path.display()))
        }
        error => CliError::table(path)(error),
    })
}

/// Refuses a path that stands for standard output, or that the output of the program goes to.
pub(super) fn check(path: &Path) -> Result<(), CliError> {
    if path == OsStr::new("-") {
        return Err(CliError::usage(
            "tables and checkpoints can't be written to standard output, which - stands for: name \
             a file or folder (./- for one of that name)",
        ));
    }
    if is_standard_stream(path) {
        let path = path.display();
        return Err(CliError::usage(format!(
            "{path}: standard output or standard error goes there: name another file for the table"
        )));
    }
    Ok(())
}

/// The texts that commands write.
#[derive(Clone, Copy)]
pub(super) enum TextKind {
    Svg,
    Html,
}

impl TextKind {
    /// How every such text of this program begins.
    pub(super) const fn beginning(self) -> &'static str {
        match self {
            TextKind::Svg => "<svg",
            TextKind::Html => "<!doctype html>\n<!-- made by retrograde -->",
        }
    }

    const fn name(self) -> &'static str {
        match self {
            TextKind::Svg => "an SVG picture",
            TextKind::Html => "a page that this program wrote",
        }
    }
}

/// A text file that may be written: there is no file, an empty one, or an older text of the same
/// kind.
pub(super) struct TextFile {
    path: PathBuf,
    /// The file that is there.
    existing: Option<Metadata>,
}

/// A text that is written to disk. It replaces an older one once it gets its name.
pub(super) struct UnnamedText<'f> {
    file: &'f TextFile,
    written: Unfinished,
    bytes: usize,
}

impl TextFile {
    /// Makes sure that a text of this kind may be written to `path`.
    pub(super) fn at(
        path: &Path,
        kind: TextKind,
        options: &ArgMatches,
    ) -> Result<TextFile, CliError> {
        if path == OsStr::new("-") || is_standard_stream(path) {
            let path = path.display();
            return Err(CliError::usage(format!(
                "{path}: the output of the program goes there: name a file (./- for one called -)"
            )));
        }
        let failed = |problem: &dyn std::fmt::Display| {
            CliError::failed(format!("{}: {problem}", path.display()))
        };
        let existing = match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() => return Err(failed(&TableError::NotAFile)),
            Ok(metadata) => {
                let beginning = kind.beginning().as_bytes();
                let mut found = Vec::new();
                File::open(path)
                    .and_then(|file| file.take(beginning.len() as u64).read_to_end(&mut found))
                    .map_err(|error| failed(&format_args!("can't read the file: {error}")))?;
                if !found.is_empty() && found != beginning && !options.get_flag(FORCE) {
                    let name = kind.name();
                    return Err(failed(&format_args!(
                        "the file there is not {name}, and is not replaced: delete it, name \
                         another file, or add --force"
                    )));
                }
                Some(metadata)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                return Err(failed(&format_args!("can't find out what is there: {error}")));
            }
        };
        Ok(TextFile { path: path.to_owned(), existing })
    }

    /// Writes the text, but does not name it yet.
    pub(super) fn write(&self, text: &str) -> Result<UnnamedText<'_>, CliError> {
        let failed = CliError::table(&self.path);
        let mut written =
            Unfinished::create(&self.path, self.existing.as_ref()).map_err(&failed)?;
        written
            .write_all(text.as_bytes())
            .and_then(|()| written.sync())
            .map_err(|error| failed(TableError::io(WRITE)(error)))?;
        Ok(UnnamedText { file: self, written, bytes: text.len() })
    }

    /// The line that says how many bytes were written.
    pub(super) fn wrote(&self, bytes: usize) -> String {
        let bytes = output::number_of(bytes as u64, "byte");
        format!("wrote {}: {bytes}\n", self.path.display())
    }
}

impl<'f> UnnamedText<'f> {
    /// Gives the text its name. Returns its file, and its length in bytes.
    pub(super) fn name(self) -> Result<(&'f TextFile, usize), CliError> {
        let UnnamedText { file, written, bytes } = self;
        let failed = |error| CliError::table(&file.path)(TableError::io(WRITE)(error));
        written.name().map_err(failed)?;
        Ok((file, bytes))
    }
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
