//! Pictures of positions: places, the lines between them, and the pieces on them.
//!
//! A game provides a [`Scene`] for a state ([`Notation::scene`](crate::Notation::scene)).
//! Everything that shows positions draws it with one renderer, [`Scene::to_svg`]. Distances are in
//! sides of a cell; `x` grows to the right and `y` downwards.
//!
//! ```
//! use retrograde::Player;
//! use retrograde::scene::{Piece, Scene};
//!
//! let mut scene = Scene::board(3, 3, |column, row| format!("r{row}c{column}"));
//! scene.put(4, Piece::cross().of(Player::First));
//! assert!(scene.to_svg(&Default::default()).contains("r1c1, first cross"));
//! ```

mod captions;
mod changes;
mod coordinate;
mod drawn_piece;
mod frame;
mod kit;
mod lines;
mod piece;
mod store;
mod svg;

pub(crate) use changes::Across;
pub use coordinate::Coordinate;
pub use kit::Kit;
#[cfg(feature = "serve")]
pub(crate) use kit::Put;
pub use piece::Piece;
pub(crate) use piece::Shape;
pub use svg::Drawing;
#[cfg(feature = "cli")]
pub(crate) use svg::Escaped;

use crate::game::Player;

/// A picture of a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    pub(crate) places: Vec<Place>,
    /// Lines between places.
    pub(crate) lines: Vec<[usize; 2]>,
    /// Lines that lead one way only.
    pub(crate) arrows: Vec<[usize; 2]>,
    /// Dots under the pieces.
    pub(crate) dots: Vec<[f32; 2]>,
    /// Areas behind everything: left, top, right, bottom.
    pub(crate) shades: Vec<[f32; 4]>,
    /// Groups of cells with a line around each.
    pub(crate) outlines: Vec<Vec<usize>>,
    /// If two pieces are on one place, the later one is in front.
    pub(crate) pieces: Vec<(usize, Piece)>,
    pub(crate) labels: Vec<Label>,
    /// Lines over the pieces.
    pub(crate) strikes: Vec<[usize; 2]>,
    /// Where the points of each player are shown.
    pub(crate) stores: Vec<Store>,
    /// The reserves that are for one kind of piece each.
    pub(crate) kept: Vec<(usize, Piece)>,
    colours: Colours,
    faint: bool,
    /// Whether the first player's pieces are those of the player to move.
    of_mover: bool,
    /// For each place, the place where the other player sees what is on it. Empty if both see the same.
    pub(crate) opposites: Vec<usize>,
    /// Whether the other player sees the board mirrored rather than turned round.
    stands: bool,
}

/// The colours of the two players' pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Colours {
    /// Light and dark.
    #[default]
    WhiteAndBlack,
    /// Dark and light.
    BlackAndWhite,
    YellowAndRed,
}

/// A place for pieces.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    /// The place's name for people.
    pub(crate) name: String,
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) kind: PlaceKind,
}

/// The look of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlaceKind {
    Cell,
    DarkCell,
    /// A cell that nothing can be on.
    Wall,
    /// A small round place at which lines end.
    Point,
    /// A round place with its name on it, or beside it if there are pieces.
    NamedPoint,
    /// A place for captured or unplaced pieces.
    Reserve,
    /// A side of a box, which a line may be drawn on: from left to right, or from top to bottom.
    Side {
        is_across: bool,
    },
    /// A place with its name on it, for a move that touches nothing else.
    Button,
}

impl PlaceKind {
    /// The radius of a round place, in sides of a cell.
    fn radius(self) -> Option<f32> {
        match self {
            PlaceKind::Point => Some(0.16),
            PlaceKind::NamedPoint => Some(0.26),
            _ => None,
        }
    }
}

/// The store of a player, around this centre.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Store {
    pub(crate) player: Player,
    pub(crate) x: f32,
    pub(crate) y: f32,
}

impl Store {
    /// Half the width and half the height, in sides of a cell.
    const HALF: [f32; 2] = [0.5, 0.7];
}

/// A text beside the places.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Label {
    pub(crate) text: String,
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) edge: Option<Edge>,
}

