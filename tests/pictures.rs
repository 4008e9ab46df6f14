//! Pictures that authors draw, and what the engine makes of them if the game has no words of its
//! own.

use retrograde::board::Grid;
use retrograde::error::{BrokenLaw, LawError};
use retrograde::laws::{Law, Laws, Report};
use retrograde::scene::{Kit, Piece, Scene};
use retrograde::{Game, Notation, NotationError, Numbered, Outcome, Player, Players, scheme};
use serde::{Deserialize, Serialize};

/// Up to two discs and a flag, each on one of two cells. A move takes a disc from the left cell to
/// the right one, or the flag with one. A player who can't move loses.
#[derive(Default)]
struct Stacks {
    /// Whether the kit is for pieces that share places.
    is_sharing: bool,
    /// The number of discs.
    discs: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Stack {
    left: u32,
    flag_is_left: bool,
}

fn disc() -> Piece {
    Piece::disc("disc")
}

fn flag() -> Piece {
    Piece::glyph("⚑", "flag")
}

impl Game for Stacks {
    type State = Stack;
    const PLAYERS: Players = Players::Unnamed;

    fn terminal(&self, stack: &Stack) -> Option<Outcome> {
        (stack.left == 0).then_some(Outcome::MoverLoses)
    }

    fn moves(&self, stack: &Stack, mut visit: impl FnMut(Stack)) {
        visit(Stack { left: stack.left - 1, ..*stack });
        if stack.flag_is_left {
            visit(Stack { left: stack.left - 1, flag_is_left: false });
        }
    }

    fn roots(&self) -> impl IntoIterator<Item = Stack> {
        [Stack { left: self.discs, flag_is_left: true }]
    }
}

impl Numbered for Stacks {
    type Numberings = scheme::Hashed;
}

impl Notation for Stacks {
    fn write_state(&self, stack: &Stack) -> String {
        format!("{}{}", stack.left, if stack.flag_is_left { "left" } else { "right" })
    }

    fn parse_state(&self, text: &str) -> Result<Stack, NotationError> {
        let wrong = || NotationError::new("expected discs and where the flag is, as in 1left");
        let (left, flag) = text.split_at_checked(1).ok_or_else(wrong)?;
        let left = left.parse().map_err(|_| wrong())?;
        Ok(Stack { left, flag_is_left: flag == "left" })
    }

    fn write_move(&self, from: &Stack, to: &Stack) -> String {
        let with_flag = from.flag_is_left != to.flag_is_left;
        if with_flag { "with flag".into() } else { "disc".into() }
    }

    /// Puts the discs one by one, as an author may do.
    fn scene(&self, stack: &Stack) -> Option<Scene> {
        let mut scene = Scene::board(2, 1, |column, _| ["left", "right"][column as usize].into());
        (0..stack.left).for_each(|_| scene.put(0, disc()));
        (stack.left..self.discs).for_each(|_| scene.put(1, disc()));
        scene.put(usize::from(!stack.flag_is_left), flag());
        Some(scene)
    }

    fn kit(&self) -> Kit {
        let kit = Kit::new([disc()]).and(Kit::singles([flag()]));
        if self.is_sharing { kit.sharing() } else { kit }
    }

    fn set_up(&self, scene: &Scene, _: Player) -> Result<Stack, NotationError> {
        let on_left = |name| scene.pieces().filter(move |(at, on)| *at == 0 && on.name() == name);
        let left = on_left("disc").map(|(_, discs)| discs.count()).sum();
        Ok(Stack { left, flag_is_left: on_left("flag").count() > 0 })
    }
}

fn check(game: &Stacks) -> Result<Report, LawError> {
    Laws::new(game).notation().check()
}

#[test]
fn the_laws_set_up_a_picture_as_a_person_does() {
    assert!(check(&Stacks { is_sharing: true, discs: 1 }).is_ok());
    // The first state with more pieces on a place than a person can put there.
    for (game, state) in [
        (Stacks { is_sharing: false, discs: 1 }, "0right"),
        (Stacks { is_sharing: true, discs: 2 }, "0right"),
    ] {
        let Err(LawError::Broken(BrokenLaw { law, counterexample, .. })) = check(&game) else {
            panic!("a place with several pieces is not noticed")
        };
        assert_eq!(law, Law::SetUp, "{counterexample}");
        let begin = format!("the picture of {state} is not set up: right has more than one piece");
        assert!(counterexample.starts_with(&begin), "{counterexample}");
        assert!(counterexample.contains("`sharing`"), "{counterexample}");
    }
}

/// Pawns on 3 x 4 squares, as the player to move sees them. They step up, and take diagonally. Whoever
/// comes to the last row has won, and a player who can't move has lost.
#[derive(Default)]
struct Pawns {
    has_sides: bool,
    has_places: bool,
    /// Whether the opponent sees the rows in the other order, instead of the board turned round.
    is_mirrored: bool,
    /// Whether the pawns of the player to move are crosses and the others noughts.
    has_crosses: bool,
    /// The name of all moves, in place of those that the pictures give.
    name: Option<&'static str>,
}

const SQUARES: Grid = Grid::new(3, 4).with_letters("xo");

impl Pawns {
    fn opposite(&self, square: usize) -> usize {
        match self.is_mirrored {
            true => (3 - square / 3) * 3 + square % 3,
            false => 11 - square,
        }
    }

