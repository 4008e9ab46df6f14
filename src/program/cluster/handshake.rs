//! The connections between all processes of a run. Before any work, both sides of each connection
//! show that they know the token of the run and take part in the same run.
//!
//! Each process listens at its address and connects to the processes before it. Both sides send
//! random bytes, and then a keyed hash (HMAC-SHA256, keyed by the token) of the random bytes of
//! both and of their introduction. The token itself is never sent. The bytes sent afterwards are
//! neither encrypted nor signed.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use hmac_sha256::HMAC;
use serde::{Deserialize, Serialize};

use crate::runtime::codec;

/// The first bytes of every connection.
const MAGIC: [u8; 8] = *b"rtgproc1";

/// How long processes of several machines wait for each other: a person has to start each.
pub(crate) const JOIN: Duration = Duration::from_secs(60);

/// How long one step of a handshake may take.
const STEP: Duration = Duration::from_secs(10);

/// How long a process waits before it tries to connect again.
const AGAIN: Duration = Duration::from_millis(50);

/// The longest introduction that is read, in bytes.
const LONGEST: u32 = 1 << 12;

type Nonce = [u8; 32];

/// The secret that all processes of a run know.
#[derive(Clone)]
pub(crate) struct Token(Vec<u8>);

impl Token {
    /// A random token.
    ///
    /// # Errors
    /// If the system provides no random bytes.
    pub(crate) fn random() -> Result<Token, String> {
        let bytes: Nonce = random()?;
        Ok(Token(bytes.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()).collect()))
    }

    /// The token with this text.
    pub(crate) fn new(text: &str) -> Token {
        Token(text.trim().as_bytes().to_vec())
    }

    /// The token as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }

    /// The length of the token in bytes.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

fn random() -> Result<Nonce, String> {
    let mut bytes = Nonce::default();
    getrandom::fill(&mut bytes)
        .map_err(|error| format!("the system has no random bytes: {error}"))?;
    Ok(bytes)
}

/// The properties of a run on which all its processes have to agree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Run {
    /// The checksum of the program.
    pub(crate) binary: u64,
    pub(crate) little_endian: bool,
    pub(crate) game: String,
    /// The hash of the game's parameters, which may be long.
    pub(crate) parameters: [u8; 32],
    pub(crate) numbering: String,
    pub(crate) processes: u32,
    /// Whether the run saves checkpoints, which all processes do together.
    pub(crate) checkpoints: bool,
}

impl Run {
    /// The difference from another run, in words.
    fn difference(&self, other: &Run) -> Option<String> {
        let different = |what: &str| {
            Some(format!(
                "{what} (every process has to be started with the same command, program and kind of machine)"
            ))
        };
        if self.processes != other.processes {
            let (own, theirs) = (self.processes, other.processes);
            return different(&format!("it takes part in a run of {theirs} processes, not {own}"));
        }
        if self.game != other.game {
            return different(&format!("it solves {}, not {}", other.game, self.game));
        }
        if self.parameters != other.parameters {
            return different("it solves the same game with other parameters");
        }
        if self.numbering != other.numbering {
            let (own, theirs) = (&self.numbering, &other.numbering);
            return different(&format!("it numbers states as {theirs}, not {own}"));
        }
        if self.checkpoints != other.checkpoints {
            let option = if other.checkpoints { "has --checkpoint" } else { "has no --checkpoint" };
            return different(&format!("it {option}, unlike this process"));
        }
        if self.little_endian != other.little_endian {
            return different("its bytes have another order");
        }
        (self.binary != other.binary)
            .then_some(())
            .and_then(|()| different("it is another program"))
    }
}

/// The hash of a game's parameters.
pub(crate) fn hash(parameters: &str) -> [u8; 32] {
    hmac_sha256::Hash::hash(parameters.as_bytes())
}

/// The purpose of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Purpose {
    /// The messages of the solver.
    Work,
    /// Signs of life, and the reason why a process leaves.
    Control,
}

const PURPOSES: [Purpose; 2] = [Purpose::Work, Purpose::Control];

/// The introduction of each side.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Hello {
    from: u32,
    to: u32,
    purpose: Purpose,
    run: Run,
}

