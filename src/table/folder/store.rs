//! Solved tiers in the files of a folder. Only the first of several processes has the folder: it
//! announces to the others which tiers are solved, and sends them the values that they need.

use std::fs;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::Arc;

use bytemuck::cast_slice;

use crate::error::{SolveError, TableError};
use crate::game::value::Scale;
use crate::game::{Game, Tier, one_line};
use crate::numbering::discovered::{FoundKeys, KeyForm};
use crate::numbering::indexing::{Indexing, Indices, KeyOf, Lookup, Tiering};
use crate::numbering::{SolvedTier, TierValues};
use crate::runtime::frontier::CHUNK;
use crate::runtime::peers::SEVERAL;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::Progress;
use crate::runtime::scratch::Scratch;
use crate::solve::tiers::{Kept, SharedValues, TierSize, TierStore};
use crate::solve::{Cells, OnProgress, RecordedMoves, SolvedPart, TierFigures};
use crate::table::agree::of_first;
use crate::table::checkpoint::store::read_states;
use crate::table::folder::TierFolder;
use crate::table::folder::whole::STATES_HAVE;
use crate::table::keys::load_keys;
use crate::table::open::TableFile;
use crate::table::solved::write_part;
use crate::table::storage::DISK;
use crate::table::write::TableWriter;
use crate::table::{Compression, Stored};

/// The number of values of a solved tier that are sent at once.
const AT_ONCE: u64 = 1 << 20;

/// Stores tiers in the files of a folder.
pub(super) struct FolderStore<'f, G: Game, I: Indexing<G>> {
    game: &'f G,
    tiers: Vec<Tier>,
    /// The folder; `None` for all but the first process.
    folder: Option<&'f TierFolder>,
    /// The size of each tier, and whether it was solved before.
    sizes: Vec<TierSize>,
    /// The search structure for the states of the own window of each tier, if several processes
    /// share the states.
    shared: Option<Vec<Indices<G, I>>>,
    compression: Compression,
    /// The tier whose file was found damaged last, and the error.
    damaged: Option<(usize, TableError)>,
    indexing: PhantomData<I>,
}

