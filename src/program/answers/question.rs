//! Questions about a table, as they stand in an address, and their answers.

use std::cell::Cell;

use serde_json::{Value as Json, json};

use crate::game::summary::{AtDistance, Summary};
use crate::program::answers::examples::{Kind, Search};
use crate::program::answers::facts::{Answers, Facts};
use crate::program::answers::parameters::Parameters;
use crate::program::answers::position::{Look, Wanted};
use crate::program::answers::problem::Problem;
use crate::program::answers::setup::{Asked, read_pieces};
use crate::program::answers::tables::NamedTable;
use crate::program::answers::{IsLate, json};

/// The most and the usual number of examples.
pub(crate) const MOST_EXAMPLES: u64 = 100;
pub(crate) const USUAL_EXAMPLES: u64 = 20;

/// The most moves of a game.
pub(crate) const MOST_MOVES: usize = 2_000;

/// The text of an answer, and its type.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) kind: &'static str,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn json(answer: &Json) -> Reply {
        Reply { kind: "application/json", body: answer.to_string() }
    }
}

/// A question about a table.
pub(crate) enum Question {
    /// What the table is.
    Table,
    /// Its figures.
    Stats,
    /// A position, or the start.
    Look { form: Form, state: Option<String>, flipped: bool },
    /// The moves of a game from a position, or the start.
    Game { state: Option<String>, moves: Vec<String> },
    /// A position that is set up by hand.
    SetUp { asked: Asked, flipped: bool },
    /// Positions of a kind.
    Examples(Examples),
}

/// What is asked of a position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Probe,
    Moves,
    /// Best play, this many plies of it at most.
    Line {
        plies: usize,
    },
    /// Everything about it; briefly, without the line, which can take long.
    Position {
        brief: bool,
    },
    Picture,
}

/// The parameters of a search for examples.
pub(crate) struct Examples {
    kind: Kind,
    plies: Option<u64>,
    points: Option<i16>,
    count: u64,
    from: u64,
    seed: Option<u64>,
    tier: Option<String>,
}

impl Question {
    /// The answer about a table.
    ///
    /// # Errors
    /// When the table does not have the answer, or when it gets late.
    pub(crate) fn answer(&self, table: &NamedTable, is_late: IsLate<'_>) -> Result<Reply, Problem> {
        let answers = &*table.answers;
        let facts = answers.facts();
        match self {
            Question::Table => Ok(Reply::json(&table.json())),
            Question::Stats => Ok(Reply::json(&json::stats(facts))),
            Question::Look { form, state, flipped } => {
                let look = answers.look(state.as_deref(), form.wanted(), is_late)?;
                form.write(facts, &look, *flipped)
            }
            Question::Game { state, moves } => {
                let look = answers.follow(state.as_deref(), moves, is_late)?;
                Ok(Reply::json(&json::game(&facts.words, &look)))
            }
            Question::SetUp { asked, flipped } => {
                Ok(Reply::json(&json::set_up(facts, &answers.set_up(asked)?, *flipped)))
            }
            Question::Examples(examples) => examples.answer(answers, is_late),
        }
    }
}

fn look(form: Form, parameters: &Parameters<'_>) -> Result<Question, Problem> {
    let state = parameters.get("state").map(str::to_owned);
    Ok(Question::Look { form, state, flipped: parameters.switch("flip") })
}

pub(crate) fn read_probe(parameters: &Parameters<'_>) -> Result<Question, Problem> {
    look(Form::Probe, parameters)
}

pub(crate) fn read_moves(parameters: &Parameters<'_>) -> Result<Question, Problem> {
    look(Form::Moves, parameters)
}

pub(crate) fn read_line(parameters: &Parameters<'_>) -> Result<Question, Problem> {
    look(Form::Line { plies: parameters.number("plies").unwrap_or(usize::MAX) }, parameters)
}

pub(crate) fn read_position(parameters: &Parameters<'_>) -> Result<Question, Problem> {
    look(Form::Position { brief: parameters.switch("brief") }, parameters)
}

pub(crate) fn read_game(parameters: &Parameters<'_>) -> Result<Question, Problem> {
    let state = parameters.get("state").map(str::to_owned);
    let given = parameters.get("moves").unwrap_or("[]");
    let wrong = |wrong: String| Problem::invalid_value("moves", given, format!("moves: {wrong}"));
    let moves: Vec<String> = serde_json::from_str(given)
        .map_err(|_| wrong("expected a list of moves in JSON, such as [\"a1-a2\"]".into()))?;
    if moves.len() > MOST_MOVES {
        return Err(wrong(format!("{} moves: expected at most {MOST_MOVES}", moves.len())));
    }
    Ok(Question::Game { state, moves })
}

