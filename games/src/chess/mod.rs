//! Chess endings of up to five men, with distances to mate.
//!
//! A game is given by its material, like KQvKR. Its tiers are all the endings that captures and
//! promotions can make of it. There is no castling and no rule of fifty moves; a position comes
//! with a capture en passant where one is legal. Bare kings play on for ever, which is a draw.

mod options;
mod orthodox;

use std::ops::Range;

use retrograde::scene::{Kit, Scene};
use retrograde::{
    Game, Notation, NotationError, Numbered, Outcome, PackedState, Player, Players, Tier,
    TierIndexed, Tiered, Verdict, VisitSuccessors, scheme,
};
use serde::{Deserialize, Serialize};

use crate::{Started, shared};
pub use options::ChessOptions;
use orthodox::Orthodox;
pub use orthodox::{Kind, MOST_MEN, Material, MaterialError, Position};

/// The parameters of a game of chess endings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChessParameters {
    /// The material that play begins with, like KQvKR.
    pub material: String,
}

/// Chess from some material on.
#[derive(Serialize, Deserialize)]
#[serde(try_from = "Started<ChessParameters>", into = "Started<ChessParameters>")]
pub struct Chess {
    rules: Orthodox,
    /// The position that play begins with, if it is not the usual one.
    root: Option<Position>,
}

/// Asks the rules of the game, whichever they are.
macro_rules! ask {
    ($chess:ident, $rules:ident => $answer:expr) => {{
        let $rules = &$chess.rules;
        $answer
    }};
}

impl Chess {
    /// The game that begins with this material.
    #[must_use]
    pub fn new(material: &Material) -> Chess {
        Chess { rules: Orthodox::new(material), root: None }
    }

    /// The material that play begins with.
    #[must_use]
    pub fn material(&self) -> &Material {
        self.rules.material()
    }
}

impl std::fmt::Debug for Chess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Chess").field(&self.material().to_string()).finish()
    }
}

impl Clone for Chess {
    fn clone(&self) -> Chess {
        Chess { root: self.root, ..Chess::new(self.material()) }
    }
}

impl Game for Chess {
    type State = Position;
    const PLAYERS: Players = Players::Folded;

    #[inline(always)]
    fn turn(&self, position: &Position) -> Player {
        position.player()
    }

    #[inline(always)]
    fn terminal(&self, position: &Position) -> Option<Outcome> {
        ask!(self, rules => rules.terminal(position))
    }

    #[inline]
    fn moves(&self, position: &Position, visit: impl FnMut(Position)) {
        ask!(self, rules => rules.moves(position, visit));
    }

    fn no_moves(&self, position: &Position) -> Option<Outcome> {
        ask!(self, rules => rules.no_moves(position))
    }

    /// The first legal position in which the stronger side is white and to move.
    fn roots(&self) -> impl IntoIterator<Item = Position> {
        let usual = || ask!(self, rules => rules.roots().into_iter().next());
        self.root.or_else(usual)
    }

    fn canonical(&self, position: &Position) -> Position {
        ask!(self, rules => rules.canonical(position))
    }
}

impl Tiered for Chess {
    /// Captures and promotions have no backward moves.
    const TIER_PREDECESSORS: bool = true;

    /// Two captures may lead to one position of an ending by symmetry; two quiet moves do not.
    const TIER_DISTINCT: bool = true;

    fn tiers(&self) -> Vec<Tier> {
        ask!(self, rules => rules.tiers())
    }

    #[inline(always)]
    fn tier(&self, position: &Position) -> usize {
        position.ending()
    }

    #[inline(always)]
    fn exits(&self, tier: usize, position: &Position, visit: impl FnMut(Position)) {
        ask!(self, rules => rules.exits(tier, position, visit));
    }

    #[inline(always)]
    fn tier_degree(&self, tier: usize, position: &Position) -> Option<u64> {
        ask!(self, rules => rules.tier_degree(tier, position))
    }

    #[inline(always)]
    fn tier_predecessors(&self, tier: usize, position: &Position, visit: impl FnMut(Position)) {
        ask!(self, rules => rules.tier_predecessors(tier, position, visit));
    }
}

