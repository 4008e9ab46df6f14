//! The values of a random game with points, computed from their definitions: for each number of
//! points whether a player can gain that many, and then within how many plies, by trying 0, 1, 2, …
//! plies until nothing changes. The code has no queue, no counting and no folding, and uses only the
//! engine's types for the answers.

use std::collections::HashMap;

use kit::random_game::State;
use retrograde::{Outcome, Player, Value};

use super::game::Plan;

/// A state and who is to move in it.
struct Position {
    mover: Player,
    tier: usize,
    /// If play is over: the points for the player to move, and the plies that are left.
    end: Option<(i16, u32)>,
    /// The positions after each move, by their places, and the points that it gains.
    moves: Vec<(usize, i16)>,
}

/// What a move to an earlier tier leads to: the points for a player, and the plies, or `None` for play
/// that never ends.
type Exit = (i16, Option<u32>);

/// The values of all states.
pub(crate) struct BruteForce {
    positions: Vec<Position>,
    /// The points for each player.
    points: Vec<[i16; 2]>,
    /// `None` for endless play.
    plies: Vec<Option<u32>>,
    /// The state of each position.
    states: Vec<State>,
}

fn points_of(outcome: Outcome) -> i16 {
    match outcome {
        Outcome::Points(points) => points,
        Outcome::Draw => 0,
        other => unreachable!("{other:?} is no end of a game with points"),
    }
}

impl BruteForce {
    /// Solves a game. Where states do not name the player to move, each state counts twice, once
    /// for each player.
    pub(crate) fn new(plan: &Plan, named: bool) -> BruteForce {
        let mut places: Vec<(State, Player)> = Vec::new();
        for state in plan.states() {
            match named {
                true => places.push((state, plan.turn(&state))),
                false => places.extend(Player::BOTH.map(|player| (state, player))),
            }
        }
        let at: HashMap<(State, Player), usize> = places.iter().copied().zip(0..).collect();
        let position = |&(state, mover): &(State, Player)| {
            let moves: Vec<(usize, i16)> = match plan.terminal(&state) {
                Some(_) => Vec::new(),
                None => plan
                    .moves(&state)
                    .into_iter()
                    .map(|(next, gain)| {
                        let next_mover = if named { plan.turn(&next) } else { mover.opponent() };
                        (at[&(next, next_mover)], gain)
                    })
                    .collect(),
            };
            let over = plan.terminal(&state).map(|end| (end, plan.stops_early(&state)));
            let stuck = || moves.is_empty().then(|| (plan.stuck(&state), false));
            let end = over.or_else(stuck).map(|(end, early)| (points_of(end), u32::from(early)));
            Position { mover, tier: plan.tier(&state), end, moves }
        };
        let positions: Vec<Position> = places.iter().map(position).collect();
        let states = places.into_iter().map(|(state, _)| state).collect();
        let count = positions.len();
        let (points, plies) = (vec![[0; 2]; count], vec![None; count]);
        let mut solved = BruteForce { positions, points, plies, states };
        for tier in 0..plan.recipe.tiers {
            solved.solve_tier(tier);
        }
        solved
    }

    fn solve_tier(&mut self, tier: usize) {
        let here: Vec<usize> =
            (0..self.positions.len()).filter(|&at| self.positions[at].tier == tier).collect();
        // No move and no end is worth more than three points.
        let most = 3 * (tier as i16 + 1);
        for t in -most..=most {
            for player in Player::BOTH {
                let guaranteed = self.guaranteed(&here, player, t);
                for (&at, _) in here.iter().zip(&guaranteed).filter(|(_, is)| **is) {
                    self.points[at][player.index()] = t;
                }
            }
        }
        for &at in &here {
            let [first, second] = self.points[at];
            assert_eq!(first, -second, "what one player gains, the other does not");
        }
        for player in Player::BOTH {
            for t in 1..=most {
                self.plies_to_points(&here, player, t);
            }
        }
        self.plies_of_draws(&here);
    }

    /// Points of the player to move, as points of `player`.
    fn seen_by(&self, player: Player, at: usize, points: i16) -> i16 {
        if self.positions[at].mover == player { points } else { -points }
    }

    /// Whether a move stays in the tier.
    fn stays(&self, at: usize, to: usize) -> bool {
        self.positions[at].tier == self.positions[to].tier
    }

    /// What a move from `at` to an earlier tier is worth for `player`.
    fn exit(&self, player: Player, at: usize, (to, gain): (usize, i16)) -> Exit {
        let points = self.seen_by(player, at, gain) + self.points[to][player.index()];
        let plies = match self.plies[to] {
            Some(plies) => Some(plies + 1),
            // Something is gained, and nothing after it.
            None if gain != 0 => Some(1),
            None => None,
        };
        (points, plies)
    }

