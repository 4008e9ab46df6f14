//! `games`: lists the games that the program can solve.

use clap::{Arg, ArgMatches, Command};
use serde_json::json;

use crate::program::cli::entry::Entry;
use crate::program::cli::output::wrapped;
use crate::program::cli::session::Session;
use crate::program::cli::{CliError, entry};

/// The name of the argument that chooses a game.
const GAME: &str = "game";

/// The subcommand.
pub(crate) fn command() -> Command {
    let game = Arg::new(GAME).value_name("GAME").help("The game to show [default: all games]");
    Command::new("games")
        .about("List the games, their options and how positions are written")
        .arg(game)
}

/// Lists the games with their options, examples and notations.
pub(crate) fn run(
    program: &str,
    entries: &[Box<dyn Entry>],
    arguments: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    let entries: Vec<&dyn Entry> = match arguments.get_one::<String>(GAME) {
        Some(name) => vec![entry::named(entries, name)?],
        None => entries.iter().map(|entry| &**entry).collect(),
    };
    session.answer(
        || entries.iter().map(|entry| object(*entry)).collect(),
        || entries.iter().map(|entry| paragraph(program, *entry)).collect::<Vec<_>>().join("\n"),
    )
}

/// The words of a text, which are separated by blanks outside these quotes.
fn words(text: &str, quotes: &[char]) -> Vec<String> {
    let (mut words, mut open) = (vec![String::new()], None);
    for letter in text.chars() {
        if open == Some(letter) {
            open = None;
        } else if open.is_none() && quotes.contains(&letter) {
            open = Some(letter);
        }
        match words.last_mut() {
            Some(word) if open.is_some() || letter != ' ' => word.push(letter),
            _ => words.push(String::new()),
        }
    }
    words
}

/// A text in lines that are no longer than a terminal is wide, with `before` in front of the first.
/// Nothing in double quotes is broken.
fn text_behind(before: &str, text: &str) -> String {
    wrapped(before, words(text, &['"']).iter().map(String::as_str), "")
}

/// A command in such lines, which a shell takes as one.
fn command_behind(before: &str, command: &str) -> String {
    wrapped(before, words(command, &['"', '\'']).iter().map(String::as_str), " \\")
}

/// The options that the game adds to those that every command has.
fn options(entry: &dyn Entry) -> Vec<Arg> {
    let command = entry.with_options(Command::new(entry.name().to_owned()));
    command.get_arguments().filter(|arg| !arg.is_hide_set()).cloned().collect()
}

fn spelling(option: &Arg) -> String {
    let long = option.get_long().map_or(option.get_id().to_string(), |long| format!("--{long}"));
    let name = option.get_short().map_or(long.clone(), |short| format!("-{short}, {long}"));
    match option.get_value_names() {
        Some(values) if option.get_action().takes_values() => {
            format!("{name} {}", values.join(" "))
        }
        _ => name,
    }
}

fn default(option: &Arg) -> Option<String> {
    let default = option.get_default_values().first()?;
    Some(default.to_string_lossy().into_owned()).filter(|_| option.get_action().takes_values())
}

fn choices(option: &Arg) -> Option<String> {
    if !option.get_action().takes_values() {
        return None;
    }
    let names: Vec<_> =
        option.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

fn paragraph(program: &str, entry: &dyn Entry) -> String {
    let mut text = text_behind(&format!("{}: ", entry.name()), entry.about().about);
    let options: Vec<(String, String)> = options(entry)
        .iter()
        .map(|option| {
            let mut help = option.get_help().map(ToString::to_string).unwrap_or_default();
            if let Some(choices) = choices(option) {
                help += &format!(" [{choices}]");
            }
            if let Some(default) = default(option) {
                help += &format!(" [default: {default}]");
            }
            (spelling(option), help)
        })
        .collect();
    let width = options.iter().map(|(spelling, _)| spelling.chars().count()).max().unwrap_or(0);
    for (spelling, help) in options {
        text += &text_behind(&format!("  {spelling:width$}  "), &help);
    }
    let example = format!("{program} {}", entry.about().example_of("solve"));
    text += &command_behind("  Example:   ", &example);
    text + &text_behind("  Positions: ", entry.about().states)
}

fn object(entry: &dyn Entry) -> serde_json::Value {
    let options: Vec<_> = options(entry)
        .iter()
        .map(|option| {
            json!({
                "option": spelling(option),
                "help": option.get_help().map(ToString::to_string),
                "default": default(option),
                "required": option.is_required_set(),
            })
        })
        .collect();
    json!({
        "game": entry.name(),
        "about": entry.about().about,
        "numbering": entry.numberings().built.first(),
        "example": entry.about().example,
        "positions": entry.about().states,
        "options": options,
    })
}