impl<'f, G: Stored, I: Indexing<G>> FolderStore<'f, G, I> {
    /// The files of a folder. New files are compressed with `compression`.
    ///
    /// # Errors
    /// When another process is lost.
    pub(super) fn new(
        game: &'f G,
        folder: Option<&'f TierFolder>,
        shared: Option<Vec<Indices<G, I>>>,
        compression: Compression,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Self, TableError> {
        let tiers = I::Tiering::tiers(game);
        let solved = folder.map(|folder| {
            (0..tiers.len()).map(|tier| folder.file(tier).exists()).collect::<Vec<bool>>()
        });
        let solved = of_first(solved, pool)?;
        let len = |tier: usize| match (&shared, folder) {
            (Some(shared), _) => I::Lookup::len(&shared[tier], game, tier),
            (None, Some(folder)) => folder.len_of::<G, I>(tier, game),
            (None, None) => I::Lookup::formula_len(game, tier).unwrap_or_default(),
        };
        let size = |(tier, is_solved)| TierSize {
            is_solved,
            ..TierSize::new::<G, I>(game, tier, len(tier), shared.is_none())
        };
        let sizes = solved.into_iter().enumerate().map(size).collect();
        Ok(FolderStore {
            game,
            tiers,
            folder,
            sizes,
            shared,
            compression,
            damaged: None,
            indexing: PhantomData,
        })
    }

    /// The figures of a tier that an earlier run stored, if its file is intact.
    fn find_here(
        &mut self,
        folder: &TierFolder,
        tier: usize,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<TierFigures>, TableError> {
        match folder.check_tier(tier, pool.on_progress()) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(error) if error.is_damage() => {
                pool.report(Progress::Damaged { tier }).map_err(SolveError::from)?;
                self.damaged = Some((tier, error));
                return Ok(None);
            }
            Err(error) => return Err(error),
        }
        let table = folder.table_of::<G, I>(tier, self.game).map_err(not_the_tier)?;
        // A run that was killed after writing the table has left the file of states.
        remove_states(folder, tier)?;
        Ok(Some(folder.figures(tier, table)))
    }

    /// Reads the keys of the discovered states of a tier.
    fn keys(
        &mut self,
        folder: &TierFolder,
        tier: usize,
        form: &KeyForm,
    ) -> Result<FoundKeys<KeyOf<G, I>>, TableError> {
        if !I::kind(tier).has_states() {
            return Ok(FoundKeys::default());
        }
        let path = folder.states_file(tier);
        let (raw, files) = (I::Lookup::RAW, form.files());
        if let Some(keys) = read_states(&path, self.game, I::kind(tier), raw, files)? {
            folder.check_count(tier, STATES_HAVE, keys.len())?;
            return Ok(keys.in_form(form, I::Lookup::RAW)?);
        }
        match self.damaged.take() {
            Some((damaged, error)) if damaged == tier => {
                self.keys_of_damaged(folder, tier, form).map_err(|_| {
                    folder.error(tier)(TableError::StatesLost { source: error.without_path() })
                })
            }
            _ if folder.file(tier).exists() => Err(TableError::at(&folder.path)(TableError::InUse)),
            _ => Err(TableError::at(&path)(TableError::NoStates)),
        }
    }

    /// Reads the keys of the states from the damaged file of their tier. The damage may be among
    /// the values only.
    fn keys_of_damaged(
        &self,
        folder: &TierFolder,
        tier: usize,
        form: &KeyForm,
    ) -> Result<FoundKeys<KeyOf<G, I>>, TableError> {
        let file = TableFile::open(DISK, &folder.file(tier))?;
        file.check_game::<G, I>(self.game, tier)?;
        let progress: &mut OnProgress<'_> = &mut |_| ControlFlow::Continue(());
        let write = |state: &G::State| one_line(&self.game.state_text(state));
        let keys = load_keys::<G, I, _>(&file, self.game, form, &write, progress)?;
        match keys.len() == folder.len_of::<G, I>(tier, self.game) {
            true => Ok(keys),
            false => Err(TableError::NoStates),
        }
    }

    /// Loads the values of a solved tier. The first process reads them, and sends each process all
    /// values, or only its window's.
    fn load_together(
        &mut self,
        tier: usize,
        shared: bool,
        pool: &mut WorkerPool<'_>,
    ) -> Result<SolvedTier<G, I>, TableError> {
        let len = self.sizes[tier].len;
        let windows = pool.windows(len, CHUNK);
        let window = |of: usize| if shared { windows.window(of) } else { 0..len };
        let own = window(pool.own());
        let mut cells = Cells::wide_unused(own.end - own.start, Scale::of_game(self.game), None)?;
        let mut place = 0;
        for first in (0..len).step_by(AT_ONCE as usize) {
            let indices = first..len.min(first + AT_ONCE);
            let mut packets = vec![Vec::new(); pool.processes()];
            if let Some(folder) = self.folder {
                let table = folder.table_of::<G, I>(tier, self.game)?;
                let values = table.packed_values(indices.clone(), pool.on_progress());
                let values = values.map_err(folder.error(tier))?;
                for (to, packet) in packets.iter_mut().enumerate() {
                    let [from, to] = [window(to).start, window(to).end]
                        .map(|it| (it.clamp(first, indices.end) - first) as usize);
                    packet.extend(cast_slice::<u16, u8>(&values[from..to]));
                }
            }
            let packets = pool.exchange(packets).map_err(SolveError::from)?;
            let values = packets.first().map_or(&[][..], |packet| packet);
            let room = cells.as_bytes_mut().get_mut(place..place + values.len());
            room.ok_or_else(wrong_length)?.copy_from_slice(values);
            place += values.len();
        }
        if place as u64 != 2 * (own.end - own.start) {
            return Err(wrong_length());
        }
        let values: Arc<dyn TierValues> = match shared {
            true => Arc::new(SharedValues { windows, values: Arc::new(cells) }),
            false => Arc::new(cells),
        };
        Ok(SolvedTier { indices: self.indices(tier, &KeyForm::Listed)?, values })
    }
}

impl<G: Stored, I: Indexing<G>> TierStore<G, I> for FolderStore<'_, G, I> {
    type Error = TableError;

