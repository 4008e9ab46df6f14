//! Games in tiers: what is refused, what is found wrong, and that threads make no difference.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use retrograde::laws::{self, Law, LawError, Scope};
use retrograde::{
    FolderError, Game, Indexed, Notation, NotationError, Outcome, Player, Progress, Query,
    QueryError, SolveError, Solver, Stored, TableError, Tier, TierFolder, TierIndexed, Tiered,
    Value, VisitSuccessors,
};
use serde::{Deserialize, Serialize};

/// A token walks down a track by one or two, or for the first player up by one as long as it stays
/// in its stretch of four; whoever has to move it at the end has lost. Each stretch is a tier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Track {
    length: u8,
    #[serde(skip)]
    fault: Fault,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Fault {
    #[default]
    None,
    UnannouncedTier,
    TierBeforeItsTime,
    SharedName,
    MissingLeaving,
    WrongStaying,
    MissingSuccessor,
    InventedSuccessor,
    WrongTurn,
    /// Another run or player is asked about than the one passed over, or nothing.
    OtherRun,
    OtherTurn,
    OthersUnasked,
    /// No fault to notice, but other rules than the game pretends to have.
    OtherRules,
}

type Token = (u8, Player);

const STRETCH: u8 = 4;

impl Game for Track {
    type State = Token;

    fn turn(&self, &(_, turn): &Token) -> Player {
        turn
    }

    fn terminal(&self, &(at, turn): &Token) -> Option<Outcome> {
        let outcome = match self.fault {
            Fault::OtherRules => Outcome::Draw,
            _ => Outcome::Win(turn.opponent()),
        };
        (at == 0).then_some(outcome)
    }

    fn moves(&self, &(at, turn): &Token, mut visit: impl FnMut(Token)) {
        for down in [1, 2] {
            if let Some(lower) = at.checked_sub(down) {
                visit((lower, turn.opponent()));
            }
        }
        if turn == Player::First && (at + 1) % STRETCH != 0 && at + 1 < self.length {
            visit((at + 1, turn.opponent()));
        }
    }

    fn roots(&self) -> Vec<Token> {
        vec![(self.length - 1, Player::First)]
    }
}

impl Tiered for Track {
    fn tiers(&self) -> Vec<Tier> {
        let mut tiers: Vec<Tier> = (0..usize::from(self.length.div_ceil(STRETCH)))
            .map(|tier| Tier {
                name: format!("stretch-{tier}"),
                leads_to: tier.checked_sub(1).into_iter().collect(),
            })
            .collect();
        match self.fault {
            Fault::UnannouncedTier => tiers[2].leads_to = vec![0],
            Fault::TierBeforeItsTime => tiers[1].leads_to.push(2),
            Fault::SharedName => tiers[2].name = "stretch-0".into(),
            _ => {}
        }
        tiers
    }

    fn tier(&self, &(at, _): &Token) -> usize {
        usize::from(at / STRETCH)
    }

    fn leaving(&self, tier: usize, state: &Token, mut visit: impl FnMut(Token)) {
        self.moves(state, |next| {
            let missing = self.fault == Fault::MissingLeaving && state.0 == 5;
            if self.tier(&next) != tier && !missing {
                visit(next);
            }
        });
    }

    fn staying(&self, tier: usize, state: &Token) -> Option<u64> {
        let mut staying = u64::from(self.fault == Fault::WrongStaying && state.0 == 6);
        self.moves(state, |next| staying += u64::from(self.tier(&next) == tier));
        Some(staying)
    }
}

impl TierIndexed for Track {
    fn tier_len(&self, tier: usize) -> u64 {
        let begin = tier as u8 * STRETCH;
        2 * u64::from(STRETCH.min(self.length - begin))
    }

    fn tier_index(&self, _: usize, &(at, turn): &Token) -> u64 {
        2 * u64::from(at % STRETCH) + turn.index() as u64
    }

    fn tier_unindex(&self, tier: usize, index: u64) -> Option<Token> {
        let at = tier as u8 * STRETCH + (index / 2) as u8;
        Some((at, Player::BOTH[(index % 2) as usize]))
    }

    fn run(&self, _: usize) -> u64 {
        2
    }

