//! How people write and read positions and moves, and what they look like.

use retrograde::board::{self, Grid};
use retrograde::scene::{Kit, Piece, Scene};
use retrograde::{Notation, NotationError, Player};

use super::board::{Board, Points, points};
use super::material::Material;
use super::{FEWEST, Morris, MorrisParameters, Position};
use crate::shared;

const NAMES: [&str; 2] = ["white", "black"];
const LETTERS: &str = "wb";

impl Notation for Morris {
    fn player(&self, player: Player) -> &str {
        NAMES[player.index()]
    }

    fn rules(&self) -> Option<String> {
        let MorrisParameters { board, men, flying, sliding } = self.parameters;
        let cross = match board {
            Board::Seven => {
                " On the long lines of the cross, any three points that follow each other count."
            }
            Board::Six | Board::Nine => "",
            Board::Twelve => " The lines between corners of the squares count, too.",
        };
        let flying = match flying {
            true => " A player with three men left may move one to any empty point.",
            false => "",
        };
        let or_move = match sliding {
            true => ", or move a man",
            false => ". A player whose hand is empty moves a man",
        };
        let points = self.lines.points();
        Some(format!(
            "The board has {points} points, joined by lines, and each player has {men} men in hand. In \
             turns, beginning with white, players put a man on an empty point{or_move} along a line to \
             an empty point next to it.{flying} Three own men in a row on a line are a mill.{cross} \
             Whoever completes a mill takes one of the other player's men, and one of a mill only if \
             all are in mills. A player with only two men left, or without a move, has lost. Endless \
             play is a draw."
        ))
    }

    /// `6-4-0-0`: how many men of the player to move and of the other are on the board, and in their hands.
    fn describe_tier(&self, name: &str) -> Option<String> {
        let men: Vec<u32> = name.split('-').filter_map(|men| men.parse().ok()).collect();
        let &[own, other, own_hand, other_hand] = men.as_slice() else { return None };
        let hands = match [own_hand, other_hand] {
            [0, 0] => "none in hand".to_owned(),
            hands => format!("{} and {} in hand", hands[0], hands[1]),
        };
        let own = shared::number_of(own, "man", "men");
        Some(format!("{own} against {other}, {hands}"))
    }

    fn write_state(&self, position: &Position) -> String {
        let mut text = String::new();
        let mut row = 0;
        for (point, &(_, its_row)) in (0..).zip(self.lines.places()) {
            if its_row != row {
                text.push('/');
                row = its_row;
            }
            text.push(letter(position, point));
        }
        let [white, black] = Player::BOTH.map(|player| position.men_of(player).1);
        format!("{text},{white}-{black},{}", NAMES[position.turn.index()])
    }

    fn parse_state(&self, text: &str) -> Result<Position, NotationError> {
        let expected = "the rows of points from the top, w, b or ., then the men in hand, white's and \
                        black's, and who moves";
        board::read_position(self, text, expected, |text| {
            let position = self.read(text)?;
            self.check(&position).map_err(NotationError::new)?;
            Ok(position)
        })
    }

    /// A placing as `d2`, a moving as `d2-d1`, and what is taken as `xa7`: the column, and the row
    /// from the bottom.
    fn write_move(&self, from: &Position, to: &Position) -> String {
        let mover = from.turn;
        let [before, after] = [from, to].map(|position| position.men_of(mover).0);
        let [left, entered] = [before & !after, after & !before].map(|set| self.name(set));
        let taken = self.name(from.other & !to.men_of(mover.opponent()).0);
        let mut text = format!("{} ", NAMES[mover.index()]);
        if !left.is_empty() {
            text += &format!("{left}-");
        }
        text += &entered;
        if !taken.is_empty() {
            text += &format!("x{taken}");
        }
        text
    }

