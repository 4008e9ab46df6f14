//! `draw`: writes a picture of a position.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command, FromArgMatches as _};
use serde_json::json;

use crate::game::Player;
use crate::game::scene::{Drawing, Scene};
use crate::program::cli::CliError;
use crate::program::cli::commands::destinations::{self, TextFile, TextKind};
use crate::program::cli::session::Session;
use crate::program::cli::wording::{Position, Wording};

// The options of `draw`, as its help shows them.
#[derive(Args)]
#[group(skip)]
struct Options {
    /// Write the picture to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Turn the picture round, as the second player sees it
    #[arg(long)]
    flip: bool,
}

/// Adds the options of `draw` to its position.
pub(super) fn arguments(command: Command) -> Command {
    let help = "Replace a file even if it is not a picture";
    Options::augment_args(command).arg(destinations::force_text_argument("output", help))
}

/// Writes the scene of a position as SVG. For a game without scenes, prints the position drawn as
/// text to standard output.
pub(super) fn run(
    game: &str,
    words: &Wording,
    position: &Position,
    scene: Option<Scene>,
    arguments: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    let options = Options::from_arg_matches(arguments).map_err(CliError::usage)?;
    let Position { state, verdict, picture: text, .. } = position;
    let players = Player::BOTH.map(|player| words.player(player));
    let title = format!("{game}, {state}: {}", words.verdict(*verdict));
    let drawing = Drawing::default().players(players).flipped(options.flip).title(&title);
    let svg = scene.map(|scene| scene.to_svg(&drawing));
    let Some(path) = &options.output else {
        let json = || json!({ "state": state, "svg": svg, "text": text.trim_end() });
        return session.answer(json, || svg.clone().unwrap_or_else(|| text.clone()));
    };
    let file = TextFile::at(path, TextKind::Svg, arguments)?;
    let Some(svg) = &svg else {
        return Err(CliError::failed(format!(
            "{game} has no pictures: without -o, `draw` prints the position drawn as text"
        )));
    };
    let (file, bytes) = file.write(svg)?.name()?;
    session.answer(|| json!({ "state": state, "bytes": bytes }), || file.wrote(bytes))
}
