//! The values and states of all processes, as the one that writes them sees them. It asks each other
//! process for some of them, and has it make the blocks of its window. See [`serving`](super::serving) for
//! the questions.

use std::collections::VecDeque;
use std::io;
use std::net::TcpStream;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use crate::cluster::NEWS;
use crate::cluster::monitor::Monitor;
use crate::cluster::serving::{CHUNK, DONE, JOB, LOOK, read_patiently, says_stop, write_patiently};
use crate::codec::LONGEST_RECORD;
use crate::error::{SolveError, TableError};
use crate::numbering::discovered::ListedStates;
use crate::runtime::peers::Windows;
use crate::runtime::pool::lock;
use crate::solve::Cells;
use crate::table::helped::{Others, TakeAnswer};

/// How many chunks of each other process are kept: enough for a few threads that read blocks.
const KEPT: usize = 8;

/// Prepares the connections with the other processes.
///
/// # Errors
/// When one is lost.
pub(crate) fn prepare(streams: Vec<Option<TcpStream>>) -> io::Result<Vec<Option<Peer>>> {
    for stream in streams.iter().flatten() {
        stream.set_read_timeout(Some(LOOK))?;
        stream.set_write_timeout(Some(LOOK))?;
    }
    let peer = |stream| Peer(Mutex::new(Source { stream, chunks: VecDeque::new() }));
    Ok(streams.into_iter().map(|stream| stream.map(peer)).collect())
}

/// The connection with another process.
pub(crate) struct Peer(pub(super) Mutex<Source>);

pub(super) struct Source {
    pub(super) stream: TcpStream,
    /// The values that were fetched last, by their place in units of [`CHUNK`].
    chunks: VecDeque<(u64, Arc<Vec<u16>>)>,
}

/// The values of all windows, as the process that writes them sees them.
pub(crate) struct AllValues<'c> {
    windows: &'c Windows,
    cells: &'c Cells,
    /// A connection with each other process.
    peers: &'c [Option<Peer>],
    monitor: &'c Monitor,
}

impl<'c> AllValues<'c> {
    /// The values of the own window in these cells, and those that the other processes serve.
    pub(crate) fn new(
        windows: &'c Windows,
        cells: &'c Cells,
        peers: &'c [Option<Peer>],
        monitor: &'c Monitor,
    ) -> AllValues<'c> {
        AllValues { windows, cells, peers, monitor }
    }

    /// Reads packed values. After a failure, which the monitor then knows, they mean nothing.
    pub(crate) fn read(&self, first: u64, packed: &mut [u16]) {
        let mut at = first;
        let mut rest = packed;
        for (process, peer) in self.peers.iter().enumerate() {
            let window = self.windows.window(process);
            let length = window.end.saturating_sub(at).min(rest.len() as u64) as usize;
            if length == 0 || at < window.start {
                continue;
            }
            let (of_window, later) = rest.split_at_mut(length);
            let place = at - window.start;
            match peer {
                None => self.cells.read(place, of_window),
                Some(peer) => {
                    if let Err(problem) =
                        self.copy(peer, window.end - window.start, place, of_window)
                    {
                        let name = self.monitor.name(process);
                        self.monitor.fail(format!("{name} gives no values: {problem}"));
                        return;
                    }
                }
            }
            at += length as u64;
            rest = later;
        }
    }

    /// Copies values of another process's window, which has so many, from a place on.
    fn copy(
        &self,
        peer: &Peer,
        len: u64,
        mut place: u64,
        mut values: &mut [u16],
    ) -> io::Result<()> {
        while !values.is_empty() {
            let chunk = self.chunk(&mut lock(&peer.0), len, place / CHUNK)?;
            let from = (place % CHUNK) as usize;
            let count = values.len().min(chunk.len() - from);
            let (now, later) = values.split_at_mut(count);
            now.copy_from_slice(&chunk[from..from + count]);
            place += count as u64;
            values = later;
        }
        Ok(())
    }

    /// A chunk of another process's values.
    fn chunk(&self, source: &mut Source, len: u64, chunk: u64) -> io::Result<Arc<Vec<u16>>> {
        if let Some((_, values)) = source.chunks.iter().find(|&&(kept, _)| kept == chunk) {
            return Ok(Arc::clone(values));
        }
        if self.monitor.has_failed() {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        let first = chunk * CHUNK;
        let count = CHUNK.min(len - first);
        let mut stop = || self.monitor.has_failed();
        let asked = [first, count, 0];
        write_patiently(&mut source.stream, bytemuck::bytes_of(&asked), &mut stop)?;
        let mut values = vec![0; count as usize];
        // All processes of a run have the same order of bytes.
        read_patiently(&mut source.stream, bytemuck::cast_slice_mut(&mut values), &mut stop)?;
        let values = Arc::new(values);
        if source.chunks.len() == KEPT {
            source.chunks.pop_front();
        }
        source.chunks.push_back((chunk, Arc::clone(&values)));
        Ok(values)
    }

    /// Says to the others that all is written.
    pub(crate) fn done(&self) {
        for peer in self.peers.iter().flatten() {
            let mut source = lock(&peer.0);
            // The values of the next tier are others.
            source.chunks.clear();
            // One that has ended by now has nothing left to do.
            let mut stop = || self.monitor.has_failed();
            let done = [DONE, 0, 0];
            let _ = write_patiently(&mut source.stream, bytemuck::bytes_of(&done), &mut stop);
        }
    }
}

