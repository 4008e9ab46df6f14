//! The line of progress on a terminal: it is never wider than the screen, and disappears at the
//! end.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

use super::ctrl_c::large_graph;
use crate::program::Folder;

/// The lines that a terminal of `columns` columns shows after this output.
fn screen(output: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let (mut row, mut column) = (0, 0);
    let mut letters = output.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\r' => column = 0,
            '\n' => (row, column) = (row + 1, 0),
            '\u{1b}' => {
                assert_eq!(letters.next(), Some('['));
                let mut figure = String::new();
                while let Some(digit) = letters.next_if(|next| next.is_ascii_digit()) {
                    figure.push(digit);
                }
                let lines_away = figure.parse().unwrap_or(1);
                match letters.next() {
                    Some('K') => lines[row].clear(),
                    Some('A') => row = row.saturating_sub(lines_away),
                    Some('B') => row += lines_away,
                    other => panic!("an escape sequence that ends with {other:?}"),
                }
            }
            letter => {
                if column == columns {
                    (row, column) = (row + 1, 0);
                }
                lines.resize(lines.len().max(row + 1), String::new());
                let mut shown: Vec<char> = lines[row].chars().collect();
                shown.resize(shown.len().max(column + 1), ' ');
                shown[column] = letter;
                lines[row] = shown.into_iter().collect();
                column += 1;
            }
        }
        lines.resize(lines.len().max(row + 1), String::new());
    }
    let lines = lines.iter().map(|line| line.trim_end().to_owned());
    lines.filter(|line| !line.is_empty()).collect()
}

/// The output of the program on a terminal of `columns` columns. Once the program shows its
/// progress, Ctrl-C stops it. `None` if the system lacks `script` (of util-linux), which makes
/// terminals.
fn stopped_on_a_terminal(columns: usize) -> Option<String> {
    let folder = Folder::new();
    folder.write("large.json", large_graph(64));
    let program = env!("CARGO_BIN_EXE_retrograde");
    let call = format!(
        "stty rows 24 cols {columns}; exec '{program}' solve cat-mouse --graph large.json --threads 1"
    );
    let mut terminal = Command::new("script")
        .args(["-q", "-e", "-c", &call, "/dev/null"])
        .current_dir(folder.path("."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut keys = terminal.stdin.take().expect("a keyboard");
    let mut shown = terminal.stdout.take().expect("a screen");
    let (mut output, mut piece) = (Vec::new(), [0; 1 << 12]);
    let mut is_stopped = false;
    loop {
        let length = shown.read(&mut piece).expect("the screen's content");
        if length == 0 {
            break;
        }
        output.extend_from_slice(&piece[..length]);
        if !is_stopped && String::from_utf8_lossy(&output).contains(PROGRESS) {
            keys.write_all(b"\x03").expect("a terminal");
            is_stopped = true;
        }
    }
    assert_eq!(terminal.wait().expect("an end").code(), Some(1));
    Some(String::from_utf8(output).expect("text"))
}

/// A part of every line of progress.
const PROGRESS: &str = " % of ";

#[test]
fn nothing_of_the_line_of_progress_stays_on_the_screen() {
    for columns in [40, 80] {
        let Some(output) = stopped_on_a_terminal(columns) else {
            eprintln!("there is no `script`: what a terminal shows is not tested");
            return;
        };
        assert!(output.contains(PROGRESS), "no progress was shown in {output:?}");
        let expected = "note: the table is not kept; add -o FILE to keep it\
                        error: interrupted: nothing was written (with --checkpoint FOLDER, progress \
                        is saved)";
        let shown = screen(&output, columns).concat().replace(' ', "");
        // On a busy machine the run is expected to take long, and a note before the others says so.
        let begin = if shown.starts_with("note:33,546,240states") { "note:thetable" } else { "" };
        let begin = shown.find(begin).unwrap_or(0);
        assert_eq!(shown[begin..], expected.replace(' ', ""));
        for drawn in output.split(['\r', '\n']).filter(|drawn| drawn.contains(PROGRESS)) {
            let width = screen(drawn.trim_end_matches("^C"), 1000).concat().chars().count();
            assert!(width <= columns - 3, "{width} columns of {columns}: {drawn:?}");
        }
    }
}
