//! The schemas of the answers. A test of the server compares them with the answers, field by field.

use serde_json::Value as Json;

use crate::game::value::{MAX_PLIES, MAX_POINTS};
use crate::program::serve::description::schema::{
    Field, any_object, anything, count, described, exactly, field, flag, list, map_of, maybe,
    nullable, number, object, one_of, or_null, reference, text, whole,
};

/// The name of each schema, and its schema.
pub(super) fn all() -> Vec<(&'static str, Json)> {
    vec![
        ("Position", object([position(), vec![note()]].concat())),
        ("Move", object(played())),
        ("Step", object([played(), alternatives()].concat())),
        ("Moves", object([of_position(), groups()].concat())),
        ("Game", object([of_position(), game()].concat())),
        ("Line", object([of_position(), line()].concat())),
        ("Picture", object(picture())),
        ("Look", object([of_position(), look()].concat())),
        ("SetUp", object(set_up())),
        ("Table", object(table())),
        ("Tables", object(tables())),
        ("Stats", object(stats())),
        ("Examples", object(examples())),
        ("Problem", object(problem())),
    ]
}

fn position() -> Vec<Field> {
    vec![
        field("state", text("The position in the game's notation")),
        field("to_move", nullable(text("Who is to move; null where positions do not say it"))),
        field("value", one_of(&["win", "draw", "loss"], "The value for the player to move")),
        field(
            "outcome",
            text(
                "The winner's name, or `draw`; where a table does not know the players, `mover` or `opponent`",
            ),
        ),
        field(
            "plies",
            nullable(whole(
                0,
                MAX_PLIES as i64,
                "In how many plies the game is won; null for draws, for what a limit or endless play decides, and where the table has outcomes only",
            )),
        ),
        field("decided_by", one_of(&["play", "endless", "ply-limit"], "What decides the outcome")),
        field(
            "over",
            flag("Whether play is over; in a game that stops early, `plies` may be 1 then"),
        ),
        field("verdict", text("The value in words")),
        maybe(
            "points",
            whole(
                0,
                MAX_POINTS as i64,
                "In a game with points, by how many the winner wins; 0 for a draw. Absent in games without points",
            ),
        ),
    ]
}

fn note() -> Field {
    maybe(
        "note",
        text(
            "What the text of the position says and the table does not know, where it may change who wins, such as the clock of a FEN; absent otherwise",
        ),
    )
}

fn played() -> Vec<Field> {
    let own = vec![
        field("move", text("The move in the game's notation")),
        field(
            "worth",
            one_of(&["win", "draw", "loss"], "The outcome for the player who makes the move"),
        ),
        maybe(
            "gain",
            whole(
                -32768,
                32767,
                "In a game with points, what the move gains for the player who makes it. Absent in games without points",
            ),
        ),
        maybe(
            "total",
            whole(
                -32768,
                32767,
                "In a game with points, what the move is worth to the player who makes it: the points that it gains and those that follow. Absent in games without points",
            ),
        ),
        field("best", flag("Whether no move is better")),
        field(
            "places",
            list(
                count(""),
                "The places of the picture that a person touches to make the move, in order",
            ),
        ),
        maybe(
            "replies",
            described(
                object(vec![
                    field("hold", count("How many keep it")),
                    field("all", count("How many there are")),
                ]),
                "After a drawing move, the replies that keep the draw. Absent elsewhere, and where counting them is much work",
            ),
        ),
        field(
            "other_places",
            list(list(count(""), ""), "Other lists of places that make the same move"),
        ),
    ];
    [own, position()].concat()
}

fn alternatives() -> Vec<Field> {
    vec![
        field(
            "alternatives",
            list(
                object(vec![
                    field("move", text("The move")),
                    field("state", text("The position that it leads to")),
                ]),
                "The other moves that are equally good",
            ),
        ),
        field("only", flag("Whether every other move gives away a win or a draw")),
        maybe(
            "score",
            whole(
                -(MAX_POINTS as i64),
                MAX_POINTS as i64,
                "In a game with points, how many points the player to move in the position has gained more than the \
         other after this move; at the end of play, with what the end is worth. Absent in games without points",
            ),
        ),
    ]
}

