//! Discovered states: how they are stored, sorted and found.

mod directory;
mod encoding;
mod sorted;
mod window;

pub(crate) use encoding::{Encoding, PackedIn, RawKeys, Unpacked};
pub(crate) use sorted::{ListedStates, Sorted};
pub(crate) use window::{FindKeys, ForeignKey, KeyWindow, Place};
