//! The common parts of several shipped games.

use std::fmt::Display;

use retrograde::NotationError;
use retrograde::scene::Scene;
use thiserror::Error;

/// A pawn. The second character keeps it from being shown as a coloured symbol.
pub(crate) const PAWN: &str = "\u{265F}\u{FE0E}";

/// An error in the size of a board, or in how many in a row win on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BoardError {
    /// The board is too small or too large.
    #[error("a board of {columns} columns and {rows} rows: expected {expected}")]
    Size {
        /// The number of columns.
        columns: u32,
        /// The number of rows.
        rows: u32,
        /// The expected value.
        expected: &'static str,
    },
    /// No line can be that long.
    #[error("{in_a_row} in a row on a board of {columns} x {rows}: expected 1 to {longest}")]
    Line {
        /// How many should win.
        in_a_row: u32,
        /// The number of columns.
        columns: u32,
        /// The number of rows.
        rows: u32,
        /// The longest row there is.
        longest: u32,
    },
}

/// Makes sure that some line of a board can be that long.
pub(crate) fn check_line(in_a_row: u32, columns: u32, rows: u32) -> Result<(), BoardError> {
    let longest = columns.max(rows);
    match (1..=longest).contains(&in_a_row) {
        true => Ok(()),
        false => Err(BoardError::Line { in_a_row, columns, rows, longest }),
    }
}

/// Draws a line through the first of these sets of places that are all among `taken`: the row that has won.
pub(crate) fn strike_won(scene: &mut Scene, lines: impl IntoIterator<Item = u64>, taken: u64) {
    if let Some(line) = lines.into_iter().find(|line| taken & line == *line) {
        scene.strike(line.trailing_zeros() as usize, 63 - line.leading_zeros() as usize);
    }
}

/// A number of things in words, such as "1 seed" or "2 seeds".
pub(crate) fn number_of<N>(count: N, one: &str, many: &str) -> String
where
    N: Display + PartialEq + From<u8>,
{
    format!("{count} {}", if count == N::from(1) { one } else { many })
}

/// The name of a tier whose states have a number of things, such as "1-seed" or "2-seeds".
pub(crate) fn tier_name<N>(count: N, one: &str, many: &str) -> String
where
    N: Display + PartialEq + From<u8>,
{
    number_of(count, one, many).replace(' ', "-")
}

/// A board in words, such as "1 column and 3 rows".
pub(crate) fn size(columns: u32, rows: u32) -> String {
    let columns = number_of(columns, "column", "columns");
    format!("{columns} and {}", number_of(rows, "row", "rows"))
}

/// Makes sure that x and o took turns to put these stones on a board.
pub(crate) fn check_turns(stones: [u64; 2]) -> Result<(), NotationError> {
    let [x, o] = stones.map(u64::count_ones);
    if x < o {
        return Err(NotationError::new(format!("{x} x and {o} o, and x begins")));
    }
    if x > o + 1 {
        return Err(NotationError::new(format!("{x} x and {o} o, who take turns")));
    }
    Ok(())
}

