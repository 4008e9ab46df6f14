//! `solve --processes` and `solve --hosts`: the processes that solve a game together. The first is
//! started by a supervisor, which starts a copy of this program for each; the second joins processes that
//! were started elsewhere.

use std::env;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use bytesize::ByteSize;
use clap::{Arg, ArgMatches, Command, value_parser};
use indicatif::HumanCount;
use twox_hash::XxHash3_64;

use crate::cli::commands::resources;
use crate::cli::entry::has_tiers;
use crate::cli::session::Session;
use crate::cli::{CliError, Registered};
use crate::cluster::{Cluster, Done, JOIN, Place, Run, Token, hash, listen, read_hosts};
use crate::error::TableError;
use crate::numbering::scheme::{Numberings, Scheme, SchemeVisitor};
use crate::runtime::peers::Sent;
use crate::solve::Solver;
use crate::table::{Compression, Destination, parameters};

/// The names of the options.
const PROCESSES: &str = "processes";
const HOSTS: &str = "hosts";
const PROCESS: &str = "process";
const TOKEN: &str = "token";

/// What tells a copy of this program that a supervisor started it: its place, the supervisor's port,
/// and the token.
pub(super) const MEMBER: &str = "RETROGRADE_MEMBER";

/// How long processes of one machine wait for each other to connect, once all have started.
const JOIN_STARTED: Duration = Duration::from_secs(30);

/// How many bytes a token has at the least.
const SHORTEST_TOKEN: usize = 16;

/// Adds `--processes`, `--hosts`, `--process` and `--token`.
pub(super) fn arguments(command: Command) -> Command {
    let processes = Arg::new(PROCESSES)
        .long(PROCESSES)
        .value_name("N")
        .display_order(806)
        .allow_negative_numbers(true)
        .conflicts_with(HOSTS)
        .help(
            "Solve with so many processes of this machine. Each has a part of the positions in \
             memory, --threads threads and --memory bytes. With --checkpoint, any number of processes \
             resumes",
        )
        .value_parser(value_parser!(u16).range(1..=256));
    let hosts = Arg::new(HOSTS)
        .long(HOSTS)
        .value_name("FILE")
        .display_order(807)
        .requires_all([PROCESS, TOKEN])
        .help(
            "Solve together with processes of other machines. The file has a line for each process: \
             ADDRESS:PORT, where it listens. Start the same command for each, with its --process",
        )
        .value_parser(value_parser!(PathBuf));
    let process = Arg::new(PROCESS)
        .long(PROCESS)
        .value_name("K")
        .display_order(808)
        .requires(HOSTS)
        .allow_negative_numbers(true)
        .help("Which line of the hosts file this process is, from 0. Process 0 writes the table")
        .value_parser(value_parser!(u16));
    let token = Arg::new(TOKEN)
        .long(TOKEN)
        .value_name("FILE")
        .display_order(809)
        .requires(HOSTS)
        .help("A file with a secret of 16 bytes or more that all processes of the run have")
        .value_parser(value_parser!(PathBuf));
    command.args([processes, hosts, process, token])
}

/// Whether this program is to start the processes.
pub(super) fn is_supervisor(options: &ArgMatches) -> bool {
    options.contains_id(PROCESSES) && env::var_os(MEMBER).is_none()
}

/// How many processes the options ask for.
pub(super) fn processes(options: &ArgMatches) -> usize {
    options.get_one::<u16>(PROCESSES).map_or(1, |&count| count.into())
}

/// The part of a process in a run of several.
pub(super) enum Member {
    /// Started by a supervisor of this machine.
    Started { own: usize, count: usize, port: u16, token: Token },
    /// One of a hosts file.
    Listed(Place),
}

/// What this process is in a run of several; `None` if it solves alone.
pub(super) fn member(options: &ArgMatches) -> Result<Option<Member>, CliError> {
    if let Some(hosts) = options.get_one::<PathBuf>(HOSTS) {
        let addresses = read_hosts(hosts).map_err(CliError::usage)?;
        let own = options.get_one::<u16>(PROCESS).map_or(0, |&own| own.into());
        if own >= addresses.len() {
            let (hosts, count) = (hosts.display(), addresses.len());
            return Err(CliError::usage(format!(
                "--process {own}: {hosts} lists {count} processes, the first of them number 0"
            )));
        }
        let token = token(options)?;
        return Ok(Some(Member::Listed(Place { own, addresses, token, patience: JOIN })));
    }
    let Ok(member) = env::var(MEMBER) else { return Ok(None) };
    if !options.contains_id(PROCESSES) {
        return Ok(None);
    }
    let words: Vec<&str> = member.split(' ').collect();
    let wrong = || CliError::usage(format!("{MEMBER} is set by the program itself alone"));
    let [own, port, token] = words[..] else { return Err(wrong()) };
    let own = own.parse().map_err(|_| wrong())?;
    let port = port.parse().map_err(|_| wrong())?;
    let count = processes(options);
    Ok(Some(Member::Started { own, count, port, token: Token::of(token) }))
}

/// The token in the file that the options name.
fn token(options: &ArgMatches) -> Result<Token, CliError> {
    let Some(path) = options.get_one::<PathBuf>(TOKEN) else {
        return Err(CliError::usage("--hosts needs --token FILE"));
    };
    let name = path.display();
    let text = fs::read_to_string(path)
        .map_err(|error| CliError::failed(format!("can't read the token in {name}: {error}")))?;
    let token = Token::of(&text);
    if token.len() < SHORTEST_TOKEN {
        return Err(CliError::usage(format!(
            "the token in {name} is shorter than {SHORTEST_TOKEN} bytes: write random ones there, and \
             copy the file to all hosts"
        )));
    }
    Ok(token)
}

