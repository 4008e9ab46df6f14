//! The captions of reserves: chooses which are written, and their places.

use std::fmt::Write as _;

use crate::game::scene::frame::Frame;
use crate::game::scene::svg::Escaped;
use crate::game::scene::{PlaceKind, Scene};

/// The most characters of a caption.
const LONGEST: usize = 16;

/// The width of a character, and half the height of a line, in sides of a cell.
const WIDTH: f32 = 0.11;
const HALF_HEIGHT: f32 = 0.12;

/// The distance of a caption from the centre of its reserve, in sides of a cell.
const AWAY: f32 = 0.66;

/// Part of a picture: its centre, and half its width and height.
type Area = [f32; 4];

/// The caption of a reserve.
pub(super) struct Caption<'s> {
    text: &'s str,
    area: Area,
}

impl Caption<'_> {
    /// The bounds of the caption on the scene: left, top, right, bottom.
    pub(super) fn bounds(&self) -> [f32; 4] {
        let [x, y, half_width, half_height] = self.area;
        [x - half_width, y - half_height, x + half_width, y + half_height]
    }
}

fn overlap(one: &Area, other: &Area) -> bool {
    (one[0] - other[0]).abs() < one[2] + other[2] && (one[1] - other[1]).abs() < one[3] + other[3]
}

fn area_of_text([x, y]: [f32; 2], text: &str) -> Area {
    [x, y, 0.5 * WIDTH * text.chars().count() as f32, HALF_HEIGHT]
}

impl Scene {
    /// The captions of the reserves. A name that is long, or has no room, is left out.
    pub(super) fn captions(&self) -> Vec<Caption<'_>> {
        let places = self.places.iter().map(|place| [place.x, place.y, 0.5, 0.5]);
        // Labels are 1.5 times as large.
        let labels = self.labels.iter().map(|label| {
            let [x, y, half_width, half_height] = area_of_text([label.x, label.y], &label.text);
            [x, y, 1.5 * half_width, 1.5 * half_height]
        });
        let mut taken: Vec<Area> = places.chain(labels).collect();
        let mut captions = Vec::new();
        for place in self.places.iter().filter(|place| place.kind == PlaceKind::Reserve) {
            if place.name.is_empty() || place.name.chars().count() > LONGEST {
                continue;
            }
            let areas =
                [AWAY, -AWAY].map(|away| area_of_text([place.x, place.y + away], &place.name));
            let is_free = |area: &&Area| !taken.iter().any(|other| overlap(area, other));
            if let Some(&area) = areas.iter().find(is_free) {
                taken.push(area);
                captions.push(Caption { text: &place.name, area });
            }
        }
        captions
    }

    pub(super) fn draw_captions(&self, svg: &mut String, frame: &Frame) {
        for Caption { text, area: [x, y, ..] } in self.captions() {
            let ([x, y], text) = (frame.at(x, y), Escaped(text));
            let _ =
                writeln!(svg, "<text class=\"caption\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captions(scene: &Scene) -> Vec<(&str, f32)> {
        scene.captions().iter().map(|caption| (caption.text, caption.area[1])).collect()
    }

    #[test]
    fn the_name_of_a_reserve_is_written_below_it_or_above_where_there_is_room() {
        let mut scene = Scene::board(2, 2, |column, row| format!("{column}{row}"));
        scene.reserve(3.0, 0.0, "upper");
        scene.reserve(3.0, 1.0, "lower");
        assert_eq!(captions(&scene), [("upper", -AWAY), ("lower", 1.0 + AWAY)]);
        scene.label(3.0, 1.7, "label");
        scene.reserve(6.0, 0.0, "the reserve of black");
        assert_eq!(captions(&scene), [("upper", -AWAY)]);
    }

    #[test]
    fn a_caption_is_inside_the_picture() {
        let size = |name: &str| {
            let mut scene = Scene::new();
            scene.reserve(0.0, 0.0, name);
            scene.picture(&Default::default()).size
        };
        let ([without, low], [with, high]) = (size(""), size("white's hand"));
        assert!(with > without && high > low);
    }
}
