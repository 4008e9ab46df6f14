//! `play`: a game against perfect play, in the terminal.

mod board;
mod game;
mod typed;

use std::io::{self, BufRead, IsTerminal, Read};

use clap::{ArgMatches, Args, Command, FromArgMatches as _};

pub(super) use board::BoardOf;
pub(super) use game::Played;

use crate::game::Player;
use crate::program::cli::CliError;
use crate::program::cli::session::{self, Session};
use crate::program::cli::similar::{did_you_mean, most_similar};
use crate::program::cli::wording::Wording;
use board::Board;
use game::{Match, Next, Sides};

/// The longest line that is read at once, in bytes.
const LONGEST: u64 = 1 << 12;

// The options of `play`, as its help shows them.
#[derive(Args)]
#[group(skip)]
struct Options {
    /// Which side you play: the name of a player, first, second, or both [default: the player to
    /// move]
    #[arg(long, value_name = "PLAYER")]
    r#as: Option<String>,
    /// Choose at random among equally good moves, by this seed [default: the first of them]
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
}

/// Adds the options of `play` to its position.
pub(super) fn arguments(command: Command) -> Command {
    Options::augment_args(command)
}

/// Plays until the person ends the game or the input ends.
pub(super) fn run(
    played: &Played<'_>,
    board: &mut dyn Board,
    options: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    if session.json {
        return Err(CliError::usage(
            "play is for people, and prints no JSON: use probe, moves or line for programs",
        ));
    }
    let Options { r#as: side, seed } =
        Options::from_arg_matches(options).map_err(CliError::usage)?;
    let side = side.map(|name| sides(&name, played.words)).transpose()?;
    session.end_at_ctrl_c();
    let mut game = Match::begin(played, board, side, seed, session.is_quiet())?;
    let (mut input, has_echo) = (io::stdin().lock(), io::stdin().is_terminal());
    let mut shown = session::print(&game.greeting()?)?;
    // A closed output ends the game: nobody would see the board.
    while shown.is_continue() && session::print_unended(&game.prompt())?.is_continue() {
        let line = read_line(&mut input)?;
        // Input from a pipe is not shown by a terminal.
        if !has_echo || line.is_none() {
            let _ = session::print(&format!("{}\n", line.as_deref().unwrap_or_default()))?;
        }
        let Some(line) = line else { break };
        match game.take(&line)? {
            Next::Ask(text) => shown = session::print(&text)?,
            Next::End => break,
        }
    }
    Ok(())
}

/// Reads a line without its end; `None` where nothing more comes.
fn read_line(input: &mut impl BufRead) -> Result<Option<String>, CliError> {
    let mut line = Vec::new();
    let read = input.take(LONGEST).read_until(b'\n', &mut line);
    let read =
        read.map_err(|error| CliError::failed(format!("can't read from standard input: {error}")))?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&line).trim_end().to_owned()))
}

/// Which side the person plays: a name of a player in the game, `first`, `second` or `both`.
fn sides(name: &str, words: &Wording) -> Result<Sides, CliError> {
    let lower = name.to_lowercase();
    let own = Player::BOTH.map(|player| (words.player(player), Sides::One(player)));
    let general = [("first", Sides::One(Player::First)), ("second", Sides::One(Player::Second))];
    let mut all = own.to_vec();
    all.extend(general.iter().filter(|(name, _)| own.iter().all(|(own, _)| own != name)));
    all.push(("both", Sides::Both));
    if let Some((_, sides)) = all.iter().find(|(known, _)| known.to_lowercase() == lower) {
        return Ok(*sides);
    }
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    let meant = did_you_mean(most_similar(&lower, names.iter().copied()));
    let known = names.join(", ");
    Err(CliError::usage(format!(
        "--as: no such player: \"{name}\"{meant}; expected one of {known}"
    )))
}
