//! Games at the limits of a table, and faults that are noticed while solving.

use std::cell::Cell;
use std::ops::ControlFlow;

use kit::graph::{Endless, Graph, Node};
use kit::{few, some};
use retrograde::error::BrokenLaw;
use retrograde::laws::Law;
use retrograde::query::MAX_PLIES;
use retrograde::scheme::{Dense, Hashed, Scheme};
use retrograde::table::{Compression, Destination};
use retrograde::{Game, Outcome, Player, SolveError, Solver, Table, Value};
use serde::{Deserialize, Serialize};

/// The value of the far end of a chain. Both numberings must agree on it. Plain tests try one.
fn far_end<const P: bool>(
    length: u32,
    end: Outcome,
    endless: Outcome,
) -> Result<Value, SolveError> {
    let chain = Graph::<P, false> { endless: Endless(endless), ..Graph::walk(length, end) };
    let dense =
        || Solver::new(&chain).solve_as::<Dense>().map(|solution| solution.value(&length).unwrap());
    let explored = || {
        Solver::new(&chain).solve_as::<Hashed>().map(|solution| solution.value(&length).unwrap())
    };
    let [one, other] = few([P, !P], [true; 2]);
    let found = [one.then(dense), other.then(explored)];
    assert!(found[0].is_none() || found[1].is_none() || found[0] == found[1], "{found:?}");
    found.into_iter().flatten().next().unwrap()
}

#[test]
fn the_longest_distance_is_exact_and_one_more_is_an_error_by_predecessors() {
    the_longest_distance_is_exact_and_one_more_is_an_error::<true>();
}

#[test]
fn the_longest_distance_is_exact_and_one_more_is_an_error_by_reverse_edges() {
    the_longest_distance_is_exact_and_one_more_is_an_error::<false>();
}

fn the_longest_distance_is_exact_and_one_more_is_an_error<const GIVEN: bool>() {
    let ends = [Outcome::Win(Player::First), Outcome::Win(Player::Second), Outcome::Draw];
    let draw_or_win = [Outcome::Draw, Outcome::Win(Player::First)];
    let all: Vec<_> =
        ends.into_iter().flat_map(|end| draw_or_win.map(|endless| (end, endless))).collect();
    // What one method is not tried with, the other is.
    for (end, endless) in some(&all, usize::from(GIVEN)) {
        // At an odd distance the second player is to move.
        let expected = match end.winner() {
            Some(Player::Second) => Value::Win(MAX_PLIES),
            Some(Player::First) => Value::Loss(MAX_PLIES),
            None => Value::Draw(MAX_PLIES),
        };
        assert_eq!(far_end::<GIVEN>(MAX_PLIES, end, endless), Ok(expected));
        for &beyond in few(&[1][..], &[1, MAX_PLIES]) {
            let length = MAX_PLIES + beyond;
            assert_eq!(far_end::<GIVEN>(length, end, endless), Err(SolveError::TooLong));
        }
    }
}

#[test]
fn a_table_can_have_more_values_or_fewer_than_a_byte_can_tell_apart() {
    let folder = tempfile::tempdir().unwrap();
    let lengths = few(254..257, 252..260);
    for (length, compression) in
        lengths.flat_map(|length| [Compression::Plain, Compression::Usual].map(|c| (length, c)))
    {
        // Every state has a different value.
        let chain = Graph::<true, false>::walk(length, Outcome::Win(Player::First));
        let solution = Solver::new(&chain).solve_as::<Dense>().unwrap();
        let path = folder.path().join("chain.rtb");
        let destination = Destination::at(&path).compression(compression);
        solution.save(destination).unwrap();
        let table = Table::open(&path).unwrap();
        table.verify(&chain).unwrap();
        let prober = table.prober(chain.clone()).unwrap();
        for at in 0..=length {
            let [found, expected] = [prober.value(&at).unwrap(), solution.value(&at).unwrap()];
            assert_eq!(found, expected, "{at} of {length}");
        }
    }
}

/// State 0 has a move to each of the others, in which play is over. The second player has won in
/// all of them but the last, which ends with `last`. Each move is repeated, which changes nothing.
fn fan<const P: bool>(leaves: u32, last: Outcome) -> Graph<P, false> {
    let root = (Node::of(Player::First), (1..=leaves).chain(1..=leaves).collect());
    let leaf = |leaf| {
        let outcome = if leaf == leaves { last } else { Outcome::Win(Player::Second) };
        (Node { terminal: Some(outcome), ..Node::of(Player::Second) }, Vec::new())
    };
    Graph::new("fan", std::iter::once(root).chain((1..=leaves).map(leaf)))
}

#[test]
fn states_with_any_number_of_moves_are_counted_right() {
    let table = [
        (Outcome::Win(Player::Second), Value::Loss(1)),
        (Outcome::Win(Player::First), Value::Win(1)),
        (Outcome::Draw, Value::Draw(1)),
    ];
    // A cell counts up to 16,383 moves; the rest is stored elsewhere.
    let all = [1, 2, 17, 16_382, 16_383, 16_384, 16_385, 32_768, 70_000];
    for &leaves in few(&[2, 16_383, 16_384][..], &all) {
        for (last, expected) in table {
            let given = fan::<true>(leaves, last);
            assert_eq!(
                Solver::new(&given).solve_as::<Dense>().unwrap().value(&0).unwrap(),
                expected
            );
            let found = fan::<false>(leaves, last);
            assert_eq!(
                Solver::new(&found).solve_as::<Dense>().unwrap().value(&0).unwrap(),
                expected
            );
            assert_eq!(
                Solver::new(&found).solve_as::<Hashed>().unwrap().value(&0).unwrap(),
                expected
            );
        }
    }
}

