//! The plots that `stats` writes.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command, FromArgMatches as _};

use crate::game::summary::Summary;
use crate::program::cli::commands::destinations::{self, TextFile, TextKind};
use crate::program::cli::open_table::OpenTable;
use crate::program::cli::session::{self, Session};
use crate::program::cli::{CliError, plot};

/// The name of the group of the options.
const PLOTS: &str = "plots";

// The options of the plots, as the help of `stats` shows them.
#[derive(Args)]
#[group(id = PLOTS, multiple = true)]
struct Options {
    /// Write a plot of the wins and losses at each distance, or by points, to this SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a page with that plot, one for each tier, and the counts to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Adds the options of the plots to the options of `stats`.
pub(super) fn arguments(command: Command) -> Command {
    let help = "Replace a file even if it is not a plot of this program";
    Options::augment_args(command).arg(destinations::force_text_argument(PLOTS, help))
}

/// The plots that are wanted: where each is written, and as what.
pub(super) struct Plots(Vec<(TextFile, TextKind)>);

/// Makes sure that the plots that the arguments name may be written.
pub(super) fn planned(arguments: &ArgMatches) -> Result<Plots, CliError> {
    let Options { svg, html } = Options::from_arg_matches(arguments).map_err(CliError::usage)?;
    if let (Some(svg), Some(html)) = (&svg, &html)
        && destinations::are_same(svg, html)
    {
        let path = svg.display();
        return Err(CliError::usage(format!(
            "the picture and the page can't both be in {path}: name two files"
        )));
    }
    let wanted = [(svg, TextKind::Svg), (html, TextKind::Html)].into_iter();
    let plots = wanted.filter_map(|(path, kind)| {
        path.map(|path| Ok((TextFile::at(&path, kind, arguments)?, kind)))
    });
    plots.collect::<Result<_, _>>().map(Plots)
}

impl Plots {
    /// Writes the plots of a table.
    pub(super) fn write(
        &self,
        OpenTable { path, table }: &OpenTable<'_>,
        session: &Session,
    ) -> Result<(), CliError> {
        if self.0.is_empty() {
            return Ok(());
        }
        let tiers = table.tiers().map_err(CliError::table(path))?;
        let (game, parameters) = (table.game_name(), table.parameters().to_string());
        let text = |kind: TextKind| match kind {
            TextKind::Svg => plot::svg(game, &Summary::sum(tiers.iter().map(|tier| &tier.summary))),
            TextKind::Html => plot::page(kind.beginning(), game, &parameters, &tiers),
        };
        // All are written before any replaces an older file.
        let written = self.0.iter().map(|(file, kind)| file.write(&text(*kind)));
        for text in written.collect::<Result<Vec<_>, CliError>>()? {
            let (file, bytes) = text.name()?;
            if !session.json && !session.is_quiet() {
                let _ = session::print(&file.wrote(bytes))?;
            }
        }
        Ok(())
    }
}
