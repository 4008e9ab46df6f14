//! Setting up positions by hand: pieces on the places of a picture, and what they are worth.

use crate::game::{Player, Players, Turns as _};
use crate::notation::Notation;
use crate::query::{Query as _, QueryError};
use crate::scene::{Kit, Put, Scene};
use crate::serve::answers::{OpenTable, Position};
use crate::serve::problem::Problem;

/// So many pieces, of one kind or several, are put at most.
const MOST_PUT: usize = 4_096;

/// So many of a kind are put on one place at most.
const MOST_ON_ONE: u32 = 99;

/// What is set up.
pub(crate) enum Asked {
    /// The pieces of the position that this text describes, or of the start.
    Of(Option<String>),
    /// These pieces.
    Pieces(Vec<Put>),
}

/// A picture with pieces, and the positions that it may be.
pub(crate) struct SetUp {
    pub(crate) kit: Kit,
    pub(crate) scene: Scene,
    /// The position with each player to move, or why there is none. A player is none where states do
    /// not say who is to move.
    pub(crate) turns: Vec<(Option<Player>, Result<Position, String>)>,
}

impl SetUp {
    /// The pieces of the kit that are on the picture.
    pub(crate) fn pieces(&self) -> Vec<Put> {
        self.kit.put_on(&self.scene)
    }
}

/// Reads pieces as an address has them: `PLACE.KIND` or `PLACE.KIND.COUNT`, with commas between.
///
/// # Errors
/// When the text is something else, or too long.
pub(crate) fn read_pieces(text: &str) -> Result<Vec<Put>, Problem> {
    let wrong = |part: &str| {
        Problem::bad_request(format!(
            "pieces: \"{part}\" is no piece on a place: expected PLACE.KIND or PLACE.KIND.COUNT, a \
             COUNT from 1 to {MOST_ON_ONE}, as in 12.3,14.0.2"
        ))
    };
    let parts: Vec<&str> = text.split(',').filter(|_| !text.is_empty()).collect();
    if parts.len() > MOST_PUT {
        let count = parts.len();
        return Err(Problem::bad_request(format!("{count} pieces: expected at most {MOST_PUT}")));
    }
    let read = |part: &&str| {
        let is_number = |field: &&str| field.bytes().all(|byte| byte.is_ascii_digit());
        let fields: Vec<&str> = part.split('.').collect();
        if !fields.iter().all(is_number) {
            return Err(wrong(part));
        }
        let number = |at: usize| fields.get(at).and_then(|field| field.parse::<u32>().ok());
        let count = if fields.len() == 3 { number(2) } else { Some(1) };
        match (number(0), number(1), count) {
            (Some(place), Some(kind), Some(count @ 1..=MOST_ON_ONE)) if fields.len() <= 3 => {
                Ok(Put { place: place as usize, kind: kind as usize, count })
            }
            _ => Err(wrong(part)),
        }
    };
    parts.iter().map(read).collect()
}

impl<G: Notation> OpenTable<G> {
    /// The pieces that are asked for, on a picture, and the positions that this may be.
    pub(super) fn put_up(&self, asked: &Asked) -> Result<SetUp, Problem> {
        let game = self.prober.game();
        let kit = game.kit();
        let text = if let Asked::Of(Some(text)) = asked { Some(&**text) } else { None };
        let begun = self.read(text)?;
        let drawn = game.scene(&begun).filter(|_| !kit.is_empty()).ok_or_else(|| {
            let detail = "positions of this game are written, not set up by hand";
            Problem::not_found(detail)
        })?;
        let scene = match asked {
            Asked::Of(_) => drawn,
            Asked::Pieces(put) => {
                let (places, kinds) = (drawn.places(), kit.pieces.len());
                if let Some(put) = put.iter().find(|put| put.place >= places || put.kind >= kinds) {
                    let Put { place, kind, .. } = put;
                    let detail = format!(
                        "pieces: kind {kind} on place {place}: expected kinds 0 to {} and places 0 \
                         to {}",
                        kinds - 1,
                        places - 1
                    );
                    return Err(Problem::bad_request(detail));
                }
                kit.rearranged(&drawn, put)
            }
        };
        let movers: &[Option<Player>] = match G::PLAYERS {
            Players::Unnamed => &[None],
            _ => &[Some(Player::First), Some(Player::Second)],
        };
        let mut turns = Vec::new();
        for &mover in movers {
            let found = match kit.crowded(&scene) {
                Some(place) => Err(format!("{} has more than one piece", scene.name(place))),
                None => self.set_up_for(&scene, mover)?,
            };
            turns.push((mover, found));
        }
        Ok(SetUp { kit, scene, turns })
    }

    /// The position of a picture with this player to move, or why there is none.
    fn set_up_for(
        &self,
        scene: &Scene,
        mover: Option<Player>,
    ) -> Result<Result<Position, String>, Problem> {
        let game = self.prober.game();
        let state = match game.set_up(scene, mover.unwrap_or(Player::First)) {
            Ok(state) => state,
            Err(error) => return Ok(Err(error.to_string())),
        };
        match game.named_mover(&state) {
            Some(other) if Some(other) != mover => {
                let is = self.words.with_verb(other, "is", "are");
                return Ok(Err(format!("with these pieces, {is} to move")));
            }
            _ => {}
        }
        match self.prober.verdict(&state) {
            Ok(verdict) => Ok(Ok(self.position(&state, verdict))),
            Err(QueryError::NotInTable { .. }) => {
                Ok(Err("play never comes to this position, so the table does not have it".into()))
            }
            Err(error) => Err(Problem::of_query(error, &game.write_state(&state))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_read_and_checked() {
        let read = |text| read_pieces(text).map_err(|problem| problem.detail);
        assert_eq!(read(""), Ok(Vec::new()));
        let put = [Put { place: 12, kind: 3, count: 1 }, Put { place: 14, kind: 0, count: 2 }];
        assert_eq!(read("12.3,14.0.2"), Ok(put.to_vec()));
        let wrong = ["1", "1.", ".1", "1.2.3.4", "1.2,", "1.2.0", "1.2.100", "-1.2", "+1.2", "a.b"];
        for text in wrong {
            assert!(read(text).is_err_and(|detail| detail.contains("PLACE.KIND")), "{text}");
        }
        assert!(read(&"1.1,".repeat(MOST_PUT + 1)).is_err_and(|detail| detail.contains("4096")));
    }
}
