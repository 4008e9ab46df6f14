//! Small random pursuits, compared with a separate brute force that follows the rules.

use std::collections::{HashMap, HashSet};

use proptest::collection::vec;
use proptest::prelude::*;
use retrograde::{Game, Indexed, Notation, Outcome, Player, Solution, Solver};
use retrograde_games::Chase;
use retrograde_games::cat_mouse::{CatMouse, CatMouseError, CatMouseParameters, Stuck};
use retrograde_games::cat_mouse_grid::{CatMouseGrid, CatMouseGridParameters};

const MOUSE: Player = Player::First;
const CAT: Player = Player::Second;

/// The winner of a state, and the number of plies. A state that nobody wins is missing.
type Wins = HashMap<Chase, (Player, u32)>;

/// A pursuit by its plain rules.
trait Rules {
    /// All states.
    fn states(&self) -> Vec<Chase>;
    /// `None` if play goes on, and otherwise the winner, if there is one.
    fn over(&self, state: &Chase) -> Option<Option<Player>>;
    /// The states after each move.
    fn moves(&self, state: &Chase) -> Vec<Chase>;

    /// Computes wins for one ply more at a time, until nothing changes or the limit of `limit`
    /// plies is reached. A player wins who can move to a win, or whose opponent can only move to
    /// that player's wins.
    fn wins(&self, limit: u32) -> Wins {
        let states = self.states();
        let mut wins = Wins::new();
        let mut open = Vec::new();
        for &state in &states {
            match self.over(&state) {
                Some(Some(winner)) => drop(wins.insert(state, (winner, 0))),
                Some(None) => {}
                None => open.push((state, self.moves(&state))),
            }
        }
        for plies in 1..=limit {
            let winner = |(state, moves): &(Chase, Vec<Chase>)| {
                let winner = |next| wins.get(next).map(|&(winner, _)| winner);
                let [own, other] = [state.turn, state.turn.opponent()].map(Some);
                if moves.iter().any(|next| winner(next) == own) {
                    own
                } else {
                    other.filter(|_| moves.iter().all(|next| winner(next) == other))
                }
            };
            let new: Wins =
                open.iter().filter_map(|at| Some((at.0, (winner(at)?, plies)))).collect();
            if new.is_empty() {
                break;
            }
            open.retain(|(state, _)| !new.contains_key(state));
            wins.extend(new);
        }
        wins
    }

    /// Every state that play can reach from `start`.
    fn reached(&self, start: Chase) -> HashSet<Chase> {
        let mut reached = HashSet::from([start]);
        let mut open = vec![start];
        while let Some(state) = open.pop() {
            if self.over(&state).is_none() {
                open.extend(self.moves(&state).into_iter().filter(|&next| reached.insert(next)));
            }
        }
        reached
    }
}

fn chases(places: &[u16]) -> impl Iterator<Item = Chase> {
    places.iter().flat_map(move |&mouse| {
        let cats = places.iter().map(move |&cat| (mouse, cat));
        cats.flat_map(|(mouse, cat)| Player::BOTH.map(|turn| Chase { mouse, cat, turn }))
    })
}

/// `state` with the player to move at another place, and the other player to move.
fn moved(state: &Chase, place: u16) -> Chase {
    match state.turn {
        Player::First => Chase { mouse: place, cat: state.cat, turn: CAT },
        Player::Second => Chase { mouse: state.mouse, cat: place, turn: MOUSE },
    }
}

/// Compares every state and the figures with the brute force. `undecided` is the outcome of a state
/// that nobody can win in time.
fn compare<G: Game<State = Chase> + Notation>(
    solution: &Solution<'_, G>,
    rules: &impl Rules,
    limit: u32,
    undecided: Outcome,
) -> Result<(), TestCaseError> {
    let wins = rules.wins(limit);
    let states = rules.states();
    let game = solution.game();
    let mut counts = HashMap::new();
    for state in &states {
        let expected = match wins.get(state) {
            Some(&(winner, plies)) => (Outcome::Win(winner), Some(plies)),
            None => (undecided, None),
        };
        *counts.entry(expected.0).or_insert(0) += 1;
        let verdict = solution.verdict(state).expect("every state is in the table");
        prop_assert_eq!((verdict.outcome, verdict.plies), expected, "{}", game.draw(state));
    }
    let summary = solution.summary();
    let count = |outcome| counts.get(&outcome).copied().unwrap_or(0);
    prop_assert_eq!(summary.states(), states.len() as u64);
    prop_assert_eq!(summary.wins(MOUSE), count(Outcome::Win(MOUSE)));
    prop_assert_eq!(summary.wins(CAT), count(Outcome::Win(CAT)));
    prop_assert_eq!(summary.draws(), count(Outcome::Draw));
    prop_assert_eq!(summary.longest(), wins.values().map(|&(_, plies)| plies).max());
    Ok(())
}

