//! Several processes, run as threads, make the same table as one process.

use std::fs;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::thread;

use twox_hash::XxHash3_64;

use super::*;
use crate::game::Outcome;
use crate::game::summary::Summary;
use crate::game::value::Scale;
use crate::game::value::{DRAW, ENDLESS, LOSS, Rules, UNUSED, WIN};
use crate::numbering::NumberingKind;
use crate::runtime::peers::tests::Threads;
use crate::runtime::progress::Progress;
use crate::table::frame::{FRAME_BYTES, Frame, Section};

/// The records of some states of a game.
struct Records {
    len: u64,
    here: Range<u64>,
    /// Whether all are of the same width.
    even: bool,
}

impl ListedStates for Records {
    fn len(&self) -> u64 {
        self.len
    }

    fn here(&self) -> Range<u64> {
        self.here.clone()
    }

    fn record(&self, index: u64) -> Result<Vec<u8>, String> {
        if !self.here.contains(&index) {
            return Err("is not here".into());
        }
        let bytes = (index * index / 7).to_le_bytes();
        let width = if self.even { 8 } else { 3 + index as usize % 4 };
        Ok(bytes[..width].to_vec())
    }
}

/// The states that each process lists.
#[derive(Clone, Copy, PartialEq)]
enum Listed {
    None,
    /// Each process lists the states of its window.
    Shared,
    /// Each process lists all states.
    Whole,
}

#[derive(Clone, Copy)]
struct Table<'t> {
    values: &'t [u16],
    listed: Listed,
    compression: Compression,
    outcomes_only: bool,
}

impl Table<'_> {
    fn len(&self) -> u64 {
        self.values.len() as u64
    }

    fn states(&self, own: Range<u64>) -> Option<Records> {
        let here = if self.listed == Listed::Whole { 0..self.len() } else { own };
        let even = self.listed == Listed::Shared;
        (self.listed != Listed::None).then_some(Records { len: self.len(), here, even })
    }

    fn head(&self) -> Head {
        let header = Header {
            game: "test".into(),
            parameters: "{}".into(),
            numbering: NumberingKind::Dense,
            len: self.len(),
            rules: Rules::new(Outcome::Draw, None),
            outcomes_only: false,
            summary: Summary::default(),
        };
        Head { header, remembered: Vec::new() }
    }

    fn writer(&self, path: &Path) -> TableWriter {
        let writer = TableWriter::at(path, false).unwrap().compression(self.compression);
        writer.outcomes_only(self.outcomes_only)
    }

    /// The part of one process in writing the table: the first one writes.
    fn write(&self, path: &Path, pool: &mut WorkerPool<'_>) -> Result<(), TableError> {
        let window = pool.windows(self.len(), CHUNK).own_window();
        let states = self.states(window.clone());
        let read = |first: u64, values: &mut [u16]| {
            let end = first + values.len() as u64;
            assert!(window.start <= first && end <= window.end, "{first}..{end} of {window:?}");
            values.copy_from_slice(&self.values[first as usize..end as usize]);
        };
        let states = states.as_ref().map(|states| states as &dyn ListedStates);
        let body = Body { len: self.len(), read: &read, scale: Scale::PLAIN, states };
        let writer = pool.is_first().then(|| self.writer(path));
        let form = of_first(writer.as_ref().map(TableWriter::form), pool)?;
        match writer {
            Some(writer) => writer.write(self.head(), &body, pool)?.name().map(drop),
            None => help(form, &body, pool),
        }
    }

    /// The file that one process writes.
    fn alone(&self, folder: &Path) -> Vec<u8> {
        let path = folder.join("alone");
        let mut progress = |_| ControlFlow::Continue(());
        self.write(&path, &mut WorkerPool::new(2, &mut progress)).unwrap();
        fs::read(path).unwrap()
    }

    /// The results of this many processes that write the table together. If `last_stops`, the last
    /// one stops once it has made some blocks.
    fn together(&self, path: &Path, count: usize, last_stops: bool) -> Vec<Result<(), TableError>> {
        let process = |own: usize, mut peers: Threads| {
            let mut progress = |event| match event {
                Progress::Writing { done, .. } if last_stops && own + 1 == count && done > 0 => {
                    ControlFlow::Break(())
                }
                _ => ControlFlow::Continue(()),
            };
            let pool = WorkerPool::new(1 + own % 2, &mut progress);
            self.write(path, &mut pool.with_peers(&mut peers))
        };
        thread::scope(|scope| {
            let peers = Threads::new(count).into_iter().enumerate();
            let processes: Vec<_> =
                peers.map(|(own, peers)| scope.spawn(move || process(own, peers))).collect();
            processes.into_iter().map(|process| process.join().unwrap()).collect()
        })
    }

    /// Writes the table with several processes, and compares the files with the file of one
    /// process.
    fn compare(&self, counts: &[usize]) -> Frame {
        let folder = tempfile::tempdir().unwrap();
        let alone = self.alone(folder.path());
        for &count in counts {
            let path = folder.path().join("together");
            let ended = self.together(&path, count, false);
            assert!(ended.iter().all(Result::is_ok), "{ended:?}");
            let (len, compression) = (self.len(), self.compression);
            let together = fs::read(path).unwrap();
            assert!(together == alone, "{len} values, {count} processes, {compression:?}");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        }
        Frame::from_bytes(&alone[..FRAME_BYTES], alone.len() as u64).unwrap()
    }
}