impl Others for AllValues<'_> {
    fn windows(&self) -> &Windows {
        self.windows
    }

    fn ask(
        &self,
        process: usize,
        job: Vec<u8>,
        answers: u64,
        take: &mut TakeAnswer<'_>,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), TableError> {
        let Some(peer) = self.peers.get(process).and_then(Option::as_ref) else {
            return Err(TableError::malformed("a job", "is for no other process"));
        };
        let lost = |error: io::Error| {
            if says_stop(&error) && stop() {
                return SolveError::Interrupted.into();
            }
            // What the process says about it, or the monitor finds out, is said rather.
            let problem = self.monitor.wait_for_failure(NEWS).unwrap_or_else(|| {
                let name = self.monitor.name(process);
                let problem = format!("{name} does not compress its part of the table: {error}");
                self.monitor.fail(problem.clone());
                problem
            });
            SolveError::Parted { problem }.into()
        };
        let mut stop = || stop() || self.monitor.has_failed();
        let stream = &mut lock(&peer.0).stream;
        let question = [JOB, job.len() as u64, 0];
        write_patiently(stream, bytemuck::bytes_of(&question), &mut stop).map_err(&lost)?;
        write_patiently(stream, &job, &mut stop).map_err(&lost)?;
        drop(job);
        for _ in 0..answers {
            // Reading alone looks only where nothing comes.
            if stop() {
                return Err(lost(io::ErrorKind::Interrupted.into()));
            }
            let mut length = [0_u8; 8];
            read_patiently(stream, &mut length, &mut stop).map_err(&lost)?;
            let length = u64::from_ne_bytes(length);
            if length > LONGEST_RECORD as u64 {
                return Err(lost(io::ErrorKind::InvalidData.into()));
            }
            let mut bytes = vec![0; length as usize];
            read_patiently(stream, &mut bytes, &mut stop).map_err(&lost)?;
            take(bytes)?;
        }
        Ok(())
    }
}

/// The states of all windows, as the process that writes them sees them.
pub(crate) struct AllStates<'c> {
    windows: &'c Windows,
    own: &'c dyn ListedStates,
    peers: &'c [Option<Peer>],
    monitor: &'c Monitor,
}

impl<'c> AllStates<'c> {
    /// The own states, all or those of the own window, and those that the other processes serve.
    pub(crate) fn new(
        windows: &'c Windows,
        own: &'c dyn ListedStates,
        peers: &'c [Option<Peer>],
        monitor: &'c Monitor,
    ) -> AllStates<'c> {
        AllStates { windows, own, peers, monitor }
    }

    /// Asks another process for the records at so many places of its window, each of this width.
    fn ask(&self, peer: &Peer, asked: [u64; 3], width: usize) -> io::Result<Vec<u8>> {
        if self.monitor.has_failed() {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        let stream = &mut lock(&peer.0).stream;
        let mut stop = || self.monitor.has_failed();
        write_patiently(stream, bytemuck::bytes_of(&asked), &mut stop)?;
        let mut records = vec![0; asked[1] as usize * width];
        read_patiently(stream, &mut records, &mut stop)?;
        Ok(records)
    }
}

impl ListedStates for AllStates<'_> {
    fn len(&self) -> u64 {
        self.own.len()
    }

    fn here(&self) -> Range<u64> {
        0..self.len()
    }

    fn record(&self, index: u64) -> Result<Vec<u8>, String> {
        self.records(index, 1, 1)?.pop().ok_or_else(|| "has no record".into())
    }

    /// After a failure, which the monitor then knows, the records mean nothing.
    fn records(&self, first: u64, step: u64, count: u64) -> Result<Vec<Vec<u8>>, String> {
        let here = self.own.here();
        let own = |at: u64| self.own.record(first + at * step);
        // States are only shared where all records have the same width.
        let width = || self.own.record(here.start).map(|record| record.len());
        let mut records = Vec::with_capacity(count as usize);
        let mut at = 0;
        while at < count {
            let index = first + at * step;
            if here.contains(&index) {
                records.push(own(at)?);
                at += 1;
                continue;
            }
            let process: usize =
                self.windows.ends().iter().map(|&end| usize::from(end <= index)).sum();
            let Some(peer) = self.peers.get(process).and_then(Option::as_ref) else {
                return Err("has states that no process has".into());
            };
            let window = self.windows.window(process);
            let of_window = (window.end - index).div_ceil(step).min(count - at);
            let width = width()?;
            let asked = [index - window.start, of_window, step];
            let bytes = self.ask(peer, asked, width).unwrap_or_else(|problem| {
                let name = self.monitor.name(process);
                self.monitor.fail(format!("{name} gives no states: {problem}"));
                vec![0; of_window as usize * width]
            });
            records.extend(bytes.chunks_exact(width).map(<[u8]>::to_vec));
            at += of_window;
        }
        Ok(records)
    }
}
