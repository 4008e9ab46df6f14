//! The notes on the plan of a solve.

use std::time::Duration;

use bytesize::ByteSize;
use indicatif::{HumanCount, HumanDuration};

use crate::runtime::progress::{Alternative, Method, Plan};

/// Shorter runs need no notes on their time.
pub(super) const LONG: Duration = Duration::from_secs(10);

/// Why the moves are not made again.
const RECORDED: &str = "the moves were recorded while the states were discovered";

/// How a game without predecessors is going to be solved, and how long a long run is expected to take.
/// `None` where that goes without saying.
pub(super) fn method(plan: &Plan) -> Option<String> {
    let time = plan.forecast.map(|forecast| forecast.time);
    let goes_without_saying = matches!(plan.method, Method::Predecessors | Method::OnePass);
    if goes_without_saying && time.is_none_or(|time| time < LONG) {
        return None;
    }
    let mut note = match (plan.method, plan.forecast) {
        (Method::Predecessors, Some(forecast)) => format!(
            "{} states and some {} moves, estimated from a sample",
            HumanCount(forecast.states),
            HumanCount(forecast.edges)
        ),
        (Method::ReverseEdges { passes, .. }, Some(forecast)) if !plan.recorded => format!(
            "the game has no predecessors: solving by some {} reverse edges, estimated from a \
             sample{}",
            HumanCount(forecast.edges),
            if passes > 1 { format!(", in some {passes} passes") } else { String::new() }
        ),
        (Method::ReverseEdges { edges, .. }, _) if plan.recorded => {
            format!("{RECORDED}: solving by {} reverse edges", HumanCount(edges))
        }
        (method, _) => format!("the game has no predecessors: solving {method}"),
    };
    note += &format!(", with {}", bytes(plan.bytes));
    if let Some(allowed) = plan.allowed {
        note += &format!(" of the {} allowed", bytes(allowed));
    }
    if plan.coded {
        note += ", states coded";
    }
    if let Some(time) = time {
        note += &format!(", in about {}", whole(time));
    }
    Some(note)
}

/// The time and the memory of other ways, if one of them is faster than the one that is taken.
pub(super) fn other_ways(plan: &Plan) -> Option<String> {
    let forecast = plan.forecast?;
    let is_faster = |other: Alternative| other.time < forecast.time;
    forecast.alternatives().any(is_faster).then(|| {
        let ways: Vec<_> = forecast.alternatives().map(way).collect();
        let ways = ways.join("; ");
        match forecast.alternatives().count() {
            1 => format!("another way takes about {ways}"),
            _ => format!("other ways take about {ways}"),
        }
    })
}

fn way(other: Alternative) -> String {
    let how = match other.method {
        _ if other.in_files => " and scratch files",
        Method::ReverseEdges { passes: 2.., .. } => ", in two passes over the moves",
        Method::Forward => ", going through the moves at every level",
        _ => "",
    };
    format!("{} with {}{how}", whole(other.time), bytes(other.memory))
}

/// That the memory may turn out to be too little, if it may. `what` is solved.
pub(super) fn widening(plan: &Plan, what: &str) -> Option<String> {
    plan.allowed.filter(|&allowed| plan.widened > allowed)?;
    Some(format!(
        "{what} takes {} of memory, and up to {} if there are too many distances for one byte a state: \
         it may then end with an error, since less is allowed",
        bytes(plan.bytes),
        bytes(plan.widened)
    ))
}

/// That what does not fit into memory is in files, if it is.
pub(super) fn scratch(plan: &Plan) -> Option<String> {
    let allowed = plan.allowed.filter(|_| plan.scratch > 0)?;
    let then = match plan.forecast.map_or(0, |forecast| forecast.traffic) {
        0 => ", which may take more than twice as long".into(),
        traffic => format!("; up to {} go there and come back", bytes(traffic)),
    };
    Some(format!(
        "more than the {} allowed is needed: the rest is in scratch files of {}{then}",
        bytes(allowed),
        bytes(plan.scratch)
    ))
}

fn bytes(bytes: u64) -> String {
    ByteSize::b(bytes).display().iec().to_string()
}

/// A time in whole seconds at least.
fn whole(time: Duration) -> HumanDuration {
    HumanDuration(Duration::from_secs(time.as_secs_f64().ceil() as u64))
}