pub(crate) fn read_picture(parameters: &Parameters<'_>) -> Result<Question, Problem> {
    look(Form::Picture, parameters)
}

pub(crate) fn read_setup(parameters: &Parameters<'_>) -> Result<Question, Problem> {
    let flipped = parameters.switch("flip");
    let asked = match (parameters.get("state"), parameters.get("pieces")) {
        (state, None) => Asked::Of(state.map(str::to_owned)),
        (None, Some(pieces)) => Asked::Pieces(read_pieces(pieces)?),
        (Some(_), Some(_)) => {
            return Err(Problem::bad_request("state and pieces: expected one of the two"));
        }
    };
    Ok(Question::SetUp { asked, flipped })
}

pub(crate) fn read_examples(parameters: &Parameters<'_>) -> Result<Question, Problem> {
    let points: Option<i16> = parameters.number("points");
    let usual = match points {
        None => Kind::LongestWin,
        Some(1..) => Kind::Win,
        Some(0) => Kind::Draw,
        Some(_) => Kind::Loss,
    };
    let kind = parameters.get("kind").and_then(Kind::named).unwrap_or(usual);
    let plies = parameters.number("plies");
    if plies.is_some() && !kind.has_plies() {
        return Err(Problem::bad_request(format!(
            "plies: {} is not asked for by plies; leave them out, or ask for win, loss, only-move or \
             lost-for-both",
            kind.name()
        )));
    }
    let count = parameters.number("count").unwrap_or(USUAL_EXAMPLES);
    let from = parameters.number("from").unwrap_or(0);
    let seed = parameters.number("seed");
    if seed.is_some() && parameters.get("from").is_some() {
        return Err(Problem::bad_request("seed, from: ask for one of the two"));
    }
    let tier = parameters.get("tier").map(str::to_owned);
    Ok(Question::Examples(Examples { kind, plies, points, count, from, seed, tier }))
}

impl Form {
    fn wanted(self) -> Wanted {
        match self {
            Form::Probe => Wanted::default(),
            Form::Moves => Wanted { moves: true, replies: true, ..Wanted::default() },
            Form::Line { plies } => Wanted { line: Some(plies), ..Wanted::default() },
            Form::Position { brief } => {
                let line = if brief { None } else { Some(usize::MAX) };
                Wanted { moves: true, replies: !brief, line, picture: true }
            }
            Form::Picture => Wanted { picture: true, ..Wanted::default() },
        }
    }

    fn write(self, facts: &Facts, look: &Look, flipped: bool) -> Result<Reply, Problem> {
        let words = &facts.words;
        let answer = match self {
            Form::Probe => json!(json::position(words, &look.position)),
            Form::Moves => json::moves(words, look),
            Form::Line { .. } => json::line(facts, look),
            Form::Position { .. } => json::look(facts, look, flipped),
            Form::Picture => {
                let body = json::svg(facts, look, flipped)
                    .ok_or_else(|| Problem::not_found("this game has no pictures"))?;
                return Ok(Reply { kind: "image/svg+xml", body });
            }
        };
        Ok(Reply::json(&answer))
    }
}

impl Examples {
    fn answer(&self, answers: &dyn Answers, is_late: IsLate<'_>) -> Result<Reply, Problem> {
        let Examples { kind, plies, points, count, from, seed, ref tier } = *self;
        let facts = answers.facts();
        if points.is_some() && facts.rules.points.is_none() {
            return Err(Problem::bad_request("points: the game has no points"));
        }
        if kind == Kind::LostForBoth && !facts.can_pass {
            let detail = "this game has no positions with the other player to move";
            return Err(Problem::bad_request(detail));
        }
        let is_in = |name: &str| tier.as_deref().is_none_or(|tier| tier == name);
        let summaries = facts.tiers.iter().filter(|tier| is_in(&tier.name));
        let summary = Summary::sum(summaries.map(|tier| &tier.summary));
        let longest = |count: fn(&AtDistance) -> u64| {
            summary.distances.iter().filter(|at| count(at) > 0).map(|at| at.plies).max()
        };
        let plies = match kind {
            Kind::LongestWin => longest(|at| at.won),
            Kind::LongestLoss => longest(|at| at.lost),
            _ => plies.map(|plies| plies as u32),
        };
        let search = Search {
            kind,
            plies,
            points,
            tier: tier.as_deref(),
            count: count as usize,
            from,
            seed,
            is_over: is_late,
            ticks: Cell::new(0),
            late: Cell::new(false),
        };
        let found = answers.search(&search)?;
        Ok(Reply::json(&json::examples(&facts.words, &search, &found)))
    }
}
