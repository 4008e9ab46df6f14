//! Code that is compiled once in this crate, and not in each crate of tests that uses it.

use retrograde::scheme::{Dense, Hashed, Packed, Scheme, Tiers};
use retrograde::{Notation, Numbered, Solver, Stored, Table};

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

fn probed<G: Stored + Numbered + Notation>(game: &G) {
    let table = Table::open("table").expect("a table");
    table.prober(game).expect("a prober");
    table.verify(game).expect("a proof");
}
