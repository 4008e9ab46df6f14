//! Othello: figures of another program, a plain recursion, and the laws.

use std::collections::{BTreeMap, HashMap, HashSet};

use kit::Random;
use retrograde::laws::{Laws, Scope};
use retrograde::scheme::{Hashed, Packed, Tiers};
use retrograde::{Game, Notation, Outcome, Player, Solver, Tiered, Value};
use retrograde_games::BoardError;
use retrograde_games::othello::{Discs, Othello, OthelloParameters};
use serde::Deserialize;

use crate::states;

/// A line of `othello.jsonl`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    columns: u32,
    rows: u32,
    value: i16,
    states: usize,
    states_first: usize,
    states_second: usize,
    mover_view_states: usize,
    ended: usize,
    passes: usize,
    values_for_the_mover: BTreeMap<i16, usize>,
}

fn othello(columns: u32, rows: u32) -> Othello {
    let parameters = OthelloParameters { columns, rows, fold: false };
    Othello::new(parameters).expect("a board to play on")
}

fn folded(columns: u32, rows: u32) -> Othello {
    let parameters = OthelloParameters { columns, rows, fold: true };
    Othello::new(parameters).expect("a board to play on")
}

fn after(game: &Othello, discs: &Discs) -> Vec<Discs> {
    let mut after = Vec::new();
    game.moves(discs, |next| after.push(next));
    after
}

#[test]
fn four_by_four_is_solved_as_another_program_solved_it() {
    let line = include_str!("../../data/othello.jsonl").trim();
    let known: Known = serde_json::from_str(line).expect("the data are a line of JSON");
    let game = othello(known.columns, known.rows);
    let solution = Solver::new(&game).solve().expect("a game to solve");
    let states = states::of(&solution);
    assert_eq!(states.len(), known.states);
    let of = |player| states.iter().filter(|(discs, _)| game.turn(discs) == player).count();
    assert_eq!(Player::BOTH.map(of), [known.states_first, known.states_second]);
    // The same without names: the discs of the player to move are x.
    let seen = states.iter().map(|(discs, _)| {
        let text = game.write_state(discs);
        let (rows, turn) = text.split_once(',').expect("who is to move");
        let exchanged = |disc| match disc {
            'x' => 'o',
            'o' => 'x',
            other => other,
        };
        if turn == "black" { rows.to_owned() } else { rows.chars().map(exchanged).collect() }
    });
    assert_eq!(seen.collect::<HashSet<String>>().len(), known.mover_view_states);
    let moves: Vec<Vec<Discs>> = states.iter().map(|(discs, _)| after(&game, discs)).collect();
    assert_eq!(moves.iter().filter(|moves| moves.is_empty()).count(), known.ended);
    let is_pass = |discs: &Discs, moves: &[Discs]| {
        moves.len() == 1 && game.write_move(discs, &moves[0]) == "pass"
    };
    let passes = states.iter().zip(&moves).filter(|((discs, _), moves)| is_pass(discs, moves));
    assert_eq!(passes.count(), known.passes);
    let mut values = BTreeMap::new();
    for (_, value) in &states {
        *values.entry(value.points()).or_insert(0) += 1;
    }
    assert_eq!(values, known.values_for_the_mover);
    let start = solution.verdict(&kit::start(&game)).expect("the start");
    assert_eq!(start.outcome, Outcome::Win(Player::Second));
    assert_eq!(solution.value(&kit::start(&game)).expect("the start").points(), known.value);
    assert!(start.to_string().starts_with("the second player wins by 8 in "), "{start}");

    let tiers = Solver::new(&game).solve_as::<Tiers<Packed>>().expect("a game to solve");
    assert_eq!(tiers.summary(), solution.summary());
    let mirror = folded(known.columns, known.rows);
    let mirrored = Solver::new(&mirror).solve_as::<Tiers<Packed>>().expect("a game to solve");
    assert!(mirrored.summary().states() < known.states as u64 / 3);
    for (discs, value) in &states {
        assert_eq!(tiers.value(discs).ok(), Some(*value), "{}", game.write_state(discs));
        assert_eq!(mirrored.value(discs).ok(), Some(*value), "{}", game.write_state(discs));
    }
}

/// A second implementation of the rules: rows of characters, and who is to move.
type Board = (Vec<Vec<u8>>, u8);

fn other(disc: u8) -> u8 {
    if disc == b'x' { b'o' } else { b'x' }
}

fn write((rows, turn): &Board) -> String {
    let rows: Vec<String> =
        rows.iter().map(|row| row.iter().map(|&disc| char::from(disc)).collect()).collect();
    format!("{},{}", rows.join("/"), if *turn == b'x' { "black" } else { "white" })
}

