//! Kalah: published figures and those of another program, a plain recursion, and the laws.

use std::collections::HashMap;

use crate::states;
use retrograde::laws::{Laws, Scope};
use retrograde::scheme::{Packed, Tiers};
use retrograde::{Game, Notation, Outcome, PackedState, Solver, Value};
use retrograde_games::kalah::{Ends, Kalah, KalahError, KalahParameters, Position};
use serde::Deserialize;

/// A line of `kalah.jsonl`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    houses: u32,
    seeds: u32,
    empty_capture: bool,
    ends: Ends,
    value: i16,
    states: Option<u64>,
}

impl Known {
    fn game(&self) -> Kalah {
        let &Known { houses, seeds, empty_capture, ends, .. } = self;
        Kalah::new(KalahParameters { houses, seeds, empty_capture, ends }).expect("a game to play")
    }

    /// Whether an unoptimized build solves it at once.
    fn is_small(&self) -> bool {
        (self.houses, self.seeds) < (4, 3)
    }
}

fn known() -> Vec<Known> {
    let parse = |line| serde_json::from_str(line).expect("the data are lines of JSON");
    let lines: Vec<Known> = include_str!("../../data/kalah.jsonl").lines().map(parse).collect();
    assert_eq!(lines.len(), 76, "a line of the data got lost");
    lines
}

fn rules() -> impl Iterator<Item = (bool, Ends)> {
    [false, true]
        .into_iter()
        .flat_map(|empty| [Ends::NoMove, Ends::SideEmpty].map(|at| (empty, at)))
}

fn parameters() -> KalahParameters {
    KalahParameters { houses: 4, seeds: 3, empty_capture: false, ends: Ends::NoMove }
}

fn kalah(houses: u32, seeds: u32) -> Kalah {
    Kalah::new(KalahParameters { houses, seeds, ..parameters() }).expect("a game to play")
}

/// A second implementation of the rules. A board has the mover's houses, then the other's.
struct Plain {
    houses: usize,
    empty_capture: bool,
    ends: Ends,
    values: HashMap<Vec<u32>, Value>,
}

/// What a move brings into the store, who is to move next, and the board as that player sees it.
struct After {
    gain: u32,
    again: bool,
    board: Vec<u32>,
}

impl Plain {
    fn after(&self, board: &[u32], house: usize) -> After {
        let houses = self.houses;
        // The own houses, the own store, the other's houses.
        let mut ring = board.to_vec();
        ring.insert(houses, 0);
        let mut hand = std::mem::take(&mut ring[house]);
        let mut at = house;
        while hand > 0 {
            at = (at + 1) % ring.len();
            ring[at] += 1;
            hand -= 1;
        }
        let opposite = 2 * houses - at.min(2 * houses);
        if at < houses && ring[at] == 1 && (ring[opposite] > 0 || self.empty_capture) {
            ring[houses] += ring[at] + ring[opposite];
            (ring[at], ring[opposite]) = (0, 0);
        }
        let gain = ring.remove(houses);
        let again = at == houses;
        if !again {
            ring.rotate_left(houses);
        }
        After { gain, again, board: ring }
    }

    /// The value of a board, and of all to which it leads.
    fn value(&mut self, board: &[u32]) -> Value {
        if let Some(&value) = self.values.get(board) {
            return value;
        }
        let [own, other]: [u32; 2] =
            [&board[..self.houses], &board[self.houses..]].map(|side| side.iter().sum());
        let is_over = own == 0 || other == 0 && self.ends == Ends::SideEmpty;
        let value = if is_over {
            Value::Points { points: own as i16 - other as i16, plies: 0 }
        } else {
            let houses = (0..self.houses).filter(|&house| board[house] > 0);
            let moves: Vec<After> = houses.map(|house| self.after(board, house)).collect();
            let worth = moves.into_iter().map(|After { gain, again, board }| {
                let next = self.value(&board);
                let points = if again { next.points() } else { -next.points() };
                (points + gain as i16, next.plies().expect("play ends") + 1)
            });
            // The player who gets more hurries; the other, and both in a draw, delay.
            let order =
                |points: i16, plies: u32| if points > 0 { -i64::from(plies) } else { plies.into() };
            let best = worth.max_by_key(|&(points, plies)| (points, order(points, plies)));
            let (points, plies) = best.expect("a move");
            Value::Points { points, plies }
        };
        self.values.insert(board.to_vec(), value);
        value
    }
}

