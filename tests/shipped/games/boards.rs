//! m,n,k in its dense numbering, and hexapawn: published figures, another solver, and the laws.

use crate::brute_force::{Rules, solve_to_the_end};
use crate::states;
use retrograde::laws::{Laws, Scope};
use retrograde::{Game, Indexed, Notation, Outcome, Player, SolveError, Solver, Value, scheme};
use retrograde_games::BoardError;
use retrograde_games::hexapawn::{Hexapawn, HexapawnParameters};
use retrograde_games::mnk::{Mnk, MnkParameters};

pub(crate) fn mnk(columns: u32, rows: u32, in_a_row: u32, fold: bool) -> Mnk {
    Mnk::new(MnkParameters { columns, rows, in_a_row, fold }).expect("a board to play on")
}

#[test]
fn both_numberings_of_m_n_k_agree_on_every_board() {
    if kit::PLAIN {
        return;
    }
    let boards = [(1, 1, 1), (3, 3, 3), (3, 3, 2), (4, 3, 3), (5, 2, 3), (10, 1, 4)];
    for (columns, rows, in_a_row) in boards {
        for fold in [false, true] {
            let game = mnk(columns, rows, in_a_row, fold);
            let dense = Solver::new(&game).solve_as::<scheme::Dense>().expect("a game to solve");
            let explored =
                Solver::new(&game).solve_as::<scheme::Hashed>().expect("a game to solve");
            for (state, value) in states::of(&explored) {
                assert_eq!(dense.value(&state).unwrap(), value, "{}", game.write_state(&state));
            }
        }
    }
}

#[test]
fn the_dense_numbering_of_m_n_k_has_no_holes_and_keeps_the_laws() {
    if kit::PLAIN {
        return;
    }
    // The dense numbering counts the choices of the occupied squares, times the choices of the
    // first player's half of them.
    for (columns, rows, in_a_row, boards) in [(3, 3, 3, 6_046), (4, 2, 3, 2_123), (1, 1, 1, 2)] {
        for fold in [false, true] {
            let game = mnk(columns, rows, in_a_row, fold);
            let report = Laws::new(&game).notation().check_as::<scheme::Dense>();
            let report = report.expect("a lawful numbering");
            assert_eq!((report.states, game.len()), (boards, boards));
        }
    }
    let sample = Scope::Sample { states: 200, seed: 1 };
    let game = mnk(7, 6, 5, false);
    let laws = Laws::new(&game).scope(sample).notation();
    laws.check_as::<scheme::Dense>().expect("a lawful numbering");
}

