//! `draw`: writes a picture of a position.

use std::path::PathBuf;

use clap::{ArgMatches, Command, value_parser};
use serde_json::json;

use crate::cli::CliError;
use crate::cli::arguments::{option, switch};
use crate::cli::commands::destinations::{self, TextFile, TextKind};
use crate::cli::session::Session;
use crate::cli::words::{Position, Words};
use crate::game::Player;
use crate::scene::{Drawing, Scene};

/// The names of the options.
const OUTPUT: &str = "output";
const FLIP: &str = "flip";

/// Adds the options of `draw` to its position.
pub(super) fn arguments(command: Command) -> Command {
    let output = option(OUTPUT, "FILE")
        .help("Write the picture to this file [default: standard output]")
        .short('o')
        .value_parser(value_parser!(PathBuf));
    let flip = switch(FLIP, "Turn the picture round, as the second player sees it");
    let force =
        destinations::force_text_argument(OUTPUT, "Replace a file even if it is no picture");
    command.args([output, flip, force])
}

/// Writes the scene of a position as SVG. Of a game without scenes, standard output gets the position
/// drawn as text.
pub(super) fn run(
    game: &str,
    words: &Words,
    position: &Position,
    scene: Option<Scene>,
    options: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    let Position { state, verdict, picture: text, .. } = position;
    let players = Player::BOTH.map(|player| words.player(player));
    let title = format!("{game}, {state}: {}", words.verdict(*verdict));
    let flipped = options.get_flag(FLIP);
    let drawing = Drawing { players, flipped, title: &title, ..Drawing::default() };
    let svg = scene.map(|scene| scene.to_svg(&drawing));
    let Some(path) = options.get_one::<PathBuf>(OUTPUT) else {
        let json = || json!({ "state": state, "svg": svg, "text": text.trim_end() });
        return session.answer(json, || svg.clone().unwrap_or_else(|| text.clone()));
    };
    let file = TextFile::at(path, TextKind::Svg, options)?;
    let Some(svg) = &svg else {
        return Err(CliError::failed(format!(
            "{game} has no pictures: without -o, `draw` prints the position drawn as text"
        )));
    };
    let (file, bytes) = file.write(svg)?.name()?;
    session.answer(|| json!({ "state": state, "bytes": bytes }), || file.wrote(bytes))
}
