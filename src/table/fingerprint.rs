//! A few states that a table remembers, with their keys, to recognize a changed numbering.
//!
//! Values are found by the game's formula or packing. A game whose formula changed since would read
//! the values of other states. So opening a table compares the game's keys and states with the
//! header's.

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::error::TableError;
use crate::numbering::indexing::{Indexing, KeyOf, Lookup};
use crate::numbering::{NumberingKind, Witness, Witnesses};
use crate::runtime::codec;
use crate::table::Stored;

/// The longest text that is stored whole, in bytes. A longer one is stored as its beginning and a
/// hash.
const LONGEST: usize = 120;

/// A state, and its key when the table was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Remembered {
    /// The index that the formula gave, or the stored form of the state, as a record.
    #[serde(with = "serde_bytes")]
    key: Vec<u8>,
    /// The state: [`Stored::state_text`].
    text: String,
}

/// The states that a table of this numbering remembers.
pub(crate) fn remember<G: Stored>(
    game: &G,
    numbering: NumberingKind,
    witnesses: Witnesses<G>,
) -> Vec<Remembered> {
    let tier = numbering.tier().unwrap_or(0) as usize;
    let remembered = |Witness { key, state }| Remembered { key, text: text(game, &state) };
    witnesses(game, tier).into_iter().map(remembered).collect()
}

/// Checks that the game still finds the remembered states of a tier under their keys.
///
/// # Errors
/// The first state with another key, or the first key with another state.
pub(crate) fn check<G: Stored, I: Indexing<G>>(
    game: &G,
    tier: usize,
    remembered: &[Remembered],
) -> Result<(), TableError> {
    remembered.iter().try_for_each(|remembered| check_one::<G, I>(game, tier, remembered))
}

fn check_one<G: Stored, I: Indexing<G>>(
    game: &G,
    tier: usize,
    remembered: &Remembered,
) -> Result<(), TableError> {
    let changed = |place: String, now: String| {
        Err(TableError::GameHasChanged { place, then: remembered.text.clone(), now })
    };
    let Ok(key) = codec::decode::<KeyOf<G, I>>(&remembered.key) else {
        return changed("a stored state".into(), "of another layout".into());
    };
    let index = I::Lookup::index_of_key(&key);
    let place = || index.map_or("a stored state".into(), |index| format!("index {index}"));
    let Some(state) = I::Lookup::state_of_any_key(game, tier, &key) else {
        return changed(place(), "unused".into());
    };
    let now = text(game, &state);
    if now != remembered.text {
        return changed(place(), now);
    }
    match I::Lookup::key(game, tier, &state) {
        Some(found) if found == key => Ok(()),
        found => {
            let found = found.and_then(|found| I::Lookup::index_of_key(&found));
            let found = found.map_or("another form".into(), |index| format!("index {index}"));
            changed(place(), format!("that of {now}, which in turn has {found}"))
        }
    }
}

/// The text of a state; for a long one, its beginning and a hash of all of it.
fn text<G: Stored>(game: &G, state: &G::State) -> String {
    shortened(game.state_text(state))
}

/// A text, or the beginning of a long one and a hash of all of it.
fn shortened(text: String) -> String {
    if text.len() <= LONGEST {
        return text;
    }
    let hash = XxHash3_64::oneshot(text.as_bytes());
    let beginning: String = text.chars().take(LONGEST / 2).collect();
    format!("{beginning}… ({hash:016x})")
}