    fn successors(&self, tier: usize, state: &Token, visitor: &mut impl VisitSuccessors<Token>) {
        let there = if self.fault == Fault::OthersUnasked { 5 } else { 6 };
        let fault = if state.0 == there { self.fault } else { Fault::None };
        let turn = state.1.opponent();
        let others = fault != Fault::OthersUnasked && visitor.others_matter();
        self.moves(state, |next| {
            let index = self.tier_index(tier, &next);
            match self.tier(&next) == tier {
                true if fault == Fault::MissingSuccessor => {}
                true if fault == Fault::OtherRun && !visitor.run_matters(index ^ 4, turn) => {}
                true if fault == Fault::OtherTurn
                    && !visitor.run_matters(index, turn.opponent()) => {}
                true if fault == Fault::None && !visitor.run_matters(index ^ 1, turn) => {}
                true if fault == Fault::WrongTurn => visitor.stay(index, turn.opponent()),
                true => visitor.stay(index, turn),
                false if others => visitor.leave(next),
                false => {}
            }
        });
        if fault == Fault::InventedSuccessor {
            visitor.leave(*state);
        }
    }
}

/// The same without tiers.
impl Indexed for Track {
    fn len(&self) -> u64 {
        2 * u64::from(self.length)
    }

    fn index(&self, &(at, turn): &Token) -> u64 {
        2 * u64::from(at) + turn.index() as u64
    }

    fn unindex(&self, index: u64) -> Option<Token> {
        Some(((index / 2) as u8, Player::BOTH[(index % 2) as usize]))
    }
}

impl Notation for Track {
    fn write_state(&self, (at, turn): &Token) -> String {
        format!("{at} {}", self.player(*turn))
    }

    fn parse_state(&self, text: &str) -> Result<Token, NotationError> {
        let wrong = || NotationError::new(format!("\"{text}\": expected a number and a player"));
        let (at, player) = text.split_once(' ').ok_or_else(wrong)?;
        let turn = Player::BOTH.into_iter().find(|turn| self.player(*turn) == player);
        Ok((at.parse().map_err(|_| wrong())?, turn.ok_or_else(wrong)?))
    }
}

impl Stored for Track {
    const NAME: &'static str = "track";
}

fn track(fault: Fault) -> Track {
    Track { length: 15, fault }
}

fn unheard(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn tiers_and_one_numbering_agree() {
    let game = track(Fault::None);
    let (tiers, dense) =
        (Solver::new(&game).tiered().unwrap(), Solver::new(&game).dense().unwrap());
    for state in (0..game.len()).filter_map(|index| game.unindex(index)) {
        assert_eq!(tiers.value(&state).unwrap(), dense.value(&state).unwrap(), "{state:?}");
    }
    assert_eq!(tiers.value(&(0, Player::First)).unwrap(), Value::Loss(0));
    assert_eq!(tiers.tiers().len(), 4);
}

#[test]
fn broken_tiers_break_the_law_of_tiers() {
    laws::check_tiers(&track(Fault::None), Scope::All).unwrap();
    let cases = [
        (Fault::UnannouncedTier, "8 first, in tier stretch-2, has a move to 7 second"),
        (Fault::TierBeforeItsTime, "tier stretch-1, number 1, leads to number 2"),
        (Fault::SharedName, "two tiers are called stretch-0"),
        (Fault::MissingLeaving, "5 first has 1 distinct successors outside its tier"),
    ];
    for (fault, text) in cases {
        let error = laws::check_tiers(&track(fault), Scope::All).unwrap_err();
        let LawError::Broken { law, ref counterexample } = error else { panic!("{error}") };
        assert_eq!(law, Law::Tiers, "{fault:?}");
        assert!(counterexample.starts_with(text), "{counterexample}");
    }
    let error = laws::check_tiers(&track(Fault::WrongStaying), Scope::All).unwrap_err();
    assert!(matches!(error, LawError::Broken { law: Law::Degree, .. }), "{error}");
    for (fault, text) in [
        (Fault::MissingSuccessor, "does not tell all moves: one that stays in tier number 1"),
        (Fault::InventedSuccessor, "tells more than the moves: one that leaves tier number 1"),
        (Fault::WrongTurn, "tells more than the moves: one that stays in tier number 1"),
        (Fault::OtherRun, "does not tell all moves: one that stays in tier number 1"),
        (Fault::OtherTurn, "does not tell all moves: one that stays in tier number 1"),
        (Fault::OthersUnasked, "does not tell all moves: one that leaves tier number 1"),
    ] {
        let error = laws::check_tiers(&track(fault), Scope::All).unwrap_err();
        let LawError::Broken { law, ref counterexample } = error else { panic!("{error}") };
        assert_eq!(law, Law::Successors, "{fault:?}");
        assert!(counterexample.contains(text), "{counterexample}");
    }
}

#[test]
fn tiers_that_can_not_be_solved_in_order_are_refused() {
    let error = Solver::new(&track(Fault::TierBeforeItsTime)).tiered().unwrap_err();
    assert!(matches!(error, SolveError::TierOrder { .. }), "{error}");
    let error = Solver::new(&track(Fault::UnannouncedTier)).tiered().unwrap_err();
    let SolveError::UnexpectedTier { state, next } = error else { panic!("{error}") };
    assert_eq!((state.as_str(), next.as_str()), ("(8, First)", "(6, Second)"));
    let error = Solver::new(&track(Fault::None)).max_states(7).tiered().unwrap_err();
    assert_eq!(error, SolveError::TooManyStatesAllowed { states: 8, limit: 7 });
}

/// A folder with the track solved into it.
fn solved(fault: Fault) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    Solver::new(&track(fault)).tiered_into(folder.path(), None).unwrap();
    folder
}

