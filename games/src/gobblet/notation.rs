//! How people write positions and moves, and what they look like.

use retrograde::board::{self, Grid};
use retrograde::scene::{Kit, Piece, Scene};
use retrograde::{Notation, NotationError, Player};

use super::{BOARD, Gobblet, Position, SIZES, Uncovered, has_row, squares};
use crate::shared;

const NAMES: [&str; 2] = ["white", "black"];

/// The names of the sizes, the largest first.
pub(super) const NAMES_OF_SIZES: [&str; SIZES] = ["large", "medium", "small"];

/// The letters of the sizes: white's are capitals.
const LETTERS: [&str; 2] = ["LMS", "lms"];

/// How large the sizes are drawn, in percent.
const DRAWN: [u8; SIZES] = [100, 66, 34];

const GRID: Grid = Grid::new(3, 3);

/// A piece on a picture.
fn drawn(size: usize, player: Player) -> Piece {
    let name = format!("{} piece", NAMES_OF_SIZES[size]);
    Piece::disc(&name).of(player).sized(DRAWN[size])
}

/// The size and player of each kind of piece.
fn kinds() -> impl Iterator<Item = (usize, Player)> {
    (0..SIZES).flat_map(|size| Player::BOTH.map(|player| (size, player)))
}

/// The pieces on a square, the uppermost first.
fn stack(position: &Position, square: usize) -> impl Iterator<Item = (usize, Player)> {
    let is_on = move |(size, player): &(usize, Player)| {
        position.pieces[*size][player.index()] >> square & 1 == 1
    };
    kinds().filter(is_on)
}

fn letter((size, player): (usize, Player)) -> &'static str {
    &LETTERS[player.index()][size..=size]
}

/// A stack as text: its pieces from the top down, or a dot.
fn write_stack(position: &Position, square: usize) -> String {
    let letters: Vec<&str> = stack(position, square).map(letter).collect();
    if letters.is_empty() { ".".to_owned() } else { letters.join("-") }
}

/// The parts of a move: the size of its piece, the square that it leaves unless it comes from the
/// reserve, and the square that it goes to.
fn parts(from: &Position, to: &Position) -> Option<(usize, Option<u16>, u16)> {
    let own = from.turn.index();
    (0..SIZES).find_map(|size| {
        let [before, after] = [from, to].map(|position| position.pieces[size][own]);
        let left = Some(before & !after).filter(|&square| square != 0);
        (before != after).then_some((size, left, after & !before))
    })
}

impl Gobblet {
    /// The sizes that the game has, the largest first.
    fn sizes(&self) -> impl Iterator<Item = usize> + Clone {
        let pieces = self.parameters.pieces();
        (0..SIZES).filter(move |&size| pieces[size] > 0)
    }

    /// The place of a player's reserve of a size, behind the squares.
    fn reserve_place(&self, size: usize, player: Player) -> usize {
        let larger = self.sizes().take_while(|&larger| larger < size).count();
        GRID.cells() + self.sizes().count() * player.index() + larger
    }

    /// How many pieces of a size a player has in reserve.
    fn reserve(&self, position: &Position, size: usize, player: Player) -> u32 {
        let on_board = position.pieces[size][player.index()].count_ones();
        self.parameters.pieces()[size].saturating_sub(on_board)
    }

    /// Checks what can be seen at once: how many pieces there are, that no two of a size share a square,
    /// and that play was not over before. Play need not come to the position.
    pub(super) fn check(&self, position: &Position) -> Result<(), String> {
        for (size, name) in NAMES_OF_SIZES.into_iter().enumerate() {
            let [white, black] = position.pieces[size];
            if (white | black) & !BOARD != 0 {
                return Err("a piece beside the board".into());
            }
            if let Some(square) = squares(white & black).next() {
                let square = GRID.name(square.trailing_zeros() as usize);
                return Err(format!(
                    "{square} has two {name} pieces: no two of one size share a square"
                ));
            }
            let most = self.parameters.pieces()[size];
            for (player, set) in NAMES.into_iter().zip([white, black]) {
                if set.count_ones() > most {
                    let found = set.count_ones();
                    return Err(format!(
                        "{player} has {found} {name} pieces: expected at most {most}"
                    ));
                }
            }
        }
        if self.parameters.uncovered == Uncovered::All && has_row(position.tops(position.turn)) {
            let player = NAMES[position.turn.index()];
            return Err(format!("{player} has a row: play ended before it was {player}'s turn"));
        }
        Ok(())
    }