/// Implements what is the same in every shipped game. It is made of its parameters, which are all
/// that a table stores of it, and it is registered for the command line.
///
/// `made` makes the game of the parameters or returns the error. Without it, the game has a `From`
/// of its own. `kept` returns the parameters of a game. Without `options`, the parameters are also
/// the options. With it, a function makes the game of the options. `many` is
/// [`Registered::many`](retrograde::cli::Registered::many). `starts` names the field with the
/// position that play begins with, if it is not the usual one; a table then stores
/// [`Started`](crate::Started) parameters. `notes` is
/// [`Registered::notes`](retrograde::cli::Registered::notes), and `how_far` is
/// [`Stored::HOW_FAR`](retrograde::Stored::HOW_FAR).
macro_rules! shipped {
    (
        $game:ident, $name:literal: $about:literal,
        example: $example:literal,
        states: $states:expr,
        parameters: $parameters:ty,
        $(made: $made:expr, $error:ty,)?
        kept: $kept:expr,
        starts: $root:ident,
        $(notes: $notes:expr,)?
    ) => {
        $crate::shared::shipped! {
            $game, $name: $about,
            example: $example,
            states: $states,
            parameters: $parameters,
            $(made: $made, $error,)?
            kept: $kept,
            options: $crate::StartedOptions<$parameters>,
                |options| {
                    let started = $crate::Started::<$parameters>::from(options);
                    $game::try_from(started).map_err(retrograde::cli::CliError::usage)
                },
            starts: $root,
            $(notes: $notes,)?
        }
    };
    (
        $game:ident, $name:literal: $about:literal,
        example: $example:literal,
        states: $states:expr,
        parameters: $parameters:ty,
        $(made: $made:expr, $error:ty,)?
        kept: $kept:expr,
        $(notes: $notes:expr,)?
        $(how_far: $how_far:expr,)?
    ) => {
        $crate::shared::shipped! {
            $game, $name: $about,
            example: $example,
            states: $states,
            parameters: $parameters,
            $(made: $made, $error,)?
            kept: $kept,
            options: $parameters,
                |options| $game::try_from(options).map_err(retrograde::cli::CliError::usage),
            $(notes: $notes,)?
            $(how_far: $how_far,)?
        }
    };
    (
        $game:ident, $name:literal: $about:literal,
        example: $example:literal,
        states: $states:expr,
        parameters: $parameters:ty,
        $(made: $made:expr, $error:ty,)?
        kept: $kept:expr,
        options: $options:ty, $read:expr,
        $(many: $many:expr,)?
        $(starts: $root:ident,)?
        $(notes: $notes:expr,)?
        $(how_far: $how_far:expr,)?
    ) => {
        impl retrograde::Stored for $game {
            const NAME: &'static str = $name;
            $(const HOW_FAR: &'static [&'static str] = &$how_far;)?

            fn state_text(&self, state: &Self::State) -> String {
                retrograde::Notation::write_state(self, state)
            }
        }

        $(impl TryFrom<$parameters> for $game {
            type Error = $error;

            fn try_from(parameters: $parameters) -> Result<$game, $error> {
                let made: fn($parameters) -> Result<$game, $error> = $made;
                made(parameters)
            }
        })?

        impl From<$game> for $parameters {
            fn from(game: $game) -> $parameters {
                let kept: fn($game) -> $parameters = $kept;
                kept(game)
            }
        }

        $(impl TryFrom<$crate::Started<$parameters>> for $game {
            type Error = $crate::StartError;

            fn try_from(
                started: $crate::Started<$parameters>,
            ) -> Result<$game, $crate::StartError> {
                let $crate::Started { parameters, start } = started;
                let mut game =
                    $game::try_from(parameters).map_err($crate::StartError::of_parameters)?;
                game.$root = $crate::started::read(&game, start.as_deref())?;
                Ok(game)
            }
        }

        impl From<$game> for $crate::Started<$parameters> {
            fn from(game: $game) -> $crate::Started<$parameters> {
                let write = |state| retrograde::Notation::write_state(&game, state);
                let start = game.$root.as_ref().map(write);
                $crate::Started { parameters: game.into(), start }
            }
        })?

        impl retrograde::cli::Registered for $game {
            const ABOUT: &'static str = $about;
            const EXAMPLE: &'static str = $example;
            const STATES: &'static str = $states;
            const LAWS_ARE_TESTED: bool = true;
            type Options = $options;

            fn from_options(options: $options) -> Result<$game, retrograde::cli::CliError> {
                let read: fn($options) -> Result<$game, retrograde::cli::CliError> = $read;
                read(options)
            }

            $(fn many(
                options: &$options,
            ) -> Result<Option<retrograde::cli::Many>, retrograde::cli::CliError> {
                $many(options)
            })?

            $(fn has_own_start(&self) -> bool {
                self.$root.is_some()
            })?

            $(fn notes(&self) -> Vec<String> {
                let notes: fn(&$game) -> Vec<String> = $notes;
                notes(self)
            })?
        }
    };
}
pub(crate) use shipped;
