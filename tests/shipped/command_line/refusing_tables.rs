//! Files that are not tables, and damaged tables. Each is refused with a message, and never gives
//! an answer.

use std::fs;

use retrograde::{
    Game, Indexed, Numbered, Outcome, Player, Solver, Stored, Table, TableError, Value, scheme,
};
use retrograde_games::cat_mouse::{CatMouse, CatMouseParameters};
use retrograde_games::mnk::{Mnk, MnkParameters};
use serde::{Deserialize, Serialize};

use crate::program::Folder;

/// A game of one state that has the name of another game and the parameters of hexapawn.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Impostor<const NAME: usize> {
    columns: u32,
    rows: u32,
}

impl<const NAME: usize> Game for Impostor<NAME> {
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

impl<const NAME: usize> Indexed for Impostor<NAME> {
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

impl<const NAME: usize> Stored for Impostor<NAME> {
    const NAME: &'static str = ["unknown-game", "cat-mouse", "hexapawn"][NAME];
}

fn save_impostor<const NAME: usize>(folder: &Folder, name: &str) {
    let game = Impostor::<NAME> { columns: 3, rows: 3 };
    let solution = Solver::new(&game).solve_as::<scheme::Dense>().expect("a game to solve");
    solution.save(folder.path(name)).expect("a table to write");
}

const COMMANDS: [&str; 5] = ["probe", "moves", "line", "stats", "verify"];

#[test]
fn files_that_are_no_tables_of_known_games_are_refused() {
    let folder = Folder::with_small_table();
    let table = folder.read("table.rtb");
    let changed = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = table.clone();
        change(&mut bytes);
        bytes
    };
    folder.write("empty.rtb", "");
    folder.write("text.rtb", "This is no table.\n".repeat(100));
    folder.write("cut.rtb", changed(&|bytes| bytes.truncate(table.len() - 1)));
    folder.write("stub.rtb", changed(&|bytes| bytes.truncate(50)));
    folder.write("long.rtb", changed(&|bytes| bytes.push(0)));
    folder.write("newer.rtb", changed(&|bytes| bytes[8] = 3));
    folder.write("newest.rtb", changed(&|bytes| bytes[8..12].fill(0xFF)));
    folder.write("older.rtb", changed(&|bytes| bytes[8] = 0));
    folder.write("frame.rtb", changed(&|bytes| bytes[20] ^= 1));
    folder.write("header.rtb", changed(&|bytes| bytes[100] ^= 1));
    folder.write("directory.rtb", changed(&|bytes| bytes[table.len() - 1] ^= 1));
    save_impostor::<0>(&folder, "unknown.rtb");
    save_impostor::<1>(&folder, "graphless.rtb");
    fs::create_dir(folder.path("folder")).unwrap();
    let before = folder.contents();

