//! Bobail: a brute force that shares nothing with the game, the laws, and the notation.

mod plain;

use retrograde::laws::{Laws, Scope};
use retrograde::{Game, Indexed, Notation, Outcome, Player, Repeats, Solver, Value};
use retrograde_games::bobail::{Bobail, BobailError, BobailParameters, Position, Rules};

use plain::{Plain, Squares, Turn};

const BOTH: [Rules; 2] = [Rules::Official, Rules::Flexible];

fn bobail(columns: u32, rows: u32, men: u32, rules: Rules) -> Bobail {
    let parameters = BobailParameters { columns, rows, men: Some(men), rules };
    Bobail::new(parameters).expect("a board to play on")
}

fn plain(columns: u32, rows: u32, men: u32, rules: Rules) -> Plain {
    let [columns, rows, men] = [columns, rows, men].map(|count| count as usize);
    Plain { columns, rows, men, flexible: rules == Rules::Flexible }
}

/// The position in which white is to move with these squares.
fn position(game: &Bobail, columns: usize, squares: &[u8]) -> Position {
    let rows: Vec<&str> =
        squares.chunks(columns).map(|row| std::str::from_utf8(row).expect("text")).collect();
    game.parse_state(&format!("{},white", rows.join("/"))).expect("a position")
}

/// The squares of a position in which white is to move.
fn squares_of(game: &Bobail, position: &Position) -> Squares {
    let text = game.write_state(position);
    let rows = text.strip_suffix(",white").expect("white is to move");
    rows.bytes().filter(|piece| *piece != b'/').collect()
}

/// The values that a board must have at least once.
const KINDS: [fn(Value) -> bool; 5] = [
    |value| value == Value::Loss(0),
    |value| value == Value::Loss(1),
    |value| value == Value::Win(1),
    |value| value == Value::Endless,
    |value| matches!(value, Value::Loss(2..)),
];

#[test]
fn every_position_has_the_value_of_a_plain_solver() {
    let boards = [(3, 3, 2), (3, 3, 3), (3, 4, 2), (4, 3, 2), (3, 4, 3), (3, 5, 2), (4, 4, 2)];
    let mut seen = [false; KINDS.len()];
    for &(columns, rows, men) in &boards[..kit::by_effort([3, 4, boards.len()])] {
        for rules in BOTH {
            let plain = plain(columns, rows, men, rules);
            let game = bobail(columns, rows, men, rules);
            let solution = Solver::new(&game).solve().expect("a game to solve");
            let values = plain.solve();
            let mut symmetric = 0;
            for (squares, &expected) in &values {
                let state = position(&game, plain.columns, squares);
                let value = solution.value(&state).expect("every position is in the table");
                assert_eq!(value, expected, "{} {rules:?}", game.write_state(&state));
                if plain.mirrored(squares) == *squares {
                    symmetric += 1;
                    let other = game.with_other_mover(&state).expect("nothing depends on the turn");
                    let back = game.with_other_mover(&other);
                    assert_eq!((game.turn(&other), back), (Player::Second, Some(state)));
                }
                for (seen, kind) in seen.iter_mut().zip(KINDS) {
                    *seen |= kind(value);
                }
            }
            let classes = (values.len() + symmetric) / 2;
            assert_eq!(solution.summary().states(), classes as u64 + 1);
            let start = kit::start(&game);
            let text = game.write_state(&start).replace(",first", "");
            let squares = squares_of(&game, &game.parse_state(&text).expect("the start"));
            // Only a man moves, so that the other player sees the rows the other way round.
            let moved = plain.men_moved(&squares).into_iter();
            let after: Vec<Turn> =
                moved.map(|squares| Turn::GoesOn(plain.seen_by_other(&squares))).collect();
            let expected = Plain::value(&after, |squares| values.get(squares).copied());
            assert_eq!(solution.value(&start).ok(), expected, "{}", game.write_state(&start));
        }
    }
    assert_eq!(seen, [true; KINDS.len()]);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "tens of millions of positions take hours unoptimized")]
fn boards_of_millions_agree_with_the_values_after_each_turn() {
    for rules in BOTH {
        check_by_turns(4, 4, 4, rules, 7);
        check_by_turns(5, 4, 3, rules, 7);
        check_by_turns(5, 4, 4, rules, 1_009);
    }
}

