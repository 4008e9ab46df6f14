//! The slips of authors that the guide lists, and which commands notice each.

use retrograde::laws::Laws;
use retrograde::scheme::{Dense, Hashed, Packed, Scheme};
use retrograde::{
    Game, Indexed, Notation, NotationError, Numbered, Outcome, PackedState, Player, Players,
    SolveError, Solver, Stored, Table,
};
use serde::{Deserialize, Serialize};

use super::GUIDE;

const SQUARES: u8 = 9;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slip {
    NoRoots,
    RootBeyondTheBoard,
    RootBeyondTheNumbering,
    PredecessorMissing,
    PredecessorTooMany,
    WrongIndex,
    ForgottenTurn,
    WronglyFolded,
    TurnNeverChanges,
    UnusedIndex,
    PackingLosesBits,
    EndlessWinOfNobody,
    CountsPlies,
    FormulaChanged,
    MoveForgotten,
}

/// A hunter and its prey on a row of squares, who step in turn. The hunter wins if it catches the
/// prey, and the prey if it reaches the last square.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Chase<const BACK: bool = false, const FOLDED: bool = false> {
    #[serde(skip)]
    slip: Option<Slip>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Position {
    hunter: u8,
    prey: u8,
    turn: Player,
    plies: u32,
}

impl<const BACK: bool, const FOLDED: bool> Chase<BACK, FOLDED> {
    fn has(&self, slip: Slip) -> bool {
        self.slip == Some(slip)
    }

    /// The squares beside a square.
    fn beside(square: u8) -> impl Iterator<Item = u8> {
        [square.wrapping_sub(1), square + 1].into_iter().filter(|&square| square < SQUARES)
    }
}

impl<const BACK: bool, const FOLDED: bool> Game for Chase<BACK, FOLDED> {
    type State = Position;
    const PREDECESSORS: bool = BACK;
    const PLAYERS: Players = if FOLDED { Players::Folded } else { Players::Distinct };

    fn turn(&self, position: &Position) -> Player {
        if self.has(Slip::TurnNeverChanges) { Player::First } else { position.turn }
    }

    fn terminal(&self, position: &Position) -> Option<Outcome> {
        if position.hunter == position.prey {
            return Some(Outcome::Win(Player::First));
        }
        (position.prey == SQUARES - 1).then_some(Outcome::Win(Player::Second))
    }

    fn moves(&self, at: &Position, mut visit: impl FnMut(Position)) {
        let plies = at.plies + u32::from(self.has(Slip::CountsPlies));
        let next = Position { turn: at.turn.opponent(), plies, ..*at };
        match at.turn {
            Player::First => {
                Self::beside(at.hunter).for_each(|hunter| visit(Position { hunter, ..next }));
            }
            // This slip forgets the steps to the last squares.
            Player::Second => Self::beside(at.prey)
                .filter(|&prey| prey < 6 || prey < at.prey || !self.has(Slip::MoveForgotten))
                .for_each(|prey| visit(Position { prey, ..next })),
        }
    }

    fn predecessors(&self, at: &Position, mut visit: impl FnMut(Position)) {
        if !BACK {
            return;
        }
        let before = Position { turn: at.turn.opponent(), ..*at };
        match before.turn {
            Player::First => Self::beside(at.hunter)
                .filter(|&hunter| hunter < at.hunter || !self.has(Slip::PredecessorMissing))
                .for_each(|hunter| visit(Position { hunter, ..before })),
            Player::Second => {
                Self::beside(at.prey).for_each(|prey| visit(Position { prey, ..before }));
                if self.has(Slip::PredecessorTooMany) && at.prey >= 2 {
                    visit(Position { prey: at.prey - 2, ..before });
                }
            }
        }
    }

    fn endless(&self) -> Outcome {
        if self.has(Slip::EndlessWinOfNobody) { Outcome::MoverWins } else { Outcome::Draw }
    }

    fn roots(&self) -> impl IntoIterator<Item = Position> {
        let (hunter, prey) = match self.slip {
            Some(Slip::NoRoots) => return Vec::new(),
            // By the formula, its index is that of a position on the next row.
            Some(Slip::RootBeyondTheBoard) => (4, SQUARES),
            Some(Slip::RootBeyondTheNumbering) => (2 * SQUARES, 4),
            _ => (0, 4),
        };
        vec![Position { hunter, prey, turn: Player::First, plies: 0 }]
    }
}

