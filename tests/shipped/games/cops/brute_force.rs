//! All small graphs and options beside a brute force: cops who are told apart, and values that are
//! asked again until none changes.

use kit::small_graphs;
use retrograde::{Notation, Solver, Value};
use retrograde_games::cops::{CopsParameters, Passing};

use super::{game, usual};

/// The plies until the catch; `None` if it never happens.
type Plies = Option<u32>;

/// A game by its plain rules.
struct Plain<'p> {
    parameters: &'p CopsParameters,
    nodes: usize,
}

impl Plain<'_> {
    fn edge(&self, from: usize, to: usize) -> bool {
        self.parameters.graph[from].contains(&(to as i64))
    }

    fn has_to_stay(&self, node: usize) -> bool {
        self.parameters.graph[node].is_empty()
    }

    /// The places of the cops that are told apart, by number.
    fn places(&self, mut number: usize) -> Vec<usize> {
        let digits = (0..self.parameters.cops).map(|_| {
            let node = number % self.nodes;
            number /= self.nodes;
            node
        });
        digits.collect()
    }

    fn placings(&self) -> usize {
        self.nodes.pow(self.parameters.cops)
    }

    fn cops_get(&self, from: &[usize], to: &[usize]) -> bool {
        let passes = matches!(self.parameters.passing, Passing::Both | Passing::Cops);
        let pairs = || from.iter().zip(to);
        let steps = |(&from, &to): (&usize, &usize)| {
            self.edge(from, to) || from == to && (passes || self.has_to_stay(from))
        };
        if !self.parameters.lazy {
            return pairs().all(steps);
        }
        let movers = pairs().filter(|(from, to)| from != to).count();
        match movers {
            0 => pairs().any(steps),
            1 => pairs().all(|(from, to)| from == to || self.edge(*from, *to)),
            _ => false,
        }
    }

    fn robber_gets(&self, from: usize, to: usize, cops: &[usize]) -> bool {
        let passes = matches!(self.parameters.passing, Passing::Both | Passing::Robber);
        match from == to {
            true => passes || self.has_to_stay(from),
            false => self.runs(&mut vec![from], to, cops),
        }
    }

    /// Whether a run that has come along these nodes can end on `to`.
    fn runs(&self, along: &mut Vec<usize>, to: usize, cops: &[usize]) -> bool {
        let (edges, from) = (along.len() as u32 - 1, along[along.len() - 1]);
        if edges == self.parameters.robber_speed {
            return false;
        }
        if self.edge(from, to) {
            return true;
        }
        (0..self.nodes).any(|next| {
            let goes = self.edge(from, next) && !along.contains(&next) && !cops.contains(&next);
            goes && {
                along.push(next);
                let arrives = self.runs(along, to, cops);
                along.pop();
                arrives
            }
        })
    }

    /// The plies until the catch with the cops to move and with the robber to move, by the number of
    /// the placing and the robber's node; and those from the start.
    fn solve(&self) -> ([Vec<Plies>; 2], Plies) {
        let (nodes, placings) = (self.nodes, self.placings());
        let places: Vec<Vec<usize>> = (0..placings).map(|number| self.places(number)).collect();
        let at = |number: usize, robber: usize| number * nodes + robber;
        let caught = |number: usize, robber: usize| places[number].contains(&robber);
        let mut values = [vec![None; placings * nodes], vec![None; placings * nodes]];
        for number in 0..placings {
            for robber in (0..nodes).filter(|&robber| caught(number, robber)) {
                values.iter_mut().for_each(|values| values[at(number, robber)] = Some(0));
            }
        }
        let mut is_done = false;
        while !is_done {
            is_done = true;
            for number in 0..placings {
                let nexts = || {
                    let to = |next: &usize| self.cops_get(&places[number], &places[*next]);
                    (0..placings).filter(to)
                };
                for robber in (0..nodes).filter(|&robber| !caught(number, robber)) {
                    let here = at(number, robber);
                    let best = nexts().filter_map(|next| values[1][at(next, robber)]).min();
                    let runs = |to: &usize| self.robber_gets(robber, *to, &places[number]);
                    let replies = (0..nodes).filter(runs).map(|to| values[0][at(number, to)]);
                    let replies: Vec<Plies> = replies.collect();
                    let all = replies.iter().all(Option::is_some);
                    let worst = replies.into_iter().flatten().max().filter(|_| all);
                    for (turn, plies) in [best, worst].into_iter().enumerate() {
                        let plies = plies.map(|plies| plies + 1);
                        if values[turn][here] != plies {
                            values[turn][here] = plies;
                            is_done = false;
                        }
                    }
                }
            }
        }
        let chosen = (0..placings).filter_map(|number| {
            let all: Option<Vec<u32>> =
                (0..nodes).map(|robber| values[0][at(number, robber)]).collect();
            all?.into_iter().max()
        });
        let start = chosen.min().map(|plies| plies + 2);
        (values, start)
    }
}

