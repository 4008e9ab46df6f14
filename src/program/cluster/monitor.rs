//! Signs of life. Each process sends one to each other process every second, apart from all work.
//! This distinguishes a slow process from one that hangs or has ended. A process that leaves sends
//! the reason.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::runtime::lock::lock;

/// How often a sign of life is sent.
const BEAT: Duration = Duration::from_secs(1);

/// How long a process may be silent before it is given up.
const PATIENCE: Duration = Duration::from_secs(20);

/// The messages: a sign of life, the end of the process's work, the reason why it leaves, or its
/// interruption by a person.
const ALIVE: u8 = 0;
const DONE: u8 = 1;
const LEAVES: u8 = 2;
const INTERRUPTED: u8 = 3;

/// The longest reason that is read, in bytes.
const LONGEST: u32 = 1 << 16;

/// Watches over the other processes.
#[derive(Debug)]
pub(crate) struct Monitor {
    /// The address of each process, for errors.
    addresses: Vec<String>,
    /// The first failure.
    failure: Mutex<Option<String>>,
    has_failed: AtomicBool,
    /// Whether another process was interrupted.
    is_interrupted: AtomicBool,
    /// Whether this process has announced its end.
    has_left: AtomicBool,
    streams: Mutex<Vec<TcpStream>>,
}

impl Monitor {
    /// Starts watching the processes at the other ends of these streams.
    ///
    /// # Errors
    /// If the system does not provide the threads.
    pub(crate) fn start(
        streams: Vec<Option<TcpStream>>,
        addresses: Vec<String>,
    ) -> Result<Arc<Monitor>, String> {
        let failed = |error: io::Error| format!("can't watch over the other processes: {error}");
        let mut writers = Vec::new();
        for stream in streams.iter().flatten() {
            stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
            stream.set_write_timeout(Some(PATIENCE)).map_err(failed)?;
            writers.push(stream.try_clone().map_err(failed)?);
        }
        let monitor = Arc::new(Monitor {
            addresses,
            failure: Mutex::default(),
            is_interrupted: AtomicBool::new(false),
            has_failed: AtomicBool::new(false),
            has_left: AtomicBool::new(false),
            streams: Mutex::new(writers),
        });
        for (from, stream) in streams.into_iter().enumerate() {
            let Some(stream) = stream else { continue };
            let watching = Arc::clone(&monitor);
            spawn(move || watching.watch(from, stream))?;
        }
        let beating = Arc::clone(&monitor);
        spawn(move || {
            while !beating.has_left.load(Ordering::Relaxed) {
                beating.tell(&[ALIVE]);
                thread::sleep(BEAT);
            }
        })?;
        Ok(monitor)
    }

    /// The failure of another process, if one failed.
    pub(crate) fn failure(&self) -> Option<String> {
        lock(&self.failure).clone()
    }

    /// Whether another process failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// Whether another process was interrupted, and with it the run.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.is_interrupted.load(Ordering::Relaxed)
    }

    /// Waits a while for the failure of another process.
    pub(crate) fn wait_for_failure(&self, at_most: Duration) -> Option<String> {
        let until = Instant::now() + at_most;
        while !self.has_failed() && Instant::now() < until {
            thread::sleep(Duration::from_millis(20));
        }
        self.failure()
    }

    /// Notes a failure.
    pub(crate) fn fail(&self, problem: String) {
        lock(&self.failure).get_or_insert(problem);
        self.has_failed.store(true, Ordering::Relaxed);
    }

    /// The name of another process in errors.
    pub(crate) fn name(&self, process: usize) -> String {
        format!("process {process} ({})", self.addresses[process])
    }

    /// Informs all others why this process leaves.
    pub(crate) fn leave(&self, reason: &str) {
        self.has_left.store(true, Ordering::Relaxed);
        let reason = &reason.as_bytes()[..reason.len().min(LONGEST as usize)];
        let length = (reason.len() as u32).to_le_bytes();
        self.tell(&[&[LEAVES][..], &length, reason].concat());
    }

    /// Informs all others that this process was interrupted.
    pub(crate) fn interrupt(&self) {
        self.has_left.store(true, Ordering::Relaxed);
        self.tell(&[INTERRUPTED]);
    }

    /// Informs all others that this process has done its work.
    pub(crate) fn done(&self) {
        self.has_left.store(true, Ordering::Relaxed);
        self.tell(&[DONE]);
    }

    /// Sends bytes to all others. A process that does not take them is detected by its own silence.
    fn tell(&self, bytes: &[u8]) {
        for stream in lock(&self.streams).iter_mut() {
            let _ = stream.write_all(bytes);
        }
    }

    /// Reads the messages of a process, until it ends.
    fn watch(&self, from: usize, mut stream: TcpStream) {
        let name = self.name(from);
        let problem = loop {
            match read(&mut stream) {
                Ok(Said::Alive) => {}
                Ok(Said::Done) => return,
                Ok(Said::Interrupted) => {
                    self.is_interrupted.store(true, Ordering::Relaxed);
                    break format!("{name} was interrupted");
                }
                Ok(Said::Leaves(reason)) => break format!("{name} gave up: {reason}"),
                Err(error) if is_silence(&error) => {
                    let seconds = PATIENCE.as_secs();
                    break format!(
                        "{name} has given no sign of life for {seconds} s: it hangs, or the network \
                         between is cut"
                    );
                }
                Err(_) => {
                    break format!("{name} ended without a word: it was killed, or it crashed");
                }
            }
        };
        self.fail(problem);
    }
}

fn spawn(work: impl FnOnce() + Send + 'static) -> Result<(), String> {
    let spawned = thread::Builder::new().spawn(work);
    spawned.map(drop).map_err(|error| format!("can't start a thread: {error}"))
}

/// A message of a process.
enum Said {
    Alive,
    Done,
    Interrupted,
    Leaves(String),
}

fn read(stream: &mut TcpStream) -> io::Result<Said> {
    let mut kind = [0];
    stream.read_exact(&mut kind)?;
    match kind[0] {
        ALIVE => Ok(Said::Alive),
        DONE => Ok(Said::Done),
        INTERRUPTED => Ok(Said::Interrupted),
        _ => {
            let mut length = [0; 4];
            stream.read_exact(&mut length)?;
            let length = u32::from_le_bytes(length).min(LONGEST);
            let mut reason = vec![0; length as usize];
            stream.read_exact(&mut reason)?;
            Ok(Said::Leaves(String::from_utf8_lossy(&reason).into_owned()))
        }
    }
}

/// Whether nothing came in time.
fn is_silence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}
