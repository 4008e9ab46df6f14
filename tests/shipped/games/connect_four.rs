//! Connect Four: published figures, another solver, both numberings, and the laws.

use crate::brute_force::{Rules, solve_to_the_end};
use crate::states;
use retrograde::laws::{Laws, Scope};
use retrograde::scheme::{Dense, Packed, Tiers};
use retrograde::{Game, Notation, Outcome, Player, Solver, TierIndexed, Tiered, Value};
use retrograde_games::BoardError;
use retrograde_games::connect_four::{ConnectFour, ConnectFourParameters};

fn connect(columns: u32, rows: u32, in_a_row: u32) -> ConnectFour {
    let parameters = ConnectFourParameters { columns, rows, in_a_row, fold: false };
    ConnectFour::new(parameters).expect("a board to play on")
}

fn folded(columns: u32, rows: u32, in_a_row: u32) -> ConnectFour {
    let parameters = ConnectFourParameters { columns, rows, in_a_row, fold: true };
    ConnectFour::new(parameters).expect("a board to play on")
}

/// A second implementation of the rules: the stones in each column from the bottom.
struct Plain {
    columns: usize,
    rows: usize,
    in_a_row: usize,
}

impl Plain {
    fn stones(board: &[Vec<u8>]) -> usize {
        board.iter().map(Vec::len).sum()
    }

    fn has_line(&self, board: &[Vec<u8>], stone: u8) -> bool {
        let is = |column: isize, row: isize| {
            let column = usize::try_from(column).ok().and_then(|column| board.get(column));
            usize::try_from(row).ok().and_then(|row| column?.get(row)) == Some(&stone)
        };
        (0..self.columns as isize).any(|column| {
            (0..self.rows as isize).any(|row| {
                [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(right, up)| {
                    (0..self.in_a_row as isize).all(|at| is(column + at * right, row + at * up))
                })
            })
        })
    }

    fn write(&self, board: &[Vec<u8>]) -> String {
        let square =
            |column: &Vec<u8>, row: usize| column.get(row).map_or('.', |&stone| char::from(stone));
        let row = |row| board.iter().map(|column| square(column, row)).collect::<String>();
        (0..self.rows).rev().map(row).collect::<Vec<_>>().join("/")
    }
}

impl Rules for Plain {
    type Board = Vec<Vec<u8>>;

    fn over(&self, board: &Vec<Vec<u8>>) -> Option<Value> {
        let stones = Plain::stones(board);
        if self.has_line(board, b"ox"[stones % 2]) {
            return Some(Value::Loss(0));
        }
        (stones == self.columns * self.rows).then_some(Value::Draw(0))
    }

    fn after(&self, board: &Vec<Vec<u8>>) -> Vec<Vec<Vec<u8>>> {
        let stone = b"xo"[Plain::stones(board) % 2];
        let dropped = |column: usize| {
            let mut board = board.clone();
            board[column].push(stone);
            board
        };
        (0..self.columns).filter(|&column| board[column].len() < self.rows).map(dropped).collect()
    }
}

#[test]
fn every_position_is_worth_what_another_solver_says() {
    let boards = [(1, 1, 1), (1, 3, 2), (3, 2, 2), (3, 3, 3), (4, 3, 3), (2, 6, 4), (5, 3, 4)];
    for &(columns, rows, in_a_row) in kit::few(&boards[..4], &boards) {
        let plain =
            Plain { columns: columns as usize, rows: rows as usize, in_a_row: in_a_row as usize };
        let values = solve_to_the_end(&plain, vec![Vec::new(); columns as usize]);
        let game = connect(columns, rows, in_a_row);
        let mirror = folded(columns, rows, in_a_row);
        let explored = Solver::new(&game).solve_as::<Packed>().expect("a game to solve");
        let mirrored = Solver::new(&mirror).solve_as::<Packed>().expect("a game to solve");
        let tiers = Solver::new(&game).solve_as::<Tiers<Dense>>().expect("a game to solve");
        assert_eq!(explored.summary().states(), values.len() as u64);
        assert!(mirrored.summary().states() <= values.len() as u64);
        for (board, expected) in &values {
            let text = plain.write(board);
            let state = game.parse_state(&text).expect("a board");
            assert_eq!(game.write_state(&state), text);
            assert_eq!(explored.value(&state).ok().as_ref(), Some(expected), "{text}");
            assert_eq!(mirrored.value(&state).ok().as_ref(), Some(expected), "{text}");
            assert_eq!(tiers.value(&state).ok().as_ref(), Some(expected), "{text}");
        }
        if !kit::PLAIN {
            let discovered =
                Solver::new(&game).solve_as::<Tiers<Packed>>().expect("a game to solve");
            assert_eq!(discovered.summary(), explored.summary());
            for (state, value) in states::of(&discovered) {
                assert_eq!(explored.value(&state).ok(), Some(value));
            }
        }
    }
}

/// Explores and solves a board, and compares both with published results: the number of positions
/// and the outcome.
fn assert_published(columns: u32, rows: u32, positions: u64, outcome: Outcome) {
    let game = connect(columns, rows, 4);
    let statistics = Solver::new(&game).survey_as::<Packed>().expect("a game to explore");
    assert_eq!(statistics.total().states, positions, "{columns} x {rows}");
    let tiers = Solver::new(&game).solve_as::<Tiers<Dense>>().expect("a game to solve");
    let start = tiers.verdict(&kit::start(&game)).expect("the start is in a tier");
    assert_eq!(start.outcome, outcome, "{columns} x {rows}");
}

#[test]
fn four_by_four_has_the_published_figures() {
    assert_published(4, 4, 161_029, Outcome::Draw);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "four million states take half a minute unoptimized")]