/// Checks each of some positions of a table with the values after all turns. If all positions are
/// checked, no other values are possible: a win in n plies needs a loss in n - 1, and so on.
fn check_by_turns(columns: u32, rows: u32, men: u32, rules: Rules, every: usize) {
    let plain = plain(columns, rows, men, rules);
    let game = bobail(columns, rows, men, rules);
    let solution = Solver::new(&game).solve().expect("a game to solve");
    let value = |state: &Position| solution.value(state).expect("a position of the table");
    let after = |squares: &Squares| Some(value(&position(&game, plain.columns, squares)));
    // The last index is the start, whose rule is its own.
    for index in (0..game.len() - 1).step_by(every) {
        let Some(state) = game.unindex(index) else { continue };
        let turns = plain.turns(&squares_of(&game, &state));
        assert_eq!(Some(value(&state)), Plain::value(&turns, after), "{index} {rules:?}");
    }
}

#[test]
fn larger_boards_agree_with_the_values_after_each_turn() {
    for rules in BOTH {
        check_by_turns(4, 3, 3, rules, if kit::ALL_CASES { 1 } else { 97 });
        // Unoptimized, a hundred thousand positions take half a minute.
        if !kit::PLAIN {
            check_by_turns(5, 4, 2, rules, if kit::ALL_CASES { 1 } else { 97 });
        }
        if kit::ALL_CASES {
            check_by_turns(4, 4, 3, rules, 1);
            check_by_turns(4, 5, 2, rules, 1);
        }
    }
}

#[test]
fn every_board_keeps_the_laws() {
    let boards = [(3, 3, 3), (3, 3, 2), (4, 3, 2), (3, 4, 3), (3, 4, 2), (4, 4, 2)];
    let most = kit::by_effort([1, 3, boards.len()]);
    for &(columns, rows, men) in &boards[..most] {
        for rules in BOTH {
            let game = bobail(columns, rows, men, rules);
            Laws::new(&game).notation().check().expect("a lawful game");
        }
    }
    if kit::PLAIN {
        return;
    }
    // The laws follow a thousand plies of play, too, with all ways back from each position.
    let boards = [(5, 4, 2), (5, 4, 3), (4, 5, 4), (5, 5, 5)];
    for &(columns, rows, men) in if kit::ALL_CASES { &boards[..] } else { &boards[..1] } {
        for rules in BOTH {
            let game = bobail(columns, rows, men, rules);
            let sample = Scope::Sample { states: 100, seed: u64::from(rows) };
            Laws::new(&game).scope(sample).notation().check().expect("a lawful game");
        }
    }
}

#[test]
fn the_whole_game_is_undone_as_it_is_played() {
    for rules in BOTH {
        let (game, plain) = (bobail(5, 5, 5, rules), plain(5, 5, 5, rules));
        let mut random = 1_u64;
        let mut index = 0;
        for _ in 0..kit::few(12, 400) {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            index = (index + (random >> 20)) % (game.len() - 1);
            let Some(state) = game.unindex(index) else { continue };
            if game.terminal(&state).is_some() {
                continue;
            }
            let mut after = Vec::new();
            game.moves(&state, |next| after.push(next));
            let seen = |next: &Position| {
                let same = game.with_other_mover(next).expect("nothing depends on the turn");
                plain.seen_by_other(&squares_of(&game, &same))
            };
            let mut found: Vec<Squares> = after.iter().map(seen).collect();
            let going_on = |turn| match turn {
                Turn::GoesOn(squares) => Some(squares),
                Turn::Wins | Turn::Loses => None,
            };
            let turns = plain.turns(&squares_of(&game, &state)).into_iter();
            let mut expected: Vec<Squares> = turns.filter_map(going_on).collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{}", game.write_state(&state));
            if let Some(degree) = game.degree(&state) {
                assert_eq!(degree, after.len() as u64, "{}", game.write_state(&state));
            }
            let next = after[(random >> 40) as usize % after.len()];
            let (mut indices, mut undone) = (Vec::new(), Vec::new());
            let repeats = game.predecessor_indices(&next, |index, _| indices.push(index));
            game.predecessors(&next, |before| undone.push(game.index(&before)));
            indices.sort_unstable();
            undone.sort_unstable();
            assert!(indices == undone && indices.contains(&index), "{}", game.write_state(&next));
            let count = indices.len();
            indices.dedup();
            assert!(repeats == Repeats::Maybe || count == indices.len());
        }
    }
}

