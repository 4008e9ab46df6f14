//! Tables in files: what is written is read again, and nothing else is taken for it.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;

use retrograde::{
    Destination, Game, Indexed, Notation, NotationError, Outcome, Player, Progress, Query,
    QueryError, Solver, Stored, TableError, Tablebase, Value,
};
use serde::{Deserialize, Serialize};

/// A token on a ring of `size` places moves one or two places on or stays; at place 0 play is over.
/// `rules` can lie to the solver, and no file tells.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Ring {
    size: u16,
    #[serde(skip)]
    rules: Rules,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Rules {
    #[default]
    True,
    OtherOutcome,
    DrawnEnd,
    NoSecondMove,
    NeverEnding,
}

/// Where the token is, in as many letters as the place has digits, and who is to move: encoded, no
/// two lengths alike.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
struct Place {
    at: String,
    turn: Player,
}

impl Ring {
    fn new(size: u16) -> Ring {
        Ring { size, rules: Rules::True }
    }

    fn lying(&self, rules: Rules) -> Ring {
        Ring { rules, ..self.clone() }
    }

    fn place(at: u16, turn: Player) -> Place {
        Place { at: at.to_string(), turn }
    }

    fn number(place: &Place) -> u16 {
        place.at.parse().expect("a place is a number")
    }
}

impl Game for Ring {
    type State = Place;

    fn turn(&self, place: &Place) -> Player {
        place.turn
    }

    fn terminal(&self, place: &Place) -> Option<Outcome> {
        let mover = place.turn;
        match (Ring::number(place), self.rules) {
            (0, Rules::NeverEnding) if mover == Player::First => None,
            (0, Rules::DrawnEnd) if mover == Player::First => Some(Outcome::Draw),
            (0, Rules::OtherOutcome) => Some(Outcome::Win(mover)),
            (0, _) => Some(Outcome::Win(mover.opponent())),
            // A place from where a draw can be had.
            (7, _) => Some(Outcome::Draw),
            _ => None,
        }
    }

    fn moves(&self, place: &Place, mut visit: impl FnMut(Place)) {
        let (at, next) = (Ring::number(place), place.turn.opponent());
        let steps: &[u16] = match (self.rules, at) {
            (Rules::NoSecondMove, _) => &[1],
            (_, at) if at % 5 == 0 => &[0, 1],
            _ => &[1, 2],
        };
        steps.iter().for_each(|step| visit(Ring::place((at + step) % self.size, next)));
    }

    fn roots(&self) -> Vec<Place> {
        vec![Ring::place(1, Player::First), Ring::place(8 % self.size, Player::First)]
    }
}

impl Indexed for Ring {
    fn len(&self) -> u64 {
        2 * u64::from(self.size)
    }

    fn index(&self, place: &Place) -> u64 {
        2 * u64::from(Ring::number(place)) + place.turn.index() as u64
    }

    fn unindex(&self, index: u64) -> Option<Place> {
        Some(Ring::place((index / 2) as u16, Player::BOTH[(index % 2) as usize]))
    }
}

impl Notation for Ring {
    fn write_state(&self, place: &Place) -> String {
        format!("{}{}", place.at, ["+", "-"][place.turn.index()])
    }

    fn parse_state(&self, _: &str) -> Result<Place, NotationError> {
        Err(NotationError::new("not needed here"))
    }
}

impl Stored for Ring {
    const NAME: &'static str = "ring";
}

fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The bytes of the dense and of the explored table.
fn tables(ring: &Ring) -> [Vec<u8>; 2] {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ring.rtb");
    let written = Solver::new(ring).dense().unwrap().save(&path).unwrap();
    let dense = fs::read(&path).unwrap();
    assert_eq!(written, dense.len() as u64);
    // What is there is replaced.
    Solver::new(ring).explored().unwrap().save(&path).unwrap();
    let explored = fs::read(&path).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    [dense, explored]
}

