//! A solved game in figures.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::game::Player;
use crate::value::{DecidedBy, MAX_PLIES, Rules, Value, Verdict};

/// The figures of a solved game: how many states have each outcome, and each distance.
///
/// The figures follow the rules of the game. A win beyond the ply limit counts with the outcome of
/// endless play, and has no distance.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Summary {
    /// The figures of the states by the player to move: first the first player, then the second. If
    /// states do not name the player to move, all are in the first entry.
    pub by_mover: [Tally; 2],
    /// How many states are won or lost in how many plies, by rising distance. Distances without
    /// states are left out.
    pub distances: Vec<AtDistance>,
}

/// How many states have each outcome, for the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Tally {
    /// States won for the player to move, by force or by the outcome of endless play.
    pub won: u64,
    /// States lost for the player to move, by force or by the outcome of endless play.
    pub lost: u64,
    /// Draws, whether play ends or not.
    pub drawn: u64,
    /// How many of all these states are decided by endless play.
    pub endless: u64,
    /// How many of all these states are decided by the ply limit.
    pub beyond_limit: u64,
}

impl Tally {
    /// Adds figures. Figures from files are not trusted, so the sums saturate.
    fn add(&mut self, more: &Tally) {
        let Tally { won, lost, drawn, endless, beyond_limit } = self;
        for (sum, more) in [
            (won, more.won),
            (lost, more.lost),
            (drawn, more.drawn),
            (endless, more.endless),
            (beyond_limit, more.beyond_limit),
        ] {
            *sum = sum.saturating_add(more);
        }
    }
}

/// The numbers of wins and losses with one distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AtDistance {
    /// The distance in plies.
    pub plies: u32,
    /// The number of states that the player to move wins in this many plies.
    pub won: u64,
    /// The number of states that the player to move loses in this many plies.
    pub lost: u64,
}

/// The number of states with each value, counted while states are settled.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Counts {
    /// The number of states, by the player to move.
    pub(crate) states: [u64; 2],
    /// By distance: how many states are won, lost and drawn for the player to move, by this player.
    at_distance: Vec<[[u64; 2]; 3]>,
}

impl Counts {
    /// The number of states whose value has a distance.
    pub(crate) fn settled(&self) -> u64 {
        self.at_distance.iter().flatten().flatten().sum()
    }

    /// Counts a state and its value.
    #[inline]
    pub(crate) fn add_state(&mut self, value: Value, mover: Player) {
        self.states[mover.index()] += 1;
        self.add_value(value, mover);
    }

    /// Counts the value of a state that is counted already.
    #[inline]
    pub(crate) fn add_value(&mut self, value: Value, mover: Player) {
        let (kind, plies) = match value {
            Value::Win(plies) => (0, plies),
            Value::Loss(plies) => (1, plies),
            Value::Draw(plies) => (2, plies),
            Value::Endless => return,
        };
        self.at(plies)[kind][mover.index()] += 1;
    }

    /// Adds values of one distance for states that are counted already.
    pub(crate) fn add_at(&mut self, distance: u32, counts: &[[u64; 2]; 3]) {
        let sums = self.at(distance).iter_mut().flatten();
        sums.zip(counts.iter().flatten()).for_each(|(sum, more)| *sum += more);
    }

    /// The counts of states with one distance: won, lost and drawn.
    pub(crate) fn of_distance(&self, distance: u32) -> [u64; 3] {
        let counts = self.at_distance.get(distance as usize).copied().unwrap_or_default();
        counts.map(|by_mover| by_mover.iter().sum())
    }

    /// Resets the counts of one distance to zero.
    pub(crate) fn reset(&mut self, distance: u32) {
        *self.at(distance) = Default::default();
    }

    /// Every figure, and the number of states.
    pub(crate) fn figures(&self) -> impl Iterator<Item = u64> + '_ {
        let all = self.states.iter().fold(0, |sum: u64, &more| sum.saturating_add(more));
        let far = self.at_distance.len() as u64 > u64::from(MAX_PLIES) + 2;
        let figures = self.at_distance.iter().flatten().flatten().copied();
        figures.chain([all, if far { u64::MAX } else { 0 }])
    }

    fn at(&mut self, distance: u32) -> &mut [[u64; 2]; 3] {
        let distance = distance as usize;
        if self.at_distance.len() <= distance {
            self.at_distance.resize(distance + 1, [[0; 2]; 3]);
        }
        &mut self.at_distance[distance]
    }

    /// The number of states, and the counts of states in which play is over: all figures before the
    /// first level.
    pub(crate) fn of_ends(&self) -> [u64; 14] {
        let mut figures = [0; 14];
        let at_distance = self.at_distance.iter().take(2).flatten().flatten();
        let all = self.states.iter().chain(at_distance);
        figures.iter_mut().zip(all).for_each(|(figure, &count)| *figure = count);
        figures
    }

    /// The counts with the figures that [`of_ends`](Counts::of_ends) returned.
    pub(crate) fn with_ends(figures: &[u64]) -> Counts {
        let mut counts = Counts { states: [0; 2], at_distance: vec![[[0; 2]; 3]; 2] };
        let at_distance = counts.at_distance.iter_mut().flatten().flatten();
        let all = counts.states.iter_mut().chain(at_distance);
        all.zip(figures).for_each(|(count, &figure)| *count = figure);
        counts
    }

    /// Adds the counts of other states.
    pub(crate) fn add(&mut self, other: &Counts) {
        self.states.iter_mut().zip(other.states).for_each(|(sum, more)| *sum += more);
        for (distance, counts) in (0..).zip(&other.at_distance) {
            self.add_at(distance, counts);
        }
    }

    /// Every value that states have, the player to move, and the number of these states.
    fn each(&self) -> impl Iterator<Item = (Value, Player, u64)> {
        let of_kind: [fn(u32) -> Value; 3] = [Value::Win, Value::Loss, Value::Draw];
        let settled = (0..).zip(&self.at_distance).flat_map(move |(distance, counts)| {
            of_kind.into_iter().zip(counts).flat_map(move |(value, by_mover)| {
                Player::BOTH.map(move |mover| (value(distance), mover, by_mover[mover.index()]))
            })
        });
        let endless = Player::BOTH.map(|mover| {
            let settled = self.at_distance.iter().flatten().map(|by_mover| by_mover[mover.index()]);
            // In a forged checkpoint, the counts may exceed the number of states.
            let settled = settled.fold(0, u64::saturating_add);
            (Value::Endless, mover, self.states[mover.index()].saturating_sub(settled))
        });
        settled.chain(endless).filter(|&(_, _, count)| count > 0)
    }

    /// The longest win or loss, and the longest draw that ends.
    pub(crate) fn longest(&self) -> (u32, Option<u32>) {
        let (mut win, mut draw) = (0, None);
        for (value, _, _) in self.each() {
            match value {
                Value::Win(plies) | Value::Loss(plies) => win = win.max(plies),
                Value::Draw(plies) => draw = draw.max(Some(plies)),
                Value::Endless => {}
            }
        }
        (win, draw)
    }
}

