//! Pictures of positions. They show the pieces that the text of the position names, and moves touch
//! places of theirs.

mod again;
mod discs;
mod set_up;
mod sowing;
mod stacks;

use std::collections::{BTreeMap, HashMap};

use retrograde::scene::{Drawing, Scene};
use retrograde::{Game, Notation};
use retrograde_games::bobail::{Bobail, BobailParameters, Rules as BobailRules};
use retrograde_games::cat_mouse::{CatMouse, CatMouseParameters};
use retrograde_games::cat_mouse_grid::{CatMouseGrid, CatMouseGridParameters};
use retrograde_games::chess::{Chess, Material};
use retrograde_games::connect_four::{ConnectFour, ConnectFourParameters};
use retrograde_games::dobutsu::{Dobutsu, DobutsuParameters};
use retrograde_games::hexapawn::{Hexapawn, HexapawnParameters};
use retrograde_games::mnk::{Mnk, MnkParameters};
use retrograde_games::morris::{Board, Morris, MorrisParameters};
use retrograde_games::quixo::{Quixo, QuixoParameters};
use roxmltree::{Document, Node};

/// The pieces on each place that is not empty, in the words of the pictures.
type Pieces = BTreeMap<usize, String>;

/// The number of moves to make in each game, in several games if necessary.
const PLIES: usize = kit::by_effort([20, 60, 150]);

/// Whether a game has positions with the other player to move.
#[derive(Clone, Copy, PartialEq)]
enum Passing {
    Possible,
    Never,
}

/// A picture read from the SVG.
struct Picture {
    /// The shape and the name of each place.
    places: Vec<(String, String)>,
    pieces: Pieces,
    /// The lines of the SVG, sorted.
    lines: Vec<String>,
}

fn scene_of<G: Notation>(game: &G, state: &G::State) -> Scene {
    game.scene(state).unwrap_or_else(|| panic!("{} has no picture", game.write_state(state)))
}

fn drawing<G: Notation>(game: &G, flipped: bool) -> Drawing<'_> {
    use retrograde::Player::{First, Second};
    let players = [First, Second].map(|player| game.player(player));
    Drawing::default().players(players).flipped(flipped)
}

/// Whether the element has this class.
fn has_class(node: &Node<'_, '_>, class: &str) -> bool {
    node.attribute("class").is_some_and(|classes| classes.split(' ').any(|one| one == class))
}

impl Picture {
    fn of<G: Notation>(game: &G, state: &G::State) -> Picture {
        let scene = scene_of(game, state);
        let flipped = scene.to_svg(&drawing(game, true));
        Document::parse(&flipped).expect("a picture that is XML");
        let svg = scene.to_svg(&drawing(game, false));
        let document = Document::parse(&svg).expect("a picture that is XML");
        let elements = || document.descendants().filter(Node::is_element);
        let (mut places, mut pieces) = (Vec::new(), Pieces::new());
        for place in elements().filter(|node| has_class(node, "place")) {
            let number = places.len();
            assert_eq!(place.attribute("data-place"), Some(&*number.to_string()));
            let described = place.attribute("aria-label").expect("a description");
            let (name, on_it) = described.split_once(", ").unwrap_or((described, "empty"));
            assert!(!name.is_empty());
            if !["empty", "wall"].contains(&on_it) {
                pieces.insert(number, on_it.to_owned());
            }
            places.push((
                svg[place.first_child().expect("a shape").range()].to_owned(),
                name.to_owned(),
            ));
        }
        assert_eq!(places.len(), scene.place_count());
        let mut drawn = vec![0; places.len()];
        for piece in elements().filter(|node| has_class(node, "piece")) {
            let at = piece.attribute("data-at").and_then(|at| at.parse::<usize>().ok());
            drawn[at.expect("a place")] += 1;
        }
        for (place, drawn) in drawn.into_iter().enumerate() {
            let described = pieces.get(&place).map_or(0, |pieces| pieces.split(", ").count());
            assert_eq!(drawn, described, "place {place} of {}", game.write_state(state));
        }
        let mut lines: Vec<String> = svg.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        Picture { places, pieces, lines }
    }
}

