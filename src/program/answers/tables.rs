//! Tables by their names, and what is asked about them.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};
use twox_hash::XxHash3_64;

use crate::program::answers::facts::Answers;
use crate::program::answers::json;
use crate::program::answers::problem::Problem;
use crate::program::code::ErrorCode;

/// Tables by their names.
#[derive(Default)]
pub(crate) struct Tables(BTreeMap<String, NamedTable>);

/// A table, its name and its identity.
pub(crate) struct NamedTable {
    pub(crate) name: String,
    pub(crate) identity: String,
    pub(crate) answers: Box<dyn Answers>,
}

impl NamedTable {
    pub(crate) fn new(name: &str, answers: Box<dyn Answers>) -> NamedTable {
        NamedTable { name: name.to_owned(), identity: identity(&*answers), answers }
    }

    /// What the table is, in JSON.
    pub(crate) fn json(&self) -> Json {
        json::table(&self.name, &self.identity, self.answers.facts())
    }
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
        self.0.insert(name.to_owned(), NamedTable::new(name, answers));
        Ok(())
    }

    /// The table of this name.
    ///
    /// # Errors
    /// When there is none. The error lists the names.
    pub(crate) fn named(&self, name: &str) -> Result<&NamedTable, Problem> {
        self.0.get(name).ok_or_else(|| {
            let known = self.names().join(", ");
            Problem::not_found(format!("no table is called \"{name}\"; the tables are {known}"))
                .coded(ErrorCode::UnknownTable)
                .with("table", name)
                .with("tables", self.names())
        })
    }

    /// The list of all tables.
    pub(crate) fn list(&self) -> Json {
        let version = env!("CARGO_PKG_VERSION");
        let tables: Vec<Json> = self.0.values().map(NamedTable::json).collect();
        json!({ "program": "retrograde", "version": version, "tables": tables })
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).collect()
    }
}