    fn across(&self, set: u64) -> u64 {
        (0..12).filter(|&at| set >> at & 1 == 1).fold(0, |to, at| to | 1 << self.opposite(at))
    }
}

impl Game for Pawns {
    type State = [u64; 2];
    const PLAYERS: Players = Players::Unnamed;

    fn terminal(&self, [_, other]: &[u64; 2]) -> Option<Outcome> {
        (other >> 9 != 0).then_some(Outcome::MoverLoses)
    }

    fn moves(&self, &[own, other]: &[u64; 2], mut visit: impl FnMut([u64; 2])) {
        for from in (3_i32..12).filter(|&at| own >> at & 1 == 1) {
            for to in (from - 4).max(0)..=from - 2 {
                let is_beside = (to % 3 - from % 3).abs() < 2;
                let is_free = (own | other) >> to & 1 == 0;
                let takes = to != from - 3 && is_beside && other >> to & 1 == 1;
                if to == from - 3 && is_free || takes {
                    let own = own ^ 1 << from | 1 << to;
                    visit([self.across(other & !(1 << to)), self.across(own)]);
                }
            }
        }
    }

    fn no_moves(&self, _: &[u64; 2]) -> Option<Outcome> {
        Some(Outcome::MoverLoses)
    }

    fn roots(&self) -> impl IntoIterator<Item = [u64; 2]> {
        [[0b111 << 9, 0b111]]
    }
}

impl Numbered for Pawns {
    type Numberings = scheme::Hashed;
}

impl Notation for Pawns {
    fn write_state(&self, sets: &[u64; 2]) -> String {
        SQUARES.write(|square, kind| sets[kind] >> square & 1 == 1)
    }

    fn parse_state(&self, text: &str) -> Result<[u64; 2], NotationError> {
        let mut sets = [0; 2];
        SQUARES.read(text, |square, kind| sets[kind] |= 1 << square)?;
        Ok(sets)
    }

    fn write_move(&self, from: &[u64; 2], to: &[u64; 2]) -> String {
        let scene = SQUARES.scene();
        let places = self.move_places(from, to);
        let names: Vec<&str> = places.iter().map(|&place| scene.name(place)).collect();
        self.name.map_or(names.join("-"), String::from)
    }

    fn scene(&self, &[own, other]: &[u64; 2]) -> Option<Scene> {
        let mut scene = SQUARES.scene();
        let men = match self.has_crosses {
            true => [Piece::cross(), Piece::nought()],
            false => [Piece::disc("pawn"), Piece::disc("pawn")],
        };
        let [man, other_man] = men;
        scene.put_on(own, &man.of(Player::First));
        scene.put_on(other, &other_man.of(Player::Second));
        if self.has_sides {
            scene.set_sides_of_mover();
        }
        if self.has_places {
            scene.set_places_of_mover(|square| self.opposite(square));
        }
        Some(scene)
    }
}

#[test]
fn moves_on_a_board_that_is_turned_for_the_mover_are_named_as_the_mover_sees_them() {
    for (is_mirrored, has_crosses) in [(false, false), (false, true), (true, false), (true, true)] {
        let game = Pawns {
            has_sides: true,
            has_places: true,
            is_mirrored,
            has_crosses,
            ..Default::default()
        };
        let names = |text: &str| {
            let state = game.parse_state(text).unwrap();
            let mut names = Vec::new();
            game.moves(&state, |next| names.push(game.write_move(&state, &next)));
            names.sort();
            names
        };
        assert_eq!(names("ooo/.../.../xxx"), ["a1-a2", "b1-b2", "c1-c2"]);
        assert_eq!(names("o.o/.o./x../.xx"), ["a2-a3", "a2-b3", "b1-b2", "c1-c2"]);
        let report = Laws::new(&game).notation().check();
        assert!(report.is_ok(), "{report:?}");
    }
}

#[test]
fn the_laws_notice_names_of_moves_that_miss_how_the_other_player_sees_the_board() {
    let places = "mark the scene with `Scene::set_places_of_mover`";
    let sides = "mark the scene with `Scene::set_sides_of_mover`";
    for (is_mirrored, has_crosses) in [(false, false), (false, true), (true, false), (true, true)] {
        for (has_sides, has_places, advice) in [
            (false, false, format!(": {places} and {sides}")),
            (true, false, format!(": {places}")),
            (false, true, format!(": {sides}")),
        ] {
            let game =
                Pawns { has_sides, has_places, is_mirrored, has_crosses, ..Default::default() };
            let Err(LawError::Broken(BrokenLaw { law, counterexample, .. })) =
                Laws::new(&game).notation().check()
            else {
                panic!("not noticed: {advice}")
            };
            assert_eq!(law, Law::MoveNames, "{counterexample}");
            let sees = ["the board turned round", "the board with its rows exchanged"];
            let sees = sees[usize::from(is_mirrored)];
            assert!(counterexample.contains(sees), "{counterexample}");
            assert!(counterexample.ends_with(&advice), "{counterexample}");
        }
    }
}

#[test]
fn the_laws_notice_moves_of_the_same_name() {
    let game =
        Pawns { has_sides: true, has_places: true, name: Some("step"), ..Default::default() };
    let Err(LawError::Broken(BrokenLaw { law, counterexample, .. })) =
        Laws::new(&game).notation().check()
    else {
        panic!("moves of the same name are not noticed")
    };
    assert_eq!(law, Law::MoveNames, "{counterexample}");
    assert!(counterexample.contains("are both named \"step\""), "{counterexample}");
}
