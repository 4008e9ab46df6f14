//! The checks of the laws for all games, one state at a time.
//!
//! Whether a state is a predecessor of exactly its successors is found out in one of two ways. A check of
//! all states adds up a hash of every move, once as a move and once as a predecessor: the sums are equal
//! if the law is kept. A sample, or a check whose sums differ, looks for each move among the predecessors
//! of where it leads, and the other way round.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::error::{differences, shortened};
use crate::game::{Game, Outcome, Players, Turns};
use crate::laws::neighbours::{Link, hash};
use crate::laws::view::NumberingView;
use crate::laws::{Law, LawError, Report, Writing};
use crate::numbering::StateForm;
use crate::value::Value;

/// The plies of random play without folding from some states of a game that folds.
const UNFOLDED_PLIES: u32 = 32;

/// Where there are more states than `FEW`, random play begins from one in so many, and as few are drawn
/// and set up.
const UNFOLDED_EVERY: u64 = 16;
const FEW: u64 = 1 << 12;

/// How many characters of a state are written where the fields of another one follow.
const WRITTEN: usize = 200;

/// A broken law and its counterexample.
pub(super) struct Broken(pub(super) Law, pub(super) String);

impl From<Broken> for LawError {
    fn from(Broken(law, counterexample): Broken) -> LawError {
        LawError::Broken { law, counterexample }
    }
}

/// How many indices the check of `states` covers from each index.
const RANGE: u64 = 3;

/// How moves are compared with predecessors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    /// Each move is looked for among the predecessors, and each predecessor among the moves.
    Each,
    /// Sums of hashes are compared, once all states are checked.
    Sums,
}

/// What was seen in the states that were checked.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    pub(super) report: Report,
    /// Whether some move has changed who is to move, and whether some move has not.
    pub(super) turn_changes: bool,
    pub(super) turn_stays: bool,
    /// How many states with moves there were.
    pub(super) open: u64,
    /// The sums of the hashes of all moves, and of all predecessors.
    pub(super) moves: u64,
    pub(super) predecessors: u64,
}

impl Seen {
    /// Adds what was seen elsewhere.
    pub(super) fn add(&mut self, more: &Seen) {
        self.report.states += more.report.states;
        self.report.moves += more.report.moves;
        self.report.predecessors += more.report.predecessors;
        self.turn_changes |= more.turn_changes;
        self.turn_stays |= more.turn_stays;
        self.open += more.open;
        self.moves = self.moves.wrapping_add(more.moves);
        self.predecessors = self.predecessors.wrapping_add(more.predecessors);
    }

    /// Whether the sums say that moves and predecessors are the same.
    pub(super) fn sums_agree(&self) -> bool {
        self.moves == self.predecessors
    }
}

pub(super) struct Checker<'n, G: Game> {
    pub(super) numbering: &'n dyn NumberingView<G>,
    writing: Writing<G>,
    pub(super) comparison: Comparison,
    pub(super) seen: Seen,
    /// Whether a move has led to a state that is not its own representative.
    folds: bool,
    pub(super) random: SmallRng,
}

impl<'n, G: Game> Checker<'n, G> {
    /// A checker of some states. `seed` is that of random play from them.
    pub(super) fn new(
        numbering: &'n dyn NumberingView<G>,
        writing: Writing<G>,
        comparison: Comparison,
        seed: u64,
    ) -> Self {
        let (seen, random) = (Seen::default(), SmallRng::seed_from_u64(seed));
        Checker { numbering, writing, comparison, seen, folds: false, random }
    }

    /// Checks the roots of the game that are numbered here.
    pub(super) fn check_roots(&self) -> Result<(), Broken> {
        let game = self.game();
        for root in game.roots().iter().filter(|root| !self.numbering.is_elsewhere(root)) {
            let checked = self.check_packing(&game.canonical(root)).and_then(|()| {
                let (index, canonical) = self.representative(root)?;
                self.check_index(index, &canonical)?;
                self.check_symmetry(root, &canonical)
            });
            checked.map_err(|Broken(law, text)| {
                Broken(law, format!("{text}; play can start there"))
            })?;
        }
        Ok(())
    }