    fn draw(&self, position: &Position) -> String {
        let board: Board = self.parameters.board;
        let rows = board.drawing().lines().count().div_ceil(2);
        let mut text = String::new();
        let mut point = 0;
        for (y, line) in board.drawing().lines().enumerate() {
            if y % 2 == 0 {
                text += &format!("{} ", rows - y / 2);
            } else {
                text += "  ";
            }
            for character in line.chars() {
                if character == 'o' {
                    text.push(letter(position, point));
                    point += 1;
                } else {
                    text.push(character);
                }
            }
            text.push('\n');
        }
        let letters: Vec<String> =
            ('a'..).take(self.grid().columns() as usize).map(String::from).collect();
        let [white, black] = Player::BOTH.map(|player| position.men_of(player).1);
        let mover = NAMES[position.turn.index()];
        text + &format!("  {}\n", letters.join(" "))
            + &format!("in hand: white {white}, black {black}; {mover} to move")
    }

    /// The board, and below it the men in hand. Place `p` is point `p`.
    fn scene(&self, position: &Position) -> Option<Scene> {
        let places = self.lines.places();
        let grid = self.grid();
        let mut scene = Scene::new();
        for (point, &(column, row)) in (0..).zip(places) {
            scene.point(column, row, &self.name(1 << point));
        }
        for point in 0..self.lines.points() {
            for next in points(self.lines.neighbours(point)).filter(|&next| next > point) {
                scene.line(point as usize, next as usize);
            }
        }
        grid.label(&mut scene, 1);
        for player in Player::BOTH {
            let (men, in_hand) = position.men_of(player);
            let man = man(player);
            scene.put_on(men.into(), &man);
            let x = if player == Player::First { 0 } else { grid.columns() - 1 };
            let name = format!("{}'s hand", NAMES[player.index()]);
            let hand = scene.reserve_of(x, grid.rows() as f32 + 0.55, &name, &man);
            scene.put(hand, man.times(in_hand.into()));
        }
        Some(scene)
    }

    fn kit(&self) -> Kit {
        Kit::new(Player::BOTH.map(man))
    }

    fn set_up(&self, scene: &Scene, turn: Player) -> Result<Position, NotationError> {
        let (mut men, mut hands) = ([0; 2], [0; 2]);
        for (place, man) in scene.pieces() {
            let player = man.side().unwrap_or(Player::First).index();
            match place < self.lines.points() as usize {
                true => men[player] |= 1 << place,
                false => hands[player] = man.count().min(u8::MAX.into()) as u8,
            }
        }
        let position = Position::of(men, hands, turn);
        self.check(&position).map_err(NotationError::new)?;
        Ok(position)
    }

    /// Where the man leaves, unless it comes from the hand, where it arrives, and the man that is
    /// taken.
    fn move_places(&self, from: &Position, to: &Position) -> Vec<usize> {
        let (mover, other) = (from.turn, from.turn.opponent());
        let [before, after] = [from, to].map(|position| position.men_of(mover).0);
        let taken = from.men_of(other).0 & !to.men_of(other).0;
        let touched = [before & !after, after & !before, taken];
        touched.into_iter().flat_map(points).map(|point| point as usize).collect()
    }

    /// Where men are placed and none is moved, their number says who is to move.
    fn with_other_mover(&self, position: &Position) -> Option<Position> {
        let men = Player::BOTH.map(|player| position.men_of(player).0);
        let hands = Player::BOTH.map(|player| position.men_of(player).1);
        let passed = Position::of(men, hands, position.turn.opponent());
        self.check(&passed).is_ok().then_some(passed)
    }
}

/// A man on a picture.
fn man(player: Player) -> Piece {
    Piece::disc("man").of(player)
}

/// The letter for the man on a point.
fn letter(position: &Position, point: u32) -> char {
    let on = |player: &Player| position.men_of(*player).0 >> point & 1 == 1;
    let man = Player::BOTH.into_iter().zip(LETTERS.chars()).find(|(player, _)| on(player));
    man.map_or('.', |(_, letter)| letter)
}

impl Morris {
    /// The rows and columns that the points are in.
    fn grid(&self) -> Grid {
        let after = |[columns, rows]: [u32; 2], &(column, row): &(u32, u32)| {
            [columns.max(column + 1), rows.max(row + 1)]
        };
        let [columns, rows] = self.lines.places().iter().fold([0; 2], after);
        Grid::new(columns, rows)
    }

