//! One of several processes that solve a game together. A supervisor on this machine started it, or
//! a hosts file lists it.

use std::env;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use clap::ArgMatches;
use twox_hash::XxHash3_64;

use crate::error::{CheckpointError, SolveError, TableError};
use crate::numbering::scheme::Scheme;
use crate::program::cli::commands::resources;
use crate::program::cli::commands::solve::checkpoints;
use crate::program::cli::commands::solve::together::options::{MEMBER, Options};
use crate::program::cli::commands::solve::work::{Done, Target};
use crate::program::cli::session::Session;
use crate::program::cli::{CliError, Registered};
use crate::program::cluster::{
    self, Cluster, JOIN, Membership, Run, Token, hash, listen, read_hosts,
};
use crate::runtime::progress::Progress;
use crate::solve::Solver;
use crate::table::{Checkpoints, Table, parameters};

/// How long processes of one machine wait for each other to connect, once all have started.
const JOIN_STARTED: Duration = Duration::from_secs(30);

/// The least length of a token, in bytes.
const SHORTEST_TOKEN: usize = 16;

/// The part of a process in a run of several.
pub(in crate::program::cli) enum Member {
    /// Started by a supervisor on this machine.
    Started { own: usize, count: usize, port: u16, token: Token },
    /// Listed in a hosts file.
    Listed(Membership),
}

impl Member {
    /// The part of this process by its options and its supervisor; `None` if it solves alone.
    pub(in crate::program::cli) fn of(options: &ArgMatches) -> Result<Option<Member>, CliError> {
        let Options { processes, hosts, process, token } = Options::of(options)?;
        if let (Some(hosts), Some(token)) = (&hosts, &token) {
            let addresses = read_hosts(hosts).map_err(CliError::usage)?;
            let own = process.map_or(0, usize::from);
            if own >= addresses.len() {
                let (hosts, count) = (hosts.display(), addresses.len());
                return Err(CliError::usage(format!(
                    "--process {own}: {hosts} lists {count} processes, numbered from 0"
                )));
            }
            let token = read_token(token)?;
            return Ok(Some(Member::Listed(Membership { own, addresses, token, patience: JOIN })));
        }
        let (Ok(member), Some(count)) = (env::var(MEMBER), processes) else { return Ok(None) };
        let words: Vec<&str> = member.split(' ').collect();
        let wrong =
            || CliError::usage(format!("{MEMBER} is set only by the program itself: unset it"));
        let [own, port, token] = words[..] else { return Err(wrong()) };
        let own = own.parse().map_err(|_| wrong())?;
        let port = port.parse().map_err(|_| wrong())?;
        Ok(Some(Member::Started { own, count: count.into(), port, token: Token::new(token) }))
    }

    /// Whether this process writes the table and prints the figures.
    pub(in crate::program::cli) fn writes(&self) -> bool {
        self.own() == 0
    }

    /// The place of this process among all.
    fn own(&self) -> usize {
        match self {
            Member::Started { own, .. } | Member::Listed(Membership { own, .. }) => *own,
        }
    }

    /// The checkpoints of this process in a folder.
    pub(in crate::program::cli) fn checkpoints(
        &self,
        folder: &Path,
    ) -> Result<Checkpoints, CheckpointError> {
        match self.writes() {
            true => Checkpoints::in_folder(folder),
            false => Checkpoints::of_other_process(folder),
        }
    }

    /// The processes of one machine share its cores and its memory, unless the options set the
    /// share of each.
    pub(in crate::program::cli) fn share<'g, 'p, G: Registered>(
        &self,
        mut solver: Solver<'g, 'p, G>,
        options: &ArgMatches,
    ) -> Solver<'g, 'p, G> {
        let Member::Started { count, .. } = self else { return solver };
        if resources::threads(options).is_none() {
            let threads = thread::available_parallelism().map_or(1, usize::from);
            solver = solver.threads(threads.div_ceil(*count));
        }
        match resources::memory(options) {
            Some(bytes) if !options.contains_id("memory") => solver.memory(bytes / *count as u64),
            _ => solver,
        }
    }

    /// Connects with the other processes.
    pub(in crate::program::cli) fn join<G: Registered>(
        &self,
        game: &G,
        numbering: &str,
        checkpoints: bool,
        session: &Session,
    ) -> Result<Joined, CliError> {
        let (listener, place, binary) = match self {
            // All are started from one file.
            Member::Started { own, count, port, token } => {
                let (listener, place) = started(*own, *count, *port, token, session)?;
                (listener, place, 0)
            }
            Member::Listed(place) => {
                let listener = listen(&place.addresses[place.own]).map_err(CliError::failed)?;
                (listener, place.clone(), checksum_of_program()?)
            }
        };
        let run = Run {
            binary,
            little_endian: cfg!(target_endian = "little"),
            game: game.name().into(),
            parameters: hash(&parameters(game).map_err(CliError::failed)?),
            numbering: numbering.into(),
            processes: place.addresses.len() as u32,
            checkpoints,
        };
        let joined = Cluster::join(listener, place, &run, &mut || session.is_stopped());
        joined.map(Joined).map_err(CliError::failed)
    }

