//! What is suggested when a table or a position does not exist as it was typed.

use std::fs;
use std::io;
use std::path::Path;

use crate::error::{NotationError, TableError};
use crate::program::cli::CliError;
use crate::program::cli::similar::{did_you_mean, most_similar};
use crate::table::Table;

/// The most files of a folder that are compared with a name.
const MOST_FILES: usize = 1_000;

/// The most letters of a text in which one wrong letter is searched for.
const MOST_LETTERS: usize = 200;

/// The error when no table can be opened at a path. It suggests a table of a similar name in the
/// same folder.
pub(super) fn explain(path: &Path, error: TableError) -> CliError {
    let is_missing = fs::metadata(path).is_err_and(|e| e.kind() == io::ErrorKind::NotFound);
    let meant = if is_missing { similar_table(path) } else { None };
    let error = CliError::table(path)(error);
    match meant {
        None => error,
        meant => {
            let hint = did_you_mean(meant.as_deref());
            error.reworded(|message| format!("{message}{hint}")).with("meant", meant)
        }
    }
}

/// The path of a table in the same folder whose name is similar.
fn similar_table(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let files = entries.flatten().take(MOST_FILES);
    let mut names: Vec<String> =
        files.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    // A folder lists its files in any order.
    names.sort_unstable();
    while let Some(similar) = most_similar(&name, names.iter().map(String::as_str)) {
        let similar = similar.to_owned();
        let beside = path.with_file_name(&similar);
        if Table::open(&beside).is_ok() {
            return Some(beside.display().to_string());
        }
        names.retain(|name| *name != similar);
    }
    None
}

/// The error when a text is not a position. `start` is the text of the start position. `read` reads
/// a position and writes it as the game does.
pub(super) fn explain_position(
    text: &str,
    error: &NotationError,
    start: Option<String>,
    read: &dyn Fn(&str) -> Option<String>,
) -> CliError {
    let bare: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let bare = bare.trim_matches(['"', '\'', '`']).to_owned();
    let swapped: String = text
        .chars()
        .flat_map(|letter| match letter.is_uppercase() {
            true => letter.to_lowercase().collect::<Vec<_>>(),
            false => letter.to_uppercase().collect(),
        })
        .collect();
    let texts = [
        text.trim_matches(['"', '\'', '`']),
        &bare,
        &text.to_lowercase(),
        &bare.to_lowercase(),
        &text.to_uppercase(),
        &swapped,
    ];
    let complete = || completed(text, start.as_deref()?, read);
    let meant = texts.iter().find_map(|text| read(text));
    let meant = meant.or_else(complete).or_else(|| one_letter_away(text, read));
    let wrong = CliError::from(error.clone()).with("state", text);
    match (meant, start) {
        (None, Some(start)) if error.example().is_none() => {
            wrong.reworded(|message| format!("{message}; a position is written as in {start}"))
        }
        (None, _) => wrong,
        (meant, _) => {
            let hint = did_you_mean(meant.as_deref());
            wrong.reworded(|message| format!("{message}{hint}")).with("meant", meant)
        }
    }
}

/// The position of a text that is completed by the end of the start position's text: by the player
/// to move, for example.
fn completed(text: &str, start: &str, read: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let parts = start.match_indices([',', ' ']).map(|(at, _)| &start[at..]);
    // The shortest end keeps most of the typed text.
    parts.rev().find_map(|rest| read(&format!("{}{rest}", text.trim_end())))
}

/// The position that a text becomes when one letter is added, removed or replaced, or two
/// neighbours change places. None if there are several such positions.
fn one_letter_away(text: &str, read: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() > MOST_LETTERS {
        return None;
    }
    let with = |at: usize, taken: usize, put: &[char]| -> String {
        letters[..at].iter().chain(put).chain(&letters[at + taken..]).collect()
    };
    let mut meant = None;
    for at in 0..=letters.len() {
        let swapped = letters.get(at..at + 2).map(|pair| with(at, 2, &[pair[1], pair[0]]));
        let less = (at < letters.len()).then(|| with(at, 1, &[]));
        let typed = (' '..='~').flat_map(|letter| {
            let other = (at < letters.len()).then(|| with(at, 1, &[letter]));
            other.into_iter().chain([with(at, 0, &[letter])])
        });
        for near in swapped.into_iter().chain(less).chain(typed) {
            let Some(position) = read(&near) else { continue };
            match &meant {
                Some(other) if *other != position => return None,
                _ => meant = Some(position),
            }
        }
    }
    meant
}
