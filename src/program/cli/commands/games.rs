//! `games`: lists the games that the program can solve.

use clap::{Arg, ArgMatches, Command};
use serde_json::{Value as Json, json};

use crate::program::cli::commands::option_data::{choices, data, default, shown, spelling};
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
    program: &Command,
    entries: &[Box<dyn Entry>],
    arguments: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    let entries: Vec<&dyn Entry> = match arguments.get_one::<String>(GAME) {
        Some(name) => vec![entry::named(entries, name)?],
        None => entries.iter().map(|entry| &**entry).collect(),
    };
    session.answer(
        || object(program, &entries),
        || {
            let paragraphs = entries.iter().map(|entry| paragraph(program.get_name(), *entry));
            paragraphs.collect::<Vec<_>>().join("\n")
        },
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
    shown(&entry.with_options(Command::new(entry.name().to_owned())))
}

fn paragraph(program: &str, entry: &dyn Entry) -> String {
    let mut text = text_behind(&format!("{}: ", entry.name()), entry.about().about);
    let options: Vec<(String, String)> = options(entry)
        .iter()
        .map(|option| {
            let mut help = option.get_help().map(ToString::to_string).unwrap_or_default();
            let choices = choices(option);
            if !choices.is_empty() {
                help += &format!(" [{}]", choices.join(", "));
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

/// The games and the commands as data.
fn object(program: &Command, entries: &[&dyn Entry]) -> Json {
    let commands = program.get_subcommands();
    let commands: Vec<OfCommand<'_>> = commands.map(OfCommand::new).collect();
    json!({
        "games": entries.iter().map(|entry| game(&commands, *entry)).collect::<Vec<_>>(),
        "commands": commands.iter().map(OfCommand::json).collect::<Vec<_>>(),
    })
}

/// A command, and the options that it has for every game.
struct OfCommand<'c> {
    command: &'c Command,
    options: Vec<Arg>,
}

impl<'c> OfCommand<'c> {
    fn new(command: &'c Command) -> OfCommand<'c> {
        let mut games = command.get_subcommands().map(shown);
        let mut options = games.next().unwrap_or_else(|| shown(command));
        for others in games {
            options.retain(|one| others.iter().any(|other| other.get_id() == one.get_id()));
        }
        OfCommand { command, options }
    }

    fn json(&self) -> Json {
        json!({
            "command": self.command.get_name(),
            "about": self.command.get_about().map(ToString::to_string),
            "takes_game": self.command.has_subcommands(),
            "options": self.options.iter().map(data).collect::<Vec<_>>(),
        })
    }

    /// The options of one game alone.
    fn of_game(&self, game: &str) -> Vec<Arg> {
        let options = self.command.find_subcommand(game).map(shown).unwrap_or_default();
        let is_own = |one: &Arg| self.options.iter().all(|other| other.get_id() != one.get_id());
        options.into_iter().filter(is_own).collect()
    }
}

/// A game as data. Its options are those that not every game has, each with the commands that take it.
fn game(commands: &[OfCommand<'_>], entry: &dyn Entry) -> Json {
    let mut all = options(entry);
    let of_commands: Vec<(&str, Vec<Arg>)> =
        commands.iter().map(|one| (one.command.get_name(), one.of_game(entry.name()))).collect();
    for one in of_commands.iter().flat_map(|(_, options)| options) {
        if all.iter().all(|other| other.get_id() != one.get_id()) {
            all.push(one.clone());
        }
    }
    let options: Vec<Json> = all
        .iter()
        .map(|option| {
            let takes = |(_, options): &&(&str, Vec<Arg>)| {
                options.iter().any(|other| other.get_id() == option.get_id())
            };
            let commands: Vec<&str> =
                of_commands.iter().filter(takes).map(|(name, _)| *name).collect();
            let mut option = data(option);
            option["commands"] = commands.into();
            option
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
