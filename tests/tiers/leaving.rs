//! Tiers whose moves all leave them are solved in one pass, and as by levels.

use std::cell::RefCell;
use std::ops::ControlFlow;

use retrograde::error::{BrokenLaw, Law};
use retrograde::scheme::{Dense, Tiers};
use retrograde::solve::{Method, Progress};
use retrograde::{
    Game, Indexed, Outcome, Player, Players, SolveError, Solver, Tier, TierIndexed, Tiered, Value,
    VisitSuccessors,
};

const FLOOR: u64 = 1000;

/// A token falls from floor to floor, straight down or to another place. Each floor is a tier. From the
/// top one it falls to any floor: its values are as many as there are floors.
struct Shaft {
    floors: u64,
    /// On this place of the floors in the middle, it may also move one place on.
    step: Option<u64>,
    /// On the lowest floor but one, two places lead to each other for ever.
    whirls: bool,
    /// Successors are visited by wrong indices.
    is_wrong: bool,
}

impl Shaft {
    fn of(floors: u64) -> Shaft {
        Shaft { floors, step: None, whirls: false, is_wrong: false }
    }
}

impl Shaft {
    fn top(&self) -> u64 {
        self.floors - 1
    }
}

impl Game for Shaft {
    type State = u64;
    const PLAYERS: Players = Players::Unnamed;

    fn terminal(&self, &at: &u64) -> Option<Outcome> {
        let ends = [Outcome::MoverWins, Outcome::MoverLoses, Outcome::Draw, Outcome::MoverLoses];
        (at < FLOOR).then(|| ends[at as usize % ends.len()])
    }

    fn moves(&self, &at: &u64, mut visit: impl FnMut(u64)) {
        let (floor, place) = (at / FLOOR, at % FLOOR);
        let below = |floor: u64, place: u64| floor * FLOOR + place;
        if floor == self.top() {
            return visit(below(place % floor, place));
        }
        // A place in nine is a dead end.
        if place % 9 == 8 {
            return;
        }
        if self.whirls && floor == 1 && place / 2 == 351 {
            return visit(at ^ 1);
        }
        visit(below(floor - 1, place));
        if place % 2 == 0 {
            visit(below(floor - 1, place * 7 % FLOOR));
        }
        if self.step == Some(place) && floor > 1 {
            visit(below(floor, (place + 1) % FLOOR));
        }
    }

    fn no_moves(&self, &at: &u64) -> Option<Outcome> {
        Some(if at % 2 == 0 { Outcome::Draw } else { Outcome::MoverLoses })
    }

    fn roots(&self) -> impl IntoIterator<Item = u64> {
        [self.floors * FLOOR - 1]
    }
}

impl Indexed for Shaft {
    fn len(&self) -> u64 {
        self.floors * FLOOR
    }

    fn index(&self, &at: &u64) -> u64 {
        at
    }

    fn unindex(&self, index: u64) -> Option<u64> {
        Some(index)
    }
}

impl Tiered for Shaft {
    fn tiers(&self) -> Vec<Tier> {
        let leads_to = |floor: u64| match floor {
            0 => Vec::new(),
            _ if floor == self.top() => (0..floor as usize).collect(),
            _ => vec![floor as usize - 1],
        };
        let tier = |floor| Tier { name: format!("floor-{floor}"), leads_to: leads_to(floor) };
        (0..self.floors).map(tier).collect()
    }

    fn tier(&self, &at: &u64) -> usize {
        (at / FLOOR) as usize
    }
}

impl TierIndexed for Shaft {
    fn tier_len(&self, _: usize) -> u64 {
        FLOOR
    }

    fn tier_index(&self, _: usize, &at: &u64) -> u64 {
        at % FLOOR
    }

    fn tier_unindex(&self, tier: usize, index: u64) -> Option<u64> {
        Some(tier as u64 * FLOOR + index)
    }

    const TIER_SUCCESSOR_INDICES: bool = true;

    fn tier_successor_indices(
        &self,
        tier: usize,
        at: &u64,
        visitor: &mut impl VisitSuccessors<u64>,
    ) {
        self.moves(at, |next| {
            let next = if self.is_wrong { next ^ 1 } else { next };
            match self.tier(&next) {
                to if to == tier => visitor.stay(next % FLOOR, Player::Second),
                to => visitor.leave_to(to, next % FLOOR, Player::Second),
            }
        });
    }
}

