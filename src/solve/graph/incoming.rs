//! What comes in from outside: values of moves that lead to states without a number here, each of
//! which takes effect in the level of its own distance.
//!
//! Such moves are looked at once for each state. All that a state's leaving moves can bring about
//! is one message, as if one more successor had been settled at a certain level:
//!
//! - One of them wins: the state is won at that level, unless it was won before.
//! - All of them lose: the state can't be lost before the level of the one that delays most.
//! - One of them draws: the state is never lost. It is drawn at that level, in the pass of the
//!   draws, if that is what the player to move hurries to or all that his other moves keep.
//! - One of them never ends: the state is never lost, nor settled as a draw by its other moves.
//!
//! So the leaving moves together count as one open successor, which is settled by that message or
//! never.

use serde::{Deserialize, Serialize};

use crate::game::Player;
use crate::solve::graph::exit_summary::ExitSummary;
use crate::value::MAX_PLIES;

/// Which of the two passes through the levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Pass {
    Decided = 0,
    Drawn = 1,
}

/// Messages for states, in ascending order of their numbers: how far the number is from the base,
/// and in the lowest bit whether it settles the state at once.
#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) base: u64,
    pub(crate) messages: Vec<u32>,
}

/// How many messages a segment has at most: little enough that growing costs no memory to speak of.
pub(crate) const LONGEST: usize = 1 << 16;

/// How far a number may be from its segment's base.
const FARTHEST: u64 = 1 << 31;

/// All messages from outside.
#[derive(Debug, Default)]
pub(crate) struct Incoming {
    /// By pass and distance.
    segments: [Vec<Vec<Segment>>; 2],
}

impl Incoming {
    /// Enters what the leaving moves of a state offer, if there are any; says whether there are.
    /// `hurried` is the player who hurries to a draw.
    pub(crate) fn enter(
        &mut self,
        number: u64,
        mover: Player,
        exits: &ExitSummary,
        endless_loser: Option<Player>,
    ) -> bool {
        let hurries = endless_loser == Some(mover);
        let (pass, plies, at_once) = match *exits {
            ExitSummary { soonest_win: Some(plies), .. } => (Pass::Decided, plies, true),
            ExitSummary { soonest_draw: Some(plies), .. } if hurries => (Pass::Drawn, plies, true),
            ExitSummary { endless: true, .. } => return true,
            ExitSummary { latest_draw: Some(plies), .. } => (Pass::Drawn, plies, false),
            ExitSummary { latest_loss: Some(plies), .. } => (Pass::Decided, plies, false),
            _ => return false,
        };
        self.add(pass, plies + 1, number, at_once);
        true
    }

    fn add(&mut self, pass: Pass, distance: u32, number: u64, at_once: bool) {
        let by_distance = &mut self.segments[pass as usize];
        if by_distance.len() <= distance as usize {
            by_distance.resize_with(distance as usize + 1, Vec::new);
        }
        let segments = &mut by_distance[distance as usize];
        let message = |base| ((number - base) << 1) as u32 | u32::from(at_once);
        match segments.last_mut() {
            Some(Segment { base, messages })
                if messages.len() < LONGEST && number - *base < FARTHEST =>
            {
                messages.push(message(*base));
            }
            _ => segments.push(Segment { base: number, messages: vec![message(number)] }),
        }
    }

    /// All segments: of which pass and distance each is.
    pub(crate) fn each(&self) -> impl Iterator<Item = (Pass, u32, &Segment)> {
        [Pass::Decided, Pass::Drawn].into_iter().flat_map(|pass| {
            let of_pass = (0..).zip(&self.segments[pass as usize]);
            of_pass.flat_map(move |(distance, segments)| {
                segments.iter().map(move |segment| (pass, distance, segment))
            })
        })
    }

