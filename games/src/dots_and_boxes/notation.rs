//! How people write positions and moves, and what they look like.

use retrograde::board;
use retrograde::scene::{Kit, Piece, Scene};
use retrograde::{Notation, NotationError, Player};

use super::{DotsAndBoxes, DotsAndBoxesParameters, Drawn};
use crate::shared;

/// The letter of a line that is drawn.
const DRAWN: &str = "x";

/// How far dots are from each other on a picture: a cell for a line is between them.
const DOTS_APART: f32 = 2.0;

/// The directions of lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Across,
    Down,
}

impl Way {
    /// A line on a picture.
    fn drawn(self) -> Piece {
        match self {
            Way::Across => Piece::mark("", "line across").with_path("M-78 44H178V56H-78z"),
            Way::Down => Piece::mark("", "line down").with_path("M44 -78H56V178H44z"),
        }
    }
}

impl DotsAndBoxes {
    /// The number of lines in each row, from the top.
    fn row_lengths(&self) -> Vec<usize> {
        let columns = self.parameters.columns as usize;
        (0..=2 * self.parameters.rows as usize).map(|row| columns + row % 2).collect()
    }

    /// The row of a line among all rows of lines, and its place in it.
    fn place_in_rows(&self, line: usize) -> (u32, u32) {
        let columns = self.parameters.columns;
        let both = 2 * columns + 1;
        let (rows, place) = (line as u32 / both, line as u32 % both);
        match place.checked_sub(columns) {
            None => (2 * rows, place),
            Some(place) => (2 * rows + 1, place),
        }
    }

    /// The dots that a line joins, from the left or from the bottom; and its direction.
    fn ends(&self, line: usize) -> ([usize; 2], Way) {
        let (row, column) = self.place_in_rows(line);
        let dots = self.dots();
        match row % 2 {
            0 => ([column, column + 1].map(|column| dots.cell(column, row / 2)), Way::Across),
            _ => ([row / 2 + 1, row / 2].map(|row| dots.cell(column, row)), Way::Down),
        }
    }

    /// The dots that a line joins: `a1-b1`.
    fn line_name(&self, line: usize) -> String {
        let (ends, _) = self.ends(line);
        ends.map(|dot| self.dots().name(dot)).join("-")
    }
}

impl Drawn {
    fn has(&self, line: usize) -> bool {
        self.lines >> line & 1 == 1
    }
}

impl Notation for DotsAndBoxes {
    fn rules(&self) -> Option<String> {
        let DotsAndBoxesParameters { columns, rows } = self.parameters;
        let size = shared::size(columns, rows);
        Some(format!(
            "The board has dots at the corners of boxes, {size} of them. A move draws a line between \
             two dots that are next to each other, across or down. A player who draws the last line \
             round a box gets the box and must move again. Play is over when all lines are drawn. \
             Whoever has more boxes wins, and as many for both are a draw."
        ))
    }

    fn write_state(&self, drawn: &Drawn) -> String {
        let mut lines = 0..;
        let mut letter = || lines.next().is_some_and(|line| drawn.has(line));
        let rows = self.row_lengths().into_iter().map(|length| {
            (0..length).map(|_| if letter() { DRAWN } else { "." }).collect::<String>()
        });
        format!("{},{}", rows.collect::<Vec<_>>().join("/"), self.player(drawn.turn))
    }

    fn parse_state(&self, text: &str) -> Result<Drawn, NotationError> {
        let lengths = self.row_lengths();
        let (rows, columns) = (lengths.len(), self.parameters.columns);
        let expected = format_args!(
            "{rows} rows of {columns} horizontal and {} vertical lines by turns, x or ., and who is to move",
            columns + 1
        );
        board::read_position(self, text, expected, |text| {
            let (rows, turn) = board::split_turn(self, text)?;
            let mut lines = 0;
            board::read_rows(rows, &lengths, DRAWN, |line, _| lines |= 1 << line)?;
            Ok(Drawn { lines, turn })
        })
    }

