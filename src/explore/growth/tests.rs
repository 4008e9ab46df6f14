//! Games whose states have parts that grow, and games that only look so.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::find;
use crate::game::{Game, Outcome, Player, debug_parts, write_debug};

/// The part that is named for a game whose moves are those of a function.
fn named<S>(root: S, moves: impl Fn(&S) -> Vec<S> + Sync) -> Option<String>
where
    S: Clone + Eq + Debug + Send + Sync,
{
    struct Moves<S, F>(S, F);

    impl<S: Clone + Eq + Debug + Send + Sync, F: Fn(&S) -> Vec<S> + Sync> Game for Moves<S, F> {
        type State = S;
        const PLAYERS: crate::game::Players = crate::game::Players::Unnamed;

        fn terminal(&self, _: &S) -> Option<Outcome> {
            None
        }

        fn moves(&self, state: &S, visit: impl FnMut(S)) {
            (self.1)(state).into_iter().for_each(visit);
        }

        fn no_moves(&self, _: &S) -> Option<Outcome> {
            Some(Outcome::Draw)
        }

        fn roots(&self) -> impl IntoIterator<Item = S> {
            [self.0.clone()]
        }
    }
    find(&Moves(root, moves), write_debug, debug_parts).map(|growth| growth.parts)
}

/// The places of a ring of this many next to a place.
fn steps(at: u8, places: u8) -> [u8; 2] {
    [1, places - 1].map(|step| (at + step) % places)
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Position {
    at: u8,
    turn: Player,
    past: Vec<u8>,
    seen: BTreeMap<u8, u32>,
    visited: BTreeSet<(u8, u32)>,
    plies: u32,
}

/// A token that walks on a ring of six places, and a change of the rest of the position.
fn walk(position: &Position, change: impl Fn(&mut Position)) -> Vec<Position> {
    let walked = steps(position.at, 6).map(|at| {
        let turn = position.turn.opponent();
        let mut next = Position { at, turn, ..position.clone() };
        change(&mut next);
        next
    });
    walked.into()
}

#[test]
fn a_field_that_counts_or_remembers_is_named() {
    let root = || Position {
        at: 0,
        turn: Player::First,
        past: Vec::new(),
        seen: BTreeMap::new(),
        visited: BTreeSet::new(),
        plies: 0,
    };
    let found = |change: &(dyn Fn(&mut Position) + Sync)| named(root(), |at| walk(at, change));
    assert_eq!(found(&|next| next.plies += 1).as_deref(), Some("`plies`"));
    assert_eq!(found(&|next| next.past.push(next.at)).as_deref(), Some("`past`"));
    assert_eq!(
        found(&|next| {
            next.past.push(next.at);
            next.plies += 1;
        })
        .as_deref(),
        Some("`past` and `plies`")
    );
    // A table of how often each place was visited has as many entries again and again.
    let counts = |next: &mut Position| *next.seen.entry(next.at).or_default() += 1;
    assert_eq!(found(&counts).as_deref(), Some("`seen`"));
    let remembers = |next: &mut Position| {
        next.visited.insert((next.at, next.visited.len() as u32));
    };
    assert_eq!(found(&remembers).as_deref(), Some("`visited`"));
    // A clock that is set back.
    let clock = |next: &mut Position| next.plies = if next.at == 0 { 0 } else { next.plies + 1 };
    assert_eq!(found(&clock), None);
    assert_eq!(found(&|_| ()), None);
}

#[test]
fn a_counter_in_a_tuple_or_a_list_or_an_enumeration_is_named() {
    let tuple = named((5_u8, 0_u64), |&(at, plies)| steps(at, 50).map(|at| (at, plies + 1)).into());
    assert_eq!(tuple.as_deref(), Some("`state.1`"));
    // Nobody walks back on a ring in one direction.
    let ring = named((5_u32, 0_u64), |&(at, plies)| {
        [1, 2, 7].map(|step| ((at + step) % 50, plies + 1)).into()
    });
    assert_eq!(ring.as_deref(), Some("`state.1`"));
    let nested = named(((0_u8, 3_u8), [0_u32, 7]), |&((at, other), [plies, seven])| {
        steps(at, 9).map(|at| ((other, at), [plies + 1, seven])).into()
    });
    assert_eq!(nested.as_deref(), Some("`state.1[0]`"));

    #[derive(Clone, Debug, PartialEq, Eq)]
    enum Phase {
        Black { at: u8, plies: u32 },
        White { at: u8, plies: u32 },
    }
    use Phase::{Black, White};
    let phases = named(White { at: 0, plies: 0 }, |phase| match *phase {
        White { at, plies } => steps(at, 8).map(|at| Black { at, plies: plies + 1 }).into(),
        Black { at, plies } => steps(at, 8).map(|at| White { at, plies }).into(),
    });
    assert_eq!(phases.as_deref(), Some("`plies`"));

    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Wrapped(u8, Option<u32>);
    let wrapped = named(Wrapped(0, Some(0)), |Wrapped(at, plies)| {
        steps(*at, 8).map(|at| Wrapped(at, plies.map(|plies| plies + 1))).into()
    });
    assert_eq!(wrapped.as_deref(), Some("`state.1`"));
    // As in a FEN.
    let text = named("0 w 1".to_owned(), |text| {
        let words: Vec<&str> = text.split(' ').collect();
        let number = |at: usize| words[at].parse::<u32>().unwrap_or(0);
        steps(number(0) as u8, 9).map(|at| format!("{at} w {}", number(2) + 1)).into()
    });
    assert_eq!(text.as_deref(), Some("`state word 3`"));
}

/// The moves that fill one of `places` for whoever is to move.
fn empty(filled: u64, places: u32) -> impl Iterator<Item = u64> {
    (0..places).map(|place| 1 << place).filter(move |bit| filled & bit == 0)
}

#[test]
fn boards_that_are_filled_are_not_named() {
    // The stones of the player to move, and all stones: as Connect Four has them.
    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Own {
        own: u64,
        all: u64,
    }
    let own = named(Own { own: 0, all: 0 }, |state| {
        let moved = |bit| Own { own: state.all & !state.own, all: state.all | bit };
        empty(state.all, 64).map(moved).collect()
    });
    assert_eq!(own, None);
    let both = named((0_u64, 0_u64, Player::First), |&(first, second, turn)| {
        let moved = |bit| match turn {
            Player::First => (first | bit, second, Player::Second),
            Player::Second => (first, second | bit, Player::First),
        };
        empty(first | second, 64).map(moved).collect()
    });
    assert_eq!(both, None);
    // The board as a number with a digit for each place.
    let digits = named((0_u64, Player::First, 0_u32), |&(board, turn, last)| {
        let _ = last;
        let free = (0..40_u32).filter(|&place| board / 3_u64.pow(place) % 3 == 0);
        let digit = 1 + turn.index() as u64;
        free.map(|place| (board + digit * 3_u64.pow(place), turn.opponent(), place)).collect()
    });
    assert_eq!(digits, None);
    // The stones as a list.
    let list = named((Vec::<u8>::new(), Player::First), |(stones, turn)| {
        let free = (0..100).filter(|place| !stones.contains(place));
        let moved = |place| {
            let mut stones = stones.clone();
            stones.push(place);
            (stones, turn.opponent())
        };
        free.map(moved).collect()
    });
    assert_eq!(list, None);
    // Towers on 25 places, of four floors each, and a token that walks back and forth.
    let towers = named((0_u8, [0_u8; 25]), |&(at, towers)| {
        let places = (0..25_usize).filter(|&place| towers[place] < 4);
        places
            .flat_map(|place| {
                let mut higher = towers;
                higher[place] += 1;
                steps(at, 25).map(|at| (at, higher))
            })
            .collect()
    });
    assert_eq!(towers, None);
}

/// A token that walks on a ring, and counts. Each call of the rules takes a while.
struct Slow {
    a_call: Duration,
    calls: AtomicUsize,
}

impl Slow {
    fn call(&self) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(self.a_call);
    }
}

