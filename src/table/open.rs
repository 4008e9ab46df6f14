//! Opening a table.

use std::fs::File;
use std::path::Path;
use std::thread::available_parallelism;

use crate::error::TableError;
use crate::table::Stored;
use crate::table::codec;
use crate::table::directory::Directory;
use crate::table::frame::{FRAME_BYTES, Frame, Seed};
use crate::table::read::{Layout, Reader};
use crate::table::records::{Header, HeaderRecord};
use crate::table::states;
use crate::table::storage::{InMemory, Storage};

/// How many bytes of decompressed blocks are kept, unless it is told.
pub(crate) const CACHE_BYTES: usize = 64 << 20;

/// An open tablebase. To ask it about states, give it its game: [`dense`](Tablebase::dense),
/// [`explored`](Tablebase::explored) or [`packed`](Tablebase::packed).
///
/// It can be shared between threads. Opening reads the frame and the header, whatever the length of
/// the file; all the rest is read, and checked, when it is asked for.
#[derive(Debug)]
pub struct Tablebase<S = File> {
    pub(crate) reader: Reader<S>,
    header: Header,
    pub(crate) threads: usize,
    /// What checking may take for values and states, if it was said.
    pub(crate) memory: Option<u64>,
}

impl Tablebase {
    /// Opens the table in the file at `path`.
    ///
    /// # Errors
    /// When the file can't be read, is no table, is of a newer format, truncated, or damaged in
    /// one of the parts that opening reads: the frame and the header.
    pub fn open(path: impl AsRef<Path>) -> Result<Tablebase, TableError> {
        let failed = TableError::io("open the file");
        let file = File::open(path).map_err(&failed)?;
        if !file.metadata().map_err(&failed)?.is_file() {
            return Err(TableError::NotAFile);
        }
        Tablebase::from_storage(file)
    }
}

impl<D: AsRef<[u8]>> Tablebase<InMemory<D>> {
    /// Opens the table in these bytes: owned, borrowed, or a mapped file.
    ///
    /// # Errors
    /// As [`open`](Tablebase::open).
    pub fn from_bytes(bytes: D) -> Result<Tablebase<InMemory<D>>, TableError> {
        Tablebase::from_storage(InMemory(bytes))
    }
}

impl<S: Storage> Tablebase<S> {
    /// Opens the table in this storage.
    ///
    /// # Errors
    /// As [`open`](Tablebase::open).
    pub fn from_storage(storage: S) -> Result<Tablebase<S>, TableError> {
        let found = storage.length().map_err(TableError::io("tell the file's length"))?;
        let mut beginning = vec![0; found.min(FRAME_BYTES as u64) as usize];
        storage.read_at(0, &mut beginning).map_err(TableError::io("read the frame"))?;
        let frame = Frame::from_bytes(&beginning, found)?;
        let mut reader = Reader::new(storage, frame);
        let part = "the header";
        let malformed = |problem: String| TableError::malformed(part, problem);
        let packed = reader.read(frame.header, part, Seed::Header)?;
        let record = codec::unpack(&packed).map_err(malformed)?;
        let HeaderRecord { header, arrangement } = codec::decode(&record).map_err(malformed)?;
        arrangement.check().map_err(malformed)?;

        let blocks = header.len.div_ceil(arrangement.block_values);
        let values = Directory { offset: frame.values, sections: blocks };
        let (levels, states) = if header.numbering.has_states() {
            let above = states::levels(header.len, arrangement.block_states);
            let levels: Vec<u64> = [header.len].into_iter().chain(above).collect();
            let blocks = levels.iter().map(|len| len.div_ceil(arrangement.block_states)).sum();
            (levels, blocks)
        } else {
            (Vec::new(), 0)
        };
        let states = Directory { offset: frame.states, sections: states };
        for (directory, what) in [(values, "values"), (states, "states")] {
            let end = directory.bytes().and_then(|bytes| directory.offset.checked_add(bytes));
            if directory.sections > 0 && end.is_none_or(|end| end > frame.file_length) {
                let blocks = directory.sections;
                let problem = format!("of {blocks} blocks lies outside the file");
                return Err(TableError::malformed(format!("the directory of the {what}"), problem));
            }
        }
        reader.lay_out(Layout { len: header.len, arrangement, values, states, levels });
        reader.keep(CACHE_BYTES);
        let threads = available_parallelism().map_or(1, usize::from);
        Ok(Tablebase { reader, header, threads, memory: None })
    }

    /// The same, keeping about so many bytes of decompressed blocks in memory; without it, 64 MiB.
    /// What was read for the last question is always kept.
    #[must_use]
    pub fn with_cache(mut self, bytes: usize) -> Tablebase<S> {
        self.reader.keep(bytes);
        self
    }

    /// The same, with so many threads for checking all of it; without it, as many as there are
    /// cores. Asking is done on the thread that asks.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Tablebase<S> {
        Tablebase { threads: threads.max(1), ..self }
    }

    /// The same, with so much memory, in bytes, for checking all values; without it, as much as it
    /// takes. Values are in memory at 1 or 2 bytes each, and explored states beside them; where they do
    /// not fit, they are read again and again, which takes the longer the less is allowed. Blocks that were
    /// read are kept besides, as [`with_cache`](Tablebase::with_cache) says.
    #[must_use]
    pub fn with_memory(self, bytes: u64) -> Tablebase<S> {
        Tablebase { memory: Some(bytes), ..self }
    }

    /// What the table says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The game that the table is of, made from the parameters in the header.
    ///
    /// # Errors
    /// When the header names another game, or the parameters are not such as `G` takes.
    pub fn game<G: Stored>(&self) -> Result<G, TableError> {
        let Header { game, parameters, .. } = &self.header;
        if game != G::NAME {
            let (found, asked) = (game.clone(), G::NAME.to_owned());
            return Err(TableError::OtherGame { found, asked });
        }
        serde_json::from_str(parameters)
            .map_err(|error| TableError::malformed("the game's parameters:", error))
    }

    /// How long the file is, in bytes.
    pub fn file_length(&self) -> u64 {
        self.reader.file_length()
    }
}