fn verify(ring: &Ring, bytes: Vec<u8>) -> Result<(), TableError> {
    let table = Tablebase::from_storage(bytes)?;
    match table.header().numbering {
        retrograde::NumberingKind::Dense => table.verify_dense(ring, &mut go_on),
        retrograde::NumberingKind::Explored => table.verify_explored(ring, &mut go_on),
    }
}

/// What a table answers about every state of the ring; nothing about those that it lacks.
fn answers(ring: &Ring, bytes: Vec<u8>) -> Result<BTreeMap<Place, Value>, TableError> {
    let table = Tablebase::from_storage(bytes)?;
    let mut answers = BTreeMap::new();
    for place in (0..ring.len()).filter_map(|index| ring.unindex(index)) {
        let found = match table.header().numbering {
            retrograde::NumberingKind::Dense => table.dense(ring)?.find(&place),
            retrograde::NumberingKind::Explored => table.explored(ring)?.find(&place),
        };
        match found {
            Ok((_, value)) => drop(answers.insert(place, value)),
            Err(QueryError::NotInTable { .. }) => {}
            Err(QueryError::Table(error)) => return Err(error),
            Err(error) => panic!("{error}"),
        }
    }
    Ok(answers)
}

#[test]
fn a_table_of_several_blocks_answers_like_the_solution() {
    let ring = Ring::new(30_011);
    let [dense, explored] = tables(&ring);
    let solution = Solver::new(&ring).dense().unwrap();
    let answered = answers(&ring, dense.clone()).unwrap();
    assert_eq!(answered.len(), 60_022);
    for (place, value) in &answered {
        assert_eq!(solution.value(place).unwrap(), *value);
    }
    let solution = Solver::new(&ring).explored().unwrap();
    let answered = answers(&ring, explored.clone()).unwrap();
    assert_eq!(answered.len() as u64, solution.summary().states());
    for (place, value) in &answered {
        assert_eq!(solution.value(place).unwrap(), *value);
    }
    verify(&ring, dense).unwrap();
    verify(&ring, explored).unwrap();
}

