//! The carrier between processes: a timely dataflow that takes bytes from each process to every
//! other.
//!
//! The dataflow is an input, an exchange, and an operator that puts arriving bytes into a queue.
//! Its timestamps are phases and slices. A probe behind the operator shows which of them are over
//! in all processes. Timely's queues have no limit, so a process that is ahead waits for the probe.

use std::any::Any;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::Write;
use std::net::TcpStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::{Arc, Once, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use timely::bytes::arc::Bytes;
use timely::communication::allocator::zero_copy::initialize::{
    CommsGuard, initialize_networking_from_sockets,
};
use timely::communication::allocator::{Allocator, ProcessBuilder};
use timely::communication::{Hooks, Push};
use timely::container::NoopBuilder;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};
use timely::dataflow::operators::core::{Input, Probe};
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::progress::Stamp;
use timely::worker::Worker;
use timely::{Accountable, WorkerConfig};

use crate::program::cluster::monitor::Monitor;
use crate::runtime::peers::Peers;

/// How many slices of a phase may be under way. Each contains at most some 65,536 messages of each
/// thread.
const AHEAD: u64 = 4;

/// How long the end of the run waits for the last bytes to leave.
const LINGER: Duration = Duration::from_secs(10);

/// Bytes on their way to one process. As a container of timely it contains one record, or none if
/// it is empty.
#[derive(Clone, Default)]
struct Packet(Option<Addressed>);

#[derive(Clone)]
struct Addressed {
    from: u32,
    to: u32,
    bytes: Vec<u8>,
}

/// The size in bytes of a packet's head: its sender, its receiver, its length.
const HEAD: usize = 16;

impl Accountable for Packet {
    fn record_count(&self) -> i64 {
        i64::from(self.0.is_some())
    }
}

impl ContainerBytes for Packet {
    fn from_bytes(bytes: Bytes) -> Packet {
        // Only processes that have shown the token send anything, so the bytes are a packet.
        let number =
            |at: usize| bytes[at..].first_chunk().map_or(0, |four| u32::from_le_bytes(*four));
        let length = bytes[8..].first_chunk().map_or(0, |eight| u64::from_le_bytes(*eight));
        let addressed = Addressed {
            from: number(0),
            to: number(4),
            bytes: bytes[HEAD..][..length as usize].to_vec(),
        };
        Packet(Some(addressed))
    }

    fn length_in_bytes(&self) -> usize {
        let length = self.0.as_ref().map_or(0, |addressed| addressed.bytes.len());
        HEAD + length.next_multiple_of(8)
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let Some(Addressed { from, to, bytes }) = &self.0 else { return };
        let mut head = [0; HEAD];
        head[..4].copy_from_slice(&from.to_le_bytes());
        head[4..8].copy_from_slice(&to.to_le_bytes());
        head[8..].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
        let rest = bytes.len().next_multiple_of(8) - bytes.len();
        for part in [&head[..], bytes, &[0; 8][..rest]] {
            // The writer is a buffer of timely, which has room for this length.
            let _ = writer.write_all(part);
        }
    }
}

/// Delivers each packet to its receiver.
struct ByAddress;

impl Distributor<Packet> for ByAddress {
    fn partition<T: Clone, P: Push<Message<T, Packet>>>(
        &mut self,
        packet: &mut Packet,
        stamp: &Stamp<T>,
        pushers: &mut [P],
    ) {
        let to = packet.0.as_ref().map(|addressed| addressed.to as usize);
        if let Some(pusher) = to.and_then(|to| pushers.get_mut(to)) {
            Message::push_at(packet, stamp.clone(), pusher);
        }
    }

    fn flush<T: Clone, P: Push<Message<T, Packet>>>(&mut self, _: &Stamp<T>, _: &mut [P]) {}
}

/// The packets that have arrived and are not taken yet, with the phase in which each was sent.
type Queue = Rc<RefCell<VecDeque<(u64, Addressed)>>>;

/// The dataflow that timely builds on the sockets. It is dropped only after a run without failure:
/// if a process is lost, timely panics at every use.
struct Dataflow {
    worker: Worker,
    input: InputHandle<u64, NoopBuilder<Packet>>,
    probe: ProbeHandle<u64>,
    guard: CommsGuard,
}

/// The carrier between this process and the others.
pub(crate) struct Carrier {
    own: usize,
    count: usize,
    dataflow: Option<Dataflow>,
    arrived: Queue,
    phase: u64,
    slice: u64,
    /// Whether this process has ended the last phase, and sent nothing since.
    waits: bool,
    /// The failure of the dataflow, if it failed.
    failure: Option<String>,
    /// Detects processes that hang, which the dataflow does not notice.
    monitor: Arc<Monitor>,
}

/// The timestamp of a slice.
fn time(phase: u64, slice: u64) -> u64 {
    phase << 32 | slice
}