    let [whole, more, less] =
        [0, 1, -1].map(|more| table.len().checked_add_signed(more).expect("a length"));
    let cut = format!("{whole} bytes expected, {less} found");
    let long = format!("{whole} bytes expected, {more} found");
    let files: &[(&str, &[&str])] = &[
        ("missing.rtb", &["missing.rtb: can't open the file"]),
        ("folder", &["folder: "]),
        ("text.rtb", &["text.rtb: not a retrograde tablebase"]),
        ("empty.rtb", &["empty.rtb: truncated", "92 bytes expected, 0 found"]),
        ("stub.rtb", &["stub.rtb: truncated", "92 bytes expected, 50 found"]),
        ("cut.rtb", &["cut.rtb: truncated", &cut]),
        ("long.rtb", &["long.rtb: longer", &long]),
        ("newer.rtb", &["newer.rtb: made by a newer program", "version 3", "up to 2"]),
        ("newest.rtb", &["newest.rtb: made by a newer program", "version 4294967295"]),
        ("older.rtb", &["older.rtb: damaged", "the frame"]),
        ("frame.rtb", &["frame.rtb: damaged", "the frame"]),
        ("header.rtb", &["header.rtb: damaged", "the header", "byte 92"]),
        ("directory.rtb", &["directory.rtb: damaged", "the directory"]),
        (
            "unknown.rtb",
            &[
                "unknown.rtb: this needs the rules of \"unknown-game\"",
                "use the program that solved the table",
                "--game FILE.py:CLASS",
                "awari, bobail, cat-mouse, cat-mouse-grid, chess, connect-four, cops, dobutsu, \
                 dots-and-boxes, gobblet, hexapawn, kalah, mnk, morris, othello, quixo",
            ],
        ),
        ("graphless.rtb", &["graphless.rtb: malformed", "parameters", "graph"]),
    ];
    for (file, says) in files {
        // `stats` reads only the header, and needs no rules.
        let reads_the_header = |command: &&str| *command == "stats";
        let is_behind = ["directory.rtb", "unknown.rtb"].contains(file);
        for command in COMMANDS.iter().filter(|one| !(is_behind && reads_the_header(one))) {
            folder.run(&[command, file]).assert_refused(1, says);
            folder.run(&[command, file, "--json"]).assert_refused_in_json(1, says);
        }
    }
    assert!(folder.contents() == before, "probing changed a file");
}

#[test]
fn the_figures_of_an_unknown_game_are_told() {
    let folder = Folder::new();
    save_impostor::<0>(&folder, "unknown.rtb");
    let stats = folder.run(&["stats", "unknown.rtb"]);
    assert!(stats.stderr.contains("the rules of unknown-game are not in this program"));
    assert!(stats.answer().contains("unknown-game, dense numbering: 1 state, "));
    let json = folder.run(&["stats", "unknown.rtb", "--json", "--svg", "plot.svg"]).json();
    assert_eq!((&json["states"], &json["draws"]), (&1.into(), &1.into()));
    assert_eq!(json["wins"], serde_json::json!({ "mover": 0, "opponent": 0 }));
    assert!(folder.path("plot.svg").exists());
    let says = ["unknown.rtb: this needs the rules of \"unknown-game\"", "`stats` needs no rules"];
    folder.run(&["stats", "unknown.rtb", "--examples", "1"]).assert_refused(1, &says);
    #[cfg(feature = "serve")]
    {
        folder.run(&["serve", "unknown.rtb"]).assert_refused(1, &says);
        folder.run(&["publish", "unknown.rtb", "-o", "site"]).assert_refused(1, &says);
    }
    folder.run(&["verify", "unknown.rtb", "--bytes"]).answer();
}

#[test]
fn damage_to_the_values_is_found_by_whatever_reads_them() {
    let folder = Folder::with_small_table();
    let mut bytes = folder.read("table.rtb");
    // The values are the 48 bytes before the directory, which describes one block in 40 bytes.
    let at = bytes.len() - 41;
    bytes[at] ^= 1;
    folder.write("values.rtb", bytes);
    for command in COMMANDS.into_iter().filter(|&command| command != "stats") {
        let run = folder.run(&[command, "values.rtb"]);
        run.assert_refused(1, &["values.rtb: damaged", "block 0 of the values"]);
    }
}

#[test]
fn a_table_with_a_numbering_that_its_game_does_not_list_is_refused() {
    let folder = Folder::new();
    save_impostor::<2>(&folder, "dense.rtb");
    for command in COMMANDS.into_iter().filter(|&command| command != "stats") {
        let run = folder.run(&[command, "dense.rtb"]);
        run.assert_refused(
            1,
            &["dense.rtb: ", "numbered as \"dense\"", "where packed was expected"],
        );
    }
}

/// Every way to shorten a table, and two changes of each of its bytes.
fn damages(table: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let cuts = (0..table.len()).map(|length| table[..length].to_vec());
    let flips = (0..table.len()).flat_map(|at| [(at, 0xFF), (at, 0x01)]);
    cuts.chain(flips.map(|(at, flip)| {
        let mut bytes = table.to_vec();
        bytes[at] ^= flip;
        bytes
    }))
}

fn small_game() -> CatMouse {
    let graph = vec![vec![1, 3], vec![0], vec![3], vec![0, 2]];
    let parameters = CatMouseParameters { graph, ..Default::default() };
    CatMouse::new(&parameters).expect("a graph to play on")
}

fn small_board() -> Mnk {
    let parameters = MnkParameters { columns: 2, rows: 2, in_a_row: 2, fold: true };
    Mnk::new(parameters).expect("a board to play on")
}

/// Checks that the verification failed with an error of the table, and that every answer about a
/// state was right.
fn assert_unusable<S>(
    verified: Result<u64, TableError>,
    states: &[(S, Value)],
    probe: impl Fn(&S) -> Option<Value>,
) {
    let error = verified.expect_err("the damage was not noticed");
    assert!(!error.to_string().is_empty());
    for (state, value) in states {
        assert!(probe(state).is_none_or(|found| found == *value), "{error}");
    }
}

#[test]
fn every_damage_to_a_dense_table_is_noticed() {
    let folder = Folder::new();
    let game = small_game();
    let solution = Solver::new(&game).solve().unwrap();
    solution.save(folder.path("table.rtb")).unwrap();
    let states: Vec<_> = (0..game.len())
        .filter_map(|index| game.unindex(index))
        .map(|state| (state, solution.value(&state).unwrap()))
        .collect();
    assert_all_damages_are_noticed(&folder.read("table.rtb"), &game, &states);
}

/// Damages a table in all ways, and checks that each damage is noticed.
fn assert_all_damages_are_noticed<G: Stored + Numbered + Clone + Send + 'static>(
    table: &[u8],
    game: &G,
    states: &[(G::State, Value)],
) {
    for bytes in damages(table) {
        let Ok(table) = Table::from_bytes(bytes) else { continue };
        let verified = table.verify(game);
        assert_unusable(verified, states, |state| {
            table.prober(game.clone()).ok()?.value(state).ok()
        });
    }
}

