//! The answers of each address.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use crate::client::{Server, encoded};
use crate::program::Folder;

#[test]
fn tables_and_their_figures_are_listed() {
    let server = Server::of_small_table();
    let tables = server.get("/api/tables").json();
    assert_eq!(tables["program"], "retrograde");
    let table = &tables["tables"][0];
    assert_eq!(table["name"], "table");
    assert_eq!((&table["game"], &table["states"]), (&json!("cat-mouse"), &json!(24)));
    assert_eq!(table["players"], json!(["mouse", "cat"]));
    assert_eq!(&server.get("/api/tables/table").json(), table);
    let stats = server.get("/api/tables/table/stats").json();
    assert_eq!(stats["states"], 24);
    let by_player: u64 =
        ["mouse", "cat"].iter().filter_map(|name| stats["wins"][name].as_u64()).sum();
    assert_eq!(by_player + stats["draws"].as_u64().unwrap(), 24);
    let at = |name: &str| -> u64 {
        let distances = stats["distances"].as_array().unwrap();
        distances.iter().map(|at| at[name].as_u64().unwrap()).sum()
    };
    assert_eq!(json!(at("won")), stats["to_move"]["won"]);
    assert_eq!(json!(at("lost")), stats["to_move"]["lost"]);
}

#[test]
fn a_position_is_what_the_command_line_says() {
    let folder = Folder::with_small_table();
    let said = folder.run(&["moves", "table.rtb", "1,2,mouse", "--json"]).json();
    let server = Server::of(folder, &["table.rtb"]);
    let probed = server.ask("table", "probe", "1,2,mouse");
    for field in ["state", "outcome", "plies"] {
        assert_eq!(probed[field], said["position"][field], "{field}");
    }
    assert_eq!(server.get("/api/tables/table/probe").json(), probed, "the start is the default");
    let moves = server.ask("table", "moves", "1,2,mouse");
    let listed: Vec<&Json> = ["won", "drawn", "lost"]
        .iter()
        .flat_map(|group| moves[*group].as_array().unwrap())
        .map(|one| &one["move"])
        .collect();
    let expected: Vec<&Json> =
        said["moves"].as_array().unwrap().iter().map(|one| &one["move"]).collect();
    assert_eq!(listed, expected);
}

#[test]
fn examples_are_of_the_kind_that_was_asked_for() {
    let folder = Folder::new();
    folder.run(&["solve", "mnk", "-o", "mnk.rtb"]).answer();
    let server = Server::of(folder, &["mnk.rtb"]);
    let examples = |query: &str| server.get(&format!("/api/tables/mnk/examples?{query}")).json();
    let stats = server.get("/api/tables/mnk/stats").json();
    for at in stats["distances"].as_array().unwrap() {
        let plies = &at["plies"];
        for (kind, count) in [("win", &at["won"]), ("loss", &at["lost"])] {
            let found = examples(&format!("kind={kind}&plies={plies}&count=100"));
            let positions = found["examples"].as_array().unwrap();
            assert_eq!(positions.len() as u64, count.as_u64().unwrap().min(100), "{kind} {plies}");
            for position in positions {
                assert_eq!((&position["value"], &position["plies"]), (&json!(kind), plies));
            }
            assert_eq!(found["complete"], true);
        }
    }
    let longest = examples("kind=longest-win&count=3");
    assert_eq!(longest["examples"].as_array().unwrap().len(), 3);
    for position in examples("kind=only-move")["examples"].as_array().unwrap() {
        let moves = server.ask("mnk", "moves", position["state"].as_str().unwrap());
        assert_eq!(moves["won"].as_array().unwrap().len(), 1, "{position}");
    }
    // One page after the other, and no position twice.
    let (mut from, mut seen) = (json!(0), BTreeSet::new());
    while !from.is_null() {
        let page = examples(&format!("kind=draw&count=50&from={from}"));
        for position in page["examples"].as_array().unwrap() {
            assert!(seen.insert(position["state"].as_str().unwrap().to_owned()));
        }
        from = page["scanned_to"].clone();
    }
    assert_eq!(json!(seen.len()), stats["draws"]);
}