impl TierIndexed for Chess {
    fn tier_len(&self, tier: usize) -> u64 {
        ask!(self, rules => rules.tier_len(tier))
    }

    #[inline(always)]
    fn tier_index(&self, tier: usize, position: &Position) -> u64 {
        ask!(self, rules => rules.tier_index(tier, position))
    }

    #[inline(always)]
    fn tier_unindex(&self, tier: usize, index: u64) -> Option<Position> {
        ask!(self, rules => rules.tier_unindex(tier, index))
    }

    #[inline(always)]
    fn tier_states(&self, tier: usize, indices: Range<u64>, visit: impl FnMut(u64, Position)) {
        ask!(self, rules => rules.tier_states(tier, indices, visit));
    }

    const TIER_SUCCESSOR_INDICES: bool = true;

    fn run_len(&self, tier: usize) -> u64 {
        ask!(self, rules => rules.run_len(tier))
    }

    #[inline(always)]
    fn tier_successor_indices(
        &self,
        tier: usize,
        position: &Position,
        visitor: &mut impl VisitSuccessors<Position>,
    ) {
        ask!(self, rules => rules.tier_successor_indices(tier, position, visitor));
    }
}

impl PackedState for Chess {
    type Word = u64;

    #[inline]
    fn pack(&self, position: &Position) -> u64 {
        position.packed()
    }

    #[inline]
    fn unpack(&self, packed: u64) -> Position {
        Position::of_packed(packed)
    }

    fn is_packed(&self, word: u64) -> bool {
        ask!(self, rules => rules.is_packed(word))
    }
}

impl Numbered for Chess {
    type Numberings = (scheme::Tiers<scheme::Dense>, scheme::Packed);
}

impl Notation for Chess {
    fn player(&self, player: Player) -> &str {
        orthodox::PLAYERS[player.index()].0
    }

    fn rules(&self) -> Option<String> {
        ask!(self, rules => rules.rules())
    }

    fn write_state(&self, position: &Position) -> String {
        ask!(self, rules => rules.write_state(position))
    }

    fn parse_state(&self, text: &str) -> Result<Position, NotationError> {
        ask!(self, rules => rules.parse_state(text)).map_err(|problem| {
            let error = NotationError::new(format!("\"{text}\" is not a position here: {problem}"));
            match self.start() {
                Some(start) => error.with_example(self.write_state(&start)),
                None => error,
            }
        })
    }

    fn note(&self, text: &str, verdict: &Verdict) -> Option<String> {
        ask!(self, rules => rules.note(text, verdict))
    }

    fn start(&self) -> Option<Position> {
        self.root.or_else(|| ask!(self, rules => rules.start()))
    }

    fn write_move(&self, from: &Position, to: &Position) -> String {
        ask!(self, rules => rules.write_move(from, to))
    }

    fn draw(&self, position: &Position) -> String {
        ask!(self, rules => rules.draw(position))
    }

    fn scene(&self, position: &Position) -> Option<Scene> {
        ask!(self, rules => rules.scene(position))
    }

    fn counted_in_moves(&self) -> Option<&str> {
        ask!(self, rules => rules.counted_in_moves())
    }

    fn kit(&self) -> Kit {
        ask!(self, rules => rules.kit())
    }

    fn set_up(&self, scene: &Scene, turn: Player) -> Result<Position, NotationError> {
        ask!(self, rules => rules.set_up(scene, turn))
    }

    fn move_places(&self, from: &Position, to: &Position) -> Vec<usize> {
        ask!(self, rules => rules.move_places(from, to))
    }

    fn with_other_mover(&self, position: &Position) -> Option<Position> {
        ask!(self, rules => rules.with_other_mover(position))
    }
}

shared::shipped! {
    Chess, "chess": "Chess endings of up to five men, with distances to mate",
    example: "KQvKR",
    states: orthodox::EXAMPLE_IN_WORDS,
    parameters: ChessParameters,
    made: |parameters| Material::parse(&parameters.material).map(|material| Chess::new(&material)),
        MaterialError,
    kept: |game| ChessParameters { material: game.material().to_string() },
    options: ChessOptions, ChessOptions::game,
    starts: root,
    how_far: ["material"],
}
