//! Chess endings of up to five men, with distances to mate.
//!
//! A game is given by its material, like KQvKR. Its tiers are all the endings that captures and
//! promotions can make of it. All endings of some number of men are a game, too. There is no
//! castling and no rule of fifty moves; a position comes with a capture en passant where one is
//! legal. Bare kings play on for ever, which is a draw.

mod fairy;
mod options;
mod orthodox;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use retrograde::scene::{Kit, Scene};
use retrograde::{
    Game, Notation, NotationError, Numbered, Outcome, PackedState, Player, Players, Repeats, Rows,
    Tier, TierIndexed, Tiered, Verdict, VisitSuccessors, scheme,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{BoardError, Started, shared};
use fairy::Fairy;
pub use fairy::{BareKing, PieceError, Variant, Worth};
pub use options::ChessOptions;
use orthodox::Orthodox;
pub use orthodox::{Endings, Kind, MOST_MEN, Material, MaterialError, Position};

/// The parameters of a game of chess endings. Those that are left out are as in orthodox chess.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChessParameters {
    /// The material that play begins with, like KQvKR, or all endings of some men, like all-5.
    pub material: String,
    /// Letters that stand for other pieces, in the notation of R. Betza or by a name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pieces: BTreeMap<char, String>,
    /// The files and ranks of the board, like 10x8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// The variant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<Variant>,
    /// The worth of stalemate for the player who has no move, if it is not that of the variant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalemate: Option<Worth>,
    /// The meaning of a bare king, if it is not that of the variant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bare_king: Option<BareKing>,
    /// The rank of the pawns' double step, counted from their side, or 0 for none, if it is not as usual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub double_step: Option<u8>,
    /// The letters of the pieces that pawns become, if they are not as usual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promote: Option<String>,
    /// The squares on which a king has won, like d4,e4, if they are not those in the middle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hill: Option<String>,
}

impl ChessParameters {
    /// Whether the game is orthodox chess.
    fn is_orthodox(&self) -> bool {
        let material = &self.material;
        let usual = ChessParameters { material: material.clone(), ..ChessParameters::default() };
        let is_usual = |letter: char| "KQRBNPV".contains(letter.to_ascii_uppercase());
        let names_others = || {
            fairy::letters()
                .any(|(letter, ..)| material.to_uppercase().contains(letter) && !is_usual(letter))
        };
        *self == usual && (Endings::is_all(material) || !names_others())
    }
}

/// An error in the parameters of a game of chess endings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ChessError {
    /// The material is none of orthodox chess.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// The board is too small or too large.
    #[error("--board: {0}")]
    Board(#[from] BoardError),
    /// The size of the board is not understood.
    #[error("--board: \"{0}\" is not a size: expected files x ranks, as in 10x8")]
    Size(String),
    /// A letter can't stand for a piece.
    #[error("--piece: {0:?} can't stand for a piece: expected a capital other than V")]
    Letter(char),
    /// Nobody knows how a piece moves.
    #[error("--piece: {0:?} stands for no piece: say how it moves, as in --piece {0}=QN")]
    Unknown(char),
    /// The notation of a piece is not understood.
    #[error("--piece: {0}")]
    Piece(PieceError),
    /// An option is for pawns, and there are none.
    #[error("{0} is for pawns, and there are none: leave it out")]
    NoPawns(&'static str),
    /// Pawns can't make a double step from a rank.
    #[error("--double-step: {}", double_step_problem(*rank, *most))]
    DoubleStep {
        /// The rank.
        rank: u8,
        /// The last rank from which a double step ends before the ranks of promotion.
        most: u8,
    },
    /// Pawns can't become these pieces.
    #[error("--promote: {0:?}: expected letters of pieces, but of no pawn and no king, as in QN")]
    Promote(String),
    /// Squares win for a king only in one variant.
    #[error(
        "--hill is for the variant king-of-the-hill: name that variant, or leave the squares out"
    )]
    NoHill,
    /// The board has no such square.
    #[error("--hill: {0:?} is no square of the board: expected squares, as in d4,e4")]
    Hill(String),
    /// There are not two sides.
    #[error("{0}")]
    Sides(String),
    /// A side has no king, or several.
    #[error("\"{side}\" has {kings} kings: expected one on each side, as in KQvKR")]
    Kings {
        /// The side's men.
        side: String,
        /// How many of them are kings.
        kings: usize,
    },
    /// There are too many men.
    #[error("{text} has {men} men: expected at most {MOST_MEN}, kings included")]
    Men {
        /// The text.
        text: String,
        /// How many men it has.
        men: usize,
    },
    /// A king is no king in this variant.
    #[error("--bare-king needs kings, and {0:?} has none: leave one of them out")]
    NoKing(Variant),
    /// Play is over before it begins.
    #[error("with {0}, play is over before a move: expected more men")]
    Over(String),
    /// There are too many endings.
    #[error(
        "captures and promotions lead to {0} endings: expected at most 256, so use fewer men, or name fewer pieces in --promote"
    )]
    Endings(usize),
}

