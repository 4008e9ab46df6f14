//! Tiers that are solved by rows have the values that they have without, and wrong rows are found.

use kit::{Query, Random};
use retrograde::error::{BrokenLaw, LawError};
use retrograde::laws::{Law, Laws};
use retrograde::{
    Game, Numbered, Outcome, Player, Row, Rows, Solution, Solver, Tier, TierIndexed, Tiered, Value,
    scheme,
};

/// Two tokens: one goes along the edges of a random graph, the other from one of 64 places to another. Some
/// moves of the first are barred by where the second is. Some states are left out, and so are the moves to them.
struct Tokens {
    /// The places of the first token.
    places: usize,
    /// For each player and place: where the first token goes to, and where the second one must not be.
    edges: [Vec<Vec<(usize, u64)>>; 2],
    /// For each player and place of the second token: where it goes to.
    hops: [Vec<u64>; 2],
    /// The states of each row of each tier.
    used: [Vec<u64>; 2],
    /// The states of each row of the second tier that have a move to the first one.
    exits: Vec<u64>,
    by_rows: bool,
    fault: Fault,
}

/// A mistake in what the rows tell.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    State,
    Turn,
    Exit,
    Predecessor,
    Barrier,
    Hop,
}

/// The tier, the place of each token, and who is to move.
type State = (usize, usize, usize, Player);

fn each(set: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |at| set >> at & 1 == 1)
}

/// A random set, of which each place has a chance of one in `of`.
fn sparse(random: &mut Random, of: u64) -> u64 {
    (0..64).filter(|_| random.below(of) == 0).fold(0, |set, at| set | 1 << at)
}

impl Tokens {
    fn random(seed: u64) -> Tokens {
        let mut random = Random(seed);
        let places = 2 + random.place(40);
        let degree = 1 + random.below(4);
        let edges = [(); 2].map(|()| {
            let edges_of = |from: usize, random: &mut Random| {
                let to: Vec<usize> = (0..degree).map(|_| random.place(places)).collect();
                let to = to.into_iter().filter(|&to| to != from);
                to.map(|to| (to, sparse(random, 3))).collect()
            };
            (0..places).map(|from| edges_of(from, &mut random)).collect()
        });
        let hops =
            [(); 2].map(|()| (0..64).map(|from| sparse(&mut random, 40) & !(1 << from)).collect());
        let used = [(); 2].map(|()| (0..2 * places).map(|_| !sparse(&mut random, 4)).collect());
        let exits = (0..2 * places).map(|_| sparse(&mut random, 6)).collect();
        Tokens { places, edges, hops, used, exits, by_rows: true, fault: Fault::None }
    }

    fn row(place: usize, turn: Player) -> usize {
        2 * place + turn.index()
    }

    fn is_used(&self, (tier, place, other, turn): State) -> bool {
        self.used[tier][Tokens::row(place, turn)] >> other & 1 == 1
    }

    /// The steps within a tier, to states that are used.
    fn steps(&self, (tier, place, other, turn): State) -> impl Iterator<Item = State> {
        let next = turn.opponent();
        let edges = self.edges[turn.index()][place].iter();
        let free = edges.filter(move |(_, barred)| barred >> other & 1 == 0);
        let first = free.map(move |&(to, _)| (tier, to, other, next));
        let hops = each(self.hops[turn.index()][other]);
        let second = hops.map(move |to| (tier, place, to, next));
        first.chain(second).filter(|&state| self.is_used(state))
    }

    fn exit(&self, (tier, place, other, turn): State) -> Option<State> {
        let leaves = tier == 1 && self.exits[Tokens::row(place, turn)] >> other & 1 == 1;
        let next = (0, place, other, turn.opponent());
        (leaves && self.is_used(next)).then_some(next)
    }
}

impl Game for Tokens {
    type State = State;

    fn turn(&self, &(.., turn): &State) -> Player {
        turn
    }

    fn terminal(&self, _: &State) -> Option<Outcome> {
        None
    }

