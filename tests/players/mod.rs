//! Games whose states do not say who is to move, and other games whose players are not distinct.

mod nim;
mod pong_hau_ki;

use retrograde::error::{BrokenLaw, LawError};
use retrograde::laws::{self, Law, Laws, Scope};
use retrograde::scheme::{Dense, Hashed};
use retrograde::{Game, Indexed, Numbered, Outcome, Player, Players};

const UNNAMED: u8 = 0;
const DISTINCT: u8 = 1;
const FOLDED: u8 = 2;
const SOLITARY: u8 = 3;

/// The players of a game, from the constant in its type.
const fn players(kind: u8) -> Players {
    match kind {
        UNNAMED => Players::Unnamed,
        DISTINCT => Players::Distinct,
        FOLDED => Players::Folded,
        _ => Players::Solitary,
    }
}

/// The law that is broken.
fn broken<G: Numbered>(game: &G) -> (Law, String) {
    match laws::check(game, Scope::All) {
        Err(LawError::Broken(BrokenLaw { law, counterexample, .. })) => (law, counterexample),
        other => panic!("nothing was found broken: {other:?}"),
    }
}

/// A token walks down by one or two. A player who has to move it at 0 has lost. The numbering
/// exchanges the players if `folds` is set.
struct Walk<const KIND: u8> {
    folds: bool,
}

impl<const K: u8> Game for Walk<K> {
    type State = (u8, Player);
    const PLAYERS: Players = players(K);

    fn turn(&self, &(_, turn): &Self::State) -> Player {
        turn
    }

    fn terminal(&self, &(at, turn): &Self::State) -> Option<Outcome> {
        (at == 0).then_some(Outcome::Win(turn.opponent()))
    }

    fn moves(&self, &(at, turn): &Self::State, visit: impl FnMut(Self::State)) {
        (1..=at.min(2)).map(|down| (at - down, turn.opponent())).for_each(visit);
    }

    fn roots(&self) -> impl IntoIterator<Item = Self::State> {
        [(5, Player::First)]
    }

    fn canonical(&self, &(at, turn): &Self::State) -> Self::State {
        (at, if self.folds { Player::First } else { turn })
    }
}

impl<const K: u8> Indexed for Walk<K> {
    fn len(&self) -> u64 {
        if self.folds { 6 } else { 12 }
    }

    fn index(&self, state: &Self::State) -> u64 {
        let (at, turn) = self.canonical(state);
        u64::from(at) + 6 * turn.index() as u64
    }

    fn unindex(&self, index: u64) -> Option<Self::State> {
        Some(((index % 6) as u8, Player::BOTH[(index / 6) as usize]))
    }
}

impl<const K: u8> Numbered for Walk<K> {
    type Numberings = (Dense, Hashed);
}

#[test]
fn an_exchange_of_the_players_has_to_be_announced() {
    laws::check(&Walk::<DISTINCT> { folds: false }, Scope::All).unwrap();
    laws::check(&Walk::<FOLDED> { folds: true }, Scope::All).unwrap();
    Laws::new(&Walk::<FOLDED> { folds: true }).check_as::<Hashed>().unwrap();
    let (law, counterexample) = broken(&Walk::<DISTINCT> { folds: true });
    assert_eq!(law, Law::Symmetry);
    assert!(counterexample.contains("different players are to move"), "{counterexample}");
    let error = Laws::new(&Walk::<DISTINCT> { folds: true }).check_as::<Hashed>().unwrap_err();
    assert!(matches!(error, LawError::Broken(BrokenLaw { law: Law::Symmetry, .. })), "{error}");
}

#[test]
fn who_makes_all_moves_alone_does_not_take_turns() {
    let (law, counterexample) = broken(&Walk::<SOLITARY> { folds: false });
    assert_eq!(law, Law::Players);
    assert!(counterexample.contains("`Players::Solitary`"), "{counterexample}");
}
