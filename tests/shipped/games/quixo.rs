//! Quixo: published figures, another solver, and the laws.

use crate::brute_force::{Rules, solve_in_rounds};
use retrograde::laws::{Laws, Scope};
use retrograde::{Game, Indexed, Notation, Outcome, Player, SolveError, Solver, Value, scheme};
use retrograde_games::quixo::{Board, Quixo, QuixoError, QuixoParameters};

fn quixo(size: u32, unfolded: bool) -> Quixo {
    Quixo::new(QuixoParameters { size, unfolded }).expect("a board to play on")
}

/// A second implementation of the rules, on a list of characters. `o` is a mark of the player to
/// move, and `x` one of the other player.
struct Plain {
    size: usize,
}

impl Plain {
    /// Every way to mark the board.
    fn boards(&self) -> Vec<Vec<u8>> {
        let mut boards = vec![Vec::new()];
        for _ in 0..self.size * self.size {
            let longer = |board: &Vec<u8>| b".ox".map(|cube| [board.as_slice(), &[cube]].concat());
            boards = boards.iter().flat_map(longer).collect();
        }
        boards
    }

    fn has_line(&self, board: &[u8], mark: u8) -> bool {
        let size = self.size;
        let is_line =
            |square: &dyn Fn(usize) -> usize| (0..size).all(|at| board[square(at)] == mark);
        (0..size).any(|row| is_line(&|at| row * size + at))
            || (0..size).any(|column| is_line(&|at| at * size + column))
            || is_line(&|at| at * size + at)
            || is_line(&|at| at * size + size - 1 - at)
    }

    /// The board after a cube is taken from one place and pushed in at another of its row or
    /// column, as the player to move sees it.
    fn pushed(&self, board: &[u8], taken: (usize, usize), pushed: (usize, usize)) -> Vec<u8> {
        let mut board = board.to_vec();
        let toward = |from: usize, to: usize| (to as isize - from as isize).signum();
        let step = (toward(taken.0, pushed.0), toward(taken.1, pushed.1));
        let mut gap = taken;
        while gap != pushed {
            let next = ((gap.0 as isize + step.0) as usize, (gap.1 as isize + step.1) as usize);
            board[gap.0 * self.size + gap.1] = board[next.0 * self.size + next.1];
            gap = next;
        }
        board[pushed.0 * self.size + pushed.1] = b'o';
        board
    }
}

/// The board with the marks exchanged.
fn exchanged(board: &[u8]) -> Vec<u8> {
    let other = |&cube: &u8| match cube {
        b'o' => b'x',
        b'x' => b'o',
        _ => cube,
    };
    board.iter().map(other).collect()
}

impl Rules for Plain {
    type Board = Vec<u8>;

    fn over(&self, board: &Vec<u8>) -> Option<Value> {
        if self.has_line(board, b'o') {
            return Some(Value::Win(0));
        }
        self.has_line(board, b'x').then_some(Value::Loss(0))
    }

    fn after(&self, board: &Vec<u8>) -> Vec<Vec<u8>> {
        let last = self.size - 1;
        let squares = (0..=last).flat_map(|row| (0..=last).map(move |column| (row, column)));
        let on_border =
            |&(row, column): &(usize, usize)| [row, column].iter().any(|&at| at == 0 || at == last);
        let mut after = Vec::new();
        for (row, column) in squares.filter(on_border) {
            if board[row * self.size + column] == b'x' {
                continue;
            }
            for end in [(row, 0), (row, last), (0, column), (last, column)] {
                if end != (row, column) {
                    after.push(exchanged(&self.pushed(board, (row, column), end)));
                }
            }
        }
        after
    }
}

/// The position with this board for the player to move.
fn position(game: &Quixo, size: usize, board: &[u8], turn: Player) -> Board {
    let board = if turn == Player::First { board.to_vec() } else { exchanged(board) };
    let rows: Vec<&str> =
        board.chunks(size).map(|row| std::str::from_utf8(row).expect("text")).collect();
    let text = format!("{},{}", rows.join("/"), game.player(turn));
    game.parse_state(&text).expect("a position")
}

