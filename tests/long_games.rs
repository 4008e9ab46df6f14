//! Games at the edges of what a table can hold, and faults that are noticed while solving.

use std::cell::Cell;
use std::ops::ControlFlow;

use retrograde::laws::Law;
use retrograde::query::MAX_PLIES;
use retrograde::scheme::{Dense, Explored, Scheme};
use retrograde::table::{Compression, Destination};
use retrograde::{
    Game, Indexed, Notation, NotationError, Outcome, Player, Players, Query, Solvable, SolveError,
    Solver, Stored, Table, Value,
};
use serde::{Deserialize, Serialize};

/// A walk from `length` down to 0, one step a ply, with an outcome there.
#[derive(Serialize, Deserialize)]
struct Chain<const PREDECESSORS: bool> {
    length: u32,
    end: Outcome,
    endless: Outcome,
}

impl<const P: bool> Game for Chain<P> {
    type State = u32;
    const PREDECESSORS: bool = P;

    fn turn(&self, at: &u32) -> Player {
        Player::BOTH[(at % 2) as usize]
    }

    fn terminal(&self, at: &u32) -> Option<Outcome> {
        (*at == 0).then_some(self.end)
    }

    fn moves(&self, at: &u32, mut visit: impl FnMut(u32)) {
        visit(at - 1);
    }

    fn predecessors(&self, at: &u32, mut visit: impl FnMut(u32)) {
        if P && *at < self.length {
            visit(at + 1);
        }
    }

    fn roots(&self) -> Vec<u32> {
        vec![self.length]
    }

    fn endless(&self) -> Outcome {
        self.endless
    }
}

impl<const P: bool> Indexed for Chain<P> {
    fn len(&self) -> u64 {
        u64::from(self.length) + 1
    }

    fn index(&self, at: &u32) -> u64 {
        (*at).into()
    }

    fn unindex(&self, index: u64) -> Option<u32> {
        Some(index as u32)
    }
}

impl<const P: bool> Solvable for Chain<P> {
    type Numberings = (Dense, Explored);
}

impl<const P: bool> Stored for Chain<P> {
    const NAME: &'static str = "chain";
}

impl<const P: bool> Notation for Chain<P> {
    fn write_state(&self, at: &u32) -> String {
        at.to_string()
    }

    fn parse_state(&self, text: &str) -> Result<u32, NotationError> {
        text.parse().map_err(|error| NotationError::new(format!("{text:?}: {error}")))
    }
}

/// The value of the far end of a chain, by both numberings, which have to agree.
fn far_end<const P: bool>(
    length: u32,
    end: Outcome,
    endless: Outcome,
) -> Result<Value, SolveError> {
    let chain = Chain::<P> { length, end, endless };
    let dense =
        Solver::new(&chain).solve_as::<Dense>().map(|solution| solution.value(&length).unwrap());
    let explored =
        Solver::new(&chain).solve_as::<Explored>().map(|solution| solution.value(&length).unwrap());
    assert_eq!(dense, explored);
    dense
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
    for (end, endless) in ends.into_iter().flat_map(|end| draw_or_win.map(|endless| (end, endless)))
    {
        // From an odd distance the second player is to move.
        let expected = match end.winner() {
            Some(Player::Second) => Value::Win(MAX_PLIES),
            Some(Player::First) => Value::Loss(MAX_PLIES),
            None => Value::Draw(MAX_PLIES),
        };
        assert_eq!(far_end::<GIVEN>(MAX_PLIES, end, endless), Ok(expected));
        for beyond in [1, MAX_PLIES] {
            let length = MAX_PLIES + beyond;
            assert_eq!(far_end::<GIVEN>(length, end, endless), Err(SolveError::TooLong));
        }
    }
}

