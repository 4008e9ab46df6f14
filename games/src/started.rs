//! Games that begin with a position that a person names, in place of the usual one.

use std::fmt::Display;

use retrograde::{Notation, NotationError};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value as Json;

/// Parameters of a game, and the position that play begins with.
///
/// Only the positions that play can reach from there are solved, where a numbering discovers them.
/// A game that begins as usual is stored as its parameters alone.
///
/// ```
/// use retrograde::Solver;
/// use retrograde_games::Started;
/// use retrograde_games::connect_four::{ConnectFour, ConnectFourParameters};
///
/// let parameters = ConnectFourParameters { columns: 4, rows: 4, in_a_row: 4, fold: false };
/// let start = Some("..../ox../xoox/oxxo".to_owned());
/// let game = ConnectFour::try_from(Started { parameters, start })?;
/// let solution = Solver::new(&game).solve()?;
/// assert!(solution.summary().states() < 1_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started<P> {
    /// The parameters of the game.
    pub parameters: P,
    /// The position that play begins with, if it is not the usual one.
    pub start: Option<String>,
}

/// The option that names a position to begin with.
#[derive(Clone, Debug, clap::Args)]
pub struct Start {
    /// Begin with this position: only what play can reach from there is explored
    #[arg(long, value_name = "POSITION")]
    pub start: Option<String>,
}

/// The options of a game whose parameters are its options.
#[derive(Clone, Debug, clap::Args)]
pub struct StartedOptions<P: clap::Args> {
    /// The parameters of the game.
    #[command(flatten)]
    pub parameters: P,
    /// The position that play begins with.
    #[command(flatten)]
    pub start: Start,
}

impl<P: clap::Args> From<StartedOptions<P>> for Started<P> {
    fn from(options: StartedOptions<P>) -> Self {
        Started { parameters: options.parameters, start: options.start.start }
    }
}

/// Parameters with a start, as tables store them.
#[derive(Serialize)]
struct Stored<'p, P> {
    #[serde(flatten)]
    parameters: &'p P,
    start: &'p str,
}

impl<P: Serialize> Serialize for Started<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Started { parameters, start } = self;
        match start {
            None => parameters.serialize(serializer),
            Some(start) => Stored { parameters, start }.serialize(serializer),
        }
    }
}

impl<'de, P: serde::de::DeserializeOwned> Deserialize<'de> for Started<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut stored = Json::deserialize(deserializer)?;
        let start = stored.as_object_mut().and_then(|object| object.remove("start"));
        let start = match start {
            None => None,
            Some(Json::String(text)) => Some(text),
            Some(other) => {
                let problem = format!("`start` is {other}: expected the text of a position");
                return Err(D::Error::custom(problem));
            }
        };
        let parameters = serde_json::from_value(stored).map_err(D::Error::custom)?;
        Ok(Started { parameters, start })
    }
}

/// The start of a game, as a position.
pub(crate) fn read<G: Notation>(
    game: &G,
    start: Option<&str>,
) -> Result<Option<G::State>, StartError> {
    let read = |text| game.parse_state(text).map_err(StartError::Position);
    start.map(read).transpose()
}

/// An error in the parameters of a game, or in the position that play begins with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The parameters are wrong.
    #[error("{0}")]
    Parameters(String),
    /// The start is no position of the game.
    #[error("--start: {0}")]
    Position(NotationError),
}

impl StartError {
    pub(crate) fn of_parameters(error: impl Display) -> StartError {
        StartError::Parameters(error.to_string())
    }
}