/// Checks the states of random play from the start. `expected` reads the pieces and their places
/// from the text of a state. `asks` accepts the names of moves that touch the same places as
/// others, so that a person is asked which of them is meant.
fn check<G: Notation>(
    game: &G,
    passing: Passing,
    expected: impl Fn(&str) -> Pieces,
    asks: impl Fn(&str) -> bool,
) {
    let start = game.start().expect("a start");
    let first = Picture::of(game, &start);
    let names: HashMap<&str, usize> =
        first.places.iter().map(|(_, name)| &**name).zip(0..).collect();
    assert_eq!(names.len(), first.places.len(), "no two places have the same name");
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let (mut state, mut passed) = (start.clone(), 0);
    for _ in 0..PLIES {
        let text = game.write_state(&state);
        let picture = Picture::of(game, &state);
        assert_eq!(picture.places, first.places, "{text}");
        assert_eq!(picture.pieces, expected(&text), "{text}");
        passed += usize::from(check_passing(game, &state, &picture));
        let mut moves = Vec::new();
        if game.terminal(&state).is_none() {
            game.moves(&state, |next| moves.push(next));
        }
        check_moves(game, &state, &moves, &asks);
        check_set_up(game, &state);
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let played = moves.get((random >> 33) as usize % moves.len().max(1));
        state = played.unwrap_or(&start).clone();
    }
    assert_eq!(passed > 0, passing == Passing::Possible, "{passed}");
}

/// Whether the other player could be to move. The picture must then be the same.
fn check_passing<G: Notation>(game: &G, state: &G::State, picture: &Picture) -> bool {
    let Some(passed) = game.with_other_mover(state) else { return false };
    let text = game.write_state(&passed);
    assert_eq!(game.parse_state(&text).as_ref(), Ok(&passed), "{text}");
    assert_eq!(game.turn(&passed), game.turn(state).opponent(), "{text}");
    assert_eq!(game.with_other_mover(&passed).as_ref(), Some(state), "{text}");
    assert!(Picture::of(game, &passed).lines == picture.lines, "{text} looks different");
    true
}

/// Checks that a picture's pieces and the player to move give the position again. Only a right to
/// capture en passant is lost.
fn check_set_up<G: Notation>(game: &G, state: &G::State) {
    let text = game.write_state(state);
    let set_up = game.set_up(&scene_of(game, state), game.turn(state));
    let set_up = set_up.unwrap_or_else(|problem| panic!("{text}: {problem}"));
    let mut fields: Vec<&str> = text.split(' ').collect();
    if let [_, _, _, en_passant, ..] = &mut fields[..] {
        *en_passant = "-";
    }
    assert_eq!(game.write_state(&set_up), fields.join(" "));
    assert_eq!(game.parse_state(&fields.join(" ")), Ok(set_up));
}

fn check_moves<G: Notation>(
    game: &G,
    from: &G::State,
    moves: &[G::State],
    asks: impl Fn(&str) -> bool,
) {
    let places = scene_of(game, from).place_count();
    let mut seen: HashMap<Vec<usize>, Picture> = HashMap::new();
    for to in moves {
        let touched = game.move_places(from, to);
        let written = game.write_move(from, to);
        assert!(!touched.is_empty(), "{written} touches nothing");
        assert!(touched.iter().all(|&place| place < places), "{written}: {touched:?}");
        let picture = Picture::of(game, to);
        if let Some(other) = seen.get(&touched) {
            assert!(other.lines == picture.lines || asks(&written), "{written}: {touched:?} too");
        }
        seen.insert(touched, picture);
    }
}

fn never(_: &str) -> bool {
    false
}

/// The pieces of a board that is written square by square, with the words for its letters.
fn on_board(squares: &str, meanings: &[(char, &str)]) -> Pieces {
    let squares = squares.chars().filter(|&square| square != '/').enumerate();
    let standing = squares.filter(|&(_, square)| square != '.');
    let meaning = |letter| {
        let found = meanings.iter().find(|(meant, _)| *meant == letter);
        found.unwrap_or_else(|| panic!("{letter:?} has no meaning")).1.to_owned()
    };
    standing.map(|(place, letter)| (place, meaning(letter))).collect()
}

/// The words for `count` equal pieces on a place, or `None` if there are none.
fn several(count: usize, piece: &str) -> Option<String> {
    match count {
        0 => None,
        1 => Some(piece.to_owned()),
        _ => Some(format!(
            "{count} {}",
            if piece.ends_with("man") { piece.replace("man", "men") } else { format!("{piece}s") }
        )),
    }
}

