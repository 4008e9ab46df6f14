//! Handles for programs that embed the command line: an open table, and a server that can be stopped.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value as Json};

use crate::game::Player;
use crate::game::value::{Rules, Value};
use crate::program::answers::facts::{Answers, Judged};
use crate::program::answers::problem::Problem;
use crate::program::answers::question::Reply;
use crate::program::answers::questions;
use crate::program::answers::tables::NamedTable;
use crate::program::code::ErrorCode;
use crate::program::serve::{Stop, table_name};

/// An open table of any game: see [`Registry::open`](crate::cli::Registry::open).
///
/// Several threads may ask it at once.
pub struct OpenedTable {
    path: PathBuf,
    table: NamedTable,
}

/// Why a question has no answer. The sentence is for people; the [code](Refusal::code) and the
/// [fields](Refusal::fields) are for programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    code: ErrorCode,
    fields: Box<Map<String, Json>>,
    message: String,
}

impl Refusal {
    fn of(problem: Problem) -> Refusal {
        let message = problem.cause.unwrap_or(problem.detail);
        Refusal { code: problem.code, fields: problem.fields, message }
    }

    /// The kind of the error; [`Interrupted`](ErrorCode::Interrupted) where `is_over` returned true.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// The things that the error is about, by the names that its [code](ErrorCode) lists.
    #[must_use]
    pub fn fields(&self) -> &Map<String, Json> {
        &self.fields
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

impl std::fmt::Debug for OpenedTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenedTable").field("path", &self.path).finish_non_exhaustive()
    }
}

impl OpenedTable {
    pub(super) fn new(path: &Path, answers: Box<dyn Answers>) -> OpenedTable {
        let name = table_name(path).unwrap_or_else(|| "table".to_owned());
        OpenedTable { path: path.to_owned(), table: NamedTable::new(&name, answers) }
    }

    /// The path of the file or folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Answers a question in JSON, or with an SVG picture: what the server answers under the address
    /// `/api/tables/NAME/{question}?{query}`, as [`HTTP.md`](crate::documentation::http) describes it.
    /// `is_over` is asked now and then, and ends the work by returning true.
    ///
    /// # Errors
    /// When the question is wrong, the table does not have the answer, or can't be read.
    pub fn ask(
        &self,
        question: &str,
        query: &str,
        is_over: &dyn Fn() -> bool,
    ) -> Result<String, Refusal> {
        let query = Some(query).filter(|query| !query.is_empty());
        let question = questions::read(question, query).map_err(Refusal::of)?;
        let Reply { body, .. } = question.answer(&self.table, is_over).map_err(Refusal::of)?;
        Ok(body)
    }

    /// The questions that a table answers, as data: the name of each, its parameters with the schemas of their
    /// values, and whether it is about a state.
    #[must_use]
    pub fn questions() -> Json {
        questions::data()
    }

    /// The values of many states in the game's notation, in their order, much faster than one by one. The
    /// error of a state is its own.
    ///
    /// # Errors
    /// When the table can't be read.
    pub fn judge_all(
        &self,
        states: &[&str],
        is_over: &dyn Fn() -> bool,
    ) -> Result<Vec<Result<Judged, Refusal>>, Refusal> {
        let judged = self.table.answers.judge_all(states, is_over).map_err(Refusal::of)?;
        Ok(judged.into_iter().map(|judged| judged.map_err(Refusal::of)).collect())
    }

    /// How many indices the table has, unused ones included.
    #[must_use]
    pub fn indices(&self) -> u64 {
        self.table.answers.indices()
    }

    /// The rules that turn values into verdicts.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.table.answers.facts().rules
    }

    /// Whether states say who is to move. False where the rules are missing.
    #[must_use]
    pub fn names_movers(&self) -> bool {
        self.table.answers.facts().names_movers
    }

    /// The players to move in the states of these indices, in their order; `None` for each unused index, and
    /// where states do not say it.
    ///
    /// # Errors
    /// When the table does not have an index, or can't be read.
    pub fn movers(&self, indices: &[u64]) -> Result<Vec<Option<Player>>, Refusal> {
        self.check(indices.iter().max().map_or(0, |&last| last.saturating_add(1)))?;
        self.table.answers.movers(indices).map_err(Refusal::of)
    }

    /// The value that is stored in this form; `None` for an unused index, and where it is the form of no
    /// value.
    #[must_use]
    pub fn unpack(&self, packed: u16) -> Option<Value> {
        self.table.answers.facts().rules.scale().unpack(packed).ok().flatten()
    }

    /// Reads the values of a range of indices, as the file stores them; needs no rules where the file says
    /// which indices have states: see "Values" in
    /// [`FORMAT.md`](crate::documentation::format). They replace what is in `values`.
    ///
    /// # Errors
    /// When the range is not within the table, or the table can't be read.
    pub fn packed_values(&self, indices: Range<u64>, values: &mut Vec<u16>) -> Result<(), Refusal> {
        self.check(indices.end)?;
        self.table.answers.packed_values(indices, values).map_err(Refusal::of)
    }

    /// The states of a range of indices in the game's notation; `None` for each unused one.
    ///
    /// # Errors
    /// When the range is not within the table, or the table can't be read.
    pub fn states(&self, indices: Range<u64>) -> Result<Vec<Option<String>>, Refusal> {
        self.check(indices.end)?;
        self.table.answers.states(indices).map_err(Refusal::of)
    }

    /// Refuses indices from `end` on that the table does not have.
    fn check(&self, end: u64) -> Result<(), Refusal> {
        let indices = self.indices();
        match end > indices {
            true => Err(Refusal::of(Problem::bad_request(format!(
                "no such index: {}, where the table has {indices} indices",
                end - 1
            )))),
            false => Ok(()),
        }
    }
}

/// Stops a server: see [`Registry::serve`](crate::cli::Registry::serve).
#[derive(Clone)]
pub struct Stopper(Stop);

impl Stopper {
    /// A switch for one server.
    #[must_use]
    pub fn new() -> Stopper {
        Stopper(Stop::new())
    }

    pub(super) fn inner(&self) -> &Stop {
        &self.0
    }

    /// Ends the server once it has given the answers that it is working on.
    pub fn stop(&self) {
        self.0.stop();
    }
}

impl Default for Stopper {
    fn default() -> Stopper {
        Stopper::new()
    }
}

impl std::fmt::Debug for Stopper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stopper").finish_non_exhaustive()
    }
}
