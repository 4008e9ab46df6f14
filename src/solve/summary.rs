//! A solved game in figures.

use serde::{Deserialize, Serialize};

use super::progress::sweep;
use super::{OnProgress, Progress, SolveError};
use crate::game::{Outcome, Player};
use crate::numbering::Numbering;
use crate::value::{DecidedBy, HOLE, Rules, Value, Verdict};

/// A solved game in figures: how many states have which outcome, and at which distance.
///
/// The figures follow the rules of the game, so that a win beyond the ply limit counts for whom
/// endless play is worth, and has no distance.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The figures of the states in which the first, and in which the second player is to move.
    pub by_mover: [Tally; 2],
    /// How many states are won or lost in how many plies, by rising distance; distances that no
    /// state has are left out.
    pub distances: Vec<AtDistance>,
}

/// How many states have which outcome, for the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// States won for the player to move, by force or by the worth of endless play.
    pub won: u64,
    /// States lost for the player to move, by force or by the worth of endless play.
    pub lost: u64,
    /// Draws, of either kind.
    pub drawn: u64,
    /// The states among all those whose outcome is decided by endless play.
    pub endless: u64,
    /// The states among all those whose outcome is decided by the ply limit.
    pub beyond_limit: u64,
}

/// How many states have one distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtDistance {
    /// The distance.
    pub plies: u32,
    /// How many states the player to move wins in so many plies.
    pub won: u64,
    /// How many states the player to move loses in so many plies.
    pub lost: u64,
}

impl Summary {
    /// Counts the values of a solved game, visiting every state once.
    pub(crate) fn of<N: Numbering>(
        numbering: &N,
        values: &[u16],
        rules: Rules,
        progress: &mut OnProgress<'_>,
    ) -> Result<Summary, SolveError> {
        let of = numbering.len();
        // How many states have each packed value, by who is to move.
        let mut counts = vec![[0_u64; 2]; 1 << u16::BITS];
        let event = |done| Progress::Summing { done, of };
        sweep(of, progress, event, SolveError::Interrupted, |number| {
            let packed = values[number as usize];
            if packed != HOLE {
                counts[usize::from(packed)][numbering.mover(number).index()] += 1;
            }
            Ok(())
        })?;
        let mut summary = Summary::default();
        for (packed, counts) in (0..=u16::MAX).zip(&counts) {
            let Ok(Some(value)) = Value::unpack(packed) else { continue };
            for mover in Player::BOTH {
                summary.add(rules.judge(value, mover), mover, counts[mover.index()]);
            }
        }
        summary.distances.sort_unstable_by_key(|at| at.plies);
        summary.distances.dedup_by(|later, kept| {
            let same = later.plies == kept.plies;
            if same {
                kept.won += later.won;
                kept.lost += later.lost;
            }
            same
        });
        Ok(summary)
    }

    /// Adds `count` states with this verdict and `mover` to move.
    fn add(&mut self, verdict: Verdict, mover: Player, count: u64) {
        if count == 0 {
            return;
        }
        let tally = &mut self.by_mover[mover.index()];
        let (mut won, mut lost) = (0, 0);
        match verdict.outcome {
            Outcome::Draw => tally.drawn += count,
            Outcome::Win(winner) if winner == mover => won = count,
            Outcome::Win(_) => lost = count,
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

    /// Figures come from files too, and are then not to be trusted, hence saturating sums.
    fn total(&self, figure: impl Fn(&Tally) -> u64) -> u64 {
        self.by_mover.iter().map(figure).fold(0, u64::saturating_add)
    }

    /// How many states there are, without the holes of the numbering.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.total(|tally| tally.won.saturating_add(tally.lost).saturating_add(tally.drawn))
    }

    /// How many states `player` wins, whoever is to move.
    #[must_use]
    pub fn wins(&self, player: Player) -> u64 {
        let [own, other] = [player, player.opponent()].map(|mover| self.by_mover[mover.index()]);
        own.won.saturating_add(other.lost)
    }

    /// How many states the player to move wins.
    #[must_use]
    pub fn won(&self) -> u64 {
        self.total(|tally| tally.won)
    }

    /// How many states the player to move loses.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.total(|tally| tally.lost)
    }

    /// How many states are draws.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.total(|tally| tally.drawn)
    }

    /// How many states are decided by endless play.
    #[must_use]
    pub fn endless(&self) -> u64 {
        self.total(|tally| tally.endless)
    }

    /// How many states are decided by the ply limit.
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
