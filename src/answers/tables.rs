//! Tables by their names, and what is asked about them.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};
use twox_hash::XxHash3_64;

use crate::answers::facts::Answers;
use crate::answers::problem::Problem;
use crate::answers::question::{Question, Reply};
use crate::answers::{IsLate, json};

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

    /// The table of this name.
    ///
    /// # Errors
    /// When there is none. The error lists the names.
    pub(crate) fn named(&self, name: &str) -> Result<&dyn Answers, Problem> {
        self.get(name).ok_or_else(|| {
            let known = self.names().join(", ");
            Problem::not_found(format!("no table is called \"{name}\"; the tables are {known}"))
        })
    }

    /// The answer to a question about the table of this name.
    ///
    /// # Errors
    /// When there is no such table, or it does not have the answer, or when it gets late.
    pub(crate) fn answer(
        &self,
        name: &str,
        question: &Question,
        is_late: IsLate<'_>,
    ) -> Result<Reply, Problem> {
        let answers = self.named(name)?;
        match question {
            Question::Table => {
                let identity = self.identity(name).unwrap_or("");
                Ok(Reply::json(&json::table(name, identity, answers.facts())))
            }
            question => question.answer(answers, is_late),
        }
    }

    /// The list of all tables.
    pub(crate) fn list(&self) -> Reply {
        let version = env!("CARGO_PKG_VERSION");
        let tables = self.json();
        Reply::json(&json!({ "program": "retrograde", "version": version, "tables": tables }))
    }

    /// All tables in JSON.
    fn json(&self) -> Vec<Json> {
        let table = |(name, Served { answers, identity }): (&String, &Served)| {
            json::table(name, identity, answers.facts())
        };
        self.0.iter().map(table).collect()
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).collect()
    }
}
