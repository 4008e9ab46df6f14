//! The log of moves if several processes share the states.
//!
//! A successor in another process is known only by its key, so records contain keys. A record is
//! the key of a state, a word that describes the state, and the state's moves. Most moves change
//! few bytes of a key. A move is a mask with a bit for each byte that differs in the successor,
//! followed by these bytes. A mask of zero precedes an order: see [`SAME_KEY`].

use std::sync::Arc;

use crate::explore::budget::Budget;
use crate::explore::moves::log::{ENDED, OPEN, RecordHead, UNCLEAR};
use crate::game::Player;
use crate::game::value::{Scale, Value};

/// The size of a packet of records in bytes, unless one record is longer.
const PACKET: usize = 1 << 16;

/// Records begin a new packet if the last one has room for fewer bytes.
const ROOM: usize = 1 << 9;

/// The most bytes that the moves of a state may take.
const MOST_BYTES: usize = 1 << 29;

/// The orders behind a mask of zero. `SAME_KEY`: the move leads to a state of the same key.
/// `OTHER_TURN`: the next moves have the other answer to whether the same player is to move. `SET`:
/// the next moves lead to the set whose number follows in two bytes.
const SAME_KEY: u8 = 0;
const OTHER_TURN: u8 = 1;
const SET: u8 = 2;

/// The moves that all threads of a process recorded, by keys.
pub(in crate::explore) struct KeyedLog {
    /// Each packet contains whole records.
    pub(in crate::explore) packets: Vec<Vec<u8>>,
    /// The number of moves, including moves to other sets, and the number of states with moves to
    /// other sets.
    pub(in crate::explore) moves: u64,
    pub(in crate::explore) with_exits: u64,
}

impl KeyedLog {
    /// The log of these writers; `None` if one has given up.
    pub(in crate::explore) fn new(writers: Vec<KeyedWriter>) -> Option<KeyedLog> {
        let mut log = KeyedLog { packets: Vec::new(), moves: 0, with_exits: 0 };
        for writer in writers {
            if writer.given_up {
                return None;
            }
            log.packets.extend(writer.packets);
            log.packets.push(writer.packet);
            log.moves += writer.moves;
            log.with_exits += writer.with_exits;
        }
        Some(log)
    }

    /// The memory of the log, in bytes.
    pub(in crate::explore) fn bytes(&self) -> u64 {
        self.packets.iter().map(|packet| packet.capacity() as u64).sum()
    }
}

/// Writes the records of one thread.
pub(in crate::explore) struct KeyedWriter {
    /// The size of a key in bytes: 8 or 16.
    width: usize,
    /// The full packets, and the current one.
    packets: Vec<Vec<u8>>,
    packet: Vec<u8>,
    /// The state of the current record, and the place of the record's head.
    key: u128,
    head: usize,
    /// The set of the successors that follow, and whether the same player is to move.
    set: usize,
    same_mover: bool,
    /// Whether the state has moves to other sets.
    leaves: bool,
    moves: u64,
    with_exits: u64,
    given_up: bool,
    budget: Arc<Budget>,
}

impl KeyedWriter {
    /// A writer of records with keys of `width` bytes, which takes its memory from a budget.
    pub(in crate::explore) fn new(width: usize, budget: &Arc<Budget>) -> KeyedWriter {
        KeyedWriter {
            width,
            packets: Vec::new(),
            packet: Vec::new(),
            key: 0,
            head: 0,
            set: 0,
            same_mover: false,
            leaves: false,
            moves: 0,
            with_exits: 0,
            given_up: false,
            budget: Arc::clone(budget),
        }
    }

    /// Whether a record is missing for lack of memory.
    pub(in crate::explore) fn has_given_up(&self) -> bool {
        self.given_up
    }

    /// Drops the records, and writes no more: the rules are asked again.
    fn give_up(&mut self) {
        (self.given_up, self.packets, self.packet) = (true, Vec::new(), Vec::new());
    }

    /// Begins the record of a state.
    #[inline]
    pub(in crate::explore) fn begin(&mut self, key: u128) {
        if self.packet.len() + ROOM > self.packet.capacity() {
            self.begin_packet();
        }
        if self.given_up {
            return;
        }
        self.packet.extend_from_slice(&key.to_le_bytes()[..self.width]);
        (self.key, self.head) = (key, self.packet.len());
        self.packet.extend_from_slice(&[0; size_of::<u32>()]);
        (self.set, self.same_mover, self.leaves) = (0, false, false);
    }

