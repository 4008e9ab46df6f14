//! Games that break a law each, and what the check says of them.

use std::ops::Range;

use retrograde::laws::{self, Law, LawError, Laws, Report, Scope};
use retrograde::scheme::{Explored, Scheme};
use retrograde::{
    Game, Indexed, Notation, NotationError, Outcome, Player, Players, Repeats, Solvable,
    SolveError, Solver, scheme,
};
use serde::{Deserialize, Serialize};

const LONGEST: u8 = 5;

/// A token walks down from 5 by one or two; whoever brings it to 0 wins. Every move changes its
/// shade, which means nothing: the two shades are folded into one number.
struct Walk<
    const PREDECESSORS: bool = true,
    const DISTINCT: bool = false,
    const INDICES: bool = false,
>(Fault);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    MissingPredecessor,
    ExtraPredecessor,
    UnannouncedPredecessors,
    CollidingIndex,
    IndexBeyondTheEnd,
    DisagreeingUnindex,
    UnusedIndex,
    StuckWithoutOutcome,
    SymmetryChangesOutcome,
    SymmetryChangesMoves,
    SymmetryExchangesUnequalColours,
    SymmetryWithoutEnd,
    SharedNotation,
    UnreadableNotation,
    RepeatedMove,
    RepeatedPredecessor,
    MissingPredecessorIndex,
    ExtraPredecessorIndex,
    RepeatedPredecessorIndex,
    PredecessorIndexWithOtherTurn,
    PredecessorIndexBeyondTheEnd,
    WrongDegree,
    WrongPass,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
struct Token {
    at: u8,
    turn: Player,
    dark: bool,
}

impl Token {
    fn moved(&self, at: u8) -> Token {
        Token { at, turn: self.turn.opponent(), dark: !self.dark }
    }
}

impl<const P: bool, const D: bool, const I: bool> Game for Walk<P, D, I> {
    type State = Token;
    const PREDECESSORS: bool = P;
    const DISTINCT: bool = D;
    // One of the faults exchanges the colours.
    const PLAYERS: Players = Players::Folded;

    fn turn(&self, token: &Token) -> Player {
        token.turn
    }

    fn terminal(&self, token: &Token) -> Option<Outcome> {
        let over = (token.at == 0).then_some(Outcome::Win(token.turn.opponent()));
        match self.0 {
            Fault::SymmetryChangesOutcome if token.dark => over.and(Some(Outcome::Draw)),
            _ => over,
        }
    }

    fn moves(&self, token: &Token, mut visit: impl FnMut(Token)) {
        let (at, fault) = (token.at, self.0);
        if fault == Fault::StuckWithoutOutcome && at == 1 {
            return;
        }
        visit(token.moved(at - 1));
        let fewer = fault == Fault::SymmetryChangesMoves && at == 3 && token.dark;
        if at > 1 && !fewer {
            visit(token.moved(at - 2));
        }
        if fault == Fault::RepeatedMove && at == 4 {
            visit(token.moved(at - 1));
        }
    }

    fn predecessors(&self, token: &Token, mut visit: impl FnMut(Token)) {
        let (at, fault) = (token.at, self.0);
        if !P && fault != Fault::UnannouncedPredecessors {
            return;
        }
        for before in (at + 1..=at + 2).filter(|&before| before <= LONGEST) {
            if !(fault == Fault::MissingPredecessor && (before, at) == (4, 2)) {
                visit(token.moved(before));
            }
        }
        if fault == Fault::ExtraPredecessor && at == 1 {
            visit(token.moved(4));
        }
        if fault == Fault::RepeatedPredecessor && at == 3 {
            visit(token.moved(4));
        }
    }

    fn degree(&self, token: &Token) -> Option<u64> {
        // Where the game gives the degree, moves may repeat an index.
        if self.0 == Fault::RepeatedMove {
            return None;
        }
        let wrong = u64::from(self.0 == Fault::WrongDegree && token.at == 4);
        let stuck = self.0 == Fault::StuckWithoutOutcome && token.at == 1;
        (!stuck).then(|| u64::from(token.at.min(2)) + wrong)
    }

