//! The expected cost of a run, from a sample of the states and a model of the methods.

use std::time::{Duration, Instant};

use crate::explore::RecordedMoves;
use crate::game::Game;
use crate::numbering::Numbering;
use crate::runtime::progress::{Alternative, Forecast, Method};
use crate::solve::graph::batch::Batch;
use crate::solve::graph::first_pass::degree;
use crate::solve::graph::links::Neighbours;
use crate::solve::plan::MemoryNeeds;

/// A game of fewer indices is solved before anybody could read a forecast.
pub(crate) const FEW: u64 = 1 << 18;

/// How many runs of consecutive indices are sampled, and the length of each run. Together they take
/// some milliseconds. Runs behave like a pass: neighbours share cached data.
const RUNS: u64 = 32;
const RUN: u64 = 64;

/// The cost of an edge besides the game's own code, in nanoseconds. Measured on random games of one
/// to a hundred million states, with one thread.
mod nanoseconds {
    /// To collect and reverse an edge.
    pub(super) const REVERSE: f64 = 8.0;
    /// To read the record of a state, and each of its moves.
    pub(super) const RECORD: f64 = 20.0;
    pub(super) const RECORDED_MOVE: f64 = 4.0;
    /// To update a cell: in the caches, in memory, and in memory beyond the reach of the address
    /// caches.
    pub(super) const UPDATE: [f64; 3] = [1.0, 2.5, 5.0];
}

/// How many bytes a collected edge takes.
const EDGE_BYTES: u64 = 3;

/// How often levels go through all moves if the edges of all states do not fit. After a few levels,
/// those of the open states do in most games.
const LEVELS: f64 = 4.0;

/// How many times as long a run with scratch files takes: 1.4 to 2.4 times in what was measured.
const IN_FILES: f64 = 1.9;

/// The bytes of a move in such a file.
const MOVE_IN_FILES: u64 = 4;

/// If it takes more passes than this to collect all edges, levels go through the moves before.
const MOST_PASSES: u32 = 2;

/// A method, and whether what does not fit into memory is in scratch files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) method: Method,
    pub(crate) in_files: bool,
}

impl Way {
    /// The method with everything in memory.
    pub(crate) fn in_memory(method: Method) -> Way {
        Way { method, in_files: false }
    }
}

/// What other ways depend on, beside the memory.
#[derive(Clone, Copy, Default)]
pub(crate) struct Beside {
    /// Whether the rules can be asked again at every level.
    pub(crate) asks_rules: bool,
    /// Whether the edges can be in scratch files.
    pub(crate) has_edges_in_files: bool,
    /// The bytes of what is kept in memory beside the edges.
    pub(crate) bytes: u64,
}

/// Estimates for all states, from a sample of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    len: u64,
    states: u64,
    edges: u64,
    /// `first`: the time of the first pass, in seconds with one thread. `back`: the time to list
    /// all predecessors.
    first: f64,
    back: f64,
}

/// Samples some states; `None` if there are fewer than [`FEW`] indices.
pub(crate) fn sample<N: Numbering>(numbering: &N) -> Option<Sample> {
    let len = numbering.len();
    if len < FEW {
        return None;
    }
    let (mut states, mut edges) = (0_u64, 0_u64);
    let (mut first, mut back) = (Duration::ZERO, Duration::ZERO);
    let mut links = Neighbours::default();
    let mut batch = Batch::new();
    let mut looked_at = Vec::new();
    let (game, context) = (numbering.game(), numbering.context());
    for run in 0..RUNS {
        let start = (u128::from(len - RUN) * u128::from(run) / u128::from(RUNS - 1)) as u64;
        looked_at.clear();
        numbering.states_in(start..start + RUN, |_, state| looked_at.push(state));
        states += looked_at.len() as u64;
        let begin = Instant::now();
        // The pass itself reports faults.
        numbering.states_in(start..start + RUN, |index, state| {
            if game.terminal(&state).is_none() {
                let _ = match N::PREDECESSORS {
                    true => degree(numbering, &state, &mut links).map(drop),
                    false => batch.add(numbering, index, &state, ()),
                };
            }
        });
        batch.find(numbering);
        for at in 0..batch.len() {
            if batch.distinct(numbering, at, &mut links.links).is_ok() {
                edges += links.links.len() as u64;
            }
        }
        batch.clear();
        first += begin.elapsed();
        if N::PREDECESSORS {
            let begin = Instant::now();
            for state in &looked_at {
                N::predecessor_indices_of(context, state, |_, _| edges += 1);
            }
            back += begin.elapsed();
        }
    }
    let share = len as f64 / (RUNS * RUN) as f64;
    let scaled = |count: u64| (count as f64 * share) as u64;
    Some(Sample {
        len,
        states: scaled(states),
        edges: scaled(edges),
        first: first.as_secs_f64() * share,
        back: back.as_secs_f64() * share,
    })
}

