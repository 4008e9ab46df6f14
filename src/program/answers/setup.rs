//! Sets up positions by hand: pieces on the places of a picture, and the resulting positions.

use crate::game::Player;
use crate::game::scene::{Kit, Put, Scene};
use crate::program::answers::position::Position;
use crate::program::answers::problem::Problem;

/// The most pieces, of one or several kinds, that can be put.
const MOST_PUT: usize = 4_096;

/// The most pieces of a kind on one place.
const MOST_ON_ONE: u32 = 99;

/// The pieces to set up.
pub(crate) enum Asked {
    /// The pieces of the position that this text describes, or of the start.
    Of(Option<String>),
    /// These pieces.
    Pieces(Vec<Put>),
}

/// A picture with pieces, and its possible positions.
pub(crate) struct SetUp {
    pub(crate) kit: Kit,
    pub(crate) scene: Scene,
    /// The position with each player to move, or the reason why there is none. The player is `None`
    /// if states do not name the player to move.
    pub(crate) turns: Vec<(Option<Player>, Result<Position, String>)>,
}

/// Reads the pieces in an address: `PLACE.KIND` or `PLACE.KIND.COUNT`, with commas between.
///
/// # Errors
/// When the text has another form, or is too long.
pub(crate) fn read_pieces(text: &str) -> Result<Vec<Put>, Problem> {
    let wrong = |part: &str| {
        let detail = format!(
            "pieces: \"{part}\" is no piece on a place: expected PLACE.KIND or PLACE.KIND.COUNT, a \
             COUNT from 1 to {MOST_ON_ONE}, as in 12.3,14.0.2"
        );
        Problem::invalid_value("pieces", part, detail)
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
