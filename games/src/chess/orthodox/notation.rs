//! Positions in Forsyth-Edwards notation (FEN), and what they look like.

use retrograde::scene::{Kit, Piece, Scene};
use retrograde::{Game, Notation, NotationError, Outcome, Player, Verdict};

use super::Orthodox;
use super::board::{self, KING};
use super::material::{Endings, Kind, Material};
use super::position::Position;
use crate::shared;

/// How positions are written, with an example.
pub(crate) const EXAMPLE_IN_WORDS: &str =
    "in Forsyth-Edwards notation: \"8/8/8/8/2r5/8/2k5/K6Q w - - 0 1\"";

/// For some endings a position with white to move from which the mate takes longest.
const LONGEST_WINS: [(&str, &str); 10] = [
    ("KQvK", "8/8/8/5k2/8/8/1Q6/K7 w - - 0 1"),
    ("KRvK", "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"),
    ("KPvK", "8/8/8/1k6/8/8/K5P1/8 w - - 0 1"),
    ("KBBvK", "8/4B3/8/8/8/8/3kB3/K7 w - - 0 1"),
    ("KBNvK", "8/8/7N/8/8/8/8/K1k1B3 w - - 0 1"),
    ("KQvKR", "8/8/8/8/2r5/8/2k5/K6Q w - - 0 1"),
    ("KQvKB", "8/6Q1/8/4b3/3k4/8/8/K7 w - - 0 1"),
    ("KQvKN", "8/8/8/8/8/2k5/2n5/KQ6 w - - 0 1"),
    ("KRvKB", "8/8/8/8/1R6/3K4/8/2k3b1 w - - 0 1"),
    ("KRvKN", "8/2R5/8/8/7k/3K4/8/4n3 w - - 0 1"),
];

/// The names of the players, and how FEN writes who is to move.
pub(crate) const PLAYERS: [(&str, &str); 2] = [("white", "w"), ("black", "b")];

/// How many endings an error names at most.
const MOST_NAMED: usize = 8;

/// A man on the board, as people see it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Man {
    player: Player,
    kind: Kind,
    square: u8,
}

impl Man {
    /// Capitals are white, small letters black.
    fn letter(self) -> char {
        match self.player {
            Player::First => self.kind.letter(),
            Player::Second => self.kind.letter().to_ascii_lowercase(),
        }
    }

    /// The man on a picture: a figure that is filled, in the colour of its player. The second
    /// character of each keeps it from being shown as a coloured symbol.
    fn drawn(self) -> Piece {
        let (glyph, name) = glyph_of(self.kind);
        Piece::glyph(glyph, name).of(self.player)
    }

    /// The man that a piece of a picture is.
    fn of_piece(piece: &Piece, square: u8) -> Option<Man> {
        let man = |kind| Man { player: piece.side().unwrap_or(Player::First), kind, square };
        Kind::ALL.into_iter().map(man).find(|man| man.drawn().name() == piece.name())
    }

    fn of_letter(letter: char, square: u8) -> Option<Man> {
        let kind = Kind::of_letter(letter.to_ascii_uppercase())?;
        let is_white = letter.is_ascii_uppercase();
        let player = if is_white { Player::First } else { Player::Second };
        Some(Man { player, kind, square })
    }
}

/// The glyph of a piece, and its name.
const fn glyph_of(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::King => ("♚\u{FE0E}", "king"),
        Kind::Queen => ("♛\u{FE0E}", "queen"),
        Kind::Rook => ("♜\u{FE0E}", "rook"),
        Kind::Bishop => ("♝\u{FE0E}", "bishop"),
        Kind::Knight => ("♞\u{FE0E}", "knight"),
        Kind::Pawn => (shared::PAWN, "pawn"),
    }
}

/// The glyph of an orthodox piece of this name, and the name.
pub(crate) fn glyph(name: &str) -> Option<(&'static str, &'static str)> {
    Kind::ALL.into_iter().map(glyph_of).find(|(_, other)| *other == name)
}

