//! The options of a command as data, of which programs make their own interfaces.

use std::any::TypeId;
use std::path::PathBuf;
use std::time::Duration;

use bytesize::ByteSize;
use clap::{Arg, ArgAction, Command};
use serde_json::{Value as Json, json};

use crate::program::cli::usage::name;

/// How an option is typed, with its letter and its value.
pub(super) fn spelling(option: &Arg) -> String {
    let long = option.get_long().map_or(option.get_id().to_string(), |long| format!("--{long}"));
    let name = option.get_short().map_or(long.clone(), |short| format!("-{short}, {long}"));
    metavar(option).map_or(name.clone(), |values| format!("{name} {values}"))
}

/// The name of the value in the help.
fn metavar(option: &Arg) -> Option<String> {
    let values = option.get_value_names().filter(|_| option.get_action().takes_values())?;
    Some(values.join(" "))
}

/// The value of an option that is left out.
pub(super) fn default(option: &Arg) -> Option<String> {
    let default = option.get_default_values().first()?;
    Some(default.to_string_lossy().into_owned()).filter(|_| option.get_action().takes_values())
}

/// The values that an option takes; empty where others are possible.
pub(super) fn choices(option: &Arg) -> Vec<String> {
    if !option.get_action().takes_values() {
        return Vec::new();
    }
    let values = option.get_possible_values();
    values.iter().map(|value| value.get_name().to_owned()).collect()
}

/// The options of a command that the help shows.
pub(super) fn shown(command: &Command) -> Vec<Arg> {
    command.get_arguments().filter(|option| !option.is_hide_set()).cloned().collect()
}

/// An option as data.
pub(super) fn data(option: &Arg) -> Json {
    let choices = choices(option);
    let may_lack_value = option.get_num_args().is_some_and(|values| values.min_values() == 0);
    json!({
        "name": name(option),
        "short": option.get_short(),
        "positional": option.is_positional(),
        "option": spelling(option),
        "metavar": metavar(option),
        "kind": if choices.is_empty() { kind(option) } else { "choice" },
        "repeated": matches!(option.get_action(), ArgAction::Append),
        "value_optional": option.get_action().takes_values() && may_lack_value,
        "range": range(option),
        "choices": choices,
        "default": default(option),
        "required": option.is_required_set(),
        "help": option.get_help().map(ToString::to_string),
    })
}

/// Which of these types the values of an option have.
fn is_any(option: &Arg, types: &[TypeId]) -> bool {
    let found = option.get_value_parser().type_id();
    types.iter().any(|known| found == *known)
}

fn of<T: 'static>() -> TypeId {
    TypeId::of::<T>()
}

/// The kind of an option's value: `switch` for an option without one.
fn kind(option: &Arg) -> &'static str {
    if !option.get_action().takes_values() {
        return "switch";
    }
    let kinds: [(&'static str, &[TypeId]); 5] = [
        (INTEGER, &[of::<u8>(), of::<u16>(), of::<u32>(), of::<u64>(), of::<usize>()]),
        (INTEGER, &[of::<i8>(), of::<i16>(), of::<i32>(), of::<i64>(), of::<isize>()]),
        ("path", &[of::<PathBuf>()]),
        ("size", &[of::<ByteSize>()]),
        ("time", &[of::<Duration>()]),
    ];
    let found = kinds.iter().find(|(_, types)| is_any(option, types));
    found.map_or("text", |(kind, _)| kind)
}

const INTEGER: &str = "integer";

/// The least and the greatest number that an option takes. `None` in place of a bound that its type has
/// anyway, and where there is no other.
///
/// clap does not tell the bounds of a parser, so it is tried on numbers.
fn range(option: &Arg) -> Option<[Option<i64>; 2]> {
    if kind(option) != INTEGER {
        return None;
    }
    let parser = Command::new("range").no_binary_name(true).arg(
        Arg::new("number")
            .value_parser(option.get_value_parser().clone())
            .allow_negative_numbers(true),
    );
    let takes = |number: i64| parser.clone().try_get_matches_from([number.to_string()]).is_ok();
    let default = default(option).and_then(|text| text.parse().ok());
    let inside = default.into_iter().chain([1, 0, 2, 10, -1]).find(|&number| takes(number))?;
    // The last number that is taken, from `inside` to where none is any more.
    let last = |step: i64| {
        let (mut taken, mut refused) = (inside, None);
        let mut stride = step;
        while refused.is_none() {
            match taken.checked_add(stride) {
                None => return None,
                Some(next) if takes(next) => (taken, stride) = (next, stride.saturating_mul(2)),
                Some(next) => refused = Some(next),
            }
        }
        let mut refused = refused?;
        while taken.abs_diff(refused) > 1 {
            let middle = taken.midpoint(refused);
            let place = if takes(middle) { &mut taken } else { &mut refused };
            *place = middle;
        }
        Some(taken)
    };
    let [least, most] = [last(-1), last(1)];
    let bounds = |number: &i64| *number != 0;
    let of_types = [
        u8::MAX.into(),
        u16::MAX.into(),
        u32::MAX.into(),
        i8::MAX.into(),
        i16::MAX.into(),
        i32::MAX.into(),
    ];
    let most = most.filter(|most| !of_types.contains(most));
    Some([least.filter(bounds), most]).filter(|bounds| bounds.iter().any(Option::is_some))
}

#[cfg(test)]
mod tests {
    use clap::value_parser;

    use super::*;

    #[test]
    fn the_bounds_of_a_number_are_found() {
        let option = || Arg::new("number").long("number");
        for (parser, bounds) in [
            (value_parser!(u64).range(1..).into(), Some([Some(1), None])),
            (value_parser!(u16).range(1..=1024).into(), Some([Some(1), Some(1024)])),
            (value_parser!(u8).into(), None),
            (value_parser!(i64).range(-7..=7).into(), Some([Some(-7), Some(7)])),
        ] as [(clap::builder::ValueParser, _); 4]
        {
            assert_eq!(range(&option().value_parser(parser)), bounds);
        }
        assert_eq!(range(&option()), None);
    }
}
