//! Loads the states that the table of a tier lists into a search structure in memory.

use crate::error::TableError;
use crate::game::{Game, one_line};
use crate::numbering::StateForm;
use crate::numbering::discovered::FoundKeys;
use crate::numbering::indexing::{Indexing, Indices, KeyOf, Lookup};
use crate::runtime::progress::OnProgress;
use crate::table::lookup::check_key;
use crate::table::open::TableFile;
use crate::table::storage::Storage;

/// Makes the search structure for the states of a solved tier: a formula, or the states that its
/// table lists. `write` writes a state for messages.
pub(crate) fn load_indices<G: Game, I: Indexing<G>, S: Storage>(
    table: &TableFile<S>,
    game: &G,
    write: &dyn Fn(&G::State) -> String,
    progress: &mut OnProgress<'_>,
) -> Result<Indices<G, I>, TableError> {
    let keys = match I::Lookup::FORM {
        StateForm::Formula => FoundKeys::default(),
        _ => FoundKeys::Listed(load_keys::<G, I, S>(table, game, write, progress)?),
    };
    let bytes = keys.len() * 8;
    I::Lookup::of_keys(keys).map_err(|_| TableError::OutOfMemory { bytes })
}

/// Loads the keys of the states that a table lists. Refuses a key that is not the key of a state.
pub(crate) fn load_keys<G: Game, I: Indexing<G>, S: Storage>(
    table: &TableFile<S>,
    game: &G,
    write: &dyn Fn(&G::State) -> String,
    progress: &mut OnProgress<'_>,
) -> Result<Vec<KeyOf<G, I>>, TableError> {
    let keys = table.load_sorted(|key| write_key::<G, I>(game, 0, key, write), progress)?;
    keys.iter().try_for_each(|key| check_key::<G, I>(game, key))?;
    Ok(keys)
}

/// The state of a key as `write` writes it, for messages. If no state has the key, the key itself.
pub(crate) fn write_key<G: Game, I: Indexing<G>>(
    game: &G,
    tier: usize,
    key: &KeyOf<G, I>,
    write: &dyn Fn(&G::State) -> String,
) -> String {
    let state = I::Lookup::is_key(game, key).then(|| I::Lookup::state_of_key(game, tier, key));
    state.flatten().map_or_else(|| one_line(&format!("{key:?}")), |state| write(&state))
}
