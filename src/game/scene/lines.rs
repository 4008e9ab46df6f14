//! Draws lines, arrows and outlines between and around places.

use std::fmt::Write as _;

use crate::game::scene::frame::{Frame, SCALE};
use crate::game::scene::{PlaceKind, Scene};

/// The greatest distance at which two centres count as the same, in sides of a cell.
const SAME: f32 = 0.01;

impl Scene {
    /// Whether lines are drawn over the places. They are if there are cells, which would hide them
    /// otherwise.
    pub(super) fn has_cells(&self) -> bool {
        let is_cell =
            |kind| matches!(kind, PlaceKind::Cell | PlaceKind::DarkCell | PlaceKind::Wall);
        self.places.iter().any(|place| is_cell(place.kind))
    }

    /// Draws lines and arrows. They begin and end at the edge of round places.
    pub(super) fn draw_lines(&self, svg: &mut String, frame: &Frame) {
        for &ends in self.lines.iter().chain(&self.arrows) {
            let [[x1, y1], [x2, y2]] = self.visible(ends, frame);
            let _ = writeln!(
                svg,
                "<line class=\"edge\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
            );
        }
        for &[from, to] in &self.arrows {
            let [[x1, y1], [x2, y2]] = [from, to].map(|end| self.centre(end, frame));
            let length = (x2 - x1).hypot(y2 - y1).max(1.0);
            let [right, down] = [(x2 - x1) / length * SCALE, (y2 - y1) / length * SCALE];
            // Beside a piece that may be there: this far back from the end, and this far aside.
            let corners = [(0.4, 0.0), (0.62, 0.1), (0.62, -0.1)].map(|(back, aside)| {
                let x = x2 - back * right - aside * down;
                let y = y2 - back * down + aside * right;
                format!("{x:.1},{y:.1}")
            });
            let _ = writeln!(svg, "<polygon class=\"head\" points=\"{}\"/>", corners.join(" "));
        }
    }

    /// The part of a line outside the round places that it joins.
    fn visible(&self, ends: [usize; 2], frame: &Frame) -> [[f32; 2]; 2] {
        let [[x1, y1], [x2, y2]] = ends.map(|end| self.centre(end, frame));
        let length = (x2 - x1).hypot(y2 - y1);
        let [first, last] =
            ends.map(|end| SCALE * self.places[end].kind.radius().unwrap_or(0.0) / length);
        if first + last >= 1.0 || !length.is_normal() {
            return [[x1, y1], [x2, y2]];
        }
        let at = |part: f32| [x1 + part * (x2 - x1), y1 + part * (y2 - y1)];
        [at(first), at(1.0 - last)]
    }

    /// Draws the outlines: the sides of each cell that no other cell of its group shares.
    pub(super) fn draw_outlines(&self, svg: &mut String, frame: &Frame) {
        for group in &self.outlines {
            let centres: Vec<[f32; 2]> =
                group.iter().map(|&cell| [self.places[cell].x, self.places[cell].y]).collect();
            let mut path = String::new();
            for &[x, y] in &centres {
                for [right, down] in [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]] {
                    let is_beside = |other: &[f32; 2]| {
                        (other[0] - x - right).abs() < SAME && (other[1] - y - down).abs() < SAME
                    };
                    if !centres.iter().any(is_beside) {
                        let [[x1, y1], [x2, y2]] = [0.5, -0.5].map(|half| {
                            frame.at(x + 0.5 * right + half * down, y + 0.5 * down + half * right)
                        });
                        let _ = write!(path, "M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}");
                    }
                }
            }
            let _ = writeln!(svg, "<path class=\"outline\" d=\"{path}\"/>");
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::game::scene::{Drawing, Scene};

    fn board() -> Scene {
        Scene::board(2, 2, |column, row| format!("{column}{row}"))
    }

    #[test]
    fn lines_lie_over_cells_and_end_at_points() {
        let order = |scene: &Scene| {
            let svg = scene.to_svg(&Drawing::default());
            (
                svg.find("class=\"edge\"").expect("a line"),
                svg.rfind("class=\"shape\"").expect("a place"),
            )
        };
        let mut cells = board();
        cells.line(0, 3);
        let (line, place) = order(&cells);
        assert!(line > place);
        let mut points = Scene::new();
        for x in [0.0, 1.0] {
            points.point(x, 0.0, "point");
        }
        points.line(0, 1);
        let (line, place) = order(&points);
        assert!(line < place);
        // The points have a radius of 0.16 each.
        let svg = points.to_svg(&Drawing::default());
        let number = |name: &str| -> f32 {
            let (_, rest) = svg.split_once(&format!(" {name}=\"")).expect("an end of the line");
            rest.split_once('"').expect("a number").0.parse().expect("a number")
        };
        assert!((number("x2") - number("x1") - 64.0 * 0.68).abs() < 0.2, "{svg}");
    }

    #[test]
    fn an_outline_has_the_sides_that_no_other_cell_of_its_group_shares() {
        let sides = |cells: &[usize]| {
            let mut scene = board();
            scene.outline(cells);
            let svg = scene.to_svg(&Drawing::default());
            let (_, path) = svg.split_once("class=\"outline\" d=\"").expect("an outline");
            path.split_once('"').expect("a path").0.matches('M').count()
        };
        assert_eq!(
            [sides(&[0]), sides(&[0, 1]), sides(&[0, 3]), sides(&[0, 1, 2, 3])],
            [4, 6, 8, 8]
        );
        assert_eq!(sides(&[]), 0);
    }
}