    /// Checks every law on the state of one index; an unused index breaks none.
    pub(super) fn check(&mut self, index: u64) -> Result<(), Broken> {
        self.check_range(index)?;
        let Some(state) = self.numbering.state(index) else { return Ok(()) };
        self.check_notation(&state)?;
        self.check_announced(&state)?;
        self.check_value(index, &state)?;
        let is_chosen = self.numbering.len() <= FEW || index.is_multiple_of(UNFOLDED_EVERY);
        if let Some(check) = self.writing.set_up.filter(|_| is_chosen) {
            check(self.game(), &state).map_err(|text| Broken(Law::SetUp, text))?;
        }
        if self.folds && is_chosen { self.check_unfolded(&state) } else { Ok(()) }
    }

    /// Checks the laws on the state of one index without which its value may be wrong.
    pub(super) fn check_for_value(&mut self, index: u64) -> Result<(), Broken> {
        self.check_range(index)?;
        self.numbering.state(index).map_or(Ok(()), |state| self.check_value(index, &state))
    }

    fn check_value(&mut self, index: u64, state: &G::State) -> Result<(), Broken> {
        self.seen.report.states += 1;
        self.check_index(index, state)?;
        self.check_moves(index, state)?;
        if self.numbering.has_predecessors() {
            self.check_predecessors(index, state)
        } else {
            Ok(())
        }
    }

