//! Loads the states that the table of a tier lists into a search structure in memory.

use std::cell::RefCell;

use crate::error::TableError;
use crate::game::{Game, one_line};
use crate::numbering::StateForm;
use crate::numbering::discovered::{FoundKeys, KeyForm, bytes_of_coded};
use crate::numbering::indexing::{Indexing, Indices, KeyOf, Lookup};
use crate::runtime::progress::OnProgress;
use crate::table::listed::check_order;
use crate::table::lookup::check_key;
use crate::table::open::TableFile;
use crate::table::storage::Storage;

/// Makes the search structure for the states of a solved tier: a formula, or the states that its
/// table lists, whose keys stand in memory in this form. `write` writes a state for messages.
pub(crate) fn load_indices<G: Game, I: Indexing<G>, S: Storage>(
    table: &TableFile<S>,
    game: &G,
    form: &KeyForm,
    write: &dyn Fn(&G::State) -> String,
    progress: &mut OnProgress<'_>,
) -> Result<Indices<G, I>, TableError> {
    let keys = match I::Lookup::FORM {
        StateForm::Formula => FoundKeys::default(),
        _ => load_keys::<G, I, S>(table, game, form, write, progress)?,
    };
    let bytes = keys.len() * 8;
    I::Lookup::of_keys(keys).map_err(|_| TableError::OutOfMemory { bytes })
}

/// Loads the keys of the states that a table lists. Refuses a key that is not the key of a state.
pub(crate) fn load_keys<G: Game, I: Indexing<G>, S: Storage>(
    table: &TableFile<S>,
    game: &G,
    form: &KeyForm,
    write: &dyn Fn(&G::State) -> String,
    progress: &mut OnProgress<'_>,
) -> Result<FoundKeys<KeyOf<G, I>>, TableError> {
    let len = table.header().len;
    let write = &|key: &KeyOf<G, I>| write_key::<G, I>(game, 0, key, write);
    if let (KeyForm::Coded(files), Some(raw)) = (form, I::Lookup::RAW) {
        let reading = RefCell::new((progress, Ok(())));
        let coded = (raw.code_in)(files.as_ref(), len, bytes_of_coded(len), &|push| {
            let (progress, read) = &mut *reading.borrow_mut();
            let mut last = None;
            let mut visit = |key: KeyOf<G, I>| {
                check_order(last.as_ref(), &key, write)?;
                check_key::<G, I>(game, &key)?;
                last = Some(key.clone());
                push(key);
                Ok(())
            };
            *read = table.visit_keys(&mut visit, progress);
        });
        reading.into_inner().1?;
        return Ok(FoundKeys::Coded(coded?));
    }
    let mut keys: Vec<KeyOf<G, I>> = Vec::new();
    let mut visit = |key: KeyOf<G, I>| {
        check_order(keys.last(), &key, write)?;
        check_key::<G, I>(game, &key)?;
        let bytes = len.saturating_mul(size_of::<KeyOf<G, I>>() as u64);
        keys.try_reserve(1).map_err(|_| TableError::OutOfMemory { bytes })?;
        keys.push(key);
        Ok(())
    };
    table.visit_keys(&mut visit, progress)?;
    keys.shrink_to_fit();
    Ok(FoundKeys::Listed(keys))
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
