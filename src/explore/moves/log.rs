//! The log of moves.
//!
//! Each thread writes a stream of records, in words of 32 bits. A record is the number of a state,
//! a word that describes the state, and a word for each move. The word of a move is a slot, which
//! is filled as soon as the successor has a number.

use std::sync::Arc;

use crate::explore::budget::Budget;
use crate::game::Player;
use crate::game::value::{Scale, Value};
use crate::runtime::memory::{Array, prefetch};

/// The slot of a state that is not found by a move, and the place of a word that could not be
/// written.
pub(in crate::explore) const NO_SLOT: u32 = u32::MAX;

/// Words from this one on name the set to which the next moves lead. All numbers are smaller.
const SETS_FROM: u32 = 0xFFFF_0000;

/// The place where a search found a state: the shard in the highest 8 bits, and the place in the
/// shard in 23 bits. The lowest bit is free: in a move it says whether the same player is to move
/// again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::explore) struct Number(pub(super) u32);

impl Number {
    /// The number of a place; `None` if the place is too large.
    #[inline]
    pub(in crate::explore) fn new(shard: usize, place: usize) -> Option<Number> {
        const MOST: usize = (SETS_FROM & 0xFF_FFFF) as usize >> 1;
        (place < MOST).then_some(Number((shard as u32) << 24 | (place as u32) << 1))
    }

    /// The shard of a number, and the place in the shard.
    #[inline]
    pub(super) fn shard_and_place(self) -> (usize, usize) {
        ((self.0 >> 24) as usize, (self.0 as usize & 0xFF_FFFF) >> 1)
    }
}

/// The second word of a record, which describes the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::explore) struct RecordHead(pub(super) u32);

pub(super) const OPEN: u32 = 0;
pub(super) const ENDED: u32 = 1;
pub(super) const UNCLEAR: u32 = 2;
const SECOND: u32 = 4;
const KINDS: u32 = 3;
const SHIFT: u32 = 3;

impl RecordHead {
    pub(super) fn new(kind: u32, mover: Player, payload: u32) -> RecordHead {
        RecordHead(payload << SHIFT | if mover == Player::Second { SECOND } else { 0 } | kind)
    }

    pub(in crate::explore) fn mover(self) -> Player {
        if self.0 & SECOND == 0 { Player::First } else { Player::Second }
    }

    /// The packed value of a state where play is over; `None` for other states.
    pub(super) fn ended(self) -> Option<u16> {
        (self.0 & KINDS == ENDED).then_some((self.0 >> SHIFT) as u16)
    }

    /// Whether the rules have to be asked again, since their answer was not allowed.
    pub(super) fn is_unclear(self) -> bool {
        self.0 & KINDS == UNCLEAR
    }

    /// How many words of moves follow, or bytes in a log with keys.
    #[inline]
    pub(super) fn follow(self) -> u32 {
        if self.0 & KINDS == OPEN { self.0 >> SHIFT } else { 0 }
    }
}

/// The words of one thread, in pages of growing size: each page is as long as all earlier ones plus
/// [`FIRST_PAGE`].
#[derive(Debug, Default)]
pub(super) struct Stream {
    pages: Vec<Array<u32>>,
    len: u32,
}

/// The number of words in the first page.
const FIRST_PAGE: u32 = 1 << 14;

/// The page of a word, and its place there.
#[inline]
fn page_of(at: u32) -> (usize, usize) {
    let from_first = u64::from(at) + u64::from(FIRST_PAGE);
    let bits = from_first.ilog2();
    ((bits - FIRST_PAGE.ilog2()) as usize, (from_first - (1 << bits)) as usize)
}

impl Stream {
    #[inline]
    pub(super) fn len(&self) -> u32 {
        self.len
    }

    #[inline]
    pub(super) fn word(&self, at: u32) -> u32 {
        let (page, place) = page_of(at);
        self.pages[page][place]
    }

    /// The words from a place on, up to the end of the page.
    #[inline]
    pub(super) fn words_from(&self, at: u32) -> &[u32] {
        let (page, place) = page_of(at);
        &self.pages[page][place..]
    }

    /// Prefetches the word at a place.
    #[inline]
    pub(super) fn prefetch(&self, at: u32) {
        let (page, place) = page_of(at);
        if let Some(page) = self.pages.get(page) {
            prefetch(page, place);
        }
    }

    fn set(&mut self, at: u32, word: u32) {
        let (page, place) = page_of(at);
        self.pages[page][place] = word;
    }

    fn bytes(&self) -> u64 {
        u64::from(self.len) * size_of::<u32>() as u64
    }
}

/// The moves that all threads of a search recorded.
pub(in crate::explore) struct MoveLog {
    pub(super) streams: Vec<Stream>,
    /// The number of moves, including moves to other sets, and the number of states with moves to
    /// other sets.
    pub(super) moves: u64,
    pub(super) with_exits: u64,
}