/// The houses of the player to move, then of the other, from the text of a position.
fn board_of(text: &str) -> Vec<u32> {
    let (houses, turn) = text.split_once(',').expect("who is to move");
    let mut sides: Vec<&str> = houses.split('/').collect();
    if turn == "north" {
        sides.reverse();
    }
    let seeds = |seeds: &str| seeds.parse().expect("a number");
    sides.into_iter().flat_map(|side| side.split('-')).map(seeds).collect()
}

#[test]
fn every_position_is_worth_what_a_plain_recursion_says() {
    let games = [(1, 1), (1, 3), (2, 2), (3, 1), (1, 7), (2, 3), (2, 4), (2, 6), (3, 3)];
    for &(houses, seeds) in kit::few(&games[1..4], &games) {
        for (empty_capture, ends) in rules() {
            let parameters = KalahParameters { houses, seeds, empty_capture, ends };
            let game = Kalah::new(parameters).expect("a game to play");
            let values = HashMap::new();
            let mut plain = Plain { houses: houses as usize, empty_capture, ends, values };
            plain.value(&vec![seeds; 2 * houses as usize]);
            let solution = Solver::new(&game).solve().expect("a game to solve");
            let states = states::of(&solution);
            assert_eq!(states.len(), plain.values.len(), "{parameters:?}");
            for (state, value) in states {
                let text = game.write_state(&state);
                let expected = plain.values.get(&board_of(&text));
                assert_eq!(Some(&value), expected, "{parameters:?}: {text}");
                // North in its place is worth the same.
                let north = game.with_other_mover(&turned(&game, &state)).expect("a position");
                assert_eq!(solution.value(&north).ok(), Some(value), "{text}");
            }
        }
    }
}

/// The position with the players' houses exchanged, but not who is to move.
fn turned(game: &Kalah, position: &Position) -> Position {
    let text = game.write_state(position);
    let (houses, turn) = text.split_once(',').expect("who is to move");
    let (south, north) = houses.split_once('/').expect("two rows");
    game.parse_state(&format!("{north}/{south},{turn}")).expect("a position")
}

fn assert_solved_as_known(known: &Known) {
    let game = known.game();
    let solution = Solver::new(&game).solve().expect("a game to solve");
    let start = solution.value(&kit::start(&game)).expect("the start");
    assert_eq!(start.points(), known.value, "{game:?}");
    if let Some(states) = known.states {
        assert_eq!(solution.summary().states(), states, "{game:?}");
    }
}

#[test]
fn small_games_are_solved_as_another_program_solved_them() {
    let small: Vec<Known> = known().into_iter().filter(Known::is_small).collect();
    small.iter().step_by(kit::few(6, 1)).for_each(assert_solved_as_known);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "a million states take more than ten seconds unoptimized")]
fn four_houses_of_three_seeds_are_solved_as_another_program_solved_them() {
    known().iter().filter(|known| !known.is_small()).for_each(assert_solved_as_known);
}

