//! The parameters of a question: what each takes, and the checked ones of an address.

use std::borrow::Cow;

use serde_json::{Value as Json, json};

use crate::program::answers::problem::Problem;
use crate::program::code::ErrorCode;

/// A parameter of a question.
#[cfg_attr(
    target_family = "wasm",
    allow(dead_code, reason = "the server describes itself, a module does not")
)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) takes: Takes,
}

/// The values of a parameter.
pub(crate) enum Takes {
    /// A text that is not empty.
    Text,
    /// Any text.
    AnyText,
    /// `1` or `true`, `0` or `false`. Default: no.
    Switch,
    /// A whole number within bounds. `u64::MAX` is no bound.
    Number { least: i32, most: u64, default: Option<u64> },
    /// One of these words, the usual one first.
    OneOf(&'static [&'static str]),
}

impl Parameter {
    /// Refuses a value that the parameter does not take.
    fn check(&self, value: &str) -> Result<(), Problem> {
        let name = self.name;
        let wrong = match &self.takes {
            Takes::Text | Takes::AnyText => return Ok(()),
            Takes::Switch if matches!(value, "0" | "1" | "false" | "true") => return Ok(()),
            Takes::Switch => format!("{name}: \"{value}\" is neither true nor false"),
            Takes::Number { least, most, .. } => {
                let bounds = i128::from(*least)..=i128::from(*most);
                let is_sign = value.starts_with('+') || value.starts_with('-') && *least >= 0;
                match value.parse::<i128>() {
                    Ok(number) if bounds.contains(&number) && !is_sign => return Ok(()),
                    _ => format!("{name}: \"{value}\" is not a number from {least} to {most}"),
                }
            }
            Takes::OneOf(words) if words.contains(&value) => return Ok(()),
            Takes::OneOf(words) => {
                let wrong =
                    format!("no such {name}: \"{value}\"; expected one of {}", words.join(", "));
                let choices = words.to_vec();
                return Err(Problem::invalid_value(name, value, wrong).with("choices", choices));
            }
        };
        Err(Problem::invalid_value(name, value, wrong))
    }

    /// The schema of its values, in the words of JSON Schema.
    pub(crate) fn schema(&self) -> Json {
        match &self.takes {
            Takes::Text => json!({ "type": "string", "minLength": 1 }),
            Takes::AnyText => json!({ "type": "string" }),
            Takes::Switch => json!({ "type": "boolean" }),
            Takes::OneOf(words) => json!({ "type": "string", "default": words[0], "enum": words }),
            Takes::Number { least, most, default } => {
                let mut schema = json!({ "type": "integer", "minimum": least });
                if *most < u64::MAX {
                    schema["maximum"] = (*most).into();
                }
                if let Some(default) = default {
                    schema["default"] = (*default).into();
                }
                schema
            }
        }
    }
}

/// The parameters behind `?` in an address, all of which are right.
pub(crate) struct Parameters<'q> {
    given: Vec<(&'static str, Cow<'q, str>)>,
}

impl<'q> Parameters<'q> {
    /// The parameters of a query to an address that takes these.
    ///
    /// # Errors
    /// When a parameter is unknown, occurs twice, or has a value that it does not take.
    pub(crate) fn read(
        query: Option<&'q str>,
        known: &'static [Parameter],
    ) -> Result<Parameters<'q>, Problem> {
        let mut given: Vec<(&'static str, Cow<'q, str>)> = Vec::new();
        for (name, value) in form_urlencoded::parse(query.unwrap_or("").as_bytes()) {
            let Some(parameter) = known.iter().find(|parameter| parameter.name == name) else {
                let names: Vec<&str> = known.iter().map(|parameter| parameter.name).collect();
                let expected = match names[..] {
                    [] => "this address takes none".to_owned(),
                    _ => format!("expected {}", names.join(", ")),
                };
                let wrong = format!("unknown parameter \"{name}\": {expected}");
                return Err(Problem::bad_request(wrong)
                    .coded(ErrorCode::UnknownParameter)
                    .with("parameter", &*name)
                    .with("parameters", names));
            };
            if given.iter().any(|(other, _)| *other == name) {
                return Err(Problem::bad_request(format!(
                    "the parameter \"{name}\" is there twice"
                )));
            }
            parameter.check(&value)?;
            given.push((parameter.name, value));
        }
        Ok(Parameters { given })
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|(known, _)| *known == name).map(|(_, value)| &**value)
    }

    /// A number, if it is given.
    pub(crate) fn number<N: std::str::FromStr>(&self, name: &str) -> Option<N> {
        self.get(name)?.parse().ok()
    }

    /// Whether a switch is on.
    pub(crate) fn switch(&self, name: &str) -> bool {
        matches!(self.get(name), Some("1" | "true"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[Parameter] = &[
        Parameter { name: "state", about: "", takes: Takes::Text },
        Parameter { name: "flip", about: "", takes: Takes::Switch },
        Parameter { name: "kind", about: "", takes: Takes::OneOf(&["win", "loss"]) },
        Parameter {
            name: "count",
            about: "",
            takes: Takes::Number { least: 1, most: 100, default: None },
        },
        Parameter {
            name: "points",
            about: "",
            takes: Takes::Number { least: -9, most: 9, default: None },
        },
    ];

    fn read(query: &str) -> Result<Parameters<'_>, Problem> {
        Parameters::read(Some(query), KNOWN)
    }

    #[test]
    fn parameters_are_decoded_and_checked() {
        let parameters = read("state=8%2F8+w&flip=1&count=7&points=-3&kind=loss").unwrap();
        assert_eq!(parameters.get("state"), Some("8/8 w"));
        assert!(parameters.switch("flip"));
        assert_eq!(parameters.number::<u64>("count"), Some(7));
        assert_eq!(parameters.number::<i16>("points"), Some(-3));
        assert_eq!(parameters.get("kind"), Some("loss"));
        assert!(read("state=1&state=2").is_err() && read("stat=1").is_err());
        let wrong =
            ["count=-1", "count=+1", "count=", "count=1e3", "count=0", "count=101", "points=10"];
        for query in wrong.into_iter().chain(["flip=yes", "kind=wins", "points=+1"]) {
            let code = read(query).err().map(|problem| problem.code);
            assert_eq!(code, Some(ErrorCode::InvalidValue), "{query}");
        }
    }
}
