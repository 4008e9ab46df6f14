//! Makes options that several commands share. The other options of a command are fields of a type
//! with `clap::Args`. Such a type has no doc comment, since clap would take it for the description
//! of the command.

use clap::{Arg, ArgAction};

/// An option that takes a value.
pub(super) fn option(name: &'static str, value: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value)
}

/// An option without a value.
pub(super) fn switch(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
}

/// Splits a command line into words at spaces outside quotes of either kind; `None` if a quote is
/// not closed.
pub(super) fn words(line: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for character in line.chars() {
        match quote {
            Some(open) if character == open => quote = None,
            None if character == '\'' || character == '"' => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            None if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}