#[test]
fn a_header_tells_what_the_table_is() {
    let ring = Ring::new(19);
    let [dense, _] = tables(&ring);
    let table = Tablebase::from_storage(dense.clone()).unwrap();
    let header = table.header();
    assert_eq!((header.game.as_str(), header.parameters.as_str()), ("ring", r#"{"size":19}"#));
    assert_eq!((header.len, header.summary.states()), (38, 38));
    assert_eq!(&header.summary, Solver::new(&ring).dense().unwrap().summary());
    assert_eq!(table.file_length(), dense.len() as u64);
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    for bytes in tables(&Ring::new(19)) {
        for length in 0..bytes.len() {
            match Tablebase::from_storage(bytes[..length].to_vec()) {
                Err(TableError::Truncated { expected, found }) => {
                    assert!(expected > found && found == length as u64);
                }
                other => panic!("cut to {length}: {other:?}"),
            }
        }
        let longer = [&bytes[..], b"!"].concat();
        assert!(matches!(Tablebase::from_storage(longer), Err(TableError::Overlong { .. })));
    }
}

#[test]
fn a_file_with_any_byte_changed_is_refused_and_never_gives_a_wrong_answer() {
    let ring = Ring::new(19);
    for bytes in tables(&ring) {
        let right = answers(&ring, bytes.clone()).unwrap();
        for at in 0..bytes.len() {
            for change in [0x01, 0x80, 0xFF, at as u8 | 0x10] {
                let mut damaged = bytes.clone();
                damaged[at] ^= change;
                let error = verify(&ring, damaged.clone()).expect_err("damaged");
                match at {
                    0..8 => assert!(matches!(error, TableError::NotATablebase), "{at}: {error}"),
                    8..12 => assert!(
                        matches!(
                            error,
                            TableError::NewerVersion { .. } | TableError::Damaged { .. }
                        ),
                        "{at}: {error}"
                    ),
                    _ => assert!(matches!(error, TableError::Damaged { .. }), "{at}: {error}"),
                }
                if let Ok(answers) = answers(&ring, damaged) {
                    assert_eq!(answers, right, "byte {at}");
                }
            }
        }
    }
}

#[test]
fn a_table_is_opened_only_for_its_own_game_and_numbering() {
    let ring = Ring::new(19);
    let [dense, explored] = tables(&ring).map(|bytes| Tablebase::from_storage(bytes).unwrap());
    assert!(dense.dense(&ring).is_ok() && explored.explored(&ring).is_ok());
    assert!(matches!(dense.explored(&ring), Err(TableError::OtherNumbering { .. })));
    assert!(matches!(explored.dense(&ring), Err(TableError::OtherNumbering { .. })));
    let error = dense.dense(&Ring::new(20)).expect_err("another ring").to_string();
    assert!(error.contains(r#"ring {"size":19}"#) && error.contains(r#"ring {"size":20}"#));
}

/// Tables that are intact and wrong: those of another game of the same name and size.
#[test]
fn wrong_values_with_right_checksums_are_found_by_verifying() {
    let ring = Ring::new(19);
    for rules in [Rules::OtherOutcome, Rules::DrawnEnd, Rules::NoSecondMove, Rules::NeverEnding] {
        for bytes in tables(&ring.lying(rules)) {
            assert_ne!(answers(&ring, bytes.clone()).unwrap(), BTreeMap::new());
            match verify(&ring, bytes).expect_err("a lie") {
                TableError::WrongValue { state, stored, expected } => {
                    assert!(state.ends_with(['+', '-']) && stored != expected);
                }
                // An explored table of other moves can lack states.
                TableError::Malformed { problem, .. } => {
                    assert!(rules == Rules::NoSecondMove && problem.contains("has a move"));
                }
                error => panic!("{rules:?}: {error}"),
            }
        }
    }
}

#[test]
fn a_destination_keeps_what_was_there_until_the_table_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ring.rtb");
    fs::write(&path, "before").unwrap();
    drop(Destination::create(&path).unwrap());
    let ring = Ring::new(19);
    let destination = Destination::create(&path).unwrap();
    let interrupted =
        Solver::new(&ring).dense().unwrap().save_to(destination, &mut |_| ControlFlow::Break(()));
    assert!(matches!(interrupted, Err(TableError::Interrupted)));
    assert_eq!(fs::read(&path).unwrap(), b"before");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");

    assert!(matches!(Destination::create(folder.path()), Err(TableError::NotAFile)));
    let nowhere = folder.path().join("nowhere").join("ring.rtb");
    assert!(matches!(Destination::create(nowhere), Err(TableError::Io { .. })));
}

#[cfg(unix)]
#[test]
fn a_destination_that_is_a_link_stays_one() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (target, link) = (folder.path().join("target.rtb"), folder.path().join("link.rtb"));
    fs::write(&target, "before").unwrap();
    symlink(&target, &link).unwrap();
    let ring = Ring::new(19);
    Solver::new(&ring).dense().unwrap().save(&link).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(Tablebase::open(&target).unwrap().dense(&ring).is_ok());
    // Readable by all that the mask lets, as other files are.
    let other = folder.path().join("other");
    fs::write(&other, "").unwrap();
    let mode = |path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&target), mode(&other));
}

#[test]
fn a_file_that_shrinks_while_it_is_open_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ring.rtb");
    let ring = Ring::new(19);
    Solver::new(&ring).dense().unwrap().save(&path).unwrap();
    let table = Tablebase::open(&path).unwrap();
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(100).unwrap();
    let place = ring.roots().remove(0);
    let error = table.dense(&ring).unwrap().value(&place).expect_err("cut off");
    assert!(matches!(error, QueryError::Table(TableError::Io { .. })));
}