/// A game in the numbering that stores unpacked states, which no shipped game offers.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Unpacked(Mnk);

impl Game for Unpacked {
    type State = <Mnk as Game>::State;

    fn turn(&self, state: &Self::State) -> Player {
        self.0.turn(state)
    }

    fn terminal(&self, state: &Self::State) -> Option<Outcome> {
        self.0.terminal(state)
    }

    fn moves(&self, state: &Self::State, visit: impl FnMut(Self::State)) {
        self.0.moves(state, visit);
    }

    fn roots(&self) -> impl IntoIterator<Item = Self::State> {
        self.0.roots()
    }

    fn canonical(&self, state: &Self::State) -> Self::State {
        self.0.canonical(state)
    }
}

impl Numbered for Unpacked {
    type Numberings = scheme::Hashed;
}

impl Stored for Unpacked {
    const NAME: &'static str = "unpacked-mnk";
}

fn assert_damages_to_a_board_are_noticed<G: Stored + Numbered + Clone + Send + 'static>(game: &G) {
    let folder = Folder::new();
    let solution = Solver::new(game).solve().unwrap();
    solution.save(folder.path("table.rtb")).unwrap();
    let mut states: Vec<G::State> = game.roots().into_iter().collect();
    for at in 0..4 {
        game.moves(&states[at].clone(), |next| states.push(next));
    }
    let states: Vec<_> = states
        .into_iter()
        .map(|state| {
            let value = solution.value(&state).unwrap();
            (state, value)
        })
        .collect();
    assert_all_damages_are_noticed(&folder.read("table.rtb"), game, &states);
}

#[test]
fn every_damage_to_a_table_of_packed_states_is_noticed() {
    assert_damages_to_a_board_are_noticed(&small_board());
}

#[test]
fn every_damage_to_an_explored_table_is_noticed() {
    assert_damages_to_a_board_are_noticed(&Unpacked(small_board()));
}

#[test]
fn the_program_refuses_every_damage_of_a_wide_sample() {
    let folder = Folder::with_small_table();
    folder.run(&["solve", "mnk", "-m2", "-n2", "-k2", "-o", "board.rtb"]).answer();
    for name in ["table.rtb", "board.rtb"] {
        let all: Vec<_> = damages(&folder.read(name)).collect();
        for bytes in all.iter().step_by(all.len() / 40) {
            folder.write("damaged.rtb", bytes);
            for command in ["probe", "verify"] {
                folder.run(&[command, "damaged.rtb"]).assert_refused(1, &["damaged.rtb: "]);
            }
        }
    }
}

#[test]
fn the_tier_of_another_ending_is_refused_by_all_commands() {
    let folder = Folder::new();
    folder.run(&["solve", "chess", "KQvK", "-o", "queen"]).answer();
    folder.run(&["solve", "chess", "KRvK", "-o", "rook"]).answer();
    folder.write("rook/KRvK.rtb", folder.read("queen/KQvK.rtb"));
    let says = ["rook/KRvK.rtb: the table of another game: it is of chess {", "KQvK"];
    for command in COMMANDS {
        folder.run(&[command, "rook"]).assert_refused(1, &says);
    }
    let says = [says[0], "delete it to have the tier solved again"];
    folder.run(&["solve", "chess", "KRvK", "-o", "rook"]).assert_refused(1, &says);
}

#[test]
fn the_file_of_one_tier_has_figures_and_answers_nothing() {
    let folder = Folder::new();
    folder.run(&["solve", "chess", "KRvK", "-o", "rook"]).answer();
    let tier = folder.run(&["stats", "rook/KRvK.rtb", "--json"]).json();
    let whole = folder.run(&["stats", "rook", "--json"]).json();
    assert_eq!(tier["tier"], "KRvK");
    assert_eq!(tier["tiers"][0], whole["tiers"][1]);
    assert_eq!(tier["tiers"].as_array().unwrap().len(), 1);
    assert_eq!(tier["distances"], whole["distances"]);
    assert_eq!(tier["states"], 50_015);
    assert!(whole["tier"].is_null());
    let text = folder.run(&["stats", "rook/KRvK.rtb"]).answer();
    for part in ["one tier of the game: KRvK\n", "50,015", "32 plies"] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
    let says = ["rook/KRvK.rtb: the table of one tier", "give the folder"];
    for command in COMMANDS.into_iter().filter(|&command| command != "stats") {
        folder.run(&[command, "rook/KRvK.rtb"]).assert_refused(1, &says);
    }
    folder.run(&["stats", "rook/KRvK.rtb", "--examples", "1"]).assert_refused(1, &says);
}
