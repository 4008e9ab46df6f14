//! The values of exits, if other processes own some of them. Each process asks for them in batches,
//! before the first pass.
//!
//! Each process goes through its window, slice by slice. It sends its questions about a slice to
//! the processes that own the values, sorted and without repetitions. They answer in the same
//! order. All processes continue until no process has any more questions.

use std::ops::Range;

use hashbrown::HashMap;

use crate::error::SolveError;
use crate::explore::{KeyedMoves, RecordedMoves, Said};
use crate::game::preference::{Preference, for_chooser};
use crate::game::value::{Scale, UNUSED, Value};
use crate::game::{Game, Turns};
use crate::numbering::{Numbering, Question};
use crate::runtime::codec::{push_varint, take_varint};
use crate::runtime::cuts::equal_cuts;
use crate::runtime::frontier::{CHUNK, end_of_chunks};
use crate::runtime::peers::SEVERAL;
use crate::runtime::pool::{Size, WorkerPool};
use crate::runtime::progress::Progress;
use crate::solve::graph::exits::best_exit_by;
use crate::solve::graph::incoming::Incoming;

/// How many states each thread goes through before it sends the questions.
const SLICE: u64 = 1 << 14;

/// How many records ahead a record is prefetched.
const RECORDS_AHEAD: u64 = 16;

/// How many parts of a slice each thread gets: some states have more exits than others.
const PARTS_A_THREAD: usize = 4;

/// The answers of other processes; `None` for a state without a value.
type Answers = HashMap<Question, Option<Value>>;

/// Looks up the exits of all states of the window, if other processes own some of the values.
/// Otherwise returns nothing. Recorded moves serve to find the exits, or else the rules.
///
/// # Errors
/// If the value of an exit is not known, another process is lost, or the run is cancelled.
pub(super) fn look_up<N: Numbering + Sync>(
    numbering: &N,
    window: Range<u64>,
    recorded: Option<&RecordedMoves>,
    pool: &mut WorkerPool<'_>,
) -> Result<Incoming, SolveError> {
    let mut incoming = Incoming::default();
    if !SEVERAL || !N::HAS_EXITS || !numbering.shares_exits() {
        return Ok(incoming);
    }
    let recorded = match recorded {
        Some(RecordedMoves::Keyed(recorded)) => Some(recorded),
        Some(RecordedMoves::Indexed(_)) | None => None,
    };
    let slice = SLICE.saturating_mul(pool.threads() as u64);
    let mut next = window.start;
    loop {
        let end = end_of_chunks(next, slice, window.end);
        let questions = questions(numbering, next..end, recorded, pool)?;
        let passed = Progress::Counting { done: next, of: numbering.len() };
        let (answers, is_last) = ask(numbering, questions, end == window.end, passed, pool)?;
        incoming.append(best_exits(numbering, next..end, &answers, recorded, pool)?);
        next = end;
        if is_last {
            return Ok(incoming);
        }
    }
}

/// Does `work` on parts of a slice, and returns the results in order.
fn by_parts<N: Numbering + Sync, T: Send>(
    numbering: &N,
    slice: Range<u64>,
    pool: &mut WorkerPool<'_>,
    work: impl Fn(Range<u64>) -> Result<T, SolveError> + Sync,
) -> Result<Vec<T>, SolveError> {
    let (start, of) = (slice.start, numbering.len());
    let ends = equal_cuts(slice.end - start, pool.threads() * PARTS_A_THREAD, CHUNK);
    let starts = [0].into_iter().chain(ends.iter().copied());
    let parts = starts.zip(&ends).map(|(first, end)| start + first..start + end).collect();
    let event = |_| Progress::Counting { done: start, of };
    pool.run(Size::Big, parts, event, |part, _| work(part))
}

