//! `stats`: a table in figures.

use indicatif::HumanCount;
use serde_json::json;

use super::super::output;
use super::super::session::Session;
use super::super::{CliError, Registered};
use crate::tablebase::Tablebase;

/// Prints the counts of a table, and how many states each distance has.
pub(in crate::cli) fn run<G: Registered>(
    game: &G,
    table: &Tablebase,
    session: &mut Session,
) -> Result<(), CliError> {
    let header = table.header();
    let summary = &header.summary;
    session.answer(
        || {
            let parameters: Option<serde_json::Value> =
                serde_json::from_str(&header.parameters).ok();
            let to_move = json!({
                "won": summary.won(),
                "lost": summary.lost(),
                "drawn": summary.draws(),
            });
            json!({
                "game": header.game,
                "parameters": parameters,
                "numbering": header.numbering.family(),
                "states": summary.states(),
                "wins": output::wins(game, summary),
                "draws": summary.draws(),
                "endless": summary.endless(),
                "beyond_ply_limit": summary.beyond_limit(),
                "longest": summary.longest(),
                "to_move": to_move,
                "distances": summary.distances,
                "bytes": table.file_length(),
            })
        },
        || {
            let count = |count| HumanCount(count).to_string();
            let mut text = format!(
                "{}, {} numbering: {} states, {} bytes\n",
                header.game,
                header.numbering.family(),
                HumanCount(summary.states()),
                HumanCount(table.file_length()),
            );
            text += &output::figures(&output::counts(game, summary));
            text += "for the player to move\n";
            text += &output::figures(&[
                ("won".into(), count(summary.won())),
                ("lost".into(), count(summary.lost())),
                ("drawn".into(), count(summary.draws())),
            ]);
            if !summary.distances.is_empty() {
                text += "  plies             won            lost\n";
            }
            for at in &summary.distances {
                let (won, lost) = (count(at.won), count(at.lost));
                text += &format!("  {:>5} {won:>15} {lost:>15}\n", at.plies);
            }
            text
        },
    )
}
