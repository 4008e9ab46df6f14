//! Cops and robbers: published figures, a brute force that shares nothing with the game, the laws.

mod brute_force;
mod formats;
mod named;
mod published;

use kit::small_graphs;
use retrograde::laws::{Laws, Scope};
use retrograde::{Game, Notation, Player, Solver, Value};
use retrograde_games::cops::{Cops, CopsError, CopsParameters, Passing};

/// The usual game on a graph.
fn usual(graph: &[Vec<i64>], cops: u32) -> CopsParameters {
    CopsParameters { graph: graph.to_vec(), cops, ..CopsParameters::default() }
}

fn game(parameters: &CopsParameters) -> Cops {
    Cops::new(parameters).expect("a graph to play on")
}

/// The capture time of a graph with this number of cops; `None` if the robber wins.
fn capture_time(graph: &[Vec<i64>], cops: u32) -> Option<u32> {
    game(&usual(graph, cops)).capture_time().expect("a small game")
}

/// The cop number of a graph, and its capture time.
fn cop_number(graph: &[Vec<i64>]) -> (u32, u32) {
    let times = (1..).map(|cops| (cops, capture_time(graph, cops)));
    let mut wins = times.filter_map(|(cops, time)| Some((cops, time?)));
    wins.next().expect("enough cops win")
}

#[test]
fn games_keep_the_laws() {
    let square = vec![vec![1, 3], vec![0, 2], vec![1, 3], vec![2, 0]];
    let passings = [Passing::Both, Passing::Cops, Passing::Robber, Passing::Nobody];
    let mut tried = 0;
    for cops in 1..=kit::few(2, 3) {
        for passing in passings {
            for (lazy, robber_speed) in [(false, 1), (true, 2), (false, 9)] {
                let with = CopsParameters { passing, lazy, robber_speed, ..usual(&square, cops) };
                let parameters = match tried % 3 {
                    0 => with,
                    // A node with a tail, a node of its own, and a circle of one way.
                    1 => {
                        CopsParameters { graph: vec![vec![1], vec![0, 2], vec![1], vec![]], ..with }
                    }
                    _ => {
                        let graph = vec![vec![1], vec![2], vec![0, 3], vec![]];
                        CopsParameters { graph, directed: true, ..with }
                    }
                };
                tried += 1;
                Laws::new(&game(&parameters)).notation().check().expect("a lawful game");
            }
        }
    }
    for nodes in 1..=3 {
        Laws::new(&game(&usual(&named::path(nodes), 2))).notation().check().expect("a lawful game");
    }
    let petersen = game(&usual(&named::petersen(), 3));
    let sample = Scope::Sample { states: 60, seed: 1 };
    Laws::new(&petersen).scope(sample).notation().check().expect("a lawful game");
}

#[test]
fn a_round_is_a_ply_of_each_after_both_have_chosen() {
    // On a path of five nodes, the cop begins in the middle and comes to the end in two rounds.
    let path = named::path(5);
    let game = game(&usual(&path, 1));
    let solution = Solver::new(&game).solve().expect("a small game");
    let value = |text: &str| {
        let state = game.parse_state(text).expect("a position");
        solution.value(&state).expect("a state of the game")
    };
    assert_eq!(value("-,-,cops"), Value::Win(5));
    assert_eq!(Cops::rounds(5), 2);
    assert_eq!(value("2,-,robber"), Value::Loss(4));
    assert_eq!(value("2,4,cops"), Value::Win(3));
    assert_eq!(value("2,4,robber"), Value::Loss(4));
    assert_eq!(value("3,4,cops"), Value::Win(1));
    assert_eq!(value("3,3,cops"), Value::Win(0));
    // With a cop on each node, the robber is caught by choosing one.
    let everywhere = named::path(2);
    assert_eq!((cop_number(&everywhere), capture_time(&everywhere, 2)), ((1, 1), Some(0)));
    assert_eq!(cop_number(&[vec![]]), (1, 0));
}

