//! Tests that several processes, each with a window of the indices, together find the same as one
//! process, on random games.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::SolveError;
use crate::game::summary::Summary;
use crate::game::value::Rules;
use crate::game::{Game, Indexed, Outcome, PackedState, Player, Players, debug_parts, write_debug};
use crate::numbering::Part;
use crate::numbering::discovered::PackedIn;
use crate::numbering::indexing::{Indexing, Indices, Lookup, Whole, WholeDiscovered};
use crate::runtime::peers::tests::Threads;
use crate::runtime::pool::WorkerPool;
use crate::solve::Cells;
use crate::solve::checkpoint::Checkpointing;
use crate::solve::plan::{MemoryBudget, NOT_SAVED, Scratching, SolveLimits};
use crate::solve::states::{FoundStates, find_states};
use crate::solve::{Resources, run};

/// A game of random moves between numbers, with predecessors of its own or without.
pub(crate) struct Web<const NATIVE: bool> {
    next: Vec<Vec<u64>>,
    before: Vec<Vec<u64>>,
    endless: Outcome,
    /// How often each state was asked whether play is over, and for its moves.
    asked: Vec<[AtomicU32; 2]>,
    /// Whether predecessors take long.
    is_slow: bool,
}

impl<const NATIVE: bool> Web<NATIVE> {
    pub(crate) fn new(len: u64, most: u64, endless: Outcome, seed: u64) -> Self {
        let mut random = seed;
        let mut below = |end: u64| {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            (random >> 33) % end
        };
        let next: Vec<Vec<u64>> = (0..len)
            .map(|state| {
                // A few states have many more moves than the rest.
                let most = if state % 997 == 5 { 200 } else { most };
                let mut next: Vec<u64> = (0..below(most)).map(|_| below(len)).collect();
                next.sort_unstable();
                next.dedup();
                next
            })
            .collect();
        let mut before = vec![Vec::new(); len as usize];
        for (state, next) in (0..).zip(&next) {
            next.iter().for_each(|&next| before[next as usize].push(state));
        }
        let asked = (0..len).map(|_| Default::default()).collect();
        Web { next, before, endless, asked, is_slow: false }
    }

    /// The game with predecessors that take longer than recorded moves.
    pub(super) fn slow(self) -> Self {
        Web { is_slow: true, ..self }
    }

    /// How many states were asked at least once, and at least twice, for each question.
    pub(crate) fn asked(&self) -> [[usize; 2]; 2] {
        let asked = |least, what: usize| {
            let counts = self.asked.iter().map(|counts| counts[what].load(Ordering::Relaxed));
            counts.filter(|&count| count >= least).count()
        };
        [0, 1].map(|what| [1, 2].map(|least| asked(least, what)))
    }
}

impl<const NATIVE: bool> Game for Web<NATIVE> {
    type State = u64;
    const PLAYERS: Players = Players::Distinct;
    const PREDECESSORS: bool = NATIVE;

    fn turn(&self, state: &u64) -> Player {
        if state.is_multiple_of(3) { Player::First } else { Player::Second }
    }

    fn terminal(&self, &state: &u64) -> Option<Outcome> {
        self.asked[state as usize][0].fetch_add(1, Ordering::Relaxed);
        let ended = self.next[state as usize].is_empty();
        ended
            .then_some([Outcome::MoverLoses, Outcome::Draw, Outcome::MoverWins][state as usize % 3])
    }

    fn moves(&self, &state: &u64, visit: impl FnMut(u64)) {
        self.asked[state as usize][1].fetch_add(1, Ordering::Relaxed);
        self.next[state as usize].iter().copied().for_each(visit);
    }

    fn predecessors(&self, &state: &u64, visit: impl FnMut(u64)) {
        if self.is_slow {
            (0..10_000).for_each(|step| _ = black_box(step));
        }
        self.before[state as usize].iter().copied().for_each(visit);
    }

    fn endless(&self) -> Outcome {
        self.endless
    }

    fn roots(&self) -> impl IntoIterator<Item = u64> {
        (0..self.next.len() as u64).step_by(31)
    }
}

impl<const NATIVE: bool> Indexed for Web<NATIVE> {
    fn len(&self) -> u64 {
        self.next.len() as u64
    }

    fn index(&self, &state: &u64) -> u64 {
        state
    }

    fn unindex(&self, index: u64) -> Option<u64> {
        Some(index)
    }
}

/// Neighbouring keys belong to states far apart. Some keys have their highest bit set.
impl<const NATIVE: bool> PackedState for Web<NATIVE> {
    type Word = u64;