/// Solves the game in tiers and as one, and compares all values and figures. Returns the methods of the
/// tiers.
fn methods(shaft: &Shaft, threads: usize) -> Vec<Method> {
    let methods = RefCell::new(Vec::new());
    let note = |progress: Progress| {
        if let Progress::Planned(plan) = progress {
            methods.borrow_mut().push(plan.method);
        }
        ControlFlow::Continue(())
    };
    let solver = Solver::new(shaft).threads(threads).on_progress(note);
    let tiers = solver.solve_as::<Tiers<Dense>>().unwrap();
    let whole = Solver::new(shaft).solve_as::<Dense>().unwrap();
    for at in 0..shaft.len() {
        assert_eq!(tiers.value(&at).unwrap(), whole.value(&at).unwrap(), "{at}");
    }
    assert_eq!(tiers.summary(), whole.summary());
    methods.into_inner()
}

#[test]
fn a_tier_that_all_moves_leave_is_solved_in_one_pass() {
    for threads in [1, 3] {
        // More values than one byte has codes for, which is so from some 190 on.
        // On the lowest floor nothing moves.
        assert_eq!(methods(&Shaft::of(400), threads)[1..], vec![Method::OnePass; 399]);
    }
}

#[test]
fn a_tier_in_which_one_move_stays_is_solved_by_levels() {
    let by_levels = |shaft: &Shaft, threads| {
        let methods = methods(shaft, threads);
        methods.iter().filter(|&&method| method != Method::OnePass).count()
    };
    // Few places are looked at beforehand: 501 is none of them, and 3 is one.
    for step in [3, 501] {
        let shaft = Shaft { step: Some(step), ..Shaft::of(20) };
        let tiers = shaft.floors as usize - 3;
        assert!(by_levels(&shaft, 2) >= tiers, "{step}");
    }
}

#[test]
fn endless_play_is_found_behind_exits() {
    let shaft = Shaft { whirls: true, ..Shaft::of(6) };
    assert!(methods(&shaft, 2).ends_with(&[Method::OnePass; 4]));
    let solution = Solver::new(&shaft).solve_as::<Tiers<Dense>>().unwrap();
    assert!(solution.summary().endless() > 2);
}

#[test]
fn wrong_indices_of_successors_break_a_law() {
    let shaft = Shaft { is_wrong: true, ..Shaft::of(3) };
    let solved = Solver::new(&shaft).solve_as::<Tiers<Dense>>().map(|_| ());
    let Err(SolveError::BrokenLaw(BrokenLaw { law, counterexample, .. })) = solved else {
        panic!("{solved:?}")
    };
    assert_eq!(law, Law::Successors);
    assert!(
        counterexample.starts_with("for 1000, the best of the successor indices"),
        "{counterexample}"
    );
}

#[test]
fn a_value_that_one_pass_does_not_find_is_an_error_that_names_the_move() {
    /// The tier below has no index for its last place.
    struct Hole(Shaft);

    impl Game for Hole {
        type State = u64;
        const PLAYERS: Players = Players::Unnamed;

        fn terminal(&self, at: &u64) -> Option<Outcome> {
            self.0.terminal(at)
        }

        fn moves(&self, at: &u64, visit: impl FnMut(u64)) {
            self.0.moves(at, visit);
        }

        fn no_moves(&self, at: &u64) -> Option<Outcome> {
            self.0.no_moves(at)
        }

        fn roots(&self) -> impl IntoIterator<Item = u64> {
            self.0.roots()
        }
    }

    impl Tiered for Hole {
        fn tiers(&self) -> Vec<Tier> {
            self.0.tiers()
        }

        fn tier(&self, at: &u64) -> usize {
            self.0.tier(at)
        }
    }

    impl TierIndexed for Hole {
        fn tier_len(&self, tier: usize) -> u64 {
            self.0.tier_len(tier)
        }

        fn tier_index(&self, tier: usize, at: &u64) -> u64 {
            self.0.tier_index(tier, at)
        }

        fn tier_unindex(&self, tier: usize, index: u64) -> Option<u64> {
            (tier > 0 || index != 501).then(|| self.0.tier_unindex(tier, index)).flatten()
        }
    }

    let hole = Hole(Shaft::of(3));
    let error = Solver::new(&hole).solve_as::<Tiers<Dense>>().map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("1501") && error.contains("501"), "{error}");
}

#[test]
fn one_pass_takes_less_memory_than_levels() {
    let planned = |step| {
        let shaft = Shaft { step, ..Shaft::of(4) };
        let bytes = RefCell::new(Vec::new());
        let note = |progress: Progress| {
            if let Progress::Planned(plan) = progress {
                bytes.borrow_mut().push(plan.bytes);
            }
            ControlFlow::Continue(())
        };
        let solution = Solver::new(&shaft).on_progress(note).solve_as::<Tiers<Dense>>().unwrap();
        assert_eq!(solution.value(&1008).unwrap(), Value::Draw(0));
        bytes.into_inner()
    };
    let (one_pass, by_levels) = (planned(None), planned(Some(3)));
    // Four bytes for each state, since almost all have exits.
    assert!(by_levels[2] > one_pass[2] + 3 * FLOOR, "{one_pass:?} {by_levels:?}");
}