/// The number of a process among all, and the data to reach the others.
#[derive(Clone)]
pub(crate) struct Membership {
    pub(crate) own: usize,
    /// The address where each process listens.
    pub(crate) addresses: Vec<String>,
    pub(crate) token: Token,
    /// How long the others may take to connect.
    pub(crate) patience: Duration,
}

/// The connections with each other process; `None` for this one.
pub(crate) struct Connections {
    pub(crate) work: Vec<Option<TcpStream>>,
    pub(crate) control: Vec<Option<TcpStream>>,
}

impl Connections {
    fn none(count: usize) -> Connections {
        let none = || (0..count).map(|_| None).collect();
        Connections { work: none(), control: none() }
    }

    fn all(&mut self, purpose: Purpose) -> &mut Vec<Option<TcpStream>> {
        match purpose {
            Purpose::Work => &mut self.work,
            Purpose::Control => &mut self.control,
        }
    }

    /// The first process to which a connection is missing.
    fn missing(&self, own: usize) -> Option<usize> {
        let all = [&self.work, &self.control];
        (0..self.work.len()).find(|&at| at != own && all.iter().any(|of| of[at].is_none()))
    }
}

/// Listens at an address.
///
/// # Errors
/// If the address does not belong to this machine, or is in use.
pub(crate) fn listen(address: &str) -> Result<TcpListener, String> {
    TcpListener::bind(address).map_err(|error| {
        format!(
            "can't listen at {address}: {error}; it has to be an address of this machine, with a port \
             that is free"
        )
    })
}

/// Connects with all other processes. `stop` returns whether to give up.
///
/// # Errors
/// If a process does not connect in time, has another token, or takes part in another run.
pub(crate) fn connect_all(
    listener: TcpListener,
    membership: &Membership,
    run: &Run,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Connections, String> {
    let Membership { own, addresses, patience, .. } = membership;
    let until = Instant::now() + *patience;
    let is_done = Arc::new(AtomicBool::new(false));
    let connected = accept_in_background(listener, membership, run, &is_done)?;
    let mut connections = Connections::none(addresses.len());
    let mut refused: Option<String> = None;
    let result = (|| {
        for (to, address) in addresses.iter().enumerate().take(*own) {
            for purpose in PURPOSES {
                let hello = Hello { from: *own as u32, to: to as u32, purpose, run: run.clone() };
                let stream = connect(address, membership, &hello, until, stop)?;
                connections.all(purpose)[to] = Some(stream);
            }
        }
        while let Some(missing) = connections.missing(*own) {
            if stop() {
                return Err("interrupted".into());
            }
            match connected.recv_timeout(AGAIN) {
                Ok(Ok((hello, stream))) => {
                    let from = hello.from as usize;
                    connections.all(hello.purpose)[from] = Some(stream);
                }
                Ok(Err(Refusal::Of(problem))) => return Err(problem),
                Ok(Err(Refusal::Stranger(problem))) => refused = Some(problem),
                Err(_) if Instant::now() < until => {}
                Err(_) => {
                    let address = &addresses[missing];
                    let refused = refused.as_ref().map_or(String::new(), |refused| {
                        format!("; a connection was refused: {refused}")
                    });
                    return Err(format!(
                        "process {missing} ({address}) has not connected within {} s{refused}",
                        patience.as_secs()
                    ));
                }
            }
        }
        Ok(())
    })();
    is_done.store(true, Ordering::Relaxed);
    result.map(|()| connections)
}

/// The reason why a connection is refused.
enum Refusal {
    /// It comes from somebody who does not know the token, and does not matter to the run.
    Stranger(String),
    /// It comes from a process with the token that takes part in another run.
    Of(String),
}

type Accepted = Result<(Hello, TcpStream), Refusal>;

/// Accepts connections of the processes behind this one, until all are connected.
fn accept_in_background(
    listener: TcpListener,
    membership: &Membership,
    run: &Run,
    is_done: &Arc<AtomicBool>,
) -> Result<mpsc::Receiver<Accepted>, String> {
    listener.set_nonblocking(true).map_err(|error| format!("can't listen: {error}"))?;
    let ips: Vec<Vec<IpAddr>> =
        membership.addresses.iter().map(|address| ips_of(address)).collect();
    let (accepted, connections) = mpsc::channel();
    let is_done = Arc::clone(is_done);
    let (own, token, run) = (membership.own as u32, membership.token.clone(), run.clone());
    let accept = move || {
        while !is_done.load(Ordering::Relaxed) {
            let Ok((stream, from)) = listener.accept() else {
                thread::sleep(AGAIN / 5);
                continue;
            };
            // A silent stranger must not keep others waiting.
            let (accepted, token, run) = (accepted.clone(), token.clone(), run.clone());
            let ips = ips.clone();
            thread::spawn(move || {
                let _ = accepted.send(answer(stream, from, own, &ips, &token, &run));
            });
        }
    };
    thread::Builder::new()
        .spawn(accept)
        .map_err(|error| format!("can't start a thread: {error}"))?;
    Ok(connections)
}

/// The addresses that a name stands for.
fn ips_of(address: &str) -> Vec<IpAddr> {
    let addresses = address.to_socket_addrs();
    addresses.map_or_else(|_| Vec::new(), |all| all.map(|address| address.ip()).collect())
}

/// Prepares a stream for a handshake.
fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(STEP))?;
    stream.set_write_timeout(Some(STEP))
}