/// The numbers of boards that are won, lost and drawn for the player to move.
fn figures(won: u64, lost: u64, drawn: u64) -> [u64; 3] {
    [won, lost, drawn]
}

#[test]
fn every_small_board_is_worth_what_another_solver_says() {
    for size in [2, 3] {
        let plain = Plain { size };
        let values = solve_in_rounds(&plain, &plain.boards());
        for unfolded in [false, true] {
            let game = quixo(size as u32, unfolded);
            let solution = Solver::new(&game).solve().expect("a game to solve");
            for (board, &expected) in &values {
                for turn in Player::BOTH {
                    let state = position(&game, size, board, turn);
                    let value = solution.value(&state).expect("every board is in the table");
                    assert_eq!(value, expected, "{}", game.write_state(&state));
                }
            }
        }
    }
}

#[test]
fn small_boards_have_the_published_figures() {
    let published = [(2, figures(50, 31, 0), 3, 3), (3, figures(12_748, 6_935, 0), 7, 8)];
    for (size, counts, from_start, longest) in published {
        let game = quixo(size, true);
        let solution = Solver::new(&game).solve().unwrap();
        let summary = solution.summary();
        assert_eq!([summary.won(), summary.lost(), summary.draws()], counts, "size {size}");
        assert_eq!(summary.longest(), Some(longest), "size {size}");
        for game in [quixo(size, true), quixo(size, false)] {
            let solution = Solver::new(&game).solve().unwrap();
            let start = solution.verdict(&kit::start(&game)).unwrap();
            let expected = (Outcome::Win(Player::First), Some(from_start));
            assert_eq!((start.outcome, start.plies), expected, "size {size}");
        }
    }
}

/// The number of different boards that the turns and reflections make of this one.
fn images(size: usize, board: &[u8]) -> u64 {
    let at = |row: usize, column: usize| board[row * size + column];
    let last = size - 1;
    let square = |turn: usize, row: usize, column: usize| match turn {
        0 => at(row, column),
        1 => at(row, last - column),
        2 => at(last - row, column),
        3 => at(last - row, last - column),
        4 => at(column, row),
        5 => at(column, last - row),
        6 => at(last - column, row),
        _ => at(last - column, last - row),
    };
    let fixes = |turn: &usize| {
        (0..size).all(|row| (0..size).all(|column| square(*turn, row, column) == at(row, column)))
    };
    8 / (0..8).filter(fixes).count() as u64
}

/// Checks the counts if every board counts for all its images.
fn assert_unfolds_to(game: &Quixo, size: usize, expected: [u64; 3]) {
    let solution = Solver::new(game).solve().expect("a game to solve");
    let mut counts = [0; 3];
    for state in (0..game.len()).filter_map(|index| game.unindex(index)) {
        let board: Vec<u8> =
            game.write_state(&state).bytes().filter(|cube| b".ox".contains(cube)).collect();
        let kind = match solution.value(&state).expect("every board is in the table") {
            Value::Win(_) => 0,
            Value::Loss(_) => 1,
            _ => 2,
        };
        counts[kind] += images(size, &board[..size * size]);
    }
    assert_eq!(counts, expected);
}

#[test]
fn a_folded_table_unfolds_to_the_published_figures() {
    assert_unfolds_to(&quixo(2, false), 2, figures(50, 31, 0));
    assert_unfolds_to(&quixo(3, false), 3, figures(12_748, 6_935, 0));
}

const FOUR: [u64; 3] = [26_434_489, 15_003_736, 1_608_496];

