//! The line of progress on a terminal.

use std::io;

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use crate::program::cli::pace::SHOW_EVERY;

/// How many columns at the end of the line stay free. A terminal shows Ctrl-C as `^C` at the
/// cursor. If that began a new line, the old one would stay on the screen.
const FREE_COLUMNS: u16 = 3;

/// A line on the terminal of standard error that shows the progress of a run. It is never longer
/// than the terminal is wide.
pub(super) fn progress_line() -> ProgressBar {
    let terminal = Box::new(Narrowed(Term::stderr()));
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::term_like(terminal));
    let style = ProgressStyle::with_template("{spinner} {elapsed_precise} {wide_msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.enable_steady_tick(SHOW_EVERY);
    bar
}

/// A terminal that reports a width of [`FREE_COLUMNS`] less than it has.
#[derive(Debug)]
struct Narrowed(Term);

impl TermLike for Narrowed {
    fn width(&self) -> u16 {
        self.0.size().1.saturating_sub(FREE_COLUMNS).max(1)
    }

    fn height(&self) -> u16 {
        self.0.size().0
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_up(lines)
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_down(lines)
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_right(columns)
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_left(columns)
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.0.write_line(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.write_str(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.0.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.0.flush()
    }
}