/// The men that the first field of a FEN places.
fn men_of(field: &str) -> Result<Vec<Man>, String> {
    let ranks: Vec<&str> = field.split('/').collect();
    if ranks.len() != 8 {
        let ranks = shared::number_of(ranks.len(), "rank", "ranks");
        return Err(format!("the board \"{field}\" has {ranks}: expected 8 with / between"));
    }
    let mut men = Vec::new();
    for (text, rank) in ranks.into_iter().zip((0..8_u8).rev()) {
        let mut file = 0;
        for letter in text.chars() {
            if let Some(free @ 1..=8) = letter.to_digit(10) {
                file += free;
                continue;
            }
            let square = 8 * rank + (file % 8) as u8;
            let Some(man) = Man::of_letter(letter, square) else {
                return Err(format!(
                    "rank {} has a {letter:?}: expected pieces KQRBNP, kqrbnp or a number of free \
                     squares",
                    rank + 1
                ));
            };
            men.push(man);
            file += 1;
        }
        if file != 8 {
            let (rank, squares) = (rank + 1, shared::number_of(file, "square", "squares"));
            return Err(format!("rank {rank}, \"{text}\", has {squares}: expected 8"));
        }
    }
    Ok(men)
}

/// Refuses kings and pawns that no game of chess has.
fn check_men(men: &[Man]) -> Result<(), String> {
    for player in Player::BOTH {
        let name = PLAYERS[player.index()].0;
        let is_king = |man: &&Man| man.player == player && man.kind == Kind::King;
        let kings = men.iter().filter(is_king).count();
        if kings != 1 {
            return Err(format!("{name} has {kings} kings: expected one"));
        }
    }
    let on_edge = |man: &&Man| man.kind == Kind::Pawn && [0, 7].contains(&(man.square / 8));
    match men.iter().find(on_edge) {
        None => Ok(()),
        Some(man) => {
            let square = board::name(man.square);
            Err(format!("a pawn stands on {square}: expected pawns on the ranks 2 to 7"))
        }
    }
}

/// The number of plies after which the rule of fifty moves gives a draw.
const FIFTY_MOVES: u32 = 100;

/// Refuses anything but numbers in the last two fields.
pub(crate) fn check_clocks(fields: &[&str]) -> Result<(), String> {
    for (field, name) in fields.iter().zip(["halfmove clock", "move number"]) {
        if field.parse::<u32>().is_err() {
            return Err(format!("the {name} \"{field}\" is not a number"));
        }
    }
    match fields.get(2) {
        None => Ok(()),
        Some(field) => Err(format!("there is a \"{field}\" behind the move number")),
    }
}

/// The halfmove clock of a text that is read: 0 if it has none.
fn clock(text: &str) -> u32 {
    let is_gap = |letter: char| letter.is_whitespace() || letter == '_';
    let clock = text.split(is_gap).filter(|field| !field.is_empty()).nth(4);
    clock.and_then(|clock| clock.parse().ok()).unwrap_or(0)
}

/// A sentence where a win of the position in a text comes too late, or may, for the rule of fifty moves.
pub(crate) fn fifty_moves(text: &str, verdict: &Verdict) -> Option<String> {
    let clock = clock(text);
    let is_in_time = match verdict.plies {
        Some(0) => true,
        Some(plies) => clock.saturating_add(plies) <= FIFTY_MOVES,
        None => clock == 0,
    };
    if verdict.outcome == Outcome::Draw || is_in_time {
        return None;
    }
    let gone = match clock {
        0 => String::new(),
        clock => format!(", of which {clock} are gone by the halfmove clock"),
    };
    Some(format!(
        "the fifty-move rule is not applied: it gives a draw after {FIFTY_MOVES} plies without a \
         capture or a pawn move{gone}, so this win may come too late for it"
    ))
}

impl Orthodox {
    /// The square as people see it, or the other way round.
    fn shown(position: Position, square: u8) -> u8 {
        if position.is_exchanged() { square ^ 56 } else { square }
    }

    /// The men of a position as people see them.
    fn men(&self, position: Position) -> Vec<Man> {
        let ending = self.ending(position);
        let man = |(slot, &kind): (usize, &Kind)| {
            let side = ending.side_of(slot) ^ usize::from(position.is_exchanged());
            let square = Orthodox::shown(position, position.squares().of(slot));
            Man { player: Player::BOTH[side], kind, square }
        };
        ending.kinds.iter().enumerate().map(man).collect()
    }

