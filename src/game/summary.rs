//! A solved game in figures.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::game::Player;
use crate::game::value::{DecidedBy, MAX_PLIES, MAX_POINTS, Rules, Value, Verdict};

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
    /// In a game with points, how many states are worth how many points to the player to move, by
    /// rising points. Points without states are left out. Endless play is worth 0.
    pub points: Vec<AtPoints>,
}

/// The number of states that are worth some points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AtPoints {
    /// How many points more than the opponent the player to move gains.
    pub points: i16,
    /// The number of states.
    pub states: u64,
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
    pub beyond_ply_limit: u64,
}

impl Tally {
    /// Adds figures. Figures from files are not trusted, so the sums saturate.
    fn add(&mut self, more: &Tally) {
        let Tally { won, lost, drawn, endless, beyond_ply_limit } = self;
        for (sum, more) in [
            (won, more.won),
            (lost, more.lost),
            (drawn, more.drawn),
            (endless, more.endless),
            (beyond_ply_limit, more.beyond_ply_limit),
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

/// The number of states that are won, and that are lost, with one distance, each by the player to
/// move. Drawn states count as the won ones of 0 points.
type WonAndLost = [[u64; 2]; 2];

/// The number of states with each value, counted while states are settled.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Counts {
    /// The number of states, by the player to move.
    pub(crate) states: [u64; 2],
    /// The counts of the states that are won and lost by some points, and of the draws at 0: by
    /// points and by distance. Without points, a win is one point.
    by_points: Vec<Vec<WonAndLost>>,
}

impl Counts {
    /// The number of states whose value has a distance.
    pub(crate) fn settled(&self) -> u64 {
        self.by_points.iter().flatten().flatten().flatten().sum()
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
        let Some(plies) = value.plies() else { return };
        let points = value.points();
        let counts = self.at(points.unsigned_abs(), plies);
        counts[usize::from(points < 0)][mover.index()] += 1;
    }

    /// Adds values of some points and one distance for states that are counted already: won, lost and
    /// drawn.
    pub(crate) fn add_at(&mut self, points: u16, distance: u32, counts: &[[u64; 2]; 3]) {
        let [won, lost, drawn] = *counts;
        let counts = if points == 0 { [drawn, [0; 2]] } else { [won, lost] };
        add_to(self.at(points, distance), &counts);
    }

    /// The counts of states that are won and lost by some points with one distance, or twice of the
    /// drawn ones.
    pub(crate) fn of_distance(&self, points: u16, distance: u32) -> [u64; 2] {
        let of_points = self.by_points.get(usize::from(points));
        let counts = of_points.and_then(|of_points| of_points.get(distance as usize));
        counts.copied().unwrap_or_default().map(|by_mover| by_mover.iter().sum())
    }

    /// Resets the counts of one distance to zero.
    pub(crate) fn reset(&mut self, distance: u32) {
        let of_distance = |of_points: &mut Vec<WonAndLost>| {
            if let Some(counts) = of_points.get_mut(distance as usize) {
                *counts = Default::default();
            }
        };
        self.by_points.iter_mut().for_each(of_distance);
    }

    /// Resets the counts of some points and one distance to zero.
    pub(crate) fn reset_at(&mut self, points: u16, distance: u32) {
        *self.at(points, distance) = WonAndLost::default();
    }

    /// Every figure, and the number of states.
    pub(crate) fn figures(&self) -> impl Iterator<Item = u64> + '_ {
        let all = self.states.iter().fold(0, |sum: u64, &more| sum.saturating_add(more));
        let is_long = |of_points: &Vec<_>| of_points.len() as u64 > u64::from(MAX_PLIES) + 2;
        let far = self.by_points.len() > usize::from(MAX_POINTS) + 1
            || self.by_points.iter().any(is_long);
        let figures = self.by_points.iter().flatten().flatten().flatten().copied();
        figures.chain([all, if far { u64::MAX } else { 0 }])
    }

    fn at(&mut self, points: u16, distance: u32) -> &mut WonAndLost {
        let (points, distance) = (usize::from(points), distance as usize);
        if self.by_points.len() <= points {
            self.by_points.resize_with(points + 1, Vec::new);
        }
        let of_points = &mut self.by_points[points];
        if of_points.len() <= distance {
            of_points.resize(distance + 1, WonAndLost::default());
        }
        &mut of_points[distance]
    }

    /// The number of states, and the counts of states in which play is over with at most `most`
    /// points: all figures before the first level.
    pub(crate) fn of_ends(&self, most: u16) -> Vec<u64> {
        let mut figures = self.states.to_vec();
        for points in 0..=usize::from(most) {
            for distance in 0..2 {
                let of_points = self.by_points.get(points);
                let counts = of_points.and_then(|of_points| of_points.get(distance));
                figures.extend(counts.copied().unwrap_or_default().as_flattened());
            }
        }
        figures
    }

    /// The counts with the figures that [`of_ends`](Counts::of_ends) returned.
    pub(crate) fn with_ends(figures: &[u64]) -> Counts {
        let mut counts = Counts::default();
        let (states, of_ends) = figures.split_at(figures.len().min(2));
        counts.states.iter_mut().zip(states).for_each(|(count, &figure)| *count = figure);
        for (at, figures) in (0..).zip(of_ends.chunks_exact(4)) {
            let own = counts.at(at / 2, u32::from(at % 2)).as_flattened_mut();
            own.copy_from_slice(figures);
        }
        counts
    }

    /// Adds the counts of other states.
    pub(crate) fn add(&mut self, other: &Counts) {
        self.states.iter_mut().zip(other.states).for_each(|(sum, more)| *sum += more);
        for (points, of_points) in (0..).zip(&other.by_points) {
            for (distance, counts) in (0..).zip(of_points) {
                add_to(self.at(points, distance), counts);
            }
        }
    }

    /// Every value that states have, the player to move, and the number of these states.
    fn each(&self, with_points: bool) -> impl Iterator<Item = (Value, Player, u64)> {
        let value = move |points: u16, plies, lost: bool| match (points, lost) {
            _ if with_points => {
                let gained = points as i16;
                Value::Points { points: if lost { -gained } else { gained }, plies }
            }
            (0, _) => Value::Draw(plies),
            (_, false) => Value::Win(plies),
            (_, true) => Value::Loss(plies),
        };
        let settled = (0..).zip(&self.by_points).flat_map(move |(points, of_points)| {
            (0..).zip(of_points).flat_map(move |(plies, &counts)| {
                [false, true].into_iter().zip(counts).flat_map(move |(lost, by_mover)| {
                    let value = value(points, plies, lost);
                    Player::BOTH.map(|mover| (value, mover, by_mover[mover.index()]))
                })
            })
        });
        let endless = Player::BOTH.map(|mover| {
            let counts = self.by_points.iter().flatten().flatten();
            let settled = counts.map(|by_mover| by_mover[mover.index()]);
            // In a forged checkpoint, the counts may exceed the number of states.
            let settled = settled.fold(0, u64::saturating_add);
            (Value::Endless, mover, self.states[mover.index()].saturating_sub(settled))
        });
        settled.chain(endless).filter(|&(_, _, count)| count > 0)
    }

    /// The longest win or loss, and the longest draw that ends, in a game without points.
    pub(crate) fn longest(&self) -> (u32, Option<u32>) {
        let (mut win, mut draw) = (0, None);
        for (value, _, _) in self.each(false) {
            match value {
                Value::Draw(plies) => draw = draw.max(Some(plies)),
                value => win = win.max(value.plies().unwrap_or(0)),
            }
        }
        (win, draw)
    }
}

/// Adds counts to others.
fn add_to(sums: &mut WonAndLost, counts: &WonAndLost) {
    let sums = sums.as_flattened_mut().iter_mut();
    sums.zip(counts.as_flattened()).for_each(|(sum, more)| *sum += more);
}

impl Summary {
    /// The figures of a solved game.
    pub(crate) fn from_counts(counts: &Counts, rules: Rules) -> Summary {
        let mut summary = Summary::default();
        for (value, mover, count) in counts.each(rules.points.is_some()) {
            summary.add(rules.judge(value, Some(mover)), mover, count);
            if rules.points.is_some() {
                summary.points.push(AtPoints { points: value.points(), states: count });
            }
        }
        summary.merge();
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
            sum.points.extend_from_slice(&part.points);
        }
        sum.merge();
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
            _ if !self.points.is_sorted_by(|one, next| one.points < next.points) => {
                Err("counts states by points that do not ascend".into())
            }
            _ => Ok(()),
        }
    }

    /// Adds up the figures of each distance, and of each number of points.
    fn merge(&mut self) {
        self.points.sort_unstable_by_key(|at| at.points);
        self.points.dedup_by(|later, first| {
            let same = later.points == first.points;
            if same {
                first.states = first.states.saturating_add(later.states);
            }
            same
        });
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
            DecidedBy::PlyLimit => tally.beyond_ply_limit += count,
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
    pub fn beyond_ply_limit(&self) -> u64 {
        self.total(|tally| tally.beyond_ply_limit)
    }

    /// The greatest distance of all states, in plies; `None` if no state has one.
    #[must_use]
    pub fn longest(&self) -> Option<u32> {
        self.distances.last().map(|at| at.plies)
    }
}
