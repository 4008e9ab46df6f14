//! Discovered states: how they are stored, sorted and found.

mod directory;
mod encoding;
mod keys;
mod sorted;
mod window;

pub(crate) use encoding::{Encoding, PackedIn, RawKeys, Unpacked};
pub(crate) use keys::{KeyList, MappedKeys};
pub(crate) use sorted::{ListedStates, Sorted};
pub(crate) use window::{FindKeys, ForeignKey, KeyWindow, Location};
