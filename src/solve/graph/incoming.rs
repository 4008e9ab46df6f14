//! Incoming values: the values of exits, in the order in which levels need them.
//!
//! An exit is a move to a state of another tier, whose value is known already. With the points that
//! the move gains, it is the value of the exit. All exits of a state together count as one open
//! successor, with the value of the best exit. One message settles this
//! successor, in the pass and at the level of its value, or no message ever does:
//!
//! - The best exit wins: the state is won at that level, unless it was won before.
//! - The best exit loses: the state can't be lost before that level.
//! - The best exit draws: the state is never lost. In the pass of the draws it is drawn at that
//!   level, if its mover hurries to draws or no other move is better than a draw.
//! - The best exit never ends: there is no message. The state is never lost, and its other moves
//!   do not settle it as a draw.

use std::ops::{Deref, Range};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::game::preference::Preference;
use crate::game::value::{MAX_PLIES, MAX_POINTS, Value};
use crate::runtime::NoRoom;
use crate::runtime::memory::Array;
use crate::runtime::scratch::Scratch;

/// A pass through the levels, by the points that it settles: wins and losses by this many points,
/// or, with 0 points, draws. Passes go from the most points down. Without points, a win is one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pass(pub(crate) u16);

impl Pass {
    /// The pass that settles draws.
    pub(crate) const DRAWN: Pass = Pass(0);
}

/// Messages for states, in ascending order of the indices. Each is the distance of the index from
/// the base; the lowest bit says whether the message settles the state on its own.
#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) base: u64,
    pub(crate) messages: Messages,
}

/// The messages of a segment: in memory, where they may still become more, or in a scratch file.
#[derive(Debug)]
pub(crate) enum Messages {
    InMemory(Vec<u32>),
    /// A part of the messages in the file.
    InFile(Arc<Array<u32>>, Range<usize>),
}

impl Messages {
    /// The list, if it is in memory.
    fn list(&mut self) -> Option<&mut Vec<u32>> {
        match self {
            Messages::InMemory(messages) => Some(messages),
            Messages::InFile(..) => None,
        }
    }
}

impl Deref for Messages {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        match self {
            Messages::InMemory(messages) => messages,
            Messages::InFile(all, range) => &all[range.clone()],
        }
    }
}

/// The most messages in a segment. Growing a segment of this length costs little memory.
pub(crate) const LONGEST: usize = 1 << 16;

/// How far an index may be from its segment's base.
const FARTHEST: u64 = 1 << 31;

impl Segment {
    /// Adds the messages of a later segment. Returns false if they do not fit into this one.
    fn takes(&mut self, later: &Segment) -> bool {
        // The messages of a file are not looked at in vain: each would come into memory with its page.
        let len = self.messages.len() + later.messages.len();
        let Some(messages) = self.messages.list().filter(|_| len <= LONGEST) else { return false };
        let farthest = later.messages.last().map_or(0, |&last| u64::from(last >> 1));
        let farther = later.base.checked_sub(self.base);
        let Some(farther) = farther.filter(|farther| farther + farthest < FARTHEST) else {
            return false;
        };
        messages.extend(later.messages.iter().map(|message| message + (farther << 1) as u32));
        true
    }

    /// The index of the last message.
    fn last(&self) -> u64 {
        self.messages.last().map_or(self.base, |last| self.base + u64::from(last >> 1))
    }

    /// The messages for states of a window, if any.
    fn within(self, window: &Range<u64>) -> Option<Segment> {
        let base = self.base;
        let index = |message: u32| base + u64::from(message >> 1);
        let from = self.messages.partition_point(|&message| index(message) < window.start);
        let to = self.messages.partition_point(|&message| index(message) < window.end);
        if (from, to) == (0, self.messages.len()) {
            return (to > 0).then_some(self);
        }
        let messages = self.messages.get(from..to)?;
        let first = *messages.first()? >> 1;
        let messages = messages.iter().map(|message| message - (first << 1)).collect();
        let base = base + u64::from(first);
        Some(Segment { base, messages: Messages::InMemory(messages) })
    }
}

/// All messages from the exits of a tier's states.
#[derive(Debug, Default)]
pub(crate) struct Incoming {
    /// By the points of the pass, and by distance.
    segments: Vec<Vec<Vec<Segment>>>,
}

impl Incoming {
    /// Adds the value of a state's best exit for its mover, who has this preference. Returns
    /// whether the state has exits.
    pub(crate) fn add_exit(
        &mut self,
        index: u64,
        best_exit: Option<Value>,
        preference: Preference,
    ) -> bool {
        let (pass, plies, any) = match best_exit {
            None => return false,
            Some(Value::Endless) => return true,
            Some(Value::Win(plies)) => (Pass(1), plies, true),
            Some(Value::Loss(plies)) => (Pass(1), plies, false),
            Some(Value::Draw(plies)) => (Pass::DRAWN, plies, preference.hurries_to_draws),
            Some(Value::Points { points, plies }) => {
                (Pass(points.unsigned_abs()), plies, points > 0)
            }
        };
        self.add(pass, plies + 1, index, any);
        true
    }

