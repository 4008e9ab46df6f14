//! A registry of games: whether it understands the examples in its help, how it prints a game
//! without one, and which games it has pictures of. Also how it plays a game whose states do not
//! say who moves, and its names of players and moves.
//!
//! If [`AS_PROGRAM`] is set, this is the program of such a registry, which the tests call. So it
//! has its own `main`.

#[cfg(feature = "cluster")]
mod random;
mod turned;

use std::fs;
use std::io::Write;
use std::process::{Command, ExitCode, Output, Stdio};

use clap::Args;
use retrograde::cli::{CliError, Registered, Registry, check_example};
use retrograde::scene::{Piece, Scene};
use retrograde::{
    Game, Notation, NotationError, Numbered, Outcome, Player, Players, Stored, scheme,
};
use serde::{Deserialize, Serialize};

/// Asks for the program in place of the tests.
const AS_PROGRAM: &str = "RETROGRADE_TEST_AS_PROGRAM";

fn main() -> ExitCode {
    #[cfg(feature = "cluster")]
    if let Some(code) = random::program() {
        return code;
    }
    if std::env::var_os(AS_PROGRAM).is_some() {
        let games = Registry::new("games", "1").register::<Flawed<SOUND>>();
        let games = games.register::<Flawed<WITHOUT>>().register::<Hunt>();
        let games = games.register::<turned::Pawns<true>>().register::<turned::Pawns<false>>();
        return games.register::<Heap>().register::<Heap<true>>().main();
    }
    the_examples_of_the_shipped_games_are_understood();
    examples_that_are_not_understood_are_found();
    a_game_without_an_example_prints_no_blank_at_the_end_of_a_line();
    a_game_with_scenes_has_pictures_and_another_has_text();
    players_take_turns_where_states_do_not_say_who_moves();
    solving_says_what_the_rules_break_and_which_command_checks_them();
    players_whose_name_is_a_plural_win_and_do_not_wins();
    moves_without_a_name_are_called_by_the_places_that_they_touch();
    turned::a_board_that_is_not_marked_as_turned_is_noted_before_it_is_solved();
    #[cfg(feature = "cluster")]
    random::all();
    ExitCode::SUCCESS
}

fn the_examples_of_the_shipped_games_are_understood() {
    retrograde_games::registry().check_examples().expect("examples that are understood");
}

/// A game of one state that is written `end`. Its number stands for a flaw in its help.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Flawed<const FLAW: usize> {
    limit: u32,
}

/// The example is understood.
const SOUND: usize = 0;
/// There is no example, which is no flaw.
const WITHOUT: usize = 1;

#[derive(Clone, Copy, Debug, Args)]
struct FlawedOptions {
    /// A number
    #[arg(long, default_value_t = 1)]
    limit: u32,
}

impl<const FLAW: usize> Game for Flawed<FLAW> {
    type State = ();
    const PLAYERS: Players = Players::Solitary;

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

impl<const FLAW: usize> Notation for Flawed<FLAW> {
    fn player(&self, _: Player) -> &str {
        "nobody"
    }

    fn write_state(&self, (): &()) -> String {
        "end".into()
    }

    fn parse_state(&self, text: &str) -> Result<(), NotationError> {
        match text {
            "end" => Ok(()),
            other => Err(NotationError::new(format!("\"{other}\" is not end"))),
        }
    }

    fn scene(&self, (): &()) -> Option<Scene> {
        (FLAW == SOUND).then(|| {
            let mut scene = Scene::board(2, 1, |column, _| format!("field {column}"));
            scene.put(1, Piece::disc("stone").of(Player::First));
            scene
        })
    }
}

impl<const FLAW: usize> Numbered for Flawed<FLAW> {
    type Numberings = scheme::Hashed;
}

impl<const FLAW: usize> Stored for Flawed<FLAW> {
    const NAME: &'static str = if FLAW == WITHOUT { "without" } else { "flawed" };
}

impl<const FLAW: usize> Registered for Flawed<FLAW> {
    const ABOUT: &'static str = "a game for tests";
    const EXAMPLE: &'static str = [
        "--limit '2'",
        "",
        "--limit two",
        "--bound 2",
        "--limit 0",
        "--limit '2",
        "--limit 2",
        "--limit 2",
    ][FLAW];
    const STATES: &'static str = match FLAW {
        6 => "the one word: start",
        7 => "the one word",
        _ => "the one word: end",
    };
    type Options = FlawedOptions;

    fn from_options(options: FlawedOptions) -> Result<Self, CliError> {
        match options.limit {
            0 => Err(CliError::usage("a limit of 0")),
            limit => Ok(Flawed { limit }),
        }
    }
}