fn five_by_four_has_the_published_figures() {
    assert_published(5, 4, 3_945_711, Outcome::Draw);
    let game = connect(5, 4, 4);
    let solution = Solver::new(&game).solve_as::<Packed>().unwrap();
    assert_eq!(solution.summary().states(), 3_945_711);
    let tiers = Solver::new(&game).solve_as::<Tiers<Dense>>().unwrap();
    for (state, value) in states::of(&solution) {
        assert_eq!(tiers.value(&state).unwrap(), value, "{state:?}");
    }
}

#[test]
#[ignore = "27 million states take a minute"]
fn seven_by_three_has_the_published_figures() {
    assert_published(7, 3, 27_441_956, Outcome::Draw);
}

#[test]
#[ignore = "70 million states take minutes"]
fn five_by_five_has_the_published_figures() {
    assert_published(5, 5, 69_763_700, Outcome::Draw);
}

#[test]
#[ignore = "95 million states take minutes"]
fn six_by_four_has_the_published_figures() {
    assert_published(6, 4, 94_910_577, Outcome::Win(Player::Second));
}

#[test]
fn every_numbering_keeps_the_laws() {
    let boards = [(1, 1, 1), (3, 3, 3), (4, 3, 3), (2, 5, 3)];
    for &(columns, rows, in_a_row) in kit::few(&boards[..2], &boards) {
        let game = connect(columns, rows, in_a_row);
        Laws::new(&game).notation().check_as::<Tiers<Dense>>().expect("lawful tiers");
        if !kit::PLAIN {
            Laws::new(&game).notation().check_as::<Tiers<Packed>>().expect("lawful tiers");
        }
        for game in [game, folded(columns, rows, in_a_row)] {
            Laws::new(&game).notation().check_as::<Packed>().expect("a lawful game");
        }
    }
}

#[test]
fn boards_that_take_all_bits_keep_the_laws() {
    let boards =
        [(7, 6, 4), (8, 7, 4), (1, 63, 63), (32, 1, 5), (21, 2, 3), (16, 3, 4), (2, 31, 9)];
    for (columns, rows, in_a_row) in kit::some(&boards, 0) {
        let game = connect(columns, rows, in_a_row);
        let sample = Scope::Sample { states: 300, seed: 4 };
        let laws = Laws::new(&game).scope(sample).notation();
        laws.check_as::<Tiers<Dense>>().expect("lawful tiers");
    }
}

#[test]
fn tiers_hold_the_boards_with_so_many_stones() {
    let game = connect(4, 4, 4);
    let tiers = game.tiers();
    assert_eq!(tiers.len(), 17);
    assert_eq!((tiers[0].name.as_str(), tiers[0].leads_to.as_slice()), ("16-stones", &[][..]));
    assert_eq!((tiers[16].name.as_str(), tiers[16].leads_to.as_slice()), ("0-stones", &[15][..]));
    // A full board: the choice of eight stones among sixteen. Two stones: in one column or in two.
    assert_eq!((game.tier_len(0), game.tier_len(14)), (12_870, 2 * 10));
}

#[test]
fn boards_that_make_no_sense_are_refused() {
    let refusal = |columns, rows, in_a_row| {
        let parameters = ConnectFourParameters { columns, rows, in_a_row, fold: false };
        let refused = ConnectFour::new(parameters).map(|_| ()).expect_err("no board to play on");
        let text = serde_json::to_string(&parameters).unwrap();
        let stored = serde_json::from_str::<ConnectFour>(&text).map(|_| ()).unwrap_err();
        assert!(stored.to_string().contains(&refused.to_string()), "{stored}");
        refused
    };
    for (columns, rows) in [(0, 4), (4, 0), (9, 7), (1, 64), (33, 1), (u32::MAX, u32::MAX)] {
        assert!(matches!(refusal(columns, rows, 1), BoardError::Size { .. }));
    }
    for in_a_row in [0, 8, u32::MAX] {
        let error = refusal(7, 6, in_a_row);
        assert_eq!(error, BoardError::Line { in_a_row, columns: 7, rows: 6, longest: 7 });
        assert!(error.to_string().contains("expected 1 to 7"));
    }
}

#[test]
fn what_is_no_board_is_refused_with_what_was_expected() {
    let game = connect(4, 3, 3);
    let refused = [
        ("", "it has 1 row, not 3"),
        ("..../....", "it has 2 rows"),
        ("..../..../.....", "row \".....\" has 5 characters, not 4"),
        ("..../..../x.y.", "has a 'y'"),
        ("..../..x./....", "a stone in column 2 has nothing under it"),
        ("x.../..../o...", "a stone in column 0 has nothing under it"),
        ("..../..../oo..", "0 x and 2 o, and x begins"),
        ("..../x.../xo.x", "3 x and 1 o, who take turns"),
    ];
    for (text, problem) in refused {
        let error = game.parse_state(text).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
        assert!(error.contains("3 rows of 4 squares"), "{error}");
        assert!(error.contains("..../..../...."), "{error}");
    }
    let state = game.parse_state(" ..../o.../xx.o ").unwrap();
    assert_eq!(
        (game.turn(&state), game.draw(&state).as_str()),
        (Player::First, "....\no...\nxx.o")
    );
    let mut moves = Vec::new();
    game.moves(&state, |next| {
        moves.push((game.write_move(&state, &next), game.write_state(&next)))
    });
    let expected = [
        ("yellow c0", "x.../o.../xx.o"),
        ("yellow c1", "..../ox../xx.o"),
        ("yellow c2", "..../o.../xxxo"),
        ("yellow c3", "..../o..x/xx.o"),
    ];
    assert_eq!(moves, expected.map(|(name, board)| (name.to_owned(), board.to_owned())));
}