/// The places that the move with this name touches.
fn touched<G: Notation>(game: &G, from: &str, name: &str) -> Vec<usize> {
    let from = game.parse_state(from).expect("a position");
    let mut found = None;
    game.moves(&from, |to| {
        if game.write_move(&from, &to) == name {
            found = Some(game.move_places(&from, &to));
        }
    });
    found.unwrap_or_else(|| panic!("{} has no move {name}", game.write_state(&from)))
}

fn cat_mouse(graph: &[&[i64]], directed: bool) -> CatMouse {
    let graph = graph.iter().map(|list| list.to_vec()).collect();
    let game = CatMouseParameters { graph, directed, ..CatMouseParameters::default() };
    CatMouse::new(&game).expect("a graph to play on")
}

/// Adds a piece in front of the others on its place.
fn put(pieces: &mut Pieces, place: usize, piece: &str) {
    let here = pieces.entry(place).or_default();
    *here = if here.is_empty() { piece.to_owned() } else { format!("{here}, {piece}") };
}

#[test]
fn cat_and_mouse_run_on_a_graph() {
    let park: &[&[i64]] = &[
        &[6],
        &[4],
        &[9],
        &[5],
        &[1, 5],
        &[3, 4, 6],
        &[0, 5, 10],
        &[8, 9, 10],
        &[7],
        &[2, 7],
        &[6, 7],
    ];
    let one_way: &[&[i64]] = &[&[1], &[2, 3], &[3, 1], &[0, 1]];
    for (graph, directed, lines, arrows) in [(park, false, 10, 0), (one_way, true, 2, 3)] {
        let game = cat_mouse(graph, directed);
        let expected = |text: &str| {
            let parts: Vec<&str> = text.split(',').collect();
            let mut pieces = Pieces::from([(0, "hole".to_owned())]);
            put(&mut pieces, parts[0].parse().expect("a node"), "mouse");
            put(&mut pieces, parts[1].parse().expect("a node"), "cat");
            pieces
        };
        check(&game, Passing::Possible, expected, never);
        let svg = scene_of(&game, &kit::start(&game)).to_svg(&Drawing::default());
        let count = |class: &str| svg.matches(&format!("class=\"{class}\"")).count();
        assert_eq!((count("edge"), count("head")), (lines + arrows, arrows));
    }
}

#[test]
fn a_graph_of_hundreds_of_nodes_is_not_drawn() {
    let ring = |nodes: i64| -> Vec<Vec<i64>> {
        (0..nodes).map(|node| vec![(node + 1) % nodes, (node + nodes - 1) % nodes]).collect()
    };
    for (nodes, is_drawn) in [(300, true), (301, false)] {
        let graph = CatMouseParameters { graph: ring(nodes), ..CatMouseParameters::default() };
        let game = CatMouse::new(&graph).expect("a graph to play on");
        let from = kit::start(&game);
        assert_eq!(game.scene(&from).is_some(), is_drawn);
        game.moves(&from, |to| assert_eq!(game.move_places(&from, &to).is_empty(), !is_drawn));
    }
}

#[test]
fn cat_and_mouse_jump_on_a_grid_with_walls() {
    let game = CatMouseGrid::new(CatMouseGridParameters {
        grid: ["M.C.", "#.#.", "...F"].map(String::from).to_vec(),
        cat_jump: 1,
        mouse_jump: 2,
        ply_limit: 100,
    });
    let game = game.expect("a grid to play on");
    let expected = |text: &str| {
        let cell = |text: &str| {
            let (row, column) = text[1..].split_once('c').expect("a cell");
            4 * row.parse::<usize>().expect("a row") + column.parse::<usize>().expect("a column")
        };
        let parts: Vec<&str> = text.split(',').collect();
        let mut pieces = Pieces::from([(11, "food".to_owned())]);
        put(&mut pieces, cell(parts[0]), "mouse");
        put(&mut pieces, cell(parts[1]), "cat");
        pieces
    };
    check(&game, Passing::Possible, expected, never);
    assert_eq!(touched(&game, "r0c0,r0c2,mouse", "mouse stays"), [0, 0]);
    assert_eq!(touched(&game, "r0c0,r0c2,cat", "cat r0c2-r0c1"), [2, 1]);
    let svg = scene_of(&game, &kit::start(&game)).to_svg(&Drawing::default());
    assert_eq!(svg.matches(", wall\"").count(), 2);
}

#[test]
fn noughts_and_crosses_are_on_their_squares() {
    let game = Mnk::new(MnkParameters { columns: 4, rows: 3, in_a_row: 3, fold: true });
    let game = game.expect("a board");
    let meanings = [('x', "x cross"), ('o', "o nought")];
    check(&game, Passing::Never, |text| on_board(text, &meanings), never);
    assert_eq!(touched(&game, "..../x.../o...", "x r0c3"), [3]);
}