/// The number of ways to choose some of several things.
fn choose(all: u64, chosen: u64) -> u64 {
    (0..chosen).fold(1, |ways, at| ways * (all - at) / (at + 1))
}

#[test]
fn the_whole_game_has_the_counted_positions() {
    let game = bobail(5, 5, 5, Rules::Official);
    let positions = 15 * choose(24, 5) * choose(19, 5);
    assert_eq!(positions, 7_413_547_680);
    // Two of three columns on the left, and the middle: each half of a symmetric set of five.
    let mut beside_symmetric = 0;
    let mut symmetric_positions = 0;
    for half in 0_u32..1 << 15 {
        let (sides, middle) = (half & 0x3FF, half >> 10);
        if 2 * sides.count_ones() + middle.count_ones() != 5 {
            continue;
        }
        // Rows 1 to 3 are the inner ones. A row has two squares of the left, and one of the middle.
        let inner_sides = u64::from((sides >> 2 & 0x3F).count_ones());
        let inner_middle = u64::from((middle >> 1 & 7).count_ones());
        beside_symmetric += (15 - 2 * inner_sides - inner_middle) * choose(19, 5);
        // The bobail in the middle, and the other men in pairs and in the middle.
        let (pairs, alone) =
            (10 - u64::from(sides.count_ones()), 4_u64.saturating_sub(middle.count_ones().into()));
        let ways = |men: u64| choose(pairs, men / 2) * choose(alone, 5 - men);
        let possible = [0, 2, 4].into_iter().filter(|men| alone >= 5 - men);
        symmetric_positions += (3 - inner_middle) * possible.map(ways).sum::<u64>();
    }
    assert_eq!((positions + symmetric_positions) / 2, 3_706_800_840);
    // Beside symmetric men, a position and its image have two places, and one is unused.
    assert_eq!(game.len(), (positions + beside_symmetric) / 2 + 1);
    for index in (0..game.len()).step_by(99_999_989) {
        if let Some(state) = game.unindex(index) {
            assert_eq!((game.index(&state), game.canonical(&state)), (index, state));
        }
    }
    assert_eq!(game.unindex(game.len() - 1), Some(kit::start(&game)));
}

fn read(game: &Bobail, text: &str) -> Position {
    game.parse_state(text).expect("a position")
}

/// The names of the moves, sorted.
fn names(game: &Bobail, text: &str) -> Vec<String> {
    let from = read(game, text);
    let mut names = Vec::new();
    game.moves(&from, |to| names.push(game.write_move(&from, &to)));
    names.sort_unstable();
    names
}

#[test]
fn a_turn_moves_the_bobail_and_then_a_man() {
    let [official, flexible] = BOTH.map(|rules| bobail(3, 4, 2, rules));
    let start = "bb./.o./.../.ww,first,white";
    assert_eq!(official.write_state(&kit::start(&official)), start);
    let first = ["white b1-a1", "white b1-a2", "white b1-b2", "white b1-c2", "white c1-a3"];
    let more = ["white c1-c4"];
    assert_eq!(names(&official, start), [&first[..], &more].concat());
    let any = ["white c1-b2", "white c1-c2", "white c1-c3", "white c1-c4"];
    let mut flexible_first = [&first[..], &any].concat();
    flexible_first.sort_unstable();
    assert_eq!(names(&flexible, start), flexible_first);
    // Black's home row is the highest, and black's own men follow the bobail.
    let turns = names(&official, ".bb/.../o../ww.,black");
    assert!(turns.contains(&"black a2-a3 b4-a4".into()), "{turns:?}");
    let from = read(&official, ".bb/.../o../ww.,black");
    official.moves(&from, |to| {
        let places = official.move_places(&from, &to);
        let names: Vec<String> = places
            .iter()
            .map(|&place| official.scene(&from).expect("a picture").name(place).to_owned())
            .collect();
        let [a, b, c, d] = &names[..] else { panic!("{names:?}") };
        assert_eq!(official.write_move(&from, &to), format!("black {a}-{b} {c}-{d}"));
    });
}

