//! The values on their way to the process that writes them. It asks each other process for the values
//! of a range of indices; those serve what they are asked for, until it is done.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Mutex;
use std::time::Duration;

use crate::cluster::monitor::Monitor;
use crate::runtime::peers::Windows;
use crate::runtime::pool::lock;
use crate::solve::Cells;

/// How many values are served at once, at most.
const MOST: usize = 1 << 20;

/// How long a read waits before it looks whether anything has happened.
const LOOK: Duration = Duration::from_millis(200);

/// The values of all windows, as the process that writes them sees them.
pub(crate) struct AllValues<'c> {
    windows: &'c Windows,
    cells: &'c Cells,
    /// A connection with each other process.
    streams: Vec<Option<Mutex<TcpStream>>>,
    monitor: &'c Monitor,
}

impl<'c> AllValues<'c> {
    /// The values of the own window in these cells, and those that the other processes serve.
    ///
    /// # Errors
    /// When a connection is lost.
    pub(crate) fn new(
        windows: &'c Windows,
        cells: &'c Cells,
        streams: Vec<Option<TcpStream>>,
        monitor: &'c Monitor,
    ) -> io::Result<AllValues<'c>> {
        streams.iter().flatten().try_for_each(|stream| stream.set_read_timeout(Some(LOOK)))?;
        let streams = streams.into_iter().map(|stream| stream.map(Mutex::new)).collect();
        Ok(AllValues { windows, cells, streams, monitor })
    }

    /// Reads packed values. After a failure, which the monitor then knows, they mean nothing.
    pub(crate) fn read(&self, first: u64, packed: &mut [u16]) {
        let mut at = first;
        let mut rest = packed;
        for (process, stream) in self.streams.iter().enumerate() {
            let window = self.windows.window(process);
            let length = window.end.saturating_sub(at).min(rest.len() as u64) as usize;
            if length == 0 || at < window.start {
                continue;
            }
            let (of_window, later) = rest.split_at_mut(length);
            match stream {
                None => self.cells.read(at - window.start, of_window),
                Some(stream) => {
                    let mut place = at - window.start;
                    for part in of_window.chunks_mut(MOST) {
                        if let Err(problem) = self.fetch(&mut lock(stream), place, part) {
                            let name = self.monitor.name(process);
                            self.monitor.fail(format!("{name} gives no values: {problem}"));
                            return;
                        }
                        place += part.len() as u64;
                    }
                }
            }
            at += length as u64;
            rest = later;
        }
    }

    fn fetch(&self, stream: &mut TcpStream, place: u64, part: &mut [u16]) -> io::Result<()> {
        if self.monitor.has_failed() {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        let request = [place.to_le_bytes(), (part.len() as u64).to_le_bytes()].concat();
        stream.write_all(&request)?;
        let mut bytes = vec![0; 2 * part.len()];
        read_patiently(stream, &mut bytes, &mut || self.monitor.has_failed())?;
        let values = bytes.as_chunks::<2>().0;
        part.iter_mut().zip(values).for_each(|(value, two)| *value = u16::from_le_bytes(*two));
        Ok(())
    }

    /// Says to the others that all is written.
    pub(crate) fn done(&self) {
        for stream in self.streams.iter().flatten() {
            // One that has ended by now has nothing left to do.
            let _ = lock(stream).write_all(&[u8::MAX; 16]);
        }
    }
}

/// Serves the values of the own window, until the process at the other end has written all.
///
/// # Errors
/// When the connection is lost, or `stop` says to stop.
pub(crate) fn serve(
    cells: &Cells,
    stream: &mut TcpStream,
    stop: &mut dyn FnMut() -> bool,
) -> io::Result<()> {
    stream.set_read_timeout(Some(LOOK))?;
    loop {
        let (mut place, mut count) = ([0; 8], [0; 8]);
        read_patiently(stream, &mut place, stop)?;
        read_patiently(stream, &mut count, stop)?;
        let (place, count) = (u64::from_le_bytes(place), u64::from_le_bytes(count));
        if place == u64::MAX {
            return Ok(());
        }
        if count > MOST as u64 || place.checked_add(count).is_none_or(|end| end > cells.len()) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut values = vec![0; count as usize];
        cells.read(place, &mut values);
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        stream.write_all(&bytes)?;
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
