//! A game with one chosen fault.

use std::ops::Range;

use retrograde::{
    Game, Indexed, Notation, NotationError, Numbered, Outcome, Player, Players, Repeats, scheme,
};
use serde::{Deserialize, Serialize};

pub(crate) const LONGEST: u8 = 5;

/// A token walks down from 5 by one or two. A player who brings it to 0 wins. Every move changes
/// its shade, which has no meaning: the numbering folds the two shades.
pub(crate) struct Walk<
    const PREDECESSORS: bool = true,
    const DISTINCT: bool = false,
    const INDICES: bool = false,
>(pub(crate) Fault);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    None,
    MissingPredecessor,
    ExtraPredecessor,
    UnannouncedPredecessors,
    CollidingIndex,
    IndexBeyondTheEnd,
    DisagreeingUnindex,
    UnusedIndex,
    StuckWithoutOutcome,
    SymmetryChangesOutcome,
    SymmetryChangesMoves,
    SymmetryExchangesUnequalColours,
    SymmetryWithoutEnd,
    SharedNotation,
    UnreadableNotation,
    RepeatedMove,
    RepeatedPredecessor,
    MissingPredecessorIndex,
    ExtraPredecessorIndex,
    RepeatedPredecessorIndex,
    PredecessorIndexWithOtherTurn,
    PredecessorIndexBeyondTheEnd,
    WrongDegree,
    WrongPass,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Token {
    pub(crate) at: u8,
    pub(crate) turn: Player,
    pub(crate) dark: bool,
}

impl Token {
    fn moved(&self, at: u8) -> Token {
        Token { at, turn: self.turn.opponent(), dark: !self.dark }
    }
}

impl<const P: bool, const D: bool, const I: bool> Game for Walk<P, D, I> {
    type State = Token;
    const PREDECESSORS: bool = P;
    const DISTINCT: bool = D;
    // One of the faults exchanges the colours.
    const PLAYERS: Players = Players::Folded;

    fn turn(&self, token: &Token) -> Player {
        token.turn
    }

    fn terminal(&self, token: &Token) -> Option<Outcome> {
        let over = (token.at == 0).then_some(Outcome::Win(token.turn.opponent()));
        match self.0 {
            Fault::SymmetryChangesOutcome if token.dark => over.and(Some(Outcome::Draw)),
            _ => over,
        }
    }

    fn moves(&self, token: &Token, mut visit: impl FnMut(Token)) {
        let (at, fault) = (token.at, self.0);
        if fault == Fault::StuckWithoutOutcome && at == 1 {
            return;
        }
        visit(token.moved(at - 1));
        let fewer = fault == Fault::SymmetryChangesMoves && at == 3 && token.dark;
        if at > 1 && !fewer {
            visit(token.moved(at - 2));
        }
        if fault == Fault::RepeatedMove && at == 4 {
            visit(token.moved(at - 1));
        }
    }

    fn predecessors(&self, token: &Token, mut visit: impl FnMut(Token)) {
        let (at, fault) = (token.at, self.0);
        if !P && fault != Fault::UnannouncedPredecessors {
            return;
        }
        for before in (at + 1..=at + 2).filter(|&before| before <= LONGEST) {
            if !(fault == Fault::MissingPredecessor && (before, at) == (4, 2)) {
                visit(token.moved(before));
            }
        }
        if fault == Fault::ExtraPredecessor && at == 1 {
            visit(token.moved(4));
        }
        if fault == Fault::RepeatedPredecessor && at == 3 {
            visit(token.moved(4));
        }
    }

    fn degree(&self, token: &Token) -> Option<u64> {
        // If the game gives the degree, moves may repeat an index.
        if self.0 == Fault::RepeatedMove {
            return None;
        }
        let wrong = u64::from(self.0 == Fault::WrongDegree && token.at == 4);
        let stuck = self.0 == Fault::StuckWithoutOutcome && token.at == 1;
        (!stuck).then(|| u64::from(token.at.min(2)) + wrong)
    }

