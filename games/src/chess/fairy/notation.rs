//! Positions in Forsyth-Edwards notation on boards of any size, moves in short form, pictures.

use retrograde::scene::{Kit, Piece as Picture, Scene};
use retrograde::{Notation, NotationError, Player, Verdict};

use super::goal::{BareKing, Worth};
use super::material::Material;
use super::numbering::{MOST_MEN, NOWHERE};
use super::play::Move;
use super::position;
use super::{Fairy, Position};
use crate::chess::orthodox::{self, PLAYERS};
use crate::shared;

/// How many endings an error names at most.
const MOST_NAMED: usize = 8;

/// A man on the board, as people see it: the number of the piece, and its square.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Man {
    player: Player,
    kind: u8,
    square: u8,
}

impl Fairy {
    fn letter(&self, man: Man) -> char {
        let letter = self.setup.pieces[usize::from(man.kind)].letter;
        match man.player {
            Player::First => letter,
            Player::Second => letter.to_ascii_lowercase(),
        }
    }

    /// The square as people see it, or the other way round.
    fn shown(&self, position: Position, square: u8) -> u8 {
        if position.is_exchanged() { self.setup.board.turned(square) } else { square }
    }

    fn men(&self, position: Position) -> Vec<Man> {
        let (ending, squares) = (self.ending(position), position::squares(position));
        let man = |place: usize| Man {
            player: Fairy::player_of(position, ending.side_of(place)),
            kind: ending.kinds[place],
            square: self.shown(position, squares[place]),
        };
        (0..ending.men).map(man).collect()
    }

    /// The picture of a man: the glyph of an orthodox piece, or its letter in a circle.
    fn drawn(&self, man: Man) -> Picture {
        let piece = &self.setup.pieces[usize::from(man.kind)];
        let picture = match piece.usual_name().and_then(orthodox::glyph) {
            Some((glyph, name)) => Picture::glyph(glyph, name),
            None if man.kind == self.setup.pawn => Picture::glyph(shared::PAWN, "pawn"),
            None => {
                let letter = piece.letter.to_string();
                let name =
                    piece.usual_name().map_or_else(|| format!("piece {letter}"), str::to_owned);
                Picture::disc_with(&letter, &name)
            }
        };
        picture.of(man.player)
    }

    fn men_of(&self, field: &str) -> Result<Vec<Man>, String> {
        let board = self.setup.board;
        let ranks: Vec<&str> = field.split('/').collect();
        if ranks.len() != usize::from(board.ranks) {
            let found = shared::number_of(ranks.len(), "rank", "ranks");
            let expected = board.ranks;
            return Err(format!(
                "the board \"{field}\" has {found}: expected {expected} with / between"
            ));
        }
        let mut men = Vec::new();
        for (text, rank) in ranks.into_iter().zip((0..board.ranks).rev()) {
            let (mut file, mut free) = (0_u32, String::new());
            for letter in text.chars().chain([' ']) {
                if letter.is_ascii_digit() {
                    free.push(letter);
                    continue;
                }
                if !free.is_empty() {
                    file = file.saturating_add(free.parse().unwrap_or(u32::MAX));
                    free.clear();
                }
                if letter == ' ' {
                    break;
                }
                let is_it = |piece: &super::Piece| piece.letter == letter.to_ascii_uppercase();
                let Some(kind) = self.setup.pieces.iter().position(is_it) else {
                    let letters: String =
                        self.setup.pieces.iter().map(|piece| piece.letter).collect();
                    let (rank, small) = (rank + 1, letters.to_lowercase());
                    return Err(format!(
                        "rank {rank} has a {letter:?}: expected pieces {letters}, {small} or a number \
                         of free squares"
                    ));
                };
                let player =
                    if letter.is_ascii_uppercase() { Player::First } else { Player::Second };
                if file < board.files.into() {
                    let square = rank * board.files + file as u8;
                    men.push(Man { player, kind: kind as u8, square });
                }
                file = file.saturating_add(1);
            }
            if file != u32::from(board.files) {
                let (rank, squares) = (rank + 1, shared::number_of(file, "square", "squares"));
                let expected = board.files;
                return Err(format!("rank {rank}, \"{text}\", has {squares}: expected {expected}"));
            }
        }
        Ok(men)
    }

