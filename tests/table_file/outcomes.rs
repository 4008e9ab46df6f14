//! Tables that contain only outcomes.

use kit::Query;
use retrograde::error::QueryError;
use retrograde::table::{Compression, Destination, InMemory};
use retrograde::{Game, Solution, Solver, Stored, Table, TableError, scheme};

use crate::games::{Lie, Name, Small, Strip, Tree};
use crate::saved;

fn outcomes<G: Stored>(
    solution: &Solution<'_, G>,
    compression: Compression,
) -> Table<InMemory<Vec<u8>>> {
    let bytes = saved(|path| {
        let destination = Destination::at(path).compression(compression).outcomes_only();
        solution.save(destination)
    });
    Table::from_bytes(bytes).unwrap()
}

const COMPRESSIONS: [Compression; 3] =
    [Compression::Plain, Compression::Zstd(3), Compression::Zstd(19)];

/// Compares all answers of probes with a solution that has distances.
fn compare<Q, S>(
    prober: &Q,
    solution: &S,
    states: impl IntoIterator<Item = <Q::Game as Game>::State>,
) where
    Q: Query,
    S: Query<Game = Q::Game>,
{
    assert!(solution.has_distances() && !prober.has_distances());
    for state in states {
        let (index, value) = match solution.index_and_value(&state) {
            Ok(found) => found,
            Err(error) => {
                assert_eq!(
                    prober.index_and_kind(&state).unwrap_err().to_string(),
                    error.to_string()
                );
                continue;
            }
        };
        assert_eq!(prober.index_and_kind(&state).unwrap(), (index, value.kind()));
        let (found, known) = (prober.verdict(&state).unwrap(), solution.verdict(&state).unwrap());
        assert_eq!((found.outcome, found.plies), (known.outcome, None));
        assert_eq!(found.decided_by, known.decided_by);
        let (found, known) = (prober.moves(&state).unwrap(), solution.moves(&state).unwrap());
        assert_eq!(found.len(), known.len());
        for (found, known) in found.iter().zip(&known) {
            // The order may differ, but winning moves come first in both.
            assert_eq!((found.value, found.verdict.outcome), (None, known.verdict.outcome));
        }
        let error = prober.line(&state).unwrap_err();
        assert!(matches!(error, QueryError::OutcomesOnly { .. }), "{error}");
        let error = prober.value(&state).unwrap_err();
        assert!(matches!(error, QueryError::OutcomesOnly { .. }), "{error}");
    }
    let error = prober.states().next().unwrap().unwrap_err();
    assert!(matches!(error, QueryError::OutcomesOnly { .. }), "{error}");
}

#[test]
fn outcomes_are_those_of_the_table_with_distances() {
    for compression in COMPRESSIONS {
        let game = Small::<u32>::new(Lie::None);
        let solution = Solver::new(&game).solve().unwrap();
        let table = outcomes(&solution, compression);
        let header = table.header().unwrap();
        assert!(header.outcomes_only && header.summary == *solution.summary());
        table.verify(&game).unwrap();
        compare(&table.prober(game.clone()).unwrap(), &solution, 0..14);

        let game = Tree::<String>::new(20_000);
        let solution = Solver::new(&game).solve_as::<scheme::Hashed>().unwrap();
        let table = outcomes(&solution, compression);
        table.verify(&game).unwrap();
        let states = (0..20_002).step_by(7).map(String::of);
        compare(&table.prober(game.clone()).unwrap(), &solution, states);
    }
}

#[test]
fn a_table_of_several_blocks_and_a_dictionary_is_read() {
    if kit::PLAIN {
        return;
    }
    let game = Strip::new(10 << 20);
    let solution = Solver::new(&game).solve().unwrap();
    for compression in [Compression::Plain, Compression::Zstd(1)] {
        let table = outcomes(&solution, compression);
        let prober = table.prober(game.clone()).unwrap();
        for state in (0..game.len).step_by(20_011).chain((1 << 20) - 2..(1 << 20) + 2) {
            match prober.index_and_kind(&state) {
                Ok(found) => assert_eq!(found, solution.index_and_kind(&state).unwrap()),
                Err(_) => assert!(Strip::is_hole(state)),
            }
        }
        if compression == Compression::Plain {
            let two_bits = u64::from(game.len) / 4;
            assert!((two_bits..two_bits + 10_000).contains(&table.size_on_disk().unwrap()));
        }
    }
}

#[test]
fn outcomes_that_do_not_agree_are_found() {
    for lie in [Lie::OtherWinner, Lie::WinIsDraw, Lie::DrawIsWin, Lie::DrawIsEndless] {
        let solution = Solver::new(&Small::<u32>::new(lie)).solve().map(|solution| {
            let bytes = saved(|path| {
                let destination = Destination::at(path).outcomes_only();
                solution.save(destination)
            });
            Table::from_bytes(bytes).unwrap()
        });
        let game = Small::<u32>::new(Lie::None);
        let error = solution.unwrap().verify(&game).unwrap_err();
        assert!(matches!(error, TableError::WrongValue { .. }), "{lie:?}: {error}");
        let kinds = ["a win", "a loss", "a draw", "endless play"];
        let named = kinds.iter().filter(|kind| error.to_string().contains(*kind));
        assert_eq!(named.count(), 2, "{error}");
        assert!(!error.to_string().contains('('), "no distances: {error}");
    }
}
