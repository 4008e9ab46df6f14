//! A random game that no cache can hold. A state is a place and who moves. Eight moves lead to
//! unrelated places, and one place in eight is an end, in which the player to move has lost.

use retrograde::index::Divisor;
use retrograde::{Game, Indexed, Outcome, PackedState, Player, Stored};
use serde::{Deserialize, Serialize};

/// The number of moves of a state.
pub(crate) const MOVES: usize = 8;

/// Move `k` leads from place `x` to `factor * x + steps[k]`, modulo the number of places. The place
/// before the move is `inverse * x - steps_back[k]`.
#[derive(Clone, Serialize, Deserialize)]
#[serde(from = "u64", into = "u64")]
pub(crate) struct RandomGame<const PREDECESSORS: bool> {
    places: Divisor,
    factor: u64,
    steps: [u64; MOVES],
    inverse: u64,
    steps_back: [u64; MOVES],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct State {
    place: u32,
    turn: Player,
}

// Not every program makes states itself.
#[allow(dead_code)]
impl State {
    pub(crate) fn at(place: u32, turn: Player) -> State {
        State { place, turn }
    }

    pub(crate) fn place(&self) -> u32 {
        self.place
    }

    pub(crate) fn turn(&self) -> Player {
        self.turn
    }
}

impl<const P: bool> RandomGame<P> {
    pub(crate) fn new(places: u64) -> Self {
        let modulus = u128::from(places);
        // A factor and its inverse, near the golden section.
        let (factor, inverse) = (places * 5 / 8..places)
            .find_map(|factor| Some((factor, inverse(factor, places)?)))
            .expect("some number is coprime");
        let steps = std::array::from_fn(|at| {
            (0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(at as u64 + 1) >> 20) % places
        });
        let steps_back =
            steps.map(|step| (u128::from(step) * u128::from(inverse) % modulus) as u64);
        RandomGame { places: Divisor::new(places), factor, steps, inverse, steps_back }
    }

    /// The number of places.
    #[allow(dead_code, reason = "the benches know it already")]
    pub(crate) fn places(&self) -> u64 {
        self.places.get()
    }

    /// Whether all moves of a place lead to different ones, as for nearly all numbers of places.
    #[allow(dead_code, reason = "the numbers of the benches are known to be good")]
    pub(crate) fn has_distinct_moves(&self) -> bool {
        let mut steps = self.steps;
        steps.sort_unstable();
        steps.windows(2).all(|two| two[0] != two[1])
    }

    /// Whether play is over in a place.
    #[inline]
    pub(crate) fn is_end(&self, place: u64) -> bool {
        place.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 61 == 0
    }

    #[inline]
    fn successors(&self, place: u64, mut visit: impl FnMut(u64)) {
        let (_, base) = self.places.div_rem(self.factor * place);
        for step in self.steps {
            let to = base + step;
            visit(if to >= self.places.get() { to - self.places.get() } else { to });
        }
    }

    #[inline]
    pub(crate) fn sources(&self, place: u64, mut visit: impl FnMut(u64)) {
        let (_, base) = self.places.div_rem(self.inverse * place);
        for step in self.steps_back {
            visit(if base < step { base + self.places.get() - step } else { base - step });
        }
    }
}

/// The inverse of `factor` modulo `modulus`, if there is one.
fn inverse(factor: u64, modulus: u64) -> Option<u64> {
    let (mut a, mut b) = (i128::from(modulus), i128::from(factor));
    let (mut x, mut y) = (0, 1);
    while b != 0 {
        let quotient = a / b;
        (a, b) = (b, a - quotient * b);
        (x, y) = (y, x - quotient * y);
    }
    (a == 1).then(|| x.rem_euclid(i128::from(modulus)) as u64)
}

impl<const P: bool> Game for RandomGame<P> {
    type State = State;
    const PREDECESSORS: bool = P;
    const DISTINCT: bool = true;

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    #[inline]
    fn terminal(&self, state: &State) -> Option<Outcome> {
        self.is_end(state.place.into()).then(|| Outcome::Win(state.turn.opponent()))
    }

    #[inline]
    fn moves(&self, state: &State, mut visit: impl FnMut(State)) {
        let turn = state.turn.opponent();
        self.successors(state.place.into(), |to| visit(State { place: to as u32, turn }));
    }

    #[inline]
    fn predecessors(&self, state: &State, mut visit: impl FnMut(State)) {
        let turn = state.turn.opponent();
        self.sources(state.place.into(), |from| visit(State { place: from as u32, turn }));
    }

    #[inline]
    fn degree(&self, _: &State) -> Option<u64> {
        Some(MOVES as u64)
    }

    fn roots(&self) -> impl IntoIterator<Item = State> {
        // The first place that is not an end.
        let place = (0..self.places.get()).find(|&place| !self.is_end(place)).unwrap_or(0);
        [State { place: place as u32, turn: Player::First }]
    }
}

impl<const P: bool> Indexed for RandomGame<P> {
    #[inline]
    fn len(&self) -> u64 {
        self.places.get() * 2
    }

    #[inline]
    fn index(&self, state: &State) -> u64 {
        u64::from(state.place) * 2 + state.turn.index() as u64
    }

    #[inline]
    fn unindex(&self, index: u64) -> Option<State> {
        let turn = if index.is_multiple_of(2) { Player::First } else { Player::Second };
        Some(State { place: (index / 2) as u32, turn })
    }
}

impl<const P: bool> PackedState for RandomGame<P> {
    type Word = u64;

    #[inline]
    fn pack(&self, state: &State) -> u64 {
        self.index(state)
    }

    #[inline]
    fn unpack(&self, packed: u64) -> State {
        let turn = Player::BOTH[(packed & 1) as usize];
        State { place: (packed >> 1) as u32, turn }
    }
}

impl<const P: bool> Stored for RandomGame<P> {
    const NAME: &'static str = "random";
}

impl<const P: bool> From<u64> for RandomGame<P> {
    fn from(places: u64) -> Self {
        RandomGame::new(places)
    }
}

impl<const P: bool> From<RandomGame<P>> for u64 {
    fn from(game: RandomGame<P>) -> u64 {
        game.places.get()
    }
}