impl Game for Slow {
    type State = (u8, u32);
    const PLAYERS: crate::game::Players = crate::game::Players::Unnamed;

    fn terminal(&self, _: &(u8, u32)) -> Option<Outcome> {
        self.call();
        None
    }

    fn moves(&self, &(at, plies): &(u8, u32), visit: impl FnMut((u8, u32))) {
        self.call();
        steps(at, 6).map(|at| (at, plies + 1)).into_iter().for_each(visit);
    }

    fn roots(&self) -> impl IntoIterator<Item = (u8, u32)> {
        [(0, 0)]
    }
}

#[test]
fn slow_rules_are_asked_for_less_than_half_a_second() {
    for (milliseconds, most_calls) in [(5, 100), (500, 1)] {
        let a_call = Duration::from_millis(milliseconds);
        let game = Slow { a_call, calls: AtomicUsize::new(0) };
        let started = Instant::now();
        find(&game, write_debug, debug_parts);
        let calls = game.calls.load(Ordering::Relaxed);
        assert!(calls <= most_calls, "{calls} calls of {milliseconds} ms each");
        // A busy machine takes longer, but not without end.
        assert!(started.elapsed() < Duration::from_secs(5));
    }
    // Rules of a tenth of a millisecond are asked often enough.
    let game = Slow { a_call: Duration::from_micros(100), calls: AtomicUsize::new(0) };
    let found = find(&game, write_debug, debug_parts).map(|growth| growth.parts);
    assert_eq!(found.as_deref(), Some("`state.1`"));
}

/// A state that counts how many there are at a time, and how many there were at most.
#[derive(Debug, PartialEq, Eq)]
struct Counted(u32);

static COUNTED: AtomicUsize = AtomicUsize::new(0);
static MOST_COUNTED: AtomicUsize = AtomicUsize::new(0);

impl Counted {
    fn new(number: u32) -> Counted {
        let count = COUNTED.fetch_add(1, Ordering::Relaxed) + 1;
        MOST_COUNTED.fetch_max(count, Ordering::Relaxed);
        Counted(number)
    }
}

impl Clone for Counted {
    fn clone(&self) -> Counted {
        Counted::new(self.0)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        COUNTED.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Each state has a hundred thousand successors.
struct Wide;

impl Game for Wide {
    type State = Counted;
    const PLAYERS: crate::game::Players = crate::game::Players::Unnamed;

    fn terminal(&self, _: &Counted) -> Option<Outcome> {
        None
    }

    fn moves(&self, _: &Counted, visit: impl FnMut(Counted)) {
        (0..100_000).map(Counted::new).for_each(visit);
    }

    fn roots(&self) -> impl IntoIterator<Item = Counted> {
        [Counted::new(0)]
    }
}

#[test]
fn of_very_many_successors_few_are_kept() {
    find(&Wide, write_debug, debug_parts);
    let most = MOST_COUNTED.load(Ordering::Relaxed);
    assert!(most < 10_000, "{most} states at a time");
}