    /// The dots that the line joins: `a1-b1`.
    fn write_move(&self, from: &Drawn, to: &Drawn) -> String {
        match (to.lines & !from.lines).trailing_zeros() as usize {
            line if line < self.boxes.len() => self.line_name(line),
            _ => self.write_state(to),
        }
    }

    /// The dots with their names beside them, and the lines.
    fn draw(&self, drawn: &Drawn) -> String {
        let (dots, mut text, mut line) = (self.dots(), String::new(), 0);
        for (row, length) in self.row_lengths().into_iter().enumerate() {
            let are_across = row % 2 == 0;
            let name = if are_across {
                (dots.rows() as usize - row / 2).to_string()
            } else {
                String::new()
            };
            let mut drawing = format!("{name:>2} ");
            for _ in 0..length {
                drawing += match (are_across, drawn.has(line)) {
                    (true, true) => "+---",
                    (true, false) => "+   ",
                    (false, true) => "|   ",
                    (false, false) => "    ",
                };
                line += 1;
            }
            drawing += if are_across { "+" } else { "" };
            text += drawing.trim_end();
            text.push('\n');
        }
        let names = (0..dots.columns()).map(|column| {
            let name = dots.name(dots.cell(column, 0));
            format!("{:<4}", name.trim_end_matches(|digit: char| digit.is_ascii_digit()))
        });
        text += format!("   {}", names.collect::<String>()).trim_end();
        format!("{text}\n{} to move", self.player(drawn.turn))
    }

    /// The dots, and a cell for each line between them.
    fn scene(&self, drawn: &Drawn) -> Option<Scene> {
        let (dots, lines) = (self.dots(), self.boxes.len());
        let at = |dot: usize| {
            let (column, row) = dots.place(dot);
            [column, row].map(|part| DOTS_APART * part as f32)
        };
        let mut scene = Scene::new();
        for line in 0..lines {
            let (ends, way) = self.ends(line);
            let [[x1, y1], [x2, y2]] = ends.map(at);
            let (x, y) = ((x1 + x2) / 2.0, (y1 + y2) / 2.0);
            scene.side(x, y, way == Way::Across, &self.line_name(line));
        }
        for [x, y] in (0..dots.cells()).map(at) {
            scene.dot(x, y);
        }
        for line in (0..lines).filter(|&line| drawn.has(line)) {
            scene.put(line, self.ends(line).1.drawn());
        }
        dots.label(&mut scene, DOTS_APART);
        let DotsAndBoxesParameters { columns, rows } = self.parameters;
        for (number, lines) in (0..).zip(super::boxes(columns, rows)) {
            if lines & !drawn.lines == 0 {
                let [x, y] = [number % columns, number / columns]
                    .map(|part| DOTS_APART * (part as f32 + 0.5));
                scene.shade(x, y, 0.8 * DOTS_APART);
            }
        }
        let beside = DOTS_APART * columns as f32 + 1.2;
        let middle = DOTS_APART * rows as f32 / 2.0;
        for (player, y) in Player::BOTH.into_iter().zip([middle - 0.8, middle + 0.8]) {
            scene.store(beside, y, player);
        }
        Some(scene)
    }

    fn kit(&self) -> Kit {
        Kit::new([Way::Across, Way::Down].map(Way::drawn))
    }

    fn set_up(&self, scene: &Scene, turn: Player) -> Result<Drawn, NotationError> {
        let mut lines = 0;
        for (place, piece) in scene.pieces() {
            let expected = self.ends(place).1.drawn();
            if piece.name() != expected.name() {
                let (name, found, expected) =
                    (self.line_name(place), piece.name(), expected.name());
                let problem = format!("a {found} can't be at {name}: put a {expected} there");
                return Err(NotationError::new(problem));
            }
            lines |= 1 << place;
        }
        Ok(Drawn { lines, turn })
    }

    fn with_other_mover(&self, drawn: &Drawn) -> Option<Drawn> {
        Some(Drawn { turn: drawn.turn.opponent(), ..*drawn })
    }
}