impl Sample {
    /// Exact counts from the recorded moves; `None` if there are few states.
    pub(crate) fn of_recorded(recorded: &RecordedMoves) -> Option<Sample> {
        let (len, edges) = (recorded.len(), recorded.moves());
        let first = len as f64 * nanoseconds::RECORD + edges as f64 * nanoseconds::RECORDED_MOVE;
        (len >= FEW).then_some(Sample { len, states: len, edges, first: first / 1e9, back: 0.0 })
    }

    /// The method to begin a game without predecessors with, if `spare` bytes are left for its
    /// edges.
    pub(crate) fn method(&self, spare: u64) -> Method {
        let ends = self.edge_ends();
        let collected = self.edges.saturating_mul(EDGE_BYTES);
        let passes = collected.div_ceil(spare.saturating_sub(ends).max(1)).max(1);
        // Rows that stay in memory take room from later passes.
        match u32::try_from(passes) {
            Ok(passes) if passes <= MOST_PASSES => {
                Method::ReverseEdges { edges: self.edges, passes }
            }
            _ => Method::Forward,
        }
    }

    /// The most memory that the edges take, in bytes.
    pub(crate) fn edge_bytes(&self, method: Method, spare: u64) -> u64 {
        match method {
            Method::ReverseEdges { .. } => {
                (self.edges.saturating_add(self.len)).saturating_mul(4).min(spare)
            }
            Method::Predecessors | Method::Forward | Method::OnePass => 0,
        }
    }

    /// The bytes of where the edges of each state end.
    fn edge_ends(&self) -> u64 {
        self.len.saturating_mul(4)
    }

    /// The least room in which [`method`](Sample::method) takes no more than so many passes.
    fn edge_room(&self, passes: u32) -> u64 {
        let collected = self.edges.saturating_mul(EDGE_BYTES).div_ceil(passes.into());
        self.edge_ends().saturating_add(collected)
    }

    /// The expected cost of the run in a way, with this number of threads.
    pub(crate) fn forecast(
        &self,
        way: Way,
        needs: &MemoryNeeds<'_>,
        beside: Beside,
        threads: usize,
    ) -> Forecast {
        let has_cells_in_files = needs.scratch().is_some();
        Forecast {
            states: self.states,
            edges: self.edges,
            time: self.time(way, threads),
            traffic: self.edges.saturating_mul(MOVE_IN_FILES) * u64::from(has_cells_in_files),
            others: self.alternatives(way, needs, beside, threads),
        }
    }

    /// The expected time of the run.
    pub(crate) fn time(&self, way: Way, threads: usize) -> Duration {
        let update = nanoseconds::UPDATE[match self.len {
            0..0x10_0000 => 0,
            0x10_0000..0x200_0000 => 1,
            _ => 2,
        }];
        let edges = self.edges as f64 / 1e9;
        let seconds = match way.method {
            Method::Predecessors => self.first + self.back + edges * update,
            Method::ReverseEdges { passes, .. } => {
                self.first * f64::from(passes) + edges * (nanoseconds::REVERSE + update)
            }
            Method::Forward => self.first * LEVELS,
            Method::OnePass => self.first,
        };
        // Two threads save two fifths of the time, and so on.
        let speed = 1.0 + 0.7 * (threads.max(1) - 1) as f64;
        let slower = if way.in_files { IN_FILES } else { 1.0 };
        Duration::try_from_secs_f64(seconds / speed * slower).unwrap_or(Duration::MAX)
    }

    /// The ways to solve the game other than `chosen`, each with the memory that has to be allowed for it.
    fn alternatives(
        &self,
        chosen: Way,
        needs: &MemoryNeeds<'_>,
        beside: Beside,
        threads: usize,
    ) -> [Option<Alternative>; 3] {
        let Beside { asks_rules, has_edges_in_files, bytes } = beside;
        let [in_memory, widened] = needs.in_memory().map(|needed| needed.saturating_add(bytes));
        let reversed = |passes| Method::ReverseEdges { edges: self.edges, passes };
        // A 32nd of what is left is for sorting.
        let by_edges = |passes| {
            let room = self.edge_room(passes);
            widened.saturating_add(room).saturating_add(room / 31 + 1)
        };
        // With a folder for scratch files, what does not fit goes there.
        let may_ask = !needs.wants_files();
        let ways = match chosen.method {
            Method::Predecessors | Method::OnePass => vec![(chosen.method, false, in_memory, true)],
            Method::ReverseEdges { .. } | Method::Forward => vec![
                (reversed(1), false, by_edges(1), true),
                (reversed(2), false, by_edges(2), may_ask),
                (reversed(1), true, needs.least_with_files(widened), has_edges_in_files && may_ask),
                (Method::Forward, false, in_memory, asks_rules && may_ask),
            ],
        };
        let ways = ways.into_iter().filter(|way| way.3);
        let ways = ways.map(|(method, in_files, memory, _)| (Way { method, in_files }, memory));
        let mut others = ways.filter(|&(way, _)| way != chosen).map(|(way, memory)| {
            let Way { method, in_files } = way;
            Alternative { method, in_files, memory, time: self.time(way, threads) }
        });
        std::array::from_fn(|_| others.next())
    }
}
