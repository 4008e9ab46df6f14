//! The places that a move touches, found by comparing the scenes before and after it.

use crate::game::Player;
use crate::game::scene::{Piece, Place, PlaceKind, Scene, Shape};

impl Piece {
    /// The piece of the same kind that the other player has. Crosses become noughts.
    fn of_other(&self) -> Piece {
        let exchanged = match self.shape {
            Shape::Cross => Piece::nought(),
            Shape::Nought => Piece::cross(),
            _ => self.clone(),
        };
        Piece { side: self.side.map(Player::opponent), count: self.count, ..exchanged }
    }
}

/// A way in which the other player may see a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Across {
    Same,
    /// Turned round.
    Turned,
    /// With the rows in the other order.
    Mirrored,
}

impl Scene {
    /// The places that a person touches to make the move from this scene to `after`, in order:
    /// where the mover's piece leaves, where it arrives, and where pieces of the other player
    /// vanish. `mover` is the player who moves; `None` if states do not name them. Then `after` is
    /// what the other player sees, if the scenes are marked as
    /// [seen](Scene::set_places_of_mover) by the player to move, or as having that player's
    /// [sides](Scene::set_sides_of_mover).
    ///
    /// Pieces that arrive in a [reserve](Scene::reserve) touch nothing: a capture is made on the
    /// board. If `mover` is `None` and sides are not those of the player to move, it makes no
    /// difference whose a piece is.
    #[must_use]
    pub fn touched(&self, after: &Scene, mover: Option<Player>) -> Vec<usize> {
        let own = if self.of_mover { Some(Player::First) } else { mover };
        match mover {
            Some(_) => self.touched_by(after, own),
            None => self.touched_by(&after.seen_by_other(), own),
        }
    }

    /// The scene as the other player sees it, if that player sees the board in this way; `None` if it has
    /// no place where a piece would be. Reserves stay.
    pub(crate) fn seen_across(&self, across: Across, exchanges: bool) -> Option<Scene> {
        let on_board = || self.places.iter().filter(|place| place.kind != PlaceKind::Reserve);
        let ends = |part: fn(&Place) -> f32| {
            let least = on_board().map(part).fold(f32::INFINITY, f32::min);
            least + on_board().map(part).fold(f32::NEG_INFINITY, f32::max)
        };
        let (width, height) = (ends(|place| place.x), ends(|place| place.y));
        let opposite = |at: usize| {
            let place = &self.places[at];
            let (x, y) = match across {
                Across::Same => return Some(at),
                _ if place.kind == PlaceKind::Reserve => return Some(at),
                Across::Turned => (width - place.x, height - place.y),
                Across::Mirrored => (place.x, height - place.y),
            };
            let is_there = |other: &Place| {
                other.kind != PlaceKind::Reserve && (other.x - x).hypot(other.y - y) < 0.01
            };
            self.places.iter().position(is_there)
        };
        let mut scene = self.clone();
        for (place, piece) in &mut scene.pieces {
            *place = opposite(*place)?;
            if exchanges {
                *piece = piece.of_other();
            }
        }
        Some(scene)
    }

    /// Whether the marked places of the mover are those of a board that the other player sees in this way.
    pub(crate) fn is_marked_as_seen(&self, across: Across) -> bool {
        let is_same = |seen: Scene| {
            seen.pieces.iter().zip(&self.seen_by_other().pieces).all(|(one, other)| {
                one.0 == other.0 || self.places[one.0].kind == PlaceKind::Reserve
            })
        };
        self.seen_across(across, false).is_some_and(is_same)
    }

    /// The number of places, without reserves, on which there are other pieces than in `other`.
    pub(crate) fn differing(&self, other: &Scene) -> u64 {
        let differs = |&place: &usize| {
            let (mut here, there) = (self.on(place), other.on(place));
            here.retain(|piece| !there.contains(piece));
            self.places[place].kind != PlaceKind::Reserve
                && (!here.is_empty() || self.on(place).len() != there.len())
        };
        (0..self.places.len()).filter(differs).count() as u64
    }

    /// The names of these places, without reserves; `None` if there are none.
    pub(crate) fn name_touched(&self, places: &[usize]) -> Option<String> {
        let on_board = |place: &&Place| place.kind != PlaceKind::Reserve;
        let places = places.iter().filter_map(|&place| self.places.get(place));
        let names: Vec<&str> = places.filter(on_board).map(|place| place.name.as_str()).collect();
        (!names.iter().all(|name| name.is_empty())).then(|| names.join("-"))
    }

    /// The scene as the player sees it who is not to move.
    pub(crate) fn seen_by_other(&self) -> Scene {
        let mut scene = self.clone();
        for (place, piece) in &mut scene.pieces {
            *place = self.opposites.get(*place).copied().unwrap_or(*place);
            if self.of_mover {
                *piece = piece.of_other();
            }
        }
        scene
    }

    /// The places that a move touches of the player whose pieces are `mover`'s, between scenes that one person sees.
    fn touched_by(&self, after: &Scene, mover: Option<Player>) -> Vec<usize> {
        let (mut left, mut arrived, mut vanished) = (Vec::new(), Vec::new(), Vec::new());
        for place in 0..self.places.len().max(after.places.len()) {
            let (before, now) = (self.on(place), after.on(place));
            let is_reserve =
                self.places.get(place).is_some_and(|place| place.kind == PlaceKind::Reserve);
            let is_own =
                |piece: &Piece| mover.is_none() || piece.side.is_none() || piece.side == mover;
            let count = |pieces: &[&Piece]| -> u32 {
                pieces.iter().filter(|piece| is_own(piece)).map(|piece| piece.count).sum()
            };
            let is_same = |one: &Piece, other: &Piece| match mover {
                Some(_) => one == other,
                None => (&one.name, one.count) == (&other.name, other.count),
            };
            let is_new =
                |piece: &&&Piece| is_own(piece) && !before.iter().any(|old| is_same(old, piece));
            if !is_reserve && now.iter().any(|piece| is_new(&piece)) {
                arrived.push(place);
            } else if count(&now) < count(&before) {
                left.push(place);
            } else if !is_reserve && now.len() < before.len() {
                vanished.push(place);
            }
        }
        left.extend(arrived);
        left.extend(vanished);
        left
    }

