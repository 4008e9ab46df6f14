//! The table of the questions about a table. A row has all that is known of a question: routes, checks of
//! parameters, metrics, the description for programs, and what the package for Python lists follow from it.

use serde_json::{Value as Json, json};

use crate::game::value::{MAX_PLIES, MAX_POINTS};
use crate::program::answers::examples::Kind;
use crate::program::answers::parameters::{Parameter, Parameters, Takes};
use crate::program::answers::problem::Problem;
use crate::program::answers::question::{
    MOST_EXAMPLES, Question, USUAL_EXAMPLES, read_examples, read_game, read_line, read_moves,
    read_picture, read_position, read_probe, read_setup,
};

/// A question about a table.
#[cfg_attr(
    target_family = "wasm",
    allow(dead_code, reason = "the server describes itself, a module does not")
)]
pub(crate) struct Row {
    /// The last part of its address; empty for the question what the table is.
    pub(crate) name: &'static str,
    /// The name for programs.
    pub(crate) id: &'static str,
    /// The answer in a few words.
    pub(crate) about: &'static str,
    pub(crate) parameters: &'static [Parameter],
    /// The name by which requests are counted.
    pub(crate) metric: &'static str,
    /// The schema of the answer in JSON; `None` for a picture.
    pub(crate) schema: Option<&'static str>,
    /// Whether a table with outcomes only does not have the answer.
    pub(crate) needs_distances: bool,
    /// Whether the answer is searched for in a limited time, one question after the other.
    pub(crate) is_search: bool,
    /// Whether the address takes many positions at once, too.
    pub(crate) takes_batch: bool,
    /// The reasons for the statuses 400 and 404.
    pub(crate) wrong: &'static str,
    pub(crate) missing: &'static str,
    read: fn(&Parameters<'_>) -> Result<Question, Problem>,
}

impl Row {
    /// The usual row.
    pub(crate) const USUAL: Row = Row {
        name: "",
        id: "",
        about: "",
        parameters: &[],
        metric: "",
        schema: None,
        needs_distances: false,
        is_search: false,
        takes_batch: false,
        wrong: "The address or the position is wrong",
        missing: "There is no such table, or it has no such position",
        read: |_| Ok(Question::Table),
    };

    /// Whether the question is about a position.
    pub(crate) fn takes_state(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.name == STATE.name)
    }
}

const STATE: Parameter = Parameter {
    name: "state",
    about: "The position in the game's notation; the start position if it is left out",
    takes: Takes::Text,
};

const FLIP: Parameter =
    Parameter { name: "flip", about: "Whether the picture is turned round", takes: Takes::Switch };

