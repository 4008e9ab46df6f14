//! Chess with pieces, boards and goals that are data.

mod board;
mod en_passant;
mod ending;
mod goal;
mod material;
mod moves;
mod notation;
mod numbering;
mod piece;
mod play;
mod position;
mod safety;
mod setup;
mod steps;
mod tables;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::OnceLock;

use retrograde::{
    Game, Outcome, PackedState, Player, Players, Repeats, Tier, TierIndexed, Tiered,
    VisitSuccessors,
};

use super::{ChessError, ChessParameters, Position};
use board::{Board, Set, bit};
use ending::{Ending, Over};
use goal::Pawns;
pub use goal::{BareKing, Variant, Worth};
use material::Material;
use numbering::MOST_MEN;
pub use piece::PieceError;
use piece::{NAMED, Piece};
use setup::Setup;

/// Chess with other pieces, boards or goals, from some material on.
pub(super) struct Fairy {
    parameters: ChessParameters,
    setup: Setup,
    /// In solving order; the last has the material that play begins with.
    endings: Vec<Ending>,
    leads_to: Vec<Vec<usize>>,
    /// The position that play begins with.
    first: OnceLock<Option<Position>>,
}

/// How many positions are tried to find one that play begins with.
const MOST_TRIED: usize = 1 << 16;

/// The order of pieces in names: these letters, then others, then pawns.
fn rank_of(letter: char) -> (usize, char) {
    let first = "KQRBN".chars().position(|other| other == letter);
    (first.unwrap_or(if letter == 'P' { 9 } else { 8 }), letter)
}

/// The letters that stand for pieces without an option, and the names of these.
pub(super) fn letters() -> impl Iterator<Item = (char, &'static str, &'static str)> {
    NAMED.iter().filter_map(|&(name, letter, betza)| Some((letter?, name, betza)))
}

/// The moves of a pawn without its double step.
const PAWN: &str = "mfWcfF";

/// The pawns of a game whose men these are, if there are any. Takes out parameters that are as usual.
fn pawns(
    parameters: &mut ChessParameters,
    board: Board,
    royal: bool,
    letters: &BTreeSet<char>,
) -> Result<Option<Pawns>, ChessError> {
    let own = parameters.variant.unwrap_or_default().own_pawns();
    let is_other = parameters.pieces.contains_key(&'P');
    if !letters.contains(&'P') || is_other && own.is_none() {
        let option = [
            parameters.double_step.map(|_| "--double-step"),
            parameters.promote.as_ref().map(|_| "--promote"),
        ];
        return match option.into_iter().flatten().next() {
            Some(option) => Err(ChessError::NoPawns(option)),
            None => Ok(None),
        };
    }
    let ranks = own.map_or(1, |(ranks, _)| ranks);
    let usual = if own.is_none() && board.ranks >= RANKS_OF_DOUBLE_STEP { 2 } else { 0 };
    parameters.double_step.take_if(|rank| *rank == usual);
    let rank = parameters.double_step.unwrap_or(usual);
    // It ends before the ranks of promotion.
    let most = if is_other { 0 } else { board.ranks.saturating_sub(ranks + 2) };
    if rank == 1 || rank > most {
        return Err(ChessError::DoubleStep { rank, most });
    }
    let is_allowed = |&letter: &char| letter != 'P' && !(royal && letter == 'K');
    let usual: BTreeSet<char> = match own {
        Some((_, letter)) => BTreeSet::from([letter]),
        None => {
            let named = parameters.pieces.keys().chain(letters).copied();
            let king = (!royal).then_some('K');
            named.chain("QRBN".chars()).chain(king).filter(is_allowed).collect()
        }
    };
    let mut becomes = usual.clone();
    if let Some(text) = &parameters.promote {
        becomes = text.chars().collect();
        let is_piece = |letter: &char| letter.is_ascii_uppercase() && is_allowed(letter);
        if becomes.is_empty() || !becomes.iter().all(is_piece) {
            return Err(ChessError::Promote(text.clone()));
        }
    }
    let mut become_one_of: Vec<char> = becomes.iter().copied().collect();
    become_one_of.sort_by_key(|&letter| rank_of(letter));
    let other = (becomes != usual).then(|| become_one_of.iter().collect());
    parameters.promote = other;
    Ok(Some(Pawns { ranks, double_step: (rank > 0).then_some(rank), become_one_of }))
}

