//! The values of a random game, computed from their definitions: which player can force what within
//! how many plies, by trying 0, 1, 2, … plies until nothing changes. The code has no counting, no
//! queue and no folding, and uses only the engine's types for the answers.

use kit::random_game::{Plan, State};
use retrograde::{Outcome, Player, Value};

pub(crate) struct BruteForce<'p> {
    plan: &'p Plan,
    pub(crate) states: Vec<State>,
    /// Places in `states`.
    successors: Vec<Vec<usize>>,
    /// The outcome if play is over.
    over: Vec<Option<Outcome>>,
    /// Whether play stops in the state one ply early.
    early: Vec<bool>,
    turn: Vec<Player>,
}

impl<'p> BruteForce<'p> {
    pub(crate) fn new(plan: &'p Plan) -> Self {
        let states = plan.states();
        let place = |wanted: State| {
            states.iter().position(|&state| state == wanted).expect("a state of the game")
        };
        let successors: Vec<Vec<usize>> = states
            .iter()
            .map(|state| match plan.terminal(state) {
                Some(_) => Vec::new(),
                None => plan.moves(state).into_iter().map(place).collect(),
            })
            .collect();
        let over = states
            .iter()
            .zip(&successors)
            .map(|(state, successors)| {
                let stuck = || successors.is_empty().then(|| plan.stuck(state));
                plan.terminal(state).or_else(stuck)
            })
            .collect();
        let turn = states.iter().map(|state| plan.turn(state)).collect();
        let early = states.iter().map(|state| plan.stops_early(state)).collect();
        BruteForce { plan, states, successors, over, early, turn }
    }

    /// The least number of plies within which the players that `some` accepts can force play into
    /// `goal`. Only moves to states that `allowed` accepts count.
    fn plies_to(
        &self,
        goal: impl Fn(usize) -> bool,
        some: impl Fn(Player) -> bool,
        allowed: impl Fn(usize) -> bool,
    ) -> Vec<Option<u32>> {
        let all = 0..self.states.len();
        let at_goal = |at: usize| (goal(at) && !self.early[at]).then_some(0);
        let mut plies: Vec<Option<u32>> = all.clone().map(at_goal).collect();
        for limit in 1..=self.states.len() as u32 {
            let reached = |at: &usize| plies[*at].is_some();
            let next: Vec<Option<u32>> = all
                .clone()
                .map(|at| {
                    let mut moves =
                        self.successors[at].iter().filter(|at| allowed(**at)).peekable();
                    let forced = self.over[at].is_none()
                        && moves.peek().is_some()
                        && if some(self.turn[at]) {
                            moves.any(reached)
                        } else {
                            moves.all(reached)
                        };
                    let is_next = goal(at) && self.early[at];
                    plies[at].or((forced || is_next).then_some(limit))
                })
                .collect();
            plies = next;
        }
        plies
    }

    /// The value of every state.
    pub(crate) fn values(&self) -> Vec<Value> {
        let wins = Player::BOTH.map(|player| {
            let won = |at: usize| self.over[at] == Some(Outcome::Win(player));
            self.plies_to(won, |mover| mover == player, |_| true)
        });
        let undecided = |at: usize| wins[0][at].is_none() && wins[1][at].is_none();
        let drawn_end = |at: usize| self.over[at] == Some(Outcome::Draw);
        let draws = match self.plan.endless.winner() {
            // The draw is certain once every play that preserves it has ended.
            None => self.plies_to(drawn_end, |_| false, undecided),
            Some(winner) => {
                let holder = winner.opponent();
                let held = |at: usize| drawn_end(at) || self.over[at] == Some(Outcome::Win(holder));
                let holds = self.plies_to(held, |mover| mover == holder, |_| true);
                let draw = |at: usize| undecided(at) && holds[at].is_some();
                let draws = self.plies_to(drawn_end, |mover| mover == holder, draw);
                for at in (0..self.states.len()).filter(|&at| draw(at)) {
                    assert!(draws[at].is_some(), "what can be held is reached");
                }
                // Only draws have a distance to a draw.
                (0..self.states.len()).map(|at| draws[at].filter(|_| draw(at))).collect()
            }
        };
        (0..self.states.len())
            .map(|at| {
                let [own, other] = [self.turn[at], self.turn[at].opponent()]
                    .map(|player| wins[player.index()][at]);
                match (own, other) {
                    (Some(plies), _) => Value::Win(plies),
                    (None, Some(plies)) => Value::Loss(plies),
                    _ if !undecided(at) => unreachable!(),
                    _ => draws[at].map_or(Value::Endless, Value::Draw),
                }
            })
            .collect()
    }

    /// The outcome of every state if play stops after `plies` plies, and then counts as endless
    /// play does.
    pub(crate) fn outcomes_within(&self, plies: u32) -> Vec<Outcome> {
        let all = 0..self.states.len();
        let over = |at: usize| self.over[at].filter(|_| !self.early[at]);
        let end = |at: usize| over(at).unwrap_or(self.plan.endless);
        let mut outcomes: Vec<Outcome> = all.clone().map(end).collect();
        for _ in 0..plies {
            let best = |at: usize| {
                let good = |outcome: Outcome| match outcome.winner() {
                    Some(winner) if winner == self.turn[at] => 2,
                    None => 1,
                    Some(_) => 0,
                };
                let next = self.successors[at].iter().map(|&at| outcomes[at]);
                self.over[at].or(next.max_by_key(|&outcome| good(outcome)))
            };
            outcomes = all.clone().map(|at| best(at).expect("over, or with a move")).collect();
        }
        outcomes
    }
}
