//! What `publish` writes, and what it refuses.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use serde_json::Value as Json;

use crate::program::{Folder, Run, SMALL_GRAPH, module};

/// A folder with a table, a folder of tiers, and modules of their games.
fn with_tables() -> Folder {
    let folder = Folder::with_small_table();
    folder.run(&["solve", "chess", "KRvK", "-o", "rook"]).answer();
    folder.write("mice.wasm", module(env!("CARGO_PKG_VERSION"), "cat-mouse"));
    folder.write("chess.wasm", module(env!("CARGO_PKG_VERSION"), "chess"));
    folder
}

const MODULES: [&str; 4] = ["--module", "mice.wasm", "--module", "chess.wasm"];

fn publish(folder: &Folder, tables: &[&str]) -> Run {
    folder.run(&[&["publish", "-o", "site"], tables, &MODULES[..]].concat())
}

/// The names of all files of a site.
fn files(folder: &Folder) -> Vec<String> {
    let site = folder.path("site");
    let (mut names, mut folders) = (Vec::new(), vec![site.clone()]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => names.push(path.strip_prefix(&site).unwrap().to_str().unwrap().to_owned()),
            }
        }
    }
    names.sort();
    names
}

fn json(folder: &Folder, name: &str) -> Json {
    serde_json::from_slice(&folder.read(&format!("site/{name}"))).unwrap()
}

fn contents(folder: &Folder) -> Json {
    json(folder, "site.json")
}

/// Checks that the list of files is that of the files in the folders of a site, and that each table knows
/// the lengths of its own.
fn check_files(folder: &Folder) {
    let names = files(folder);
    let below: Vec<&String> =
        names.iter().filter(|name| name.contains('/') && !name.starts_with('.')).collect();
    assert_eq!(json(folder, "files.json"), serde_json::json!(below));
    for table in contents(folder)["tables"].as_object().unwrap().keys() {
        let listed = json(folder, &format!("files/{table}.json"));
        for (name, file) in listed["files"].as_object().unwrap() {
            let length = fs::metadata(folder.path("site").join(name)).unwrap().len();
            assert_eq!(file["length"], length, "{name}");
        }
    }
}

#[test]
fn a_site_has_the_page_the_tables_and_the_modules() {
    let folder = with_tables();
    let said = publish(&folder, &["table.rtb", "rook"]);
    assert!(said.stderr.contains("any static web host"), "{said:?}");
    assert!(said.answer().starts_with("wrote site: 2 tables, "));
    let names = files(&folder);
    for name in ["app.js", "index.html", "site.js", "style.css", "worker.js", "first/rook.json"] {
        assert!(names.iter().any(|one| one == name), "{name}: {names:?}");
    }
    for (from, to) in [
        ("table.rtb", "tables/table.rtb"),
        ("rook/KRvK.rtb", "tables/rook/KRvK.rtb"),
        ("rook/manifest.json", "tables/rook/manifest.json"),
        ("mice.wasm", "modules/cat-mouse.wasm"),
        ("chess.wasm", "modules/chess.wasm"),
    ] {
        assert_eq!(folder.read(from), folder.read(&format!("site/{to}")), "{to}");
    }
    let page = String::from_utf8(folder.read("site/index.html")).unwrap();
    assert!(page.contains("<html lang=\"en\" data-site>") && page.contains("wasm-unsafe-eval"));
    check_files(&folder);
    let contents = contents(&folder);
    assert_eq!(contents["list"]["tables"][0]["name"], "rook");
    let first = json(&folder, "first/rook.json");
    for (name, field) in
        [("table", "tiers"), ("stats", "wins"), ("start", "moves"), ("line", "line")]
    {
        assert!(first[name].get(field).is_some(), "{name}: {first}");
    }
    // The list is short, whatever is known of a table.
    let listed = &contents["list"]["tables"][0];
    assert!(listed.get("start").is_some() && listed.get("tiers").is_none(), "{listed}");
    assert!(listed.to_string().len() < 400, "{listed}");
}

#[test]
fn a_site_is_written_again_and_hidden_files_stay() {
    let folder = with_tables();
    fs::create_dir_all(folder.path("site/.git")).unwrap();
    folder.write("site/.git/config", "mine");
    publish(&folder, &["table.rtb", "rook"]).answer();
    folder.write("site/CNAME", "example.org");
    publish(&folder, &["table.rtb"]).answer();
    let names = files(&folder);
    assert!(!names.iter().any(|name| name.contains("rook") || name.contains("chess")), "{names:?}");
    assert!(!folder.path("site/tables/rook").exists());
    assert_eq!(folder.read("site/.git/config"), b"mine");
    assert_eq!(folder.read("site/CNAME"), b"example.org");
    assert_eq!(contents(&folder)["tables"].as_object().unwrap().len(), 1);
    check_files(&folder);
    let json =
        folder.run(&[&["publish", "--json", "-o", "site", "table.rtb"], &MODULES[..]].concat());
    let json = json.json();
    assert_eq!((&json["tables"], &json["modules"]), (&1.into(), &1.into()));
}

