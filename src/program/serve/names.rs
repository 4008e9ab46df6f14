//! What tables are called in addresses.

use std::path::Path;

/// The name of the table at a path: the name of the file or folder, without its ending.
pub(crate) fn table_name(path: &Path) -> Option<String> {
    // `.` and `rook/..` have no name.
    let path = path.canonicalize().ok()?;
    Some(path.file_stem()?.to_string_lossy().into_owned())
}