#[test]
fn stones_drop_into_columns() {
    let board = ConnectFourParameters { columns: 5, rows: 4, in_a_row: 4, fold: false };
    let game = ConnectFour::new(board).expect("a board");
    let meanings = [('x', "yellow stone"), ('o', "red stone")];
    check(&game, Passing::Never, |text| on_board(text, &meanings), never);
    assert_eq!(touched(&game, "...../...../...../.xo..", "yellow c2"), [12]);
    let start = kit::start(&game);
    let scene = scene_of(&game, &start);
    assert_eq!(scene.describe(12, ["yellow", "red"]), "c2r1, empty");
}

#[test]
fn pawns_race() {
    let game = Hexapawn::new(HexapawnParameters { columns: 4, rows: 4 }).expect("a board");
    let meanings = [('w', "white pawn"), ('b', "black pawn")];
    let expected = |text: &str| on_board(text.split(',').next().expect("a board"), &meanings);
    check(&game, Passing::Possible, expected, never);
    assert_eq!(touched(&game, "bbbb/..w./..../.w.w,black", "black r0c1xr1c2"), [1, 6]);
}

#[test]
fn the_bobail_steps_and_a_man_follows() {
    let parameters =
        BobailParameters { columns: 5, rows: 5, men: None, rules: BobailRules::Flexible };
    let game = Bobail::new(parameters).expect("a board");
    let meanings = [('w', "white man"), ('b', "black man"), ('o', "bobail")];
    let expected = |text: &str| on_board(text.split(',').next().expect("a board"), &meanings);
    check(&game, Passing::Possible, expected, never);
    let start = "bbbbb/...../..o../...../wwwww,first,white";
    assert_eq!(touched(&game, start, "white a1-a4"), [20, 5]);
    let second = "bbbbb/w..../..o../...../.wwww,black";
    assert_eq!(touched(&game, second, "black c3-d3 b5-b2"), [12, 13, 1, 16]);
}

#[test]
fn animals_are_on_the_board_and_in_hand() {
    let meanings = [
        ('C', "sente chick"),
        ('H', "sente hen"),
        ('E', "sente elephant"),
        ('G', "sente giraffe"),
        ('L', "sente lion"),
        ('c', "gote chick"),
        ('h', "gote hen"),
        ('e', "gote elephant"),
        ('g', "gote giraffe"),
        ('l', "gote lion"),
    ];
    let expected = |text: &str| {
        let parts: Vec<&str> = text.split(',').collect();
        let mut pieces = on_board(parts[0], &meanings);
        for (letter, place) in "CEGceg".chars().zip(12..) {
            let (_, piece) = meanings.iter().find(|meaning| meaning.0 == letter).expect("a piece");
            pieces.extend(several(parts[1].matches(letter).count(), piece).map(|on| (place, on)));
        }
        pieces
    };
    let game = Dobutsu::new(DobutsuParameters::default());
    check(&game, Passing::Possible, expected, never);
    let few = Dobutsu::new(DobutsuParameters { no_elephants: true, no_giraffes: true });
    assert_eq!(scene_of(&few, &kit::start(&few)).place_count(), 14);
    assert_eq!(touched(&game, "gle/.c./.C./ELG,-,sente", "sente Cb3xb2"), [7, 4]);
    assert_eq!(touched(&game, "gle/.C./.../ELG,C,gote", "gote Lb1xb2"), [1, 4]);
    assert_eq!(touched(&game, "gle/.C./.../ELG,C,sente", "sente C*a3"), [12, 6]);
    assert_eq!(touched(&game, "g.e/.lC/.../ELG,C,sente", "sente Cc2xc1+"), [5, 2]);
    // Gote's lion has reached its goal and sente has lost. Gote can't be to move then.
    let arrived = game.parse_state("g.e/Lc./.C./ElG,-,sente").expect("a position");
    assert_eq!(game.with_other_mover(&arrived), None);
}

