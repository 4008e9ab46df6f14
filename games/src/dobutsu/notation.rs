//! How people write positions and moves, and what they look like.

use retrograde::board::{self, Grid, Names};
use retrograde::scene::{self, Kit, Scene};
use retrograde::{Notation, NotationError, Player};

use super::board::{Captive, Hand, Piece, Position, SQUARES, Side, TOP};
use super::{Dobutsu, DobutsuParameters, pictures};
use crate::shared;

const NAMES: [&str; 2] = ["sente", "gote"];

/// The letters of [`PIECES`]: first for the pieces of the first player, then of the
/// second.
const LETTERS: &str = "LEGCHlegch";

/// The kinds of pieces in the order of their letters.
const PIECES: [Piece; 5] = [Piece::Lion, Piece::Elephant, Piece::Giraffe, Piece::Chick, Piece::Hen];

/// The board as the first player sees it.
const GRID: Grid = Grid::new(3, 4).with_letters(LETTERS).with_names(Names::FromTop);

/// The piece on a picture.
fn drawn(piece: Piece, player: Player) -> scene::Piece {
    let (path, name) = match piece {
        Piece::Chick => (pictures::CHICK, "chick"),
        Piece::Hen => (pictures::HEN, "hen"),
        Piece::Elephant => (pictures::ELEPHANT, "elephant"),
        Piece::Giraffe => (pictures::GIRAFFE, "giraffe"),
        Piece::Lion => (pictures::LION, "lion"),
    };
    scene::Piece::tile("", name).with_path(path).of(player)
}

/// The letter of a player's piece.
fn letter_of(player: Player, piece: Piece) -> char {
    let mut letters = LETTERS.chars().skip(PIECES.len() * player.index()).zip(PIECES);
    letters.find(|(_, kind)| *kind == piece).map_or('.', |(letter, _)| letter)
}

/// The letter of a kind of piece.
fn letter(piece: Piece) -> char {
    letter_of(Player::First, piece)
}

/// The piece that a letter means, and its owner.
fn read_letter(letter: char) -> Option<(Player, Piece)> {
    let kind = LETTERS.find(letter)?;
    Some((Player::BOTH[kind / PIECES.len()], PIECES[kind % PIECES.len()]))
}

/// A square of the board as the first player sees it, whose rows count from below, as one of
/// [`GRID`], or the other way round.
const fn flipped(square: usize) -> usize {
    3 * (3 - square / 3) + square % 3
}

/// The name of a square, seen by the first player.
fn square_name(square: u32) -> String {
    GRID.name(flipped(square as usize))
}

impl Position {
    /// The position as the first player sees it, whoever is to move.
    fn upright(&self) -> Position {
        if self.turn == Player::First { *self } else { self.turned() }
    }

    /// Whether a piece is on a square of [`GRID`], in an upright position. Kinds are numbered by
    /// their letters.
    fn is_on(&self, square: usize, kind: usize) -> bool {
        self.sides[kind / 5].squares(PIECES[kind % 5]) >> flipped(square) & 1 == 1
    }

    /// The pieces in a player's hand, as letters; `-` for nothing.
    fn in_hand(&self, player: Player) -> String {
        let hand = self.hands[player.index()];
        Captive::ALL
            .into_iter()
            .flat_map(|captive| {
                let letter = letter_of(player, captive.piece());
                std::iter::repeat_n(letter, hand.count(captive) as usize)
            })
            .collect()
    }
}

impl Notation for Dobutsu {
    fn player(&self, player: Player) -> &str {
        NAMES[player.index()]
    }

    fn rules(&self) -> Option<String> {
        let DobutsuParameters { no_elephants, no_giraffes } = self.parameters;
        let (mut pieces, mut steps) = (String::from("a lion"), String::new());
        if !no_elephants {
            pieces += ", an elephant";
            steps += " The elephant steps diagonally.";
        }
        if !no_giraffes {
            pieces += ", a giraffe";
            steps += " The giraffe steps straight ahead, back or sideways.";
        }
        Some(format!(
            "On a board of 3 columns and 4 rows, each player has {pieces} and a chick. In turns, \
             players move a piece to a square next to it, or drop one from the hand on an empty \
             square. The lion steps in all directions.{steps} The chick steps ahead. On the last row \
             it becomes a hen, which steps in all directions but diagonally backwards; a dropped chick \
             does not. A captured piece goes to the hand of the player who captured it, and a hen \
             becomes a chick again. Whoever captures the other lion wins. Play stops one ply before, \
             where the lion can be captured: that capture is not listed. A player also wins whose lion \
             comes to the last row where it can't be captured at once. Endless play is a draw."
        ))
    }

