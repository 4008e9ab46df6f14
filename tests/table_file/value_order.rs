//! Tables whose blocks store values not in the order of their indices.

use kit::some;
use retrograde::table::{Compression, Destination};
use retrograde::{Solver, Table};

use crate::games::Strip;
use crate::layout::Frame;
use crate::saved;

/// The distance between indices whose values are neighbours in the first block of values.
fn stride(file: &[u8]) -> u32 {
    let directory = &file[Frame::of(file).values as usize..];
    let offset = u64::from_le_bytes(directory[..8].try_into().unwrap());
    1 << (file[offset as usize] >> 4)
}

#[test]
fn a_table_whose_columns_are_alike_is_read_and_right() {
    if kit::PLAIN {
        return;
    }
    // The last block is short, and its last row is shorter.
    let game = Strip::rows((3 << 19) + 20 * Strip::COLUMNS + 77);
    let solution = Solver::new(&game).solve().unwrap();
    let states = || (0..game.len).filter(|&state| !Strip::is_hole(state));
    for (trial, level) in [1, 14, 19].into_iter().enumerate() {
        for outcomes_only in some(&[false, true], trial) {
            let bytes = saved(|path| {
                let mut to = Destination::at(path).compression(Compression::Zstd(level));
                if outcomes_only {
                    to = to.outcomes_only();
                }
                solution.save(to)
            });
            assert_eq!(stride(&bytes) % Strip::COLUMNS, 0, "{level} {outcomes_only}");
            let table = Table::from_bytes(bytes).unwrap();
            table.verify(&game).unwrap();
            let prober = table.prober(game.clone()).unwrap();
            for state in states() {
                let kind = prober.index_and_kind(&state).unwrap();
                assert_eq!(kind, solution.index_and_kind(&state).unwrap());
            }
            if !outcomes_only {
                for state in states() {
                    assert_eq!(prober.value(&state).unwrap(), solution.value(&state).unwrap());
                }
                assert!(prober.value(&5).is_err());
            }
        }
    }
}

#[test]
fn outcomes_that_come_again_far_apart_are_in_order() {
    if kit::PLAIN {
        return;
    }
    // Pieces of a table that are shorter than the period are smaller in columns. The whole table is
    // smaller in order if a block is long enough for two periods.
    let game = Strip::rows_again(6 << 20, 600 * Strip::COLUMNS);
    let solution = Solver::new(&game).solve().unwrap();
    let outcomes = |level| {
        saved(|path| {
            let to = Destination::at(path).compression(Compression::Zstd(level)).outcomes_only();
            solution.save(to)
        })
    };
    let (short, long) = (outcomes(14), outcomes(19));
    assert_eq!((stride(&short) % Strip::COLUMNS, stride(&long)), (0, 1));
    assert!(long.len() * 2 < short.len(), "{} {}", long.len(), short.len());
    Table::from_bytes(long).unwrap().verify(&game).unwrap();
}

#[test]
fn a_table_that_can_be_read_in_place_is_in_order() {
    let game = Strip::rows(300_000);
    let solution = Solver::new(&game).solve().unwrap();
    let bytes = saved(|path| solution.save(Destination::at(path).compression(Compression::Plain)));
    assert_eq!(stride(&bytes), 1);
}
