//! Writes the parts of a table one after another.

use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::error::TableError;
use crate::runtime::codec;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::Progress;
use crate::table::directory;
use crate::table::fingerprint::Remembered;
use crate::table::frame::{FRAME_BYTES, Frame, Section, Seed};
use crate::table::packing;
use crate::table::records::{BLOCK_STATES, BlockFormat, Header, HeaderRecord};
use crate::table::unfinished::Unfinished;
use crate::table::values::Compression;
use crate::table::write::plan::ValuePlan;

/// The first part of a table.
pub(crate) struct Head {
    pub(crate) header: Header,
    pub(crate) remembered: Vec<Remembered>,
}

/// A table that is being written.
pub(crate) struct Parts {
    writer: BufWriter<Unfinished>,
    folder: PathBuf,
    offset: u64,
    seed: Seed,
}

impl Parts {
    /// Begins a table in a file.
    ///
    /// # Errors
    /// When nothing can be written.
    pub(crate) fn begin(file: Unfinished) -> Result<Parts, TableError> {
        let folder = file.folder().to_owned();
        let mut writer = BufWriter::new(file);
        // The frame is written at the end.
        writer.write_all(&[0; FRAME_BYTES]).map_err(TableError::io("write the table"))?;
        Ok(Parts { writer, folder, offset: FRAME_BYTES as u64, seed: Seed::Header })
    }

    /// The folder of the file.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Appends the header and the dictionary.
    ///
    /// # Errors
    /// When they can't be written.
    pub(crate) fn append_head(
        &mut self,
        head: Head,
        plan: &ValuePlan,
        compression: Compression,
    ) -> Result<Frame, TableError> {
        let Head { header, remembered } = head;
        let format = BlockFormat {
            palette: plan.palette.values().to_vec(),
            filled: plan.fills_unused,
            block_values: plan.block_values,
            block_states: BLOCK_STATES,
        };
        let has_points = header.rules.points.is_some();
        let record = HeaderRecord { header, remembered, format }
            .encode()
            .and_then(|record| packing::pack(&record, compression))
            .map_err(|problem| TableError::malformed("the header", problem))?;
        let header = self.append("the header", &record)?;
        self.seed = Seed::Table(header.checksum);
        let dictionary = match &plan.dictionary {
            Some(dictionary) => self.append("the dictionary", &dictionary.compressed)?,
            None => Section::NONE,
        };
        Ok(Frame::new(0, header, dictionary, has_points))
    }

    /// Appends a part.
    ///
    /// # Errors
    /// When it can't be written, or is too long to be read back.
    pub(crate) fn append(&mut self, part: &str, bytes: &[u8]) -> Result<Section, TableError> {
        if bytes.len() > codec::LONGEST_RECORD {
            return Err(TableError::malformed(part, "is too long to be read back"));
        }
        let section = Section::new(self.offset, bytes, self.seed);
        self.writer.write_all(bytes).map_err(TableError::io("write the table"))?;
        self.offset += section.length;
        Ok(section)
    }

    /// Appends the directory of these sections. Returns its offset.
    ///
    /// # Errors
    /// When it can't be written.
    pub(crate) fn append_directory(&mut self, sections: &[Section]) -> Result<u64, TableError> {
        let start = self.offset;
        let bytes = directory::encode(sections, start, self.seed);
        self.writer.write_all(&bytes).map_err(TableError::io("write the table"))?;
        self.offset += bytes.len() as u64;
        Ok(start)
    }

    /// Completes the table, and syncs it to disk.
    ///
    /// # Errors
    /// When it can't be written.
    pub(crate) fn finish(
        mut self,
        mut frame: Frame,
        pool: &mut WorkerPool<'_>,
    ) -> Result<UnnamedTable, TableError> {
        let failed = TableError::io("write the table");
        frame.file_length = self.offset;
        let bytes =
            frame.to_bytes().map_err(|problem| TableError::malformed("the frame", problem))?;
        self.writer.seek(SeekFrom::Start(0)).map_err(&failed)?;
        self.writer.write_all(&bytes).map_err(&failed)?;
        let file = self.writer.into_inner().map_err(|error| failed(error.into_error()))?;
        let length = frame.file_length;
        // Once all is written, there is nothing left to interrupt.
        let _ = pool.report(Progress::Syncing { bytes: length });
        file.sync().map_err(TableError::io("write the table to disk"))?;
        Ok(UnnamedTable { file, length })
    }
}

/// A complete table without its name. Tables that are written together get their names once all are
/// complete, so that none replaces an older one before. Dropped, the file is removed.
#[derive(Debug)]
pub(crate) struct UnnamedTable {
    file: Unfinished,
    length: u64,
}

impl UnnamedTable {
    /// Gives the table its name. Returns its length in bytes.
    pub(crate) fn name(self) -> Result<u64, TableError> {
        self.file.name().map_err(TableError::io("give the table its name"))?;
        Ok(self.length)
    }
}
