//! The checked parameters of a question.

use std::borrow::Cow;

use crate::game::value::MAX_POINTS;
use crate::program::answers::problem::Problem;
use crate::program::code::ErrorCode;

/// The parameters behind `?` in an address.
pub(crate) struct Parameters<'q>(Vec<(Cow<'q, str>, Cow<'q, str>)>);

impl<'q> Parameters<'q> {
    /// The parameters of a query. `known` are the names that the address takes.
    ///
    /// # Errors
    /// When a parameter is unknown, or occurs twice.
    pub(crate) fn read(query: Option<&'q str>, known: &[&str]) -> Result<Parameters<'q>, Problem> {
        let mut parameters: Vec<(Cow<'q, str>, Cow<'q, str>)> = Vec::new();
        for (name, value) in form_urlencoded::parse(query.unwrap_or("").as_bytes()) {
            if !known.contains(&&*name) {
                let expected = match known {
                    [] => "this address takes none".to_owned(),
                    known => format!("expected {}", known.join(", ")),
                };
                let wrong = format!("unknown parameter \"{name}\": {expected}");
                return Err(Problem::bad_request(wrong)
                    .coded(ErrorCode::UnknownParameter)
                    .with("parameter", &*name)
                    .with("parameters", known));
            }
            if parameters.iter().any(|(other, _)| *other == name) {
                return Err(Problem::bad_request(format!(
                    "the parameter \"{name}\" is there twice"
                )));
            }
            parameters.push((name, value));
        }
        Ok(Parameters(parameters))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }

    /// A number within bounds.
    ///
    /// # Errors
    /// When the text is not such a number.
    pub(crate) fn number(&self, name: &str, least: u64, most: u64) -> Result<Option<u64>, Problem> {
        let Some(text) = self.get(name) else { return Ok(None) };
        match text.parse::<u64>() {
            Ok(number) if (least..=most).contains(&number) && !text.starts_with('+') => {
                Ok(Some(number))
            }
            _ => {
                let wrong = format!("{name}: \"{text}\" is not a number from {least} to {most}");
                Err(Problem::invalid_value(name, text, wrong))
            }
        }
    }

    /// A number of points, if it is given.
    ///
    /// # Errors
    /// When the text is no such number.
    pub(crate) fn points(&self, name: &str) -> Result<Option<i16>, Problem> {
        let most = MAX_POINTS as i16;
        let Some(text) = self.get(name) else { return Ok(None) };
        match text.parse::<i16>() {
            Ok(points) if (-most..=most).contains(&points) => Ok(Some(points)),
            _ => {
                let wrong = format!("{name}: \"{text}\" is not a number from -{most} to {most}");
                Err(Problem::invalid_value(name, text, wrong))
            }
        }
    }

    /// Whether a switch is on: `1` or `true`; off is `0`, `false`, or nothing.
    ///
    /// # Errors
    /// When the text is neither.
    pub(crate) fn switch(&self, name: &str) -> Result<bool, Problem> {
        match self.get(name) {
            None | Some("0" | "false") => Ok(false),
            Some("1" | "true") => Ok(true),
            Some(text) => {
                let wrong = format!("{name}: \"{text}\" is neither true nor false");
                Err(Problem::invalid_value(name, text, wrong))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<'q>(query: &'q str) -> Result<Parameters<'q>, Problem> {
        Parameters::read(Some(query), &["state", "flip", "count"])
    }

    #[test]
    fn parameters_are_decoded_and_checked() {
        let parameters = read("state=8%2F8+w&flip=1&count=7").unwrap();
        assert_eq!(parameters.get("state"), Some("8/8 w"));
        assert!(parameters.switch("flip").unwrap());
        assert_eq!(parameters.number("count", 1, 100).unwrap(), Some(7));
        assert!(parameters.number("count", 8, 100).is_err());
        assert!(read("state=1&state=2").is_err() && read("stat=1").is_err());
        for wrong in ["count=-1", "count=+1", "count=", "count=1e3"] {
            assert!(read(wrong).unwrap().number("count", 0, 100).is_err(), "{wrong}");
        }
        assert!(read("flip=yes").unwrap().switch("flip").is_err());
    }
}