#[test]
fn positions_keep_the_laws() {
    for &(houses, seeds) in
        kit::few(&[(1, 2), (2, 2)][..], &[(1, 2), (1, 5), (2, 2), (2, 4), (3, 2)])
    {
        for (empty_capture, ends) in rules() {
            let game = Kalah::new(KalahParameters { houses, seeds, empty_capture, ends });
            let laws = Laws::new(game.as_ref().expect("a game to play"));
            laws.notation().check().expect("a lawful game");
        }
    }
    for (houses, seeds) in kit::some(&[(6, 4), (6, 6), (12, 4), (1, 62)], 0) {
        let game = kalah(houses, seeds);
        let sample = Scope::Sample { states: 200, seed: 1 };
        let laws = Laws::new(&game).scope(sample).sample_from(2_000);
        laws.notation().check_as::<Tiers<Packed>>().expect("a lawful game");
    }
}

#[test]
fn any_word_unpacks_and_packed_positions_are_told_from_others() {
    for (houses, seeds, fits) in [(6, 4, true), (6, 5, false), (4, 3, true), (12, 4, false)] {
        let game = kalah(houses, seeds);
        assert_eq!(game.fits_u64(), fits);
        let start = game.pack(&kit::start(&game));
        assert_eq!(u64::try_from(start).is_ok(), fits);
        assert!(game.is_packed(start) && game.unpack(start) == kit::start(&game));
        for word in [0, 1, u128::MAX, u128::MAX << 1, 1 << 127, start << 1, start >> 1] {
            let position = game.unpack(word);
            let is_position = game.parse_state(&game.write_state(&position)).is_ok();
            let is_same = is_position && game.pack(&position) == word;
            assert_eq!(game.is_packed(word), is_same, "{word:#x}");
        }
    }
}

/// The moves of a position, by their names, and the positions that they lead to.
fn moves(game: &Kalah, text: &str) -> Vec<[String; 2]> {
    let from = game.parse_state(text).expect("a position");
    let mut moves = Vec::new();
    game.moves(&from, |to| moves.push([game.write_move(&from, &to), game.write_state(&to)]));
    moves
}

#[test]
fn seeds_are_sown_and_captured_and_moves_have_names() {
    let cases: [(&str, &[[&str; 2]]); 6] = [
        // The last seed falls into a house with seeds, opposite an empty house, and into the store.
        (
            "1-1-0-1/2-0-3-4,south",
            &[
                ["A", "0-2-0-1/2-0-3-4,north"],
                ["B", "1-0-1-1/2-0-3-4,north"],
                ["D again", "1-1-0-0/2-0-3-4,south"],
            ],
        ),
        // It captures; it falls into the other's house.
        (
            "0-1-0-2/2-3-0-4,south",
            &[["B x4", "0-0-0-2/2-0-0-4,north"], ["D", "0-1-0-0/3-3-0-4,north"]],
        ),
        // North sows round through south's houses, and leaves out south's store.
        (
            "0-1-0-2/2-3-0-7,north",
            &[
                ["a x2", "0-0-0-2/0-4-0-7,south"],
                ["b again", "0-1-0-2/2-0-1-8,north"],
                ["d", "1-2-1-3/3-4-0-0,south"],
            ],
        ),
        // A whole lap ends in the house that it began in, which is empty by then.
        ("0-9-0-0/1-1-1-1,south", &[["B x3", "1-0-1-1/2-2-0-2,north"]]),
        // More than a lap.
        ("0-0-0-13/0-0-0-0,south", &[["D", "1-1-1-1/2-2-2-1,north"]]),
        ("0-0-0-14/0-0-0-0,south", &[["D", "1-1-1-1/2-2-2-2,north"]]),
    ];
    for (from, expected) in cases {
        assert_eq!(moves(&kalah(4, 3), from), expected, "{from}");
    }
    assert_eq!(moves(&kalah(1, 7), "7/7,south"), [["A again", "2/9,south"]]);
    let game = Kalah::new(KalahParameters { empty_capture: true, ..parameters() })
        .expect("a game to play");
    assert_eq!(moves(&game, "0-1-0-0/2-0-3-4,south"), [["B x1", "0-0-0-0/2-0-3-4,north"]]);
}

