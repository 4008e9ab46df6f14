//! The files of a table by tier: one file for a game without tiers, or the files of a folder.

use std::path::PathBuf;

use crate::error::TableError;
use crate::numbering::indexing::{Indexing, Lookup};
use crate::table::Stored;
use crate::table::folder::TierFolder;
use crate::table::open::TableFile;
use crate::table::storage::Storage;

/// The files of a table, each checked to be of its game and numbering.
pub(crate) trait TableParts: Sync {
    /// The storage of the files.
    type Storage: Storage;

    /// The number of tiers.
    fn count(&self) -> usize;

    /// The file of a tier.
    fn file(&self, tier: usize) -> Result<&TableFile<Self::Storage>, TableError>;

    /// The number of indices of a tier, solved or not.
    fn len(&self, tier: usize) -> u64;

    /// Clears the cache of a folder's files.
    fn clear_cache(&self);

    /// The path of a tier's file; `None` if errors don't name it.
    fn path(&self, tier: usize) -> Option<PathBuf>;

    /// Adds the path of a tier's file to an error, if errors name it.
    fn at(&self, tier: usize, error: TableError) -> TableError {
        match self.path(tier) {
            Some(path) => TableError::at(&path)(error),
            None => error,
        }
    }
}

/// The only file of a game without tiers.
pub(crate) struct OneFile<'t, S>(pub(crate) &'t TableFile<S>);

impl<S: Storage> OneFile<'_, S> {
    /// Refuses a file in another numbering, or whose number of indices differs from the game's
    /// formula. The file must be of this game.
    pub(crate) fn check<G: Stored, I: Indexing<G>>(&self, game: &G) -> Result<(), TableError> {
        let OneFile(file) = self;
        file.check_numbering::<G, I>(game, 0)?;
        match I::Lookup::formula_len(game, 0) {
            Some(len) if len != file.header().len => {
                let found = file.header().len;
                let problem = format!("counts {found} indices, where the game has {len}");
                Err(TableError::malformed("the header", problem))
            }
            _ => Ok(()),
        }
    }
}

impl<S: Storage> TableParts for OneFile<'_, S> {
    type Storage = S;

    fn count(&self) -> usize {
        1
    }

    fn file(&self, _: usize) -> Result<&TableFile<S>, TableError> {
        Ok(self.0)
    }

    fn len(&self, _: usize) -> u64 {
        self.0.header().len
    }

    fn clear_cache(&self) {}

    fn path(&self, _: usize) -> Option<PathBuf> {
        None
    }
}

/// The files of a folder, each checked when it is first used.
pub(crate) struct FilesOfTiers<'t, G, I, S> {
    folder: &'t TierFolder<S>,
    game: &'t G,
    indexing: std::marker::PhantomData<fn() -> I>,
}

impl<'t, G: Stored, I: Indexing<G>, S: Storage> FilesOfTiers<'t, G, I, S> {
    pub(crate) fn new(folder: &'t TierFolder<S>, game: &'t G) -> Self {
        FilesOfTiers { folder, game, indexing: std::marker::PhantomData }
    }

    /// Refuses a folder of another game.
    pub(crate) fn check(&self) -> Result<(), TableError> {
        self.folder.check_is_of::<G, I>(self.game)
    }
}

impl<G: Stored, I: Indexing<G>, S: Storage> TableParts for FilesOfTiers<'_, G, I, S> {
    type Storage = S;

    fn count(&self) -> usize {
        self.folder.tier_count()
    }

    fn file(&self, tier: usize) -> Result<&TableFile<S>, TableError> {
        self.folder.table_of::<G, I>(tier, self.game)
    }

    fn len(&self, tier: usize) -> u64 {
        self.folder.len_of::<G, I>(tier, self.game)
    }

    fn clear_cache(&self) {
        self.folder.clear_cache();
    }

    fn path(&self, tier: usize) -> Option<PathBuf> {
        Some(self.folder.file(tier))
    }
}
