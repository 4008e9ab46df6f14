//! Checks a state's neighbours: its degree, its predecessors and their indices.

use crate::error::{BrokenLaw, Law};
use crate::game::{Game, Players, Repeats, Turns};
use crate::laws::checker::{At, Checker, Comparison, Link, hash, sort_distinct};

impl<G: Game> Checker<'_, G> {
    /// Checks that a state has no predecessors if the game does not declare them.
    pub(super) fn check_announced(&self, state: &G::State) -> Result<(), BrokenLaw> {
        if self.numbering.has_predecessors() {
            return Ok(());
        }
        let Some(before) = self.predecessors(state).into_iter().next() else { return Ok(()) };
        let [before, state] = [&before, state].map(|state| self.write(state));
        let text = format!(
            "{before} is given as a predecessor of {state}, but `PREDECESSORS` is false: set it to true, or \
             `Tiered::TIER_PREDECESSORS` for predecessors inside a tier"
        );
        Err(BrokenLaw::new(Law::Predecessors, [before, state], text))
    }

    /// Checks that every predecessor of a state has a move to it.
    pub(super) fn check_predecessors(&mut self, at: At<'_, G::State>) -> Result<(), BrokenLaw> {
        let (index, state) = at;
        let predecessors = self.predecessors(state);
        self.seen.report.predecessors += predecessors.len() as u64;
        let mover = self.game().mover(state);
        let mut links = Vec::new();
        for before in &predecessors {
            // The solver ignores predecessors that are terminal, not reachable or without an index.
            if self.game().terminal(before).is_some() {
                continue;
            }
            let Some(origin) = self.numbering.index(before) else { continue };
            // Play may reach it, or not.
            if self.numbering.is_undiscovered(origin) {
                continue;
            }
            if origin < self.numbering.len() && self.numbering.state(origin).is_none() {
                continue;
            }
            // A check of all states visits every other index anyway.
            if self.comparison == Comparison::Each || origin >= self.numbering.len() {
                let canonical = self.canonical(before)?;
                self.check_symmetry(before, &canonical)?;
            }
            let written = || [before, state].map(|state| self.write(state));
            if !self.numbering.same_tier(index, origin) {
                let [before, state] = written();
                let text = format!(
                    "{before} is given as a predecessor of {state} in its tier, but is in another"
                );
                return Err(BrokenLaw::new(Law::Predecessors, [before, state], text));
            }
            let same_mover = self.game().is_mover_of(mover, before);
            links.push((origin, same_mover));
            if self.comparison == Comparison::Sums {
                continue;
            }
            let leads_here = self.successors(before).iter().any(|next| {
                self.numbering.index(next) == Some(index)
                    && self.game().is_mover_of(self.game().mover(before), next) == same_mover
            });
            if !leads_here {
                let [before, state] = written();
                let text =
                    format!("{before} is given as a predecessor of {state}, but has no move to it");
                return Err(BrokenLaw::new(Law::Predecessors, [before, state], text));
            }
        }
        self.check_predecessor_indices(at, &links)?;
        if self.comparison == Comparison::Sums {
            let sum = self.sum(index, &links, |(origin, same)| hash(origin, (index, same)));
            self.seen.predecessors = self.seen.predecessors.wrapping_add(sum);
        }
        self.check_distinct("predecessors", at, &links)
    }

    /// Compares the indices of predecessors that the game computes with the predecessors
    /// themselves.
    fn check_predecessor_indices(
        &self,
        (index, state): At<'_, G::State>,
        predecessors: &[Link],
    ) -> Result<(), BrokenLaw> {
        if !self.numbering.has_predecessor_indices() {
            return Ok(());
        }
        let game = self.game();
        let mover = game.mover(state);
        let mut found = Vec::new();
        let repeats = self.numbering.predecessor_indices(state, &mut |origin, turn| {
            found.push((origin, G::PLAYERS != Players::Unnamed && turn == mover));
        });
        let written = self.write(state);
        let len = self.numbering.len();
        if let Some((origin, _)) = found.iter().find(|&&(origin, _)| origin >= len) {
            let text = format!(
                "a predecessor of {written} has index {origin} by `predecessor_indices`, but there \
                 are only {len} indices"
            );
            return Err(BrokenLaw::new(Law::Index, [written], text));
        }
        let visited = found.len();
        let mut found = sort_distinct(found);
        if repeats == Repeats::Never && found.len() < visited {
            let text = format!(
                "`predecessor_indices` visits an index twice for {written}, and returns \
                 `Repeats::Never`"
            );
            return Err(BrokenLaw::new(Law::Distinct, [written], text));
        }
        // Terminal states, and indices without a state, are ignored.
        let counts = |&(origin, _): &Link| {
            self.numbering.state(origin).is_some_and(|before| game.terminal(&before).is_none())
        };
        found.retain(counts);
        let expected = sort_distinct(predecessors.to_vec());
        let Some((origin, same_mover)) = first_difference(&found, &expected) else {
            return Ok(());
        };
        let before = self.numbering.state(origin);
        let before = before.map_or(format!("index {origin}"), |before| self.write(&before));
        let turn = if same_mover { "the same player" } else { "the other player" };
        let (has, lacks) = if found.contains(&(origin, same_mover)) {
            ("`predecessor_indices`", "`predecessors`")
        } else {
            ("`predecessors`", "`predecessor_indices`")
        };
        let text = format!(
            "{before}, with {turn} to move, is a predecessor of {written} (index {index}) by {has}, \
             but not by {lacks}"
        );
        Err(BrokenLaw::new(Law::Predecessors, [before, written], text))
    }

    pub(super) fn check_degree(
        &self,
        at: At<'_, G::State>,
        links: &[Link],
    ) -> Result<(), BrokenLaw> {
        let (index, state) = at;
        // Only the other process knows which of its successors are the same.
        if self.numbering.is_shared() {
            return Ok(());
        }
        let Some(degree) = self.numbering.degree(state) else { return Ok(()) };
        let distinct = self.distinct(index, links).len();
        if degree == distinct as u64 {
            return Ok(());
        }
        let state = self.write(state);
        let text =
            format!("{state} has {distinct} distinct successors, and `degree` says {degree}");
        Err(BrokenLaw::new(Law::Degree, [state], text))
    }

    pub(super) fn check_distinct(
        &self,
        what: &str,
        (index, state): At<'_, G::State>,
        links: &[Link],
    ) -> Result<(), BrokenLaw> {
        if !self.numbering.is_distinct() {
            return Ok(());
        }
        let mut indices: Vec<u64> = links.iter().map(|&(index, _)| index).collect();
        indices.retain(|&next| self.numbering.same_tier(index, next));
        match first_repeated(indices) {
            None => Ok(()),
            Some(index) => {
                let twice = self.numbering.state(index);
                let twice = twice.map_or(format!("index {index}"), |state| self.write(&state));
                let state = self.write(state);
                let text = format!("{state} has {twice} twice among its {what}");
                Err(BrokenLaw::new(Law::Distinct, [state, twice], text))
            }
        }
    }
}

/// The first link that only one of two sorted lists contains.
fn first_difference(one: &[Link], other: &[Link]) -> Option<Link> {
    let alike = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    one.get(alike).into_iter().chain(other.get(alike)).min().copied()
}

/// The least index that occurs twice.
fn first_repeated(mut indices: Vec<u64>) -> Option<u64> {
    indices.sort_unstable();
    indices.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}
