//! The numbering of a game's states: how states become indices. The analysis and the file know
//! states only by their indices.
//!
//! A game's author and its users choose a [`scheme`]. Each scheme is an [`indexing`], a pair of two
//! choices: whether the game is divided into tiers, and whether a formula or discovery finds the
//! states. [`Part`] is the numbering of one tier, or of a whole game, in any of them.

#![expect(unreachable_pub, reason = "the sealed traits of `scheme` name these in their signatures")]

pub(crate) mod all_tiers;
pub(crate) mod discovered;
pub(crate) mod indexing;
mod info;
mod interface;
mod kind;
mod part;
pub mod scheme;
mod witnesses;

pub(crate) use all_tiers::{AllTiers, TierStarts};
pub(crate) use interface::{Numbering, Question};
pub use kind::NumberingKind;
pub(crate) use kind::StateForm;
pub(crate) use part::{Part, SolvedTier, TierValues};
pub(crate) use witnesses::{Witness, Witnesses, witnesses};
