//! What the pictures of several games have in common.

use retrograde::scene::Scene;

/// A pawn. The second character keeps it from being shown as a coloured symbol.
pub(crate) const PAWN: &str = "\u{265F}\u{FE0E}";

/// The name of a square by its row from the top and its column from the left: `r0c2`.
pub(crate) fn square_name(column: u32, row: u32) -> String {
    format!("r{row}c{column}")
}

/// Writes the names of the rows of a board, from the top, on the left of it. `apart` is how far the
/// centres of its squares are from each other.
pub(crate) fn label_rows(scene: &mut Scene, apart: f32, names: impl Iterator<Item = String>) {
    for (row, name) in (0_u16..).zip(names) {
        scene.label(-0.75, apart * f32::from(row), &name);
    }
}

/// Writes the names of the columns of a board, from the left, below its last row.
pub(crate) fn label_columns(
    scene: &mut Scene,
    apart: f32,
    last_row: u32,
    names: impl Iterator<Item = String>,
) {
    for (column, name) in (0_u16..).zip(names) {
        scene.label(apart * f32::from(column), apart * last_row as f32 + 0.75, &name);
    }
}

/// Labels a board whose squares are named by [`square_name`].
pub(crate) fn label_squares(scene: &mut Scene, apart: f32, columns: u32, rows: u32) {
    label_rows(scene, apart, (0..rows).map(|row| format!("r{row}")));
    label_columns(scene, apart, rows - 1, (0..columns).map(|column| format!("c{column}")));
}