    fn roots(&self) -> Vec<Token> {
        vec![Token { at: LONGEST, turn: Player::First, dark: false }]
    }

    fn endless(&self) -> Outcome {
        match self.0 {
            Fault::SymmetryExchangesUnequalColours => Outcome::Win(Player::First),
            _ => Outcome::Draw,
        }
    }

    fn canonical(&self, token: &Token) -> Token {
        match self.0 {
            Fault::SymmetryExchangesUnequalColours => {
                Token { at: token.at, turn: Player::First, dark: false }
            }
            Fault::SymmetryWithoutEnd => Token { dark: !token.dark, ..token.clone() },
            _ => Token { dark: false, ..token.clone() },
        }
    }
}

impl<const P: bool, const D: bool, const I: bool> Indexed for Walk<P, D, I> {
    fn len(&self) -> u64 {
        2 * (u64::from(LONGEST) + 1)
    }

    fn index(&self, token: &Token) -> u64 {
        let at = match self.0 {
            Fault::CollidingIndex if token.at == 5 => 4,
            Fault::IndexBeyondTheEnd if token.at == 5 => 6,
            _ => token.at,
        };
        2 * u64::from(at) + token.turn.index() as u64
    }

    fn unindex(&self, index: u64) -> Option<Token> {
        let at = match self.0 {
            Fault::DisagreeingUnindex if index / 2 == 4 => 3,
            Fault::UnusedIndex if index / 2 == 4 => return None,
            _ => (index / 2) as u8,
        };
        Some(Token { at, turn: Player::BOTH[(index % 2) as usize], dark: false })
    }

    fn states(&self, indices: Range<u64>, mut visit: impl FnMut(u64, Token)) {
        for index in indices {
            let skipped = self.0 == Fault::WrongPass && index == 7;
            if let Some(token) = self.unindex(index).filter(|_| !skipped) {
                visit(index, token);
            }
        }
    }

    const PREDECESSOR_INDICES: bool = I;

    fn predecessor_indices(&self, token: &Token, mut visit: impl FnMut(u64, Player)) -> Repeats {
        self.predecessors(token, |before| {
            let index = self.index(&before);
            match self.0 {
                _ if (before.at, token.at) != (4, 2) => visit(index, before.turn),
                Fault::MissingPredecessorIndex => {}
                Fault::PredecessorIndexWithOtherTurn => visit(index, before.turn.opponent()),
                Fault::PredecessorIndexBeyondTheEnd => visit(99, before.turn),
                Fault::RepeatedPredecessorIndex => (0..2).for_each(|_| visit(index, before.turn)),
                _ => visit(index, before.turn),
            }
        });
        if self.0 == Fault::ExtraPredecessorIndex && token.at == 1 {
            visit(8, token.turn);
        }
        Repeats::Never
    }
}

impl<const P: bool, const D: bool, const I: bool> Notation for Walk<P, D, I> {
    fn write_state(&self, token: &Token) -> String {
        let at = match self.0 {
            Fault::SharedNotation if token.at == 5 => 4,
            Fault::UnreadableNotation if token.at == 5 => 55,
            _ => token.at,
        };
        format!("{at}{}{}", ["+", "-"][token.turn.index()], if token.dark { "d" } else { "" })
    }

    fn parse_state(&self, text: &str) -> Result<Token, NotationError> {
        let dark = text.ends_with('d');
        let text = text.trim_end_matches('d');
        let turn = Player::BOTH[usize::from(text.ends_with('-'))];
        let at = text.trim_end_matches(['+', '-']).parse().ok().filter(|&at| at <= LONGEST);
        let at = at.ok_or_else(|| NotationError::new("expected 0 to 5"))?;
        Ok(Token { at, turn, dark })
    }
}

impl<const P: bool, const D: bool, const I: bool> Solvable for Walk<P, D, I> {
    type Numberings = (scheme::Dense, Explored);
}

