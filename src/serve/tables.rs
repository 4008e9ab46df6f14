//! The tables that a server has, by name.

use std::collections::BTreeMap;
use std::path::Path;

use crate::serve::answers::Answers;

/// Tables by their names.
#[derive(Default)]
pub(crate) struct Tables(BTreeMap<String, Box<dyn Answers>>);

impl Tables {
    /// Adds a table.
    ///
    /// # Errors
    /// When there is one of that name.
    pub(crate) fn add(&mut self, name: &str, answers: Box<dyn Answers>) -> Result<(), String> {
        if self.0.contains_key(name) {
            return Err(format!(
                "two tables would be called \"{name}\": the name is that of the file or folder \
                 without its ending; rename one of them"
            ));
        }
        self.0.insert(name.to_owned(), answers);
        Ok(())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&dyn Answers> {
        self.0.get(name).map(|answers| &**answers)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &dyn Answers)> {
        self.0.iter().map(|(name, answers)| (name.as_str(), &**answers))
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).collect()
    }
}

/// The name of the table at a path: that of the file or folder, without its ending.
pub(crate) fn table_name(path: &Path) -> Option<String> {
    // `.` and `rook/..` have no name of their own.
    let path = path.canonicalize().ok()?;
    let name = if path.is_dir() { path.file_name() } else { path.file_stem() };
    Some(name?.to_string_lossy().into_owned())
}
