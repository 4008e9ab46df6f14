//! Where a scene is on its picture.

use crate::game::scene::{Edge, PlaceKind, Scene, Store};

/// The length of a cell's side in units of the picture.
pub(super) const SCALE: f32 = 64.0;

/// The room around the places, in sides of a cell.
const MARGIN: f32 = 0.12;

/// The position of a scene on its picture.
pub(super) struct Frame {
    left: f32,
    top: f32,
    pub(super) size: [f32; 2],
    /// The sums of left and right and of top and bottom of all but the names of rows and columns, which stay
    /// where they are when the board is turned.
    ends: [f32; 2],
    /// Whether left and right are exchanged, and whether up and down are.
    pub(super) turned: [bool; 2],
}

impl Frame {
    pub(super) fn around(scene: &Scene, flipped: bool) -> Frame {
        let half = |kind| if kind == PlaceKind::NamedPoint { 0.7 } else { 0.5 };
        let places = scene.places.iter().map(|place| (place.x, place.y, half(place.kind)));
        let labels = |at_edge: bool| {
            let labels = scene.labels.iter().filter(move |label| label.edge.is_some() == at_edge);
            labels.map(|label| (label.x, label.y, 0.3))
        };
        let square = |(x, y, half): (f32, f32, f32)| [x - half, y - half, x + half, y + half];
        let around = places.chain(labels(false)).map(square);
        let captions = scene.captions().into_iter().map(|caption| caption.bounds());
        let [half_width, half_height] = Store::HALF;
        let stores = scene.stores.iter().map(|store| {
            [
                store.x - half_width,
                store.y - half_height,
                store.x + half_width,
                store.y + half_height,
            ]
        });
        let start = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];
        let join = |all: [f32; 4], [left, top, right, bottom]: [f32; 4]| {
            [all[0].min(left), all[1].min(top), all[2].max(right), all[3].max(bottom)]
        };
        let board = around.chain(captions).chain(stores).fold(start, join);
        let bounds = labels(true).map(square).fold(board, join);
        let is_empty = bounds[0] > bounds[2];
        let [left, top, right, bottom] = if is_empty { [0.0; 4] } else { bounds };
        let ends = if is_empty { [0.0; 2] } else { [board[0] + board[2], board[1] + board[3]] };
        let size = [right - left, bottom - top].map(|length| (length + 2.0 * MARGIN) * SCALE);
        let turned = [flipped, flipped && !scene.stands];
        Frame { left: left - MARGIN, top: top - MARGIN, size, ends, turned }
    }

    /// The position of a scene's point on the picture.
    pub(super) fn at(&self, x: f32, y: f32) -> [f32; 2] {
        self.at_edge(x, y, None)
    }

    /// The position of a point that stays at an edge of the board when that is turned.
    pub(super) fn at_edge(&self, x: f32, y: f32, edge: Option<Edge>) -> [f32; 2] {
        let turned = |axis: usize, at: f32, stays: bool| {
            if self.turned[axis] && !stays { self.ends[axis] - at } else { at }
        };
        let x = turned(0, x, edge == Some(Edge::Left));
        let y = turned(1, y, edge == Some(Edge::Below));
        [(x - self.left) * SCALE, (y - self.top) * SCALE]
    }
}
