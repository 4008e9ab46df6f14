//! Pong Hau K'i, compared with brute force on explicit turns.

use kit::Query;
use retrograde::laws::{self, Laws, Scope};
use retrograde::query::{DecidedBy, LineEnd};
use retrograde::scheme::{Dense, Hashed};
use retrograde::solve::Tally;
use retrograde::{
    Game, Indexed, Numbered, Outcome, Player, Players, Solution, Solver, Stored, Table, Value,
};
use serde::{Deserialize, Serialize};

/// The edges between the corners of a square and its centre. Points 0 to 4 are top left, top right,
/// centre, bottom left, bottom right. The top edge is missing.
const EDGES: [(u8, u8); 7] = [(0, 2), (1, 2), (3, 2), (4, 2), (0, 3), (1, 4), (3, 4)];

fn neighbours(point: u8) -> impl Iterator<Item = u8> {
    EDGES.into_iter().filter_map(move |(a, b)| match point {
        _ if a == point => Some(b),
        _ if b == point => Some(a),
        _ => None,
    })
}

/// The points of the pieces of the player to move and of the other player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
struct Pieces {
    mover: u8,
    other: u8,
}

impl Pieces {
    /// The placements after each move, before the sides are exchanged.
    fn moved(self) -> impl Iterator<Item = Pieces> {
        let empty = (0..5).filter(move |point| (self.mover | self.other) >> point & 1 == 0);
        empty.flat_map(move |to| {
            let from = neighbours(to).filter(move |from| self.mover >> from & 1 == 1);
            from.map(move |from| Pieces { mover: self.mover ^ 1 << from ^ 1 << to, ..self })
        })
    }

    fn exchanged(self) -> Pieces {
        Pieces { mover: self.other, other: self.mover }
    }
}

/// Every placement of two pieces for each player.
fn placements() -> Vec<Pieces> {
    let pairs = || (0..32_u8).filter(|points| points.count_ones() == 2);
    let all = pairs().flat_map(|mover| pairs().map(move |other| Pieces { mover, other }));
    all.filter(|pieces| pieces.mover & pieces.other == 0).collect()
}

/// Pong Hau K'i: a player who can't move has lost.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct PongHauKi {
    ply_limit: Option<u32>,
}

impl Game for PongHauKi {
    type State = Pieces;
    const PLAYERS: Players = Players::Unnamed;

    fn terminal(&self, pieces: &Pieces) -> Option<Outcome> {
        pieces.moved().next().is_none().then_some(Outcome::MoverLoses)
    }

    fn moves(&self, pieces: &Pieces, visit: impl FnMut(Pieces)) {
        pieces.moved().map(Pieces::exchanged).for_each(visit);
    }

    fn roots(&self) -> impl IntoIterator<Item = Pieces> {
        [Pieces { mover: 0b00011, other: 0b11000 }]
    }

    fn ply_limit(&self) -> Option<u32> {
        self.ply_limit
    }
}

impl Indexed for PongHauKi {
    fn len(&self) -> u64 {
        1 << 10
    }

    fn index(&self, pieces: &Pieces) -> u64 {
        u64::from(pieces.mover) << 5 | u64::from(pieces.other)
    }

    fn unindex(&self, index: u64) -> Option<Pieces> {
        let pieces = Pieces { mover: (index >> 5) as u8, other: (index & 31) as u8 };
        placements().contains(&pieces).then_some(pieces)
    }
}

impl Numbered for PongHauKi {
    type Numberings = (Dense, Hashed);
}

impl Stored for PongHauKi {
    const NAME: &'static str = "pong-hau-ki";
}

fn pong(ply_limit: Option<u32>) -> PongHauKi {
    PongHauKi { ply_limit }
}