#[test]
fn a_board_with_more_boards_than_numbers_is_refused() {
    for (columns, rows) in [(43, 1), (8, 8)] {
        let game = mnk(columns, rows, 4, false);
        let refused = Solver::new(&game).memory(1 << 40).solve_as::<scheme::Dense>().map(|_| ());
        assert!(matches!(refused, Err(SolveError::OverLimit { .. })), "{refused:?}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "ten million states take more than a minute unoptimized")]
fn four_by_four_with_three_in_a_row_is_won_by_the_first_in_its_dense_numbering() {
    let game = mnk(4, 4, 3, false);
    let solution = Solver::new(&game).solve_as::<scheme::Dense>().unwrap();
    assert_eq!(solution.summary().states(), 10_165_779);
    let start = solution.verdict(&kit::start(&game)).unwrap();
    assert_eq!((start.outcome, start.plies), (Outcome::Win(Player::First), Some(5)));
}

fn hexapawn(columns: u32, rows: u32) -> Hexapawn {
    Hexapawn::new(HexapawnParameters { columns, rows }).expect("a board to play on")
}

/// A second implementation of the rules: rows of characters, and whether white is to move.
struct PlainPawns {
    columns: isize,
    rows: isize,
}

impl PlainPawns {
    fn start(&self) -> (Vec<Vec<u8>>, bool) {
        let row = |pawn| vec![pawn; self.columns as usize];
        let mut rows = vec![row(b'.'); self.rows as usize];
        rows[0] = row(b'b');
        rows[self.rows as usize - 1] = row(b'w');
        (rows, true)
    }

    /// The steps of the pawns of the player to move.
    fn steps(&self, rows: &[Vec<u8>], white: bool) -> Vec<[(usize, usize); 2]> {
        let (pawn, enemy, ahead) = if white { (b'w', b'b', -1) } else { (b'b', b'w', 1) };
        let mut steps = Vec::new();
        for row in 0..self.rows {
            for column in 0..self.columns {
                for (aside, target) in [(0, b'.'), (-1, enemy), (1, enemy)] {
                    let (to_row, to_column) = (row + ahead, column + aside);
                    if !(0..self.rows).contains(&to_row) || !(0..self.columns).contains(&to_column)
                    {
                        continue;
                    }
                    let from = (row as usize, column as usize);
                    let to = (to_row as usize, to_column as usize);
                    if rows[from.0][from.1] == pawn && rows[to.0][to.1] == target {
                        steps.push([from, to]);
                    }
                }
            }
        }
        steps
    }
}

impl Rules for PlainPawns {
    type Board = (Vec<Vec<u8>>, bool);

    fn over(&self, (rows, white): &(Vec<Vec<u8>>, bool)) -> Option<Value> {
        let arrived = match white {
            true => rows[self.rows as usize - 1].contains(&b'b'),
            false => rows[0].contains(&b'w'),
        };
        (arrived || self.steps(rows, *white).is_empty()).then_some(Value::Loss(0))
    }

    fn after(&self, (rows, white): &(Vec<Vec<u8>>, bool)) -> Vec<(Vec<Vec<u8>>, bool)> {
        let moved = |[from, to]: [(usize, usize); 2]| {
            let mut rows = rows.clone();
            rows[to.0][to.1] = std::mem::replace(&mut rows[from.0][from.1], b'.');
            (rows, !white)
        };
        self.steps(rows, *white).into_iter().map(moved).collect()
    }
}

#[test]
fn hexapawn_has_the_published_figures() {
    let game = hexapawn(3, 3);
    let solution = Solver::new(&game).solve_as::<scheme::Packed>().unwrap();
    assert_eq!(solution.summary().states(), 131);
    let start = solution.verdict(&kit::start(&game)).unwrap();
    assert_eq!((start.outcome, start.plies), (Outcome::Win(Player::Second), Some(6)));
}

#[test]
fn every_position_of_hexapawn_is_worth_what_another_solver_says() {
    let boards = [(1, 2), (2, 2), (3, 3), (4, 3), (3, 5), (4, 4), (5, 3)];
    for &(columns, rows) in kit::few(&boards[..3], &boards) {
        let plain = PlainPawns { columns: columns as isize, rows: rows as isize };
        let values = solve_to_the_end(&plain, plain.start());
        let game = hexapawn(columns, rows);
        Laws::new(&game).notation().check_as::<scheme::Packed>().expect("a lawful game");
        let solution = Solver::new(&game).solve_as::<scheme::Packed>().expect("a game to solve");
        for ((board, white), expected) in &values {
            let lines: Vec<&str> =
                board.iter().map(|row| std::str::from_utf8(row).expect("text")).collect();
            let text = format!("{},{}", lines.join("/"), if *white { "white" } else { "black" });
            let state = game.parse_state(&text).expect("a position");
            assert_eq!(game.write_state(&state), text);
            assert_eq!(solution.value(&state).ok().as_ref(), Some(expected), "{text}");
        }
    }
}

#[test]
fn hexapawn_is_written_as_people_write_it() {
    let game = hexapawn(3, 3);
    let state = game.parse_state(".bb/wb./.ww,white").unwrap();
    let mut moves = Vec::new();
    game.moves(&state, |next| moves.push(game.write_move(&state, &next)));
    moves.sort();
    assert_eq!(
        moves,
        ["white r1c0-r0c0", "white r1c0xr0c1", "white r2c2-r1c2", "white r2c2xr1c1"]
            .map(String::from)
    );
    assert_eq!(game.draw(&state), ".bb\nwb.\n.ww\nwhite to move");
    let refused = [
        ("bbb/.../www", "does not say who is to move"),
        ("bbb/.../www,red", "\"red\" is not to move: expected white or black"),
        ("bbb/www,white", "it has 2 rows"),
        ("bbb/..../www,white", "row \"....\" has 4 characters, not 3"),
        ("bbb/.x./www,white", "row \".x.\" has a 'x', not one of .wb"),
    ];
    for (text, problem) in refused {
        let error = game.parse_state(text).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
        assert!(error.contains("bbb/.../www,white"), "{error}");
    }
    for (columns, rows) in [(0, 3), (3, 1), (4, 8), (u32::MAX, u32::MAX)] {
        let refused = Hexapawn::new(HexapawnParameters { columns, rows }).map(|_| ());
        assert!(matches!(refused, Err(BoardError::Size { .. })));
    }
}