#[test]
fn positions_are_written_as_people_write_them() {
    let game = game(&usual(&named::circle(5), 2));
    let read = |text: &str| game.parse_state(text).expect("a position");
    for text in ["-,-,cops", "0+3,-,robber", "0+3,1,cops", "2+2,2,robber"] {
        assert_eq!(game.write_state(&read(text)), text);
    }
    assert_eq!(game.write_state(&read(" 3 + 0 , 1 , cops ")), "0+3,1,cops");
    assert_eq!(game.draw(&read("0+3,1,cops")), "cops on 0+3, robber on 1; cops to move");
    assert_eq!(game.draw(&read("-,-,cops")), "cops nowhere, robber nowhere; cops to move");
    let named = |from: &str, to: &str| game.write_move(&read(from), &read(to));
    assert_eq!(named("-,-,cops", "0+3,-,robber"), "cops to 0+3");
    assert_eq!(named("0+3,-,robber", "0+3,1,cops"), "robber to 1");
    assert_eq!(named("0+3,1,cops", "0+2,1,robber"), "cops 0+3-0+2");
    assert_eq!(named("0+3,1,cops", "0+3,1,robber"), "cops stay");
    assert_eq!(named("0+3,1,robber", "0+3,2,cops"), "robber 1-2");
    assert_eq!(named("0+3,1,robber", "0+3,1,cops"), "robber stays");
    for (text, problem) in [
        ("0+3,1", "\"1\" is not to move: expected cops or robber"),
        ("0,cops", "it does not say where all are"),
        ("0+5,1,cops", "\"5\" is not a node: the nodes are 0 to 4"),
        ("0,1,cops", "1 cop, but the game has 2 cops"),
        ("0+1+2,1,cops", "3 cops, but the game has 2 cops"),
        ("0+3,-,cops", "the robber chooses a node before the cops move"),
        ("-,-,robber", "the cops choose their nodes before the robber"),
        ("-,1,cops", "the robber is there before the cops"),
    ] {
        let error = game.parse_state(text).expect_err(text).to_string();
        assert!(error.contains(problem), "{error}");
        assert!(error.ends_with("as in -,-,cops"), "{error}");
    }
}

#[test]
fn cops_are_touched_where_they_go_in_any_order() {
    let game = game(&usual(&named::circle(5), 2));
    let touched = |from: &str, to: &str| {
        let [from, to] = [from, to].map(|text| game.parse_state(text).expect("a position"));
        (game.move_places(&from, &to), game.other_move_places(&from, &to).len())
    };
    assert_eq!(touched("-,-,cops", "0+3,-,robber"), (vec![0, 3], 1));
    assert_eq!(touched("-,-,cops", "3+3,-,robber"), (vec![3, 3], 0));
    assert_eq!(touched("0+3,-,robber", "0+3,1,cops"), (vec![1], 0));
    assert_eq!(touched("0+3,1,cops", "1+3,1,robber"), (vec![0, 1], 0));
    assert_eq!(touched("0+3,1,cops", "1+2,1,robber"), (vec![0, 1, 3, 2], 3));
    assert_eq!(touched("0+3,1,cops", "0+3,1,robber"), (vec![0, 0], 0));
    assert_eq!(touched("0+3,1,robber", "0+3,2,cops"), (vec![1, 2], 0));
}

#[test]
fn a_robber_does_not_run_past_a_cop() {
    let fast = CopsParameters { robber_speed: 3, ..usual(&named::path(5), 1) };
    let game = game(&fast);
    let mut reached = Vec::new();
    let from = game.parse_state("3,1,robber").expect("a position");
    game.moves(&from, |to| reached.push(game.write_state(&to)));
    assert_eq!(reached, ["3,1,cops", "3,0,cops", "3,2,cops", "3,3,cops"]);
}

#[test]
fn graphs_and_numbers_that_make_no_game_are_refused() {
    let path = named::path(3);
    let refused = |parameters: CopsParameters| {
        Cops::new(&parameters).map(drop).expect_err("no game").to_string()
    };
    assert_eq!(refused(usual(&path, 0)), "0 cops: expected 1 to 6");
    assert_eq!(refused(usual(&path, 7)), "7 cops: expected 1 to 6");
    assert!(refused(usual(&[], 1)).contains("the graph is empty: expected 1 to 65535 nodes"));
    let still = CopsParameters { robber_speed: 0, ..usual(&path, 1) };
    assert_eq!(refused(still), "a robber of speed 0: expected at least 1");
    let error = Cops::new(&usual(&vec![vec![]; 60_000], 5)).map(drop).expect_err("no game");
    assert_eq!(error, CopsError::TooLarge { cops: 5, nodes: 60_000 });
    assert_eq!(refused(usual(&[vec![0]], 1)), "node 0 has an edge to itself: expected none");
}

#[test]
fn the_cops_move_first() {
    let game = game(&usual(&named::path(3), 1));
    assert_eq!(game.player(Player::First), "cops");
    assert_eq!(game.turn(&kit::start(&game)), Player::First);
}

#[test]
fn all_small_graphs_are_there_once() {
    // A001349 of the OEIS: connected graphs.
    let known = [1, 1, 2, 6, 21, 112, 853];
    let most = kit::few(6, 7);
    let found: Vec<usize> = small_graphs::connected(most).iter().map(Vec::len).collect();
    assert_eq!(found, known[..most]);
}