    /// The position of these men, `turn` to move.
    fn placed(&self, men: &[Man], turn: usize) -> Result<Position, String> {
        let setup = &self.setup;
        let side = |player| {
            let own = men.iter().filter(|man| man.player == player);
            own.map(|man| man.kind).collect()
        };
        let (material, exchanged) = Material::new(Player::BOTH.map(side), setup.folds());
        let Some(ending) = self.endings.iter().find(|ending| ending.material == material) else {
            let names = self.endings.iter().rev();
            let names = names.map(|ending| ending.material.name(&setup.pieces));
            let mut known: Vec<String> = names.take(MOST_NAMED).collect();
            if self.endings.len() > MOST_NAMED {
                known.push("…".into());
            }
            let name = material.name(&setup.pieces);
            return Err(format!("its material is {name}: expected {}", known.join(", ")));
        };
        let mut sorted: Vec<(usize, u8, u8)> = men
            .iter()
            .map(|man| {
                let side = man.player.index() ^ usize::from(exchanged);
                let turned = setup.board.turned(man.square);
                (side, man.kind, if exchanged { turned } else { man.square })
            })
            .collect();
        sorted.sort_unstable();
        let mut squares = [NOWHERE; MOST_MEN];
        squares.iter_mut().zip(&sorted).for_each(|(square, man)| *square = man.2);
        let mover = turn ^ usize::from(exchanged);
        if !self.is_legal(ending, &squares, mover) {
            return Err(self.why_illegal(men, [turn, mover], ending, &squares));
        }
        Ok(self.settled(ending, &squares, mover, exchanged))
    }

    /// Why no play leads to a position. `turns` are the player and the side to move.
    fn why_illegal(
        &self,
        men: &[Man],
        turns: [usize; 2],
        ending: &super::Ending,
        squares: &super::numbering::Squares,
    ) -> String {
        let [turn, side] = turns;
        let [mover, waiting] = [PLAYERS[turn].0, PLAYERS[1 - turn].0];
        let in_check = |side| self.in_check(ending, squares, side);
        let pawn = men.iter().find(|man| {
            let zone = self.setup.no_pawns[man.player.index()];
            man.kind == self.setup.pawn && super::board::bit(man.square) & zone != 0
        });
        if let Some(pawn) = pawn {
            let square = self.setup.board.name(pawn.square);
            return format!("a pawn stands on {square}, where none can be");
        }
        if in_check(1 - side) {
            return format!("{waiting} is in check, but {mover} is to move");
        }
        if in_check(side) && self.setup.goal.race {
            return format!("{mover} is in check, and no move gives check here");
        }
        format!("{mover} is to move, but play was over before {waiting}'s last move")
    }

    fn parse(&self, text: &str) -> Result<Position, String> {
        let is_gap = |letter: char| letter.is_whitespace() || letter == '_';
        let fields: Vec<&str> = text.split(is_gap).filter(|field| !field.is_empty()).collect();
        let (&[board, turn], rest) = fields.split_first_chunk().ok_or_else(|| {
            "it is not a board and who is to move: expected ranks with / between, then w or b"
                .to_owned()
        })?;
        let men = self.men_of(board)?;
        let turn = PLAYERS.iter().position(|player| player.1 == turn).ok_or_else(|| {
            format!("\"{turn}\" is not who is to move: expected w for white or b for black")
        })?;
        if let Some(field) = rest.first().filter(|&&field| field != "-") {
            return Err(format!("there is a \"{field}\": expected -, no castling"));
        }
        orthodox::check_clocks(rest.get(2..).unwrap_or_default())?;
        let position = self.placed(&men, turn)?;
        let Some(&field) = rest.get(1).filter(|&&field| field != "-") else { return Ok(position) };
        let board = self.setup.board;
        let square = (0..board.len() as u8).find(|&square| board.name(square) == field);
        let can_be = square.filter(|_| self.ending(position).has_en_passant);
        can_be
            .and_then(|square| self.with_claimed_right(position, self.shown(position, square)))
            .ok_or_else(|| {
                format!(
                    "no pawn can have just made a double step over \"{field}\": expected - or the \
                     square behind a pawn that has"
                )
            })
    }