#[test]
fn a_folder_of_something_else_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("letter.txt"), "dear reader").unwrap();
    let error = Solver::new(&track(Fault::None)).tiered_into(folder.path(), None).unwrap_err();
    assert!(matches!(error, FolderError::NotOfTiers { .. }), "{error}");
    let solved = solved(Fault::None);
    let other = Track { length: 16, fault: Fault::None };
    let error = Solver::new(&other).tiered_into(solved.path(), None).unwrap_err();
    assert!(matches!(error, FolderError::OtherGame { .. }), "{error}");
    assert!(matches!(TierFolder::open(folder.path()), Err(FolderError::NotOfTiers { .. })));
    let file = folder.path().join("letter.txt");
    let error = Solver::new(&other).tiered_into(&file, None).unwrap_err();
    assert!(matches!(error, FolderError::Io { .. }), "{error}");
}

#[test]
fn a_manifest_that_makes_no_sense_is_refused() {
    let folder = solved(Fault::None);
    let path = folder.path().join("manifest.json");
    let text = fs::read_to_string(&path).unwrap();
    let cases = [
        (String::new(), "EOF"),
        (text.replace("\"format\": 1", "\"format\": 7"), "its format is 7, 1 was expected"),
        (text.replace("stretch-1", "../stretch-1"), "a tier is called \"../stretch-1\""),
        (text.replace("stretch-3", "stretch-4"), "its tiers are not those of its game"),
        (text.replace("15", "\"long\""), "the game's parameters"),
    ];
    for (text, problem) in cases {
        fs::write(&path, text).unwrap();
        let opened = TierFolder::open(folder.path()).and_then(|folder| folder.game::<Track>());
        let error = opened.unwrap_err();
        assert!(matches!(error, FolderError::Malformed { .. }), "{error}");
        assert!(error.to_string().contains(problem), "{error}");
    }
}

#[test]
fn what_happened_to_a_tier_is_told_with_its_file() {
    let game = track(Fault::None);
    let name = |error: &FolderError| match error {
        FolderError::Table { path, .. } => path.file_name().unwrap().to_owned(),
        error => panic!("{error}"),
    };
    // One is missing.
    let folder = solved(Fault::None);
    let file = folder.path().join("stretch-1.rtb");
    fs::remove_file(&file).unwrap();
    let open = TierFolder::open(folder.path()).unwrap();
    assert_eq!(open.tiers().unwrap().len(), 3);
    let prober = open.prober(&game).unwrap();
    prober.value(&(2, Player::First)).unwrap();
    let QueryError::Folder(error) = prober.value(&(5, Player::First)).unwrap_err() else {
        panic!()
    };
    assert_eq!(name(&error), "stretch-1.rtb");
    assert_eq!(name(&open.verify(&game, &mut unheard).unwrap_err()), "stretch-1.rtb");

    // Another is in its place.
    fs::copy(folder.path().join("stretch-2.rtb"), &file).unwrap();
    let open = TierFolder::open(folder.path()).unwrap();
    let error = open.verify(&game, &mut unheard).unwrap_err();
    assert!(matches!(error, FolderError::Table { source: TableError::OtherNumbering { .. }, .. }));

    // One is damaged, which a run that goes on notices where it needs it.
    let mut bytes = fs::read(folder.path().join("stretch-2.rtb")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(folder.path().join("stretch-2.rtb"), bytes).unwrap();
    fs::remove_file(folder.path().join("stretch-3.rtb")).unwrap();
    fs::remove_file(&file).unwrap();
    let error = Solver::new(&game).tiered_into(folder.path(), None).unwrap_err();
    assert_eq!(name(&error), "stretch-2.rtb");
}

#[test]
fn a_wrong_value_in_any_tier_is_found() {
    let right = track(Fault::None);
    let wrong = solved(Fault::OtherRules);
    let values = |fault, tier| {
        let game = track(fault);
        let solution = Solver::new(&game).tiered().unwrap();
        let states = (0..game.tier_len(tier)).filter_map(|index| game.tier_unindex(tier, index));
        states.map(|state| solution.value(&state).unwrap()).collect::<Vec<_>>()
    };
    let differ = |tier: &usize| values(Fault::None, *tier) != values(Fault::OtherRules, *tier);
    let tiers: Vec<usize> = (0..4).filter(differ).collect();
    assert!(tiers.len() > 1);
    for tier in tiers {
        let folder = solved(Fault::None);
        let file = format!("stretch-{tier}.rtb");
        fs::copy(wrong.path().join(&file), folder.path().join(&file)).unwrap();
        let [much, little] = [u64::MAX, 0].map(|memory| {
            let open = TierFolder::open(folder.path()).unwrap().with_memory(memory);
            open.verify(&right, &mut unheard).unwrap_err()
        });
        let found =
            matches!(much, FolderError::Table { source: TableError::WrongValue { .. }, .. });
        assert!(found, "{much}");
        assert_eq!(much.to_string(), little.to_string());
    }
    let folder = solved(Fault::None);
    let states = [u64::MAX, 0].map(|memory| {
        let open = TierFolder::open(folder.path()).unwrap().with_memory(memory);
        open.verify(&right, &mut unheard).unwrap()
    });
    assert!(states[0] > 0 && states[0] == states[1], "{states:?}");
}

/// A large game without rhyme or reason, in three tiers, so that threads have something to share.
#[derive(Serialize, Deserialize)]
struct Maze;

const ROOMS: u32 = 60_000;

fn mixed(number: u32, salt: u32) -> u32 {
    let mixed = u64::from(number ^ salt << 24).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 32) as u32
}

