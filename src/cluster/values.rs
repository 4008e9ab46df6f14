//! The values on their way to the process that writes them. It asks each other process for the values
//! of a range of indices; those serve what they are asked for, until it is done.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::cluster::monitor::Monitor;
use crate::runtime::peers::Windows;
use crate::runtime::pool::lock;
use crate::solve::Cells;

/// How many values are asked for at once: as many as a block of a table has, since what is asked for next
/// is most often close by.
const CHUNK: u64 = 1 << 18;

/// How many chunks of each other process are kept: enough for a few threads that read blocks.
const KEPT: usize = 8;

/// Prepares the connections with the other processes.
///
/// # Errors
/// When one is lost.
pub(crate) fn prepare(streams: Vec<Option<TcpStream>>) -> io::Result<Vec<Option<Peer>>> {
    streams.iter().flatten().try_for_each(|stream| stream.set_read_timeout(Some(LOOK)))?;
    let peer = |stream| Peer(Mutex::new(Source { stream, chunks: VecDeque::new() }));
    Ok(streams.into_iter().map(|stream| stream.map(peer)).collect())
}

/// The connection with another process.
pub(crate) struct Peer(Mutex<Source>);

struct Source {
    stream: TcpStream,
    /// The values that were fetched last, by their place in units of [`CHUNK`].
    chunks: VecDeque<(u64, Arc<Vec<u16>>)>,
}

/// How long a read waits before it looks whether anything has happened.
const LOOK: Duration = Duration::from_millis(200);

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
        source.stream.write_all(&[first.to_le_bytes(), count.to_le_bytes()].concat())?;
        let mut values = vec![0; count as usize];
        let mut stop = || self.monitor.has_failed();
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
            let _ = source.stream.write_all(&[u8::MAX; 16]);
        }
    }
}

/// Serves the values of the own window, until the process at the other end has written all.
///
/// # Errors
/// When the connection is lost, or `stop` says to stop.
pub(crate) fn serve(cells: &Cells, peer: &Peer, stop: &mut dyn FnMut() -> bool) -> io::Result<()> {
    let stream = &mut lock(&peer.0).stream;
    loop {
        let (mut place, mut count) = ([0; 8], [0; 8]);
        read_patiently(stream, &mut place, stop)?;
        read_patiently(stream, &mut count, stop)?;
        let (place, count) = (u64::from_le_bytes(place), u64::from_le_bytes(count));
        if place == u64::MAX {
            return Ok(());
        }
        if count > CHUNK || place.checked_add(count).is_none_or(|end| end > cells.len()) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut values: Vec<u16> = vec![0; count as usize];
        cells.read(place, &mut values);
        stream.write_all(bytemuck::cast_slice(&values))?;
    }
}

/// Fills the buffer, however long that takes, unless `stop` says to stop.
fn read_patiently(
    stream: &mut TcpStream,
    mut buffer: &mut [u8],
    stop: &mut dyn FnMut() -> bool,
) -> io::Result<()> {
    while !buffer.is_empty() {
        match stream.read(buffer) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => buffer = &mut buffer[read..],
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock
                        | io::ErrorKind::TimedOut
                        | io::ErrorKind::Interrupted
                ) =>
            {
                if stop() {
                    return Err(io::ErrorKind::ConnectionAborted.into());
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