    fn moves(&self, &state: &State, visit: impl FnMut(State)) {
        self.steps(state).chain(self.exit(state)).for_each(visit);
    }

    fn roots(&self) -> impl IntoIterator<Item = State> {
        let row = self.used[1][0];
        each(row).map(|other| (1, 0, other, Player::First)).take(1)
    }

    fn no_moves(&self, &(_, place, other, turn): &State) -> Option<Outcome> {
        Some(match (place + other) % 3 {
            0 => Outcome::Draw,
            1 => Outcome::Win(turn),
            _ => Outcome::Win(turn.opponent()),
        })
    }
}

impl Tiered for Tokens {
    const TIER_PREDECESSORS: bool = true;

    fn tiers(&self) -> Vec<Tier> {
        let tier = |name: &str, leads_to| Tier { name: name.into(), leads_to };
        vec![tier("first", vec![]), tier("second", vec![0])]
    }

    fn tier(&self, &(tier, ..): &State) -> usize {
        tier
    }

    fn tier_predecessors(&self, tier: usize, &state: &State, visit: impl FnMut(State)) {
        let (_, place, other, turn) = state;
        let before = turn.opponent();
        let first = (0..self.places).map(|from| (tier, from, other, before));
        let second = (0..64).map(|from| (tier, place, from, before));
        let all = first.chain(second).filter(|&from| self.is_used(from));
        all.filter(|&from| self.steps(from).any(|to| to == state)).for_each(visit);
    }
}

impl TierIndexed for Tokens {
    fn tier_len(&self, _: usize) -> u64 {
        self.places as u64 * 128
    }

    fn tier_index(&self, _: usize, &(_, place, other, turn): &State) -> u64 {
        (64 * Tokens::row(place, turn) + other) as u64
    }

    fn tier_unindex(&self, tier: usize, index: u64) -> Option<State> {
        let (row, other) = (index as usize / 64, index as usize % 64);
        let state = (tier, row / 2, other, Player::BOTH[row % 2]);
        self.is_used(state).then_some(state)
    }

    fn tier_rows(&self, tier: usize) -> Option<impl Rows> {
        self.by_rows.then_some(TokenRows { tokens: self, tier })
    }
}

impl Numbered for Tokens {
    type Numberings = scheme::Tiers<scheme::Dense>;
}

struct TokenRows<'t> {
    tokens: &'t Tokens,
    tier: usize,
}

impl TokenRows<'_> {
    fn place(row: u64) -> (usize, Player) {
        (row as usize / 2, Player::BOTH[row as usize % 2])
    }
}

impl Rows for TokenRows<'_> {
    fn row(&self, row: u64) -> Option<Row> {
        let (Tokens { used, fault, .. }, (_, turn)) = (self.tokens, TokenRows::place(row));
        let mut states = used[self.tier][row as usize];
        if *fault == Fault::State {
            states |= !states & states.wrapping_add(1);
        }
        let turn = if *fault == Fault::Turn { turn.opponent() } else { turn };
        (states != 0).then_some(Row { states, turn })
    }

    fn predecessors(&self, row: u64, states: u64, mut visit: impl FnMut(u64, u64)) {
        let (place, turn) = TokenRows::place(row);
        let before = turn.opponent();
        for (from, edges) in self.tokens.edges[before.index()].iter().enumerate() {
            for (_, barred) in edges.iter().filter(|&&(to, _)| to == place) {
                visit(Tokens::row(from, before) as u64, states & !barred);
            }
        }
        let hops = self.tokens.hops[before.index()].iter().enumerate();
        let from =
            hops.filter(|(_, hops)| **hops & states != 0).fold(0, |set, (at, _)| set | 1 << at);
        if self.tokens.fault != Fault::Predecessor {
            visit(Tokens::row(place, before) as u64, from);
        }
    }

    fn without_step_to(&self, row: u64, states: u64, mut targets: impl FnMut(u64) -> u64) -> u64 {
        let (place, turn) = TokenRows::place(row);
        let (Tokens { edges, hops, fault, .. }, next) = (self.tokens, turn.opponent());
        let mut left = states;
        for &(to, barred) in &edges[turn.index()][place] {
            let barred = if *fault == Fault::Barrier { 0 } else { barred };
            left &= !targets(Tokens::row(to, next) as u64) | barred;
        }
        let reached = targets(Tokens::row(place, next) as u64);
        if *fault == Fault::Hop {
            return left;
        }
        let from = each(u64::MAX).filter(|&at| hops[turn.index()][at] & reached != 0);
        left & !from.fold(0, |set, at| set | 1 << at)
    }

    fn exits(&self, row: u64, states: u64, mut visit: impl FnMut(u64, usize, u64)) {
        let (Tokens { exits, fault, .. }, (place, turn)) = (self.tokens, TokenRows::place(row));
        if self.tier == 0 {
            return;
        }
        let mut leaving =
            exits[row as usize] & states & self.tokens.used[0][Tokens::row(place, turn.opponent())];
        if *fault == Fault::Exit {
            leaving &= leaving.wrapping_sub(1);
        }
        let next = 64 * Tokens::row(place, turn.opponent()) as u64;
        each(leaving).for_each(|at| visit(1 << at, 0, next + at as u64));
    }
}