    /// Begins another packet, if there is memory for it.
    #[cold]
    fn begin_packet(&mut self) {
        // A record longer than a packet has made the last packet longer.
        let longer = self.packet.capacity().saturating_sub(PACKET);
        let mut next = Vec::new();
        if self.given_up
            || !self.budget.may_record((PACKET + longer) as u64)
            || next.try_reserve_exact(PACKET).is_err()
        {
            return self.give_up();
        }
        let full = std::mem::replace(&mut self.packet, next);
        if !full.is_empty() {
            self.packets.push(full);
        }
    }

    /// Adds a move to the state of a key in a set.
    #[inline]
    pub(in crate::explore) fn add(&mut self, set: usize, key: u128, same_mover: bool) {
        if self.given_up {
            return;
        }
        if set != self.set {
            let Ok(number) = u16::try_from(set) else { return self.give_up() };
            self.order(SET);
            self.packet.extend_from_slice(&number.to_le_bytes());
            self.set = set;
        }
        if same_mover != self.same_mover {
            self.order(OTHER_TURN);
            self.same_mover = same_mover;
        }
        self.leaves |= set > 0;
        self.moves += 1;
        let mut rest = key ^ self.key;
        if rest == 0 {
            return self.order(SAME_KEY);
        }
        let (at, mut mask) = (self.packet.len(), 0_u16);
        self.packet.extend_from_slice(&[0; 2][..self.width / 8]);
        while rest != 0 {
            let byte = rest.trailing_zeros() / 8;
            mask |= 1 << byte;
            self.packet.push((rest >> (8 * byte)) as u8);
            rest &= !(0xFF << (8 * byte));
        }
        self.packet[at..at + self.width / 8].copy_from_slice(&mask.to_le_bytes()[..self.width / 8]);
    }

    fn order(&mut self, order: u8) {
        self.packet.extend_from_slice(&[0; 2][..self.width / 8]);
        self.packet.push(order);
    }

    /// Ends the record of a state with moves.
    #[inline]
    pub(in crate::explore) fn open(&mut self, mover: Player) {
        if self.given_up {
            return;
        }
        let bytes = self.packet.len() - self.head - size_of::<u32>();
        if bytes >= MOST_BYTES {
            return self.give_up();
        }
        self.with_exits += u64::from(self.leaves);
        self.end(RecordHead::new(OPEN, mover, bytes as u32));
    }

    /// Ends the record of a state where play is over.
    pub(in crate::explore) fn ended(&mut self, mover: Player, value: Value) {
        self.end(RecordHead::new(ENDED, mover, Scale::PLAIN.pack(value).into()));
    }

    /// Ends the record of a state for which the rules have to be asked again.
    pub(in crate::explore) fn unclear(&mut self, mover: Player) {
        self.end(RecordHead::new(UNCLEAR, mover, 0));
    }

    #[inline]
    fn end(&mut self, RecordHead(head): RecordHead) {
        if !self.given_up {
            let at = self.head;
            self.packet[at..at + size_of::<u32>()].copy_from_slice(&head.to_le_bytes());
        }
    }
}

/// The record of a state.
#[derive(Clone, Copy)]
pub(in crate::explore) struct KeyedRecord<'a> {
    pub(in crate::explore) key: u128,
    pub(in crate::explore) head: RecordHead,
    moves: &'a [u8],
    width: usize,
}

impl<'a> KeyedRecord<'a> {
    /// The record at the start of these bytes, and the bytes behind it. `None` if there is no
    /// record.
    #[inline]
    pub(in crate::explore) fn read(
        bytes: &'a [u8],
        width: usize,
    ) -> Option<(KeyedRecord<'a>, &'a [u8])> {
        let (key, rest) = bytes.split_at_checked(width)?;
        let (head, rest) = rest.split_first_chunk()?;
        let head = RecordHead(u32::from_le_bytes(*head));
        let (moves, rest) = rest.split_at_checked(head.follow() as usize)?;
        Some((KeyedRecord { key: word_of(key), head, moves, width }, rest))
    }

    /// Visits the set and the key of the state after each move, and whether the same player is to
    /// move there. `None` if the bytes are not moves.
    #[inline]
    pub(in crate::explore) fn each_move(
        &self,
        mut visit: impl FnMut(usize, u128, bool),
    ) -> Option<()> {
        let (mut set, mut same_mover, mut rest) = (0, false, self.moves);
        while !rest.is_empty() {
            let (mask, behind) = rest.split_at_checked(self.width / 8)?;
            rest = behind;
            let mut mask = word_of(mask) as u32;
            if mask > 0 {
                let (changed, behind) = rest.split_at_checked(mask.count_ones() as usize)?;
                rest = behind;
                let mut key = self.key;
                for &byte in changed {
                    key ^= u128::from(byte) << (8 * mask.trailing_zeros());
                    mask &= mask - 1;
                }
                visit(set, key, same_mover);
                continue;
            }
            let (&order, behind) = rest.split_first()?;
            rest = behind;
            match order {
                SAME_KEY => visit(set, self.key, same_mover),
                OTHER_TURN => same_mover = !same_mover,
                SET => {
                    let (number, behind) = rest.split_first_chunk()?;
                    (set, rest) = (u16::from_le_bytes(*number).into(), behind);
                }
                _ => return None,
            }
        }
        Some(())
    }
}

