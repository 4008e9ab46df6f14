//! What runs in the browser.

use std::hint::black_box;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::error::TableError;
use crate::program::answers::facts::{About, Answers};
use crate::program::answers::game_table;
use crate::program::answers::problem::{Problem, Status};
use crate::program::answers::question::Reply;
use crate::program::answers::questions;
use crate::program::answers::tables::Tables;
use crate::program::registered::Registered;
use crate::program::web::boundary::{self, Response};
use crate::program::web::remote::HOST;
use crate::table::Table;

/// The tables that were opened.
static TABLES: Mutex<Option<Tables>> = Mutex::new(None);

/// Opens a table of the module's game.
type Open = fn(&Path, is_folder: bool) -> Result<Box<dyn Answers>, TableError>;

/// Opens a table of the module's game, which three lines describe: see [`open_table`]. `mark` stays in the
/// module, so that its file says which game it is of.
#[doc(hidden)]
#[must_use]
pub fn open<G: Registered + 'static>(mark: &'static [u8]) -> u32 {
    black_box(mark);
    let open: Open = |path, is_folder| {
        let table = Table::open_in(HOST, path, is_folder)?;
        let about = About { about: G::ABOUT.into(), notation: G::STATES.into() };
        game_table::open(table.game::<G>()?, table, about)
    };
    boundary::answer(|asked| respond(open_table(asked, open)))
}

/// Opens the table that three lines describe: its name, its path, and `folder` or `file`.
fn open_table(asked: &str, open: Open) -> Result<Reply, Problem> {
    let mut lines = asked.lines();
    let (Some(name), Some(path), Some(form)) = (lines.next(), lines.next(), lines.next()) else {
        return Err(Problem::bad_request("expected a name, a path and a form"));
    };
    let unreadable = |error: TableError| Problem::new(Status::INTERNAL_SERVER_ERROR, error);
    let answers = open(Path::new(path), form == "folder").map_err(unreadable)?;
    // A table that was opened without all of its beginning is opened again once that is here.
    if boundary::has_lacked() {
        return Err(Problem::new(Status::INTERNAL_SERVER_ERROR, "a part of the table is missing"));
    }
    let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    let tables = tables.get_or_insert_default();
    tables.add(name, answers).map_err(Problem::bad_request)?;
    Ok(Reply::json(&tables.named(name)?.json()))
}

/// Answers the question that the page has written.
// SAFETY: no other function has this name in a module.
#[allow(unsafe_code)]
#[unsafe(export_name = "ask")]
extern "C" fn answer_question() -> u32 {
    boundary::answer(|asked| respond(ask(asked)))
}

/// Answers a question about an open table: its name, and behind a line break what follows the name in an
/// address.
fn ask(asked: &str) -> Result<Reply, Problem> {
    let (name, question) = asked.split_once('\n').unwrap_or((asked, ""));
    let (question, query) = match question.split_once('?') {
        Some((question, query)) => (question, Some(query)),
        None => (question, None),
    };
    let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    let table = tables.get_or_insert_default().named(name)?;
    questions::read(question, query)?.answer(table, &boundary::is_late)
}

fn respond(answered: Result<Reply, Problem>) -> Response {
    match answered {
        Ok(Reply { body, .. }) => (200, body),
        Err(mut problem) => {
            // The page runs in the reader's own browser, so it may see the details of an error.
            if let Some(cause) = problem.cause.take() {
                problem.detail = cause;
            }
            (problem.status.code, problem.document().1)
        }
    }
}