/// The edge of a board at which a label stays when the board is turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    Left,
    Below,
}

impl Scene {
    /// A scene without places.
    #[must_use]
    pub fn new() -> Scene {
        Scene::default()
    }

    /// A board of cells, `columns` wide and `rows` high. `name` returns the name of the cell at a
    /// column from the left and a row from the top. Place `row * columns + column` is this cell.
    #[must_use]
    pub fn board(columns: u32, rows: u32, name: impl Fn(u32, u32) -> String) -> Scene {
        let mut scene = Scene::new();
        for row in 0..rows {
            for column in 0..columns {
                scene.cell(column, row, &name(column, row));
            }
        }
        scene
    }

    /// A [board](Scene::board) with alternating light and dark cells. The cell at the top left is
    /// light.
    #[must_use]
    pub fn chequered(columns: u32, rows: u32, name: impl Fn(u32, u32) -> String) -> Scene {
        let mut scene = Scene::board(columns, rows, name);
        for place in &mut scene.places {
            if (place.x + place.y) as u32 % 2 == 1 {
                place.kind = PlaceKind::DarkCell;
            }
        }
        scene
    }

    fn place(
        &mut self,
        x: impl Coordinate,
        y: impl Coordinate,
        name: &str,
        kind: PlaceKind,
    ) -> usize {
        let (x, y) = (x.in_cells(), y.in_cells());
        self.places.push(Place { name: name.into(), x, y, kind });
        self.places.len() - 1
    }

    /// Adds a cell, a square of side 1 around this centre. Returns its number as a place: places
    /// are numbered from 0 as they are added.
    pub fn cell(&mut self, x: impl Coordinate, y: impl Coordinate, name: &str) -> usize {
        self.place(x, y, name, PlaceKind::Cell)
    }

    /// Adds a cell that nothing can be on.
    pub fn wall(&mut self, x: impl Coordinate, y: impl Coordinate, name: &str) -> usize {
        self.place(x, y, name, PlaceKind::Wall)
    }

    /// Adds a point of a board with lines.
    pub fn point(&mut self, x: impl Coordinate, y: impl Coordinate, name: &str) -> usize {
        self.place(x, y, name, PlaceKind::Point)
    }

    /// Adds a point with its name written on it, or beside it if there are pieces.
    pub fn named_point(&mut self, x: impl Coordinate, y: impl Coordinate, name: &str) -> usize {
        self.place(x, y, name, PlaceKind::NamedPoint)
    }

    /// Adds a place beside the board, for captured or unplaced pieces. A name of up to 16
    /// characters is written below it, or above it, if there is room.
    pub fn reserve(&mut self, x: impl Coordinate, y: impl Coordinate, name: &str) -> usize {
        self.place(x, y, name, PlaceKind::Reserve)
    }

    /// Adds a reserve for one kind of piece. When a person sets up a position, all pieces that are
    /// put there become this kind.
    pub fn reserve_of(
        &mut self,
        x: impl Coordinate,
        y: impl Coordinate,
        name: &str,
        piece: &Piece,
    ) -> usize {
        let place = self.reserve(x, y, name);
        self.kept.push((place, piece.clone()));
        place
    }

    /// Adds the side of a box, around its middle, for games in which lines are drawn. Boxes are 2 wide.
    pub fn side(
        &mut self,
        x: impl Coordinate,
        y: impl Coordinate,
        is_across: bool,
        name: &str,
    ) -> usize {
        self.place(x, y, name, PlaceKind::Side { is_across })
    }

    /// Adds a place with its name on it, for a move that touches nothing else, such as a pass. It takes no
    /// pieces.
    pub fn button(&mut self, x: impl Coordinate, y: impl Coordinate, name: &str) -> usize {
        self.place(x, y, name, PlaceKind::Button)
    }

    /// Draws a dot, which is no place.
    pub fn dot(&mut self, x: impl Coordinate, y: impl Coordinate) {
        self.dots.push([x.in_cells(), y.in_cells()]);
    }