/// The fewest ranks of a board on which pawns have a double step unless an option says otherwise.
const RANKS_OF_DOUBLE_STEP: u8 = 6;

/// The squares on which a king has won. Takes out the parameter if it names those that are usual.
fn hill(parameters: &mut ChessParameters, board: Board) -> Result<Set, ChessError> {
    let Some(text) = &parameters.hill else { return Ok(board.middle()) };
    if parameters.variant != Some(Variant::KingOfTheHill) {
        return Err(ChessError::NoHill);
    }
    let mut hill = 0;
    for name in text.split(',') {
        let square = (0..board.len() as u8).find(|&square| board.name(square) == name.trim());
        hill |= bit(square.ok_or_else(|| ChessError::Hill(name.to_owned()))?);
    }
    let names: Vec<String> = board::squares(hill).map(|square| board.name(square)).collect();
    parameters.hill = (hill != board.middle()).then(|| names.join(","));
    Ok(hill)
}

/// The pieces that these letters stand for, the strongest first.
fn pieces(parameters: &ChessParameters, wanted: &BTreeSet<char>) -> Result<Vec<Piece>, ChessError> {
    for &letter in parameters.pieces.keys() {
        if !letter.is_ascii_uppercase() || letter == 'V' {
            return Err(ChessError::Letter(letter));
        }
    }
    let variant = parameters.variant.unwrap_or_default();
    let mut pieces = Vec::new();
    for &letter in wanted {
        let of_variant = variant.letters().iter().find(|(other, _)| *other == letter);
        let usual = letters().find(|(other, ..)| *other == letter).map(|(_, _, betza)| betza);
        let betza = match parameters.pieces.get(&letter) {
            Some(betza) => betza.as_str(),
            None if letter == 'P' => PAWN,
            None => {
                of_variant.map(|(_, betza)| *betza).or(usual).ok_or(ChessError::Unknown(letter))?
            }
        };
        pieces.push(Piece::new(letter, betza).map_err(ChessError::Piece)?);
    }
    pieces.sort_by_key(|piece| rank_of(piece.letter));
    Ok(pieces)
}

/// Refuses men that no game can have.
fn check_men(text: &str, sides: &[Vec<char>; 2], royal: bool) -> Result<(), ChessError> {
    let men = sides.iter().map(Vec::len).sum();
    if men > MOST_MEN {
        return Err(ChessError::Men { text: text.to_owned(), men });
    }
    let is_king = |letter: &&char| **letter == 'K';
    match sides.iter().find(|side| side.iter().filter(is_king).count() != 1) {
        Some(side) if royal => {
            let kings = side.iter().filter(is_king).count();
            Err(ChessError::Kings { side: side.iter().collect(), kings })
        }
        _ => Ok(()),
    }
}

impl Fairy {
    /// The game of these parameters.
    pub(super) fn new(mut parameters: ChessParameters) -> Result<Fairy, ChessError> {
        let variant = parameters.variant.unwrap_or_default();
        let mut goal = variant.goal();
        goal.stalemate = parameters.stalemate.unwrap_or(goal.stalemate);
        goal.bare = parameters.bare_king.unwrap_or(goal.bare);
        if parameters.bare_king.is_some() && !goal.royal {
            return Err(ChessError::NoKing(variant));
        }
        let board = match &parameters.board {
            None => Board::USUAL,
            Some(text) => {
                let size = text
                    .split_once('x')
                    .and_then(|(files, ranks)| Some((files.parse().ok()?, ranks.parse().ok()?)));
                let (files, ranks) = size.ok_or_else(|| ChessError::Size(text.clone()))?;
                Board::new(files, ranks)?
            }
        };
        let text = &parameters.material;
        let sides = material::letters(text).map_err(ChessError::Sides)?;
        check_men(text, &sides, goal.royal)?;
        let hill = hill(&mut parameters, board)?;
        let mut wanted = sides.iter().flatten().copied().collect();
        let pawns = pawns(&mut parameters, board, goal.royal, &wanted)?;
        wanted.extend(pawns.iter().flat_map(|pawns| &pawns.become_one_of));
        let pieces = pieces(&parameters, &wanted)?;
        let setup = Setup::new(board, pieces, goal, pawns, hill);
        let number = |letter: &char| {
            let place = setup.pieces.iter().position(|piece| piece.letter == *letter);
            place.unwrap_or_default() as u8
        };
        let sides = sides.map(|side| side.iter().map(number).collect());
        let (material, _) = Material::new(sides, setup.folds());
        let name = material.name(&setup.pieces);
        // Letters that stand for other pieces than usual are told.
        let orthodox = |piece: &&Piece| {
            let usual = letters().find(|(letter, ..)| *letter == piece.letter);
            let usual = usual.map_or(PAWN, |(.., betza)| betza);
            "KQRBNP".contains(piece.letter) && usual == piece.betza
        };
        let named = setup.pieces.iter().filter(|piece| !orthodox(piece));
        let parameters = ChessParameters {
            material: name.clone(),
            pieces: named.map(|piece| (piece.letter, piece.betza.clone())).collect(),
            ..parameters
        };
        let (endings, leads_to, first) = (Vec::new(), Vec::new(), OnceLock::new());
        let mut game = Fairy { parameters, setup, endings, leads_to, first };
        game.add_endings(material)?;
        let is_over = game.endings.last().is_none_or(|ending| !ending.over.contains(&Over::No));
        if is_over { Err(ChessError::Over(name)) } else { Ok(game) }
    }

