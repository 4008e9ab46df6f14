//! The states of a tier and the values of their successors, read from the files of a table.

use std::marker::PhantomData;

use crate::error::TableError;
use crate::game::Game;
use crate::game::value::Value;
use crate::numbering::indexing::{Indexing, KeyOf, Lookup, Tiering};
use crate::table::keys::write_key;
use crate::table::listed::StateReader;
use crate::table::lookup::check_key;
use crate::table::parts::TableParts;
use crate::verify::batches::FileSource;
use crate::verify::state_check::WriteState;

/// The file of a tier, and the files of the tiers that it leads to.
pub(crate) struct TierFiles<'f, G: Game, I, P> {
    pub(crate) game: &'f G,
    pub(crate) tier: usize,
    pub(crate) leads_to: &'f [usize],
    pub(crate) parts: &'f P,
    pub(crate) write: &'f WriteState<'f, G>,
    pub(crate) indexing: PhantomData<fn() -> I>,
}

impl<G: Game, I: Indexing<G>, P: TableParts> TierFiles<'_, G, I, P> {
    /// Checks that the roots in this tier are in its file.
    pub(crate) fn check_roots(&self) -> Result<(), TableError> {
        let TierFiles { game, tier, .. } = *self;
        for root in game.roots() {
            if I::Tiering::tier(game, &root) != tier {
                continue;
            }
            let key = I::Lookup::key(game, tier, &root);
            let is_used = |key: &_| I::Lookup::state_of_any_key(game, tier, key).is_some();
            let found = match key.filter(is_used) {
                Some(key) => self.parts.file(tier)?.index_of_key::<G, I>(game, tier, &key)?,
                None => None,
            };
            if found.is_none() {
                return Err(lacks_root(&(self.write)(&root)));
            }
        }
        Ok(())
    }
}

/// The tier of the listed states that were read last, and their reader.
pub(crate) struct TierCursor<K>(usize, StateReader<K>);

impl<K> Default for TierCursor<K> {
    fn default() -> Self {
        TierCursor(0, StateReader::default())
    }
}

impl<G: Game, I: Indexing<G>, P: TableParts> FileSource<G> for TierFiles<'_, G, I, P> {
    type Key = (usize, KeyOf<G, I>);
    type Cursor = TierCursor<KeyOf<G, I>>;

    fn state(
        &self,
        TierCursor(_, reader): &mut Self::Cursor,
        index: u64,
    ) -> Result<Option<G::State>, TableError> {
        let TierFiles { game, tier, .. } = *self;
        let state = match I::Lookup::key_of_index(index) {
            Some(key) => I::Lookup::state_of_key(game, tier, &key),
            None => {
                let write = |key: &KeyOf<G, I>| {
                    write_key::<G, I>(game, tier, key, &|state| (self.write)(state))
                };
                let key = reader.key_in_place(self.parts.file(tier)?, index, write)?;
                check_key::<G, I>(game, key)?;
                I::Lookup::state_of_key(game, tier, key)
            }
        };
        match state {
            Some(state) if I::Tiering::tier(game, &state) != tier => {
                Err(of_another_tier(&(self.write)(&state)))
            }
            state => Ok(state),
        }
    }

    fn key(&self, state: &G::State) -> Option<Self::Key> {
        let tier = I::Tiering::tier(self.game, state);
        let is_there = tier == self.tier || self.leads_to.contains(&tier);
        let key = is_there.then(|| I::Lookup::key(self.game, tier, state))?;
        Some((tier, key?))
    }

    fn value(
        &self,
        cursor: &mut Self::Cursor,
        (tier, key): &Self::Key,
    ) -> Result<Option<Value>, TableError> {
        let file = self.parts.file(*tier)?;
        if cursor.0 != *tier {
            *cursor = TierCursor(*tier, StateReader::default());
        }
        let index = match I::Lookup::index_of_key(key) {
            Some(_) => file.index_of_key::<G, I>(self.game, *tier, key)?,
            None => cursor.1.index_of(file, key)?,
        };
        index.map_or(Ok(None), |index| file.value(index, &index))
    }
}

fn lacks_root(root: &str) -> TableError {
    TableError::malformed("the states", format!("lack {root}, where play can start"))
}

pub(crate) fn of_another_tier(state: &str) -> TableError {
    TableError::malformed("the states", format!("have {state}, which is of another tier"))
}
