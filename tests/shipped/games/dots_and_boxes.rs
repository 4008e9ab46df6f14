//! Dots and boxes: figures of another program, a plain recursion, and the laws.

use std::collections::{BTreeMap, HashMap};

use crate::states;
use retrograde::laws::{Laws, Scope};
use retrograde::{Game, Notation, Solver, Value};
use retrograde_games::BoardError;
use retrograde_games::dots_and_boxes::{DotsAndBoxes, DotsAndBoxesParameters};
use serde::Deserialize;

/// A line of `dots-and-boxes.jsonl`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    columns: u32,
    rows: u32,
    value: i16,
    states: u64,
    values: BTreeMap<i16, u64>,
}

fn dots(columns: u32, rows: u32) -> DotsAndBoxes {
    DotsAndBoxes::new(DotsAndBoxesParameters { columns, rows }).expect("a board to play on")
}

#[test]
fn boards_are_solved_as_another_program_solved_them() {
    let lines = include_str!("../../data/dots-and-boxes.jsonl").lines();
    let known: Vec<Known> =
        lines.map(|line| serde_json::from_str(line).expect("the data are lines of JSON")).collect();
    assert_eq!(known.len(), 5, "a line of the data got lost");
    for Known { columns, rows, value, states, values } in known {
        if kit::PLAIN && states > 10_000 {
            continue;
        }
        let game = dots(columns, rows);
        let solution = Solver::new(&game).solve().expect("a game to solve");
        assert_eq!(solution.summary().states(), states);
        let start = solution.value(&kit::start(&game)).expect("the start");
        assert_eq!(start.points(), value, "{columns} x {rows}");
        let mut counts = BTreeMap::new();
        for (_, value) in states::of(&solution) {
            *counts.entry(value.points()).or_insert(0) += 1;
        }
        assert_eq!(counts, values, "{columns} x {rows}");
    }
}

/// A second implementation of the rules: each line is a pair of dots, by column and row.
struct Plain {
    lines: Vec<[[u32; 2]; 2]>,
    values: HashMap<Vec<bool>, Value>,
}

impl Plain {
    /// The lines in the order in which the text of a position names them.
    fn new(columns: u32, rows: u32) -> Plain {
        let mut lines = Vec::new();
        for row in 0..=rows {
            lines.extend((0..columns).map(|column| [[column, row], [column + 1, row]]));
            if row < rows {
                lines.extend((0..=columns).map(|column| [[column, row], [column, row + 1]]));
            }
        }
        Plain { lines, values: HashMap::new() }
    }

    /// How many boxes have all their lines.
    fn boxes(&self, drawn: &[bool]) -> i16 {
        let is_drawn = |line: [[u32; 2]; 2]| {
            let at = self.lines.iter().position(|known| *known == line);
            at.is_some_and(|at| drawn[at])
        };
        let is_complete = |[column, row]: [u32; 2]| {
            let (right, below) = (column + 1, row + 1);
            is_drawn([[column, row], [right, row]])
                && is_drawn([[column, below], [right, below]])
                && is_drawn([[column, row], [column, below]])
                && is_drawn([[right, row], [right, below]])
        };
        let corners = self.lines.iter().filter(|[from, to]| from[1] == to[1]);
        corners.filter(|[from, _]| is_complete(*from)).count() as i16
    }

    fn value(&mut self, drawn: &[bool]) -> Value {
        if let Some(&value) = self.values.get(drawn) {
            return value;
        }
        let boxes = self.boxes(drawn);
        let open: Vec<usize> = (0..drawn.len()).filter(|&line| !drawn[line]).collect();
        let worth = open.into_iter().map(|line| {
            let mut next = drawn.to_vec();
            next[line] = true;
            let gain = self.boxes(&next) - boxes;
            let value = self.value(&next);
            let points = if gain > 0 { gain + value.points() } else { -value.points() };
            (points, value.plies().expect("play ends") + 1)
        });
        // All play is equally long.
        let (points, plies) = worth.max().unwrap_or((0, 0));
        let value = Value::Points { points, plies };
        self.values.insert(drawn.to_vec(), value);
        value
    }
}