#[test]
fn tiers_have_figures_and_examples_of_their_own() {
    let folder = Folder::new();
    folder.run(&["solve", "chess", "KQvK", "-o", "queen"]).answer();
    let server = Server::of(folder, &["queen/"]);
    let table = server.get("/api/tables/queen").json();
    assert_eq!(table["tiers"], json!(["KvK", "KQvK"]));
    let stats = server.get("/api/tables/queen/stats").json();
    let tiers = stats["tiers"].as_array().unwrap();
    let states: u64 = tiers.iter().map(|tier| tier["states"].as_u64().unwrap()).sum();
    assert_eq!(json!(states), stats["states"]);
    let found = server.get("/api/tables/queen/examples?kind=draw&tier=KvK&count=100").json();
    for position in found["examples"].as_array().unwrap() {
        assert!(!position["state"].as_str().unwrap().contains(['q', 'Q']), "{position}");
    }
    let tier_of = |state: &str| server.ask("queen", "position", state)["tier"].clone();
    assert_eq!(tier_of("8/8/8/8/8/3k4/8/K6Q w - - 0 1"), "KQvK");
    assert_eq!(tier_of("8/8/8/8/8/3k4/8/K7 w - - 0 1"), "KvK");
    let none = server.get("/api/tables/queen/examples?kind=win&tier=KvK").json();
    assert_eq!((&none["examples"], &none["complete"]), (&json!([]), &json!(true)));
    server.get("/api/tables/queen/examples?tier=KRvK").assert_problem(400, &["KRvK"]);
}

#[test]
fn answers_say_of_which_table_they_are() {
    let graph = |graph: &str| {
        let folder = Folder::new();
        folder.run(&["solve", "cat-mouse", "--graph", graph, "-o", "table.rtb"]).answer();
        Server::of(folder, &["table.rtb"])
    };
    let servers = [crate::program::SMALL_GRAPH, crate::program::SMALL_GRAPH, "[[1],[0,2],[1]]"];
    let servers = servers.map(graph);
    let addresses = ["", "/probe", "/moves", "/line", "/position", "/picture", "/setup", "/stats"];
    let tags = servers.each_ref().map(|server| {
        let identity = server.get("/api/tables/table").json()["identity"].clone();
        let tag = format!("W/\"{}\"", identity.as_str().unwrap());
        for address in addresses {
            assert_eq!(server.get(&format!("/api/tables/table{address}")).etag, tag, "{address}");
        }
        tag
    });
    assert!(tags[0] == tags[1] && tags[1] != tags[2], "{tags:?}");
    // A client that has the answer learns that it is still right.
    let asked = |tag: &str, state: &str| {
        let address = format!("/api/tables/table/probe?state={state}");
        servers[2].send("GET", &address, &[("if-none-match", tag)], b"")
    };
    let known = asked(&tags[2], "1,2,mouse");
    assert_eq!((known.status, &*known.text, &*known.etag), (304, "", &*tags[2]));
    assert_eq!(asked(&tags[0], "1,2,mouse").status, 200);
    let wrong = asked(&tags[0], "nowhere");
    assert_eq!((wrong.status, wrong.etag), (400, tags[2].clone()));
    // As RFC 9110 has it: any answer, a list of tags, and strong tags that stand for weak ones.
    let strong = tags[2].trim_start_matches("W/");
    let lists = ["*".to_owned(), strong.to_owned(), format!("\"a,b\", W/\"c\",{strong}")];
    for list in &lists {
        let known = asked(list, "1,2,mouse");
        assert_eq!((known.status, &*known.text, &*known.etag), (304, "", &*tags[2]), "{list}");
        for (wrong, status) in [("nowhere", 400), ("1,1,dog", 400), ("1,2,mouse&plies=2", 400)] {
            assert_eq!(asked(list, wrong).status, status, "{list} {wrong}");
        }
    }
    for list in ["\"a\", \"b\"", "\"*\"", strong.trim_matches('"')] {
        assert_eq!(asked(list, "1,2,mouse").status, 200, "{list}");
    }
    let two = format!(
        "GET /api/tables/table/stats HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
         if-none-match: \"a\"\r\nif-none-match: {}\r\n\r\n",
        tags[2]
    );
    assert_eq!(servers[2].raw(two.as_bytes()).status, 304);
}