/// Checks the laws in the usual numbering.
fn check<G: Solvable + Notation>(game: &G, scope: Scope) -> Result<Report, LawError> {
    Laws::new(game).scope(scope).with_notation().check()
}

/// Checks the laws on the states that are discovered.
fn check_explored<G: Notation>(game: &G) -> Result<Report, LawError>
where
    Explored: Scheme<G>,
{
    Laws::new(game).with_notation().check_as::<Explored>()
}

/// The law that is broken, and the counterexample.
fn broken(result: Result<Report, LawError>) -> (Law, String) {
    match result {
        Err(LawError::Broken { law, counterexample }) => (law, counterexample),
        other => panic!("nothing was found broken: {other:?}"),
    }
}

#[test]
fn a_lawful_game_passes_and_everything_is_counted() {
    let report = |predecessors| Report { states: 12, moves: 18, predecessors };
    let fine = Fault::None;
    assert_eq!(check(&Walk::<true, false>(fine), Scope::All), Ok(report(18)));
    assert_eq!(check(&Walk::<true, true>(fine), Scope::All), Ok(report(18)));
    assert_eq!(check(&Walk::<true, false, true>(fine), Scope::All), Ok(report(18)));
    assert_eq!(check(&Walk::<false, true>(fine), Scope::All), Ok(report(0)));
    // From 5 with the first player to move, 5 and 4 are not reached with the second and the first.
    let report = check_explored(&Walk::<true, false>(fine)).unwrap();
    assert_eq!((report.states, report.moves), (10, 14));
}

/// Solving looks at a few states, and at all where there are no more.
#[test]
fn broken_promises_about_predecessors_and_degrees_are_noticed_when_solving() {
    let solve = |error: Result<_, SolveError>| match error {
        Err(SolveError::BrokenLaw { law, .. }) => law,
        other => panic!("{other:?}"),
    };
    let solved = Solver::new(&Walk::<true, false>(Fault::MissingPredecessor)).solve().map(|_| ());
    assert_eq!(solve(solved), Law::Predecessors);
    let solved = Walk::<true, false, true>(Fault::MissingPredecessorIndex);
    let solved = Solver::new(&solved).solve().map(|_| ());
    assert_eq!(solve(solved), Law::Predecessors);
    let solved = Solver::new(&Walk::<true, false>(Fault::WrongDegree)).solve().map(|_| ());
    assert_eq!(solve(solved), Law::Degree);
    let solved = Solver::new(&Walk::<true, true>(Fault::RepeatedMove)).solve().map(|_| ());
    assert_eq!(solve(solved), Law::Distinct);
}