    /// From which of the positions `here` a player can gain at least `t` points. Play that stays in
    /// the tier for ever gains nothing: more than nothing has to be reached, and less than nothing
    /// has to be avoided only.
    fn guaranteed(&self, here: &[usize], player: Player, t: i16) -> Vec<bool> {
        let mut can: HashMap<usize, bool> = here.iter().map(|&at| (at, t <= 0)).collect();
        loop {
            let mut changed = false;
            for &at in here {
                let position = &self.positions[at];
                let is_good = |&(to, gain): &(usize, i16)| match self.stays(at, to) {
                    true => can[&to],
                    false => self.exit(player, at, (to, gain)).0 >= t,
                };
                let now = match position.end {
                    Some((points, _)) => self.seen_by(player, at, points) >= t,
                    None if position.mover == player => position.moves.iter().any(is_good),
                    None => position.moves.iter().all(is_good),
                };
                changed |= can.insert(at, now) != Some(now);
            }
            if !changed {
                return here.iter().map(|at| can[at]).collect();
            }
        }
    }

    /// For each move that keeps the points of `player`, the plies from its target on and one more;
    /// `None` where they are not known (yet), or play does not end.
    fn keeping(&self, player: Player, at: usize) -> Vec<Option<u32>> {
        let t = self.points[at][player.index()];
        let keeping = self.positions[at].moves.iter().filter_map(|&(to, gain)| {
            let (points, plies) = match self.stays(at, to) {
                true => (self.points[to][player.index()], self.plies[to].map(|plies| plies + 1)),
                false => self.exit(player, at, (to, gain)),
            };
            (points == t).then_some(plies)
        });
        keeping.collect()
    }

    /// The greatest number of plies that makes sense.
    fn longest(&self) -> u32 {
        self.positions.len() as u32 + 2
    }

    /// The plies of the positions `here` in which `player` gains `t` points, which are more than 0:
    /// `player` hurries, the other delays.
    fn plies_to_points(&mut self, here: &[usize], player: Player, t: i16) {
        let mut open: Vec<usize> =
            here.iter().copied().filter(|&at| self.points[at][player.index()] == t).collect();
        for level in 0..=self.longest() {
            let decided = |at: &usize| {
                let position = &self.positions[*at];
                let in_time = |plies: Option<u32>| plies.is_some_and(|plies| plies <= level);
                let keeping = || self.keeping(player, *at).into_iter();
                match position.end {
                    Some((_, plies)) => plies == level,
                    None if position.mover == player => keeping().any(in_time),
                    None => keeping().all(in_time),
                }
            };
            let (done, rest): (Vec<usize>, Vec<usize>) = open.iter().partition(|at| decided(at));
            done.into_iter().for_each(|at| self.plies[at] = Some(level));
            open = rest;
        }
        assert!(open.is_empty(), "points that a player can gain are gained some time");
    }

    /// The plies of the positions `here` in which nobody gains anything, if play has to end there
    /// though either player may make any move that keeps the draw.
    fn plies_of_draws(&mut self, here: &[usize]) {
        let mut open: Vec<usize> =
            here.iter().copied().filter(|&at| self.points[at] == [0, 0]).collect();
        for level in 0..=self.longest() {
            let decided = |at: &usize| {
                let in_time = |plies: Option<u32>| plies.is_some_and(|plies| plies <= level);
                match self.positions[*at].end {
                    Some((_, plies)) => plies == level,
                    None => self.keeping(Player::First, *at).into_iter().all(in_time),
                }
            };
            let (done, rest): (Vec<usize>, Vec<usize>) = open.iter().partition(|at| decided(at));
            done.into_iter().for_each(|at| self.plies[at] = Some(level));
            open = rest;
        }
    }

    /// The most points that an end or a move to an earlier tier is worth, whoever gains them.
    pub(crate) fn most_met(&self) -> u16 {
        let met = self.positions.iter().enumerate().flat_map(|(at, position)| {
            let exits = position.moves.iter().filter(move |(to, _)| !self.stays(at, *to));
            let exits = exits.map(move |&step| self.exit(Player::First, at, step).0);
            exits.chain(position.end.map(|(points, _)| points))
        });
        met.map(i16::unsigned_abs).max().unwrap_or(0)
    }

    /// Every state with its value for the player to move.
    pub(crate) fn values(&self) -> Vec<(State, Value)> {
        let mut values: Vec<(State, Value)> = Vec::new();
        for (at, &state) in self.states.iter().enumerate() {
            let points = self.points[at][self.positions[at].mover.index()];
            let value = match self.plies[at] {
                Some(plies) => Value::Points { points, plies },
                None => {
                    assert_eq!(points, 0);
                    Value::Endless
                }
            };
            match values.last() {
                // The players of a game that does not name them have equal chances.
                Some(&(last, known)) if last == state => assert_eq!(value, known),
                _ => values.push((state, value)),
            }
        }
        values
    }
}
