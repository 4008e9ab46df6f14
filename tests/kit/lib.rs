//! Shared parts of the tests: games, random numbers, a textbook solver, and small helpers. The
//! examples in the documentation use the games.

pub mod games;
pub mod graph;
mod query;
pub mod random_game;
pub mod small_graphs;
pub mod textbook;
pub mod web;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use retrograde::scheme::Dense;
use retrograde::{Game, Indexed, Solution, SolveError, Solver, Stored};

pub use graph::Graph;
pub use query::Query;

/// Random numbers, determined by the seed (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", 2014).
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next number.
    #[allow(clippy::should_implement_trait, reason = "there is always a next number")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number below `bound`, or 0 if `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    /// A place in a list of this length, or 0 if the list is empty.
    pub fn place(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// A number from 0 up to 1.
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The folder of the whole project.
pub fn repository() -> &'static Path {
    let kit = Path::new(env!("CARGO_MANIFEST_DIR"));
    kit.ancestors().nth(2).expect("a folder around the tests")
}

/// How much the tests try. The environment says it: `RETROGRADE_TESTS` is `plain`, `ci` or `release`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// Each thing once, with the smallest game that can show a fault. The usual way.
    Plain,
    /// Many cases, larger games, all ways of a thing. For every change, by CI.
    Ci,
    /// All that takes long. Before a release.
    Release,
}

/// The effort that the environment asks for where the tests are compiled. Cargo compiles them again after a
/// change of it.
pub const EFFORT: Effort = match option_env!("RETROGRADE_TESTS") {
    None => Effort::Plain,
    Some(effort) => match effort.as_bytes() {
        b"plain" => Effort::Plain,
        b"ci" => Effort::Ci,
        b"release" => Effort::Release,
        _ => panic!("RETROGRADE_TESTS: expected plain, ci or release"),
    },
};

/// Whether tests of many cases have nothing to do. What a condition of this constant leaves out is not
/// compiled for any game.
pub const PLAIN: bool = matches!(EFFORT, Effort::Plain);

/// Whether tests try all cases.
pub const ALL_CASES: bool = matches!(EFFORT, Effort::Release);

/// The one of three values that is for this effort: for plain tests, those of CI, those of a release.
pub const fn by_effort<T: Copy>([plain, ci, release]: [T; 3]) -> T {
    match EFFORT {
        Effort::Plain => plain,
        Effort::Ci => ci,
        Effort::Release => release,
    }
}

/// The number of random games to try, of all.
pub fn cases(all: u32) -> u32 {
    all.div_ceil(by_effort([32, 16, 1]))
}

/// `few` of all cases in plain tests, and otherwise `all`.
pub fn few<T>(few: T, all: T) -> T {
    if PLAIN { few } else { all }
}

/// Some of the ways to do something, for the trial of this number. Other ways are for the next trial.
pub fn some<T: Copy>(all: &[T], trial: usize) -> Vec<T> {
    let one_of = by_effort([all.len().max(1), all.len().clamp(1, 3), 1]);
    let ways = all.iter().copied().enumerate();
    ways.filter(|(at, _)| (at + trial).is_multiple_of(one_of)).map(|(_, way)| way).collect()
}

/// The first root of a game.
pub fn start<G: Game>(game: &G) -> G::State {
    game.roots().into_iter().next().expect("a game with roots")
}

/// The bytes that cells of one byte take: the figure of a refusal. Longer distances need more.
pub fn narrow_cells(game: &impl Indexed) -> u64 {
    refused(game).0
}

/// The least memory that a game of this size can be solved in, whether distances are short or long.
/// It is too little for reverse edges.
pub fn least_memory(game: &impl Indexed) -> u64 {
    let (needed, states) = refused(game);
    needed + states
}

/// The refusal of a solve without memory: the bytes that it needs, and the number of indices.
fn refused(game: &impl Indexed) -> (u64, u64) {
    match Solver::new(game).memory(0).solve_as::<Dense>() {
        Err(SolveError::OverLimit { needed, states, .. }) => (needed, states),
        other => panic!("{:?}", other.map(|_| ())),
    }
}

/// The bytes of the file that a solution is saved as. The file is written in `folder`.
pub fn bytes<G: Stored>(solution: &Solution<'_, G>, folder: &Path) -> Vec<u8> {
    let path = folder.join("table.rtb");
    solution.save(&path).expect("a table to save");
    fs::read(&path).expect("the table")
}

/// The files of a folder, by their names.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    let name = |file: &Path| file.file_name().and_then(|name| name.to_str()).map(str::to_owned);
    files.map(|file| (name(&file).expect("text"), fs::read(&file).expect("bytes"))).collect()
}