/// The values of the game with explicit turns, found by trying 0, 1, 2, … plies. In these
/// placements, `mover` stands for the pieces of the first player, even if the second is to move.
fn brute_force() -> Vec<(Pieces, Player, Value)> {
    let states: Vec<(Pieces, Player)> = placements()
        .into_iter()
        .flat_map(|pieces| Player::BOTH.map(|turn| (pieces, turn)))
        .collect();
    let moves = |&(pieces, turn): &(Pieces, Player)| -> Vec<(Pieces, Player)> {
        let seen = |pieces: Pieces| match turn {
            Player::First => pieces,
            Player::Second => pieces.exchanged(),
        };
        seen(pieces).moved().map(|next| (seen(next), turn.opponent())).collect()
    };
    let place = |state| states.iter().position(|other| *other == state).unwrap();
    // The winner, and the number of plies.
    let mut won: Vec<Option<(Player, u32)>> = vec![None; states.len()];
    for plies in 0..=states.len() as u32 {
        let before = won.clone();
        for (at, state) in states.iter().enumerate().filter(|&(at, _)| before[at].is_none()) {
            let (own, opponent) = (state.1, state.1.opponent());
            let next: Vec<_> = moves(state).into_iter().map(|next| before[place(next)]).collect();
            let wins =
                |player| move |won: &Option<(Player, u32)>| won.is_some_and(|w| w.0 == player);
            won[at] = if next.iter().any(wins(own)) {
                Some((own, plies))
            } else if next.iter().all(wins(opponent)) {
                Some((opponent, plies))
            } else {
                None
            };
        }
    }
    let value = |(won, turn): (Option<(Player, u32)>, Player)| match won {
        None => Value::Endless,
        Some((winner, plies)) if winner == turn => Value::Win(plies),
        Some((_, plies)) => Value::Loss(plies),
    };
    let values = won.into_iter().zip(&states).map(|(won, state)| (state.0, state.1, won));
    values.map(|(pieces, turn, won)| (pieces, turn, value((won, turn)))).collect()
}

/// The values of all placements, found by brute force.
fn expected() -> Vec<(Pieces, Value)> {
    let all = brute_force();
    assert_eq!(all.len(), 60);
    let value = |wanted: Pieces, turn: Player| {
        let found = all.iter().find(|(pieces, mover, _)| (*pieces, *mover) == (wanted, turn));
        found.unwrap().2
    };
    let of = |pieces: Pieces| {
        // The value for the player to move does not depend on which player it is.
        assert_eq!(value(pieces, Player::First), value(pieces.exchanged(), Player::Second));
        (pieces, value(pieces, Player::First))
    };
    placements().into_iter().map(of).collect()
}

/// Compares all answers about placements with brute force.
fn compare(query: &impl Query<Game = PongHauKi>, expected: &[(Pieces, Value)]) {
    for (pieces, value) in expected {
        assert_eq!(query.value(pieces).unwrap(), *value, "{pieces:?}");
        let verdict = |outcome, plies, decided_by| (outcome, plies, decided_by);
        let ended = |outcome, plies| verdict(outcome, Some(plies), DecidedBy::Play);
        let expected = match *value {
            Value::Win(plies) => ended(Outcome::MoverWins, plies),
            Value::Loss(plies) => ended(Outcome::MoverLoses, plies),
            _ => verdict(Outcome::Draw, None, DecidedBy::Endless),
        };
        let found = query.verdict(pieces).unwrap();
        assert_eq!((found.outcome, found.plies, found.decided_by), expected);
        let moves = query.moves(pieces).unwrap();
        let rank = |outcome| match outcome {
            Outcome::MoverLoses => 0,
            Outcome::Draw => 1,
            _ => 2,
        };
        assert!(moves.is_sorted_by_key(|step| rank(step.verdict.outcome)), "{moves:?}");
        let best = moves.first().map(|step| step.value.unwrap());
        let before = match best {
            None => Value::Loss(0),
            Some(Value::Win(plies)) => Value::Loss(plies + 1),
            Some(Value::Loss(plies)) => Value::Win(plies + 1),
            Some(value) => value,
        };
        assert_eq!(before, *value, "the best move of {pieces:?}");
        let line = query.line(pieces).unwrap();
        match value.plies() {
            Some(plies) => {
                assert_eq!((line.positions.len() as u32, line.end), (plies + 1, LineEnd::Over));
                let last = line.positions.last().unwrap();
                assert_eq!(last.verdict.outcome, Outcome::MoverLoses);
                // The winner and the loser take turns.
                for (ply, step) in line.positions.iter().rev().enumerate() {
                    let lost = ply % 2 == 0;
                    let outcome = if lost { Outcome::MoverLoses } else { Outcome::MoverWins };
                    assert_eq!(step.verdict.outcome, outcome, "{line:?}");
                }
            }
            None => assert!(matches!(line.end, LineEnd::Repetition { .. }), "{line:?}"),
        }
    }
}

fn check_summary(solution: &Solution<'_, PongHauKi>, expected: &[(Pieces, Value)]) {
    let count =
        |is: fn(&Value) -> bool| expected.iter().filter(|(_, value)| is(value)).count() as u64;
    let (won, lost, endless) = (
        count(|value| matches!(value, Value::Win(_))),
        count(|value| matches!(value, Value::Loss(_))),
        count(|value| *value == Value::Endless),
    );
    let summary = solution.summary();
    let all = summary.by_mover[0];
    assert_eq!((all.won, all.lost, all.drawn), (won, lost, endless));
    assert_eq!((all.endless, all.beyond_ply_limit), (endless, 0));
    assert_eq!(summary.by_mover[1], Tally::default());
    assert_eq!((summary.wins(Player::First), summary.wins(Player::Second)), (won, lost));
    assert_eq!((summary.won(), summary.lost(), summary.draws()), (won, lost, endless));
    assert_eq!(summary.states(), expected.len() as u64);
}