    /// Adds a segment behind those of its pass and distance; what is wrong with it, where it can't
    /// be one for `len` states.
    pub(crate) fn push(
        &mut self,
        pass: Pass,
        distance: u32,
        segment: Segment,
        len: u64,
    ) -> Result<(), String> {
        let number = |&message: &u32| segment.base.checked_add(u64::from(message >> 1));
        let last = segment.messages.last().and_then(number);
        if distance > MAX_PLIES
            || !segment.messages.is_sorted()
            || last.is_none_or(|last| last >= len)
        {
            return Err(format!("has messages of distance {distance} for no states"));
        }
        let by_distance = &mut self.segments[pass as usize];
        if by_distance.len() <= distance as usize {
            by_distance.resize_with(distance as usize + 1, Vec::new);
        }
        by_distance[distance as usize].push(segment);
        Ok(())
    }

    /// Adds the messages for states behind all that have any.
    pub(crate) fn append(&mut self, later: Incoming) {
        for (own, later) in self.segments.iter_mut().zip(later.segments) {
            if own.len() < later.len() {
                own.resize_with(later.len(), Vec::new);
            }
            own.iter_mut().zip(later).for_each(|(own, mut later)| own.append(&mut later));
        }
    }

    /// The messages of one distance, which are forgotten.
    pub(crate) fn take(&mut self, pass: Pass, distance: u32) -> Vec<Segment> {
        let of_pass = &mut self.segments[pass as usize];
        of_pass.get_mut(distance as usize).map(std::mem::take).unwrap_or_default()
    }

    /// The least distance beyond `distance` that has messages.
    pub(crate) fn next_after(&self, pass: Pass, distance: u32) -> Option<u32> {
        let later = self.segments[pass as usize].iter().zip(0..).skip(distance as usize + 1);
        later.filter(|(segments, _)| !segments.is_empty()).map(|(_, distance)| distance).next()
    }

    /// Whether there is a message for the pass.
    pub(crate) fn has_any(&self, pass: Pass) -> bool {
        self.segments[pass as usize].iter().any(|segments| !segments.is_empty())
    }
}

/// Visits the messages for the numbers from `start` to `end`: the number, and whether the state is
/// settled at once.
pub(crate) fn messages_within(
    segments: &[Segment],
    start: u64,
    end: u64,
) -> impl Iterator<Item = (u64, bool)> + '_ {
    segments.iter().flat_map(move |Segment { base, messages }| {
        let number = move |message: u32| base + u64::from(message >> 1);
        let from = messages.partition_point(|&message| number(message) < start);
        let to = messages.partition_point(|&message| number(message) < end);
        messages[from..to].iter().map(move |&message| (number(message), message & 1 == 1))
    })
}

/// How many messages there are.
pub(crate) fn count(segments: &[Segment]) -> u64 {
    segments.iter().map(|segment| segment.messages.len() as u64).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_is_there_once_however_it_is_cut() {
        let mut entering = Incoming::default();
        let numbers: Vec<u64> =
            (0..200_000).map(|at| at * 3).chain([1 << 31, (1 << 31) + 5, 1 << 40]).collect();
        for &number in &numbers {
            entering.add(Pass::Decided, 7, number, number % 2 == 0);
        }
        let mut later = Incoming::default();
        later.add(Pass::Decided, 7, (1 << 40) + 1, true);
        later.add(Pass::Drawn, 9, 3, true);
        entering.append(later);
        assert_eq!(entering.next_after(Pass::Decided, 0), Some(7));
        assert_eq!(entering.next_after(Pass::Decided, 7), None);
        assert!(entering.has_any(Pass::Drawn));
        let segments = entering.take(Pass::Decided, 7);
        assert!(!entering.has_any(Pass::Decided));
        assert_eq!(count(&segments), numbers.len() as u64 + 1);
        let mut all = Vec::new();
        for (start, end) in [(0, 3), (3, 300_001), (300_001, 1 << 35), (1 << 35, u64::MAX)] {
            all.extend(messages_within(&segments, start, end));
        }
        let expected: Vec<_> = numbers
            .iter()
            .map(|&number| (number, number % 2 == 0))
            .chain([((1 << 40) + 1, true)])
            .collect();
        assert_eq!(all, expected);
    }
}
