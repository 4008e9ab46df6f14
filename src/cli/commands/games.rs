//! `games`: lists the games that the program can solve.

use clap::{Arg, Command};
use serde_json::json;

use crate::cli::CliError;
use crate::cli::entry::Entry;
use crate::cli::session::Session;

/// Lists the games with their options, examples and notations.
pub(crate) fn run(
    program: &str,
    entries: &[Box<dyn Entry>],
    session: &mut Session,
) -> Result<(), CliError> {
    session.answer(
        || entries.iter().map(|entry| object(&**entry)).collect(),
        || entries.iter().map(|entry| paragraph(program, &**entry)).collect::<Vec<_>>().join("\n"),
    )
}

/// The options that the game adds to those that every command has.
fn options(entry: &dyn Entry) -> Vec<Arg> {
    entry.with_options(Command::new(entry.name())).get_arguments().cloned().collect()
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
    let mut text = format!("{}: {}\n", entry.name(), entry.about().about);
    let options: Vec<[String; 2]> = options(entry)
        .iter()
        .map(|option| {
            let mut help = option.get_help().map(ToString::to_string).unwrap_or_default();
            if let Some(choices) = choices(option) {
                help += &format!(" [{choices}]");
            }
            if let Some(default) = default(option) {
                help += &format!(" [default: {default}]");
            }
            [spelling(option), help]
        })
        .collect();
    text += &crate::cli::output::columns(&options);
    text += &format!("  Example:   {program} {}\n", entry.about().example_of("solve"));
    text + &format!("  Positions: {}\n", entry.about().states)
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
        "numbering": entry.numberings().first(),
        "example": entry.about().example,
        "positions": entry.about().states,
        "options": options,
    })
}