    fn kept(&self) -> Kept {
        if self.shared.is_some() { Kept::ValuesInFiles } else { Kept::InFiles }
    }

    fn shares_states(&self) -> bool {
        self.shared.is_some()
    }

    fn size(&self, tier: usize, _: Option<&RecordedMoves>) -> TierSize {
        self.sizes[tier]
    }

    fn find(
        &mut self,
        tier: usize,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<TierFigures>, TableError> {
        let here = match self.folder {
            Some(folder) => Some(self.find_here(folder, tier, pool)?),
            None => None,
        };
        let here =
            here.map(|found| found.map(|TierFigures { summary, bytes, .. }| (summary, bytes)));
        let name = &self.tiers[tier].name;
        let figures =
            |(summary, bytes)| TierFigures { name: name.clone(), summary, bytes, found: true };
        Ok(of_first(here, pool)?.map(figures))
    }

    fn indices(&mut self, tier: usize, form: &KeyForm) -> Result<Indices<G, I>, TableError> {
        match (&self.shared, self.folder) {
            (Some(shared), _) => Ok(shared[tier].clone()),
            (None, Some(folder)) => Ok(I::Lookup::of_keys(self.keys(folder, tier, form)?)?),
            (None, None) => Ok(I::Lookup::of_keys(FoundKeys::default())?),
        }
    }

    fn load(
        &mut self,
        tier: usize,
        shared: bool,
        form: &KeyForm,
        scratch: Option<&Arc<Scratch>>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<SolvedTier<G, I>, TableError> {
        match self.folder {
            Some(folder) if !SEVERAL || !pool.has_peers() => {
                folder.load::<G, I>(tier, self.game, form, scratch)
            }
            _ => self.load_together(tier, shared, pool),
        }
    }

    fn save(
        &mut self,
        tier: usize,
        part: SolvedPart<'_, G>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<u64>, TableError> {
        let Some(folder) = self.folder else {
            return write_part(self.game, part, Vec::new(), pool).map(|_| None);
        };
        let failed = folder.error(tier);
        let writer = TableWriter::of_tier(&folder.file(tier), self.compression).map_err(&failed)?;
        let written = write_part(self.game, part, vec![writer], pool)
            .and_then(|written| written.into_iter().map(|table| table.name()).next().transpose());
        let bytes = written.map_err(|error| match error {
            TableError::Interrupted => SolveError::Interrupted.into(),
            error => failed(error),
        })?;
        remove_states(folder, tier)?;
        Ok(bytes)
    }

    fn hand_over(&mut self, _: usize, _: &Arc<Cells>) {}

    fn bytes(&self) -> u64 {
        self.shared.iter().flatten().map(I::Lookup::bytes).sum()
    }
}

/// Removes the file with the discovered states of a tier whose table is written, since the table
/// lists them, too.
fn remove_states(folder: &TierFolder, tier: usize) -> Result<(), TableError> {
    let path = folder.states_file(tier);
    match fs::remove_file(&path) {
        Err(source) if path.exists() => {
            Err(TableError::at(&path)(TableError::io("remove the file")(source)))
        }
        _ => Ok(()),
    }
}

fn wrong_length() -> TableError {
    TableError::malformed("a tier", "came with another length")
}

/// Adds to the error for a file that is the table of something else that the file must be removed.
pub(super) fn not_the_tier(error: TableError) -> TableError {
    match error {
        // If the manifest counts other states, it is unknown which of the two is right.
        TableError::At { path, source }
            if !matches!(*source, TableError::Io { .. } | TableError::OtherCount { .. }) =>
        {
            TableError::At { path, source: Box::new(TableError::NotTheTier { source }) }
        }
        error => error,
    }
}
