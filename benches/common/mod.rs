//! Shared by the benches: solvers that take turns at one game, and the table of their figures. No
//! bench uses all of it.
#![allow(dead_code)]

use std::fs;
use std::time::Instant;

use memmap2::MmapMut;
use retrograde::Value;
use serde_json::json;

/// How often each solver runs, unless the game is small enough for a smoke test.
const ROUNDS: usize = 5;
/// With fewer states than this, one round is enough to check that all agree.
const SMOKE: u64 = 1 << 20;

/// The value of every index of a solved game.
pub(crate) type Table<'g> = Box<dyn Fn(u64) -> Value + 'g>;

/// A solver under test.
pub(crate) struct Solver<'g> {
    /// The name in the table.
    pub(crate) name: &'static str,
    /// Solves the game.
    pub(crate) solve: Box<dyn Fn() -> Table<'g> + 'g>,
}

/// A game under test.
pub(crate) struct Contest<'g> {
    /// The name in the table.
    pub(crate) game: String,
    /// The number of states.
    pub(crate) states: u64,
    /// The total number of moves.
    pub(crate) edges: u64,
    /// The solvers: first the textbook, then the one by hand if there is one, then the engine's.
    pub(crate) solvers: Vec<Solver<'g>>,
}

/// The cost of one solver in one round.
#[derive(Clone, Copy)]
pub(crate) struct Cost {
    pub(crate) seconds: f64,
    /// The growth of the resident memory at its peak, if the system reports it.
    pub(crate) bytes: Option<u64>,
}

/// Prints the head of the table, if one is wanted.
pub(crate) fn head() {
    if wants_json() {
        return;
    }
    println!(
        "{:<14}{:>12} {:>13}  {:<18}{:>9}{:>12}{:>9}{:>13}{:>13}{:>12}",
        "game",
        "states",
        "edges",
        "solver",
        "seconds",
        "states/s",
        "ns/edge",
        "bytes/state",
        "vs textbook",
        "vs by hand"
    );
}

impl Contest<'_> {
    /// Runs the solvers in turns, checks that they agree, and prints the medians, or all figures as
    /// lines of JSON.
    pub(crate) fn run(&self) {
        let rounds = rounds(if self.states < SMOKE { 1 } else { ROUNDS });
        let mut costs = vec![Vec::new(); self.solvers.len()];
        for round in 0..rounds {
            let mut first: Option<Table> = None;
            for (solver, costs) in self.solvers.iter().zip(&mut costs) {
                let (table, cost) = cost_of(|| (solver.solve)());
                costs.push(cost);
                match &first {
                    None => first = (round == 0).then_some(table),
                    Some(first) => {
                        for index in 0..self.states {
                            assert_eq!(table(index), first(index), "{} at {index}", solver.name);
                        }
                    }
                }
            }
        }
        if wants_json() {
            for (solver, costs) in self.solvers.iter().zip(costs) {
                let line = json!({
                    "game": self.game,
                    "states": self.states,
                    "edges": self.edges,
                    "solver": solver.name,
                    "seconds": costs.iter().map(|cost| cost.seconds).collect::<Vec<_>>(),
                    "bytes": median(costs).bytes,
                });
                println!("{line}");
            }
            return;
        }
        let medians: Vec<Cost> = costs.into_iter().map(median).collect();
        let by_hand = self.solvers.iter().position(|solver| solver.name == "by hand");
        for (solver, cost) in self.solvers.iter().zip(&medians) {
            let bytes = cost
                .bytes
                .map_or("-".into(), |bytes| format!("{:.2}", bytes as f64 / self.states as f64));
            let times = |at: usize| format!("{:.2}x", medians[at].seconds / cost.seconds);
            println!(
                "{:<14}{:>12} {:>13}  {:<18}{:>9.3}{:>12.3e}{:>9.2}{:>13}{:>13}{:>12}",
                self.game,
                self.states,
                self.edges,
                solver.name,
                cost.seconds,
                self.states as f64 / cost.seconds,
                cost.seconds * 1e9 / self.edges as f64,
                bytes,
                times(0),
                by_hand.map_or("-".into(), times),
            );
        }
    }
}

