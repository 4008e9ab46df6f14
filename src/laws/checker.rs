//! The state that the checks of all laws share: the numbering under check, the statistics, the
//! links between states, and the comparison of a state with its representative.

use rand::SeedableRng;
use rand::rngs::SmallRng;

use crate::error::{BrokenLaw, Law};
use crate::game::value::Value;
use crate::game::{Game, Outcome, Players, Turns};
use crate::laws::names::Changes;
use crate::laws::report::Report;
use crate::laws::view::NumberingView;
use crate::laws::writing::Writing;
use crate::numbering::StateForm;

/// The way in which moves are compared with predecessors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    /// Each move is searched among the predecessors, and each predecessor among the moves.
    Each,
    /// Sums of hashes are compared, once all states are checked.
    Sums,
}

/// Statistics of the states that were checked.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    pub(super) report: Report,
    /// Whether some move changed who is to move, and whether some move did not.
    pub(super) turn_changes: bool,
    pub(super) turn_stays: bool,
    /// The number of states with moves.
    pub(super) open: u64,
    /// The sums of the hashes of all moves, and of all predecessors.
    pub(super) moves: u64,
    pub(super) predecessors: u64,
    /// The changes of pictures.
    pub(super) changes: Changes,
}

impl Seen {
    /// Adds the statistics of other states.
    pub(super) fn add(&mut self, more: &Seen) {
        self.report.states += more.report.states;
        self.report.moves += more.report.moves;
        self.report.predecessors += more.report.predecessors;
        self.turn_changes |= more.turn_changes;
        self.turn_stays |= more.turn_stays;
        self.open += more.open;
        self.moves = self.moves.wrapping_add(more.moves);
        self.predecessors = self.predecessors.wrapping_add(more.predecessors);
        self.changes.add(&more.changes);
    }

    /// Whether the sums show that moves and predecessors are the same.
    pub(super) fn sums_agree(&self) -> bool {
        self.moves == self.predecessors
    }
}

/// A state, and its index.
pub(super) type At<'s, State> = (u64, &'s State);

/// A neighbour of a state: its index, and whether the same player is to move in both.
pub(super) type Link = (u64, bool);

/// These links in order, each once. Compiled once, and not for each game.
pub(super) fn sort_distinct(mut links: Vec<Link>) -> Vec<Link> {
    links.sort_unstable();
    links.dedup();
    links
}

/// The hash of a move from one index to another.
pub(super) fn hash(from: u64, (to, same_mover): Link) -> u64 {
    // The finalizer of splitmix64.
    let mix = |mut word: u64| {
        word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ word >> 31
    };
    mix(mix(from.wrapping_add(0x9E37_79B9_7F4A_7C15)) ^ (to << 1 | u64::from(same_mover)))
}

/// A check of states.
pub(super) struct Checker<'n, G: Game> {
    pub(super) numbering: &'n dyn NumberingView<G>,
    pub(super) writing: Writing<G>,
    pub(super) comparison: Comparison,
    /// One state in this many has its moves named.
    pub(super) named_every: u64,
    pub(super) seen: Seen,
    /// Whether a move has led to a state that is not its own representative.
    pub(super) folds: bool,
    pub(super) random: SmallRng,
}

impl<'n, G: Game> Checker<'n, G> {
    /// A checker of some states. `seed` starts the random numbers for play from them.
    pub(super) fn new(
        numbering: &'n dyn NumberingView<G>,
        writing: Writing<G>,
        comparison: Comparison,
        seed: u64,
    ) -> Self {
        let (seen, random) = (Seen::default(), SmallRng::seed_from_u64(seed));
        Checker { numbering, writing, comparison, named_every: 1, seen, folds: false, random }
    }

