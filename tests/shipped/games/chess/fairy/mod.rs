//! Chess with other pieces, boards and goals: beside rules that go square by square, and beside published
//! figures.

mod pawns;
mod plain;
mod published;
mod random;
mod refusals;

use retrograde_games::chess::{Chess, ChessParameters};

/// The game with these options, as letters of material and parameters by their names in tables.
fn game(material: &str, options: &[(&str, &str)]) -> Result<Chess, String> {
    let mut parameters = ChessParameters { material: material.into(), ..Default::default() };
    for &(name, value) in options {
        let named = || serde_json::from_value(value.into()).map_err(|error| error.to_string());
        match name {
            "board" => parameters.board = Some(value.into()),
            "variant" => {
                parameters.variant =
                    Some(serde_json::from_value(value.into()).map_err(|error| error.to_string())?)
            }
            "bare-king" => parameters.bare_king = named()?,
            "stalemate" => {
                parameters.stalemate =
                    serde_json::from_value(value.into()).map_err(|error| error.to_string())?
            }
            "double-step" => parameters.double_step = Some(value.parse().unwrap_or(0)),
            "promote" => parameters.promote = Some(value.into()),
            "hill" => parameters.hill = Some(value.into()),
            letter => {
                let letter = letter.chars().next().expect("a letter");
                parameters.pieces.insert(letter, value.into());
            }
        }
    }
    Chess::try_from(parameters).map_err(|error| error.to_string())
}
