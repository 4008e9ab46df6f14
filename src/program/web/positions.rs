//! Positions of a small table as files, for a site that has no module of its game.
//!
//! A file has the answers about some positions, compressed. The hash of a position says which file has it;
//! `ready.js` of the page reads them.

use std::collections::{HashMap, HashSet};
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use crate::program::answers::facts::Answers;
use crate::program::answers::json;
use crate::program::answers::position::{Look, Wanted};
use crate::program::answers::problem::{Problem, Status};
use crate::program::code::ErrorCode;

/// The most positions of a table for which they are written.
pub(crate) const MOST_POSITIONS: u64 = 300_000;

/// The number of positions in a file, on average.
const IN_A_FILE: usize = 64;

/// The number of indices whose states are asked for at once.
const AT_ONCE: u64 = 4_096;

/// The facts by which the page finds a position.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Positions {
    /// The number of files: `0.bin` and so on.
    pub(crate) files: usize,
    /// The version of the files, for their addresses.
    pub(crate) version: String,
}

/// A problem of the table, or of writing.
pub(crate) enum Failed<E> {
    Table(Problem),
    Writing(E),
}

/// All positions of a table, as texts: those of its indices, and those that they lead to.
pub(crate) struct Texts {
    all: Vec<String>,
    /// The number of those of indices, which come first.
    listed: usize,
}

impl Texts {
    /// Finds all positions; `None` if there are more than [`MOST_POSITIONS`].
    ///
    /// # Errors
    /// When the table can't be read.
    pub(crate) fn find(answers: &dyn Answers) -> Result<Option<Texts>, Problem> {
        let mut all = listed(answers)?;
        let listed = all.len();
        // Of those that are the same by symmetry, one has an index. Play leads to the others, too.
        let mut known: HashSet<String> = all.iter().cloned().collect();
        let wanted = Wanted { moves: true, ..Wanted::default() };
        let mut at = 0;
        while at < all.len() && all.len() as u64 <= MOST_POSITIONS {
            let look = answers.look(Some(&all[at]), wanted, &|| false)?;
            let after = look.moves.into_iter().map(|one| one.to.state);
            all.extend(after.filter(|state| known.insert(state.clone())));
            at += 1;
        }
        let is_few = all.len() as u64 <= MOST_POSITIONS;
        Ok(is_few.then_some(Texts { all, listed }))
    }

    pub(crate) fn len(&self) -> u64 {
        self.all.len() as u64
    }
}

/// Puts a file with this name and these bytes into the folder of a table.
pub(crate) type Put<'p, E> = dyn FnMut(&str, &[u8]) -> Result<(), E> + 'p;

/// Writes the files of a table. `put` gets the name and the bytes of each. Returns their number.
///
/// # Errors
/// When the table can't be read, or `put` fails.
pub(crate) fn write<E>(
    answers: &dyn Answers,
    texts: &Texts,
    put: &mut Put<'_, E>,
) -> Result<usize, Failed<E>> {
    let count = texts.all.len().div_ceil(IN_A_FILE).max(1);
    let mut files: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (at, state) in texts.all.iter().enumerate() {
        files[hash(state) as usize % count].push(at);
    }
    let (mut list, mut lines) = (List::default(), Lines::default());
    for (number, places) in files.into_iter().enumerate() {
        let mut found = Map::new();
        for at in places {
            let state = &texts.all[at];
            let wanted = Wanted { moves: true, picture: true, ..Wanted::default() };
            let look = answers.look(Some(state), wanted, &|| false).map_err(Failed::Table)?;
            found.insert(state.clone(), answer(answers, &look, &mut lines));
            if at < texts.listed {
                list.add(answers, &look);
            }
        }
        put(&format!("{number}.bin"), &packed(&found.into())).map_err(Failed::Writing)?;
    }
    put("list.bin", &packed(&json!(list))).map_err(Failed::Writing)?;
    put("lines.bin", &packed(&json!(lines.all))).map_err(Failed::Writing)?;
    Ok(count)
}

/// The positions of all indices.
fn listed(answers: &dyn Answers) -> Result<Vec<String>, Problem> {
    let mut states = Vec::new();
    let end = answers.indices();
    for begin in (0..end).step_by(AT_ONCE as usize) {
        let some = begin..end.min(begin + AT_ONCE);
        match answers.states(some.clone()) {
            Ok(found) => states.extend(found.into_iter().flatten()),
            // A tier in it may not be solved.
            Err(_) => {
                for index in some {
                    match answers.states(index..index + 1) {
                        Ok(found) => states.extend(found.into_iter().flatten()),
                        Err(problem) if problem.status == Status::NOT_FOUND => {}
                        Err(problem) => return Err(problem),
                    }
                }
            }
        }
    }
    let is_there = |state: &String| {
        let look = answers.look(Some(state), Wanted::default(), &|| false);
        !look.is_err_and(|problem| problem.code == ErrorCode::NotInTable)
    };
    states.retain(is_there);
    Ok(states)
}

/// The answer about a position, with a second picture that is turned round.
fn answer(answers: &dyn Answers, look: &Look, lines: &mut Lines) -> Json {
    let facts = answers.facts();
    let mut answer = json::look(facts, look, false);
    answer["picture"] = lines.shortened(answer["picture"].take());
    answer["flipped"] = lines.shortened(json::look(facts, look, true)["picture"].take());
    answer
}

/// The lines of pictures and what is said of their places: boards differ in few of them.
#[derive(Default)]
struct Lines {
    known: HashMap<String, usize>,
    all: Vec<String>,
}

impl Lines {
    /// A picture with numbers of lines in place of texts.
    fn shortened(&mut self, mut picture: Json) -> Json {
        if let Some(svg) = picture["svg"].as_str() {
            picture["svg"] = svg.split('\n').map(|line| self.number(line.to_owned())).collect();
        }
        if let Some(places) = picture["places"].as_array() {
            picture["places"] = places.iter().map(|place| self.number(place.to_string())).collect();
        }
        picture
    }

    fn number(&mut self, line: String) -> usize {
        let next = self.all.len();
        let number = *self.known.entry(line.clone()).or_insert(next);
        if number == next {
            self.all.push(line);
        }
        number
    }
}

/// All positions, for searches.
#[derive(Default, Serialize)]
struct List {
    /// The different answers about positions, without their states.
    values: Vec<Json>,
    tiers: Vec<String>,
    /// For each position its state, the number of its value and of its tier, and whether one move alone wins.
    positions: Vec<(String, usize, Option<usize>, bool)>,
}

impl List {
    fn add(&mut self, answers: &dyn Answers, look: &Look) {
        let mut value = json!(json::position(&answers.facts().words, &look.position));
        let state = value["state"].take().as_str().unwrap_or_default().to_owned();
        let value = number(&mut self.values, value);
        let tier = look.tier.clone().map(|tier| number(&mut self.tiers, tier));
        let winning = look.moves.iter().filter(|one| one.worth.is_gt()).count();
        self.positions.push((state, value, tier, winning == 1));
    }
}

/// The place of a value among those that are known, to which it is added.
fn number<T: PartialEq>(known: &mut Vec<T>, value: T) -> usize {
    known.iter().position(|one| *one == value).unwrap_or_else(|| {
        known.push(value);
        known.len() - 1
    })
}

fn packed(json: &Json) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail.
    let _ = packed.write_all(json.to_string().as_bytes());
    packed.finish().unwrap_or_default()
}

/// The hash of a state: FNV-1a, which the page computes, too.
fn hash(state: &str) -> u32 {
    state.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
