//! Stores: where a picture shows the points of each player.

use std::fmt::Write as _;

use crate::game::Player;
use crate::game::scene::frame::{Frame, SCALE};
use crate::game::scene::svg::Escaped;
use crate::game::scene::{Coordinate, Scene, Store};

/// The distance of a store's name and of its points from the centre, in sides of a cell.
const NAME_AWAY: f32 = 0.46;
const POINTS_AWAY: f32 = 0.1;

impl Scene {
    /// Adds the store of a player, around this centre, 1 wide and 1.4 high. A page writes there how many
    /// points the player has gained since the game began. A state does not know them: each value counts
    /// the points that are still to come.
    ///
    /// ```
    /// use retrograde::Player;
    /// use retrograde::scene::Scene;
    ///
    /// let mut scene = Scene::board(6, 2, |column, row| format!("house {column} of row {row}"));
    /// scene.store(6.2, 0.5, Player::First);
    /// scene.store(-1.2, 0.5, Player::Second);
    /// assert!(scene.to_svg(&Default::default()).contains("store first"));
    /// ```
    pub fn store(&mut self, x: impl Coordinate, y: impl Coordinate, player: Player) {
        self.stores.push(Store { player, x: x.in_cells(), y: y.in_cells() });
    }

    /// Draws the stores without points. Sides of the player to move have no names: a page knows who that is.
    pub(super) fn draw_stores(&self, svg: &mut String, frame: &Frame, players: [&str; 2]) {
        for Store { player, x, y } in &self.stores {
            let ([x, y], side) = (frame.at(*x, *y), ["first", "second"][player.index()]);
            let name = if self.of_mover { "" } else { players[player.index()] };
            let described = match (self.of_mover, player) {
                (false, _) => format!("the store of {name}"),
                (true, Player::First) => "the store of the player to move".to_owned(),
                (true, Player::Second) => "the store of the other player".to_owned(),
            };
            let [half_width, half_height] = Store::HALF.map(|half| half * SCALE);
            let _ = writeln!(
                svg,
                "<g class=\"store {side}\" role=\"img\" aria-label=\"{described}\">\
                 <rect class=\"shape\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"20\"/>\
                 <text class=\"owner\" x=\"{x:.1}\" y=\"{:.1}\">{name}</text>\
                 <text class=\"points\" x=\"{x:.1}\" y=\"{:.1}\"></text></g>",
                x - half_width,
                y - half_height,
                2.0 * half_width,
                2.0 * half_height,
                y - NAME_AWAY * SCALE,
                y + POINTS_AWAY * SCALE,
                name = Escaped(name),
                described = Escaped(&described),
            );
        }
    }
}
