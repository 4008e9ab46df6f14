//! A page with the plot of a table and of each of its tiers.

use std::fmt::Write as _;

use indicatif::HumanCount;

use crate::game::scene::Escaped;
use crate::game::summary::Summary;
use crate::program::cli::plot::{self, Bars, Row};
use crate::solve::TierFigures;

/// What the page looks like around its plots.
const STYLE: &str = include_str!("page.css");

/// The most characters of a game's parameters that are shown.
const LONGEST: usize = 300;

/// A page that needs nothing beside it. `beginning` is put before everything else, and is where the
/// page says that it is one.
pub(in crate::program::cli) fn page(
    beginning: &str,
    game: &str,
    parameters: &str,
    tiers: &[TierFigures],
) -> String {
    let summary = Summary::sum(tiers.iter().map(|tier| &tier.summary));
    let title = plot::title(game, &summary);
    let mut page = format!(
        "{beginning}\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{0}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n",
        Escaped(&title)
    );
    let mut shown: String = parameters.chars().take(LONGEST).collect();
    if shown.len() < parameters.len() {
        shown.push('…');
    }
    let _ = writeln!(page, "<p>Parameters: <code>{}</code></p>", Escaped(&shown));
    page += &plot::svg(game, &summary);
    page += &table(&summary);
    if tiers.len() > 1 {
        for TierFigures { name, summary, .. } in tiers {
            let _ = writeln!(page, "<h2>{}</h2>", Escaped(name));
            page += &plot::svg(name, summary);
            page += &table(summary);
        }
    }
    page + "</main>\n</body>\n</html>\n"
}

/// The counts of the bars, to be unfolded.
fn table(summary: &Summary) -> String {
    let Bars { axis, rows } = Bars::new(summary);
    if rows.is_empty() {
        return String::new();
    }
    let mut table = format!(
        "<details><summary>The counts as a table</summary>\n<table>\n\
         <caption>Positions won and lost for the player to move</caption>\n\
         <thead><tr><th scope=\"col\">{axis}</th><th scope=\"col\">won</th>\
         <th scope=\"col\">lost</th></tr></thead>\n<tbody>\n",
    );
    for Row { at, won, lost, .. } in rows {
        let [won, lost] = [won, lost].map(HumanCount);
        let _ =
            writeln!(table, "<tr><th scope=\"row\">{at}</th><td>{won}</td><td>{lost}</td></tr>");
    }
    table + "</tbody>\n</table></details>\n"
}