/// The number in at most 16 bytes, the lowest first.
#[inline]
fn word_of(bytes: &[u8]) -> u128 {
    let mut wide = [0; 16];
    wide[..bytes.len()].copy_from_slice(bytes);
    u128::from_le_bytes(wide)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbering::discovered::KeyRoom;

    /// The set, the key, and whether the same player is to move.
    type Moves = Vec<(usize, u128, bool)>;

    fn writer(width: usize, most: u64) -> KeyedWriter {
        KeyedWriter::new(width, &Budget::new([None; 2], most, KeyRoom::default(), false))
    }

    #[test]
    fn moves_are_read_as_they_were_written() {
        for (width, greatest) in [(8, u128::from(u64::MAX)), (16, u128::MAX)] {
            let keys = [0, 1, 0x0100_FF00, greatest, greatest - 1, greatest << 9 & greatest];
            let mut writer = writer(width, u64::MAX);
            let mut written: Vec<(u128, Moves)> = Vec::new();
            // Enough for several packets, and a record that is longer than a packet.
            for round in 0..9000_usize {
                let key = keys[round % keys.len()];
                let moves = if round == 1000 { 20_000 } else { round % 9 };
                let to =
                    |at: usize| (at / 3 % 4, keys[(at + round) % keys.len()], at.is_multiple_of(5));
                let moves: Moves = (0..moves).map(to).collect();
                writer.begin(key);
                moves.iter().for_each(|&(set, key, same)| writer.add(set, key, same));
                writer.open(Player::Second);
                written.push((key, moves));
            }
            writer.begin(greatest);
            writer.ended(Player::First, Value::Loss(0));
            let log = KeyedLog::new(vec![writer]).unwrap();
            assert!(log.packets.len() > 2);
            let moves: usize = written.iter().map(|(_, moves)| moves.len()).sum();
            assert_eq!(log.moves, moves as u64);
            let leaves = |moves: &Moves| moves.iter().any(|&(set, ..)| set > 0);
            let with_exits = written.iter().filter(|(_, moves)| leaves(moves)).count();
            assert_eq!(log.with_exits, with_exits as u64);
            let mut written = written.into_iter();
            for packet in &log.packets {
                let mut rest = &packet[..];
                while !rest.is_empty() {
                    let (record, behind) = KeyedRecord::read(rest, width).unwrap();
                    rest = behind;
                    let mut moves = Vec::new();
                    record.each_move(|set, key, same| moves.push((set, key, same))).unwrap();
                    match written.next() {
                        Some(expected) => {
                            assert_eq!((record.key, moves), expected);
                            assert_eq!(record.head.mover(), Player::Second);
                            assert_eq!(record.head.ended(), None);
                        }
                        None => {
                            assert_eq!(
                                (record.key, record.head.mover()),
                                (greatest, Player::First)
                            );
                            assert_eq!(
                                record.head.ended(),
                                Some(Scale::PLAIN.pack(Value::Loss(0)))
                            );
                        }
                    }
                }
            }
            assert_eq!(written.next(), None);
        }
    }

    #[test]
    fn a_writer_without_memory_gives_up() {
        let mut writer = writer(8, 2 * PACKET as u64);
        for key in 0..20_000 {
            writer.begin(key);
            writer.add(0, key + 1, false);
            writer.open(Player::First);
        }
        assert!(writer.has_given_up());
        assert!(KeyedLog::new(vec![writer]).is_none());
    }

    #[test]
    fn what_is_no_record_is_refused() {
        let mut writer = writer(8, u64::MAX);
        writer.begin(7);
        writer.add(3, 7 << 32, true);
        writer.open(Player::First);
        let packet = writer.packet;
        assert!(KeyedRecord::read(&packet, 8).is_some());
        for cut in 0..packet.len() {
            assert!(KeyedRecord::read(&packet[..cut], 8).is_none(), "{cut}");
        }
        let mut other = packet.clone();
        // The order of the set.
        other[13] = 9;
        let (record, _) = KeyedRecord::read(&other, 8).unwrap();
        assert_eq!(record.each_move(|_, _, _| ()), None);
    }
}