/// The questions about the states of a slice, sorted and without repetitions.
fn questions<N: Numbering + Sync>(
    numbering: &N,
    slice: Range<u64>,
    recorded: Option<&KeyedMoves>,
    pool: &mut WorkerPool<'_>,
) -> Result<Vec<Question>, SolveError> {
    let parts = by_parts(numbering, slice, pool, |part| {
        let mut questions = Vec::new();
        let ask_rules = |state: &<N::Game as Game>::State, questions: &mut Vec<Question>| {
            if numbering.game().terminal(state).is_none() {
                numbering.exits(state, |next| questions.extend(numbering.question(&next)));
            }
        };
        match recorded {
            None => numbering.states_in(part, |_, state| ask_rules(&state, &mut questions)),
            Some(recorded) => {
                for index in part {
                    recorded.prefetch(index + RECORDS_AHEAD);
                    let said = recorded.each_move(index, |tier, key, _| {
                        let question = tier.and_then(|tier| numbering.question_of_key(tier, key));
                        questions.extend(question);
                    });
                    if said == Said::Nothing
                        && let Some(state) = numbering.state(index)
                    {
                        ask_rules(&state, &mut questions);
                    }
                }
            }
        }
        questions.sort_unstable();
        questions.dedup();
        Ok(questions)
    })?;
    let mut questions = parts.concat();
    questions.sort_unstable();
    questions.dedup();
    Ok(questions)
}

/// Asks the other processes, and answers their questions. `is_last` says whether this process has
/// no more questions, and `passed` is its progress. Returns the answers, and whether all processes
/// are out of questions.
fn ask<N: Numbering + Sync>(
    numbering: &N,
    questions: Vec<Question>,
    is_last: bool,
    passed: Progress,
    pool: &mut WorkerPool<'_>,
) -> Result<(Answers, bool), SolveError> {
    let peer_error = |from: usize, problem: &str| SolveError::PeerError {
        problem: format!("process {from} {problem}"),
    };
    let processes = pool.processes();
    let mut asked = vec![vec![u8::from(is_last)]; processes];
    for of_owner in questions.chunk_by(|one, next| one.owner == next.owner) {
        if let Some(packet) = asked.get_mut(of_owner[0].owner as usize) {
            write_questions(of_owner, packet);
        }
    }
    let mut bytes: usize = asked.iter().map(Vec::len).sum();
    let arrived = pool.exchange(asked)?;
    let mut are_last = true;
    let mut packets = Vec::new();
    for (from, packet) in arrived.into_iter().enumerate() {
        let (&is_last, packet) =
            packet.split_first().ok_or_else(|| peer_error(from, "sent no questions"))?;
        are_last &= is_last == 1;
        packets.push((from, packet.to_vec()));
    }
    let scale = Scale::of_game(numbering.game());
    let answers = pool.run(
        Size::Big,
        packets,
        |_| passed,
        |(from, packet), _| {
            let mut answers = Vec::new();
            let answer = |tier, word| {
                let value = numbering.answer(tier, word);
                answers.extend(value.map_or(UNUSED, |value| scale.pack(value)).to_le_bytes());
            };
            read_questions(&packet, answer)
                .ok_or_else(|| peer_error(from, "asked what is no question"))?;
            Ok::<_, SolveError>(answers)
        },
    )?;
    bytes += answers.iter().map(Vec::len).sum::<usize>();
    let arrived = pool.exchange(answers)?;
    pool.note_exchanged(questions.len() as u64, bytes as u64);
    let mut answers = Answers::with_capacity(questions.len());
    for of_owner in questions.chunk_by(|one, next| one.owner == next.owner) {
        let from = of_owner[0].owner as usize;
        let (values, rest) =
            arrived.get(from).map(|bytes| bytes.as_chunks::<2>()).unwrap_or_default();
        if values.len() != of_owner.len() || !rest.is_empty() {
            return Err(peer_error(from, "did not answer all questions"));
        }
        for (&question, &value) in of_owner.iter().zip(values) {
            let value = scale.unpack(u16::from_le_bytes(value));
            let value = value.map_err(|_| peer_error(from, "answered what is no value"))?;
            answers.insert(question, value);
        }
    }
    Ok((answers, are_last))
}

