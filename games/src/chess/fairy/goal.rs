//! Goals: how play ends, and the variants that are made of them.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// The worth of an end of play for the player whom it befalls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Worth {
    /// A win.
    Won,
    /// A draw.
    Drawn,
    /// A loss.
    Lost,
}

/// The meaning of a king that has no other man beside it, while the other side has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum BareKing {
    /// Nothing: play goes on.
    PlaysOn,
    /// It loses at once.
    Loses,
    /// It loses unless its next move leaves the other king bare, too, which is a draw.
    LosesUnlessBoth,
    /// It wins at once.
    Wins,
}

/// How play ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Goal {
    /// Whether each side has a king, which must not be left in check.
    pub(super) royal: bool,
    /// A player who is in check and has no move.
    pub(super) mate: Worth,
    /// A player who is not in check and has no move.
    pub(super) stalemate: Worth,
    pub(super) bare: BareKing,
    /// Whether a side without men has won.
    pub(super) extinct: bool,
    /// Whether a player who can capture must.
    pub(super) compelled: bool,
    /// Whether a king in the middle of the board has won.
    pub(super) hill: bool,
    /// Whether a king on the last rank has won. No move gives check, and black has one more move.
    pub(super) race: bool,
    /// Whether a capture removes all men but pawns around it, and both men that take part.
    pub(super) atomic: bool,
}

/// Pawns: they step ahead, and become other pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pawns {
    /// How many ranks at the end of the board are for promotion.
    pub(super) ranks: u8,
    /// The rank of their double step, counted from 1 by their side.
    pub(super) double_step: Option<u8>,
    /// The letters that they become.
    pub(super) become_one_of: Vec<char>,
}

/// A variant by its usual name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// Mate wins
    #[default]
    Chess,
    /// Mate, stalemate and a bare king win; queens are ferzes and bishops alfils
    Shatranj,
    /// Mate wins; the letter M is a ferz and S a silver
    Makruk,
    /// The first king on the last rank wins, and no move gives check
    RacingKings,
    /// A king in the middle of the board wins, and so does mate
    KingOfTheHill,
    /// Captures are compelled, and who has no man or no move wins
    Giveaway,
    /// Captures are compelled, and who has a bare king, is mated or has no move wins
    Losers,
    /// Who is mated wins, so that each side wants to be mated by the other
    Selfmate,
    /// Captures blow up the men around them, and who blows up the king wins
    Atomic,
}

impl Variant {
    /// How play ends.
    pub(super) fn goal(self) -> Goal {
        use BareKing::{LosesUnlessBoth, PlaysOn, Wins};
        use Worth::{Drawn, Lost, Won};
        let chess = Goal {
            royal: true,
            mate: Lost,
            stalemate: Drawn,
            bare: PlaysOn,
            extinct: false,
            compelled: false,
            hill: false,
            race: false,
            atomic: false,
        };
        match self {
            Variant::Chess | Variant::Makruk => chess,
            Variant::Shatranj => Goal { stalemate: Lost, bare: LosesUnlessBoth, ..chess },
            Variant::RacingKings => Goal { race: true, ..chess },
            Variant::KingOfTheHill => Goal { hill: true, ..chess },
            Variant::Giveaway => {
                Goal { royal: false, stalemate: Won, extinct: true, compelled: true, ..chess }
            }
            Variant::Losers => {
                Goal { mate: Won, stalemate: Won, bare: Wins, compelled: true, ..chess }
            }
            Variant::Selfmate => Goal { mate: Won, ..chess },
            Variant::Atomic => Goal { atomic: true, ..chess },
        }
    }

    /// The letters that stand for other pieces than usual.
    pub(super) fn letters(self) -> &'static [(char, &'static str)] {
        match self {
            Variant::Shatranj => &[('Q', "F"), ('B', "A")],
            Variant::Makruk => &[('M', "F"), ('S', "FfW")],
            _ => &[],
        }
    }

    /// How many ranks are for promotion, and to what, where pawns are other than usual. They have no double
    /// step then.
    pub(super) fn own_pawns(self) -> Option<(u8, char)> {
        match self {
            Variant::Shatranj => Some((1, 'Q')),
            Variant::Makruk => Some((3, 'M')),
            _ => None,
        }
    }
}
