//! Pictures of seeds that are sown, where the player to move is always at the bottom.

use retrograde::Player;
use retrograde::scene::Piece;
use retrograde_games::awari::{Awari, AwariParameters, GrandSlam};
use roxmltree::Document;

use super::set_up::refusal;
use super::{Passing, Picture, check, never, scene_of, several, touched};

fn awari(seeds: u32, grand_slam: GrandSlam) -> Awari {
    Awari::new(AwariParameters { seeds, grand_slam }).expect("few seeds")
}

#[test]
fn seeds_are_in_their_houses() {
    let expected = |text: &str| {
        let seeds = text.split([',', '/']).map(|seeds| seeds.parse().expect("a number"));
        let seeds = seeds.map(|seeds| several(seeds, "seed")).enumerate();
        seeds.filter_map(|(place, on)| Some((place, on?))).collect()
    };
    for rule in [GrandSlam::Illegal, GrandSlam::CapturesNothing, GrandSlam::Captures] {
        check(&awari(24, rule), Passing::Never, expected, never);
    }
    let game = awari(9, GrandSlam::Illegal);
    assert_eq!(touched(&game, "0,0,1,0,0,2/1,2,0,0,0,1", "C"), [2]);
    assert_eq!(touched(&game, "0,0,1,0,0,2/1,2,0,0,0,1", "F x5"), [5]);
    let scene = scene_of(&game, &kit::start(&game));
    assert_eq!(scene.describe(0, ["first", "second"]), "A, empty");
    assert_eq!(scene.describe(9, ["first", "second"]), "d, seed");
    let picture = Picture::of(&game, &kit::start(&game));
    let corner = |(shape, _): &(String, String)| {
        let shape = Document::parse(shape).expect("a shape");
        let at = |axis| shape.root_element().attribute(axis)?.parse::<f32>().ok();
        [at("x"), at("y")].map(|at| at.expect("a number"))
    };
    let corners: Vec<[f32; 2]> = picture.places.iter().map(corner).collect();
    let (own, others) = corners.split_at(6);
    assert!(own.windows(2).all(|pair| pair[0][0] < pair[1][0] && pair[0][1] == pair[1][1]));
    // Each house is opposite one of the other row, which goes the other way.
    assert!(own.iter().zip(others.iter().rev()).all(|(own, other)| own[0] == other[0]));
    assert!(own[0][1] > others[0][1], "the player to move is at the bottom");
}

#[test]
fn seeds_that_are_too_many_are_refused() {
    let game = awari(9, GrandSlam::Illegal);
    let more = |place, seed: &Piece| Some((place, seed.clone().times(2)));
    let refused = refusal(&game, "1,1,1,0,0,1/1,0,0,0,0,0", Player::First, more);
    assert_eq!(refused, "it has 10 seeds: expected at most 9");
    let turned = |place, seed: &Piece| Some(((place + 6) % 12, seed.clone()));
    let set_up = refusal(&game, "0,3,0,1,0,0/2,0,0,0,1,0", Player::Second, turned);
    assert_eq!(set_up, "2,0,0,0,1,0/0,3,0,1,0,0");
}