fn check<const FLAW: usize>() -> Result<(), String> {
    check_example::<Flawed<FLAW>>().map_err(|error| error.to_string())
}

fn examples_that_are_not_understood_are_found() {
    assert_eq!(check::<SOUND>(), Ok(()));
    assert_eq!(check::<WITHOUT>(), Ok(()));
    let flaws = [
        (check::<2>(), "invalid value 'two' for '--limit"),
        (check::<3>(), "unexpected argument '--bound'"),
        (check::<4>(), "a limit of 0"),
        (check::<5>(), "flawed: a quote in `EXAMPLE` is not closed"),
        (check::<6>(), "flawed: \"start\" is not end"),
        (check::<7>(), "flawed has no example of a state"),
    ];
    for (checked, problem) in flaws {
        let error = checked.expect_err(problem);
        assert!(error.contains(problem), "{error}");
    }
}

/// Runs the program of these games with this typed text.
fn run(arguments: &[&str], typed: &str) -> Output {
    let mut command = Command::new(std::env::current_exe().expect("a path"));
    command.args(arguments).env(AS_PROGRAM, "1");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    child.stdin.take().expect("a pipe").write_all(typed.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

/// The output of the program, which must succeed.
fn printed_for(arguments: &[&str], typed: &str) -> String {
    let output = run(arguments, typed);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

fn printed(arguments: &[&str]) -> String {
    printed_for(arguments, "")
}

fn a_game_without_an_example_prints_no_blank_at_the_end_of_a_line() {
    let calls: [(&[&str], &str); 7] = [
        (&["games"], "games solve"),
        (&["solve", "without", "--help"], "games solve"),
        (&["explore", "without", "--help"], "games explore"),
        (&["laws", "without", "--help"], "games laws"),
        (&["solve", "--help"], ""),
        (&["solve", "without"], ""),
        (&["laws", "without"], ""),
    ];
    for (arguments, example) in calls {
        let text = printed(arguments);
        for line in text.lines() {
            assert_eq!(line, line.trim_end(), "{arguments:?} prints {text}");
        }
        let shown = example.is_empty() || text.contains(&format!("Example:   {example} without\n"));
        assert!(shown, "{arguments:?} prints {text}");
    }
    let text = printed(&["games"]);
    assert!(text.contains("Example:   games solve flawed --limit '2'\n"), "{text}");
}

fn a_game_with_scenes_has_pictures_and_another_has_text() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    let (flawed, without) = (path("flawed.rtb"), path("without.rtb"));
    let (svg, letter) = (path("end.svg"), path("letter.txt"));
    printed(&["solve", "flawed", "-o", &flawed]);
    printed(&["solve", "without", "-o", &without]);
    fs::write(&letter, "dear reader").expect("a file to write");

    let picture = printed(&["draw", &flawed]);
    assert!(picture.starts_with("<svg ") && picture.contains("flawed, end: draw"), "{picture}");
    assert!(picture.contains("aria-label=\"field 1, nobody stone\""), "{picture}");
    let flipped = printed(&["draw", &flawed, "end", "--flip", "-o", &svg]);
    assert!(flipped.starts_with(&format!("wrote {svg}: ")), "{flipped}");
    let flipped = fs::read_to_string(&svg).expect("a picture");
    assert!(flipped.starts_with("<svg ") && flipped != picture, "{flipped}");
    // A picture of its own is replaced, but another file only by force.
    printed(&["draw", &flawed, "-o", &svg]);
    assert_eq!(fs::read_to_string(&svg).expect("a picture"), picture);
    let refused = run(&["draw", &flawed, "-o", &letter], "");
    let error = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(1) && error.contains("--force"), "{error}");
    assert_eq!(fs::read(&letter).expect("a letter"), b"dear reader");
    printed(&["draw", &flawed, "-o", &letter, "--force"]);
    assert_eq!(fs::read_to_string(&letter).expect("a picture"), picture);

    assert_eq!(printed(&["draw", &without]), "end\n");
    let json = printed(&["draw", &without, "--json"]);
    assert_eq!(json, "{\"state\":\"end\",\"svg\":null,\"text\":\"end\"}\n");
    let refused = run(&["draw", &without, "-o", &svg], "");
    let error = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(1) && error.contains("has no pictures"), "{error}");
    assert_eq!(fs::read_to_string(&svg).expect("a picture"), picture);

    // A position that differs in case, and one that resembles none.
    for (text, says) in [("END", "did you mean `end`?"), ("start", "is written as in end")] {
        let refused = run(&["draw", &without, text], "");
        let error = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(refused.status.code() == Some(2) && error.contains(says), "{error}");
    }
}

