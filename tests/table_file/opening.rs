//! Every table is opened in the same way, whether it is a file or a folder, in every numbering.

use std::fs;
use std::path::{Path, PathBuf};

use kit::Query;
use retrograde::query::{Assessed, LineEnd};
use retrograde::scheme::{self, Dense, Hashed, Packed, Scheme, Tiers};
use retrograde::table::{Compression, Destination};
use retrograde::{Solution, Solver, Table, TableError, Value, Verdict};
use tempfile::TempDir;

use crate::games::{AllSchemes, Strip, Tree};
use crate::saved;

const NODES: u32 = 3_000;

type Game<L = AllSchemes> = Tree<u32, L>;

fn game<L>() -> Game<L> {
    Tree::listing(NODES)
}

/// A table of the game in each scheme, with the scheme's name: three files and two folders.
fn tables(folder: &TempDir) -> [(&'static str, PathBuf); 5] {
    fn saved<S: Scheme<Game>>(folder: &TempDir) -> (&'static str, PathBuf) {
        let path = folder.path().join(S::INFO.name);
        let solution = Solver::new(&game()).solve_as::<S>().unwrap().save(&path);
        assert!(solution.unwrap() > 0);
        assert_eq!(path.is_dir(), S::INFO.has_tiers);
        (S::INFO.name, path)
    }
    [
        saved::<Dense>(folder),
        saved::<Hashed>(folder),
        saved::<Packed>(folder),
        saved::<Tiers<Dense>>(folder),
        saved::<Tiers<Packed>>(folder),
    ]
}

/// The path and the error of one file or folder among several.
fn at(error: TableError) -> (PathBuf, TableError) {
    match error {
        TableError::At { path, source } => (path, *source),
        error => panic!("{error}"),
    }
}

/// The known values and outcomes of states.
type Known = Vec<(u32, Option<Value>, Verdict)>;

/// States without their indices, which differ between schemes.
fn unnumbered(states: Vec<Assessed<u32>>) -> Known {
    let states = states.into_iter();
    states.map(|assessed| (assessed.state, assessed.value, assessed.verdict)).collect()
}

/// The moves from a state, and the line of best play.
fn play<Q: Query<Game = Game>>(prober: &Q, state: u32) -> (Known, Known, LineEnd) {
    let (moves, line) = (prober.moves(&state).unwrap(), prober.line(&state).unwrap());
    (unnumbered(moves), unnumbered(line.positions), line.end)
}

#[test]
fn a_table_in_each_scheme_is_opened_and_answers_alike() {
    let folder = tempfile::tempdir().unwrap();
    let solved = game::<AllSchemes>();
    let solution = Solver::new(&solved).solve().unwrap();
    for (scheme, path) in tables(&folder) {
        let table = Table::open(&path).unwrap();
        assert_eq!(table.numbering().unwrap().name(), scheme);
        assert_eq!((table.game_name(), table.has_outcomes_only()), ("tree", false));
        assert_eq!(table.parameters(), serde_json::json!({ "nodes": NODES }));
        assert_eq!(table.summary().unwrap(), *solution.summary(), "{scheme}");
        assert_eq!(table.header().is_none(), path.is_dir());
        assert_eq!(table.tier_count(), if path.is_dir() { 2 } else { 1 });
        assert_eq!(table.size_on_disk().unwrap(), table.verify_checksums().unwrap());
        assert_eq!(table.verify(&solved).unwrap(), u64::from(NODES));

        let game: Game = table.game().unwrap();
        assert_eq!(game.nodes, NODES);
        let prober = table.prober(game.clone()).unwrap();
        for state in 0..NODES {
            assert_eq!(prober.value(&state).unwrap(), solution.value(&state).unwrap());
        }
        for state in (0..NODES).step_by(101) {
            assert_eq!(play(&prober, state), play(&solution, state), "{scheme}");
        }
        assert!(prober.index_and_value(&NODES).is_err(), "{scheme}");
    }
}

/// Expects that a table is refused because its numbering is not `listed`.
#[track_caller]
fn assert_other_numbering(error: TableError, table: &Table, listed: &str) {
    assert!(error.to_string().contains(listed), "{error}");
    let TableError::OtherNumbering { found, expected } = error else { panic!("{error}") };
    assert_eq!(found, table.numbering().unwrap().to_string());
    assert_eq!(expected, listed);
}

/// Opens each table with a game that lists only `L`, which has the name `listed`. All tables must
/// be refused, except those of `schemes`.
fn refused_but_of<L: scheme::Numberings<Game<L>> + Send + Sync + 'static>(
    listed: &str,
    schemes: &[&str],
) {
    let folder = tempfile::tempdir().unwrap();
    for (scheme, path) in tables(&folder) {
        let table = Table::open(&path).unwrap();
        match table.prober(game::<L>()) {
            Ok(_) => assert!(schemes.contains(&scheme), "{scheme}"),
            Err(error) => {
                assert!(!schemes.contains(&scheme), "{error}");
                assert_other_numbering(error, &table, listed);
            }
        }
    }
}

#[test]
fn a_table_in_a_numbering_that_the_game_does_not_list_is_refused() {
    refused_but_of::<Dense>("dense", &["dense"]);
    refused_but_of::<Hashed>("hashed", &["hashed"]);
    refused_but_of::<Packed>("packed", &["packed"]);
    refused_but_of::<Tiers<Dense>>("tiers", &["tiers"]);
    refused_but_of::<Tiers<Packed>>("packed-tiers", &["packed-tiers"]);
    refused_but_of::<(Hashed, Tiers<Dense>)>("hashed or tiers", &["hashed", "tiers"]);

    let folder = tempfile::tempdir().unwrap();
    let dense_only = game::<Dense>();
    for (_, path) in &tables(&folder)[1..] {
        let table = Table::open(path).unwrap();
        assert_other_numbering(table.verify(&dense_only).unwrap_err(), &table, "dense");
    }
}