    /// All moves of a position with the positions that they lead to.
    fn all_moves(&self, position: Position) -> Vec<(Move, Position)> {
        let mut moves = Vec::new();
        self.visit_steps(position, |step, next| moves.push((step, next)));
        self.visit_leaving(position, |change, next| moves.push((change, next)));
        moves
    }

    /// The move from one position to another in short form, if there is one.
    fn move_between(&self, from: Position, to: Position) -> Option<String> {
        let moves = self.all_moves(from);
        let &(played, next) = moves.iter().find(|&&(_, next)| next == to)?;
        let (setup, ending) = (&self.setup, self.ending(from));
        let shown = |square: u8| setup.board.name(self.shown(from, square));
        let men = position::squares(from);
        let own = shown(men[played.place]);
        let kind = ending.kinds[played.place];
        let mut text = match kind == setup.pawn {
            true if played.captures => own[..1].to_owned(),
            true => String::new(),
            false => setup.pieces[usize::from(kind)].letter.to_string(),
        };
        if kind != setup.pawn {
            let is_rival = |(other, _): &&(Move, Position)| {
                other.to == played.to
                    && other.place != played.place
                    && ending.kinds[other.place] == kind
            };
            let rivals: Vec<String> =
                moves.iter().filter(is_rival).map(|(other, _)| shown(men[other.place])).collect();
            let is_alone =
                |part: fn(&str) -> &str| rivals.iter().all(|other| part(other) != part(&own));
            text += match rivals.is_empty() {
                true => "",
                false if is_alone(|name| &name[..1]) => &own[..1],
                false if is_alone(|name| &name[1..]) => &own[1..],
                false => &own,
            };
        }
        text += if played.captures { "x" } else { "" };
        text += &shown(played.to);
        if let Some(kind) = played.promoted {
            text.push('=');
            text.push(setup.pieces[usize::from(kind)].letter);
        }
        let squares = position::squares(next);
        if self.end(next).is_none() && self.in_check(self.ending(next), &squares, next.side()) {
            text.push(if self.all_moves(next).is_empty() { '#' } else { '+' });
        }
        Some(text)
    }
}

impl Notation for Fairy {
    fn rules(&self) -> Option<String> {
        Some(self.rules_in_words())
    }

    fn write_state(&self, position: &Position) -> String {
        let (board, men) = (self.setup.board, self.men(*position));
        let rank = |rank: u8| {
            let (mut text, mut free) = (String::new(), 0);
            let flush = |text: &mut String, free: &mut u8| {
                if *free > 0 {
                    *text += &free.to_string();
                }
                *free = 0;
            };
            for square in board.files * rank..board.files * (rank + 1) {
                match men.iter().find(|man| man.square == square) {
                    None => free += 1,
                    Some(&man) => {
                        flush(&mut text, &mut free);
                        text.push(self.letter(man));
                    }
                }
            }
            flush(&mut text, &mut free);
            text
        };
        let ranks: Vec<String> = (0..board.ranks).rev().map(rank).collect();
        let en_passant = match position::en_passant(*position) {
            0 => "-".to_owned(),
            target => board.name(self.shown(*position, target)),
        };
        let turn = PLAYERS[position.player().index()].1;
        format!("{} {turn} - {en_passant} 0 1", ranks.join("/"))
    }

    fn parse_state(&self, text: &str) -> Result<Position, NotationError> {
        self.parse(text).map_err(NotationError::new)
    }