/// The head of an answer for a client that takes gzip, and the number of bytes behind it.
fn compressed(server: &Server, method: &str, address: &str, body: &str) -> (String, usize) {
    use std::io::{Read as _, Write as _};
    let mut stream = std::net::TcpStream::connect(&server.address).unwrap();
    let request = format!(
        "{method} {address} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
         accept-encoding: gzip, br\r\ncontent-type: application/x-ndjson\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let head = String::from_utf8_lossy(&answer[..end]).to_ascii_lowercase();
    (head, answer.len() - end)
}

#[test]
fn answers_are_compressed_for_clients_that_take_them_so() {
    let server = Server::of_small_table();
    for address in ["/", "/app.js", "/style.css", "/api/openapi.json", "/api/tables/table/position"]
    {
        let plain = server.get(address);
        let (head, length) = compressed(&server, "GET", address, "");
        assert!(head.contains("content-encoding: gzip"), "{address}: {head}");
        assert!(head.contains("vary: accept-encoding"), "{address}: {head}");
        assert!(length * 2 < plain.text.len(), "{address}: {length} of {}", plain.text.len());
        // The tag is that of the answer as it is: a weak one.
        let tag = format!("etag: {}", plain.etag.to_ascii_lowercase());
        assert!(plain.etag.is_empty() || head.contains(&tag), "{address}: {head}");
    }
    let lines = "\"1,2,mouse\"\n".repeat(2_000);
    let batch = compressed(&server, "POST", "/api/tables/table/probe", &lines);
    for (head, _) in [batch, compressed(&server, "GET", "/health", "")] {
        assert!(head.contains("200 ok") && !head.contains("content-encoding"), "{head}");
    }
}

#[test]
fn the_moves_of_a_game_are_those_of_its_positions() {
    let folder = Folder::new();
    let graph = "[[6],[4],[9],[5],[1,5],[3,4,6],[0,5,10],[8,9,10],[7],[2,7],[6,7]]";
    folder.run(&["solve", "cat-mouse", "--graph", graph, "-o", "table.rtb"]).answer();
    let (server, start) = (Server::of(folder, &["table.rtb"]), "1,2,mouse");
    let line = server.ask("table", "line", start);
    let mut steps = line["line"].as_array().unwrap().clone();
    assert!(steps.len() > 1, "{line}");
    let names: Vec<String> =
        steps.iter().map(|step| step["move"].as_str().unwrap().to_owned()).collect();
    let ask = |state: &str, moves: &Json| {
        let moves = encoded(&moves.to_string());
        server.get(&format!("/api/tables/table/game?state={}&moves={moves}", encoded(state)))
    };
    let game = ask(start, &json!(names)).json();
    assert_eq!(game["position"], line["position"]);
    for step in &mut steps {
        let fields = step.as_object_mut().unwrap();
        fields.retain(|name, _| name != "alternatives" && name != "only");
    }
    assert_eq!(game["moves"], json!(steps));
    // Moves that are not the best ones, too.
    let (mut state, mut played, mut expected) = (start.to_owned(), vec![], vec![]);
    for _ in 0..6 {
        let moves = server.ask("table", "moves", &state);
        let all = ["lost", "drawn", "won"].map(|group| moves[group].as_array().unwrap().clone());
        let Some(next) = all.concat().pop() else { break };
        state = next["state"].as_str().unwrap().to_owned();
        played.push(next["move"].clone());
        expected.push(next);
    }
    assert_eq!(ask(start, &json!(played)).json()["moves"], json!(expected));
    let nothing = server.get("/api/tables/table/game").json();
    let begun = server.get("/api/tables/table/probe").json();
    assert_eq!((&nothing["position"], &nothing["moves"]), (&begun, &json!([])));
    ask(start, &json!([names[0], "nowhere"]))
        .assert_problem(400, &["ply 2", "\"nowhere\" is no move in"]);
    ask("1,2,mouse", &json!("nowhere")).assert_problem(400, &["a list of moves in JSON"]);
    ask("1,2,mouse", &json!(vec!["a"; 2_001])).assert_problem(400, &["2001 moves", "at most 2000"]);
    ask("nowhere", &json!([])).assert_problem(400, &["nowhere"]);
}

#[test]
fn a_folder_of_some_tiers_answers_about_these() {
    let folder = Folder::new();
    folder.run(&["solve", "chess", "KQvK", "--tier", "KvK", "-o", "queen.some"]).answer();
    let server = Server::of(folder, &["queen.some"]);
    let table = server.get("/api/tables/queen").json();
    assert_eq!(table["tiers"], json!(["KvK"]));
    let start = table["start"].as_str().expect("a position to begin with");
    assert!(!start.contains(['q', 'Q']), "{start}");
    let position = server.get("/api/tables/queen/position").json();
    assert_eq!((&position["position"]["state"], &position["tier"]), (&json!(start), &json!("KvK")));
    for seed in ["", "&seed=1", "&seed=2"] {
        let examples = format!("/api/tables/queen/examples?kind=draw&count=20{seed}");
        let examples = server.get(&examples).json();
        assert_eq!(examples["examples"].as_array().unwrap().len(), 20, "{examples}");
    }
    let queen = "8/8/8/8/8/3k4/8/K6Q w - - 0 1";
    let asked = format!("/api/tables/queen/position?state={}", encoded(queen));
    let answer = server.get(&asked);
    answer.assert_problem(404, &["tier KQvK", "1 of 2 tiers are solved"]);
    assert_eq!(serde_json::from_str::<Json>(&answer.text).unwrap()["code"], "not-in-table");
    let batch = server.batch("queen", &format!("{queen:?}\n{start:?}\n"));
    assert!(batch.text.contains("not-in-table") && batch.text.contains("\"draw\""), "{batch:?}");
    // Pieces of a tier that is not solved can be put, and it is said that they have no value.
    let set_up = server.get(&format!("/api/tables/queen/setup?state={}", encoded(queen))).json();
    let problem = set_up["turns"][0]["problem"].as_str().expect("a problem");
    assert!(problem.contains("1 of 2 tiers"), "{set_up}");
}

#[test]
fn a_batch_answers_every_line_in_order() {
    let server = Server::of_small_table();
    let lines = "\"1,2,mouse\"\n\"nowhere\"\nnot json\n\"2,1,cat\"\n";
    let answer = server.batch("table", lines);
    assert_eq!((answer.status, &*answer.kind), (200, "application/x-ndjson"));
    let answers: Vec<Json> =
        answer.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 4);
    assert_eq!(answers[0], server.ask("table", "probe", "1,2,mouse"));
    assert!(answers[1]["error"].as_str().unwrap().contains("nowhere"));
    assert!(answers[2]["error"].as_str().unwrap().contains("JSON string"));
    assert_eq!(answers[3], server.ask("table", "probe", "2,1,cat"));
    let many = "\"1,2,mouse\"\n".repeat(5_000);
    assert_eq!(server.batch("table", &many).text.lines().count(), 5_000);
    assert_eq!(server.batch("table", "").text, "");
}