/// A heap of counters. A player takes one or two, and the player who takes the last one wins. With
/// a slip, four counters count as three.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Heap<const SLIP: bool = false>;

#[derive(Clone, Copy, Debug, Args)]
struct HeapOptions {}

impl<const SLIP: bool> Game for Heap<SLIP> {
    type State = u32;
    const PLAYERS: Players = Players::Unnamed;

    fn terminal(&self, &heap: &u32) -> Option<Outcome> {
        (heap == 0).then_some(Outcome::MoverLoses)
    }

    fn moves(&self, &heap: &u32, visit: impl FnMut(u32)) {
        (1..=heap.min(2)).map(|taken| heap - taken).for_each(visit);
    }

    fn roots(&self) -> impl IntoIterator<Item = u32> {
        [11]
    }

    fn canonical(&self, &heap: &u32) -> u32 {
        if SLIP && heap == 4 { 3 } else { heap }
    }
}

impl<const SLIP: bool> Notation for Heap<SLIP> {
    fn write_state(&self, heap: &u32) -> String {
        if SLIP { format!("heap-of-{heap}") } else { heap.to_string() }
    }

    fn parse_state(&self, text: &str) -> Result<u32, NotationError> {
        text.parse().map_err(|_| NotationError::new(format!("\"{text}\" is no number, as in 11")))
    }
}

impl<const SLIP: bool> Numbered for Heap<SLIP> {
    type Numberings = scheme::Hashed;
}

impl<const SLIP: bool> Stored for Heap<SLIP> {
    const NAME: &'static str = if SLIP { "slip" } else { "heap" };
}

impl<const SLIP: bool> Registered for Heap<SLIP> {
    const ABOUT: &'static str = "a heap of counters";
    const EXAMPLE: &'static str = "";
    const STATES: &'static str = "the number of counters: 11";
    type Options = HeapOptions;

    fn from_options(_: HeapOptions) -> Result<Self, CliError> {
        Ok(Heap)
    }
}

fn players_take_turns_where_states_do_not_say_who_moves() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let table = folder.path().join("heap.rtb");
    let table = table.to_str().expect("a path");
    printed(&["solve", "heap", "-o", table]);
    // The second player always leaves a multiple of three.
    let text = printed_for(&["play", table], "hint\n9\n7\n5\n3\n1\n");
    assert!(text.contains("first> hint\nbest: 9 (then first wins in 6 plies)\n"), "{text}");
    for part in [
        "first> 9\nperfect play: ",
        "a mistake: that turned a win into a loss; best was 6\n",
        "over: second has won after ",
        "(best play: first wins in 7 plies",
    ] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
    let text = printed_for(&["play", table, "--as", "second"], "value\nquit\n");
    assert!(text.contains("perfect play: 9\n") && text.contains("first wins in 6 plies"), "{text}");
}

fn solving_says_what_the_rules_break_and_which_command_checks_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let table = folder.path().join("heap.rtb");
    let table = table.to_str().expect("a path");
    let told = |name| {
        let output = run(&["solve", name, "-o", table], "");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, error) = told("slip");
    assert_eq!(code, Some(1), "{error}");
    for part in [
        "broken law: states that share an index have the same value",
        "heap-of-4 and heap-of-3 share an index",
        "`retrograde laws GAME`",
    ] {
        assert!(error.contains(part), "no {part:?} in {error}");
    }
    assert!(!std::path::Path::new(table).exists());

    // Only the first solve prints the note.
    let note = "`games laws heap` checks them on all states";
    let (first, again) = (told("heap").1, told("heap").1);
    assert!(first.contains(note) && !again.contains(note), "{first}{again}");
}

/// A hare runs along four fields to the trap of the hounds, who wait. It may tire on the way, which
/// a picture doesn't show.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Hunt;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Hare {
    field: usize,
    is_tired: bool,
    turn: Player,
}

impl Game for Hunt {
    type State = Hare;

    fn turn(&self, hare: &Hare) -> Player {
        hare.turn
    }

