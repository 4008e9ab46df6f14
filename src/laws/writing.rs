//! Writes counterexamples, and checks the notation.

use crate::error::NotationError;
use crate::game::notation::Notation;
use crate::game::{Game, Turns as _, WriteState, debug_parts, write_debug};
use crate::laws::names::{LookAtNames, NameWrong, look_at_names, name_wrong};

/// Reads a state from its text.
type Parse<G> = fn(&G, &str) -> Result<<G as Game>::State, NotationError>;

/// Sets up the position from the picture of a state. Returns what is wrong with the result.
type CheckSetUp<G> = fn(&G, &<G as Game>::State) -> Result<(), String>;

fn check_set_up<G: Notation>(game: &G, state: &G::State) -> Result<(), String> {
    let kit = game.kit();
    let Some(scene) = game.scene(state).filter(|_| !kit.is_empty()) else { return Ok(()) };
    let text = game.write_state(state);
    // As a person puts the pieces there, one by one: pieces of the same kind are counted.
    let set_up = kit.rearranged(&scene, &kit.put_on(&scene));
    if let Some(place) = kit.crowded(&set_up) {
        let place = scene.name(place);
        return Err(format!(
            "the picture of {text} is not set up: {place} has more than one piece; a place that is no \
             reserve has one, or one of each kind if the kit is `sharing`"
        ));
    }
    match game.set_up(&set_up, game.mover(state)) {
        Err(error) => Err(format!("the picture of {text} is not set up: {error}")),
        Ok(back)
            if game.scene(&back).as_ref() != Some(&scene)
                || game.named_mover(&back) != game.named_mover(state) =>
        {
            Err(format!("the picture of {text} is set up as {}", game.write_state(&back)))
        }
        Ok(_) => Ok(()),
    }
}

/// The functions that write states in counterexamples and read them back.
pub(super) struct Writing<G: Game> {
    pub(super) write: WriteState<G>,
    /// Writes states with all their parts.
    pub(super) parts: WriteState<G>,
    /// Reads the text of `write`, if the notation is checked.
    pub(super) parse: Option<Parse<G>>,
    pub(super) set_up: Option<CheckSetUp<G>>,
    pub(super) names: Option<LookAtNames<G>>,
    pub(super) name_wrong: Option<NameWrong<G>>,
}

impl<G: Game> Clone for Writing<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Writing<G> {}

impl<G: Game> Writing<G> {
    pub(super) fn debug() -> Self {
        Writing {
            write: write_debug,
            parts: debug_parts,
            parse: None,
            set_up: None,
            names: None,
            name_wrong: None,
        }
    }

    pub(super) fn notation() -> Self
    where
        G: Notation,
    {
        Writing {
            write: G::write_state,
            parts: G::write_parts,
            parse: Some(G::parse_state),
            set_up: Some(check_set_up::<G>),
            names: Some(look_at_names::<G>),
            name_wrong: Some(name_wrong::<G>),
        }
    }
}
