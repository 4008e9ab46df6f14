//! The exchange of recorded moves between processes: each record goes to the process whose window contains
//! the state.

use crate::error::SolveError;
use crate::explore::explorer::Explorer;
use crate::explore::moves::{KeyedLog, KeyedMoves, KeyedRecord, Movers};
use crate::game::{Game, Player};
use crate::numbering::discovered::{Encoding, KeyLookup as _, KeyWindow, RawKeys};
use crate::runtime::memory::Array;
use crate::runtime::peers::Arrived;
use crate::runtime::pool::Size;
use crate::runtime::progress::Progress;

/// The purpose of the memory, for errors.
const WHAT: &str = "the recorded moves";

/// How many packets of its log each thread sorts by window in a slice.
const PACKETS: usize = 2;

/// The log of a process, if all processes have one.
#[derive(Default)]
pub(in crate::explore) struct AgreedLog {
    log: Option<KeyedLog>,
    /// See [`KeyedMoves`].
    moves: u64,
    with_exits: u64,
}

/// Records that came to the process whose window contains their states. For each record: the place
/// of the state in the window, the place of the record, and the player to move.
struct Found {
    bytes: Vec<u8>,
    records: Vec<(usize, u32, Player)>,
}

impl<G: Game> Explorer<'_, '_, G> {
    /// Finds out whether all processes have recorded their moves, and have room to exchange them.
    /// `states` is the number of states of this process.
    pub(in crate::explore) fn agree(
        &mut self,
        log: Option<KeyedLog>,
        states: u64,
        key: usize,
    ) -> Result<AgreedLog, SolveError> {
        // Records leave while others arrive, but not at the same pace.
        let needed = |log: &KeyedLog| {
            2 * log.bytes() + states.saturating_mul((2 * key + size_of::<u64>() + 1) as u64)
        };
        let memory = self.memory;
        let log = log.filter(|log| memory.is_none_or(|memory| needed(log) <= memory));
        let of_log = |log: &KeyedLog| [0, log.moves, log.with_exits];
        let mut figures = log.as_ref().map_or([1, 0, 0], of_log);
        self.pool.sum(&mut figures)?;
        let [lacking, moves, with_exits] = figures;
        let moves = moves / self.pool.processes() as u64;
        Ok(AgreedLog { log: log.filter(|_| lacking == 0), moves, with_exits })
    }

    /// Sends each record to the process whose window contains the state. `keys` are the keys of
    /// this process's window, and the moves lead to `tiers`. `None` if nothing was recorded.
    pub(in crate::explore) fn share_moves<K: Encoding<G>>(
        &mut self,
        agreed: AgreedLog,
        raw: &RawKeys<K::Key>,
        keys: &K::Lookup,
        window: &KeyWindow<K::Key>,
        tiers: Vec<usize>,
    ) -> Result<Option<KeyedMoves>, SolveError> {
        let AgreedLog { log, moves, with_exits } = agreed;
        let Some(KeyedLog { packets, .. }) = log else { return Ok(None) };
        let len = keys.len();
        let mut shared = KeyedMoves {
            packets: Vec::new(),
            records: Array::zeroed(len, WHAT)?,
            width: size_of::<K::Key>(),
            tiers,
            movers: Movers::all_first(window.first()..window.first() + len)?,
            moves,
            with_exits,
        };
        let (own, width) = (self.pool.own(), shared.width);
        let find = |key| keys.find(&(raw.of_word)(key)?);
        let event = |_| Progress::searched(window.all());
        let mut packets = packets.into_iter();
        let mut came = 0;
        loop {
            let now: Vec<_> = packets.by_ref().take(PACKETS * self.pool.threads()).collect();
            if now.is_empty() {
                break;
            }
            let processes = self.pool.processes();
            let sorted = self.pool.run(Size::Big, now, event, |packet, _| {
                let owner_of = |key| {
                    let key = (raw.of_word)(key)?;
                    Some(window.other_owner(&key).map_or(own, |owner| owner as usize))
                };
                let mut by_owner = vec![(Vec::new(), 0); processes];
                sort_records(&packet, width, owner_of, &mut by_owner).ok_or_else(|| faulty(own))?;
                Ok::<_, SolveError>(by_owner)
            })?;
            let mut here = Arrived::new();
            for to in 0..processes {
                let parts = || sorted.iter().map(|by_owner| &by_owner[to]);
                if to == own {
                    here.extend(parts().map(|(bytes, _)| (own, bytes.clone())));
                    continue;
                }
                let bytes: Vec<u8> = parts().flat_map(|(bytes, _)| bytes).copied().collect();
                if !bytes.is_empty() {
                    self.pool.send(to, bytes, parts().map(|&(_, count)| count).sum());
                }
            }
            drop(sorted);
            came += self.keep_records(here, &find, &mut shared, event)?;
            let arrived = self.pool.end_slice()?;
            came += self.keep_records(arrived, &find, &mut shared, event)?;
        }
        self.pool.end_phase();
        while let Some(arrived) = self.pool.next_arrived()? {
            came += self.keep_records(arrived, &find, &mut shared, event)?;
        }
        if came != len {
            let problem = format!("of {len} states only {came} have recorded moves");
            return Err(SolveError::PeerError { problem });
        }
        Ok(Some(shared))
    }

