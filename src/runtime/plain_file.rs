//! Scratch files that are written and read, and not mapped.

use std::fs::File;
use std::io;
#[cfg(target_os = "linux")]
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;

use twox_hash::XxHash3_64;

#[cfg(not(target_os = "linux"))]
use crate::runtime::scratch::unsupported;
use crate::runtime::scratch::{Scratch, ScratchError, new_file};

/// The fault of a file that is not as it was written.
const CHANGED: &str = "a part of a file is not what was written there";

/// A file that is written and read, and not mapped. So none of it counts as memory of the process.
#[derive(Debug)]
pub(crate) struct PlainFile {
    folder: PathBuf,
    file: File,
}

impl PlainFile {
    /// A new file in the folder of scratch files.
    ///
    /// # Errors
    /// If it can't be made.
    pub(crate) fn new_in(scratch: &Scratch) -> Result<PlainFile, ScratchError> {
        let folder = scratch.folder().to_owned();
        let made = new_file(&folder).map_err(|error| ScratchError::new(&folder, 0, error));
        Ok(PlainFile { file: made?, folder })
    }

    /// Writes bytes from a place on. Returns their checksum.
    pub(crate) fn write(&self, bytes: &[u8], place: u64) -> Result<u32, ScratchError> {
        #[cfg(target_os = "linux")]
        let written = self.file.write_all_at(bytes, place);
        #[cfg(not(target_os = "linux"))]
        let written = unsupported(&self.file);
        let end = place + bytes.len() as u64;
        written.map_err(|error| ScratchError::new(&self.folder, end, error))?;
        Ok(checksum(bytes))
    }

    /// Reads the bytes that were written from a place on, which had this checksum.
    pub(crate) fn read(
        &self,
        bytes: &mut [u8],
        place: u64,
        expected: u32,
    ) -> Result<(), ScratchError> {
        #[cfg(target_os = "linux")]
        let read = self.file.read_exact_at(bytes, place);
        #[cfg(not(target_os = "linux"))]
        let read = unsupported(&self.file);
        let read = read.and_then(|()| match checksum(bytes) == expected {
            true => Ok(()),
            false => Err(io::Error::new(io::ErrorKind::InvalidData, CHANGED)),
        });
        read.map_err(|error| ScratchError::new(&self.folder, place + bytes.len() as u64, error))
    }

    /// Gives back what the file has taken of the disk from a place on.
    pub(crate) fn cut(&self, place: u64) {
        // A failure only leaves more of the disk taken.
        let _ = self.file.set_len(place);
    }
}

/// A checksum of bytes, short since each page of a file has one in memory.
fn checksum(bytes: &[u8]) -> u32 {
    XxHash3_64::oneshot(bytes) as u32
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_have_changed_or_are_cut_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let file = PlainFile::new_in(&Scratch::in_folder(folder.path(), 0)).unwrap();
        let sums = [1, 2].map(|page| {
            file.write(&[page; 5_000], u64::from(page) * 5_000).expect("room for a page")
        });
        let mut read = [0; 5_000];
        file.read(&mut read, 10_000, sums[1]).unwrap();
        assert!(read == [2; 5_000]);
        assert!(file.read(&mut read, 5_000, sums[1]).is_err(), "another page");
        file.file.write_all_at(&[7], 9_999).unwrap();
        let error = file.read(&mut read, 5_000, sums[0]).unwrap_err();
        assert_eq!((error.error.to_string().as_str(), error.bytes), (CHANGED, 10_000));
        file.cut(14_999);
        let error = file.read(&mut read, 10_000, sums[1]).unwrap_err();
        assert_eq!(error.error.kind(), io::ErrorKind::UnexpectedEof);
    }
}