    /// Where mate is the only end, the rule of fifty moves is known.
    fn note(&self, text: &str, verdict: &Verdict) -> Option<String> {
        self.counted_in_moves()?;
        orthodox::fifty_moves(text, verdict)
    }

    fn write_move(&self, from: &Position, to: &Position) -> String {
        self.move_between(*from, *to).unwrap_or_else(|| self.write_state(to))
    }

    fn draw(&self, position: &Position) -> String {
        let (board, men) = (self.setup.board, self.men(*position));
        let mut text = String::new();
        for rank in (0..board.ranks).rev() {
            text += &format!("{:>2}", rank + 1);
            for square in board.files * rank..board.files * (rank + 1) {
                let man = men.iter().find(|man| man.square == square);
                text += &format!(" {}", man.map_or('.', |&man| self.letter(man)));
            }
            text.push('\n');
        }
        let files: String =
            (0..board.files).map(|file| format!(" {}", char::from(b'a' + file))).collect();
        format!("{text}  {files}\n{} to move", PLAYERS[position.player().index()].0)
    }

    fn scene(&self, position: &Position) -> Option<Scene> {
        let board = self.setup.board;
        let mut scene = board.grid().chequered().scene();
        for man in self.men(*position) {
            scene.put(board.place(man.square), self.drawn(man));
        }
        Some(scene)
    }

    /// Mate, where it is the only end that anyone wins by.
    fn counted_in_moves(&self) -> Option<&str> {
        let goal = self.setup.goal;
        let is_other = goal.extinct || goal.hill || goal.race || goal.atomic;
        let is_mate = goal.royal
            && goal.mate != Worth::Drawn
            && goal.stalemate == Worth::Drawn
            && goal.bare == BareKing::PlaysOn;
        let word = if goal.mate == Worth::Lost { "mate" } else { "selfmate" };
        (is_mate && !is_other).then_some(word)
    }

    fn kit(&self) -> Kit {
        let men = |kind: usize| {
            Player::BOTH.map(|player| self.drawn(Man { player, kind: kind as u8, square: 0 }))
        };
        let is_king = |&kind: &usize| self.setup.goal.royal && kind == usize::from(self.setup.king);
        let (kings, others): (Vec<usize>, Vec<usize>) =
            (0..self.setup.pieces.len()).partition(is_king);
        Kit::singles(kings.into_iter().flat_map(men))
            .and(Kit::new(others.into_iter().flat_map(men)))
    }

    fn set_up(&self, scene: &Scene, turn: Player) -> Result<Position, NotationError> {
        let board = self.setup.board;
        let square = |place| (0..board.len() as u8).find(|&square| board.place(square) == place);
        let man = |(place, picture): (usize, &Picture)| {
            let player = picture.side()?;
            let man = |kind| Man { player, kind, square: square(place).unwrap_or_default() };
            let mut kinds = (0..self.setup.pieces.len() as u8).map(man);
            kinds.find(|man| self.drawn(*man).name() == picture.name())
        };
        let men: Vec<Man> = scene.pieces().filter_map(man).collect();
        self.placed(&men, turn.index()).map_err(NotationError::new)
    }

    /// From where to where.
    fn move_places(&self, from: &Position, to: &Position) -> Vec<usize> {
        let moves = self.all_moves(*from);
        let Some((played, _)) = moves.into_iter().find(|(_, next)| next == to) else {
            return Vec::new();
        };
        let squares = [position::squares(*from)[played.place], played.to];
        squares.map(|square| self.setup.board.place(self.shown(*from, square))).to_vec()
    }

    fn with_other_mover(&self, position: &Position) -> Option<Position> {
        let (ending, men) = (self.ending(*position), position::squares(*position));
        let side = 1 - position.side();
        let is_legal = self.is_legal(ending, &men, side);
        is_legal.then(|| self.settled(ending, &men, side, position.is_exchanged()))
    }
}