    /// Shades a square behind everything, with this centre and this length of a side.
    pub fn shade(&mut self, x: impl Coordinate, y: impl Coordinate, length: impl Coordinate) {
        let (x, y, half) = (x.in_cells(), y.in_cells(), length.in_cells() / 2.0);
        self.shades.push([x - half, y - half, x + half, y + half]);
    }

    /// Draws a line between two places, over cells and up to the edge of points.
    ///
    /// # Panics
    /// If there are no such places.
    pub fn line(&mut self, from: usize, to: usize) {
        assert!(from.max(to) < self.places.len(), "a line between places {from} and {to}");
        self.lines.push([from, to]);
    }

    /// Draws a line with one direction, with its head at `to`.
    ///
    /// # Panics
    /// If there are no such places.
    pub fn arrow(&mut self, from: usize, to: usize) {
        assert!(from.max(to) < self.places.len(), "an arrow between places {from} and {to}");
        self.arrows.push([from, to]);
    }

    /// Draws a line around a group of cells: around a block of a board, or cells that one piece
    /// covers.
    ///
    /// # Panics
    /// If there are no such places.
    pub fn outline(&mut self, cells: &[usize]) {
        let beyond = cells.iter().find(|&&cell| cell >= self.places.len());
        assert!(beyond.is_none(), "an outline around place {beyond:?} of {}", self.places.len());
        self.outlines.push(cells.to_vec());
    }

    /// Draws a line over the pieces from one place to another, such as the row that wins.
    ///
    /// # Panics
    /// If there are no such places.
    pub fn strike(&mut self, from: usize, to: usize) {
        assert!(from.max(to) < self.places.len(), "a line between places that are not there");
        self.strikes.push([from, to]);
    }

