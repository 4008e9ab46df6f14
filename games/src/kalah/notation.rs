//! How people write positions and moves, and what they look like.

use retrograde::board;
use retrograde::scene::{Kit, Piece, Scene};
use retrograde::{Notation, NotationError, Player};

use super::{Ends, Kalah, KalahParameters, MOST_HOUSES, Position, Side, Sown};
use crate::shared;

const NAMES: [&str; 2] = ["south", "north"];

/// How far the centres of the two rows are from each other on a picture: there is room for the names
/// of the houses between them.
const ROWS_APART: f32 = 1.5;

/// A seed on a picture.
fn seed() -> Piece {
    Piece::disc("seed")
}

/// The name of a player's house: `A` for south's first in the order of sowing, `a` for north's.
fn house_name(player: Player, house: usize) -> char {
    let first = [b'A', b'a'][player.index()];
    char::from(first + house as u8)
}

impl Kalah {
    /// The names of a player's houses: `A to D`, or `A`.
    fn house_names(&self, player: Player) -> String {
        let [first, last] = [0, self.houses - 1].map(|house| house_name(player, house));
        if first == last { first.to_string() } else { format!("{first} to {last}") }
    }

    /// Each player's houses: the player, the house, and its place on a picture.
    fn each_house(&self) -> impl Iterator<Item = (Player, usize, usize)> + use<> {
        let houses = self.houses;
        let of = move |player: Player| {
            (0..houses).map(move |house| (player, house, player.index() * houses + house))
        };
        Player::BOTH.into_iter().flat_map(of)
    }

    /// The first move from one position to another: its house, and what it does.
    fn find_move(&self, from: &Position, to: &Position) -> Option<(usize, Sown)> {
        let sown = |house| (house, self.sown(from, house));
        self.sowable(from).map(sown).find(|(_, sown)| sown.to == *to)
    }

    /// Makes sure that there are no more seeds than at the start.
    fn check_seeds(&self, seeds: u32) -> Result<(), NotationError> {
        match seeds > self.seeds {
            true => {
                let most = self.seeds;
                Err(NotationError::new(format!("it has {seeds} seeds: expected at most {most}")))
            }
            false => Ok(()),
        }
    }

    /// The houses of a player from their text.
    fn read_side(&self, player: Player, text: &str) -> Result<Side, NotationError> {
        let name = self.player(player);
        let houses: Vec<&str> = text.split('-').map(str::trim).collect();
        if houses.len() != self.houses {
            let found = shared::number_of(houses.len(), "house", "houses");
            let problem = format!("{name} has {found}, not {}", self.houses);
            return Err(NotationError::new(problem));
        }
        let mut side = [0; MOST_HOUSES];
        for ((house, seeds), text) in side.iter_mut().enumerate().zip(houses) {
            let is_number = !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
            let most = self.seeds as u8;
            let read = text.parse().ok().filter(|&read| is_number && read <= most);
            *seeds = read.ok_or_else(|| {
                let house = house_name(player, house);
                let problem =
                    format!("\"{text}\" in {name}'s house {house} is no number from 0 to {most}");
                NotationError::new(problem)
            })?;
        }
        Ok(side)
    }

    /// The seeds of a player's houses in this order, in columns of the same width.
    fn draw_row<T: ToString>(&self, row: impl IntoIterator<Item = T>) -> String {
        row.into_iter().map(|item| format!("{:>4}", item.to_string())).collect()
    }
}

impl Notation for Kalah {
    fn player(&self, player: Player) -> &str {
        NAMES[player.index()]
    }

    fn rules(&self) -> Option<String> {
        let KalahParameters { houses, seeds, empty_capture, ends } = self.parameters;
        let empty = match empty_capture {
            true => ", even if that house is empty",
            false => "; if that house is empty, nothing is captured",
        };
        let ends = match ends {
            Ends::NoMove => {
                "Play is over when the player to move has no seeds, and the other player takes the rest."
            }
            Ends::SideEmpty => {
                "Play is over as soon as one side is empty, and each player takes the seeds of the own \
                 side."
            }
        };
        let houses = shared::number_of(houses, "house", "houses");
        let seeds = shared::number_of(seeds, "seed", "seeds");
        Some(format!(
            "South and north each have a row of {houses} with {seeds} in each, and a store at its end. \
             A move takes all seeds of an own house and sows them one by one, counterclockwise. They \
             go into the own houses, the own store and the other's houses, but not into the other's \
             store. A player whose last seed falls into the own store moves again. If it falls into \
             an own house that was empty, it goes to the own store with the seeds of the house \
             opposite{empty}. {ends} Whoever has more seeds wins, and as many on both sides are a draw."
        ))
    }