    /// Adds the endings that play from some material comes to.
    fn add_endings(&mut self, material: Material) -> Result<(), ChessError> {
        let setup = &self.setup;
        let (mut endings, mut found) = (BTreeMap::new(), vec![material]);
        while let Some(material) = found.pop() {
            endings.entry(material).or_insert_with_key(|material| {
                let ending = Ending::new(setup, material.clone());
                found.extend(ending.successors(setup));
                ending
            });
        }
        let pawns = |material: &Material| {
            material.sides.iter().flatten().filter(|&&kind| kind == setup.pawn).count()
        };
        let mut endings: Vec<Ending> = endings.into_values().collect();
        endings.sort_by_key(|ending| {
            (ending.material.men(), pawns(&ending.material), ending.material.clone())
        });
        let materials = endings.iter().map(|ending| ending.material.clone());
        let numbers: BTreeMap<Material, u8> = materials.zip(0..=u8::MAX).collect();
        if numbers.len() < endings.len() {
            return Err(ChessError::Endings(endings.len()));
        }
        for (ending, number) in endings.iter_mut().zip(0..) {
            ending.number = number;
            self.leads_to.push(ending.link(setup, &numbers));
        }
        self.endings = endings;
        Ok(())
    }

    /// The first position in which play is not over, white to move if that can be. Gives up after some
    /// indices, and takes any position.
    fn first_position(&self) -> Option<Position> {
        let main = self.endings.len() - 1;
        let ending = &self.endings[main];
        let len = ending.numbering.len();
        let start = if ending.over[0] == Over::No { 0 } else { len / 2 };
        let positions = |from: u64| (from..len).filter_map(|index| self.tier_unindex(main, index));
        let goes_on = |position: &Position| {
            let mut has_moves = false;
            self.end(*position).is_none() && {
                self.moves(position, |_| has_moves = true);
                has_moves
            }
        };
        let usual = positions(start).take(MOST_TRIED).find(goes_on);
        usual.or_else(|| positions(0).next())
    }

    pub(super) fn parameters(&self) -> &ChessParameters {
        &self.parameters
    }
}

impl Game for Fairy {
    type State = Position;
    const PLAYERS: Players = Players::Folded;

    fn turn(&self, position: &Position) -> Player {
        position.player()
    }

    #[inline]
    fn terminal(&self, position: &Position) -> Option<Outcome> {
        self.end(*position)
    }

    fn moves(&self, position: &Position, mut visit: impl FnMut(Position)) {
        self.visit_steps(*position, |_, next| visit(next));
        self.visit_leaving(*position, |_, next| visit(next));
    }

    fn no_moves(&self, position: &Position) -> Option<Outcome> {
        let (goal, side) = (&self.setup.goal, position.side());
        let men = position::squares(*position);
        let is_mate = self.in_check(self.ending(*position), &men, side);
        Some(match if is_mate { goal.mate } else { goal.stalemate } {
            Worth::Won => Outcome::Win(position.player()),
            Worth::Drawn => Outcome::Draw,
            Worth::Lost => Outcome::Win(position.player().opponent()),
        })
    }

