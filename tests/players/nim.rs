//! Nim, with possible mistakes of its author.

use retrograde::error::BrokenLaw;
use retrograde::laws::{self, Law, Scope};
use retrograde::query::DecidedBy;
use retrograde::scheme::{Dense, Hashed, Scheme};
use retrograde::solve::Tally;
use retrograde::{Game, Indexed, Numbered, Outcome, Player, Players, SolveError, Solver, Verdict};

use super::{DISTINCT, SOLITARY, UNNAMED, broken, players};

/// Nim with several heaps: the player who takes the last piece wins. States that differ in the
/// order of the heaps are equal. The states do not say who is to move. If `PLAYERS` is not
/// `UNNAMED`, the first player makes all moves.
struct Nim<const PLAYERS: u8, const PREDECESSORS: bool> {
    heaps: usize,
    highest: u8,
    ply_limit: Option<u32>,
    fault: Fault,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Fault {
    #[default]
    None,
    /// A terminal state names the winner.
    NamedEnd,
    /// A state without a move names the winner.
    NamedNoMoves,
    /// Endless play is a win: of a named player if `true`, and otherwise of the player to move.
    EndlessWin(bool),
}

impl<const K: u8, const P: bool> Game for Nim<K, P> {
    type State = Vec<u8>;
    const PLAYERS: Players = players(K);
    const PREDECESSORS: bool = P;

    fn turn(&self, _: &Vec<u8>) -> Player {
        assert!(K != UNNAMED, "nobody can know");
        Player::First
    }

    fn terminal(&self, heaps: &Vec<u8>) -> Option<Outcome> {
        let is_over = heaps.iter().all(|heap| *heap == 0);
        match self.fault {
            Fault::NamedNoMoves => None,
            Fault::NamedEnd => is_over.then_some(Outcome::Win(Player::Second)),
            _ => is_over.then_some(Outcome::MoverLoses),
        }
    }

    fn no_moves(&self, _: &Vec<u8>) -> Option<Outcome> {
        (self.fault == Fault::NamedNoMoves).then_some(Outcome::Win(Player::Second))
    }

    fn moves(&self, heaps: &Vec<u8>, mut visit: impl FnMut(Vec<u8>)) {
        for (at, heap) in heaps.iter().enumerate() {
            for left in 0..*heap {
                let mut next = heaps.clone();
                next[at] = left;
                visit(next);
            }
        }
    }

    fn predecessors(&self, heaps: &Vec<u8>, mut visit: impl FnMut(Vec<u8>)) {
        if P {
            for (at, heap) in heaps.iter().enumerate() {
                for more in heap + 1..=self.highest {
                    let mut before = heaps.clone();
                    before[at] = more;
                    visit(before);
                }
            }
        }
    }

    fn roots(&self) -> impl IntoIterator<Item = Vec<u8>> {
        [vec![self.highest; self.heaps]]
    }

    fn endless(&self) -> Outcome {
        match self.fault {
            Fault::EndlessWin(true) => Outcome::Win(Player::First),
            Fault::EndlessWin(false) => Outcome::MoverWins,
            _ => Outcome::Draw,
        }
    }

    fn ply_limit(&self) -> Option<u32> {
        self.ply_limit
    }

    fn canonical(&self, heaps: &Vec<u8>) -> Vec<u8> {
        let mut sorted = heaps.clone();
        sorted.sort_unstable();
        sorted
    }
}

impl<const K: u8, const P: bool> Indexed for Nim<K, P> {
    fn len(&self) -> u64 {
        (u64::from(self.highest) + 1).pow(self.heaps as u32)
    }

    fn index(&self, heaps: &Vec<u8>) -> u64 {
        let base = u64::from(self.highest) + 1;
        heaps.iter().fold(0, |index, heap| index * base + u64::from(*heap))
    }