#[test]
fn play_ends_one_ply_before_the_bobail_arrives() {
    let game = bobail(3, 3, 2, Rules::Official);
    let end = |text: &str| {
        let state = read(&game, text);
        (game.terminal(&state), game.stops_early(&state))
    };
    let [white, black] = Player::BOTH.map(|player| Some(Outcome::Win(player)));
    assert_eq!(end("bb./.o./ww.,white"), (white, true));
    assert_eq!(end("bb./.o./ww.,black"), (black, true));
    // The start is not over, although the bobail is next to free squares of both home rows.
    assert_eq!(end("bb./.o./.ww,first,white"), (None, false));
    let game = bobail(3, 3, 3, Rules::Official);
    let end = |text: &str| {
        let state = read(&game, text);
        (game.terminal(&state), game.stops_early(&state))
    };
    // The bobail can only go to b3 and c3, which is lost for white in one ply, and won for black.
    assert_eq!(end("b../bob/www,white"), (black, true));
    assert_eq!(end("b../bob/www,black"), (black, true));
    // It can't go anywhere.
    assert_eq!(end("bb./ob./www,white"), (black, false));
    assert_eq!(end("bb./ob./www,black"), (white, false));
    // It can go to a2 and c2, and men can follow.
    assert_eq!(end("bbb/.o./www,white"), (None, false));
}

#[test]
fn what_is_no_position_is_refused_with_what_was_expected() {
    let game = bobail(3, 3, 2, Rules::Official);
    let refused = [
        ("", "does not say who is to move"),
        ("bb./.o./.ww,red", "\"red\" is not to move: expected white or black"),
        ("bb./.o./.ww,last,white", "\"last\" is no mark: expected first, or nothing"),
        ("bb./.o.,white", "it has 2 rows, not 3"),
        ("bb./.x./.ww,white", "row \".x.\" has a 'x', not one of .wbo"),
        ("bb./.o./.w.,white", "white has 1 man, not 2"),
        ("bbb/.o./.ww,white", "black has 3 men, not 2"),
        ("bb./.../.ww,white", "the bobail is nowhere: put it on the board"),
        ("bb./oo./.ww,white", "there are 2 bobails, not 1"),
        ("bbo/.../.ww,white", "the bobail is on a home row: play stops one ply before"),
        ("bb./o../.ww,first,white", "with all pieces where they are at the start"),
    ];
    for (text, problem) in refused {
        let error = game.parse_state(text).expect_err(text).to_string();
        assert!(error.contains(problem), "{error}");
        assert!(error.ends_with("as in bb./.o./.ww,first,white"), "{error}");
    }
    let start = read(&game, " bb./.o./.ww , first , white ");
    assert_eq!((start, game.draw(&start)), (kit::start(&game), DRAWN.into()));
    let later = read(&game, "bb./.o./.ww,white");
    assert_eq!(game.draw(&later), DRAWN.strip_suffix(FIRST).expect("a rule of the start"));
    for text in ["bb./.o./.ww,first,black", ".bb/.o./ww.,first,white"] {
        assert_eq!(game.index(&read(&game, text)), game.len() - 1);
    }
}

const DRAWN: &str = "bb.\n.o.\n.ww\nwhite to move, only a man in the first turn";
const FIRST: &str = ", only a man in the first turn";

#[test]
fn boards_and_men_that_make_no_game_are_refused() {
    let of = |columns, rows, men| BobailParameters { columns, rows, men, rules: Rules::Official };
    for (parameters, problem) in [
        (
            of(2, 5, None),
            "a board of 2 columns and 5 rows: expected 3 to 5 columns and 3 to 5 rows",
        ),
        (of(5, 6, None), "a board of 5 columns and 6 rows"),
        (of(4, 4, Some(5)), "5 men on a row of 4 squares: expected 2 to 4"),
        (of(3, 3, Some(1)), "1 man on a row of 3 squares: expected 2 to 3"),
    ] {
        let error: BobailError = Bobail::new(parameters).map(|_| ()).expect_err(problem);
        assert!(error.to_string().contains(problem), "{error}");
        let text = serde_json::to_string(&parameters).expect("parameters");
        let stored = serde_json::from_str::<Bobail>(&text).map(|_| ()).expect_err(problem);
        assert!(stored.to_string().contains(problem), "{stored}");
    }
    // The usual number of men is stored in one way.
    let [named, usual] = [Some(4), None].map(|men| {
        serde_json::to_string(&Bobail::new(of(4, 3, men)).expect("a game")).expect("text")
    });
    assert_eq!(named, usual);
    let whole = Bobail::new(of(5, 5, None)).expect("a game");
    assert_eq!(whole.men(), 5);
    let start = whole.write_state(&kit::start(&whole));
    assert_eq!(start, "bbbbb/...../..o../...../wwwww,first,white");
}