#[test]
fn the_end_gives_the_rest_to_whom_it_belongs() {
    let worth = |text: &str, ends: Ends| {
        let parameters = KalahParameters { houses: 2, seeds: 3, ends, ..parameters() };
        let game = Kalah::new(parameters).expect("a game to play");
        let position = game.parse_state(text).expect("a position");
        game.terminal(&position)
    };
    use Ends::{NoMove, SideEmpty};
    let points = |points| Some(Outcome::Points(points));
    assert_eq!(worth("0-0/2-3,south", NoMove), points(-5));
    assert_eq!(worth("0-0/2-3,south", SideEmpty), points(-5));
    assert_eq!(worth("0-0/2-3,north", NoMove), None);
    assert_eq!(worth("0-0/2-3,north", SideEmpty), points(5));
    assert_eq!(worth("0-0/0-0,north", NoMove), points(0));
    assert_eq!(worth("1-0/0-3,north", SideEmpty), None);
}

#[test]
fn positions_are_written_as_people_write_them() {
    let game = kalah(4, 3);
    let position = game.parse_state(" 3-0-12-1 / 0-1-2-3 , north ").expect("a position");
    assert_eq!(game.write_state(&position), "3-0-12-1/0-1-2-3,north");
    let drawn = "   d   c   b   a\n   3   2   1   0   north\n   3   0  12   1   south\n   A   B   C   D\n\
                 north to move";
    assert_eq!(game.draw(&position), drawn);
    let refused = [
        ("3-3-3-3/3-3-3-3", "it does not say who is to move"),
        ("3-3-3-3/3-3-3-3,east", "\"east\" is not to move: expected south or north"),
        ("3-3-3-3,south", "it has 1 row of houses, not 2"),
        ("3-3/3-3/3-3,south", "it has 3 rows of houses, not 2"),
        ("3-3-3-3/3-3-3,south", "north has 3 houses, not 4"),
        ("3/3-3-3-3,south", "south has 1 house, not 4"),
        ("3-3-3-3/3-x-3-3,south", "\"x\" in north's house b is no number from 0 to 24"),
        ("3-3-3-25/3-3-3-3,south", "\"25\" in south's house D is no number from 0 to 24"),
        ("3-3-3-+3/3-3-3-3,south", "\"+3\" in south's house D is no number"),
        ("3-3--3/3-3-3-3,south", "\"\" in south's house C is no number"),
        ("3-3-3-256/3-3-3-3,south", "\"256\" in south's house D is no number"),
        ("3-3-3-3/3-3-3-4,south", "it has 25 seeds: expected at most 24"),
    ];
    for (text, problem) in refused {
        let error = game.parse_state(text).expect_err(text).to_string();
        assert!(error.contains(problem), "{error}");
        assert!(error.contains("expected the seeds in south's houses A to D"), "{error}");
        assert!(error.contains("as in 3-3-3-3/3-3-3-3,south"), "{error}");
    }
}

#[test]
fn games_with_too_few_or_too_many_houses_or_seeds_are_refused() {
    let refused = |houses, seeds| {
        let parameters = KalahParameters { houses, seeds, ..parameters() };
        Kalah::new(parameters).map(|_| ()).expect_err("no game")
    };
    assert_eq!(refused(0, 4), KalahError::Houses(0));
    assert_eq!(refused(13, 1), KalahError::Houses(13));
    assert_eq!(refused(6, 0), KalahError::Seeds { seeds: 0, houses: 6, most: 9 });
    assert_eq!(refused(6, 10), KalahError::Seeds { seeds: 10, houses: 6, most: 9 });
    assert_eq!(refused(1, u32::MAX), KalahError::Seeds { seeds: u32::MAX, houses: 1, most: 62 });
    let texts = [refused(13, 1), refused(6, 10)].map(|error| error.to_string());
    assert_eq!(texts[0], "13 houses for each player: expected 1 to 12");
    assert_eq!(texts[1], "10 seeds in each house: expected 1 to 9 (houses of each player: 6)");
}
