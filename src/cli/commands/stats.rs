//! `stats`: a table in figures.

use indicatif::HumanCount;
use serde_json::json;

use super::super::output;
use super::super::session::Session;
use super::super::{CliError, Registered};
use crate::solve::{Summary, TierFigures};
use crate::tablebase::{Tablebase, TierFolder};

/// A table, or the tables of a game's tiers, in figures.
pub(in crate::cli) struct Stats {
    game: String,
    parameters: Option<serde_json::Value>,
    numbering: &'static str,
    summary: Summary,
    bytes: u64,
    /// The tiers that are solved, and how many there are.
    tiers: Option<(Vec<TierFigures>, usize)>,
}

impl Stats {
    pub(in crate::cli) fn of_file(table: &Tablebase) -> Stats {
        let header = table.header();
        Stats {
            game: header.game.clone(),
            parameters: serde_json::from_str(&header.parameters).ok(),
            numbering: header.numbering.family(),
            summary: header.summary.clone(),
            bytes: table.file_length(),
            tiers: None,
        }
    }

    pub(in crate::cli) fn of_tiers(folder: &TierFolder, tiers: &[TierFigures]) -> Stats {
        Stats {
            game: folder.game_name().to_owned(),
            parameters: Some(folder.parameters().clone()),
            numbering: "tiers",
            summary: Summary::sum(tiers.iter().map(|tier| &tier.summary)),
            bytes: tiers.iter().filter_map(|tier| tier.bytes).sum(),
            tiers: Some((tiers.to_vec(), folder.tier_count())),
        }
    }
}

/// Prints the counts of a table, and how many states each distance has.
pub(in crate::cli) fn run<G: Registered>(
    game: &G,
    stats: &Stats,
    session: &mut Session,
) -> Result<(), CliError> {
    let Stats { summary, bytes, tiers, .. } = stats;
    session.answer(
        || {
            let to_move = json!({
                "won": summary.won(),
                "lost": summary.lost(),
                "drawn": summary.draws(),
            });
            let mut object = json!({
                "game": stats.game,
                "parameters": stats.parameters,
                "numbering": stats.numbering,
                "states": summary.states(),
                "wins": output::wins(game, summary),
                "draws": summary.draws(),
                "endless": summary.endless(),
                "beyond_ply_limit": summary.beyond_limit(),
                "longest": summary.longest(),
                "to_move": to_move,
                "distances": summary.distances,
                "bytes": bytes,
            });
            if let (Some((tiers, _)), Some(object)) = (tiers, object.as_object_mut()) {
                object.insert("tiers".into(), output::tiers_json(game, tiers));
            }
            object
        },
        || {
            let count = |count| HumanCount(count).to_string();
            let mut text = format!(
                "{}, {} numbering: {} states, {} bytes\n",
                stats.game,
                stats.numbering,
                HumanCount(summary.states()),
                HumanCount(*bytes),
            );
            if let Some((tiers, of)) = tiers {
                text += &format!("{} of {of} tiers are solved\n", tiers.len());
                text += &output::tiers(tiers);
            }
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
