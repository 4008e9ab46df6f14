//! Tests that sorted updates have the same result as updates applied at once.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::error::SolveError;
use crate::game::{Player, Repeats};
use crate::runtime::frontier::Frontier;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::Progress;
use crate::runtime::scratch::Scratch;
use crate::solve::cells::cell::{Cell, LevelCodes, OverflowCounts, Settling};
use crate::solve::graph::links::Link;
use crate::solve::graph::predecessors::Predecessors;
use crate::solve::levels::applied::PassKind;
use crate::solve::levels::backward::buckets::PAGE;
use crate::solve::levels::backward::level::level;
use crate::solve::levels::backward::rule::{Rule, Uniform};
use crate::solve::levels::backward::sorted::{SortingRound, UpdateSorter, Updating};
use crate::solve::levels::backward::walk::LevelTask;
use crate::solve::levels::step::{LevelCounts, Step};

/// The number of indices: three buckets and a bit.
const LEN: u64 = 3 * 4096 + 77;

/// The predecessors of each index.
struct Web(Vec<Vec<Link>>);

impl Web {
    fn new(random: &mut impl FnMut(u64) -> u64) -> Web {
        // All updates of a state are of one kind, so that their order makes no difference.
        let mut link = || {
            let index = random(LEN);
            Link { index, same_mover: index.is_multiple_of(2) }
        };
        let mut links = |count| -> Vec<Link> { (0..count).map(|_| link()).collect() };
        let mut web: Vec<_> = (0..LEN).map(|index| links(index % 9)).collect();
        // More predecessors than a batch has room for, and repeated ones.
        web[5_000] = links(700);
        web[70] = links(3).repeat(3);
        Web(web)
    }
}

impl Predecessors for Web {
    const DISTINCT: bool = false;
    const SELDOM_REPEATS: bool = false;
    type Context = Self;
    type Key = ();

    fn context(&self) -> &Self {
        self
    }

    fn len(&self) -> u64 {
        LEN
    }

    fn mover(&self, index: u64) -> Player {
        Player::BOTH[(index % 2) as usize]
    }

    fn predecessors(web: &Self, index: u64, visit: impl FnMut(Link)) -> (Player, Repeats) {
        web.0[index as usize].iter().copied().for_each(visit);
        (web.mover(index), Repeats::Maybe)
    }
}

/// Where updates are sorted.
#[derive(Clone, Copy, Debug)]
enum Way {
    InMemory(Updating),
    /// With room for this number of bytes in memory.
    InFiles {
        room: u64,
    },
}

type Computed<C> = (Vec<C>, Vec<(u64, u64)>, Vec<u64>, LevelCounts);

/// Computes a level from this frontier. Returns the cells, the overflow counts, the next frontier
/// and the counts.
fn one_level<C: Cell>(
    web: &Web,
    rule: impl Rule<C>,
    mut cells: Vec<C>,
    of_frontier: &[u64],
    codes: LevelCodes<C>,
    way: Option<Way>,
    threads: usize,
) -> Result<Computed<C>, SolveError> {
    let saturated = (0_u64..).zip(&cells).filter(|&(_, &cell)| cell == C::SATURATED);
    let overflow = OverflowCounts::new(saturated.map(|(index, _)| (index, index % 3 + 1)));
    let mut ignore = |_| ControlFlow::Continue(());
    let mut pool = WorkerPool::new(threads, &mut ignore);
    let [mut frontier, mut next] = [LEN, LEN].map(|len| Frontier::empty(len).unwrap());
    of_frontier.iter().for_each(|&index| frontier.whole().insert(index));
    let step = Step {
        aim: PassKind::Decided,
        points: 1,
        won: 0,
        uniform: None,
        codes: LevelCodes { any: 0, all: 0 },
        level: 1,
        states: of_frontier.len() as u64,
        incoming: &[],
        event: &|_| Progress::Counting { done: 0, of: 0 },
    };
    let folder = tempfile::tempdir().unwrap();
    let mut sorter = way.map(|way| match way {
        Way::InMemory(way) => {
            let most = 16 * PAGE as u64 * 3;
            let mut sorter = UpdateSorter::with_bits(LEN, 12, most, threads).unwrap();
            sorter.is_faster = way == Updating::Sorted;
            sorter
        }
        Way::InFiles { room } => {
            let scratch = Scratch::in_folder(folder.path(), room);
            let sorter = UpdateSorter::in_files(LEN, &scratch, room, threads);
            // The rest of the room is for the sorter's own buffers.
            assert!(scratch.room() < room || room == 0, "{} of {room}", scratch.room());
            sorter
        }
    });
    let settling = Settling { codes, overflow: &overflow };
    let frontiers = [&mut frontier, &mut next];
    let task = LevelTask { graph: web, rule, settling };
    let counts = level(&task, &mut cells, frontiers, sorter.as_mut(), step, &mut pool)?;
    assert!(frontier.is_empty());
    let mut settled = Vec::new();
    let chunks = next.whole().chunks();
    (0..chunks).for_each(|it| next.whole().drain_chunk(it, |index| settled.push(index)));
    let mut overflow: Vec<(u64, u64)> =
        overflow.entries().iter().map(|(&index, &more)| (index, more)).collect();
    overflow.sort_unstable();
    Ok((cells, overflow, settled, counts))
}