impl Carrier {
    /// The carrier over these sockets, one for each other process.
    ///
    /// # Errors
    /// If the system does not provide the threads.
    pub(crate) fn over(
        sockets: Vec<Option<TcpStream>>,
        own: usize,
        monitor: Arc<Monitor>,
    ) -> Result<Carrier, String> {
        silence_timely();
        let count = sockets.len();
        let hooks = Hooks::default();
        let inner = ProcessBuilder::new_bytes_vector(1, hooks.refill.clone(), None);
        let (builders, guard) =
            initialize_networking_from_sockets(inner, sockets, own, 1, hooks)
                .map_err(|error| format!("can't start the threads of the network: {error}"))?;
        let builder = builders.into_iter().next().ok_or("timely made no worker")?;
        // A worker that waits for others leaves the cores to them.
        let config = WorkerConfig::default().idle_spin(Duration::ZERO);
        // Without a clock, timely never parks the thread, which then spins whenever it waits for
        // others.
        let clock = Some(Instant::now());
        let mut worker = Worker::new(config, Allocator::Tcp(builder.build()), clock);
        let arrived = Queue::default();
        let queue = Rc::clone(&arrived);
        let probe = ProbeHandle::new();
        let input = worker.dataflow(|scope| {
            let (input, packets) = scope.new_input_with_builder::<NoopBuilder<Packet>>();
            packets
                .unary::<NoopBuilder<Packet>, _, _, _>(
                    DistributorPact(|_| ByAddress),
                    "receive",
                    |_, _| {
                        move |input, _| {
                            input.for_each(|time, packet| {
                                let phase = time.stamp().least().map_or(0, |time| time >> 32);
                                let addressed = packet.0.take();
                                queue.borrow_mut().extend(addressed.map(|it| (phase, it)));
                            });
                        }
                    },
                )
                .probe_with(&probe);
            input
        });
        Ok(Carrier {
            own,
            count,
            dataflow: Some(Dataflow { worker, input, probe, guard }),
            arrived,
            phase: 0,
            slice: 0,
            waits: false,
            failure: None,
            monitor,
        })
    }

    /// Does something with the dataflow. Timely panics if another process is lost; the panic
    /// becomes a failure.
    fn with(&mut self, work: impl FnOnce(&mut Dataflow)) {
        let Some(mut dataflow) = self.dataflow.take() else { return };
        let before = IS_CAUGHT.replace(true);
        let worked = catch_unwind(AssertUnwindSafe(|| work(&mut dataflow)));
        IS_CAUGHT.set(before);
        match worked {
            Ok(()) => self.dataflow = Some(dataflow),
            Err(panic) => {
                std::mem::forget(dataflow);
                self.failure = Some(text_of(&*panic));
            }
        }
    }

    fn advance(&mut self) {
        let now = time(self.phase, self.slice);
        self.with(|dataflow| dataflow.input.advance_to(now));
    }

    fn is_before(&self, time: u64) -> bool {
        self.dataflow.as_ref().is_some_and(|dataflow| dataflow.probe.less_than(&time))
    }

    /// Ends the dataflow, once no process sends anything more.
    pub(crate) fn close(mut self) {
        let Some(Dataflow { mut worker, input, probe, guard }) = self.dataflow.take() else {
            return;
        };
        IS_CAUGHT.set(true);
        let ended = catch_unwind(AssertUnwindSafe(move || {
            let until = Instant::now() + LINGER;
            input.close();
            while !probe.done() && Instant::now() < until {
                worker.step_or_park(Some(Duration::from_millis(10)));
            }
            drop(worker);
        }));
        IS_CAUGHT.set(false);
        let (joined, is_joined) = mpsc::channel();
        let joining = move || {
            let _ = catch_unwind(AssertUnwindSafe(|| drop(guard)));
            let _ = joined.send(());
        };
        if ended.is_ok() && thread::Builder::new().spawn(joining).is_ok() {
            let _ = is_joined.recv_timeout(LINGER);
        }
    }
}

impl Drop for Carrier {
    fn drop(&mut self) {
        // A dataflow is left only if the run failed, in this process or another.
        std::mem::forget(self.dataflow.take());
    }
}

impl Peers for Carrier {
    fn own(&self) -> usize {
        self.own
    }

    fn count(&self) -> usize {
        self.count
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) {
        self.waits = false;
        let (from, to) = (self.own as u32, to as u32);
        let mut packet = Packet(Some(Addressed { from, to, bytes }));
        self.with(|dataflow| dataflow.input.send_batch(&mut packet));
    }

    fn end_slice(&mut self) {
        self.waits = false;
        self.slice += 1;
        self.advance();
    }

    fn end_phase(&mut self) {
        self.waits = true;
        (self.phase, self.slice) = (self.phase + 1, 0);
        self.advance();
    }

    fn is_ahead(&self) -> bool {
        let before = self.slice.checked_sub(AHEAD);
        before.is_some_and(|slice| self.is_before(time(self.phase, slice)))
    }

    fn is_over(&self) -> bool {
        !self.is_before(time(self.phase, 0))
    }

    fn step(&mut self, at_most: Duration) -> Result<(), String> {
        self.with(|dataflow| {
            dataflow.worker.step_or_park(Some(at_most));
        });
        let failure = self.failure.clone();
        let failure = match self.monitor.has_failed() {
            true => failure.or_else(|| self.monitor.failure()),
            false => failure,
        };
        failure.map_or(Ok(()), Err)
    }

    fn take(&mut self) -> Option<(usize, Vec<u8>)> {
        let phase = self.phase - u64::from(self.waits);
        let mut arrived = self.arrived.borrow_mut();
        // A process that is a phase ahead may have sent something already.
        let at = arrived.iter().position(|&(sent_in, _)| sent_in == phase)?;
        arrived.remove(at).map(|(_, addressed)| (addressed.from as usize, addressed.bytes))
    }
}

/// The text of a panic.
fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("the connection with another process is lost ({})", text.unwrap_or("no reason given"))
}

thread_local! {
    /// Whether panics of this thread are caught and reported as failures.
    static IS_CAUGHT: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Suppresses the messages of panics in timely's threads: they panic if another process is lost,
/// which is reported in words.
fn silence_timely() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let is_timelys =
                thread::current().name().is_some_and(|name| name.starts_with("timely:"));
            if !is_timelys && !IS_CAUGHT.get() {
                before(panic);
            }
        }));
    });
}