/// All states of a solved game with their values.
fn values(solution: &Solution<'_, Tokens>) -> Vec<(State, Option<Value>)> {
    let states = solution.states().map(|found| found.expect("values in memory"));
    states.map(|found| (found.state, found.value)).collect()
}

#[test]
fn rows_have_the_values_of_single_states() {
    let (mut longest, mut decided, mut endless) = (0, 0, 0);
    for seed in 0..u64::from(kit::cases(1_000)) {
        let game = Tokens::random(seed);
        let by_rows = Solver::new(&game).threads(1 + seed as usize % 3).solve().unwrap();
        let (by_rows, summary) = (values(&by_rows), by_rows.summary().clone());
        let game = Tokens { by_rows: false, ..Tokens::random(seed) };
        let single = Solver::new(&game).threads(1).solve().unwrap();
        assert_eq!(by_rows, values(&single), "seed {seed}");
        assert_eq!(summary, *single.summary(), "seed {seed}");
        longest = longest.max(summary.longest().unwrap_or(0));
        let draws = by_rows.iter().filter(|(_, value)| matches!(value, Some(Value::Draw(1..))));
        decided += draws.count();
        endless += summary.endless();
    }
    assert!(longest > 10 && decided > 0 && endless > 0, "{longest}, {decided}, {endless}");
}

/// Faulty rows give other values, so a solve asks them.
#[test]
fn rows_are_what_a_tier_is_solved_by() {
    let differs = |fault| {
        let [right, wrong] = [Fault::None, fault].map(|fault| {
            let game = Tokens { fault, ..Tokens::random(2) };
            values(&Solver::new(&game).solve().unwrap())
        });
        right != wrong
    };
    assert!(!differs(Fault::None));
    for fault in [Fault::Predecessor, Fault::Hop, Fault::Exit] {
        assert!(differs(fault), "{fault:?}");
    }
}

#[test]
fn rows_that_differ_from_the_moves_break_the_law_of_successors() {
    for seed in 0..u64::from(kit::cases(64)) {
        Laws::new(&Tokens::random(seed)).check().unwrap();
    }
    for (fault, text) in [
        (Fault::State, "`row` has the states"),
        (Fault::Turn, "another player is to move"),
        (Fault::Exit, "it leaves to index"),
        (Fault::Predecessor, "is a predecessor of it by rows or by its moves"),
        (Fault::Barrier, "a step by rows that is no move"),
        (Fault::Hop, "it has no step to index"),
    ] {
        let error = Laws::new(&Tokens { fault, ..Tokens::random(2) }).check().unwrap_err();
        let LawError::Broken(BrokenLaw { law, ref counterexample, .. }) = error else {
            panic!("{error}")
        };
        assert_eq!(law, Law::Successors, "{fault:?}");
        assert!(counterexample.contains(text), "{fault:?}: {counterexample}");
    }
}