    /// Reads the rows of a position.
    fn read(text: &str) -> Result<[[u16; 2]; SIZES], String> {
        let rows: Vec<&str> = text.split('/').map(str::trim).collect();
        if rows.len() != 3 {
            return Err(format!(
                "it has {}, not 3",
                shared::number_of(rows.len() as u32, "row", "rows")
            ));
        }
        let mut pieces = [[0; 2]; SIZES];
        for (row, text) in (0..).zip(rows) {
            let stacks = read_row(text)?;
            if stacks.len() != 3 {
                let found = shared::number_of(stacks.len() as u32, "square", "squares");
                return Err(format!("row {text:?} has {found}, not 3"));
            }
            for (column, stack) in (0..).zip(stacks) {
                if !stack.is_sorted_by(|(above, _), (below, _)| above < below) {
                    return Err(format!("row {text:?} has a piece under one that is not larger"));
                }
                for (size, player) in stack {
                    pieces[size][player.index()] |= 1 << GRID.cell(column, row);
                }
            }
        }
        Ok(pieces)
    }
}

/// Reads the stacks of a row, each from its top down.
fn read_row(text: &str) -> Result<Vec<Vec<(usize, Player)>>, String> {
    let mut stacks: Vec<Vec<(usize, Player)>> = Vec::new();
    let mut is_joined = false;
    for character in text.chars() {
        let kind = kinds().find(|&kind| letter(kind).starts_with(character));
        match (character, kind, stacks.last_mut()) {
            (_, Some(kind), Some(stack)) if is_joined => {
                stack.push(kind);
                is_joined = false;
            }
            (_, Some(kind), _) => stacks.push(vec![kind]),
            ('.', ..) if !is_joined => stacks.push(Vec::new()),
            ('-', _, Some(stack)) if !is_joined && !stack.is_empty() => is_joined = true,
            _ => {
                return Err(format!(
                    "row {text:?} has a {character:?} where it does not belong: expected a letter of \
                     LMSlms, a dot, or - between the pieces of a stack"
                ));
            }
        }
    }
    match is_joined {
        true => Err(format!("row {text:?} ends with -")),
        false => Ok(stacks),
    }
}

impl Notation for Gobblet {
    fn player(&self, player: Player) -> &str {
        NAMES[player.index()]
    }

    fn rules(&self) -> Option<String> {
        let all = self.parameters.pieces();
        let pieces = self.sizes().map(|size| format!("{} {}", all[size], NAMES_OF_SIZES[size]));
        let pieces: Vec<String> = pieces.collect();
        let uncovered = match self.parameters.uncovered {
            Uncovered::All => "has to land so that no such row is left, or it may not move",
            Uncovered::First => {
                "has to cover a square of it, or it may not move. Of two such rows, that is the first in a list: \
                 across from the top, down from the left, and diagonally, in the image of the board that is the \
                 least. If both players have a row, white wins"
            }
        };
        Some(format!(
            "The board has 3 columns and 3 rows. Each player has pieces in reserve: {}. In turns, beginning \
             with white, players put a piece of the reserve on a square, or move an own piece that nothing \
             covers to another square. The square is empty, or its uppermost piece is smaller, whoever owns \
             it: that is covered, and stays there. Whoever has three pieces in a row that nothing covers wins: \
             across, down or diagonally. A piece that uncovers a row of the other player when it is lifted \
             {uncovered}. A player without a move loses. Endless play is a draw.",
            pieces.join(", ")
        ))
    }

    fn write_state(&self, position: &Position) -> String {
        let row =
            |row| (0..3).map(|column| write_stack(position, GRID.cell(column, row))).collect();
        let rows: Vec<String> = (0..3).map(row).collect();
        format!("{},{}", rows.join("/"), NAMES[position.turn.index()])
    }

    fn parse_state(&self, text: &str) -> Result<Position, NotationError> {
        let expected = "3 rows of 3 squares, each a dot or a stack from its top down: L, M, S for white's \
                        large, medium and small pieces and l, m, s for black's, joined by -; and who is to \
                        move";
        board::read_position(self, text, expected, |text| {
            let (rows, turn) = board::split_turn(self, text)?;
            let pieces = Gobblet::read(rows).map_err(NotationError::new)?;
            let position = Position { pieces, turn };
            self.check(&position).map_err(NotationError::new)?;
            Ok(position)
        })
    }