/// The rank that was named, and those that are expected.
fn double_step_problem(rank: u8, most: u8) -> String {
    match most {
        ..2 => format!("there is none from rank {rank} here: expected none"),
        _ => {
            format!("there is none from rank {rank} here: expected none or a rank from 2 to {most}")
        }
    }
}

/// The rules of a game.
enum Rules {
    Orthodox(Orthodox),
    Fairy(Arc<Fairy>),
}

/// Chess from some material on.
#[derive(Serialize, Deserialize)]
#[serde(try_from = "Started<ChessParameters>", into = "Started<ChessParameters>")]
pub struct Chess {
    rules: Rules,
    /// The position that play begins with, if it is not the usual one.
    root: Option<Position>,
}

/// Asks the rules of the game, whichever they are.
macro_rules! ask {
    ($chess:ident, $rules:ident => $answer:expr) => {
        match &$chess.rules {
            Rules::Orthodox($rules) => $answer,
            Rules::Fairy($rules) => $answer,
        }
    };
}

impl Chess {
    /// The game of orthodox chess that begins with this material, or with these endings.
    #[must_use]
    pub fn new(begins: impl Into<Endings>) -> Chess {
        Chess { rules: Rules::Orthodox(Orthodox::new(begins.into())), root: None }
    }

    /// The game of these parameters.
    fn made(mut parameters: ChessParameters) -> Result<Chess, ChessError> {
        parameters.board.take_if(|board| board == "8x8");
        parameters.variant.take_if(|variant| *variant == Variant::Chess);
        let orthodox = |text: &str| Ok(Chess::new(Endings::parse(text)?));
        if parameters.is_orthodox() {
            return orthodox(&parameters.material);
        }
        let fairy = Fairy::new(parameters)?;
        if fairy.parameters().is_orthodox() {
            return orthodox(&fairy.parameters().material);
        }
        Ok(Chess { rules: Rules::Fairy(Arc::new(fairy)), root: None })
    }

    /// The parameters of the game.
    #[must_use]
    pub fn parameters(&self) -> ChessParameters {
        match &self.rules {
            Rules::Orthodox(orthodox) => ChessParameters {
                material: orthodox.begins().to_string(),
                ..ChessParameters::default()
            },
            Rules::Fairy(fairy) => fairy.parameters().clone(),
        }
    }
}

impl std::fmt::Debug for Chess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Chess").field(&self.parameters().material).finish()
    }
}

impl Clone for Chess {
    fn clone(&self) -> Chess {
        let rules = match &self.rules {
            Rules::Orthodox(orthodox) => Rules::Orthodox(Orthodox::new(orthodox.begins().clone())),
            Rules::Fairy(fairy) => Rules::Fairy(Arc::clone(fairy)),
        };
        Chess { rules, root: self.root }
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

    const TIER_PREDECESSOR_INDICES: bool = true;

    #[inline(always)]
    fn tier_predecessor_indices(
        &self,
        tier: usize,
        position: &Position,
        visit: impl FnMut(u64, Player),
    ) -> Repeats {
        ask!(self, rules => rules.tier_predecessor_indices(tier, position, visit))
    }

    fn tier_rows(&self, tier: usize) -> Option<impl Rows> {
        match &self.rules {
            Rules::Orthodox(orthodox) => orthodox.tier_rows(tier),
            Rules::Fairy(_) => None,
        }
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
    made: Chess::made, ChessError,
    kept: |game| game.parameters(),
    options: ChessOptions, ChessOptions::game,
    starts: root,
    how_far: ["material"],
}