/// Ends the handshake: the stream has no time limits from now on.
fn release(stream: &TcpStream) -> io::Result<()> {
    stream.set_read_timeout(None)?;
    stream.set_write_timeout(None)
}

/// The accepting side of the handshake.
fn answer(
    mut stream: TcpStream,
    from: SocketAddr,
    own: u32,
    ips: &[Vec<IpAddr>],
    token: &Token,
    run: &Run,
) -> Accepted {
    let stranger = |problem: &str| Refusal::Stranger(format!("{from} {problem}"));
    let silent = |_| stranger("does not say what is expected");
    prepare(&stream).map_err(silent)?;
    let theirs = read_greeting(&mut stream).map_err(silent)?;
    let nonce = random().map_err(Refusal::Of)?;
    stream.write_all(&[&MAGIC[..], &nonce].concat()).map_err(silent)?;
    let both = [theirs, nonce].concat();
    let Some(hello) = read_hello(&mut stream, b"c", &both, token).map_err(silent)? else {
        let _ = stream.write_all(&[REFUSED]);
        return Err(stranger("has another token"));
    };
    let other = hello.from as usize;
    let is_ours = run.difference(&hello.run).is_none() && hello.to == own;
    if is_ours && ips.get(other).is_some_and(|ips| !ips.contains(&from.ip())) {
        let _ = stream.write_all(&[UNLISTED]);
        return Err(stranger("is not the address of that process in the hosts file"));
    }
    let reply = Hello { from: own, to: hello.from, purpose: hello.purpose, run: run.clone() };
    write_hello(&mut stream, &[TAKEN], &reply, b"a", &both, token).map_err(silent)?;
    check(run, &hello.run, &format!("process {other} ({from})")).map_err(Refusal::Of)?;
    if hello.to != own || hello.from <= own || hello.from >= run.processes {
        let to = hello.to;
        return Err(Refusal::Of(format!(
            "process {other} ({from}) takes this process for number {to}, and it is number {own}: the \
             hosts files differ, or two processes have the same number"
        )));
    }
    release(&stream).map_err(silent)?;
    Ok((hello, stream))
}

/// Answers to a hello: it is accepted, its token is another one, or its address is not the address
/// of its process in the hosts file.
const TAKEN: u8 = 1;
const REFUSED: u8 = 2;
const UNLISTED: u8 = 3;

/// The connecting side of the handshake. Tries again until the other process listens.
fn connect(
    address: &str,
    membership: &Membership,
    hello: &Hello,
    until: Instant,
    stop: &mut dyn FnMut() -> bool,
) -> Result<TcpStream, String> {
    let peer = format!("process {} ({address})", hello.to);
    let all: Vec<SocketAddr> = address
        .to_socket_addrs()
        .map_err(|error| format!("{peer}: no such address: {error}"))?
        .collect();
    loop {
        let failed = match all.iter().map(|at| TcpStream::connect_timeout(at, STEP)).next_back() {
            Some(Ok(stream)) => return greet(stream, &peer, &membership.token, hello),
            Some(Err(error)) => error.to_string(),
            None => "the name has no address".into(),
        };
        if stop() {
            return Err("interrupted".into());
        }
        if Instant::now() >= until {
            let seconds = membership.patience.as_secs();
            return Err(format!("{peer} does not answer within {seconds} s: {failed}"));
        }
        thread::sleep(AGAIN);
    }
}