fn random() -> impl FnMut(u64) -> u64 {
    let mut random = 7_u64;
    move |below| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) % below
    }
}

#[test]
fn sorted_updates_do_what_updates_at_once_do() {
    let mut random = random();
    let web = Web::new(&mut random);
    let cells: Vec<u8> = (0..LEN).map(|_| [0, 1, 1, 2, 3, 4, 63, 66][random(8) as usize]).collect();
    let wide: Vec<u16> =
        cells.iter().map(|&it| if it == 63 { 0x3fff } else { it.into() }).collect();
    let codes = LevelCodes { any: 100_u8, all: 101 };
    let wide_codes = LevelCodes { any: 0x4007, all: 0x8007 };
    for share in [1, 3, 40] {
        let of_frontier: Vec<u64> = (0..LEN).filter(|_| random(share) == 0).collect();
        let solve = |way, threads| {
            let (cells, wide) = (cells.clone(), wide.clone());
            (
                one_level(&web, Uniform::<true>, cells.clone(), &of_frontier, codes, way, threads)
                    .unwrap(),
                one_level(&web, Uniform::<false>, cells, &of_frontier, codes, way, threads)
                    .unwrap(),
                one_level(&web, Uniform::<true>, wide, &of_frontier, wide_codes, way, threads)
                    .unwrap(),
            )
        };
        let expected = solve(None, 1);
        for threads in [1, 2, 3] {
            let in_files = [0, 60_000].map(|room| Way::InFiles { room });
            let in_files = if cfg!(target_os = "linux") { &in_files[..] } else { &[] };
            let in_memory = [Updating::Direct, Updating::Sorted].map(Way::InMemory);
            for &way in in_memory.iter().chain(in_files) {
                assert!(solve(Some(way), threads) == expected, "{way:?}, {threads} threads");
            }
        }
    }
}

#[test]
fn an_index_beyond_the_last_is_an_error() {
    let mut random = random();
    let mut web = Web::new(&mut random);
    let cells = vec![3_u8; LEN as usize];
    let codes = LevelCodes { any: 100_u8, all: 101 };
    let of_frontier: Vec<u64> = (0..LEN).collect();
    for beyond in [LEN, LEN + 4096, u64::MAX >> 1] {
        web.0[600] = vec![Link { index: beyond, same_mover: false }];
        let failed = one_level(
            &web,
            Uniform::<true>,
            cells.clone(),
            &of_frontier,
            codes,
            Some(Way::InMemory(Updating::Sorted)),
            2,
        );
        let error = failed.map(|_| ()).unwrap_err();
        assert!(error.to_string().contains(&format!("the index {beyond}")), "{error}");
    }
}

#[test]
fn both_ways_are_tried_and_the_faster_one_is_taken() {
    let mut sorter = UpdateSorter::with_bits(1 << 20, 19, 1 << 18, 2).unwrap();
    let (few, some, many) = (1 << 9, 1 << 11, 1 << 14);
    sorter.begin_level(many, 64 * many);
    assert_eq!(sorter.next_round(few, false), None);
    for (sorted, wins) in [(3, true), (1, false)] {
        sorter.begin_level(many, 64 * many);
        let tried = [Updating::Direct, Updating::Sorted].map(|way| {
            let round = sorter.next_round(many, false).unwrap();
            assert_eq!(round, SortingRound { way, most: Some(2 * many) });
            let states = if way == Updating::Sorted { sorted } else { 2 };
            sorter.note(round, states * 1_000, Duration::from_millis(5));
            round.way
        });
        assert_eq!(tried, [Updating::Direct, Updating::Sorted]);
        let chosen = wins.then_some(SortingRound { way: Updating::Sorted, most: None });
        assert_eq!(sorter.next_round(many, false), chosen);
        // The choice holds for levels that are too small to try.
        sorter.begin_level(some, some);
        assert_eq!(sorter.next_round(some, false), chosen);
    }
}