/// The values of the best exits of a slice's states.
fn best_exits<N: Numbering + Sync>(
    numbering: &N,
    slice: Range<u64>,
    answers: &Answers,
    recorded: Option<&KeyedMoves>,
    pool: &mut WorkerPool<'_>,
) -> Result<Incoming, SolveError> {
    let game = numbering.game();
    let value_of = |next: &<N::Game as Game>::State| match numbering.question(next) {
        Some(question) => answers.get(&question).copied().flatten(),
        None => numbering.outside(next),
    };
    let ask_rules = |index: u64, state: &<N::Game as Game>::State, incoming: &mut Incoming| {
        if game.terminal(state).is_none() {
            let preference = Preference::new(game.mover(state), game.endless());
            let best = best_exit_by(numbering, state, preference, value_of)?;
            incoming.add_exit(index, best, preference);
        }
        Ok(())
    };
    let parts = by_parts(numbering, slice, pool, |part| {
        let mut incoming = Incoming::default();
        let Some(recorded) = recorded else {
            let mut result = Ok(());
            numbering.states_in(part, |index, state| {
                if result.is_ok() {
                    result = ask_rules(index, &state, &mut incoming);
                }
            });
            return result.map(|()| incoming);
        };
        for index in part {
            recorded.prefetch(index + RECORDS_AHEAD);
            let preference = Preference::new(recorded.mover(index), game.endless());
            let (mut best, mut is_known) = (None, true);
            let said = recorded.each_move(index, |tier, key, same_mover| {
                let Some(tier) = tier else { return };
                let value = match numbering.question_of_key(tier, key) {
                    Some(question) => answers.get(&question).copied().flatten(),
                    None => numbering.outside_of_key(tier, key),
                };
                match value {
                    Some(value) => {
                        best = Some(preference.better(best, for_chooser(value, same_mover)));
                    }
                    None => is_known = false,
                }
            });
            match said {
                Said::Ended(_) => {}
                Said::Open if is_known => _ = incoming.add_exit(index, best, preference),
                // Asking the rules yields the error.
                Said::Open | Said::Nothing => {
                    if let Some(state) = numbering.state(index) {
                        ask_rules(index, &state, &mut incoming)?;
                    }
                }
            }
        }
        Ok(incoming)
    })?;
    let mut incoming = Incoming::default();
    parts.into_iter().for_each(|part| incoming.append(part));
    Ok(incoming)
}

/// Writes the sorted questions for one process. For each tier it writes the tier's number, the
/// count of questions, and the gap of each question to the one before.
fn write_questions(questions: &[Question], packet: &mut Vec<u8>) {
    for of_tier in questions.chunk_by(|one, next| one.tier == next.tier) {
        packet.extend(of_tier[0].tier.to_le_bytes());
        packet.extend((of_tier.len() as u32).to_le_bytes());
        let mut before = 0;
        for question in of_tier {
            push_varint(question.word - before, packet);
            before = question.word;
        }
    }
}

/// Reads questions, and visits the tier and word of each. `None` if the bytes are not questions.
fn read_questions(mut packet: &[u8], mut visit: impl FnMut(u32, u128)) -> Option<()> {
    while !packet.is_empty() {
        let (tier, rest) = packet.split_first_chunk()?;
        let (count, rest) = rest.split_first_chunk()?;
        packet = rest;
        let mut word = 0_u128;
        for _ in 0..u32::from_le_bytes(*count) {
            word = word.checked_add(take_varint(&mut packet)?)?;
            visit(u32::from_le_bytes(*tier), word);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_read_as_they_were_written_and_cut_ones_are_refused() {
        let question = |(tier, word)| Question { owner: 3, tier, word };
        let words = [(0, 0), (0, 127), (0, 128), (2, 5), (2, u128::from(u64::MAX)), (2, u128::MAX)];
        let questions: Vec<Question> = words.into_iter().map(question).collect();
        let mut packet = Vec::new();
        write_questions(&questions, &mut packet);
        let mut read = Vec::new();
        read_questions(&packet, |tier, word| read.push((tier, word))).unwrap();
        assert_eq!(read, words);
        for cut in [1, 4, 7, 8, 10, packet.len() - 1] {
            assert_eq!(read_questions(&packet[..cut], |_, _| ()), None, "{cut}");
        }
        let endless = [&[0, 0, 0, 0, 1, 0, 0, 0], &[0xff; 30][..]].concat();
        assert_eq!(read_questions(&endless, |_, _| ()), None);
    }
}
