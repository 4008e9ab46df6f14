//! Games that prepare the answers about many states at once.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use retrograde::error::SolveError;
use retrograde::laws::Laws;
use retrograde::scheme::{Hashed, Packed, Scheme};
use retrograde::{Game, Outcome, PackedState, Player, Solver, Stored};
use serde::{Deserialize, Serialize};

const STATES: u64 = if kit::PLAIN { 50_000 } else { 200_000 };

/// A game of numbers, which counts the states that it prepares.
#[derive(Default, Serialize, Deserialize)]
struct Numbers<const PREPARES: bool> {
    /// The number of states after which preparing ends the work.
    #[serde(skip)]
    enough: Option<u64>,
    #[serde(skip)]
    prepared: AtomicU64,
    #[serde(skip)]
    most_at_once: AtomicU64,
}

impl<const PREPARES: bool> Game for Numbers<PREPARES> {
    type State = u64;
    const PREPARES: bool = PREPARES;

    fn turn(&self, &state: &u64) -> Player {
        Player::BOTH[(state % 2) as usize]
    }

    fn terminal(&self, &state: &u64) -> Option<Outcome> {
        (state % 37 == 5).then_some(Outcome::MoverLoses)
    }

    fn moves(&self, &state: &u64, visit: impl FnMut(u64)) {
        (1..4).map(|by| (state * 31 + by * 1_013) % STATES).for_each(visit);
    }

    fn prepare(&self, states: &[u64]) -> ControlFlow<()> {
        assert!(!states.is_empty());
        let many = states.len() as u64;
        self.most_at_once.fetch_max(many, Ordering::Relaxed);
        let prepared = self.prepared.fetch_add(many, Ordering::Relaxed) + many;
        match self.enough {
            Some(enough) if prepared >= enough => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }

    fn roots(&self) -> impl IntoIterator<Item = u64> {
        (0..STATES).step_by(1_000)
    }
}

impl<const PREPARES: bool> PackedState for Numbers<PREPARES> {
    type Word = u64;

    fn pack(&self, &state: &u64) -> u64 {
        state
    }

    fn unpack(&self, word: u64) -> u64 {
        word
    }
}

impl<const PREPARES: bool> Stored for Numbers<PREPARES> {
    const NAME: &'static str = "numbers";
}

impl<const PREPARES: bool> retrograde::Numbered for Numbers<PREPARES> {
    type Numberings = (Hashed, Packed);
}

fn table<S, const PREPARES: bool>(game: &Numbers<PREPARES>, threads: usize) -> Vec<u8>
where
    S: Scheme<Numbers<PREPARES>>,
{
    let solution = Solver::new(game).threads(threads).solve_as::<S>().expect("a game to solve");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("numbers.rtb");
    solution.save(&path).expect("a table to write");
    std::fs::read(path).expect("a table to read")
}

#[test]
fn all_states_are_prepared_once_and_the_table_is_the_same() {
    let plain = Numbers::<false>::default();
    let (hashed, packed) = (table::<Hashed, _>(&plain, 1), table::<Packed, _>(&plain, 1));
    for threads in [1, 3] {
        let game = Numbers::<true>::default();
        assert!(table::<Hashed, _>(&game, threads) == hashed);
        let states = Solver::new(&game).survey_as::<Packed>().expect("states to count");
        let prepared = game.prepared.load(Ordering::Relaxed);
        assert_eq!(prepared, 2 * states.total().states);
        let most = game.most_at_once.load(Ordering::Relaxed);
        assert!(most > 1, "one state at a time");
        assert!(table::<Packed, _>(&game, threads) == packed);
    }
}

#[test]
fn preparing_may_end_the_work() {
    for enough in [1, STATES / 4] {
        let game = Numbers::<true> { enough: Some(enough), ..Default::default() };
        let solved = Solver::new(&game).threads(2).solve();
        assert!(matches!(solved, Err(SolveError::Interrupted)), "{solved:?}");
    }
}

#[test]
fn laws_and_proofs_are_prepared() {
    let game = Numbers::<true>::default();
    let bytes = table::<Packed, _>(&game, 2);
    let states = game.prepared.swap(0, Ordering::Relaxed);
    let table = retrograde::Table::from_bytes(bytes).expect("a table");
    assert_eq!(table.verifier(&game).verify().expect("a right table"), states);
    assert_eq!(game.prepared.swap(0, Ordering::Relaxed), states);
    let report = Laws::new(&game).check_as::<Packed>().expect("a lawful game");
    assert_eq!(report.states, states);
    // Once while they are discovered, and once while they are checked, or twice where sums are compared.
    assert!(game.prepared.load(Ordering::Relaxed) >= 2 * states);
    let game = Numbers::<true> { enough: Some(1), ..Default::default() };
    assert!(table.verifier(&game).verify().is_err());
}