#[test]
fn outcomes_alone_have_no_lines() {
    let folder = Folder::with_small_table();
    let graph = crate::program::SMALL_GRAPH;
    let arguments = ["solve", "cat-mouse", "--graph", graph, "-o", "o.rtb", "--outcomes-only"];
    folder.run(&arguments).answer();
    let server = Server::of(folder, &["o.rtb", "table.rtb"]);
    let [probed, full] = ["o", "table"].map(|name| server.ask(name, "probe", "1,2,mouse"));
    assert_eq!((&probed["outcome"], &probed["plies"]), (&full["outcome"], &Json::Null));
    assert_eq!(server.ask("o", "position", "1,2,mouse")["line"], Json::Null);
    server.get("/api/tables/o/line").assert_problem(409, &["outcomes"]);
    server.get("/api/tables/o/examples").assert_problem(409, &["outcomes"]);
}

#[test]
fn outcomes_alone_are_searched_by_outcome_and_points() {
    let folder = Folder::with_small_table();
    let solve = ["solve", "dots-and-boxes", "-m", "2", "-n", "1", "-o", "points"];
    folder.run(&[&solve[..], &["--outcomes-only=outcomes"]].concat()).answer();
    let server = Server::of(folder, &["points", "outcomes"]);
    for asked in
        ["points=2", "points=-2", "points=0", "kind=win", "kind=loss&points=-1", "kind=only-move"]
    {
        let states = |table: &str| -> Vec<Json> {
            let asked = format!("/api/tables/{table}/examples?{asked}&count=100");
            let found = server.get(&asked).json();
            let found = found["examples"].as_array().unwrap().iter();
            found.map(|one| json!([one["state"], one["outcome"], one["points"]])).collect()
        };
        let [full, outcomes] = ["points", "outcomes"].map(states);
        assert!(full == outcomes && !full.is_empty(), "{asked}");
    }
    for asked in ["kind=longest-loss", "points=2&kind=win&plies=3", "plies=1&kind=loss"] {
        let asked = format!("/api/tables/outcomes/examples?{asked}");
        server.get(&asked).assert_problem(409, &["outcomes only", "distances"]);
    }
}

