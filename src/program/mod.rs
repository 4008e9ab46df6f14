//! The program: what people and machines talk to. The engine knows nothing of it.

#[cfg(feature = "serve")]
mod answers;
mod asking;
#[cfg(not(target_family = "wasm"))]
pub mod cli;
#[cfg(feature = "cluster")]
mod cluster;
mod code;
mod registered;
#[cfg(all(feature = "serve", not(target_family = "wasm")))]
mod serve;
#[cfg(feature = "serve")]
#[doc(hidden)]
pub mod web;
mod wording;

/// In a module for browsers, `cli` has only what a game needs to be registered.
#[cfg(target_family = "wasm")]
pub mod cli {
    pub use crate::program::code::ErrorCode;
    pub use crate::program::registered::{Answer, CliError, Many, Registered, Share, read_text};
}
