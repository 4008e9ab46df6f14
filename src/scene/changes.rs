//! The places that a move touches, found by comparing the scenes before and after it.

use crate::game::Player;
use crate::scene::{Piece, PlaceKind, Scene};

impl Scene {
    /// The places that a person touches to make the move from this scene to `after`, in order:
    /// where the mover's piece leaves, where it arrives, and where pieces of the other player
    /// vanish. `mover` is the player who moves; `None` if states do not name them.
    ///
    /// Pieces that arrive in a [reserve](Scene::reserve) touch nothing: a capture is made on the
    /// board. If `mover` is `None`, it makes no difference whose a piece is.
    #[must_use]
    pub fn touched(&self, after: &Scene, mover: Option<Player>) -> Vec<usize> {
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
    fn on(&self, place: usize) -> Vec<&Piece> {
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
    fn counters_of_nobody_are_touched_where_they_are_taken() {
        let heap = |counters: usize| {
            let mut scene = Scene::board(5, 1, |column, _| column.to_string());
            (0..counters).for_each(|place| scene.put(place, Piece::disc("counter")));
            scene
        };
        assert_eq!(heap(5).touched(&heap(3), None), [3, 4]);
    }
}