    /// The names of the points of a set, joined.
    fn name(&self, set: Points) -> String {
        let (grid, places) = (self.grid(), self.lines.places());
        let name = |point: u32| {
            let (column, row) = places[point as usize];
            grid.name(grid.cell(column, row))
        };
        points(set).map(name).collect()
    }

    /// Reads a position, which may be one that play does not come to.
    fn read(&self, text: &str) -> Result<Position, NotationError> {
        let (text, turn) = board::split_turn(self, text)?;
        let (rows, hands) = text.split_once(',').unwrap_or((text, ""));
        let Some((white, black)) = hands.split_once('-') else {
            let expected = "expected white's and black's, as in 3-3";
            let problem = format!("\"{hands}\" is not the men in hand: {expected}");
            return Err(NotationError::new(problem));
        };
        let hand = |text: &str| match text.trim().parse() {
            Ok(hand) if u32::from(hand) <= self.parameters.men => Ok(hand),
            _ => {
                let most = self.parameters.men;
                Err(NotationError::new(format!("\"{text}\" men in hand: expected 0 to {most}")))
            }
        };
        let row_of = |row| self.lines.places().iter().filter(move |(_, its)| *its == row).count();
        let lengths: Vec<usize> = (0..self.grid().rows()).map(row_of).collect();
        let mut men = [0; 2];
        board::read_rows(rows, &lengths, LETTERS, |point, player| men[player] |= 1 << point)?;
        Ok(Position::of(men, [hand(white)?, hand(black)?], turn))
    }

    /// Checks that the counts of men are possible in play.
    pub(super) fn check(&self, position: &Position) -> Result<(), String> {
        let men = self.parameters.men;
        let in_hand = |player| u32::from(position.men_of(player).1);
        let in_all = |player| position.men_of(player).0.count_ones() + in_hand(player);
        for player in Player::BOTH {
            let (name, all) = (NAMES[player.index()], in_all(player));
            if all > men {
                return Err(format!("{name} has {all} men, board and hand together, not {men}"));
            }
            let least = if player == position.turn { FEWEST - 1 } else { FEWEST };
            if all < least {
                let moved = NAMES[position.turn.index()];
                let all = shared::number_of(all, "man", "men");
                return Err(format!(
                    "{name} has {all} left, board and hand together: play ended before it was \
                     {moved}'s turn"
                ));
            }
        }
        let [white, black] = Player::BOTH.map(in_hand);
        let fits = match position.turn {
            _ if !self.only_places(position) => true,
            Player::First => black == white,
            Player::Second => black == white + 1,
        };
        if !fits {
            let mover = NAMES[position.turn.index()];
            let white = shared::number_of(white, "man", "men");
            return Err(format!(
                "{mover} can't be to move with {white} in white's hand and {black} in black's: \
                 they take turns placing them, white first"
            ));
        }
        let has_begun = (position.own, position.turn) != (0, Player::First);
        if self.parameters.sliding && position.other == 0 && has_begun {
            let moved = NAMES[position.turn.opponent().index()];
            return Err(format!("{moved} has no man on the board, but has just made a move"));
        }
        let material = Material::of(position);
        if self.tiers.find(material).is_none() {
            return Err("this many men can't have been taken this early".into());
        }
        let turns = [position.turn, position.turn.opponent()];
        let possible = material.mills(men, self.parameters.sliding);
        for (player, possible) in turns.into_iter().zip(possible) {
            let mills = self.lines.count_mills(position.men_of(player).0);
            let name = NAMES[player.index()];
            if mills > *possible.end() {
                return Err(format!("{name} has a mill, but has taken nothing"));
            }
            if mills < *possible.start() {
                let mills = shared::number_of(mills, "mill", "mills");
                return Err(format!(
                    "{name} has {mills}: expected at least {}, one for each man taken, since \
                     no man of a mill was lost or moved",
                    possible.start()
                ));
            }
        }
        Ok(())
    }
}