#[test]
#[cfg_attr(debug_assertions, ignore = "five million states take a minute unoptimized")]
fn four_by_four_is_won_in_21_plies_and_unfolds_to_the_published_figures() {
    let game = quixo(4, false);
    let solution = Solver::new(&game).solve().unwrap();
    let start = solution.verdict(&kit::start(&game)).unwrap();
    assert_eq!((start.outcome, start.plies), (Outcome::Win(Player::First), Some(21)));
    assert_eq!(solution.summary().longest(), Some(22));
    // By Burnside's lemma.
    let classes = (3_u64.pow(16) + 2 * 3_u64.pow(10) + 3 * 3_u64.pow(8) + 2 * 3_u64.pow(4)) / 8;
    assert_eq!(solution.summary().states(), classes);
    assert_unfolds_to(&game, 4, FOUR);
}

#[test]
#[ignore = "43 million states take a minute"]
fn all_boards_of_four_by_four_have_the_published_figures() {
    let game = quixo(4, true);
    let solution = Solver::new(&game).solve().unwrap();
    let summary = solution.summary();
    assert_eq!([summary.won(), summary.lost(), summary.draws()], FOUR);
    assert_eq!((summary.longest(), summary.endless()), (Some(22), FOUR[2]));
    let folded = quixo(4, false);
    let folded = Solver::new(&folded).solve().unwrap();
    for index in 0..game.len() {
        let state = game.unindex(index).unwrap();
        assert_eq!(folded.value(&state).unwrap(), solution.value(&state).unwrap(), "{state:?}");
    }
}

/// The number of states of a large board to check.
const SAMPLE: u64 = if cfg!(debug_assertions) { 250 } else { 1_000 };

#[test]
fn every_board_keeps_the_laws() {
    let boards = [(2, false, 21), (2, true, 81), (3, true, 19_683)];
    for &(size, unfolded, states) in kit::few(&boards[..2], &boards) {
        let game = quixo(size, unfolded);
        let report = Laws::new(&game).notation().check().expect("a lawful game");
        assert_eq!(report.states, states, "size {size}");
    }
    for &(size, unfolded) in kit::few(&[(3, false)][..], &[(4, false), (4, true), (5, true)]) {
        let sample = Scope::Sample { states: SAMPLE, seed: u64::from(size) };
        let game = quixo(size, unfolded);
        Laws::new(&game).scope(sample).notation().check().expect("a lawful game");
    }
    if kit::PLAIN {
        return;
    }
    // By Burnside's lemma.
    let classes = (3_u64.pow(9) + 4 * 3_u64.pow(6) + 3_u64.pow(5) + 2 * 3_u64.pow(3)) / 8;
    let report = Laws::new(&quixo(3, false)).notation().check().expect("a lawful game");
    assert_eq!(report.states, classes);
    for game in [quixo(3, false), quixo(2, true)] {
        let laws = Laws::new(&game).notation();
        laws.check_as::<scheme::Hashed>().expect("a lawful game");
    }
}

#[test]
fn boards_share_an_index_exactly_if_they_are_images_of_each_other() {
    use std::sync::Arc;

    use retrograde::index::{Combinations, Concatenated, Folded, OnFreeCells, Orbits, Symmetries};

    let game = quixo(4, false);
    let symmetries = Arc::new(Symmetries::rectangle(4, 4).unwrap());
    let (mut places, mut parts) = (std::collections::HashMap::new(), Vec::new());
    for own in 0..=16 {
        let sets = Combinations::new(16, own).unwrap();
        let orbits = Arc::new(Orbits::new(sets, symmetries.clone()).unwrap());
        for other in 0..=16 - own {
            let rest = Combinations::new(16 - own, other).unwrap();
            let rest = OnFreeCells::new(16, rest).unwrap();
            places.insert((own, other), parts.len());
            parts.push(Folded::new(orbits.clone(), rest).unwrap());
        }
    }
    let folded = Concatenated::new(parts).unwrap();
    assert_eq!(game.len(), folded.len());
    let plain = Plain { size: 4 };
    // Arbitrary boards: those of an irregular walk.
    let (mut board, mut random) = (vec![b'.'; 16], 1_u64);
    let mut indices = std::collections::HashMap::new();
    for _ in 0..20_000 {
        let after = plain.after(&board);
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        board = after[(random >> 33) as usize % after.len()].clone();
        let set = |mark: u8| {
            (0..16).fold(0, |set, square| set | u64::from(board[square] == mark) << square)
        };
        let (own, other): (u64, u64) = (set(b'o'), set(b'x'));
        let place = places[&(own.count_ones(), other.count_ones())];
        let class = folded.rank((place, (own, other)));
        let state = position(&game, 4, &board, Player::First);
        let index = game.index(&state);
        assert_eq!(*indices.entry(class).or_insert(index), index, "{}", game.write_state(&state));
        let canonical = game.unindex(index).expect("a board");
        assert_eq!((game.index(&canonical), game.canonical(&state)), (index, canonical));
    }
    let mut distinct: Vec<u64> = indices.values().copied().collect();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), indices.len());
}