    fn parse(&self, text: &str) -> Result<Position, String> {
        let is_gap = |letter: char| letter.is_whitespace() || letter == '_';
        let fields: Vec<&str> = text.split(is_gap).filter(|field| !field.is_empty()).collect();
        let (&[board, turn], rest) = fields.split_first_chunk().ok_or_else(|| {
            let missing = match fields.is_empty() {
                true => "it is empty: expected the board and who is to move",
                false => "it does not say who is to move: expected w or b behind the board",
            };
            format!("{missing}, {EXAMPLE_IN_WORDS}")
        })?;
        let men = men_of(board)?;
        check_men(&men)?;
        let turn = PLAYERS.iter().position(|player| player.1 == turn).ok_or_else(|| {
            format!("\"{turn}\" is not who is to move: expected w for white or b for black")
        })?;
        if let Some(&castling) = rest.first()
            && castling != "-"
        {
            return Err(format!("castling is \"{castling}\": expected -, there is none here"));
        }
        check_clocks(rest.get(2..).unwrap_or_default())?;
        let position = self.placed(&men, turn)?;
        match rest.get(1) {
            None | Some(&"-") => Ok(position),
            Some(square) => self.with_en_passant(position, square),
        }
    }

    /// The position of these men, `turn` to move, without en passant.
    fn placed(&self, men: &[Man], turn: usize) -> Result<Position, String> {
        let side = |player| {
            let own = men.iter().filter(|man| man.player == player && man.kind != Kind::King);
            own.map(|man| man.kind).collect()
        };
        let (material, exchanged) = Material::new(Player::BOTH.map(side));
        let Some(ending) = self.endings.iter().find(|ending| ending.material == material) else {
            return Err(self.other_material(&material));
        };
        let flip = if exchanged { 56 } else { 0 };
        let side = |player: Player| player.index() ^ usize::from(exchanged);
        let placed: Vec<_> =
            men.iter().map(|man| (side(man.player), man.kind, man.square ^ flip)).collect();
        let squares = ending.placed(&placed);
        let [one, other] = [squares.of(0), squares.of(1)];
        if KING.of(one) >> other & 1 != 0 {
            return Err("the kings stand next to each other".into());
        }
        let mover = turn ^ usize::from(exchanged);
        if !ending.is_legal(squares, mover) {
            let [mover, waiting] = [PLAYERS[turn].0, PLAYERS[1 - turn].0];
            return Err(format!("{waiting} is in check, but {mover} is to move"));
        }
        Ok(ending.settled(Position::new(squares, ending.number, mover as u8, exchanged)))
    }

    fn other_material(&self, material: &Material) -> String {
        let names = self.endings.iter().rev().map(|ending| ending.material.to_string());
        let mut known: Vec<String> = names.take(MOST_NAMED).collect();
        if self.endings.len() > MOST_NAMED {
            known.push("…".into());
        }
        format!("its material is {material}: expected {}", known.join(", "))
    }

    /// The position with this square for en passant, where such a capture is legal.
    fn with_en_passant(&self, position: Position, text: &str) -> Result<Position, String> {
        let Some(square) = board::named(text) else {
            return Err(format!(
                "\"{text}\" is no square for en passant: expected - or a square, as in e3"
            ));
        };
        let ending = self.ending(position);
        let claimed = ending.with_claimed_right(position, Orthodox::shown(position, square));
        claimed.ok_or_else(|| {
            format!(
                "no pawn can just have made a double step across {text}, to be taken en passant"
            )
        })
    }
}

impl Notation for Orthodox {
    fn player(&self, player: Player) -> &str {
        PLAYERS[player.index()].0
    }

    fn rules(&self) -> Option<String> {
        let men = match self.begins() {
            Endings::Of(material) => {
                format!("a few men, which begin as {material}: white's first, then black's")
            }
            Endings::UpTo(men) => format!("at most {men} men, any of them"),
        };
        Some(format!(
            "This is chess with {men}. A captured man leaves the board, and play goes on with the others. \
             Kings step to a square beside them, rooks move straight, bishops diagonally, queens both \
             ways, and knights jump. \
             A pawn moves ahead and captures diagonally, also en passant, and on the last row it \
             becomes a queen, rook, bishop or knight. There is no castling. Nobody may leave the own \
             king where it can be captured. A player who attacks the king so that it can't be saved \
             has mated, and wins. A player who can't move but is not attacked is stalemated, which is \
             a draw. Endless play is a draw too, and no rule counts moves."
        ))
    }

    fn write_state(&self, position: &Position) -> String {
        let men = self.men(*position);
        let rank = |rank: u8| {
            let (mut text, mut free) = (String::new(), 0);
            for square in 8 * rank..8 * rank + 8 {
                match men.iter().find(|man| man.square == square) {
                    None => free += 1,
                    Some(man) => {
                        if free > 0 {
                            text += &free.to_string();
                        }
                        (text, free) = (text + &man.letter().to_string(), 0);
                    }
                }
            }
            if free > 0 { text + &free.to_string() } else { text }
        };
        let ranks: Vec<String> = (0..8).rev().map(rank).collect();
        let turn = PLAYERS[position.player().index()].1;
        let en_passant = match position.en_passant() {
            0 => "-".to_owned(),
            square => board::name(Orthodox::shown(*position, square)),
        };
        format!("{} {turn} - {en_passant} 0 1", ranks.join("/"))
    }

