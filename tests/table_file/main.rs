//! Tables in files: written tables are read back, and faulty files are refused.

mod corpus;
mod damage;
mod destination;
mod forged;
mod forged_figures;
mod forged_layout;
mod games;
mod hostile;
mod layout;
mod opened_once;
mod opening;
mod outcomes;
mod random_damage;
mod reading_elsewhere;
mod runs;
mod value_order;
mod whole;
mod wrong_values;

use std::fs;
use std::path::Path;

use peak_alloc::PeakAlloc;
use retrograde::table::{Compression, Destination, Storage};
use retrograde::{Notation, Numbered, Solution, Solver, Stored, Table, TableError, scheme};

use games::{Lie, Name, Small};

/// Measures the most memory in use, to show that a forged length allocates none.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The bytes of a file that `save` writes.
fn saved(save: impl FnOnce(&Path) -> Result<u64, TableError>) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("saved.rtb");
    let length = save(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    assert_eq!(bytes.len() as u64, length);
    bytes
}

/// Saves without compression, so that values can be changed in the file.
fn plain<G: Stored>(solution: Solution<'_, G>, path: &Path) -> Result<u64, TableError> {
    let destination = Destination::at(path).compression(Compression::Plain);
    solution.save(destination)
}

/// The small game's table in the game's own numbering.
fn dense(lie: Lie) -> Vec<u8> {
    saved(|path| plain(Solver::new(&Small::<u32>::new(lie)).solve().unwrap(), path))
}

/// The small game's table of explored states.
fn explored<S: Name>(lie: Lie) -> Vec<u8> {
    let game = Small::<S>::new(lie);
    saved(|path| plain(Solver::new(&game).solve_as::<scheme::Hashed>().unwrap(), path))
}

/// Checks all of a table. Errors name states in the game's notation.
fn verified<G: Notation + Stored + Numbered, S: Storage + Sync>(
    table: &Table<S>,
    game: &G,
) -> Result<(), TableError> {
    let states = table.verifier(game).notation().verify()?;
    assert_eq!(states, table.summary()?.states());
    Ok(())
}

/// Opens a table of the small game and checks all of it, once with all in memory and once with
/// almost nothing.
fn verify_small<S: Name>(bytes: Vec<u8>) -> Result<(), TableError> {
    let verify = |memory: u64| {
        let table = Table::from_bytes(bytes.clone())?.memory(memory);
        verified(&table, &Small::<S>::new(Lie::None))
    };
    let [much, little] = [u64::MAX, 0].map(verify);
    assert_eq!(much.is_ok(), little.is_ok(), "{much:?}, {little:?}");
    // A state without a value is missed where a move leads to it first, if that is looked for first.
    let is_wrong = |error: &_| {
        matches!(error, TableError::WrongValue { .. } | TableError::ValueOfUnused { .. })
    };
    let wrong = |result: &Result<_, TableError>| result.as_ref().is_err_and(is_wrong);
    if wrong(&much) && wrong(&little) {
        assert_eq!(format!("{much:?}"), format!("{little:?}"));
    }
    much
}