#[test]
fn five_by_five_is_described_and_too_large() {
    let game = quixo(5, false);
    assert_eq!(game.len(), 847_288_609_443);
    let refused = Solver::new(&game).memory(1 << 30).solve().map(|_| ());
    let Err(SolveError::OverLimit { states, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!(states, game.len());
}

#[test]
fn sizes_that_make_no_sense_are_refused() {
    for size in [0, 1, 6, u32::MAX] {
        let refused = Quixo::new(QuixoParameters { size, unfolded: false }).map(|_| ());
        assert_eq!(refused, Err(QuixoError::Size(size)));
        assert!(refused.unwrap_err().to_string().contains("from 2 to 5"));
        let text = format!("{{\"size\":{size},\"unfolded\":true}}");
        let refused = serde_json::from_str::<Quixo>(&text).map(|_| ()).unwrap_err();
        assert!(refused.to_string().contains("from 2 to 5"), "{refused}");
    }
}

#[test]
fn moves_are_told_by_where_a_cube_is_taken_and_pushed_in() {
    let game = quixo(4, false);
    let plain = Plain { size: 4 };
    let mut board = vec![b'.'; 16];
    for ply in 0..12 {
        let turn = Player::BOTH[ply % 2];
        let state = position(&game, 4, &board, turn);
        let mut after = Vec::new();
        game.moves(&state, |next| {
            let text = game.write_move(&state, &next);
            let squares = text.strip_prefix(&format!("{} ", game.player(turn))).expect("who moves");
            let square = |text: &str| {
                let (row, column) = text.strip_prefix('r')?.split_once('c')?;
                Some((row.parse().ok()?, column.parse().ok()?))
            };
            let (taken, pushed) = squares.split_once('-').expect("two squares");
            let (taken, pushed) = (square(taken).unwrap(), square(pushed).unwrap());
            let moved = exchanged(&plain.pushed(&board, taken, pushed));
            assert_eq!(position(&game, 4, &moved, turn.opponent()), next, "{text}");
            after.push(moved);
        });
        board = after[(7 * ply) % after.len()].clone();
    }
}

#[test]
fn what_is_no_position_is_refused_with_what_was_expected() {
    let game = quixo(3, false);
    let refused = [
        ("", "does not say who is to move"),
        (".../.../...", "does not say who is to move"),
        (".../.../...,y", "\"y\" is not to move: expected o or x"),
        (".../...,o", "it has 2 rows"),
        (".../..../...,x", "row \"....\" has 4 characters, not 3"),
        (".../..b/...,x", "row \"..b\" has a 'b', not one of .ox"),
        ("..é/.../...,x", "row \"..é\" has a 'é'"),
    ];
    for (text, problem) in refused {
        let error = game.parse_state(text).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
        assert!(error.contains("3 rows of 3 squares"), "{error}");
        assert!(error.contains(".../.../...,o"), "{error}");
    }
    let state = game.parse_state(" o.x/.../..o , x ").unwrap();
    assert_eq!(game.write_state(&state), "o.x/.../..o,x");
    assert_eq!(game.draw(&state), "o.x\n...\n..o\nx to move");
}
