//! Wrong arguments, as data and in a sentence on one line.

use std::error::Error as _;
use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use crate::program::cli::similar::did_you_mean;
use crate::program::cli::{CliError, ErrorCode};

/// The error about arguments of this command line that clap refuses. `named` writes the name of an option as
/// its reader does, such as `--max-states`.
pub(super) fn wrong_usage(
    error: &clap::Error,
    command: &Command,
    arguments: &[OsString],
    named: &dyn Fn(&str) -> String,
) -> CliError {
    let mut command = command.clone();
    // Without it, clap does not write its options.
    command.build();
    let asked = Asked::of(&command, arguments, named);
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let (typed, value) = (text(ContextKind::InvalidArg), text(ContextKind::InvalidValue));
    match (error.kind(), typed, value) {
        (ErrorKind::UnknownArgument, Some(typed), _) => {
            asked.unknown_option(typed, text(ContextKind::SuggestedArg))
        }
        (ErrorKind::InvalidValue | ErrorKind::ValueValidation, Some(typed), Some(value)) => {
            asked.invalid_value(&asked.name(typed), value, error)
        }
        (ErrorKind::MissingRequiredArgument, ..) => asked.missing_options(error),
        (ErrorKind::ArgumentConflict, Some(typed), _) => asked.conflict(typed, error),
        _ => {
            let contexts = error.context().filter(|(kind, _)| *kind != ContextKind::Usage);
            let named: Vec<String> = contexts.map(|(_, value)| value.to_string()).collect();
            let problem = error.kind().as_str().unwrap_or("the arguments are wrong");
            CliError::usage(format!("{problem}: {}", named.join(", ")))
        }
    }
}

/// The subcommand that the arguments name, and its words.
struct Asked<'c> {
    words: Vec<&'c str>,
    command: &'c Command,
    named: &'c dyn Fn(&str) -> String,
}

impl<'c> Asked<'c> {
    fn of(
        command: &'c Command,
        arguments: &[OsString],
        named: &'c dyn Fn(&str) -> String,
    ) -> Asked<'c> {
        let mut asked = Asked { words: Vec::new(), command, named };
        for argument in arguments {
            let argument = argument.to_string_lossy();
            if let Some(command) = asked.command.find_subcommand(&*argument) {
                asked.words.push(command.get_name());
                asked.command = command;
            }
        }
        asked
    }

    /// The options and arguments that the help shows.
    fn options(&self) -> impl Iterator<Item = &'c Arg> {
        let options = self.command.get_arguments();
        options.filter(|option| !option.is_hide_set() && option.get_id() != "help")
    }

    /// The option that clap writes like this, such as `--max-states <N>`.
    fn option(&self, written: &str) -> Option<&'c Arg> {
        self.command.get_arguments().find(|option| option.to_string() == written)
    }

    /// The name of that option.
    fn name(&self, written: &str) -> String {
        self.option(written).map_or_else(|| written.to_owned(), name)
    }

    fn conflict(&self, typed: &str, error: &clap::Error) -> CliError {
        let others = match error.get(ContextKind::PriorArg) {
            Some(ContextValue::Strings(others)) => others.as_slice(),
            Some(ContextValue::String(other)) => std::slice::from_ref(other),
            _ => &[],
        };
        let said = |written: &str| {
            self.option(written).map_or_else(|| written.to_owned(), |option| self.said(option))
        };
        let others: Vec<String> = others.iter().map(|other| said(other)).collect();
        let option = said(typed);
        CliError::usage(match others.contains(&option) {
            true => format!("{option} can't be given multiple times"),
            false => format!("{option} can't be given with {}", others.join(", ")),
        })
        .with("option", self.name(typed))
    }

    /// An option in a sentence. An argument without a name is written as in the help.
    fn said(&self, option: &Arg) -> String {
        option.get_long().map_or_else(|| option.to_string(), self.named)
    }

    fn unknown_option(&self, typed: &str, meant: Option<&str>) -> CliError {
        let option = typed.trim_start_matches('-');
        let option = option.split_once('=').map_or(option, |(option, _)| option);
        let meant = meant.map(|meant| meant.trim_start_matches('-'));
        let options: Vec<String> = self.options().map(name).collect();
        let said: Vec<String> = self.options().map(|option| self.said(option)).collect();
        let hint = match meant {
            Some(meant) => did_you_mean(Some(&(self.named)(meant))),
            None => format!("; it has {}", said.join(", ")),
        };
        let (option_named, words) = ((self.named)(option), self.words.join(" "));
        CliError::usage(format!("{option_named}: {words} has no such option{hint}"))
            .coded(ErrorCode::UnknownOption)
            .with("option", option)
            .with("meant", meant)
            .with("options", options)
    }

    fn invalid_value(&self, option: &str, value: &str, error: &clap::Error) -> CliError {
        let choices = match error.get(ContextKind::ValidValue) {
            Some(ContextValue::Strings(choices)) => choices.as_slice(),
            _ => &[],
        };
        let reason = match error.source() {
            Some(source) => source.to_string(),
            None if choices.is_empty() => "expected a value".to_owned(),
            None => format!("expected one of {}", choices.join(", ")),
        };
        let named = (self.named)(option);
        let wrong = CliError::usage(format!("{named}: \"{value}\": {reason}"))
            .coded(ErrorCode::InvalidValue)
            .with("option", option)
            .with("value", value);
        if choices.is_empty() { wrong } else { wrong.with("choices", choices) }
    }

    fn missing_options(&self, error: &clap::Error) -> CliError {
        let missing = match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::Strings(missing)) => missing.as_slice(),
            Some(ContextValue::String(missing)) => std::slice::from_ref(missing),
            _ => &[],
        };
        let said = |written: &String| {
            self.option(written).map_or_else(|| written.clone(), |option| self.said(option))
        };
        let said: Vec<String> = missing.iter().map(said).collect();
        let missing: Vec<String> = missing.iter().map(|written| self.name(written)).collect();
        CliError::usage(format!("{} needs {}", self.words.join(" "), said.join(", ")))
            .coded(ErrorCode::MissingOption)
            .with("options", missing)
    }
}

/// The name of an option or argument, by which `games --json` lists it, too.
pub(super) fn name(option: &Arg) -> String {
    option.get_long().map_or_else(|| option.get_id().as_str().to_lowercase(), str::to_owned)
}
