//! Programs that run commands and ask tables without knowing the type of a game.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, mpsc};

use retrograde::cli::{Caller, ErrorCode, OpenedTable, Refusal, Registry, Stopper};
use retrograde_games::mnk::{Mnk, MnkParameters};
use retrograde_games::registry;
use serde_json::Value as Json;

use crate::program::Folder;

/// Hears everything, and ends the work at once if it is told so.
#[derive(Default)]
struct Hearing {
    said: Mutex<Vec<String>>,
    ends: bool,
}

impl Caller for Hearing {
    fn progress(&self, doing: &str) -> ControlFlow<()> {
        self.said.lock().unwrap().push(doing.to_owned());
        if self.ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn note(&self, note: &str) {
        self.said.lock().unwrap().push(note.to_owned());
    }
}

fn solved(folder: &Folder, arguments: &[&str]) -> std::path::PathBuf {
    let path = folder.path("table.rtb");
    let arguments = arguments.iter().map(|&one| one.to_owned());
    let output = ["-o".to_owned(), path.display().to_string()];
    let answer = registry().call(arguments.chain(output), Arc::new(Hearing::default())).unwrap();
    assert_eq!(answer["bytes"], path.metadata().unwrap().len());
    path
}

#[test]
fn commands_return_what_json_prints() {
    let folder = Folder::new();
    let path = solved(&folder, &["solve", "mnk", "-m", "3", "-n", "3", "-k", "3"]);
    let hearing = Arc::new(Hearing::default());
    let call = |arguments: &[&str]| {
        registry()
            .call(arguments.iter().map(|&one| one.to_owned()), Arc::<Hearing>::clone(&hearing))
    };
    let path = path.to_str().unwrap();
    assert_eq!(call(&["stats", path]).unwrap()["states"], 5478);
    assert_eq!(call(&["verify", path]).unwrap()["verified"], true);
    assert_eq!(call(&["explore", "mnk"]).unwrap()["states"], 5478);
    assert_eq!(call(&["laws", "hexapawn"]).unwrap()["lawful"], true);
    assert_eq!(call(&["games", "kalah"]).unwrap()["games"][0]["game"], "kalah");
    assert!(call(&["rules", "quixo"]).unwrap()["rules"].is_string());
    for (arguments, code, told, exit_code) in [
        (&["solve", "chss"][..], ErrorCode::UnknownGame, "did you mean `chess`", 2),
        (&["solve", "mnk", "--wide"], ErrorCode::UnknownOption, "--wide: solve mnk has no such", 2),
        (&["serve", path], ErrorCode::Usage, "\"serve\" is none of games, rules, solve", 2),
        (&[], ErrorCode::Usage, "a subcommand is required", 2),
        (&["verify", "nothing.rtb"], ErrorCode::Table, "nothing.rtb", 1),
    ] {
        let error = call(arguments).unwrap_err();
        let text = error.to_string();
        assert!(text.contains(told) && !text.contains('\n'), "{text}");
        assert_eq!((error.code(), error.exit_code()), (code, exit_code), "{text}");
    }
}

#[test]
fn a_caller_ends_the_work() {
    let caller = Arc::new(Hearing { ends: true, ..Hearing::default() });
    let arguments = ["explore", "mnk", "-m", "4", "-n", "4", "-k", "4"];
    let error = registry().call(arguments, Arc::<Hearing>::clone(&caller)).unwrap_err();
    assert!(error.to_string().contains("interrupted"), "{error}");
    assert!(caller.said.lock().unwrap()[0].contains("exploring"));
}

#[cfg(feature = "numberings")]
#[test]
fn an_opened_table_answers_as_the_server_does() {
    let folder = Folder::new();
    let path = solved(&folder, &["solve", "mnk", "--numbering", "dense"]);
    let table = registry().open(&path, 1 << 20).unwrap();
    assert_eq!(table.path(), path);
    let ask = |question, query| table.ask(question, query, &|| false);
    let probed = ask("probe", "state=xo./.x./...").unwrap();
    assert!(probed.contains("\"plies\":4"), "{probed}");
    assert!(ask("picture", "").unwrap().starts_with("<svg"));
    let code = |refused: Result<String, Refusal>| refused.unwrap_err().code();
    assert_eq!(code(ask("probe", "state=xx")), ErrorCode::NotAState);
    let unreached = code(ask("probe", "state=xxx/.../..."));
    assert!([ErrorCode::NotAState, ErrorCode::NotInTable].contains(&unreached), "{unreached}");
    assert_eq!(code(ask("nothing", "")), ErrorCode::NotFound);
    let refused = ask("line", "plies=many").unwrap_err();
    assert_eq!(refused.code(), ErrorCode::InvalidValue);
    assert_eq!(
        (&refused.fields()["parameter"], &refused.fields()["value"]),
        (&"plies".into(), &"many".into())
    );
    let examples = table.ask("examples", "kind=draw&count=100", &|| true);
    assert!(examples.is_ok_and(|text| text.contains("\"complete\":false")));

    let (indices, mut values) = (table.indices(), Vec::new());
    table.packed_values(0..indices, &mut values).unwrap();
    assert_eq!(values.len() as u64, indices);
    let listed = table.states(0..indices).unwrap().into_iter().enumerate();
    let states: Vec<(usize, String)> =
        listed.filter_map(|(index, state)| Some((index, state?))).collect();
    let used = values.iter().filter(|&&value| table.unpack(value).is_some()).count();
    assert_eq!(states.len(), used);
    let texts: Vec<&str> = states.iter().map(|(_, text)| &**text).collect();
    let judged = table.judge_all(&texts, &|| false).unwrap();
    let all: Vec<u64> = (0..indices).collect();
    let movers = table.movers(&all).unwrap();
    assert!(table.names_movers());
    assert_eq!(movers.iter().filter(|mover| mover.is_some()).count(), used);
    for ((index, text), judged) in states.iter().zip(judged) {
        // Crosses begin.
        let second = text.matches('x').count() > text.matches('o').count();
        let mover = if second { retrograde::Player::Second } else { retrograde::Player::First };
        assert_eq!(movers[*index], Some(mover), "{text}");
        let value = table.unpack(values[*index]).unwrap();
        let judged = judged.unwrap();
        assert_eq!(judged.worth, value.points().cmp(&0), "{text}");
        let ends = judged.worth.is_ne();
        assert_eq!(judged.plies, value.plies().filter(|_| ends), "{text}");
    }
    let one = table.judge_all(&["xx", "xo./.x./..."], &|| false).unwrap();
    assert!(one[1].is_ok());
    assert_eq!(one[0].as_ref().unwrap_err().code(), ErrorCode::NotAState);
    let late = table.judge_all(&["xo./.x./..."], &|| true).unwrap();
    assert_eq!(late[0].as_ref().unwrap_err().code(), ErrorCode::Interrupted);
    let beyond = table.states(0..indices + 1).unwrap_err();
    assert_eq!(beyond.code(), ErrorCode::BadRequest);
    assert!(table.packed_values(5..indices + 1, &mut values).is_err_and(|error| error == beyond));
    assert!(table.movers(&[0, indices]).is_err_and(|error| error == beyond));
}

#[test]
fn a_table_without_its_rules_has_its_figures_and_values() {
    let folder = Folder::new();
    let path = solved(&folder, &["solve", "mnk", "--numbering", "packed"]);
    let known = registry().open(&path, 0).unwrap();
    let unknown = Registry::new("empty", "1.0").open(&path, 0).unwrap();
    let ask = |table: &OpenedTable, question| -> Json {
        serde_json::from_str(&table.ask(question, "", &|| false).unwrap()).unwrap()
    };
    let (with, without) = (ask(&known, "stats"), ask(&unknown, "stats"));
    for field in ["states", "draws", "to_move", "distances", "longest_plies", "bytes"] {
        assert_eq!(with[field], without[field], "{field}");
    }
    assert_eq!(without["wins"]["mover"], with["to_move"]["won"]);
    assert_eq!(ask(&unknown, "")["has_rules"], false);
    let indices = known.indices();
    assert_eq!(indices, unknown.indices());
    let [mut one, mut other] = [Vec::new(), Vec::new()];
    known.packed_values(0..indices, &mut one).unwrap();
    unknown.packed_values(0..indices, &mut other).unwrap();
    assert!(one == other && one.len() as u64 == indices);
    let beyond = unknown.packed_values(0..indices + 1, &mut one).unwrap_err();
    assert_eq!(beyond.code(), ErrorCode::BadRequest);
    let lacks = |refusal: Refusal| {
        assert_eq!(
            (refusal.code(), &refusal.fields()["game"]),
            (ErrorCode::NeedsRules, &"mnk".into())
        );
        assert!(refusal.to_string().contains("needs the rules of \"mnk\""));
    };
    lacks(unknown.states(0..1).unwrap_err());
    assert!(!unknown.names_movers());
    lacks(unknown.movers(&[0]).unwrap_err());
    lacks(unknown.ask("probe", "", &|| false).unwrap_err());
    lacks(unknown.judge_all(&["xo./.x./..."], &|| false).unwrap_err());
}

#[test]
fn a_game_that_exists_takes_the_place_of_one_of_its_name() {
    let folder = Folder::new();
    let path = solved(&folder, &["solve", "mnk", "-m", "4", "-n", "2", "-k", "2"]);
    let options = MnkParameters { columns: 3, rows: 3, in_a_row: 3, fold: false };
    let game = Mnk::new(options).unwrap();
    let registry = registry().add(game, "tic-tac-toe", "rows: .../.../...");
    assert_eq!(registry.names().filter(|&name| name == "mnk").count(), 1);
    let error = registry.open(&path, 0).unwrap_err().to_string();
    assert!(error.contains("the table of another game"), "{error}");
    let answer = registry.call(["explore", "mnk"], Arc::new(Hearing::default())).unwrap();
    assert_eq!(answer["states"], 5478);
}

#[test]
fn a_program_serves_tables_until_it_stops_them() {
    let folder = Folder::new();
    let path = solved(&folder, &["solve", "mnk"]);
    let (stopper, (tell, told)) = (Stopper::new(), mpsc::channel());
    let stop = stopper.clone();
    let server = std::thread::spawn(move || {
        let ready = |address| tell.send(address).unwrap();
        let listen = "127.0.0.1:0".parse().unwrap();
        registry().serve(&[path], listen, None, Arc::new(Hearing::default()), &stop, ready)
    });
    let address = told.recv().unwrap();
    assert!(std::net::TcpStream::connect(address).is_ok());
    stopper.stop();
    server.join().unwrap().unwrap();
    let gone = Path::new("gone.rtb").to_owned();
    let listen = "127.0.0.1:0".parse().unwrap();
    let served = registry().serve(
        &[gone],
        listen,
        None,
        Arc::new(Hearing::default()),
        &Stopper::new(),
        |_| (),
    );
    assert!(served.unwrap_err().to_string().contains("gone.rtb"));
}