#[test]
fn every_fault_of_a_dense_game_is_found_with_its_first_counterexample() {
    type Check = fn(Fault) -> Result<Report, LawError>;
    let given: Check = |fault| check(&Walk::<true, false>(fault), Scope::All);
    let without: Check = |fault| check(&Walk::<false, false>(fault), Scope::All);
    let distinct: Check = |fault| check(&Walk::<true, true>(fault), Scope::All);
    let by_index: Check = |fault| check(&Walk::<true, false, true>(fault), Scope::All);
    let shared = "share an index (by a symmetry, or because their indices collide)";
    let table: &[(Check, Fault, Law, &[&str])] = &[
        (
            given,
            Fault::MissingPredecessor,
            Law::Predecessors,
            &["4+ has a move to 2-, whose predecessors lack it"],
        ),
        (
            given,
            Fault::ExtraPredecessor,
            Law::Predecessors,
            &["4-d is given as a predecessor of 1+, but has no move to it"],
        ),
        (
            by_index,
            Fault::MissingPredecessorIndex,
            Law::Predecessors,
            &[
                "4-, with the other player to move, is a predecessor of 2+ (index 4) by `predecessors`",
            ],
        ),
        (
            by_index,
            Fault::ExtraPredecessorIndex,
            Law::Predecessors,
            &["4+, with the same player to move, is a predecessor of 1+", "not by `predecessors`"],
        ),
        (
            by_index,
            Fault::RepeatedPredecessorIndex,
            Law::Distinct,
            &["visits an index twice for 2+, and returns `Repeats::Never`"],
        ),
        (
            by_index,
            Fault::PredecessorIndexWithOtherTurn,
            Law::Predecessors,
            &["4-, with the other player to move, is a predecessor of 2+", "not by `predecessor_"],
        ),
        (
            by_index,
            Fault::PredecessorIndexBeyondTheEnd,
            Law::Index,
            &["a predecessor of 2+ has index 99 by `predecessor_indices`", "only 12 indices"],
        ),
        (
            without,
            Fault::UnannouncedPredecessors,
            Law::Predecessors,
            &["1-d is given as a predecessor of 0+", "`PREDECESSORS` is false: set it to true"],
        ),
        (
            given,
            Fault::CollidingIndex,
            Law::Index,
            &["`unindex` gives 5+ for index 10, but the index of 5+ is 8"],
        ),
        (
            given,
            Fault::IndexBeyondTheEnd,
            Law::Index,
            &["5-d has index 13, but there are only 12 indices"],
        ),
        (
            given,
            Fault::DisagreeingUnindex,
            Law::Index,
            &["`unindex` gives 3+ for index 8, but the index of 3+ is 6"],
        ),
        (
            given,
            Fault::UnusedIndex,
            Law::Index,
            &["4-d has index 9, for which `unindex` gives no state"],
        ),
        (
            without,
            Fault::StuckWithoutOutcome,
            Law::NoMoves,
            &["1+ is not terminal and has no legal move"],
        ),
        (
            without,
            Fault::SymmetryChangesOutcome,
            Law::Symmetry,
            &["0-d and 0-", shared, "outcomes differ"],
        ),
        (
            without,
            Fault::SymmetryChangesMoves,
            Law::Symmetry,
            &["3-d and 3-", shared, "moves do not lead to the same"],
        ),
        (
            given,
            Fault::WrongDegree,
            Law::Degree,
            &["4+ has 2 distinct successors, and `degree` says 3"],
        ),
        (
            given,
            Fault::WrongPass,
            Law::Index,
            &["`states` and `unindex` differ on the indices from 5 to 8"],
        ),
        (given, Fault::SharedNotation, Law::Notation, &["\"4+\", which reads back as another"]),
        (given, Fault::UnreadableNotation, Law::Notation, &["\"55+\"", "expected 0 to 5"]),
        (distinct, Fault::RepeatedMove, Law::Distinct, &["4+ has 3- twice among its moves"]),
        (
            distinct,
            Fault::RepeatedPredecessor,
            Law::Distinct,
            &["3+ has 4- twice among its predecessors"],
        ),
    ];
    for &(check, fault, expected, parts) in table {
        let (law, counterexample) = broken(check(fault));
        assert_eq!(law, expected, "{fault:?}: {counterexample}");
        for part in parts {
            assert!(counterexample.contains(part), "{fault:?}: {counterexample}");
        }
    }
}

#[test]
fn every_fault_of_an_explored_game_is_found() {
    let table = [
        (Fault::MissingPredecessor, Law::Predecessors, "whose predecessors lack it"),
        (Fault::ExtraPredecessor, Law::Predecessors, "has no move to it"),
        (Fault::SymmetryChangesOutcome, Law::Symmetry, "outcomes differ"),
        (Fault::SymmetryExchangesUnequalColours, Law::Symmetry, "endless play is a win"),
        (Fault::SymmetryWithoutEnd, Law::Symmetry, "but not as its own"),
    ];
    for (fault, expected, part) in table {
        let (law, counterexample) = broken(check_explored(&Walk::<true, false>(fault)));
        assert_eq!(law, expected, "{fault:?}: {counterexample}");
        assert!(counterexample.contains(part), "{fault:?}: {counterexample}");
    }
    for (fault, expected) in
        [(Fault::StuckWithoutOutcome, Law::NoMoves), (Fault::SymmetryChangesMoves, Law::Symmetry)]
    {
        let result = check_explored(&Walk::<false, false>(fault));
        assert_eq!(broken(result).0, expected);
    }
}