#[test]
fn health_and_metrics_are_there() {
    let server = Server::of_small_table();
    assert_eq!(server.get("/health").json(), json!({ "status": "ok" }));
    server.get("/api/tables/table/probe?state=nowhere");
    server.ask("table", "probe", "1,2,mouse");
    let metrics = server.get("/metrics");
    assert!(metrics.kind.starts_with("text/plain"), "{metrics:#?}");
    for line in [
        "retrograde_requests_total{route=\"probe\",status=\"2xx\"} 1",
        "retrograde_requests_total{route=\"probe\",status=\"4xx\"} 1",
        "retrograde_requests_in_flight 1",
        "retrograde_tables 1",
    ] {
        assert!(metrics.text.lines().any(|found| found == line), "no {line} in {}", metrics.text);
    }
}

/// A question that is counted as another would be missed by whoever watches the server.
#[test]
fn every_question_is_counted_under_its_name() {
    let server = Server::of_small_table();
    let description = server.get("/api/openapi.json").json();
    let count = |metric: &str| {
        let text = server.get("/metrics").text;
        let line = format!("retrograde_requests_total{{route=\"{metric}\",status=\"2xx\"}} ");
        let count = text.lines().find_map(|found| found.strip_prefix(&line));
        count.unwrap_or_else(|| panic!("no {metric} in {text}")).parse::<u64>().unwrap()
    };
    for path in description["paths"].as_object().unwrap().keys() {
        let metric = match path.strip_prefix("/api/tables/{name}/") {
            Some("picture") => "position",
            Some(question) => question,
            None if path.starts_with("/api/tables") => "tables",
            None => continue,
        };
        let before = count(metric);
        assert_eq!(server.get(&path.replace("{name}", "table")).status, 200);
        assert_eq!(count(metric), before + 1, "{path}");
    }
    let before = count("batch");
    server.batch("table", "\"1,2,mouse\"\n");
    assert_eq!(count("batch"), before + 1);
}

/// Every address of the description answers, and the description contains every address that
/// answers. The fields of the answers are compared one by one with the described ones.
#[test]
fn the_description_is_that_of_this_server() {
    let folder = Folder::with_small_table();
    folder.run(&["solve", "kalah", "--houses", "2", "--seeds", "2", "-o", "kalah"]).answer();
    let server = Server::of(folder, &["table.rtb", "kalah"]);
    let description = server.get("/api/openapi.json").json();
    assert_eq!(description["info"]["version"], env!("CARGO_PKG_VERSION"));
    let page = include_str!("../../../docs/HTTP.md");
    let mut seen = BTreeSet::new();
    for (path, operations) in description["paths"].as_object().unwrap() {
        let address = path.replace("{name}", "table");
        let shown = path.replace("{name}", "NAME");
        assert!(page.contains(&format!("GET {shown}")), "{path} is not in the page");
        let answer = server.get(&address);
        assert_eq!(answer.status, 200, "{answer:#?}");
        let strange = server.get(&format!("{address}?no-such-parameter=1"));
        let is_checked = operations["get"]["responses"]["400"].is_object();
        assert_eq!(strange.status, if is_checked { 400 } else { 200 }, "{strange:#?}");
        let content = operations["get"]["responses"]["200"]["content"].as_object().unwrap();
        let kind = answer.kind.split(';').next().unwrap();
        let schema = &content[kind]["schema"];
        if kind == "application/json" {
            let answer = serde_json::from_str(&answer.text).unwrap();
            check(&description, schema, &answer, path, &mut seen);
        }
    }
    for question in ["", "/stats", "/moves", "/line", "/position", "/examples?points=2"] {
        let path = format!("/api/tables/{{name}}{}", question.split('?').next().unwrap());
        let operation = &description["paths"][path]["get"];
        let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        let answer = server.get(&format!("/api/tables/kalah{question}")).json();
        check(&description, schema, &answer, question, &mut seen);
    }
    let examples = server.get("/api/tables/kalah/examples?points=-2&count=1").json();
    assert_eq!((&examples["kind"], &examples["points"]), (&json!("loss"), &json!(-2)));
    assert_eq!(examples["examples"][0]["points"], 2);
    server.get("/api/tables/table/examples?points=1").assert_problem(400, &["no points"]);
    server.get("/api/tables/kalah/examples?points=512").assert_problem(400, &["-511 to 511"]);
    // What only games with points have is there.
    for field in ["points", "gain", "total", "max_points"] {
        assert!(seen.contains(field), "{field}");
    }
    let position = encoded("2,1,cat");
    for question in ["probe", "moves", "line", "position"] {
        let path = format!("/api/tables/table/{question}?state={position}");
        let operation = &description["paths"][format!("/api/tables/{{name}}/{question}")]["get"];
        let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        check(&description, schema, &server.get(&path).json(), question, &mut seen);
    }
}

