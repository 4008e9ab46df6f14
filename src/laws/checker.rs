//! The checks themselves, one state at a time.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::game::{Game, Outcome};
use crate::laws::{Law, LawError, Report};
use crate::notation::Notation;
use crate::numbering::{Numbering, NumberingKind};
use crate::value::Value;

/// How many plies of unfolded play are looked at from each state of a game that folds.
const UNFOLDED_PLIES: u32 = 32;

/// A broken law, with what breaks it.
pub(super) struct Broken(pub(super) Law, pub(super) String);

impl From<Broken> for LawError {
    fn from(Broken(law, counterexample): Broken) -> LawError {
        LawError::Broken { law, counterexample }
    }
}

/// How many numbers are passed over together from each.
const PASSED: u64 = 3;

type StateOf<N> = <<N as Numbering>::Game as Game>::State;

/// A neighbour of a state: its number, and whether the same player is to move in both.
type Link = (u64, bool);

pub(super) struct Checker<'n, N> {
    numbering: &'n N,
    report: Report,
    /// Whether a move has led to a state that another stands for.
    folds: bool,
    random: SmallRng,
}

impl<'n, N: Numbering> Checker<'n, N>
where
    N::Game: Notation,
{
    pub(super) fn new(numbering: &'n N) -> Self {
        let random = SmallRng::seed_from_u64(0);
        Checker { numbering, report: Report::default(), folds: false, random }
    }

    pub(super) fn report(&self) -> Report {
        self.report
    }

    /// Checks that play starts where the game says.
    pub(super) fn check_roots(&self) -> Result<(), Broken> {
        let game = self.game();
        game.roots().iter().try_for_each(|root| self.check_packing(&game.canonical(root)))
    }

    /// Checks every law on the state of one number; a hole keeps them all.
    pub(super) fn check(&mut self, number: u64) -> Result<(), Broken> {
        self.check_passing(number)?;
        let Some(state) = self.numbering.state(number) else { return Ok(()) };
        self.report.states += 1;
        self.check_number(number, &state)?;
        self.check_notation(&state)?;
        self.check_moves(number, &state)?;
        self.check_predecessors(number, &state)?;
        if self.folds { self.check_unfolded(&state) } else { Ok(()) }
    }

    fn game(&self) -> &'n N::Game {
        self.numbering.game()
    }

    fn write(&self, state: &StateOf<N>) -> String {
        self.game().write_state(state)
    }

    /// Checks that a pass over a few numbers from here finds what stands at each.
    fn check_passing(&self, number: u64) -> Result<(), Broken> {
        let numbers = number..self.numbering.len().min(number + PASSED);
        let mut passed = Vec::new();
        self.numbering.states_in(numbers.clone(), |number, state| passed.push((number, state)));
        let single = numbers.clone().filter_map(|at| Some((at, self.numbering.state(at)?)));
        if passed.iter().cloned().eq(single) {
            return Ok(());
        }
        let (first, end) = (numbers.start, numbers.end);
        let text = format!("`states` and `unindex` differ on the indices from {first} to {end}");
        Err(Broken(Law::Index, text))
    }

    fn check_number(&self, number: u64, state: &StateOf<N>) -> Result<(), Broken> {
        match self.numbering.number(state) {
            Some(back) if back == number => Ok(()),
            _ if N::KIND != NumberingKind::Dense => {
                let text = format!(
                    "{} is given by `canonical` as the representative of a state, but not as its own",
                    self.write(state)
                );
                Err(Broken(Law::Symmetry, text))
            }
            back => {
                let back = back.map_or("none".into(), |back| back.to_string());
                let state = self.write(state);
                let text = format!("index {number} stands for {state}, whose own index is {back}");
                Err(Broken(Law::Index, text))
            }
        }
    }

    fn check_notation(&self, state: &StateOf<N>) -> Result<(), Broken> {
        let text = self.write(state);
        match self.game().parse_state(&text) {
            Ok(back) if back == *state => Ok(()),
            Ok(back) => {
                let back = self.write(&back);
                let text = format!(
                    "{state:?} is printed as \"{text}\", which reads back as another state, \
                     printed as \"{back}\""
                );
                Err(Broken(Law::Notation, text))
            }
            Err(error) => {
                let text = format!(
                    "{state:?} is printed as \"{text}\", which does not read back: {error}"
                );
                Err(Broken(Law::Notation, text))
            }
        }
    }

    fn check_packing(&self, state: &StateOf<N>) -> Result<(), Broken> {
        let kept = self.numbering.kept(state);
        if kept == *state {
            return Ok(());
        }
        let text = format!("{} becomes {}", self.write(state), self.write(&kept));
        Err(Broken(Law::Packing, text))
    }

    /// Checks every move of a state, and that each is found again backwards.
    fn check_moves(&mut self, number: u64, state: &StateOf<N>) -> Result<(), Broken> {
        if self.game().terminal(state).is_some() {
            return Ok(());
        }
        let successors = self.successors(state);
        self.report.moves += successors.len() as u64;
        if successors.is_empty() && self.game().no_moves(state).is_none() {
            let text = format!(
                "{} is not terminal and has no legal move, and `no_moves` gives no outcome for it",
                self.write(state)
            );
            return Err(Broken(Law::NoMoves, text));
        }
        let links = self.links(state, &successors)?;
        // Moves whose number is told are never counted.
        if self.numbering.degree(state).is_none() {
            self.check_distinct("moves", state, &links)?;
        }
        self.check_degree(number, state, &links)?;
        for next in &successors {
            self.check_packing(next)?;
            let canonical = self.canonical(next)?;
            self.folds |= *next != canonical;
            self.check_symmetry(next, &canonical)?;
            let same_tier = self.numbering.same_tier(number, self.number(next)?);
            if !<N::Game as Game>::PREDECESSORS || !same_tier {
                continue;
            }
            let same_mover = self.game().turn(state) == self.game().turn(next);
            let mover = self.game().turn(&canonical);
            let found = self.predecessors(&canonical).iter().any(|before| {
                self.numbering.number(before) == Some(number)
                    && (self.game().turn(before) == mover) == same_mover
            });
            if !found {
                let text = format!(
                    "{} has a move to {}, whose predecessors lack it",
                    self.write(state),
                    self.write(&canonical)
                );
                return Err(Broken(Law::Predecessors, text));
            }
        }
        Ok(())
    }

    /// Follows random play from a state without folding any of it, and compares each state on the
    /// way with the one that stands for it. Folded play visits only the states that stand for
    /// others and their successors, and a symmetry can break where it never looks.
    fn check_unfolded(&mut self, start: &StateOf<N>) -> Result<(), Broken> {
        let mut at = start.clone();
        for _ in 0..UNFOLDED_PLIES {
            let mut successors = self.successors(&at);
            if successors.is_empty() {
                at = start.clone();
                continue;
            }
            at = successors.swap_remove(self.random.random_range(0..successors.len()));
            self.check_symmetry(&at, &self.canonical(&at)?)?;
        }
        Ok(())
    }

    /// Checks that every predecessor of a state has a move to it.
    fn check_predecessors(&mut self, number: u64, state: &StateOf<N>) -> Result<(), Broken> {
        let predecessors = self.predecessors(state);
        if !<N::Game as Game>::PREDECESSORS {
            return match predecessors.first() {
                None => Ok(()),
                Some(before) => {
                    let text = format!(
                        "{} is given as a predecessor of {}, but the game does not announce that \
                         it gives predecessors: set `PREDECESSORS` to true",
                        self.write(before),
                        self.write(state)
                    );
                    Err(Broken(Law::Predecessors, text))
                }
            };
        }
        self.report.predecessors += predecessors.len() as u64;
        let mover = self.game().turn(state);
        let mut links = Vec::new();
        for before in &predecessors {
            // Terminal states are ignored, and so are those that an exploration never reached, and
            // holes of a numbering.
            if self.game().terminal(before).is_some() {
                continue;
            }
            let Some(index) = self.numbering.number(before) else { continue };
            if index < self.numbering.len() && self.numbering.state(index).is_none() {
                continue;
            }
            self.canonical(before)?;
            let same_mover = self.game().turn(before) == mover;
            links.push((index, same_mover));
            let leads_here = self.successors(before).iter().any(|next| {
                self.numbering.number(next) == Some(number)
                    && (self.game().turn(next) == self.game().turn(before)) == same_mover
            });
            if !leads_here {
                let text = format!(
                    "{} is given as a predecessor of {}, but has no move to it",
                    self.write(before),
                    self.write(state)
                );
                return Err(Broken(Law::Predecessors, text));
            }
        }
        self.check_distinct("predecessors", state, &links)
    }

    fn check_degree(&self, number: u64, state: &StateOf<N>, links: &[Link]) -> Result<(), Broken> {
        let Some(degree) = self.numbering.degree(state) else { return Ok(()) };
        let mut distinct = links.to_vec();
        distinct.retain(|&(next, _)| self.numbering.same_tier(number, next));
        distinct.sort_unstable();
        distinct.dedup();
        if degree == distinct.len() as u64 {
            return Ok(());
        }
        let text = format!(
            "{} has {} distinct successors, and `degree` says {degree}",
            self.write(state),
            distinct.len()
        );
        Err(Broken(Law::Degree, text))
    }

    fn check_distinct(&self, what: &str, state: &StateOf<N>, links: &[Link]) -> Result<(), Broken> {
        if !<N::Game as Game>::DISTINCT {
            return Ok(());
        }
        let mut numbers: Vec<u64> = links.iter().map(|&(number, _)| number).collect();
        numbers.sort_unstable();
        match numbers.windows(2).find(|pair| pair[0] == pair[1]) {
            None => Ok(()),
            Some(pair) => {
                let twice = self.numbering.state(pair[0]);
                let twice = twice.map_or(format!("number {}", pair[0]), |state| self.write(&state));
                let text = format!("{} has {twice} twice among its {what}", self.write(state));
                Err(Broken(Law::Distinct, text))
            }
        }
    }

    /// Checks that a state and the one that stands for it are worth the same: the outcome for the
    /// mover, and the successors with theirs.
    fn check_symmetry(&self, state: &StateOf<N>, canonical: &StateOf<N>) -> Result<(), Broken> {
        if state == canonical {
            return Ok(());
        }
        let game = self.game();
        let broken = |problem: &str| {
            let (state, canonical) = (self.write(state), self.write(canonical));
            let text = format!(
                "{state} and {canonical} share a number (by a symmetry, or because their indices \
                 collide), but {problem}"
            );
            Err(Broken(Law::Symmetry, text))
        };
        let exchanged = game.turn(state) != game.turn(canonical);
        if exchanged && game.endless() != Outcome::Draw {
            return broken("they exchange the colours, and endless play is worth a win for one");
        }
        let end = |state| Value::of_terminal(game, state);
        if end(state) != end(canonical) {
            return broken("their outcomes differ");
        }
        if end(state).is_some() {
            return Ok(());
        }
        let links = |state| {
            let mut links = self.links(state, &self.successors(state))?;
            links.sort_unstable();
            links.dedup();
            Ok(links)
        };
        let (own, other) = (links(state)?, links(canonical)?);
        if own != other {
            return broken("their moves do not lead to the same numbers");
        }
        let stuck = |state| {
            let outcome = game.no_moves(state);
            outcome.map(|outcome| Value::of_end(outcome, game.turn(state)))
        };
        if own.is_empty() && stuck(state) != stuck(canonical) {
            return broken("their outcomes without a move differ");
        }
        Ok(())
    }

    fn successors(&self, state: &StateOf<N>) -> Vec<StateOf<N>> {
        let mut successors = Vec::new();
        if self.game().terminal(state).is_none() {
            self.game().moves(state, |next| successors.push(next));
        }
        successors
    }

    fn predecessors(&self, state: &StateOf<N>) -> Vec<StateOf<N>> {
        let mut predecessors = Vec::new();
        self.game().predecessors(state, |before| predecessors.push(before));
        predecessors
    }

    /// The numbers of the successors of a state, each with whether the same player is to move.
    fn links(&self, state: &StateOf<N>, successors: &[StateOf<N>]) -> Result<Vec<Link>, Broken> {
        let mover = self.game().turn(state);
        successors
            .iter()
            .map(|next| Ok((self.number(next)?, self.game().turn(next) == mover)))
            .collect()
    }

    /// The number of a state that the game's own moves or predecessors brought up.
    fn number(&self, state: &StateOf<N>) -> Result<u64, Broken> {
        let len = self.numbering.len();
        let problem = match self.numbering.number(state) {
            Some(number) if number < len => return Ok(number),
            Some(number) => format!("has index {number}, but the indices end at {len}"),
            None => "was not discovered from the roots".into(),
        };
        Err(Broken(Law::Index, format!("{} {problem}", self.write(state))))
    }

    /// The state that stands for a state's number.
    fn canonical(&self, state: &StateOf<N>) -> Result<StateOf<N>, Broken> {
        let number = self.number(state)?;
        let Some(canonical) = self.numbering.state(number) else {
            let text =
                format!("{} has index {number}, which unindex calls a hole", self.write(state));
            return Err(Broken(Law::Index, text));
        };
        self.check_number(number, &canonical)?;
        Ok(canonical)
    }
}
