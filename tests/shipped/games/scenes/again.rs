//! Pictures of games in which a player may move again.

use retrograde_games::dots_and_boxes::{DotsAndBoxes, DotsAndBoxesParameters};
use retrograde_games::kalah::{Ends, Kalah, KalahParameters};

use super::set_up::refusal;
use super::{Passing, Pieces, check, never, scene_of, several, touched};
use retrograde::Player;
use retrograde::scene::{Drawing, Piece};

fn kalah() -> Kalah {
    let ends = Ends::NoMove;
    let parameters = KalahParameters { houses: 4, seeds: 3, empty_capture: false, ends };
    Kalah::new(parameters).expect("a game to play")
}

fn dots(columns: u32, rows: u32) -> DotsAndBoxes {
    DotsAndBoxes::new(DotsAndBoxesParameters { columns, rows }).expect("a board to play on")
}

#[test]
fn seeds_are_in_their_houses() {
    let expected = |text: &str| {
        let (houses, _) = text.split_once(',').expect("who is to move");
        let seeds = houses.split(['-', '/']).map(|seeds| seeds.parse().expect("a number"));
        let seeds = seeds.map(|seeds| several(seeds, "seed")).enumerate();
        seeds.filter_map(|(place, on)| Some((place, on?))).collect()
    };
    let game = kalah();
    check(&game, Passing::Possible, expected, never);
    assert_eq!(touched(&game, "0-1-0-2/2-3-0-7,south", "B x4"), [1]);
    assert_eq!(touched(&game, "0-1-0-2/2-3-0-7,north", "b again"), [5]);
    let scene = scene_of(&game, &kit::start(&game));
    assert_eq!(scene.describe(7, ["south", "north"]), "d, 3 seeds");
    let more = |place, seed: &Piece| Some((place, seed.clone().times(4)));
    let refused = refusal(&game, "3-3-3-3/3-3-3-3,south", Player::First, more);
    assert_eq!(refused, "it has 32 seeds: expected at most 24");
    let moved = |place, seed: &Piece| Some((7 - place, seed.clone()));
    let set_up = refusal(&game, "0-1-0-2/2-3-0-4,south", Player::Second, moved);
    assert_eq!(set_up, "4-0-3-2/2-0-1-0,north");
}

#[test]
fn lines_are_between_dots() {
    let game = dots(3, 2);
    let expected = |text: &str| {
        let (lines, _) = text.split_once(',').expect("who is to move");
        let rows = lines.split('/').zip(["line across", "line down"].into_iter().cycle());
        let lines = rows.flat_map(|(row, name)| row.chars().map(move |letter| (letter, name)));
        let drawn = lines.enumerate().filter(|(_, (letter, _))| *letter == 'x');
        drawn.map(|(place, (_, name))| (place, name.to_owned())).collect::<Pieces>()
    };
    check(&game, Passing::Possible, expected, never);
    assert_eq!(touched(&game, "xxx/.x../.../..../...,first", "a2-a3"), [3]);
    assert_eq!(touched(&game, "xxx/.x../.../..../...,first", "c1-d1"), [16]);
    let start = "x../.x../.../..../..x,first";
    let state = retrograde::Notation::parse_state(&game, start).expect("a position");
    let scene = scene_of(&game, &state);
    assert_eq!(scene.place_count(), 17);
    let svg = scene.to_svg(&Drawing::default());
    assert_eq!(svg.matches("class=\"piece mark").count(), 3);
    assert_eq!(svg.matches("class=\"corner\"").count(), 12);
    assert_eq!(svg.matches("class=\"shade\"").count(), 0, "no box is closed");
    let closed = retrograde::Notation::parse_state(&game, "xx./xx../x../..../...,first");
    let svg = scene_of(&game, &closed.expect("a position")).to_svg(&Drawing::default());
    assert_eq!(svg.matches("class=\"shade\"").count(), 1, "the box at the top left");
    let turned = |place: usize, line: &Piece| Some((16 - place, line.clone()));
    assert_eq!(refusal(&game, start, Player::Second, turned), "x../..../.../..x./..x,second");
    let lower = |place: usize, line: &Piece| Some(((place + 3) % 17, line.clone()));
    let refused = refusal(&game, start, Player::First, lower);
    assert_eq!(refused, "a line across can't be at a2-a3: put a line down there");
}