#[test]
fn a_site_that_was_not_finished_is_finished() {
    let folder = with_tables();
    fs::create_dir(folder.path("site")).unwrap();
    let begun = r#"{ "unfinished": true, "tables": [], "files": {}, "list": null, "starts": {} }"#;
    folder.write("site/site.json", begun);
    folder.write("site/app.js", "half");
    publish(&folder, &["rook"]).answer();
    assert!(contents(&folder).get("unfinished").is_none());
    assert_ne!(folder.read("site/app.js"), b"half");
}

#[test]
fn a_site_that_could_not_be_changed_whole_is_not_finished() {
    let folder = with_tables();
    publish(&folder, &["rook"]).answer();
    let listed = folder.read("site/files.json");
    fs::create_dir_all(folder.path("site/tables/table.rtb/mine")).unwrap();
    publish(&folder, &["rook", "table.rtb"]).assert_refused(1, &["table.rtb: can't write it"]);
    assert_eq!(contents(&folder)["unfinished"], true);
    assert_eq!(folder.read("site/files.json"), listed);
    fs::remove_dir_all(folder.path("site/tables/table.rtb")).unwrap();
    publish(&folder, &["table.rtb"]).answer();
    assert!(contents(&folder).get("unfinished").is_none());
    assert!(!folder.path("site/tables/rook").exists());
}

#[test]
fn what_is_no_place_for_a_site_is_refused() {
    let folder = with_tables();
    fs::create_dir(folder.path("mine")).unwrap();
    folder.write("mine/thesis.txt", "words");
    folder.write("file", "words");
    let to = |output: &str| {
        folder.run(&[&["publish", "table.rtb", "-o", output], &MODULES[..]].concat())
    };
    to("mine").assert_refused(1, &["mine: the folder has files", "site.json", "name a new folder"]);
    to("file").assert_refused(2, &["file: not a folder"]);
    to("rook").assert_refused(1, &["rook: the folder has files"]);
    to("file/site").assert_refused(1, &["file/site"]);
    assert_eq!(fs::read_dir(folder.path("mine")).unwrap().count(), 1);
    folder.run(&["publish", "table.rtb"]).assert_refused(2, &["--output"]);
    folder.run(&["publish", "-o", "site"]).assert_refused(2, &["PATH"]);
}

#[test]
fn tables_and_modules_that_do_not_fit_are_refused_before_anything_is_written() {
    let folder = with_tables();
    folder.write("old.wasm", module("0.0.9", "cat-mouse"));
    folder.write("other.wasm", b"\0asm\x01\0\0\0");
    folder.write("broken.rtb", b"words");
    let with = |table: &str, module: &str| {
        folder.run(&["publish", table, "-o", "site", "--module", module])
    };
    with("table.rtb", "old.wasm").assert_refused(1, &["old.wasm", "0.0.9", "build it anew"]);
    with("table.rtb", "other.wasm").assert_refused(1, &["other.wasm", "web_module!"]);
    with("table.rtb", "gone.wasm").assert_refused(1, &["gone.wasm", "can't find the module"]);
    with("table.rtb", "rook").assert_refused(1, &["rook", "not a module"]);
    with("broken.rtb", "mice.wasm")
        .assert_refused(1, &["broken.rtb", "not a retrograde tablebase"]);
    with("gone.rtb", "mice.wasm").assert_refused(1, &["gone.rtb"]);
    with("rook/KRvK.rtb", "chess.wasm").assert_refused(1, &["KRvK.rtb"]);
    let twice = folder
        .run(&[&["publish", "table.rtb", "./table.rtb", "-o", "site"], &MODULES[..]].concat());
    twice.assert_refused(2, &["two tables would be called \"table\""]);
    assert!(!folder.path("site").exists());
}

#[test]
fn a_folder_with_a_strangers_site_json_stays_as_it_is() {
    let folder = with_tables();
    fs::create_dir(folder.path("site")).unwrap();
    folder.write("site/index.html", "mine");
    for contents in [
        "{}",
        r#"{ "title": "my site", "tables": [], "files": {} }"#,
        r#"{ "tables": [], "files": {}, "list": null, "starts": {}, "title": "my site" }"#,
        r#"{ "made_by": "me", "tables": [], "files": {}, "list": null, "starts": {} }"#,
        r#"{ "tables": "four", "files": {}, "list": null, "starts": {} }"#,
        "[]",
    ] {
        folder.write("site/site.json", contents);
        publish(&folder, &["rook"]).assert_refused(1, &["site: the folder has files", "--output"]);
        assert_eq!(folder.read("site/site.json"), contents.as_bytes());
        assert_eq!(files(&folder), ["index.html", "site.json"], "{contents}");
    }
    assert_eq!(folder.read("site/index.html"), b"mine");
}