    fn add(&mut self, pass: Pass, distance: u32, index: u64, any: bool) {
        let segments = self.at(pass, distance);
        let message = |base| ((index - base) << 1) as u32 | u32::from(any);
        if let Some(Segment { base, messages }) = segments.last_mut()
            && let Some(messages) = messages.list()
            && messages.len() < LONGEST
            && index - *base < FARTHEST
        {
            messages.push(message(*base));
        } else {
            let messages = Messages::InMemory(vec![message(index)]);
            segments.push(Segment { base: index, messages });
        }
    }

    /// The segments of a pass and a distance.
    #[inline]
    fn at(&mut self, Pass(points): Pass, distance: u32) -> &mut Vec<Segment> {
        let (pass, distance) = (usize::from(points), distance as usize);
        if self.segments.len() <= pass {
            self.segments.resize_with(pass + 1, Vec::new);
        }
        let by_distance = &mut self.segments[pass];
        if by_distance.len() <= distance {
            by_distance.resize_with(distance + 1, Vec::new);
        }
        &mut by_distance[distance]
    }

    /// The segments of a pass, by distance.
    fn of_pass(&self, Pass(points): Pass) -> &[Vec<Segment>] {
        self.segments.get(usize::from(points)).map_or(&[], |of_pass| of_pass)
    }

    /// All segments, each with its pass and distance.
    pub(crate) fn each(&self) -> impl Iterator<Item = (Pass, u32, &Segment)> {
        (0..).zip(&self.segments).flat_map(|(points, of_pass)| {
            let (pass, of_pass) = (Pass(points), (0..).zip(of_pass));
            of_pass.flat_map(move |(distance, segments)| {
                segments.iter().map(move |segment| (pass, distance, segment))
            })
        })
    }

    /// Adds a segment of messages for some `indices`, behind the segments of the same pass and
    /// distance. Keeps only the messages for states of a window.
    ///
    /// # Errors
    /// A description of the fault, if the segment can't belong to these indices.
    pub(crate) fn push(
        &mut self,
        pass: Pass,
        distance: u32,
        segment: Segment,
        indices: &Range<u64>,
        window: &Range<u64>,
    ) -> Result<(), String> {
        let index = |&message: &u32| segment.base.checked_add(u64::from(message >> 1));
        let last = segment.messages.last().and_then(index);
        if distance > MAX_PLIES
            || pass.0 > MAX_POINTS
            || !segment.messages.is_sorted()
            || segment.base < indices.start
            || last.is_none_or(|last| last >= indices.end)
        {
            return Err(format!("has messages of distance {distance} for no states"));
        }
        if self.at(pass, distance).last().is_some_and(|before| before.last() >= segment.base) {
            return Err(format!("has messages of distance {distance} that are not in order"));
        }
        if let Some(segment) = segment.within(window) {
            self.at(pass, distance).push(segment);
        }
        Ok(())
    }

    /// Adds messages for states whose indices are above the indices of all messages so far.
    pub(crate) fn append(&mut self, later: Incoming) {
        if self.segments.len() < later.segments.len() {
            self.segments.resize_with(later.segments.len(), Vec::new);
        }
        for (own, later) in self.segments.iter_mut().zip(later.segments) {
            if own.len() < later.len() {
                own.resize_with(later.len(), Vec::new);
            }
            own.iter_mut().zip(later).for_each(|(own, later)| {
                for segment in later {
                    if !own.last_mut().is_some_and(|last| last.takes(&segment)) {
                        own.push(segment);
                    }
                }
            });
        }
    }

    /// Moves all messages that are in memory into a scratch file.
    ///
    /// # Errors
    /// If the disk has no room.
    pub(crate) fn spill(&mut self, scratch: &Arc<Scratch>) -> Result<(), NoRoom> {
        let mut all = self.segments.iter_mut().flatten().flatten();
        let lists = |segment: &mut Segment| segment.messages.list().map_or(0, |list| list.len());
        let len = all.by_ref().map(lists).sum::<usize>() as u64;
        if len == 0 {
            return Ok(());
        }
        let mut file = Array::zeroed_in(len, "the values of exits", Some(scratch))?;
        let (mut ranges, mut end) = (Vec::new(), 0);
        for segment in self.segments.iter_mut().flatten().flatten() {
            let Some(list) = segment.messages.list() else { continue };
            let range = end..end + list.len();
            file[range.clone()].copy_from_slice(list);
            scratch.relieve();
            *list = Vec::new();
            end = range.end;
            ranges.push(range);
        }
        scratch.let_go(&file);
        let file = Arc::new(file);
        let in_memory = self.segments.iter_mut().flatten().flatten();
        let in_memory =
            in_memory.filter(|segment| matches!(segment.messages, Messages::InMemory(_)));
        for (segment, range) in in_memory.zip(ranges) {
            segment.messages = Messages::InFile(Arc::clone(&file), range);
        }
        Ok(())
    }

