//! A small game in tiers, with faults.

use retrograde::{
    Game, Indexed, Notation, NotationError, Numbered, Outcome, Player, Stored, Tier, TierIndexed,
    Tiered, VisitSuccessors, scheme,
};
use serde::{Deserialize, Serialize};

/// A token walks down a track by one or two. The first player may also move it up by one within its
/// stretch of four. A player who has to move it at the end has lost. Each stretch is a tier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Track {
    pub(crate) length: u8,
    #[serde(skip)]
    pub(crate) fault: Fault,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Fault {
    #[default]
    None,
    UnannouncedTier,
    TierBeforeItsTime,
    SharedName,
    /// The last tier but one has this name.
    Named(&'static str),
    MissingExit,
    WrongInternalDegree,
    MissingSuccessor,
    InventedSuccessor,
    WrongTurn,
    /// Successors are left out after a check of the wrong run or player, or without a check.
    OtherRun,
    OtherTurn,
    OthersMissing,
    /// That of 7 with the first player to move, to which only moves from the next stretch lead.
    UnusedIndex,
    ExitWithin,
    /// No fault to notice, but other rules than the game pretends to have.
    OtherRules,
}

pub(crate) type Token = (u8, Player);

pub(crate) const STRETCH: u8 = 4;

impl Game for Track {
    type State = Token;

    fn turn(&self, &(_, turn): &Token) -> Player {
        turn
    }

    fn terminal(&self, &(at, turn): &Token) -> Option<Outcome> {
        let outcome = match self.fault {
            Fault::OtherRules => Outcome::Draw,
            _ => Outcome::Win(turn.opponent()),
        };
        (at == 0).then_some(outcome)
    }

    fn moves(&self, &(at, turn): &Token, mut visit: impl FnMut(Token)) {
        for down in [1, 2] {
            if let Some(lower) = at.checked_sub(down) {
                visit((lower, turn.opponent()));
            }
        }
        if turn == Player::First && (at + 1) % STRETCH != 0 && at + 1 < self.length {
            visit((at + 1, turn.opponent()));
        }
    }

    fn roots(&self) -> impl IntoIterator<Item = Token> {
        [(self.length - 1, Player::First)]
    }
}

impl Tiered for Track {
    fn tiers(&self) -> Vec<Tier> {
        let mut tiers: Vec<Tier> = (0..usize::from(self.length.div_ceil(STRETCH)))
            .map(|tier| Tier {
                name: format!("stretch-{tier}"),
                leads_to: tier.checked_sub(1).into_iter().collect(),
            })
            .collect();
        match self.fault {
            Fault::UnannouncedTier => tiers[2].leads_to = vec![0],
            Fault::TierBeforeItsTime => tiers[1].leads_to.push(2),
            Fault::Named(name) => tiers[2].name = name.into(),
            Fault::SharedName => tiers[2].name = "stretch-0".into(),
            _ => {}
        }
        tiers
    }

    fn tier(&self, &(at, _): &Token) -> usize {
        usize::from(at / STRETCH)
    }

    fn exits(&self, tier: usize, state: &Token, mut visit: impl FnMut(Token)) {
        self.moves(state, |next| {
            let missing = self.fault == Fault::MissingExit && state.0 == 5;
            let within = self.fault == Fault::ExitWithin;
            if within || self.tier(&next) != tier && !missing {
                visit(next);
            }
        });
    }

    fn tier_degree(&self, tier: usize, state: &Token) -> Option<u64> {
        let mut tier_degree = u64::from(self.fault == Fault::WrongInternalDegree && state.0 == 6);
        self.moves(state, |next| tier_degree += u64::from(self.tier(&next) == tier));
        Some(tier_degree)
    }
}

impl TierIndexed for Track {
    fn tier_len(&self, tier: usize) -> u64 {
        let begin = tier as u8 * STRETCH;
        2 * u64::from(STRETCH.min(self.length - begin))
    }

    fn tier_index(&self, _: usize, &(at, turn): &Token) -> u64 {
        2 * u64::from(at % STRETCH) + turn.index() as u64
    }

    fn tier_unindex(&self, tier: usize, index: u64) -> Option<Token> {
        let at = tier as u8 * STRETCH + (index / 2) as u8;
        let state = (at, Player::BOTH[(index % 2) as usize]);
        (self.fault != Fault::UnusedIndex || state != (7, Player::First)).then_some(state)
    }

    const TIER_SUCCESSOR_INDICES: bool = true;

    fn run_len(&self, _: usize) -> u64 {
        2
    }

    fn tier_successor_indices(
        &self,
        tier: usize,
        state: &Token,
        visitor: &mut impl VisitSuccessors<Token>,
    ) {
        let there = if self.fault == Fault::OthersMissing { 5 } else { 6 };
        let fault = if state.0 == there { self.fault } else { Fault::None };
        let turn = state.1.opponent();
        let others = fault != Fault::OthersMissing && visitor.others_matter();
        self.moves(state, |next| {
            let index = self.tier_index(tier, &next);
            match self.tier(&next) == tier {
                true if fault == Fault::MissingSuccessor => {}
                true if fault == Fault::OtherRun && !visitor.run_matters(index ^ 4, turn) => {}
                true if fault == Fault::OtherTurn
                    && !visitor.run_matters(index, turn.opponent()) => {}
                true if fault == Fault::None && !visitor.run_matters(index ^ 1, turn) => {}
                true if fault == Fault::WrongTurn => visitor.stay(index, turn.opponent()),
                true => visitor.stay(index, turn),
                false if others => visitor.leave(next),
                false => {}
            }
        });
        if fault == Fault::InventedSuccessor {
            visitor.leave(*state);
        }
    }
}

impl Numbered for Track {
    type Numberings = (scheme::Tiers<scheme::Dense>, scheme::Dense);
}

impl Indexed for Track {
    fn len(&self) -> u64 {
        2 * u64::from(self.length)
    }

    fn index(&self, &(at, turn): &Token) -> u64 {
        2 * u64::from(at) + turn.index() as u64
    }

    fn unindex(&self, index: u64) -> Option<Token> {
        Some(((index / 2) as u8, Player::BOTH[(index % 2) as usize]))
    }
}

impl Notation for Track {
    fn write_state(&self, (at, turn): &Token) -> String {
        format!("{at} {}", self.player(*turn))
    }

    fn parse_state(&self, text: &str) -> Result<Token, NotationError> {
        let wrong = || NotationError::new(format!("\"{text}\": expected a number and a player"));
        let (at, player) = text.split_once(' ').ok_or_else(wrong)?;
        let turn = Player::BOTH.into_iter().find(|turn| self.player(*turn) == player);
        Ok((at.parse().map_err(|_| wrong())?, turn.ok_or_else(wrong)?))
    }
}

impl Stored for Track {
    const NAME: &'static str = "track";
}

pub(crate) fn track(fault: Fault) -> Track {
    Track { length: 15, fault }
}