/// Sites of the program before it marked them have no `made_by`. Later programs may write more.
#[test]
fn sites_of_earlier_and_later_programs_are_known() {
    let folder = with_tables();
    publish(&folder, &["rook"]).answer();
    let mut written = contents(&folder);
    assert_eq!(written["made_by"], "retrograde publish");
    written["later"] = true.into();
    folder.write("site/site.json", written.to_string());
    publish(&folder, &["rook"]).answer();
    // The first form had the list of files among the contents.
    let listed = json(&folder, "files.json");
    let named: Vec<(String, Json)> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|name| (name.as_str().unwrap().to_owned(), Json::Null))
        .collect();
    let files: Json = named.into_iter().collect();
    let first = serde_json::json!({ "tables": [], "files": files, "list": null, "starts": {} });
    folder.write("site/site.json", first.to_string());
    fs::remove_file(folder.path("site/files.json")).unwrap();
    publish(&folder, &["table.rtb"]).answer();
    assert!(!folder.path("site/tables/rook").exists());
}

#[test]
fn of_two_runs_into_one_site_one_is_refused() {
    let folder = with_tables();
    fs::create_dir(folder.path("site")).unwrap();
    let lock = fs::File::create(folder.path("site/.publish.lock")).unwrap();
    lock.lock().unwrap();
    publish(&folder, &["rook"]).assert_refused(1, &["site: another run writes into this folder"]);
    assert_eq!(files(&folder), [".publish.lock"]);
    drop(lock);
    thread::scope(|scope| {
        for _ in 0..4 {
            for table in ["rook", "table.rtb"] {
                scope.spawn(|| {
                    let said = publish(&folder, &[table]);
                    if !said.stderr.contains("another run writes into this folder") {
                        said.answer();
                    }
                });
            }
        }
    });
    check_files(&folder);
    let names = files(&folder);
    assert!(!names.iter().any(|name| name.starts_with('.')), "{names:?}");
}

/// The program finds modules beside itself. Elsewhere there are none.
#[test]
fn a_module_that_is_missing_is_named_with_the_command_that_builds_it() {
    let folder = with_tables();
    let program = folder.path("elsewhere/bin/retrograde");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_retrograde"), &program).unwrap();
    let publish = |table: &str| {
        let mut command = Command::new(&program);
        command.args(["publish", table, "-o", "site"]).current_dir(folder.path(""));
        Run::of(command.stdin(Stdio::null()).output().unwrap())
    };
    let ring: Vec<[usize; 2]> = (0..400).map(|at| [(at + 399) % 400, (at + 1) % 400]).collect();
    let graph = serde_json::json!(ring).to_string();
    folder.run(&["solve", "cat-mouse", "--graph", &graph, "-o", "large.rtb"]).answer();
    let build = "cargo build --target wasm32-unknown-unknown --profile web -p retrograde-web --example \
                 cat-mouse";
    let missing =
        ["no module of cat-mouse", "more than 300,000 positions", build, "rustup target add"];
    publish("large.rtb").assert_refused(1, &missing);
    assert!(!folder.path("site").exists());
    // The positions of a small table are written beside it.
    let said = publish("table.rtb");
    assert!(said.stderr.contains("positions are written beside the table"), "{said:?}");
    assert!(said.stderr.contains(build), "{said:?}");
    said.answer();
    assert!(folder.path("site/positions/table/list.bin").exists());
    let place = |profile: &str| -> PathBuf {
        let place = folder.path("target/wasm32-unknown-unknown").join(profile);
        fs::create_dir_all(&place).unwrap();
        place
    };
    let old = place("web/examples").join("cat_mouse.wasm");
    fs::write(&old, module("0.0.9", "cat-mouse")).unwrap();
    publish("table.rtb").assert_refused(1, &["0.0.9", "build it anew", build]);
    fs::write(place("web").join("mine.wasm"), module(env!("CARGO_PKG_VERSION"), "cat-mouse"))
        .unwrap();
    publish("table.rtb").answer();
    assert!(!folder.path("site/positions").exists());
}

#[test]
fn a_table_of_an_unfinished_run_is_published_with_a_note() {
    let folder = with_tables();
    let (tier, site) = (folder.path("rook/KRvK.rtb"), ["rook"]);
    fs::remove_file(tier).unwrap();
    let said = publish(&folder, &site);
    assert!(said.stderr.contains("1 of 2 tiers are solved"), "{said:?}");
    said.answer();
    let graph =
        ["solve", "cat-mouse", "--graph", SMALL_GRAPH, "-o", "again.rtb", "--outcomes-only"];
    folder.run(&graph).answer();
    publish(&folder, &["again.rtb"]).answer();
}