/// Refuses what several processes can't do.
pub(super) fn check(numbering: &str, options: &ArgMatches) -> Result<(), CliError> {
    if !options.contains_id(PROCESSES) && !options.contains_id(HOSTS) {
        return Ok(());
    }
    if has_tiers(numbering) && options.contains_id("outcome-only") {
        return Err(CliError::usage(
            "several processes write the tables of tiers alone: leave --outcome-only out",
        ));
    }
    if options.contains_id("output") || options.contains_id("outcome-only") {
        return Ok(());
    }
    Err(CliError::usage("several processes need --output FILE, where the first writes the table"))
}

impl Member {
    /// Whether this process writes the table and prints the figures.
    pub(super) fn writes(&self) -> bool {
        self.own() == 0
    }

    /// The place of this process among all.
    fn own(&self) -> usize {
        match self {
            Member::Started { own, .. } | Member::Listed(Place { own, .. }) => *own,
        }
    }

    /// Connects with the other processes.
    pub(super) fn join<G: Registered>(
        &self,
        game: &G,
        numbering: &str,
        checkpoints: bool,
        session: &Session,
    ) -> Result<Cluster, CliError> {
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
            game: G::NAME.into(),
            parameters: hash(&parameters(game).map_err(CliError::failed)?),
            numbering: numbering.into(),
            processes: place.addresses.len() as u32,
            checkpoints,
        };
        Cluster::join(listener, place, &run, &mut || session.is_stopped()).map_err(CliError::failed)
    }
}

/// The checksum of this program's file.
fn checksum_of_program() -> Result<u64, CliError> {
    let read = env::current_exe().and_then(fs::read);
    let bytes = read.map_err(|error| {
        CliError::failed(format!("can't read the program's own file, to compare it: {error}"))
    })?;
    Ok(XxHash3_64::oneshot(&bytes))
}

/// A solver within the limits of the options. The processes of one machine share its threads and its
/// memory, unless the options say what each takes.
pub(super) fn solver<'g, 'p, G: Registered>(
    game: &'g G,
    options: &ArgMatches,
) -> Solver<'g, 'p, G> {
    let mut solver = resources::solver(game, options);
    if options.contains_id(PROCESSES) {
        let count = processes(options);
        if resources::threads(options).is_none() {
            let threads = thread::available_parallelism().map_or(1, usize::from);
            solver = solver.threads(threads.div_ceil(count));
        }
        if !options.contains_id("memory")
            && let Some(bytes) = resources::memory(options)
        {
            solver = solver.memory(bytes / count as u64);
        }
    }
    solver
}

/// Solves the own window of a game in a scheme.
pub(super) struct SolveAs<'r, 'g, G: Registered> {
    pub(super) cluster: Cluster,
    pub(super) solver: Solver<'g, 'r, G>,
    pub(super) destinations: Vec<Destination>,
    pub(super) session: &'r mut Session,
}

impl<G: Registered> SchemeVisitor<G> for SolveAs<'_, '_, G> {
    type Output = Result<Done, TableError>;

    fn visit<S: Scheme<G>>(self) -> Self::Output {
        let SolveAs { cluster, solver, destinations, session } = self;
        cluster.solve::<G, S>(solver, destinations, |progress| session.report(progress))
    }
}

/// Solves a game tier by tier in a scheme.
pub(super) struct SolveTiersAs<'r, 'g, 'o, G: Registered> {
    pub(super) cluster: Cluster,
    pub(super) solver: Solver<'g, 'r, G>,
    pub(super) folder: &'o Path,
    pub(super) tier: Option<&'o str>,
    pub(super) compression: Compression,
    pub(super) session: &'r mut Session,
}

impl<G: Registered> SchemeVisitor<G> for SolveTiersAs<'_, '_, '_, G> {
    type Output = Result<Done, TableError>;

    fn visit<S: Scheme<G>>(self) -> Self::Output {
        let SolveTiersAs { cluster, solver, folder, tier, compression, session } = self;
        let progress = |progress| session.report(progress);
        cluster.solve_tiers::<G, S>(solver, folder, tier, compression, progress)
    }
}

/// Says so where no process has less to discover than one alone: states that are not packed have no bytes
/// that could be sent.
pub(super) fn note_not_shared<G: Registered>(numbering: &str, session: &Session) {
    if let Some(tiers) = numbering.strip_prefix("explored") {
        let packed = format!("packed{tiers}");
        let hint = match <G::Numberings as Numberings<G>>::NAMES.contains(&packed.as_str()) {
            true => format!("--numbering {packed} shares them out"),
            false => "a game that implements Packed can share them out".into(),
        };
        session.note(&format!(
            "every process discovers all positions and holds them in memory: {hint}"
        ));
    }
}

/// Prints what the processes sent each other.
pub(super) fn note_sent(done: &Done, session: &Session) {
    let Sent { messages, bytes } = done.sent;
    let (messages, bytes) = (HumanCount(messages), ByteSize::b(bytes).display().iec());
    session.note(&format!("the processes sent each other {messages} messages in {bytes}"));
}

/// What the supervisor sends when the run is to stop.
pub(super) const STOP: u8 = b's';

/// The listener and the addresses of a process that a supervisor started. From here on, the process stops
/// when the supervisor says so, or ends.
fn started(
    own: usize,
    count: usize,
    port: u16,
    token: &Token,
    session: &Session,
) -> Result<(TcpListener, Place), CliError> {
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
    let stop = session.stopper().unwrap_or_default();
    thread::spawn(move || {
        let mut said = [0];
        // The end of the supervisor is as good as its word.
        let _ = supervisor.read_exact(&mut said);
        stop.store(true, Ordering::Relaxed);
    });
    Ok((listener, Place { own, addresses, token: token.clone(), patience: JOIN_STARTED }))
}
