//! Making the folder of a game, or opening the one that is there to write into it.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use crate::error::TableError;
use crate::numbering::indexing::{Indexing, Tiering};
use crate::table::folder::manifest::{MANIFEST, Manifest};
use crate::table::folder::{LOCK, TierFolder, io_failed, is_listed, kind_of, malformed};
use crate::table::lock::{Lock, NoLock};
use crate::table::storage::DISK;
use crate::table::unfinished::{self, final_name, is_unfinished};
use crate::table::{Checkpoints, Stored};

impl TierFolder {
    /// Opens or creates the folder for a game, and locks it against other runs. A new manifest
    /// passes through `complete` before it is written.
    pub(super) fn make<G: Stored, I: Indexing<G>>(
        path: &Path,
        game: &G,
        complete: &mut dyn FnMut(Manifest) -> Result<Manifest, TableError>,
    ) -> Result<TierFolder, TableError> {
        let manifest = Manifest::new(game, I::Tiering::tiers(game))
            .map_err(|problem| malformed(path, problem))?;
        TierFolder::make_like(path, manifest, G::HOW_FAR, is_listed::<G, I>(), complete)
    }

    /// Opens or creates the folder with this manifest, as [`make`](TierFolder::make) does. `listed`
    /// is whether files list the states of the tiers. The folder of a smaller game becomes one of this
    /// game, whose tables it may then [take over](TierFolder::take_over): `how_far` are the parameters
    /// in which the games may differ. Compiled once for all games.
    pub(super) fn make_like(
        path: &Path,
        manifest: Manifest,
        how_far: &[&str],
        listed: bool,
        complete: &mut dyn FnMut(Manifest) -> Result<Manifest, TableError>,
    ) -> Result<TierFolder, TableError> {
        let failed = |action| io_failed(path, action);
        fs::create_dir_all(path).map_err(failed("make the folder"))?;
        let lock = match Lock::take(path.join(LOCK)) {
            Ok(lock) => Some(lock),
            Err(NoLock::Taken) => return Err(TableError::at(path)(TableError::InUse)),
            // A folder that can't be written to is still useful if all its tiers are solved.
            Err(NoLock::Failed(error)) if is_read_only(&error) => None,
            Err(NoLock::Failed(source)) => {
                return Err(io_failed(&path.join(LOCK), "make the file")(source));
            }
        };
        let existing = TierFolder::existing(path, &manifest, how_far, listed)?;
        if lock.is_some() {
            remove_unfinished_states(path, &manifest);
        }
        match existing {
            Some(folder) if folder.manifest.is_of_same_game(&manifest) => {
                return Ok(TierFolder { _lock: lock, ..folder });
            }
            Some(folder) if lock.is_none() => return Err(folder.is_of_other(&manifest)),
            _ => {}
        }
        let manifest = complete(manifest)?;
        let write = || -> io::Result<()> {
            let mut file = unfinished::create(path, MANIFEST.as_ref())?;
            serde_json::to_writer_pretty(&mut file, &manifest)?;
            file.write_all(b"\n")?;
            file.as_file().sync_all()?;
            unfinished::persist(file, &path.join(MANIFEST))
        };
        write().map_err(failed("write the manifest"))?;
        Ok(TierFolder { _lock: lock, ..TierFolder::new(DISK, path, manifest) })
    }

    /// The folder at a path, if it has a manifest. The manifest must be like this one, or of a smaller
    /// game that is part of it. A folder without a manifest must be one that tiers can be written to.
    fn existing(
        path: &Path,
        manifest: &Manifest,
        how_far: &[&str],
        listed: bool,
    ) -> Result<Option<TierFolder>, TableError> {
        let failed = |action| io_failed(path, action);
        if fs::exists(path.join(MANIFEST)).map_err(failed("look into the folder"))? {
            let folder = TierFolder::open(DISK, path)?;
            if manifest.is_part_of(&folder.manifest, how_far) {
                let (found, asked) = (folder.manifest.describe(), manifest.describe());
                return Err(TableError::at(path)(TableError::GoesFurther { found, asked }));
            }
            if !folder.manifest.is_part_of(manifest, how_far) {
                folder.check_game(manifest)?;
            }
            if folder.manifest.has_states() != listed {
                let name = |listed| kind_of(listed, 0).name().to_owned();
                let (found, expected) = (name(!listed), name(listed));
                return Err(TableError::at(path)(TableError::OtherNumbering { found, expected }));
            }
            return match (folder.has_outcomes_only(), manifest.outcomes_only) {
                (true, false) => Err(TableError::at(path)(TableError::OutcomesOnly)),
                (false, true) => Err(TableError::at(path)(TableError::HasDistances)),
                _ => Ok(Some(folder)),
            };
        }
        let files = fs::read_dir(path).map_err(failed("look into the folder"))?;
        // Files of a killed run and checkpoints of this one may exist; others may not.
        let is_foreign = |name: &OsStr| {
            let is_states = final_name(name).is_some_and(|name| manifest.is_states(name.as_ref()));
            let is_of_run = Checkpoints::is_file(name) || is_states;
            !is_of_run && name != LOCK && !is_unfinished(MANIFEST.as_ref(), name)
        };
        match files.flatten().any(|file| is_foreign(&file.file_name())) {
            true => Err(TableError::at(path)(TableError::NotOfTiers)),
            false => Ok(None),
        }
    }
}

/// Checks that the outcomes of a game can be written to a folder, which need not exist yet.
///
/// # Errors
/// When the folder is of another game, or stores distances.
#[cfg(feature = "cli")]
pub(crate) fn check_for_outcomes<G: Stored, I: Indexing<G>>(
    path: &Path,
    game: &G,
) -> Result<(), TableError> {
    if fs::symlink_metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return Ok(());
    }
    let manifest = Manifest::new(game, I::Tiering::tiers(game));
    let manifest = manifest.map_err(|problem| malformed(path, problem))?;
    let manifest = Manifest { outcomes_only: true, ..manifest };
    TierFolder::existing(path, &manifest, G::HOW_FAR, is_listed::<G, I>()).map(drop)
}

/// Removes the files of states that a killed run left unfinished. A run of several processes writes
/// none, and so replaces none. A file that can't be removed is harmless.
fn remove_unfinished_states(path: &Path, manifest: &Manifest) {
    for file in fs::read_dir(path).into_iter().flatten().flatten() {
        let name = file.file_name();
        let states = final_name(&name).filter(|&states| name != states);
        if states.is_some_and(|states| manifest.is_states(states.as_ref())) {
            let _ = fs::remove_file(file.path());
        }
    }
}

/// Whether a file could not be created because the folder is read-only.
fn is_read_only(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}
