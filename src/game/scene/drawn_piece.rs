//! How a piece is drawn.

use std::fmt::Write as _;

use crate::game::Player;
use crate::game::scene::svg::{Escaped, Square};
use crate::game::scene::{Piece, Shape};

/// The style of crosses and noughts.
const STROKES: &str =
    "fill=\"none\" stroke=\"currentColor\" stroke-width=\"6\" stroke-linecap=\"round\"";

/// The percentage of the usual size from which on a number has room on a disc.
const LEAST_WITH_COUNT: u8 = 60;

impl Piece {
    /// Whether the number of pieces is written on the piece: on a disc that has nothing else on it.
    fn has_count_inside(&self) -> bool {
        self.shape == Shape::Disc
            && self.glyph.is_empty()
            && self.path.is_empty()
            && self.percent >= LEAST_WITH_COUNT
    }

    /// The centre of the number of pieces, for a piece at a point in a square of this size.
    pub(super) fn count_at(&self, [x, y]: [f32; 2], size: f32) -> [f32; 2] {
        if self.has_count_inside() { [x, y] } else { [x + 0.34 * size, y + 0.36 * size] }
    }

    /// Draws the piece on a place.
    pub(super) fn draw(&self, svg: &mut String, place: usize, square: Square) {
        let Square { at: [x, y], turned, covers, .. } = square;
        let size = square.size * f32::from(self.percent) / 100.0;
        let side = match self.side {
            Some(Player::First) => "first",
            Some(Player::Second) => "second",
            None => "nobody",
        };
        let shape = match self.shape {
            Shape::Bare => "bare",
            Shape::Mark | Shape::Cross | Shape::Nought => "mark",
            Shape::Disc => "disc",
            Shape::Tile => "tile",
        };
        let lid = if covers { " lid" } else { "" };
        let _ = write!(
            svg,
            "<g class=\"piece {shape} {side}{lid}\" data-at=\"{place}\" aria-hidden=\"true\">"
        );
        let mut glyph_size = 0.78 * size;
        match self.shape {
            Shape::Bare | Shape::Mark => {}
            Shape::Cross => {
                let [left, right, top, bottom] =
                    [x - 0.25 * size, x + 0.25 * size, y - 0.25 * size, y + 0.25 * size];
                let _ = write!(
                    svg,
                    "<path d=\"M{left:.1} {top:.1}L{right:.1} {bottom:.1}M{right:.1} {top:.1}L{left:.1} {bottom:.1}\" \
                     {STROKES}/>"
                );
            }
            Shape::Nought => {
                let radius = 0.28 * size;
                let _ = write!(
                    svg,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" {STROKES}/>"
                );
            }
            Shape::Disc => {
                glyph_size = if self.path.is_empty() { 0.5 } else { 0.6 } * size;
                let radius = 0.37 * size;
                let _ = write!(
                    svg,
                    "<circle class=\"body\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>"
                );
            }
            Shape::Tile => {
                glyph_size = if self.path.is_empty() { 0.46 } else { 0.56 } * size;
                let up = if (self.side == Some(Player::Second)) == turned { 1.0 } else { -1.0 };
                let corners =
                    [(0.0, -0.42), (0.36, -0.2), (0.36, 0.4), (-0.36, 0.4), (-0.36, -0.2)];
                let points = corners.map(|(right, down)| {
                    format!("{:.1},{:.1}", x + right * size, y + down * up * size)
                });
                let _ = write!(svg, "<polygon class=\"body\" points=\"{}\"/>", points.join(" "));
            }
        }
        if !self.path.is_empty() {
            let (half, scale) = (glyph_size / 2.0, glyph_size / 100.0);
            let (left, top, path) = (x - half, y - half, Escaped(self.path));
            let _ = write!(
                svg,
                "<path class=\"glyph\" d=\"{path}\" \
                 transform=\"translate({left:.1} {top:.1}) scale({scale:.3})\"/>"
            );
        } else if !self.glyph.is_empty() {
            let text = Escaped(&self.glyph);
            let _ = write!(
                svg,
                "<text class=\"glyph\" x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{glyph_size:.0}\">{text}</text>"
            );
        }
        if self.count > 1 {
            let [x, y] = self.count_at(square.at, square.size);
            let count = self.count;
            let class = if self.has_count_inside() { "count inside" } else { "count" };
            let _ = write!(svg, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{count}</text>");
        }
        svg.push_str("</g>\n");
    }
}