/// Compares all values of a game.
fn compare(parameters: &CopsParameters) {
    let plain = Plain { parameters, nodes: parameters.graph.len() };
    let (values, start) = plain.solve();
    let game = game(parameters);
    let solution = Solver::new(&game).solve().expect("a small game");
    let check = |text: &str, plies: Plies, cops_move: bool| {
        let state = game.parse_state(text).expect("a position");
        let expected = match plies {
            None => Value::Endless,
            Some(plies) if cops_move && plies > 0 => Value::Win(plies),
            Some(plies) if cops_move => Value::Loss(plies),
            Some(plies) if plies > 0 => Value::Loss(plies),
            Some(plies) => Value::Win(plies),
        };
        let found = solution.value(&state).expect("a state of the game");
        // Play that is over is won by the cops, whoever would be to move.
        let is_same = match plies {
            Some(0) => found.plies() == Some(0),
            _ => found == expected,
        };
        assert!(is_same, "{text}: {found:?}, not {expected:?}, in {parameters:?}");
    };
    for number in 0..plain.placings() {
        let cops = plain.places(number).iter().map(usize::to_string).collect::<Vec<_>>().join("+");
        for robber in 0..plain.nodes {
            for (turn, mover) in ["cops", "robber"].into_iter().enumerate() {
                let plies = values[turn][number * plain.nodes + robber];
                check(&format!("{cops},{robber},{mover}"), plies, turn == 0);
            }
        }
    }
    check("-,-,cops", start, true);
    let rounds = start.map(|plies| (plies - 1) / 2);
    assert_eq!(game.capture_time().expect("a small game"), rounds, "{parameters:?}");
}

#[test]
fn all_connected_graphs_are_as_a_brute_force_says() {
    for graphs in small_graphs::connected(kit::by_effort([5, 6, 7])) {
        for graph in graphs {
            let lists = small_graphs::lists(&graph);
            compare(&usual(&lists, 1));
            if graph.len() <= kit::by_effort([4, 4, 5]) {
                compare(&usual(&lists, 2));
            }
        }
    }
}

#[test]
fn random_graphs_and_options_are_as_a_brute_force_says() {
    let mut random = kit::Random(7);
    for _ in 0..kit::cases(1_600) {
        let nodes = 1 + random.place(6);
        let directed = random.below(2) == 1;
        let mut graph = vec![Vec::new(); nodes];
        for from in 0..nodes {
            for to in 0..nodes {
                let is_edge = from != to && (directed || from < to) && random.below(5) < 2;
                if is_edge {
                    graph[from].push(to as i64);
                    if !directed {
                        graph[to].push(from as i64);
                    }
                }
            }
        }
        let passings = [Passing::Both, Passing::Cops, Passing::Robber, Passing::Nobody];
        compare(&CopsParameters {
            graph,
            directed,
            cops: 1 + random.below(if nodes < 5 { 3 } else { 2 }) as u32,
            passing: passings[random.place(4)],
            lazy: random.below(3) == 0,
            robber_speed: [1, 1, 2, 3, 9][random.place(5)],
        });
    }
}
