//! Writing a table: whole or not at all.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use tempfile::NamedTempFile;

use super::codec;
use super::error::TableError;
use super::frame::{FRAME_BYTES, Frame, Section};
use super::records::{BLOCK_STATES, Directory, Header, StateBlock, StateSection};
use super::values::{Compression, Encoder};
use crate::solve::{OnProgress, Progress};

/// How long a game's parameters may be, in bytes of JSON. The rest of the longest record that is
/// read is room for the header's figures.
const LONGEST_PARAMETERS: usize = codec::LONGEST_RECORD - (1 << 21);

/// A place where a table is going to be: a temporary file in the same folder until the table is
/// complete, which then takes the name at once. Where anything fails before, or the destination is
/// dropped, the temporary file is removed and what was there before stays.
#[derive(Debug)]
pub struct Destination {
    path: PathBuf,
    file: NamedTempFile,
    compression: Compression,
}

impl Destination {
    /// Makes sure that a table can be written at `path`, before the work of solving is done.
    ///
    /// # Errors
    /// When `path` exists and is no regular file, or does not name one, or the folder does not take
    /// a new file.
    pub fn create(path: impl AsRef<Path>) -> Result<Destination, TableError> {
        let path = path.as_ref();
        let failed = TableError::io("look at the destination");
        let path = &match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() => return Err(TableError::NotAFile),
            // A link stays, and what it leads to is replaced.
            Ok(_) => fs::canonicalize(path).map_err(failed)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
            Err(error) => return Err(failed(error)),
        };
        // What ends in a separator names a folder; `file_name` would overlook that.
        let written = path.as_os_str().as_encoded_bytes();
        let name = path
            .file_name()
            .filter(|name| written.ends_with(name.as_encoded_bytes()))
            .ok_or(TableError::NotAFile)?;
        fs::metadata(folder_of(path)).map_err(TableError::io("find the destination's folder"))?;
        let mut prefix = std::ffi::OsString::from(".");
        prefix.push(name);
        prefix.push(".");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".tmp");
        if let Some(permissions) = usual_permissions() {
            builder.permissions(permissions);
        }
        let file = builder
            .tempfile_in(folder_of(path))
            .map_err(TableError::io("create a file in the destination's folder"))?;
        Ok(Destination { path: path.into(), file, compression: Compression::default() })
    }

    /// The same, to be written so.
    #[must_use]
    pub fn with(self, compression: Compression) -> Destination {
        Destination { compression, ..self }
    }

    /// Writes a table and gives it its name; returns its length in bytes. `value` gives the packed
    /// value of each number.
    pub(super) fn write<S: Serialize>(
        self,
        header: &Header,
        value: impl Fn(u64) -> u16,
        states: Option<&[S]>,
        progress: &mut OnProgress<'_>,
    ) -> Result<u64, TableError> {
        let Destination { path, file, compression } = self;
        let mut writer = BufWriter::new(file);
        let length = write_table(&mut writer, header, value, states, compression, progress)?;
        let file = writer
            .into_inner()
            .map_err(|error| TableError::io("write the table")(error.into_error()))?;
        file.as_file().sync_all().map_err(TableError::io("write the table to disk"))?;
        file.persist(&path)
            .map_err(|error| TableError::io("give the table its name")(error.error))?;
        if cfg!(unix) {
            // The new name is on disk once its folder is. Where that can't be asked for, the table
            // is there all the same.
            let _ = File::open(folder_of(&path)).and_then(|folder| folder.sync_all());
        }
        Ok(length)
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// What the system's mask leaves of "everybody may read and write": a table is no secret, which a
/// temporary file usually is.
fn usual_permissions() -> Option<Permissions> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    None
}

fn write_table<S: Serialize>(
    writer: &mut (impl Write + Seek),
    header: &Header,
    value: impl Fn(u64) -> u16,
    states: Option<&[S]>,
    compression: Compression,
    progress: &mut OnProgress<'_>,
) -> Result<u64, TableError> {
    let bytes = header.parameters.len();
    if bytes > LONGEST_PARAMETERS {
        return Err(TableError::ParametersTooLong { bytes, most: LONGEST_PARAMETERS });
    }
    let failed = TableError::io("write the table");
    writer.write_all(&[0; FRAME_BYTES]).map_err(&failed)?;
    let mut sections = Sections { writer, offset: FRAME_BYTES as u64 };
    let header_section = sections.append("the header", codec::encode(header))?;

    let of = header.len * (1 + u64::from(states.is_some()));
    let mut done = 0;
    let mut step = |count: usize| {
        done += count as u64;
        match progress(Progress::Writing { done, of }).is_break() {
            true => Err(TableError::Interrupted),
            false => Ok(()),
        }
    };
    let mut directory = Directory { values: Vec::new(), states: Vec::new() };
    let part = "a block of values";
    let mut encoder =
        Encoder::new(compression).map_err(|problem| TableError::malformed(part, problem))?;
    let mut values = Vec::new();
    for first in (0..header.len).step_by(BLOCK_STATES as usize) {
        values.clear();
        values.extend((first..header.len.min(first + BLOCK_STATES)).map(&value));
        directory.values.push(sections.append(part, encoder.encode(first, &values))?);
        step(values.len())?;
    }
    let starts = (0..).step_by(BLOCK_STATES as usize);
    let blocks = states.into_iter().flat_map(|states| states.chunks(BLOCK_STATES as usize));
    for (first, block) in starts.zip(blocks) {
        let part = "a block of states";
        let section = sections.append(part, StateBlock::encode(first, block))?;
        let first = codec::encode(&block[0]).map_err(|e| TableError::malformed(part, e))?;
        directory.states.push(StateSection { section, first });
        step(block.len())?;
    }
    let directory = sections.append("the directory", codec::encode(&directory))?;

    let length = sections.offset;
    let frame = Frame::new(length, header_section, directory)
        .to_bytes()
        .map_err(|problem| TableError::malformed("the frame", problem))?;
    writer.seek(SeekFrom::Start(0)).map_err(&failed)?;
    writer.write_all(&frame).map_err(&failed)?;
    Ok(length)
}

/// Sections written one behind the other.
struct Sections<'w, W> {
    writer: &'w mut W,
    offset: u64,
}

impl<W: Write> Sections<'_, W> {
    fn append(
        &mut self,
        part: &str,
        record: Result<Vec<u8>, String>,
    ) -> Result<Section, TableError> {
        let bytes = record.map_err(|problem| TableError::malformed(part, problem))?;
        if bytes.len() > codec::LONGEST_RECORD {
            return Err(TableError::malformed(part, "is too long to be read back"));
        }
        let section = Section::of(self.offset, &bytes);
        self.writer.write_all(&bytes).map_err(TableError::io("write the table"))?;
        self.offset += section.length;
        Ok(section)
    }
}