fn read(text: &str) -> Board {
    let (rows, turn) = text.split_once(',').expect("who is to move");
    let turn = if turn == "black" { b'x' } else { b'o' };
    (rows.split('/').map(|row| row.bytes().collect()).collect(), turn)
}

/// The squares of the discs that a disc on an empty square turns.
fn turned((rows, turn): &Board, row: isize, column: isize) -> Vec<(usize, usize)> {
    let disc = |row: isize, column: isize| {
        let row = rows.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied()
    };
    let mut all = Vec::new();
    for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1)] {
        let mut line = Vec::new();
        let (mut at_row, mut at_column) = (row + down, column + right);
        while disc(at_row, at_column) == Some(other(*turn)) {
            line.push((at_row as usize, at_column as usize));
            (at_row, at_column) = (at_row + down, at_column + right);
        }
        if disc(at_row, at_column) == Some(*turn) {
            all.extend(line);
        }
    }
    all
}

/// The boards after each disc, with their squares.
fn placed(board: &Board) -> Vec<(String, Board)> {
    let (rows, turn) = board;
    let mut boards = Vec::new();
    for row in 0..rows.len() {
        for column in 0..rows[row].len() {
            let turned = turned(board, row as isize, column as isize);
            if rows[row][column] != b'.' || turned.is_empty() {
                continue;
            }
            let mut next = rows.clone();
            for (row, column) in turned.into_iter().chain([(row, column)]) {
                next[row][column] = *turn;
            }
            let name = format!("{}{}", char::from(b'a' + column as u8), row + 1);
            boards.push((name, (next, other(*turn))));
        }
    }
    boards
}

/// The boards after each move, with the names of the moves.
fn after_plain(board: &Board) -> Vec<(String, Board)> {
    let placed_here = placed(board);
    let passed = (board.0.clone(), other(board.1));
    match placed_here.is_empty() && !placed(&passed).is_empty() {
        true => vec![("pass".to_owned(), passed)],
        false => placed_here,
    }
}

/// The value of a board and of all after it.
fn solve(board: &Board, values: &mut HashMap<Board, Value>) -> Value {
    if let Some(&value) = values.get(board) {
        return value;
    }
    let moves = after_plain(board).into_iter().map(|(_, next)| {
        let value = solve(&next, values);
        (-value.points(), value.plies().expect("play ends") + 1)
    });
    // The winner hurries, and anyone else delays.
    let rank = |&(points, plies): &(i16, u32)| {
        (points, if points > 0 { -i64::from(plies) } else { i64::from(plies) })
    };
    let (points, plies) = moves.max_by_key(rank).unwrap_or_else(|| {
        let discs = board.0.iter().flatten();
        let count = |disc| discs.clone().filter(|&&on| on == disc).count() as i16;
        (count(board.1) - count(other(board.1)), 0)
    });
    let value = Value::Points { points, plies };
    values.insert(board.clone(), value);
    value
}

/// The board after some moves at random, or `None` where play is over before.
fn played(mut board: Board, plies: usize, random: &mut Random) -> Option<Board> {
    for _ in 0..plies {
        let mut moves = after_plain(&board);
        if moves.is_empty() {
            return None;
        }
        board = moves.swap_remove(random.place(moves.len())).1;
    }
    Some(board)
}

#[test]
fn moves_and_their_names_are_those_of_another_implementation() {
    let mut random = Random(3);
    for (columns, rows) in [(4, 4), (4, 6), (6, 4), (2, 6), (12, 2), (2, 2)] {
        let game = othello(columns, rows);
        for _ in 0..40 {
            let mut board = read(&game.write_state(&kit::start(&game)));
            loop {
                let text = write(&board);
                let discs = game.parse_state(&text).expect("a board");
                assert_eq!(game.write_state(&discs), text);
                let name = |next: &Discs| (game.write_move(&discs, next), game.write_state(next));
                let mut found: Vec<_> = after(&game, &discs).iter().map(name).collect();
                let mut expected = after_plain(&board);
                found.sort();
                expected.sort();
                let texts = expected.iter().map(|(name, next)| (name.clone(), write(next)));
                assert!(texts.eq(found), "{text}");
                if expected.is_empty() {
                    break;
                }
                board = expected.swap_remove(random.place(expected.len())).1;
            }
        }
    }
}

/// Othello from a board in the middle of a game.
struct Midgame<'g>(&'g Othello, Discs);

impl Game for Midgame<'_> {
    type State = Discs;
    const POINTS: bool = true;

    fn turn(&self, discs: &Discs) -> Player {
        self.0.turn(discs)
    }

    fn terminal(&self, discs: &Discs) -> Option<Outcome> {
        self.0.terminal(discs)
    }

    fn moves(&self, discs: &Discs, visit: impl FnMut(Discs)) {
        self.0.moves(discs, visit);
    }

    fn no_moves(&self, discs: &Discs) -> Option<Outcome> {
        self.0.no_moves(discs)
    }

    fn max_points(&self) -> u16 {
        self.0.max_points()
    }

    fn roots(&self) -> impl IntoIterator<Item = Discs> {
        [self.1]
    }
}