/// A token on a row of five squares: whoever brings it to the left end wins, and at the right end
/// play is a draw, although the two halves of the row are folded into one. No state that stands for
/// others has a move to the right end.
struct Row;

impl Game for Row {
    type State = (u8, Player);

    fn turn(&self, &(_, turn): &Self::State) -> Player {
        turn
    }

    fn terminal(&self, &(at, turn): &Self::State) -> Option<Outcome> {
        match at {
            0 => Some(Outcome::Win(turn.opponent())),
            4 => Some(Outcome::Draw),
            _ => None,
        }
    }

    fn moves(&self, &(at, turn): &Self::State, mut visit: impl FnMut(Self::State)) {
        visit((at - 1, turn.opponent()));
        visit((at + 1, turn.opponent()));
    }

    fn roots(&self) -> Vec<Self::State> {
        vec![(2, Player::First)]
    }

    fn canonical(&self, &(at, turn): &Self::State) -> Self::State {
        (at.min(4 - at), turn)
    }
}

impl Indexed for Row {
    fn len(&self) -> u64 {
        6
    }

    fn index(&self, state: &Self::State) -> u64 {
        let (at, turn) = self.canonical(state);
        2 * u64::from(at) + turn.index() as u64
    }

    fn unindex(&self, index: u64) -> Option<Self::State> {
        Some(((index / 2) as u8, Player::BOTH[(index % 2) as usize]))
    }
}

impl Solvable for Row {
    type Numberings = scheme::Dense;
}

impl Notation for Row {
    fn write_state(&self, (at, turn): &Self::State) -> String {
        format!("{at}{}", self.player(*turn))
    }

    fn parse_state(&self, text: &str) -> Result<Self::State, NotationError> {
        let (at, turn) = text.split_at(1);
        let turn = Player::BOTH[usize::from(turn == "second")];
        at.parse().map(|at| (at, turn)).map_err(|_| NotationError::new("expected a digit"))
    }
}

#[test]
fn a_symmetry_that_breaks_where_folded_play_never_comes_is_found() {
    for result in [check(&Row, Scope::All), check_explored(&Row)] {
        let (law, counterexample) = broken(result);
        assert_eq!(law, Law::Symmetry);
        assert!(counterexample.starts_with("4"), "{counterexample}");
    }
}

#[test]
fn a_sample_finds_a_fault_too_and_the_same_seed_draws_the_same() {
    let sample =
        |fault, states, seed| check(&Walk::<true, false>(fault), Scope::Sample { states, seed });
    assert_eq!(broken(sample(Fault::MissingPredecessor, 500, 1)).0, Law::Predecessors);
    let report = sample(Fault::None, 500, 1).unwrap();
    assert_eq!(report.states, 500);
    assert_eq!(sample(Fault::None, 500, 1), Ok(report));
    assert_ne!(sample(Fault::None, 500, 2), Ok(report));
}

#[test]
fn a_broken_law_is_told_with_its_counterexample() {
    let walk = Walk::<true, false>(Fault::MissingPredecessor);
    let error = check(&walk, Scope::All).unwrap_err();
    assert_eq!(
        error.to_string(),
        "broken law: a state is a predecessor of exactly its successors\n\
         4+ has a move to 2-, whose predecessors lack it"
    );
}

#[test]
fn without_a_notation_states_are_written_for_programmers() {
    let error = laws::check(&Walk::<true, false>(Fault::MissingPredecessor), Scope::All);
    let (law, counterexample) = broken(error);
    assert_eq!(law, Law::Predecessors);
    assert_eq!(
        counterexample,
        "Token { at: 4, turn: First, dark: false } has a move to \
         Token { at: 2, turn: Second, dark: false }, whose predecessors lack it"
    );
    // A notation that is not used is not checked.
    assert!(laws::check(&Walk::<true, false>(Fault::SharedNotation), Scope::All).is_ok());
}