/// All questions.
pub(crate) const QUESTIONS: &[Row] = &[
    Row { id: "table", about: "One table", metric: "tables", schema: Some("Table"), ..Row::USUAL },
    Row {
        name: "probe",
        id: "probe",
        about: "Who wins a position, and in how many plies",
        parameters: &[STATE],
        metric: "probe",
        schema: Some("Position"),
        takes_batch: true,
        read: read_probe,
        ..Row::USUAL
    },
    Row {
        name: "moves",
        id: "moves",
        about: "The legal moves, grouped by what they are worth, best first",
        parameters: &[STATE],
        metric: "moves",
        schema: Some("Moves"),
        read: read_moves,
        ..Row::USUAL
    },
    Row {
        name: "line",
        id: "line",
        about: "Best play to the end",
        parameters: &[
            STATE,
            Parameter {
                name: "plies",
                about: "The most plies of the line; all if it is left out",
                takes: Takes::Number { least: 0, most: u32::MAX as u64, default: None },
            },
        ],
        metric: "line",
        schema: Some("Line"),
        needs_distances: true,
        read: read_line,
        ..Row::USUAL
    },
    Row {
        name: "game",
        id: "game",
        about: "The moves of a game, each with what it is worth",
        parameters: &[
            Parameter {
                about: "The position where the game began; the start if it is left out",
                ..STATE
            },
            Parameter {
                name: "moves",
                about: "The moves in order, as the game writes them: a list in JSON",
                takes: Takes::AnyText,
            },
        ],
        metric: "game",
        schema: Some("Game"),
        wrong: "The address, the position or a move is wrong",
        read: read_game,
        ..Row::USUAL
    },
    Row {
        name: "position",
        id: "position",
        about: "A position: its value, moves, line and picture in one answer",
        parameters: &[
            STATE,
            FLIP,
            Parameter {
                name: "brief",
                about: "Whether the line is left out, which can take longest",
                takes: Takes::Switch,
            },
        ],
        metric: "position",
        schema: Some("Look"),
        read: read_position,
        ..Row::USUAL
    },
    Row {
        name: "picture",
        id: "picture",
        about: "The picture of a position",
        parameters: &[STATE, FLIP],
        metric: "position",
        read: read_picture,
        ..Row::USUAL
    },
    Row {
        name: "setup",
        id: "setup",
        about: "Pieces put on a picture, and the positions that this may be",
        parameters: &[
            Parameter {
                about: "The position whose pieces are put; the start position if this and `pieces` are \
                        left out",
                ..STATE
            },
            Parameter {
                name: "pieces",
                about: "The pieces instead of those of a position: PLACE.KIND or PLACE.KIND.COUNT, with \
                        commas between",
                takes: Takes::AnyText,
            },
            FLIP,
        ],
        metric: "setup",
        schema: Some("SetUp"),
        wrong: "The address, the position or a piece is wrong",
        missing: "There is no such table, or positions of its game are not set up by hand",
        read: read_setup,
        ..Row::USUAL
    },
    Row {
        name: "stats",
        id: "stats",
        about: "How many positions have which value",
        metric: "stats",
        schema: Some("Stats"),
        read: |_| Ok(Question::Stats),
        ..Row::USUAL
    },
    Row {
        name: "examples",
        id: "examples",
        about: "Positions of a kind",
        parameters: &[
            Parameter {
                name: "kind",
                about: "What to search for",
                takes: Takes::OneOf(&Kind::NAMES),
            },
            Parameter {
                name: "plies",
                about: "Only positions of this distance; for win, loss, only-move and lost-for-both",
                takes: Takes::Number { least: 0, most: MAX_PLIES as u64, default: None },
            },
            Parameter {
                name: "points",
                about: "In a game with points: only positions that are worth this many points to the player \
                        to move",
                takes: Takes::Number {
                    least: -(MAX_POINTS as i32),
                    most: MAX_POINTS as u64,
                    default: None,
                },
            },
            Parameter {
                name: "count",
                about: "How many positions are enough",
                takes: Takes::Number {
                    least: 1,
                    most: MOST_EXAMPLES,
                    default: Some(USUAL_EXAMPLES),
                },
            },
            Parameter {
                name: "from",
                about: "The first index to look at",
                takes: Takes::Number { least: 0, most: u64::MAX, default: Some(0) },
            },
            Parameter {
                name: "seed",
                about: "Take positions from all over the table, other ones for each seed; not with from",
                takes: Takes::Number { least: 0, most: u64::MAX, default: None },
            },
            Parameter { name: "tier", about: "Only positions of this tier", takes: Takes::AnyText },
        ],
        metric: "examples",
        schema: Some("Examples"),
        needs_distances: true,
        is_search: true,
        read: read_examples,
        ..Row::USUAL
    },
];

/// The row of this name.
///
/// # Errors
/// When there is none.
pub(crate) fn named(name: &str) -> Result<&'static Row, Problem> {
    QUESTIONS.iter().find(|row| row.name == name).ok_or_else(|| Problem::not_found(NO_ADDRESS))
}

/// The answer where an address is none.
pub(crate) const NO_ADDRESS: &str = "there is no such address; /api/openapi.json lists them";

/// The question of this name, with the parameters of an address.
///
/// # Errors
/// When there is no such question, or its parameters are wrong.
pub(crate) fn read(name: &str, query: Option<&str>) -> Result<Question, Problem> {
    named(name)?.read(query)
}

impl Row {
    /// The question with the parameters of an address.
    ///
    /// # Errors
    /// When the parameters are wrong.
    pub(crate) fn read(&self, query: Option<&str>) -> Result<Question, Problem> {
        (self.read)(&Parameters::read(query, self.parameters)?)
    }
}

/// The questions as data, for programs that ask an open table.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn data() -> Json {
    let parameter =
        |one: &Parameter| json!({ "name": one.name, "help": one.about, "schema": one.schema() });
    let row = |row: &Row| {
        json!({
            "question": row.name,
            "about": row.about,
            "takes_state": row.takes_state(),
            "is_json": row.schema.is_some(),
            "parameters": row.parameters.iter().map(parameter).collect::<Vec<_>>(),
        })
    };
    QUESTIONS.iter().map(row).collect()
}