    fn write_state(&self, position: &Position) -> String {
        let side = |side: &Side| {
            let houses: Vec<String> = side[..self.houses].iter().map(u8::to_string).collect();
            houses.join("-")
        };
        let [south, north] = position.sides.each_ref().map(side);
        format!("{south}/{north},{}", self.player(position.turn))
    }

    fn parse_state(&self, text: &str) -> Result<Position, NotationError> {
        let [south, north] = Player::BOTH.map(|player| self.house_names(player));
        let expected = format_args!(
            "the seeds in south's houses {south}, those in north's {north}, and who is to move"
        );
        board::read_position(self, text, expected, |text| {
            let (houses, turn) = board::split_turn(self, text)?;
            let sides: Vec<&str> = houses.split('/').collect();
            let &[south, north] = &sides[..] else {
                let found = shared::number_of(sides.len(), "row", "rows");
                let problem = format!("it has {found} of houses, not 2");
                return Err(NotationError::new(problem));
            };
            let south = self.read_side(Player::First, south)?;
            let north = self.read_side(Player::Second, north)?;
            let position = Position { sides: [south, north], turn };
            self.check_seeds(position.seeds())?;
            Ok(position)
        })
    }

    /// The house that is sown, how many seeds are captured, and whether the same player moves again:
    /// `B`, `c x4` for four seeds, `A again`.
    fn write_move(&self, from: &Position, to: &Position) -> String {
        let Some((house, sown)) = self.find_move(from, to) else { return self.write_state(to) };
        let name = house_name(from.turn, house);
        match sown {
            Sown { again: true, .. } => format!("{name} again"),
            Sown { captured: 0, .. } => name.to_string(),
            Sown { captured, .. } => format!("{name} x{captured}"),
        }
    }

    /// The houses as south sees them: north sows from right to left above, south from left to right
    /// below.
    fn draw(&self, position: &Position) -> String {
        let [south, north] = position.sides.map(|side| side.into_iter().take(self.houses));
        let names = |player| (0..self.houses).map(move |house| house_name(player, house));
        let above = self.draw_row(names(Player::Second).rev());
        let north = self.draw_row(north.rev());
        let south = self.draw_row(south);
        let below = self.draw_row(names(Player::First));
        let turn = self.player(position.turn);
        format!("{above}\n{north}   north\n{south}   south\n{below}\n{turn} to move")
    }

    fn scene(&self, position: &Position) -> Option<Scene> {
        let mut scene = Scene::new();
        for (player, house, place) in self.each_house() {
            let name = house_name(player, house).to_string();
            let seeds = position.sides[player.index()][house];
            let (column, row) = match player {
                Player::First => (house, ROWS_APART),
                Player::Second => (self.houses - 1 - house, 0.0),
            };
            scene.reserve(column, row, &name);
            scene.put(place, seed().times(seeds.into()));
        }
        scene.store(self.houses as f32 + 0.1, ROWS_APART / 2.0, Player::First);
        scene.store(-1.1, ROWS_APART / 2.0, Player::Second);
        Some(scene)
    }

    /// The house that is sown.
    fn move_places(&self, from: &Position, to: &Position) -> Vec<usize> {
        let found = self.find_move(from, to);
        found.map(|(house, _)| from.turn.index() * self.houses + house).into_iter().collect()
    }

    fn kit(&self) -> Kit {
        Kit::new([seed()])
    }

    fn set_up(&self, scene: &Scene, turn: Player) -> Result<Position, NotationError> {
        let mut counts = [0_u32; 2 * MOST_HOUSES];
        for (place, seed) in scene.pieces() {
            if let Some(count) = counts.get_mut(place) {
                *count = count.saturating_add(seed.count());
            }
        }
        self.check_seeds(counts.iter().fold(0, |sum, &count| sum.saturating_add(count)))?;
        let mut position = Position { sides: [[0; MOST_HOUSES]; 2], turn };
        for (player, house, place) in self.each_house() {
            position.sides[player.index()][house] = counts[place] as u8;
        }
        Ok(position)
    }

    fn with_other_mover(&self, position: &Position) -> Option<Position> {
        Some(Position { turn: position.turn.opponent(), ..*position })
    }
}
