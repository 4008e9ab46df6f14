//! The tables of a server, by name.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value as Json;
use twox_hash::XxHash3_64;

use crate::serve::answers::Answers;
use crate::serve::json;

/// Tables by their names.
#[derive(Default)]
pub(crate) struct Tables(BTreeMap<String, Served>);

/// A table and its identity.
struct Served {
    answers: Box<dyn Answers>,
    identity: String,
}

/// The identity of a table: the same on each server of this version that has the table. It is made
/// from the figures in the headers of the files, which depend on all values.
fn identity(answers: &dyn Answers) -> String {
    let said = [
        env!("CARGO_PKG_VERSION").to_owned(),
        json::table("", "", answers.facts()).to_string(),
        json::stats(answers.facts()).to_string(),
    ];
    format!("{:016x}", XxHash3_64::oneshot(said.join("\n").as_bytes()))
}

impl Tables {
    /// Adds a table.
    ///
    /// # Errors
    /// When there is already one of this name, or when the name can't be part of an address.
    pub(crate) fn add(&mut self, name: &str, answers: Box<dyn Answers>) -> Result<(), String> {
        if matches!(name, "." | "..") {
            return Err(format!(
                "a table would be called \"{name}\", which stands for a folder in addresses: rename \
                 its file"
            ));
        }
        if self.0.contains_key(name) {
            return Err(format!(
                "two tables would be called \"{name}\": the name is that of the file or folder \
                 without its ending; rename one of them"
            ));
        }
        let identity = identity(&*answers);
        self.0.insert(name.to_owned(), Served { answers, identity });
        Ok(())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&dyn Answers> {
        self.0.get(name).map(|served| &*served.answers)
    }

    /// The identity of the table with this name.
    pub(crate) fn identity(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|served| &*served.identity)
    }

    /// All tables in JSON.
    pub(crate) fn json(&self) -> Vec<Json> {
        let table = |(name, Served { answers, identity }): (&String, &Served)| {
            json::table(name, identity, answers.facts())
        };
        self.0.iter().map(table).collect()
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).collect()
    }
}

/// The name of the table at a path: the name of the file or folder, without its ending.
pub(crate) fn table_name(path: &Path) -> Option<String> {
    // `.` and `rook/..` have no name.
    let path = path.canonicalize().ok()?;
    let name = if path.is_dir() { path.file_name() } else { path.file_stem() };
    Some(name?.to_string_lossy().into_owned())
}
