//! The players, and the outcomes of play.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::Game;

/// One of the two players. [`Notation::player`](crate::Notation::player) has their names.
///
/// ```
/// use retrograde::Player;
///
/// assert_eq!(Player::First.opponent(), Player::Second);
/// assert_eq!(Player::BOTH[Player::Second.index()], Player::Second);
/// assert_eq!(Player::First.to_string(), "the first player");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Player {
    /// The player named first: white, the mouse, crosses.
    First,
    /// The player named second: black, the cat, noughts.
    Second,
}

impl Player {
    /// Both players, in order; `BOTH[player.index()] == player`.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// The other player.
    #[inline]
    #[must_use]
    pub const fn opponent(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// 0 for the first player, 1 for the second.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// "the first player" or "the second player".
impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Player::First => "the first player",
            Player::Second => "the second player",
        })
    }
}

/// How play ends.
///
/// A game names the winner ([`Win`](Outcome::Win)), or says whether the player to move wins. Where
/// states do not say who is to move ([`Players::Unnamed`]), it can't name the winner. A game with
/// points says how many the end is worth ([`Points`](Outcome::Points)), or that it is a draw, and
/// nothing else.
///
/// ```
/// use std::cmp::Ordering;
///
/// use retrograde::{Outcome, Player};
///
/// let outcome = Outcome::Win(Player::Second);
/// assert_eq!(outcome.winner(), Some(Player::Second));
/// assert_eq!(outcome.for_mover(Some(Player::First)), Ordering::Less);
/// assert_eq!(Outcome::MoverLoses.to_string(), "a loss for the player to move");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Outcome {
    /// This player wins and the other loses.
    Win(Player),
    /// Nobody wins.
    Draw,
    /// The player to move wins.
    MoverWins,
    /// The player to move loses: the one who has just moved wins.
    MoverLoses,
    /// In a game with points ([`Game::POINTS`]): with the end, the player to move gains this many
    /// points more than the other. Negative points are a loss, 0 is a draw.
    Points(i16),
}

impl Outcome {
    /// The winner, if the outcome names one.
    #[inline]
    #[must_use]
    pub const fn winner(self) -> Option<Player> {
        match self {
            Outcome::Win(player) => Some(player),
            Outcome::Draw | Outcome::MoverWins | Outcome::MoverLoses | Outcome::Points(_) => None,
        }
    }

    /// Whether play of this game may end with the outcome: a winner is named only where states name the
    /// player to move, a game with points tells points, and no other game does.
    #[inline(always)]
    pub(crate) fn may_end<G: Game>(self) -> bool {
        match self {
            Outcome::Draw => true,
            Outcome::Points(_) => G::POINTS,
            Outcome::MoverWins | Outcome::MoverLoses => !G::POINTS,
            Outcome::Win(_) => !G::POINTS && !matches!(G::PLAYERS, Players::Unnamed),
        }
    }

    /// The outcome for the player to move: `Less` for a loss, `Equal` for a draw, `Greater` for a
    /// win. `mover` is that player, or `None` where states do not say who is to move.
    #[must_use]
    pub fn for_mover(self, mover: Option<Player>) -> Ordering {
        match self {
            Outcome::Draw => Ordering::Equal,
            Outcome::MoverWins => Ordering::Greater,
            Outcome::MoverLoses => Ordering::Less,
            Outcome::Win(winner) if Some(winner) == mover => Ordering::Greater,
            Outcome::Win(_) => Ordering::Less,
            Outcome::Points(points) => points.cmp(&0),
        }
    }
}

/// As people say it: "a win for the first player", "a draw", "a loss for the player to move".
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win(player) => write!(f, "a win for {player}"),
            Outcome::Draw => f.pad("a draw"),
            Outcome::MoverWins => f.pad("a win for the player to move"),
            Outcome::MoverLoses => f.pad("a loss for the player to move"),
            Outcome::Points(points) => write!(f, "{points} points for the player to move"),
        }
    }
}

/// Whether the states of a game say who is to move, and whether its tables distinguish the two
/// players: see [`Game::PLAYERS`].
///
/// ```
/// # use kit::games::{Nim, TugOfWar};
/// # use retrograde::Game;
/// use retrograde::{Outcome, Player, Players, Solver};
///
/// // A heap of nim does not say who is to move; in a tug of war, the state does.
/// assert_eq!((Nim::PLAYERS, TugOfWar::PLAYERS), (Players::Unnamed, Players::Distinct));
/// let nim = Nim { counters: 21 };
/// assert_eq!(Solver::new(&nim).solve()?.verdict(&21)?.outcome, Outcome::MoverWins);
/// let tug_of_war = Solver::new(&TugOfWar).solve()?;
/// let verdict = tug_of_war.verdict(&(1, Player::First))?;
/// assert_eq!(verdict.outcome, Outcome::Win(Player::First));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Players {
    /// A state says who is to move ([`Game::turn`]), and tables count the wins of each player.
    Distinct,
    /// A state says who is to move, but its index does not: a state and its mirror image with the
    /// players exchanged share an index. Tables then count wins and losses of the player to move,
    /// and not of each player.
    Folded,
    /// A state does not say who is to move, and turns alternate. Moves and the end of play are the
    /// same for both players, as in nim, or where states have "the mover's pieces and the
    /// opponent's". Such a game has no [`Game::turn`]. Its outcomes are [`Outcome::MoverWins`],
    /// [`Outcome::MoverLoses`] and draws, and its endless play is a draw.
    Unnamed,
    /// One player makes every move, as in a puzzle. Without it,
    /// [`laws::check`](crate::laws::check) reports a turn that never changes as a mistake.
    Solitary,
}