fn of_position() -> Vec<Field> {
    vec![field("position", reference("Position"))]
}

fn groups() -> Vec<Field> {
    vec![
        field("won", list(reference("Move"), "Moves that win, best first")),
        field("drawn", list(reference("Move"), "Moves that draw")),
        field("lost", list(reference("Move"), "Moves that lose, the latest loss first")),
    ]
}

fn game() -> Vec<Field> {
    vec![field("moves", list(reference("Move"), "The moves in order"))]
}

fn line() -> Vec<Field> {
    vec![
        field("line", list(reference("Step"), "The moves of best play")),
        field("end", one_of(&["over", "repetition", "ply-limit", "cut"], "Why the line ends")),
        field(
            "repeats_ply",
            nullable(count(
                "After a repetition, the ply after which the last position was there before; 0 is the first position",
            )),
        ),
        field("endless", text("What endless play is worth: a player's name or `draw`")),
    ]
}

fn picture() -> Vec<Field> {
    vec![
        field("svg", text("The picture")),
        field("width", number("Its width in its own units")),
        field("height", number("Its height")),
        field(
            "places",
            list(
                object(vec![
                    field("name", text("What it is called")),
                    field("description", text("Its name, and what is there")),
                    field("x", number("Its centre")),
                    field("y", number("Its centre")),
                    maybe(
                        "opposite",
                        whole(
                            None,
                            None,
                            "The place where the other player sees what is there, on a board that is turned for the player to move",
                        ),
                    ),
                ]),
                "The places, by number",
            ),
        ),
    ]
}

fn look() -> Vec<Field> {
    vec![
        field("moves", object(groups())),
        field("line", or_null(object(line()))),
        field("picture", or_null(reference("Picture"))),
        field("text", text("The position drawn as text")),
        field("tier", nullable(text("The tier of the position; null without tiers"))),
    ]
}

fn set_up() -> Vec<Field> {
    vec![
        field(
            "kinds",
            list(
                object(vec![
                    field("name", text("What it is called")),
                    field("player", nullable(text("Whose it is; null for nobody's"))),
                    field("single", flag("Whether there is one of it alone")),
                    field("svg", text("What it looks like")),
                ]),
                "The kinds of pieces that can be put, by number",
            ),
        ),
        field("shared", flag("Whether a place may have several pieces")),
        field(
            "pieces",
            list(
                object(vec![
                    field("place", count("The number of the place")),
                    field("kind", count("The number of the kind")),
                    field("count", whole(1, None, "How many there are of it")),
                ]),
                "The pieces on the picture that can be moved",
            ),
        ),
        field(
            "turns",
            list(
                object(vec![
                    field(
                        "to_move",
                        nullable(text("Who is to move; null where positions do not say it")),
                    ),
                    field("position", or_null(reference("Position"))),
                    field("problem", nullable(text("Why there is no such position"))),
                ]),
                "The position with each player to move",
            ),
        ),
        field("picture", reference("Picture")),
    ]
}

fn table() -> Vec<Field> {
    vec![
        field("name", text("The name of the table")),
        field(
            "identity",
            text("What tells the table from another one of its name: the ETag of answers about it"),
        ),
        field("game", text("The name of the game")),
        field("about", text("The game in a few words")),
        field(
            "rules",
            text(
                "The rules in a few sentences, for somebody who never played; the game in a few words where it says no more",
            ),
        ),
        field("parameters", anything("The parameters of the game")),
        field("players", exactly(2, list(text(""), "The names of the players"))),
        field("players_told_apart", flag("Whether the table counts the wins of each player")),
        field("states", count("How many positions there are")),
        field("bytes", count("The size of the table")),
        field("numbering", text("How positions are numbered")),
        field("has_distances", flag("Whether distances are known, and not outcomes only")),
        field("has_pictures", flag("Whether positions have pictures")),
        field(
            "board_turns",
            flag("Whether a picture shows the board as the player to move sees it"),
        ),
        field("can_pass", flag("Whether positions with the other player to move can be asked for")),
        field("can_be_set_up", flag("Whether positions can be set up by hand")),
        field("ply_limit", nullable(count("The greatest number of plies that play may take"))),
        maybe(
            "max_points",
            whole(
                0,
                MAX_POINTS as i64,
                "In a game with points, the most that a player can gain. Absent in games without points",
            ),
        ),
        field("endless", text("What endless play is worth: a player's name or `draw`")),
        maybe(
            "counted_in_moves",
            text(
                "The name of a forced end that is counted in moves of the winner, too, as `mate`. Absent where there is none",
            ),
        ),
        field("longest_plies", nullable(count("The longest distance"))),
        field("start", nullable(text("The start position"))),
        field("notation", text("How positions are written, with an example")),
        field("tiers", list(text(""), "The names of the tiers in solving order")),
    ]
}

