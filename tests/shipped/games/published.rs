//! The shipped games, compared with published figures and with figures of another program
//! (`tests/data`).

use std::ops::ControlFlow;
use std::path::Path;

use crate::oracle::Known;
use crate::{oracle, states};
use kit::Query;
use retrograde::laws::{Laws, Report};
use retrograde::table::Destination;
use retrograde::{
    Game, Indexed, Notation, Numbered, Outcome, Player, Solver, Stored, Summary, Table, TableError,
    scheme,
};
use retrograde_games::Chase;
use retrograde_games::cat_mouse::{CatMouse, CatMouseParameters, Stuck};
use retrograde_games::cat_mouse_grid::{CatMouseGrid, CatMouseGridParameters};

use crate::boards::mnk;

fn graphs() -> impl Iterator<Item = (CatMouse, Known)> {
    oracle::graphs().into_iter().map(|line| {
        let known = line.known();
        // The other program calls it a draw where the cat is placed beside the hole only.
        let (graph, stuck) = (line.graph, Some(Stuck::Draw));
        let game = CatMouse::new(&CatMouseParameters { graph, stuck, ..Default::default() });
        (game.expect("a graph to play on"), known)
    })
}

fn grids() -> impl Iterator<Item = (CatMouseGrid, Known)> {
    oracle::grids().into_iter().map(|line| {
        let known = line.known();
        let oracle::GridLine { grid, cat_jump, mouse_jump, .. } = line;
        let parameters = CatMouseGridParameters { grid, cat_jump, mouse_jump, ply_limit: 1000 };
        (CatMouseGrid::new(parameters).expect("a grid to play on"), known)
    })
}

/// Compares every known figure.
fn assert_known<Q: Query>(query: &Q, summary: &Summary, known: &Known)
where
    Q::Game: Notation,
{
    let game = query.game();
    let start = &kit::start(game);
    let verdict = query.verdict(start).expect("the start is in the table");
    let outcome = verdict.outcome.winner().map_or("draw", |winner| game.player(winner));
    let text = game.draw(start);
    assert_eq!((outcome, verdict.plies), (known.outcome, known.plies), "{text}");
    let [mouse, cat] = Player::BOTH.map(|player| summary.wins(player));
    assert_eq!((mouse, cat, summary.draws()), (known.mouse, known.cat, known.draws), "{text}");
    assert_eq!(summary.states(), known.states(), "{text}");
    assert_eq!(summary.longest(), Some(known.longest), "{text}");
    if let Some(endless) = known.endless {
        assert_eq!(summary.endless(), endless, "{text}");
    }
}

/// Every tenth game in plain tests, every third in CI, and all before a release.
fn some_of<G>(games: impl Iterator<Item = G>) -> impl Iterator<Item = G> {
    games.step_by(kit::by_effort([10, 3, 1]))
}

fn assert_solved_as_known<G: Numbered + Notation>(game: &G, known: &Known) {
    let solution = Solver::new(game).solve().expect("a game to solve");
    assert_known(&solution, solution.summary(), known);
}

/// Solves, saves, opens and probes a game, and reads the game from the file.
fn assert_known_from_file<G>(game: &G, known: &Known, path: &Path)
where
    G: Indexed + Notation + Stored + Numbered + Clone + Send + 'static,
{
    let solution = Solver::new(game).solve().expect("a game to solve");
    let bytes = solution.save(path).expect("a table to write");
    let table = Table::open(path).expect("a table to open");
    assert_eq!(table.size_on_disk().expect("a file to measure"), bytes);
    let header = table.header().expect("a file has a header");
    assert_eq!(header.summary, *solution.summary());
    let stored: G = table.game().expect("a game to read");
    let prober = table.prober(stored.clone()).expect("the table of this game");
    assert_known(&prober, &header.summary, known);
    for state in (0..game.len()).filter_map(|index| game.unindex(index)) {
        let [solved, probed] = [solution.verdict(&state), prober.verdict(&state)]
            .map(|verdict| verdict.expect("every state has a verdict"));
        assert_eq!(solved, probed, "{}", game.write_state(&state));
    }
}

fn assert_lawful(game: &(impl Numbered + Notation), known: &Known) {
    let report = Laws::new(game).notation().check().expect("a lawful game");
    assert_eq!(report.states, known.states());
}

/// Solves the states that the start leads to, and compares each with the solution of the whole
/// game.
fn assert_explored_agrees<G: Indexed + Notation + Game<State = Chase>>(game: &G) {
    let whole = Solver::new(game).solve_as::<scheme::Dense>().expect("a game to solve");
    let part = Solver::new(game).solve_as::<scheme::Hashed>().expect("a game to solve");
    for (state, _) in states::of(&part) {
        let [whole, part] = [whole.value(&state), part.value(&state)]
            .map(|value| value.expect("every explored state has a value"));
        assert_eq!(whole, part, "{}", game.write_state(&state));
    }
    let start = &kit::start(game);
    assert_eq!(part.verdict(start).ok(), whole.verdict(start).ok());
    assert!((1..=whole.summary().states()).contains(&part.summary().states()));
}

#[test]
fn every_graph_is_solved_as_another_program_solved_it() {
    graphs().for_each(|(game, known)| assert_solved_as_known(&game, &known));
}

#[test]
fn every_grid_is_solved_as_another_program_solved_it() {
    grids().for_each(|(game, known)| assert_solved_as_known(&game, &known));
}

