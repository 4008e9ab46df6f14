//! Damaged files.

use std::fs;

use kit::some;
use retrograde::error::QueryError;
use retrograde::table::{Compression, Destination, InMemory};
use retrograde::{Solver, Table, TableError};

use crate::games::{Lie, Name, Small, Tree};
use crate::layout::{FRAME_BYTES, Frame, Parts};
use crate::{dense, explored, saved, verified, verify_small};

/// A file, and the function that checks all of it.
type Checked = (Vec<u8>, fn(Vec<u8>) -> Result<(), TableError>);

/// Small files of each kind.
fn files() -> [Checked; 4] {
    [
        (compressed(), verify_compressed),
        (dense(Lie::None), verify_small::<u32>),
        (explored::<u32>(Lie::None), verify_small::<u32>),
        (explored::<String>(Lie::None), verify_small::<String>),
    ]
}

/// The number of nodes of a tree that is large enough for compression to pay.
const NODES: u32 = 600;

fn compressed() -> Vec<u8> {
    let file = saved(|path| {
        let game = Tree::<u32>::new(NODES);
        let solution = Solver::new(&game).solve().unwrap();
        solution.save(Destination::at(path).compression(Compression::Zstd(9)))
    });
    assert!(file.len() < NODES as usize);
    file
}

fn verify_compressed(bytes: Vec<u8>) -> Result<(), TableError> {
    verified(&Table::from_bytes(bytes)?, &Tree::<u32>::new(NODES))
}

fn open(bytes: &[u8]) -> Result<Table<InMemory<Vec<u8>>>, TableError> {
    Table::from_bytes(bytes.to_vec())
}

#[test]
fn a_file_cut_short_anywhere_is_truncated() {
    for (file, _) in files() {
        for length in 0..file.len() {
            let error = open(&file[..length]).unwrap_err();
            let TableError::Truncated { expected, found } = error else {
                panic!("{length} bytes: {error}");
            };
            let whole = if length < FRAME_BYTES { FRAME_BYTES } else { file.len() };
            assert_eq!((expected, found), (whole as u64, length as u64));
        }
    }
}

#[test]
fn a_file_with_something_behind_it_is_overlong() {
    for (file, _) in files() {
        for extra in [1, 2, FRAME_BYTES, file.len()] {
            let longer = [&file[..], &file[..extra]].concat();
            let error = open(&longer).unwrap_err();
            let TableError::Overlong { expected, found } = error else { panic!("{error}") };
            assert_eq!((expected, found), (file.len() as u64, longer.len() as u64));
        }
    }
}

#[test]
fn every_single_byte_that_changes_is_noticed() {
    for (file, verify) in files() {
        verify(file.clone()).unwrap();
        let read_at_once = FRAME_BYTES + Frame::of(&file).header.length as usize;
        for at in 0..file.len() {
            // The first three changes flip all bits or one. Two more have no pattern.
            let mixed = (at as u8).wrapping_mul(167) | 2;
            for change in some(&[0xFF, 0x01, 0x80, mixed, mixed ^ 0x7D], at) {
                let mut damaged = file.clone();
                damaged[at] ^= change;
                // Only the frame and the header are read at once.
                let opened = open(&damaged);
                assert_eq!(opened.is_ok(), at >= read_at_once, "byte {at}");
                if let Ok(table) = opened {
                    let checked = table.verify_checksums();
                    assert!(matches!(checked, Err(TableError::Damaged { .. })), "byte {at}");
                }
                let error = verify(damaged).unwrap_err();
                let expected = match at {
                    0..8 => matches!(error, TableError::NotATablebase),
                    8..12 => matches!(
                        error,
                        TableError::NewerVersion { .. } | TableError::Damaged { offset: 0, .. }
                    ),
                    _ => matches!(error, TableError::Damaged { .. }),
                };
                assert!(expected, "byte {at} with {change:#04x}: {error}");
            }
        }
    }
}

#[test]
fn a_probe_of_a_damaged_block_is_an_error() {
    let mut file = dense(Lie::None);
    let at = FRAME_BYTES + Parts::of(&file).header.len();
    file[at + 5] ^= 1;
    let table = open(&file).unwrap();
    let game = Small::<u32>::new(Lie::None);
    let error = table.prober(game.clone()).unwrap().value(&0).unwrap_err();
    let QueryError::Table(TableError::Damaged { part, offset }) = error else { panic!("{error}") };
    assert_eq!((part.as_str(), offset), ("block 0 of the values", at as u64));
}

fn probe_of_damaged_states<S: Name>() {
    let mut file = explored::<S>(Lie::None);
    let parts = Parts::of(&file);
    // The directory of the values follows them: one section and a checksum.
    let at = FRAME_BYTES + parts.header.len() + parts.values[0].len() + 24 + 8;
    let end = at + parts.states[0].len();
    file[end - 1] ^= 1;
    let table = open(&file).unwrap();
    let game = Small::<S>::new(Lie::None);
    let error = table.prober(game.clone()).unwrap().value(&S::of(0)).unwrap_err();
    let QueryError::Table(TableError::Damaged { part, offset }) = error else { panic!("{error}") };
    assert_eq!((part.as_str(), offset), ("block 0 of the states", at as u64));
}

#[test]
fn a_probe_among_damaged_states_is_an_error() {
    probe_of_damaged_states::<u32>();
    probe_of_damaged_states::<String>();
}

#[test]
fn a_newer_format_is_called_one_whatever_follows() {
    let file = dense(Lie::None);
    for version in [3_u32, 4, 256, u32::MAX] {
        let mut newer = file.clone();
        newer[8..12].copy_from_slice(&version.to_le_bytes());
        for length in [12, 13, FRAME_BYTES, file.len()] {
            let error = open(&newer[..length]).unwrap_err();
            let TableError::NewerVersion { found, .. } = error else { panic!("{error}") };
            assert_eq!(found, version);
        }
    }
}

#[test]
fn what_does_not_begin_like_a_table_is_none() {
    let file = dense(Lie::None);
    // The mark after a copy of the file as text.
    let unix_lines = [b"\x89RTB\n\x1a\n".as_slice(), &file[8..]].concat();
    let no_high_bit = [b"\x09".as_slice(), &file[1..]].concat();
    for other in [&unix_lines, &no_high_bit, b"x".as_slice(), b"\x89PNG\r\n\x1a\n", &[0; 1000]] {
        let error = open(other).unwrap_err();
        assert!(matches!(error, TableError::NotATablebase), "{error}");
    }
    let error = open(&[]).unwrap_err();
    assert!(matches!(error, TableError::Truncated { expected: 92, found: 0 }), "{error}");
}

#[test]
fn what_is_no_file_is_no_table() {
    let folder = tempfile::tempdir().unwrap();
    let TableError::At { path, source } = Table::open(folder.path()).unwrap_err() else {
        panic!("another error")
    };
    assert_eq!(path, folder.path());
    assert!(matches!(*source, TableError::NotOfTiers), "{source}");
    let error = Table::open(folder.path().join("none.rtb")).unwrap_err();
    assert!(matches!(error, TableError::Io { .. }), "{error}");
    let empty = folder.path().join("empty.rtb");
    fs::write(&empty, b"").unwrap();
    let error = Table::open(&empty).unwrap_err();
    assert!(matches!(error, TableError::Truncated { found: 0, .. }), "{error}");
    if cfg!(unix) {
        let error = Table::open("/dev/null").unwrap_err();
        assert!(matches!(error, TableError::NotAFile), "{error}");
    }
}