    fn pack(&self, &state: &u64) -> u64 {
        state.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn unpack(&self, word: u64) -> u64 {
        word.wrapping_mul(0xF1DE_83E1_9937_733D)
    }
}

/// The results of a window: the packed values, the records of the states, and the figures of the
/// game.
pub(super) type Found = (Vec<u16>, Vec<Vec<u8>>, Summary);

/// The limits of states and bytes.
pub(super) type Limits = [Option<u64>; 2];

/// Solves the window of a process, or the whole game if there are no other processes.
fn solve<const NATIVE: bool, I: Indexing<Web<NATIVE>>>(
    game: &Web<NATIVE>,
    threads: usize,
    states: Option<u64>,
    peers: Option<&mut Threads>,
) -> Result<Found, SolveError> {
    solve_within::<NATIVE, I>(game, threads, [states, None], peers).map(|(found, _)| found)
}

/// [`solve`], within limits. Also returns whether moves were recorded.
pub(super) fn solve_within<const NATIVE: bool, I: Indexing<Web<NATIVE>>>(
    game: &Web<NATIVE>,
    threads: usize,
    [states, memory]: Limits,
    peers: Option<&mut Threads>,
) -> Result<(Found, bool), SolveError> {
    let mut ignore = |_| ControlFlow::Continue(());
    let mut pool = WorkerPool::new(threads, &mut ignore);
    if let Some(peers) = peers {
        pool = pool.with_peers(peers);
    }
    let limits = SolveLimits { memory, states, saving: NOT_SAVED, scratch: false };
    let resources = Resources { threads, limits, write: write_debug, parts: debug_parts };
    let FoundStates { mut indices, mut moves } =
        find_states::<_, I>(game, resources, &mut None, &mut pool)?;
    let (indices, recorded): (Indices<Web<NATIVE>, I>, _) =
        (indices.remove(0), moves.pop().flatten());
    let is_recorded = recorded.is_some();
    let numbering = Part::<Web<NATIVE>, I>::new(game, 0, indices, vec![None]);
    let scratch = Scratching::Never;
    let room = MemoryBudget {
        all_leave: None,
        loaded_in_files: 0,
        tier: None,
        allowed: memory,
        held: 0,
        incoming: 0,
        saving: NOT_SAVED,
        scratch,
    };
    let checkpoints = &mut Checkpointing::new(None, I::kind(0));
    let (cells, summary): (Cells, Summary) =
        run::solve(&numbering, recorded, room, Rules::of_game(game), checkpoints, &mut pool)?;
    let mut values = vec![0; cells.len() as usize];
    cells.read(0, &mut values);
    let listed = I::Lookup::listed(&numbering.indices);
    let records = listed.map_or_else(Vec::new, |listed| {
        let here = listed.here();
        listed.records(here.start, 1, here.end - here.start).unwrap()
    });
    Ok(((values, records, summary), is_recorded))
}

/// The results of several processes, in the order of their windows.
fn solve_together<const NATIVE: bool, I: Indexing<Web<NATIVE>>>(
    game: &Web<NATIVE>,
    of: [usize; 2],
    states: Option<u64>,
) -> Vec<Result<Found, SolveError>> {
    let found = solve_together_within::<NATIVE, I>(game, of, [states, None]);
    found.into_iter().map(|found| found.map(|(found, _)| found)).collect()
}

/// [`solve_together`], within limits for each process. Also returns whether moves were recorded.
pub(super) fn solve_together_within<const NATIVE: bool, I: Indexing<Web<NATIVE>>>(
    game: &Web<NATIVE>,
    [count, threads]: [usize; 2],
    limits: Limits,
) -> Vec<Result<(Found, bool), SolveError>> {
    std::thread::scope(|scope| {
        let peers = Threads::new(count).into_iter();
        let processes: Vec<_> = peers
            .map(|peers| {
                scope.spawn(move || {
                    let mut peers = { peers };
                    solve_within::<NATIVE, I>(game, threads, limits, Some(&mut peers))
                })
            })
            .collect();
        processes.into_iter().map(|process| process.join().unwrap()).collect()
    })
}

/// Numbers of states and moves.
const GAMES: [(u64, u64); 5] = [(1, 3), (5_000, 3), (20_000, 4), (200_000, 9), (9_000, 120)];

#[test]
fn several_processes_find_what_one_finds() {
    compare::<true, Whole>(&GAMES);
}

#[test]
fn several_processes_find_it_without_predecessors() {
    compare::<false, Whole>(&GAMES);
}

#[test]
fn several_processes_discover_and_find_what_one_finds() {
    compare::<true, WholeDiscovered<PackedIn<u64>>>(&[(1, 3), (20_000, 4), (9_000, 120)]);
    compare::<false, WholeDiscovered<PackedIn<u128>>>(&[(5_000, 3), (30_000, 6)]);
}

/// Compares random games with these numbers of states and moves.
fn compare<const NATIVE: bool, I: Indexing<Web<NATIVE>>>(games: &[(u64, u64)]) {
    let endless = [Outcome::Draw, Outcome::Win(Player::First), Outcome::Win(Player::Second)];
    for (seed, &(len, most)) in games.iter().enumerate() {
        for (trial, endless) in kit::some(&endless, seed).into_iter().enumerate() {
            let trial = trial + seed;
            let game = Web::<NATIVE>::new(len, most, endless, seed as u64);
            let (values, records, summary) = solve::<NATIVE, I>(&game, 1, None, None).unwrap();
            for [count, threads] in kit::some(&[[1, 2], [2, 1], [3, 1], [2, 3], [4, 2]], trial) {
                let (mut all, mut all_records) = (Vec::new(), Vec::new());
                for found in solve_together::<NATIVE, I>(&game, [count, threads], None) {
                    let (values, records, of_process) = found.unwrap();
                    all.extend(values);
                    all_records.extend(records);
                    assert_eq!(of_process, summary);
                }
                assert!(all == values, "{len} states, {count} processes");
                assert!(all_records == records, "{len} states, {count} processes");
            }
        }
    }
}

#[test]
fn more_states_than_allowed_are_refused_by_all_as_by_one() {
    type Discovered = WholeDiscovered<PackedIn<u64>>;
    let game = Web::<true>::new(20_000, 4, Outcome::Draw, 7);
    let found = solve::<true, Discovered>(&game, 1, None, None).unwrap().0.len() as u64;
    for limit in [1, 600, found / 2, found - 1] {
        let alone = solve::<true, Discovered>(&game, 1, Some(limit), None).unwrap_err();
        for together in solve_together::<true, Discovered>(&game, [3, 2], Some(limit)) {
            assert_eq!(together.unwrap_err().to_string(), alone.to_string());
        }
    }
    for together in solve_together::<true, Discovered>(&game, [3, 2], Some(found)) {
        assert!(together.is_ok());
    }
}