/// So many states that the checks before a solve miss the fault.
const MANY: u32 = 100_000;
const AT: u32 = 54_350;

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    Stuck,
    NoRoots,
    IndexBeyondTheEnd,
}

/// A walk of `len` states with one fault.
fn faulty<const P: bool>(fault: Fault, len: u32) -> Graph<P, false> {
    let stuck = (fault == Fault::Stuck).then_some(AT.min(len - 1));
    let nodes = (0..len).map(|at| {
        let terminal = (at == 0).then_some(Outcome::Win(Player::First));
        let moves = at.checked_sub(1).filter(|_| stuck != Some(at));
        (Node { terminal, ..Node::of(Player::BOTH[(at % 2) as usize]) }, Vec::from_iter(moves))
    });
    Graph {
        roots: if fault == Fault::NoRoots { vec![] } else { vec![len - 1] },
        wrong_index: (fault == Fault::IndexBeyondTheEnd).then_some((AT, 777_777)),
        ..Graph::new("faulty", nodes)
    }
}

#[test]
fn faults_that_solving_notices_are_errors_that_name_them() {
    fn solved<S: Scheme<Graph<P, false>>, const P: bool>(
        fault: Fault,
        len: u32,
    ) -> Result<(), SolveError> {
        Solver::new(&faulty::<P>(fault, len)).solve_as::<S>().map(|_| ())
    }
    assert_eq!(solved::<Dense, true>(Fault::None, 6), Ok(()));
    assert_eq!(solved::<Dense, false>(Fault::None, 6), Ok(()));

    let broken = |law, states: &[u32], says: &str, solved: Result<(), SolveError>| {
        let Err(SolveError::BrokenLaw(broken)) = solved else { panic!("{solved:?}") };
        let named: Vec<String> = states.iter().map(ToString::to_string).collect();
        assert_eq!((broken.law, &broken.states), (law, &named), "{broken}");
        assert!(broken.counterexample.contains(says), "{broken}");
    };
    let says = format!("{AT} (index {AT}) is not terminal");
    broken(Law::NoMoves, &[AT], &says, solved::<Dense, false>(Fault::Stuck, MANY));
    let explored = solved::<Hashed, false>(Fault::Stuck, 4).unwrap_err();
    let found = matches!(explored, SolveError::BrokenLaw(BrokenLaw { law: Law::NoMoves, .. }));
    assert!(found, "the look before the solve finds what is wrong in few states: {explored}");

    let says = format!("the game gives {AT} the index 777777, but has only {MANY} indices");
    broken(Law::Index, &[AT], &says, solved::<Dense, true>(Fault::IndexBeyondTheEnd, MANY));
    broken(Law::Index, &[AT], &says, solved::<Dense, false>(Fault::IndexBeyondTheEnd, MANY));

    let says = "`Game::roots` returns none";
    broken(Law::Roots, &[], says, solved::<Hashed, true>(Fault::NoRoots, 6));
    broken(Law::Roots, &[], says, solved::<Dense, true>(Fault::NoRoots, 6));
}

#[test]
fn a_run_ends_at_whichever_report_says_so() {
    let length = few(20, 100);
    let chain = Graph::<false, false>::walk(length, Outcome::Draw);
    let reports = Cell::new(0);
    let count = |_| {
        reports.set(reports.get() + 1);
        ControlFlow::Continue(())
    };
    Solver::new(&chain).on_progress(count).solve_as::<Hashed>().unwrap();
    let all = reports.get();
    assert!(all > length as i32, "one for each level at least, and {all} came");
    for last in 0..all {
        let mut left = last;
        let stop = |_| {
            left -= 1;
            if left < 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let result = Solver::new(&chain).on_progress(stop).solve_as::<Hashed>().map(|_| ());
        assert_eq!(result, Err(SolveError::Interrupted), "at report {last}");
    }
}

/// A state whose order ignores half of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Half(u32, u32);

impl PartialOrd for Half {
    fn partial_cmp(&self, other: &Half) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Half {
    fn cmp(&self, other: &Half) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

struct Halves;

impl Game for Halves {
    type State = Half;

    fn turn(&self, _: &Half) -> Player {
        Player::First
    }

    fn terminal(&self, half: &Half) -> Option<Outcome> {
        (half.1 > 0).then_some(Outcome::Draw)
    }

    fn moves(&self, half: &Half, mut visit: impl FnMut(Half)) {
        visit(Half(half.0, 1));
        visit(Half(half.0, 2));
    }

    fn roots(&self) -> impl IntoIterator<Item = Half> {
        [Half(0, 0)]
    }
}

#[test]
fn states_that_no_search_could_tell_apart_are_refused() {
    let result = Solver::new(&Halves).solve_as::<Hashed>().map(|_| ());
    let Err(SolveError::BrokenLaw(broken)) = result else { panic!("{result:?}") };
    assert_eq!((broken.law, broken.states.len()), (Law::Index, 2), "{broken}");
    assert!(broken.counterexample.contains("let `Ord` agree with `Eq`"), "{broken}");
}
