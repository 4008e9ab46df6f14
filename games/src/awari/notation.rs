//! How people write the houses and moves.

use retrograde::board;
use retrograde::scene::{Kit, Piece, Scene};
use retrograde::{Notation, NotationError, Player};

use super::board::HOUSES;
use super::{Awari, AwariParameters, GrandSlam, Houses};
use crate::shared;

/// The names of the houses: those of the player to move, and the other player's.
const NAMES: [[char; HOUSES]; 2] = [['A', 'B', 'C', 'D', 'E', 'F'], ['a', 'b', 'c', 'd', 'e', 'f']];

/// How far houses are from each other on a picture: columns, and the two rows, between which names
/// have room.
const APART: [f32; 2] = [1.1, 1.6];

impl Awari {
    /// The houses with these seeds, if the game has so many.
    fn with_seeds(&self, counts: [[u32; HOUSES]; 2]) -> Result<Houses, NotationError> {
        let most = self.parameters().seeds;
        let all = counts.as_flattened().iter().fold(0_u32, |all, &seeds| all.saturating_add(seeds));
        let few = counts.map(|half| half.map(|seeds| u8::try_from(seeds).unwrap_or(u8::MAX)));
        let houses = Houses::new(few).filter(|_| all <= most);
        houses.ok_or_else(|| {
            NotationError::new(format!("it has {all} seeds: expected at most {most}"))
        })
    }

    /// Reads the contents of a player's houses, by their names.
    fn read_half(&self, names: [char; HOUSES], text: &str) -> Result<[u32; HOUSES], NotationError> {
        let written: Vec<&str> = text.split(',').map(str::trim).collect();
        let Ok(written) = <[&str; HOUSES]>::try_from(written) else {
            let houses = text.split(',').count();
            let s = if houses == 1 { "" } else { "s" };
            return Err(NotationError::new(format!(
                "\"{text}\" has {houses} house{s}, not {HOUSES}"
            )));
        };
        let mut counts = [0; HOUSES];
        let most = self.parameters().seeds;
        for ((count, written), name) in counts.iter_mut().zip(written).zip(names) {
            let is_number =
                !written.is_empty() && written.bytes().all(|byte| byte.is_ascii_digit());
            let read = written.parse().ok().filter(|&read| is_number && read <= most);
            *count = read.ok_or_else(|| {
                NotationError::new(format!(
                    "\"{written}\" in house {name} is no number from 0 to {most}"
                ))
            })?;
        }
        Ok(counts)
    }
}

impl Notation for Awari {
    fn rules(&self) -> Option<String> {
        let AwariParameters { seeds, grand_slam } = self.parameters();
        let slam = match grand_slam {
            GrandSlam::Illegal => {
                "A move that would capture all seeds of the other player is allowed only if there is \
                 no other."
            }
            GrandSlam::CapturesNothing => {
                "A move that would capture all seeds of the other player captures nothing."
            }
            GrandSlam::Captures => "A move may capture all seeds of the other player.",
        };
        let seeds = shared::number_of(seeds, "seed", "seeds");
        Some(format!(
            "Each player has a row of six houses with seeds, at most {seeds} on the board. \
             A move takes all seeds of an own house and sows them one by one into the houses that \
             follow, round the board. The house that they come from is left out. If the last seed \
             falls into a house of the other player and makes 2 or 3 there, these are captured. So \
             are 2 or 3 in the houses right before it, as long as these are the other player's. \
             {slam} If the other player has no seeds, a move must bring some there. A player who \
             can't move ends the game, and both take the seeds in their own houses. Whoever gets more \
             seeds wins. If play goes round in circles, nobody gets the seeds that are left."
        ))
    }

    fn write_state(&self, houses: &Houses) -> String {
        let half = |half: [u8; HOUSES]| half.map(|seeds| seeds.to_string()).join(",");
        houses.counts().map(half).join("/")
    }

    fn parse_state(&self, text: &str) -> Result<Houses, NotationError> {
        let expected = "the seeds in the six houses of the player to move, and in the other's six";
        board::read_position(self, text, expected, |text| {
            let halves: Vec<&str> = text.split('/').map(str::trim).collect();
            let [own, others] = halves[..] else {
                let rows = shared::number_of(halves.len(), "row", "rows");
                let problem = format!("it has {rows} of houses, not 2");
                return Err(NotationError::new(problem));
            };
            self.with_seeds([self.read_half(NAMES[0], own)?, self.read_half(NAMES[1], others)?])
        })
    }

    /// The house that is sown, and how many seeds are captured: `C`, `F x5`.
    fn write_move(&self, from: &Houses, to: &Houses) -> String {
        let Some(house) = from.house_sown(self.parameters().grand_slam, *to) else {
            return self.write_state(to);
        };
        match from.seeds() - to.seeds() {
            0 => NAMES[0][house].to_string(),
            captured => format!("{} x{captured}", NAMES[0][house]),
        }
    }

    /// The houses of the player to move are at the bottom. Seeds go round counterclockwise.
    fn draw(&self, houses: &Houses) -> String {
        let row = |cells: [String; HOUSES]| cells.map(|cell| format!("{cell:>2}")).join(" ");
        let [own, mut others] = houses.counts().map(|half| half.map(|seeds| seeds.to_string()));
        let [own_names, mut other_names] = NAMES.map(|names| names.map(String::from));
        others.reverse();
        other_names.reverse();
        let [above, top, bottom, below] = [other_names, others, own, own_names].map(row);
        format!("{above}\n{top}\n{bottom}  to move\n{below}")
    }

    /// The two rows of houses as the player to move sees them.
    fn scene(&self, houses: &Houses) -> Option<Scene> {
        let mut scene = Scene::new();
        let [width, height] = APART;
        for (player, half) in houses.counts().into_iter().enumerate() {
            for (house, seeds) in half.into_iter().enumerate() {
                let (column, y) = match player {
                    0 => (house, height),
                    _ => (HOUSES - 1 - house, 0.0),
                };
                let x = width * column as f32;
                let place = scene.reserve(x, y, &NAMES[player][house].to_string());
                scene.put(place, seed().times(seeds.into()));
            }
        }
        let [beside, middle] = [APART[0], APART[1] / 2.0];
        scene.store(beside * HOUSES as f32, middle, Player::First);
        scene.store(-beside, middle, Player::Second);
        scene.set_sides_of_mover();
        scene.set_places_of_mover(|place| (place + HOUSES) % (2 * HOUSES));
        Some(scene)
    }

    fn kit(&self) -> Kit {
        Kit::new([seed()])
    }

    fn set_up(&self, scene: &Scene, _: Player) -> Result<Houses, NotationError> {
        let mut counts = [[0_u32; HOUSES]; 2];
        for (place, seeds) in scene.pieces() {
            if let Some(count) = counts.as_flattened_mut().get_mut(place) {
                *count = count.saturating_add(seeds.count());
            }
        }
        self.with_seeds(counts)
    }

    /// The house that is sown.
    fn move_places(&self, from: &Houses, to: &Houses) -> Vec<usize> {
        from.house_sown(self.parameters().grand_slam, *to).into_iter().collect()
    }
}

/// A seed on a picture.
fn seed() -> Piece {
    Piece::disc("seed")
}
