//! What it costs to ask a stored table: Cat and Mouse in a park of w x w nodes.
//!
//! ```text
//! cargo bench --bench probe             # a park of 50 x 50: 12 million states
//! cargo bench --bench probe -- 150      # 150 x 150: a thousand million
//! ```
//!
//! Questions a second, the median of five turns:
//!
//! - *plain, in memory*: a table without compression whose bytes are in memory (a mapped file is
//!   asked in the same way), every block of it asked before.
//! - *compressed, cached*: a compressed table in a file, whose decompressed blocks all fit into the
//!   cache and are there.
//! - *compressed, cold*: the same with no more cache than for the last block; each question at
//!   random reads and decompresses one.
//!
//! - *compressed, all at once*: the same, with all questions in one list, which is answered in the
//!   order of the file.
//!
//! *Random* states have nothing to do with each other; *in order* are neighbours. With two threads,
//! both ask the same table. *Opening* is the time until the first question can be asked. Every answer
//! is compared with the solution.

mod common;

use std::hint::black_box;
use std::ops::ControlFlow;
use std::thread;
use std::time::{Duration, Instant};

use retrograde::{Compression, Destination, Indexed, Query, Solver, Storage, Tablebase, Value};
use retrograde_games::Chase;
use retrograde_games::cat_mouse::{CatMouse, CatMouseParameters};

/// How many questions are asked in a turn, and how often.
const QUESTIONS: u64 = 1 << 20;
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
    let solution = Solver::new(&game).dense().expect("a game to solve");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let save = |name: &str, compression| {
        let path = folder.path().join(name);
        let destination = Destination::create(&path).expect("a destination");
        let mut unheard = |_| ControlFlow::Continue(());
        let bytes = solution.save_to(destination.with(compression), &mut unheard);
        (path, bytes.expect("a table to write"))
    };
    let (plain, plain_bytes) = save("plain.rtb", Compression::Plain);
    let (compressed, compressed_bytes) = save("compressed.rtb", Compression::default());
    println!(
        "park {size} x {size}: {} states; plain {plain_bytes} bytes, compressed {compressed_bytes}",
        game.len()
    );

    let questions = Questions::new(&game, |state| solution.value(&state).expect("a value"));
    println!(
        "{:<32}{:>14}{:>14}{:>14}{:>14}",
        "questions a second", "random", "2 threads", "in order", "2 threads"
    );
    let bytes = std::fs::read(&plain).expect("a table to read");
    let table = Tablebase::from_bytes(bytes).expect("a table");
    questions.report("plain, in memory", &table, &game, QUESTIONS);
    let all = game.len() as usize * 2;
    let table = Tablebase::open(&compressed).expect("a table").with_cache(all + (1 << 20));
    questions.report("compressed, cached", &table, &game, QUESTIONS);
    let table = Tablebase::open(&compressed).expect("a table").with_cache(0);
    questions.report("compressed, cold", &table, &game, QUESTIONS >> 8);
    questions.report_at_once("compressed, all at once", &table, &game);

    for (what, path) in [("plain", &plain), ("compressed", &compressed)] {
        let took = median((0..TURNS).map(|_| {
            let begin = Instant::now();
            black_box(Tablebase::open(path).expect("a table"));
            begin.elapsed()
        }));
        println!("opening, {what}: {:.3} ms", took.as_secs_f64() * 1e3);
    }
}

/// States to ask about and what they are worth: at random, and in order.
struct Questions {
    random: Vec<(Chase, Value)>,
    in_order: Vec<(Chase, Value)>,
}

impl Questions {
    fn new(game: &CatMouse, value: impl Fn(Chase) -> Value) -> Questions {
        let mut number = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = || {
            number = number.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            ((u128::from(number) * u128::from(game.len())) >> 64) as u64
        };
        let with_value = |index| game.unindex(index).map(|state| (state, value(state)));
        let random = (0..QUESTIONS).filter_map(|_| with_value(next())).collect();
        let in_order = (0..QUESTIONS.min(game.len())).filter_map(with_value).collect();
        Questions { random, in_order }
    }

    fn report<S: Storage + Sync>(
        &self,
        what: &str,
        table: &Tablebase<S>,
        game: &CatMouse,
        count: u64,
    ) {
        print!("{what:<32}");
        for list in [&self.random, &self.in_order] {
            for threads in [1, 2] {
                let list = &list[..list.len().min(count as usize)];
                // Once before, so that what can be in the cache is there.
                let took = (0..=TURNS).map(|_| ask(table, game, list, threads)).skip(1);
                let rate = (threads * list.len()) as f64 / median(took).as_secs_f64();
                print!("{rate:>14.0}");
            }
        }
        println!();
    }

    fn report_at_once<S: Storage>(&self, what: &str, table: &Tablebase<S>, game: &CatMouse) {
        print!("{what:<32}");
        let prober = table.dense(game).expect("the table of the game");
        for list in [&self.random, &self.in_order] {
            let (states, values): (Vec<Chase>, Vec<Value>) = list.iter().copied().unzip();
            let took = (0..TURNS).map(|_| {
                let begin = Instant::now();
                assert!(prober.values(&states).expect("the answers") == values);
                begin.elapsed()
            });
            print!("{:>14.0}{:>14}", list.len() as f64 / median(took).as_secs_f64(), "");
        }
        println!();
    }
}

/// Has every thread ask all questions.
fn ask<S: Storage + Sync>(
    table: &Tablebase<S>,
    game: &CatMouse,
    questions: &[(Chase, Value)],
    threads: usize,
) -> Duration {
    let begin = Instant::now();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let prober = table.dense(game).expect("the table of the game");
                for (state, value) in questions {
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
