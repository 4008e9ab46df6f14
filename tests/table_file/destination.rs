//! The places where tables are written: whole, or not at all.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use retrograde::solve::Progress;
use retrograde::table::Destination;
use retrograde::{Solver, Table, TableError, scheme};

use crate::games::{Lie, Small};
use crate::layout::MARK;
use crate::{dense, saved};

/// The rest of an old table, which still shows that it was one.
const OLD: &[u8] = MARK;

/// The names of all entries of a folder.
fn listing(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn checking_a_destination_leaves_everything_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.rtb");
    fs::write(&path, OLD).unwrap();
    Destination::at(&path).check().unwrap();
    assert_eq!(fs::read(&path).unwrap(), OLD);
    assert_eq!(listing(folder.path()), ["old.rtb"]);

    Destination::at(folder.path().join("new.rtb")).check().unwrap();
    assert_eq!(listing(folder.path()), ["old.rtb"]);
}

#[test]
fn a_saved_table_replaces_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.rtb");
    let game = Small::<u32>::new(Lie::None);
    fs::write(&path, [OLD, &[7; 100_000]].concat()).unwrap();
    let expected = saved(|path| Solver::new(&game).solve().unwrap().save(path));
    for _ in 0..2 {
        let length = Solver::new(&game).solve().unwrap().save(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), expected);
        assert_eq!(fs::metadata(&path).unwrap().len(), length);
        assert_eq!(listing(folder.path()), ["table.rtb"]);
    }
    let destination = Destination::at(&path);
    Solver::new(&game).solve_as::<scheme::Hashed>().unwrap().save(destination).unwrap();
    assert_eq!(Table::open(&path).unwrap().header().unwrap().len, 13);
    assert_eq!(listing(folder.path()), ["table.rtb"]);
}

#[test]
fn an_open_table_still_answers_when_its_file_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.rtb");
    let game = Small::<u32>::new(Lie::None);
    Solver::new(&game).solve().unwrap().save(&path).unwrap();
    let table = Table::open(&path).unwrap();
    let liar = Small::<u32>::new(Lie::OtherWinner);
    Solver::new(&liar).solve().unwrap().save(&path).unwrap();
    table.verify(&game).unwrap();
}

#[test]
fn writing_that_is_interrupted_leaves_everything_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.rtb");
    fs::write(&path, OLD).unwrap();
    let game = Small::<String>::new(Lie::None);
    let solution = Solver::new(&game).solve_as::<scheme::Hashed>().unwrap();
    // Before the first write, and after a part is written.
    let is_sampling = |progress| matches!(progress, Progress::Sampling { .. });
    let is_writing = |progress| matches!(progress, Progress::Writing { .. });
    for is_wanted in [is_sampling as fn(Progress) -> bool, is_writing] {
        let mut reports = 0;
        let until_the_second = |progress| {
            reports += u32::from(is_wanted(progress));
            if reports == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let destination = Destination::at(&path).on_progress(until_the_second);
        let error = solution.save(destination).unwrap_err();
        assert!(matches!(error, TableError::Interrupted), "{error}");
        assert_eq!(reports, 2);
        assert_eq!(fs::read(&path).unwrap(), OLD);
        assert_eq!(listing(folder.path()), ["table.rtb"]);
    }
}

#[test]
fn what_is_not_a_file_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("folder");
    fs::create_dir(&inner).unwrap();
    let mut refused = vec![inner.clone(), inner.join(".."), "/".into(), ".".into(), "".into()];
    // A folder that does not exist is not a file.
    refused.extend(["new/", "new/."].map(|name| folder.path().join(name)));
    if cfg!(unix) {
        refused.push("/dev/null".into());
    }
    for path in refused {
        let error = Destination::at(&path).check().unwrap_err();
        assert!(matches!(error, TableError::NotAFile), "{}: {error}", path.display());
    }
    assert!(inner.is_dir() && listing(&inner).is_empty());
    assert_eq!(listing(folder.path()), ["folder"]);
}