    fn write_state(&self, position: &Position) -> String {
        let upright = position.upright();
        let hands: String = Player::BOTH.map(|player| upright.in_hand(player)).concat();
        let hands = if hands.is_empty() { "-" } else { &hands };
        let rows = GRID.write(|square, kind| upright.is_on(square, kind));
        format!("{rows},{hands},{}", self.player(position.turn))
    }

    fn parse_state(&self, text: &str) -> Result<Position, NotationError> {
        let expected = "the rows from the top, the hands and who moves";
        board::read_position(self, text, expected, |text| {
            let (text, turn) = board::split_turn(self, text)?;
            let (rows, hands) = text.split_once(',').unwrap_or((text, ""));
            let mut sides = [Side(0); 2];
            GRID.read(rows, |square, kind| {
                sides[kind / 5].0 |= 1 << (PIECES[kind % 5].shift() as usize + flipped(square));
            })?;
            let position =
                parse_hands(hands.trim()).and_then(|hands| self.position(sides, hands, turn));
            position.map_err(NotationError::new)
        })
    }

    fn write_move(&self, from: &Position, to: &Position) -> String {
        let mover = from.turn;
        let name = self.player(mover);
        let [before, after] = [from, to].map(Position::upright);
        let [own_before, own_after] = [before, after].map(|position| position.sides[mover.index()]);
        let left = own_before.0 & !own_after.0;
        let arrived = own_after.0 & !own_before.0;
        let piece_of = |bit: u64| Piece::ALL[(bit.trailing_zeros() / SQUARES) as usize % 5];
        let to = square_name(arrived.trailing_zeros() % SQUARES);
        if left == 0 {
            return format!("{name} {}*{to}", letter(piece_of(arrived)));
        }
        let origin = square_name(left.trailing_zeros() % SQUARES);
        let others = mover.opponent().index();
        let sign = if before.sides[others] == after.sides[others] { '-' } else { 'x' };
        let promotion = if piece_of(left) == piece_of(arrived) { "" } else { "+" };
        format!("{name} {}{origin}{sign}{to}{promotion}", letter(piece_of(left)))
    }

    fn draw(&self, position: &Position) -> String {
        let upright = position.upright();
        let mut lines = vec!["  a b c".to_owned()];
        let rows = GRID.write(|square, kind| upright.is_on(square, kind));
        for (row, squares) in rows.split('/').enumerate() {
            let squares: Vec<String> = squares.chars().map(String::from).collect();
            let owner = match row {
                0 => Some(Player::Second),
                3 => Some(Player::First),
                _ => None,
            };
            let in_hand = owner.map(|player| (self.player(player), upright.in_hand(player)));
            let in_hand = in_hand.filter(|(_, pieces)| !pieces.is_empty());
            let in_hand = in_hand
                .map_or(String::new(), |(name, pieces)| format!("  {name} has {pieces} in hand"));
            lines.push(format!("{} {}{in_hand}", row + 1, squares.join(" ")));
        }
        lines.push(format!("{} to move", self.player(position.turn)));
        lines.join("\n")
    }

    /// The board as sente sees it, with the hand of each player on that player's right.
    fn scene(&self, position: &Position) -> Option<Scene> {
        let upright = position.upright();
        let mut scene = GRID.scene();
        for (square, kind) in (0..12).flat_map(|square| (0..10).map(move |kind| (square, kind))) {
            if upright.is_on(square, kind) {
                scene.put(square, drawn(PIECES[kind % 5], Player::BOTH[kind / 5]));
            }
        }
        let kinds = self.captives().count() as u8;
        for player in Player::BOTH {
            // Small hands are above each other, so that the board is as large as can be.
            let x = match player {
                Player::Second if kinds > 2 => -1.6,
                _ => 3.3,
            };
            for (kind, at) in self.captives().zip(0_u8..) {
                let y = if player == Player::First { 3 - at } else { at };
                let piece = drawn(kind.piece(), player);
                let name = format!("{}'s {}s in hand", NAMES[player.index()], piece.name());
                let hand = scene.reserve_of(x, y, &name, &piece);
                scene.put(hand, piece.times(upright.hands[player.index()].count(kind)));
            }
            // Whose hand it is stands beside it: outside, where the hands are above each other.
            let aside = if kinds > 2 { f32::from(kinds) - 0.25 } else { -0.75 };
            let y = if player == Player::First { 3.0 - aside } else { aside };
            scene.label(x, y, NAMES[player.index()]);
        }
        Some(scene)
    }

    fn kit(&self) -> Kit {
        let others = [Piece::Chick, Piece::Hen, Piece::Elephant, Piece::Giraffe];
        let is_there = |piece: &Piece| *piece == Piece::Hen || self.total(*piece) > 0;
        let others = others.into_iter().filter(is_there);
        let others = others.flat_map(|piece| Player::BOTH.map(|player| drawn(piece, player)));
        Kit::singles(Player::BOTH.map(|player| drawn(Piece::Lion, player))).and(Kit::new(others))
    }

