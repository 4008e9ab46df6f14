//! The lines of `tests/data`: games with the figures of another program.

use serde::Deserialize;

/// A line of `cat-and-mouse.jsonl`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GraphLine {
    pub(crate) graph: Vec<Vec<i64>>,
    result: usize,
    plies: Option<u32>,
    mouse: u64,
    cat: u64,
    draws: u64,
    longest: u32,
}

/// A line of `cat-and-mouse-grid.jsonl`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GridLine {
    pub(crate) grid: Vec<String>,
    #[serde(rename = "catJump")]
    pub(crate) cat_jump: u32,
    #[serde(rename = "mouseJump")]
    pub(crate) mouse_jump: u32,
    mouse_can_win: bool,
    mouse_plies: Option<u32>,
    forced_cat_plies: Option<u32>,
    mouse: u64,
    cat: u64,
    endless: u64,
    longest: u32,
}

/// The known figures of a game of either kind.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// The outcome of the start position: a player's name or "draw".
    pub(crate) outcome: &'static str,
    pub(crate) plies: Option<u32>,
    pub(crate) mouse: u64,
    /// Includes endless play if the cat wins it.
    pub(crate) cat: u64,
    pub(crate) draws: u64,
    /// The number of states that endless play decides, if known.
    pub(crate) endless: Option<u64>,
    pub(crate) longest: u32,
}

impl Known {
    pub(crate) fn states(&self) -> u64 {
        self.mouse + self.cat + self.draws
    }
}

impl GraphLine {
    pub(crate) fn known(&self) -> Known {
        Known {
            outcome: ["draw", "mouse", "cat"][self.result],
            plies: self.plies,
            mouse: self.mouse,
            cat: self.cat,
            draws: self.draws,
            endless: None,
            longest: self.longest,
        }
    }
}

impl GridLine {
    pub(crate) fn known(&self) -> Known {
        Known {
            outcome: if self.mouse_can_win { "mouse" } else { "cat" },
            plies: self.mouse_plies.or(self.forced_cat_plies),
            mouse: self.mouse,
            cat: self.cat + self.endless,
            draws: 0,
            endless: Some(self.endless),
            longest: self.longest,
        }
    }
}

pub(crate) fn graphs() -> Vec<GraphLine> {
    lines(include_str!("../data/cat-and-mouse.jsonl"), 80)
}

pub(crate) fn grids() -> Vec<GridLine> {
    lines(include_str!("../data/cat-and-mouse-grid.jsonl"), 60)
}

fn lines<'a, L: Deserialize<'a>>(text: &'a str, count: usize) -> Vec<L> {
    let parse = |line| serde_json::from_str(line).expect("the data are lines of JSON");
    let lines: Vec<L> = text.lines().map(parse).collect();
    assert_eq!(lines.len(), count, "a line of the data got lost");
    lines
}
