//! Reads lines of standard input, or of a file, as they come.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::str::Utf8Error;
use std::sync::mpsc::{self, Receiver, SyncSender, TryRecvError};
use std::thread;

use crate::program::cli::CliError;

/// How much is read at once, in bytes.
const CHUNK: usize = 64 << 10;

/// How many chunks are read ahead.
const AHEAD: usize = 16;

/// A batch ends after this many bytes, and no line is longer.
const ENOUGH: usize = 1 << 20;

/// A byte-order mark, with which some editors begin a file.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Lines that come at any pace. A thread reads them, so a batch contains all lines that have come.
pub(super) struct Lines {
    chunks: Receiver<io::Result<Vec<u8>>>,
    /// The beginning of a line whose end has not come.
    begun: Vec<u8>,
    /// The number of the next line, from 1.
    next: u64,
    /// Why nothing more can be read.
    failed: Option<io::Error>,
    /// The name of what is read, for errors.
    name: String,
}

impl Lines {
    /// The lines of standard input. The thread that reads them ends with the program.
    pub(super) fn of_standard_input() -> Result<Lines, CliError> {
        Lines::new(io::stdin(), "standard input".into())
    }

    /// The lines of a file, which has this name in errors.
    pub(super) fn of_file(file: File, name: String) -> Result<Lines, CliError> {
        Lines::new(file, name)
    }

    fn new(from: impl Read + Send + 'static, name: String) -> Result<Lines, CliError> {
        let (sender, chunks) = mpsc::sync_channel(AHEAD);
        let thread = thread::Builder::new().spawn(move || read(from, &sender));
        thread.map_err(|error| cannot_read(&name, error))?;
        Ok(Lines { chunks, begun: Vec::new(), next: 1, failed: None, name })
    }

    /// The next lines: waits for one, and takes the others that are there, up to a MiB. `None` at
    /// the end.
    ///
    /// # Errors
    /// When nothing more can be read, or a line is longer than a MiB.
    pub(super) fn next(&mut self) -> Result<Option<Batch>, CliError> {
        if let Some(error) = self.failed.take() {
            return Err(cannot_read(&self.name, error));
        }
        let mut text = std::mem::take(&mut self.begun);
        let (mut is_line_there, mut is_at_end) = (false, false);
        while text.len() < ENOUGH && !is_at_end {
            let chunk = match self.chunks.try_recv() {
                Ok(chunk) => Some(chunk),
                Err(TryRecvError::Empty) if is_line_there => break,
                Err(TryRecvError::Empty) => self.chunks.recv().ok(),
                Err(TryRecvError::Disconnected) => None,
            };
            match chunk {
                Some(Ok(bytes)) => {
                    is_line_there |= bytes.contains(&b'\n');
                    text.extend(bytes);
                }
                // What came before is answered first.
                Some(Err(error)) => {
                    self.failed = Some(error);
                    break;
                }
                None => is_at_end = true,
            }
        }
        if !is_at_end {
            let ended = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            self.begun = text.split_off(ended);
        }
        if text.is_empty() {
            return match self.failed.take() {
                Some(error) => Err(cannot_read(&self.name, error)),
                None if is_at_end => Ok(None),
                None => Err(CliError::failed(format!(
                    "line {} of {} is longer than a MiB",
                    self.next, self.name
                ))),
            };
        }
        if self.next == 1 && text.starts_with(MARK) {
            text.drain(..MARK.len());
        }
        let batch = Batch { first: self.next, text };
        self.next += batch.lines().count() as u64;
        Ok(Some(batch))
    }
}

/// Some lines, one after the other.
pub(super) struct Batch {
    /// The number of the first line, from 1.
    first: u64,
    text: Vec<u8>,
}

impl Batch {
    /// Each line with its number, without its end; an error for one that is not UTF-8.
    pub(super) fn lines(&self) -> impl Iterator<Item = (u64, Result<&str, Utf8Error>)> {
        let text = self.text.strip_suffix(b"\n").unwrap_or(&self.text);
        let lines = text.split(|&byte| byte == b'\n');
        (self.first..).zip(lines).map(|(number, line)| {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            (number, std::str::from_utf8(line))
        })
    }
}

