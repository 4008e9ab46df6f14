//! Take one, two or three counters from a heap; whoever takes the last one wins. A game of your
//! own: described, solved, saved, opened again and asked.

use retrograde::{Game, Indexed, Outcome, Player, Query, Solver, Stored, Tablebase};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Nim {
    heap: u64,
}

impl Game for Nim {
    type State = (u64, Player); // how many counters are left, and who is to move

    fn turn(&self, &(_, turn): &Self::State) -> Player {
        turn
    }

    fn terminal(&self, &(heap, turn): &Self::State) -> Option<Outcome> {
        (heap == 0).then_some(Outcome::Win(turn.opponent()))
    }

    fn moves(&self, &(heap, turn): &Self::State, visit: impl FnMut(Self::State)) {
        (1..=heap.min(3)).map(|taken| (heap - taken, turn.opponent())).for_each(visit);
    }

    fn roots(&self) -> Vec<Self::State> {
        vec![(self.heap, Player::First)]
    }
}

impl Indexed for Nim {
    fn len(&self) -> u64 {
        (self.heap + 1) * 2
    }

    fn index(&self, &(heap, turn): &Self::State) -> u64 {
        heap * 2 + turn.index() as u64
    }

    fn unindex(&self, index: u64) -> Option<Self::State> {
        Some((index / 2, Player::BOTH[(index % 2) as usize]))
    }
}

impl Stored for Nim {
    const NAME: &'static str = "nim";
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::temp_dir().join("nim.rtb");
    let nim = Nim { heap: 21 };
    Solver::new(&nim).dense()?.save(&path)?;

    let table = Tablebase::open(&path)?;
    let (state, value) = ((20, Player::Second), table.dense(&nim)?.value(&(20, Player::Second))?);
    println!("with {} counters left, the player to move has a {value:?}", state.0);
    Ok(())
}