#[test]
fn chessmen_are_on_their_squares() {
    let meanings = [
        ('K', "white king"),
        ('Q', "white queen"),
        ('R', "white rook"),
        ('B', "white bishop"),
        ('N', "white knight"),
        ('P', "white pawn"),
        ('k', "black king"),
        ('q', "black queen"),
        ('r', "black rook"),
        ('b', "black bishop"),
        ('n', "black knight"),
        ('p', "black pawn"),
    ];
    let expected = |text: &str| {
        let free = |letter: char| match letter.to_digit(10) {
            Some(free) => ".".repeat(free as usize),
            None => letter.to_string(),
        };
        let board = text.split(' ').next().expect("a board");
        on_board(&board.chars().map(free).collect::<String>(), &meanings)
    };
    let game = |material: &str| Chess::new(&Material::parse(material).expect("an ending"));
    for material in ["KQvKR", "KRvKR", "KPvKP", "KNNvK"] {
        // A promoted pawn becomes one of four pieces.
        check(&game(material), Passing::Possible, expected, |written| written.contains('='));
    }
    let pawns = game("KPvKP");
    let en_passant = "8/8/8/8/k2pP3/8/8/K7 b - e3 0 1";
    assert_eq!(touched(&pawns, en_passant, "dxe3"), [35, 44]);
    assert_eq!(touched(&pawns, "8/P7/8/8/8/7p/1k6/3K4 w - - 0 1", "a8=Q"), [8, 0]);
    let with_other_mover = |game: &Chess, text: &str| {
        game.with_other_mover(&game.parse_state(text).expect("a position"))
    };
    assert_eq!(with_other_mover(&pawns, en_passant), None, "the capture goes with the move");
    let rooks = game("KRvK");
    assert_eq!(with_other_mover(&rooks, "8/8/8/8/8/2K5/8/k6R b - - 0 1"), None, "in check");
}

#[test]
fn men_are_on_their_points_and_in_hand() {
    for (board, men, points) in
        [(Board::Six, 6, 16), (Board::Seven, 4, 17), (Board::Nine, 3, 24), (Board::Twelve, 3, 24)]
    {
        let game = Morris::new(MorrisParameters { board, men, flying: true, sliding: false })
            .expect("a game");
        let expected = |text: &str| {
            let parts: Vec<&str> = text.split(',').collect();
            let mut pieces = on_board(parts[0], &[('w', "white man"), ('b', "black man")]);
            let hands = parts[1].split('-').map(|count| count.parse().expect("a count"));
            for (at, (count, man)) in hands.zip(["white man", "black man"]).enumerate() {
                pieces.extend(several(count, man).map(|on| (points + at, on)));
            }
            pieces
        };
        check(&game, Passing::Possible, expected, never);
    }
    let game =
        Morris::new(MorrisParameters { board: Board::Six, men: 6, flying: false, sliding: false });
    let game = game.expect("a game");
    let start = kit::start(&game);
    assert_eq!(game.with_other_mover(&start), None, "white places the first man");
    let mill = "ww./b../..../.../b..,4-4,white";
    assert_eq!(touched(&game, mill, "white e5xa1"), [2, 13]);
}

#[test]
fn cubes_are_pushed_in() {
    let game = Quixo::new(QuixoParameters { size: 4, unfolded: false }).expect("a board");
    let meanings = [('o', "o nought"), ('x', "x cross")];
    let expected = |text: &str| on_board(text.split(',').next().expect("a board"), &meanings);
    check(&game, Passing::Possible, expected, never);
    assert_eq!(touched(&game, "ox../..../..../....,x", "x r0c1-r0c3"), [1, 3]);
    // Every cube of a blank edge can be taken, and pushed in anywhere along that edge.
    let start = kit::start(&game);
    let mut pushes = Vec::new();
    game.moves(&start, |to| {
        pushes.push(game.move_places(&start, &to));
        pushes.extend(game.other_move_places(&start, &to));
    });
    let count = pushes.len();
    pushes.sort_unstable();
    pushes.dedup();
    let edge = |square: usize| ![5, 6, 9, 10].contains(&square);
    let is_push = |from: usize, to: usize| {
        let is_end = |one: usize, two: usize| one != two && (two == 0 || two == 3);
        let ([row, column], [to_row, to_column]) = ([from / 4, from % 4], [to / 4, to % 4]);
        row == to_row && is_end(column, to_column) || column == to_column && is_end(row, to_row)
    };
    let all = (0..16).filter(|&from| edge(from)).flat_map(|from| (0..16).map(move |to| (from, to)));
    let all: Vec<Vec<usize>> =
        all.filter(|&(from, to)| is_push(from, to)).map(|(from, to)| vec![from, to]).collect();
    assert_eq!(pushes, all, "{count}");
}
