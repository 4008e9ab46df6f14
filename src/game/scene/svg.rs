//! Draws a scene as SVG.

use std::f32::consts::FRAC_PI_8;
use std::fmt::Write as _;

use crate::game::scene::frame::{Frame, SCALE};
use crate::game::scene::{Colours, Piece, PlaceKind, Scene};

/// The distance of a point's name from its centre if the name is beside it, in sides of a cell.
const NAME_AWAY: f32 = 0.54;

/// The distance from lines at which a name is well readable, in sides of a cell.
const ENOUGH_ROOM: f32 = 0.3;

/// The distance that the number of a piece reaches from its centre, in sides of a cell.
const COUNT: f32 = 0.2;

/// The size of labels, as a part of the picture's longer side.
const LABEL: f32 = 0.03;

/// The size of labels on large boards.
const LARGEST_LABEL: f32 = 18.0;

/// The style of the classes of elements, on light and on dark backgrounds. A page that shows scenes
/// has its own rules for them.
const STYLE: &str = include_str!("style.css");

/// How a scene is drawn.
///
/// ```
/// use retrograde::scene::{Drawing, Scene};
///
/// let board = Scene::board(3, 3, |column, row| format!("{column}{row}"));
/// let svg = board.to_svg(&Drawing::default().players(["crosses", "noughts"]).title("the start"));
/// assert!(svg.starts_with("<svg"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    players: [&'a str; 2],
    flipped: bool,
    style: bool,
    title: &'a str,
}

impl<'a> Drawing<'a> {
    /// Sets the names of the players, for the descriptions of the places. Default: "first" and
    /// "second".
    #[must_use]
    pub fn players(self, players: [&'a str; 2]) -> Self {
        Drawing { players, ..self }
    }

    /// Sets whether the picture is as the second player sees it: turned round, or mirrored if the
    /// board [stands upright](Scene::set_upright). Default: as the first player sees it.
    #[must_use]
    pub fn flipped(self, flipped: bool) -> Self {
        Drawing { flipped, ..self }
    }

    /// Sets whether the picture contains its colours, so that it can stand alone. Without them, a
    /// page needs rules for the classes of the picture's elements. Default: it contains them.
    #[must_use]
    pub fn style(self, style: bool) -> Self {
        Drawing { style, ..self }
    }

    /// Sets what the picture shows, for people who do not see it. Default: "a position".
    #[must_use]
    pub fn title(self, title: &'a str) -> Self {
        Drawing { title, ..self }
    }
}

impl Default for Drawing<'_> {
    fn default() -> Self {
        let players = ["first", "second"];
        Drawing { players, flipped: false, style: true, title: "a position" }
    }
}

/// The picture, its size and the centres of its places.
#[cfg_attr(
    not(any(feature = "serve", test)),
    expect(dead_code, reason = "only the server has a page")
)]
pub(crate) struct Picture {
    pub(crate) svg: String,
    /// The width and the height of the picture, in its own units.
    pub(crate) size: [f32; 2],
    /// The centre of each place.
    pub(crate) centres: Vec<[f32; 2]>,
}

impl Scene {
    /// The scene as an SVG picture. Each place is an element with its number in `data-place` and
    /// its [description](Scene::describe) in `aria-label`.
    #[must_use]
    pub fn to_svg(&self, drawing: &Drawing<'_>) -> String {
        self.picture(drawing).svg
    }

