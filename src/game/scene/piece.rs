//! Pieces: their looks, names and players.

use crate::game::Player;

/// A piece: its look, its name, and its player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub(crate) shape: Shape,
    pub(crate) glyph: String,
    /// The path that is drawn in place of the glyph. Empty for none.
    pub(crate) path: &'static str,
    pub(crate) name: String,
    pub(crate) side: Option<Player>,
    /// The number of such pieces on its place.
    pub(crate) count: u32,
    /// The size in which it is drawn, in percent of the usual.
    pub(crate) percent: u8,
}

/// The shape of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Only the glyph, in the colour of its player.
    Bare,
    /// Only the glyph, in the colour of text.
    Mark,
    /// Two lines, in the colour of text.
    Cross,
    /// A ring, in the colour of text.
    Nought,
    Disc,
    /// A tile that points towards the opponent: up for the first player, down for the second.
    Tile,
}

impl Piece {
    fn new(shape: Shape, glyph: &str, name: &str) -> Piece {
        let (glyph, name) = (glyph.into(), name.into());
        Piece { shape, glyph, path: "", name, side: None, count: 1, percent: 100 }
    }

    /// A piece that is drawn as a character in the colour of its player, such as `♜`. `name` is its
    /// name for people.
    #[must_use]
    pub fn glyph(glyph: &str, name: &str) -> Piece {
        Piece::new(Shape::Bare, glyph, name)
    }

    /// A mark that is drawn as a character in the colour of text.
    #[must_use]
    pub fn mark(glyph: &str, name: &str) -> Piece {
        Piece::new(Shape::Mark, glyph, name)
    }

    /// A cross, as in tic-tac-toe.
    #[must_use]
    pub fn cross() -> Piece {
        Piece::new(Shape::Cross, "", "cross")
    }

    /// A nought, as in tic-tac-toe.
    #[must_use]
    pub fn nought() -> Piece {
        Piece::new(Shape::Nought, "", "nought")
    }

    /// A round piece.
    #[must_use]
    pub fn disc(name: &str) -> Piece {
        Piece::new(Shape::Disc, "", name)
    }

    /// A round piece with a character on it.
    #[must_use]
    pub fn disc_with(glyph: &str, name: &str) -> Piece {
        Piece::new(Shape::Disc, glyph, name)
    }

    /// A tile with a character on it, which points towards the opponent of its player: up for the
    /// first player, down for the second.
    #[must_use]
    pub fn tile(glyph: &str, name: &str) -> Piece {
        Piece::new(Shape::Tile, glyph, name)
    }

    /// This piece with a picture on it in place of a character, so that it looks the same on every
    /// system. `path` is the data of an SVG path in a square of 100 by 100. Gaps in
    /// an area run the other way round.
    ///
    /// ```
    /// use retrograde::scene::Piece;
    ///
    /// let bone = "M20 40h60v20h-60z";
    /// let dog = Piece::disc("dog").with_path(bone);
    /// assert_eq!(dog.name(), "dog");
    /// ```
    #[must_use]
    pub fn with_path(self, path: &'static str) -> Piece {
        Piece { path, ..self }
    }

    /// The piece's name for people.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The player who owns it; `None` for a piece of no player.
    #[must_use]
    pub fn side(&self) -> Option<Player> {
        self.side
    }

    /// The number of such pieces on its place.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Whether it is the same as another piece, except for their numbers.
    pub(super) fn is_like(&self, other: &Piece) -> bool {
        let of = |piece: &Piece| (piece.shape, piece.side, piece.percent);
        of(self) == of(other)
            && (&self.name, &self.glyph, self.path) == (&other.name, &other.glyph, other.path)
    }

    /// This piece as a player's piece, drawn in the player's colour. A piece of no player, such as
    /// a goal, has the colour of text.
    #[must_use]
    pub fn of(self, player: Player) -> Piece {
        Piece { side: Some(player), ..self }
    }

    /// This piece, drawn in this percentage of the usual size. Where pieces of different sizes share a
    /// place, they are drawn as a stack seen from above: a larger one covers a smaller one, which
    /// shines through.
    ///
    /// ```
    /// use retrograde::Player;
    /// use retrograde::scene::{Piece, Scene};
    ///
    /// let cup = |percent| Piece::disc("cup").sized(percent);
    /// let mut scene = Scene::board(1, 1, |_, _| "here".into());
    /// scene.put(0, cup(100).of(Player::First));
    /// scene.put(0, cup(50).of(Player::Second));
    /// assert_eq!(scene.describe(0, ["white", "black"]), "here, white cup, black cup");
    /// ```
    ///
    /// # Panics
    /// If it is not from 1 to 100.
    #[must_use]
    pub fn sized(self, percent: u8) -> Piece {
        assert!((1..=100).contains(&percent), "a piece of {percent} percent: expected 1 to 100");
        Piece { percent, ..self }
    }

    /// This number of the piece on one place. With 0, nothing is drawn.
    #[must_use]
    pub fn times(self, count: u32) -> Piece {
        Piece { count, ..self }
    }
}

/// The plural of the name of a piece.
pub(super) fn plural(name: &str) -> String {
    match name.strip_suffix("man") {
        Some(start) => format!("{start}men"),
        None if name.ends_with(['s', 'x']) => format!("{name}es"),
        None => format!("{name}s"),
    }
}