impl Summary {
    /// The figures of a solved game.
    pub(crate) fn from_counts(counts: &Counts, rules: Rules) -> Summary {
        let mut summary = Summary::default();
        for (value, mover, count) in counts.each() {
            summary.add(rules.judge(value, Some(mover)), mover, count);
        }
        summary.merge_distances();
        summary
    }

    /// The figures of several sets of states together.
    pub(crate) fn sum<'s>(parts: impl Iterator<Item = &'s Summary>) -> Summary {
        let mut sum = Summary::default();
        for part in parts {
            for (own, more) in sum.by_mover.iter_mut().zip(&part.by_mover) {
                own.add(more);
            }
            sum.distances.extend_from_slice(&part.distances);
        }
        sum.merge_distances();
        sum
    }

    /// Refuses impossible distances, since files are not trusted.
    pub(crate) fn check(&self) -> Result<(), String> {
        match self.distances.last() {
            _ if !self.distances.is_sorted_by(|one, next| one.plies < next.plies) => {
                Err("counts states by distances that do not ascend".into())
            }
            Some(last) if last.plies > MAX_PLIES => {
                Err(format!("counts states {} plies from the end, {MAX_PLIES} at most", last.plies))
            }
            _ => Ok(()),
        }
    }

    /// Adds up the figures of each distance.
    fn merge_distances(&mut self) {
        self.distances.sort_unstable_by_key(|at| at.plies);
        self.distances.dedup_by(|later, first| {
            let same = later.plies == first.plies;
            if same {
                first.won = first.won.saturating_add(later.won);
                first.lost = first.lost.saturating_add(later.lost);
            }
            same
        });
    }

    /// Adds `count` states with this verdict and `mover` to move.
    fn add(&mut self, verdict: Verdict, mover: Player, count: u64) {
        let tally = &mut self.by_mover[mover.index()];
        let (mut won, mut lost) = (0, 0);
        match verdict.outcome.for_mover(Some(mover)) {
            Ordering::Equal => tally.drawn += count,
            Ordering::Greater => won = count,
            Ordering::Less => lost = count,
        }
        tally.won += won;
        tally.lost += lost;
        match verdict.decided_by {
            DecidedBy::Play => {}
            DecidedBy::Endless => tally.endless += count,
            DecidedBy::PlyLimit => tally.beyond_limit += count,
        }
        if let Some(plies) = verdict.plies {
            self.distances.push(AtDistance { plies, won, lost });
        }
    }

    /// A figure for all states. Figures from files are not trusted, so the sum saturates.
    fn total(&self, figure: impl Fn(&Tally) -> u64) -> u64 {
        self.by_mover.iter().map(figure).fold(0, u64::saturating_add)
    }

    /// The number of states, without unused indices.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.total(|tally| tally.won.saturating_add(tally.lost).saturating_add(tally.drawn))
    }

    /// The number of states that `player` wins, no matter who is to move. If the players are not
    /// distinguished ([`Players`](crate::Players)), use [`won`](Summary::won) and
    /// [`lost`](Summary::lost) instead: if states do not name the player to move, all count with the
    /// first player to move.
    #[must_use]
    pub fn wins(&self, player: Player) -> u64 {
        let [own, other] = [player, player.opponent()].map(|mover| self.by_mover[mover.index()]);
        own.won.saturating_add(other.lost)
    }

    /// The number of states that the player to move wins.
    #[must_use]
    pub fn won(&self) -> u64 {
        self.total(|tally| tally.won)
    }

    /// The number of states that the player to move loses.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.total(|tally| tally.lost)
    }

    /// The number of draws.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.total(|tally| tally.drawn)
    }

    /// The number of states that endless play decides.
    #[must_use]
    pub fn endless(&self) -> u64 {
        self.total(|tally| tally.endless)
    }

    /// The number of states that the ply limit decides.
    #[must_use]
    pub fn beyond_limit(&self) -> u64 {
        self.total(|tally| tally.beyond_limit)
    }

    /// The greatest distance of all states, in plies; `None` if no state has one.
    #[must_use]
    pub fn longest(&self) -> Option<u32> {
        self.distances.last().map(|at| at.plies)
    }
}