    /// Puts a piece on a place. Several pieces may be on a place.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn put(&mut self, place: usize, piece: Piece) {
        assert!(place < self.places.len(), "a piece on place {place} of {}", self.places.len());
        if piece.count > 0 {
            self.pieces.push((place, piece));
        }
    }

    /// Puts a piece on each place of a set, which has a bit for each of the first 64 places.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn put_on(&mut self, places: u64, piece: &Piece) {
        let is_in = |place: &usize| places >> place & 1 == 1;
        (0..64).filter(is_in).for_each(|place| self.put(place, piece.clone()));
    }

    /// The places with pieces of a player, as a set with a bit for each of the first 64 places.
    #[must_use]
    pub fn places_of(&self, player: Player) -> u64 {
        let own = self.pieces().filter(|(place, piece)| *place < 64 && piece.side == Some(player));
        own.fold(0, |places, (place, _)| places | 1 << place)
    }

    /// Writes a text, centred on this point.
    pub fn label(&mut self, x: impl Coordinate, y: impl Coordinate, text: &str) {
        let (x, y) = (x.in_cells(), y.in_cells());
        self.labels.push(Label { text: text.into(), x, y, edge: None });
    }

    /// Writes the name of a row or a column at an edge of the board, where it stays when the board is turned.
    pub(crate) fn label_at(&mut self, edge: Edge, x: f32, y: f32, text: &str) {
        self.labels.push(Label { text: text.into(), x, y, edge: Some(edge) });
    }

    /// Draws the pieces of the first player black and the pieces of the second white, for games that black
    /// begins.
    pub fn set_black_and_white(&mut self) {
        self.colours = Colours::BlackAndWhite;
    }

    /// Draws the pieces of the first player yellow and the pieces of the second red, instead of
    /// white and black.
    pub fn set_yellow_and_red(&mut self) {
        self.colours = Colours::YellowAndRed;
    }

    /// Draws lines thin and faint, for a graph with so many that they would hide each other.
    pub fn set_faint_lines(&mut self) {
        self.faint = true;
    }

    /// Marks the pieces as those of the player to move ([`Player::First`]) and of the other, for a game
    /// whose states do not say who is to move. A page then keeps the colours of each player's pieces
    /// through a game: it exchanges them after every ply.
    pub fn set_sides_of_mover(&mut self) {
        self.of_mover = true;
    }

    /// Marks the places as seen by the player to move, whose side of the board comes first in every
    /// state. `opposite` returns the place where the other player sees what is on a place; on a board
    /// that is turned round, it is the last place for the first. Names of moves and touched places are
    /// then found as the player who moves sees them. If sides are also those of the player to move, say
    /// [that](Scene::set_sides_of_mover) too. Call this after all places are added: `opposite` is asked
    /// about reserves, too.
    ///
    /// ```
    /// use retrograde::Player;
    /// use retrograde::board::Grid;
    /// use retrograde::scene::{Piece, Scene};
    ///
    /// // A pawn of each player, as the player to move sees them.
    /// let pawns = |own, other| {
    ///     let mut scene = Grid::new(3, 3).scene();
    ///     scene.put(own, Piece::disc("pawn").of(Player::First));
    ///     scene.put(other, Piece::disc("pawn").of(Player::Second));
    ///     scene.set_sides_of_mover();
    ///     scene.set_places_of_mover(|cell| 8 - cell);
    ///     scene
    /// };
    /// // From a1, cell 6, to a2. The other player sees c2, cell 5.
    /// assert_eq!(pawns(6, 0).touched(&pawns(8, 5), None), [6, 3]);
    /// ```
    ///
    /// # Panics
    /// If the opposite of a place is not there, or has another opposite than that place.
    pub fn set_places_of_mover(&mut self, opposite: impl Fn(usize) -> usize) {
        let opposites: Vec<usize> = (0..self.places.len()).map(opposite).collect();
        for (place, &other) in opposites.iter().enumerate() {
            let back = opposites.get(other);
            assert!(
                back == Some(&place),
                "`Scene::set_places_of_mover`: the opposite of place {place} is {other}, whose opposite is \
                 {back:?}: expected that each of two places is the opposite of the other; the scene has {} \
                 places, reserves among them",
                opposites.len()
            );
        }
        self.opposites = opposites;
    }

    pub(crate) fn has_sides_of_mover(&self) -> bool {
        self.of_mover
    }

    pub(crate) fn has_places_of_mover(&self) -> bool {
        self.opposites.iter().enumerate().any(|(place, &opposite)| place != opposite)
    }

    /// Marks the board as standing upright between the players. The picture from the other side
    /// then exchanges left and right, instead of being turned round.
    pub fn set_upright(&mut self) {
        self.stands = true;
    }

    /// The pieces and their places, in the order in which they were put there.
    pub fn pieces(&self) -> impl Iterator<Item = (usize, &Piece)> {
        self.pieces.iter().map(|(place, piece)| (*place, piece))
    }

    /// The number of places.
    #[must_use]
    pub fn place_count(&self) -> usize {
        self.places.len()
    }

    /// The name of a place; empty for a place that the scene does not have.
    #[must_use]
    pub fn name(&self, place: usize) -> &str {
        self.places.get(place).map_or("", |place| &place.name)
    }

    /// The name of a place, and the pieces on it: "e4, white rook". `players` are the names of
    /// both.
    #[must_use]
    pub fn describe(&self, place: usize, players: [&str; 2]) -> String {
        let mut text = self.places.get(place).map_or(String::new(), |place| place.name.clone());
        let mut is_empty = true;
        for (_, piece) in self.pieces.iter().filter(|(at, _)| *at == place) {
            let owner =
                piece.side.map_or(String::new(), |side| format!("{} ", players[side.index()]));
            // "mouse mouse" adds nothing to "mouse".
            let owner = if owner.trim_end() == piece.name { String::new() } else { owner };
            let count = match piece.count {
                0 | 1 => String::new(),
                count => format!("{count} "),
            };
            let name =
                if piece.count > 1 { piece::plural(&piece.name) } else { piece.name.clone() };
            text += &format!(", {count}{owner}{name}");
            is_empty = false;
        }
        match self.places.get(place).map(|place| place.kind) {
            Some(PlaceKind::Wall) => text += ", wall",
            Some(PlaceKind::Button) => {}
            Some(_) if is_empty => text += ", empty",
            _ => {}
        }
        text
    }
}
