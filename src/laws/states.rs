//! The checks of the laws for all games, one state at a time.
//!
//! A state must be a predecessor of exactly its successors. This is checked in one of two ways. A
//! check of all states adds up a hash of every move, once as a move and once as a predecessor: the
//! sums are equal if the law holds. A sample, or a check whose sums differ, searches each move
//! among the predecessors of its target, and each predecessor among the moves.

use rand::RngExt;

use crate::error::{BrokenLaw, Law, differences};
use crate::game::{Game, Turns};
use crate::laws::check_end;
use crate::laws::checker::{Checker, Comparison, Link, hash};
use crate::laws::names::Changes;
use crate::numbering::StateForm;

/// The number of plies of random play without folding, in a game that folds.
const UNFOLDED_PLIES: u32 = 32;

/// If there are more states than `FEW`, random play begins from every `UNFOLDED_EVERY`-th state,
/// and only these states are drawn and set up. The moves of about `FEW` states are named.
const UNFOLDED_EVERY: u64 = 16;
pub(super) const FEW: u64 = 1 << 12;

/// How many indices the check of `states` covers from each index.
const RANGE: u64 = 3;

impl<G: Game> Checker<'_, G> {
    /// Checks the roots of the game in this numbering: `FEW` of them, and more until `is_over`.
    pub(super) fn check_roots(&self, is_over: &dyn Fn() -> bool) -> Result<(), BrokenLaw> {
        let game = self.game();
        for (done, root) in game.roots().into_iter().enumerate() {
            if done as u64 >= FEW && is_over() {
                break;
            }
            if self.numbering.is_elsewhere(&root) {
                continue;
            }
            let checked = self.check_packing(&game.canonical(&root)).and_then(|()| {
                let (index, canonical) = self.representative(&root)?;
                self.check_index(index, &canonical)?;
                self.check_symmetry(&root, &canonical)
            });
            checked.map_err(|mut broken| {
                broken.counterexample += "; play can start there";
                broken
            })?;
        }
        Ok(())
    }

    /// Checks every law on the state of one index. An unused index breaks none.
    pub(super) fn check(&mut self, index: u64) -> Result<(), BrokenLaw> {
        self.check_range(index)?;
        let Some(state) = self.numbering.state(index) else { return Ok(()) };
        self.check_notation(index, &state)?;
        self.check_announced(&state)?;
        self.check_value(index, &state)?;
        let is_chosen = self.numbering.len() <= FEW || index.is_multiple_of(UNFOLDED_EVERY);
        if let Some(check) = self.writing.set_up.filter(|_| is_chosen) {
            check(self.game(), &state)
                .map_err(|text| BrokenLaw::new(Law::SetUp, [self.write(&state)], text))?;
        }
        if hash(index, (0, false)).is_multiple_of(self.named_every) {
            self.look_at_names(index, &state);
        }
        if self.folds && is_chosen { self.check_unfolded(&state) } else { Ok(()) }
    }

    /// Checks on the state of one index the laws that its value depends on.
    pub(super) fn check_for_value(&mut self, index: u64) -> Result<(), BrokenLaw> {
        self.check_range(index)?;
        self.numbering.state(index).map_or(Ok(()), |state| self.check_value(index, &state))
    }

    /// Checks on a state of this index the laws that its value depends on.
    pub(super) fn check_value(&mut self, index: u64, state: &G::State) -> Result<(), BrokenLaw> {
        self.seen.report.states += 1;
        self.check_index(index, state)?;
        self.check_moves(index, state)?;
        if self.numbering.has_predecessors() {
            self.check_predecessors((index, state))
        } else {
            Ok(())
        }
    }

    /// Checks that `states` and `unindex` agree on a few indices from this one.
    pub(super) fn check_range(&self, index: u64) -> Result<(), BrokenLaw> {
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
        Err(BrokenLaw::new(Law::Index, [], text))
    }

    fn check_notation(&self, index: u64, state: &G::State) -> Result<(), BrokenLaw> {
        let Some(parse) = self.writing.parse else { return Ok(()) };
        let name = self.write(state);
        let written = format!("the state of index {index} is written as \"{name}\"");
        match parse(self.game(), &name) {
            Ok(back) if back == *state => Ok(()),
            Ok(back) => {
                let other = match differences(&back, state) {
                    Some(fields) => fields,
                    None => format!("written as \"{}\"", self.write(&back)),
                };
                let text = format!("{written}, which reads back as another state: {other}");
                Err(BrokenLaw::new(Law::Notation, [name], text))
            }
            Err(error) => {
                let text = format!("{written}, which does not read back: {error}");
                Err(BrokenLaw::new(Law::Notation, [name], text))
            }
        }
    }

    fn check_packing(&self, state: &G::State) -> Result<(), BrokenLaw> {
        let unpacked = self.numbering.round_trip(state);
        if unpacked == *state {
            return Ok(());
        }
        let [written, back] = [state, &unpacked].map(|state| self.write(state));
        let text = match differences(&unpacked, state) {
            Some(fields) => format!("{written} is unpacked as another state: {fields}"),
            None => format!("{written} is unpacked as {back}"),
        };
        Err(BrokenLaw::new(Law::Packing, [written], text))
    }

    /// Checks the moves of a state, and that the state is among the predecessors of each successor.
    fn check_moves(&mut self, index: u64, state: &G::State) -> Result<(), BrokenLaw> {
        if let Some(outcome) = self.game().terminal(state) {
            return check_end(self.game(), outcome, || self.write(state));
        }
        let mut successors = self.successors(state);
        self.seen.report.moves += successors.len() as u64;
        self.seen.open += u64::from(!successors.is_empty());
        if successors.is_empty() {
            let Some(outcome) = self.game().no_moves(state) else {
                return Err(BrokenLaw::no_moves(self.write(state), index));
            };
            check_end(self.game(), outcome, || self.write(state))?;
        }
        for next in &successors {
            self.see_turn(state, next);
            self.check_packing(next)?;
        }
        self.check_exits(state, &successors)?;
        self.check_gains(state, &successors)?;
        successors.retain(|next| !self.numbering.is_elsewhere(next));
        let links = self.links(state, &successors)?;
        self.check_gains_within((index, state), &successors, &links)?;
        // If the game provides the degree, no moves are counted.
        if self.numbering.degree(state).is_none() {
            self.check_distinct("moves", (index, state), &links)?;
        }
        self.check_degree((index, state), &links)?;
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
                let [state, next] = [state, &canonical].map(|state| self.write(state));
                let text = format!("{state} has a move to {next}, whose predecessors lack it");
                return Err(BrokenLaw::new(Law::Predecessors, [state, next], text));
            }
        }
        Ok(())
    }

    /// Follows random play from a state without folding, and compares each state with its
    /// representative. Folded play visits only representatives and their successors, and would miss
    /// a symmetry that breaks elsewhere.
    fn check_unfolded(&mut self, start: &G::State) -> Result<(), BrokenLaw> {
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

    /// Checks that no move of a state gains more points than the promise allows: what it leads to makes
    /// up for as many as are promised.
    fn check_gains(&self, state: &G::State, successors: &[G::State]) -> Result<(), BrokenLaw> {
        if !G::POINTS {
            return Ok(());
        }
        let most = self.game().max_points();
        for next in successors {
            let gain = self.game().gain(state, next);
            if u32::from(gain.unsigned_abs()) > 2 * u32::from(most) {
                let [state, next] = [state, next].map(|state| self.write(state));
                let text = format!(
                    "the move from {state} to {next} gains {gain} points, but `Game::max_points` promises at \
                     most {most}, whatever follows"
                );
                return Err(BrokenLaw::new(Law::Points, [state, next], text));
            }
        }
        Ok(())
    }

    /// Checks that the moves of a state that stay in its tier gain no points.
    fn check_gains_within(
        &self,
        (index, state): (u64, &G::State),
        successors: &[G::State],
        links: &[Link],
    ) -> Result<(), BrokenLaw> {
        if !G::POINTS {
            return Ok(());
        }
        for (next, &(next_index, _)) in successors.iter().zip(links) {
            let gain = self.game().gain(state, next);
            if gain != 0 && self.numbering.same_tier(index, next_index) {
                let states = [state, next].map(|state| self.write(state));
                return Err(BrokenLaw::gain_within(states, gain));
            }
        }
        Ok(())
    }
}

impl<G: Game> Checker<'_, G> {
    /// Looks at the names of the moves from a state.
    pub(super) fn look_at_names(&mut self, index: u64, state: &G::State) {
        if let Some(look) = self.writing.names {
            self.seen.changes.add(&look(self.game(), (index, state), &self.successors(state)));
        }
    }

    /// Checks the names of all moves that were visited.
    pub(super) fn check_names(&self, changes: &Changes) -> Result<(), BrokenLaw> {
        let Some(name_wrong) = self.writing.name_wrong else { return Ok(()) };
        let view = changes.better();
        // A board that is turned gives moves the same names, too.
        let index = view.map_or(changes.shared, |view| changes.first[view]);
        let state = index.and_then(|index| self.numbering.state(index));
        let text = state
            .as_ref()
            .and_then(|state| name_wrong(self.game(), state, &self.successors(state), view));
        text.map_or(Ok(()), |text| {
            let states: Vec<String> = state.iter().map(|state| self.write(state)).collect();
            Err(BrokenLaw::new(Law::MoveNames, states, text))
        })
    }
}
