//! A game as its parameters describe it: board, pieces, goal.

use super::board::{self, Board, Set, Symmetry, bit};
use super::goal::{Goal, Pawns};
use super::moves::{Moves, paths};
use super::piece::Piece;
use super::tables::AllTables;

/// In place of the number of a piece: there is none.
pub(super) const NO_PIECE: u8 = u8::MAX;

pub(super) struct Setup {
    pub(super) board: Board,
    /// The strongest first.
    pub(super) pieces: Vec<Piece>,
    /// By piece, of white and of black.
    pub(super) moves: Vec<[Moves; 2]>,
    pub(super) tables: AllTables,
    pub(super) goal: Goal,
    /// The numbers of the king and of the pawn.
    pub(super) king: u8,
    pub(super) pawn: u8,
    /// The numbers of the pieces that pawns become.
    pub(super) promotions: Vec<u8>,
    /// The squares where pawns of each side are promoted, and where they can't stand.
    pub(super) promoting: [Set; 2],
    pub(super) no_pawns: [Set; 2],
    /// The squares of their double steps.
    pub(super) twice: [Set; 2],
    /// The squares on which a king has won, if there are any.
    pub(super) winning: Set,
    /// The squares beside each.
    pub(super) around: Vec<Set>,
}

impl Setup {
    pub(super) fn new(
        board: Board,
        pieces: Vec<Piece>,
        goal: Goal,
        pawns: Option<Pawns>,
        hill: Set,
    ) -> Setup {
        let number = |letter: char| {
            let place = pieces.iter().position(|piece| piece.letter == letter);
            place.map_or(NO_PIECE, |place| place as u8)
        };
        let squares = || 0..board.len() as u8;
        let ahead = |side: usize, square: u8| match side {
            0 => board.rank(square),
            _ => board.ranks - 1 - board.rank(square),
        };
        let set = |is_in: &dyn Fn(u8) -> bool| {
            squares().filter(|&square| is_in(square)).fold(0, |set, square| set | bit(square))
        };
        let ranks = pawns.as_ref().map_or(0, |pawns| pawns.ranks);
        let promoting =
            [0, 1].map(|side| set(&|square| ahead(side, square) + ranks >= board.ranks));
        let no_pawns = [0, 1].map(|side| set(&|square| ahead(side, square) == 0) | promoting[side]);
        let twice = [0, 1].map(|side| match pawns.as_ref().and_then(|pawns| pawns.double_step) {
            Some(rank) => set(&|square| ahead(side, square) + 1 == rank),
            None => 0,
        });
        let around = squares().map(|square| {
            let beside = |other: u8| {
                let files = board.file(square).abs_diff(board.file(other));
                let ranks = board.rank(square).abs_diff(board.rank(other));
                files.max(ranks) == 1
            };
            set(&beside)
        });
        let winning = match (goal.hill, goal.race) {
            (true, _) => hill,
            (_, true) => board.last_rank(),
            _ => 0,
        };
        let is_pawn = |piece: &Piece| pawns.is_some() && piece.letter == 'P';
        let twice_of = |piece: &Piece, side: usize| if is_pawn(piece) { twice[side] } else { 0 };
        let moves_of =
            |piece| [0, 1].map(|side| Moves::new(piece, board, side == 1, twice_of(piece, side)));
        let paths_of = |piece: &Piece| {
            let of_side = |side: usize| {
                let mut paths = paths(piece, board, side == 1, twice_of(piece, side))?;
                if is_pawn(piece) {
                    paths.retain(|path| bit(path.from) & no_pawns[side] == 0);
                    // A promotion is no step.
                    paths.iter_mut().for_each(|path| {
                        path.moves &= bit(path.to) & promoting[side] == 0;
                    });
                }
                Some(paths)
            };
            Some([of_side(0)?, of_side(1)?])
        };
        let all_paths: Vec<_> = pieces.iter().map(paths_of).collect();
        let becoming = pawns.as_ref().map_or(&[][..], |pawns| &pawns.become_one_of);
        let promotions = becoming.iter().map(|&letter| number(letter)).collect();
        Setup {
            moves: pieces.iter().map(moves_of).collect(),
            tables: AllTables::new(board, &all_paths),
            king: number('K'),
            pawn: if pawns.is_some() { number('P') } else { NO_PIECE },
            promotions,
            promoting,
            no_pawns,
            twice,
            winning,
            around: around.collect(),
            board,
            pieces,
            goal,
        }
    }

    /// Whether a position with colours exchanged, on a board turned round, is worth the same.
    pub(super) fn folds(&self) -> bool {
        let turned = |square| bit(self.board.turned(square)) & self.winning != 0;
        !self.goal.race && board::squares(self.winning).all(turned)
    }

    /// The symmetries of an ending with these pieces. Those that pawns become keep them, too.
    pub(super) fn symmetries(&self, kinds: &[u8]) -> Vec<Symmetry> {
        let keeps_ranks = |symmetry: &Symmetry| symmetry.step((0, 1)) == (0, 1);
        let has_pawns = kinds.contains(&self.pawn);
        let is_bound = self.goal.race || has_pawns;
        let becoming = if has_pawns { &self.promotions[..] } else { &[] };
        let keeps = |symmetry: &Symmetry| {
            let kinds = kinds.iter().chain(becoming);
            let mut pieces = kinds.map(|&kind| &self.pieces[usize::from(kind)]);
            let wins = |square| bit(self.board.image(square, *symmetry)) & self.winning != 0;
            (!is_bound || keeps_ranks(symmetry))
                && board::squares(self.winning).all(wins)
                && pieces.all(|piece| piece.keeps(|step| symmetry.step(step)))
        };
        self.board.symmetries().filter(keeps).collect()
    }

    /// Whether kings may stand on two squares, with either side to move.
    pub(super) fn kings_may_stand(&self, one: u8, other: u8) -> bool {
        let attack = |side: usize, from, to| {
            let king = &self.moves[usize::from(self.king)][side];
            king.leaps_to(from, to)
        };
        let both = || attack(0, one, other) && attack(1, other, one);
        one != other && (self.goal.atomic || !both())
    }
}