    fn roots(&self) -> impl IntoIterator<Item = Token> {
        [Token { at: LONGEST, turn: Player::First, dark: false }]
    }

    fn endless(&self) -> Outcome {
        match self.0 {
            Fault::SymmetryExchangesUnequalColours => Outcome::Win(Player::First),
            _ => Outcome::Draw,
        }
    }

    fn canonical(&self, token: &Token) -> Token {
        match self.0 {
            Fault::SymmetryExchangesUnequalColours => {
                Token { at: token.at, turn: Player::First, dark: false }
            }
            Fault::SymmetryWithoutEnd => Token { dark: !token.dark, ..token.clone() },
            _ => Token { dark: false, ..token.clone() },
        }
    }
}

impl<const P: bool, const D: bool, const I: bool> Indexed for Walk<P, D, I> {
    fn len(&self) -> u64 {
        2 * (u64::from(LONGEST) + 1)
    }

    fn index(&self, token: &Token) -> u64 {
        let at = match self.0 {
            Fault::CollidingIndex if token.at == 5 => 4,
            Fault::IndexBeyondTheEnd if token.at == 5 => 6,
            _ => token.at,
        };
        2 * u64::from(at) + token.turn.index() as u64
    }

    fn unindex(&self, index: u64) -> Option<Token> {
        let at = match self.0 {
            Fault::DisagreeingUnindex if index / 2 == 4 => 3,
            Fault::UnusedIndex if index / 2 == 4 => return None,
            _ => (index / 2) as u8,
        };
        Some(Token { at, turn: Player::BOTH[(index % 2) as usize], dark: false })
    }

    fn states(&self, indices: Range<u64>, mut visit: impl FnMut(u64, Token)) {
        for index in indices {
            let skipped = self.0 == Fault::WrongPass && index == 7;
            if let Some(token) = self.unindex(index).filter(|_| !skipped) {
                visit(index, token);
            }
        }
    }

    const PREDECESSOR_INDICES: bool = I;

    fn predecessor_indices(&self, token: &Token, mut visit: impl FnMut(u64, Player)) -> Repeats {
        self.predecessors(token, |before| {
            let index = self.index(&before);
            match self.0 {
                _ if (before.at, token.at) != (4, 2) => visit(index, before.turn),
                Fault::MissingPredecessorIndex => {}
                Fault::PredecessorIndexWithOtherTurn => visit(index, before.turn.opponent()),
                Fault::PredecessorIndexBeyondTheEnd => visit(99, before.turn),
                Fault::RepeatedPredecessorIndex => (0..2).for_each(|_| visit(index, before.turn)),
                _ => visit(index, before.turn),
            }
        });
        if self.0 == Fault::ExtraPredecessorIndex && token.at == 1 {
            visit(8, token.turn);
        }
        Repeats::Never
    }
}

impl<const P: bool, const D: bool, const I: bool> Notation for Walk<P, D, I> {
    fn write_state(&self, token: &Token) -> String {
        let at = match self.0 {
            Fault::SharedNotation if token.at == 5 => 4,
            Fault::UnreadableNotation if token.at == 5 => 55,
            _ => token.at,
        };
        format!("{at}{}{}", ["+", "-"][token.turn.index()], if token.dark { "d" } else { "" })
    }

    fn parse_state(&self, text: &str) -> Result<Token, NotationError> {
        let dark = text.ends_with('d');
        let text = text.trim_end_matches('d');
        let turn = Player::BOTH[usize::from(text.ends_with('-'))];
        let at = text.trim_end_matches(['+', '-']).parse().ok().filter(|&at| at <= LONGEST);
        let at = at.ok_or_else(|| NotationError::new("expected 0 to 5"))?;
        Ok(Token { at, turn, dark })
    }
}

impl<const P: bool, const D: bool, const I: bool> Numbered for Walk<P, D, I> {
    type Numberings = (scheme::Dense, scheme::Hashed);
}