/// This many values by a formula, which gets a random number for each.
fn values(len: u64, value: impl Fn(u64, u64) -> u16) -> Vec<u16> {
    (0..len).map(|at| value(at, mixed(at))).collect()
}

fn mixed(at: u64) -> u64 {
    XxHash3_64::oneshot(&at.to_le_bytes()) >> 1
}

fn some_value(mixed: u64, most: u64) -> u16 {
    let distance = (mixed / 3 % most) as u16;
    [ENDLESS, WIN + distance, LOSS + distance][(mixed % 3) as usize]
}

const ALL: [Compression; 4] =
    [Compression::Plain, Compression::FAST, Compression::Usual, Compression::SMALL];

#[test]
fn several_processes_write_the_file_of_one() {
    let tables = [
        values(0, |_, _| ENDLESS),
        values(1, |_, _| WIN),
        values(9_000, |_, mixed| some_value(mixed, 9)),
        values(270_000, |_, mixed| if mixed % 5 < 2 { UNUSED } else { DRAW + 2 }),
        // Windows that end within blocks, and one that ends with a block.
        values(3 * (1 << 18), |at, _| some_value(at / 9, 40)),
        values(1_000_000, |at, _| some_value(mixed(at / 50), 60)),
        // More values than a palette has, and unused indices at the ends of windows.
        values(600_000, |at, mixed| match at % 4096 {
            ..100 | 4000.. => UNUSED,
            _ => some_value(mixed, 9_000),
        }),
    ];
    for (trial, values) in tables.iter().enumerate() {
        for compression in kit::some(&ALL, trial) {
            for outcomes_only in kit::some(&[false, true], trial / 2) {
                let table = Table { values, listed: Listed::None, compression, outcomes_only };
                table.compare(kit::few(&[2], &[2, 3]));
            }
        }
    }
    let (compression, outcomes_only) = (Compression::Usual, false);
    for (trial, values) in tables[..5].iter().enumerate() {
        for listed in kit::some(&[Listed::Shared, Listed::Whole], trial) {
            Table { values, listed, compression, outcomes_only }.compare(&[2, 5]);
        }
    }
}

#[test]
fn all_processes_have_the_dictionary() {
    let values = values(3_000_000, |at, _| some_value(mixed(at % 300_007), 30));
    for compression in kit::some(&[Compression::FAST, Compression::Usual], 0) {
        let listed = Listed::None;
        let table = Table { values: &values, listed, compression, outcomes_only: false };
        assert_ne!(table.compare(&[2, 3]).dictionary, Section::NONE);
    }
}

#[test]
fn large_blocks_are_made_together_and_plain_states_too() {
    if kit::PLAIN {
        return;
    }
    // Blocks of outcomes have 16 million values each.
    let values = values(35_000_000, |at, _| some_value(at / 5_003 % 7, 1));
    let (listed, compression) = (Listed::None, Compression::SMALL);
    Table { values: &values, listed, compression, outcomes_only: true }.compare(&[3]);
    let (listed, compression) = (Listed::Shared, Compression::Plain);
    let values = &values[..400_000];
    Table { values, listed, compression, outcomes_only: false }.compare(&[3]);
}

#[test]
fn nothing_is_written_where_a_process_stops() {
    let values = values(3_000_000, |_, mixed| some_value(mixed, 60));
    let (listed, compression) = (Listed::None, Compression::SMALL);
    let table = Table { values: &values, listed, compression, outcomes_only: false };
    let folder = tempfile::tempdir().unwrap();
    let ended = table.together(&folder.path().join("together"), 3, true);
    assert!(ended[2].as_ref().is_err_and(TableError::is_interrupted), "{ended:?}");
    for of_other in &ended[..2] {
        let lost = matches!(of_other, Err(TableError::Solve(SolveError::PeerError { .. })));
        assert!(lost, "{of_other:?}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
