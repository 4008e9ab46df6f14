//! The interface to one table, without the type of its game.

use std::borrow::Cow;
#[cfg(not(target_family = "wasm"))]
use std::cmp::Ordering;
#[cfg(not(target_family = "wasm"))]
use std::ops::Range;

use serde_json::Value as Json;

#[cfg(not(target_family = "wasm"))]
use crate::game::Player;
use crate::game::value::Rules;
use crate::program::answers::IsLate;
use crate::program::answers::examples::{Found, Search};
use crate::program::answers::position::{Look, Position, Wanted};
use crate::program::answers::problem::Problem;
use crate::program::answers::setup::{Asked, SetUp};
use crate::program::code::ErrorCode;
use crate::program::wording::Wording;
use crate::solve::TierFigures;

/// Descriptions of a game for people.
#[derive(Clone)]
pub(crate) struct About {
    /// The game in a few words.
    pub(crate) about: Cow<'static, str>,
    /// The notation of states.
    pub(crate) notation: Cow<'static, str>,
}

/// The facts about a table, except its positions.
pub(crate) struct Facts {
    pub(crate) words: Wording,
    pub(crate) game: String,
    pub(crate) about: About,
    /// Whether the rules of the game are known; otherwise the files alone answer.
    pub(crate) has_rules: bool,
    /// The rules in sentences.
    pub(crate) rules_in_words: String,
    pub(crate) parameters: Json,
    pub(crate) numbering: &'static str,
    pub(crate) bytes: u64,
    pub(crate) rules: Rules,
    pub(crate) has_distances: bool,
    pub(crate) has_pictures: bool,
    /// Whether a picture shows the board as the player to move sees it.
    pub(crate) board_turns: bool,
    /// Whether states say who is to move.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) names_movers: bool,
    pub(crate) can_pass: bool,
    pub(crate) can_be_set_up: bool,
    pub(crate) start: Option<String>,
    pub(crate) tiers: Vec<TierFigures>,
    pub(crate) has_tiers: bool,
    /// What each tier is, in words, where its name does not say so.
    pub(crate) described_tiers: Vec<Option<String>>,
}

impl Facts {
    /// The outcome of endless play: a player's name or `draw`.
    pub(crate) fn endless(&self) -> &str {
        self.words.outcome(self.rules.endless)
    }

    /// Refuses a name that is not a tier of the table.
    pub(crate) fn check_tier(&self, name: &str) -> Result<(), Problem> {
        if self.has_tiers && self.tiers.iter().any(|tier| tier.name == name) {
            return Ok(());
        }
        let problem = match self.has_tiers {
            true => format!("no such tier: \"{name}\"; /api/tables lists the tiers"),
            false => format!("no such tier: \"{name}\": the table has no tiers"),
        };
        Err(Problem::bad_request(problem).coded(ErrorCode::UnknownTier).with("tier", name))
    }
}

/// A table and its game, which answer questions.
pub(crate) trait Answers: Send + Sync {
    fn facts(&self) -> &Facts;

    /// Looks up a position, or the start, unless it gets late.
    fn look(
        &self,
        state: Option<&str>,
        wanted: Wanted,
        is_late: IsLate<'_>,
    ) -> Result<Look, Problem>;

    /// Follows the moves of a game from a position, or the start, unless it gets late.
    fn follow(
        &self,
        state: Option<&str>,
        moves: &[String],
        is_late: IsLate<'_>,
    ) -> Result<Look, Problem>;

    /// The positions that these texts describe, in their order. The remaining ones are `None` once
    /// `is_late` returns true.
    fn look_at_all(
        &self,
        states: &[String],
        is_late: IsLate<'_>,
    ) -> Vec<Option<Result<Position, Problem>>>;

    /// Puts pieces on a picture.
    fn set_up(&self, asked: &Asked) -> Result<SetUp, Problem>;

    /// Searches for positions.
    fn search(&self, search: &Search<'_>) -> Result<Found, Problem>;

    /// What many states are worth, in their order.
    #[cfg(not(target_family = "wasm"))]
    fn judge_all(
        &self,
        states: &[&str],
        is_late: IsLate<'_>,
    ) -> Result<Vec<Result<Judged, Problem>>, Problem>;

    /// How many indices there are, unused ones included.
    #[cfg(not(target_family = "wasm"))]
    fn indices(&self) -> u64;

    /// Replaces `values` by the values of a range of indices, as the file stores them.
    #[cfg(not(target_family = "wasm"))]
    fn packed_values(&self, indices: Range<u64>, values: &mut Vec<u16>) -> Result<(), Problem>;

    /// The states of a range of indices; `None` for each unused one.
    #[cfg(not(target_family = "wasm"))]
    fn states(&self, indices: Range<u64>) -> Result<Vec<Option<String>>, Problem>;

    /// The players to move in the states of these indices; `None` for each unused one, and where states do not
    /// say it.
    #[cfg(not(target_family = "wasm"))]
    fn movers(&self, indices: &[u64]) -> Result<Vec<Option<Player>>, Problem>;
}

/// What a state is worth to the player to move.
#[cfg(not(target_family = "wasm"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Judged {
    /// `Greater` where the player to move wins, `Less` where the other one does, `Equal` for a draw.
    pub worth: Ordering,
    /// In how many plies a player wins by force; `None` as in [`Verdict`](crate::Verdict).
    pub plies: Option<u32>,
    /// How many points the player to move gains more than the other; `None` in a game without points.
    pub points: Option<i16>,
}
