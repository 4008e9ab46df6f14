//! Setting up positions by hand: pieces on places, and their possible positions.

use serde_json::{Value as Json, json};

use crate::client::{Server, encoded};
use crate::program::Folder;

/// The file or folder of each shipped game, and the arguments to solve it. In othello, hardly any change
/// of a piece makes a board that play reaches.
const GAMES: [(&str, &[&str]); 15] = [
    ("park.rtb", &["cat-mouse", "--graph", "[[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]"]),
    ("grid.rtb", &["cat-mouse-grid", "--grid", "[\"M#C\",\"..F\"]", "--ply-limit", "20"]),
    ("cops.rtb", &["cops", "--graph", "[[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]"]),
    ("rook", &["chess", "KRvK"]),
    ("four.rtb", &["connect-four", "-m", "3", "-n", "3", "-k", "3"]),
    ("dobutsu.rtb", &["dobutsu", "--no-elephants", "--no-giraffes"]),
    ("hexapawn.rtb", &["hexapawn", "-m", "3", "-n", "3"]),
    ("mnk.rtb", &["mnk", "-m", "3", "-n", "3", "-k", "3"]),
    ("morris", &["morris", "--board", "six", "--men", "3"]),
    ("quixo.rtb", &["quixo", "--size", "3"]),
    ("dots", &["dots-and-boxes", "-m", "2", "-n", "1"]),
    ("kalah", &["kalah", "--houses", "3", "--seeds", "2"]),
    ("awari", &["awari", "--seeds", "6"]),
    ("bobail.rtb", &["bobail", "-m", "3", "-n", "4", "--men", "2"]),
    ("gobblet.rtb", &["gobblet", "--small", "0", "--medium", "1", "--large", "2"]),
];

/// The number of times that a piece is put, moved or removed in each game.
const CHANGES: usize = 80;

/// A piece: its place, its kind, and the number of them.
type Piece = [u64; 3];

fn pieces(answer: &Json) -> Vec<Piece> {
    let pieces = answer["pieces"].as_array().expect("pieces");
    let number = |piece: &Json, name: &str| piece[name].as_u64().expect("a number");
    pieces.iter().map(|piece| ["place", "kind", "count"].map(|name| number(piece, name))).collect()
}

fn ask(server: &Server, table: &str, pieces: &[Piece]) -> Json {
    let written: Vec<String> =
        pieces.iter().map(|[place, kind, count]| format!("{place}.{kind}.{count}")).collect();
    server.get(&format!("/api/tables/{table}/setup?pieces={}", written.join(","))).json()
}

/// Compares each position of an answer with the other answers about it. Returns the number of
/// positions.
fn check(server: &Server, table: &str, answer: &Json) -> usize {
    let mut found = 0;
    for turn in answer["turns"].as_array().expect("turns") {
        let (position, problem) = (&turn["position"], &turn["problem"]);
        if position.is_null() {
            let problem = problem.as_str().expect("a problem");
            assert!(problem.len() > 10 && problem.len() < 200, "{table}: {problem}");
            continue;
        }
        assert_eq!((problem, &position["to_move"]), (&Json::Null, &turn["to_move"]), "{table}");
        let state = position["state"].as_str().expect("a state");
        assert_eq!(&server.ask(table, "probe", state), position, "{table}");
        let again = server.ask(table, "setup", state);
        let [mut one, mut other] = [answer, &again].map(pieces);
        one.sort_unstable();
        other.sort_unstable();
        assert_eq!(one, other, "{table}: {state}");
        assert!(again["turns"].as_array().expect("turns").contains(turn), "{table}: {state}");
        found += 1;
    }
    found
}