    fn set_up(&self, scene: &Scene, turn: Player) -> Result<Position, NotationError> {
        self.set_up_by(scene, turn).map_err(NotationError::new)
    }

    /// None where the lion of the player who would be to move has reached its goal: play stopped
    /// before.
    fn with_other_mover(&self, position: &Position) -> Option<Position> {
        let passed = position.turned();
        (passed.sides[0].squares(Piece::Lion) & TOP == 0).then_some(passed)
    }
}

impl Dobutsu {
    /// The kinds of pieces that may be in hand.
    fn captives(&self) -> impl Iterator<Item = Captive> {
        Captive::ALL.into_iter().filter(|kind| self.total(kind.piece()) > 0)
    }

    fn set_up_by(&self, scene: &Scene, turn: Player) -> Result<Position, String> {
        let (mut sides, mut hands) = ([Side(0); 2], [Hand::default(); 2]);
        for (place, on) in scene.pieces() {
            let player = on.side().unwrap_or(Player::First);
            let is_it = |piece: &Piece| drawn(*piece, player).name() == on.name();
            let Some(piece) = Piece::ALL.into_iter().find(is_it) else { continue };
            if place < GRID.cells() {
                sides[player.index()].0 |= 1 << (piece.shift() as usize + flipped(place));
                continue;
            }
            let captive = self.captives().find(|captive| captive.piece() == piece);
            let captive = captive.ok_or_else(|| format!("a {} can't be in hand", on.name()))?;
            for _ in 0..on.count() {
                hands[player.index()] = one_more(hands[player.index()], captive)?;
            }
        }
        self.position(sides, hands, turn)
    }

    /// The position with these pieces as the first player sees them, if play can come to it.
    fn position(
        &self,
        sides: [Side; 2],
        hands: [Hand; 2],
        turn: Player,
    ) -> Result<Position, String> {
        let upright = Position { sides, hands, turn: Player::First };
        self.check_pieces(&upright)?;
        let position = if turn == Player::First { upright } else { upright.turned() };
        if position.sides[0].squares(Piece::Lion) & TOP != 0 {
            let name = self.player(turn);
            return Err(format!(
                "{name}'s lion has reached its goal, and play stopped before {name} could move"
            ));
        }
        Ok(position)
    }

    /// Makes sure that all pieces of the game are there, and no others.
    fn check_pieces(&self, upright: &Position) -> Result<(), String> {
        for player in Player::BOTH {
            let lions = upright.sides[player.index()].squares(Piece::Lion).count_ones();
            if lions != 1 {
                return Err(format!("{} has {lions} lions, not 1", self.player(player)));
            }
        }
        for captive in Captive::ALL {
            let standing = |piece: &Piece| {
                upright.sides.iter().map(|side| side.squares(*piece).count_ones()).sum::<u32>()
            };
            let on_board: u32 = captive.was().iter().map(standing).sum();
            let in_hands: u32 = upright.hands.iter().map(|hand| hand.count(captive)).sum();
            let (found, total) = (on_board + in_hands, self.total(captive.piece()));
            if found != total {
                let [one, many] = match captive {
                    Captive::Chick => ["chick or hen", "chicks and hens"],
                    Captive::Elephant => ["elephant", "elephants"],
                    Captive::Giraffe => ["giraffe", "giraffes"],
                };
                let are = if found == 1 { "is" } else { "are" };
                let found = shared::number_of(found, one, many);
                return Err(format!("there {are} {found}, not {total}"));
            }
        }
        Ok(())
    }
}

/// A hand with one piece more.
fn one_more(hand: Hand, captive: Captive) -> Result<Hand, String> {
    if hand.count(captive) == 2 {
        let name = drawn(captive.piece(), Player::First);
        return Err(format!("a hand has more than two {}s", name.name()));
    }
    Ok(hand.plus(captive.one()))
}

fn parse_hands(text: &str) -> Result<[Hand; 2], String> {
    let mut hands = [Hand::default(); 2];
    match text {
        "" => return Err("the hands are missing (- if nothing is in hand)".into()),
        "-" => return Ok(hands),
        _ => {}
    }
    for character in text.chars() {
        let found = read_letter(character).and_then(|(player, piece)| {
            let captive = Captive::ALL.into_iter().find(|captive| captive.piece() == piece)?;
            Some((player, captive))
        });
        let (player, captive) =
            found.ok_or_else(|| format!("a hand has a {character:?}, not one of CEGceg"))?;
        let hand = &mut hands[player.index()];
        *hand = one_more(*hand, captive)?;
    }
    Ok(hands)
}
