//! Figures and columns of text.

use indicatif::HumanCount;

pub(super) use crate::game::value::plies;
use crate::solve::TierFigures;

/// A number of things in words, such as "1 tier" or "2,000 states".
pub(super) fn number_of(count: u64, thing: &str) -> String {
    format!("{} {thing}{}", HumanCount(count), if count == 1 { "" } else { "s" })
}

/// The figures of each tier as text, a line for each tier. They are for the player to move, since
/// the tables of some games have no others.
pub(super) fn tiers(tiers: &[TierFigures]) -> String {
    let head = ["tier", "states", "won", "lost", "drawn", "longest"];
    let mut rows = vec![head.map(str::to_owned)];
    rows.extend(tiers.iter().map(|TierFigures { name, summary, .. }| {
        let count = |count: u64| HumanCount(count).to_string();
        [
            name.clone(),
            count(summary.states()),
            count(summary.won()),
            count(summary.lost()),
            count(summary.draws()),
            summary.longest().map_or("none".into(), |plies| plies.to_string()),
        ]
    }));
    format!("tiers, for the player to move\n{}", columns_with_figures(&rows, 1))
}

/// Rows of a name and a figure, aligned in two columns.
pub(super) fn figures(rows: &[(String, String)]) -> String {
    let width = |column: fn(&(String, String)) -> &String| {
        rows.iter().map(|row| column(row).chars().count()).max().unwrap_or(0)
    };
    let (names, values) = (width(|row| &row.0), width(|row| &row.1));
    rows.iter().map(|(name, value)| format!("  {name:names$}  {value:>values$}\n")).collect()
}

/// Rows of a name, a figure and a drawing beside it, aligned in three columns.
pub(super) fn figures_beside(rows: &[(String, String)], beside: &[String]) -> String {
    let (text, blank) = (figures(rows), String::new());
    let beside = beside.iter().chain(std::iter::repeat(&blank));
    let row =
        |(row, beside): (&str, &String)| format!("{row}  {beside}").trim_end().to_owned() + "\n";
    text.lines().zip(beside).map(row).collect()
}

/// Rows of text in columns, each as wide as its widest entry.
pub(super) fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    columns_with_figures(rows, N)
}

/// Rows of text in columns, each as wide as its widest entry. From the column `figures` on, they
/// are aligned at the right.
fn columns_with_figures<const N: usize>(rows: &[[String; N]], figures: usize) -> String {
    let mut widths = [0; N];
    for row in rows {
        for (width, text) in widths.iter_mut().zip(row) {
            *width = text.chars().count().max(*width);
        }
    }
    let entry = |(at, (&width, text)): (usize, (&usize, &String))| match at < figures {
        true => format!("  {text:width$}"),
        false => format!("  {text:>width$}"),
    };
    rows.iter()
        .map(|row| {
            let line: String = widths.iter().zip(row).enumerate().map(entry).collect();
            format!("{}\n", line.trim_end())
        })
        .collect()
}

/// The widest line that [`wrapped`] makes of words that fit.
pub(super) const WIDTH: usize = 80;

/// Wording in lines of at most [`WIDTH`] columns, where no word is longer. The first line has
/// `before` in front, the others as many blanks as that is wide; a line that is continued ends with
/// `continued`.
pub(super) fn wrapped<'w>(
    before: &str,
    words: impl IntoIterator<Item = &'w str>,
    continued: &str,
) -> String {
    let indent = before.chars().count();
    let mut lines = vec![before.to_owned()];
    let (mut width, mut is_empty) = (indent, true);
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        let length = word.chars().count();
        let room = if words.peek().is_some() { continued.chars().count() } else { 0 };
        if !is_empty && width + 1 + length + room > WIDTH {
            lines.push(" ".repeat(indent));
            (width, is_empty) = (indent, true);
        }
        if let Some(line) = lines.last_mut() {
            let blank = if is_empty { "" } else { " " };
            *line += &format!("{blank}{word}");
            width += blank.len() + length;
        }
        is_empty = false;
    }
    let end = format!("{continued}\n");
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join(&end) + "\n"
}
