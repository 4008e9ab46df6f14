//! The rules of a game in sentences.

use super::Fairy;
use super::board;
use super::goal::{BareKing, Worth};
use super::setup::NO_PIECE;

impl Fairy {
    /// The rules.
    pub(super) fn rules_in_words(&self) -> String {
        let setup = &self.setup;
        let material = &self.parameters.material;
        let (files, ranks) = (setup.board.files, setup.board.ranks);
        let pieces = setup.pieces.iter().map(|piece| match piece.name() {
            Some(name) => format!("{} is a {name} ({})", piece.letter, piece.betza),
            None if setup.pawn < NO_PIECE && piece.letter == 'P' => {
                format!("{} is a pawn ({})", piece.letter, piece.betza)
            }
            None => format!("{} moves as {}", piece.letter, piece.betza),
        });
        let pieces = pieces.collect::<Vec<_>>().join(", ");
        format!(
            "This is chess on {files} x {ranks} squares with a few men, which begin as {material}: white's \
             first, then black's. In Betza's notation, {pieces}.{} A captured man leaves the board, \
             and play goes on with the others.{} Endless play is a draw, and no rule counts moves.",
            self.pawns_in_words(),
            self.goal_in_words()
        )
    }

    /// The moves of pawns, if there are any.
    fn pawns_in_words(&self) -> String {
        let setup = &self.setup;
        let promotions: Vec<String> = setup
            .promotions
            .iter()
            .map(|&kind| setup.pieces[usize::from(kind)].letter.to_string())
            .collect();
        match promotions.is_empty() {
            true => String::new(),
            false => {
                let rank = (1..=setup.board.ranks)
                    .find(|rank| setup.twice[0] >> ((rank - 1) * setup.board.files) & 1 != 0);
                let double = rank.map_or_else(String::new, |rank| {
                    format!(
                        " From its side's rank {rank} it may step two, and a pawn that could have \
                         captured it after one may do so in the next move."
                    )
                });
                format!(
                    " A pawn steps ahead one square, captures diagonally, and becomes {} where it is \
                     promoted.{double}",
                    promotions.join(" or ")
                )
            }
        }
    }

    /// The end of play in sentences.
    fn goal_in_words(&self) -> String {
        let goal = self.setup.goal;
        let mut words = String::new();
        let mut say = |sentence: &str| {
            words.push(' ');
            words += sentence;
        };
        if goal.atomic {
            say(
                "A capture blows up both men that take part, and all men on the squares around except \
                 pawns. No king captures, and nobody may blow up the own king. Whoever blows up the \
                 other king wins at once. Kings beside each other are not in check.",
            );
        }
        if goal.royal {
            say("Nobody may leave the own king where it can be captured.");
            say(match goal.mate {
                Worth::Lost => "A player in check who has no move is mated, and loses.",
                Worth::Won => "A player in check who has no move is mated, and wins.",
                Worth::Drawn => "A player in check who has no move has a draw.",
            });
        }
        if goal.compelled {
            say("A player who can capture must.");
        }
        if goal.extinct {
            say("A player without men wins. The king is a man like any other.");
        }
        let who = if goal.royal {
            "A player who is not in check and has no move"
        } else {
            "A player without a move"
        };
        say(&match goal.stalemate {
            Worth::Won => format!("{who} wins."),
            Worth::Drawn => format!("{who} has a draw."),
            Worth::Lost => format!("{who} loses."),
        });
        match goal.bare {
            BareKing::PlaysOn => {}
            BareKing::Wins => say("A player who has only the king wins at once."),
            BareKing::Loses => say("A player who has only the king loses at once."),
            BareKing::LosesUnlessBoth => say(
                "A player who has only the king loses, unless the next move leaves the other with only \
                 the king, too, which is a draw.",
            ),
        }
        if goal.hill {
            let hill = board::squares(self.setup.winning);
            let names: Vec<String> = hill.map(|square| self.setup.board.name(square)).collect();
            say(&format!("A king on {} wins.", names.join(" or ")));
        }
        if goal.race {
            say(
                "No move may give check. A king on white's last rank wins. White's king waits for one more \
                 move of black: if that brings black's king there, too, it is a draw.",
            );
        }
        words
    }
}
