//! The memory that probing takes with a file that was made to take much. It stays near the limit of
//! the cache, for any content of the file and any number of threads.
//!
//! Plain tests leave them out.

// This crate uses only a part of it.
#[allow(dead_code)]
#[path = "table_file/layout.rs"]
mod layout;

use peak_alloc::PeakAlloc;
use retrograde::table::{Compression, Destination};
use retrograde::{Game, Indexed, Numbered, Outcome, Player, Solver, Stored, Table, scheme};
use serde::{Deserialize, Serialize};

use layout::Parts;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The number of states in a block, which takes 32 MiB once it is decoded.
const BLOCK: u64 = 1 << 24;

const BLOCKS: u64 = 32;

/// A game of `states` positions, in each of which play is over.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Over {
    states: u64,
}

impl Game for Over {
    type State = u64;

    fn turn(&self, _: &u64) -> Player {
        Player::First
    }

    fn terminal(&self, _: &u64) -> Option<Outcome> {
        Some(Outcome::Draw)
    }

    fn moves(&self, _: &u64, _: impl FnMut(u64)) {}

    fn roots(&self) -> impl IntoIterator<Item = u64> {
        [0]
    }
}

impl Indexed for Over {
    fn len(&self) -> u64 {
        self.states
    }

    fn index(&self, &state: &u64) -> u64 {
        state
    }

    fn unindex(&self, index: u64) -> Option<u64> {
        Some(index)
    }
}

impl Numbered for Over {
    type Numberings = scheme::Dense;
}

impl Stored for Over {
    const NAME: &'static str = "over";
}

/// A small file with as many states as `game`, all endless, in blocks of [`BLOCK`].
fn forged(game: &Over) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("over.rtb");
    let one = Over { states: 1 };
    let solution = Solver::new(&one).solve().unwrap();
    let destination = Destination::at(&path).compression(Compression::Plain);
    solution.save(destination).unwrap();
    let mut parts = Parts::of(&std::fs::read(&path).unwrap());
    let (at, text) = (1 + 8 + "over".len(), serde_json::to_string(game).unwrap());
    let length = u64::from_le_bytes(parts.header[at..at + 8].try_into().unwrap()) as usize;
    let mut field = (text.len() as u64).to_le_bytes().to_vec();
    field.extend(text.as_bytes());
    parts.header.splice(at..at + 8 + length, field);
    parts.set_len(game.states);
    let at = parts.header.len() - 16;
    parts.header[at..at + 8].copy_from_slice(&BLOCK.to_le_bytes());
    let values = [1, 0].repeat(BLOCK as usize);
    let block = [&[2], &zstd::bulk::compress(&values, 1).unwrap()[..]].concat();
    parts.values = vec![block; BLOCKS as usize];
    parts.to_file()
}

#[test]
fn probing_takes_the_cache_and_a_few_blocks_whatever_the_file_says() {
    if kit::PLAIN {
        return;
    }
    const CACHE: usize = 64 << 20;
    let game = Over { states: BLOCKS * BLOCK };
    let table = Table::from_bytes(forged(&game)).unwrap().cache(CACHE);
    let prober = table.prober(game.clone()).unwrap();
    MEMORY.reset_peak_usage();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let prober = &prober;
            scope.spawn(move || {
                for step in 0..6 {
                    let state = (thread * 7 + step * 5) % BLOCKS * BLOCK + step;
                    prober.value(&state).unwrap();
                }
            });
        }
    });
    // Decoding takes three blocks at most. Each of the four threads may also hold one that is not
    // in the cache yet.
    let (peak, block) = (MEMORY.peak_usage(), 2 * BLOCK as usize);
    assert!(peak < CACHE + 7 * block, "{peak} bytes");
    assert!(peak > CACHE / 2, "{peak} bytes");
}