    /// The error of the command for a failed run, or the error itself if one process alone would
    /// report the same.
    pub(in crate::program::cli) fn failed(
        &self,
        error: TableError,
        folder: Option<&PathBuf>,
        checkpoints: Option<&Checkpoints>,
    ) -> Result<CliError, TableError> {
        // The checkpoints contain the tier that was begun. The finished ones are in the folder.
        let Some(folder) = folder.filter(|_| checkpoints.and_then(Checkpoints::progress).is_none())
        else {
            return Ok(match checkpoints {
                _ if error.is_interrupted() => checkpoints::interrupted(checkpoints),
                Some(checkpoints) => {
                    let saved = checkpoints::what_is_saved(checkpoints);
                    CliError::from(error).reworded(|error| format!("{error}; {saved}"))
                }
                None => CliError::from(error),
            });
        };
        match &error {
            TableError::Solve(SolveError::PeerError { .. }) if Table::open(folder).is_ok() => {
                let folder = folder.display();
                Ok(CliError::failed(format!(
                    "{error}; the finished tiers are in {folder}: run the same command again to \
                     resume"
                )))
            }
            _ => Err(error),
        }
    }
}

/// The connections with the other processes.
pub(in crate::program::cli) struct Joined(Cluster);

impl Joined {
    /// Solves the own part of a game in a scheme, together with the others.
    pub(in crate::program::cli) fn solve<'g, 'p, G: Registered, S: Scheme<G>>(
        self,
        solver: Solver<'g, 'p, G>,
        target: Target<'_>,
        progress: impl FnMut(Progress) -> ControlFlow<()> + 'p,
    ) -> Result<Done<'g, G>, TableError> {
        let cluster::Done { tiers, written, sent, solved } = match target {
            Target::Files(files) => self.0.solve::<G, S>(solver, files, progress)?,
            Target::Folder { path, tier, compression } => {
                self.0.solve_tiers::<G, S>(solver, path, tier, compression, progress)?
            }
        };
        let solved = solved.unwrap_or_else(Instant::now);
        Ok(Done { tiers, solved, solution: None, written, sent: Some(sent) })
    }
}

/// The token in a file.
fn read_token(path: &Path) -> Result<Token, CliError> {
    let name = path.display();
    let text = fs::read_to_string(path)
        .map_err(|error| CliError::failed(format!("can't read the token in {name}: {error}")))?;
    let token = Token::new(&text);
    if token.len() < SHORTEST_TOKEN {
        return Err(CliError::usage(format!(
            "the token in {name} is shorter than {SHORTEST_TOKEN} bytes: write random bytes to the \
             file, and copy it to all hosts"
        )));
    }
    Ok(token)
}

/// The checksum of this program's file.
fn checksum_of_program() -> Result<u64, CliError> {
    let read = env::current_exe().and_then(fs::read);
    let bytes = read.map_err(|error| {
        CliError::failed(format!(
            "can't read the program's own file, which the processes compare: {error}"
        ))
    })?;
    Ok(XxHash3_64::oneshot(&bytes))
}

/// The listener and the addresses of a process that a supervisor started. From here on, the process
/// stops when the supervisor tells it to, or ends.
fn started(
    own: usize,
    count: usize,
    port: u16,
    token: &Token,
    session: &Session,
) -> Result<(TcpListener, Membership), CliError> {
    let failed = |error: std::io::Error| {
        CliError::failed(format!("lost the process that started this one: {error}"))
    };
    let listener = listen("127.0.0.1:0").map_err(CliError::failed)?;
    let mut supervisor = TcpStream::connect(("127.0.0.1", port)).map_err(failed)?;
    let own_port = listener.local_addr().map_err(failed)?.port();
    let line = format!("{} {own} {own_port}\n", token.text());
    supervisor.write_all(line.as_bytes()).map_err(failed)?;
    let mut ports = vec![0; 2 * count];
    supervisor.read_exact(&mut ports).map_err(failed)?;
    let ports = ports.as_chunks::<2>().0.iter().map(|&port| u16::from_le_bytes(port));
    let addresses = ports.map(|port| format!("127.0.0.1:{port}")).collect();
    let stop = Arc::clone(&session.stop);
    thread::spawn(move || {
        let mut said = [0];
        // If the supervisor ends, the process stops too.
        let _ = supervisor.read_exact(&mut said);
        stop.store(true, Ordering::Relaxed);
    });
    Ok((listener, Membership { own, addresses, token: token.clone(), patience: JOIN_STARTED }))
}