fn tables() -> Vec<Field> {
    vec![
        field("program", text("The program")),
        field("version", text("Its version")),
        field("tables", list(reference("Table"), "The tables")),
    ]
}

fn counts_by_distance() -> Json {
    list(
        object(vec![
            field("plies", count("The distance")),
            field("won", count("Won for the player to move")),
            field("lost", count("Lost for the player to move")),
        ]),
        "How many positions are won and lost at each distance, for the player to move",
    )
}

fn counts_by_points() -> Json {
    list(
        object(vec![
            field("points", whole(-(MAX_POINTS as i64), MAX_POINTS as i64, "")),
            field("states", count("")),
        ]),
        "In a game with points, how many states are worth how many points to the player to move. Absent in games without points",
    )
}

fn stats() -> Vec<Field> {
    vec![
        field("game", text("The name of the game")),
        field("parameters", anything("The parameters of the game")),
        field("numbering", text("How positions are numbered")),
        field("states", count("How many positions there are")),
        field("wins", map_of(count(""), "The number of positions that each player wins")),
        field("draws", count("How many are drawn")),
        field("endless", count("How many endless play decides")),
        field("beyond_ply_limit", count("How many the ply limit decides")),
        field("longest_plies", nullable(count("The longest distance"))),
        field(
            "to_move",
            described(
                object(vec![
                    field("won", count("Won")),
                    field("lost", count("Lost")),
                    field("drawn", count("Drawn")),
                ]),
                "The counts for the player to move",
            ),
        ),
        field("distances", counts_by_distance()),
        maybe("points", counts_by_points()),
        field(
            "tiers",
            list(
                object(vec![
                    field("tier", text("Its name")),
                    field(
                        "described",
                        nullable(text("What it is, in words, where its name does not say so")),
                    ),
                    field("states", count("Positions")),
                    field("won", count("Won")),
                    field("lost", count("Lost")),
                    field("drawn", count("Drawn")),
                    field("longest_plies", nullable(count("The longest distance"))),
                    field("distances", counts_by_distance()),
                    maybe("points", counts_by_points()),
                ]),
                "The figures of each tier",
            ),
        ),
        field("bytes", count("The size of the table")),
        field("outcomes_only", flag("Whether the table has outcomes only")),
    ]
}

fn examples() -> Vec<Field> {
    vec![
        field("kind", text("What was searched for")),
        field("plies", nullable(count("The distance that was searched for"))),
        maybe(
            "points",
            whole(
                -(MAX_POINTS as i64),
                MAX_POINTS as i64,
                "The points that were asked for. Absent where none were",
            ),
        ),
        field("tier", nullable(text("The tier that was searched"))),
        field("examples", list(reference("Position"), "Positions")),
        field("complete", flag("False where the time was too short")),
        field(
            "scanned_to",
            nullable(count("The first index that was not looked at; null at the end of the table")),
        ),
    ]
}

fn problem() -> Vec<Field> {
    vec![
        field("type", text("The kind of problem, an address")),
        field("title", text("The status in words")),
        field("status", whole(None, None, "The status")),
        field("detail", text("What was wrong, and what was expected, for people")),
        field("code", text("The kind of the error, for programs")),
        field("fields", any_object("What the error is about, by names that the code decides")),
    ]
}