impl<const BACK: bool, const FOLDED: bool> Indexed for Chase<BACK, FOLDED> {
    fn len(&self) -> u64 {
        let squares = u64::from(SQUARES).pow(2);
        if self.has(Slip::ForgottenTurn) || self.has(Slip::WronglyFolded) {
            squares
        } else {
            2 * squares
        }
    }

    fn index(&self, at: &Position) -> u64 {
        let (hunter, prey, squares) =
            (u64::from(at.hunter), u64::from(at.prey), u64::from(SQUARES));
        let [major, minor] =
            if self.has(Slip::FormulaChanged) { [prey, hunter] } else { [hunter, prey] };
        let index = major * squares + minor;
        match self.slip {
            Some(Slip::ForgottenTurn | Slip::WronglyFolded) => index,
            Some(Slip::WrongIndex) => (2 * index + at.turn.index() as u64) ^ 1,
            _ => 2 * index + at.turn.index() as u64,
        }
    }

    fn unindex(&self, index: u64) -> Option<Position> {
        let (index, turn) = match self.slip {
            Some(Slip::ForgottenTurn | Slip::WronglyFolded) => (index, 0),
            _ => (index / 2, index % 2),
        };
        let [major, minor] = [index / u64::from(SQUARES), index % u64::from(SQUARES)];
        let [hunter, prey] =
            if self.has(Slip::FormulaChanged) { [minor, major] } else { [major, minor] };
        let turn = Player::BOTH[turn as usize];
        let position = Position { hunter: hunter as u8, prey: prey as u8, turn, plies: 0 };
        (!(self.has(Slip::UnusedIndex) && position.hunter == 3)).then_some(position)
    }
}

impl PackedState for Chase {
    type Word = u64;

    fn pack(&self, at: &Position) -> u64 {
        let hunter = if self.has(Slip::PackingLosesBits) { at.hunter & 0b11 } else { at.hunter };
        u64::from(hunter) << 16 | u64::from(at.prey) << 8 | at.turn.index() as u64
    }

    fn unpack(&self, packed: u64) -> Position {
        let byte = |at: u32| (packed >> at) as u8;
        let turn = Player::BOTH[usize::from(byte(0) & 1)];
        Position { hunter: byte(16), prey: byte(8), turn, plies: 0 }
    }
}

impl<const BACK: bool, const FOLDED: bool> Notation for Chase<BACK, FOLDED> {
    fn write_state(&self, at: &Position) -> String {
        let counted = if at.plies == 0 { String::new() } else { format!(",{}", at.plies) };
        format!("{},{},{}{counted}", at.hunter, at.prey, ["hunter", "prey"][at.turn.index()])
    }

    fn parse_state(&self, text: &str) -> Result<Position, NotationError> {
        let parts: Vec<&str> = text.split(',').collect();
        let number = |at: usize| parts.get(at).and_then(|part| part.parse().ok());
        let turn = if parts.get(2) == Some(&"prey") { Player::Second } else { Player::First };
        match (number(0), number(1)) {
            (Some(hunter), Some(prey)) => Ok(Position { hunter, prey, turn, plies: 0 }),
            _ => Err(NotationError::new("expected two squares and who is to move")),
        }
    }
}

impl<const BACK: bool, const FOLDED: bool> Numbered for Chase<BACK, FOLDED> {
    type Numberings = (Dense, Hashed);
}

impl<const BACK: bool, const FOLDED: bool> Stored for Chase<BACK, FOLDED> {
    const NAME: &'static str = "chase";

    fn state_text(&self, at: &Position) -> String {
        self.write_state(at)
    }
}

