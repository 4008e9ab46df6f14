//! Moves in standard algebraic notation (SAN): Kb3, Rxd5+, exd6, e8=Q#.

use super::Orthodox;
use super::board;
use super::material::Kind;
use super::position::{Move, NOBODY, Position};

impl Orthodox {
    /// All moves of a position with the positions that they lead to.
    fn all_moves(&self, position: Position) -> Vec<(Move, Position)> {
        let ending = self.ending(position);
        let mut moves = Vec::new();
        ending.visit_steps(position, |step, next| moves.push((step, next)));
        ending.visit_leaving(position, |change, next| moves.push((change, self.settled(next))));
        moves
    }

    /// The move from one position to another, if there is one.
    pub(super) fn move_between(&self, from: Position, to: Position) -> Option<String> {
        let moves = self.all_moves(from);
        let &(played, next) = moves.iter().find(|&&(_, next)| next == to)?;
        let ending = self.ending(from);
        let shown =
            |square: u8| board::name(if from.is_exchanged() { square ^ 56 } else { square });
        let origin = |slot: usize| shown(from.squares().of(slot));
        let own = origin(played.slot);
        let kind = ending.kinds[played.slot];
        let captures = played.captured != NOBODY;
        let mut text = match kind {
            Kind::Pawn if captures => own[..1].to_owned(),
            Kind::Pawn => String::new(),
            kind => kind.letter().to_string(),
        };
        if kind != Kind::Pawn {
            // Others of the kind that could go there too: the file distinguishes them, or the rank,
            // or both.
            let others: Vec<String> = moves
                .iter()
                .filter(|(other, _)| {
                    other.to == played.to
                        && other.slot != played.slot
                        && ending.kinds[other.slot] == kind
                })
                .map(|(other, _)| origin(other.slot))
                .collect();
            let is_alone = |part: std::ops::Range<usize>| {
                others.iter().all(|other| other[part.clone()] != own[part.clone()])
            };
            text += match others.is_empty() {
                true => "",
                false if is_alone(0..1) => &own[..1],
                false if is_alone(1..2) => &own[1..],
                false => &own,
            };
        }
        if captures {
            text.push('x');
        }
        text += &shown(played.to);
        if let Some(kind) = played.promoted {
            text.push('=');
            text.push(kind.letter());
        }
        if self.ending(next).is_check(next) {
            text.push(if self.all_moves(next).is_empty() { '#' } else { '+' });
        }
        Some(text)
    }
}