/// Reads until nothing more comes, or nobody takes it any more.
fn read(mut from: impl Read, sender: &SyncSender<io::Result<Vec<u8>>>) {
    loop {
        let mut chunk = vec![0; CHUNK];
        let read = match from.read(&mut chunk) {
            Ok(0) => return,
            Ok(bytes) => {
                chunk.truncate(bytes);
                Ok(chunk)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let is_last = read.is_err();
        if sender.send(read).is_err() || is_last {
            return;
        }
    }
}

fn cannot_read(name: &str, error: io::Error) -> CliError {
    CliError::failed(format!("can't read {name}: {error}"))
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::sync::mpsc::{Receiver, channel};

    use super::*;

    /// What comes piece by piece; a piece that is `None` is an error.
    struct Pieces(Receiver<Option<Vec<u8>>>, VecDeque<u8>);

    impl Read for Pieces {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.1.is_empty() {
                match self.0.recv() {
                    Ok(Some(piece)) => self.1.extend(piece),
                    Ok(None) => return Err(io::Error::other("unplugged")),
                    Err(_) => return Ok(0),
                }
            }
            self.1.read(buffer)
        }
    }

    /// The lines of a batch, with their numbers.
    fn lines(batch: &Batch) -> Vec<(u64, Option<String>)> {
        batch.lines().map(|(number, line)| (number, line.ok().map(str::to_owned))).collect()
    }

    /// All lines of what comes in these pieces, and the error at the end.
    fn all(pieces: &[Option<&[u8]>]) -> (Vec<(u64, Option<String>)>, Option<String>) {
        let (sender, receiver) = channel();
        pieces.iter().for_each(|piece| sender.send(piece.map(<[u8]>::to_vec)).unwrap());
        drop(sender);
        let mut source =
            Lines::new(Pieces(receiver, VecDeque::new()), "standard input".into()).unwrap();
        let mut found = Vec::new();
        loop {
            match source.next() {
                Ok(Some(batch)) => found.extend(lines(&batch)),
                Ok(None) => return (found, None),
                Err(error) => return (found, Some(error.to_string())),
            }
        }
    }

    #[test]
    fn lines_are_those_of_the_text_however_it_comes() {
        let text = "\u{feff}one\r\n\ntwo\n three \nlast".as_bytes();
        let expected = ["one", "", "two", " three ", "last"];
        let expected: Vec<_> =
            (1..).zip(expected).map(|(at, line)| (at, Some(line.to_owned()))).collect();
        for first in 0..=text.len() {
            for second in [first, (first + 4).min(text.len()), text.len()] {
                let pieces = [&text[..first], &text[first..second], &text[second..]];
                let pieces: Vec<_> =
                    pieces.into_iter().filter(|piece| !piece.is_empty()).map(Some).collect();
                assert_eq!(all(&pieces), (expected.clone(), None), "{first} {second}");
            }
        }
        assert_eq!(all(&[]), (Vec::new(), None));
        assert_eq!(all(&[Some(b"\n")]), (vec![(1, Some(String::new()))], None));
    }

    #[test]
    fn what_came_before_an_error_is_there() {
        let (found, error) = all(&[Some(b"one\n\xff\n"), Some(b"thr"), None]);
        assert_eq!(found, [(1, Some("one".into())), (2, None)]);
        assert_eq!(error.as_deref(), Some("can't read standard input: unplugged"));
    }

    #[test]
    fn a_line_without_an_end_is_refused() {
        let long = vec![b'x'; 3 * ENOUGH];
        let (found, error) = all(&[Some(b"one\n"), Some(&long)]);
        assert_eq!(found, [(1, Some("one".into()))]);
        assert_eq!(error.as_deref(), Some("line 2 of standard input is longer than a MiB"));
    }

    #[test]
    fn nothing_that_is_there_waits_for_what_is_not() {
        let (sender, receiver) = channel();
        let mut source =
            Lines::new(Pieces(receiver, VecDeque::new()), "standard input".into()).unwrap();
        for number in 1..=3 {
            sender.send(Some(b"line\nbeg".to_vec())).unwrap();
            let line = if number == 1 { "line" } else { "begline" };
            let batch = source.next().unwrap().unwrap();
            assert_eq!(lines(&batch), [(number, Some(line.to_owned()))]);
        }
    }
}
