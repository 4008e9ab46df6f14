//! Pawns on a board that is turned for the player to move, with and without the marks that say so.

use clap::Args;
use retrograde::board::Grid;
use retrograde::cli::{CliError, Registered};
use retrograde::scene::{Piece, Scene};
use retrograde::{
    Game, Notation, NotationError, Numbered, Outcome, Player, Players, Stored, scheme,
};
use serde::{Deserialize, Serialize};

/// Hexapawn on 3 x 3: the pawns of the player to move, who moves up, and those of the other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Pawns<const MARKED: bool>;

type Position = (u16, u16);

fn turned(pawns: u16) -> u16 {
    (0..9).filter(|place| pawns >> place & 1 == 1).map(|place| 1 << (8 - place)).sum()
}

impl<const MARKED: bool> Game for Pawns<MARKED> {
    type State = Position;
    const PLAYERS: Players = Players::Unnamed;

    fn roots(&self) -> impl IntoIterator<Item = Position> {
        [(0b111_000_000, 0b000_000_111)]
    }

    fn terminal(&self, &(_, other): &Position) -> Option<Outcome> {
        (other & 0b111_000_000 != 0).then_some(Outcome::MoverLoses)
    }

    fn no_moves(&self, _: &Position) -> Option<Outcome> {
        Some(Outcome::MoverLoses)
    }

    fn moves(&self, &(own, other): &Position, mut visit: impl FnMut(Position)) {
        for from in (3..9).filter(|place| own >> place & 1 == 1) {
            for to in [from - 4, from - 3, from - 2] {
                let is_step = to == from - 3;
                let is_near = (to % 3_i32 - from % 3).abs() <= 1 && to >= 0;
                if !is_near || to / 3 + 1 != from / 3 {
                    continue;
                }
                let bit = 1 << to;
                if if is_step { (own | other) & bit == 0 } else { other & bit != 0 } {
                    visit((turned(other & !bit), turned(own & !(1 << from) | bit)));
                }
            }
        }
    }
}

impl<const MARKED: bool> Notation for Pawns<MARKED> {
    fn write_state(&self, (own, other): &Position) -> String {
        format!("{own}/{other}")
    }

    fn parse_state(&self, text: &str) -> Result<Position, NotationError> {
        let read = text
            .split_once('/')
            .and_then(|(own, other)| Some((own.parse().ok()?, other.parse().ok()?)));
        read.ok_or_else(|| NotationError::new("expected two sets of places, as in 448/7"))
    }

    fn scene(&self, &(own, other): &Position) -> Option<Scene> {
        let mut scene = Grid::new(3, 3).scene();
        scene.put_on(own.into(), &Piece::disc("pawn").of(Player::First));
        scene.put_on(other.into(), &Piece::disc("pawn").of(Player::Second));
        if MARKED {
            scene.set_sides_of_mover();
            scene.set_places_of_mover(|place| 8 - place);
        }
        Some(scene)
    }
}

impl<const MARKED: bool> Stored for Pawns<MARKED> {
    const NAME: &'static str = if MARKED { "marked" } else { "unmarked" };
}

impl<const MARKED: bool> Numbered for Pawns<MARKED> {
    type Numberings = scheme::Hashed;
}

/// No options.
#[derive(Args)]
pub(crate) struct NoOptions {}

impl<const MARKED: bool> Registered for Pawns<MARKED> {
    const ABOUT: &'static str = "Hexapawn, turned for the player to move";
    const EXAMPLE: &'static str = "";
    const STATES: &'static str = "own and other pawns as sets of places: 448/7";
    type Options = NoOptions;

    fn from_options(_: NoOptions) -> Result<Self, CliError> {
        Ok(Pawns)
    }
}

pub(crate) fn a_board_that_is_not_marked_as_turned_is_noted_before_it_is_solved() {
    let noted = |name| {
        let output = crate::run(&["solve", name], "");
        assert!(output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let note = noted("unmarked");
    for part in [
        "names of moves may be wrong",
        "the board turned round, with colours exchanged",
        "mark the scene with `Scene::set_places_of_mover`",
        "mark the scene with `Scene::set_sides_of_mover`",
    ] {
        assert!(note.contains(part), "no {part:?} in {note}");
    }
    assert!(!noted("marked").contains("names of moves"));
    let told = |name| {
        let output = crate::run(&["laws", name], "");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(told("marked").0, Some(0));
    let (code, error) = told("unmarked");
    assert!(code == Some(1) && !error.contains("\\n"), "{error}");
}
