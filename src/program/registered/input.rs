//! Reads the text that an option names: the value itself, a file, or standard input.

use std::fs::File;
use std::io::{self, Read};

use crate::program::registered::CliError;

/// The most bytes that are read. An endless stream ends in an error.
const MOST_BYTES: u64 = 1 << 28;

/// The text that an option names: `value` itself where it is a JSON list (it begins with `[`),
/// standard input where it is `-`, and otherwise the contents of the file of that name.
///
/// # Errors
/// When the file or standard input can't be read, is not UTF-8, or is longer than 256 MiB.
pub fn read_text(option: &str, value: &str) -> Result<String, CliError> {
    if value.trim_start().starts_with('[') {
        return Ok(value.to_owned());
    }
    if value == "-" {
        return read(io::stdin().lock(), option, "standard input");
    }
    match File::open(value) {
        Ok(file) => read(file, option, value),
        Err(error) => Err(CliError::failed(format!(
            "{option}: can't open the file \"{value}\": {error}; a list in the option itself \
             begins with ["
        ))),
    }
}

fn read(from: impl Read, option: &str, name: &str) -> Result<String, CliError> {
    let mut text = String::new();
    from.take(MOST_BYTES + 1)
        .read_to_string(&mut text)
        .map_err(|error| CliError::failed(format!("{option}: can't read {name}: {error}")))?;
    if text.len() as u64 > MOST_BYTES {
        let most = MOST_BYTES >> 20;
        return Err(CliError::failed(format!(
            "{option}: {name} is longer than {most} MiB, the most that is read"
        )));
    }
    // Some editors begin a file with a byte-order mark.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
