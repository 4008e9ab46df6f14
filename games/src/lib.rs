//! The games that come with `retrograde`, and the registry of them.
//!
//! A game is one file or folder here and one line in [`registry`].

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod awari;
pub mod bobail;
pub mod cat_mouse;
pub mod cat_mouse_grid;
pub mod chess;
pub mod connect_four;
pub mod cops;
pub mod dobutsu;
pub mod dots_and_boxes;
pub mod gobblet;
mod graphs;
pub mod hexapawn;
pub mod kalah;
pub mod mnk;
pub mod morris;
pub mod othello;
mod pursuit;
pub mod quixo;
mod shared;
mod started;

pub use pursuit::Chase;
pub use shared::BoardError;
pub use started::{Start, StartError, Started, StartedOptions};

#[cfg(not(target_family = "wasm"))]
use retrograde::cli::Registry;
use retrograde::scheme::OptionalSchemes;

/// Schemes of a game that only builds with the feature `numberings` compile.
const fn optional(names: &'static [&'static str]) -> OptionalSchemes {
    OptionalSchemes { names, needs: "the feature `numberings`" }
}

/// Every game of this crate, for the command line.
#[cfg(not(target_family = "wasm"))]
#[must_use]
pub fn registry() -> Registry {
    Registry::new("retrograde", env!("CARGO_PKG_VERSION"))
        .register::<awari::Awari>()
        .register::<bobail::Bobail>()
        .register::<cat_mouse::CatMouse>()
        .register::<cat_mouse_grid::CatMouseGrid>()
        .register::<chess::Chess>()
        .register::<connect_four::ConnectFour>()
        .register::<cops::Cops>()
        .register::<dobutsu::Dobutsu>()
        .register::<dots_and_boxes::DotsAndBoxes>()
        .register::<gobblet::Gobblet>()
        .register::<hexapawn::Hexapawn>()
        .register::<kalah::Kalah>()
        .register::<mnk::Mnk>()
        .register::<morris::Morris>()
        .register::<othello::Othello>()
        .register::<quixo::Quixo>()
}
