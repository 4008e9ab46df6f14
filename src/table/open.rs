//! Opening a table.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use crate::error::TableError;
use crate::game::Outcome;
use crate::solve::TierFigures;
use crate::table::Stored;
use crate::table::fingerprint::Remembered;
use crate::table::frame::{FRAME_BYTES, Frame, Seed};
use crate::table::limits::CheckLimits;
use crate::table::packing;
use crate::table::parameters;
use crate::table::read::{FileLayout, TableReader};
use crate::table::records::{Header, HeaderRecord};
use crate::table::states;
use crate::table::storage::{FileSystem, Storage};

/// How many bytes of decompressed blocks are cached by default.
pub(crate) const CACHE_BYTES: usize = 64 << 20;

/// The longest header in bytes: parameters, and the figures beside them.
const LONGEST_HEADER: usize = parameters::LONGEST + (1 << 20);

/// An open table in one file: the table of a whole game, or of one tier.
///
/// It can be shared between threads. Opening reads only the frame and the header, even of a long
/// file. The rest is read and checked when it is needed.
#[derive(Debug)]
pub(crate) struct TableFile<S = File> {
    pub(crate) reader: TableReader<S>,
    header: Header,
    remembered: Vec<Remembered>,
    /// The resources for checking; a folder's files have those of the folder.
    pub(crate) limits: Arc<CheckLimits>,
}

impl<S: Storage> TableFile<S> {
    /// Opens the table in the file at `path`.
    ///
    /// # Errors
    /// When the file can't be read, is no table or is of a newer format, when it is truncated, or
    /// when its frame or header is damaged.
    pub(crate) fn open(files: FileSystem<S>, path: &Path) -> Result<TableFile<S>, TableError> {
        let file = (files.open)(path).map_err(TableError::io("open the file"))?;
        TableFile::from_storage(file.ok_or(TableError::NotAFile)?)
    }

    /// Opens the table in this storage.
    ///
    /// # Errors
    /// As [`open`](TableFile::open).
    pub(crate) fn from_storage(storage: S) -> Result<TableFile<S>, TableError> {
        let found = storage.length().map_err(TableError::io("find the file's length"))?;
        let mut beginning = vec![0; found.min(FRAME_BYTES as u64) as usize];
        storage.read_at(0, &mut beginning).map_err(TableError::io("read the frame"))?;
        let frame = Frame::from_bytes(&beginning, found)?;
        let mut reader = TableReader::new(storage, frame);
        let part = "the header";
        let malformed = |problem: String| TableError::malformed(part, problem);
        let packed = reader.read(frame.header, part, Seed::Header)?;
        if packing::unpacked_length(&packed, packed.len()) > LONGEST_HEADER {
            return Err(malformed(format!("is longer than {LONGEST_HEADER} bytes")));
        }
        let record = packing::unpack(&packed).map_err(malformed)?;
        let HeaderRecord { header, remembered, format } =
            HeaderRecord::decode(&record, frame.has_points()).map_err(malformed)?;
        drop(record);
        format.check().map_err(malformed)?;
        header.summary.check().map_err(malformed)?;
        parameters::check(&header.parameters)
            .map_err(|problem| TableError::malformed("the game's parameters", problem))?;
        if let outcome @ (Outcome::MoverWins | Outcome::MoverLoses | Outcome::Points(_)) =
            header.rules.endless
        {
            let problem = "where a draw or the win of a player was expected";
            return Err(malformed(format!("says that endless play is {outcome:?}, {problem}")));
        }

        let (levels, blocks) = if header.numbering.has_states() {
            let above = states::levels(header.len, format.block_states);
            let levels: Vec<u64> = [header.len].into_iter().chain(above).collect();
            let blocks = levels.iter().map(|len| len.div_ceil(format.block_states)).sum();
            (levels, blocks)
        } else if frame.states != 0 {
            let problem = "says where states are listed, and its numbering lists none";
            return Err(TableError::malformed("the frame", problem));
        } else {
            (Vec::new(), 0)
        };
        let outcomes = header.outcomes_only.then(|| header.rules.scale());
        if let Some(scale) = outcomes
            && format.palette.iter().any(|&value| scale.has_plies(value))
        {
            return Err(malformed("has a distance in the palette of a table of outcomes".into()));
        }
        let values = header.len.div_ceil(format.block_values);
        let [values, states] = frame.directories(values, blocks)?;
        reader.set_layout(FileLayout { len: header.len, format, outcomes, values, states, levels });
        reader.set_cache_size(CACHE_BYTES);
        let limits = Arc::new(CheckLimits::new());
        Ok(TableFile { reader, header, remembered, limits })
    }

    /// The header of the file.
    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    /// The states that the table remembers.
    pub(crate) fn remembered(&self) -> &[Remembered] {
        &self.remembered
    }

    /// The game of the table, made from the parameters in the header.
    ///
    /// # Errors
    /// When the header names another game, or `G` refuses the parameters.
    pub(crate) fn game<G: Stored>(&self) -> Result<G, TableError> {
        let Header { game, parameters, .. } = &self.header;
        if game != G::NAME {
            let (found, asked) = (game.clone(), G::NAME.to_owned());
            return Err(TableError::OtherGame { found, asked });
        }
        serde_json::from_str(parameters)
            .map_err(|error| TableError::malformed("the game's parameters:", error))
    }

    /// The figures of the table, as a tier with this name.
    pub(crate) fn figures(&self, name: &str) -> TierFigures {
        let (name, summary) = (name.to_owned(), self.header.summary.clone());
        TierFigures { name, summary, bytes: Some(self.file_length()), found: true }
    }

    /// The length of the file, in bytes.
    pub(crate) fn file_length(&self) -> u64 {
        self.reader.file_length()
    }
}
