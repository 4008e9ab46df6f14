//! Checks of what is already at the path of a new table.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use crate::error::TableError;
use crate::table::frame::{MARK_BYTES, has_mark};

/// The step that an error message names.
const LOOK: &str = "look at the destination";

/// The regular file at a path or behind a link; `None` if there is nothing.
pub(crate) fn file_at(path: &Path) -> Result<Option<Metadata>, TableError> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(Some(metadata)),
        Ok(_) => Err(TableError::NotAFile),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(TableError::io(LOOK)(error)),
        Err(_) if fs::symlink_metadata(path).is_ok() => Err(TableError::DanglingLink),
        Err(_) => Ok(None),
    }
}

/// Refuses a file that is neither a table nor empty.
pub(crate) fn check_is_table(path: &Path, metadata: &Metadata) -> Result<(), TableError> {
    if metadata.len() == 0 {
        return Ok(());
    }
    let failed = TableError::io("read the file that is there");
    let mut beginning = Vec::new();
    let file = File::open(path).map_err(&failed)?;
    file.take(MARK_BYTES as u64).read_to_end(&mut beginning).map_err(&failed)?;
    if has_mark(&beginning) { Ok(()) } else { Err(TableError::NotReplaced) }
}