#[test]
fn a_file_that_is_no_table_is_replaced_only_if_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("letter.txt");
    let game = Small::<u32>::new(Lie::None);
    let solution = Solver::new(&game).solve().unwrap();
    for letter in ["dear reader", "x"] {
        fs::write(&path, letter).unwrap();
        let error = Destination::at(&path).check().unwrap_err();
        assert!(matches!(error, TableError::NotReplaced), "{error}");
        let error = solution.save(&path).unwrap_err();
        assert!(matches!(error, TableError::NotReplaced), "{error}");
        // The destination is also checked before a solve.
        let mut progress = |event| panic!("{event:?}");
        let error = Solver::new(&game).on_progress(&mut progress).solve_into(&path).unwrap_err();
        assert!(matches!(error, TableError::NotReplaced), "{error}");
        let table = Table::from_bytes(dense(Lie::None)).unwrap();
        let error = table.save_outcomes(&game, &path);
        assert!(matches!(error.unwrap_err(), TableError::NotReplaced));
        assert_eq!(fs::read_to_string(&path).unwrap(), letter);
        assert_eq!(listing(folder.path()), ["letter.txt"]);
    }
    solution.save(Destination::at(&path).overwrite()).unwrap();
    Table::open(&path).unwrap().verify(&game).unwrap();
    // Nothing is lost with an empty file.
    fs::write(&path, "").unwrap();
    solution.save(&path).unwrap();
    Table::open(&path).unwrap();
    for inner in ["", ".."] {
        let destination = Destination::at(folder.path().join(inner)).overwrite();
        let error = destination.check().unwrap_err();
        assert!(matches!(error, TableError::NotAFile), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn the_permissions_of_a_table_that_is_replaced_stay() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.rtb");
    let solution = Small::<u32>::new(Lie::None);
    let solution = Solver::new(&solution).solve().unwrap();
    for mode in [0o600, 0o640, 0o664, 0o400] {
        fs::write(&path, OLD).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        solution.save(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, mode);
        fs::remove_file(&path).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("link.rtb");
    std::os::unix::fs::symlink("nowhere.rtb", &link).unwrap();
    for destination in [Destination::at(&link), Destination::at(&link).overwrite()] {
        let error = destination.check().unwrap_err();
        assert!(matches!(error, TableError::DanglingLink), "{error}");
    }
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(listing(folder.path()), ["link.rtb"]);
}

#[test]
fn a_folder_that_is_missing_or_is_a_file_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    for path in ["missing/table.rtb", "file/table.rtb"] {
        let error = Destination::at(folder.path().join(path)).check().unwrap_err();
        assert!(matches!(error, TableError::Io { .. }), "{path}: {error}");
    }
    assert_eq!(listing(folder.path()), ["file"]);
}

#[test]
fn a_table_can_be_read_by_whom_other_new_files_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("table.rtb"), folder.path().join("other"));
    Solver::new(&Small::<u32>::new(Lie::None)).solve().unwrap().save(&path).unwrap();
    fs::write(&other, "").unwrap();
    let permissions = |path| fs::metadata(path).unwrap().permissions();
    assert_eq!(permissions(&path), permissions(&other));
}

#[cfg(unix)]
#[test]
fn a_destination_that_is_a_link_stays_one() {
    let folder = tempfile::tempdir().unwrap();
    let (target, link) = (folder.path().join("target.rtb"), folder.path().join("link.rtb"));
    fs::write(&target, OLD).unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    let game = Small::<u32>::new(Lie::None);
    Solver::new(&game).solve().unwrap().save(&link).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    let expected = saved(|path| Solver::new(&game).solve().unwrap().save(path));
    assert_eq!(fs::read(&target).unwrap(), expected);
}

#[test]
fn a_file_that_is_cut_while_it_is_open_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.rtb");
    let game = Small::<u32>::new(Lie::None);
    Solver::new(&game).solve().unwrap().save(&path).unwrap();
    let table = Table::open(&path).unwrap();
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(100).unwrap();
    let error = table.verify(&game).unwrap_err();
    assert!(matches!(error, TableError::Io { .. }), "{error}");
}

#[test]
fn a_name_may_be_as_long_as_the_system_allows() {
    let folder = tempfile::tempdir().unwrap();
    let game = Small::<u32>::new(Lie::None);
    let solution = Solver::new(&game).solve().unwrap();
    for name in ["x".repeat(255), "ü".repeat(127), format!("x{}", "ü".repeat(127))] {
        let path = folder.path().join(&name);
        let mut names = Vec::new();
        let destination = Destination::at(&path).on_progress(|_| {
            names = listing(folder.path());
            ControlFlow::Continue(())
        });
        solution.save(destination).unwrap();
        // A file that a killed program left and that no program is writing.
        names.retain(|name| name.ends_with(".tmp"));
        let left = folder.path().join(names[0].replace(".tmp", "x.tmp"));
        fs::write(&left, "").unwrap();
        solution.save(&path).unwrap();
        assert!(!left.exists());
        Table::open(&path).unwrap();
    }
    assert_eq!(listing(folder.path()).len(), 3);
}