/// The messages of `laws`, `solve` and `verify` about a slip, or `None` if they notice none.
/// `verify` checks the table of the game without the slip.
fn said<S, const BACK: bool, const FOLDED: bool>(slip: Slip) -> [Option<String>; 3]
where
    S: Scheme<Chase<BACK, FOLDED>> + Scheme<Chase<BACK, false>>,
{
    const MOST: u64 = 100_000;
    let game = Chase::<BACK, FOLDED> { slip: Some(slip) };
    let laws = Laws::new(&game).notation().max_states(MOST).check_as::<S>();
    let solved = Solver::new(&game).notation().max_states(MOST).solve_as::<S>();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chase.rtb");
    let right = Chase::<BACK, false> { slip: None };
    Solver::new(&right).solve_as::<S>().unwrap().save(&path).unwrap();
    let verified = Table::open(&path).and_then(|table| table.verifier(&game).notation().verify());
    [
        laws.err().map(|error| error.to_string()),
        solved.err().map(|error| error.to_string()),
        verified.err().map(|error| error.to_string()),
    ]
}

#[test]
fn the_guide_says_who_notices_each_slip() {
    if kit::PLAIN {
        return;
    }
    use Slip::*;
    // A message of solving names the law, and a position in the game's notation.
    let rows = [
        ("there are no roots", said::<Dense, false, false>(NoRoots), "returns none"),
        (
            "a root is not the state that its index stands for",
            said::<Dense, false, false>(RootBeyondTheBoard),
            "share an index",
        ),
        (
            "a root has an index beyond the last",
            said::<Dense, false, false>(RootBeyondTheNumbering),
            "18,4,hunter",
        ),
        (
            "`predecessors` leaves one out",
            said::<Dense, true, false>(PredecessorMissing),
            "whose predecessors lack it",
        ),
        (
            "`predecessors` visits a state that has no such move",
            said::<Dense, true, false>(PredecessorTooMany),
            "has no move to it",
        ),
        (
            "`index` and `unindex` are not inverse",
            said::<Dense, false, false>(WrongIndex),
            "but the index of ",
        ),
        (
            "`index` forgets a part of the state, such as the turn",
            said::<Dense, false, false>(ForgottenTurn),
            "different players are to move",
        ),
        (
            "`Players::Folded` where the players are not alike",
            said::<Dense, false, true>(WronglyFolded),
            "share an index",
        ),
        (
            "`turn` never changes, without `Players::Solitary`",
            said::<Hashed, false, false>(TurnNeverChanges),
            "`Players::Solitary`",
        ),
        (
            "`unindex` gives `None` for a state of the game",
            said::<Dense, false, false>(UnusedIndex),
            "for which `unindex` gives no state",
        ),
        ("`pack` loses a part of the state", said::<Packed, false, false>(PackingLosesBits), "4,"),
        (
            "`endless` is won by nobody who is named",
            said::<Dense, false, false>(EndlessWinOfNobody),
            "`Game::endless`",
        ),
        (
            "the state counts plies, so that there is no end of states",
            said::<Hashed, false, false>(CountsPlies),
            "play repeats except for growth in `plies`",
        ),
        (
            "the formula was changed after the table was written",
            said::<Dense, false, false>(FormulaChanged),
            "",
        ),
        (
            "a rule is wrong in the same way everywhere: a move that nobody lists",
            said::<Hashed, false, false>(MoveForgotten),
            "",
        ),
    ];
    for (slip, said, expected) in rows {
        let [laws, solve, verify] = said.each_ref().map(|said| match said {
            Some(_) => "yes",
            None => "no",
        });
        let row = format!("| {slip} | {laws} | {solve} | {verify} |");
        assert!(GUIDE.contains(&row), "the guide lacks this row:\n{row}\n{said:#?}");
        if let Some(solve) = &said[1] {
            assert!(solve.contains(expected), "{slip}: {solve}");
            assert!(!solve.contains("Position {"), "{slip}: {solve}");
        }
    }
}

#[test]
fn the_error_of_a_slip_says_what_to_do_next() {
    if kit::PLAIN {
        return;
    }
    let game = Chase::<true> { slip: Some(Slip::PredecessorTooMany) };
    let error = Solver::new(&game).notation().solve_as::<Dense>().unwrap_err();
    assert!(matches!(error, SolveError::BrokenLaw(_)), "{error}");
    assert!(error.to_string().contains("`retrograde laws GAME`"), "{error}");
}