#[test]
fn pieces_of_every_game_are_positions_or_it_is_said_why_not() {
    let folder = Folder::new();
    for (path, arguments) in GAMES {
        folder.run(&[&["solve"], arguments, &["-o", path]].concat()).answer();
    }
    let server = Server::of(folder, &GAMES.map(|(path, _)| path));
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut below = |most: usize| {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % most
    };
    for table in GAMES.map(|(path, _)| path.trim_end_matches(".rtb")) {
        assert_eq!(server.get(&format!("/api/tables/{table}")).json()["can_be_set_up"], true);
        let start = server.get(&format!("/api/tables/{table}/setup")).json();
        assert!(check(&server, table, &start) > 0, "{table}: the start is a position");
        let places = start["picture"]["places"].as_array().expect("places").len();
        let kinds = start["kinds"].as_array().expect("kinds").len();
        let (mut put, mut positions, mut problems) = (pieces(&start), 0, 0);
        for change in 0..CHANGES {
            if change % 8 == 0 {
                put = pieces(&start);
            }
            let place = below(places) as u64;
            match (put.len(), below(4)) {
                (0, _) | (_, 0) => put.push([place, below(kinds) as u64, 1]),
                (all, 1) => drop(put.swap_remove(below(all))),
                (all, _) => put[below(all)][0] = place,
            }
            let answer = ask(&server, table, &put);
            match check(&server, table, &answer) {
                0 => problems += 1,
                found => positions += found,
            }
        }
        println!("{table}: {positions} positions, {problems} problems");
        assert!(positions > 0, "{table}");
        // In Quixo and hexapawn, the cubes and pawns may be anywhere.
        assert!(problems > 0 || ["quixo", "hexapawn"].contains(&table), "{table}");
    }
    let twice = ask(&server, "hexapawn", &[[4, 0, 1], [4, 1, 1]]);
    assert_eq!(twice["turns"][0]["problem"], "r1c1 has more than one piece");
    let x = ask(&server, "mnk", &[[4, 0, 1]]);
    assert_eq!(x["turns"][0]["problem"], "with these pieces, o is to move");
    assert_eq!(x["turns"][1]["position"]["state"], ".../.x./...");
    let unreached = ask(&server, "mnk", &[0, 1, 2, 6, 7, 8].map(|at| [at, at / 6, 1]));
    let problem = unreached["turns"][0]["problem"].as_str().expect("a problem");
    assert!(problem.contains("play never comes"), "{problem}");
}

#[test]
fn a_piece_that_is_put_to_others_in_hand_becomes_one_of_them() {
    let folder = Folder::new();
    let game = ["solve", "dobutsu", "--no-elephants", "--no-giraffes", "-o", "dobutsu.rtb"];
    folder.run(&game).answer();
    let server = Server::of(folder, &["dobutsu.rtb"]);
    let start = server.get("/api/tables/dobutsu/setup").json();
    let named = |of: &str, list: &str, player: &str| {
        let list = if list == "kinds" { &start["kinds"] } else { &start["picture"]["places"] };
        let is_it =
            |one: &Json| one["name"] == of && (player.is_empty() || one["player"] == player);
        list.as_array().and_then(|list| list.iter().position(is_it)).expect(of) as u64
    };
    let hand = named("sente's chicks in hand", "places", "");
    let [own, other] = ["sente", "gote"].map(|player| named("chick", "kinds", player));
    let captured: Vec<Piece> = pieces(&start)
        .into_iter()
        .map(|[place, kind, count]| [if kind == other { hand } else { place }, kind, count])
        .collect();
    let answer = ask(&server, "dobutsu", &captured);
    assert!(pieces(&answer).contains(&[hand, own, 1]), "{}", answer["pieces"]);
    assert_eq!(check(&server, "dobutsu", &answer), 2);
}

#[test]
fn wrong_pieces_are_named() {
    let folder = Folder::with_small_table();
    let nodes: Vec<Json> =
        (0..301).map(|node| json!([(node + 1) % 301, (node + 300) % 301])).collect();
    let lane = Json::from(nodes).to_string();
    folder.run(&["solve", "cat-mouse", "--graph", &lane, "-o", "lane.rtb"]).answer();
    let server = Server::of(folder, &["table.rtb", "lane.rtb"]);
    for (query, status, says) in [
        ("pieces=1", 400, "PLACE.KIND"),
        ("pieces=1.2.3.4", 400, "1.2.3.4"),
        ("pieces=1.0,%201.1", 400, "PLACE.KIND"),
        ("pieces=1.2", 400, "kinds 0 to 1"),
        ("pieces=4.0", 400, "places 0 to 3"),
        ("pieces=1.0.0", 400, "1 to 99"),
        ("pieces=99999999999.0", 400, "PLACE.KIND"),
        ("pieces=1.0&state=1,2,mouse", 400, "one of the two"),
        ("state=rubbish", 400, "rubbish"),
        ("piece=1.0", 400, "expected state, pieces, flip"),
    ] {
        let address = format!("/api/tables/table/setup?{query}");
        server.get(&address).assert_problem(status, &[says]);
    }
    let many = "1.0,".repeat(5_000) + "1.0";
    let address = format!("/api/tables/table/setup?pieces={}", encoded(&many));
    server.get(&address).assert_problem(400, &["5001 pieces", "4096"]);
    assert_eq!(server.get("/api/tables/lane").json()["can_be_set_up"], false);
    server.get("/api/tables/lane/setup").assert_problem(404, &["written", "not set up by hand"]);
}