    /// The pieces on a place.
    pub(super) fn on(&self, place: usize) -> Vec<&Piece> {
        self.pieces.iter().filter(|(at, _)| *at == place).map(|(_, piece)| piece).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn man(player: Player) -> Piece {
        Piece::disc("man").of(player)
    }

    fn board(pieces: &[(usize, Player)]) -> Scene {
        let mut scene = Scene::board(3, 3, |column, row| format!("{column}{row}"));
        pieces.iter().for_each(|&(place, player)| scene.put(place, man(player)));
        scene
    }

    #[test]
    fn a_move_touches_where_a_piece_leaves_where_it_arrives_and_what_it_takes() {
        use Player::{First, Second};
        let touched = |before: &[_], after: &[_]| board(before).touched(&board(after), Some(First));
        assert_eq!(touched(&[], &[(4, First)]), [4], "put");
        assert_eq!(touched(&[(7, First)], &[(4, First)]), [7, 4], "moved");
        assert_eq!(touched(&[(7, First), (4, Second)], &[(4, First)]), [7, 4], "captured there");
        let before = [(7, First), (2, Second), (3, Second)];
        assert_eq!(touched(&before, &[(4, First), (3, Second)]), [7, 4, 2], "taken elsewhere");
        assert!(touched(&before, &before).is_empty(), "passed");
    }

    #[test]
    fn a_capture_into_a_reserve_is_made_on_the_board_and_a_drop_begins_in_the_reserve() {
        let scene = |in_hand: u32, on: Option<Player>| {
            let mut scene = board(&[]);
            let hand = scene.reserve(4.0, 2.0, "hand");
            scene.put(hand, man(Player::First).times(in_hand));
            on.into_iter().for_each(|player| scene.put(4, man(player)));
            scene
        };
        let mover = Some(Player::First);
        let captured =
            scene(0, Some(Player::Second)).touched(&scene(1, Some(Player::First)), mover);
        assert_eq!(captured, [4]);
        let dropped = scene(2, None).touched(&scene(1, Some(Player::First)), mover);
        assert_eq!(dropped, [9, 4]);
    }

    #[test]
    fn a_move_on_a_board_turned_for_the_mover_touches_what_the_mover_sees() {
        use Player::{First, Second};
        let seen = |pieces: &[(usize, Player)]| {
            let mut scene = board(pieces);
            let hand = scene.reserve(4.0, 2.0, "own hand");
            let other = scene.reserve(4.0, 0.0, "other hand");
            scene.put(hand, man(First));
            scene.put(other, man(Second).times(2));
            scene.set_sides_of_mover();
            scene.set_places_of_mover(|place| match place {
                9 => 10,
                10 => 9,
                cell => 8 - cell,
            });
            scene
        };
        let after = |pieces: &[(usize, Player)], in_hand| {
            let mut scene = seen(pieces);
            scene.pieces.retain(|(place, _)| *place < 9);
            scene.put(9, man(First).times(2));
            scene.put(10, man(Second).times(in_hand));
            scene
        };
        let before = seen(&[(6, First), (2, Second)]);
        assert_eq!(before.touched(&after(&[(6, First), (5, Second)], 1), None), [6, 3], "moved");
        assert_eq!(before.touched(&after(&[(6, Second)], 1), None), [6, 2], "captured there");
        let dropped = after(&[(2, Second), (6, First), (4, Second)], 0);
        assert_eq!(before.touched(&dropped, None), [9, 4], "dropped");
        assert_eq!(before.name_touched(&[9, 4]).as_deref(), Some("11"));
    }

    #[test]
    fn a_capture_is_seen_where_only_the_colours_are_exchanged() {
        use Player::{First, Second};
        let seen = |pieces: &[(usize, Player)]| {
            let mut scene = board(pieces);
            scene.set_sides_of_mover();
            scene
        };
        let before = seen(&[(7, First), (4, Second), (0, Second)]);
        let after = seen(&[(4, Second), (0, First)]);
        assert_eq!(before.touched(&after, None), [7, 4]);
    }

    #[test]
    fn the_crosses_of_the_mover_are_noughts_for_the_other_player() {
        let seen = |crosses: &[usize], noughts: &[usize]| {
            let mut scene = board(&[]);
            let mut put = |places: &[usize], piece: Piece| {
                places.iter().for_each(|&place| scene.put(place, piece.clone()));
            };
            put(crosses, Piece::cross().of(Player::First));
            put(noughts, Piece::nought().of(Player::Second));
            scene.set_sides_of_mover();
            scene
        };
        assert_eq!(seen(&[0, 1], &[4, 5]).touched(&seen(&[4, 5], &[0, 1, 2]), None), [2]);
    }

    #[test]
    fn counters_of_nobody_are_touched_where_they_are_taken() {
        let heap = |counters: usize| {
            let mut scene = Scene::board(5, 1, |column, _| column.to_string());
            (0..counters).for_each(|place| scene.put(place, Piece::disc("counter")));
            scene
        };
        assert_eq!(heap(5).touched(&heap(3), None), [3, 4]);
    }
}