    /// The scene as a picture, with the centres of its places.
    pub(crate) fn picture(&self, drawing: &Drawing<'_>) -> Picture {
        let frame = Frame::around(self, drawing.flipped);
        let [width, height] = frame.size;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"scene{}{}{}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             role=\"group\" aria-label=\"{}\">\n",
            self.colours.class(),
            if self.faint { " faint" } else { "" },
            if self.of_mover { " of-mover" } else { "" },
            Escaped(drawing.title)
        );
        if drawing.style {
            let _ =
                writeln!(svg, "<title>{}</title><style>{STYLE}</style>", Escaped(drawing.title));
        }
        self.draw_board(&mut svg, &frame, drawing);
        self.draw_pieces(&mut svg, &frame);
        svg.push_str("</svg>\n");
        let centres = (0..self.places.len()).map(|place| self.centre(place, &frame)).collect();
        Picture { svg, size: frame.size, centres }
    }

    /// A single piece in the colours of this scene, for a page that has the colours.
    #[cfg(feature = "serve")]
    pub(crate) fn icon(&self, piece: &Piece) -> String {
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"scene{}\" viewBox=\"0 0 {SCALE} {SCALE}\">",
            self.colours.class()
        );
        let square = Square { at: [SCALE / 2.0; 2], size: SCALE, turned: false, covers: false };
        piece.draw(&mut svg, 0, square);
        svg + "</svg>"
    }

    /// The centre of a place on the picture.
    pub(super) fn centre(&self, place: usize, frame: &Frame) -> [f32; 2] {
        let place = &self.places[place];
        frame.at(place.x, place.y)
    }

    /// The place of a point's name: in the point, or beside it if pieces hide it. Beside it, the
    /// name is where there is most room between lines and other places.
    fn name_at(&self, place: usize, frame: &Frame) -> [f32; 2] {
        let [x, y] = self.centre(place, frame);
        if self.pieces.iter().all(|(at, _)| *at != place) {
            return [x, y];
        }
        let room = |at: [f32; 2]| {
            let lines = self.lines.iter().chain(&self.arrows);
            let lines = lines.map(|ends| distance(at, ends.map(|end| self.centre(end, frame))));
            let others = (0..self.places.len()).filter(|&other| other != place).map(|other| {
                let centre = self.centre(other, frame);
                distance(at, [centre, centre]) - 0.3 * SCALE
            });
            let counts =
                self.counts(frame).map(|count| distance(at, [count, count]) - COUNT * SCALE);
            lines.chain(others).chain(counts).fold(ENOUGH_ROOM * SCALE, f32::min)
        };
        // Of equals the last one is taken: the one to the right and down.
        let around = (2..=17_u8).rev().map(|sixteenth| {
            let (sine, cosine) = (f32::from(sixteenth) * FRAC_PI_8).sin_cos();
            [x + NAME_AWAY * SCALE * cosine, y + NAME_AWAY * SCALE * sine]
        });
        around.max_by(|one, other| room(*one).total_cmp(&room(*other))).unwrap_or([x, y])
    }

    /// Draws lines, places and labels.
    fn draw_board(&self, svg: &mut String, frame: &Frame, drawing: &Drawing<'_>) {
        for &[left, top, right, bottom] in &self.shades {
            let [[x1, y1], [x2, y2]] = [frame.at(left, top), frame.at(right, bottom)];
            let (left, top, width, height) =
                (x1.min(x2), y1.min(y2), (x2 - x1).abs(), (y2 - y1).abs());
            let _ = writeln!(
                svg,
                "<rect class=\"shade\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
            );
        }
        if !self.has_cells() {
            self.draw_lines(svg, frame);
        }
        for (number, place) in self.places.iter().enumerate() {
            let [x, y] = frame.at(place.x, place.y);
            let description = self.describe(number, drawing.players);
            let class = match place.kind {
                PlaceKind::Cell => "cell",
                PlaceKind::DarkCell => "cell dark",
                PlaceKind::Wall => "cell wall",
                PlaceKind::Point => "point",
                PlaceKind::NamedPoint => "point named",
                PlaceKind::Reserve => "reserve",
                PlaceKind::Side { .. } => "side",
                PlaceKind::Button => "button",
            };
            let _ = write!(
                svg,
                "<g class=\"place {class}\" data-place=\"{number}\" role=\"img\" aria-label=\"{}\">",
                Escaped(&description)
            );
            let half = SCALE / 2.0;
            let rectangle = |svg: &mut String, class: &str, [wide, high]: [f32; 2], round: f32| {
                let (left, top) = (x - wide / 2.0, y - high / 2.0);
                write!(
                    svg,
                    "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.0}\" height=\"{high:.0}\" \
                     rx=\"{round:.0}\"/>"
                )
            };
            let _ = match (place.kind, place.kind.radius()) {
                (PlaceKind::Side { is_across }, _) => {
                    let along = |[long, high]: [f32; 2]| {
                        let size = if is_across { [long, high] } else { [high, long] };
                        size.map(|length| length * SCALE)
                    };
                    rectangle(svg, "reach", along([1.7, 0.7]), 0.0)
                        .and_then(|()| rectangle(svg, "shape", along([1.6, 0.06]), 0.0))
                }
                (PlaceKind::Button, _) => rectangle(svg, "shape", [SCALE, 0.6 * SCALE], 10.0),
                // The wider circle is invisible: it makes the point easier to touch.
                (_, Some(radius)) => write!(
                    svg,
                    "<circle class=\"reach\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\"/>\
                     <circle class=\"shape\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\"/>",
                    0.42 * SCALE,
                    radius * SCALE
                ),
                (_, None) => write!(
                    svg,
                    "<rect class=\"shape\" x=\"{:.1}\" y=\"{:.1}\" width=\"{SCALE}\" height=\"{SCALE}\"/>",
                    x - half,
                    y - half
                ),
            };
            if matches!(place.kind, PlaceKind::NamedPoint | PlaceKind::Button) {
                let [x, y] = match place.kind {
                    PlaceKind::Button => [x, y],
                    _ => self.name_at(number, frame),
                };
                let name = Escaped(&place.name);
                let _ = write!(svg, "<text class=\"name\" x=\"{x:.1}\" y=\"{y:.1}\">{name}</text>");
            }
            svg.push_str("</g>\n");
        }
        if self.has_cells() {
            self.draw_lines(svg, frame);
        }
        self.draw_outlines(svg, frame);
        for [x, y] in self.dots.iter().map(|[x, y]| frame.at(*x, *y)) {
            let radius = 0.14 * SCALE;
            let _ = writeln!(
                svg,
                "<circle class=\"corner\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>"
            );
        }
        self.draw_captions(svg, frame);
        self.draw_stores(svg, frame, drawing.players);
        // A small board is shown as large as a large one: its labels are smaller beside its cells.
        let [width, height] = frame.size;
        let size = (LABEL * width.max(height)).clamp(0.5 * LARGEST_LABEL, LARGEST_LABEL);
        for label in &self.labels {
            let [x, y] = frame.at_edge(label.x, label.y, label.edge);
            let text = Escaped(&label.text);
            let _ = writeln!(
                svg,
                "<text class=\"label\" x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size:.1}\">{text}</text>"
            );
        }
    }

    /// Draws the pieces. Pieces of one size that share a place are side by side. Of a stack the largest
    /// is drawn last, and lets the others shine through.
    fn draw_pieces(&self, svg: &mut String, frame: &Frame) {
        let mut numbers: Vec<usize> = (0..self.pieces.len()).collect();
        numbers.sort_by_key(|&number| self.pieces[number].1.percent);
        for number in numbers {
            let (place, piece) = &self.pieces[number];
            let (at, size) = self.square_of(number, frame);
            let covers = self.on(*place).iter().any(|on| on.percent < piece.percent);
            piece.draw(svg, *place, Square { at, size, turned: frame.turned[1], covers });
        }
        for [from, to] in &self.strikes {
            let [[x1, y1], [x2, y2]] = [from, to].map(|&place| self.centre(place, frame));
            let _ = writeln!(
                svg,
                "<line class=\"strike\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
            );
        }
    }

    /// Whether the pieces on a place are of different sizes.
    fn is_stack(&self, place: usize) -> bool {
        self.on(place).windows(2).any(|two| two[0].percent != two[1].percent)
    }

    /// The square in which a piece is drawn, by the piece's number: its centre and its side.
    fn square_of(&self, number: usize, frame: &Frame) -> ([f32; 2], f32) {
        let place = self.pieces[number].0;
        let [x, y] = self.centre(place, frame);
        if self.is_stack(place) {
            return ([x, y], SCALE);
        }
        let here = |pieces: &[(usize, Piece)]| pieces.iter().filter(|(at, _)| *at == place).count();
        let (before, all) = (here(&self.pieces[..number]), here(&self.pieces));
        let aside = before as f32 - (all - 1) as f32 / 2.0;
        let (size, width) = match all {
            1 => (SCALE, SCALE),
            _ => (1.32 * SCALE / all as f32, SCALE / all as f32),
        };
        ([x + width * aside, y], size)
    }

    /// The places of the pieces' numbers, for pieces that have one.
    fn counts<'s>(&'s self, frame: &'s Frame) -> impl Iterator<Item = [f32; 2]> + 's {
        let counted = self.pieces.iter().enumerate().filter(|(_, (_, piece))| piece.count > 1);
        counted.map(|(number, (_, piece))| {
            let (at, size) = self.square_of(number, frame);
            piece.count_at(at, size)
        })
    }
}