    /// Takes the messages of one distance out.
    pub(crate) fn take(&mut self, pass: Pass, distance: u32) -> Vec<Segment> {
        let of_pass = self.segments.get_mut(usize::from(pass.0));
        let of_distance = of_pass.and_then(|of_pass| of_pass.get_mut(distance as usize));
        of_distance.map(std::mem::take).unwrap_or_default()
    }

    /// The least distance beyond `distance` that has messages.
    pub(crate) fn next_after(&self, pass: Pass, distance: u32) -> Option<u32> {
        let later = self.of_pass(pass).iter().zip(0..).skip(distance as usize + 1);
        later.filter(|(segments, _)| !segments.is_empty()).map(|(_, distance)| distance).next()
    }

    /// The bytes of the messages that are in memory.
    pub(crate) fn bytes(&self) -> u64 {
        let bytes = |segment: &Segment| match &segment.messages {
            Messages::InMemory(messages) => messages.capacity() * size_of::<u32>(),
            Messages::InFile(..) => 0,
        };
        self.segments.iter().flatten().flatten().map(bytes).sum::<usize>() as u64
    }

    /// Whether the pass has any messages.
    pub(crate) fn has_any(&self, pass: Pass) -> bool {
        self.of_pass(pass).iter().any(|segments| !segments.is_empty())
    }
}

/// The messages for the indices from `start` to `end`: each index, and whether the message settles
/// the state on its own.
pub(crate) fn messages_within(
    segments: &[Segment],
    start: u64,
    end: u64,
) -> impl Iterator<Item = (u64, bool)> + '_ {
    // Segments are in order. Those before the start are not looked into, since they may be in a file.
    let first = segments.partition_point(|segment| segment.last() < start);
    let within = segments[first..].iter().take_while(move |segment| segment.base < end);
    within.flat_map(move |Segment { base, messages }| {
        let index = move |message: u32| base + u64::from(message >> 1);
        let from = messages.partition_point(|&message| index(message) < start);
        let to = messages.partition_point(|&message| index(message) < end);
        messages[from..to].iter().map(move |&message| (index(message), message & 1 == 1))
    })
}

/// The number of messages in some segments.
pub(crate) fn count(segments: &[Segment]) -> u64 {
    segments.iter().map(|segment| segment.messages.len() as u64).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_is_there_once_however_it_is_cut() {
        check(false);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn messages_in_files_are_those_in_memory() {
        check(true);
    }

    fn check(in_files: bool) {
        let mut incoming = Incoming::default();
        let indices: Vec<u64> =
            (0..200_000).map(|at| at * 3).chain([1 << 31, (1 << 31) + 5, 1 << 40]).collect();
        for &index in &indices {
            incoming.add(Pass(1), 7, index, index % 2 == 0);
        }
        let mut later = Incoming::default();
        later.add(Pass(1), 7, (1 << 40) + 1, true);
        later.add(Pass::DRAWN, 9, 3, true);
        let folder = tempfile::tempdir().unwrap();
        let scratch = Scratch::in_folder(folder.path(), 0);
        for spilled in [&mut incoming, &mut later] {
            if in_files {
                spilled.spill(&scratch).unwrap();
            }
        }
        incoming.append(later);
        if in_files {
            incoming.add(Pass::DRAWN, 9, 4, true);
            incoming.spill(&scratch).unwrap();
            let drawn = incoming.take(Pass::DRAWN, 9);
            let drawn: Vec<_> = messages_within(&drawn, 0, 5).collect();
            assert_eq!(drawn, [(3, true), (4, true)]);
            incoming.add(Pass::DRAWN, 9, 3, true);
        }
        assert_eq!(incoming.next_after(Pass(1), 0), Some(7));
        assert_eq!(incoming.next_after(Pass(1), 7), None);
        assert!(incoming.has_any(Pass::DRAWN));
        let segments = incoming.take(Pass(1), 7);
        assert!(!incoming.has_any(Pass(1)));
        assert_eq!(count(&segments), indices.len() as u64 + 1);
        let mut all = Vec::new();
        for (start, end) in [(0, 3), (3, 300_001), (300_001, 1 << 35), (1 << 35, u64::MAX)] {
            all.extend(messages_within(&segments, start, end));
        }
        let expected: Vec<_> = indices
            .iter()
            .map(|&index| (index, index % 2 == 0))
            .chain([((1 << 40) + 1, true)])
            .collect();
        assert_eq!(all, expected);
    }
}
