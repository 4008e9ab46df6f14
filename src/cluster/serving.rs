//! What the other processes do for the one that writes the table, until it is done: they give it values and
//! states of their windows, and make blocks of the table.
//!
//! A question is three numbers:
//!
//! | question | answer |
//! | --- | --- |
//! | the first place in the window, how many places, 0 | values |
//! | the first place in the window, how many places, the distance between two of them | states |
//! | [`JOB`], a length, 0; a [`Job`](crate::table::helped::Job) of so many bytes follows | each block behind its length, as soon as it is made |
//! | [`DONE`], 0, 0 | none: all is written |

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::cluster::values::Peer;
use crate::codec::LONGEST_RECORD;
use crate::error::{SolveError, TableError};
use crate::runtime::peers::Windows;
use crate::runtime::pool::{WorkerPool, lock};
use crate::runtime::progress::{OnProgress, Progress};
use crate::table::helping::help;
use crate::table::together::OwnWindow;

/// In place of a place: nothing more is asked for.
pub(super) const DONE: u64 = u64::MAX;

/// In place of a place: a job follows.
pub(super) const JOB: u64 = u64::MAX - 1;

/// How many values are asked for at once: as many as a block of a table has, since what is asked for next
/// is most often close by.
pub(super) const CHUNK: u64 = 1 << 18;

/// How long to read or write before looking whether anything has happened.
pub(super) const LOOK: Duration = Duration::from_millis(200);

/// Serves the own window to the process at the other end, by so many threads, until that one has written
/// all.
///
/// # Errors
/// When the connection is lost, what it asks for can't be done, or `progress` interrupts.
pub(crate) fn serve(
    own: OwnWindow<'_>,
    windows: &Windows,
    first: &Peer,
    threads: usize,
    progress: &mut OnProgress<'_>,
) -> Result<(), TableError> {
    let OwnWindow { cells, states } = own;
    let mut progress = |event| progress(event);
    let mut pool = WorkerPool::new(threads, &mut progress);
    let stream = &mut lock(&first.0).stream;
    let waits = Progress::Writing { done: 0, of: cells.len() };
    loop {
        let mut asked = [0_u64; 3];
        let mut stop = || pool.report(waits).is_err();
        // All processes of a run have the same order of bytes.
        read_patiently(stream, bytemuck::bytes_of_mut(&mut asked), &mut stop).map_err(lost)?;
        let [place, count, step] = asked;
        if place == DONE {
            return Ok(());
        }
        if place == JOB {
            if count > LONGEST_RECORD as u64 {
                return Err(impossible());
            }
            let mut job = vec![0; count as usize];
            read_patiently(stream, &mut job, &mut stop).map_err(lost)?;
            help(&job, own, windows, &mut pool, &mut |pool, bytes| {
                let mut stop = || pool.report(waits).is_err();
                let length = (bytes.len() as u64).to_ne_bytes();
                write_patiently(stream, &length, &mut stop)
                    .and_then(|()| write_patiently(stream, &bytes, &mut stop))
                    .map_err(lost)
            })?;
            continue;
        }
        let behind_last =
            count.checked_mul(step.max(1)).and_then(|length| place.checked_add(length));
        if count > CHUNK
            || behind_last.is_none_or(|end| end >= cells.len().saturating_add(step.max(1)))
        {
            return Err(impossible());
        }
        if step > 0 {
            let states = states.ok_or_else(impossible)?;
            let records = states.records(states.here().start + place, step, count);
            let records = records.map_err(|problem| TableError::malformed("a state", problem))?;
            write_patiently(stream, &records.concat(), &mut stop).map_err(lost)?;
            continue;
        }
        let mut values: Vec<u16> = vec![0; count as usize];
        cells.read(place, &mut values);
        write_patiently(stream, bytemuck::cast_slice(&values), &mut stop).map_err(lost)?;
    }
}

fn impossible() -> TableError {
    TableError::malformed("what the first process asks for", "is not in the window")
}