pub(crate) fn median(mut costs: Vec<Cost>) -> Cost {
    costs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    costs[costs.len() / 2]
}

/// The median of some figures.
pub(crate) fn middle(mut figures: Vec<f64>) -> Option<f64> {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied()
}

/// Runs a solver and measures its cost.
pub(crate) fn cost_of<T>(run: impl FnOnce() -> T) -> (T, Cost) {
    let resident = reset_peak();
    let begin = Instant::now();
    let result = run();
    let seconds = begin.elapsed().as_secs_f64();
    let bytes = peak().zip(resident).map(|(peak, before)| peak.saturating_sub(before));
    (result, Cost { seconds, bytes })
}

/// The peak of the resident memory since the last measurement began, or since the start of the
/// process.
pub(crate) fn most_resident() -> Option<u64> {
    peak()
}

/// Resets the peak of the resident memory. Returns the resident memory now.
fn reset_peak() -> Option<u64> {
    fs::write("/proc/self/clear_refs", "5").ok()?;
    status("VmRSS:")
}

/// The peak of the resident memory since it was reset.
fn peak() -> Option<u64> {
    status("VmHWM:")
}

fn status(field: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Zeroed memory on huge pages, for the solvers by hand as for the engine.
pub(crate) fn zeroed(bytes: usize) -> MmapMut {
    let map = MmapMut::map_anon(bytes.max(1)).expect("memory");
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    map
}

/// Whether lines of JSON are wanted in place of a table: `--json`. `benches/figures` reads them.
pub(crate) fn wants_json() -> bool {
    std::env::args().any(|argument| argument == "--json")
}

/// How often each solver runs: N of `--rounds=N` on the command line, or as often as usual.
pub(crate) fn rounds(usual: usize) -> usize {
    let given = std::env::args()
        .find_map(|argument| argument.strip_prefix("--rounds=").map(|rounds| rounds.parse()));
    given.map_or(usual, |rounds| rounds.expect("a number of rounds")).max(1)
}

/// The sizes on the command line, or `usual`. Flags that `cargo bench` passes for other harnesses
/// are ignored.
pub(crate) fn sizes<const N: usize>(usual: [u64; N]) -> Vec<u64> {
    let given: Vec<u64> = std::env::args().filter_map(|text| text.parse().ok()).collect();
    if given.is_empty() { usual.to_vec() } else { given }
}

/// A grid graph with random chords, a tenth as many as nodes; the same every time.
pub(crate) fn park(size: usize) -> Vec<Vec<i64>> {
    let nodes = size * size;
    let mut lists = vec![Vec::new(); nodes];
    let mut join = |a: usize, b: usize| {
        if a != b && !lists[a].contains(&(b as i64)) {
            lists[a].push(b as i64);
            lists[b].push(a as i64);
        }
    };
    for node in 0..nodes {
        if node % size + 1 < size {
            join(node, node + 1);
        }
        if node + size < nodes {
            join(node, node + size);
        }
    }
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    let mut draw = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random as usize % nodes
    };
    for _ in 0..nodes / 10 {
        join(draw(), draw());
    }
    lists
}

/// The packed cells of the solvers by hand, one byte a state: the number of open successors, or the
/// level at which the state was settled, above [`SETTLED`]. Levels of won states are odd and levels
/// of lost states even. Ends that are won have their own code.
pub(crate) mod cell {
    use retrograde::Value;

    /// A win in a state in which play is over.
    pub(crate) const WON_END: u8 = 63;
    /// The first of the codes for levels.
    pub(crate) const SETTLED: u8 = 64;

    /// Whether the state has no value yet.
    #[inline]
    pub(crate) fn is_open(cell: u8) -> bool {
        cell.wrapping_sub(1) < WON_END - 1
    }

    /// The final value of the cell.
    pub(crate) fn value(cell: u8) -> Value {
        match cell {
            WON_END => Value::Win(0),
            SETTLED.. => {
                let level = u32::from(cell - SETTLED);
                if level.is_multiple_of(2) { Value::Loss(level) } else { Value::Win(level) }
            }
            _ => Value::Endless,
        }
    }
}