    /// A piece of the reserve as `L b2`, and one that moves as `L a1-b2`.
    fn write_move(&self, from: &Position, to: &Position) -> String {
        let Some((size, left, entered)) = parts(from, to) else { return String::new() };
        let name = |square: u16| GRID.name(square.trailing_zeros() as usize);
        let left = left.map(|square| format!("{}-", name(square))).unwrap_or_default();
        let (player, letter) = (NAMES[from.turn.index()], letter((size, Player::First)));
        format!("{player} {letter} {left}{}", name(entered))
    }

    fn draw(&self, position: &Position) -> String {
        let mut text = String::new();
        for row in 0..3 {
            text += &format!("{}", 3 - row);
            for column in 0..3 {
                text += &format!("  {:<5}", write_stack(position, GRID.cell(column, row)));
            }
            text = text.trim_end().to_owned() + "\n";
        }
        text += "   a      b      c\n";
        let hand = |player: Player| {
            let count =
                |size| format!("{} {}", self.reserve(position, size, player), NAMES_OF_SIZES[size]);
            let sizes: Vec<String> = self.sizes().map(count).collect();
            format!("{} {}", NAMES[player.index()], sizes.join(", "))
        };
        let [white, black] = Player::BOTH.map(hand);
        let mover = NAMES[position.turn.index()];
        text + &format!("in reserve: {white}; {black}; {mover} to move")
    }

    /// The board, and beside it the reserves: white's on the right, the largest at the bottom, and
    /// black's on the left, the largest at the top.
    fn scene(&self, position: &Position) -> Option<Scene> {
        let mut scene = GRID.scene();
        for square in 0..GRID.cells() {
            stack(position, square)
                .for_each(|(size, player)| scene.put(square, drawn(size, player)));
        }
        for player in Player::BOTH {
            let (name, x) = (NAMES[player.index()], [3.3, -1.6][player.index()]);
            for (size, at) in self.sizes().zip(0_u8..) {
                let y = if player == Player::First { 2 - at } else { at };
                let piece = drawn(size, player);
                let title = format!("{name}'s {} pieces in reserve", NAMES_OF_SIZES[size]);
                let place = scene.reserve_of(x, y, &title, &piece);
                scene.put(place, piece.times(self.reserve(position, size, player)));
            }
            // Behind the last one.
            let aside = self.sizes().count() as f32 - 0.25;
            scene.label(x, if player == Player::First { 2.0 - aside } else { aside }, name);
        }
        for player in Player::BOTH {
            shared::strike_won(
                &mut scene,
                super::ROWS.map(u64::from),
                position.tops(player).into(),
            );
        }
        Some(scene)
    }

    fn kit(&self) -> Kit {
        let kinds = self.sizes().flat_map(|size| Player::BOTH.map(|player| drawn(size, player)));
        Kit::new(kinds).sharing()
    }

    fn set_up(&self, scene: &Scene, turn: Player) -> Result<Position, NotationError> {
        let mut position = Position { turn, ..Position::START };
        let mut found = [[0; 2]; SIZES];
        for (place, piece) in scene.pieces() {
            let size = (0..SIZES).find(|&size| piece.name().starts_with(NAMES_OF_SIZES[size]));
            let (Some(size), Some(player)) = (size, piece.side()) else { continue };
            found[size][player.index()] += piece.count();
            if place < GRID.cells() {
                position.pieces[size][player.index()] |= 1 << place;
            }
        }
        self.check(&position).map_err(NotationError::new)?;
        for (size, player) in kinds() {
            let (found, all) = (found[size][player.index()], self.parameters.pieces()[size]);
            if found != all {
                let (player, name) = (NAMES[player.index()], NAMES_OF_SIZES[size]);
                let [one, many] = ["piece", "pieces"].map(|pieces| format!("{name} {pieces}"));
                let found = shared::number_of(found, &one, &many);
                return Err(NotationError::new(format!(
                    "{player} has {found}, board and reserve together, not {all}"
                )));
            }
        }
        Ok(position)
    }

    /// The square or the reserve that the piece leaves, and the square to which it goes.
    fn move_places(&self, from: &Position, to: &Position) -> Vec<usize> {
        let Some((size, left, entered)) = parts(from, to) else { return Vec::new() };
        let reserve = || self.reserve_place(size, from.turn);
        let left = left.map_or_else(reserve, |square| square.trailing_zeros() as usize);
        vec![left, entered.trailing_zeros() as usize]
    }

    fn with_other_mover(&self, position: &Position) -> Option<Position> {
        let passed = position.passed();
        self.check(&passed).is_ok().then_some(passed)
    }
}