#[test]
fn every_set_of_lines_is_worth_what_a_plain_recursion_says() {
    for (columns, rows) in [(1, 1), (2, 1), (1, 3), (2, 2)] {
        let game = dots(columns, rows);
        let mut plain = Plain::new(columns, rows);
        plain.value(&vec![false; plain.lines.len()]);
        let solution = Solver::new(&game).solve().expect("a game to solve");
        let states = states::of(&solution);
        assert_eq!(states.len(), plain.values.len());
        for (state, value) in states {
            let text = game.write_state(&state);
            let (lines, _) = text.split_once(',').expect("who is to move");
            let lines = lines.chars().filter(|&letter| letter != '/');
            let drawn: Vec<bool> = lines.map(|letter| letter == 'x').collect();
            assert_eq!(plain.values.get(&drawn), Some(&value), "{text}");
            let other = game.with_other_mover(&state).expect("a position");
            assert_eq!(solution.value(&other).ok(), Some(value), "{text}");
        }
    }
}

#[test]
fn boards_keep_the_laws() {
    for &(columns, rows) in kit::few(&[(1, 1), (1, 3)][..], &[(1, 1), (2, 1), (1, 3), (2, 2)]) {
        Laws::new(&dots(columns, rows)).notation().check().expect("a lawful game");
    }
    for &(columns, rows) in kit::few(&[(3, 3)][..], &[(5, 5), (20, 1), (4, 4), (3, 3)]) {
        let game = dots(columns, rows);
        let sample = Scope::Sample { states: 40, seed: 1 };
        Laws::new(&game).scope(sample).notation().check().expect("a lawful game");
    }
}

#[test]
fn lines_are_written_by_their_dots() {
    let game = dots(2, 1);
    let moves = |text: &str| {
        let from = game.parse_state(text).expect("a position");
        let mut moves = Vec::new();
        game.moves(&from, |to| {
            moves.push([game.write_move(&from, &to), game.write_state(&to)]);
        });
        moves
    };
    let all: Vec<String> = moves("../.../..,second").into_iter().map(|[name, _]| name).collect();
    assert_eq!(all, ["a2-b2", "b2-c2", "a1-a2", "b1-b2", "c1-c2", "a1-b1", "b1-c1"]);
    // A line that completes two boxes, and then one that completes one or none.
    assert_eq!(moves("xx/x.x/xx,second"), [["b1-b2", "xx/xxx/xx,second"]]);
    assert_eq!(
        moves("xx/xx./x.,first"),
        [["c1-c2", "xx/xxx/x.,second"], ["b1-c1", "xx/xx./xx,second"]]
    );
    assert_eq!(
        moves("x./xx./.x,first")[1..],
        [["c1-c2", "x./xxx/.x,second"], ["a1-b1", "x./xx./xx,first"]]
    );
}

#[test]
fn positions_are_written_as_people_write_them() {
    let game = dots(2, 2);
    let text = "x./.xx/xx/x../.x,second";
    let position = game.parse_state(text).expect("a position");
    assert_eq!(game.write_state(&position), text);
    let drawn = " 3 +---+   +\n       |   |\n 2 +---+---+\n   |\n 1 +   +---+\n   a   b   c\nsecond to move";
    assert_eq!(game.draw(&position), drawn);
    let refused = [
        ("x./.xx/xx/x../.x", "it does not say who is to move"),
        ("x./.xx/xx/x../.x,third", "\"third\" is not to move: expected first or second"),
        ("x./.xx/xx,first", "it has 3 rows, not 5"),
        ("x./.xxx/xx/x../.x,first", "row \".xxx\" has 4 characters, not 3"),
        ("x./.xo/xx/x../.x,first", "row \".xo\" has a 'o', not one of .x"),
    ];
    for (text, problem) in refused {
        let error = game.parse_state(text).expect_err(text).to_string();
        assert!(error.contains(problem), "{error}");
        assert!(error.contains("expected 5 rows of 2 horizontal and 3 vertical lines"), "{error}");
        assert!(error.contains("as in ../.../../.../..,first"), "{error}");
    }
}

#[test]
fn boards_without_boxes_or_with_more_than_63_lines_are_refused() {
    for (columns, rows) in [(0, 1), (1, 0), (21, 1), (6, 5), (u32::MAX, 1), (u32::MAX, u32::MAX)] {
        let refused = DotsAndBoxes::new(DotsAndBoxesParameters { columns, rows }).map(|_| ());
        let error = refused.expect_err("no board");
        assert!(matches!(error, BoardError::Size { .. }));
        assert!(error.to_string().contains("at most 63 lines"), "{error}");
    }
}
