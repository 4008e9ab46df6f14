//! The cost of probing a stored table: Cat and Mouse in a park of w x w nodes.
//!
//! ```text
//! cargo bench --bench probe             # a park of 50 x 50: 12 million states
//! cargo bench --bench probe -- 150      # 150 x 150: a thousand million
//! ```
//!
//! Probes a second, the median of five turns:
//!
//! - *plain, in memory*: a table without compression whose bytes are in memory (a mapped file is
//!   probed in the same way); every block was probed before.
//! - *compressed, cached*: a compressed table in a file, with all decompressed blocks in the cache.
//! - *compressed, cold*: the same with a cache for only the last block; each probe at random reads
//!   and decompresses one.
//!
//! - *compressed, all at once*: the same, with all probes in one list, which is answered in the
//!   order of the file.
//!
//! *Random* states are unrelated; *in order* are neighbours. With two threads, both probe the same
//! table. *Opening* is the time to open the table. Every answer is compared with the solution.

mod common;

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use retrograde::table::{Compression, Destination, Storage};
use retrograde::{Indexed, Solver, Table, Value, scheme};
use retrograde_games::Chase;
use retrograde_games::cat_mouse::{CatMouse, CatMouseParameters};
use serde_json::json;

/// The number of probes in a turn, of a park that is large enough, and the number of turns.
const PROBES: u64 = 1 << 20;
const TURNS: usize = 5;

fn main() {
    for size in common::sizes([50]) {
        bench(size as usize);
    }
}

fn bench(size: usize) {
    let parameters =
        CatMouseParameters { graph: common::park(size), ..CatMouseParameters::default() };
    let game = CatMouse::new(&parameters).expect("a park to play in");
    let solution = Solver::new(&game).solve_as::<scheme::Dense>().expect("a game to solve");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let save = |name: &str, compression| {
        let path = folder.path().join(name);
        let destination = Destination::at(&path);
        let bytes = solution.save(destination.compression(compression));
        (path, bytes.expect("a table to write"))
    };
    let (plain, plain_bytes) = save("plain.rtb", Compression::Plain);
    let (compressed, compressed_bytes) = save("compressed.rtb", Compression::default());
    if common::wants_json() {
        let bytes = json!({ "plain": plain_bytes, "compressed": compressed_bytes });
        println!("{}", json!({ "states": game.len(), "bytes": bytes }));
    } else {
        println!(
            "park {size} x {size}: {} states; plain {plain_bytes} bytes, compressed {compressed_bytes}",
            game.len()
        );
    }

    let probes = Probes::new(&game, |state| solution.value(&state).expect("a value"));
    if !common::wants_json() {
        println!(
            "{:<32}{:>14}{:>14}{:>14}{:>14}",
            "probes a second", "random", "2 threads", "in order", "2 threads"
        );
    }
    let bytes = std::fs::read(&plain).expect("a table to read");
    let table = Table::from_bytes(bytes).expect("a table");
    probes.report("plain, in memory", &table, &game, PROBES);
    let all = game.len() as usize * 2;
    let table = Table::open(&compressed).expect("a table").cache(all + (1 << 20));
    probes.report("compressed, cached", &table, &game, PROBES);
    let table = Table::open(&compressed).expect("a table").cache(0);
    probes.report("compressed, cold", &table, &game, PROBES >> 8);
    probes.report_at_once("compressed, all at once", &table, &game);

    for (what, path) in [("plain", &plain), ("compressed", &compressed)] {
        let took = median((0..TURNS).map(|_| {
            let begin = Instant::now();
            black_box(Table::open(path).expect("a table"));
            begin.elapsed()
        }));
        let seconds = took.as_secs_f64();
        match common::wants_json() {
            true => println!("{}", json!({ "opening": what, "seconds": seconds })),
            false => println!("opening, {what}: {:.3} ms", seconds * 1e3),
        }
    }
}

/// States to probe and their values: at random, and in order.
struct Probes {
    random: Vec<(Chase, Value)>,
    in_order: Vec<(Chase, Value)>,
}

impl Probes {
    fn new(game: &CatMouse, value: impl Fn(Chase) -> Value) -> Probes {
        let mut number = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = || {
            number = number.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            ((u128::from(number) * u128::from(game.len())) >> 64) as u64
        };
        let with_value = |index| game.unindex(index).map(|state| (state, value(state)));
        // A small park is for trying the bench.
        let count = PROBES.min(game.len());
        let random = (0..count).filter_map(|_| with_value(next())).collect();
        let in_order = (0..count).filter_map(with_value).collect();
        Probes { random, in_order }
    }

    fn report<S: Storage + 'static>(
        &self,
        what: &str,
        table: &Table<S>,
        game: &CatMouse,
        count: u64,
    ) {
        let mut rates = Vec::new();
        for list in [&self.random, &self.in_order] {
            for threads in [1, 2] {
                let list = &list[..list.len().min(count as usize)];
                // Once before, to fill the cache as far as it can be filled.
                let took = (0..=TURNS).map(|_| probe_all(table, game, list, threads)).skip(1);
                rates.push(Some((threads * list.len()) as f64 / median(took).as_secs_f64()));
            }
        }
        print_rates(what, &rates);
    }

    fn report_at_once<S: Storage + 'static>(&self, what: &str, table: &Table<S>, game: &CatMouse) {
        let mut rates = Vec::new();
        let prober = table.prober(game.clone()).expect("the table of the game");
        for list in [&self.random, &self.in_order] {
            let (states, values): (Vec<Chase>, Vec<Value>) = list.iter().copied().unzip();
            let took = (0..TURNS).map(|_| {
                let begin = Instant::now();
                assert!(prober.values(&states).expect("the answers") == values);
                begin.elapsed()
            });
            rates.extend([Some(list.len() as f64 / median(took).as_secs_f64()), None]);
        }
        print_rates(what, &rates);
    }
}

/// Prints probes a second: at random with one thread and with two, then in order.
fn print_rates(what: &str, rates: &[Option<f64>]) {
    if common::wants_json() {
        let [random, random_2, in_order, in_order_2] = rates else { return };
        let rates = json!({ "random": [random, random_2], "in order": [in_order, in_order_2] });
        return println!("{}", json!({ "probing": what, "a second": rates }));
    }
    print!("{what:<32}");
    for rate in rates {
        print!("{:>14}", rate.map_or(String::new(), |rate| format!("{rate:.0}")));
    }
    println!();
}

/// Makes all probes on every thread.
fn probe_all<S: Storage + 'static>(
    table: &Table<S>,
    game: &CatMouse,
    probes: &[(Chase, Value)],
    threads: usize,
) -> Duration {
    let begin = Instant::now();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let prober = table.prober(game.clone()).expect("the table of the game");
                for (state, value) in probes {
                    assert_eq!(prober.value(state).expect("an answer"), *value);
                }
            });
        }
    });
    begin.elapsed()
}

fn median(times: impl Iterator<Item = Duration>) -> Duration {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    times[times.len() / 2]
}