/// The error of a process that does not reach the first one.
fn lost(error: io::Error) -> TableError {
    match says_stop(&error) {
        // The monitor knows why, unless it was the user.
        true => SolveError::Interrupted.into(),
        false => {
            let problem = format!("lost the process that writes the table: {error}");
            SolveError::Parted { problem }.into()
        }
    }
}

/// Whether this is the error of a read or write that was told to stop.
pub(super) fn says_stop(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Interrupted
}

/// Fills the buffer, however long that takes, unless `stop` says to stop.
pub(super) fn read_patiently(
    stream: &mut TcpStream,
    mut buffer: &mut [u8],
    stop: &mut dyn FnMut() -> bool,
) -> io::Result<()> {
    while !buffer.is_empty() {
        match patient(stream.read(buffer), stop)? {
            Some(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Some(read) => buffer = &mut buffer[read..],
            None => {}
        }
    }
    Ok(())
}

/// Writes all bytes, however long that takes, unless `stop` says to stop.
pub(super) fn write_patiently(
    stream: &mut TcpStream,
    mut bytes: &[u8],
    stop: &mut dyn FnMut() -> bool,
) -> io::Result<()> {
    while !bytes.is_empty() {
        match patient(stream.write(bytes), stop)? {
            Some(0) => return Err(io::ErrorKind::WriteZero.into()),
            Some(written) => bytes = &bytes[written..],
            None => {}
        }
    }
    Ok(())
}

/// How many bytes were read or written; `None` if none yet.
fn patient(done: io::Result<usize>, stop: &mut dyn FnMut() -> bool) -> io::Result<Option<usize>> {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    match done {
        Err(error) if matches!(error.kind(), WouldBlock | TimedOut | Interrupted) => {
            if stop() {
                Err(Interrupted.into())
            } else {
                Ok(None)
            }
        }
        done => done.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::net::TcpListener;
    use std::ops::{ControlFlow, Range};
    use std::path::Path;
    use std::sync::Arc;
    use std::thread;

    use twox_hash::XxHash3_64;

    use super::*;
    use crate::cluster::OverStreams;
    use crate::cluster::monitor::Monitor;
    use crate::cluster::values::prepare;
    use crate::game::Outcome;
    use crate::numbering::NumberingKind;
    use crate::numbering::discovered::ListedStates;
    use crate::solve::Cells;
    use crate::summary::Summary;
    use crate::table::frame::{FRAME_BYTES, Frame, Section};
    use crate::table::helped::Others;
    use crate::table::together::{AllWindows, Gather};
    use crate::table::values::ReadValues;
    use crate::table::write::Contents;
    use crate::table::{Compression, Destination, Header};
    use crate::value::{DRAW, ENDLESS, HOLE, LOSS, Rules, WIN};

    /// The records of some states of a game.
    struct Records {
        len: u64,
        here: Range<u64>,
        /// Whether all are of the same width.
        even: bool,
    }

    impl ListedStates for Records {
        fn len(&self) -> u64 {
            self.len
        }

        fn here(&self) -> Range<u64> {
            self.here.clone()
        }

        fn record(&self, index: u64) -> Result<Vec<u8>, String> {
            if !self.here.contains(&index) {
                return Err("is not here".into());
            }
            let bytes = (index * index / 7).to_le_bytes();
            let width = if self.even { 8 } else { 3 + index as usize % 4 };
            Ok(bytes[..width].to_vec())
        }
    }

    /// Which states are listed.
    #[derive(Clone, Copy, PartialEq)]
    enum Listed {
        None,
        /// Each process has its own.
        Shared,
        /// Each process has all.
        Whole,
    }

    #[derive(Clone, Copy)]
    struct Table<'t> {
        values: &'t [u16],
        listed: Listed,
        compression: Compression,
        outcomes_only: bool,
    }

    impl Table<'_> {
        fn len(&self) -> u64 {
            self.values.len() as u64
        }

        fn states(&self, own: Range<u64>) -> Option<Records> {
            let here = if self.listed == Listed::Whole { 0..self.len() } else { own };
            let even = self.listed == Listed::Shared;
            (self.listed != Listed::None).then_some(Records { len: self.len(), here, even })
        }

        fn write(
            &self,
            path: &Path,
            threads: usize,
            read: &ReadValues<'_>,
            states: Option<&dyn ListedStates>,
            others: Option<&dyn Others>,
        ) -> Result<u64, TableError> {
            let header = Header {
                game: "test".into(),
                parameters: "{}".into(),
                numbering: NumberingKind::Dense,
                len: self.len(),
                rules: Rules { endless: Outcome::Draw, ply_limit: None },
                outcomes_only: false,
                summary: Summary::default(),
            };
            let mut destination = Destination::create(path)?.with(self.compression);
            if self.outcomes_only {
                destination = destination.with_outcomes_only();
            }
            let (remembered, check) = (Vec::new(), &|| Ok(()));
            let contents = Contents { header, remembered, read, states, check, others };
            let progress = &mut |_| ControlFlow::Continue(());
            destination.with_threads(threads).write(contents, progress)?.name()
        }

        /// The file that one process writes.
        fn alone(&self, folder: &Path) -> Vec<u8> {
            let path = folder.join("alone");
            let read = |first: u64, values: &mut [u16]| {
                values.copy_from_slice(&self.values[first as usize..][..values.len()]);
            };
            let states = self.states(0..self.len());
            let states = states.as_ref().map(|states| states as &dyn ListedStates);
            self.write(&path, 2, &read, states, None).unwrap();
            fs::read(path).unwrap()
        }

        /// What each of so many processes says of writing it together. The last one stops as soon as it is
        /// asked to help, if it is to.
        fn together(
            &self,
            path: &Path,
            count: usize,
            last_stops: bool,
        ) -> Vec<Result<(), TableError>> {
            let mut streams: Vec<Vec<Option<TcpStream>>> =
                (0..count).map(|_| (0..count).map(|_| None).collect()).collect();
            let (of_first, of_others) = streams.split_at_mut(1);
            for (to_other, of_other) in of_first[0].iter_mut().skip(1).zip(of_others) {
                let listener = TcpListener::bind("127.0.0.1:0").unwrap();
                of_other[0] = Some(TcpStream::connect(listener.local_addr().unwrap()).unwrap());
                *to_other = Some(listener.accept().unwrap().0);
            }
            let process = |own: usize, streams| {
                let addresses = (0..count).map(|process| format!("address {process}")).collect();
                let monitor = Monitor::start(Vec::new(), addresses).unwrap();
                let peers = prepare(streams).unwrap();
                let mut gather = OverStreams { own, peers, monitor: Arc::clone(&monitor) };
                let windows = Windows::cut(self.len(), count, own, 4096);
                let window = windows.own_window();
                let mut cells = Cells::wide_holes(window.end - window.start).unwrap();
                let values = &self.values[window.start as usize..window.end as usize];
                cells.as_bytes_mut().copy_from_slice(bytemuck::cast_slice(values));
                let states = self.states(window);
                let states = states.as_ref().map(|states| states as &dyn ListedStates);
                let mut progress = |event| match event {
                    Progress::Writing { done, .. }
                        if last_stops && own + 1 == count && done > 0 =>
                    {
                        ControlFlow::Break(())
                    }
                    _ => ControlFlow::Continue(()),
                };
                let mut write = |all: AllWindows<'_>, _: &mut OnProgress<'_>| {
                    assert_eq!(own, 0, "the first process writes");
                    let AllWindows { read, states, others, .. } = all;
                    self.write(path, 1, read, states, Some(others)).map(drop)
                };
                let own_window = OwnWindow { cells: &cells, states };
                let threads = 1 + own % 2;
                let ended = gather.gather(&windows, own_window, threads, &mut progress, &mut write);
                monitor.done();
                ended
            };
            thread::scope(|scope| {
                let processes: Vec<_> = (0..count)
                    .zip(streams)
                    .map(|(own, streams)| scope.spawn(move || process(own, streams)))
                    .collect();
                processes.into_iter().map(|process| process.join().unwrap()).collect()
            })
        }

        /// Has several processes write it, and compares the files with that of one.
        fn compare(&self, counts: &[usize]) -> Frame {
            let folder = tempfile::tempdir().unwrap();
            let alone = self.alone(folder.path());
            for &count in counts {
                let path = folder.path().join("together");
                self.together(&path, count, false).into_iter().for_each(Result::unwrap);
                let (len, compression) = (self.len(), self.compression);
                let together = fs::read(path).unwrap();
                assert!(together == alone, "{len} values, {count} processes, {compression:?}");
                assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
            }
            Frame::from_bytes(&alone[..FRAME_BYTES], alone.len() as u64).unwrap()
        }
    }

    /// So many values by a formula, which gets a random number for each.
    fn values(len: u64, value: impl Fn(u64, u64) -> u16) -> Vec<u16> {
        (0..len).map(|at| value(at, mixed(at))).collect()
    }

    fn mixed(at: u64) -> u64 {
        XxHash3_64::oneshot(&at.to_le_bytes()) >> 1
    }

    fn some_value(mixed: u64, most: u64) -> u16 {
        let distance = (mixed / 3 % most) as u16;
        [ENDLESS, WIN + distance, LOSS + distance][(mixed % 3) as usize]
    }

    const ALL: [Compression; 4] =
        [Compression::Plain, Compression::FAST, Compression::Usual, Compression::SMALL];

    #[test]
    fn several_processes_write_the_file_of_one() {
        let tables = [
            values(0, |_, _| ENDLESS),
            values(1, |_, _| WIN),
            values(9_000, |_, mixed| some_value(mixed, 9)),
            values(270_000, |_, mixed| if mixed % 5 < 2 { HOLE } else { DRAW + 2 }),
            // Windows that end within blocks, and at the end of one.
            values(3 * (1 << 18), |at, _| some_value(at / 9, 40)),
            values(1_000_000, |at, _| some_value(mixed(at / 50), 60)),
            // More values than a palette has, and holes at the ends of windows.
            values(600_000, |at, mixed| match at % 4096 {
                ..100 | 4000.. => HOLE,
                _ => some_value(mixed, 9_000),
            }),
        ];
        for values in &tables {
            for compression in ALL {
                for outcomes_only in [false, true] {
                    let table = Table { values, listed: Listed::None, compression, outcomes_only };
                    table.compare(&[2, 3]);
                }
            }
        }
        let (compression, outcomes_only) = (Compression::Usual, false);
        for values in &tables[..5] {
            for listed in [Listed::Shared, Listed::Whole] {
                Table { values, listed, compression, outcomes_only }.compare(&[2, 5]);
            }
        }
    }

    #[test]
    fn all_processes_have_the_dictionary() {
        let values = values(3_000_000, |at, _| some_value(mixed(at % 300_007), 30));
        for compression in [Compression::FAST, Compression::Usual] {
            let listed = Listed::None;
            let table = Table { values: &values, listed, compression, outcomes_only: false };
            assert_ne!(table.compare(&[2, 3]).dictionary, Section::NONE);
        }
    }

    #[test]
    fn large_blocks_are_made_together_and_plain_states_too() {
        // Blocks of outcomes have 16 million values each.
        let values = values(35_000_000, |at, _| some_value(at / 5_003 % 7, 1));
        let (listed, compression) = (Listed::None, Compression::SMALL);
        Table { values: &values, listed, compression, outcomes_only: true }.compare(&[3]);
        let (listed, compression) = (Listed::Shared, Compression::Plain);
        let values = &values[..400_000];
        Table { values, listed, compression, outcomes_only: false }.compare(&[3]);
    }

    #[test]
    fn a_process_that_gives_up_is_named() {
        let values = values(3_000_000, |_, mixed| some_value(mixed, 60));
        let (listed, compression) = (Listed::None, Compression::SMALL);
        let table = Table { values: &values, listed, compression, outcomes_only: false };
        let folder = tempfile::tempdir().unwrap();
        let ended = table.together(&folder.path().join("together"), 3, true);
        assert!(ended[2].as_ref().is_err_and(TableError::is_interrupted), "{ended:?}");
        let error = ended[0].as_ref().unwrap_err().to_string();
        assert!(error.contains("process 2 (address 2)"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