    pub(super) fn game(&self) -> &'n G {
        self.numbering.game()
    }

    pub(super) fn write(&self, state: &G::State) -> String {
        self.numbering.write(state)
    }

    pub(super) fn check_index(&self, index: u64, state: &G::State) -> Result<(), BrokenLaw> {
        match self.numbering.index(state) {
            Some(back) if back == index => Ok(()),
            _ if self.numbering.kind().form() != StateForm::Formula => {
                let state = self.write(state);
                let text = format!(
                    "`canonical` gives {state} as the representative of a state, but not as its own"
                );
                Err(BrokenLaw::new(Law::Symmetry, [state], text))
            }
            back => {
                let back = back.map_or("none".into(), |back| back.to_string());
                let state = self.write(state);
                let text = format!(
                    "`unindex` gives {state} for index {index}, but the index of {state} is {back}"
                );
                Err(BrokenLaw::new(Law::Index, [state], text))
            }
        }
    }

    /// Notes whether a move changes who is to move.
    pub(super) fn see_turn(&mut self, state: &G::State, next: &G::State) {
        let game = self.game();
        let stays = game.is_mover_of(game.mover(state), next);
        self.seen.turn_stays |= stays;
        self.seen.turn_changes |= !stays;
    }

    /// Checks the turns of all states that were visited.
    pub(super) fn check_players(seen: &Seen) -> Result<(), BrokenLaw> {
        let problem = match G::PLAYERS {
            Players::Distinct | Players::Folded if seen.turn_stays && !seen.turn_changes => {
                "the same player is to move before and after each move that was checked: let the states \
                 after a move say that the other player is to move; if states do not say who is to \
                 move, set `Game::PLAYERS` to `Players::Unnamed`, and if one player makes all moves, \
                 to `Players::Solitary`"
            }
            Players::Solitary if seen.turn_changes => {
                "a move changes who is to move, though `Game::PLAYERS` is `Players::Solitary`"
            }
            _ => return Ok(()),
        };
        Err(BrokenLaw::new(Law::Players, [], problem))
    }

    /// Checks that a state and its representative have the same outcome for the mover and the same
    /// successors.
    pub(super) fn check_symmetry(
        &self,
        state: &G::State,
        canonical: &G::State,
    ) -> Result<(), BrokenLaw> {
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
            Err(BrokenLaw::new(Law::Symmetry, [state, canonical], text))
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
        let links = |state, successors: &[_]| Ok(sort_distinct(self.links(state, successors)?));
        let (own, other) = (self.successors(state), self.successors(canonical));
        if links(state, &own)? != links(canonical, &other)? {
            return broken("their moves do not lead to the same indices");
        }
        if G::POINTS {
            let gains = |state, successors: &[G::State]| {
                let links = self.links(state, successors)?;
                let gains = successors.iter().map(|next| game.gain(state, next));
                let mut gains: Vec<(Link, i16)> = links.into_iter().zip(gains).collect();
                gains.sort_unstable();
                gains.dedup();
                Ok(gains)
            };
            if gains(state, &own)? != gains(canonical, &other)? {
                return broken("their moves do not gain the same points");
            }
        }
        let stuck = |state| {
            let outcome = game.no_moves(state);
            outcome.map(|outcome| Value::of_end::<G>(outcome, game.mover(state)))
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

    /// The links from a state to its successors in this numbering.
    pub(super) fn links(
        &self,
        state: &G::State,
        successors: &[G::State],
    ) -> Result<Vec<Link>, BrokenLaw> {
        let mover = self.game().mover(state);
        successors
            .iter()
            .filter(|next| !self.numbering.is_elsewhere(next))
            .map(|next| Ok((self.index(next)?, self.game().is_mover_of(mover, next))))
            .collect()
    }

    /// The index of a state that came from the game's moves or predecessors.
    fn index(&self, state: &G::State) -> Result<u64, BrokenLaw> {
        let len = self.numbering.len();
        let found = self.numbering.index(state);
        if let Some(index) = found
            && (index < len || self.numbering.is_undiscovered(index))
        {
            return Ok(index);
        }
        let state = self.write(state);
        Err(match found {
            Some(index) => BrokenLaw::index_beyond(state, index, len),
            None if self.numbering.has_all() => {
                let text = format!("{state} was not discovered from the roots");
                BrokenLaw::new(Law::Index, [state], text)
            }
            None => BrokenLaw::too_wide(state),
        })
    }

    /// The representative of a state: the state that its index stands for.
    pub(super) fn canonical(&self, state: &G::State) -> Result<G::State, BrokenLaw> {
        self.canonical_of(state, self.index(state)?)
    }

    /// The index of a state, and the state that this index stands for.
    pub(super) fn representative(&self, state: &G::State) -> Result<(u64, G::State), BrokenLaw> {
        let index = self.index(state)?;
        Ok((index, self.state_of(state, index)?))
    }

    /// The state that the index of a state stands for.
    fn state_of(&self, state: &G::State, index: u64) -> Result<G::State, BrokenLaw> {
        self.numbering.representative(state, index).ok_or_else(|| {
            let state = self.write(state);
            let text = format!("{state} has index {index}, for which `unindex` gives no state");
            BrokenLaw::new(Law::Index, [state], text)
        })
    }

    /// The representative of a state of this index.
    pub(super) fn canonical_of(&self, state: &G::State, index: u64) -> Result<G::State, BrokenLaw> {
        let canonical = self.state_of(state, index)?;
        // A check of all states visits this index anyway.
        if self.comparison == Comparison::Each {
            self.check_index(index, &canonical)?;
        }
        Ok(canonical)
    }

    /// The distinct links of a state that stay in its tier.
    pub(super) fn distinct(&self, index: u64, links: &[Link]) -> Vec<Link> {
        let mut distinct = links.to_vec();
        distinct.retain(|&(other, _)| self.numbering.same_tier(index, other));
        sort_distinct(distinct)
    }

    /// The sum of the hashes of the distinct links of a state that stay in its tier.
    pub(super) fn sum(&self, index: u64, links: &[Link], hash: impl Fn(Link) -> u64) -> u64 {
        self.distinct(index, links).into_iter().map(hash).fold(0, u64::wrapping_add)
    }
}