impl Colours {
    /// The class of a picture in these colours, behind the class of all pictures.
    fn class(self) -> &'static str {
        match self {
            Colours::WhiteAndBlack => "",
            Colours::BlackAndWhite => " black-white",
            Colours::YellowAndRed => " red-yellow",
        }
    }
}

/// The distance of a point from the line between two others.
fn distance([x, y]: [f32; 2], [[x1, y1], [x2, y2]]: [[f32; 2]; 2]) -> f32 {
    let [right, down] = [x2 - x1, y2 - y1];
    let length = (right * right + down * down).max(1e-6);
    let along = (((x - x1) * right + (y - y1) * down) / length).clamp(0.0, 1.0);
    (x - x1 - along * right).hypot(y - y1 - along * down)
}

/// Where a piece is drawn: the square of a usual one.
#[derive(Clone, Copy)]
pub(super) struct Square {
    /// Its centre.
    pub(super) at: [f32; 2],
    /// The length of its side.
    pub(super) size: f32,
    /// Whether up on the board is down on the picture.
    pub(super) turned: bool,
    /// Whether smaller pieces are under this one.
    pub(super) covers: bool,
}

/// A text escaped for XML. Characters that XML does not allow are left out.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\t' | '\n' => f.write_char(' ')?,
                '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
                _ => f.write_char(character)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Player;
    use crate::game::board::Grid;

    fn scene() -> Scene {
        let mut scene = Scene::chequered(2, 1, |column, _| format!("<{column}>"));
        scene.put(0, Piece::tile("\"&", "a & b").of(Player::First));
        scene
    }

    #[test]
    fn what_a_game_writes_never_becomes_an_element() {
        let svg = scene().to_svg(&Drawing::default().title("<script>"));
        assert!(svg.contains("&lt;script&gt;") && svg.contains("&quot;&amp;"), "{svg}");
        assert!(svg.contains("&lt;0&gt;, first a &amp; b"), "{svg}");
        assert!(!svg.contains("<script"), "{svg}");
    }

    #[test]
    fn a_flipped_picture_is_turned_round() {
        let picture = |flipped| scene().picture(&Drawing::default().flipped(flipped));
        let (upright, flipped) = (picture(false), picture(true));
        assert_eq!(upright.centres[0], flipped.centres[1]);
        assert_eq!(upright.size, flipped.size);
        assert_ne!(upright.svg, flipped.svg);
    }

    #[test]
    fn the_names_of_rows_and_columns_stay_at_the_left_and_below() {
        let scene = Grid::new(3, 3).scene();
        let names = |flipped| {
            let svg = scene.to_svg(&Drawing::default().flipped(flipped));
            let place = |line: &str, axis: &str| -> f32 {
                let (_, rest) = line.split_once(&format!(" {axis}=\"")).expect("a coordinate");
                rest.split_once('"').expect("a number").0.parse().expect("a number")
            };
            let labels = svg.lines().filter(|line| line.contains("class=\"label\""));
            labels.map(|line| (place(line, "x"), place(line, "y"))).collect::<Vec<_>>()
        };
        let (own, other) = (names(false), names(true));
        assert!((0..3).all(|row| own[row].0 == other[row].0 && own[row].1 == other[2 - row].1));
        let is_below = |at: usize| own[at].1 == other[at].1 && own[at].0 == other[8 - at].0;
        assert!((3..6).all(is_below));
    }

    #[test]
    fn an_upright_board_is_mirrored_for_the_other_player() {
        let mut scene = Scene::board(2, 2, |column, row| format!("{column}{row}"));
        scene.set_upright();
        let [own, other] = [false, true]
            .map(|flipped| scene.picture(&Drawing::default().flipped(flipped)).centres);
        assert_eq!([own[0], own[1], own[2]], [other[1], other[0], other[3]]);
    }

    #[test]
    fn a_tile_points_towards_the_opponent() {
        let points_up = |player, flipped| {
            let mut scene = Scene::board(1, 1, |_, _| "a1".into());
            scene.put(0, Piece::tile("L", "lion").of(player));
            let picture = scene.picture(&Drawing::default().flipped(flipped));
            let (_, corners) = picture.svg.split_once("points=\"").expect("a tile");
            let (tip, _) = corners.split_once(' ').expect("corners");
            let (_, y) = tip.split_once(',').expect("a point");
            y.parse::<f32>().expect("a number") < picture.centres[0][1]
        };
        assert!(points_up(Player::First, false) && !points_up(Player::Second, false));
        assert!(!points_up(Player::First, true) && points_up(Player::Second, true));
    }

    #[test]
    fn an_arrow_has_its_head_where_it_leads() {
        let heads = |[from, to]: [usize; 2]| {
            let mut scene = Scene::board(4, 1, |column, _| column.to_string());
            scene.arrow(from, to);
            let svg = scene.to_svg(&Drawing::default());
            let (_, rest) = svg.split_once("class=\"head\" points=\"").expect("a head");
            let (x, _) = rest.split_once(',').expect("a point");
            x.parse::<f32>().expect("a number")
        };
        assert!(heads([0, 3]) > 2.0 * SCALE && heads([3, 0]) < 2.0 * SCALE);
    }

    #[test]
    fn the_name_of_a_point_is_beside_the_number_of_its_pieces() {
        let mut scene = Scene::new();
        let point = scene.named_point(0.0, 0.0, "7");
        let name_at = |scene: &Scene| scene.name_at(point, &Frame::around(scene, false));
        scene.put(point, Piece::disc_with("m", "man"));
        let alone = name_at(&scene);
        let count =
            scene.pieces[0].1.count_at(scene.centre(point, &Frame::around(&scene, false)), SCALE);
        assert!(distance(alone, [count, count]) < COUNT * SCALE, "the roomiest place of one man");
        scene.pieces[0].1.count = 12;
        assert!(distance(name_at(&scene), [count, count]) > (COUNT + ENOUGH_ROOM) * SCALE);
    }

    #[test]
    fn a_scene_without_places_is_an_empty_picture() {
        assert!(Scene::new().to_svg(&Drawing::default()).starts_with("<svg"));
    }
}