    fn parse_state(&self, text: &str) -> Result<Position, NotationError> {
        self.parse(text).map_err(NotationError::new)
    }

    /// Where a win comes too late, or may, for the rule of fifty moves.
    fn note(&self, text: &str, verdict: &Verdict) -> Option<String> {
        fifty_moves(text, verdict)
    }

    /// A longest win of the ending, where one is listed. The root serves to find reachable
    /// positions, and is over soon.
    fn start(&self) -> Option<Position> {
        let ending = match self.begins() {
            Endings::Of(material) => material.to_string(),
            Endings::UpTo(3) => "KRvK".to_owned(),
            Endings::UpTo(_) => "KQvKR".to_owned(),
        };
        let listed = LONGEST_WINS.iter().find(|(name, _)| *name == ending);
        let listed = listed.and_then(|(_, fen)| self.parse(fen).ok());
        listed.or_else(|| self.roots().into_iter().next())
    }

    fn write_move(&self, from: &Position, to: &Position) -> String {
        self.move_between(*from, *to).unwrap_or_else(|| self.write_state(to))
    }

    fn draw(&self, position: &Position) -> String {
        let men = self.men(*position);
        let letter = |square: u8| {
            let man = men.iter().find(|man| man.square == square);
            format!(" {}", man.map_or('.', |man| man.letter()))
        };
        let mut text = String::new();
        for rank in (0..8).rev() {
            let squares: String = (8 * rank..8 * rank + 8).map(letter).collect();
            text += &format!("{}{squares}\n", rank + 1);
        }
        let en_passant = match position.en_passant() {
            0 => String::new(),
            square => {
                let square = board::name(Orthodox::shown(*position, square));
                format!(", en passant on {square}")
            }
        };
        let turn = self.player(position.player());
        format!("{text}  a b c d e f g h\n{turn} to move{en_passant}")
    }

    /// The board as white sees it. Place 0 is a8, place 63 is h1.
    fn scene(&self, position: &Position) -> Option<Scene> {
        let mut scene = board::GRID.chequered().scene();
        for man in self.men(*position) {
            scene.put(usize::from(man.square ^ 56), man.drawn());
        }
        Some(scene)
    }

    fn counted_in_moves(&self) -> Option<&str> {
        Some("mate")
    }

    /// The kings, and the pieces of all endings of the table.
    fn kit(&self) -> Kit {
        let men = |kind| move |player| Man { player, kind, square: 0 }.drawn();
        let is_there = |kind: &Kind| self.endings.iter().any(|ending| ending.kinds.contains(kind));
        let others = Kind::ALL.into_iter().filter(|kind| *kind != Kind::King).filter(is_there);
        let others = others.flat_map(|kind| Player::BOTH.map(men(kind)));
        Kit::singles(Player::BOTH.map(men(Kind::King))).and(Kit::new(others))
    }

    /// No pawn can be taken en passant.
    fn set_up(&self, scene: &Scene, turn: Player) -> Result<Position, NotationError> {
        let man = |(place, piece): (usize, &Piece)| Man::of_piece(piece, place as u8 ^ 56);
        let men: Vec<Man> = scene.pieces().filter_map(man).collect();
        let position = check_men(&men).and_then(|()| self.placed(&men, turn.index()));
        position.map_err(NotationError::new)
    }

    /// From where to where. The four promotions of a pawn touch the same squares.
    fn move_places(&self, from: &Position, to: &Position) -> Vec<usize> {
        let (Some(before), Some(after)) = (self.scene(from), self.scene(to)) else {
            return Vec::new();
        };
        let mut places = before.touched(&after, Some(from.player()));
        // A pawn that is captured en passant is not touched.
        places.truncate(2);
        places
    }

    /// None where the other side would be left in check, and where there is a capture en passant,
    /// which goes with the move.
    fn with_other_mover(&self, position: &Position) -> Option<Position> {
        let (ending, passed) = (self.ending(*position), position.passed());
        let is_legal = ending.is_legal(passed.squares(), passed.side());
        (position.en_passant() == 0 && is_legal).then(|| ending.settled(passed))
    }
}
