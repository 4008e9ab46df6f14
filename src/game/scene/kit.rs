//! The pieces for setting up positions.

use crate::game::scene::{Piece, PlaceKind, Scene};

/// The pieces that a person puts on a picture to set up a position.
///
/// ```
/// use retrograde::Player;
/// use retrograde::scene::{Kit, Piece};
///
/// let kings = Player::BOTH.map(|player| Piece::glyph("♚", "king").of(player));
/// let pawns = Player::BOTH.map(|player| Piece::glyph("♟", "pawn").of(player));
/// let kit = Kit::singles(kings).and(Kit::new(pawns));
/// assert!(!kit.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kit {
    pub(crate) pieces: Vec<Kind>,
    pub(crate) shares: bool,
}

/// A kind of piece of a kit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) piece: Piece,
    /// Whether there is only one piece of this kind.
    pub(crate) is_single: bool,
}

/// Some pieces of a kind on a place. The kind is its number in the kit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Put {
    pub(crate) place: usize,
    pub(crate) kind: usize,
    pub(crate) count: u32,
}

impl Kit {
    fn from_pieces(pieces: impl IntoIterator<Item = Piece>, is_single: bool) -> Kit {
        let kind = |piece: Piece| Kind { piece: piece.times(1), is_single };
        Kit { pieces: pieces.into_iter().map(kind).collect(), shares: false }
    }

    /// A kit of these pieces. There may be any number of each.
    #[must_use]
    pub fn new(pieces: impl IntoIterator<Item = Piece>) -> Kit {
        Kit::from_pieces(pieces, false)
    }

    /// A kit of single pieces, such as kings. Putting one somewhere moves it there.
    #[must_use]
    pub fn singles(pieces: impl IntoIterator<Item = Piece>) -> Kit {
        Kit::from_pieces(pieces, true)
    }

    /// This kit, followed by the pieces of another.
    #[must_use]
    pub fn and(mut self, other: Kit) -> Kit {
        self.pieces.extend(other.pieces);
        self.shares |= other.shares;
        self
    }

    /// This kit for a game whose pieces share places. Without this, a piece that is put on a place
    /// replaces the one there.
    #[must_use]
    pub fn sharing(self) -> Kit {
        Kit { shares: true, ..self }
    }

    /// Whether there are no pieces.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }
}

/// The methods for the server and the laws.
impl Kit {
    /// The kind of a piece, by its number.
    fn kind_of(&self, piece: &Piece) -> Option<usize> {
        self.pieces.iter().position(|kind| kind.piece.is_like(piece))
    }

    /// The pieces of the kit that are on a scene.
    pub(crate) fn put_on(&self, scene: &Scene) -> Vec<Put> {
        let put = |&(place, ref piece): &(usize, Piece)| {
            Some(Put { place, kind: self.kind_of(piece)?, count: piece.count })
        };
        scene.pieces.iter().filter_map(put).collect()
    }

    /// A scene with these pieces of the kit instead of the kit's pieces that are on it. Pieces that
    /// are not of the kit stay. Pieces that are put into a reserve of one kind become this kind.
    ///
    /// # Panics
    /// If there are no such places or kinds.
    pub(crate) fn rearranged(&self, scene: &Scene, put: &[Put]) -> Scene {
        let mut scene = scene.clone();
        scene.pieces.retain(|(_, piece)| self.kind_of(piece).is_none());
        for &Put { place, kind, count } in put {
            let kept = scene.kept.iter().find(|(at, _)| *at == place);
            let kept = kept.and_then(|(_, piece)| self.kind_of(piece));
            let piece = &self.pieces[kept.unwrap_or(kind)].piece;
            let here = scene.pieces.iter_mut().find(|(at, on)| *at == place && on.is_like(piece));
            match here {
                Some((_, on)) => on.count = on.count.saturating_add(count),
                None => scene.put(place, piece.clone().times(count)),
            }
        }
        scene
    }

    /// The first place of a rearranged scene, except reserves, that has several pieces of the kit.
    /// If pieces share places, they must be of one kind.
    pub(crate) fn crowded(&self, scene: &Scene) -> Option<usize> {
        let put = self.put_on(scene);
        let mut taken = vec![0; scene.places.len()];
        put.iter().for_each(|put| taken[put.place] += 1);
        let is_crowded = |put: &&Put| {
            let is_reserve = scene.places[put.place].kind == PlaceKind::Reserve;
            !is_reserve && (put.count > 1 || taken[put.place] > 1 && !self.shares)
        };
        put.iter().find(is_crowded).map(|put| put.place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Player;

    fn men() -> [Piece; 2] {
        Player::BOTH.map(|player| Piece::disc("man").of(player))
    }

    fn scene() -> Scene {
        let mut scene = Scene::board(2, 1, |column, _| column.to_string());
        scene.reserve_of(3.0, 0.0, "first's hand", &men()[0]);
        scene.put(0, Piece::mark("*", "goal"));
        scene.put(0, men()[1].clone());
        scene.put(2, men()[0].clone().times(3));
        scene
    }

    fn put(place: usize, kind: usize, count: u32) -> Put {
        Put { place, kind, count }
    }

    #[test]
    fn the_pieces_of_the_kit_are_exchanged_and_others_stay() {
        let kit = Kit::new(men());
        let pieces = kit.put_on(&scene());
        assert_eq!(pieces, [put(0, 1, 1), put(2, 0, 3)]);
        assert_eq!(kit.rearranged(&scene(), &pieces), scene());
        let moved = kit.rearranged(&scene(), &[put(1, 0, 1)]);
        let on =
            |place| moved.pieces().filter(move |(at, _)| *at == place).map(|(_, on)| on.name());
        assert!(on(0).eq(["goal"]) && on(1).eq(["man"]) && on(2).count() == 0);
    }

    #[test]
    fn a_reserve_of_one_kind_makes_all_pieces_of_that_kind() {
        let kit = Kit::new(men());
        let scene = kit.rearranged(&scene(), &[put(2, 0, 2), put(2, 1, 1)]);
        assert_eq!(kit.put_on(&scene), [put(2, 0, 3)]);
        assert_eq!(kit.crowded(&scene), None);
    }

    #[test]
    fn two_on_a_place_are_noticed_unless_pieces_share_places() {
        let two = [put(1, 0, 1), put(1, 1, 1)];
        let kit = Kit::new(men());
        assert_eq!(kit.crowded(&kit.rearranged(&scene(), &two)), Some(1));
        assert_eq!(kit.crowded(&kit.rearranged(&scene(), &[put(1, 0, 2)])), Some(1));
        let kit = kit.sharing();
        assert_eq!(kit.crowded(&kit.rearranged(&scene(), &two)), None);
        assert_eq!(kit.crowded(&kit.rearranged(&scene(), &[put(1, 0, 2)])), Some(1));
    }
}
