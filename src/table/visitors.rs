//! Work on an open table in the numbering that it was made with.

use std::marker::PhantomData;
use std::ops::Deref;

use crate::error::TableError;
use crate::numbering::NumberingKind;
use crate::numbering::indexing::{Indexing, IndexingVisitor, Lookup as _, Tiering};
use crate::numbering::scheme::{Numbered, Numberings, OptionalSchemes};
use crate::table::Stored;
use crate::table::folder::TierFolder;
use crate::table::open::TableFile;
use crate::table::parts::{Files, FilesOfTiers, OneFile, TableParts};
use crate::table::storage::Storage;

/// Runs the visitor in the numbering of this kind. Fails if the game does not list it.
pub(super) fn visit_kind<G, T, V>(kind: NumberingKind, visitor: V) -> Result<T, TableError>
where
    G: Numbered,
    V: IndexingVisitor<G, Output = Result<T, TableError>>,
{
    G::Numberings::visit_kind(kind, visitor)
        .unwrap_or_else(|_| Err(not_listed(kind, G::Numberings::NAMES, G::OPTIONAL)))
}

/// The error about a table in a numbering that its game does not list here.
#[cold]
fn not_listed(kind: NumberingKind, names: &[&str], optional: OptionalSchemes) -> TableError {
    let name = kind.name();
    match optional.names.contains(&name) {
        true => TableError::NumberingNotBuilt { found: name, needs: optional.needs },
        false => {
            TableError::OtherNumbering { found: kind.to_string(), expected: names.join(" or ") }
        }
    }
}

/// Work on the files of a table, in their numbering.
pub(crate) trait PartsVisitor<'t, G: Stored> {
    /// The result of the work.
    type Output;

    /// Does the work.
    fn visit<I: Indexing<G>, P: TableParts + Send + 't>(
        self,
        parts: P,
    ) -> Result<Self::Output, TableError>;
}

/// A visitor, and the files on which it works.
pub(super) struct WithParts<'r, 't, H, S, V> {
    pub(super) files: &'r Files<S>,
    /// Refers to the game.
    pub(super) game: H,
    pub(super) visitor: V,
    pub(super) lifetime: PhantomData<&'t ()>,
}

impl<'t, G, H, S, V> IndexingVisitor<G> for WithParts<'_, 't, H, S, V>
where
    G: Stored,
    H: Deref<Target = G> + Send + Sync + 't,
    S: Storage + 't,
    V: PartsVisitor<'t, G>,
{
    type Output = Result<V::Output, TableError>;

    fn visit<I: Indexing<G>>(self) -> Self::Output {
        let WithParts { files, game, visitor, .. } = self;
        // The condition is constant, so only one branch is compiled.
        if I::Tiering::HAS_TIERS {
            let parts = FilesOfTiers::<H, I, S>::new(files.folder()?.clone(), game);
            parts.check()?;
            visitor.visit::<I, _>(parts)
        } else {
            let parts = OneFile(files.file()?.clone());
            parts.check::<G, I>(&game)?;
            visitor.visit::<I, _>(parts)
        }
    }
}

/// Checks that the tiers of a folder are the game's.
pub(super) struct CheckGame<'t, G, S> {
    pub(super) folder: &'t TierFolder<S>,
    pub(super) game: &'t G,
}

impl<G: Stored, S: Storage> IndexingVisitor<G> for CheckGame<'_, G, S> {
    type Output = Result<(), TableError>;

    fn visit<I: Indexing<G>>(self) -> Self::Output {
        debug_assert!(I::Tiering::HAS_TIERS);
        self.folder.check_is_of::<G, I>(self.game)
    }
}

/// Finds the name of the tier whose table a file is.
pub(super) struct FindTier<'t, G, S> {
    pub(super) file: &'t TableFile<S>,
    pub(super) game: &'t G,
}

impl<G: Stored, S: Storage> IndexingVisitor<G> for FindTier<'_, G, S> {
    type Output = Result<String, TableError>;

    fn visit<I: Indexing<G>>(self) -> Self::Output {
        let FindTier { file, game } = self;
        let (tier, len) = (file.header().numbering.tier().unwrap_or(0) as usize, file.header().len);
        let tiers = I::Tiering::tiers(game);
        let malformed = |problem| Err(TableError::malformed("the header", problem));
        let Some(found) = tiers.get(tier) else {
            return malformed(format!("is of tier {tier}, where the game has {}", tiers.len()));
        };
        match I::Lookup::formula_len(game, tier) {
            Some(expected) if expected != len => {
                malformed(format!("counts {len} indices, where the tier has {expected}"))
            }
            _ => Ok(found.name.clone()),
        }
    }
}