impl Game for Maze {
    type State = u32;

    fn turn(&self, room: &u32) -> Player {
        Player::BOTH[(room % 2) as usize]
    }

    fn terminal(&self, &room: &u32) -> Option<Outcome> {
        match mixed(room, 1) % 400 {
            0 => Some(Outcome::Win(Player::First)),
            1 => Some(Outcome::Win(Player::Second)),
            2 => Some(Outcome::Draw),
            _ => None,
        }
    }

    fn moves(&self, &room: &u32, mut visit: impl FnMut(u32)) {
        // Here and there are two rooms that lead to nothing but each other.
        if room / 2 % 100 == 0 {
            return visit(room ^ 1);
        }
        let end = (room / ROOMS + 1) * ROOMS;
        (2..3 + mixed(room, 9) % 2).map(|salt| mixed(room, salt) % end).for_each(visit);
    }

    fn roots(&self) -> Vec<u32> {
        vec![0]
    }
}

impl Tiered for Maze {
    fn tiers(&self) -> Vec<Tier> {
        let tier = |tier: usize| Tier { name: format!("{tier}"), leads_to: (0..tier).collect() };
        (0..3).map(tier).collect()
    }

    fn tier(&self, &room: &u32) -> usize {
        (room / ROOMS) as usize
    }
}

impl TierIndexed for Maze {
    fn tier_len(&self, _: usize) -> u64 {
        ROOMS.into()
    }

    fn tier_index(&self, _: usize, &room: &u32) -> u64 {
        (room % ROOMS).into()
    }

    fn tier_unindex(&self, tier: usize, index: u64) -> Option<u32> {
        Some(tier as u32 * ROOMS + index as u32)
    }
}

impl Stored for Maze {
    const NAME: &'static str = "maze";
}

impl Indexed for Maze {
    fn len(&self) -> u64 {
        3 * u64::from(ROOMS)
    }

    fn index(&self, &room: &u32) -> u64 {
        room.into()
    }

    fn unindex(&self, index: u64) -> Option<u32> {
        Some(index as u32)
    }
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files
        .map(|file| {
            let name = file.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read(&file).unwrap())
        })
        .collect()
}

#[test]
fn every_number_of_threads_makes_the_same_files() {
    let solve = |threads: usize, memory: u64| {
        let folder = tempfile::tempdir().unwrap();
        Solver::new(&Maze)
            .threads(threads)
            .memory(memory)
            .tiered_into(folder.path(), None)
            .unwrap();
        files(folder.path())
    };
    let one = solve(1, 1 << 30);
    assert_eq!(one.len(), 4);
    for threads in [2, 3, 8] {
        assert!(solve(threads, 1 << 30) == one, "{threads} threads");
    }
    // Without room for edges, and with values that are loaded again from their files.
    assert!(solve(2, 380_000) == one, "little memory");
    let (tiers, dense) =
        (Solver::new(&Maze).tiered().unwrap(), Solver::new(&Maze).dense().unwrap());
    for room in 0..3 * ROOMS {
        assert_eq!(tiers.value(&room).unwrap(), dense.value(&room).unwrap(), "{room}");
    }
    assert!(dense.summary().longest().unwrap() > 10);
    assert!(dense.summary().endless() > 100);
}