fn greet(
    mut stream: TcpStream,
    peer: &str,
    token: &Token,
    hello: &Hello,
) -> Result<TcpStream, String> {
    let failed = |error: io::Error| match error.kind() {
        ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => {
            format!("{peer} ended while this process connected with it: see what it says")
        }
        ErrorKind::InvalidData => {
            format!("{peer} is another program: it does not greet as expected")
        }
        _ => format!("{peer} does not greet: {error}"),
    };
    prepare(&stream).map_err(failed)?;
    let nonce = random()?;
    stream.write_all(&[&MAGIC[..], &nonce].concat()).map_err(failed)?;
    let theirs = read_greeting(&mut stream).map_err(failed)?;
    let both = [nonce, theirs].concat();
    write_hello(&mut stream, &[], hello, b"c", &both, token).map_err(failed)?;
    let mut taken = [0];
    stream.read_exact(&mut taken).map_err(failed)?;
    let wrong = || format!("{peer} has another token than this process");
    if taken == [UNLISTED] {
        let (own, from) = (hello.from, stream.local_addr().map_err(failed)?.ip());
        return Err(format!(
            "{peer} refuses this process: {from} is not the address of process {own} in the hosts file \
             there; all machines need the same hosts file"
        ));
    }
    if taken != [TAKEN] {
        return Err(wrong());
    }
    let reply = read_hello(&mut stream, b"a", &both, token).map_err(failed)?.ok_or_else(wrong)?;
    check(&hello.run, &reply.run, peer)?;
    if (reply.from, reply.to, reply.purpose) != (hello.to, hello.from, hello.purpose) {
        let from = reply.from;
        return Err(format!("{peer} is number {from}: the hosts files differ"));
    }
    release(&stream).map_err(failed)?;
    Ok(stream)
}

/// Refuses a process that takes part in another run.
fn check(own: &Run, other: &Run, peer: &str) -> Result<(), String> {
    let difference = own.difference(other);
    difference
        .map_or(Ok(()), |difference| Err(format!("{peer} does not belong here: {difference}")))
}

fn read_greeting(stream: &mut TcpStream) -> io::Result<Nonce> {
    let (mut magic, mut nonce) = ([0; MAGIC.len()], Nonce::default());
    stream.read_exact(&mut magic)?;
    if magic != MAGIC {
        return Err(ErrorKind::InvalidData.into());
    }
    stream.read_exact(&mut nonce)?;
    Ok(nonce)
}

/// The keyed hash of an introduction: of the side that sends it, the random bytes of both, and the
/// text.
fn mac(side: &[u8], both: &[u8], said: &[u8], token: &Token) -> [u8; 32] {
    HMAC::mac([&MAGIC[..], side, both, said].concat(), &token.0)
}

fn write_hello(
    stream: &mut TcpStream,
    before: &[u8],
    hello: &Hello,
    side: &[u8],
    both: &[u8],
    token: &Token,
) -> io::Result<()> {
    let said = codec::encode(hello).map_err(io::Error::other)?;
    let length = (said.len() as u32).to_le_bytes();
    stream.write_all(&[before, &length, &said, &mac(side, both, &said, token)].concat())
}

/// The hello of the other side; `None` if the other side does not know the token.
fn read_hello(
    stream: &mut TcpStream,
    side: &[u8],
    both: &[u8],
    token: &Token,
) -> io::Result<Option<Hello>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if length > LONGEST {
        return Err(ErrorKind::InvalidData.into());
    }
    let mut said = vec![0; length as usize];
    stream.read_exact(&mut said)?;
    let mut shown = [0; 32];
    stream.read_exact(&mut shown)?;
    if !HMAC::verify([&MAGIC[..], side, both, &said].concat(), &token.0, &shown) {
        return Ok(None);
    }
    codec::decode(&said).map(Some).map_err(|_| ErrorKind::InvalidData.into())
}