#[test]
fn a_folder_that_is_not_of_the_listed_tiers_makes_no_game() {
    let folder = tempfile::tempdir().unwrap();
    for (scheme, path) in tables(&folder) {
        let made = Table::open(&path).unwrap().game::<Game<(Hashed, Tiers<Packed>)>>();
        // A file names its game in every numbering.
        assert_eq!(made.is_ok(), scheme != "tiers", "{scheme}");
    }
}

/// The files of a folder, by their names.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<(PathBuf, Vec<u8>)> =
        entries.map(|path| (path.file_name().unwrap().into(), fs::read(&path).unwrap())).collect();
    files.sort();
    files
}

fn saved_and_solved_into_alike<S: Scheme<Game>>() {
    let folder = tempfile::tempdir().unwrap();
    let [saved, solved] = ["saved", "solved"].map(|name| folder.path().join(name));
    let game = game();
    let solution: Solution<'_, Game> = Solver::new(&game).solve_as::<S>().unwrap();
    let bytes = solution.save(&saved).unwrap();
    let compression = Compression::default();
    let tiers = Solver::new(&game)
        .solve_into_as::<S>(Destination::at(&solved).compression(compression))
        .unwrap();
    assert_eq!(tiers.len(), if S::INFO.has_tiers { 2 } else { 1 });
    assert_eq!(tiers.iter().filter_map(|tier| tier.bytes).sum::<u64>(), bytes);
    if S::INFO.has_tiers {
        let names = ["far.rtb", "manifest.json", "near.rtb"].map(PathBuf::from);
        let [saved, solved] = [files(&saved), files(&solved)];
        assert!(saved.iter().map(|(name, _)| name).eq(&names), "{}", S::INFO.name);
        assert!(saved == solved, "{}", S::INFO.name);
    } else {
        assert!(fs::read(&saved).unwrap() == fs::read(&solved).unwrap(), "{}", S::INFO.name);
    }
}

#[test]
fn what_is_saved_is_what_is_solved_into_files() {
    saved_and_solved_into_alike::<Dense>();
    saved_and_solved_into_alike::<Hashed>();
    saved_and_solved_into_alike::<Packed>();
    saved_and_solved_into_alike::<Tiers<Dense>>();
    saved_and_solved_into_alike::<Tiers<Packed>>();
}

#[test]
fn the_file_of_one_tier_alone_answers_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let game = game::<AllSchemes>();
    for (_, path) in tables(&folder).into_iter().filter(|(_, path)| path.is_dir()) {
        for (tier, name) in ["far", "near"].into_iter().enumerate() {
            let table = Table::open(path.join(name).with_extension("rtb")).unwrap();
            assert_eq!(table.header().unwrap().numbering.tier(), Some(tier as u32));
            assert!(table.verify_checksums().unwrap() > 0);
            let error = table.prober(game.clone()).unwrap_err();
            assert!(matches!(error, TableError::OneTier), "{error}");
            let error = table.verify(&game).unwrap_err();
            assert!(matches!(error, TableError::OneTier), "{error}");
        }
    }
}

#[test]
fn a_tier_in_the_place_of_another_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let game = game::<AllSchemes>();
    let [.., (_, tiers), (_, packed)] = tables(&folder);
    let far = tiers.join("far.rtb");
    for other in [tiers.join("near.rtb"), packed.join("far.rtb")] {
        fs::copy(&other, &far).unwrap();
        let table = Table::open(&tiers).unwrap();
        let (path, error) = at(table.verify(&game).unwrap_err());
        assert_eq!(path, far);
        assert!(matches!(error, TableError::OtherNumbering { .. }), "{error}");
    }
}

#[test]
fn values_by_index_need_no_rules() {
    let folder = tempfile::tempdir().unwrap();
    let solved = game::<AllSchemes>();
    for (scheme, path) in tables(&folder) {
        let table = Table::open(&path).unwrap();
        let count = table.index_count().unwrap();
        let values = table.values(0..count).unwrap();
        let prober = table.prober(solved.clone()).unwrap();
        let mut seen = 0;
        for found in prober.states_with(|_| true) {
            let Assessed { index, value, .. } = found.unwrap();
            assert_eq!(values[index as usize], value, "{scheme} {index}");
            seen += 1;
        }
        assert_eq!(values.iter().flatten().count(), seen, "{scheme}");
        assert_eq!(table.values(7..count).unwrap(), values[7..], "{scheme}");
        for range in [0..count + 1, u64::MAX - 1..u64::MAX] {
            let error = table.values(range).unwrap_err();
            assert!(matches!(error, TableError::NoSuchIndex { .. }), "{scheme}: {error}");
        }
    }
}

#[test]
fn unused_indices_that_only_the_rules_know_are_not_told_as_used() {
    let game = Strip::new(3_000);
    let values = |compression: Compression| {
        let bytes = saved(|path| {
            let destination = Destination::at(path).compression(compression);
            Solver::new(&game).solve()?.save(destination)
        });
        Table::from_bytes(bytes).unwrap().values(0..3_000)
    };
    let plain = values(Compression::Plain).unwrap();
    assert!((0..3_000).all(|index| plain[index as usize].is_none() == Strip::is_hole(index)));
    let error = values(Compression::Usual).unwrap_err();
    assert!(matches!(error, TableError::NeedsRules), "{error}");
    assert!(error.to_string().contains("open the table with its game"), "{error}");
}
