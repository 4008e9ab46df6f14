//! Hostile files that are kept in `tests/data/hostile`, one for each kind of complaint about such
//! files. The complaint is stored beside each file, so that none gets lost.
//!
//! With `RETROGRADE_FUZZ_CORPUS=folder`, the tests that make hostile files write new ones to the
//! folder: those with a complaint that no file there has yet.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use retrograde::Table;

use crate::games::{Lie, Small, Strip, Tree};
use crate::verified;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/hostile");

/// The error of a file, or the words for a file without an error.
fn complaint(bytes: Vec<u8>) -> String {
    let found = || {
        let table = Table::from_bytes(bytes)?;
        table.verify_checksums()?;
        match (table.game_name(), table.numbering()?.has_states()) {
            ("small", false) => verified(&table, &Small::<u32>::new(Lie::None)),
            ("tree", _) => verified(&table, &table.game::<Tree<u32>>()?),
            _ => verified(&table, &table.game::<Strip>()?),
        }
    };
    found().map_or_else(|error| error.to_string(), |()| "nothing is wrong".into())
}

/// A complaint without numbers and quoted text.
fn kind(complaint: &str) -> String {
    let unquoted = complaint.split('"').step_by(2).collect::<String>();
    unquoted.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// The beginning of a complaint: the rest may be the words of a library.
fn own_words(complaint: &str) -> Vec<&str> {
    complaint.split(": ").take(2).collect()
}

/// Keeps a file if a folder is given and the complaint is new.
pub(crate) fn collect(bytes: &[u8]) {
    const LONGEST: usize = 4_000;
    let Some(folder) = env::var_os("RETROGRADE_FUZZ_CORPUS").map(PathBuf::from) else { return };
    let said = complaint(bytes.to_vec());
    let name: String = kind(&said)
        .split(|c: char| !c.is_ascii_alphabetic())
        .filter(|word| !word.is_empty())
        .take(14)
        .collect::<Vec<_>>()
        .join("-")
        .to_lowercase();
    let path = folder.join(name).with_extension("rtb");
    if bytes.len() <= LONGEST && !path.exists() {
        fs::write(&path, bytes).unwrap();
        fs::write(path.with_extension("txt"), said + "\n").unwrap();
    }
}

#[test]
fn kept_files_are_refused_with_the_same_words() {
    let files = fs::read_dir(Path::new(FOLDER)).unwrap().map(|file| file.unwrap().path());
    let (mut said, mut differing) = (BTreeMap::new(), Vec::new());
    for file in files.filter(|file| file.extension().is_some_and(|ending| ending == "rtb")) {
        let noted = fs::read_to_string(file.with_extension("txt")).unwrap();
        let now = complaint(fs::read(&file).unwrap());
        if own_words(&now) != own_words(noted.trim_end()) {
            differing.push((file.clone(), now.clone(), noted));
        }
        said.insert(kind(&now), file);
    }
    assert!(differing.is_empty(), "{differing:#?}");
    assert!(said.len() > 20, "{said:?}");
}
