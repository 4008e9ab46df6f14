//! Windows of the indices that several processes own, on random games: together they find what one
//! process finds.

use std::ops::ControlFlow;

use crate::game::{Game, Indexed, Outcome, Player, Players};
use crate::numbering::Part;
use crate::numbering::indexing::{Indexing, Whole};
use crate::runtime::peers::tests::Threads;
use crate::runtime::pool::WorkerPool;
use crate::solve::Cells;
use crate::solve::checkpoint::Checkpointing;
use crate::solve::plan::Room;
use crate::solve::run;
use crate::summary::Summary;
use crate::value::Rules;

/// A game of random moves between numbers, with predecessors of its own or without.
pub(crate) struct Web<const NATIVE: bool> {
    next: Vec<Vec<u64>>,
    before: Vec<Vec<u64>>,
    endless: Outcome,
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
        Web { next, before, endless }
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
        let ended = self.next[state as usize].is_empty();
        ended
            .then_some([Outcome::MoverLoses, Outcome::Draw, Outcome::MoverWins][state as usize % 3])
    }

    fn moves(&self, &state: &u64, visit: impl FnMut(u64)) {
        self.next[state as usize].iter().copied().for_each(visit);
    }

    fn predecessors(&self, &state: &u64, visit: impl FnMut(u64)) {
        self.before[state as usize].iter().copied().for_each(visit);
    }

    fn endless(&self) -> Outcome {
        self.endless
    }

    fn roots(&self) -> Vec<u64> {
        vec![0]
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

/// The packed values of a window, and the figures of the game.
fn solve<const NATIVE: bool>(
    game: &Web<NATIVE>,
    threads: usize,
    peers: Option<&mut Threads>,
) -> (Vec<u16>, Summary) {
    let mut ignore = |_| ControlFlow::Continue(());
    let mut pool = WorkerPool::new(threads, &mut ignore);
    if let Some(peers) = peers {
        pool = pool.with_peers(peers);
    }
    let numbering = Part::<Web<NATIVE>, Whole>::new(game, 0, (), vec![None]);
    let room = Room { tier: None, allowed: None, held: 0 };
    let checkpoints = &mut Checkpointing::new(None, <Whole as Indexing<Web<NATIVE>>>::kind(0));
    let (cells, summary): (Cells, Summary) =
        run::solve(&numbering, room, Rules::of(game), checkpoints, &mut pool).unwrap();
    let mut values = vec![0; cells.len() as usize];
    cells.read(0, &mut values);
    (values, summary)
}

#[test]
fn several_processes_find_what_one_finds() {
    compare::<true>();
}

#[test]
fn several_processes_find_it_without_predecessors() {
    compare::<false>();
}

fn compare<const NATIVE: bool>() {
    let endless = [Outcome::Draw, Outcome::Win(Player::First), Outcome::Win(Player::Second)];
    for (seed, (len, most)) in
        [(1, 3), (5_000, 3), (20_000, 4), (200_000, 9), (9_000, 120)].into_iter().enumerate()
    {
        for endless in endless {
            let game = Web::<NATIVE>::new(len, most, endless, seed as u64);
            let (values, summary) = solve(&game, 1, None);
            for (count, threads) in [(1, 2), (2, 1), (3, 1), (2, 3), (4, 2)] {
                let together: Vec<_> = std::thread::scope(|scope| {
                    let peers = Threads::new(count).into_iter();
                    let processes: Vec<_> = peers
                        .map(|peers| {
                            scope.spawn(|| {
                                let mut peers = { peers };
                                solve(&game, threads, Some(&mut peers))
                            })
                        })
                        .collect();
                    processes.into_iter().map(|process| process.join().unwrap()).collect()
                });
                let all: Vec<u16> =
                    together.iter().flat_map(|(values, _)| values.clone()).collect();
                assert_eq!(all, values, "{len} states, {count} processes");
                assert!(together.iter().all(|(_, found)| *found == summary));
            }
        }
    }
}
