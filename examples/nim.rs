//! Take one, two or three counters from a heap; whoever takes the last one wins.
use retrograde::{Game, Indexed, Outcome, Players, Solvable, Solver, Stored, Table, scheme};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Nim {
    heap: u64,
}
impl Game for Nim {
    type State = u64; // how many counters are left, whoever is to move
    const PLAYERS: Players = Players::Unnamed;
    fn terminal(&self, &heap: &u64) -> Option<Outcome> {
        (heap == 0).then_some(Outcome::MoverLoses)
    }
    fn moves(&self, &heap: &u64, visit: impl FnMut(u64)) {
        (1..=heap.min(3)).map(|taken| heap - taken).for_each(visit);
    }
    fn roots(&self) -> impl IntoIterator<Item = u64> {
        [self.heap]
    }
}
impl Indexed for Nim {
    fn len(&self) -> u64 {
        self.heap + 1
    }
    fn index(&self, &heap: &u64) -> u64 {
        heap
    }
    fn unindex(&self, index: u64) -> Option<u64> {
        Some(index)
    }
}
impl Solvable for Nim {
    type Numberings = scheme::Dense;
}
impl Stored for Nim {
    const NAME: &'static str = "nim";
}
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (nim, path) = (Nim { heap: 21 }, std::env::temp_dir().join("nim.rtb"));
    Solver::new(&nim).solve()?.save(&path)?;
    let value = Table::open(&path)?.prober(&nim)?.value(&20)?;
    println!("with 20 counters left, the player to move has a {value:?}");
    Ok(())
}
