//! Shared by the two pursuit games: a mouse, a cat, and who moves.

use retrograde::board;
use retrograde::scene::{Kit, Piece, Scene};
use retrograde::{Notation, NotationError, Player};
use serde::{Deserialize, Serialize};

/// The player who moves the mouse, and moves first.
pub(crate) const MOUSE: Player = Player::First;
/// The player who moves the cat.
pub(crate) const CAT: Player = Player::Second;

/// Where the two are, and who moves. The places are nodes of a graph or cells of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Chase {
    /// Where the mouse is.
    pub mouse: u16,
    /// Where the cat is.
    pub cat: u16,
    /// The animal to move: the mouse is [`Player::First`].
    pub turn: Player,
}

impl Chase {
    /// Where the animal is that `player` moves.
    #[inline]
    pub(crate) fn place(&self, player: Player) -> u16 {
        if player == MOUSE { self.mouse } else { self.cat }
    }

    /// A copy with `player`'s animal at `place`, and `turn` to move.
    #[inline]
    pub(crate) fn with(&self, player: Player, place: u16, turn: Player) -> Chase {
        match player {
            Player::First => Chase { mouse: place, cat: self.cat, turn },
            Player::Second => Chase { mouse: self.mouse, cat: place, turn },
        }
    }
}

/// The name of the player's animal.
pub(crate) fn name(player: Player) -> &'static str {
    ["mouse", "cat"][player.index()]
}

/// The face of a mouse: a path in a square of 100 by 100, whose gaps run the other way round.
const MOUSE_FACE: &str = "M6 28a18 18 0 1 1 36 0a18 18 0 1 1 -36 0zM58 28a18 18 0 1 1 36 0a18 18 0 1 1 -36 0z \
    M18 60a32 30 0 1 1 64 0a32 30 0 1 1 -64 0zM16 28a8 8 0 1 0 16 0a8 8 0 1 0 -16 0z \
    M68 28a8 8 0 1 0 16 0a8 8 0 1 0 -16 0zM34 54a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z \
    M56 54a5 5 0 1 0 10 0a5 5 0 1 0 -10 0zM45 74a5 4 0 1 0 10 0a5 4 0 1 0 -10 0z";

/// The face of a cat.
const CAT_FACE: &str = "M16 8L40 26Q50 23 60 26L84 8L86 52Q84 90 50 90Q16 90 14 52z \
    M30 50a6 7 0 1 0 12 0a6 7 0 1 0 -12 0zM58 50a6 7 0 1 0 12 0a6 7 0 1 0 -12 0z \
    M44 66L50 74L56 66z";

/// The player's animal on a picture.
pub(crate) fn animal(player: Player) -> Piece {
    Piece::disc(name(player)).with_path([MOUSE_FACE, CAT_FACE][player.index()]).of(player)
}

/// The two animals, which may be in the same place.
pub(crate) fn kit() -> Kit {
    Kit::singles(Player::BOTH.map(animal)).sharing()
}

/// The state that a person has set up, `turn` to move. `at` reads where an animal is from its place
/// on the picture.
pub(crate) fn set_up(
    scene: &Scene,
    turn: Player,
    at: impl Fn(usize, Player) -> Result<u16, String>,
) -> Result<Chase, NotationError> {
    let place = |player: Player| {
        let own = scene.pieces().filter(|(_, piece)| piece.side() == Some(player));
        let places: Vec<usize> = own.map(|(place, _)| place).collect();
        match places[..] {
            [place] => at(place, player),
            [] => Err(format!("the {} is nowhere: put it on the board", name(player))),
            _ => Err(format!("the {} is in {} places at once", name(player), places.len())),
        }
    };
    let state = || Ok(Chase { mouse: place(MOUSE)?, cat: place(CAT)?, turn });
    state().map_err(|problem: String| NotationError::new(problem))
}

/// Writes a state as `mouse's place,cat's place,who moves`.
pub(crate) fn write(state: &Chase, place: impl Fn(u16) -> String) -> String {
    format!("{},{},{}", place(state.mouse), place(state.cat), name(state.turn))
}

/// Reads what [`write`] writes.
pub(crate) fn parse(
    game: &impl Notation,
    text: &str,
    place: impl Fn(&str) -> Result<u16, NotationError>,
) -> Result<Chase, NotationError> {
    let expected = "where the mouse is, where the cat is and who moves";
    board::read_position(game, text, expected, |text| {
        let (places, turn) = board::split_turn(game, text)?;
        let (mouse, cat) = places
            .split_once(',')
            .ok_or_else(|| NotationError::new("it does not say where both are"))?;
        Ok(Chase { mouse: place(mouse.trim())?, cat: place(cat.trim())?, turn })
    })
}