#[test]
fn the_table_of_every_graph_answers_the_same_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.rtb");
    some_of(graphs()).for_each(|(game, known)| assert_known_from_file(&game, &known, &path));
}

#[test]
fn the_table_of_every_grid_answers_the_same_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grid.rtb");
    some_of(grids()).for_each(|(game, known)| assert_known_from_file(&game, &known, &path));
}

#[test]
fn every_graph_keeps_the_laws() {
    some_of(graphs()).for_each(|(game, known)| assert_lawful(&game, &known));
}

#[test]
fn every_grid_keeps_the_laws() {
    some_of(grids()).for_each(|(game, known)| assert_lawful(&game, &known));
}

#[test]
fn what_is_explored_of_every_graph_is_worth_the_same() {
    if kit::PLAIN {
        return;
    }
    some_of(graphs()).for_each(|(game, _)| assert_explored_agrees(&game));
}

#[test]
fn what_is_explored_of_every_grid_is_worth_the_same() {
    if kit::PLAIN {
        return;
    }
    some_of(grids()).for_each(|(game, _)| assert_explored_agrees(&game));
}

#[test]
fn a_save_that_is_interrupted_keeps_the_table_that_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.rtb");
    std::fs::write(&path, "what was there before").unwrap();
    let (game, _) = graphs().next().unwrap();
    let solution = Solver::new(&game).solve().unwrap();
    let destination = Destination::at(&path).overwrite();
    let saved = solution.save(destination.on_progress(|_| ControlFlow::Break(())));
    assert!(matches!(saved, Err(TableError::Interrupted)), "{saved:?}");
    assert_eq!(std::fs::read(&path).unwrap(), b"what was there before");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn tic_tac_toe_has_the_published_figures() {
    // Folded or not: the number of states, and of those won, lost and drawn for the player to move.
    for (fold, figures) in [(false, [5478, 2836, 1574, 1068]), (true, [765, 390, 224, 151])] {
        let game = mnk(3, 3, 3, fold);
        let solution = Solver::new(&game).solve_as::<scheme::Hashed>().unwrap();
        let summary = solution.summary();
        let counted = [summary.states(), summary.won(), summary.lost(), summary.draws()];
        assert_eq!(counted, figures);
        assert_eq!((summary.endless(), summary.beyond_ply_limit()), (0, 0));
        let start = solution.verdict(&kit::start(&game)).unwrap();
        assert_eq!((start.outcome, start.plies), (Outcome::Draw, None));
    }
}

#[test]
fn tic_tac_toe_is_over_in_958_states_and_has_16167_moves() {
    let game = mnk(3, 3, 3, false);
    let solution = Solver::new(&game).solve_as::<scheme::Hashed>().unwrap();
    let states = states::of(&solution);
    assert_eq!(states.iter().filter(|(state, _)| game.terminal(state).is_some()).count(), 958);
    let laws = Laws::new(&game).notation();
    let Report { states, moves, .. } = laws.check_as::<scheme::Hashed>().unwrap();
    assert_eq!((states, moves), (5478, 16_167));
}

#[test]
fn a_folded_board_answers_for_every_turn_and_reflection() {
    if kit::PLAIN {
        return;
    }
    for (columns, rows, in_a_row) in [(3, 3, 3), (4, 2, 3), (2, 3, 2), (5, 1, 2)] {
        let (open, folded) =
            (mnk(columns, rows, in_a_row, false), mnk(columns, rows, in_a_row, true));
        Laws::new(&folded).notation().check_as::<scheme::Hashed>().unwrap();
        let [all, few] =
            [&open, &folded].map(|game| Solver::new(game).solve_as::<scheme::Hashed>().unwrap());
        assert!(few.summary().states() < all.summary().states());
        for (state, value) in states::of(&all) {
            assert_eq!(few.value(&state).unwrap(), value, "{state:?}");
        }
    }
}

#[test]
fn small_boards_have_their_known_winners() {
    // Columns, rows, marks in a row, and the plies that crosses take to win, or `None` if they
    // don't.
    let boards = [
        (1, 1, 1, Some(1)),
        (8, 8, 1, Some(1)),
        (2, 2, 2, Some(3)),
        (5, 1, 2, Some(3)),
        (3, 2, 3, None),
        (4, 2, 3, None),
        (2, 5, 3, None),
        (3, 3, 3, None),
    ];
    for (columns, rows, in_a_row, plies) in boards {
        let game = mnk(columns, rows, in_a_row, true);
        let solution = Solver::new(&game).solve_as::<scheme::Hashed>().unwrap();
        let verdict = solution.verdict(&kit::start(&game)).unwrap();
        let outcome = plies.map_or(Outcome::Draw, |_| Outcome::Win(Player::First));
        assert_eq!(
            (verdict.outcome, verdict.plies),
            (outcome, plies),
            "{columns},{rows},{in_a_row}"
        );
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "six million states take more than a minute unoptimized")]
fn four_by_four_with_three_in_a_row_is_won_by_the_first() {
    let game = mnk(4, 4, 3, false);
    let solution = Solver::new(&game).solve_as::<scheme::Hashed>().unwrap();
    assert_eq!(solution.summary().states(), 6_036_001);
    let start = solution.verdict(&kit::start(&game)).unwrap();
    assert_eq!((start.outcome, start.plies), (Outcome::Win(Player::First), Some(5)));
}