/// Checks that a value has the type of a schema and the fields that it requires, and no fields that it
/// does not have. Adds the fields to those that were seen.
fn check(description: &Json, schema: &Json, value: &Json, at: &str, seen: &mut BTreeSet<String>) {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.trim_start_matches("#/components/schemas/");
        return check(description, &description["components"]["schemas"][name], value, at, seen);
    }
    if let Some(either) = schema["anyOf"].as_array() {
        let wanted = if value.is_null() { "null" } else { "object" };
        let schema = either.iter().find(|one| one["type"] == wanted || one.get("$ref").is_some());
        return check(
            description,
            schema.unwrap_or_else(|| panic!("{at}: {value}")),
            value,
            at,
            seen,
        );
    }
    let types: Vec<&str> = match &schema["type"] {
        Json::String(one) => vec![one],
        Json::Array(several) => several.iter().filter_map(Json::as_str).collect(),
        _ => return,
    };
    let found = match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::String(_) => "string",
        Json::Number(number) if !number.is_f64() && !types.contains(&"number") => "integer",
        Json::Number(_) => "number",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    };
    assert!(types.contains(&found), "{at}: {value} is no {types:?}");
    if let (Some(allowed), false) = (schema["enum"].as_array(), value.is_null()) {
        assert!(allowed.contains(value), "{at}: {value}");
    }
    if let (Some(fields), Some(properties)) = (value.as_object(), schema["properties"].as_object())
    {
        let required = schema["required"].as_array().into_iter().flatten();
        for name in required.filter_map(Json::as_str) {
            assert!(fields.contains_key(name), "{at}: no {name}");
        }
        for (name, value) in fields {
            let schema = properties.get(name).unwrap_or_else(|| panic!("{at}: {name}"));
            seen.insert(name.clone());
            check(description, schema, value, &format!("{at}.{name}"), seen);
        }
    }
    for value in value.as_array().into_iter().flatten() {
        check(description, &schema["items"], value, &format!("{at}[]"), seen);
    }
}

#[test]
fn a_clock_that_may_change_who_wins_is_noted_with_the_position() {
    let folder = Folder::new();
    folder.run(&["solve", "chess", "KRvK", "-o", "rook"]).answer();
    let server = Server::of(folder, &["rook/"]);
    let fen = |clock: u32| format!("8/8/8/8/8/2k5/8/K6R w - - {clock} 90");
    let note = |answer: &Json| answer["note"].as_str().unwrap_or_default().to_owned();
    assert_eq!(note(&server.ask("rook", "probe", &fen(0))), "");
    let says = "the fifty-move rule is not applied";
    assert!(note(&server.ask("rook", "probe", &fen(99))).starts_with(says));
    for question in ["moves", "line", "position"] {
        let answer = server.ask("rook", question, &fen(99));
        assert!(note(&answer["position"]).starts_with(says), "{answer}");
    }
    let lines = server.batch("rook", &format!("{:?}\n", fen(99)));
    assert!(lines.text.contains(says), "{lines:#?}");
}