    pub(super) fn game(&self) -> &'n G {
        self.numbering.game()
    }

    pub(super) fn write(&self, state: &G::State) -> String {
        self.numbering.write(state)
    }

    /// Checks that `states` and `unindex` agree on a few indices from this one.
    fn check_range(&self, index: u64) -> Result<(), Broken> {
        if self.numbering.kind().form() != StateForm::Formula {
            return Ok(());
        }
        let range = index..self.numbering.len().min(index + RANGE);
        let mut visited = Vec::new();
        self.numbering.states_in(range.clone(), &mut |index, state| visited.push((index, state)));
        let single = range.clone().filter_map(|at| Some((at, self.numbering.state(at)?)));
        if visited.iter().cloned().eq(single) {
            return Ok(());
        }
        let (first, end) = (range.start, range.end);
        let text = format!("`states` and `unindex` differ on the indices from {first} to {end}");
        Err(Broken(Law::Index, text))
    }

    fn check_index(&self, index: u64, state: &G::State) -> Result<(), Broken> {
        match self.numbering.index(state) {
            Some(back) if back == index => Ok(()),
            _ if self.numbering.kind().form() != StateForm::Formula => {
                let text = format!(
                    "`canonical` gives {} as the representative of a state, but not as its own",
                    self.write(state)
                );
                Err(Broken(Law::Symmetry, text))
            }
            back => {
                let back = back.map_or("none".into(), |back| back.to_string());
                let state = self.write(state);
                let text = format!(
                    "`unindex` gives {state} for index {index}, but the index of {state} is {back}"
                );
                Err(Broken(Law::Index, text))
            }
        }
    }

    fn check_notation(&self, state: &G::State) -> Result<(), Broken> {
        let Some(parse) = self.writing.parse else { return Ok(()) };
        let text = self.write(state);
        match parse(self.game(), &text) {
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

    fn check_packing(&self, state: &G::State) -> Result<(), Broken> {
        let unpacked = self.numbering.round_trip(state);
        if unpacked == *state {
            return Ok(());
        }
        let [written, back] =
            [state, &unpacked].map(|state| shortened(&self.write(state), WRITTEN));
        let text = match differences(&unpacked, state) {
            Some(fields) => format!("{written} is unpacked as another state: {fields}"),
            None => format!("{written} is unpacked as {back}"),
        };
        Err(Broken(Law::Packing, text))
    }

    /// Checks the moves of a state, and that the state is among the predecessors of each successor.
    fn check_moves(&mut self, index: u64, state: &G::State) -> Result<(), Broken> {
        if let Some(outcome) = self.game().terminal(state) {
            return self.check_outcome(state, outcome);
        }
        let mut successors = self.successors(state);
        self.seen.report.moves += successors.len() as u64;
        self.seen.open += u64::from(!successors.is_empty());
        if successors.is_empty() {
            let Some(outcome) = self.game().no_moves(state) else {
                let text = format!(
                    "{} is not terminal and has no legal move, and `no_moves` gives no outcome for it",
                    self.write(state)
                );
                return Err(Broken(Law::NoMoves, text));
            };
            self.check_outcome(state, outcome)?;
        }
        for next in &successors {
            self.see_turn(state, next);
            self.check_packing(next)?;
        }
        successors.retain(|next| !self.numbering.is_elsewhere(next));
        let links = self.links(state, &successors)?;
        // Where the game gives the degree, nothing counts the moves.
        if self.numbering.degree(state).is_none() {
            self.check_distinct("moves", index, state, &links)?;
        }
        self.check_degree(index, state, &links)?;
        let has_predecessors = self.numbering.has_predecessors();
        if has_predecessors && self.comparison == Comparison::Sums {
            let sum = self.sum(index, &links, |link| hash(index, link));
            self.seen.moves = self.seen.moves.wrapping_add(sum);
        }
        for (next, &(next_index, same_mover)) in successors.iter().zip(&links) {
            let canonical = self.canonical_of(next, next_index)?;
            self.folds |= *next != canonical;
            self.check_symmetry(next, &canonical)?;
            let is_compared = self.comparison == Comparison::Each && has_predecessors;
            if !is_compared || !self.numbering.same_tier(index, next_index) {
                continue;
            }
            let mover = self.game().mover(&canonical);
            let found = self.predecessors(&canonical).iter().any(|before| {
                self.numbering.index(before) == Some(index)
                    && self.game().is_mover_of(mover, before) == same_mover
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

    /// Follows random play from a state without folding, and compares each state with its
    /// representative. Folded play visits representatives and their successors alone, and would miss a
    /// symmetry that breaks elsewhere.
    fn check_unfolded(&mut self, start: &G::State) -> Result<(), Broken> {
        let mut at = start.clone();
        for _ in 0..UNFOLDED_PLIES {
            let mut successors = self.successors(&at);
            if successors.is_empty() {
                at = start.clone();
                continue;
            }
            at = successors.swap_remove(self.random.random_range(0..successors.len()));
            if !self.numbering.is_elsewhere(&at) {
                self.check_symmetry(&at, &self.canonical(&at)?)?;
            }
        }
        Ok(())
    }

    /// Notes whether a move changes who is to move.
    pub(super) fn see_turn(&mut self, state: &G::State, next: &G::State) {
        let game = self.game();
        let stays = game.is_mover_of(game.mover(state), next);
        self.seen.turn_stays |= stays;
        self.seen.turn_changes |= !stays;
    }

    /// Checks that an outcome names a winner only where states say who is to move.
    fn check_outcome(&self, state: &G::State, outcome: Outcome) -> Result<(), Broken> {
        match (G::PLAYERS, outcome.winner()) {
            (Players::Unnamed, Some(_)) => {
                let text = format!(
                    "{} does not say who is to move, but its outcome is {outcome:?}: expected \
                     `Outcome::MoverWins` or `Outcome::MoverLoses`",
                    self.write(state)
                );
                Err(Broken(Law::Players, text))
            }
            _ => Ok(()),
        }
    }

    /// Checks the turns of all states that were looked at.
    pub(super) fn check_players(seen: &Seen) -> Result<(), Broken> {
        let problem = match G::PLAYERS {
            Players::Distinct | Players::Folded if seen.turn_stays && !seen.turn_changes => {
                "the same player is to move before and after each move that was checked: if states do \
                 not say who is to move, set `Game::PLAYERS` to `Players::Unnamed`, and if one player \
                 makes all moves, to `Players::Solitary`"
            }
            Players::Solitary if seen.turn_changes => {
                "a move changes who is to move, though `Game::PLAYERS` is `Players::Solitary`"
            }
            _ => return Ok(()),
        };
        Err(Broken(Law::Players, problem.into()))
    }

    /// Checks that a state and its representative have the same outcome for the mover and the same
    /// successors.
    pub(super) fn check_symmetry(
        &self,
        state: &G::State,
        canonical: &G::State,
    ) -> Result<(), Broken> {
        if state == canonical {
            return Ok(());
        }
        let game = self.game();
        let broken = |problem: &str| {
            let (state, canonical) = (self.write(state), self.write(canonical));
            let text = format!(
                "{state} and {canonical} share an index (by a symmetry, or because their indices \
                 collide), but {problem}"
            );
            Err(Broken(Law::Symmetry, text))
        };
        let exchanged = game.mover(state) != game.mover(canonical);
        if exchanged && G::PLAYERS != Players::Folded {
            return broken(
                "different players are to move: number the turn too, or set `Game::PLAYERS` to \
                 `Players::Folded` if each is the mirror image of the other",
            );
        }
        if exchanged && game.endless() != Outcome::Draw {
            return broken("they exchange the players, and endless play is a win for one of them");
        }
        let end = |state| Value::of_terminal(game, state);
        if end(state) != end(canonical) {
            return broken("their outcomes differ");
        }
        if end(state).is_some() {
            return Ok(());
        }
        let links = |state, successors: &[_]| {
            let mut links = self.links(state, successors)?;
            links.sort_unstable();
            links.dedup();
            Ok(links)
        };
        let (own, other) = (self.successors(state), self.successors(canonical));
        if links(state, &own)? != links(canonical, &other)? {
            return broken("their moves do not lead to the same indices");
        }
        let stuck = |state| {
            let outcome = game.no_moves(state);
            outcome.map(|outcome| Value::of_end(outcome, game.mover(state)))
        };
        if own.is_empty() && other.is_empty() && stuck(state) != stuck(canonical) {
            return broken("their outcomes without a move differ");
        }
        Ok(())
    }

    pub(super) fn successors(&self, state: &G::State) -> Vec<G::State> {
        let mut successors = Vec::new();
        if self.game().terminal(state).is_none() {
            self.game().moves(state, |next| successors.push(next));
        }
        successors
    }

    pub(super) fn predecessors(&self, state: &G::State) -> Vec<G::State> {
        let mut predecessors = Vec::new();
        self.numbering.predecessors(state, &mut |before| predecessors.push(before));
        predecessors
    }

    /// The links from a state to those of its successors that are numbered here.
    fn links(&self, state: &G::State, successors: &[G::State]) -> Result<Vec<Link>, Broken> {
        let mover = self.game().mover(state);
        successors
            .iter()
            .filter(|next| !self.numbering.is_elsewhere(next))
            .map(|next| Ok((self.index(next)?, self.game().is_mover_of(mover, next))))
            .collect()
    }

    /// The index of a state that the game's moves or predecessors gave.
    fn index(&self, state: &G::State) -> Result<u64, Broken> {
        let len = self.numbering.len();
        let problem = match self.numbering.index(state) {
            Some(index) if index < len => return Ok(index),
            Some(index) => format!("has index {index}, but there are only {len} indices"),
            None => "was not discovered from the roots".into(),
        };
        Err(Broken(Law::Index, format!("{} {problem}", self.write(state))))
    }

    /// The representative of a state: the state that its index stands for.
    pub(super) fn canonical(&self, state: &G::State) -> Result<G::State, Broken> {
        self.canonical_of(state, self.index(state)?)
    }

    /// The index of a state, and the state that this index stands for.
    pub(super) fn representative(&self, state: &G::State) -> Result<(u64, G::State), Broken> {
        let index = self.index(state)?;
        Ok((index, self.state_of(state, index)?))
    }

    /// The state that the index of a state stands for.
    fn state_of(&self, state: &G::State, index: u64) -> Result<G::State, Broken> {
        self.numbering.state(index).ok_or_else(|| {
            let state = self.write(state);
            let text = format!("{state} has index {index}, for which `unindex` gives no state");
            Broken(Law::Index, text)
        })
    }

    /// The representative of a state of this index.
    fn canonical_of(&self, state: &G::State, index: u64) -> Result<G::State, Broken> {
        let canonical = self.state_of(state, index)?;
        // A check of all states comes to that index by itself.
        if self.comparison == Comparison::Each {
            self.check_index(index, &canonical)?;
        }
        Ok(canonical)
    }
}