    fn roots(&self) -> impl IntoIterator<Item = Position> {
        *self.first.get_or_init(|| self.first_position())
    }

    fn canonical(&self, position: &Position) -> Position {
        let tier = position.ending();
        self.tier_unindex(tier, self.tier_index(tier, position)).unwrap_or(*position)
    }
}

impl Tiered for Fairy {
    const TIER_PREDECESSORS: bool = true;
    const TIER_DISTINCT: bool = true;

    fn tiers(&self) -> Vec<Tier> {
        let endings = self.endings.iter().zip(&self.leads_to);
        endings
            .map(|(ending, leads_to)| Tier {
                name: ending.material.name(&self.setup.pieces),
                leads_to: leads_to.clone(),
            })
            .collect()
    }

    fn tier(&self, position: &Position) -> usize {
        position.ending()
    }

    #[inline(never)]
    fn exits(&self, _: usize, position: &Position, mut visit: impl FnMut(Position)) {
        self.visit_leaving(*position, |_, next| visit(next));
    }

    fn tier_degree(&self, _: usize, position: &Position) -> Option<u64> {
        Some(self.degree(*position))
    }

    #[inline(never)]
    fn tier_predecessors(&self, _: usize, position: &Position, visit: impl FnMut(Position)) {
        self.visit_steps_back(*position, visit);
    }
}

impl TierIndexed for Fairy {
    fn tier_len(&self, tier: usize) -> u64 {
        let ending = &self.endings[tier];
        ending.numbering.len() + self.rights_len(ending)
    }

    #[inline(never)]
    fn tier_index(&self, tier: usize, position: &Position) -> u64 {
        self.index(&self.endings[tier], *position)
    }

    #[inline(never)]
    fn tier_unindex(&self, tier: usize, index: u64) -> Option<Position> {
        self.unindex(&self.endings[tier], index)
    }

    #[inline(never)]
    fn tier_states(&self, tier: usize, indices: Range<u64>, visit: impl FnMut(u64, Position)) {
        self.positions(&self.endings[tier], indices, visit);
    }

    const TIER_PREDECESSOR_INDICES: bool = true;

    #[inline(never)]
    fn tier_predecessor_indices(
        &self,
        _: usize,
        position: &Position,
        visit: impl FnMut(u64, Player),
    ) -> Repeats {
        self.visit_indices(*position, true, visit);
        Repeats::Never
    }

    const TIER_SUCCESSOR_INDICES: bool = true;

    #[inline(never)]
    fn tier_successor_indices(
        &self,
        _: usize,
        position: &Position,
        visitor: &mut impl VisitSuccessors<Position>,
    ) {
        self.visit_indices(*position, false, |index, turn| visitor.stay(index, turn));
        if visitor.others_matter() {
            self.visit_leaving(*position, |_, next| visitor.leave(next));
        }
    }
}

impl PackedState for Fairy {
    type Word = u64;

    fn pack(&self, position: &Position) -> u64 {
        position.packed()
    }

    fn unpack(&self, packed: u64) -> Position {
        Position::of_packed(packed)
    }

    fn is_packed(&self, word: u64) -> bool {
        let position = Position::of_packed(word);
        let (men, side, exchanged) =
            (position::squares(position), position.side(), position.is_exchanged());
        let Some(ending) = self.endings.get(position.ending()) else { return false };
        let on_board = |&square: &u8| usize::from(square) < self.setup.board.len();
        let (there, others) = men.split_at(ending.men);
        let is_free = |(at, square): (usize, &u8)| !there[..at].contains(square);
        there.iter().all(on_board)
            && others.iter().all(|&square| square == numbering::NOWHERE)
            && there.iter().enumerate().all(is_free)
            && (!exchanged || self.setup.folds())
            && self.is_legal(ending, &men, side)
            && {
                let settled = self.settled(ending, &men, side, exchanged);
                match position::en_passant(position) {
                    0 => settled == position,
                    target => {
                        ending.has_en_passant
                            && self.with_claimed_right(settled, target) == Some(position)
                    }
                }
            }
    }
}
