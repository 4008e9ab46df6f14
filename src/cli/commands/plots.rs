//! The plots that `stats` writes.

use std::path::PathBuf;

use clap::{ArgGroup, ArgMatches, Command, value_parser};

use crate::cli::CliError;
use crate::cli::arguments::option;
use crate::cli::commands::destinations::{self, TextFile, TextKind};
use crate::cli::open_table::OpenTable;
use crate::cli::plot;
use crate::cli::session::{self, Session};
use crate::summary::Summary;

/// The names of the options, and of their group.
const SVG: &str = "svg";
const HTML: &str = "html";
const PLOTS: &str = "plots";

/// Adds the options of the plots to those of `stats`.
pub(super) fn arguments(command: Command) -> Command {
    let file = |name: &'static str, help| {
        option(name, "FILE").help(help).value_parser(value_parser!(PathBuf))
    };
    let svg = file(SVG, "Write a plot of the wins and losses at each distance to this SVG file");
    let html =
        file(HTML, "Write a page with that plot, one for each tier, and the counts to this file");
    let force = destinations::force_text_argument(
        PLOTS,
        "Replace a file even if it is no plot that this program wrote",
    );
    let plots = ArgGroup::new(PLOTS).args([SVG, HTML]).multiple(true);
    command.args([svg, html, force]).group(plots)
}

/// The plots that are wanted.
pub(super) struct Plots {
    svg: Option<TextFile>,
    html: Option<TextFile>,
}

/// Makes sure that the plots that the arguments name may be written.
pub(super) fn planned(arguments: &ArgMatches) -> Result<Plots, CliError> {
    let file = |name, kind| {
        let path = arguments.get_one::<PathBuf>(name);
        path.map(|path| TextFile::at(path, kind, arguments)).transpose()
    };
    let same = |svg: &PathBuf| {
        arguments.get_one::<PathBuf>(HTML).is_some_and(|html| destinations::are_same(svg, html))
    };
    if let Some(svg) = arguments.get_one::<PathBuf>(SVG).filter(|svg| same(svg)) {
        let path = svg.display();
        return Err(CliError::usage(format!("the picture and the page can't both be in {path}")));
    }
    Ok(Plots { svg: file(SVG, TextKind::Svg)?, html: file(HTML, TextKind::Html)? })
}

impl Plots {
    /// Writes the plots of a table.
    pub(super) fn write(
        &self,
        OpenTable { path, table }: &OpenTable<'_>,
        session: &Session,
    ) -> Result<(), CliError> {
        if self.svg.is_none() && self.html.is_none() {
            return Ok(());
        }
        let tiers = table.tiers().map_err(CliError::table(path))?;
        let game = table.game_name();
        let svg = self.svg.as_ref().map(|file| {
            let summary = Summary::sum(tiers.iter().map(|tier| &tier.summary));
            (file, plot::svg(game, &summary))
        });
        let html = self.html.as_ref().map(|file| {
            let (beginning, parameters) =
                (TextKind::Html.beginning(), table.parameters().to_string());
            (file, plot::page(beginning, game, &parameters, &tiers))
        });
        // Both are written before either replaces an older file.
        let texts = svg.into_iter().chain(html);
        let written: Result<Vec<_>, CliError> =
            texts.map(|(file, text)| file.write(&text)).collect();
        for text in written? {
            let (file, bytes) = text.name()?;
            if !session.json && !session.is_quiet() {
                let _ = session::print(&file.wrote(bytes))?;
            }
        }
        Ok(())
    }
}