    fn terminal(&self, hare: &Hare) -> Option<Outcome> {
        (hare.field == 3).then_some(Outcome::Win(Player::Second))
    }

    fn moves(&self, hare: &Hare, mut visit: impl FnMut(Hare)) {
        let turn = hare.turn.opponent();
        match hare.turn {
            Player::First if hare.is_tired => visit(Hare { field: 3, turn, ..*hare }),
            Player::First => {
                for is_tired in [false, true] {
                    visit(Hare { field: hare.field + 1, is_tired, turn });
                }
            }
            Player::Second => visit(Hare { turn, ..*hare }),
        }
    }

    fn roots(&self) -> impl IntoIterator<Item = Hare> {
        [Hare { field: 0, is_tired: false, turn: Player::First }]
    }
}

impl Notation for Hunt {
    fn player(&self, player: Player) -> &str {
        ["hare", "hounds"][player.index()]
    }

    fn write_state(&self, hare: &Hare) -> String {
        let field = ["a", "b", "c", "d"][hare.field];
        format!("{field}{},{}", if hare.is_tired { "z" } else { "" }, self.player(hare.turn))
    }

    fn parse_state(&self, text: &str) -> Result<Hare, NotationError> {
        let states = (0..4).flat_map(|field| {
            [false, true]
                .into_iter()
                .flat_map(move |is_tired| Player::BOTH.map(|turn| Hare { field, is_tired, turn }))
        });
        let mut meant = states.filter(|hare| self.write_state(hare) == text);
        meant
            .next()
            .ok_or_else(|| NotationError::new("expected a field and who moves, as in a,hare"))
    }

    fn scene(&self, hare: &Hare) -> Option<Scene> {
        let mut scene =
            Scene::board(4, 1, |column, _| ["a", "b", "c", "d"][column as usize].into());
        scene.put(hare.field, Piece::disc("hare").of(Player::First));
        Some(scene)
    }
}

impl Numbered for Hunt {
    type Numberings = scheme::Hashed;
}

impl Stored for Hunt {
    const NAME: &'static str = "hunt";
}

impl Registered for Hunt {
    const ABOUT: &'static str = "a hare and hounds";
    const EXAMPLE: &'static str = "";
    const STATES: &'static str = "the field of the hare, z if it is tired, and who moves: a,hare";
    type Options = HeapOptions;

    fn from_options(_: HeapOptions) -> Result<Self, CliError> {
        Ok(Hunt)
    }
}

/// Solves the hunt into a folder. Returns the path of its table.
fn hunt(folder: &tempfile::TempDir) -> String {
    let table = folder.path().join("hunt.rtb").to_str().expect("a path").to_owned();
    let solved = printed(&["solve", "hunt", "-o", &table]);
    assert!(solved.contains("from a,hare: hounds win in 5 plies"), "{solved}");
    assert!(solved.contains("hare wins") && solved.contains("hounds win "), "{solved}");
    table
}

fn players_whose_name_is_a_plural_win_and_do_not_wins() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let table = hunt(&folder);
    assert_eq!(printed(&["probe", &table, "dz,hounds", "-q"]), "hounds have won\n");
    let text = printed_for(&["play", &table, "--as", "both"], "line\n1\n1\n1\n1\n1\n");
    assert!(
        text.contains("then hounds have won") && text.contains("over: hounds have won"),
        "{text}"
    );
    for wrong in ["hounds wins", "hounds has"] {
        assert!(!text.contains(wrong), "{text}");
    }
}

fn moves_without_a_name_are_called_by_the_places_that_they_touch() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let table = hunt(&folder);
    let moves = |state: &str| -> Vec<String> {
        let moves = printed(&["moves", &table, state, "--json"]);
        let moves: serde_json::Value = serde_json::from_str(&moves).expect("JSON");
        let moves = moves["moves"].as_array().expect("moves").iter();
        moves.map(|to| to["move"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(moves("bz,hare"), ["b-d"]);
    // Moves that touch the same places get different names. A move that touches none has the name
    // of its state.
    assert_eq!(moves("a,hare"), ["a-b to b,hounds", "a-b to bz,hounds"]);
    assert_eq!(moves("b,hounds"), ["b,hare"]);
    let text = printed_for(&["play", &table], "a-b\na-b to bz\nquit\n");
    assert!(text.contains("\"a-b\" can be a-b to b,hounds (1), a-b to bz,hounds (2)"), "{text}");
}