/// The rules of Cat and Mouse, taken from the parameters.
struct OnGraph<'a>(&'a CatMouseParameters);

impl OnGraph<'_> {
    fn hole(&self) -> u16 {
        self.0.hole as u16
    }

    /// The nodes that `player` can go to from a node.
    fn steps(&self, player: Player, node: u16) -> Vec<u16> {
        let all = self.0.graph[usize::from(node)].iter().map(|&to| to as u16);
        all.filter(|&to| player == MOUSE || to != self.hole()).collect()
    }

    fn place(state: &Chase) -> u16 {
        if state.turn == MOUSE { state.mouse } else { state.cat }
    }

    /// Whether an animal can come from a node to one that it can't leave.
    fn gets_stuck(&self, player: Player, node: u16) -> bool {
        let (mut open, mut seen) = (vec![node], HashSet::from([node]));
        while let Some(node) = open.pop() {
            // The mouse in the hole has won.
            if node == self.hole() {
                continue;
            }
            let steps = self.steps(player, node);
            if steps.is_empty() {
                return true;
            }
            open.extend(steps.into_iter().filter(|&to| seen.insert(to)));
        }
        false
    }

    /// Whether play goes on, but the player to move can't move.
    fn is_stuck(&self, state: &Chase) -> bool {
        state.mouse != state.cat && state.mouse != self.hole() && self.moves(state).is_empty()
    }
}

impl Rules for OnGraph<'_> {
    /// Without an outcome for who is stuck, no placements where play goes on and may come to that.
    fn states(&self) -> Vec<Chase> {
        let nodes: Vec<u16> = (0..self.0.graph.len() as u16).collect();
        let ends = |state: &Chase| state.mouse == state.cat || state.mouse == self.hole();
        let goes_on = |state: &Chase| {
            !self.gets_stuck(MOUSE, state.mouse) && !self.gets_stuck(CAT, state.cat)
        };
        let all = chases(&nodes).filter(|state| state.cat != self.hole());
        all.filter(|state| self.0.stuck.is_some() || ends(state) || goes_on(state)).collect()
    }

    fn over(&self, state: &Chase) -> Option<Option<Player>> {
        if state.mouse == state.cat {
            Some(Some(CAT))
        } else if state.mouse == self.hole() {
            Some(Some(MOUSE))
        } else if self.is_stuck(state) {
            Some(match self.0.stuck {
                None | Some(Stuck::Draw) => None,
                Some(Stuck::Mouse) => Some(MOUSE),
                Some(Stuck::Cat) => Some(CAT),
            })
        } else {
            None
        }
    }

    fn moves(&self, state: &Chase) -> Vec<Chase> {
        let steps = self.steps(state.turn, Self::place(state));
        steps.into_iter().map(|to| moved(state, to)).collect()
    }
}

/// The rules of Cat and Mouse II, taken from the rows of the grid.
struct OnGrid<'a> {
    parameters: &'a CatMouseGridParameters,
    /// The row and column of every free cell in reading order, which is the order of the cells'
    /// numbers.
    free: Vec<(i32, i32)>,
}

impl OnGrid<'_> {
    fn new(parameters: &CatMouseGridParameters) -> OnGrid<'_> {
        let mut free = Vec::new();
        for (row, text) in (0..).zip(&parameters.grid) {
            let columns = (0..).zip(text.chars());
            free.extend(columns.filter(|&(_, cell)| cell != '#').map(|(column, _)| (row, column)));
        }
        OnGrid { parameters, free }
    }

    fn is_food(&self, cell: u16) -> bool {
        let (row, column) = self.free[usize::from(cell)];
        self.parameters.grid[row as usize].as_bytes()[column as usize] == b'F'
    }
}

impl Rules for OnGrid<'_> {
    fn states(&self) -> Vec<Chase> {
        let cells: Vec<u16> = (0..self.free.len() as u16).collect();
        chases(&cells).collect()
    }

    fn over(&self, state: &Chase) -> Option<Option<Player>> {
        let caught = state.cat == state.mouse || self.is_food(state.cat);
        if caught { Some(Some(CAT)) } else { self.is_food(state.mouse).then_some(Some(MOUSE)) }
    }

    fn moves(&self, state: &Chase) -> Vec<Chase> {
        let (from, jump) = match state.turn {
            Player::First => (state.mouse, self.parameters.mouse_jump),
            Player::Second => (state.cat, self.parameters.cat_jump),
        };
        let (row, column) = self.free[usize::from(from)];
        let mut moves = vec![moved(state, from)];
        for (down, right) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            for length in 1..=jump as i32 {
                let to = (row + down * length, column + right * length);
                let Some(cell) = self.free.iter().position(|&cell| cell == to) else { break };
                moves.push(moved(state, cell as u16));
            }
        }
        moves
    }
}