#[test]
fn a_table_can_have_more_values_or_fewer_than_a_byte_can_tell_apart() {
    let folder = tempfile::tempdir().unwrap();
    for (length, compression) in
        (252..260).flat_map(|length| [Compression::Plain, Compression::Usual].map(|c| (length, c)))
    {
        // Every state has a value of its own.
        let (end, endless) = (Outcome::Win(Player::First), Outcome::Draw);
        let chain = Chain::<true> { length, end, endless };
        let solution = Solver::new(&chain).solve_as::<Dense>().unwrap();
        let path = folder.path().join("chain.rtb");
        let destination = Destination::create(&path).unwrap().with(compression);
        let go_on = &mut |_| ControlFlow::Continue(());
        solution.save_to(destination, go_on).unwrap();
        let table = Table::open(&path).unwrap();
        table.verify(&chain, go_on).unwrap();
        let prober = table.prober(&chain).unwrap();
        for at in 0..=length {
            let [found, expected] = [prober.value(&at).unwrap(), solution.value(&at).unwrap()];
            assert_eq!(found, expected, "{at} of {length}");
        }
    }
}

/// State 0 has a move to each of the others, all of which are over: won for the second player but
/// for the last, which is what `last` says.
struct Fan<const PREDECESSORS: bool> {
    leaves: u32,
    last: Outcome,
}

impl<const P: bool> Game for Fan<P> {
    type State = u32;
    const PREDECESSORS: bool = P;
    const PLAYERS: Players = Players::Solitary;

    fn turn(&self, _: &u32) -> Player {
        Player::First
    }

    fn terminal(&self, leaf: &u32) -> Option<Outcome> {
        match *leaf {
            0 => None,
            leaf if leaf == self.leaves => Some(self.last),
            _ => Some(Outcome::Win(Player::Second)),
        }
    }

    fn moves(&self, _: &u32, visit: impl FnMut(u32)) {
        // Each twice, which makes no difference.
        (1..=self.leaves).chain(1..=self.leaves).for_each(visit);
    }

    fn predecessors(&self, leaf: &u32, mut visit: impl FnMut(u32)) {
        if P && *leaf > 0 {
            visit(0);
            visit(0);
        }
    }

    fn roots(&self) -> Vec<u32> {
        vec![0]
    }
}

impl<const P: bool> Indexed for Fan<P> {
    fn len(&self) -> u64 {
        u64::from(self.leaves) + 1
    }

    fn index(&self, leaf: &u32) -> u64 {
        (*leaf).into()
    }

    fn unindex(&self, index: u64) -> Option<u32> {
        Some(index as u32)
    }
}

#[test]
fn states_with_any_number_of_moves_are_counted_right() {
    let table = [
        (Outcome::Win(Player::Second), Value::Loss(1)),
        (Outcome::Win(Player::First), Value::Win(1)),
        (Outcome::Draw, Value::Draw(1)),
    ];
    // A cell counts up to 16,383 moves; the rest is stored elsewhere.
    for leaves in [1, 2, 17, 16_382, 16_383, 16_384, 16_385, 32_768, 70_000] {
        for (last, expected) in table {
            let fan = Fan::<true> { leaves, last };
            assert_eq!(Solver::new(&fan).solve_as::<Dense>().unwrap().value(&0).unwrap(), expected);
            let fan = Fan::<false> { leaves, last };
            assert_eq!(Solver::new(&fan).solve_as::<Dense>().unwrap().value(&0).unwrap(), expected);
            assert_eq!(
                Solver::new(&fan).solve_as::<Explored>().unwrap().value(&0).unwrap(),
                expected
            );
        }
    }
}

/// A chain of so many states with something wrong with one of them.
struct Faulty<const PREDECESSORS: bool>(Fault, u32);

/// Too many for the look before a solve to come by the fault.
const MANY: u32 = 100_000;
const AT: u32 = 54_350;

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    Stuck,
    NoRoots,
    IndexBeyondTheEnd,
}

impl<const P: bool> Game for Faulty<P> {
    type State = u32;
    const PREDECESSORS: bool = P;
    const PLAYERS: Players = Players::Solitary;

