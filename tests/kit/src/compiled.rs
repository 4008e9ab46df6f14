//! Code that is compiled once in this crate, and not in each crate of tests that uses it.

use retrograde::laws::Laws;
use retrograde::scheme::{Dense, Hashed, Packed, Scheme, Tiers};
use retrograde::{Game, Notation, Numbered, Solver, Stored, Table};

use crate::games::{Nim, TugOfWar, TwoHeaps};
use crate::graph::Graph;
use crate::random_game::{ALL, NONE, RandomGame, WITHIN};

type Call<G> = fn(&G);

/// Every use of a game's tables. It is never called: it exists so that the code is compiled.
#[expect(clippy::type_complexity, reason = "a list of functions")]
pub fn all() -> (
    [Call<Graph<true, true>>; 2],
    [Call<Graph<true, false>>; 5],
    [Call<Graph<false, true>>; 4],
    [Call<Graph<false, false>>; 6],
    [Call<RandomGame<ALL, false, true>>; 1],
    [Call<RandomGame<WITHIN, false, true>>; 1],
    [Call<RandomGame<NONE, false, true>>; 1],
    [Call<Nim>; 4],
    [Call<TwoHeaps>; 2],
    [Call<TugOfWar>; 2],
) {
    (
        [solved::<Dense, _>, probed],
        [
            solved::<Dense, _>,
            solved::<Hashed, _>,
            solved::<Packed, _>,
            tiers::<Tiers<Dense>, _>,
            probed,
        ],
        [solved::<Dense, _>, solved::<Hashed, _>, solved::<Packed, _>, probed],
        [
            solved::<Dense, _>,
            solved::<Hashed, _>,
            solved::<Packed, _>,
            tiers::<Tiers<Dense>, _>,
            tiers::<Tiers<Packed>, _>,
            probed,
        ],
        [tiers::<Tiers<Dense>, _>],
        [tiers::<Tiers<Dense>, _>],
        [tiers::<Tiers<Dense>, _>],
        [solved::<Dense, _>, lawful::<Dense, _>, saved::<Dense, _>, probed],
        [tiers::<Tiers<Dense>, _>, opened],
        [solved::<Hashed, _>, opened],
    )
}

fn solved<S: Scheme<G>, G: Stored>(game: &G) {
    let solution = Solver::new(game).solve_as::<S>().expect("a game");
    solution.save("table").expect("a table");
    Solver::new(game).survey_as::<S>().expect("statistics");
}

fn tiers<S: Scheme<G>, G: Stored>(game: &G) {
    solved::<S, G>(game);
    let solved = Solver::new(game).table_at("tiers").solve_as::<S>();
    solved.expect("tiers");
}

/// With the file written while solving, as it is in a table with checkpoints.
fn saved<S: Scheme<G>, G: Stored>(game: &G) {
    Solver::new(game).table_at("table").solve_as::<S>().expect("a table");
}

fn lawful<S: Scheme<G>, G: Game + Notation>(game: &G) {
    Laws::new(game).notation().check_as::<S>().expect("laws that hold");
}

fn opened<G: Stored + Numbered>(game: &G) {
    Table::open("table").expect("a table").prober(game).expect("a prober");
}

fn probed<G: Stored + Numbered + Notation>(game: &G) {
    opened(game);
    Table::open("table").expect("a table").verify(game).expect("a proof");
}