impl MoveLog {
    /// The log of these writers; `None` if one has given up.
    pub(in crate::explore) fn new(writers: Vec<LogWriter>) -> Option<MoveLog> {
        if writers.iter().any(LogWriter::has_given_up) {
            return None;
        }
        let moves = writers.iter().map(|writer| writer.moves).sum();
        let with_exits = writers.iter().map(|writer| writer.with_exits).sum();
        let streams = writers.into_iter().map(|writer| writer.stream).collect();
        Some(MoveLog { streams, moves, with_exits })
    }

    /// The memory of the log, in bytes.
    pub(in crate::explore) fn bytes(&self) -> u64 {
        self.streams.iter().map(Stream::bytes).sum()
    }
}

/// Writes the records of one thread.
pub(in crate::explore) struct LogWriter {
    stream: Stream,
    /// The number of words that fit into the memory taken so far.
    room: u32,
    /// The place of the current record's head, and the number of words behind it so far.
    head: u32,
    words: u32,
    /// The set to which the next moves lead.
    set: usize,
    /// Whether the state has moves to other sets.
    leaves: bool,
    moves: u64,
    with_exits: u64,
    given_up: bool,
    budget: Arc<Budget>,
}

impl LogWriter {
    /// A writer that takes its memory from a budget.
    pub(in crate::explore) fn new(budget: &Arc<Budget>) -> LogWriter {
        LogWriter {
            stream: Stream::default(),
            room: 0,
            head: 0,
            words: 0,
            set: 0,
            leaves: false,
            moves: 0,
            with_exits: 0,
            given_up: false,
            budget: Arc::clone(budget),
        }
    }

    /// Whether a record is missing for lack of memory or of numbers.
    pub(in crate::explore) fn has_given_up(&self) -> bool {
        self.given_up
    }

    /// Drops the records, and writes no more: the rules are asked again.
    pub(in crate::explore) fn give_up(&mut self) {
        (self.given_up, self.stream, self.room) = (true, Stream::default(), 0);
    }

    /// Begins the record of a state.
    #[inline]
    pub(in crate::explore) fn begin(&mut self, state: Option<Number>) {
        match state {
            Some(Number(number)) => drop(self.push(number)),
            None => self.give_up(),
        }
        self.head = self.push(0);
        (self.words, self.set, self.leaves) = (0, 0, false);
    }

    /// Adds a move to a state of a set; returns the slot for the number of that state.
    #[inline]
    pub(in crate::explore) fn add(&mut self, set: usize, same_mover: bool) -> u32 {
        if set != self.set {
            match u16::try_from(set) {
                Ok(set) => drop(self.push(SETS_FROM | u32::from(set))),
                Err(_) => self.give_up(),
            }
            self.set = set;
            self.words += 1;
        }
        self.leaves |= set > 0;
        self.moves += 1;
        self.words += 1;
        self.push(u32::from(same_mover))
    }

    /// Ends the record of a state with moves.
    #[inline]
    pub(in crate::explore) fn open(&mut self, mover: Player) {
        if self.words >= 1 << (32 - SHIFT) {
            return self.give_up();
        }
        self.with_exits += u64::from(self.leaves);
        self.end(RecordHead::new(OPEN, mover, self.words));
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
            self.stream.set(self.head, head);
        }
    }

    /// Writes the numbers of the successors into these slots.
    pub(in crate::explore) fn fill(&mut self, slots: &[u32], numbers: &[Option<Number>]) {
        for (&slot, number) in slots.iter().zip(numbers) {
            if self.given_up {
                return;
            }
            match number {
                _ if slot == NO_SLOT => {}
                Some(Number(number)) => {
                    let (page, place) = page_of(slot);
                    self.stream.pages[page][place] |= number;
                }
                None => self.give_up(),
            }
        }
    }

    /// Writes a word; returns its place.
    #[inline]
    fn push(&mut self, word: u32) -> u32 {
        let at = self.stream.len;
        if at >= self.room && !self.make_room() {
            return NO_SLOT;
        }
        self.stream.set(at, word);
        self.stream.len += 1;
        at
    }

    /// Makes room for more words; false if there is none.
    #[cold]
    fn make_room(&mut self) -> bool {
        if self.given_up {
            return false;
        }
        let bytes = u64::from(FIRST_PAGE) * size_of::<u32>() as u64;
        let (page, place) = page_of(self.stream.len);
        // Unwritten pages cost nothing, so memory is taken in small steps.
        let has_page = self.stream.pages.len() > page || place == 0 && self.add_page(page);
        match self.room.checked_add(FIRST_PAGE) {
            Some(room) if has_page && self.budget.may_record(bytes) => {
                self.room = room;
                true
            }
            _ => {
                self.give_up();
                false
            }
        }
    }

    fn add_page(&mut self, page: usize) -> bool {
        match Array::zeroed(u64::from(FIRST_PAGE) << page, "the recorded moves") {
            Ok(page) => self.stream.pages.push(page),
            Err(_) => return false,
        }
        true
    }
}

/// The set that a word names, if it names one.
#[inline]
pub(super) fn set_of(word: u32) -> Option<usize> {
    (word >= SETS_FROM).then(|| (word - SETS_FROM) as usize)
}