    fn turn(&self, _: &u32) -> Player {
        Player::First
    }

    fn terminal(&self, at: &u32) -> Option<Outcome> {
        (*at == 0).then_some(Outcome::Win(Player::First))
    }

    fn moves(&self, at: &u32, mut visit: impl FnMut(u32)) {
        if !(self.0 == Fault::Stuck && *at == AT.min(self.1 - 1)) {
            visit(at - 1);
        }
    }

    fn predecessors(&self, at: &u32, mut visit: impl FnMut(u32)) {
        if P && *at + 1 < self.1 {
            visit(at + 1);
        }
    }

    fn roots(&self) -> Vec<u32> {
        if self.0 == Fault::NoRoots { Vec::new() } else { vec![self.1 - 1] }
    }
}

impl<const P: bool> Indexed for Faulty<P> {
    fn len(&self) -> u64 {
        self.1.into()
    }

    fn index(&self, at: &u32) -> u64 {
        if self.0 == Fault::IndexBeyondTheEnd && *at == AT { 777_777 } else { u64::from(*at) }
    }

    fn unindex(&self, index: u64) -> Option<u32> {
        Some(index as u32)
    }
}

#[test]
fn faults_that_solving_notices_are_errors_that_name_them() {
    fn solved<S: Scheme<Faulty<P>>, const P: bool>(
        fault: Fault,
        len: u32,
    ) -> Result<(), SolveError> {
        Solver::new(&Faulty::<P>(fault, len)).solve_as::<S>().map(|_| ())
    }
    assert_eq!(solved::<Dense, true>(Fault::None, 6), Ok(()));
    assert_eq!(solved::<Dense, false>(Fault::None, 6), Ok(()));

    let stuck = Err(SolveError::NoMoves { state: AT.to_string() });
    assert_eq!(solved::<Dense, false>(Fault::Stuck, MANY), stuck);
    let explored = solved::<Explored, false>(Fault::Stuck, 4).unwrap_err();
    let found = matches!(explored, SolveError::BrokenLaw { law: Law::NoMoves, .. });
    assert!(found, "the look before the solve finds what is wrong in few states: {explored}");

    let out =
        SolveError::IndexOutOfRange { state: AT.to_string(), index: 777_777, len: MANY.into() };
    assert_eq!(solved::<Dense, true>(Fault::IndexBeyondTheEnd, MANY), Err(out.clone()));
    assert_eq!(solved::<Dense, false>(Fault::IndexBeyondTheEnd, MANY), Err(out));

    let rootless = SolveError::NoRoots;
    assert_eq!(solved::<Explored, true>(Fault::NoRoots, 6), Err(rootless.clone()));
    assert_eq!(solved::<Dense, true>(Fault::NoRoots, 6), Err(rootless));
}

#[test]
fn a_run_ends_at_whichever_report_says_so() {
    let chain = Chain::<false> { length: 100, end: Outcome::Draw, endless: Outcome::Draw };
    let reports = Cell::new(0);
    let count = |_| {
        reports.set(reports.get() + 1);
        ControlFlow::Continue(())
    };
    Solver::new(&chain).on_progress(count).solve_as::<Explored>().unwrap();
    let all = reports.get();
    assert!(all > 100, "one for each level at least, and {all} came");
    for last in 0..all {
        let mut left = last;
        let stop = |_| {
            left -= 1;
            if left < 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let result = Solver::new(&chain).on_progress(stop).solve_as::<Explored>().map(|_| ());
        assert_eq!(result, Err(SolveError::Interrupted), "at report {last}");
    }
}

/// A state whose order forgets half of it.
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

    fn roots(&self) -> Vec<Half> {
        vec![Half(0, 0)]
    }
}

#[test]
fn states_that_no_search_could_tell_apart_are_refused() {
    let result = Solver::new(&Halves).solve_as::<Explored>().map(|_| ());
    assert!(matches!(result, Err(SolveError::FaultyOrder { .. })), "{result:?}");
}
