//! The parameters of a game may be long: opening its table reads them once.

use std::sync::atomic::{AtomicU32, Ordering};

use retrograde::{Game, Indexed, Numbered, Outcome, Player, Solver, Stored, Table, scheme};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::saved;

static READ: AtomicU32 = AtomicU32::new(0);
static WRITTEN: AtomicU32 = AtomicU32::new(0);

/// A game that counts how often its parameters are read and written.
#[derive(Clone, Debug)]
struct Counted;

impl Serialize for Counted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WRITTEN.fetch_add(1, Ordering::Relaxed);
        serializer.serialize_u32(7)
    }
}

impl<'d> Deserialize<'d> for Counted {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Counted, D::Error> {
        READ.fetch_add(1, Ordering::Relaxed);
        u32::deserialize(deserializer).map(|_| Counted)
    }
}

impl Game for Counted {
    type State = ();

    fn turn(&self, (): &()) -> Player {
        Player::First
    }

    fn terminal(&self, (): &()) -> Option<Outcome> {
        Some(Outcome::Draw)
    }

    fn moves(&self, (): &(), _: impl FnMut(())) {}

    fn roots(&self) -> impl IntoIterator<Item = ()> {
        [()]
    }
}

impl Indexed for Counted {
    fn len(&self) -> u64 {
        1
    }

    fn index(&self, (): &()) -> u64 {
        0
    }

    fn unindex(&self, _: u64) -> Option<()> {
        Some(())
    }
}

impl Numbered for Counted {
    type Numberings = scheme::Dense;
}

impl Stored for Counted {
    const NAME: &'static str = "counted";
}

#[test]
fn the_parameters_are_read_once_and_compared_once() {
    let file = saved(|path| Solver::new(&Counted).solve().unwrap().save(path));
    READ.store(0, Ordering::Relaxed);
    WRITTEN.store(0, Ordering::Relaxed);
    let table = Table::from_bytes(file).unwrap();
    let game: Counted = table.game().unwrap();
    let prober = table.prober(game.clone()).unwrap();
    prober.value(&()).unwrap();
    assert_eq!(READ.load(Ordering::Relaxed), 1);
    assert_eq!(WRITTEN.load(Ordering::Relaxed), 1);
}