fn graphs() -> impl Strategy<Value = CatMouseParameters> {
    (3_usize..=7, any::<bool>()).prop_flat_map(|(nodes, directed)| {
        let edges = vec(proptest::bool::weighted(0.35), nodes * nodes);
        let last = nodes as u32 - 1;
        let stuck = prop_oneof![
            Just(None),
            Just(Some(Stuck::Draw)),
            Just(Some(Stuck::Mouse)),
            Just(Some(Stuck::Cat))
        ];
        (edges, 0..=last, 0..=last, 1..=last, stuck).prop_map(
            move |(edges, mouse, hole, beside, stuck)| {
                let edge = |from: usize, to: usize| {
                    let (low, high) =
                        if directed { (from, to) } else { (from.min(to), from.max(to)) };
                    from != to && edges[low * nodes + high]
                };
                let list = |from| {
                    let ends = (0..nodes).filter(|&to| edge(from, to));
                    ends.map(|to| to as i64).collect()
                };
                let graph = (0..nodes).map(list).collect();
                let cat = (hole + beside) % nodes as u32;
                CatMouseParameters { graph, directed, mouse, cat, hole, stuck }
            },
        )
    })
}

fn grids() -> impl Strategy<Value = CatMouseGridParameters> {
    (1_usize..=3, 3_usize..=5).prop_flat_map(|(rows, columns)| {
        let walls = vec(proptest::bool::weighted(0.25), rows * columns);
        let order = Just((0..rows * columns).collect::<Vec<_>>()).prop_shuffle();
        let limit = prop_oneof![4 => 3_u32..=12, 1 => Just(1000)];
        (walls, order, 1_u32..=4, 1_u32..=4, limit).prop_map(
            move |(walls, order, cat_jump, mouse_jump, ply_limit)| {
                let cell = |wall: &bool| if *wall { '#' } else { '.' };
                let mut cells: Vec<char> = walls.iter().map(cell).collect();
                for (piece, at) in ['C', 'M', 'F'].into_iter().zip(order) {
                    cells[at] = piece;
                }
                let grid = cells.chunks(columns).map(|row| row.iter().collect()).collect();
                CatMouseGridParameters { grid, cat_jump, mouse_jump, ply_limit }
            },
        )
    })
}

fn config(cases: u32) -> ProptestConfig {
    // A failing case is small enough to print it in full, so no file is needed for it.
    ProptestConfig {
        cases: kit::cases(cases),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(3000))]

    #[test]
    fn every_state_of_a_random_graph_is_worth_what_the_rules_say(parameters in graphs()) {
        let rules = OnGraph(&parameters);
        let start = Chase {
            mouse: parameters.mouse as u16,
            cat: parameters.cat as u16,
            turn: MOUSE,
        };
        match CatMouse::new(&parameters) {
            Ok(game) => {
                // If the parameters give no outcome for it, play from the start never gets stuck.
                let stuck = rules.reached(start).into_iter().find(|state| rules.is_stuck(state));
                prop_assert!(parameters.stuck.is_some() || stuck.is_none(), "{stuck:?}");
                let solution = Solver::new(&game).solve().expect("a game to solve");
                let all = (parameters.graph.len() * (parameters.graph.len() - 1) * 2) as u64;
                prop_assert_eq!(game.len(), all);
                compare(&solution, &rules, u32::MAX, Outcome::Draw)?;
            }
            Err(CatMouseError::Stuck { animal, nodes }) => {
                prop_assert!(parameters.stuck.is_none());
                let player = if animal == "mouse" { MOUSE } else { CAT };
                let all = 0..parameters.graph.len() as u16;
                let stuck: Vec<u16> = all
                    .filter(|&node| node != rules.hole() && rules.steps(player, node).is_empty())
                    .collect();
                prop_assert_eq!(nodes, stuck);
            }
            Err(error) => prop_assert!(false, "{error}"),
        }
    }
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn every_state_of_a_random_grid_is_worth_what_the_rules_say(parameters in grids()) {
        let game = CatMouseGrid::new(parameters.clone()).expect("a grid to play on");
        let solution = Solver::new(&game).solve().expect("a game to solve");
        let rules = OnGrid::new(&parameters);
        compare(&solution, &rules, parameters.ply_limit, Outcome::Win(CAT))?;
    }
}