/// The placements that play can reach.
fn reachable() -> Vec<Pieces> {
    let mut reached: Vec<Pieces> = pong(None).roots().into_iter().collect();
    let mut at = 0;
    while at < reached.len() {
        let next: Vec<Pieces> = reached[at].moved().map(Pieces::exchanged).collect();
        for pieces in next {
            if !reached.contains(&pieces) {
                reached.push(pieces);
            }
        }
        at += 1;
    }
    reached
}

#[test]
fn pong_hau_ki_is_solved_from_states_that_do_not_say_who_is_to_move() {
    let game = pong(None);
    let expected = expected();
    let dense = Solver::new(&game).solve().unwrap();
    compare(&dense, &expected);
    check_summary(&dense, &expected);
    let summary = dense.summary();
    assert_eq!((summary.won(), summary.lost(), summary.draws()), (4, 2, 24));

    let reachable = reachable();
    let (inside, outside): (Vec<_>, Vec<_>) =
        expected.iter().copied().partition(|(pieces, _)| reachable.contains(pieces));
    let explored = Solver::new(&game).solve_as::<Hashed>().unwrap();
    compare(&explored, &inside);
    check_summary(&explored, &inside);
    for (pieces, _) in outside {
        assert!(explored.value(&pieces).is_err(), "{pieces:?}");
    }
}

#[test]
fn tables_of_states_that_do_not_say_who_is_to_move_are_opened_and_verified() {
    let game = pong(None);
    let expected = expected();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pong.rtb");
    let dense = Solver::new(&game).solve().unwrap();
    dense.save(&path).unwrap();
    let table = Table::open(&path).unwrap();
    let opened: PongHauKi = table.game().unwrap();
    compare(&table.prober(opened.clone()).unwrap(), &expected);
    assert_eq!(&table.summary().unwrap(), dense.summary());
    assert_eq!(table.verify(&opened).unwrap(), 30);

    let outcomes = folder.path().join("outcomes.rtb");
    table.save_outcomes(&game, &outcomes).unwrap();
    let outcomes = Table::open(&outcomes).unwrap();
    assert_eq!(outcomes.verify(&game).unwrap(), 30);
    let prober = outcomes.prober(game.clone()).unwrap();
    for (pieces, value) in &expected {
        assert_eq!(prober.index_and_kind(pieces).unwrap().1, value.kind());
        let verdict = prober.verdict(pieces).unwrap();
        assert_eq!(verdict.outcome, dense.verdict(pieces).unwrap().outcome);
    }

    let explored = Solver::new(&game).solve_as::<Hashed>().unwrap();
    explored.save(&path).unwrap();
    let table = Table::open(&path).unwrap();
    assert_eq!(table.verify(&game).unwrap(), explored.summary().states());
}

#[test]
fn a_ply_limit_makes_draws_of_late_wins_for_whoever_is_to_move() {
    let expected = expected();
    let longest = expected.iter().filter_map(|(_, value)| value.plies()).max().unwrap();
    for limit in 0..=longest {
        let game = pong(Some(limit));
        let solution = Solver::new(&game).solve().unwrap();
        let mut beyond = 0;
        for (pieces, value) in &expected {
            let verdict = solution.verdict(pieces).unwrap();
            let outcome = match *value {
                Value::Win(plies) if plies <= limit => Outcome::MoverWins,
                Value::Loss(plies) if plies <= limit => Outcome::MoverLoses,
                _ => Outcome::Draw,
            };
            assert_eq!(verdict.outcome, outcome, "{pieces:?} within {limit}");
            beyond += u64::from(verdict.decided_by == DecidedBy::PlyLimit);
            assert!(solution.line(pieces).unwrap().positions.len() as u32 <= limit + 1);
        }
        assert_eq!(solution.summary().beyond_ply_limit(), beyond);
        assert_eq!(beyond > 0, limit < longest);
    }
}

#[test]
fn pong_hau_ki_keeps_the_laws() {
    assert_eq!(laws::check(&pong(None), Scope::All).unwrap().states, 30);
    let report = Laws::new(&pong(None)).check_as::<Hashed>().unwrap();
    assert_eq!(report.states, reachable().len() as u64);
}