    fn unindex(&self, mut index: u64) -> Option<Vec<u8>> {
        let base = u64::from(self.highest) + 1;
        let mut heaps = vec![0; self.heaps];
        for heap in heaps.iter_mut().rev() {
            *heap = (index % base) as u8;
            index /= base;
        }
        Some(heaps)
    }
}

impl<const K: u8, const P: bool> Numbered for Nim<K, P> {
    type Numberings = (Dense, Hashed);
}

fn nim<const K: u8, const P: bool>(fault: Fault) -> Nim<K, P> {
    Nim { heaps: 3, highest: 7, ply_limit: None, fault }
}

fn compare_nim<const P: bool>() {
    let game = nim::<UNNAMED, P>(Fault::None);
    let dense = Solver::new(&game).threads(2).solve().unwrap();
    let explored = Solver::new(&game).solve_as::<Hashed>().unwrap();
    let mut won = 0;
    for heaps in (0..game.len()).filter_map(|index| game.unindex(index)) {
        let wins = heaps.iter().fold(0, |xor, heap| xor ^ heap) != 0;
        won += u64::from(wins);
        let outcome = if wins { Outcome::MoverWins } else { Outcome::MoverLoses };
        for verdict in [dense.verdict(&heaps).unwrap(), explored.verdict(&heaps).unwrap()] {
            assert_eq!(verdict.outcome, outcome, "{heaps:?}");
        }
        assert_eq!(dense.value(&heaps).unwrap(), explored.value(&heaps).unwrap());
        // The winning player leaves an xor of zero, and the other one can't.
        if let Some(best) = dense.moves(&heaps).unwrap().first() {
            let xor = best.state.iter().fold(0, |xor, heap| xor ^ heap);
            assert_eq!(xor == 0, wins, "{heaps:?}");
        }
    }
    let lost = game.len() - won;
    let summary = dense.summary();
    assert_eq!((summary.by_mover[0].won, summary.by_mover[0].lost), (won, lost));
    assert_eq!(summary.by_mover[1], Tally::default());
    // Eight heights, and three heaps in any order.
    assert_eq!(explored.summary().states(), 120);
}

#[test]
fn nim_is_won_where_the_xor_of_the_heaps_is_not_zero() {
    compare_nim::<true>();
    compare_nim::<false>();
}

#[test]
fn a_ply_limit_cuts_off_long_games_of_nim() {
    let boundless = nim::<UNNAMED, true>(Fault::None);
    let unlimited = Solver::new(&boundless).solve().unwrap();
    assert!(unlimited.summary().longest().unwrap() > 8);
    for limit in [1, 4, 5] {
        let game = Nim { ply_limit: Some(limit), ..nim::<UNNAMED, true>(Fault::None) };
        let solution = Solver::new(&game).solve().unwrap();
        for heaps in (0..game.len()).filter_map(|index| game.unindex(index)) {
            let without = unlimited.verdict(&heaps).unwrap();
            let in_time = without.plies.unwrap() <= limit;
            let late = (Outcome::Draw, None, DecidedBy::PlyLimit);
            let intended = (without.outcome, without.plies, DecidedBy::Play);
            let Verdict { outcome, plies, decided_by, .. } = solution.verdict(&heaps).unwrap();
            let expected = if in_time { intended } else { late };
            assert_eq!((outcome, plies, decided_by), expected, "{heaps:?} within {limit}");
            // The best move preserves the value of the state.
            if let Some(best) = solution.moves(&heaps).unwrap().first() {
                let after = match outcome {
                    Outcome::MoverWins => Outcome::MoverLoses,
                    Outcome::MoverLoses => Outcome::MoverWins,
                    outcome => outcome,
                };
                assert_eq!(best.verdict.outcome, after, "{heaps:?} within {limit}");
            }
        }
        assert!(solution.summary().beyond_ply_limit() > 0);
    }
}

#[test]
fn a_turn_that_never_changes_has_to_be_meant() {
    laws::check(&nim::<UNNAMED, true>(Fault::None), Scope::All).unwrap();
    laws::check(&nim::<UNNAMED, false>(Fault::None), Scope::All).unwrap();
    laws::check(&nim::<SOLITARY, true>(Fault::None), Scope::All).unwrap();
    let (law, counterexample) = broken(&nim::<DISTINCT, true>(Fault::None));
    assert_eq!(law, Law::Players);
    assert!(counterexample.contains("`Players::Unnamed`"), "{counterexample}");
    assert!(counterexample.contains("`Players::Solitary`"), "{counterexample}");
}

#[test]
fn a_winner_can_not_be_named_where_nobody_knows_who_is_to_move() {
    fn refused<S: Scheme<Nim<UNNAMED, P>>, const P: bool>(fault: Fault) -> SolveError {
        Solver::new(&nim::<UNNAMED, P>(fault)).solve_as::<S>().unwrap_err()
    }
    for fault in [Fault::NamedEnd, Fault::NamedNoMoves] {
        for error in [
            refused::<Dense, true>(fault),
            refused::<Dense, false>(fault),
            refused::<Hashed, true>(fault),
            refused::<Hashed, false>(fault),
        ] {
            let named = matches!(error, SolveError::BrokenLaw(BrokenLaw { law: Law::Players, .. }));
            assert!(named, "{error}");
            assert!(error.to_string().contains("[0, 0, 0] does not say"), "{error}");
        }
        let (law, counterexample) = broken(&nim::<UNNAMED, true>(fault));
        assert_eq!(law, Law::Players);
        assert!(counterexample.starts_with("[0, 0, 0] does not say"), "{counterexample}");
    }
    let assert_endless = |error: SolveError, outcome| {
        let SolveError::BrokenLaw(broken) = error else { panic!("{error}") };
        let says = format!("`Game::endless` returns `Outcome::{outcome}`");
        assert!(broken.law == Law::Players && broken.counterexample.starts_with(&says), "{broken}");
    };
    for (named, outcome) in [(true, "Win(First)"), (false, "MoverWins")] {
        let error = refused::<Dense, true>(Fault::EndlessWin(named));
        assert_endless(error, outcome);
    }
    // In endless play nobody is "the player to move", with any kind of states.
    let game = nim::<SOLITARY, true>(Fault::EndlessWin(false));
    let error = Solver::new(&game).solve().unwrap_err();
    assert_endless(error, "MoverWins");
}