#[test]
fn boards_of_four_by_six_are_worth_what_a_plain_recursion_finds() {
    let mut random = Random(8);
    let mut compared = 0;
    for (columns, rows) in [(4, 6), (6, 4)] {
        let game = othello(columns, rows);
        let start = read(&game.write_state(&kit::start(&game)));
        for plies in [12, 13, 14, 14, 15, 16, 17] {
            let Some(board) = played(start.clone(), plies, &mut random) else { continue };
            let mut values = HashMap::new();
            solve(&board, &mut values);
            let from = Midgame(&game, game.parse_state(&write(&board)).expect("a board"));
            let solution = Solver::new(&from).solve_as::<Hashed>().expect("a game to solve");
            assert_eq!(solution.summary().states(), values.len() as u64);
            for (board, value) in &values {
                let discs = game.parse_state(&write(board)).expect("a board");
                assert_eq!(solution.value(&discs).ok(), Some(*value), "{}", write(board));
                compared += 1;
            }
        }
    }
    assert!(compared > 1_000, "{compared}");
}

#[test]
fn every_numbering_keeps_the_laws() {
    for &(columns, rows) in kit::few(&[(2, 2), (2, 4)][..], &[(2, 2), (2, 4), (6, 2), (4, 4)]) {
        for game in [othello(columns, rows), folded(columns, rows)] {
            let scope = match columns * rows {
                16 => Scope::Sample { states: 500, seed: 5 },
                _ => Scope::All,
            };
            let laws = || Laws::new(&game).scope(scope).notation().sample_from(5_000);
            laws().check_as::<Packed>().expect("a lawful game");
            laws().check_as::<Tiers<Packed>>().expect("lawful tiers");
        }
    }
    let game = othello(4, 6);
    let laws = Laws::new(&game).scope(Scope::Sample { states: 300, seed: 4 }).notation();
    laws.sample_from(3_000).check_as::<Tiers<Packed>>().expect("lawful tiers");
}

#[test]
fn tiers_hold_the_boards_with_so_many_discs() {
    let tiers = othello(4, 4).tiers();
    assert_eq!(tiers.len(), 13);
    assert_eq!((tiers[0].name.as_str(), tiers[0].leads_to.as_slice()), ("16-discs", &[][..]));
    assert_eq!((tiers[12].name.as_str(), tiers[12].leads_to.as_slice()), ("4-discs", &[11][..]));
}

#[test]
fn boards_that_make_no_sense_are_refused() {
    let sizes =
        [(0, 4), (4, 0), (3, 4), (4, 5), (6, 6), (2, 14), (u32::MAX, 2), (u32::MAX - 1, 1 << 31)];
    for (columns, rows) in sizes {
        let parameters = OthelloParameters { columns, rows, fold: false };
        let refused = Othello::new(parameters).map(|_| ()).expect_err("no board to play on");
        let expected = "even numbers from 2 on, and at most 24 squares";
        assert_eq!(refused, BoardError::Size { columns, rows, expected });
        let text = serde_json::to_string(&parameters).unwrap();
        let stored = serde_json::from_str::<Othello>(&text).map(|_| ()).unwrap_err();
        assert!(stored.to_string().contains(expected), "{stored}");
    }
}

#[test]
fn what_is_no_position_is_refused_with_what_was_expected() {
    let game = othello(4, 4);
    let refused = [
        ("", "it does not say who is to move"),
        ("..../.ox./.xo./....", "it does not say who is to move"),
        ("..../.ox./.xo./....,x", "\"x\" is not to move: expected black or white"),
        ("..../.ox./.xo.,black", "it has 3 rows, not 4"),
        ("..../.ox./.xo./.....,black", "row \".....\" has 5 characters, not 4"),
        ("..../.ox./.xw./....,black", "row \".xw.\" has a 'w', not one of .xo"),
        ("..../.ox./.x../....,black", "c3 is empty: the four squares in the middle never are"),
    ];
    for (text, problem) in refused {
        let error = game.parse_state(text).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
        assert!(error.contains("4 rows of 4 squares x, o or ., and who is to move"), "{error}");
        assert!(error.contains("as in ..../.ox./.xo./....,black"), "{error}");
    }
    let discs = game.parse_state(" x.../.xx./.oo./...., white ").unwrap();
    assert_eq!(game.write_state(&discs), "x.../.xx./.oo./....,white");
    let drawn = "   a b c d\n 1 x . . .\n 2 . x x .\n 3 . o o .\n 4 . . . .\nwhite to move, 3 black and 2 white";
    assert_eq!(game.draw(&discs), drawn);
}