    /// Keeps records that have arrived; returns their number. `find` returns the place of a key's
    /// state in this process's window.
    fn keep_records(
        &mut self,
        arrived: Arrived,
        find: &(impl Fn(u128) -> Option<u64> + Sync),
        shared: &mut KeyedMoves,
        event: impl Fn(u64) -> Progress + Copy,
    ) -> Result<u64, SolveError> {
        let (own, width) = (self.pool.own(), shared.width);
        let found = self.pool.run(Size::Big, arrived, event, |(from, mut bytes), _| {
            bytes.shrink_to_fit();
            let records = find_records(&bytes, width, find).ok_or_else(|| faulty(from))?;
            Ok::<_, SolveError>((from, Found { bytes, records }))
        })?;
        let mut came = 0;
        for (from, Found { bytes, records }) in found {
            let packet = (shared.packets.len() as u64) << 32;
            for &(place, at, mover) in &records {
                let record = &mut shared.records[place];
                if *record != 0 {
                    return Err(faulty(from));
                }
                *record = packet | (u64::from(at) + 1);
                Movers::note(shared.movers.words(), place as u64, mover);
            }
            came += records.len() as u64;
            if from != own {
                self.pool.note_applied(records.len() as u64);
            }
            shared.packets.push(bytes);
        }
        Ok(came)
    }
}

fn faulty(from: usize) -> SolveError {
    SolveError::PeerError { problem: format!("process {from} sent what are no recorded moves") }
}

/// Copies each record to the records of the process that owns its state, and counts them. `None` if
/// the bytes are not records.
fn sort_records(
    mut packet: &[u8],
    width: usize,
    owner_of: impl Fn(u128) -> Option<usize>,
    by_owner: &mut [(Vec<u8>, u64)],
) -> Option<()> {
    while !packet.is_empty() {
        let (record, rest) = KeyedRecord::read(packet, width)?;
        let (bytes, count) = by_owner.get_mut(owner_of(record.key)?)?;
        bytes.extend_from_slice(&packet[..packet.len() - rest.len()]);
        *count += 1;
        packet = rest;
    }
    Some(())
}

/// The place of each record's state, the place of the record, and the player to move. `None` if the
/// bytes are not records, or contain states of other processes.
fn find_records(
    bytes: &[u8],
    width: usize,
    find: impl Fn(u128) -> Option<u64>,
) -> Option<Vec<(usize, u32, Player)>> {
    let (mut rest, mut records) = (bytes, Vec::new());
    while !rest.is_empty() {
        let at = u32::try_from(bytes.len() - rest.len()).ok().filter(|&at| at < u32::MAX)?;
        let (record, behind) = KeyedRecord::read(rest, width)?;
        records.push((find(record.key)? as usize, at, record.head.mover()));
        rest = behind;
    }
    Some(records)
}
