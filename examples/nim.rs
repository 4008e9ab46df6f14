//! Take one, two or three counters from a heap; whoever takes the last one wins.
use retrograde::{Game, Outcome, Players, Solver, scheme};

struct Nim;

impl Game for Nim {
    type State = u64; // how many counters are left, whoever is to move
    const PLAYERS: Players = Players::Unnamed;
    fn roots(&self) -> impl IntoIterator<Item = u64> {
        [21]
    }
    fn terminal(&self, &heap: &u64) -> Option<Outcome> {
        (heap == 0).then_some(Outcome::MoverLoses)
    }
    fn moves(&self, &heap: &u64, visit: impl FnMut(u64)) {
        (1..=heap.min(3)).map(|taken| heap - taken).for_each(visit);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let solution = Solver::new(&Nim).solve_as::<scheme::Hashed>()?;
    println!("with 21 counters, the player to move has {}", solution.value(&21)?);
    Ok(())
}
