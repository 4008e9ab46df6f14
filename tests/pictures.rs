//! Pictures that authors draw, and what the engine makes of them if the game has no words of its
//! own.

use retrograde::error::LawError;
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
        let Err(LawError::Broken { law, counterexample }) = check(&game) else {
            panic!("a place with several pieces is not noticed")
        };
        assert_eq!(law, Law::SetUp, "{counterexample}");
        let begin = format!("the picture of {state} is not set up: right has more than one piece");
        assert!(counterexample.starts_with(&begin), "{counterexample}");
        assert!(counterexample.contains("`sharing`"), "{counterexample}");
    }
}
