//! The graph as it is drawn.

use retrograde::scene::{Piece, Scene};

use super::CatMouse;
use crate::graphs::picture;

/// A hole in the ground, as a path in a square of 100 by 100.
const HOLE: &str = "M10 54a40 26 0 1 1 80 0a40 26 0 1 1 -80 0z";

impl CatMouse {
    /// The graph and the hole, if there is a picture of them. It is laid out once: solving never
    /// needs it.
    pub(super) fn drawn_graph(&self) -> Option<&Scene> {
        self.drawn.get_or_init(|| self.draw_graph()).as_ref()
    }

    fn draw_graph(&self) -> Option<Scene> {
        let mut scene = picture(&self.graph)?;
        scene.put(self.hole.into(), Piece::disc("hole").with_path(HOLE));
        Some(scene)
    }
}
