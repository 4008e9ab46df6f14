//! The files of a table by tier: one file for a game without tiers, or the files of a folder.

use std::marker::PhantomData;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

use crate::error::TableError;
use crate::numbering::indexing::{Indexing, Lookup};
use crate::table::Stored;
use crate::table::folder::TierFolder;
use crate::table::open::TableFile;
use crate::table::storage::Storage;

/// The files of a table.
#[derive(Debug)]
pub(crate) enum Files<S> {
    One(Arc<TableFile<S>>),
    Tiers(Arc<TierFolder<S>>),
}

impl<S> Files<S> {
    /// The only file of a table without tiers.
    pub(crate) fn file(&self) -> Result<&Arc<TableFile<S>>, TableError> {
        match self {
            Files::One(file) => Ok(file),
            Files::Tiers(_) => {
                let (found, expected) = ("a folder of tiers".into(), "one file".into());
                Err(TableError::OtherNumbering { found, expected })
            }
        }
    }

    /// The folder of a table in tiers.
    pub(crate) fn folder(&self) -> Result<&Arc<TierFolder<S>>, TableError> {
        match self {
            Files::One(_) => Err(TableError::OneTier),
            Files::Tiers(folder) => Ok(folder),
        }
    }
}

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
pub(crate) struct OneFile<S>(pub(crate) Arc<TableFile<S>>);

impl<S: Storage> OneFile<S> {
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

impl<S: Storage> TableParts for OneFile<S> {
    type Storage = S;

    fn count(&self) -> usize {
        1
    }

    fn file(&self, _: usize) -> Result<&TableFile<S>, TableError> {
        Ok(&self.0)
    }

    fn len(&self, _: usize) -> u64 {
        self.0.header().len
    }

    fn clear_cache(&self) {}

    fn path(&self, _: usize) -> Option<PathBuf> {
        None
    }
}

/// The files of a folder, each checked when it is first used. `H` refers to the game.
pub(crate) struct FilesOfTiers<H, I, S> {
    folder: Arc<TierFolder<S>>,
    game: H,
    indexing: PhantomData<fn() -> I>,
}

impl<H: Deref<Target: Stored>, I: Indexing<H::Target>, S: Storage> FilesOfTiers<H, I, S> {
    pub(crate) fn new(folder: Arc<TierFolder<S>>, game: H) -> Self {
        FilesOfTiers { folder, game, indexing: PhantomData }
    }

    /// Refuses a folder of another game.
    pub(crate) fn check(&self) -> Result<(), TableError> {
        self.folder.check_is_of::<H::Target, I>(&self.game)
    }
}

impl<H, I, S: Storage> TableParts for FilesOfTiers<H, I, S>
where
    H: Deref<Target: Stored> + Sync,
    I: Indexing<H::Target>,
{
    type Storage = S;

    fn count(&self) -> usize {
        self.folder.tier_count()
    }

    fn file(&self, tier: usize) -> Result<&TableFile<S>, TableError> {
        self.folder.table_of::<H::Target, I>(tier, &self.game)
    }

    fn len(&self, tier: usize) -> u64 {
        self.folder.len_of::<H::Target, I>(tier, &self.game)
    }

    fn clear_cache(&self) {
        self.folder.clear_cache();
    }

    fn path(&self, tier: usize) -> Option<PathBuf> {
        Some(self.folder.file(tier))
    }
}
